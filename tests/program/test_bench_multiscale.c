/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench multiscale --quick` runs whole: every part leaves its rows and checks, and charts in out/ of the folder that
 * the tests run in, where scans are found. What is about time is not looked at; what is not must pass.
 *
 * labels: slow */

#include "program/bench_checks.h" /* first: it asks for more of the system */

#include "bake/simplify.h"

static void multiscale_runs_whole(void) {
    if (!lt_simplify_is_supported()) {
        check_skip("built without meshoptimizer");
        return;
    }
    int code = run("bench multiscale --quick --json -");
    CHECK(code == 0);
    static const char *const rows[] = {"knot with itself, in contact", "16x finer, in contact",
                                       "table 2, without preparation", "contacts, inside out and back",
                                       "ccd, knot in contact",         "response, no limit"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_part(out_text, rows[i]);
    check_says("multiscale.contacts-missing", "\"pass\": true");
    check_says("multiscale.contacts-extra", "\"pass\": true");
    check_says("multiscale.contacts-kinds-without-any", "\"pass\": true");
    check_says("multiscale.finer-cut-records-more-%", "\"pass\": true");
    check_says("multiscale.momentum-error-any-sweep", "\"pass\": true");
    check_says("multiscale.knot-median-ms", "\"pass\": null");
    check_says("multiscale.table-hash", "\"pass\": null");
    static const char *const no_quick[] = {NULL};
    check_paper_rows("multiscale", no_quick);
}

int main(void) {
    if (!begin_program()) return check_finish();
    RUN(multiscale_runs_whole);
    return finish_program();
}
