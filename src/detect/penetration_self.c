/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Whether a body can meet itself at all: most bodies, most of the time, are nearly as they were at rest, turned and moved as a
 * whole. Places that were farther apart at rest than twice what any node is off that cannot have come together; and places that
 * were nearer than the edge of a tet do not collide (lt_is_far_at_rest). One pass over the nodes, instead of all tets over all
 * points of the body. */

#include "core/polar.h"
#include "detect/penetration.h"

typedef struct placed {
    lt_dvec3 center, rest_center;
    lt_dmat3 turn;
} placed;

static lt_dvec3 rest_node(const lt_soft *soft, uint32_t node) {
    LT_ASSERT(node < soft->carrier.node_count);
    const double *p = soft->carrier.rest + 3 * (size_t)node;
    return lt_d3_scale((lt_dvec3){p[0], p[1], p[2]}, (double)soft->scale);
}

/* The turn that brings the body at rest nearest to where its nodes are. */
static placed place_of(const lt_cycle *c, const lt_cycle_body *b, const lt_soft *soft) {
    uint32_t count = soft->carrier.node_count;
    placed p = {{0, 0, 0}, {0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (uint32_t i = 0; i < count; i++) {
        p.center = lt_d3_mad(p.center, lt_cycle_node(c, b, i), 1.0 / count);
        p.rest_center = lt_d3_mad(p.rest_center, rest_node(soft, i), 1.0 / count);
    }
    lt_dmat3 sum = p.turn;
    for (uint32_t i = 0; i < count; i++) {
        lt_dvec3 x = lt_d3_sub(lt_cycle_node(c, b, i), p.center),
                 r = lt_d3_sub(rest_node(soft, i), p.rest_center);
        sum.c0 = lt_d3_mad(sum.c0, x, r.x);
        sum.c1 = lt_d3_mad(sum.c1, x, r.y);
        sum.c2 = lt_d3_mad(sum.c2, x, r.z);
    }
    p.turn = lt_polar_by_svd(sum);
    return p;
}

bool lt_cycle_may_fold(const lt_cycle *cycle, const lt_cycle_body *body) {
    const lt_collider *collider = &cycle->input.colliders[body->slot];
    const lt_soft *soft = collider->soft;
    if (collider->skin->offsets || cycle->input.live) return true;
    placed p = place_of(cycle, body, soft);
    double most = 0;
    for (uint32_t i = 0; i < soft->carrier.node_count; i++) {
        lt_dvec3 there = lt_dm3_mul_vec(p.turn, lt_d3_sub(rest_node(soft, i), p.rest_center));
        lt_dvec3 off = lt_d3_sub(lt_d3_sub(lt_cycle_node(cycle, body, i), p.center), there);
        most = lt_max_d(most, lt_d3_length_squared(off));
    }
    double reach = 2 * (1 + 2 * (double)collider->skin->overhang) * sqrt(most);
    return !(reach < 0.9 * (double)soft->least_altitude);
}
