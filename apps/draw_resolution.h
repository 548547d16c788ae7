/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Which mesh of its ladder moves a body of the model multigrid where, as colours: red by the finest, over orange, to yellow by the
 * second coarsest (the coarsest is for the solver alone). Bodies of one mesh are grey. */

#ifndef LITHE_APPS_DRAW_RESOLUTION_H
#define LITHE_APPS_DRAW_RESOLUTION_H

#include "core/memory.h"
#include "picture/color.h"
#include "scenes/scene.h"

/* Level 0 is the finest of `count`. */
lt_color lt_resolution_color(uint32_t level, uint32_t count);

/* A colour for every vertex of all bodies, in their order; false when memory is out. */
bool lt_resolution_colors_fill(lt_array *colors, const lt_scene_world *scene_world);

#endif
