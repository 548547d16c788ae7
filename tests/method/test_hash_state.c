/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Steps of the method tet-hash repeat: by cuts, from snapshots in the middle of a cycle, with any number of threads and any width of SIMD. What
 * is restored is checked, whatever the bytes say.
 * labels: golden threaded wasm */

#include "core/random.h"
#include "method/cut_checks.h"
#include "method/sphere_world.h"

enum { SMALL = 6000, STEPS = 16 };

static busy_shapes shapes;

static lt_world_def busy_def(void) {
    lt_world_def def = sphere_world_def();
    def.method = LT_METHOD_TET_HASH;
    def.diagnostics = false;
    def.contact_capacity = 512;
    return def;
}

static lt_budget some_budget(uint64_t step) {
    return step % 3 == 2 ? lt_budget_unlimited() : lt_budget_units(SMALL * (1 + step % 5));
}

static uint64_t hash_after(const lt_world_def *def, uint64_t steps) {
    busy b = make_busy(def, &shapes);
    for (uint64_t i = 0; i < steps; i++)
        step_busy(&b, i, some_budget(i));
    uint64_t hash = lt_world_hash(b.world);
    lt_world_destroy(b.world);
    return hash;
}

/* ---- repeating ---- */

static void cuts_repeat_a_step(void) {
    check_timed_cuts_repeat(busy_def(), &shapes, 42, false);
}

static void cuts_repeat_unit_budgets(void) {
    check_unit_cuts_repeat(busy_def(), &shapes, 30, 700, false);
}

/* A world that is restored has the same future, in another world, too. */
static void snapshots_repeat_the_future(void) {
    lt_world_def def = busy_def();
    busy b = make_busy(&def, &shapes), twin = make_busy(&def, &shapes);
    for (uint64_t i = 0; i < STEPS; i++)
        step_busy(&b, i, some_budget(i));
    saved s = save_world(b.world);
    uint64_t now = lt_world_hash(b.world);
    for (uint64_t i = STEPS; i < STEPS + 10; i++)
        step_busy(&b, i, some_budget(i));
    uint64_t future = lt_world_hash(b.world);
    CHECK(load_world(twin.world, &s) == LT_OK);
    CHECK(lt_world_hash(twin.world) == now && now != future);
    for (uint64_t i = STEPS; i < STEPS + 10; i++)
        step_busy(&twin, i, some_budget(i));
    CHECK(lt_world_hash(twin.world) == future);
    drop_saved(&s);
    lt_world_destroy(b.world);
    lt_world_destroy(twin.world);
}

static void threads_and_levels_agree(void) {
    lt_world_def def = busy_def();
    def.simd_level = 0;
    uint64_t scalar = hash_after(&def, STEPS);
#ifdef LITHE_DOUBLE
    printf("golden tet-hash-double %016" PRIx64 "\n", scalar);
#else
    printf("golden tet-hash %016" PRIx64 "\n", scalar);
#endif
    for (def.simd_level = 1; def.simd_level <= 2; def.simd_level++)
        CHECK(hash_after(&def, STEPS) == scalar);
    for (uint32_t threads = 2; threads <= 3; threads++) {
        def.thread_count = threads;
        CHECK(hash_after(&def, STEPS) == scalar);
    }
}

/* ---- damage ---- */

static void damaged_snapshots_do_no_harm(void) {
    lt_world_def def = busy_def();
    busy b = make_busy(&def, &shapes);
    for (uint64_t i = 0; i < 20; i++)
        step_busy(&b, i, lt_budget_units(2 * SMALL));
    saved s = save_world(b.world);
    lt_random random = lt_random_seed(1);
    const float values[] = {NAN, 1e30f, -1, INFINITY};
    uint32_t refused = 0, taken = 0;
    for (int round = 0; round < 140; round++) {
        uint32_t last = (uint32_t)lt_min_u64(s.size, 6000), kept, word; /* contacts and pairs come last */
        size_t at = (s.size - last + lt_random_below(&random, last - 4)) & ~(size_t)3;
        memcpy(&kept, s.bytes + at, 4);
        uint32_t kind = lt_random_below(&random, 3);
        if (kind == 0)
            memcpy(&word, &values[lt_random_below(&random, 4)], 4);
        else
            word = kind == 1 ? kept ^ 1u << lt_random_below(&random, 32) : lt_random_below(&random, 300);
        memcpy(s.bytes + at, &word, 4);
        uint64_t before = lt_world_hash(b.world);
        if (lt_world_restore(b.world, s.bytes, s.size, NULL) == LT_OK) {
            taken++;
            lt_report report = step_busy(&b, 20, some_budget((uint64_t)round));
            CHECK(world_is_finite(b.world) && unsound_contacts_of(b.world, false) == 0);
            CHECK(report_is_consistent(b.world, &report));
        } else {
            refused++;
            CHECK(lt_world_hash(b.world) == before);
        }
        memcpy(s.bytes + at, &kept, 4);
    }
    CHECK(refused > 20 && taken > 20);
    CHECK(load_world(b.world, &s) == LT_OK);
    drop_saved(&s);
    lt_world_destroy(b.world);
}

/* ---- changes between steps ---- */

/* Bodies and obstacles that go take their contacts along; bodies that come are met. */
static void bodies_come_and_go(void) {
    lt_world_def def = busy_def();
    busy b = make_busy(&def, &shapes);
    for (uint64_t i = 0; i < 12; i++)
        step_busy(&b, i, some_budget(i));
    lt_world_remove_body(b.world, b.bodies[1]);
    CHECK_COUNT(unsound_contacts_of(b.world, false), 0);
    lt_report report = lt_world_step(b.world, STEP_DT, lt_budget_units(SMALL));
    CHECK(report_is_consistent(b.world, &report) && unsound_contacts_of(b.world, false) == 0);
    lt_body_id again = add_body(b.world, shapes.cube, (lt_vec3){0.02f, 0.1f, 0});
    lt_world_remove_obstacle(b.world, b.floor);
    for (int i = 0; i < 5; i++) {
        report = lt_world_step(b.world, STEP_DT, i % 2 ? lt_budget_unlimited() : lt_budget_units(SMALL));
        CHECK(report_is_consistent(b.world, &report) && unsound_contacts_of(b.world, false) == 0);
    }
    uint32_t count, met = 0;
    const lt_contact *contacts = lt_world_contacts(b.world, &count);
    for (uint32_t i = 0; i < count; i++)
        met += contacts[i].body_a.index_plus_one == again.index_plus_one ||
               contacts[i].body_b.index_plus_one == again.index_plus_one;
    CHECK(met > 0);
    lt_world_destroy(b.world);
}

int main(void) {
    shapes = (busy_shapes){cube_shape(0.2, 2), ball_shape(0.12, 2)};
    RUN(cuts_repeat_a_step);
    RUN(cuts_repeat_unit_budgets);
    RUN(snapshots_repeat_the_future);
    RUN(threads_and_levels_agree);
    RUN(damaged_snapshots_do_no_harm);
    RUN(bodies_come_and_go);
    drop_busy_shapes(&shapes);
    return check_finish();
}
