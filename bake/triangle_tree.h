/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A tree over the triangles of a surface: closest triangle, hits of a segment, triangles near a box.
 *
 * In double, for baking and for whoever judges from outside a step. Trees are immutable once built (but for their boxes, see refit),
 * hold indices only, are the same on every machine, and may be read by several threads. */

#ifndef LITHE_BAKE_TRIANGLE_TREE_H
#define LITHE_BAKE_TRIANGLE_TREE_H

#include "mesh/closest.h"

/* Node 0 is the root; the left child of node i is i + 1. */
typedef struct lt_tree_node {
    lt_box box;
    uint32_t first; /* the node covers triangles[first … first + count - 1] of the tree */
    uint32_t count;
    uint32_t right; /* the right child; 0 in a leaf */
} lt_tree_node;

typedef struct lt_triangle_tree {
    const lt_surface
        *surface;        /* must outlive the tree and keep its positions, or else: lt_triangle_tree_refit */
    lt_tree_node *nodes; /* [node_count], room for [triangle_count] */
    uint32_t *triangles; /* [triangle_count] in the order of the leaves */
    uint32_t triangle_count;
    uint32_t node_count; /* 0 for a surface without triangles: all queries then find nothing */
    lt_allocator allocator;
} lt_triangle_tree;

/* O(n log n); at most four triangles a leaf, depth at most 31. */
lt_status lt_triangle_tree_build(lt_triangle_tree *out, const lt_surface *surface,
                                 const lt_allocator *allocator, lt_error *error);
void lt_triangle_tree_free(lt_triangle_tree *tree);
/* Boxes after positions of the surface have changed; which triangles lie together stays. O(n). */
void lt_triangle_tree_refit(lt_triangle_tree *tree);
/* For tests: whether children split the ranges of their parents, leaves are small, and every box holds its
 * triangles. */
bool lt_validate_triangle_tree(const lt_triangle_tree *tree);

/* The nearest triangle within `max_distance` (inclusive; INFINITY for no bound) of p; false when there is
 * none. Of equally near triangles the lowest index wins. */
bool lt_triangle_tree_closest(const lt_triangle_tree *tree, lt_dvec3 p, double max_distance,
                              uint32_t *triangle, lt_closest_point *closest);

/* Called with a triangle and the place of the hit along the segment in [0, 1]; false ends the search. */
typedef bool lt_tree_hit_function(void *context, uint32_t triangle, double parameter);

/* Rays are segments that are long enough. A hit is decided exactly, with ties as in
 * lt_exact_edge_pierces_triangle: a segment through an edge or vertex of a closed surface hits it as often as
 * one slightly beside it, so that parity is right; only the parameter is rounded. */
/* All hits, each once, not sorted along the segment. */
void lt_triangle_tree_each_hit(const lt_triangle_tree *tree, const lt_dvec3 segment[2],
                               lt_tree_hit_function *function, void *context);

/* Called with a triangle; false ends the search. */
typedef bool lt_tree_overlap_function(void *context, uint32_t triangle);

/* All triangles whose own bounding boxes touch `box`, each once. */
void lt_triangle_tree_each_overlap(const lt_triangle_tree *tree, lt_box box,
                                   lt_tree_overlap_function *function, void *context);

#endif
