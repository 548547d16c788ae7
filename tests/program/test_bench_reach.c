/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench reach --quick` runs whole: every part leaves its rows and checks, and none of its files. */

#include "program/bench_checks.h"

static void reach_runs_whole(void) {
    CHECK_FATAL(chdir(folder) == 0);
    CHECK_COUNT(run("bench reach --quick --json -"), 0);
    static const char *const rows[] = {"OBJ, from memory", "binary PLY, from memory",
                                       "PLY, read, repaired, written", "a ring, made", "snapshot of letters"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_part(out_text, rows[i]);
    check_says("reach.obj-read-mb-per-s", "\"pass\": null");
    check_says("reach.ply-read-mb-per-s", "\"pass\": null");
    check_says("reach.ply-read-repaired-written-s", "\"pass\": null");
    check_says("reach.snapshot-size-over-state", "\"pass\": true");
    check_says("reach.snapshot-unfinished-pairs", "\"pass\": true");
    check_says("reach.snapshot-restored-hash-same", "\"pass\": true");
    check_says("reach.fuzz-executions", "\"pass\": null");
    static const char *const files[] = {"lithe-bench-reach.obj", "lithe-bench-reach.ply",
                                        "lithe-bench-reach-back.ply"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        CHECK(!exists(files[i]));
}

int main(void) {
    if (!begin_program()) return check_finish();
    RUN(reach_runs_whole);
    return finish_program();
}
