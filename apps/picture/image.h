/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pictures in memory: 8-bit sRGB for files, linear float while light is still added up. Rows run from the
 * top, pixels from the left, three channels red, green, blue, no padding. */

#ifndef LITHE_PICTURE_IMAGE_H
#define LITHE_PICTURE_IMAGE_H

#include "core/memory.h"

/* The largest side: what the rasteriser's fixed-point coordinates are made for. */
#define LT_IMAGE_SIDE_MAX 8192u

typedef enum lt_image_kind { LT_IMAGE_RGB8, LT_IMAGE_LINEAR } lt_image_kind;

typedef struct lt_image {
    uint32_t width, height;
    lt_image_kind kind;
    uint8_t *bytes; /* [height][width][3] when LT_IMAGE_RGB8, else NULL */
    float *linear;  /* [height][width][3] when LT_IMAGE_LINEAR, else NULL */
    lt_allocator allocator;
} lt_image;

/* A black picture. LT_STATUS_INVALID for a side of 0 or above LT_IMAGE_SIDE_MAX; *out is then empty. */
lt_status lt_image_allocate(lt_image *out, uint32_t width, uint32_t height, lt_image_kind kind,
                            const lt_allocator *allocator, lt_error *error);
/* Safe on zeroed and already freed pictures. */
void lt_image_free(lt_image *image);

static inline size_t lt_image_value_count(const lt_image *image) {
    return (size_t)image->width * image->height * 3;
}
static inline uint8_t *lt_image_pixel(const lt_image *image, uint32_t x, uint32_t y) {
    return image->bytes + 3 * ((size_t)y * image->width + x);
}
static inline float *lt_image_linear_pixel(const lt_image *image, uint32_t x, uint32_t y) {
    return image->linear + 3 * ((size_t)y * image->width + x);
}

#endif
