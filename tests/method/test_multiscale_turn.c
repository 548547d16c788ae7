/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One turn of the method multiscale by itself: with less room than the method ever has, what is dropped is told; and what is asked of
 * where bodies are does not look at all that they sweep over. */

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
    lt_multi_outcome outcome;
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
    lt_pair_table_append(&method->memory.pairs, &(lt_pair){.a = 0, .kind = LT_PAIR_BODIES, .b = 1});
    s->step = lt_method_step_of(s->world, STEP_DT, &s->report);
    lt_meter_begin(&s->world->meter, &budget, LT_UNLIMITED);
    s->work = (lt_multi_work){.method = method,
                              .step = &s->step,
                              .separation = 1e-4f,
                              .motions = s->motions,
                              .outcomes = &s->outcome,
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
        CHECK(s.outcome.done && lt_multi_is_overlapping(s.turn.pair));
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

/* The way of the second body of a setting: it comes from there to where it is. */
static void come_from(setting *s, lt_vec3 away, float *from) {
    const lt_soft *soft = &s->step.softs[1];
    for (uint32_t i = 0; i < soft->carrier.node_count; i++) {
        lt_vec3 p = lt_v3_add(lt_v3_from_r3(lt_node_get(soft->x, i)), away);
        from[4 * i] = p.x, from[4 * i + 1] = p.y, from[4 * i + 2] = p.z, from[4 * i + 3] = 0;
    }
    s->motions[1].from = from;
    s->motions[1].span = (lt_multi_span){0, 1};
}

/* It sweeps through the other, but as the step begins it is apart from it: boxes say so. */
static void fast_bodies_are_asked_where_they_are(void) {
    static setting s;
    static float from[4 * 1024];
    lt_shape *shape = ball_with_boxes(0.1, 4);
    make_setting(&s, shape, ROOM);
    CHECK_FATAL(s.step.softs[1].carrier.node_count <= 1024);
    come_from(&s, (lt_vec3){0.15f, 0, 0}, from);
    lt_multi_turn_begin(&s.turn, &s.work, 0, s.work.separation, false);
    lt_cursor cursor = lt_multi_turn_cursor(&s.turn);
    uint64_t crossing_units = 0;
    for (uint32_t cost; s.turn.phase < LT_TURN_QUERY && (cost = cursor.peek(&s.turn).cost) > 0;) {
        bool is_crossing = s.turn.phase == LT_TURN_CROSS;
        uint32_t spent = cursor.step(&s.turn, cost);
        if (is_crossing) crossing_units += spent;
    }
    CHECK(s.turn.phase == LT_TURN_QUERY && lt_multi_known(s.turn.pair) == LT_MULTI_APART);
    CHECK(s.turn.span.end == 1); /* boxes are of the whole way from then on */
    CHECK_COUNT(crossing_units, 0);
    lt_world_destroy(s.world);
    lt_shape_release(shape);
}

/* Before any point is looked at, what crosses has told how deep it is, and the pair is decided. */
static void crossings_tell_depths_first(void) {
    static setting s;
    lt_shape *shape = cube_with_boxes(0.2, 2);
    make_setting(&s, shape, ROOM);
    s.work.limit = UINT32_MAX;
    lt_multi_turn_begin(&s.turn, &s.work, 0, s.work.separation, false);
    lt_cursor cursor = lt_multi_turn_cursor(&s.turn);
    uint32_t before = 0;
    for (uint32_t cost; s.turn.phase < LT_TURN_REFRESH && (cost = cursor.peek(&s.turn).cost) > 0;) {
        CHECK(s.outcome.done == false && s.work.touch_count >= before);
        before = s.work.touch_count;
        cursor.step(&s.turn, cost);
    }
    CHECK(s.turn.phase <= LT_TURN_POINTS && s.turn.next_point == 0);
    CHECK(s.outcome.done && s.outcome.has_points_left);
    CHECK(s.turn.crossing_count > 4 && s.work.touch_count > 4);
    for (uint32_t i = 0; i < s.work.touch_count; i++) {
        const lt_touch *touch = &s.touches[i];
        CHECK(touch->own.tet != LT_NONE && touch->depth > -s.work.separation && touch->depth < 0.1f);
        CHECK_NEAR(lt_v3_length(touch->normal), 1, 1e-4);
    }
    lt_world_destroy(s.world);
    lt_shape_release(shape);
}

int main(void) {
    RUN(crossings_tell_depths_first);
    RUN(fast_bodies_are_asked_where_they_are);
    RUN(points_without_room_are_told);
    return check_finish();
}
