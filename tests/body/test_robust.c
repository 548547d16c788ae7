/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inverted, flat and scrambled tets, and numbers that are not: nothing explodes, nobody else is harmed. */

#include "body/soft_fixture.h"

static lt_soft_def damped_def(lt_model model) {
    lt_soft_def def = plain_def(model);
    def.material.mass_damping = 2;
    def.material.stiffness_damping = 0.005f;
    return def;
}

static lt_tet_mesh *one_tet(lt_tet_mesh *mesh) {
    if (lt_tet_mesh_allocate(mesh, 4, 1, NULL, NULL) != LT_OK) exit(1);
    const lt_dvec3 corners[4] = {{0, 0, 0}, {0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0.2}};
    for (uint32_t i = 0; i < 4; i++) {
        mesh->positions[i] = corners[i];
        mesh->tets[i] = i;
    }
    return mesh;
}

/* The top goes through the base to `height`: inverted below 0, flat at 0. Lopsided, as nothing real is symmetric. */
static void one_tet_recovers(void) {
    const double heights[4] = {-0.2, -0.05, 0, -0.5};
    lt_tet_mesh mesh;
    one_tet(&mesh);
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < 4; i++) {
            stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
            lt_soft_def def = damped_def(BOTH_MODELS[m]);
            lt_soft *soft = &s.bodies[stage_add_mesh(&s, &mesh, &def)];
            lt_node_set(soft->x, 3, (lt_rvec3){(lt_real)0.01, (lt_real)0.02, (lt_real)heights[i]});
            stage_step(&s);
            uint32_t inverted = soft->inverted_count;
            for (int step = 0; step < 400; step++)
                stage_step(&s);
            printf("%s, top at %g: %u inverted, then %u, shape off by %.2g of 0.2 m\n",
                   model_word(soft->model), heights[i], inverted, soft->inverted_count, shape_error(soft));
            CHECK(soft_is_finite(soft));
            CHECK_COUNT(soft->inverted_count, 0);
            CHECK(shape_error(soft) < 1e-3);
            stage_free(&s);
        }
    lt_tet_mesh_free(&mesh);
}

/* Counted from the positions at the beginning of a step, by determinants here. */
static void inverted_tets_are_counted(void) {
    lt_random random = lt_random_seed(31);
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1e-7);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        lt_soft *soft = &s.bodies[stage_add_cube(&s, 1, 3, &def)];
        for (size_t i = 0; i < 4 * (size_t)soft->carrier.node_count; i++)
            if (i % 4 != 3) soft->x[i] += (lt_real)lt_random_range(&random, -0.25f, 0.25f);
        uint32_t expected = 0;
        for (uint32_t tet = 0; tet < soft->carrier.tet_count; tet++) {
            const uint32_t *t = soft->carrier.tets + 4 * (size_t)tet;
            expected += lt_tet_volume(d3_of_node(soft->x, t[0]), d3_of_node(soft->x, t[1]),
                                      d3_of_node(soft->x, t[2]), d3_of_node(soft->x, t[3])) <= 0;
        }
        stage_step(&s);
        CHECK(expected > 5 && expected < soft->carrier.tet_count);
        CHECK_COUNT(soft->inverted_count, expected);
        stage_free(&s);
    }
}

/* Every node anywhere in a box twice the size: never a NaN, energy gone in the end, most often the rest shape. */
static void a_scrambled_block_comes_to_rest(void) {
    for (int m = 0; m < 2; m++) {
        int back = 0;
        double worst = 0;
        for (uint64_t seed = 1; seed <= 4; seed++) {
            lt_random random = lt_random_seed(seed);
            stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
            lt_soft_def def = damped_def(BOTH_MODELS[m]);
            def.material.young = 1e4f;
            lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.5, 2, &def)];
            for (size_t i = 0; i < 4 * (size_t)soft->carrier.node_count; i++)
                if (i % 4 != 3) soft->x[i] = (lt_real)lt_random_range(&random, -0.5f, 0.5f);
            double before = total_energy(soft), highest = 0;
            bool blown = false;
            for (int step = 0; step < 400; step++) {
                stage_step(&s);
                blown |= soft->blown_up;
                highest = lt_max_d(highest, total_energy(soft));
            }
            CHECK(soft_is_finite(soft));
            CHECK(!blown);
            CHECK(highest <= before * 1.01);
            CHECK(lt_soft_speed(soft) < 0.1f);
            back += shape_error(soft) < 1e-2;
            worst = lt_max_d(worst, total_energy(soft) / before);
            stage_free(&s);
        }
        printf("%s: %d of 4 scrambled blocks found their shape, energy left at most %.2g\n",
               model_word(BOTH_MODELS[m]), back, worst);
        CHECK(back >= (BOTH_MODELS[m] == LT_MODEL_COROTATIONAL ? 3 : 2));
    }
}

/* All nodes in one point, in a line, in a plane. */
static void collapsed_blocks_survive(void) {
    for (int m = 0; m < 2; m++)
        for (int keep = 0; keep < 3; keep++) {
            stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
            lt_soft_def def = damped_def(BOTH_MODELS[m]);
            lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.5, 2, &def)];
            for (uint32_t node = 0; node < soft->carrier.node_count; node++)
                for (int k = keep; k < 3; k++)
                    soft->x[4 * (size_t)node + (size_t)k] = 0;
            for (int step = 0; step < 120; step++) {
                stage_step(&s);
                CHECK(!soft->blown_up);
            }
            CHECK(soft_is_finite(soft));
            stage_free(&s);
        }
}

/* ---- blow-up ---- */

/* One body gets a force that is not a number: it stays where it was, at rest; a body of another island moves as if
 * nothing had been; the next step is an ordinary one. */
static void not_a_number_hurts_only_its_body(void) {
    const lt_real poisons[3] = {(lt_real)NAN, (lt_real)INFINITY, (lt_real)1e30};
    for (int i = 0; i < 6; i++) {
        stage s = stage_make((lt_rvec3){0, 0, -10}, 1 / 60.0),
              other = stage_make((lt_rvec3){0, 0, -10}, 1 / 60.0);
        lt_soft_def def = plain_def(BOTH_MODELS[i % 2]);
        def.velocity = (lt_vec3){1, 0, 0};
        stage_add_cube(&s, 0.5, 2, &def);
        stage_add_cube(&other, 0.5, 2, &def);
        def.model = BOTH_MODELS[(i + 1) % 2];
        stage_add_cube(&s, 0.5, 2, &def);
        stage_add_cube(&other, 0.5, 2, &def);
        lt_soft *soft = &s.bodies[0];
        stage_step(&s);
        stage_step(&other);
        lt_rvec3 kept = lt_node_get(soft->x, 5);
        lt_node_set(soft->force, 7, (lt_rvec3){0, poisons[i / 2], 0});
        stage_step(&s);
        stage_step(&other);
        CHECK(soft->blown_up);
        CHECK(lt_r3_distance(lt_node_get(soft->x, 5), kept) == 0);
        CHECK(lt_soft_speed(soft) == 0);
        CHECK(!s.bodies[1].blown_up);
        size_t size = 4 * (size_t)soft->carrier.node_count * sizeof(lt_real);
        CHECK(memcmp(s.bodies[1].x, other.bodies[1].x, size) == 0);
        CHECK(memcmp(s.bodies[1].v, other.bodies[1].v, size) == 0);
        stage_step(&s);
        CHECK(!soft->blown_up);
        CHECK_NEAR(lt_soft_momentum(soft).z / soft->total_mass, -10 / 60.0, 1e-5);
        CHECK(soft_is_finite(soft));
        stage_free(&s);
        stage_free(&other);
    }
}

/* Friction's spring is state too: what a blown-up step left in it must not poison the next. */
static void not_a_number_leaves_no_trace_in_couplings(void) {
    for (int i = 0; i < 4; i++) {
        stage s = stage_make((lt_rvec3){0, 0, -10}, 1 / 60.0);
        lt_soft_def def = plain_def(BOTH_MODELS[i % 2]);
        stage_add_cube(&s, 0.5, 2, &def);
        def.model = BOTH_MODELS[i / 2];
        def.position = (lt_dvec3){0, 0, -0.5};
        stage_add_cube(&s, 0.5, 2, &def);
        lt_coupling *c = &s.couplings[s.coupling_count++];
        *c = (lt_coupling){.body_a = 0,
                           .body_b = 1,
                           .a = {.ids = {4}, .weights = {1}, .count = 1},
                           .b = {.ids = {22}, .weights = {1}, .count = 1},
                           .normal = {0, 0, 1},
                           .depth = (lt_real)1e-3,
                           .stiffness = 1000,
                           .damping = 1,
                           .friction = (lt_real)0.3};
        lt_node_set(s.bodies[0].force, 4, (lt_rvec3){(lt_real)NAN, 0, 0});
        stage_step(&s);
        CHECK(s.bodies[0].blown_up);
        CHECK(lt_r3_is_finite(c->stick));
        CHECK(lt_r3_is_finite(c->impulse));
        stage_step(&s);
        for (int body = 0; body < 2; body++) {
            CHECK(!s.bodies[body].blown_up);
            CHECK(soft_is_finite(&s.bodies[body]));
        }
        stage_free(&s);
    }
}

/* Fast is not mad: a small body may fly a long way in a step. */
static void a_fast_body_is_not_blown_up(void) {
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        def.velocity = (lt_vec3){2000, 0, 0}; /* 33 m a step, the body is 8.7 mm across */
        lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.005, 1, &def)];
        for (int step = 0; step < 5; step++) {
            stage_step(&s);
            CHECK(!soft->blown_up);
        }
        CHECK_NEAR(lt_soft_momentum(soft).x / soft->total_mass, 2000, 1);
        stage_free(&s);
    }
}

int main(void) {
    RUN(one_tet_recovers);
    RUN(inverted_tets_are_counted);
    RUN(a_scrambled_block_comes_to_rest);
    RUN(collapsed_blocks_survive);
    RUN(not_a_number_hurts_only_its_body);
    RUN(not_a_number_leaves_no_trace_in_couplings);
    RUN(a_fast_body_is_not_blown_up);
    return check_finish();
}
