/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/governors.h"

#include "bound/multiscale_chunks.h"

static void add(lt_shape_builder *builder, const char *chunk, lt_shape_type type, const lt_array *list,
                uint64_t width) {
    lt_shape_builder_add(builder, chunk, type,
                         width == 1 ? LT_SHAPE_DIMS(list->count) : LT_SHAPE_DIMS(list->count, width),
                         list->items);
}

/* Nodes and weights of points lie side by side in memory, and apart in the shape, as those of skins do. */
static void add_points(lt_shape_builder *builder, const lt_array *points) {
    const lt_cut_point *p = points->items;
    const lt_allocator *a = &points->allocator;
    uint32_t *ids = LT_NEW(a, 4 * points->count, uint32_t);
    float *weights = LT_NEW(a, 4 * points->count, float);
    for (size_t i = 0; i < 4 * points->count && ids && weights; i++) {
        ids[i] = p[i / 4].ids[i % 4];
        weights[i] = p[i / 4].weights[i % 4];
    }
    if (ids && weights) {
        lt_shape_builder_add(builder, LT_CHUNK_MULTISCALE_IDS, LT_SHAPE_TYPE_U32,
                             LT_SHAPE_DIMS(points->count, 4), ids);
        lt_shape_builder_add(builder, LT_CHUNK_MULTISCALE_WEIGHTS, LT_SHAPE_TYPE_F32,
                             LT_SHAPE_DIMS(points->count, 4), weights);
    } else if (builder->error.status == LT_OK) {
        lt_fail(&builder->error, LT_STATUS_MEMORY, "no memory to write %zu points", points->count);
    }
    LT_DELETE(a, ids, 4 * points->count, uint32_t);
    LT_DELETE(a, weights, 4 * points->count, float);
}

static void add_levels(lt_shape_builder *builder, const lt_governed *g) {
    uint64_t width = g->level_groups.count / g->above.count;
    lt_shape_builder_add(builder, LT_CHUNK_MULTISCALE_FINEST, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(3), g->finest);
    lt_shape_builder_add(builder, LT_CHUNK_MULTISCALE_LEVEL_GROUPS, LT_SHAPE_TYPE_U32,
                         LT_SHAPE_DIMS(g->above.count, width), g->level_groups.items);
    add(builder, LT_CHUNK_MULTISCALE_SAMPLE_BEGIN, LT_SHAPE_TYPE_U32, &g->sample_begin, 1);
    add(builder, LT_CHUNK_MULTISCALE_SAMPLES, LT_SHAPE_TYPE_U32, &g->samples, 1);
    add(builder, LT_CHUNK_MULTISCALE_SAMPLE_WEIGHTS, LT_SHAPE_TYPE_F32, &g->sample_weights, 3);
}

void lt_governed_write(lt_shape_builder *builder, const lt_governed *g) {
    const uint32_t header[LT_MULTISCALE_HEADER_SIZE] = {[LT_MULTISCALE_HEADER_CUT] = g->cut_count,
                                                        [LT_MULTISCALE_HEADER_SPANNING] = g->spanning_count,
                                                        [LT_MULTISCALE_HEADER_GOVERNORS_MAX] =
                                                            g->governors_max};
    lt_shape_builder_add(builder, LT_CHUNK_MULTISCALE_HEADER, LT_SHAPE_TYPE_U32,
                         LT_SHAPE_DIMS(LT_MULTISCALE_HEADER_SIZE), header);
    add(builder, LT_CHUNK_MULTISCALE_NODES, LT_SHAPE_TYPE_U32, &g->nodes, 3);
    add(builder, LT_CHUNK_MULTISCALE_LINKS, LT_SHAPE_TYPE_U32, &g->links, 3);
    add(builder, LT_CHUNK_MULTISCALE_ABOVE, LT_SHAPE_TYPE_U32, &g->above, 1);
    add(builder, LT_CHUNK_MULTISCALE_GROUPS, LT_SHAPE_TYPE_U32, &g->groups, 2);
    add(builder, LT_CHUNK_MULTISCALE_GROUP_NODES, LT_SHAPE_TYPE_U32, &g->group_nodes, 1);
    add(builder, LT_CHUNK_MULTISCALE_RECORDS, LT_SHAPE_TYPE_F32, &g->records, LT_RECORD_NUMBERS);
    add(builder, LT_CHUNK_MULTISCALE_RECORD_GOVERNORS, LT_SHAPE_TYPE_U32, &g->record_governors, 1);
    add(builder, LT_CHUNK_MULTISCALE_GOVERNORS, LT_SHAPE_TYPE_U32, &g->governors, 1);
    add(builder, LT_CHUNK_MULTISCALE_BUNCHES, LT_SHAPE_TYPE_U32, &g->bunches, 4);
    add(builder, LT_CHUNK_MULTISCALE_GUESTS, LT_SHAPE_TYPE_U32, &g->guests, 1);
    add_points(builder, &g->points);
    add(builder, LT_CHUNK_MULTISCALE_VERTICES, LT_SHAPE_TYPE_U32, &g->vertices, 1);
    add(builder, LT_CHUNK_MULTISCALE_TRIANGLES, LT_SHAPE_TYPE_U32, &g->triangles, 3);
    add(builder, LT_CHUNK_MULTISCALE_TRIANGLE_TETS, LT_SHAPE_TYPE_U32, &g->triangle_tets, 1);
    add(builder, LT_CHUNK_MULTISCALE_PARENTS, LT_SHAPE_TYPE_U32, &g->parents, 1);
    if (g->level_groups.count > 0) add_levels(builder, g);
}
