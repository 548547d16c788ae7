/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies against bodies: collisions keep momentum and nobody passes through, stacks stand, and what begins deep inside
 * each other comes apart at the bounded speed. */

#include "world/fixture.h"

static lt_shape *ball, *cube, *slab;

static lt_world *empty_space(void) {
    lt_world_def def = test_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    def.sleeping = false;
    return make_world(&def);
}

static lt_body_id add_moving(lt_world *world, lt_shape *shape, lt_vec3 position, lt_vec3 velocity,
                             lt_model model) {
    lt_body_def bd = lt_body_def_default();
    bd.shape = shape;
    bd.position = position;
    bd.velocity = velocity;
    bd.material.mass_damping = 0;
    bd.model = model;
    return add_body_def(world, &bd);
}

static lt_vec3 total_momentum(const lt_world *world) {
    lt_vec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < lt_world_body_count(world); i++)
        sum = lt_v3_add(sum, lt_body_momentum(world, lt_world_body_at(world, i)));
    return sum;
}

/* Head on, off centre, and onto one that rests; same and mixed models. */
static void balls_collide(lt_vec3 va, lt_vec3 vb, float offset, lt_model model_a, lt_model model_b) {
    lt_world *world = empty_space();
    lt_body_id a = add_moving(world, ball, (lt_vec3){-0.2f, 0, 0}, va, model_a);
    lt_body_id b = add_moving(world, ball, (lt_vec3){0.2f, offset, 0}, vb, model_b);
    lt_vec3 before = total_momentum(world);
    float scale = lt_body_mass(world, a) * (lt_v3_length(va) + lt_v3_length(vb));
    double energy = 0, first = 0;
    uint64_t contacts = 0;
    for (int i = 0; i < 36; i++) {
        lt_report report = run(world, 1);
        contacts += report.contacts;
        first = i == 0 ? report.energy : first;
        energy = report.energy;
        CHECK(report.momentum_error <= 1e-6);
        CHECK(energy <= first * 1.01);
        lt_vec3 apart = lt_v3_sub(lt_body_center(world, b), lt_body_center(world, a));
        CHECK(apart.x > 0.1f); /* 0.24 when they touch: far from through each other */
    }
    CHECK(contacts > 0);
    CHECK_NEAR(lt_v3_length(lt_v3_sub(total_momentum(world), before)), 0, 1e-6 * 60 * (double)scale);
    double closing = (double)(va.x - vb.x);
    double parting = (double)(lt_body_momentum(world, b).x - lt_body_momentum(world, a).x) /
                     (double)lt_body_mass(world, a);
    CHECK(parting > -0.02 * closing && parting < closing); /* apart or at rest, never faster than before */
    CHECK_COUNT(unsound_contacts(world), 0);
    lt_world_destroy(world);
}

static void two_balls_collide(void) {
    const lt_model implicit = LT_MODEL_COROTATIONAL, explicit_fem = LT_MODEL_EXPLICIT_FEM;
    balls_collide((lt_vec3){1, 0, 0}, (lt_vec3){-1, 0, 0}, 0, implicit, implicit);
    balls_collide((lt_vec3){2, 0, 0}, (lt_vec3){0, 0, 0}, 0.05f, implicit, implicit);
    balls_collide((lt_vec3){1, 0, 0}, (lt_vec3){-1, 0, 0}, 0, explicit_fem, explicit_fem);
    balls_collide((lt_vec3){1, 0, 0}, (lt_vec3){0, 0, 0}, 0.02f, implicit, explicit_fem);
}

/* The reported contact forces on the two sides and what their momenta did. */
static void contact_forces_are_what_moves_them(void) {
    lt_world *world = empty_space();
    lt_body_id a =
        add_moving(world, ball, (lt_vec3){-0.121f, 0, 0}, (lt_vec3){1, 0, 0}, LT_MODEL_COROTATIONAL);
    lt_body_id b =
        add_moving(world, ball, (lt_vec3){0.121f, 0, 0}, (lt_vec3){-1, 0, 0}, LT_MODEL_COROTATIONAL);
    double worst = 0;
    for (int i = 0; i < 10; i++) {
        lt_vec3 before = lt_body_momentum(world, a);
        run(world, 1);
        uint32_t count;
        const lt_contact *contacts = lt_world_contacts(world, &count);
        lt_vec3 force = {0, 0, 0};
        for (uint32_t k = 0; k < count; k++) {
            bool mine = contacts[k].body_a.index_plus_one == a.index_plus_one;
            force = lt_v3_add(force, lt_v3_scale(contacts[k].force, mine ? 1 : -1));
        }
        lt_vec3 change = lt_v3_scale(lt_v3_sub(lt_body_momentum(world, a), before), 1 / STEP_DT);
        CHECK_NEAR(lt_v3_length(lt_v3_sub(change, force)), 0, 0.01 + 1e-3 * (double)lt_v3_length(force));
        worst = lt_max_d(worst, (double)lt_v3_length(force));
    }
    CHECK(worst > 10);
    CHECK(lt_body_is_valid(world, b));
    lt_world_destroy(world);
}

static void a_stack_of_three_stands(void) {
    lt_world_def def = test_world_def();
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_id bodies[3];
    for (uint32_t i = 0; i < 3; i++)
        bodies[i] = add_body(world, slab, (lt_vec3){0.004f * (float)i, 0.05f + 0.1f * (float)i, 0});
    for (int i = 0; i < 90; i++)
        CHECK(run(world, 1).momentum_error <= 1e-6);
    for (uint32_t i = 0; i < 3; i++) {
        lt_vec3 center = lt_body_center(world, bodies[i]);
        CHECK_NEAR(center.y, 0.05 + 0.1 * i, 0.02);
        CHECK_NEAR(center.x, 0.004 * i, 0.01);
        CHECK(fastest_node(world, bodies[i]) < 0.02f);
    }
    lt_world_destroy(world);
}

/* Half a body inside the other: every point is pushed out at a metre per second, and the points of both bodies are, so
 * each body may get that speed and a little of what was stored; explicit bodies store more. */
static void deep_overlap_comes_apart(lt_shape *shape, lt_vec3 offset, lt_model model, bool parts) {
    lt_world *world = empty_space();
    lt_body_id a = add_moving(world, shape, (lt_vec3){0, 0, 0}, (lt_vec3){0, 0, 0}, model);
    lt_body_id b = add_moving(world, shape, offset, (lt_vec3){0, 0, 0}, model);
    float fastest = 0;
    for (int i = 0; i < 40; i++) {
        lt_report report = run(world, 1);
        CHECK(report.momentum_error <= 1e-6 && report.blown_up == 0);
        lt_vec3 pa = lt_body_momentum(world, a);
        fastest = lt_max_f(fastest, lt_v3_length(pa) / lt_body_mass(world, a));
        fastest = lt_max_f(fastest, lt_v3_length(lt_body_momentum(world, b)) / lt_body_mass(world, b));
    }
    lt_vec3 apart = lt_v3_sub(lt_body_center(world, b), lt_body_center(world, a));
    CHECK(fastest < (model == LT_MODEL_EXPLICIT_FEM ? 2.0f : 1.2f));
    if (parts && !(lt_v3_length(apart) > 0.19f))
        CHECK_FAIL_MESSAGE("centres %g m apart after 40 steps", (double)lt_v3_length(apart));
    CHECK(run(world, 1).depth_max < 0.02);
    lt_world_destroy(world);
}

static void bodies_inside_each_other_come_apart(void) {
    deep_overlap_comes_apart(ball, (lt_vec3){0.12f, 0.01f, 0}, LT_MODEL_COROTATIONAL, true);
    deep_overlap_comes_apart(ball, (lt_vec3){0.12f, 0.01f, 0}, LT_MODEL_EXPLICIT_FEM, true);
    /* Corners of coarse cubes leave by the nearest face, which is a side: these lock, but stay calm. */
    deep_overlap_comes_apart(cube, (lt_vec3){0.1f, 0.013f, 0.007f}, LT_MODEL_COROTATIONAL, false);
}

/* In the same place exactly there is no way out that is better than another; still nothing explodes. */
static void bodies_in_one_place_do_not_explode(void) {
    lt_world *world = empty_space();
    for (int i = 0; i < 2; i++)
        add_moving(world, cube, (lt_vec3){0, 0, 0}, (lt_vec3){0, 0, 0}, LT_MODEL_COROTATIONAL);
    for (int i = 0; i < 30; i++) {
        lt_report report = run(world, 1);
        CHECK(report.blown_up == 0 && world_is_finite(world));
        for (uint32_t k = 0; k < 2; k++)
            CHECK(fastest_node(world, lt_world_body_at(world, k)) < 6);
    }
    lt_world_destroy(world);
}

int main(void) {
    ball = ball_shape(0.12, 2);
    cube = cube_shape(0.2, 2);
    slab = block_shape(0.3, 0.1, 0.3, 3, 1, 3);
    RUN(two_balls_collide);
    RUN(contact_forces_are_what_moves_them);
    RUN(a_stack_of_three_stands);
    RUN(bodies_inside_each_other_come_apart);
    RUN(bodies_in_one_place_do_not_explode);
    lt_shape_release(ball);
    lt_shape_release(cube);
    lt_shape_release(slab);
    return check_finish();
}
