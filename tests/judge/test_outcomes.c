/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What became of the bodies where today's methods are right: without a limit a tower stands and a cube is held in the air, by
 * every one of them. Bars are twice what was measured as they were written, or less. What methods do wrong is in docs/debt.md.
 *
 * labels: heavy */

#include "outcome.h"

typedef struct verdict {
    lt_method method;
    double depth;  /* of size, in each other and in obstacles */
    double rise;   /* J above the start at most */
    double height; /* m: mean height at the end, at least */
    double still;  /* m/s at the end, the median of the seeds */
} verdict;

enum { SEEDS = 3 }; /* whether a contact flickers on for ever is chance: one run proves nothing */

/* Ten seconds, judged six times a second; `apart`: surfaces must not meet, either. */
static double speed_after(const char *name, verdict expected, bool apart, uint32_t seed) {
    lt_error error = {0};
    lt_scene scene;
    lt_scene_world run;
    if (lt_scene_make(&scene, name, NULL, &error) != LT_OK) {
        CHECK_FAIL_MESSAGE("%s", error.message);
        return 1;
    }
    scene.method = expected.method;
    scene.seed = seed;
    if (expected.method == LT_METHOD_CELL_BOX) CHECK(lt_scene_put_on_lattices(&scene, &error) == LT_OK);
    if (lt_scene_build(&run, &scene, NULL, &error) != LT_OK) {
        CHECK_FAIL_MESSAGE("%s", error.message);
        return 1;
    }
    outcome o = outcome_begin(&run, 10);
    for (uint64_t step = 0; step < scene.steps; step++) {
        lt_scene_advance(&run, step);
        lt_world_step(run.world, scene.dt, lt_budget_unlimited());
        outcome_step(&o);
    }
    outcome_expect_depth(&o, expected.depth);
    outcome_expect_none_lost(&o);
    outcome_expect_energy(&o, expected.rise);
    if (apart) outcome_expect_apart(&o);
    if (!(o.last.height_mean >= expected.height))
        CHECK_FAIL_MESSAGE("mean height is %.4g m, less than %.4g", o.last.height_mean, expected.height);
    double speed = o.last.speed_max;
    outcome_end(&o);
    lt_scene_world_free(&run);
    lt_scene_free(&scene);
    return speed;
}

static void check_scene(const char *name, verdict expected, bool apart) {
    double speeds[SEEDS];
    for (uint32_t seed = 0; seed < SEEDS; seed++)
        speeds[seed] = speed_after(name, expected, apart, seed);
    double low = lt_min_d(speeds[0], speeds[1]), high = lt_max_d(speeds[0], speeds[1]);
    double median = lt_max_d(low, lt_min_d(high, speeds[2]));
    printf("%s by %s: at the end %.2g, %.2g and %.2g m/s\n", name, lt_method_name(expected.method), speeds[0],
           speeds[1], speeds[2]);
    if (!(median <= expected.still))
        CHECK_FAIL_MESSAGE("something still moves at %.3g m/s, faster than %.3g", median, expected.still);
}

/* It begins with its middle at 0.3015 m; its own weight presses it together by 9 mm. */
static void a_tower_stands(void) {
    const verdict verdicts[] = {{LT_METHOD_REFERENCE, 0.005, 0.1, 0.29, 0.01},
                                {LT_METHOD_SPHERE_TREE, 0.006, 3.0, 0.29, 0.01},
                                {LT_METHOD_TET_HASH, 0.005, 0.1, 0.29, 0.01},
                                {LT_METHOD_CELL_BOX, 0.04, 0.1, 0.28, 0.01},
                                {LT_METHOD_MULTISCALE, 0.0, 0.1, 0.29, 0.01}};
    for (size_t i = 0; i < LT_COUNT_OF(verdicts); i++)
        check_scene("tower", verdicts[i], verdicts[i].method == LT_METHOD_MULTISCALE);
}

/* Lifted by 0.2 m from 0.1005 m, it slips by some millimetres as it is seized, and not in ten seconds. By sphere-tree it trembles: a
 * contact is the mean of a sphere's points, and flickers between 64 and 70 of them for as long as solves follow it exactly. */
static void a_cube_is_held(void) {
    const verdict verdicts[] = {{LT_METHOD_REFERENCE, 0.004, 0.1, 0.285, 0.01},
                                {LT_METHOD_SPHERE_TREE, 0.035, 0.1, 0.285, 0.03},
                                {LT_METHOD_TET_HASH, 0.004, 0.1, 0.285, 0.01},
                                {LT_METHOD_CELL_BOX, 0.04, 0.1, 0.285, 0.01},
                                {LT_METHOD_MULTISCALE, 0.0, 0.1, 0.285, 0.01}};
    for (size_t i = 0; i < LT_COUNT_OF(verdicts); i++)
        check_scene("lift", verdicts[i], false);
}

int main(void) {
    RUN(a_tower_stands);
    RUN(a_cube_is_held);
    return check_finish();
}
