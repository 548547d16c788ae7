/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench multigrid --quick` runs whole: every part leaves its rows and checks. What is about time, or about the ladder of
 * the whole run, is not looked at; what is not must pass.
 *
 * labels: slow */

#include "program/bench_checks.h" /* first: it asks for more of the system */

static void multigrid_runs_whole(void) {
    int code = run("bench multigrid --quick --json -");
    CHECK(code == 0);
    static const char *const rows[] = {
        "cycles on a full front",       "random fronts, every other in contact",
        "one bear of 1 m, CG",          "eight bears of 0.1 m, adaptive",
        "one bear of 0.1 m, threshold", "one bear of 1 m, front changes"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_part(out_text, rows[i]);
    check_says("multigrid.fall-a-cycle-1m", "\"pass\": true");
    check_says("multigrid.stiff-or-incompressible-diverged", "\"pass\": true");
    check_says("multigrid.random-fronts-diverged-0.1m", "\"pass\": true");
    check_says("multigrid.eight-1m-solves-short-of-residual", "\"pass\": true");
    check_says("multigrid.one-0.1m-full-over-cg", "\"pass\": null");
    static const char *const no_quick[] = {NULL};
    check_paper_rows("multigrid", no_quick);
    CHECK_COUNT(remove_charts(), 2);
}

int main(void) {
    if (!begin_program()) return check_finish();
    if (chdir(folder) == 0) RUN(multigrid_runs_whole);
    return finish_program();
}
