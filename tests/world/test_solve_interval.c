/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies of a world that deform in one step of several: piles of them stand as high, lie as still and fall asleep as others do, whatever
 * the model and the method; whose turn it is, is in the snapshot, and the same for any number of threads.
 *
 * labels: heavy */

#include "world/fixture.h"

static lt_shape *cube, *ball;

typedef struct setup {
    lt_model model;
    lt_method method;
    uint32_t interval, thread_count;
} setup;

static lt_world *make(setup with) {
    lt_world_def def = test_world_def();
    def.method = with.method;
    def.thread_count = with.thread_count;
    lt_world *world = make_world(&def);
    add_floor(world);
    return world;
}

static lt_body_id add(lt_world *world, lt_shape *shape, setup with, lt_vec3 position) {
    lt_body_def def = lt_body_def_default();
    def.shape = shape;
    def.position = position;
    def.model = with.model;
    def.material.young = 1e6f;
    def.max_substeps = 200;
    def.solve_interval = with.interval;
    return add_body_def(world, &def);
}

/* ---- piles ---- */

enum { TOWER = 3, BALLS = 6, SLEEP_WITHIN = 300 };

/* Steps until all sleep; heights of the centres then. */
static uint32_t settle(lt_world *world, double *heights) {
    uint32_t steps = 0, count = lt_world_body_count(world);
    while (steps < SLEEP_WITHIN && run(world, 1).sleeping < count)
        steps++;
    CHECK(world_is_finite(world));
    for (uint32_t i = 0; i < count; i++)
        heights[i] = (double)lt_body_center(world, lt_world_body_at(world, i)).y;
    return steps;
}

/* Not edge on edge: which points are inside the other would be decided by the last bit then. */
static uint32_t settle_tower(setup with, double heights[TOWER]) {
    lt_world *world = make(with);
    for (uint32_t i = 0; i < TOWER; i++)
        add(world, cube, with,
            (lt_vec3){0.012f * (float)(i % 2), 0.1f + 0.205f * (float)i, 0.01f * (float)(i % 2)});
    uint32_t steps = settle(world, heights);
    lt_world_destroy(world);
    return steps;
}

static void compare_towers(lt_model model, lt_method method) {
    static const uint32_t intervals[3] = {2, 4, 10};
    double full[TOWER], found[TOWER];
    uint32_t steps = settle_tower((setup){model, method, 1, 1}, full);
    for (int k = 0; k < 3; k++) {
        uint32_t later = settle_tower((setup){model, method, intervals[k], 1}, found);
        printf("tower of %s by %s, one step in %u: top at %.4f of %.4f m, asleep after %u steps (%u)\n",
               lt_model_name(model), lt_method_name(method), intervals[k], found[TOWER - 1], full[TOWER - 1],
               later, steps);
        CHECK(later < SLEEP_WITHIN);
        for (int i = 0; i < TOWER; i++)
            CHECK_NEAR(found[i], full[i], 0.01 * full[i]);
    }
}

static void towers_stand_as_high(void) {
    compare_towers(LT_MODEL_COROTATIONAL, LT_METHOD_REFERENCE);
    compare_towers(LT_MODEL_EXPLICIT_FEM, LT_METHOD_REFERENCE);
    compare_towers(LT_MODEL_COROTATIONAL, LT_METHOD_TET_HASH);
}

/* Balls that fall onto each other and roll: a heap. */
static void heaps_do_not_sink(void) {
    double full[BALLS], found[BALLS], lowest = 0;
    for (uint32_t interval = 1; interval <= 10; interval = interval == 1 ? 4 : interval + 6) {
        setup with = {LT_MODEL_COROTATIONAL, LT_METHOD_REFERENCE, interval, 1};
        lt_world *world = make(with);
        for (uint32_t i = 0; i < BALLS; i++)
            add(world, ball, with,
                (lt_vec3){0.02f * (float)(i % 2), 0.11f + 0.21f * (float)i, 0.015f * (float)(i % 3)});
        double *heights = interval == 1 ? full : found, least = 1;
        uint32_t steps = settle(world, heights);
        for (int i = 0; i < BALLS; i++)
            least = lt_min_d(least, heights[i]);
        printf("heap of balls, one step in %u: the lowest centre is at %.4f m, all asleep after %u steps\n",
               interval, least, steps);
        if (interval == 1) lowest = least;
        CHECK(steps < SLEEP_WITHIN || interval == 1);
        CHECK_NEAR(least, lowest, 1e-3);
        lt_world_destroy(world);
    }
}

/* The second body of this world has its turn in the last of 120 steps: it lies still long before. */
static void nobody_sleeps_before_its_turn(void) {
    setup with = {LT_MODEL_COROTATIONAL, LT_METHOD_REFERENCE, 120, 1};
    lt_world *world = make(with);
    with.interval = 1;
    add(world, cube, with, (lt_vec3){1, 0.1f, 0});
    with.interval = 120;
    add(world, cube, with, (lt_vec3){0, 0.1f, 0});
    uint32_t first = 0, both = 0;
    for (uint32_t step = 1; step <= 240 && !both; step++) {
        uint64_t sleeping = run(world, 1).sleeping;
        if (!first && sleeping == 1) first = step;
        if (sleeping == 2) both = step;
    }
    printf("asleep after %u steps, and with its turn in the last of 120 after %u\n", first, both);
    CHECK(first > 0 && first < 60);
    CHECK(both >= 120 && both < 240);
    lt_world_destroy(world);
}

/* ---- what is said of it ---- */

static void lost_time_that_was_asked_for_is_no_problem(void) {
    setup with = {LT_MODEL_EXPLICIT_FEM, LT_METHOD_REFERENCE, 3, 1};
    lt_world *world = make(with);
    add(world, cube, with, (lt_vec3){0, 0.5f, 0});
    for (int step = 0; step < 9; step++) {
        lt_report report = run(world, 1);
        CHECK_NEAR(report.time_lost, step % 3 ? (double)STEP_DT : 0, 1e-9);
        CHECK(!(report.problems & LT_PROBLEM_SUBSTEPS));
        CHECK((report.substeps == 0) == (step % 3 != 0));
        CHECK_NEAR(report.momentum_error, 0, 1e-6);
    }
    lt_world_destroy(world);
}

/* ---- state ---- */

static lt_world *make_crowd(setup with) {
    static const lt_model models[3] = {LT_MODEL_COROTATIONAL, LT_MODEL_EXPLICIT_FEM, LT_MODEL_COROTATIONAL};
    lt_world *world = make(with);
    for (uint32_t i = 0; i < 9; i++) {
        with.model = models[i % 3];
        add(world, i % 2 ? ball : cube, with,
            (lt_vec3){0.15f * (float)(i % 3), 0.12f + 0.22f * (float)(i / 3), 0.02f * (float)i});
    }
    return world;
}

static void threads_do_not_matter(void) {
    uint64_t hashes[3];
    for (uint32_t threads = 1; threads <= 3; threads++) {
        lt_world *world = make_crowd((setup){.interval = 4, .thread_count = threads});
        run(world, 90);
        hashes[threads - 1] = lt_world_hash(world);
        lt_world_destroy(world);
    }
    CHECK(hashes[1] == hashes[0] && hashes[2] == hashes[0]);
}

static void snapshots_know_whose_turn_it_is(void) {
    lt_world *world = make_crowd((setup){.interval = 4, .thread_count = 1});
    lt_body_id some = lt_world_body_at(world, 4);
    uint64_t hashes[2], before;
    lt_body_set_solve_interval(world, some, 7);
    run(world, 30);
    saved s = save_world(world);
    before = lt_world_hash(world);
    lt_body_set_solve_interval(world, some, 1);
    CHECK(lt_world_hash(world) != before);
    for (int i = 0; i < 2; i++) {
        CHECK(load_world(world, &s) == LT_OK);
        CHECK(lt_world_hash(world) == before);
        run(world, 30);
        hashes[i] = lt_world_hash(world);
    }
    CHECK(hashes[0] == hashes[1]);
    drop_saved(&s);
    lt_world_destroy(world);
}

/* One that is solved in every step has the hash that it would have if there were no others. */
static void the_interval_of_one_changes_nothing(void) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        lt_world *world = make_crowd((setup){.interval = 1, .thread_count = 1});
        for (uint32_t k = 0; k < lt_world_body_count(world) && i; k++) {
            lt_body_set_solve_interval(world, lt_world_body_at(world, k), 5);
            lt_body_set_solve_interval(world, lt_world_body_at(world, k), 1);
        }
        run(world, 20);
        hashes[i] = lt_world_hash(world);
        lt_world_destroy(world);
    }
    CHECK(hashes[0] == hashes[1]);
}

int main(void) {
    cube = cube_shape(0.2, 2);
    ball = ball_shape(0.1, 3);
    if (!cube || !ball) return 1;
    RUN(towers_stand_as_high);
    RUN(heaps_do_not_sink);
    RUN(nobody_sleeps_before_its_turn);
    RUN(lost_time_that_was_asked_for_is_no_problem);
    RUN(threads_do_not_matter);
    RUN(snapshots_know_whose_turn_it_is);
    RUN(the_interval_of_one_changes_nothing);
    lt_shape_release(cube);
    lt_shape_release(ball);
    return check_finish();
}
