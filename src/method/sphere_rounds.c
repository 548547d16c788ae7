/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Who has a turn in a step. A budget that is too small for all pairs is spent in rounds: as long as the budget makes them, so that
 * each turn is worth something, and every pair of bodies has one in each. Turns of this step's part of a round are given in any
 * case; when the budget has ended, they are answers with the roots, which were set aside. */

#include "method/sphere_search.h"

#include <string.h>

/* What answers with the roots take at most, each with `contacts` that it may make. */
static void reserve_roots(lt_search *s, uint64_t count, uint32_t contacts) {
    lt_meter *meter = s->step->meter;
    lt_reserve_work(meter, LT_WORK_ROOT, (2 * LT_FRONT_UNITS + LT_FRONT_CONTACT_UNITS * contacts) * count);
    lt_reserve_work(meter, LT_WORK_KEEP, LT_LISTING_UNITS * contacts * count);
    lt_expect_contacts(s, contacts * count, 0);
}

static void give_back_root(lt_search *s, uint32_t contacts) {
    lt_meter *meter = s->step->meter;
    lt_give_back(meter, LT_WORK_ROOT, 2 * LT_FRONT_UNITS + LT_FRONT_CONTACT_UNITS * contacts);
    lt_give_back(meter, LT_WORK_KEEP, LT_LISTING_UNITS * contacts);
    lt_expect_contacts(s, 0, contacts);
}

/* Of the budget, for answering contacts. */
static const double CONTACT_SHARE = 0.4;

/* Everything that scales with the budget follows from how many contacts it can answer: contacts a pair may have on average,
 * and the level of spheres that gives no more; in how many steps all pairs have their turns, and how long these are. An
 * answer with the roots takes as long as several contacts, so that turns in any case are not more than a tenth of these. */
enum { TURN_SHARE = 10, URGENT_SHARE = 20, LEAST_TURNS = 8 };

static void choose_limits(lt_search *s) {
    enum { LEAST_CONTACTS = 16, UNITS_A_TURN = 1600, SEARCH_UNITS_A_CONTACT = 20 };
    uint32_t pairs = lt_max_u32(1, s->method->memory.pairs.count);
    s->contact_limit = lt_meter_limit(s->step->meter, CONTACT_SHARE, LT_CONTACT_UNITS, LEAST_CONTACTS);
    uint32_t quota = s->contact_limit / pairs;
    s->detail = quota >= 64 ? LT_SPHERE_LEVELS_MAX : quota >= 16 ? 2 : quota >= 3 ? 1 : 0;
    s->round = 1;
    if (s->contact_limit == UINT32_MAX) return;
    uint64_t budget = 5 * LT_CONTACT_UNITS / 2 * (uint64_t)s->contact_limit;
    uint64_t by_units = 1 + (uint64_t)UNITS_A_TURN * pairs / budget;
    uint64_t by_turns = (uint64_t)TURN_SHARE * pairs / s->contact_limit;
    uint64_t by_pairs = (pairs + LEAST_TURNS - 1) / LEAST_TURNS; /* a few have their turns in every step */
    s->round = (uint32_t)lt_min_u64(by_pairs, lt_max_u64(by_units, by_turns));
    s->search_units = (uint64_t)SEARCH_UNITS_A_CONTACT * s->contact_limit;
}

/* The box is in the obstacle by a good part of its height: whatever is held there does not carry the body. */
static bool sinks(const lt_search *s, const lt_pair *pair) {
    static const float GOOD_PART = 0.15f;
    lt_box box = s->step->colliders[pair->a].box;
    lt_vec3 center = lt_box_center(box), half = lt_v3_sub(box.hi, center);
    lt_obstacle_hit hit = lt_obstacle_distance(lt_step_obstacle(s->step, pair), center);
    float reach = fabsf(hit.normal.x) * half.x + fabsf(hit.normal.y) * half.y + fabsf(hit.normal.z) * half.z;
    return reach - hit.distance > 2 * GOOD_PART * reach;
}

/* A pair with an obstacle: nothing is held, and what was found out is no longer good, or the body sinks. */
static bool is_urgent(const void *context, uint32_t index) {
    const lt_search *s = context;
    const lt_pair_table *pairs = &s->method->memory.pairs;
    const lt_sphere_pair *own = lt_sphere_pair_at(s->method, index);
    bool is_old = !own->had_turn || lt_pair_turn_at(pairs, index)->age > own->wait;
    bool unknown = lt_held_count(s, index) == 0 && is_old;
    return unknown || (!lt_is_crowd(s) && sinks(s, lt_pair_at(pairs, index)));
}

static float harm_of(const void *context, uint32_t index) {
    const lt_search *s = context;
    return lt_pair_harm(s->step, lt_pair_at(&s->method->memory.pairs, index));
}

/* Units of one turn of bodies: twice the mean of what is left for this step's, since many pairs are soon decided. */
static uint64_t units_of_turn(const lt_search *s, uint32_t least, uint32_t served) {
    if (s->round == 1) return LT_UNLIMITED;
    uint64_t spent = lt_min_u64(s->step->meter->spent.units[LT_STAGE_DETECT], s->search_units);
    uint32_t left = lt_max_u32(1, served < least ? least - served : least);
    return 2 * (s->search_units - spent) / left + LT_LANES;
}

enum { WITH_OBSTACLES, WITH_BODIES };

static void sort_kinds(lt_search *s) {
    const lt_pair_table *pairs = &s->method->memory.pairs;
    for (uint32_t i = 0; i < pairs->count; i++) {
        int kind = lt_pair_at(pairs, i)->kind == LT_PAIR_OBSTACLE ? WITH_OBSTACLES : WITH_BODIES;
        s->members[kind][s->member_counts[kind]++] = i;
    }
}

/* Turns of one kind of pairs: some in any case, more of them while the budget lasts. Of bodies these are this step's part of
 * the round; at obstacles, where what is held is measured anew in every step, only what is urgent. */
static void serve_kind(lt_search *s, int kind) {
    const lt_pair_table *pairs = &s->method->memory.pairs;
    bool obstacles = kind == WITH_OBSTACLES;
    uint32_t count = s->member_counts[kind], part = (count + s->round - 1) / s->round, served = 0;
    lt_scheduler scheduler;
    lt_rounds rounds = {.window = s->round == 1 ? UINT32_MAX : 2 * part,
                        .members = s->members[kind],
                        .member_count = count,
                        .is_urgent = obstacles ? is_urgent : NULL,
                        .harm = harm_of,
                        .context = s};
    lt_scheduler_begin_rounds(&scheduler, lt_pair_turns(pairs), s->heap, &rounds);
    uint32_t urgent =
        lt_min_u32(lt_max_u32(LEAST_TURNS / 2, s->contact_limit / URGENT_SHARE), scheduler.urgent_count);
    uint32_t least = lt_min_u32(count, (obstacles ? 0 : part) + urgent);
    const lt_pair any = {.kind = obstacles ? LT_PAIR_OBSTACLE : LT_PAIR_BODIES};
    uint32_t root_contacts = lt_box_contacts(&any, lt_detail_of(s, &any));
    reserve_roots(s, least, root_contacts);
    bool more = true;
    for (uint32_t i = lt_scheduler_next(&scheduler); i != LT_NONE && (more || served < least);
         i = lt_scheduler_next(&scheduler)) {
        if (served < least) give_back_root(s, root_contacts);
        if (more)
            more = lt_serve_pair(s, i, obstacles ? LT_UNLIMITED : units_of_turn(s, least, served));
        else
            lt_answer_with_roots(s, i);
        lt_scheduler_done(&scheduler);
        served++;
    }
}

/* Obstacles first, within half of the budget: they cost little, and a body that falls through the floor is lost. Then
 * bodies. Each kind has its turn once: cuts could not tell two apart. */
void lt_search_pairs(lt_search *s) {
    const lt_pair_table *pairs = &s->method->memory.pairs;
    choose_limits(s);
    lt_expect_contacts(s, 0, 0);
    lt_reserve_work(s->step->meter, LT_WORK_KEEP, lt_stage_contacts_units(pairs->count, 0));
    memset(s->list.tested, 0, pairs->count * sizeof *s->list.tested);
    sort_kinds(s);
    lt_reserve_held(s);
    lt_share whole = lt_meter_begin_share(s->step->meter, 0.5);
    serve_kind(s, WITH_OBSTACLES);
    lt_meter_end_share(s->step->meter, whole);
    serve_kind(s, WITH_BODIES);
    lt_scheduler_end(lt_pair_turns(pairs));
    s->step->report->pending += s->pending + pairs->count - s->served;
}
