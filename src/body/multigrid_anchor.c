/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Points of a multigrid body by nodes that move by themselves. Surfaces hang on the finest level; where that follows coarser
 * nodes a force on the surface is one on those. The four nodes of a vertex hang on tets that are mostly the same, whose corners
 * may hang on others where levels meet: points need four to ten nodes, few more than the sixteen that an anchor has. Of those
 * the heaviest stay, and their weights are corrected so that they give the point where it is now, sum 1: then a force and its
 * partner act at one place. */

#include "body/multigrid.h"

#include <math.h>

static lt_dvec3 wide(lt_rvec3 v) {
    return (lt_dvec3){(double)v.x, (double)v.y, (double)v.z};
}

enum { MOST_TERMS = 64 };

typedef struct terms {
    uint32_t nodes[MOST_TERMS];
    double weights[MOST_TERMS];
    uint32_t count;
} terms;

/* False: there is no room. */
static bool add_term(terms *t, uint32_t node, double weight) {
    uint32_t i = 0;
    while (i < t->count && t->nodes[i] != node)
        i++;
    if (i == MOST_TERMS) return false;
    if (i == t->count) {
        t->nodes[t->count] = node;
        t->weights[t->count++] = 0;
    }
    t->weights[i] += weight;
    return true;
}

/* Replaces nodes that follow others by those, until none is left or there is no room. */
static void expand(terms *t, const lt_soft *soft) {
    const lt_carrier *carrier = &soft->carrier;
    for (uint32_t i = 0; i < t->count;) {
        uint32_t node = t->nodes[i];
        uint8_t kind = soft->grid->kinds[node];
        double weight = t->weights[i];
        if (kind == LT_NODE_FRONT) {
            i++;
            continue;
        }
        t->nodes[i] = t->nodes[--t->count];
        t->weights[i] = t->weights[t->count];
        bool inside = kind == LT_NODE_INTERIOR;
        size_t at = inside ? node - carrier->ladder.node_begin[1] : 0;
        uint32_t tet = inside ? carrier->ladder.below_tets[at] : soft->grid->hang_tets[node];
        const float *weights = inside ? carrier->ladder.below_weights + 4 * at : lt_hang_weights(soft, node);
        for (size_t k = 0; k < 4; k++)
            if (weights[k] != 0) add_term(t, carrier->tets[4 * (size_t)tet + k], weight * (double)weights[k]);
        i = 0;
    }
}

/* Those that weigh most, first. */
static void put_heaviest_first(terms *t) {
    for (uint32_t i = 0; i < LT_ANCHOR_MOST; i++)
        for (uint32_t k = i + 1; k < t->count; k++)
            if (fabs(t->weights[k]) > fabs(t->weights[i])) {
                uint32_t node = t->nodes[i];
                double weight = t->weights[i];
                t->nodes[i] = t->nodes[k];
                t->weights[i] = t->weights[k];
                t->nodes[k] = node;
                t->weights[k] = weight;
            }
}

/* How the first `count` nodes lie about their mean. */
static lt_dmat3 spread_of(const terms *t, const lt_soft *soft, uint32_t count, lt_dvec3 *mean) {
    lt_dmat3 spread = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    *mean = (lt_dvec3){0, 0, 0};
    for (uint32_t i = 0; i < count; i++)
        *mean = lt_d3_mad(*mean, wide(lt_node_get(soft->x, t->nodes[i])), 1.0 / count);
    for (uint32_t i = 0; i < count; i++) {
        lt_dvec3 d = lt_d3_sub(wide(lt_node_get(soft->x, t->nodes[i])), *mean);
        spread.c0 = lt_d3_mad(spread.c0, d, d.x);
        spread.c1 = lt_d3_mad(spread.c1, d, d.y);
        spread.c2 = lt_d3_mad(spread.c2, d, d.z);
    }
    return spread;
}

static bool is_solid(lt_dmat3 spread) {
    double trace = lt_dm3_trace(spread);
    return lt_dm3_determinant(spread) > 1e-5 * trace * trace * trace;
}

/* Nodes in a plane cannot give a point beside it: the last of them makes place for the first that is not in it. */
static void leave_plane(terms *t, const lt_soft *soft) {
    lt_dvec3 mean;
    const uint32_t last = LT_ANCHOR_MOST - 1;
    for (uint32_t i = LT_ANCHOR_MOST; i < t->count && !is_solid(spread_of(t, soft, LT_ANCHOR_MOST, &mean));
         i++) {
        t->nodes[last] = t->nodes[i];
        t->weights[last] = t->weights[i];
    }
}

/* The least change of weights with which these nodes give the point: w += a + b · (x − mean). */
static void correct_weights(terms *t, const lt_soft *soft, lt_dvec3 point) {
    lt_dvec3 mean, lack = point;
    lt_dmat3 spread = spread_of(t, soft, t->count, &mean);
    double sum = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        lack = lt_d3_mad(lack, wide(lt_node_get(soft->x, t->nodes[i])), -t->weights[i]);
        sum += t->weights[i];
    }
    lack = lt_d3_mad(lack, mean, -(1 - sum));
    lt_dvec3 b = is_solid(spread) ? lt_dm3_mul_vec(lt_dm3_inverse(spread), lack) : (lt_dvec3){0, 0, 0};
    for (uint32_t i = 0; i < t->count; i++) {
        lt_dvec3 d = lt_d3_sub(wide(lt_node_get(soft->x, t->nodes[i])), mean);
        t->weights[i] += (1 - sum) / t->count + lt_d3_dot(b, d);
    }
}

uint32_t lt_soft_patch(const lt_soft *soft, uint32_t tet) {
    LT_ASSERT(tet < soft->carrier.tet_count);
    if (!soft->grid) return tet;
    uint32_t patch = tet;
    for (size_t k = 0; k < 4; k++) {
        uint32_t node = soft->carrier.tets[4 * (size_t)tet + k];
        if (soft->grid->kinds[node] < LT_NODE_FRONT) patch = lt_max_u32(patch, soft->grid->hang_tets[node]);
    }
    return patch;
}

lt_anchor lt_soft_resolve(const lt_soft *soft, const lt_anchor *anchor) {
    bool moves = true;
    for (uint32_t i = 0; soft->grid && i < anchor->count; i++)
        moves = moves && soft->grid->kinds[anchor->ids[i]] == LT_NODE_FRONT;
    if (!soft->grid || moves) return *anchor;
    terms t = {.count = 0};
    for (uint32_t i = 0; i < anchor->count; i++)
        add_term(&t, anchor->ids[i], (double)anchor->weights[i]);
    expand(&t, soft);
    if (t.count > LT_ANCHOR_MOST) {
        put_heaviest_first(&t);
        leave_plane(&t, soft);
        t.count = LT_ANCHOR_MOST;
        correct_weights(&t, soft, wide(lt_anchor_gather(anchor, soft->x)));
    }
    lt_anchor out = {.count = t.count};
    for (uint32_t i = 0; i < t.count; i++) {
        out.ids[i] = t.nodes[i];
        out.weights[i] = (lt_real)t.weights[i];
    }
    return out;
}
