/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two bodies, the second where it is told, nothing else; no gravity. */

#ifndef LITHE_TESTS_METHOD_COUPLE_H
#define LITHE_TESTS_METHOD_COUPLE_H

#include "world/fixture.h"

typedef struct couple {
    lt_world *world;
    lt_body_id a, b;
} couple;

static inline couple make_couple(const lt_world_def *def, lt_shape *first, lt_shape *second, lt_vec3 place,
                                 float scale) {
    lt_world_def own = *def;
    own.gravity = (lt_vec3){0, 0, 0};
    own.sleeping = false;
    couple c = {.world = make_world(&own)};
    lt_body_def bd = lt_body_def_default();
    bd.scale = scale;
    bd.shape = first;
    c.a = add_body_def(c.world, &bd);
    bd.shape = second;
    bd.position = place;
    c.b = add_body_def(c.world, &bd);
    return c;
}

/* The same couple, smaller and larger: the same contacts, as far as floats go. They push each other apart along x. */
static inline void check_any_scale_works(const lt_world_def *def, lt_shape *cube, lt_shape *ball) {
    const float scales[] = {1, 1e-3f, 1e3f, 1e-6f, 1e6f};
    uint64_t contacts = 0;
    for (uint32_t i = 0; i < LT_COUNT_OF(scales); i++) {
        float s = scales[i];
        couple c = make_couple(def, cube, ball, (lt_vec3){0.17f * s, 0.02f * s, 0.01f * s}, s);
        lt_report report = {0};
        for (int k = 0; k < 4; k++) {
            report = lt_world_step(c.world, STEP_DT,
                                   k % 2 ? lt_budget_collision_units(3000) : lt_budget_unlimited());
            CHECK(report_is_consistent(c.world, &report) && unsound_contacts_of(c.world, false) == 0);
            CHECK(world_is_finite(c.world) && report.momentum_error <= 1e-6 && report.blown_up == 0);
            bool pushed = lt_body_momentum(c.world, c.a).x < 0 && lt_body_momentum(c.world, c.b).x > 0;
            CHECK(pushed || (k < 3 && (report.problems & LT_PROBLEM_ITERATIONS))); /* else told */
            if (k == 0 && i == 0) contacts = report.contacts;
            if (k == 0) CHECK(report.contacts == contacts && contacts > 3);
        }
        lt_world_destroy(c.world);
    }
}

#endif
