/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Hanging a surface on a lattice, once, in double, and reading it again. Every point lies in its cell, so that no weight
 * is negative: a deformed point is within whatever is convex around the eight nodes. */

#include "embed/skin_parts.h"

void lt_cell_weights(double weights[8], lt_dvec3 at) {
    for (uint32_t corner = 0; corner < 8; corner++)
        weights[corner] =
            (corner & 1 ? at.x : 1 - at.x) * (corner & 2 ? at.y : 1 - at.y) * (corner & 4 ? at.z : 1 - at.z);
}

/* ---- writing ---- */

typedef struct tables {
    uint32_t *ids;  /* [point_count][8] */
    float *weights; /* [point_count][8] */
} tables;

/* In coordinates of the cell, where 0 and 1 are its faces. */
static lt_dvec3 place_in_cell(const lt_cell_mesh *mesh, uint32_t cell, lt_vec3 point) {
    lt_dvec3 lo = mesh->positions[lt_cell_at(mesh, cell)[0]];
    return lt_d3_scale(lt_d3_sub(lt_d3_from_v3(point), lo), 1 / mesh->cell_size);
}

static bool is_in_cell(lt_dvec3 at) {
    const double rounding = 1e-6; /* of positions in files; what is baked here is exact */
    return at.x >= -rounding && at.x <= 1 + rounding && at.y >= -rounding && at.y <= 1 + rounding &&
           at.z >= -rounding && at.z <= 1 + rounding;
}

static double within_one(double x) {
    return lt_max_d(0, lt_min_d(1, x));
}

static bool embed_point(tables *t, const lt_cell_skin_build *b, uint32_t point) {
    uint32_t cell = b->vertex_cells[point];
    if (cell >= b->mesh->cell_count) return false;
    lt_dvec3 at = place_in_cell(b->mesh, cell, b->surface->positions[point]);
    if (!is_in_cell(at)) return false;
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

/* ---- reading ---- */

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
    const lt_cell_mesh mesh = {.positions = (lt_dvec3 *)carrier->rest,
                               .cells = (uint32_t *)carrier->cells,
                               .cell_size = carrier->cell_size};
    return place_in_cell(&mesh, cell, skin->rest[point]);
}

/* The nodes are those of the cell, in their order, and the weights those of where the point is. */
static bool point_is_in_its_cell(const lt_skin *skin, const lt_carrier *carrier, uint32_t point) {
    uint32_t cell = skin->tets[point];
    if (cell >= carrier->cell_count) return false;
    lt_dvec3 at = place_at_rest(skin, carrier, cell, point);
    double weights[8];
    if (!is_in_cell(at)) return false;
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
