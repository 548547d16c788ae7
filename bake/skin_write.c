/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Hanging a surface on a carrier, once, in double. Each point goes to the tet that holds it; a point outside every
 * tet goes to the one in which its least weight is greatest, with affine weights, and is counted. */

#include "bake/skin_write.h"
#include "bake/adjacency.h"
#include "mesh/closest.h"
#include "mesh/spatial_hash.h"

/* Surface vertices are floats: one on the boundary may be rounded this far out of its tet. */
static const double OUTSIDE = 1e-5;
static const double ALL = 1; /* no least weight is so great: every tet is looked at */

typedef struct tables {
    uint32_t *tets;  /* [point_count] */
    uint32_t *ids;   /* [point_count][4] */
    float *weights;  /* [point_count][4] */
    float *offsets;  /* [point_count][4] */
    lt_box *boxes;   /* [tet_count] */
    uint32_t *found; /* [tet_count] candidates of a query */
    lt_spatial_hash hash;
} tables;

static bool allocate_tables(tables *t, const lt_skin_build *b) {
    size_t points = b->surface->vertex_count, tets = b->mesh->tet_count;
    t->tets = LT_NEW(b->allocator, points, uint32_t);
    t->ids = LT_NEW(b->allocator, 4 * points, uint32_t);
    t->weights = LT_NEW(b->allocator, 4 * points, float);
    t->offsets = LT_NEW(b->allocator, 4 * points, float);
    t->boxes = LT_NEW(b->allocator, tets, lt_box);
    t->found = LT_NEW(b->allocator, tets, uint32_t);
    return t->tets && t->ids && t->weights && t->offsets && t->boxes && t->found;
}

static void free_tables(tables *t, const lt_skin_build *b) {
    size_t points = b->surface->vertex_count, tets = b->mesh->tet_count;
    LT_DELETE(b->allocator, t->tets, points, uint32_t);
    LT_DELETE(b->allocator, t->ids, 4 * points, uint32_t);
    LT_DELETE(b->allocator, t->weights, 4 * points, float);
    LT_DELETE(b->allocator, t->offsets, 4 * points, float);
    LT_DELETE(b->allocator, t->boxes, tets, lt_box);
    LT_DELETE(b->allocator, t->found, tets, uint32_t);
    lt_spatial_hash_free(&t->hash);
}

static void corners_of(lt_dvec3 out[4], const lt_tet_mesh *mesh, uint32_t tet) {
    for (int k = 0; k < 4; k++)
        out[k] = mesh->positions[lt_tet_at(mesh, tet)[k]];
}

static lt_status hash_tets(tables *t, const lt_skin_build *b, lt_error *error) {
    const lt_tet_mesh *mesh = b->mesh;
    double edges = 0;
    for (uint32_t tet = 0; tet < mesh->tet_count; tet++) {
        lt_dvec3 p[4];
        corners_of(p, mesh, tet);
        lt_box box = lt_box_empty();
        for (int k = 0; k < 4; k++) {
            box = lt_box_add_point(box, lt_v3_from_d3(p[k]));
            edges += lt_d3_distance(p[k], p[(k + 1) % 4]);
        }
        lt_vec3 size = lt_v3_sub(box.hi, box.lo);
        t->boxes[tet] = lt_box_inflate(box, 1e-4f * (size.x + size.y + size.z));
    }
    float cell = (float)(edges / (4.0 * mesh->tet_count));
    uint32_t entries = lt_min_u32(mesh->tet_count, LT_SPATIAL_ENTRY_MAX / 64) * 64 + 64;
    lt_status status = lt_spatial_hash_reserve(&t->hash, mesh->tet_count, entries, b->allocator, error);
    if (status != LT_OK) return status;
    lt_spatial_input input = {
        .boxes = t->boxes, .item_count = mesh->tet_count, .cell_size = cell, .cell_limit = 64};
    lt_spatial_hash_begin(&t->hash, &input);
    lt_spatial_hash_build(&t->hash, NULL);
    return LT_OK;
}

/* Of a point outside it. */
static double distance_to_tet(const lt_tet_mesh *mesh, uint32_t tet, lt_dvec3 p) {
    lt_dvec3 corners[4];
    double squared = 1e300;
    corners_of(corners, mesh, tet);
    for (int face = 0; face < 4; face++) {
        const uint8_t *c = lt_tet_face_corners[face];
        const lt_dvec3 triangle[3] = {corners[c[0]], corners[c[1]], corners[c[2]]};
        squared = lt_min_d(squared, lt_closest_on_triangle(p, triangle).distance_squared);
    }
    return sqrt(squared);
}

/* The tet that the caller says, or else the one that holds the point best. */
static uint32_t choose_tet(const tables *t, const lt_skin_build *b, uint32_t point, lt_dvec3 p, double w[4]) {
    uint32_t given = b->tets ? b->tets[point] : LT_NONE;
    if (given != LT_NONE) return lt_holding_tet(w, b->mesh, &given, 1, ALL, p);
    uint32_t count =
        lt_spatial_hash_at_point(&t->hash, b->surface->positions[point], t->found, b->mesh->tet_count);
    uint32_t tet = lt_holding_tet(w, b->mesh, t->found, lt_min_u32(count, b->mesh->tet_count), ALL, p);
    if (tet == LT_NONE || lt_least_weight(w) < -OUTSIDE)
        tet = lt_holding_tet(w, b->mesh, NULL, b->mesh->tet_count, ALL, p);
    return tet;
}

static void embed_barycentric(tables *t, lt_skin_build *b, uint32_t point) {
    lt_dvec3 p = lt_d3_from_v3(b->surface->positions[point]);
    double w[4] = {1, 0, 0, 0};
    uint32_t tet = choose_tet(t, b, point, p, w);
    if (tet == LT_NONE) tet = 0;
    if (lt_least_weight(w) < -OUTSIDE) {
        b->outside_count++;
        b->farthest_outside = lt_max_d(b->farthest_outside, distance_to_tet(b->mesh, tet, p));
    }
    t->tets[point] = tet;
    for (int k = 0; k < 4; k++) {
        t->ids[4 * (size_t)point + (size_t)k] = lt_tet_at(b->mesh, tet)[k];
        t->weights[4 * (size_t)point + (size_t)k] = (float)w[k];
    }
}

/* The three nearest boundary nodes that are not on one line; false when there are none. */
static bool nearest_triple(uint32_t out[3], const lt_skin_build *b, const lt_tet_boundary *boundary,
                           lt_dvec3 p) {
    double reach[3] = {1e300, 1e300, 1e300};
    out[0] = out[1] = out[2] = LT_NONE;
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < boundary->surface.vertex_count; i++) {
            uint32_t node = boundary->vertex_nodes[i];
            double d = lt_d3_distance(b->mesh->positions[node], p);
            if (d >= reach[k] || node == out[0] || node == out[1]) continue;
            if (k == 2) {
                lt_dvec3 q0 = b->mesh->positions[out[0]];
                lt_dvec3 along = lt_d3_sub(b->mesh->positions[out[1]], q0);
                lt_dvec3 n = lt_d3_cross(along, lt_d3_sub(b->mesh->positions[node], q0));
                if (lt_d3_length(n) <= 1e-6 * lt_d3_length_squared(along)) continue;
            }
            reach[k] = d;
            out[k] = node;
        }
    return out[2] != LT_NONE;
}

/* α_i = (Σd − d_i) / 2Σd, and the offset from O in the unit axes of the triangle (errata M1, M2, M4). Where no
 * triple exists the barycentric weights stay, with no offset. */
static void link_point(tables *t, const lt_skin_build *b, const lt_tet_boundary *boundary, uint32_t point) {
    lt_dvec3 p = lt_d3_from_v3(b->surface->positions[point]), q[3];
    uint32_t triple[3];
    if (!nearest_triple(triple, b, boundary, p)) return;
    double d[3], sum = 0;
    for (int k = 0; k < 3; k++) {
        q[k] = b->mesh->positions[triple[k]];
        d[k] = lt_d3_distance(q[k], p);
        sum += d[k];
    }
    lt_dvec3 origin = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        double weight = k == 3 ? 0 : (sum - d[k]) / (2 * sum);
        t->ids[4 * (size_t)point + (size_t)k] = triple[k < 3 ? k : 2];
        t->weights[4 * (size_t)point + (size_t)k] = (float)weight;
        if (k < 3) origin = lt_d3_mad(origin, q[k], weight);
    }
    lt_dvec3 up = {0, 0, 1}, along = lt_d3_sub(q[1], q[0]), link = lt_d3_sub(p, origin);
    lt_dvec3 e0 = lt_d3_normalize_or(lt_d3_cross(along, lt_d3_sub(q[2], q[0])), up);
    lt_dvec3 e1 = lt_d3_normalize_or(lt_d3_neg(along), up);
    lt_dvec3 e2 = lt_d3_normalize_or(lt_d3_cross(along, e0), up);
    t->offsets[4 * (size_t)point] = (float)lt_d3_dot(link, e0);
    t->offsets[4 * (size_t)point + 1] = (float)lt_d3_dot(link, e1);
    t->offsets[4 * (size_t)point + 2] = (float)lt_d3_dot(link, e2);
}

static lt_status link_points(tables *t, const lt_skin_build *b, lt_error *error) {
    lt_tet_boundary boundary;
    lt_status status = lt_tet_boundary_of(&boundary, b->mesh, b->allocator, error);
    if (status != LT_OK) return status;
    for (uint32_t point = 0; point < b->surface->vertex_count; point++)
        link_point(t, b, &boundary, point);
    lt_tet_boundary_free(&boundary);
    return LT_OK;
}

static void add_chunks(lt_shape_builder *builder, const tables *t, const lt_skin_build *b) {
    uint64_t points = b->surface->vertex_count;
    lt_shape_builder_add(builder, LT_CHUNK_EMBED_TETS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(points), t->tets);
    lt_shape_builder_add(builder, LT_CHUNK_EMBED_IDS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(points, 4), t->ids);
    lt_shape_builder_add(builder, LT_CHUNK_EMBED_WEIGHTS, LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(points, 4),
                         t->weights);
    if (b->rigid_links)
        lt_shape_builder_add(builder, LT_CHUNK_EMBED_OFFSETS, LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(points, 4),
                             t->offsets);
}

static lt_status fill_tables(tables *t, lt_skin_build *b, lt_error *error) {
    lt_status status = hash_tets(t, b, error);
    if (status != LT_OK) return status;
    for (uint32_t point = 0; point < b->surface->vertex_count; point++)
        embed_barycentric(t, b, point);
    return b->rigid_links ? link_points(t, b, error) : LT_OK;
}

lt_status lt_skin_write(lt_shape_builder *builder, lt_skin_build *build, lt_error *error) {
    tables t = {0};
    build->outside_count = 0;
    build->farthest_outside = 0;
    lt_status status = LT_OK;
    if (!allocate_tables(&t, build))
        status =
            lt_fail(error, LT_STATUS_MEMORY, "no memory to embed %u vertices", build->surface->vertex_count);
    if (status == LT_OK) status = fill_tables(&t, build, error);
    if (status == LT_OK) status = lt_skin_add_surface(builder, build->surface, build->allocator, error);
    if (status == LT_OK) add_chunks(builder, &t, build);
    if (status == LT_OK)
        status =
            lt_skin_add_distance(builder, build->surface, build->distance_cells, build->allocator, error);
    free_tables(&t, build);
    return status;
}
