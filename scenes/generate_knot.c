/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The torus knot: a tube around
 *     c(t) = ((R + r cos qt) cos pt, r sin qt, (R + r cos qt) sin pt),   0 <= t < 2 pi
 * with rings at equal arc length.
 *
 * The rings must not twist against each other more than the curve forces them to, or the quads shear. The
 * frame is carried along by double reflection (Wang, Juettler, Zheng, Liu: Computation of rotation
 * minimizing frames, 2008); what angle is missing when it comes back to its start is spread evenly over
 * the rings, so that the tube closes without a jump.
 *
 * Filled with tets, the tube has rings of six corners and one in the middle, and is cut as the tet torus is. */

#include "bake/put_elements.h"
#include "scenes/generate.h"
#include "scenes/trigonometry.h"

/* Samples of arc length, and of the test whether the tube touches itself. */
#define ARC_SAMPLES   8192
#define TOUCH_SAMPLES 512

static lt_dvec3 curve_point(const lt_torus_knot_params *k, double t) {
    double sine_p, cosine_p, sine_q, cosine_q;
    lt_sin_cos(k->p * t, &sine_p, &cosine_p);
    lt_sin_cos(k->q * t, &sine_q, &cosine_q);
    double reach = k->major_radius + k->minor_radius * cosine_q;
    return (lt_dvec3){reach * cosine_p, k->minor_radius * sine_q, reach * sine_p};
}

static lt_dvec3 curve_tangent(const lt_torus_knot_params *k, double t) {
    double sine_p, cosine_p, sine_q, cosine_q;
    lt_sin_cos(k->p * t, &sine_p, &cosine_p);
    lt_sin_cos(k->q * t, &sine_q, &cosine_q);
    double reach = k->major_radius + k->minor_radius * cosine_q, change = -k->minor_radius * k->q * sine_q;
    lt_dvec3 d = {change * cosine_p - reach * k->p * sine_p, k->minor_radius * k->q * cosine_q,
                  change * sine_p + reach * k->p * cosine_p};
    return lt_d3_scale(d, 1.0 / lt_d3_length(d));
}

/* lengths[i] = arc from t = 0 to sample i; lengths[ARC_SAMPLES] is the whole. */
static void measure_arc(const lt_torus_knot_params *k, double *lengths) {
    lt_dvec3 before = curve_point(k, 0.0);
    lengths[0] = 0.0;
    for (uint32_t i = 1; i <= ARC_SAMPLES; i++) {
        lt_dvec3 at = curve_point(k, 2.0 * LT_PI * (i % ARC_SAMPLES) / ARC_SAMPLES);
        lengths[i] = lengths[i - 1] + lt_d3_distance(before, at);
        before = at;
    }
}

/* t at the given arc length; *cursor only moves forward. */
static double parameter_at(const double *lengths, double arc, uint32_t *cursor) {
    while (*cursor + 1 < ARC_SAMPLES && lengths[*cursor + 1] <= arc)
        (*cursor)++;
    double from = lengths[*cursor], to = lengths[*cursor + 1];
    return 2.0 * LT_PI * (*cursor + (arc - from) / (to - from)) / ARC_SAMPLES;
}

/* Two places of the curve whose arc between them is longer than a half turn of a tube bent as sharply as
 * it can be must be two tube radii apart; nearer along the arc, the bend itself must not be too sharp. */
static bool tube_touches_itself(const lt_torus_knot_params *k, const double *lengths) {
    lt_dvec3 points[TOUCH_SAMPLES];
    double arcs[TOUCH_SAMPLES], whole = lengths[ARC_SAMPLES];
    for (uint32_t i = 0; i < TOUCH_SAMPLES; i++) {
        points[i] = curve_point(k, 2.0 * LT_PI * i / TOUCH_SAMPLES);
        arcs[i] = lengths[i * (ARC_SAMPLES / TOUCH_SAMPLES)];
    }
    for (uint32_t i = 0; i < TOUCH_SAMPLES; i++) {
        uint32_t next = (i + 1) % TOUCH_SAMPLES;
        lt_dvec3 turn = lt_d3_sub(curve_tangent(k, 2.0 * LT_PI * next / TOUCH_SAMPLES),
                                  curve_tangent(k, 2.0 * LT_PI * i / TOUCH_SAMPLES));
        double step = lt_d3_distance(points[i], points[next]);
        if (lt_d3_length(turn) * k->tube_radius >= step) return true;
        for (uint32_t j = i + 1; j < TOUCH_SAMPLES; j++) {
            double arc = arcs[j] - arcs[i];
            if (lt_min_d(arc, whole - arc) <= LT_PI * k->tube_radius) continue;
            if (lt_d3_distance(points[i], points[j]) <= 2.0 * k->tube_radius) return true;
        }
    }
    return false;
}

/* The divisor m >= 3 of `half`, with half / m >= 3, that is nearest to `ideal` by ratio and within a factor
 * of two of it; 0 when there is none. */
static uint32_t best_divisor(uint32_t half, double ideal) {
    uint32_t best = 0;
    double best_ratio = 2.0;
    for (uint32_t m = 3; m <= 2.0 * ideal && m <= half / 3; m++) {
        if (half % m != 0) continue;
        double ratio = m > ideal ? m / ideal : ideal / m;
        if (ratio < best_ratio) best = m, best_ratio = ratio;
    }
    return best;
}

/* Rings of how many vertices: see the header. Square cells need length / rings = 2 pi tube / around. */
static void choose_grid(const lt_torus_knot_params *k, double length, uint32_t *rings, uint32_t *around) {
    uint32_t half = k->triangle_count / 2;
    double ideal = sqrt(half * 2.0 * LT_PI * k->tube_radius / length);
    ideal = lt_max_d(ideal, 3.0);
    for (uint32_t away = 0;; away++)
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t tried = side ? half - lt_min_u32(away, half) : half + away;
            *around = best_divisor(tried, ideal);
            if (*around == 0) continue;
            *rings = tried / *around;
            return;
        }
}

static lt_dvec3 reflect(lt_dvec3 a, lt_dvec3 mirror, double mirror_squared) {
    return lt_d3_mad(a, mirror, -2.0 * lt_d3_dot(mirror, a) / mirror_squared);
}

/* `normal` at (x0, t0) carried to (x1, t1). */
static lt_dvec3 carry_normal(lt_dvec3 normal, lt_dvec3 x0, lt_dvec3 t0, lt_dvec3 x1, lt_dvec3 t1) {
    lt_dvec3 step = lt_d3_sub(x1, x0);
    double step_squared = lt_d3_length_squared(step);
    lt_dvec3 tangent = reflect(t0, step, step_squared), mirror = lt_d3_sub(t1, tangent);
    double mirror_squared = lt_d3_length_squared(mirror);
    normal = reflect(normal, step, step_squared);
    if (mirror_squared > 1e-30) normal = reflect(normal, mirror, mirror_squared);
    normal = lt_d3_mad(normal, t1, -lt_d3_dot(normal, t1)); /* rounding must not add up over the rings */
    return lt_d3_scale(normal, 1.0 / lt_d3_length(normal));
}

typedef struct ring {
    lt_dvec3 centre, tangent, normal;
} ring;

/* Fills rings[0 … count] (the last is the first again) and returns the angle missing at the closing. */
static double carry_frames(const lt_torus_knot_params *k, const double *lengths, ring *rings,
                           uint32_t count) {
    uint32_t cursor = 0;
    for (uint32_t r = 0; r <= count; r++) {
        double t = r < count ? parameter_at(lengths, lengths[ARC_SAMPLES] * r / count, &cursor) : 0.0;
        rings[r].centre = curve_point(k, t);
        rings[r].tangent = curve_tangent(k, t);
        if (r > 0)
            rings[r].normal = carry_normal(rings[r - 1].normal, rings[r - 1].centre, rings[r - 1].tangent,
                                           rings[r].centre, rings[r].tangent);
        else /* any start does: across the tangent, away from the axis, where t = 0 is */
            rings[r].normal = lt_d3_make(1, 0, 0);
    }
    lt_dvec3 side = lt_d3_cross(rings[0].tangent, rings[count].normal);
    return lt_angle_of(lt_d3_dot(side, rings[0].normal), lt_d3_dot(rings[count].normal, rings[0].normal));
}

/* The corner of a ring that is turned by `angle` from its normal. */
static lt_dvec3 ring_corner(const ring *at, double radius, double angle) {
    double sine, cosine;
    lt_sin_cos(angle, &sine, &cosine);
    lt_dvec3 side = lt_d3_cross(at->tangent, at->normal);
    lt_dvec3 p = lt_d3_mad(at->centre, at->normal, radius * cosine);
    return lt_d3_mad(p, side, radius * sine);
}

static void fill_tube(lt_surface *out, const ring *rings, uint32_t count, uint32_t around, double radius,
                      double missing) {
    uint32_t *corner = out->triangles;
    for (uint32_t r = 0; r < count; r++) {
        for (uint32_t s = 0; s < around; s++)
            out->positions[r * around + s] =
                lt_v3_from_d3(ring_corner(&rings[r], radius, 2.0 * LT_PI * s / around + missing * r / count));
        uint32_t next = r + 1 < count ? r + 1 : 0;
        corner = lt_put_ring_wall(corner, r * around, next * around, around);
    }
}

static lt_status check_knot(const lt_torus_knot_params *k, lt_error *error) {
    lt_status status = lt_check_torus("torus knot", k->major_radius, k->minor_radius, error);
    if (status == LT_OK) status = lt_check_length("torus knot", "tube radius", k->tube_radius, error);
    if (status == LT_OK) status = lt_check_count("torus knot", "turns p", k->p, 1, 32, error);
    if (status == LT_OK) status = lt_check_count("torus knot", "turns q", k->q, 1, 32, error);
    if (status != LT_OK) return status;
    uint32_t a = k->p, b = k->q;
    while (b != 0) {
        uint32_t rest = a % b;
        a = b, b = rest;
    }
    if (a == 1) return LT_OK;
    return lt_fail(error, LT_STATUS_INVALID,
                   "torus knot: p = %u and q = %u share the factor %u: take coprime ones", k->p, k->q, a);
}

/* The arc of a knot whose tube has room; *lengths is NULL on failure. */
static lt_status measure_knot(double **lengths, const lt_torus_knot_params *k, const lt_allocator *allocator,
                              lt_error *error) {
    *lengths = NULL;
    lt_status status = check_knot(k, error);
    if (status != LT_OK) return status;
    *lengths = LT_NEW(allocator, ARC_SAMPLES + 1, double);
    if (!*lengths) return lt_fail(error, LT_STATUS_MEMORY, "torus knot: no memory to measure the curve");
    measure_arc(k, *lengths);
    if (!tube_touches_itself(k, *lengths)) return LT_OK;
    LT_DELETE(allocator, *lengths, ARC_SAMPLES + 1, double);
    *lengths = NULL;
    return lt_fail(error, LT_STATUS_INVALID,
                   "torus knot: a tube of radius %g touches itself: make it thinner", k->tube_radius);
}

static lt_status build_tube(lt_surface *out, const lt_torus_knot_params *k, const double *lengths,
                            const lt_allocator *allocator, lt_error *error) {
    uint32_t count, around;
    choose_grid(k, lengths[ARC_SAMPLES], &count, &around);
    ring *rings = LT_NEW(allocator, (size_t)count + 1, ring);
    if (!rings) return lt_fail(error, LT_STATUS_MEMORY, "torus knot: no memory for %u rings", count);
    double missing = carry_frames(k, lengths, rings, count);
    lt_status status = lt_surface_allocate(out, count * around, 2 * count * around, allocator, error);
    if (status == LT_OK) fill_tube(out, rings, count, around, k->tube_radius, missing);
    LT_DELETE(allocator, rings, (size_t)count + 1, ring);
    return status;
}

/* Seven nodes a ring: the middle, then the six corners. */
static void fill_tet_tube(lt_tet_mesh *out, const ring *rings, uint32_t count, double radius,
                          double missing) {
    uint32_t *tet = out->tets;
    for (uint32_t r = 0; r < count; r++) {
        uint32_t front = 7 * r, behind = 7 * (r + 1 < count ? r + 1 : 0);
        out->positions[front] = rings[r].centre;
        for (uint32_t s = 0; s < 6; s++) {
            out->positions[front + 1 + s] =
                ring_corner(&rings[r], radius, LT_PI / 3.0 * s + missing * r / count);
            tet = lt_put_prism(tet, 0, 1 + s, 1 + (s + 1) % 6, front, behind);
        }
    }
    LT_ASSERT(tet == out->tets + 4 * (size_t)out->tet_count);
    lt_tet_mesh_orient(out);
}

/* Whether each hexagon lies wholly in front of the one before it, and that behind it. */
static bool hexagons_are_in_order(const lt_tet_mesh *mesh, const ring *rings, uint32_t count) {
    for (uint32_t r = 0; r < count; r++) {
        uint32_t next = r + 1 < count ? r + 1 : 0;
        for (uint32_t s = 0; s < 7; s++) {
            lt_dvec3 ahead = lt_d3_sub(mesh->positions[7 * next + s], rings[r].centre);
            lt_dvec3 back = lt_d3_sub(mesh->positions[7 * r + s], rings[next].centre);
            if (lt_d3_dot(ahead, rings[r].tangent) <= 0.0 || lt_d3_dot(back, rings[next].tangent) >= 0.0)
                return false;
        }
    }
    return true;
}

static lt_status build_tet_tube(lt_tet_mesh *out, const lt_torus_knot_params *k, const double *lengths,
                                uint32_t count, const lt_allocator *allocator, lt_error *error) {
    ring *rings = LT_NEW(allocator, (size_t)count + 1, ring);
    if (!rings) return lt_fail(error, LT_STATUS_MEMORY, "tet torus knot: no memory for %u rings", count);
    double missing = carry_frames(k, lengths, rings, count);
    lt_status status = lt_tet_mesh_allocate(out, 7 * count, 18 * count, allocator, error);
    if (status == LT_OK) {
        fill_tet_tube(out, rings, count, k->tube_radius, missing);
        if (!hexagons_are_in_order(out, rings, count)) {
            lt_tet_mesh_free(out);
            status = lt_fail(error, LT_STATUS_INVALID,
                             "tet torus knot: %u segments are too few: they pass through each other", count);
        }
    }
    LT_DELETE(allocator, rings, (size_t)count + 1, ring);
    return status;
}

lt_torus_knot_params lt_torus_knot_params_default(void) {
    return (lt_torus_knot_params){.p = 2,
                                  .q = 3,
                                  .major_radius = 1.0,
                                  .minor_radius = 0.45,
                                  .tube_radius = 0.2,
                                  .triangle_count = 42254};
}

lt_status lt_generate_torus_knot(lt_surface *out, const lt_torus_knot_params *params,
                                 const lt_allocator *allocator, lt_error *error) {
    *out = (lt_surface){0};
    double *lengths;
    lt_status status = lt_check_count("torus knot", "triangles", params->triangle_count, 24, 1u << 26, error);
    if (status == LT_OK) status = measure_knot(&lengths, params, allocator, error);
    if (status != LT_OK) return status;
    status = build_tube(out, params, lengths, allocator, error);
    LT_DELETE(allocator, lengths, ARC_SAMPLES + 1, double);
    return status;
}

lt_status lt_generate_tet_torus_knot(lt_tet_mesh *out, const lt_torus_knot_params *params, uint32_t segments,
                                     const lt_allocator *allocator, lt_error *error) {
    *out = (lt_tet_mesh){0};
    double *lengths;
    lt_status status = lt_check_count("tet torus knot", "segments", segments, 3, 1u << 20, error);
    if (status == LT_OK) status = measure_knot(&lengths, params, allocator, error);
    if (status != LT_OK) return status;
    status = build_tet_tube(out, params, lengths, segments, allocator, error);
    LT_DELETE(allocator, lengths, ARC_SAMPLES + 1, double);
    return status;
}
