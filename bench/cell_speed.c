/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How long collision handling takes in the paper's scenes: the median over the steps in which bodies touch each other, or one
 * itself, every step the least of five runs; with self-collision, and between bodies only. Time per step of the scene fold,
 * the paper's figure 10, goes to out/cell-box-fold.svg. */

#include "cell_internal.h"

#include "chart.h"

#include <stdio.h>

typedef struct bar {
    const char *scene;
    uint32_t step_count;
    double with_self, between; /* ms; 0: nobody is held to it */
} bar;

static const bar bars[] = {
    {"teapots", 480, 0.15, 0.08}, {"fold", 500, 0.12, 0}, {"five-bunnies", 400, 0.8, 0.35}};

static void add_row(lt_bench *bench, const lt_cell_run *run, bool with_self, lt_distribution d) {
    char label[64];
    lt_cell_sizes sizes = lt_cell_sizes_of(&run->rig);
    snprintf(label, sizeof label, "%s%s", run->rig.scene.name, with_self ? "" : ", between bodies only");
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "bodies", sizes.bodies);
    lt_bench_number(bench, "triangles", sizes.triangles);
    lt_bench_number(bench, "cells", sizes.cells);
    lt_bench_number(bench, "steps", run->step_count);
    lt_bench_number(bench, "in_contact", d.count);
    lt_bench_number(bench, "median_ms", 1e-3 * d.median);
    lt_bench_number(bench, "mean_ms", 1e-3 * d.mean);
    lt_bench_number(bench, "p95_ms", 1e-3 * d.p95);
    lt_bench_number(bench, "worst_ms", 1e-3 * d.worst);
}

static void check_median(lt_bench *bench, const bar *b, bool with_self, lt_distribution d) {
    double most = with_self ? b->with_self : b->between;
    char name[80];
    if (most <= 0) return;
    snprintf(name, sizeof name, "cell-box.%s%s-median-ms", b->scene, with_self ? "" : "-between-bodies");
    if (bench->quick || d.count == 0)
        lt_bench_check_absent(bench, name, "<=", most,
                              bench->quick ? "time is not judged: no --quick" : "nothing ever touched");
    else
        lt_bench_check_value(bench, name, 1e-3 * d.median, "<=", most);
}

static lt_status draw(lt_bench *bench, const lt_cell_run *run, lt_error *error) {
    const lt_chart_series line = {
        .name = "collision handling", .x = run->steps, .y = run->ms, .point_count = run->step_count};
    const lt_chart chart = {.title = "A body of 293,000 triangles folds on itself: time per step",
                            .x = {.label = "step"},
                            .y = {.label = "ms", .from_zero = true},
                            .series = &line,
                            .series_count = 1,
                            .width = 860};
    return lt_bench_chart(bench, &chart, "cell-box-fold", error);
}

static lt_status time_scene(lt_bench *bench, const bar *b, bool with_self, lt_error *error) {
    lt_scene scene;
    lt_cell_run run;
    lt_status status = lt_scene_make(&scene, b->scene, &bench->allocator, error);
    if (status != LT_OK) return status;
    scene.sleeping = false;
    scene.self_collision = with_self;
    status = lt_cell_run_create(&run, bench, &scene, NULL, bench->quick ? 12 : b->step_count, error);
    for (int i = 0; i < (bench->quick ? 1 : LT_REPETITIONS) && status == LT_OK; i++)
        status = lt_cell_run_repeat(&run, i == 0, error);
    if (status == LT_OK) {
        lt_distribution d = lt_cell_run_distribution(&run, true);
        add_row(bench, &run, with_self, d);
        check_median(bench, b, with_self, d);
        if (with_self && b->between <= 0) status = draw(bench, &run, error);
    }
    lt_cell_run_free(&run);
    return status;
}

lt_status lt_cell_speed(lt_bench *bench, lt_error *error) {
    lt_status status = LT_OK;
    for (size_t i = 0; i < (bench->quick ? 1 : LT_COUNT_OF(bars)) && status == LT_OK; i++) {
        status = time_scene(bench, &bars[i], true, error);
        if (status == LT_OK && bars[i].between > 0) status = time_scene(bench, &bars[i], false, error);
    }
    return status;
}
