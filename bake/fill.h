/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How much of every tet of a carrier is solid: mass and stiffness are scaled by it, so that a carrier that is
 * fatter than its solid weighs and bends like the solid. */

#ifndef LITHE_BAKE_FILL_H
#define LITHE_BAKE_FILL_H

#include "bake/copies.h"

/* The least fill before all are scaled to the solid's mass: with much less, multigrid ladders diverge. */
#define LT_FILL_LEAST 0.2

/* Fills fill[mesh->tet_count] for a mesh whose nodes are still those of `copies` (moved, with fewer tets):
 * point samples against the voxels; only what belongs to the tet's own piece of the solid counts. At least
 * LT_FILL_LEAST each, then scaled so that the sum of fill times volume is `solid_volume`, never above 1. */
void lt_fill_compute(float *fill, const lt_tet_mesh *mesh, const lt_copies *copies, double solid_volume);

#endif
