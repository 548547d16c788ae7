/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The small block that the tests of this folder read and damage: one chunk of every type, an empty one
 * among them, sizes that leave padding. */

#ifndef LITHE_TESTS_SMALL_SHAPE_H
#define LITHE_TESTS_SMALL_SHAPE_H

#include "bake/shape_builder.h"
#include "shape/shape.h"

enum { SMALL_SHAPE_CHUNKS = 9 };

static inline lt_status build_small_shape(const lt_allocator *allocator, uint8_t **bytes, size_t *size,
                                          lt_error *error) {
    static const uint8_t u8[5] = {1, 2, 3, 4, 255};
    static const uint16_t u16[2][3] = {{1, 2, 3}, {4, 5, 65535}};
    static const uint32_t tets[3][4] = {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}};
    static const uint64_t u64[1] = {0x0123456789abcdefu};
    static const int32_t i32[2][1][2][1] = {{{{-1}, {2}}}, {{{-3}, {4}}}};
    static const float f32[4][3] = {{0, 0.5f, 1}, {-1, 2, 3}, {4, 5, 6}, {7, 8, -9}};
    static const double f64[2] = {0.1, -1e300};
    lt_shape_builder builder = lt_shape_builder_begin(allocator);
    lt_shape_builder_add(&builder, "flags", LT_SHAPE_TYPE_U8, LT_SHAPE_DIMS(5), u8);
    lt_shape_builder_add(&builder, "small", LT_SHAPE_TYPE_U16, LT_SHAPE_DIMS(2, 3), u16);
    lt_shape_builder_add(&builder, "tets", LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(3, 4), tets);
    lt_shape_builder_add(&builder, "key", LT_SHAPE_TYPE_U64, LT_SHAPE_DIMS(1), u64);
    lt_shape_builder_add(&builder, "signed", LT_SHAPE_TYPE_I32, LT_SHAPE_DIMS(2, 1, 2, 1), i32);
    lt_shape_builder_add(&builder, "nodes", LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(4, 3), f32);
    lt_shape_builder_add(&builder, "mass", LT_SHAPE_TYPE_F64, LT_SHAPE_DIMS(2), f64);
    lt_shape_builder_add(&builder, "nothing", LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(0, 3), NULL);
    lt_shape_builder_add(&builder, "a name of thirty-one characters", LT_SHAPE_TYPE_BYTES, LT_SHAPE_DIMS(7),
                         "bytes.");
    return lt_shape_builder_finish_bytes(&builder, bytes, size, error);
}

#endif
