/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Steps of the method multiscale repeat: by cuts, from snapshots, with any number of threads and any width of SIMD. What is
 * restored is checked, whatever the bytes say.
 * labels: golden threaded wasm */

#include "method/multiscale_world.h"
#include "method/state_cases.h"

static void cuts_repeat_a_step_as_printed(void) {
    check_timed_cuts_repeat(paper_def(), &subject.shapes, 14, false);
}

/* From any step of a fall on each other, into another world. */
static void any_step_can_be_resumed(void) {
    lt_world_def def = busy_def();
    busy b = make_busy(&def, &subject.shapes), twin = make_busy(&def, &subject.shapes);
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
    subject = (state_subject){.def = multiscale_world_def(),
                              .shapes = {cube_with_boxes(0.2, 2), ball_with_boxes(0.12, 1), false},
                              .name = "multiscale",
                              .paper_name = "multiscale-paper",
                              .timed_steps = 28,
                              .unit_steps = 20,
                              .units = 30000};
    run_state_cases();
    RUN(cuts_repeat_a_step_as_printed);
    RUN(any_step_can_be_resumed);
    drop_busy_shapes(&subject.shapes);
    return check_finish();
}
