/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pairs that had no turn in a step, and no contacts that carry them, are held by the boxes that turn with their bodies, no deeper in
 * each other by more than a part of a cell than they were when they had one; those that never had one, than when they met. One
 * answer a pair: the approach of the two mean velocities ends, and they are moved back by what they came nearer in the step, all
 * nodes of a body alike, each body by its share of the mass. So momentum is kept, nothing turns or deforms, and whatever the
 * budget nothing passes through. Boxes around bodies that tumble overlap more without anything being deeper: when they were moved
 * out of all of that at once, a heap of letters was blown to twice its height.
 *
 * Against an obstacle the deepest of the corners and the middle of the box along the axes counts, where other bodies have pushed it. A
 * body with pins cannot be moved.
 *
 * Nothing of this is told as a contact: thousands of pairs may wait in a heap, and listing them took a quarter of a budget of
 * 5 ms. The report says how many there are, and how deep they may be at most. */

#include "method/cell_work.h"

static lt_root root_of(const lt_cell_work *w, const lt_pair *pair, const lt_cell_fate *fate) {
    if (w->params.as_printed) return lt_root_of_boxes(w->bounds[pair->a], w->bounds[pair->b]);
    lt_vec3 sum = lt_v3_add(w->oriented[pair->a].center, w->oriented[pair->b].center);
    return (lt_root){fate->overlap, fate->axis, lt_v3_scale(sum, 0.5f)};
}

/* m/s², × dt: the speed at which boxes around bodies part if they do not part by themselves. Several times what weight adds
 * in a step: of a stack the lowest goes down half the way. Not in a crowd, where boxes push from all sides: a heap boiled on
 * that. */
static const lt_real RECOVERY = 60;
enum { CROWD = 5 }; /* pairs of a body that wait */

static bool is_crowded(const lt_cell_work *w, const lt_pair *pair) {
    return w->waiting[pair->a] >= CROWD || w->waiting[pair->b] >= CROWD;
}

/* They stop to approach, and bodies go back by what they approached in the step at least. Returns the impulse on a. */
static lt_rvec3 answer(const lt_cell_work *w, const lt_pair *pair, const lt_root *r, float excess) {
    lt_real most = (lt_real)w->boxes[pair->a]->cell_size / 4, dt = (lt_real)w->step->dt;
    if (pair->kind == LT_PAIR_BODIES) {
        lt_real least = is_crowded(w, pair) ? 0 : RECOVERY * dt;
        most = lt_min_r(most, lt_max_r(least, lt_root_approach(w->step, w->pushes, pair, r)) * dt);
    }
    return lt_root_answer(w->step, w->pushes, pair, r, 1, lt_min_r((lt_real)excess, most));
}

/* ---- pairs of bodies ---- */

typedef struct rooting {
    lt_cell_work *work;
    uint32_t next;
    uint32_t wall_count; /* pairs with obstacles that are to be answered, in lt_cell_work.sorted */
} rooting;

/* The pair of a body and an obstacle. */
static bool is_wall(const lt_cell_work *w, uint32_t index) {
    return w->method->memory.pairs.pairs[index].kind == LT_PAIR_OBSTACLE;
}

/* By contacts: among few others boxes hold it all the same. */
static bool is_carried(const lt_cell_fate *fate) {
    return fate->held_begin < fate->held_end;
}

/* A quarter of a cell between bodies: so deep boxes of cells are still parted the way they came in when the pair has its turn. Without it
 * a heap in which pairs wait for a step or two now and then is blown up by the boxes around its bodies. */
static float slack_of(const lt_cell_work *w, const lt_pair *pair) {
    return (pair->kind == LT_PAIR_OBSTACLE ? 0.1f : 0.25f) * lt_cell_of_pair(w, pair);
}

static void look_at(lt_cell_work *w, uint32_t index) {
    lt_pair *pair = &w->method->memory.pairs.pairs[index];
    lt_cell_fate *fate = &w->fates[index];
    if (pair->kind == LT_PAIR_SELF) {
        if (!fate->done) fate->bound = lt_pair_depth_bound(w->step, pair);
        return;
    }
    if (fate->spared) return; /* as deep as at its last turn, or nearly */
    if (fate->waits && !fate->done) {
        fate->bound = lt_root_known_depth(pair->left) + slack_of(w, pair);
        return;
    }
    if (fate->waits && !is_carried(fate)) lt_cell_overlap(w, index);
    if (is_carried(fate)) {
        if (is_crowded(w, pair)) return;
        lt_cell_overlap(w, index);
    }
    lt_root r = root_of(w, pair, fate);
    if (!fate->done) fate->bound = lt_max_f(0, r.depth);
    if (fate->done || !lt_root_is_known(pair->left)) {
        pair->left = lt_root_know(r.depth);
        return;
    }
    float excess = r.depth - lt_root_known_depth(pair->left) - slack_of(w, pair);
    if (!(excess > 0 && excess < 1e30f)) {
        lt_cell_wait(w, index, lt_min_f(lt_min_f(-excess, r.depth), lt_cell_of_pair(w, pair)));
        return;
    }
    lt_cell_wait(w, index, 0);
    fate->impulse = lt_r3_add(fate->impulse, answer(w, pair, &r, excess));
}

/* ---- walls ---- */

/* What a turn found to be deep in an obstacle is not what it may be: where each turn left all that it found, letters at the bottom of a
 * heap went through the floor in steps of what waits may add. Not the depth of the box itself: boxes around nodes of a lattice are
 * larger than what touches, and are in the floor at rest. */
static float depth_to_keep(const lt_cell_work *w, const lt_pair *pair, const lt_cell_fate *fate,
                           float depth) {
    return depth - lt_max_f(0, fate->deepest - slack_of(w, pair));
}

/* m, with what others push it. What had its turn is pushed out by contacts: then others only do not push it farther in. */
static float excess_in_wall(const lt_cell_work *w, const lt_pair *pair, const lt_cell_fate *fate,
                            const lt_root *r) {
    float deeper = fate->done ? 0 : r->depth - lt_root_known_depth(pair->left);
    float slack = fate->deepest > 0 ? 0 : slack_of(w, pair);
    return deeper - slack - lt_v3_dot(lt_v3_from_r3(w->pushes[pair->a].way), r->normal);
}

static void answer_wall(const lt_cell_work *w, const lt_pair *pair, lt_cell_fate *fate, const lt_root *r,
                        float excess) {
    lt_rvec3 impulse = answer(w, pair, r, excess);
    fate->impulse = lt_r3_add(fate->impulse, impulse);
    lt_load_obstacle(&w->step->obstacles[pair->b], r->point,
                     lt_v3_scale(lt_v3_from_r3(impulse), 1 / w->step->dt));
}

/* When other bodies have pushed it: an obstacle has the last word. */
static void look_at_wall(lt_cell_work *w, uint32_t index) {
    lt_pair *pair = &w->method->memory.pairs.pairs[index];
    lt_cell_fate *fate = &w->fates[index];
    bool waits = fate->waits && !fate->done;
    if (waits) fate->bound = lt_root_known_depth(pair->left) + slack_of(w, pair);
    if ((waits || fate->spared) && !w->pushes[pair->a].moves) return;
    lt_root r = lt_root_of_obstacle(w->bounds[pair->a], &w->step->obstacles[pair->b]);
    if (!fate->done) fate->bound = lt_max_f(0, r.depth);
    if ((fate->done && !fate->spared) || !lt_root_is_known(pair->left))
        pair->left = lt_root_know(depth_to_keep(w, pair, fate, r.depth));
    float excess = excess_in_wall(w, pair, fate, &r);
    bool is_deeper = excess > 0 && excess < 1e30f;
    if (!fate->done) lt_cell_wait(w, index, is_deeper ? 0 : lt_min_f(-excess, lt_cell_of_pair(w, pair)));
    if (is_deeper) answer_wall(w, pair, fate, &r, excess);
}

/* ---- bodies ---- */

/* Pushes of many neighbours add up: all together no farther than one correction goes, or a heap is lifted. */
static void limit_way(const lt_cell_work *w, uint32_t body) {
    lt_root_push *push = &w->pushes[body];
    lt_real way = lt_r3_length(push->way), most = w->params.cap * (lt_real)w->boxes[body]->cell_size;
    if (way > most) push->way = lt_r3_scale(push->way, most / way);
}

static void limit_ways(lt_cell_work *w) {
    for (uint32_t body = 0; body < w->step->collider_count; body++)
        if (w->pushes[body].moves) limit_way(w, body);
}

static void push_body(lt_cell_work *w, uint32_t body) {
    lt_root_move(&w->pushes[body], &w->step->softs[body]);
    w->moves[body] += (float)lt_r3_length(w->pushes[body].way);
}

/* ---- in this order: pairs of bodies, walls, bodies ---- */

typedef struct place {
    uint32_t pair, wall, body; /* which is next; LT_NONE: not one of these */
} place;

static place place_of(const rooting *r) {
    uint32_t pairs = r->work->method->memory.pairs.count, walls = r->wall_count,
             bodies = r->work->step->collider_count;
    uint32_t wall = r->next - pairs, body = wall - walls;
    if (r->next < pairs) return (place){r->next, LT_NONE, LT_NONE};
    if (wall < walls) return (place){LT_NONE, r->work->sorted[wall], LT_NONE};
    return (place){LT_NONE, LT_NONE, body < bodies ? body : LT_NONE};
}

static uint32_t cost_of_next(const rooting *r) {
    const lt_cell_work *w = r->work;
    place at = place_of(r);
    if (at.pair != LT_NONE) return w->fates[at.pair].spared || is_wall(w, at.pair) ? 1 : LT_ROOT_UNITS;
    if (at.wall != LT_NONE) return LT_ROOT_UNITS;
    if (at.body == LT_NONE) return 0;
    return w->pushes[at.body].moves ? 1 + w->step->softs[at.body].carrier.node_count / 4 : 1;
}

static lt_piece peek(const void *state) {
    return (lt_piece){LT_WORK_ROOT, cost_of_next(state), 0};
}

static void do_next(rooting *r) {
    lt_cell_work *w = r->work;
    place at = place_of(r);
    if (at.pair != LT_NONE && is_wall(w, at.pair))
        w->sorted[r->wall_count++] = at.pair;
    else if (at.pair != LT_NONE)
        look_at(w, at.pair);
    else if (at.wall != LT_NONE)
        look_at_wall(w, at.wall);
    else if (w->pushes[at.body].moves)
        push_body(w, at.body);
    if (++r->next == w->method->memory.pairs.count) limit_ways(w);
}

static uint32_t step(void *state, uint32_t grant) {
    rooting *r = state;
    uint32_t spent = 0;
    for (uint32_t cost = cost_of_next(r); cost && cost <= grant - spent; cost = cost_of_next(r)) {
        do_next(r);
        spent += cost;
    }
    return spent;
}

static void count_waiting(lt_cell_work *w) {
    const lt_pair_list *pairs = &w->method->memory.pairs;
    for (uint32_t i = 0; i < w->step->collider_count; i++)
        w->waiting[i] = 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (w->fates[i].done || pairs->pairs[i].kind != LT_PAIR_BODIES) continue;
        w->waiting[pairs->pairs[i].a]++;
        w->waiting[pairs->pairs[i].b]++;
    }
}

void lt_cell_roots(lt_cell_work *work) {
    rooting r = {work, 0, 0};
    count_waiting(work);
    lt_spend_fully(work->step->meter, LT_STAGE_CONTACTS, (lt_cursor){&r, peek, step});
}
