/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Letters of 5 x 7 dots for captions: printable ASCII and the micro sign. */

#ifndef LITHE_PICTURE_FONT_H
#define LITHE_PICTURE_FONT_H

#include "core/base.h"

#define LT_FONT_WIDTH   5u
#define LT_FONT_HEIGHT  7u
#define LT_FONT_ADVANCE 6u
#define LT_FONT_DROP    2u

/* The rows of the next character of UTF-8 text, top first, the leftmost dot in bit 4, and how many bytes
 * it took. Characters without a picture show as a hollow box; `text` must not be at its end. */
const uint8_t *lt_font_next(const char *text, size_t *byte_count);

/* How many dots lower than the others a letter stands: those that reach below the line. */
uint32_t lt_font_drop(const uint8_t *rows);

/* How many characters stand before the end of the line or text, and how many bytes they take. */
size_t lt_font_line_length(const char *text, size_t *byte_count);

#endif
