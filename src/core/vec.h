/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Three-vectors and 3x3 matrices of three scalar types, written once.
 *
 *   lt_v3_…  lt_vec3   float    surfaces, bounds, detection
 *   lt_d3_…  lt_dvec3  double   bake, predicates, CCD
 *   lt_r3_…  lt_rvec3  lt_real  body dynamics and response (the same struct as one of the two above)
 *
 * Matrices are three columns: M = [c0 c1 c2]; lt_rm3_… for lt_real, lt_dm3_… for double. */

#ifndef LITHE_CORE_VEC_H
#define LITHE_CORE_VEC_H

#include "core/base.h"

#include <math.h>

typedef struct lt_dvec3 {
    double x, y, z;
} lt_dvec3;

#ifdef LITHE_DOUBLE
typedef lt_dvec3 lt_rvec3;
#else
typedef lt_vec3 lt_rvec3;
#endif

static inline float lt_sqrt_of_float(float x) {
    return sqrtf(x);
}
static inline double lt_sqrt_of_double(double x) {
    return sqrt(x);
}
#ifdef LITHE_DOUBLE
#define lt_sqrt_r lt_sqrt_of_double
#else
#define lt_sqrt_r lt_sqrt_of_float
#endif

/* clang-format off */
#define LT_DEFINE_VEC3(p, V, S, SQRT)                                                                      \
    static inline V p##_make(S x, S y, S z) { return (V){x, y, z}; }                                       \
    static inline V p##_add(V a, V b) { return (V){a.x + b.x, a.y + b.y, a.z + b.z}; }                     \
    static inline V p##_sub(V a, V b) { return (V){a.x - b.x, a.y - b.y, a.z - b.z}; }                     \
    static inline V p##_scale(V a, S s) { return (V){a.x * s, a.y * s, a.z * s}; }                         \
    static inline V p##_neg(V a) { return (V){-a.x, -a.y, -a.z}; }                                         \
    static inline V p##_mad(V a, V b, S s) { return (V){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s}; }    \
    static inline V p##_mul(V a, V b) { return (V){a.x * b.x, a.y * b.y, a.z * b.z}; }                     \
    static inline V p##_min(V a, V b) {                                                                    \
        return (V){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z}; }                 \
    static inline V p##_max(V a, V b) {                                                                    \
        return (V){a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z}; }                 \
    static inline S p##_dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                        \
    static inline V p##_cross(V a, V b) {                                                                  \
        return (V){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }                 \
    static inline S p##_length_squared(V a) { return p##_dot(a, a); }                                      \
    static inline S p##_length(V a) { return SQRT(p##_dot(a, a)); }                                        \
    static inline S p##_distance(V a, V b) { return p##_length(p##_sub(a, b)); }                           \
    /* The unit vector along a, or `fallback` when a is (nearly) zero or not finite. */                    \
    static inline V p##_normalize_or(V a, V fallback) {                                                    \
        S l = p##_length(a);                                                                               \
        return l > (S)1e-30 && l < (S)1e30 ? p##_scale(a, (S)1 / l) : fallback; }                          \
    static inline S p##_get(V a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }             \
    static inline bool p##_is_finite(V a) {                                                                \
        S s = (a.x - a.x) + (a.y - a.y) + (a.z - a.z);                                                     \
        return s == (S)0; }

LT_DEFINE_VEC3(lt_v3, lt_vec3, float, lt_sqrt_of_float)
LT_DEFINE_VEC3(lt_d3, lt_dvec3, double, lt_sqrt_of_double)
LT_DEFINE_VEC3(lt_r3, lt_rvec3, lt_real, lt_sqrt_r)
/* clang-format on */

/* Whether every coordinate is at most `most` away from 0; NaN is not. */
static inline bool lt_v3_is_within(lt_vec3 a, float most) {
    return fabsf(a.x) <= most && fabsf(a.y) <= most && fabsf(a.z) <= most;
}

/* An offset from an origin, in the world. */
static inline lt_dvec3 lt_place_from(const double origin[3], lt_vec3 offset) {
    return (lt_dvec3){origin[0] + (double)offset.x, origin[1] + (double)offset.y,
                      origin[2] + (double)offset.z};
}
static inline lt_vec3 lt_offset_from(const double origin[3], lt_dvec3 place) {
    return (lt_vec3){(float)(place.x - origin[0]), (float)(place.y - origin[1]),
                     (float)(place.z - origin[2])};
}
/* An offset from one origin as one from another: the same bits where the two are one. */
static inline lt_vec3 lt_offset_seen(const double from[3], const double origin[3], lt_vec3 offset) {
    return (lt_vec3){(float)((double)offset.x + (origin[0] - from[0])),
                     (float)((double)offset.y + (origin[1] - from[1])),
                     (float)((double)offset.z + (origin[2] - from[2]))};
}
static inline lt_dvec3 lt_d3_from_v3(lt_vec3 a) {
    return (lt_dvec3){a.x, a.y, a.z};
}
static inline lt_vec3 lt_v3_from_d3(lt_dvec3 a) {
    return (lt_vec3){(float)a.x, (float)a.y, (float)a.z};
}
static inline lt_rvec3 lt_r3_from_v3(lt_vec3 a) {
    return (lt_rvec3){a.x, a.y, a.z};
}
static inline lt_vec3 lt_v3_from_r3(lt_rvec3 a) {
    return (lt_vec3){(float)a.x, (float)a.y, (float)a.z};
}

typedef struct lt_rmat3 {
    lt_rvec3 c0, c1, c2;
} lt_rmat3;

typedef struct lt_dmat3 {
    lt_dvec3 c0, c1, c2;
} lt_dmat3;

/* clang-format off */
#define LT_DEFINE_MAT3(p, M, v, V, S)                                                                      \
    static inline M p##_identity(void) { return (M){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; }                    \
    static inline V p##_mul_vec(M m, V a) {                                                                \
        return v##_mad(v##_mad(v##_scale(m.c0, a.x), m.c1, a.y), m.c2, a.z); }                             \
    static inline V p##_mul_vec_transposed(M m, V a) {                                                     \
        return (V){v##_dot(m.c0, a), v##_dot(m.c1, a), v##_dot(m.c2, a)}; }                                \
    static inline M p##_mul(M a, M b) {                                                                    \
        return (M){p##_mul_vec(a, b.c0), p##_mul_vec(a, b.c1), p##_mul_vec(a, b.c2)}; }                    \
    static inline M p##_transpose(M m) {                                                                   \
        return (M){{m.c0.x, m.c1.x, m.c2.x}, {m.c0.y, m.c1.y, m.c2.y}, {m.c0.z, m.c1.z, m.c2.z}}; }        \
    static inline M p##_add(M a, M b) {                                                                    \
        return (M){v##_add(a.c0, b.c0), v##_add(a.c1, b.c1), v##_add(a.c2, b.c2)}; }                       \
    static inline M p##_sub(M a, M b) {                                                                    \
        return (M){v##_sub(a.c0, b.c0), v##_sub(a.c1, b.c1), v##_sub(a.c2, b.c2)}; }                       \
    static inline M p##_scale(M a, S s) {                                                                  \
        return (M){v##_scale(a.c0, s), v##_scale(a.c1, s), v##_scale(a.c2, s)}; }                          \
    static inline S p##_determinant(M m) { return v##_dot(m.c0, v##_cross(m.c1, m.c2)); }                  \
    static inline S p##_trace(M m) { return m.c0.x + m.c1.y + m.c2.z; }                                    \
    /* Columns c1×c2, c2×c0, c0×c1: determinant times the inverse transposed. */                           \
    static inline M p##_cofactor(M m) {                                                                    \
        return (M){v##_cross(m.c1, m.c2), v##_cross(m.c2, m.c0), v##_cross(m.c0, m.c1)}; }                 \
    /* No check: the caller knows that the determinant is not zero. */                                     \
    static inline M p##_inverse(M m) {                                                                     \
        return p##_transpose(p##_scale(p##_cofactor(m), (S)1 / p##_determinant(m))); }                     \
    static inline S p##_norm_squared(M m) {                                                                \
        return v##_dot(m.c0, m.c0) + v##_dot(m.c1, m.c1) + v##_dot(m.c2, m.c2); }

LT_DEFINE_MAT3(lt_rm3, lt_rmat3, lt_r3, lt_rvec3, lt_real)
LT_DEFINE_MAT3(lt_dm3, lt_dmat3, lt_d3, lt_dvec3, double)
/* clang-format on */

/* An axis-aligned box; empty when lo > hi. */
typedef struct lt_box {
    lt_vec3 lo, hi;
} lt_box;

static inline lt_vec3 lt_box_center(lt_box box) {
    return lt_v3_scale(lt_v3_add(box.lo, box.hi), 0.5f);
}
/* Bit k of a corner's number is set where it is the upper one along axis k. */
static inline void lt_box_corners(lt_vec3 corners[8], lt_box box) {
    for (unsigned c = 0; c < 8; c++)
        corners[c] =
            (lt_vec3){c & 1 ? box.hi.x : box.lo.x, c & 2 ? box.hi.y : box.lo.y, c & 4 ? box.hi.z : box.lo.z};
}
static inline lt_box lt_box_empty(void) {
    return (lt_box){{3e38f, 3e38f, 3e38f}, {-3e38f, -3e38f, -3e38f}};
}
static inline lt_box lt_box_add_point(lt_box b, lt_vec3 p) {
    return (lt_box){lt_v3_min(b.lo, p), lt_v3_max(b.hi, p)};
}
static inline lt_box lt_box_union(lt_box a, lt_box b) {
    return (lt_box){lt_v3_min(a.lo, b.lo), lt_v3_max(a.hi, b.hi)};
}
static inline lt_box lt_box_inflate(lt_box b, float by) {
    lt_vec3 d = {by, by, by};
    return (lt_box){lt_v3_sub(b.lo, d), lt_v3_add(b.hi, d)};
}
static inline bool lt_box_overlap(lt_box a, lt_box b) {
    return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y && a.lo.z <= b.hi.z &&
           b.lo.z <= a.hi.z;
}
static inline bool lt_box_contains(lt_box b, lt_vec3 p) {
    return p.x >= b.lo.x && p.x <= b.hi.x && p.y >= b.lo.y && p.y <= b.hi.y && p.z >= b.lo.z && p.z <= b.hi.z;
}

#endif
