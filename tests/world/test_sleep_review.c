/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Sleeping bodies beside what moves: handles wait with them, and they decide no stiffness. */

#include "world/fixture.h"

static lt_body_id add_cube(lt_world *world, lt_shape *shape, lt_vec3 position, lt_model model) {
    lt_body_def def = lt_body_def_default();
    def.shape = shape;
    def.position = position;
    def.model = model;
    def.material.young = 3e6f; /* hard rubber, which rests soon */
    return add_body_def(world, &def);
}

/* The handle of a body that sleeps is no coupling of those awake: it would be given to a body that has no place. */
static void handles_of_sleeping_bodies_rest(void) {
    lt_shape *shape = cube_shape(1, 1);
    lt_world *world = make_world(NULL);
    lt_world_set_gravity(world, (lt_vec3){0, 0, 0});
    lt_body_id awake = add_cube(world, shape, (lt_vec3){-50, 3, 0}, LT_MODEL_COROTATIONAL);
    lt_body_id held = add_cube(world, shape, (lt_vec3){0, 3, 0}, LT_MODEL_COROTATIONAL);
    lt_vec3 corner = lt_body_surface(world, held).positions[0];
    float before = lt_body_center(world, held).y;
    lt_handle_id handle = lt_world_add_handle(world, held, 0, corner, 1e5f, NULL);
    for (int i = 0; i < 60; i++) {
        lt_body_wake(world, awake);
        run(world, 1);
    }
    CHECK(lt_body_is_asleep(world, held) && !lt_body_is_asleep(world, awake));
    corner.y += 1;
    lt_world_move_handle(world, handle, corner);
    CHECK(!lt_body_is_asleep(world, held));
    run(world, 10);
    CHECK(lt_body_center(world, held).y > before + 0.1f);
    lt_world_destroy(world);
    lt_shape_release(shape);
}

/* The upper cube slowly down onto the lower one, which goes on sleeping. */
static void lower_onto_sleeper(lt_world *world) {
    lt_body_id lower = lt_world_body_at(world, 0), upper = lt_world_body_at(world, 1);
    lt_world_set_gravity(world, (lt_vec3){0, 0, 0});
    run(world, 40);
    CHECK(lt_body_is_asleep(world, lower));
    lt_vec3 nodes[8], velocities[8];
    lt_body_get_nodes(world, upper, nodes, velocities);
    for (int i = 0; i < 8; i++) {
        nodes[i].y -= 0.52f;
        velocities[i].y = -0.01f;
    }
    CHECK(lt_body_set_nodes(world, upper, nodes, velocities, NULL) == LT_OK);
    CHECK(lt_body_is_asleep(world, lower));
}

/* A sleeping explicit-fem body has a number of sub-steps from its last step, which no snapshot holds. */
static void sleepers_decide_no_stiffness(void) {
    lt_shape *shape = cube_shape(1, 1);
    uint64_t hashes[2] = {0, 1};
    void *bytes = NULL;
    size_t size = 0;
    for (int copy = 0; copy < 2; copy++) {
        lt_world *world = make_world(NULL);
        add_cube(world, shape, (lt_vec3){0, 0, 0}, LT_MODEL_EXPLICIT_FEM);
        add_cube(world, shape, (lt_vec3){0.3f, 1.5f, 0.2f}, LT_MODEL_COROTATIONAL);
        if (copy == 0) {
            lower_onto_sleeper(world);
            size = lt_world_snapshot_size(world);
            bytes = malloc(size);
            CHECK(lt_world_snapshot(world, bytes, size) == size);
        } else {
            CHECK(lt_world_restore(world, bytes, size, NULL) == LT_OK);
        }
        lt_report report = run(world, 1);
        CHECK(report.contacts > 0 && report.sleeping == 1);
        run(world, 2);
        hashes[copy] = lt_world_hash(world);
        lt_world_destroy(world);
    }
    CHECK(hashes[0] == hashes[1]);
    free(bytes);
    lt_shape_release(shape);
}

int main(void) {
    RUN(handles_of_sleeping_bodies_rest);
    RUN(sleepers_decide_no_stiffness);
    return check_finish();
}
