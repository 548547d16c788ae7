/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The same body of three numbers of triangles folds on itself: what collision handling takes must not depend on them. The
 * three run by turns, so that a machine that becomes slower does so for all. */

#include "cell_internal.h"

#include <stdio.h>

enum { KINDS = 3, STEPS = 400, REPETITIONS = LT_REPETITIONS };

static lt_status create_run(lt_cell_run *run, lt_bench *bench, uint32_t triangles, lt_error *error) {
    lt_scene scene;
    lt_status status = lt_scene_make(&scene, "fold", &bench->allocator, error);
    if (status != LT_OK) return status;
    ((lt_scene_shape *)scene.shapes.items)->surface.triangles = triangles;
    scene.sleeping = false;
    return lt_cell_run_create(run, bench, &scene, NULL, bench->quick ? 8 : STEPS, error);
}

static double add_row(lt_bench *bench, const lt_cell_run *run) {
    lt_distribution d = lt_cell_run_distribution(run, true);
    lt_cell_sizes sizes = lt_cell_sizes_of(&run->rig);
    char label[64];
    snprintf(label, sizeof label, "fold, %u triangles", sizes.triangles);
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "cells", sizes.cells);
    lt_bench_number(bench, "in_contact", d.count);
    lt_bench_number(bench, "median_ms", 1e-3 * d.median);
    lt_bench_number(bench, "mean_ms", 1e-3 * d.mean);
    return d.median;
}

static void add_results(lt_bench *bench, const lt_cell_run *runs) {
    const char *name = "cell-box.triangles-spread";
    double least = INFINITY, most = 0;
    for (int i = 0; i < KINDS; i++) {
        double median = add_row(bench, &runs[i]);
        least = lt_min_d(least, median);
        most = lt_max_d(most, median);
    }
    if (least > 0)
        lt_bench_check_value(bench, name, most / least - 1, "<=", 0.1);
    else
        lt_bench_check_absent(bench, name, "<=", 0.1, "nothing touched in the steps that were run");
}

lt_status lt_cell_triangles(lt_bench *bench, lt_error *error) {
    static const uint32_t counts[KINDS] = {20000, 80000, 293000}, few[KINDS] = {4000, 8000, 16000};
    lt_cell_run runs[KINDS] = {0};
    lt_status status = LT_OK;
    for (int i = 0; i < KINDS && status == LT_OK; i++)
        status = create_run(&runs[i], bench, (bench->quick ? few : counts)[i], error);
    for (int k = 0; k < (bench->quick ? 1 : REPETITIONS) && status == LT_OK; k++)
        for (int i = 0; i < KINDS && status == LT_OK; i++)
            status = lt_cell_run_repeat(&runs[i], k == 0, error);
    if (status == LT_OK) add_results(bench, runs);
    for (int i = 0; i < KINDS; i++)
        lt_cell_run_free(&runs[i]);
    return status;
}
