/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Lines of the dot font on a picture of either kind. */

#ifndef LITHE_PICTURE_TEXT_H
#define LITHE_PICTURE_TEXT_H

#include "picture/font.h"
#include "picture/image.h"

#define LT_TEXT_LINE_HEIGHT (LT_FONT_HEIGHT + 3u) /* dots from line to line */

typedef struct lt_text_place {
    int32_t left, top; /* of the first letter, in pixels; may lie outside the picture */
    int32_t right;     /* letters that would reach beyond are left out */
    int32_t dot;       /* side of a dot in pixels, at least 1 */
} lt_text_place;

/* Letters in the longest line (counted up to LT_IMAGE_SIDE_MAX), and lines; "" has one line. */
void lt_text_measure(const char *text, int32_t *columns, int32_t *lines);

/* `ink`: a pixel of the picture's kind, three bytes or three floats. \n starts a line. */
void lt_text_draw(lt_image *image, const char *text, lt_text_place place, const void *ink);

#endif
