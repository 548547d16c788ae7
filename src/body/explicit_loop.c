/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The sub-steps of all explicit bodies of an island, whatever their model: those of an island are equal, so that a
 * coupling between two bodies is one force at one time; the shortest that any of them needs. Beyond max_substeps they are
 * cut, and bodies go on as rigid things for the rest of the step (explicit_rest.c): shapes lose time, and it is said so.
 *
 *   explicit-fem       fourth-order Runge–Kutta: four stages
 *   lattice-springs    symplectic Euler, v += h f/m, x += h v: one stage. Beside explicit-fem bodies they stay in place
 *   lattice-matching   over the four stages and then go the whole sub-step with the mean force
 *
 * A model only adds its forces. Weight, couplings, pins and momentum are the same for all; drag is that of the new velocity
 * where steps are of Euler, v += h (f/m − α v'), and takes nothing of what is stable (models.h). */

#include "body/models.h"

#include <string.h>

/* The vectors of an island. */
enum { START_X, START_V, SUM_X, SUM_V, FORCE, LOADS };

/* It takes sub-steps. */
static bool is_explicit(const lt_member *member) {
    return member && !member->staged;
}

/* Its model does. */
static bool has_substeps(const lt_member *member) {
    return member && lt_soft_is_explicit(member->soft);
}

static lt_rvec3 relative_velocity(const lt_coupling *c, lt_sides sides) {
    lt_rvec3 u = lt_r3_sub(lt_anchor_gather(&c->a, sides.a->soft->v), c->partner_velocity);
    return sides.b ? lt_r3_sub(u, lt_anchor_gather(&c->b, sides.b->soft->v)) : u;
}

/* The side of a coupling that is implicit while the other is explicit. */
static lt_member *waiting_side(const lt_coupling *c, lt_sides sides, const lt_anchor **anchor) {
    if (!sides.b || has_substeps(sides.a) == has_substeps(sides.b)) return NULL;
    *anchor = has_substeps(sides.a) ? &c->b : &c->a;
    return has_substeps(sides.a) ? sides.b : sides.a;
}

static lt_real absolute(lt_real value) {
    return value < 0 ? -value : value;
}

/* ---- how stiff couplings may be ---- */

/* Every side that is limited adds its weights to its rows: B. */
static void add_loads(const lt_island *island, const lt_member *member, const lt_anchor *anchor,
                      const uint32_t *rows) {
    if (!member) return;
    for (uint32_t k = 0; k < anchor->count; k++)
        island->vectors[LOADS][4 * (size_t)rows[k]] += absolute(anchor->weights[k]);
}

/* W = Σ |w| B / m: what all couplings together do to the point, by row sums; at least Σ w²/m. */
static lt_real loaded_inverse_mass(const lt_island *island, const lt_member *member, const lt_anchor *anchor,
                                   const uint32_t *rows) {
    lt_real sum = 0;
    if (!member) return 0;
    for (uint32_t k = 0; k < anchor->count; k++)
        sum += absolute(anchor->weights[k]) * island->vectors[LOADS][4 * (size_t)rows[k]] *
               lt_soft_inverse_mass(member->soft, anchor->ids[k]);
    return sum;
}

/* An implicit partner goes on as it was and gets the mean force of the step afterwards. With a = k Δt² W and
 * b = c Δt W such a spring is stable while a + b < 2, W by row sums over all springs of its kind; a ≤ 1, b ≤ ½ are
 * used. Stiffer ones made a cube of 1e6 Pa hop with ½ m/s on one of the other model. */
static void limit_to_waiting(lt_coupling *c, lt_real dt, lt_real w) {
    LT_ASSERT(dt >= 0);
    lt_real a = c->stiffness_used * dt * dt * w, b;
    if (a > 1) {
        c->stiffness_used /= a;
        c->damping_used /= lt_sqrt_r(a);
    }
    b = c->damping_used * dt * w;
    if (b > (lt_real)0.5) c->damping_used *= (lt_real)0.5 / b;
}

/* The room that a lattice leaves to couplings (lt_lattice_room), 1.8 or more, is for a + 2b, with a = k h² W and b = c h W.
 * Stiffness has 5/9 of it, which is a ≤ 1 at least; damping has the rest. */
static void limit_to_room(lt_coupling *c, lt_real h, lt_real w, lt_real room) {
    LT_ASSERT(h > 0);
    lt_real most = room * (lt_real)(5.0 / 9);
    lt_real a = c->stiffness_used * h * h * w, b = c->damping_used * h * w;
    if (a > most) {
        c->stiffness_used *= most / a;
        a = most;
    }
    if (a + 2 * b > room) c->damping_used *= (room - a) / (2 * b);
}

static lt_real room_beside(const lt_member *member, lt_real h) {
    LT_ASSERT(h > 0);
    return member && lt_model_is_of_cells(member->soft->model) ? lt_lattice_room(member->soft, h)
                                                               : LT_NO_LIMIT;
}

static void limit_coupling(const lt_advance *advance, const lt_island *island, lt_coupling *c, lt_real h) {
    LT_ASSERT(h > 0);
    lt_sides sides = lt_coupling_sides(island, c);
    const lt_anchor *anchor = NULL;
    const lt_member *waiting = waiting_side(c, sides, &anchor);
    lt_real room = lt_min_r(room_beside(sides.a, h), room_beside(sides.b, h)), w = 0;
    if (waiting) {
        const uint32_t *rows = anchor == &c->a ? c->rows_a : c->rows_b;
        limit_to_waiting(c, advance->dt, loaded_inverse_mass(island, waiting, anchor, rows));
    }
    if (room >= LT_NO_LIMIT) return;
    if (has_substeps(sides.a)) w += loaded_inverse_mass(island, sides.a, &c->a, c->rows_a);
    if (has_substeps(sides.b)) w += loaded_inverse_mass(island, sides.b, &c->b, c->rows_b);
    if (w > 0) limit_to_room(c, h, w, room);
}

/* Of bodies that move as rigid things in this step, too: their contacts are what they are in others, and bear them as deep. */
static void limit_stiffness(const lt_advance *advance, const lt_island *island, lt_real h) {
    LT_ASSERT(h > 0);
    memset(island->vectors[LOADS], 0, 4 * (size_t)island->row_count * sizeof(lt_real));
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        const lt_coupling *c = &advance->couplings[island->couplings[i]];
        lt_sides sides = lt_coupling_sides(island, c);
        if (!has_substeps(sides.a) && !has_substeps(sides.b)) continue;
        add_loads(island, sides.a, &c->a, c->rows_a);
        add_loads(island, sides.b, &c->b, c->rows_b);
    }
    for (uint32_t i = 0; i < island->coupling_count; i++)
        limit_coupling(advance, island, &advance->couplings[island->couplings[i]], h);
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

/* The momentum a coupling gives, at one point for both sides. */
static void add_moment(lt_member *member, const lt_anchor *anchor, lt_rvec3 point, lt_rvec3 f, double share) {
    if (is_explicit(member))
        lt_twist_add(&member->due, lt_r3_sub(point, member->center), f, share);
    else
        lt_coupling_add_moment(member, anchor, point, f, share);
}

static void add_moments(const lt_coupling *c, lt_sides sides, lt_rvec3 f, double share) {
    lt_rvec3 point = lt_coupling_point(c, sides);
    add_moment(sides.a, &c->a, point, f, share);
    if (sides.b)
        add_moment(sides.b, &c->b, lt_soft_seen_from(sides.b->soft, sides.a->soft, point), lt_r3_neg(f),
                   share);
}

static void add_coupling_forces(const lt_advance *advance, const lt_island *island, lt_real elapsed,
                                lt_real impulse_share) {
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        lt_coupling *c = &advance->couplings[island->couplings[i]];
        lt_sides sides = lt_coupling_sides(island, c);
        if (!is_explicit(sides.a) && !is_explicit(sides.b)) continue;
        lt_rvec3 displacement = lt_coupling_displacement(c, sides, elapsed), u = relative_velocity(c, sides),
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
        lt_rvec3 displacement = lt_coupling_displacement(c, sides, elapsed), stick;
        contact_force(c, displacement, relative_velocity(c, sides), &stick);
        c->stick = stick;
        c->slid = displacement;
    }
}

static lt_rvec3 pin_velocity(const lt_soft *soft, uint32_t node, lt_real dt) {
    LT_ASSERT(node < soft->carrier.node_count);
    LT_ASSERT(dt >= 0);
    return lt_r3_scale(lt_r3_sub(lt_node_get(soft->pin_target, node), lt_node_get(soft->x_before, node)),
                       1 / dt);
}

static bool is_euler(const lt_soft *soft) {
    return soft->model != LT_MODEL_EXPLICIT_FEM;
}

/* Forces from outside: given ones, weight, and the drag of stages as far as momentum is concerned. */
static void start_forces(const lt_advance *advance, lt_member *member, lt_real *force,
                         lt_real impulse_share) {
    const lt_soft *soft = member->soft;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_rvec3 f = lt_r3_mad(lt_node_get(soft->force, node), advance->gravity, soft->mass[node]);
        lt_node_set(force, node, f);
        if (!is_euler(soft))
            f = lt_r3_mad(f, lt_node_get(soft->v, node),
                          -soft->mass[node] * (lt_real)soft->material.mass_damping);
        lt_twist_add(&member->due, lt_r3_sub(lt_node_get(soft->x, node), member->center), f, impulse_share);
    }
}

static void add_own_forces(lt_soft *soft, lt_real *force, lt_real h, lt_simd_level level) {
    LT_ASSERT(h > 0);
    if (soft->model == LT_MODEL_EXPLICIT_FEM) lt_fem_add_forces(soft, force, level);
    if (soft->model == LT_MODEL_LATTICE_SPRINGS) lt_springs_add_forces(soft, force, h, level);
    if (soft->model == LT_MODEL_LATTICE_MATCHING) lt_matching_add_forces(soft, force, h, level);
}

static void compute_forces(const lt_advance *advance, const lt_island *island, lt_real elapsed,
                           lt_real impulse_share, lt_real h) {
    LT_ASSERT(h > 0);
    for (uint32_t m = 0; m < island->member_count; m++) {
        lt_member *member = &island->members[m];
        if (!is_explicit(member)) continue;
        lt_soft *soft = member->soft;
        lt_real *force = island->vectors[FORCE] + 4 * (size_t)member->row;
        start_forces(advance, member, force, impulse_share);
        add_own_forces(soft, force, h, advance->level);
    }
    add_coupling_forces(advance, island, elapsed, impulse_share);
}

typedef struct stage {
    lt_real weight; /* of its slope in the sub-step */
    lt_real next; /* time after the beginning of the sub-step where the next stage is; 0: this was the last */
    lt_real time; /* where it is itself */
    lt_real h;    /* of the whole sub-step */
} stage;

/* Moves a node to where the next stage, or the next sub-step, begins. */
static void place_node(const lt_island *island, lt_soft *soft, uint32_t row, uint32_t node, const stage *s,
                       lt_rvec3 v, lt_rvec3 a) {
    LT_ASSERT(node < soft->carrier.node_count);
    lt_rvec3 start_x = lt_node_get(island->vectors[START_X], row);
    bool euler = is_euler(soft);
    if (s->next > 0) {
        if (euler) return;
        lt_node_set(soft->x, node, lt_r3_mad(start_x, v, s->next));
        lt_node_set(soft->v, node, lt_r3_mad(lt_node_get(island->vectors[START_V], row), a, s->next));
        return;
    }
    if (!soft->pinned[node]) v = lt_node_get(island->vectors[SUM_V], row);
    lt_node_set(soft->x, node,
                euler ? lt_r3_mad(start_x, v, s->h) : lt_node_get(island->vectors[SUM_X], row));
    lt_node_set(soft->v, node, v);
}

/* Mean of the drag over a stage, per mass: of the velocity that it begins with, or that Euler ends with. */
static lt_rvec3 drag_of(const lt_soft *soft, lt_rvec3 v, lt_rvec3 a, lt_real h) {
    LT_ASSERT(h > 0);
    lt_real rate = (lt_real)soft->material.mass_damping;
    if (!is_euler(soft)) return lt_r3_scale(v, rate);
    return lt_r3_scale(lt_r3_mad(v, a, h), rate / (1 + rate * h));
}

/* One stage for a node: accumulates the slope and places it. */
static void stage_node(const lt_advance *advance, const lt_island *island, lt_member *member, uint32_t node,
                       const stage *s) {
    lt_soft *soft = member->soft;
    uint32_t row = member->row + node;
    lt_rvec3 v = lt_node_get(soft->v, node), a = {0, 0, 0}, drag = {0, 0, 0};
    if (soft->pinned[node]) {
        v = pin_velocity(soft, node, advance->dt);
    } else {
        a = lt_r3_scale(lt_node_get(island->vectors[FORCE], row), 1 / soft->mass[node]);
        drag = drag_of(soft, v, a, s->h);
        a = lt_r3_sub(a, drag);
    }
    lt_node_add(island->vectors[SUM_X], row, v, s->weight);
    lt_node_add(island->vectors[SUM_V], row, a, s->weight);
    soft->drag = lt_r3_mad(soft->drag, drag, s->weight * soft->mass[node]);
    if (is_euler(soft))
        lt_twist_add(&member->due, lt_r3_sub(lt_node_get(soft->x, node), member->center), drag,
                     -(double)(s->weight * soft->mass[node]));
    place_node(island, soft, row, node, s, v, a);
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

static void run_stage(const lt_advance *advance, const lt_island *island, lt_real begin, const stage *s) {
    compute_forces(advance, island, begin + s->time, s->weight, s->h);
    for (uint32_t m = 0; m < island->member_count; m++) {
        lt_member *member = &island->members[m];
        for (uint32_t node = 0; is_explicit(member) && node < member->soft->carrier.node_count; node++)
            stage_node(advance, island, member, node, s);
    }
}

static bool wants_runge_kutta(const lt_island *island) {
    for (uint32_t m = 0; m < island->member_count; m++)
        if (is_explicit(&island->members[m]) && island->members[m].soft->model == LT_MODEL_EXPLICIT_FEM)
            return true;
    return false;
}

static void run_substep(const lt_advance *advance, const lt_island *island, lt_real begin, lt_real h) {
    LT_ASSERT(h > 0);
    const stage four[4] = {
        {h / 6, h / 2, 0, h}, {h / 3, h / 2, h / 2, h}, {h / 3, h, h / 2, h}, {h / 6, 0, h, h}};
    const stage one = {h, 0, 0, h};
    begin_substep(island);
    if (wants_runge_kutta(island))
        for (int i = 0; i < 4; i++)
            run_stage(advance, island, begin, &four[i]);
    else
        run_stage(advance, island, begin, &one);
    update_sticks(advance, island, begin + h);
}

/* Runge–Kutta keeps angular momentum to the fourth order only, and sums are rounded: what is missing is put back. */
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
        if (!member || lt_is_implicit_pair(sides)) continue;
        lt_real sign = member == sides.a ? 1 : -1;
        lt_anchor_scatter(anchor, member->soft->force, lt_r3_scale(c->impulse, sign / advance->dt));
    }
}

/* Sums of sub-steps bring pins to their targets but for roundings. */
static void place_pins(lt_soft *soft) {
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        if (soft->pinned[node]) lt_node_set(soft->x, node, lt_node_get(soft->pin_target, node));
}

static void end_substeps(const lt_member *member, uint32_t count, lt_real lost) {
    lt_soft *soft = member->soft;
    if (soft->pin_count == 0)
        balance_momentum(member);
    else if (!(lost > 0))
        place_pins(soft);
    soft->substeps = count;
    soft->time_lost = lost;
    if (soft->carrier.cell_count > 0) soft->inverted_count = lt_lattice_inverted_count(soft);
}

static void run_substeps(const lt_advance *advance, lt_island *island, uint32_t count, lt_real h) {
    LT_ASSERT(h > 0);
    for (uint32_t m = 0; m < island->member_count; m++) {
        lt_member *member = &island->members[m];
        if (is_explicit(member))
            lt_twist_add_momentum(&member->due, member->soft, member->soft->v, member->center);
    }
    for (uint32_t i = 0; i < count; i++)
        run_substep(advance, island, (lt_real)i * h, h);
}

/* How many sub-steps the island needs, and the most that any of those that take them may; false: nobody takes any. */
static bool plan_substeps(const lt_island *island, uint32_t *needed, uint32_t *most) {
    bool any = false;
    *needed = 0;
    *most = UINT32_MAX;
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_member *member = &island->members[m];
        if (!has_substeps(member)) continue;
        any = any || is_explicit(member);
        *needed = lt_max_u32(*needed, member->soft->planned_substeps);
        *most = lt_min_u32(*most, member->soft->max_substeps);
    }
    return any;
}

void lt_explicit_advance(const lt_advance *advance, lt_island *island) {
    uint32_t needed, most;
    bool any = plan_substeps(island, &needed, &most);
    if (needed == 0) return;
    lt_real h = advance->dt / (lt_real)needed;
    limit_stiffness(advance, island, h);
    if (!any) return;
    uint32_t count = lt_min_u32(needed, most);
    lt_real elapsed = (lt_real)count * h;
    run_substeps(advance, island, count, h);
    for (uint32_t m = 0; m < island->member_count; m++)
        if (is_explicit(&island->members[m]))
            end_substeps(&island->members[m], count, count < needed ? advance->dt - elapsed : 0);
    if (count < needed) lt_explicit_rest(advance, island, elapsed);
    hand_over_impulses(advance, island);
}
