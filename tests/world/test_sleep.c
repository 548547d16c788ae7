/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Who falls asleep, what sleeping costs, and everything that wakes. */

#include "world/fixture.h"

static lt_shape *cube;

typedef struct bed {
    lt_world *world;
    lt_obstacle_id floor;
    lt_body_id bodies[3];
} bed;

/* A tower of `count` cubes, asleep. */
static bed make_tower(uint32_t count) {
    lt_world_def def = test_world_def();
    bed b = {.world = make_world(&def)};
    b.floor = add_floor(b.world);
    for (uint32_t i = 0; i < count; i++)
        b.bodies[i] = add_body(b.world, cube, (lt_vec3){0, 0.1f + 0.2f * (float)i, 0});
    uint32_t steps = 0;
    while (steps < 400 && run(b.world, 1).sleeping < count)
        steps++;
    if (steps == 400) CHECK_FAIL_MESSAGE("a tower of %u does not fall asleep", count);
    return b;
}

static void sleeping_costs_next_to_nothing(void) {
    bed b = make_tower(1);
    lt_vec3 before = lt_body_center(b.world, b.bodies[0]);
    saved s = save_world(b.world);
    lt_body_wake(b.world, b.bodies[0]);
    uint64_t hash = 0, awake = run(b.world, 1).units;
    CHECK(load_world(b.world, &s) == LT_OK);
    drop_saved(&s);
    for (int i = 0; i < 100; i++) {
        lt_report report = run(b.world, 1);
        CHECK(report.units < awake / 10 && report.sleeping == 1 && report.tested == 0 &&
              report.iterations == 0);
        CHECK(report.contacts > 0); /* they rest, too */
        CHECK(lt_world_hash(b.world) != hash);
        hash = lt_world_hash(b.world);
    }
    CHECK_NEAR(lt_v3_distance(before, lt_body_center(b.world, b.bodies[0])), 0, 0);
    CHECK_NEAR(fastest_node(b.world, b.bodies[0]), 0, 0);
    lt_world_destroy(b.world);
}

static void a_tower_sleeps_as_an_island(void) {
    lt_world_def def = test_world_def();
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_id bodies[3];
    for (uint32_t i = 0; i < 3; i++)
        bodies[i] = add_body(world, cube, (lt_vec3){0, 0.1f + 0.2f * (float)i, 0});
    uint64_t before = 0;
    for (int i = 0; i < 400 && before < 3; i++) {
        uint64_t sleeping = run(world, 1).sleeping;
        CHECK(sleeping == 0 || sleeping == 3);
        before = sleeping;
    }
    CHECK_COUNT(before, 3);
    /* A push at the top wakes all of them once it moves the others. */
    lt_body_add_force(world, bodies[2], (lt_vec3){300, 0, 0});
    CHECK(!lt_body_is_asleep(world, bodies[2]));
    run(world, 2);
    for (uint32_t i = 0; i < 3; i++)
        CHECK(!lt_body_is_asleep(world, bodies[i]));
    lt_world_destroy(world);
}

static void sleeping_can_be_switched_off(void) {
    lt_world_def def = test_world_def();
    def.sleeping = false;
    lt_world *world = make_world(&def);
    add_floor(world);
    add_body(world, cube, (lt_vec3){0, 0.1f, 0});
    CHECK_COUNT(run(world, 120).sleeping, 0);
    lt_world_destroy(world);
}

/* ---- what wakes ---- */

static void a_touch_wakes(void) {
    bed b = make_tower(1);
    lt_body_def bd = lt_body_def_default();
    bd.shape = cube;
    bd.position = (lt_vec3){0.05f, 0.5f, 0};
    bd.velocity = (lt_vec3){0, -2, 0};
    add_body_def(b.world, &bd);
    uint32_t steps = 0;
    while (steps < 30 && lt_body_is_asleep(b.world, b.bodies[0])) {
        run(b.world, 1);
        steps++;
    }
    CHECK(steps > 1 && steps < 12); /* 0.2 m at 2 m/s: 6 steps */
    lt_world_destroy(b.world);
}

static void far_bodies_do_not_wake(void) {
    bed b = make_tower(1);
    lt_body_def bd = lt_body_def_default();
    bd.shape = cube;
    bd.position = (lt_vec3){1, 0.5f, 0};
    add_body_def(b.world, &bd);
    run(b.world, 30);
    CHECK(lt_body_is_asleep(b.world, b.bodies[0]));
    lt_world_destroy(b.world);
}

static void calls_wake(void) {
    bed b = make_tower(1);
    saved s = save_world(b.world);
    lt_body_id body = b.bodies[0];
    lt_vec3 nodes[64];
#define WAKES(call)                                                                                          \
    do {                                                                                                     \
        CHECK(load_world(b.world, &s) == LT_OK && lt_body_is_asleep(b.world, body));                         \
        call;                                                                                                \
        CHECK(!lt_body_is_asleep(b.world, body));                                                            \
    } while (0)
    WAKES(lt_body_wake(b.world, body));
    WAKES(lt_body_add_force(b.world, body, (lt_vec3){0, 1, 0}));
    WAKES(lt_body_add_force_at(b.world, body, 0, (lt_vec3){0, 1, 0}));
    WAKES(lt_world_set_gravity(b.world, (lt_vec3){1, -9.81f, 0}));
    WAKES(lt_body_pin_node(b.world, body, 0));
    WAKES(lt_body_unpin_node(b.world, body, 0));
    lt_body_get_nodes(b.world, body, nodes, NULL);
    WAKES(lt_body_set_nodes(b.world, body, nodes, NULL, NULL));
#undef WAKES
    /* A nudge by nothing: it goes back to sleep where it was. */
    CHECK(load_world(b.world, &s) == LT_OK);
    lt_vec3 before = lt_body_center(b.world, body);
    lt_body_wake(b.world, body);
    run(b.world, 60);
    CHECK(lt_body_is_asleep(b.world, body));
    CHECK_NEAR(lt_v3_distance(before, lt_body_center(b.world, body)), 0, 1e-4);
    drop_saved(&s);
    lt_world_destroy(b.world);
}

static void moved_obstacles_wake(void) {
    bed b = make_tower(2);
    float before = surface_low(b.world, b.bodies[1]).y;
    for (int i = 1; i <= 20; i++) { /* the floor sinks */
        lt_world_move_obstacle(b.world, b.floor, (lt_vec3){0, -0.005f * (float)i, 0}, (lt_quat){0, 0, 0, 1});
        run(b.world, 1);
    }
    run(b.world, 60);
    CHECK_NEAR(surface_low(b.world, b.bodies[0]).y, -0.1, 0.003);
    CHECK_NEAR(surface_low(b.world, b.bodies[1]).y, before - 0.1f, 0.005);
    lt_world_destroy(b.world);
}

static void obstacles_moved_far_away_do_not_wake(void) {
    bed b = make_tower(1);
    lt_obstacle_def od = lt_obstacle_def_default();
    od.kind = LT_OBSTACLE_SPHERE;
    od.position = (lt_vec3){5, 5, 0};
    lt_obstacle_id sphere = add_obstacle_def(b.world, &od);
    run(b.world, 120);
    CHECK(lt_body_is_asleep(b.world, b.bodies[0]));
    lt_world_move_obstacle(b.world, sphere, (lt_vec3){5, 5.01f, 0}, (lt_quat){0, 0, 0, 1});
    run(b.world, 1);
    CHECK(lt_body_is_asleep(b.world, b.bodies[0]));
    lt_world_destroy(b.world);
}

static void removals_wake(void) {
    bed b = make_tower(2);
    lt_world_remove_body(b.world, b.bodies[0]);
    run(b.world, 40);
    CHECK_NEAR(surface_low(b.world, b.bodies[1]).y, 0, 0.003);
    lt_world_remove_obstacle(b.world, b.floor);
    run(b.world, 10);
    CHECK(surface_low(b.world, b.bodies[1]).y < -0.05f);
    lt_world_destroy(b.world);
}

/* The body below is put elsewhere: the one above must not stay in the air. */
static void support_that_vanishes_wakes(void) {
    bed b = make_tower(2);
    lt_vec3 nodes[64];
    lt_body_get_nodes(b.world, b.bodies[0], nodes, NULL);
    for (uint32_t i = 0; i < lt_body_node_count(b.world, b.bodies[0]); i++)
        nodes[i].x += 3;
    CHECK(lt_body_set_nodes(b.world, b.bodies[0], nodes, NULL, NULL) == LT_OK);
    run(b.world, 60);
    CHECK_NEAR(surface_low(b.world, b.bodies[1]).y, 0, 0.003);
    lt_world_destroy(b.world);
}

/* The same pulled away so slowly that its speed rouses nobody. */
static void support_that_creeps_away_wakes(void) {
    bed b = make_tower(2);
    uint32_t count = lt_body_node_count(b.world, b.bodies[0]);
    float before = surface_low(b.world, b.bodies[1]).y;
    lt_vec3 nodes[64];
    lt_body_get_nodes(b.world, b.bodies[0], nodes, NULL);
    for (int i = 1; i <= 200; i++) { /* 1.2 cm/s: down by 4 cm */
        for (uint32_t node = 0; node < count; node++) {
            lt_vec3 to = nodes[node];
            to.y -= 0.0002f * (float)i;
            lt_body_move_pin(b.world, b.bodies[0], node, to);
        }
        run(b.world, 1);
    }
    CHECK_NEAR(surface_low(b.world, b.bodies[1]).y, before - 0.04f, 0.005);
    lt_world_destroy(b.world);
}

static void sleeping_is_deterministic(void) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        bed b = make_tower(2);
        lt_body_add_force(b.world, b.bodies[1], (lt_vec3){100, 0, 0});
        run(b.world, 90);
        hashes[i] = lt_world_hash(b.world);
        lt_world_destroy(b.world);
    }
    CHECK(hashes[0] == hashes[1]);
}

int main(void) {
    cube = cube_shape(0.2, 2);
    RUN(sleeping_costs_next_to_nothing);
    RUN(a_tower_sleeps_as_an_island);
    RUN(sleeping_can_be_switched_off);
    RUN(a_touch_wakes);
    RUN(far_bodies_do_not_wake);
    RUN(calls_wake);
    RUN(moved_obstacles_wake);
    RUN(obstacles_moved_far_away_do_not_wake);
    RUN(removals_wake);
    RUN(support_that_vanishes_wakes);
    RUN(support_that_creeps_away_wakes);
    RUN(sleeping_is_deterministic);
    lt_shape_release(cube);
    return check_finish();
}
