/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/query.h"

/* Triangles around each point, ascending. */
typedef struct fans {
    uint32_t *begin;     /* [point_count + 1] */
    uint32_t *triangles; /* [3 × triangle_count] */
} fans;

static void fill_fans(fans *f, const uint32_t *triangles, uint32_t triangle_count, uint32_t point_count) {
    for (size_t i = 0; i < 3 * (size_t)triangle_count; i++)
        f->begin[triangles[i] + 1]++;
    for (uint32_t point = 0; point < point_count; point++)
        f->begin[point + 1] += f->begin[point];
    for (size_t i = 3 * (size_t)triangle_count;
         i-- > 0;) /* from behind, so that ends become beginnings in order */
        f->triangles[--f->begin[triangles[i] + 1]] = (uint32_t)(i / 3);
    for (uint32_t point = 0; point < point_count; point++)
        f->begin[point] = f->begin[point + 1];
    f->begin[point_count] = 3 * triangle_count;
}

static bool has_corner(const uint32_t *corners, uint32_t point) {
    return corners[0] == point || corners[1] == point || corners[2] == point;
}

/* Whether no triangle before has both points. */
static bool is_first_with(const fans *f, const uint32_t *triangles, uint32_t triangle, uint32_t p,
                          uint32_t q) {
    for (uint32_t i = f->begin[p]; i < f->begin[p + 1] && f->triangles[i] < triangle; i++)
        if (has_corner(triangles + 3 * (size_t)f->triangles[i], q)) return false;
    return true;
}

static void fill_bits(lt_feature_owners *out, const fans *f, const uint32_t *triangles) {
    for (uint32_t t = 0; t < out->triangle_count; t++) {
        const uint32_t *c = triangles + 3 * (size_t)t;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t p = c[k], q = c[(k + 1) % 3];
            if (f->triangles[f->begin[p]] == t) out->bits[t] |= (uint8_t)(1u << k);
            if (is_first_with(f, triangles, t, p, q)) out->bits[t] |= (uint8_t)(8u << k);
        }
    }
}

lt_status lt_feature_owners_create(lt_feature_owners *out, const uint32_t *triangles, uint32_t triangle_count,
                                   uint32_t point_count, const lt_allocator *allocator, lt_error *error) {
    *out = (lt_feature_owners){.triangle_count = triangle_count,
                               .allocator = allocator ? *allocator : lt_allocator_default()};
    const lt_allocator *a = &out->allocator;
    fans f = {LT_NEW(a, (size_t)point_count + 1, uint32_t), LT_NEW(a, 3 * (size_t)triangle_count, uint32_t)};
    out->bits = LT_NEW(a, triangle_count, uint8_t);
    bool all = f.begin && f.triangles && out->bits;
    if (all) {
        fill_fans(&f, triangles, triangle_count, point_count);
        fill_bits(out, &f, triangles);
    }
    LT_DELETE(a, f.begin, (size_t)point_count + 1, uint32_t);
    LT_DELETE(a, f.triangles, 3 * (size_t)triangle_count, uint32_t);
    if (all) return LT_OK;
    lt_feature_owners_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for the edges of %u triangles", triangle_count);
}

void lt_feature_owners_free(lt_feature_owners *owners) {
    if (owners->allocator.allocate)
        LT_DELETE(&owners->allocator, owners->bits, owners->triangle_count, uint8_t);
    *owners = (lt_feature_owners){0};
}
