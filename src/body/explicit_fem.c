/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Model explicit-fem: Green strain and viscous stress after O'Brien & Hodgins 1999, fourth-order Runge–Kutta, as
 * the reduced model of the sphere-tree paper (papers/000 §3) uses it.
 *
 * Sub-step: half the time a pressure wave needs for the least altitude, h = ½ a √(ρ/(λ+2μ)). In rest coordinates
 * the wave runs √((3σ²−1)/2) times faster at principal stretch σ, so the step shrinks under stretch; viscous
 * stress adds the limit of diffusion. All explicit bodies of an island take the same sub-steps, so that a
 * coupling between them is one force at one time. Beyond max_substeps the step is cut short and said so. */

#include "body/models.h"

#include <string.h>

/* The vectors of an island. */
enum { START_X, START_V, SUM_X, SUM_V, FORCE, LOADS };

void lt_explicit_plan(lt_soft *soft, lt_real dt) {
    lt_element_work work = {
        .elements = &soft->elements, .x = soft->x, .lambda = soft->lambda, .mu = soft->mu};
    lt_element_kernels_for(LT_LEVEL_SCALAR)->green(&work);
    lt_real altitude = soft->least_altitude;
    lt_real wave = lt_sqrt_r((soft->lambda + 2 * soft->mu) / soft->material.density);
    lt_real faster = lt_max_r(1, (3 * work.stretch_squared - 1) / 2);
    lt_real step = altitude / (2 * wave * lt_sqrt_r(faster));
    lt_real viscosity = soft->material.stiffness_damping;
    if (viscosity > 0) step = lt_min_r(step, altitude * altitude / (4 * viscosity * wave * wave * faster));
    lt_real needed = dt / step;
    soft->planned_substeps = needed < 1 ? 1 : needed < 1e6f ? (uint32_t)needed + 1 : 1000000;
}

static bool is_explicit(const lt_member *member) {
    return member && member->soft->model == LT_MODEL_EXPLICIT_FEM;
}

/* Displacement of a side's point since the step began. Bodies that have not moved yet go on as they were. */
static lt_rvec3 side_displacement(const lt_member *member, const lt_anchor *anchor, lt_real elapsed) {
    if (is_explicit(member))
        return lt_r3_sub(lt_anchor_gather(anchor, member->soft->x),
                         lt_anchor_gather(anchor, member->soft->x_before));
    return lt_r3_scale(lt_anchor_gather(anchor, member->soft->v), elapsed);
}

static lt_rvec3 relative_displacement(const lt_coupling *c, lt_sides sides, lt_real elapsed) {
    lt_rvec3 d =
        lt_r3_sub(side_displacement(sides.a, &c->a, elapsed), lt_r3_scale(c->partner_velocity, elapsed));
    return sides.b ? lt_r3_sub(d, side_displacement(sides.b, &c->b, elapsed)) : d;
}

static lt_rvec3 relative_velocity(const lt_coupling *c, lt_sides sides) {
    lt_rvec3 u = lt_r3_sub(lt_anchor_gather(&c->a, sides.a->soft->v), c->partner_velocity);
    return sides.b ? lt_r3_sub(u, lt_anchor_gather(&c->b, sides.b->soft->v)) : u;
}

/* The side of a coupling that is implicit while the other is explicit. */
static const lt_member *waiting_side(const lt_coupling *c, lt_sides sides, const lt_anchor **anchor) {
    if (!sides.b || is_explicit(sides.a) == is_explicit(sides.b)) return NULL;
    *anchor = is_explicit(sides.a) ? &c->b : &c->a;
    return is_explicit(sides.a) ? sides.b : sides.a;
}

static lt_real absolute(lt_real value) {
    return value < 0 ? -value : value;
}

/* An implicit partner goes on as it was and gets the mean force of the step afterwards. With a = k Δt² W and
 * b = c Δt W such a spring is stable while a + b < 2, W by row sums over all springs of its kind; a ≤ 1, b ≤ ½ are
 * used. Stiffer ones made a cube of 1e6 Pa hop with ½ m/s on one of the other model. */
static void limit_stiffness(const lt_advance *advance, const lt_island *island) {
    lt_real *loads = island->vectors[LOADS];
    memset(loads, 0, 4 * (size_t)island->row_count * sizeof *loads);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < island->coupling_count; i++) {
            lt_coupling *c = &advance->couplings[island->couplings[i]];
            const lt_anchor *anchor = NULL;
            const lt_member *member = waiting_side(c, lt_coupling_sides(island, c), &anchor);
            lt_real w = 0;
            for (uint32_t k = 0; member && k < anchor->count; k++) {
                lt_real *load = loads + 4 * (size_t)(member->row + anchor->ids[k]);
                if (pass == 0) *load += absolute(anchor->weights[k]);
                w +=
                    absolute(anchor->weights[k]) * *load * lt_soft_inverse_mass(member->soft, anchor->ids[k]);
            }
            lt_real dt = advance->dt, a = c->stiffness * dt * dt * w, b;
            c->stiffness_used = a > 1 ? c->stiffness / a : c->stiffness;
            c->damping_used = a > 1 ? c->damping / lt_sqrt_r(a) : c->damping;
            b = c->damping_used * dt * w;
            if (b > (lt_real)0.5) c->damping_used *= (lt_real)0.5 / b;
        }
}

/* The contact law: f_n = max(0, k d − c u_n); f_t = −k τ − c u_t inside the cone |f_t| ≤ μ f_n. */
static lt_rvec3 contact_force(const lt_coupling *c, lt_rvec3 displacement, lt_rvec3 u, lt_rvec3 *stick) {
    lt_rvec3 n = c->normal;
    lt_real depth = c->depth - lt_r3_dot(n, displacement);
    lt_real normal_speed = lt_r3_dot(n, u);
    lt_real push = depth > 0 ? lt_max_r(0, c->stiffness_used * depth - c->damping_used * normal_speed) : 0;
    lt_rvec3 moved = lt_r3_sub(displacement, c->slid);
    lt_rvec3 tau = lt_r3_add(c->stick, lt_r3_mad(moved, n, -lt_r3_dot(moved, n)));
    tau = lt_r3_mad(tau, n, -lt_r3_dot(tau, n));
    lt_rvec3 slide = lt_r3_mad(u, n, -normal_speed);
    lt_rvec3 drag = lt_r3_mad(lt_r3_scale(tau, -c->stiffness_used), slide, -c->damping_used);
    lt_real size = lt_r3_length(drag), most = c->friction * push;
    if (size > most) drag = lt_r3_scale(drag, size > 0 ? most / size : 0);
    /* What the spring may hold: so much that its force, with the damper's, is the friction there is. */
    lt_rvec3 held = lt_r3_scale(lt_r3_mad(drag, slide, c->damping_used),
                                c->stiffness_used > 0 ? -1 / c->stiffness_used : 0);
    *stick = push > 0 ? (size > most ? held : tau) : (lt_rvec3){0, 0, 0};
    return lt_r3_mad(drag, n, push);
}

static lt_rvec3 tether_force(const lt_coupling *c, lt_rvec3 displacement, lt_rvec3 u) {
    return lt_r3_neg(
        lt_r3_mad(lt_r3_scale(lt_r3_add(c->offset, displacement), c->stiffness_used), u, c->damping_used));
}

/* The momentum a coupling gives, at one point for both sides. An implicit partner is handed the impulse at its own
 * point as it was at the beginning: of its moment only the rest is kept. */
static void add_moment(lt_member *member, const lt_anchor *anchor, lt_rvec3 point, lt_rvec3 f, double share) {
    if (is_explicit(member)) {
        lt_twist_add(&member->due, lt_r3_sub(point, member->center), f, share);
        return;
    }
    lt_twist rest = {{0}, {0}};
    lt_twist_add(&rest, lt_r3_sub(point, lt_anchor_gather(anchor, member->soft->x)), f, share);
    for (int k = 0; k < 3; k++)
        member->due.angular[k] += rest.angular[k];
}

static void add_moments(const lt_coupling *c, lt_sides sides, lt_rvec3 f, double share) {
    lt_rvec3 point = lt_coupling_point(c, sides);
    add_moment(sides.a, &c->a, point, f, share);
    if (sides.b) add_moment(sides.b, &c->b, point, lt_r3_neg(f), share);
}

static void add_coupling_forces(const lt_advance *advance, const lt_island *island, lt_real elapsed,
                                lt_real impulse_share) {
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        lt_coupling *c = &advance->couplings[island->couplings[i]];
        lt_sides sides = lt_coupling_sides(island, c);
        if (!is_explicit(sides.a) && !is_explicit(sides.b)) continue;
        lt_rvec3 displacement = relative_displacement(c, sides, elapsed), u = relative_velocity(c, sides),
                 stick;
        lt_rvec3 f = c->kind == LT_COUPLING_CONTACT ? contact_force(c, displacement, u, &stick)
                                                    : tether_force(c, displacement, u);
        c->impulse = lt_r3_mad(c->impulse, f, impulse_share);
        add_moments(c, sides, f, impulse_share);
        if (is_explicit(sides.a))
            lt_anchor_scatter(&c->a, island->vectors[FORCE] + 4 * (size_t)sides.a->row, f);
        if (is_explicit(sides.b))
            lt_anchor_scatter(&c->b, island->vectors[FORCE] + 4 * (size_t)sides.b->row, lt_r3_neg(f));
    }
}

/* After a sub-step: the springs of friction hold what the cone lets them. */
static void update_sticks(const lt_advance *advance, const lt_island *island, lt_real elapsed) {
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        lt_coupling *c = &advance->couplings[island->couplings[i]];
        lt_sides sides = lt_coupling_sides(island, c);
        if (c->kind != LT_COUPLING_CONTACT || (!is_explicit(sides.a) && !is_explicit(sides.b))) continue;
        lt_rvec3 displacement = relative_displacement(c, sides, elapsed), stick;
        contact_force(c, displacement, relative_velocity(c, sides), &stick);
        c->stick = stick;
        c->slid = displacement;
    }
}

static lt_rvec3 pin_velocity(const lt_soft *soft, uint32_t node, lt_real dt) {
    return lt_r3_scale(lt_r3_sub(lt_node_get(soft->pin_target, node), lt_node_get(soft->x_before, node)),
                       1 / dt);
}

/* Forces from outside: given ones, weight, and drag as far as momentum is concerned. */
static void start_forces(const lt_advance *advance, lt_member *member, lt_real *force,
                         lt_real impulse_share) {
    const lt_soft *soft = member->soft;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_rvec3 f = lt_r3_mad(lt_node_get(soft->force, node), advance->gravity, soft->mass[node]);
        lt_node_set(force, node, f);
        f = lt_r3_mad(f, lt_node_get(soft->v, node),
                      -soft->mass[node] * (lt_real)soft->material.mass_damping);
        lt_twist_add(&member->due, lt_r3_sub(lt_node_get(soft->x, node), member->center), f, impulse_share);
    }
}

static void compute_forces(const lt_advance *advance, const lt_island *island, lt_real elapsed,
                           lt_real impulse_share) {
    for (uint32_t m = 0; m < island->member_count; m++) {
        lt_member *member = &island->members[m];
        if (!is_explicit(member)) continue;
        lt_soft *soft = member->soft;
        lt_real *force = island->vectors[FORCE] + 4 * (size_t)member->row;
        start_forces(advance, member, force, impulse_share);
        lt_element_work work = {.elements = &soft->elements,
                                .x = soft->x,
                                .v = soft->v,
                                .lambda = soft->lambda,
                                .mu = soft->mu,
                                .viscosity = soft->material.stiffness_damping,
                                .force = force};
        lt_element_kernels_for(advance->level)->green(&work);
        soft->inverted_count = work.inverted_count;
    }
    add_coupling_forces(advance, island, elapsed, impulse_share);
}

/* One stage of RK4 for a node: accumulates the slope with `weight` and places it for the next stage. */
static void stage_node(const lt_advance *advance, const lt_island *island, const lt_member *member,
                       uint32_t node, lt_real weight, lt_real next) {
    lt_soft *soft = member->soft;
    uint32_t row = member->row + node;
    lt_rvec3 v = lt_node_get(soft->v, node), a = {0, 0, 0};
    if (soft->pinned[node])
        v = pin_velocity(soft, node, advance->dt);
    else
        a = lt_r3_mad(lt_r3_scale(lt_node_get(island->vectors[FORCE], row), 1 / soft->mass[node]), v,
                      -(lt_real)soft->material.mass_damping);
    lt_node_add(island->vectors[SUM_X], row, v, weight);
    lt_node_add(island->vectors[SUM_V], row, a, weight);
    if (!soft->pinned[node])
        soft->drag =
            lt_r3_mad(soft->drag, v, weight * soft->mass[node] * (lt_real)soft->material.mass_damping);
    if (next <= 0) {
        lt_node_set(soft->x, node, lt_node_get(island->vectors[SUM_X], row));
        lt_node_set(soft->v, node, soft->pinned[node] ? v : lt_node_get(island->vectors[SUM_V], row));
        return;
    }
    lt_node_set(soft->x, node, lt_r3_mad(lt_node_get(island->vectors[START_X], row), v, next));
    lt_node_set(soft->v, node, lt_r3_mad(lt_node_get(island->vectors[START_V], row), a, next));
}

static void begin_substep(const lt_island *island) {
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_member *member = &island->members[m];
        if (!is_explicit(member)) continue;
        for (uint32_t node = 0; node < member->soft->carrier.node_count; node++) {
            lt_rvec3 x = lt_node_get(member->soft->x, node), v = lt_node_get(member->soft->v, node);
            lt_node_set(island->vectors[START_X], member->row + node, x);
            lt_node_set(island->vectors[SUM_X], member->row + node, x);
            lt_node_set(island->vectors[START_V], member->row + node, v);
            lt_node_set(island->vectors[SUM_V], member->row + node, v);
        }
    }
}

static void run_substep(const lt_advance *advance, const lt_island *island, lt_real begin, lt_real h) {
    const lt_real weights[4] = {h / 6, h / 3, h / 3, h / 6};
    const lt_real nexts[4] = {h / 2, h / 2, h, 0};
    const lt_real times[4] = {0, h / 2, h / 2, h};
    begin_substep(island);
    for (int stage = 0; stage < 4; stage++) {
        compute_forces(advance, island, begin + times[stage], weights[stage]);
        for (uint32_t m = 0; m < island->member_count; m++) {
            const lt_member *member = &island->members[m];
            for (uint32_t node = 0; is_explicit(member) && node < member->soft->carrier.node_count; node++)
                stage_node(advance, island, member, node, weights[stage], nexts[stage]);
        }
    }
    update_sticks(advance, island, begin + h);
}

/* Runge–Kutta keeps angular momentum to the fourth order only: what is missing is put back. */
static void balance_momentum(const lt_member *member) {
    lt_soft *soft = member->soft;
    lt_twist found = {{0}, {0}}, missing;
    lt_twist_add_momentum(&found, soft, soft->v, member->center);
    for (int k = 0; k < 3; k++) {
        missing.linear[k] = member->due.linear[k] - found.linear[k];
        missing.angular[k] = member->due.angular[k] - found.angular[k];
    }
    lt_twist_give(soft->v, soft, member->center, &missing);
}

/* An implicit partner has been waited for: it receives the mean force of the sub-steps. */
static void hand_over_impulses(const lt_advance *advance, const lt_island *island) {
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        const lt_coupling *c = &advance->couplings[island->couplings[i]];
        lt_sides sides = lt_coupling_sides(island, c);
        const lt_anchor *anchor = NULL;
        const lt_member *member = waiting_side(c, sides, &anchor);
        if (!member) continue;
        lt_real sign = member == sides.a ? 1 : -1;
        lt_anchor_scatter(anchor, member->soft->force, lt_r3_scale(c->impulse, sign / advance->dt));
    }
}

/* Sums of sub-steps bring pins to their targets but for roundings. */
static void place_pins(lt_soft *soft) {
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        if (soft->pinned[node]) lt_node_set(soft->x, node, lt_node_get(soft->pin_target, node));
}

void lt_explicit_advance(const lt_advance *advance, const lt_island *island) {
    uint32_t needed = 0, most = UINT32_MAX;
    for (uint32_t m = 0; m < island->member_count; m++) {
        lt_member *member = &island->members[m];
        if (!is_explicit(member)) continue;
        lt_twist_add_momentum(&member->due, member->soft, member->soft->v, member->center);
        needed = lt_max_u32(needed, member->soft->planned_substeps);
        most = lt_min_u32(most, member->soft->max_substeps);
    }
    if (needed == 0) return;
    limit_stiffness(advance, island);
    lt_real h = advance->dt / (lt_real)needed;
    uint32_t count = lt_min_u32(needed, most);
    for (uint32_t i = 0; i < count; i++)
        run_substep(advance, island, (lt_real)i * h, h);
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_member *member = &island->members[m];
        if (!is_explicit(member)) continue;
        if (member->soft->pin_count == 0)
            balance_momentum(member);
        else if (count == needed)
            place_pins(member->soft);
        member->soft->substeps = count;
        member->soft->time_lost = count < needed ? advance->dt - (lt_real)count * h : 0;
    }
    hand_over_impulses(advance, island);
}
