/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Points against tets and obstacles: the elementary tests of the methods that test points. */

#include "detect/detect.h"

/* Least weight with which a point still counts as held by a tet at rest. Contacts are seen before they happen: a
 * point that can get there within the step is held from as far away, by affine weights. */
static const double LEAST_WEIGHT = -0.25;

/* How far the two sides can come towards each other in this step. */
static float reach_of(const lt_point_query *q) {
    return q->points_of == q->tets_of ? q->points_of->reach : q->points_of->reach + q->tets_of->reach;
}

static bool near_enough(const lt_point_query *q, lt_vec3 p) {
    return lt_box_contains(lt_box_inflate(q->tets_of->box, reach_of(q)), p);
}

uint32_t lt_point_query_cost(const lt_point_query *query, uint32_t point) {
    LT_ASSERT(point < query->points_of->skin->point_count);
    if (!near_enough(query, query->points_of->points[point])) return 1;
    return 8 + query->tets_of->tet_boxes.group_count * LT_GROUP;
}

bool lt_tets_share_node(const uint32_t *a, const uint32_t *b) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (a[i] == b[j]) return true;
    return false;
}

static lt_dvec3 node_position(const lt_soft *soft, uint32_t node) {
    LT_ASSERT(node < soft->carrier.node_count);
    lt_rvec3 p = lt_node_get(soft->x, node);
    return (lt_dvec3){p.x, p.y, p.z};
}

static lt_dvec3 rest_position(const lt_carrier *carrier, uint32_t node) {
    LT_ASSERT(node < carrier->node_count);
    const double *p = carrier->rest + 3 * (size_t)node;
    return (lt_dvec3){p[0], p[1], p[2]};
}

typedef struct holder {
    uint32_t tet;
    double weights[4], least;
} holder;

/* Looks through the tets whose boxes are near the point for one that holds it better. */
static void improve_holder(holder *best, const lt_point_query *q, uint32_t point, const uint32_t *candidates,
                           uint32_t count) {
    LT_ASSERT(point < q->points_of->skin->point_count);
    const lt_soft *soft = q->tets_of->soft;
    bool self = q->points_of == q->tets_of;
    const uint32_t *own = soft->carrier.tets + 4 * (size_t)(self ? q->points_of->skin->tets[point] : 0);
    lt_dvec3 p = lt_d3_from_v3(q->points_of->points[point]);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *tet = soft->carrier.tets + 4 * (size_t)candidates[i];
        if (self && lt_tets_share_node(own, tet)) continue;
        lt_dvec3 corners[4];
        for (int k = 0; k < 4; k++)
            corners[k] = node_position(soft, tet[k]);
        holder h = {.tet = candidates[i]};
        if (!lt_barycentric_weights(h.weights, corners, p)) continue;
        h.least = lt_min_d(lt_min_d(h.weights[0], h.weights[1]), lt_min_d(h.weights[2], h.weights[3]));
        if (h.least > best->least) *best = h;
    }
}

/* The tet that holds the point best; its own neighbourhood is left out when a body meets itself. Boxes are asked in
 * blocks of as many as can be candidates, so that none is lost where many are near. */
static holder find_holder(const lt_point_query *q, uint32_t point) {
    LT_ASSERT(point < q->points_of->skin->point_count);
    enum { BLOCK = 32 }; /* groups */
    const lt_tet_boxes *boxes = &q->tets_of->tet_boxes;
    float mean_edge = (float)q->tets_of->soft->mean_edge;
    float margin = q->points_of == q->tets_of ? 0 : lt_min_f(reach_of(q), 2 * mean_edge);
    holder best = {LT_NONE, {0}, LEAST_WEIGHT - 2 * (double)margin / (double)mean_edge};
    for (uint32_t group = 0; group < boxes->group_count; group += BLOCK) {
        uint32_t candidates[BLOCK * LT_GROUP];
        lt_tet_boxes block = {boxes->boxes + 6 * (size_t)LT_GROUP * group,
                              lt_min_u32(BLOCK, boxes->group_count - group)};
        uint32_t count = q->kernels->boxes_at_point(candidates, BLOCK * LT_GROUP, &block,
                                                    q->points_of->points[point], margin);
        for (uint32_t i = 0; i < count; i++)
            candidates[i] += group * LT_GROUP;
        improve_holder(&best, q, point, candidates, count);
    }
    return best;
}

lt_dvec3 lt_pull_back(const lt_carrier *carrier, uint32_t tet, const double weights[4]) {
    LT_ASSERT(tet < carrier->tet_count);
    lt_dvec3 rest = {0, 0, 0};
    for (int k = 0; k < 4; k++)
        rest =
            lt_d3_mad(rest, rest_position(carrier, carrier->tets[4 * (size_t)tet + (size_t)k]), weights[k]);
    return rest;
}

/* Cofactor of the map from rest to now: det × the inverse transposed, what turns rest gradients into gradients now. */
static lt_dmat3 gradient_map(const lt_carrier *carrier, uint32_t tet, const lt_dvec3 corners[4],
                             double *determinant) {
    LT_ASSERT(tet < carrier->tet_count);
    const uint32_t *t = carrier->tets + 4 * (size_t)tet;
    lt_dmat3 now, rest;
    lt_dvec3 r0 = rest_position(carrier, t[0]);
    now.c0 = lt_d3_sub(corners[1], corners[0]);
    now.c1 = lt_d3_sub(corners[2], corners[0]);
    now.c2 = lt_d3_sub(corners[3], corners[0]);
    rest.c0 = lt_d3_sub(rest_position(carrier, t[1]), r0);
    rest.c1 = lt_d3_sub(rest_position(carrier, t[2]), r0);
    rest.c2 = lt_d3_sub(rest_position(carrier, t[3]), r0);
    lt_dmat3 f = lt_dm3_mul(now, lt_dm3_inverse(rest));
    *determinant = lt_dm3_determinant(f);
    return lt_dm3_cofactor(f);
}

/* φ over the length to which the deformation brings a unit gradient. Unit, because where two sides of the surface are equally
 * near the grid blends their gradients: φ is right there, the blend's length (0 … √3) is not. In tets that are flat, inverted
 * or stretched beyond sense the gradient means nothing: there the rest distance serves. */
float lt_depth_from_rest(const lt_collider *collider, uint32_t tet, const lt_dvec3 corners[4], float depth,
                         lt_vec3 gradient, lt_vec3 *normal) {
    double determinant, scale = collider->soft->scale;
    lt_dmat3 map = gradient_map(&collider->soft->carrier, tet, corners, &determinant);
    lt_dvec3 unit = lt_d3_normalize_or(lt_d3_from_v3(gradient), (lt_dvec3){0, 1, 0});
    lt_dvec3 turned = lt_dm3_mul_vec(map, unit);
    double steepness = scale * lt_d3_length(turned) / lt_max_d(fabs(determinant), 1e-30);
    bool sound = determinant > 0 && steepness > 0.25 && steepness < 4;
    *normal = lt_v3_from_d3(lt_d3_normalize_or(turned, (lt_dvec3){0, 1, 0}));
    return (float)(depth * scale / (sound ? steepness : 1));
}

float lt_depth_in_rest(const lt_collider *collider, lt_dvec3 rest, lt_vec3 *gradient) {
    return -lt_distance_to_meet(&collider->skin->distance, lt_v3_from_d3(rest), gradient);
}

float lt_depth_at_rest(const lt_collider *collider, uint32_t tet, const lt_dvec3 corners[4], lt_dvec3 rest,
                       lt_vec3 *normal) {
    lt_vec3 gradient;
    float depth = lt_depth_in_rest(collider, rest, &gradient);
    return lt_depth_from_rest(collider, tet, corners, depth, gradient, normal);
}

static void measure_depth(const lt_collider *other, const holder *h, lt_dvec3 rest, lt_touch *touch) {
    const uint32_t *tet = other->soft->carrier.tets + 4 * (size_t)h->tet;
    lt_dvec3 corners[4];
    for (int k = 0; k < 4; k++)
        corners[k] = node_position(other->soft, tet[k]);
    touch->depth = lt_depth_at_rest(other, h->tet, corners, rest, &touch->normal);
}

bool lt_is_far_at_rest(const lt_collider *collider, uint32_t point, uint32_t tet, lt_dvec3 rest) {
    LT_ASSERT(point < collider->skin->point_count);
    const lt_carrier *carrier = &collider->soft->carrier;
    const uint32_t *t = carrier->tets + 4 * (size_t)tet;
    double edge = lt_d3_distance(rest_position(carrier, t[0]), rest_position(carrier, t[1]));
    return lt_d3_distance(rest, lt_d3_from_v3(collider->skin->rest[point])) >= edge;
}

bool lt_point_query_test(const lt_point_query *query, uint32_t point, lt_touch *touch) {
    LT_ASSERT(point < query->points_of->skin->point_count);
    if (!near_enough(query, query->points_of->points[point])) return false;
    holder h = find_holder(query, point);
    if (h.tet == LT_NONE) return false;
    lt_dvec3 rest = lt_pull_back(&query->tets_of->soft->carrier, h.tet, h.weights);
    if (query->points_of == query->tets_of && !lt_is_far_at_rest(query->tets_of, point, h.tet, rest))
        return false;
    measure_depth(query->tets_of, &h, rest, touch);
    if (!(touch->depth + reach_of(query) > 0)) return false;
    touch->body = query->body;
    touch->point = point;
    touch->own = (lt_attachment){.tet = LT_NONE};
    touch->other.tet = h.tet;
    for (int k = 0; k < 4; k++)
        touch->other.weights[k] = (float)h.weights[k];
    touch->area = lt_collider_point_area(query->points_of, point);
    touch->apart = 0;
    touch->approximate = 0;
    return true;
}

bool lt_obstacle_test(const lt_collider *points_of, uint32_t body, uint32_t point,
                      const lt_obstacle *obstacle, float margin, lt_touch *touch) {
    LT_ASSERT(point < points_of->skin->point_count);
    lt_obstacle_hit hit = lt_obstacle_distance(obstacle, points_of->points[point]);
    if (!(hit.distance < margin)) return false;
    *touch = (lt_touch){.body = body,
                        .point = point,
                        .own = {.tet = LT_NONE},
                        .other = {.tet = LT_NONE},
                        .normal = hit.normal,
                        .depth = -hit.distance,
                        .area = lt_collider_point_area(points_of, point)};
    return true;
}
