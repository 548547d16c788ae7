/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Where the solve of a step begins. A body that lies somewhere begins to fall in every step, and to give way to what bends it;
 * then contacts put it back. What a solve adds to free fall is nearly the same each time: the next begins with as much of it as
 * is best, the least energy along that way, which is never worse than without. (Bears of 1 and 0.1 m at rest: 2 and 1.5
 * iterations a step instead of 5.)
 *
 * Workload: one body without couplings, two products. */

#include "body/multigrid.h"

void lt_grid_last_gain(const lt_soft *soft, lt_real *way) {
    const lt_multigrid *g = soft->grid;
    for (uint32_t row = 0; row < g->row_count; row++)
        lt_r4_store(way + 4 * (size_t)row, lt_r4_load(soft->gain + 4 * (size_t)g->nodes[row]));
}

void lt_grid_remember_gain(lt_soft *soft, uint32_t row, lt_rvec3 v, lt_rvec3 start) {
    lt_node_set(soft->gain, soft->grid->nodes[row], lt_r3_sub(v, start));
}
