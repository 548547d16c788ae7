/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Wall-clock budgets under a clock of our own: every step is repeated from its snapshot by its cuts, bit for bit;
 * the deadline of the whole call cuts the solver and says so. */

#include "method/cut_checks.h"

static busy_shapes shapes;

static void cuts_repeat_a_step(void) {
    check_timed_cuts_repeat(test_world_def(), &shapes, 84, true);
}

static void cuts_repeat_unit_budgets(void) {
    check_unit_cuts_repeat(test_world_def(), &shapes, 40, 300, true);
}

/* A clock that runs away while the models compute: the solver stops at the deadline, the report says so. */
static void step_deadline_cuts_the_solver(void) {
    fake_clock clock = {.tick_ns = 1000};
    lt_world_def def = test_world_def();
    def.clock_ns = fake_clock_now;
    def.clock_context = &clock;
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_def bd = lt_body_def_default();
    bd.shape = shapes.cube;
    bd.position.y = 0.1f;
    bd.tolerance = 1e-6f;
    add_body_def(world, &bd);
    lt_report free_run = run(world, 1);
    CHECK(free_run.iterations > 5 && !(free_run.problems & LT_PROBLEM_ITERATIONS));
    lt_report cut = {0};
    uint32_t cut_steps = 0;
    for (int i = 0; i < 50; i++) {
        saved before = save_world(world);
        cut = lt_world_step(world, STEP_DT, lt_budget_step_us(4));
        uint64_t hash = lt_world_hash(world);
        CHECK(load_world(world, &before) == LT_OK); /* the cuts say where the solver was stopped, too */
        lt_world_step(world, STEP_DT, lt_budget_cuts(&cut.cuts));
        CHECK(lt_world_hash(world) == hash);
        drop_saved(&before);
        cut_steps += (cut.problems & LT_PROBLEM_ITERATIONS) != 0;
        CHECK(cut.iterations < free_run.iterations && world_is_finite(world));
        CHECK(!(cut.problems & LT_PROBLEM_ITERATIONS) || cut.residual > 1e-6);
    }
    CHECK(cut_steps > 25);
    lt_report roomy = lt_world_step(world, STEP_DT, lt_budget_step_us(1e6));
    CHECK_COUNT(roomy.problems & LT_PROBLEM_ITERATIONS, 0);
    lt_world_destroy(world);
}

int main(void) {
    shapes = make_busy_shapes();
    RUN(cuts_repeat_a_step);
    RUN(cuts_repeat_unit_budgets);
    RUN(step_deadline_cuts_the_solver);
    drop_busy_shapes(&shapes);
    return check_finish();
}
