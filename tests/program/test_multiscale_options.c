/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Options of `lithe run` that are for the method multiscale ($LITHE_PROGRAM; skipped without). */

#include "run_program.h"

static void wrong_values_are_named(void) {
    check_run("run two-balls --pending wait", 2, "--pending wait: must be clamp, penalty or ignore");
    check_run("run two-balls --separation -1", 2, "--separation -1: must be 0 to 1000");
}

static void other_methods_refuse(void) {
    check_run("run two-balls --pending clamp", 2, "--pending is for the method multiscale");
    check_run("run two-balls --method tet-hash --separation 0.01", 2,
              "--separation is for the method multiscale");
}

int main(void) {
    if (!begin_program()) return check_finish();
    RUN(wrong_values_are_named);
    RUN(other_methods_refuse);
    return finish_program();
}
