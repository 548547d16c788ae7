/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The size of cells that gives a wanted number of tets, by bisection. */

#ifndef LITHE_BAKE_CELL_SIZE_H
#define LITHE_BAKE_CELL_SIZE_H

#include "bake/inside.h"
#include "bake/lattice.h"

/* Places the lattice whose number of tets that touch the surface or the inside is nearest to `target`. The
 * inside is read from voxels of any size. Of tens of lattices each is counted exactly at its surface, in some
 * 0.1 us a triangle. LT_STATUS_INVALID when the surface is a point. */
lt_status lt_cell_size_find(lt_lattice *out, const lt_surface *surface, const lt_voxels *voxels,
                            uint32_t target, const lt_allocator *allocator, lt_error *error);

#endif
