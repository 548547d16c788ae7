/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Solids given by a field that is negative inside, and their polygoniser. Private to src/mesh: the letters,
 * the figures and the solid teapot are made with it.
 *
 * The polygoniser is a surface net that cannot go wrong in topology:
 *
 *   1. sample the sign on a cubic grid; nothing else of the field is used until step 4
 *   2. repair: in every cell of eight samples the inside ones must be connected along the cell's edges, and
 *      so must the outside ones; where not, the fewest samples that mend it are made inside. Samples only
 *      ever turn inside, so this ends; then the faces between inside and outside samples make a closed
 *      two-manifold (a well-composed image: Latecki, Eckhardt, Rosenfeld 1995)
 *   3. a vertex per mixed cell, a quad per edge whose ends differ; the count of triangles is known here, and
 *      1-3 are repeated with another cell size until it is near the one asked for
 *   4. relax: a few rounds of moving each vertex to the mean of its neighbours and back onto the surface,
 *      which takes the stairs out and makes the triangles even; mend what was squeezed in concave
 *      creases; then cut each quad along its better diagonal
 *
 * Marching tetrahedra would be manifold too, but with several triangles per cell, many of them slivers. */

#ifndef LITHE_SCENES_IMPLICIT_H
#define LITHE_SCENES_IMPLICIT_H

#include "mesh/mesh.h"

/* Negative inside, positive outside, near the surface about the distance; a step of length s must not change
 * it by more than 2s. */
typedef double lt_field(const void *context, lt_dvec3 point);

typedef struct lt_implicit {
    lt_field *field;
    const void *context;
    lt_dvec3 lo, hi;  /* a box around the whole solid */
    const char *name; /* for messages */
    uint32_t least;   /* the fewest triangles that still show all its parts */
} lt_implicit;

/* About `triangle_count` (`least` to 1,000,000) triangles. */
lt_status lt_implicit_polygonise(lt_surface *out, const lt_implicit *solid, uint32_t triangle_count,
                                 const lt_allocator *allocator, lt_error *error);

/* The union of two fields with a fillet: what is nearer than `blend` to both is filled up by at most
 * blend / 4. */
static inline double lt_smooth_min(double a, double b, double blend) {
    double h = blend - fabs(a - b), least = lt_min_d(a, b);
    return h > 0.0 ? least - h * h / (4.0 * blend) : least;
}

/* Distance to a capsule whose radius goes from radius_a at a to radius_b at b. Not quite the distance where
 * the radii differ much, and not meant for that. */
static inline double lt_distance_to_cone(lt_dvec3 p, lt_dvec3 a, lt_dvec3 b, double radius_a,
                                         double radius_b) {
    lt_dvec3 axis = lt_d3_sub(b, a), from = lt_d3_sub(p, a);
    double squared = lt_d3_dot(axis, axis);
    double t = squared > 0.0 ? lt_d3_dot(from, axis) / squared : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return lt_d3_length(lt_d3_mad(from, axis, -t)) - (radius_a + t * (radius_b - radius_a));
}

#endif
