/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What sweeps are made of: bodies with their moments, D̂ and its σ, contacts as rows with their law; see lcp.h. */

#include "respond/lcp_internal.h"

#include "core/random.h"

#include <string.h>

enum { POWER_COUNT = 20 };

/* σ = .525 λ_max: half of it is the bound, the rest for what power iterations have not reached. Element by element, a tet's
 * matrix is at most four times its diagonal blocks: λ_max cannot be more. */
static const lt_real SAFETY = (lt_real)0.525;
static const lt_real LARGEST_RATIO = 4;

/* ---- bodies and contacts without A ---- */

/* Moments are taken where the step would have begun had it been straight: x'' = x' + Δt Δv there has the angular momentum
 * Σ m (x' − Δt v*) × (v* + Δv). */
void lt_lcp_prepare_body(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
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
    LT_ASSERT(body < lcp->body_count);
    return lt_anchor_gather(anchor, lcp->bodies[body].v);
}

void lt_lcp_prepare_contact(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->contact_count);
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
    lcp->grips[index] =
        (lt_lcp_grip){.normal = c->normal, .friction = c->friction, .free = lt_r3_mad(u, c->normal, bias)};
    row->sane =
        row->inverse_mass > 0 && lt_r3_is_finite(lcp->grips[index].free) && lt_d3_is_finite(row->point);
    lcp->ignored += !row->sane;
    if (!row->sane) row->inverse_mass = 0;
    if (row->sane) lcp->speed = lt_max_r(lcp->speed, lt_r3_length(u));
}

/* ---- A ---- */

void lt_lcp_multiply(lt_lcp *lcp, uint32_t index, const lt_real *vectors) {
    LT_ASSERT(index < lcp->body_count);
    const lt_lcp_body *body = &lcp->bodies[index];
    const lt_lcp_part *part = &lcp->parts[index];
    lt_real *product = lt_lcp_rows_of(lcp->product, part);
    const lt_real *in = vectors + 4 * (size_t)part->row;
    if (body->system) {
        lt_soft_multiply(body->soft, body->system, product, in, lcp->params.level);
        return;
    }
    for (uint32_t node = 0; node < body->node_count; node++)
        lt_node_set(product, node, lt_r3_scale(lt_node_get(in, node), body->drag * body->mass[node]));
}

/* Inverse diagonal blocks; zero where nothing can be moved. */
void lt_lcp_invert_diagonal(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
    const lt_lcp_body *body = &lcp->bodies[index];
    const lt_lcp_part *part = &lcp->parts[index];
    if (body->system)
        lt_soft_diagonal(body->soft, body->system, lt_lcp_block_of(lcp->inverse, part, 0), lcp->params.level);
    for (uint32_t node = 0; node < body->node_count; node++) {
        lt_real *out = lt_lcp_block_of(lcp->inverse, part, node);
        lt_real mass = body->drag * body->mass[node];
        if (body->system && lt_lcp_node_moves(body, node)) {
            lt_block_invert(out, out);
            continue;
        }
        memset(out, 0, LT_BLOCK_STRIDE * sizeof *out);
        if (!lt_lcp_node_moves(body, node)) continue;
        out[0] = out[5] = out[10] = 1 / mass;
    }
}

/* ---- σ ---- */

static void start_power(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
    const lt_lcp_part *part = &lcp->parts[index];
    lt_random random = lt_random_seed(1);
    lt_real *z = lt_lcp_rows_of(lcp->change, part);
    for (uint32_t node = 0; node < lcp->bodies[index].node_count; node++)
        for (uint32_t k = 0; k < 3 && lt_lcp_node_moves(&lcp->bodies[index], node); k++)
            z[4 * (size_t)node + k] = (lt_real)lt_random_range(&random, -1, 1);
}

/* z ← D⁻¹A z, of size 1; returns yᵀD⁻¹y / zᵀy with y = A z: never above λ_max(D⁻¹A), half an iteration ahead of zᵀy / zᵀDz. */
static lt_real iterate_power(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
    const lt_lcp_part *part = &lcp->parts[index];
    const lt_sparse_kernels *kernels = lt_sparse_kernels_for(lcp->params.level);
    uint32_t count = lcp->bodies[index].node_count;
    lt_real *z = lt_lcp_rows_of(lcp->change, part), *y = lt_lcp_rows_of(lcp->product, part);
    lt_lcp_multiply(lcp, index, lcp->change);
    lt_real before = kernels->dot(z, y, count);
    kernels->multiply_diagonal(z, lt_lcp_block_of(lcp->inverse, part, 0), y, count);
    lt_real after = kernels->dot(z, y, count), size = kernels->dot(z, z, count);
    lt_real scale = size > 0 ? 1 / lt_sqrt_r(size) : 0;
    for (size_t i = 0; i < 4 * (size_t)count; i++)
        z[i] *= scale;
    return before > 0 ? after / before : 0;
}

static bool needs_power(const lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
    const lt_lcp_body *body = &lcp->bodies[index];
    return lcp->parts[index].used && body->system && !(body->sigma >= 1);
}

/* One iteration at a time: `pass` counts them. */
static void find_sigma(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
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
    LT_ASSERT(index < lcp->body_count);
    lt_lcp_body *body = &lcp->bodies[index];
    if (!body->system) { /* A is its own diagonal */
        body->sigma = 1;
        return;
    }
    lt_real *blocks = lt_lcp_block_of(lcp->inverse, &lcp->parts[index], 0);
    lt_real scale = 1 / (lcp->params.plain ? body->sigma : 2 * body->sigma);
    for (size_t i = 0; i < (size_t)LT_BLOCK_STRIDE * body->node_count; i++)
        blocks[i] *= scale;
}

bool lt_lcp_build_inverse(lt_lcp *lcp, uint32_t index) {
    if (needs_power(lcp, index)) find_sigma(lcp, index);
    if (lcp->pass > 0) return false;
    scale_inverse(lcp, index);
    return true;
}

void lt_lcp_invert(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
    lt_lcp_body *body = &lcp->bodies[index];
    lt_real known = body->sigma;
    lt_lcp_invert_diagonal(lcp, index);
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

void lt_lcp_set_response(lt_lcp_grip *grip, lt_rmat3 response) {
    lt_rmat3 both = lt_rm3_add(response, lt_rm3_transpose(response));
    grip->answer = lt_rm3_mul_vec(response, grip->normal);
    grip->along = inverse_or_zero(lt_r3_dot(grip->normal, grip->answer));
    grip->across = 2 * inverse_or_zero(largest_across(&both, grip->normal));
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

static void tie(lt_lcp *lcp, const lt_lcp_part *part, const lt_anchor *anchor, lt_real sign) {
    for (uint32_t i = 0; part && i < anchor->count; i++)
        lcp->ties[lcp->tie_count++] = (lt_lcp_tie){part->row + anchor->ids[i], sign * anchor->weights[i]};
}

void lt_lcp_start_row(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->contact_count);
    const lt_lcp_contact *c = &lcp->contacts[index];
    lt_lcp_grip *grip = &lcp->grips[index];
    if (!lcp->rows[index].sane) return;
    lt_lcp_set_response(grip, lt_lcp_local_response(lcp, c));
    if (!(grip->along > 0)) return;
    lt_real along = lt_r3_dot(c->normal, c->impulse);
    grip->impulse = lt_lcp_project(grip, along, lt_r3_mad(c->impulse, c->normal, -along));
    grip->tie_begin = lcp->tie_count;
    tie(lcp, lt_lcp_part_of(lcp, c->body_a), &c->a, 1);
    tie(lcp, lt_lcp_part_of(lcp, c->body_b), &c->b, -1);
    grip->tie_end = lcp->tie_count;
    for (uint32_t i = grip->tie_begin; i < grip->tie_end; i++)
        lt_node_add(lcp->load, lcp->ties[i].row, grip->impulse, lcp->ties[i].weight);
    lt_lcp_miss(lcp, index);
}

/* Δv of the last step, with the momentum of the impulses it begins with. */
void lt_lcp_start_body(lt_lcp *lcp, uint32_t index) {
    LT_ASSERT(index < lcp->body_count);
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
