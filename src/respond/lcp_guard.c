/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The last word of the exit of constrained response: an answer does not leave more kinetic energy than there was to take.
 *
 * Impulses contact by contact take energy as long as both sides of a contact are where it is. Sides that a step took metres
 * apart act at a place between them, far from either; pushes then drive each other from pass to pass, without bound. So,
 * island by island, with M the masses:
 *
 *     T(s) = ½ (v* + sΔv)ᵀM(v* + sΔv)  ≤  ½ v*ᵀA v* + what came from outside,       the largest s of [0, 1]
 *
 * A ≥ M, and the solution obeys it with s = 1: from AΔv = Jᵀλ and λ·J(v* + Δv) = 0 follows
 * ½(v* + Δv)ᵀA(v* + Δv) = ½ v*ᵀAv* − ½ ΔvᵀAΔv. And it cannot feed itself from step to step: v* = A⁻¹(Mv − Δt f) of an
 * implicit body has no more than kinetic and elastic energy had together before the step; of a rigid motion, and of an explicit
 * body but for drag, it is T(0).
 *
 * From outside comes what contacts ask for beyond rest: overlap that is undone, obstacles and held nodes that move. With w that
 * velocity they may do the work λ·w; but as λ may be anything, no more than it takes to move the whole island at n + 1 times the
 * largest of them: an elastic body may leave an obstacle at twice its speed, and n of them push each other along.
 *
 * Where sweeps were cut Δv is not A⁻¹Jᵀλ, and contacts that contradict each other bend what is between them without moving much of it: T
 * is by A there, ½ (v* + sΔv)ᵀA(v* + sΔv), which has in it what the step bends, and which the solution obeys as well. Overlap may then bring
 * in no more than it takes to move the island at the speed at which it is undone.
 *
 * A cut answer may still turn round what gravity and elastic forces gave v* in this step. What was there before the step bounds that, by
 * s v₀ᵀMΔv + ½ s² ΔvᵀAΔv ≤ ½ |v* − v₀|²_M + ½ (v*ᵀAv* − v*ᵀMv*) + what came from outside, which the solution obeys, too. It was tried:
 * no answer of 600 steps of a knot was above it, where 72 to 88 of 300 had been by up to 0.7 J of 356; but with impulses scaled by a
 * fifth in every step the knot sank 45 mm into the floor instead of 5. Scaling is no means for that.
 *
 * Impulses and Δv of an island are scaled alike: momentum, the cone and what drag took stay as they were. Numbers that are
 * not make s = 0. Three visits of each node, four where sweeps were cut, and two of each contact. */

#include "respond/lcp_internal.h"

#include "core/union_find.h"

#include <math.h>

/* Of the energy: what rounding may add. */
static const double ROUNDING = 1e-6;

static bool is_number(double x) {
    return x - x == 0;
}

static lt_lcp_island *island_of(lt_lcp *lcp, uint32_t body) {
    LT_ASSERT(body < lcp->body_count);
    return &lcp->islands[lt_sets_find(lcp->roots, body)];
}

/* v* of the nodes that move and have one, 0 elsewhere, to where the last sweep's Δv was. */
static void set_free(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
    const lt_lcp_body *body = &lcp->bodies[index];
    lt_real *out = lt_lcp_rows_of(lcp->last, &lcp->parts[index]);
    for (uint32_t node = 0; node < body->node_count; node++) {
        lt_rvec3 v = lt_node_get(body->v, node);
        bool counts = lt_lcp_node_moves(body, node) && lt_r3_is_finite(v);
        lt_node_set(out, node, counts ? v : (lt_rvec3){0, 0, 0});
    }
}

/* What Δv has of T(s) = kinetic + s × mixed + s² × gained, T by masses or, where the sweeps were cut, by A. */
static void add_change(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
    const lt_lcp_body *body = &lcp->bodies[index];
    const lt_lcp_part *part = &lcp->parts[index];
    lt_lcp_island *island = island_of(lcp, index);
    const lt_real *change = lt_lcp_rows_of(lcp->change, part), *free = lt_lcp_rows_of(lcp->last, part);
    const lt_real *product = lt_lcp_rows_of(lcp->product, part);
    if (lcp->is_cut) lt_lcp_multiply(lcp, index, lcp->change);
    for (uint32_t node = 0; node < body->node_count; node++) {
        lt_dvec3 v = lt_lcp_wide(lt_node_get(free, node)), dv = lt_lcp_wide(lt_node_get(change, node));
        lt_dvec3 moved =
            lcp->is_cut ? lt_lcp_wide(lt_node_get(product, node)) : lt_d3_scale(dv, (double)body->mass[node]);
        if (!lt_d3_is_finite(dv)) island->gained += (double)INFINITY;
        if (!lt_lcp_node_moves(body, node)) continue;
        island->mixed += lt_d3_dot(v, moved);
        island->gained += 0.5 * lt_d3_dot(dv, moved);
        island->mass += (double)body->mass[node];
    }
}

/* And v* of it and of ½ v*ᵀAv*. */
static void add_body(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
    const lt_lcp_body *body = &lcp->bodies[index];
    const lt_lcp_part *part = &lcp->parts[index];
    lt_lcp_island *island = island_of(lcp, index);
    set_free(lcp, index);
    add_change(lcp, index);
    lt_lcp_multiply(lcp, index, lcp->last);
    const lt_real *free = lt_lcp_rows_of(lcp->last, part), *product = lt_lcp_rows_of(lcp->product, part);
    double kinetic = 0, stored = 0;
    for (uint32_t node = 0; node < body->node_count; node++) {
        lt_dvec3 v = lt_lcp_wide(lt_node_get(free, node));
        if (!lt_lcp_node_moves(body, node)) continue;
        kinetic += 0.5 * (double)body->mass[node] * lt_d3_dot(v, v);
        stored += 0.5 * lt_d3_dot(v, lt_lcp_wide(lt_node_get(product, node)));
    }
    stored = stored > kinetic && is_number(stored) ? stored : kinetic;
    island->kinetic += lcp->is_cut ? stored : kinetic;
    island->stored += stored;
    island->body_count++;
}

static lt_rvec3 free_velocity(const lt_lcp *lcp, uint32_t body, const lt_anchor *anchor) {
    const lt_lcp_part *part = lt_lcp_part_of(lcp, body);
    return part ? lt_anchor_gather(anchor, lt_lcp_rows_of(lcp->last, part)) : (lt_rvec3){0, 0, 0};
}

/* Of the velocity that it asks for, that of overlap or of the way that is left. */
static lt_real bias_of(const lt_lcp *lcp, const lt_lcp_contact *c) {
    return lt_max_r(c->gap / lcp->dt, -lcp->params.recovery_speed);
}

/* What a contact brings in from outside: the velocity that it asks for, but not away from what is there. */
static void add_contact(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->contact_count);
    const lt_lcp_contact *c = &lcp->contacts[index];
    const lt_lcp_grip *grip = &lcp->grips[index];
    lt_lcp_island *island = island_of(lcp, lt_lcp_mover_of(lcp, c));
    lt_rvec3 own = lt_r3_sub(free_velocity(lcp, c->body_a, &c->a), free_velocity(lcp, c->body_b, &c->b));
    lt_rvec3 asked = lt_r3_sub(own, grip->free);
    asked = lt_r3_mad(asked, c->normal, lt_max_r(0, -lt_r3_dot(asked, c->normal)));
    lt_rvec3 driven = lt_r3_mad(lt_r3_sub(own, grip->free), c->normal, bias_of(lcp, c));
    island->outside = lt_max_d(island->outside, (double)lt_r3_length(lcp->is_cut ? driven : asked));
    island->undone = lt_max_d(island->undone, (double)lt_r3_length(asked));
    island->brought += lt_max_d(0, (double)lt_r3_dot(grip->impulse, asked));
    if (!lt_r3_is_finite(grip->impulse)) island->gained += (double)INFINITY;
}

/* The largest s of [0, 1] with T(s) in bounds. */
static double share_of(const lt_lcp_island *island) {
    double b = island->mixed, c = island->gained;
    double speed = lt_max_d(island->undone, island->outside * (1 + (double)island->body_count));
    double most = 0.5 * island->mass * speed * speed, brought = island->brought;
    double room = (1 + ROUNDING) * island->stored + (brought < most ? brought : most) - island->kinetic;
    if (b + c <= room) return 1;
    double root = lt_sqrt_of_double(b * b + 4 * c * room);
    double share = b > 0 ? 2 * room / (b + root) : (root - b) / (2 * c);
    return share >= 0 && share < 1 && is_number(b + c) ? share : 0;
}

static void scale_body(lt_lcp *lcp, uint32_t index, lt_real share) {
    LT_ASSERT(index < lcp->body_count);
    lt_real *change = lt_lcp_rows_of(lcp->change, &lcp->parts[index]);
    for (size_t k = 0; k < 4 * (size_t)lcp->bodies[index].node_count; k++)
        change[k] = share > 0 ? share * change[k] : 0; /* also where it is not a number */
}

bool lt_lcp_guard(lt_lcp *lcp) {
    bool acts = false;
    for (uint32_t i = 0; i < lcp->body_count; i++)
        if (lcp->parts[i].used) add_body(lcp, i);
    for (uint32_t i = 0; i < lcp->contact_count; i++)
        if (lcp->rows[i].sane) add_contact(lcp, i);
    for (uint32_t i = 0; i < lcp->body_count; i++) {
        if (!lcp->parts[i].used) continue;
        lt_real share = (lt_real)share_of(island_of(lcp, i));
        if (share == 1) continue;
        acts = true;
        lcp->least_share = lt_min_r(lcp->least_share, share);
        scale_body(lcp, i, share);
    }
    for (uint32_t i = 0; acts && i < lcp->contact_count; i++) {
        lt_lcp_grip *grip = &lcp->grips[i];
        if (!lcp->rows[i].sane) continue;
        lt_real share = (lt_real)share_of(island_of(lcp, lt_lcp_mover_of(lcp, &lcp->contacts[i])));
        if (share == 1) continue;
        grip->impulse = share > 0 ? lt_r3_scale(grip->impulse, share) : (lt_rvec3){0, 0, 0};
    }
    return acts;
}

/* ---- validator ---- */

/* Within what float leaves of a projection that was scaled. Squares below LEAST_SQUARE are no normal numbers, in float: of an impulse of
 * 1e-22 N s a tenth was beyond its bound. */
static const lt_real LEAST_SQUARE = (lt_real)1e-36;
static bool is_in_cone(const lt_lcp_grip *grip) {
    lt_real push = lt_r3_dot(grip->normal, grip->impulse);
    lt_rvec3 across = lt_r3_mad(grip->impulse, grip->normal, -push);
    lt_real square = lt_r3_length_squared(grip->impulse), size = lt_sqrt_r(square);
    lt_real slack = (lt_real)1e-3 * size;
    if (square < LEAST_SQUARE) return true;
    return push >= -slack && lt_sqrt_r(lt_r3_length_squared(across)) <= grip->friction * push + slack;
}

const char *lt_validate_lcp(const lt_lcp *lcp) {
    for (uint32_t i = 0; i < lcp->contact_count; i++) {
        if (!lcp->rows[i].sane) continue;
        if (!lt_r3_is_finite(lcp->grips[i].impulse)) return "an impulse is not finite";
        if (!is_in_cone(&lcp->grips[i])) return "an impulse pulls, or rubs beyond friction";
    }
    return NULL;
}
