/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What `lithe bake` and `lithe info` say of a shape's multiscale tree. */

#ifndef LITHE_APPS_MULTISCALE_NOTES_H
#define LITHE_APPS_MULTISCALE_NOTES_H

#include "bound/multiscale.h"
#include "scenes/json_writer.h"

typedef struct lt_multiscale_notes {
    uint32_t box_count; /* 0: the shape has no tree */
    uint32_t piece_count, point_count, triangle_count, spanning_count;
    uint32_t cut_count, cut_record_count, largest_group; /* largest: most governors of a box on the cut */
    uint32_t governor_count, governors_max, bunch_count, depth;
    /* Of ladders: the cut where level 1 + i moves all of the body */
    uint32_t level_count;
    struct {
        uint32_t boxes, records, governors;
    } levels[LT_LADDER_MOST];
} lt_multiscale_notes;

/* Zeros for a shape without a tree. */
lt_status lt_multiscale_notes_read(lt_multiscale_notes *out, const lt_shape *shape, lt_error *error);

/* Lines for the tree, the cut, that of coarser levels, and pieces that lie in no one tet; nothing when there is no tree. */
void lt_multiscale_notes_print(const lt_multiscale_notes *notes);
/* "multiscale_tree": { … }, or null when there is none. */
void lt_multiscale_notes_write(lt_json *json, const lt_multiscale_notes *notes);

#endif
