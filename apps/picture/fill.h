/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Filling triangles into sample buffers: the one rasteriser behind the camera's view (4 samples a pixel),
 * the shadow map and the contact map (1 sample each).
 *
 * Corners are fixed point with 8 fractional bits, edge functions are exact 64-bit integers, and a sample
 * on an edge belongs to the triangle for which the edge is a top or left one: triangles that share an
 * edge neither leave holes nor hit a sample twice. Greater depth values win ("nearer"); equal ones keep
 * what came first. Depth must be linear over the screen: 1/w for a perspective view, plain distance for
 * a parallel one. */

#ifndef LITHE_PICTURE_FILL_H
#define LITHE_PICTURE_FILL_H

#include "core/base.h"

#define LT_FILL_UNIT         256                    /* fixed-point units per pixel */
#define LT_FILL_LIMIT        (24576 * LT_FILL_UNIT) /* corners beyond this must be clipped before */
#define LT_FILL_SAMPLE_COUNT 4
#define LT_FILL_EMPTY        (-3e38f) /* the depth of a sample that nothing has hit */

/* Where the four samples of a pixel lie, in fixed-point units from its upper left corner: a rotated
 * grid, so that nearly level and nearly upright edges both get four steps. */
extern const int32_t lt_fill_sample_offsets[LT_FILL_SAMPLE_COUNT][2];

typedef struct lt_fill_corner {
    int32_t x, y;
    float depth;
} lt_fill_corner;

typedef struct lt_fill_target {
    int32_t width, height;
    float *depths;    /* [height][width][samples] */
    uint32_t *owners; /* [height][width][samples]; NULL for maps, which then have one sample a pixel */
} lt_fill_target;

/* Makes every sample empty, of owner LT_NONE. */
void lt_fill_clear(const lt_fill_target *target);

/* Either winding. Corners must lie within +-LT_FILL_LIMIT. */
void lt_fill_triangle(const lt_fill_target *target, lt_fill_corner a, lt_fill_corner b, lt_fill_corner c,
                      uint32_t owner);

/* Twice the signed area in fixed-point units: positive when a, b, c turn from x towards y. */
static inline int64_t lt_fill_area(lt_fill_corner a, lt_fill_corner b, lt_fill_corner c) {
    return (int64_t)(b.x - a.x) * (c.y - a.y) - (int64_t)(c.x - a.x) * (b.y - a.y);
}

/* The nearest fixed-point coordinate; only for |pixels| below 2^22. */
static inline int32_t lt_fill_snap(float pixels) {
    float scaled = pixels * (float)LT_FILL_UNIT;
    return (int32_t)(scaled + (scaled < 0.0f ? -0.5f : 0.5f));
}

#endif
