/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Forces of damped springs, eight at a time: f = (k (l − l₀) + c u·n) n on the first end, −f on the second, with n
 * towards the second, u its velocity relative to the first, c = viscosity × k. A spring of no length pulls nowhere. */

#include "body/kernel_internal.h"
#include "body/models.h"

/* Vector of the second end − vector of the first. */
static inline void gather_difference(lt_r8 out[3], const uint32_t *nodes, const lt_real *vectors) {
    lt_real lanes[3][LT_GROUP];
    for (int lane = 0; lane < LT_GROUP; lane++) {
        const lt_real *p = vectors + 4 * (size_t)nodes[lane],
                      *q = vectors + 4 * (size_t)nodes[LT_GROUP + lane];
        for (int k = 0; k < 3; k++)
            lanes[k][lane] = q[k] - p[k];
    }
    for (int k = 0; k < 3; k++)
        out[k] = lt_r8_load(lanes[k]);
}

static inline void scatter_pull(lt_real *force, const uint32_t *nodes, const lt_r8 direction[3], lt_r8 pull) {
    lt_real lanes[3][LT_GROUP];
    for (int k = 0; k < 3; k++)
        lt_r8_store(lanes[k], lt_r8_mul(direction[k], pull));
    for (int lane = 0; lane < LT_GROUP; lane++) {
        lt_real *p = force + 4 * (size_t)nodes[lane], *q = force + 4 * (size_t)nodes[LT_GROUP + lane];
        for (int k = 0; k < 3; k++) {
            p[k] += lanes[k][lane];
            q[k] -= lanes[k][lane];
        }
    }
}

void LT_KERNEL(lt_pull_springs)(lt_spring_work *work);
void LT_KERNEL(lt_pull_springs)(lt_spring_work *work) {
    const lt_springs *springs = work->springs;
    lt_r8 tiny = lt_r8_splat((lt_real)1e-30), one = lt_r8_splat(1), viscosity = lt_r8_splat(work->viscosity);
    work->energy = 0;
    for (uint32_t group = 0; group < springs->group_count; group++) {
        const uint32_t *nodes = springs->nodes + 2 * LT_GROUP * (size_t)group;
        lt_r8 rest = lt_r8_load(springs->lengths + LT_GROUP * (size_t)group);
        lt_r8 stiffness = lt_r8_load(springs->stiffness + LT_GROUP * (size_t)group);
        lt_r8 d[3], u[3];
        gather_difference(d, nodes, work->x);
        lt_r8 length = lt_r8_sqrt(lt_dot3_wide(d, d));
        lt_r8 inverse = lt_r8_div(one, lt_r8_max(length, tiny));
        lt_r8 stretch = lt_r8_sub(length, rest);
        if (work->force) {
            lt_r8 pulled = stretch;
            if (work->viscosity > 0) {
                gather_difference(u, nodes, work->v);
                pulled = lt_r8_mad(stretch, lt_r8_mul(lt_dot3_wide(u, d), inverse), viscosity);
            }
            scatter_pull(work->force, nodes, d, lt_r8_mul(lt_r8_mul(stiffness, pulled), inverse));
        } else {
            work->energy += lt_sum_lanes(lt_r8_mul(stiffness, lt_r8_mul(stretch, stretch))) / 2;
        }
    }
}
