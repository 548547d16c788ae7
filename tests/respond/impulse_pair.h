/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#ifndef LITHE_TESTS_RESPOND_IMPULSE_PAIR_H
#define LITHE_TESTS_RESPOND_IMPULSE_PAIR_H

#include "respond/impulse.h"

/* Finds how two boxes touch now and answers it. */
static inline uint32_t impulse_pair(const lt_impulse_params *params, const lt_cell_motion *a, uint32_t box_a,
                                    const lt_cell_motion *b, uint32_t box_b, lt_impulse_counts *counts) {
    uint32_t units = 0;
    lt_box_touch touch;
    if (!lt_impulse_look(&touch, params, a, box_a, b, box_b, &units)) return units;
    return units + lt_impulse_part(params, a, box_a, b, box_b, &touch, counts);
}

#endif
