/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Everything that a run of `lithe bench` has measured, as one HTML file that needs nothing else: no script, no network,
 * charts as SVG and frames as PNG within it. */

#ifndef LITHE_APPS_REPORT_PAGE_H
#define LITHE_APPS_REPORT_PAGE_H

#include "bench.h"

typedef struct lt_report_page_def {
    const lt_bench *bench;
    const char *name; /* "all", or the one experiment that was asked for */
    const char *path;
} lt_report_page_def;

/* Draws the frames and writes the file, whole or not at all. Experiments that failed, and those that were asked for and not
 * run, are named. */
lt_status lt_report_page_write(const lt_report_page_def *def, lt_error *error);

#endif
