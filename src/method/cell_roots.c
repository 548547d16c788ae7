/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pairs that had no turn in a step, and no contacts that carry them, are held by the boxes that turn with their bodies, no deeper in
 * each other by more than a part of a cell than they were when they had one; those that never had one, than when they met. All
 * nodes of a body alike: nothing turns or deforms, each body moves by its share of the mass, momentum is kept.
 *
 *   λ    N s, the impulse that ends the approach of the two mean velocities, never pulls; begins with that of the step before
 *        (lt_pair_words.impulse), so that a stack, of which each carries all above it, stands after some steps, and stays
 *   μλ   at most, across it: who is held does not slide off
 *   way  they are moved back by what λ says that they came nearer in the step. Boxes around bodies that tumble overlap more
 *        without anything being deeper: when they were moved out of all of that at once, a heap of letters was blown to
 *        twice its height
 *
 * 96 cubes in six layers of which none ever has a turn stand; with answers that began anew in every step they were in one layer
 * after 200.
 *
 * Obstacles have the last word, when other bodies have pushed; of the box along the axes the deepest of the corners and the middle
 * counts. A body with pins cannot be moved.
 *
 * Nothing of this is told as a contact: thousands of pairs may wait in a heap, and listing them took a quarter of a budget of
 * 5 ms. The report says how many there are, and how deep they may be at most. */

#include "method/cell_work.h"

static lt_root root_of(const lt_cell_work *w, const lt_pair *pair, const lt_cell_outcome *outcome) {
    if (w->params.as_printed) return lt_root_of_boxes(w->bounds[pair->a], w->bounds[pair->b]);
    lt_vec3 sum = lt_v3_add(w->oriented[pair->a].center, w->oriented[pair->b].center);
    return (lt_root){outcome->overlap, outcome->axis, lt_v3_scale(sum, 0.5f)};
}

/* The pair of a body and an obstacle. */
static bool is_wall(const lt_cell_work *w, uint32_t index) {
    return lt_worded_pair_at(&w->method->memory.pairs, index)->kind == LT_PAIR_OBSTACLE;
}

/* ---- holding ---- */

/* m/s², × dt: the speed at which boxes around bodies part if they do not part by themselves. Several times what weight adds
 * in a step: of a stack the lowest goes down half the way. Not in a crowd, where boxes push from all sides: a heap boiled on
 * that. */
static const lt_real RECOVERY = 60;
enum { CROWD = 5 }; /* pairs of a body that wait */

static bool is_crowded(const lt_cell_work *w, const lt_pair *pair) {
    return w->waiting[pair->a] >= CROWD || w->waiting[pair->b] >= CROWD;
}

/* λ of the last step, then of this one. */
static float *impulse_of(const lt_cell_work *w, uint32_t index) {
    return &lt_pair_words_at(&w->method->memory.pairs, index)->impulse;
}

/* All begin before one is improved. */
static void begin_holding(const lt_cell_work *w, uint32_t index, const lt_root *r) {
    lt_root_part(w->step, w->pushes, lt_worded_pair_at(&w->method->memory.pairs, index), r,
                 (lt_real)*impulse_of(w, index), 0);
}

static void end_holding(const lt_cell_work *w, uint32_t index, const lt_root *r) {
    lt_root_part(w->step, w->pushes, lt_worded_pair_at(&w->method->memory.pairs, index), r,
                 -(lt_real)*impulse_of(w, index), 0);
    *impulse_of(w, index) = 0;
}

/* m, that an impulse moves them back. */
static lt_real reach_of(const lt_cell_work *w, const lt_pair *pair, lt_real parting, float excess) {
    lt_real most = (lt_real)w->boxes[pair->a]->cell_size / 4, dt = (lt_real)w->step->dt;
    if (pair->kind == LT_PAIR_BODIES) {
        lt_real least = is_crowded(w, pair) ? 0 : RECOVERY * dt;
        most = lt_min_r(most, lt_max_r(least, parting) * dt);
    }
    return lt_min_r((lt_real)excess, most);
}

static void hold(const lt_cell_work *w, uint32_t index, const lt_root *r, float excess) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    lt_cell_outcome *outcome = &w->outcomes[index];
    lt_real ease = lt_root_ease(w->step, pair), before = (lt_real)*impulse_of(w, index);
    if (!(ease > 0)) return;
    lt_real impulse = lt_max_r(0, before + lt_root_approach(w->step, w->pushes, pair, r) / ease);
    lt_root_part(w->step, w->pushes, pair, r, impulse - before, reach_of(w, pair, impulse * ease, excess));
    lt_rvec3 all = lt_r3_scale(lt_r3_from_v3(r->normal), impulse);
    lt_real most = (lt_real)lt_cell_friction(w, pair) * impulse;
    if (!w->params.as_printed) all = lt_r3_add(all, lt_root_rub(w->step, w->pushes, pair, r, most));
    *impulse_of(w, index) = (float)impulse;
    outcome->impulse = lt_r3_add(outcome->impulse, all);
    if (pair->kind == LT_PAIR_OBSTACLE)
        lt_load_obstacle(lt_step_obstacle(w->step, pair), r->point,
                         lt_v3_scale(lt_v3_from_r3(all), 1 / w->step->dt));
}

/* ---- pairs of bodies ---- */

/* By contacts: among few others boxes hold it all the same. */
static bool is_carried(const lt_cell_outcome *outcome) {
    return outcome->held_begin < outcome->held_end;
}

/* A quarter of a cell between bodies: so deep boxes of cells are still parted the way they came in when the pair has its turn. Without it
 * a heap in which pairs wait for a step or two now and then is blown up by the boxes around its bodies. */
static float slack_of(const lt_cell_work *w, const lt_pair *pair) {
    return (pair->kind == LT_PAIR_OBSTACLE ? 0.1f : 0.25f) * lt_cell_of_pair(w, pair);
}

/* Bodies of a crowd that wait, and were in each other or have contacts, move past each other as in honey, the more the longer they
 * wait. A heap beyond its budget boiled for ever: who is held is pushed into others' contacts, which push back in the next
 * step, and what moves has to be looked at again, in the time of turns. So it calms down, and turns come again: 1,014 letters
 * at two thirds of the time that they take had 0.7 m/s after 2,400 steps, and have 0.04 to 0.1. After holding: what gravity
 * added in the step is not a motion. */
enum { DRAG_PATIENCE = 4, DRAG_ALL = 16 }; /* steps */

static bool is_dragged(const lt_cell_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    const lt_cell_outcome *outcome = &w->outcomes[index];
    bool touched =
        lt_root_is_known(lt_words_of(pair)->left) && lt_root_known_depth(lt_words_of(pair)->left) > 0;
    return !outcome->done && lt_pair_turn_at(&w->method->memory.pairs, index)->age >= DRAG_PATIENCE &&
           (touched || is_carried(outcome)) && is_crowded(w, pair) && !w->params.as_printed;
}

static void drag(const lt_cell_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    lt_cell_outcome *outcome = &w->outcomes[index];
    uint32_t steps = lt_pair_turn_at(&w->method->memory.pairs, index)->age - DRAG_PATIENCE + 1;
    float share = lt_min_f(0.5f, lt_cell_friction(w, pair)) * lt_min_f(1, (float)steps / DRAG_ALL);
    outcome->impulse = lt_r3_add(outcome->impulse, lt_root_drag(w->step, w->pushes, pair, (lt_real)share));
}

/* m, how much deeper it is than it may be, as measured; 0: it is not. */
static float excess_of(lt_cell_work *w, uint32_t index, const lt_root *r) {
    lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    lt_cell_outcome *outcome = &w->outcomes[index];
    if (!outcome->done) outcome->bound = lt_max_f(0, r->depth);
    if (outcome->done || !lt_root_is_known(lt_words_of(pair)->left)) {
        lt_words_of(pair)->left = lt_root_know(r->depth);
        return 0;
    }
    float excess = r->depth - lt_root_known_depth(lt_words_of(pair)->left) - slack_of(w, pair);
    bool is_deeper = excess > 0 && excess < 1e30f;
    float margin = lt_min_f(lt_min_f(-excess, r->depth), lt_cell_of_pair(w, pair));
    lt_cell_wait(w, index, is_deeper ? 0 : margin);
    return is_deeper ? excess : 0;
}

/* Whether it has to be looked at, and then its boxes are measured. */
static bool measure(lt_cell_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    lt_cell_outcome *outcome = &w->outcomes[index];
    if (outcome->spared) return false; /* as deep as at its last turn, or nearly */
    if (outcome->waits && !outcome->done) {
        outcome->bound = lt_root_known_depth(lt_words_of(pair)->left) + slack_of(w, pair);
        return false;
    }
    if (is_carried(outcome) && is_crowded(w, pair)) return false;
    if (is_carried(outcome) || outcome->waits) lt_cell_overlap(w, index);
    return true;
}

/* Returns whether it is to be held, or dragged. */
static bool look_at(lt_cell_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    lt_cell_outcome *outcome = &w->outcomes[index];
    if (pair->kind == LT_PAIR_SELF) {
        if (!outcome->done) outcome->bound = lt_pair_depth_bound(w->step, pair);
        return false;
    }
    outcome->excess = 0;
    if (measure(w, index)) {
        lt_root r = root_of(w, pair, outcome);
        outcome->excess = excess_of(w, index, &r);
        if (outcome->excess > 0) begin_holding(w, index, &r);
    }
    if (outcome->excess > 0) return true;
    *impulse_of(w, index) = 0;
    return is_dragged(w, index);
}

/* ---- walls ---- */

/* What a turn found to be deep in an obstacle is not what it may be: where each turn left all that it found, letters at the bottom of a
 * heap went through the floor in steps of what waits may add. Not the depth of the box itself: boxes around nodes of a lattice are
 * larger than what touches, and are in the floor at rest. */
static float depth_to_keep(const lt_cell_work *w, const lt_pair *pair, const lt_cell_outcome *outcome,
                           float depth) {
    return depth - lt_max_f(0, outcome->deepest - slack_of(w, pair));
}

/* m, with what others push it. What had its turn is pushed out by contacts: then others only do not push it farther in. */
static float excess_in_wall(const lt_cell_work *w, const lt_pair *pair, const lt_cell_outcome *outcome,
                            const lt_root *r) {
    float deeper = outcome->done ? 0 : r->depth - lt_root_known_depth(lt_words_of(pair)->left);
    float slack = outcome->deepest > 0 ? 0 : slack_of(w, pair);
    return deeper - slack - lt_v3_dot(lt_v3_from_r3(w->pushes[pair->a].way), r->normal);
}

/* Only where it was held before: as others, before one is improved. */
static void begin_at_wall(const lt_cell_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    if (!(*impulse_of(w, index) > 0)) return;
    lt_root r = lt_root_of_obstacle(w->bounds[pair->a], lt_step_obstacle(w->step, pair));
    if (r.depth > 0)
        begin_holding(w, index, &r);
    else
        *impulse_of(w, index) = 0;
}

/* When other bodies have pushed it: an obstacle has the last word. */
static void look_at_wall(lt_cell_work *w, uint32_t index) {
    lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    lt_cell_outcome *outcome = &w->outcomes[index];
    bool waits = outcome->waits && !outcome->done;
    if (waits) outcome->bound = lt_root_known_depth(lt_words_of(pair)->left) + slack_of(w, pair);
    if ((waits || outcome->spared) && !w->pushes[pair->a].moves) return;
    lt_root r = lt_root_of_obstacle(w->bounds[pair->a], lt_step_obstacle(w->step, pair));
    if (!outcome->done) outcome->bound = lt_max_f(0, r.depth);
    if ((outcome->done && !outcome->spared) || !lt_root_is_known(lt_words_of(pair)->left))
        lt_words_of(pair)->left = lt_root_know(depth_to_keep(w, pair, outcome, r.depth));
    float excess = excess_in_wall(w, pair, outcome, &r);
    bool is_deeper = excess > 0 && excess < 1e30f;
    if (!outcome->done) lt_cell_wait(w, index, is_deeper ? 0 : lt_min_f(-excess, lt_cell_of_pair(w, pair)));
    if (is_deeper)
        hold(w, index, &r, excess);
    else
        end_holding(w, index, &r);
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

/* ---- in this order: pairs, of these who is held, who is dragged, walls, bodies ---- */

typedef struct rooting {
    lt_cell_work *work;
    uint32_t next;
    uint32_t held_count; /* pairs of bodies that are held or dragged, from the front of lt_cell_work.sorted */
    uint32_t wall_count; /* pairs with obstacles, from its end */
} rooting;

typedef enum phase { PHASE_PAIRS, PHASE_HELD, PHASE_DRAGGED, PHASE_WALLS, PHASE_BODIES, PHASE_DONE } phase;

/* What is next, and of which phase. */
static phase phase_of(const rooting *r, uint32_t *index) {
    const lt_cell_work *w = r->work;
    uint32_t pairs = w->method->memory.pairs.count, at = r->next;
    const uint32_t counts[] = {pairs, r->held_count, r->held_count, r->wall_count, w->step->collider_count};
    uint32_t p = PHASE_PAIRS;
    for (; p < PHASE_DONE && at >= counts[p]; p++)
        at -= counts[p];
    *index = at;
    if (p == PHASE_HELD || p == PHASE_DRAGGED) *index = w->sorted[at];
    if (p == PHASE_WALLS) *index = w->sorted[pairs - 1 - at];
    return (phase)p;
}

static uint32_t cost_of_next(const rooting *r) {
    const lt_cell_work *w = r->work;
    uint32_t index;
    switch (phase_of(r, &index)) {
    case PHASE_PAIRS: return w->outcomes[index].spared || is_wall(w, index) ? 1 : LT_ROOT_UNITS;
    case PHASE_HELD:
    case PHASE_DRAGGED: return 1;
    case PHASE_WALLS: return LT_ROOT_UNITS;
    case PHASE_BODIES: return w->pushes[index].moves ? 1 + w->step->softs[index].carrier.node_count / 4 : 1;
    default: return 0;
    }
}

static lt_piece peek(const void *state) {
    return (lt_piece){LT_WORK_ROOT, cost_of_next(state), 0};
}

static void meet(rooting *r, uint32_t index) {
    lt_cell_work *w = r->work;
    if (is_wall(w, index)) {
        w->sorted[w->method->memory.pairs.count - ++r->wall_count] = index;
        begin_at_wall(w, index);
    } else if (look_at(w, index)) {
        w->sorted[r->held_count++] = index;
    }
}

static void hold_pair(const lt_cell_work *w, uint32_t index) {
    if (!(w->outcomes[index].excess > 0)) return;
    lt_root r = root_of(w, lt_worded_pair_at(&w->method->memory.pairs, index), &w->outcomes[index]);
    hold(w, index, &r, w->outcomes[index].excess);
}

static void do_next(rooting *r) {
    lt_cell_work *w = r->work;
    uint32_t index;
    switch (phase_of(r, &index)) {
    case PHASE_PAIRS: meet(r, index); break;
    case PHASE_HELD: hold_pair(w, index); break;
    case PHASE_DRAGGED:
        if (is_dragged(w, index)) drag(w, index);
        break;
    case PHASE_WALLS: look_at_wall(w, index); break;
    default:
        if (w->pushes[index].moves) push_body(w, index);
    }
    if (++r->next == w->method->memory.pairs.count + 2 * r->held_count) limit_ways(w);
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
    const lt_pair_table *pairs = &w->method->memory.pairs;
    for (uint32_t i = 0; i < w->step->collider_count; i++)
        w->waiting[i] = 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (w->outcomes[i].done || lt_worded_pair_at(pairs, i)->kind != LT_PAIR_BODIES) continue;
        w->waiting[lt_worded_pair_at(pairs, i)->a]++;
        w->waiting[lt_worded_pair_at(pairs, i)->b]++;
    }
}

void lt_cell_roots(lt_cell_work *work) {
    rooting r = {work, 0, 0, 0};
    count_waiting(work);
    lt_spend_fully(work->step->meter, LT_STAGE_CONTACTS, (lt_cursor){&r, peek, step});
}
