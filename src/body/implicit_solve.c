/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The implicit step of an island: velocities v' that minimise
 *
 *   ½ v'ᵀA v' − b·v' + Σ_c ½ max(0, Δt k d − g u_n)² / g + tethers + friction,   g = Δt(Δt k + c), u = J v'
 *
 * A the bodies' own matrices, b = M v + Δt f. The sum over contacts is convex and piecewise quadratic: a contact
 * pushes or it does not, it never pulls. Newton's method on it is an active set: solve with the contacts that push
 * where we stand, and go as far towards that solution as the sum goes down (a contact that was not seen pushing, or
 * one that pulls, would otherwise throw the body about). Coupling rows are applied, never assembled; conjugate
 * gradients do the solves, coarsely until the set stands still.
 *
 * Friction: a tangential spring, times the share that the cone lets through at the last normal force (slip). */

#include "body/models.h"

#include <string.h>

enum { MAX_SOLVES = 12, COARSE_SOLVES = 6 };
static const lt_real COARSE_TOLERANCE = (lt_real)1e-2;

/* ---- couplings as rows ---- */

static lt_rvec3 row_value(const lt_coupling *c, lt_sides sides, const lt_real *vectors) {
    lt_rvec3 u = lt_anchor_gather(&c->a, vectors + 4 * (size_t)sides.a->row);
    return sides.b ? lt_r3_sub(u, lt_anchor_gather(&c->b, vectors + 4 * (size_t)sides.b->row)) : u;
}

static void add_row(const lt_coupling *c, lt_sides sides, lt_real *vectors, lt_rvec3 value) {
    lt_anchor_scatter(&c->a, lt_member_rows(vectors, sides.a), value);
    if (sides.b) lt_anchor_scatter(&c->b, lt_member_rows(vectors, sides.b), lt_r3_neg(value));
}

typedef struct gains {
    lt_real normal, across;
} gains;

static gains gains_of(const lt_coupling *c, lt_real dt) {
    lt_real g = dt * (dt * c->stiffness + c->damping);
    if (c->kind == LT_COUPLING_TETHER) return (gains){g, g};
    return (gains){g, c->friction > 0 ? c->slip * g : 0};
}

/* G u for the gains along and across the normal. */
static lt_rvec3 apply_gains(const lt_coupling *c, gains g, lt_rvec3 u) {
    if (c->kind == LT_COUPLING_TETHER) return lt_r3_scale(u, g.normal);
    lt_real along = lt_r3_dot(c->normal, u);
    return lt_r3_mad(lt_r3_scale(u, g.across), c->normal, along * (g.normal - g.across));
}

/* The impulse of a coupling at relative velocity u (partner's motion taken out):
 * Δt (k d n − slip k τ) − G u, or for tethers −Δt k offset − G u. */
static lt_rvec3 impulse_at(const lt_coupling *c, gains g, lt_real dt, lt_rvec3 u) {
    lt_rvec3 resting;
    if (c->kind == LT_COUPLING_TETHER)
        resting = lt_r3_scale(c->offset, -dt * c->stiffness);
    else
        resting = lt_r3_mad(lt_r3_scale(c->normal, dt * c->stiffness * c->depth), c->stick,
                            c->friction > 0 ? -dt * c->slip * c->stiffness : 0);
    return lt_r3_sub(resting, apply_gains(c, g, u));
}

/* y = A x of the bodies alone. */
static void apply_bodies(const lt_implicit *s, lt_real *y, const lt_real *x) {
    const lt_island *island = s->island;
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_member *member = &island->members[m];
        size_t at = 4 * (size_t)member->row, rows = member->soft->carrier.node_count;
        if (lt_is_implicit(member))
            s->kernels->multiply(y + at, &member->soft->carrier.pattern, member->system.blocks, x + at, 0,
                                 (uint32_t)rows);
        else
            memset(y + at, 0, 4 * rows * sizeof *y);
    }
}

static void apply_system(void *context, lt_real *y, const lt_real *x) {
    const lt_implicit *s = context;
    const lt_island *island = s->island;
    apply_bodies(s, y, x);
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[island->couplings[i]];
        lt_sides sides = lt_coupling_sides(island, c);
        if (!c->active || !lt_is_implicit_pair(sides)) continue;
        lt_rvec3 u = row_value(c, sides, x);
        add_row(c, sides, y, apply_gains(c, gains_of(c, s->advance->dt), u));
    }
}

static void add_to_diagonal(lt_real *inverse_diagonal, const lt_member *member, const lt_anchor *anchor,
                            const lt_coupling *c, gains g) {
    const lt_real n[3] = {c->normal.x, c->normal.y, c->normal.z};
    for (uint32_t i = 0; i < anchor->count; i++) {
        lt_real *block = inverse_diagonal + (size_t)LT_BLOCK_STRIDE * (member->row + anchor->ids[i]);
        lt_real w2 = anchor->weights[i] * anchor->weights[i];
        for (int column = 0; column < 3; column++) {
            block[5 * column] += w2 * g.across;
            for (int row = 0; row < 3; row++)
                block[4 * column + row] += w2 * (g.normal - g.across) * n[row] * n[column];
        }
    }
}

/* Inverses of the diagonal blocks, couplings included; zero for pinned nodes and for nodes that are not ours, which
 * keeps them where they start. */
static void build_preconditioner(const lt_implicit *s) {
    const lt_island *island = s->island;
    lt_real *blocks = island->inverse_diagonal;
    memset(blocks, 0, LT_BLOCK_STRIDE * (size_t)island->row_count * sizeof *blocks);
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_member *member = &island->members[m];
        const lt_sparse_pattern *pattern = &member->soft->carrier.pattern;
        for (uint32_t node = 0; lt_is_implicit(member) && node < pattern->row_count; node++)
            memcpy(blocks + (size_t)LT_BLOCK_STRIDE * (member->row + node),
                   member->system.blocks + (size_t)LT_BLOCK_STRIDE * pattern->diagonal[node],
                   LT_BLOCK_STRIDE * sizeof *blocks);
    }
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[island->couplings[i]];
        lt_sides sides = lt_coupling_sides(island, c);
        if (!c->active || !lt_is_implicit_pair(sides)) continue;
        gains g = gains_of(c, s->advance->dt);
        add_to_diagonal(blocks, sides.a, &c->a, c, g);
        if (sides.b) add_to_diagonal(blocks, sides.b, &c->b, c, g);
    }
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_member *member = &island->members[m];
        for (uint32_t node = 0; lt_is_implicit(member) && node < member->soft->carrier.node_count; node++) {
            lt_real *block = blocks + (size_t)LT_BLOCK_STRIDE * (member->row + node);
            if (member->soft->pinned[node])
                memset(block, 0, LT_BLOCK_STRIDE * sizeof *block);
            else
                lt_block_invert(block, block);
        }
    }
}

/* The contacts that push at the velocity the bodies start from. */
static void start_couplings(const lt_implicit *s) {
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        lt_sides sides = lt_coupling_sides(s->island, c);
        if (!lt_is_implicit_pair(sides)) continue;
        c->slip = 1;
        c->active = true;
        if (c->kind != LT_COUPLING_CONTACT) continue;
        lt_rvec3 u =
            lt_r3_sub(row_value(c, sides, s->island->vectors[LT_VECTOR_VELOCITY]), c->partner_velocity);
        lt_rvec3 impulse = impulse_at(c, gains_of(c, s->advance->dt), s->advance->dt, u);
        c->active = lt_r3_dot(c->normal, impulse) > 0;
    }
}

/* The reference that residuals are measured against: at least what gravity does in a step. */
static lt_real reference_size(const lt_implicit *s) {
    lt_real *r = s->island->vectors[LT_VECTOR_DIRECTION], *z = s->island->vectors[LT_VECTOR_PRECONDITIONED];
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        lt_real per_mass = lt_is_implicit(member) ? s->advance->dt : 0;
        for (uint32_t node = 0; node < member->soft->carrier.node_count; node++)
            lt_node_set(lt_member_rows(r, member), node,
                        lt_r3_scale(s->advance->gravity, per_mass * member->soft->mass[node]));
    }
    s->kernels->multiply_diagonal(z, s->island->inverse_diagonal, r, s->island->row_count);
    return s->kernels->dot(r, z, s->island->row_count);
}

/* ---- solving ---- */

/* `reference` grows to the residual of the first start. */
static void run_cg(lt_implicit *s, lt_real *reference, bool fine) {
    const lt_island *island = s->island;
    lt_cg cg = {.row_count = island->row_count, .kernels = s->kernels, .apply = apply_system, .context = s};
    cg.inverse_diagonal = island->inverse_diagonal;
    cg.x = island->vectors[LT_VECTOR_VELOCITY];
    cg.r = island->vectors[LT_VECTOR_RESIDUAL];
    cg.z = island->vectors[LT_VECTOR_PRECONDITIONED];
    cg.p = island->vectors[LT_VECTOR_DIRECTION];
    cg.q = island->vectors[LT_VECTOR_PRODUCT];
    cg.tolerance = 1;
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_soft *soft = island->members[m].soft;
        if (!lt_is_implicit(&island->members[m])) continue;
        cg.tolerance = lt_min_r(cg.tolerance, soft->tolerance);
        cg.max_iterations = lt_max_u32(cg.max_iterations, soft->max_iterations);
    }
    cg.max_iterations = cg.max_iterations > s->iterations ? cg.max_iterations - s->iterations : 0;
    if (!fine) cg.tolerance = lt_max_r(cg.tolerance, COARSE_TOLERANCE);
    lt_cg_begin(&cg, 1);
    *reference = lt_max_r(*reference, cg.rz);
    cg.reference = *reference;
    for (;;) {
        if (s->advance->go_on && !s->advance->go_on(s->advance->go_on_context)) {
            s->cut = true;
            break;
        }
        if (!lt_cg_step(&cg)) break;
    }
    s->iterations += cg.iterations;
    s->residual = lt_cg_residual(&cg);
}

static void add_coupling_sides(const lt_implicit *s, lt_real *rhs) {
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        lt_sides sides = lt_coupling_sides(s->island, c);
        if (!c->active || !lt_is_implicit_pair(sides)) continue;
        lt_rvec3 at_rest = lt_r3_neg(c->partner_velocity);
        add_row(c, sides, rhs, impulse_at(c, gains_of(c, s->advance->dt), s->advance->dt, at_rest));
    }
}

/* The share of the sticking force that makes it `most`, what the cone carries. While it is larger, less of it would
 * let the point slip faster by W, and the force of that speed is G: s = most / (D + G W (drag − most)), D the whole
 * sticking force. Without this a contact that should slide holds the body for many solves. */
static lt_real friction_share(const lt_coupling *c, lt_sides sides, lt_real dt, lt_real drag, lt_real most) {
    if (!(drag > 0)) return 1;
    lt_real w = lt_anchor_inverse_mass(&c->a, sides.a->soft);
    if (sides.b) w += lt_anchor_inverse_mass(&c->b, sides.b->soft);
    lt_real gain = dt * (dt * c->stiffness + c->damping) * w;
    lt_real excess = lt_max_r(0, drag - most);
    lt_real share = c->slip * most / (drag + c->slip * gain * excess);
    return share < 1 ? share : 1;
}

/* Which contacts push at the present velocities, and how much of friction the cone carries there. Returns whether
 * anything changed enough to solve again. */
static bool update_couplings(const lt_implicit *s) {
    bool changed = false;
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        lt_sides sides = lt_coupling_sides(s->island, c);
        if (c->kind != LT_COUPLING_CONTACT || !lt_is_implicit_pair(sides)) continue;
        lt_rvec3 u =
            lt_r3_sub(row_value(c, sides, s->island->vectors[LT_VECTOR_VELOCITY]), c->partner_velocity);
        lt_rvec3 impulse = impulse_at(c, gains_of(c, s->advance->dt), s->advance->dt, u);
        lt_real push = lt_r3_dot(c->normal, impulse);
        bool active = push > 0;
        changed |= active != c->active;
        c->active = active;
        if (!active || !(c->friction > 0)) continue;
        lt_real drag = lt_r3_length(lt_r3_mad(impulse, c->normal, -push));
        lt_real share = friction_share(c, sides, s->advance->dt, drag, c->friction * push);
        changed |= share < (lt_real)0.9 * c->slip || share > (lt_real)1.1 * c->slip;
        c->slip = share;
    }
    return changed;
}

/* The slope of the sum to be minimised along p, as a function of the way t: a0 + a1 t − Σ over contacts of
 * max(0, push + t push_change) × the normal part of J p. */
typedef struct slope {
    double a0, a1;
} slope;

static double slope_at(const lt_implicit *s, slope line, double t) {
    double sum = line.a0 + t * line.a1;
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        if (c->kind != LT_COUPLING_CONTACT || !lt_is_implicit_pair(lt_coupling_sides(s->island, c))) continue;
        double push = c->push + t * c->push_change, gain = gains_of(c, s->advance->dt).normal;
        if (push > 0 && gain > 0) sum += push * c->push_change / gain;
    }
    return sum;
}

/* Adds what couplings that were part of the solve contribute besides pushing: friction and tethers, linear in t. */
static void add_linear_part(const lt_implicit *s, slope *line, lt_coupling *c, lt_rvec3 u, lt_rvec3 change) {
    gains g = gains_of(c, s->advance->dt);
    lt_rvec3 impulse = impulse_at(c, g, s->advance->dt, u), answer = apply_gains(c, g, change);
    if (c->kind == LT_COUPLING_CONTACT) {
        c->push = lt_r3_dot(c->normal, impulse);
        c->push_change = -lt_r3_dot(c->normal, answer);
        if (!c->active) return;
        impulse = lt_r3_mad(impulse, c->normal, -c->push);
        answer = lt_r3_mad(answer, c->normal, c->push_change);
    }
    line->a0 -= (double)lt_r3_dot(impulse, change);
    line->a1 += (double)lt_r3_dot(answer, change);
}

/* How far to go from `from` towards the velocities just solved for: 1, or less where the slope turns up before. */
static lt_real way_to_go(const lt_implicit *s, lt_real *from) {
    const lt_island *island = s->island;
    lt_real *p = island->vectors[LT_VECTOR_DIRECTION], *q = island->vectors[LT_VECTOR_PRODUCT];
    for (size_t i = 0; i < 4 * (size_t)island->row_count; i++)
        p[i] = island->vectors[LT_VECTOR_VELOCITY][i] - from[i];
    apply_bodies(s, q, p);
    slope line = {(double)s->kernels->dot(q, from, island->row_count) -
                      (double)s->kernels->dot(p, island->vectors[LT_VECTOR_BASE], island->row_count),
                  (double)s->kernels->dot(q, p, island->row_count)};
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        lt_coupling *c = &s->advance->couplings[island->couplings[i]];
        lt_sides sides = lt_coupling_sides(island, c);
        if (!lt_is_implicit_pair(sides)) continue;
        lt_rvec3 u = lt_r3_sub(row_value(c, sides, from), c->partner_velocity);
        add_linear_part(s, &line, c, u, row_value(c, sides, p));
    }
    double begin = slope_at(s, line, 0), end = slope_at(s, line, 1);
    if (!(begin < 0) || end <= 0.1 * -begin) return 1;
    double lo = 0, hi = 1;
    for (int halving = 0; halving < 12; halving++) {
        double middle = (lo + hi) / 2;
        if (slope_at(s, line, middle) > 0)
            hi = middle;
        else
            lo = middle;
    }
    return (lt_real)((lo + hi) / 2);
}

/* Goes the way; true when it was the whole of it. */
static bool go_towards_solution(const lt_implicit *s) {
    lt_real *from = s->island->vectors[LT_VECTOR_FROM], *v = s->island->vectors[LT_VECTOR_VELOCITY];
    lt_real t = way_to_go(s, from);
    if (t >= 1) return true;
    for (size_t i = 0; i < 4 * (size_t)s->island->row_count; i++)
        v[i] = from[i] + t * (v[i] - from[i]);
    return false;
}

/* ---- finishing ---- */

/* The final impulse of every coupling, kept inside the cone and never pulling, and the spring it leaves. */
static void settle_couplings(const lt_implicit *s) {
    lt_real dt = s->advance->dt;
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        lt_sides sides = lt_coupling_sides(s->island, c);
        if (!lt_is_implicit_pair(sides)) continue;
        lt_rvec3 u =
            lt_r3_sub(row_value(c, sides, s->island->vectors[LT_VECTOR_VELOCITY]), c->partner_velocity);
        c->slip = 1; /* what slides lies on the cone exactly, whatever share it was solved with */
        lt_rvec3 impulse = impulse_at(c, gains_of(c, dt), dt, u);
        if (c->kind == LT_COUPLING_TETHER) {
            c->impulse = impulse;
            continue;
        }
        lt_real push = lt_r3_dot(c->normal, impulse);
        if (!c->active || push <= 0) {
            c->impulse = c->stick = (lt_rvec3){0, 0, 0};
            continue;
        }
        lt_rvec3 drag = lt_r3_mad(impulse, c->normal, -push);
        lt_real size = lt_r3_length(drag), most = c->friction * push;
        if (size > most) drag = lt_r3_scale(drag, most / size);
        c->impulse = lt_r3_mad(drag, c->normal, push);
        lt_rvec3 across = lt_r3_mad(u, c->normal, -lt_r3_dot(c->normal, u));
        lt_rvec3 held = lt_r3_mad(lt_r3_scale(drag, 1 / dt), across, c->damping);
        c->stick = c->stiffness > 0 ? lt_r3_scale(held, -1 / c->stiffness) : (lt_rvec3){0, 0, 0};
    }
}

static bool has_contacts(const lt_implicit *s) {
    for (uint32_t i = 0; i < s->island->coupling_count; i++)
        if (s->advance->couplings[s->island->couplings[i]].kind == LT_COUPLING_CONTACT) return true;
    return false;
}

void lt_implicit_solve(lt_implicit *s) {
    const lt_island *island = s->island;
    size_t size = 4 * (size_t)island->row_count * sizeof(lt_real);
    lt_real reference = 0;
    bool contacts = has_contacts(s), fine = !contacts;
    start_couplings(s);
    for (int solves = 0; solves < MAX_SOLVES && !s->cut; solves++) {
        memcpy(island->vectors[LT_VECTOR_FROM], island->vectors[LT_VECTOR_VELOCITY], size);
        build_preconditioner(s);
        if (solves == 0) reference = reference_size(s);
        memcpy(island->vectors[LT_VECTOR_RESIDUAL], island->vectors[LT_VECTOR_BASE], size);
        add_coupling_sides(s, island->vectors[LT_VECTOR_RESIDUAL]);
        run_cg(s, &reference, fine);
        if (!contacts) break;
        bool whole = go_towards_solution(s), changed = update_couplings(s);
        if (whole && !changed && fine) break;
        fine = fine || (whole && !changed) || solves >= COARSE_SOLVES;
    }
    settle_couplings(s);
}
