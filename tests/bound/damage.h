/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Words of chunks that can be changed behind the back of a shape. */

#ifndef LITHE_TESTS_BOUND_DAMAGE_H
#define LITHE_TESTS_BOUND_DAMAGE_H

#include "core/random.h"
#include "shape/shape.h"

#include <string.h>

/* Of a chunk of four-byte elements; NULL: there is none of that name. The shape must be the test's own, in
 * writable memory. */
static inline uint32_t *chunk_words(const lt_shape *shape, const char *name, uint64_t *count) {
    *count = 0;
    for (uint32_t i = 0; i < lt_shape_chunk_count(shape); i++) {
        lt_shape_chunk chunk = lt_shape_chunk_at(shape, i);
        if (strcmp(chunk.name, name) != 0) continue;
        *count = chunk.size / sizeof(uint32_t);
        return (uint32_t *)chunk.data;
    }
    return NULL;
}

static inline uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Something else in a word's place: anything, one bit turned, or a small number. */
static inline uint32_t damaged_word(uint32_t word, lt_random *random) {
    uint32_t kind = lt_random_below(random, 3);
    return kind == 0   ? lt_random_u32(random)
           : kind == 1 ? word ^ 1u << lt_random_below(random, 32)
                       : lt_random_below(random, 64);
}

#endif
