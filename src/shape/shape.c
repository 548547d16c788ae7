/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "shape/shape.h"

#include "core/os.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct lt_shape {
    atomic_uint reference_count;
    _Atomic(lt_shape_cache *) cache;
    const uint8_t *bytes;           /* [size], checked */
    const lt_shape_record *records; /* [chunk_count], inside bytes */
    uint32_t chunk_count;
    size_t size;
    uint8_t *owned; /* bytes again, when they are ours to release */
    lt_allocator allocator;
    char name[64];
};

/* ---- checking: nothing is read before what says that it is there has been checked ---- */

/* What is being checked, for messages. */
typedef struct block {
    const char *name;
    const uint8_t *bytes;
    size_t size;
} block;

static lt_status check_kind(const block *b, const lt_shape_header *header, lt_error *error) {
    if (memcmp(header->magic, LT_SHAPE_MAGIC, sizeof header->magic) != 0)
        return lt_fail(error, LT_STATUS_FORMAT, "shape '%s': not a .lithe file (its first bytes differ)",
                       b->name);
    if (header->byte_order != LT_SHAPE_BYTE_ORDER_MARK)
        return lt_fail(error, LT_STATUS_VERSION,
                       "shape '%s': written in another byte order (mark %08x, expected %08x); bake it again",
                       b->name, header->byte_order, LT_SHAPE_BYTE_ORDER_MARK);
    if (header->version != LT_SHAPE_VERSION)
        return lt_fail(error, LT_STATUS_VERSION,
                       "shape '%s': format version %u, but this library reads version %d; bake it again",
                       b->name, header->version, LT_SHAPE_VERSION);
    return LT_OK;
}

static lt_status check_header(const block *b, lt_error *error) {
    if ((uintptr_t)b->bytes % LT_SHAPE_ALIGNMENT != 0)
        return lt_fail(error, LT_STATUS_INVALID, "shape '%s': the block in memory is not aligned to %d bytes",
                       b->name, LT_SHAPE_ALIGNMENT);
    if (b->size < sizeof(lt_shape_header))
        return lt_fail(error, LT_STATUS_FORMAT, "shape '%s': %zu bytes are too few for a header", b->name,
                       b->size);
    const lt_shape_header *header = (const lt_shape_header *)b->bytes;
    lt_status status = check_kind(b, header, error);
    if (status != LT_OK) return status;
    if (header->total_size != b->size)
        return lt_fail(error, LT_STATUS_FORMAT, "shape '%s': %zu bytes, but the header says %llu: cut short?",
                       b->name, b->size, (unsigned long long)header->total_size);
    if (header->chunk_count > (b->size - sizeof *header) / sizeof(lt_shape_record) ||
        header->chunk_count > LT_SHAPE_CHUNK_MAX)
        return lt_fail(error, LT_STATUS_FORMAT, "shape '%s': %llu chunks are too many (in %zu bytes)",
                       b->name, (unsigned long long)header->chunk_count, b->size);
    if (header->seal != lt_shape_seal_of(b->bytes))
        return lt_fail(error, LT_STATUS_FORMAT, "shape '%s': the header or a chunk record is damaged",
                       b->name);
    return LT_OK;
}

/* A name is 1 to 31 characters that can be shown, then zeros. */
static bool name_is_good(const char *name) {
    size_t length = 0;
    while (length < LT_SHAPE_NAME_SIZE && name[length])
        length++;
    if (length == 0 || length == LT_SHAPE_NAME_SIZE) return false;
    for (size_t i = 0; i < LT_SHAPE_NAME_SIZE; i++)
        if (i < length ? (uint8_t)name[i] < 32 || name[i] == 127 : name[i] != 0) return false;
    return true;
}

static bool bytes_are_zero(const uint8_t *begin, const uint8_t *end) {
    for (const uint8_t *p = begin; p < end; p++)
        if (*p) return false;
    return true;
}

static lt_status check_record(const block *b, const lt_shape_record *records, uint32_t index,
                              lt_error *error) {
    const lt_shape_record *record = records + index;
    if (!name_is_good(record->name))
        return lt_fail(error, LT_STATUS_FORMAT, "shape '%s': chunk %u: the name is malformed", b->name,
                       index);
    for (uint32_t i = 0; i < index; i++)
        if (memcmp(records[i].name, record->name, LT_SHAPE_NAME_SIZE) == 0)
            return lt_fail(error, LT_STATUS_FORMAT, "shape '%s': chunks %u and %u are both named '%s'",
                           b->name, i, index, record->name);
    uint64_t size;
    if (!lt_shape_chunk_bytes(record->type, record->dim_count, record->dims, &size))
        return lt_fail(error, LT_STATUS_FORMAT,
                       "shape '%s': chunk '%s': type %u or its %u dims are not possible", b->name,
                       record->name, record->type, record->dim_count);
    for (uint32_t i = record->dim_count; i < LT_SHAPE_DIM_MAX; i++)
        if (record->dims[i] != 0)
            return lt_fail(error, LT_STATUS_FORMAT, "shape '%s': chunk '%s': unused dim %u is not 0", b->name,
                           record->name, i);
    if (size != record->size)
        return lt_fail(error, LT_STATUS_FORMAT, "shape '%s': chunk '%s': %llu bytes, but its dims make %llu",
                       b->name, record->name, (unsigned long long)record->size, (unsigned long long)size);
    return LT_OK;
}

/* `*end` is where the data before this chunk ends; moved behind it. */
static lt_status check_place(const block *b, const lt_shape_record *record, uint64_t *end, lt_error *error) {
    uint64_t begin = lt_align_up(*end, LT_SHAPE_ALIGNMENT);
    if (record->offset != begin)
        return lt_fail(error, LT_STATUS_FORMAT, "shape '%s': chunk '%s': at byte %llu, expected at %llu",
                       b->name, record->name, (unsigned long long)record->offset, (unsigned long long)begin);
    if (begin > b->size || record->size > b->size - begin)
        return lt_fail(error, LT_STATUS_FORMAT, "shape '%s': chunk '%s' reaches beyond the end of the block",
                       b->name, record->name);
    if (!bytes_are_zero(b->bytes + *end, b->bytes + begin))
        return lt_fail(error, LT_STATUS_FORMAT, "shape '%s': bytes before chunk '%s' are not zero", b->name,
                       record->name);
    if (lt_shape_checksum(b->bytes + begin, record->size) != record->checksum)
        return lt_fail(error, LT_STATUS_FORMAT, "shape '%s': chunk '%s' is damaged (its checksum differs)",
                       b->name, record->name);
    *end = begin + record->size;
    return LT_OK;
}

static lt_status check_block(const block *b, lt_error *error) {
    lt_status status = check_header(b, error);
    if (status != LT_OK) return status;
    const lt_shape_header *header = (const lt_shape_header *)b->bytes;
    const lt_shape_record *records = (const lt_shape_record *)(b->bytes + sizeof *header);
    uint64_t end = sizeof *header + header->chunk_count * sizeof *records;
    for (uint32_t i = 0; i < header->chunk_count; i++) {
        status = check_record(b, records, i, error);
        if (status == LT_OK) status = check_place(b, records + i, &end, error);
        if (status != LT_OK) return status;
    }
    if (lt_align_up(end, LT_SHAPE_ALIGNMENT) != b->size ||
        !bytes_are_zero(b->bytes + end, b->bytes + b->size))
        return lt_fail(error, LT_STATUS_FORMAT, "shape '%s': bytes behind the last chunk", b->name);
    return LT_OK;
}

/* ---- life ---- */

static lt_shape *create_handle(const block *b, const lt_allocator *allocator) {
    lt_shape *shape = LT_NEW(allocator, 1, lt_shape);
    if (!shape) return NULL;
    atomic_init(&shape->reference_count, 1);
    atomic_init(&shape->cache, NULL);
    shape->bytes = b->bytes;
    shape->size = b->size;
    shape->records = (const lt_shape_record *)(b->bytes + sizeof(lt_shape_header));
    shape->chunk_count = (uint32_t)((const lt_shape_header *)b->bytes)->chunk_count;
    shape->allocator = allocator ? *allocator : lt_allocator_default();
    snprintf(shape->name, sizeof shape->name, "%s", b->name);
    return shape;
}

static lt_status open_block(const block *b, const lt_allocator *allocator, lt_shape **out, lt_error *error) {
    *out = NULL;
    lt_status status = check_block(b, error);
    if (status != LT_OK) return status;
    *out = create_handle(b, allocator);
    if (!*out) return lt_fail(error, LT_STATUS_MEMORY, "shape '%s': no memory for its handle", b->name);
    return LT_OK;
}

lt_status lt_shape_from_memory(const void *bytes, size_t size, const lt_allocator *allocator, lt_shape **out,
                               lt_error *error) {
    if (!LT_REQUIRE(out != NULL)) return LT_STATUS_INVALID;
    *out = NULL;
    if (!LT_REQUIRE(bytes != NULL))
        return lt_fail(error, LT_STATUS_INVALID, "lt_shape_from_memory: bytes is NULL");
    return open_block(&(block){"in memory", bytes, size}, allocator, out, error);
}

lt_status lt_shape_adopt(const char *name, uint8_t *bytes, size_t size, const lt_allocator *allocator,
                         lt_shape **out, lt_error *error) {
    lt_status status = open_block(&(block){name, bytes, size}, allocator, out, error);
    if (status == LT_OK)
        (*out)->owned = bytes;
    else
        lt_release(allocator, bytes, size, 1);
    return status;
}

lt_status lt_shape_load(const char *path, const lt_allocator *allocator, lt_shape **out, lt_error *error) {
    if (!LT_REQUIRE(out != NULL)) return LT_STATUS_INVALID;
    *out = NULL;
    if (!LT_REQUIRE(path != NULL)) return lt_fail(error, LT_STATUS_INVALID, "lt_shape_load: path is NULL");
    uint8_t *bytes;
    size_t size;
    lt_status status = lt_os_read_file(path, allocator, &bytes, &size, error);
    if (status != LT_OK) return status;
    const char *slash = strrchr(path, '/');
    return lt_shape_adopt(slash ? slash + 1 : path, bytes, size, allocator, out, error);
}

lt_status lt_shape_save(const lt_shape *shape, const char *path, lt_error *error) {
    if (!LT_REQUIRE(shape != NULL && path != NULL))
        return lt_fail(error, LT_STATUS_INVALID, "lt_shape_save: shape or path is NULL");
    return lt_os_write_file(path, shape->bytes, shape->size, error);
}

lt_shape *lt_shape_retain(lt_shape *shape) {
    if (shape) atomic_fetch_add_explicit(&shape->reference_count, 1, memory_order_relaxed);
    return shape;
}

void lt_shape_release(lt_shape *shape) {
    /* Acquire and release: whoever frees must have seen all that the others did with it. */
    if (!shape || atomic_fetch_sub_explicit(&shape->reference_count, 1, memory_order_acq_rel) != 1) return;
    lt_allocator allocator = shape->allocator;
    lt_shape_cache *cache = atomic_load_explicit(&shape->cache, memory_order_acquire);
    if (cache) cache->destroy(cache);
    lt_release(&allocator, shape->owned, shape->size, 1);
    LT_DELETE(&allocator, shape, 1, lt_shape);
}

/* Of two that make one at once the later one lets its own go. */
lt_shape_cache *lt_shape_cache_of(const lt_shape *shape,
                                  lt_shape_cache *(*create)(const lt_allocator *allocator)) {
    lt_shape *owner = (lt_shape *)(uintptr_t)shape;
    lt_shape_cache *cache = atomic_load_explicit(&owner->cache, memory_order_acquire);
    if (cache) return cache;
    lt_shape_cache *made = create(&owner->allocator);
    if (!made || atomic_compare_exchange_strong_explicit(&owner->cache, &cache, made, memory_order_acq_rel,
                                                         memory_order_acquire))
        return made;
    made->destroy(made);
    return cache;
}

/* ---- contents ---- */

size_t lt_shape_size(const lt_shape *shape) {
    return LT_REQUIRE(shape != NULL) ? shape->size : 0;
}

uint64_t lt_shape_hash(const lt_shape *shape) {
    return LT_REQUIRE(shape != NULL) ? ((const lt_shape_header *)shape->bytes)->seal : 0;
}

uint32_t lt_shape_chunk_count(const lt_shape *shape) {
    return LT_REQUIRE(shape != NULL) ? shape->chunk_count : 0;
}

lt_shape_chunk lt_shape_chunk_at(const lt_shape *shape, uint32_t index) {
    if (!LT_REQUIRE(shape != NULL && index < shape->chunk_count)) return (lt_shape_chunk){.name = ""};
    const lt_shape_record *record = shape->records + index;
    lt_shape_chunk chunk = {.name = record->name,
                            .type = (lt_shape_type)record->type,
                            .dim_count = record->dim_count,
                            .data = shape->bytes + record->offset,
                            .size = record->size};
    memcpy(chunk.dims, record->dims, sizeof chunk.dims);
    return chunk;
}

const char *lt_shape_name(const lt_shape *shape) {
    return shape->name;
}

static const lt_shape_record *find_record(const lt_shape *shape, const char *chunk_name) {
    for (uint32_t i = 0; i < shape->chunk_count; i++)
        if (strcmp(shape->records[i].name, chunk_name) == 0) return shape->records + i;
    return NULL;
}

bool lt_shape_has(const lt_shape *shape, const char *chunk_name) {
    return find_record(shape, chunk_name) != NULL;
}

/* "u32[n][4]" */
typedef struct layout_text {
    char text[100];
} layout_text;

static layout_text describe_layout(uint32_t type, uint32_t dim_count, const uint64_t *dims) {
    layout_text t;
    int used = snprintf(t.text, sizeof t.text, "%s", lt_shape_type_name((lt_shape_type)type));
    for (uint32_t i = 0; i < dim_count; i++) {
        size_t room = sizeof t.text - (size_t)used;
        used += dims[i] == LT_SHAPE_ANY
                    ? snprintf(t.text + used, room, "[n]")
                    : snprintf(t.text + used, room, "[%llu]", (unsigned long long)dims[i]);
    }
    return t;
}

static bool layout_matches(const lt_shape_record *record, lt_shape_type type, const lt_shape_dims *dims) {
    if (record->type != (uint32_t)type || record->dim_count != dims->count) return false;
    for (uint32_t i = 0; i < dims->count; i++)
        if (dims->size[i] != LT_SHAPE_ANY && dims->size[i] != record->dims[i]) return false;
    return true;
}

const void *lt_shape_data(const lt_shape *shape, const char *chunk_name, lt_shape_type type,
                          lt_shape_dims *dims, lt_error *error) {
    LT_ASSERT(dims->count >= 1 && dims->count <= LT_SHAPE_DIM_MAX);
    const lt_shape_record *record = find_record(shape, chunk_name);
    if (record && layout_matches(record, type, dims)) {
        memcpy(dims->size, record->dims, sizeof dims->size);
        return shape->bytes + record->offset;
    }
    layout_text expected = describe_layout((uint32_t)type, dims->count, dims->size);
    if (!record) {
        lt_fail(error, LT_STATUS_INVALID, "shape '%s': no chunk '%s', expected %s", shape->name, chunk_name,
                expected.text);
        return NULL;
    }
    layout_text found = describe_layout(record->type, record->dim_count, record->dims);
    lt_fail(error, LT_STATUS_INVALID, "shape '%s': chunk '%s' is %s, expected %s", shape->name, chunk_name,
            found.text, expected.text);
    return NULL;
}
