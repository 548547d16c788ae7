/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Solves with a whole factor; arithmetic is in factor_solve_kernel.c. */

#include "core/factor_internal.h"

/* Vectors by place, a product with a panel, columns of a supernode, each with room for what is stored by fours; of lanes the first two. */
size_t lt_factor_solve_count(const lt_factor_plan *plan, uint32_t sides) {
    size_t one = 4 * (size_t)plan->node_count + (plan->tallest + 8) + (3 * (size_t)plan->widest + 8);
    LT_ASSERT(sides > 0 && sides <= LT_FACTOR_SIDES);
    if (sides >= LT_FACTOR_FEWEST_LANES) return 24 * (size_t)plan->node_count + lt_factor_solve8_count(plan);
    return lt_min_u32(sides, LT_FACTOR_BLOCK_SIDES) * one;
}

/* As measured on 320 to 2,560 tets, to 5 %. */
uint64_t lt_factor_solve_units(const lt_factor_plan *plan, uint32_t sides) {
    static const uint32_t hundredths[LT_FACTOR_SIDES] = {100, 180, 240, 315, 415, 475, 480, 480};
    LT_ASSERT(sides > 0 && sides <= LT_FACTOR_SIDES);
    return plan->solve_units * hundredths[sides - 1] / 100;
}

size_t lt_factor_solve8_count(const lt_factor_plan *plan) {
    return 8 * (size_t)plan->tallest;
}

extern const lt_factor_solve_kernels lt_factor_solve_kernels_scalar, lt_factor_solve_kernels_wide4,
    lt_factor_solve_kernels_avx2;

static const lt_factor_solve_kernels *kernels_for(lt_simd_level level) {
    static const lt_factor_solve_kernels *const table[LT_LEVEL_COUNT] =
        LT_LEVEL_TABLE(lt_factor_solve_kernels);
    LT_ASSERT(level < LT_LEVEL_COUNT);
    return table[level];
}

void lt_factor_solve_sides(const lt_factor_plan *plan, const lt_real *values, const lt_factor_side *sides,
                           uint32_t count, lt_real *scratch, lt_simd_level level) {
    static const lt_real identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    lt_factor_side turned[LT_FACTOR_SIDES];
    LT_ASSERT(scratch && values && count > 0 && count <= LT_FACTOR_SIDES);
    for (uint32_t s = 0; s < count; s++) {
        LT_ASSERT(sides[s].z && sides[s].r);
        turned[s] = sides[s];
        if (!turned[s].turn) turned[s].turn = identity;
    }
    kernels_for(level)->solve(plan, values, turned, count, scratch);
}

/* ---- eight by place ---- */

/* Of a supernode, on the way down and on the way back. */
static uint64_t panel_units(const lt_factor_plan *plan, uint32_t supernode) {
    const lt_factor_supernode *s = &plan->supernodes[supernode];
    return s->column_count + 3 * (uint64_t)s->column_count * s->stride / 16 + 10 + s->row_count / 2;
}

/* The supernode of a place. */
static uint32_t supernode_of(const lt_factor_plan *plan, uint32_t place) {
    uint32_t low = 0, high = plan->supernode_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (plan->supernodes[middle].column_begin <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void lt_factor_solve8(const lt_factor_plan *plan, const lt_real *values, lt_real *x, uint32_t from,
                      lt_real *scratch, lt_simd_level level) {
    LT_ASSERT(scratch && x && values && (from == 0 || from < plan->node_count));
    kernels_for(level)->solve8(plan, values, x, supernode_of(plan, from), scratch);
}

/* Down along the paths from these places to the roots, back over all behind the first; of eight 4.4 times one. Paths that have met
 * are counted once: numbers ascend along a path. */
uint64_t lt_factor_solve8_units(const lt_factor_plan *plan, const uint32_t *places, uint32_t count) {
    uint64_t units = 0;
    uint32_t heads[LT_FACTOR_SIDES]; /* of each path what is not counted; LT_NONE: all is */
    LT_ASSERT(count > 0 && count <= LT_FACTOR_SIDES);
    for (uint32_t k = 0; k < count; k++)
        heads[k] = supernode_of(plan, places[k]);
    for (uint32_t i = heads[0]; i < plan->supernode_count; i++)
        units += panel_units(plan, i);
    for (uint32_t next = heads[0]; next != LT_NONE;) {
        units += panel_units(plan, next);
        uint32_t counted = next;
        next = LT_NONE;
        for (uint32_t k = 0; k < count; k++) {
            if (heads[k] == counted) heads[k] = plan->supernodes[counted].parent;
            next = lt_min_u32(next, heads[k]);
        }
    }
    return units * 22 / 10;
}
