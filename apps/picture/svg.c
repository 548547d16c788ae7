/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/svg.h"

#include "core/os.h"
#include "core/utf8.h"
#include "picture/color.h"
#include "picture/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LETTER        7.2 /* width of a letter of 12 pixels, of a wide typeface */
#define LEGEND_LINE   18.0
#define LEGEND_SAMPLE 22.0
#define SIDE_MIN      120u
#define SIDE_MAX      10000u

/* One axis made ready: value -> pixel along the plot. */
typedef struct axis {
    lt_ticks ticks;
    bool log;
    double lo, per_unit; /* of the value or its logarithm */
    double length;       /* of the plot, in pixels */
    bool upward;         /* pixels count down from the top */
} axis;

typedef struct svg {
    lt_array *bytes;
    bool out_of_memory;
    const lt_chart *chart;
    double width, height;
    double left, top; /* of the plot */
    axis x, y;
} svg;

/* ---- text ---- */

static void put(svg *out, const char *text, size_t size) {
    char *at = out->out_of_memory || size == 0 ? NULL : lt_array_grow(out->bytes, size);
    if (at)
        memcpy(at, text, size);
    else if (size > 0)
        out->out_of_memory = true;
}

static void put_text(svg *out, const char *text) {
    put(out, text, strlen(text));
}

/* At most two digits after the point, none that are zero. */
static void put_number(svg *out, double value) {
    int64_t hundredths = (int64_t)floor(100.0 * value + 0.5);
    uint64_t size = (uint64_t)(hundredths < 0 ? -hundredths : hundredths);
    char text[40];
    int length = snprintf(text, sizeof text, "%s%llu.%02llu", hundredths < 0 ? "-" : "",
                          (unsigned long long)(size / 100), (unsigned long long)(size % 100));
    while (text[length - 1] == '0')
        length--;
    if (text[length - 1] == '.') length--;
    put(out, text, (size_t)length);
}

/* Text between tags: what XML reserves is escaped; what it forbids becomes U+FFFD. */
static void put_escaped(svg *out, const char *text) {
    const uint8_t *at = (const uint8_t *)text;
    while (*at) {
        size_t length = lt_utf8_length(at);
        bool forbidden =
            length == 0 || (*at < 0x20 && *at != '\t' && *at != '\n') ||
            (length == 3 && at[0] == 0xef && at[1] == 0xbf && at[2] >= 0xbe); /* U+FFFE, U+FFFF */
        if (forbidden)
            put_text(out, LT_UTF8_REPLACEMENT);
        else if (*at == '&')
            put_text(out, "&amp;");
        else if (*at == '<')
            put_text(out, "&lt;");
        else if (*at == '>')
            put_text(out, "&gt;");
        else
            put(out, (const char *)at, length);
        at += length ? length : 1;
    }
}

/* " name=\"value\"" */
static void put_attribute(svg *out, const char *name, double value) {
    put_text(out, " ");
    put_text(out, name);
    put_text(out, "=\"");
    put_number(out, value);
    put_text(out, "\"");
}

static void put_color(svg *out, const char *name, lt_color color) {
    char text[64];
    snprintf(text, sizeof text, " %s=\"#%02x%02x%02x\"", name, color.r, color.g, color.b);
    put_text(out, text);
}

/* `style`: more attributes, each with a space before it. */
static void put_label(svg *out, const char *text, double x, double y, const char *style) {
    put_text(out, "<text");
    put_attribute(out, "x", x);
    put_attribute(out, "y", y);
    put_text(out, style);
    put_text(out, ">");
    put_escaped(out, text);
    put_text(out, "</text>\n");
}

static void put_shape(svg *out, const char *tag, const char *const names[4], const double numbers[4]) {
    put_text(out, "<");
    put_text(out, tag);
    for (int i = 0; i < 4; i++)
        put_attribute(out, names[i], numbers[i]);
    put_text(out, "/>\n");
}

static void put_line(svg *out, double x1, double y1, double x2, double y2) {
    static const char *const names[4] = {"x1", "y1", "x2", "y2"};
    put_shape(out, "line", names, (const double[4]){x1, y1, x2, y2});
}

static void put_rect(svg *out, double x, double y, double width, double height) {
    static const char *const names[4] = {"x", "y", "width", "height"};
    put_shape(out, "rect", names, (const double[4]){x, y, width, height});
}

static void put_circle(svg *out, double x, double y) {
    put_text(out, "<circle");
    put_attribute(out, "cx", x);
    put_attribute(out, "cy", y);
    put_text(out, " r=\"3\"/>\n");
}

/* ---- axes ---- */

static bool is_usable(double value, bool log) {
    return fabs(value) <= 1e300 && (!log || value >= 1e-300);
}

typedef struct range {
    double lo, hi;
} range;

static range range_add(range r, double value, bool log) {
    if (!is_usable(value, log)) return r;
    return (range){lt_min_d(r.lo, value), lt_max_d(r.hi, value)};
}

static range range_of_x(const lt_chart *chart) {
    range r = {INFINITY, -INFINITY};
    for (uint32_t s = 0; s < chart->series_count; s++) {
        const lt_chart_series *series = &chart->series[s];
        uint32_t count = series->point_count + (series->mark == LT_CHART_BARS && series->point_count > 0);
        for (uint32_t i = 0; i < count; i++)
            r = range_add(r, series->x[i], chart->x.log);
    }
    return r;
}

static range range_of_y(const lt_chart *chart) {
    range r = {INFINITY, -INFINITY};
    bool log = chart->y.log;
    for (uint32_t s = 0; s < chart->series_count; s++) {
        const lt_chart_series *series = &chart->series[s];
        for (uint32_t i = 0; i < series->point_count; i++) {
            if (series->mark != LT_CHART_BAND_ONLY) r = range_add(r, series->y[i], log);
            if (series->band_lo)
                r = range_add(range_add(r, series->band_lo[i], log), series->band_hi[i], log);
        }
        if (series->mark == LT_CHART_BARS) r = range_add(r, 0.0, log);
    }
    return r;
}

static axis make_axis(const lt_chart_axis *from, range data, double length, bool upward) {
    bool chosen = from->lo < from->hi;
    if (from->from_zero) data = range_add(data, 0.0, from->log);
    if (chosen) data = (range){from->lo, from->hi};
    axis a = {.log = from->log, .length = length, .upward = upward};
    a.ticks =
        from->log ? lt_ticks_log(data.lo, data.hi, !chosen) : lt_ticks_linear(data.lo, data.hi, !chosen);
    a.lo = a.log ? lt_log10(a.ticks.lo) : a.ticks.lo;
    a.per_unit = length / ((a.log ? lt_log10(a.ticks.hi) : a.ticks.hi) - a.lo);
    return a;
}

/* Far beyond the plot everything is in one place: it is cut off anyway, and numbers stay short. */
static double place(const axis *a, double value) {
    double along = ((a->log ? lt_log10(value) : value) - a->lo) * a->per_unit;
    along = along < -4.0 * a->length ? -4.0 * a->length : along > 5.0 * a->length ? 5.0 * a->length : along;
    return a->upward ? a->length - along : along;
}

/* Where bars stand on. */
static double base_of(const axis *y) {
    return y->log ? y->length : place(y, 0.0);
}

static double longest_label(const lt_ticks *ticks) {
    size_t longest = 0;
    for (uint32_t i = 0; i < ticks->count; i++)
        if (strlen(ticks->items[i].label) > longest) longest = strlen(ticks->items[i].label);
    return LETTER * (double)longest;
}

static void draw_grid(svg *out) {
    double right = out->left + out->x.length, bottom = out->top + out->y.length;
    for (int labelled = 0; labelled < 2; labelled++) {
        put_text(out, labelled ? "<g stroke=\"#d0d4da\">\n" : "<g stroke=\"#eceef1\">\n");
        for (uint32_t i = 0; i < out->x.ticks.count; i++) {
            const lt_tick *tick = &out->x.ticks.items[i];
            double x = out->left + place(&out->x, tick->value);
            if ((tick->label[0] != 0) == labelled) put_line(out, x, out->top, x, bottom);
        }
        for (uint32_t i = 0; i < out->y.ticks.count; i++) {
            const lt_tick *tick = &out->y.ticks.items[i];
            double y = out->top + place(&out->y, tick->value);
            if ((tick->label[0] != 0) == labelled) put_line(out, out->left, y, right, y);
        }
        put_text(out, "</g>\n");
    }
}

static void draw_axis_texts(svg *out) {
    const lt_chart *chart = out->chart;
    double bottom = out->top + out->y.length, middle_y = out->top + 0.5 * out->y.length;
    for (uint32_t i = 0; i < out->x.ticks.count; i++) {
        const lt_tick *tick = &out->x.ticks.items[i];
        if (tick->label[0])
            put_label(out, tick->label, out->left + place(&out->x, tick->value), bottom + 16.0,
                      " text-anchor=\"middle\"");
    }
    for (uint32_t i = 0; i < out->y.ticks.count; i++) {
        const lt_tick *tick = &out->y.ticks.items[i];
        if (tick->label[0])
            put_label(out, tick->label, out->left - 6.0, out->top + place(&out->y, tick->value) + 4.0,
                      " text-anchor=\"end\"");
    }
    if (chart->x.label)
        put_label(out, chart->x.label, out->left + 0.5 * out->x.length, bottom + 36.0,
                  " text-anchor=\"middle\"");
    if (chart->y.label) { /* turned about its own place, which is then (0, 0) */
        put_text(out, "<g transform=\"translate(14 ");
        put_number(out, middle_y);
        put_text(out, ") rotate(-90)\">");
        put_label(out, chart->y.label, 0.0, 0.0, " text-anchor=\"middle\"");
        put_text(out, "</g>\n");
    }
}

/* ---- series ---- */

static lt_color color_of(const lt_chart *chart, uint32_t index) {
    uint32_t chosen = chart->series[index].color;
    return lt_palette(chosen ? chosen - 1 : index);
}

static bool is_shown(const svg *out, double x, double y) {
    return is_usable(x, out->x.log) && is_usable(y, out->y.log);
}

static void put_path_point(svg *out, char command, double x, double y) {
    put(out, &command, 1);
    put_number(out, place(&out->x, x));
    put_text(out, " ");
    put_number(out, place(&out->y, y));
}

/* A piece of band for every run of points that have both ends: there by the upper, back by the lower. */
static void draw_band(svg *out, const lt_chart_series *s) {
    put_text(out, "<path fill-opacity=\"0.18\" d=\"");
    for (uint32_t begin = 0, end; begin < s->point_count; begin = end + 1) {
        for (end = begin; end < s->point_count && is_shown(out, s->x[end], s->band_lo[end]) &&
                          is_shown(out, s->x[end], s->band_hi[end]);)
            end++;
        if (end == begin) continue;
        for (uint32_t i = begin; i < end; i++)
            put_path_point(out, i == begin ? 'M' : 'L', s->x[i], s->band_hi[i]);
        for (uint32_t i = end; i-- > begin;)
            put_path_point(out, 'L', s->x[i], s->band_lo[i]);
        put_text(out, "Z");
    }
    put_text(out, "\"/>\n");
}

static void draw_path(svg *out, const lt_chart_series *s) {
    bool drawing = false;
    put_text(out, s->dashed ? "<path fill=\"none\" stroke-width=\"1.8\" stroke-linejoin=\"round\" "
                              "stroke-dasharray=\"6 4\" d=\""
                            : "<path fill=\"none\" stroke-width=\"1.8\" stroke-linejoin=\"round\" d=\"");
    for (uint32_t i = 0; i < s->point_count; i++) {
        bool shown = is_shown(out, s->x[i], s->y[i]);
        if (shown) put_path_point(out, drawing ? 'L' : 'M', s->x[i], s->y[i]);
        drawing = shown;
    }
    put_text(out, "\"/>\n");
}

static void draw_bars(svg *out, const lt_chart_series *s) {
    double base = base_of(&out->y);
    put_text(out, "<g fill-opacity=\"0.75\" stroke=\"#ffffff\" stroke-width=\"0.5\">\n");
    for (uint32_t i = 0; i < s->point_count; i++) {
        if (!is_shown(out, s->x[i], s->y[i]) || !is_usable(s->x[i + 1], out->x.log)) continue;
        double x = place(&out->x, s->x[i]), width = place(&out->x, s->x[i + 1]) - x;
        double y = place(&out->y, s->y[i]), top = lt_min_d(y, base);
        put_rect(out, x, top, lt_max_d(width, 0.0), lt_max_d(y, base) - top);
    }
    put_text(out, "</g>\n");
}

static bool has_line(const lt_chart_series *s) {
    return s->mark == LT_CHART_LINE || s->mark == LT_CHART_LINE_AND_POINTS;
}
static bool has_points(const lt_chart_series *s) {
    return s->mark == LT_CHART_POINTS || s->mark == LT_CHART_LINE_AND_POINTS;
}

static void begin_series(svg *out, lt_color color) {
    put_text(out, "<g");
    put_color(out, "fill", color);
    put_color(out, "stroke", color);
    put_text(out, " stroke-width=\"0\">\n");
}

static void draw_series(svg *out, uint32_t index) {
    const lt_chart_series *s = &out->chart->series[index];
    begin_series(out, color_of(out->chart, index));
    if (s->band_lo) draw_band(out, s);
    if (s->mark == LT_CHART_BARS) draw_bars(out, s);
    if (has_line(s)) draw_path(out, s);
    put_text(out, "</g>\n");
}

static bool is_on(const axis *a, double pixel) {
    return pixel >= -0.01 && pixel <= a->length + 0.01;
}

/* Apart from the lines: a point on the plot's side is whole, not cut in half. */
static void draw_points(svg *out, uint32_t index) {
    const lt_chart_series *s = &out->chart->series[index];
    if (!has_points(s)) return;
    begin_series(out, color_of(out->chart, index));
    for (uint32_t i = 0; i < s->point_count; i++) {
        if (!is_shown(out, s->x[i], s->y[i])) continue;
        double x = place(&out->x, s->x[i]), y = place(&out->y, s->y[i]);
        if (is_on(&out->x, x) && is_on(&out->y, y)) put_circle(out, out->left + x, out->top + y);
    }
    put_text(out, "</g>\n");
}

/* A picture within the picture cuts off what is beyond its sides, and needs no name for that. */
static void draw_plot(svg *out) {
    put_text(out, "<svg");
    put_attribute(out, "x", out->left);
    put_attribute(out, "y", out->top);
    put_attribute(out, "width", out->x.length);
    put_attribute(out, "height", out->y.length);
    put_text(out, ">\n");
    for (uint32_t i = 0; i < out->chart->series_count; i++)
        draw_series(out, i);
    put_text(out, "</svg>\n<g fill=\"none\" stroke=\"#6b7380\">\n");
    put_rect(out, out->left, out->top, out->x.length, out->y.length);
    put_text(out, "</g>\n");
    for (uint32_t i = 0; i < out->chart->series_count; i++)
        draw_points(out, i);
}

/* ---- legend ---- */

static double legend_width(const lt_chart *chart) {
    size_t longest = 0;
    for (uint32_t i = 0; i < chart->series_count; i++) {
        const char *name = chart->series[i].name;
        if (name && strlen(name) > longest) longest = strlen(name);
    }
    return longest ? LEGEND_SAMPLE + 12.0 + LETTER * (double)longest : 0.0;
}

static void draw_legend_sample(svg *out, uint32_t index, double x, double y) {
    const lt_chart_series *s = &out->chart->series[index];
    begin_series(out, color_of(out->chart, index));
    if (s->band_lo || s->mark == LT_CHART_BARS) {
        put_text(out,
                 s->mark == LT_CHART_BARS ? "<g fill-opacity=\"0.75\">\n" : "<g fill-opacity=\"0.18\">\n");
        put_rect(out, x, y - 5.0, LEGEND_SAMPLE, 10.0);
        put_text(out, "</g>\n");
    }
    if (has_line(s)) {
        put_text(out, s->dashed ? "<g stroke-width=\"1.8\" stroke-dasharray=\"6 4\">\n"
                                : "<g stroke-width=\"1.8\">\n");
        put_line(out, x, y, x + LEGEND_SAMPLE, y);
        put_text(out, "</g>\n");
    }
    if (has_points(s)) put_circle(out, x + 0.5 * LEGEND_SAMPLE, y);
    put_text(out, "</g>\n");
}

static void draw_legend(svg *out) {
    double x = out->left + out->x.length + 12.0, y = out->top + 0.5 * LEGEND_LINE;
    for (uint32_t i = 0; i < out->chart->series_count; i++) {
        if (!out->chart->series[i].name) continue;
        draw_legend_sample(out, i, x, y);
        put_label(out, out->chart->series[i].name, x + LEGEND_SAMPLE + 6.0, y + 4.0, "");
        y += LEGEND_LINE;
    }
}

/* ---- the chart ---- */

static lt_status check_axis(const lt_chart_axis *a, const char *name, lt_error *error) {
    bool is_default = a->lo == 0.0 && a->hi == 0.0;
    if (is_default || (a->lo < a->hi && is_usable(a->lo, a->log) && is_usable(a->hi, a->log))) return LT_OK;
    return lt_fail(error, LT_STATUS_INVALID, "chart: the %s axis from %g to %g: must rise%s", name, a->lo,
                   a->hi, a->log ? " and, being logarithmic, be positive" : "");
}

static lt_status check_series(const lt_chart_series *s, uint32_t index, lt_error *error) {
    bool has_band = s->band_lo && s->band_hi;
    if (s->point_count > 0 && (!s->x || (!s->y && s->mark != LT_CHART_BAND_ONLY)))
        return lt_fail(error, LT_STATUS_INVALID, "chart: series %u has %u points but no values", index,
                       s->point_count);
    if (!s->band_lo != !s->band_hi || (s->mark == LT_CHART_BAND_ONLY && !has_band))
        return lt_fail(error, LT_STATUS_INVALID, "chart: the band of series %u needs both its ends", index);
    return LT_OK;
}

static lt_status check_chart(const lt_chart *chart, lt_error *error) {
    lt_status status = check_axis(&chart->x, "x", error);
    if (status == LT_OK) status = check_axis(&chart->y, "y", error);
    for (uint32_t i = 0; i < chart->series_count && status == LT_OK; i++)
        status = check_series(&chart->series[i], i, error);
    return status;
}

/* Margins by what stands in them. The y axis comes first: the left margin holds its labels. */
static lt_status lay_out(svg *out, lt_error *error) {
    const lt_chart *chart = out->chart;
    out->width = chart->width ? chart->width : 640;
    out->height = chart->height ? chart->height : 400;
    out->top = chart->title ? 36.0 : 14.0;
    double bottom = chart->x.label ? 48.0 : 28.0, legend = legend_width(chart);
    double y_length = out->height - out->top - bottom;
    out->y = make_axis(&chart->y, range_of_y(chart), y_length, true);
    out->left = 14.0 + longest_label(&out->y.ticks) + (chart->y.label ? 18.0 : 0.0);
    double x_length = out->width - out->left - 20.0 - legend;
    out->x = make_axis(&chart->x, range_of_x(chart), x_length, false);
    bool fits = out->width >= SIDE_MIN && out->height >= SIDE_MIN && out->width <= SIDE_MAX &&
                out->height <= SIDE_MAX && x_length >= 40.0 && y_length >= 40.0;
    return fits ? LT_OK
                : lt_fail(error, LT_STATUS_INVALID,
                          "chart: %g x %g pixels: sides must be %u to %u and leave room for the plot",
                          out->width, out->height, SIDE_MIN, SIDE_MAX);
}

static void draw_chart(svg *out) {
    put_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"");
    put_attribute(out, "width", out->width);
    put_attribute(out, "height", out->height);
    put_text(out, " viewBox=\"0 0 ");
    put_number(out, out->width);
    put_text(out, " ");
    put_number(out, out->height);
    put_text(out, "\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#1c2028\">\n");
    if (out->chart->title) {
        put_text(out, "<title>");
        put_escaped(out, out->chart->title);
        put_text(out, "</title>\n");
    }
    put_text(out, "<g fill=\"#ffffff\">\n");
    put_rect(out, 0.0, 0.0, out->width, out->height);
    put_text(out, "</g>\n");
    if (out->chart->title)
        put_label(out, out->chart->title, out->left, 22.0, " font-size=\"15\" font-weight=\"bold\"");
    draw_grid(out);
    draw_plot(out);
    draw_axis_texts(out);
    draw_legend(out);
    put_text(out, "</svg>\n");
}

lt_status lt_chart_svg(const lt_chart *chart, lt_array *bytes, lt_error *error) {
    LT_ASSERT(bytes->item_size == 1);
    size_t before = bytes->count;
    svg out = {.bytes = bytes, .chart = chart};
    lt_status status = check_chart(chart, error);
    if (status == LT_OK) status = lay_out(&out, error);
    if (status != LT_OK) return status;
    draw_chart(&out);
    if (!out.out_of_memory) return LT_OK;
    bytes->count = before;
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for a chart");
}

lt_status lt_chart_write(const lt_chart *chart, const char *path, const lt_allocator *allocator,
                         lt_error *error) {
    lt_array bytes = LT_ARRAY_OF(allocator, char);
    lt_status status = lt_chart_svg(chart, &bytes, error);
    if (status == LT_OK) status = lt_os_write_file(path, bytes.items, bytes.count, error);
    lt_array_free(&bytes);
    return status;
}

uint64_t lt_chart_count_bins(const double *values, size_t value_count, const double *edges, double *counts,
                             uint32_t bin_count) {
    uint64_t outside = 0;
    for (uint32_t i = 0; i < bin_count; i++)
        counts[i] = 0.0;
    for (size_t v = 0; v < value_count; v++) {
        uint32_t lo = 0, hi = bin_count;
        if (bin_count == 0 || !(values[v] >= edges[0] && values[v] <= edges[bin_count])) {
            outside++;
            continue;
        }
        while (hi - lo > 1) { /* edges[lo] <= value, and value < edges[hi] or hi is the last */
            uint32_t middle = lo + (hi - lo) / 2;
            if (edges[middle] <= values[v])
                lo = middle;
            else
                hi = middle;
        }
        counts[lo] += 1.0;
    }
    return outside;
}
