/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A full list of pairs: who is kept, and what the log says of it. */

#include "world/fixture.h"

/* Four cubes side by side whose boxes overlap; of a list of four pairs the floor gets all. */
static void a_full_list_of_pairs_keeps_the_floor(void) {
    lt_shape *shape = cube_shape(1, 1);
    lt_world_def def = test_world_def();
    def.pair_capacity = 4;
    lt_world *world = make_world(&def);
    add_floor(world);
    for (int i = 0; i < 4; i++)
        add_body(world, shape, (lt_vec3){(float)i, 0.51f, 0});
    lt_report report = run(world, 1);
    CHECK(report.dropped > 0 && (report.problems & LT_PROBLEM_PAIR_CAPACITY));
    run(world, 60);
    for (uint32_t i = 0; i < 4; i++)
        CHECK(lt_body_center(world, lt_world_body_at(world, i)).y > 0.4f);
    lt_world_destroy(world);
    lt_shape_release(shape);
}

typedef struct lines {
    int count;
    lt_log_level level;
    char last[200];
} lines;

static void take_line(void *context, lt_log_level level, const char *message) {
    lines *l = context;
    l->count++;
    l->level = level;
    snprintf(l->last, sizeof l->last, "%s", message);
}

/* Once, not in every step; again when it comes back. */
static void what_goes_on_is_logged_once(void) {
    lt_shape *shape = cube_shape(1, 1);
    lines log = {0};
    lt_world_def def = test_world_def();
    def.pair_capacity = 4;
    def.logger = (lt_logger){take_line, &log};
    lt_world *world = make_world(&def);
    lt_body_id bodies[4];
    run(world, 3);
    CHECK_COUNT(log.count, 0);
    add_floor(world);
    for (int i = 0; i < 4; i++)
        bodies[i] = add_body(world, shape, (lt_vec3){(float)i, 0.51f, 0});
    run(world, 5);
    CHECK_COUNT(log.count, 1);
    CHECK(log.level == LT_LOG_WARNING);
    CHECK(strcmp(log.last, "step 4: body pairs were dropped: raise pair_capacity") == 0);
    for (int i = 1; i < 4; i++)
        lt_world_remove_body(world, bodies[i]);
    run(world, 2);
    for (int i = 1; i < 4; i++)
        add_body(world, shape, (lt_vec3){(float)i, 0.51f, 0});
    run(world, 2);
    CHECK_COUNT(log.count, 2);
    CHECK(strcmp(log.last, "step 11: body pairs were dropped: raise pair_capacity") == 0);
    lt_world_destroy(world);
    lt_shape_release(shape);
}

int main(void) {
    RUN(a_full_list_of_pairs_keeps_the_floor);
    RUN(what_goes_on_is_logged_once);
    return check_finish();
}
