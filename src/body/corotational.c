/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Model corotational: linear elasticity in frames that turn with each tet (Müller & Gross 2004), implicit Euler.
 *
 *   A v' = M v + Δt (f_ext + f_el(x)) + what the couplings do,   A = (1 + αΔt) M + (Δt² + βΔt) K
 *
 * One system per island, solved with its contacts in implicit_solve.c.
 *
 * After the solve each free body gets the rigid twist (six unknowns) that makes its linear and angular momentum
 * exactly what the impulses say: conjugate gradients stopped early, and linearised rotations, would otherwise lose
 * some. Elastic forces add none: with R from the polar decomposition their sum and their moment vanish. */

#include "body/multigrid.h"

#include <string.h>

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

void lt_corotational_add_tet(const lt_soft *soft, const lt_real *rotated, uint32_t tet, lt_real volume,
                             lt_real *blocks) {
    LT_ASSERT(tet < soft->carrier.tet_count);
    lt_real h[4][4];
    gather_gradients(h, rotated + 9 * LT_GROUP * (size_t)(tet / LT_GROUP), tet % LT_GROUP);
    const uint32_t *entries = soft->carrier.entries + 16 * (size_t)tet;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            add_block(blocks + (size_t)LT_BLOCK_STRIDE * entries[4 * i + j], h[i], h[j],
                      volume * soft->lambda, volume * soft->mu);
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
    for (uint32_t tet = 0; tet < carrier->tet_count; tet++)
        lt_corotational_add_tet(soft, system->rotated, tet, soft->elements.volumes[tet] * stiffness_factor,
                                system->blocks);
    for (uint32_t node = 0; node < carrier->node_count; node++)
        for (int k = 0; k < 3; k++)
            system->blocks[(size_t)LT_BLOCK_STRIDE * carrier->pattern.diagonal[node] + (size_t)(5 * k)] +=
                mass_factor * soft->mass[node];
}

static void assemble(lt_soft *soft, const lt_system *system, lt_real mass_factor, lt_real stiffness_factor,
                     lt_real *force, lt_simd_level level) {
    (soft->grid ? lt_grid_assemble : lt_corotational_assemble)(soft, system, mass_factor, stiffness_factor,
                                                               force, level);
}

/* ---- right-hand side and start ---- */

/* The part of the right-hand side that no coupling changes: M v + Δt (f_ext + m g + f_el). */
static void assemble_member(const lt_implicit *s, const lt_member *member) {
    lt_soft *soft = member->soft;
    lt_real dt = s->advance->dt, alpha = soft->material.mass_damping, beta = soft->material.stiffness_damping;
    lt_real *elastic = lt_member_rows(s->island->vectors[LT_VECTOR_PRODUCT], member);
    assemble(soft, &member->system, 1 + alpha * dt, dt * dt + beta * dt, elastic, s->advance->level);
    if (soft->grid) lt_grid_pull_loads(soft, soft->force);
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        lt_rvec3 f = lt_r3_mad(lt_node_get(soft->force, node), s->advance->gravity, soft->mass[node]);
        lt_node_set(soft->force, node,
                    f); /* total external force: the momentum's share of it is needed later */
        lt_rvec3 impulse = lt_r3_scale(lt_r3_add(f, lt_node_get(elastic, row)), dt);
        lt_rvec3 momentum = lt_r3_scale(lt_node_get(soft->v, node), soft->mass[node]);
        lt_node_set(lt_member_rows(s->island->vectors[LT_VECTOR_BASE], member), row,
                    lt_r3_add(momentum, impulse));
    }
}

/* A node that nothing holds falls. */
static lt_rvec3 fall_of(const lt_implicit *s, const lt_soft *soft, uint32_t node) {
    LT_ASSERT(node < soft->carrier.node_count);
    lt_real dt = s->advance->dt, drag = 1 / (1 + (lt_real)soft->material.mass_damping * dt);
    return lt_r3_scale(lt_r3_mad(lt_node_get(soft->v, node), s->advance->gravity, dt), drag);
}

/* The start of the iteration: free bodies fall as they would, and as they did if that is remembered; the others go on as they
 * were. */
static void start_member(const lt_implicit *s, const lt_member *member, bool free) {
    const lt_soft *soft = member->soft;
    lt_real *x = lt_member_rows(s->island->vectors[LT_VECTOR_VELOCITY], member);
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        lt_rvec3 v = free ? fall_of(s, soft, node) : lt_node_get(soft->v, node);
        if (soft->pinned[node])
            v = lt_r3_scale(lt_r3_sub(lt_node_get(soft->pin_target, node), lt_node_get(soft->x, node)),
                            1 / s->advance->dt);
        lt_node_set(x, row, v);
    }
    if (!soft->grid || !free || soft->as_printed) return;
    lt_real *const scratch[3] = {lt_member_rows(s->island->vectors[LT_VECTOR_DIRECTION], member),
                                 lt_member_rows(s->island->vectors[LT_VECTOR_PRODUCT], member),
                                 lt_member_rows(s->island->vectors[LT_VECTOR_RESIDUAL], member)};
    lt_grid_improve_start(soft, &member->system, x,
                          lt_member_rows(s->island->vectors[LT_VECTOR_BASE], member), scratch,
                          s->advance->level);
}

/* Both sides of a coupling get their moment at one point, half-way between their own: friction at two points that
 * have come apart would turn the pair. */
static void add_coupling_moments(const lt_implicit *s, const lt_member *member, lt_rvec3 center,
                                 lt_twist *t) {
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        lt_sides sides = lt_coupling_sides(s->island, c);
        if (!lt_is_implicit_pair(sides) || (sides.a != member && sides.b != member)) continue;
        lt_rvec3 arm = lt_r3_sub(lt_coupling_point(c, sides), center);
        if (sides.a == member) lt_twist_add(t, arm, c->impulse, 1);
        if (sides.b == member) lt_twist_add(t, arm, c->impulse, -1);
    }
}

/* Momentum a member has without its couplings (own), that they say they give it (given), and that the new velocities
 * have (found), drag taken out. Moments are about the centre at the beginning: x' = x + dt v', so that
 * x' × v' = x × v'. */
typedef struct account {
    lt_twist own, given, found;
} account;

static account account_of(const lt_implicit *s, const lt_member *member) {
    const lt_soft *soft = member->soft;
    const lt_real *v = lt_member_rows(s->island->vectors[LT_VECTOR_VELOCITY], member);
    double dt = s->advance->dt, drag = 1 + soft->material.mass_damping * dt;
    account a = {.own = member->due};
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        lt_rvec3 arm = lt_r3_sub(lt_node_get(soft->x, node), member->center);
        lt_twist_add(&a.own, arm, lt_node_get(soft->v, node), soft->mass[node]);
        lt_twist_add(&a.found, arm, lt_node_get(v, row), soft->mass[node]);
    }
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        lt_twist_add(&a.own, lt_r3_sub(lt_node_get(soft->x, node), member->center),
                     lt_node_get(soft->force, node), dt);
    }
    add_coupling_moments(s, member, member->center, &a.given);
    for (int k = 0; k < 3; k++) {
        a.found.linear[k] *= drag;
        a.found.angular[k] *= drag;
    }
    return a;
}

/* A solve that was cut short says impulses its velocities do not have: taken at their word they would throw bodies
 * about. The share of them that fits the velocities best, one number for the whole island, keeps action equal to
 * reaction and leaves little to be balanced. */
static void shrink_impulses(const lt_implicit *s) {
    double fitting = 0, squared = 0;
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        if (!lt_is_implicit(member) || member->soft->pin_count > 0) continue;
        account a = account_of(s, member);
        double per_length = 1 / (double)member->soft->size;
        for (int k = 0; k < 3; k++) {
            double linear = a.given.linear[k], angular = a.given.angular[k] * per_length;
            fitting += (a.found.linear[k] - a.own.linear[k]) * linear +
                       (a.found.angular[k] - a.own.angular[k]) * per_length * angular;
            squared += linear * linear + angular * angular;
        }
    }
    lt_real share = squared > 0 ? (lt_real)lt_max_d(0, lt_min_d(1, fitting / squared)) : 0;
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        if (lt_is_implicit_pair(lt_coupling_sides(s->island, c))) c->impulse = lt_r3_scale(c->impulse, share);
    }
}

/* What is missing of the momentum that the impulses say, as a rigid twist on top of the new velocities. */
static void balance_momentum(const lt_implicit *s, const lt_member *member) {
    account a = account_of(s, member);
    double drag = 1 / (1 + member->soft->material.mass_damping * (double)s->advance->dt);
    lt_twist missing;
    for (int k = 0; k < 3; k++) {
        missing.linear[k] = (a.own.linear[k] + a.given.linear[k] - a.found.linear[k]) * drag;
        missing.angular[k] = (a.own.angular[k] + a.given.angular[k] - a.found.angular[k]) * drag;
    }
    lt_rigid rigid = lt_soft_rigid(member->soft, member->center);
    lt_screw gain = lt_rigid_gain(&rigid, &missing);
    lt_real *v = lt_member_rows(s->island->vectors[LT_VECTOR_VELOCITY], member);
    for (uint32_t row = 0; row < member->row_count; row++) {
        lt_rvec3 x = lt_node_get(member->soft->x, lt_row_node(member->nodes, row));
        lt_node_add(v, row, lt_screw_at(&gain, lt_r3_sub(x, member->center)), 1);
    }
}

static void move_member(const lt_implicit *s, const lt_member *member) {
    lt_soft *soft = member->soft;
    const lt_real *x = lt_member_rows(s->island->vectors[LT_VECTOR_VELOCITY], member);
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        lt_rvec3 v = lt_node_get(x, row);
        if (soft->grid) lt_grid_remember_gain(soft, row, v, fall_of(s, soft, node));
        lt_node_set(soft->v, node, v);
        lt_node_add(soft->x, node, v, s->advance->dt);
        if (soft->pinned[node]) lt_node_set(soft->x, node, lt_node_get(soft->pin_target, node));
    }
    if (soft->grid) lt_soft_follow(soft);
    soft->iterations = s->iterations;
    soft->residual = s->residual;
    /* In double: the momentum may be beyond float where its share is not. */
    double share = (double)(s->advance->dt * (lt_real)soft->material.mass_damping);
    lt_dvec3 drag = lt_d3_scale(lt_soft_exact_momentum(soft), share);
    soft->drag = (lt_rvec3){(lt_real)drag.x, (lt_real)drag.y, (lt_real)drag.z};
}

/* A solver that is cut short cannot carry stiff contacts: they get softer at once, and firm again slowly. */
static void adapt_firmness(const lt_implicit *s, const lt_member *member) {
    lt_real firmness = *member->soft->firmness;
    firmness = s->settled ? firmness * (lt_real)1.125 : firmness / 2;
    *member->soft->firmness = lt_max_r(1, lt_min_r(LT_FIRMNESS, firmness));
}

static bool has_coupling(const lt_implicit *s, uint32_t body) {
    for (uint32_t i = 0; i < s->island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[s->island->couplings[i]];
        if (c->body_a == body || c->body_b == body) return true;
    }
    return false;
}

void lt_corotational_advance(const lt_advance *advance, const lt_island *island) {
    lt_implicit s = {.advance = advance, .island = island, .kernels = lt_sparse_kernels_for(advance->level)};
    uint32_t ours = 0;
    size_t size = 4 * (size_t)island->row_count * sizeof(lt_real);
    for (uint32_t i = 0; i < LT_ISLAND_VECTORS; i++) /* rows of explicit members and fourth lanes stay zero */
        memset(island->vectors[i], 0, size);
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_member *member = &island->members[m];
        if (!lt_is_implicit(member)) continue;
        assemble_member(&s, member);
        start_member(&s, member, member->soft->pin_count == 0 && !has_coupling(&s, member->body));
        ours++;
    }
    if (ours == 0) return;
    (lt_fas_serves(island) ? lt_fas_solve : lt_implicit_solve)(&s);
    if (!s.settled) shrink_impulses(&s);
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_member *member = &island->members[m];
        if (lt_is_implicit(member) && member->soft->pin_count == 0) balance_momentum(&s, member);
    }
    /* Only now: balancing looks at both sides of couplings. */
    for (uint32_t m = 0; m < island->member_count; m++)
        if (lt_is_implicit(&island->members[m])) {
            move_member(&s, &island->members[m]);
            adapt_firmness(&s, &island->members[m]);
        }
}
