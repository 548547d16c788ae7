/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Packed words: what comes back, how many bytes they take, and what is too short; at every level of SIMD. */

#include "check.h"
#include "core/hash.h"
#include "core/pack.h"
#include "core/random.h"

#include <string.h>

enum { QUADS = 21, WORDS = 4 * QUADS, ROOM = 2 * 4 * WORDS };

static const lt_pack_kernels *kernels;
static uint64_t scalar_hash; /* of the bytes */

/* By hand: of two quads the second one differs from the first by 0, 0x12, 0x70000 and 0x81000000. Lanes of the first: 0, 1, 2 and
 * 3, which take no byte and two bytes each; together with the second 0, 2, 3 and 4: codes 0, 1, 2, 3. */
static void bytes_are_as_written_down(void) {
    const uint32_t words[8] = {0, 1, 2, 3, 0, 1 ^ 0x12, 2 ^ 0x70000, 3 ^ 0x81000000};
    const uint8_t expected[] = {0 | 1 << 2 | 2 << 4 | 3 << 6,
                                1,
                                0,
                                2,
                                0,
                                0,
                                3,
                                0,
                                0,
                                0, /* the first */
                                0x12,
                                0,
                                0,
                                0,
                                7,
                                0,
                                0,
                                0,
                                0x81};
    uint8_t bytes[ROOM];
    const lt_packed_quads quads = {0, 2, 1};
    CHECK_COUNT(kernels->size(words, &quads), sizeof expected);
    CHECK_COUNT(kernels->pack(words, &quads, bytes, sizeof bytes), sizeof expected);
    CHECK(memcmp(bytes, expected, sizeof expected) == 0);
}

/* Words of all lengths, in runs. */
static void fill(lt_random *random, uint32_t words[WORDS]) {
    uint32_t kind = 0;
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t word = lt_random_u32(random);
        if (lt_random_below(random, 3) == 0) kind = lt_random_below(random, 6);
        words[i] = kind == 0 ? 0 : kind == 1 && i > 3 ? words[i - 4] : word >> (8 * (kind % 4));
    }
}

static lt_packed_quads some_quads(lt_random *random) {
    uint32_t begin = lt_random_below(random, 8);
    return (lt_packed_quads){begin, begin + lt_random_below(random, QUADS - begin + 1),
                             lt_random_below(random, 12)};
}

static void every_word_comes_back(void) {
    uint64_t hash = LT_HASH_SEED;
    for (uint64_t round = 0; round < 2000; round++) {
        lt_random random = lt_random_seed(round);
        uint32_t words[WORDS], again[WORDS];
        uint8_t bytes[ROOM];
        fill(&random, words);
        lt_packed_quads quads = some_quads(&random);
        size_t count = quads.end - quads.begin, size = kernels->size(words, &quads);
        CHECK(size <= (count + 3) / 4 * LT_PACKED_GROUP_MAX);
        CHECK_COUNT(kernels->pack(words, &quads, bytes, sizeof bytes), size);
        hash = lt_hash_bytes(hash, bytes, size);
        memcpy(again, words, sizeof words);
        memset(again + 4 * quads.begin, 0xee, count * LT_QUAD_BYTES);
        CHECK_COUNT(kernels->unpack(again, &quads, bytes, size), size);
        CHECK(memcmp(words, again, sizeof words) == 0);
    }
    if (kernels == lt_pack_kernels_for(LT_LEVEL_SCALAR)) scalar_hash = hash;
    CHECK(hash == scalar_hash);
}

/* Buffers of exactly so many bytes: nothing is written or read beyond them, whatever their size. */
static void too_little_room_is_reported(void) {
    lt_random random = lt_random_seed(7);
    uint32_t words[WORDS], again[WORDS] = {0};
    fill(&random, words);
    for (size_t back = 0; back < 3; back++) {
        const lt_packed_quads quads = {0, QUADS, back};
        size_t size = kernels->size(words, &quads);
        uint8_t whole[ROOM];
        kernels->pack(words, &quads, whole, sizeof whole);
        for (size_t room = 0; room <= size + 100; room++) {
            uint8_t *bytes = malloc(room ? room : 1);
            CHECK_COUNT(kernels->pack(words, &quads, bytes, room), size);
            memcpy(bytes, whole, lt_min_u64(room, size));
            CHECK(kernels->unpack(again, &quads, bytes, room) == (room < size ? SIZE_MAX : size));
            free(bytes);
        }
    }
}

int main(void) {
    for (lt_simd_level level = 0; level <= lt_simd_best(); level++) {
        kernels = lt_pack_kernels_for(level);
        RUN(bytes_are_as_written_down);
        RUN(every_word_comes_back);
        RUN(too_little_room_is_reported);
    }
    return check_finish();
}
