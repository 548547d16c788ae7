/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Columns of a factor's inverse: how the nodes of a body's skin answer forces on each other, at rest. Contacts get into the preconditioner
 * by them (implicit_patches.c), without a solve for each: P⁻¹ on a list of nodes, the third of the verbs that a response has of a model
 * beside products and diagonal blocks (body.h). Nobody else asks for it: why the sweeps of contacts do not is in respond/lcp.h, and ladders,
 * whose smoother could, have no factor (multigrid_coarsest.c).
 *
 *   G = (M̂ + β K̂)⁻¹ between nodes of the skin, those on faces of one tet alone: blocks of 3×3, the lower half by rows
 *
 * Of a key as factors are, and made behind them by the same paid work, eight right-hand sides a piece. One MB a key at most,
 * 240 nodes: all that bodies of 700 tets have; of others as many of the skin, evenly by number, which is along the lattice that
 * carriers are cut from. Contacts act through those of their nodes that have columns.
 *
 * Slots are in the order of elimination: of a column the half that is kept is what comes behind it, so that a solve passes over
 * its ancestors on the way down, and goes no farther than to it on the way back.
 *
 * Workload: some 100 to 240 nodes, 40 to 90 pieces of up to 25 us (1.4 ms of 1,280 tets), once a key. */

#ifndef LITHE_BODY_REST_COLUMNS_H
#define LITHE_BODY_REST_COLUMNS_H

#include "body/body.h"
#include "core/factor.h"

enum { LT_REST_COLUMNS_MOST = 240, LT_REST_COLUMN_BLOCK = 9 };

typedef struct lt_rest_columns {
    uint32_t *nodes;  /* [count] in the plan's order */
    uint32_t *places; /* [count] there, ascending */
    uint32_t *slots;  /* [node_count] of a node; LT_NONE: it has none */
    uint32_t count;
    uint32_t node_count;
    uint64_t units, piece_units; /* of all pieces; of one, at most */
    lt_allocator allocator;
} lt_rest_columns;

/* `plan` is that of the carrier. */
lt_status lt_rest_columns_make(lt_rest_columns *out, const lt_carrier *carrier, const lt_factor_plan *plan,
                               const lt_allocator *allocator, lt_error *error);
/* Safe on zeroed ones. */
void lt_rest_columns_free(lt_rest_columns *columns);

/* Reals of G; of the scratch of a piece; pieces there are, and units of one. */
static inline size_t lt_rest_columns_reals(const lt_rest_columns *columns) {
    return (size_t)columns->count * (columns->count + 1) / 2 * LT_REST_COLUMN_BLOCK;
}
size_t lt_rest_columns_scratch(const lt_rest_columns *columns, const lt_factor_plan *plan);
static inline uint32_t lt_rest_columns_pieces(const lt_rest_columns *columns) {
    return (3 * columns->count + 7) / 8;
}
uint64_t lt_rest_columns_units(const lt_rest_columns *columns, const lt_factor_plan *plan, uint32_t piece);
/* Eight columns of G, from a whole factor. */
void lt_rest_columns_step(const lt_rest_columns *columns, const lt_factor_plan *plan, const lt_real *values,
                          uint32_t piece, lt_real *g, lt_real *scratch, lt_simd_level level);

/* Row-major block of slots i and j, transposed where i < j. */
static inline const lt_real *lt_rest_columns_block(const lt_real *g, uint32_t i, uint32_t j,
                                                   bool *transposed) {
    LT_ASSERT(i < LT_REST_COLUMNS_MOST && j < LT_REST_COLUMNS_MOST);
    uint32_t row = lt_max_u32(i, j), column = lt_min_u32(i, j);
    *transposed = i < j;
    return g + ((size_t)row * (row + 1) / 2 + column) * LT_REST_COLUMN_BLOCK;
}

#endif
