/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What must hold of every sphere tree, whatever made it. */

#ifndef LITHE_TESTS_BAKE_SPHERE_CHECKS_H
#define LITHE_TESTS_BAKE_SPHERE_CHECKS_H

#include "bake/rest_tree.h"
#include "bake/sphere_pieces.h"
#include "check.h"
#include "core/random.h"

static inline lt_sphere_options quick_options(lt_sphere_method method) {
    lt_sphere_options options = lt_sphere_options_default();
    options.method = method;
    options.depth = 2;
    options.cells = 10;
    options.samples = 200;
    options.trials = 0;
    return options;
}

static inline double area_of(const lt_dvec3 t[3]) {
    return 0.5 * lt_d3_length(lt_d3_cross(lt_d3_sub(t[1], t[0]), lt_d3_sub(t[2], t[0])));
}

/* Breadth first, children in a row and linked both ways, levels where level_begin says. */
static inline void check_structure(const lt_rest_tree *tree) {
    CHECK_FATAL(tree->sphere_count > 0 && tree->level_count > 0 && tree->level_count <= LT_SPHERE_LEVELS_MAX);
    CHECK(tree->spheres[0].parent == LT_NONE && tree->spheres[0].level == 0);
    CHECK_COUNT(tree->level_begin[0], 0);
    CHECK_COUNT(tree->level_begin[tree->level_count], tree->sphere_count);
    uint32_t next = 1;
    for (uint32_t i = 0; i < tree->sphere_count; i++) {
        const lt_rest_sphere *sphere = &tree->spheres[i];
        CHECK(sphere->child_count <= tree->branching);
        CHECK(sphere->level < tree->level_count && i >= tree->level_begin[sphere->level] &&
              i < tree->level_begin[sphere->level + 1]);
        if (sphere->child_count > 0) CHECK_COUNT(sphere->first_child, next);
        for (uint32_t k = 0; k < sphere->child_count; k++, next++) {
            CHECK_FATAL(next < tree->sphere_count);
            CHECK_COUNT(tree->spheres[next].parent, i);
            CHECK_COUNT(tree->spheres[next].level, sphere->level + 1);
        }
    }
    CHECK_COUNT(next, tree->sphere_count);
}

/* Pieces by leaf, each inside its leaf and everything above it; their areas make up each triangle's. */
static inline void check_pieces(const lt_rest_tree *tree, const lt_surface *surface) {
    double *left = calloc(surface->triangle_count, sizeof(double)),
           *areas = calloc(tree->sphere_count, sizeof(double));
    uint32_t outside_count = 0, unsorted_count = 0;
    CHECK_FATAL(left && areas);
    for (uint32_t i = 0; i < tree->piece_count; i++) {
        const lt_sphere_piece *piece = &tree->pieces[i];
        lt_dvec3 t[3];
        CHECK_FATAL(piece->triangle < surface->triangle_count && piece->leaf < tree->sphere_count);
        CHECK(tree->spheres[piece->leaf].child_count == 0);
        unsorted_count += i > 0 && piece->leaf < tree->pieces[i - 1].leaf;
        lt_sphere_piece_corners(surface, piece, t);
        left[piece->triangle] += area_of(t);
        for (uint32_t s = piece->leaf; s != LT_NONE; s = tree->spheres[s].parent) {
            areas[s] += area_of(t);
            for (int k = 0; k < 3; k++)
                outside_count += !(lt_d3_distance(t[k], tree->spheres[s].center) <= tree->spheres[s].radius);
        }
    }
    CHECK_COUNT(outside_count, 0);
    CHECK_COUNT(unsorted_count, 0);
    for (uint32_t i = 0; i < surface->triangle_count; i++) {
        lt_dvec3 t[3];
        lt_triangle_corners(surface, i, t);
        CHECK_NEAR(left[i], area_of(t), 1e-9 * lt_max_d(area_of(t), 1e-12));
    }
    for (uint32_t i = 0; i < tree->sphere_count; i++)
        CHECK_NEAR(tree->spheres[i].area, areas[i], 1e-9 * areas[i]);
    free(left);
    free(areas);
}

/* Random points of every triangle are in some sphere of every level, or in a leaf above it. */
static inline void check_levels_cover(const lt_rest_tree *tree, const lt_surface *surface,
                                      uint32_t point_count) {
    lt_random random = lt_random_seed(5);
    uint32_t uncovered_count = 0;
    for (uint32_t i = 0; i < point_count * surface->triangle_count; i++) {
        lt_dvec3 t[3];
        lt_triangle_corners(surface, i / point_count, t);
        double a = lt_random_unit(&random), b = lt_random_unit(&random);
        if (a + b > 1) a = 1 - a, b = 1 - b;
        lt_dvec3 p = lt_d3_mad(lt_d3_mad(lt_d3_scale(t[0], 1 - a - b), t[1], a), t[2], b);
        uint32_t levels = 0;
        for (uint32_t s = 0; s < tree->sphere_count; s++) {
            const lt_rest_sphere *sphere = &tree->spheres[s];
            if (lt_d3_distance(p, sphere->center) > sphere->radius * (1 + 1e-12)) continue;
            uint32_t at_and_below = ~((1u << sphere->level) - 1);
            levels |= sphere->child_count == 0 ? at_and_below : 1u << sphere->level;
        }
        uint32_t all = (1u << tree->level_count) - 1;
        uncovered_count += (levels & all) != all;
    }
    CHECK_COUNT(uncovered_count, 0);
}

static inline void check_layers(const lt_rest_tree *tree) {
    for (uint32_t i = 1; i < tree->sphere_count; i++) {
        const lt_rest_sphere *child = &tree->spheres[i], *parent = &tree->spheres[child->parent];
        lt_vec3 a = lt_v3_from_d3(child->center), b = lt_v3_from_d3(parent->center);
        CHECK(lt_v3_distance(a, b) + (float)child->radius <= (float)parent->radius);
    }
}

static inline void check_tree(const lt_rest_tree *tree, const lt_surface *surface) {
    check_structure(tree);
    check_pieces(tree, surface);
    check_levels_cover(tree, surface, 20);
    if (tree->layered) check_layers(tree);
    for (uint32_t i = 0; i < tree->sphere_count; i++) {
        const lt_rest_sphere *sphere = &tree->spheres[i];
        CHECK(sphere->error >= 0 && sphere->error <= 2 * sphere->radius);
        CHECK(sphere->own_error >= sphere->error && sphere->own_error <= 2 * sphere->radius);
    }
}

/* The errors are bounds, and no looser than promised: against points all over the ball. */
static inline void check_errors(const lt_rest_tree *tree, const lt_surface *surface, uint32_t steps) {
    for (uint32_t s = 0; s < tree->sphere_count; s++) {
        const lt_rest_sphere *sphere = &tree->spheres[s];
        double found = 0, h = sphere->radius / steps;
        for (uint32_t n = 0; n < (2 * steps + 1) * (2 * steps + 1) * (2 * steps + 1); n++) {
            uint32_t side = 2 * steps + 1;
            lt_dvec3 offset = {n % side * h - sphere->radius, n / side % side * h - sphere->radius,
                               n / side / side * h - sphere->radius};
            if (lt_d3_length(offset) > sphere->radius) continue;
            lt_dvec3 p = lt_d3_add(sphere->center, offset);
            double nearest = INFINITY;
            for (uint32_t i = 0; i < surface->triangle_count; i++) {
                lt_dvec3 t[3];
                lt_triangle_corners(surface, i, t);
                nearest = lt_min_d(nearest, lt_closest_on_triangle(p, t).distance_squared);
            }
            if (sqrt(nearest) > found && lt_winding_number(surface, p) < 0.5) found = sqrt(nearest);
        }
        CHECK(sphere->error >= found);
        CHECK(sphere->error <= found + (0.02 + 2.0 / steps) * sphere->radius);
    }
}

#endif
