/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pictures whose pixels can be worked out by hand: squares before a camera at the origin that looks along -z
 * and sees 90 degrees, and what colour a pixel is. A file that includes it defines _POSIX_C_SOURCE first. */

#ifndef LITHE_TESTS_FRONT_VIEW_H
#define LITHE_TESTS_FRONT_VIEW_H

#include "picture/raster.h"
#include "picture_test.h"

/* Draws or ends the program: the tests below want pictures, not errors. */
static inline lt_image draw(const lt_picture *picture, uint32_t width, uint32_t height) {
    lt_raster *raster;
    lt_image image;
    lt_error error = {0};
    if (lt_image_allocate(&image, width, height, LT_IMAGE_RGB8, NULL, &error) != LT_OK ||
        lt_raster_create(&raster, NULL, &error) != LT_OK ||
        lt_raster_draw(raster, picture, &image, &error) != LT_OK) {
        fprintf(stderr, "cannot draw: %s\n", error.message);
        exit(2);
    }
    lt_raster_destroy(raster);
    return image;
}

static inline bool is_red(const lt_image *image, uint32_t x, uint32_t y) {
    const uint8_t *p = lt_image_pixel(image, x, y);
    return p[0] > 60 && p[0] > 2 * p[1] && p[0] > 2 * p[2];
}
static inline bool is_blue(const lt_image *image, uint32_t x, uint32_t y) {
    const uint8_t *p = lt_image_pixel(image, x, y);
    return p[2] > 60 && p[2] > 2 * p[0] && p[2] > 2 * p[1];
}

static inline lt_picture front_view(void) {
    lt_picture picture = lt_picture_default();
    picture.camera = (lt_camera){{0, 0, 0}, {0, 0, -1}, {0, 1, 0}, 90};
    picture.sun_direction = (lt_vec3){0, 0.1f, 1};
    picture.floor_hidden = true;
    return picture;
}

static const uint32_t square_triangles[6] = {0, 1, 2, 0, 2, 3};

/* A square at depth z, square to the view. */
static inline lt_picture_mesh square_mesh(lt_vec3 positions[4], float half, float z, lt_color color) {
    const lt_vec3 corners[4] = {{-half, -half, -z}, {half, -half, -z}, {half, half, -z}, {-half, half, -z}};
    memcpy(positions, corners, sizeof corners);
    return (lt_picture_mesh){.positions = positions,
                             .triangles = square_triangles,
                             .vertex_count = 4,
                             .triangle_count = 2,
                             .color = color,
                             .flat = true};
}

#endif
