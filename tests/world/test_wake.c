/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Who is struck in its sleep, by any method: it has its own mass in that very step, so that no momentum is lost; with all that
 * touch it. Who is touched gently sleeps on. */

#include "method/lattice_world.h"
#include "method/multiscale_world.h"
#include "method/sphere_world.h"

static lt_shape *tets, *lattice;

static const lt_method methods[] = {LT_METHOD_REFERENCE, LT_METHOD_SPHERE_TREE, LT_METHOD_TET_HASH,
                                    LT_METHOD_CELL_BOX, LT_METHOD_MULTISCALE};

/* Lattices tremble less with a smaller step and when they are stiffer. */
static float tick_dt;

static lt_report tick(lt_world *world) {
    return lt_world_step(world, tick_dt, lt_budget_unlimited());
}

static lt_world *world_of(lt_method method, lt_vec3 gravity) {
    lt_world_def def = test_world_def();
    def.method = method;
    def.gravity = gravity;
    tick_dt = method == LT_METHOD_CELL_BOX ? STEP_DT / 2 : STEP_DT;
    return make_world(&def);
}

static lt_body_id add_cube(lt_world *world, lt_method method, lt_vec3 position, lt_vec3 velocity) {
    lt_body_def def = lt_body_def_default();
    def.shape = method == LT_METHOD_CELL_BOX ? lattice : tets;
    if (method == LT_METHOD_CELL_BOX) def.model = LT_MODEL_LATTICE_MATCHING;
    def.position = position;
    def.velocity = velocity;
    def.material.mass_damping = 0;
    if (method == LT_METHOD_CELL_BOX) def.material.young = 5e5f;
    return add_body_def(world, &def);
}

static void run_until_all_sleep(lt_world *world, uint32_t most) {
    uint32_t steps = 0;
    while (steps < most && tick(world).sleeping < lt_world_body_count(world))
        steps++;
    if (steps == most) CHECK_FAIL_MESSAGE("not asleep after %u steps", most);
}

static lt_vec3 total_momentum(const lt_world *world) {
    lt_vec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < lt_world_body_count(world); i++)
        sum = lt_v3_add(sum, lt_body_momentum(world, lt_world_body_at(world, i)));
    return sum;
}

/* Off the middle and aslant, at several speeds; from where it is not in the first step that they meet, and from where it is. */
static void a_blow_keeps_momentum(void) {
    const float speeds[] = {0.5f, 9}, gaps[] = {0.1f, 0.01f};
    double worst = 0;
    for (uint32_t i = 0; i < 2 * LT_COUNT_OF(methods); i++) {
        lt_method method = methods[i / 2];
        float speed = speeds[i % 2], gap = gaps[i % 2];
        lt_world *world = world_of(method, (lt_vec3){0, 0, 0});
        lt_body_id sleeper = add_cube(world, method, (lt_vec3){0, 0, 0}, (lt_vec3){0, 0, 0});
        run_until_all_sleep(world, 120);
        lt_body_id mover =
            add_cube(world, method, (lt_vec3){-0.2f - gap, 0.05f, 0.02f}, (lt_vec3){speed, -0.1f * speed, 0});
        lt_vec3 before = total_momentum(world);
        bool met = false;
        for (int step = 0; step < 60 && !met; step++) {
            tick(world);
            met = lt_body_momentum(world, sleeper).x > 0.1f * before.x;
            double off = (double)(lt_v3_distance(total_momentum(world), before) / lt_v3_length(before));
            worst = lt_max_d(worst, off);
            if (off > 1e-5)
                CHECK_FAIL_MESSAGE("%s at %g m/s, step %d: off by %g", lt_method_name(method), speed, step,
                                   off);
        }
        for (int step = 0; step < 8; step++) {
            tick(world);
            CHECK_NEAR(lt_v3_distance(total_momentum(world), before) / lt_v3_length(before), 0, 1e-5);
        }
        CHECK(met && !lt_body_is_asleep(world, sleeper) && lt_body_is_valid(world, mover));
        lt_world_destroy(world);
    }
    printf("momentum kept to %g\n", worst);
}

/* So many sleepers and movers that pairs are found by all boxes, not by those of few; the last ones meet nobody. */
static void many_blows_keep_momentum(void) {
    enum { ROW = 20 };
    lt_method method = LT_METHOD_REFERENCE;
    lt_world *world = world_of(method, (lt_vec3){0, 0, 0});
    for (int i = 0; i < ROW; i++)
        add_cube(world, method, (lt_vec3){0, 0, 0.5f * (float)i}, (lt_vec3){0, 0, 0});
    run_until_all_sleep(world, 120);
    for (int i = 0; i < ROW; i++)
        add_cube(world, method, (lt_vec3){-0.21f, i < ROW - 4 ? 0.02f : 1, 0.5f * (float)i},
                 (lt_vec3){2, 0, 0});
    lt_vec3 before = total_momentum(world);
    for (int step = 0; step < 8; step++) {
        tick(world);
        CHECK_NEAR(lt_v3_distance(total_momentum(world), before) / lt_v3_length(before), 0, 1e-5);
    }
    for (uint32_t i = 0; i < ROW; i++)
        CHECK(lt_body_is_asleep(world, lt_world_body_at(world, i)) == (i >= ROW - 4));
    lt_world_destroy(world);
}

static const lt_vec3 DOWN = {0, -9.81f, 0};

/* Two cubes on each other, asleep; then a third one. Their sides are not flush: whether a corner of the one is on the other must
 * not depend on the last bits. */
static lt_world *make_tower(lt_method method) {
    lt_world *world = world_of(method, DOWN);
    add_floor(world);
    for (int i = 0; i < 2; i++)
        add_cube(world, method, (lt_vec3){0.002f * (float)i, 0.1f + 0.2f * (float)i, 0.0014f * (float)i},
                 (lt_vec3){0, 0, 0});
    uint32_t steps = 0;
    while (steps < 900 && tick(world).sleeping < 2)
        steps++;
    if (steps == 900) CHECK_FAIL_MESSAGE("%s: a tower does not fall asleep", lt_method_name(method));
    return world;
}

/* At rest on it while it sleeps. */
static void check_rest(lt_world *world) {
    lt_body_id lower = lt_world_body_at(world, 0), upper = lt_world_body_at(world, 1);
    lt_body_wake(world, upper);
    for (int step = 0; (float)step * tick_dt < 0.6f; step++) {
        tick(world);
        CHECK(lt_body_is_asleep(world, lower));
    }
    CHECK(lt_body_is_asleep(world, upper));
}

/* Who stands below the one that is struck would be a wall to it, and a wall gets nothing. */
static void check_blow(lt_world *world) {
    lt_body_id lower = lt_world_body_at(world, 0), upper = lt_world_body_at(world, 1);
    bool met = false;
    for (int step = 0; step < 30 && !met; step++) {
        tick(world);
        met = lt_body_momentum(world, upper).x > 0.1f;
        if (met) CHECK(lt_v3_length(lt_body_momentum(world, lower)) > 0);
    }
    CHECK(met);
}

/* Decided by what a snapshot holds. */
static void check_restored(lt_world *world, const saved *s) {
    uint64_t hashes[2];
    for (int copy = 0; copy < 2; copy++) {
        CHECK(load_world(world, s) == LT_OK);
        for (int step = 0; step < 5; step++)
            tick(world);
        hashes[copy] = lt_world_hash(world);
    }
    CHECK(hashes[0] == hashes[1]);
}

static void towers_sleep_and_wake(void) {
    for (uint32_t i = 0; i < LT_COUNT_OF(methods); i++) {
        lt_world *world = make_tower(methods[i]);
        check_rest(world);
        add_cube(world, methods[i], (lt_vec3){-0.32f, 0.33f, 0.02f}, (lt_vec3){3, 1, 0});
        saved s = save_world(world);
        check_blow(world);
        check_restored(world, &s);
        drop_saved(&s);
        lt_world_destroy(world);
    }
}

static void who_passes_by_does_not_wake(void) {
    lt_world *world = world_of(LT_METHOD_REFERENCE, (lt_vec3){0, 0, 0});
    lt_body_id sleeper = add_cube(world, LT_METHOD_REFERENCE, (lt_vec3){0, 0, 0}, (lt_vec3){0, 0, 0});
    run_until_all_sleep(world, 120);
    add_cube(world, LT_METHOD_REFERENCE, (lt_vec3){-1, 0.5f, 0}, (lt_vec3){3, 0, 0});
    for (int step = 0; step < 40; step++) {
        lt_report report = tick(world);
        CHECK(lt_body_is_asleep(world, sleeper) && report.cuts.units[LT_STAGE_SLEEP] > 0);
    }
    lt_world_destroy(world);
}

int main(void) {
    tets = with_boxes(cube_with_tree(0.2, 2, 2));
    lattice = lattice_box(0.2f, 0.2f, 0.2f, 8);
    RUN(a_blow_keeps_momentum);
    RUN(many_blows_keep_momentum);
    RUN(towers_sleep_and_wake);
    RUN(who_passes_by_does_not_wake);
    lt_shape_release(tets);
    lt_shape_release(lattice);
    return check_finish();
}
