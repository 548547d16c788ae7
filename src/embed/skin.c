/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Reading a skin from a shape, and its use: anchors and normals. */

#include "embed/skin_internal.h"

extern const lt_embed_kernels lt_embed_kernels_scalar, lt_embed_kernels_wide4, lt_embed_kernels_avx2;

const lt_embed_kernels *lt_embed_kernels_for(lt_simd_level level) {
    static const lt_embed_kernels *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_embed_kernels);
    return table[level];
}

/* Numbers are finite, the area not negative, and the weights sum to 1 as well as float can. */
static bool point_is_embedded(const lt_skin *skin, uint32_t point) {
    double sum = 0, size = 0, rest = 0;
    size_t corners = skin->corner_count;
    for (size_t k = corners * point; k < corners * ((size_t)point + 1); k++) {
        sum += (double)skin->weights[k];
        size += fabs((double)skin->weights[k]);
        if (skin->offsets) rest += (double)(skin->offsets[k] - skin->offsets[k]);
    }
    float area = skin->areas[point];
    return fabs(sum - 1) <= 1e-5 * lt_max_d(size, 1) && size < 1e30 && rest == 0 && area >= 0 &&
           area < 1e30f && lt_v3_is_finite(skin->rest[point]);
}

/* Every corner of every triangle is in the fan of its point. */
static bool fans_are_sound(const lt_skin *skin) {
    if (skin->fan_begin[0] != 0 || skin->fan_begin[skin->point_count] != 3 * skin->triangle_count)
        return false;
    for (uint32_t point = 0; point < skin->point_count; point++) {
        if (skin->fan_begin[point] > skin->fan_begin[point + 1]) return false;
        if (skin->fan_begin[point + 1] > 3 * skin->triangle_count) return false;
        for (uint32_t i = skin->fan_begin[point]; i < skin->fan_begin[point + 1]; i++) {
            if (skin->fans[i] >= skin->triangle_count) return false;
            const uint32_t *t = skin->triangles + 3 * (size_t)skin->fans[i];
            if (t[0] != point && t[1] != point && t[2] != point) return false;
        }
    }
    return true;
}

/* Indices are checked once here, so that gathering never has to. */
static lt_status check_skin(const lt_skin *skin, const lt_carrier *carrier, const char *name,
                            lt_error *error) {
    for (size_t i = 0; i < 3 * (size_t)skin->triangle_count; i++)
        if (skin->triangles[i] >= skin->point_count)
            return lt_fail(error, LT_STATUS_INVALID, "shape '%s': surface triangle %zu names vertex %u of %u",
                           name, i / 3, skin->triangles[i], skin->point_count);
    if (!fans_are_sound(skin))
        return lt_fail(
            error, LT_STATUS_INVALID,
            "shape '%s': the triangles around its vertices are not those of its surface; bake it again",
            name);
    size_t corners = skin->corner_count;
    uint32_t holders = carrier->cell_count ? carrier->cell_count : carrier->tet_count;
    for (uint32_t point = 0; point < skin->point_count; point++) {
        for (size_t k = corners * point; k < corners * ((size_t)point + 1); k++)
            if (skin->ids[k] >= carrier->node_count)
                return lt_fail(error, LT_STATUS_INVALID,
                               "shape '%s': surface vertex %u hangs on node %u of %u", name, point,
                               skin->ids[k], carrier->node_count);
        if (!point_is_embedded(skin, point) || skin->tets[point] >= holders)
            return lt_fail(error, LT_STATUS_INVALID,
                           "shape '%s': surface vertex %u is not embedded; bake it again", name, point);
    }
    return LT_OK;
}

static void measure_overhang(lt_skin *skin) {
    size_t corners = skin->corner_count;
    for (uint32_t point = 0; point < skin->point_count; point++) {
        float negative = 0, squared = 0;
        for (size_t k = corners * point; k < corners * ((size_t)point + 1); k++) {
            negative -= lt_min_f(0, skin->weights[k]);
            float c = skin->offsets ? skin->offsets[k] : 0;
            squared += c * c;
        }
        skin->overhang = lt_max_f(skin->overhang, negative);
        skin->longest_link = lt_max_f(skin->longest_link, sqrtf(squared));
    }
}

static lt_status read_distance(lt_skin *out, const lt_shape *shape, lt_error *error) {
    lt_shape_dims dims = LT_SHAPE_DIMS(sizeof(lt_distance_grid_header));
    const void *header = lt_shape_bytes(shape, LT_CHUNK_DISTANCE_HEADER, &dims, error);
    if (!header) return error->status;
    dims = LT_SHAPE_DIMS(LT_SHAPE_ANY);
    const float *values = lt_shape_f32(shape, LT_CHUNK_DISTANCE_VALUES, &dims, error);
    if (!values) return error->status;
    return lt_distance_grid_view(header, values, dims.size[0], lt_shape_name(shape), &out->distance, error);
}

lt_status lt_skin_read(lt_skin *out, const lt_shape *shape, const lt_carrier *carrier, lt_error *error) {
    lt_error local;
    if (!error) error = &local;
    *out = (lt_skin){.scale = 1, .corner_count = carrier->cell_count ? 8 : 4};
    bool is_lattice = out->corner_count == 8;
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, 3);
    if (!(out->rest = (const lt_vec3 *)lt_shape_f32(shape, LT_CHUNK_SURFACE_REST, &dims, error)))
        return error->status;
    uint64_t points = dims.size[0];
    dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, 3);
    if (!(out->triangles = lt_shape_u32(shape, LT_CHUNK_SURFACE_TRIANGLES, &dims, error)))
        return error->status;
    uint64_t triangles = dims.size[0];
    if (points == 0 || triangles == 0 || points >= LT_NONE || triangles >= LT_NONE / 3)
        return lt_fail(error, LT_STATUS_INVALID, "shape '%s' has no usable surface", lt_shape_name(shape));
    out->point_count = (uint32_t)points;
    out->triangle_count = (uint32_t)triangles;
    dims = LT_SHAPE_DIMS(points + 1);
    if (!(out->fan_begin = lt_shape_u32(shape, LT_CHUNK_SURFACE_FAN_BEGIN, &dims, error)))
        return error->status;
    dims = LT_SHAPE_DIMS(3 * triangles);
    if (!(out->fans = lt_shape_u32(shape, LT_CHUNK_SURFACE_FANS, &dims, error))) return error->status;
    dims = LT_SHAPE_DIMS(points);
    if (!(out->areas = lt_shape_f32(shape, LT_CHUNK_SURFACE_AREAS, &dims, error))) return error->status;
    dims = LT_SHAPE_DIMS(points);
    if (!(out->tets = lt_shape_u32(shape, LT_CHUNK_EMBED_TETS, &dims, error))) return error->status;
    dims = LT_SHAPE_DIMS(points, out->corner_count);
    if (!(out->ids = lt_shape_u32(shape, LT_CHUNK_EMBED_IDS, &dims, error))) return error->status;
    dims = LT_SHAPE_DIMS(points, out->corner_count);
    if (!(out->weights = lt_shape_f32(shape, LT_CHUNK_EMBED_WEIGHTS, &dims, error))) return error->status;
    dims = LT_SHAPE_DIMS(points, 4);
    if (!is_lattice && lt_shape_has(shape, LT_CHUNK_EMBED_OFFSETS) &&
        !(out->offsets = lt_shape_f32(shape, LT_CHUNK_EMBED_OFFSETS, &dims, error)))
        return error->status;
    lt_status status = is_lattice ? lt_skin_read_cells(out, carrier->cell_count, shape, error) : LT_OK;
    if (status == LT_OK) status = read_distance(out, shape, error);
    if (status == LT_OK) status = check_skin(out, carrier, lt_shape_name(shape), error);
    if (status == LT_OK && is_lattice)
        status = lt_skin_check_cells(out, carrier, lt_shape_name(shape), error);
    if (status == LT_OK) measure_overhang(out);
    return status;
}

lt_anchor lt_embed_anchor(const lt_skin *skin, uint32_t point) {
    /* Of a skin with links, points that found no triple of nodes hang on four. */
    bool linked = skin->offsets && skin->weights[4 * (size_t)point + 3] == 0;
    size_t corners = skin->corner_count;
    lt_anchor anchor = {.count = linked ? 3 : skin->corner_count};
    for (uint32_t k = 0; k < anchor.count; k++) {
        anchor.ids[k] = skin->ids[corners * point + k];
        anchor.weights[k] = skin->weights[corners * point + k];
    }
    return anchor;
}

void lt_surface_normals(lt_vec3 *out, const lt_vec3 *positions, uint32_t point_count,
                        const uint32_t *triangles, uint32_t triangle_count) {
    for (uint32_t i = 0; i < point_count; i++)
        out[i] = (lt_vec3){0, 0, 0};
    for (uint32_t i = 0; i < triangle_count; i++) {
        const uint32_t *t = triangles + 3 * (size_t)i;
        lt_vec3 a = positions[t[0]];
        lt_vec3 twice_area = lt_v3_cross(lt_v3_sub(positions[t[1]], a), lt_v3_sub(positions[t[2]], a));
        for (int k = 0; k < 3; k++)
            out[t[k]] = lt_v3_add(out[t[k]], twice_area);
    }
    for (uint32_t i = 0; i < point_count; i++)
        out[i] = lt_v3_normalize_or(out[i], (lt_vec3){0, 0, 1});
}
