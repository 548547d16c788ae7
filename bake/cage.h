/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A carrier for any closed surface, the plain way: a lattice of equal cubes around it, kept where a cube
 * touches a triangle or cannot be reached from outside without crossing one.
 *
 * Every point of the surface and of its inside lies in a kept cube, by construction. The cage is fat (up to a
 * cell beyond the surface on every side) and joins parts of the surface that are within a cell of each other.
 * Each cube is cut into five tets, alternating, so that faces match; unused nodes are left out. */

#ifndef LITHE_BAKE_CAGE_H
#define LITHE_BAKE_CAGE_H

#include "mesh/mesh.h"

/* `cells` (1 to 256) along the longest side of the surface's box. An open surface gives the cells that touch
 * it, and whatever it happens to close off. */
lt_status lt_cage(const lt_surface *surface, uint32_t cells, lt_tet_mesh *out, const lt_allocator *allocator,
                  lt_error *error);

#endif
