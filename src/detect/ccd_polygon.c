/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The polygon of differences (ccd_internal.h): how it is made, its point nearest to the origin at a time, and results from it. */

#include "detect/ccd_internal.h"
#include "mesh/closest.h"

/* Farther than this part of the reach the nearest point tells the normal well. */
#define POINT_DECIDES 1e-9

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

/* Nearest points of edges, seen from the first point of the second. */
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
    LT_ASSERT(time >= 0 && time <= 1);
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
    LT_ASSERT(time >= 0 && time <= 1);
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
    LT_ASSERT(time >= 0 && time <= 1);
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
    LT_ASSERT(time >= 0 && time <= 1);
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
