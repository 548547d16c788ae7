/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* STL. Binary: 80 bytes that must not begin with "solid", the number of triangles, and for each twelve floats (normal
 * and corners) and two bytes of nothing. */

#include "core/os.h"
#include "io/write_internal.h"

#include <math.h>

enum { TITLE_SIZE = 80, HEAD_SIZE = TITLE_SIZE + 4, TRIANGLE_SIZE = 50 };

/* In double: products of floats neither overflow nor vanish. */
static lt_vec3 unit_normal(const lt_surface *surface, const uint32_t *t) {
    lt_dvec3 a = lt_d3_from_v3(surface->positions[t[0]]);
    lt_dvec3 normal = lt_d3_cross(lt_d3_sub(lt_d3_from_v3(surface->positions[t[1]]), a),
                                  lt_d3_sub(lt_d3_from_v3(surface->positions[t[2]]), a));
    double length = sqrt(lt_d3_dot(normal, normal));
    return length > 0 ? lt_v3_from_d3(lt_d3_scale(normal, 1 / length)) : (lt_vec3){0, 0, 0};
}

static lt_status write_text(const char *path, const lt_surface *surface, lt_error *error) {
    lt_array text = LT_ARRAY_OF(&surface->allocator, char);
    bool ok = lt_append_text(&text, "solid lithe\n");
    for (uint32_t i = 0; ok && i < surface->triangle_count; i++) {
        const uint32_t *t = lt_triangle_at(surface, i);
        ok = lt_append_point(&text, "facet normal", unit_normal(surface, t)) &&
             lt_append_text(&text, "outer loop\n");
        for (int k = 0; ok && k < 3; k++)
            ok = lt_append_point(&text, "vertex", surface->positions[t[k]]);
        ok = ok && lt_append_text(&text, "endloop\nendfacet\n");
    }
    ok = ok && lt_append_text(&text, "endsolid lithe\n");
    return lt_write_array(path, &text, ok, error);
}

static lt_status write_binary(const char *path, const lt_surface *surface, lt_error *error) {
    static const char title[] = "binary STL, little-endian, in metres";
    size_t size = HEAD_SIZE + (size_t)surface->triangle_count * TRIANGLE_SIZE;
    uint8_t *bytes = LT_NEW(&surface->allocator, size, uint8_t);
    if (!bytes) return lt_write_no_memory(path, error);
    memcpy(bytes, title, sizeof title);
    uint8_t *to = lt_put_u32(bytes + TITLE_SIZE, surface->triangle_count);
    for (uint32_t i = 0; i < surface->triangle_count; i++) {
        const uint32_t *t = lt_triangle_at(surface, i);
        to = lt_put_point(to, unit_normal(surface, t));
        for (int k = 0; k < 3; k++)
            to = lt_put_point(to, surface->positions[t[k]]);
        to += 2;
    }
    LT_ASSERT((size_t)(to - bytes) == size);
    lt_status status = lt_os_write_file(path, bytes, size, error);
    LT_DELETE(&surface->allocator, bytes, size, uint8_t);
    return status;
}

lt_status lt_write_stl(const char *path, const lt_surface *surface, lt_mesh_form form, lt_error *error) {
    lt_status status = lt_surface_check(surface, path, error);
    if (status != LT_OK) return status;
    return form == LT_MESH_TEXT ? write_text(path, surface, error) : write_binary(path, surface, error);
}
