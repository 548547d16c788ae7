/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What contacts have stored is state: a snapshot in the middle of an impact has it, and the world goes on from there as it would have,
 * whatever it did meanwhile. The store itself: tests/respond/test_contact_store.c. */

#include "check.h"
#include "world/fixture.h"

enum { NODES = 64, IMPACT = 8, AFTER = 12 };

static lt_world *drop(lt_shape *shape, lt_body_id *body) {
    lt_world_def wd = test_world_def();
    wd.method = LT_METHOD_REFERENCE;
    wd.sleeping = false;
    lt_world *world = make_world(&wd);
    add_floor(world);
    lt_body_def bd = lt_body_def_default();
    bd.shape = shape;
    bd.position = (lt_vec3){0, 0.16f, 0};
    bd.velocity = (lt_vec3){0.3f, -3, 0};
    bd.rotation = (lt_quat){0.05f, 0, 0.02f, 1};
    bd.material.young = 3e4f;
    *body = add_body_def(world, &bd);
    return world;
}

static void a_snapshot_has_what_contacts_have(void) {
    lt_shape *shape = cube_shape(0.2, 2);
    lt_body_id body;
    lt_world *world = drop(shape, &body);
    uint32_t pressed = 0;
    for (int at = 0; at < IMPACT; at++) {
        pressed += run(world, 1).contacts > 0;
        size_t size = lt_world_snapshot_size(world);
        uint8_t *bytes = malloc(size);
        lt_vec3 first[NODES], again[NODES], velocities[NODES];
        CHECK_FATAL(bytes && lt_world_snapshot(world, bytes, size) == size);
        run(world, AFTER);
        lt_body_get_nodes(world, body, first, velocities);
        uint64_t hash = lt_world_hash(world);
        run(world, 3 * at); /* to another state: of the way up, or at rest */
        CHECK(lt_world_restore(world, bytes, size, NULL) == LT_OK);
        run(world, AFTER);
        lt_body_get_nodes(world, body, again, velocities);
        CHECK(memcmp(first, again, lt_body_node_count(world, body) * sizeof *first) == 0);
        CHECK(lt_world_hash(world) == hash);
        CHECK(lt_world_restore(world, bytes, size, NULL) == LT_OK);
        free(bytes);
    }
    CHECK(pressed > 2);
    lt_world_destroy(world);
    lt_shape_release(shape);
}

int main(void) {
    RUN(a_snapshot_has_what_contacts_have);
    return check_finish();
}
