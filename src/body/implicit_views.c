/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Views of couplings: made once a step, given back at its end. See coupling_law.h.
 *
 * In a whole step a coupling has a view if both of its sides are moved by the stages. In the rest of a step whose sub-steps were cut it has
 * one if either is: the other is an implicit body, which has not moved yet and counts as of infinite mass. Where that is side a, the view
 * is that of side b, with all directions turned. */

#include "body/implicit.h"

static uint32_t most_nodes(const lt_soft *bodies, const uint32_t *indices, uint32_t count) {
    uint32_t most = 4;
    for (uint32_t i = 0; i < count; i++) {
        const lt_soft *soft = &bodies[indices[i]];
        most = lt_max_u32(most, soft->grid ? LT_ANCHOR_MOST : lt_model_is_of_cells(soft->model) ? 8 : 4);
    }
    return most;
}

size_t lt_views_scratch(const lt_soft *bodies, const uint32_t *indices, uint32_t count,
                        uint32_t coupling_capacity) {
    size_t nodes = 2 * (size_t)most_nodes(bodies, indices, count);
    return coupling_capacity * (sizeof(lt_coupling_view) + nodes * sizeof(lt_view_node)) +
           2 * 64 * (size_t)count + 128;
}

bool lt_views_take(const lt_advance *advance, lt_island *island) {
    size_t nodes = 0;
    island->view_count = 0;
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        const lt_coupling *c = &advance->couplings[island->couplings[i]];
        nodes += c->a.count + (c->member_b == LT_NONE ? 0 : c->b.count);
    }
    island->view_node_count = (uint32_t)nodes;
    island->views = LT_TAKE(advance->arena, island->coupling_count, lt_coupling_view);
    island->view_nodes = LT_TAKE(advance->arena, nodes, lt_view_node);
    return island->views && island->view_nodes;
}

static uint32_t add_nodes(lt_view_node *out, const lt_anchor *anchor, const uint32_t *rows, lt_real sign) {
    for (uint32_t i = 0; i < anchor->count; i++)
        out[i] = (lt_view_node){rows[i], sign * anchor->weights[i]};
    return anchor->count;
}

static lt_coupling_view view_of(const lt_coupling *c, lt_real dt) {
    bool tether = c->kind == LT_COUPLING_TETHER;
    const lt_rvec3 none = {0, 0, 0};
    return (lt_coupling_view){.normal = tether ? none : c->normal,
                              .gain = dt * (dt * c->stiffness_used + c->damping_used),
                              .hold = lt_r3_scale(tether ? c->offset : c->stick, dt * c->stiffness_used),
                              .push = tether ? 0 : dt * c->stiffness_used * c->depth,
                              .friction = tether ? LT_NO_LIMIT : c->friction,
                              .partner = c->partner_velocity};
}

lt_sides lt_view_sides(const lt_island *island, const lt_coupling *c) {
    lt_sides sides = lt_coupling_sides(island, c);
    if (!lt_is_implicit(sides.a)) return (lt_sides){sides.b, NULL};
    return (lt_sides){sides.a, lt_is_implicit(sides.b) ? sides.b : NULL};
}

static bool is_viewed(const lt_implicit *s, lt_sides sides) {
    return lt_is_implicit_pair(sides) ||
           (s->elapsed > 0 && (lt_is_implicit(sides.a) || lt_is_implicit(sides.b)));
}

/* The law at the end of sub-steps, of the sides that go on. `stick` is that of now. */
static void move_view(const lt_implicit *s, lt_coupling_view *view, const lt_coupling *c, lt_sides sides) {
    lt_real push = s->advance->dt * c->stiffness_used;
    lt_rvec3 moved = lt_coupling_displacement(c, sides, s->elapsed);
    if (c->kind == LT_COUPLING_TETHER)
        view->hold = lt_r3_mad(view->hold, moved, push);
    else
        view->push -= push * lt_r3_dot(c->normal, moved);
    if (sides.b && !lt_is_implicit(sides.b))
        view->partner = lt_r3_add(view->partner, lt_anchor_gather(&c->b, sides.b->soft->v));
    if (lt_is_implicit(sides.a)) return;
    view->partner = lt_r3_sub(lt_anchor_gather(&c->a, sides.a->soft->v), view->partner);
    view->normal = lt_r3_neg(view->normal);
    view->hold = lt_r3_neg(view->hold);
}

static void add_view(const lt_implicit *s, lt_sides sides, uint32_t index) {
    lt_island *island = s->island;
    const lt_coupling *c = &s->advance->couplings[index];
    lt_coupling_view *view = &island->views[island->view_count++];
    lt_view_node *nodes = island->view_nodes + island->view_node_count;
    lt_sides of = lt_view_sides(island, c);
    bool turned = of.a != sides.a;
    uint32_t count = turned ? add_nodes(nodes, &c->b, c->rows_b, 1) : add_nodes(nodes, &c->a, c->rows_a, 1);
    *view = view_of(c, s->advance->dt);
    if (s->elapsed > 0) move_view(s, view, c, sides);
    view->coupling = index;
    view->arm = lt_r3_sub(lt_coupling_point(c, sides), of.a->center);
    view->node_begin = island->view_node_count;
    view->a_count = (uint8_t)count;
    if (of.b) count += add_nodes(nodes + count, &c->b, c->rows_b, -1);
    view->node_count = (uint8_t)count;
    island->view_node_count += count;
}

void lt_views_fill(const lt_implicit *s) {
    lt_island *island = s->island;
    island->view_count = island->view_node_count = 0;
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        lt_sides sides = lt_coupling_sides(island, &s->advance->couplings[island->couplings[i]]);
        if (is_viewed(s, sides)) add_view(s, sides, island->couplings[i]);
    }
}

/* Friction's spring at the end of the step: drag = −(k τ' + c u_t). None where the contact does not push. */
static lt_rvec3 stick_of(const lt_coupling *c, lt_rvec3 impulse, lt_real dt, lt_rvec3 u) {
    const lt_rvec3 none = {0, 0, 0};
    if (c->kind == LT_COUPLING_TETHER) return c->stick;
    if (!(lt_r3_dot(c->normal, impulse) > 0) || !(c->stiffness_used > 0)) return none;
    lt_rvec3 held = lt_r3_mad(lt_r3_scale(lt_across_normal(c->normal, impulse), 1 / dt),
                              lt_across_normal(c->normal, u), c->damping_used);
    return lt_r3_scale(held, -1 / c->stiffness_used);
}

/* What sides that wait get besides the impulse at their own point. */
static void hand_over_moment(const lt_implicit *s, const lt_coupling *c, lt_rvec3 impulse) {
    lt_sides sides = lt_coupling_sides(s->island, c);
    lt_rvec3 point = lt_coupling_point(c, sides);
    if (!lt_is_implicit(sides.a)) lt_coupling_add_moment(sides.a, &c->a, point, impulse, 1);
    if (sides.b && !lt_is_implicit(sides.b))
        lt_coupling_add_moment(sides.b, &c->b, point, lt_r3_neg(impulse), 1);
}

void lt_views_settle(const lt_implicit *s) {
    for (uint32_t i = 0; i < s->island->view_count; i++) {
        const lt_coupling_view *view = &s->island->views[i];
        lt_coupling *c = &s->advance->couplings[view->coupling];
        bool turned = !lt_is_implicit(lt_coupling_sides(s->island, c).a);
        lt_rvec3 impulse = turned ? lt_r3_neg(view->impulse) : view->impulse;
        c->stick = stick_of(c, impulse, s->advance->dt, turned ? lt_r3_neg(view->u) : view->u);
        if (s->elapsed > 0) {
            hand_over_moment(s, c, impulse);
            impulse = lt_r3_add(c->impulse, impulse);
        }
        c->impulse = impulse;
    }
}
