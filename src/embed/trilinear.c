/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Reading a surface that hangs on a lattice. Every point lies in its cell, so that no weight is negative: a deformed point
 * is within whatever is convex around the eight nodes. */

#include "embed/skin_internal.h"

void lt_cell_weights(double weights[8], lt_dvec3 at) {
    for (uint32_t corner = 0; corner < 8; corner++)
        weights[corner] =
            (corner & 1 ? at.x : 1 - at.x) * (corner & 2 ? at.y : 1 - at.y) * (corner & 4 ? at.z : 1 - at.z);
}

lt_status lt_skin_read_cells(lt_skin *skin, uint32_t cell_count, const lt_shape *shape, lt_error *error) {
    lt_shape_dims dims = LT_SHAPE_DIMS(skin->triangle_count);
    if (!(skin->triangle_cells = lt_shape_u32(shape, LT_CHUNK_SURFACE_CELLS, &dims, error)))
        return error->status;
    dims = LT_SHAPE_DIMS(skin->triangle_count);
    if (!(skin->triangle_parents = lt_shape_u32(shape, LT_CHUNK_SURFACE_PARENTS, &dims, error)))
        return error->status;
    dims = LT_SHAPE_DIMS(cell_count, 6);
    if (!(skin->cell_boxes = lt_shape_f32(shape, LT_CHUNK_CELL_BOXES, &dims, error))) return error->status;
    dims = LT_SHAPE_DIMS(cell_count);
    if (!(skin->cell_masks = lt_shape_u8(shape, LT_CHUNK_CELL_MASKS, &dims, error))) return error->status;
    return LT_OK;
}

/* A point of the surface at rest, in a cell of the carrier. */
static lt_dvec3 place_at_rest(const lt_skin *skin, const lt_carrier *carrier, uint32_t cell, uint32_t point) {
    const double *lo = carrier->rest + 3 * (size_t)carrier->cells[8 * (size_t)cell];
    return lt_place_in_cell((lt_dvec3){lo[0], lo[1], lo[2]}, carrier->cell_size, skin->rest[point]);
}

/* The nodes are those of the cell, in their order, and the weights those of where the point is. */
static bool point_is_in_its_cell(const lt_skin *skin, const lt_carrier *carrier, uint32_t point) {
    uint32_t cell = skin->tets[point];
    if (cell >= carrier->cell_count) return false;
    lt_dvec3 at = place_at_rest(skin, carrier, cell, point);
    double weights[8];
    if (!lt_is_in_cell(at)) return false;
    lt_cell_weights(weights, at);
    for (size_t k = 0; k < 8; k++) {
        float weight = skin->weights[8 * (size_t)point + k];
        if (skin->ids[8 * (size_t)point + k] != carrier->cells[8 * (size_t)cell + k]) return false;
        if (!(weight >= 0 && weight <= 1 && fabs((double)weight - weights[k]) <= 1e-5)) return false;
    }
    return true;
}

/* Either no surface at all, or within the cell; and no face but its six. */
static bool box_is_sound(const lt_skin *skin, uint32_t cell) {
    const float *lo = skin->cell_boxes + 6 * (size_t)cell, *hi = lo + 3;
    bool is_empty = lo[0] > hi[0] && lo[1] > hi[1] && lo[2] > hi[2], is_within = true;
    for (int axis = 0; axis < 3; axis++)
        is_within = is_within && lo[axis] >= 0 && lo[axis] <= 1 && hi[axis] >= 0 && hi[axis] <= 1 &&
                    (is_empty || lo[axis] <= hi[axis]);
    return is_within && skin->cell_masks[cell] < 64;
}

static bool is_in_box(lt_dvec3 at, const float *lo, const float *hi) {
    const double rounding = 1e-6;
    for (int axis = 0; axis < 3; axis++) {
        double x = lt_d3_get(at, axis);
        if (!(x >= (double)lo[axis] - rounding && x <= (double)hi[axis] + rounding)) return false;
    }
    return true;
}

static bool triangle_is_in_its_cell(const lt_skin *skin, const lt_carrier *carrier, uint32_t triangle) {
    uint32_t cell = skin->triangle_cells[triangle];
    if (cell >= carrier->cell_count) return false;
    const float *box = skin->cell_boxes + 6 * (size_t)cell;
    for (size_t k = 0; k < 3; k++) {
        lt_dvec3 at = place_at_rest(skin, carrier, cell, skin->triangles[3 * (size_t)triangle + k]);
        if (!is_in_box(at, box, box + 3)) return false;
    }
    return triangle == 0 || skin->triangle_parents[triangle] >= skin->triangle_parents[triangle - 1];
}

lt_status lt_skin_check_cells(const lt_skin *skin, const lt_carrier *carrier, const char *name,
                              lt_error *error) {
    for (uint32_t point = 0; point < skin->point_count; point++)
        if (!point_is_in_its_cell(skin, carrier, point))
            return lt_fail(error, LT_STATUS_INVALID,
                           "shape '%s': surface vertex %u does not hang on the cell it is in; bake it again",
                           name, point);
    for (uint32_t cell = 0; cell < carrier->cell_count; cell++)
        if (!box_is_sound(skin, cell))
            return lt_fail(error, LT_STATUS_INVALID,
                           "shape '%s': the box of the surface in cell %u is senseless; bake it again", name,
                           cell);
    for (uint32_t triangle = 0; triangle < skin->triangle_count; triangle++)
        if (!triangle_is_in_its_cell(skin, carrier, triangle))
            return lt_fail(error, LT_STATUS_INVALID,
                           "shape '%s': surface triangle %u is not in the box of its cell; bake it again",
                           name, triangle);
    return LT_OK;
}
