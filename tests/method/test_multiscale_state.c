/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Steps of the method multiscale repeat: by cuts, from snapshots, with any number of threads and any width of SIMD. What is
 * restored is checked, whatever the bytes say.
 * labels: golden threaded wasm */

#include "method/cut_checks.h"
#include "method/multiscale_world.h"
#include "method/state_checks.h"

static busy_shapes shapes;

static lt_world_def busy_def(void) {
    lt_world_def def = multiscale_world_def();
    def.diagnostics = false;
    def.contact_capacity = 512;
    return def;
}

static lt_world_def paper_def(void) {
    lt_world_def def = busy_def();
    def.mode = LT_MODE_PAPER;
    return def;
}

static void cuts_repeat_a_step(void) {
    check_timed_cuts_repeat(busy_def(), &shapes, 28, false);
    check_timed_cuts_repeat(paper_def(), &shapes, 14, false);
}

static void cuts_repeat_unit_budgets(void) {
    check_unit_cuts_repeat(busy_def(), &shapes, 20, 30000, false);
}

static void snapshots_repeat_the_future(void) {
    check_snapshots_repeat_the_future(busy_def(), &shapes);
    check_snapshots_repeat_the_future(paper_def(), &shapes);
}

static void threads_and_levels_agree(void) {
    check_threads_and_levels_agree(busy_def(), &shapes, "multiscale");
    check_threads_and_levels_agree(paper_def(), &shapes, "multiscale-paper");
}

static void damaged_snapshots_do_no_harm(void) {
    check_damaged_snapshots_do_no_harm(busy_def(), &shapes);
}

static void bodies_come_and_go(void) {
    check_bodies_come_and_go(busy_def(), &shapes);
    check_bodies_come_and_go(paper_def(), &shapes);
}

/* From any step of a fall on each other, into another world. */
static void any_step_can_be_resumed(void) {
    lt_world_def def = busy_def();
    busy b = make_busy(&def, &shapes), twin = make_busy(&def, &shapes);
    for (uint64_t i = 0; i < 12; i++) {
        saved s = save_world(b.world);
        CHECK(load_world(twin.world, &s) == LT_OK);
        step_busy(&b, i, some_budget(i));
        step_busy(&twin, i, some_budget(i));
        CHECK(lt_world_hash(b.world) == lt_world_hash(twin.world));
        drop_saved(&s);
    }
    lt_world_destroy(b.world);
    lt_world_destroy(twin.world);
}

int main(void) {
    shapes = (busy_shapes){cube_with_boxes(0.2, 2), ball_with_boxes(0.12, 1), false};
    RUN(cuts_repeat_a_step);
    RUN(cuts_repeat_unit_budgets);
    RUN(snapshots_repeat_the_future);
    RUN(threads_and_levels_agree);
    RUN(damaged_snapshots_do_no_harm);
    RUN(bodies_come_and_go);
    RUN(any_step_can_be_resumed);
    drop_busy_shapes(&shapes);
    return check_finish();
}
