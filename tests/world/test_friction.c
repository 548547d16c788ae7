/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Coulomb on a slope: a block sticks below atan(mu) without creeping and slides above with g (sin - mu cos). The mu of
 * a pair is the geometric mean of the two.
 *
 * Both models are held to 1 mm of creep over 5 s. */

#include "world/fixture.h"

static lt_shape *plate;

typedef struct slope {
    lt_world *world;
    lt_body_id body;
    lt_vec3 down; /* along the slope */
} slope;

/* `gradient` = tan of the angle; the normal is (-sin, cos), the block lies flat on it. */
static slope make_slope(double gradient, float body_friction, float plane_friction, lt_model model) {
    double cosine = 1 / sqrt(1 + gradient * gradient), sine = gradient * cosine;
    double half_cosine = sqrt((1 + cosine) / 2), half_sine = sine / (2 * half_cosine);
    lt_world_def def = test_world_def();
    def.sleeping = false;
    slope s = {.world = make_world(&def), .down = {-(float)cosine, -(float)sine, 0}};
    lt_obstacle_def od = lt_obstacle_def_default();
    od.normal = (lt_vec3){-(float)sine, (float)cosine, 0};
    od.friction = plane_friction;
    add_obstacle_def(s.world, &od);
    lt_body_def bd = lt_body_def_default();
    bd.shape = plate;
    bd.position = lt_v3_scale(od.normal, 0.0501f);
    bd.rotation = (lt_quat){0, 0, (float)half_sine, (float)half_cosine};
    bd.material.friction = body_friction;
    bd.material.mass_damping = 0;
    bd.model = model;
    s.body = add_body_def(s.world, &bd);
    return s;
}

static double slid(const slope *s, lt_vec3 from) {
    return (double)lt_v3_dot(lt_v3_sub(lt_body_center(s->world, s->body), from), s->down);
}

static void sticks(double gradient, float body_friction, float plane_friction, lt_model model) {
    slope s = make_slope(gradient, body_friction, plane_friction, model);
    run(s.world, 60);
    lt_vec3 from = lt_body_center(s.world, s.body);
    run(s.world, 300);
    double creep = slid(&s, from), bar = 1e-3;
    if (!(fabs(creep) < bar))
        CHECK_FAIL_MESSAGE("%s on a slope of %g with mu %g creeps by %g m in 5 s", lt_model_name(model),
                           gradient, sqrt((double)body_friction * plane_friction), creep);
    else
        CHECK(true);
    lt_world_destroy(s.world);
}

static void blocks_stick_below_the_angle(void) {
    sticks(0.25, 0.3f, 0.3f, LT_MODEL_COROTATIONAL);
    sticks(0.45, 0.5f, 0.5f, LT_MODEL_COROTATIONAL);
    sticks(0.25, 0.3f, 0.3f, LT_MODEL_EXPLICIT_FEM);
}

/* 0.2 and 0.8 make 0.4: sticks at 0.36, where the lesser alone would let go, slides at 0.44 and so below the mean. */
static void pairs_use_the_geometric_mean(void) {
    sticks(0.36, 0.2f, 0.8f, LT_MODEL_EXPLICIT_FEM);
    slope s = make_slope(0.44, 0.2f, 0.8f, LT_MODEL_COROTATIONAL);
    lt_vec3 from = lt_body_center(s.world, s.body);
    run(s.world, 120);
    CHECK(slid(&s, from) > 0.1);
    lt_world_destroy(s.world);
}

static void blocks_slide_above_the_angle(void) {
    const double gradient = 0.6, mu = 0.3, cosine = 1 / sqrt(1 + gradient * gradient);
    const double acceleration = 9.81 * cosine * (gradient - mu); /* 2.52 m/s² */
    for (int model = 0; model <= LT_MODEL_EXPLICIT_FEM; model++) {
        slope s = make_slope(gradient, 0.3f, 0.3f, (lt_model)model);
        lt_vec3 from = lt_body_center(s.world, s.body);
        run(s.world, 60);
        CHECK_NEAR(slid(&s, from), acceleration / 2, 0.05 * acceleration);
        double speed =
            (double)lt_v3_dot(lt_body_momentum(s.world, s.body), s.down) / lt_body_mass(s.world, s.body);
        CHECK_NEAR(speed, acceleration, 0.04 * acceleration);
        lt_world_destroy(s.world);
    }
}

static void ice_has_no_friction(void) {
    slope s = make_slope(0.1, 0.3f, 0, LT_MODEL_COROTATIONAL);
    lt_vec3 from = lt_body_center(s.world, s.body);
    run(s.world, 60);
    double acceleration = 9.81 * 0.1 / sqrt(1.01);
    CHECK_NEAR(slid(&s, from), acceleration / 2, 0.03 * acceleration);
    lt_world_destroy(s.world);
}

/* A sliding block stops after v²/(2 mu g), never turns round, and stays. */
static void sliding_stops(void) {
    lt_world_def def = test_world_def();
    lt_world *world = make_world(&def);
    lt_obstacle_def od = lt_obstacle_def_default();
    od.friction = 0.3f;
    add_obstacle_def(world, &od);
    lt_body_def bd = lt_body_def_default();
    bd.shape = plate;
    bd.position.y = 0.05f;
    bd.velocity.x = 1;
    bd.material.mass_damping = 0;
    lt_body_id body = add_body_def(world, &bd);
    float before = 0;
    for (int i = 0; i < 90; i++) {
        run(world, 1);
        float now = lt_body_center(world, body).x;
        CHECK(now > before - 2e-3f);
        before = now;
    }
    CHECK_NEAR(before, 1 / (2 * 0.3 * 9.81), 0.015);
    lt_world_destroy(world);
}

int main(void) {
    plate = block_shape(0.3, 0.1, 0.3, 2, 1, 2);
    RUN(blocks_stick_below_the_angle);
    RUN(pairs_use_the_geometric_mean);
    RUN(blocks_slide_above_the_angle);
    RUN(ice_has_no_friction);
    RUN(sliding_stops);
    lt_shape_release(plate);
    return check_finish();
}
