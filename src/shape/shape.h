/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The immutable block and its file, for the rest of the library. This folder knows nothing of what
 * chunks mean: bake writes them, whoever needs one asks for it by name, type and dims.
 *
 *   format.h   the bytes
 *   shape.c    checking, reading, lookup, references
 * Writing is the baker's (bake/shape_builder.h). */

#ifndef LITHE_SHAPE_SHAPE_H
#define LITHE_SHAPE_SHAPE_H

#include "core/memory.h"
#include "shape/format.h"

/* Takes over `bytes`, which came from lt_allocate(allocator, size, 1), on success and failure alike. `name`
 * is for messages. */
lt_status lt_shape_adopt(const char *name, uint8_t *bytes, size_t size, const lt_allocator *allocator,
                         lt_shape **out, lt_error *error);

/* What users make of a shape and share: derived, so that who makes it and when is not to be seen in what they do. One thing, made by
 * the first that asks and freed with the shape. It looks after its own locks. */
typedef struct lt_shape_cache {
    void (*destroy)(struct lt_shape_cache *cache);
} lt_shape_cache;
/* `create` is given the shape's allocator; NULL: no memory. All ask for the same kind. Shapes do not change: caches of const ones do. */
lt_shape_cache *lt_shape_cache_of(const lt_shape *shape,
                                  lt_shape_cache *(*create)(const lt_allocator *allocator));

/* The last part of the path it was loaded from, or "in memory". */
const char *lt_shape_name(const lt_shape *shape);
bool lt_shape_has(const lt_shape *shape, const char *chunk_name);

/* Dims wanted of a chunk, and after the call the dims it has:
 *
 *     lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, 4);
 *     const uint32_t *tets = lt_shape_u32(shape, "tets", &dims, error);
 *     if (!tets) return error->status;
 *     uint64_t tet_count = dims.size[0]; */
typedef struct lt_shape_dims {
    uint32_t count;
    uint64_t size[LT_SHAPE_DIM_MAX]; /* LT_SHAPE_ANY: whatever it is */
} lt_shape_dims;

#define LT_SHAPE_ANY UINT64_MAX
#define LT_SHAPE_DIMS(...)                                                                                   \
    ((lt_shape_dims){sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), {__VA_ARGS__}})

/* The data of a chunk; NULL, and an error that says what was expected and what is there, when it is absent or
 * of another type or dims: "shape 'bear.lithe': chunk 'tets' is f32[12], expected u32[n][4]". */
const void *lt_shape_data(const lt_shape *shape, const char *chunk_name, lt_shape_type type,
                          lt_shape_dims *dims, lt_error *error);

#define LT_SHAPE_LOOKUP(function, ctype, TYPE)                                                               \
    static inline const ctype *function(const lt_shape *shape, const char *chunk_name, lt_shape_dims *dims,  \
                                        lt_error *error) {                                                   \
        return (const ctype *)lt_shape_data(shape, chunk_name, LT_SHAPE_TYPE_##TYPE, dims, error);           \
    }
LT_SHAPE_LOOKUP(lt_shape_u8, uint8_t, U8)
LT_SHAPE_LOOKUP(lt_shape_u16, uint16_t, U16)
LT_SHAPE_LOOKUP(lt_shape_u32, uint32_t, U32)
LT_SHAPE_LOOKUP(lt_shape_u64, uint64_t, U64)
LT_SHAPE_LOOKUP(lt_shape_i32, int32_t, I32)
LT_SHAPE_LOOKUP(lt_shape_f32, float, F32)
LT_SHAPE_LOOKUP(lt_shape_f64, double, F64)
LT_SHAPE_LOOKUP(lt_shape_bytes, void, BYTES)
#undef LT_SHAPE_LOOKUP

#endif
