/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Steps of the method cell-box repeat: by cuts, from snapshots in the middle of a turn, with any number of threads and any
 * width of SIMD. What is restored is checked, whatever the bytes say.
 * labels: golden threaded wasm */

#include "method/cell_work.h"
#include "method/lattice_world.h"
#include "method/state_cases.h"
#include "world/world.h"

static void cuts_repeat_a_step_as_printed(void) {
    check_timed_cuts_repeat(paper_def(), &subject.shapes, 14, false);
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
        lt_body_def bd = lattice_body_def(subject.shapes.cube, place);
        bd.rotation = (lt_quat){0, 0.03f * (float)(i % 5), 0.01f * (float)(i % 7), 1};
        add_body_def(world, &bd);
    }
    step_many(world, 6, units ? lt_budget_collision_units(units) : lt_budget_unlimited());
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

/* So many bodies and pairs that looking at them before turns is shared, too (cell_spare.c). */
static uint64_t hash_of_crowd(uint32_t threads) {
    enum { BODIES = 128, SHARED_PAIRS = 512 };
    lt_world_def def = busy_def();
    def.thread_count = threads;
    def.contact_capacity = def.pair_capacity = 4096;
    lt_world *world = make_world(&def);
    add_floor(world);
    for (int i = 0; i < BODIES; i++)
        add_lattice(
            world, subject.shapes.cube,
            (lt_vec3){0.201f * (float)(i % 5), 0.1f + 0.201f * (float)(i / 25), 0.201f * (float)(i / 5 % 5)});
    step_many(world, 6, lt_budget_unlimited());
    const lt_cell_method *method = world->method_state;
    CHECK(method->memory.pairs.count > SHARED_PAIRS);
    uint64_t hash = lt_world_hash(world);
    lt_world_destroy(world);
    return hash;
}

static void a_crowd_is_looked_at_as_in_a_row(void) {
    CHECK(hash_of_crowd(3) == hash_of_crowd(1));
}

int main(void) {
    subject = (state_subject){.def = lattice_world_def(),
                              .shapes = {lattice_box(0.2f, 0.2f, 0.2f, 8), lattice_ball(0.12f, 26), true},
                              .name = "cell-box",
                              .paper_name = "cell-box-paper",
                              .timed_steps = 42,
                              .unit_steps = 30,
                              .units = 900};
    run_state_cases();
    RUN(cuts_repeat_a_step_as_printed);
    RUN(turns_at_the_same_time_are_as_in_a_row);
    RUN(a_crowd_is_looked_at_as_in_a_row);
    drop_busy_shapes(&subject.shapes);
    return check_finish();
}
