/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Panels of a factor: columns of L and of updates four at a time, and products with panels for solves.
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

/* ---- solves ---- */

/* t = P x, of a panel of `width` columns; above the diagonal are zeros, which need not be read. */
static inline void multiply_panel(lt_real *t, const lt_real *panel, uint32_t stride, const lt_real *x,
                                  uint32_t width) {
    uint32_t row = 0;
    for (; row + 32 <= stride; row += 32) {
        lt_r8 sums[4] = {lt_r8_splat(0), lt_r8_splat(0), lt_r8_splat(0), lt_r8_splat(0)};
        const lt_real *p = panel + row;
        uint32_t end = lt_min_u32(width, row + 32);
        for (uint32_t k = 0; k < end; k++, p += stride) {
            lt_r8 factor = lt_r8_splat(x[k]);
            for (int e = 0; e < 4; e++)
                sums[e] = lt_r8_mad(sums[e], lt_r8_load(p + 8 * e), factor);
        }
        for (int e = 0; e < 4; e++)
            lt_r8_store(t + row + 8 * e, sums[e]);
    }
    for (; row < stride; row += 8) {
        lt_r8 even = lt_r8_splat(0), odd = lt_r8_splat(0);
        const lt_real *p = panel + row;
        uint32_t end = lt_min_u32(width, row + 8), k = 0;
        for (; k + 2 <= end; k += 2, p += 2 * (size_t)stride) {
            even = lt_r8_mad(even, lt_r8_load(p), lt_r8_splat(x[k]));
            odd = lt_r8_mad(odd, lt_r8_load(p + stride), lt_r8_splat(x[k + 1]));
        }
        if (k < end) even = lt_r8_mad(even, lt_r8_load(p), lt_r8_splat(x[k]));
        lt_r8_store(t + row, lt_r8_add(even, odd));
    }
}

/* x = Pᵀ t, four columns at a time: x has room for as many. */
static inline void multiply_transposed(lt_real *x, const lt_real *panel, uint32_t stride, const lt_real *t,
                                       uint32_t width) {
    for (uint32_t k = 0; k < width; k += 4) {
        const lt_real *p[4];
        for (uint32_t j = 0; j < 4; j++)
            p[j] = panel + (size_t)stride * lt_min_u32(k + j, width - 1);
        lt_r8 sums[4] = {lt_r8_splat(0), lt_r8_splat(0), lt_r8_splat(0), lt_r8_splat(0)};
        for (uint32_t i = k & ~7u; i < stride; i += 8) {
            lt_r8 factor = lt_r8_load(t + i);
            for (int j = 0; j < 4; j++)
                sums[j] = lt_r8_mad(sums[j], lt_r8_load(p[j] + i), factor);
        }
        lt_r4_store(x + k, lt_r8_sum4(sums[0], sums[1], sums[2], sums[3]));
    }
}

/* Nodes of four reals into rows of three and back: each is stored as four, and the next one covers the fourth. */
static inline void pack_nodes(lt_real *rows, const lt_real *nodes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        lt_r4_store(rows + 3 * (size_t)i, lt_r4_load(nodes + 4 * (size_t)i));
}

static inline void unpack_nodes(lt_real *nodes, const lt_real *rows, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        lt_r4_store(nodes + 4 * (size_t)i, lt_r4_load(rows + 3 * (size_t)i));
}

typedef struct solve_scratch {
    lt_real *x; /* [node_count][4] by place; the fourth lane has no meaning */
    lt_real *t; /* [tallest + 8] */
    lt_real *y; /* [3 widest + 8] */
} solve_scratch;

static inline void solve_forward(const lt_factor_plan *plan, const lt_real *values, solve_scratch c) {
    for (uint32_t index = 0; index < plan->supernode_count; index++) {
        const lt_factor_supernode *s = &plan->supernodes[index];
        lt_real *own = c.x + 4 * (size_t)s->column_begin;
        pack_nodes(c.y, own, s->column_count);
        multiply_panel(c.t, values + s->panel_begin, s->stride, c.y, 3 * s->column_count);
        unpack_nodes(own, c.t, s->column_count);
        const uint32_t *rows = plan->rows + s->row_begin;
        const lt_real *t = c.t + 3 * (size_t)s->column_count;
        for (uint32_t i = 0; i < s->row_count; i++, t += 3) {
            lt_real *x = c.x + 4 * (size_t)rows[i];
            lt_r4_store(x, lt_r4_sub(lt_r4_load(x), lt_r4_load(t)));
        }
    }
}

static inline void solve_backward(const lt_factor_plan *plan, const lt_real *values, solve_scratch c) {
    for (uint32_t index = plan->supernode_count; index-- > 0;) {
        const lt_factor_supernode *s = &plan->supernodes[index];
        lt_real *own = c.x + 4 * (size_t)s->column_begin;
        pack_nodes(c.t, own, s->column_count);
        const uint32_t *rows = plan->rows + s->row_begin;
        lt_real *t = c.t + 3 * (size_t)s->column_count;
        for (uint32_t i = 0; i < s->row_count; i++, t += 3)
            lt_r4_store(t, lt_r4_sub(lt_r4_splat(0), lt_r4_load(c.x + 4 * (size_t)rows[i])));
        lt_r8_store(t, lt_r8_splat(0)); /* up to the stride */
        multiply_transposed(c.y, values + s->panel_begin, s->stride, c.t, 3 * s->column_count);
        unpack_nodes(own, c.y, s->column_count);
    }
}

/* c0 v0 + c1 v1 + c2 v2 */
static inline lt_r4 combine(const lt_r4 columns[3], const lt_real *v) {
    lt_r4 sum = lt_r4_mul(columns[0], lt_r4_splat(v[0]));
    sum = lt_r4_mad(sum, columns[1], lt_r4_splat(v[1]));
    return lt_r4_mad(sum, columns[2], lt_r4_splat(v[2]));
}

/* x = Rᵀ r by place, zero where pinned; */
static inline void gather_turned(const lt_factor_plan *plan, lt_real *x, const lt_real *r,
                                 const lt_real turn[9], const uint8_t *pinned) {
    lt_r4 rows[3];
    for (int i = 0; i < 3; i++)
        rows[i] = lt_r4_load((lt_real[4]){turn[i], turn[3 + i], turn[6 + i], 0});
    for (uint32_t i = 0; i < plan->node_count; i++) {
        uint32_t node = plan->order[i];
        bool free = !pinned || !pinned[node];
        lt_r4_store(x + 4 * (size_t)i, free ? combine(rows, r + 4 * (size_t)node) : lt_r4_splat(0));
    }
}

/* and z = R x by node. */
static inline void scatter_turned(const lt_factor_plan *plan, lt_real *z, const lt_real *x,
                                  const lt_real turn[9], const uint8_t *pinned) {
    lt_r4 columns[3];
    for (int i = 0; i < 3; i++)
        columns[i] = lt_r4_load((lt_real[4]){turn[3 * i], turn[3 * i + 1], turn[3 * i + 2], 0});
    for (uint32_t i = 0; i < plan->node_count; i++) {
        uint32_t node = plan->order[i];
        bool free = !pinned || !pinned[node];
        lt_r4_store(z + 4 * (size_t)node, free ? combine(columns, x + 4 * (size_t)i) : lt_r4_splat(0));
    }
}

static void solve(const lt_factor_plan *plan, const lt_real *values, lt_real *z, const lt_real *r,
                  const lt_real turn[9], const uint8_t *pinned, lt_real *scratch) {
    solve_scratch c = {.x = scratch, .t = scratch + 4 * (size_t)plan->node_count};
    c.y = c.t + plan->tallest + 8;
    gather_turned(plan, c.x, r, turn, pinned);
    solve_forward(plan, values, c);
    solve_backward(plan, values, c);
    scatter_turned(plan, z, c.x, turn, pinned);
}

/* ---- eight right-hand sides ---- */

/* t = P x, rows [row, row + count). */
static inline void multiply_rows8(lt_real *t, const lt_real *panel, uint32_t stride, const lt_real *x,
                                  uint32_t width, uint32_t row, const int count) {
    lt_r8 sums[4 * EIGHTS];
    for (int i = 0; i < count; i++)
        sums[i] = lt_r8_splat(0);
    const lt_real *p = panel + row;
    uint32_t end = lt_min_u32(width, row + (uint32_t)count);
    for (uint32_t k = 0; k < end; k++, p += stride) {
        lt_r8 right = lt_r8_load(x + 8 * (size_t)k);
        for (int i = 0; i < count; i++)
            sums[i] = lt_r8_mad(sums[i], right, lt_r8_splat(p[i]));
    }
    for (int i = 0; i < count; i++)
        lt_r8_store(t + 8 * ((size_t)row + (uint32_t)i), sums[i]);
}

/* x = Pᵀ t, columns [column, column + count). */
static inline void multiply_columns8(lt_real *x, const lt_real *panel, uint32_t stride, const lt_real *t,
                                     uint32_t height, uint32_t column, const int count) {
    lt_r8 sums[3 * EIGHTS];
    for (int j = 0; j < count; j++)
        sums[j] = lt_r8_splat(0);
    const lt_real *p = panel + (size_t)stride * column;
    for (uint32_t i = column; i < height; i++) {
        lt_r8 right = lt_r8_load(t + 8 * (size_t)i);
        for (int j = 0; j < count; j++)
            sums[j] = lt_r8_mad(sums[j], right, lt_r8_splat(p[(size_t)stride * (uint32_t)j + i]));
    }
    for (int j = 0; j < count; j++)
        lt_r8_store(x + 8 * (size_t)(column + (uint32_t)j), sums[j]);
}

/* As many rows as there are registers for; columns by threes, as a node has. */
static inline void multiply_panel8(lt_real *t, const lt_real *panel, uint32_t stride, const lt_real *x,
                                   uint32_t width) {
    for (uint32_t row = 0; row < stride; row += 4 * EIGHTS)
        multiply_rows8(t, panel, stride, x, width, row, 4 * EIGHTS);
}

static inline void multiply_transposed8(lt_real *x, const lt_real *panel, uint32_t stride, const lt_real *t,
                                        uint32_t width, uint32_t height) {
    uint32_t column = 0;
    for (; column + 3 * EIGHTS <= width; column += 3 * EIGHTS)
        multiply_columns8(x, panel, stride, t, height, column, 3 * EIGHTS);
    if (column < width) multiply_columns8(x, panel, stride, t, height, column, 3);
}

static void forward8(const lt_factor_plan *plan, const lt_real *values, lt_real *x, lt_real *t) {
    for (uint32_t index = 0; index < plan->supernode_count; index++) {
        const lt_factor_supernode *s = &plan->supernodes[index];
        uint32_t width = 3 * s->column_count;
        lt_real *own = x + 24 * (size_t)s->column_begin;
        multiply_panel8(t, values + s->panel_begin, s->stride, own, width);
        memcpy(own, t, 8 * (size_t)width * sizeof t[0]);
        for (uint32_t i = 0; i < 3 * s->row_count; i++) {
            lt_real *into = x + 8 * (3 * (size_t)plan->rows[s->row_begin + i / 3] + i % 3);
            lt_r8 right = lt_r8_load(t + 8 * (size_t)(width + i));
            lt_r8_store(into, lt_r8_sub(lt_r8_load(into), right));
        }
    }
}

static void backward8(const lt_factor_plan *plan, const lt_real *values, lt_real *x, lt_real *t) {
    for (uint32_t index = plan->supernode_count; index-- > 0;) {
        const lt_factor_supernode *s = &plan->supernodes[index];
        uint32_t width = 3 * s->column_count;
        lt_real *own = x + 24 * (size_t)s->column_begin;
        memcpy(t, own, 8 * (size_t)width * sizeof t[0]);
        for (uint32_t i = 0; i < 3 * s->row_count; i++) {
            const lt_real *from = x + 8 * (3 * (size_t)plan->rows[s->row_begin + i / 3] + i % 3);
            lt_r8_store(t + 8 * (size_t)(width + i), lt_r8_sub(lt_r8_splat(0), lt_r8_load(from)));
        }
        multiply_transposed8(own, values + s->panel_begin, s->stride, t, width, width + 3 * s->row_count);
    }
}

static void solve8(const lt_factor_plan *plan, const lt_real *values, lt_real *x, lt_real *scratch) {
    forward8(plan, values, x, scratch);
    backward8(plan, values, x, scratch);
}

extern const lt_factor_kernels LT_KERNEL(lt_factor_kernels);
const lt_factor_kernels LT_KERNEL(lt_factor_kernels) = {factor_columns, update_columns, invert_columns, solve,
                                                        solve8};
