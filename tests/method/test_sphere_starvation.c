/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A thousand steps of the method sphere-tree on almost nothing: never a NaN, energy never above its start, momentum kept,
 * and what was known goes on being answered. */

#include "method/sphere_world.h"

static lt_shape *cube, *brick, *ball;

typedef struct scene {
    lt_world *world;
    lt_body_id bodies[2];
} scene;

static scene make_scene(lt_model model, bool sleeping) {
    lt_world_def def = sphere_world_def();
    def.sleeping = sleeping;
    scene s = {.world = make_world(&def)};
    add_floor(s.world);
    lt_body_def bd = lt_body_def_default();
    bd.model = model;
    bd.shape = brick;
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

static void starve(uint64_t units, lt_model model, uint32_t steps) {
    scene s = make_scene(model, true);
    double start = start_energy(&s), worst = 0, worst_error = 0;
    uint64_t allocations = 0;
    for (uint32_t i = 0; i < steps; i++) {
        lt_report report = lt_world_step(s.world, STEP_DT, lt_budget_units(units));
        worst = lt_max_d(worst, report.energy);
        worst_error = lt_max_d(worst_error, report.momentum_error);
        allocations += report.allocations;
        if (!(report.energy <= 1.01 * start) || report.blown_up) {
            CHECK_FAIL_MESSAGE("%s, %llu units: energy %g of %g, %llu blown up, step %u",
                               lt_model_name(model), (unsigned long long)units, report.energy, start,
                               report.blown_up, i);
            break;
        }
    }
    CHECK(worst_error <= 1e-6 && allocations == 0);
    CHECK(world_is_finite(s.world));
    CHECK_COUNT(unsound_contacts_of(s.world, false), 0);
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

/* From riches to rags: contacts that are known go on being answered with no budget at all. */
static void held_contacts_carry(void) {
    for (int model = 0; model < LT_MODEL_COUNT; model++) {
        lt_world_def def = sphere_world_def();
        def.sleeping = false;
        lt_world *world = make_world(&def);
        add_floor(world);
        lt_body_def bd = lt_body_def_default();
        bd.shape = cube;
        bd.position = (lt_vec3){0, 0.0995f, 0};
        bd.model = (lt_model)model;
        lt_body_id body = add_body_def(world, &bd);
        CHECK(run(world, 1).contacts >= 4);
        lt_report report = step_many(world, 120, lt_budget_units(0));
        CHECK(report.contacts > 0 && report.momentum_error <= 1e-6);
        CHECK_NEAR(surface_low(world, body).y, 0, 0.004);
        lt_world_destroy(world);
    }
}

/* Nothing to spend and nothing near: no contact, no force, a free fall. */
static void what_is_apart_stays_free(void) {
    scene s = make_scene(LT_MODEL_COROTATIONAL, false), free = make_scene(LT_MODEL_COROTATIONAL, false);
    /* Their self-collision is left, too, but nothing comes of it. */
    lt_world_remove_body(free.world, free.bodies[0]);
    lt_world_remove_obstacle(free.world, lt_world_obstacle_at(free.world, 0));
    for (int i = 0; i < 6; i++) {
        lt_report report = lt_world_step(s.world, STEP_DT, lt_budget_units(0));
        lt_world_step(free.world, STEP_DT, lt_budget_units(0));
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
