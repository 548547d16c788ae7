/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Worlds whose solve is cut by work units (lt_world_def.model_units): the same bits at every SIMD level, on any number of threads, in every
 * build and from a snapshot between any two steps; units are kept where more than the fixed part is allowed; many are as good as no limit.
 *
 * labels: golden threaded wasm */

#include "world/scenes.h"

enum { STEPS = 40, GRANTS = 3 };
/* What is done in any case; into the middle of solves; nearly all of them whole. */
static const uint64_t GRANT[GRANTS] = {1, 150000, 220000};

static busy_shapes shapes;

static lt_world_def def_of(uint64_t units) {
    lt_world_def def = test_world_def();
    def.model_units = units;
    def.sleeping = false; /* who is cut differs from step to step, and nobody is left out */
    return def;
}

typedef struct run_sum {
    uint64_t hash, cut_steps, most_units;
} run_sum;

static run_sum run_with(const lt_world_def *def) {
    busy b = make_busy(def, &shapes);
    run_sum sum = {0};
    for (uint64_t i = 0; i < STEPS; i++) {
        lt_report report = step_busy(&b, i, lt_budget_unlimited());
        sum.cut_steps += report.models_cut;
        sum.most_units = lt_max_u64(sum.most_units, report.model_units);
    }
    CHECK(world_is_finite(b.world));
    sum.hash = lt_world_hash(b.world);
    lt_world_destroy(b.world);
    return sum;
}

static void hashes_are_the_known_ones(void) {
    static const char *const names[GRANTS] = {"busy-1-model-unit", "busy-150000-model-units",
                                              "busy-220000-model-units"};
    for (int i = 0; i < GRANTS; i++) {
        lt_world_def def = def_of(GRANT[i]);
        def.simd_level = 0;
        check_golden(names[i], run_with(&def).hash);
    }
}

static void levels_and_threads_agree(void) {
    for (int i = 0; i < GRANTS; i++) {
        lt_world_def def = def_of(GRANT[i]);
        uint64_t hash = run_with(&def).hash;
        for (def.simd_level = 0; def.simd_level < 2; def.simd_level++)
            CHECK(run_with(&def).hash == hash);
#ifndef __wasm__
        for (def.thread_count = 2; def.thread_count <= 4; def.thread_count += 2)
            CHECK(run_with(&def).hash == hash);
#endif
    }
}

/* The fixed part is what 1 unit leaves; beyond it no step takes more than it may. */
static void units_are_kept(void) {
    run_sum sums[GRANTS];
    for (int i = 0; i < GRANTS; i++) {
        lt_world_def def = def_of(GRANT[i]);
        sums[i] = run_with(&def);
        printf("%" PRIu64 " units allowed: %" PRIu64 " at most, %" PRIu64 " steps cut\n", GRANT[i],
               sums[i].most_units, sums[i].cut_steps);
        if (i > 0) CHECK(sums[i].most_units <= GRANT[i] && sums[i].cut_steps < sums[i - 1].cut_steps);
    }
    CHECK(sums[0].cut_steps == STEPS && sums[0].most_units < GRANT[1] &&
          sums[1].most_units > sums[0].most_units);
}

static void many_are_no_limit(void) {
    lt_world_def def = def_of(0), many = def_of(LT_UNLIMITED / 4);
    run_sum none = run_with(&def), all = run_with(&many);
    CHECK(none.cut_steps == 0 && all.cut_steps == 0 && none.hash == all.hash);
}

/* Saved between steps whose solves were cut, in the middle of them as far as bodies go: turns, harm and iterations owed are state. */
static void futures_repeat(void) {
    for (int i = 0; i < GRANTS; i++) {
        lt_world_def def = def_of(GRANT[i]);
        busy b = make_busy(&def, &shapes), other = make_busy(&def, &shapes);
        for (uint64_t step = 0; step < STEPS; step++) {
            if (step % 9 == 8) {
                saved s = save_world(b.world);
                step_busy(&other, step, lt_budget_unlimited()); /* has gone elsewhere */
                CHECK(load_world(other.world, &s) == LT_OK);
                drop_saved(&s);
            }
            step_busy(&b, step, lt_budget_unlimited());
            if (step >= 8) step_busy(&other, step, lt_budget_unlimited());
            if (step >= 8) CHECK(lt_world_hash(b.world) == lt_world_hash(other.world));
        }
        lt_world_destroy(b.world);
        lt_world_destroy(other.world);
    }
}

int main(void) {
    shapes = make_busy_shapes();
    RUN(hashes_are_the_known_ones);
    RUN(levels_and_threads_agree);
    RUN(units_are_kept);
    RUN(many_are_no_limit);
    RUN(futures_repeat);
    drop_busy_shapes(&shapes);
    return check_finish();
}
