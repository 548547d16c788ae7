/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One sphere around given points, moved to where it stands off the solid least.
 *
 * Steps are random, longer after a success and shorter after a failure: errors are maxima, not smooth, and have no
 * gradient to go by. The random numbers are our own, so the same input gives the same sphere.
 *
 * Workload: about 100 steps a sphere, each over all its points and, where it looks good, over 642 directions. Points
 * lie apart by coordinate and fill whole lanes. */

#ifndef LITHE_BAKE_SPHERE_POLISH_H
#define LITHE_BAKE_SPHERE_POLISH_H

#include "bake/sphere_internal.h"
#include "core/random.h"

enum { LT_POLISH_LANES = 8 };

/* Points to be held. Arrays have room for `count` rounded up to whole lanes, filled with one of the points. */
typedef struct lt_polish_points {
    const float *x, *y, *z;
    uint32_t count;
} lt_polish_points;

typedef struct lt_polish_sphere {
    lt_dvec3 center;
    double radius;
    double error;             /* by the grid, over 642 directions */
    uint32_t worst_direction; /* where the error was found: the first to ask next time */
} lt_polish_sphere;

/* The radius that holds all points from c; a little more, for they are float. */
double lt_polish_reach(lt_polish_points points, lt_dvec3 c);
/* The error of a sphere; may stop as soon as it is above `limit`. Begins in direction *worst and leaves the worst. */
double lt_polish_error(const lt_sphere_field *field, lt_dvec3 c, double radius, double limit,
                       uint32_t *worst);
/* Random steps below `length`. */
lt_dvec3 lt_polish_step(lt_random *random, double length);
/* Radius and error must be known; they are afterwards. */
void lt_polish(lt_polish_sphere *sphere, lt_polish_points points, const lt_sphere_field *field,
               int step_count, lt_random *random);

#endif
