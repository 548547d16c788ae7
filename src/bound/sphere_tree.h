/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A sphere tree at rest: what baking makes and a shape stores. No carrier is known here.
 *
 *   sphere   covers the pieces of all leaves below it; wrapped: not necessarily its children's spheres
 *   piece    a triangle of the surface or a part of one, owned by exactly one leaf; all pieces together are the
 *            surface, and a piece lies inside its leaf and inside every ancestor of it: so every level covers everything
 *
 * Spheres lie breadth first, children of one sphere in a row. A sphere without children is a leaf on whatever level. */

#ifndef LITHE_BOUND_SPHERE_TREE_H
#define LITHE_BOUND_SPHERE_TREE_H

#include "core/memory.h"
#include "core/vec.h"

enum { LT_SPHERE_BRANCHING_MAX = 8, LT_SPHERE_LEVELS_MAX = 6 };

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

#endif
