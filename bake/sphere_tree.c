/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The stages in order: spheres are proposed, made to cover the surface, measured. */

#include "bake/sphere_tree.h"

#include "bake/sphere_parts.h"

enum { DEPTH_MOST = LT_SPHERE_LEVELS_MAX - 1, BRANCHING_LEAST = 2, CELLS_LEAST = 8, CELLS_MOST = 512 };

lt_sphere_options lt_sphere_options_default(void) {
    return (lt_sphere_options){.method = LT_SPHERES_OCTREE,
                               .branching = LT_SPHERE_BRANCHING_MAX,
                               .depth = 3,
                               .seed = 1,
                               .cells = 174,
                               .allocator = lt_allocator_default()};
}

static lt_status check_options(const lt_sphere_options *options, lt_error *error) {
    if (options->branching < BRANCHING_LEAST || options->branching > LT_SPHERE_BRANCHING_MAX)
        return lt_fail(error, LT_STATUS_INVALID, "sphere tree: a sphere must have %d to %d children, not %u",
                       BRANCHING_LEAST, LT_SPHERE_BRANCHING_MAX, options->branching);
    if (options->method != LT_SPHERES_OCTREE)
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "sphere tree: only octrees are made so far");
    if (options->depth > DEPTH_MOST)
        return lt_fail(error, LT_STATUS_INVALID,
                       "sphere tree: the levels below the root must be 0 to %d, not %u", DEPTH_MOST,
                       options->depth);
    if (options->cells < CELLS_LEAST || options->cells > CELLS_MOST)
        return lt_fail(error, LT_STATUS_INVALID,
                       "sphere tree: the cells of its grid must be %d to %d, not %u", CELLS_LEAST, CELLS_MOST,
                       options->cells);
    return LT_OK;
}

lt_status lt_sphere_report(const lt_sphere_options *options, const char *stage, double share,
                           lt_error *error) {
    if (options->progress && !options->progress(options->progress_context, stage, (float)share))
        return lt_fail(error, LT_STATUS_CANCELLED, "sphere tree: cancelled while %s", stage);
    return LT_OK;
}

lt_status lt_sphere_tree_make(lt_rest_tree *out, const lt_surface *surface, const lt_sphere_options *options,
                              lt_error *error) {
    *out = (lt_rest_tree){0};
    lt_sphere_field field = {0};
    lt_array proposal = LT_ARRAY_OF(&options->allocator, lt_rest_sphere);
    lt_status status = check_options(options, error);
    if (status == LT_OK) status = lt_surface_check(surface, "sphere tree", error);
    if (status == LT_OK) status = lt_sphere_report(options, "measuring distances", 0, error);
    if (status == LT_OK)
        status = lt_sphere_field_build(&field, surface, options->cells, &options->allocator, error);
    if (status == LT_OK) status = lt_sphere_propose_octree(&proposal, surface, options, error);
    if (status == LT_OK) status = lt_sphere_cover(out, surface, &proposal, options, error);
    if (status == LT_OK) status = lt_sphere_fill_errors(out, &field, options, error);
    lt_array_free(&proposal);
    lt_sphere_field_free(&field);
    if (status != LT_OK) lt_rest_tree_free(out);
    return status;
}

lt_sphere_level lt_sphere_level_of(const lt_rest_tree *tree, uint32_t level) {
    lt_sphere_level sum = {0};
    for (uint32_t i = 0; i < tree->sphere_count; i++) {
        const lt_rest_sphere *sphere = &tree->spheres[i];
        if (sphere->level != level && !(sphere->level < level && sphere->child_count == 0)) continue;
        sum.sphere_count++;
        sum.mean_error += sphere->error;
        sum.mean_own_error += sphere->own_error;
        sum.mean_radius += sphere->radius;
        sum.worst_error = lt_max_d(sum.worst_error, sphere->error);
        sum.worst_own_error = lt_max_d(sum.worst_own_error, sphere->own_error);
    }
    if (sum.sphere_count == 0) return sum;
    sum.mean_error /= sum.sphere_count;
    sum.mean_own_error /= sum.sphere_count;
    sum.mean_radius /= sum.sphere_count;
    return sum;
}
