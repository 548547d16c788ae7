/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Eight polar decompositions at once, for kernel files. See polar.h.
 *
 * With B = RᵀA, turning R by a small body-frame rotation w changes tr(RᵀA) by  w·v − ½ wᵀHw,
 * v = (B32−B23, B13−B31, B21−B12),  H = tr(B) I − sym(B): Newton's step is w = H⁻¹v. Where H is not positive
 * definite (far from the goal) the step of Müller et al. 2016 is taken, w = v / |tr B|, at most a quarter turn.
 * There, a short step is no sign of the goal: half a turn away v is zero. */

#ifndef LITHE_CORE_POLAR_WIDE_H
#define LITHE_CORE_POLAR_WIDE_H

#include "core/simd.h"

/* Matrices as m[3 * column + row], one lane per matrix. */
static inline void lt_rotation_of_wide(lt_r8 r[9], const lt_r8 q[4]) {
    lt_r8 one = lt_r8_splat(1), two = lt_r8_splat(2);
    lt_r8 x2 = lt_r8_mul(q[0], two), y2 = lt_r8_mul(q[1], two), z2 = lt_r8_mul(q[2], two);
    lt_r8 xx = lt_r8_mul(q[0], x2), yy = lt_r8_mul(q[1], y2), zz = lt_r8_mul(q[2], z2);
    lt_r8 xy = lt_r8_mul(q[0], y2), xz = lt_r8_mul(q[0], z2), yz = lt_r8_mul(q[1], z2);
    lt_r8 wx = lt_r8_mul(q[3], x2), wy = lt_r8_mul(q[3], y2), wz = lt_r8_mul(q[3], z2);
    r[0] = lt_r8_sub(one, lt_r8_add(yy, zz));
    r[1] = lt_r8_add(xy, wz);
    r[2] = lt_r8_sub(xz, wy);
    r[3] = lt_r8_sub(xy, wz);
    r[4] = lt_r8_sub(one, lt_r8_add(xx, zz));
    r[5] = lt_r8_add(yz, wx);
    r[6] = lt_r8_add(xz, wy);
    r[7] = lt_r8_sub(yz, wx);
    r[8] = lt_r8_sub(one, lt_r8_add(xx, yy));
}

static inline lt_r8 lt_dot3_wide(const lt_r8 *a, const lt_r8 *b) {
    return lt_r8_add(lt_r8_add(lt_r8_mul(a[0], b[0]), lt_r8_mul(a[1], b[1])), lt_r8_mul(a[2], b[2]));
}

static inline void lt_cross3_wide(lt_r8 out[3], const lt_r8 *a, const lt_r8 *b) {
    out[0] = lt_r8_sub(lt_r8_mul(a[1], b[2]), lt_r8_mul(a[2], b[1]));
    out[1] = lt_r8_sub(lt_r8_mul(a[2], b[0]), lt_r8_mul(a[0], b[2]));
    out[2] = lt_r8_sub(lt_r8_mul(a[0], b[1]), lt_r8_mul(a[1], b[0]));
}

/* b = RᵀA */
static inline void lt_transposed_product_wide(lt_r8 b[9], const lt_r8 r[9], const lt_r8 a[9]) {
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            b[3 * column + row] = lt_dot3_wide(r + 3 * row, a + 3 * column);
}

/* The turn w of one Newton round; returns |w|², or 1 where H is not positive definite. */
static inline lt_r8 lt_polar_turn_wide(lt_r8 w[3], const lt_r8 b[9]) {
    lt_r8 half = lt_r8_splat((lt_real)0.5);
    lt_r8 v[3] = {lt_r8_sub(b[5], b[7]), lt_r8_sub(b[6], b[2]), lt_r8_sub(b[1], b[3])};
    lt_r8 h00 = lt_r8_add(b[4], b[8]), h11 = lt_r8_add(b[0], b[8]), h22 = lt_r8_add(b[0], b[4]);
    lt_r8 zero = lt_r8_splat(0);
    lt_r8 h01 = lt_r8_sub(zero, lt_r8_mul(half, lt_r8_add(b[1], b[3])));
    lt_r8 h02 = lt_r8_sub(zero, lt_r8_mul(half, lt_r8_add(b[2], b[6])));
    lt_r8 h12 = lt_r8_sub(zero, lt_r8_mul(half, lt_r8_add(b[5], b[7])));
    /* Columns of the adjugate, for w = adj(H) v / det H. */
    lt_r8 c00 = lt_r8_sub(lt_r8_mul(h11, h22), lt_r8_mul(h12, h12));
    lt_r8 c01 = lt_r8_sub(lt_r8_mul(h02, h12), lt_r8_mul(h01, h22));
    lt_r8 c02 = lt_r8_sub(lt_r8_mul(h01, h12), lt_r8_mul(h02, h11));
    lt_r8 c11 = lt_r8_sub(lt_r8_mul(h00, h22), lt_r8_mul(h02, h02));
    lt_r8 c12 = lt_r8_sub(lt_r8_mul(h01, h02), lt_r8_mul(h00, h12));
    lt_r8 c22 = lt_r8_sub(lt_r8_mul(h00, h11), lt_r8_mul(h01, h01));
    lt_r8 det = lt_r8_add(lt_r8_add(lt_r8_mul(h00, c00), lt_r8_mul(h01, c01)), lt_r8_mul(h02, c02));
    lt_r8 trace = lt_r8_add(lt_r8_add(b[0], b[4]), b[8]);
    lt_r8 size = lt_r8_max(trace, lt_r8_sub(zero, trace));
    lt_r8 floor_det = lt_r8_mul(lt_r8_splat((lt_real)1e-4), lt_r8_mul(size, lt_r8_mul(size, size)));
    lt_r8m definite =
        lt_r8m_and(lt_r8m_and(lt_r8_less(floor_det, det), lt_r8_less(zero, c22)), lt_r8_less(zero, h00));
    lt_r8 tiny = lt_r8_splat((lt_real)1e-30);
    lt_r8 newton = lt_r8_div(lt_r8_splat(1), lt_r8_select(definite, det, lt_r8_splat(1)));
    /* |w| ≤ 2, and q (1, w/2) is a quarter turn then: the trace may be zero where v is not. */
    lt_r8 slope = lt_r8_mul(half, lt_r8_sqrt(lt_dot3_wide(v, v)));
    lt_r8 plain = lt_r8_div(lt_r8_splat(1), lt_r8_add(lt_r8_max(size, slope), tiny));
    lt_r8 n0 = lt_r8_add(lt_r8_add(lt_r8_mul(c00, v[0]), lt_r8_mul(c01, v[1])), lt_r8_mul(c02, v[2]));
    lt_r8 n1 = lt_r8_add(lt_r8_add(lt_r8_mul(c01, v[0]), lt_r8_mul(c11, v[1])), lt_r8_mul(c12, v[2]));
    lt_r8 n2 = lt_r8_add(lt_r8_add(lt_r8_mul(c02, v[0]), lt_r8_mul(c12, v[1])), lt_r8_mul(c22, v[2]));
    w[0] = lt_r8_select(definite, lt_r8_mul(n0, newton), lt_r8_mul(v[0], plain));
    w[1] = lt_r8_select(definite, lt_r8_mul(n1, newton), lt_r8_mul(v[1], plain));
    w[2] = lt_r8_select(definite, lt_r8_mul(n2, newton), lt_r8_mul(v[2], plain));
    return lt_r8_select(definite, lt_dot3_wide(w, w), lt_r8_splat(1));
}

/* q ← normalised q (1, w/2): the turn in the body's frame, to second order in w. */
static inline void lt_quaternion_turn_wide(lt_r8 q[4], const lt_r8 w[3]) {
    lt_r8 half = lt_r8_splat((lt_real)0.5);
    lt_r8 d[3] = {lt_r8_mul(w[0], half), lt_r8_mul(w[1], half), lt_r8_mul(w[2], half)};
    lt_r8 cross[3], t[4];
    lt_cross3_wide(cross, q, d);
    for (int i = 0; i < 3; i++)
        t[i] = lt_r8_add(lt_r8_add(q[i], lt_r8_mul(q[3], d[i])), cross[i]);
    t[3] = lt_r8_sub(q[3], lt_dot3_wide(q, d));
    lt_r8 length = lt_r8_sqrt(lt_r8_add(lt_dot3_wide(t, t), lt_r8_mul(t[3], t[3])));
    lt_r8 inverse = lt_r8_div(lt_r8_splat(1), length);
    for (int i = 0; i < 4; i++)
        q[i] = lt_r8_mul(t[i], inverse);
}

/* q ← turn q, the turn in the world's frame: unit quaternions. */
static inline void lt_quaternion_turn_world_wide(lt_r8 q[4], const lt_real turn[4]) {
    lt_r8 a[4] = {lt_r8_splat(turn[0]), lt_r8_splat(turn[1]), lt_r8_splat(turn[2]), lt_r8_splat(turn[3])};
    lt_r8 cross[3], t[4];
    lt_cross3_wide(cross, a, q);
    for (int i = 0; i < 3; i++)
        t[i] = lt_r8_add(lt_r8_add(lt_r8_mul(a[3], q[i]), lt_r8_mul(q[3], a[i])), cross[i]);
    t[3] = lt_r8_sub(lt_r8_mul(a[3], q[3]), lt_dot3_wide(a, q));
    for (int i = 0; i < 4; i++)
        q[i] = t[i];
}

/* The bits of lanes that want lt_polar_by_svd: `change` of the last round was too large, inverted or nearly flat. */
static inline uint32_t lt_polar_unsettled(const lt_r8 a[9], lt_r8 change) {
    lt_r8 cross[3];
    lt_cross3_wide(cross, a + 3, a + 6);
    lt_r8 det = lt_dot3_wide(a, cross);
    lt_r8 squared =
        lt_r8_add(lt_r8_add(lt_dot3_wide(a, a), lt_dot3_wide(a + 3, a + 3)), lt_dot3_wide(a + 6, a + 6));
    lt_r8 least = lt_r8_mul(lt_r8_splat((lt_real)1e-9), lt_r8_mul(squared, lt_r8_sqrt(squared)));
    /* 1e-3 rad: the last turn was taken after `change` was measured, and Newton squares the error. */
    lt_r8m good = lt_r8m_and(lt_r8_less_equal(change, lt_r8_splat((lt_real)1e-6)), lt_r8_less(least, det));
    return ~lt_r8m_bits(good) & 0xff;
}

/* Turns the unit quaternions q to the rotations nearest to a, and gives those as r. Returns the bits of the lanes
 * that want lt_polar_by_svd: not settled in 8 rounds, inverted or nearly flat. Lanes in such a state hold a
 * rotation all the same (NaN only for NaN input). */
static inline uint32_t lt_polar_newton(lt_r8 r[9], lt_r8 q[4], const lt_r8 a[9]) {
    const lt_real settled = 16 * (lt_real)LT_REAL_EPSILON;
    lt_r8 enough = lt_r8_splat(settled * settled);
    lt_r8 w[3], b[9], change = lt_r8_splat(1);
    for (int round = 0; round < 8; round++) {
        lt_rotation_of_wide(r, q);
        lt_transposed_product_wide(b, r, a);
        change = lt_polar_turn_wide(w, b);
        if (lt_r8m_bits(lt_r8_less_equal(change, enough)) == 0xff) break;
        lt_quaternion_turn_wide(q, w);
    }
    lt_rotation_of_wide(r, q);
    return lt_polar_unsettled(a, change);
}

/* The same to within 1e-6 rad or so: a turn of 1e-3 is the last one. From a start that near, one round. */
static inline uint32_t lt_polar_newton_near(lt_r8 r[9], lt_r8 q[4], const lt_r8 a[9]) {
    const lt_r8 enough = lt_r8_splat((lt_real)1e-6);
    lt_r8 w[3], b[9], change = lt_r8_splat(1);
    for (int round = 0; round < 8; round++) {
        lt_rotation_of_wide(r, q);
        lt_transposed_product_wide(b, r, a);
        change = lt_polar_turn_wide(w, b);
        lt_quaternion_turn_wide(q, w);
        if (lt_r8m_bits(lt_r8_less_equal(change, enough)) == 0xff) break;
    }
    lt_rotation_of_wide(r, q);
    return lt_polar_unsettled(a, change);
}

#endif
