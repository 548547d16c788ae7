/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Collision only under budgets: cut anywhere and gone on with, the contacts are the same bits; what is left is listed; nobody
 * starves; a timed search is repeated by its cuts; capacities. */

#include "world/fixture.h"

#include "world/collide_fixture.h"

static lt_collision_contact whole[COLLIDE_CAPACITY];

static lt_collision_def plain_def(void) {
    lt_collision_def def = lt_collision_def_default();
    def.profile = false;
    return def;
}

static lt_obstacle_id add_ball(lt_collision *collision) {
    lt_obstacle_def def = lt_obstacle_def_default();
    def.kind = LT_OBSTACLE_SPHERE;
    def.radius = 0.5f;
    return lt_collision_add_obstacle(collision, &def, NULL);
}

/* Two bodies, in each other and in themselves, and a ball in both. */
static bool make_tangle(collide_scene *s, const lt_collision_def *def) {
    lt_random random = lt_random_seed(11);
    if (!collide_make(s, 2, 0.42, 2, def)) return false;
    add_ball(s->collision);
    deform_all(s, MOTION_PINCH, 0.2, &random);
    set_all(s, true);
    return true;
}

static bool is_prefix(const lt_collision_contact *all, lt_collision *collision, uint32_t *count) {
    const lt_collision_contact *contacts = lt_collision_contacts(collision, count);
    return memcmp(contacts, all, *count * sizeof *all) == 0;
}

/* All that is found without a limit, into `whole`; returns how many. Not in the first interval: there pairs are new. */
static uint32_t find_whole(collide_scene *s, uint64_t *units) {
    uint32_t count;
    lt_collision_find(s->collision, lt_budget_unlimited());
    set_all(s, true);
    lt_report report = lt_collision_find(s->collision, lt_budget_unlimited());
    const lt_collision_contact *contacts = lt_collision_contacts(s->collision, &count);
    CHECK_COUNT(report.interrupted, 0);
    CHECK_COUNT(report.contacts, count);
    memcpy(whole, contacts, count * sizeof *whole);
    *units = report.units;
    return count;
}

/* Every unit of a part of the range, and many of the rest. */
static void cut_anywhere_it_goes_on(void) {
    lt_collision_def def = plain_def();
    collide_scene s;
    CHECK_FATAL(make_tangle(&s, &def));
    uint64_t units, last_count = 0;
    uint32_t total = find_whole(&s, &units), count, pending;
    CHECK(total > 50);
    uint64_t stride = units / 40 + 1, cuts_in_contacts = 0;
    for (uint64_t limit = 0; limit<units; limit += limit> units / 2 && limit < units / 2 + 20 ? 1 : stride) {
        set_all(&s, true);
        lt_report report = lt_collision_find(s.collision, lt_budget_collision_units(limit));
        CHECK(is_prefix(whole, s.collision, &count));
        CHECK(count >= last_count && report.contacts == count);
        CHECK_COUNT(report.interrupted, 1);
        lt_collision_pending(s.collision, &pending);
        CHECK(pending > 0 && pending == report.pending);
        cuts_in_contacts += count > last_count;
        last_count = count;
        lt_report rest = lt_collision_find(s.collision, lt_budget_unlimited());
        CHECK(is_prefix(whole, s.collision, &count));
        CHECK_COUNT(count, total);
        CHECK_COUNT(rest.interrupted, 0);
        CHECK_COUNT(report.units + rest.units, units);
        CHECK_COUNT(report.step, rest.step);
    }
    CHECK(cuts_in_contacts > 10);
    collide_free(&s);
}

/* In many calls of one interval, none of which spends more than it was given. */
static void many_calls_are_one(void) {
    lt_collision_def def = plain_def();
    collide_scene s;
    CHECK_FATAL(make_tangle(&s, &def));
    uint64_t units, sum = 0;
    uint32_t total = find_whole(&s, &units), count, calls = 0, tested = 0;
    set_all(&s, true);
    for (lt_report report = {.interrupted = 1}; report.interrupted && calls < 10000; calls++) {
        report = lt_collision_find(s.collision, lt_budget_collision_units(4000));
        CHECK(report.units <= 4000);
        sum += report.units;
        tested += (uint32_t)report.tested;
    }
    CHECK(is_prefix(whole, s.collision, &count));
    CHECK_COUNT(count, total);
    CHECK_COUNT(sum, units);
    CHECK(calls > 10);
    lt_report again = lt_collision_find(s.collision, lt_budget_unlimited());
    CHECK_COUNT(again.units, 0); /* nothing is left to do, and all is still there */
    CHECK_COUNT(again.contacts, total);
    CHECK_COUNT(again.tested, 0);
    CHECK(tested > 0);
    collide_free(&s);
}

/* However small the calls are, the interval comes to its end with the same contacts, for no more than one call's budget beside. */
static void any_budget_gets_to_the_end(void) {
    const uint64_t budgets[] = {1, 7, 100, 900};
    lt_collision_def def = plain_def();
    collide_scene s;
    CHECK_FATAL(make_tangle(&s, &def));
    uint64_t units;
    uint32_t total = find_whole(&s, &units), count;
    for (size_t i = 0; i < LT_COUNT_OF(budgets); i++) {
        uint64_t sum = 0, calls = 0, largest = 0;
        set_all(&s, true);
        for (lt_report report = {.interrupted = 1}; report.interrupted && calls < 2 * units; calls++) {
            report = lt_collision_find(s.collision, lt_budget_collision_units(budgets[i]));
            sum += report.units;
            largest = lt_max_u64(largest, calls ? report.units : 0); /* the first finds which boxes overlap */
        }
        CHECK(is_prefix(whole, s.collision, &count));
        CHECK_COUNT(count, total);
        CHECK_COUNT(sum, units);
        CHECK(calls * budgets[i] < units + budgets[i] * calls / 2 + units); /* no call waits in vain */
        CHECK(largest < 6000 + budgets[i]);
        printf("%u units a call: %u calls, at most %u\n", (unsigned)budgets[i], (unsigned)calls,
               (unsigned)largest);
    }
    collide_free(&s);
}

/* No time at all: which boxes overlap is known, and every pair is listed. */
static void no_time_lists_every_pair(void) {
    lt_collision_def def = plain_def();
    collide_scene s;
    CHECK_FATAL(make_tangle(&s, &def));
    uint32_t count;
    lt_collision_pending(s.collision, &count);
    CHECK_COUNT(count, 0);
    for (uint32_t interval = 0; interval < 3; interval++) {
        set_all(&s, true);
        lt_report report = lt_collision_find(s.collision, lt_budget_collision_units(0));
        const lt_collision_pair *pairs = lt_collision_pending(s.collision, &count);
        CHECK_COUNT(count, 5); /* two with themselves, the two, each with the ball */
        CHECK_COUNT(report.pending, 5);
        CHECK_COUNT(report.latency, interval);
        CHECK_COUNT(report.contacts, 0);
        CHECK_COUNT(report.tested, 0);
        uint32_t with_obstacle = 0, with_itself = 0;
        for (uint32_t i = 0; i < count; i++) {
            CHECK_COUNT(pairs[i].waited, interval);
            with_obstacle += pairs[i].obstacle.index_plus_one != 0 && pairs[i].body_b.index_plus_one == 0;
            with_itself += pairs[i].body_a.index_plus_one == pairs[i].body_b.index_plus_one;
        }
        CHECK(with_obstacle == 2 && with_itself == 2);
    }
    collide_free(&s);
}

static uint32_t pair_number(const lt_collision_pair *pair) {
    return pair->body_a.index_plus_one * 8 + pair->body_b.index_plus_one;
}

/* A new interval every time: who waited longest is served first, whatever the budget is to the cost of a pair. */
static void nobody_starves(void) {
    lt_random random = lt_random_seed(12);
    lt_collision_def def = plain_def();
    collide_scene s;
    CHECK_FATAL(collide_make(&s, COLLIDE_BODIES, 0.42, 2, &def));
    deform_all(&s, MOTION_NOISE, 0.1, &random);
    set_all(&s, true);
    uint64_t units;
    uint32_t total = find_whole(&s, &units), pair_count = COLLIDE_BODIES * (COLLIDE_BODIES + 1) / 2;
    CHECK(total > 0);
    for (int share = 0; share < 2; share++) { /* of the whole: a third, and less than most pairs need */
        uint64_t budget = share ? units / 25 : units / 3;
        uint64_t contacts_of[64] = {0};
        uint32_t longest = 0, count;
        for (uint32_t interval = 0; interval < (share ? 40u : 6u); interval++) {
            set_all(&s, true);
            lt_report report = lt_collision_find(s.collision, lt_budget_collision_units(budget));
            CHECK_COUNT(report.interrupted, 1);
            longest = lt_max_u32(longest, (uint32_t)report.latency);
            const lt_collision_contact *contacts = lt_collision_contacts(s.collision, &count);
            for (uint32_t i = 0; i < count; i++)
                contacts_of[contacts[i].body_a.index_plus_one * 8 + contacts[i].body_b.index_plus_one]++;
        }
        uint32_t reached = 0;
        for (uint32_t i = 0; i < 64; i++)
            reached += contacts_of[i] > 0;
        printf("a budget of %llu of %llu: longest wait %u, %u of %u pairs reached\n",
               (unsigned long long)budget, (unsigned long long)units, longest, reached, pair_count);
        if (share == 0) CHECK(longest < 10);
        CHECK_COUNT(reached, pair_count);
    }
    collide_free(&s);
}

/* Of those that have waited equally long the more significant comes first, else who is listed first. */
static void significance_decides(void) {
    for (int significant = 0; significant < 2; significant++) {
        lt_collision_def def = plain_def();
        collide_scene s;
        CHECK_FATAL(collide_make(&s, 1, 0.42, 2, &def));
        lt_collision_body_def body = lt_collision_body_def_default();
        body.shape = s.f.shape;
        body.significance = significant ? 5 : 1;
        lt_collision_add_body(s.collision, &body, NULL);
        uint32_t count = 3;
        const lt_collision_pair *pairs = NULL;
        for (uint32_t calls = 0; count == 3 && calls < 1000; calls++) {
            lt_collision_find(s.collision, lt_budget_collision_units(6000));
            pairs = lt_collision_pending(s.collision, &count);
        }
        CHECK_FATAL(count == 2); /* (1, 1) waits or (1, 2) does; (2, 2) in any case */
        CHECK_COUNT(pair_number(&pairs[0]), significant ? 9 : 10);
        CHECK_COUNT(pair_number(&pairs[1]), 18);
        collide_free(&s);
    }
}

/* ---- time ---- */

static void a_timed_search_is_repeated_by_its_cuts(void) {
    fake_clock clock = {.tick_ns = 700};
    lt_collision_def def = plain_def(), same = plain_def();
    def.clock_ns = fake_clock_now;
    def.clock_context = &clock;
    collide_scene s, t;
    CHECK_FATAL(make_tangle(&s, &def) && make_tangle(&t, &same));
    uint32_t calls = 0, interrupted = 0;
    for (uint32_t interval = 0; interval < 4; interval++) {
        for (lt_report report = {.interrupted = 1}; report.interrupted && calls < 4000; calls++) {
            report = lt_collision_find(s.collision, lt_budget_collision_us(40 + 20 * interval));
            lt_report repeated = lt_collision_find(t.collision, lt_budget_cuts(&report.cuts));
            uint32_t count;
            const lt_collision_contact *contacts = lt_collision_contacts(s.collision, &count);
            CHECK_COUNT(repeated.units, report.units);
            CHECK_COUNT(repeated.contacts, report.contacts);
            CHECK_COUNT(repeated.pending, report.pending);
            CHECK(repeated.contacts == count && is_prefix(contacts, t.collision, &count));
            interrupted += report.interrupted != 0;
            if (interval == 2 && calls % 3 == 2) break; /* the next interval begins while something is left */
        }
        set_all(&s, true);
        set_all(&t, true);
    }
    CHECK(interrupted > 20);
    collide_free(&s);
    collide_free(&t);
}

/* ---- capacities ---- */

static void at_the_capacity_the_report_says_so(void) {
    lt_collision_def def = plain_def();
    collide_scene s;
    CHECK_FATAL(make_tangle(&s, &def));
    uint64_t units;
    uint32_t total = find_whole(&s, &units), count;
    collide_free(&s);
    def.contact_capacity = total / 2;
    CHECK_FATAL(make_tangle(&s, &def));
    lt_report report = lt_collision_find(s.collision, lt_budget_unlimited());
    CHECK(is_prefix(whole, s.collision, &count));
    CHECK_COUNT(count, total / 2);
    CHECK_COUNT(report.dropped, total - total / 2);
    CHECK_COUNT(report.problems, LT_PROBLEM_CONTACT_CAPACITY);
    collide_free(&s);
    def = plain_def();
    def.pair_capacity = 2;
    CHECK_FATAL(make_tangle(&s, &def));
    report = lt_collision_find(s.collision, lt_budget_unlimited());
    CHECK_COUNT(report.dropped, 3);
    CHECK_COUNT(report.problems, LT_PROBLEM_PAIR_CAPACITY);
    collide_free(&s);
}

int main(void) {
    RUN(cut_anywhere_it_goes_on);
    RUN(many_calls_are_one);
    RUN(any_budget_gets_to_the_end);
    RUN(no_time_lists_every_pair);
    RUN(nobody_starves);
    RUN(significance_decides);
    RUN(a_timed_search_is_repeated_by_its_cuts);
    RUN(at_the_capacity_the_report_says_so);
    return check_finish();
}
