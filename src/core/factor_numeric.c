/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The numeric factor as a cursor: supernode after supernode, each assembled, factored and inverted.
 *
 *        blocks ─┐                       scratch: [updates, as the plan placed them | coefficients | diagonal]
 *                ▼
 *   CLEAR ─► ASSEMBLE ─► EXTEND per child ─► PANEL per four columns ─► UPDATE, the same ─► INVERT, the same ─► next
 *
 * The diagonal is kept as it was assembled, before anything is subtracted: what pivots are compared with. */

#include "core/factor_internal.h"

enum {
    CLEARED_REALS = 32768, /* at a time, some 500 units */
    EXTEND_UNITS = 1000    /* likewise */
};

typedef struct front {
    const lt_factor_supernode *s;
    lt_real *panel, *update;
    lt_real *coefficients; /* [3 widest][LT_FACTOR_COLUMNS] */
    lt_real *diagonal;     /* [3 widest] */
} front;

static front front_of(const lt_factor_work *w, uint32_t index) {
    const lt_factor_plan *plan = w->plan;
    LT_ASSERT(index < plan->supernode_count);
    const lt_factor_supernode *s = &plan->supernodes[index];
    lt_real *coefficients = w->scratch + plan->update_count;
    return (front){.s = s,
                   .panel = w->values + s->panel_begin,
                   .update = w->scratch + s->update_begin,
                   .coefficients = coefficients,
                   .diagonal = coefficients + 3 * (size_t)plan->widest * LT_FACTOR_COLUMNS};
}

/* ---- units: 32 multiplications with their subtractions, or 64 reals that are cleared ---- */

static uint64_t clear_units(uint32_t stride, uint32_t column_count) {
    return column_count * (uint64_t)(1 + stride / 64);
}

static uint64_t assemble_units(const lt_factor_supernode *s) {
    return 10 + 2 * (uint64_t)s->entry_count;
}

/* One column of blocks of a child's update. */
static uint64_t extend_column_units(const lt_factor_supernode *child, uint32_t column) {
    return 1 + (child->row_count - column) / 2;
}

/* All of them. */
static uint64_t extend_units(const lt_factor_supernode *child) {
    return child->row_count + (uint64_t)child->row_count * child->row_count / 4;
}

uint64_t lt_factor_columns_units(uint32_t rows, uint32_t depth, uint32_t column_count) {
    return 4 + depth / 8 + (uint64_t)rows * depth * column_count / 32;
}

/* ---- assembly ---- */

static void add_block(lt_real *panel, uint32_t stride, const lt_real *block) {
    for (int column = 0; column < 3; column++, panel += stride, block += 4)
        for (int row = 0; row < 3; row++)
            panel[row] += block[row];
}

static void assemble(lt_factor_work *w) {
    front f = front_of(w, w->supernode);
    const lt_factor_supernode *s = f.s;
    const lt_factor_entry *entries = w->plan->entries + s->entry_begin;
    for (uint32_t e = 0; e < s->entry_count; e++)
        add_block(f.panel + entries[e].offset, s->stride,
                  w->blocks + (size_t)LT_BLOCK_STRIDE * entries[e].block);
    for (uint32_t k = 0; k < 3 * s->column_count; k++)
        f.diagonal[k] = f.panel[(size_t)k * s->stride + k];
}

/* Rows from `row` on of one column of a child's update, to a column of its parent in which position 0 is at `shift`: of positions
 * below those there are none. */
static void add_column(lt_real *into, ptrdiff_t shift, const lt_real *column, const lt_factor_run *runs,
                       uint32_t run_count, uint32_t row) {
    for (uint32_t q = 0; q < run_count; q++) {
        uint32_t begin = lt_max_u32(3 * runs[q].from, row), end = 3 * (runs[q].from + runs[q].count);
        ptrdiff_t at = shift + 3 * ((ptrdiff_t)runs[q].into - (ptrdiff_t)runs[q].from);
        for (uint32_t i = begin; i < end; i++)
            into[at + (ptrdiff_t)i] += column[i];
    }
}

/* Adds column `column` of the child's update, which is in the run `q`, to a column of the panel or, behind those, of the update. */
static void extend_column(const lt_factor_work *w, const front *f, const front *child, uint32_t q,
                          uint32_t column) {
    const lt_factor_run *runs = w->plan->runs + child->s->run_begin + q;
    uint32_t width = 3 * f->s->column_count, into = column + 3 * runs->into - 3 * runs->from;
    LT_ASSERT(into < width + 3 * f->s->row_count);
    const lt_real *from =
        child->update + (size_t)column * lt_factor_update_stride(child->s) + lt_factor_update_shift(child->s);
    if (into < width)
        add_column(f->panel + (size_t)into * f->s->stride, 0, from, runs, child->s->run_count - q, column);
    else
        add_column(f->update + (size_t)(into - width) * lt_factor_update_stride(f->s),
                   (ptrdiff_t)lt_factor_update_shift(f->s) - (ptrdiff_t)width, from, runs,
                   child->s->run_count - q, column);
}

/* ---- the cursor ---- */

void lt_factor_begin(lt_factor_work *work, const lt_factor_plan *plan, const lt_real *blocks, lt_real *values,
                     lt_real *scratch) {
    LT_ASSERT(values && scratch && (blocks || plan->node_count == 0));
    *work = (lt_factor_work){.plan = plan, .blocks = blocks, .scratch = scratch, .values = values};
    work->phase = plan->supernode_count > 0 ? LT_FACTOR_CLEAR : LT_FACTOR_DONE;
}

/* Next phase of the supernode, or the next supernode. */
static void enter(lt_factor_work *w, lt_factor_phase phase) {
    const lt_factor_supernode *s = &w->plan->supernodes[w->supernode];
    w->phase = phase;
    w->at = phase == LT_FACTOR_EXTEND ? s->first_child : 0;
    w->column = 0;
    if (phase == LT_FACTOR_EXTEND && w->at == LT_NONE) enter(w, LT_FACTOR_PANEL);
    if (phase == LT_FACTOR_UPDATE && s->row_count == 0) enter(w, LT_FACTOR_INVERT);
    if (phase != LT_FACTOR_DONE) return;
    w->supernode++;
    if (w->supernode < w->plan->supernode_count) w->phase = LT_FACTOR_CLEAR;
}

/* Columns of the panel and, behind them, of the update: as many as a part may be. */
static uint64_t step_clear(lt_factor_work *w) {
    front f = front_of(w, w->supernode);
    uint32_t width = 3 * f.s->column_count, height = 3 * f.s->row_count;
    bool is_panel = w->at < width;
    uint32_t stride = is_panel ? f.s->stride : lt_factor_update_stride(f.s);
    uint32_t first = is_panel ? w->at : w->at - width;
    uint32_t count = lt_min_u32((is_panel ? width : height) - first, 1 + CLEARED_REALS / stride);
    memset((is_panel ? f.panel : f.update) + (size_t)first * stride, 0,
           (size_t)count * stride * sizeof(lt_real));
    w->at += count;
    if (w->at == width + height) enter(w, LT_FACTOR_ASSEMBLE);
    return clear_units(stride, count);
}

static uint64_t step_assemble(lt_factor_work *w) {
    uint64_t units = assemble_units(&w->plan->supernodes[w->supernode]);
    assemble(w);
    enter(w, LT_FACTOR_EXTEND);
    return units;
}

static uint64_t step_extend(lt_factor_work *w) {
    front f = front_of(w, w->supernode), child = front_of(w, w->at);
    const lt_factor_run *runs = w->plan->runs + child.s->run_begin;
    uint64_t units = 0;
    for (uint32_t q = 0; w->column < child.s->row_count && units < EXTEND_UNITS;) {
        if (w->column >= runs[q].from + runs[q].count) {
            q++;
            continue;
        }
        for (uint32_t k = 0; k < 3; k++)
            extend_column(w, &f, &child, q, 3 * w->column + k);
        units += extend_column_units(child.s, w->column++);
    }
    if (w->column < child.s->row_count) return units;
    w->column = 0;
    w->at = child.s->next_sibling;
    if (w->at == LT_NONE) enter(w, LT_FACTOR_PANEL);
    return units;
}

static uint64_t step_panel(lt_factor_work *w, const lt_factor_kernels *kernels) {
    front f = front_of(w, w->supernode);
    uint32_t width = 3 * f.s->column_count, column = w->at;
    uint32_t count = lt_min_u32(LT_FACTOR_COLUMNS, width - column);
    if (!kernels->factor_columns(w, f.panel, f.s->stride, column, count, f.diagonal + column,
                                 f.coefficients)) {
        w->phase = LT_FACTOR_FAILED;
        return 1;
    }
    w->at += count;
    LT_ASSERT(w->at <= width);
    if (w->at == width) enter(w, LT_FACTOR_UPDATE);
    return lt_factor_columns_units(f.s->stride - column, column + count, count);
}

static uint64_t step_update(lt_factor_work *w, const lt_factor_kernels *kernels) {
    front f = front_of(w, w->supernode);
    uint32_t height = 3 * f.s->row_count, column = w->at;
    uint32_t count = lt_min_u32(LT_FACTOR_COLUMNS, height - column);
    kernels->update_columns(f.update, f.panel, f.s, column, count, f.coefficients);
    w->at += count;
    if (w->at == height) enter(w, LT_FACTOR_INVERT);
    return lt_factor_columns_units(lt_factor_update_stride(f.s) - column, 3 * f.s->column_count, count);
}

static uint64_t step_invert(lt_factor_work *w, const lt_factor_kernels *kernels) {
    front f = front_of(w, w->supernode);
    uint32_t width = 3 * f.s->column_count, end = width - w->at;
    uint32_t count = lt_min_u32(LT_FACTOR_COLUMNS, end), column = end - count;
    if (!kernels->invert_columns(f.panel, f.s, column, count, f.coefficients)) {
        w->phase = LT_FACTOR_FAILED;
        return 1;
    }
    w->at += count;
    if (w->at == width) enter(w, LT_FACTOR_DONE);
    return lt_factor_columns_units(f.s->stride - column, width - column, count);
}

static uint64_t step_part(lt_factor_work *w, const lt_factor_kernels *kernels) {
    switch (w->phase) {
    case LT_FACTOR_CLEAR: return step_clear(w);
    case LT_FACTOR_ASSEMBLE: return step_assemble(w);
    case LT_FACTOR_EXTEND: return step_extend(w);
    case LT_FACTOR_PANEL: return step_panel(w, kernels);
    case LT_FACTOR_UPDATE: return step_update(w, kernels);
    case LT_FACTOR_INVERT: return step_invert(w, kernels);
    case LT_FACTOR_DONE:
    case LT_FACTOR_FAILED: break;
    }
    return 0;
}

bool lt_factor_step(lt_factor_work *work, uint64_t *units, lt_simd_level level) {
    const lt_factor_kernels *kernels = lt_factor_kernels_for(level);
    LT_ASSERT(work->pivot_floor >= 0 && work->pivot_floor < 1);
    uint64_t spent = 0;
    uint32_t supernode = work->supernode;
    while (work->phase < LT_FACTOR_DONE && work->supernode == supernode && spent < LT_FACTOR_PIECE_UNITS)
        spent += step_part(work, kernels);
    if (units) *units = spent;
    return work->phase < LT_FACTOR_DONE;
}

/* What the steps above say, of all parts of a supernode. */
uint64_t lt_factor_supernode_units(const lt_factor_plan *plan, uint32_t supernode) {
    const lt_factor_supernode *s = &plan->supernodes[supernode];
    uint32_t width = 3 * s->column_count, height = 3 * s->row_count;
    uint64_t units =
        assemble_units(s) + clear_units(s->stride, width) + clear_units(lt_factor_update_stride(s), height);
    for (uint32_t child = s->first_child; child != LT_NONE; child = plan->supernodes[child].next_sibling)
        units += extend_units(&plan->supernodes[child]);
    for (uint32_t column = 0; column < width; column += LT_FACTOR_COLUMNS) {
        uint32_t count = lt_min_u32(LT_FACTOR_COLUMNS, width - column);
        units += lt_factor_columns_units(s->stride - column, column + count, count);
    }
    for (uint32_t column = 0; column < height; column += LT_FACTOR_COLUMNS)
        units += lt_factor_columns_units(lt_factor_update_stride(s) - column, width,
                                         lt_min_u32(LT_FACTOR_COLUMNS, height - column));
    for (uint32_t at = 0; at < width; at += LT_FACTOR_COLUMNS) {
        uint32_t count = lt_min_u32(LT_FACTOR_COLUMNS, width - at), column = width - at - count;
        units += lt_factor_columns_units(s->stride - column, width - column, count);
    }
    return units;
}

/* ---- counts ---- */

size_t lt_factor_value_count(const lt_factor_plan *plan) {
    return plan->value_count;
}

size_t lt_factor_work_count(const lt_factor_plan *plan) {
    return plan->update_count + 3 * (size_t)plan->widest * (LT_FACTOR_COLUMNS + 1);
}

uint64_t lt_factor_numeric_units(const lt_factor_plan *plan) {
    return plan->numeric_units;
}

extern const lt_factor_kernels lt_factor_kernels_scalar, lt_factor_kernels_wide4, lt_factor_kernels_avx2;

const lt_factor_kernels *lt_factor_kernels_for(lt_simd_level level) {
    static const lt_factor_kernels *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_factor_kernels);
    LT_ASSERT(level < LT_LEVEL_COUNT);
    return table[level];
}
