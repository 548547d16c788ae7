/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Sphere trees, twice over (a third time in bake/rest_tree.h, before any carrier is known):
 *
 *   lt_sphere_tree   as stored in a shape: bound to a carrier, in blocks of eight siblings (views into chunks)
 *   lt_spheres       as it is now: one body's centres and radii, refreshed block by block when asked for
 *
 * A sphere covers the pieces of all leaves below it; wrapped: not necessarily its children's spheres. Every piece lies
 * inside its leaf and inside every ancestor of that leaf: so every level covers the whole surface, at rest by baking,
 * under any motion of the carrier's nodes by the bounds of the refresh (sphere_kernel.c has the proof). */

#ifndef LITHE_BOUND_SPHERE_TREE_H
#define LITHE_BOUND_SPHERE_TREE_H

#include "body/body.h"
#include "embed/embed.h"

enum { LT_SPHERE_BRANCHING_MAX = 8, LT_SPHERE_LEVELS_MAX = 6 };
enum { LT_PART_COUNT = 8, LT_PART_NODES = 4 };
/* Beyond so many leaves the table of those that are near at rest would be larger than the tree: there is none, and no
 * self-collision. */
enum { LT_MASKED_LEAVES_MAX = 4096 };

/* ---- bound to a carrier ---- */

/* A node is numbered by its place: 8 × block + lane. Block 0 has the root in lane 0 and nothing else; every other
 * block has the children of one node. */
enum { LT_LANES = 8 };
static inline uint32_t lt_block_of(uint32_t node) {
    return node / LT_LANES;
}
static inline uint32_t lt_lane_of(uint32_t node) {
    return node % LT_LANES;
}

/* Constants of a node, at rest, in units of the shape. */
enum {
    LT_BALL_X,
    LT_BALL_Y,
    LT_BALL_Z,
    LT_BALL_RADIUS, /* < 0: the lane is empty */
    LT_BALL_ERROR,
    LT_BALL_OWN_ERROR,
    LT_BALL_AREA,
    LT_BALL_HULL, /* largest sum of |weights| of a corner: 1 where all are convex */
    LT_BALL_LINK, /* twice the longest rigid link; 0 for barycentric skins */
    LT_BALL_FIELDS
};
/* One node of the carrier in one row of a block, per lane. Rows that lanes do not need repeat a node with zeros. */
enum {
    LT_TERM_GAMMA, /* largest |w - c| over the pieces' corners; negative: only the centre hangs on this node */
    LT_TERM_CENTER, /* c */
    LT_TERM_X,      /* rest position relative to the block's weighted mean */
    LT_TERM_Y,
    LT_TERM_Z,
    LT_TERM_FIELDS
};

typedef struct lt_sphere_tree {
    const float *balls;        /* [block_count][LT_BALL_FIELDS][8] */
    const uint32_t *children;  /* [block_count][8] block of a node's children; LT_NONE: leaf, or empty lane */
    const uint32_t *parents;   /* [block_count] node whose children they are; LT_NONE for block 0 */
    const uint32_t *levels;    /* [block_count] */
    const uint32_t *row_begin; /* [block_count + 1] */
    const uint32_t *row_nodes; /* [row_count][8] */
    const float *row_terms;    /* [row_count][LT_TERM_FIELDS][8] */
    const uint32_t *tets;      /* [block_count][8] the tet that holds the centre, or is nearest */
    const uint32_t
        *nearest; /* [block_count][4][8] carrier nodes of the surface, nearest to the centre (paper) */
    const uint32_t *point_begin;  /* [node_count + 1] the farthest surface points of a leaf, by leaf */
    const uint32_t *points;       /* [point_count] */
    const uint32_t *leaves;       /* [block_count][8] number of a leaf; LT_NONE: inner or empty */
    const uint32_t *near_at_rest; /* [leaf_count][mask_words] bit j of row i: too near at rest to collide */
    const uint32_t *components;   /* [component_count] one surface point of each connected part */
    const uint32_t *frame;        /* [3] carrier nodes that span the body: they tell how it is turned */
    const uint32_t *parts;      /* [LT_PART_COUNT][LT_PART_NODES] carrier nodes in the middle of its parts */
    const float *level_figures; /* [level_count][LT_LEVEL_FIGURES] */
    uint32_t block_count;
    uint32_t row_count;
    uint32_t widest;      /* most rows of a block */
    uint32_t most_points; /* of a leaf */
    uint32_t leaf_count;
    uint32_t mask_words;
    uint32_t component_count;
    uint32_t level_count;
    uint32_t branching;
    bool layered;
    float self_gap; /* at rest no two leaves that may collide are nearer to each other; units of the shape */
} lt_sphere_tree;

/* What is stored of a level, for people: see lt_sphere_level. */
enum {
    LT_LEVEL_SPHERES,
    LT_LEVEL_MEAN_ERROR,
    LT_LEVEL_WORST_ERROR,
    LT_LEVEL_MEAN_OWN_ERROR,
    LT_LEVEL_WORST_OWN_ERROR,
    LT_LEVEL_MEAN_RADIUS,
    LT_LEVEL_FIGURES
};

static inline float lt_ball(const lt_sphere_tree *tree, int field, uint32_t node) {
    LT_ASSERT(node < LT_LANES * tree->block_count);
    return tree
        ->balls[((size_t)lt_block_of(node) * LT_BALL_FIELDS + (size_t)field) * LT_LANES + lt_lane_of(node)];
}

/* True when the shape has a tree. */
bool lt_sphere_tree_exists(const lt_shape *shape);
/* Finds and checks the chunks; nothing later has to look at an index again. */
lt_status lt_sphere_tree_read(lt_sphere_tree *out, const lt_shape *shape, const lt_carrier *carrier,
                              const lt_skin *skin, lt_error *error);

/* ---- as it is now ---- */

/* Radius of lanes without a sphere: far enough below zero to touch nothing. */
#define LT_EMPTY_RADIUS (-1e18f)

enum {
    LT_NOW_X,
    LT_NOW_Y,
    LT_NOW_Z,
    LT_NOW_RADIUS,
    LT_NOW_ERROR,
    LT_NOW_OWN_ERROR,
    LT_NOW_STRETCH, /* how far anything in it is from where a rigid motion would have it */
    LT_NOW_FIELDS
};

typedef struct lt_spheres {
    const lt_sphere_tree *tree;
    float *now;       /* [block_count][LT_NOW_FIELDS][8] */
    float *turns;     /* [block_count][4][8] unit quaternions from rest to now */
    uint32_t *stamps; /* [block_count] fresh when it is `stamp` */
    float *gathered;  /* [widest][3][8] scratch of a refresh */
    float scale;      /* of the body */
    float overhang;   /* m, leaves push so far out of the surface at rest: half of their largest error */
    uint32_t stamp;
} lt_spheres;

lt_status lt_spheres_create(lt_spheres *out, const lt_sphere_tree *tree, float scale,
                            const lt_allocator *allocator, lt_error *error);
void lt_spheres_free(lt_spheres *spheres, const lt_allocator *allocator);

static inline float lt_sphere_now(const lt_spheres *spheres, int field, uint32_t node) {
    LT_ASSERT(node < LT_LANES * spheres->tree->block_count);
    return spheres
        ->now[((size_t)lt_block_of(node) * LT_NOW_FIELDS + (size_t)field) * LT_LANES + lt_lane_of(node)];
}
static inline lt_vec3 lt_sphere_center(const lt_spheres *spheres, uint32_t node) {
    LT_ASSERT(node < LT_LANES * spheres->tree->block_count);
    return (lt_vec3){lt_sphere_now(spheres, LT_NOW_X, node), lt_sphere_now(spheres, LT_NOW_Y, node),
                     lt_sphere_now(spheres, LT_NOW_Z, node)};
}
static inline bool lt_spheres_fresh(const lt_spheres *spheres, uint32_t block) {
    LT_ASSERT(block < spheres->tree->block_count);
    return spheres->stamps[block] == spheres->stamp;
}

/* A text on what is wrong with spheres that are fresh; NULL: nothing is. */
const char *lt_validate_spheres(const lt_spheres *spheres);
/* The nodes have moved: everything is stale. */
static inline void lt_spheres_outdate(lt_spheres *spheres) {
    spheres->stamp++;
}
/* The root is the ball around `box` (a box that holds the surface), turned as the frame is: no sum over nodes. */
void lt_spheres_refresh_root(lt_spheres *spheres, const lt_carrier *carrier, lt_box box, const float *nodes);
/* The update of the paper as printed, for a block whose parent need not be fresh: proves nothing. */
void lt_spheres_refresh_as_printed(lt_spheres *spheres, const lt_carrier *carrier, const float *nodes,
                                   uint32_t block);
/* Units of refreshing a block: 4 and 4 for every node it hangs on, per sphere in it. */
uint32_t lt_spheres_refresh_cost(const lt_spheres *spheres, uint32_t block);

/* One block of one of two trees against a node of the other: one of many tests that nothing stands between. */
typedef struct lt_row_test {
    uint32_t side; /* whose block it is, 0 or 1 */
    uint32_t block, node;
    float bound;            /* result: bounds are no larger */
    uint32_t bits;          /* result, of lanes */
    float bounds[LT_LANES]; /* result */
} lt_row_test;

typedef struct lt_sphere_kernels {
    /* Fits the spheres of a block, whose parent is fresh, to the nodes [node_count][4]. */
    void (*refresh)(lt_spheres *spheres, const float *nodes, uint32_t block);
    /* Which spheres of a block come within `margin` of the sphere `node` of another tree (or the same): bits of
     * lanes. For those, `keys` [8], when not NULL: what the force of the pair would be like; `bounds` [8]: how near
     * their overlap proves the solids to be. */
    uint32_t (*test)(float *keys, float *bounds, const lt_spheres *spheres, uint32_t block,
                     const lt_spheres *other, uint32_t node, float margin);
    /* The same without keys, many at once. */
    void (*test_rows)(lt_row_test *rows, uint32_t count, const lt_spheres *first, const lt_spheres *second,
                      float margin);
} lt_sphere_kernels;

const lt_sphere_kernels *lt_sphere_kernels_for(lt_simd_level level);

#endif
