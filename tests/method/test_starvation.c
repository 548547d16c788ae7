/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A thousand steps on almost nothing: never a NaN, energy never above its start, momentum kept.
 *
 * The start is the energy the world was made with: two bodies at rest in the air, kinetic and elastic 0, and
 * gravitational counted from where they would lie on the floor (the report counts it from y = 0). */

#include "world/fixture.h"

static lt_shape *cube, *brick, *ball;

typedef struct scene {
    lt_world *world;
    lt_body_id bodies[2];
} scene;

static scene make_scene(lt_model model, lt_shape *lower) {
    lt_world_def def = test_world_def();
    scene s = {.world = make_world(&def)};
    add_floor(s.world);
    lt_body_def bd = lt_body_def_default();
    bd.model = model;
    bd.shape = lower;
    bd.position = (lt_vec3){0, 0.25f, 0};
    s.bodies[0] = add_body_def(s.world, &bd);
    bd.shape = ball;
    bd.position = (lt_vec3){0.05f, 0.55f, 0.01f};
    s.bodies[1] = add_body_def(s.world, &bd);
    return s;
}

static double start_energy(const scene *s) {
    double energy = 0;
    for (int i = 0; i < 2; i++)
        energy += 9.81 * (double)lt_body_mass(s->world, s->bodies[i]) *
                  (double)lt_body_center(s->world, s->bodies[i]).y;
    return energy;
}

static void starve(uint64_t units, lt_model model, lt_shape *lower, uint32_t steps) {
    scene s = make_scene(model, lower);
    double start = start_energy(&s), worst = 0, worst_error = 0;
    for (uint32_t i = 0; i < steps; i++) {
        lt_report report = lt_world_step(s.world, STEP_DT, lt_budget_units(units));
        worst = lt_max_d(worst, report.energy);
        worst_error = lt_max_d(worst_error, report.momentum_error);
        if (!(report.energy <= 1.01 * start) || report.blown_up) {
            CHECK_FAIL_MESSAGE("%s, %llu units: energy %g of %g, %llu blown up, step %u",
                               lt_model_name(model), (unsigned long long)units, report.energy, start,
                               report.blown_up, i);
            break;
        }
    }
    CHECK(worst_error <= 1e-6);
    CHECK(worst <= 1.01 * start && world_is_finite(s.world));
    CHECK_COUNT(unsound_contacts(s.world), 0);
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

/* From riches to rags: contacts that are known go on being answered with no budget at all. */
static void held_contacts_carry(void) {
    for (int model = 0; model < LT_MODEL_COUNT; model++) {
        lt_world_def def = test_world_def();
        def.sleeping = false;
        lt_world *world = make_world(&def);
        add_floor(world);
        lt_body_def bd = lt_body_def_default();
        bd.shape = cube;
        bd.position = (lt_vec3){0, 0.0995f, 0};
        bd.model = (lt_model)model;
        lt_body_id body = add_body_def(world, &bd);
        CHECK_COUNT(run(world, 1).contacts, 9); /* all points of its bottom, and not one more look at them */
        lt_report report = step_many(world, 120, lt_budget_units(0));
        CHECK(report.contacts > 0 && report.momentum_error <= 1e-6);
        CHECK_NEAR(surface_low(world, body).y, 0, 0.004);
        lt_world_destroy(world);
    }
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
