/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The carrier's chunks: written once by bake, read as views. The sparsity pattern of tets is baked too: it depends
 * on them alone, and building it is the only sorting a body would need. Cells: see carrier_cells.c. */

#include "body/models.h"

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

lt_status lt_carrier_write(lt_shape_builder *builder, const lt_tet_mesh *mesh, const float *fill,
                           const lt_allocator *allocator, lt_error *error) {
    pattern_build build = {0};
    float *ones = fill ? NULL : LT_NEW(allocator, mesh->tet_count, float);
    bool ok = (fill || ones) && allocate_pattern(&build, mesh, allocator);
    if (ok) {
        for (uint32_t i = 0; ones && i < mesh->tet_count; i++)
            ones[i] = 1;
        build_pattern(&build, mesh);
        add_chunks(builder, mesh, fill ? fill : ones, &build);
    }
    free_pattern(&build, mesh, allocator);
    LT_DELETE(allocator, ones, mesh->tet_count, float);
    return ok ? LT_OK
              : lt_fail(error, LT_STATUS_MEMORY, "no memory for a carrier of %u tets", mesh->tet_count);
}

bool lt_all_below(const uint32_t *values, uint64_t count, uint64_t limit) {
    for (uint64_t i = 0; i < count; i++)
        if (values[i] >= limit) return false;
    return true;
}

/* Entries name the very blocks of their tet's corners, rows ascend: what the models take for granted. */
static bool pattern_is_sound(const lt_carrier *c, uint64_t column_count) {
    const lt_sparse_pattern *p = &c->pattern;
    if (p->row_begin[0] != 0 || p->row_begin[c->node_count] != column_count) return false;
    for (uint32_t row = 0; row < c->node_count; row++) {
        if (p->row_begin[row] >= p->row_begin[row + 1] || p->row_begin[row + 1] > column_count) return false;
        if (p->diagonal[row] < p->row_begin[row] || p->diagonal[row] >= p->row_begin[row + 1]) return false;
        if (p->columns[p->diagonal[row]] != row) return false;
    }
    for (uint32_t tet = 0; tet < c->tet_count; tet++)
        for (int k = 0; k < 16; k++) {
            uint32_t entry = c->entries[16 * (size_t)tet + (size_t)k];
            uint32_t row = c->tets[4 * (size_t)tet + (size_t)(k / 4)];
            if (entry < p->row_begin[row] || entry >= p->row_begin[row + 1]) return false;
            if (p->columns[entry] != c->tets[4 * (size_t)tet + (size_t)(k % 4)]) return false;
        }
    return true;
}

lt_status lt_carrier_check_nodes(const lt_carrier *c, const char *name, lt_error *error) {
    for (size_t i = 0; i < 3 * (size_t)c->node_count; i++)
        if (!(c->rest[i] - c->rest[i] == 0))
            return lt_fail(error, LT_STATUS_INVALID, "shape '%s': node %zu is not finite", name, i / 3);
    return LT_OK;
}

static lt_status check_fill(const lt_carrier *c, const char *name, lt_error *error) {
    for (uint32_t tet = 0; tet < c->tet_count; tet++)
        if (!(c->fill[tet] >= LT_FILL_READ_LEAST && c->fill[tet] <= 1))
            return lt_fail(error, LT_STATUS_INVALID, "shape '%s': tet %u: fill %g is not in [1e-9, 1]", name,
                           tet, c->fill[tet]);
    return LT_OK;
}

static lt_status read_tets(lt_carrier *out, uint64_t nodes, const lt_shape *shape, lt_error *error) {
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, 4);
    if (!(out->tets = lt_shape_u32(shape, LT_CHUNK_TETS, &dims, error))) return error->status;
    uint64_t tets = dims.size[0];
    const char *name = lt_shape_name(shape);
    if (nodes == 0 || tets == 0 || nodes >= UINT32_MAX || tets >= UINT32_MAX / 16)
        return lt_fail(error, LT_STATUS_INVALID, "shape '%s': %llu nodes and %llu tets cannot be simulated",
                       name, (unsigned long long)nodes, (unsigned long long)tets);
    out->node_count = out->pattern.row_count = (uint32_t)nodes;
    out->tet_count = (uint32_t)tets;
    dims = LT_SHAPE_DIMS(tets);
    if (!(out->fill = lt_shape_f32(shape, LT_CHUNK_FILL, &dims, error))) return error->status;
    dims = LT_SHAPE_DIMS(nodes + 1);
    if (!(out->pattern.row_begin = lt_shape_u32(shape, LT_CHUNK_ROW_BEGIN, &dims, error)))
        return error->status;
    dims = LT_SHAPE_DIMS(nodes);
    if (!(out->pattern.diagonal = lt_shape_u32(shape, LT_CHUNK_DIAGONAL, &dims, error))) return error->status;
    dims = LT_SHAPE_DIMS(tets, 16);
    if (!(out->entries = lt_shape_u32(shape, LT_CHUNK_ENTRIES, &dims, error))) return error->status;
    dims = LT_SHAPE_DIMS(LT_SHAPE_ANY);
    if (!(out->pattern.columns = lt_shape_u32(shape, LT_CHUNK_COLUMNS, &dims, error))) return error->status;
    if (!lt_all_below(out->tets, 4 * tets, nodes) ||
        !lt_all_below(out->pattern.columns, dims.size[0], nodes) || !pattern_is_sound(out, dims.size[0]))
        return lt_fail(error, LT_STATUS_INVALID,
                       "shape '%s': carrier indices are inconsistent; bake it again", name);
    lt_status status = lt_carrier_check_nodes(out, name, error);
    return status == LT_OK ? check_fill(out, name, error) : status;
}

lt_status lt_carrier_read(lt_carrier *out, const lt_shape *shape, lt_error *error) {
    lt_error local;
    if (!error) error = &local;
    *out = (lt_carrier){0};
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, 3);
    if (!(out->rest = lt_shape_f64(shape, LT_CHUNK_NODES, &dims, error))) return error->status;
    bool lattice = lt_shape_has(shape, LT_CHUNK_CELLS);
    lt_status status = lattice ? lt_carrier_read_cells(out, dims.size[0], shape, error)
                               : read_tets(out, dims.size[0], shape, error);
    /* With rows but without levels, all of them would be taken for one mesh. */
    bool ladder =
        lt_shape_has(shape, LT_CHUNK_LADDER_LEVELS) || lt_shape_has(shape, LT_CHUNK_LADDER_ABOVE_TETS);
    if (status == LT_OK && !lattice && ladder) status = lt_ladder_read(&out->ladder, out, shape, error);
    if (status != LT_OK) *out = (lt_carrier){0};
    return status;
}
