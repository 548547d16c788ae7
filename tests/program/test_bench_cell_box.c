/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench cell-box --quick` runs whole: every part leaves its rows and checks, and its pictures. What is about time is
 * not looked at; what is not must pass.
 *
 * labels: slow */

#include "program/bench_checks.h"

static void cell_box_runs_whole(void) {
    int code = run("bench cell-box --quick --json -");
    CHECK(code == 0);
    static const char *const rows[] = {"teapots, between bodies only",
                                       "fold, 4000 triangles",
                                       "letters, no limit",
                                       "letters, 5 ms a step",
                                       "letters, the heap on two threads",
                                       "teapots at rest, grid boxes",
                                       "containment, corners moved by 0.5 cells"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_part(out_text, rows[i]);
    check_says("cell-box.letters-left-bin", "\"pass\": true");
    check_says("cell-box.letters-two-threads-differing", "\"pass\": true");
    check_says("cell-box.containment-violations", "\"pass\": true");
    check_says("cell-box.teapots-median-ms", "\"pass\": null");
    check_says("cell-box.gap-floor-of-grid-boxes", "\"pass\": null");
    static const char *const no_quick[] = {"fold", "five-bunnies", NULL};
    check_paper_rows("cell-box", no_quick);
}

static void letters_are_drawn(void) {
    static char svg[1 << 16];
    CHECK(read_text("out/cell-box-letters.svg", svg, sizeof svg) > 1000);
    static const char *const parts[] = {">step<", ">ms<", ">no limit<", ">limited<", ">the limit<", "</svg>"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        check_part(svg, parts[i]);
    CHECK(!strstr(svg, "nan") && !strstr(svg, "inf"));
}

static void remove_pictures(void) {
    CHECK_COUNT(remove_charts(), 2);
}

int main(void) {
    if (!begin_program()) return check_finish();
    if (chdir(folder) == 0) {
        RUN(cell_box_runs_whole);
        RUN(letters_are_drawn);
        RUN(remove_pictures);
    }
    return finish_program();
}
