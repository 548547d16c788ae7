/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies on obstacles of every kind: the surface rests on them, their load is the weight, its torque turns the right
 * way, action equals reaction, and what moves pushes. */

#include "world/fixture.h"

static lt_shape *cube, *ball;

typedef struct rest {
    lt_world *world;
    lt_body_id body;
    lt_obstacle_id obstacle;
} rest;

static const double CUBE_WEIGHT = 1000 * 0.2 * 0.2 * 0.2 * 9.81;

static rest drop_on(const lt_obstacle_def *def, lt_model model, lt_vec3 from, uint32_t steps) {
    lt_world_def wd = test_world_def();
    rest r = {.world = make_world(&wd)};
    r.obstacle = add_obstacle_def(r.world, def);
    lt_body_def bd = lt_body_def_default();
    bd.shape = cube;
    bd.position = from;
    bd.model = model;
    r.body = add_body_def(r.world, &bd);
    run(r.world, steps);
    return r;
}

/* Forces of contacts on the body against the load reported for the obstacle. */
static void load_is_the_reaction(const rest *r) {
    uint32_t count;
    const lt_contact *contacts = lt_world_contacts(r->world, &count);
    lt_vec3 sum = {0, 0, 0}, turn = {0, 0, 0}, force, torque;
    lt_vec3 at = lt_obstacle_get(r->world, r->obstacle).position;
    for (uint32_t i = 0; i < count; i++) {
        sum = lt_v3_add(sum, contacts[i].force);
        turn = lt_v3_add(turn, lt_v3_cross(lt_v3_sub(contacts[i].point, at), contacts[i].force));
    }
    lt_obstacle_load(r->world, r->obstacle, &force, &torque);
    CHECK_NEAR(lt_v3_length(lt_v3_add(sum, force)), 0, 1e-4 * CUBE_WEIGHT);
    CHECK_NEAR(lt_v3_length(lt_v3_add(turn, torque)), 0, 1e-4 * CUBE_WEIGHT);
}

static void rests_flat(rest *r, double height, const char *what) {
    double low = surface_low(r->world, r->body).y;
    if (!(fabs(low - height) < 0.01 * 0.2)) CHECK_FAIL_MESSAGE("%s: the gap is %g m", what, low - height);
    lt_body_wake(r->world, r->body); /* a sleeping body reports no load */
    lt_vec3 force, torque;
    lt_report report = run(r->world, 1);
    lt_obstacle_load(r->world, r->obstacle, &force, &torque);
    CHECK_NEAR(force.y, -CUBE_WEIGHT, 0.02 * CUBE_WEIGHT);
    CHECK_NEAR(force.x, 0, 0.02 * CUBE_WEIGHT);
    CHECK_NEAR(force.z, 0, 0.02 * CUBE_WEIGHT);
    CHECK(report.momentum_error <= 1e-6 && report.contacts > 0);
    load_is_the_reaction(r);
    CHECK(fastest_node(r->world, r->body) < 0.05f);
}

static lt_obstacle_def flat_obstacle(lt_obstacle_kind kind, const lt_surface *mesh, float *height) {
    lt_obstacle_def def = lt_obstacle_def_default();
    def.kind = kind;
    *height = 0;
    if (kind == LT_OBSTACLE_BOX) {
        def.half_extents = (lt_vec3){0.5f, 0.1f, 0.5f};
        def.position = (lt_vec3){0, 0.05f, 0};
        *height = 0.15f;
    }
    if (kind == LT_OBSTACLE_MESH) {
        def.mesh_positions = mesh->positions;
        def.mesh_vertex_count = mesh->vertex_count;
        def.mesh_triangles = mesh->triangles;
        def.mesh_triangle_count = mesh->triangle_count;
        def.mesh_resolution = 24;
        def.position = (lt_vec3){0, 0.1f, 0};
        *height = 0.3f;
    }
    return def;
}

static void bodies_rest_on_flat_obstacles(void) {
    const lt_obstacle_kind kinds[] = {LT_OBSTACLE_PLANE, LT_OBSTACLE_BOX, LT_OBSTACLE_MESH};
    lt_surface slab;
    const uint32_t divisions[3] = {1, 1, 1};
    CHECK_FATAL(lt_generate_box(&slab, (lt_vec3){0.4f, 0.2f, 0.4f}, divisions, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < LT_COUNT_OF(kinds); i++)
        for (int model = 0; model <= LT_MODEL_EXPLICIT_FEM; model++) {
            float height;
            char what[80];
            lt_obstacle_def def = flat_obstacle(kinds[i], &slab, &height);
            snprintf(what, sizeof what, "kind %d, %s", (int)kinds[i], lt_model_name((lt_model)model));
            rest r = drop_on(&def, (lt_model)model, (lt_vec3){0, height + 0.12f, 0}, 90);
            rests_flat(&r, height, what);
            lt_world_destroy(r.world);
        }
    lt_surface_free(&slab);
}

/* A lying capsule carries a cube that is dropped on the middle of it; a sphere a hair off centre sheds it. */
static void bodies_balance_on_a_capsule(void) {
    lt_obstacle_def def = lt_obstacle_def_default();
    def.kind = LT_OBSTACLE_CAPSULE;
    def.radius = 0.15f;
    def.half_length = 0.5f;
    def.rotation = (lt_quat){0, 0, 0.70710678f, 0.70710678f}; /* local y along x */
    rest r = drop_on(&def, LT_MODEL_COROTATIONAL, (lt_vec3){0.3f, 0.252f, 0}, 40);
    CHECK(lt_body_center(r.world, r.body).y > 0.2f);
    lt_vec3 force, torque;
    lt_body_wake(r.world, r.body);
    run(r.world, 1);
    lt_obstacle_load(r.world, r.obstacle, &force, &torque);
    CHECK_NEAR(force.y, -CUBE_WEIGHT, 0.1 * CUBE_WEIGHT);
    CHECK_NEAR(torque.z, 0.3 * -CUBE_WEIGHT, 0.1 * CUBE_WEIGHT); /* r × F = (0.3, ·, 0) × (0, −mg, 0) */
    load_is_the_reaction(&r);
    lt_world_destroy(r.world);
}

static void bodies_slide_off_a_sphere(void) {
    lt_obstacle_def def = lt_obstacle_def_default();
    def.kind = LT_OBSTACLE_SPHERE;
    def.radius = 0.3f;
    def.friction = 0;
    rest r = drop_on(&def, LT_MODEL_COROTATIONAL, (lt_vec3){0.1f, 0.41f, 0}, 25);
    lt_vec3 force, torque;
    lt_obstacle_load(r.world, r.obstacle, &force, &torque);
    CHECK(force.y < 0 && force.x < 0);                       /* pushed down and away from where the cube is */
    CHECK_NEAR(lt_v3_length(torque), 0, 0.02 * CUBE_WEIGHT); /* no friction: every force through the centre */
    run(r.world, 40);
    CHECK(lt_body_center(r.world, r.body).x > 0.4f && lt_body_center(r.world, r.body).y < 0);
    lt_world_destroy(r.world);
}

/* Eccentric load on a box: torque about its position. */
static void torque_has_the_right_sign(void) {
    float height;
    lt_obstacle_def def = flat_obstacle(LT_OBSTACLE_BOX, NULL, &height);
    rest r = drop_on(&def, LT_MODEL_COROTATIONAL, (lt_vec3){0.2f, height + 0.1f, -0.1f}, 20);
    lt_body_wake(r.world, r.body);
    run(r.world, 1);
    lt_vec3 force, torque;
    lt_obstacle_load(r.world, r.obstacle, &force, &torque);
    /* (0.2, ·, -0.1) × (0, -W, 0) = (-0.1 W, 0, -0.2 W) */
    CHECK_NEAR(torque.x, -0.1 * CUBE_WEIGHT, 0.01 * CUBE_WEIGHT);
    CHECK_NEAR(torque.z, -0.2 * CUBE_WEIGHT, 0.01 * CUBE_WEIGHT);
    CHECK_NEAR(torque.y, 0, 0.01 * CUBE_WEIGHT);
    lt_world_destroy(r.world);
}

static void moved_obstacles_push(void) {
    lt_world_def wd = test_world_def();
    lt_world *world = make_world(&wd);
    lt_obstacle_def def = lt_obstacle_def_default();
    def.friction = 0;
    add_obstacle_def(world, &def);
    def.kind = LT_OBSTACLE_BOX;
    def.position = (lt_vec3){-0.65f, 0.1f, 0};
    lt_obstacle_id pusher = add_obstacle_def(world, &def);
    lt_body_id body = add_body(world, cube, (lt_vec3){0, 0.1f, 0});
    for (int i = 1; i <= 90; i++) { /* 0.5 m/s, 0.75 m: from touching at 0.05 m the cube is taken along */
        lt_world_move_obstacle(world, pusher, (lt_vec3){-0.65f + 0.5f / 60 * (float)i, 0.1f, 0},
                               (lt_quat){0, 0, 0, 1});
        lt_report report = run(world, 1);
        CHECK(report.momentum_error <= 1e-6);
    }
    lt_vec3 force;
    lt_obstacle_load(world, pusher, &force, NULL);
    CHECK(force.x <= 0);
    double face = -0.65 + 0.75 + 0.5;
    CHECK(surface_low(world, body).x > face - 0.004);
    CHECK(surface_low(world, body).x < face + 0.2);
    CHECK(fabs((double)lt_obstacle_get(world, pusher).position.x - 0.1) < 1e-5);
    lt_world_destroy(world);
}

/* A turning floor carries a body along by friction. */
static void turned_obstacles_carry(void) {
    lt_world_def wd = test_world_def();
    lt_world *world = make_world(&wd);
    lt_obstacle_def def = lt_obstacle_def_default();
    def.friction = 4;
    lt_obstacle_id floor = add_obstacle_def(world, &def);
    lt_body_def bd = lt_body_def_default();
    bd.shape = cube;
    bd.position = (lt_vec3){0.3f, 0.1f, 0};
    bd.material.friction = 4;
    lt_body_id body = add_body_def(world, &bd);
    run(world, 10);
    for (int i = 1; i <= 60; i++) { /* half a radian a second about +y: +x goes towards -z */
        double half = 0.5 * 0.5 * i / 60;
        lt_world_move_obstacle(world, floor, (lt_vec3){0, 0, 0},
                               (lt_quat){0, (float)sin(half), 0, (float)cos(half)});
        run(world, 1);
    }
    lt_vec3 center = lt_body_center(world, body);
    CHECK_NEAR(center.x, 0.3 * cos(0.5), 0.01);
    CHECK_NEAR(center.z, -0.3 * sin(0.5), 0.01);
    lt_world_destroy(world);
}

/* A fast ball does not pass through the floor or a plate in one step: it covers its own radius in a step. */
static void fast_bodies_are_stopped(void) {
    for (int kind = 0; kind < 2; kind++) {
        lt_world *world = make_world(NULL);
        lt_obstacle_def def = lt_obstacle_def_default();
        if (kind == 1) def.kind = LT_OBSTACLE_BOX, def.position.y = -0.5f;
        add_obstacle_def(world, &def);
        lt_body_def bd = lt_body_def_default();
        bd.shape = ball;
        bd.position = (lt_vec3){0, 0.5f, 0};
        bd.velocity = (lt_vec3){0, -8, 0};
        lt_body_id body = add_body_def(world, &bd);
        for (int i = 0; i < 60; i++) {
            run(world, 1);
            CHECK(lt_body_center(world, body).y > 0 && world_is_finite(world));
        }
        CHECK(surface_low(world, body).y > -0.01f);
        lt_world_destroy(world);
    }
}

int main(void) {
    cube = cube_shape(0.2, 2);
    ball = ball_shape(0.12, 2);
    RUN(bodies_rest_on_flat_obstacles);
    RUN(bodies_balance_on_a_capsule);
    RUN(bodies_slide_off_a_sphere);
    RUN(torque_has_the_right_sign);
    RUN(moved_obstacles_push);
    RUN(turned_obstacles_carry);
    RUN(fast_bodies_are_stopped);
    lt_shape_release(cube);
    lt_shape_release(ball);
    return check_finish();
}
