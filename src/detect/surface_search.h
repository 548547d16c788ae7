/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The exact contacts of one pair (two bodies, a body with itself, a body and an obstacle) over a motion of their nodes, by what
 * moving_surface.h, self.h, query.h and query_obstacle.h have, in the order they want it, cut anywhere:
 *
 *   fit a ──► fit b ──► mark (with itself only) ──► meet
 *   ╰─ once a motion, whoever of its pairs comes first ─╯
 *
 * A body is fitted by the first of its pairs that has its turn, not before: a budget too small for all bodies is enough for the
 * pair that has waited longest. Marks that were cut short are gone on with and not used: what is found never hangs on where
 * the budget ended. */

#ifndef LITHE_DETECT_SURFACE_SEARCH_H
#define LITHE_DETECT_SURFACE_SEARCH_H

#include "detect/moving_surface.h"
#include "detect/query_obstacle.h"

typedef enum lt_search_phase {
    LT_SEARCH_FIT_A,
    LT_SEARCH_FIT_B,
    LT_SEARCH_MARK,
    LT_SEARCH_MEET,
    LT_SEARCH_DONE
} lt_search_phase;

typedef struct lt_surface_search {
    /* Input */
    lt_moving_surface *a, *b;    /* after begin; b the same: with itself; NULL: the obstacle */
    const lt_obstacle *obstacle; /* from where it is to its target */
    float separation;            /* m */
    lt_ccd_may_meet *may_meet;
    lt_meeting *meetings;                   /* [capacity] of bodies */
    lt_obstacle_meeting *obstacle_meetings; /* [capacity] of an obstacle */
    uint32_t capacity;
    uint32_t reserve; /* units of response that a contact may cause */
    /* State; what was found is in there */
    lt_search_phase phase;
    lt_query query;
    lt_obstacle_query obstacle_query;
} lt_surface_search;

/* The input is set. Takes no time. */
void lt_surface_search_begin(lt_surface_search *search);
/* Spends on it until it is done (true) or the budget ends: fitting as LT_STAGE_BOUND, marks and contacts as LT_STAGE_DETECT, of an
 * obstacle as LT_STAGE_OBSTACLES. Goes on where it was cut. */
bool lt_surface_search_spend(lt_surface_search *search, lt_meter *meter);

/* Of what was found so far. */
static inline uint32_t lt_surface_search_count(const lt_surface_search *search) {
    return search->b ? search->query.meeting_count : search->obstacle_query.meeting_count;
}
static inline uint32_t lt_surface_search_dropped(const lt_surface_search *search) {
    return search->b ? search->query.dropped_count : search->obstacle_query.dropped_count;
}
static inline uint64_t lt_surface_search_tests(const lt_surface_search *search) {
    return search->b ? search->query.test_total : search->obstacle_query.vertex_tests;
}

#endif
