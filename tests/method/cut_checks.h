/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Steps under budgets, repeated from their snapshots by their cuts, bit for bit. */

#ifndef LITHE_TESTS_METHOD_CUT_CHECKS_H
#define LITHE_TESTS_METHOD_CUT_CHECKS_H

#include "world/scenes.h"

typedef struct cut_counts {
    uint32_t interrupted, finished;
} cut_counts;

static inline void check_cuts_repeat(busy *b, uint64_t step, lt_budget budget, bool have_points,
                                     cut_counts *counts) {
    saved s = save_world(b->world);
    lt_report report = step_busy(b, step, budget);
    uint64_t hash = lt_world_hash(b->world);
    counts->interrupted += report.interrupted != 0;
    counts->finished += report.interrupted == 0;
    CHECK_COUNT(unsound_contacts_of(b->world, have_points), 0);
    CHECK(report_is_consistent(b->world, &report));
    CHECK(load_world(b->world, &s) == LT_OK);
    lt_report again = step_busy(b, step, lt_budget_cuts(&report.cuts));
    CHECK(lt_world_hash(b->world) == hash);
    CHECK_COUNT(again.units, report.units);
    CHECK_COUNT(again.interrupted, report.interrupted);
    CHECK_COUNT(again.pending, report.pending);
    CHECK_COUNT(again.contacts, report.contacts);
    CHECK(memcmp(&again.cuts, &report.cuts, sizeof again.cuts) == 0);
    drop_saved(&s);
}

/* Under a clock of our own, by which a unit keeps taking another time. */
static inline void check_timed_cuts_repeat(lt_world_def def, const busy_shapes *shapes, uint64_t steps,
                                           bool have_points) {
    fake_clock clock = {.tick_ns = 700};
    def.clock_ns = fake_clock_now;
    def.clock_context = &clock;
    busy b = make_busy(&def, shapes);
    const double budgets_us[] = {0, 3, 10, 20, 40, 80, 1e5};
    cut_counts counts = {0, 0};
    for (uint64_t i = 0; i < steps; i++) {
        clock.tick_ns = 300 + 200 * (i % 5);
        check_cuts_repeat(&b, i, lt_budget_collision_us(budgets_us[i % LT_COUNT_OF(budgets_us)]), have_points,
                          &counts);
    }
    CHECK(counts.interrupted > steps / 5 && counts.finished > steps / 20);
    lt_world_destroy(b.world);
}

/* Under a budget in units the cuts are the same thing. */
static inline void check_unit_cuts_repeat(lt_world_def def, const busy_shapes *shapes, uint64_t steps,
                                          uint64_t units_a_step, bool have_points) {
    busy b = make_busy(&def, shapes);
    cut_counts counts = {0, 0};
    for (uint64_t i = 0; i < steps; i++)
        check_cuts_repeat(&b, i, lt_budget_collision_units(units_a_step * i), have_points, &counts);
    lt_world_destroy(b.world);
}

#endif
