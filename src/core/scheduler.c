/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/scheduler.h"

static bool comes_before(const lt_turns *turns, uint32_t a, uint32_t b) {
    const lt_turn *x = lt_turn_of(turns, a), *y = lt_turn_of(turns, b);
    float pa = x->harm + (float)x->age, pb = y->harm + (float)y->age;
    return pa > pb || (!(pa < pb) && a < b);
}

static void sift_down(lt_scheduler *s, uint32_t at) {
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= s->heap_count) return;
        if (child + 1 < s->heap_count && comes_before(&s->turns, s->heap[child + 1], s->heap[child])) child++;
        if (comes_before(&s->turns, s->heap[at], s->heap[child])) return;
        uint32_t swap = s->heap[at];
        s->heap[at] = s->heap[child];
        s->heap[child] = swap;
        at = child;
    }
}

static void order_heap(lt_scheduler *s) {
    for (uint32_t i = s->heap_count / 2; i-- > 0;)
        sift_down(s, i);
}

static uint32_t member_count(const lt_scheduler *s) {
    return s->rounds.members ? s->rounds.member_count : s->turns.count;
}

static uint32_t member(const lt_scheduler *s, uint32_t place) {
    return s->rounds.members ? s->rounds.members[place] : place;
}

static void queue(lt_scheduler *s, uint32_t index) {
    if (s->rounds.harm) lt_turn_of(&s->turns, index)->harm = s->rounds.harm(s->rounds.context, index);
    s->heap[s->heap_count++] = index;
}

/* From the first that is not served to as many behind it as the window holds. */
static void queue_window(lt_scheduler *s) {
    uint32_t seen = 0, place = s->from, end = member_count(s);
    s->heap_count = 0;
    for (; place < end && seen < s->rounds.window; place++) {
        const lt_turn *turn = lt_turn_of(&s->turns, member(s, place));
        bool waits = !turn->served && !turn->now;
        if (!waits && seen == 0) continue;
        seen++;
        if (waits) queue(s, member(s, place));
    }
    s->from = place;
    order_heap(s);
}

/* Nobody has been served in the new round; those that had a turn in this very step come in the next one. */
static void begin_round(lt_scheduler *s) {
    for (uint32_t place = 0; place < member_count(s); place++)
        lt_turn_of(&s->turns, member(s, place))->served = false;
    s->from = 0;
    queue_window(s);
}

static bool is_urgent(const lt_scheduler *s, uint32_t index) {
    return s->rounds.is_urgent ? s->rounds.is_urgent(s->rounds.context, index)
                               : lt_turn_of(&s->turns, index)->age == 0;
}

static void queue_urgent(lt_scheduler *s) {
    for (uint32_t place = 0; place < member_count(s); place++) {
        uint32_t i = member(s, place);
        if (is_urgent(s, i)) queue(s, i);
        lt_turn *turn = lt_turn_of(&s->turns, i);
        if (turn->age == 0) turn->served = true;
    }
    s->urgent_count = s->heap_count;
    order_heap(s);
}

static void clear_now(lt_scheduler *s) {
    for (uint32_t place = 0; place < member_count(s); place++)
        lt_turn_of(&s->turns, member(s, place))->now = false;
}

static void fill_queue(lt_scheduler *s) {
    if (s->heap_count == 0) queue_window(s);
    if (s->heap_count == 0) begin_round(s);
}

void lt_scheduler_begin(lt_scheduler *scheduler, lt_turns turns, uint32_t *heap) {
    *scheduler = (lt_scheduler){.turns = turns, .heap = heap, .rounds = {.window = UINT32_MAX}};
    clear_now(scheduler);
    fill_queue(scheduler);
}

void lt_scheduler_begin_rounds(lt_scheduler *scheduler, lt_turns turns, uint32_t *heap,
                               const lt_rounds *rounds) {
    *scheduler = (lt_scheduler){.turns = turns, .heap = heap, .rounds = *rounds};
    clear_now(scheduler);
    queue_urgent(scheduler);
    fill_queue(scheduler);
}

void lt_scheduler_begin_chosen(lt_scheduler *scheduler, lt_turns turns, uint32_t *heap,
                               bool (*is_chosen)(const void *context, uint32_t index), const void *context) {
    *scheduler = (lt_scheduler){.turns = turns, .heap = heap};
    for (uint32_t i = 0; i < turns.count; i++)
        if (is_chosen(context, i)) heap[scheduler->heap_count++] = i;
    scheduler->turns.count = 0;
    order_heap(scheduler);
}

uint32_t lt_scheduler_next(const lt_scheduler *scheduler) {
    return scheduler->heap_count ? scheduler->heap[0] : LT_NONE;
}

void lt_scheduler_done(lt_scheduler *scheduler) {
    LT_ASSERT(scheduler->heap_count > 0);
    lt_turn *turn = lt_turn_of(&scheduler->turns, scheduler->heap[0]);
    turn->served = turn->now = true;
    turn->age = 0;
    scheduler->heap[0] = scheduler->heap[--scheduler->heap_count];
    sift_down(scheduler, 0);
    fill_queue(scheduler);
}

void lt_scheduler_end(lt_turns turns) {
    for (uint32_t i = 0; i < turns.count; i++)
        lt_turn_of(&turns, i)->age++;
}
