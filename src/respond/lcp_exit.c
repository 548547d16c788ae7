/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The end of constrained response, wherever its sweeps were cut (spec 4.3, "on exit at any sweep").
 *
 * Before they converge Δv is not A⁻¹Jᵀλ: some of the impulses has not arrived, and they are too large or too small. In this order:
 *
 *   balance   each free body gets the rigid motion that makes its momentum what its impulses say, linear and angular. Both sides
 *             of a contact count at one point, wherever their own have got to: nothing is made or lost
 *   share     of each island, bodies that share contacts, as much is taken over as the dual function
 *             −½ s² ΔvᵀAΔv − s λ·(J v* + g/Δt) grows: s = 1 where all has converged, less where impulses are too large, which
 *             would throw bodies apart. Where v* is a rigid motion the kinetic energy cannot rise by it
 *   settle    where sweeps were cut, a few passes of the law over all contacts, which may take back as well; then what still
 *             approaches is pushed, without restitution and with friction, until nothing does. Each takes energy
 *             as long as both sides are where the contact is; one that turns its bodies more than it answers is left alone
 *   guard     energy that an island has gained all the same is scaled away (lcp_guard.c)
 *
 * Impulses are changed by scaling and by the law alone: none pulls, and friction stays in its cone. */

#include "respond/lcp_internal.h"

#include "core/union_find.h"

#include <string.h>

enum { BACK_PASSES = 4 }; /* that may take back */

/* Of the speed of approach: less is called none. */
static const lt_real LITTLE = (lt_real)1e-6;

/* Of how a contact answers: one that turns its bodies by more, as it acts far from its sides, is left alone. */
static const lt_real MOST_TURN = 1;

/* ---- balance ---- */

static void balance(lt_lcp *lcp) {
    for (uint32_t i = 0; i < lcp->body_count; i++)
        lcp->parts[i].missing = (lt_twist){{0, 0, 0}, {0, 0, 0}};
    for (uint32_t i = 0; i < lcp->contact_count; i++)
        lt_lcp_miss(lcp, i);
    for (uint32_t i = 0; i < lcp->body_count; i++)
        lt_lcp_balance(lcp, i);
}

/* ---- share ---- */

static double product_with_change(const lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
    const lt_lcp_part *part = &lcp->parts[index];
    const lt_real *change = lt_lcp_rows_of(lcp->change, part), *product = lt_lcp_rows_of(lcp->product, part);
    double sum = 0;
    for (uint32_t node = 0; node < lcp->bodies[index].node_count; node++)
        sum += (double)lt_r3_dot(lt_node_get(change, node), lt_node_get(product, node));
    return sum;
}

static lt_real share_of(const lt_lcp_island *island) {
    if (!(island->work > 0)) return 0;
    return island->energy > island->work ? (lt_real)(island->work / island->energy) : 1;
}

static void add_up_islands(lt_lcp *lcp) {
    for (uint32_t i = 0; i < lcp->body_count; i++) {
        if (!lcp->parts[i].used) continue;
        lt_lcp_multiply(lcp, i, lcp->change);
        lcp->islands[lt_sets_find(lcp->roots, i)].energy += product_with_change(lcp, i);
    }
    for (uint32_t i = 0; i < lcp->contact_count; i++) {
        const lt_lcp_grip *grip = &lcp->grips[i];
        if (!lcp->rows[i].sane) continue;
        uint32_t body = lt_lcp_mover_of(lcp, &lcp->contacts[i]);
        lcp->islands[lt_sets_find(lcp->roots, body)].work -= (double)lt_r3_dot(grip->impulse, grip->free);
    }
}

static void take_shares(lt_lcp *lcp) {
    add_up_islands(lcp);
    for (uint32_t i = 0; i < lcp->contact_count; i++) {
        lt_lcp_grip *grip = &lcp->grips[i];
        if (!lcp->rows[i].sane) continue;
        uint32_t root = lt_sets_find(lcp->roots, lt_lcp_mover_of(lcp, &lcp->contacts[i]));
        grip->impulse = lt_r3_scale(grip->impulse, share_of(&lcp->islands[root]));
    }
    for (uint32_t i = 0; i < lcp->body_count; i++) {
        const lt_lcp_part *part = &lcp->parts[i];
        if (!part->used) continue;
        const lt_lcp_island *island = &lcp->islands[lt_sets_find(lcp->roots, i)];
        lt_real share = share_of(island), *change = lt_lcp_rows_of(lcp->change, part);
        if (island->energy > 0) lcp->least_share = lt_min_r(lcp->least_share, share);
        for (size_t k = 0; k < 4 * (size_t)lcp->bodies[i].node_count; k++)
            change[k] *= share;
    }
}

/* ---- settle ----
 *
 * An impulse of 1 at a contact moves a body by d = D̂⁻¹Jᵀ at the nodes that hold the point, and by the rigid motion r that
 * makes its momentum right, at the point where both sides act. AR is MR: of what d and r store in A, d at most its own
 * J D̂⁻¹Jᵀ, r what it moves the point. So taking all of the approach takes energy. (By masses alone, Δv = M⁻¹Jᵀ, momentum is
 * right as well, but the nodes alone would go, and what that bends is Δt²K/M times what it takes: a stack exploded.) */

/* How much of D̂⁻¹ there may be: D̂ ≥ A. */
static lt_real local_share(const lt_lcp *lcp) {
    return lcp->params.plain ? (lt_real)0.5 : 1;
}

static lt_rvec3 side_velocity(const lt_lcp *lcp, const lt_lcp_part *part, const lt_anchor *anchor,
                              lt_rvec3 arm) {
    lt_rvec3 u = lt_anchor_gather(anchor, lt_lcp_rows_of(lcp->change, part));
    return lt_r3_add(u, lt_screw_at(&part->screw, arm));
}

static lt_rvec3 velocity_of(const lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->contact_count);
    const lt_lcp_contact *c = &lcp->contacts[index];
    const lt_lcp_row *row = &lcp->rows[index];
    const lt_lcp_part *a = lt_lcp_part_of(lcp, c->body_a), *b = lt_lcp_part_of(lcp, c->body_b);
    lt_rvec3 u = lcp->grips[index].free;
    if (a) u = lt_r3_add(u, side_velocity(lcp, a, &c->a, row->arm_a));
    if (b) u = lt_r3_sub(u, side_velocity(lcp, b, &c->b, row->arm_b));
    return u;
}

/* What an impulse does to one of the nodes of its point. */
static lt_rvec3 node_gain(const lt_lcp *lcp, const lt_lcp_part *part, const lt_anchor *anchor, uint32_t i,
                          lt_rvec3 impulse) {
    lt_rvec3 gain = lt_lcp_block_times(lt_lcp_block_of(lcp->inverse, part, anchor->ids[i]), impulse);
    return lt_r3_scale(gain, anchor->weights[i] * local_share(lcp));
}

/* The rigid motion that goes with an impulse whose nodes have been moved, at the point where it acts. */
static lt_screw screw_of(const lt_lcp *lcp, uint32_t index, const lt_anchor *anchor, lt_rvec3 arm,
                         lt_rvec3 impulse) {
    LT_ASSERT(index < lcp->body_count);
    const lt_lcp_body *body = &lcp->bodies[index];
    const lt_lcp_part *part = &lcp->parts[index];
    const lt_real *arms = lt_lcp_rows_of(lcp->arms, part);
    if (!part->balanced) return (lt_screw){{0, 0, 0}, {0, 0, 0}};
    lt_twist missing = {{0, 0, 0}, {0, 0, 0}};
    lt_twist_add(&missing, arm, impulse, 1);
    for (uint32_t i = 0; i < anchor->count; i++)
        lt_twist_add(&missing, lt_node_get(arms, anchor->ids[i]), node_gain(lcp, part, anchor, i, impulse),
                     -(double)body->drag * (double)body->mass[anchor->ids[i]]);
    return lt_rigid_gain(&part->rigid, &missing);
}

static lt_rvec3 r3_of(lt_dvec3 v) {
    return (lt_rvec3){(lt_real)v.x, (lt_real)v.y, (lt_real)v.z};
}

/* The same for any impulse. `sign` is that of the side. */
static lt_lcp_lever lever_of(const lt_lcp *lcp, uint32_t index, const lt_anchor *anchor, lt_rvec3 arm,
                             lt_real sign) {
    lt_screw columns[3];
    for (int k = 0; k < 3; k++) {
        lt_rvec3 unit = {k == 0 ? sign : 0, k == 1 ? sign : 0, k == 2 ? sign : 0};
        columns[k] = screw_of(lcp, index, anchor, arm, unit);
    }
    return (lt_lcp_lever){{r3_of(columns[0].shift), r3_of(columns[1].shift), r3_of(columns[2].shift)},
                          {r3_of(columns[0].spin), r3_of(columns[1].spin), r3_of(columns[2].spin)}};
}

/* Velocity of the place `arm` for any impulse. */
static lt_rmat3 lever_at(const lt_lcp_lever *lever, lt_rvec3 arm) {
    return (lt_rmat3){lt_r3_add(lever->shift.c0, lt_r3_cross(lever->spin.c0, arm)),
                      lt_r3_add(lever->shift.c1, lt_r3_cross(lever->spin.c1, arm)),
                      lt_r3_add(lever->shift.c2, lt_r3_cross(lever->spin.c2, arm))};
}

/* How much a side is turned by a push for acting elsewhere than at its own point: what drives other contacts, and which
 * this one does not see. 0 where both sides meet. */
static lt_real turn_of(const lt_lcp_row *row, const lt_lcp_part *part, lt_rvec3 arm, lt_rvec3 normal) {
    if (!part || !part->balanced) return 0;
    lt_dvec3 moment = lt_lcp_wide(lt_r3_cross(lt_r3_sub(lt_lcp_arm_of(row, part), arm), normal));
    return (lt_real)lt_d3_dot(moment, lt_dm3_mul_vec(part->rigid.inverse_inertia, moment));
}

/* How the contact's velocity answers to an impulse. */
static void find_response(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->contact_count);
    const lt_lcp_contact *c = &lcp->contacts[index];
    lt_lcp_row *row = &lcp->rows[index];
    lt_lcp_grip *grip = &lcp->grips[index];
    const lt_lcp_part *a = lt_lcp_part_of(lcp, c->body_a), *b = lt_lcp_part_of(lcp, c->body_b);
    if (a) row->lever_a = lever_of(lcp, c->body_a, &c->a, lt_lcp_arm_of(row, a), 1);
    if (b) row->lever_b = lever_of(lcp, c->body_b, &c->b, lt_lcp_arm_of(row, b), -1);
    lt_rmat3 sum = lt_rm3_scale(lt_lcp_local_response(lcp, c), local_share(lcp));
    sum = lt_rm3_add(sum, lever_at(&row->lever_a, row->arm_a));
    sum = lt_rm3_sub(sum, lever_at(&row->lever_b, row->arm_b));
    if (a == b) { /* either side moves the other */
        sum = lt_rm3_add(sum, lever_at(&row->lever_b, row->arm_a));
        sum = lt_rm3_sub(sum, lever_at(&row->lever_a, row->arm_b));
    }
    row->answers = true;
    lt_lcp_set_response(grip, sum);
    lt_real turn = turn_of(row, a, row->arm_a, c->normal) + turn_of(row, b, row->arm_b, c->normal);
    if (!(turn * grip->along <= MOST_TURN)) grip->along = 0;
}

static void push_side(lt_lcp *lcp, lt_lcp_part *part, const lt_anchor *anchor, const lt_lcp_lever *lever,
                      lt_rvec3 impulse, lt_real sign) {
    lt_real *change = lt_lcp_rows_of(lcp->change, part);
    lt_rvec3 own = lt_r3_scale(impulse, sign);
    for (uint32_t i = 0; i < anchor->count; i++)
        lt_node_add(change, anchor->ids[i], node_gain(lcp, part, anchor, i, own), 1);
    part->screw.shift = lt_d3_add(part->screw.shift, lt_lcp_wide(lt_rm3_mul_vec(lever->shift, impulse)));
    part->screw.spin = lt_d3_add(part->screw.spin, lt_lcp_wide(lt_rm3_mul_vec(lever->spin, impulse)));
}

static void push(lt_lcp *lcp, const lt_lcp_contact *c, const lt_lcp_row *row, lt_rvec3 impulse) {
    lt_lcp_part *a = lt_lcp_part_of(lcp, c->body_a), *b = lt_lcp_part_of(lcp, c->body_b);
    if (a) push_side(lcp, a, &c->a, &row->lever_a, impulse, 1);
    if (b) push_side(lcp, b, &c->b, &row->lever_b, impulse, -1);
}

/* Lets the contact have its law; `all`: also where it only pushes too much. Returns whether it approached. */
static bool settle_contact(lt_lcp *lcp, uint32_t index, lt_real little, bool all) {
    LT_ASSERT(index < lcp->contact_count);
    const lt_lcp_contact *c = &lcp->contacts[index];
    const lt_lcp_row *row = &lcp->rows[index];
    lt_lcp_grip *grip = &lcp->grips[index];
    if (!row->sane) return false;
    lt_rvec3 u = velocity_of(lcp, index);
    lt_real approach = -lt_r3_dot(c->normal, u);
    bool approaches = approach > little;
    bool pushes = lt_r3_dot(c->normal, grip->impulse) > 0;
    if (!approaches && !(all && pushes)) return false;
    if (approaches) lcp->approach = lt_max_r(lcp->approach, approach);
    if (!row->answers) find_response(lcp, index);
    if (!(grip->along > 0)) return approaches;
    lcp->clamped += approaches;
    lt_rvec3 impulse = lt_lcp_law(grip, u), change = lt_r3_sub(impulse, grip->impulse);
    lcp->largest_change = lt_max_r(lcp->largest_change, lt_r3_length(change));
    lcp->largest_impulse = lt_max_r(lcp->largest_impulse, lt_r3_length(impulse));
    push(lcp, c, row, change);
    grip->impulse = impulse;
    return approaches;
}

static void absorb_screw(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
    lt_lcp_part *part = &lcp->parts[index];
    lt_real *change = lt_lcp_rows_of(lcp->change, part);
    const lt_real *arms = lt_lcp_rows_of(lcp->arms, part);
    for (uint32_t node = 0; node < lcp->bodies[index].node_count; node++)
        lt_node_add(change, node, lt_screw_at(&part->screw, lt_node_get(arms, node)), 1);
    part->screw = (lt_screw){{0, 0, 0}, {0, 0, 0}};
}

/* One pass over all contacts. */
static void settle(lt_lcp *lcp, lt_real little, bool all) {
    lcp->unresolved = 0;
    lcp->approach = lcp->largest_change = lcp->largest_impulse = 0;
    for (uint32_t i = 0; i < lcp->contact_count; i++)
        lcp->unresolved += settle_contact(lcp, i, little, all);
}

/* After the answer was scaled: what approaches now. */
static void recount(lt_lcp *lcp) {
    lcp->unresolved = 0;
    lcp->approach = 0;
    for (uint32_t i = 0; i < lcp->contact_count; i++) {
        if (!lcp->rows[i].sane) continue;
        lt_real approach = -lt_r3_dot(lcp->contacts[i].normal, velocity_of(lcp, i));
        if (!(approach > LITTLE * lcp->speed)) continue;
        lcp->unresolved++;
        lcp->approach = lt_max_r(lcp->approach, approach);
    }
}

/* Where sweeps were cut, first a few passes that may take back as well, until they change little; then pushes only, until
 * nothing approaches. Returns the passes. */
static uint32_t clamp(lt_lcp *lcp) {
    const lt_real enough = (lt_real)0.05;
    lt_real little = LITTLE * lcp->speed;
    uint32_t pass = 0, max_passes = lcp->params.max_clamps;
    for (bool all = !lt_lcp_has_converged(lcp) || lcp->sweeps == 0;
         all && pass < lt_min_u32(BACK_PASSES, max_passes); pass++) {
        settle(lcp, little, true);
        all = lcp->largest_change > enough * lcp->largest_impulse;
    }
    for (lcp->unresolved = 1; lcp->unresolved > 0 && pass < max_passes; pass++)
        settle(lcp, little, false);
    return pass;
}

/* ---- exit ---- */

/* What the cursor did not come to. */
static void finish_preparing(lt_lcp *lcp) {
    for (; lcp->phase == LT_LCP_PREPARE_BODIES && lcp->next < lcp->body_count; lcp->next++)
        lt_lcp_prepare_body(lcp, lcp->next);
    if (lcp->phase == LT_LCP_PREPARE_BODIES) {
        lcp->phase = LT_LCP_PREPARE_CONTACTS;
        lcp->next = 0;
    }
    for (; lcp->phase == LT_LCP_PREPARE_CONTACTS && lcp->next < lcp->contact_count; lcp->next++)
        lt_lcp_prepare_contact(lcp, lcp->next);
}

/* Without a whole sweep nothing is known: impulses of the last step, taken as they are again and again, would never become
 * less. Of D̂ what is known must do. */
static void begin_anew(lt_lcp *lcp) {
    for (uint32_t i = 0; i < lcp->contact_count; i++)
        lcp->grips[i].impulse = (lt_rvec3){0, 0, 0};
    memset(lcp->change, 0, 4 * (size_t)lcp->row_count * sizeof *lcp->change);
    for (uint32_t i = 0; lcp->phase < LT_LCP_ROWS && i < lcp->body_count; i++)
        if (lcp->parts[i].used) lt_lcp_invert(lcp, i);
}

static void move_body(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
    lt_lcp_body *body = &lcp->bodies[index];
    const lt_lcp_part *part = &lcp->parts[index];
    const lt_real *change = lt_lcp_rows_of(lcp->change, part);
    body->taken = (lt_twist){{0, 0, 0}, {0, 0, 0}};
    if (body->warm) memcpy(body->warm, change, 4 * (size_t)body->node_count * sizeof *change);
    for (uint32_t node = 0; node < body->node_count; node++) {
        lt_rvec3 gain = lt_node_get(change, node);
        lt_node_add(body->v, node, gain, 1);
        lt_node_add(body->x, node, gain, lcp->dt);
        lt_rvec3 arm = lt_r3_add(lt_node_get(lt_lcp_rows_of(lcp->arms, part), node), part->center);
        lt_twist_add(&body->taken, arm, gain, ((double)body->drag - 1) * (double)body->mass[node]);
    }
}

uint64_t lt_lcp_exit_nodes_units(const lt_lcp *lcp) {
    uint64_t units = 0;
    for (uint32_t i = 0; i < lcp->body_count; i++)
        if (lcp->parts[i].used)
            units += lt_lcp_nodes_units(lcp->bodies[i].node_count, lcp->bodies[i].has_rows);
    return LT_LCP_EXIT_VISITS * units;
}

uint64_t lt_lcp_exit_units(const lt_lcp *lcp) {
    uint64_t passes = lcp->params.max_clamps + 3;
    return 1 + lt_lcp_exit_nodes_units(lcp) + passes * lcp->contact_count * LT_LCP_CLAMP_UNITS;
}

static lt_piece peek(const void *state) {
    const lt_lcp *lcp = state;
    if (lcp->phase == LT_LCP_LEFT) return (lt_piece){LT_WORK_RESPOND, 0, 0};
    uint64_t units = lt_min_u64(lt_lcp_exit_units(lcp), UINT32_MAX);
    return (lt_piece){LT_WORK_RESPOND, (uint32_t)units, 0};
}

static uint32_t step(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    (void)grant; /* one piece */
    lt_lcp *lcp = state;
    lcp->is_cut = lcp->phase < LT_LCP_CONVERGED;
    finish_preparing(lcp);
    if (lcp->sweeps > 0) {
        balance(lcp);
        take_shares(lcp);
    } else
        begin_anew(lcp);
    uint32_t passes = clamp(lcp);
    for (uint32_t i = 0; i < lcp->body_count; i++)
        if (lcp->parts[i].used) absorb_screw(lcp, i);
    balance(lcp); /* of what was rounded off */
    if (lt_lcp_guard(lcp)) recount(lcp);
    for (uint32_t i = 0; i < lcp->body_count; i++)
        if (lcp->parts[i].used) move_body(lcp, i);
    for (uint32_t i = 0; i < lcp->contact_count; i++)
        lcp->contacts[i].impulse = lcp->grips[i].impulse;
    LT_VALIDATE(lt_validate_lcp(lcp));
    lcp->phase = LT_LCP_LEFT;
    uint64_t units =
        1 + lt_lcp_exit_nodes_units(lcp) + (uint64_t)(passes + 3) * lcp->contact_count * LT_LCP_CLAMP_UNITS;
    return (uint32_t)lt_min_u64(units, UINT32_MAX);
}

lt_cursor lt_lcp_exit_cursor(lt_lcp *lcp) {
    return (lt_cursor){lcp, peek, step};
}

/* ---- fail-safe ---- */

lt_real lt_lcp_scale_step(lt_real *x, const lt_real *x_before, uint32_t node_count, lt_real t_min) {
    if (t_min > 1) return 1;
    lt_real share = t_min > 0 ? (lt_real)0.9 * t_min : 0;
    for (uint32_t node = 0; node < node_count; node++) {
        lt_rvec3 from = lt_node_get(x_before, node);
        lt_node_set(x, node, lt_r3_mad(from, lt_r3_sub(lt_node_get(x, node), from), share));
    }
    return share;
}
