/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inside lcp*.c: contacts as rows. */

#ifndef LITHE_RESPOND_LCP_INTERNAL_H
#define LITHE_RESPOND_LCP_INTERNAL_H

#include "respond/lcp.h"

enum {
    LT_LCP_PREPARE_BODIES,
    LT_LCP_PREPARE_CONTACTS,
    LT_LCP_INVERT,
    LT_LCP_POWER,
    LT_LCP_ROWS,
    LT_LCP_START,
    LT_LCP_RELAX,
    LT_LCP_PASS,
    LT_LCP_CONVERGED,
    LT_LCP_LEFT
};

/* The part of a side that can be moved; NULL: none. */
static inline lt_lcp_part *lt_lcp_part_of(const lt_lcp *lcp, uint32_t body) {
    return body != LT_NONE && lcp->parts[body].used ? &lcp->parts[body] : NULL;
}
static inline lt_real *lt_lcp_rows_of(lt_real *vectors, const lt_lcp_part *part) {
    return vectors + 4 * (size_t)part->row;
}
static inline lt_real *lt_lcp_block_of(lt_real *blocks, const lt_lcp_part *part, uint32_t node) {
    return blocks + (size_t)LT_BLOCK_STRIDE * (part->row + node);
}
static inline bool lt_lcp_node_moves(const lt_lcp_body *body, uint32_t node) {
    LT_ASSERT(node < body->node_count);
    return body->mass[node] > 0 && !(body->pinned && body->pinned[node]);
}

/* The body that a contact's island is found by. */
static inline uint32_t lt_lcp_mover_of(const lt_lcp *lcp, const lt_lcp_contact *c) {
    return lt_lcp_part_of(lcp, c->body_a) ? c->body_a : c->body_b;
}
static inline lt_dvec3 lt_lcp_wide(lt_rvec3 v) {
    return (lt_dvec3){v.x, v.y, v.z};
}

static inline lt_rvec3 lt_lcp_block_times(const lt_real *block, lt_rvec3 v) {
    return (lt_rvec3){block[0] * v.x + block[4] * v.y + block[8] * v.z,
                      block[1] * v.x + block[5] * v.y + block[9] * v.z,
                      block[2] * v.x + block[6] * v.y + block[10] * v.z};
}

/* An impulse that fits the law: pushes, and friction in its cone. */
static inline lt_rvec3 lt_lcp_project(const lt_lcp_grip *grip, lt_real along, lt_rvec3 across) {
    lt_real push = lt_max_r(0, along), bound = grip->friction * push;
    lt_real square = lt_r3_length_squared(across);
    if (square > bound * bound) across = lt_r3_scale(across, bound / lt_sqrt_r(square));
    return lt_r3_mad(across, grip->normal, push);
}

/* The impulse that a contact wants at relative velocity u, others standing still: first along the normal, then across. */
static inline lt_rvec3 lt_lcp_law(const lt_lcp_grip *grip, lt_rvec3 u) {
    lt_real before = lt_r3_dot(grip->normal, grip->impulse);
    lt_real push = lt_max_r(0, before - lt_r3_dot(grip->normal, u) * grip->along);
    u = lt_r3_mad(u, grip->answer, push - before);
    lt_rvec3 slide = lt_r3_mad(u, grip->normal, -lt_r3_dot(grip->normal, u));
    lt_rvec3 hold = lt_r3_mad(grip->impulse, grip->normal, -before);
    return lt_lcp_project(grip, push, lt_r3_mad(hold, slide, -grip->across));
}

/* What a self-contact's other anchor takes away of a weight: both may hold the same node. */
static inline lt_real lt_lcp_net_weight(const lt_lcp_contact *c, uint32_t i) {
    lt_real weight = c->a.weights[i];
    for (uint32_t j = 0; c->body_a == c->body_b && j < c->b.count; j++)
        if (c->b.ids[j] == c->a.ids[i]) weight -= c->b.weights[j];
    return weight;
}
/* The weight of b's node, but where a holds it, too: counted there. */
static inline lt_real lt_lcp_other_weight(const lt_lcp_contact *c, uint32_t j) {
    for (uint32_t i = 0; c->body_a == c->body_b && i < c->a.count; i++)
        if (c->a.ids[i] == c->b.ids[j]) return 0;
    return c->b.weights[j];
}

/* Everything of the bodies and contacts that does not need A. */
void lt_lcp_prepare_body(lt_lcp *lcp, uint32_t body);
void lt_lcp_prepare_contact(lt_lcp *lcp, uint32_t contact);

/* From the middle of a body to where a contact acts. */
static inline lt_rvec3 lt_lcp_arm_of(const lt_lcp_row *row, const lt_lcp_part *part) {
    return (lt_rvec3){(lt_real)(row->point.x - (double)part->center.x),
                      (lt_real)(row->point.y - (double)part->center.y),
                      (lt_real)(row->point.z - (double)part->center.z)};
}

/* Adds the impulse of a contact to what its bodies miss. */
void lt_lcp_miss(lt_lcp *lcp, uint32_t contact);
/* The rigid motion that gives a body what it misses beyond the momentum that Δv has. Nothing for one that is held. */
void lt_lcp_balance(lt_lcp *lcp, uint32_t body);

/* J D̂⁻¹ Jᵀ of a contact alone. */
lt_rmat3 lt_lcp_local_response(const lt_lcp *lcp, const lt_lcp_contact *contact);
/* How it answers along the normal, and across. */
void lt_lcp_set_response(lt_lcp_grip *grip, lt_rmat3 response);
bool lt_lcp_has_converged(const lt_lcp *lcp);

/* The impulse and Δv that it begins with. */
void lt_lcp_start_row(lt_lcp *lcp, uint32_t contact);
void lt_lcp_start_body(lt_lcp *lcp, uint32_t body);

/* Inverse diagonal blocks; then D̂⁻¹ of them, one power iteration at a time: false while there are more. */
void lt_lcp_invert_diagonal(lt_lcp *lcp, uint32_t body);
bool lt_lcp_build_inverse(lt_lcp *lcp, uint32_t body);
/* D̂⁻¹ of a body with what is known of σ. */
void lt_lcp_invert(lt_lcp *lcp, uint32_t body);
/* product = A × vectors, of one body. */
void lt_lcp_multiply(lt_lcp *lcp, uint32_t body, const lt_real *vectors);

/* Scales the answer of each island so that it leaves no more energy than there was to take. Whether there was one to scale. */
bool lt_lcp_guard(lt_lcp *lcp);

#endif
