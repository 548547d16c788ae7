/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A surface with its holes closed: every rim of edges with one triangle gets a fan around its middle. Rims
 * that do not close (where more than two triangles meet at an edge, or neighbours are turned differently) are
 * left as they are. */

#ifndef LITHE_BAKE_CAP_HOLES_H
#define LITHE_BAKE_CAP_HOLES_H

#include "mesh/mesh.h"

/* *out has the vertices of `surface`, then one for each cap; its triangles, then those of the caps. Cap i has
 * triangles (*cap_begins)[i] … (*cap_begins)[i + 1] - 1; the array of *cap_count + 1 is the caller's. */
lt_status lt_cap_holes(lt_surface *out, uint32_t **cap_begins, uint32_t *cap_count, const lt_surface *surface,
                       const lt_allocator *allocator, lt_error *error);

#endif
