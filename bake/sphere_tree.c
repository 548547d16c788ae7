/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The stages in order: spheres are proposed, made to cover the surface, measured. */

#include "bake/sphere_tree.h"

#include "bake/rest_tree.h"
#include "bake/sphere_polish.h"

#include <string.h>

enum {
    DEPTH_MOST = LT_SPHERE_LEVELS_MAX - 1,
    BRANCHING_LEAST = 2,
    CELLS_LEAST = 8,
    CELLS_MOST = 512,
    SAMPLES_LEAST = 64,
    SAMPLES_MOST = 1000000,
    TRIALS_MOST = 1000
};

lt_sphere_options lt_sphere_options_default(void) {
    return lt_sphere_options_for(LT_EFFORT_FULL);
}

lt_sphere_options lt_sphere_options_for(lt_bake_effort effort) {
    const lt_sphere_pace *pace = lt_sphere_pace_of(effort);
    return (lt_sphere_options){.method = LT_SPHERES_MEDIAL,
                               .effort = effort,
                               .branching = LT_SPHERE_BRANCHING_MAX,
                               .depth = 3,
                               .seed = 1,
                               .samples = pace->samples,
                               .trials = pace->trials,
                               .cells = pace->cells,
                               .allocator = lt_allocator_default()};
}

static lt_status check_options(const lt_sphere_options *options, lt_error *error) {
    if (options->branching < BRANCHING_LEAST || options->branching > LT_SPHERE_BRANCHING_MAX)
        return lt_fail(error, LT_STATUS_INVALID, "sphere tree: a sphere must have %d to %d children, not %u",
                       BRANCHING_LEAST, LT_SPHERE_BRANCHING_MAX, options->branching);
    if (options->samples < SAMPLES_LEAST || options->samples > SAMPLES_MOST)
        return lt_fail(error, LT_STATUS_INVALID,
                       "sphere tree: the points to place it by must be %d to %d, not %u", SAMPLES_LEAST,
                       SAMPLES_MOST, options->samples);
    if (options->trials > TRIALS_MOST)
        return lt_fail(error, LT_STATUS_INVALID, "sphere tree: the trials must be 0 to %d, not %u",
                       TRIALS_MOST, options->trials);
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

static lt_status begin(lt_sphere_field *field, const lt_surface *surface, const lt_sphere_options *options,
                       lt_error *error) {
    lt_status status = check_options(options, error);
    if (status == LT_OK) status = lt_surface_check(surface, "sphere tree", error);
    if (status == LT_OK) status = lt_sphere_report(options, "sampling distances", 0, error);
    if (status == LT_OK)
        status = lt_sphere_field_build(field, surface, options->cells, lt_sphere_pace_of(options->effort),
                                       &options->allocator, error);
    return status;
}

/* Errors, where all went well so far; what is no longer needed goes. */
static lt_status finish(lt_rest_tree *out, lt_sphere_field *field, lt_array *proposal, lt_status status,
                        const lt_sphere_options *options, lt_error *error) {
    if (status == LT_OK) status = lt_sphere_fill_errors(out, field, options, error);
    lt_array_free(proposal);
    lt_sphere_field_free(field);
    if (status != LT_OK) lt_rest_tree_free(out);
    return status;
}

lt_status lt_sphere_tree_make(lt_rest_tree *out, const lt_surface *surface, const lt_sphere_options *options,
                              lt_error *error) {
    *out = (lt_rest_tree){0};
    lt_sphere_field field = {0};
    bool is_medial = options->method == LT_SPHERES_MEDIAL;
    lt_array proposal = LT_ARRAY_OF(&options->allocator, lt_rest_sphere);
    lt_status status = begin(&field, surface, options, error);
    if (status == LT_OK)
        status = is_medial ? lt_sphere_propose_medial(&proposal, &field, options, error)
                           : lt_sphere_propose_octree(&proposal, surface, options, error);
    if (status == LT_OK)
        status =
            lt_sphere_cover(out, surface, proposal.items, (uint32_t)proposal.count, false, options, error);
    if (status == LT_OK && is_medial) status = lt_sphere_refine(out, &field, options, error);
    return finish(out, &field, &proposal, status, options, error);
}

/* ---- given spheres ---- */

static lt_status check_sphere(const lt_rest_sphere *spheres, uint32_t index, uint32_t next_child,
                              const lt_sphere_options *options, lt_error *error) {
    const lt_rest_sphere *s = &spheres[index];
    if (!lt_d3_is_finite(s->center) || !(s->radius > 0 && s->radius < 1e30))
        return lt_fail(error, LT_STATUS_INVALID, "sphere tree: sphere %u has no finite centre and radius",
                       index);
    if (s->child_count > options->branching)
        return lt_fail(error, LT_STATUS_INVALID, "sphere tree: sphere %u has %u children, more than %u",
                       index, s->child_count, options->branching);
    bool is_linked = index == 0 ? s->parent == LT_NONE && s->level == 0
                                : s->parent < index && s->level == spheres[s->parent].level + 1;
    if (!is_linked || s->level > DEPTH_MOST || (s->child_count > 0 && s->first_child != next_child))
        return lt_fail(error, LT_STATUS_INVALID, "sphere tree: sphere %u is not linked breadth first", index);
    return LT_OK;
}

/* Children follow each other without gaps, and name the parent that names them. */
static lt_status check_spheres(const lt_rest_sphere *spheres, uint32_t count,
                               const lt_sphere_options *options, lt_error *error) {
    uint32_t next = 1;
    for (uint32_t i = 0; i < count; i++) {
        lt_status status = check_sphere(spheres, i, next, options, error);
        if (status != LT_OK) return status;
        for (uint32_t k = 0; k < spheres[i].child_count; k++, next++)
            if (next >= count || spheres[next].parent != i)
                return lt_fail(error, LT_STATUS_INVALID, "sphere tree: sphere %u lacks a child", i);
    }
    return next == count && count > 0
               ? LT_OK
               : lt_fail(error, LT_STATUS_INVALID, "sphere tree: %u of %u spheres hang together",
                         lt_min_u32(next, count), count);
}

/* The given spheres with their errors, by which pieces are given out. */
static lt_status measure_given(lt_array *out, const lt_rest_sphere *spheres, uint32_t count,
                               const lt_sphere_field *field, lt_error *error) {
    lt_rest_sphere *own = lt_array_grow(out, count);
    if (!own) return lt_fail(error, LT_STATUS_MEMORY, "sphere tree: no memory for %u spheres", count);
    memcpy(own, spheres, count * sizeof(*own));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t worst = 0;
        own[i].error = lt_polish_error(field, own[i].center, own[i].radius, INFINITY, &worst);
    }
    return LT_OK;
}

lt_status lt_sphere_tree_cover(lt_rest_tree *out, const lt_surface *surface, const lt_rest_sphere *spheres,
                               uint32_t sphere_count, const lt_sphere_options *options, lt_error *error) {
    *out = (lt_rest_tree){0};
    lt_sphere_field field = {0};
    lt_array given = LT_ARRAY_OF(&options->allocator, lt_rest_sphere);
    lt_status status = check_spheres(spheres, sphere_count, options, error);
    if (status == LT_OK) status = begin(&field, surface, options, error);
    if (status == LT_OK) status = measure_given(&given, spheres, sphere_count, &field, error);
    if (status == LT_OK)
        status = lt_sphere_cover(out, surface, given.items, sphere_count, true, options, error);
    return finish(out, &field, &given, status, options, error);
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
