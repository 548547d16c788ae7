/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Collision only and bad input: every refusal names what is wrong and changes nothing; every allocation fails once; nothing
 * allocates between adding and removing. */

#include "world/fixture.h"

#include "failing_allocator.h"
#include "world/collide_fixture.h"

static lt_shape *tree_shape, *plain_shape; /* with a tree and without one */

static lt_collision_def small_def(void) {
    lt_collision_def def = lt_collision_def_default();
    def.contact_capacity = 4096;
    def.pair_capacity = 16;
    return def;
}

/* ---- defs ---- */

static void defs_are_checked(void) {
    for (int which = 0; which < 6; which++) {
        lt_collision_def def = lt_collision_def_default();
        lt_collision *collision = (lt_collision *)&def;
        lt_error error = {0};
        if (which == 0) def.separation = -1;
        if (which == 1) def.separation = NAN;
        if (which == 2) def.contact_capacity = 0;
        if (which == 3) def.pair_capacity = UINT32_MAX;
        if (which == 4) def.allocator.release = NULL;
        if (which == 5) def.cookie = 1;
        if (which < 5)
            CHECK(lt_collision_create(&def, &collision, &error) == LT_STATUS_INVALID);
        else
            CHECK_CALLER_BUG(CHECK(lt_collision_create(&def, &collision, &error) == LT_STATUS_INVALID));
        CHECK(collision == NULL && error.message[0]);
    }
    lt_collision_destroy(NULL);
}

static lt_error refused_body(lt_collision *collision, const lt_collision_body_def *def) {
    lt_error error = {0};
    CHECK(lt_collision_add_body(collision, def, &error).index_plus_one == 0);
    return error;
}

static void bodies_are_checked(void) {
    lt_collision_def def = small_def();
    lt_collision *collision = make_collision(&def);
    lt_collision_body_def body = lt_collision_body_def_default();
    CHECK_CONTAINS(refused_body(collision, &body).message, "no shape");
    body.shape = plain_shape;
    lt_error error = refused_body(collision, &body);
    CHECK(error.status == LT_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(error.message, "lithe bake");
    CHECK_CONTAINS(error.message, "--tree");
    body.shape = tree_shape;
    body.significance = NAN;
    CHECK_CONTAINS(refused_body(collision, &body).message, "significance");
    body.significance = 1;
    body.cookie = 0;
    CHECK_CALLER_BUG(refused_body(collision, &body));
    CHECK_COUNT(lt_collision_find(collision, lt_budget_unlimited()).contacts, 0); /* nothing is there */
    lt_collision_destroy(collision);
}

/* A lattice has no tets to hang a tree on. */
static void lattices_are_refused(void) {
    lt_surface ball;
    lt_error error = {0};
    lt_shape *lattice = NULL;
    CHECK_FATAL(make_ball(&ball, 1, 0.4));
    lt_bake_surface_def bake = lt_bake_surface_def_default();
    bake.positions = &ball.positions[0].x;
    bake.triangles = ball.triangles;
    bake.vertex_count = ball.vertex_count;
    bake.triangle_count = ball.triangle_count;
    bake.carrier = LT_CARRIER_LATTICE;
    bake.target_cells = 20;
    bake.distance_resolution = 8;
    CHECK_FATAL(lt_bake_surface(&bake, &lattice, NULL, &error) == LT_OK);
    lt_collision_def def = small_def();
    lt_collision *collision = make_collision(&def);
    lt_collision_body_def body = lt_collision_body_def_default();
    body.shape = lattice;
    CHECK_CONTAINS(refused_body(collision, &body).message, "lattice");
    lt_collision_destroy(collision);
    lt_shape_release(lattice);
    lt_surface_free(&ball);
}

/* ---- nodes ---- */

static void nodes_are_checked(void) {
    lt_random random = lt_random_seed(3);
    lt_collision_def def = small_def();
    collide_scene s;
    CHECK_FATAL(collide_make(&s, 2, 0.42, 2, &def));
    deform_all(&s, MOTION_PINCH, 0.2, &random);
    set_all(&s, true);
    uint64_t contacts = lt_collision_find(s.collision, lt_budget_unlimited()).contacts;
    uint32_t count = s.f.carrier.node_count;
    CHECK(contacts > 0);
    static const float bad[] = {NAN, INFINITY, -INFINITY, 2e15f};
    for (int i = 0; i < 8; i++) {
        float *at = (i % 2 ? s.to : s.from)[1] + 4 * 5 + i % 3, good = *at;
        lt_error error = {0};
        *at = bad[i / 2];
        CHECK(set_body(&s, 1, true, &error) == LT_STATUS_INVALID);
        CHECK_CONTAINS(error.message, "node 5");
        CHECK_CONTAINS(error.message, i % 2 ? "end" : "start");
        *at = good;
    }
    lt_collision_nodes wrong[] = {{s.from[0], s.to[0], count - 1, 4},
                                  {s.from[0], s.to[0], count + 1, 4},
                                  {s.from[0], s.to[0], 0, 4},
                                  {NULL, s.to[0], count, 4},
                                  {s.from[0], s.to[0], count, 2}};
    static const char *const names[] = {"carrier has", "carrier has", "carrier has", "no start", "stride 2"};
    for (uint32_t i = 0; i < LT_COUNT_OF(wrong); i++) {
        lt_error error = {0};
        CHECK(lt_collision_set_nodes(s.collision, s.bodies[0], &wrong[i], &error) == LT_STATUS_INVALID);
        CHECK_CONTAINS(error.message, names[i]);
        CHECK(lt_collision_set_nodes(s.collision, s.bodies[0], &wrong[i], NULL) == LT_STATUS_INVALID);
    }
    lt_collision_body_def body = lt_collision_body_def_default();
    body.shape = plain_shape;
    refused_body(s.collision, &body);
    /* Nothing was changed: not even the interval is over. */
    lt_report report = lt_collision_find(s.collision, lt_budget_unlimited());
    CHECK_COUNT(report.step, 1);
    CHECK_COUNT(report.contacts, contacts);
    CHECK_COUNT(report.units, 0);
    collide_free(&s);
}

/* Packed as three floats, and with a stride of 0. */
static void any_stride_gives_the_same(void) {
    lt_random random = lt_random_seed(3);
    lt_collision_def def = small_def();
    collide_scene s;
    CHECK_FATAL(collide_make(&s, 1, 0.42, 2, &def));
    deform_all(&s, MOTION_PINCH, 0.2, &random);
    set_all(&s, true);
    uint64_t contacts = lt_collision_find(s.collision, lt_budget_unlimited()).contacts;
    CHECK(contacts > 0);
    uint32_t count = s.f.carrier.node_count;
    float *packed = LT_NEW(NULL, 6 * (size_t)count, float);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(packed + 3 * i, s.from[0] + 4 * i, 3 * sizeof(float));
        memcpy(packed + 3 * (count + i), s.to[0] + 4 * i, 3 * sizeof(float));
    }
    for (uint32_t stride = 0; stride <= 3; stride += 3) {
        lt_collision_nodes nodes = {packed, packed + 3 * (size_t)count, count, stride};
        CHECK(lt_collision_set_nodes(s.collision, s.bodies[0], &nodes, NULL) == LT_OK);
        CHECK_COUNT(lt_collision_find(s.collision, lt_budget_unlimited()).contacts, contacts);
    }
    LT_DELETE(NULL, packed, 6 * (size_t)count, float);
    collide_free(&s);
}

/* Far away, flat, and of no size at all: no crash, and what is found is finite. */
static void extremes_are_survived(void) {
    lt_collision_def def = small_def();
    def.separation = 0.01f;
    collide_scene s;
    CHECK_FATAL(collide_make(&s, 2, 0.42, 2, &def));
    static const float scales[] = {0, 1e-30f, 1e-6f, 1e6f, 1e14f};
    for (uint32_t k = 0; k < LT_COUNT_OF(scales); k++) {
        lt_random random = lt_random_seed(k);
        deform_all(&s, MOTION_NOISE, 0.2, &random);
        for (uint32_t body = 0; body < 2; body++)
            for (uint32_t i = 0; i < 4 * s.f.carrier.node_count; i++) {
                s.from[body][i] *= scales[k];
                s.to[body][i] *= scales[k];
            }
        set_all(&s, true);
        lt_report report = lt_collision_find(s.collision, lt_budget_collision_units(2000000));
        uint32_t count;
        const lt_collision_contact *contacts = lt_collision_contacts(s.collision, &count);
        CHECK_COUNT(report.contacts, count);
        for (uint32_t i = 0; i < count; i++)
            CHECK(lt_v3_is_finite(contacts[i].position) && lt_v3_is_finite(contacts[i].normal) &&
                  contacts[i].time >= 0 && contacts[i].time <= 1);
    }
    collide_free(&s);
}

/* ---- obstacles and ids ---- */

static void obstacles_are_checked(void) {
    lt_collision_def def = small_def();
    lt_collision *collision = make_collision(&def);
    lt_error error = {0};
    lt_obstacle_def bad = lt_obstacle_def_default();
    bad.kind = LT_OBSTACLE_SPHERE;
    bad.radius = -1;
    CHECK(lt_collision_add_obstacle(collision, &bad, &error).index_plus_one == 0);
    CHECK_CONTAINS(error.message, "radius");
    lt_obstacle_def plane = lt_obstacle_def_default();
    lt_obstacle_id id = lt_collision_add_obstacle(collision, &plane, &error);
    lt_collision_motion way = {{0, NAN, 0}, {0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 1}};
    CHECK(lt_collision_set_obstacle(collision, id, &way, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "position");
    way.start_position.y = 0;
    way.end_rotation.w = 0;
    CHECK(lt_collision_set_obstacle(collision, id, &way, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "rotation");
    lt_collision_remove_obstacle(collision, id);
    CHECK_CALLER_BUG(lt_collision_remove_obstacle(collision, id));
    CHECK_CALLER_BUG(lt_collision_set_obstacle(collision, id, &way, NULL));
    CHECK_CALLER_BUG(lt_collision_obstacle_data(collision, id));
    lt_body_id body = add_collision_body(collision, tree_shape);
    lt_collision_remove_body(collision, body);
    lt_collision_nodes nodes = {0};
    CHECK_CALLER_BUG(lt_collision_remove_body(collision, body));
    CHECK_CALLER_BUG(lt_collision_set_nodes(collision, body, &nodes, NULL));
    CHECK_CALLER_BUG(lt_collision_node_count(collision, body));
    CHECK_CALLER_BUG(lt_collision_body_data(collision, body));
    CHECK_CALLER_BUG(lt_collision_find(NULL, lt_budget_unlimited()));
    CHECK_CALLER_BUG(lt_collision_contacts(NULL, NULL));
    CHECK_CALLER_BUG(lt_collision_pending(NULL, NULL));
    lt_collision_destroy(collision);
}

/* ---- memory ---- */

/* Makes all there is; false when memory was out somewhere, with that status everywhere. */
static bool build_all(lt_collision **out, const lt_allocator *allocator) {
    lt_collision_def def = small_def();
    lt_error error = {0};
    def.allocator = *allocator;
    if (lt_collision_create(&def, out, &error) != LT_OK) {
        CHECK(error.status == LT_STATUS_MEMORY && *out == NULL);
        return false;
    }
    lt_collision_body_def body = lt_collision_body_def_default();
    body.shape = tree_shape;
    lt_obstacle_def plane = lt_obstacle_def_default();
    bool made = true;
    for (int i = 0; i < 2; i++) {
        error.status = LT_OK;
        made = lt_collision_add_body(*out, &body, &error).index_plus_one != 0 && made;
        CHECK(error.status == LT_OK || error.status == LT_STATUS_MEMORY);
    }
    made = lt_collision_add_obstacle(*out, &plane, &error).index_plus_one != 0 && made;
    /* What there is still works. */
    lt_report report = lt_collision_find(*out, lt_budget_unlimited());
    CHECK_COUNT(report.interrupted, 0);
    return made;
}

static void every_allocation_fails_once(void) {
    bool made = false;
    int allowed = 0;
    for (; !made && allowed < 500; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_collision *collision = NULL;
        made = build_all(&collision, &allocator);
        lt_collision_destroy(collision);
        CHECK_COUNT(f.blocks_out, 0);
        CHECK_COUNT(f.bytes_out, 0);
    }
    CHECK(made && allowed > 40);
}

static void searching_allocates_nothing(void) {
    lt_random random = lt_random_seed(8);
    failing f = failing_after(INT32_MAX);
    lt_collision_def def = small_def();
    def.allocator = failing_allocator(&f);
    collide_scene s;
    CHECK_FATAL(collide_make(&s, 2, 0.42, 2, &def));
    lt_obstacle_def plane = lt_obstacle_def_default();
    lt_collision_add_obstacle(s.collision, &plane, NULL);
    f.allowed = 0;
    uint64_t contacts = 0;
    for (uint32_t i = 0; i < 6; i++) {
        deform_all(&s, MOTION_NOISE, 0.2, &random);
        set_all(&s, true);
        lt_report report =
            lt_collision_find(s.collision, i % 2 ? lt_budget_unlimited() : lt_budget_collision_us(100));
        CHECK_COUNT(report.allocations, 0);
        uint32_t count;
        lt_collision_contacts(s.collision, &count);
        lt_collision_pending(s.collision, &count);
        contacts += report.contacts;
    }
    CHECK_COUNT(f.allowed, 0); /* nobody asked */
    CHECK(contacts > 0);
    collide_free(&s);
    CHECK_COUNT(f.blocks_out, 0);
}

int main(void) {
    lt_surface ball;
    lt_error error = {0};
    lt_bake_tree_def def = lt_bake_tree_def_default();
    if (!make_ball(&ball, 1, 0.42)) return 1;
    plain_shape = shape_in_block(&ball, 2);
    lt_surface_free(&ball);
    if (lt_bake_tree(plain_shape, &def, &tree_shape, &error) != LT_OK)
        CHECK_FAIL_MESSAGE("%s", error.message);
    RUN(defs_are_checked);
    RUN(bodies_are_checked);
    RUN(lattices_are_refused);
    RUN(nodes_are_checked);
    RUN(any_stride_gives_the_same);
    RUN(extremes_are_survived);
    RUN(obstacles_are_checked);
    RUN(every_allocation_fails_once);
    RUN(searching_allocates_nothing);
    lt_shape_release(plain_shape);
    lt_shape_release(tree_shape);
    return check_finish();
}
