/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Generated tet meshes: conforming faces, positive volumes, total volume against closed forms. */

#include "bake/adjacency.h"
#include "bake/icosahedral.h"
#include "generate_checks.h"
#include "scenes/trigonometry.h"

typedef struct face {
    uint32_t corners[3]; /* ascending */
    int turn;            /* +1 or -1: the parity of the outward order */
} face;

static int compare_faces(const void *a, const void *b) {
    const uint32_t *x = ((const face *)a)->corners, *y = ((const face *)b)->corners;
    for (int k = 0; k < 3; k++)
        if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
    return 0;
}

static face face_of(const uint32_t *tet, int opposite) {
    static const uint8_t outward[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    face f = {{tet[outward[opposite][0]], tet[outward[opposite][1]], tet[outward[opposite][2]]}, 1};
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 2; k++)
            if (f.corners[k] > f.corners[k + 1]) {
                uint32_t swap = f.corners[k];
                f.corners[k] = f.corners[k + 1], f.corners[k + 1] = swap, f.turn = -f.turn;
            }
    return f;
}

/* Each face once (on the boundary) or twice with opposite sides; every node used. Returns the boundary area,
 * which catches faces that match by number but not in space: then too many would be left over. */
static double check_conforming(const lt_tet_mesh *m, const char *name) {
    lt_error error = {0};
    if (lt_tet_mesh_check(m, name, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    uint32_t face_count = 4 * m->tet_count, bad = 0, boundary = 0;
    face *faces = malloc(face_count * sizeof(face));
    uint8_t *used = calloc(m->node_count, 1);
    for (uint32_t i = 0; i < face_count; i++) {
        faces[i] = face_of(lt_tet_at(m, i / 4), i % 4);
        used[m->tets[i]] = 1;
    }
    qsort(faces, face_count, sizeof(face), compare_faces);
    double area = 0.0;
    for (uint32_t i = 0; i < face_count;) {
        uint32_t end = i + 1;
        while (end < face_count && compare_faces(faces + i, faces + end) == 0)
            end++;
        bad += end - i > 2 || (end - i == 2 && faces[i].turn == faces[i + 1].turn);
        const uint32_t *c = faces[i].corners;
        lt_dvec3 a = m->positions[c[0]], b = m->positions[c[1]], d = m->positions[c[2]];
        if (end - i == 1) area += 0.5 * lt_d3_length(lt_d3_cross(lt_d3_sub(b, a), lt_d3_sub(d, a)));
        boundary += end - i == 1;
        i = end;
    }
    uint32_t unused = 0;
    for (uint32_t i = 0; i < m->node_count; i++)
        unused += !used[i];
    CHECK_COUNT(bad, 0);
    CHECK_COUNT(unused, 0);
    CHECK(boundary > 0);
    free(faces);
    free(used);
    return area;
}

static void block_fills_its_box(void) {
    static const uint32_t cells[][3] = {{1, 1, 1}, {2, 3, 4}, {5, 1, 2}, {4, 4, 4}};
    for (size_t i = 0; i < LT_COUNT_OF(cells); i++)
        for (int split = 0; split < 2; split++) {
            const uint32_t *n = cells[i];
            lt_tet_mesh block;
            CHECK_FATAL(lt_generate_tet_block(&block, lt_d3_make(1, 2, 3), n, (lt_tet_split)split, NULL,
                                              NULL) == LT_OK);
            CHECK_COUNT(block.tet_count, n[0] * n[1] * n[2] * (split == LT_TET_SPLIT_SIX ? 6 : 5));
            CHECK_COUNT(block.node_count, (n[0] + 1) * (n[1] + 1) * (n[2] + 1));
            CHECK_NEAR(check_conforming(&block, "block"), 22.0, 1e-12);
            CHECK_NEAR(lt_tet_mesh_volume(&block), 6.0, 1e-12);
            lt_dvec3 last = block.positions[block.node_count - 1];
            CHECK(last.x == 1.0 && last.y == 2.0 && last.z == 3.0);
            lt_tet_mesh_free(&block);
        }
}

static void plate_is_centred_and_one_cell_thick(void) {
    lt_tet_mesh plate;
    CHECK_FATAL(lt_generate_tet_plate(&plate, lt_d3_make(2, 0.1, 1), 8, NULL, NULL) == LT_OK);
    CHECK_COUNT(plate.tet_count, 8 * 4 * 5);
    CHECK_NEAR(check_conforming(&plate, "plate"), 2 * (2 + 0.2 + 0.1), 1e-12);
    CHECK_NEAR(lt_tet_mesh_volume(&plate), 0.2, 1e-12);
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < plate.node_count; i++)
        sum = lt_d3_add(sum, plate.positions[i]);
    CHECK_NEAR(lt_d3_length(sum), 0.0, 1e-12);
    lt_tet_mesh_free(&plate);
}

/* The ratio of a tet's volume to that of the regular tet with its mean squared edge: 1 at best. */
static double worst_quality(const lt_tet_mesh *m) {
    double worst = 1e300;
    for (uint32_t t = 0; t < m->tet_count; t++) {
        const uint32_t *v = lt_tet_at(m, t);
        double squares = 0.0;
        for (int a = 0; a < 4; a++)
            for (int b = a + 1; b < 4; b++)
                squares += lt_d3_length_squared(lt_d3_sub(m->positions[v[a]], m->positions[v[b]]));
        double edge = sqrt(squares / 6.0);
        double volume =
            lt_tet_volume(m->positions[v[0]], m->positions[v[1]], m->positions[v[2]], m->positions[v[3]]);
        worst = fmin(worst, volume * 6.0 * sqrt(2.0) / (edge * edge * edge));
    }
    return worst;
}

static void ball_is_the_inside_of_the_icosphere(void) {
    for (uint32_t s = 0; s <= 3; s++) {
        lt_tet_mesh ball;
        lt_surface sphere;
        uint32_t layers = 1u << s;
        CHECK_FATAL(lt_generate_tet_ball(&ball, 1.5, layers, NULL, NULL) == LT_OK);
        CHECK_FATAL(lt_generate_icosphere(&sphere, 1.5, s, NULL, NULL) == LT_OK);
        CHECK_COUNT(ball.tet_count, 20 * layers * layers * layers);
        CHECK_NEAR(check_conforming(&ball, "ball"), lt_surface_area(&sphere), 1e-4);
        CHECK_NEAR(lt_tet_mesh_volume(&ball), lt_surface_volume(&sphere), 1e-5);
        CHECK(worst_quality(&ball) > 0.35);
        lt_tet_mesh_free(&ball);
        lt_surface_free(&sphere);
    }
    lt_tet_mesh odd;
    CHECK_FATAL(lt_generate_tet_ball(&odd, 1.0, 7, NULL, NULL) == LT_OK);
    check_conforming(&odd, "ball of 7 layers");
    lt_tet_mesh_free(&odd);
}

static void torus_converges(void) {
    double before = 0.0;
    for (uint32_t segments = 24; segments <= 96; segments *= 2) {
        lt_tet_mesh torus;
        CHECK_FATAL(lt_generate_tet_torus(&torus, 1.0, 0.5, segments, NULL, NULL) == LT_OK);
        double area = check_conforming(&torus, "torus");
        CHECK_NEAR(area, 4.0 * LT_PI * LT_PI * 0.5, 30.0 / segments);
        double missing = 1.0 - lt_tet_mesh_volume(&torus) / (2.0 * LT_PI * LT_PI * 0.25);
        if (segments > 24) CHECK_NEAR(before / missing, 4.0, 0.2);
        CHECK(worst_quality(&torus) > 0.2);
        before = missing;
        lt_tet_mesh_free(&torus);
    }
    lt_tet_mesh least;
    CHECK_FATAL(lt_generate_tet_torus(&least, 1.0, 0.3, 3, NULL, NULL) == LT_OK);
    check_conforming(&least, "least torus");
    lt_tet_mesh_free(&least);
}

static double least_volume(const lt_tet_mesh *m) {
    double least = 1e300;
    for (uint32_t t = 0; t < m->tet_count; t++) {
        const uint32_t *v = lt_tet_at(m, t);
        least = fmin(least, lt_tet_volume(m->positions[v[0]], m->positions[v[1]], m->positions[v[2]],
                                          m->positions[v[3]]));
    }
    return least;
}

/* Filled blades have the vertices of the hollow ones, a closed boundary each, and an area that differs by the
 * diagonals alone. */
static void check_grass(const lt_grass_params *params) {
    lt_tet_mesh grass;
    lt_surface hollow;
    lt_tet_boundary boundary;
    CHECK_FATAL(lt_generate_tet_grass(&grass, params, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_generate_grass(&hollow, params, NULL, NULL) == LT_OK);
    CHECK_COUNT(grass.tet_count, params->blade_count * (3 * params->segments - 2));
    CHECK_COUNT(grass.node_count, hollow.vertex_count);
    uint32_t different = 0;
    for (uint32_t i = 0; i < grass.node_count; i++)
        different += lt_v3_distance(lt_v3_from_d3(grass.positions[i]), hollow.positions[i]) > 0.0f;
    CHECK_COUNT(different, 0);
    CHECK(least_volume(&grass) > 0.0);
    CHECK_NEAR(check_conforming(&grass, "tet grass") / lt_surface_area(&hollow), 1.0, 0.01);
    CHECK_NEAR(lt_tet_mesh_volume(&grass) / lt_surface_volume(&hollow), 1.0, 0.1);
    CHECK_FATAL(lt_tet_boundary_of(&boundary, &grass, NULL, NULL) == LT_OK);
    check_solid(&boundary.surface, "boundary of tet grass", 2 * (int)params->blade_count,
                params->blade_count);
    CHECK_COUNT(boundary.surface.triangle_count, hollow.triangle_count);
    lt_tet_boundary_free(&boundary);
    lt_surface_free(&hollow);
    lt_tet_mesh_free(&grass);
}

static void grass_is_filled_blade_by_blade(void) {
    lt_grass_params params = lt_grass_params_default();
    for (int even = 0; even < 2; even++)
        for (params.segments = 1; params.segments <= 5; params.segments += 2) {
            params.even = even == 1;
            check_grass(&params);
        }
}

/* 17 blades on a grid of 5 by 5 cells of side 0.2: the middle of every root is in its own cell, and at least
 * 0.15 of a cell from its sides. */
static void even_grass_has_a_root_in_each_cell(void) {
    lt_grass_params params = lt_grass_params_default();
    lt_tet_mesh grass;
    params.blade_count = 17;
    params.even = true;
    CHECK_FATAL(lt_generate_tet_grass(&grass, &params, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < 17; i++) {
        const lt_dvec3 *ring = grass.positions + (size_t)i * (3 * params.segments + 1);
        lt_dvec3 root = lt_d3_scale(lt_d3_add(ring[0], ring[1]), 0.5);
        CHECK_NEAR(root.x, ((double)(i % 5) - 2.0) * 0.2, 0.0701);
        CHECK_NEAR(root.z, ((double)(i / 5) - 2.0) * 0.2, 0.0701);
        CHECK(ring[0].y == 0.0 && ring[1].y == 0.0 && ring[2].y == 0.0);
    }
    lt_tet_mesh_free(&grass);
}

/* One ring that leaves the holes of the knot open: its boundary is a torus of twelve triangles a segment, its volume that of
 * hexagons along the curve, but for what the chords cut off. */
static void knot_is_filled_along_its_tube(void) {
    lt_torus_knot_params params = lt_torus_knot_params_default();
    double length = 0.0, before = 0.0;
    for (int i = 0; i < 1000; i++) { /* of |c'|; evenly spaced points of a period are all it takes */
        double reach = 1.0 + 0.45 * cos(0.002 * LT_PI * 3 * i);
        length += 0.002 * LT_PI * sqrt(1.35 * 1.35 + 4.0 * reach * reach);
    }
    params.tube_radius = 0.3;
    for (uint32_t segments = 31; segments <= 124; segments *= 2) {
        lt_tet_mesh knot;
        lt_tet_boundary boundary;
        CHECK_FATAL(lt_generate_tet_torus_knot(&knot, &params, segments, NULL, NULL) == LT_OK);
        CHECK_COUNT(knot.tet_count, 18 * segments);
        CHECK_COUNT(knot.node_count, 7 * segments);
        check_conforming(&knot, "tet knot");
        CHECK_FATAL(lt_tet_boundary_of(&boundary, &knot, NULL, NULL) == LT_OK);
        check_solid(&boundary.surface, "boundary of tet knot", 0, 1);
        CHECK_COUNT(boundary.surface.triangle_count, 12 * segments);
        double missing = 1.0 - lt_tet_mesh_volume(&knot) / (length * 1.5 * sqrt(3.0) * 0.09);
        CHECK(missing > 0.0 && missing < 0.045);
        if (segments > 31) CHECK(missing < 0.4 * before);
        CHECK(worst_quality(&knot) > (segments < 62 ? 0.35 : 0.2));
        before = missing;
        lt_tet_boundary_free(&boundary);
        lt_tet_mesh_free(&knot);
    }
}

static void same_bits_everywhere(void) {
    lt_tet_mesh ball;
    CHECK_FATAL(lt_generate_tet_ball(&ball, 1.0, 4, NULL, NULL) == LT_OK);
    CHECK_COUNT(hash_tet_mesh(&ball), 4567050142412335020u);
    lt_tet_mesh_free(&ball);
    lt_tet_mesh torus;
    CHECK_FATAL(lt_generate_tet_torus(&torus, 1.0, 0.4, 20, NULL, NULL) == LT_OK);
    CHECK_COUNT(hash_tet_mesh(&torus), 10574036930478298396u);
    lt_tet_mesh_free(&torus);
    lt_torus_knot_params params = lt_torus_knot_params_default();
    lt_tet_mesh knot;
    CHECK_FATAL(lt_generate_tet_torus_knot(&knot, &params, 31, NULL, NULL) == LT_OK);
    CHECK_COUNT(hash_tet_mesh(&knot), 5840036555201840479u);
    lt_tet_mesh_free(&knot);
}

static void bad_arguments_are_refused(void) {
    lt_tet_mesh m;
    lt_error error;
    CHECK_COUNT(lt_generate_tet_block(&m, lt_d3_make(1, 1, 1), (uint32_t[3]){1, 1, 513}, LT_TET_SPLIT_SIX,
                                      NULL, &error),
                LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "cells");
    CHECK(m.positions == NULL);
    CHECK_COUNT(
        lt_generate_tet_block(&m, lt_d3_make(1, 1, 1), (uint32_t[3]){1, 1, 1}, (lt_tet_split)2, NULL, &error),
        LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "split");
    CHECK_COUNT(lt_generate_tet_plate(&m, lt_d3_make(1, -1, 1), 4, NULL, NULL), LT_STATUS_INVALID);
    CHECK_COUNT(lt_generate_tet_ball(&m, 1.0, 0, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "layers");
    CHECK_COUNT(lt_generate_tet_torus(&m, 0.5, 1.0, 8, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "minor radius");
    lt_grass_params grass = lt_grass_params_default();
    grass.segments = 65;
    CHECK_COUNT(lt_generate_tet_grass(&m, &grass, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "segments");
    CHECK(m.positions == NULL);
    lt_torus_knot_params knot = lt_torus_knot_params_default();
    CHECK_COUNT(lt_generate_tet_torus_knot(&m, &knot, 2, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "segments");
    CHECK_COUNT(lt_generate_tet_torus_knot(&m, &knot, 5, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "too few");
    CHECK(m.positions == NULL && m.node_count == 0);
    knot.tube_radius = 0.5;
    CHECK_COUNT(lt_generate_tet_torus_knot(&m, &knot, 31, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "touches itself");
}

static void failing_memory_leaves_nothing(void) {
    lt_tet_mesh m;
    lt_grass_params grass = lt_grass_params_default();
    const uint32_t cells[3] = {1, 2, 1};
    CHECK_SURVIVES_FAILING_MEMORY(
        m, lt_generate_tet_block(&m, lt_d3_make(1, 1, 1), cells, LT_TET_SPLIT_FIVE, allocator, NULL),
        lt_tet_mesh_free);
    CHECK_SURVIVES_FAILING_MEMORY(m, lt_generate_tet_plate(&m, lt_d3_make(1, 1, 1), 2, allocator, NULL),
                                  lt_tet_mesh_free);
    CHECK_SURVIVES_FAILING_MEMORY(m, lt_generate_tet_ball(&m, 1.0, 2, allocator, NULL), lt_tet_mesh_free);
    CHECK_SURVIVES_FAILING_MEMORY(m, lt_generate_tet_torus(&m, 1.0, 0.5, 6, allocator, NULL),
                                  lt_tet_mesh_free);
    CHECK_SURVIVES_FAILING_MEMORY(m, lt_generate_tet_grass(&m, &grass, allocator, NULL), lt_tet_mesh_free);
    lt_torus_knot_params knot = lt_torus_knot_params_default();
    CHECK_SURVIVES_FAILING_MEMORY(m, lt_generate_tet_torus_knot(&m, &knot, 31, allocator, NULL),
                                  lt_tet_mesh_free);
}

int main(void) {
    RUN(block_fills_its_box);
    RUN(plate_is_centred_and_one_cell_thick);
    RUN(ball_is_the_inside_of_the_icosphere);
    RUN(torus_converges);
    RUN(grass_is_filled_blade_by_blade);
    RUN(even_grass_has_a_root_in_each_cell);
    RUN(knot_is_filled_along_its_tube);
    RUN(same_bits_everywhere);
    RUN(bad_arguments_are_refused);
    RUN(failing_memory_leaves_nothing);
    return check_finish();
}
