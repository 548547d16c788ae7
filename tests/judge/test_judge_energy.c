/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Energies by hand: a shear per model of tets, a swelling of springs, a spinning cube, free fall, what is squeezed by
 * an obstacle that moves; and that what is made from nothing is seen. */

#include "body/body.h"
#include "judge/judge_fixture.h"

static const lt_vec3 NO_GRAVITY = {0, 0, 0};
static const double MASS = 1000; /* of a cube of 1 m */

/* ---- elastic ---- */

static double sheared_cube(lt_model model, double gamma) {
    judged j = judged_begin(NO_GRAVITY);
    lt_body_def def = judged_body(cube_shape(1, 2), (lt_vec3){0, 0, 0});
    def.model = model;
    judged_add(&j, def);
    judged_ready(&j);
    CHECK_NEAR(judged_look(&j).elastic, 0, 1e-9);
    judged_map(&j, 0, (lt_dmat3){{1, 0, 0}, {gamma, 1, 0}, {0, 0, 1}}, (lt_vec3){0, 0, 0});
    double elastic = judged_look(&j).elastic;
    judged_end(&j);
    return elastic;
}

/* F = I + g e1 e2'. Green: E12 = g/2, E22 = g^2/2. Corotated: the stretches s and 1/s have the sum T = sqrt(4 + g^2). */
static void shear_has_the_energy_of_its_model(void) {
    const double e = 1e5, nu = 0.4, gamma = 0.25;
    double lambda = e * nu / ((1 + nu) * (1 - 2 * nu)), mu = e / (2 * (1 + nu)), g2 = gamma * gamma;
    double green = mu * (g2 / 2 + g2 * g2 / 4) + lambda / 2 * (g2 * g2 / 4);
    double t = sqrt(4 + g2), corotated = mu * (t * t - 2 * t) + lambda / 2 * (t - 2) * (t - 2);
    CHECK_NEAR(sheared_cube(LT_MODEL_EXPLICIT_FEM, gamma), green, 1e-4 * green);
    CHECK_NEAR(sheared_cube(LT_MODEL_COROTATIONAL, gamma), corotated, 1e-4 * corotated);
    CHECK(fabs(green - corotated) > 0.01 * green);
}

/* All springs of a cell are longer by the same share: 1/2 E h^3 (12 * 2/15 + 12 * 2/15 * 2 + 4/10 * 3) s^2 = 3 E h^3 s^2. And pressed to
 * a tenth along one axis: the springs along it, and the fold's (1/2 - 1/10)^2 / 2. */
static void springs_have_the_energy_of_their_cells(void) {
    const double s = 0.02, e = 1e5;
    lt_surface box;
    const uint32_t divisions[3] = {4, 4, 4};
    CHECK_FATAL(lt_generate_box(&box, (lt_vec3){0.5f, 0.5f, 0.5f}, divisions, NULL, NULL) == LT_OK);
    lt_bake_surface_def bake = lt_bake_surface_def_default();
    bake.positions = &box.positions->x;
    bake.triangles = box.triangles;
    bake.vertex_count = box.vertex_count;
    bake.triangle_count = box.triangle_count;
    bake.carrier = LT_CARRIER_LATTICE;
    bake.cell_size = 0.3f;
    bake.fill = true;
    lt_shape *shape = NULL;
    CHECK_FATAL(lt_bake_surface(&bake, &shape, NULL, NULL) == LT_OK);
    lt_carrier carrier;
    CHECK_FATAL(lt_carrier_read(&carrier, shape, NULL) == LT_OK);
    double solid = 0;
    for (uint32_t i = 0; i < carrier.cell_count; i++)
        solid += carrier.cell_fill[i] * carrier.cell_size * carrier.cell_size * carrier.cell_size;
    CHECK_NEAR(solid, 1, 0.02);
    judged j = judged_begin_with(NO_GRAVITY, LT_METHOD_CELL_BOX);
    lt_body_def def = judged_body(shape, (lt_vec3){0, 0, 0});
    def.model = LT_MODEL_LATTICE_SPRINGS;
    judged_add(&j, def);
    judged_ready(&j);
    lt_judgement out = judged_look(&j);
    CHECK_NEAR(out.elastic, 0, 1e-6);
    CHECK_COUNT(out.self_crossings + out.folded, 0); /* cut along cells, and closed all the same */
    judged_map(&j, 0, lt_dm3_scale(lt_dm3_identity(), 1 + s), (lt_vec3){0, 0, 0});
    CHECK_NEAR(judged_look(&j).elastic, 3 * e * s * s * solid, 2e-4 * e * s * s);
    judged_map(&j, 0, (lt_dmat3){{0.1 / (1 + s), 0, 0}, {0, 1 / (1 + s), 0}, {0, 0, 1 / (1 + s)}},
               (lt_vec3){0, 0, 0});
    double a = 0.1 * 0.1, face = sqrt(2) - sqrt(1 + a), through = sqrt(3) - sqrt(2 + a);
    double springs = (4 * 0.9 * 0.9 + 8 * face * face) / 15 + 4 * through * through / 20;
    CHECK_NEAR(judged_look(&j).elastic, (springs + 1.3 * 0.4 * 0.4 / 2) * e * solid, 1e-3 * e);
    judged_end(&j);
    lt_surface_free(&box);
}

/* Said, not guessed. */
static void what_is_not_counted_is_named(void) {
    char text[128];
    lt_judge_name_uncounted(LT_JUDGE_UNCOUNTED_PINS | LT_JUDGE_UNCOUNTED_MATCHING, text, sizeof text);
    CHECK(strcmp(text, "lattice-matching, pins") == 0);
    lt_judge_name_uncounted(0, text, sizeof text);
    CHECK(strcmp(text, "nothing") == 0);
    judged j = judged_begin(NO_GRAVITY);
    lt_judge_exclude(j.judge, LT_JUDGE_UNCOUNTED_FORCES);
    judged_ready(&j);
    CHECK_COUNT(judged_look(&j).not_counted, LT_JUDGE_UNCOUNTED_FORCES);
    judged_end(&j);
}

/* ---- kinetic and potential ---- */

/* All eight nodes of a cube are sqrt(1/2) sides from its axis: I = m a^2 / 2. */
static void spinning_cube_has_half_of_i_omega_squared(void) {
    judged j = judged_begin(NO_GRAVITY);
    lt_body_def def = judged_body(cube_shape(1, 1), (lt_vec3){3, 0, 0});
    def.angular_velocity = (lt_vec3){0, 0, 4};
    judged_add(&j, def);
    judged_ready(&j);
    lt_judgement out = judged_look(&j);
    CHECK_NEAR(out.kinetic, MASS / 2 / 2 * 16, 1e-3);
    CHECK_NEAR(out.speed_max, 4 * sqrt(0.5), 1e-5);
    CHECK_NEAR(out.speed_mean, 4 * sqrt(0.5), 1e-5);
    judged_end(&j);
}

/* x' = x + h v', v' = v - g h: what kinetic and potential energy lose is m (g h)^2 / 2 a step, and no more than that. */
static void free_fall_conserves_but_for_the_step(void) {
    const double g = 9.81, h = STEP_DT;
    judged j = judged_begin((lt_vec3){0, -9.81f, 0});
    judged_add(&j, judged_body(cube_shape(1, 1), (lt_vec3){0, 2, 0}));
    judged_ready(&j);
    CHECK_NEAR(judged_look(&j).potential, MASS * g * 2, 1e-2);
    for (int step = 1; step <= 30; step++) {
        lt_world_step(j.world, STEP_DT, lt_budget_unlimited());
        lt_judge_step(j.judge);
        lt_judgement out = judged_look(&j);
        CHECK_NEAR(out.energy_excess, -step * MASS * g * h * g * h / 2, 2);
        CHECK_NEAR(out.elastic, 0, 1e-2);
    }
    judged_end(&j);
}

/* The library has energies of its own, in float and from inside. */
static void diagnostics_agree(void) {
    judged j = judged_begin((lt_vec3){0, -9.81f, 0});
    judged_add_obstacle(&j, lt_obstacle_def_default());
    for (int i = 0; i < 2; i++) {
        lt_body_def def = judged_body(cube_shape(0.2, 2), (lt_vec3){0.5f * (float)i, 0.15f, 0});
        def.model = i == 0 ? LT_MODEL_COROTATIONAL : LT_MODEL_EXPLICIT_FEM;
        def.angular_velocity = (lt_vec3){1, 2, 3};
        judged_add(&j, def);
    }
    judged_ready(&j);
    for (int step = 0; step < 40; step++) {
        lt_report report = lt_world_step(j.world, STEP_DT, lt_budget_unlimited());
        lt_judgement out = judged_look(&j);
        CHECK_NEAR(out.energy, report.energy, 1e-3 + 1e-4 * fabs(report.energy));
    }
    CHECK(judged_look(&j).elastic > 1e-4);
    judged_end(&j);
}

/* ---- work, and energy from nothing ---- */

/* A plate is pressed on a cube: what it does is in the cube, or gone by the solver's damping, but never more than it did. */
static void pressing_obstacle_does_the_work(void) {
    judged j = judged_begin(NO_GRAVITY);
    lt_obstacle_def plate = lt_obstacle_def_default();
    plate.kind = LT_OBSTACLE_BOX;
    plate.half_extents = (lt_vec3){0.5f, 0.05f, 0.5f};
    plate.position = (lt_vec3){0, 0.251f, 0};
    lt_obstacle_id id = judged_add_obstacle(&j, plate);
    judged_add_obstacle(&j, lt_obstacle_def_default());
    lt_body_def def = judged_body(cube_shape(0.2, 3), (lt_vec3){0, 0.1f, 0});
    def.material.stiffness_damping = 0.002f;
    judged_add(&j, def);
    judged_ready(&j);
    lt_judgement out = {0};
    double before = out.work;
    for (int step = 1; step <= 60; step++) {
        lt_world_move_obstacle(j.world, id, (lt_vec3){0, 0.251f - 0.0005f * (float)step, 0}, plate.rotation);
        lt_world_step(j.world, STEP_DT, lt_budget_unlimited());
        lt_judge_step(j.judge);
        out = judged_look(&j);
        CHECK(out.energy_excess < 0.02 * out.work + 1e-3);
        CHECK(out.work > before - 1e-3);
        before = out.work;
    }
    /* 3 cm of 20: E/2 e^2 V where nothing holds the sides, more where friction does; the contacts have their share. */
    CHECK(out.work > 0.5 * 1e5 / 2 * 0.15 * 0.15 * 0.008 && out.work < 3 * 1e5 / 2 * 0.15 * 0.15 * 0.008);
    CHECK(out.elastic > 0.5 * out.work && out.elastic < out.work);
    judged_end(&j);
}

static void inflated_body_has_energy_from_nothing(void) {
    judged j = judged_begin(NO_GRAVITY);
    judged_add(&j, judged_body(cube_shape(1, 1), (lt_vec3){0, 0, 0}));
    judged_ready(&j);
    CHECK(judged_look(&j).energy_excess <= 1e-6);
    judged_map(&j, 0, lt_dm3_scale(lt_dm3_identity(), 1.5), (lt_vec3){0, 0, 0});
    lt_judgement out = judged_look(&j);
    CHECK(out.energy_excess > 1e4);
    CHECK(out.energy_rise == out.energy_excess);
    lt_judgement alone;
    lt_judge_energies(j.judge, &alone);
    CHECK(alone.energy == out.energy && alone.energy_excess == out.energy_excess && alone.elastic > 1e4);
    CHECK(alone.height_mean == out.height_mean && alone.not_finite == 0);
    judged_end(&j);
}

int main(void) {
    RUN(shear_has_the_energy_of_its_model);
    RUN(springs_have_the_energy_of_their_cells);
    RUN(what_is_not_counted_is_named);
    RUN(spinning_cube_has_half_of_i_omega_squared);
    RUN(free_fall_conserves_but_for_the_step);
    RUN(diagnostics_agree);
    RUN(pressing_obstacle_does_the_work);
    RUN(inflated_body_has_energy_from_nothing);
    return check_finish();
}
