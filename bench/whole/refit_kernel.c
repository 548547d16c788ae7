/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The boxes of a whole tree in the order of its bunches, once per SIMD level as the kernels of src/bound. */

#include "bench/whole/whole.h"
#include "bound/multiscale_points.h"

static inline void fit_in_order(lt_multiscale *m, const lt_multiscale_order *order, uint32_t node,
                                lt_f4 slack) {
    uint32_t child = order->nodes[node];
    if (child < LT_NONE / 2)
        merge_halves(m, node, child);
    else if (child != LT_NONE)
        fit_leaf(m, m->boxes + BOX * (size_t)node, order->corners + LT_LEAF_CORNERS * (size_t)~child,
                 LT_LEAF_CORNERS, slack);
    else
        fit_within(m, node, slack);
}

typedef void fit_whole(lt_multiscale *m, const lt_multiscale_order *order);
extern fit_whole LT_KERNEL(lt_multiscale_fit_whole);

/* Boxes above bunches are fitted while their children are in the cache. */
void LT_KERNEL(lt_multiscale_fit_whole)(lt_multiscale *m, const lt_multiscale_order *order) {
    const lt_multiscale_bunch *bunches = m->tree->bunches;
    lt_f4 slack = lt_f4_splat(m->slack);
    for (uint32_t bunch = 0; bunch < order->bunch_count; bunch++) {
        uint32_t below = order->nodes[bunches[bunch].node];
        if (bunch + AHEAD < order->bunch_count)
            prefetch_boxes(m, bunches + bunch + AHEAD, order->nodes[bunches[bunch + AHEAD].node]);
        for (uint32_t i = bunches[bunch].below_count; i-- > 0;)
            fit_in_order(m, order, below + i, slack);
        fit_in_order(m, order, bunches[bunch].node, slack);
        for (uint32_t i = order->above_begin[bunch]; i < order->above_begin[bunch + 1]; i++)
            merge_halves(m, order->above[i], order->nodes[order->above[i]]);
    }
}
