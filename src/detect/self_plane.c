/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Planes between two tets: found where they are half way, then carried along by both.
 *
 * Whatever normals and origin are taken, what is evaluated is a proof for those: rounding of how they were
 * found makes it at worst fail. Only the shared edge must be in the plane to the last bit: its slack is that
 * of the triple product. */

#include "detect/self_internal.h"

#include <string.h>

/* ---- the hull ---- */

typedef struct extremes {
    uint32_t lowest, highest; /* of the points; highest of those with a weight */
    double low, high;
} extremes;

static extremes find_extremes(const lt_dvec3 *points, const double *weights, uint32_t count, lt_dvec3 z) {
    extremes e = {0, 0, 1e300, -1e300};
    for (uint32_t i = 0; i < count; i++) {
        double at = lt_d3_dot(points[i], z);
        if (at < e.low) {
            e.low = at;
            e.lowest = i;
        }
        if (weights[i] > 0 && at > e.high) {
            e.high = at;
            e.highest = i;
        }
    }
    return e;
}

/* Weight goes from the highest point to the lowest, as much as brings the sum nearest to the origin
 * (Mitchell, Demyanov and Malozemov 1974). */
bool lt_hull_gap_find(lt_hull_gap *out, const lt_dvec3 *points, uint32_t count, lt_hull_effort effort) {
    uint32_t first = 0;
    double reach = 0;
    for (uint32_t i = 0; i < count; i++) {
        out->weights[i] = 0;
        if (lt_d3_length_squared(points[i]) < lt_d3_length_squared(points[first])) first = i;
        reach = lt_max_d(reach, lt_d3_length_squared(points[i]));
    }
    out->weights[first] = 1;
    lt_dvec3 z = points[first];
    for (uint32_t step = 0;; step++) {
        extremes e = find_extremes(points, out->weights, count, z);
        double size = lt_d3_length_squared(z);
        if (!(size > effort.least * effort.least * reach)) return false; /* or NaN */
        if (e.low >= effort.quality * size || step == effort.step_limit || !(e.high > e.low)) {
            out->direction = lt_d3_scale(z, 1 / sqrt(size));
            out->margin = e.low / sqrt(size);
            return e.low > 1e-9 * size;
        }
        lt_dvec3 way = lt_d3_sub(points[e.lowest], points[e.highest]);
        double part = lt_min_d(out->weights[e.highest], (e.high - e.low) / lt_d3_length_squared(way));
        out->weights[e.highest] -= part;
        out->weights[e.lowest] += part;
        z = lt_d3_mad(z, way, part);
    }
}

/* ---- two hulls ---- */

/* Corners of one of two tets that share nothing, and the point of it that is taken for the nearest. */
typedef struct near_side {
    const lt_dvec3 *corners;
    double *weights;  /* [4] of the point */
    uint32_t lowest;  /* along the way to the other */
    uint32_t highest; /* of those with a weight */
    double low, high;
} near_side;

static void look_along(near_side *side, lt_dvec3 way) {
    side->low = 1e300;
    side->high = -1e300;
    for (uint32_t i = 0; i < 4; i++) {
        double at = lt_d3_dot(side->corners[i], way);
        if (at < side->low) {
            side->low = at;
            side->lowest = i;
        }
        if (side->weights[i] > 0 && at > side->high) {
            side->high = at;
            side->highest = i;
        }
    }
}

/* Weight from the highest to the lowest corner, as above. Returns how the point moves. */
static lt_dvec3 move_lower(const near_side *side) {
    lt_dvec3 way = lt_d3_sub(side->corners[side->lowest], side->corners[side->highest]);
    if (!(side->high > side->low)) return (lt_dvec3){0, 0, 0};
    double part =
        lt_min_d(side->weights[side->highest], (side->high - side->low) / lt_d3_length_squared(way));
    side->weights[side->highest] -= part;
    side->weights[side->lowest] += part;
    return lt_d3_scale(way, part);
}

static lt_dvec3 middle_of(const lt_dvec3 corners[4]) {
    return lt_d3_add(lt_d3_add(corners[0], corners[1]), lt_d3_add(corners[2], corners[3]));
}

/* One corner of each, as near as the way between the middles tells. Returns about the largest difference, squared. */
static double begin_sides(near_side *a, near_side *b, double weights[8]) {
    lt_dvec3 way = lt_d3_sub(middle_of(a->corners), middle_of(b->corners));
    for (int k = 0; k < 8; k++)
        weights[k] = 1;
    look_along(a, way);
    look_along(b, lt_d3_neg(way));
    for (int k = 0; k < 8; k++)
        weights[k] = 0;
    a->weights[a->lowest] = b->weights[b->lowest] = 1;
    return lt_d3_length_squared(lt_d3_sub(a->corners[a->highest], b->corners[b->highest]));
}

/* As lt_hull_gap_find of all differences of two corners, which are a point of the one less a point of the other: eight corners are
 * looked at instead of sixteen differences, and both points move in a step. */
static bool two_hulls_gap(lt_hull_gap *out, const lt_dvec3 a[4], const lt_dvec3 b[4], lt_hull_effort effort) {
    lt_dvec3 corners[8]; /* from one of them, so that rounding is that of their own size */
    for (int k = 0; k < 4; k++) {
        corners[k] = lt_d3_sub(a[k], a[0]);
        corners[4 + k] = lt_d3_sub(b[k], a[0]);
    }
    near_side first = {.corners = corners, .weights = out->weights};
    near_side second = {.corners = corners + 4, .weights = out->weights + 4};
    double reach = begin_sides(&first, &second, out->weights);
    lt_dvec3 z = lt_d3_sub(corners[first.lowest], corners[4 + second.lowest]);
    for (uint32_t step = 0;; step++) {
        look_along(&first, z);
        look_along(&second, lt_d3_neg(z));
        double size = lt_d3_length_squared(z), low = first.low + second.low;
        if (!(size > effort.least * effort.least * reach)) return false; /* or NaN */
        if (low >= effort.quality * size || step == effort.step_limit || !(first.high + second.high > low)) {
            out->direction = lt_d3_scale(z, 1 / sqrt(size));
            out->margin = low / sqrt(size);
            return low > 1e-9 * size;
        }
        z = lt_d3_add(z, move_lower(&first));
        look_along(&second, lt_d3_neg(z));
        z = lt_d3_sub(z, move_lower(&second));
    }
}

/* ---- two tets ---- */

uint32_t lt_tet_pair_order(const uint32_t *a, const uint32_t *b, uint32_t order_a[4], uint32_t order_b[4]) {
    uint32_t count = 0, taken_a = 0, taken_b = 0, rest_a, rest_b;
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = 0; k < 4; k++)
            if (a[i] == b[k]) {
                order_a[count] = i;
                order_b[count++] = k;
                taken_a |= 1u << i;
                taken_b |= 1u << k;
            }
    rest_a = rest_b = count;
    for (uint32_t i = 0; i < 4; i++) {
        if (!(taken_a >> i & 1)) order_a[rest_a++] = i;
        if (!(taken_b >> i & 1)) order_b[rest_b++] = i;
    }
    return count;
}

static lt_dvec3 across(lt_dvec3 x, lt_dvec3 axis) {
    return lt_d3_mad(x, axis, -lt_d3_dot(x, axis));
}

/* Unit vectors from what is shared to the other corners of a, and from those of b. */
static uint32_t spread_from_shared(lt_dvec3 *out, const lt_dvec3 a[4], const lt_dvec3 b[4],
                                   uint32_t shared_count) {
    lt_dvec3 none = {0, 0, 0};
    lt_dvec3 edge = shared_count == 2 ? lt_d3_normalize_or(lt_d3_sub(a[1], a[0]), none) : none;
    uint32_t count = 0;
    for (uint32_t i = shared_count; i < 4; i++) {
        out[count++] = lt_d3_normalize_or(across(lt_d3_sub(a[i], a[0]), edge), none);
        out[count++] = lt_d3_normalize_or(across(lt_d3_sub(a[0], b[i]), edge), none);
    }
    return count;
}

/* From those of differences to those of corners. */
static void sum_weights(double weights[LT_HULL_POINTS]) {
    double sums[8] = {0};
    for (uint32_t i = 0; i < LT_HULL_POINTS; i++) {
        sums[i / 4] += weights[i];
        sums[4 + i % 4] += weights[i];
    }
    memcpy(weights, sums, sizeof sums);
}

bool lt_tet_pair_gap(lt_hull_gap *out, const lt_dvec3 a[4], const lt_dvec3 b[4], uint32_t shared_count,
                     lt_hull_effort effort) {
    lt_dvec3 points[LT_HULL_POINTS];
    if (shared_count > 0)
        return lt_hull_gap_find(out, points, spread_from_shared(points, a, b, shared_count), effort);
    if (effort.in_turn) return two_hulls_gap(out, a, b, effort);
    for (uint32_t i = 0; i < LT_HULL_POINTS; i++)
        points[i] = lt_d3_sub(a[i / 4], b[i % 4]);
    bool found = lt_hull_gap_find(out, points, LT_HULL_POINTS, effort);
    sum_weights(out->weights);
    return found;
}

/* ---- planes that move ---- */

typedef struct moving_plane {
    lt_dvec3 normals[3]; /* Bernstein coefficients */
    lt_dvec3 origins[2];
    double level; /* what a side must have */
} moving_plane;

static double reach_of(const lt_tet_pair *pair, const lt_dvec3 origins[2]) {
    double reach = 0;
    for (int end = 0; end < 2; end++)
        for (int k = 0; k < 4; k++) {
            reach = lt_max_d(reach, lt_d3_length_squared(lt_d3_sub(pair->a[end][k], origins[end])));
            reach = lt_max_d(reach, lt_d3_length_squared(lt_d3_sub(pair->b[end][k], origins[end])));
        }
    return sqrt(reach);
}

static double plane_length(const moving_plane *plane) {
    double most = 0;
    for (int i = 0; i < 3; i++)
        most = lt_max_d(most, lt_d3_length_squared(plane->normals[i]));
    return sqrt(most);
}

/* The least Bernstein coefficient of n · (x - o), a cubic. */
static double least_side(const moving_plane *plane, lt_dvec3 start, lt_dvec3 end, double sign) {
    lt_dvec3 r0 = lt_d3_sub(start, plane->origins[0]), r1 = lt_d3_sub(end, plane->origins[1]);
    const lt_dvec3 *n = plane->normals;
    double c0 = sign * lt_d3_dot(n[0], r0);
    double c1 = sign * (2 * lt_d3_dot(n[1], r0) + lt_d3_dot(n[0], r1)) / 3;
    double c2 = sign * (2 * lt_d3_dot(n[1], r1) + lt_d3_dot(n[2], r0)) / 3;
    double c3 = sign * lt_d3_dot(n[2], r1);
    return lt_min_d(lt_min_d(c0, c1), lt_min_d(c2, c3));
}

static bool separates(const moving_plane *plane, const lt_tet_pair *pair) {
    for (uint32_t k = pair->shared_count; k < 4; k++)
        if (!(least_side(plane, pair->a[0][k], pair->a[1][k], 1) > plane->level) ||
            !(least_side(plane, pair->b[0][k], pair->b[1][k], -1) > plane->level))
            return false;
    return true;
}

static void set_normals(moving_plane *plane, const lt_dvec3 u[2], const lt_dvec3 v[2]) {
    plane->normals[0] = lt_d3_cross(u[0], v[0]);
    plane->normals[1] = lt_d3_scale(lt_d3_add(lt_d3_cross(u[0], v[1]), lt_d3_cross(u[1], v[0])), 0.5);
    plane->normals[2] = lt_d3_cross(u[1], v[1]);
}

/* What a tet makes of a vector that is there half way, at an end; added to *sum. */
static void carry(lt_dvec3 sum[2], const lt_tet_motion *motion, lt_dvec3 vector) {
    const lt_dmat3 *f = motion->gradients;
    lt_dmat3 middle = lt_dm3_scale(lt_dm3_add(f[0], f[1]), 0.5);
    lt_dvec3 at_rest = lt_dm3_mul_vec(lt_dm3_inverse(middle), vector);
    for (int end = 0; end < 2; end++)
        sum[end] = lt_d3_add(sum[end], lt_dm3_mul_vec(f[end], at_rest));
}

static void carry_by_both(lt_dvec3 out[2], const lt_tet_motion *a, const lt_tet_motion *b, lt_dvec3 vector) {
    out[0] = out[1] = (lt_dvec3){0, 0, 0};
    carry(out, a, vector);
    carry(out, b, vector);
}

static double product_of(const lt_dvec3 u[2], const lt_dvec3 v[2]) {
    return (lt_d3_length_squared(u[0]) + lt_d3_length_squared(u[1])) *
           (lt_d3_length_squared(v[0]) + lt_d3_length_squared(v[1]));
}

static lt_dvec3 any_across(lt_dvec3 n) {
    lt_dvec3 axis = fabs(n.x) < 0.6 ? (lt_dvec3){1, 0, 0} : (lt_dvec3){0, 1, 0};
    return lt_d3_cross(n, axis);
}

/* Half way between the nearest points of the two. */
static void set_origins(lt_dvec3 origins[2], const lt_tet_pair *pair, const lt_hull_gap *gap) {
    for (int end = 0; end < 2; end++) {
        origins[end] = pair->a[end][0];
        if (pair->shared_count > 0) continue;
        lt_dvec3 sum = {0, 0, 0};
        for (uint32_t k = 0; k < 4; k++) {
            sum = lt_d3_mad(sum, pair->a[end][k], 0.5 * gap->weights[k]);
            sum = lt_d3_mad(sum, pair->b[end][k], 0.5 * gap->weights[4 + k]);
        }
        origins[end] = sum;
    }
}

static void set_level(moving_plane *plane, const lt_tet_pair *pair, double size, double separation) {
    plane->level = 1e-12 * size * reach_of(pair, plane->origins);
    plane->level += 0.5 * separation * plane_length(plane);
}

/* Of tets that share an edge: e(t) × v(t). */
static bool edge_plane_separates(const lt_tet_pair *pair, const lt_dvec3 v[2], double separation) {
    moving_plane plane = {.origins = {pair->a[0][0], pair->a[1][0]}};
    lt_dvec3 u[2];
    for (int end = 0; end < 2; end++)
        u[end] = lt_d3_sub(pair->a[end][1], pair->a[end][0]);
    set_normals(&plane, u, v);
    set_level(&plane, pair, sqrt(product_of(u, v)), separation);
    return separates(&plane, pair);
}

/* A normal that stands still, n · x at both ends. */
static bool normal_separates(const lt_tet_pair *pair, lt_dvec3 n, double separation) {
    double level = separation * lt_d3_length(n), least = 1e300;
    for (int end = 0; end < 2; end++) {
        double low = 1e300, high = -1e300, origin = lt_d3_dot(n, pair->a[end][0]);
        for (uint32_t k = pair->shared_count; k < 4; k++) {
            low = lt_min_d(low, lt_d3_dot(n, pair->a[end][k]) - origin);
            high = lt_max_d(high, lt_d3_dot(n, pair->b[end][k]) - origin);
        }
        if (pair->shared_count == 0) low = lt_min_d(low, 0);
        least = lt_min_d(least, pair->shared_count ? 2 * lt_min_d(low, -high) : low - high);
    }
    return least > level;
}

/* n goes with the cofactor of the gradient half way, the mean of the two. */
bool lt_tet_pair_is_still_apart(const lt_tet_pair *pair, const lt_tet_motion *a, const lt_tet_motion *b,
                                lt_vec3 direction, double separation) {
    lt_dmat3 sum = lt_dm3_add(lt_dm3_add(a->gradients[0], a->gradients[1]),
                              lt_dm3_add(b->gradients[0], b->gradients[1]));
    lt_dvec3 n = lt_dm3_mul_vec(lt_dm3_cofactor(sum), lt_d3_from_v3(direction));
    if (pair->shared_count < 2) return normal_separates(pair, n, separation);
    lt_dvec3 v = lt_d3_cross(n, lt_d3_sub(pair->a[0][1], pair->a[0][0]));
    return edge_plane_separates(pair, (lt_dvec3[2]){v, v}, separation);
}

/* Whether the plane across a direction, half way, lasts when it goes with both. */
static bool gap_lasts(const lt_tet_pair *pair, const lt_tet_motion *a, const lt_tet_motion *b,
                      const lt_hull_gap *gap, double separation) {
    lt_dvec3 u[2], v[2], n = gap->direction;
    if (pair->shared_count == 2) {
        lt_dvec3 edge =
            lt_d3_add(lt_d3_sub(pair->a[0][1], pair->a[0][0]), lt_d3_sub(pair->a[1][1], pair->a[1][0]));
        carry_by_both(v, a, b, lt_d3_cross(n, edge));
        return edge_plane_separates(pair, v, separation);
    }
    if (normal_separates(pair, n, separation)) return true;
    moving_plane plane;
    set_origins(plane.origins, pair, gap);
    carry_by_both(u, a, b, any_across(n));
    carry_by_both(v, a, b, lt_d3_cross(n, any_across(n)));
    set_normals(&plane, u, v);
    set_level(&plane, pair, sqrt(product_of(u, v)), separation);
    return separates(&plane, pair);
}

bool lt_tet_pair_stays_apart(const lt_tet_pair *pair, const lt_tet_motion *a, const lt_tet_motion *b,
                             double separation) {
    const lt_hull_effort efforts[2] = {LT_EFFORT_FIRST, LT_EFFORT_SECOND};
    lt_dvec3 middle_a[4], middle_b[4];
    for (int k = 0; k < 4; k++) {
        middle_a[k] = lt_d3_scale(lt_d3_add(pair->a[0][k], pair->a[1][k]), 0.5);
        middle_b[k] = lt_d3_scale(lt_d3_add(pair->b[0][k], pair->b[1][k]), 0.5);
    }
    if (pair->shared_count == 0 && /* most that are far from each other */
        normal_separates(pair, lt_d3_sub(middle_of(middle_a), middle_of(middle_b)), separation))
        return true;
    for (int i = 0; i < 2; i++) {
        lt_hull_gap gap;
        if (!lt_tet_pair_gap(&gap, middle_a, middle_b, pair->shared_count, efforts[i])) return false;
        if (gap_lasts(pair, a, b, &gap, separation)) return true;
    }
    return false;
}
