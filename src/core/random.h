/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Small deterministic random numbers (O'Neill's PCG-XSH-RR 64/32): the same sequence everywhere, for
 * generated shapes, scenes, tests and stochastic baking. Never seeded from a clock. */

#ifndef LITHE_CORE_RANDOM_H
#define LITHE_CORE_RANDOM_H

#include "core/base.h"

typedef struct lt_random {
    uint64_t state;
} lt_random;

static inline uint32_t lt_random_u32(lt_random *random) {
    uint64_t old = random->state;
    random->state = old * 6364136223846793005u + 1442695040888963407u;
    uint32_t folded = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t turn = (uint32_t)(old >> 59);
    return (folded >> turn) | (folded << ((32 - turn) & 31));
}
static inline lt_random lt_random_seed(uint64_t seed) {
    lt_random random = {seed + 1442695040888963407u};
    lt_random_u32(&random);
    return random;
}
/* Uniform in [0, 1), a multiple of 2^-24: exact in float. */
static inline float lt_random_unit(lt_random *random) {
    return (float)(lt_random_u32(random) >> 8) * (1.0f / 16777216.0f);
}
static inline float lt_random_range(lt_random *random, float lo, float hi) {
    return lo + (hi - lo) * lt_random_unit(random);
}
/* Uniform in [0, count); the bias is below count / 2^32. */
static inline uint32_t lt_random_below(lt_random *random, uint32_t count) {
    return (uint32_t)(((uint64_t)lt_random_u32(random) * count) >> 32);
}

#endif
