/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Steps of multiscale that are cut somewhere in a turn that goes on over steps: of a body with itself, or with others. */

#ifndef LITHE_TEST_METHOD_LONG_CUTS_H
#define LITHE_TEST_METHOD_LONG_CUTS_H

#include "method/multiscale_work.h"
#include "method/multiscale_world.h"

/* Which turn is meant, what must hold of the state, and how many different states cuts left in it, and in its query. */
typedef struct long_cuts {
    const lt_multi_long *(*turn_of)(const lt_world *world);
    bool (*is_sound)(const lt_world *world);
    uint32_t cuts, in_query;
    uint64_t last; /* hash of what the cut before left */
} long_cuts;

/* From that state on so many units; then once more from a snapshot into another world, which goes on alike. Work is done in pieces: a few
 * units more often leave the same state, from which it was gone on already. */
static inline void cut_at(lt_world *world, lt_world *twin, const saved *state, uint64_t units,
                          long_cuts *all) {
    CHECK(load_world(world, state) == LT_OK);
    lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
    const lt_multi_long *turn = all->turn_of(world);
    CHECK(report.momentum_error <= 1e-6 && world_is_finite(world) && all->is_sound(world));
    CHECK(report_is_consistent(world, &report));
    uint64_t hash = lt_world_hash(world);
    if (hash == all->last) return;
    all->last = hash;
    CHECK_COUNT(unsound_contacts_of(world, false), 0);
    all->cuts += turn->is_begun;
    all->in_query += turn->is_begun && turn->phase == LT_TURN_QUERY;
    check_goes_on_alike(world, twin, 2 * units);
}

/* How far a turn gets in one step. */
typedef enum long_progress { LONG_NOT_BEGUN, LONG_BEFORE_QUERY, LONG_IN_QUERY, LONG_ENDED } long_progress;

static inline long_progress progress_on(lt_world *world, const saved *state, uint64_t units,
                                        const long_cuts *all) {
    CHECK(load_world(world, state) == LT_OK);
    uint64_t known = all->turn_of(world)->whole_units;
    lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
    const lt_multi_long *turn = all->turn_of(world);
    if (turn->whole_units != known) return LONG_ENDED;
    if (!turn->is_begun) return LONG_NOT_BEGUN;
    return turn->phase == LT_TURN_QUERY ? LONG_IN_QUERY : LONG_BEFORE_QUERY;
}

/* The least budget on which it gets so far; `few` is not enough. Looked for from below: on much more than it takes it is no long one. */
static inline uint64_t budget_for(lt_world *world, const saved *state, uint64_t few, long_progress wanted,
                                  const long_cuts *all) {
    uint64_t most = few + few / 4;
    while (progress_on(world, state, most, all) < wanted && most < 10000000) {
        few = most;
        most += most / 4;
    }
    CHECK(most < 10000000);
    while (most - few > 1) {
        uint64_t middle = few + (most - few) / 2;
        if (progress_on(world, state, middle, all) >= wanted)
            most = middle;
        else
            few = middle;
    }
    return most;
}

/* From the last unit before the turn begins to the first after its end: on both sides of every limit between its phases, and at
 * `places` budgets between any two. */
static inline void cut_everywhere(lt_world *world, lt_world *twin, const saved *state,
                                  const uint32_t places[2], long_cuts *all) {
    uint64_t limits[3], few = 100;
    for (int i = 0; i < 3; i++) {
        limits[i] = budget_for(world, state, few, (long_progress)(LONG_BEFORE_QUERY + i), all);
        few = limits[i] - 1;
    }
    cut_at(world, twin, state, limits[0] - 1, all);
    for (int i = 0; i < 2; i++) {
        uint64_t width = limits[i + 1] - limits[i];
        for (uint32_t k = 0; k < places[i]; k++)
            cut_at(world, twin, state, limits[i] + width * k / places[i], all);
        cut_at(world, twin, state, limits[i + 1] - 1, all);
    }
    cut_at(world, twin, state, limits[2], all);
}

#endif
