/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Drawing a picture in software: no graphics card, no window, the same bytes on every machine.
 *
 *   vertices ──► fill: nearest triangle and 1/w of 4 samples a pixel ──┐
 *          └──► shadow map, contact map ───────────────────────────────┴─► shade ► spheres ► overlay ► sRGB
 *
 * Nothing is shaded before it is known to be seen. Samples of a pixel that lie on the same smooth piece of
 * the same mesh are shaded once at their common middle: a mesh of many small triangles costs about one
 * shading a pixel, silhouettes still get four steps of coverage. The floor needs no triangles: its 1/w is
 * linear over the screen, so that it takes part in the depth test at each sample.
 *
 * Workload: 70 thousand triangles and two thousand spheres at 640 x 480. Arithmetic is +, -, *, / and sqrt
 * only. */

#ifndef LITHE_PICTURE_RASTER_H
#define LITHE_PICTURE_RASTER_H

#include "picture/image.h"
#include "picture/picture.h"

typedef struct lt_raster lt_raster; /* memory and tables, kept from frame to frame */

/* LT_STATUS_MEMORY when it cannot be had; *out is then NULL. */
lt_status lt_raster_create(lt_raster **out, const lt_allocator *allocator, lt_error *error);
void lt_raster_destroy(lt_raster *raster);

/* Draws into an LT_IMAGE_RGB8 image, all of it. LT_STATUS_INVALID names the camera's fault or the mesh and
 * triangle whose index is out of range; the image is then as it was. */
lt_status lt_raster_draw(lt_raster *raster, const lt_picture *picture, lt_image *image, lt_error *error);

#endif
