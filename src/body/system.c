/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The matrix of an implicit step of one body, whichever model it has: its memory, its product with vectors, its diagonal. The models
 * fill it (corotational.c, multigrid_system.c). */

#include "body/multigrid.h"

#include <string.h>

bool lt_system_take(lt_system *system, const lt_soft *soft, lt_arena *arena) {
    *system = (lt_system){0};
    if (lt_soft_is_explicit(soft)) return true;
    if (soft->grid) return lt_grid_system_take(system, soft, arena);
    size_t entries = soft->carrier.pattern.row_begin[soft->carrier.node_count];
    system->blocks = LT_TAKE(arena, LT_BLOCK_STRIDE * entries, lt_real);
    system->rotated = LT_TAKE(arena, 9 * (size_t)LT_GROUP * soft->elements.group_count, lt_real);
    return system->blocks && system->rotated;
}

void lt_soft_multiply(const lt_soft *soft, const lt_system *system, lt_real *y, const lt_real *x,
                      lt_simd_level level) {
    if (system->grid)
        lt_grid_apply(soft, system, y, x, level);
    else
        lt_sparse_kernels_for(level)->multiply(y, &soft->carrier.pattern, system->blocks, x, 0,
                                               soft->carrier.node_count);
}

void lt_soft_diagonal(const lt_soft *soft, const lt_system *system, lt_real *blocks) {
    if (system->grid)
        lt_grid_diagonal(soft, system, blocks);
    else
        for (uint32_t node = 0; node < soft->carrier.node_count; node++)
            memcpy(blocks + (size_t)LT_BLOCK_STRIDE * node,
                   system->blocks + (size_t)LT_BLOCK_STRIDE * soft->carrier.pattern.diagonal[node],
                   LT_BLOCK_STRIDE * sizeof *blocks);
}
