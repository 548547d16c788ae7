/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Several pictures side by side as one frame of a recording: a grid of panels, a caption over each, a title
 * over all. Who draws a panel does not matter: any 8-bit picture of the panel's size is put in place.
 *
 *     lt_panels_begin(panels);
 *     for (uint32_t i = 0; i < 4; i++)
 *         status = lt_panels_put(panels, i, lt_drawer_draw(drawers[i], &error), captions[i], &error);
 *     status = lt_record_frame(recorder, lt_panels_end(panels), &error);
 *
 *     ┌───────────────────────────────┐
 *     │ title                         │   Sides are even, as video needs them. The letters' size follows from
 *     │ caption 0       caption 1     │   a panel's width alone, so that it does not change with the text.
 *     │ ┌───────────┐   ┌───────────┐ │
 *     │ │ panel 0   │   │ panel 1   │ │
 *     │ └───────────┘   └───────────┘ │
 *     └───────────────────────────────┘ */

#ifndef LITHE_PICTURE_PANELS_H
#define LITHE_PICTURE_PANELS_H

#include "picture/image.h"

typedef struct lt_panels_def {
    uint32_t columns, rows;
    uint32_t width, height;   /* of one panel, in pixels */
    uint32_t caption_letters; /* room for so many in a line of a caption; 0: 44 */
    uint32_t caption_lines;   /* 0: 1 */
    const char *title;        /* NULL or one line over all; read by lt_panels_begin */
} lt_panels_def;

typedef struct lt_panels lt_panels;

/* LT_STATUS_INVALID for a grid without panels and for a frame larger than a picture may be; *out is then
 * NULL. */
lt_status lt_panels_create(lt_panels **out, const lt_panels_def *def, const lt_allocator *allocator,
                           lt_error *error);
void lt_panels_destroy(lt_panels *panels);

/* Size of the frame, for lt_record_begin, and the upper left corner of a panel's picture in it. */
void lt_panels_size(const lt_panels *panels, uint32_t *width, uint32_t *height);
void lt_panels_corner(const lt_panels *panels, uint32_t index, uint32_t *x, uint32_t *y);

/* A frame begins empty; panels that are not put stay so. */
void lt_panels_begin(lt_panels *panels);
/* `image` is copied; NULL (a drawer's failure) gives LT_STATUS_INVALID and leaves *error alone.
 * LT_STATUS_INVALID for an index or a size that does not fit. Letters and lines beyond the caption's room
 * are left out; NULL: none. */
lt_status lt_panels_put(lt_panels *panels, uint32_t index, const lt_image *image, const char *caption,
                        lt_error *error);
/* Text in the place of a picture, a legend for instance; \n starts a line. */
lt_status lt_panels_put_text(lt_panels *panels, uint32_t index, const char *text, lt_error *error);
/* The frame; it belongs to `panels` and is overwritten by the next one. */
const lt_image *lt_panels_end(lt_panels *panels);

#endif
