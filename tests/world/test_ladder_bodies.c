/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies on ladders do what bodies on their finest level alone do, to the last bit, whatever the method; and so do queries. */

#include "lithe/collision.h"
#include "world/cube_ladder.h"

/* Two cubes that fall on each other; the hash of what comes of it. */
static uint64_t fall(lt_shape *shape, lt_method method, uint32_t *node_count, uint32_t *contacts) {
    lt_world_def def = test_world_def();
    def.method = method;
    lt_world *world = make_world(&def);
    if (!world || !shape) return 0;
    add_floor(world);
    lt_body_id low = add_body(world, shape, (lt_vec3){0, 0.12f, 0});
    add_body(world, shape, (lt_vec3){0.06f, 0.34f, 0.03f});
    *contacts = 0;
    for (int step = 0; step < 20; step++)
        *contacts += run(world, 1).contacts;
    *node_count = lt_body_node_count(world, low);
    uint64_t hash = lt_world_hash(world);
    lt_world_destroy(world);
    return hash;
}

static void bodies_move_as_on_the_finest_level(void) {
    static const lt_method methods[] = {LT_METHOD_REFERENCE, LT_METHOD_SPHERE_TREE, LT_METHOD_TET_HASH,
                                        LT_METHOD_MULTISCALE};
    for (int i = 0; i < 4; i++) {
        lt_shape *ladder = prepare(cube_ladder(), methods[i]);
        lt_shape *plain = prepare(cube_shape(0.2, 4), methods[i]);
        uint32_t nodes[2] = {0}, contacts[2] = {0};
        uint64_t hashes[2] = {fall(ladder, methods[i], &nodes[0], &contacts[0]),
                              fall(plain, methods[i], &nodes[1], &contacts[1])};
        CHECK(hashes[0] != 0 && hashes[0] == hashes[1]);
        CHECK_COUNT(nodes[0], 125);
        CHECK_COUNT(nodes[1], 125);
        CHECK(contacts[0] > 0);
        lt_shape_release(ladder);
        lt_shape_release(plain);
    }
}

static void queries_take_nodes_of_the_finest_level(void) {
    lt_shape *ladder = prepare(cube_ladder(), LT_METHOD_MULTISCALE);
    lt_collision_def def = lt_collision_def_default();
    lt_collision *collision = NULL;
    lt_collision_body_def body = lt_collision_body_def_default();
    body.shape = ladder;
    CHECK_FATAL(lt_collision_create(&def, &collision, NULL) == LT_OK);
    lt_body_id id = lt_collision_add_body(collision, &body, NULL);
    CHECK(id.index_plus_one != 0);
    CHECK_COUNT(lt_collision_node_count(collision, id), 125);
    lt_collision_destroy(collision);
    lt_shape_release(ladder);
}

int main(void) {
    RUN(bodies_move_as_on_the_finest_level);
    RUN(queries_take_nodes_of_the_finest_level);
    return check_finish();
}
