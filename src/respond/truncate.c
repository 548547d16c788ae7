/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "respond/truncate.h"

/* Puts a node back by `by` along the normal; it has no velocity into the obstacle then. */
static void put_back(lt_truncation *t, uint32_t node, lt_vec3 normal, float by, lt_vec3 other) {
    lt_rvec3 n = lt_r3_from_v3(normal), x = lt_node_get(t->soft->x, node), v = lt_node_get(t->soft->v, node);
    lt_real into = lt_min_r(0, lt_r3_dot(lt_r3_sub(v, lt_r3_from_v3(other)), n));
    lt_rvec3 impulse = lt_r3_scale(n, -into * t->soft->mass[node]);
    x = lt_r3_mad(x, n, (lt_real)by);
    lt_node_set(t->soft->x, node, x);
    lt_node_set(t->soft->v, node, lt_r3_mad(v, n, -into));
    t->impulse = lt_r3_add(t->impulse, impulse);
    t->moment = lt_r3_add(t->moment, lt_r3_cross(x, impulse));
    t->withheld = lt_max_f(t->withheld, by);
}

void lt_truncate(lt_truncation *truncation) {
    lt_truncation *t = truncation;
    LT_ASSERT(t->level <= 0 && t->dt > 0);
    lt_obstacle end = *t->obstacle;
    lt_obstacle_arrive(&end);
    lt_vec3 origin = lt_v3_from_r3(lt_node_get(t->soft->x, 0));
    lt_ruler before = lt_ruler_at(t->obstacle, origin), after = lt_ruler_at(&end, origin);
    t->impulse = t->moment = (lt_rvec3){0, 0, 0};
    t->withheld = 0;
    for (uint32_t i = 0; i < t->node_count; i++) {
        uint32_t node = t->nodes ? t->nodes[i] : i;
        lt_vec3 at = lt_v3_from_r3(lt_node_get(t->soft->x, node));
        lt_obstacle_hit hit = lt_ruler_measure(&after, at);
        if (hit.distance >= t->level || t->soft->pinned[node]) continue;
        lt_vec3 from = lt_v3_from_r3(lt_node_get(t->soft->x_before, node));
        float least = lt_min_f(t->level, lt_ruler_measure(&before, from).distance);
        if (hit.distance < least)
            put_back(t, node, hit.normal, least - hit.distance, lt_obstacle_velocity(t->obstacle, at));
    }
    if (t->withheld > 0) lt_soft_publish(t->soft);
}
