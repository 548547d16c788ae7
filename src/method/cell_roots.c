/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pairs that had no turn in a step are held by the boxes around their bodies, no deeper in each other by more than a part of a
 * cell than they were when they had one; those that never had one, than when they met. One answer a pair: the approach of the two
 * mean velocities ends, and they are moved back by about what they came nearer in the step, all nodes of a body alike, each body
 * by its share of the mass. So momentum is kept, nothing turns or deforms, and whatever the budget nothing passes through.
 * Boxes around bodies that tumble overlap more without anything being deeper: when they were moved out of all of that at once,
 * a heap of letters was blown to twice its height.
 *
 * Against an obstacle the deepest of the corners and the middle of the box counts. A body with pins cannot be moved.
 *
 * Nothing of this is told as a contact: thousands of pairs may wait in a heap, and listing them took a quarter of a budget of
 * 5 ms. The report says how many there are, and how deep they may be at most. */

#include "method/cell_work.h"

#include <string.h>

typedef struct root {
    float depth;
    lt_vec3 normal; /* pushes a */
    lt_vec3 point;
} root;

static float along(lt_vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* The least way along an axis that parts two boxes. */
static root root_of_bodies(lt_box a, lt_box b) {
    root r = {.depth = INFINITY};
    for (int axis = 0; axis < 3; axis++) {
        float up = along(b.hi, axis) - along(a.lo, axis), down = along(a.hi, axis) - along(b.lo, axis);
        float depth = lt_min_f(up, down), sign = up <= down ? 1.0f : -1.0f;
        if (!(depth < r.depth)) continue;
        r.depth = depth;
        r.normal = (lt_vec3){axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0};
    }
    lt_vec3 lo = lt_v3_max(a.lo, b.lo), hi = lt_v3_min(a.hi, b.hi);
    r.point = lt_v3_scale(lt_v3_add(lo, hi), 0.5f);
    return r;
}

static root root_of_obstacle(lt_box box, const lt_obstacle *obstacle) {
    lt_vec3 middle = lt_box_center(box);
    root r = {.depth = -INFINITY};
    if (lt_obstacle_distance(obstacle, middle).distance > lt_v3_distance(box.hi, middle))
        return r; /* far off */
    for (uint32_t corner = 0; corner <= 8; corner++) {
        lt_vec3 p = {corner & 1 ? box.hi.x : box.lo.x, corner & 2 ? box.hi.y : box.lo.y,
                     corner & 4 ? box.hi.z : box.lo.z};
        if (corner == 8) p = lt_v3_scale(lt_v3_add(box.lo, box.hi), 0.5f);
        lt_obstacle_hit hit = lt_obstacle_distance(obstacle, p);
        if (-hit.distance > r.depth) r = (root){-hit.distance, hit.normal, p};
    }
    return r;
}

static root root_of(const lt_cell_work *w, const lt_pair *pair) {
    lt_box a = w->bounds[pair->a];
    if (pair->kind == LT_PAIR_OBSTACLE) return root_of_obstacle(a, &w->step->obstacles[pair->b]);
    return root_of_bodies(a, w->bounds[pair->b]);
}

/* How deep they were when they had a turn, or were proved apart: kept in the pair (`left`) as the bits of a float, one more than
 * it is; 0: not known. */
static bool is_known(const lt_pair *pair) {
    return pair->left != 0;
}
static float known_depth(const lt_pair *pair) {
    float depth;
    memcpy(&depth, &pair->left, sizeof depth);
    return depth - 1;
}
static void know_depth(lt_pair *pair, float depth) {
    depth = 1 + (depth > 0 && depth < 1e30f ? depth : 0);
    memcpy(&pair->left, &depth, sizeof depth);
}

/* ---- answers ---- */

static lt_real inverse_mass_of(const lt_cell_work *w, uint32_t body) {
    const lt_soft *soft = &w->step->softs[body];
    return w->step->colliders[body].asleep || soft->pin_count ? 0 : 1 / soft->total_mass;
}

/* What answers of a body add up to: its nodes are moved once, when all pairs are answered. A body in a heap has many. */
static lt_cell_push *push_of(const lt_cell_work *w, uint32_t body) {
    lt_cell_push *push = &w->pushes[body];
    const lt_soft *soft = &w->step->softs[body];
    if (!push->known) push->velocity = lt_r3_scale(lt_soft_momentum(soft), 1 / soft->total_mass);
    push->known = true;
    return push;
}

static void add_push(lt_cell_push *push, lt_rvec3 velocity, lt_rvec3 way) {
    push->velocity = lt_r3_add(push->velocity, velocity);
    push->change = lt_r3_add(push->change, velocity);
    push->way = lt_r3_add(push->way, way);
    push->moves = true;
}

static void move_body(const lt_cell_push *push, lt_soft *soft) {
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_node_add(soft->v, node, push->change, 1);
        lt_node_add(soft->x, node, push->way, 1);
    }
}

/* m/s², × dt: the speed at which boxes around bodies part if they do not part by themselves. Several times what weight adds
 * in a step: of a stack the lowest goes down half the way. */
static const lt_real RECOVERY = 60;

/* Returns the impulse on a. */
static lt_rvec3 answer(const lt_cell_work *w, const lt_pair *pair, const root *r, float excess) {
    bool bodies = pair->kind == LT_PAIR_BODIES;
    lt_cell_push *a = push_of(w, pair->a), *b = bodies ? push_of(w, pair->b) : NULL;
    lt_real mass_a = inverse_mass_of(w, pair->a), mass_b = b ? inverse_mass_of(w, pair->b) : 0;
    lt_rvec3 none = {0, 0, 0}, normal = lt_r3_from_v3(r->normal);
    if (!(mass_a + mass_b > 0)) return none;
    lt_rvec3 other =
        b ? b->velocity : lt_r3_from_v3(lt_obstacle_velocity(&w->step->obstacles[pair->b], r->point));
    lt_real approach = lt_r3_dot(lt_r3_sub(a->velocity, other), normal);
    float cell = w->boxes[pair->a]->cell_size;
    if (b) cell = lt_min_f(cell, w->boxes[pair->b]->cell_size);
    lt_real most = (lt_real)cell / 4, dt = (lt_real)w->step->dt;
    if (bodies) most = lt_min_r(most, lt_max_r(RECOVERY * dt, -approach) * dt);
    lt_real reach = lt_min_r((lt_real)excess, most) / (mass_a + mass_b);
    lt_rvec3 impulse = lt_r3_scale(normal, approach < 0 ? -approach / (mass_a + mass_b) : 0);
    if (mass_a > 0) add_push(a, lt_r3_scale(impulse, mass_a), lt_r3_scale(normal, reach * mass_a));
    if (mass_b > 0) add_push(b, lt_r3_scale(impulse, -mass_b), lt_r3_scale(normal, -reach * mass_b));
    return impulse;
}

/* ---- all pairs ---- */

typedef struct rooting {
    lt_cell_work *work;
    uint32_t next;
} rooting;

/* A quarter of a cell between bodies: so deep boxes of cells are still parted the way they came in when the pair has its turn. Without it
 * a heap in which pairs wait for a step or two now and then is blown up by the boxes around its bodies. */
static float slack_of(const lt_cell_work *w, const lt_pair *pair, const lt_cell_fate *fate) {
    float cell = w->boxes[pair->a]->cell_size;
    if (pair->kind == LT_PAIR_OBSTACLE) return 0.1f * cell;
    bool has_contacts = fate->held_begin < fate->held_end;
    return (has_contacts ? 0.35f : 0.25f) * lt_min_f(cell, w->boxes[pair->b]->cell_size);
}

static void look_at(lt_cell_work *w, uint32_t index) {
    lt_pair *pair = &w->method->memory.pairs.pairs[index];
    lt_cell_fate *fate = &w->fates[index];
    if (pair->kind == LT_PAIR_SELF) {
        if (!fate->done) fate->bound = lt_pair_depth_bound(w->step, pair);
        return;
    }
    if (fate->spared) return; /* as deep as at its last turn, or nearly */
    root r = root_of(w, pair);
    if (!fate->done) fate->bound = lt_max_f(0, r.depth);
    if (fate->done || !is_known(pair)) {
        know_depth(pair, r.depth);
        return;
    }
    float excess = r.depth - known_depth(pair) - slack_of(w, pair, fate);
    if (!(excess > 0 && excess < 1e30f)) return;
    lt_rvec3 impulse = answer(w, pair, &r, excess);
    fate->impulse = lt_r3_add(fate->impulse, impulse);
    if (pair->kind == LT_PAIR_OBSTACLE)
        lt_cell_load_obstacle(&w->step->obstacles[pair->b], r.point,
                              lt_v3_scale(lt_v3_from_r3(impulse), 1 / w->step->dt));
}

/* Pushes of many neighbours add up: all together no farther than one correction goes, or a heap is lifted. */
static void limit_way(const lt_cell_work *w, uint32_t body) {
    lt_cell_push *push = &w->pushes[body];
    lt_real way = lt_r3_length(push->way), most = w->params.cap * (lt_real)w->boxes[body]->cell_size;
    if (way > most) push->way = lt_r3_scale(push->way, most / way);
}

static void push_body(lt_cell_work *w, uint32_t body) {
    limit_way(w, body);
    move_body(&w->pushes[body], &w->step->softs[body]);
    w->moves[body] += (float)lt_r3_length(w->pushes[body].way);
}

/* Pairs first, then bodies. */
static uint32_t pair_count(const rooting *r) {
    return r->work->method->memory.pairs.count;
}

static uint32_t cost_of_next(const rooting *r) {
    uint32_t body = r->next - lt_min_u32(r->next, pair_count(r));
    if (r->next < pair_count(r)) return r->work->fates[r->next].spared ? 1 : LT_CELL_ROOT_UNITS;
    if (body == r->work->step->collider_count) return 0;
    return r->work->pushes[body].moves ? 1 + r->work->step->softs[body].carrier.node_count / 4 : 1;
}

static lt_piece peek(const void *state) {
    return (lt_piece){LT_WORK_ROOT, cost_of_next(state), 0};
}

static uint32_t step(void *state, uint32_t grant) {
    rooting *r = state;
    lt_cell_work *w = r->work;
    uint32_t spent = 0;
    for (uint32_t cost = cost_of_next(r); cost && cost <= grant - spent; cost = cost_of_next(r)) {
        uint32_t body = r->next - lt_min_u32(r->next, pair_count(r));
        if (r->next < pair_count(r))
            look_at(w, r->next);
        else if (w->pushes[body].moves)
            push_body(w, body);
        r->next++;
        spent += cost;
    }
    return spent;
}

void lt_cell_roots(lt_cell_work *work) {
    rooting r = {work, 0};
    lt_spend_fully(work->step->meter, LT_STAGE_CONTACTS, (lt_cursor){&r, peek, step});
}
