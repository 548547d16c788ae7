/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The parts of enclosing, each against numbers that follow by hand or a brute-force oracle. */

#include "bake/adjacency.h"
#include "bake/cap_holes.h"
#include "bake/inside.h"
#include "bake/lattice.h"
#include "check.h"
#include "core/random.h"
#include "enclose_shapes.h"
#include "mesh/exact.h"

static lt_dvec3 random_point(lt_random *random, double lo, double hi) {
    lt_dvec3 p;
    p.x = lt_random_range(random, (float)lo, (float)hi);
    p.y = lt_random_range(random, (float)lo, (float)hi);
    p.z = lt_random_range(random, (float)lo, (float)hi);
    return p;
}

static bool make_lattice(lt_lattice *l, double size) {
    return lt_lattice_place(l, (lt_box){{-1, -1, -1}, {1, 1, 1}}, size);
}

/* Twelve tets of a twelfth of a cube each, whose neighbours have them as neighbours. */
static void tets_of_a_cube_fit(void) {
    lt_lattice_type types[LT_LATTICE_TYPES];
    lt_lattice l;
    lt_lattice_types(types);
    CHECK_FATAL(make_lattice(&l, 0.5));
    uint32_t middle = lt_lattice_cube(&l, 2, 3, 2);
    for (uint32_t t = 0; t < LT_LATTICE_TYPES; t++) {
        lt_dvec3 x[4];
        lt_lattice_tet_positions(&l, types, LT_LATTICE_TYPES * middle + t, x);
        CHECK_NEAR(lt_tet_volume(x[0], x[1], x[2], x[3]), 0.125 / 12.0, 1e-15);
        for (int k = 0; k < 4; k++) {
            const lt_lattice_type *other = &types[types[t].neighbour_types[k]];
            int back = 0;
            for (int j = 0; j < 4; j++) {
                bool is_opposite = other->neighbour_types[j] == t;
                for (int axis = 0; axis < 3; axis++)
                    is_opposite &= other->neighbour_cubes[j][axis] == -types[t].neighbour_cubes[k][axis];
                back += is_opposite;
            }
            CHECK_COUNT(back, 1);
        }
    }
}

static void points_are_located(void) {
    lt_lattice_type types[LT_LATTICE_TYPES];
    lt_lattice l;
    lt_random random = lt_random_seed(3);
    lt_lattice_types(types);
    CHECK_FATAL(make_lattice(&l, 0.37));
    for (int i = 0; i < 500; i++) {
        lt_dvec3 p = random_point(&random, -1, 1), x[4];
        double slack;
        uint32_t tet = lt_lattice_locate(&l, p, &slack);
        lt_lattice_tet_positions(&l, types, tet, x);
        CHECK(lt_exact_point_tet(p, x));
        CHECK(slack >= 0.0 && slack <= 0.5);
    }
}

typedef struct touch_set {
    uint8_t *marks;
    uint32_t count;
} touch_set;

static bool note(void *context, uint32_t triangle, uint32_t tet) {
    touch_set *set = context;
    (void)triangle;
    set->count += !set->marks[tet];
    set->marks[tet] = 1;
    return true;
}

/* Small, large, flat and lattice-aligned triangles against an exact test of every tet. */
static void touching_tets_are_all_found(void) {
    lt_lattice_type types[LT_LATTICE_TYPES];
    lt_lattice l;
    lt_surface s;
    lt_random random = lt_random_seed(4);
    lt_lattice_types(types);
    CHECK_FATAL(make_lattice(&l, 1.0));
    CHECK_FATAL(lt_surface_allocate(&s, 3, 1, NULL, NULL) == LT_OK);
    uint32_t tet_count = LT_LATTICE_TYPES * l.cube_count;
    touch_set set = {LT_NEW(NULL, tet_count, uint8_t), 0};
    for (uint32_t i = 0; i < 20 && set.marks; i++) {
        double size = i % 4 == 0 ? 0.01 : 1.0;
        for (uint32_t k = 0; k < 3; k++) {
            lt_dvec3 p = lt_d3_scale(random_point(&random, -1, 1), size);
            if (i % 4 == 2) p = lt_d3_make(floor(2 * p.x) / 2, floor(2 * p.y) / 2, floor(2 * p.z) / 2);
            if (i % 4 == 3) p = lt_d3_make(p.x, p.x, 0.5 * p.x);
            s.positions[k] = lt_v3_from_d3(p);
            s.triangles[k] = k;
        }
        memset(set.marks, 0, tet_count);
        set.count = 0;
        CHECK(lt_lattice_each_touch(&l, types, &s, note, &set));
        lt_dvec3 corners[3], x[4];
        lt_triangle_corners(&s, 0, corners);
        uint32_t expected = 0, missed = 0;
        for (uint32_t tet = 0; tet < tet_count; tet++) {
            lt_lattice_tet_positions(&l, types, tet, x);
            bool touches = lt_exact_triangle_tet(corners, x);
            expected += touches;
            missed += touches && !set.marks[tet];
        }
        CHECK_COUNT(missed, 0);
        CHECK_COUNT(set.count, expected);
    }
    LT_DELETE(NULL, set.marks, tet_count, uint8_t);
    lt_surface_free(&s);
}

/* A cube of side 1 with walls in the middle of voxels of 0.1: 9^3 inside, 11^3 - 9^3 touched. */
static void voxels_of_a_cube_are_counted(void) {
    lt_surface box = {0};
    lt_solid solid;
    CHECK_FATAL(append_box(&box, (lt_vec3){0, 0, 0}, (lt_vec3){1, 1, 1}, 2));
    CHECK_FATAL(lt_solid_build(&solid, &box, NULL, NULL) == LT_OK);
    lt_voxels v = {.origin = {-0.25, -0.25, -0.25}, .size = 0.1, .counts = {15, 15, 15}};
    CHECK_FATAL(lt_voxels_build(&v, &solid, true, NULL, NULL) == LT_OK);
    uint32_t counts[5] = {0};
    for (size_t i = 0; i < v.count; i++)
        counts[v.classes[i]]++;
    CHECK_COUNT(counts[LT_VOXEL_INSIDE], 729);
    CHECK_COUNT(counts[LT_VOXEL_TOUCHED], 1331 - 729);
    CHECK_COUNT(v.inside_region_count, 1);
    CHECK_NEAR(v.solid_volume, 1.0, 0.03);
    CHECK(v.classes[lt_voxel_of(&v, lt_d3_make(0.5, 0.5, 0.5))] == LT_VOXEL_INSIDE);
    CHECK(v.classes[lt_voxel_of(&v, lt_d3_make(0.5, 0.5, 9.0))] == LT_VOXEL_OUTSIDE);
    lt_voxels_free(&v);
    lt_solid_free(&solid);
    lt_surface_free(&box);
}

/* A cube without one side: the cap makes it closed, and has the missing volume. */
static void holes_are_capped(void) {
    lt_surface box = {0}, capped;
    uint32_t *begins, cap_count;
    CHECK_FATAL(append_box(&box, (lt_vec3){0, 0, 0}, (lt_vec3){1, 1, 1}, 3));
    uint32_t whole = box.triangle_count, kept = 0;
    for (uint32_t t = 0; t < whole; t++) {
        const uint32_t *c = lt_triangle_at(&box, t);
        bool is_top = true;
        for (int k = 0; k < 3; k++)
            is_top &= box.positions[c[k]].y == 1.0f;
        if (!is_top) memmove(box.triangles + 3 * (size_t)kept++, c, 3 * sizeof(uint32_t));
    }
    box.triangle_count = kept;
    CHECK_FATAL(lt_cap_holes(&capped, &begins, &cap_count, &box, NULL, NULL) == LT_OK);
    CHECK_COUNT(cap_count, 1);
    CHECK_COUNT(begins[1] - begins[0], 12); /* three edges a side */
    CHECK_NEAR(lt_surface_volume(&capped), 1.0, 1e-6);
    lt_surface_adjacency adjacency;
    CHECK_FATAL(lt_surface_adjacency_build(&adjacency, &capped, NULL, NULL) == LT_OK);
    CHECK(adjacency.is_closed && adjacency.is_oriented);
    lt_surface_adjacency_free(&adjacency);
    LT_DELETE(NULL, begins, 2, uint32_t);
    lt_surface_free(&capped);
    box.triangle_count = whole;
    lt_surface_free(&box);
}

int main(void) {
    RUN(tets_of_a_cube_fit);
    RUN(points_are_located);
    RUN(touching_tets_are_all_found);
    RUN(voxels_of_a_cube_are_counted);
    RUN(holes_are_capped);
    return check_finish();
}
