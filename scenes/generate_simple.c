/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Box, plate, torus, capsule and cylinder: grids of quads, each cut in two. Capsule and cylinder are one
 * turned profile that begins and ends on the axis; the torus is a closed ring of rings. */

#include "bake/put_elements.h"
#include "scenes/generate.h"
#include "scenes/trigonometry.h"

/* ---- box ---- */

/* Points of the box's skin by layer of z: a full grid, then perimeters, then a full grid. */
static uint32_t box_point_index(const uint32_t n[3], const uint32_t at[3]) {
    uint32_t full = (n[0] + 1) * (n[1] + 1), perimeter = 2 * (n[0] + n[1]);
    uint32_t i = at[0], j = at[1], k = at[2];
    if (k == 0) return j * (n[0] + 1) + i;
    if (k == n[2]) return full + (n[2] - 1) * perimeter + j * (n[0] + 1) + i;
    uint32_t first = full + (k - 1) * perimeter;
    if (j == 0) return first + i;
    if (i == n[0]) return first + n[0] + j;
    if (j == n[1]) return first + n[0] + n[1] + (n[0] - i);
    return first + 2 * n[0] + n[1] + (n[1] - j);
}

static lt_vec3 box_point(lt_vec3 half, const uint32_t n[3], const uint32_t at[3]) {
    return (lt_vec3){(float)(half.x * (2.0 * at[0] / n[0] - 1.0)),
                     (float)(half.y * (2.0 * at[1] / n[1] - 1.0)),
                     (float)(half.z * (2.0 * at[2] / n[2] - 1.0))};
}

static uint32_t *fill_box_side(lt_surface *out, lt_vec3 half, const uint32_t n[3], int axis, bool high,
                               uint32_t *corner) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    uint32_t at[3];
    at[axis] = high ? n[axis] : 0;
    for (uint32_t a = 0; a <= n[u]; a++)
        for (uint32_t b = 0; b <= n[v]; b++) {
            at[u] = a, at[v] = b;
            out->positions[box_point_index(n, at)] = box_point(half, n, at);
        }
    for (uint32_t a = 0; a < n[u]; a++)
        for (uint32_t b = 0; b < n[v]; b++) {
            uint32_t quad[4];
            for (uint32_t c = 0; c < 4; c++) {
                uint32_t turn = high ? c : 3 - c;
                at[u] = a + (turn == 1 || turn == 2), at[v] = b + (turn >= 2);
                quad[c] = box_point_index(n, at);
            }
            corner = lt_put_quad(corner, quad, (a + b) & 1);
        }
    return corner;
}

lt_status lt_generate_box(lt_surface *out, lt_vec3 half_extents, const uint32_t divisions[3],
                          const lt_allocator *allocator, lt_error *error) {
    *out = (lt_surface){0};
    lt_status status = LT_OK;
    for (int axis = 0; axis < 3 && status == LT_OK; axis++) {
        status = lt_check_length("box", "half extent", lt_v3_get(half_extents, axis), error);
        if (status == LT_OK) status = lt_check_count("box", "divisions", divisions[axis], 1, 4096, error);
    }
    if (status != LT_OK) return status;
    const uint32_t *n = divisions;
    uint32_t quad_count = 2 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]);
    status = lt_surface_allocate(out, quad_count + 2, 2 * quad_count, allocator, error);
    if (status != LT_OK) return status;
    uint32_t *corner = out->triangles;
    for (int side = 0; side < 6; side++)
        corner = fill_box_side(out, half_extents, n, side >> 1, side & 1, corner);
    LT_ASSERT(corner == out->triangles + 3 * (size_t)out->triangle_count);
    return LT_OK;
}

lt_status lt_generate_plate(lt_surface *out, lt_vec3 size, uint32_t cells, const lt_allocator *allocator,
                            lt_error *error) {
    *out = (lt_surface){0};
    lt_status status = lt_check_length("plate", "size in x", size.x, error);
    if (status == LT_OK) status = lt_check_length("plate", "thickness", size.y, error);
    if (status == LT_OK) status = lt_check_length("plate", "size in z", size.z, error);
    if (status == LT_OK) status = lt_check_count("plate", "cells", cells, 1, 4096, error);
    if (status != LT_OK) return status;
    uint32_t divisions[3];
    lt_plate_cells(size.x, size.z, cells, divisions);
    return lt_generate_box(out, lt_v3_scale(size, 0.5f), divisions, allocator, error);
}

/* ---- turned and ringed ---- */

typedef struct profile_point {
    double radius, y;
} profile_point;

typedef struct profile {
    profile_point *points; /* [count], from bottom to top, none on the axis */
    uint32_t count;
    double pole; /* the ends on the axis are at y = -pole and y = pole */
} profile;

static lt_status turn_profile(lt_surface *out, const profile *turned, uint32_t segments,
                              const lt_allocator *allocator, lt_error *error) {
    const profile_point *points = turned->points;
    uint32_t count = turned->count;
    lt_status status = lt_surface_allocate(out, count * segments + 2, 2 * count * segments, allocator, error);
    if (status != LT_OK) return status;
    for (uint32_t r = 0; r < count; r++)
        for (uint32_t s = 0; s < segments; s++) {
            double sine, cosine;
            lt_sin_cos(2.0 * LT_PI * s / segments, &sine, &cosine);
            lt_dvec3 p = {points[r].radius * cosine, points[r].y, -points[r].radius * sine};
            out->positions[r * segments + s] = lt_v3_from_d3(p);
        }
    uint32_t lower = count * segments, upper = lower + 1, last = (count - 1) * segments;
    out->positions[lower] = (lt_vec3){0, (float)-turned->pole, 0};
    out->positions[upper] = (lt_vec3){0, (float)turned->pole, 0};
    uint32_t *corner = out->triangles;
    for (uint32_t r = 0; r + 1 < count; r++)
        corner = lt_put_ring_wall(corner, r * segments, (r + 1) * segments, segments);
    for (uint32_t s = 0; s < segments; s++, corner += 6) {
        uint32_t t = s + 1 < segments ? s + 1 : 0;
        corner[0] = lower, corner[1] = t, corner[2] = s;
        corner[3] = upper, corner[4] = last + s, corner[5] = last + t;
    }
    return LT_OK;
}

static lt_status check_turned(const char *shape, double radius, double length, uint32_t segments,
                              uint32_t least, lt_error *error) {
    lt_status status = lt_check_length(shape, "radius", radius, error);
    if (status == LT_OK) status = lt_check_length(shape, "length", length, error);
    if (status == LT_OK) status = lt_check_count(shape, "segments", segments, least, 4096, error);
    if (status == LT_OK && length > 100.0 * radius)
        status = lt_fail(error, LT_STATUS_INVALID, "%s: the length may be at most 100 radii, not %g", shape,
                         length / radius);
    return status;
}

lt_status lt_generate_capsule(lt_surface *out, double radius, double length, uint32_t segments,
                              const lt_allocator *allocator, lt_error *error) {
    *out = (lt_surface){0};
    lt_status status = check_turned("capsule", radius, length == 0.0 ? radius : length, segments, 4, error);
    if (status != LT_OK) return status;
    uint32_t quarter = lt_round_to_count(0.25 * segments, 1, 65536);
    uint32_t straight =
        length > 0.0 ? lt_round_to_count(length * segments / (2.0 * LT_PI * radius), 1, 65536) : 0;
    uint32_t count = 2 * quarter + straight - 1;
    profile_point *points = LT_NEW(allocator, count, profile_point);
    if (!points) return lt_fail(error, LT_STATUS_MEMORY, "capsule: no memory for %u rings", count);
    for (uint32_t r = 0; r < count; r++) {
        bool lower = r < quarter, upper = r + 1 >= quarter + straight;
        double turn = lower ? (double)(r + 1) / quarter : (double)(count - r) / quarter;
        double sine = 1.0, cosine = 0.0;
        if (lower || upper) lt_sin_cos(0.5 * LT_PI * turn, &sine, &cosine);
        double along = straight ? ((double)r + 1 - quarter) / straight : 0.5;
        double axis = length * ((lower ? 0.0 : upper ? 1.0 : along) - 0.5);
        points[r] = (profile_point){radius * sine, axis + (lower ? -radius : radius) * cosine};
    }
    profile turned = {points, count, 0.5 * length + radius};
    status = turn_profile(out, &turned, segments, allocator, error);
    LT_DELETE(allocator, points, count, profile_point);
    return status;
}

lt_status lt_generate_cylinder(lt_surface *out, double radius, double length, uint32_t segments,
                               const lt_allocator *allocator, lt_error *error) {
    *out = (lt_surface){0};
    lt_status status = check_turned("cylinder", radius, length, segments, 3, error);
    if (status != LT_OK) return status;
    double cell = 2.0 * LT_PI * radius / segments;
    uint32_t straight = lt_round_to_count(length / cell, 1, 65536),
             cap = lt_round_to_count(radius / cell, 1, 65536);
    uint32_t count = straight + 1 + 2 * (cap - 1);
    profile_point *points = LT_NEW(allocator, count, profile_point);
    if (!points) return lt_fail(error, LT_STATUS_MEMORY, "cylinder: no memory for %u rings", count);
    for (uint32_t r = 0; r < count; r++) {
        uint32_t from_end = lt_min_u32(r, count - 1 - r) + 1;
        double y = r + 1 < cap ? 0.0 : r > cap - 1 + straight ? 1.0 : (double)(r + 1 - cap) / straight;
        points[r] = (profile_point){radius * lt_min_u32(from_end, cap) / cap, length * (y - 0.5)};
    }
    profile turned = {points, count, 0.5 * length};
    status = turn_profile(out, &turned, segments, allocator, error);
    LT_DELETE(allocator, points, count, profile_point);
    return status;
}

lt_status lt_generate_torus(lt_surface *out, double major_radius, double minor_radius, uint32_t segments,
                            const lt_allocator *allocator, lt_error *error) {
    *out = (lt_surface){0};
    lt_status status = lt_check_torus("torus", major_radius, minor_radius, error);
    if (status == LT_OK) status = lt_check_count("torus", "segments", segments, 3, 16384, error);
    if (status != LT_OK) return status;
    uint32_t around = lt_round_to_count(segments * minor_radius / major_radius, 3, 65536);
    status = lt_surface_allocate(out, segments * around, 2 * segments * around, allocator, error);
    if (status != LT_OK) return status;
    uint32_t *corner = out->triangles;
    for (uint32_t r = 0; r < segments; r++) {
        double ring_sine, ring_cosine, sine, cosine;
        lt_sin_cos(2.0 * LT_PI * r / segments, &ring_sine, &ring_cosine);
        for (uint32_t s = 0; s < around; s++) {
            lt_sin_cos(2.0 * LT_PI * s / around, &sine, &cosine);
            double reach = major_radius + minor_radius * cosine;
            lt_dvec3 p = {reach * ring_cosine, minor_radius * sine, reach * ring_sine};
            out->positions[r * around + s] = lt_v3_from_d3(p);
        }
        uint32_t next = r + 1 < segments ? r + 1 : 0;
        corner = lt_put_ring_wall(corner, r * around, next * around, around);
    }
    return LT_OK;
}
