/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The momentum that an answer owes: impulses of contacts add to it, and bodies whose change of velocity is not whole yet get the rest as
 * a rigid motion. */

#include "respond/lcp_internal.h"

void lt_lcp_miss(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->contact_count);
    const lt_lcp_contact *c = &lcp->contacts[index];
    const lt_lcp_row *row = &lcp->rows[index];
    if (!row->sane) return;
    lt_lcp_part *a = lt_lcp_part_of(lcp, c->body_a), *b = lt_lcp_part_of(lcp, c->body_b);
    lt_rvec3 impulse = lcp->grips[index].impulse;
    if (a) lt_twist_add(&a->missing, lt_lcp_arm_of(row, a), impulse, 1);
    if (b) lt_twist_add(&b->missing, lt_lcp_arm_of(row, b), impulse, -1);
}

void lt_lcp_balance(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
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
