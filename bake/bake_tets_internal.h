/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What baking one mesh of tets and a ladder of them have in common. */

#ifndef LITHE_BAKE_TETS_INTERNAL_H
#define LITHE_BAKE_TETS_INTERNAL_H

#include "lithe/bake.h"

#include "mesh/mesh.h"

/* The tets with the nodes they use, in the order of the input; refuses what cannot be simulated. */
lt_status lt_bake_tets_copy(lt_tet_mesh *out, const lt_bake_tets_def *def, lt_bake_notes *notes,
                            lt_error *error);
/* The given surface, or the boundary of the tets; counts open edges. Refuses what is inside out. */
lt_status lt_bake_tets_surface(lt_surface *out, const lt_bake_tets_def *def, const lt_tet_mesh *mesh,
                               lt_bake_notes *notes, lt_error *error);

#endif
