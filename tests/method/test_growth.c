/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Memory of a world comes with what is added: an empty one is small with every method, capacities follow their law up to the
 * ceilings, and where memory ends on the way the world goes on as it was. */

#include "failing_allocator.h"
#include "method/lattice_world.h"
#include "method/multiscale_world.h"
#include "method/sphere_world.h"
#include "world/world.h"

typedef struct variant {
    lt_method method;
    lt_mode mode;
} variant;

static const variant VARIANTS[] = {
    {LT_METHOD_REFERENCE, LT_MODE_SAFE},   {LT_METHOD_SPHERE_TREE, LT_MODE_SAFE},
    {LT_METHOD_TET_HASH, LT_MODE_SAFE},    {LT_METHOD_CELL_BOX, LT_MODE_SAFE},
    {LT_METHOD_MULTISCALE, LT_MODE_SAFE},  {LT_METHOD_TET_HASH, LT_MODE_PAPER},
    {LT_METHOD_SPHERE_TREE, LT_MODE_PAPER}};

static lt_shape *shapes[LT_METHOD_COUNT];

static lt_world_def def_of(variant v) {
    lt_world_def def = lt_world_def_default();
    def.method = v.method;
    def.mode = v.mode;
    return def;
}

static bool add_cube(lt_world *world, lt_vec3 position, lt_error *error) {
    lt_body_def def = lt_body_def_default();
    def.shape = shapes[world->def.method];
    def.position = position;
    if (world->def.method == LT_METHOD_CELL_BOX) def.model = LT_MODEL_LATTICE_MATCHING;
    return lt_world_add_body(world, &def, error).index_plus_one != 0;
}

static bool add_ball(lt_world *world, lt_error *error) {
    lt_obstacle_def def = lt_obstacle_def_default();
    def.kind = LT_OBSTACLE_SPHERE;
    def.radius = 0.05f;
    def.position = (lt_vec3){0, -1, 0};
    return lt_world_add_obstacle(world, &def, error).index_plus_one != 0;
}

/* ---- little ---- */

static void an_empty_world_is_small(void) {
    for (size_t i = 0; i < sizeof VARIANTS / sizeof *VARIANTS; i++) {
        failing f = failing_after(INT32_MAX);
        lt_world_def def = def_of(VARIANTS[i]);
        def.allocator = failing_allocator(&f);
        lt_world *world = make_world(&def);
        printf("empty world, %s, %s: %zu bytes\n", lt_method_name(def.method), lt_mode_name(def.mode),
               f.bytes_most);
        CHECK(f.bytes_most <= 1u << 20);
        CHECK_COUNT(run(world, 2).problems, 0);
        lt_world_destroy(world);
        CHECK_COUNT(f.bytes_out, 0);
    }
}

/* ---- the law ---- */

static void pairs_are_all_that_there_can_be(void) {
    enum { BODIES = 12, OBSTACLES = 3 };
    for (size_t i = 0; i < sizeof VARIANTS / sizeof *VARIANTS; i++) {
        lt_world_def def = def_of(VARIANTS[i]);
        lt_world *world = make_world(&def);
        for (uint32_t n = 1; n <= BODIES; n++) {
            CHECK(add_cube(world, (lt_vec3){0.001f * (float)n, 0, 0}, NULL));
            if (n % 4 == 0) CHECK(add_ball(world, NULL));
            CHECK(world->capacities.pairs >= n * (n + 1) / 2 + n * (n / 4));
        }
        CHECK(world->capacities.pairs < 2 * (BODIES * (BODIES + 1) / 2 + BODIES * OBSTACLES));
        /* All of them in one place: every pair is there. */
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(20000));
        CHECK_COUNT(report.problems & (LT_PROBLEM_PAIR_CAPACITY | LT_PROBLEM_SCRATCH), 0);
        CHECK(world->method->pairs(world->method_state)->count >= BODIES * (BODIES - 1) / 2);
        CHECK_COUNT(report.allocations, 0);
        lt_world_destroy(world);
    }
}

static void contacts_follow_points_and_boxes(void) {
    for (size_t i = 0; i < sizeof VARIANTS / sizeof *VARIANTS; i++) {
        lt_world_def def = def_of(VARIANTS[i]);
        lt_world *world = make_world(&def);
        CHECK_COUNT(world->capacities.contacts, 0);
        CHECK(add_cube(world, (lt_vec3){0, 0, 0}, NULL));
        uint32_t points = lt_collider_at(world, 0)->skin->point_count, one = world->capacities.contacts;
        CHECK(one <= 64 + 4 * points);
        if (def.method == LT_METHOD_CELL_BOX)
            CHECK(one <= 64 + 16 * lt_collider_at(world, 0)->cells.layout->box_count);
        else
            CHECK_COUNT(one, 64 + 4 * points);
        for (uint32_t n = 2; n <= 9; n++) {
            CHECK(add_cube(world, (lt_vec3){(float)n, 0, 0}, NULL));
            CHECK(world->capacities.contacts >= n * one &&
                  world->capacities.contacts <= (3 * n * one + 1) / 2);
        }
        bool has_spheres = def.method == LT_METHOD_SPHERE_TREE;
        uint32_t spheres = has_spheres ? 8 * lt_collider_at(world, 0)->spheres.tree->block_count : 0;
        CHECK_COUNT(world->capacities.sphere_pairs, 128 * spheres); /* of two trees, however many bodies */
        lt_world_destroy(world);
    }
}

static void capacities_end_at_the_ceilings_and_never_shrink(void) {
    lt_world_def def = def_of(VARIANTS[1]);
    def.contact_capacity = 777;
    def.pair_capacity = 33;
    def.sphere_tree.queue_capacity = 1234;
    lt_world *world = make_world(&def);
    for (uint32_t n = 0; n < 20; n++)
        CHECK(add_cube(world, (lt_vec3){(float)n, 0, 0}, NULL));
    CHECK_COUNT(world->capacities.contacts, 777);
    CHECK_COUNT(world->capacities.pairs, 33);
    CHECK_COUNT(world->capacities.sphere_pairs, 1234);
    while (lt_world_body_count(world) > 1)
        lt_world_remove_body(world, lt_world_body_at(world, 0));
    CHECK(add_ball(world, NULL));
    CHECK_COUNT(world->capacities.contacts, 777);
    CHECK_COUNT(world->capacities.pairs, 33);
    CHECK_COUNT(run(world, 2).problems, 0);
    lt_world_destroy(world);
}

/* More than bodies bring, for whoever asks; and it is there in a step. */
static void more_is_reserved_on_demand(void) {
    for (size_t i = 0; i < sizeof VARIANTS / sizeof *VARIANTS; i++) {
        lt_error error = {0};
        lt_world_def def = def_of(VARIANTS[i]);
        lt_world *world = make_world(&def);
        CHECK(lt_world_reserve(world, 5000, 600, 0, &error) == LT_OK);
        CHECK(add_cube(world, (lt_vec3){0, 0, 0}, &error));
        CHECK_COUNT(world->capacities.contacts, 5000);
        CHECK_COUNT(world->capacities.pairs, 600);
        CHECK_COUNT(world->method->contacts(world->method_state)->capacity, 5000);
        CHECK_COUNT(run(world, 2).problems, 0);
        CHECK(lt_world_reserve(world, 10, 10, 0, &error) == LT_OK); /* that is there */
        CHECK_COUNT(world->capacities.contacts, 5000);
        CHECK(lt_world_reserve(world, def.contact_capacity + 1, 1, 0, &error) == LT_STATUS_CAPACITY);
        lt_world_destroy(world);
    }
}

/* ---- where memory ends ---- */

static void goes_on(lt_world *world, uint64_t hash) {
    CHECK(lt_world_hash(world) == hash);
    saved s = save_world(world);
    lt_report report = run(world, 2);
    CHECK_COUNT(report.problems & LT_PROBLEM_SCRATCH, 0);
    CHECK_COUNT(report.allocations, 0);
    CHECK(world_is_finite(world));
    CHECK(load_world(world, &s) == LT_OK);
    CHECK(lt_world_hash(world) == hash);
    drop_saved(&s);
}

typedef bool grow_fn(lt_world *world, lt_error *error);

static bool grow_by_a_body(lt_world *world, lt_error *error) {
    return add_cube(world, (lt_vec3){0.19f * (float)lt_world_body_count(world), 0.1f, 0}, error);
}

static bool grow_on_demand(lt_world *world, lt_error *error) {
    return lt_world_reserve(world, 9000, 900, 64u << 20, error) == LT_OK;
}

/* Every allocation of a growth fails once, in a world of `before` bodies that touch. */
static void check_growth_fails_cleanly(variant v, uint32_t before, grow_fn *grow) {
    failing f = failing_after(INT32_MAX);
    lt_error error = {0};
    lt_world_def def = def_of(v);
    def.allocator = failing_allocator(&f);
    lt_world *world = make_world(&def);
    for (uint32_t i = 0; i < before; i++)
        CHECK(grow_by_a_body(world, &error));
    run(world, 2);
    uint64_t hash = lt_world_hash(world);
    bool grown = false;
    int allowed = 0;
    for (; !grown && allowed < 400; allowed++) {
        f.allowed = allowed;
        error = (lt_error){0};
        grown = grow(world, &error);
        f.allowed = INT32_MAX;
        if (grown) break;
        CHECK(error.status == LT_STATUS_MEMORY && error.message[0]);
        CHECK_COUNT(lt_world_body_count(world), before);
        goes_on(world, hash);
    }
    CHECK(grown && allowed >= 3);
    CHECK_COUNT(run(world, 2).problems & LT_PROBLEM_SCRATCH, 0);
    lt_world_destroy(world);
    CHECK_COUNT(f.blocks_out, 0);
    CHECK_COUNT(f.bytes_out, 0);
}

static void growing_fails_cleanly(void) {
    for (size_t i = 0; i < sizeof VARIANTS / sizeof *VARIANTS; i++) {
        check_growth_fails_cleanly(VARIANTS[i], 2, grow_by_a_body);
        check_growth_fails_cleanly(VARIANTS[i], 2, add_ball);
        check_growth_fails_cleanly(VARIANTS[i], 2, grow_on_demand);
    }
}

/* An obstacle brings pairs, and takes nothing from what is under way: with room for them from the start the future is the same. */
static void obstacles_disturb_nothing(void) {
    for (size_t i = 0; i < sizeof VARIANTS / sizeof *VARIANTS; i++) {
        lt_world_def def = def_of(VARIANTS[i]);
        uint64_t hashes[2];
        for (int roomy = 0; roomy < 2; roomy++) {
            lt_world *world = make_world(&def);
            for (uint32_t n = 0; n < 4; n++)
                CHECK(grow_by_a_body(world, NULL));
            if (roomy) CHECK(lt_world_reserve(world, 1, 400, 0, NULL) == LT_OK);
            step_many(world, 3, lt_budget_collision_units(2000)); /* work is left */
            for (uint32_t n = 0; n < 8; n++)
                CHECK(add_ball(world, NULL));
            step_many(world, 6, lt_budget_collision_units(2000));
            hashes[roomy] = lt_world_hash(world);
            lt_world_destroy(world);
        }
        CHECK(hashes[0] == hashes[1]);
    }
}

int main(void) {
    shapes[LT_METHOD_REFERENCE] = cube_shape(0.2, 2);
    shapes[LT_METHOD_TET_HASH] = cube_shape(0.2, 2);
    shapes[LT_METHOD_SPHERE_TREE] = cube_with_tree(0.2, 2, 2);
    shapes[LT_METHOD_CELL_BOX] = lattice_box(0.2f, 0.2f, 0.2f, 27);
    shapes[LT_METHOD_MULTISCALE] = cube_with_boxes(0.2, 2);
    RUN(an_empty_world_is_small);
    RUN(pairs_are_all_that_there_can_be);
    RUN(contacts_follow_points_and_boxes);
    RUN(capacities_end_at_the_ceilings_and_never_shrink);
    RUN(more_is_reserved_on_demand);
    RUN(growing_fails_cleanly);
    RUN(obstacles_disturb_nothing);
    for (int m = 0; m < LT_METHOD_COUNT; m++)
        lt_shape_release(shapes[m]);
    return check_finish();
}
