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
 *   clamp     what still approaches gets impulses of its own, through W = Σ w²/m, without restitution and with friction; each
 *             takes energy. Then again, since one may push another
 *
 * Impulses only ever add to λ ≥ 0, their friction to what is in its cone: no contact pulls. */

#include "respond/lcp_parts.h"

#include "core/union_find.h"

#include <string.h>

enum { MAX_ROUNDS = 3 };

/* Of the speed of approach: less is called none. */
static const lt_real LITTLE = (lt_real)1e-6;

/* ---- balance ---- */

static lt_rvec3 arm_of(const lt_lcp_row *row, const lt_lcp_part *part) {
    return (lt_rvec3){(lt_real)(row->point.x - (double)part->center.x),
                      (lt_real)(row->point.y - (double)part->center.y),
                      (lt_real)(row->point.z - (double)part->center.z)};
}

void lt_lcp_miss(lt_lcp *lcp, uint32_t index) {
    const lt_lcp_contact *c = &lcp->contacts[index];
    const lt_lcp_row *row = &lcp->rows[index];
    if (!row->sane) return;
    lt_lcp_part *a = lt_lcp_part_of(lcp, c->body_a), *b = lt_lcp_part_of(lcp, c->body_b);
    if (a) lt_twist_add(&a->missing, arm_of(row, a), row->impulse, 1);
    if (b) lt_twist_add(&b->missing, arm_of(row, b), row->impulse, -1);
}

void lt_lcp_balance(lt_lcp *lcp, uint32_t index) {
    const lt_lcp_body *body = &lcp->bodies[index];
    lt_lcp_part *part = &lcp->parts[index];
    if (!part->used || !part->balanced) return;
    lt_real *change = lt_lcp_rows_of(lcp->change, part);
    const lt_real *arms = lt_lcp_rows_of(lcp->arms, part);
    for (uint32_t node = 0; node < body->node_count; node++)
        lt_twist_add(&part->missing, lt_node_get(arms, node), lt_node_get(change, node),
                     -(double)body->drag * (double)body->mass[node]);
    lt_screw gain = lt_rigid_gain(&part->rigid, &part->missing);
    for (uint32_t node = 0; node < body->node_count; node++)
        lt_node_add(change, node, lt_screw_at(&gain, lt_node_get(arms, node)), 1);
}

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
    const lt_lcp_part *part = &lcp->parts[index];
    const lt_real *change = lt_lcp_rows_of(lcp->change, part), *product = lt_lcp_rows_of(lcp->product, part);
    double sum = 0;
    for (uint32_t node = 0; node < lcp->bodies[index].node_count; node++)
        sum += (double)lt_r3_dot(lt_node_get(change, node), lt_node_get(product, node));
    return sum;
}

static uint32_t body_of_contact(const lt_lcp *lcp, const lt_lcp_contact *c) {
    return lt_lcp_part_of(lcp, c->body_a) ? c->body_a : c->body_b;
}

static lt_real share_of(const lt_lcp_island *island) {
    if (!(island->work > 0)) return 0;
    return island->energy > island->work ? (lt_real)(island->work / island->energy) : 1;
}

static void add_up_islands(lt_lcp *lcp) {
    for (uint32_t i = 0; i < lcp->body_count; i++) {
        if (!lcp->parts[i].used) continue;
        lt_lcp_multiply(lcp, i);
        lcp->islands[lt_sets_find(lcp->roots, i)].energy += product_with_change(lcp, i);
    }
    for (uint32_t i = 0; i < lcp->contact_count; i++) {
        const lt_lcp_row *row = &lcp->rows[i];
        if (!row->sane) continue;
        uint32_t body = body_of_contact(lcp, &lcp->contacts[i]);
        lcp->islands[lt_sets_find(lcp->roots, body)].work -= (double)lt_r3_dot(row->impulse, row->free);
    }
}

static void take_shares(lt_lcp *lcp) {
    add_up_islands(lcp);
    for (uint32_t i = 0; i < lcp->contact_count; i++) {
        lt_lcp_row *row = &lcp->rows[i];
        if (!row->sane) continue;
        uint32_t root = lt_sets_find(lcp->roots, body_of_contact(lcp, &lcp->contacts[i]));
        row->impulse = lt_r3_scale(row->impulse, share_of(&lcp->islands[root]));
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

/* ---- clamp ---- */

static lt_rvec3 velocity_of(const lt_lcp *lcp, const lt_lcp_contact *c, const lt_lcp_row *row) {
    const lt_lcp_part *a = lt_lcp_part_of(lcp, c->body_a), *b = lt_lcp_part_of(lcp, c->body_b);
    lt_rvec3 u = row->free;
    if (a) u = lt_r3_add(u, lt_anchor_gather(&c->a, lt_lcp_rows_of(lcp->change, a)));
    if (b) u = lt_r3_sub(u, lt_anchor_gather(&c->b, lt_lcp_rows_of(lcp->change, b)));
    return u;
}

static void push_masses(lt_lcp *lcp, uint32_t index, const lt_anchor *anchor, lt_rvec3 impulse) {
    const lt_lcp_part *part = lt_lcp_part_of(lcp, index);
    if (!part) return;
    const lt_lcp_body *body = &lcp->bodies[index];
    for (uint32_t i = 0; i < anchor->count; i++) {
        uint32_t node = anchor->ids[i];
        if (!lt_lcp_node_moves(body, node)) continue;
        lt_node_add(lt_lcp_rows_of(lcp->change, part), node, impulse,
                    anchor->weights[i] / (body->drag * body->mass[node]));
    }
}

/* False: it does not approach. */
static bool clamp_contact(lt_lcp *lcp, uint32_t index, lt_real little) {
    const lt_lcp_contact *c = &lcp->contacts[index];
    lt_lcp_row *row = &lcp->rows[index];
    if (!row->sane) return false;
    lt_rvec3 u = velocity_of(lcp, c, row);
    lt_real approach = -lt_r3_dot(c->normal, u);
    if (!(approach > little)) return false;
    lcp->approach = lt_max_r(lcp->approach, approach);
    lt_rvec3 slide = lt_r3_mad(u, c->normal, approach);
    lt_real sliding = lt_r3_length(slide), push = approach / row->inverse_mass;
    lt_real hold = lt_min_r(c->friction * push, sliding / row->inverse_mass);
    lt_rvec3 impulse = lt_r3_scale(c->normal, push);
    if (sliding > 0) impulse = lt_r3_mad(impulse, slide, -hold / sliding);
    push_masses(lcp, c->body_a, &c->a, impulse);
    if (c->body_b != LT_NONE) push_masses(lcp, c->body_b, &c->b, lt_r3_neg(impulse));
    row->impulse = lt_r3_add(row->impulse, impulse);
    return true;
}

/* Passes over all contacts until nothing approaches; returns how many there were in which something did. */
static uint32_t clamp(lt_lcp *lcp, uint32_t max_passes) {
    lt_real little = LITTLE * lcp->speed;
    for (uint32_t pass = 0; pass < max_passes; pass++) {
        lcp->unresolved = 0;
        lcp->approach = 0;
        for (uint32_t i = 0; i < lcp->contact_count; i++)
            lcp->unresolved += clamp_contact(lcp, i, little);
        lcp->clamped += lcp->unresolved;
        if (lcp->unresolved == 0) return pass;
    }
    return max_passes;
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

/* Impulses and their Δv; before there are any, Δv may hold what power iterations left. */
static void gather_answer(lt_lcp *lcp) {
    if (lcp->phase < LT_LCP_ROWS) memset(lcp->change, 0, 4 * (size_t)lcp->row_count * sizeof *lcp->change);
}

static void move_body(lt_lcp *lcp, uint32_t index) {
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

uint64_t lt_lcp_exit_units(const lt_lcp *lcp) {
    uint64_t passes = lcp->params.max_clamps + MAX_ROUNDS + 2;
    return 1 + (uint64_t)lcp->row_count * LT_LCP_BALANCE_UNITS * (MAX_ROUNDS + 4) +
           passes * lcp->contact_count * LT_LCP_CLAMP_UNITS;
}

static lt_piece peek(const void *state) {
    const lt_lcp *lcp = state;
    uint64_t units = lt_min_u64(lt_lcp_exit_units(lcp), UINT32_MAX);
    return (lt_piece){LT_WORK_RESPOND, lcp->phase == LT_LCP_LEFT ? 0 : (uint32_t)units, 0};
}

static uint32_t step(void *state, uint32_t grant) {
    (void)grant; /* one piece */
    lt_lcp *lcp = state;
    finish_preparing(lcp);
    gather_answer(lcp);
    balance(lcp);
    take_shares(lcp);
    uint32_t passes = 0, rounds = 0;
    for (uint32_t left = lcp->params.max_clamps; rounds < MAX_ROUNDS; rounds++) {
        uint32_t taken = clamp(lcp, left);
        passes += taken + 1;
        left -= taken;
        if (taken == 0) break;
        balance(lcp); /* friction and what has slipped act beside the points of their sides */
    }
    for (uint32_t i = 0; i < lcp->body_count; i++)
        if (lcp->parts[i].used) move_body(lcp, i);
    for (uint32_t i = 0; i < lcp->contact_count; i++)
        lcp->contacts[i].impulse = lcp->rows[i].impulse;
    lcp->phase = LT_LCP_LEFT;
    uint64_t units = 1 + (uint64_t)lcp->row_count * LT_LCP_BALANCE_UNITS * (rounds + 4) +
                     (uint64_t)(passes + 2) * lcp->contact_count * LT_LCP_CLAMP_UNITS;
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
