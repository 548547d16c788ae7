/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Charts as standalone SVG text (W3C SVG 1.1): lines, points, bars and bands over linear or log10 axes, with
 * ticks, labels and a legend beside the plot, where it hides nothing.
 *
 *     const double budget_us[] = {50, 100, 200, 500}, percent[] = {4.1, 2.0, 0.9, 0.3};
 *     const lt_chart_series series = {.name = "bears", .x = budget_us, .y = percent, .point_count = 4,
 *                                     .mark = LT_CHART_LINE_AND_POINTS};
 *     const lt_chart chart = {.title = "Error against budget", .x = {.label = "budget, us", .log = true},
 *                             .y = {.label = "error, %"}, .series = &series, .series_count = 1};
 *     status = lt_chart_write(&chart, "out/error.svg", NULL, &error);
 *
 * The text is the same on every machine: positions are hundredths of a pixel written from integers,
 * logarithms are our own. It has no ids, scripts or references, so that several charts can stand in one
 * page. */

#ifndef LITHE_PICTURE_SVG_H
#define LITHE_PICTURE_SVG_H

#include "core/memory.h"

typedef enum lt_chart_mark {
    LT_CHART_LINE,
    LT_CHART_POINTS,
    LT_CHART_LINE_AND_POINTS,
    LT_CHART_BARS, /* a histogram's: from x[i] to x[i + 1], so that x has point_count + 1 edges */
    LT_CHART_BAND_ONLY,
} lt_chart_mark;

/* A value that is not finite, or not positive on a log axis, is left out and interrupts the line. */
typedef struct lt_chart_series {
    const char *name; /* in the legend; NULL: not there */
    const double *x;  /* [point_count], rising where there is a band */
    const double *y;  /* [point_count]; NULL for LT_CHART_BAND_ONLY */
    uint32_t point_count;
    const double *band_lo, *band_hi; /* [point_count] or NULL: shaded between them */
    lt_chart_mark mark;
    uint32_t color; /* number in the palette, from 1; 0: by the place in the list */
    bool dashed;
} lt_chart_series;

typedef struct lt_chart_axis {
    const char *label; /* or NULL */
    bool log;
    bool from_zero; /* a linear axis that includes 0; bars have it always */
    double lo, hi;  /* lo < hi: exactly this, and what is beyond is cut off; both 0: what the data need */
} lt_chart_axis;

typedef struct lt_chart {
    const char *title; /* or NULL */
    lt_chart_axis x, y;
    const lt_chart_series *series; /* [series_count] */
    uint32_t series_count;
    uint32_t width, height; /* pixels, 0: 640 and 400; the plot gets what titles, labels and legend leave */
} lt_chart;

/* Appends the chart to `bytes` (of char; not ended by 0). Texts are UTF-8; bytes that are not become U+FFFD.
 * LT_STATUS_INVALID names the axis or series that makes no sense; `bytes` is then as it was. */
lt_status lt_chart_svg(const lt_chart *chart, lt_array *bytes, lt_error *error);
/* The whole file or nothing. */
lt_status lt_chart_write(const lt_chart *chart, const char *path, const lt_allocator *allocator,
                         lt_error *error);

/* Fills counts[bin_count] with how many values lie in [edges[i], edges[i + 1]), the last edge included; edges
 * rise. Returns how many lie in none. */
uint64_t lt_chart_count_bins(const double *values, size_t value_count, const double *edges, double *counts,
                             uint32_t bin_count);

#endif
