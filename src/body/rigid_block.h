/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Six numbers of a rigid thing, and 6×6 matrices between them: velocity of a point and spin, or force and moment about it. */

#ifndef LITHE_BODY_RIGID_BLOCK_H
#define LITHE_BODY_RIGID_BLOCK_H

#include "core/vec.h"

#include <string.h>

enum { LT_RIGID = 6 };

typedef struct lt_block6 {
    double at[LT_RIGID][LT_RIGID];
} lt_block6;

static inline double lt_dot6(const double a[LT_RIGID], const double b[LT_RIGID]) {
    double sum = 0;
    for (int i = 0; i < LT_RIGID; i++)
        sum += a[i] * b[i];
    return sum;
}

static inline void lt_multiply6(double out[LT_RIGID], const lt_block6 *m, const double v[LT_RIGID]) {
    for (int i = 0; i < LT_RIGID; i++)
        out[i] = lt_dot6(m->at[i], v);
}

/* Cholesky in place, lower; a direction without weight gets none of the load: of a thread the turn about itself, whose moment is what
 * rounding left, 1e-30 of the others. */
static inline void lt_factor6(lt_block6 *block) {
    double(*m)[LT_RIGID] = block->at;
    double largest[2];
    for (int part = 0; part < 2; part++) {
        const int at = 3 * part;
        largest[part] = m[at][at] > m[at + 1][at + 1] ? m[at][at] : m[at + 1][at + 1];
        if (m[at + 2][at + 2] > largest[part]) largest[part] = m[at + 2][at + 2];
    }
    for (int i = 0; i < LT_RIGID; i++)
        for (int j = 0; j <= i; j++) {
            double sum = m[i][j];
            for (int k = 0; k < j; k++)
                sum -= m[i][k] * m[j][k];
            if (i == j)
                m[i][i] = sum > 1e-12 * largest[i / 3] ? 1 / sqrt(sum) : 0;
            else
                m[i][j] = sum * m[j][j];
        }
}

static inline void lt_solve_lower6(const lt_block6 *factor, double v[LT_RIGID]) {
    for (int i = 0; i < LT_RIGID; i++) {
        for (int k = 0; k < i; k++)
            v[i] -= factor->at[i][k] * v[k];
        v[i] *= factor->at[i][i];
    }
}

static inline void lt_solve_upper6(const lt_block6 *factor, double v[LT_RIGID]) {
    for (int i = LT_RIGID; i-- > 0;) {
        for (int k = i + 1; k < LT_RIGID; k++)
            v[i] -= factor->at[k][i] * v[k];
        v[i] *= factor->at[i][i];
    }
}

static inline void lt_solve6(const lt_block6 *m, double out[LT_RIGID], const double load[LT_RIGID]) {
    lt_block6 factor = *m;
    lt_factor6(&factor);
    memcpy(out, load, LT_RIGID * sizeof *out);
    lt_solve_lower6(&factor, out);
    lt_solve_upper6(&factor, out);
}

/* The motion of a point at the arm, as three rows: J = [I, −arm×]. Adds JᵀJ weight. */
static inline void lt_add_point6(lt_block6 *block, const double arm[3], double weight) {
    double(*m)[LT_RIGID] = block->at;
    double x = arm[0], y = arm[1], z = arm[2];
    for (int i = 0; i < 3; i++)
        m[i][i] += weight;
    m[3][1] -= weight * z, m[3][2] += weight * y, m[4][0] += weight * z;
    m[4][2] -= weight * x, m[5][0] -= weight * y, m[5][1] += weight * x;
    m[3][3] += weight * (y * y + z * z), m[4][4] += weight * (x * x + z * z);
    m[5][5] += weight * (x * x + y * y);
    m[4][3] -= weight * x * y, m[5][3] -= weight * x * z, m[5][4] -= weight * y * z;
}

static inline void lt_mirror6(lt_block6 *block) {
    double(*m)[LT_RIGID] = block->at;
    for (int i = 0; i < LT_RIGID; i++)
        for (int j = 0; j < i; j++)
            m[j][i] = m[i][j];
}

static inline void lt_add_force6(double out[LT_RIGID], const double arm[3], const double force[3],
                                 double factor) {
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] += factor * force[k];
        out[3 + k] += factor * (arm[l] * force[m] - arm[m] * force[l]);
    }
}

static inline void lt_unpack_r3(double out[3], lt_rvec3 v) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

#endif
