/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Words that resemble earlier ones, in fewer bytes and without loss. Four words are a quad: a node has one (two in the double
 * build). Each quad becomes its exclusive or with the quad `back` places before it; four quads share one byte that says how many
 * bytes each of their four lanes takes, 0, 2, 3 or 4:
 *
 *   │ lengths of lanes, two bits each │ quad: lanes 0, 1, 2, 3, lowest bytes first │ quad │ quad │ quad │ lengths … │
 *
 * Neighbouring nodes have the same sign, exponent and first digits, the fourth lane of a node is 0, and what does not change takes a
 * byte of 64. A length of its own for every word cost a branch or ten instructions a word: saving the scene letters took three
 * times as long, for 2 % fewer bytes. */

#ifndef LITHE_CORE_PACK_H
#define LITHE_CORE_PACK_H

#include "core/simd.h"

enum { LT_QUAD_BYTES = 16, LT_PACKED_GROUP_MAX = 1 + 4 * LT_QUAD_BYTES };

/* Quads [begin, end) of a block. */
typedef struct lt_packed_quads {
    size_t begin, end;
    size_t back; /* 0: they resemble none; those before the block are 0 */
} lt_packed_quads;

/* Bytes that they take; at most LT_PACKED_GROUP_MAX for four quads. */
size_t lt_packed_size(const void *block, const lt_packed_quads *quads);
/* Writes those bytes if there are no more than `capacity`, else only some of them; returns their number in any case. */
size_t lt_pack(const void *block, const lt_packed_quads *quads, uint8_t *out, size_t capacity);
/* Fills block[begin, end), what is before being there already; returns how many bytes that took, SIZE_MAX: there are too few. */
size_t lt_unpack(void *block, const lt_packed_quads *quads, const uint8_t *bytes, size_t size);

/* The same at each level of SIMD; all give the same bytes. */
typedef struct lt_pack_kernels {
    size_t (*size)(const void *block, const lt_packed_quads *quads);
    size_t (*pack)(const void *block, const lt_packed_quads *quads, uint8_t *out, size_t capacity);
    size_t (*unpack)(void *block, const lt_packed_quads *quads, const uint8_t *bytes, size_t size);
} lt_pack_kernels;

const lt_pack_kernels *lt_pack_kernels_for(lt_simd_level level);

#endif
