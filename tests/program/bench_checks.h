/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What `lithe bench … --json -` says of its rows and checks, and the charts it leaves. */

#ifndef LITHE_TESTS_PROGRAM_BENCH_CHECKS_H
#define LITHE_TESTS_PROGRAM_BENCH_CHECKS_H

#include "program/run_program.h"

/* The text may be long: only what is missing is told. */
static void check_part(const char *text, const char *part) {
    if (!strstr(text, part)) CHECK_FAIL_MESSAGE("nothing says %s", part);
}

/* From a check's name to the end of its object. */
static const char *find_check(const char *name) {
    char quoted[120];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    const char *at = strstr(out_text, quoted);
    if (!at) CHECK_FAIL_MESSAGE("no check %s", name);
    return at;
}

static void check_says(const char *name, const char *pass) {
    const char *at = find_check(name), *end = at ? strchr(at, '}') : NULL;
    char text[400];
    if (!end) return;
    snprintf(text, sizeof text, "%.*s", (int)(end - at), at);
    CHECK_CONTAINS(text, pass);
}

/* Charts go to out/ in the folder where the program runs. Returns how many there were. */
static inline int remove_charts(void) {
    DIR *dir = opendir("out");
    int count = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[300];
        if (!strstr(entry->d_name, ".svg")) continue;
        snprintf(path, sizeof path, "out/%.255s", entry->d_name);
        count += unlink(path) == 0;
    }
    if (dir) closedir(dir);
    CHECK(rmdir("out") == 0);
    return count;
}

#endif
