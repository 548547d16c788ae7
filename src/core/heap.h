/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Binary heaps in plain arrays, for any kind of item. LT_HEAP(name, type, above) makes, as static functions,
 *
 *   name_make(items, count)              orders an array: items[0] is above all others
 *   name_push(items, &count, &item)      adds one; the array must have room
 *   name_drop(items, &count)             removes the one on top
 *   name_settle(items, at, count)        lets items[at] sink to its place, after it was replaced
 *   name_is_ordered(items, count)        validator: nothing is above what it hangs under
 *   name_sort(items, count)              the one that is above all others comes last; no input makes it slow
 *
 * where above(const type *x, const type *y) says whether x belongs nearer to the top than y. Items of which neither is above
 * the other may come in any order, but always in the same one. */

#ifndef LITHE_CORE_HEAP_H
#define LITHE_CORE_HEAP_H

#include "core/base.h"

/* Not every heap needs all of them. */
#define LT_HEAP_FUNCTION __attribute__((unused)) static inline void

#define LT_HEAP(name, type, above)                                                                           \
    __attribute__((unused)) static inline bool name##_is_ordered(const type *items, size_t count) {          \
        for (size_t i = 1; i < count; i++)                                                                   \
            if (above(&items[i], &items[(i - 1) / 2])) return false;                                         \
        return true;                                                                                         \
    }                                                                                                        \
    LT_HEAP_FUNCTION name##_settle(type *items, size_t at, size_t count) {                                   \
        LT_ASSERT(at < count);                                                                               \
        type sinking = items[at];                                                                            \
        for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {                                 \
            if (child + 1 < count && above(&items[child + 1], &items[child])) child++;                       \
            if (!above(&items[child], &sinking)) break;                                                      \
            items[at] = items[child];                                                                        \
            at = child;                                                                                      \
        }                                                                                                    \
        items[at] = sinking;                                                                                 \
    }                                                                                                        \
    LT_HEAP_FUNCTION name##_make(type *items, size_t count) {                                                \
        for (size_t i = count / 2; i-- > 0;)                                                                 \
            name##_settle(items, i, count);                                                                  \
    }                                                                                                        \
    LT_HEAP_FUNCTION name##_push(type *items, uint32_t *count, const type *item) {                           \
        type rising = *item;                                                                                 \
        size_t at = (*count)++;                                                                              \
        for (; at > 0 && above(&rising, &items[(at - 1) / 2]); at = (at - 1) / 2)                            \
            items[at] = items[(at - 1) / 2];                                                                 \
        items[at] = rising;                                                                                  \
    }                                                                                                        \
    LT_HEAP_FUNCTION name##_drop(type *items, uint32_t *count) {                                             \
        LT_ASSERT(*count > 0);                                                                               \
        items[0] = items[--*count];                                                                          \
        if (*count > 0) name##_settle(items, 0, *count);                                                     \
    }                                                                                                        \
    LT_HEAP_FUNCTION name##_sort(type *items, size_t count) {                                                \
        name##_make(items, count);                                                                           \
        for (size_t end = count; end-- > 1;) {                                                               \
            type top = items[0];                                                                             \
            items[0] = items[end];                                                                           \
            items[end] = top;                                                                                \
            name##_settle(items, 0, end);                                                                    \
        }                                                                                                    \
    }

#endif
