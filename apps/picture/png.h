/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* PNG files and animated PNG files (W3C PNG, third edition): 8-bit RGB, one filter chosen per row, zlib.
 *
 * An animation is written frame by frame: only the rectangle that changed since the frame before is stored,
 * and only one earlier frame is kept in memory. It grows under a temporary name beside its path and gets
 * its name when it is complete. */

#ifndef LITHE_PICTURE_PNG_H
#define LITHE_PICTURE_PNG_H

#include "picture/image.h"

/* Appends what would be in the file to `bytes` (of uint8_t), which is as it was when that fails. */
lt_status lt_png_encode(const lt_image *image, lt_array *bytes, lt_error *error);
/* Whole file or nothing. */
lt_status lt_png_write(const char *path, const lt_image *image, lt_error *error);

typedef struct lt_apng lt_apng;

/* Loops forever; every frame lasts 1/fps s, fps 1 to 1000. *out is NULL on failure. */
lt_status lt_apng_begin(lt_apng **out, const char *path, uint32_t width, uint32_t height, uint32_t fps,
                        const lt_allocator *allocator, lt_error *error);
/* After a failure only lt_apng_abort makes sense. */
lt_status lt_apng_frame(lt_apng *apng, const lt_image *image, lt_error *error);
/* Completes and renames the file, frees `apng`. Fails, leaving nothing, when no frame was written. */
lt_status lt_apng_end(lt_apng *apng, lt_error *error);
/* Removes what was written, frees `apng` (NULL allowed). */
void lt_apng_abort(lt_apng *apng);

#endif
