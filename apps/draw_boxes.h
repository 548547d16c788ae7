/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The boxes of the methods cell-box and multiscale as thin bars along their edges, around what is there now: one mesh for all
 * bodies. */

#ifndef LITHE_APPS_DRAW_BOXES_H
#define LITHE_APPS_DRAW_BOXES_H

#include "core/memory.h"
#include "scenes/scene.h"

/* Instead of a level of a tree: its cut. */
#define LT_LEVEL_CUT UINT32_MAX

/* Of multiscale trees. */
typedef struct lt_tree_choice {
    uint32_t level; /* boxes so far below the root, and leaves above that; LT_LEVEL_CUT */
    bool opened;    /* instead: those below the cut that the last step came to, as it had them */
    bool tet_boxes; /* by the boxes of their tets, to compare; else by the weights in them */
} lt_tree_choice;

typedef struct lt_box_bars {
    lt_array positions; /* of lt_vec3 */
    lt_array triangles; /* of uint32_t, three each */
} lt_box_bars;

lt_box_bars lt_box_bars_begin(const lt_allocator *allocator);
void lt_box_bars_free(lt_box_bars *bars);
/* The twelve edges of one; bit k of a corner's number is set where it is the upper one along axis k. */
bool lt_box_bars_add(lt_box_bars *bars, const lt_vec3 corners[8], float radius);
/* Anew from the world as it is; false when memory is out. */
bool lt_box_bars_fill(lt_box_bars *bars, const lt_scene_world *scene_world, lt_tree_choice choice);

#endif
