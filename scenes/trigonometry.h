/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Sine, cosine and the angle of a direction in plain arithmetic, because the C library's bits differ
 * between systems and generated shapes must not. Error below 3e-16 for |angle| < 1000, which is more turns
 * than any shape makes. Private to src/mesh. */

#ifndef LITHE_SCENES_TRIGONOMETRY_H
#define LITHE_SCENES_TRIGONOMETRY_H

#include "core/base.h"

#include <math.h>

#define LT_PI 3.14159265358979323846

/* The Taylor sums; on |x| <= pi/4 the first term left out is below 1e-18. */
static inline double lt_sin_small(double x) {
    double s = x * x;
    double sum = -1.0 / 1307674368000.0 + s * (1.0 / 355687428096000.0);
    sum = 1.0 / 6227020800.0 + s * sum;
    sum = -1.0 / 39916800.0 + s * sum;
    sum = 1.0 / 362880.0 + s * sum;
    sum = -1.0 / 5040.0 + s * sum;
    sum = 1.0 / 120.0 + s * sum;
    sum = -1.0 / 6.0 + s * sum;
    return x + x * s * sum;
}
static inline double lt_cos_small(double x) {
    double s = x * x;
    double sum = 1.0 / 20922789888000.0 - s * (1.0 / 6402373705728000.0);
    sum = -1.0 / 87178291200.0 + s * sum;
    sum = 1.0 / 479001600.0 + s * sum;
    sum = -1.0 / 3628800.0 + s * sum;
    sum = 1.0 / 40320.0 + s * sum;
    sum = -1.0 / 720.0 + s * sum;
    sum = 1.0 / 24.0 + s * sum;
    return 1.0 - 0.5 * s + s * s * sum;
}

/* pi/2 in two parts: the first has 33 bits, so that its product with the quadrant is exact. */
static inline void lt_sin_cos(double angle, double *sine, double *cosine) {
    double quadrant = floor(angle * (2.0 / LT_PI) + 0.5);
    double x = (angle - quadrant * 1.57079632673412561417) - quadrant * 6.07710050650619224932e-11;
    double s = lt_sin_small(x), c = lt_cos_small(x);
    switch ((int)(quadrant - 4.0 * floor(quadrant * 0.25))) {
    case 0: *sine = s, *cosine = c; break;
    case 1: *sine = c, *cosine = -s; break;
    case 2: *sine = -s, *cosine = -c; break;
    default: *sine = -c, *cosine = s; break;
    }
}

/* The angle of (x, y) in (-pi, pi]; 0 for the zero vector. Three steps of a <- a + sin(true - a), each of
 * which cubes the error, from a start that is never more than 0.3 off. */
static inline double lt_angle_of(double y, double x) {
    double length = sqrt(x * x + y * y);
    if (!(length > 0.0)) return 0.0;
    double s = y / length, c = x / length;
    double share = fabs(s) / (fabs(s) + fabs(c));
    double angle = 0.5 * LT_PI * (c < 0.0 ? 2.0 - share : share);
    if (s < 0.0) angle = -angle;
    for (int step = 0; step < 4; step++) {
        double sine, cosine;
        lt_sin_cos(angle, &sine, &cosine);
        angle += s * cosine - c * sine;
    }
    return angle;
}

#endif
