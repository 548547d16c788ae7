/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/hash.h"

static uint64_t load_little_endian(const uint8_t *bytes, size_t count) {
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

uint64_t lt_hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const uint8_t *p = bytes;
    size_t left = size;
    for (; left >= 8; left -= 8, p += 8)
        hash = lt_hash_u64(hash, load_little_endian(p, 8));
    hash = lt_hash_u64(hash, load_little_endian(p, left));
    return lt_hash_u64(hash, (uint64_t)size);
}
