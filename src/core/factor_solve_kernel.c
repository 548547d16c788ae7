/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Solves with a factor, of one right-hand side and of several at once.
 *
 *              eights of rows of one to four sides              eights of sides
 *
 *        t = P x       ┌─┐ a panel's eight is loaded once        t = P x      one number of the panel is
 *        x = Pᵀ t      └─┘ and serves all sides of the block     x = Pᵀ t     spread over the eight sides
 *
 * Of up to six sides the first is faster, from seven on the second: it has no zeros at the ends of columns, and four sides, a block of
 * three columns or two, take what there is of registers. Every side has its own sums, and they have the same order in both, at any count
 * and every level: a side's answer does not depend on what is solved beside it.
 *
 *   t_i   rows below 32 ⌊stride / 32⌋: one sum over columns; the others: even columns, odd columns, added
 *   x_k   eight sums over rows, by row modulo 8; ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7))
 *
 * What is left out are products with zeros of a panel, above the diagonal and at the ends of columns. They change no sum: sums begin at
 * zero and are never −0.
 *
 * Workload, 994 tets: one side 5.2 us, two 9.5, three 12.8, four 17, eight 25 (avx2; with 128 bits and without fused multiply-add every
 * side is bound by arithmetic, and eight cost 7.5 of one). Without anything but panels eight would cost 3.1 of one. */

#include "core/factor_internal.h"

/* ---- t = P x, eights of rows ---- */

/* Vectors of the sides of a block, each so many reals behind the one before. */
typedef struct block {
    lt_real *x; /* [node_count][sides][4] by place; fourth lanes have no meaning */
    lt_real *t; /* [sides][tallest + 8] */
    lt_real *y; /* [sides][3 widest + 8] */
    size_t t_stride, y_stride;
} block;

/* Rows [row, row + 8 eights), one sum over columns. */
LT_UNROLLED void multiply_eights(const block *b, const lt_real *panel, uint32_t stride, uint32_t width,
                                 uint32_t row, const int eights, const int sides) {
    lt_r8 sums[4][4];
    for (int e = 0; e < eights; e++)
        for (int s = 0; s < sides; s++)
            sums[e][s] = lt_r8_splat(0);
    const lt_real *p = panel + row;
    uint32_t end = lt_min_u32(width, row + 8 * (uint32_t)eights);
    for (uint32_t k = 0; k < end; k++, p += stride) {
        lt_r8 left[4];
        for (int e = 0; e < eights; e++)
            left[e] = lt_r8_load(p + 8 * e);
        for (int s = 0; s < sides; s++) {
            lt_r8 factor = lt_r8_splat(b->y[(size_t)s * b->y_stride + k]);
            for (int e = 0; e < eights; e++)
                sums[e][s] = lt_r8_mad(sums[e][s], left[e], factor);
        }
    }
    for (int s = 0; s < sides; s++)
        for (int e = 0; e < eights; e++)
            lt_r8_store(b->t + (size_t)s * b->t_stride + row + 8 * e, sums[e][s]);
}

/* Rows [row, row + 8), even columns and odd ones. */
LT_UNROLLED void multiply_last_eight(const block *b, const lt_real *panel, uint32_t stride, uint32_t width,
                                     uint32_t row, const int sides) {
    lt_r8 even[4], odd[4];
    for (int s = 0; s < sides; s++)
        even[s] = odd[s] = lt_r8_splat(0);
    const lt_real *p = panel + row;
    uint32_t end = lt_min_u32(width, row + 8), k = 0;
    for (; k + 2 <= end; k += 2, p += 2 * (size_t)stride) {
        lt_r8 left = lt_r8_load(p), right = lt_r8_load(p + stride);
        for (int s = 0; s < sides; s++) {
            const lt_real *y = b->y + (size_t)s * b->y_stride + k;
            even[s] = lt_r8_mad(even[s], left, lt_r8_splat(y[0]));
            odd[s] = lt_r8_mad(odd[s], right, lt_r8_splat(y[1]));
        }
    }
    for (int s = 0; s < sides && k < end; s++)
        even[s] = lt_r8_mad(even[s], lt_r8_load(p), lt_r8_splat(b->y[(size_t)s * b->y_stride + k]));
    for (int s = 0; s < sides; s++)
        lt_r8_store(b->t + (size_t)s * b->t_stride + row, lt_r8_add(even[s], odd[s]));
}

LT_UNROLLED void multiply_panel(const block *b, const lt_real *panel, uint32_t stride, uint32_t width,
                                const int sides) {
    const int eights = sides > 2 ? 2 : 4;
    uint32_t row = 0, whole = stride & ~31u;
    for (; row < whole; row += 8 * (uint32_t)eights)
        multiply_eights(b, panel, stride, width, row, eights, sides);
    for (; row < stride; row += 8)
        multiply_last_eight(b, panel, stride, width, row, sides);
}

/* ---- x = Pᵀ t, eights of rows ---- */

/* Columns [column, column + count), 3 or 6, of sides from `first` on. */
LT_UNROLLED void multiply_columns(const block *b, const lt_real *panel, uint32_t stride, uint32_t column,
                                  int first, const int count, const int sides) {
    const lt_real *p = panel + (size_t)stride * column, *t = b->t + (size_t)first * b->t_stride;
    lt_real *y = b->y + (size_t)first * b->y_stride + column;
    lt_r8 sums[4][6];
    for (int s = 0; s < sides; s++)
        for (int j = 0; j < count; j++)
            sums[s][j] = lt_r8_splat(0);
    for (uint32_t i = column & ~7u; i < stride; i += 8) {
        lt_r8 factors[4];
        for (int s = 0; s < sides; s++)
            factors[s] = lt_r8_load(t + (size_t)s * b->t_stride + i);
        for (int j = 0; j < count; j++) {
            lt_r8 left = lt_r8_load(p + (size_t)stride * (uint32_t)j + i);
            for (int s = 0; s < sides; s++)
                sums[s][j] = lt_r8_mad(sums[s][j], left, factors[s]);
        }
    }
    for (int s = 0; s < sides; s++)
        for (int j = 0; j < count; j += 3)
            lt_r4_store(y + (size_t)s * b->y_stride + j,
                        lt_r8_sum4(sums[s][j], sums[s][j + 1], sums[s][j + 2], sums[s][j + 2]));
}

/* Six columns of one side, three of two or three: as many sums as there are registers for. */
LT_UNROLLED void multiply_transposed(const block *b, const lt_real *panel, uint32_t stride, uint32_t width,
                                     const int sides) {
    uint32_t column = 0;
    for (; sides == 1 && column + 6 <= width; column += 6)
        multiply_columns(b, panel, stride, column, 0, 6, 1);
    for (; column < width; column += 3)
        if (sides == 4) {
            multiply_columns(b, panel, stride, column, 0, 3, 2);
            multiply_columns(b, panel, stride, column, 2, 3, 2);
        } else {
            multiply_columns(b, panel, stride, column, 0, 3, sides);
        }
}

/* ---- down and back, eights of rows ---- */

/* Nodes of four reals into rows of three and back: each is stored as four, and the next one covers the fourth. */
LT_UNROLLED void pack_nodes(lt_real *rows, size_t row_stride, const lt_real *nodes, uint32_t count,
                            const int sides) {
    for (uint32_t i = 0; i < count; i++)
        for (int s = 0; s < sides; s++, nodes += 4)
            lt_r4_store(rows + (size_t)s * row_stride + 3 * (size_t)i, lt_r4_load(nodes));
}

LT_UNROLLED void unpack_nodes(lt_real *nodes, const lt_real *rows, size_t row_stride, uint32_t count,
                              const int sides) {
    for (uint32_t i = 0; i < count; i++)
        for (int s = 0; s < sides; s++, nodes += 4)
            lt_r4_store(nodes, lt_r4_load(rows + (size_t)s * row_stride + 3 * (size_t)i));
}

LT_UNROLLED void solve_down(const lt_factor_plan *plan, const lt_real *values, const block *b,
                            const int sides) {
    for (uint32_t index = 0; index < plan->supernode_count; index++) {
        const lt_factor_supernode *s = &plan->supernodes[index];
        lt_real *own = b->x + 4 * (size_t)s->column_begin * (size_t)sides;
        pack_nodes(b->y, b->y_stride, own, s->column_count, sides);
        multiply_panel(b, values + s->panel_begin, s->stride, 3 * s->column_count, sides);
        unpack_nodes(own, b->t, b->t_stride, s->column_count, sides);
        const uint32_t *rows = plan->rows + s->row_begin;
        const lt_real *t = b->t + 3 * (size_t)s->column_count;
        for (uint32_t i = 0; i < s->row_count; i++, t += 3) {
            lt_real *x = b->x + 4 * (size_t)rows[i] * (size_t)sides;
            for (int k = 0; k < sides; k++, x += 4)
                lt_r4_store(x, lt_r4_sub(lt_r4_load(x), lt_r4_load(t + (size_t)k * b->t_stride)));
        }
    }
}

LT_UNROLLED void solve_back(const lt_factor_plan *plan, const lt_real *values, const block *b,
                            const int sides) {
    for (uint32_t index = plan->supernode_count; index-- > 0;) {
        const lt_factor_supernode *s = &plan->supernodes[index];
        lt_real *own = b->x + 4 * (size_t)s->column_begin * (size_t)sides;
        pack_nodes(b->t, b->t_stride, own, s->column_count, sides);
        const uint32_t *rows = plan->rows + s->row_begin;
        lt_real *t = b->t + 3 * (size_t)s->column_count;
        for (uint32_t i = 0; i < s->row_count; i++, t += 3) {
            const lt_real *x = b->x + 4 * (size_t)rows[i] * (size_t)sides;
            for (int k = 0; k < sides; k++, x += 4)
                lt_r4_store(t + (size_t)k * b->t_stride, lt_r4_sub(lt_r4_splat(0), lt_r4_load(x)));
        }
        for (int k = 0; k < sides; k++)
            lt_r8_store(t + (size_t)k * b->t_stride, lt_r8_splat(0)); /* up to the stride */
        multiply_transposed(b, values + s->panel_begin, s->stride, 3 * s->column_count, sides);
        unpack_nodes(own, b->y, b->y_stride, s->column_count, sides);
    }
}

/* ---- one to four sides ---- */

/* c0 v0 + c1 v1 + c2 v2 */
static inline lt_r4 combine(const lt_r4 columns[3], const lt_real *v) {
    lt_r4 sum = lt_r4_mul(columns[0], lt_r4_splat(v[0]));
    sum = lt_r4_mad(sum, columns[1], lt_r4_splat(v[1]));
    return lt_r4_mad(sum, columns[2], lt_r4_splat(v[2]));
}

static inline bool is_free(const lt_factor_side *side, uint32_t node) {
    return !side->pinned || !side->pinned[node];
}

/* x = Rᵀ r by place, `apart` reals from node to node, zero where pinned; */
static inline void gather_turned(const lt_factor_plan *plan, lt_real *x, size_t apart,
                                 const lt_factor_side *side) {
    lt_r4 rows[3];
    for (int i = 0; i < 3; i++)
        rows[i] = lt_r4_load((lt_real[4]){side->turn[i], side->turn[3 + i], side->turn[6 + i], 0});
    for (uint32_t i = 0; i < plan->node_count; i++, x += apart) {
        uint32_t node = plan->order[i];
        lt_r4_store(x, is_free(side, node) ? combine(rows, side->r + 4 * (size_t)node) : lt_r4_splat(0));
    }
}

/* and z = R x by node. */
static inline void scatter_turned(const lt_factor_plan *plan, const lt_factor_side *side, const lt_real *x,
                                  size_t apart) {
    lt_r4 columns[3];
    for (int i = 0; i < 3; i++)
        columns[i] =
            lt_r4_load((lt_real[4]){side->turn[3 * i], side->turn[3 * i + 1], side->turn[3 * i + 2], 0});
    for (uint32_t i = 0; i < plan->node_count; i++, x += apart) {
        uint32_t node = plan->order[i];
        lt_r4_store(side->z + 4 * (size_t)node, is_free(side, node) ? combine(columns, x) : lt_r4_splat(0));
    }
}

LT_UNROLLED void solve_block(const lt_factor_plan *plan, const lt_real *values, const lt_factor_side *sides,
                             lt_real *scratch, const int count) {
    block b = {.x = scratch,
               .t = scratch + 4 * (size_t)count * plan->node_count,
               .t_stride = plan->tallest + 8,
               .y_stride = 3 * (size_t)plan->widest + 8};
    b.y = b.t + (size_t)count * b.t_stride;
    for (int s = 0; s < count; s++)
        gather_turned(plan, b.x + 4 * s, 4 * (size_t)count, &sides[s]);
    solve_down(plan, values, &b, count);
    solve_back(plan, values, &b, count);
    for (int s = 0; s < count; s++)
        scatter_turned(plan, &sides[s], b.x + 4 * s, 4 * (size_t)count);
}

/* ---- eights of sides ---- */

/* Rows and columns at once: as many sums, of columns twice as many, as avx2 has registers for. */
enum { LANE_ROWS = 8, LANE_COLUMNS = 6 };

/* t = P x, rows [row, row + count), one sum over columns; */
LT_UNROLLED void multiply_rows8(lt_real *t, const lt_real *panel, uint32_t stride, const lt_real *x,
                                uint32_t width, uint32_t row, const int count) {
    lt_r8 sums[LANE_ROWS];
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

/* even columns and odd ones. */
LT_UNROLLED void multiply_last_rows8(lt_real *t, const lt_real *panel, uint32_t stride, const lt_real *x,
                                     uint32_t width, uint32_t row, const int count) {
    lt_r8 even[LANE_ROWS / 2], odd[LANE_ROWS / 2];
    for (int i = 0; i < count; i++)
        even[i] = odd[i] = lt_r8_splat(0);
    const lt_real *p = panel + row;
    uint32_t end = lt_min_u32(width, row + (uint32_t)count), k = 0;
    for (; k + 2 <= end; k += 2, p += 2 * (size_t)stride) {
        lt_r8 left = lt_r8_load(x + 8 * (size_t)k), right = lt_r8_load(x + 8 * (size_t)k + 8);
        for (int i = 0; i < count; i++) {
            even[i] = lt_r8_mad(even[i], left, lt_r8_splat(p[i]));
            odd[i] = lt_r8_mad(odd[i], right, lt_r8_splat(p[stride + (uint32_t)i]));
        }
    }
    for (int i = 0; i < count && k < end; i++)
        even[i] = lt_r8_mad(even[i], lt_r8_load(x + 8 * (size_t)k), lt_r8_splat(p[i]));
    for (int i = 0; i < count; i++)
        lt_r8_store(t + 8 * ((size_t)row + (uint32_t)i), lt_r8_add(even[i], odd[i]));
}

/* The last rows may be some of the zeros behind the height. */
LT_UNROLLED void multiply_panel8(lt_real *t, const lt_real *panel, uint32_t stride, const lt_real *x,
                                 uint32_t width, uint32_t height) {
    uint32_t row = 0, whole = lt_min_u32(stride & ~31u, height);
    for (; row < whole; row += LANE_ROWS)
        multiply_rows8(t, panel, stride, x, width, row, LANE_ROWS);
    for (; row < height; row += LANE_ROWS / 2)
        multiply_last_rows8(t, panel, stride, x, width, row, LANE_ROWS / 2);
}

/* The sums of two neighbours of eight rows, from row `first` on, of `count` columns. */
LT_UNROLLED void sum_two_of_eight(lt_r8 *out, const lt_real *panel, uint32_t stride, const lt_real *t,
                                  uint32_t height, uint32_t first, const int count) {
    lt_r8 even[LANE_COLUMNS], odd[LANE_COLUMNS];
    for (int j = 0; j < count; j++)
        even[j] = odd[j] = lt_r8_splat(0);
    uint32_t i = first;
    for (; i + 2 <= height; i += 8) {
        lt_r8 left = lt_r8_load(t + 8 * (size_t)i), right = lt_r8_load(t + 8 * (size_t)i + 8);
        for (int j = 0; j < count; j++) {
            const lt_real *p = panel + (size_t)stride * (uint32_t)j + i;
            even[j] = lt_r8_mad(even[j], left, lt_r8_splat(p[0]));
            odd[j] = lt_r8_mad(odd[j], right, lt_r8_splat(p[1]));
        }
    }
    for (int j = 0; j < count && i < height; j++)
        even[j] = lt_r8_mad(even[j], lt_r8_load(t + 8 * (size_t)i),
                            lt_r8_splat(panel[(size_t)stride * (uint32_t)j + i]));
    for (int j = 0; j < count; j++)
        out[j] = lt_r8_add(even[j], odd[j]);
}

/* x = Pᵀ t, columns [column, column + count). */
LT_UNROLLED void multiply_columns8(lt_real *x, const lt_real *panel, uint32_t stride, const lt_real *t,
                                   uint32_t height, uint32_t column, const int count) {
    lt_r8 sums[4][LANE_COLUMNS];
    const lt_real *p = panel + (size_t)stride * column;
    for (uint32_t k = 0; k < 4; k++)
        sum_two_of_eight(sums[k], p, stride, t, height, (column & ~7u) + 2 * k, count);
    for (int j = 0; j < count; j++)
        lt_r8_store(x + 8 * (size_t)(column + (uint32_t)j),
                    lt_r8_add(lt_r8_add(sums[0][j], sums[1][j]), lt_r8_add(sums[2][j], sums[3][j])));
}

LT_UNROLLED void multiply_transposed8(lt_real *x, const lt_real *panel, uint32_t stride, const lt_real *t,
                                      uint32_t width, uint32_t height) {
    uint32_t column = 0;
    for (; column + LANE_COLUMNS <= width; column += LANE_COLUMNS)
        multiply_columns8(x, panel, stride, t, height, column, LANE_COLUMNS);
    if (column < width) multiply_columns8(x, panel, stride, t, height, column, 3);
}

static bool is_zero(const lt_real *x, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (x[i] != 0) return false;
    return true;
}

static void solve_down8(const lt_factor_plan *plan, const lt_real *values, lt_real *x, uint32_t first,
                        lt_real *t) {
    for (uint32_t index = first; index < plan->supernode_count; index++) {
        const lt_factor_supernode *s = &plan->supernodes[index];
        uint32_t width = 3 * s->column_count;
        lt_real *own = x + 24 * (size_t)s->column_begin;
        if (is_zero(own, 8 * (size_t)width)) continue; /* of columns of the inverse most are */
        multiply_panel8(t, values + s->panel_begin, s->stride, own, width, width + 3 * s->row_count);
        memcpy(own, t, 8 * (size_t)width * sizeof t[0]);
        const lt_real *from = t + 8 * (size_t)width;
        for (uint32_t i = 0; i < s->row_count; i++) {
            lt_real *into = x + 24 * (size_t)plan->rows[s->row_begin + i];
            for (int k = 0; k < 3; k++, into += 8, from += 8)
                lt_r8_store(into, lt_r8_sub(lt_r8_load(into), lt_r8_load(from)));
        }
    }
}

static void solve_back8(const lt_factor_plan *plan, const lt_real *values, lt_real *x, uint32_t first,
                        lt_real *t) {
    for (uint32_t index = plan->supernode_count; index-- > first;) {
        const lt_factor_supernode *s = &plan->supernodes[index];
        uint32_t width = 3 * s->column_count;
        lt_real *own = x + 24 * (size_t)s->column_begin, *into = t + 8 * (size_t)width;
        memcpy(t, own, 8 * (size_t)width * sizeof t[0]);
        for (uint32_t i = 0; i < s->row_count; i++) {
            const lt_real *from = x + 24 * (size_t)plan->rows[s->row_begin + i];
            for (int k = 0; k < 3; k++, from += 8, into += 8)
                lt_r8_store(into, lt_r8_sub(lt_r8_splat(0), lt_r8_load(from)));
        }
        multiply_transposed8(own, values + s->panel_begin, s->stride, t, width, width + 3 * s->row_count);
    }
}

static void solve8(const lt_factor_plan *plan, const lt_real *values, lt_real *x, uint32_t first,
                   lt_real *scratch) {
    solve_down8(plan, values, x, first, scratch);
    solve_back8(plan, values, x, first, scratch);
}

/* ---- into lanes and back ---- */

/* Lanes that are left over do again what the first one does. */
typedef struct lanes {
    lt_factor_side sides[8];
    lt_real turns[12][8]; /* three columns of four rows, the last of zeros */
    bool some_pinned;
} lanes;

static lanes lanes_of(const lt_factor_side *sides, uint32_t count) {
    lanes l = {.some_pinned = false};
    for (uint32_t s = 0; s < 8; s++) {
        l.sides[s] = sides[s < count ? s : 0];
        l.some_pinned |= l.sides[s].pinned != NULL;
        for (int k = 0; k < 9; k++)
            l.turns[4 * (k / 3) + k % 3][s] = l.sides[s].turn[k];
    }
    return l;
}

/* m v; m has rows and columns so many eights apart. */
LT_UNROLLED void combine8(lt_r8 *out, const lt_real (*m)[8], int row, int column, int rows,
                          const lt_r8 v[3]) {
    for (int i = 0; i < rows; i++, m += row) {
        lt_r8 sum = lt_r8_mul(lt_r8_load(m[0]), v[0]);
        sum = lt_r8_mad(sum, lt_r8_load(m[column]), v[1]);
        out[i] = lt_r8_mad(sum, lt_r8_load(m[2 * column]), v[2]);
    }
}

static void gather_lanes(const lt_factor_plan *plan, lt_real *x, const lanes *l) {
    static const uint32_t order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (uint32_t i = 0; i < plan->node_count; i++, x += 24) {
        uint32_t node = plan->order[i];
        lt_real r[32];
        lt_r8 v[3], turned[3];
        for (int s = 0; s < 8; s++)
            lt_r4_store(r + 4 * s, lt_r4_load(l->sides[s].r + 4 * (size_t)node));
        for (int s = 0; s < 8 && l->some_pinned; s++)
            if (!is_free(&l->sides[s], node)) lt_r4_store(r + 4 * s, lt_r4_splat(0));
        lt_r8_gather3(v, r, order);
        combine8(turned, l->turns, 4, 1, 3, v);
        for (int k = 0; k < 3; k++)
            lt_r8_store(x + 8 * k, turned[k]);
    }
}

static void scatter_lanes(const lt_factor_plan *plan, const lanes *l, const lt_real *x) {
    for (uint32_t i = 0; i < plan->node_count; i++, x += 24) {
        uint32_t node = plan->order[i];
        lt_real z[32];
        lt_r8 turned[4], v[3] = {lt_r8_load(x), lt_r8_load(x + 8), lt_r8_load(x + 16)};
        combine8(turned, l->turns, 1, 4, 4, v);
        lt_r8_store_columns(z, turned);
        for (int s = 0; s < 8 && l->some_pinned; s++)
            if (!is_free(&l->sides[s], node)) lt_r4_store(z + 4 * s, lt_r4_splat(0));
        for (int s = 0; s < 8; s++)
            lt_r4_store(l->sides[s].z + 4 * (size_t)node, lt_r4_load(z + 4 * s));
    }
}

static void solve_lanes(const lt_factor_plan *plan, const lt_real *values, const lt_factor_side *sides,
                        uint32_t count, lt_real *scratch) {
    lt_real *x = scratch, *own = scratch + 24 * (size_t)plan->node_count;
    lanes l = lanes_of(sides, count);
    gather_lanes(plan, x, &l);
    solve8(plan, values, x, 0, own);
    scatter_lanes(plan, &l, x);
}

/* ---- any number of sides ---- */

static void solve_some(const lt_factor_plan *plan, const lt_real *values, const lt_factor_side *sides,
                       uint32_t count, lt_real *scratch) {
    switch (count) {
    case 1: solve_block(plan, values, sides, scratch, 1); break;
    case 2: solve_block(plan, values, sides, scratch, 2); break;
    case 3: solve_block(plan, values, sides, scratch, 3); break;
    default: solve_block(plan, values, sides, scratch, 4);
    }
}

static void solve(const lt_factor_plan *plan, const lt_real *values, const lt_factor_side *sides,
                  uint32_t count, lt_real *scratch) {
    LT_ASSERT(count <= LT_FACTOR_SIDES);
    if (count >= LT_FACTOR_FEWEST_LANES) {
        solve_lanes(plan, values, sides, count, scratch);
        return;
    }
    for (uint32_t left = count; left > 0;) {
        uint32_t some = left > LT_FACTOR_BLOCK_SIDES ? (left + 1) / 2 : left;
        solve_some(plan, values, sides, some, scratch);
        sides += some;
        left -= some;
    }
}

extern const lt_factor_solve_kernels LT_KERNEL(lt_factor_solve_kernels);
const lt_factor_solve_kernels LT_KERNEL(lt_factor_solve_kernels) = {solve, solve8};
