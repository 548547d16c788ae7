/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The turn of one pair: boxes of its bodies are fitted if nobody has done so in this step, boxes that may touch are looked
 * for, and answered as they are found, with corners and planes made anew where they are stale (papers/002 §5–7).
 *
 * An obstacle is tested with corners and centres of boxes, the deepest of a box first, LT_CELL_ANSWERS of them at most.
 *
 * What a piece costs is not known before: a touch is answered up to three times. lt_cell_turn_cost says what it costs at
 * least, and what it may cost beyond that was set aside. */

#include "method/cell_work.h"

/* ---- bodies ---- */

static uint32_t fit_cost(const lt_cell_work *w, uint32_t body) {
    if (!w->progress[body]) return 1 + w->step->softs[body].carrier.node_count / 8;
    return lt_cell_boxes_cost(w->boxes[body]);
}

/* Bodies that sleep are as heavy as obstacles: whoever is fast enough wakes them after the step. */
static void begin_body(lt_cell_work *w, uint32_t body) {
    const lt_collider *c = &w->step->colliders[body];
    const lt_soft *soft = &w->step->softs[body];
    lt_real *inverse_mass = (lt_real *)w->motions[body].inverse_mass;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        inverse_mass[node] = c->asleep ? 0 : lt_soft_inverse_mass(soft, node);
    lt_cell_boxes_begin(w->boxes[body], soft->nodes, c->box);
    w->progress[body] = 1;
}

static uint32_t fit_body(lt_cell_work *w, uint32_t body, uint32_t grant) {
    uint32_t cost = fit_cost(w, body);
    if (w->progress[body]) return lt_cell_boxes_step(w->boxes[body], grant);
    begin_body(w, body);
    return cost;
}

/* The body that is to be fitted next; LT_NONE: both are. */
static uint32_t body_to_fit(const lt_cell_turn *t) {
    uint32_t bodies[2], count = lt_cell_pair_bodies(bodies, &t->pair);
    for (uint32_t i = 0; i < count; i++)
        if (fit_cost(t->work, bodies[i])) return bodies[i];
    return LT_NONE;
}

/* ---- touches ---- */

/* A box may have several. */
static bool is_full(const lt_cell_turn *t) {
    return t->touch_count + LT_CELL_ANSWERS > t->touch_capacity;
}

static void tell(lt_cell_turn *t, const lt_cell_touch *touch) {
    if (t->touch_count == t->touch_capacity)
        t->fate->dropped++;
    else
        t->touches[t->touch_count++] = *touch;
}

/* The impulse is on the second body; the inner one may be either. */
static void add_impulse(lt_cell_touch *touch, const lt_impulse_counts *counts) {
    touch->impulse = lt_r3_mad(touch->impulse, counts->impulse, touch->inner == 1 ? 1 : -1);
}

static void describe(lt_cell_touch *touch, const lt_impulse_counts *counts) {
    touch->inner = 1 - counts->touch.outer;
    touch->point = counts->touch.point;
    touch->normal = counts->touch.normal;
    touch->depth = counts->touch.depth;
    for (int side = 0; side < 2; side++)
        for (int axis = 0; axis < 3; axis++)
            touch->places[side][axis] = (float)counts->places[side][axis];
}

static lt_impulse_params params_of(const lt_cell_work *w, const lt_pair *pair) {
    lt_impulse_params params = w->params;
    float friction = w->step->colliders[pair->a].friction;
    friction *= pair->kind == LT_PAIR_OBSTACLE ? w->step->obstacles[pair->b].friction
                                               : w->step->colliders[pair->b].friction;
    params.friction = (lt_real)sqrtf(friction);
    return params;
}

static void count_answers(lt_cell_fate *fate, const lt_impulse_counts *counts, lt_real sign) {
    fate->corrections += counts->corrections;
    fate->deepest = lt_max_f(fate->deepest, counts->deepest);
    fate->impulse = lt_r3_mad(fate->impulse, counts->impulse, sign);
}

/* Found for the first time, or again. */
static uint32_t answer_pair(const lt_cell_work *w, const lt_impulse_params *params, const lt_pair *pair,
                            lt_cell_touch *touch, bool is_first) {
    lt_impulse_counts counts = {0};
    uint32_t units =
        lt_impulse_pair(params, &w->motions[pair->a], touch->a, &w->motions[pair->b], touch->b, &counts);
    if (is_first && counts.touched) describe(touch, &counts);
    add_impulse(touch, &counts);
    count_answers(&w->fates[touch->pair], &counts, pair->kind == LT_PAIR_BODIES ? -1 : 0);
    return units;
}

/* ---- obstacles ---- */

static lt_vec3 point_of(const lt_cell_box *box, uint32_t corner) {
    return corner == LT_TOUCH_CENTER ? box->center : lt_cell_box_corner(box, corner);
}

static void describe_dip(lt_cell_touch *touch, const lt_cell_layout *layout, const lt_cell_box *box,
                         const lt_obstacle_hit *hit) {
    touch->point = point_of(box, touch->b);
    touch->normal = hit->normal;
    touch->depth = -hit->distance;
    for (uint32_t axis = 0; axis < 3; axis++) {
        float lo = lt_cell_tight(layout, touch->a, axis), hi = lt_cell_tight(layout, touch->a, axis + 3);
        touch->places[0][axis] = touch->b == LT_TOUCH_CENTER ? (lo + hi) / 2 : touch->b >> axis & 1 ? hi : lo;
    }
}

/* The deepest of the corners and the centre, deepest first; returns how many. */
static uint32_t find_dips(const lt_cell_work *w, uint32_t index, const lt_pair *pair, uint32_t box_index,
                          lt_cell_touch dips[LT_CELL_ANSWERS]) {
    const lt_cell_boxes *boxes = w->boxes[pair->a];
    const lt_cell_box *box = &boxes->full[box_index];
    uint32_t count = 0;
    for (uint32_t corner = 0; corner <= LT_TOUCH_CENTER; corner++) {
        lt_obstacle_hit hit = lt_obstacle_distance(&w->step->obstacles[pair->b], point_of(box, corner));
        if (!(hit.distance < 0)) continue;
        uint32_t at = lt_min_u32(count, LT_CELL_ANSWERS - 1);
        if (count == LT_CELL_ANSWERS && !(-hit.distance > dips[at].depth)) continue;
        for (; at > 0 && -hit.distance > dips[at - 1].depth; at--)
            dips[at] = dips[at - 1];
        dips[at] = (lt_cell_touch){.pair = index, .a = box_index, .b = corner};
        describe_dip(&dips[at], boxes->layout, box, &hit);
        count = lt_min_u32(count + 1, LT_CELL_ANSWERS);
    }
    return count;
}

static uint32_t refresh_box(lt_cell_boxes *boxes, uint32_t box) {
    uint32_t before = boxes->refreshed_count;
    lt_cell_box_get(boxes, box);
    return (boxes->refreshed_count - before) * LT_CELL_BOX_UNITS;
}

/* Of one corner, as deep as it is now. */
static uint32_t answer_dip(const lt_cell_work *w, const lt_impulse_params *params, const lt_pair *pair,
                           lt_cell_touch *touch) {
    const lt_obstacle *obstacle = &w->step->obstacles[pair->b];
    const lt_cell_motion *motion = &w->motions[pair->a];
    uint32_t units = LT_CELL_LOOK_UNITS + refresh_box(motion->boxes, touch->a);
    lt_vec3 point = point_of(&motion->boxes->full[touch->a], touch->b);
    lt_obstacle_hit hit = lt_obstacle_distance(obstacle, point);
    lt_impulse_counts counts = {.deepest = lt_max_f(0, -hit.distance)};
    if (hit.distance < 0) {
        float shares[8] = {0};
        for (uint32_t corner = 0; corner < LT_CELL_CORNERS; corner++)
            shares[corner] = touch->b == LT_TOUCH_CENTER ? 0.125f : corner == touch->b ? 1.0f : 0.0f;
        lt_vec3 velocity = lt_obstacle_velocity(obstacle, point);
        lt_impulse_against(params, motion, touch->a, shares, hit.normal, -hit.distance, velocity, &counts);
        units += LT_IMPULSE_UNITS;
    }
    touch->impulse = lt_r3_add(touch->impulse, counts.impulse);
    count_answers(&w->fates[touch->pair], &counts, 1);
    return units;
}

/* ---- the turn ---- */

void lt_cell_turn_begin(lt_cell_turn *turn, lt_cell_work *work, uint32_t index) {
    const lt_pair *pair = &work->method->memory.pairs.pairs[index];
    *turn = (lt_cell_turn){.work = work,
                           .index = index,
                           .pair = *pair,
                           .fate = &work->fates[index],
                           .params = params_of(work, pair),
                           .bodies = {pair->a, pair->b}};
}

/* Whether this is the pair that was cut before, which then goes on. */
static bool goes_on(const lt_cell_turn *t) {
    const lt_pair *cut = &t->work->method->cut;
    return t->pair.a == cut->a && t->pair.kind == cut->kind && t->pair.b == cut->b;
}

/* Bodies are fitted: the search can begin. */
static void begin_search(lt_cell_turn *t) {
    const lt_box_pair *from = goes_on(t) ? &t->work->method->place : NULL;
    t->searching = true;
    if (t->pair.kind == LT_PAIR_OBSTACLE) {
        t->next_box = from ? from->a : 0;
        const lt_cell_layout *layout = t->work->boxes[t->pair.a]->layout;
        if (t->next_box < layout->box_count)
            t->brick_end = layout->brick_begin[layout->bricks[t->next_box] + 1];
        if (!from || t->next_box >= layout->box_count) t->next_box = t->brick_end = 0;
        return;
    }
    lt_box_search_input input = {t->work->boxes, &t->bodies, 1, t->work->step->level};
    lt_box_search_begin(&t->search, &input, from);
}

static bool search_is_done(const lt_cell_turn *t) {
    if (!t->searching || t->has_found) return false;
    if (t->pair.kind == LT_PAIR_OBSTACLE) return t->next_box >= t->work->boxes[t->pair.a]->layout->box_count;
    return t->search.done || t->search.lap > 0; /* what came before the place was looked at before */
}

uint32_t lt_cell_turn_cost(const lt_cell_turn *t) {
    bool obstacle = t->pair.kind == LT_PAIR_OBSTACLE;
    if (t->stops_when_full && is_full(t)) return 0;
    uint32_t body = t->searching ? LT_NONE : body_to_fit(t);
    if (body != LT_NONE) return fit_cost(t->work, body);
    if (t->has_found) return obstacle ? LT_CELL_LOOK_UNITS : LT_BOX_TOUCH_UNITS;
    if (!t->searching) return 1;
    if (search_is_done(t)) return 0;
    return obstacle ? LT_CELL_TEST_UNITS : lt_box_search_peek(&t->search).cost;
}

/* One test against the obstacle: of a brick where one begins, else of the next box of it. */
static void test_next_box(lt_cell_turn *t) {
    const lt_cell_boxes *boxes = t->work->boxes[t->pair.a];
    const lt_cell_layout *layout = boxes->layout;
    const lt_obstacle *obstacle = &t->work->step->obstacles[t->pair.b];
    t->fate->tested++;
    if (t->next_box < t->brick_end) {
        t->found.a = t->next_box++;
        t->has_found = lt_obstacle_may_touch(obstacle, lt_cell_boxes_aabb(boxes, t->found.a), 0);
        return;
    }
    uint32_t brick = layout->bricks[t->next_box];
    t->brick_end = layout->brick_begin[brick + 1];
    if (!lt_obstacle_may_touch(obstacle, lt_cell_boxes_brick(boxes, brick), 0)) t->next_box = t->brick_end;
}

/* One piece: what is found is answered before more is looked for, so that the order of pieces does not depend on grants. */
static uint32_t search_on(lt_cell_turn *t) {
    if (t->pair.kind == LT_PAIR_OBSTACLE) {
        test_next_box(t);
        return LT_CELL_TEST_UNITS;
    }
    uint32_t count;
    uint64_t before = t->search.tested;
    uint32_t cost = lt_box_search_peek(&t->search).cost;
    cost = lt_box_search_step(&t->search, cost, &t->found, 1, &count);
    t->has_found = count > 0;
    t->fate->tested += t->search.tested - before;
    return cost;
}

static uint32_t answer_dips(lt_cell_turn *t) {
    lt_cell_touch dips[LT_CELL_ANSWERS];
    uint32_t units = LT_CELL_LOOK_UNITS + refresh_box(t->work->boxes[t->pair.a], t->found.a);
    uint32_t count = find_dips(t->work, t->index, &t->pair, t->found.a, dips);
    for (uint32_t i = 0; i < count; i++) {
        units += answer_dip(t->work, &t->params, &t->pair, &dips[i]);
        tell(t, &dips[i]);
    }
    return units;
}

static uint32_t answer_found(lt_cell_turn *t) {
    t->has_found = false;
    if (t->pair.kind == LT_PAIR_OBSTACLE) return answer_dips(t);
    lt_cell_touch touch = {.pair = t->index, .a = t->found.a, .b = t->found.b};
    uint32_t units = answer_pair(t->work, &t->params, &t->pair, &touch, true);
    if (touch.depth > 0) tell(t, &touch);
    return units;
}

uint32_t lt_cell_turn_step(lt_cell_turn *t, uint32_t grant) {
    uint32_t spent = 0;
    for (uint32_t cost; (cost = lt_cell_turn_cost(t)) > 0 && cost <= grant - lt_min_u32(spent, grant);) {
        uint32_t body = t->searching ? LT_NONE : body_to_fit(t);
        if (body != LT_NONE) {
            spent += fit_body(t->work, body, grant - spent);
        } else if (t->has_found) {
            spent += answer_found(t);
        } else if (!t->searching) {
            begin_search(t);
            spent += cost;
        } else {
            spent += search_on(t);
        }
    }
    if (search_is_done(t)) {
        t->fate->done = true;
        t->fate->but_younger = goes_on(t) ? t->work->method->cut_age : 0;
    }
    return spent;
}

lt_box_pair lt_cell_turn_place(const lt_cell_turn *t) {
    if (t->has_found) return t->found;
    if (!t->searching) return goes_on(t) ? t->work->method->place : (lt_box_pair){t->pair.a, t->pair.b, 0, 0};
    if (t->pair.kind == LT_PAIR_OBSTACLE) return (lt_box_pair){t->pair.a, t->pair.b, t->next_box, 0};
    return lt_box_search_place(&t->search);
}

uint32_t lt_cell_answer_again(const lt_cell_work *work, lt_cell_touch *touch) {
    const lt_pair *pair = &work->method->memory.pairs.pairs[touch->pair];
    lt_impulse_params params = params_of(work, pair);
    if (pair->kind == LT_PAIR_OBSTACLE) return answer_dip(work, &params, pair, touch);
    return answer_pair(work, &params, pair, touch, false);
}
