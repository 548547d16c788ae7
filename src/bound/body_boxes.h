/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Boxes of one body over the tree of its shape: where each part of it is, and how fast.
 *
 *   solid   box of the governors: holds the tets and all of the surface under the node
 *   speed   box of the governors' velocities: what the part can do in a step, whatever the body does as a whole
 *   skin    the samples of a skin leaf and their box: less than the surface, for answers
 *   tets    of a solid leaf: boxes, and the affine maps that say where in them a place is
 *
 * Nothing is made before somebody looks at it, and nothing twice in a step: stamps say of which step it is. A solid box is made from
 * the governors, or from the boxes of both children, whichever is less work now. Samples and tets lie in blocks of eight, coordinate
 * by coordinate, as the kernels take them.
 *
 * Scratch, though it lives with the body: no value outlasts lt_body_boxes_begin. Costs are units of about a nanosecond. */

#ifndef LITHE_BOUND_BODY_BOXES_H
#define LITHE_BOUND_BODY_BOXES_H

#include "bound/shape_tree.h"
#include "core/simd.h"

typedef struct lt_moving_box {
    lt_box at;    /* m */
    lt_box speed; /* m/s */
} lt_moving_box;

/* Samples; lanes behind the last one repeat it. */
typedef struct lt_skin_block {
    float at[3][LT_BLOCK];
    lt_box box;
} lt_skin_block;

/* Tets; lanes behind the last one have an empty box. A flat tet has one, too. */
typedef struct lt_solid_block {
    float lo[3][LT_BLOCK], hi[3][LT_BLOCK];
    float origin[3][LT_BLOCK];  /* corner 0 */
    float rows[3][3][LT_BLOCK]; /* weight k + 1 of a place p is rows[k] · (p − origin) */
} lt_solid_block;

typedef struct lt_body_kernels {
    /* Of nodes [count] of both arrays [4]. */
    void (*box_of_nodes)(lt_moving_box *out, const float *nodes, const float *velocities, const uint32_t *ids,
                         uint32_t count);
    /* Of at most LT_BLOCK tets with corners [tet][4]. */
    void (*place_tets)(lt_solid_block *out, const float *nodes, const uint32_t *corners, const uint32_t *tets,
                       uint32_t count);
    /* Mean of nodes [count][4], one at least. */
    lt_vec3 (*mean_node)(const float *nodes, uint32_t count);
    /* The largest distance of each coordinate, less the mean's, from that in `from` [count][4]. */
    lt_vec3 (*farthest)(const float *nodes, const float *from, lt_vec3 mean, uint32_t count);
    /* Nodes [count][4] whose dot product with `normal` is below `limit`, in their order; returns how many. */
    uint32_t (*nodes_below)(uint32_t *out, const float *nodes, lt_vec3 normal, float limit, uint32_t count);
} lt_body_kernels;
const lt_body_kernels *lt_body_kernels_for(lt_simd_level level);

typedef struct lt_body_boxes {
    const lt_shape_tree *tree; /* NULL: of no body */
    const lt_soft *soft;       /* set in every step: they move in memory */
    const lt_skin *skin;
    const lt_body_kernels *kernels;
    uint32_t stamp;               /* of this step; 0: none */
    uint32_t *solid_stamps;       /* [node_count] */
    uint32_t *skin_stamps;        /* [node_count] of leaves */
    uint32_t *tet_stamps;         /* [node_count] of leaves */
    lt_moving_box *solids;        /* [node_count] */
    lt_box *skins;                /* [node_count] of leaves */
    lt_skin_block *skin_blocks;   /* [skin_block_count] */
    lt_solid_block *solid_blocks; /* [solid_block_count] */
    lt_allocator allocator;
    void *memory;
    size_t memory_size;
} lt_body_boxes;

lt_status lt_body_boxes_create(lt_body_boxes *out, const lt_shape_tree *tree, const lt_allocator *allocator,
                               lt_error *error);
/* Safe on zeroed ones. */
void lt_body_boxes_free(lt_body_boxes *boxes);
/* Whatever was known is void. */
void lt_body_boxes_begin(lt_body_boxes *boxes, const lt_soft *soft, const lt_skin *skin, lt_simd_level level);

enum {
    LT_BOX_UNITS = 8,          /* of a box, beside its governors */
    LT_BOX_GOVERNOR_UNITS = 1, /* of one of them */
    LT_SAMPLE_UNITS = 4,       /* of placing a sample */
    LT_SOLID_BLOCK_UNITS = 60  /* of placing eight tets */
};

/* Units of a solid box at most. */
static inline uint32_t lt_body_solid_worst(const lt_body_boxes *boxes, uint32_t node) {
    const lt_shape_node *n = lt_shape_node_at(boxes->tree, node);
    return LT_BOX_UNITS + LT_BOX_GOVERNOR_UNITS * (n->governor_end - n->governor_begin);
}
/* Of the samples of a skin leaf and their box. */
static inline uint32_t lt_body_skin_worst(const lt_body_boxes *boxes, uint32_t node) {
    return LT_BOX_UNITS + LT_SAMPLE_UNITS * lt_shape_node_points(lt_shape_node_at(boxes->tree, node));
}
/* Of the tets of a solid leaf. */
static inline uint32_t lt_body_tets_worst(const lt_body_boxes *boxes, uint32_t node) {
    return LT_SOLID_BLOCK_UNITS * lt_block_count(lt_shape_node_tets(lt_shape_node_at(boxes->tree, node)));
}
/* The box, made where it is not fresh; adds to *units what that took. */
const lt_moving_box *lt_body_solid(lt_body_boxes *boxes, uint32_t node, uint32_t *units);
/* The box of the samples of a skin leaf; their blocks are placed as well. */
const lt_box *lt_body_skin(lt_body_boxes *boxes, uint32_t node, uint32_t *units);
/* The blocks of tets of a solid leaf. */
const lt_solid_block *lt_body_tets(lt_body_boxes *boxes, uint32_t node, uint32_t *units);
/* Where a sample of a fresh skin leaf is. */
static inline lt_vec3 lt_body_sample(const lt_body_boxes *boxes, uint32_t lane) {
    const lt_skin_block *block = &boxes->skin_blocks[lane / LT_BLOCK];
    return (lt_vec3){block->at[0][lane % LT_BLOCK], block->at[1][lane % LT_BLOCK],
                     block->at[2][lane % LT_BLOCK]};
}

#endif
