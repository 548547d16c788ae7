/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A = mass × M + stiffness × K of a corotational body, assembled: what solvers worked with before products came from the tets
 * themselves, and what the papers compare with. For benches and tests; a step assembles nothing but ladders. */

#ifndef LITHE_BENCH_ASSEMBLED_H
#define LITHE_BENCH_ASSEMBLED_H

#include "body/models.h"

#include <string.h>

/* K_ij = V (λ h_i h_jᵀ + μ h_j h_iᵀ + μ (h_i·h_j) I), h the gradients turned into the world's frame. */
static inline void assembled_add_block(lt_real *block, const lt_real *hi, const lt_real *hj, lt_real vl,
                                       lt_real vm) {
    lt_real dot = (hi[0] * hj[0] + hi[1] * hj[1] + hi[2] * hj[2]) * vm;
    lt_r4 i4 = lt_r4_load(hi), j4 = lt_r4_load(hj);
    for (int column = 0; column < 3; column++) {
        lt_r4 sum = lt_r4_load(block + 4 * column);
        sum = lt_r4_mad(sum, i4, lt_r4_splat(hj[column] * vl));
        sum = lt_r4_mad(sum, j4, lt_r4_splat(hi[column] * vm));
        lt_r4_store(block + 4 * column, sum);
        block[5 * column] += dot;
    }
}

static inline void assembled_gather(lt_real h[4][4], const lt_real *rotated, uint32_t lane) {
    for (int k = 0; k < 3; k++)
        h[0][k] = 0;
    for (int corner = 1; corner < 4; corner++)
        for (int k = 0; k < 3; k++) {
            h[corner][k] = rotated[(3 * (corner - 1) + k) * LT_GROUP + (int)lane];
            h[0][k] -= h[corner][k];
        }
    for (int corner = 0; corner < 4; corner++)
        h[corner][3] = 0;
}

static inline void assembled_add_tet(const lt_soft *soft, const lt_real *rotated, uint32_t tet,
                                     lt_real volume, lt_real *blocks) {
    lt_real h[4][4];
    assembled_gather(h, rotated + 9 * LT_GROUP * (size_t)(tet / LT_GROUP), tet % LT_GROUP);
    const uint32_t *entries = soft->carrier.entries + 16 * (size_t)tet;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            assembled_add_block(blocks + (size_t)LT_BLOCK_STRIDE * entries[4 * i + j], h[i], h[j],
                                volume * soft->lambda, volume * soft->mu);
}

/* blocks: [pattern entries]; rotated: [group_count][9][8] scratch; force: [node_count][4] elastic forces, written. At the present
 * positions; rotations go where they converge to. */
static inline void assembled_fill(lt_soft *soft, lt_real mass_factor, lt_real stiffness_factor,
                                  lt_real *blocks, lt_real *rotated, lt_real *force, lt_simd_level level) {
    const lt_carrier *carrier = &soft->carrier;
    memset(force, 0, 4 * (size_t)carrier->node_count * sizeof *force);
    lt_element_work work = {.elements = &soft->elements,
                            .x = soft->x,
                            .lambda = soft->lambda,
                            .mu = soft->mu,
                            .turns = soft->turns,
                            .turns_out = soft->turns,
                            .force = force,
                            .rotated = rotated};
    lt_element_kernels_for(level)->corotate(&work);
    size_t entry_count = carrier->pattern.row_begin[carrier->node_count];
    memset(blocks, 0, LT_BLOCK_STRIDE * entry_count * sizeof *blocks);
    for (uint32_t tet = 0; tet < carrier->tet_count; tet++)
        assembled_add_tet(soft, rotated, tet, soft->elements.volumes[tet] * stiffness_factor, blocks);
    for (uint32_t node = 0; node < carrier->node_count; node++)
        for (int k = 0; k < 3; k++)
            blocks[(size_t)LT_BLOCK_STRIDE * carrier->pattern.diagonal[node] + (size_t)(5 * k)] +=
                mass_factor * soft->mass[node];
}

#endif
