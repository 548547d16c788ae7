/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Eight corners against planes, one after the other: most pairs that do not touch are parted by one of the first. */

#include "detect/boxes.h"

static uint32_t corners_inside(const lt_cell_box *outer, const lt_cell_box *inner, float depths[8]) {
    lt_f8 x = lt_f8_load(inner->corners[0]), y = lt_f8_load(inner->corners[1]),
          z = lt_f8_load(inner->corners[2]);
    lt_f8 zero = lt_f8_splat(0), least = lt_f8_splat(3e38f), far = least;
    uint32_t inside = 255;
    for (uint32_t plane = 0; plane < outer->plane_count; plane++) {
        const float *p = &outer->planes[0][plane];
        lt_f8 height = lt_f8_mul(x, lt_f8_splat(p[0]));
        height = lt_f8_mad(height, y, lt_f8_splat(p[LT_CELL_PLANES]));
        height = lt_f8_mad(height, z, lt_f8_splat(p[2 * LT_CELL_PLANES]));
        lt_f8 below = lt_f8_sub(lt_f8_splat(p[3 * LT_CELL_PLANES]), height);
        uint32_t bits = lt_f8m_bits(lt_f8_less(zero, below));
        if (bits == 0) return LT_BOXES_APART;
        inside &= bits;
        least = lt_f8_min(outer->push >> plane & 1 ? below : far, least);
    }
    lt_f8_store(depths, least);
    return inside;
}

extern const lt_box_kernels LT_KERNEL(lt_box_kernels);
const lt_box_kernels LT_KERNEL(lt_box_kernels) = {corners_inside};
