/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The coarsest level of a cycle: relaxations around an exact answer among affine motions. Where a body is stiff for the step
 * (0.1 m tall: Δt²E/(ρh²) is 800) relaxations alone hardly turn or shear what is left of it as a whole: on 45 nodes two
 * hundred pairs of sweeps do what twelve motions and four pairs do, and a factorisation of all of it takes longer than all
 * other work on a coarse front. */

#include "body/multigrid.h"

#include <math.h>

enum { COARSEST_SWEEPS = 4 }; /* before and after, even: both ways alike */

typedef struct coarsest {
    const uint32_t *nodes;
    uint32_t count;
} coarsest;

static coarsest coarsest_of(const lt_soft *soft) {
    const lt_multigrid *g = soft->grid;
    uint32_t level = lt_level_count(soft) - 1;
    return (coarsest){g->active.items + g->active.begin[level],
                      g->active.begin[level + 1] - g->active.begin[level]};
}

/* About their mean and by the size of the body: numbers near 1. */
static void find_arms(const lt_soft *soft, const coarsest *c, lt_real *arms) {
    lt_rvec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < c->count; i++)
        sum = lt_r3_add(sum, lt_node_get(soft->x, c->nodes[i]));
    lt_rvec3 mean = lt_r3_scale(sum, 1 / (lt_real)c->count);
    for (uint32_t i = 0; i < c->count; i++) {
        lt_rvec3 arm = lt_r3_scale(lt_r3_sub(lt_node_get(soft->x, c->nodes[i]), mean), 4 / soft->size);
        bool pinned = soft->pinned[c->nodes[i]];
        const lt_real row[4] = {1, arm.x, arm.y, arm.z};
        for (int k = 0; k < 4; k++)
            arms[4 * (size_t)i + (size_t)k] = pinned ? 0 : row[k];
    }
}

/* Of vectors at the nodes, their product with all affine motions: out[3 a + k] = Σ arm_a v_k. */
static void project(double out[LT_AFFINE], const coarsest *c, const lt_real *arms, const lt_real *vectors) {
    lt_r4 sums[4];
    for (int a = 0; a < 4; a++)
        sums[a] = lt_r4_splat(0);
    for (uint32_t i = 0; i < c->count; i++) {
        lt_r4 v = lt_r4_load(vectors + 4 * (size_t)c->nodes[i]);
        for (int a = 0; a < 4; a++)
            sums[a] = lt_r4_mad(sums[a], v, lt_r4_splat(arms[4 * (size_t)i + (size_t)a]));
    }
    for (int a = 0; a < 4; a++) {
        lt_rvec3 s = lt_r4_xyz(sums[a]);
        out[3 * a] = (double)s.x;
        out[3 * a + 1] = (double)s.y;
        out[3 * a + 2] = (double)s.z;
    }
}

/* In place; what has no stiffness and no mass of its own (all nodes in a plane, pins) is left out by a pivot of 1e300. */
static void factorise(double m[LT_AFFINE][LT_AFFINE]) {
    for (int i = 0; i < LT_AFFINE; i++) {
        double full = m[i][i];
        for (int j = 0; j <= i; j++) {
            double sum = m[i][j];
            for (int k = 0; k < j; k++)
                sum -= m[i][k] * m[j][k];
            if (i == j)
                m[i][i] = sum > 1e-6 * full ? sqrt(sum) : 1e150;
            else
                m[i][j] = sum / m[j][j];
        }
    }
}

void lt_coarsest_begin(const lt_soft *soft, const lt_system *system, lt_simd_level level) {
    lt_grid_system *s = system->grid;
    coarsest c = coarsest_of(soft);
    find_arms(soft, &c, s->arms);
    for (uint32_t i = 0; i < c.count; i++)
        lt_r4_store(s->residual + 4 * (size_t)c.nodes[i], lt_r4_splat(0));
    for (int motion = 0; motion < LT_AFFINE; motion++) {
        for (uint32_t i = 0; i < c.count; i++) {
            lt_real v[4] = {0, 0, 0, 0};
            v[motion % 3] = -s->arms[4 * (size_t)i + (size_t)(motion / 3)];
            lt_r4_store(s->change + 4 * (size_t)c.nodes[i], lt_r4_load(v));
        }
        lt_sparse_kernels_for(level)->defect_rows(s->product, &soft->carrier.pattern, system->blocks,
                                                  s->diagonal, s->residual, s->change, c.nodes, c.count);
        project(s->factor[motion], &c, s->arms, s->product);
    }
    factorise(s->factor);
}

static void solve_affine(const lt_soft *soft, const lt_system *system, const lt_sparse_kernels *kernels,
                         const coarsest *c) {
    const lt_grid_system *s = system->grid;
    double b[LT_AFFINE];
    kernels->defect_rows(s->product, &soft->carrier.pattern, system->blocks, s->diagonal, s->residual,
                         s->change, c->nodes, c->count);
    project(b, c, s->arms, s->product);
    for (int i = 0; i < LT_AFFINE; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= s->factor[i][k] * b[k];
        b[i] /= s->factor[i][i];
    }
    for (int i = LT_AFFINE; i-- > 0;) {
        for (int k = i + 1; k < LT_AFFINE; k++)
            b[i] -= s->factor[k][i] * b[k];
        b[i] /= s->factor[i][i];
    }
    for (uint32_t i = 0; i < c->count; i++)
        for (int motion = 0; motion < LT_AFFINE; motion++)
            s->change[4 * (size_t)c->nodes[i] + (size_t)(motion % 3)] +=
                (lt_real)b[motion] * s->arms[4 * (size_t)i + (size_t)(motion / 3)];
}

/* Forth, back, and so on, so that each takes half a product. `behind` is known. */
static void relax(const lt_soft *soft, const lt_system *system, const lt_sparse_kernels *kernels,
                  const coarsest *c) {
    const lt_grid_system *s = system->grid;
    lt_real *halves[2] = {s->before, s->behind};
    for (int sweep = 0; sweep < COARSEST_SWEEPS; sweep++)
        kernels->relax_half_rows(s->change, &soft->carrier.pattern, system->blocks, s->inverse, s->residual,
                                 halves[sweep % 2], halves[1 - sweep % 2], c->nodes, c->count, sweep % 2);
}

void lt_coarsest_solve(const lt_soft *soft, const lt_system *system, const lt_sparse_kernels *kernels) {
    const lt_grid_system *s = system->grid;
    coarsest c = coarsest_of(soft);
    relax(soft, system, kernels, &c);
    solve_affine(soft, system, kernels, &c);
    kernels->sum_half_rows(s->behind, &soft->carrier.pattern, system->blocks, s->change, c.nodes, c.count,
                           true);
    relax(soft, system, kernels, &c);
}
