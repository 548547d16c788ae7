/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The chunks of a carrier, written once. The sparsity pattern of tets is baked too: it depends on them alone, and building it
 * is the only sorting a body would need. So is the order in which factors eliminate nodes, where carriers have factors. */

#include "bake/carrier_write.h"

#include "core/factor.h"

typedef struct pattern_build {
    uint32_t *row_begin; /* [node_count + 1] */
    uint32_t *columns;   /* [entry_count] */
    uint32_t *diagonal;  /* [node_count] */
    uint32_t *entries;   /* [tet_count][16] */
    uint32_t *tet_begin; /* [node_count + 1] node -> tets */
    uint32_t *tets_of;   /* [4 tet_count] */
    size_t column_capacity;
} pattern_build;

static bool allocate_pattern(pattern_build *b, const lt_tet_mesh *mesh, const lt_allocator *allocator) {
    b->column_capacity =
        16 * (size_t)mesh->tet_count + mesh->node_count; /* nodes of no tet have one column */
    b->row_begin = LT_NEW(allocator, (size_t)mesh->node_count + 1, uint32_t);
    b->columns = LT_NEW(allocator, b->column_capacity, uint32_t);
    b->diagonal = LT_NEW(allocator, mesh->node_count, uint32_t);
    b->entries = LT_NEW(allocator, 16 * (size_t)mesh->tet_count, uint32_t);
    b->tet_begin = LT_NEW(allocator, (size_t)mesh->node_count + 1, uint32_t);
    b->tets_of = LT_NEW(allocator, 4 * (size_t)mesh->tet_count, uint32_t);
    return b->row_begin && b->columns && b->diagonal && b->entries && b->tet_begin && b->tets_of;
}

static void free_pattern(pattern_build *b, const lt_tet_mesh *mesh, const lt_allocator *allocator) {
    LT_DELETE(allocator, b->row_begin, (size_t)mesh->node_count + 1, uint32_t);
    LT_DELETE(allocator, b->columns, b->column_capacity, uint32_t);
    LT_DELETE(allocator, b->diagonal, mesh->node_count, uint32_t);
    LT_DELETE(allocator, b->entries, 16 * (size_t)mesh->tet_count, uint32_t);
    LT_DELETE(allocator, b->tet_begin, (size_t)mesh->node_count + 1, uint32_t);
    LT_DELETE(allocator, b->tets_of, 4 * (size_t)mesh->tet_count, uint32_t);
}

static void list_tets_of_nodes(pattern_build *b, const lt_tet_mesh *mesh) {
    size_t corner_count = 4 * (size_t)mesh->tet_count;
    for (size_t i = 0; i < corner_count; i++)
        b->tet_begin[mesh->tets[i] + 1]++;
    for (uint32_t node = 0; node < mesh->node_count; node++)
        b->tet_begin[node + 1] += b->tet_begin[node];
    /* diagonal serves as the fill cursor until it gets its own meaning */
    for (uint32_t node = 0; node < mesh->node_count; node++)
        b->diagonal[node] = b->tet_begin[node];
    for (size_t i = 0; i < corner_count; i++)
        b->tets_of[b->diagonal[mesh->tets[i]]++] = (uint32_t)(i / 4);
}

static void sort_ascending(uint32_t *values, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        uint32_t value = values[i], j = i;
        for (; j > 0 && values[j - 1] > value; j--)
            values[j] = values[j - 1];
        values[j] = value;
    }
}

/* The nodes that share a tet with `node`, itself included, ascending; returns how many. */
static uint32_t list_neighbours(uint32_t *out, const pattern_build *b, const lt_tet_mesh *mesh,
                                uint32_t node) {
    uint32_t count = 0;
    for (uint32_t i = b->tet_begin[node]; i < b->tet_begin[node + 1]; i++)
        for (int k = 0; k < 4; k++)
            out[count++] = lt_tet_at(mesh, b->tets_of[i])[k];
    if (count == 0) out[count++] = node; /* a node of no tet still has a mass */
    sort_ascending(out, count);
    uint32_t unique = 0;
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || out[i] != out[unique - 1]) out[unique++] = out[i];
    return unique;
}

static uint32_t find_entry(const pattern_build *b, uint32_t row, uint32_t column) {
    uint32_t lo = b->row_begin[row], hi = b->row_begin[row + 1] - 1;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (b->columns[middle] < column)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

static void build_pattern(pattern_build *b, const lt_tet_mesh *mesh) {
    list_tets_of_nodes(b, mesh);
    for (uint32_t node = 0; node < mesh->node_count; node++)
        b->row_begin[node + 1] =
            b->row_begin[node] + list_neighbours(b->columns + b->row_begin[node], b, mesh, node);
    for (uint32_t node = 0; node < mesh->node_count; node++)
        b->diagonal[node] = find_entry(b, node, node);
    for (uint32_t tet = 0; tet < mesh->tet_count; tet++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                b->entries[16 * (size_t)tet + (size_t)(4 * i + j)] =
                    find_entry(b, lt_tet_at(mesh, tet)[i], lt_tet_at(mesh, tet)[j]);
}

static void add_chunks(lt_shape_builder *builder, const lt_tet_mesh *mesh, const float *fill,
                       const pattern_build *b) {
    uint64_t nodes = mesh->node_count, tets = mesh->tet_count;
    lt_shape_builder_add(builder, LT_CHUNK_NODES, LT_SHAPE_TYPE_F64, LT_SHAPE_DIMS(nodes, 3),
                         mesh->positions);
    lt_shape_builder_add(builder, LT_CHUNK_TETS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(tets, 4), mesh->tets);
    lt_shape_builder_add(builder, LT_CHUNK_FILL, LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(tets), fill);
    lt_shape_builder_add(builder, LT_CHUNK_ROW_BEGIN, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(nodes + 1),
                         b->row_begin);
    lt_shape_builder_add(builder, LT_CHUNK_COLUMNS, LT_SHAPE_TYPE_U32,
                         LT_SHAPE_DIMS(b->row_begin[mesh->node_count]), b->columns);
    lt_shape_builder_add(builder, LT_CHUNK_DIAGONAL, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(nodes), b->diagonal);
    lt_shape_builder_add(builder, LT_CHUNK_ENTRIES, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(tets, 16), b->entries);
}

static lt_status add_order(lt_shape_builder *builder, const pattern_build *b, uint32_t node_count,
                           const lt_allocator *allocator, lt_error *error) {
    const lt_sparse_pattern pattern = {
        .row_begin = b->row_begin, .columns = b->columns, .diagonal = b->diagonal, .row_count = node_count};
    uint32_t *order = LT_NEW(allocator, node_count, uint32_t);
    if (!order) return lt_fail(error, LT_STATUS_MEMORY, "no memory for the order of %u nodes", node_count);
    lt_status status = lt_factor_order(order, &pattern, allocator, error);
    if (status == LT_OK)
        lt_shape_builder_add(builder, LT_CHUNK_ORDER, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(node_count), order);
    LT_DELETE(allocator, order, node_count, uint32_t);
    return status;
}

lt_status lt_carrier_write(lt_shape_builder *builder, const lt_tet_mesh *mesh, const float *fill,
                           const lt_allocator *allocator, lt_error *error) {
    return lt_carrier_write_levels(builder, mesh, fill, mesh->node_count, mesh->tet_count, allocator, error);
}

lt_status lt_carrier_write_levels(lt_shape_builder *builder, const lt_tet_mesh *mesh, const float *fill,
                                  uint32_t finest_nodes, uint32_t finest_tets, const lt_allocator *allocator,
                                  lt_error *error) {
    pattern_build build = {0};
    float *ones = fill ? NULL : LT_NEW(allocator, mesh->tet_count, float);
    bool ok = (fill || ones) && allocate_pattern(&build, mesh, allocator);
    lt_status status = LT_OK;
    if (ok) {
        for (uint32_t i = 0; ones && i < mesh->tet_count; i++)
            ones[i] = 1;
        build_pattern(&build, mesh);
        add_chunks(builder, mesh, fill ? fill : ones, &build);
        if (finest_tets <= LT_REST_FACTOR_TETS)
            status = add_order(builder, &build, finest_nodes, allocator, error);
    }
    free_pattern(&build, mesh, allocator);
    LT_DELETE(allocator, ones, mesh->tet_count, float);
    return ok ? status
              : lt_fail(error, LT_STATUS_MEMORY, "no memory for a carrier of %u tets", mesh->tet_count);
}

lt_status lt_carrier_write_cells(lt_shape_builder *builder, const lt_cell_mesh *mesh,
                                 const lt_allocator *allocator, lt_error *error) {
    (void)allocator; /* lattices need nothing computed; the builder has its own */
    uint64_t nodes = mesh->node_count, cells = mesh->cell_count;
    lt_carrier written = {.rest = (const double *)mesh->positions,
                          .node_count = mesh->node_count,
                          .cell_count = mesh->cell_count,
                          .cells = mesh->cells,
                          .places = mesh->places,
                          .cell_fill = mesh->fill,
                          .cell_size = mesh->cell_size};
    lt_status status = lt_carrier_check_cells(&written, "lattice", error);
    if (status != LT_OK) return status;
    lt_shape_builder_add(builder, LT_CHUNK_NODES, LT_SHAPE_TYPE_F64, LT_SHAPE_DIMS(nodes, 3),
                         mesh->positions);
    lt_shape_builder_add(builder, LT_CHUNK_CELLS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(cells, 8), mesh->cells);
    lt_shape_builder_add(builder, LT_CHUNK_PLACES, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(cells), mesh->places);
    lt_shape_builder_add(builder, LT_CHUNK_CELL_FILL, LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(cells), mesh->fill);
    lt_shape_builder_add(builder, LT_CHUNK_CELL_SIZE, LT_SHAPE_TYPE_F64, LT_SHAPE_DIMS(1), &mesh->cell_size);
    return LT_OK;
}

static void add_levels(lt_shape_builder *builder, const lt_ladder *l) {
    uint32_t counts[LT_LADDER_MOST][2];
    for (uint32_t level = 0; level < l->level_count; level++) {
        counts[level][0] = l->node_begin[level + 1] - l->node_begin[level];
        counts[level][1] = l->tet_begin[level + 1] - l->tet_begin[level];
    }
    lt_shape_builder_add(builder, LT_CHUNK_LADDER_LEVELS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(l->level_count, 2),
                         counts);
}

void lt_ladder_write(lt_shape_builder *builder, const lt_ladder *l) {
    uint32_t above = l->node_begin[l->level_count - 1];
    uint32_t nodes = l->node_begin[l->level_count];
    uint32_t below = nodes - l->node_begin[1];
    add_levels(builder, l);
    lt_shape_builder_add(builder, LT_CHUNK_LADDER_ABOVE_TETS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(above),
                         l->above_tets);
    lt_shape_builder_add(builder, LT_CHUNK_LADDER_ABOVE_WEIGHTS, LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(above, 4),
                         l->above_weights);
    size_t far = lt_ladder_far_count(l);
    lt_shape_builder_add(builder, LT_CHUNK_LADDER_FAR_TETS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(far),
                         l->far_tets);
    lt_shape_builder_add(builder, LT_CHUNK_LADDER_FAR_WEIGHTS, LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(far, 4),
                         l->far_weights);
    lt_shape_builder_add(builder, LT_CHUNK_LADDER_PARENTS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(above),
                         l->parents);
    lt_shape_builder_add(builder, LT_CHUNK_LADDER_BELOW_TETS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(below),
                         l->below_tets);
    lt_shape_builder_add(builder, LT_CHUNK_LADDER_BELOW_WEIGHTS, LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(below, 4),
                         l->below_weights);
    lt_shape_builder_add(builder, LT_CHUNK_LADDER_CASCADE_BEGIN, LT_SHAPE_TYPE_U32,
                         LT_SHAPE_DIMS((uint64_t)nodes + 1), l->cascade_begin);
    lt_shape_builder_add(builder, LT_CHUNK_LADDER_CASCADE, LT_SHAPE_TYPE_U32,
                         LT_SHAPE_DIMS(l->cascade_begin[nodes]), l->cascade);
    lt_shape_builder_add(builder, LT_CHUNK_LADDER_PIECE_TETS, LT_SHAPE_TYPE_U32,
                         LT_SHAPE_DIMS(l->piece_count, l->level_count), l->piece_tets);
    lt_shape_builder_add(builder, LT_CHUNK_LADDER_PIECE_VOLUMES, LT_SHAPE_TYPE_F32,
                         LT_SHAPE_DIMS(l->piece_count), l->piece_volumes);
}
