/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The pieces of a tree: where they are, and who owns which. */

#ifndef LITHE_BAKE_SPHERE_PIECES_H
#define LITHE_BAKE_SPHERE_PIECES_H

#include "bake/rest_tree.h"
#include "bake/sphere_internal.h"

/* Where the corners of a piece are; the same bits whoever asks. */
void lt_sphere_piece_corners(const lt_surface *surface, const lt_sphere_piece *piece, lt_dvec3 corners[3]);

/* The radius that holds all three. What is tested and what is stored is the same sum of floats: a corner is inside if
 * its distance, as computed, is not above the radius, and radii are such distances. */
static inline double lt_sphere_piece_reach(const lt_rest_sphere *sphere, const lt_dvec3 corners[3]) {
    double a = lt_d3_distance(corners[0], sphere->center), b = lt_d3_distance(corners[1], sphere->center);
    return lt_max_d(lt_max_d(a, b), lt_d3_distance(corners[2], sphere->center));
}

/* Radii and areas of all spheres from the pieces they own; layered: from their children. Radii that are kept may
 * only grow. */
void lt_sphere_fit(lt_rest_tree *tree, const lt_surface *surface, bool keeps_radii);

/* Pieces by owner, where owners are the spheres of one level and the leaves above it; from the deepest level up. */
typedef struct lt_piece_groups {
    const lt_rest_tree *tree;
    uint32_t *owners; /* [piece_count] */
    uint32_t *order;  /* [piece_count] pieces by owner */
    uint32_t *begins; /* [sphere_count + 1] */
} lt_piece_groups;

typedef struct lt_piece_group {
    const uint32_t *pieces; /* [count] */
    uint32_t count;
} lt_piece_group;

/* Owners are the leaves. */
lt_status lt_piece_groups_build(lt_piece_groups *out, const lt_rest_tree *tree, lt_error *error);
void lt_piece_groups_free(lt_piece_groups *groups);
/* What spheres of that level own goes to their parents. */
void lt_piece_groups_rise(lt_piece_groups *groups, uint32_t level);
static inline lt_piece_group lt_piece_groups_at(const lt_piece_groups *groups, uint32_t sphere) {
    uint32_t begin = groups->begins[sphere];
    return (lt_piece_group){groups->order + begin, groups->begins[sphere + 1] - begin};
}

#endif
