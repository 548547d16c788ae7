/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bounds as lines: what a method shows of a body below the box around it (verb `draw`). Only reads: what is stale stays so. */

#ifndef LITHE_METHOD_DRAW_H
#define LITHE_METHOD_DRAW_H

#include "detect/detect.h"
#include "lithe/debug_draw.h"

uint32_t lt_draw_level_color(uint32_t level);
void lt_draw_line(const lt_debug_draw *draw, lt_vec3 from, lt_vec3 to, uint32_t color);
void lt_draw_box(const lt_debug_draw *draw, lt_box box, uint32_t color);

/* Those of draw->level that are as the last step had them: others were not looked at. */
void lt_draw_spheres(const lt_debug_draw *draw, const lt_spheres *spheres);
void lt_draw_tree(const lt_debug_draw *draw, const lt_multiscale *boxes);
/* Boxes in the cells of a lattice, or the cells themselves: their only level, 1. */
void lt_draw_cells(const lt_debug_draw *draw, const lt_collider *collider, bool grid_boxes);

#endif
