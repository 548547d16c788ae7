/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What `lithe bench … --json -` says of its rows and checks, and the charts it leaves. */

#ifndef LITHE_TESTS_PROGRAM_BENCH_CHECKS_H
#define LITHE_TESTS_PROGRAM_BENCH_CHECKS_H

#include "program/run_program.h"

#include "apps/report_papers_list.c"

/* The text may be long: only what is missing is told. */
static void check_part(const char *text, const char *part) {
    if (!strstr(text, part)) CHECK_FAIL_MESSAGE("nothing says %s", part);
}

/* What stands of a check: from its name to the end of its object. Empty, and a failure, when there is none. */
static void copy_check(char text[400], const char *name) {
    char quoted[120];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    const char *at = strstr(out_text, quoted), *end = at ? strchr(at, '}') : NULL;
    if (!end) CHECK_FAIL_MESSAGE("no check %s", name);
    snprintf(text, 400, "%.*s", end ? (int)(end - at) : 0, end ? at : "");
}

static void check_says(const char *name, const char *pass) {
    char text[400];
    copy_check(text, name);
    CHECK_CONTAINS(text, pass);
}

/* A check whose data is not on this machine: neither passed nor failed, and its reason says what is missing. */
static inline bool check_lacks_data(const char *name, const char *missing) {
    char text[400];
    copy_check(text, name);
    if (!strstr(text, "\"pass\": null") || !strstr(text, missing)) return false;
    check_skip(missing);
    return true;
}

/* A row of that label has these cells. */
static inline void check_paper_value(const lt_paper_value *value) {
    char quoted[120], row[2000];
    const char *const keys[] = {value->key, value->over};
    snprintf(quoted, sizeof quoted, "\"label\": \"%s\"", value->label);
    const char *at = strstr(out_text, quoted);
    if (!at) {
        CHECK_FAIL_MESSAGE("no row %s", value->label);
        return;
    }
    snprintf(row, sizeof row, "%.*s", (int)strcspn(at, "}"), at);
    for (int i = 0; i < 2; i++) {
        snprintf(quoted, sizeof quoted, "\"%s\":", keys[i] ? keys[i] : "label");
        if (!strstr(row, quoted)) CHECK_FAIL_MESSAGE("row %s has no %s", value->label, keys[i]);
    }
}

static inline bool is_in(const char *const *texts, const char *text) {
    for (; *texts; texts++)
        if (strcmp(*texts, text) == 0) return true;
    return false;
}

/* The page finds what stands beside a paper's figures by the labels and keys of rows. All of them are there, but those of rows
 * that --quick leaves out. */
static inline void check_paper_rows(const char *experiment, const char *const *left_out) {
    uint32_t count;
    const lt_paper_table *papers = lt_paper_tables(&count);
    for (uint32_t t = 0; t < count; t++)
        for (uint32_t i = 0; strcmp(papers[t].experiment, experiment) == 0 && i < papers[t].line_count; i++)
            for (int k = 0; k < LT_PAPER_COLUMNS; k++) {
                const lt_paper_value *value = &papers[t].lines[i].values[k];
                if (value->label && !is_in(left_out, value->label)) check_paper_value(value);
            }
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
