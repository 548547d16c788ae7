/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bears that fall and come to rest: what a step takes by the model multigrid, refined everywhere and where it is needed, against
 * conjugate gradients on the finest mesh (the model corotational, with its preconditioner and warm start). The same scene, method
 * and process. Forward update: what the report says of the models, which no clock outside can tell apart. The whole step: a clock
 * around the call. Both are the thread's own time, one core; of a step the least of all passes. */

#include "multigrid_internal.h"

#include "core/os.h"
#include "measure.h"

#include <stdio.h>

/* The paper's adaptive solver, steps a second: forward, and in all. */
static const struct {
    uint32_t count;
    double forward, total, goal; /* goal: times conjugate gradients */
} paper[] = {{1, 383, 58, 25}, {8, 26.7, 2.98, 14}};

/* ---- a drop ---- */

void lt_drop_free(lt_drop *drop) {
    LT_DELETE(&drop->allocator, drop->forward_us, drop->steps, double);
    LT_DELETE(&drop->allocator, drop->total_us, drop->steps, double);
    *drop = (lt_drop){0};
}

static uint32_t rest_begin(const lt_drop *drop) {
    return drop->steps > LT_BEARS_REST ? drop->steps - LT_BEARS_REST : 0;
}

static void look_at_rest(lt_drop *drop, const lt_scene_rig *rig) {
    double most = 0;
    for (uint32_t i = 0; i < drop->bears.count; i++)
        most = lt_max_d(most, lt_bears_active_share(lt_bears_soft(rig, i)));
    drop->active_at_rest += most / (drop->steps - rest_begin(drop));
}

static void take_step(lt_drop *drop, const lt_scene_rig *rig, uint32_t step, bool first) {
    lt_scene_advance(&rig->built, step);
    uint64_t begin = lt_os_thread_cpu_ns();
    lt_report report = lt_scene_rig_step(rig, lt_budget_unlimited());
    double total = 1e-3 * (double)(lt_os_thread_cpu_ns() - begin);
    if (first || report.model_us < drop->forward_us[step]) drop->forward_us[step] = report.model_us;
    if (first || total < drop->total_us[step]) drop->total_us[step] = total;
    if (!first) return;
    drop->iterations += (double)report.iterations / drop->steps;
    drop->unsettled += (report.problems & LT_PROBLEM_ITERATIONS) != 0;
    if (report.contacts > 0 && drop->first_contact == drop->steps) drop->first_contact = step;
    if (step >= rest_begin(drop)) look_at_rest(drop, rig);
}

static lt_status run_pass(lt_drop *drop, lt_bench *bench, bool first, lt_error *error) {
    lt_scene_rig rig;
    lt_status status = lt_bears_build(&rig, bench, &drop->bears, error);
    if (status != LT_OK) return status;
    for (uint32_t step = 0; step < drop->steps; step++)
        take_step(drop, &rig, step, first);
    drop->speed = 0;
    for (uint32_t i = 0; i < drop->bears.count; i++)
        drop->speed = lt_max_d(drop->speed, (double)lt_soft_speed(lt_bears_soft(&rig, i)));
    lt_scene_rig_free(&rig);
    return LT_OK;
}

lt_status lt_drop_run(lt_drop *out, lt_bench *bench, const lt_bears *bears, uint32_t passes,
                      lt_error *error) {
    uint32_t steps = lt_bears_steps(bench, bears->count);
    *out = (lt_drop){.bears = *bears,
                     .steps = steps,
                     .first_contact = steps,
                     .passes = bench->quick ? 1 : passes,
                     .allocator = bench->allocator};
    out->forward_us = LT_NEW(&out->allocator, steps, double);
    out->total_us = LT_NEW(&out->allocator, steps, double);
    lt_status status = out->forward_us && out->total_us
                           ? LT_OK
                           : lt_fail(error, LT_STATUS_MEMORY, "no memory for times of steps");
    for (uint32_t pass = 0; pass < out->passes && status == LT_OK; pass++)
        status = run_pass(out, bench, pass == 0, error);
    if (status != LT_OK) lt_drop_free(out);
    return status;
}

double lt_drop_mean(const lt_drop *drop, const double *us, uint32_t begin) {
    double sum = 0;
    for (uint32_t i = begin; i < drop->steps; i++)
        sum += us[i];
    return sum / (drop->steps - begin);
}

/* ---- rows and checks ---- */

static void add_drop(lt_bench *bench, const lt_drop *drop, const char *what) {
    char label[64];
    lt_bears_label(label, sizeof label, &drop->bears, what);
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "steps", drop->steps);
    lt_bench_number(bench, "passes", drop->passes);
    lt_bench_number(bench, "forward_us", lt_drop_mean(drop, drop->forward_us, 0));
    lt_bench_number(bench, "rest_forward_us", lt_drop_mean(drop, drop->forward_us, rest_begin(drop)));
    lt_bench_number(bench, "total_us", lt_drop_mean(drop, drop->total_us, 0));
    lt_bench_number(bench, "rest_total_us", lt_drop_mean(drop, drop->total_us, rest_begin(drop)));
    lt_bench_number(bench, "iterations", drop->iterations);
    lt_bench_number(bench, "unsettled", drop->unsettled);
    lt_bench_number(bench, "first_contact", drop->first_contact);
    lt_bench_number(bench, "speed_m/s", drop->speed);
    lt_bench_number(bench, "active_at_rest_%", 100 * drop->active_at_rest);
}

static void check(lt_bench *bench, const lt_drop *drop, const char *what, double value, const char *op,
                  double bar) {
    char name[80];
    lt_bears_check_name(name, sizeof name, &drop->bears, what);
    lt_bears_check(bench, name, value, op, bar);
}

static void compare(lt_bench *bench, const lt_drop *cg, const lt_drop *ours) {
    bool single = ours->bears.count == 1, tall = ours->bears.height > 0.5f;
    size_t at = single ? 0 : 1;
    double forward = lt_drop_mean(ours, ours->forward_us, 0), total = lt_drop_mean(ours, ours->total_us, 0);
    double times = lt_drop_mean(cg, cg->forward_us, 0) / forward;
    double total_times = lt_drop_mean(cg, cg->total_us, 0) / total;
    double rest_times = lt_drop_mean(cg, cg->forward_us, rest_begin(cg)) /
                        lt_drop_mean(ours, ours->forward_us, rest_begin(ours));
    char label[64];
    lt_bears_label(label, sizeof label, &ours->bears, "adaptive against CG");
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "forward_times", times);
    lt_bench_number(bench, "goal_times", paper[at].goal);
    lt_bench_number(bench, "rest_times", rest_times);
    lt_bench_number(bench, "total_times", total_times);
    lt_bench_number(bench, "forward_steps_a_s", 1e6 / forward);
    lt_bench_number(bench, "total_steps_a_s", 1e6 / total);
    lt_bench_number(bench, "forward_over_paper", 1e6 / forward / paper[at].forward);
    lt_bench_number(bench, "total_over_paper", 1e6 / total / paper[at].total);
    lt_bench_number(bench, "goal_over_paper", 10);
    check(bench, ours, "rest-forward-times-cg", rest_times, ">=", 20);
    check(bench, ours, "drop-forward-times-cg", times, ">=", tall ? 5 : 10);
    check(bench, ours, "drop-total-times-cg", total_times, ">=", 5);
    check(bench, ours, "forward-steps-a-s", 1e6 / forward, ">=", 4 * paper[at].forward);
    check(bench, ours, "total-steps-a-s", 1e6 / total, ">=", 4 * paper[at].total);
    check(bench, ours, "active-at-rest-%", 100 * ours->active_at_rest, "<=", 10);
    char name[80];
    lt_bears_check_name(name, sizeof name, &ours->bears, "solves-short-of-residual");
    lt_bench_check_value(bench, name, ours->unsettled + cg->unsettled, "==", 0);
}

/* All refined: the same unknowns as conjugate gradients have. */
static lt_status compare_full(lt_bench *bench, const lt_drop *cg, lt_error *error) {
    lt_drop full;
    lt_bears bears = cg->bears;
    bears.model = LT_MODEL_MULTIGRID;
    bears.threshold = 0;
    lt_status status = lt_drop_run(&full, bench, &bears, cg->passes, error);
    if (status != LT_OK) return status;
    add_drop(bench, &full, "full multigrid");
    check(bench, &full, "full-over-cg",
          lt_drop_mean(&full, full.forward_us, 0) / lt_drop_mean(cg, cg->forward_us, 0),
          "<=", bears.height > 0.5f ? 1.6 : 1);
    lt_drop_free(&full);
    return LT_OK;
}

static lt_status measure_bears(lt_bench *bench, uint32_t count, float height, lt_error *error) {
    lt_bears bears = {count, height, LT_MODEL_COROTATIONAL, 0};
    /* Eight take minutes a pass, and a mean is of 600 steps. */
    uint32_t passes = count == 1 ? LT_REPETITIONS : 1;
    lt_drop cg, ours = {0};
    lt_status status = lt_drop_run(&cg, bench, &bears, passes, error);
    if (status != LT_OK) return status;
    add_drop(bench, &cg, "CG");
    bears.model = LT_MODEL_MULTIGRID;
    bears.threshold = lt_bears_default_threshold();
    status = lt_drop_run(&ours, bench, &bears, passes, error);
    if (status == LT_OK) {
        add_drop(bench, &ours, "adaptive");
        compare(bench, &cg, &ours);
    }
    if (status == LT_OK && count == 1) status = compare_full(bench, &cg, error);
    if (status == LT_OK && count == 1) status = lt_grid_thresholds(bench, &cg, error);
    lt_drop_free(&cg);
    lt_drop_free(&ours);
    return status;
}

lt_status lt_grid_drops(lt_bench *bench, lt_error *error) {
    lt_status status = LT_OK;
    for (uint32_t height = 0; height < LT_BEARS_HEIGHTS; height++)
        for (size_t i = 0; i < LT_COUNT_OF(paper) && status == LT_OK; i++)
            status = measure_bears(bench, paper[i].count, lt_bears_heights[height], error);
    return status;
}
