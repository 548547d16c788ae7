/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/pull_in.h"

#include <string.h>

static lt_status fill_lists(lt_pull *p, lt_error *error) {
    const lt_rows *owned = &p->copies->owned;
    for (uint32_t t = 0; t < p->copies->mesh.tet_count; t++) {
        p->is_alive[t] = 1;
        p->lists[t] = LT_ARRAY_OF(&p->allocator, uint32_t);
    }
    for (uint32_t t = 0; t < p->copies->mesh.tet_count; t++) {
        uint32_t count = lt_rows_count(owned, t);
        void *items = lt_array_grow(&p->lists[t], count);
        if (count > 0 && !items) return lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
        if (count > 0) memcpy(items, lt_rows_at(owned, t), count * sizeof(uint32_t));
    }
    return LT_OK;
}

lt_status lt_pull_begin(lt_pull *out, lt_copies *copies, const lt_solid *solid, double degrees, uint32_t seed,
                        lt_error *error) {
    *out = (lt_pull){.copies = copies, .solid = solid, .surface = lt_solid_surface(solid)};
    out->allocator = copies->allocator;
    out->random = lt_random_seed(seed);
    (void)degrees;
    const lt_allocator *a = &out->allocator;
    out->is_alive = LT_NEW(a, copies->mesh.tet_count, uint8_t);
    out->lists = LT_NEW(a, copies->mesh.tet_count, lt_array);
    if (!out->is_alive || !out->lists) {
        lt_pull_free(out);
        return lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    }
    lt_status status = fill_lists(out, error);
    if (status != LT_OK) lt_pull_free(out);
    return status;
}
lt_status lt_pull_round(lt_pull *pull, uint32_t round, lt_error *error) {
    (void)pull;
    (void)round;
    (void)error;
    return LT_OK;
}
void lt_pull_free(lt_pull *pull) {
    if (!pull->copies) return;
    const lt_allocator *a = &pull->allocator;
    uint32_t tet_count = pull->copies->mesh.tet_count;
    for (uint32_t t = 0; t < tet_count && pull->lists; t++)
        lt_array_free(&pull->lists[t]);
    LT_DELETE(a, pull->lists, tet_count, lt_array);
    LT_DELETE(a, pull->is_alive, tet_count, uint8_t);
    *pull = (lt_pull){0};
}
