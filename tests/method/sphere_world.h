/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Worlds of the method sphere-tree: small shapes with quick trees. */

#ifndef LITHE_TESTS_METHOD_SPHERE_WORLD_H
#define LITHE_TESTS_METHOD_SPHERE_WORLD_H

#include "bound/quick_spheres.h"
#include "world/fixture.h"

/* All chunks of a shape, for another that has more. */
static inline void copy_chunks(lt_shape_builder *builder, const lt_shape *shape) {
    for (uint32_t i = 0; i < lt_shape_chunk_count(shape); i++) {
        lt_shape_chunk chunk = lt_shape_chunk_at(shape, i);
        lt_shape_dims dims = {.count = chunk.dim_count};
        memcpy(dims.size, chunk.dims, sizeof dims.size);
        lt_shape_builder_add(builder, chunk.name, chunk.type, dims, chunk.data);
    }
}

/* The shape with a tree; the one given is released. */
static inline lt_shape *with_tree(lt_shape *shape, tree_options wanted) {
    lt_shape *out = NULL;
    lt_error error = {0};
    lt_allocator standard = lt_allocator_default();
    lt_carrier carrier;
    lt_skin skin;
    lt_rest_tree rest = {0};
    lt_shape_builder builder = lt_shape_builder_begin(&standard);
    copy_chunks(&builder, shape);
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
