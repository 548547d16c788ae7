/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Folds: what they are, and how most of them are undone. Private to simplify*.c. */

#ifndef LITHE_BAKE_SIMPLIFY_INTERNAL_H
#define LITHE_BAKE_SIMPLIFY_INTERNAL_H

#include "bake/triangle_tree.h"

typedef struct lt_fold_test {
    const lt_triangle_tree *tree; /* of the original surface */
    double radius;                /* how far from a triangle to look for a part that faces the same way */
} lt_fold_test;

/* Whether a triangle faces away from all of the original that is near its middle; one without area does. */
bool lt_is_folded(const lt_fold_test *test, const lt_dvec3 corners[3]);

/* Flips and collapses edges of folded triangles, as long as nothing else folds or pinches by it, a few times
 * over. `surface` loses triangles (triangle_count goes down, its allocation stays), not vertices. */
lt_status lt_unfold(const lt_fold_test *test, lt_surface *surface, const lt_allocator *allocator,
                    lt_error *error);

#endif
