/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What holds of the state of every method whose contacts may be old: steps repeat, from snapshots, with any number of threads
 * and any width of SIMD; what is restored is checked, whatever the bytes say; bodies come and go. All of it in the busy world,
 * under budgets that change from step to step. */

#ifndef LITHE_TESTS_METHOD_STATE_CHECKS_H
#define LITHE_TESTS_METHOD_STATE_CHECKS_H

#include "core/random.h"
#include "world/scenes.h"

enum { SMALL_BUDGET = 6000, STATE_STEPS = 16 };

static inline lt_budget some_budget(uint64_t step) {
    return step % 3 == 2 ? lt_budget_unlimited() : lt_budget_collision_units(SMALL_BUDGET * (1 + step % 5));
}

static inline void step_busy_often(busy *b, uint64_t from, uint64_t to) {
    for (uint64_t i = from; i < to; i++)
        step_busy(b, i, some_budget(i));
}

static inline uint64_t hash_after(const lt_world_def *def, const busy_shapes *shapes, uint64_t steps) {
    busy b = make_busy(def, shapes);
    step_busy_often(&b, 0, steps);
    uint64_t hash = lt_world_hash(b.world);
    lt_world_destroy(b.world);
    return hash;
}

/* ---- repeating ---- */

/* A world that is restored has the same future, in another world, too. */
static inline void check_snapshots_repeat_the_future(lt_world_def def, const busy_shapes *shapes) {
    busy b = make_busy(&def, shapes), twin = make_busy(&def, shapes);
    step_busy_often(&b, 0, STATE_STEPS);
    saved s = save_world(b.world);
    uint64_t now = lt_world_hash(b.world);
    step_busy_often(&b, STATE_STEPS, STATE_STEPS + 10);
    uint64_t future = lt_world_hash(b.world);
    CHECK(load_world(twin.world, &s) == LT_OK);
    CHECK(lt_world_hash(twin.world) == now && now != future);
    step_busy_often(&twin, STATE_STEPS, STATE_STEPS + 10);
    CHECK(lt_world_hash(twin.world) == future);
    drop_saved(&s);
    lt_world_destroy(b.world);
    lt_world_destroy(twin.world);
}

/* Prints the golden hash under that name. */
static inline void check_threads_and_levels_agree(lt_world_def def, const busy_shapes *shapes,
                                                  const char *name) {
    def.simd_level = 0;
    uint64_t scalar = hash_after(&def, shapes, STATE_STEPS);
    check_golden(name, scalar);
    for (def.simd_level = 1; def.simd_level <= 2; def.simd_level++)
        CHECK(hash_after(&def, shapes, STATE_STEPS) == scalar);
    for (uint32_t threads = 2; threads <= 3; threads++) {
        def.thread_count = threads;
        CHECK(hash_after(&def, shapes, STATE_STEPS) == scalar);
    }
}

/* ---- damage ---- */

/* A word of the last 6000 bytes, where contacts and pairs are, becomes another: a number that is none, one with a bit turned
 * over, or a small count. Returns what it was. */
static inline uint32_t damage_word(const saved *s, size_t *at, lt_random *random) {
    const float values[] = {NAN, 1e30f, -1, INFINITY};
    uint32_t last = (uint32_t)lt_min_u64(s->size, 6000), kept, word;
    *at = (s->size - last + lt_random_below(random, last - 4)) & ~(size_t)3;
    memcpy(&kept, s->bytes + *at, 4);
    uint32_t kind = lt_random_below(random, 3);
    if (kind == 0)
        memcpy(&word, &values[lt_random_below(random, 4)], 4);
    else
        word = kind == 1 ? kept ^ 1u << lt_random_below(random, 32) : lt_random_below(random, 300);
    memcpy(s->bytes + *at, &word, 4);
    return kept;
}

static inline void check_damaged_snapshots_do_no_harm(lt_world_def def, const busy_shapes *shapes) {
    busy b = make_busy(&def, shapes);
    for (uint64_t i = 0; i < 20; i++)
        step_busy(&b, i, lt_budget_collision_units(2 * SMALL_BUDGET));
    saved s = save_world(b.world);
    lt_random random = lt_random_seed(1);
    uint32_t refused = 0, taken = 0;
    for (int round = 0; round < 140; round++) {
        size_t at;
        uint32_t kept = damage_word(&s, &at, &random);
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

static inline uint32_t contacts_of_body(const lt_world *world, lt_body_id body) {
    uint32_t count, met = 0;
    const lt_contact *contacts = lt_world_contacts(world, &count);
    for (uint32_t i = 0; i < count; i++)
        met += contacts[i].body_a.index_plus_one == body.index_plus_one ||
               contacts[i].body_b.index_plus_one == body.index_plus_one;
    return met;
}

/* Bodies and obstacles that go take their contacts along; bodies that come are met. */
static inline void check_bodies_come_and_go(lt_world_def def, const busy_shapes *shapes) {
    busy b = make_busy(&def, shapes);
    step_busy_often(&b, 0, 12);
    lt_world_remove_body(b.world, b.bodies[1]);
    CHECK_COUNT(unsound_contacts_of(b.world, false), 0);
    lt_report report = lt_world_step(b.world, STEP_DT, lt_budget_collision_units(SMALL_BUDGET));
    CHECK(report_is_consistent(b.world, &report) && unsound_contacts_of(b.world, false) == 0);
    lt_body_def bd = lt_body_def_default();
    bd.shape = shapes->cube;
    bd.model = busy_cube_model(shapes);
    bd.position = (lt_vec3){0.02f, 0.1f, 0};
    lt_body_id again = add_body_def(b.world, &bd);
    lt_world_remove_obstacle(b.world, b.floor);
    uint32_t met = 0;
    for (int i = 0; i < 5; i++) {
        report = lt_world_step(b.world, STEP_DT,
                               i % 2 ? lt_budget_unlimited() : lt_budget_collision_units(SMALL_BUDGET));
        CHECK(report_is_consistent(b.world, &report) && unsound_contacts_of(b.world, false) == 0);
        met += contacts_of_body(b.world, again);
    }
    CHECK(met > 0); /* all fall, and may have parted again */
    lt_world_destroy(b.world);
}

#endif
