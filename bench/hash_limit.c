/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A limit of a third of what collision handling takes at its peak (the paper's figure 4): is it kept, and is the work
 * only spread or does it grow (units_of_free: of the run; cycle_of_free: of a cycle, which a run without a limit has one of
 * in every step)? Every run begins with the scene; the run without a limit is repeated, and a step's time is
 * the least of its repetitions. Time is wall time of the call without what the models took.
 *
 * The same again in a world whose clock is the thread's processor time, and measured by it: nobody is held to that, but on a
 * machine that is busy with something else it still tells how well work is predicted. */

#include "hash_internal.h"

#include "chart.h"
#include "core/os.h"
#include "measure.h"

#include <stdio.h>

/* A second of the plates: where a cycle takes longer, the limit is kept because nothing is found any more. */
enum { LEARN_STEPS = 8, LONGEST_CYCLE = 60 };

typedef struct limited {
    lt_scene_rig rig;
    bool by_wall;
    uint32_t step_count;
    double *steps, *free_ms, *limited_ms; /* [step_count] for the picture */
    lt_samples overshoots;                /* of all repetitions */
    double free_units, units;             /* of one run */
    lt_hash_latency latency;              /* of the last run */
} limited;

/* ---- runs ---- */

static uint64_t processor_ns(void *context) {
    (void)context;
    return lt_os_thread_cpu_ns();
}

static lt_sample measure_step(const limited *l, uint32_t step, lt_budget budget, lt_report *report) {
    lt_scene_advance(&l->rig.built, step);
    lt_stopwatch watch = lt_stopwatch_start();
    *report = lt_scene_rig_step(&l->rig, budget);
    lt_sample sample = lt_stopwatch_stop(watch);
    if (!l->by_wall) sample = (lt_sample){.us = (double)(lt_os_thread_cpu_ns() - watch.cpu_ns) * 1e-3};
    sample.us -= report->model_us;
    return sample;
}

static void run_free(limited *l, int repetition) {
    l->free_units = 0;
    for (uint32_t i = 0; i < l->step_count; i++) {
        lt_report report;
        double ms = 1e-3 * measure_step(l, i, lt_budget_unlimited(), &report).us;
        l->steps[i] = i + 1;
        l->free_ms[i] = repetition == 0 ? ms : lt_min_d(ms, l->free_ms[i]);
        l->free_units += (double)report.units;
    }
}

/* The first steps of all learn what work takes. */
static bool run_limited(limited *l, double limit_us, int repetition) {
    l->units = 0;
    l->latency = (lt_hash_latency){0};
    for (uint32_t i = 0; i < l->step_count; i++) {
        lt_report report;
        lt_sample sample = measure_step(l, i, lt_budget_collision_us(limit_us), &report);
        l->limited_ms[i] = 1e-3 * sample.us;
        l->units += (double)report.units;
        lt_hash_latency_add(&l->latency, &report);
        sample.us = lt_max_d(0, sample.us - limit_us);
        if ((repetition > 0 || i >= LEARN_STEPS) && !lt_samples_add(&l->overshoots, sample)) return false;
    }
    return true;
}

static double peak_ms(const limited *l) {
    double peak = 0;
    for (uint32_t i = 0; i < l->step_count; i++)
        peak = lt_max_d(peak, l->free_ms[i]);
    return peak;
}

static lt_status run_both(limited *l, int repetitions, lt_error *error) {
    lt_status status = lt_scene_rig_keep(&l->rig, error);
    for (int i = 0; i < repetitions && status == LT_OK; i++) {
        run_free(l, i);
        status = lt_scene_rig_return(&l->rig, error);
    }
    for (int i = 0; i < repetitions && status == LT_OK; i++) {
        if (!run_limited(l, 1e3 * peak_ms(l) / 3, i))
            return lt_fail(error, LT_STATUS_MEMORY, "out of memory for samples");
        status = lt_scene_rig_return(&l->rig, error);
    }
    return status;
}

/* ---- results ---- */

static void check_scene(lt_bench *bench, const char *scene, const char *what, double value, const char *op,
                        double bar) {
    char name[80];
    snprintf(name, sizeof name, "tet-hash.%s-%s", scene, what);
    lt_bench_check_value(bench, name, value, op, bar);
}

static void add_scene(lt_bench *bench, limited *l) {
    const char *scene = l->rig.scene.name;
    double limit_us = 1e3 * peak_ms(l) / 3, preempted = 100 * lt_samples_preempted_share(&l->overshoots);
    lt_distribution all = lt_samples_distribution(&l->overshoots, true),
                    quiet = lt_samples_distribution(&l->overshoots, false);
    if (quiet.count == 0) quiet = all; /* the check of the share says so */
    char label[64];
    snprintf(label, sizeof label, "%s, a third of the peak%s", scene, l->by_wall ? "" : ", cpu");
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "steps", l->step_count);
    lt_bench_number(bench, "peak_ms", peak_ms(l));
    lt_bench_number(bench, "limit_ms", 1e-3 * limit_us);
    lt_bench_number(bench, "p50_us", quiet.median);
    lt_bench_number(bench, "p99_us", quiet.p99);
    lt_bench_number(bench, "worst_us", quiet.worst);
    lt_bench_number(bench, "p99_all_us", all.p99);
    lt_bench_number(bench, "preempted_%", preempted);
    lt_bench_number(bench, "units_of_free", l->units / l->free_units);
    lt_bench_number(bench, "cycle_of_free", l->units * lt_hash_latency_mean(&l->latency) / l->free_units);
    lt_bench_number(bench, "latency", lt_hash_latency_mean(&l->latency));
    lt_bench_number(bench, "longest", l->latency.longest);
    if (!l->by_wall) return;
    check_scene(bench, scene, "overshoot-p99-us", quiet.p99, "<", lt_max_d(5, 0.01 * limit_us));
    check_scene(bench, scene, "preempted-percent", preempted, "<=", 5);
    check_scene(bench, scene, "units-of-unlimited", l->units / l->free_units, "<=", 1.15);
    check_scene(bench, scene, "longest-cycle", l->latency.longest, "<=", LONGEST_CYCLE);
}

static lt_status draw_scene(lt_bench *bench, const limited *l, lt_error *error) {
    const double ends[] = {1, l->step_count}, limit[] = {peak_ms(l) / 3, peak_ms(l) / 3};
    const lt_chart_series lines[] = {
        {.name = "no limit", .x = l->steps, .y = l->free_ms, .point_count = l->step_count},
        {.name = "limited", .x = l->steps, .y = l->limited_ms, .point_count = l->step_count},
        {.name = "the limit", .x = ends, .y = limit, .point_count = 2, .dashed = true}};
    char title[80], name[64];
    snprintf(title, sizeof title, "Scene %s: collision handling per step", l->rig.scene.name);
    snprintf(name, sizeof name, "tet-hash-%s", l->rig.scene.name);
    const lt_chart chart = {.title = title,
                            .x = {.label = "step"},
                            .y = {.label = "ms", .from_zero = true},
                            .series = lines,
                            .series_count = LT_COUNT_OF(lines),
                            .width = 860};
    lt_status status = lt_bench_chart(bench, &chart, name, error);
    if (status != LT_OK) return status;
    snprintf(title, sizeof title, "Scene %s, a third of the peak: overshoot", l->rig.scene.name);
    snprintf(name, sizeof name, "tet-hash-%s-overshoot", l->rig.scene.name);
    return lt_bench_overshoots(bench, &l->overshoots, title, name, error);
}

static lt_status limit_scene(lt_bench *bench, const char *scene, bool by_wall, lt_error *error) {
    int repetitions = bench->quick ? 1 : LT_REPETITIONS;
    limited l = {.by_wall = by_wall,
                 .step_count = bench->quick ? LEARN_STEPS + 2 : 240,
                 .overshoots = lt_samples_begin(&bench->allocator)};
    size_t number_count = 3 * (size_t)l.step_count;
    lt_world_def def = lt_world_def_default();
    def.clock_ns = by_wall ? NULL : processor_ns;
    lt_status status = lt_scene_rig_create(&l.rig, bench, scene, LT_METHOD_TET_HASH, &def, error);
    if (status != LT_OK) return status;
    l.steps = LT_NEW(&bench->allocator, number_count, double);
    if (l.steps) {
        l.free_ms = l.steps + l.step_count;
        l.limited_ms = l.free_ms + l.step_count;
        status = run_both(&l, repetitions, error);
        if (status == LT_OK) add_scene(bench, &l);
        if (status == LT_OK && by_wall) status = draw_scene(bench, &l, error);
    } else {
        status = lt_fail(error, LT_STATUS_MEMORY, "out of memory for %u steps", l.step_count);
    }
    LT_DELETE(&bench->allocator, l.steps, number_count, double);
    lt_samples_free(&l.overshoots);
    lt_scene_rig_free(&l.rig);
    return status;
}

lt_status lt_hash_limit(lt_bench *bench, lt_error *error) {
    static const char *const scenes[] = {"plates", "grass"};
    lt_status status = LT_OK;
    for (size_t i = 0; i < (bench->quick ? 1 : LT_COUNT_OF(scenes)) && status == LT_OK; i++) {
        status = limit_scene(bench, scenes[i], true, error);
        if (status == LT_OK && !bench->quick) status = limit_scene(bench, scenes[i], false, error);
    }
    return status;
}
