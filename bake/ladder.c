/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The stages in order, and the result as chunks. */

#include "bake/ladder.h"
#include "bake/carrier_write.h"

#include <string.h>

/* One mesh of all levels, the finest first. */
static lt_status join_levels(lt_ladder_build *b, lt_error *error) {
    lt_ladder *l = &b->ladder;
    l->level_count = b->level_count;
    uint64_t nodes = 0, tets = 0;
    for (uint32_t i = 0; i < b->level_count; i++) {
        nodes += b->levels[i].mesh.node_count;
        tets += b->levels[i].mesh.tet_count;
        if (tets >= UINT32_MAX / 16)
            return lt_fail(error, LT_STATUS_INVALID, "%s: the levels have more tets than can be numbered",
                           b->name);
        l->node_begin[i + 1] = (uint32_t)nodes;
        l->tet_begin[i + 1] = (uint32_t)tets;
    }
    lt_status status = lt_tet_mesh_allocate(&b->mesh, (uint32_t)nodes, (uint32_t)tets, &b->allocator, error);
    b->fill = LT_NEW(&b->allocator, tets, float);
    if (status != LT_OK || !b->fill)
        return lt_fail(error, LT_STATUS_MEMORY, "%s: no memory for %llu tets", b->name,
                       (unsigned long long)tets);
    for (uint32_t i = 0; i < b->level_count; i++) {
        const lt_ladder_level *level = &b->levels[i];
        memcpy(b->mesh.positions + l->node_begin[i], level->mesh.positions,
               level->mesh.node_count * sizeof *level->mesh.positions);
        memcpy(b->fill + l->tet_begin[i], level->fill, level->mesh.tet_count * sizeof *level->fill);
        for (size_t k = 0; k < 4 * (size_t)level->mesh.tet_count; k++)
            b->mesh.tets[4 * (size_t)l->tet_begin[i] + k] = l->node_begin[i] + level->mesh.tets[k];
    }
    return LT_OK;
}

static void fill_view(lt_ladder_build *b) {
    lt_ladder *l = &b->ladder;
    l->above_tets = b->above_tets;
    l->above_weights = b->above_weights;
    l->far_tets = b->far_tets;
    l->far_weights = b->far_weights;
    l->parents = b->parents;
    l->below_tets = b->below_tets;
    l->below_weights = b->below_weights;
    l->cascade_begin = b->cascade.offsets;
    l->cascade = b->cascade.items;
    l->piece_tets = b->piece_tets.items;
    l->piece_volumes = b->piece_volumes.items;
    l->piece_count = (uint32_t)b->piece_volumes.count;
}

lt_status lt_ladder_finish(lt_ladder_build *b, lt_error *error) {
    lt_status status = join_levels(b, error);
    if (status == LT_OK) status = lt_ladder_find_anchors(b, error);
    if (status == LT_OK) status = lt_ladder_make_rows(b, error);
    if (status == LT_OK) status = lt_ladder_make_cascade(b, error);
    if (status == LT_OK) status = lt_ladder_make_pieces(b, error);
    if (status == LT_OK) fill_view(b);
    return status;
}

lt_status lt_ladder_add_chunks(lt_shape_builder *builder, const lt_ladder_build *b, lt_error *error) {
    lt_status status = lt_carrier_write_levels(builder, &b->mesh, b->fill, b->ladder.node_begin[1],
                                               b->ladder.tet_begin[1], &b->allocator, error);
    if (status == LT_OK) lt_ladder_write(builder, &b->ladder);
    return status;
}

static void free_level(lt_ladder_build *b, uint32_t i) {
    lt_ladder_level *level = &b->levels[i];
    LT_DELETE(&b->allocator, b->anchors[i], level->mesh.tet_count, uint32_t);
    LT_DELETE(&b->allocator, level->fill, level->mesh.tet_count, float);
    LT_DELETE(&b->allocator, level->vertex_tets, b->surface->vertex_count, uint32_t);
    lt_tet_finder_free(&b->finders[i]);
    lt_tet_mesh_free(&level->mesh);
}

void lt_ladder_free(lt_ladder_build *b) {
    size_t above = b->level_count > 0 ? b->ladder.node_begin[b->level_count - 1] : 0;
    size_t below = b->mesh.node_count - b->ladder.node_begin[1];
    LT_DELETE(&b->allocator, b->above_tets, above, uint32_t);
    LT_DELETE(&b->allocator, b->parents, above, uint32_t);
    LT_DELETE(&b->allocator, b->above_weights, 4 * above, float);
    size_t far = b->level_count > 0 ? lt_ladder_far_count(&b->ladder) : 0;
    LT_DELETE(&b->allocator, b->far_tets, far, uint32_t);
    LT_DELETE(&b->allocator, b->far_weights, 4 * far, float);
    LT_DELETE(&b->allocator, b->below_tets, below, uint32_t);
    LT_DELETE(&b->allocator, b->below_weights, 4 * below, float);
    LT_DELETE(&b->allocator, b->cascade.offsets, (size_t)b->cascade.row_count + 1, uint32_t);
    LT_DELETE(&b->allocator, b->cascade.items, b->cascade.item_count, uint32_t);
    lt_array_free(&b->piece_tets);
    lt_array_free(&b->piece_volumes);
    LT_DELETE(&b->allocator, b->fill, b->ladder.tet_begin[b->ladder.level_count], float);
    for (uint32_t i = 0; i < LT_LADDER_MOST; i++)
        free_level(b, i);
    lt_tet_mesh_free(&b->mesh);
    lt_voxels_free(&b->voxels);
    lt_solid_free(&b->solid);
    *b = (lt_ladder_build){0};
}
