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
#include "mesh/closest.h"

enum { ADVANCE_LIMIT = 32, PLANE_AFTER = 2, BOX_LIMIT = 512 };

/* Nearer than this part of the reach, beyond the separation, is a hit: the direction is not to be had from less. */
#define NEAR_ENOUGH 1e-8
/* Farther than this part of the reach the nearest point tells the normal well. */
#define POINT_DECIDES 1e-9
/* Of subdivision. */
#define TIME_TOLERANCE 1e-3

extern lt_ccd_may_meet lt_ccd_may_meet_scalar, lt_ccd_may_meet_wide4, lt_ccd_may_meet_avx2;

lt_ccd_may_meet *lt_ccd_may_meet_for(lt_simd_level level) {
    static lt_ccd_may_meet *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_ccd_may_meet);
    return table[level];
}

/* ---- the polygon ---- */

static lt_dvec3 at_time(lt_dvec3 start, lt_dvec3 end, double time) {
    return lt_d3_mad(start, lt_d3_sub(end, start), time);
}

static double largest_coordinate(lt_dvec3 a) {
    return lt_max_d(lt_max_d(fabs(a.x), fabs(a.y)), fabs(a.z));
}

static void set_corner(lt_ccd_polygon *polygon, const lt_ccd_query *query, int k, int a, int b) {
    polygon->start[k] = lt_d3_sub(query->start[a], query->start[b]);
    polygon->end[k] = lt_d3_sub(query->end[a], query->end[b]);
}

void lt_ccd_polygon_make(lt_ccd_polygon *out, const lt_ccd_query *query) {
    out->kind = query->kind;
    out->corner_count = query->kind == LT_CCD_VERTEX_FACE ? 3 : 4;
    if (query->kind == LT_CCD_VERTEX_FACE) {
        for (int k = 0; k < 3; k++)
            set_corner(out, query, k, 0, k + 1);
    } else {
        set_corner(out, query, 0, 0, 2);
        set_corner(out, query, 1, 1, 2);
        set_corner(out, query, 2, 1, 3);
        set_corner(out, query, 3, 0, 3);
    }
    out->reach = 0;
    bool finite = true;
    for (int k = 0; k < out->corner_count; k++) {
        out->reach = lt_max_d(out->reach, largest_coordinate(out->start[k]));
        out->reach = lt_max_d(out->reach, largest_coordinate(out->end[k]));
        finite = finite && lt_d3_is_finite(out->start[k]) && lt_d3_is_finite(out->end[k]);
    }
    if (!finite) out->reach = INFINITY;
}

static void find_nearest_on_triangle(lt_ccd_nearest *out, const lt_dvec3 c[3]) {
    lt_closest_point closest = lt_closest_on_triangle((lt_dvec3){0, 0, 0}, c);
    out->point = closest.point;
    out->distance = lt_sqrt_of_double(closest.distance_squared);
    out->weights[0] = 1;
    for (int k = 0; k < 3; k++)
        out->weights[k + 1] = closest.weights[k];
}

/* Of edges seen from the first point of the second. */
static void find_nearest_of_edges(lt_ccd_nearest *out, const lt_dvec3 c[4]) {
    const lt_dvec3 a[2] = {c[0], c[1]}, b[2] = {{0, 0, 0}, lt_d3_sub(c[0], c[3])};
    lt_closest_pair closest = lt_closest_segments(a, b);
    out->point = lt_d3_sub(closest.points[0], closest.points[1]);
    out->distance = lt_sqrt_of_double(closest.distance_squared);
    for (int side = 0; side < 2; side++) {
        out->weights[2 * side] = 1 - closest.parameters[side];
        out->weights[2 * side + 1] = closest.parameters[side];
    }
}

void lt_ccd_find_nearest(lt_ccd_nearest *out, const lt_ccd_polygon *polygon, double time) {
    lt_dvec3 corners[4];
    for (int k = 0; k < polygon->corner_count; k++)
        corners[k] = at_time(polygon->start[k], polygon->end[k], time);
    if (polygon->kind == LT_CCD_VERTEX_FACE)
        find_nearest_on_triangle(out, corners);
    else
        find_nearest_of_edges(out, corners);
}

/* ---- results ---- */

/* The way the nearest points move against each other. */
static lt_dvec3 relative_motion(const lt_ccd_polygon *polygon, const double w[4]) {
    double of_corner[4] = {w[1], w[2], w[3], 0};
    if (polygon->kind == LT_CCD_EDGE_EDGE) {
        of_corner[0] = w[0] * w[2];
        of_corner[1] = w[1] * w[2];
        of_corner[2] = w[1] * w[3];
        of_corner[3] = w[0] * w[3];
    }
    lt_dvec3 motion = {0, 0, 0};
    for (int k = 0; k < polygon->corner_count; k++)
        motion = lt_d3_mad(motion, lt_d3_sub(polygon->end[k], polygon->start[k]), of_corner[k]);
    return motion;
}

lt_dvec3 lt_ccd_normal_at(const lt_ccd_polygon *polygon, double time) {
    const int ends[3] = {0, 1, polygon->corner_count - 1};
    lt_dvec3 c[3];
    for (int i = 0; i < 3; i++)
        c[i] = at_time(polygon->start[ends[i]], polygon->end[ends[i]], time);
    lt_dvec3 u = lt_d3_sub(c[1], c[0]), v = lt_d3_sub(c[2], c[0]), normal = lt_d3_cross(u, v);
    bool flat = !(lt_d3_length(normal) > 1e-9 * lt_d3_length(u) * lt_d3_length(v));
    return flat ? (lt_dvec3){0, 0, 0} : normal;
}

/* A normal where the two touch already: that of the polygon's plane, on the side they come from; what is flat is met
 * head on. */
static lt_dvec3 normal_of_touching(const lt_ccd_polygon *polygon, double time, const double weights[4]) {
    lt_dvec3 normal = lt_ccd_normal_at(polygon, time), motion = relative_motion(polygon, weights);
    if (!(largest_coordinate(normal) > 0)) return lt_d3_neg(motion);
    return lt_d3_dot(normal, motion) > 0 ? lt_d3_neg(normal) : normal;
}

bool lt_ccd_be_apart(lt_ccd_result *out) {
    *out = (lt_ccd_result){.outcome = LT_CCD_APART, .time = 1, .distance = INFINITY};
    return false;
}

bool lt_ccd_be_invalid(lt_ccd_result *out) {
    *out = (lt_ccd_result){.hit = true, .outcome = LT_CCD_INVALID, .normal = {0, 0, 1}};
    return true;
}

void lt_ccd_be_hit(lt_ccd_result *out, const lt_ccd_polygon *polygon, double time,
                   const lt_ccd_nearest *nearest, const lt_dvec3 *normal) {
    *out = (lt_ccd_result){.hit = true, .outcome = LT_CCD_MEET, .time = time, .distance = nearest->distance};
    for (int k = 0; k < 4; k++)
        out->weights[k] = nearest->weights[k];
    lt_dvec3 along = nearest->point;
    if (normal && largest_coordinate(*normal) > 0)
        along = *normal;
    else if (!(out->distance > POINT_DECIDES * polygon->reach))
        along = normal_of_touching(polygon, time, nearest->weights);
    double size = largest_coordinate(along); /* first, lest a square underflows */
    if (size > 0) along = lt_d3_scale(along, 1 / size);
    out->normal = lt_d3_normalize_or(along, (lt_dvec3){0, 0, 1});
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
