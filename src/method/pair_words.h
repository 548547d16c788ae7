/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How cell-box and multiscale reach the pair table: through this file alone, which goes with the parts of them that are to go.
 *
 * They keep two numbers of a pair, which mean something else in each of them, and hand pairs around without their place. So what is
 * kept of a pair begins with a copy of its key: a pair that was taken from here leads to its numbers, any other copy does not. */

#ifndef LITHE_METHOD_PAIR_WORDS_H
#define LITHE_METHOD_PAIR_WORDS_H

#include "method/memory.h"

typedef struct lt_pair_words {
    lt_pair pair; /* first */
    uint32_t
        next; /* cell-box: the bits of a margin (cell_spare.c); multiscale: a depth, one more than it is */
    uint32_t
        left; /* cell-box: a depth likewise (cell_roots.c); multiscale: what is known (multiscale_work.h) */
    float impulse; /* cell-box: N s that held it in the last step */
} lt_pair_words;

/* Names the pair in the words of a slot that has begun; one of the rules of a memory. */
static inline void lt_pair_words_begin(void *memory, uint32_t slot) {
    const lt_pair_table *pairs = &((lt_memory *)memory)->pairs;
    ((lt_pair_words *)lt_pair_method_of(pairs, slot))->pair = pairs->slots[slot].pair;
}

static inline lt_pair_words *lt_pair_words_at(const lt_pair_table *pairs, uint32_t place) {
    return lt_pair_method_at(pairs, place);
}
static inline lt_pair *lt_worded_pair_at(const lt_pair_table *pairs, uint32_t place) {
    return &lt_pair_words_at(pairs, place)->pair;
}
/* The words of a pair that lt_worded_pair_at gave. */
static inline lt_pair_words *lt_words_of(const lt_pair *pair) {
    return (lt_pair_words *)pair;
}

#endif
