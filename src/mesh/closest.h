/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Closest points, a tree over the triangles of a surface, and the winding number.
 *
 *   closest.c        closest points of segments and triangles
 *   triangle_tree.c  the tree: closest triangle, hits of a segment, triangles near a box
 *   winding.c        how often a surface goes round a point: the sum over triangles, and through the tree
 *
 * All in double, for baking and queries outside the step. Trees are immutable once built (but for their boxes, see refit), hold indices only,
 * are the same on every machine, and may be read by several threads. */

#ifndef LITHE_MESH_CLOSEST_H
#define LITHE_MESH_CLOSEST_H

#include "mesh/mesh.h"

/* The corners of a triangle in double. */
static inline void lt_triangle_corners(const lt_surface *surface, uint32_t triangle, lt_dvec3 corners[3]) {
    const uint32_t *t = lt_triangle_at(surface, triangle);
    for (int k = 0; k < 3; k++)
        corners[k] = lt_d3_from_v3(surface->positions[t[k]]);
}

/* The part of a triangle on which a point lies; a segment has the first two vertices and the first edge. */
typedef enum lt_feature {
    LT_FEATURE_VERTEX_0,
    LT_FEATURE_VERTEX_1,
    LT_FEATURE_VERTEX_2,
    LT_FEATURE_EDGE_01,
    LT_FEATURE_EDGE_12,
    LT_FEATURE_EDGE_20,
    LT_FEATURE_FACE
} lt_feature;

typedef struct lt_closest_point {
    lt_dvec3 point;
    double weights[3]; /* of the corners: none negative, sum 1, exactly 0 off the feature */
    double distance_squared;
    lt_feature feature;
} lt_closest_point;

/* Degenerate segments and triangles are allowed; of equally near features the first in the enum's order of
 * edges wins. */
lt_closest_point lt_closest_on_segment(lt_dvec3 p, const lt_dvec3 s[2]);
lt_closest_point lt_closest_on_triangle(lt_dvec3 p, const lt_dvec3 t[3]);

typedef struct lt_closest_pair {
    lt_dvec3 points[2];   /* on a, on b */
    double parameters[2]; /* along a and b, in [0, 1] */
    double distance_squared;
} lt_closest_pair;

/* Parallel and degenerate segments are allowed; of many nearest pairs one with an endpoint is given. */
lt_closest_pair lt_closest_segments(const lt_dvec3 a[2], const lt_dvec3 b[2]);

/* ---- triangle tree ---- */

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

/* The place where the segment from `from` to `from + along` enters the box, INFINITY when it misses it before the limit. Never
 * misses by rounding. */
double lt_segment_box_entry(lt_dvec3 from, lt_dvec3 along, double limit, lt_box box);

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

/* ---- winding number ---- */

/* Under which a triangle is seen from p, signed; 4 pi is all around. Like all that is made of it, for baking only: it uses
 * atan2. */
double lt_solid_angle(const lt_dvec3 t[3], lt_dvec3 p);

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
