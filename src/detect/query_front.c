/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/query.h"

lt_status lt_query_front_create(lt_query_front *out, uint32_t capacity, const lt_allocator *allocator,
                                lt_error *error) {
    *out =
        (lt_query_front){.capacity = capacity, .allocator = allocator ? *allocator : lt_allocator_default()};
    for (int i = 0; i < 2; i++)
        out->pairs[i] = LT_NEW(&out->allocator, capacity, lt_node_pair);
    if (out->pairs[0] && out->pairs[1]) return LT_OK;
    lt_query_front_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for a front of %u pairs of boxes", capacity);
}

void lt_query_front_free(lt_query_front *front) {
    if (!front->allocator.release) return;
    for (int i = 0; i < 2; i++)
        LT_DELETE(&front->allocator, front->pairs[i], front->capacity, lt_node_pair);
    *front = (lt_query_front){0};
}
