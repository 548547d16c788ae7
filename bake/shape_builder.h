/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Writes shapes, chunk by chunk. Reading them is src/shape's. */

#ifndef LITHE_BAKE_SHAPE_BUILDER_H
#define LITHE_BAKE_SHAPE_BUILDER_H

#include "shape/shape.h"

/* Collects chunks (copied at once) and writes them as a block. The first failure is kept and returned by
 * finish, so that adding needs no checks:
 *
 *     lt_shape_builder builder = lt_shape_builder_begin(allocator);
 *     lt_shape_builder_add(&builder, "nodes", LT_SHAPE_TYPE_F64, LT_SHAPE_DIMS(node_count, 3), nodes);
 *     status = lt_shape_builder_finish(&builder, "bear", &shape, error);       (frees the builder, too) */
typedef struct lt_shape_builder {
    lt_array records; /* lt_shape_record; offsets count from the first chunk until finish */
    lt_array data;    /* bytes, every chunk padded to the alignment */
    lt_error error;   /* the first; status LT_OK while there is none */
} lt_shape_builder;

lt_shape_builder lt_shape_builder_begin(const lt_allocator *allocator);
/* `data` may be NULL when the chunk is empty. Refuses names that are empty, too long or taken. */
void lt_shape_builder_add(lt_shape_builder *builder, const char *name, lt_shape_type type, lt_shape_dims dims,
                          const void *data);
/* All chunks of a shape but those whose names begin with `but` (NULL: all). */
void lt_shape_builder_add_chunks(lt_shape_builder *builder, const lt_shape *shape, const char *but);
/* The bytes of the file; release with lt_release(allocator, *bytes, *size, 1). */
lt_status lt_shape_builder_finish_bytes(lt_shape_builder *builder, uint8_t **bytes, size_t *size,
                                        lt_error *error);
lt_status lt_shape_builder_finish(lt_shape_builder *builder, const char *name, lt_shape **out,
                                  lt_error *error);
/* For leaving early; safe after finish. */
void lt_shape_builder_free(lt_shape_builder *builder);

#endif
