/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Turns in rounds: the order within a round, nobody twice before everybody once, and how long one can wait.
 *
 * labels: wasm */

#include "check.h"
#include "core/random.h"
#include "core/scheduler.h"

enum { TURN_MAX = 64 };

static float priority(lt_turn turn) {
    return turn.harm + (float)turn.age;
}

/* The next turn by looking at all of them. */
static uint32_t brute_force_next(const lt_turn *turns, uint32_t count) {
    uint32_t best = LT_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (!turns[i].now && (best == LT_NONE || priority(turns[i]) > priority(turns[best]))) best = i;
    return best;
}

static void the_greatest_priority_comes_first_and_ties_go_to_the_lower_index(void) {
    lt_random random = lt_random_seed(1);
    lt_turn turns[TURN_MAX];
    uint32_t heap[TURN_MAX];
    for (int sample = 0; sample < 500; sample++) {
        uint32_t count = lt_random_below(&random, TURN_MAX + 1);
        for (uint32_t i = 0; i < count; i++) {
            turns[i].harm = (float)lt_random_below(&random, 6);
            turns[i].age = lt_random_below(&random, 4);
            turns[i].served = turns[i].now = false;
        }
        lt_scheduler scheduler;
        lt_scheduler_begin(&scheduler, (lt_turns){turns, NULL, count}, heap);
        for (;;) {
            uint32_t expected = brute_force_next(turns, count), got = lt_scheduler_next(&scheduler);
            CHECK_COUNT(got, expected);
            CHECK_COUNT(lt_scheduler_next(&scheduler), got); /* asking serves nobody */
            if (got == LT_NONE || got != expected) break;
            lt_scheduler_done(&scheduler);
            CHECK(turns[got].now && turns[got].age == 0);
        }
    }
}

/* The same turns, kept in another order: all goes as if they were in this one. */
static void turns_may_be_kept_in_another_order(void) {
    lt_random random = lt_random_seed(7);
    lt_turn plain[TURN_MAX], kept[TURN_MAX];
    uint32_t heap[TURN_MAX], kept_heap[TURN_MAX], order[TURN_MAX];
    for (int sample = 0; sample < 200; sample++) {
        uint32_t count = 1 + lt_random_below(&random, TURN_MAX);
        for (uint32_t i = 0; i < count; i++)
            order[i] = i;
        for (uint32_t i = count; i-- > 1;) {
            uint32_t other = lt_random_below(&random, i + 1), swap = order[i];
            order[i] = order[other];
            order[other] = swap;
        }
        for (uint32_t i = 0; i < count; i++) {
            plain[i] =
                (lt_turn){.harm = (float)lt_random_below(&random, 6), .age = lt_random_below(&random, 4)};
            kept[order[i]] = plain[i];
        }
        const lt_turns turns = {plain, NULL, count}, kept_turns = {kept, order, count};
        for (int step = 0; step < 5; step++) {
            lt_scheduler a, b;
            lt_scheduler_begin(&a, turns, heap);
            lt_scheduler_begin(&b, kept_turns, kept_heap);
            for (uint32_t left = lt_random_below(&random, count + 1); left > 0; left--) {
                CHECK_COUNT(lt_scheduler_next(&b), lt_scheduler_next(&a));
                if (lt_scheduler_next(&a) == LT_NONE) break;
                lt_scheduler_done(&a);
                lt_scheduler_done(&b);
            }
            lt_scheduler_end(turns);
            lt_scheduler_end(kept_turns);
            for (uint32_t i = 0; i < count; i++)
                CHECK(kept[order[i]].age == plain[i].age && kept[order[i]].served == plain[i].served);
        }
    }
}

static void no_turns_are_no_work(void) {
    lt_scheduler scheduler;
    lt_scheduler_begin(&scheduler, (lt_turns){NULL, NULL, 0}, NULL);
    CHECK(lt_scheduler_next(&scheduler) == LT_NONE);
    lt_scheduler_end((lt_turns){NULL, NULL, 0});
}

static void a_round_goes_on_over_steps_and_the_next_begins_when_all_were_served(void) {
    lt_turn turns[3] = {{.harm = 1}, {.harm = 100}, {.harm = 10}};
    uint32_t heap[3];
    const uint32_t expected[] = {1, 2, 0, 1, 2, 0};
    for (size_t step = 0; step < LT_COUNT_OF(expected); step++) {
        lt_scheduler scheduler;
        lt_scheduler_begin(&scheduler, (lt_turns){turns, NULL, 3}, heap);
        CHECK_COUNT(lt_scheduler_next(&scheduler), expected[step]);
        lt_scheduler_done(&scheduler);
        lt_scheduler_end((lt_turns){turns, NULL, 3});
    }
    lt_scheduler scheduler;
    lt_scheduler_begin(&scheduler, (lt_turns){turns, NULL, 3}, heap);
    for (int i = 0; i < 3; i++)
        lt_scheduler_done(&scheduler);
    CHECK(lt_scheduler_next(&scheduler) == LT_NONE); /* nobody is served twice in a step */
}

static void a_newcomer_does_not_make_the_others_wait(void) {
    lt_turn turns[4] = {{0}};
    uint32_t heap[4];
    lt_scheduler scheduler;
    for (uint32_t count = 3; count <= 4; count++) { /* the fourth comes when the three were just served */
        lt_scheduler_begin(&scheduler, (lt_turns){turns, NULL, count}, heap);
        uint32_t served = 0;
        while (lt_scheduler_next(&scheduler) != LT_NONE) {
            lt_scheduler_done(&scheduler);
            served++;
        }
        CHECK_COUNT(served, count);
        lt_scheduler_end((lt_turns){turns, NULL, count});
    }
}

static void ages_are_steps_since_the_last_turn(void) {
    lt_turn turns[4] = {{.harm = 4}, {.harm = 3}, {.harm = 2}, {.harm = 1}};
    uint32_t heap[4];
    uint32_t last_served[4] = {0};
    for (uint32_t step = 1; step <= 20; step++) {
        for (uint32_t i = 0; i < 4; i++)
            CHECK_COUNT(turns[i].age, step == 1 ? 0 : last_served[i] ? step - last_served[i] : step - 1);
        lt_scheduler scheduler;
        lt_scheduler_begin(&scheduler, (lt_turns){turns, NULL, 4}, heap);
        last_served[lt_scheduler_next(&scheduler)] = step;
        lt_scheduler_done(&scheduler);
        lt_scheduler_end((lt_turns){turns, NULL, 4});
    }
}

/* Age alone brings everyone to the front of a round in the end, whoever is more harmful. */
static void age_counts_as_harm_does(void) {
    lt_turn turns[2] = {{.harm = 5}, {.harm = 0, .age = 5}};
    uint32_t heap[2];
    lt_scheduler scheduler;
    lt_scheduler_begin(&scheduler, (lt_turns){turns, NULL, 2}, heap);
    CHECK_COUNT(lt_scheduler_next(&scheduler), 0);
    turns[1].age = 6;
    lt_scheduler_begin(&scheduler, (lt_turns){turns, NULL, 2}, heap);
    CHECK_COUNT(lt_scheduler_next(&scheduler), 1);
}

/* ---- how long one waits ---- */

typedef struct simulation {
    lt_turn turns[TURN_MAX];
    uint32_t heap[TURN_MAX];
    uint32_t cost[TURN_MAX], done[TURN_MAX]; /* work of a turn, and what of it was done: turns can be cut */
    uint32_t last_served[TURN_MAX];
    uint32_t count, budget, full_cost;
} simulation;

static void start(simulation *s, lt_random *random) {
    memset(s, 0, sizeof *s);
    s->count = 1 + lt_random_below(random, TURN_MAX);
    for (uint32_t i = 0; i < s->count; i++) {
        s->cost[i] = 1 + lt_random_below(random, 50);
        s->full_cost += s->cost[i];
    }
    s->budget = 1 + lt_random_below(random, lt_random_below(random, 2) ? s->full_cost : s->full_cost / 4 + 1);
}

/* One step; returns the longest that anyone served in it had waited. */
static uint32_t advance(simulation *s, uint32_t step) {
    lt_scheduler scheduler;
    lt_scheduler_begin(&scheduler, (lt_turns){s->turns, NULL, s->count}, s->heap);
    uint32_t left = s->budget, longest = 0, next;
    while (left > 0 && (next = lt_scheduler_next(&scheduler)) != LT_NONE) {
        uint32_t spent = lt_min_u32(left, s->cost[next] - s->done[next]);
        left -= spent;
        s->done[next] += spent;
        if (s->done[next] < s->cost[next]) break;
        longest = lt_max_u32(longest, step - s->last_served[next]);
        s->last_served[next] = step;
        s->done[next] = 0;
        lt_scheduler_done(&scheduler);
    }
    lt_scheduler_end((lt_turns){s->turns, NULL, s->count});
    return longest;
}

/* Changing harms are the worst case: the first of one round may be the last of the next. */
static void nobody_waits_longer_than_two_rounds_whatever_the_harms(void) {
    lt_random random = lt_random_seed(2);
    uint32_t above_one_round = 0;
    for (int sample = 0; sample < 300; sample++) {
        simulation s;
        start(&s, &random);
        uint32_t round = (s.full_cost + s.budget - 1) / s.budget;
        for (uint32_t step = 1; step < 6 * round + 6; step++) {
            for (uint32_t i = 0; i < s.count; i++)
                s.turns[i].harm =
                    lt_random_range(&random, 0, 1) * (lt_random_below(&random, 5) ? 1.0f : 1e6f);
            uint32_t longest = advance(&s, step);
            CHECK(longest <= 2 * round - 1);
            above_one_round += longest > round + 1;
        }
        for (uint32_t i = 0; i < s.count; i++)
            CHECK(s.last_served[i] > 0);
    }
    CHECK(above_one_round > 0); /* otherwise the header could promise more */
}

/* Harms that stay keep the order from round to round, and then nobody waits longer than one round and a step. */
static void nobody_waits_longer_than_one_round_and_a_step_while_harms_stay(void) {
    lt_random random = lt_random_seed(3);
    for (int sample = 0; sample < 300; sample++) {
        simulation s;
        start(&s, &random);
        for (uint32_t i = 0; i < s.count; i++)
            s.turns[i].harm = 1e7f * (float)lt_random_below(&random, 9); /* ages do not reach it */
        uint32_t round = (s.full_cost + s.budget - 1) / s.budget;
        for (uint32_t step = 1; step < 6 * round + 6; step++)
            CHECK(advance(&s, step) <= round + 1);
    }
}

/* From the first round's beginning everybody is served once within it. */
static void a_round_takes_its_cost_over_the_budget(void) {
    lt_random random = lt_random_seed(4);
    for (int sample = 0; sample < 300; sample++) {
        simulation s;
        start(&s, &random);
        uint32_t round = (s.full_cost + s.budget - 1) / s.budget;
        for (uint32_t step = 1; step <= round; step++) {
            for (uint32_t i = 0; i < s.count; i++)
                s.turns[i].harm = lt_random_range(&random, 0, 100);
            advance(&s, step);
        }
        for (uint32_t i = 0; i < s.count; i++)
            CHECK(s.last_served[i] > 0);
    }
}

/* ---- in windows ---- */

typedef struct windows {
    lt_turn turns[TURN_MAX];
    uint32_t last_served[TURN_MAX];
    lt_random random;
    uint32_t weighed; /* in this step */
    uint32_t watched; /* whose waits count */
} windows;

static float random_harm(const void *context, uint32_t index) {
    (void)index;
    windows *w = (windows *)context;
    w->weighed++;
    return lt_random_range(&w->random, 0, 1e6f);
}

/* Serves `least` turns; returns the longest that one of them had waited. */
static uint32_t serve_window(windows *w, const lt_rounds *rounds, uint32_t count, uint32_t least,
                             uint32_t step) {
    uint32_t heap[TURN_MAX], longest = 0;
    lt_scheduler scheduler;
    w->weighed = 0;
    lt_scheduler_begin_rounds(&scheduler, (lt_turns){w->turns, NULL, count}, heap, rounds);
    for (uint32_t i = 0; i < least + scheduler.urgent_count; i++) {
        uint32_t next = lt_scheduler_next(&scheduler);
        if (next == LT_NONE) break;
        CHECK(!rounds->members || next % 2 == 1);
        if (next < w->watched && w->last_served[next])
            longest = lt_max_u32(longest, step - w->last_served[next]);
        w->last_served[next] = step;
        lt_scheduler_done(&scheduler);
    }
    lt_scheduler_end((lt_turns){w->turns, NULL, count});
    return longest;
}

/* Whatever the harms, and whether or not only some of the turns take part. */
static void in_windows_nobody_waits_longer_than_a_round_and_the_window(void) {
    lt_random random = lt_random_seed(5);
    for (int sample = 0; sample < 300; sample++) {
        windows w = {.random = lt_random_seed((uint64_t)sample), .watched = TURN_MAX};
        bool some = sample % 3 == 0; /* the odd ones */
        uint32_t odd[TURN_MAX / 2];
        for (uint32_t i = 0; i < TURN_MAX / 2; i++)
            odd[i] = 2 * i + 1;
        uint32_t count = 2 + lt_random_below(&random, TURN_MAX - 1), part = some ? count / 2 : count;
        uint32_t least = 1 + lt_random_below(&random, part),
                 window = least * (1 + lt_random_below(&random, 3));
        lt_rounds rounds = {window, some ? odd : NULL, part, NULL, random_harm, &w};
        uint32_t round = (part + least - 1) / least, bound = round + (window + least - 1) / least + 1;
        for (uint32_t step = 1; step < 8 * round + 8; step++) {
            CHECK(serve_window(&w, &rounds, count, least, step) <= bound);
            CHECK(step == 1 || w.weighed <= 3 * window + least); /* at a round's end two windows and a part */
        }
        for (uint32_t i = 0; i < count; i++)
            CHECK((w.last_served[i] > 0) == (!some || i % 2 == 1));
    }
}

/* Somebody new is served at once, and the others as if nobody had come. */
static void newcomers_come_beside_the_round(void) {
    windows w = {.random = lt_random_seed(6), .watched = 8};
    lt_rounds rounds = {.window = 2, .harm = random_harm, .context = &w};
    uint32_t count = 8;
    for (uint32_t step = 1; step < 40; step++) {
        if (step % 4 == 0 && count < 16) w.turns[count++] = (lt_turn){0};
        CHECK(serve_window(&w, &rounds, count, 2, step) <= (count + 1) / 2 + 2);
        for (uint32_t i = 0; i < count; i++)
            CHECK(w.last_served[i] > 0);
    }
}

int main(void) {
    RUN(the_greatest_priority_comes_first_and_ties_go_to_the_lower_index);
    RUN(turns_may_be_kept_in_another_order);
    RUN(no_turns_are_no_work);
    RUN(a_round_goes_on_over_steps_and_the_next_begins_when_all_were_served);
    RUN(a_newcomer_does_not_make_the_others_wait);
    RUN(ages_are_steps_since_the_last_turn);
    RUN(age_counts_as_harm_does);
    RUN(nobody_waits_longer_than_two_rounds_whatever_the_harms);
    RUN(nobody_waits_longer_than_one_round_and_a_step_while_harms_stay);
    RUN(a_round_takes_its_cost_over_the_budget);
    RUN(in_windows_nobody_waits_longer_than_a_round_and_the_window);
    RUN(newcomers_come_beside_the_round);
    return check_finish();
}
