/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the kernels of several models share: sums over lanes, rotations of lanes that Newton cannot settle. */

#ifndef LITHE_BODY_KERNEL_INTERNAL_H
#define LITHE_BODY_KERNEL_INTERNAL_H

#include "body/body.h"
#include "core/polar.h"
#include "core/polar_wide.h"

static inline double lt_sum_lanes(lt_r8 value) {
    lt_real lanes[LT_GROUP];
    lt_r8_store(lanes, value);
    double sum = 0;
    for (int lane = 0; lane < LT_GROUP; lane++)
        sum += lanes[lane];
    return sum;
}

/* Lanes that the iteration gave up on get their rotation from the SVD, and start from it next time. */
static inline void lt_settle_by_svd(lt_r8 r[9], lt_r8 q[4], const lt_r8 f[9], uint32_t bits) {
    lt_real fl[9][LT_GROUP], rl[9][LT_GROUP], ql[4][LT_GROUP];
    for (int i = 0; i < 9; i++) {
        lt_r8_store(fl[i], f[i]);
        lt_r8_store(rl[i], r[i]);
    }
    for (int i = 0; i < 4; i++)
        lt_r8_store(ql[i], q[i]);
    for (int lane = 0; lane < LT_GROUP; lane++) {
        if (!(bits >> lane & 1)) continue;
        lt_dmat3 rotation = lt_polar_by_svd((lt_dmat3){{fl[0][lane], fl[1][lane], fl[2][lane]},
                                                       {fl[3][lane], fl[4][lane], fl[5][lane]},
                                                       {fl[6][lane], fl[7][lane], fl[8][lane]}});
        double quaternion[4];
        lt_quaternion_from_matrix(quaternion, rotation);
        const lt_dvec3 columns[3] = {rotation.c0, rotation.c1, rotation.c2};
        for (int i = 0; i < 9; i++)
            rl[i][lane] = (lt_real)lt_d3_get(columns[i / 3], i % 3);
        for (int i = 0; i < 4; i++)
            ql[i][lane] = (lt_real)quaternion[i];
    }
    for (int i = 0; i < 9; i++)
        r[i] = lt_r8_load(rl[i]);
    for (int i = 0; i < 4; i++)
        q[i] = lt_r8_load(ql[i]);
}

#endif
