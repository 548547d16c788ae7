/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/surface_search.h"

/* ---- the phases, each a cursor ---- */

static lt_piece peek_fit(const void *state) {
    return (lt_piece){LT_WORK_BOUND, lt_multiscale_cost(state), 0};
}
static uint32_t step_fit(void *state, uint32_t grant) {
    return lt_multiscale_step(state, grant);
}

/* One piece before the marks and one behind them. Clearing is a row of 64 bytes a unit, and the mean of the nodes. */
static lt_piece peek_frame(const void *state) {
    const lt_surface_search *s = state;
    const lt_self_tets *tets = s->a->self.tets;
    uint32_t cost = s->phase == LT_SEARCH_CLEAR ? 1 + lt_self_row_count(tets) + tets->node_count
                                                : lt_self_finish_cost(&s->a->self);
    return (lt_piece){LT_WORK_HASH, s->framed ? 0 : cost, 0};
}

static uint32_t step_frame(void *state, uint32_t grant) {
    lt_surface_search *s = state;
    uint32_t cost = peek_frame(s).cost;
    if (cost == 0 || cost > grant) return 0;
    if (s->phase == LT_SEARCH_CLEAR)
        lt_moving_surface_begin_marks(s->a, s->separation);
    else
        lt_self_finish(&s->a->self);
    s->framed = true;
    return cost;
}

/* ---- of a pair ---- */

static bool is_with_itself(const lt_surface_search *s) {
    return s->a == s->b;
}

static lt_search_phase phase_behind(const lt_surface_search *s) {
    if (s->phase == LT_SEARCH_FIT_A && !s->b) return LT_SEARCH_MEET;
    if (s->phase == LT_SEARCH_FIT_B && !is_with_itself(s)) return LT_SEARCH_MEET;
    return s->phase + 1;
}

static void enter(lt_surface_search *s, lt_search_phase phase) {
    s->phase = phase;
    s->framed = false;
    if (phase != LT_SEARCH_MEET) return;
    if (s->b)
        lt_query_begin(&s->query);
    else
        lt_obstacle_query_begin(&s->obstacle_query);
}

void lt_surface_search_begin(lt_surface_search *search) {
    lt_surface_search *s = search;
    LT_ASSERT(s->b ? s->obstacle == NULL : s->obstacle != NULL);
    LT_ASSERT(!is_with_itself(s) || s->a->self.tets);
    enter(s, LT_SEARCH_FIT_A);
    if (!s->b) {
        s->obstacle_query = (lt_obstacle_query){.body = &s->a->boxes,
                                                .owners = &s->a->parts->owners,
                                                .obstacle = s->obstacle,
                                                .separation = s->separation,
                                                .meetings = s->obstacle_meetings,
                                                .capacity = s->capacity,
                                                .reserve = s->reserve};
        return;
    }
    /* Member by member: what it has room for is large, and none of it is read before it is written. */
    lt_query *q = &s->query;
    lt_moving_surface_query(q, s->a, s->b);
    q->separation = s->separation;
    q->may_meet = s->may_meet;
    q->meetings = s->meetings;
    q->capacity = s->capacity;
    q->reserve = s->reserve;
    q->meeting_count = q->dropped_count = 0;
    q->test_total = 0;
}

static lt_stage stage_of(const lt_surface_search *s) {
    if (s->phase <= LT_SEARCH_FIT_B) return LT_STAGE_BOUND;
    return s->b ? LT_STAGE_DETECT : LT_STAGE_OBSTACLES;
}

static lt_cursor cursor_of(lt_surface_search *s) {
    switch (s->phase) {
    case LT_SEARCH_FIT_A: return (lt_cursor){&s->a->boxes, peek_fit, step_fit};
    case LT_SEARCH_FIT_B: return (lt_cursor){&s->b->boxes, peek_fit, step_fit};
    case LT_SEARCH_MARK: return lt_self_cursor(&s->a->self);
    case LT_SEARCH_MEET:
        return s->b ? lt_query_cursor(&s->query) : lt_obstacle_query_cursor(&s->obstacle_query);
    default: return (lt_cursor){s, peek_frame, step_frame};
    }
}

bool lt_surface_search_spend(lt_surface_search *search, lt_meter *meter) {
    while (search->phase != LT_SEARCH_DONE) {
        if (!lt_spend(meter, stage_of(search), cursor_of(search))) return false;
        enter(search, phase_behind(search));
    }
    return true;
}
