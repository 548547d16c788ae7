/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Views of couplings: made once a step, given back at its end. See coupling_law.h. */

#include "body/implicit.h"

static uint32_t most_nodes(const lt_soft *bodies, const uint32_t *indices, uint32_t count) {
    uint32_t most = 4;
    for (uint32_t i = 0; i < count; i++)
        if (bodies[indices[i]].grid) most = LT_ANCHOR_MOST;
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
        if (!lt_is_implicit_pair(lt_coupling_sides(island, c))) continue;
        nodes += c->a.count + (c->member_b == LT_NONE ? 0 : c->b.count);
        island->view_count++;
    }
    island->view_node_count = (uint32_t)nodes;
    island->views = LT_TAKE(advance->arena, island->view_count, lt_coupling_view);
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
                              .gain = dt * (dt * c->stiffness + c->damping),
                              .hold = lt_r3_scale(tether ? c->offset : c->stick, dt * c->stiffness),
                              .push = tether ? 0 : dt * c->stiffness * c->depth,
                              .friction = tether ? LT_NO_LIMIT : c->friction,
                              .partner = c->partner_velocity};
}

void lt_views_fill(const lt_implicit *s) {
    const lt_island *island = s->island;
    uint32_t count = 0, node_count = 0;
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[island->couplings[i]];
        lt_sides sides = lt_coupling_sides(island, c);
        if (!lt_is_implicit_pair(sides)) continue;
        lt_coupling_view *view = &island->views[count++];
        *view = view_of(c, s->advance->dt);
        view->coupling = island->couplings[i];
        view->arm = lt_r3_sub(lt_coupling_point(c, sides), sides.a->center);
        view->node_begin = node_count;
        node_count += add_nodes(island->view_nodes + node_count, &c->a, c->rows_a, 1);
        view->a_count = (uint8_t)c->a.count;
        if (sides.b) node_count += add_nodes(island->view_nodes + node_count, &c->b, c->rows_b, -1);
        view->node_count = (uint8_t)(node_count - view->node_begin);
    }
    LT_ASSERT(count == island->view_count && node_count == island->view_node_count);
}

/* Friction's spring at the end of the step: drag = −(k τ' + c u_t). None where the contact does not push. */
static lt_rvec3 stick_of(const lt_coupling *c, lt_real dt, lt_rvec3 u) {
    const lt_rvec3 none = {0, 0, 0};
    if (c->kind == LT_COUPLING_TETHER) return c->stick;
    if (!(lt_r3_dot(c->normal, c->impulse) > 0) || !(c->stiffness > 0)) return none;
    lt_rvec3 held = lt_r3_mad(lt_r3_scale(lt_across_normal(c->normal, c->impulse), 1 / dt),
                              lt_across_normal(c->normal, u), c->damping);
    return lt_r3_scale(held, -1 / c->stiffness);
}

/* What the spring of a contact does over the step. What its damper and friction take is lost, and no spring gives it back. */
static lt_real spring_work(const lt_coupling *c, lt_real dt, lt_rvec3 u) {
    lt_real along = lt_r3_dot(c->normal, u), push = lt_r3_dot(c->normal, c->impulse);
    if (c->kind == LT_COUPLING_TETHER || !(push > 0)) return 0;
    return (push + dt * c->damping * along) * along;
}

void lt_views_settle(const lt_implicit *s) {
    for (uint32_t i = 0; i < s->island->view_count; i++) {
        const lt_coupling_view *view = &s->island->views[i];
        lt_coupling *c = &s->advance->couplings[view->coupling];
        c->impulse = view->impulse;
        c->work = spring_work(c, s->advance->dt, view->u);
        c->stick = stick_of(c, s->advance->dt, view->u);
    }
}
