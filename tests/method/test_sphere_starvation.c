/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A thousand steps of the method sphere-tree on almost nothing: never a NaN, energy never above its start, momentum kept,
 * and what was known goes on being answered.
 * labels: wasm */

#include "method/sphere_world.h"
#include "method/starving.h"

static lt_shape *cube, *brick, *ball;

static starving make_scene(lt_model model) {
    lt_world_def def = sphere_world_def();
    return make_starving(&def, model, brick, ball);
}

static void starve(uint64_t units, lt_model model, uint32_t steps) {
    starving s = make_scene(model);
    check_starving(&s, units, steps, false);
    lt_world_destroy(s.world);
}

static void starved_worlds_stay_calm(void) {
    const uint64_t budgets[] = {0, 100, 1, 10, 1000};
    for (uint32_t i = 0; i < LT_COUNT_OF(budgets); i++)
        starve(budgets[i], LT_MODEL_COROTATIONAL, i < 2 ? 1000 : 200);
}

static void starved_explicit_worlds_stay_calm(void) {
    starve(2000, LT_MODEL_EXPLICIT_FEM, 60);
    starve(10000, LT_MODEL_EXPLICIT_FEM, 60);
}

static void held_contacts_carry(void) {
    check_held_contacts_carry(sphere_world_def(), cube, 4, 16);
}

/* Nothing to spend and nothing near: no contact, no force, a free fall. */
static void what_is_apart_stays_free(void) {
    starving s = make_scene(LT_MODEL_COROTATIONAL), free = make_scene(LT_MODEL_COROTATIONAL);
    lt_world_remove_body(free.world, free.bodies[0]);
    lt_world_remove_obstacle(free.world, lt_world_obstacle_at(free.world, 0));
    for (int i = 0; i < 6; i++) {
        lt_report report = lt_world_step(s.world, STEP_DT, lt_budget_collision_units(0));
        lt_world_step(free.world, STEP_DT, lt_budget_collision_units(0));
        /* Self-collision is pending, but nothing comes of it. */
        CHECK(report.contacts == 0 && report.tested == 0 && report.depth_max == 0);
    }
    lt_vec3 a = lt_body_momentum(s.world, s.bodies[1]), b = lt_body_momentum(free.world, free.bodies[1]);
    CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
    lt_world_destroy(s.world);
    lt_world_destroy(free.world);
}

int main(void) {
    cube = cube_with_tree(0.2, 2, 2);
    brick = cube_with_tree(0.2, 1, 1);
    ball = ball_with_tree(0.12, 1, 1);
    RUN(starved_worlds_stay_calm);
    RUN(starved_explicit_worlds_stay_calm);
    RUN(held_contacts_carry);
    RUN(what_is_apart_stays_free);
    lt_shape_release(cube);
    lt_shape_release(brick);
    lt_shape_release(ball);
    return check_finish();
}
