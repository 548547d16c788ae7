/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Packed words: what comes back, how many bytes they take, and what is too short. */

#include "check.h"
#include "core/pack.h"
#include "core/random.h"

#include <string.h>

enum { WORDS = 64, ROOM = 2 * 4 * WORDS };

/* By hand: 0x12 is 2 bytes, the same again none, 0x12 ^ 0x70012 = 0x70000 is 3, and 0x70012 ^ 0x81070012 = 0x81000000 is 4:
 * codes 1, 0, 2, 3. */
static void bytes_are_as_written_down(void) {
    const uint32_t words[4] = {0x12, 0x12, 0x70012, 0x81070012};
    const uint8_t expected[] = {1 | 0 << 2 | 2 << 4 | 3 << 6, 0x12, 0, 0, 0, 7, 0, 0, 0, 0x81};
    uint8_t bytes[ROOM];
    lt_packed_words from = {words, 0, 4, 1};
    CHECK_COUNT(lt_packed_size(&from), sizeof expected);
    CHECK_COUNT(lt_pack(&from, bytes, sizeof bytes), sizeof expected);
    CHECK(memcmp(bytes, expected, sizeof expected) == 0);
}

/* Words of all lengths, in runs; `back` from within and from before the piece. */
static void fill(lt_random *random, uint32_t words[WORDS]) {
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t kind = lt_random_below(random, 6), word = lt_random_u32(random);
        words[i] = kind == 0 ? 0 : kind == 1 && i > 3 ? words[i - 4] : word >> (8 * (kind % 4));
    }
}

static void every_word_comes_back(void) {
    for (uint64_t round = 0; round < 400; round++) {
        lt_random random = lt_random_seed(round);
        uint32_t words[WORDS], back_again[WORDS];
        uint8_t bytes[ROOM];
        fill(&random, words);
        size_t begin = 4 * lt_random_below(&random, 8), end = begin + 4 * lt_random_below(&random, 9);
        lt_packed_words from = {words, begin, end, 1 + lt_random_below(&random, 40)};
        size_t size = lt_packed_size(&from);
        CHECK(size <= (end - begin) / 4 * 17);
        CHECK_COUNT(lt_pack(&from, bytes, sizeof bytes), size);
        memcpy(back_again, words, sizeof words);
        memset(back_again + begin, 0xee, (end - begin) * sizeof(uint32_t));
        CHECK_COUNT(lt_unpack(back_again, begin, end, from.back, bytes, size), size);
        CHECK(memcmp(words, back_again, sizeof words) == 0);
    }
}

/* Buffers of exactly so many bytes: nothing is written or read beyond them, whatever their size. */
static void too_little_room_is_told(void) {
    lt_random random = lt_random_seed(7);
    uint32_t words[WORDS], back_again[WORDS];
    fill(&random, words);
    lt_packed_words from = {words, 0, WORDS, 4};
    size_t size = lt_packed_size(&from);
    for (size_t room = 0; room <= size + 24; room++) {
        uint8_t *bytes = malloc(room ? room : 1);
        CHECK_COUNT(lt_pack(&from, bytes, room), size);
        if (room >= size) CHECK_COUNT(lt_unpack(back_again, 0, WORDS, 4, bytes, room), size);
        free(bytes);
    }
    uint8_t whole[ROOM];
    lt_pack(&from, whole, sizeof whole);
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t *bytes = malloc(cut ? cut : 1);
        memcpy(bytes, whole, cut);
        CHECK_COUNT(lt_unpack(back_again, 0, WORDS, 4, bytes, cut), 0);
        free(bytes);
    }
}

int main(void) {
    RUN(bytes_are_as_written_down);
    RUN(every_word_comes_back);
    RUN(too_little_room_is_told);
    return check_finish();
}
