/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* At rest: who sleeps, whether a pile is as high as it should be, what the ground carries, what the report says of gaps. Then a pile
 * that may not sleep, whose steps should cost alike, and a knot that lies on itself. */

#include "engine_internal.h"

#include "core/os.h"
#include "engine_self.h"

#include <math.h>
#include <stdio.h>

static const char *const UNMEASURED =
    "not run: part of the matrix that was left out, or one of --quick's short runs";

/* ---- from the matrix ---- */

/* Bodies that are awake after six seconds, the most of all piles and seeds. */
static double most_awake(const lt_engine_bench *e, lt_engine_policy policy, int budget) {
    double most = NAN;
    for (int s = 0; s < LT_ENGINE_SCENES; s++)
        if (lt_engine_scenes[s].traits & LT_ENGINE_PILES && !e->bench->quick)
            most = lt_engine_larger(most, lt_engine_worst_of(e, &e->matrix->cells[policy][s][budget],
                                                             LT_ENGINE_FIELD(awake_end)));
    return most;
}

/* Mean height, off that of the unlimited runs, in percent; medians of the seeds. */
static double most_off_height(const lt_engine_bench *e, lt_engine_policy policy, int budget) {
    double most = NAN;
    for (int s = 0; s < LT_ENGINE_SCENES; s++) {
        if (!(lt_engine_scenes[s].traits & LT_ENGINE_PILES) || e->bench->quick) continue;
        const lt_engine_cell *cells = e->matrix->cells[policy][s];
        double height = lt_engine_median_of(e, &cells[budget], LT_ENGINE_FIELD(height_end)),
               full = lt_engine_median_of(e, &cells[LT_ENGINE_NONE], LT_ENGINE_FIELD(height_end));
        most = lt_engine_larger(most, 100 * fabs(height / full - 1));
    }
    return most;
}

static double worst_of_all(const lt_engine_bench *e, lt_engine_policy policy, size_t field, uint32_t traits) {
    double worst = NAN;
    for (int s = 0; s < LT_ENGINE_SCENES; s++)
        for (int b = 0; b < LT_ENGINE_BUDGETS; b++)
            if ((lt_engine_scenes[s].traits & traits) == traits)
                worst =
                    lt_engine_larger(worst, lt_engine_worst_of(e, &e->matrix->cells[policy][s][b], field));
    return worst;
}

static void judge_matrix(lt_engine_bench *e, lt_engine_policy policy) {
    static const struct {
        int budget;
        const char *text;
    } budgets[] = {{LT_ENGINE_NONE, "none"}, {LT_ENGINE_50, "50%"}, {LT_ENGINE_25, "25%"}};
    char name[48];
    for (size_t i = 0; i < LT_COUNT_OF(budgets); i++) {
        snprintf(name, sizeof name, "awake-after-6s-%s", budgets[i].text);
        lt_engine_check(e, name, policy, most_awake(e, policy, budgets[i].budget), "==", 0, UNMEASURED);
        snprintf(name, sizeof name, "height-off-percent-%s", budgets[i].text);
        if (budgets[i].budget != LT_ENGINE_NONE)
            lt_engine_check(e, name, policy, most_off_height(e, policy, budgets[i].budget), "<=", 5,
                            UNMEASURED);
    }
    lt_engine_check(e, "loads-off-weight-percent", policy,
                    100 * worst_of_all(e, policy, LT_ENGINE_FIELD(load_off), LT_ENGINE_LOADS), "<=", 2,
                    "no run was at rest as it ended");
    lt_engine_check(e, "gap-error-below-truth-percent", policy,
                    100 * worst_of_all(e, policy, LT_ENGINE_FIELD(gap_missed), 0), "<=", 0, UNMEASURED);
    lt_engine_check(e, "gap-error-of-what-it-may-be", policy,
                    worst_of_all(e, policy, LT_ENGINE_FIELD(gap_times), 0), "<=", 1, UNMEASURED);
}

/* ---- a pile that may not sleep ---- */

enum { SETTLE_STEPS = 360, REST_STEPS = 120 };

static lt_status measure_pile(lt_engine_bench *e, const char *scene, double *times, lt_error *error) {
    lt_engine_rig rig;
    double units[REST_STEPS];
    const lt_engine_rig_def def = {.scene = scene, .method = e->method, .awake = true};
    lt_status status = lt_engine_rig_create(&rig, &def, &e->bench->allocator, error);
    uint64_t begin_ns = lt_os_thread_cpu_ns();
    uint32_t step = 0;
    for (; status == LT_OK && step < SETTLE_STEPS + REST_STEPS; step++) {
        lt_report report = lt_engine_rig_step(&rig, lt_budget_unlimited());
        if (step >= SETTLE_STEPS) units[step - SETTLE_STEPS] = (double)report.units;
        if (lt_engine_seconds(begin_ns) > e->patience) break;
    }
    lt_engine_rig_free(&rig);
    if (status != LT_OK || step < SETTLE_STEPS + REST_STEPS) return status;
    double peak = lt_engine_percentile(units, REST_STEPS, 100),
           median = lt_engine_percentile(units, REST_STEPS, 50);
    *times = lt_engine_larger(*times, peak / lt_max_d(median, 1));
    lt_bench_row_begin(e->bench, "pile at rest, awake");
    lt_bench_text(e->bench, "scene", scene);
    lt_bench_number(e->bench, "median_units", median);
    lt_bench_number(e->bench, "peak_units", peak);
    return LT_OK;
}

static lt_status judge_piles(lt_engine_bench *e, lt_error *error) {
    static const char *const scenes[] = {"stack", "heap", "spots", "plates"};
    double times = NAN;
    lt_status status = LT_OK;
    bool is_asked = e->exists && !e->bench->quick && lt_bench_is_asked(e->bench, "rest", "piles");
    for (size_t i = 0; status == LT_OK && is_asked && i < LT_COUNT_OF(scenes); i++)
        status = measure_pile(e, scenes[i], &times, error);
    lt_engine_check(e, "pile-peak-of-median", LT_ENGINE_SOFT, times, "<=", 2,
                    e->bench->quick ? "needs no --quick" : "no pile came to rest in time");
    return status;
}

/* ---- a knot on itself ---- */

enum { KNOT_STEPS = 360, KNOT_EVERY = 40 };

static lt_status judge_knot(lt_engine_bench *e, lt_error *error) {
    lt_engine_rig rig = {0};
    lt_engine_self self = {0};
    double worst = NAN;
    lt_status status = LT_OK;
    bool is_asked = e->exists && !e->bench->quick && lt_bench_is_asked(e->bench, "rest", "knot");
    if (is_asked) {
        const lt_engine_rig_def def = {.scene = "knot", .method = e->method};
        uint64_t begin_ns = lt_os_thread_cpu_ns();
        status = lt_engine_rig_create(&rig, &def, &e->bench->allocator, error);
        if (status == LT_OK) status = lt_engine_self_create(&self, &rig, 0, error);
        while (status == LT_OK && rig.step < KNOT_STEPS && lt_engine_seconds(begin_ns) < e->patience) {
            lt_engine_rig_step(&rig, lt_budget_unlimited());
            if (rig.step % KNOT_EVERY == 0)
                worst = lt_engine_larger(worst, lt_engine_self_depth(&self, rig.built.world));
        }
        lt_engine_self_free(&self);
        lt_engine_rig_free(&rig);
    }
    lt_engine_check(e, "knot-depth-in-itself-mm", LT_ENGINE_SOFT, 1e3 * worst, "<=", 1,
                    e->bench->quick ? "needs no --quick" : "not asked for");
    return status;
}

lt_status lt_engine_judge_rest(lt_engine_bench *e, lt_error *error) {
    for (int p = 0; p < LT_ENGINE_POLICIES; p++)
        judge_matrix(e, (lt_engine_policy)p);
    lt_status status = judge_piles(e, error);
    return status == LT_OK ? judge_knot(e, error) : status;
}
