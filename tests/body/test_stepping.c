/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Step sizes, stiffness, pins, budgets and scratch: what a world sets and counts on. */

#include "bench/whole/whole.h"
#include "body/soft_fixture.h"

/* ---- explicit sub-steps ---- */

/* h = ½ a √(ρ/(λ+2μ)): a cube of one cell (five tets) of side 0.1 m. The least altitude is that of the corner tets,
 * 0.1/√3. */
static void substeps_are_planned_from_the_wave(void) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    lt_soft_def def = plain_def(LT_MODEL_EXPLICIT_FEM);
    def.material.young = 1e6f;
    lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.1, 1, &def)];
    CHECK_NEAR(soft->least_altitude, 0.1 / sqrt(3), 1e-7);
    double modulus = 1e6 * 0.7 / (1.3 * 0.4);
    double needed = 1 / 60.0 / (0.5 * 0.1 / sqrt(3) * sqrt(1000 / modulus));
    lt_soft_plan(soft, s.dt);
    CHECK_COUNT(soft->planned_substeps, (uint32_t)needed + 1);
    /* twice as long: √((3·4−1)/2) as many */
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        soft->x[4 * (size_t)node] *= 2;
    lt_soft_plan(soft, s.dt);
    CHECK_COUNT(soft->planned_substeps, (uint32_t)(needed * sqrt(5.5)) + 1);
    lt_contact_scale scale = lt_soft_contact_scale(soft, s.dt);
    CHECK_NEAR(scale.dt, (double)s.dt / soft->planned_substeps, 1e-9);
    stage_free(&s);
}

/* Two edges of 0.2 m that cross at a distance: all four altitudes are about as long as that. */
static lt_soft *add_flat_tet(stage *s, double distance, const lt_soft_def *def) {
    lt_dvec3 positions[4] = {{-0.1, 0, 0}, {0, -0.1, distance}, {0.1, 0, 0}, {0, 0.1, distance}};
    uint32_t tet[4] = {0, 1, 2, 3};
    lt_tet_mesh mesh = {.positions = positions, .tets = tet, .node_count = 4, .tet_count = 1};
    return &s->bodies[stage_add_mesh(s, &mesh, def)];
}

/* Thick to flat, moved a little and let go: viscous stress takes energy from any shape and gives none. (Not flatter: with thousands of
 * sub-steps in a step the way of one is less than the rounding of a position in float.) */
static void flat_tets_gain_no_energy(void) {
    const double distances[4] = {0.1, 0.05, 0.02, 0.01};
    for (int i = 0; i < 8; i++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft_def def = plain_def(LT_MODEL_EXPLICIT_FEM);
        def.material.stiffness_damping = i < 4 ? 0.002f : 0.02f;
        def.max_substeps = 10000;
        lt_soft *soft = add_flat_tet(&s, distances[i % 4], &def);
        for (uint32_t k = 0; k < 16; k++)
            if (k % 4 < 3) soft->v[k] = (lt_real)(0.01 * sin(7.0 * k));
        double before = total_energy(soft), highest = before;
        uint32_t failed = 0;
        for (int step = 0; step < 60; step++) {
            stage_step(&s);
            highest = lt_max_d(highest, total_energy(soft));
            failed += soft->blown_up || soft->time_lost > 0;
        }
        printf("flat tet of %g m: energy at most %+.2g\n", distances[i % 4], highest / before - 1);
        CHECK_COUNT(failed, 0);
        CHECK(highest <= 1.0001 * before);
        stage_free(&s);
    }
}

/* Let go at a stretch: the planned sub-steps hold it, energy does not grow. */
static void stretched_blocks_are_stable(void) {
    const double stretches[4] = {0.5, 1.5, 2, 3};
    for (int i = 0; i < 8; i++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft_def def = plain_def(LT_MODEL_EXPLICIT_FEM);
        lt_soft *soft =
            &s.bodies[stage_add_block(&s, (lt_dvec3){0.4, 0.2, 0.2}, (const uint32_t[3]){4, 2, 2}, &def)];
        for (uint32_t node = 0; node < soft->carrier.node_count; node++)
            soft->x[4 * (size_t)node + (size_t)(i / 4)] *= (lt_real)stretches[i % 4];
        double before = total_energy(soft), highest = before;
        for (int step = 0; step < 30; step++) {
            stage_step(&s);
            highest = lt_max_d(highest, total_energy(soft));
            CHECK(!soft->blown_up && soft->time_lost == 0);
        }
        printf("stretched %g times: energy at most %+.2g\n", stretches[i % 4], highest / before - 1);
        CHECK(highest <= 1.01 * before);
        stage_free(&s);
    }
}

static void too_many_substeps_lose_time_and_say_so(void) {
    stage s = stage_make((lt_rvec3){0, 0, -10}, 1 / 60.0);
    lt_soft_def def = plain_def(LT_MODEL_EXPLICIT_FEM);
    def.material.young = 1e7f;
    def.max_substeps = 20;
    lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.1, 2, &def)];
    stage_step(&s);
    uint32_t planned = soft->planned_substeps;
    CHECK(planned > 40);
    CHECK_COUNT(soft->substeps, 20);
    double done = 20.0 / planned / 60;
    CHECK_NEAR(soft->time_lost, 1 / 60.0 - done, 1e-6);
    CHECK_NEAR(lt_soft_momentum(soft).z / soft->total_mass, -10 / 60.0, 1e-6); /* as a whole it is in time */
    CHECK(!soft->blown_up);
    soft->max_substeps = 1000;
    stage_step(&s);
    CHECK(soft->time_lost == 0);
    CHECK_COUNT(soft->substeps, soft->planned_substeps);
    stage_free(&s);
}

/* ---- implicit: any stiffness at the frame's step ---- */

static void implicit_steps_hold_at_any_stiffness(void) {
    for (double young = 1e4; young <= 1.1e8; young *= 100) {
        stage s = stage_make((lt_rvec3){0, 0, (lt_real)-9.81}, 1 / 60.0);
        lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
        def.material.young = (float)young;
        def.material.mass_damping = 0.1f;
        lt_soft *soft =
            &s.bodies[stage_add_block(&s, (lt_dvec3){0.4, 0.1, 0.1}, (const uint32_t[3]){8, 2, 2}, &def)];
        for (uint32_t node = 0; node < soft->carrier.node_count; node++)
            if (soft->carrier.rest[3 * (size_t)node] == 0) {
                soft->pinned[node] = 1;
                soft->pin_count++;
                lt_node_set(soft->pin_target, node, lt_node_get(soft->x, node));
            }
        CHECK_COUNT(soft->pin_count, 9);
        double highest = 0;
        for (int step = 0; step < 60; step++) {
            stage_step(&s);
            CHECK(!soft->blown_up);
            highest = lt_max_d(highest, (double)lt_soft_speed(soft));
        }
        double drop = (double)soft->x[4 * (size_t)8 + 2]; /* the lower front corner, at rest at z = 0 */
        printf("young %g: tip at %.3g m, %u iterations, residual %.2g\n", young, drop, soft->iterations,
               (double)soft->residual);
        CHECK(soft_is_finite(soft));
        CHECK(drop < 0 && drop > -0.5 && highest < 10);
        if (young > 1e5) CHECK_COUNT(soft->inverted_count, 0);
        /* bending of a slender beam: ρ g L⁴ / (8 E I/A) = 3.8e-4 m; these tets are stiffer */
        if (young > 1e7) CHECK(drop < -1e-4 && drop > -3.8e-4);
        stage_free(&s);
    }
}

/* ---- pins ---- */

static void pin(lt_soft *soft, uint32_t node, lt_rvec3 target) {
    soft->pin_count += !soft->pinned[node];
    soft->pinned[node] = 1;
    lt_node_set(soft->pin_target, node, target);
}

static void pinned_nodes_stay_exactly(void) {
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){3, 0, (lt_real)-9.81}, 1 / 60.0);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        def.velocity = (lt_vec3){0, 1, 0};
        def.position = (lt_dvec3){0.3, 0.7, 0.1};
        lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.3, 2, &def)];
        const uint32_t pins[3] = {0, 13, 26};
        for (int i = 0; i < 3; i++)
            pin(soft, pins[i], lt_node_get(soft->x, pins[i]));
        for (int step = 0; step < 60; step++) {
            stage_step(&s);
            for (int i = 0; i < 3; i++) {
                const lt_real *x = soft->x + 4 * (size_t)pins[i],
                              *target = soft->pin_target + 4 * (size_t)pins[i];
                CHECK(x[0] == target[0] && x[1] == target[1] && x[2] == target[2]);
                CHECK(lt_r3_length(lt_node_get(soft->v, pins[i])) == 0);
            }
        }
        CHECK(lt_soft_speed(soft) > 0);
        stage_free(&s);
    }
}

static void moved_pins_arrive(void) {
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        def.material.mass_damping = 1;
        lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.3, 2, &def)];
        lt_rvec3 from = lt_node_get(soft->x, 4), target = from;
        for (int step = 0; step < 60; step++) {
            target = lt_r3_add(target, (lt_rvec3){(lt_real)0.01, (lt_real)-0.003, (lt_real)0.007});
            pin(soft, 4, target);
            stage_step(&s);
            CHECK(lt_r3_distance(lt_node_get(soft->x, 4), target) == 0);
            CHECK_NEAR(lt_node_get(soft->v, 4).x, 0.6, 1e-3);
        }
        CHECK_NEAR(lt_soft_center(soft).x - 0.15, 0.6, 0.15); /* the rest comes along */
        stage_free(&s);
    }
}

/* ---- budget and scratch ---- */

/* Cut after any number of iterations: momentum as it should be, nothing explodes. One is enough to hold the body
 * together. */
static void a_cut_solve_keeps_momentum(void) {
    for (uint32_t most = 1; most < 6; most++) {
        stage s = stage_make((lt_rvec3){0, 0, -10}, 1 / 60.0);
        lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
        def.angular_velocity = (lt_vec3){0, 0, 4};
        uint32_t body = stage_add_cube(&s, 0.3, 2, &def);
        lt_soft *soft = &s.bodies[body];
        for (uint32_t node = 0; node < soft->carrier.node_count; node++)
            soft->x[4 * (size_t)node] *= (lt_real)1.3;
        CHECK(lt_arena_reserve(&s.arena, NULL,
                               lt_advance_scratch(s.bodies, s.awake, 1, STAGE_COUPLINGS, NULL)));
        for (int step = 0; step < 120; step++) {
            lt_advance advance = {.bodies = s.bodies,
                                  .awake = s.awake,
                                  .awake_count = 1,
                                  .gravity = s.gravity,
                                  .dt = s.dt,
                                  .arena = &s.arena,
                                  .max_iterations = most};
            lt_soft_plan(soft, s.dt);
            CHECK(lt_advance_run(&advance));
            CHECK(soft->iterations <= most && !soft->blown_up);
        }
        momenta now = momenta_of(soft);
        CHECK_NEAR(now.linear.z, -20 * (double)soft->total_mass, 20 * (double)soft->total_mass * 1e-5);
        CHECK(soft_is_finite(soft));
        CHECK(shape_error(soft) < 0.1);
        stage_free(&s);
    }
}

/* A step leaves its matrices where they are wanted: those of the positions it began at; they and the scratch fit into what
 * was promised. */
static void a_step_leaves_its_matrices(void) {
    stage s = stage_make((lt_rvec3){0, 0, -10}, 1 / 60.0);
    for (int m = 0; m < 2; m++) {
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        def.position.x = m;
        stage_add_cube(&s, 0.3, 2, &def);
    }
    lt_soft *soft = &s.bodies[1];
    size_t enough = lt_advance_scratch(s.bodies, s.awake, 2, 0, NULL);
    size_t reals = 9 * (size_t)LT_GROUP * soft->elements.group_count;
    CHECK(lt_arena_reserve(&s.arena, NULL, 1 << 20));
    lt_system expected, systems[2];
    CHECK_FATAL(lt_soft_build_system(soft, &expected, s.dt, s.level, &s.arena));
    lt_arena step_arena = {0};
    CHECK(lt_arena_reserve(&step_arena, NULL, enough));
    lt_advance advance = {.bodies = s.bodies,
                          .awake = s.awake,
                          .awake_count = 2,
                          .gravity = s.gravity,
                          .dt = s.dt,
                          .level = s.level,
                          .arena = &step_arena,
                          .systems = systems};
    lt_soft_plan(&s.bodies[0], s.dt);
    CHECK_FATAL(lt_advance_run(&advance));
    CHECK(systems[0].rotated == NULL && systems[1].rotated != NULL);
    for (size_t i = 0; i < reals; i++)
        CHECK_NEAR((double)systems[1].rotated[i], (double)expected.rotated[i], 1e-5);
    CHECK(step_arena.used >= reals * sizeof(lt_real) && step_arena.high_water <= enough);
    lt_arena_free(&step_arena);
    lt_arena_reset(&s.arena);
    stage_free(&s);
}

/* The scratch that is promised is enough, and with less nothing moves. */
static void scratch_is_enough_and_too_little_moves_nothing(void) {
    stage s = stage_make((lt_rvec3){0, 0, -10}, 1 / 60.0);
    for (int i = 0; i < 5; i++) {
        lt_soft_def def = plain_def(BOTH_MODELS[i % 2]);
        def.position.x = i;
        stage_add_cube(&s, 0.3, (uint32_t)(1 + i % 3), &def);
    }
    s.couplings[0] = (lt_coupling){.kind = LT_COUPLING_TETHER, .body_a = 1, .body_b = 3, .stiffness = 10};
    s.couplings[0].a = s.couplings[0].b = (lt_anchor){.ids = {0}, .weights = {1}, .count = 1};
    s.coupling_count = 1;
    size_t enough = lt_advance_scratch(s.bodies, s.awake, 5, 1, NULL);
    CHECK(lt_arena_reserve(&s.arena, NULL, enough));
    CHECK(stage_step(&s));
    CHECK(s.arena.used == 0 && s.arena.high_water <= enough);
    size_t needed = s.arena.high_water, tries[] = {0, 64, 300, needed / 4, needed / 2, needed - 64};
    for (size_t i = 1; i < sizeof tries / sizeof *tries; i++) {
        lt_arena_free(&s.arena);
        CHECK(lt_arena_reserve(&s.arena, NULL, tries[i]));
        lt_rvec3 before[5];
        for (int body = 0; body < 5; body++)
            before[body] = lt_node_get(s.bodies[body].x, 0);
        CHECK(!stage_step(&s));
        for (int body = 0; body < 5; body++)
            CHECK(lt_r3_distance(before[body], lt_node_get(s.bodies[body].x, 0)) == 0);
    }
    stage_free(&s);
}

/* External forces act for one step only. */
static void forces_are_cleared_by_the_step(void) {
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 0.01);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.3, 1, &def)];
        lt_node_set(soft->force, 2, (lt_rvec3){0, 5, 0});
        for (int step = 0; step < 3; step++) {
            stage_step(&s);
            CHECK_NEAR(lt_soft_momentum(soft).y, 0.05, 1e-6);
            CHECK(lt_r3_length(lt_node_get(soft->force, 2)) == 0);
        }
        stage_free(&s);
    }
}

int main(void) {
    RUN(substeps_are_planned_from_the_wave);
    RUN(flat_tets_gain_no_energy);
    RUN(stretched_blocks_are_stable);
    RUN(too_many_substeps_lose_time_and_say_so);
    RUN(implicit_steps_hold_at_any_stiffness);
    RUN(pinned_nodes_stay_exactly);
    RUN(moved_pins_arrive);
    RUN(a_cut_solve_keeps_momentum);
    RUN(a_step_leaves_its_matrices);
    RUN(scratch_is_enough_and_too_little_moves_nothing);
    RUN(forces_are_cleared_by_the_step);
    return check_finish();
}
