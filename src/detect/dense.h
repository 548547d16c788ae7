/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A dense surface on few tets, as the method multiscale sees it: the tree of a shape with all that is derived from it once,
 * and of a body its boxes and marks in a step.
 *
 *   lt_dense_shape   shared by all bodies of the shape
 *   lt_dense         one body */

#ifndef LITHE_DETECT_DENSE_H
#define LITHE_DETECT_DENSE_H

#include "detect/detect.h"
#include "detect/query.h"

typedef struct lt_dense_shape {
    lt_multiscale_tree tree;
    lt_feature_owners owners;
    lt_self_tets tets;    /* where the surface may meet itself; else zero */
    uint32_t *point_tets; /* [tree.point_count] the tet on whose corners a point hangs */
    lt_allocator allocator;
} lt_dense_shape;

/* The shape must have a tree. On failure *out is zeroed. */
lt_status lt_dense_shape_create(lt_dense_shape *out, const lt_shape *shape, const lt_carrier *carrier,
                                const lt_skin *skin, bool self_collision, const lt_allocator *allocator,
                                lt_error *error);
void lt_dense_shape_free(lt_dense_shape *shape);

typedef struct lt_dense_def {
    bool self_collision;
    bool as_printed; /* marks of the paper: one bit, neighbours never marked */
    lt_simd_level level;
} lt_dense_def;

typedef struct lt_dense {
    const lt_dense_shape *shape;
    lt_multiscale boxes;
    lt_self self; /* self.tets NULL: it does not meet itself */
} lt_dense;

/* Shape and carrier must outlive it. On failure *out is zeroed. */
lt_status lt_dense_create(lt_dense *out, const lt_dense_shape *shape, const lt_carrier *carrier,
                          const lt_dense_def *def, const lt_allocator *allocator, lt_error *error);
void lt_dense_free(lt_dense *dense);

/* ---- places on the surface ---- */

/* Holds a point of the tree by its tet. */
lt_hold lt_dense_hold_point(const lt_dense *dense, uint32_t point);
/* Holds Σ weights × points, of a triangle: by its tet; where it spans several, by that of the point that weighs most, as the
 * nodes are now; false: that is flat. */
bool lt_dense_hold(lt_hold *out, const lt_collider *collider, uint32_t triangle, const uint32_t *points,
                   const float *weights, uint32_t count);

#endif
