/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How much work goes into which stage of baking a sphere tree, by effort. */

#ifndef LITHE_BAKE_SPHERE_PACE_H
#define LITHE_BAKE_SPHERE_PACE_H

#include "lithe/bake.h"

typedef struct lt_sphere_pace {
    /* Defaults of lt_sphere_options */
    uint32_t samples, trials, cells;
    /* Points and candidates of centres */
    uint32_t balls_most;      /* of samples: those that get a ball inside the solid */
    uint32_t vertices_most;   /* surfaces with more are known by samples alone */
    uint32_t points_most;     /* of one sphere, to place its children by; at most LT_SPLIT_POINTS */
    uint32_t candidates_most; /* whole lanes, at most LT_SPLIT_CANDIDATES */
    uint32_t groups_most;     /* of points, to begin with; at most LT_MERGE_GROUPS */
    /* Search */
    bool few_directions; /* errors are searched over 162 directions, not 642 */
    uint32_t
        root_runs; /* of the search from the root, for a sixteenth of the trials each; no more than there are */
    uint32_t root_finals; /* so many of the best of these runs go on, for a quarter of the trials each */
    int split_rounds, settle_steps, polish_steps;
    int refine_rounds;
    int refine_plain_rounds; /* the last of them, without shrinking */
    int refine_steps;
    /* Errors, as shares of radii */
    double tolerance, own_tolerance;
    /* After so many questions a bound stays as it is: where a ball hugs the surface all around, or all is at one
     * distance, nothing is settled before cubes are as small as the tolerance. */
    uint32_t questions_most;
} lt_sphere_pace;

const lt_sphere_pace *lt_sphere_pace_of(lt_bake_effort effort);

#endif
