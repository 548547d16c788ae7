/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Tets and triangles of a collision cycle, taken over the points and edges in its clouds: who is inside, which triangle is the
 * nearest, where edges leave a surface (penetration.h has the plan). */

#include "detect/penetration.h"
#include "mesh/closest.h"
#include "mesh/exact.h"

#include <string.h>

static const float FARTHEST_INSIDE =
    0.5f; /* of a mean edge: the surface that a point inside may have come through */

static const lt_collider *collider_of(const lt_cycle *c, const lt_cycle_body *b) {
    return &c->input.colliders[b->slot];
}

lt_dvec3 lt_cycle_node(const lt_cycle *cycle, const lt_cycle_body *body, uint32_t node) {
    const float *p = cycle->nodes + 4 * ((size_t)body->first_node + node);
    return (lt_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

bool lt_cycle_near_a_partner(const lt_cycle *cycle, uint32_t body, lt_box box) {
    LT_ASSERT(body < cycle->body_count);
    for (uint32_t i = cycle->partner_begin[body]; i < cycle->partner_begin[body + 1]; i++)
        if (lt_box_overlap(cycle->bodies[cycle->partners[i]].box, box)) return true;
    return false;
}

lt_found *lt_cycle_add(lt_cycle *cycle, const lt_found *found) {
    lt_cycle *c = cycle;
    if (c->found_count == c->found_capacity) {
        c->dropped_count++;
        return NULL;
    }
    c->found[c->found_count] = *found;
    return &c->found[c->found_count++];
}

lt_found *lt_cycle_found_of(const lt_cycle *cycle, uint32_t point, uint32_t other) {
    LT_ASSERT(point < cycle->point_count);
    for (uint32_t i = cycle->first_found[point]; i != LT_NONE; i = cycle->found[i].next)
        if (cycle->found[i].other == other) return &cycle->found[i];
    return NULL;
}

static bool is_partner(const lt_cycle *c, uint32_t body, uint32_t other) {
    LT_ASSERT(body < c->body_count);
    for (uint32_t i = c->partner_begin[body]; i < c->partner_begin[body + 1]; i++)
        if (c->partners[i] == other) return true;
    return false;
}

/* False: there is no room. */
static bool add_to_point(lt_cycle *c, lt_found *f) {
    f->next = c->first_found[f->point];
    if (!lt_cycle_add(c, f)) return false;
    c->first_found[f->point] = c->found_count - 1;
    return true;
}

/* ---- tets ---- */

typedef struct asking_tet {
    uint32_t body, tet; /* of the body */
    const uint32_t *nodes;
    lt_dvec3 corners[4];
    lt_dmat3 weigh; /* from corner 0 to weights 1, 2, 3, roughly: most points of a tet's box are outside it */
} asking_tet;

static asking_tet tet_at(const lt_cycle *c, uint32_t body, uint32_t tet) {
    LT_ASSERT(body < c->body_count);
    const lt_cycle_body *b = &c->bodies[body];
    asking_tet t = {.body = body, .tet = tet};
    t.nodes = collider_of(c, b)->soft->carrier.tets + 4 * (size_t)tet;
    for (int k = 0; k < 4; k++)
        t.corners[k] = lt_cycle_node(c, b, t.nodes[k]);
    const lt_dvec3 *x = t.corners;
    t.weigh = lt_dm3_inverse((lt_dmat3){lt_d3_sub(x[1], x[0]), lt_d3_sub(x[2], x[0]), lt_d3_sub(x[3], x[0])});
    return t;
}

static bool is_clearly_outside(const asking_tet *t, lt_dvec3 p) {
    static const double CLEARLY = -1e-6;
    lt_dvec3 w = lt_dm3_mul_vec(t->weigh, lt_d3_sub(p, t->corners[0]));
    return w.x < CLEARLY || w.y < CLEARLY || w.z < CLEARLY || 1 - w.x - w.y - w.z < CLEARLY;
}

/* A place outside the surface that a tet reaches beyond counts as inside by half a cell of the distance's grid. */
static float guess_depth(const lt_cycle *c, const asking_tet *t, const double w[4], lt_dvec3 *rest,
                         lt_vec3 *normal, float *least) {
    const lt_collider *collider = collider_of(c, &c->bodies[t->body]);
    *rest = lt_pull_back(&collider->soft->carrier, t->tet, w);
    *least = -0.5f * collider->skin->distance.header.cell_size * (float)collider->soft->scale;
    return lt_depth_at_rest(collider, t->tet, t->corners, *rest, normal);
}

/* A point in a tet is inside the body when the surface at rest says so; where carrier and surface are one it always does.
 * Says where it is in the tet, and guesses how deep. */
static bool point_in_tet(const lt_cycle *c, uint32_t point, const asking_tet *t, lt_found *out) {
    LT_ASSERT(point < c->point_count);
    static const double INSIDE = -1e-9;
    uint32_t body = c->body_of_point[point], own = point - c->bodies[body].first_point;
    const lt_collider *collider = collider_of(c, &c->bodies[t->body]);
    double w[4];
    if (!lt_barycentric_weights(w, t->corners, lt_d3_from_v3(c->points[point]))) return false;
    if (!(w[0] >= INSIDE && w[1] >= INSIDE && w[2] >= INSIDE && w[3] >= INSIDE)) return false;
    if (body == t->body &&
        lt_tets_share_node(collider->soft->carrier.tets + 4 * (size_t)collider->skin->tets[own], t->nodes))
        return false;
    lt_found f = {.point = point,
                  .other = t->body,
                  .tet = t->tet,
                  .layer = LT_NONE,
                  .status = LT_FOUND_GUESSED,
                  .triangle = LT_NONE};
    lt_dvec3 rest;
    float least, depth = guess_depth(c, t, w, &rest, &f.normal, &least);
    if (depth < least || (body == t->body && !lt_is_far_at_rest(collider, own, t->tet, rest))) return false;
    f.depth = lt_max_f(0, depth);
    for (int k = 0; k < 4; k++)
        f.weights[k] = (float)w[k];
    *out = f;
    return true;
}

/* How far from a point inside the surface that it came through may be: by the surface at rest it is about as deep as was
 * guessed. Of points that are deep it is not asked. */
static float sought_radius(const lt_cycle *c, const lt_found *f) {
    float edge = (float)collider_of(c, &c->bodies[f->other])->soft->mean_edge;
    if (c->input.live || c->input.smooth_normals || f->depth > FARTHEST_INSIDE * edge) return 0;
    return lt_min_f(FARTHEST_INSIDE * edge, 1.5f * f->depth + 0.15f * edge);
}

static lt_box tet_box(const lt_cycle *c, const lt_cycle_body *b, uint32_t own) {
    const uint32_t *tet = collider_of(c, b)->soft->carrier.tets + 4 * (size_t)own;
    lt_box box = lt_box_empty();
    for (int k = 0; k < 4; k++) {
        const float *p = c->nodes + 4 * ((size_t)b->first_node + tet[k]);
        box = lt_box_add_point(box, (lt_vec3){p[0], p[1], p[2]});
    }
    return lt_box_inflate(box, lt_cycle_growth(c, b));
}

/* Who is in another tet of the body already is not asked. */
static void probe_points(const lt_cycle *c, const lt_cycle_asking *a, const uint32_t *entries, uint32_t count,
                         lt_cycle_chunk *out) {
    asking_tet t = tet_at(c, a->body, a->element - c->bodies[a->body].first_tet);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t point = c->near_points.owners[entries[i]];
        lt_found f;
        if (is_clearly_outside(&t, lt_d3_from_v3(c->points[point]))) continue;
        if (!is_partner(c, a->body, c->body_of_point[point])) continue;
        if (lt_cycle_found_of(c, point, a->body) || !point_in_tet(c, point, &t, &f)) continue;
        double radius = (double)sought_radius(c, &f);
        lt_cycle_guess *guess = &out->guesses[out->hit_count];
        memcpy(guess->weights, f.weights, sizeof f.weights);
        guess->normal = f.normal;
        guess->depth = f.depth;
        out->hits[out->hit_count++] =
            (lt_cycle_hit){.item = point, .left = count - 1 - i, .distance_squared = radius * radius};
    }
}

static void probe_tet(const lt_cycle *c, lt_cycle_asking *a, lt_cycle_chunk *out) {
    const lt_cycle_body *b = &c->bodies[a->body];
    uint32_t entries[LT_CYCLE_POINTS_ASKED + 7];
    lt_cloud_question question = {.box = tet_box(c, b, a->element - b->first_tet),
                                  .share = c->input.live ? 1.0f : 0.0f,
                                  .only = LT_CLOUD_ANY,
                                  .but = c->meets_itself[a->body] ? LT_CLOUD_ANY : (float)a->body,
                                  .enough = LT_CYCLE_POINTS_ASKED};
    uint32_t count = c->input.cloud_kernels->find(entries, &c->near_points, &question, &a->walk);
    if (count) probe_points(c, a, entries, count, out);
}

/* Of several tets of a body that hold a point the first counts. One contact at a time, for one is set aside: false when there
 * may be another among the points. */
static bool merge_tet(lt_cycle *c, uint32_t tet, const lt_cycle_chunk *from, uint32_t end) {
    while (c->ahead.hit < end) {
        const lt_cycle_hit *hit = &from->hits[c->ahead.hit];
        const lt_cycle_guess *guess = &from->guesses[c->ahead.hit++];
        if (lt_cycle_found_of(c, hit->item, c->body)) continue;
        lt_found f = {.point = hit->item,
                      .other = c->body,
                      .tet = tet - c->bodies[c->body].first_tet,
                      .normal = guess->normal,
                      .depth = guess->depth,
                      .layer = LT_NONE,
                      .status = LT_FOUND_GUESSED,
                      .triangle = LT_NONE,
                      .nearest_squared = hit->distance_squared};
        memcpy(f.weights, guess->weights, sizeof f.weights);
        if (add_to_point(c, &f) && hit->left) return false;
    }
    return true;
}

/* In its own tet it is as before. Beyond, the tet's map still says where it was at rest, if it is not far. */
bool lt_cycle_retest(lt_cycle *cycle, lt_found *found) {
    static const double LEAST_WEIGHT = -0.5;
    lt_cycle *c = cycle;
    if (found->status == LT_FOUND_GONE) return false;
    asking_tet t = tet_at(c, found->other, found->tet);
    lt_found now = *found;
    bool inside = point_in_tet(c, found->point, &t, &now);
    double w[4];
    if (!inside && lt_barycentric_weights(w, t.corners, lt_d3_from_v3(c->points[found->point])) &&
        lt_least_weight(w) >= LEAST_WEIGHT) {
        lt_dvec3 rest;
        float least;
        now.depth = guess_depth(c, &t, w, &rest, &now.normal, &least);
        for (int k = 0; k < 4; k++)
            now.weights[k] = (float)w[k];
        inside = now.depth > 0;
    }
    now.emitted = found->emitted;
    now.next = found->next;
    if (inside && found->layer == LT_NONE) *found = now;
    if (inside) return true;
    found->status = LT_FOUND_GONE;
    found->layer = LT_NONE;
    found->other = LT_NONE; /* so that nobody takes it for a neighbour inside */
    return false;
}

/* ---- triangles ---- */

typedef struct asking_triangle {
    uint32_t body;
    const uint32_t *points;
    lt_dvec3 corners[3], normal;
    lt_box box;
    float reach; /* no point farther away than this and its own margin is looked at */
} asking_triangle;

/* Bounds below a distance are rounded. */
static const double LITTLE_LESS = 0.9999;

static lt_box triangle_box(const lt_cycle *c, const lt_cycle_body *b, const uint32_t *points) {
    lt_box box = lt_box_empty();
    for (int k = 0; k < 3; k++)
        box = lt_box_add_point(box, c->points[b->first_point + points[k]]);
    return box;
}

static const uint32_t *triangle_points(const lt_cycle *c, const lt_cycle_asking *a) {
    const lt_cycle_body *b = &c->bodies[a->body];
    return collider_of(c, b)->skin->triangles + 3 * (size_t)(a->element - b->first_triangle);
}

static asking_triangle triangle_at(const lt_cycle *c, uint32_t body, const uint32_t *points) {
    LT_ASSERT(body < c->body_count);
    const lt_cycle_body *b = &c->bodies[body];
    asking_triangle t = {.body = body, .points = points, .box = triangle_box(c, b, points)};
    t.reach = lt_max_f(b->margin, FARTHEST_INSIDE * (float)collider_of(c, b)->soft->mean_edge);
    for (int k = 0; k < 3; k++)
        t.corners[k] = lt_d3_from_v3(c->points[b->first_point + points[k]]);
    t.normal = lt_d3_cross(lt_d3_sub(t.corners[1], t.corners[0]), lt_d3_sub(t.corners[2], t.corners[0]));
    return t;
}

/* From the plane of the triangle alone, squared; NaN when it has none. */
static double plane_distance_squared(const asking_triangle *t, lt_dvec3 p) {
    double along = lt_d3_dot(lt_d3_sub(p, t->corners[0]), t->normal);
    return LITTLE_LESS * along * along / lt_d3_length_squared(t->normal);
}

static double box_distance_squared(lt_box box, lt_vec3 p) {
    lt_vec3 out = lt_v3_max(lt_v3_max(lt_v3_sub(box.lo, p), lt_v3_sub(p, box.hi)), (lt_vec3){0, 0, 0});
    return (double)lt_v3_dot(out, out);
}

static lt_vec3 velocity_at(const lt_cycle *c, const asking_triangle *t, const double weights[3]) {
    const lt_vec3 *v = c->point_velocities + c->bodies[t->body].first_point;
    lt_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        sum = lt_v3_mad(sum, v[t->points[k]], (float)weights[k]);
    return sum;
}

/* Whether a point outside may be inside before the next cycle is through. */
static bool may_meet(const lt_cycle *c, uint32_t point, const asking_triangle *t,
                     const lt_closest_point *at) {
    LT_ASSERT(point < c->point_count);
    lt_vec3 v = lt_v3_sub(c->point_velocities[point], velocity_at(c, t, at->weights));
    lt_dvec3 away = lt_d3_sub(lt_d3_from_v3(c->points[point]), at->point);
    lt_vec3 normal = lt_v3_from_d3(lt_d3_normalize_or(away, (lt_dvec3){0, 0, 0}));
    float margin = c->bodies[c->body_of_point[point]].skin + c->bodies[t->body].skin +
                   c->horizon * lt_cycle_haste(v, normal);
    return at->distance_squared < (double)margin * (double)margin;
}

/* Around a point its own surface is always the nearest. */
static bool is_near_at_rest(const lt_cycle *c, uint32_t point, const asking_triangle *t) {
    LT_ASSERT(point < c->point_count);
    const lt_cycle_body *b = &c->bodies[t->body];
    const lt_collider *collider = collider_of(c, b);
    const lt_vec3 *rest = collider->skin->rest;
    float edge = (float)(collider->soft->mean_edge / collider->soft->scale);
    for (int k = 0; k < 3; k++)
        if (lt_v3_distance(rest[point - b->first_point], rest[t->points[k]]) < edge) return true;
    return false;
}

/* As far as a point outside is looked at in any case. */
static double farthest_noted(const lt_cycle *c, uint32_t point, const asking_triangle *t) {
    LT_ASSERT(point < c->point_count);
    const lt_vec3 *v = c->point_velocities, *corners = v + c->bodies[t->body].first_point;
    float fastest = 0;
    for (int k = 0; k < 3; k++)
        fastest = lt_max_f(fastest, lt_v3_length(lt_v3_sub(v[point], corners[t->points[k]])));
    return (double)(c->bodies[c->body_of_point[point]].skin + c->bodies[t->body].skin +
                    (1 + LT_CYCLE_MORE) * c->horizon * fastest);
}

/* Of a point that is known: what is known of it, or will be when this is merged. */
static double nearest_known(const lt_cycle *c, const lt_found *f, const lt_cycle_nearer *nearer) {
    uint32_t key = (uint32_t)(f - c->found) + 1, at = key % LT_CYCLE_NEARER;
    if (!nearer || nearer->found[at] != key) return f->nearest_squared;
    return lt_min_d(f->nearest_squared, nearer->distance_squared[at]);
}

/* When this hit is merged the point is as near as that: for a hit is refused only where a nearer one is known, or one
 * nearer than its bound. */
static void note_nearer(const lt_cycle *c, const lt_found *f, const lt_cycle_hit *hit,
                        lt_cycle_nearer *nearer) {
    uint32_t key = (uint32_t)(f - c->found) + 1, at = key % LT_CYCLE_NEARER;
    nearer->found[at] = key;
    nearer->distance_squared[at] = lt_max_d(hit->distance_squared, hit->other);
}

/* Whether a triangle may be the nearest to a point: it is inside, or may meet it there. What is known of a nearer one so far
 * spares work, and no more: whoever merges this asks again, and what it knows by then is nearer still. */
static bool probe_nearest(const lt_cycle *c, uint32_t point, const asking_triangle *t,
                          lt_cycle_nearer *nearer, lt_cycle_hit *out) {
    LT_ASSERT(point < c->point_count);
    uint32_t body = c->body_of_point[point];
    double bound = LITTLE_LESS * box_distance_squared(t->box, c->points[point]),
           most = (double)t->reach + (double)c->bodies[body].margin;
    if (!(bound <= most * most)) return false;
    const lt_found *f = lt_cycle_found_of(c, point, t->body);
    bool outside = !f || f->status == LT_FOUND_SOUGHT;
    if (!f && (body == t->body || !is_partner(c, t->body, body))) return false;
    if (body == t->body && is_near_at_rest(c, point, t)) return false;
    double farthest = f ? 0 : farthest_noted(c, point, t),
           least = f ? nearest_known(c, f, nearer) : farthest * farthest;
    lt_dvec3 p = lt_d3_from_v3(c->points[point]);
    if (!(bound <= least)) return false;
    double plane = plane_distance_squared(t, p);
    if (plane > least) return false;
    lt_closest_point at = lt_closest_on_triangle(p, t->corners);
    if (!(at.distance_squared < least)) return false;
    if (outside && !may_meet(c, point, t, &at)) return false;
    if (f && outside) farthest = farthest_noted(c, point, t);
    if (plane > bound) bound = plane;
    if (outside && !(bound <= farthest * farthest && at.distance_squared < farthest * farthest)) return false;
    *out = (lt_cycle_hit){.item = point, .distance_squared = at.distance_squared, .other = bound};
    if (f && nearer) note_nearer(c, f, out, nearer);
    return true;
}

/* Of equally near triangles the first counts. */
static void merge_nearest(lt_cycle *c, uint32_t triangle, const lt_cycle_hit *hit) {
    lt_found *f = lt_cycle_found_of(c, hit->item, c->body);
    uint32_t own = triangle - c->bodies[c->body].first_triangle;
    if (f) {
        if (!(hit->other <= f->nearest_squared && hit->distance_squared < f->nearest_squared)) return;
        f->nearest_squared = hit->distance_squared;
        f->triangle = own;
        return;
    }
    lt_found sought = {.point = hit->item,
                       .other = c->body,
                       .tet = LT_NONE,
                       .layer = LT_NONE,
                       .status = LT_FOUND_SOUGHT,
                       .triangle = own,
                       .nearest_squared = hit->distance_squared};
    if (c->found_count < c->found_capacity)
        add_to_point(c, &sought);
    else if (c->dropped_count == 0)
        c->dropped_count = 1; /* other triangles will find it, too: how many they are is not known */
}

/* Where it may be met: half-way, with what its corners may stray from there. */
static lt_box path_box(const lt_cycle *c, const lt_cycle_body *b, const uint32_t *points) {
    lt_box box = lt_box_empty();
    float stray = 0;
    for (int k = 0; k < 3; k++) {
        box = lt_box_add_point(box, c->middles[b->first_point + points[k]]);
        stray = lt_max_f(stray, c->strays[b->first_point + points[k]]);
    }
    return lt_box_inflate(box, b->skin + stray);
}

static void probe_triangle(const lt_cycle *c, lt_cycle_asking *a, lt_cycle_chunk *out) {
    const lt_cycle_body *b = &c->bodies[a->body];
    const lt_cloud *cloud = &c->paths[a->level];
    bool inside = a->level == LT_CYCLE_INSIDE;
    const uint32_t *points = triangle_points(c, a);
    uint32_t entries[LT_CYCLE_POINTS_ASKED + 7];
    lt_cloud_question question = {.box = inside ? triangle_box(c, b, points) : path_box(c, b, points),
                                  .share = 1,
                                  .only = inside ? (float)a->body : LT_CLOUD_ANY,
                                  .but = inside ? LT_CLOUD_ANY : (float)a->body,
                                  .enough = LT_CYCLE_POINTS_ASKED};
    uint32_t count = c->input.cloud_kernels->find(entries, cloud, &question, &a->walk);
    if (count == 0) return;
    asking_triangle t = triangle_at(c, a->body, points);
    for (uint32_t i = 0; i < count; i++)
        out->hit_count +=
            probe_nearest(c, cloud->owners[entries[i]], &t, a->nearer, &out->hits[out->hit_count]);
}

/* ---- edges ---- */

static bool probe_edge(const lt_cycle *c, uint32_t edge, const asking_triangle *t, lt_cycle_hit *out) {
    LT_ASSERT(edge < c->edge_capacity);
    const lt_border_edge *e = &c->edges[edge];
    const lt_found *f = &c->found[e->found];
    lt_dvec3 ends[2] = {lt_d3_from_v3(c->points[f->point]), lt_d3_from_v3(c->points[e->to])};
    const uint32_t end_ids[2] = {f->point, e->to};
    uint32_t first = c->bodies[t->body].first_point;
    const uint32_t ids[3] = {first + t->points[0], first + t->points[1], first + t->points[2]};
    *out = (lt_cycle_hit){.item = edge};
    return lt_exact_edge_pierces_triangle(ends, end_ids, t->corners, ids, &out->other);
}

static void probe_piercing(const lt_cycle *c, lt_cycle_asking *a, lt_cycle_chunk *out) {
    const lt_cycle_body *b = &c->bodies[a->body];
    const uint32_t *points = triangle_points(c, a);
    uint32_t entries[LT_CYCLE_POINTS_ASKED + 7];
    lt_cloud_question question = {.box = lt_box_inflate(triangle_box(c, b, points), lt_cycle_growth(c, b)),
                                  .share = 1,
                                  .only = (float)a->body,
                                  .but = LT_CLOUD_ANY,
                                  .enough = LT_CYCLE_POINTS_ASKED};
    uint32_t count = c->input.cloud_kernels->find(entries, &c->border_edges, &question, &a->walk);
    if (count == 0) return;
    asking_triangle t = triangle_at(c, a->body, points);
    for (uint32_t i = 0; i < count; i++)
        out->hit_count += probe_edge(c, c->border_edges.owners[entries[i]], &t, &out->hits[out->hit_count]);
}

/* Where an edge leaves the other's surface for the last time. */
static void merge_pierced(lt_cycle *c, uint32_t triangle, const lt_cycle_hit *hit) {
    lt_border_edge *e = &c->edges[hit->item];
    if (e->triangle != LT_NONE && !(hit->other > e->parameter)) return; /* of equal ones the first counts */
    e->parameter = hit->other;
    e->triangle = triangle - c->bodies[c->body].first_triangle;
}

/* ---- who asks ---- */

static bool is_near(const lt_cycle *c, uint32_t body, uint32_t element) {
    LT_ASSERT(body < c->body_count);
    const lt_cycle_body *b = &c->bodies[body];
    if (c->phase == LT_CYCLE_TETS)
        return lt_cycle_near_a_partner(c, body, tet_box(c, b, element - b->first_tet));
    const uint32_t *points = collider_of(c, b)->skin->triangles + 3 * (size_t)(element - b->first_triangle);
    lt_box box = triangle_box(c, b, points);
    if (c->phase == LT_CYCLE_PIERCE)
        return lt_box_overlap(b->edges, lt_box_inflate(box, lt_cycle_growth(c, b)));
    float edge = (float)collider_of(c, b)->soft->mean_edge;
    lt_box inside = lt_box_inflate(box, FARTHEST_INSIDE * edge);
    return lt_cycle_near_a_partner(c, body, lt_box_union(path_box(c, b, points), inside));
}

uint32_t lt_cycle_mark(const lt_cycle *cycle, const lt_cycle_row *row) {
    uint32_t marks = 0;
    for (uint32_t i = row->begin; i < row->end; i++)
        marks |= (uint32_t)is_near(cycle, row->body, i) << (i - row->begin);
    return marks;
}

void lt_cycle_probe(const lt_cycle *cycle, lt_cycle_asking *asking, uint32_t place, lt_cycle_chunk *out) {
    uint8_t level = (uint8_t)asking->level;
    if (cycle->phase == LT_CYCLE_TETS)
        probe_tet(cycle, asking, out);
    else if (cycle->phase == LT_CYCLE_TRIANGLES)
        probe_triangle(cycle, asking, out);
    else
        probe_piercing(cycle, asking, out);
    out->batches[out->batch_count++] = (lt_cycle_batch){
        .walk = asking->walk, .hit_end = out->hit_count, .element = (uint8_t)place, .level = level};
}

bool lt_cycle_merge(lt_cycle *cycle) {
    lt_cycle *c = cycle;
    uint32_t element = c->row_begin + (uint32_t)__builtin_ctz(c->marks), end = lt_cycle_batch_now(c)->hit_end;
    const lt_cycle_chunk *from = lt_cycle_chunk_now(c);
    if (c->phase == LT_CYCLE_TETS) return merge_tet(c, element, from, end);
    for (; c->ahead.hit < end; c->ahead.hit++) {
        const lt_cycle_hit *hit = &from->hits[c->ahead.hit];
        c->phase == LT_CYCLE_TRIANGLES ? merge_nearest(c, element, hit) : merge_pierced(c, element, hit);
    }
    return true;
}
