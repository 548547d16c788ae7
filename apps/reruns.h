/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Records of runs (scenes/replay.h) in the program: `lithe run --save` makes one, `lithe replay` follows one and compares. */

#ifndef LITHE_APPS_RERUNS_H
#define LITHE_APPS_RERUNS_H

#include "options.h"
#include "scenes/replay.h"

/* What a run has to do with records. Zeroed: nothing. */
typedef struct lt_rerun {
    const lt_replay *again; /* the run that is repeated, or NULL */
    const char *save_path;  /* NULL: nothing is saved */
    lt_replay saved;
} lt_rerun;

/* Whether an option of `lithe run`, as it was given, decides what happens, and so is part of a record. Others say how it is looked
 * at, where it is written, or are in the record in another way (--steps, --collision-budget). */
bool lt_option_decides(const char *word);

/* Before the first step: begins the record with the scene and the options that decide, each one word ("--method=tet-hash"), and
 * compares the world's hash when the run is a repetition. `usage` has parsed the words. */
lt_status lt_rerun_begin(lt_rerun *rerun, const lt_usage *usage, const char *scene, int word_count,
                         char **words, uint64_t hash, lt_error *error);
/* As recorded, or as given. */
lt_budget lt_rerun_budget(const lt_rerun *rerun, uint64_t step, lt_budget budget);
/* After a step: keeps it, and compares. The first difference is an error that names the step. */
lt_status lt_rerun_step(lt_rerun *rerun, uint64_t step, const lt_cuts *cuts, uint64_t hash, lt_error *error);
/* Writes what was kept. */
lt_status lt_rerun_end(lt_rerun *rerun, lt_error *error);
void lt_rerun_free(lt_rerun *rerun);

/* `lithe run` as recorded: words are those of the record, and more. */
int lt_run_again(const lt_replay *again, int word_count, char **words);

#endif
