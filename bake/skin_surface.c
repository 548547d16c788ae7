/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The half of a skin that does not depend on its carrier. */

#include "bake/skin_write.h"

static void share_areas(float *areas, const lt_surface *surface) {
    for (uint32_t i = 0; i < surface->triangle_count; i++) {
        const uint32_t *v = lt_triangle_at(surface, i);
        lt_vec3 a = surface->positions[v[0]];
        lt_vec3 normal =
            lt_v3_cross(lt_v3_sub(surface->positions[v[1]], a), lt_v3_sub(surface->positions[v[2]], a));
        for (int k = 0; k < 3; k++)
            areas[v[k]] += lt_v3_length(normal) / 6;
    }
}

/* The triangles around every point, in the order of their numbers. */
static void list_fans(uint32_t *fan_begin, uint32_t *fans, const lt_surface *surface) {
    for (uint32_t point = 0; point <= surface->vertex_count; point++)
        fan_begin[point] = 0;
    for (size_t i = 0; i < 3 * (size_t)surface->triangle_count; i++)
        fan_begin[surface->triangles[i]]++;
    uint32_t sum = 0;
    for (uint32_t point = 0; point <= surface->vertex_count; point++) {
        sum += fan_begin[point];
        fan_begin[point] = sum; /* where it ends; filling from behind makes it where it begins */
    }
    for (size_t i = 3 * (size_t)surface->triangle_count; i-- > 0;)
        fans[--fan_begin[surface->triangles[i]]] = (uint32_t)(i / 3);
}

lt_status lt_skin_add_surface(lt_shape_builder *builder, const lt_surface *surface,
                              const lt_allocator *allocator, lt_error *error) {
    uint64_t points = surface->vertex_count, corners = 3 * (uint64_t)surface->triangle_count;
    float *areas = LT_NEW(allocator, points, float);
    uint32_t *fan_begin = LT_NEW(allocator, points + 1, uint32_t),
             *fans = LT_NEW(allocator, corners, uint32_t);
    bool ok = areas && fan_begin && fans;
    if (ok) {
        share_areas(areas, surface);
        list_fans(fan_begin, fans, surface);
        lt_shape_builder_add(builder, LT_CHUNK_SURFACE_REST, LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(points, 3),
                             surface->positions);
        lt_shape_builder_add(builder, LT_CHUNK_SURFACE_TRIANGLES, LT_SHAPE_TYPE_U32,
                             LT_SHAPE_DIMS(corners / 3, 3), surface->triangles);
        lt_shape_builder_add(builder, LT_CHUNK_SURFACE_FAN_BEGIN, LT_SHAPE_TYPE_U32,
                             LT_SHAPE_DIMS(points + 1), fan_begin);
        lt_shape_builder_add(builder, LT_CHUNK_SURFACE_FANS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(corners), fans);
        lt_shape_builder_add(builder, LT_CHUNK_SURFACE_AREAS, LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(points),
                             areas);
    }
    LT_DELETE(allocator, areas, points, float);
    LT_DELETE(allocator, fan_begin, points + 1, uint32_t);
    LT_DELETE(allocator, fans, corners, uint32_t);
    return ok ? LT_OK
              : lt_fail(error, LT_STATUS_MEMORY, "no memory for a skin of %u vertices",
                        surface->vertex_count);
}

/* A surface with very many open edges takes long to sign: it gets a coarser grid rather than none. */
static lt_status build_distance(lt_distance_grid *grid, const lt_surface *surface, uint32_t cells,
                                const lt_allocator *allocator, lt_error *error) {
    enum { COARSEST = 6 };
    lt_distance_grid_options options = {.cells = cells};
    lt_status status = lt_distance_grid_build(surface, &options, allocator, grid, error);
    while (status == LT_STATUS_INVALID && options.cells / 2 >= COARSEST) {
        options.cells /= 2;
        status = lt_distance_grid_build(surface, &options, allocator, grid, error);
    }
    return status;
}

lt_status lt_skin_add_distance(lt_shape_builder *builder, const lt_surface *surface, uint32_t cells,
                               const lt_allocator *allocator, lt_error *error) {
    lt_distance_grid grid = {0};
    lt_status status = build_distance(&grid, surface, cells, allocator, error);
    if (status != LT_OK) return status;
    lt_shape_builder_add(builder, LT_CHUNK_DISTANCE_HEADER, LT_SHAPE_TYPE_BYTES,
                         LT_SHAPE_DIMS(sizeof grid.header), &grid.header);
    lt_shape_builder_add(builder, LT_CHUNK_DISTANCE_VALUES, LT_SHAPE_TYPE_F32,
                         LT_SHAPE_DIMS(lt_distance_grid_value_count(&grid.header)), grid.values);
    lt_distance_grid_free(&grid);
    return LT_OK;
}
