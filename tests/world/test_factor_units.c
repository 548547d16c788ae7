/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Factors that are made by some units a step (lt_world_def.factor_units): no step takes more, bodies rest where they would, a large
 * grant is as good as no limit, and snapshots between any two steps, with materials, pins and steps that change, have the same future. */

#include "core/hash.h"
#include "core/random.h"
#include "world/fixture.h"

enum { STEPS = 36, BODIES = 3 };

static lt_shape *cube, *bar;

typedef struct crowd {
    lt_world *world;
    lt_body_id bodies[BODIES];
} crowd;

static crowd make_crowd(uint64_t units) {
    lt_world_def def = test_world_def();
    def.factor_units = units;
    def.self_collision = false;
    crowd c = {.world = make_world(&def)};
    add_floor(c.world);
    for (int i = 0; i < BODIES; i++) {
        lt_body_def bd = lt_body_def_default();
        bd.shape = i == 1 ? bar : cube;
        bd.position = (lt_vec3){0.4f * (float)i, 0.11f, 0};
        bd.rotation = (lt_quat){0.05f, 0, 0.02f, 1};
        bd.material.young = i == 2 ? 4e5f : 3e4f;
        c.bodies[i] = add_body_def(c.world, &bd);
    }
    return c;
}

/* What happens before a step is a function of its number. */
static lt_report happen(crowd *c, uint32_t step) {
    lt_material m = lt_body_material(c->world, c->bodies[0]);
    if (step % 9 == 4) {
        m.young = step % 2 ? 3e4f : 5e5f;
        CHECK(lt_body_set_material(c->world, c->bodies[0], &m, NULL) == LT_OK);
    }
    if (step == 14) lt_body_pin_node(c->world, c->bodies[2], 1);
    if (step == 25) lt_body_unpin_node(c->world, c->bodies[2], 1);
    return lt_world_step(c->world, step / 10 % 2 ? STEP_DT / 3 : STEP_DT, lt_budget_unlimited());
}

static uint64_t go_on(crowd *c, uint32_t first) {
    for (uint32_t step = first; step < STEPS; step++)
        happen(c, step);
    return lt_world_hash(c->world);
}

static uint64_t hash_of_nodes(const crowd *c) {
    static lt_vec3 positions[4096];
    uint64_t hash = LT_HASH_SEED;
    for (int i = 0; i < BODIES; i++) {
        lt_body_get_nodes(c->world, c->bodies[i], positions, NULL);
        hash = lt_hash_bytes(hash, positions, lt_body_node_count(c->world, c->bodies[i]) * sizeof(lt_vec3));
    }
    return hash;
}

static void no_step_takes_more(void) {
    const uint64_t grants[] = {0, 1, 500, 5000, 1000000000};
    for (size_t i = 0; i < LT_COUNT_OF(grants); i++) {
        crowd c = make_crowd(grants[i]);
        uint64_t most = 0, sum = 0;
        for (uint32_t step = 0; step < STEPS; step++) {
            lt_report report = happen(&c, step);
            most = lt_max_u64(most, report.factor_units);
            sum += report.factor_units;
            CHECK(report.allocations == 0);
        }
        CHECK(most <= grants[i] && (sum > 0) == (grants[i] > 0));
        if (grants[i] == 5000) CHECK_COUNT(most, 5000); /* there is more to do than that in a step */
        CHECK(world_is_finite(c.world));
        lt_world_destroy(c.world);
    }
}

/* Where all fits into a step, it is made before that step as it is without a limit. */
static void a_large_grant_is_no_limit(void) {
    crowd limited = make_crowd(1000000000), unlimited = make_crowd(LT_UNLIMITED), starved = make_crowd(1000);
    go_on(&limited, 0);
    uint64_t hash = hash_of_nodes(&limited);
    go_on(&unlimited, 0), go_on(&starved, 0);
    CHECK(hash_of_nodes(&unlimited) == hash);
    CHECK(hash_of_nodes(&starved) != hash); /* it is solved by others meanwhile, as near as tolerance asks */
    lt_world_destroy(limited.world), lt_world_destroy(unlimited.world), lt_world_destroy(starved.world);
}

static void futures_repeat(uint64_t units) {
    static uint8_t bytes[1 << 20];
    crowd c = make_crowd(units), twin = make_crowd(units);
    uint64_t end = go_on(&c, 0);
    lt_world_destroy(c.world);
    c = make_crowd(units);
    for (uint32_t step = 0; step < STEPS; step++) {
        happen(&c, step);
        uint64_t now = lt_world_hash(c.world);
        size_t size = lt_world_snapshot(c.world, bytes, sizeof bytes);
        if (step % 5 == 0) {
            CHECK(lt_world_restore(twin.world, bytes, size, NULL) == LT_OK &&
                  lt_world_hash(twin.world) == now);
            CHECK(go_on(&twin, step + 1) == end);
        }
        if (step % 12 != 2) continue;
        CHECK(go_on(&c, step + 1) == end);
        CHECK(lt_world_restore(c.world, bytes, size, NULL) == LT_OK && lt_world_hash(c.world) == now);
        CHECK(go_on(&c, step + 1) == end);
        CHECK(lt_world_restore(c.world, bytes, size, NULL) == LT_OK);
    }
    CHECK(lt_world_hash(c.world) == end);
    lt_world_destroy(c.world), lt_world_destroy(twin.world);
}

static void futures_repeat_at_any_grant(void) {
    const uint64_t grants[] = {0, 300, 3000, 12000, LT_UNLIMITED};
    for (size_t i = 0; i < LT_COUNT_OF(grants); i++)
        futures_repeat(grants[i]);
}

/* What is paid is state, though nothing moves by it yet. */
static void the_hash_sees_what_is_paid(void) {
    crowd some = make_crowd(100), more = make_crowd(200);
    CHECK(lt_world_hash(some.world) == lt_world_hash(more.world));
    run(some.world, 1), run(more.world, 1);
    CHECK(hash_of_nodes(&some) == hash_of_nodes(&more));
    CHECK(lt_world_hash(some.world) != lt_world_hash(more.world));
    lt_world_destroy(some.world), lt_world_destroy(more.world);
}

/* Bytes of a snapshot that are others: refused with nothing changed, or keys and payments of another state, which is stepped. */
static void damaged_snapshots_do_no_harm(void) {
    static uint8_t bytes[1 << 20], damaged[1 << 20];
    crowd c = make_crowd(3000);
    for (uint32_t step = 0; step < 6; step++)
        happen(&c, step);
    size_t size = lt_world_snapshot(c.world, bytes, sizeof bytes);
    lt_random random = lt_random_seed(3);
    uint32_t taken = 0;
    for (int i = 0; i < 1200; i++) {
        memcpy(damaged, bytes, size);
        size_t behind = 1 + lt_random_below(&random, i % 4 ? 400 : (uint32_t)size);
        damaged[size - lt_min_u64(behind, size)] ^= (uint8_t)(1u << lt_random_below(&random, 8));
        uint64_t before = lt_world_hash(c.world);
        if (lt_world_restore(c.world, damaged, size, NULL) != LT_OK) {
            CHECK(lt_world_hash(c.world) == before);
            continue;
        }
        lt_report report = lt_world_step(c.world, STEP_DT, lt_budget_unlimited());
        CHECK(report.factor_units <= 3000 && world_is_finite(c.world));
        taken++;
    }
    printf("%u of 1200 taken\n", taken);
    CHECK(taken > 50);
    lt_world_destroy(c.world);
}

int main(void) {
    cube = cube_shape(0.2, 2);
    bar = block_shape(0.3, 0.2, 0.2, 3, 2, 2);
    RUN(no_step_takes_more);
    RUN(a_large_grant_is_no_limit);
    RUN(futures_repeat_at_any_grant);
    RUN(the_hash_sees_what_is_paid);
    RUN(damaged_snapshots_do_no_harm);
    lt_shape_release(cube);
    lt_shape_release(bar);
    return check_finish();
}
