/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What became of the bodies of a scene, for tests: the judge (judge/judge.h) and checks of what it says.
 *
 *     outcome o = outcome_begin(&scene_world, 10);                      a check every ten steps
 *     for (uint64_t step = 0; step < 300; step++) {
 *         lt_scene_advance(&scene_world, step);
 *         lt_world_step(scene_world.world, scene.dt, lt_budget_collision_units(2000));
 *         outcome_step(&o);
 *     }
 *     outcome_expect_depth(&o, 0.02);
 *     outcome_expect_none_lost(&o);
 *     outcome_end(&o);
 *
 * Depths are shares of the size of a body. All expectations are of the worst of all checks, but those of the end. */

#ifndef LITHE_TESTS_OUTCOME_H
#define LITHE_TESTS_OUTCOME_H

#include "check.h"
#include "judge/scene.h"

typedef struct outcome {
    lt_judge *judge;
    lt_judgement last, worst;
    uint32_t every, step_count, check_count;
} outcome;

static inline void outcome_check(outcome *o) {
    lt_error error = {0};
    if (lt_judge_check(o->judge, &o->last, &error) != LT_OK) CHECK_FAIL_MESSAGE("judge: %s", error.message);
    lt_judge_keep_worst(&o->worst, &o->last, o->check_count++ == 0);
}

static inline outcome outcome_begin(const lt_scene_world *scene_world, uint32_t every) {
    outcome o = {.every = every};
    lt_error error = {0};
    if (lt_judge_scene(&o.judge, scene_world, &error) != LT_OK) {
        fprintf(stderr, "judge: %s\n", error.message);
        abort();
    }
    return o;
}

static inline void outcome_step(outcome *o) {
    lt_judge_step(o->judge);
    if (++o->step_count % o->every == 0) outcome_check(o);
}

static inline void outcome_end(outcome *o) {
    lt_judge_destroy(o->judge);
    *o = (outcome){0};
}

/* In each other and below obstacles. */
static inline void outcome_expect_depth(const outcome *o, double share) {
    CHECK(o->check_count > 0);
    if (!(o->worst.depth_share <= share))
        CHECK_FAIL_MESSAGE("bodies are %.3g of their size in each other, more than %.3g",
                           o->worst.depth_share, share);
    if (!(o->worst.below_share <= share))
        CHECK_FAIL_MESSAGE("bodies are %.3g of their size below obstacles, more than %.3g",
                           o->worst.below_share, share);
}

static inline void outcome_expect_none_lost(const outcome *o) {
    CHECK(o->check_count > 0);
    if (o->worst.lost > 0)
        CHECK_FAIL_MESSAGE("%llu bodies are lost: %llu not finite, %llu sunken, %llu passed, %llu away",
                           o->worst.lost, o->worst.not_finite, o->worst.sunken, o->worst.passed,
                           o->worst.away);
}

/* Surfaces of different bodies never met. */
static inline void outcome_expect_apart(const outcome *o) {
    CHECK(o->check_count > 0);
    if (o->worst.intersecting > 0)
        CHECK_FAIL_MESSAGE("surfaces of %llu pairs of bodies meet, in %llu pairs of triangles",
                           o->worst.intersecting, o->worst.crossings);
}

/* Above the start's, in joules: nothing makes energy. */
static inline void outcome_expect_energy(const outcome *o, double joules) {
    CHECK(o->check_count > 0);
    if (!(o->worst.energy_excess <= joules))
        CHECK_FAIL_MESSAGE("energy is %.4g J above the start's, more than %.4g", o->worst.energy_excess,
                           joules);
}

/* At the end. */
static inline void outcome_expect_still(const outcome *o, double speed) {
    CHECK(o->check_count > 0);
    if (!(o->last.speed_max <= speed))
        CHECK_FAIL_MESSAGE("something still moves at %.3g m/s, faster than %.3g", o->last.speed_max, speed);
}

#endif
