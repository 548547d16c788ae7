/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The implicit bodies of an island through a step: what is there before the stages, and what they leave. See implicit.h. */

#include "body/rigid_motion.h"

#include <string.h>

/* ---- before ---- */

/* `force` becomes all that acts from outside. */
static void add_weight(const lt_implicit *s, const lt_member *member) {
    lt_soft *soft = member->soft;
    if (soft->grid) lt_grid_pull_loads(soft, soft->force);
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        lt_node_add(soft->force, node, s->advance->gravity, soft->mass[node]);
    }
}

/* How far the stages may go: as the body that asks for most. */
static void set_limits(lt_implicit *s) {
    s->tolerance = 1;
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_soft *soft = s->island->members[m].soft;
        if (lt_soft_is_explicit(soft)) continue;
        s->tolerance = lt_min_r(s->tolerance, soft->tolerance);
        s->max_iterations = lt_max_u32(s->max_iterations, soft->max_iterations);
    }
    if (s->advance->max_iterations)
        s->max_iterations = lt_min_u32(s->max_iterations, s->advance->max_iterations);
    if (s->advance->rigid_alone) s->max_iterations = 0;
}

/* ---- after ---- */

static void move_member(const lt_implicit *s, const lt_member *member) {
    lt_soft *soft = member->soft;
    const lt_real *velocities = lt_member_rows(s->island->vectors[LT_VECTOR_VELOCITY], member);
    lt_real dt = s->advance->dt, drag = 1 / (1 + (lt_real)soft->material.mass_damping * dt);
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        lt_rvec3 v = lt_node_get(velocities, row);
        if (soft->grid) {
            lt_rvec3 fall = lt_r3_mad(lt_node_get(soft->v, node), s->advance->gravity, dt);
            lt_grid_remember_gain(soft, row, v, lt_r3_scale(fall, drag));
        }
        lt_node_set(soft->v, node, v);
        lt_node_add(soft->x, node, v, dt);
        if (soft->pinned[node]) lt_node_set(soft->x, node, lt_node_get(soft->pin_target, node));
    }
}

/* Who asks for matrices gets one, from where the step began. */
static void fill_kept_system(const lt_implicit *s, const lt_member *member) {
    lt_soft *soft = member->soft;
    if (!s->advance->systems) return;
    lt_system_fill(soft, &member->system, soft->x, NULL, lt_implicit_vector(s, LT_VECTOR_PRODUCT),
                   s->advance->level);
}

static void move(const lt_implicit *s, const lt_member *member) {
    if (member->rigid_alone && member->soft->pin_count == 0)
        lt_rigid_move(s, member);
    else if (lt_is_carried(member))
        lt_rigid_carry(s, member);
    else
        move_member(s, member);
}

static void finish_implicit(const lt_implicit *s, const lt_member *member) {
    lt_soft *soft = member->soft;
    if (member->rigid_alone) fill_kept_system(s, member);
    move(s, member);
    lt_energy_settle(s, member);
    if (soft->grid) lt_soft_follow(soft);
    soft->iterations = s->iterations;
    soft->residual = member->left_out ? 1 : s->residual;
}

static void finish_explicit(const lt_implicit *s, const lt_member *member) {
    lt_keep_deformation(s, member);
    move(s, member);
    lt_give_back_deformation(s, member);
    member->soft->time_lost = s->advance->dt;
}

static void finish_member(const lt_implicit *s, const lt_member *member) {
    lt_soft *soft = member->soft;
    (lt_soft_is_explicit(soft) ? finish_explicit : finish_implicit)(s, member);
    if (soft->material.mass_damping == 0) return; /* nothing: it was cleared when the step began */
    /* In double: the momentum may be beyond float where its share is not. */
    double share = (double)(s->advance->dt * (lt_real)soft->material.mass_damping);
    lt_dvec3 drag = lt_d3_scale(lt_soft_exact_momentum(soft), share);
    soft->drag = (lt_rvec3){(lt_real)drag.x, (lt_real)drag.y, (lt_real)drag.z};
}

bool lt_implicit_prepare(lt_implicit *s, const lt_advance *advance, lt_island *island) {
    *s = (lt_implicit){.advance = advance,
                       .island = island,
                       .kernels = lt_sparse_kernels_for(advance->level),
                       .couplings = lt_coupling_kernels_for(advance->level),
                       .harm = (double)LT_NO_LIMIT};
    uint32_t ours = 0;
    for (uint32_t i = 0; i < LT_ISLAND_VECTORS; i++) /* rows of explicit members and fourth lanes stay zero */
        memset(island->vectors[i], 0, 4 * (size_t)island->row_count * sizeof(lt_real));
    for (uint32_t m = 0; m < island->member_count; m++)
        if (lt_is_implicit(&island->members[m])) {
            add_weight(s, &island->members[m]);
            ours++;
        }
    if (ours == 0) return false;
    set_limits(s);
    s->residual = advance->rigid_alone; /* what a solve would gain is not known */
    lt_couplings_fill(s);
    lt_rigid_begin(s);
    lt_rigid_start(s);
    return true;
}

void lt_implicit_settle(lt_implicit *s) {
    lt_rigid_settle(s);
    lt_energy_measure(s);
    for (uint32_t m = 0; m < s->island->member_count; m++)
        if (lt_is_implicit(&s->island->members[m])) finish_member(s, &s->island->members[m]);
}
