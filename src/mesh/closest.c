/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Closest points by candidates: the inside, where the projection falls into it, else the best of the parts of
 * the border. Slower than sorting the regions out by signs, but a sliver can only make the answer a little
 * too far, never a point that is not on the triangle. */

#include "mesh/closest.h"

/* The parameter in [0, 1] of the point of s nearest to p; 0 when s is a point. */
static double segment_parameter(lt_dvec3 p, const lt_dvec3 s[2]) {
    lt_dvec3 along = lt_d3_sub(s[1], s[0]);
    double reach = lt_d3_dot(lt_d3_sub(p, s[0]), along), length_squared = lt_d3_dot(along, along);
    if (!(reach > 0)) return 0;
    return reach >= length_squared ? 1 : reach / length_squared;
}

static lt_dvec3 segment_point(const lt_dvec3 s[2], double t) {
    return t == 1 ? s[1] : lt_d3_mad(s[0], lt_d3_sub(s[1], s[0]), t);
}

static double distance_squared(lt_dvec3 a, lt_dvec3 b) {
    return lt_d3_length_squared(lt_d3_sub(a, b));
}

lt_closest_point lt_closest_on_segment(lt_dvec3 p, const lt_dvec3 s[2]) {
    double t = segment_parameter(p, s);
    lt_closest_point closest = {.point = segment_point(s, t), .weights = {1 - t, t, 0}};
    closest.distance_squared = distance_squared(p, closest.point);
    closest.feature = t == 0 ? LT_FEATURE_VERTEX_0 : t == 1 ? LT_FEATURE_VERTEX_1 : LT_FEATURE_EDGE_01;
    return closest;
}

static lt_closest_point closest_on_edges(lt_dvec3 p, const lt_dvec3 t[3]) {
    lt_closest_point best = {.distance_squared = INFINITY};
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        lt_closest_point edge = lt_closest_on_segment(p, (const lt_dvec3[2]){t[k], t[next]});
        if (k > 0 && !(edge.distance_squared < best.distance_squared)) continue;
        best = (lt_closest_point){.point = edge.point, .distance_squared = edge.distance_squared};
        best.weights[k] = edge.weights[0];
        best.weights[next] = edge.weights[1];
        best.feature = edge.feature == LT_FEATURE_VERTEX_0   ? (lt_feature)k
                       : edge.feature == LT_FEATURE_VERTEX_1 ? (lt_feature)next
                                                             : (lt_feature)(LT_FEATURE_EDGE_01 + k);
    }
    return best;
}

lt_closest_point lt_closest_on_triangle(lt_dvec3 p, const lt_dvec3 t[3]) {
    lt_dvec3 ab = lt_d3_sub(t[1], t[0]), ac = lt_d3_sub(t[2], t[0]), ap = lt_d3_sub(p, t[0]);
    lt_dvec3 normal = lt_d3_cross(ab, ac);
    double area_squared = lt_d3_dot(normal, normal);
    /* Twice the areas of (p, c, a) and (a, b, p) over that of (a, b, c), all seen along the normal. */
    double v = lt_d3_dot(lt_d3_cross(ap, ac), normal), w = lt_d3_dot(lt_d3_cross(ab, ap), normal);
    if (!(area_squared > 0 && v > 0 && w > 0 && v + w < area_squared)) return closest_on_edges(p, t);
    v /= area_squared;
    w /= area_squared;
    lt_closest_point closest = {.weights = {1 - v - w, v, w}, .feature = LT_FEATURE_FACE};
    closest.weights[0] = lt_max_d(closest.weights[0], 0);
    closest.point = lt_d3_mad(lt_d3_mad(t[0], ab, v), ac, w);
    closest.distance_squared = distance_squared(p, closest.point);
    return closest;
}

static lt_closest_pair pair_at(const lt_dvec3 a[2], double s, const lt_dvec3 b[2], double t) {
    lt_closest_pair pair = {{segment_point(a, s), segment_point(b, t)}, {s, t}, 0};
    pair.distance_squared = distance_squared(pair.points[0], pair.points[1]);
    return pair;
}

static void keep_nearer(lt_closest_pair *best, lt_closest_pair pair) {
    if (pair.distance_squared < best->distance_squared) *best = pair;
}

lt_closest_pair lt_closest_segments(const lt_dvec3 a[2], const lt_dvec3 b[2]) {
    lt_closest_pair best = pair_at(a, 0, b, segment_parameter(a[0], b));
    keep_nearer(&best, pair_at(a, 1, b, segment_parameter(a[1], b)));
    keep_nearer(&best, pair_at(a, segment_parameter(b[0], a), b, 0));
    keep_nearer(&best, pair_at(a, segment_parameter(b[1], a), b, 1));
    /* Both inside: the minimum of |a0 + s u - b0 - t v|^2, and t again from s to lose fewer digits. */
    lt_dvec3 u = lt_d3_sub(a[1], a[0]), v = lt_d3_sub(b[1], b[0]), r = lt_d3_sub(a[0], b[0]);
    double uu = lt_d3_dot(u, u), vv = lt_d3_dot(v, v), uv = lt_d3_dot(u, v);
    double determinant = uu * vv - uv * uv;
    double s = uv * lt_d3_dot(v, r) - vv * lt_d3_dot(u, r);
    if (!(determinant > 0 && s > 0 && s < determinant)) return best;
    s /= determinant;
    keep_nearer(&best, pair_at(a, s, b, segment_parameter(segment_point(a, s), b)));
    return best;
}

/* A quotient of rounded differences is right to 4e-16 of itself, and the bounds are widened by more than that. */
double lt_segment_box_entry(lt_dvec3 from, lt_dvec3 along, double limit, lt_box box) {
    double entry = 0, leave = limit;
    for (int axis = 0; axis < 3; axis++) {
        double begin = lt_d3_get(from, axis), way = lt_d3_get(along, axis);
        double lo = lt_v3_get(box.lo, axis), hi = lt_v3_get(box.hi, axis);
        if (way == 0) {
            if (begin < lo || begin > hi) return INFINITY;
            continue;
        }
        double in = ((way > 0 ? lo : hi) - begin) / way, out = ((way > 0 ? hi : lo) - begin) / way;
        entry = lt_max_d(entry, in > 0 ? in * (1 - 1e-15) : in);
        leave = lt_min_d(leave, out > 0 ? out * (1 + 1e-15) : out);
    }
    return entry <= leave ? entry : INFINITY;
}

/* Van Oosterom and Strackee (1983): tan(angle / 2) = det(a, b, c) / (|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|), a, b, c from the point. */
double lt_solid_angle(const lt_dvec3 t[3], lt_dvec3 p) {
    lt_dvec3 a = lt_d3_sub(t[0], p), b = lt_d3_sub(t[1], p), c = lt_d3_sub(t[2], p);
    double la = lt_d3_length(a), lb = lt_d3_length(b), lc = lt_d3_length(c);
    double determinant = lt_d3_dot(a, lt_d3_cross(b, c));
    double divisor = la * lb * lc + lt_d3_dot(a, b) * lc + lt_d3_dot(b, c) * la + lt_d3_dot(c, a) * lb;
    return 2 * atan2(determinant, divisor);
}
