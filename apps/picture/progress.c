/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/progress.h"

#include "core/os.h"
#include "picture/files.h"

#include <stdio.h>
#include <string.h>

#define SHOW_AFTER_NS   1000000000u
#define REDRAW_NS       100000000u
#define COLUMNS         78
#define BAR_WIDTH_LEAST 4u

static void format_duration(char *out, size_t size, double seconds) {
    if (seconds < 99.5)
        snprintf(out, size, "%.0f s", seconds);
    else if (seconds < 3600.0)
        snprintf(out, size, "%.0f min", seconds / 60.0);
    else
        snprintf(out, size, "%.1f h", seconds / 3600.0);
}

static void fill_bar(char *bar, uint32_t width, double part) {
    uint32_t full = (uint32_t)(part * width);
    for (uint32_t i = 0; i < width; i++)
        bar[i] = i < full ? '=' : i == full ? '>' : ' ';
    bar[width] = 0;
}

void lt_progress_format(char *out, size_t out_size, const char *title, uint64_t done, uint64_t total,
                        uint64_t elapsed_ns, uint32_t columns) {
    double seconds = (double)elapsed_ns * 1e-9, rate = seconds > 0.0 ? (double)done / seconds : 0.0;
    if (total == 0) {
        snprintf(out, out_size, "%s %llu  %.1f/s", title, (unsigned long long)done, rate);
    } else {
        if (done > total) done = total;
        double part = (double)done / (double)total;
        char left[32] = "", tail[128], bar[64];
        if (done > 0) {
            char duration[24];
            format_duration(duration, sizeof duration, (double)(total - done) / rate);
            snprintf(left, sizeof left, "  %s left", duration);
        }
        snprintf(tail, sizeof tail, "%3.0f%%  %llu/%llu  %.1f/s%s", 100.0 * part, (unsigned long long)done,
                 (unsigned long long)total, rate, left);
        size_t used = strlen(title) + strlen(tail) + 4;
        uint32_t width = columns > used + BAR_WIDTH_LEAST ? columns - (uint32_t)used : BAR_WIDTH_LEAST;
        fill_bar(bar, lt_min_u32(width, 40), part);
        snprintf(out, out_size, "%s [%s] %s", title, bar, tail);
    }
    if (out_size > columns) out[columns] = 0;
}

lt_progress lt_progress_begin(const char *title, uint64_t total) {
    lt_progress progress = {.title = title, .total = total, .begin_ns = lt_os_now_ns()};
    progress.enabled = lt_is_terminal(stderr);
    return progress;
}

void lt_progress_update(lt_progress *progress, uint64_t done) {
    if (!progress->enabled) return;
    uint64_t now = lt_os_now_ns(), elapsed = now - progress->begin_ns;
    if (elapsed < SHOW_AFTER_NS || now - progress->shown_ns < REDRAW_NS) return;
    char text[COLUMNS + 1];
    lt_progress_format(text, sizeof text, progress->title, done, progress->total, elapsed, COLUMNS);
    fprintf(stderr, "\r%-*s", COLUMNS, text);
    fflush(stderr);
    progress->shown_ns = now;
    progress->visible = true;
}

void lt_progress_end(lt_progress *progress) {
    if (progress->visible) {
        fprintf(stderr, "\r%*s\r", COLUMNS, "");
        fflush(stderr);
    }
    progress->enabled = progress->visible = false;
}
