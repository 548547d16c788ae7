/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Steps of the method tet-hash repeat: by cuts, from snapshots in the middle of a cycle, with any number of threads and
 * any width of SIMD. What is restored is checked, whatever the bytes say.
 * labels: golden threaded wasm */

#include "method/cut_checks.h"
#include "method/state_checks.h"

static busy_shapes shapes;

static lt_world_def busy_def(void) {
    lt_world_def def = test_world_def();
    def.method = LT_METHOD_TET_HASH;
    def.diagnostics = false;
    def.contact_capacity = 512;
    return def;
}

static lt_world_def paper_def(void) {
    lt_world_def def = busy_def();
    def.mode = LT_MODE_PAPER;
    return def;
}

/* ---- repeating ---- */

static void cuts_repeat_a_step(void) {
    check_timed_cuts_repeat(busy_def(), &shapes, 42, false);
}

static void cuts_repeat_unit_budgets(void) {
    check_unit_cuts_repeat(busy_def(), &shapes, 30, 700, false);
}

static void snapshots_repeat_the_future(void) {
    check_snapshots_repeat_the_future(busy_def(), &shapes);
}

static void threads_and_levels_agree(void) {
    check_threads_and_levels_agree(busy_def(), &shapes, "tet-hash");
    check_threads_and_levels_agree(paper_def(), &shapes, "tet-hash-paper");
}

/* ---- damage ---- */

static void damaged_snapshots_do_no_harm(void) {
    check_damaged_snapshots_do_no_harm(busy_def(), &shapes);
    check_damaged_snapshots_do_no_harm(paper_def(), &shapes);
}

/* ---- changes between steps ---- */

static void bodies_come_and_go(void) {
    check_bodies_come_and_go(busy_def(), &shapes);
    check_bodies_come_and_go(paper_def(), &shapes);
}

int main(void) {
    shapes = (busy_shapes){cube_shape(0.2, 2), ball_shape(0.12, 2), false};
    RUN(cuts_repeat_a_step);
    RUN(cuts_repeat_unit_budgets);
    RUN(snapshots_repeat_the_future);
    RUN(threads_and_levels_agree);
    RUN(damaged_snapshots_do_no_harm);
    RUN(bodies_come_and_go);
    drop_busy_shapes(&shapes);
    return check_finish();
}
