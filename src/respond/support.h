/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Support: what keeps a body off an obstacle when there was no time to look at its surface. It is part of the fixed cost.
 *
 * Nodes of the carrier are measured. At most LT_SUPPORTS of those that are, or come, near over the step are contacts: the deepest, those that are held
 * already, then always the one farthest from the others, so that all of what lies on the obstacle is carried. Contacts act on the
 * nodes that are measured. By a frame of the whole body, which a bulge does not follow, a ball that is flattened was thrown up with ten
 * times the energy that it had; on four nodes it fell through between them.
 *
 * The surface is inside the carrier. Where a body that lay on its surface is held by its nodes, these may be below the obstacle by as much as
 * they were then: `level`, at most 0. So nothing is pushed when a search is cut, and nothing sinks from step to step.
 *
 * Planes see all nodes; of other obstacles, whose distance is dearer, only those that are farthest out at rest in LT_EXTREMES directions. */

#ifndef LITHE_RESPOND_SUPPORT_H
#define LITHE_RESPOND_SUPPORT_H

#include "bound/body_boxes.h"
#include "respond/respond.h"

enum { LT_SUPPORTS = 8 };

/* Distances to an obstacle: those to a plane are linear, so that one look serves all places. */
typedef struct lt_ruler {
    const lt_obstacle *obstacle;
    lt_vec3 origin;
    lt_obstacle_hit at_origin;
} lt_ruler;
static inline lt_ruler lt_ruler_at(const lt_obstacle *obstacle, lt_vec3 origin) {
    return (lt_ruler){obstacle, origin, lt_obstacle_distance(obstacle, origin)};
}
static inline lt_obstacle_hit lt_ruler_measure(const lt_ruler *ruler, lt_vec3 at) {
    if (ruler->obstacle->kind != LT_OBSTACLE_PLANE) return lt_obstacle_distance(ruler->obstacle, at);
    lt_obstacle_hit hit = ruler->at_origin;
    hit.distance += lt_v3_dot(hit.normal, lt_v3_sub(at, ruler->origin));
    return hit;
}

typedef struct lt_support_node lt_support_node;
/* Bytes of `near` for so many nodes. */
size_t lt_support_scratch(uint32_t node_count);

typedef struct lt_support {
    /* Input */
    lt_pair pair; /* of a body and an obstacle */
    const lt_collider *collider;
    const lt_obstacle *obstacle; /* as the body's frame sees it */
    const uint32_t *nodes;       /* [node_count] that are seen; NULL: all of them */
    uint32_t node_count;
    lt_vec3 mean; /* of all nodes */
    float dt;
    float margin;                  /* m, what is farther away over the step needs no contact */
    float area;                    /* m², of all contacts together */
    float level;                   /* m, at most 0: where nodes may be */
    const uint32_t *node_corners;  /* [nodes of the carrier] bound/shape_tree.h */
    uint32_t first_feature;        /* features are nodes, from here on */
    const lt_contact_record *held; /* [held_count] of this pair, from before */
    uint32_t held_count;
    lt_contact_harvest *harvest;
    const lt_body_kernels *kernels;
    uint32_t *list;        /* [node_count + 1] scratch */
    lt_support_node *near; /* [node_count] scratch */
    uint32_t near_count;
    /* Result */
    uint32_t contacts;
} lt_support;

/* How far the nearest of its nodes is from the obstacle. */
float lt_support_distance(const lt_support *support);
void lt_support_answer(lt_support *support);
/* Units of an answer, when it was given; of the distance at most as many. */
uint32_t lt_support_units(const lt_support *support);

#endif
