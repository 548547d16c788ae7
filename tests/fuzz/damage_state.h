/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bytes of a saved state that get damaged in one to three places. */

#ifndef LITHE_TESTS_FUZZ_DAMAGE_STATE_H
#define LITHE_TESTS_FUZZ_DAMAGE_STATE_H

#include "core/random.h"

#include <math.h>
#include <string.h>

/* A third of them at the end, where contacts and pairs are; some in the header. */
static inline uint32_t damage_offset(lt_random *random, uint32_t size) {
    uint32_t part = lt_random_below(random, 6);
    if (part < 2) return size - 1 - lt_random_below(random, size / 4 + 1);
    return part == 2 ? lt_random_below(random, lt_min_u32(256, size)) : lt_random_below(random, size);
}

static inline void damage_state(lt_random *random, uint8_t *bytes, size_t *size) {
    static const float values[] = {0, -1, 1e30f, -1e30f, 1e-38f, INFINITY, NAN};
    static const uint32_t words[] = {0, 1, 2, 255, 65536, 0x7fffffff, UINT32_MAX};
    for (uint32_t left = 1 + lt_random_below(random, 3); left > 0 && *size > 0; left--) {
        uint32_t at = damage_offset(random, (uint32_t)*size), word = at & ~3u;
        bool room = word + 4 <= *size;
        switch (lt_random_below(random, 5)) {
        case 0: bytes[at] ^= (uint8_t)(1u << lt_random_below(random, 8)); break;
        case 1: bytes[at] = (uint8_t)lt_random_below(random, 256); break;
        case 2:
            if (room) memcpy(bytes + word, &values[lt_random_below(random, LT_COUNT_OF(values))], 4);
            break;
        case 3:
            if (room) memcpy(bytes + word, &words[lt_random_below(random, LT_COUNT_OF(words))], 4);
            break;
        default: *size = lt_random_below(random, 8) ? *size : lt_random_below(random, (uint32_t)*size); break;
        }
    }
}

#endif
