/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The law of a coupling: impulses over a step at relative velocity u, the partner's own motion taken out, g = Δt(Δt k + c):
 *
 *   contact, along the normal   max(0, Δt k d − g u_n)
 *   contact, across             −clip(w, b), w = Δt k τ + g u_t; b = μ × the normal impulse
 *   tether                      −(Δt k o + g u)
 *
 * Along the normal that is the slope of a convex function of u, and so it is across it for a given bound b: sums over couplings
 * can be lowered along any direction, and have one least place.
 *
 * Stages look at couplings through views: what is read in every iteration, 116 bytes and 8 a node of a coupling's 508, for a heap has
 * thousands and they are gone through three times an iteration. */

#ifndef LITHE_BODY_COUPLING_LAW_H
#define LITHE_BODY_COUPLING_LAW_H

#include "body/models.h"

/* A node of either side, as a row of the island's vectors; the weights of side b are negative. */
typedef struct lt_view_node {
    uint32_t row;
    lt_real weight;
} lt_view_node;

typedef struct lt_coupling_view {
    lt_rvec3 normal;     /* zero of tethers */
    lt_real gain;        /* g */
    lt_rvec3 hold;       /* Δt k τ, Δt k o */
    lt_real push;        /* Δt k d; nothing of tethers */
    lt_rvec3 u;          /* at present */
    lt_real friction;    /* LT_NO_LIMIT: a tether */
    lt_rvec3 change;     /* of u along the direction that is searched */
    lt_real bound;       /* of friction, N s, as it was looked at last */
    lt_rvec3 impulse;    /* on a, as it was looked at last */
    lt_rvec3 partner;    /* velocity of the thing of infinite mass */
    lt_rvec3 arm;        /* m, from the centre of a to where both sides get their moment */
    uint32_t node_begin; /* of the island's view nodes */
    uint8_t a_count, node_count;
    uint32_t pair;     /* of the rigid stage */
    uint32_t coupling; /* whose view it is */
} lt_coupling_view;

static inline bool lt_view_is_tether(const lt_coupling_view *c) {
    return c->friction >= LT_NO_LIMIT;
}

/* J v */
static inline lt_rvec3 lt_view_gather(const lt_coupling_view *c, const lt_view_node *nodes,
                                      const lt_real *vectors) {
    lt_r4 sum = lt_r4_splat(0);
    for (uint32_t i = c->node_begin; i < c->node_begin + c->node_count; i++)
        sum = lt_r4_mad(sum, lt_r4_load(vectors + 4 * (size_t)nodes[i].row), lt_r4_splat(nodes[i].weight));
    return lt_r4_xyz(sum);
}
/* v += Jᵀ value */
static inline void lt_view_scatter(const lt_coupling_view *c, const lt_view_node *nodes, lt_real *vectors,
                                   lt_rvec3 value) {
    const lt_real lanes[4] = {value.x, value.y, value.z, 0};
    lt_r4 all = lt_r4_load(lanes);
    for (uint32_t i = c->node_begin; i < c->node_begin + c->node_count; i++) {
        lt_real *v = vectors + 4 * (size_t)nodes[i].row;
        lt_r4_store(v, lt_r4_mad(lt_r4_load(v), all, lt_r4_splat(nodes[i].weight)));
    }
}

static inline lt_rvec3 lt_across_normal(lt_rvec3 normal, lt_rvec3 v) {
    return lt_r3_mad(v, normal, -lt_r3_dot(normal, v));
}

/* Of a contact along its normal, before it is cut at zero. */
static inline lt_real lt_view_push(const lt_coupling_view *c, lt_rvec3 u) {
    return c->push - c->gain * lt_r3_dot(c->normal, u);
}

/* The spring and damper: across the normal for contacts, in all directions for tethers. */
static inline lt_rvec3 lt_view_hold(const lt_coupling_view *c, lt_rvec3 u) {
    return lt_across_normal(c->normal, lt_r3_mad(c->hold, u, c->gain));
}

static inline lt_real lt_view_bound(const lt_coupling_view *c, lt_rvec3 u) {
    return lt_view_is_tether(c) ? LT_NO_LIMIT : c->friction * lt_max_r(0, lt_view_push(c, u));
}

/* Impulse on a, friction within the bound. */
static inline lt_rvec3 lt_view_impulse(const lt_coupling_view *c, lt_rvec3 u, lt_real bound) {
    lt_rvec3 w = lt_view_hold(c, u);
    lt_real push = lt_max_r(0, lt_view_push(c, u)), square = lt_r3_length_squared(w);
    if (square > bound * bound) w = lt_r3_scale(w, bound / lt_sqrt_r(square));
    return lt_r3_sub(lt_r3_scale(c->normal, push), w);
}

/* How much impulse answers a change of u there: `normal` along the normal, `across` in the other directions, less than g where
 * friction slides. Both are g for tethers, and 0 for a contact that does not push. */
typedef struct lt_coupling_gains {
    lt_real normal, across;
    lt_rvec3 sliding; /* unit: along it friction does not answer, being at its bound; zero where it holds */
} lt_coupling_gains;

static inline lt_coupling_gains lt_view_gains(const lt_coupling_view *c, lt_rvec3 u) {
    const lt_rvec3 none = {0, 0, 0};
    if (lt_view_is_tether(c)) return (lt_coupling_gains){c->gain, c->gain, none};
    lt_real push = lt_view_push(c, u);
    if (!(push > 0)) return (lt_coupling_gains){0, 0, none};
    lt_rvec3 w = lt_view_hold(c, u);
    lt_real square = lt_r3_length_squared(w), bound = c->friction * push;
    if (!(square > bound * bound)) return (lt_coupling_gains){c->gain, c->gain, none};
    lt_real share = 1 / lt_sqrt_r(square);
    return (lt_coupling_gains){c->gain, c->gain * bound * share, lt_r3_scale(w, share)};
}

#endif
