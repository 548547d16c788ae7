/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "method/stages.h"

/* ---- boxes and pairs ---- */

void lt_stage_boxes(lt_method_step *step) {
    lt_measuring measuring = {.tasks = step->tasks,
                              .colliders = step->colliders,
                              .collider_count = step->collider_count,
                              .dt = step->dt,
                              .kernels = lt_bound_kernels_for(step->level)};
    lt_spend_fully(step->meter, LT_STAGE_BOUND, lt_measuring_cursor(&measuring));
}

void lt_stage_pairs(lt_memory *r, lt_method_step *step) {
    lt_broad broad;
    lt_broad_input input = {.colliders = step->colliders,
                            .collider_count = step->collider_count,
                            .obstacles = step->obstacles,
                            .obstacle_count = step->obstacle_count,
                            .self_collision = step->self_collision,
                            .dt = step->dt,
                            .level = step->level};
    if (!lt_broad_begin(&broad, &input, &r->pairs, step->arena)) {
        step->report->problems |= LT_PROBLEM_SCRATCH;
        return;
    }
    lt_spend_fully(step->meter, LT_STAGE_BROAD, lt_broad_cursor(&broad));
    if (r->pairs.begun_count) lt_contacts_range(&r->contacts, &r->pairs);
    if (r->pairs.dropped) {
        step->report->problems |= LT_PROBLEM_PAIR_CAPACITY;
        step->report->dropped += r->pairs.dropped;
    }
}

/* ---- what matters ---- */

/* Harm if left: how much the boxes overlap, times how fast, times what the caller thinks of it. */
float lt_pair_harm(const lt_method_step *step, const lt_pair *pair) {
    const lt_collider *a = &step->colliders[pair->a];
    if (pair->kind == LT_PAIR_SELF) return a->significance * 0.1f * a->reach;
    if (pair->kind == LT_PAIR_OBSTACLE) return a->significance * (0.01f + a->reach) * 1e3f;
    const lt_collider *b = &step->colliders[pair->b];
    lt_vec3 overlap = lt_v3_sub(lt_v3_min(a->box.hi, b->box.hi), lt_v3_max(a->box.lo, b->box.lo));
    overlap = lt_v3_max(overlap, (lt_vec3){0, 0, 0});
    float depth = lt_min_f(overlap.x, lt_min_f(overlap.y, overlap.z));
    float speed = lt_v3_length(lt_v3_sub(a->velocity, b->velocity));
    float significance = lt_max_f(a->significance, b->significance);
    return significance * lt_v3_dot(overlap, overlap) * depth * (0.01f + speed) * 1e3f;
}

static float least_extent(lt_box box) {
    lt_vec3 size = lt_v3_max(lt_v3_sub(box.hi, box.lo), (lt_vec3){0, 0, 0});
    return lt_min_f(size.x, lt_min_f(size.y, size.z));
}

/* How deep the sides of a pair can be in each other at most, from their boxes alone. */
float lt_pair_depth_bound(const lt_method_step *step, const lt_pair *pair) {
    const lt_collider *a = &step->colliders[pair->a];
    if (pair->kind == LT_PAIR_SELF) return least_extent(a->box);
    if (pair->kind == LT_PAIR_OBSTACLE) {
        lt_vec3 center = lt_v3_scale(lt_v3_add(a->box.lo, a->box.hi), 0.5f);
        float reach = lt_v3_distance(a->box.hi, center);
        return lt_max_f(0, reach - lt_obstacle_distance(lt_step_obstacle(step, pair), center).distance);
    }
    const lt_collider *b = &step->colliders[pair->b];
    return least_extent((lt_box){lt_v3_max(a->box.lo, b->box.lo), lt_v3_min(a->box.hi, b->box.hi)});
}

/* ---- response ---- */

void lt_reserve_contacts(lt_meter *meter, uint64_t count) {
    lt_reserve_work(meter, LT_WORK_COLLECT, LT_COLLECT_UNITS * count);
    lt_reserve_work(meter, LT_WORK_RESPOND, LT_RESPOND_UNITS * count);
}

void lt_give_back_contacts(lt_meter *meter, uint64_t count) {
    lt_give_back(meter, LT_WORK_COLLECT, LT_COLLECT_UNITS * count);
    lt_give_back(meter, LT_WORK_RESPOND, LT_RESPOND_UNITS * count);
}

uint32_t lt_stage_reserve(const lt_memory *r, lt_method_step *step) {
    uint32_t asleep = 0, all = r->contacts.count;
    for (uint32_t i = 0; i < all; i++)
        asleep += lt_contact_sleeps(&r->contacts.records[i], step->colliders);
    lt_reserve_contacts(step->meter, all - asleep);
    lt_reserve_work(step->meter, LT_WORK_KEEP, LT_LISTING_UNITS * (2 + (uint64_t)all));
    lt_reserve_work(step->meter, LT_WORK_COLLECT, LT_COLLECT_UNITS * (1 + (uint64_t)asleep));
    lt_reserve(step->meter, 2 * (1 + (uint64_t)all));
    return all - asleep;
}

/* One piece of work that is done in any case. */
typedef struct whole {
    lt_work work;
    uint32_t cost;
    bool done;
    void (*run)(struct whole *whole);
    lt_memory *memory;
    lt_method_step *step;
    /* update */
    const lt_listing *listing;
    uint32_t limit;
    /* collect */
    lt_penalty *penalty;
} whole;

static lt_piece peek_whole(const void *state) {
    const whole *w = state;
    return (lt_piece){w->work, w->done ? 0 : w->cost, 0};
}

static uint32_t step_whole(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    (void)grant; /* it was set aside */
    whole *w = state;
    w->run(w);
    w->done = true;
    return w->cost;
}

static void update_contacts(whole *w) {
    lt_report *report = w->step->report;
    const lt_listing *list = w->listing;
    uint32_t dropped = lt_contacts_update(&w->memory->contacts, &list->harvest, &w->memory->pairs,
                                          list->tested, w->step->colliders, w->limit, &list->merging);
    uint32_t lost = list->harvest.dropped;
    if (lost || w->memory->contacts.count == w->memory->contacts.capacity)
        report->problems |= dropped + lost ? LT_PROBLEM_CONTACT_CAPACITY : 0;
    report->dropped += dropped + lost;
}

bool lt_listing_take(lt_listing *listing, const lt_memory *memory, lt_arena *arena) {
    uint32_t contacts = memory->contacts.capacity;
    listing->harvest =
        (lt_contact_harvest){.records = LT_TAKE(arena, contacts, lt_contact_record), .capacity = contacts};
    listing->tested = LT_TAKE(arena, memory->pairs.capacity, lt_tested);
    return listing->harvest.records && listing->tested &&
           lt_contact_scratch_take(&listing->merging, contacts, arena);
}

uint32_t lt_stage_contacts_units(uint32_t pairs, uint32_t records) {
    return pairs / 4 + LT_LISTING_UNITS * records;
}

void lt_stage_contacts(lt_memory *memory, const lt_listing *listing, uint32_t limit, lt_method_step *step) {
    uint32_t records =
        2 + memory->contacts.count + listing->harvest.count; /* one that is found again is in both */
    whole w = {.work = LT_WORK_KEEP,
               .cost = lt_stage_contacts_units(memory->pairs.count, records),
               .run = update_contacts,
               .memory = memory,
               .step = step,
               .listing = listing,
               .limit = limit};
    lt_spend_fully(step->meter, LT_STAGE_CONTACTS, (lt_cursor){&w, peek_whole, step_whole});
}

void lt_stage_respond(lt_memory *r, lt_penalty *penalty, lt_method_step *step) {
    penalty->contacts = &r->contacts;
    penalty->colliders = step->colliders;
    penalty->collider_count = step->collider_count;
    penalty->obstacles = step->obstacles;
    penalty->tasks = step->tasks;
    penalty->dt = step->dt;
    penalty->capacity = r->contacts.capacity;
    if (!lt_penalty_begin(penalty, step->arena)) {
        step->report->problems |= LT_PROBLEM_SCRATCH;
        r->contacts.count = 0; /* normals and depths are found with the answer */
        lt_contacts_range(&r->contacts, &r->pairs);
        return;
    }
    lt_spend_reserve(step->meter, LT_STAGE_RESPOND, lt_penalty_cursor(penalty));
    step->couplings = penalty->couplings;
    step->coupling_count = penalty->coupling_count;
}

static void count_contacts(const lt_memory *r, lt_report *report) {
    report->contacts = r->contacts.count;
    for (uint32_t i = 0; i < r->contacts.count; i++) {
        const lt_contact_record *c = &r->contacts.records[i];
        if (c->age > 0)
            report->predicted++;
        else if (c->touch.approximate)
            report->approximate++;
        else
            report->exact++;
        report->age_max = lt_max_u64(report->age_max, c->age);
        report->depth_max = lt_max_d(report->depth_max, c->depth);
    }
}

static void collect_forces(whole *w) {
    if (w->penalty->couplings) lt_penalty_collect(w->penalty, w->step->obstacles);
    count_contacts(w->memory, w->step->report);
}

static void count_answered(whole *w) {
    count_contacts(w->memory, w->step->report);
}

void lt_stage_count(lt_memory *memory, lt_method_step *step) {
    whole w = {.work = LT_WORK_COLLECT,
               .cost = LT_COLLECT_UNITS * (1 + memory->contacts.count),
               .run = count_answered,
               .memory = memory,
               .step = step};
    lt_spend_fully(step->meter, LT_STAGE_CONTACTS, (lt_cursor){&w, peek_whole, step_whole});
    lt_meter_settle(step->meter);
}

void lt_stage_collect(lt_memory *memory, lt_penalty *penalty, lt_method_step *step) {
    whole w = {.work = LT_WORK_COLLECT,
               .cost = LT_COLLECT_UNITS * (1 + memory->contacts.count),
               .run = collect_forces,
               .memory = memory,
               .step = step,
               .penalty = penalty};
    lt_spend_fully(step->meter, LT_STAGE_RESPOND, (lt_cursor){&w, peek_whole, step_whole});
    lt_meter_settle(step->meter);
}
