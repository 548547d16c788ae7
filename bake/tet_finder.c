/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/tet_finder.h"

#include "bake/skin_write.h"
#include "embed/embed.h"
#include "mesh/closest.h"

#include <math.h>
#include <string.h>

enum { CELLS_A_TET = 64 };
/* Of the radius: distances that differ by less are the same, as from two tets to their common corner. */
#define SAME_DISTANCE 1e-9

static void corners_of(lt_dvec3 out[4], const lt_tet_mesh *mesh, uint32_t tet) {
    for (int k = 0; k < 4; k++)
        out[k] = mesh->positions[lt_tet_at(mesh, tet)[k]];
}

/* No more than are too many. */
static uint64_t cells_along(float lo, float hi, float cell) {
    int64_t count = (int64_t)lt_spatial_coordinate(hi, cell) - lt_spatial_coordinate(lo, cell) + 1;
    return count > CELLS_A_TET ? CELLS_A_TET + 1 : (uint64_t)count;
}

/* How many cells the boxes cover: all that the hash needs room for, where a flat guess of 64 a tet takes two kilobytes each. */
static uint64_t count_entries(const lt_tet_finder *f, float cell) {
    uint64_t entries = 0;
    for (uint32_t tet = 0; tet < f->mesh->tet_count; tet++) {
        lt_vec3 lo = f->boxes[tet].lo, hi = f->boxes[tet].hi;
        uint64_t covered =
            cells_along(lo.x, hi.x, cell) * cells_along(lo.y, hi.y, cell) * cells_along(lo.z, hi.z, cell);
        if (covered <= CELLS_A_TET) entries += covered;
    }
    return entries;
}

static lt_status hash_tets(lt_tet_finder *f, lt_error *error) {
    const lt_tet_mesh *mesh = f->mesh;
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
        f->boxes[tet] = lt_box_inflate(box, 1e-4f * (size.x + size.y + size.z));
    }
    float cell = (float)(edges / (4.0 * mesh->tet_count));
    uint64_t entries = count_entries(f, cell);
    if (entries > LT_SPATIAL_ENTRY_MAX)
        return lt_fail(error, LT_STATUS_MEMORY, "%u tets are too many to be found", mesh->tet_count);
    lt_status status =
        lt_spatial_hash_reserve(&f->hash, mesh->tet_count, (uint32_t)entries, &f->allocator, error);
    if (status != LT_OK) return status;
    lt_spatial_hash_begin(&f->hash, &(lt_spatial_input){.boxes = f->boxes,
                                                        .item_count = mesh->tet_count,
                                                        .cell_size = cell,
                                                        .cell_limit = CELLS_A_TET});
    lt_spatial_hash_build(&f->hash, NULL);
    LT_ASSERT(f->hash.admitted_count == mesh->tet_count);
    return LT_OK;
}

lt_status lt_tet_finder_build(lt_tet_finder *out, const lt_tet_mesh *mesh, const lt_allocator *allocator,
                              lt_error *error) {
    *out = (lt_tet_finder){.mesh = mesh, .allocator = allocator ? *allocator : lt_allocator_default()};
    out->boxes = LT_NEW(allocator, mesh->tet_count, lt_box);
    out->found = LT_NEW(allocator, mesh->tet_count, uint32_t);
    out->stamps = LT_NEW(allocator, mesh->tet_count, uint32_t);
    lt_status status = LT_OK;
    if (!out->boxes || !out->found || !out->stamps)
        status = lt_fail(error, LT_STATUS_MEMORY, "no memory to find %u tets", mesh->tet_count);
    if (status == LT_OK) status = lt_tet_adjacency_build(&out->adjacency, mesh, allocator, error);
    if (status == LT_OK) status = hash_tets(out, error);
    if (status != LT_OK) lt_tet_finder_free(out);
    return status;
}

void lt_tet_finder_free(lt_tet_finder *f) {
    if (!f->mesh) return;
    LT_DELETE(&f->allocator, f->boxes, f->mesh->tet_count, lt_box);
    LT_DELETE(&f->allocator, f->found, f->mesh->tet_count, uint32_t);
    LT_DELETE(&f->allocator, f->stamps, f->mesh->tet_count, uint32_t);
    lt_spatial_hash_free(&f->hash);
    lt_tet_adjacency_free(&f->adjacency);
    *f = (lt_tet_finder){0};
}

lt_held_point lt_tet_finder_hold(lt_tet_finder *f, lt_dvec3 p, double slack) {
    lt_held_point held = {.tet = LT_NONE};
    uint32_t count = lt_spatial_hash_at_point(&f->hash, lt_v3_from_d3(p), f->found, f->mesh->tet_count);
    for (uint32_t i = 0; i < lt_min_u32(count, f->mesh->tet_count); i++) {
        double w[4];
        if (lt_holding_tet(w, f->mesh, &f->found[i], 1, 1, p) == LT_NONE || lt_least_weight(w) < -slack)
            continue;
        held.count++;
        if (held.tet != LT_NONE && lt_least_weight(w) <= lt_least_weight(held.weights)) continue;
        held.tet = f->found[i];
        memcpy(held.weights, w, sizeof w);
    }
    return held;
}

static double distance_to(const lt_dvec3 corners[4], const double weights[4], lt_dvec3 p) {
    double squared = INFINITY;
    if (lt_least_weight(weights) >= 0) return 0;
    for (int face = 0; face < 4; face++) {
        const uint8_t *c = lt_tet_face_corners[face];
        const lt_dvec3 triangle[3] = {corners[c[0]], corners[c[1]], corners[c[2]]};
        squared = lt_min_d(squared, lt_closest_on_triangle(p, triangle).distance_squared);
    }
    return sqrt(squared);
}

/* Once in four thousand million searches, stamps of old ones must go. */
static void begin_search(lt_tet_finder *f) {
    if (f->stamp == UINT32_MAX) {
        memset(f->stamps, 0, f->mesh->tet_count * sizeof *f->stamps);
        f->stamp = 0;
    }
    f->stamp++;
}

lt_held_point lt_tet_finder_reach(lt_tet_finder *f, lt_dvec3 p, uint32_t from, double radius) {
    lt_held_point best = {.tet = LT_NONE};
    double nearest = INFINITY;
    uint32_t count = 0;
    begin_search(f);
    f->stamps[from] = f->stamp;
    f->found[count++] = from;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t tet = f->found[i];
        lt_dvec3 corners[4];
        double w[4];
        corners_of(corners, f->mesh, tet);
        if (!lt_barycentric_weights(w, corners, p)) continue;
        double distance = distance_to(corners, w, p);
        bool is_same = fabs(distance - nearest) <= SAME_DISTANCE * radius;
        if (is_same ? lt_least_weight(w) > lt_least_weight(best.weights) : distance < nearest) {
            nearest = distance;
            best.tet = tet;
            memcpy(best.weights, w, sizeof w);
        }
        if (distance > radius && tet != from) continue;
        for (int face = 0; face < 4; face++) {
            uint32_t other = f->adjacency.neighbours[4 * (size_t)tet + (size_t)face];
            if (other == LT_NONE || f->stamps[other] == f->stamp) continue;
            f->stamps[other] = f->stamp;
            f->found[count++] = other;
        }
    }
    best.count = best.tet != LT_NONE && nearest <= 0;
    return best;
}
