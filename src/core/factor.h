/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Cholesky factors of symmetric positive definite sparse matrices of 3×3 blocks.
 *
 *   pattern ──► lt_factor_order ──► lt_factor_plan_make       once per shape: immutable, shared by threads
 *                                          │
 *   blocks ──► lt_factor_begin, _step … ───┴──► values        a cursor, cut anywhere, the same values
 *                                                 │
 *   r ──────────────► lt_factor_solve_sides ──────┴──► z      thousands of times: what all is laid out for
 *
 * Columns with the same rows below them are one supernode, its panel is dense:
 *
 *          column_count                        L, of the whole            panel, as it is stored
 *        ┌───┐                                 ┌ L11        ┐             ┌ L11⁻¹      ┐   stride: rows up to a
 *        │   │ columns of the supernode        └ L21 L22    ┘             └ L21 L11⁻¹  ┘   multiple of 8, zeros
 *        ├───┤
 *        │   │ row_count rows, all of them     With these a solve is a product with the panel on the way down, one with
 *        └───┘ columns of ancestors            its transpose on the way back: no division, nothing one after the other.
 *
 * The factorisation is multifrontal: a supernode subtracts from its rows in a matrix of its own, the update, which its parent
 * adds in. Where updates are kept is decided with the plan, so that those of which both are needed do not overlap. Every sum
 * has one order, whatever the SIMD level and wherever it was cut: same bits.
 *
 * Workload: 100 to 5,000 nodes of tet meshes. Of a bear of 934 tets and 316 nodes the factor takes 0.3 MB.
 * A pivot that is not positive and finite ends the factorisation, or is raised where that is asked for; no infinity and no NaN is
 * ever handed out.
 *
 * Rejected: L11 itself in the panel (a solve then has a chain of divisions per column); splitting in halves for the order
 * (456 kB for that bear where minimum degree has 286); merging supernodes by a relative bound for each (grew 2.4 MB to 19). */

#ifndef LITHE_CORE_FACTOR_H
#define LITHE_CORE_FACTOR_H

#include "core/sparse.h"

/* Rows [from, from + count) of a supernode are at [into, into + count) among columns and rows of its parent. */
typedef struct lt_factor_run {
    uint32_t from, into, count;
} lt_factor_run;

/* Where a block of the matrix is added: at panel[offset], columns `stride` apart. */
typedef struct lt_factor_entry {
    uint32_t block, offset;
} lt_factor_entry;

typedef struct lt_factor_supernode {
    uint32_t column_begin, column_count; /* nodes in the plan's order */
    uint32_t row_begin, row_count;       /* in `rows` */
    uint32_t run_begin, run_count;       /* in `runs` */
    uint32_t entry_begin, entry_count;   /* in `entries` */
    uint32_t stride;                     /* reals of a column of the panel */
    uint32_t parent;                     /* LT_NONE: a root */
    uint32_t first_child, next_sibling;  /* LT_NONE: no more; children ascend */
    size_t panel_begin;                  /* in the values: [3 column_count][stride] */
    size_t update_begin;                 /* in the scratch: [3 row_count][lt_factor_update_stride] */
} lt_factor_supernode;

typedef struct lt_factor_plan {
    const uint32_t *order;          /* [node_count] node of the pattern, by place */
    const uint32_t *rows;           /* [row_count] places, ascending within a supernode */
    const lt_factor_run *runs;      /* [run_count] */
    const lt_factor_entry *entries; /* [entry_count] one half of the matrix, ascending within a supernode */
    const lt_factor_supernode *supernodes; /* [supernode_count] children before parents */
    uint32_t node_count, supernode_count, row_count, run_count, entry_count;
    uint32_t block_count; /* of the pattern */
    uint32_t widest;      /* largest column_count */
    uint32_t tallest;     /* largest stride */
    size_t value_count;   /* reals of all panels */
    size_t update_count;  /* reals that updates take at most */
    size_t exact_count;   /* 3×3 blocks of L, the diagonal included; */
    size_t padded_count;  /* and what supernodes store of the lower half: more by zeros of merging */
    uint64_t numeric_units, solve_units;
    void *memory; /* of all arrays */
    size_t memory_size;
    lt_allocator allocator;
} lt_factor_plan;

/* Patterns are symmetric, with the diagonal; they are only read while a plan is made.
 *
 * An order of little fill: [row_count] nodes, the first to be eliminated first. Approximate minimum degree (Amestoy, Davis and Duff
 * 1996) with element absorption; the same on every machine. */
lt_status lt_factor_order(uint32_t *order, const lt_sparse_pattern *pattern, const lt_allocator *allocator,
                          lt_error *error);
/* `order` NULL: makes one. LT_STATUS_INVALID: it is no permutation. */
lt_status lt_factor_plan_make(lt_factor_plan *out, const lt_sparse_pattern *pattern, const uint32_t *order,
                              const lt_allocator *allocator, lt_error *error);
/* Safe on zeroed ones. */
void lt_factor_plan_free(lt_factor_plan *plan);
/* Whether supernodes cover all columns, parents have what their children subtract from, nothing overlaps that is needed at the
 * same time, and every block of one half is added once. `pattern` is that of the plan. */
bool lt_validate_factor_plan(const lt_factor_plan *plan, const lt_sparse_pattern *pattern);

/* Reals of: a numeric factor; scratch of making one; scratch of a solve of so many sides, no more than of as many solves of one; and of
 * one of eight by place. */
size_t lt_factor_value_count(const lt_factor_plan *plan);
size_t lt_factor_work_count(const lt_factor_plan *plan);
size_t lt_factor_solve_count(const lt_factor_plan *plan, uint32_t sides);
size_t lt_factor_solve8_count(const lt_factor_plan *plan);
/* Work units, of 1 to 2 ns: of all steps of a factorisation together, and of a solve of so many sides. */
uint64_t lt_factor_numeric_units(const lt_factor_plan *plan);
uint64_t lt_factor_solve_units(const lt_factor_plan *plan, uint32_t sides);
/* Of lt_factor_solve8 from the first of these places on, right-hand sides being unit vectors of them; ascending. */
uint64_t lt_factor_solve8_units(const lt_factor_plan *plan, const uint32_t *places, uint32_t count);

/* ---- numeric ---- */

typedef enum lt_factor_phase {
    LT_FACTOR_CLEAR,    /* panel and update become zero */
    LT_FACTOR_ASSEMBLE, /* adds blocks of the matrix */
    LT_FACTOR_EXTEND,   /* adds updates of children, one after the other */
    LT_FACTOR_PANEL,    /* columns of L, four at a time */
    LT_FACTOR_UPDATE,   /* columns of the update, four at a time */
    LT_FACTOR_INVERT,   /* columns of the panel as it is stored, four at a time from the last */
    LT_FACTOR_DONE,
    LT_FACTOR_FAILED /* not positive definite in this precision */
} lt_factor_phase;

/* A piece is one supernode, or as much of a large one as comes to this: more by less than 6 tallest + 1,000, four columns of it. */
enum { LT_FACTOR_PIECE_UNITS = 4000 };

/* Some times what a row's sums are rounded by. Of 16, 100 and 1,000 times the last has 0.14 % of error where there need be none. */
#define LT_FACTOR_PIVOT_FLOOR (64 * (lt_real)LT_REAL_EPSILON)

typedef struct lt_factor_work {
    /* Input */
    const lt_factor_plan *plan;
    const lt_real *blocks;
    /* A pivot below that share of the matrix's diagonal there is raised to it, and its column below becomes zero: what is left of
     * them is rounding. 0: none is, and one that is not positive ends the factorisation. With LT_FACTOR_PIVOT_FLOOR every stiffness
     * of a free body has a factor, which answers forces without motion of the whole to 1e-3 in energy; without, none may be there
     * from dt² E / (rho h²) = 1e5 on, where masses are lost beside stiffness in float */
    lt_real pivot_floor;
    lt_real *scratch; /* [lt_factor_work_count] */
    /* State */
    uint32_t supernode, at; /* at: child or column that is next */
    uint32_t column;        /* of blocks of the child's update that is next */
    lt_factor_phase phase;
    uint32_t raised_count; /* pivots */
    /* Output */
    lt_real *values; /* [lt_factor_value_count] usable when done */
} lt_factor_work;

/* Blocks stay as they are until the last step; of blocks (i, j) and (j, i) one is read. */
void lt_factor_begin(lt_factor_work *work, const lt_factor_plan *plan, const lt_real *blocks, lt_real *values,
                     lt_real *scratch);
/* One piece; `units` (may be NULL) becomes its cost. False: nothing is left to do, as it is done or has failed. */
bool lt_factor_step(lt_factor_work *work, uint64_t *units, lt_simd_level level);
static inline bool lt_factor_is_done(const lt_factor_work *work) {
    return work->phase == LT_FACTOR_DONE;
}

/* ---- solves ---- */

/* z = R A⁻¹ Rᵀ r per node, vectors [node_count][4] in the pattern's order, the fourth lane of z zero; z may be r. `turn` is R by
 * columns, NULL: the identity. Nodes with pinned[i] (NULL: none) have r taken as 0 and z = 0: symmetric, as a preconditioner has
 * to be, but not the inverse of the matrix without those nodes. */
typedef struct lt_factor_side {
    lt_real *z;
    const lt_real *r;
    const lt_real *turn;
    const uint8_t *pinned;
} lt_factor_side;

enum { LT_FACTOR_SIDES = 8 /* at once */ };

/* One to LT_FACTOR_SIDES of them, with the panels read once: eight cost four to five times what one does. No z is another's r. An answer
 * is the same, bit by bit, whatever is solved beside it. */
void lt_factor_solve_sides(const lt_factor_plan *plan, const lt_real *values, const lt_factor_side *sides,
                           uint32_t count, lt_real *scratch, lt_simd_level level);
/* x = A⁻¹ x for eight right-hand sides: [3 node_count][8], by place of the plan's order. They are zero before the place `from`, and
 * answers are found from there on; those before have no meaning. */
void lt_factor_solve8(const lt_factor_plan *plan, const lt_real *values, lt_real *x, uint32_t from,
                      lt_real *scratch, lt_simd_level level);

#endif
