/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The solver of multigrid bodies cut after every number of V-cycles: the state is sound, momentum is kept, what is left is said,
 * and the same cuts give the same bits. */

#include "method/ladder_world.h"

static lt_shape *shape;

/* Two cubes in the air, pressed into each other and bent by it; asked for more than a few V-cycles. */
static lt_world *make_clash(uint32_t max_iterations) {
    lt_world_def def = multiscale_world_def();
    lt_world *world = make_world(&def);
    for (uint32_t i = 0; i < 2; i++) {
        lt_body_def bd = multigrid_def(shape, (lt_vec3){i ? 0.11f : -0.11f, 1 + 0.03f * (float)i, 0});
        bd.velocity = (lt_vec3){i ? -2.0f : 2.0f, 0, 0};
        bd.angular_velocity = (lt_vec3){0, 0.5f, 2};
        bd.tolerance = 1e-5f;
        bd.max_iterations = max_iterations;
        add_body_def(world, &bd);
    }
    return world;
}

static void check_cut(lt_world *world, const lt_report *report, uint64_t most, bool enough) {
    CHECK(world_is_finite(world) && fronts_are_sound(world));
    CHECK(report->momentum_error <= 1e-6);
    CHECK(report->iterations <= most && report->residual > 0 && report->residual < 2);
    CHECK_COUNT((report->problems & LT_PROBLEM_ITERATIONS) != 0, !enough);
    CHECK_COUNT(report->blown_up, 0);
}

/* One and the same step, cut after 1, 2, 3 … V-cycles; and once more by what its report says. */
static void every_number_of_cycles_is_sound(void) {
    lt_world *world = make_clash(500);
    run(world, 4);
    saved s = save_world(world);
    lt_report full = run(world, 1);
    uint64_t whole = lt_world_hash(world);
    double residual = 10;
    CHECK(full.contacts > 0 && full.iterations >= 4 && !(full.problems & LT_PROBLEM_ITERATIONS));
    for (uint64_t cycles = 1; cycles <= full.iterations + 1; cycles++) {
        lt_cuts cuts = full.cuts;
        cuts.units[LT_STAGE_MODELS] = cycles;
        CHECK(load_world(world, &s) == LT_OK);
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_cuts(&cuts));
        check_cut(world, &report, cycles, cycles >= full.iterations);
        CHECK(report.residual <= 3 * residual); /* hardly ever more than after fewer */
        residual = report.residual;
        uint64_t hash = lt_world_hash(world);
        CHECK(cycles < full.iterations || hash == whole);
        CHECK(cycles > 1 || hash != whole);
        lt_cuts said = report.cuts;
        CHECK_COUNT(said.units[LT_STAGE_MODELS], cycles);
        CHECK(load_world(world, &s) == LT_OK);
        lt_world_step(world, STEP_DT, lt_budget_cuts(&said));
        CHECK(lt_world_hash(world) == hash);
    }
    printf("%llu V-cycles in full\n", full.iterations);
    drop_saved(&s);
    lt_world_destroy(world);
}

/* Every step of a clash with so few: never more energy than there was, and apart again in the end. */
static void bodies_that_are_always_cut_stay_calm(void) {
    for (uint32_t cycles = 1; cycles <= 3; cycles++) {
        lt_world *world = make_clash(cycles);
        double start = 0;
        uint32_t cut = 0;
        for (int step = 0; step < 20; step++) {
            lt_report report = run(world, 1);
            if (step == 0) start = report.energy;
            CHECK(report.energy <= 1.01 * start);
            check_cut(world, &report, cycles, !(report.residual > (double)1e-5f));
            cut += (report.problems & LT_PROBLEM_ITERATIONS) != 0;
        }
        CHECK(cut > 5);
        lt_world_destroy(world);
    }
}

int main(void) {
    shape = small_ladder();
    RUN(every_number_of_cycles_is_sound);
    RUN(bodies_that_are_always_cut_stay_calm);
    lt_shape_release(shape);
    return check_finish();
}
