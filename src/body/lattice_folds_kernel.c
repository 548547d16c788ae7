/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Looks for cells with an axis shorter than it may be, eight at a time: the least singular value of F is above t exactly
 * where FᵀF − t² is definite and det F > 0. Nearly all are, in all sub-steps; only the others cost more than looking. */

#include "body/kernel_internal.h"
#include "body/models.h"

/* Four times the mean edge along each axis, as rows of lanes [axis * 3 + component]. */
static inline void gather_edges(lt_real lanes[9][LT_GROUP], int lane, const lt_real *x,
                                const uint32_t *corners) {
    lt_r4 p[8];
    for (int corner = 0; corner < 8; corner++)
        p[corner] = lt_r4_load(x + 4 * (size_t)corners[corner]);
    lt_r4 s01 = lt_r4_add(p[0], p[1]), s23 = lt_r4_add(p[2], p[3]), s45 = lt_r4_add(p[4], p[5]),
          s67 = lt_r4_add(p[6], p[7]);
    lt_r4 d = lt_r4_add(lt_r4_add(lt_r4_sub(p[1], p[0]), lt_r4_sub(p[3], p[2])),
                        lt_r4_add(lt_r4_sub(p[5], p[4]), lt_r4_sub(p[7], p[6])));
    const lt_r4 edges[3] = {d, lt_r4_add(lt_r4_sub(s23, s01), lt_r4_sub(s67, s45)),
                            lt_r4_add(lt_r4_sub(s45, s01), lt_r4_sub(s67, s23))};
    for (int axis = 0; axis < 3; axis++) {
        lt_real edge[4];
        lt_r4_store(edge, edges[axis]);
        for (int k = 0; k < 3; k++)
            lanes[3 * axis + k][lane] = edge[k];
    }
}

/* Bits of cells whose F, given 4h times, has no axis shorter than t. */
static inline uint32_t find_sound(lt_real lanes[9][LT_GROUP], lt_r8 scale, lt_r8 least) {
    lt_r8 f[9], cross[3], zero = lt_r8_splat(0);
    for (int i = 0; i < 9; i++)
        f[i] = lt_r8_mul(lt_r8_load(lanes[i]), scale);
    lt_cross3_wide(cross, f + 3, f + 6);
    lt_r8 xx = lt_r8_sub(lt_dot3_wide(f, f), least), yy = lt_r8_sub(lt_dot3_wide(f + 3, f + 3), least),
          zz = lt_r8_sub(lt_dot3_wide(f + 6, f + 6), least);
    lt_r8 xy = lt_dot3_wide(f, f + 3), xz = lt_dot3_wide(f, f + 6), yz = lt_dot3_wide(f + 3, f + 6);
    lt_r8 minor = lt_r8_sub(lt_r8_mul(xx, yy), lt_r8_mul(xy, xy));
    lt_r8 a = lt_r8_sub(lt_r8_mul(xy, yz), lt_r8_mul(yy, xz)),
          b = lt_r8_sub(lt_r8_mul(xy, xz), lt_r8_mul(xx, yz));
    lt_r8 det = lt_r8_mad(lt_r8_mad(lt_r8_mul(minor, zz), xz, a), yz, b);
    lt_r8m sound = lt_r8m_and(lt_r8_less(zero, lt_dot3_wide(f, cross)), lt_r8_less(zero, xx));
    sound = lt_r8m_and(sound, lt_r8m_and(lt_r8_less(zero, minor), lt_r8_less(zero, det)));
    return lt_r8m_bits(sound);
}

void LT_KERNEL(lt_unfold_cells)(lt_fold_work *work);
void LT_KERNEL(lt_unfold_cells)(lt_fold_work *work) {
    uint32_t count = work->carrier->cell_count;
    lt_r8 scale = lt_r8_splat((lt_real)0.25 / work->edge);
    lt_r8 least = lt_r8_splat((lt_real)(LT_FOLD_BEGIN * LT_FOLD_BEGIN));
    work->energy = 0;
    work->inverted_count = 0;
    for (uint32_t begin = 0; begin < count; begin += LT_GROUP) {
        lt_real lanes[9][LT_GROUP];
        for (uint32_t lane = 0; lane < LT_GROUP; lane++)
            gather_edges(lanes, (int)lane, work->x,
                         work->carrier->cells + 8 * (size_t)lt_min_u32(begin + lane, count - 1));
        uint32_t sound = find_sound(lanes, scale, least);
        for (uint32_t lane = 0; sound != 0xff && lane < LT_GROUP && begin + lane < count; lane++)
            if (!(sound >> lane & 1)) lt_unfold_cell(work, begin + lane);
    }
}
