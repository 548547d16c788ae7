/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/image.h"

lt_status lt_image_allocate(lt_image *out, uint32_t width, uint32_t height, lt_image_kind kind,
                            const lt_allocator *allocator, lt_error *error) {
    *out = (lt_image){0};
    if (width == 0 || height == 0 || width > LT_IMAGE_SIDE_MAX || height > LT_IMAGE_SIDE_MAX)
        return lt_fail(error, LT_STATUS_INVALID, "a picture of %u x %u: each side must be 1 to %u", width,
                       height, LT_IMAGE_SIDE_MAX);
    lt_image image = {.width = width, .height = height, .kind = kind};
    image.allocator = allocator ? *allocator : lt_allocator_default();
    size_t count = lt_image_value_count(&image);
    if (kind == LT_IMAGE_RGB8)
        image.bytes = LT_NEW(&image.allocator, count, uint8_t);
    else
        image.linear = LT_NEW(&image.allocator, count, float);
    if (!image.bytes && !image.linear)
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for a picture of %u x %u", width, height);
    *out = image;
    return LT_OK;
}

void lt_image_free(lt_image *image) {
    size_t count = lt_image_value_count(image);
    if (image->bytes) LT_DELETE(&image->allocator, image->bytes, count, uint8_t);
    if (image->linear) LT_DELETE(&image->allocator, image->linear, count, float);
    *image = (lt_image){0};
}
