/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Steps of the method cell-box repeat: by cuts, from snapshots in the middle of a turn, with any number of threads and any
 * width of SIMD. What is restored is checked, whatever the bytes say.
 * labels: golden threaded wasm */

#include "method/cut_checks.h"
#include "method/lattice_world.h"
#include "method/state_checks.h"

static busy_shapes shapes;

static lt_world_def busy_def(void) {
    lt_world_def def = lattice_world_def();
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
    check_timed_cuts_repeat(busy_def(), &shapes, 42, false);
    check_timed_cuts_repeat(paper_def(), &shapes, 14, false);
}

static void cuts_repeat_unit_budgets(void) {
    check_unit_cuts_repeat(busy_def(), &shapes, 30, 900, false);
}

static void snapshots_repeat_the_future(void) {
    check_snapshots_repeat_the_future(busy_def(), &shapes);
    check_snapshots_repeat_the_future(paper_def(), &shapes);
}

static void threads_and_levels_agree(void) {
    check_threads_and_levels_agree(busy_def(), &shapes, "cell-box");
    check_threads_and_levels_agree(paper_def(), &shapes, "cell-box-paper");
}

static void damaged_snapshots_do_no_harm(void) {
    check_damaged_snapshots_do_no_harm(busy_def(), &shapes);
}

static void bodies_come_and_go(void) {
    check_bodies_come_and_go(busy_def(), &shapes);
    check_bodies_come_and_go(paper_def(), &shapes);
}

/* Many pairs that share no body, in batches: with threads and one after the other the same. */
static uint64_t hash_of_heap(uint32_t threads, uint64_t units) {
    lt_world_def def = busy_def();
    def.thread_count = threads;
    def.contact_capacity = 4096;
    lt_world *world = make_world(&def);
    add_floor(world);
    for (int i = 0; i < 27; i++) {
        lt_vec3 place = {0.19f * (float)(i % 3), 0.1f + 0.19f * (float)(i / 9), 0.19f * (float)(i / 3 % 3)};
        lt_body_def bd = lattice_body_def(shapes.cube, place);
        bd.rotation = (lt_quat){0, 0.03f * (float)(i % 5), 0.01f * (float)(i % 7), 1};
        add_body_def(world, &bd);
    }
    step_many(world, 6, units ? lt_budget_units(units) : lt_budget_unlimited());
    uint64_t hash = lt_world_hash(world);
    lt_world_destroy(world);
    return hash;
}

static void turns_at_the_same_time_are_as_in_a_row(void) {
    /* This many units are enough for all that is done, and not for what a batch might cost. */
    CHECK(hash_of_heap(1, 3000000) == hash_of_heap(1, 0));
    CHECK(hash_of_heap(3, 0) == hash_of_heap(1, 0));
    CHECK(hash_of_heap(3, 60000) == hash_of_heap(1, 60000));
}

int main(void) {
    shapes = (busy_shapes){lattice_box(0.2f, 0.2f, 0.2f, 8), lattice_ball(0.12f, 26), true};
    RUN(cuts_repeat_a_step);
    RUN(cuts_repeat_unit_budgets);
    RUN(snapshots_repeat_the_future);
    RUN(threads_and_levels_agree);
    RUN(damaged_snapshots_do_no_harm);
    RUN(bodies_come_and_go);
    RUN(turns_at_the_same_time_are_as_in_a_row);
    drop_busy_shapes(&shapes);
    return check_finish();
}
