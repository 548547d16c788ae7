/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* More contacts than a budget can answer: tet-hash keeps some of them, and leaves enough to its collision cycle that
 * cycles end and contacts are renewed. */

#include "respond/respond.h"
#include "world/fixture.h"

enum { PLATES = 4, STEPS = 240 };

static lt_shape *plate;

/* Thin plates, each a little in the one below, the lowest in a floor: every point of theirs is a contact. They are pinned, so
 * that what is found never changes. */
static lt_world *make_plates(bool pinned) {
    lt_world_def def = test_world_def();
    def.method = LT_METHOD_TET_HASH;
    def.sleeping = false;
    if (pinned) def.gravity = (lt_vec3){0, 0, 0};
    lt_world *world = make_world(&def);
    add_floor(world);
    for (int i = 0; i < PLATES; i++) {
        float k = (float)i;
        lt_body_id body = add_body(world, plate, (lt_vec3){0.01f * k, 0.0145f + 0.029f * k, 0.013f * k});
        if (pinned) lt_body_pin_box(world, body, (lt_vec3){-9, -9, -9}, (lt_vec3){9, 9, 9});
    }
    return world;
}

/* Units of answering all contacts, and of everything else that is done in every step. */
static uint64_t answers_of(const lt_report *full) {
    return full->contacts * LT_CONTACT_UNITS;
}

static uint64_t rest_of(const lt_report *full) {
    return full->cuts.units[LT_STAGE_BOUND] + full->cuts.units[LT_STAGE_BROAD] +
           full->cuts.units[LT_STAGE_EMBED];
}

/* From riches to a part of what answering all of them takes. */
static void cycles_end_where_contacts_would_take_all(void) {
    const uint32_t percents[] = {80, 95};
    for (uint32_t i = 0; i < LT_COUNT_OF(percents); i++) {
        lt_world *world = make_plates(true);
        lt_report full = run(world, 1), report = {0};
        CHECK(full.contacts > 200 && full.latency == 1);
        uint64_t units = rest_of(&full) + answers_of(&full) * percents[i] / 100;
        uint32_t ended = 0;
        uint64_t oldest = 0, longest = 0;
        for (uint32_t step = 0; step < STEPS; step++) {
            report = lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
            ended += !report.interrupted;
            if (ended >= 2) oldest = lt_max_u64(oldest, report.age_max);
            longest = lt_max_u64(longest, report.latency);
            CHECK(report.units <= units && report.allocations == 0);
            CHECK(report.contacts < full.contacts && report.contacts >= full.contacts * percents[i] / 150);
        }
        CHECK(ended >= 2 && longest > 1 && longest < STEPS / 2);
        CHECK(oldest >= longest && oldest <= 2 * longest); /* renewed by every cycle */
        CHECK(report_is_consistent(world, &report) && unsound_contacts_of(world, false) == 0);
        lt_world_destroy(world);
    }
}

/* The same under its weight: nobody falls through. */
static void plates_lie_on_some_of_their_contacts(void) {
    lt_world *world = make_plates(false);
    lt_report full = run(world, 1);
    uint64_t units = rest_of(&full) + answers_of(&full) * 9 / 10;
    uint32_t ended = 0;
    for (uint32_t step = 0; step < 100; step++) {
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
        ended += !report.interrupted;
        CHECK_COUNT(report.blown_up + unsound_contacts_of(world, false), 0);
    }
    CHECK(ended >= 1 && world_is_finite(world));
    for (uint32_t i = 0; i < PLATES; i++)
        CHECK_NEAR(lt_body_center(world, lt_world_body_at(world, i)).y, 0.015 + 0.03 * i, 0.008);
    lt_world_destroy(world);
}

int main(void) {
    plate = block_shape(0.4, 0.03, 0.4, 6, 1, 6);
    RUN(cycles_end_where_contacts_would_take_all);
    RUN(plates_lie_on_some_of_their_contacts);
    lt_shape_release(plate);
    return check_finish();
}
