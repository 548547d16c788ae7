/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Once every piece has an owner, spheres can be moved around what they really own, not around samples of it; and once
 * they have moved and shrunk, other owners may be better. A piece keeps at least the path it has, so radii only fall;
 * unless leaves are shrunk on purpose, which lowers their errors by another 5 %.
 * Of layered trees only the leaves are moved: the others follow their children. */

#include "bake/rest_tree.h"
#include "bake/sphere_pieces.h"
#include "bake/sphere_polish.h"

#define SHRINK 0.1

typedef struct refinement {
    /* Input */
    const lt_sphere_field *field;
    const lt_sphere_options *options;
    /* State */
    lt_rest_tree *tree;
    lt_piece_groups groups;
    lt_random random;
    float *x, *y, *z; /* [room] corners of one sphere's pieces */
    size_t room;
} refinement;

static lt_polish_points gather_corners(refinement *r, uint32_t sphere) {
    lt_piece_group group = lt_piece_groups_at(&r->groups, sphere);
    uint32_t count = 0;
    for (uint32_t i = 0; i < group.count; i++) {
        lt_dvec3 corners[3];
        lt_sphere_piece_corners(r->field->surface, &r->tree->pieces[group.pieces[i]], corners);
        for (int k = 0; k < 3; k++, count++) {
            r->x[count] = (float)corners[k].x;
            r->y[count] = (float)corners[k].y;
            r->z[count] = (float)corners[k].z;
        }
    }
    for (uint32_t i = count; i % LT_POLISH_LANES != 0; i++)
        r->x[i] = r->x[0], r->y[i] = r->y[0], r->z[i] = r->z[0];
    return (lt_polish_points){r->x, r->y, r->z, count};
}

static void refine_sphere(refinement *r, uint32_t index) {
    lt_rest_sphere *sphere = &r->tree->spheres[index];
    bool moves = !r->tree->layered || sphere->child_count == 0;
    lt_polish_sphere polished = {.center = sphere->center, .radius = sphere->radius};
    polished.error =
        lt_polish_error(r->field, polished.center, polished.radius, INFINITY, &polished.worst_direction);
    if (moves)
        lt_polish(&polished, gather_corners(r, index), r->field, r->field->pace->refine_steps, &r->random);
    sphere->center = polished.center;
    sphere->error = polished.error;
}

static lt_status refine_spheres(refinement *r, lt_error *error) {
    lt_rest_tree *tree = r->tree;
    lt_status status = lt_piece_groups_build(&r->groups, tree, error);
    if (status != LT_OK) return status;
    r->room = lt_align_up(3 * (size_t)tree->piece_count, LT_POLISH_LANES);
    const lt_allocator *allocator = &r->options->allocator;
    r->x = LT_NEW(allocator, r->room, float);
    r->y = LT_NEW(allocator, r->room, float);
    r->z = LT_NEW(allocator, r->room, float);
    if (r->x && r->y && r->z) {
        for (uint32_t level = tree->level_count; level-- > 0;) {
            for (uint32_t i = tree->level_begin[level]; i < tree->level_begin[level + 1]; i++)
                refine_sphere(r, i);
            lt_piece_groups_rise(&r->groups, level);
        }
        lt_sphere_fit(tree, r->field->surface, false);
    } else {
        status = lt_fail(error, LT_STATUS_MEMORY, "sphere tree: no memory for corners of %u pieces",
                         tree->piece_count);
    }
    LT_DELETE(allocator, r->x, r->room, float);
    LT_DELETE(allocator, r->y, r->room, float);
    LT_DELETE(allocator, r->z, r->room, float);
    lt_piece_groups_free(&r->groups);
    return status;
}

/* By a share of their errors: what falls out and no other leaf holds makes the leaf grow again that suits best. */
static void shrink_leaves(lt_rest_tree *tree) {
    for (uint32_t i = 1; i < tree->sphere_count; i++) {
        lt_rest_sphere *sphere = &tree->spheres[i];
        if (sphere->child_count == 0) sphere->radius = lt_max_d(0, sphere->radius - SHRINK * sphere->error);
    }
}

lt_status lt_sphere_refine(lt_rest_tree *tree, const lt_sphere_field *field, const lt_sphere_options *options,
                           lt_error *error) {
    refinement r = {
        .field = field, .options = options, .tree = tree, .random = lt_random_seed(options->seed)};
    int rounds = field->pace->refine_rounds, plain_rounds = field->pace->refine_plain_rounds;
    lt_status status = LT_OK;
    for (int round = 0; status == LT_OK && round < rounds; round++) {
        status = lt_sphere_report(options, "refining", (double)round / rounds, error);
        if (status == LT_OK) status = refine_spheres(&r, error);
        if (status != LT_OK || round + 1 == rounds) break;
        if (round + plain_rounds < rounds) shrink_leaves(tree);
        lt_rest_tree again;
        status =
            lt_sphere_cover(&again, field->surface, tree->spheres, tree->sphere_count, false, options, error);
        if (status != LT_OK) break;
        lt_rest_tree_free(tree);
        *tree = again;
    }
    return status;
}
