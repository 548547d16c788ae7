/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/shape_builder.h"
#include "shape/shape.h"

#include <string.h>

lt_shape_builder lt_shape_builder_begin(const lt_allocator *allocator) {
    return (lt_shape_builder){.records = LT_ARRAY_OF(allocator, lt_shape_record),
                              .data = LT_ARRAY_OF(allocator, uint8_t)};
}

void lt_shape_builder_free(lt_shape_builder *builder) {
    lt_array_free(&builder->records);
    lt_array_free(&builder->data);
}

static bool name_is_taken(const lt_shape_builder *builder, const char *name) {
    const lt_shape_record *records = builder->records.items;
    for (size_t i = 0; i < builder->records.count; i++)
        if (strcmp(records[i].name, name) == 0) return true;
    return false;
}

static lt_status fill_record(const lt_shape_builder *builder, const char *name, lt_shape_type type,
                             lt_shape_dims dims, lt_shape_record *record, lt_error *error) {
    size_t length = strlen(name);
    if (length == 0 || length >= LT_SHAPE_NAME_SIZE)
        return lt_fail(error, LT_STATUS_INVALID, "shape chunk '%.40s': names have 1 to %d characters", name,
                       LT_SHAPE_NAME_SIZE - 1);
    if (builder->records.count == LT_SHAPE_CHUNK_MAX)
        return lt_fail(error, LT_STATUS_INVALID, "shape chunk '%s': a shape has at most %d chunks", name,
                       LT_SHAPE_CHUNK_MAX);
    if (name_is_taken(builder, name))
        return lt_fail(error, LT_STATUS_INVALID, "shape chunk '%s' was added before", name);
    *record = (lt_shape_record){.type = (uint32_t)type, .dim_count = dims.count};
    memcpy(record->name, name, length);
    if (!lt_shape_chunk_bytes(record->type, dims.count, dims.size, &record->size))
        return lt_fail(error, LT_STATUS_INVALID, "shape chunk '%s': unknown type, or dims beyond any memory",
                       name);
    memcpy(record->dims, dims.size, dims.count * sizeof dims.size[0]);
    record->offset = builder->data.count;
    return LT_OK;
}

static lt_status append_chunk(lt_shape_builder *builder, lt_shape_record *record, const void *data) {
    if (record->size > SIZE_MAX - LT_SHAPE_ALIGNMENT) return LT_STATUS_MEMORY;
    size_t size = (size_t)record->size;
    uint8_t *to = lt_array_grow(&builder->data, lt_align_up(size, LT_SHAPE_ALIGNMENT));
    if (!to) return LT_STATUS_MEMORY;
    if (size) memcpy(to, data, size);
    record->checksum = lt_shape_checksum(to, size);
    return lt_array_push(&builder->records, record) ? LT_OK : LT_STATUS_MEMORY;
}

void lt_shape_builder_add(lt_shape_builder *builder, const char *name, lt_shape_type type, lt_shape_dims dims,
                          const void *data) {
    lt_shape_record record;
    if (builder->error.status != LT_OK) return;
    if (fill_record(builder, name, type, dims, &record, &builder->error) != LT_OK) return;
    if (append_chunk(builder, &record, data) != LT_OK)
        lt_fail(&builder->error, LT_STATUS_MEMORY, "shape chunk '%s': no memory for %llu bytes", name,
                (unsigned long long)record.size);
}

void lt_shape_builder_add_chunks(lt_shape_builder *builder, const lt_shape *shape, const char *but) {
    for (uint32_t i = 0; i < lt_shape_chunk_count(shape); i++) {
        lt_shape_chunk chunk = lt_shape_chunk_at(shape, i);
        if (but && strncmp(chunk.name, but, strlen(but)) == 0) continue;
        lt_shape_dims dims = {.count = chunk.dim_count};
        memcpy(dims.size, chunk.dims, sizeof dims.size);
        lt_shape_builder_add(builder, chunk.name, chunk.type, dims, chunk.data);
    }
}

static void write_block(const lt_shape_builder *builder, size_t data_begin, uint8_t *bytes, size_t size) {
    lt_shape_header header = {.byte_order = LT_SHAPE_BYTE_ORDER_MARK,
                              .version = LT_SHAPE_VERSION,
                              .total_size = size,
                              .chunk_count = builder->records.count};
    memcpy(header.magic, LT_SHAPE_MAGIC, sizeof header.magic);
    memcpy(bytes, &header, sizeof header);
    lt_shape_record *records = (lt_shape_record *)(bytes + sizeof header);
    for (size_t i = 0; i < builder->records.count; i++) {
        records[i] = ((const lt_shape_record *)builder->records.items)[i];
        records[i].offset += data_begin;
    }
    if (builder->data.count) memcpy(bytes + data_begin, builder->data.items, builder->data.count);
    ((lt_shape_header *)bytes)->seal = lt_shape_seal_of(bytes);
}

lt_status lt_shape_builder_finish_bytes(lt_shape_builder *builder, uint8_t **bytes, size_t *size,
                                        lt_error *error) {
    *bytes = NULL;
    *size = 0;
    lt_status status = builder->error.status;
    if (status != LT_OK) {
        if (error) *error = builder->error;
        lt_shape_builder_free(builder);
        return status;
    }
    size_t data_begin = lt_align_up(
        sizeof(lt_shape_header) + builder->records.count * sizeof(lt_shape_record), LT_SHAPE_ALIGNMENT);
    size_t total = data_begin + builder->data.count;
    *bytes = LT_NEW(&builder->data.allocator, total, uint8_t);
    if (*bytes) {
        write_block(builder, data_begin, *bytes, total);
        *size = total;
    } else {
        status = lt_fail(error, LT_STATUS_MEMORY, "no memory for a shape of %zu bytes", total);
    }
    lt_shape_builder_free(builder);
    return status;
}

lt_status lt_shape_builder_finish(lt_shape_builder *builder, const char *name, lt_shape **out,
                                  lt_error *error) {
    uint8_t *bytes;
    size_t size;
    *out = NULL;
    lt_allocator allocator = builder->data.allocator;
    lt_status status = lt_shape_builder_finish_bytes(builder, &bytes, &size, error);
    return status == LT_OK ? lt_shape_adopt(name, bytes, size, &allocator, out, error) : status;
}
