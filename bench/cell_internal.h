/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The parts of `bench cell-box`. Private to bench/cell_*.c.
 *
 * Time of collision handling is wall time of the call without what the models took: boxes, detection, resolution,
 * obstacles, and what a world does around them. */

#ifndef LITHE_BENCH_CELL_INTERNAL_H
#define LITHE_BENCH_CELL_INTERNAL_H

#include "measure.h"
#include "scene_rig.h"

lt_status lt_cell_speed(lt_bench *bench, lt_error *error);
lt_status lt_cell_triangles(lt_bench *bench, lt_error *error);
lt_status lt_cell_letters(lt_bench *bench, lt_error *error);
lt_status lt_cell_gap(lt_bench *bench, lt_error *error);
lt_status lt_cell_containment(lt_bench *bench, lt_error *error);

/* Moves what the scene moves, then one step. The sample is of collision handling alone. */
lt_sample lt_cell_step(const lt_scene_rig *rig, uint64_t step, lt_budget budget, lt_report *report);
/* Whether bodies touch each other, or one itself. */
bool lt_cell_in_contact(const lt_scene_rig *rig);

/* A scene from its beginning, several times over. */
typedef struct lt_cell_run {
    lt_scene_rig rig;
    uint32_t step_count;
    double *steps;    /* [step_count] 1, 2 … */
    double *ms;       /* [step_count] the least of all repetitions */
    bool *in_contact; /* [step_count] */
} lt_cell_run;

/* The scene is taken over in any case. `def` NULL: defaults. */
lt_status lt_cell_run_create(lt_cell_run *run, lt_bench *bench, const lt_scene *scene,
                             const lt_world_def *def, uint32_t step_count, lt_error *error);
void lt_cell_run_free(lt_cell_run *run);
/* Back to the beginning, unless it is the first time, and all steps without a limit. */
lt_status lt_cell_run_repeat(lt_cell_run *run, bool is_first, lt_error *error);
/* Of the steps in contact, or of all. */
lt_distribution lt_cell_run_distribution(const lt_cell_run *run, bool only_contact);

/* Cells of all bodies of a built scene, and triangles as they were before they were cut at faces of cells. */
typedef struct lt_cell_sizes {
    uint32_t bodies, cells, triangles;
} lt_cell_sizes;
lt_cell_sizes lt_cell_sizes_of(const lt_scene_rig *rig);

#endif
