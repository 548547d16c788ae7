/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Seam of bound/: volumes that enclose a body, refitted from its nodes.
 *
 * Every bound is refreshed on demand and charged to the budget; a bound may be larger than needed, never smaller.
 * All of them are widened by 8 eps of the largest term that is summed: float rounding cannot let anything out.
 *
 *   tet boxes   one box per tet of the carrier and one around the whole body: the bound of the reference method.
 *               Boxes lie in groups of eight for lt_boxes_at_point
 *   spheres     a tree of spheres over the surface, each block refreshed from the few nodes it hangs on: the bound of
 *               the sphere-tree method
 *   cell boxes  a box around the surface in each cell of a lattice, tight as the cell deforms: the bound of the cell-box
 *               method (bound/cell_boxes.h)
 *   multiscale  a binary tree of boxes over the surface cut at the tets, fitted from the tets that govern them: the
 *               bound of the multiscale method */

#ifndef LITHE_BOUND_BOUND_H
#define LITHE_BOUND_BOUND_H

#include "body/body.h"
#include "bound/multiscale.h"
#include "bound/sphere_tree.h"
#include "embed/embed.h"

/* How far a bound is widened at this coordinate. */
static inline float lt_bound_slack(float coordinate) {
    return 8 * 1.2e-7f * (coordinate < 0 ? -coordinate : coordinate);
}

typedef struct lt_tet_boxes {
    float *boxes; /* [group_count][6][8]: lo x, y, z, hi x, y, z */
    uint32_t group_count;
} lt_tet_boxes;

/* Fits the boxes of groups [begin, end) to the nodes [node_count][4], each grown by `margin`. Lanes beyond the last
 * tet are empty. */
void lt_tet_boxes_fit(lt_tet_boxes *boxes, const lt_carrier *carrier, const float *nodes, float margin,
                      uint32_t begin, uint32_t end);
/* A box that holds the surface whatever the nodes do: the box of the nodes, grown by how far the skin hangs outside its
 * tets, widened. */
lt_box lt_body_box(const lt_skin *skin, lt_box box_of_nodes);

/* What the nodes of a body do as a whole. */
typedef struct lt_node_measure {
    lt_box box;       /* of the positions */
    lt_vec3 velocity; /* mean */
    float fastest;    /* largest |v| */
    float spread;     /* largest |v − mean v|: 0 while a body flies without turning */
} lt_node_measure;

typedef struct lt_bound_kernels {
    /* Indices of the boxes that hold the point or are within `margin` of it along every axis, ascending, at most
     * `capacity`; returns how many there are. */
    uint32_t (*boxes_at_point)(uint32_t *out, uint32_t capacity, const lt_tet_boxes *boxes, lt_vec3 point,
                               float margin);
    /* Positions and velocities are [node_count][4], one node at least. */
    void (*measure_nodes)(lt_node_measure *out, const float *nodes, const float *velocities,
                          uint32_t node_count);
} lt_bound_kernels;

const lt_bound_kernels *lt_bound_kernels_for(lt_simd_level level);

#endif
