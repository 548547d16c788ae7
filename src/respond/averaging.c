/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The response of the sphere-tree paper as printed (papers/000 §4.3): every pair of the front pushes the carrier node
 * nearest to either sphere by k δ along the line of centres, every node takes the mean of what it gets, and the force
 * stays what it is over the step. The mean breaks action and reaction (one sphere against three: F on one side, 3 F on
 * the other; erratum M9); how much is lost is handed back. k, which the paper leaves open, is s² / (Δt² (1/m + 1/m')). */

#include "respond/respond.h"

#include <string.h>

static const float STIFFNESS = 0.3f; /* s: held forces rebound by exp(π s / 4) */

static size_t count_nodes(const lt_collider *colliders, uint32_t count) {
    size_t nodes = 0;
    for (uint32_t i = 0; i < count; i++)
        nodes += colliders[i].in_use ? colliders[i].soft->carrier.node_count : 0;
    return nodes;
}

size_t lt_averaging_scratch(const lt_collider *colliders, uint32_t collider_count) {
    size_t nodes = count_nodes(colliders, collider_count);
    return nodes * (sizeof(lt_vec3) + sizeof(uint32_t)) + collider_count * sizeof(uint32_t) + 3 * (size_t)64;
}

bool lt_averaging_take(lt_averaging *averaging, const lt_collider *colliders, uint32_t collider_count,
                       float dt, lt_arena *arena) {
    LT_ASSERT(dt >= 0);
    size_t nodes = count_nodes(colliders, collider_count), next = 0;
    *averaging = (lt_averaging){.forces = LT_TAKE(arena, nodes, lt_vec3),
                                .counts = LT_TAKE(arena, nodes, uint32_t),
                                .begins = LT_TAKE(arena, collider_count, uint32_t),
                                .collider_count = collider_count,
                                .dt = dt};
    if (!averaging->forces || !averaging->counts || !averaging->begins) return false;
    memset(averaging->forces, 0, nodes * sizeof(lt_vec3));
    memset(averaging->counts, 0, nodes * sizeof(uint32_t));
    for (uint32_t i = 0; i < collider_count; i++) {
        averaging->begins[i] = (uint32_t)next;
        next += colliders[i].in_use ? colliders[i].soft->carrier.node_count : 0;
    }
    return true;
}

static uint32_t nearest_node(const lt_collider *c, uint32_t sphere) {
    return c->spheres.tree->nearest[(size_t)4 * LT_LANES * lt_block_of(sphere) + lt_lane_of(sphere)];
}

static void push_node(lt_averaging *averaging, uint32_t body, uint32_t node, lt_vec3 force) {
    LT_ASSERT(body < averaging->collider_count);
    size_t at = (size_t)averaging->begins[body] + node;
    averaging->forces[at] = lt_v3_add(averaging->forces[at], force);
    averaging->counts[at]++;
}

void lt_averaging_add(lt_averaging *averaging, const lt_traverse *traverse, const lt_pair *pair,
                      const lt_collider *colliders) {
    const lt_collider *a = &colliders[pair->a], *b = &colliders[pair->b];
    uint32_t bucket;
    for (uint32_t i = lt_front_next(traverse, LT_NONE, &bucket); i != LT_NONE;
         i = lt_front_next(traverse, i, &bucket)) {
        const lt_front_pair *p = &traverse->pool[i];
        lt_vec3 apart = lt_v3_sub(lt_sphere_center(&a->spheres, p->a), lt_sphere_center(&b->spheres, p->b));
        float overlap = lt_sphere_now(&a->spheres, LT_NOW_RADIUS, p->a) +
                        lt_sphere_now(&b->spheres, LT_NOW_RADIUS, p->b) - lt_v3_length(apart);
        if (!(overlap > 0)) continue; /* M8: what does not overlap must not attract */
        uint32_t na = nearest_node(a, p->a), nb = nearest_node(b, p->b);
        float w = (float)(lt_soft_inverse_mass(a->soft, na) + lt_soft_inverse_mass(b->soft, nb));
        if (!(w > 0)) continue;
        float k = STIFFNESS * STIFFNESS / (averaging->dt * averaging->dt * w);
        lt_vec3 force = lt_v3_scale(lt_v3_normalize_or(apart, (lt_vec3){0, 0, 1}), k * overlap);
        push_node(averaging, pair->a, na, force);
        push_node(averaging, pair->b, nb, lt_v3_neg(force));
    }
}

double lt_averaging_hand_over(const lt_averaging *averaging, lt_soft *softs, const lt_collider *colliders) {
    double sum[3] = {0, 0, 0}, size = 0;
    for (uint32_t body = 0; body < averaging->collider_count; body++) {
        if (!colliders[body].in_use) continue;
        for (uint32_t node = 0; node < softs[body].carrier.node_count; node++) {
            size_t at = (size_t)averaging->begins[body] + node;
            if (!averaging->counts[at]) continue;
            lt_vec3 mean = lt_v3_scale(averaging->forces[at], 1 / (float)averaging->counts[at]);
            lt_node_add(softs[body].force, node, lt_r3_from_v3(mean), 1);
            for (int k = 0; k < 3; k++)
                sum[k] += (double)lt_v3_get(mean, k);
            size += (double)lt_v3_length(mean);
        }
    }
    double lost = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    return size > 0 ? lost / size : 0;
}
