/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/surface_search.h"

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
    if (is_with_itself(s)) lt_moving_surface_forget_marks(s->a);
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

static lt_moving_surface *surface_of(const lt_surface_search *s) {
    return s->phase == LT_SEARCH_FIT_B ? s->b : s->a;
}

static lt_piece peek_surface(const void *state) {
    const lt_surface_search *s = state;
    lt_surface_stage wanted = s->phase == LT_SEARCH_MARK ? LT_SURFACE_MARKED : LT_SURFACE_FITTED;
    return lt_moving_surface_peek(surface_of(s), wanted);
}

static uint32_t step_surface(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    const lt_surface_search *s = state;
    return lt_moving_surface_step(surface_of(s), s->separation, grant);
}

static lt_cursor cursor_of(lt_surface_search *s) {
    if (s->phase < LT_SEARCH_MEET) return (lt_cursor){s, peek_surface, step_surface};
    return s->b ? lt_query_cursor(&s->query) : lt_obstacle_query_cursor(&s->obstacle_query);
}

bool lt_surface_search_spend(lt_surface_search *search, lt_meter *meter) {
    while (search->phase != LT_SEARCH_DONE) {
        if (!lt_spend(meter, stage_of(search), cursor_of(search))) return false;
        enter(search, phase_behind(search));
    }
    return true;
}
