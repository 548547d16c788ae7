/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Names of the chunks of a sphere tree: written by bake/sphere_write.c, read by sphere_tree.c. */

#ifndef LITHE_BOUND_SPHERE_CHUNKS_H
#define LITHE_BOUND_SPHERE_CHUNKS_H

#include "bound/sphere_tree.h"

/* What all of them begin with. */
#define LT_CHUNK_SPHERE_PREFIX "spheres."

#define LT_CHUNK_SPHERE_HEADER      "spheres.header"
#define LT_CHUNK_SPHERE_BALLS       "spheres.balls"
#define LT_CHUNK_SPHERE_CHILDREN    "spheres.children"
#define LT_CHUNK_SPHERE_PARENTS     "spheres.parents"
#define LT_CHUNK_SPHERE_LEVELS      "spheres.levels"
#define LT_CHUNK_SPHERE_ROW_BEGIN   "spheres.row_begin"
#define LT_CHUNK_SPHERE_ROW_NODES   "spheres.row_nodes"
#define LT_CHUNK_SPHERE_ROW_TERMS   "spheres.row_terms"
#define LT_CHUNK_SPHERE_TETS        "spheres.tets"
#define LT_CHUNK_SPHERE_NEAREST     "spheres.nearest"
#define LT_CHUNK_SPHERE_POINT_BEGIN "spheres.point_begin"
#define LT_CHUNK_SPHERE_POINTS      "spheres.points"
#define LT_CHUNK_SPHERE_LEAVES      "spheres.leaves"
#define LT_CHUNK_SPHERE_NEAR        "spheres.near_at_rest"
#define LT_CHUNK_SPHERE_COMPONENTS  "spheres.components"
#define LT_CHUNK_SPHERE_SELF_GAP    "spheres.self_gap"
#define LT_CHUNK_SPHERE_FIGURES     "spheres.level_figures"

enum {
    LT_SPHERE_HEADER_BRANCHING,
    LT_SPHERE_HEADER_LAYERED,
    LT_SPHERE_HEADER_LEAVES,
    LT_SPHERE_HEADER_MASK_WORDS,
    LT_SPHERE_HEADER_FRAME,
    LT_SPHERE_HEADER_PARTS = LT_SPHERE_HEADER_FRAME + 3,
    LT_SPHERE_HEADER_SIZE = LT_SPHERE_HEADER_PARTS + LT_PART_COUNT * LT_PART_NODES
};

#endif
