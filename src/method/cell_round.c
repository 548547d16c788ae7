/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Turns while the budget lasts, as one cursor.
 *
 *   first looks   every pair in its order, each to its end; where the budget ends within a turn the next step goes on
 *   again         what was deep is answered again, as often as lt_cell_work.passes says and while something is corrected: answers disturb
 *                 each other, and one pass leaves a pile moving
 *
 * Where the grant is large enough for all that some turns in a row might cost, and they share no body, they are taken at the
 * same time. The result is that of one after the other: neither threads nor grants show in it. */

#include "method/cell_work.h"

/* ---- the same time ---- */

/* Charged for opening a turn: a step must not be for nothing, even if the first piece does not fit. */
enum { OPEN_UNITS = 16 };

/* More than a turn can cost: every box against every other. */
static uint64_t most_of_turn(const lt_cell_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    uint32_t bodies[2], count = lt_cell_pair_bodies(bodies, pair);
    uint64_t units = 0, boxes[2] = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
        const lt_cell_layout *layout = w->boxes[bodies[i]]->layout;
        boxes[i] = layout->box_count;
        units += layout->node_count + (uint64_t)LT_CELL_GROUP_UNITS * layout->group_count +
                 (uint64_t)(LT_BRICK_UNITS + LT_BOX_SEARCH_UNITS) * layout->brick_count;
    }
    uint64_t looks =
        pair->kind == LT_PAIR_OBSTACLE ? boxes[0] : boxes[0] * (count == 2 ? boxes[1] : boxes[0]);
    return units + looks * (lt_cell_piece_most() + LT_BOX_SEARCH_UNITS);
}

/* How many of the next turns can be taken at the same time; less than 2: none. */
static uint32_t count_batch(const lt_cell_work *w, uint32_t grant) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    uint8_t class = w->classes[w->order[w->next]];
    uint32_t age = lt_pair_turn_at(pairs, w->order[w->next])->age, count = 0;
    uint64_t most = 0;
    if (class == LT_CELL_CLASS_NONE || w->method->cut.a != LT_NONE) return 0;
    for (uint32_t at = w->next; at < w->order_count && count < w->batch_capacity; at++, count++) {
        uint32_t index = w->order[at];
        most += most_of_turn(w, index);
        if (w->classes[index] != class || lt_pair_turn_at(pairs, index)->age != age || most > grant) break;
    }
    return count;
}

static void take_turns(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    lt_cell_work *w = context;
    (void)chunk;
    for (uint32_t i = begin; i < end; i++) {
        lt_cell_turn *turn = &w->batch[i];
        lt_cell_turn_begin(turn, w, w->order[w->next + i]);
        turn->touches = w->batch_touches + LT_CELL_BATCH_TOUCHES * (size_t)i;
        turn->touch_capacity = LT_CELL_BATCH_TOUCHES;
        turn->stops_when_full = true;
        w->batch_units[i] = lt_cell_turn_step(turn, UINT32_MAX);
    }
}

/* Those of a turn that was taken with others. */
static void keep_touches(lt_cell_work *w, lt_cell_turn *t) {
    uint32_t count = lt_min_u32(t->touch_count, w->touch_capacity - w->touch_count);
    memcpy(w->touches + w->touch_count, t->touches, count * sizeof *t->touches);
    t->outcome->touch_begin = w->touch_count;
    t->outcome->dropped += t->touch_count - count;
    t->touch_count = count;
}

/* Touches of a turn go directly into the list, behind those that it has there. */
static void emit_in_list(lt_cell_work *w, lt_cell_turn *t) {
    t->touches = w->touches + t->outcome->touch_begin;
    t->touch_capacity = w->touch_capacity - t->outcome->touch_begin;
    t->stops_when_full = false;
}

/* What listing them takes is set aside. */
static void list_touches(lt_cell_work *w, lt_cell_turn *t) {
    uint64_t added = t->touch_count - t->outcome->touch_count;
    lt_reserve_unannounced(w->step->meter, LT_WORK_FRONT, LT_CELL_EMIT_UNITS * added);
    lt_reserve_unannounced(w->step->meter, LT_WORK_KEEP, LT_LISTING_UNITS * added);
    lt_reserve_unannounced(w->step->meter, LT_WORK_COLLECT, LT_COLLECT_UNITS * added);
    w->touch_count += (uint32_t)added;
    t->outcome->touch_count = t->touch_count;
}

static uint32_t take_batch(lt_cell_work *w, uint32_t count) {
    enum { GRAIN = 8 };
    uint32_t spent = OPEN_UNITS * count;
    lt_tasks_for(w->step->tasks, count, GRAIN, take_turns, w);
    for (uint32_t i = 0; i < count; i++) {
        lt_cell_turn *turn = &w->batch[i];
        keep_touches(w, turn);
        emit_in_list(w, turn);
        spent += w->batch_units[i] + lt_cell_turn_step(turn, UINT32_MAX);
        list_touches(w, turn);
    }
    w->next += count;
    return spent;
}

/* ---- first looks ---- */

typedef struct looking {
    lt_cell_work *work;
    lt_cell_turn turn;
    bool open;
} looking;

static void open_turn(looking *l) {
    lt_cell_turn_begin(&l->turn, l->work, l->work->order[l->work->next]);
    l->turn.outcome->touch_begin = l->work->touch_count;
    emit_in_list(l->work, &l->turn);
    l->open = true;
}

static void close_turn(looking *l) {
    l->open = false;
    l->work->next++;
    l->work->method->cut.a = LT_NONE; /* it was the first */
}

static bool has_looked(const looking *l) {
    return l->work->next == l->work->order_count;
}

static uint32_t look_on(looking *l, uint32_t grant) {
    lt_cell_work *w = l->work;
    uint32_t spent = 0;
    while (!has_looked(l) && spent < grant) {
        uint32_t count = l->open ? 0 : count_batch(w, grant - spent);
        if (count >= 2) {
            spent += take_batch(w, count);
            continue;
        }
        if (!l->open) {
            open_turn(l);
            spent += OPEN_UNITS;
        }
        spent += lt_cell_turn_step(&l->turn, grant - lt_min_u32(spent, grant));
        list_touches(w, &l->turn);
        if (!l->turn.outcome->done) break;
        close_turn(l);
    }
    return spent;
}

/* ---- again ---- */

typedef struct repeating {
    lt_cell_work *work;
    uint32_t pass;
    uint32_t place; /* in the order */
    uint32_t touch; /* of the pair there */
    uint32_t corrections;
} repeating;

static uint32_t count_corrections(const lt_cell_work *w) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < w->method->memory.pairs.count; i++)
        sum += w->outcomes[i].corrections;
    return sum;
}

/* What was answered and is deep. Others push while the models move. */
static bool is_repeated(const lt_cell_work *w, const lt_cell_touch *touch) {
    return touch->answered && lt_cell_is_deep(w, touch);
}

/* To the next touch that is deep; past the last of a pass to the next one, if anything was corrected in it. */
static void settle_repeating(repeating *r) {
    const lt_cell_work *w = r->work;
    while (r->pass < w->passes && w->order_count > 0) {
        const lt_cell_outcome *outcome = &w->outcomes[w->order[r->place]];
        while (r->touch < outcome->touch_count &&
               !is_repeated(w, &w->touches[outcome->touch_begin + r->touch]))
            r->touch++;
        if (r->touch < outcome->touch_count) return;
        r->touch = 0;
        if (++r->place < w->order_count) continue;
        r->place = 0;
        r->pass = r->corrections ? r->pass + 1 : w->passes;
        r->corrections = 0;
    }
}

static uint32_t repeat(repeating *r, uint32_t grant) {
    lt_cell_work *w = r->work;
    uint32_t spent = 0;
    while (r->pass < w->passes && spent + LT_BOX_TOUCH_UNITS <= grant) {
        lt_cell_outcome *outcome = &w->outcomes[w->order[r->place]];
        outcome->corrections = 0;
        spent += lt_cell_answer_again(w, &w->touches[outcome->touch_begin + r->touch++]);
        r->corrections += outcome->corrections;
        settle_repeating(r);
    }
    return spent;
}

/* ---- the round ---- */

/* A turn that had begun goes on in the next step. One that was cut before is older by a step. */
static void keep_cut(lt_cell_work *w, const looking *l) {
    lt_cell_method *m = w->method;
    if (!l->open) return;
    uint32_t age = m->cut.a == LT_NONE ? 0 : m->cut_age;
    m->place = lt_cell_turn_place(&l->turn);
    m->cut = l->turn.pair;
    m->cut_age = age + 1;
}

typedef struct cell_round {
    looking looking;
    repeating repeating;
} cell_round;

static lt_piece peek(const void *state) {
    const cell_round *r = state;
    uint32_t cost = OPEN_UNITS;
    if (has_looked(&r->looking))
        cost = r->repeating.pass < r->looking.work->passes ? LT_BOX_TOUCH_UNITS : 0;
    else if (r->looking.open)
        cost = lt_cell_turn_cost(&r->looking.turn);
    return (lt_piece){LT_WORK_TRAVERSE, cost, 0};
}

/* The first of the passes was the look itself. */
static uint32_t step(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    cell_round *r = state;
    if (has_looked(&r->looking)) return repeat(&r->repeating, grant);
    uint32_t spent = look_on(&r->looking, grant);
    if (has_looked(&r->looking)) {
        r->repeating.pass = count_corrections(r->looking.work) ? 1 : r->looking.work->passes;
        settle_repeating(&r->repeating);
    }
    return spent;
}

/* ---- the least ---- */

/* Where what has to be done takes all of the time there is nobody would ever have a turn, and what waits is held where it was: letters
 * hung on the walls of their bin for good. So once somebody has waited this many steps, some turns are taken in every step,
 * a tenth of a millisecond or so. */
enum { PATIENCE = 64, LEAST_TURN_UNITS = 12000 };

typedef struct least_turns {
    cell_round *round;
    uint32_t units;
} least_turns;

static lt_piece peek_least(const void *state) {
    const least_turns *l = state;
    lt_piece next = peek(l->round);
    if (l->units < next.cost) next.cost = 0;
    return next;
}

static uint32_t step_least(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    least_turns *l = state;
    uint32_t spent = step(l->round, lt_min_u32(grant, l->units));
    l->units -= lt_min_u32(spent, l->units);
    return spent;
}

/* By the clock, where somebody waits too long: what is missing. */
static uint32_t missing_units(const lt_cell_work *w) {
    const lt_meter *meter = w->step->meter;
    uint64_t spent = meter->spent.units[LT_STAGE_DETECT];
    bool waits = w->order_count > 0 && lt_pair_turn_at(&w->method->memory.pairs, w->order[0])->age > PATIENCE;
    if (meter->deadline_ns == LT_UNLIMITED || !waits || spent >= LEAST_TURN_UNITS) return 0;
    return LEAST_TURN_UNITS - (uint32_t)spent;
}

/* ---- within the budget, then in any case ---- */

/* All pairs are looked at, and bodies that are held may be moved. */
static uint64_t root_units(const lt_cell_work *w) {
    uint64_t units = 0;
    for (uint32_t i = 0; i < w->method->memory.pairs.count; i++)
        units += w->outcomes[i].spared ? 1 : LT_ROOT_UNITS;
    for (uint32_t i = 0; i < w->step->collider_count; i++)
        units += w->step->colliders[i].in_use ? 1 + w->step->softs[i].carrier.node_count / 4 : 0;
    return units;
}

/* Half of what is left is for turns, whatever holding the others will take: each turn spares some of that. If it were set aside
 * for all of them first, a heap without turns would take all of its budget to be held, and never have turns again. */
void lt_cell_round(lt_cell_work *work) {
    lt_meter *meter = work->step->meter;
    uint32_t most = lt_cell_piece_most();
    cell_round r = {.looking = {.work = work}, .repeating = {.work = work, .pass = work->passes}};
    lt_cursor cursor = {&r, peek, step};
    lt_reserve(meter, most);
    meter->overrun_units = most; /* what a turn finds is answered in the same piece */
    lt_share whole = lt_meter_begin_share(meter, 0.5);
    bool ended = lt_spend(meter, LT_STAGE_DETECT, cursor);
    lt_meter_end_share(meter, whole);
    if (!ended) {
        lt_reserve_work(meter, LT_WORK_ROOT, root_units(work));
        ended = lt_spend(meter, LT_STAGE_DETECT, cursor);
    }
    meter->overrun_units = 0;
    least_turns least = {&r, ended ? 0 : missing_units(work)};
    lt_spend_fully(meter, LT_STAGE_DETECT, (lt_cursor){&least, peek_least, step_least});
    if (!ended) work->step->report->interrupted = 1;
    lt_give_back(meter, LT_WORK_RESPOND, most);
    keep_cut(work, &r.looking);
}
