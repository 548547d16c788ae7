/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The search of collision only. lt_collision_find at the bottom is its table of contents. */

#include "world/collision_internal.h"

/* ---- intervals ---- */

/* The waiting time of a pair that was not finished grows. A pair that had all of an interval for itself and was not finished has had its turn: it must not
 * keep the others from theirs. */
static void count_waiting(lt_collision *c) {
    for (uint32_t i = 0; i < c->pairs.count; i++) {
        uint32_t *waited = lt_collision_waited(c, i);
        *waited = lt_pair_turn_at(&c->pairs, i)->now ? 0 : *waited + 1;
    }
    if (c->is_searching && c->run_count == 1 && c->spent_on_first > 0)
        lt_pair_turn_at(&c->pairs, c->runs[0].pair)->served = true;
    lt_scheduler_end(lt_pair_turns(&c->pairs));
}

void lt_collision_end_interval(lt_collision *collision) {
    lt_collision *c = collision;
    if (c->is_over) return;
    count_waiting(c);
    c->is_over = true;
    c->is_searching = false;
    c->run_count = c->meeting_count = c->obstacle_meeting_count = c->published_count = 0;
}

static void begin_surfaces(lt_collision *c) {
    for (uint32_t i = 0; i < lt_slots_count(&c->body_slots); i++) {
        lt_collision_body *b = lt_collision_body_at(c, i);
        if (!b || !b->is_set) continue;
        lt_moving_surface_begin(&b->surface, b->from, b->moves ? b->to : NULL, b->box);
        b->is_set = false;
    }
}

static void find_pairs(lt_collision *c) {
    lt_broad_input input = {.colliders = c->colliders.items,
                            .collider_count = lt_slots_count(&c->body_slots),
                            .obstacles = c->obstacles.items,
                            .obstacle_count = lt_slots_count(&c->obstacle_slots),
                            .self_collision = c->def.self_collision,
                            .dt = 1,
                            .level = c->level};
    lt_broad broad;
    c->pairs.dropped = 0;
    lt_arena_reset(&c->arena);
    if (input.collider_count == 0) {
        lt_pair_table_clear(&c->pairs);
        return;
    }
    bool begun = lt_broad_begin(&broad, &input, &c->pairs, &c->arena);
    LT_ASSERT(begun); /* room was made when bodies were added */
    if (begun) lt_spend_fully(&c->meter, LT_STAGE_BROAD, lt_broad_cursor(&broad));
}

static float significance_of(const lt_collision *c, const lt_pair *pair) {
    float harm = lt_collision_body_at(c, pair->a)->significance;
    if (pair->kind != LT_PAIR_BODIES) return harm;
    return lt_max_f(harm, lt_collision_body_at(c, pair->b)->significance);
}

static void begin_interval(lt_collision *c) {
    c->is_over = false;
    c->interval_count++;
    c->test_count = c->dropped_count = c->spent_on_first = 0;
    begin_surfaces(c);
    find_pairs(c);
    for (uint32_t i = 0; i < c->pairs.count; i++)
        lt_pair_turn_at(&c->pairs, i)->harm = significance_of(c, lt_pair_at(&c->pairs, i));
    lt_scheduler_begin(&c->turns, lt_pair_turns(&c->pairs), c->heap);
}

/* ---- pairs ---- */

static void begin_search(lt_collision *c, uint32_t index) {
    const lt_pair *pair = lt_pair_at(&c->pairs, index);
    bool obstacle = pair->kind == LT_PAIR_OBSTACLE;
    lt_surface_search *s = &c->search;
    s->a = &lt_collision_body_at(c, pair->a)->surface;
    s->b = obstacle ? NULL : &lt_collision_body_at(c, pair->b)->surface;
    s->obstacle = obstacle ? lt_collision_obstacle_at(c, pair->b) : NULL;
    s->separation = c->def.separation;
    s->may_meet = lt_ccd_may_meet_for(c->level);
    s->meetings = c->meetings + c->meeting_count;
    s->obstacle_meetings = c->obstacle_meetings + c->obstacle_meeting_count;
    s->capacity = c->def.contact_capacity - lt_collision_found(c);
    s->reserve = 0;
    lt_surface_search_begin(s);
    uint32_t first = obstacle ? c->obstacle_meeting_count : c->meeting_count;
    c->runs[c->run_count++] = (lt_collision_run){index, first, 0};
    c->is_searching = true;
}

/* What the search has found since is of its run. */
static void take_over(lt_collision *c) {
    lt_collision_run *run = &c->runs[c->run_count - 1];
    uint32_t count = lt_surface_search_count(&c->search);
    *(c->search.b ? &c->meeting_count : &c->obstacle_meeting_count) += count - run->count;
    run->count = count;
}

static void finish_search(lt_collision *c) {
    c->test_count += lt_surface_search_tests(&c->search);
    c->dropped_count += lt_surface_search_dropped(&c->search);
    c->is_searching = false;
    lt_scheduler_done(&c->turns);
}

/* One pair after the other, until all had their turn (true) or the budget ends. */
static bool search_pairs(lt_collision *c) {
    for (uint32_t index; (index = lt_scheduler_next(&c->turns)) != LT_NONE;) {
        uint64_t before = c->meter.used_units;
        if (!c->is_searching) begin_search(c, index);
        bool done = lt_surface_search_spend(&c->search, &c->meter);
        if (c->run_count == 1) c->spent_on_first += c->meter.used_units - before;
        take_over(c);
        if (!done) return false;
        finish_search(c);
    }
    return true;
}

/* ---- the report ---- */

static uint64_t tests_so_far(const lt_collision *c) {
    return c->test_count + (c->is_searching ? lt_surface_search_tests(&c->search) : 0);
}

static void report_pairs(const lt_collision *c, lt_report *report) {
    for (uint32_t i = 0; i < c->pairs.count; i++) {
        if (lt_pair_turn_at(&c->pairs, i)->now) continue;
        report->pending++;
        report->latency = lt_max_u64(report->latency, *lt_collision_waited(c, i));
    }
    report->interrupted = report->pending > 0;
    report->dropped = c->dropped_count + c->pairs.dropped;
    if (c->is_searching) report->dropped += lt_surface_search_dropped(&c->search);
    if (report->dropped > c->pairs.dropped) report->problems |= LT_PROBLEM_CONTACT_CAPACITY;
    if (c->pairs.dropped) report->problems |= LT_PROBLEM_PAIR_CAPACITY;
}

static void report_contacts(const lt_collision *c, lt_report *report) {
    for (uint32_t i = 0; i < c->meeting_count; i++)
        report->approximate += c->meetings[i].outcome != LT_CCD_MEET;
    report->contacts = lt_collision_found(c);
    report->exact = report->contacts - report->approximate;
    for (uint32_t i = 0; i < c->obstacle_meeting_count; i++)
        report->depth_max = lt_max_d(report->depth_max, -(double)c->obstacle_meetings[i].distance);
}

static void report_budget(const lt_collision *c, const lt_budget *budget, uint64_t allowed_ns,
                          lt_report *report) {
    const lt_meter *meter = &c->meter;
    for (int stage = 0; stage < LT_STAGE_COUNT; stage++)
        report->stage_us[stage] = (double)meter->stage_ns[stage] / 1000;
    report->step = c->interval_count;
    report->budget_us = budget->cuts || allowed_ns == LT_UNLIMITED ? -1 : (double)allowed_ns / 1000;
    report->units = meter->used_units;
    report->cuts = meter->spent;
    report->allocations = c->allocation_count;
    report->used_us = (double)lt_meter_elapsed_ns(meter) / 1000;
    report->overshoot_us = report->budget_us < 0 ? 0 : lt_max_d(0, report->used_us - report->budget_us);
}

/* ---- the budget ---- */

static uint64_t with_saved(uint64_t allowed, uint64_t saved) {
    return allowed > LT_UNLIMITED - saved ? LT_UNLIMITED : allowed + saved;
}

static uint64_t left_of(uint64_t allowed, uint64_t used) {
    return allowed == LT_UNLIMITED || used > allowed ? 0 : allowed - used;
}

/* Pieces of work have a least size, some hundred units, at most LT_SELF_PORTION and an item: smaller budgets are added up over the
 * calls of an interval until one fits, or the interval would never end. */
static void spend_budget(lt_collision *c, lt_budget budget, uint64_t allowed_ns) {
    if (c->is_over) c->saved_units = c->saved_ns = 0;
    budget.collision_units = with_saved(budget.collision_units, c->saved_units);
    allowed_ns = with_saved(allowed_ns, c->saved_ns);
    lt_meter_begin(&c->meter, &budget, allowed_ns);
    if (c->is_over) begin_interval(c);
    uint64_t before = c->meter.used_units;
    bool nothing = !search_pairs(c) && c->meter.used_units == before && !budget.cuts;
    c->saved_units = nothing ? left_of(budget.collision_units, c->meter.used_units) : 0;
    c->saved_ns = nothing ? left_of(allowed_ns, lt_meter_elapsed_ns(&c->meter)) : 0;
}

lt_report lt_collision_find(lt_collision *collision, lt_budget budget) {
    lt_collision *c = collision;
    lt_report report = {0};
    if (!LT_REQUIRE(c)) return report;
    uint64_t allowed_ns = lt_min_u64(budget.collision_nanoseconds, budget.step_nanoseconds);
    c->allocation_count = 0;
    c->meter.timed = c->def.profile;
    uint64_t tests_before = c->is_over ? 0 : tests_so_far(c);
    spend_budget(c, budget, allowed_ns);
    report.tested = tests_so_far(c) - tests_before;
    report_pairs(c, &report);
    report_contacts(c, &report);
    report_budget(c, &budget, allowed_ns, &report);
    LT_VALIDATE(lt_validate_pair_table(&c->pairs) ? NULL : "the pair table is not sound");
    return report;
}
