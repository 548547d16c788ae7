/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Time of a corotational step, one thread: the scene core-step, each step repeated from a snapshot and its
 * fastest repetition taken. */

#include "core_internal.h"

#include "measure.h"
#include "scenes/scene.h"

typedef struct step_run {
    lt_scene_world scene_world;
    lt_array snapshot; /* of uint8_t; another size in every step */
} step_run;

static bool save(step_run *run) {
    lt_world *world = run->scene_world.world;
    size_t size = lt_world_snapshot_size(world);
    run->snapshot.count = 0;
    void *bytes = lt_array_grow(&run->snapshot, size);
    return bytes && lt_world_snapshot(world, bytes, size) == size;
}

/* The fastest of several times the same step; the world ends after it. */
static lt_status measure_step(step_run *run, uint64_t step, lt_sample *best, lt_error *error) {
    lt_world *world = run->scene_world.world;
    if (!save(run)) return lt_fail(error, LT_STATUS_MEMORY, "out of memory for a snapshot");
    for (int repetition = 0; repetition < LT_REPETITIONS; repetition++) {
        lt_status status = lt_world_restore(world, run->snapshot.items, run->snapshot.count, error);
        if (status != LT_OK) return status;
        lt_scene_advance(&run->scene_world, step);
        lt_stopwatch watch = lt_stopwatch_start();
        lt_world_step(world, run->scene_world.scene->dt, lt_budget_unlimited());
        lt_sample sample = lt_stopwatch_stop(watch);
        if (repetition == 0 || sample.us < best->us) *best = sample;
    }
    return LT_OK;
}

static void add_row(lt_bench *bench, const lt_scene *scene, const lt_scene_world *scene_world,
                    lt_distribution d) {
    const lt_scene_shape *shape = scene->shapes.items;
    bool is_file = shape->carrier.kind == LT_CARRIER_RECIPE_FILE;
    lt_bench_row_begin(bench, "corotational step");
    lt_bench_text(bench, "carrier", is_file ? shape->carrier.path : "block");
    lt_bench_number(bench, "nodes", lt_body_node_count(scene_world->world, scene_world->bodies[0]));
    lt_bench_number(bench, "dt", (double)scene->dt);
    lt_bench_number(bench, "steps", d.count);
    lt_bench_number(bench, "mean_us", d.mean);
    lt_bench_number(bench, "median_us", d.median);
    lt_bench_number(bench, "worst_us", d.worst);
    lt_bench_check_value(bench, "core.corotational-step-ms", d.mean * 1e-3, "<", 4.0);
}

static lt_status run_steps(lt_bench *bench, step_run *run, lt_samples *samples, lt_error *error) {
    const lt_scene *scene = run->scene_world.scene;
    for (uint64_t step = 0; step < scene->steps; step++) {
        if (bench->quick &&
            step % 10 != 0) { /* a sample of the whole run: its beginning is the slowest part */
            lt_world_step(run->scene_world.world, scene->dt, lt_budget_unlimited());
            continue;
        }
        lt_sample sample = {0};
        lt_status status = measure_step(run, step, &sample, error);
        if (status != LT_OK) return status;
        if (!lt_samples_add(samples, sample))
            return lt_fail(error, LT_STATUS_MEMORY, "out of memory for samples");
    }
    return LT_OK;
}

lt_status lt_core_step(lt_bench *bench, lt_error *error) {
    lt_scene scene;
    step_run run = {.snapshot = LT_ARRAY_OF(&bench->allocator, uint8_t)};
    lt_status status = lt_scene_make(&scene, "core-step", &bench->allocator, error);
    if (status != LT_OK) return status;
    lt_samples samples = lt_samples_begin(&bench->allocator);
    status = lt_scene_build(&run.scene_world, &scene, NULL, error);
    if (status == LT_OK) status = run_steps(bench, &run, &samples, error);
    if (status == LT_OK) add_row(bench, &scene, &run.scene_world, lt_samples_distribution(&samples, true));
    lt_array_free(&run.snapshot);
    lt_scene_world_free(&run.scene_world);
    lt_samples_free(&samples);
    lt_scene_free(&scene);
    return status;
}
