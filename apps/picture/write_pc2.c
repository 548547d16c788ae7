/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* PC2: 32 bytes ("POINTCACHE2" and a zero, version 1, vertices, start frame, frames per sample, samples), then for each
 * sample three floats a vertex; all little-endian. A sample is written first and counted afterwards. */

#include "core/os.h"
#include "io/write_internal.h"
#include "picture/write_series.h"

enum { HEAD_SIZE = 32, COUNT_AT = 28, VERTEX_SIZE = 12 };

lt_status lt_pc2_begin(lt_pc2 *out, const char *path, uint32_t vertex_count, lt_error *error) {
    uint8_t head[HEAD_SIZE] = "POINTCACHE2";
    *out = (lt_pc2){.path = path, .vertex_count = vertex_count};
    if (vertex_count == 0 || vertex_count > INT32_MAX)
        return lt_fail(error, LT_STATUS_INVALID, "%s: %u vertices; PC2 has 1 to %d", path, vertex_count,
                       INT32_MAX);
    uint8_t *to = lt_put_u32(lt_put_u32(head + 12, 1), vertex_count);
    lt_put_u32(lt_put_float(lt_put_float(to, 0), 1), 0);
    return lt_os_write_file(path, head, sizeof head, error);
}

lt_status lt_pc2_add(lt_pc2 *cache, const lt_vec3 *positions, const lt_allocator *allocator,
                     lt_error *error) {
    size_t size = (size_t)cache->vertex_count * VERTEX_SIZE;
    if (cache->sample_count == INT32_MAX)
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "%s: PC2 cannot count more samples", cache->path);
    for (uint32_t i = 0; i < cache->vertex_count; i++)
        if (!lt_v3_is_finite(positions[i]))
            return lt_fail(error, LT_STATUS_INVALID, "%s: vertex %u: a coordinate is not finite", cache->path,
                           i);
    uint8_t *bytes = LT_NEW(allocator, size, uint8_t), count[4];
    if (!bytes) return lt_write_no_memory(cache->path, error);
    lt_put_points(bytes, positions, cache->vertex_count);
    uint64_t at = HEAD_SIZE + (uint64_t)size * cache->sample_count;
    lt_status status = lt_os_write_at(cache->path, at, bytes, size, error);
    LT_DELETE(allocator, bytes, size, uint8_t);
    if (status != LT_OK) return status;
    lt_put_u32(count, cache->sample_count + 1);
    status = lt_os_write_at(cache->path, COUNT_AT, count, sizeof count, error);
    cache->sample_count += status == LT_OK;
    return status;
}
