/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The sweeps; see lcp.h. Work is cut into bodies and contacts: λ and Δv are sound between any two of them. */

#include "respond/lcp_internal.h"

#include "core/union_find.h"

#include <string.h>

lt_lcp_params lt_lcp_params_default(lt_simd_level level) {
    return (lt_lcp_params){.tolerance = (lt_real)1e-3,
                           .recovery_speed = 1,
                           .max_sweeps = 100,
                           .pass_count = 5,
                           .max_clamps = 12,
                           .level = level};
}

lt_lcp_body lt_lcp_body_of(lt_soft *soft, const lt_system *system, lt_real dt, bool asleep) {
    LT_ASSERT(dt >= 0);
    return (lt_lcp_body){.node_count = soft->carrier.node_count,
                         .soft = soft,
                         .system = system && lt_system_is_implicit(system) ? system : NULL,
                         .mass = soft->mass,
                         .pinned = soft->pin_count ? soft->pinned : NULL,
                         .drag = 1 + (lt_real)soft->material.mass_damping * dt,
                         .immovable = asleep,
                         .x = soft->x,
                         .v = soft->v};
}

/* Of the tolerance, or of what the bodies have not heard of yet: passes that change impulses by no more have solved the contacts. */
static const lt_real PASSES_TO = (lt_real)0.1, PASSES_BY = (lt_real)0.02;

/* ---- one sweep ---- */

/* Δv runs on by as much as it came, times `momentum`; returns how much the last sweep went against the way it had run on. */
static double run_on(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
    const lt_lcp_part *part = &lcp->parts[index];
    lt_real *change = lt_lcp_rows_of(lcp->change, part), *last = lt_lcp_rows_of(lcp->last, part);
    lt_real *ahead = lt_lcp_rows_of(lcp->ahead, part);
    double against = 0;
    for (uint32_t node = 0; node < lcp->bodies[index].node_count; node++) {
        lt_rvec3 now = lt_node_get(change, node), way = lt_r3_sub(now, lt_node_get(last, node));
        against += (double)lt_r3_dot(lt_r3_sub(lt_node_get(ahead, node), now), way);
        lt_node_set(last, node, now);
        now = lt_r3_mad(now, way, lcp->momentum);
        lt_node_set(ahead, node, now);
        lt_node_set(change, node, now);
    }
    return against;
}

/* Δv ← Δv − D̂⁻¹ (A Δv − Jᵀλ) of one body. */
static void relax(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
    const lt_lcp_body *body = &lcp->bodies[index];
    lt_lcp_part *part = &lcp->parts[index];
    lt_real *change = lt_lcp_rows_of(lcp->change, part), *product = lt_lcp_rows_of(lcp->product, part);
    const lt_real *load = lt_lcp_rows_of(lcp->load, part);
    if (!lcp->params.plain) lcp->against += run_on(lcp, index);
    lt_lcp_multiply(lcp, index, lcp->change);
    for (uint32_t node = 0; node < body->node_count; node++) {
        const lt_real *block = lt_lcp_block_of(lcp->inverse, part, node);
        if (block[0] == 0) continue; /* held */
        lt_rvec3 f = lt_node_get(load, node), r = lt_r3_sub(f, lt_node_get(product, node));
        lcp->load_sum += (double)lt_r3_dot(f, f);
        lcp->residual_sum += (double)lt_r3_dot(r, r);
        lt_node_add(change, node, lt_lcp_block_times(block, r), 1);
    }
}

/* Four lanes at a time: blocks are three columns of four. */
static void push_nodes(lt_lcp *lcp, const lt_lcp_grip *grip, lt_rvec3 impulse) {
    const lt_r4 x = lt_r4_splat(impulse.x), y = lt_r4_splat(impulse.y), z = lt_r4_splat(impulse.z);
    const lt_real lanes[4] = {impulse.x, impulse.y, impulse.z, 0};
    const lt_r4 whole = lt_r4_load(lanes);
    for (uint32_t i = grip->tie_begin; i < grip->tie_end; i++) {
        size_t row = lcp->ties[i].row;
        const lt_real *block = lcp->inverse + LT_BLOCK_STRIDE * row;
        lt_real *change = lcp->change + 4 * row, *load = lcp->load + 4 * row;
        lt_r4 weight = lt_r4_splat(lcp->ties[i].weight), gain = lt_r4_mul(lt_r4_load(block), x);
        gain = lt_r4_mad(lt_r4_mad(gain, lt_r4_load(block + 4), y), lt_r4_load(block + 8), z);
        lt_r4_store(load, lt_r4_mad(lt_r4_load(load), whole, weight));
        lt_r4_store(change, lt_r4_mad(lt_r4_load(change), gain, weight));
    }
}

static void solve_row(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->contact_count);
    lt_lcp_grip *grip = &lcp->grips[index];
    if (!(grip->along > 0)) return;
    lt_r4 moved = lt_r4_splat(0);
    for (uint32_t i = grip->tie_begin; i < grip->tie_end; i++)
        moved = lt_r4_mad(moved, lt_r4_load(lcp->change + 4 * (size_t)lcp->ties[i].row),
                          lt_r4_splat(lcp->ties[i].weight));
    lt_rvec3 impulse = lt_lcp_law(grip, lt_r3_add(grip->free, lt_r4_xyz(moved)));
    lt_rvec3 change = lt_r3_sub(impulse, grip->impulse);
    lcp->largest_change = lt_max_r(lcp->largest_change, lt_r3_length_squared(change));
    lcp->largest_impulse = lt_max_r(lcp->largest_impulse, lt_r3_length_squared(impulse));
    if (change.x == 0 && change.y == 0 && change.z == 0) return;
    grip->impulse = impulse;
    push_nodes(lcp, grip, change);
}

static void end_relax(lt_lcp *lcp) {
    double ratio = lcp->load_sum > 0 ? lcp->residual_sum / lcp->load_sum : 0;
    lcp->residual = (lt_real)lt_sqrt_of_double(ratio);
    lcp->residual_sum = lcp->load_sum = 0;
    /* Momentum needs contacts that are solved: where the law asks for more than the bodies have not heard of, there is none.
     * (1,600 contacts on 64 faces of cells: 210 sweeps to 1e-3; with momentum all along they stay at 1e-2.) */
    if (lcp->against > 0 || lcp->complementarity > lcp->residual) lcp->inertia = 1;
    lt_real next = (1 + lt_sqrt_r(1 + 4 * lcp->inertia * lcp->inertia)) / 2;
    lcp->momentum = (lcp->inertia - 1) / next;
    lcp->inertia = next;
    lcp->against = 0;
}

bool lt_lcp_has_converged(const lt_lcp *lcp) {
    return lcp->residual <= lcp->params.tolerance && lcp->complementarity <= lcp->params.tolerance;
}

/* After a pass: true when the sweep is over. What the first pass changes is what the law asks for. */
static bool end_pass(lt_lcp *lcp) {
    lt_real largest_change = lt_sqrt_r(lcp->largest_change),
            largest_impulse = lt_sqrt_r(lcp->largest_impulse);
    if (lcp->pass == 0)
        lcp->complementarity = largest_impulse > 0 ? largest_change / largest_impulse : largest_change;
    lt_real enough = lt_max_r(PASSES_TO * lcp->params.tolerance, PASSES_BY * lcp->residual);
    bool solved = largest_change <= enough * largest_impulse;
    lcp->largest_change = lcp->largest_impulse = 0;
    if (++lcp->pass < lcp->params.pass_count && !solved) return false;
    lcp->pass = 0;
    lcp->sweeps++;
    return true;
}

/* ---- the cursor ---- */

static bool is_of_contacts(uint32_t phase) {
    return phase == LT_LCP_PREPARE_CONTACTS || phase == LT_LCP_ROWS || phase == LT_LCP_PASS;
}

static uint32_t item_count(const lt_lcp *lcp) {
    return is_of_contacts(lcp->phase) ? lcp->contact_count : lcp->body_count;
}

static uint32_t item_cost(const lt_lcp *lcp) {
    if (is_of_contacts(lcp->phase)) return LT_LCP_CONTACT_UNITS;
    if (!lcp->parts[lcp->next].used) return 1;
    const lt_lcp_body *body = &lcp->bodies[lcp->next];
    uint64_t units = lt_lcp_nodes_units(body->node_count, body->has_rows);
    return (uint32_t)lt_min_u64(lt_max_u64(units, 1), UINT32_MAX / 2);
}

static void enter_next(lt_lcp *lcp) {
    lcp->next = 0;
    switch (lcp->phase) {
    case LT_LCP_RELAX: end_relax(lcp); break;
    case LT_LCP_PASS:
        if (!end_pass(lcp)) return;
        if (!lt_lcp_has_converged(lcp)) lcp->phase = LT_LCP_START; /* and from there to the next sweep */
        break;
    default: break;
    }
    lcp->phase++;
    if (lcp->phase == LT_LCP_RELAX && lcp->sweeps >= lcp->params.max_sweeps) lcp->phase = LT_LCP_CONVERGED;
}

/* To the next item that there is. */
static void skip_empty(lt_lcp *lcp) {
    while (lcp->phase < LT_LCP_CONVERGED && lcp->next >= item_count(lcp))
        enter_next(lcp);
}

static void do_item(lt_lcp *lcp, uint32_t item) {
    bool used = is_of_contacts(lcp->phase) || lcp->parts[item].used;
    lcp->next++;
    if (!used) return;
    switch (lcp->phase) {
    case LT_LCP_PREPARE_BODIES: lt_lcp_prepare_body(lcp, item); break;
    case LT_LCP_PREPARE_CONTACTS: lt_lcp_prepare_contact(lcp, item); break;
    case LT_LCP_INVERT: lt_lcp_invert_diagonal(lcp, item); break;
    case LT_LCP_POWER:
        if (!lt_lcp_build_inverse(lcp, item)) lcp->next--; /* not through with this body */
        break;
    case LT_LCP_ROWS: lt_lcp_start_row(lcp, item); break;
    case LT_LCP_START: lt_lcp_start_body(lcp, item); break;
    case LT_LCP_RELAX: relax(lcp, item); break;
    default: solve_row(lcp, item);
    }
}

static lt_piece peek(const void *state) {
    const lt_lcp *lcp = state;
    return (lt_piece){LT_WORK_RESPOND, lcp->phase < LT_LCP_CONVERGED ? item_cost(lcp) : 0, 0};
}

static uint32_t step(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    lt_lcp *lcp = state;
    uint32_t used = 0;
    while (lcp->phase < LT_LCP_CONVERGED) {
        uint32_t cost = item_cost(lcp);
        if (used > 0 && cost > grant - used) break;
        do_item(lcp, lcp->next);
        skip_empty(lcp);
        used += cost;
        if (used >= grant) break;
    }
    return used;
}

lt_cursor lt_lcp_cursor(lt_lcp *lcp) {
    return (lt_cursor){lcp, peek, step};
}

/* ---- begin ---- */

static bool is_sane_anchor(const lt_lcp *lcp, uint32_t body, const lt_anchor *anchor) {
    if (body >= lcp->body_count || anchor->count > LT_COUNT_OF(anchor->ids)) return false;
    lt_real sum = 0;
    for (uint32_t i = 0; i < anchor->count; i++) {
        if (anchor->ids[i] >= lcp->bodies[body].node_count) return false;
        sum += anchor->weights[i] - anchor->weights[i];
    }
    return sum == 0;
}

static bool is_sane(const lt_lcp *lcp, const lt_lcp_contact *c) {
    if (!(lcp->dt > 0) || !is_sane_anchor(lcp, c->body_a, &c->a)) return false;
    if (c->body_b != LT_NONE && !is_sane_anchor(lcp, c->body_b, &c->b)) return false;
    lt_rvec3 sum = lt_r3_add(c->normal, lt_r3_add(c->partner_velocity, c->impulse));
    return lt_r3_is_finite(sum) && c->gap - c->gap == 0 && c->friction >= 0 && c->friction < (lt_real)1e30;
}

/* Which bodies have a part in it, and with whom. */
static void find_parts(lt_lcp *lcp) {
    lt_sets_begin(lcp->roots, lcp->body_count);
    for (uint32_t i = 0; i < lcp->contact_count; i++) {
        lt_lcp_contact *c = &lcp->contacts[i];
        lcp->rows[i] = (lt_lcp_row){.sane = is_sane(lcp, c)};
        if (!lcp->rows[i].sane) continue;
        bool a = !lcp->bodies[c->body_a].immovable;
        bool b = c->body_b != LT_NONE && !lcp->bodies[c->body_b].immovable;
        lcp->parts[c->body_a].used |= a;
        if (b) lcp->parts[c->body_b].used = true;
        if (a && b) lt_sets_join(lcp->roots, c->body_a, c->body_b);
    }
    for (uint32_t i = 0; i < lcp->body_count; i++) {
        lcp->parts[i].row = lcp->row_count;
        if (lcp->parts[i].used) lcp->row_count += lcp->bodies[i].node_count;
    }
}

size_t lt_lcp_scratch(uint32_t node_count, uint32_t body_count, uint32_t contact_count) {
    const size_t slack = 64 * 16; /* every take is rounded up */
    return slack +
           contact_count *
               (sizeof(lt_lcp_row) + sizeof(lt_lcp_grip) + 2 * LT_ANCHOR_MOST * sizeof(lt_lcp_tie)) +
           body_count * (sizeof(lt_lcp_part) + sizeof(lt_lcp_island) + sizeof(uint32_t)) +
           node_count * (6 * 4 + (size_t)LT_BLOCK_STRIDE) * sizeof(lt_real);
}

static lt_real *take_vectors(lt_arena *arena, uint32_t row_count) {
    lt_real *vectors = LT_TAKE(arena, 4 * (size_t)row_count, lt_real);
    if (vectors) memset(vectors, 0, 4 * (size_t)row_count * sizeof *vectors);
    return vectors;
}

bool lt_lcp_begin(lt_lcp *lcp, lt_arena *arena) {
    lcp->sweeps = lcp->ignored = lcp->clamped = lcp->unresolved = 0;
    lcp->residual = lcp->complementarity = lcp->approach = lcp->speed = 0;
    lcp->least_share = 1;
    lcp->next = lcp->pass = lcp->row_count = lcp->tie_count = 0;
    lcp->inertia = 1;
    lcp->momentum = 0;
    lcp->against = 0;
    lcp->residual_sum = lcp->load_sum = 0;
    lcp->largest_change = lcp->largest_impulse = 0;
    lcp->phase = LT_LCP_LEFT;
    lcp->rows = LT_TAKE(arena, lcp->contact_count, lt_lcp_row);
    lcp->grips = LT_TAKE(arena, lcp->contact_count, lt_lcp_grip);
    lcp->ties = LT_TAKE(arena, 2 * LT_ANCHOR_MOST * (size_t)lcp->contact_count, lt_lcp_tie);
    lcp->parts = LT_TAKE(arena, lcp->body_count, lt_lcp_part);
    lcp->islands = LT_TAKE(arena, lcp->body_count, lt_lcp_island);
    lcp->roots = LT_TAKE(arena, lcp->body_count, uint32_t);
    if (!lcp->rows || !lcp->grips || !lcp->ties || !lcp->parts || !lcp->islands || !lcp->roots) return false;
    memset(lcp->parts, 0, lcp->body_count * sizeof *lcp->parts);
    memset(lcp->islands, 0, lcp->body_count * sizeof *lcp->islands);
    find_parts(lcp);
    lcp->arms = take_vectors(arena, lcp->row_count);
    lcp->change = take_vectors(arena, lcp->row_count);
    lcp->load = take_vectors(arena, lcp->row_count);
    lcp->product = take_vectors(arena, lcp->row_count);
    lcp->last = take_vectors(arena, lcp->row_count);
    lcp->ahead = take_vectors(arena, lcp->row_count);
    lcp->inverse = LT_TAKE(arena, (size_t)LT_BLOCK_STRIDE * lcp->row_count, lt_real);
    if (!lcp->arms || !lcp->change || !lcp->load || !lcp->product || !lcp->last || !lcp->ahead ||
        !lcp->inverse)
        return false;
    lcp->phase = LT_LCP_PREPARE_BODIES;
    skip_empty(lcp);
    return true;
}
