/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The carrier's chunks, read as views; bake/carrier_write.c writes them. Cells: see carrier_cells.c. */

#include "body/models.h"

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
    LT_VALIDATE(lt_validate_pattern(&out->pattern));
    lt_status status = lt_carrier_check_nodes(out, name, error);
    return status == LT_OK ? check_fill(out, name, error) : status;
}

/* That each node is there once is looked at where a plan is made, which has memory to do so. */
static lt_status read_order(lt_carrier *out, const lt_shape *shape, lt_error *error) {
    uint32_t count = out->ladder.level_count ? out->ladder.node_begin[1] : out->node_count;
    lt_shape_dims dims = LT_SHAPE_DIMS(count);
    if (!lt_shape_has(shape, LT_CHUNK_ORDER)) return LT_OK;
    if (!(out->order = lt_shape_u32(shape, LT_CHUNK_ORDER, &dims, error))) return error->status;
    if (lt_all_below(out->order, count, count)) return LT_OK;
    return lt_fail(error, LT_STATUS_INVALID,
                   "shape '%s': chunk '%s' names nodes that are not there; bake it again",
                   lt_shape_name(shape), LT_CHUNK_ORDER);
}

lt_status lt_carrier_read(lt_carrier *out, const lt_shape *shape, lt_error *error) {
    lt_error local;
    if (!error) error = &local;
    *out = (lt_carrier){.shape = shape};
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, 3);
    if (!(out->rest = lt_shape_f64(shape, LT_CHUNK_NODES, &dims, error))) return error->status;
    bool lattice = lt_shape_has(shape, LT_CHUNK_CELLS);
    lt_status status = lattice ? lt_carrier_read_cells(out, dims.size[0], shape, error)
                               : read_tets(out, dims.size[0], shape, error);
    /* With rows but without levels, all of them would be taken for one mesh. */
    bool ladder =
        lt_shape_has(shape, LT_CHUNK_LADDER_LEVELS) || lt_shape_has(shape, LT_CHUNK_LADDER_ABOVE_TETS);
    if (status == LT_OK && !lattice && ladder) status = lt_ladder_read(&out->ladder, out, shape, error);
    if (status == LT_OK && !lattice) status = read_order(out, shape, error);
    if (status != LT_OK) *out = (lt_carrier){0};
    return status;
}

lt_status lt_carrier_read_finest(lt_carrier *out, const lt_shape *shape, lt_error *error) {
    lt_carrier whole;
    lt_status status = lt_carrier_read(&whole, shape, error);
    *out = lt_carrier_finest(&whole);
    return status;
}
