/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Boxes from points, for the kernels that fit whole bunches (multiscale_kernel.c; bench/whole fits whole trees). Included by files
 * named *_kernel.c alone: the wide types below differ between SIMD levels. */

#ifndef LITHE_BOUND_MULTISCALE_POINTS_H
#define LITHE_BOUND_MULTISCALE_POINTS_H

#include "bound/multiscale.h"

enum { AHEAD = 2 }; /* bunches fitted between asking the memory for the boxes of one and needing them */
enum { BOX = LT_MULTISCALE_BOX_LANES };

static const float FAR = 3e38f;

/* Both ends of the step in one register; only in the end is it taken apart. */
static inline void fit_leaf(lt_multiscale *m, float *box, const uint32_t *corners, uint32_t corner_count,
                            lt_f4 slack) {
    lt_f8 least = lt_f8_splat(FAR), most = lt_f8_splat(-FAR);
    for (uint32_t k = 0; k < corner_count; k++) {
        lt_f8 both = lt_f8_load(m->positions + 8 * (size_t)corners[k]);
        least = lt_f8_min(least, both);
        most = lt_f8_max(most, both);
    }
    float ends[16];
    lt_f8_store(ends, least);
    lt_f8_store(ends + 8, most);
    lt_f4 lo = lt_f4_min(lt_f4_load(ends), lt_f4_load(ends + 4));
    lt_f4 hi = lt_f4_max(lt_f4_load(ends + 8), lt_f4_load(ends + 12));
    lt_f4_store(box, lt_f4_sub(lo, slack));
    lt_f4_store(box + 4, lt_f4_sub(lt_f4_sub(lt_f4_splat(0), hi), slack));
}

/* In halves, as they were stored a moment ago: one load of what two stores have written has to wait for both
 * to arrive. */
static inline void merge_halves(lt_multiscale *m, uint32_t node, uint32_t child) {
    LT_ASSERT(child < m->tree->node_count);
    LT_ASSERT(node < m->tree->node_count);
    const float *first = m->boxes + BOX * (size_t)child;
    float *box = m->boxes + BOX * (size_t)node;
    for (int half = 0; half < BOX; half += 4)
        lt_f4_store(box + half, lt_f4_min(lt_f4_load(first + half), lt_f4_load(first + BOX + half)));
}

static inline void fit_within(lt_multiscale *m, uint32_t node, lt_f4 slack) {
    LT_ASSERT(node < m->tree->node_count);
    const lt_multiscale_node *n = m->tree->nodes + node;
    if (n->child == LT_NONE)
        fit_leaf(m, m->boxes + BOX * (size_t)node, m->tree->triangles + 3 * (size_t)n->first, 3 * n->count,
                 slack);
    else
        merge_halves(m, node, n->child);
}

/* Boxes are written long after they were in the cache: without this a tree of a million triangles takes 40 % longer. */
static inline void prefetch_boxes(const lt_multiscale *m, const lt_multiscale_bunch *bunch, size_t below) {
    for (uint32_t i = 0; i < bunch->below_count; i += 2)
        __builtin_prefetch(m->boxes + BOX * (below + i), 1);
}

#endif
