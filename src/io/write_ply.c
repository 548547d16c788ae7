/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/os.h"
#include "io/write_internal.h"

#include <stdio.h>

enum { VERTEX_SIZE = 12, FACE_SIZE = 13 };

static uint8_t *put_faces(uint8_t *to, const lt_surface *surface) {
    for (uint32_t i = 0; i < surface->triangle_count; i++) {
        *to++ = 3;
        for (int k = 0; k < 3; k++)
            to = lt_put_u32(to, lt_triangle_at(surface, i)[k]);
    }
    return to;
}

lt_status lt_write_ply(const char *path, const lt_surface *surface, lt_error *error) {
    lt_status status = lt_surface_check(surface, path, error);
    if (status != LT_OK) return status;
    if (surface->vertex_count > INT32_MAX)
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "%s: more vertices than PLY's int can number", path);
    char header[300];
    size_t header_size = (size_t)snprintf(header, sizeof header,
                                          "ply\nformat binary_little_endian 1.0\n"
                                          "element vertex %u\nproperty float x\nproperty float y\n"
                                          "property float z\nelement face %u\n"
                                          "property list uchar int vertex_indices\nend_header\n",
                                          surface->vertex_count, surface->triangle_count);
    size_t size = header_size + (size_t)surface->vertex_count * VERTEX_SIZE +
                  (size_t)surface->triangle_count * FACE_SIZE;
    uint8_t *bytes = LT_NEW(&surface->allocator, size, uint8_t);
    if (!bytes) return lt_write_no_memory(path, error);
    memcpy(bytes, header, header_size);
    uint8_t *end =
        put_faces(lt_put_points(bytes + header_size, surface->positions, surface->vertex_count), surface);
    LT_ASSERT((size_t)(end - bytes) == size);
    (void)end;
    status = lt_os_write_file(path, bytes, size, error);
    LT_DELETE(&surface->allocator, bytes, size, uint8_t);
    return status;
}
