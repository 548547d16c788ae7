/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Resumable work as a whole, for benches, pictures and tests: a step goes piece by piece and does only what it looks at. And the
 * baselines that the papers compare with: a tree refitted from its leaves, the triangles of two leaves without a tree, the matrix
 * of a body alone. */

#ifndef LITHE_BENCH_WHOLE_H
#define LITHE_BENCH_WHOLE_H

#include "body/models.h"
#include "body/multigrid.h"
#include "bound/cell_boxes.h"
#include "bound/multiscale.h"
#include "detect/query.h"
#include "detect/query_obstacle.h"
#include "detect/self.h"

/* ---- cursors to their end ---- */

static inline void lt_multiscale_fit(lt_multiscale *m) {
    while (lt_multiscale_step(m, UINT32_MAX))
        continue;
}

static inline void lt_cell_boxes_fit(lt_cell_boxes *boxes) {
    while (lt_cell_boxes_step(boxes, UINT32_MAX))
        continue;
}

static inline void lt_self_finish(lt_self *self) {
    while (!self->finished)
        lt_self_finish_step(self);
}

static inline void lt_self_mark(lt_self *self) {
    while (lt_self_step(self, UINT32_MAX))
        continue;
    lt_self_finish(self);
}

static inline void lt_query_run(lt_query *query) {
    while (lt_query_step(query, UINT32_MAX))
        continue;
}

static inline void lt_obstacle_query_run(lt_obstacle_query *query) {
    while (lt_obstacle_query_step(query, UINT32_MAX))
        continue;
}

/* ---- baselines ---- */

/* All continuous tests of two triangles, or the crossing of two that stand still. */
static inline void lt_query_test_triangles(lt_query *query, uint32_t a, uint32_t b) {
    lt_ccd_pair pair = {a, b};
    for (uint32_t tests = lt_query_tests_of(query, pair); tests; tests &= tests - 1)
        lt_query_test(query, pair, (uint32_t)__builtin_ctz(tests));
}

/* The matrix of an implicit step; none of explicit models. Takes its memory from the arena; false when that is too small. Of the
 * model multigrid the blocks are the body's, of one system at a time: the next one, and the next step, overwrite them. Moves
 * nothing but the rotations, towards where they converge to. */
static inline bool lt_soft_build_system(lt_soft *soft, lt_system *system, lt_real dt, lt_simd_level level,
                                        lt_arena *arena) {
    *system = (lt_system){0};
    if (lt_soft_is_explicit(soft)) return true;
    lt_real *force = LT_TAKE(arena, 4 * (size_t)soft->carrier.node_count, lt_real);
    if (!lt_system_take(system, soft, dt, arena) || !force) return false;
    lt_system_fill(soft, system, soft->x, NULL, force, level);
    return true;
}

/* Refitting a whole tree becomes quick by the corners of a leaf's triangles, each once, which is half of what the triangles name, and
 * always as many, so that nothing is to be foreseen; one number a node; and in a row what is above bunches. Where that is done again and
 * again a tree of a million triangles takes a sixth less. */
enum { LT_LEAF_CORNERS = 8 };

typedef struct lt_multiscale_order {
    uint32_t *nodes; /* [node_count] the child; of a leaf ~row; LT_NONE: a leaf that has more corners */
    uint32_t
        *corners;    /* [leaf_count + 1][LT_LEAF_CORNERS] from row 1; the last again where there are fewer */
    uint32_t *above; /* nodes above bunches, those whose children are fitted after a bunch behind it */
    uint32_t *above_begin; /* [bunch_count + 1] */
    uint32_t node_count, leaf_count, bunch_count;
    lt_allocator allocator;
} lt_multiscale_order;

/* On failure *out is zeroed. */
lt_status lt_multiscale_order_create(lt_multiscale_order *out, const lt_multiscale_tree *tree,
                                     const lt_allocator *allocator, lt_error *error);
/* Safe on zeroed ones. */
void lt_multiscale_order_free(lt_multiscale_order *order);

/* The baseline that the method is compared with: evaluates the whole surface and refits the whole tree from its leaves; `order` NULL: as the
 * tree has them. Needs begin, and neither step nor open. */
void lt_multiscale_refit_whole(lt_multiscale *m, const lt_multiscale_order *order);

#endif
