/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/text.h"

#include <string.h>

static void set_pixel(lt_image *image, int32_t x, int32_t y, const void *ink) {
    if (x < 0 || y < 0 || x >= (int32_t)image->width || y >= (int32_t)image->height) return;
    if (image->kind == LT_IMAGE_RGB8)
        memcpy(lt_image_pixel(image, (uint32_t)x, (uint32_t)y), ink, 3 * sizeof(uint8_t));
    else
        memcpy(lt_image_linear_pixel(image, (uint32_t)x, (uint32_t)y), ink, 3 * sizeof(float));
}

static void draw_letter(lt_image *image, const uint8_t *rows, int32_t left, int32_t top, int32_t dot,
                        const void *ink) {
    for (int32_t y = 0; y < (int32_t)LT_FONT_HEIGHT * dot; y++)
        for (int32_t x = 0; x < (int32_t)LT_FONT_WIDTH * dot; x++)
            if (rows[y / dot] >> ((int32_t)LT_FONT_WIDTH - 1 - x / dot) & 1)
                set_pixel(image, left + x, top + y, ink);
}

void lt_text_measure(const char *text, int32_t *columns, int32_t *lines) {
    *columns = *lines = 0;
    for (;;) {
        size_t bytes, length = lt_font_line_length(text, &bytes);
        if (length > LT_IMAGE_SIDE_MAX) length = LT_IMAGE_SIDE_MAX; /* beyond any picture's width */
        if ((int32_t)length > *columns) *columns = (int32_t)length;
        (*lines)++;
        if (!text[bytes]) return;
        text += bytes + 1;
    }
}

void lt_text_draw(lt_image *image, const char *text, lt_text_place place, const void *ink) {
    const int32_t width = (int32_t)LT_FONT_WIDTH * place.dot, advance = (int32_t)LT_FONT_ADVANCE * place.dot;
    size_t bytes;
    for (int32_t x = place.left, top = place.top; *text; text += bytes) {
        if (*text == '\n') {
            bytes = 1;
            x = place.left;
            top += (int32_t)LT_TEXT_LINE_HEIGHT * place.dot;
            continue;
        }
        const uint8_t *rows = lt_font_next(text, &bytes);
        if (x + width > place.right) continue;
        draw_letter(image, rows, x, top + (int32_t)lt_font_drop(rows) * place.dot, place.dot, ink);
        x += advance;
    }
}
