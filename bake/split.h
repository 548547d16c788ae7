/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A surface cut at the planes of a grid, so that every triangle lies in one cell (spec.md erratum J12: boxes that bound
 * the vertices of a cell do not bound triangles that leave it).
 *
 * One pass an axis. An edge is cut once at every plane it crosses, whoever asks: the cut is computed from the edge's
 * ends in the order of their numbers and rounded to float, with the coordinate of the plane taken as it is. Triangles on
 * both sides use the same vertices, so what was closed stays closed:
 *
 *          c                c          bands between planes; a band is a polygon of three to five corners,
 *         / \              /_\         cut into a fan
 *        /   \     =>     /__/\
 *       a-----b          a_/___b
 *
 * A cut lies between the ends of its edge in every coordinate: since planes are floats, rounding cannot carry it over
 * one. A triangle that lies in a plane belongs to the cell behind it, where the solid is. Where cuts of two edges round
 * to one point, a triangle without area is left: harmless, and without it the surface would have a crack.
 *
 * Workload: 293,000 triangles in about a second. */

#ifndef LITHE_BAKE_SPLIT_H
#define LITHE_BAKE_SPLIT_H

#include "bake/cell_grid.h"

typedef struct lt_split {
    lt_surface surface; /* the vertices of the input first, then the cuts */
    uint32_t *parents;  /* [surface.triangle_count] triangle of the input, ascending */
    uint32_t *places;   /* [surface.triangle_count] the cell it lies in */
    lt_allocator allocator;
} lt_split;

/* The surface must have passed lt_surface_check and lie within the grid, whose planes must be floats. LT_STATUS_INVALID when it does not, or when
 * there would be more triangles than can be numbered. On failure *out is zeroed. */
lt_status lt_split_build(lt_split *out, const lt_surface *surface, const lt_cell_grid *grid,
                         const lt_allocator *allocator, lt_error *error);
void lt_split_free(lt_split *split);

#endif
