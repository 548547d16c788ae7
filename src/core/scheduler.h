/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Who is served first when not all can be.
 *
 * The scheduler hands out turns and knows nothing of what they do. Work goes in rounds: within a round the
 * item with the greatest priority comes next, and an item that was served waits until every other one of the
 * round was. So a budget B against a full cost F serves everybody once in ⌈F/B⌉ steps, a round, and within it
 * harm decides. From turn to turn nobody waits longer than 2⌈F/B⌉ − 1 steps, whatever the priorities (first in
 * one round, last in the next), and not longer than ⌈F/B⌉ + 1 while their order stays.
 *   priority = harm (area × depth × approach speed × the caller's significance) + age in steps
 * (After Hubbard's round robin and the priorities of O'Sullivan and Dingliana.) Ties go to the lower index. */

#ifndef LITHE_CORE_SCHEDULER_H
#define LITHE_CORE_SCHEDULER_H

#include "core/base.h"

typedef struct lt_turn {
    float harm;   /* if it is not served */
    uint32_t age; /* steps since it was last served in full, or since it came */
    bool served;  /* in this round */
    bool now;     /* in this step */
} lt_turn;

/* Turns by index, where they are kept in another order. */
typedef struct lt_turns {
    lt_turn *items;        /* the caller's, kept over steps */
    const uint32_t *order; /* [count] which of the items; NULL: they are by index */
    uint32_t count;
} lt_turns;

static inline lt_turn *lt_turn_of(const lt_turns *turns, uint32_t index) {
    return &turns->items[turns->order ? turns->order[index] : index];
}

/* Rounds of some of the turns, of which only the next few are weighed. */
typedef struct lt_rounds {
    uint32_t window;
    const uint32_t *members; /* [member_count] indices that take part, rising; NULL: all */
    uint32_t member_count;
    bool (*is_urgent)(const void *context, uint32_t index); /* NULL: who came in this step (age 0) */
    float (*harm)(const void *context, uint32_t index);     /* NULL: as it is */
    const void *context;
} lt_rounds;

typedef struct lt_scheduler {
    lt_turns turns; /* none: no rounds */
    uint32_t *heap; /* [count], scratch */
    uint32_t heap_count;
    lt_rounds rounds;
    uint32_t from;         /* member at which the next window begins */
    uint32_t urgent_count; /* queued as this step began */
} lt_scheduler;

/* Queues all turns not yet served in this round; when all were, begins a new round. A round that ends within a step
 * is followed by the next, with everybody who has not had a turn in this step: what the budget has left goes on
 * being spent, and a newcomer in mid-round does not make the others wait. */
void lt_scheduler_begin(lt_scheduler *scheduler, lt_turns turns, uint32_t *heap);
/* The same in windows: turns are served in the order of their index, and harm decides only among those that are next, from
 * the first that was not served to `window` behind it. Costs what the window does. What is urgent comes before; who came in
 * this step (age 0) has a place from the next round on, so that the order of this one stays. A step that serves `least`
 * turns beside what is urgent makes a round of n take R = ⌈n/least⌉ steps, and from turn to turn nobody waits longer than
 * R + ⌈window/least⌉ + 1 while nobody leaves or comes. */
void lt_scheduler_begin_rounds(lt_scheduler *scheduler, lt_turns turns, uint32_t *heap,
                               const lt_rounds *rounds);
/* Queues only the turns that are chosen, served or not, and begins no round: for what must not wait for one. */
void lt_scheduler_begin_chosen(lt_scheduler *scheduler, lt_turns turns, uint32_t *heap,
                               bool (*is_chosen)(const void *context, uint32_t index), const void *context);
/* The next index to serve, or LT_NONE when all had a turn in this step. The turn stays queued until it is done. */
uint32_t lt_scheduler_next(const lt_scheduler *scheduler);
/* The turn last given by next was served in full. */
void lt_scheduler_done(lt_scheduler *scheduler);
/* Ages every turn; call once at the end of a step. In the step after it was served a turn has age 1. */
void lt_scheduler_end(lt_turns turns);

#endif
