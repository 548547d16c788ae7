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
 * Friction: a tangential spring and damper, clipped at μ times the normal impulse of the last solve; while that stands
 * still it is the gradient of a convex function, too, and Newton's method serves it as well. */

#include "body/multigrid.h"

#include <string.h>

enum { MAX_SOLVES = 12, COARSE_SOLVES = 6 };
static const lt_real COARSE_TOLERANCE = (lt_real)1e-2;
static const lt_real MISMATCH = (lt_real)2e-3; /* between law and linearisation that ends the solves */

/* ---- couplings as rows ---- */

static lt_rvec3 gather_rows(const lt_anchor *anchor, const uint32_t rows[LT_ANCHOR_MOST],
                            const lt_real *vectors) {
    lt_r4 sum = lt_r4_splat(0);
    for (uint32_t i = 0; i < anchor->count; i++)
        sum = lt_r4_mad(sum, lt_r4_load(vectors + 4 * (size_t)rows[i]), lt_r4_splat(anchor->weights[i]));
    return lt_r4_xyz(sum);
}

static lt_rvec3 row_value(const lt_coupling *c, lt_sides sides, const lt_real *vectors) {
    lt_rvec3 u = gather_rows(&c->a, c->rows_a, vectors);
    return sides.b ? lt_r3_sub(u, gather_rows(&c->b, c->rows_b, vectors)) : u;
}

static void add_row(const lt_coupling *c, lt_sides sides, lt_real *vectors, lt_rvec3 value) {
    for (uint32_t i = 0; i < c->a.count; i++)
        lt_node_add(vectors, c->rows_a[i], value, c->a.weights[i]);
    for (uint32_t i = 0; sides.b && i < c->b.count; i++)
        lt_node_add(vectors, c->rows_b[i], lt_r3_neg(value), c->b.weights[i]);
}

/* ---- the law of a coupling ----
 *
 * Impulses at relative velocity u (the partner's own motion taken out), g = Δt(Δt k + c):
 *   contact, along the normal   max(0, Δt k d − g u_n)
 *   contact, across             −clip(w, b), w = Δt k τ + g u_t; b = μ × the normal impulse
 *   tether                      −(Δt k o + g u)
 * and, for a solve, their linearisation −(base + G u) at the velocity where we stand. */

static lt_real gain_of(const lt_coupling *c, lt_real dt) {
    LT_ASSERT(dt >= 0);
    return dt * (dt * c->stiffness + c->damping);
}

static lt_rvec3 across(const lt_coupling *c, lt_rvec3 v) {
    return lt_r3_mad(v, c->normal, -lt_r3_dot(c->normal, v));
}

static lt_real push_at(const lt_coupling *c, lt_real dt, lt_rvec3 u) {
    LT_ASSERT(dt >= 0);
    return dt * c->stiffness * c->depth - gain_of(c, dt) * lt_r3_dot(c->normal, u);
}

/* The spring and damper that hold: across the normal for contacts, in all directions for tethers. */
static lt_rvec3 hold_at(const lt_coupling *c, lt_real dt, lt_rvec3 u) {
    LT_ASSERT(dt >= 0);
    lt_rvec3 stretch = c->kind == LT_COUPLING_TETHER ? c->offset : c->stick;
    lt_rvec3 w = lt_r3_mad(lt_r3_scale(stretch, dt * c->stiffness), u, gain_of(c, dt));
    return c->kind == LT_COUPLING_TETHER ? w : across(c, w);
}

static lt_rvec3 clip(lt_rvec3 w, lt_real bound) {
    lt_real size = lt_r3_length(w);
    return size > bound ? lt_r3_scale(w, bound / size) : w;
}

static lt_rvec3 law_impulse(const lt_coupling *c, lt_real dt, lt_rvec3 u) {
    LT_ASSERT(dt >= 0);
    lt_rvec3 w = hold_at(c, dt, u);
    if (c->kind == LT_COUPLING_TETHER) return lt_r3_neg(w);
    lt_real push = lt_max_r(0, push_at(c, dt, u));
    return lt_r3_sub(lt_r3_scale(c->normal, push), clip(w, c->friction * push));
}

/* G u: along the normal, and across it what friction still answers: all of it while it sticks; while it slides only
 * what turns it, less the more it slides. */
static lt_rvec3 apply_gains(const lt_coupling *c, lt_real dt, lt_rvec3 u) {
    LT_ASSERT(dt >= 0);
    lt_real g = gain_of(c, dt);
    if (c->kind == LT_COUPLING_TETHER) return lt_r3_scale(u, g);
    lt_rvec3 turned = across(c, u);
    turned = lt_r3_mad(turned, c->slide, -lt_r3_dot(c->slide, turned));
    return lt_r3_mad(lt_r3_scale(turned, g * c->share), c->normal, g * lt_r3_dot(c->normal, u));
}

static lt_rvec3 linear_impulse(const lt_coupling *c, lt_real dt, lt_rvec3 u) {
    LT_ASSERT(dt >= 0);
    return lt_r3_neg(lt_r3_add(c->base, apply_gains(c, dt, u)));
}

static void linearise(lt_coupling *c, lt_real dt, lt_rvec3 u) {
    LT_ASSERT(dt >= 0);
    const lt_rvec3 zero = {0, 0, 0};
    c->slide = zero;
    c->share = 1;
    c->active = true;
    c->base = lt_r3_scale(c->offset, dt * c->stiffness);
    if (c->kind == LT_COUPLING_TETHER) return;
    lt_real push = push_at(c, dt, u);
    lt_rvec3 w = hold_at(c, dt, u);
    lt_real size = lt_r3_length(w);
    c->active = push > 0;
    c->bound = c->friction * lt_max_r(0, push);
    lt_rvec3 hold = across(c, lt_r3_scale(c->stick, dt * c->stiffness));
    if (!(c->friction > 0)) {
        c->share = 0;
        hold = zero;
    } else if (size > c->bound) {
        c->share = c->bound / size;
        c->slide = lt_r3_scale(w, 1 / size);
        lt_rvec3 turned = across(c, u);
        turned = lt_r3_mad(turned, c->slide, -lt_r3_dot(c->slide, turned));
        hold = lt_r3_mad(lt_r3_scale(c->slide, c->bound), turned, -gain_of(c, dt) * c->share);
    }
    c->base = lt_r3_mad(hold, c->normal, -dt * c->stiffness * c->depth);
}

/* y = A x of the bodies alone. */
static void apply_bodies(const lt_implicit *s, lt_real *y, const lt_real *x) {
    const lt_island *island = s->island;
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_member *member = &island->members[m];
        size_t at = 4 * (size_t)member->row, rows = member->row_count;
        if (lt_is_implicit(member))
            lt_soft_multiply(member->soft, &member->system, y + at, x + at, s->advance->level);
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
        add_row(c, sides, y, apply_gains(c, s->advance->dt, u));
    }
}

static void gains_of(lt_real gains[9], const lt_coupling *c, lt_real dt) {
    LT_ASSERT(dt >= 0);
    const lt_rvec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int column = 0; column < 3; column++) {
        lt_rvec3 g = apply_gains(c, dt, axes[column]);
        gains[3 * column] = g.x;
        gains[3 * column + 1] = g.y;
        gains[3 * column + 2] = g.z;
    }
}

static void add_to_diagonal(lt_real *inverse_diagonal, const lt_member *member, const lt_anchor *anchor,
                            const uint32_t rows[LT_ANCHOR_MOST], const lt_real gains[9]) {
    if (member->soft->grid) {
        lt_vcycle_add(member->soft, &member->system, anchor, gains);
        return;
    }
    for (uint32_t i = 0; i < anchor->count; i++) {
        lt_real *block = inverse_diagonal + (size_t)LT_BLOCK_STRIDE * rows[i];
        lt_real w2 = anchor->weights[i] * anchor->weights[i];
        for (int k = 0; k < 9; k++)
            block[4 * (k / 3) + k % 3] += w2 * gains[k];
    }
}

static void begin_preconditioner(const lt_member *member, lt_real *blocks) {
    const lt_sparse_pattern *pattern = &member->soft->carrier.pattern;
    if (member->soft->grid)
        lt_vcycle_begin(member->soft, &member->system);
    else
        for (uint32_t node = 0; node < pattern->row_count; node++)
            memcpy(blocks + (size_t)LT_BLOCK_STRIDE * (member->row + node),
                   member->system.blocks + (size_t)LT_BLOCK_STRIDE * pattern->diagonal[node],
                   LT_BLOCK_STRIDE * sizeof *blocks);
}

static void end_preconditioner(const lt_implicit *s, const lt_member *member, lt_real *blocks) {
    if (member->soft->grid)
        lt_vcycle_ready(member->soft, &member->system, s->advance->level);
    else
        for (uint32_t node = 0; node < member->row_count; node++) {
            lt_real *block = blocks + (size_t)LT_BLOCK_STRIDE * (member->row + node);
            if (member->soft->pinned[node])
                memset(block, 0, LT_BLOCK_STRIDE * sizeof *block);
            else
                lt_block_invert(block, block);
        }
}

/* Inverses of the diagonal blocks, couplings included; zero for pinned nodes and for nodes that are not ours, which
 * keeps them where they start. Of multigrid bodies the diagonals of their levels. */
static void build_preconditioner(const lt_implicit *s) {
    const lt_island *island = s->island;
    lt_real *blocks = island->inverse_diagonal;
    memset(blocks, 0, LT_BLOCK_STRIDE * (size_t)island->row_count * sizeof *blocks);
    for (uint32_t m = 0; m < island->member_count; m++)
        if (lt_is_implicit(&island->members[m])) begin_preconditioner(&island->members[m], blocks);
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[island->couplings[i]];
        lt_sides sides = lt_coupling_sides(island, c);
        if (!c->active || !lt_is_implicit_pair(sides)) continue;
        lt_real gains[9];
        gains_of(gains, c, s->advance->dt);
        add_to_diagonal(blocks, sides.a, &c->a, c->rows_a, gains);
        if (sides.b) add_to_diagonal(blocks, sides.b, &c->b, c->rows_b, gains);
    }
    for (uint32_t m = 0; m < island->member_count; m++)
        if (lt_is_implicit(&island->members[m])) end_preconditioner(s, &island->members[m], blocks);
}

/* z = B r: inverse diagonals, and the cycles of multigrid bodies. */
static void precondition(void *context, lt_real *z, const lt_real *r) {
    const lt_implicit *s = context;
    s->kernels->multiply_diagonal(z, s->island->inverse_diagonal, r, s->island->row_count);
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        size_t at = 4 * (size_t)member->row;
        if (member->soft->grid)
            lt_vcycle_run(member->soft, &member->system, z + at, r + at, s->advance->level);
    }
}

static lt_rvec3 relative_velocity(const lt_coupling *c, lt_sides sides, const lt_real *velocities) {
    return lt_r3_sub(row_value(c, sides, velocities), c->partner_velocity);
}

static void linearise_couplings(const lt_implicit *s) {
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        lt_sides sides = lt_coupling_sides(s->island, c);
        if (lt_is_implicit_pair(sides))
            linearise(c, s->advance->dt, relative_velocity(c, sides, s->island->vectors[LT_VECTOR_VELOCITY]));
    }
}

/* Of multigrid bodies that nothing holds: there gravity is answered by falling, A (Δt g) = (1 + αΔt) M Δt g whatever the
 * stiffness, and a cycle would say the same. 0: not so. */
static lt_real free_reference(const lt_implicit *s) {
    lt_real sum = 0, dt = s->advance->dt;
    if (s->island->coupling_count > 0) return 0;
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_soft *soft = s->island->members[m].soft;
        if (!soft->grid || soft->pin_count > 0) return 0;
        sum += soft->total_mass / (1 + (lt_real)soft->material.mass_damping * dt);
    }
    return sum * dt * dt * lt_r3_dot(s->advance->gravity, s->advance->gravity);
}

/* The reference that residuals are measured against: at least what gravity does in a step. */
static lt_real reference_size(lt_implicit *s) {
    lt_real known = free_reference(s);
    if (known > 0) return known;
    lt_real *r = s->island->vectors[LT_VECTOR_DIRECTION], *z = s->island->vectors[LT_VECTOR_PRECONDITIONED];
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        lt_real per_mass = lt_is_implicit(member) ? s->advance->dt : 0;
        for (uint32_t row = 0; row < member->row_count; row++)
            lt_node_set(lt_member_rows(r, member), row,
                        lt_r3_scale(s->advance->gravity,
                                    per_mass * member->soft->mass[lt_row_node(member->nodes, row)]));
    }
    precondition(s, z, r);
    return s->kernels->dot(r, z, s->island->row_count);
}

/* ---- solving ---- */

/* `reference` grows to the residual of the first start. */
static void run_cg(lt_implicit *s, lt_real *reference, bool fine) {
    const lt_island *island = s->island;
    lt_cg cg = {.row_count = island->row_count, .kernels = s->kernels, .apply = apply_system, .context = s};
    cg.precondition = precondition;
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
    if (s->advance->max_iterations)
        cg.max_iterations = lt_min_u32(cg.max_iterations, s->advance->max_iterations);
    cg.max_iterations = cg.max_iterations > s->iterations ? cg.max_iterations - s->iterations : 0;
    if (!fine) cg.tolerance = lt_max_r(cg.tolerance, COARSE_TOLERANCE);
    lt_cg_begin(&cg, 1);
    *reference = lt_max_r(*reference, cg.rz);
    cg.reference = *reference;
    while (lt_cg_step(&cg))
        continue;
    s->tolerance = cg.tolerance;
    s->iterations += cg.iterations;
    s->residual = lt_cg_residual(&cg);
}

static void add_coupling_sides(const lt_implicit *s, lt_real *rhs) {
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        lt_sides sides = lt_coupling_sides(s->island, c);
        if (!c->active || !lt_is_implicit_pair(sides)) continue;
        lt_rvec3 at_rest = lt_r3_neg(c->partner_velocity);
        add_row(c, sides, rhs, linear_impulse(c, s->advance->dt, at_rest));
    }
}

/* How far the impulses of the last solve are from what the law says at its solution, as a share of them: 0 when the
 * linearisation was right. */
static lt_real mismatch(const lt_implicit *s) {
    lt_real off = 0, all = 0;
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        lt_sides sides = lt_coupling_sides(s->island, c);
        if (!lt_is_implicit_pair(sides)) continue;
        lt_rvec3 u = relative_velocity(c, sides, s->island->vectors[LT_VECTOR_VELOCITY]), zero = {0, 0, 0};
        lt_rvec3 law = law_impulse(c, s->advance->dt, u);
        lt_rvec3 solved = c->active ? linear_impulse(c, s->advance->dt, u) : zero;
        off += lt_r3_length(lt_r3_sub(law, solved));
        all += lt_r3_length(law);
    }
    return all > 0 ? off / all : off > 0;
}

/* The slope along p of the sum to be minimised, as a function of the way t: a0 + a1 t for the bodies, and for every
 * coupling its impulse there against J p. Friction is bounded by the normal impulse where the solve began. */
typedef struct slope {
    double a0, a1;
} slope;

static double slope_at(const lt_implicit *s, slope line, double t) {
    double sum = line.a0 + t * line.a1;
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        lt_real gain = gain_of(c, s->advance->dt);
        if (!lt_is_implicit_pair(lt_coupling_sides(s->island, c)) || !(gain > 0)) continue;
        lt_rvec3 w = lt_r3_mad(c->hold, c->hold_change, (lt_real)t);
        if (c->kind == LT_COUPLING_CONTACT) {
            double push = (double)c->push + t * (double)c->push_change;
            if (push > 0) sum += push * (double)(c->push_change / gain);
            w = clip(w, c->bound);
        }
        sum += (double)(lt_r3_dot(w, c->hold_change) / gain);
    }
    return sum;
}

static void prepare_slope(const lt_implicit *s, lt_coupling *c, lt_rvec3 u, lt_rvec3 change) {
    lt_real dt = s->advance->dt, gain = gain_of(c, dt);
    bool contact = c->kind == LT_COUPLING_CONTACT;
    c->push = push_at(c, dt, u);
    c->push_change = -gain * lt_r3_dot(c->normal, change);
    c->hold = hold_at(c, dt, u);
    c->hold_change = lt_r3_scale(contact ? across(c, change) : change, gain);
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
        if (lt_is_implicit_pair(sides))
            prepare_slope(s, c, relative_velocity(c, sides, from), row_value(c, sides, p));
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

static lt_rvec3 inside_cone(const lt_coupling *c, lt_rvec3 impulse) {
    lt_real push = lt_max_r(0, lt_r3_dot(c->normal, impulse));
    return lt_r3_mad(clip(across(c, impulse), c->friction * push), c->normal, push);
}

/* The impulse of every coupling as it was solved, which is what the velocities answer to, and the spring that friction
 * is left with. Where law and linearisation agree (they do but for a step in thousands) what is left of pulling and of
 * leaving the cone is rounding, and taken off; where they do not, one step of a pull is better than a body that is
 * given momentum its velocities know nothing of. */
static void settle_couplings(const lt_implicit *s, bool agreed) {
    lt_real dt = s->advance->dt;
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        lt_sides sides = lt_coupling_sides(s->island, c);
        if (!lt_is_implicit_pair(sides)) continue;
        lt_rvec3 u = relative_velocity(c, sides, s->island->vectors[LT_VECTOR_VELOCITY]);
        c->impulse = c->active ? linear_impulse(c, dt, u) : (lt_rvec3){0, 0, 0};
        if (c->kind == LT_COUPLING_TETHER) continue;
        if (agreed) c->impulse = inside_cone(c, c->impulse);
        bool pushes = lt_r3_dot(c->normal, c->impulse) > 0 && c->stiffness > 0;
        /* drag = −(k τ' + c u_t) with the spring τ' at the end of the step */
        lt_rvec3 held = lt_r3_mad(lt_r3_scale(across(c, c->impulse), 1 / dt), across(c, u), c->damping);
        c->stick = pushes ? lt_r3_scale(held, -1 / c->stiffness) : (lt_rvec3){0, 0, 0};
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
    bool contacts = has_contacts(s), fine = !contacts, settled = false;
    for (int solves = 0; solves < MAX_SOLVES; solves++) {
        memcpy(island->vectors[LT_VECTOR_FROM], island->vectors[LT_VECTOR_VELOCITY], size);
        linearise_couplings(s);
        build_preconditioner(s);
        if (solves == 0) reference = reference_size(s);
        memcpy(island->vectors[LT_VECTOR_RESIDUAL], island->vectors[LT_VECTOR_BASE], size);
        add_coupling_sides(s, island->vectors[LT_VECTOR_RESIDUAL]);
        run_cg(s, &reference, fine);
        if (!contacts) break;
        bool whole = solves + 1 == MAX_SOLVES || go_towards_solution(s);
        settled = whole && mismatch(s) < MISMATCH;
        if (settled && fine) break;
        fine = fine || settled || solves >= COARSE_SOLVES;
    }
    s->settled = (settled || !contacts) && s->residual <= 4 * s->tolerance;
    settle_couplings(s, settled);
}
