/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A shape: what is baked once, never changes, and is shared by bodies, worlds and threads.
 *
 * It is one block of named, typed arrays ("chunks"); a .lithe file is that block, byte for byte. Loading
 * checks everything (sizes, offsets, checksums) and copies nothing. Bake a shape with `lithe bake` or with
 * the functions of liblithe-bake; look into one with `lithe info`.
 *
 * Shapes are counted: every shape handed out by a function here is one reference, to be given back with
 * lt_shape_release. All functions may be called from several threads at once. */

#ifndef LITHE_SHAPE_H
#define LITHE_SHAPE_H

#include "lithe/base.h"

LT_EXTERN_C_BEGIN

typedef struct lt_shape lt_shape;

/* The version of the .lithe format this library writes; it reads only this one. Files of another version
 * or byte order are refused with LT_STATUS_VERSION; bake them again. */
#define LT_SHAPE_VERSION 1

/* Blocks given to lt_shape_from_memory must begin at a multiple of this many bytes. */
#define LT_SHAPE_ALIGNMENT 64

/* Uses `size` bytes at `bytes` (the contents of a .lithe file) in place: they must stay alive and unchanged
 * until the last reference is released. A block that is not aligned to LT_SHAPE_ALIGNMENT is refused with
 * LT_STATUS_INVALID, never copied. `allocator` (NULL: the C library's) serves the small handle, and
 * what worlds make of the shape and share (factors of corotational bodies).
 * *out is NULL unless LT_OK is returned. */
LT_API lt_status lt_shape_from_memory(const void *bytes, size_t size, const lt_allocator *allocator,
                                      lt_shape **out, lt_error *error);

/* Reads a file into memory of `allocator`, which must outlive the shape. */
LT_API lt_status lt_shape_load(const char *path, const lt_allocator *allocator, lt_shape **out,
                               lt_error *error);

/* Writes the whole file or nothing; an existing file is replaced. */
LT_API lt_status lt_shape_save(const lt_shape *shape, const char *path, lt_error *error);

/* One more reference, one less; the last one frees the shape. NULL is allowed. */
LT_API lt_shape *lt_shape_retain(lt_shape *shape);
LT_API void lt_shape_release(lt_shape *shape);

/* Bytes of the whole block, as in the file. */
LT_API size_t lt_shape_size(const lt_shape *shape);
/* The same number for the same chunks in the same order, on every machine. */
LT_API uint64_t lt_shape_hash(const lt_shape *shape);

/* Types of chunk elements, their size in bytes and their name. */
#define LT_SHAPE_TYPE_LIST(X)                                                                                \
    X(U8, 1, "u8")                                                                                           \
    X(U16, 2, "u16")                                                                                         \
    X(U32, 4, "u32")                                                                                         \
    X(U64, 8, "u64")                                                                                         \
    X(I32, 4, "i32")                                                                                         \
    X(F32, 4, "f32")                                                                                         \
    X(F64, 8, "f64")                                                                                         \
    X(BYTES, 1, "bytes")

typedef enum lt_shape_type {
#define LT_SHAPE_TYPE_ENUM(name, size, text) LT_SHAPE_TYPE_##name,
    LT_SHAPE_TYPE_LIST(LT_SHAPE_TYPE_ENUM)
#undef LT_SHAPE_TYPE_ENUM
        LT_SHAPE_TYPE_COUNT
} lt_shape_type;

/* "f32" and so on; never NULL. */
LT_API const char *lt_shape_type_name(lt_shape_type type);

/* One array of a shape; the pointers live as long as the shape. */
typedef struct lt_shape_chunk {
    const char *name; /* at most 31 characters */
    lt_shape_type type;
    uint32_t dim_count; /* 1 to 4 */
    uint64_t dims[4];   /* slowest first: f32 [node_count][3]; unused ones are 0 */
    const void *data;   /* aligned to 64 bytes; not NULL, even when empty */
    uint64_t size;      /* bytes */
} lt_shape_chunk;

LT_API uint32_t lt_shape_chunk_count(const lt_shape *shape);
/* `index` below the count; otherwise a caller's bug, and a chunk of zeros with an empty name. */
LT_API lt_shape_chunk lt_shape_chunk_at(const lt_shape *shape, uint32_t index);

LT_EXTERN_C_END

#endif
