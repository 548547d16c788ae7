/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "io/write_internal.h"

/* A g without a name for what is in no group. */
static bool append_group(lt_array *text, const lt_mesh_groups *groups, uint32_t group) {
    const char *name = group == LT_MESH_NO_GROUP ? "" : groups->names[group];
    return lt_append_text(text, "g ") && lt_append_bytes(text, name, strlen(name)) &&
           lt_append_text(text, "\n");
}

lt_status lt_write_obj(const char *path, const lt_surface *surface, const lt_mesh_groups *groups,
                       lt_error *error) {
    const uint32_t *group_of = groups ? groups->triangle_groups : NULL;
    lt_status status = lt_surface_check(surface, path, error);
    if (status != LT_OK) return status;
    lt_array text = LT_ARRAY_OF(&surface->allocator, char);
    bool ok = true;
    for (uint32_t i = 0; ok && i < surface->vertex_count; i++)
        ok = lt_append_point(&text, "v", surface->positions[i]);
    for (uint32_t i = 0; ok && i < surface->triangle_count; i++) {
        const uint32_t *t = lt_triangle_at(surface, i);
        if (group_of && group_of[i] != (i ? group_of[i - 1] : LT_MESH_NO_GROUP))
            ok = append_group(&text, groups, group_of[i]);
        ok = ok && lt_append_text(&text, "f %llu %llu %llu\n", t[0] + 1ull, t[1] + 1ull, t[2] + 1ull);
    }
    return lt_write_array(path, &text, ok, error);
}
