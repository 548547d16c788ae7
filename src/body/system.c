/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The matrix of an implicit step of one body, whichever model it has: its memory, its product with vectors, its diagonal. The models
 * fill it (corotational.c, multigrid_system.c). */

#include "body/multigrid.h"

#include <string.h>

bool lt_system_take(lt_system *system, const lt_soft *soft, lt_real dt, lt_arena *arena) {
    lt_real alpha = soft->material.mass_damping, beta = soft->material.stiffness_damping;
    *system = (lt_system){.mass_factor = 1 + alpha * dt, .stiffness_factor = dt * dt + beta * dt};
    if (lt_soft_is_explicit(soft)) return true;
    if (soft->grid) return lt_grid_system_take(system, soft, arena);
    system->rotated = LT_TAKE(arena, 9 * (size_t)LT_GROUP * soft->elements.group_count, lt_real);
    return system->rotated;
}

static lt_stiffness_work stiffness_of(const lt_soft *soft, const lt_system *system, lt_real factor) {
    return (lt_stiffness_work){.elements = &soft->elements,
                               .rotated = system->rotated,
                               .lambda = soft->lambda * factor,
                               .mu = soft->mu * factor};
}

void lt_soft_multiply_stiffness(const lt_soft *soft, const lt_system *system, lt_real *y, const lt_real *x,
                                lt_simd_level level) {
    lt_stiffness_work work = stiffness_of(soft, system, 1);
    work.x = x;
    work.y = y;
    memset(y, 0, 4 * (size_t)soft->carrier.node_count * sizeof *y);
    lt_element_kernels_for(level)->multiply_stiffness(&work);
}

void lt_soft_multiply(const lt_soft *soft, const lt_system *system, lt_real *y, const lt_real *x,
                      lt_simd_level level) {
    if (system->grid) {
        lt_grid_apply(soft, system, y, x, level);
        return;
    }
    LT_ASSERT(system->rotated && y != x);
    lt_stiffness_work work = stiffness_of(soft, system, system->stiffness_factor);
    work.x = x;
    work.y = y;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_r4 mass = lt_r4_splat(system->mass_factor * soft->mass[node]);
        lt_r4_store(y + 4 * (size_t)node, lt_r4_mul(lt_r4_load(x + 4 * (size_t)node), mass));
    }
    lt_element_kernels_for(level)->multiply_stiffness(&work);
}

void lt_soft_diagonal(const lt_soft *soft, const lt_system *system, lt_real *blocks, lt_simd_level level) {
    if (system->grid) {
        lt_grid_diagonal(soft, system, blocks);
        return;
    }
    lt_stiffness_work work = stiffness_of(soft, system, system->stiffness_factor);
    work.y = blocks;
    memset(blocks, 0, LT_BLOCK_STRIDE * (size_t)soft->carrier.node_count * sizeof *blocks);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        for (int k = 0; k < 3; k++)
            blocks[(size_t)LT_BLOCK_STRIDE * node + (size_t)(5 * k)] = system->mass_factor * soft->mass[node];
    lt_element_kernels_for(level)->add_stiffness_diagonal(&work);
}
