/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What `lithe bake` and `lithe info` say of a shape's ladder. */

#ifndef LITHE_APPS_LADDER_NOTES_H
#define LITHE_APPS_LADDER_NOTES_H

#include "body/body.h"
#include "scenes/json_writer.h"

typedef struct lt_level_notes {
    uint32_t node_count, tet_count;
    double volume, solid_volume; /* m³: of all tets, and of what of them is solid */
    double fill_min;
} lt_level_notes;

typedef struct lt_ladder_notes {
    uint32_t level_count; /* 0: the shape has no ladder */
    lt_level_notes levels[LT_LADDER_MOST];
    uint32_t piece_count;
} lt_ladder_notes;

/* Zeros for a shape without a ladder. */
lt_status lt_ladder_notes_read(lt_ladder_notes *out, const lt_shape *shape, lt_error *error);

/* A line a level, the finest first, and one of pieces; nothing when there is no ladder. */
void lt_ladder_notes_print(const lt_ladder_notes *notes);
/* "ladder": { … }, or null when there is none. */
void lt_ladder_notes_write(lt_json *json, const lt_ladder_notes *notes);

#endif
