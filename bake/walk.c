/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/walk.h"

#include "mesh/closest.h"
#include "mesh/exact.h"

enum { GUESS_LIMIT = 20 };

bool lt_walk_begin(lt_walk *out, const lt_surface *surface, const lt_tet_mesh *mesh,
                   const lt_tet_adjacency *adjacency, const lt_allocator *allocator) {
    *out = (lt_walk){.surface = surface, .mesh = mesh, .adjacency = adjacency};
    out->allocator = allocator ? *allocator : lt_allocator_default();
    out->visited = LT_ARRAY_OF(&out->allocator, uint32_t);
    out->stamps = LT_NEW(&out->allocator, mesh->tet_count, uint32_t);
    return out->stamps != NULL;
}

void lt_walk_free(lt_walk *walk) {
    if (!walk->mesh) return;
    LT_DELETE(&walk->allocator, walk->stamps, walk->mesh->tet_count, uint32_t);
    lt_array_free(&walk->visited);
    *walk = (lt_walk){0};
}

static void get_tet(const lt_tet_mesh *mesh, uint32_t tet, lt_dvec3 corners[4]) {
    for (int k = 0; k < 4; k++)
        corners[k] = mesh->positions[lt_tet_at(mesh, tet)[k]];
}

bool lt_walk_vertex_in_tet(const lt_walk *walk, uint32_t vertex, uint32_t tet) {
    lt_dvec3 corners[4];
    get_tet(walk->mesh, tet, corners);
    return lt_exact_point_tet(lt_d3_from_v3(walk->surface->positions[vertex]), corners);
}

static bool visit(lt_walk *walk, uint32_t tet) {
    if (lt_walk_has_visited(walk, tet)) return true;
    walk->stamps[tet] = walk->stamp;
    return lt_array_push(&walk->visited, &tet);
}

/* Visits the tets behind the faces of `tet` that the triangle touches. */
static lt_walk_end cross_faces(lt_walk *walk, const lt_dvec3 triangle[3], uint32_t tet) {
    lt_dvec3 corners[4];
    get_tet(walk->mesh, tet, corners);
    for (int k = 0; k < 4; k++) {
        lt_dvec3 face[3];
        for (int i = 0; i < 3; i++)
            face[i] = corners[lt_tet_face_corners[k][i]];
        uint32_t next = walk->adjacency->neighbours[4 * (size_t)tet + (size_t)k];
        if (next != LT_NONE && lt_walk_has_visited(walk, next)) continue;
        if (!lt_exact_triangle_triangle(triangle, face)) continue;
        if (next == LT_NONE) return LT_WALK_OUTSIDE;
        if (!visit(walk, next)) return LT_WALK_MEMORY;
    }
    return LT_WALK_INSIDE;
}

lt_walk_end lt_walk_triangle(lt_walk *walk, uint32_t triangle, uint32_t tet) {
    lt_dvec3 corners[3];
    lt_triangle_corners(walk->surface, triangle, corners);
    walk->visited.count = 0;
    walk->stamp++;
    if (!visit(walk, tet)) return LT_WALK_MEMORY;
    for (size_t i = 0; i < walk->visited.count; i++) {
        uint32_t at = ((const uint32_t *)walk->visited.items)[i];
        lt_walk_end end = cross_faces(walk, corners, at);
        if (end == LT_WALK_INSIDE) continue;
        if (end == LT_WALK_OUTSIDE && !lt_array_push(&walk->visited, &at)) return LT_WALK_MEMORY;
        return end;
    }
    return LT_WALK_INSIDE;
}

/* ---- vertices ---- */

typedef struct settling {
    lt_walk *walk;
    const lt_surface_adjacency *adjacency; /* of the surface */
    uint32_t *tets;                        /* [vertex_count] found so far */
    uint8_t *is_done;                      /* [triangle_count] */
    lt_array queue;                        /* uint32_t, vertices that have their tet */
} settling;

/* The visited tet that holds the vertex; LT_NONE when there is none. */
static uint32_t find_visited(const settling *s, uint32_t vertex) {
    const uint32_t *visited = s->walk->visited.items;
    for (size_t i = 0; i < s->walk->visited.count; i++)
        if (lt_walk_vertex_in_tet(s->walk, vertex, visited[i])) return visited[i];
    return LT_NONE;
}

/* Gives tets to the vertices of a triangle one of whose vertices has one. */
static lt_walk_end settle_triangle(settling *s, uint32_t triangle, uint32_t from) {
    const uint32_t *vertices = lt_triangle_at(s->walk->surface, triangle);
    uint32_t tet = s->tets[from];
    bool is_within = true;
    for (int k = 0; k < 3; k++) {
        uint32_t has = s->tets[vertices[k]];
        is_within &= has == tet || (has == LT_NONE && lt_walk_vertex_in_tet(s->walk, vertices[k], tet));
    }
    lt_walk_end end = is_within ? LT_WALK_INSIDE : lt_walk_triangle(s->walk, triangle, tet);
    for (int k = 0; k < 3 && end == LT_WALK_INSIDE; k++) {
        uint32_t *has = &s->tets[vertices[k]];
        if (*has != LT_NONE) {
            if (!is_within && !lt_walk_has_visited(s->walk, *has)) end = LT_WALK_OUTSIDE;
            continue;
        }
        *has = is_within ? tet : find_visited(s, vertices[k]);
        if (*has == LT_NONE) return LT_WALK_OUTSIDE;
        if (!lt_array_push(&s->queue, &vertices[k])) return LT_WALK_MEMORY;
    }
    return end;
}

/* From one vertex to all of its component; on failure all that was found is forgotten. */
static lt_walk_end settle_from(settling *s, uint32_t seed, uint32_t tet) {
    const lt_rows *rows = &s->adjacency->vertex_triangles;
    lt_walk_end end = LT_WALK_INSIDE;
    s->queue.count = 0;
    s->tets[seed] = tet;
    if (!lt_array_push(&s->queue, &seed)) return LT_WALK_MEMORY;
    for (size_t i = 0; i < s->queue.count && end == LT_WALK_INSIDE; i++) {
        uint32_t vertex = ((const uint32_t *)s->queue.items)[i];
        for (uint32_t j = 0; j < lt_rows_count(rows, vertex) && end == LT_WALK_INSIDE; j++) {
            uint32_t triangle = lt_rows_at(rows, vertex)[j];
            if (s->is_done[triangle]) continue;
            s->is_done[triangle] = 1;
            end = settle_triangle(s, triangle, vertex);
        }
    }
    for (size_t i = 0; i < s->queue.count && end != LT_WALK_INSIDE; i++) {
        uint32_t vertex = ((const uint32_t *)s->queue.items)[i];
        s->tets[vertex] = LT_NONE;
        for (uint32_t j = 0; j < lt_rows_count(rows, vertex); j++)
            s->is_done[lt_rows_at(rows, vertex)[j]] = 0;
    }
    return end;
}

/* `vertices` are those of one component. */
static bool settle_component(settling *s, const uint32_t *guesses, const uint32_t *vertices, uint32_t count) {
    for (uint32_t i = 0; i < GUESS_LIMIT && i < count; i++) {
        uint32_t seed = vertices[(size_t)count * i / lt_min_u32(GUESS_LIMIT, count)];
        if (guesses[seed] == LT_NONE) continue;
        lt_walk_end end = settle_from(s, seed, guesses[seed]);
        if (end == LT_WALK_MEMORY) return false;
        if (end == LT_WALK_INSIDE) return true;
    }
    for (uint32_t i = 0; i < count; i++)
        s->tets[vertices[i]] = guesses[vertices[i]];
    return true;
}

/* The vertices that triangles use, by component: those of component c end at ends[c]. */
static void sort_vertices(const settling *s, uint32_t *vertices, uint32_t *ends) {
    const lt_surface_adjacency *a = s->adjacency;
    uint32_t vertex_count = s->walk->surface->vertex_count;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t v = 0; v < vertex_count; v++) {
            if (lt_rows_count(&a->vertex_triangles, v) == 0) continue;
            uint32_t component = a->triangle_components[lt_rows_at(&a->vertex_triangles, v)[0]];
            if (pass == 0)
                ends[component + 1]++;
            else
                vertices[ends[component]++] = v;
        }
        for (uint32_t c = 0; c < a->component_count && pass == 0; c++)
            ends[c + 1] += ends[c];
    }
}

static bool settle_all(settling *s, const uint32_t *guesses, uint32_t *vertices, uint32_t *ends) {
    sort_vertices(s, vertices, ends);
    for (uint32_t c = 0; c < s->adjacency->component_count; c++) {
        uint32_t begin = c ? ends[c - 1] : 0;
        if (!settle_component(s, guesses, vertices + begin, ends[c] - begin)) return false;
    }
    return true;
}

bool lt_vertex_tets_settle(lt_walk *walk, uint32_t *tets) {
    const lt_allocator *a = &walk->allocator;
    const lt_surface *surface = walk->surface;
    lt_surface_adjacency adjacency;
    if (lt_surface_adjacency_build(&adjacency, surface, a, NULL) != LT_OK) return false;
    settling s = {.walk = walk, .adjacency = &adjacency, .tets = tets};
    s.queue = LT_ARRAY_OF(a, uint32_t);
    s.is_done = LT_NEW(a, surface->triangle_count, uint8_t);
    uint32_t *guesses = LT_NEW(a, surface->vertex_count, uint32_t);
    uint32_t *vertices = LT_NEW(a, surface->vertex_count, uint32_t);
    uint32_t *ends = LT_NEW(a, (size_t)adjacency.component_count + 1, uint32_t);
    bool ok = s.is_done && guesses && vertices && ends;
    if (ok) {
        for (uint32_t v = 0; v < surface->vertex_count; v++) {
            guesses[v] = tets[v];
            tets[v] = LT_NONE;
        }
        ok = settle_all(&s, guesses, vertices, ends);
    }
    LT_DELETE(a, s.is_done, surface->triangle_count, uint8_t);
    LT_DELETE(a, guesses, surface->vertex_count, uint32_t);
    LT_DELETE(a, vertices, surface->vertex_count, uint32_t);
    LT_DELETE(a, ends, (size_t)adjacency.component_count + 1, uint32_t);
    lt_array_free(&s.queue);
    lt_surface_adjacency_free(&adjacency);
    return ok;
}
