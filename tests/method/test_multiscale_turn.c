/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One turn of the method multiscale by itself, with less room than the method ever has: what is dropped is told. */

#include "method/multiscale_work.h"
#include "method/multiscale_world.h"
#include "world/world.h"

enum { ROOM = 64 };

/* All that a turn of two bodies which stand still looks at. */
typedef struct setting {
    lt_world *world;
    lt_report report;
    lt_method_step step;
    lt_multi_motion motions[2];
    lt_multi_fate fate;
    lt_meeting meetings[ROOM];
    lt_touch touches[ROOM];
    lt_multi_turn turn;
    lt_multi_work work;
} setting;

static void make_setting(setting *s, lt_shape *shape, uint32_t capacity) {
    lt_world_def def = multiscale_world_def();
    lt_budget budget = lt_budget_unlimited();
    *s = (setting){.world = make_world(&def)};
    add_body(s->world, shape, (lt_vec3){0, 0, 0});
    add_body(s->world, shape, (lt_vec3){0.11f, 0.03f, 0.02f});
    lt_multi_method *method = s->world->method_state;
    method->memory.pairs.pairs[0] = (lt_pair){.a = 0, .kind = LT_PAIR_BODIES, .b = 1};
    method->memory.pairs.count = 1;
    s->step = lt_method_step_of(s->world, STEP_DT, &s->report);
    lt_meter_begin(&s->world->meter, &budget, LT_UNLIMITED);
    s->work = (lt_multi_work){.method = method,
                              .step = &s->step,
                              .separation = 1e-4f,
                              .motions = s->motions,
                              .fates = &s->fate,
                              .turn = &s->turn,
                              .meetings = s->meetings,
                              .touches = s->touches,
                              .capacity = capacity,
                              .complete = true};
}

static void points_without_room_are_told(void) {
    static setting s;
    lt_shape *shape = cube_with_boxes(0.2, 2);
    uint64_t found = 0;
    const uint32_t rooms[] = {ROOM, 2};
    for (int i = 0; i < 2; i++) {
        make_setting(&s, shape, rooms[i]);
        lt_multi_turn_begin(&s.turn, &s.work, 0, s.work.separation, false);
        lt_spend_fully(s.step.meter, LT_STAGE_DETECT, lt_multi_turn_cursor(&s.turn));
        CHECK(s.fate.done && lt_multi_is_tangled(s.turn.pair));
        if (i == 0) {
            found = s.work.touch_count;
            CHECK(found > 2 && found < ROOM && s.report.dropped == 0 && s.report.problems == 0);
        } else {
            CHECK_COUNT(s.work.touch_count, 2);
            CHECK_COUNT(s.report.dropped, found - 2);
            CHECK_COUNT(s.report.problems, LT_PROBLEM_CONTACT_CAPACITY);
        }
        lt_world_destroy(s.world);
    }
    lt_shape_release(shape);
}

int main(void) {
    RUN(points_without_room_are_told);
    return check_finish();
}
