/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Hanging a surface on a lattice, once, in double. Every point lies in its cell, so that no weight is negative. */

#include "bake/skin_write.h"

typedef struct tables {
    uint32_t *ids;  /* [point_count][8] */
    float *weights; /* [point_count][8] */
} tables;

static double within_one(double x) {
    return lt_max_d(0, lt_min_d(1, x));
}

static bool embed_point(tables *t, const lt_cell_skin_build *b, uint32_t point) {
    uint32_t cell = b->vertex_cells[point];
    if (cell >= b->mesh->cell_count) return false;
    lt_dvec3 at = lt_place_in_cell(b->mesh->positions[lt_cell_at(b->mesh, cell)[0]], b->mesh->cell_size,
                                   b->surface->positions[point]);
    if (!lt_is_in_cell(at)) return false;
    double weights[8];
    lt_cell_weights(weights, (lt_dvec3){within_one(at.x), within_one(at.y), within_one(at.z)});
    for (size_t k = 0; k < 8; k++) {
        t->ids[8 * (size_t)point + k] = lt_cell_at(b->mesh, cell)[k];
        t->weights[8 * (size_t)point + k] = (float)weights[k];
    }
    return true;
}

static lt_status embed_points(tables *t, const lt_cell_skin_build *b, lt_error *error) {
    for (uint32_t point = 0; point < b->surface->vertex_count; point++)
        if (!embed_point(t, b, point))
            return lt_fail(error, LT_STATUS_INVALID, "surface vertex %u lies in no cell", point);
    return LT_OK;
}

static void add_chunks(lt_shape_builder *builder, const tables *t, const lt_cell_skin_build *b) {
    uint64_t points = b->surface->vertex_count, triangles = b->surface->triangle_count;
    uint64_t cells = b->mesh->cell_count;
    lt_shape_builder_add(builder, LT_CHUNK_EMBED_TETS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(points),
                         b->vertex_cells);
    lt_shape_builder_add(builder, LT_CHUNK_EMBED_IDS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(points, 8), t->ids);
    lt_shape_builder_add(builder, LT_CHUNK_EMBED_WEIGHTS, LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(points, 8),
                         t->weights);
    lt_shape_builder_add(builder, LT_CHUNK_SURFACE_CELLS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(triangles),
                         b->triangle_cells);
    lt_shape_builder_add(builder, LT_CHUNK_SURFACE_PARENTS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(triangles),
                         b->triangle_parents);
    lt_shape_builder_add(builder, LT_CHUNK_CELL_BOXES, LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(cells, 6), b->boxes);
    lt_shape_builder_add(builder, LT_CHUNK_CELL_MASKS, LT_SHAPE_TYPE_U8, LT_SHAPE_DIMS(cells), b->masks);
}

lt_status lt_skin_write_cells(lt_shape_builder *builder, const lt_cell_skin_build *build, lt_error *error) {
    size_t count = 8 * (size_t)build->surface->vertex_count;
    tables t = {LT_NEW(build->allocator, count, uint32_t), LT_NEW(build->allocator, count, float)};
    lt_status status = LT_OK;
    if (!t.ids || !t.weights)
        status =
            lt_fail(error, LT_STATUS_MEMORY, "no memory to embed %u vertices", build->surface->vertex_count);
    if (status == LT_OK) status = embed_points(&t, build, error);
    if (status == LT_OK) status = lt_skin_add_surface(builder, build->surface, build->allocator, error);
    if (status == LT_OK) add_chunks(builder, &t, build);
    if (status == LT_OK)
        status = lt_skin_add_distance(builder, build->whole ? build->whole : build->surface,
                                      build->distance_cells, build->allocator, error);
    LT_DELETE(build->allocator, t.ids, count, uint32_t);
    LT_DELETE(build->allocator, t.weights, count, float);
    return status;
}
