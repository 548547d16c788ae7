/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inside the continuous tests: the polygon of differences, and what is found on it.
 *
 *   vertex p, face t:  corners p - t0, p - t1, p - t2
 *   edges a, b:        corners a0 - b0, a1 - b0, a1 - b1, a0 - b1, in this order round the parallelogram
 *
 * A corner is the rounded difference of two given numbers, hence right to one part in 2^53 of itself, wherever the origin
 * of the world is. That is the only rounding of the input. */

#ifndef LITHE_DETECT_CCD_INTERNAL_H
#define LITHE_DETECT_CCD_INTERNAL_H

#include "detect/ccd.h"

/* 2^-53: half a unit in the last place of 1. */
#define LT_CCD_ROUNDING 1.1102230246251565e-16

typedef struct lt_ccd_polygon {
    lt_ccd_kind kind;
    int corner_count; /* 3 or 4 */
    lt_dvec3 start[4], end[4];
    double reach; /* no coordinate of a corner is larger; infinite or NaN when the query is not valid */
} lt_ccd_polygon;

/* Differences of points larger than this, or a reach that is NaN, make a query invalid: fourth powers must not overflow. */
#define LT_CCD_REACH_LIMIT 1e70

void lt_ccd_polygon_make(lt_ccd_polygon *out, const lt_ccd_query *query);

/* The point of the polygon that is nearest to the origin at a time: it is the normal times the distance. */
typedef struct lt_ccd_nearest {
    lt_dvec3 point;
    double distance;
    double weights[4];
} lt_ccd_nearest;
void lt_ccd_find_nearest(lt_ccd_nearest *out, const lt_ccd_polygon *polygon, double time);
/* Of its plane, not unit; zero when the polygon is (nearly) a line. */
lt_dvec3 lt_ccd_normal_at(const lt_ccd_polygon *polygon, double time);

/* The plane of the polygon over time: Bernstein coefficients. */
typedef struct lt_ccd_plane {
    double distances[4]; /* of its distance from the origin, signed, times twice the polygon's area */
    lt_dvec3 normals[3]; /* of its normal, as long as that */
    double separation;
    double slack; /* more than any surplus below can be wrong by */
    double side;  /* +1 or -1: where along the normal the plane was when it was last asked */
} lt_ccd_plane;
void lt_ccd_plane_make(lt_ccd_plane *out, const lt_ccd_polygon *polygon, double separation);
/* How long, from `time`, the plane is proven to be farther from the origin than the separation; `time` when it is not so
 * then, 2 when it is so to the end. */
double lt_ccd_off_plane_until(lt_ccd_plane *plane, double time);

/* Results. A hit is LT_CCD_MEET; `normal` need not be unit, NULL or zero: from the polygon at that time. */
bool lt_ccd_be_apart(lt_ccd_result *out);
bool lt_ccd_be_invalid(lt_ccd_result *out);
void lt_ccd_be_hit(lt_ccd_result *out, const lt_ccd_polygon *polygon, double time,
                   const lt_ccd_nearest *nearest, const lt_dvec3 *normal);

#endif
