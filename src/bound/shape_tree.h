/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The tree of a shape: one hierarchy for its solid and its surface, made once and shared by all bodies of the shape.
 *
 *   binary over the tets of the carrier, split at the median of their centres at rest, along the longest side
 *
 *            0                     a node has a range of `tets`, one of `points` and one of `governors`;
 *          /   \                   its first child is the next node, the second one is `right`
 *         1     4                  tets of a node:      [tet_begin, tet_end)         the solid that it stands for
 *        / \   / \                 points under them:   [point_begin, point_end)     the surface in that solid
 *       2   3 5   6                governors:           the carrier's nodes of those tets, each once
 *
 *   solid leaf    the first nodes down a path with at most LT_SOLID_LEAF tets
 *   skin leaf     the first nodes with at most LT_SKIN_LEAF points; nodes without points have no surface
 *
 * The tree ends where both are reached, so that either kind of leaf may be an inner node of the other.
 *
 * What leaves have is worked on in blocks of eight: a leaf's blocks follow each other, the last one may not be full.
 *
 * Points are samples of the surface for answers: of a tet at most LT_TET_SAMPLES, the one farthest from its centre first, then always the one
 * farthest from those that are there. Each stands for the area of the points of its tet that are nearer to it than to any other sample.
 * Boxes of governors hold all of the surface. Samples prove nothing: where a search looks at a skin leaf by the box of its samples, what is apart is
 * so for these alone.
 *
 * Workload: 100 to 10,000 tets, up to 100,000 points. Made in O(n log² n), some 3 ms for 1,000 tets and 40,000 points.
 *
 * Rejected: trees over triangles. Where bodies overlap, depth and the way out come from points in tets; two trees
 * of a body are two refits and two fronts. */

#ifndef LITHE_BOUND_SHAPE_TREE_H
#define LITHE_BOUND_SHAPE_TREE_H

#include "bound/sphere_tree.h"
#include "embed/embed.h"

enum {
    LT_SOLID_LEAF = 32, /* tets */
    LT_SKIN_LEAF = 32,  /* points */
    LT_TET_SAMPLES = 6,
    LT_BLOCK = 8 /* tets or points that are worked on at once */
};

typedef struct lt_shape_node {
    uint32_t right; /* second child, the first one is the next node; 0: none */
    uint32_t end;   /* nodes below it are those before this one */
    uint32_t tet_begin, tet_end;
    uint32_t point_begin, point_end;
    uint32_t governor_begin, governor_end;
    uint32_t skin_block, solid_block; /* of leaves: first of their blocks */
} lt_shape_node;

enum { LT_EXTREMES = 26 };

typedef struct lt_shape_tree {
    const lt_shape *shape; /* whose tree it is: the key by which bodies share it */
    lt_shape_node *nodes;  /* [node_count], parents before children */
    uint32_t *tets;        /* [tet_count] by place */
    uint32_t *points;      /* [point_count] samples, by place: points of the skin */
    float *areas;          /* [point_count] m² at rest, unscaled: what a sample stands for */
    uint32_t *governors;   /* [governor_count] nodes of the carrier */
    uint32_t *tet_places;  /* [tet_count] of a tet of the carrier: where in `tets` */
    uint32_t *
        point_places; /* [skin_point_count] of a point of the skin: where in `points`; LT_NONE: not a sample */
    uint32_t *skin_leaves;  /* [point_count] of a place: the skin leaf that has it */
    uint32_t *solid_leaves; /* [tet_count] of a place: the solid leaf that has it */
    uint32_t parts
        [LT_PART_COUNT *
         LT_PART_NODES]; /* eight parts, and four carrier nodes in the middle of each (detect/attachment.c) */
    uint32_t extremes
        [LT_EXTREMES]; /* carrier nodes that are farthest out at rest, along axes, edges and corners of a cube */
    uint32_t *
        node_corners; /* [carrier_node_count] of a carrier node: 4 × a tet that has it + which corner it is */
    uint32_t carrier_node_count;
    float radius; /* of the carrier at rest, unscaled */
    float area;   /* of the surface at rest, unscaled */
    uint32_t node_count, tet_count, point_count, governor_count, skin_point_count;
    uint32_t governor_capacity;
    uint32_t skin_block_count, solid_block_count;
    lt_allocator allocator;
} lt_shape_tree;

lt_status lt_shape_tree_create(lt_shape_tree *out, const lt_carrier *carrier, const lt_skin *skin,
                               const lt_allocator *allocator, lt_error *error);
/* Safe on zeroed ones. */
void lt_shape_tree_free(lt_shape_tree *tree);

static inline const lt_shape_node *lt_shape_node_at(const lt_shape_tree *tree, uint32_t node) {
    LT_ASSERT(node < tree->node_count);
    return &tree->nodes[node];
}
static inline uint32_t lt_shape_node_tets(const lt_shape_node *node) {
    return node->tet_end - node->tet_begin;
}
/* The leaves that a tet of the carrier, and a sample, are in. */
static inline uint32_t lt_shape_solid_leaf(const lt_shape_tree *tree, uint32_t tet) {
    LT_ASSERT(tet < tree->tet_count);
    return tree->solid_leaves[tree->tet_places[tet]];
}
static inline uint32_t lt_shape_skin_leaf(const lt_shape_tree *tree, uint32_t place) {
    LT_ASSERT(place < tree->point_count);
    return tree->skin_leaves[place];
}
static inline uint32_t lt_shape_node_points(const lt_shape_node *node) {
    return node->point_end - node->point_begin;
}
static inline uint32_t lt_block_count(uint32_t items) {
    return (items + LT_BLOCK - 1) / LT_BLOCK;
}
/* Whether entries go no deeper on that side. */
static inline bool lt_is_solid_leaf(const lt_shape_node *node) {
    return lt_shape_node_tets(node) <= LT_SOLID_LEAF || node->right == 0;
}
static inline bool lt_is_skin_leaf(const lt_shape_node *node) {
    return lt_shape_node_points(node) <= LT_SKIN_LEAF || node->right == 0;
}

/* Where a sample is in the blocks of its leaf. */
static inline uint32_t lt_shape_lane(const lt_shape_node *leaf, uint32_t place) {
    LT_ASSERT(place >= leaf->point_begin && place < leaf->point_end);
    return LT_BLOCK * leaf->skin_block + place - leaf->point_begin;
}

/* A text on what is wrong with it; NULL: nothing is. */
const char *lt_validate_shape_tree(const lt_shape_tree *tree, const lt_carrier *carrier);

#endif
