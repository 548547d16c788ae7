/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/pack.h"

#include <string.h>

enum { FOUR_ROOM = 17, BLOCK = 4096 };

static inline uint32_t length_code(uint32_t difference) {
    return (difference > 0) + (difference > 0xffff) + (difference > 0xffffff);
}

static inline uint32_t length_of(uint32_t code) {
    return code + (code > 0);
}

/* Words are parts of numbers of another type: taken as bytes, which compilers make one load of. */
static inline uint32_t word_at(const uint8_t *words, size_t at) {
    uint32_t word;
    memcpy(&word, words + 4 * at, sizeof word);
    return word;
}

static inline uint32_t difference_at(const lt_packed_words *from, size_t at) {
    return word_at(from->words, at) ^ (at >= from->back ? word_at(from->words, at - from->back) : 0);
}

/* Compilers make one store of it where bytes are in this order. */
static inline void put_word_pair(uint8_t *out, uint64_t pair) {
    for (int i = 0; i < 8; i++)
        out[i] = (uint8_t)(pair >> (8 * i));
}

static inline uint32_t get_bytes(const uint8_t *bytes, uint32_t length) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < length; i++)
        word |= (uint32_t)bytes[i] << (8 * i);
    return word;
}

size_t lt_packed_size(const lt_packed_words *from) {
    size_t at = from->begin;
    LT_ASSERT((from->end - from->begin) % 4 == 0);
    size_t size = (from->end - from->begin) / 4;
    for (; at < from->end && at < from->back; at++)
        size += length_of(length_code(difference_at(from, at)));
    while (at < from->end) {
        size_t stop = lt_min_u64(from->end, at + BLOCK);
        uint32_t sum = 0; /* as wide as a word, which is as wide as compilers make many of at once */
        for (; at < stop; at++) {
            uint32_t difference = word_at(from->words, at) ^ word_at(from->words, at - from->back);
            sum += 2 * (difference > 0) + (difference > 0xffff) + (difference > 0xffffff);
        }
        size += sum;
    }
    return size;
}

/* By how many bits a difference has, from its highest: quicker than three comparisons. */
static const uint8_t code_of_bits[33] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                         2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3};
static const uint8_t room_of_bits[33] = {0,  16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
                                         24, 24, 24, 24, 24, 24, 24, 24, 32, 32, 32, 32, 32, 32, 32, 32};

/* Bytes behind the last are written, too: up to FOUR_ROOM of all. */
static inline uint8_t *pack_four(uint8_t *out, const uint32_t differences[4]) {
    uint32_t codes[4], rooms[4];
    for (int k = 0; k < 4; k++) {
        uint32_t bits = differences[k] ? 32 - (uint32_t)__builtin_clz(differences[k]) : 0;
        codes[k] = code_of_bits[bits];
        rooms[k] = room_of_bits[bits];
    }
    out[0] = (uint8_t)(codes[0] | codes[1] << 2 | codes[2] << 4 | codes[3] << 6);
    put_word_pair(out + 1, differences[0] | (uint64_t)differences[1] << rooms[0]);
    out += 1 + (rooms[0] + rooms[1]) / 8;
    put_word_pair(out, differences[2] | (uint64_t)differences[3] << rooms[2]);
    return out + (rooms[2] + rooms[3]) / 8;
}

/* Where there is room for whatever comes and a word before each: most of them. Returns where it stopped. */
static size_t pack_most(const lt_packed_words *from, size_t at, uint8_t *out, size_t capacity, size_t *used) {
    const uint8_t *end = out + capacity - FOUR_ROOM;
    uint8_t *to = out + *used;
    for (; at < from->end && to <= end; at += 4) {
        uint32_t differences[4];
        for (size_t k = 0; k < 4; k++)
            differences[k] = word_at(from->words, at + k) ^ word_at(from->words, at + k - from->back);
        if ((differences[0] | differences[1] | differences[2] | differences[3]) == 0)
            *to++ = 0;
        else
            to = pack_four(to, differences);
    }
    *used = (size_t)(to - out);
    return at;
}

size_t lt_pack(const lt_packed_words *from, uint8_t *out, size_t capacity) {
    size_t used = 0;
    LT_ASSERT((from->end - from->begin) % 4 == 0);
    for (size_t i = from->begin; i < from->end;) {
        if (i >= from->back && capacity >= FOUR_ROOM && used <= capacity - FOUR_ROOM) {
            i = pack_most(from, i, out, capacity, &used);
            continue;
        }
        uint8_t four[FOUR_ROOM];
        uint32_t differences[4];
        for (size_t k = 0; k < 4; k++)
            differences[k] = difference_at(from, i + k);
        size_t size = (size_t)(pack_four(four, differences) - four);
        if (used <= capacity && size <= capacity - used) memcpy(out + used, four, size);
        used += size;
        i += 4;
    }
    return used;
}

size_t lt_unpack(uint32_t *words, size_t begin, size_t end, size_t back, const uint8_t *bytes, size_t size) {
    size_t used = 0;
    LT_ASSERT((end - begin) % 4 == 0);
    for (size_t i = begin; i < end; i += 4) {
        if (used == size) return 0;
        uint32_t lengths = bytes[used++];
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t length = length_of(lengths >> (2 * k) & 3);
            if (length > size - used) return 0;
            words[i + k] = get_bytes(bytes + used, length) ^ (i + k >= back ? words[i + k - back] : 0);
            used += length;
        }
    }
    return used;
}
