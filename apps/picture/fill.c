/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/fill.h"

const int32_t lt_fill_sample_offsets[LT_FILL_SAMPLE_COUNT][2] = {{96, 32}, {224, 96}, {32, 160}, {160, 224}};
static const int32_t center_offset[1][2] = {{128, 128}};

/* One triangle made ready: E_i(p) = step_x[i] p.x + step_y[i] p.y + constant, not negative inside. */
typedef struct setup {
    int32_t first_x, last_x, first_y, last_y; /* pixels, inclusive */
    int64_t row[3];                           /* E_i at the corner of pixel (first_x, first_y) */
    int64_t step_x[3], step_y[3];             /* per pixel */
    int64_t at_sample[3][LT_FILL_SAMPLE_COUNT];
    double depth_row, depth_step_x, depth_step_y;
    float depth_at_sample[LT_FILL_SAMPLE_COUNT];
    float depth_lo, depth_hi;
} setup;

void lt_fill_clear(const lt_fill_target *target) {
    size_t count = (size_t)target->width * (size_t)target->height;
    if (target->owners) {
        count *= LT_FILL_SAMPLE_COUNT;
        for (size_t i = 0; i < count; i++)
            target->owners[i] = LT_NONE;
    }
    for (size_t i = 0; i < count; i++)
        target->depths[i] = LT_FILL_EMPTY;
}

static int32_t min3(int32_t a, int32_t b, int32_t c) {
    int32_t m = a < b ? a : b;
    return m < c ? m : c;
}
static int32_t max3(int32_t a, int32_t b, int32_t c) {
    int32_t m = a > b ? a : b;
    return m > c ? m : c;
}
/* Floor of the division by LT_FILL_UNIT; a right shift of a negative number is the compiler's choice. */
static int32_t floor_pixel(int32_t x) {
    return x >= 0 ? x / LT_FILL_UNIT : -((-x + LT_FILL_UNIT - 1) / LT_FILL_UNIT);
}

/* The pixels that may have a sample inside; false when there are none. `lo` and `hi` are the least and
 * greatest sample offsets within a pixel: small triangles between samples end here. */
static bool find_pixels(setup *s, const lt_fill_target *target, const lt_fill_corner p[3], int32_t lo,
                        int32_t hi) {
    s->first_x = floor_pixel(min3(p[0].x, p[1].x, p[2].x) - hi + LT_FILL_UNIT - 1);
    s->last_x = floor_pixel(max3(p[0].x, p[1].x, p[2].x) - lo);
    s->first_y = floor_pixel(min3(p[0].y, p[1].y, p[2].y) - hi + LT_FILL_UNIT - 1);
    s->last_y = floor_pixel(max3(p[0].y, p[1].y, p[2].y) - lo);
    if (s->first_x < 0) s->first_x = 0;
    if (s->first_y < 0) s->first_y = 0;
    if (s->last_x >= target->width) s->last_x = target->width - 1;
    if (s->last_y >= target->height) s->last_y = target->height - 1;
    return s->first_x <= s->last_x && s->first_y <= s->last_y;
}

static void set_edges(setup *s, const lt_fill_corner p[3], const int32_t (*offsets)[2], int sample_count) {
    int64_t x = (int64_t)s->first_x * LT_FILL_UNIT, y = (int64_t)s->first_y * LT_FILL_UNIT;
    for (int i = 0; i < 3; i++) {
        const lt_fill_corner *a = &p[i], *b = &p[(i + 1) % 3];
        int64_t dx = b->x - a->x, dy = b->y - a->y;
        bool top_left = dy < 0 || (dy == 0 && dx > 0);
        s->row[i] = dx * (y - a->y) - dy * (x - a->x) - (top_left ? 0 : 1);
        s->step_x[i] = -dy * LT_FILL_UNIT;
        s->step_y[i] = dx * LT_FILL_UNIT;
        for (int k = 0; k < sample_count; k++)
            s->at_sample[i][k] = dx * offsets[k][1] - dy * offsets[k][0];
    }
}

static void set_depths(setup *s, const lt_fill_corner p[3], int64_t area, const int32_t (*offsets)[2],
                       int sample_count) {
    double z1 = (double)p[1].depth - p[0].depth, z2 = (double)p[2].depth - p[0].depth;
    double x1 = p[1].x - p[0].x, y1 = p[1].y - p[0].y, x2 = p[2].x - p[0].x, y2 = p[2].y - p[0].y;
    double gradient_x = (z1 * y2 - z2 * y1) / (double)area, gradient_y = (z2 * x1 - z1 * x2) / (double)area;
    s->depth_row = p[0].depth + gradient_x * ((double)s->first_x * LT_FILL_UNIT - p[0].x) +
                   gradient_y * ((double)s->first_y * LT_FILL_UNIT - p[0].y);
    s->depth_step_x = gradient_x * LT_FILL_UNIT;
    s->depth_step_y = gradient_y * LT_FILL_UNIT;
    for (int k = 0; k < sample_count; k++)
        s->depth_at_sample[k] = (float)(gradient_x * offsets[k][0] + gradient_y * offsets[k][1]);
    /* A sliver's gradient is wild; no sample may leave the range of the corners. */
    s->depth_lo = lt_min_f(p[0].depth, lt_min_f(p[1].depth, p[2].depth));
    s->depth_hi = lt_max_f(p[0].depth, lt_max_f(p[1].depth, p[2].depth));
}

/* Inlined twice with a constant sample count. */
static inline void fill_rows(const setup *s, const lt_fill_target *target, uint32_t owner, int sample_count) {
    for (int32_t y = s->first_y; y <= s->last_y; y++) {
        int64_t rows = y - s->first_y;
        int64_t e0 = s->row[0] + rows * s->step_y[0], e1 = s->row[1] + rows * s->step_y[1],
                e2 = s->row[2] + rows * s->step_y[2];
        double row_depth = s->depth_row + (double)rows * s->depth_step_y;
        size_t at = ((size_t)y * (size_t)target->width + (size_t)s->first_x) * (size_t)sample_count;
        for (int32_t x = s->first_x; x <= s->last_x; x++, at += (size_t)sample_count) {
            float depth = (float)(row_depth + (double)(x - s->first_x) * s->depth_step_x);
            for (int k = 0; k < sample_count; k++) {
                int64_t inside =
                    (e0 + s->at_sample[0][k]) | (e1 + s->at_sample[1][k]) | (e2 + s->at_sample[2][k]);
                if (inside < 0) continue;
                float sample = lt_clamp_f(depth + s->depth_at_sample[k], s->depth_lo, s->depth_hi);
                if (!(sample > target->depths[at + (size_t)k])) continue;
                target->depths[at + (size_t)k] = sample;
                if (target->owners) target->owners[at + (size_t)k] = owner;
            }
            e0 += s->step_x[0];
            e1 += s->step_x[1];
            e2 += s->step_x[2];
        }
    }
}

void lt_fill_triangle(const lt_fill_target *target, lt_fill_corner a, lt_fill_corner b, lt_fill_corner c,
                      uint32_t owner) {
    LT_ASSERT(a.x >= -LT_FILL_LIMIT && a.x <= LT_FILL_LIMIT && a.y >= -LT_FILL_LIMIT && a.y <= LT_FILL_LIMIT);
    int64_t area = lt_fill_area(a, b, c);
    if (area == 0) return;
    lt_fill_corner p[3] = {a, area > 0 ? b : c, area > 0 ? c : b};
    if (area < 0) area = -area;
    setup s;
    if (target->owners) {
        if (!find_pixels(&s, target, p, 32, 224)) return;
        set_edges(&s, p, lt_fill_sample_offsets, LT_FILL_SAMPLE_COUNT);
        set_depths(&s, p, area, lt_fill_sample_offsets, LT_FILL_SAMPLE_COUNT);
        fill_rows(&s, target, owner, LT_FILL_SAMPLE_COUNT);
    } else {
        if (!find_pixels(&s, target, p, 128, 128)) return;
        set_edges(&s, p, center_offset, 1);
        set_depths(&s, p, area, center_offset, 1);
        fill_rows(&s, target, owner, 1);
    }
}
