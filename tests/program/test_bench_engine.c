/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench engine`: every gate has its check and its bar, also where nothing is run; a method can be named, and one that does not
 * exist is refused. What methods come to is in docs/debt.md. */

#include "program/bench_checks.h" /* first: it asks for more of the system */

/* With --only no part is run: all are there, and none is measured. */
static void every_gate_has_a_check(void) {
    static const char *const gates[][2] = {{"engine.unit-prices-most-ns", "\"bar\": 2,"},
                                           {"engine.steps-over-budget", "\"bar\": 0,"},
                                           {"engine.long-lost", "\"bar\": 0,"},
                                           {"engine.long-below-percent", "\"bar\": 2,"},
                                           {"engine.passed-through-bodies", "\"bar\": 0,"},
                                           {"engine.strict-intersecting-after-steps", "\"bar\": 0,"},
                                           {"engine.strict-intersecting-inside-steps", "\"bar\": 0,"},
                                           {"engine.energy-rise-percent-strict", "\"bar\": 1,"},
                                           {"engine.depth-worse-than-reference", "\"bar\": 0.005"},
                                           {"engine.depth-worse-for-more", "\"bar\": 0.005"},
                                           {"engine.bits-threads-and-kernels", "\"bar\": 0,"},
                                           {"engine.snapshot-futures-that-differ", "\"bar\": 0,"},
                                           {"engine.coincident-energy-rise-percent", "\"bar\": 1,"},
                                           {"engine.depth-end-percent-10%", "\"bar\": 4,"},
                                           {"engine.force-error-p90-of-repeat-10%", "\"bar\": 1.2"},
                                           {"engine.travelled-percent-10%-strict", "\"bar\": 40,"},
                                           {"engine.awake-after-6s-25%", "\"bar\": 0,"},
                                           {"engine.age-of-bound-50%", "\"bar\": 1,"},
                                           {"engine.loads-off-weight-percent", "\"bar\": 2,"},
                                           {"engine.knot-depth-in-itself-mm", "\"bar\": 1,"},
                                           {"engine.overshoot-p99-percent-200us", "\"bar\": 5,"}};
    CHECK_COUNT(run("bench engine --quick --method reference --only no-such-part --json -"), 0);
    check_part(out_text, "\"experiment\": \"engine\"");
    for (size_t i = 0; i < sizeof gates / sizeof *gates; i++) {
        check_says(gates[i][0], gates[i][1]);
        check_says(gates[i][0], "\"pass\": null");
    }
}

static void methods_are_named(void) {
    check_run("bench engine --quick --method no-such --only no-such-part", 1, "there is no such method");
    check_run("bench --help", 0, "--method M");
}

int main(void) {
    if (!begin_program()) return check_finish();
    if (chdir(folder) == 0) {
        RUN(every_gate_has_a_check);
        RUN(methods_are_named);
    }
    return finish_program();
}
