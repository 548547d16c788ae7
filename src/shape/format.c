/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "shape/format.h"

#include "core/hash.h"

uint64_t lt_shape_type_size(uint32_t type) {
    static const uint8_t sizes[] = {
#define TYPE_SIZE(name, size, text) size,
        LT_SHAPE_TYPE_LIST(TYPE_SIZE)
#undef TYPE_SIZE
    };
    return type < LT_SHAPE_TYPE_COUNT ? sizes[type] : 0;
}

const char *lt_shape_type_name(lt_shape_type type) {
    static const char *const names[] = {
#define TYPE_NAME(name, size, text) text,
        LT_SHAPE_TYPE_LIST(TYPE_NAME)
#undef TYPE_NAME
    };
    return (uint32_t)type < LT_SHAPE_TYPE_COUNT ? names[type] : "unknown";
}

bool lt_shape_chunk_bytes(uint32_t type, uint32_t dim_count, const uint64_t *dims, uint64_t *bytes) {
    uint64_t product = lt_shape_type_size(type);
    if (product == 0 || dim_count < 1 || dim_count > LT_SHAPE_DIM_MAX) return false;
    bool is_empty = false;
    for (uint32_t i = 0; i < dim_count; i++) {
        /* Zeros are put aside, so that [2^60][2^60][0] is refused like its first two dims would be. */
        uint64_t dim = dims[i] ? dims[i] : 1;
        is_empty |= dims[i] == 0;
        if (dim > (uint64_t)INT64_MAX / product) return false;
        product *= dim;
    }
    *bytes = is_empty ? 0 : product;
    return true;
}

uint64_t lt_shape_checksum(const void *bytes, uint64_t size) {
    return lt_hash_bytes(LT_HASH_SEED, bytes, (size_t)size);
}

uint64_t lt_shape_seal_of(const void *block) {
    lt_shape_header header = *(const lt_shape_header *)block;
    header.seal = 0;
    uint64_t seal = lt_hash_bytes(LT_HASH_SEED, &header, sizeof header);
    const uint8_t *records = (const uint8_t *)block + sizeof header;
    return lt_hash_bytes(seal, records, (size_t)header.chunk_count * sizeof(lt_shape_record));
}
