/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench tet-hash --quick` runs whole: every part leaves its rows and checks, its charts, and a page of all of it. What is
 * about time is not looked at; what is not must pass. */

#include "program/bench_checks.h"
#include "program/html_checks.h"

static void tet_hash_runs_whole(void) {
    int code = run("bench tet-hash --quick --json - --html @report.html");
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
    static const char *const no_quick[] = {"grass, a third of the peak", NULL};
    check_paper_rows("tet-hash", no_quick);
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

static uint32_t count_parts(const char *text, const char *part) {
    uint32_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

/* With what the paper says, charts, and a frame. */
static void the_page_is_whole(void) {
    static char page[1 << 22];
    CHECK_FATAL(read_text("report.html", page, sizeof page) > 10000);
    check_well_formed(page);
    check_alone(page);
    static const char *const parts[] = {
        "tet-hash.plates-latency-1-fallen",
        "not measured: 3.",
        "plates, one cycle in pieces",
        "figure 4: collision handling with and without a limit",
        "Core 2, 2.13 GHz",
        "20 plates, no limit</th><td>120</td><td>",
        "a sneaker on grass, limited</th><td>15</td><td><em>not in this run</em>",
        "more than 2</td><td>not found</td>",
        "<td><em>not measured</em></td>",
        "<title>Scene plates, a third of the peak: overshoot</title>",
        "Scene plates after 10 steps\" src=\"data:image/png;base64,iVBORw0KGgo"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        check_part(page, parts[i]);
    CHECK_COUNT(count_parts(page, "<svg xmlns="), 3);
    CHECK_COUNT(count_parts(page, "not in this run"), 3); /* grass */
    CHECK(!strstr(page, "<?xml"));
}

static void remove_pictures(void) {
    CHECK_COUNT(remove_charts(), 3);
}

int main(void) {
    if (!begin_program()) return check_finish();
    if (chdir(folder) == 0) {
        RUN(tet_hash_runs_whole);
        RUN(the_limit_is_drawn);
        RUN(the_page_is_whole);
        RUN(remove_pictures);
    }
    return finish_program();
}
