/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A grid of equal cubes around a surface, whose planes are floats.
 *
 * Surface vertices are floats. So that a vertex can lie exactly on a plane of the grid, and so that "on which side"
 * never depends on rounding, the origin and the side of a cell are multiples of a power of two that leaves every
 * plane with at most 24 significant bits: plane k is origin + k size, without rounding, as a double and as a float.
 *
 * Where a coordinate is along an axis is its level: 2k on plane k, 2k + 1 between planes k and k + 1. A cell is named
 * by its lt_cell_place. */

#ifndef LITHE_BAKE_CELL_GRID_H
#define LITHE_BAKE_CELL_GRID_H

#include "bake/inside.h"

enum { LT_CELL_GRID_CELLS_MAX = 1 << 21 }; /* in all; along an axis LT_PLACE_LIMIT */

typedef struct lt_cell_grid {
    lt_dvec3 origin;
    double size; /* side of a cell */
    uint32_t counts[3];
} lt_cell_grid;

static inline double lt_cell_grid_plane(const lt_cell_grid *grid, int axis, uint32_t plane) {
    return lt_d3_get(grid->origin, axis) + plane * grid->size;
}
static inline uint32_t lt_cell_grid_count(const lt_cell_grid *grid) {
    return grid->counts[0] * grid->counts[1] * grid->counts[2];
}
/* The cell's number among all of the grid, x fastest. */
static inline uint32_t lt_cell_grid_index(const lt_cell_grid *grid, uint32_t place) {
    return lt_cell_place_along(place, 0) +
           grid->counts[0] *
               (lt_cell_place_along(place, 1) + grid->counts[1] * lt_cell_place_along(place, 2));
}

/* An empty grid of voxels, `resolution` along the side of a cell, with a rim of LT_CELL_GRID_RIM: the surface may
 * touch the first voxel outside, and the flood needs another. */
enum { LT_CELL_GRID_RIM = 2 };
lt_voxels lt_cell_grid_voxels(const lt_cell_grid *grid, uint32_t resolution);

/* Of a coordinate within the grid. */
uint32_t lt_cell_grid_level(const lt_cell_grid *grid, int axis, float coordinate);

/* Cells of about `size` (rounded up a little) around a box, with the box in the middle. Refused when there would be
 * too many, or when the box is so far from the origin that floats cannot tell the cells apart. */
lt_status lt_cell_grid_place(lt_cell_grid *out, lt_box box, double size, lt_error *error);

/* The grid in which the surface of the solid touches about `target` cells, those inside counted too when `is_filled`.
 * The nearest that was found in some ten sizes, or forty where the count jumps. */
lt_status lt_cell_grid_find(lt_cell_grid *out, lt_solid *solid, uint32_t target, bool is_filled,
                            const lt_allocator *allocator, lt_error *error);

#endif
