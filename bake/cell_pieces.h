/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The separate pieces of a solid in every cell of a grid: components of solid voxels (inside or touched by the surface)
 * within a cell. Two pieces are told apart when at least a voxel without surface lies between them. */

#ifndef LITHE_BAKE_CELL_PIECES_H
#define LITHE_BAKE_CELL_PIECES_H

#include "bake/cell_grid.h"

enum { LT_CELL_PIECES_RESOLUTION = 32 }; /* most voxels along the side of a cell */

typedef struct lt_cell_pieces {
    /* Input */
    const lt_cell_grid *grid;
    const lt_voxels *voxels; /* those of lt_cell_grid_voxels, built */
    uint32_t resolution;
    /* Pieces, numbered from cell to cell */
    uint8_t *labels;  /* [voxels->count] 0: not solid, else 1 + piece of its cell */
    uint32_t *begins; /* [cells of the grid + 1] first piece of a cell */
    lt_array halves;  /* uint32_t a piece: how many half voxels are solid; touched ones count for one half */
    lt_array insides; /* uint32_t a piece: how many of its voxels are inside */
    uint32_t count;
    lt_allocator allocator;
} lt_cell_pieces;

/* `grid` and `voxels` must outlive the result. */
lt_status lt_cell_pieces_build(lt_cell_pieces *out, const lt_cell_grid *grid, const lt_voxels *voxels,
                               uint32_t resolution, const lt_allocator *allocator, lt_error *error);
void lt_cell_pieces_free(lt_cell_pieces *pieces);

/* The piece of a cell that a point in it (or at its boundary) belongs to; LT_NONE where nothing is solid. */
uint32_t lt_cell_pieces_at(const lt_cell_pieces *pieces, uint32_t place, lt_dvec3 point);

/* Called with two pieces on both sides of a face, the second up the axis; a pair may come more than once. */
typedef void lt_cell_pieces_function(void *context, uint32_t piece, uint32_t above, int axis);
void lt_cell_pieces_each_pair(const lt_cell_pieces *pieces, lt_cell_pieces_function *function, void *context);

#endif
