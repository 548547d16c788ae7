/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A solver that is cut short, whatever the cap: nothing is thrown about, action equals reaction, and with enough of it
 * the stack stands. */

#include "world/fixture.h"

static lt_shape *cube;

static void run_stack(uint32_t max_iterations, uint32_t body_count) {
    lt_world_def def = test_world_def();
    def.sleeping = false;
    def.diagnostics = true;
    lt_world *world = make_world(&def);
    lt_obstacle_def od = lt_obstacle_def_default();
    add_obstacle_def(world, &od);
    for (uint32_t i = 0; i < body_count; i++) {
        lt_body_def bd = lt_body_def_default();
        bd.shape = cube;
        bd.max_iterations = max_iterations;
        bd.position = (lt_vec3){0.02f * (float)i, 0.12f + 0.22f * (float)i, 0};
        add_body_def(world, &bd);
    }
    double start = 0;
    lt_report report = {0};
    for (int step = 0; step < 150; step++) {
        report = lt_world_step(world, 1 / 60.0f, lt_budget_unlimited());
        if (step == 0) start = report.energy;
        CHECK(report.energy < 1.25 * start);
        CHECK(report.momentum_error < 1e-6);
        CHECK(report.iterations <= max_iterations);
    }
    if (max_iterations >= 100) CHECK_NEAR(lt_body_center(world, lt_world_body_at(world, 0)).y, 0.1, 2e-3);
    lt_world_destroy(world);
}

static void cut_solvers_throw_nothing_about(void) {
    const uint32_t caps[] = {1, 2, 3, 4, 6, 8, 12, 16, 32, 100};
    for (size_t i = 0; i < LT_COUNT_OF(caps); i++) {
        run_stack(caps[i], 1);
        run_stack(caps[i], 3);
    }
}

int main(void) {
    cube = block_shape(0.2, 0.2, 0.2, 2, 2, 2);
    RUN(cut_solvers_throw_nothing_about);
    lt_shape_release(cube);
    return check_finish();
}
