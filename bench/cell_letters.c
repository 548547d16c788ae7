/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A thousand letters in a bin, three times over:
 *
 *   without a limit   what a step takes while they are poured and heaped up; nobody sleeps
 *   5 ms a step       is the limit kept, does any letter leave the bin, how long does a pair wait, does the heap come to rest
 *   on two threads    some steps of the heap, on one thread and on two: the same bits, in less time
 *
 * Time per step of the first two goes to out/cell-box-letters.svg. */

#include "cell_internal.h"

#include "chart.h"
#include "core/vec.h"

#include <math.h>
#include <stdio.h>

enum { FREE_STEPS = 1600, LIMITED_STEPS = 3000, LEARN_STEPS = 8, QUICK_STEPS = 30, PROBE_EVERY = 100 };
static const double LIMIT_US = 5000;

/* ---- without a limit ---- */

static void check_size(lt_bench *bench, const char *name, double value, const char *op, double bar) {
    if (bench->quick)
        lt_bench_check_absent(bench, name, op, bar, "needs all letters: no --quick");
    else
        lt_bench_check_value(bench, name, value, op, bar);
}

static void add_free(lt_bench *bench, const lt_cell_run *run) {
    lt_distribution d = lt_cell_run_distribution(run, false);
    lt_cell_sizes sizes = lt_cell_sizes_of(&run->rig);
    lt_bench_row_begin(bench, "letters, no limit");
    lt_bench_number(bench, "bodies", sizes.bodies);
    lt_bench_number(bench, "triangles", sizes.triangles);
    lt_bench_number(bench, "cells", sizes.cells);
    lt_bench_number(bench, "steps", run->step_count);
    lt_bench_number(bench, "mean_ms", 1e-3 * d.mean);
    lt_bench_number(bench, "median_ms", 1e-3 * d.median);
    lt_bench_number(bench, "p95_ms", 1e-3 * d.p95);
    lt_bench_number(bench, "worst_ms", 1e-3 * d.worst);
    check_size(bench, "cell-box.letters-mean-ms", 1e-3 * d.mean, "<=", 20);
    check_size(bench, "cell-box.letters-worst-ms", 1e-3 * d.worst, "<=", 35);
}

/* ---- limited ---- */

typedef struct limited {
    lt_scene_rig rig;
    uint32_t step_count;
    double *steps, *ms; /* [step_count] */
    lt_samples overshoots;
    lt_vec3 *positions, *velocities; /* of the nodes of one letter */
    uint32_t node_capacity;
    uint32_t left;                /* letters outside at any time looked at */
    uint32_t longest_wait;        /* steps */
    double wait_over;             /* most that a wait was longer than it may be, in steps; ≤ 0: none */
    double full_ms_mean, full_ms; /* of a step without a limit, of several moments; the last */
    double rms_speed;             /* m/s at the end */
    uint64_t pending_max;
} limited;

/* Inner half width of the bin. */
static float bin_half(const lt_scene *scene) {
    const lt_scene_obstacle *obstacles = scene->obstacles.items;
    for (size_t i = 0; i < scene->obstacles.count; i++)
        if (obstacles[i].kind == LT_OBSTACLE_BOX && obstacles[i].position.x > 0)
            return obstacles[i].position.x - obstacles[i].half_extents.x;
    return 0;
}

static uint32_t count_outside(const limited *l) {
    uint32_t outside = 0;
    float half = bin_half(&l->rig.scene);
    for (size_t i = 0; i < l->rig.scene.bodies.count; i++) {
        lt_vec3 at = lt_body_center(l->rig.built.world, l->rig.built.bodies[i]);
        outside += !(fabsf(at.x) < half && fabsf(at.z) < half && at.y > 0);
    }
    return outside;
}

static double rms_speed(const limited *l) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < l->rig.scene.bodies.count; i++) {
        uint32_t nodes = lt_body_node_count(l->rig.built.world, l->rig.built.bodies[i]);
        if (nodes > l->node_capacity) continue;
        lt_body_get_nodes(l->rig.built.world, l->rig.built.bodies[i], l->positions, l->velocities);
        for (uint32_t n = 0; n < nodes; n++)
            sum += (double)lt_v3_dot(l->velocities[n], l->velocities[n]);
        count += nodes;
    }
    return sqrt(sum / lt_max_d(1, count));
}

/* What the step at hand would take without a limit; the world is put back. */
static lt_status probe(limited *l, uint64_t step, lt_error *error) {
    lt_report report;
    lt_status status = lt_scene_rig_keep(&l->rig, error);
    if (status != LT_OK) return status;
    l->full_ms = 1e-3 * lt_cell_step(&l->rig, step, lt_budget_unlimited(), &report).us;
    return lt_scene_rig_return(&l->rig, error);
}

static lt_status run_limited(limited *l, lt_error *error) {
    uint32_t probes = 0;
    for (uint32_t i = 0; i < l->step_count; i++) {
        lt_report report;
        if (i % PROBE_EVERY == 0) {
            lt_status status = probe(l, i, error);
            if (status != LT_OK) return status;
            l->full_ms_mean += l->full_ms;
            probes++;
            l->left = lt_max_u32(l->left, count_outside(l));
        }
        lt_sample sample = lt_cell_step(&l->rig, i, lt_budget_collision_us(LIMIT_US), &report);
        l->steps[i] = i + 1;
        l->ms[i] = 1e-3 * sample.us;
        sample.us = lt_max_d(0, sample.us - LIMIT_US);
        if (i >= LEARN_STEPS && !lt_samples_add(&l->overshoots, sample))
            return lt_fail(error, LT_STATUS_MEMORY, "out of memory for samples");
        uint32_t wait = (uint32_t)report.latency;
        l->longest_wait = lt_max_u32(l->longest_wait, wait);
        l->wait_over = lt_max_d(l->wait_over, wait - (ceil(1e3 * l->full_ms / LIMIT_US) + 1));
        l->pending_max = lt_max_u64(l->pending_max, report.pending);
    }
    l->full_ms_mean /= lt_max_u32(1, probes);
    l->left = lt_max_u32(l->left, count_outside(l));
    l->rms_speed = rms_speed(l);
    return LT_OK;
}

static void add_limited(lt_bench *bench, limited *l) {
    double preempted = 100 * lt_samples_preempted_share(&l->overshoots);
    lt_distribution all = lt_samples_distribution(&l->overshoots, true),
                    quiet = lt_samples_distribution(&l->overshoots, false);
    if (quiet.count == 0) quiet = all; /* the check of the share says so */
    lt_bench_row_begin(bench, "letters, 5 ms a step");
    lt_bench_number(bench, "steps", l->step_count);
    lt_bench_number(bench, "full_ms", l->full_ms_mean);
    lt_bench_number(bench, "p50_us", quiet.median);
    lt_bench_number(bench, "p99_us", quiet.p99);
    lt_bench_number(bench, "worst_us", quiet.worst);
    lt_bench_number(bench, "p99_all_us", all.p99);
    lt_bench_number(bench, "preempted_%", preempted);
    lt_bench_number(bench, "left_bin", l->left);
    lt_bench_number(bench, "longest_wait", l->longest_wait);
    lt_bench_number(bench, "pending_max", (double)l->pending_max);
    lt_bench_number(bench, "rms_speed", l->rms_speed);
    check_size(bench, "cell-box.letters-overshoot-p99-us", quiet.p99, "<", 0.01 * LIMIT_US);
    check_size(bench, "cell-box.letters-preempted-percent", preempted, "<=", 5);
    lt_bench_check_value(bench, "cell-box.letters-left-bin", l->left, "==", 0);
    check_size(bench, "cell-box.letters-wait-over-steps", l->wait_over, "<=", 0);
    check_size(bench, "cell-box.letters-rms-speed", l->rms_speed, "<", 0.05);
}

static lt_status create_limited(limited *l, lt_bench *bench, lt_error *error) {
    lt_scene scene;
    *l = (limited){.step_count = bench->quick ? QUICK_STEPS : LIMITED_STEPS,
                   .node_capacity = 1024,
                   .wait_over = -INFINITY,
                   .overshoots = lt_samples_begin(&bench->allocator)};
    lt_status status = lt_scene_letters(&scene, bench, error);
    if (status == LT_OK) status = lt_scene_rig_build(&l->rig, bench, &scene, LT_METHOD_CELL_BOX, NULL, error);
    if (status != LT_OK) return status;
    l->steps = LT_NEW(&bench->allocator, l->step_count, double);
    l->ms = LT_NEW(&bench->allocator, l->step_count, double);
    l->positions = LT_NEW(&bench->allocator, l->node_capacity, lt_vec3);
    l->velocities = LT_NEW(&bench->allocator, l->node_capacity, lt_vec3);
    if (l->steps && l->ms && l->positions && l->velocities) return LT_OK;
    return lt_fail(error, LT_STATUS_MEMORY, "out of memory for %u steps", l->step_count);
}

static void free_limited(limited *l, lt_bench *bench) {
    LT_DELETE(&bench->allocator, l->steps, l->step_count, double);
    LT_DELETE(&bench->allocator, l->ms, l->step_count, double);
    LT_DELETE(&bench->allocator, l->positions, l->node_capacity, lt_vec3);
    LT_DELETE(&bench->allocator, l->velocities, l->node_capacity, lt_vec3);
    lt_samples_free(&l->overshoots);
    lt_scene_rig_free(&l->rig);
}

/* ---- two threads ---- */

typedef struct threaded {
    double ms; /* of all steps, each the least of its repetitions */
    uint64_t hash;
} threaded;

/* From the moment that `rig` keeps. */
static lt_status run_threads(threaded *out, lt_bench *bench, const lt_scene_rig *from, uint32_t thread_count,
                             lt_error *error) {
    enum { STEPS = 20 };
    lt_scene scene;
    lt_scene_rig rig;
    double least[STEPS];
    lt_world_def def = lt_world_def_default();
    def.thread_count = thread_count;
    *out = (threaded){0};
    lt_status status = lt_scene_letters(&scene, bench, error);
    if (status != LT_OK) return status;
    scene.sleeping = false;
    status = lt_scene_rig_build(&rig, bench, &scene, LT_METHOD_CELL_BOX, &def, error);
    for (int k = 0; k < (bench->quick ? 1 : LT_REPETITIONS) && status == LT_OK; k++) {
        status = lt_world_restore(rig.built.world, from->snapshot, from->snapshot_size, error);
        for (uint32_t i = 0; i < STEPS && status == LT_OK; i++) {
            lt_report report;
            double ms = 1e-3 * lt_cell_step(&rig, FREE_STEPS + i, lt_budget_unlimited(), &report).us;
            least[i] = k == 0 ? ms : lt_min_d(ms, least[i]);
        }
    }
    if (status != LT_OK) return lt_scene_rig_free(&rig), status;
    for (uint32_t i = 0; i < STEPS; i++)
        out->ms += least[i];
    out->hash = lt_world_hash(rig.built.world);
    lt_scene_rig_free(&rig);
    return LT_OK;
}

static lt_status compare_threads(lt_bench *bench, const lt_scene_rig *heap, lt_error *error) {
    threaded one, two;
    lt_status status = run_threads(&one, bench, heap, 1, error);
    if (status == LT_OK) status = run_threads(&two, bench, heap, 2, error);
    if (status != LT_OK) return status;
    lt_bench_row_begin(bench, "letters, the heap on two threads");
    lt_bench_number(bench, "one_ms", one.ms);
    lt_bench_number(bench, "two_ms", two.ms);
    lt_bench_number(bench, "quicker", one.ms / two.ms);
    check_size(bench, "cell-box.letters-two-threads", one.ms / two.ms, ">=", 1.5);
    lt_bench_check_value(bench, "cell-box.letters-two-threads-differing", one.hash != two.hash, "==", 0);
    return LT_OK;
}

/* ---- all ---- */

static lt_status draw(lt_bench *bench, const lt_cell_run *run, const limited *l, lt_error *error) {
    const double ends[] = {1, l->step_count}, limit[] = {1e-3 * LIMIT_US, 1e-3 * LIMIT_US};
    const lt_chart_series lines[] = {
        {.name = "no limit", .x = run->steps, .y = run->ms, .point_count = run->step_count},
        {.name = "limited", .x = l->steps, .y = l->ms, .point_count = l->step_count},
        {.name = "the limit", .x = ends, .y = limit, .point_count = 2, .dashed = true}};
    const lt_chart chart = {.title = "Letters poured into a bin: collision handling per step",
                            .x = {.label = "step"},
                            .y = {.label = "ms", .from_zero = true},
                            .series = lines,
                            .series_count = LT_COUNT_OF(lines),
                            .width = 860};
    lt_status status = lt_bench_chart(bench, &chart, "cell-box-letters", error);
    if (status != LT_OK) return status;
    return lt_bench_overshoots(bench, &l->overshoots, "Letters, 5 ms a step: overshoot",
                               "cell-box-letters-overshoot", error);
}

/* Two repetitions only: the run is long, and its mean forgives the odd step. */
static lt_status run_free(lt_cell_run *run, lt_bench *bench, lt_error *error) {
    lt_scene scene;
    *run = (lt_cell_run){0};
    lt_status status = lt_scene_letters(&scene, bench, error);
    if (status != LT_OK) return status;
    scene.sleeping = false;
    status = lt_cell_run_create(run, bench, &scene, NULL, bench->quick ? QUICK_STEPS : FREE_STEPS, error);
    for (int i = 0; i < (bench->quick ? 1 : 2) && status == LT_OK; i++)
        status = lt_cell_run_repeat(run, i == 0, error);
    return status;
}

lt_status lt_cell_letters(lt_bench *bench, lt_error *error) {
    lt_cell_run run;
    limited l = {0};
    lt_status status = run_free(&run, bench, error);
    if (status == LT_OK) add_free(bench, &run);
    if (status == LT_OK) status = create_limited(&l, bench, error);
    if (status == LT_OK) status = run_limited(&l, error);
    if (status == LT_OK) {
        add_limited(bench, &l);
        status = draw(bench, &run, &l, error);
    }
    if (status == LT_OK) status = lt_scene_rig_keep(&run.rig, error); /* the heap */
    if (status == LT_OK) status = compare_threads(bench, &run.rig, error);
    free_limited(&l, bench);
    lt_cell_run_free(&run);
    return status;
}
