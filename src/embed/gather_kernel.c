/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Surface points from carrier nodes. Nodes are four floats apart, so that a point is four 128-bit loads and four
 * multiply-adds: explicit gathers of single coordinates are slower (measured: bench core). */

#include "embed/embed.h"

static inline lt_f4 blend(const uint32_t *ids, const float *weights, const float *nodes) {
    lt_f4 sum = lt_f4_mul(lt_f4_load(nodes + 4 * (size_t)ids[0]), lt_f4_splat(weights[0]));
    sum = lt_f4_mad(sum, lt_f4_load(nodes + 4 * (size_t)ids[1]), lt_f4_splat(weights[1]));
    sum = lt_f4_mad(sum, lt_f4_load(nodes + 4 * (size_t)ids[2]), lt_f4_splat(weights[2]));
    return lt_f4_mad(sum, lt_f4_load(nodes + 4 * (size_t)ids[3]), lt_f4_splat(weights[3]));
}

static inline void store_point(lt_vec3 *out, lt_f4 value) {
    float lanes[4];
    lt_f4_store(lanes, value);
    *out = (lt_vec3){lanes[0], lanes[1], lanes[2]};
}

static void barycentric(lt_vec3 *out, const lt_skin *skin, const float *nodes, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    if (begin == end) return;
    const uint32_t *ids = skin->ids;
    const float *weights = skin->weights;
    /* Four floats are written where three belong; the next point writes over the fourth, and the last of the range
     * writes three, because what lies behind may be another thread's. */
    for (uint32_t i = begin; i < end - 1; i++)
        lt_f4_store(&out[i].x, blend(ids + 4 * (size_t)i, weights + 4 * (size_t)i, nodes));
    store_point(&out[end - 1], blend(ids + 4 * (size_t)(end - 1), weights + 4 * (size_t)(end - 1), nodes));
}

/* Two sums of four corners, so that neither waits for the other. */
static inline lt_f4 blend_cell(const uint32_t *ids, const float *weights, const float *nodes) {
    return lt_f4_add(blend(ids, weights, nodes), blend(ids + 4, weights + 4, nodes));
}

static void trilinear(lt_vec3 *out, const lt_skin *skin, const float *nodes, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    if (begin == end) return;
    const uint32_t *ids = skin->ids;
    const float *weights = skin->weights;
    for (uint32_t i = begin; i < end - 1; i++) /* as above */
        lt_f4_store(&out[i].x, blend_cell(ids + 8 * (size_t)i, weights + 8 * (size_t)i, nodes));
    size_t last = 8 * (size_t)(end - 1);
    store_point(&out[end - 1], blend_cell(ids + last, weights + last, nodes));
}

static inline lt_vec3 node_at(const float *nodes, uint32_t id) {
    const float *p = nodes + 4 * (size_t)id;
    return (lt_vec3){p[0], p[1], p[2]};
}

/* Some unit vector across a unit vector. */
static lt_vec3 across(lt_vec3 e) {
    lt_vec3 axis = fabsf(e.x) < 0.6f ? (lt_vec3){1, 0, 0} : (lt_vec3){0, 1, 0};
    return lt_v3_normalize_or(lt_v3_cross(e, axis), (lt_vec3){0, 0, 1});
}

/* O + c0 ê0 + c1 ê1 + c2 ê2 with the unit axes n, q0 − q1, (q1 − q0) × n of the nodes' triangle now. */
static void rigid_links(lt_vec3 *out, const lt_skin *skin, const float *nodes, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    float scale = skin->scale;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t *ids = skin->ids + 4 * (size_t)i;
        const float *weights = skin->weights + 4 * (size_t)i, *c = skin->offsets + 4 * (size_t)i;
        lt_vec3 q0 = node_at(nodes, ids[0]), q1 = node_at(nodes, ids[1]), q2 = node_at(nodes, ids[2]);
        lt_vec3 along = lt_v3_sub(q1, q0), none = {0, 0, 0};
        lt_vec3 e0 = lt_v3_normalize_or(lt_v3_cross(along, lt_v3_sub(q2, q0)), none);
        lt_vec3 e1 = lt_v3_normalize_or(lt_v3_neg(along), (lt_vec3){1, 0, 0});
        /* A triangle crushed to a line or a point: any axes will do that leave the link as long as it is. */
        if (lt_v3_dot(e0, e0) == 0) e0 = across(e1);
        lt_vec3 e2 = lt_v3_normalize_or(lt_v3_cross(along, e0), none);
        if (lt_v3_dot(e2, e2) == 0) e2 = lt_v3_cross(e0, e1);
        store_point(&out[i], blend(ids, weights, nodes));
        out[i] =
            lt_v3_mad(lt_v3_mad(lt_v3_mad(out[i], e0, scale * c[0]), e1, scale * c[1]), e2, scale * c[2]);
    }
}

extern const lt_embed_kernels LT_KERNEL(lt_embed_kernels);
const lt_embed_kernels LT_KERNEL(lt_embed_kernels) = {barycentric, rigid_links, trilinear};
