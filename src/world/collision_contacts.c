/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Meetings of surfaces as contacts on nodes. Points of a piece that lies in one tet hang on nodes of that tet alone, whichever tet
 * they are listed with: weights on others are exactly 0 (bake/split_tets.h). So the point of a contact has four nodes at most,
 * and on a triangle that spans as many as its corners have. */

#include "world/collision_internal.h"

/* ---- points ---- */

/* A point while it is summed up. */
typedef struct hanging {
    uint32_t nodes[LT_COLLISION_NODES];
    double weights[LT_COLLISION_NODES];
    uint32_t count;
} hanging;

static void add_node(hanging *h, uint32_t node, double weight) {
    uint32_t i = 0;
    while (i < h->count && h->nodes[i] != node)
        i++;
    if (i == h->count) {
        LT_ASSERT(h->count < LT_COLLISION_NODES);
        h->nodes[h->count] = node;
        h->weights[h->count++] = 0;
    }
    h->weights[i] += weight;
}

static void add_points(hanging *h, const lt_multiscale_tree *tree, const uint32_t *points,
                       const float *weights, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        for (size_t k = 0; k < 4; k++) {
            double weight = (double)tree->weights[4 * (size_t)points[i] + k] * (double)weights[i];
            if (weight != 0) add_node(h, tree->ids[4 * (size_t)points[i] + k], weight);
        }
}

static lt_collision_point point_of(const hanging *h, uint32_t triangle) {
    lt_collision_point point = {.node_count = h->count, .triangle = triangle};
    for (uint32_t i = 0; i < h->count; i++) {
        point.nodes[i] = h->nodes[i];
        point.weights[i] = (float)h->weights[i];
    }
    return point;
}

static lt_dvec3 node_at(const float *nodes, uint32_t node) {
    const float *x = nodes + 4 * (size_t)node;
    return (lt_dvec3){(double)x[0], (double)x[1], (double)x[2]};
}

static lt_vec3 place_of(const hanging *h, const lt_collision_body *body, float time) {
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < h->count; i++) {
        lt_dvec3 x = node_at(body->from, h->nodes[i]);
        if (body->moves) x = lt_d3_mad(x, lt_d3_sub(node_at(body->to, h->nodes[i]), x), (double)time);
        sum = lt_d3_mad(sum, x, h->weights[i]);
    }
    return lt_v3_from_d3(sum);
}

/* ---- contacts ---- */

/* The point of a meeting on one side: of a crossing the middle of its triangle. */
static hanging hang_side(const lt_multiscale_tree *tree, const lt_meeting *m, uint32_t side) {
    static const float thirds[3] = {1.0f / 3, 1.0f / 3, 1.0f / 3};
    uint32_t triangle = side ? m->b : m->a;
    hanging h = {0};
    lt_meeting_side points =
        m->kind == LT_MEET_CROSSING
            ? (lt_meeting_side){triangle, 3, tree->triangles + 3 * (size_t)triangle, thirds}
            : lt_meeting_side_of(m, side);
    add_points(&h, tree, points.points, points.weights, points.count);
    return h;
}

static lt_collision_contact contact_of(const lt_collision *c, const lt_pair *pair, const lt_meeting *m) {
    static const lt_collision_kind kinds[] = {[LT_MEET_VERTEX_FACE] = LT_COLLISION_VERTEX_FACE,
                                              [LT_MEET_FACE_VERTEX] = LT_COLLISION_FACE_VERTEX,
                                              [LT_MEET_EDGES] = LT_COLLISION_EDGES,
                                              [LT_MEET_CROSSING] = LT_COLLISION_CROSSING};
    const lt_collision_body *body_a = lt_collision_body_at(c, pair->a),
                            *body_b = lt_collision_body_at(c, pair->b);
    const lt_multiscale_tree *tree_a = &body_a->shared->parts.tree, *tree_b = &body_b->shared->parts.tree;
    hanging a = hang_side(tree_a, m, 0), b = hang_side(tree_b, m, 1);
    return (lt_collision_contact){.body_a = lt_collision_body_id(c, pair->a),
                                  .body_b = lt_collision_body_id(c, pair->b),
                                  .kind = kinds[m->kind],
                                  .status =
                                      m->outcome == LT_CCD_MEET ? LT_CONTACT_EXACT : LT_CONTACT_APPROXIMATE,
                                  .time = m->time,
                                  .distance = m->distance,
                                  .normal = m->normal,
                                  .position = place_of(&a, body_a, m->time),
                                  .a = point_of(&a, tree_a->parents[m->a]),
                                  .b = point_of(&b, tree_b->parents[m->b])};
}

static lt_collision_contact obstacle_contact_of(const lt_collision *c, const lt_pair *pair,
                                                const lt_obstacle_meeting *m) {
    const lt_collision_body *body = lt_collision_body_at(c, pair->a);
    const float whole = 1;
    hanging a = {0}, none = {0};
    add_points(&a, &body->shared->parts.tree, &m->point, &whole, 1);
    return (lt_collision_contact){.body_a = lt_collision_body_id(c, pair->a),
                                  .obstacle = lt_collision_obstacle_id(c, pair->b),
                                  .kind = LT_COLLISION_OBSTACLE,
                                  .status = LT_CONTACT_EXACT,
                                  .time = m->time,
                                  .distance = m->distance,
                                  .normal = m->normal,
                                  .position = place_of(&a, body, m->time),
                                  .a = point_of(&a, LT_NONE),
                                  .b = point_of(&none, LT_NONE)};
}

/* ---- what the caller sees ---- */

/* From the first that is not in the list yet. */
const lt_collision_contact *lt_collision_contacts(const lt_collision *collision, uint32_t *count) {
    lt_collision *c = (lt_collision *)collision; /* what the caller sees is only made now */
    if (count) *count = 0;
    if (!LT_REQUIRE(c)) return NULL;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < c->run_count; i++) {
        const lt_collision_run *run = &c->runs[i];
        const lt_pair *pair = lt_pair_at(&c->pairs, run->pair);
        for (uint32_t k = 0; k < run->count; k++, seen++) {
            if (seen < c->published_count) continue;
            c->contacts[seen] = pair->kind == LT_PAIR_OBSTACLE
                                    ? obstacle_contact_of(c, pair, &c->obstacle_meetings[run->first + k])
                                    : contact_of(c, pair, &c->meetings[run->first + k]);
        }
    }
    c->published_count = seen;
    if (count) *count = seen;
    return c->contacts;
}

const lt_collision_pair *lt_collision_pending(const lt_collision *collision, uint32_t *count) {
    lt_collision *c = (lt_collision *)collision; /* what the caller sees is only made now */
    if (count) *count = 0;
    if (!LT_REQUIRE(c)) return NULL;
    uint32_t found = 0;
    for (uint32_t i = 0; i < c->pairs.count && !c->is_over; i++) {
        const lt_pair *pair = lt_pair_at(&c->pairs, i);
        if (lt_pair_turn_at(&c->pairs, i)->now) continue;
        lt_collision_pair *out = &c->pending[found++];
        *out = (lt_collision_pair){.body_a = lt_collision_body_id(c, pair->a),
                                   .waited = *lt_collision_waited(c, i)};
        if (pair->kind == LT_PAIR_OBSTACLE)
            out->obstacle = lt_collision_obstacle_id(c, pair->b);
        else
            out->body_b = lt_collision_body_id(c, pair->b);
    }
    if (count) *count = found;
    return c->pending;
}
