/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Panels of a factor: columns of L and of updates four at a time.
 *
 * All of the factorisation is one operation, C −= A B with four columns of C: B is copied so that it is read in order, eights of
 * rows of C stay in registers, and terms are subtracted one after the other, in the order of the columns of A. */

#include "core/factor_internal.h"

/* Eights of rows at once: eight registers of sums in avx2; elsewhere, where an eight is two registers, four times two. */
#if defined(LT_SIMD_AVX2) && !defined(LITHE_DOUBLE)
enum { EIGHTS = 2 };
#else
enum { EIGHTS = 1 };
#endif

/* ---- C −= A B ---- */

typedef struct product {
    lt_real *c;          /* four columns at most, */
    uint32_t c_stride;   /* so far apart */
    const lt_real *a;    /* [depth] columns, */
    uint32_t a_stride;   /* so far apart */
    const lt_real *b;    /* [depth][LT_FACTOR_COLUMNS] */
    uint32_t depth;      /* columns of A */
    uint32_t begin, end; /* rows of A and C, multiples of 8 */
} product;

/* Rows [row, row + 8 eights) of `columns` columns. */
static inline void subtract_rows(const product *p, uint32_t row, int eights, int columns) {
    lt_r8 sums[2][LT_FACTOR_COLUMNS];
    for (int j = 0; j < columns; j++)
        for (int e = 0; e < eights; e++)
            sums[e][j] = lt_r8_load(p->c + (size_t)p->c_stride * (uint32_t)j + row + 8 * e);
    const lt_real *a = p->a + row, *b = p->b;
    for (uint32_t k = 0; k < p->depth; k++, a += p->a_stride, b += LT_FACTOR_COLUMNS)
        for (int e = 0; e < eights; e++) {
            lt_r8 left = lt_r8_load(a + 8 * e);
            for (int j = 0; j < columns; j++)
                sums[e][j] = lt_r8_sub(sums[e][j], lt_r8_mul(left, lt_r8_splat(b[j])));
        }
    for (int j = 0; j < columns; j++)
        for (int e = 0; e < eights; e++)
            lt_r8_store(p->c + (size_t)p->c_stride * (uint32_t)j + row + 8 * e, sums[e][j]);
}

static inline void subtract_all(const product *p, int columns) {
    uint32_t row = p->begin;
    for (; row + 8 * EIGHTS <= p->end; row += 8 * EIGHTS)
        subtract_rows(p, row, EIGHTS, columns);
    for (; row < p->end; row += 8)
        subtract_rows(p, row, 1, columns);
}

static void subtract(const product *p, uint32_t columns) {
    switch (columns) {
    case 1: subtract_all(p, 1); break;
    case 2: subtract_all(p, 2); break;
    case 3: subtract_all(p, 3); break;
    default: subtract_all(p, LT_FACTOR_COLUMNS); break;
    }
}

/* B = rows [row, row + count) of A, transposed. */
static void copy_rows(lt_real *b, const lt_real *a, uint32_t stride, uint32_t depth, uint32_t row,
                      uint32_t count) {
    for (uint32_t k = 0; k < depth; k++)
        for (uint32_t j = 0; j < count; j++)
            b[LT_FACTOR_COLUMNS * k + j] = a[(size_t)k * stride + row + j];
}

/* ---- columns of L ---- */

/* y −= x s and x = x s, rows [begin, end), multiples of 8. */
static inline void subtract_column(lt_real *y, const lt_real *x, lt_real s, uint32_t begin, uint32_t end) {
    lt_r8 factor = lt_r8_splat(s);
    for (uint32_t i = begin; i < end; i += 8)
        lt_r8_store(y + i, lt_r8_sub(lt_r8_load(y + i), lt_r8_mul(lt_r8_load(x + i), factor)));
}

static inline void scale_column(lt_real *x, lt_real s, uint32_t begin, uint32_t end) {
    lt_r8 factor = lt_r8_splat(s);
    for (uint32_t i = begin; i < end; i += 8)
        lt_r8_store(x + i, lt_r8_mul(lt_r8_load(x + i), factor));
}

/* Whether the pivot, x[row], is positive and finite, or was raised to its floor. What is in the column of one that is raised is
 * rounding: divided by so small a pivot it would be large, so that it becomes zero. */
static bool take_pivot(lt_factor_work *work, lt_real *x, uint32_t row, uint32_t stride, lt_real diagonal) {
    lt_real floor = work->pivot_floor * diagonal;
    if (floor > 0 && x[row] < floor) {
        memset(x + row, 0, (stride - row) * sizeof x[0]);
        x[row] = floor;
        work->raised_count++;
    }
    return x[row] > 0 && x[row] - x[row] == 0;
}

static bool factor_columns(lt_factor_work *work, lt_real *panel, uint32_t stride, uint32_t column,
                           uint32_t count, const lt_real *diagonal, lt_real *coefficients) {
    lt_real *columns = panel + (size_t)column * stride;
    LT_ASSERT(count > 0 && count <= LT_FACTOR_COLUMNS && stride % 8 == 0);
    copy_rows(coefficients, panel, stride, column, column, count);
    product p = {columns, stride, panel, stride, coefficients, column, column & ~7u, stride};
    subtract(&p, count);
    for (uint32_t k = 0; k < count; k++) {
        lt_real *x = columns + (size_t)k * stride;
        uint32_t row = column + k, begin = row & ~7u;
        if (!take_pivot(work, x, row, stride, diagonal[k])) return false;
        scale_column(x, 1 / lt_sqrt_r(x[row]), begin, stride);
        for (uint32_t j = k + 1; j < count; j++)
            subtract_column(columns + (size_t)j * stride, x, x[column + j], begin, stride);
    }
    return true;
}

static void update_columns(lt_real *update, const lt_real *panel, const lt_factor_supernode *s,
                           uint32_t column, uint32_t count, lt_real *coefficients) {
    uint32_t width = 3 * s->column_count, shift = lt_factor_update_shift(s);
    uint32_t stride = lt_factor_update_stride(s);
    LT_ASSERT(column + count <= 3 * s->row_count && stride % 8 == 0);
    copy_rows(coefficients, panel, s->stride, width, width + column, count);
    product p = {
        update + (size_t)column * stride, stride, panel + (width - shift), s->stride, coefficients, width,
        (shift + column) & ~7u,           stride};
    subtract(&p, count);
}

/* ---- columns as they are stored ----
 *
 * X L11 = [I; L21], from the last column to the first: X_c = (E_c − Σ_{j>c} X_j L_jc) / L_cc, where E_c begins with the identity
 * and L_jc are in the very column that X_c replaces. */

/* Whether all rows are finite: x − x is zero then, and else not a number. */
static bool is_finite_column(const lt_real *x, uint32_t count) {
    lt_r8 sum = lt_r8_splat(0);
    for (uint32_t i = 0; i < count; i += 8) {
        lt_r8 value = lt_r8_load(x + i);
        sum = lt_r8_add(sum, lt_r8_sub(value, value));
    }
    lt_real lanes[8], all = 0;
    lt_r8_store(lanes, sum);
    for (int i = 0; i < 8; i++)
        all += lanes[i];
    return all == 0;
}

static bool invert_columns(lt_real *panel, const lt_factor_supernode *s, uint32_t column, uint32_t count,
                           lt_real *coefficients) {
    uint32_t width = 3 * s->column_count, end = column + count, stride = s->stride;
    LT_ASSERT(end <= width && count <= LT_FACTOR_COLUMNS);
    lt_real *columns = panel + (size_t)column * stride, square[LT_FACTOR_COLUMNS][LT_FACTOR_COLUMNS];
    for (uint32_t k = 0; k < count; k++) {
        lt_real *x = columns + (size_t)k * stride;
        for (uint32_t j = end; j < width; j++)
            coefficients[LT_FACTOR_COLUMNS * (j - end) + k] = x[j];
        for (uint32_t j = k; j < count; j++)
            square[k][j] = x[column + j];
        memset(x, 0, width * sizeof x[0]);
        x[column + k] = 1;
    }
    product p = {columns,   stride, panel + (size_t)end * stride, stride, coefficients, width - end,
                 end & ~7u, stride};
    subtract(&p, count);
    bool finite = true;
    for (uint32_t k = count; k-- > 0;) {
        lt_real *x = columns + (size_t)k * stride;
        uint32_t begin = (column + k) & ~7u;
        for (uint32_t j = k + 1; j < count; j++)
            subtract_column(x, columns + (size_t)j * stride, square[k][j], begin, stride);
        scale_column(x, 1 / square[k][k], begin, stride);
        finite &= is_finite_column(x, stride);
    }
    return finite;
}

extern const lt_factor_kernels LT_KERNEL(lt_factor_kernels);
const lt_factor_kernels LT_KERNEL(lt_factor_kernels) = {factor_columns, update_columns, invert_columns};
