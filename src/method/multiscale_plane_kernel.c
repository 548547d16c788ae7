/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The node that is farthest along a direction, eight at a time. */

#include "method/multiscale_plane.h"

static const float FAR = 3e38f;

static inline lt_f8 along_at(const float *columns, size_t stride, uint32_t at, const lt_f8 direction[3]) {
    lt_f8 xy = lt_f8_mad(lt_f8_mul(lt_f8_load(columns + at), direction[0]), lt_f8_load(columns + stride + at),
                         direction[1]);
    return lt_f8_mad(xy, lt_f8_load(columns + 2 * stride + at), direction[2]);
}

/* Lanes keep the first of their best; of equal lanes the node with the lowest number counts. */
static uint32_t farthest(const lt_node_columns *c, uint32_t count, lt_vec3 direction, float *most) {
    const lt_f8 d[3] = {lt_f8_splat(direction.x), lt_f8_splat(direction.y), lt_f8_splat(direction.z)};
    const bool both = c->to != c->from;
    lt_f8 best = lt_f8_splat(-FAR), where = lt_f8_splat(0), share = lt_f8_splat(c->share);
    for (uint32_t at = 0; at < count; at += 8) {
        lt_f8 along = along_at(c->from, c->stride, at, d);
        if (both) along = lt_f8_mad(along, lt_f8_sub(along_at(c->to, c->stride, at, d), along), share);
        lt_f8m is_better = lt_f8_less(best, along);
        best = lt_f8_select(is_better, along, best);
        where = lt_f8_select(is_better, lt_f8_splat((float)at), where);
    }
    float bests[8], places[8];
    lt_f8_store(bests, best);
    lt_f8_store(places, where);
    uint32_t found = (uint32_t)places[0];
    *most = bests[0];
    for (uint32_t lane = 1; lane < 8; lane++) {
        uint32_t node = (uint32_t)places[lane] + lane;
        if (!(bests[lane] > *most) && !(bests[lane] == *most && node < found)) continue;
        *most = bests[lane];
        found = node;
    }
    return found;
}

extern lt_farthest_kernel LT_KERNEL(lt_farthest_node);
uint32_t LT_KERNEL(lt_farthest_node)(const lt_node_columns *columns, uint32_t count, lt_vec3 direction,
                                     float *most) {
    return farthest(columns, count, direction, most);
}
