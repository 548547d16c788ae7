/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bound/oriented.h"

#include "core/simd.h"

/* ---- around nodes ---- */

static void make_frame(lt_vec3 axes[3], lt_vec3 x, lt_vec3 y) {
    axes[0] = lt_v3_normalize_or(x, (lt_vec3){1, 0, 0});
    lt_vec3 across = lt_v3_mad(y, axes[0], -lt_v3_dot(y, axes[0]));
    lt_vec3 any = fabsf(axes[0].x) < 0.5f ? (lt_vec3){1, 0, 0} : (lt_vec3){0, 1, 0};
    axes[1] = lt_v3_normalize_or(across, lt_v3_normalize_or(lt_v3_cross(axes[0], any), any));
    axes[2] = lt_v3_cross(axes[0], axes[1]);
}

static lt_vec3 axis_of(const lt_oriented *box, uint32_t k) {
    return (lt_vec3){box->rows[0][k], box->rows[1][k], box->rows[2][k]};
}

/* Where a point is along the three axes. */
static lt_f4 places_of(const lt_oriented *box, float x, float y, float z) {
    lt_f4 at = lt_f4_mul(lt_f4_load(box->rows[0]), lt_f4_splat(x));
    at = lt_f4_mad(at, lt_f4_load(box->rows[1]), lt_f4_splat(y));
    return lt_f4_mad(at, lt_f4_load(box->rows[2]), lt_f4_splat(z));
}

lt_oriented lt_oriented_around(const float *nodes, uint32_t count, lt_vec3 x, lt_vec3 y) {
    lt_oriented out = {.half = {0, 0, 0, 3e38f}};
    lt_vec3 axes[3];
    make_frame(axes, x, y);
    for (int k = 0; k < 3; k++) {
        out.rows[0][k] = axes[k].x;
        out.rows[1][k] = axes[k].y;
        out.rows[2][k] = axes[k].z;
    }
    lt_f4 lo = lt_f4_splat(3e38f), hi = lt_f4_splat(-3e38f);
    for (size_t i = 0; i < 4 * (size_t)count; i += 4) {
        lt_f4 at = places_of(&out, nodes[i], nodes[i + 1], nodes[i + 2]);
        lo = lt_f4_min(at, lo);
        hi = lt_f4_max(at, hi);
    }
    float least[4], most[4];
    lt_f4_store(least, lo);
    lt_f4_store(most, hi);
    for (int k = 0; k < 3; k++) {
        out.half[k] = (most[k] - least[k]) / 2;
        out.center = lt_v3_mad(out.center, axes[k], (most[k] + least[k]) / 2);
    }
    return out;
}

/* ---- two of them ---- */

typedef struct parting {
    float gap;
    lt_vec3 axis; /* pushes the first */
} parting;

static lt_f4 absolute(lt_f4 value) {
    return lt_f4_max(value, lt_f4_sub(lt_f4_splat(0), value));
}

/* Along the axes of `box`; `way` is from its centre to the other's. */
static void try_axes(parting *best, const lt_oriented *box, const lt_oriented *other, lt_vec3 way,
                     float sign) {
    lt_f4 along = places_of(box, way.x, way.y, way.z), reach = lt_f4_load(box->half);
    for (uint32_t k = 0; k < 3; k++) {
        lt_vec3 axis = axis_of(other, k);
        reach =
            lt_f4_mad(reach, absolute(places_of(box, axis.x, axis.y, axis.z)), lt_f4_splat(other->half[k]));
    }
    float gaps[4], sides[4];
    lt_f4_store(gaps, lt_f4_sub(absolute(along), reach));
    lt_f4_store(sides, along);
    for (uint32_t k = 0; k < 3; k++)
        if (gaps[k] > best->gap)
            *best = (parting){gaps[k], lt_v3_scale(axis_of(box, k), sides[k] > 0 ? -sign : sign)};
}

float lt_oriented_gap(const lt_oriented *a, const lt_oriented *b, lt_vec3 *axis) {
    parting best = {.gap = -3e38f, .axis = {0, 1, 0}};
    lt_vec3 way = lt_v3_sub(b->center, a->center);
    try_axes(&best, a, b, way, 1);
    try_axes(&best, b, a, lt_v3_neg(way), -1);
    *axis = best.axis;
    /* Sums of coordinates are rounded. */
    lt_vec3 far =
        lt_v3_max(lt_v3_max(a->center, lt_v3_neg(a->center)), lt_v3_max(b->center, lt_v3_neg(b->center)));
    return best.gap - 2e-6f * (far.x + far.y + far.z);
}
