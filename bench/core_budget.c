/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What asking the budget costs, and how well a deadline is kept by a cursor of mixed work. */

#include "core_internal.h"

#include "chart.h"
#include "core/budget.h"
#include "core/random.h"
#include "measure.h"

/* ---- admission: a million pieces of one unit that do next to nothing, under a deadline far away ---- */

enum { ADMISSIONS = 1000000 };

typedef struct counting {
    uint32_t left;
    volatile uint32_t sum; /* or the compiler would do a million pieces by one formula */
} counting;

static lt_piece counting_peek(const void *state) {
    return (lt_piece){LT_WORK_BOUND, ((const counting *)state)->left > 0, 0};
}

static uint32_t counting_step(void *state, uint32_t grant) {
    counting *c = state;
    uint32_t spent = 0;
    for (lt_piece piece = counting_peek(c); piece.cost && spent + piece.cost <= grant;
         piece = counting_peek(c)) {
        c->sum = c->sum + c->left--;
        spent += piece.cost;
    }
    return spent;
}

lt_status lt_core_admission(lt_bench *bench, lt_error *error) {
    (void)error;
    lt_meter meter;
    lt_meter_init(&meter, (lt_clock){0});
    double best = 1e30;
    for (int repetition = 0; repetition < 2 * LT_REPETITIONS; repetition++) {
        counting state = {.left = ADMISSIONS};
        lt_budget budget = lt_budget_collision_us(1e6);
        lt_stopwatch watch = lt_stopwatch_start();
        lt_meter_begin(&meter, &budget, budget.collision_nanoseconds);
        lt_spend(&meter, LT_STAGE_DETECT, (lt_cursor){&state, counting_peek, counting_step});
        double ns = lt_stopwatch_stop(watch).us * 1000 / ADMISSIONS;
        best = ns < best ? ns : best;
    }
    lt_bench_row_begin(bench, "budget admission");
    lt_bench_number(bench, "pieces", ADMISSIONS);
    lt_bench_number(bench, "ns_each", best);
    lt_bench_check_value(bench, "core.admission-ns", best, "<", 5.0);
    return LT_OK;
}

/* ---- overshoot: pieces of several kinds and sizes, more of them than fit ---- */

enum { DEADLINE_US = 200, TRIALS = 2000, KINDS = 4 };

/* Kinds differ in what a unit takes and in how large a piece is; a piece is 8 to 512 units. */
typedef struct mixed {
    lt_random random;
    lt_work work;
    uint32_t cost;
    volatile float sink;
} mixed;

static void choose_piece(mixed *m) {
    static const lt_work kinds[KINDS] = {LT_WORK_EMBED, LT_WORK_BROAD, LT_WORK_POINT_TET, LT_WORK_OBSTACLE};
    m->work = kinds[lt_random_below(&m->random, KINDS)];
    m->cost = 8u << lt_random_below(&m->random, 7);
}

static lt_piece mixed_peek(const void *state) {
    const mixed *m = state;
    return (lt_piece){m->work, m->cost, 0};
}

static void work_off(mixed *m) {
    uint32_t passes = m->cost * (1 + (uint32_t)m->work % 3);
    float value = 1;
    for (uint32_t i = 0; i < passes; i++)
        value = value * 0.999f + 0.5f;
    m->sink = value;
}

static uint32_t mixed_step(void *state, uint32_t grant) {
    mixed *m = state;
    uint32_t spent = 0;
    lt_work work = m->work;
    while (m->work == work && spent + m->cost <= grant) {
        work_off(m);
        spent += m->cost;
        choose_piece(m);
    }
    return spent;
}

lt_status lt_core_overshoot(lt_bench *bench, lt_error *error) {
    lt_meter meter;
    lt_meter_init(&meter, (lt_clock){0});
    mixed state = {.random = lt_random_seed(7)};
    choose_piece(&state);
    lt_samples samples = lt_samples_begin(&bench->allocator);
    lt_status status = LT_OK;
    int trials = bench->quick ? TRIALS / 10 : TRIALS;
    double used = 0;
    for (int trial = -20; trial < trials && status == LT_OK; trial++) { /* the first ones learn */
        lt_budget budget = lt_budget_collision_us(DEADLINE_US);
        lt_stopwatch watch = lt_stopwatch_start();
        lt_meter_begin(&meter, &budget, budget.collision_nanoseconds);
        lt_spend(&meter, LT_STAGE_DETECT, (lt_cursor){&state, mixed_peek, mixed_step});
        lt_sample sample = lt_stopwatch_stop(watch);
        if (trial < 0) continue;
        used += sample.us / trials;
        sample.us = sample.us > DEADLINE_US ? sample.us - DEADLINE_US : 0;
        if (!lt_samples_add(&samples, sample))
            status = lt_fail(error, LT_STATUS_MEMORY, "out of memory for samples");
    }
    double preempted = lt_samples_preempted_share(&samples);
    lt_distribution all = lt_samples_distribution(&samples, true),
                    quiet = lt_samples_distribution(&samples, false);
    lt_bench_row_begin(bench, "overshoot of mixed work");
    lt_bench_number(bench, "deadline_us", DEADLINE_US);
    lt_bench_number(bench, "trials", trials);
    lt_bench_number(bench, "mean_used_us", used);
    lt_bench_number(bench, "p50_us", quiet.median);
    lt_bench_number(bench, "p99_us", quiet.p99);
    lt_bench_number(bench, "p99_with_preempted_us", all.p99);
    lt_bench_number(bench, "preempted_percent", 100 * preempted);
    lt_bench_check_value(bench, "core.overshoot-p99-percent", 100 * quiet.p99 / DEADLINE_US, "<", 1.0);
    lt_bench_check_value(bench, "core.overshoot-preempted-percent", 100 * preempted, "<=", 5.0);
    if (status == LT_OK)
        status =
            lt_bench_overshoots(bench, &samples, "Mixed work, 200 us: overshoot", "core-overshoot", error);
    lt_samples_free(&samples);
    return status;
}
