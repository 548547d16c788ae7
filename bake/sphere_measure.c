/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Sphere trees judged from outside: by points on the spheres and points on the surface, with nothing taken from the
 * way the tree was made but the spheres themselves. */

#include "bake/rest_tree.h"
#include "bake/sphere_internal.h"

#include <string.h>

/* A quick grid: here it only shortens exact questions, the less so the fewer triangles there are. */
#define CELLS_MOST 64u

double lt_sphere_sampled_error(const lt_sphere_field *field, lt_dvec3 center, double radius) {
    double worst = 0;
    for (uint32_t i = 0; i < LT_SPHERE_DIRECTIONS; i++) {
        lt_dvec3 p = lt_d3_mad(center, field->directions[i], radius);
        lt_sphere_guess guess = lt_sphere_field_guess(field, p);
        if (guess.most <= worst) continue;
        double d = lt_sphere_field_distance(&field->tree, p, lt_sphere_guess_size(guess));
        if (d > worst && !lt_sphere_field_is_inside(field, p, d)) worst = d;
    }
    return worst;
}

/* Whether a level's cut of the tree has a sphere around p: those of the level, and leaves above it. */
static void find_covering_levels(const lt_rest_tree *tree, lt_dvec3 p,
                                 bool is_covered[LT_SPHERE_LEVELS_MAX]) {
    for (uint32_t i = 0; i < tree->sphere_count; i++) {
        const lt_rest_sphere *sphere = &tree->spheres[i];
        uint32_t last = sphere->child_count == 0 ? tree->level_count - 1 : sphere->level;
        if (is_covered[sphere->level] && is_covered[last]) continue;
        if (lt_d3_distance(p, sphere->center) > sphere->radius * (1 + 1e-12)) continue;
        for (uint32_t level = sphere->level; level <= last; level++)
            is_covered[level] = true;
    }
}

static void measure_errors(lt_sphere_measure *out, const lt_rest_tree *tree, const lt_sphere_field *field) {
    for (uint32_t i = 0; i < tree->sphere_count; i++) {
        const lt_rest_sphere *sphere = &tree->spheres[i];
        double error = lt_sphere_sampled_error(field, sphere->center, sphere->radius);
        uint32_t last = sphere->child_count == 0 ? tree->level_count - 1 : sphere->level;
        for (uint32_t level = sphere->level; level <= last; level++) {
            out[level].sphere_count++;
            out[level].mean_error += error;
            out[level].worst_error = lt_max_d(out[level].worst_error, error);
        }
    }
    for (uint32_t level = 0; level < tree->level_count; level++)
        out[level].mean_error /= out[level].sphere_count;
}

lt_status lt_sphere_tree_measure(lt_sphere_measure out[LT_SPHERE_LEVELS_MAX], const lt_rest_tree *tree,
                                 const lt_surface *surface, uint32_t sample_count, uint32_t seed,
                                 lt_error *error) {
    memset(out, 0, LT_SPHERE_LEVELS_MAX * sizeof(*out));
    lt_sphere_field field;
    lt_surface_sampler sampler;
    uint32_t cells = lt_min_u32(CELLS_MOST, 8 + surface->triangle_count / 64);
    lt_status status = lt_sphere_field_build(&field, surface, cells, lt_sphere_pace_of(LT_EFFORT_FULL),
                                             &tree->allocator, error);
    if (status != LT_OK) return status;
    status = lt_surface_sampler_build(&sampler, surface, seed, &tree->allocator, error);
    if (status == LT_OK) {
        measure_errors(out, tree, &field);
        for (uint32_t i = 0; i < sample_count; i++) {
            bool is_covered[LT_SPHERE_LEVELS_MAX] = {false};
            find_covering_levels(tree, lt_surface_sampler_next(&sampler).point, is_covered);
            for (uint32_t level = 0; level < tree->level_count; level++)
                out[level].uncovered_count += !is_covered[level];
        }
        lt_surface_sampler_free(&sampler);
    }
    lt_sphere_field_free(&field);
    return status;
}
