/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The hash and the random numbers, which files and golden values of every other test stand on. The random
 * sequence is compared with PCG's definition in plain steps. A changed golden number here means that no .lithe
 * file written before can be read.
 *
 * labels: golden wasm */

#include "check.h"
#include "core/hash.h"
#include "core/random.h"

static void check_known(const char *name, uint64_t hash, uint64_t expected) {
    check_golden(name, hash);
    CHECK(hash == expected);
}

static void known_inputs_have_known_hashes(void) {
    uint8_t rising[256];
    for (int i = 0; i < 256; i++)
        rising[i] = (uint8_t)i;
    check_known("hash-empty", lt_hash_bytes(LT_HASH_SEED, rising, 0), 0x24329efd8e70ce52u);
    check_known("hash-abc", lt_hash_bytes(LT_HASH_SEED, "abc", 3), 0x2c6fc12088d105edu);
    check_known("hash-eight", lt_hash_bytes(LT_HASH_SEED, rising, 8), 0xf154c5842e5db645u);
    check_known("hash-rising", lt_hash_bytes(LT_HASH_SEED, rising, 256), 0xc4ca78ceb32dd76au);
    check_known("hash-u64", lt_hash_u64(LT_HASH_SEED, 1), 0xc6545a5c1f923162u);
}

/* Bytes are little-endian words and a rest, then the size, by definition. */
static void bytes_are_words_a_rest_and_the_size(void) {
    const uint8_t bytes[11] = {1, 2, 3, 4, 5, 6, 7, 0x88, 9, 10, 0xff};
    uint64_t hash = lt_hash_u64(LT_HASH_SEED, 0x8807060504030201u);
    hash = lt_hash_u64(lt_hash_u64(hash, 0xff0a09), 11);
    CHECK(lt_hash_bytes(LT_HASH_SEED, bytes, sizeof bytes) == hash);
}

static void nothing_at_all_can_be_hashed(void) {
    CHECK(lt_hash_bytes(LT_HASH_SEED, NULL, 0) == lt_hash_bytes(LT_HASH_SEED, "x", 0));
}

/* How many of the 64 bits differ; about half for a good hash. */
static int changed_bits(uint64_t a, uint64_t b) {
    int count = 0;
    for (uint64_t difference = a ^ b; difference; difference &= difference - 1)
        count++;
    return count;
}

static void every_bit_counts(void) {
    lt_random random = lt_random_seed(1);
    uint64_t total = 0, pairs = 0;
    for (size_t size = 1; size <= 40; size++) {
        uint8_t bytes[40];
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)lt_random_u32(&random);
        uint64_t hash = lt_hash_bytes(LT_HASH_SEED, bytes, size);
        for (size_t bit = 0; bit < 8 * size; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            int changed = changed_bits(hash, lt_hash_bytes(LT_HASH_SEED, bytes, size));
            CHECK(changed >= 8 && changed <= 56);
            total += (uint64_t)changed;
            pairs++;
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
    CHECK_NEAR((double)total / (double)pairs, 32, 0.5);
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* All inputs of up to two bytes, and zeros of every length: all different. */
static void short_inputs_and_lengths_do_not_collide(void) {
    enum { COUNT = 1 + 256 + 65536 + 300 };
    static uint64_t hashes[COUNT];
    static const uint8_t zeros[400];
    size_t count = 0;
    hashes[count++] = lt_hash_bytes(LT_HASH_SEED, zeros, 0);
    for (uint32_t i = 0; i < 256 + 65536; i++) {
        uint8_t bytes[2] = {(uint8_t)i, (uint8_t)(i >> 8)};
        hashes[count++] =
            i < 256 ? lt_hash_bytes(LT_HASH_SEED, bytes, 1)
                    : lt_hash_bytes(LT_HASH_SEED, (uint8_t[2]){(uint8_t)((i - 256) >> 8), bytes[0]}, 2);
    }
    for (size_t size = 3; size < 303; size++)
        hashes[count++] = lt_hash_bytes(LT_HASH_SEED, zeros, size);
    CHECK_COUNT(count, COUNT);
    qsort(hashes, COUNT, sizeof hashes[0], by_value);
    for (size_t i = 1; i < COUNT; i++)
        CHECK(hashes[i - 1] != hashes[i]);
}

static void what_came_before_counts(void) {
    const char text[] = "sixteen letters!";
    uint64_t whole = lt_hash_bytes(LT_HASH_SEED, text, 16);
    CHECK(lt_hash_bytes(lt_hash_bytes(LT_HASH_SEED, text, 8), text + 8, 8) != whole);
    CHECK(lt_hash_bytes(LT_HASH_SEED + 1, text, 16) != whole);
    uint64_t ab = lt_hash_u64(lt_hash_u64(LT_HASH_SEED, 1), 2);
    CHECK(ab != lt_hash_u64(lt_hash_u64(LT_HASH_SEED, 2), 1));
}

static void alignment_does_not_count(void) {
    uint8_t buffer[48];
    const char text[] = "some bytes that may lie anywhere";
    uint64_t hash = lt_hash_bytes(LT_HASH_SEED, text, sizeof text);
    for (size_t offset = 0; offset < 8; offset++) {
        memcpy(buffer + offset, text, sizeof text);
        CHECK(lt_hash_bytes(LT_HASH_SEED, buffer + offset, sizeof text) == hash);
    }
}

/* ---- random numbers ---- */

static uint32_t rotate_right(uint32_t value, uint32_t by) {
    for (uint32_t i = 0; i < by; i++)
        value = value >> 1 | (value & 1) << 31;
    return value;
}

static void random_numbers_are_pcg(void) {
    uint64_t state = 42 + 1442695040888963407u;
    state = state * 6364136223846793005u + 1442695040888963407u;
    lt_random random = lt_random_seed(42);
    for (int i = 0; i < 1000; i++) {
        uint32_t folded = (uint32_t)((state ^ state >> 18) >> 27);
        CHECK_COUNT(lt_random_u32(&random), rotate_right(folded, (uint32_t)(state >> 59)));
        state = state * 6364136223846793005u + 1442695040888963407u;
    }
}

static void ranges_are_kept_and_filled(void) {
    lt_random random = lt_random_seed(3);
    uint32_t seen[7] = {0};
    double sum = 0;
    for (int i = 0; i < 70000; i++) {
        float unit = lt_random_unit(&random);
        CHECK(unit >= 0 && unit < 1 && unit * 16777216.0f == floorf(unit * 16777216.0f));
        sum += (double)unit;
        float between = lt_random_range(&random, -3, 5);
        CHECK(between >= -3 && between <= 5);
        uint32_t below = lt_random_below(&random, 7);
        CHECK(below < 7);
        seen[below % 7]++;
    }
    CHECK_NEAR(sum / 70000, 0.5, 0.005);
    for (int i = 0; i < 7; i++)
        CHECK_NEAR(seen[i], 10000, 400); /* four standard deviations */
    CHECK_COUNT(lt_random_below(&random, 1), 0);
}

static void seeds_give_different_sequences(void) {
    for (uint64_t seed = 0; seed < 100; seed++) {
        lt_random a = lt_random_seed(seed), b = lt_random_seed(seed + 1), again = lt_random_seed(seed);
        int same = 0;
        for (int i = 0; i < 20; i++) {
            uint32_t value = lt_random_u32(&a);
            same += value == lt_random_u32(&b);
            CHECK(value == lt_random_u32(&again));
        }
        CHECK_COUNT(same, 0);
    }
}

int main(void) {
    RUN(known_inputs_have_known_hashes);
    RUN(bytes_are_words_a_rest_and_the_size);
    RUN(nothing_at_all_can_be_hashed);
    RUN(every_bit_counts);
    RUN(short_inputs_and_lengths_do_not_collide);
    RUN(what_came_before_counts);
    RUN(alignment_does_not_count);
    RUN(random_numbers_are_pcg);
    RUN(ranges_are_kept_and_filled);
    RUN(seeds_give_different_sequences);
    return check_finish();
}
