/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pictures of what was measured: they go to out/, which is made when it is not there, and are kept for the page. */

#ifndef LITHE_BENCH_CHART_H
#define LITHE_BENCH_CHART_H

#include "apps/picture/svg.h"
#include "bench.h"
#include "measure.h"

/* Writes out/NAME.svg. */
lt_status lt_bench_chart(lt_bench *bench, const lt_chart *chart, const char *name, lt_error *error);

/* A line through all rows from `first_row` on whose label begins so and that have both cells. */
typedef struct lt_bench_curve {
    const char *name;  /* in the legend */
    const char *label; /* of the rows */
    const char *x, *y; /* keys of cells */
} lt_bench_curve;

enum { LT_BENCH_CURVES_MAX = 4 };

/* What rows say already, as curves of `chart`, whose series are set here. Writes out/NAME.svg, or nothing where no row
 * is found. */
lt_status lt_bench_curves(lt_bench *bench, size_t first_row, const lt_bench_curve *curves,
                          uint32_t curve_count, lt_chart chart, const char *name, lt_error *error);

/* How often a limit was exceeded by how much: overshoots in us, 0 where it was kept. Writes out/NAME.svg. */
lt_status lt_bench_overshoots(lt_bench *bench, const lt_samples *overshoots, const char *title,
                              const char *name, lt_error *error);

#endif
