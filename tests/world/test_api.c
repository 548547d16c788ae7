/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The calls of world.h one by one: the example of the design, every def field out of its range, ids that are
 * gone, and removal in any order while contacts exist. */

#include "world/fixture.h"

#include <stdio.h>

static lt_shape *cube;

/* ---- the example ---- */

static void the_example_works(void) {
    const char *path = "build/test-world-api.lithe";
    lt_error error = {0};
    lt_shape *shape;
    CHECK_FATAL(lt_shape_save(cube, path, &error) == LT_OK);
    CHECK_FATAL(lt_shape_load(path, NULL, &shape, &error) == LT_OK);
    remove(path);
    lt_world_def wd = lt_world_def_default();
    lt_world *world;
    CHECK_FATAL(lt_world_create(&wd, &world, &error) == LT_OK);
    lt_body_def bd = lt_body_def_default();
    bd.shape = shape;
    bd.position = (lt_vec3){0, 2, 0};
    lt_body_id body = lt_world_add_body(world, &bd, &error);
    CHECK(lt_body_is_valid(world, body));
    lt_shape_release(shape); /* the body has its own hold on it */
    lt_report report = lt_world_step(world, 1.0f / 60.0f, lt_budget_collision_us(500));
    CHECK_COUNT(report.step, 1);
    CHECK_NEAR(report.time, 1.0 / 60, 1e-7);
    CHECK_NEAR(report.budget_us, 500, 0);
    lt_surface_view view = lt_body_surface(world, body);
    CHECK(view.vertex_count >= 8 && view.triangle_count >= 12);
    for (uint32_t i = 0; i < view.vertex_count; i++) {
        CHECK(lt_v3_is_finite(view.positions[i]));
        CHECK_NEAR(lt_v3_length(view.normals[i]), 1, 1e-5);
    }
    for (uint32_t i = 0; i < 3 * view.triangle_count; i++)
        CHECK(view.triangles[i] < view.vertex_count);
    uint32_t count = 7;
    CHECK(lt_world_contacts(world, &count) != NULL && count == 0);
    /* One implicit step of free fall: v = -g dt, damped a little; the centre follows with that velocity. */
    double v = -9.81 / 60 / (1 + 0.1 / 60);
    CHECK_NEAR(lt_body_momentum(world, body).y, v * (double)lt_body_mass(world, body), 1e-3);
    CHECK_NEAR(lt_body_center(world, body).y, 2 + v / 60, 1e-5);
    CHECK_NEAR(lt_body_mass(world, body), 1000 * 0.2 * 0.2 * 0.2, 1e-3);
    lt_world_destroy(world);
    lt_world_destroy(NULL);
}

static void an_empty_world_steps(void) {
    lt_world *world = make_world(NULL);
    CHECK_COUNT(run(world, 2).step, 2);
    add_floor(world);
    CHECK_COUNT(run(world, 2).contacts, 0);
    lt_world_destroy(world);
}

static void names_are_known(void) {
    CHECK(strcmp(lt_method_name(LT_METHOD_REFERENCE), "reference") == 0);
    CHECK(strcmp(lt_model_name(LT_MODEL_EXPLICIT_FEM), "explicit-fem") == 0);
    CHECK(lt_method_name((lt_method)99) != NULL && lt_model_name((lt_model)-1) != NULL);
}

/* ---- defs ---- */

static void defs_not_from_default_are_callers_bugs(void) {
    lt_world_def wd = {0};
    lt_world *none = (lt_world *)&wd;
    lt_error error = {0};
    lt_status status = LT_OK;
    CHECK_CALLER_BUG(status = lt_world_create(&wd, &none, &error));
    CHECK(status == LT_STATUS_INVALID && none == NULL && error.message[0]);
    lt_world *world = make_world(NULL);
    lt_body_def bd = lt_body_def_default();
    bd.shape = cube;
    bd.cookie ^= 1;
    lt_body_id body = {1, 1};
    CHECK_CALLER_BUG(body = lt_world_add_body(world, &bd, &error));
    CHECK(body.index_plus_one == 0 && lt_world_body_count(world) == 0);
    lt_obstacle_def od = lt_obstacle_def_default();
    od.cookie = 0;
    lt_obstacle_id obstacle = {1, 1};
    CHECK_CALLER_BUG(obstacle = lt_world_add_obstacle(world, &od, &error));
    CHECK(obstacle.index_plus_one == 0 && lt_world_obstacle_count(world) == 0);
    lt_world_destroy(world);
}

#define REFUSE_WORLD(part, assignment)                                                                       \
    do {                                                                                                     \
        lt_world_def def = lt_world_def_default();                                                           \
        assignment;                                                                                          \
        lt_world *refused = NULL;                                                                            \
        lt_error refusal = {0};                                                                              \
        CHECK(lt_world_create(&def, &refused, &refusal) != LT_OK);                                           \
        CHECK(refused == NULL && refusal.status != LT_OK);                                                   \
        CHECK_CONTAINS(refusal.message, part);                                                               \
        lt_world_destroy(refused);                                                                           \
    } while (0)

static void bad_world_defs_are_refused(void) {
    REFUSE_WORLD("gravity", def.gravity.y = NAN);
    REFUSE_WORLD("gravity", def.gravity.x = INFINITY);
    REFUSE_WORLD("method", def.method = LT_METHOD_COUNT);
    REFUSE_WORLD("method", def.method = (lt_method)-1);
    REFUSE_WORLD("contact", def.contact_capacity = 0);
    REFUSE_WORLD("contact", def.contact_capacity = UINT32_MAX);
    REFUSE_WORLD("pair", def.pair_capacity = 0);
    REFUSE_WORLD("pair", def.pair_capacity = UINT32_MAX);
    REFUSE_WORLD("allocator", def.allocator.allocate = NULL);
    REFUSE_WORLD("allocator", def.allocator.release = NULL);
}

static lt_world *refusing;

#define REFUSE_BODY(part, assignment)                                                                        \
    do {                                                                                                     \
        lt_body_def def = lt_body_def_default();                                                             \
        def.shape = cube;                                                                                    \
        assignment;                                                                                          \
        lt_error refusal = {0};                                                                              \
        CHECK(lt_world_add_body(refusing, &def, &refusal).index_plus_one == 0);                              \
        CHECK(refusal.status != LT_OK);                                                                      \
        CHECK_CONTAINS(refusal.message, part);                                                               \
    } while (0)

#define REFUSE_NUMBERS(part, field)                                                                          \
    do {                                                                                                     \
        REFUSE_BODY(part, def.field = NAN);                                                                  \
        REFUSE_BODY(part, def.field = INFINITY);                                                             \
        REFUSE_BODY(part, def.field = -INFINITY);                                                            \
    } while (0)

static void bad_body_defs_are_refused(void) {
    refusing = make_world(NULL);
    REFUSE_BODY("shape", def.shape = NULL);
    REFUSE_NUMBERS("position", position.x);
    REFUSE_NUMBERS("position", position.z);
    REFUSE_NUMBERS("velocity", velocity.y);
    REFUSE_NUMBERS("angular_velocity", angular_velocity.y);
    REFUSE_NUMBERS("rotation", rotation.x);
    REFUSE_NUMBERS("rotation", rotation.w);
    REFUSE_BODY("rotation", def.rotation.w = 0);
    REFUSE_NUMBERS("scale", scale);
    REFUSE_BODY("scale", def.scale = 0);
    REFUSE_BODY("scale", def.scale = -1);
    REFUSE_NUMBERS("young", material.young);
    REFUSE_BODY("young", def.material.young = 0);
    REFUSE_BODY("young", def.material.young = -1e5f);
    REFUSE_NUMBERS("poisson", material.poisson);
    REFUSE_BODY("poisson", def.material.poisson = 0.5f);
    REFUSE_BODY("poisson", def.material.poisson = -0.1f);
    REFUSE_NUMBERS("density", material.density);
    REFUSE_BODY("density", def.material.density = 0);
    REFUSE_BODY("density", def.material.density = -1);
    REFUSE_NUMBERS("mass_damping", material.mass_damping);
    REFUSE_BODY("mass_damping", def.material.mass_damping = -1);
    REFUSE_NUMBERS("stiffness_damping", material.stiffness_damping);
    REFUSE_BODY("stiffness_damping", def.material.stiffness_damping = -1);
    REFUSE_NUMBERS("friction", material.friction);
    REFUSE_BODY("friction", def.material.friction = -0.1f);
    REFUSE_BODY("model", def.model = LT_MODEL_COUNT);
    REFUSE_BODY("model", def.model = (lt_model)-1);
    REFUSE_BODY("max_substeps", def.max_substeps = 0);
    REFUSE_BODY("max_iterations", def.max_iterations = 0);
    REFUSE_BODY("solve_interval", def.solve_interval = 0);
    REFUSE_BODY("solve_interval", def.solve_interval = 1001);
    REFUSE_NUMBERS("tolerance", tolerance);
    REFUSE_BODY("tolerance", def.tolerance = 0);
    REFUSE_BODY("tolerance", def.tolerance = -1);
    CHECK_COUNT(lt_world_body_count(refusing), 0);
    lt_world_destroy(refusing);
}

#define REFUSE_OBSTACLE(part, which, assignment)                                                             \
    do {                                                                                                     \
        lt_obstacle_def def = lt_obstacle_def_default();                                                     \
        def.kind = LT_OBSTACLE_##which;                                                                      \
        assignment;                                                                                          \
        lt_error refusal = {0};                                                                              \
        CHECK(lt_world_add_obstacle(refusing, &def, &refusal).index_plus_one == 0);                          \
        CHECK(refusal.status != LT_OK);                                                                      \
        CHECK_CONTAINS(refusal.message, part);                                                               \
    } while (0)

static void bad_obstacle_meshes_are_refused(void) {
    static const lt_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const lt_vec3 nan_points[4] = {{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}, {0, 0, 1}};
    static const uint32_t triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    static const uint32_t beyond[3] = {0, 1, 4};
#define MESH(p, t, count)                                                                                    \
    def.mesh_positions = p, def.mesh_vertex_count = 4, def.mesh_triangles = t, def.mesh_triangle_count = count
    REFUSE_OBSTACLE("mesh", MESH, (void)0);
    REFUSE_OBSTACLE("mesh", MESH, (MESH(NULL, triangles, 4)));
    REFUSE_OBSTACLE("mesh", MESH, (MESH(points, NULL, 4)));
    REFUSE_OBSTACLE("mesh", MESH, (MESH(nan_points, triangles, 4)));
    REFUSE_OBSTACLE("mesh", MESH, (MESH(points, beyond, 1)));
    REFUSE_OBSTACLE("resolution", MESH, (MESH(points, triangles, 4), def.mesh_resolution = 0));
    REFUSE_OBSTACLE("resolution", MESH, (MESH(points, triangles, 4), def.mesh_resolution = UINT32_MAX));
#undef MESH
}

static void bad_obstacle_defs_are_refused(void) {
    refusing = make_world(NULL);
    REFUSE_OBSTACLE("kind", PLANE, def.kind = LT_OBSTACLE_KIND_COUNT);
    REFUSE_OBSTACLE("position", PLANE, def.position.x = NAN);
    REFUSE_OBSTACLE("position", BOX, def.position.z = INFINITY);
    REFUSE_OBSTACLE("rotation", BOX, def.rotation.y = NAN);
    REFUSE_OBSTACLE("rotation", BOX, def.rotation.w = INFINITY);
    REFUSE_OBSTACLE("rotation", BOX, def.rotation.w = 0);
    REFUSE_OBSTACLE("normal", PLANE, def.normal = ((lt_vec3){0, 0, 0}));
    REFUSE_OBSTACLE("normal", PLANE, def.normal.x = NAN);
    REFUSE_OBSTACLE("normal", PLANE, def.normal.x = INFINITY);
    REFUSE_OBSTACLE("radius", SPHERE, def.radius = 0);
    REFUSE_OBSTACLE("radius", SPHERE, def.radius = NAN);
    REFUSE_OBSTACLE("radius", CAPSULE, def.radius = -1);
    REFUSE_OBSTACLE("radius", CAPSULE, def.radius = INFINITY);
    REFUSE_OBSTACLE("half_length", CAPSULE, def.half_length = -1);
    REFUSE_OBSTACLE("half_length", CAPSULE, def.half_length = NAN);
    REFUSE_OBSTACLE("half_extents", BOX, def.half_extents.x = 0);
    REFUSE_OBSTACLE("half_extents", BOX, def.half_extents.y = -1);
    REFUSE_OBSTACLE("half_extents", BOX, def.half_extents.z = NAN);
    REFUSE_OBSTACLE("half_extents", BOX, def.half_extents.z = INFINITY);
    REFUSE_OBSTACLE("friction", PLANE, def.friction = -1);
    REFUSE_OBSTACLE("friction", PLANE, def.friction = NAN);
    bad_obstacle_meshes_are_refused();
    CHECK_COUNT(lt_world_obstacle_count(refusing), 0);
    lt_world_destroy(refusing);
}

static void bad_handles_are_refused(void) {
    lt_world *world = make_world(NULL);
    lt_body_id body = add_body(world, cube, (lt_vec3){0, 1, 0});
    const lt_vec3 target = {0, 2, 0}, nowhere = {0, NAN, 0};
    lt_error error = {0};
    CHECK(!lt_world_add_handle(world, body, 100000, target, 10, &error).index_plus_one);
    CHECK_CONTAINS(error.message, "vertex");
    CHECK(!lt_world_add_handle(world, body, 0, nowhere, 10, &error).index_plus_one);
    CHECK_CONTAINS(error.message, "target");
    const float bad[] = {NAN, INFINITY, -1};
    for (uint32_t i = 0; i < LT_COUNT_OF(bad); i++) {
        CHECK(!lt_world_add_handle(world, body, 0, target, bad[i], &error).index_plus_one);
        CHECK_CONTAINS(error.message, "stiffness");
    }
    lt_handle_id handle = lt_world_add_handle(world, body, 0, target, 10, &error);
    CHECK(handle.index_plus_one == 1);
    CHECK_CALLER_BUG(lt_world_move_handle(world, handle, nowhere));
    lt_world_destroy(world);
}

static void bad_calls_are_callers_bugs(void) {
    lt_world *world = make_world(NULL);
    lt_body_id body = add_body(world, cube, (lt_vec3){0, 1, 0});
    lt_obstacle_id floor = add_floor(world);
    lt_report report = {.step = 7};
    const float bad_dt[] = {0, -1, NAN, INFINITY, 1.5f};
    uint64_t before = lt_world_hash(world);
    for (uint32_t i = 0; i < LT_COUNT_OF(bad_dt); i++) {
        CHECK_CALLER_BUG(report = lt_world_step(world, bad_dt[i], lt_budget_unlimited()));
        CHECK_COUNT(report.step, 0);
    }
    const lt_vec3 nan_vector = {0, 0, NAN}, zero = {0, 0, 0};
    const lt_quat identity = {0, 0, 0, 1}, nan_turn = {NAN, 0, 0, 1}, no_turn = {0, 0, 0, 0};
    CHECK_CALLER_BUG(lt_world_set_gravity(world, nan_vector));
    CHECK_CALLER_BUG(lt_body_add_force(world, body, nan_vector));
    CHECK_CALLER_BUG(lt_body_add_force_at(world, body, 0, nan_vector));
    CHECK_CALLER_BUG(lt_body_add_force_at(world, body, 99999, zero));
    CHECK_CALLER_BUG(lt_body_pin_node(world, body, 99999));
    CHECK_CALLER_BUG(lt_body_unpin_node(world, body, 99999));
    CHECK_CALLER_BUG(lt_body_move_pin(world, body, 0, nan_vector));
    CHECK_CALLER_BUG(lt_world_move_obstacle(world, floor, nan_vector, identity));
    CHECK_CALLER_BUG(lt_world_move_obstacle(world, floor, zero, nan_turn));
    CHECK_CALLER_BUG(lt_world_move_obstacle(world, floor, zero, no_turn));
    CHECK_CALLER_BUG((void)lt_world_body_at(world, 1));
    CHECK_CALLER_BUG((void)lt_world_obstacle_at(world, 1));
    CHECK_CALLER_BUG((void)lt_budget_collision_us(-1));
    CHECK_CALLER_BUG((void)lt_budget_collision_us(NAN));
    uint8_t byte;
    CHECK_CALLER_BUG(CHECK_COUNT(lt_world_snapshot(world, &byte, 1), 0));
    CHECK_CALLER_BUG(CHECK_COUNT(lt_world_snapshot(world, NULL, 1u << 20), 0));
    CHECK(lt_world_hash(world) == before);
    lt_world_destroy(world);
}

static void bad_nodes_are_refused(void) {
    lt_world *world = make_world(NULL);
    lt_body_id body = add_body(world, cube, (lt_vec3){0, 1, 0});
    lt_vec3 nodes[64], velocities[64];
    lt_error error = {0};
    uint32_t count = lt_body_node_count(world, body);
    CHECK_FATAL(count <= 64);
    lt_body_get_nodes(world, body, nodes, velocities);
    uint64_t before = lt_world_hash(world);
    nodes[3].y = INFINITY;
    CHECK(lt_body_set_nodes(world, body, nodes, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "node 3");
    CHECK_CONTAINS(error.message, "position");
    velocities[4].x = NAN;
    CHECK(lt_body_set_nodes(world, body, NULL, velocities, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "node 4");
    CHECK_CONTAINS(error.message, "velocity");
    CHECK(lt_world_hash(world) == before);
    lt_world_destroy(world);
}

static void room_can_be_made_after_a_step(void) {
    lt_world *world = make_world(NULL);
    lt_error error = {0};
    add_body(world, cube, (lt_vec3){0, 1, 0});
    run(world, 1);
    CHECK(lt_world_reserve(world, 1, 1, 64u << 20, &error) == LT_OK);
    CHECK(lt_world_reserve(world, 1u << 20, 1, 0, &error) == LT_STATUS_CAPACITY);
    CHECK_CONTAINS(error.message, "contact_capacity");
    CHECK_COUNT(run(world, 1).problems, 0);
    lt_world_destroy(world);
}

/* ---- ids ---- */

static void removed_ids_are_callers_bugs(void) {
    lt_world *world = make_world(NULL);
    lt_body_id body = add_body(world, cube, (lt_vec3){0, 1, 0});
    lt_obstacle_id floor = add_floor(world);
    lt_handle_id handle = lt_world_add_handle(world, body, 0, (lt_vec3){0, 2, 0}, 10, NULL);
    lt_world_remove_handle(world, handle);
    CHECK_CALLER_BUG(lt_world_remove_handle(world, handle));
    CHECK_CALLER_BUG(lt_world_move_handle(world, handle, (lt_vec3){0, 0, 0}));
    lt_world_remove_obstacle(world, floor);
    CHECK_CALLER_BUG(lt_world_remove_obstacle(world, floor));
    CHECK_CALLER_BUG(lt_world_move_obstacle(world, floor, (lt_vec3){0, 0, 0}, (lt_quat){0, 0, 0, 1}));
    lt_vec3 force = {1, 2, 3}, torque = {1, 2, 3};
    CHECK_CALLER_BUG(lt_obstacle_load(world, floor, &force, &torque));
    CHECK(lt_v3_length(force) == 0 && lt_v3_length(torque) == 0);
    CHECK_CALLER_BUG((void)lt_obstacle_get(world, floor));
    lt_world_remove_body(world, body);
    CHECK(!lt_body_is_valid(world, body));
    CHECK_CALLER_BUG(lt_world_remove_body(world, body));
    CHECK_CALLER_BUG(CHECK(lt_body_user_data(world, body) == NULL));
    CHECK_CALLER_BUG(CHECK_COUNT(lt_body_node_count(world, body), 0));
    CHECK_CALLER_BUG(lt_body_get_nodes(world, body, NULL, NULL));
    CHECK_CALLER_BUG(CHECK(lt_body_set_nodes(world, body, NULL, NULL, NULL) == LT_STATUS_INVALID));
    CHECK_CALLER_BUG(CHECK_NEAR(lt_v3_length(lt_body_center(world, body)), 0, 0));
    CHECK_CALLER_BUG(CHECK_NEAR(lt_v3_length(lt_body_momentum(world, body)), 0, 0));
    CHECK_CALLER_BUG(CHECK_NEAR(lt_body_mass(world, body), 0, 0));
    CHECK_CALLER_BUG(CHECK_COUNT(lt_body_surface(world, body).vertex_count, 0));
    CHECK_CALLER_BUG(lt_body_pin_node(world, body, 0));
    CHECK_CALLER_BUG(CHECK_COUNT(lt_body_pin_box(world, body, (lt_vec3){-9, -9, -9}, (lt_vec3){9, 9, 9}), 0));
    CHECK_CALLER_BUG(lt_body_add_force(world, body, (lt_vec3){0, 0, 0}));
    CHECK_CALLER_BUG(lt_body_wake(world, body));
    CHECK_CALLER_BUG(CHECK(!lt_body_is_asleep(world, body)));
    CHECK_CALLER_BUG((void)lt_world_add_handle(world, body, 0, (lt_vec3){0, 0, 0}, 1, NULL));
    lt_body_id null_id = {0, 0}, foreign = {77, 1};
    CHECK(!lt_body_is_valid(world, null_id) && !lt_body_is_valid(world, foreign));
    lt_world_destroy(world);
}

static void slots_are_used_again_with_new_generations(void) {
    lt_world *world = make_world(NULL);
    int data[2];
    lt_body_def bd = lt_body_def_default();
    bd.shape = cube;
    bd.user_data = &data[0];
    lt_body_id first = add_body_def(world, &bd);
    lt_body_id second = add_body(world, cube, (lt_vec3){2, 0, 0});
    lt_world_remove_body(world, first);
    bd.user_data = &data[1];
    lt_body_id third = add_body_def(world, &bd);
    CHECK(third.index_plus_one == first.index_plus_one && third.generation != first.generation);
    CHECK(!lt_body_is_valid(world, first) && lt_body_is_valid(world, second));
    CHECK(lt_body_user_data(world, third) == &data[1]);
    CHECK_COUNT(lt_world_body_count(world), 2);
    CHECK(lt_world_body_at(world, 1).index_plus_one == second.index_plus_one);
    lt_obstacle_id floor = add_floor(world);
    lt_world_remove_obstacle(world, floor);
    lt_obstacle_id again = add_floor(world);
    CHECK(again.index_plus_one == floor.index_plus_one && again.generation != floor.generation);
    /* A handle goes with its body. */
    lt_handle_id handle = lt_world_add_handle(world, third, 0, (lt_vec3){0, 1, 0}, 5, NULL);
    lt_world_remove_body(world, third);
    CHECK_CALLER_BUG(lt_world_remove_handle(world, handle));
    run(world, 3);
    CHECK(world_is_finite(world));
    lt_world_destroy(world);
}

/* Three bodies in a heap on two obstacles with two handles; the n-th order of removal by rotating a list. */
static void things_go_in_any_order(void) {
    for (uint32_t order = 0; order < 7; order++) {
        lt_world_def def = test_world_def();
        lt_world *world = make_world(&def);
        lt_body_id bodies[3];
        lt_obstacle_id obstacles[2];
        lt_handle_id handles[2];
        for (uint32_t i = 0; i < 3; i++)
            bodies[i] = add_body(world, cube, (lt_vec3){0.02f * (float)i, 0.1f + 0.195f * (float)i, 0});
        obstacles[0] = add_floor(world);
        lt_obstacle_def od = lt_obstacle_def_default();
        od.kind = LT_OBSTACLE_SPHERE;
        od.position = (lt_vec3){0.2f, 0.3f, 0};
        od.radius = 0.1f;
        obstacles[1] = add_obstacle_def(world, &od);
        for (uint32_t i = 0; i < 2; i++)
            handles[i] = lt_world_add_handle(world, bodies[i], i, (lt_vec3){0, 1, 0}, 20, NULL);
        CHECK(run(world, 5).contacts > 0);
        bool handle_gone[2] = {false, false};
        for (uint32_t k = 0; k < 7; k++) {
            uint32_t what = (k * 3 + order) % 7;
            if (what < 3) lt_world_remove_body(world, bodies[what]);
            if (what < 2) handle_gone[what] = true;
            if (what == 3 || what == 4) lt_world_remove_obstacle(world, obstacles[what - 3]);
            if (what >= 5 && !handle_gone[what - 5]) lt_world_remove_handle(world, handles[what - 5]);
            lt_report report = run(world, 2);
            CHECK_COUNT(unsound_contacts(world), 0);
            CHECK(report_is_consistent(world, &report) && world_is_finite(world));
            CHECK(report.momentum_error <= 1e-5);
        }
        CHECK_COUNT(lt_world_body_count(world) + lt_world_obstacle_count(world), 0);
        add_floor(world);
        bodies[0] = add_body(world, cube, (lt_vec3){0, 0.1f, 0});
        run(world, 30);
        CHECK_NEAR(surface_low(world, bodies[0]).y, 0, 2e-3);
        lt_world_destroy(world);
    }
}

static void contacts_are_gone_after_a_removal(void) {
    lt_world *world = make_world(NULL);
    lt_body_id body = add_body(world, cube, (lt_vec3){0, 0.1f, 0});
    lt_obstacle_id floor = add_floor(world);
    uint32_t count;
    run(world, 3);
    lt_world_contacts(world, &count);
    CHECK(count > 0);
    lt_world_remove_obstacle(world, floor);
    lt_world_contacts(world, &count);
    CHECK_COUNT(count, 0);
    CHECK_COUNT(run(world, 1).contacts, 0);
    CHECK(fastest_node(world, body) > 0.1f); /* it falls */
    lt_world_destroy(world);
}

/* ---- filters, pins, handles, forces ---- */

static void masks_decide_who_meets(void) {
    for (int meets = 0; meets < 2; meets++) {
        lt_world *world = make_world(NULL);
        lt_body_def bd = lt_body_def_default();
        bd.shape = cube;
        bd.position = (lt_vec3){0, 0.1f, 0};
        bd.collision_group = 2;
        add_body_def(world, &bd);
        bd.position.y = 0.29f;
        bd.collision_group = 4;
        bd.collision_mask = meets ? UINT32_MAX : ~2u;
        add_body_def(world, &bd);
        lt_obstacle_def od = lt_obstacle_def_default();
        od.collision_mask = meets ? UINT32_MAX : 0;
        add_obstacle_def(world, &od);
        lt_report report = run(world, 2);
        CHECK((report.contacts > 0) == (meets == 1));
        lt_world_destroy(world);
    }
}

static void pins_hold(void) {
    lt_world *world = make_world(NULL);
    lt_body_id body = add_body(world, cube, (lt_vec3){0, 1, 0});
    uint32_t pinned = lt_body_pin_box(world, body, (lt_vec3){-1, 1.05f, -1}, (lt_vec3){1, 2, 1});
    CHECK_COUNT(pinned, 9); /* the top layer of 3 × 3 × 3 nodes */
    lt_vec3 before[64], after[64];
    lt_body_get_nodes(world, body, before, NULL);
    run(world, 60);
    lt_body_get_nodes(world, body, after, NULL);
    for (uint32_t i = 0; i < lt_body_node_count(world, body); i++)
        if (before[i].y > 1.05f) CHECK_NEAR(lt_v3_distance(before[i], after[i]), 0, 1e-6);
    CHECK(lt_body_center(world, body).y > 0.98f);
    for (uint32_t i = 0; i < lt_body_node_count(world, body); i++)
        if (before[i].y > 1.05f) lt_body_unpin_node(world, body, i);
    run(world, 30);
    CHECK(lt_body_center(world, body).y < 0.5f);
    lt_world_destroy(world);
}

static void handles_pull_and_forces_push(void) {
    lt_world_def def = test_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    lt_world *world = make_world(&def);
    lt_body_id pulled = add_body(world, cube, (lt_vec3){0, 0, 0});
    lt_body_id pushed = add_body(world, cube, (lt_vec3){5, 0, 0});
    lt_vec3 vertex = lt_body_surface(world, pulled).positions[0];
    lt_vec3 target = lt_v3_add(vertex, (lt_vec3){0.5f, 0, 0});
    lt_world_add_handle(world, pulled, 0, target, 200, NULL);
    for (int i = 0; i < 300; i++) {
        lt_body_add_force(world, pushed, (lt_vec3){0, 0.1f, 0});
        lt_body_add_force(world, pushed, (lt_vec3){0, 0.1f, 0});
        lt_report report = run(world, 1);
        CHECK(report.momentum_error <= 1e-5);
    }
    vertex = lt_body_surface(world, pulled).positions[0];
    CHECK_NEAR(lt_v3_distance(vertex, target), 0, 0.02);
    /* m v' = f - a m v with a = 0.1/s: p = f/a (1 - e^(-a t)) = 0.2/0.1 (1 - e^-0.5) after 5 s. */
    CHECK_NEAR(lt_body_momentum(world, pushed).y, 2 * (1 - 0.60653), 0.002);
    run(world, 60);
    CHECK(lt_body_momentum(world, pushed).y < 0.787f); /* forces are of one step */
    lt_world_destroy(world);
}

int main(void) {
    cube = cube_shape(0.2, 2);
    RUN(the_example_works);
    RUN(an_empty_world_steps);
    RUN(names_are_known);
    RUN(defs_not_from_default_are_callers_bugs);
    RUN(bad_world_defs_are_refused);
    RUN(bad_body_defs_are_refused);
    RUN(bad_obstacle_defs_are_refused);
    RUN(bad_handles_are_refused);
    RUN(bad_calls_are_callers_bugs);
    RUN(bad_nodes_are_refused);
    RUN(room_can_be_made_after_a_step);
    RUN(removed_ids_are_callers_bugs);
    RUN(slots_are_used_again_with_new_generations);
    RUN(things_go_in_any_order);
    RUN(contacts_are_gone_after_a_removal);
    RUN(masks_decide_who_meets);
    RUN(pins_hold);
    RUN(handles_pull_and_forces_push);
    lt_shape_release(cube);
    return check_finish();
}
