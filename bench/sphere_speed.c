/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Spheres tested and refreshed, and a whole collision of two bodies: the fastest of several repetitions. */

#include "sphere_internal.h"

#include "measure.h"

#include <stdio.h>

enum { ROUNDS = 4 * LT_REPETITIONS };

/* ---- tests ---- */

static void measure_tests(lt_bench *bench, lt_rig *rig) {
    lt_rig_pose pose = lt_rig_overlap_pose();
    lt_rig_place(rig, &pose);
    double best = 1e30;
    for (int round = 0; round < ROUNDS; round++) {
        lt_rig_begin(rig, LT_ORDER_FIFO, round == 0); /* the first one refreshes */
        lt_stopwatch watch = lt_stopwatch_start();
        while (lt_rig_step(rig, 512)) {
        }
        double us = lt_stopwatch_stop(watch).us;
        if (round > 0) best = lt_min_d(best, us);
    }
    double rate = (double)rig->traverse.tested / best;
    lt_bench_row_begin(bench, "traversal, all spheres fresh");
    lt_bench_number(bench, "tests", (double)rig->traverse.tested);
    lt_bench_number(bench, "leaf_pairs", rig->traverse.found_count);
    lt_bench_number(bench, "us", best);
    lt_bench_number(bench, "million_tests_a_s", rate);
    lt_bench_check_value(bench, "sphere-tree.million-sphere-tests-a-second", rate, ">=", 500);
}

/* ---- refresh ---- */

static void refresh_all(lt_sphere_side *side, lt_tree *tree) {
    const lt_sphere_tree *spheres = side->collider->spheres.tree;
    lt_spheres_outdate(&side->collider->spheres);
    *tree = lt_sphere_side_tree(side);
    for (uint32_t block = 1; block < spheres->block_count; block++)
        tree->refresh(tree->state, block);
}

static uint32_t count_spheres(const lt_sphere_tree *tree) {
    uint32_t count = 0;
    for (uint32_t node = 0; node < LT_LANES * tree->block_count; node++)
        count += lt_ball(tree, LT_BALL_RADIUS, node) >= 0;
    return count;
}

static void measure_refresh(lt_bench *bench, lt_rig *rig) {
    double best = 1e30;
    lt_tree tree;
    for (int round = 0; round < ROUNDS; round++) {
        lt_stopwatch watch = lt_stopwatch_start();
        refresh_all(&rig->sides[0], &tree);
        best = lt_min_d(best, lt_stopwatch_stop(watch).us);
    }
    const lt_sphere_tree *spheres = rig->sides[0].collider->spheres.tree;
    double count = count_spheres(spheres), per_tree = best * 585 / count;
    lt_bench_row_begin(bench, "refresh of a whole tree");
    lt_bench_number(bench, "spheres", count);
    lt_bench_number(bench, "rows_a_block", (double)spheres->row_count / spheres->block_count);
    lt_bench_number(bench, "us", best);
    lt_bench_number(bench, "us_of_585", per_tree);
    lt_bench_check_value(bench, "sphere-tree.refresh-of-585-us", per_tree, "<", 60);
}

/* ---- a whole collision ---- */

/* From stale spheres to the couplings: a step without a budget, but for the models. */
static lt_status measure_step(lt_rig *rig, void *snapshot, size_t size, lt_report *report, double *us,
                              lt_error *error) {
    *us = 1e30;
    lt_world_snapshot(rig->world, snapshot, size);
    for (int round = 0; round < ROUNDS; round++) {
        lt_stopwatch watch = lt_stopwatch_start();
        *report = lt_world_step(rig->world, 1e-3f, lt_budget_unlimited());
        *us = lt_min_d(*us, lt_stopwatch_stop(watch).us - report->model_us);
        lt_status status = lt_world_restore(rig->world, snapshot, size, error);
        if (status != LT_OK) return status;
    }
    return LT_OK;
}

static lt_status measure_poses(lt_bench *bench, lt_rig *rig, int pose_count, bool slight, lt_error *error) {
    lt_random random = lt_random_seed(11);
    lt_samples samples = lt_samples_begin(&bench->allocator);
    size_t size = lt_world_snapshot_size(rig->world) + (1u << 20); /* contacts come and go */
    void *snapshot = LT_NEW(&bench->allocator, size, uint8_t);
    lt_status status = snapshot ? LT_OK : lt_fail(error, LT_STATUS_MEMORY, "out of memory for a snapshot");
    double leaf_pairs = 0;
    for (int i = 0; i < pose_count && status == LT_OK; i++) {
        lt_rig_pose pose = slight ? lt_rig_slight_pose(rig, &random) : lt_rig_overlap_pose();
        lt_report report;
        lt_sample sample = {0};
        lt_rig_place(rig, &pose);
        lt_rig_begin(rig, LT_ORDER_BEST_FIRST, true);
        while (lt_rig_step(rig, 1u << 20)) {
        }
        leaf_pairs += (double)rig->traverse.found_count / pose_count;
        lt_rig_place(rig, &pose);
        status = measure_step(rig, snapshot, lt_world_snapshot_size(rig->world), &report, &sample.us, error);
        if (status == LT_OK && !lt_samples_add(&samples, sample))
            status = lt_fail(error, LT_STATUS_MEMORY, "out of memory for samples");
    }
    lt_distribution d = lt_samples_distribution(&samples, true);
    lt_bench_row_begin(bench, slight ? "a slight contact, all leaves" : "near-total overlap, all leaves");
    lt_bench_number(bench, "poses", pose_count);
    lt_bench_number(bench, "leaf_pairs", leaf_pairs);
    lt_bench_number(bench, "mean_us", d.mean);
    lt_bench_number(bench, "median_us", d.median);
    lt_bench_number(bench, "worst_us", d.worst);
    lt_bench_check_value(bench,
                         slight ? "sphere-tree.slight-contact-ms" : "sphere-tree.near-total-overlap-ms",
                         d.mean * 1e-3, "<", slight ? 0.15 : 0.4);
    LT_DELETE(&bench->allocator, snapshot, size, uint8_t);
    lt_samples_free(&samples);
    return status;
}

lt_status lt_sphere_speed(lt_bench *bench, lt_error *error) {
    lt_rig rig;
    lt_status status = lt_rig_create(&rig, LT_RIG_BUNNY, LT_RIG_BUNNY, bench->quick, error);
    if (status != LT_OK) return status;
    measure_tests(bench, &rig);
    measure_refresh(bench, &rig);
    status = measure_poses(bench, &rig, bench->quick ? 3 : 20, true, error);
    if (status == LT_OK) status = measure_poses(bench, &rig, 1, false, error);
    lt_rig_free(&rig);
    return status;
}
