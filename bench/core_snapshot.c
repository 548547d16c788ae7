/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How long a snapshot of the letters takes while they heap up, with a budget of units that leaves pairs waiting: the least of the
 * repetitions, as the figure of a step is. Its size and what it restores are in bench reach. */

#include "core_internal.h"

#include "measure.h"
#include "scene_rig.h"

enum { STEPS = 500, QUICK_STEPS = 90, SNAPSHOTS = 25 };
static const uint64_t UNITS = 200000, QUICK_UNITS = 12000;

typedef struct times {
    lt_samples saving;           /* us of lt_world_snapshot */
    double least_us, size_least; /* of the same, and of lt_world_snapshot_size */
} times;

static lt_status reach_moment(lt_scene_rig *rig, lt_bench *bench, lt_error *error) {
    lt_scene scene;
    lt_status status = lt_scene_letters(&scene, bench, error);
    if (status == LT_OK) status = lt_scene_rig_build(rig, bench, &scene, LT_METHOD_CELL_BOX, NULL, error);
    if (status != LT_OK) return status;
    lt_budget budget = lt_budget_collision_units(bench->quick ? QUICK_UNITS : UNITS);
    for (uint32_t i = 0; i < (bench->quick ? QUICK_STEPS : STEPS); i++)
        lt_scene_rig_step(rig, budget);
    return lt_scene_rig_keep(rig, error);
}

static lt_status time_snapshots(lt_scene_rig *rig, times *t, lt_error *error) {
    for (int i = 0; i < SNAPSHOTS; i++) {
        lt_stopwatch size_watch = lt_stopwatch_start();
        lt_world_snapshot_size(rig->built.world);
        double size_us = lt_stopwatch_stop(size_watch).us;
        lt_stopwatch watch = lt_stopwatch_start();
        size_t size = lt_world_snapshot(rig->built.world, rig->snapshot, rig->snapshot_size);
        lt_sample sample = lt_stopwatch_stop(watch);
        if (size != rig->snapshot_size)
            return lt_fail(error, LT_STATUS_INVALID, "two snapshots of one moment differ in size");
        if (!lt_samples_add(&t->saving, sample))
            return lt_fail(error, LT_STATUS_MEMORY, "bench core: out of memory");
        t->least_us = i == 0 ? sample.us : lt_min_d(t->least_us, sample.us);
        t->size_least = i == 0 ? size_us : lt_min_d(t->size_least, size_us);
    }
    return LT_OK;
}

static void add_row(lt_bench *bench, const lt_scene_rig *rig, times *t) {
    lt_distribution us = lt_samples_distribution(&t->saving, true);
    lt_bench_row_begin(bench, "time of a snapshot");
    lt_bench_number(bench, "bodies", lt_world_body_count(rig->built.world));
    lt_bench_number(bench, "snapshot KB", (double)rig->snapshot_size * 1e-3);
    lt_bench_number(bench, "its size ms", t->size_least * 1e-3);
    lt_bench_number(bench, "least ms", t->least_us * 1e-3);
    lt_bench_number(bench, "median ms", us.median * 1e-3);
    lt_bench_number(bench, "worst ms", us.worst * 1e-3);
    if (bench->quick)
        lt_bench_check_absent(bench, "core.snapshot-letters-ms", "<=", 0.5, "needs all letters: no --quick");
    else
        lt_bench_check_value(bench, "core.snapshot-letters-ms", t->least_us * 1e-3, "<=", 0.5);
}

lt_status lt_core_snapshot(lt_bench *bench, lt_error *error) {
    lt_scene_rig rig = {0};
    times t = {.saving = lt_samples_begin(&bench->allocator)};
    lt_status status = reach_moment(&rig, bench, error);
    if (status == LT_OK) status = time_snapshots(&rig, &t, error);
    if (status == LT_OK) add_row(bench, &rig, &t);
    lt_samples_free(&t.saving);
    lt_scene_rig_free(&rig);
    return status;
}
