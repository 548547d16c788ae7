/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Closest points of segments and triangles, and what else is asked of one triangle or one segment. All in double; no state. */

#ifndef LITHE_MESH_CLOSEST_H
#define LITHE_MESH_CLOSEST_H

#include "mesh/mesh.h"

/* The corners of a triangle in double. */
static inline void lt_triangle_corners(const lt_surface *surface, uint32_t triangle, lt_dvec3 corners[3]) {
    LT_ASSERT(triangle < surface->triangle_count);
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

/* The place where the segment from `from` to `from + along` enters the box, INFINITY when it misses it before the limit. Never
 * misses by rounding. */
double lt_segment_box_entry(lt_dvec3 from, lt_dvec3 along, double limit, lt_box box);

/* Under which a triangle is seen from p, signed; 4 pi is all around. Not for a step: atan2 differs between systems in
 * its last bits. */
double lt_solid_angle(const lt_dvec3 t[3], lt_dvec3 p);

#endif
