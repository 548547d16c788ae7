/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Sets that grow together: islands of bodies. root[i] == i for a representative; the lowest index of a set is its
 * representative, so that sets come in the order of their first member whatever order they were joined in. */

#ifndef LITHE_CORE_UNION_FIND_H
#define LITHE_CORE_UNION_FIND_H

#include "core/base.h"

static inline void lt_sets_begin(uint32_t *root, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        root[i] = i;
}

static inline uint32_t lt_sets_find(uint32_t *root, uint32_t i) {
    while (root[i] != i) {
        LT_ASSERT(root[i] < i); /* so that the way to the representative ends */
        root[i] = root[root[i]];
        i = root[i];
    }
    return i;
}

/* A text on what is wrong with them; NULL: nothing is. */
static inline const char *lt_validate_sets(const uint32_t *root, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (root[i] > i) return "a set is not named by its lowest member";
    return NULL;
}

static inline void lt_sets_join(uint32_t *root, uint32_t a, uint32_t b) {
    uint32_t ra = lt_sets_find(root, a), rb = lt_sets_find(root, b);
    root[lt_max_u32(ra, rb)] = lt_min_u32(ra, rb);
    LT_ASSERT(lt_sets_find(root, a) == lt_sets_find(root, b));
}

#endif
