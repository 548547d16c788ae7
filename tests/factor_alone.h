/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A solve of one right-hand side. */

#ifndef LITHE_TESTS_FACTOR_ALONE_H
#define LITHE_TESTS_FACTOR_ALONE_H

#include "core/factor.h"

static inline void solve_alone(const lt_factor_plan *plan, const lt_real *values, lt_real *z,
                               const lt_real *r, const lt_real *turn, const uint8_t *pinned, lt_real *scratch,
                               lt_simd_level level) {
    const lt_factor_side side = {z, r, turn, pinned};
    lt_factor_solve_sides(plan, values, &side, 1, scratch, level);
}

#endif
