/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Adjacency by hand on boxes and cut cubes, and against pair loops on random soups, where everything odd
 * happens: repeated elements, repeated corners, edges and faces with many elements. */

#include "bake/adjacency.h"
#include "check.h"
#include "core/random.h"
#include "mesh/shapes.h"

static lt_surface_adjacency adjacency_of(const lt_surface *surface) {
    lt_surface_adjacency adjacency;
    CHECK(lt_surface_adjacency_build(&adjacency, surface, NULL, NULL) == LT_OK);
    return adjacency;
}

static void box_by_hand(void) {
    lt_surface box = box_surface();
    lt_surface_adjacency a = adjacency_of(&box);
    CHECK_COUNT(a.edge_count, 18);
    CHECK_COUNT(a.boundary_edge_count, 0);
    CHECK_COUNT(a.nonmanifold_edge_count, 0);
    CHECK_COUNT(a.component_count, 1);
    CHECK(a.is_closed && a.is_oriented);
    CHECK(a.edges[0] == 0 && a.edges[1] == 1 && a.edges[34] == 6 && a.edges[35] == 7);
    /* Triangle 0 is {0, 2, 3}: edge 0-2 is shared with {0, 6, 2}, 2-3 with {2, 7, 3}, 3-0 with {0, 3, 1}. */
    CHECK(a.triangle_neighbours[0] == 9 && a.triangle_neighbours[1] == 7 && a.triangle_neighbours[2] == 1);
    CHECK_COUNT(lt_rows_count(&a.vertex_triangles, 1), 4);
    const uint32_t *at_1 = lt_rows_at(&a.vertex_triangles, 1);
    CHECK(at_1[0] == 1 && at_1[1] == 4 && at_1[2] == 10 && at_1[3] == 11);
    lt_surface_adjacency_free(&a);
    lt_surface_free(&box);
}

static void holes_and_turned_triangles_show(void) {
    lt_surface box = box_surface();
    box.triangle_count = 11;
    lt_surface_adjacency open = adjacency_of(&box);
    CHECK(!open.is_closed && open.is_oriented);
    CHECK_COUNT(open.boundary_edge_count, 3);
    lt_surface_adjacency_free(&open);
    box.triangle_count = 12;
    uint32_t swap = box.triangles[0];
    box.triangles[0] = box.triangles[1];
    box.triangles[1] = swap;
    lt_surface_adjacency turned = adjacency_of(&box);
    CHECK(turned.is_closed && !turned.is_oriented);
    lt_surface_adjacency_free(&turned);
    lt_surface_free(&box);
}

/* Three sheets on one border have no edge with one triangle, and still no inside. Triangles that are segments
 * have every edge twice or more, and no inside either. */
static void sheets_and_segments_are_not_closed(void) {
    static const int corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t sheets[3][3] = {{0, 1, 2}, {0, 1, 2}, {2, 1, 0}},
                          segments[2][3] = {{0, 0, 1}, {0, 0, 1}};
    lt_surface three = surface_from(corners, 3, sheets, 3), flat = surface_from(corners, 3, segments, 2);
    lt_surface_adjacency a = adjacency_of(&three), b = adjacency_of(&flat);
    CHECK(!a.is_closed && a.is_oriented);
    CHECK_COUNT(a.nonmanifold_edge_count, 3);
    CHECK(!b.is_closed);
    CHECK_COUNT(b.boundary_edge_count, 0);
    lt_surface_adjacency_free(&a);
    lt_surface_adjacency_free(&b);
    lt_surface_free(&three);
    lt_surface_free(&flat);
}

/* Two boxes; with `shared` the second has two vertices, and so an edge, of the first. */
static lt_surface two_boxes(bool shared) {
    lt_surface box = box_surface(), both;
    if (lt_surface_allocate(&both, 16, 24, NULL, NULL) != LT_OK) return both;
    for (uint32_t i = 0; i < 16; i++)
        both.positions[i] = box.positions[i % 8];
    for (uint32_t i = 0; i < 72; i++) {
        uint32_t v = box.triangles[i % 36];
        both.triangles[i] = i < 36 || (shared && v < 2) ? v : v + 8;
    }
    lt_surface_free(&box);
    return both;
}

static void boxes_apart_and_joined(void) {
    lt_surface apart = two_boxes(false), joined = two_boxes(true);
    lt_surface_adjacency a = adjacency_of(&apart), j = adjacency_of(&joined);
    CHECK_COUNT(a.component_count, 2);
    CHECK(a.triangle_components[11] == 0 && a.triangle_components[12] == 1);
    CHECK_COUNT(a.edge_count, 36);
    CHECK_COUNT(j.component_count, 1);
    CHECK_COUNT(j.edge_count, 35);
    CHECK_COUNT(j.nonmanifold_edge_count, 1);
    CHECK_COUNT(lt_rows_count(&j.edge_triangles, 0), 4);
    CHECK(j.is_closed && j.is_oriented);
    lt_surface_adjacency_free(&a);
    lt_surface_adjacency_free(&j);
    lt_surface_free(&apart);
    lt_surface_free(&joined);
}

/* Sides i of triangles: vertices in order, lower first. */
static void side_of(const lt_surface *s, uint32_t side, uint32_t out[2]) {
    uint32_t a = s->triangles[side], b = s->triangles[side - side % 3 + (side + 1) % 3];
    out[0] = lt_min_u32(a, b);
    out[1] = lt_max_u32(a, b);
}

static void compare_soup(const lt_surface *s) {
    lt_surface_adjacency a = adjacency_of(s);
    uint32_t side_count = 3 * s->triangle_count, wrong = 0, boundary = 0, nonmanifold = 0;
    for (uint32_t i = 0; i < side_count; i++) {
        uint32_t mine[2], other[2], same = 0, neighbour = LT_NONE, before = 0;
        side_of(s, i, mine);
        for (uint32_t k = 0; k < side_count; k++) {
            side_of(s, k, other);
            if (mine[0] != other[0] || mine[1] != other[1]) continue;
            const uint32_t *listed = lt_rows_at(&a.edge_triangles, a.triangle_edges[i]);
            wrong += listed[same++] != k / 3 || a.triangle_edges[k] != a.triangle_edges[i];
            before += k < i;
            if (k != i) neighbour = k / 3;
        }
        const uint32_t *edge = a.edges + 2 * (size_t)a.triangle_edges[i];
        wrong += edge[0] != mine[0] || edge[1] != mine[1];
        wrong += lt_rows_count(&a.edge_triangles, a.triangle_edges[i]) != same;
        wrong += a.triangle_neighbours[i] != (same == 2 ? neighbour : LT_NONE);
        boundary += same == 1;
        nonmanifold += same > 2 && before == 0;
    }
    for (uint32_t i = 0; i + 1 < a.edge_count; i++) {
        const uint32_t *e = a.edges + 2 * (size_t)i;
        wrong += !(e[0] < e[2] || (e[0] == e[2] && e[1] < e[3]));
    }
    CHECK_COUNT(wrong, 0);
    CHECK_COUNT(a.boundary_edge_count, boundary);
    CHECK_COUNT(a.nonmanifold_edge_count, nonmanifold);
    lt_surface_adjacency_free(&a);
}

/* Components by spreading the lowest label until nothing changes. */
static void compare_components(const lt_surface *s) {
    lt_surface_adjacency a = adjacency_of(s);
    uint32_t label[64], count = 0, wrong = 0;
    for (uint32_t i = 0; i < s->triangle_count; i++)
        label[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < 9 * s->triangle_count * s->triangle_count; i++) {
            uint32_t x = i / 9 / s->triangle_count, y = i / 9 % s->triangle_count;
            if (s->triangles[3 * x + i % 3] != s->triangles[3 * y + i / 3 % 3] || label[x] <= label[y])
                continue;
            label[x] = label[y];
            changed = true;
        }
    }
    for (uint32_t i = 0; i < s->triangle_count; i++) {
        uint32_t expected = label[i] == i ? count++ : a.triangle_components[label[i]];
        wrong += a.triangle_components[i] != expected;
    }
    CHECK_COUNT(wrong, 0);
    CHECK_COUNT(a.component_count, count);
    lt_surface_adjacency_free(&a);
}

static void random_soups(void) {
    lt_random random = lt_random_seed(1);
    for (int n = 0; n < 60; n++) {
        lt_surface s;
        uint32_t vertex_count = n % 2 ? 7 : 60;
        CHECK(lt_surface_allocate(&s, vertex_count, 1 + (uint32_t)n % 20, NULL, NULL) == LT_OK);
        for (uint32_t i = 0; i < 3 * s.triangle_count; i++)
            s.triangles[i] = lt_random_below(&random, vertex_count);
        compare_soup(&s);
        compare_components(&s);
        lt_surface_free(&s);
    }
}

/* ---- tets ---- */

static lt_tet_mesh tets_from(const lt_dvec3 *positions, uint32_t node_count, const uint32_t (*tets)[4],
                             uint32_t tet_count) {
    lt_tet_mesh mesh;
    if (lt_tet_mesh_allocate(&mesh, node_count, tet_count, NULL, NULL) != LT_OK) return mesh;
    memcpy(mesh.positions, positions, node_count * sizeof *positions);
    memcpy(mesh.tets, tets, tet_count * sizeof *tets);
    lt_tet_mesh_orient(&mesh);
    return mesh;
}

/* n^3 unit cubes, each cut into six tets along the same diagonal: from its low corner along the axes in one of
 * six orders to its high corner. */
static lt_tet_mesh cut_cubes(uint32_t n) {
    static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    uint32_t m = n + 1;
    const uint32_t strides[3] = {1, m, m * m};
    lt_tet_mesh mesh;
    if (lt_tet_mesh_allocate(&mesh, m * m * m, 6 * n * n * n, NULL, NULL) != LT_OK) return mesh;
    for (uint32_t i = 0; i < mesh.node_count; i++)
        mesh.positions[i] = lt_d3_make(i % m, i / m % m, i / (m * m));
    for (uint32_t i = 0; i < mesh.tet_count; i++) {
        uint32_t cell = i / 6, *t = mesh.tets + 4 * (size_t)i;
        t[0] = cell % n + m * (cell / n % n) + m * m * (cell / (n * n));
        for (int k = 0; k < 3; k++)
            t[k + 1] = t[k] + strides[orders[i % 6][k]];
    }
    lt_tet_mesh_orient(&mesh);
    return mesh;
}

static lt_tet_adjacency tet_adjacency_of(const lt_tet_mesh *mesh) {
    lt_tet_adjacency adjacency;
    CHECK(lt_tet_adjacency_build(&adjacency, mesh, NULL, NULL) == LT_OK);
    return adjacency;
}

static void regular_tet_measures(void) {
    const lt_dvec3 positions[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    static const uint32_t tet[1][4] = {{0, 1, 2, 3}};
    lt_tet_mesh mesh = tets_from(positions, 4, tet, 1);
    lt_tet_adjacency a = tet_adjacency_of(&mesh);
    lt_tet_measures m = lt_tet_mesh_measure(&mesh, &a);
    CHECK_NEAR(m.mean_edge_length, sqrt(8), 1e-15);
    CHECK_NEAR(m.smallest_altitude, sqrt(8) * sqrt(2.0 / 3), 1e-15);
    CHECK_NEAR(m.smallest_dihedral, acos(1.0 / 3), 1e-15);
    CHECK_NEAR(m.largest_dihedral, acos(1.0 / 3), 1e-15);
    CHECK_COUNT(a.boundary_face_count, 4);
    lt_tet_adjacency_free(&a);
    lt_tet_mesh_free(&mesh);
}

/* A tet of the cut cube has altitudes 1 and 1 / sqrt 2 and dihedrals 45, 60 and 90 degrees. */
static void cut_cube_by_hand(void) {
    lt_tet_mesh mesh = cut_cubes(1);
    lt_tet_adjacency a = tet_adjacency_of(&mesh);
    lt_tet_measures m = lt_tet_mesh_measure(&mesh, &a);
    CHECK_COUNT(a.edge_count, 12 + 6 + 1);
    CHECK_COUNT(a.boundary_face_count, 12);
    CHECK_COUNT(a.component_count, 1);
    CHECK_COUNT(lt_rows_count(&a.node_tets, 0), 6);
    CHECK_COUNT(lt_rows_count(&a.node_tets, 1), 2);
    CHECK_NEAR(m.mean_edge_length, (12 + 6 * sqrt(2) + sqrt(3)) / 19, 1e-14);
    CHECK_NEAR(m.smallest_altitude, sqrt(0.5), 1e-15);
    CHECK_NEAR(m.smallest_dihedral, 3.14159265358979 / 4, 1e-14);
    CHECK_NEAR(m.largest_dihedral, 3.14159265358979 / 2, 1e-14);
    lt_tet_adjacency_free(&a);
    lt_tet_mesh_free(&mesh);
}

static void boundary_encloses_the_mesh(void) {
    lt_tet_mesh mesh = cut_cubes(4);
    lt_tet_adjacency a = tet_adjacency_of(&mesh);
    lt_tet_boundary b;
    CHECK(lt_tet_boundary_build(&b, &mesh, &a, NULL, NULL) == LT_OK);
    CHECK_COUNT(b.surface.triangle_count, 12 * 4 * 4);
    CHECK_COUNT(b.surface.vertex_count, 5 * 5 * 5 - 3 * 3 * 3);
    CHECK_NEAR(lt_surface_volume(&b.surface), 64, 1e-12);
    CHECK_NEAR(lt_surface_area(&b.surface), 6 * 16, 1e-12);
    lt_surface_adjacency s = adjacency_of(&b.surface);
    CHECK(s.is_closed && s.is_oriented && s.nonmanifold_edge_count == 0);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < b.surface.triangle_count; i++) {
        const uint32_t *tet = lt_tet_at(&mesh, b.triangle_tets[i]);
        for (int k = 0; k < 3; k++) {
            uint32_t vertex = lt_triangle_at(&b.surface, i)[k], node = b.vertex_nodes[vertex];
            wrong += node != tet[0] && node != tet[1] && node != tet[2] && node != tet[3];
            wrong += b.surface.positions[vertex].x != (float)mesh.positions[node].x;
        }
    }
    CHECK_COUNT(wrong, 0);
    lt_surface_adjacency_free(&s);
    lt_tet_boundary_free(&b);
    lt_tet_adjacency_free(&a);
    lt_tet_mesh_free(&mesh);
}

static bool has_node(const uint32_t *tet, uint32_t node) {
    return tet[0] == node || tet[1] == node || tet[2] == node || tet[3] == node;
}

/* Whether face k of the one is a face of the other; the corners of a tet differ. */
static bool shares_face(const uint32_t *one, int k, const uint32_t *other) {
    for (int i = 0; i < 4; i++)
        if (i != k && !has_node(other, one[i])) return false;
    return true;
}

static void compare_tet_soup(const lt_tet_mesh *mesh) {
    lt_tet_adjacency a = tet_adjacency_of(mesh);
    uint32_t wrong = 0, boundary = 0, rows = 0;
    for (uint32_t i = 0; i < 4 * mesh->tet_count; i++) {
        uint32_t others = 0, other = LT_NONE;
        for (uint32_t k = 0; k < mesh->tet_count; k++) {
            if (k == i / 4 || !shares_face(lt_tet_at(mesh, i / 4), (int)(i % 4), lt_tet_at(mesh, k)))
                continue;
            others++;
            other = k;
        }
        wrong += a.neighbours[i] != (others == 1 ? other : LT_NONE);
        if (others == 0) wrong += boundary >= a.boundary_face_count || a.boundary_faces[boundary++] != i;
    }
    for (uint32_t v = 0; v < mesh->node_count; v++)
        for (uint32_t k = 0; k < mesh->tet_count; k++)
            if (has_node(lt_tet_at(mesh, k), v)) wrong += a.node_tets.items[rows++] != k;
    CHECK_COUNT(wrong, 0);
    CHECK_COUNT(a.boundary_face_count, boundary);
    CHECK_COUNT(rows, 4 * mesh->tet_count);
    lt_tet_adjacency_free(&a);
}

static void random_tet_soups(void) {
    lt_random random = lt_random_seed(2);
    for (int n = 0; n < 60; n++) {
        lt_tet_mesh mesh;
        uint32_t node_count = n % 2 ? 6 : 9;
        CHECK(lt_tet_mesh_allocate(&mesh, node_count, 1 + (uint32_t)n % 25, NULL, NULL) == LT_OK);
        for (uint32_t i = 0; i < mesh.tet_count; i++) {
            uint32_t *t = mesh.tets + 4 * (size_t)i;
            t[0] = lt_random_below(&random, node_count);
            for (int k = 1; k < 4; k++)
                do
                    t[k] = lt_random_below(&random, node_count);
                while (t[k] == t[0] || (k > 1 && t[k] == t[1]) || (k > 2 && t[k] == t[2]));
        }
        compare_tet_soup(&mesh);
        lt_tet_mesh_free(&mesh);
    }
}

static void face_with_three_tets(void) {
    const lt_dvec3 positions[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {1, 1, 1}};
    static const uint32_t tets[3][4] = {{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 1, 2, 5}};
    lt_tet_mesh mesh = tets_from(positions, 6, tets, 3);
    lt_tet_adjacency a = tet_adjacency_of(&mesh);
    CHECK_COUNT(a.nonmanifold_face_count, 1);
    CHECK_COUNT(a.boundary_face_count, 9);
    CHECK_COUNT(a.edge_count, 3 + 9);
    lt_tet_adjacency_free(&a);
    lt_tet_mesh_free(&mesh);
}

/* ---- memory ---- */

static lt_status build_all(const lt_tet_mesh *mesh, const lt_allocator *allocator, lt_error *error) {
    lt_tet_adjacency a;
    lt_tet_boundary b = {.vertex_nodes = NULL};
    lt_surface_adjacency s = {.edges = NULL};
    lt_status status = lt_tet_adjacency_build(&a, mesh, allocator, error);
    if (status == LT_OK) status = lt_tet_boundary_build(&b, mesh, &a, allocator, error);
    if (status == LT_OK) status = lt_surface_adjacency_build(&s, &b.surface, allocator, error);
    lt_surface_adjacency_free(&s);
    lt_tet_boundary_free(&b);
    lt_tet_adjacency_free(&a);
    return status;
}

static void memory_runs_out_cleanly(void) {
    lt_tet_mesh mesh = cut_cubes(2);
    int grants = 0;
    for (lt_status status = LT_STATUS_MEMORY; status != LT_OK && grants < 100; grants++) {
        scarce_memory memory = {.grants = grants};
        lt_allocator allocator = scarce_allocator(&memory);
        lt_error error = {LT_OK, ""};
        status = build_all(&mesh, &allocator, &error);
        CHECK(status == LT_OK || (status == LT_STATUS_MEMORY && error.status == status));
        CHECK(scarce_is_whole(&memory));
    }
    CHECK(grants > 20 && grants < 100);
    lt_tet_mesh_free(&mesh);
}

int main(void) {
    RUN(box_by_hand);
    RUN(holes_and_turned_triangles_show);
    RUN(sheets_and_segments_are_not_closed);
    RUN(boxes_apart_and_joined);
    RUN(random_soups);
    RUN(regular_tet_measures);
    RUN(cut_cube_by_hand);
    RUN(boundary_encloses_the_mesh);
    RUN(random_tet_soups);
    RUN(face_with_three_tets);
    RUN(memory_runs_out_cleanly);
    return check_finish();
}
