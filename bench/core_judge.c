/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What one check of the judge takes: the sixteen bodies of the scene heap while they fall and pile up. Every tenth step is
 * checked; the fastest of several repetitions counts. The method is the default one, which needs no trees to be baked; the judge
 * knows no method. */

#include "core_internal.h"

#include "judge/scene.h"
#include "measure.h"

enum { EVERY = 10, STEPS = 150, QUICK_STEPS = 30 };

static lt_status check_often(lt_judge *judge, lt_sample *best, lt_error *error) {
    lt_judgement out;
    for (int repetition = 0; repetition < LT_REPETITIONS; repetition++) {
        lt_stopwatch watch = lt_stopwatch_start();
        lt_status status = lt_judge_check(judge, &out, error);
        lt_sample sample = lt_stopwatch_stop(watch);
        if (status != LT_OK) return status;
        if (repetition == 0 || sample.us < best->us) *best = sample;
    }
    return LT_OK;
}

static lt_status run_steps(lt_scene_world *run, lt_judge *judge, uint64_t steps, lt_samples *samples,
                           lt_error *error) {
    for (uint64_t step = 1; step <= steps; step++) {
        lt_scene_advance(run, step - 1);
        lt_world_step(run->world, run->scene->dt, lt_budget_unlimited());
        lt_judge_step(judge);
        if (step % EVERY != 0) continue;
        lt_sample best = {0};
        lt_status status = check_often(judge, &best, error);
        if (status != LT_OK) return status;
        if (!lt_samples_add(samples, best))
            return lt_fail(error, LT_STATUS_MEMORY, "out of memory for samples");
    }
    return LT_OK;
}

static void add_row(lt_bench *bench, const lt_scene *scene, lt_distribution d) {
    lt_bench_row_begin(bench, "check of the judge");
    lt_bench_text(bench, "scene", scene->name);
    lt_bench_number(bench, "bodies", (double)scene->bodies.count);
    lt_bench_number(bench, "checks", d.count);
    lt_bench_number(bench, "mean_us", d.mean);
    lt_bench_number(bench, "median_us", d.median);
    lt_bench_number(bench, "worst_us", d.worst);
    lt_bench_check_value(bench, "core.judge-heap-ms", d.median * 1e-3, "<=", 50.0);
}

lt_status lt_core_judge(lt_bench *bench, lt_error *error) {
    lt_scene scene;
    lt_scene_world run = {0};
    lt_judge *judge = NULL;
    lt_status status = lt_scene_make(&scene, "heap", &bench->allocator, error);
    if (status != LT_OK) return status;
    scene.method = LT_METHOD_REFERENCE;
    lt_samples samples = lt_samples_begin(&bench->allocator);
    status = lt_scene_build(&run, &scene, NULL, error);
    if (status == LT_OK) status = lt_judge_scene(&judge, &run, error);
    if (status == LT_OK) status = run_steps(&run, judge, bench->quick ? QUICK_STEPS : STEPS, &samples, error);
    if (status == LT_OK) add_row(bench, &scene, lt_samples_distribution(&samples, true));
    lt_judge_destroy(judge);
    lt_scene_world_free(&run);
    lt_samples_free(&samples);
    lt_scene_free(&scene);
    return status;
}
