/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Worlds of the method sphere-tree: small shapes with quick trees. */

#ifndef LITHE_TESTS_METHOD_SPHERE_WORLD_H
#define LITHE_TESTS_METHOD_SPHERE_WORLD_H

#include "bake/rest_tree.h"
#include "bound/quick_spheres.h"
#include "world/fixture.h"

/* The shape with a tree; the one given is released. */
static inline lt_shape *with_tree(lt_shape *shape, tree_options wanted) {
    lt_shape *out = NULL;
    lt_error error = {0};
    lt_allocator standard = lt_allocator_default();
    lt_carrier carrier;
    lt_skin skin;
    lt_rest_tree rest = {0};
    lt_shape_builder builder = lt_shape_builder_begin(&standard);
    lt_shape_builder_add_chunks(&builder, shape, NULL);
    lt_status status = lt_carrier_read(&carrier, shape, &error);
    if (status == LT_OK) status = lt_skin_read(&skin, shape, &carrier, &error);
    if (status == LT_OK) status = make_quick_tree(&rest, &skin, wanted, &error);
    if (status == LT_OK) status = lt_sphere_tree_write(&builder, &rest, &carrier, &skin, &standard, &error);
    if (status == LT_OK) status = lt_shape_builder_finish(&builder, "with a tree", &out, &error);
    if (status != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    lt_shape_builder_free(&builder);
    lt_rest_tree_free(&rest);
    lt_shape_release(shape);
    return out;
}

static inline lt_shape *cube_with_tree(double side, uint32_t cells, uint32_t depth) {
    return with_tree(cube_shape(side, cells), (tree_options){.depth = depth});
}

static inline lt_shape *ball_with_tree(double radius, uint32_t layers, uint32_t depth) {
    return with_tree(ball_shape(radius, layers), (tree_options){.depth = depth});
}

static inline lt_world_def sphere_world_def(void) {
    lt_world_def def = test_world_def();
    def.method = LT_METHOD_SPHERE_TREE;
    return def;
}

#endif
