/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the method multiscale knows of a body, for pictures: boxes of its tree, and which tets are marked. But for opened boxes
 * all is made anew from the nodes, and nothing of the method is changed: a picture changes no run. Boxes are around the surface
 * as it is now; opened ones around its way in the part of the step that was looked at last. Marks are about the way of the last step as it went in the end; turns look at where models or contacts of the last step
 * would have let bodies go, and so may mark more. */

#ifndef LITHE_APPS_DRAW_TREE_H
#define LITHE_APPS_DRAW_TREE_H

#include "draw_boxes.h"

/* The boxes of one body, if it has a tree; false when memory is out. */
bool lt_tree_bars_add(lt_box_bars *bars, const lt_world *world, uint32_t body, lt_tree_choice choice);

/* A colour for every vertex of all bodies, in their order: grey where the tet is not marked. Of one colour are tets that may
 * meet, and those that may meet them: patches of different colours are never tested against each other. False when memory is
 * out. */
bool lt_mark_colors_fill(lt_array *colors, const lt_scene_world *scene_world);

#endif
