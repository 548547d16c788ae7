/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Words that resemble earlier ones, in fewer bytes and without loss: each is kept as its exclusive or with the word `back` places
 * before it, without the leading zero bytes of that. Neighbouring nodes have the same sign, exponent and first digits, so that
 * numbers of bodies take two or three bytes instead of four; what does not change takes a quarter of one.
 *
 *   │ lengths of four words, two bits each: 0, 2, 3, 4 bytes │ their bytes, lowest first │ lengths of the next four … │ */

#ifndef LITHE_CORE_PACK_H
#define LITHE_CORE_PACK_H

#include "core/base.h"

typedef struct lt_packed_words {
    const void *words;
    size_t begin, end; /* of the words; a multiple of four */
    size_t back;       /* words before words[0] are 0 */
} lt_packed_words;

/* Bytes that they take; at most 17 for four words. */
size_t lt_packed_size(const lt_packed_words *from);
/* Writes those bytes if there are no more than `capacity`, else only some of them; returns their number in any case. */
size_t lt_pack(const lt_packed_words *from, uint8_t *out, size_t capacity);
/* Fills words[begin, end), those before being there already; returns how many bytes that took, 0: there are too few. */
size_t lt_unpack(uint32_t *words, size_t begin, size_t end, size_t back, const uint8_t *bytes, size_t size);

#endif
