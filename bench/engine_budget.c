/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Never late, and nothing left unused. Units from the matrix; times with the thread's clock injected, so that what else runs on the
 * machine is not taken for lateness: the time of the whole call less what the report says of the models, which a budget of
 * collisions does not cover. */

#include "engine_internal.h"

#include "core/os.h"

#include <math.h>
#include <stdio.h>

/* ---- from the matrix ---- */

/* The worst of a field over scenes, seeds and the budgets that limit. */
static double worst_limited(const lt_engine_bench *e, lt_engine_policy policy, size_t field) {
    double worst = NAN;
    for (int s = 0; s < LT_ENGINE_SCENES; s++)
        for (int b = LT_ENGINE_NONE + 1; b < LT_ENGINE_BUDGETS; b++)
            worst = lt_engine_larger(worst, lt_engine_worst_of(e, &e->matrix->cells[policy][s][b], field));
    return worst;
}

/* The least share of a budget that a run has used, in percent; NaN: nothing was ever left pending. */
static double least_used(const lt_engine_bench *e) {
    double least = NAN;
    for (int s = 0; s < LT_ENGINE_SCENES; s++)
        for (int b = LT_ENGINE_NONE + 1; b < LT_ENGINE_BUDGETS; b++)
            for (uint32_t seed = 0; seed < e->seed_count; seed++) {
                double used = e->matrix->cells[LT_ENGINE_SOFT][s][b].seeds[seed].used;
                if (!isnan(used)) least = isnan(least) ? used : lt_min_d(least, used);
            }
    return 100 * least;
}

/* Oldest contact over what it may be, the worst of all scenes. */
static double worst_age(const lt_engine_bench *e, int budget, double percent) {
    double worst = NAN, bound = lt_engine_age_bound(100, percent);
    for (int s = 0; s < LT_ENGINE_SCENES; s++)
        worst = lt_engine_larger(worst, lt_engine_worst_of(e, &e->matrix->cells[LT_ENGINE_SOFT][s][budget],
                                                           LT_ENGINE_FIELD(age_max)));
    return worst / bound;
}

/* ---- deadlines ---- */

static uint64_t thread_clock(void *context) {
    (void)context;
    return lt_os_thread_cpu_ns();
}

enum { LEARN_STEPS = 40, TIMED_STEPS = 200, QUICK_TIMED_STEPS = 60, FIXED_EVERY = 10 };

typedef struct deadline {
    double us;
    double *over; /* us beyond it, of each step that left something pending */
    double used;  /* sum of shares of the same */
    uint32_t count;
} deadline;

static double time_of_step(lt_engine_rig *rig, lt_budget budget, lt_report *report) {
    uint64_t before = lt_os_thread_cpu_ns();
    *report = lt_engine_rig_step(rig, budget);
    return (double)(lt_os_thread_cpu_ns() - before) * 1e-3 - report->model_us;
}

/* us of a step from this state that may do nothing but what it must. */
static double fixed_time(lt_engine_rig *rig, lt_error *error) {
    lt_report report;
    if (lt_engine_rig_keep(rig, error) != LT_OK) return NAN;
    double us = time_of_step(rig, lt_budget_collision_us(0), &report);
    return lt_engine_rig_return(rig, error) == LT_OK ? us : NAN;
}

static lt_status time_scene(lt_engine_bench *e, const char *scene, deadline *d, double *fixed_us,
                            lt_error *error) {
    lt_engine_rig rig;
    lt_report report;
    double fixed[TIMED_STEPS / FIXED_EVERY + 1];
    uint32_t fixed_count = 0;
    const lt_engine_rig_def def = {
        .scene = scene, .method = e->method, .awake = true, .clock_ns = thread_clock};
    lt_status status = lt_engine_rig_create(&rig, &def, &e->bench->allocator, error);
    if (status != LT_OK) return status;
    int steps = e->bench->quick ? QUICK_TIMED_STEPS : TIMED_STEPS;
    for (int i = -LEARN_STEPS; i < steps; i++) {
        if (i >= 0 && i % FIXED_EVERY == 0) fixed[fixed_count++] = fixed_time(&rig, error);
        double us = time_of_step(&rig, lt_budget_collision_us(d->us), &report);
        if (i < 0 || report.pending == 0) continue;
        d->over[d->count++] = lt_max_d(0, us - d->us);
        d->used += us / d->us;
    }
    *fixed_us = lt_engine_median(fixed, fixed_count);
    lt_engine_rig_free(&rig);
    return LT_OK;
}

static lt_status judge_deadline(lt_engine_bench *e, double us, double bar, lt_error *error) {
    static const char *const scenes[] = {"stack", "spots", "heap"};
    double worst = NAN, overs[TIMED_STEPS];
    char name[48];
    bool is_asked = e->exists && lt_bench_is_asked(e->bench, "budget", "overshoot");
    for (size_t i = 0; is_asked && i < LT_COUNT_OF(scenes); i++) {
        deadline d = {.us = us, .over = overs};
        double fixed_us = 0;
        lt_status status = time_scene(e, scenes[i], &d, &fixed_us, error);
        if (status != LT_OK) return status;
        double p99 = 100 * lt_engine_percentile(overs, d.count, 99) / us;
        bool is_judged = d.count > 0 && fixed_us < 0.5 * us;
        if (is_judged) worst = lt_engine_larger(worst, p99);
        lt_bench_row_begin(e->bench, "overshoot");
        lt_bench_text(e->bench, "scene", scenes[i]);
        lt_bench_number(e->bench, "deadline_us", us);
        lt_bench_number(e->bench, "fixed_us", fixed_us);
        lt_bench_number(e->bench, "pending_steps", d.count);
        lt_bench_number(e->bench, "used_%", d.count ? 100 * d.used / d.count : 0);
        lt_bench_number(e->bench, "p99_%", p99);
        lt_bench_text(e->bench, "judged", is_judged ? "yes" : "no");
    }
    snprintf(name, sizeof name, "overshoot-p99-percent-%gus", us);
    lt_engine_check(e, name, LT_ENGINE_SOFT, worst, "<=", bar,
                    is_asked ? "no scene left anything pending at a fixed cost under half the deadline"
                             : "not asked for");
    return LT_OK;
}

/* ---- all ---- */

lt_status lt_engine_judge_budgets(lt_engine_bench *e, lt_error *error) {
    static const struct {
        int budget;
        double percent;
        const char *name;
    } ages[] = {{LT_ENGINE_50, 50, "age-of-bound-50%"},
                {LT_ENGINE_25, 25, "age-of-bound-25%"},
                {LT_ENGINE_10, 10, "age-of-bound-10%"}};
    static const char *const unmeasured = "not run: part of the matrix that was left out";
    for (int p = 0; p < LT_ENGINE_POLICIES; p++)
        lt_engine_check(e, "steps-over-budget", (lt_engine_policy)p,
                        worst_limited(e, (lt_engine_policy)p, LT_ENGINE_FIELD(over)), "==", 0, unmeasured);
    for (size_t i = 0; i < LT_COUNT_OF(ages); i++)
        lt_engine_check(e, ages[i].name, LT_ENGINE_SOFT, worst_age(e, ages[i].budget, ages[i].percent),
                        "<=", 1, unmeasured);
    lt_engine_check(e, "used-of-budget-percent", LT_ENGINE_SOFT, least_used(e), ">=", 80,
                    "nothing was left pending in any step");
    lt_status status = judge_deadline(e, 200, 5, error);
    return status == LT_OK ? judge_deadline(e, 1000, 1, error) : status;
}
