/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe run --check N`: the judge (judge/judge.h) in the program: asked every N steps and after the last one, its
 * answers as JSON and as lines of the summary. */

#ifndef LITHE_APPS_RUN_JUDGE_H
#define LITHE_APPS_RUN_JUDGE_H

#include "json_output.h"
#include "judge/scene.h"

#include <stdio.h>

/* Zeroed: nothing is judged. */
typedef struct lt_run_judge {
    lt_judge *judge;
    uint32_t every, check_count;
    lt_judgement last,
        worst;     /* worst: of every field the largest; energy_excess and energy_rise among them */
    bool is_fresh; /* `last` is of the step that was just made */
} lt_run_judge;

/* Before the first step. */
lt_status lt_run_judge_begin(lt_run_judge *judged, const lt_scene_world *scene_world, uint32_t every,
                             lt_error *error);
/* After step number `step` (from 1) of `steps`. */
lt_status lt_run_judge_step(lt_run_judge *judged, uint64_t step, uint64_t steps, lt_error *error);
/* "check": {...} in the object at hand, if this step was judged. */
void lt_run_judge_put(const lt_run_judge *judged, lt_json *json);
void lt_run_judge_print(const lt_run_judge *judged, FILE *out);
void lt_run_judge_free(lt_run_judge *judged);

#endif
