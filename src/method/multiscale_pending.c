/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pairs of a body with obstacles of which one moves that were not decided in a step, as lt_world_def.multiscale.pending says, by the box around the
 * body as the step ends. (Others are in multiscale_bodies.c: who is held there waits, and an obstacle that moves does not.) Contacts that are known go on in any case; this is for what they
 * do not tell of.
 *
 *   clamp     deeper than when they were decided last, or met: the approach of the two ends, and the body is moved out by what it is
 *             deeper, a part of its size at most
 *   penalty   the deeper, the more of the approach ends, and nothing is moved: boxes tell the way out of each other badly, and
 *             what pushes against them all along makes energy
 *   ignore    nothing
 *
 * An obstacle counts where it gets to, and what it passes on its way is in it: a body that is held moves on with it. */

#include "method/multiscale_work.h"

#include <string.h>

/* Of the size of the body: that far it is moved in a step at most. */
static const float MOST = 0.02f;
/* Separations that boxes may be deeper before anything is done: bodies that rest tremble. */
static const float SLACK = 4;

typedef struct holding {
    lt_multi_work *work;
    lt_root_push *pushes; /* [collider_count] */
    uint32_t next;
} holding;

static lt_root root_of(const lt_multi_work *w, const lt_pair *pair, bool over_step) {
    lt_box a = w->step->colliders[pair->a].box;
    const lt_obstacle *obstacle = lt_step_obstacle(w->step, pair);
    if (!over_step) return lt_root_after_step(a, obstacle);
    return lt_root_over_step(w->motions[pair->a].start, a, obstacle, w->step->dt);
}

/* Of those that met in this step: what they are allowed. An obstacle may go right through a body in a step: as it begins. */
static float depth_when_met(const lt_multi_work *w, const lt_pair *pair) {
    return lt_root_before_step(w->motions[pair->a].start, lt_step_obstacle(w->step, pair)).depth;
}

bool lt_multi_is_pushed(const lt_multi_work *w, uint32_t body) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    for (uint32_t i = 0; i < pairs->count; i++) {
        const lt_pair *pair = lt_worded_pair_at(pairs, i);
        if (pair->a == body && pair->kind == LT_PAIR_OBSTACLE && w->step->obstacles[pair->b].moving)
            return true;
    }
    return false;
}

/* Whether the body may go so far, or another obstacle is there: through the floor it would be lost. */
static bool may_go(const lt_multi_work *w, const lt_pair *pair, lt_vec3 way) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    lt_box box = w->step->colliders[pair->a].box, there = {lt_v3_add(box.lo, way), lt_v3_add(box.hi, way)};
    uint32_t at = lt_pair_table_place(pairs, pair), own = at;
    while (at > 0 && lt_worded_pair_at(pairs, at - 1)->a == pair->a)
        at--;
    for (; at < pairs->count && lt_worded_pair_at(pairs, at)->a == pair->a; at++) {
        const lt_pair *other = lt_worded_pair_at(pairs, at);
        if (at == own || other->kind != LT_PAIR_OBSTACLE) continue;
        const lt_obstacle *obstacle = lt_step_obstacle(w->step, other);
        float deep = lt_max_f(0, lt_root_over_step(box, box, obstacle, w->step->dt).depth);
        if (lt_root_over_step(box, there, obstacle, w->step->dt).depth > deep + SLACK * w->separation)
            return false;
    }
    return true;
}

/* What came nearer in the step can go back as far. False: the obstacle would push it into another one, and goes through it instead.
 * One that stands still always holds. */
static bool find_pursuit(const lt_multi_work *w, const lt_pair *pair, const lt_root *root, float excess,
                         lt_real *pursuit) {
    const lt_obstacle *obstacle = lt_step_obstacle(w->step, pair);
    lt_box from = w->motions[pair->a].start, to = w->step->colliders[pair->a].box;
    *pursuit = lt_root_pursuit(root, from, to, obstacle, w->step->dt);
    return !obstacle->moving || may_go(w, pair, lt_v3_scale(root->normal, lt_min_f(excess, (float)*pursuit)));
}

static void hold(holding *h, const lt_pair *pair, lt_multi_outcome *outcome, const lt_root *root,
                 float excess) {
    lt_multi_work *w = h->work;
    bool clamps = w->method->options.multiscale.pending == LT_PENDING_CLAMP;
    lt_real most = (lt_real)MOST * w->step->softs[pair->a].size, pursuit;
    if (!find_pursuit(w, pair, root, excess, &pursuit)) return;
    lt_real reach = lt_min_r((lt_real)excess, most + pursuit);
    h->pushes[pair->a].pursuit = lt_max_r(h->pushes[pair->a].pursuit, pursuit);
    lt_real share = clamps ? 1 : (lt_real)excess / ((lt_real)excess + most);
    lt_rvec3 impulse = lt_root_answer(w->step, h->pushes, pair, root, share, clamps ? reach : 0);
    outcome->impulse = lt_r3_add(outcome->impulse, impulse);
    w->step->report->held++;
    lt_load_obstacle(lt_step_obstacle(w->step, pair), root->point,
                     lt_v3_scale(lt_v3_from_r3(impulse), 1 / w->step->dt));
}

/* Of pairs that are decided the depth is taken down: it is one that was allowed. Not by a long turn, which is about where they were when
 * it began: from turn to turn they would sink in. */
static void look_at(holding *h, uint32_t index) {
    lt_multi_work *w = h->work;
    lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    lt_multi_outcome *outcome = &w->outcomes[index];
    if (pair->kind != LT_PAIR_OBSTACLE) return;
    lt_root root = root_of(w, pair, !outcome->done);
    bool is_whole = outcome->done && !outcome->by_long;
    if (is_whole || !lt_root_is_known(lt_words_of(pair)->next))
        lt_words_of(pair)->next = lt_root_know(outcome->done ? root.depth : depth_when_met(w, pair));
    if (outcome->done || !lt_multi_is_pushed(w, pair->a)) return;
    float excess = root.depth - lt_root_known_depth(lt_words_of(pair)->next) - SLACK * w->separation;
    bool ignores = w->method->options.multiscale.pending == LT_PENDING_IGNORE;
    if (!ignores && excess > 0 && excess < 1e30f) hold(h, pair, outcome, &root, excess);
}

static void move_body(holding *h, uint32_t body) {
    lt_root_push *push = &h->pushes[body];
    lt_soft *soft = &h->work->step->softs[body];
    lt_real way = lt_r3_length(push->way), most = (lt_real)MOST * soft->size + push->pursuit;
    if (way > most) push->way = lt_r3_scale(push->way, most / way);
    lt_root_move(push, soft);
    lt_soft_follow(soft);
    for (uint32_t i = 0; i < h->work->method->memory.pairs.count; i++)
        if (lt_pair_is_of_body(lt_worded_pair_at(&h->work->method->memory.pairs, i), body))
            h->work->outcomes[i].is_apart = false;
}

/* ---- the cursor: bodies are measured, pairs looked at, bodies moved ---- */

typedef enum item { ITEM_MEASURE, ITEM_PAIR, ITEM_MOVE, ITEM_NONE } item;

static item item_of(const holding *h, uint32_t *index) {
    const lt_multi_work *w = h->work;
    uint32_t bodies = w->step->collider_count, pairs = w->method->memory.pairs.count;
    *index = h->next;
    if (h->next < bodies) return ITEM_MEASURE;
    *index = h->next - bodies;
    if (*index < pairs) return ITEM_PAIR;
    *index -= pairs;
    return *index < bodies ? ITEM_MOVE : ITEM_NONE;
}

static uint32_t cost_of_next(const holding *h) {
    uint32_t index;
    const lt_multi_work *w = h->work;
    switch (item_of(h, &index)) {
    case ITEM_MEASURE: return w->motions[index].from ? 1 + w->step->softs[index].carrier.node_count / 2 : 1;
    case ITEM_PAIR: return LT_ROOT_UNITS;
    case ITEM_MOVE: return h->pushes[index].moves ? 1 + w->step->softs[index].carrier.node_count / 2 : 1;
    default: return 0;
    }
}

static lt_piece peek(const void *state) {
    return (lt_piece){LT_WORK_ROOT, cost_of_next(state), 0};
}

static uint32_t step(void *state, uint32_t grant) {
    holding *h = state;
    uint32_t index, cost = cost_of_next(h);
    (void)grant; /* it was set aside */
    item now = item_of(h, &index);
    if (now == ITEM_MEASURE && h->work->motions[index].from)
        h->work->step->colliders[index].box = lt_multi_box_at_end(h->work, index);
    if (now == ITEM_PAIR) look_at(h, index);
    if (now == ITEM_MOVE && h->pushes[index].moves) move_body(h, index);
    h->next++;
    return cost;
}

uint64_t lt_multi_hold_units(const lt_multi_work *w) {
    uint64_t units = LT_ROOT_UNITS * (uint64_t)w->method->memory.pairs.count;
    for (uint32_t i = 0; i < w->step->collider_count; i++)
        units += 2 + (w->motions[i].from ? w->step->softs[i].carrier.node_count : 0);
    return units;
}

void lt_multi_count_pairs(const lt_multi_work *w, lt_root_push *pushes) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    for (uint32_t i = 0; i < pairs->count; i++) {
        const lt_pair *pair = lt_worded_pair_at(pairs, i);
        if (pair->kind != LT_PAIR_SELF) pushes[pair->a].pair_count++;
        if (pair->kind == LT_PAIR_BODIES) pushes[pair->b].pair_count++;
    }
}

void lt_multi_hold_pending(lt_multi_work *w) {
    holding h = {w, LT_TAKE(w->step->arena, w->step->collider_count, lt_root_push), 0};
    if (!h.pushes) {
        w->step->report->problems |= LT_PROBLEM_SCRATCH;
        return;
    }
    memset(h.pushes, 0, w->step->collider_count * sizeof *h.pushes);
    lt_multi_count_pairs(w, h.pushes);
    lt_spend_fully(w->step->meter, LT_STAGE_CONTACTS, (lt_cursor){&h, peek, step});
}
