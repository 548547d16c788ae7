/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A shape on tets with a multiscale tree, read back. Include after check.h. */

#ifndef LITHE_TESTS_BAKE_TREE_FIXTURE_H
#define LITHE_TESTS_BAKE_TREE_FIXTURE_H

#include "bake/block_shapes.h"
#include "bound/multiscale.h"

typedef struct tree_fixture {
    lt_shape *shape;
    lt_carrier carrier;
    lt_skin skin;
    lt_multiscale_tree tree;
} tree_fixture;

static inline void tree_fixture_free(tree_fixture *f) {
    lt_shape_release(f->shape);
    memset(f, 0, sizeof *f);
}

/* Takes over the shape; false, with a failed check, when it cannot get a tree. */
static inline bool tree_fixture_of(tree_fixture *f, lt_shape *shape, uint32_t max_governors) {
    lt_error error = {LT_OK, ""};
    lt_bake_tree_def def = lt_bake_tree_def_default();
    memset(f, 0, sizeof *f);
    if (max_governors) def.max_governors = max_governors;
    lt_status status = shape ? lt_bake_tree(shape, &def, &f->shape, &error) : LT_STATUS_INVALID;
    lt_shape_release(shape);
    if (status == LT_OK) status = lt_carrier_read(&f->carrier, f->shape, &error);
    if (status == LT_OK) status = lt_skin_read(&f->skin, f->shape, &f->carrier, &error);
    if (status == LT_OK) status = lt_multiscale_tree_read(&f->tree, f->shape, &f->carrier, &f->skin, &error);
    if (status == LT_OK) return true;
    CHECK_FAIL_MESSAGE("tree fixture: %s", error.message);
    tree_fixture_free(f);
    return false;
}

static inline bool ball_in_block(tree_fixture *f, uint32_t subdivisions, uint32_t n, uint32_t max_governors) {
    lt_surface ball;
    memset(f, 0, sizeof *f);
    if (!make_ball(&ball, subdivisions, 0.4)) return false;
    bool made = tree_fixture_of(f, shape_in_block(&ball, n), max_governors);
    lt_surface_free(&ball);
    return made;
}

#endif
