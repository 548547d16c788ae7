/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "io/write_internal.h"

lt_status lt_write_obj(const char *path, const lt_surface *surface, lt_error *error) {
    lt_status status = lt_surface_check(surface, path, error);
    if (status != LT_OK) return status;
    lt_array text = LT_ARRAY_OF(&surface->allocator, char);
    bool ok = true;
    for (uint32_t i = 0; ok && i < surface->vertex_count; i++)
        ok = lt_append_point(&text, "v", surface->positions[i]);
    for (uint32_t i = 0; ok && i < surface->triangle_count; i++) {
        const uint32_t *t = lt_triangle_at(surface, i);
        ok = lt_append_text(&text, "f %llu %llu %llu\n", t[0] + 1ull, t[1] + 1ull, t[2] + 1ull);
    }
    return lt_write_array(path, &text, ok, error);
}
