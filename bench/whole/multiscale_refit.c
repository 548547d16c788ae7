/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bench/whole/whole.h"

typedef void fit_whole(lt_multiscale *m, const lt_multiscale_order *order);
fit_whole lt_multiscale_fit_whole_scalar, lt_multiscale_fit_whole_wide4, lt_multiscale_fit_whole_avx2;

static fit_whole *fit_whole_for(lt_simd_level level) {
    static fit_whole *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_multiscale_fit_whole);
    return table[level];
}

/* The level of a tree's own kernels. */
static lt_simd_level level_of(const lt_multiscale *m) {
    lt_simd_level level = LT_LEVEL_SCALAR;
    while (lt_multiscale_kernels_for(level) != m->kernels)
        level++;
    return level;
}

/* Nodes below the cut and on it that are larger than bunches, children before parents, many to a call. */
static void merge_below(lt_multiscale *m) {
    const lt_multiscale_tree *tree = m->tree;
    uint32_t nodes[64], count = 0;
    for (uint32_t group = tree->group_count; group-- > 0;) {
        uint32_t node = tree->group_nodes[group];
        if (tree->nodes[node].count <= LT_BUNCH_TRIANGLES) continue;
        nodes[count++] = node;
        if (count < LT_COUNT_OF(nodes)) continue;
        m->kernels->merge(m, nodes, count);
        count = 0;
    }
    m->kernels->merge(m, nodes, count);
}

/* Points are tied to nodes of the finest level. */
void lt_multiscale_refit_whole(lt_multiscale *m, const lt_multiscale_order *order) {
    LT_ASSERT(!order || order->node_count == m->tree->node_count);
    m->kernels->take_nodes(m, 0, m->levels.nodes ? m->levels.node_count : m->node_count);
    m->kernels->evaluate(m, 0, m->tree->point_count);
    if (order) {
        fit_whole_for(level_of(m))(m, order);
    } else {
        m->kernels->fit_bunches(m, 0, m->tree->bunch_count);
        merge_below(m);
        m->kernels->merge(m, m->tree->above, m->tree->above_count);
    }
    m->whole_stamp = m->stamp;
}
