/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The reference method cut after every unit: whatever the budget, contacts are sound, counts agree, momentum is kept
 * and the budget is too, except for what the method says is always done: boxes, broad phase and the response to
 * what is held. And nothing that was left is left for ever. */

#include "method/pile.h"
#include "respond/respond.h"

static lt_shape *cube;

/* Eight pairs of all kinds. */
static lt_world *make_heap(bool pinned) {
    return make_pile(test_world_def(), &(pile){.shapes = {cube, cube, cube, cube, cube},
                                               .places = {{0, 0.0995f, 0},
                                                          {0.02f, 0.298f, 0.01f},
                                                          {0.04f, 0.497f, 0},
                                                          {0.199f, 0.0995f, 0.03f},
                                                          {2, 0.0995f, 0}},
                                               .model = LT_MODEL_COROTATIONAL,
                                               .pinned = pinned});
}

/* One step of `units` from the snapshot. */
static lt_report try_budget(lt_world *world, const saved *s, uint64_t units, uint64_t boxes) {
    CHECK(load_world(world, s) == LT_OK);
    lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
    CHECK_COUNT(unsound_contacts(world), 0);
    CHECK(report_is_consistent(world, &report));
    CHECK(world_is_finite(world));
    CHECK(report.momentum_error <= 1e-6);
    CHECK_COUNT(report.allocations, 0);
    CHECK_COUNT(report.interrupted, report.pending > 0);
    CHECK(report.units <= lt_max_u64(units, always_done(&report) + boxes));
    return report;
}

static void sweep(lt_world *world, const char *name) {
    saved s = save_world(world);
    lt_report full = lt_world_step(world, STEP_DT, lt_budget_unlimited());
    uint64_t full_hash = lt_world_hash(world);
    CHECK(full.contacts > 20 && full.interrupted == 0 && full.pending == 0);
    CHECK(load_world(world, &s) == LT_OK);
    /* Nothing but what is always done: its boxes are those of any step. */
    lt_report least = lt_world_step(world, STEP_DT, lt_budget_collision_units(0));
    CHECK_COUNT(least.tested, 0);
    uint64_t boxes = least.cuts.units[LT_STAGE_BOUND], tested = 0, tries = 0;
    for (uint64_t units = 0; units <= full.units; tries++) {
        lt_report report = try_budget(world, &s, units, boxes);
        CHECK(report.tested >= tested); /* more budget, never less work */
        tested = report.tested;
        units += units < 60 ? 1 : 1 + full.units / 60;
    }
    /* Some held contacts end: what was set aside for them is never needed. */
    CHECK_COUNT(try_budget(world, &s, full.units + 12 * LT_CONTACT_UNITS, boxes).tested, full.tested);
    CHECK(lt_world_hash(world) == full_hash);
    printf("%s: %llu units in full, %llu contacts, %llu budgets\n", name, full.units, full.contacts,
           (unsigned long long)tries);
    drop_saved(&s);
}

static void every_budget_is_sound_from_nothing(void) {
    lt_world *world = make_heap(false);
    sweep(world, "fresh");
    lt_world_destroy(world);
}

static void every_budget_is_sound_with_held_contacts(void) {
    lt_world *world = make_heap(false);
    step_many(world, 8, lt_budget_collision_units(6000)); /* pairs half tested, contacts predicted */
    run(world, 1);
    run(world, 1);
    sweep(world, "held");
    lt_world_destroy(world);
}

/* ---- nothing is left for ever ---- */

/* Bodies that cannot move. A budget B above what each step costs in any case (O: boxes, broad phase, refreshing the
 * bodies' points, answering the contacts) leaves B − O for tests; all of them, F − O, take ⌈(F − O) / (B − O)⌉ + 1
 * steps at most. Without O in the way that is the ⌈F / B⌉ + 1 of the design. */
static void everything_is_found_in_time(void) {
    lt_world *world = make_heap(true);
    saved s = save_world(world);
    static lt_contact all[2048];
    uint32_t count;
    lt_report full = run(world, 1);
    memcpy(all, lt_world_contacts(world, &count), full.contacts * sizeof *all);
    CHECK(count > 20);
    uint64_t tests = full.cuts.units[LT_STAGE_DETECT] + full.cuts.units[LT_STAGE_OBSTACLES];
    uint64_t refresh = 5 * (3 * 26 + 64 * 5); /* five cubes of 26 points and 40 tets in 5 groups */
    CHECK(tests > refresh);
    uint64_t work = tests - refresh, overhead = full.units - work;
    for (uint64_t parts = 1; parts <= 12; parts++) {
        uint64_t budget = overhead + work / parts + 80,
                 steps = (work + budget - overhead - 1) / (budget - overhead) + 1;
        CHECK(load_world(world, &s) == LT_OK);
        step_many(world, (uint32_t)steps, lt_budget_collision_units(budget));
        CHECK_COUNT(missing_contacts(all, count, world, 3), 0);
    }
    drop_saved(&s);
    lt_world_destroy(world);
}

/* A step that may do everything does everything, also when the one before was cut in the middle of a round: no
 * contact is left predicted, and the report does not say that all was done when it was not. */
static void a_full_budget_after_a_cut_tests_all(void) {
    lt_world *world = make_heap(true);
    lt_report full = run(world, 1);
    for (uint64_t units = 500; units < full.units; units += 700) {
        lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
        lt_report report = run(world, 1);
        CHECK_COUNT(report.pending, 0);
        CHECK_COUNT(report.predicted, 0);
        CHECK_COUNT(report.exact, full.exact);
        CHECK_COUNT(report.tested, full.tested);
    }
    lt_world_destroy(world);
}

int main(void) {
    cube = cube_shape(0.2, 2);
    RUN(every_budget_is_sound_from_nothing);
    RUN(every_budget_is_sound_with_held_contacts);
    RUN(everything_is_found_in_time);
    RUN(a_full_budget_after_a_cut_tests_all);
    lt_shape_release(cube);
    return check_finish();
}
