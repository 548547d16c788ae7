/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Model corotational: linear elasticity in frames that turn with each tet (Müller & Gross 2004), implicit Euler.
 *
 *   A v' = M v + Δt (f_ext + f_el(x)) + Σ_c Jᵀ(…),   A = (1 + αΔt) M + (Δt² + βΔt) K + Σ_c Jᵀ G J
 *
 * One system per island: couplings are rows of it (G = Δt(Δt k + c) along the normal, times the slip share across),
 * applied without being assembled. A contact that pulls is let go, one that is approached is taken in, and the
 * share that friction can carry is corrected; then the system is solved again from where it stands, three times
 * at most.
 *
 * After the solve each free body gets the rigid twist (six unknowns) that makes its linear and angular momentum
 * exactly what the impulses say: conjugate gradients stopped early, and linearised rotations, would otherwise lose
 * some. Elastic forces add none: with R from the polar decomposition their sum and their moment vanish. */

#include "body/models.h"

#include <string.h>

enum { VELOCITY, RESIDUAL, PRECONDITIONED, DIRECTION, PRODUCT, BASE };
enum { MAX_SOLVES = 3 };

typedef struct solve {
    const lt_advance *advance;
    const lt_island *island;
    const lt_sparse_kernels *kernels;
    uint32_t iterations;
    lt_real residual;
    bool cut;
} solve;

/* ---- the matrix ---- */

/* K_ij = V (λ h_i h_jᵀ + μ h_j h_iᵀ + μ (h_i·h_j) I), h the gradients turned into the world's frame. */
static inline void add_block(lt_real *block, const lt_real *hi, const lt_real *hj, lt_real vl, lt_real vm) {
    lt_real dot = (hi[0] * hj[0] + hi[1] * hj[1] + hi[2] * hj[2]) * vm;
    lt_r4 i4 = lt_r4_load(hi), j4 = lt_r4_load(hj);
    for (int column = 0; column < 3; column++) {
        lt_r4 sum = lt_r4_load(block + 4 * column);
        sum = lt_r4_mad(sum, i4, lt_r4_splat(hj[column] * vl));
        sum = lt_r4_mad(sum, j4, lt_r4_splat(hi[column] * vm));
        lt_r4_store(block + 4 * column, sum);
        block[5 * column] += dot;
    }
}

static void gather_gradients(lt_real h[4][4], const lt_real *rotated, uint32_t lane) {
    for (int k = 0; k < 3; k++)
        h[0][k] = 0;
    for (int corner = 1; corner < 4; corner++)
        for (int k = 0; k < 3; k++) {
            h[corner][k] = rotated[(3 * (corner - 1) + k) * LT_GROUP + (int)lane];
            h[0][k] -= h[corner][k];
        }
    for (int corner = 0; corner < 4; corner++)
        h[corner][3] = 0;
}

void lt_corotational_assemble(lt_soft *soft, const lt_system *system, lt_real mass_factor,
                              lt_real stiffness_factor, lt_real *force, lt_simd_level level) {
    const lt_carrier *carrier = &soft->carrier;
    memset(force, 0, 4 * (size_t)carrier->node_count * sizeof *force);
    lt_element_work work = {.elements = &soft->elements,
                            .x = soft->x,
                            .lambda = soft->lambda,
                            .mu = soft->mu,
                            .turns = soft->turns,
                            .turns_out = soft->turns,
                            .force = force,
                            .rotated = system->rotated};
    lt_element_kernels_for(level)->corotate(&work);
    soft->inverted_count = work.inverted_count;
    size_t entry_count = carrier->pattern.row_begin[carrier->node_count];
    memset(system->blocks, 0, LT_BLOCK_STRIDE * entry_count * sizeof *system->blocks);
    for (uint32_t tet = 0; tet < carrier->tet_count; tet++) {
        lt_real h[4][4], volume = soft->elements.volumes[tet] * stiffness_factor;
        gather_gradients(h, system->rotated + 9 * LT_GROUP * (size_t)(tet / LT_GROUP), tet % LT_GROUP);
        const uint32_t *entries = carrier->entries + 16 * (size_t)tet;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                add_block(system->blocks + (size_t)LT_BLOCK_STRIDE * entries[4 * i + j], h[i], h[j],
                          volume * soft->lambda, volume * soft->mu);
    }
    for (uint32_t node = 0; node < carrier->node_count; node++)
        for (int k = 0; k < 3; k++)
            system->blocks[(size_t)LT_BLOCK_STRIDE * carrier->pattern.diagonal[node] + (size_t)(5 * k)] +=
                mass_factor * soft->mass[node];
}

/* ---- couplings as rows ---- */

static bool is_implicit(const lt_member *member) {
    return member && member->soft->model == LT_MODEL_COROTATIONAL;
}

/* Couplings with an explicit side were settled by the explicit model. */
static bool is_ours(lt_sides sides) {
    return is_implicit(sides.a) && (!sides.b || is_implicit(sides.b));
}

static lt_real *at_row(lt_real *vectors, const lt_member *member) {
    return vectors + 4 * (size_t)member->row;
}

static lt_rvec3 row_value(const lt_coupling *c, lt_sides sides, lt_real *vectors) {
    lt_rvec3 u = lt_anchor_gather(&c->a, at_row(vectors, sides.a));
    return sides.b ? lt_r3_sub(u, lt_anchor_gather(&c->b, at_row(vectors, sides.b))) : u;
}

static void add_row(const lt_coupling *c, lt_sides sides, lt_real *vectors, lt_rvec3 value) {
    lt_anchor_scatter(&c->a, at_row(vectors, sides.a), value);
    if (sides.b) lt_anchor_scatter(&c->b, at_row(vectors, sides.b), lt_r3_neg(value));
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

static void apply_system(void *context, lt_real *y, const lt_real *x) {
    const solve *s = context;
    const lt_island *island = s->island;
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_member *member = &island->members[m];
        size_t at = 4 * (size_t)member->row, rows = member->soft->carrier.node_count;
        if (is_implicit(member))
            s->kernels->multiply(y + at, &member->soft->carrier.pattern, member->system.blocks, x + at, 0,
                                 (uint32_t)rows);
        else
            memset(y + at, 0, 4 * rows * sizeof *y);
    }
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[island->couplings[i]];
        lt_sides sides = lt_coupling_sides(island, c);
        if (!c->active || !is_ours(sides)) continue;
        lt_rvec3 u = row_value(c, sides, (lt_real *)x);
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
static void build_preconditioner(const solve *s) {
    const lt_island *island = s->island;
    lt_real *blocks = island->inverse_diagonal;
    memset(blocks, 0, LT_BLOCK_STRIDE * (size_t)island->row_count * sizeof *blocks);
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_member *member = &island->members[m];
        const lt_sparse_pattern *pattern = &member->soft->carrier.pattern;
        for (uint32_t node = 0; is_implicit(member) && node < pattern->row_count; node++)
            memcpy(blocks + (size_t)LT_BLOCK_STRIDE * (member->row + node),
                   member->system.blocks + (size_t)LT_BLOCK_STRIDE * pattern->diagonal[node],
                   LT_BLOCK_STRIDE * sizeof *blocks);
    }
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[island->couplings[i]];
        lt_sides sides = lt_coupling_sides(island, c);
        if (!c->active || !is_ours(sides)) continue;
        gains g = gains_of(c, s->advance->dt);
        add_to_diagonal(blocks, sides.a, &c->a, c, g);
        if (sides.b) add_to_diagonal(blocks, sides.b, &c->b, c, g);
    }
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_member *member = &island->members[m];
        for (uint32_t node = 0; is_implicit(member) && node < member->soft->carrier.node_count; node++) {
            lt_real *block = blocks + (size_t)LT_BLOCK_STRIDE * (member->row + node);
            if (member->soft->pinned[node])
                memset(block, 0, LT_BLOCK_STRIDE * sizeof *block);
            else
                lt_block_invert(block, block);
        }
    }
}

/* ---- right-hand side and start ---- */

/* The part of the right-hand side that no coupling changes: M v + Δt (f_ext + m g + f_el). */
static void assemble_member(const solve *s, const lt_member *member) {
    lt_soft *soft = member->soft;
    lt_real dt = s->advance->dt, alpha = soft->material.mass_damping, beta = soft->material.stiffness_damping;
    lt_real *elastic = at_row(s->island->vectors[PRODUCT], member);
    lt_corotational_assemble(soft, &member->system, 1 + alpha * dt, dt * dt + beta * dt, elastic,
                             s->advance->level);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_rvec3 f = lt_r3_mad(lt_node_get(soft->force, node), s->advance->gravity, soft->mass[node]);
        lt_node_set(soft->force, node,
                    f); /* total external force: the momentum's share of it is needed later */
        lt_rvec3 impulse = lt_r3_scale(lt_r3_add(f, lt_node_get(elastic, node)), dt);
        lt_rvec3 momentum = lt_r3_scale(lt_node_get(soft->v, node), soft->mass[node]);
        lt_node_set(at_row(s->island->vectors[BASE], member), node, lt_r3_add(momentum, impulse));
    }
}

/* The start of the iteration: free bodies fall as they would, the others go on as they were. */
static void start_member(const solve *s, const lt_member *member, bool free) {
    const lt_soft *soft = member->soft;
    lt_real dt = s->advance->dt, drag = 1 / (1 + (lt_real)soft->material.mass_damping * dt);
    lt_real *x = at_row(s->island->vectors[VELOCITY], member);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_rvec3 v = lt_node_get(soft->v, node);
        if (soft->pinned[node])
            v = lt_r3_scale(lt_r3_sub(lt_node_get(soft->pin_target, node), lt_node_get(soft->x, node)),
                            1 / dt);
        else if (free)
            v = lt_r3_scale(lt_r3_mad(v, s->advance->gravity, dt), drag);
        lt_node_set(x, node, v);
    }
}

/* A contact takes part when it would push at the velocity the bodies start from. */
static void start_couplings(const solve *s) {
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        lt_sides sides = lt_coupling_sides(s->island, c);
        if (!is_ours(sides)) continue;
        c->slip = 1;
        c->active = true;
        if (c->kind != LT_COUPLING_CONTACT) continue;
        lt_rvec3 u = lt_r3_sub(row_value(c, sides, s->island->vectors[VELOCITY]), c->partner_velocity);
        lt_real expected = c->depth - s->advance->dt * lt_r3_dot(c->normal, u);
        c->active = c->depth > 0 || expected > 0;
    }
}

/* The reference that residuals are measured against: at least what gravity does in a step. */
static lt_real reference_size(const solve *s) {
    lt_real *r = s->island->vectors[DIRECTION], *z = s->island->vectors[PRECONDITIONED];
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        lt_real per_mass = is_implicit(member) ? s->advance->dt : 0;
        for (uint32_t node = 0; node < member->soft->carrier.node_count; node++)
            lt_node_set(at_row(r, member), node,
                        lt_r3_scale(s->advance->gravity, per_mass * member->soft->mass[node]));
    }
    s->kernels->multiply_diagonal(z, s->island->inverse_diagonal, r, s->island->row_count);
    return s->kernels->dot(r, z, s->island->row_count);
}

/* ---- solving ---- */

/* `reference` grows to the residual of the first start. */
static void run_cg(solve *s, lt_real *reference) {
    const lt_island *island = s->island;
    lt_cg cg = {.row_count = island->row_count, .kernels = s->kernels, .apply = apply_system, .context = s};
    cg.inverse_diagonal = island->inverse_diagonal;
    cg.x = island->vectors[VELOCITY];
    cg.r = island->vectors[RESIDUAL];
    cg.z = island->vectors[PRECONDITIONED];
    cg.p = island->vectors[DIRECTION];
    cg.q = island->vectors[PRODUCT];
    cg.tolerance = 1;
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_soft *soft = island->members[m].soft;
        if (!is_implicit(&island->members[m])) continue;
        cg.tolerance = lt_min_r(cg.tolerance, soft->tolerance);
        cg.max_iterations = lt_max_u32(cg.max_iterations, soft->max_iterations);
    }
    cg.max_iterations = cg.max_iterations > s->iterations ? cg.max_iterations - s->iterations : 0;
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

static void add_coupling_sides(const solve *s, lt_real *rhs) {
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        lt_sides sides = lt_coupling_sides(s->island, c);
        if (!c->active || !is_ours(sides)) continue;
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

/* Lets go of contacts that pull, takes in those that are approached, corrects what friction carries. Returns
 * whether anything changed enough to solve again. */
static bool update_couplings(const solve *s) {
    bool changed = false;
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        lt_sides sides = lt_coupling_sides(s->island, c);
        if (c->kind != LT_COUPLING_CONTACT || !is_ours(sides)) continue;
        lt_rvec3 u = lt_r3_sub(row_value(c, sides, s->island->vectors[VELOCITY]), c->partner_velocity);
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

/* ---- finishing ---- */

/* The final impulse of every coupling, kept inside the cone and never pulling, and the spring it leaves. */
static void settle_couplings(const solve *s) {
    lt_real dt = s->advance->dt;
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        lt_sides sides = lt_coupling_sides(s->island, c);
        if (!is_ours(sides)) continue;
        lt_rvec3 u = lt_r3_sub(row_value(c, sides, s->island->vectors[VELOCITY]), c->partner_velocity);
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

/* Both sides of a coupling get their moment at one point, half-way between their own: friction at two points that
 * have come apart would turn the pair. */
static void add_coupling_moments(const solve *s, const lt_member *member, lt_rvec3 center, lt_twist *t) {
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        lt_sides sides = lt_coupling_sides(s->island, c);
        if (!is_ours(sides) || (sides.a != member && sides.b != member)) continue;
        lt_rvec3 arm = lt_r3_sub(lt_coupling_point(c, sides), center);
        if (sides.a == member) lt_twist_add(t, arm, c->impulse, 1);
        if (sides.b == member) lt_twist_add(t, arm, c->impulse, -1);
    }
}

/* What is missing of the momentum that the impulses say, as a rigid twist on top of the new velocities. Moments are
 * about the centre at the beginning: x' = x + dt v', so that x' × v' = x × v'. */
static void balance_momentum(const solve *s, const lt_member *member) {
    const lt_soft *soft = member->soft;
    lt_real *v = at_row(s->island->vectors[VELOCITY], member);
    lt_rvec3 center = member->center;
    double dt = s->advance->dt, drag = 1 / (1 + soft->material.mass_damping * dt);
    lt_twist wanted = member->due;
    lt_twist_add_momentum(&wanted, soft, soft->v, center);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        lt_twist_add(&wanted, lt_r3_sub(lt_node_get(soft->x, node), center), lt_node_get(soft->force, node),
                     dt);
    add_coupling_moments(s, member, center, &wanted);
    lt_twist found = {{0}, {0}};
    lt_twist_add_momentum(&found, soft, v, center);
    lt_twist missing;
    for (int k = 0; k < 3; k++) {
        missing.linear[k] = wanted.linear[k] * drag - found.linear[k];
        missing.angular[k] = wanted.angular[k] * drag - found.angular[k];
    }
    lt_twist_give(v, soft, center, &missing);
}

static void move_member(const solve *s, const lt_member *member) {
    lt_soft *soft = member->soft;
    const lt_real *x = at_row(s->island->vectors[VELOCITY], member);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_rvec3 v = lt_node_get(x, node);
        lt_node_set(soft->v, node, v);
        lt_node_add(soft->x, node, v, s->advance->dt);
        if (soft->pinned[node]) lt_node_set(soft->x, node, lt_node_get(soft->pin_target, node));
    }
    soft->iterations = s->iterations;
    soft->residual = s->residual;
    soft->drag = lt_r3_scale(lt_soft_momentum(soft), s->advance->dt * (lt_real)soft->material.mass_damping);
}

static bool has_coupling(const solve *s, uint32_t body) {
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        if (c->body_a == body || c->body_b == body) return true;
    }
    return false;
}

void lt_corotational_advance(const lt_advance *advance, const lt_island *island) {
    solve s = {.advance = advance, .island = island, .kernels = lt_sparse_kernels_for(advance->level)};
    uint32_t ours = 0;
    size_t size = 4 * (size_t)island->row_count * sizeof(lt_real);
    for (uint32_t i = 0; i < LT_ISLAND_VECTORS; i++) /* rows of explicit members and fourth lanes stay zero */
        memset(island->vectors[i], 0, size);
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_member *member = &island->members[m];
        if (!is_implicit(member)) continue;
        assemble_member(&s, member);
        start_member(&s, member, member->soft->pin_count == 0 && !has_coupling(&s, member->body));
        ours++;
    }
    if (ours == 0) return;
    start_couplings(&s);
    lt_real reference = 0;
    for (int solves = 0; solves < MAX_SOLVES && !s.cut; solves++) {
        build_preconditioner(&s);
        if (solves == 0) reference = reference_size(&s);
        memcpy(island->vectors[RESIDUAL], island->vectors[BASE], size);
        add_coupling_sides(&s, island->vectors[RESIDUAL]);
        run_cg(&s, &reference);
        if (!update_couplings(&s)) break;
    }
    settle_couplings(&s);
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_member *member = &island->members[m];
        if (!is_implicit(member)) continue;
        if (member->soft->pin_count == 0) balance_momentum(&s, member);
    }
    for (uint32_t m = 0; m < island->member_count;
         m++) /* after all are balanced: that looks at both sides of couplings */
        if (is_implicit(&island->members[m])) move_member(&s, &island->members[m]);
}
