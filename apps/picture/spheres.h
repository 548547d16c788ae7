/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Translucent spheres over the shaded picture: internal to the rasteriser.
 *
 * No triangles: every sample's ray is cut with the sphere itself, so that outline, depth and shading are
 * exact at any size. What a pixel sees is gathered as fragments (which of its four samples, how far), sorted
 * from near to far with the sphere's number as tie, and blended; overlapping spheres part along the circle
 * in which they really cross, which no order of whole spheres can give.
 *
 *   spheres ──► seen, sorted by nearest point ──► band of rows ──► tile ──► row: fragments, sort, blend
 *
 * Workload: thousands of spheres of a few hundred pixels each, 10 to 20 of them over one pixel, half of them
 * behind the surface that they enclose: those are dropped tile by tile. */

#ifndef LITHE_PICTURE_SPHERES_H
#define LITHE_PICTURE_SPHERES_H

#include "picture/shade.h"

/* What lt_spheres_draw takes from an arena. */
size_t lt_spheres_memory(const lt_picture *picture);

/* Blends the picture's spheres over `linear`, hidden where a sample of the view or the floor is nearer. False
 * when the arena is too small. */
bool lt_spheres_draw(const lt_scene_view *scene, const lt_picture *picture, const lt_color_tables *tables,
                     lt_arena *arena, lt_image *linear);

#endif
