/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Steps of the method tet-hash repeat: by cuts, from snapshots in the middle of a cycle, with any number of threads and
 * any width of SIMD. What is restored is checked, whatever the bytes say.
 * labels: golden threaded wasm */

#include "method/state_cases.h"

int main(void) {
    subject = (state_subject){.def = test_world_def(),
                              .shapes = {cube_shape(0.2, 2), ball_shape(0.12, 2), false},
                              .name = "tet-hash",
                              .paper_name = "tet-hash-paper",
                              .timed_steps = 42,
                              .unit_steps = 30,
                              .units = 700,
                              .paper_forgets = true};
    subject.def.method = LT_METHOD_TET_HASH;
    run_state_cases();
    drop_busy_shapes(&subject.shapes);
    return check_finish();
}
