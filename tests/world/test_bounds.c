/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The bounds of what callers may set, what a step leaves and what a snapshot may hold are one: a world takes every snapshot of its
 * own, whatever was set before. And the report's numbers are numbers there. */

#include "world/fixture.h"

static lt_shape *cube;

static bool takes_its_own(lt_world *world) {
    saved s = save_world(world);
    bool takes = lt_world_restore(world, s.bytes, s.size, NULL) == LT_OK;
    drop_saved(&s);
    return takes;
}

enum { NODES = 8 };

/* Whether all nodes may be set to it; the snapshot is taken either way, and after steps. */
static lt_status set_all(float position, float velocity, lt_model model, uint32_t steps) {
    lt_world_def def = test_world_def();
    lt_world *world = make_world(&def);
    lt_body_def bd = lt_body_def_default();
    bd.shape = cube;
    bd.model = model;
    lt_body_id body = add_body_def(world, &bd);
    lt_vec3 x[NODES], v[NODES];
    CHECK_COUNT(lt_body_node_count(world, body), NODES);
    lt_body_get_nodes(world, body, x, v);
    for (uint32_t i = 0; i < NODES; i++) {
        x[i].x += position;
        v[i].y = velocity;
    }
    lt_status status = lt_body_set_nodes(world, body, x, v, NULL);
    CHECK(takes_its_own(world));
    for (uint32_t i = 0; i < steps; i++) {
        lt_report report = lt_world_step(world, 1, lt_budget_unlimited());
        CHECK(report.momentum_error >= 0 && report.momentum_error <= 1);
        CHECK(takes_its_own(world));
    }
    lt_world_destroy(world);
    return status;
}

static void nodes_and_velocities(void) {
    const float taken[] = {0, 1e6f, 1e14f, 1e15f}, refused[] = {1.1e15f, 1e18f, 1e19f, 3e38f, INFINITY, NAN};
    for (size_t i = 0; i < LT_COUNT_OF(taken); i++) {
        CHECK(set_all(taken[i], 0, LT_MODEL_COROTATIONAL, 0) == LT_OK);
        CHECK(set_all(0, taken[i], LT_MODEL_COROTATIONAL, 0) == LT_OK);
    }
    for (size_t i = 0; i < LT_COUNT_OF(refused); i++) {
        CHECK(set_all(refused[i], 0, LT_MODEL_COROTATIONAL, 0) == LT_STATUS_INVALID);
        CHECK(set_all(0, refused[i], LT_MODEL_COROTATIONAL, 0) == LT_STATUS_INVALID);
    }
}

/* A body that flies on does not leave the bounds: it would by the second step. */
static void steps_stay_within(void) {
    const lt_model models[] = {LT_MODEL_COROTATIONAL, LT_MODEL_EXPLICIT_FEM};
    for (size_t i = 0; i < LT_COUNT_OF(models); i++)
        CHECK(set_all(9e14f, 1e15f, models[i], 4) == LT_OK);
}

/* Far beyond that a body would be in thousands of steps: it is put back by the first that takes it there. */
static void a_body_beyond_is_put_back(void) {
    lt_world_def def = test_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    lt_world *world = make_world(&def);
    lt_body_def bd = lt_body_def_default();
    bd.shape = cube;
    bd.position.y = 9e14f;
    bd.velocity.y = 9e14f;
    bd.material.mass_damping = 0;
    lt_body_id body = add_body_def(world, &bd);
    lt_report report = lt_world_step(world, 1, lt_budget_unlimited());
    CHECK_COUNT(report.blown_up, 1);
    CHECK(report.problems & LT_PROBLEM_BLOWN_UP);
    CHECK_NEAR(lt_body_center(world, body).y, 9e14, 1e9);
    CHECK(fastest_node(world, body) <= 0);
    lt_world_destroy(world);
}

static void pins(void) {
    lt_world *world = make_world(NULL);
    lt_body_id body = add_body(world, cube, (lt_vec3){0, 1, 0});
    lt_body_move_pin(world, body, 0, (lt_vec3){0, 1e15f, 0});
    CHECK(takes_its_own(world));
    CHECK_CALLER_BUG(lt_body_move_pin(world, body, 1, (lt_vec3){0, 2e15f, 0}));
    CHECK_CALLER_BUG(lt_body_move_pin(world, body, 1, (lt_vec3){0, 0, -1e30f}));
    CHECK(takes_its_own(world));
    lt_world_destroy(world);
}

/* Each is finite; the sums were not. */
static void forces_add_up(void) {
    lt_world *world = make_world(NULL);
    lt_body_id body = add_body(world, cube, (lt_vec3){0, 1, 0});
    for (int i = 0; i < 3; i++) {
        lt_body_add_force(world, body, (lt_vec3){3e38f, -3e38f, 1e20f});
        lt_body_add_force_at(world, body, 2, (lt_vec3){0, -3e38f, 3e38f});
        CHECK(takes_its_own(world));
    }
    run(world, 2);
    CHECK(world_is_finite(world) && takes_its_own(world));
    lt_world_destroy(world);
}

/* 10^24 kg at 9·10^14 m/s: the momentum is beyond float, and infinity over infinity was the error. */
static void momentum_beyond_float(void) {
    lt_world_def def = test_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    lt_world *world = make_world(&def);
    lt_body_def bd = lt_body_def_default();
    bd.shape = cube;
    bd.scale = 1e6f;
    bd.material.density = 1e6f;
    bd.material.mass_damping = 0;
    bd.velocity.x = 9e14f;
    add_body_def(world, &bd);
    lt_report report = lt_world_step(world, 1e-3f, lt_budget_unlimited());
    CHECK_COUNT(report.blown_up, 0);
    CHECK(report.momentum_error >= 0 && report.momentum_error < 1e-3);
    CHECK(takes_its_own(world));
    lt_world_destroy(world);
}

int main(void) {
    cube = cube_shape(1, 1);
    RUN(nodes_and_velocities);
    RUN(steps_stay_within);
    RUN(a_body_beyond_is_put_back);
    RUN(pins);
    RUN(forces_add_up);
    RUN(momentum_beyond_float);
    lt_shape_release(cube);
    return check_finish();
}
