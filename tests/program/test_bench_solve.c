/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench solve --quick` runs whole: every part leaves its rows and checks. What it holds against bars is not looked at but for
 * the oracle itself: a step that it cannot find makes every error meaningless.
 *
 * labels: slow */

#include "program/bench_checks.h" /* first: it asks for more of the system */

static void solve_runs_whole(void) {
    int code = run("bench solve --quick --json -");
    CHECK(code == 0 || code == 1);
    static const char *const rows[] = {"unit: product with the bear's matrix",
                                       "oracle",
                                       "bear-0.1m cut at 1",
                                       "stack-2 full",
                                       "energy at cuts",
                                       "height at rest",
                                       "energy from nothing",
                                       "models of a crowd",
                                       "ten cubes, one on the other"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_part(out_text, rows[i]);
    check_says("solve.oracle-residual", "\"pass\": true");
    check_says("solve.jelly-1m-to-10%", "\"pass\": null");
    check_says("solve.heap-models", "\"bar\": 195");
}

int main(void) {
    if (!begin_program()) return check_finish();
    if (chdir(folder) == 0) RUN(solve_runs_whole);
    return finish_program();
}
