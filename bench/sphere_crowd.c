/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A heap of 256 bodies under budgets far below what it costs: is the deadline kept, does any pair starve, does the heap
 * stay one? The scene crowd-packed falls together without a budget; every budget then starts from there.
 *
 * A budget is of collision handling: overshoot is the wall time of the call, without what the models took, beyond the
 * budget. */

#include "sphere_internal.h"

#include "chart.h"
#include "count_heap.h"
#include "measure.h"

#include <math.h>
#include <stdio.h>

enum { FALL_STEPS = 200, FULL_STEPS = 20, LEARN_STEPS = 20 };

typedef struct crowd {
    lt_scene scene;
    lt_scene_world built;
    uint8_t *snapshot;
    size_t snapshot_size;
    double full_us; /* of a step without a budget */
    double height;  /* of the mean body, as it begins */
} crowd;

typedef struct crowd_run {
    lt_samples overshoots, differences; /* against the report's */
    uint64_t age_max, blown_up, contacts;
    uint64_t allocations;
    double used_us, depth;
} crowd_run;

static double mean_height(const crowd *c, uint32_t *lost) {
    double sum = 0;
    *lost = 0;
    for (size_t i = 0; i < c->scene.bodies.count; i++) {
        lt_vec3 at = lt_body_center(c->built.world, c->built.bodies[i]);
        bool sane = fabs((double)at.x) < 5 && fabs((double)at.z) < 5 && at.y > 0 && at.y < 3;
        *lost += !sane; /* through the floor, or flung away; over the rim of the bin is no fault */
        sum += (double)at.y;
    }
    return sum / (double)c->scene.bodies.count;
}

/* ---- the heap ---- */

static lt_status make_heap(lt_bench *bench, crowd *c, lt_error *error) {
    lt_status status = lt_scene_make(&c->scene, "crowd-packed", &bench->allocator, error);
    if (bench->quick) c->scene.sphere_method = LT_SPHERES_OCTREE; /* baked in no time */
    if (status == LT_OK) status = lt_scene_build(&c->built, &c->scene, NULL, error);
    if (status != LT_OK) return status;
    for (int i = 0; i < (bench->quick ? FALL_STEPS / 4 : FALL_STEPS); i++)
        lt_world_step(c->built.world, c->scene.dt, lt_budget_unlimited());
    for (int i = 0; i < FULL_STEPS; i++) {
        lt_stopwatch watch = lt_stopwatch_start();
        lt_report report = lt_world_step(c->built.world, c->scene.dt, lt_budget_unlimited());
        double us = lt_stopwatch_stop(watch).us - report.model_us;
        c->full_us = i == 0 || us < c->full_us ? us : c->full_us;
    }
    uint32_t lost;
    c->height = mean_height(c, &lost);
    c->snapshot_size = lt_world_snapshot_size(c->built.world);
    c->snapshot = LT_NEW(&bench->allocator, c->snapshot_size, uint8_t);
    if (!c->snapshot) return lt_fail(error, LT_STATUS_MEMORY, "out of memory for a snapshot");
    lt_world_snapshot(c->built.world, c->snapshot, c->snapshot_size);
    return LT_OK;
}

/* ---- one budget ---- */

static bool run_step(const crowd *c, double budget_us, bool counted, crowd_run *run) {
    uint64_t before = lt_heap_count();
    lt_stopwatch watch = lt_stopwatch_start();
    lt_report report = lt_world_step(c->built.world, c->scene.dt, lt_budget_collision_us(budget_us));
    lt_sample sample = lt_stopwatch_stop(watch);
    run->allocations += lt_heap_count() - before;
    run->blown_up += report.blown_up;
    if (!counted) return true;
    run->age_max = lt_max_u64(run->age_max, report.age_max);
    run->contacts += report.contacts;
    run->depth = lt_max_d(run->depth, report.depth_max);
    sample.us -= report.model_us;
    run->used_us += sample.us;
    lt_sample difference = {fabs(sample.us - report.used_us), sample.preempted};
    sample.us = lt_max_d(0, sample.us - budget_us);
    return lt_samples_add(&run->overshoots, sample) && lt_samples_add(&run->differences, difference);
}

static void check_budget(lt_bench *bench, double budget_us, const char *what, double value, double bar) {
    char name[80];
    snprintf(name, sizeof name, "sphere-tree.crowd-%gus-%s", budget_us, what);
    lt_bench_check_value(bench, name, value, "<=", bar);
}

static void add_budget(lt_bench *bench, const crowd *c, crowd_run *run, double budget_us, int steps) {
    lt_distribution quiet = lt_samples_distribution(&run->overshoots, false),
                    all = lt_samples_distribution(&run->overshoots, true),
                    difference = lt_samples_distribution(&run->differences, false);
    if (quiet.count == 0) {
        difference = lt_samples_distribution(&run->differences, true);
        quiet = all;
    } /* nothing was quiet: the check of the share says so */
    double preempted = 100 * lt_samples_preempted_share(&run->overshoots);
    double bound = ceil(c->full_us / budget_us) + 1;
    uint32_t lost;
    double height = mean_height(c, &lost);
    char label[64];
    snprintf(label, sizeof label, "crowd, %g us, %d steps", budget_us, steps);
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "used_us", run->used_us / steps);
    lt_bench_number(bench, "p50_us", quiet.median);
    lt_bench_number(bench, "p99_us", quiet.p99);
    lt_bench_number(bench, "p99_all_us", all.p99);
    lt_bench_number(bench, "preempted_%", preempted);
    lt_bench_number(bench, "off_report_us", difference.median);
    lt_bench_number(bench, "age_max", (double)run->age_max);
    lt_bench_number(bench, "age_bound", bound);
    lt_bench_number(bench, "contacts", (double)run->contacts / steps);
    lt_bench_number(bench, "depth_max_m", run->depth);
    lt_bench_number(bench, "height", height / c->height);
    lt_bench_number(bench, "lost", lost);
    check_budget(bench, budget_us, "overshoot-p50-us", quiet.median, 1);
    check_budget(bench, budget_us, "overshoot-p99-us", quiet.p99, lt_max_d(5, 0.01 * budget_us));
    check_budget(bench, budget_us, "preempted-percent", preempted, 5);
    check_budget(bench, budget_us, "oldest-pair-of-bound", (double)run->age_max / bound, 1);
    check_budget(bench, budget_us, "report-differs-us", difference.median, 5);
    check_budget(bench, budget_us, "bodies-lost", lost + (double)run->blown_up, 0);
    check_budget(bench, budget_us, "heap-height-off", fabs(height / c->height - 1), 0.5);
    if (lt_heap_is_counted()) check_budget(bench, budget_us, "allocations", (double)run->allocations, 0);
}

static lt_status draw_overshoots(lt_bench *bench, const lt_samples *overshoots, double budget_us,
                                 lt_error *error) {
    char title[80], name[64];
    snprintf(title, sizeof title, "A heap of 256 bodies, %g us a step: overshoot", budget_us);
    snprintf(name, sizeof name, "sphere-tree-crowd-%gus-overshoot", budget_us);
    return lt_bench_overshoots(bench, overshoots, title, name, error);
}

static lt_status run_budget(lt_bench *bench, const crowd *c, double budget_us, lt_error *error) {
    int steps = bench->quick ? 40 : 2000;
    crowd_run run = {.overshoots = lt_samples_begin(&bench->allocator),
                     .differences = lt_samples_begin(&bench->allocator)};
    bool room =
        lt_array_reserve(&run.overshoots.items, (size_t)steps) &&
        lt_array_reserve(&run.differences.items, (size_t)steps); /* now, not while allocations count */
    lt_status status = lt_world_restore(c->built.world, c->snapshot, c->snapshot_size, error);
    for (int i = -LEARN_STEPS; i < steps && room && status == LT_OK; i++)
        room = run_step(c, budget_us, i >= 0, &run);
    if (!room) status = lt_fail(error, LT_STATUS_MEMORY, "out of memory for samples");
    if (status == LT_OK) add_budget(bench, c, &run, budget_us, steps);
    if (status == LT_OK) status = draw_overshoots(bench, &run.overshoots, budget_us, error);
    lt_samples_free(&run.overshoots);
    lt_samples_free(&run.differences);
    return status;
}

lt_status lt_sphere_crowd(lt_bench *bench, lt_error *error) {
    static const double budgets[] = {100, 1000, 3000};
    crowd c = {0};
    lt_status status = make_heap(bench, &c, error);
    if (status == LT_OK) {
        lt_bench_row_begin(bench, "crowd, no budget");
        lt_bench_number(bench, "bodies", (double)c.scene.bodies.count);
        lt_bench_number(bench, "dt", (double)c.scene.dt);
        lt_bench_number(bench, "full_ms", c.full_us * 1e-3);
        lt_bench_check_value(bench, "sphere-tree.crowd-full-cost-ms", c.full_us * 1e-3, ">=", 5);
    }
    for (size_t i = 0; i < LT_COUNT_OF(budgets) && status == LT_OK; i++)
        status = run_budget(bench, &c, budgets[i], error);
    LT_DELETE(&bench->allocator, c.snapshot, c.snapshot_size, uint8_t);
    lt_scene_world_free(&c.built);
    lt_scene_free(&c.scene);
    return status;
}
