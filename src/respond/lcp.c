/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The sweeps; see lcp.h. Work is cut into bodies and contacts: λ and Δv are sound between any two of them. */

#include "respond/lcp_parts.h"

#include "core/random.h"
#include "core/union_find.h"

#include <string.h>

enum { POWER_COUNT = 20 };

/* σ = .525 λ_max: half of it is the bound, the rest for what power iterations have not reached. Element by element, a tet's
 * matrix is at most four times its diagonal blocks: λ_max cannot be more. */
static const lt_real SAFETY = (lt_real)0.525;
static const lt_real LARGEST_RATIO = 4;

lt_lcp_params lt_lcp_params_default(lt_simd_level level) {
    return (lt_lcp_params){.tolerance = (lt_real)1e-3,
                           .recovery_speed = 1,
                           .max_sweeps = 100,
                           .pass_count = 5,
                           .max_clamps = 12,
                           .level = level};
}

lt_lcp_body lt_lcp_body_of(lt_soft *soft, const lt_system *system, lt_real dt, bool asleep) {
    return (lt_lcp_body){.node_count = soft->carrier.node_count,
                         .pattern = &soft->carrier.pattern,
                         .blocks = system ? system->blocks : NULL,
                         .mass = soft->mass,
                         .pinned = soft->pin_count ? soft->pinned : NULL,
                         .drag = 1 + (lt_real)soft->material.mass_damping * dt,
                         .immovable = asleep,
                         .x = soft->x,
                         .v = soft->v};
}

/* ---- bodies and contacts without A ---- */

/* Moments are taken where the step would have begun had it been straight: x'' = x' + Δt Δv there has the angular momentum
 * Σ m (x' − Δt v*) × (v* + Δv). */
void lt_lcp_prepare_body(lt_lcp *lcp, uint32_t index) {
    lt_lcp_body *body = &lcp->bodies[index];
    lt_lcp_part *part = &lcp->parts[index];
    if (!part->used) return;
    lt_real *arms = lt_lcp_rows_of(lcp->arms, part);
    part->balanced = true;
    for (uint32_t node = 0; node < body->node_count; node++) {
        lt_rvec3 v = lt_node_get(body->v, node);
        lt_node_set(arms, node, lt_r3_mad(lt_node_get(body->x, node), v, -lcp->dt));
        part->balanced = part->balanced && !(body->pinned && body->pinned[node]);
    }
    part->rigid = lt_rigid_of(arms, body->mass, body->node_count, lt_node_get(arms, 0));
    lt_dvec3 c = part->rigid.center;
    part->center = lt_r3_add(lt_node_get(arms, 0), (lt_rvec3){(lt_real)c.x, (lt_real)c.y, (lt_real)c.z});
    if (!lt_r3_is_finite(part->center)) { /* poisoned: without momentum it does not spread */
        part->center = (lt_rvec3){0, 0, 0};
        part->balanced = false;
        memset(arms, 0, 4 * (size_t)body->node_count * sizeof *arms);
    }
    for (uint32_t node = 0; node < body->node_count; node++)
        lt_node_set(arms, node, lt_r3_sub(lt_node_get(arms, node), part->center));
    part->rigid = lt_rigid_of(arms, body->mass, body->node_count, (lt_rvec3){0, 0, 0});
    part->rigid.mass *= body->drag;
    part->rigid.inverse_inertia = lt_dm3_scale(part->rigid.inverse_inertia, 1 / (double)body->drag);
    part->balanced = part->balanced && part->rigid.mass > 0;
}

/* w²/m summed; a node that cannot be moved takes nothing. */
static lt_real inverse_mass_of(const lt_lcp *lcp, const lt_lcp_contact *c) {
    lt_real sum = 0;
    const lt_lcp_body *a = &lcp->bodies[c->body_a], *b = &lcp->bodies[c->body_b == LT_NONE ? 0 : c->body_b];
    for (uint32_t i = 0; lt_lcp_part_of(lcp, c->body_a) && i < c->a.count; i++) {
        lt_real w = lt_lcp_net_weight(c, i);
        if (lt_lcp_node_moves(a, c->a.ids[i])) sum += w * w / (a->drag * a->mass[c->a.ids[i]]);
    }
    for (uint32_t j = 0; lt_lcp_part_of(lcp, c->body_b) && j < c->b.count; j++) {
        lt_real w = lt_lcp_other_weight(c, j);
        if (lt_lcp_node_moves(b, c->b.ids[j])) sum += w * w / (b->drag * b->mass[c->b.ids[j]]);
    }
    return sum > (lt_real)1e-30 && sum < (lt_real)1e30 ? sum : 0;
}

/* Where both sides act: half-way between their points; where one of them takes any momentum, at the other's. */
static lt_dvec3 meeting_point(const lt_lcp_row *row, const lt_lcp_part *a, const lt_lcp_part *b) {
    lt_dvec3 at_a = {0}, at_b = {0};
    if (a)
        at_a = (lt_dvec3){(double)a->center.x + row->arm_a.x, (double)a->center.y + row->arm_a.y,
                          (double)a->center.z + row->arm_a.z};
    if (b)
        at_b = (lt_dvec3){(double)b->center.x + row->arm_b.x, (double)b->center.y + row->arm_b.y,
                          (double)b->center.z + row->arm_b.z};
    if (!b || (a && a->balanced && !b->balanced)) return at_a;
    if (!a || (b->balanced && !a->balanced)) return at_b;
    return lt_d3_scale(lt_d3_add(at_a, at_b), 0.5);
}

static lt_rvec3 point_velocity(const lt_lcp *lcp, uint32_t body, const lt_anchor *anchor) {
    return lt_anchor_gather(anchor, lcp->bodies[body].v);
}

void lt_lcp_prepare_contact(lt_lcp *lcp, uint32_t index) {
    const lt_lcp_contact *c = &lcp->contacts[index];
    lt_lcp_row *row = &lcp->rows[index];
    if (row->sane) row->inverse_mass = inverse_mass_of(lcp, c);
    lt_rvec3 u = {0, 0, 0};
    if (row->inverse_mass > 0) {
        const lt_lcp_part *a = lt_lcp_part_of(lcp, c->body_a), *b = lt_lcp_part_of(lcp, c->body_b);
        u = point_velocity(lcp, c->body_a, &c->a);
        u = lt_r3_sub(u, c->body_b == LT_NONE ? c->partner_velocity : point_velocity(lcp, c->body_b, &c->b));
        if (a) row->arm_a = lt_anchor_gather(&c->a, lt_lcp_rows_of(lcp->arms, a));
        if (b) row->arm_b = lt_anchor_gather(&c->b, lt_lcp_rows_of(lcp->arms, b));
        row->point = meeting_point(row, a, b);
    }
    lt_real bias = lt_max_r(c->gap / lcp->dt, -lcp->params.recovery_speed);
    row->free = lt_r3_mad(u, c->normal, bias);
    row->sane = row->inverse_mass > 0 && lt_r3_is_finite(row->free) && lt_d3_is_finite(row->point);
    lcp->ignored += !row->sane;
    if (!row->sane) row->inverse_mass = 0;
    if (row->sane) lcp->speed = lt_max_r(lcp->speed, lt_r3_length(u));
}

/* ---- A ---- */

void lt_lcp_multiply(lt_lcp *lcp, uint32_t index) {
    const lt_lcp_body *body = &lcp->bodies[index];
    const lt_lcp_part *part = &lcp->parts[index];
    lt_real *product = lt_lcp_rows_of(lcp->product, part);
    const lt_real *change = lt_lcp_rows_of(lcp->change, part);
    if (body->blocks) {
        lt_sparse_kernels_for(lcp->params.level)
            ->multiply(product, body->pattern, body->blocks, change, 0, body->node_count);
        return;
    }
    for (uint32_t node = 0; node < body->node_count; node++)
        lt_node_set(product, node, lt_r3_scale(lt_node_get(change, node), body->drag * body->mass[node]));
}

/* Inverse diagonal blocks; zero where nothing can be moved. */
static void invert_diagonal(lt_lcp *lcp, uint32_t index) {
    const lt_lcp_body *body = &lcp->bodies[index];
    const lt_lcp_part *part = &lcp->parts[index];
    for (uint32_t node = 0; node < body->node_count; node++) {
        lt_real *out = lt_lcp_block_of(lcp->inverse, part, node);
        lt_real mass = body->drag * body->mass[node];
        memset(out, 0, LT_BLOCK_STRIDE * sizeof *out);
        if (!lt_lcp_node_moves(body, node)) continue;
        if (body->blocks)
            lt_block_invert(out, body->blocks + (size_t)LT_BLOCK_STRIDE * body->pattern->diagonal[node]);
        else
            out[0] = out[5] = out[10] = 1 / mass;
    }
}

/* ---- σ ---- */

static void start_power(lt_lcp *lcp, uint32_t index) {
    const lt_lcp_part *part = &lcp->parts[index];
    lt_random random = lt_random_seed(1);
    lt_real *z = lt_lcp_rows_of(lcp->change, part);
    for (uint32_t node = 0; node < lcp->bodies[index].node_count; node++)
        for (uint32_t k = 0; k < 3 && lt_lcp_node_moves(&lcp->bodies[index], node); k++)
            z[4 * (size_t)node + k] = (lt_real)lt_random_range(&random, -1, 1);
}

/* z ← D⁻¹A z, of size 1; returns yᵀD⁻¹y / zᵀy with y = A z: never above λ_max(D⁻¹A), half an iteration ahead of zᵀy / zᵀDz. */
static lt_real iterate_power(lt_lcp *lcp, uint32_t index) {
    const lt_lcp_part *part = &lcp->parts[index];
    const lt_sparse_kernels *kernels = lt_sparse_kernels_for(lcp->params.level);
    uint32_t count = lcp->bodies[index].node_count;
    lt_real *z = lt_lcp_rows_of(lcp->change, part), *y = lt_lcp_rows_of(lcp->product, part);
    lt_lcp_multiply(lcp, index);
    lt_real before = kernels->dot(z, y, count);
    kernels->multiply_diagonal(z, lt_lcp_block_of(lcp->inverse, part, 0), y, count);
    lt_real after = kernels->dot(z, y, count), size = kernels->dot(z, z, count);
    lt_real scale = size > 0 ? 1 / lt_sqrt_r(size) : 0;
    for (size_t i = 0; i < 4 * (size_t)count; i++)
        z[i] *= scale;
    return before > 0 ? after / before : 0;
}

static bool needs_power(const lt_lcp *lcp, uint32_t index) {
    const lt_lcp_body *body = &lcp->bodies[index];
    return lcp->parts[index].used && body->blocks && !(body->sigma >= 1);
}

/* One iteration at a time: `pass` counts them. */
static void find_sigma(lt_lcp *lcp, uint32_t index) {
    lt_lcp_body *body = &lcp->bodies[index];
    lt_lcp_part *part = &lcp->parts[index];
    if (lcp->pass == 0) start_power(lcp, index);
    lt_real ratio = iterate_power(lcp, index);
    if (++lcp->pass < POWER_COUNT) return;
    lcp->pass = 0;
    ratio = ratio < LARGEST_RATIO ? ratio : LARGEST_RATIO; /* and where it is not a number */
    body->sigma = lt_max_r(1, SAFETY * ratio);
    memset(lt_lcp_rows_of(lcp->change, part), 0, 4 * (size_t)body->node_count * sizeof(lt_real));
}

/* blockdiag(A)⁻¹ to D̂⁻¹. With momentum D̂ ≥ A is needed. */
static void scale_inverse(lt_lcp *lcp, uint32_t index) {
    lt_lcp_body *body = &lcp->bodies[index];
    if (!body->blocks) { /* A is its own diagonal */
        body->sigma = 1;
        return;
    }
    lt_real *blocks = lt_lcp_block_of(lcp->inverse, &lcp->parts[index], 0);
    lt_real scale = 1 / (lcp->params.plain ? body->sigma : 2 * body->sigma);
    for (size_t i = 0; i < (size_t)LT_BLOCK_STRIDE * body->node_count; i++)
        blocks[i] *= scale;
}

void lt_lcp_invert(lt_lcp *lcp, uint32_t index) {
    lt_lcp_body *body = &lcp->bodies[index];
    lt_real known = body->sigma;
    invert_diagonal(lcp, index);
    if (!(body->sigma >= 1)) body->sigma = SAFETY * LARGEST_RATIO;
    scale_inverse(lcp, index);
    body->sigma = known;
}

/* ---- contacts as rows ---- */

static void add_node_response(lt_rmat3 *sum, const lt_real *block, lt_real w2) {
    const lt_rmat3 inverse = {
        {block[0], block[1], block[2]}, {block[4], block[5], block[6]}, {block[8], block[9], block[10]}};
    *sum = lt_rm3_add(*sum, lt_rm3_scale(inverse, w2));
}

/* The larger eigenvalue of a symmetric matrix across the normal: from trace and square of P R P. */
static lt_real largest_across(const lt_rmat3 *r, lt_rvec3 n) {
    lt_rvec3 rn = lt_rm3_mul_vec(*r, n);
    lt_real nn = lt_r3_dot(n, rn), trace = lt_rm3_trace(*r) - nn;
    lt_real square = lt_rm3_norm_squared(*r) - 2 * lt_r3_dot(rn, rn) + nn * nn;
    return (trace + lt_sqrt_r(lt_max_r(0, 2 * square - trace * trace))) / 2;
}

static lt_real inverse_or_zero(lt_real x) {
    return x > (lt_real)1e-30 && x < (lt_real)1e30 ? 1 / x : 0;
}

void lt_lcp_set_response(lt_lcp_row *row, lt_rvec3 normal) {
    lt_rmat3 both = lt_rm3_add(row->response, lt_rm3_transpose(row->response));
    row->along = inverse_or_zero(lt_r3_dot(normal, lt_rm3_mul_vec(row->response, normal)));
    row->across = 2 * inverse_or_zero(largest_across(&both, normal));
}

lt_rmat3 lt_lcp_local_response(const lt_lcp *lcp, const lt_lcp_contact *c) {
    const lt_lcp_part *a = lt_lcp_part_of(lcp, c->body_a), *b = lt_lcp_part_of(lcp, c->body_b);
    lt_rmat3 sum = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (uint32_t i = 0; a && i < c->a.count; i++) {
        lt_real w = lt_lcp_net_weight(c, i);
        add_node_response(&sum, lt_lcp_block_of(lcp->inverse, a, c->a.ids[i]), w * w);
    }
    for (uint32_t j = 0; b && j < c->b.count; j++) {
        lt_real w = lt_lcp_other_weight(c, j);
        add_node_response(&sum, lt_lcp_block_of(lcp->inverse, b, c->b.ids[j]), w * w);
    }
    return sum;
}

/* An impulse that fits the law: pushes, and friction in its cone. */
static lt_rvec3 project(const lt_lcp_contact *c, lt_real along, lt_rvec3 across) {
    lt_real push = lt_max_r(0, along), bound = c->friction * push, size = lt_r3_length(across);
    if (size > bound) across = lt_r3_scale(across, bound / size);
    return lt_r3_mad(across, c->normal, push);
}

static void start_row(lt_lcp *lcp, uint32_t index) {
    const lt_lcp_contact *c = &lcp->contacts[index];
    lt_lcp_row *row = &lcp->rows[index];
    if (!row->sane) return;
    row->response = lt_lcp_local_response(lcp, c);
    lt_lcp_set_response(row, c->normal);
    if (!(row->along > 0)) return;
    lt_real along = lt_r3_dot(c->normal, c->impulse);
    row->impulse = project(c, along, lt_r3_mad(c->impulse, c->normal, -along));
    lt_lcp_part *a = lt_lcp_part_of(lcp, c->body_a), *b = lt_lcp_part_of(lcp, c->body_b);
    if (a) lt_anchor_scatter(&c->a, lt_lcp_rows_of(lcp->load, a), row->impulse);
    if (b) lt_anchor_scatter(&c->b, lt_lcp_rows_of(lcp->load, b), lt_r3_neg(row->impulse));
    lt_lcp_miss(lcp, index);
}

/* Δv of the last step, with the momentum of the impulses it begins with. */
static void start_body(lt_lcp *lcp, uint32_t index) {
    const lt_lcp_body *body = &lcp->bodies[index];
    lt_real *change = lt_lcp_rows_of(lcp->change, &lcp->parts[index]);
    for (uint32_t node = 0; body->warm && node < body->node_count; node++) {
        lt_rvec3 gain = lt_node_get(body->warm, node);
        if (lt_lcp_node_moves(body, node) && lt_r3_is_finite(gain)) lt_node_set(change, node, gain);
    }
    lt_lcp_balance(lcp, index);
    memcpy(lt_lcp_rows_of(lcp->last, &lcp->parts[index]), change,
           4 * (size_t)body->node_count * sizeof *change);
}

/* ---- one sweep ---- */

/* Δv runs on by as much as it came, times `momentum`; returns how much the last sweep went against the way it had run on. */
static double run_on(lt_lcp *lcp, uint32_t index) {
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
    const lt_lcp_body *body = &lcp->bodies[index];
    lt_lcp_part *part = &lcp->parts[index];
    lt_real *change = lt_lcp_rows_of(lcp->change, part), *product = lt_lcp_rows_of(lcp->product, part);
    const lt_real *load = lt_lcp_rows_of(lcp->load, part);
    if (!lcp->params.plain) lcp->against += run_on(lcp, index);
    lt_lcp_multiply(lcp, index);
    for (uint32_t node = 0; node < body->node_count; node++) {
        const lt_real *block = lt_lcp_block_of(lcp->inverse, part, node);
        if (block[0] == 0) continue; /* held */
        lt_rvec3 f = lt_node_get(load, node), r = lt_r3_sub(f, lt_node_get(product, node));
        lcp->load_sum += (double)lt_r3_dot(f, f);
        lcp->residual_sum += (double)lt_r3_dot(r, r);
        lt_node_add(change, node, lt_lcp_block_times(block, r), 1);
    }
}

static lt_rvec3 gather_change(const lt_lcp *lcp, const lt_lcp_contact *c, const lt_lcp_row *row,
                              const lt_lcp_part *a, const lt_lcp_part *b) {
    lt_rvec3 u = row->free;
    if (a) u = lt_r3_add(u, lt_anchor_gather(&c->a, lt_lcp_rows_of(lcp->change, a)));
    if (b) u = lt_r3_sub(u, lt_anchor_gather(&c->b, lt_lcp_rows_of(lcp->change, b)));
    return u;
}

static void push_nodes(lt_lcp *lcp, const lt_lcp_part *part, const lt_anchor *anchor, lt_rvec3 impulse) {
    lt_real *change = lt_lcp_rows_of(lcp->change, part), *load = lt_lcp_rows_of(lcp->load, part);
    for (uint32_t i = 0; i < anchor->count; i++) {
        lt_rvec3 share = lt_r3_scale(impulse, anchor->weights[i]);
        lt_node_add(load, anchor->ids[i], share, 1);
        lt_node_add(change, anchor->ids[i],
                    lt_lcp_block_times(lt_lcp_block_of(lcp->inverse, part, anchor->ids[i]), share), 1);
    }
}

/* The contact's own law, others standing still: first along the normal, then across. */
lt_rvec3 lt_lcp_law(const lt_lcp_contact *c, const lt_lcp_row *row, lt_rvec3 u) {
    lt_real before = lt_r3_dot(c->normal, row->impulse);
    lt_real push = lt_max_r(0, before - lt_r3_dot(c->normal, u) * row->along);
    u = lt_r3_add(u, lt_rm3_mul_vec(row->response, lt_r3_scale(c->normal, push - before)));
    lt_rvec3 slide = lt_r3_mad(u, c->normal, -lt_r3_dot(c->normal, u));
    lt_rvec3 hold = lt_r3_mad(row->impulse, c->normal, -before);
    return project(c, push, lt_r3_mad(hold, slide, -row->across));
}

static void solve_row(lt_lcp *lcp, uint32_t index) {
    const lt_lcp_contact *c = &lcp->contacts[index];
    lt_lcp_row *row = &lcp->rows[index];
    if (!(row->along > 0)) return;
    lt_lcp_part *a = lt_lcp_part_of(lcp, c->body_a), *b = lt_lcp_part_of(lcp, c->body_b);
    lt_rvec3 impulse = lt_lcp_law(c, row, gather_change(lcp, c, row, a, b));
    lt_rvec3 change = lt_r3_sub(impulse, row->impulse);
    lcp->largest_change = lt_max_r(lcp->largest_change, lt_r3_length(change));
    lcp->largest_impulse = lt_max_r(lcp->largest_impulse, lt_r3_length(impulse));
    if (change.x == 0 && change.y == 0 && change.z == 0) return;
    row->impulse = impulse;
    if (a) push_nodes(lcp, a, &c->a, change);
    if (b) push_nodes(lcp, b, &c->b, lt_r3_neg(change));
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
    if (lcp->pass == 0)
        lcp->complementarity =
            lcp->largest_impulse > 0 ? lcp->largest_change / lcp->largest_impulse : lcp->largest_change;
    lcp->largest_change = lcp->largest_impulse = 0;
    if (++lcp->pass < lcp->params.pass_count) return false;
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
    uint64_t units = (uint64_t)LT_LCP_NODE_UNITS * lcp->bodies[lcp->next].node_count;
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
    case LT_LCP_INVERT: invert_diagonal(lcp, item); break;
    case LT_LCP_POWER:
        if (needs_power(lcp, item)) find_sigma(lcp, item);
        if (lcp->pass > 0)
            lcp->next--; /* not through with this body */
        else
            scale_inverse(lcp, item);
        break;
    case LT_LCP_ROWS: start_row(lcp, item); break;
    case LT_LCP_START: start_body(lcp, item); break;
    case LT_LCP_RELAX: relax(lcp, item); break;
    default: solve_row(lcp, item);
    }
}

static lt_piece peek(const void *state) {
    const lt_lcp *lcp = state;
    return (lt_piece){LT_WORK_RESPOND, lcp->phase < LT_LCP_CONVERGED ? item_cost(lcp) : 0, 0};
}

static uint32_t step(void *state, uint32_t grant) {
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
    return slack + contact_count * sizeof(lt_lcp_row) +
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
    lcp->next = lcp->pass = lcp->row_count = 0;
    lcp->inertia = 1;
    lcp->momentum = 0;
    lcp->against = 0;
    lcp->residual_sum = lcp->load_sum = 0;
    lcp->largest_change = lcp->largest_impulse = 0;
    lcp->phase = LT_LCP_LEFT;
    lcp->rows = LT_TAKE(arena, lcp->contact_count, lt_lcp_row);
    lcp->parts = LT_TAKE(arena, lcp->body_count, lt_lcp_part);
    lcp->islands = LT_TAKE(arena, lcp->body_count, lt_lcp_island);
    lcp->roots = LT_TAKE(arena, lcp->body_count, uint32_t);
    if (!lcp->rows || !lcp->parts || !lcp->islands || !lcp->roots) return false;
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
