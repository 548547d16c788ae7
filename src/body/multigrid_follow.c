/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Nodes that hang on others: where these take them, after anybody has moved some. See multigrid.h.
 *
 * Workload: all nodes of a bear but those that move by themselves, 2,500 of 2,600 at rest, in every step. */

#include "body/multigrid.h"

#include <string.h>

static void follow_below(const lt_carrier *carrier, uint32_t node, lt_real *vectors) {
    LT_ASSERT(node < carrier->node_count);
    lt_r4_store(vectors + 4 * (size_t)node, lt_gather_below(carrier, node, vectors));
}

/* Positions and velocities at once: what they hang on is the same. */
static inline void follow_hang(lt_soft *soft, uint32_t node) {
    LT_ASSERT(node < soft->carrier.node_count);
    const uint32_t *corners = lt_hang_corners(soft, node);
    const float *weights = lt_hang_weights(soft, node);
    lt_r4 x = lt_r4_load(soft->offset + 4 * (size_t)node), v = lt_r4_splat(0);
    for (int k = 0; k < 4; k++) {
        size_t at = 4 * (size_t)corners[k];
        lt_r4 weight = lt_r4_splat((lt_real)weights[k]);
        x = lt_r4_mad(x, lt_r4_load(soft->x + at), weight);
        v = lt_r4_mad(v, lt_r4_load(soft->v + at), weight);
    }
    lt_r4_store(soft->x + 4 * (size_t)node, x);
    lt_r4_store(soft->v + 4 * (size_t)node, v);
}

/* Interface and idle nodes from coarse to fine, then interior ones from fine to coarse: these hang on finer ones alone. */
void lt_soft_follow(lt_soft *soft) {
    const lt_multigrid *g = soft->grid;
    if (!g) {
        lt_soft_publish(soft);
        return;
    }
    const lt_carrier *carrier = &soft->carrier;
    const lt_ladder *ladder = &carrier->ladder;
    for (uint32_t level = ladder->level_count - 1; level-- > 0;)
        for (uint32_t node = ladder->node_begin[level]; node < ladder->node_begin[level + 1]; node++)
            if (g->kinds[node] < LT_NODE_FRONT) follow_hang(soft, node);
    for (uint32_t i = g->active.begin[1]; i < g->active.begin[ladder->level_count]; i++) {
        uint32_t node = g->active.items[i];
        if (g->kinds[node] != LT_NODE_INTERIOR) continue;
        follow_below(carrier, node, soft->x);
        follow_below(carrier, node, soft->v);
    }
    lt_soft_publish(soft);
}

void lt_soft_free_nodes(lt_soft *soft) {
    if (!soft->grid) return;
    memset(soft->offset, 0, 4 * (size_t)soft->carrier.node_count * sizeof *soft->offset);
    lt_front_set_level(soft, 0);
}

void lt_soft_pins_changed(lt_soft *soft) {
    if (!soft->grid) return;
    lt_front_update(soft);
    lt_soft_follow(soft);
}
