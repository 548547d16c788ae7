/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The same inputs and the same units give the same bits: for every number of threads, SIMD level and task runner,
 * with diagnostics, profile and logger on or off, twice in a row, on every machine.
 *
 * labels: golden threaded wasm */

#include "world/scenes.h"

/* Enough for the first body to fall asleep. */
enum { STEPS = 34 };

static busy_shapes shapes;
static uint64_t unlimited, starved; /* what all others must agree with: one thread, scalar */

static uint64_t hash_after(const lt_world_def *def, lt_budget budget, uint64_t steps) {
    busy b = make_busy(def, &shapes);
    for (uint64_t i = 0; i < steps; i++)
        step_busy(&b, i, budget);
    uint64_t hash = lt_world_hash(b.world);
    CHECK(lt_body_is_asleep(b.world, b.bodies[0]));
    lt_world_destroy(b.world);
    return hash;
}

static lt_world_def plain_def(void) {
    lt_world_def def = test_world_def();
    def.diagnostics = false;
    def.profile = false;
    return def;
}

static void hashes_are_the_known_ones(void) {
    lt_world_def def = plain_def();
    def.simd_level = 0;
    unlimited = hash_after(&def, lt_budget_unlimited(), STEPS);
    starved = hash_after(&def, lt_budget_collision_units(3000), STEPS);
    check_golden("busy-unlimited", unlimited);
    check_golden("busy-3000-units", starved);
    CHECK(unlimited != starved);
    /* And once more. */
    CHECK(hash_after(&def, lt_budget_collision_units(3000), STEPS) == starved);
}

static void simd_levels_agree(void) {
    lt_world_def def = plain_def();
    for (def.simd_level = 1; def.simd_level <= 2; def.simd_level++)
        CHECK(hash_after(&def, lt_budget_collision_units(3000), STEPS) == starved);
}

static void watching_changes_nothing(void) {
    lt_world_def def = plain_def();
    def.diagnostics = true;
    CHECK(hash_after(&def, lt_budget_collision_units(3000), STEPS) == starved);
    def.diagnostics = false;
    def.profile = true;
    fake_clock clock = {.tick_ns = 12345};
    def.clock_ns = fake_clock_now;
    def.clock_context = &clock;
    CHECK(hash_after(&def, lt_budget_collision_units(3000), STEPS) == starved);
}

/* Reading surfaces and contacts between steps is reading. */
static void reading_changes_nothing(void) {
    lt_world_def def = plain_def();
    busy b = make_busy(&def, &shapes);
    for (uint64_t i = 0; i < STEPS; i++) {
        step_busy(&b, i, lt_budget_unlimited());
        for (uint32_t k = 0; k < 5; k++) {
            lt_body_surface(b.world, b.bodies[k]);
            lt_body_center(b.world, b.bodies[k]);
        }
        saved s = save_world(b.world);
        drop_saved(&s);
    }
    CHECK(lt_world_hash(b.world) == unlimited);
    lt_world_destroy(b.world);
}

#ifndef __wasm__

static void threads_agree(void) {
    lt_world_def def = plain_def();
    for (uint32_t threads = 2; threads <= 4; threads += 2) {
        def.thread_count = threads;
        CHECK(hash_after(&def, lt_budget_collision_units(3000), STEPS) == starved);
    }
}

#endif

/* Backwards, on the caller's thread: the order must not matter. */
static void run_backwards(void *context, uint32_t count, void (*job)(void *, uint32_t), void *job_context) {
    *(uint32_t *)context += count;
    for (uint32_t i = count; i-- > 0;)
        job(job_context, i);
}

static void own_task_runner_agrees(void) {
    lt_world_def def = plain_def();
    uint32_t jobs = 0;
    def.tasks = (lt_task_runner){run_backwards, &jobs};
    CHECK(hash_after(&def, lt_budget_collision_units(3000), STEPS) == starved);
    CHECK(jobs > STEPS);
}

int main(void) {
    shapes = make_busy_shapes();
    RUN(hashes_are_the_known_ones);
    RUN(simd_levels_agree);
    RUN(watching_changes_nothing);
    RUN(reading_changes_nothing);
#ifndef __wasm__
    RUN(threads_agree);
#endif
    RUN(own_task_runner_agrees);
    drop_busy_shapes(&shapes);
    return check_finish();
}
