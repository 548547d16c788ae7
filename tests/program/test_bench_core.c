/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench core --quick` runs whole: every part leaves its rows and checks. What is about time is not looked at; what is not
 * must pass.
 *
 * labels: heavy data */

#include "program/bench_checks.h"

/* Without the data the check has the name that it has in float; with it, in the double build another. */
static bool lacks_cantilever(void) {
    return strstr(out_text, "\"core.cantilever-static-error\"") &&
           check_lacks_data("core.cantilever-static-error",
                            "no fem-cantilever in $LITHE_TRUTH or ../shared/truth");
}

static void core_runs_whole(void) {
    int code = run("bench core --quick --json -");
    CHECK(code == 0 || code == 1); /* 1: a check failed, or a part; then there is no JSON */
    static const char *const rows[] = {"embedding",
                                       "corotational step",
                                       "allocations while stepping",
                                       "bytes of a world",
                                       "overshoot of mixed work",
                                       "resting on a floor",
                                       "fixed costs of a step",
                                       "time of a snapshot",
                                       "check of the judge"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_part(out_text, rows[i]);
    if (!lacks_cantilever()) {
        check_part(out_text, "cantilever, static");
#ifdef LITHE_DOUBLE /* compared to the printed digits */
        check_says("core.cantilever-static-other-digits", "\"pass\": true");
        check_says("core.cantilever-corotational-error", "\"pass\": true");
#else
        check_says("core.cantilever-static-error", "\"pass\": true");
#endif
    }
    check_says("core.allocations-through-allocator", "\"pass\": true");
    if (!check_lacks_data("core.allocations-through-malloc", "malloc cannot be replaced in this build"))
        check_says("core.allocations-through-malloc", "\"pass\": true");
    check_says("core.snapshot-letters-ms", "\"pass\": null");
    check_says("core.default-world-bytes", "\"pass\": true");
    check_says("core.resting-gap-ball", "\"pass\": true");
}

int main(void) {
    if (!begin_program()) return check_finish();
    RUN(core_runs_whole);
    return finish_program();
}
