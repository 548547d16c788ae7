/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The smaller part of many keys, for trees that halve what they hold. */

#ifndef LITHE_BAKE_SELECT_H
#define LITHE_BAKE_SELECT_H

#include "core/random.h"

/* Order-preserving bits of a finite float; zeros of both signs are the same. */
static inline uint32_t lt_order_of_float(float x) {
    union {
        float value;
        uint32_t bits;
    } cast = {x + 0.0f};
    return cast.bits & 0x80000000u ? ~cast.bits : cast.bits | 0x80000000u;
}

/* Puts the `rank` smallest keys first. Keys differ (the low half is the index), so the parts do not depend on
 * the pivots; the random pivots keep any order of input from being a slow one. */
static inline void lt_select_smallest(uint64_t *keys, int64_t count, int64_t rank, lt_random *random) {
    int64_t lo = 0, hi = count - 1;
    while (lo < hi) {
        uint64_t pivot = keys[lo + lt_random_below(random, (uint32_t)(hi - lo + 1))];
        int64_t i = lo, j = hi;
        while (i <= j) {
            while (keys[i] < pivot)
                i++;
            while (keys[j] > pivot)
                j--;
            if (i > j) break;
            uint64_t swap = keys[i];
            keys[i++] = keys[j];
            keys[j--] = swap;
        }
        if (rank <= j)
            hi = j;
        else if (rank >= i)
            lo = i;
        else
            return;
    }
}

#endif
