/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Rows and checks of a run as HTML tables. */

#ifndef LITHE_APPS_REPORT_TABLES_H
#define LITHE_APPS_REPORT_TABLES_H

#include "bench.h"
#include "html.h"

/* Checks of one experiment. */
typedef struct lt_check_counts {
    uint32_t passed, failed, absent;
} lt_check_counts;
lt_check_counts lt_check_count(const lt_bench *bench, const lt_bench_section *section);

/* How many checks of each experiment hold, and why some were not measured. */
void lt_report_summary(lt_html *html, const lt_bench *bench);
/* All that failed, by name. */
void lt_report_failed(lt_html *html, const lt_bench *bench);
void lt_report_checks(lt_html *html, const lt_bench *bench, const lt_bench_section *section);
/* A new table wherever the columns change. */
void lt_report_rows(lt_html *html, const lt_bench *bench, const lt_bench_section *section);

#endif
