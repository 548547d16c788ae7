/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How little a tet is stretched at least while it goes from one gradient to another. */

#include "detect/self_internal.h"

/* The least Bernstein coefficient of the determinant over time, by size, and the sign that all have; 0: they
 * differ. */
static double determinant_of(const lt_dmat3 f[2], int8_t *sign) {
    lt_dmat3 c0 = lt_dm3_cofactor(f[0]), c1 = lt_dm3_cofactor(f[1]);
    double d[4] = {lt_d3_dot(f[0].c0, c0.c0), 0, 0, lt_d3_dot(f[1].c0, c1.c0)};
    d[1] = (lt_d3_dot(f[1].c0, c0.c0) + lt_d3_dot(f[1].c1, c0.c1) + lt_d3_dot(f[1].c2, c0.c2)) / 3;
    d[2] = (lt_d3_dot(f[0].c0, c1.c0) + lt_d3_dot(f[0].c1, c1.c1) + lt_d3_dot(f[0].c2, c1.c2)) / 3;
    double least = lt_min_d(lt_min_d(d[0], d[1]), lt_min_d(d[2], d[3]));
    double most = lt_max_d(lt_max_d(d[0], d[1]), lt_max_d(d[2], d[3]));
    bool finite = d[0] + d[1] + d[2] + d[3] < 1e300; /* not when one is NaN */
    *sign = 0;
    double size = lt_dm3_norm_squared(f[0]) + lt_dm3_norm_squared(f[1]), slack = 1e-12 * size * sqrt(size);
    if (finite && least > slack) *sign = 1;
    if (finite && most < -slack) *sign = -1;
    return *sign > 0 ? least : *sign < 0 ? -most : 0;
}

/* σ₃ = d / (σ₁σ₂), and σ₁σ₂ ≤ (|F|² - σ₃²) / 2: any lower bound of σ₃ gives a better one. */
double lt_self_stretch(const lt_dmat3 f[2], int8_t *sign) {
    double determinant = determinant_of(f, sign), bound = 0;
    double size = lt_max_d(lt_dm3_norm_squared(f[0]), lt_dm3_norm_squared(f[1]));
    if (*sign == 0) return 0;
    for (int i = 0; i < 5; i++)
        bound = 2 * determinant / (size - bound * bound);
    return bound * (1 - 1e-9);
}
