/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A stable radix sort brings equal keys together, lowest index first. A hash table would be twice as fast on
 * scans, and quadratic on a file made against it. */

#include "mesh/weld.h"

#include <string.h>

enum { DIGITS = 12, DIGIT_VALUES = 256 };

static uint32_t digit_of(const uint32_t *key, int digit) {
    return key[digit / 4] >> 8 * (digit % 4) & (DIGIT_VALUES - 1);
}

/* One stable pass from `order` to `sorted`; false, with nothing done, when the digit is the same everywhere. */
static bool sort_pass(uint32_t *sorted, const uint32_t *order, const uint32_t (*keys)[3], uint32_t count,
                      int digit) {
    uint32_t begins[DIGIT_VALUES + 1] = {0};
    for (uint32_t i = 0; i < count; i++)
        begins[digit_of(keys[i], digit) + 1]++;
    if (begins[digit_of(keys[0], digit) + 1] == count) return false;
    for (int d = 0; d < DIGIT_VALUES; d++)
        begins[d + 1] += begins[d];
    for (uint32_t i = 0; i < count; i++)
        sorted[begins[digit_of(keys[order[i]], digit)]++] = order[i];
    return true;
}

bool lt_first_of_equal(uint32_t *first_of, const uint32_t (*keys)[3], uint32_t count,
                       const lt_allocator *allocator) {
    uint32_t *scratch = LT_NEW(allocator, 2 * (size_t)count, uint32_t);
    if (!scratch) return false;
    uint32_t *order = scratch, *sorted = scratch + count;
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (int digit = 0; digit < DIGITS && count > 0; digit++)
        if (sort_pass(sorted, order, keys, count, digit)) {
            uint32_t *swap = order;
            order = sorted;
            sorted = swap;
        }
    for (uint32_t i = 0; i < count; i++) {
        bool same = i > 0 && memcmp(keys[order[i]], keys[order[i - 1]], sizeof *keys) == 0;
        first_of[order[i]] = same ? first_of[order[i - 1]] : order[i];
    }
    LT_DELETE(allocator, scratch, 2 * (size_t)count, uint32_t);
    return true;
}

bool lt_weld_positions(uint32_t *first_of, const lt_vec3 *positions, uint32_t count,
                       const lt_allocator *allocator) {
    uint32_t(*keys)[3] = lt_allocate(allocator, count, sizeof *keys);
    if (!keys) return false;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            float value = lt_v3_get(positions[i], k) + 0.0f; /* -0 + 0 is 0 */
            memcpy(&keys[i][k], &value, sizeof value);
        }
    bool complete = lt_first_of_equal(first_of, (const uint32_t(*)[3])keys, count, allocator);
    lt_release(allocator, keys, count, sizeof *keys);
    return complete;
}
