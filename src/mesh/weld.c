/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A stable radix sort by the bits of the three coordinates brings equal positions together, lowest index
 * first. A hash table would be twice as fast on scans, and quadratic on a file made against it. */

#include "mesh/weld.h"

#include <string.h>

enum { DIGITS = 12, DIGIT_VALUES = 256 };

/* Equal exactly when the coordinates are: -0 + 0 is 0. */
static uint32_t bits_of(lt_vec3 position, int axis) {
    float value = lt_v3_get(position, axis) + 0.0f;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t digit_of(lt_vec3 position, int digit) {
    return bits_of(position, digit / 4) >> 8 * (digit % 4) & (DIGIT_VALUES - 1);
}

/* One stable pass from `order` to `sorted`; false, with nothing done, when the digit is the same everywhere. */
static bool sort_pass(uint32_t *sorted, const uint32_t *order, const lt_vec3 *positions, uint32_t count,
                      int digit) {
    uint32_t begins[DIGIT_VALUES + 1] = {0};
    for (uint32_t i = 0; i < count; i++)
        begins[digit_of(positions[i], digit) + 1]++;
    if (begins[digit_of(positions[0], digit) + 1] == count) return false;
    for (int d = 0; d < DIGIT_VALUES; d++)
        begins[d + 1] += begins[d];
    for (uint32_t i = 0; i < count; i++)
        sorted[begins[digit_of(positions[order[i]], digit)]++] = order[i];
    return true;
}

static bool same_place(lt_vec3 a, lt_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool lt_weld_positions(uint32_t *first_of, const lt_vec3 *positions, uint32_t count,
                       const lt_allocator *allocator) {
    uint32_t *scratch = LT_NEW(allocator, 2 * (size_t)count, uint32_t);
    if (!scratch) return false;
    uint32_t *order = scratch, *sorted = scratch + count;
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (int digit = 0; digit < DIGITS && count > 0; digit++)
        if (sort_pass(sorted, order, positions, count, digit)) {
            uint32_t *swap = order;
            order = sorted;
            sorted = swap;
        }
    for (uint32_t i = 0; i < count; i++) {
        bool same = i > 0 && same_place(positions[order[i]], positions[order[i - 1]]);
        first_of[order[i]] = same ? first_of[order[i - 1]] : order[i];
    }
    LT_DELETE(allocator, scratch, 2 * (size_t)count, uint32_t);
    return true;
}
