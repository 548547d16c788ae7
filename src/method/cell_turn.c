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

/* Of lt_cell_work.progress. */
enum { BEGUN = 1, WEIGHED = 2 };

static uint32_t fit_cost(const lt_cell_work *w, uint32_t body) {
    LT_ASSERT(body < w->step->collider_count);
    if (!(w->progress[body] & BEGUN)) return 1;
    return lt_cell_boxes_cost(w->boxes[body]);
}

static void begin_body(lt_cell_work *w, uint32_t body) {
    LT_ASSERT(body < w->step->collider_count);
    lt_cell_boxes_begin(w->boxes[body], w->step->softs[body].nodes, w->step->colliders[body].box);
    w->progress[body] |= BEGUN;
}

/* For its first answer: most bodies of a heap have none. Bodies that sleep are as heavy as obstacles: who is fast has woken them
 * before the step (world/wake.c). */
static void weigh_body(const lt_cell_work *w, uint32_t body) {
    LT_ASSERT(body < w->step->collider_count);
    const lt_collider *c = &w->step->colliders[body];
    const lt_soft *soft = &w->step->softs[body];
    lt_real *inverse_mass = (lt_real *)w->motions[body].inverse_mass;
    if (w->progress[body] & WEIGHED) return;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        inverse_mass[node] = c->asleep ? 0 : lt_soft_inverse_mass(soft, node);
    w->progress[body] |= WEIGHED;
}

static uint32_t fit_body(lt_cell_work *w, uint32_t body, uint32_t grant) {
    LT_ASSERT(body < w->step->collider_count);
    uint32_t cost = fit_cost(w, body);
    if (w->progress[body] & BEGUN) return lt_cell_boxes_step(w->boxes[body], grant);
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

/* Since the pair was looked at. */
static float seconds_since(const lt_cell_turn *t) {
    return t->work->step->dt * (float)(1 + lt_pair_turn_at(&t->work->method->memory.pairs, t->index)->age);
}

/* A box may have several. */
static bool is_full(const lt_cell_turn *t) {
    return t->touch_count + LT_CELL_ANSWERS > t->touch_capacity;
}

/* NULL: no room. */
static lt_cell_touch *emit(lt_cell_turn *t, const lt_cell_touch *touch) {
    if (t->touch_count == t->touch_capacity) {
        t->outcome->dropped++;
        return NULL;
    }
    t->touches[t->touch_count] = *touch;
    return &t->touches[t->touch_count++];
}

static void describe(lt_cell_touch *touch, const lt_box_touch *found) {
    touch->inner = 1 - found->outer;
    touch->corner = found->corner;
    touch->point = found->point;
    touch->normal = found->normal;
    touch->depth = found->depth;
}

static void describe_places(lt_cell_touch *touch, const lt_cell_motion *const motions[2],
                            const lt_box_touch *found) {
    const uint32_t boxes[2] = {touch->a, touch->b};
    for (uint32_t side = 0; side < 2; side++) {
        lt_real place[3];
        lt_impulse_place(place, motions[side], boxes[side], side, found);
        for (int axis = 0; axis < 3; axis++)
            touch->places[side][axis] = (float)place[axis];
    }
}

/* The box whose corner stands for what is inside. */
static uint32_t standing_box(const lt_cell_touch *touch) {
    return touch->inside >> 4;
}

/* The touch of that box that was told last, LT_NONE: none in this turn. Marks may be of other turns. */
static uint32_t last_emitted(const lt_cell_turn *t, const lt_cell_touch *touch, uint32_t **mark) {
    uint32_t body = t->pair.kind == LT_PAIR_BODIES && touch->inner ? t->pair.b : t->pair.a;
    *mark = &t->work->emitted[body][standing_box(touch)];
    if (**mark >= t->touch_count) return LT_NONE;
    const lt_cell_touch *last = &t->touches[**mark];
    bool same =
        last->pair == touch->pair && last->inner == touch->inner && standing_box(last) == standing_box(touch);
    return same ? **mark : LT_NONE;
}

/* A corner that is in several boxes, or of several at one place, is told once, where it is deepest. Returns what stands for it. As printed all are told. */
static lt_cell_touch *emit_deepest(lt_cell_turn *t, lt_cell_touch *touch,
                                   const lt_cell_motion *const motions[2], const lt_box_touch *found) {
    uint32_t *mark;
    touch->inside = lt_cell_inside(t->work, &t->pair, touch);
    touch->chain = last_emitted(t, touch, &mark);
    lt_cell_touch *before = NULL;
    for (uint32_t i = touch->chain; i != LT_NONE && !t->work->params.as_printed; i = t->touches[i].chain)
        if (t->touches[i].inside == touch->inside) before = &t->touches[i];
    if (before && before->depth >= touch->depth) return before;
    describe_places(touch, motions, found);
    if (!before) {
        *mark = t->touch_count;
        return emit(t, touch);
    }
    touch->impulse = before->impulse;
    touch->chain = before->chain;
    *before = *touch;
    return before;
}

/* As much as pushing it with this speed, m/s, a correction may strain a body: more between bodies and where obstacles press, since it
 * is what keeps them apart; less where something lands and contacts take over at once. The strain comes back as motion: with 0.6
 * for both, cubes that fell came back with up to all of their energy, with 0.1 with a third. */
static const lt_real STRAIN_SPEED = (lt_real)0.6, LANDING_STRAIN_SPEED = (lt_real)0.1;

static lt_real cap_of(const lt_cell_work *w, uint32_t body, lt_real speed) {
    LT_ASSERT(body < w->step->collider_count);
    lt_real rate = lt_lattice_rate(&w->step->softs[body]);
    return speed / (lt_sqrt_r(rate) * (lt_real)w->boxes[body]->cell_size);
}

static lt_impulse_params params_of(const lt_cell_work *w, const lt_pair *pair, const lt_cell_touch *touch) {
    lt_impulse_params params = touch->carried ? w->carried_params : w->params;
    bool is_fixed = pair->kind == LT_PAIR_OBSTACLE;
    params.friction = (lt_real)lt_cell_friction(w, pair);
    lt_real speed = is_fixed && !touch->carried ? LANDING_STRAIN_SPEED : STRAIN_SPEED;
    params.cap = lt_min_r(params.cap, cap_of(w, pair->a, speed));
    if (!is_fixed) params.cap = lt_min_r(params.cap, cap_of(w, pair->b, speed));
    return params;
}

/* The contact that it was before, if it was: then it pushed while the models moved. */
static const lt_contact_record *carried_as(const lt_cell_turn *t, const lt_cell_touch *touch) {
    const lt_contact_record *records = t->work->method->memory.contacts.records;
    const uint32_t *features = t->work->features;
    uint32_t wanted = lt_cell_feature(t->work, &t->pair, touch), lo = t->outcome->held_begin,
             hi = t->outcome->held_end;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (features[middle] < wanted)
            lo = middle + 1;
        else
            hi = middle;
    }
    bool found = lo < t->outcome->held_end && features[lo] == wanted && !t->work->params.as_printed;
    return found ? &records[lo] : NULL;
}

static lt_rvec3 mean_velocity(const lt_cell_work *w, uint32_t body, uint32_t box) {
    LT_ASSERT(body < w->step->collider_count);
    const uint32_t *nodes = w->boxes[body]->layout->nodes + 8 * (size_t)box;
    lt_r4 sum = lt_r4_splat(0);
    for (uint32_t corner = 0; corner < LT_CELL_CORNERS; corner++)
        sum = lt_r4_add(sum, lt_r4_load(w->motions[body].v + 4 * (size_t)nodes[corner]));
    return lt_r4_xyz(lt_r4_mul(sum, lt_r4_splat((lt_real)0.125)));
}

/* How far two boxes came together since they were looked at, m, and as much again: what is deeper than that was there before, and
 * becomes known only now. */
static float way_in(const lt_cell_turn *t, const lt_cell_touch *touch) {
    const lt_cell_work *w = t->work;
    lt_rvec3 v = lt_r3_sub(mean_velocity(w, t->pair.a, touch->a), mean_velocity(w, t->pair.b, touch->b));
    float away = lt_v3_dot(lt_v3_from_r3(v), touch->normal) * (touch->inner ? -1.0f : 1.0f);
    return lt_max_f(0, -2 * away * seconds_since(t));
}

/* A corner comes into an obstacle as far in a step as in many sub-steps, and contacts are as stiff as one of these allows. Pushed out
 * over all its way, cubes that fell some centimetres flew up with up to 2.7 times their energy; over what is left at this speed,
 * m/s, in one sub-step, none. */
static const lt_real PUSHING_SPEED = (lt_real)1.2;

static float pushed_out(const lt_cell_turn *t, const lt_cell_touch *touch) {
    if (t->pair.kind != LT_PAIR_OBSTACLE) return way_in(t, touch);
    const lt_method_step *step = t->work->step;
    return (float)(PUSHING_SPEED * lt_soft_contact_scale(&step->softs[t->pair.a], (lt_real)step->dt).dt);
}

/* Whether the few contacts of the pair are all that it will have: the list is full. */
static bool is_short(const lt_cell_turn *t) {
    const lt_cell_method *m = t->work->method;
    return m->memory.contacts.count >= m->contact_limit && t->outcome->held_end - t->outcome->held_begin < 3;
}

/* Answered is what is new, where others of the pair carry it if it came in deep, or they are few; and what is deep in an
 * obstacle. */
static bool is_answered(const lt_cell_turn *t, const lt_cell_touch *touch) {
    if (t->outcome->held_begin == t->outcome->held_end || t->work->params.as_printed) return true;
    if (!lt_cell_is_deep(t->work, touch)) return false;
    if (t->pair.kind == LT_PAIR_OBSTACLE) return true;
    return !touch->carried && (is_short(t) || touch->depth < way_in(t, touch));
}

/* How it is known, and what of its depth is not pushed out at once: of what is answered all, of what is new as much as did not come
 * in just now. With less a heap trembled on corners that were inside all the time before they were the deepest of a box. What is
 * carried goes on (cell_box.c). */
static void recognise(const lt_cell_turn *t, lt_cell_touch *touch) {
    const lt_contact_record *before = carried_as(t, touch);
    touch->carried = before != NULL;
    touch->before = before ? (uint32_t)(before - t->work->method->memory.contacts.records) : 0;
    touch->answered = is_answered(t, touch);
    if (touch->answered)
        touch->credit = touch->depth;
    else if (before)
        touch->credit = before->credit;
    else
        touch->credit = lt_max_f(0, touch->depth - pushed_out(t, touch));
}

static void count_answers(lt_cell_outcome *outcome, const lt_impulse_counts *counts, lt_real sign) {
    outcome->corrections += counts->corrections;
    outcome->impulse = lt_r3_mad(outcome->impulse, counts->impulse, sign);
}

/* Nodes go four times as far as the point at most (impulse.h). */
static void count_moves(const lt_cell_work *w, const lt_pair *pair, const lt_impulse_params *params,
                        uint32_t corrections) {
    uint32_t bodies[2], count = lt_cell_pair_bodies(bodies, pair);
    for (uint32_t i = 0; i < count; i++)
        w->moves[bodies[i]] += 4 * (float)corrections * (float)params->cap * w->boxes[pair->a]->cell_size;
}

/* The impulse is on the second body; the inner one may be either. */
static uint32_t part(const lt_cell_work *w, const lt_pair *pair, const lt_cell_touch *touch,
                     const lt_box_touch *found, lt_cell_touch *emitted) {
    lt_impulse_counts counts = {0};
    lt_impulse_params params = params_of(w, pair, touch);
    if (!params.as_printed) params.out = touch->normal;
    weigh_body(w, pair->a);
    weigh_body(w, pair->b);
    uint32_t units = lt_impulse_part(&params, &w->motions[pair->a], touch->a, &w->motions[pair->b], touch->b,
                                     found, &counts);
    count_moves(w, pair, &params, counts.corrections);
    if (emitted) emitted->impulse = lt_r3_mad(emitted->impulse, counts.impulse, emitted->inner == 1 ? 1 : -1);
    count_answers(&w->outcomes[touch->pair], &counts, pair->kind == LT_PAIR_BODIES ? -1 : 0);
    return units;
}

/* ---- obstacles ---- */

static lt_vec3 point_of(const lt_cell_box *box, uint32_t corner) {
    LT_ASSERT(corner < LT_CELL_CORNERS || corner == LT_TOUCH_CENTER);
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

/* Looks at one point of a box, which counts if it is deeper than `beyond`; the deepest are kept, deepest first. */
static void find_dip(const lt_cell_work *w, const lt_pair *pair, const lt_cell_touch *at, float beyond,
                     lt_cell_touch dips[LT_CELL_ANSWERS], uint32_t *count) {
    const lt_cell_boxes *boxes = w->boxes[pair->a];
    const lt_cell_box *box = &boxes->full[at->a];
    lt_obstacle_hit hit = lt_obstacle_distance(lt_step_obstacle(w->step, pair), point_of(box, at->b));
    if (!(-hit.distance > beyond)) return;
    uint32_t place = lt_min_u32(*count, LT_CELL_ANSWERS - 1);
    if (*count == LT_CELL_ANSWERS && !(-hit.distance > dips[place].depth)) return;
    for (; place > 0 && -hit.distance > dips[place - 1].depth; place--)
        dips[place] = dips[place - 1];
    dips[place] = *at;
    describe_dip(&dips[place], boxes->layout, box, &hit);
    *count = lt_min_u32(*count + 1, LT_CELL_ANSWERS);
}

/* The deepest of the corners, and where there is none in it the centre. Corners that neighbours stand for count where they
 * are deep: near is not the same place. */
static uint32_t find_dips(const lt_cell_work *w, uint32_t index, const lt_pair *pair, uint32_t box_index,
                          lt_cell_touch dips[LT_CELL_ANSWERS]) {
    const lt_cell_boxes *boxes = w->boxes[pair->a];
    uint32_t count = 0, corners = boxes->layout->corners[box_index];
    for (uint32_t corner = 0; corner < LT_CELL_CORNERS; corner++) {
        lt_cell_touch at = {.pair = index, .a = box_index, .b = corner};
        float beyond = corners >> corner & 1 ? 0 : (float)w->params.slack * boxes->cell_size;
        find_dip(w, pair, &at, beyond, dips, &count);
    }
    lt_cell_touch center = {.pair = index, .a = box_index, .b = LT_TOUCH_CENTER};
    if (count == 0) find_dip(w, pair, &center, 0, dips, &count);
    return count;
}

static uint32_t refresh_box(lt_cell_boxes *boxes, uint32_t box) {
    LT_ASSERT(box < boxes->layout->box_count);
    uint32_t before = boxes->refreshed_count;
    lt_cell_box_get(boxes, box);
    return (boxes->refreshed_count - before) * LT_CELL_BOX_UNITS;
}

/* Of one point, as deep as `at` says. */
static void part_dip(const lt_cell_work *w, const lt_pair *pair, const lt_cell_touch *at,
                     lt_cell_touch *emitted) {
    lt_impulse_params params = params_of(w, pair, at);
    lt_impulse_counts counts = {.deepest = at->depth};
    float shares[8] = {0};
    for (uint32_t corner = 0; corner < LT_CELL_CORNERS; corner++)
        shares[corner] = at->b == LT_TOUCH_CENTER ? 0.125f : corner == at->b ? 1.0f : 0.0f;
    lt_vec3 velocity = lt_obstacle_velocity(lt_step_obstacle(w->step, pair), at->point);
    weigh_body(w, pair->a);
    lt_impulse_against(&params, &w->motions[pair->a], at->a, shares, at->normal, at->depth, velocity,
                       &counts);
    count_moves(w, pair, &params, counts.corrections);
    emitted->impulse = lt_r3_add(emitted->impulse, counts.impulse);
    count_answers(&w->outcomes[at->pair], &counts, 1);
}

/* As deep as it is now. */
static uint32_t part_dip_again(const lt_cell_work *w, const lt_pair *pair, lt_cell_touch *emitted) {
    lt_cell_boxes *boxes = w->boxes[pair->a];
    uint32_t units = LT_CELL_LOOK_UNITS + refresh_box(boxes, emitted->a);
    lt_cell_touch now = *emitted;
    now.point = point_of(&boxes->full[emitted->a], emitted->b);
    lt_obstacle_hit hit = lt_obstacle_distance(lt_step_obstacle(w->step, pair), now.point);
    now.normal = hit.normal;
    now.depth = -hit.distance;
    if (!(now.depth > 0)) return units;
    part_dip(w, pair, &now, emitted);
    return units + LT_CELL_DIP_UNITS;
}

/* ---- the turn ---- */

/* Whether corners carry the pair: then hulls that cross beside them change nothing, and cost more than all else. */
static bool holds_corners(const lt_cell_work *w, const lt_cell_outcome *outcome) {
    for (uint32_t i = outcome->held_begin; i < outcome->held_end; i++)
        if ((w->features[i] & 15) != LT_TOUCH_HULL) return true;
    return false;
}

void lt_cell_turn_begin(lt_cell_turn *turn, lt_cell_work *work, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&work->method->memory.pairs, index);
    *turn = (lt_cell_turn){.work = work,
                           .index = index,
                           .pair = *pair,
                           .outcome = &work->outcomes[index],
                           .gap = lt_cell_apart_margin(work, pair),
                           .bodies = {pair->a, pair->b}};
    turn->on_corners = holds_corners(work, turn->outcome);
}

/* Whether this is the pair that was cut before, which then goes on. */
static bool goes_on(const lt_cell_turn *t) {
    const lt_pair *cut = &t->work->method->cut;
    return t->pair.a == cut->a && t->pair.kind == cut->kind && t->pair.b == cut->b;
}

/* Bodies of many boxes that are nearly as at rest do not look for themselves. As printed all do. */
static bool proves_apart(const lt_cell_turn *t) {
    const lt_cell_boxes *boxes = t->work->boxes[t->pair.a];
    return t->pair.kind == LT_PAIR_SELF && boxes->layout->brick_count >= 4 && !boxes->as_printed;
}

static uint32_t begin_cost(const lt_cell_turn *t) {
    return proves_apart(t) ? lt_cell_boxes_may_meet_units(t->work->boxes[t->pair.a]->layout) : 1;
}

/* Bodies are fitted: the search can begin. */
static void begin_search(lt_cell_turn *t) {
    const lt_box_pair *from = goes_on(t) ? &t->work->method->place : NULL;
    t->searching = true;
    if (proves_apart(t) && !lt_cell_boxes_may_meet(t->work->boxes[t->pair.a])) {
        t->search.done = true;
        return;
    }
    if (t->pair.kind == LT_PAIR_OBSTACLE) {
        t->next_box = from ? from->a : 0;
        const lt_cell_layout *layout = t->work->boxes[t->pair.a]->layout;
        if (t->next_box < layout->box_count)
            t->brick_end = layout->brick_begin[layout->bricks[t->next_box] + 1];
        if (!from || t->next_box >= layout->box_count) t->next_box = t->brick_end = 0;
        return;
    }
    lt_box_search_input input = {.bodies = t->work->boxes,
                                 .pairs = &t->bodies,
                                 .pair_count = 1,
                                 .level = t->work->step->level,
                                 .margin = lt_cell_apart_margin(t->work, &t->pair),
                                 .one_lap = true};
    lt_box_search_begin(&t->search, &input, from);
}

static bool search_is_done(const lt_cell_turn *t) {
    if (!t->searching || t->has_found) return false;
    if (t->pair.kind == LT_PAIR_OBSTACLE) return t->next_box >= t->work->boxes[t->pair.a]->layout->box_count;
    return t->search.done;
}

uint32_t lt_cell_turn_cost(const lt_cell_turn *t) {
    bool obstacle = t->pair.kind == LT_PAIR_OBSTACLE;
    if (t->stops_when_full && is_full(t)) return 0;
    uint32_t body = t->searching ? LT_NONE : body_to_fit(t);
    if (body != LT_NONE) return fit_cost(t->work, body);
    if (t->has_found) return obstacle ? LT_CELL_LOOK_UNITS : LT_BOX_TOUCH_UNITS;
    if (!t->searching) return begin_cost(t);
    if (search_is_done(t)) return 0;
    return obstacle ? LT_CELL_TEST_UNITS : lt_box_search_peek(&t->search).cost;
}

/* One test against the obstacle: of a brick where one begins, else of the next box of it. */
static void test_next_box(lt_cell_turn *t) {
    const lt_cell_boxes *boxes = t->work->boxes[t->pair.a];
    const lt_cell_layout *layout = boxes->layout;
    const lt_obstacle *obstacle = lt_step_obstacle(t->work->step, &t->pair);
    t->outcome->tested++;
    if (t->next_box < t->brick_end) {
        t->found.a = t->next_box++;
        t->has_found = lt_obstacle_may_touch(obstacle, lt_cell_boxes_aabb(boxes, t->found.a), 0);
        return;
    }
    uint32_t brick = layout->bricks[t->next_box];
    t->brick_end = layout->brick_begin[brick + 1];
    if (!lt_obstacle_may_touch(obstacle, lt_cell_boxes_brick(boxes, brick), 0)) t->next_box = t->brick_end;
}

/* Along the axis that parts two boxes the most; ≤ 0: they overlap. */
static float gap_of_boxes(lt_box a, lt_box b) {
    lt_vec3 gap = lt_v3_max(lt_v3_sub(a.lo, b.hi), lt_v3_sub(b.lo, a.hi));
    return lt_max_f(gap.x, lt_max_f(gap.y, gap.z));
}

/* What was found is within the margin: is it to be looked at? */
static bool is_near(lt_cell_turn *t) {
    const lt_cell_boxes *a = t->work->boxes[t->pair.a], *b = t->work->boxes[t->pair.b];
    float gap = gap_of_boxes(lt_cell_boxes_aabb(a, t->found.a), lt_cell_boxes_aabb(b, t->found.b));
    if (gap > 0) t->gap = lt_min_f(t->gap, gap);
    return !(gap > 0);
}

/* Until something is found: that is answered before more is looked for, so that the order of pieces does not depend on
 * grants. */
static uint32_t search_on(lt_cell_turn *t, uint32_t grant) {
    if (t->pair.kind == LT_PAIR_OBSTACLE) {
        test_next_box(t);
        return LT_CELL_TEST_UNITS;
    }
    uint32_t count;
    uint64_t before = t->search.tested;
    uint32_t cost = lt_box_search_step(&t->search, grant, &t->found, 1, &count);
    t->has_found = count > 0 && is_near(t);
    t->outcome->tested += t->search.tested - before;
    return cost;
}

static uint32_t answer_dips(lt_cell_turn *t) {
    lt_cell_touch dips[LT_CELL_ANSWERS];
    uint32_t units = LT_CELL_LOOK_UNITS + refresh_box(t->work->boxes[t->pair.a], t->found.a);
    uint32_t count = find_dips(t->work, t->index, &t->pair, t->found.a, dips);
    for (uint32_t i = 0; i < count; i++) {
        recognise(t, &dips[i]);
        t->outcome->deepest = lt_max_f(t->outcome->deepest, dips[i].depth);
        if (dips[i].answered) {
            part_dip(t->work, &t->pair, &dips[i], &dips[i]);
            units += LT_CELL_DIP_UNITS;
        }
        emit(t, &dips[i]);
    }
    return units;
}

/* One corner beside the deepest. */
static void emit_if_carried(lt_cell_turn *t, const lt_cell_touch *deepest,
                            const lt_cell_motion *const motions[2], const lt_box_touch *found, uint32_t outer,
                            uint32_t corner) {
    lt_cell_touch touch = *deepest;
    lt_box_touch one = *found;
    touch.inner = 1 - outer;
    touch.corner = corner;
    const lt_contact_record *before = carried_as(t, &touch);
    if (!before) return;
    const lt_cell_box *a = &motions[0]->boxes->full[touch.a], *b = &motions[1]->boxes->full[touch.b];
    if (!lt_box_touch_corner(&one, a, b, outer, corner)) return;
    lt_box_touch_known(&one, a, b, before->normal);
    describe(&touch, &one);
    recognise(t, &touch);
    emit_deepest(t, &touch, motions, &one);
}

/* Corners beside the deepest one that are carried, and still inside: the contacts of a face are those that were the deepest of
 * it at some time, and a body that stands on it does not rock. Corners that neighbours stand for are not among them.
 * Returns units. */
static uint32_t emit_carried(lt_cell_turn *t, const lt_cell_touch *deepest,
                             const lt_cell_motion *const motions[2], const lt_box_touch *found) {
    const uint32_t boxes[2] = {deepest->a, deepest->b};
    uint32_t units = 0;
    if (t->outcome->held_begin == t->outcome->held_end || t->work->params.as_printed) return 0;
    for (uint32_t outer = 0; outer < 2; outer++) {
        uint32_t counting = motions[1 - outer]->boxes->layout->corners[boxes[1 - outer]];
        if (outer == found->outer && found->corner < LT_CELL_CORNERS) counting &= ~(1u << found->corner);
        for (uint32_t bits = found->inside[outer] & counting; bits; bits &= bits - 1) {
            emit_if_carried(t, deepest, motions, found, outer, (uint32_t)__builtin_ctz(bits));
            units += LT_CELL_CORNER_UNITS;
        }
    }
    return units;
}

static lt_rvec3 body_velocity(const lt_soft *soft) {
    return lt_r3_scale(lt_soft_momentum(soft), 1 / soft->total_mass);
}

/* How far body a came towards b since the two were looked at, m, before the first of its touches is answered: what is answered does
 * not approach any more, and its neighbours came in all the same. */
static lt_vec3 way_of(lt_cell_turn *t) {
    const lt_soft *softs = t->work->step->softs;
    if (t->has_way) return t->way;
    lt_rvec3 v = lt_r3_sub(body_velocity(&softs[t->pair.a]), body_velocity(&softs[t->pair.b]));
    t->has_way = true;
    return t->way = lt_v3_scale(lt_v3_from_r3(v), seconds_since(t));
}

/* The way out of a touch is that by which it came in: known of what is carried, else found from the way of the bodies. */
static void find_way_out(lt_cell_turn *t, lt_cell_touch *touch, const lt_cell_motion *const motions[2],
                         lt_box_touch *found) {
    const lt_cell_box *a = &motions[0]->boxes->full[touch->a], *b = &motions[1]->boxes->full[touch->b];
    const lt_contact_record *before = carried_as(t, touch);
    if (t->work->params.as_printed) return;
    if (before)
        lt_box_touch_known(found, a, b, before->normal);
    else if (t->pair.kind == LT_PAIR_BODIES)
        lt_box_touch_entered(found, a, b, lt_v3_scale(way_of(t), found->outer ? 1.0f : -1.0f));
    describe(touch, found);
}

static uint32_t answer_found(lt_cell_turn *t) {
    t->has_found = false;
    if (t->pair.kind == LT_PAIR_OBSTACLE) return answer_dips(t);
    lt_cell_work *w = t->work;
    const lt_cell_motion *motions[2] = {&w->motions[t->pair.a], &w->motions[t->pair.b]};
    lt_cell_touch touch = {.pair = t->index, .a = t->found.a, .b = t->found.b};
    lt_box_touch found;
    uint32_t units = 0;
    lt_impulse_params params = w->params;
    params.hulls = params.hulls && !t->on_corners;
    if (!lt_impulse_look(&found, &params, motions[0], touch.a, motions[1], touch.b, &units)) {
        t->gap = lt_min_f(t->gap, found.gap);
        return units;
    }
    t->gap = 0;
    describe(&touch, &found);
    find_way_out(t, &touch, motions, &found);
    units += emit_carried(t, &touch, motions, &found);
    recognise(t, &touch);
    lt_cell_touch *emitted = emit_deepest(t, &touch, motions, &found);
    return touch.answered ? units + part(w, &t->pair, &touch, &found, emitted) : units;
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
            spent += search_on(t, grant - spent);
        }
    }
    if (search_is_done(t)) {
        t->outcome->done = true;
        t->outcome->but_younger = goes_on(t) ? t->work->method->cut_age : 0;
        t->outcome->whole = !goes_on(t);
        t->outcome->gap = t->gap;
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
    const lt_pair *pair = lt_worded_pair_at(&work->method->memory.pairs, touch->pair);
    if (pair->kind == LT_PAIR_OBSTACLE) return part_dip_again(work, pair, touch);
    lt_box_touch found;
    uint32_t units = 0;
    lt_impulse_params params = work->params;
    if (!params.as_printed) params.out = touch->normal;
    bool touching = lt_impulse_look(&found, &params, &work->motions[pair->a], touch->a,
                                    &work->motions[pair->b], touch->b, &units);
    return touching ? units + part(work, pair, touch, &found, touch) : units;
}
