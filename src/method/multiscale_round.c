/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Turns while the budget lasts: in rounds, by harm and age (core/scheduler.h). A turn that was cut although it was the first of its step
 * counts as had: the others must have theirs. One that was cut because others were before it comes again in the same round. So from turn
 * to turn nobody waits longer than there are pairs, in steps. A turn that was cut as the first is dearer than a step: turns of that pair
 * are long ones from then on, which go on in the next step (multiscale_long.c), until one takes no more than a step. (Of a body with itself
 * whenever it was cut.) Who must wait until the long turn of another pair of its body is over goes on with that one; it grows older all
 * the same, and so comes before the other in the next round. */

#include "method/multiscale_work.h"

/* Of what is left: the rest is for sweeps. */
static const double SHARE = 0.6;
/* Separations: contacts that push keep one, and must be found again. */
static const float FORESEEN = 1.5f;

void lt_multi_begin_outcomes(lt_multi_work *w) {
    lt_memory *memory = &w->method->memory;
    for (uint32_t i = 0; i < memory->pairs.count; i++) {
        const lt_pair *pair = lt_worded_pair_at(&memory->pairs, i);
        const lt_pair_slot *slot = lt_pair_slot_at(&memory->pairs, i);
        w->outcomes[i] = (lt_multi_outcome){
            .held_begin = slot->contact_begin, .held_end = slot->contact_end, .age_limit = UINT32_MAX};
        lt_pair_turn_at(&memory->pairs, i)->harm = lt_pair_harm(w->step, pair);
    }
    lt_multi_find_entries(w);
}

static void count_turn(lt_multi_work *w, const lt_multi_turn *t) {
    const lt_query *q = &t->query;
    uint32_t dropped = q->dropped_count + t->obstacle_query.dropped_count;
    bool obstacle = t->pair->kind == LT_PAIR_OBSTACLE;
    if (t->phase < LT_TURN_QUERY) return;
    t->outcome->tested += obstacle ? t->obstacle_query.box_tests + t->obstacle_query.vertex_tests
                                   : q->box_tests + q->test_total;
    if (dropped == 0 || lt_multi_is_overlapping(t->pair)) return;
    w->step->report->dropped += dropped;
    w->step->report->problems |= LT_PROBLEM_CONTACT_CAPACITY;
    w->complete = false;
}

static bool spend_turn(lt_multi_work *w) {
    lt_multi_turn *t = w->turn;
    lt_meter *meter = w->step->meter;
    uint64_t units = lt_multi_may_cross(t) ? LT_MULTI_SUSPECTS * LT_QUERY_CROSSING_UNITS : 0;
    lt_reserve_work(meter, LT_WORK_TRAVERSE, units);
    bool ended = lt_spend(meter, LT_STAGE_DETECT, lt_multi_turn_cursor(t));
    lt_give_back(meter, LT_WORK_TRAVERSE, units);
    if (lt_multi_may_cross(t)) lt_spend_fully(meter, LT_STAGE_CONTACTS, lt_multi_suspect_cursor(t));
    lt_multi_add_found(w, t);
    lt_multi_keep_seen(w, t);
    count_turn(w, t);
    return ended;
}

/* Goes on with it, or begins it. One that ends in the step it was begun in is the last. */
static bool take_resumable(lt_multi_work *w, uint32_t index, lt_multi_long *own) {
    lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    bool is_fresh = !own->is_begun;
    bool ended, is_over;
    w->outcomes[index].begun = true;
    do {
        uint64_t before = w->step->meter->used_units;
        lt_multi_turn_resume(w->turn, w, index, own);
        ended = spend_turn(w);
        uint64_t asking = LT_QUERY_CROSSING_UNITS * (uint64_t)w->turn->suspect_count; /* of this step alone */
        is_over = lt_multi_long_keep(w->turn, ended, w->step->meter->used_units - before - asking);
    } while (!is_over);
    lt_multi_set_long(pair, !(ended && is_fresh) && !lt_multi_is_overlapping(pair));
    return ended;
}

static uint32_t index_of(const lt_multi_work *w, const lt_pair *pair) {
    return lt_pair_table_place(&w->method->memory.pairs, pair);
}

/* Of a body with itself also the next ones; what is left is for nobody else. */
static bool take_long_turns(lt_multi_work *w, uint32_t index) {
    lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    lt_multi_long *own = lt_multi_long_for(w, pair), *before;
    bool ended = true;
    while (ended && (before = lt_multi_long_before(w, pair)) != NULL)
        ended = take_resumable(w, index_of(w, &before->pair), before);
    if (ended) ended = take_resumable(w, index, own);
    while (ended && lt_multi_is_long(pair) && pair->kind == LT_PAIR_SELF)
        ended = take_resumable(w, index, own);
    return ended;
}

/* What is in each other is not parted by where surfaces meet: a long turn would not help. */
static bool take_whole_turn(lt_multi_work *w, uint32_t index, bool is_first) {
    LT_ASSERT(index < w->method->memory.pairs.count);
    lt_multi_outcome *outcome = &w->outcomes[index];
    lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    lt_multi_turn_begin(w->turn, w, index, (w->foreseen ? FORESEEN : 1) * w->separation, false);
    bool ended = spend_turn(w);
    if (ended) outcome->by_long = false;
    outcome->is_parted = lt_multi_is_overlapping(pair) && w->turn->crossing_count > 0;
    if (!ended && is_first && lt_multi_is_overlapping(pair) && !outcome->is_parted)
        lt_multi_know(pair, LT_MULTI_UNKNOWN, lt_multi_undecided_steps(pair));
    lt_multi_set_long(pair,
                      !ended && !lt_multi_is_overlapping(pair) && (is_first || pair->kind == LT_PAIR_SELF));
    return ended;
}

/* Whom a long turn finds in each other is parted at once. */
static bool take_turn(lt_multi_work *w, uint32_t index, bool is_first) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    bool is_long = lt_multi_is_long(pair), ended = true;
    w->outcomes[index].begun = true;
    if (is_long) ended = take_long_turns(w, index);
    return is_long && !lt_multi_is_overlapping(pair) ? ended : ended && take_whole_turn(w, index, is_first);
}

/* When all had their turns and something is left, long ones that are over are made up for: by whole ones, or, if those would be too
 * dear again, by the next, and a whole one after that, while something is left. */
static void take_more_turns(lt_multi_work *w) {
    bool ended = true;
    for (uint32_t i = 0; ended && i < w->method->memory.pairs.count; i++)
        while (ended && w->outcomes[i].by_long)
            ended = take_turn(w, i, false);
}

/* In the next step, where it was cut. */
static bool goes_on(const lt_multi_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    return lt_multi_long_is_of(lt_multi_long_for(w, pair), pair);
}

static bool must_wait(const lt_multi_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    return lt_multi_is_long(pair) && lt_multi_long_before(w, pair);
}

/* Two bodies are held until their turn is over, and what others find in them meanwhile is of little use: in every other step it goes on
 * first. */
static bool take_held_turns(lt_multi_work *w) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    bool ended = true;
    if (w->method->options.multiscale.pending != LT_PENDING_CLAMP) return true;
    for (uint32_t i = 0; ended && i < pairs->count; i++) {
        const lt_pair *pair = lt_worded_pair_at(pairs, i);
        if (pair->kind == LT_PAIR_BODIES && goes_on(w, i) && lt_multi_undecided_steps(pair) % 2 == 1)
            ended = take_resumable(w, i, lt_multi_long_for(w, pair));
    }
    return ended;
}

void lt_multi_search(lt_multi_work *w) {
    lt_pair_table *pairs = &w->method->memory.pairs;
    lt_scheduler scheduler;
    bool ended = true, is_first = true;
    lt_share whole = lt_meter_begin_share(w->step->meter, SHARE);
    lt_scheduler_begin(&scheduler, lt_pair_turns(pairs), w->heap);
    lt_multi_let_rest(w);
    ended = take_held_turns(w);
    for (uint32_t i = lt_scheduler_next(&scheduler); ended && i != LT_NONE;
         i = lt_scheduler_next(&scheduler)) {
        if (w->outcomes[i].rests) {
            lt_scheduler_done(&scheduler);
            continue;
        }
        ended = take_turn(w, i, is_first);
        uint32_t age = lt_pair_turn_at(pairs, i)->age;
        if (ended || w->outcomes[i].done || goes_on(w, i) || is_first) lt_scheduler_done(&scheduler);
        if (!ended && must_wait(w, i)) lt_pair_turn_at(pairs, i)->age = age;
        if (!ended) break;
        is_first = false;
    }
    if (ended)
        take_more_turns(w);
    else
        w->complete = false;
    lt_scheduler_end(lt_pair_turns(pairs));
    lt_meter_end_share(w->step->meter, whole);
    for (uint32_t i = 0; i < pairs->count; i++) {
        w->complete = w->complete && w->outcomes[i].done && !w->outcomes[i].by_long;
        lt_multi_long_note(w, lt_worded_pair_at(pairs, i), &w->outcomes[i]);
    }
}

/* ---- again ---- */

static bool concerns_touched(const lt_multi_work *w, const lt_pair *pair) {
    uint32_t bodies[2], count = lt_multi_pair_bodies(bodies, pair);
    return w->motions[bodies[0]].is_touched || w->motions[bodies[count - 1]].is_touched;
}

static void outdate_touched(lt_multi_work *w) {
    for (uint32_t i = 0; i < w->step->collider_count; i++) {
        lt_multi_motion *m = &w->motions[i];
        if (m->is_touched) m->is_begun = false;
    }
}

static bool look_again(lt_multi_work *w, uint32_t index, float separation) {
    LT_ASSERT(index < w->method->memory.pairs.count);
    lt_multi_turn_begin(w->turn, w, index, separation, true);
    return lt_spend(w->step->meter, LT_STAGE_DETECT, lt_multi_turn_cursor(w->turn));
}

static bool see_again(lt_multi_work *w, uint32_t index, float separation) {
    LT_ASSERT(index < w->method->memory.pairs.count);
    lt_multi_turn_see(w->turn, w, index, separation);
    bool ended = lt_spend(w->step->meter, LT_STAGE_DETECT, lt_multi_seen_cursor(w->turn));
    w->outcomes[index].done = ended;
    return ended;
}

bool lt_multi_search_again(lt_multi_work *w, float separation, lt_multi_use *use, void *context) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    lt_multi_turn *t = w->turn;
    outdate_touched(w);
    for (uint32_t i = 0; i < pairs->count; i++) {
        const lt_pair *pair = lt_worded_pair_at(pairs, i);
        if (!w->outcomes[i].done || lt_multi_is_overlapping(pair) || !concerns_touched(w, pair)) continue;
        if (w->outcomes[i].rests && lt_multi_stays_clear(w, i, separation)) continue;
        w->outcomes[i].done = false;
        w->outcomes[i].rests = false;
        bool ended =
            lt_multi_knows_all(w, i, separation) ? see_again(w, i, separation) : look_again(w, i, separation);
        use(w, t, context);
        count_turn(w, t);
        if (!ended) return false;
    }
    return true;
}
