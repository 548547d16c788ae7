/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A lattice carrier for any surface: the cells of a grid that hold it (spec.md section 3.2; papers/002).
 *
 *   cell_grid.h    the grid, whose planes are floats, and the size of cells that gives a wanted number
 *   split.h        the surface cut at the planes: every triangle in one cell, exactly
 *   cell_pieces.h  pieces of solid in every cell
 *   cell_bounds.h  tight box and outward faces of every cell
 *   cells.h        all of it in order                                            (this file)
 *
 * A shell is the cells that hold surface; filled, also those inside. Nothing is glued: where separate pieces of the
 * solid pass through one cell of the grid, each has a cell of its own, with nodes of its own, and shares nodes with the
 * cells beside it only where its own piece goes on:
 *
 *        one cell of the grid,       +-------+         +---+---+   +---+---+
 *        two fingers                 | 1   2 |         | 1     |   |     2 |    which overlap at rest,
 *                                    +-------+         +-------+   +-------+    and know nothing of each other
 *
 * The pieces are those of the solid, in a shell as well: both sides of a thin wall move together. A surface with nothing
 * inside (a sheet) has the pieces of the surface itself. Corners of cells are joined by two rules:
 *   - pieces of solid that meet at a face share its four corners;
 *   - all triangles around a vertex that lies on a face, an edge or a corner of the grid share the nodes there, so that
 *     either cell puts the vertex in the same place.
 * Cells end up as one when all their corners do.
 *
 * Cells come in bricks of 4 x 4 x 4, nodes in the order in which cells name them. The same input gives the same bytes.
 *
 * Workload: 293,000 triangles and 1,000 cells in a few seconds; two bytes a voxel, at most 1.3e8 voxels. */

#ifndef LITHE_BAKE_CELLS_H
#define LITHE_BAKE_CELLS_H

#include "bake/cell_grid.h"
#include "lithe/bake.h"

enum { LT_CELLS_LEAST = 1, LT_CELLS_MOST = 200000 };

typedef struct lt_cells_def {
    uint32_t target_cells; /* LT_CELLS_LEAST to LT_CELLS_MOST; 500. Met as near as sizes allow */
    double cell_size;      /* taken instead of a target when above 0 */
    bool is_filled;
    uint32_t
        resolution; /* voxels along a side of a cell, even, 4 to 32; 32. Fewer where memory would run out */
    lt_bake_progress *progress; /* NULL: none */
    void *progress_context;
    const lt_allocator *allocator; /* NULL: the default */
} lt_cells_def;

lt_cells_def lt_cells_def_default(void);

typedef struct lt_cells {
    lt_cell_mesh mesh;
    lt_surface surface;       /* cut at the faces of the cells */
    uint32_t *parents;        /* [surface.triangle_count] triangle of the surface given, ascending */
    uint32_t *triangle_cells; /* [surface.triangle_count] the cell, of the right copy, it lies in */
    uint32_t
        *vertex_cells; /* [surface.vertex_count] one of the cells of its triangles; LT_NONE without any */
    float *boxes;      /* [mesh.cell_count][6] lo and hi of its triangles, in cells; lo > hi without any */
    uint8_t *masks;    /* [mesh.cell_count] outward faces -x +x -y +y -z +z; 0 without triangles */
    lt_cell_grid grid;
    bool is_sheet;       /* nothing is inside */
    double solid_volume; /* 0 for a sheet */
    uint32_t
        voxels_a_cell;   /* along a side: gaps above about 3 / voxels_a_cell are told apart; 0 for a sheet */
    uint32_t copy_count; /* cells more than there would be if pieces were glued */
    lt_allocator allocator;
} lt_cells;

/* LT_STATUS_INVALID: a bad option, a bad surface, one that is all in a point or inside out, cells too small.
 * LT_STATUS_CANCELLED when `progress` said so. On failure *out is zeroed. */
lt_status lt_cells_build(const lt_surface *surface, const lt_cells_def *def, lt_cells *out, lt_error *error);
void lt_cells_free(lt_cells *cells);

#endif
