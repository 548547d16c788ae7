/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The rest of a step whose sub-steps were cut: explicit bodies go on as rigid things with their couplings, by the rigid stage of
 * implicit steps (implicit_rigid.c). They fall at g and stay where they are borne; only their shapes lose time.
 *
 *   velocity = rigid motion + deformation velocity, which has no momentum        the rest moves the first, and turns the second along
 *
 * The deformation velocity stands for the rest of the step, and for whole steps in which nothing deforms: neither it nor the elastic energy
 * changes, and the rigid stage makes no energy. Kept, a bar that is cut in every step swings in slow motion. (Taken away, it would creep; and
 * bodies in a pile that were solved one step in ten began each with no velocity and a shape that was on its way somewhere: detection
 * looked as far ahead as velocities lead, missed contacts, and found them deep a step later, for ever.) A body that one or two pins
 * leave a motion swings on, others stay with their pins.
 *
 * Implicit partners have not moved yet: they count as of infinite mass at the velocity that they came with, as in sub-steps, and get
 * the impulse afterwards. */

#include "body/rigid_motion.h"

#include <string.h>

/* Who takes part: those that took sub-steps, instead of those that stages move. */
static void exchange_parts(lt_island *island) {
    for (uint32_t m = 0; m < island->member_count; m++)
        island->members[m].staged = !island->members[m].staged;
}

/* The step's part so far is over: momenta are about the centre as it is, and nothing is due but what the body has. */
static void begin_rest(const lt_implicit *s, lt_member *member) {
    lt_soft *soft = member->soft;
    member->center = lt_soft_center(soft);
    member->rigid_alone = true;
    memset(&member->due, 0, sizeof member->due);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        lt_node_add(soft->force, node, s->advance->gravity, soft->mass[node]);
}

void lt_keep_deformation(const lt_implicit *s, const lt_member *member) {
    lt_rigid_find_deformation(s, member, lt_member_rows(lt_implicit_vector(s, LT_VECTOR_DIRECTION), member));
}

/* Nodes of a body with pins: where the velocities of the stage take them in the rest. */
static void move_pinned(const lt_implicit *s, const lt_member *member) {
    lt_soft *soft = member->soft;
    const lt_real *velocities = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_VELOCITY), member);
    for (uint32_t node = 0; node < member->row_count; node++) {
        lt_rvec3 v = lt_node_get(velocities, node);
        lt_node_set(soft->v, node, v);
        lt_node_add(soft->x, node, v, s->advance->dt);
        if (soft->pinned[node]) lt_node_set(soft->x, node, lt_node_get(soft->pin_target, node));
    }
}

void lt_give_back_deformation(const lt_implicit *s, const lt_member *member) {
    lt_soft *soft = member->soft;
    const lt_real *kept = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_DIRECTION), member);
    lt_motion_map turn = lt_turn_map_of(member->rigid->turned_by);
    for (uint32_t node = 0; node < member->row_count; node++) {
        lt_real *v = soft->v + 4 * (size_t)node;
        lt_rvec3 own = lt_node_get(kept, node);
        if (!soft->pinned[node]) lt_r4_store(v, lt_r4_add(lt_r4_load(v), lt_turned_by_map(&turn, own)));
    }
}

static void finish_rest(const lt_implicit *s, lt_member *member) {
    lt_soft *soft = member->soft;
    lt_keep_deformation(s, member);
    if (soft->pin_count > 0)
        move_pinned(s, member);
    else
        lt_rigid_move(s, member);
    double share = (double)(s->advance->dt * (lt_real)soft->material.mass_damping);
    lt_dvec3 drag = lt_d3_scale(lt_soft_exact_momentum(soft), share);
    lt_rvec3 taken = {(lt_real)drag.x, (lt_real)drag.y, (lt_real)drag.z};
    soft->drag = lt_r3_add(soft->drag, taken);
    lt_give_back_deformation(s, member);
    member->rigid_alone = false;
}

void lt_explicit_rest(const lt_advance *advance, lt_island *island, lt_real elapsed) {
    LT_ASSERT(elapsed > 0 && elapsed < advance->dt);
    lt_advance rest = *advance;
    rest.dt = advance->dt - elapsed;
    lt_implicit s = {.advance = &rest,
                     .island = island,
                     .kernels = lt_sparse_kernels_for(advance->level),
                     .couplings = lt_coupling_kernels_for(advance->level),
                     .elapsed = elapsed};
    exchange_parts(island);
    for (uint32_t m = 0; m < island->member_count; m++)
        if (lt_is_implicit(&island->members[m])) begin_rest(&s, &island->members[m]);
    lt_couplings_fill(&s);
    lt_rigid_begin(&s);
    lt_rigid_run(&s);
    lt_rigid_settle(&s);
    for (uint32_t m = 0; m < island->member_count; m++)
        if (lt_is_implicit(&island->members[m])) finish_rest(&s, &island->members[m]);
    exchange_parts(island);
}
