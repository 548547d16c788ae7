/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench tet-hash --quick` runs whole: every part leaves its rows and checks, and its charts. What is
 * about time is not looked at; what is not must pass. */

#include "program/bench_checks.h"

static void tet_hash_runs_whole(void) {
    int code = run("bench tet-hash --quick --json -");
    CHECK(code == 0 || code == 1); /* 1: a check failed */
    static const char *const rows[] = {"plates, a third of the peak",
                                       "plates, settled without a limit",
                                       "plates, every second step",
                                       "plates, latency 4",
                                       "tori and ball, near, latency 2",
                                       "tori and ball, near, breaks at",
                                       "plates, one cycle in pieces",
                                       "cycle, in contact",
                                       "cycle, in deep overlap, self-collision too"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_part(out_text, rows[i]);
    check_says("tet-hash.plates-latency-1-fallen", "\"pass\": true");
    check_says("tet-hash.plates-latency-2-under-stress-free", "\"pass\": true");
    check_says("tet-hash.plates-latency-4-height-off-settled", "\"pass\": true");
    check_says("tet-hash.tori-near-latency-2-swallowed", "\"pass\": true");
    check_says("tet-hash.cut-contacts-differing", "\"pass\": true");
    check_says("tet-hash.cycle-100k-contact-ms", "\"pass\": null");
    check_part(err_text, ", to be "); /* in words, too; how many failed is said where some did */
}

static void the_limit_is_drawn(void) {
    static char svg[1 << 16];
    CHECK(read_text("out/tet-hash-plates.svg", svg, sizeof svg) > 1000);
    static const char *const parts[] = {"Scene plates", ">step<",      ">ms<",  ">no limit<",
                                        ">limited<",    ">the limit<", "</svg>"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        check_part(svg, parts[i]);
    CHECK(!strstr(svg, "nan") && !strstr(svg, "inf"));
}

static void remove_pictures(void) {
    CHECK_COUNT(remove_charts(), 3);
}

int main(void) {
    if (!begin_program()) return check_finish();
    if (chdir(folder) == 0) {
        RUN(tet_hash_runs_whole);
        RUN(the_limit_is_drawn);
        RUN(remove_pictures);
    }
    return finish_program();
}
