/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Which voxels a tet of the lattice reaches into, for each of the twelve types. */

#ifndef LITHE_BAKE_STENCIL_H
#define LITHE_BAKE_STENCIL_H

#include "bake/copies.h"

#define LT_NO_ENTRY UINT16_MAX

/* Fills copies->stencils from its types, voxels and resolution. False when memory is out; what was made is
 * freed by lt_stencils_free in any case. */
bool lt_stencils_build(lt_copies *copies);
void lt_stencils_free(lt_copies *copies);

/* The entry of the voxel at `place` from the first voxel of the cube, or LT_NO_ENTRY. */
uint16_t lt_stencil_entry(const lt_copies *copies, int type, const int place[3]);

#endif
