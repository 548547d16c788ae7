/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Nodes that stand for a whole body, found when a tree is written.
 *
 *   frame   three as far apart as they can be found: they tell how the body is turned
 *   parts   eight parts of the carrier and the four nodes in the middle of each: through them acts what is known of the body
 *           only as a whole (detect/attachment.c)
 *
 * Parts are clusters of nodes (Lloyd), begun with nodes far from each other. Once per shape, a few thousand nodes: eight
 * distances a node and round. A carrier of few nodes has some of them several times. */

#include "bake/sphere_write_internal.h"

enum { ROUNDS = 12 };

static uint32_t nearest_mean(const lt_dvec3 *means, uint32_t count, lt_dvec3 p) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; i++)
        if (lt_d3_distance(means[i], p) < lt_d3_distance(means[best], p)) best = i;
    return best;
}

static void begin_means(lt_dvec3 means[LT_PART_COUNT], const lt_carrier *carrier) {
    means[0] = lt_rest_node(carrier, 0);
    for (uint32_t i = 0; i < LT_PART_COUNT; i++) { /* the first is found again, as the farthest from any */
        double most = -1;
        lt_dvec3 farthest = means[0];
        for (uint32_t n = 0; n < carrier->node_count; n++) {
            lt_dvec3 p = lt_rest_node(carrier, n);
            double d = lt_d3_distance(means[nearest_mean(means, lt_max_u32(i, 1), p)], p);
            if (!(d > most)) continue;
            most = d;
            farthest = p;
        }
        means[i] = farthest;
    }
}

static void improve_means(lt_dvec3 means[LT_PART_COUNT], const lt_carrier *carrier) {
    lt_dvec3 sums[LT_PART_COUNT] = {{0, 0, 0}};
    uint32_t counts[LT_PART_COUNT] = {0};
    for (uint32_t n = 0; n < carrier->node_count; n++) {
        lt_dvec3 p = lt_rest_node(carrier, n);
        uint32_t part = nearest_mean(means, LT_PART_COUNT, p);
        sums[part] = lt_d3_add(sums[part], p);
        counts[part]++;
    }
    for (uint32_t i = 0; i < LT_PART_COUNT; i++)
        if (counts[i]) means[i] = lt_d3_scale(sums[i], 1.0 / counts[i]);
}

static bool is_among(const uint32_t *nodes, uint32_t count, uint32_t node) {
    for (uint32_t i = 0; i < count; i++)
        if (nodes[i] == node) return true;
    return false;
}

/* The nodes nearest to the mean, each once, while there are as many. */
static void find_middle(uint32_t nodes[LT_PART_NODES], const lt_carrier *carrier, lt_dvec3 mean) {
    for (uint32_t i = 0; i < LT_PART_NODES; i++) {
        double least = -1;
        nodes[i] = i ? nodes[0] : 0;
        for (uint32_t n = 0; n < carrier->node_count; n++) {
            double d = lt_d3_distance(lt_rest_node(carrier, n), mean);
            if (is_among(nodes, i, n) || (least >= 0 && d >= least)) continue;
            least = d;
            nodes[i] = n;
        }
    }
}

void lt_find_parts(uint32_t nodes[LT_PART_COUNT][LT_PART_NODES], const lt_carrier *carrier) {
    lt_dvec3 means[LT_PART_COUNT];
    begin_means(means, carrier);
    for (int round = 0; round < ROUNDS; round++)
        improve_means(means, carrier);
    for (uint32_t i = 0; i < LT_PART_COUNT; i++)
        find_middle(nodes[i], carrier, means[i]);
}

void lt_find_frame(const lt_carrier *carrier, uint32_t frame[3]) {
    frame[0] = frame[1] = frame[2] = 0;
    double most = -1;
    for (int pass = 0; pass < 2; pass++, most = -1)
        for (uint32_t i = 0; i < carrier->node_count; i++) {
            double d = lt_d3_distance(lt_rest_node(carrier, i), lt_rest_node(carrier, frame[1 - pass]));
            if (d <= most) continue;
            most = d;
            frame[pass] = i;
        }
    lt_dvec3 a = lt_rest_node(carrier, frame[0]), along = lt_d3_sub(lt_rest_node(carrier, frame[1]), a);
    most = -1;
    for (uint32_t i = 0; i < carrier->node_count; i++) {
        double d = lt_d3_length(lt_d3_cross(along, lt_d3_sub(lt_rest_node(carrier, i), a)));
        if (d <= most) continue;
        most = d;
        frame[2] = i;
    }
}
