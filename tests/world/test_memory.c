/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Stepping, saving and restoring allocate nothing; and every allocation of creating and adding fails once: the status says so,
 * nothing leaks, and the world goes on as if the call had not been made. */

#include "failing_allocator.h"
#include "world/fixture.h"

static lt_shape *cube, *brick;

typedef struct counting {
    uint64_t calls;
    uint64_t bytes, bytes_out; /* ever asked for, and not given back */
} counting;

static void *counting_allocate(void *context, size_t size, size_t alignment) {
    counting *count = context;
    count->calls++;
    count->bytes += size;
    count->bytes_out += size;
    lt_allocator below = lt_allocator_default();
    return below.allocate(below.context, size, alignment);
}

static void counting_release(void *context, void *memory, size_t size) {
    ((counting *)context)->bytes_out -= size;
    lt_allocator below = lt_allocator_default();
    below.release(below.context, memory, size);
}

/* Saves on the way and goes back, by turns. */
static void save_or_restore(lt_world *world, uint32_t step) {
    static uint8_t kept[1 << 20];
    static size_t size;
    if (step % 40 == 10) size = lt_world_snapshot(world, kept, sizeof kept);
    if (step % 40 == 20) CHECK(lt_world_restore(world, kept, size, NULL) == LT_OK);
}

static void steps_and_snapshots_allocate_nothing(void) {
    counting count = {0};
    lt_world_def def = test_world_def();
    def.allocator = (lt_allocator){counting_allocate, counting_release, &count};
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_id bodies[4];
    for (uint32_t i = 0; i < 4; i++) {
        lt_body_def bd = lt_body_def_default();
        bd.shape = cube;
        bd.position = (lt_vec3){0.03f * (float)i, 0.12f + 0.21f * (float)i, 0};
        bd.model = i == 3 ? LT_MODEL_EXPLICIT_FEM : LT_MODEL_COROTATIONAL;
        bodies[i] = add_body_def(world, &bd);
    }
    lt_handle_id handle = lt_world_add_handle(world, bodies[1], 0, (lt_vec3){0.3f, 0.3f, 0}, 50, NULL);
    uint64_t before = count.calls, slept = 0, contacts = 0;
    for (uint32_t i = 0; i < 300; i++) {
        save_or_restore(world, i);
        if (i == 60) lt_world_remove_handle(world, handle);
        if (i == 240) lt_body_wake(world, bodies[0]);
        if (i == 250) lt_body_add_force(world, bodies[2], (lt_vec3){0, 400, 0});
        lt_report report =
            lt_world_step(world, STEP_DT, i % 3 ? lt_budget_unlimited() : lt_budget_collision_units(20 * i));
        CHECK_COUNT(report.allocations, 0);
        slept += report.sleeping;
        contacts += report.contacts;
    }
    CHECK_COUNT(count.calls, before);
    CHECK(slept > 0 && contacts > 1000);
    lt_world_destroy(world);
}

/* Scratch that the caller has fixed may be too little, and a world without bodies needs none. */
static void restoring_without_room_is_refused(void) {
    static uint8_t kept[1 << 16];
    lt_error error = {0};
    lt_world_def def = test_world_def();
    lt_world *world = make_world(&def);
    size_t size = lt_world_snapshot(world, kept, sizeof kept);
    CHECK(lt_world_restore(world, kept, size, &error) == LT_OK);
    lt_world_destroy(world);
    def.scratch_capacity = 1000;
    world = make_world(&def);
    add_body(world, cube, (lt_vec3){0, 1, 0});
    uint64_t hash = lt_world_hash(world);
    size = lt_world_snapshot(world, kept, sizeof kept);
    CHECK(size > 0 && lt_world_restore(world, kept, size, &error) == LT_STATUS_CAPACITY);
    CHECK(strstr(error.message, "raise scratch_capacity") != NULL);
    CHECK(lt_world_hash(world) == hash);
    lt_world_destroy(world);
}

/* The scratch is moved and cleared a few times, not once for every body. */
static void adding_many_bodies_asks_for_little(void) {
    enum { BODIES = 200 };
    counting count = {0};
    lt_world_def def = test_world_def();
    def.allocator = (lt_allocator){counting_allocate, counting_release, &count};
    lt_world *world = make_world(&def);
    uint64_t before = count.bytes;
    for (uint32_t i = 0; i < BODIES; i++)
        add_body(world, cube, (lt_vec3){(float)i, 0, 0});
    CHECK(count.bytes - before < 10 * count.bytes_out);
    CHECK_COUNT(run(world, 2).problems & LT_PROBLEM_SCRATCH, 0);
    lt_world_destroy(world);
    CHECK_COUNT(count.bytes_out, 0);
}

/* ---- the failing allocator ---- */

static void creating_fails_cleanly(void) {
    lt_world *world = NULL;
    int allowed = 0;
    for (; !world && allowed < 100; allowed++) {
        failing f = failing_after(allowed);
        lt_error error = {0};
        lt_world_def def = test_world_def();
        def.allocator = failing_allocator(&f);
        def.contact_capacity = 64;
        lt_status status = lt_world_create(&def, &world, &error);
        CHECK(status == (world ? LT_OK : LT_STATUS_MEMORY) && error.status == status);
        lt_world_destroy(world);
        CHECK_COUNT(f.blocks_out, 0);
        CHECK_COUNT(f.bytes_out, 0);
    }
    CHECK(world && allowed > 5);
}

static void world_goes_on(lt_world *world, uint64_t hash) {
    CHECK(lt_world_hash(world) == hash);
    saved s = save_world(world);
    CHECK_COUNT(run(world, 3).problems & LT_PROBLEM_SCRATCH, 0);
    CHECK(world_is_finite(world));
    CHECK(load_world(world, &s) == LT_OK);
    CHECK(lt_world_hash(world) == hash);
    drop_saved(&s);
}

typedef bool add_fn(lt_world *world, lt_error *error);

static bool add_a_body(lt_world *world, lt_error *error) {
    lt_body_def def = lt_body_def_default();
    def.shape = brick;
    def.position = (lt_vec3){0.1f * (float)lt_world_body_count(world), 0.6f, 0};
    return lt_world_add_body(world, &def, error).index_plus_one != 0;
}

static bool add_a_ball(lt_world *world, lt_error *error) {
    lt_obstacle_def def = lt_obstacle_def_default();
    def.kind = LT_OBSTACLE_SPHERE;
    def.position = (lt_vec3){0, -1, 0};
    return lt_world_add_obstacle(world, &def, error).index_plus_one != 0;
}

static bool add_a_mesh(lt_world *world, lt_error *error) {
    static const lt_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    lt_obstacle_def def = lt_obstacle_def_default();
    def.kind = LT_OBSTACLE_MESH;
    def.position = (lt_vec3){5, -1, 0};
    def.mesh_positions = points;
    def.mesh_vertex_count = 4;
    def.mesh_triangles = triangles;
    def.mesh_triangle_count = 4;
    def.mesh_resolution = 4;
    return lt_world_add_obstacle(world, &def, error).index_plus_one != 0;
}

static bool add_a_handle(lt_world *world, lt_error *error) {
    lt_body_id body = lt_world_body_at(world, 0);
    return lt_world_add_handle(world, body, 0, (lt_vec3){0, 1, 0}, 5, error).index_plus_one != 0;
}

/* `before` bodies are there already; then every allocation of one more `add` fails in turn. */
static void adding_fails_cleanly(uint32_t before, add_fn *add) {
    failing f = failing_after(INT32_MAX);
    lt_error error = {0};
    lt_world_def def = test_world_def();
    def.allocator = failing_allocator(&f);
    def.contact_capacity = 256;
    lt_world *world = make_world(&def);
    for (uint32_t i = 0; i < before; i++)
        CHECK(add_a_body(world, &error));
    run(world, 1);
    uint64_t hash = lt_world_hash(world);
    bool added = false;
    int allowed = 0;
    for (; !added && allowed < 200; allowed++) {
        f.allowed = allowed;
        error = (lt_error){0};
        added = add(world, &error);
        f.allowed = INT32_MAX;
        if (added) break;
        CHECK(error.status == LT_STATUS_MEMORY && error.message[0]);
        CHECK_COUNT(lt_world_body_count(world), before);
        world_goes_on(world, hash);
    }
    CHECK(added && allowed > 0);
    CHECK_COUNT(run(world, 3).problems & LT_PROBLEM_SCRATCH, 0);
    lt_world_destroy(world);
    CHECK_COUNT(f.blocks_out, 0);
    CHECK_COUNT(f.bytes_out, 0);
}

static void bodies_fail_cleanly(void) {
    adding_fails_cleanly(0, add_a_body);
    adding_fails_cleanly(2, add_a_body);
    adding_fails_cleanly(16, add_a_body); /* the broad phase's room is for 16 at first */
}

static void obstacles_fail_cleanly(void) {
    adding_fails_cleanly(1, add_a_ball);
    adding_fails_cleanly(1, add_a_mesh);
}

static void handles_fail_cleanly(void) {
    adding_fails_cleanly(1, add_a_handle);
}

int main(void) {
    cube = cube_shape(0.2, 2);
    brick = block_shape(0.1, 0.1, 0.1, 1, 1, 1);
    RUN(steps_and_snapshots_allocate_nothing);
    RUN(restoring_without_room_is_refused);
    RUN(adding_many_bodies_asks_for_little);
    RUN(creating_fails_cleanly);
    RUN(bodies_fail_cleanly);
    RUN(obstacles_fail_cleanly);
    RUN(handles_fail_cleanly);
    lt_shape_release(cube);
    lt_shape_release(brick);
    return check_finish();
}
