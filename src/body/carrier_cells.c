/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The chunks of a lattice, and what every model and every box of a cell takes for granted of one: indices in range,
 * and each node where the places of all its cells say, so that cells which share nodes are neighbours in the grid. */

#include "body/models.h"

#include <math.h>

/* How far a node may be from its place: roundings of the grid's arithmetic, and of an origin far away. */
static double place_tolerance(const lt_carrier *c, const double origin[3]) {
    double far = lt_max_d(fabs(origin[0]), lt_max_d(fabs(origin[1]), fabs(origin[2])));
    return 1e-6 * c->cell_size + 1e-15 * far;
}

static lt_status check_places(const lt_carrier *c, const char *name, lt_error *error) {
    double origin[3];
    for (int k = 0; k < 3; k++)
        origin[k] = c->rest[3 * (size_t)c->cells[0] + (size_t)k] -
                    c->cell_size * lt_cell_place_along(c->places[0], k);
    double tolerance = place_tolerance(c, origin);
    for (uint32_t cell = 0; cell < c->cell_count; cell++)
        for (uint32_t corner = 0; corner < 8; corner++)
            for (int k = 0; k < 3; k++) {
                double step = lt_cell_place_along(c->places[cell], k) + (corner >> k & 1);
                double is = c->rest[3 * (size_t)c->cells[8 * (size_t)cell + corner] + (size_t)k];
                if (!(fabs(is - (origin[k] + step * c->cell_size)) <= tolerance))
                    return lt_fail(
                        error, LT_STATUS_INVALID,
                        "shape '%s': cell %u: corner %u is not where its place in the grid is; bake "
                        "the shape again",
                        name, cell, corner);
            }
    return LT_OK;
}

lt_status lt_carrier_check_cells(const lt_carrier *c, const char *name, lt_error *error) {
    if (c->node_count == 0 || c->cell_count == 0)
        return lt_fail(error, LT_STATUS_INVALID, "shape '%s': a lattice without cells cannot be simulated",
                       name);
    if (!(c->cell_size > 0 && c->cell_size - c->cell_size == 0))
        return lt_fail(error, LT_STATUS_INVALID, "shape '%s': cells of size %g", name, c->cell_size);
    if (!lt_all_below(c->cells, 8 * (uint64_t)c->cell_count, c->node_count) ||
        !lt_all_below(c->places, c->cell_count, (uint64_t)1 << 3 * LT_PLACE_BITS))
        return lt_fail(error, LT_STATUS_INVALID,
                       "shape '%s': carrier indices are inconsistent; bake it again", name);
    for (uint32_t cell = 0; cell < c->cell_count; cell++)
        if (!(c->cell_fill[cell] >= LT_FILL_READ_LEAST && c->cell_fill[cell] <= 1))
            return lt_fail(error, LT_STATUS_INVALID, "shape '%s': cell %u: fill %g is not in [1e-9, 1]", name,
                           cell, c->cell_fill[cell]);
    lt_status status = lt_carrier_check_nodes(c, name, error);
    return status == LT_OK ? check_places(c, name, error) : status;
}

lt_status lt_carrier_read_cells(lt_carrier *out, uint64_t node_count, const lt_shape *shape,
                                lt_error *error) {
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, 8);
    if (!(out->cells = lt_shape_u32(shape, LT_CHUNK_CELLS, &dims, error))) return error->status;
    uint64_t cells = dims.size[0];
    dims = LT_SHAPE_DIMS(cells);
    if (!(out->places = lt_shape_u32(shape, LT_CHUNK_PLACES, &dims, error))) return error->status;
    if (!(out->cell_fill = lt_shape_f32(shape, LT_CHUNK_CELL_FILL, &dims, error))) return error->status;
    dims = LT_SHAPE_DIMS(1);
    const double *size = lt_shape_f64(shape, LT_CHUNK_CELL_SIZE, &dims, error);
    if (!size) return error->status;
    out->cell_size = *size;
    const char *name = lt_shape_name(shape);
    /* 28 springs of a cell are counted in 32 bits. */
    if (node_count >= UINT32_MAX || cells >= UINT32_MAX / 32)
        return lt_fail(error, LT_STATUS_INVALID, "shape '%s': %llu nodes and %llu cells cannot be simulated",
                       name, (unsigned long long)node_count, (unsigned long long)cells);
    out->node_count = (uint32_t)node_count;
    out->cell_count = (uint32_t)cells;
    return lt_carrier_check_cells(out, name, error);
}
