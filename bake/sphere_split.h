/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Some points of a surface in, at most eight spheres out that cover them and stand off the solid as little as can be.
 *
 *   need(p, c) = |p - c| + distance(c), signed, bounds from above how far a sphere around c that reaches p stands off
 *   error      = what it really is, over points on the sphere, by the grid
 *   score      = the sum over spheres of a power of the error: with the errors themselves whole spheres would vanish
 *
 *   sphere_merge.c   where to begin: groups of points, merged while it costs little
 *   sphere_split.c   points change owners, spheres move and shrink, until the score gets no better
 *
 * Points are few (some thousands) and gone over many times: they lie here by owner, each owner's in a row, apart by
 * coordinate, padded to whole lanes. */

#ifndef LITHE_BAKE_SPHERE_SPLIT_H
#define LITHE_BAKE_SPHERE_SPLIT_H

#include "bake/sphere_polish.h"

enum { LT_SPLIT_POINTS = 16384, LT_SPLIT_CANDIDATES = 320, LT_MERGE_GROUPS = 160, LT_SPLIT_RUNS = 28 };

typedef struct lt_split_points {
    float x[LT_SPLIT_POINTS], y[LT_SPLIT_POINTS], z[LT_SPLIT_POINTS];
    uint8_t owners[LT_SPLIT_POINTS];
    uint32_t count;
} lt_split_points;

typedef struct lt_split {
    /* Input */
    const lt_sphere_field *field;
    uint32_t sphere_most;
    int power; /* of errors in the score, 2 to 4 */
    lt_random random;
    lt_split_points points;
    lt_vec3 candidates[LT_SPLIT_CANDIDATES];
    float candidate_values[LT_SPLIT_CANDIDATES]; /* signed distance there */
    uint32_t candidate_count;
    /* Output */
    lt_polish_sphere spheres[LT_SPHERE_BRANCHING_MAX];
    uint32_t sphere_count;
    double score;
} lt_split;

/* Owners of points and centres of spheres to begin with. */
lt_status lt_split_merge(lt_split *split, const lt_allocator *allocator, lt_error *error);
/* Better spheres than those it has: the search goes on, by another power maybe. */
lt_status lt_split_improve(lt_split *split, uint32_t trials, const lt_allocator *allocator, lt_error *error);
/* Spheres for the points, from scratch. */
lt_status lt_split_run(lt_split *split, uint32_t trials, const lt_allocator *allocator, lt_error *error);

#endif
