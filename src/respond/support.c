/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "respond/support.h"

enum { NEAR_UNITS = 8, OBSTACLE_UNITS = 24 /* of a node that is near, and of one that is not a plane's */ };

/* A node that is, or comes, near. */
typedef struct lt_support_node {
    uint32_t node;  /* first: kernels list nodes alone */
    float distance; /* m, now */
    float least;    /* m, over the step */
    float spread;   /* m², to the nearest one that is chosen */
    bool is_chosen;
} candidate;

size_t lt_support_scratch(uint32_t node_count) {
    return node_count * sizeof(candidate);
}

static lt_vec3 row_of(const float *rows, uint32_t node) {
    const float *p = rows + 4 * (size_t)node;
    return (lt_vec3){p[0], p[1], p[2]};
}

static uint32_t node_at(const lt_support *s, uint32_t index) {
    LT_ASSERT(index < s->node_count);
    return s->nodes ? s->nodes[index] : index;
}

/* ---- nodes that are near ---- */

static void see_node(lt_support *s, const lt_ruler *r, uint32_t node, float margin) {
    lt_vec3 at = row_of(s->collider->soft->nodes, node);
    lt_obstacle_hit hit = lt_ruler_measure(r, at);
    lt_vec3 velocity =
        lt_v3_sub(row_of(s->collider->soft->node_velocities, node), lt_obstacle_velocity(s->obstacle, at));
    float least = hit.distance + s->dt * lt_min_f(0, lt_v3_dot(velocity, hit.normal));
    if (least < s->level + margin)
        s->near[s->near_count++] = (candidate){node, hit.distance, least, 3e38f, false};
}

/* ---- which of them ---- */

static void choose(lt_support *s, candidate *c) {
    lt_vec3 at = row_of(s->collider->soft->nodes, c->node);
    c->is_chosen = true;
    s->contacts++;
    for (uint32_t i = 0; i < s->near_count; i++) {
        lt_vec3 other = row_of(s->collider->soft->nodes, s->near[i].node);
        s->near[i].spread = lt_min_f(s->near[i].spread, lt_v3_length_squared(lt_v3_sub(at, other)));
    }
}

static candidate *deepest(const lt_support *s) {
    candidate *best = NULL;
    for (uint32_t i = 0; i < s->near_count; i++)
        if (!best || s->near[i].least < best->least) best = &s->near[i];
    return best;
}

static candidate *find_near(const lt_support *s, uint32_t node) {
    for (uint32_t i = 0; i < s->near_count; i++)
        if (s->near[i].node == node) return &s->near[i];
    return NULL;
}

/* The deepest always; those that are held, so that the body stands where it stood; then always the one farthest from all that are
 * chosen. */
static void choose_nodes(lt_support *s) {
    if (s->near_count > 0) choose(s, deepest(s));
    for (uint32_t i = 0; i < s->held_count && s->contacts < LT_SUPPORTS; i++) {
        if (s->held[i].feature < s->first_feature) continue;
        candidate *c = find_near(s, s->held[i].feature - s->first_feature);
        if (c && !c->is_chosen) choose(s, c);
    }
    while (s->contacts < LT_SUPPORTS && s->contacts < s->near_count) {
        candidate *best = NULL;
        for (uint32_t i = 0; i < s->near_count; i++)
            if (!s->near[i].is_chosen && (!best || s->near[i].spread > best->spread)) best = &s->near[i];
        choose(s, best);
    }
}

static void hold(lt_support *s, const lt_ruler *r, const candidate *c) {
    uint32_t corner = s->node_corners[c->node];
    lt_touch touch = {.body = s->pair.a,
                      .point = LT_NONE,
                      .own = {.tet = corner / 4},
                      .other = {.tet = LT_NONE},
                      .normal = lt_ruler_measure(r, row_of(s->collider->soft->nodes, c->node)).normal,
                      .area = s->area / (float)s->contacts,
                      .apart = s->level,
                      .depth = s->level - c->distance,
                      .approximate = 1};
    touch.own.weights[corner % 4] = 1;
    lt_harvest_add(s->harvest, &s->pair, s->first_feature + c->node, &touch);
}

/* Nodes that may come near in the step; of a plane by one product each. */
static uint32_t list_nodes(const lt_support *s, const lt_ruler *r) {
    float far = s->level + s->margin + s->collider->reach;
    bool is_plane = s->obstacle->kind == LT_OBSTACLE_PLANE;
    for (uint32_t i = 0; i < s->node_count && !is_plane; i++)
        s->list[i] = node_at(s, i);
    if (!is_plane) return s->node_count;
    float limit = far - r->at_origin.distance + lt_v3_dot(r->at_origin.normal, s->mean);
    return s->kernels->nodes_below(s->list, s->collider->soft->nodes, r->at_origin.normal, limit,
                                   s->node_count);
}

void lt_support_answer(lt_support *support) {
    LT_ASSERT(support->pair.kind == LT_PAIR_OBSTACLE && support->level <= 0);
    lt_ruler r = lt_ruler_at(support->obstacle, support->mean);
    support->contacts = support->near_count = 0;
    uint32_t count = list_nodes(support, &r);
    for (uint32_t i = 0; i < count; i++)
        see_node(support, &r, support->list[i], support->margin);
    choose_nodes(support);
    for (uint32_t i = 0; i < support->near_count; i++)
        if (support->near[i].is_chosen) hold(support, &r, &support->near[i]);
}

float lt_support_distance(const lt_support *support) {
    lt_ruler r = lt_ruler_at(support->obstacle, support->mean);
    float least = 3e38f;
    for (uint32_t i = 0; i < support->node_count; i++)
        least = lt_min_f(
            least,
            lt_ruler_measure(&r, row_of(support->collider->soft->nodes, node_at(support, i))).distance);
    return least;
}

uint32_t lt_support_units(const lt_support *support) {
    bool is_plane = support->obstacle->kind == LT_OBSTACLE_PLANE;
    if (!is_plane) return 1 + OBSTACLE_UNITS * support->node_count;
    return 1 + support->node_count / 2 + NEAR_UNITS * support->near_count;
}
