/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A 64-bit hash of bytes: checksums of .lithe files, hashes of world states, content keys. Eight bytes
 * at a time, little-endian by definition, so that every machine gets the same number. Not for secrets. */

#ifndef LITHE_CORE_HASH_H
#define LITHE_CORE_HASH_H

#include "core/base.h"

#define LT_HASH_SEED 0x9ae16a3b2f90404fu

/* Continues `hash` (begin with LT_HASH_SEED) over `size` bytes; splitting a block changes the result. */
uint64_t lt_hash_bytes(uint64_t hash, const void *bytes, size_t size);

static inline uint64_t lt_hash_u64(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0xff51afd7ed558ccdu;
    hash = (hash ^ (hash >> 32)) * 0xc4ceb9fe1a85ec53u;
    return hash ^ (hash >> 29);
}

#endif
