/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A symmetric positive matrix of 3×3 blocks in double and its exact factor, by rows of a skyline in the order of Cuthill and McKee: what
 * the oracle solves with. Made for some thousand unknowns.
 *
 *     lt_skyline_begin, lt_skyline_link of all that will have a block ─► lt_skyline_lay_out
 *     lt_skyline_clear, lt_skyline_add ─► lt_skyline_factor ─► lt_skyline_solve      as often as there are matrices of these blocks */

#ifndef LITHE_BENCH_SOLVE_SKYLINE_H
#define LITHE_BENCH_SOLVE_SKYLINE_H

#include "core/memory.h"
#include "core/vec.h"

typedef struct lt_skyline {
    uint32_t node_count;
    uint32_t *order, *place; /* [node_count] node at a place, place of a node */
    uint32_t *first;         /* [node_count] by place: first place of its row */
    size_t *row_begin;       /* [3 node_count] where column 0 of a row would be */
    lt_array values;         /* of double; none: not laid out */
    lt_array links;          /* of uint32_t[2] */
    lt_allocator allocator;
} lt_skyline;

/* False: no memory. */
bool lt_skyline_create(lt_skyline *out, uint32_t node_count, const lt_allocator *allocator);
/* Safe on zeroed ones. */
void lt_skyline_free(lt_skyline *skyline);
/* Nothing is linked. */
void lt_skyline_begin(lt_skyline *skyline);
static inline bool lt_skyline_is_laid_out(const lt_skyline *skyline) {
    return skyline->values.count > 0;
}
/* In one direction: the other one is to be linked as well. False: no memory. */
bool lt_skyline_link(lt_skyline *skyline, uint32_t a, uint32_t b);
lt_status lt_skyline_lay_out(lt_skyline *skyline, lt_error *error);
void lt_skyline_clear(lt_skyline *skyline);
/* Adds a block at two nodes; the lower half alone is kept. */
void lt_skyline_add(lt_skyline *skyline, uint32_t node, uint32_t other, lt_dmat3 block);
/* Cholesky by rows, in place. False: not positive. */
bool lt_skyline_factor(lt_skyline *skyline);
/* `d` holds the right-hand side. */
void lt_skyline_solve(const lt_skyline *skyline, lt_dvec3 *d);

#endif
