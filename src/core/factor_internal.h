/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the files of the factor share:
 *
 *   factor_order.c     orders            factor_numeric.c    the numeric factor as a cursor, factor_kernel.c its arithmetic
 *   factor_tree.c      supernodes        factor_solve.c      solves, factor_solve_kernel.c their arithmetic, per SIMD level
 *   factor.c           the plan          factor_validate.c   whether a plan is sound */

#ifndef LITHE_CORE_FACTOR_INTERNAL_H
#define LITHE_CORE_FACTOR_INTERNAL_H

#include "core/factor.h"

/* Rows of an update begin where those of the panel do within eight, so that both are read in the same eights. */
static inline uint32_t lt_factor_update_shift(const lt_factor_supernode *s) {
    return 3 * s->column_count % 8;
}
static inline uint32_t lt_factor_update_stride(const lt_factor_supernode *s) {
    return s->stride - (3 * s->column_count - lt_factor_update_shift(s));
}
/* Units of some columns, and of all parts of a supernode. */
uint64_t lt_factor_columns_units(uint32_t rows, uint32_t depth, uint32_t column_count);
uint64_t lt_factor_supernode_units(const lt_factor_plan *plan, uint32_t supernode);

enum { LT_FACTOR_COLUMNS = 4 }; /* at a time */
/* Right-hand sides that eights of rows serve; from how many on eights of sides do. */
enum { LT_FACTOR_BLOCK_SIDES = 4, LT_FACTOR_FEWEST_LANES = 7 };

typedef struct lt_factor_kernels {
    /* Columns [column, column + count) of L, those before are there; false: a pivot is not positive. `diagonal` is that of the
     * matrix, of these columns; `coefficients` are scratch. */
    bool (*factor_columns)(lt_factor_work *work, lt_real *panel, uint32_t stride, uint32_t column,
                           uint32_t count, const lt_real *diagonal, lt_real *coefficients);
    /* Columns [column, column + count) of the update. */
    void (*update_columns)(lt_real *update, const lt_real *panel, const lt_factor_supernode *s,
                           uint32_t column, uint32_t count, lt_real *coefficients);
    /* Columns of [L11⁻¹; L21 L11⁻¹], those behind are there; false: one is not finite. */
    bool (*invert_columns)(lt_real *panel, const lt_factor_supernode *s, uint32_t column, uint32_t count,
                           lt_real *coefficients);
} lt_factor_kernels;

typedef struct lt_factor_solve_kernels {
    /* Up to LT_FACTOR_SIDES, none without a turn. */
    void (*solve)(const lt_factor_plan *plan, const lt_real *values, const lt_factor_side *sides,
                  uint32_t count, lt_real *scratch);
    /* From supernode `first` on. */
    void (*solve8)(const lt_factor_plan *plan, const lt_real *values, lt_real *x, uint32_t first,
                   lt_real *scratch);
} lt_factor_solve_kernels;

const lt_factor_kernels *lt_factor_kernels_for(lt_simd_level level);

/* ---- while a plan is made ---- */

typedef struct lt_factor_maker {
    const lt_sparse_pattern *pattern;
    uint32_t node_count;
    /* [node_count] each */
    uint32_t *order, *place;          /* node by place, and back */
    uint32_t *parent;                 /* of a column in the elimination tree */
    uint32_t *ancestor;               /* shortcut while the tree is built; later a mark */
    uint32_t *below;                  /* of a column: rows below its diagonal */
    uint32_t *child, *sibling, *walk; /* of a tree that is walked: lists of children and the way down */
    uint32_t *turned;                 /* order or labels anew */
    /* Groups, by number of their last column before merging; [node_count] each */
    uint32_t *group;     /* of a column */
    uint32_t *width;     /* 0: merged into another */
    uint32_t *supernode; /* of a place */
    uint32_t supernode_count;
    size_t exact_count, zero_count;
    lt_factor_supernode *supernodes; /* [node_count] */
    void *memory;
    size_t memory_size;
} lt_factor_maker;

static inline void lt_factor_fill_none(uint32_t *items, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        items[i] = LT_NONE;
}

/* Blocks of the lower half that so many columns with so many rows below keep. */
static inline size_t lt_factor_blocks(size_t width, size_t below) {
    return width * (width + 1) / 2 + width * below;
}

static inline void lt_factor_fill_places(lt_factor_maker *m) {
    for (uint32_t i = 0; i < m->node_count; i++)
        m->place[m->order[i]] = i;
}

/* From the order to supernodes, in the order that they have in the plan: order and places are theirs, then. */
void lt_factor_find_supernodes(lt_factor_maker *m);

#endif
