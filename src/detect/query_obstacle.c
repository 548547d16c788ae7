/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/query_obstacle.h"

#include "core/polar.h"

/* ---- the obstacle's motion ---- */

static lt_vec3 carried_back(const lt_obstacle_query *q, lt_vec3 x) {
    lt_vec3 sum = lt_v3_mad(q->back_origin, q->back_axes[0], x.x);
    return lt_v3_mad(lt_v3_mad(sum, q->back_axes[1], x.y), q->back_axes[2], x.z);
}

/* x = c₁ + R₁ y at the end is c₀ + R₀ y at the start: c₀ + R₀ R₁ᵀ (x - c₁). */
void lt_obstacle_query_aim(lt_obstacle_query *query) {
    lt_obstacle_query *q = query;
    const lt_obstacle *o = q->obstacle;
    if (!(q->separation > 0)) q->separation = 0;
    q->back_axes[0] = (lt_vec3){1, 0, 0};
    q->back_axes[1] = (lt_vec3){0, 1, 0};
    q->back_axes[2] = (lt_vec3){0, 0, 1};
    q->back_origin = (lt_vec3){0, 0, 0};
    if (!o->moving) return;
    lt_dmat3 start = {lt_d3_from_v3(o->axes[0]), lt_d3_from_v3(o->axes[1]), lt_d3_from_v3(o->axes[2])};
    lt_dmat3 turn = lt_dm3_mul(start, lt_dm3_transpose(lt_matrix_from_quat(o->target_rotation)));
    q->back_axes[0] = lt_v3_from_d3(turn.c0);
    q->back_axes[1] = lt_v3_from_d3(turn.c1);
    q->back_axes[2] = lt_v3_from_d3(turn.c2);
    lt_dvec3 moved = lt_dm3_mul_vec(turn, lt_d3_from_v3(o->target_position));
    q->back_origin = lt_v3_from_d3(lt_d3_sub(lt_d3_from_v3(o->position), moved));
}

/* How far anything in a box is carried, at most: it is farthest at a corner. */
static float longest_carry(const lt_obstacle_query *q, lt_box box) {
    float most = 0;
    for (uint32_t k = 0; k < 8; k++) {
        lt_vec3 corner = {k & 1 ? box.hi.x : box.lo.x, k & 2 ? box.hi.y : box.lo.y,
                          k & 4 ? box.hi.z : box.lo.z};
        most = lt_max_f(most, lt_v3_distance(carried_back(q, corner), corner));
    }
    return most;
}

/* ---- one vertex ---- */

/* No more than the distance. Beyond its grid that of a mesh is taken as longer elsewhere. */
static lt_obstacle_hit lower_distance(const lt_obstacle *o, lt_vec3 x) {
    lt_obstacle_hit hit = lt_obstacle_distance(o, x);
    if (o->kind == LT_OBSTACLE_MESH) {
        lt_vec3 d = lt_v3_sub(x, o->position);
        lt_vec3 local = {lt_v3_dot(o->axes[0], d), lt_v3_dot(o->axes[1], d), lt_v3_dot(o->axes[2], d)};
        lt_distance_grid_sample(&o->grid, local, &hit.distance, NULL);
    }
    return hit;
}

/* From the obstacle as it is at the start to how it is at a time: the inverse of carrying back, as far as
 * time has gone. */
static lt_vec3 turned_on(const lt_obstacle_query *q, lt_vec3 normal, float time) {
    lt_vec3 at_end = {lt_v3_dot(q->back_axes[0], normal), lt_v3_dot(q->back_axes[1], normal),
                      lt_v3_dot(q->back_axes[2], normal)};
    return lt_v3_normalize_or(lt_v3_mad(normal, lt_v3_sub(at_end, normal), time), normal);
}

/* From a plane the distance is linear along the way. (By advancement, what slides along it would never get on.) */
static bool test_plane(const lt_obstacle_query *q, lt_vec3 from, lt_vec3 way, float near_enough,
                       lt_obstacle_meeting *out) {
    lt_obstacle_hit start = lt_obstacle_distance(q->obstacle, from);
    float end = lt_obstacle_distance(q->obstacle, lt_v3_add(from, way)).distance, time = 0;
    if (start.distance > near_enough && end > near_enough) return false;
    if (start.distance > near_enough) time = (start.distance - near_enough) / (start.distance - end);
    float distance = start.distance + time * (end - start.distance);
    *out = (lt_obstacle_meeting){LT_NONE, time, distance, turned_on(q, start.normal, time)};
    return true;
}

bool lt_obstacle_query_way(const lt_obstacle_query *query, lt_vec3 from, lt_vec3 to, float slack,
                           lt_obstacle_meeting *out) {
    enum { STEPS = 64 };
    const lt_obstacle_query *q = query;
    lt_vec3 way = lt_v3_sub(carried_back(q, to), from);
    float length = lt_v3_length(way), time = 0;
    float near_enough = q->separation + 1e-4f * length + slack; /* all of the way in some steps */
    if (q->obstacle->kind == LT_OBSTACLE_PLANE) return test_plane(q, from, way, near_enough, out);
    for (uint32_t step = 0;; step++) {
        lt_obstacle_hit hit = lower_distance(q->obstacle, lt_v3_mad(from, way, time));
        if (hit.distance <= near_enough || step == STEPS || !(length < 1e30f)) {
            *out = (lt_obstacle_meeting){LT_NONE, time, hit.distance, turned_on(q, hit.normal, time)};
            return true;
        }
        time += (hit.distance - q->separation) / length; /* infinite where nothing moves */
        if (!(time <= 1)) return false;
    }
}

bool lt_obstacle_query_test(const lt_obstacle_query *query, uint32_t point, lt_obstacle_meeting *out) {
    const lt_multiscale *body = query->body;
    lt_vec3 from = lt_multiscale_position(body, point, 0), to = lt_multiscale_position(body, point, 1);
    bool meets = lt_obstacle_query_way(query, from, to, body->slack, out);
    out->point = point;
    return meets;
}

/* ---- boxes ---- */

static void offer(lt_obstacle_query *q, uint32_t node) {
    q->box_tests++;
    if (!lt_obstacle_may_touch(q->obstacle, lt_multiscale_box(q->body, node), q->margin)) return;
    LT_ASSERT(q->node_count < LT_OBSTACLE_STACK);
    q->nodes[q->node_count++] = node;
}

static void test_vertices(lt_obstacle_query *q, const lt_multiscale_node *leaf) {
    const lt_multiscale_tree *tree = q->body->tree;
    for (uint32_t i = leaf->first; i < leaf->first + leaf->count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            lt_obstacle_meeting m;
            if (!(q->owners->bits[i] >> k & 1)) continue;
            q->vertex_tests++;
            if (!lt_obstacle_query_test(q, tree->triangles[3 * (size_t)i + k], &m)) continue;
            if (q->meeting_count < q->capacity)
                q->meetings[q->meeting_count++] = m;
            else
                q->dropped_count++;
        }
}

static uint32_t vertex_count(const lt_obstacle_query *q, const lt_multiscale_node *leaf) {
    uint32_t count = 0;
    for (uint32_t i = leaf->first; i < leaf->first + leaf->count; i++)
        count += (uint32_t)__builtin_popcount(q->owners->bits[i] & 7u);
    return count;
}

/* ---- the cursor ---- */

static lt_piece find_next(const lt_obstacle_query *q) {
    if (q->node_count == 0) return (lt_piece){LT_WORK_OBSTACLE, 0, 0};
    uint32_t node = q->nodes[q->node_count - 1], cost = lt_multiscale_open_cost(q->body, node);
    if (cost > 0) return (lt_piece){LT_WORK_REFRESH, cost, 0};
    const lt_multiscale_node *n = q->body->tree->nodes + node;
    if (n->child != LT_NONE) return (lt_piece){LT_WORK_OBSTACLE, LT_OBSTACLE_BOX_UNITS, 0};
    uint32_t count = vertex_count(q, n);
    return (lt_piece){LT_WORK_OBSTACLE, 1 + LT_OBSTACLE_VERTEX_UNITS * count, q->reserve * count};
}

void lt_obstacle_query_begin(lt_obstacle_query *query) {
    lt_obstacle_query *q = query;
    q->node_count = q->meeting_count = q->dropped_count = 0;
    q->box_tests = q->vertex_tests = 0;
    lt_obstacle_query_aim(q);
    lt_box root = lt_multiscale_box(q->body, 0);
    float carry = longest_carry(q, root);
    /* What vertices are called near at, and rounding. */
    q->margin =
        q->separation + carry * (1 + 1e-4f) + 1e-3f * lt_v3_distance(root.lo, root.hi) + 4 * q->body->slack;
    offer(q, 0);
    q->next = find_next(q);
}

static void do_piece(lt_obstacle_query *q, lt_work work) {
    uint32_t node = q->nodes[q->node_count - 1];
    const lt_multiscale_node *n = q->body->tree->nodes + node;
    if (work == LT_WORK_REFRESH) {
        lt_multiscale_open(q->body, node);
        return;
    }
    q->node_count--;
    if (n->child == LT_NONE) {
        test_vertices(q, n);
    } else {
        offer(q, n->child + 1);
        offer(q, n->child);
    }
}

uint32_t lt_obstacle_query_step(lt_obstacle_query *query, uint32_t grant) {
    lt_obstacle_query *q = query;
    lt_work work = q->next.work;
    uint32_t spent = 0;
    while (q->next.cost > 0 && q->next.work == work && q->next.cost <= grant - spent) {
        spent += q->next.cost;
        do_piece(q, work);
        q->next = find_next(q);
    }
    return spent;
}

static lt_piece peek_query(const void *state) {
    return lt_obstacle_query_peek(state);
}

static uint32_t step_query(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    return lt_obstacle_query_step(state, grant);
}

lt_cursor lt_obstacle_query_cursor(lt_obstacle_query *query) {
    return (lt_cursor){query, peek_query, step_query};
}
