/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How much a scene makes, told from its recipes before anything is made: a file of 200 bytes must not ask for all the memory
 * there is. Counts are what the generators make, or a little more; files count as nothing here, since their own size bounds
 * them. docs/scenes.md has the limits. */

#ifndef LITHE_SCENES_SCENE_SIZE_H
#define LITHE_SCENES_SCENE_SIZE_H

#include "scenes/scene.h"

/* Of one shape, of all shapes, and of all bodies. The largest block of tets there can be takes 1.3 GB and 3 s to build. */
#define LT_SCENE_SHAPE_TETS_MAX      500000.0
#define LT_SCENE_SHAPE_TRIANGLES_MAX 2000000.0
#define LT_SCENE_ALL_TETS_MAX        1000000.0
#define LT_SCENE_ALL_TRIANGLES_MAX   4000000.0
#define LT_SCENE_BODY_TETS_MAX       2000000.0
#define LT_SCENE_BODY_TRIANGLES_MAX  16000000.0
/* Cells of all grids of distances, those of shapes and of mesh obstacles: two of the finest. */
#define LT_SCENE_GRID_CELLS_MAX 34000000.0

typedef struct lt_scene_size {
    double tets, triangles; /* tets or cells of a lattice */
    double grid_cells;
} lt_scene_size;

lt_scene_size lt_scene_size_of_surface(const lt_surface_recipe *recipe);
lt_scene_size lt_scene_size_of_shape(const lt_scene_shape *shape);
lt_scene_size lt_scene_size_of_obstacle(const lt_scene_obstacle *obstacle);

static inline lt_scene_size lt_scene_size_add(lt_scene_size a, lt_scene_size b) {
    return (lt_scene_size){a.tets + b.tets, a.triangles + b.triangles, a.grid_cells + b.grid_cells};
}

#endif
