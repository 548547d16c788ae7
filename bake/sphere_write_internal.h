/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inside the binding of a sphere tree: what its files share. sphere_write.c places the spheres and adds the chunks,
 * sphere_write_hangs.c finds the nodes that spheres hang on, sphere_write_leaves.c what leaves own and which are near,
 * sphere_write_frames.c nodes that stand for the whole body. */

#ifndef LITHE_BAKE_SPHERE_WRITE_INTERNAL_H
#define LITHE_BAKE_SPHERE_WRITE_INTERNAL_H

#include "bake/rest_tree.h"
#include "bound/bound.h"
#include "bound/sphere_chunks.h"

typedef struct lt_sphere_hang { /* one node a sphere hangs on */
    uint32_t node;
    float gamma, center;
} lt_sphere_hang;

typedef struct lt_sphere_writing {
    const lt_rest_tree *rest;
    const lt_carrier *carrier;
    const lt_skin *skin;
    const lt_allocator *allocator;
    /* Places */
    uint32_t *place; /* [sphere_count] node of a sphere */
    uint32_t block_count;
    uint32_t leaf_count;
    uint32_t *leaf_spheres; /* [leaf_count] */
    /* Pieces by sphere of one level, sorted */
    uint32_t *order;       /* [piece_count] */
    uint32_t *order_begin; /* [sphere_count + 1] */
    uint32_t *owner;       /* [piece_count] sphere of the level at hand */
    /* Per node of the carrier, for the sphere at hand */
    double *center_weight, *gamma;
    uint32_t *touched_count, *touched, *corner_nodes;
    double *corner_weights;
    /* Output */
    lt_array hangs;       /* lt_sphere_hang, by sphere */
    uint32_t *hang_begin; /* [sphere_count + 1] */
    float *balls;
    uint32_t *children, *parents, *levels, *row_begin, *tets, *nearest, *point_begin, *points, *leaves;
    uint32_t *near_leaves; /* [leaf_count][mask_words] */
    uint32_t mask_words;
    float self_gap;
    uint32_t *components; /* [component_count] */
    uint32_t component_count;
} lt_sphere_writing;

static inline size_t lt_writing_nodes(const lt_sphere_writing *w) {
    return (size_t)LT_LANES * w->block_count;
}

static inline lt_dvec3 lt_rest_node(const lt_carrier *carrier, uint32_t node) {
    const double *p = carrier->rest + 3 * (size_t)node;
    return (lt_dvec3){p[0], p[1], p[2]};
}

static inline void lt_writing_set_ball(lt_sphere_writing *w, uint32_t node, int field, double value) {
    w->balls[((size_t)lt_block_of(node) * LT_BALL_FIELDS + (size_t)field) * LT_LANES + lt_lane_of(node)] =
        (float)value;
}

/* Which nodes every sphere hangs on and how strongly; the tet of its centre. */
lt_status lt_sphere_write_hangs(lt_sphere_writing *w, lt_error *error);
/* The same as rows of blocks, added to the shape. */
lt_status lt_sphere_write_rows(lt_shape_builder *builder, lt_sphere_writing *w, lt_error *error);
/* Surface points by leaf, leaves that are near at rest, connected parts. */
lt_status lt_sphere_write_leaves(lt_sphere_writing *w, lt_error *error);
/* Three nodes that span the carrier, and those in the middle of each of its eight parts. */
void lt_find_frame(const lt_carrier *carrier, uint32_t frame[3]);
void lt_find_parts(uint32_t nodes[LT_PART_COUNT][LT_PART_NODES], const lt_carrier *carrier);

#endif
