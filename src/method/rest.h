/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How slow a body is under a method, which decides who falls asleep and who wakes whom.
 *
 *   before the motion   penalty methods answer contacts there: velocities of nodes are how they move, the fastest one counts
 *   after the motion    cell-box answers contacts there: velocities are those of what was undone since, and a body at rest has
 *                       some. The way that its nodes have gone counts, of all of them together, since those at contacts tremble */

#ifndef LITHE_METHOD_REST_H
#define LITHE_METHOD_REST_H

#include "body/body.h"

typedef struct lt_rest {
    float slow_speed;  /* m/s, of a body of a metre; others by the square root of their size */
    float leave_share; /* of the slow speed: above it a body that lost a contact may have been leant on */
    float (*speed)(const lt_soft *soft, float dt); /* m/s, over the last step of dt s */
    /* m/s, before a step; quiet_time: s for which it has been slow */
    float (*speed_ahead)(const lt_soft *soft, float quiet_time);
} lt_rest;

extern const lt_rest lt_rest_by_velocities, lt_rest_by_ways;

/* m/s below which a body is slow. */
float lt_rest_slow_speed(const lt_rest *rest, const lt_soft *soft);

#endif
