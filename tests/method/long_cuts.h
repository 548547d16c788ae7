/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Steps of multiscale that are cut somewhere in a turn that goes on over steps: of a body with itself, or with others. */

#ifndef LITHE_TEST_METHOD_LONG_CUTS_H
#define LITHE_TEST_METHOD_LONG_CUTS_H

#include "method/multiscale_work.h"
#include "method/multiscale_world.h"

/* Which turn is meant, what must hold of the state, and how often it was cut, and in its query. */
typedef struct long_cuts {
    const lt_multi_long *(*turn_of)(const lt_world *world);
    bool (*is_sound)(const lt_world *world);
    uint32_t cuts, in_query;
} long_cuts;

/* From that state on so many units; then once more from a snapshot into another world, which goes on alike. */
static inline void cut_at(lt_world *world, lt_world *twin, const saved *state, uint64_t units,
                          long_cuts *all) {
    CHECK(load_world(world, state) == LT_OK);
    lt_report report = lt_world_step(world, STEP_DT, lt_budget_units(units));
    const lt_multi_long *turn = all->turn_of(world);
    CHECK(report.momentum_error <= 1e-6 && world_is_finite(world) && all->is_sound(world));
    CHECK(report_is_consistent(world, &report) && unsound_contacts_of(world, false) == 0);
    all->cuts += turn->is_begun;
    all->in_query += turn->is_begun && turn->phase == LT_TURN_QUERY;
    check_goes_on_alike(world, twin, 2 * units);
}

#endif
