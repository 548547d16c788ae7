/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Depths of a collision cycle (papers/001 after Heidelberger et al. 2004, "Consistent Penetration Depth Estimation for
 * Deformable Collision Response").
 *
 *   at the border   ω_i = 1 / |x_i − p|²,  d = Σ ω_i (x_i − p)·n_i / Σ ω_i,  r = Σ ω_i n_i / |…|
 *                   over the edges from p to neighbours outside; x_i: where the edge leaves the other's surface, the last
 *                   time if it does so several times; n_i: normal there, interpolated
 *   farther in      μ_j = 1 / |p_j − p|²,  d = Σ μ_j ((p_j − p)·r_j + d_j) / Σ μ_j,  r = Σ μ_j r_j / |…|
 *                   over neighbours of earlier layers
 *   outside         the nearest triangle: d = −distance, r = normal there */

#include "detect/penetration.h"
#include "mesh/closest.h"

#include <string.h>

static const double FACING = -0.5; /* cosine of the normals of two surfaces that face each other */

static const lt_skin *skin_at(const lt_cycle *c, const lt_cycle_body *b) {
    return c->input.colliders[b->slot].skin;
}

/* ---- surfaces as they were ---- */

static void corners_of(const lt_cycle *c, const lt_cycle_body *b, const uint32_t *triangle, lt_dvec3 out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = lt_d3_from_v3(c->points[b->first_point + triangle[k]]);
}

static lt_dvec3 twice_area(const lt_dvec3 t[3]) {
    return lt_d3_cross(lt_d3_sub(t[1], t[0]), lt_d3_sub(t[2], t[0]));
}

/* By area, over the triangles around. */
static lt_dvec3 point_normal(const lt_cycle *c, const lt_cycle_body *b, uint32_t point) {
    LT_ASSERT(point < c->point_count);
    const lt_skin *skin = skin_at(c, b);
    lt_dvec3 sum = {0, 0, 0}, corners[3];
    for (uint32_t i = skin->fan_begin[point]; i < skin->fan_begin[point + 1]; i++) {
        corners_of(c, b, skin->triangles + 3 * (size_t)skin->fans[i], corners);
        sum = lt_d3_add(sum, twice_area(corners));
    }
    return lt_d3_normalize_or(sum, (lt_dvec3){0, 0, 0});
}

/* That of the triangle. Interpolated between its corners, as the paper has it, normals beside a sharp edge point to no side
 * of it: a plate that lies on another by a hair was said to be centimetres deep. */
static lt_dvec3 normal_at(const lt_cycle *c, const lt_cycle_body *b, const uint32_t *triangle,
                          const double weights[3]) {
    lt_dvec3 sum = {0, 0, 0}, corners[3];
    corners_of(c, b, triangle, corners);
    lt_dvec3 own = lt_d3_normalize_or(twice_area(corners), (lt_dvec3){0, 0, 1});
    if (!c->input.smooth_normals) return own;
    for (int k = 0; k < 3; k++)
        sum = lt_d3_mad(sum, point_normal(c, b, triangle[k]), weights[k]);
    return lt_d3_normalize_or(sum, own);
}

/* Neighbours of a point, each once: the next corner of every triangle around it, and the one before where no other triangle has
 * it as its next, at the rim of an open surface. Of fans of very many triangles the rim is not looked for: that would take the
 * square of their number. */
typedef struct neighbours {
    const lt_skin *skin;
    uint32_t point, at;
    bool before;
} neighbours;

static uint32_t corner(const uint32_t *t, uint32_t point, int ahead) {
    int k = t[0] == point ? 0 : t[1] == point ? 1 : 2;
    return t[(k + ahead) % 3];
}

static bool is_next(const neighbours *n, uint32_t other) {
    enum { LARGEST_FAN = 64 };
    if (n->skin->fan_begin[n->point + 1] - n->skin->fan_begin[n->point] > LARGEST_FAN) return true;
    for (uint32_t i = n->skin->fan_begin[n->point]; i < n->skin->fan_begin[n->point + 1]; i++)
        if (corner(n->skin->triangles + 3 * (size_t)n->skin->fans[i], n->point, 1) == other) return true;
    return false;
}

static uint32_t next_neighbour(neighbours *n) {
    while (n->at < n->skin->fan_begin[n->point + 1]) {
        const uint32_t *t = n->skin->triangles + 3 * (size_t)n->skin->fans[n->at];
        if (!n->before) {
            n->before = true;
            return corner(t, n->point, 1);
        }
        n->before = false;
        n->at++;
        uint32_t other = corner(t, n->point, 2);
        if (!is_next(n, other)) return other;
    }
    return LT_NONE;
}

static neighbours neighbours_of(const lt_skin *skin, uint32_t point) {
    LT_ASSERT(point < skin->point_count);
    return (neighbours){skin, point, skin->fan_begin[point], false};
}

/* Whether a point is inside; live: still. */
static bool is_inside(lt_cycle *c, uint32_t point, uint32_t other) {
    LT_ASSERT(point < c->point_count);
    lt_found *f = lt_cycle_found_of(c, point, other);
    if (!f || f->status == LT_FOUND_SOUGHT || f->status == LT_FOUND_NEAR) return false;
    return !c->input.live || lt_cycle_retest(c, f);
}

/* ---- sums ---- */

typedef struct weighted {
    double weight, depth;
    lt_dvec3 way, nearest_way;
    double nearest;
} weighted;

static void add_weighted(weighted *sum, double distance_squared, double least, double depth, lt_dvec3 way) {
    double weight = 1 / lt_max_d(distance_squared, least);
    sum->weight += weight;
    sum->depth += weight * depth;
    sum->way = lt_d3_mad(sum->way, way, weight);
    if (!(weight > sum->nearest)) return;
    sum->nearest = weight;
    sum->nearest_way = way;
}

static void conclude(lt_found *f, const weighted *sum, lt_found_status status, uint32_t layer) {
    double length = lt_d3_length(sum->way);
    lt_dvec3 way = length > 1e-9 * sum->weight ? lt_d3_scale(sum->way, 1 / length) : sum->nearest_way;
    f->depth = (float)lt_max_d(0, sum->depth / sum->weight);
    f->normal = lt_v3_from_d3(way);
    f->status = status;
    f->layer = layer;
}

/* Distances below a millionth of a cell do not weigh more. */
static double least_square(const lt_cycle *c) {
    double epsilon = 1e-6 * (double)c->cell_size;
    return epsilon * epsilon;
}

/* ---- the nearest triangle ---- */

typedef struct near_triangle {
    const uint32_t *points;
    lt_closest_point at;
    lt_dvec3 normal;
} near_triangle;

static near_triangle nearest_of(const lt_cycle *c, const lt_found *f) {
    const lt_cycle_body *o = &c->bodies[f->other];
    near_triangle near = {.points = skin_at(c, o)->triangles + 3 * (size_t)f->triangle};
    lt_dvec3 corners[3];
    corners_of(c, o, near.points, corners);
    near.at = lt_closest_on_triangle(lt_d3_from_v3(c->points[f->point]), corners);
    near.normal = normal_at(c, o, near.points, near.at.weights);
    return near;
}

/* A point that is not deep, and whose surface faces the one nearest to it, has come through that. The edges of a face that
 * lies flat on another lead out sideways, if at all: by them a plate on a plate would be as deep as half of its width. */
static bool faces_nearest(const lt_cycle *c, lt_found *found) {
    if (c->input.smooth_normals || found->triangle == LT_NONE) return false;
    const lt_cycle_body *b = &c->bodies[c->body_of_point[found->point]];
    near_triangle near = nearest_of(c, found);
    lt_dvec3 own = point_normal(c, b, found->point - b->first_point);
    if (!(lt_d3_dot(near.normal, own) <= FACING)) return false;
    lt_dvec3 out = lt_d3_sub(near.at.point, lt_d3_from_v3(c->points[found->point]));
    /* A tet may reach beyond the surface, and hold what is a hair outside. */
    double side = lt_d3_dot(out, near.normal) < 0 ? -1 : 1;
    bool far = near.at.distance_squared > least_square(c);
    found->depth = (float)(side * sqrt(near.at.distance_squared));
    found->normal =
        lt_v3_from_d3(far ? lt_d3_normalize_or(lt_d3_scale(out, side), near.normal) : near.normal);
    found->status = LT_FOUND_BORDER;
    found->layer = 0;
    return true;
}

/* Weights of the point in a tet of the other that holds the triangle: affine, the point is outside. */
static bool hold_near(const lt_cycle *c, const near_triangle *near, lt_found *f) {
    const lt_cycle_body *o = &c->bodies[f->other];
    const double *w3 = near->at.weights;
    int heaviest = w3[0] >= w3[1] ? (w3[0] >= w3[2] ? 0 : 2) : w3[1] >= w3[2] ? 1 : 2;
    f->tet = skin_at(c, o)->tets[near->points[heaviest]];
    const uint32_t *tet = c->input.colliders[o->slot].soft->carrier.tets + 4 * (size_t)f->tet;
    lt_dvec3 corners[4];
    double w[4];
    for (int k = 0; k < 4; k++)
        corners[k] = lt_cycle_node(c, o, tet[k]);
    if (!lt_barycentric_weights(w, corners, lt_d3_from_v3(c->points[f->point]))) return false;
    for (int k = 0; k < 4; k++)
        f->weights[k] = (float)w[k];
    return true;
}

/* Outside, but near: a contact before they meet. */
static void settle_near(const lt_cycle *c, lt_found *f) {
    near_triangle near = nearest_of(c, f);
    lt_dvec3 normal = near.normal;
    if (near.at.distance_squared > least_square(c))
        normal = lt_d3_normalize_or(lt_d3_sub(lt_d3_from_v3(c->points[f->point]), near.at.point), normal);
    f->normal = lt_v3_from_d3(normal);
    f->depth = -(float)sqrt(near.at.distance_squared);
    f->status = hold_near(c, &near, f) ? LT_FOUND_NEAR : LT_FOUND_GONE;
}

/* Edges to neighbours outside. False: there is no room for all. */
static bool list_edges(lt_cycle *c, const lt_found *f, lt_cycle_chunk *out) {
    const lt_cycle_body *b = &c->bodies[c->body_of_point[f->point]];
    neighbours n = neighbours_of(skin_at(c, b), f->point - b->first_point);
    for (uint32_t y = next_neighbour(&n); y != LT_NONE; y = next_neighbour(&n)) {
        if (is_inside(c, b->first_point + y, f->other)) continue;
        if (out->hit_count == LT_CYCLE_CHUNK_HITS) return false;
        out->hits[out->hit_count++].item = b->first_point + y;
    }
    return true;
}

static void end_answer(lt_cycle_chunk *out, const lt_found *answer) {
    out->answers[out->batch_count] = *answer;
    out->batches[out->batch_count++] = (lt_cycle_batch){.hit_end = out->hit_count};
}

bool lt_cycle_probe_settle(lt_cycle *cycle, uint32_t found, lt_cycle_chunk *out) {
    LT_ASSERT(found < cycle->found_capacity);
    lt_cycle *c = cycle;
    bool room = true;
    bool gone =
        c->input.live && c->found[found].status != LT_FOUND_SOUGHT && !lt_cycle_retest(c, &c->found[found]);
    lt_found f = c->found[found];
    if (f.status == LT_FOUND_SOUGHT)
        settle_near(c, &f);
    else if (!gone && !faces_nearest(c, &f))
        room = list_edges(c, &f, out);
    end_answer(out, &f);
    return room;
}

void lt_cycle_merge_answer(lt_found *found, const lt_found *answer) {
    found->tet = answer->tet;
    memcpy(found->weights, answer->weights, sizeof found->weights);
    found->normal = answer->normal;
    found->depth = answer->depth;
    found->layer = answer->layer;
    found->status = answer->status;
}

/* What does not fit is left to the edges that do, or to neighbours. */
void lt_cycle_merge_edges(lt_cycle *cycle, uint32_t found) {
    lt_cycle *c = cycle;
    const lt_cycle_chunk *from = lt_cycle_chunk_now(c);
    uint32_t end = lt_cycle_batch_now(c)->hit_end;
    for (; c->ahead.hit < end && c->edge_count < c->edge_capacity; c->ahead.hit++)
        c->edges[c->edge_count++] =
            (lt_border_edge){.found = found, .to = from->hits[c->ahead.hit].item, .triangle = LT_NONE};
    c->ahead.hit = end;
}

/* ---- border ---- */

void lt_cycle_border(lt_cycle *cycle, lt_found *found, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    const lt_cycle *c = cycle;
    const lt_cycle_body *o = &c->bodies[found->other];
    lt_dvec3 p = lt_d3_from_v3(c->points[found->point]);
    weighted sum = {0};
    for (uint32_t i = begin; i < end; i++) {
        const lt_border_edge *e = &c->edges[i];
        if (e->triangle == LT_NONE) continue;
        lt_dvec3 q = lt_d3_from_v3(c->points[e->to]);
        lt_dvec3 x = lt_d3_mad(p, lt_d3_sub(q, p), e->parameter), corners[3];
        const uint32_t *t = skin_at(c, o)->triangles + 3 * (size_t)e->triangle;
        corners_of(c, o, t, corners);
        lt_closest_point at = lt_closest_on_triangle(x, corners);
        lt_dvec3 normal = normal_at(c, o, t, at.weights), way = lt_d3_sub(x, p);
        add_weighted(&sum, lt_d3_length_squared(way), least_square(c), lt_d3_dot(way, normal), normal);
    }
    if (sum.weight > 0) conclude(found, &sum, LT_FOUND_BORDER, 0);
}

/* ---- farther in ---- */

static void spread(const lt_cycle *c, lt_found *f) {
    const lt_cycle_body *b = &c->bodies[c->body_of_point[f->point]];
    lt_dvec3 p = lt_d3_from_v3(c->points[f->point]);
    weighted sum = {0};
    neighbours n = neighbours_of(skin_at(c, b), f->point - b->first_point);
    for (uint32_t y = next_neighbour(&n); y != LT_NONE; y = next_neighbour(&n)) {
        const lt_found *other = lt_cycle_found_of(c, b->first_point + y, f->other);
        if (!other || other->layer > c->layer) continue; /* LT_NONE is more than any */
        lt_dvec3 way = lt_d3_sub(lt_d3_from_v3(c->points[b->first_point + y]), p),
                 r = lt_d3_from_v3(other->normal);
        add_weighted(&sum, lt_d3_length_squared(way), least_square(c),
                     lt_d3_dot(way, r) + (double)other->depth, r);
    }
    if (sum.weight > 0) conclude(f, &sum, LT_FOUND_SPREAD, c->layer + 1);
}

void lt_cycle_probe_spread(lt_cycle *cycle, uint32_t found, lt_cycle_chunk *out) {
    LT_ASSERT(found < cycle->found_capacity);
    lt_cycle *c = cycle;
    bool inside = !c->input.live || lt_cycle_retest(c, &c->found[found]);
    lt_found f = c->found[found];
    if (inside) spread(c, &f);
    end_answer(out, &f);
}
