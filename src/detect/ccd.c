/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Conservative advancement with directions instead of speeds.
 *
 * Let n be any direction. Each corner c_k of the polygon of differences goes straight, so n·c_k is a straight line over
 * time; while all of them are above separation·|n|, the polygon is farther from the origin than the separation. From the
 * point nearest to the origin at a time t comes the best n for t; the first line to come down says how far the proof
 * reaches, and there the next step begins. Towards a transversal contact these are Newton's steps; most pairs that do
 * not touch are through after one. A bound of the speed, as is usual, need not be known.
 *
 * Rounding cannot spoil the proof, because n may be any vector: errors of the nearest point only make a step short. What
 * counts is the error of the lines: n·c_k is right to 4u|n|₁·reach (u = 2^-53: one for the difference, three for the
 * product), and the value of the line between the two ends to as much again. `slack` below is twice that.
 *
 * Where the polygon turns as fast as it comes, its fastest corner makes the steps small, and its own plane, which turns
 * with it, gets farther (ccd_coplanar.c). With both, no query of the outside truths is left to subdivision; with directions
 * alone 24 of the 431 contacts there took more than 32 steps. What is left are edges that turn fast at a separation.
 *
 * Why double: near a contact the direction comes from a difference of nearly equal points, and is of use only while
 * the distance is more than the square root of the rounding: 1e-8 of the size in double, 2.5e-4 in float, and all nearer
 * than that are false hits. Float was 10 to 20 % faster, a third on hits.
 *
 * After Mirtich, "Timewarp rigid body simulation", 2000, and the directional bounds of Zhang, Redon, Lee and Kim,
 * "Continuous collision detection for articulated models", 2007, here with lines that are exact. */

#include "detect/ccd_internal.h"

enum { ADVANCE_LIMIT = 32, PLANE_AFTER = 2, BOX_LIMIT = 512 };

/* Nearer than this part of the reach, beyond the separation, is a hit: the direction is not to be had from less. */
#define NEAR_ENOUGH 1e-8
/* Of subdivision. */
#define TIME_TOLERANCE 1e-3

extern lt_ccd_may_meet lt_ccd_may_meet_scalar, lt_ccd_may_meet_wide4, lt_ccd_may_meet_avx2;

lt_ccd_may_meet *lt_ccd_may_meet_for(lt_simd_level level) {
    LT_ASSERT((unsigned)level < LT_LEVEL_COUNT);
    static lt_ccd_may_meet *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_ccd_may_meet);
    return table[level];
}

/* ---- advancement ---- */

/* Whether one of the axes keeps the two apart throughout. */
static bool axis_separates(const lt_ccd_polygon *polygon, double margin) {
    lt_dvec3 lo = polygon->start[0], hi = lo;
    for (int k = 0; k < polygon->corner_count; k++) {
        lo = lt_d3_min(lo, lt_d3_min(polygon->start[k], polygon->end[k]));
        hi = lt_d3_max(hi, lt_d3_max(polygon->start[k], polygon->end[k]));
    }
    return lo.x > margin || lo.y > margin || lo.z > margin || hi.x < -margin || hi.y < -margin ||
           hi.z < -margin;
}

/* How far from `time` the lines along n stay above `level`, where all its rounding is allowed for; `time` itself when one
 * of them is not above there; 2 when all are at the end. */
static double proven_until(const lt_ccd_polygon *polygon, lt_dvec3 n, double level, double time) {
    double until = 2;
    for (int k = 0; k < polygon->corner_count; k++) {
        double from = lt_d3_dot(n, polygon->start[k]), to = lt_d3_dot(n, polygon->end[k]);
        if (to > level) {
            if (!(from > level) && !(from + time * (to - from) > level)) return time;
        } else {
            /* Down at (from - level)/(from - to), with three roundings in it. */
            double down = (from - level) / (from - to) * (1 - 8 * LT_CCD_ROUNDING);
            if (!(from > level && down > time)) return time;
            until = lt_min_d(until, down);
        }
    }
    return until;
}

static double level_along(lt_dvec3 n, double length, double reach, double separation) {
    double size = fabs(n.x) + fabs(n.y) + fabs(n.z);
    double slack = 16 * LT_CCD_ROUNDING * size * reach + 1e-290; /* below it products may have underflowed */
    return separation * length * (1 + 16 * LT_CCD_ROUNDING) + slack;
}

/* Where advancement is. */
typedef struct advance {
    double time;
    lt_dvec3 normal; /* the direction that got it there */
    uint32_t count;
    bool knows_plane;
    lt_ccd_plane plane;
} advance;

/* As far as the direction of the nearest point gets. */
static bool advance_along(advance *a, const lt_ccd_polygon *polygon, const lt_ccd_nearest *nearest,
                          double separation) {
    double level = level_along(nearest->point, nearest->distance, polygon->reach, separation);
    double until = proven_until(polygon, nearest->point, level, a->time);
    a->count++;
    if (!(until > a->time)) return false;
    a->time = until;
    a->normal = nearest->point;
    return true;
}

/* As far as the polygon's own plane gets. */
static bool advance_off_plane(advance *a, const lt_ccd_polygon *polygon, double separation) {
    if (!a->knows_plane) lt_ccd_plane_make(&a->plane, polygon, separation);
    a->knows_plane = true;
    double until = lt_ccd_off_plane_until(&a->plane, a->time);
    if (!(until > a->time)) return false;
    a->time = until;
    if (until <= 1) a->normal = lt_d3_scale(lt_ccd_normal_at(polygon, until), a->plane.side);
    return true;
}

static bool subdivide_from(const lt_ccd_query *query, double separation, double time, double reach,
                           lt_ccd_result *out) {
    LT_ASSERT(time >= 0 && time <= 1);
    lt_ccd_effort effort = {time, NEAR_ENOUGH * reach, TIME_TOLERANCE, BOX_LIMIT};
    return lt_ccd_inclusion(query, separation, &effort, out);
}

/* False when it does not get on, or not within the bound. */
static bool advance_to_end(advance *a, const lt_ccd_polygon *polygon, double separation, lt_ccd_result *out) {
    double near_enough = separation + NEAR_ENOUGH * polygon->reach;
    while (a->count < ADVANCE_LIMIT) {
        lt_ccd_nearest nearest;
        lt_ccd_find_nearest(&nearest, polygon, a->time);
        if (!(nearest.distance > near_enough)) {
            lt_ccd_be_hit(out, polygon, a->time, &nearest, a->count > 0 ? &a->normal : NULL);
            return true;
        }
        bool on = advance_along(a, polygon, &nearest, separation);
        if (a->time <= 1 && (!on || a->count >= PLANE_AFTER))
            on = advance_off_plane(a, polygon, separation) || on;
        if (a->time > 1) {
            lt_ccd_be_apart(out);
            return true;
        }
        if (!on) return false;
    }
    return false;
}

bool lt_ccd_test(const lt_ccd_query *query, double separation, lt_ccd_result *out) {
    lt_ccd_polygon polygon;
    lt_ccd_polygon_make(&polygon, query);
    if (!(polygon.reach <= LT_CCD_REACH_LIMIT)) return lt_ccd_be_invalid(out);
    if (!(separation > 0)) separation = 0;
    double margin = level_along((lt_dvec3){1, 0, 0}, 1, polygon.reach, separation);
    if (axis_separates(&polygon, margin)) return lt_ccd_be_apart(out);
    advance a = {.count = 0};
    if (!advance_to_end(&a, &polygon, separation, out))
        subdivide_from(query, separation, a.time, polygon.reach, out);
    out->advance_count = a.count;
    return out->hit;
}
