/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The chunks of a carrier, written once; body/ reads them as views. */

#ifndef LITHE_BAKE_CARRIER_WRITE_H
#define LITHE_BAKE_CARRIER_WRITE_H

#include "bake/shape_builder.h"
#include "body/body.h"

/* Adds the chunks of a tet carrier to a shape under construction. Tets must be valid and positive; `fill` NULL
 * means 1 everywhere. LT_STATUS_MEMORY is all that can go wrong. */
lt_status lt_carrier_write(lt_shape_builder *builder, const lt_tet_mesh *mesh, const float *fill,
                           const lt_allocator *allocator, lt_error *error);
/* The same of all levels of a ladder; factors are of the finest, the first so many nodes and tets. */
lt_status lt_carrier_write_levels(lt_shape_builder *builder, const lt_tet_mesh *mesh, const float *fill,
                                  uint32_t finest_nodes, uint32_t finest_tets, const lt_allocator *allocator,
                                  lt_error *error);
/* The same for a lattice. What is written is checked first: LT_STATUS_INVALID names the first bad element. */
lt_status lt_carrier_write_cells(lt_shape_builder *builder, const lt_cell_mesh *mesh,
                                 const lt_allocator *allocator, lt_error *error);
/* The chunks of a ladder, beside those of a carrier that has all levels one after the other. */
void lt_ladder_write(lt_shape_builder *builder, const lt_ladder *ladder);

#endif
