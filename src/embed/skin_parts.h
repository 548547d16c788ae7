/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What skins on tets and on cells have in common when they are written. Private to this folder. */

#ifndef LITHE_EMBED_SKIN_PARTS_H
#define LITHE_EMBED_SKIN_PARTS_H

#include "embed/embed.h"

/* Points, triangles, the triangles around every point, and areas. LT_STATUS_MEMORY is all that can go wrong. */
lt_status lt_skin_add_surface(lt_shape_builder *builder, const lt_surface *surface,
                              const lt_allocator *allocator, lt_error *error);
/* How deep a rest point lies, on a grid of `cells` along the longest side. */
lt_status lt_skin_add_distance(lt_shape_builder *builder, const lt_surface *surface, uint32_t cells,
                               const lt_allocator *allocator, lt_error *error);

/* ---- reading ---- */

/* The chunks that only a skin on cells has, and what must hold of it beyond what holds of all; see trilinear.c. */
lt_status lt_skin_read_cells(lt_skin *skin, uint32_t cell_count, const lt_shape *shape, lt_error *error);
lt_status lt_skin_check_cells(const lt_skin *skin, const lt_carrier *carrier, const char *name,
                              lt_error *error);

#endif
