/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/sparse.h"

static inline lt_r4 multiply_block(lt_r4 sum, const lt_real *block, const lt_real *x) {
    sum = lt_r4_mad(sum, lt_r4_load(block), lt_r4_splat(x[0]));
    sum = lt_r4_mad(sum, lt_r4_load(block + 4), lt_r4_splat(x[1]));
    return lt_r4_mad(sum, lt_r4_load(block + 8), lt_r4_splat(x[2]));
}

/* Σ A_ij x_j over entries [begin, end). One sum per column of the blocks: three short chains of additions instead of one long
 * one. */
static inline lt_r4 sum_entries(const uint32_t *columns, const lt_real *blocks, const lt_real *x,
                                uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    lt_r4 sum0 = lt_r4_splat(0), sum1 = lt_r4_splat(0), sum2 = lt_r4_splat(0);
    for (uint32_t entry = begin; entry < end; entry++) {
        const lt_real *block = blocks + (size_t)LT_BLOCK_STRIDE * entry, *v = x + 4 * (size_t)columns[entry];
        sum0 = lt_r4_mad(sum0, lt_r4_load(block), lt_r4_splat(v[0]));
        sum1 = lt_r4_mad(sum1, lt_r4_load(block + 4), lt_r4_splat(v[1]));
        sum2 = lt_r4_mad(sum2, lt_r4_load(block + 8), lt_r4_splat(v[2]));
    }
    return lt_r4_add(lt_r4_add(sum0, sum1), sum2);
}

static void multiply(lt_real *y, const lt_sparse_pattern *pattern, const lt_real *blocks, const lt_real *x,
                     uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    for (uint32_t row = begin; row < end; row++)
        lt_r4_store(y + 4 * (size_t)row, sum_entries(pattern->columns, blocks, x, pattern->row_begin[row],
                                                     pattern->row_begin[row + 1]));
}

static void multiply_rows(lt_real *y, const lt_sparse_pattern *pattern, const lt_real *blocks,
                          const lt_real *x, const uint32_t *rows, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        lt_r4_store(y + 4 * (size_t)rows[i],
                    sum_entries(pattern->columns, blocks, x, pattern->row_begin[rows[i]],
                                pattern->row_begin[rows[i] + 1]));
}

/* Σ A_ij x_j without j = i. */
static inline lt_r4 sum_others(const lt_sparse_pattern *pattern, const lt_real *blocks, const lt_real *x,
                               uint32_t row) {
    LT_ASSERT(row < pattern->row_count);
    uint32_t diagonal = pattern->diagonal[row];
    lt_r4 before = sum_entries(pattern->columns, blocks, x, pattern->row_begin[row], diagonal);
    return lt_r4_add(before,
                     sum_entries(pattern->columns, blocks, x, diagonal + 1, pattern->row_begin[row + 1]));
}

static void defect_rows(lt_real *d, const lt_sparse_pattern *pattern, const lt_real *blocks,
                        const lt_real *diagonal, const lt_real *b, const lt_real *x, const uint32_t *rows,
                        uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        size_t at = 4 * (size_t)rows[i];
        lt_r4 own = multiply_block(sum_others(pattern, blocks, x, rows[i]),
                                   diagonal + (size_t)LT_BLOCK_STRIDE * rows[i], x + at);
        lt_r4_store(d + at, lt_r4_sub(lt_r4_load(b + at), own));
    }
}

static void relax_rows(lt_real *x, const lt_sparse_pattern *pattern, const lt_real *blocks,
                       const lt_real *inverse, const lt_real *b, const uint32_t *rows, uint32_t count,
                       bool backward) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = rows[backward ? count - 1 - i : i];
        size_t at = 4 * (size_t)row;
        lt_real left[4];
        lt_r4_store(left, lt_r4_sub(lt_r4_load(b + at), sum_others(pattern, blocks, x, row)));
        lt_r4_store(x + at, multiply_block(lt_r4_splat(0), inverse + (size_t)LT_BLOCK_STRIDE * row, left));
    }
}

/* The half of a row before its diagonal, or behind it. */
static inline lt_r4 sum_half(const lt_sparse_pattern *pattern, const lt_real *blocks, const lt_real *x,
                             uint32_t row, bool after) {
    LT_ASSERT(row < pattern->row_count);
    uint32_t diagonal = pattern->diagonal[row];
    return after ? sum_entries(pattern->columns, blocks, x, diagonal + 1, pattern->row_begin[row + 1])
                 : sum_entries(pattern->columns, blocks, x, pattern->row_begin[row], diagonal);
}

static void sum_half_rows(lt_real *sums, const lt_sparse_pattern *pattern, const lt_real *blocks,
                          const lt_real *x, const uint32_t *rows, uint32_t count, bool after) {
    for (uint32_t i = 0; i < count; i++)
        lt_r4_store(sums + 4 * (size_t)rows[i], sum_half(pattern, blocks, x, rows[i], after));
}

static void relax_half_rows(lt_real *x, const lt_sparse_pattern *pattern, const lt_real *blocks,
                            const lt_real *inverse, const lt_real *b, lt_real *own, const lt_real *other,
                            const uint32_t *rows, uint32_t count, bool backward) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = rows[backward ? count - 1 - i : i];
        size_t at = 4 * (size_t)row;
        lt_r4 known = lt_r4_sub(lt_r4_load(b + at), lt_r4_load(other + at));
        lt_r4 passed = sum_half(pattern, blocks, x, row, backward);
        lt_real left[4];
        lt_r4_store(left, lt_r4_sub(known, passed));
        lt_r4_store(x + at, multiply_block(lt_r4_splat(0), inverse + (size_t)LT_BLOCK_STRIDE * row, left));
        lt_r4_store(own + at, passed);
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
    size_t i = 0, end = 4 * (size_t)row_count;
    lt_r8 plus = lt_r8_splat(s), minus = lt_r8_splat(-s);
    for (; i + 8 <= end; i += 8) {
        lt_r8_store(x + i, lt_r8_mad(lt_r8_load(x + i), lt_r8_load(p + i), plus));
        lt_r8_store(r + i, lt_r8_mad(lt_r8_load(r + i), lt_r8_load(q + i), minus));
    }
    if (i == end) return;
    lt_r4_store(x + i, lt_r4_mad(lt_r4_load(x + i), lt_r4_load(p + i), lt_r4_splat(s)));
    lt_r4_store(r + i, lt_r4_mad(lt_r4_load(r + i), lt_r4_load(q + i), lt_r4_splat(-s)));
}

static void redirect(lt_real *p, const lt_real *z, lt_real s, uint32_t row_count) {
    size_t i = 0, end = 4 * (size_t)row_count;
    lt_r8 factor = lt_r8_splat(s);
    for (; i + 8 <= end; i += 8)
        lt_r8_store(p + i, lt_r8_mad(lt_r8_load(z + i), lt_r8_load(p + i), factor));
    if (i < end) lt_r4_store(p + i, lt_r4_mad(lt_r4_load(z + i), lt_r4_load(p + i), lt_r4_splat(s)));
}

static void scale(lt_real *x, lt_real s, uint32_t row_count) {
    size_t i = 0, end = 4 * (size_t)row_count;
    lt_r8 factor = lt_r8_splat(s);
    for (; i + 8 <= end; i += 8)
        lt_r8_store(x + i, lt_r8_mul(lt_r8_load(x + i), factor));
    if (i < end) lt_r4_store(x + i, lt_r4_mul(lt_r4_load(x + i), lt_r4_splat(s)));
}

extern const lt_sparse_kernels LT_KERNEL(lt_sparse_kernels);
const lt_sparse_kernels LT_KERNEL(lt_sparse_kernels) = {
    multiply,      multiply_diagonal, dot,        advance,       redirect,       scale,
    multiply_rows, defect_rows,       relax_rows, sum_half_rows, relax_half_rows};
