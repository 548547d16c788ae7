/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/panels.h"

#include "picture/color.h"
#include "picture/text.h"

#include <string.h>

#define CAPTION_LINES_MAX 100u

static const lt_color page = {0xf4, 0xf5, 0xf7}, ink = {0x1c, 0x20, 0x28};

struct lt_panels {
    lt_panels_def def;
    lt_image frame;
    uint32_t dot; /* side of a dot of the letters, in pixels */
    uint32_t gap; /* around every panel */
    uint32_t title_height, caption_height;
    bool open; /* between begin and end */
    lt_allocator allocator;
};

/* ---- where things are ---- */

static void set_layout(lt_panels *panels) {
    lt_panels_def *def = &panels->def;
    if (def->caption_letters == 0) def->caption_letters = 44;
    if (def->caption_lines == 0) def->caption_lines = 1;
    panels->dot = lt_max_u32(1, def->width / LT_FONT_ADVANCE / def->caption_letters);
    panels->gap = 4 * panels->dot;
    panels->title_height = def->title ? LT_TEXT_LINE_HEIGHT * (panels->dot + 1) + panels->gap : 0;
    panels->caption_height = (LT_TEXT_LINE_HEIGHT * def->caption_lines + 1) * panels->dot;
}

/* Even, and 64 bits wide, so that a frame too large is refused and not cut. */
static uint64_t frame_width(const lt_panels *panels) {
    uint64_t width = panels->gap + (uint64_t)panels->def.columns * (panels->def.width + panels->gap);
    return width + width % 2;
}
static uint64_t frame_height(const lt_panels *panels) {
    uint64_t each = (uint64_t)panels->caption_height + panels->def.height + panels->gap;
    uint64_t height = panels->gap + panels->title_height + panels->def.rows * each;
    return height + height % 2;
}

void lt_panels_size(const lt_panels *panels, uint32_t *width, uint32_t *height) {
    *width = panels->frame.width;
    *height = panels->frame.height;
}

void lt_panels_corner(const lt_panels *panels, uint32_t index, uint32_t *x, uint32_t *y) {
    const lt_panels_def *def = &panels->def;
    uint32_t column = index % def->columns, row = index / def->columns;
    *x = panels->gap + column * (def->width + panels->gap);
    *y = panels->gap + panels->title_height + panels->caption_height +
         row * (panels->caption_height + def->height + panels->gap);
}

/* ---- drawing ---- */

static void clear(lt_panels *panels, uint32_t left, uint32_t top, uint32_t width, uint32_t height) {
    const uint8_t bytes[3] = {page.r, page.g, page.b};
    for (uint32_t y = top; y < top + height; y++)
        for (uint32_t x = left; x < left + width; x++)
            memcpy(lt_image_pixel(&panels->frame, x, y), bytes, sizeof bytes);
}

/* The first `line_count` lines of a text: captions are short, and longer ones are cut. */
static void draw_lines(lt_panels *panels, const char *text, uint32_t line_count, lt_text_place place) {
    const uint8_t bytes[3] = {ink.r, ink.g, ink.b};
    char line[256];
    for (uint32_t i = 0; i < line_count; i++) {
        size_t length;
        lt_font_line_length(text, &length);
        size_t kept = length < sizeof line ? length : sizeof line - 1;
        memcpy(line, text, kept);
        line[kept] = 0;
        lt_text_draw(&panels->frame, line, place, bytes);
        if (!text[length]) return;
        text += length + 1;
        place.top += (int32_t)LT_TEXT_LINE_HEIGHT * place.dot;
    }
}

void lt_panels_begin(lt_panels *panels) {
    const uint8_t bytes[3] = {ink.r, ink.g, ink.b};
    int32_t gap = (int32_t)panels->gap, right = (int32_t)panels->frame.width - gap;
    clear(panels, 0, 0, panels->frame.width, panels->frame.height);
    panels->open = true;
    if (panels->def.title)
        lt_text_draw(&panels->frame, panels->def.title,
                     (lt_text_place){gap, gap, right, (int32_t)panels->dot + 1}, bytes);
}

static lt_status check_put(const lt_panels *panels, uint32_t index, lt_error *error) {
    const lt_panels_def *def = &panels->def;
    if (!LT_REQUIRE(panels->open))
        return lt_fail(error, LT_STATUS_INVALID, "panels: a panel outside of lt_panels_begin and _end");
    if (index >= def->columns * def->rows)
        return lt_fail(error, LT_STATUS_INVALID, "panel %u: there are only %u x %u", index, def->columns,
                       def->rows);
    return LT_OK;
}

lt_status lt_panels_put(lt_panels *panels, uint32_t index, const lt_image *image, const char *caption,
                        lt_error *error) {
    const lt_panels_def *def = &panels->def;
    if (!image) return LT_STATUS_INVALID;
    lt_status status = check_put(panels, index, error);
    if (status != LT_OK) return status;
    if (image->kind != LT_IMAGE_RGB8 || image->width != def->width || image->height != def->height)
        return lt_fail(error, LT_STATUS_INVALID,
                       "panel %u: a picture of %u x %u, but 8-bit ones of %u x %u fit", index, image->width,
                       image->height, def->width, def->height);
    uint32_t x, y;
    lt_panels_corner(panels, index, &x, &y);
    for (uint32_t row = 0; row < def->height; row++)
        memcpy(lt_image_pixel(&panels->frame, x, y + row), lt_image_pixel(image, 0, row),
               3 * (size_t)def->width);
    clear(panels, x, y - panels->caption_height, def->width, panels->caption_height);
    lt_text_place place = {(int32_t)x, (int32_t)(y - panels->caption_height), (int32_t)(x + def->width),
                           (int32_t)panels->dot};
    if (caption) draw_lines(panels, caption, def->caption_lines, place);
    return LT_OK;
}

lt_status lt_panels_put_text(lt_panels *panels, uint32_t index, const char *text, lt_error *error) {
    const lt_panels_def *def = &panels->def;
    lt_status status = check_put(panels, index, error);
    if (status != LT_OK) return status;
    uint32_t x, y;
    lt_panels_corner(panels, index, &x, &y);
    clear(panels, x, y - panels->caption_height, def->width, panels->caption_height + def->height);
    lt_text_place place = {(int32_t)x, (int32_t)y, (int32_t)(x + def->width), (int32_t)panels->dot};
    draw_lines(panels, text, def->height / (LT_TEXT_LINE_HEIGHT * panels->dot), place);
    return LT_OK;
}

const lt_image *lt_panels_end(lt_panels *panels) {
    panels->open = false;
    return &panels->frame;
}

/* ---- life ---- */

void lt_panels_destroy(lt_panels *panels) {
    if (!panels) return;
    lt_allocator allocator = panels->allocator;
    lt_image_free(&panels->frame);
    LT_DELETE(&allocator, panels, 1, lt_panels);
}

lt_status lt_panels_create(lt_panels **out, const lt_panels_def *def, const lt_allocator *allocator,
                           lt_error *error) {
    *out = NULL;
    if (def->columns == 0 || def->rows == 0 || def->width == 0 || def->height == 0)
        return lt_fail(error, LT_STATUS_INVALID, "%u x %u panels of %u x %u: each must be at least 1",
                       def->columns, def->rows, def->width, def->height);
    if (def->caption_lines > CAPTION_LINES_MAX)
        return lt_fail(error, LT_STATUS_INVALID, "panels: captions of %u lines, but %u is the most",
                       def->caption_lines, CAPTION_LINES_MAX);
    lt_panels *panels = LT_NEW(allocator, 1, lt_panels);
    if (!panels) return lt_fail(error, LT_STATUS_MEMORY, "no memory for panels");
    panels->def = *def;
    panels->allocator = allocator ? *allocator : lt_allocator_default();
    set_layout(panels);
    uint64_t width = frame_width(panels), height = frame_height(panels);
    lt_status status =
        width > LT_IMAGE_SIDE_MAX || height > LT_IMAGE_SIDE_MAX
            ? lt_fail(error, LT_STATUS_INVALID, "%u x %u panels of %u x %u: more than %u pixels a side",
                      def->columns, def->rows, def->width, def->height, LT_IMAGE_SIDE_MAX)
            : lt_image_allocate(&panels->frame, (uint32_t)width, (uint32_t)height, LT_IMAGE_RGB8, allocator,
                                error);
    if (status == LT_OK)
        *out = panels;
    else
        lt_panels_destroy(panels);
    return status;
}
