/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A thousand steps on almost nothing: never a NaN, energy never above its start, momentum kept. */

#include "method/starving.h"

static lt_shape *cube, *brick, *ball;

static void starve(uint64_t units, lt_model model, lt_shape *lower, uint32_t steps) {
    lt_world_def def = test_world_def();
    starving s = make_starving(&def, model, lower, ball);
    check_starving(&s, units, steps, true);
    if (units >= 10000) { /* enough for everything: they rest on the floor and on each other */
        CHECK_NEAR(surface_low(s.world, s.bodies[0]).y, 0, 0.005);
        CHECK(lt_body_center(s.world, s.bodies[1]).y > 0.05f);
    }
    lt_world_destroy(s.world);
}

static void starved_worlds_stay_calm(void) {
    const uint64_t budgets[] = {0, 1, 10, 100, 1000, 10000};
    for (uint32_t i = 0; i < LT_COUNT_OF(budgets); i++)
        starve(budgets[i], LT_MODEL_COROTATIONAL, brick, 1000);
    /* A budget at which floor contacts are tested and contacts of bodies are only held: for long, so that they
     * age. */
    starve(1000, LT_MODEL_COROTATIONAL, cube, 240);
}

static void starved_explicit_worlds_stay_calm(void) {
    const uint64_t budgets[] = {0, 100, 1000, 10000};
    for (uint32_t i = 0; i < LT_COUNT_OF(budgets); i++)
        starve(budgets[i], LT_MODEL_EXPLICIT_FEM, brick, 60);
}

static void held_contacts_carry(void) {
    check_held_contacts_carry(test_world_def(), cube, 9, 9); /* all points of its bottom */
}

int main(void) {
    cube = cube_shape(0.2, 2);
    brick = cube_shape(0.2, 1);
    ball = ball_shape(0.12, 1);
    RUN(starved_worlds_stay_calm);
    RUN(starved_explicit_worlds_stay_calm);
    RUN(held_contacts_carry);
    lt_shape_release(cube);
    lt_shape_release(brick);
    lt_shape_release(ball);
    return check_finish();
}
