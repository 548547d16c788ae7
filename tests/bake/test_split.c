/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Cutting at cells: every triangle in one cell, exactly; nothing lost, nothing opened. */

#include "bake/adjacency.h"
#include "bake/split.h"
#include "scenes/generate.h"

#include "bake/icosahedral.h"
#include "check.h"
#include "core/random.h"
#include "failing_allocator.h"

/* ---- what must hold of every cut surface ---- */

static lt_cell_grid grid_around(const lt_surface *surface, double cells_along) {
    lt_cell_grid grid;
    lt_box box = lt_surface_box(surface);
    lt_vec3 size = lt_v3_sub(box.hi, box.lo);
    double longest = (double)lt_max_f(size.x, lt_max_f(size.y, size.z));
    CHECK(lt_cell_grid_place(&grid, box, longest / cells_along, NULL) == LT_OK);
    return grid;
}

static bool triangle_is_in_its_cell(const lt_split *split, const lt_cell_grid *grid, uint32_t triangle) {
    const uint32_t *t = lt_triangle_at(&split->surface, triangle);
    for (int axis = 0; axis < 3; axis++) {
        uint32_t cell = lt_cell_place_along(split->places[triangle], axis);
        double lo = lt_cell_grid_plane(grid, axis, cell), hi = lt_cell_grid_plane(grid, axis, cell + 1);
        if (cell >= grid->counts[axis]) return false;
        for (int k = 0; k < 3; k++) {
            double x = (double)lt_v3_get(split->surface.positions[t[k]], axis);
            if (!(x >= lo && x <= hi)) return false;
        }
    }
    return true;
}

static lt_dvec3 area_vector(const lt_surface *surface, uint32_t triangle) {
    lt_dvec3 p[3];
    lt_triangle_corners(surface, triangle, p);
    return lt_d3_scale(lt_d3_cross(lt_d3_sub(p[1], p[0]), lt_d3_sub(p[2], p[0])), 0.5);
}

/* The vector areas of the parts of a triangle sum to its own; `size` is that of the whole surface. */
static void check_areas(const lt_split *split, const lt_surface *whole, double size) {
    uint32_t t = 0;
    for (uint32_t parent = 0; parent < whole->triangle_count; parent++) {
        lt_dvec3 sum = {0, 0, 0}, expected = area_vector(whole, parent);
        for (; t < split->surface.triangle_count && split->parents[t] == parent; t++)
            sum = lt_d3_add(sum, area_vector(&split->surface, t));
        CHECK_NEAR(lt_d3_distance(sum, expected), 0, 1e-6 * size * size);
    }
    CHECK_COUNT(t, split->surface.triangle_count); /* parents ascend, and all are there */
    double area = lt_surface_area(whole);
    CHECK_NEAR(lt_surface_area(&split->surface), area, 2e-5 * area);
}

static void check_topology(const lt_split *split, const lt_surface *whole) {
    lt_surface_adjacency before, after;
    CHECK_FATAL(lt_surface_adjacency_build(&before, whole, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_surface_adjacency_build(&after, &split->surface, NULL, NULL) == LT_OK);
    CHECK(before.is_closed == after.is_closed);
    CHECK(before.is_oriented == after.is_oriented);
    CHECK_COUNT(before.component_count, after.component_count);
    /* Euler's number of all pieces together */
    long was = (long)whole->vertex_count - (long)before.edge_count + (long)whole->triangle_count;
    long is =
        (long)split->surface.vertex_count - (long)after.edge_count + (long)split->surface.triangle_count;
    CHECK(was == is);
    lt_surface_adjacency_free(&before);
    lt_surface_adjacency_free(&after);
}

static void check_split_in(const lt_surface *surface, const lt_cell_grid *grid) {
    lt_split split;
    lt_error error = {0};
    CHECK(lt_split_build(&split, surface, grid, NULL, &error) == LT_OK);
    CHECK_FATAL(split.surface.triangle_count >= surface->triangle_count);
    CHECK(lt_surface_check(&split.surface, "split", NULL) == LT_OK);
    uint32_t outside = 0;
    for (uint32_t t = 0; t < split.surface.triangle_count; t++)
        outside += !triangle_is_in_its_cell(&split, grid, t);
    CHECK_COUNT(outside, 0);
    CHECK(memcmp(split.surface.positions, surface->positions, surface->vertex_count * sizeof(lt_vec3)) == 0);
    lt_box box = lt_surface_box(surface);
    check_areas(&split, surface, (double)lt_v3_distance(box.lo, box.hi));
    check_topology(&split, surface);
    lt_split_free(&split);
}

static void check_split(lt_surface *surface, double cells_along) {
    lt_cell_grid grid = grid_around(surface, cells_along);
    check_split_in(surface, &grid);
    lt_surface_free(surface);
}

/* ---- generated shapes ---- */

static void shapes_stay_whole(void) {
    lt_surface s;
    CHECK_FATAL(lt_generate_teapot(&s, 6, NULL, NULL) == LT_OK);
    check_split(&s, 9);
    CHECK_FATAL(lt_generate_teapot_solid(&s, 4000, NULL, NULL) == LT_OK);
    check_split(&s, 12.3);
    CHECK_FATAL(lt_generate_letter(&s, 'R', 1500, NULL, NULL) == LT_OK);
    check_split(&s, 3.7);
    lt_torus_knot_params knot = lt_torus_knot_params_default();
    CHECK_FATAL(lt_generate_torus_knot(&s, &knot, NULL, NULL) == LT_OK);
    check_split(&s, 7);
    CHECK_FATAL(lt_generate_icosphere(&s, 1, 2, NULL, NULL) == LT_OK);
    check_split(&s, 40); /* cells smaller than triangles */
}

/* ---- planes that meet the surface ---- */

/* A grid with planes at multiples of `size` around [-half, half]. */
static lt_cell_grid even_grid(double size, uint32_t count) {
    double lo = -0.5 * count * size;
    return (lt_cell_grid){.origin = {lo, lo, lo}, .size = size, .counts = {count, count, count}};
}

/* Vertices at the poles, edges in the planes of symmetry. */
static void a_sphere_on_the_planes(void) {
    lt_surface s;
    lt_cell_grid grid = even_grid(0.5, 4);
    CHECK_FATAL(lt_generate_icosphere(&s, 1, 3, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < s.vertex_count; i++) {
        lt_vec3 *p = &s.positions[i];
        *p = (lt_vec3){lt_clamp_f(p->x, -1, 1), lt_clamp_f(p->y, -1, 1), lt_clamp_f(p->z, -1, 1)};
    }
    check_split_in(&s, &grid);
    lt_surface_free(&s);
}

/* All triangles lie in planes of the grid: no cut but those across, and every one is behind its plane. */
static void a_box_in_the_planes_is_held_by_the_cells_inside(void) {
    lt_surface s;
    lt_split split;
    const uint32_t divisions[3] = {2, 3, 1};
    lt_cell_grid grid = even_grid(0.5, 8);
    CHECK_FATAL(lt_generate_box(&s, (lt_vec3){1, 1, 1}, divisions, NULL, NULL) == LT_OK);
    check_split_in(&s, &grid);
    CHECK_FATAL(lt_split_build(&split, &s, &grid, NULL, NULL) == LT_OK);
    for (uint32_t t = 0; t < split.surface.triangle_count; t++)
        for (int axis = 0; axis < 3; axis++) {
            uint32_t cell = lt_cell_place_along(split.places[t], axis);
            CHECK(cell >= 2 && cell <= 5);
        }
    lt_split_free(&split);
    lt_surface_free(&s);
}

/* Two triangles, back to back, in a plane of the grid: each goes behind itself. */
static void triangles_in_a_plane_go_behind_it(void) {
    lt_vec3 positions[3] = {{0.1f, 0.1f, 0}, {0.4f, 0.1f, 0}, {0.1f, 0.4f, 0}};
    uint32_t triangles[6] = {0, 1, 2, 0, 2, 1};
    lt_surface s = {.positions = positions, .triangles = triangles, .vertex_count = 3, .triangle_count = 2};
    lt_cell_grid grid = even_grid(0.5, 2);
    lt_split split;
    CHECK_FATAL(lt_split_build(&split, &s, &grid, NULL, NULL) == LT_OK);
    CHECK_COUNT(split.surface.triangle_count, 2);
    CHECK_COUNT(lt_cell_place_along(split.places[0], 2), 0);
    CHECK_COUNT(lt_cell_place_along(split.places[1], 2), 1);
    lt_split_free(&split);
    for (int k = 0; k < 3; k++) /* on the last plane there is nothing above, on the first nothing below */
        positions[k].z = 0.5f;
    CHECK_FATAL(lt_split_build(&split, &s, &grid, NULL, NULL) == LT_OK);
    CHECK_COUNT(lt_cell_place_along(split.places[0], 2), 1);
    CHECK_COUNT(lt_cell_place_along(split.places[1], 2), 1);
    lt_split_free(&split);
    for (int k = 0; k < 3; k++)
        positions[k].z = -0.5f;
    CHECK_FATAL(lt_split_build(&split, &s, &grid, NULL, NULL) == LT_OK);
    CHECK_COUNT(lt_cell_place_along(split.places[0], 2), 0);
    CHECK_COUNT(lt_cell_place_along(split.places[1], 2), 0);
    lt_split_free(&split);
}

/* By hand: legs 1 along x and y, planes at x = 0.5 and y = 0.5. x cuts it into a triangle and a quad (2 triangles),
 * y cuts off the tip of the quad. */
static void one_triangle_by_hand(void) {
    lt_vec3 positions[3] = {{0, 0, 0.25f}, {1, 0, 0.25f}, {0, 1, 0.25f}};
    uint32_t triangles[3] = {0, 1, 2};
    lt_surface s = {.positions = positions, .triangles = triangles, .vertex_count = 3, .triangle_count = 1};
    lt_cell_grid grid = {.size = 0.5, .counts = {2, 2, 2}};
    lt_split split;
    double areas[4] = {0};
    CHECK_FATAL(lt_split_build(&split, &s, &grid, NULL, NULL) == LT_OK);
    for (uint32_t t = 0; t < split.surface.triangle_count; t++) {
        lt_dvec3 area = area_vector(&split.surface, t);
        areas[lt_cell_place_along(split.places[t], 0) + 2 * lt_cell_place_along(split.places[t], 1)] +=
            area.z;
        CHECK(area.z >= 0);
    }
    CHECK_NEAR(areas[0], 0.25, 0);
    CHECK_NEAR(areas[1], 0.125, 0);
    CHECK_NEAR(areas[2], 0.125, 0);
    CHECK_NEAR(areas[3], 0, 0);
    lt_split_free(&split);
}

/* Only repair drops such; here they must do no harm. */
static void triangles_that_name_a_vertex_twice_vanish(void) {
    lt_vec3 positions[3] = {{-0.9f, 0, 0.1f}, {0.9f, 0.1f, 0.2f}, {0, 0.9f, 0.3f}};
    uint32_t triangles[12] = {0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 2};
    lt_surface s = {.positions = positions, .triangles = triangles, .vertex_count = 3, .triangle_count = 4};
    lt_cell_grid grid = even_grid(0.5, 4);
    lt_split split;
    CHECK_FATAL(lt_split_build(&split, &s, &grid, NULL, NULL) == LT_OK);
    CHECK(split.parents[0] == 3);
    CHECK_NEAR(lt_surface_area(&split.surface), lt_surface_area(&s), 1e-6);
    lt_split_free(&split);
}

/* ---- random triangles ---- */

static bool has_corners(const uint32_t *t, uint32_t a, uint32_t b, uint32_t c) {
    int found = 0;
    for (int k = 0; k < 3; k++)
        found += t[k] == a || t[k] == b || t[k] == c;
    return found == 3;
}

/* A soup with shared vertices, many of them exactly on planes, edges and corners of the grid. No two
 * triangles have the same corners: their fans would share edges, and Euler's number would not stay. */
static void random_soup(lt_surface *s, lt_random *random, uint32_t vertices, uint32_t triangles) {
    CHECK_FATAL(lt_surface_allocate(s, vertices, triangles, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < vertices; i++) {
        float p[3];
        for (int axis = 0; axis < 3; axis++) {
            p[axis] = lt_random_range(random, -1, 1);
            if (lt_random_below(random, 3) == 0) p[axis] = 0.25f * (float)(int)lt_random_below(random, 9) - 1;
        }
        s->positions[i] = (lt_vec3){p[0], p[1], p[2]};
    }
    for (uint32_t t = 0; t < triangles;) {
        uint32_t a = lt_random_below(random, vertices), half = vertices / 2;
        uint32_t b = (a + 1 + lt_random_below(random, half - 1)) % vertices;
        uint32_t c = (a + half + lt_random_below(random, half)) % vertices;
        bool is_new = true;
        for (uint32_t i = 0; i < t; i++)
            is_new &= !has_corners(lt_triangle_at(s, i), a, b, c);
        if (!is_new) continue;
        s->triangles[3 * t] = a;
        s->triangles[3 * t + 1] = b;
        s->triangles[3 * t++ + 2] = c;
    }
}

static void random_soups_stay_whole(void) {
    lt_random random = lt_random_seed(6);
    lt_cell_grid grid = even_grid(0.25, 8);
    for (int round = 0; round < 30; round++) {
        lt_surface s;
        random_soup(&s, &random, 24, 30);
        check_split_in(&s, &grid);
        lt_surface_free(&s);
    }
}

/* ---- grids ---- */

static void planes_are_floats_around_the_box(void) {
    lt_random random = lt_random_seed(7);
    for (int round = 0; round < 2000; round++) {
        double scale = ldexp(1, (int)lt_random_below(&random, 60) - 30);
        lt_vec3 lo, size;
        float away = (float)scale * (float)lt_random_below(&random, 100);
        lo = (lt_vec3){away * lt_random_unit(&random), -away * lt_random_unit(&random), 0};
        size = (lt_vec3){(float)scale * lt_random_unit(&random), (float)scale, 0};
        lt_box box = {lo, lt_v3_add(lo, size)};
        lt_cell_grid grid;
        double wanted = scale * (double)lt_random_range(&random, 0.02f, 3);
        CHECK_FATAL(lt_cell_grid_place(&grid, box, wanted, NULL) == LT_OK);
        CHECK(grid.size >= wanted && grid.size <= 1.01 * wanted);
        for (int axis = 0; axis < 3; axis++) {
            CHECK(lt_cell_grid_plane(&grid, axis, 0) <= (double)lt_v3_get(box.lo, axis));
            CHECK(lt_cell_grid_plane(&grid, axis, grid.counts[axis]) >= (double)lt_v3_get(box.hi, axis));
            for (uint32_t k = 0; k <= grid.counts[axis]; k++) {
                double plane = lt_cell_grid_plane(&grid, axis, k);
                CHECK((double)(float)plane == plane);
                CHECK(lt_cell_grid_level(&grid, axis, (float)plane) == 2 * k);
                if (k < grid.counts[axis])
                    CHECK(lt_cell_grid_level(&grid, axis, nextafterf((float)plane, INFINITY)) == 2 * k + 1);
                if (k > 0)
                    CHECK(lt_cell_grid_level(&grid, axis, nextafterf((float)plane, -INFINITY)) == 2 * k - 1);
            }
        }
    }
}

static void grids_that_cannot_be_are_refused(void) {
    lt_box box = {{0, 0, 0}, {1, 1, 1}}, far = {{1e6f, 0, 0}, {1e6f + 1, 1, 1}};
    lt_cell_grid grid;
    lt_error error;
    CHECK(lt_cell_grid_place(&grid, box, 1e-3, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "larger cells");
    CHECK(lt_cell_grid_place(&grid, box, 0, &error) == LT_STATUS_INVALID);
    CHECK(lt_cell_grid_place(&grid, box, (double)NAN, &error) == LT_STATUS_INVALID);
    CHECK(lt_cell_grid_place(&grid, far, 0.1, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "origin");
    lt_surface s;
    lt_split split;
    grid = even_grid(0.5, 2);
    CHECK_FATAL(lt_generate_icosphere(&s, 1, 1, NULL, NULL) == LT_OK);
    CHECK(lt_split_build(&split, &s, &grid, NULL, &error) == LT_STATUS_INVALID);
    CHECK(split.surface.positions == NULL);
    lt_surface_free(&s);
}

static void failing_memory_leaks_nothing(void) {
    lt_surface s;
    lt_split split;
    lt_cell_grid grid = even_grid(0.3125, 8);
    CHECK_FATAL(lt_generate_icosphere(&s, 1, 1, NULL, NULL) == LT_OK);
    for (int allowed = 0;; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_error error = {0};
        lt_status status = lt_split_build(&split, &s, &grid, &allocator, &error);
        if (status == LT_OK) lt_split_free(&split);
        CHECK(f.blocks_out == 0 && f.bytes_out == 0);
        if (status == LT_OK) break;
        CHECK(status == LT_STATUS_MEMORY);
        CHECK_FATAL(allowed < 1000);
    }
    lt_surface_free(&s);
}

int main(void) {
    RUN(shapes_stay_whole);
    RUN(a_sphere_on_the_planes);
    RUN(a_box_in_the_planes_is_held_by_the_cells_inside);
    RUN(triangles_in_a_plane_go_behind_it);
    RUN(one_triangle_by_hand);
    RUN(triangles_that_name_a_vertex_twice_vanish);
    RUN(random_soups_stay_whole);
    RUN(planes_are_floats_around_the_box);
    RUN(grids_that_cannot_be_are_refused);
    RUN(failing_memory_leaks_nothing);
    return check_finish();
}
