/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "chart.h"

#include "core/os.h"
#include "picture/files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static lt_status write_svg(const lt_array *svg, const char *name, lt_error *error) {
    char path[120];
    if (!lt_folder_make("out") && errno != EEXIST)
        return lt_fail(error, LT_STATUS_IO, "out: the folder cannot be made");
    snprintf(path, sizeof path, "out/%s.svg", name);
    return lt_os_write_file(path, svg->items, svg->count, error);
}

lt_status lt_bench_chart(lt_bench *bench, const lt_chart *chart, const char *name, lt_error *error) {
    lt_bench_svg kept = {.bytes = LT_ARRAY_OF(&bench->allocator, char)};
    snprintf(kept.name, sizeof kept.name, "%s", name);
    lt_status status = lt_chart_svg(chart, &kept.bytes, error);
    if (status == LT_OK) status = write_svg(&kept.bytes, name, error);
    if (status == LT_OK && !lt_array_push(&bench->charts, &kept))
        status = lt_fail(error, LT_STATUS_MEMORY, "out of memory for charts");
    if (status != LT_OK) lt_array_free(&kept.bytes);
    return status;
}

/* ---- rows as curves ---- */

static const lt_bench_cell *find_cell(const lt_bench_row *row, const char *key) {
    for (uint32_t i = 0; i < row->cell_count; i++)
        if (strcmp(row->cells[i].key, key) == 0) return &row->cells[i];
    return NULL;
}

/* Appends x of all points, then y of all points. */
static bool collect_points(lt_array *numbers, const lt_bench *bench, size_t first_row,
                           const lt_bench_curve *curve, uint32_t *count) {
    const char *const keys[] = {curve->x, curve->y};
    const lt_bench_row *rows = bench->rows.items;
    for (int k = 0; k < 2; k++) {
        *count = 0;
        for (size_t r = first_row; r < bench->rows.count; r++) {
            if (strncmp(rows[r].label, curve->label, strlen(curve->label)) != 0) continue;
            if (!find_cell(&rows[r], curve->x) || !find_cell(&rows[r], curve->y)) continue;
            if (!lt_array_push(numbers, &find_cell(&rows[r], keys[k])->number)) return false;
            ++*count;
        }
    }
    return true;
}

lt_status lt_bench_curves(lt_bench *bench, size_t first_row, const lt_bench_curve *curves,
                          uint32_t curve_count, lt_chart chart, const char *name, lt_error *error) {
    lt_array numbers[LT_BENCH_CURVES_MAX];
    lt_chart_series lines[LT_BENCH_CURVES_MAX];
    uint32_t line_count = 0;
    bool has_room = true;
    LT_ASSERT(curve_count <= LT_BENCH_CURVES_MAX);
    for (uint32_t i = 0; i < curve_count; i++) {
        uint32_t count = 0;
        numbers[i] = LT_ARRAY_OF(&bench->allocator, double);
        has_room = has_room && collect_points(&numbers[i], bench, first_row, &curves[i], &count);
        if (!has_room || count == 0) continue;
        const double *values = numbers[i].items;
        lines[line_count++] = (lt_chart_series){.name = curves[i].name,
                                                .x = values,
                                                .y = values + count,
                                                .point_count = count,
                                                .mark = LT_CHART_LINE_AND_POINTS};
    }
    chart.series = lines;
    chart.series_count = line_count;
    lt_status status = has_room ? LT_OK : lt_fail(error, LT_STATUS_MEMORY, "out of memory for charts");
    if (status == LT_OK && line_count > 0) status = lt_bench_chart(bench, &chart, name, error);
    for (uint32_t i = 0; i < curve_count; i++)
        lt_array_free(&numbers[i]);
    return status;
}

/* ---- overshoots ---- */

/* From 0.1 us to 10 ms, four bars a decade. A logarithmic axis has no place for 0, which is what most steps
 * should have, so that one more bar at its left end holds all that is less. */
enum { BARS = 21 };

static void make_edges(double edges[BARS + 1]) {
    static const double fourths[4] = {1, 1.7782794100389228, 3.1622776601683795, 5.623413251903491};
    double decade = 0.01;
    edges[0] = decade * fourths[3];
    for (int i = 1; i <= BARS; i++) {
        if (i % 4 == 1) decade *= 10;
        edges[i] = decade * fourths[(i - 1) % 4];
    }
}

/* Shares in %; returns how many samples there are. */
static size_t count_shares(const lt_samples *overshoots, const double edges[BARS + 1], double all[BARS],
                           double quiet[BARS]) {
    const lt_sample *items = overshoots->items.items;
    size_t count = overshoots->items.count;
    for (size_t i = 0; i < count; i++) {
        int bar = 0;
        while (bar + 1 < BARS && items[i].us >= edges[bar + 1])
            bar++;
        all[bar] += 100.0 / (double)count;
        if (!items[i].preempted) quiet[bar] += 100.0 / (double)count;
    }
    return count;
}

lt_status lt_bench_overshoots(lt_bench *bench, const lt_samples *overshoots, const char *title,
                              const char *name, lt_error *error) {
    double edges[BARS + 1], all[BARS] = {0}, quiet[BARS] = {0};
    make_edges(edges);
    if (count_shares(overshoots, edges, all, quiet) == 0) return LT_OK;
    const lt_chart_series bars[] = {
        {.name = "preempted", .x = edges, .y = all, .point_count = BARS, .mark = LT_CHART_BARS, .color = 2},
        {.name = "undisturbed",
         .x = edges,
         .y = quiet,
         .point_count = BARS,
         .mark = LT_CHART_BARS,
         .color = 1}};
    const lt_chart chart = {.title = title,
                            .x = {.label = "overshoot, us; first bar: none, or below 0.1 us", .log = true},
                            .y = {.label = "% of the steps", .from_zero = true},
                            .series = bars,
                            .series_count = LT_COUNT_OF(bars),
                            .width = 540, /* two beside each other on the page */
                            .height = 280};
    return lt_bench_chart(bench, &chart, name, error);
}
