/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The boxes of the method cell-box as thin bars along their edges, where they are now: one mesh for all bodies that are
 * lattices. */

#ifndef LITHE_APPS_DRAW_BOXES_H
#define LITHE_APPS_DRAW_BOXES_H

#include "core/memory.h"
#include "scenes/scene.h"

typedef struct lt_box_bars {
    lt_array positions; /* of lt_vec3 */
    lt_array triangles; /* of uint32_t, three each */
    lt_array nodes;     /* of lt_vec3, of one body */
} lt_box_bars;

lt_box_bars lt_box_bars_begin(const lt_allocator *allocator);
void lt_box_bars_free(lt_box_bars *bars);
/* Anew from the world as it is; false when memory is out. */
bool lt_box_bars_fill(lt_box_bars *bars, const lt_scene_world *scene_world);

#endif
