/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the tests of generated shapes ask of a mesh, by brute counting of edges and faces, on purpose without
 * the library's own adjacency; and an allocator that fails on demand. */

#ifndef LITHE_TESTS_MESH_GENERATE_CHECKS_H
#define LITHE_TESTS_MESH_GENERATE_CHECKS_H

#include "check.h"
#include "core/hash.h"
#include "scenes/generate.h"

typedef struct topology {
    bool closed;         /* every directed edge once, and its opposite once: closed and oriented */
    bool fans;           /* around each vertex, one closed fan of triangles */
    bool used;           /* every vertex is in a triangle */
    int euler;           /* V - E + T */
    uint32_t components; /* pieces connected by vertices */
    uint32_t open_edges; /* directed edges without an opposite */
    double least_area;
} topology;

/* A directed edge and the triangle corner it starts at. */
typedef struct half_edge {
    uint64_t key;
    uint32_t corner;
} half_edge;

static inline int compare_half_edges(const void *a, const void *b) {
    uint64_t x = ((const half_edge *)a)->key, y = ((const half_edge *)b)->key;
    return (x > y) - (x < y);
}

static inline uint32_t next_corner(uint32_t corner) {
    return corner / 3 * 3 + (corner + 1) % 3;
}

static inline uint64_t edge_key(uint32_t from, uint32_t to) {
    return (uint64_t)from << 32 | to;
}

static inline uint32_t find_root(uint32_t *parent, uint32_t i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Joins the two sets; returns 1 when they were separate. */
static inline uint32_t join(uint32_t *parent, uint32_t a, uint32_t b) {
    uint32_t root_a = find_root(parent, a), root_b = find_root(parent, b);
    parent[root_a] = root_b;
    return root_a != root_b;
}

static inline double triangle_area(const lt_surface *s, uint32_t t) {
    const uint32_t *v = lt_triangle_at(s, t);
    lt_dvec3 a = lt_d3_from_v3(s->positions[v[0]]);
    lt_dvec3 ab = lt_d3_sub(lt_d3_from_v3(s->positions[v[1]]), a);
    lt_dvec3 ac = lt_d3_sub(lt_d3_from_v3(s->positions[v[2]]), a);
    return 0.5 * lt_d3_length(lt_d3_cross(ab, ac));
}

/* Corners of triangles are joined across edges at the same vertex: one fan per vertex leaves as many sets of
 * corners as there are used vertices. Corners joined along triangles too give the connected pieces. */
static inline topology topology_of(const lt_surface *s) {
    uint32_t corner_count = 3 * s->triangle_count;
    topology result = {.closed = true, .least_area = 1e300};
    half_edge *edges = malloc(corner_count * sizeof(half_edge));
    uint32_t *fan = malloc(corner_count * sizeof(uint32_t));
    uint32_t *piece = malloc(s->vertex_count * sizeof(uint32_t));
    uint8_t *used = calloc(s->vertex_count, 1);
    for (uint32_t i = 0; i < s->vertex_count; i++)
        piece[i] = i;
    for (uint32_t c = 0; c < corner_count; c++) {
        edges[c] = (half_edge){edge_key(s->triangles[c], s->triangles[next_corner(c)]), c};
        fan[c] = c;
        used[s->triangles[c]] = 1;
    }
    uint32_t used_count = 0, edge_count = 0, fan_count = corner_count;
    for (uint32_t i = 0; i < s->vertex_count; i++)
        used_count += used[i];
    result.components = used_count;
    qsort(edges, corner_count, sizeof(half_edge), compare_half_edges);
    for (uint32_t i = 0; i < corner_count; i++) {
        uint32_t from = (uint32_t)(edges[i].key >> 32), to = (uint32_t)edges[i].key;
        half_edge wanted = {edge_key(to, from), 0};
        half_edge *back = bsearch(&wanted, edges, corner_count, sizeof(half_edge), compare_half_edges);
        if ((i > 0 && edges[i].key == edges[i - 1].key) || from == to || !back) result.closed = false;
        if (back) fan_count -= join(fan, edges[i].corner, next_corner(back->corner));
        result.components -= join(piece, from, to);
        result.open_edges += !back;
        edge_count += from < to || !back;
    }
    for (uint32_t t = 0; t < s->triangle_count; t++)
        result.least_area = lt_min_d(result.least_area, triangle_area(s, t));
    result.used = used_count == s->vertex_count;
    result.fans = fan_count == used_count;
    result.euler = (int)used_count - (int)edge_count + (int)s->triangle_count;
    free(edges);
    free(fan);
    free(piece);
    free(used);
    return result;
}

/* A closed, oriented, two-manifold solid of the given Euler characteristic and number of pieces. */
static inline void check_solid(const lt_surface *s, const char *name, int euler, uint32_t components) {
    lt_error error = {0};
    check_count++;
    if (lt_surface_check(s, name, &error) != LT_OK) {
        CHECK_FAIL_MESSAGE("%s", error.message);
        return;
    }
    topology t = topology_of(s);
    if (!t.closed || !t.fans || !t.used)
        CHECK_FAIL_MESSAGE("%s: closed %d, one fan per vertex %d, all vertices used %d, open edges %u", name,
                           t.closed, t.fans, t.used, t.open_edges);
    if (t.euler != euler || t.components != components)
        CHECK_FAIL_MESSAGE("%s: Euler %d instead of %d, %u pieces instead of %u", name, t.euler, euler,
                           t.components, components);
    if (!(t.least_area > 0.0)) CHECK_FAIL_MESSAGE("%s: a triangle is degenerate", name);
    if (!(lt_surface_volume(s) > 0.0)) CHECK_FAIL_MESSAGE("%s: inside out", name);
}

/* 1 for an equilateral triangle, 0 for a degenerate one. */
static inline double worst_triangle(const lt_surface *s) {
    double worst = 1.0;
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        const uint32_t *v = lt_triangle_at(s, t);
        double edges = 0.0;
        for (int k = 0; k < 3; k++)
            edges += lt_v3_length_squared(lt_v3_sub(s->positions[v[k]], s->positions[v[(k + 1) % 3]]));
        worst = fmin(worst, 4.0 * sqrt(3.0) * triangle_area(s, t) / edges);
    }
    return worst;
}

static inline uint64_t hash_surface(const lt_surface *s) {
    uint64_t hash = lt_hash_bytes(LT_HASH_SEED, s->positions, s->vertex_count * sizeof(lt_vec3));
    return lt_hash_bytes(hash, s->triangles, 3 * (size_t)s->triangle_count * sizeof(uint32_t));
}

static inline uint64_t hash_tet_mesh(const lt_tet_mesh *m) {
    uint64_t hash = lt_hash_bytes(LT_HASH_SEED, m->positions, m->node_count * sizeof(lt_dvec3));
    return lt_hash_bytes(hash, m->tets, 4 * (size_t)m->tet_count * sizeof(uint32_t));
}

/* ---- an allocator that refuses the n-th request and counts what is held ---- */

typedef struct failing_memory {
    int until_failure; /* requests still granted */
    int held;
} failing_memory;

static inline void *failing_allocate(void *context, size_t size, size_t alignment) {
    failing_memory *memory = context;
    if (memory->until_failure == 0) return NULL;
    memory->until_failure--;
    memory->held++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static inline void failing_release(void *context, void *block, size_t size) {
    (void)size;
    if (block) ((failing_memory *)context)->held--;
    free(block);
}

/* Runs `make` (an expression using `allocator`, giving a status) with ever later failures until it succeeds;
 * every failure must say LT_STATUS_MEMORY, leave nothing held and nothing in the output. */
#define CHECK_SURVIVES_FAILING_MEMORY(mesh, make, free_mesh)                                                 \
    do {                                                                                                     \
        int failures = 0;                                                                                    \
        for (;; failures++) {                                                                                \
            failing_memory memory = {.until_failure = failures};                                             \
            lt_allocator failing = {failing_allocate, failing_release, &memory}, *allocator = &failing;      \
            lt_status status = (make);                                                                       \
            if (status == LT_OK) {                                                                           \
                free_mesh(&mesh);                                                                            \
                CHECK_COUNT(memory.held, 0);                                                                 \
                break;                                                                                       \
            }                                                                                                \
            CHECK_COUNT(status, LT_STATUS_MEMORY);                                                           \
            CHECK_COUNT(memory.held, 0);                                                                     \
            CHECK(mesh.positions == NULL);                                                                   \
            CHECK_FATAL(failures < 1000);                                                                    \
        }                                                                                                    \
        CHECK(failures > 0);                                                                                 \
    } while (0)

#endif
