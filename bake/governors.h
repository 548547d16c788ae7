/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A multiscale tree (bound/multiscale.h) from a surface that is cut at its tets: boxes, what they hang on,
 * the cut, and the numbers by which all of it lies in memory in the order in which a step uses it.
 *
 *     nodes   | above and on the cut, level by level | below: subtree after subtree of the cut                |
 *                                                     … | pairs | bunch, level by level | pairs | bunch | …
 *
 * Bunches above or across the cut (few triangles, many tets) are numbered in one row where they are met. */

#ifndef LITHE_BAKE_GOVERNORS_H
#define LITHE_BAKE_GOVERNORS_H

#include "bake/shape_builder.h"
#include "bake/split_tets.h"
#include "bake/tree.h"
#include "bound/multiscale.h"

typedef struct lt_governed {
    /* As in lt_multiscale_tree */
    lt_array nodes, links, above, groups, group_nodes, records, record_governors, governors;
    lt_array bunches, guests, points, vertices, triangles, triangle_tets, parents;
    lt_array level_groups, sample_begin, samples, sample_weights; /* of ladders */
    uint32_t cut_count, spanning_count, governors_max;
    uint32_t finest[3]; /* of ladders: groups, records and governors that are of the finest level */
} lt_governed;

/* `tree` is over the pieces of `split`, whose first `vertex_count` points are the surface's. At most
 * `governors_max` (1 to 64) governors of a box on the cut. On failure *out is zeroed. */
lt_status lt_governed_build(lt_governed *out, const lt_cut_surface *split, const lt_halving_tree *tree,
                            const lt_carrier *carrier, const lt_skin *skin, uint32_t governors_max,
                            const lt_allocator *allocator, lt_error *error);
/* Adds records of coarser levels; `carrier` has all of them. Others than ladders, of three levels at least, stay as they are. */
lt_status lt_governed_add_levels(lt_governed *governed, const lt_carrier *carrier,
                                 const lt_allocator *allocator, lt_error *error);
void lt_governed_free(lt_governed *governed);

/* Adds the chunks. */
void lt_governed_write(lt_shape_builder *builder, const lt_governed *governed);

#endif
