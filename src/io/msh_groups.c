/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "io/msh_groups.h"

#include "core/heap.h"

static bool is_after(const lt_msh_group *x, const lt_msh_group *y) {
    if (x->dimension != y->dimension) return x->dimension > y->dimension;
    if (x->tag != y->tag) return x->tag > y->tag;
    return x->group > y->group;
}

LT_HEAP(groups, lt_msh_group, is_after)

void lt_msh_groups_sort(lt_array *list) {
    groups_sort(list->items, list->count);
}

uint32_t lt_msh_groups_find(const lt_array *list, int64_t dimension, int64_t tag) {
    const lt_msh_group *items = list->items, wanted = {dimension, tag, 0};
    size_t lo = 0,
           hi = list->count; /* what is before lo is before the wanted one, what is from hi on is not */
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (is_after(&wanted, &items[middle]))
            lo = middle + 1;
        else
            hi = middle;
    }
    bool is_there = lo < list->count && items[lo].dimension == dimension && items[lo].tag == tag;
    return is_there ? items[lo].group : LT_NONE;
}
