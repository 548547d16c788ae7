/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What a cell's box is made of, once for all deformations (spec.md 3.2).
 *
 * Box: the least one around the triangles of the cell, in coordinates of the cell, at least LT_CELL_BOX_LEAST wide.
 * It errs outwards: rounded away from what it holds.
 *
 * Mask: the faces through which something may be pushed out. Without it the least depth would lead through a shell to
 * the inner side, and bodies would sink into each other (erratum J11). In a shell: the face the mean normal points at,
 * and all others it points at by more than a half. In filled lattices, and in cells where the surface passes both ways
 * so that the normals cancel: the faces behind which there is no cell. Where that leaves none, all. */

#ifndef LITHE_BAKE_CELL_BOUNDS_H
#define LITHE_BAKE_CELL_BOUNDS_H

#include "bake/cells.h"

#define LT_CELL_BOX_LEAST 1e-3f

/* Fills boxes and masks of cells that have all else. LT_STATUS_MEMORY is all that can go wrong. */
lt_status lt_cell_bounds_compute(lt_cells *cells, bool is_filled, lt_error *error);

#endif
