/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/sparse.h"

static inline lt_r4 multiply_block(lt_r4 sum, const lt_real *block, const lt_real *x) {
    sum = lt_r4_mad(sum, lt_r4_load(block), lt_r4_splat(x[0]));
    sum = lt_r4_mad(sum, lt_r4_load(block + 4), lt_r4_splat(x[1]));
    return lt_r4_mad(sum, lt_r4_load(block + 8), lt_r4_splat(x[2]));
}

/* One sum per column of the blocks: three short chains of additions instead of one long one. */
static void multiply(lt_real *y, const lt_sparse_pattern *pattern, const lt_real *blocks, const lt_real *x,
                     uint32_t begin, uint32_t end) {
    const uint32_t *row_begin = pattern->row_begin, *columns = pattern->columns;
    for (uint32_t row = begin; row < end; row++) {
        lt_r4 sum0 = lt_r4_splat(0), sum1 = lt_r4_splat(0), sum2 = lt_r4_splat(0);
        for (uint32_t entry = row_begin[row]; entry < row_begin[row + 1]; entry++) {
            const lt_real *block = blocks + (size_t)LT_BLOCK_STRIDE * entry,
                          *v = x + 4 * (size_t)columns[entry];
            sum0 = lt_r4_mad(sum0, lt_r4_load(block), lt_r4_splat(v[0]));
            sum1 = lt_r4_mad(sum1, lt_r4_load(block + 4), lt_r4_splat(v[1]));
            sum2 = lt_r4_mad(sum2, lt_r4_load(block + 8), lt_r4_splat(v[2]));
        }
        lt_r4_store(y + 4 * (size_t)row, lt_r4_add(lt_r4_add(sum0, sum1), sum2));
    }
}

static void multiply_diagonal(lt_real *z, const lt_real *blocks, const lt_real *r, uint32_t row_count) {
    for (uint32_t row = 0; row < row_count; row++) {
        lt_r4 product =
            multiply_block(lt_r4_splat(0), blocks + (size_t)LT_BLOCK_STRIDE * row, r + 4 * (size_t)row);
        lt_r4_store(z + 4 * (size_t)row, product);
    }
}

static lt_real dot(const lt_real *a, const lt_real *b, uint32_t row_count) {
    lt_r8 sum = lt_r8_splat(0);
    uint32_t pairs = row_count / 2;
    for (uint32_t i = 0; i < pairs; i++)
        sum = lt_r8_mad(sum, lt_r8_load(a + 8 * (size_t)i), lt_r8_load(b + 8 * (size_t)i));
    lt_real lanes[8];
    lt_r8_store(lanes, sum);
    if (row_count % 2) {
        const lt_real *last_a = a + 8 * (size_t)pairs, *last_b = b + 8 * (size_t)pairs;
        for (int i = 0; i < 3; i++)
            lanes[i] += last_a[i] * last_b[i];
    }
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + (lanes[2] + lanes[6]);
}

static void advance(lt_real *x, lt_real *r, const lt_real *p, const lt_real *q, lt_real s,
                    uint32_t row_count) {
    lt_r4 plus = lt_r4_splat(s), minus = lt_r4_splat(-s);
    for (size_t i = 0; i < 4 * (size_t)row_count; i += 4) {
        lt_r4_store(x + i, lt_r4_mad(lt_r4_load(x + i), lt_r4_load(p + i), plus));
        lt_r4_store(r + i, lt_r4_mad(lt_r4_load(r + i), lt_r4_load(q + i), minus));
    }
}

static void redirect(lt_real *p, const lt_real *z, lt_real s, uint32_t row_count) {
    lt_r4 factor = lt_r4_splat(s);
    for (size_t i = 0; i < 4 * (size_t)row_count; i += 4)
        lt_r4_store(p + i, lt_r4_mad(lt_r4_load(z + i), lt_r4_load(p + i), factor));
}

extern const lt_sparse_kernels LT_KERNEL(lt_sparse_kernels);
const lt_sparse_kernels LT_KERNEL(lt_sparse_kernels) = {multiply, multiply_diagonal, dot, advance, redirect};
