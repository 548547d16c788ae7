/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Where the solve of a step begins. A body that lies somewhere begins to fall in every step, and to give way to what bends it;
 * then contacts put it back. What a solve adds to free fall is nearly the same each time: the next begins with as much of it as
 * is best, the least energy along that way, which is never worse than without. (Bears of 1 and 0.1 m at rest: 2 and 1.5
 * iterations a step instead of 5.)
 *
 * Workload: one body without couplings, two products. */

#include "body/multigrid.h"

void lt_grid_improve_start(const lt_soft *soft, const lt_system *system, lt_real *v, const lt_real *b,
                           lt_real *const scratch[3], lt_simd_level level) {
    const lt_multigrid *g = soft->grid;
    const lt_sparse_kernels *kernels = lt_sparse_kernels_for(level);
    lt_real *way = scratch[0], *product = scratch[1], *left = scratch[2];
    for (uint32_t row = 0; row < g->row_count; row++)
        lt_r4_store(way + 4 * (size_t)row, lt_r4_load(soft->gain + 4 * (size_t)g->nodes[row]));
    lt_grid_apply(soft, system, product, way, level);
    lt_real curvature = kernels->dot(way, product, g->row_count);
    if (!(curvature > 0)) return;
    lt_grid_apply(soft, system, left, v, level);
    for (size_t i = 0; i < 4 * (size_t)g->row_count; i++)
        left[i] = b[i] - left[i];
    lt_real share = kernels->dot(way, left, g->row_count) / curvature;
    for (size_t i = 0; i < 4 * (size_t)g->row_count; i++)
        v[i] += share * way[i];
}

void lt_grid_remember_gain(lt_soft *soft, uint32_t row, lt_rvec3 v, lt_rvec3 start) {
    lt_node_set(soft->gain, soft->grid->nodes[row], lt_r3_sub(v, start));
}
