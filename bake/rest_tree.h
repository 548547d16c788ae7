/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A sphere tree at rest, before it is bound to a carrier: spheres and the pieces of the surface that they own. */

#ifndef LITHE_BAKE_REST_TREE_H
#define LITHE_BAKE_REST_TREE_H

#include "bake/shape_builder.h"
#include "bound/sphere_tree.h"

typedef struct lt_rest_sphere {
    lt_dvec3 center;
    double radius;
    double error;     /* m, ε: no point of the ball outside the solid is farther from the surface */
    double own_error; /* m, the same to its own pieces only */
    double area;      /* m², of its pieces */
    uint32_t parent;  /* LT_NONE: the root */
    uint32_t first_child;
    uint32_t child_count;
    uint32_t level; /* the root's is 0 */
} lt_rest_sphere;

typedef struct lt_sphere_piece {
    uint32_t triangle;
    uint32_t leaf;        /* index of a sphere without children */
    double corners[3][3]; /* weights on the triangle's vertices; dyadic fractions, exact */
} lt_sphere_piece;

typedef struct lt_rest_tree {
    lt_rest_sphere *spheres; /* [sphere_count] */
    uint32_t sphere_count;
    lt_sphere_piece *pieces; /* [piece_count], by leaf */
    uint32_t piece_count;
    uint32_t level_begin[LT_SPHERE_LEVELS_MAX + 1]; /* [level_count + 1] first sphere of a level */
    uint32_t level_count;
    uint32_t branching;
    bool layered; /* every sphere holds its children's spheres */
    lt_allocator allocator;
} lt_rest_tree;

static inline void lt_rest_tree_free(lt_rest_tree *tree) {
    LT_DELETE(&tree->allocator, tree->spheres, tree->sphere_count, lt_rest_sphere);
    LT_DELETE(&tree->allocator, tree->pieces, tree->piece_count, lt_sphere_piece);
    *tree = (lt_rest_tree){0};
}

/* Binds a tree at rest to the carrier and skin of a shape, and adds its chunks to one under construction. */
lt_status lt_sphere_tree_write(lt_shape_builder *builder, const lt_rest_tree *rest, const lt_carrier *carrier,
                               const lt_skin *skin, const lt_allocator *allocator, lt_error *error);

#endif
