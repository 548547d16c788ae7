/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Which level moves a node of a ladder: the finest among the front nodes that it hangs on, over however many others. For pictures
 * and statistics, of all nodes at once: nodes of the finest level at rest hang on hundreds of paths, each pass looks at a node
 * once. In the order of lt_soft_follow, which moves what hangs on others. */

#include "body/multigrid.h"

/* Below it a weight is one by rounding: of nodes that lie on a face or a corner of their tet. */
static const float LEAST_WEIGHT = 1e-5f;

uint8_t lt_finest_level(const uint8_t *levels, const uint32_t *nodes, const float *weights, uint32_t count) {
    uint8_t finest = UINT8_MAX;
    for (uint32_t k = 0; k < count; k++)
        if (lt_max_f(weights[k], -weights[k]) > LEAST_WEIGHT && levels[nodes[k]] < finest)
            finest = levels[nodes[k]];
    return finest;
}

uint32_t lt_soft_levels(const lt_soft *soft, uint8_t *levels) {
    const lt_multigrid *g = soft->grid;
    const lt_carrier *carrier = &soft->carrier;
    const lt_ladder *ladder = &carrier->ladder;
    for (uint32_t node = 0; !g && node < carrier->node_count; node++)
        levels[node] = 0;
    if (!g) return 1;
    for (uint32_t level = ladder->level_count; level-- > 0;)
        for (uint32_t node = ladder->node_begin[level]; node < ladder->node_begin[level + 1]; node++)
            levels[node] =
                g->kinds[node] >= LT_NODE_FRONT
                    ? (uint8_t)level
                    : lt_finest_level(levels, lt_hang_corners(soft, node), lt_hang_weights(soft, node), 4);
    for (uint32_t node = ladder->node_begin[1]; node < carrier->node_count; node++) {
        size_t at = node - ladder->node_begin[1];
        if (g->kinds[node] == LT_NODE_INTERIOR)
            levels[node] = lt_finest_level(levels, carrier->tets + 4 * (size_t)ladder->below_tets[at],
                                           ladder->below_weights + 4 * at, 4);
    }
    return ladder->level_count;
}

/* From where the last one was found: neighbours mostly hang on the same level. */
static uint32_t level_of_tet(const lt_ladder *ladder, uint32_t tet, uint32_t level) {
    LT_ASSERT(level <= ladder->level_count);
    while (tet >= ladder->tet_begin[level + 1])
        level++;
    while (tet < ladder->tet_begin[level])
        level--;
    return level;
}

bool lt_soft_hang_levels(const lt_soft *soft, uint8_t *levels, uint32_t count) {
    const lt_multigrid *g = soft ? soft->grid : NULL;
    uint32_t level = 0;
    bool changed = false;
    for (uint32_t node = 0; node < count; node++) {
        bool follows = g && g->kinds[node] < LT_NODE_FRONT;
        if (follows) level = level_of_tet(&soft->carrier.ladder, g->hang_tets[node], level);
        uint8_t now = follows ? (uint8_t)level : 0;
        changed = changed || levels[node] != now;
        levels[node] = now;
    }
    return changed;
}
