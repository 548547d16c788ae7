/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The same bits everywhere: sums, products, quotients and roots of seeded numbers give one hash, whatever the
 * compiler, the optimisation and the machine. Fused multiply-adds, reordered sums or wider intermediates (what
 * the flags in CMakeLists.txt forbid) change it. The constants were printed by gcc and agreed with by clang
 * and wasm; they change only if lt_random or lt_hash_bytes do.
 *
 * labels: golden wasm */

#include "check.h"
#include "core/hash.h"
#include "core/random.h"
#include "core/vec.h"

enum { SAMPLE_COUNT = 10000 };

static uint64_t hash_of_floats(void) {
    lt_random random = lt_random_seed(1);
    uint64_t hash = LT_HASH_SEED;
    lt_vec3 sum = {0};
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        lt_vec3 a = {lt_random_range(&random, -3, 3), lt_random_range(&random, -3, 3),
                     lt_random_unit(&random)};
        lt_vec3 b = {lt_random_unit(&random), lt_random_range(&random, -9, 9), lt_random_unit(&random)};
        lt_vec3 turned = lt_v3_normalize_or(lt_v3_cross(a, b), a);
        sum = lt_v3_mad(sum, turned, lt_v3_dot(a, b) / (1.0f + lt_v3_distance(a, b)));
        hash = lt_hash_bytes(hash, &sum, sizeof sum);
    }
    return hash;
}

/* Thirds, so that products of two numbers need rounding. */
static lt_dvec3 random_thirds(lt_random *random) {
    double x = lt_random_range(random, -3, 3), y = lt_random_range(random, -9, 9), z = lt_random_unit(random);
    return lt_d3_make(x / 3, y / 3, z / 3);
}

static uint64_t hash_of_doubles(void) {
    lt_random random = lt_random_seed(2);
    uint64_t hash = LT_HASH_SEED;
    lt_dvec3 sum = {0};
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        lt_dvec3 a = random_thirds(&random), b = random_thirds(&random);
        lt_dvec3 turned = lt_d3_normalize_or(lt_d3_cross(a, b), a);
        sum = lt_d3_mad(sum, turned, lt_d3_dot(a, b) / (1.0 + lt_d3_distance(a, b)));
        hash = lt_hash_bytes(hash, &sum, sizeof sum);
    }
    return hash;
}

/* In double builds, too, whose hashes are not compared with tests/golden.txt. */
static void check_known(const char *name, uint64_t hash, uint64_t known) {
    check_golden(name, hash);
    CHECK(hash == known);
}

static void arithmetic_has_the_same_bits_everywhere(void) {
    check_known("floats", hash_of_floats(), 0xfe508213a59f2808u);
    check_known("doubles", hash_of_doubles(), 0x6e676af1c75eaaf3u);
}

int main(void) {
    RUN(arithmetic_has_the_same_bits_everywhere);
    return check_finish();
}
