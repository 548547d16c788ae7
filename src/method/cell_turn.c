/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The turn of one pair: boxes of its bodies are fitted if nobody has done so in this step, boxes that may touch are looked
 * for, and answered as they are found, with corners and planes made anew where they are stale (papers/002 §5–7).
 *
 * An obstacle is tested with corners and centres of boxes, the deepest of a box first, as often as LT_CELL_ANSWERS says.
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

static bool is_full(const lt_cell_turn *t) {
    return t->touch_count == t->touch_capacity;
}

static void tell(lt_cell_turn *t, const lt_cell_touch *touch) {
    if (is_full(t))
        t->fate->dropped++;
    else
        t->touches[t->touch_count++] = *touch;
}

/* The impulse is on the second body; the inner one may be either. */
static void describe(lt_cell_touch *touch, const lt_impulse_counts *counts) {
    bool first = touch->impulse.x == 0 && touch->impulse.y == 0 && touch->impulse.z == 0;
    lt_rvec3 on_inner = counts->impulse;
    if (first && counts->touched) {
        touch->inner = 1 - counts->touch.outer;
        touch->point = counts->touch.point;
        touch->normal = counts->touch.normal;
        touch->depth = counts->deepest;
    }
    if (touch->inner == 0) on_inner = lt_r3_neg(on_inner);
    touch->impulse = lt_r3_add(touch->impulse, on_inner);
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

static uint32_t answer_pair(const lt_cell_work *w, const lt_impulse_params *params, const lt_pair *pair,
                            uint32_t a, uint32_t b, lt_cell_touch *touch) {
    lt_impulse_counts counts = {0};
    uint32_t units = lt_impulse_pair(params, &w->motions[pair->a], a, &w->motions[pair->b], b, &counts);
    describe(touch, &counts);
    count_answers(&w->fates[touch->pair], &counts, pair->kind == LT_PAIR_BODIES ? -1 : 0);
    return units;
}

/* ---- obstacles ---- */

typedef struct dip {
    float depth;
    lt_vec3 normal, point;
    uint32_t corner;
} dip;

/* The corner or centre that is deepest. */
static dip deepest_dip(const lt_obstacle *obstacle, const lt_cell_box *box) {
    dip deepest = {.depth = 0};
    for (uint32_t corner = 0; corner <= LT_TOUCH_CENTER; corner++) {
        lt_vec3 point = corner == LT_TOUCH_CENTER ? box->center : lt_cell_box_corner(box, corner);
        lt_obstacle_hit hit = lt_obstacle_distance(obstacle, point);
        if (-hit.distance > deepest.depth) deepest = (dip){-hit.distance, hit.normal, point, corner};
    }
    return deepest;
}

static uint32_t answer_obstacle(const lt_cell_work *w, const lt_impulse_params *params, const lt_pair *pair,
                                uint32_t box, lt_cell_touch *touch) {
    const lt_obstacle *obstacle = &w->step->obstacles[pair->b];
    const lt_cell_motion *motion = &w->motions[pair->a];
    lt_impulse_counts counts = {0};
    uint32_t units = 0;
    for (uint32_t i = 0; i < LT_CELL_ANSWERS; i++) {
        uint32_t before = motion->boxes->refreshed_count;
        dip d = deepest_dip(obstacle, lt_cell_box_get(motion->boxes, box));
        units += LT_CELL_LOOK_UNITS + (motion->boxes->refreshed_count - before) * LT_CELL_BOX_UNITS;
        if (!(d.depth > 0)) break;
        float shares[8] = {0};
        for (uint32_t corner = 0; corner < LT_CELL_CORNERS; corner++)
            shares[corner] = d.corner == LT_TOUCH_CENTER ? 0.125f : corner == d.corner ? 1.0f : 0.0f;
        if (d.depth > touch->depth) {
            touch->depth = d.depth;
            touch->normal = d.normal;
            touch->point = d.point;
        }
        counts.deepest = lt_max_f(counts.deepest, d.depth);
        units += LT_IMPULSE_UNITS;
        lt_vec3 velocity = lt_obstacle_velocity(obstacle, d.point);
        if (!lt_impulse_against(params, motion, box, shares, d.normal, d.depth, velocity, &counts)) break;
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

static uint32_t answer_found(lt_cell_turn *t) {
    bool obstacle = t->pair.kind == LT_PAIR_OBSTACLE;
    lt_cell_touch touch = {.pair = t->index, .a = t->found.a, .b = obstacle ? 0 : t->found.b};
    uint32_t units = obstacle ? answer_obstacle(t->work, &t->params, &t->pair, touch.a, &touch)
                              : answer_pair(t->work, &t->params, &t->pair, touch.a, touch.b, &touch);
    t->has_found = false;
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
    if (pair->kind == LT_PAIR_OBSTACLE) return answer_obstacle(work, &params, pair, touch->a, touch);
    return answer_pair(work, &params, pair, touch->a, touch->b, touch);
}
