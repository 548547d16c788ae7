/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/scheduler.h"

static bool comes_before(const lt_turn *turns, uint32_t a, uint32_t b) {
    float pa = turns[a].harm + (float)turns[a].age, pb = turns[b].harm + (float)turns[b].age;
    return pa > pb || (!(pa < pb) && a < b);
}

static void sift_down(lt_scheduler *s, uint32_t at) {
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= s->heap_count) return;
        if (child + 1 < s->heap_count && comes_before(s->turns, s->heap[child + 1], s->heap[child])) child++;
        if (comes_before(s->turns, s->heap[at], s->heap[child])) return;
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

static void queue_unserved(lt_scheduler *s, uint32_t count) {
    s->heap_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!s->turns[i].served && !s->turns[i].now && (!s->is_chosen || s->is_chosen(s->context, i)))
            s->heap[s->heap_count++] = i;
    order_heap(s);
}

/* Nobody has been served in the new round; those that had a turn in this very step come in the next one. */
static void begin_round(lt_scheduler *s) {
    for (uint32_t i = 0; i < s->count; i++)
        if (!s->is_chosen || s->is_chosen(s->context, i)) s->turns[i].served = false;
    queue_unserved(s, s->count);
}

void lt_scheduler_begin(lt_scheduler *scheduler, lt_turn *turns, uint32_t *heap, uint32_t count) {
    lt_scheduler_begin_some(scheduler, turns, heap, count, NULL, NULL);
}

void lt_scheduler_begin_some(lt_scheduler *scheduler, lt_turn *turns, uint32_t *heap, uint32_t count,
                             bool (*is_chosen)(const void *context, uint32_t index), const void *context) {
    *scheduler = (lt_scheduler){
        .turns = turns, .heap = heap, .count = count, .is_chosen = is_chosen, .context = context};
    for (uint32_t i = 0; i < count; i++)
        turns[i].now = false;
    queue_unserved(scheduler, count);
    if (scheduler->heap_count == 0) begin_round(scheduler);
}

void lt_scheduler_begin_chosen(lt_scheduler *scheduler, lt_turn *turns, uint32_t *heap, uint32_t count,
                               bool (*is_chosen)(const void *context, uint32_t index), const void *context) {
    *scheduler = (lt_scheduler){.turns = turns, .heap = heap};
    for (uint32_t i = 0; i < count; i++)
        if (is_chosen(context, i)) heap[scheduler->heap_count++] = i;
    order_heap(scheduler);
}

uint32_t lt_scheduler_next(const lt_scheduler *scheduler) {
    return scheduler->heap_count ? scheduler->heap[0] : LT_NONE;
}

void lt_scheduler_done(lt_scheduler *scheduler) {
    LT_ASSERT(scheduler->heap_count > 0);
    lt_turn *turn = &scheduler->turns[scheduler->heap[0]];
    turn->served = turn->now = true;
    turn->age = 0;
    scheduler->heap[0] = scheduler->heap[--scheduler->heap_count];
    sift_down(scheduler, 0);
    if (scheduler->heap_count == 0) begin_round(scheduler);
}

void lt_scheduler_end(lt_turn *turns, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        turns[i].age++;
}
