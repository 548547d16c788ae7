/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Eight samples in the tets of a block: first which tets are near the box of the samples, then the least weight of each sample in each of
 * these. */

#include "detect/front_search.h"

static inline uint32_t tets_near(const lt_solid_block *tets, const lt_box *box) {
    lt_f8m x = lt_f8m_and(lt_f8_less_equal(lt_f8_load(tets->lo[0]), lt_f8_splat(box->hi.x)),
                          lt_f8_less_equal(lt_f8_splat(box->lo.x), lt_f8_load(tets->hi[0])));
    lt_f8m y = lt_f8m_and(lt_f8_less_equal(lt_f8_load(tets->lo[1]), lt_f8_splat(box->hi.y)),
                          lt_f8_less_equal(lt_f8_splat(box->lo.y), lt_f8_load(tets->hi[1])));
    lt_f8m z = lt_f8m_and(lt_f8_less_equal(lt_f8_load(tets->lo[2]), lt_f8_splat(box->hi.z)),
                          lt_f8_less_equal(lt_f8_splat(box->lo.z), lt_f8_load(tets->hi[2])));
    return lt_f8m_bits(lt_f8m_and(lt_f8m_and(x, y), z));
}

static inline lt_f8 weight(const float row[3][LT_BLOCK], uint32_t lane, lt_f8 x, lt_f8 y, lt_f8 z) {
    return lt_f8_add(
        lt_f8_add(lt_f8_mul(lt_f8_splat(row[0][lane]), x), lt_f8_mul(lt_f8_splat(row[1][lane]), y)),
        lt_f8_mul(lt_f8_splat(row[2][lane]), z));
}

/* Least weights of eight samples in one tet. */
static inline lt_f8 least_weights(const lt_solid_block *tets, uint32_t lane, const lt_skin_block *samples) {
    lt_f8 x = lt_f8_sub(lt_f8_load(samples->at[0]), lt_f8_splat(tets->origin[0][lane]));
    lt_f8 y = lt_f8_sub(lt_f8_load(samples->at[1]), lt_f8_splat(tets->origin[1][lane]));
    lt_f8 z = lt_f8_sub(lt_f8_load(samples->at[2]), lt_f8_splat(tets->origin[2][lane]));
    lt_f8 a = weight(tets->rows[0], lane, x, y, z), b = weight(tets->rows[1], lane, x, y, z),
          c = weight(tets->rows[2], lane, x, y, z);
    lt_f8 rest = lt_f8_sub(lt_f8_sub(lt_f8_sub(lt_f8_splat(1), a), b), c);
    return lt_f8_min(lt_f8_min(rest, a), lt_f8_min(b, c));
}

static uint32_t hold_samples(uint32_t *tet_of, float *least, const lt_skin_block *samples, const lt_box *near,
                             const lt_solid_block *tets, const uint32_t *tet_ids) {
    uint32_t bits = tets_near(tets, near), count = 0;
    lt_f8 best = lt_f8_load(least);
    for (; bits; bits &= bits - 1, count++) {
        uint32_t lane = (uint32_t)__builtin_ctz(bits);
        lt_f8 found = least_weights(tets, lane, samples);
        uint32_t better = lt_f8m_bits(lt_f8_less(best, found));
        best = lt_f8_max(found, best);
        for (; better; better &= better - 1)
            tet_of[__builtin_ctz(better)] = tet_ids[lane];
    }
    lt_f8_store(least, best);
    return count;
}

extern const lt_leaf_kernels LT_KERNEL(lt_leaf_kernels);
const lt_leaf_kernels LT_KERNEL(lt_leaf_kernels) = {hold_samples};
