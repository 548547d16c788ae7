/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The experiments of the four papers: what they print, and in which cells of our rows the same is found. Their figures are
 * facts and stand in the source; ours come from the run at hand, never from here. */

#ifndef LITHE_APPS_REPORT_PAPERS_H
#define LITHE_APPS_REPORT_PAPERS_H

#include "bench/bench.h"
#include "html.h"

/* How ours is compared. */
typedef enum lt_paper_compare {
    LT_PAPER_AS_IS, /* beside each other; sizes and counts of other bodies have no ratio */
    LT_PAPER_TIME,  /* theirs / ours: times as fast */
    LT_PAPER_RATE   /* ours / theirs: times as fast */
} lt_paper_compare;

enum { LT_PAPER_COLUMNS = 3 };

/* Ours is factor * cell `key` / cell `over` of the row `label`; without a key, or without what it is divided by, these
 * are 1. */
typedef struct lt_paper_value {
    const char *paper; /* as printed; NULL: no figure, as in a picture or a sentence */
    const char *label; /* NULL: nothing here measures it; the line's remark says why */
    const char *key, *over;
    double factor;
} lt_paper_value;

typedef struct lt_paper_line {
    const char *what;
    lt_paper_value values[LT_PAPER_COLUMNS];
    const char *remark; /* or NULL */
} lt_paper_line;

typedef struct lt_paper_table {
    const char *experiment; /* of ours */
    const char *title;      /* which paper, which table */
    const char *note;       /* their machine, and what differs */
    struct {
        const char *name; /* NULL: no such column */
        lt_paper_compare compare;
    } columns[LT_PAPER_COLUMNS];
    const lt_paper_line *lines;
    uint32_t line_count;
} lt_paper_table;

/* report_papers_list.c */
const lt_paper_table *lt_paper_tables(uint32_t *count);

/* Appends the tables that belong to an experiment that was run. */
void lt_report_papers(lt_html *html, const lt_bench *bench, const lt_bench_section *section);

#endif
