/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies for which less time passes than the step has: they go only a share of their way, and velocities change only by as much; more
 * only where that takes kinetic energy, as what was stopped must stay so. Both are between what was as the step began and what would be
 * as it ends, and so is energy. Who pushes each other changes velocities by the same share: what one gets the other loses. Momentum,
 * linear and angular, is that of contacts and of what acts from outside in that share of the step. All of it is about nodes that move by
 * themselves; others follow them afterwards. */

#include "body/models.h"
#include "core/union_find.h"
#include "method/multiscale_work.h"

typedef struct slowing {
    lt_multi_work *work;
    const float *shares;  /* [collider_count] of the step that may pass */
    uint32_t *islands;    /* [collider_count] of contacts */
    struct group *groups; /* [collider_count] at the root of an island */
} slowing;

static bool moves(const lt_multi_work *w, uint32_t body) {
    return w->motions[body].from && w->method->bodies[body].v_before;
}

/* Bodies that push each other: their velocities change by one share of what they would. */
typedef struct group {
    double before, change,
        cross;   /* kg m²/s²: Σ m v², of velocities as the step began, of what changed them, of both */
    double most; /* that may be */
    float share; /* that passes for who is held most */
    lt_dvec3 impulse; /* N s, of contacts on the body in whose place it is */
} group;

/* Twice the kinetic energy that a body may have, of what it had as the step began and would have: that which places have on their
 * way. Of one that could change its shape only by a share, gravity's work as it falls, and as much of what else it gained; both only as
 * far as it goes. (With the work of the whole fall two bears on cut budgets gained 1.2 J of 22, 3.7 at worst.) */
static double most_of(const lt_multi_work *w, uint32_t body, double before, double after, float share) {
    const lt_multi_motion *m = &w->motions[body];
    const lt_soft *soft = &w->step->softs[body];
    if (m->part_share >= 1) return before + (double)share * (after - before);
    const uint32_t *nodes = lt_soft_row_nodes(soft);
    lt_rvec3 gravity = lt_r3_from_v3(w->step->gravity), moved = {0, 0, 0};
    for (uint32_t row = 0, count = lt_soft_row_count(soft); row < count; row++) {
        uint32_t node = lt_row_node(nodes, row);
        moved = lt_r3_mad(moved, lt_r3_sub(lt_node_get(soft->x, node), lt_node_get(soft->x_before, node)),
                          soft->mass[node] / soft->total_mass);
    }
    double weight = 2 * (double)soft->total_mass;
    double fallen = weight * (double)lt_r3_dot(gravity, m->fall),
           falls = weight * (double)lt_r3_dot(gravity, moved);
    double gain = falls + (double)m->part_share * lt_max_d(0, after - before - fallen);
    return lt_min_d(after, lt_max_d(0, before + (double)share * gain));
}

static void add_to_group(const lt_multi_work *w, group *g, uint32_t body, float share) {
    const lt_soft *soft = &w->step->softs[body];
    const lt_real *v_before = w->method->bodies[body].v_before;
    const uint32_t *nodes = lt_soft_row_nodes(soft);
    double before = 0, after = 0, cross = 0;
    for (uint32_t row = 0, count = lt_soft_row_count(soft); row < count; row++) {
        uint32_t node = lt_row_node(nodes, row);
        lt_rvec3 from = lt_node_get(v_before, node), to = lt_node_get(soft->v, node);
        double mass = (double)soft->mass[node];
        before += mass * (double)lt_r3_dot(from, from);
        after += mass * (double)lt_r3_dot(to, to);
        cross += mass * (double)lt_r3_dot(from, lt_r3_sub(to, from));
    }
    g->before += before;
    g->cross += cross;
    g->change += after - before - 2 * cross;
    g->most += most_of(w, body, before, after, share);
    g->share = lt_min_f(g->share, w->motions[body].part_share < 1 ? 0 : share);
}

/* As much as can be without more kinetic energy than there would be if velocities changed as places do: what is stopped is. */
static lt_real velocity_share(const group *g) {
    double inside = g->cross * g->cross + g->change * (g->most - g->before);
    double share = g->change > 0 && inside > 0 ? (sqrt(inside) - g->cross) / g->change : 1;
    return (lt_real)lt_max_d((double)g->share, lt_min_d(1, share));
}

static lt_twist momentum_of(const lt_soft *soft, const lt_real *x, const lt_real *v, lt_rvec3 about) {
    lt_twist sum = {{0, 0, 0}, {0, 0, 0}};
    const uint32_t *nodes = lt_soft_row_nodes(soft);
    for (uint32_t row = 0, count = lt_soft_row_count(soft); row < count; row++) {
        uint32_t node = lt_row_node(nodes, row);
        lt_twist_add(&sum, lt_r3_sub(lt_node_get(x, node), about), lt_node_get(v, node),
                     (double)soft->mass[node]);
    }
    return sum;
}

/* Places and velocities change by different shares: what angular momentum that makes is taken back. */
static void balance(lt_soft *soft, const lt_twist *before, const lt_twist *after, double share,
                    lt_rvec3 about) {
    lt_twist missing, now = momentum_of(soft, soft->x, soft->v, about);
    for (int k = 0; k < 3; k++) {
        missing.linear[k] =
            before->linear[k] + share * (after->linear[k] - before->linear[k]) - now.linear[k];
        missing.angular[k] =
            before->angular[k] + share * (after->angular[k] - before->angular[k]) - now.angular[k];
    }
    lt_twist_give(soft->v, soft, about, &missing);
}

/* What gravity and other forces from outside did in the part of the step that has not passed is taken back, beside what contacts did
 * (`impulse`): it counts as drag. What is rounded off of that must not show. */
static void count_drag(lt_soft *soft, const lt_twist *after, lt_dvec3 impulse, double share) {
    lt_rvec3 none = {0, 0, 0};
    lt_twist now = momentum_of(soft, soft->x, soft->v, none), off = {{0, 0, 0}, {0, 0, 0}};
    const double contacts[3] = {impulse.x, impulse.y, impulse.z};
    lt_real *drag[3] = {&soft->drag.x, &soft->drag.y, &soft->drag.z};
    for (int k = 0; k < 3; k++) {
        double exact = (double)*drag[k] + after->linear[k] - now.linear[k] - (1 - share) * contacts[k];
        *drag[k] = (lt_real)exact;
        off.linear[k] = exact - (double)*drag[k];
    }
    lt_twist_give(soft->v, soft, lt_soft_center(soft), &off);
}

/* Who hangs in the air because it is held does not rest. */
static float speed_beyond(const lt_soft *soft, lt_real share, lt_real dt) {
    const uint32_t *nodes = lt_soft_row_nodes(soft);
    lt_real most = 0;
    for (uint32_t row = 0, count = lt_soft_row_count(soft); row < count; row++) {
        uint32_t node = lt_row_node(nodes, row);
        lt_rvec3 way = lt_r3_sub(lt_node_get(soft->x, node), lt_node_get(soft->x_before, node));
        most = lt_max_r(most, lt_r3_length_squared(way));
    }
    return (float)((1 - share) * lt_sqrt_r(most) / dt);
}

static void slow_body(slowing *h, uint32_t body, lt_real share, lt_real of_velocity) {
    lt_multi_work *w = h->work;
    lt_soft *soft = &w->step->softs[body];
    const lt_real *v_before = w->method->bodies[body].v_before;
    lt_rvec3 about = lt_soft_center(soft);
    lt_twist before = momentum_of(soft, soft->x_before, v_before, about);
    lt_twist after = momentum_of(soft, soft->x, soft->v, about);
    float *held_back = &w->step->colliders[body].held_back;
    *held_back = lt_max_f(*held_back, speed_beyond(soft, share, w->step->dt));
    const uint32_t *nodes = lt_soft_row_nodes(soft);
    for (uint32_t row = 0, count = lt_soft_row_count(soft); row < count; row++) {
        size_t at = 4 * (size_t)lt_row_node(nodes, row);
        for (size_t i = at; i < at + 4; i++) {
            soft->x[i] = soft->x_before[i] + share * (soft->x[i] - soft->x_before[i]);
            soft->v[i] = v_before[i] + of_velocity * (soft->v[i] - v_before[i]);
        }
    }
    w->motions[body].passed = of_velocity;
    if (soft->pin_count == 0) { /* pins give and take momentum */
        balance(soft, &before, &after, (double)of_velocity, about);
        count_drag(soft, &after, h->groups[body].impulse, (double)of_velocity);
    }
    lt_soft_follow(soft);
}

static void add_impulse(slowing *h, uint32_t body, lt_rvec3 impulse, double sign) {
    lt_dvec3 *sum = &h->groups[body].impulse;
    *sum = lt_d3_mad(*sum, (lt_dvec3){impulse.x, impulse.y, impulse.z}, sign);
}

static void join_groups(slowing *h) {
    const lt_multi_work *w = h->work;
    lt_sets_begin(h->islands, w->step->collider_count);
    for (uint32_t i = 0; i < w->step->collider_count; i++)
        h->groups[i] = (group){.share = 1};
    for (uint32_t i = 0; i < w->contact_count; i++) {
        const lt_multi_contact *c = &w->contacts[i];
        const lt_pair *p = &c->pair;
        if (p->kind == LT_PAIR_SELF) continue;
        add_impulse(h, p->a, c->impulse, 1);
        if (p->kind != LT_PAIR_BODIES) continue;
        add_impulse(h, p->b, c->impulse, -1);
        if (moves(w, p->a) && moves(w, p->b)) lt_sets_join(h->islands, p->a, p->b);
    }
}

static void slow_all(slowing *h) {
    lt_multi_work *w = h->work;
    join_groups(h);
    for (uint32_t i = 0; i < w->step->collider_count; i++)
        if (moves(w, i)) add_to_group(w, &h->groups[lt_sets_find(h->islands, i)], i, h->shares[i]);
    for (uint32_t i = 0; i < w->step->collider_count; i++) {
        const group *g = &h->groups[lt_sets_find(h->islands, i)];
        if (moves(w, i) && g->share < 1) slow_body(h, i, (lt_real)h->shares[i], velocity_share(g));
    }
}

size_t lt_multi_slow_scratch(uint32_t collider_count) {
    return collider_count * (sizeof(uint32_t) + sizeof(group)) + 2 * 64;
}

bool lt_multi_slow_bodies(lt_multi_work *w, const float *shares) {
    slowing h = {w, shares, LT_TAKE(w->step->arena, w->step->collider_count, uint32_t),
                 LT_TAKE(w->step->arena, w->step->collider_count, group)};
    if (!h.islands || !h.groups) return false;
    slow_all(&h);
    return true;
}
