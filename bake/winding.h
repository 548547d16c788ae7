/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The winding number: how often a surface goes round a point, the sum over its triangles, and through the tree. */

#ifndef LITHE_BAKE_WINDING_H
#define LITHE_BAKE_WINDING_H

#include "bake/triangle_tree.h"

/* The sum of the signed solid angles over 4 pi: 1 inside a closed surface, 0 outside, a smooth value between
 * for open ones. On the surface itself it is one of the values around. Uses atan2: for baking only, its last
 * bits may differ between systems. */
double lt_winding_number(const lt_surface *surface, lt_dvec3 p);

typedef struct lt_winding_cluster {
    lt_dvec3 centre; /* mean of the triangles' centroids by area */
    lt_dvec3 dipole; /* sum of area times normal */
    double radius;   /* no corner is farther from the centre */
} lt_winding_cluster;

typedef struct lt_winding_tree {
    const lt_triangle_tree *tree; /* must outlive this */
    lt_winding_cluster *clusters; /* [node_count] of the tree */
    uint32_t cluster_count;
    lt_allocator allocator;
} lt_winding_tree;

lt_status lt_winding_tree_build(lt_winding_tree *out, const lt_triangle_tree *tree,
                                const lt_allocator *allocator, lt_error *error);
void lt_winding_tree_free(lt_winding_tree *winding);

/* The winding number with every cluster farther than `accuracy` (> 1) times its radius replaced by its dipole:
 * O(log n) instead of O(n). 2 is enough to tell inside from outside (error below 0.1);
 * doubling it makes the error about nine times smaller. */
double lt_winding_number_fast(const lt_winding_tree *winding, lt_dvec3 p, double accuracy);

#endif
