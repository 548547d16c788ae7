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
#include "mesh/exact.h"

static const double FACING = -0.5; /* cosine of the normals of two surfaces that face each other */

static const lt_skin *skin_of(const lt_cycle *c, const lt_cycle_body *b) {
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
    const lt_skin *skin = skin_of(c, b);
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

/* Neighbours of a point: the next corner of every triangle around it, and the one before where no other triangle has it
 * as its next, at the rim of an open surface. Calls back with each once. */
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
    return (neighbours){skin, point, skin->fan_begin[point], false};
}

/* What was found of a point inside a body; NULL: it is not. */
static const lt_found *found_of(const lt_cycle *c, uint32_t point, uint32_t other) {
    for (uint32_t i = c->first_found[point]; i < c->first_found[point + 1]; i++)
        if (c->found[i].other == other) return &c->found[i];
    return NULL;
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
    double epsilon = 1e-6 * (double)c->triangles.input.cell_size;
    return epsilon * epsilon;
}

/* ---- the nearest triangle ---- */

typedef struct near_triangle {
    uint32_t other, triangle;
    lt_closest_point at;
} near_triangle;

static double box_distance_squared(lt_box box, lt_vec3 p) {
    lt_vec3 out = lt_v3_max(lt_v3_max(lt_v3_sub(box.lo, p), lt_v3_sub(p, box.hi)), (lt_vec3){0, 0, 0});
    return (double)lt_v3_dot(out, out);
}

static void try_triangle(const lt_cycle *c, uint32_t item, lt_vec3 p, double *least, near_triangle *near) {
    const lt_cycle_body *o = &c->bodies[near->other];
    if (box_distance_squared(c->triangle_boxes[item], p) > 1.0001 * *least) return;
    uint32_t triangle = c->triangle_items[item] - o->first_triangle;
    lt_dvec3 corners[3];
    corners_of(c, o, skin_of(c, o)->triangles + 3 * (size_t)triangle, corners);
    lt_closest_point at = lt_closest_on_triangle(lt_d3_from_v3(p), corners);
    bool nearer = at.distance_squared < *least ||
                  (at.distance_squared == *least && near->triangle != LT_NONE && triangle < near->triangle);
    if (!nearer) return;
    *least = at.distance_squared;
    near->at = at;
    near->triangle = triangle;
}

/* Triangles of a body have numbers in a row in the hash, too: those of others are passed over by their number. A triangle in
 * several cells is looked at in the lowest it shares with the box. */
static void try_cell(const lt_cycle *c, lt_spatial_cell cell, uint32_t first, lt_vec3 p, double *least,
                     near_triangle *near) {
    const lt_cycle_body *o = &c->bodies[near->other];
    const lt_spatial_hash *hash = &c->triangles;
    lt_spatial_range range = lt_spatial_bucket(hash, lt_spatial_bucket_of(hash, cell));
    for (const lt_spatial_entry *e = range.begin; e < range.end; e++) {
        uint32_t item = lt_spatial_entry_id(e);
        if (item < o->first_triangle_item || item >= o->end_triangle_item) continue;
        if ((lt_spatial_entry_lowest(e) | first) != LT_SPATIAL_LOWEST_ALL) continue;
        if (lt_spatial_cell_equal(e->cell, cell)) try_triangle(c, item, p, least, near);
    }
}

static int64_t cells_between(int32_t lo, int32_t hi) {
    return (int64_t)hi - lo + 1;
}

/* The nearest triangle of one body within a distance. Where that covers more cells than the body has triangles all of them
 * are looked at. */
static bool find_near(const lt_cycle *c, uint32_t point, float margin, near_triangle *near) {
    const lt_cycle_body *o = &c->bodies[near->other];
    const lt_spatial_hash *hash = &c->triangles;
    lt_vec3 p = c->points[point];
    lt_box box = lt_box_inflate((lt_box){p, p}, margin);
    lt_spatial_cell lo = lt_spatial_cell_of(hash, box.lo), hi = lt_spatial_cell_of(hash, box.hi);
    int64_t x = cells_between(lo.x, hi.x), y = cells_between(lo.y, hi.y), z = cells_between(lo.z, hi.z);
    int64_t items = (int64_t)o->end_triangle_item - o->first_triangle_item;
    double least = (double)margin * (double)margin;
    near->triangle = LT_NONE;
    if (x > items || y > items || z > items || x * y > items || x * y * z > items) {
        for (uint32_t item = o->first_triangle_item; item < o->end_triangle_item; item++)
            try_triangle(c, item, p, &least, near);
        return near->triangle != LT_NONE;
    }
    for (uint32_t i = 0; i < hash->large_count; i++)
        if (hash->large[i] >= o->first_triangle_item && hash->large[i] < o->end_triangle_item)
            try_triangle(c, hash->large[i], p, &least, near);
    for (int64_t k = 0; k < x * y * z; k++) {
        int32_t i[3] = {(int32_t)(k % x), (int32_t)(k / x % y), (int32_t)(k / (x * y))};
        uint32_t first = (i[0] == 0 ? LT_SPATIAL_LOWEST_X : 0) | (i[1] == 0 ? LT_SPATIAL_LOWEST_Y : 0) |
                         (i[2] == 0 ? LT_SPATIAL_LOWEST_Z : 0);
        try_cell(c, (lt_spatial_cell){lo.x + i[0], lo.y + i[1], lo.z + i[2]}, first, p, &least, near);
    }
    return near->triangle != LT_NONE;
}

/* ---- border ---- */

typedef struct hit {
    bool any;
    double parameter; /* along the edge from inside to outside */
    uint32_t triangle;
} hit;

/* Where the edge leaves the other's surface for the last time. */
static hit pierce(const lt_cycle *c, uint32_t from, uint32_t to, uint32_t other) {
    lt_dvec3 edge[2] = {lt_d3_from_v3(c->points[from]), lt_d3_from_v3(c->points[to])};
    const uint32_t edge_ids[2] = {from, to};
    lt_box box = lt_box_add_point(lt_box_add_point(lt_box_empty(), c->points[from]), c->points[to]);
    const lt_cycle_body *o = &c->bodies[other];
    uint32_t end = o->first_triangle + skin_of(c, o)->triangle_count;
    uint32_t count = lt_spatial_hash_in_box(&c->triangles, box, c->candidates, c->candidate_capacity);
    hit best = {false, -1, LT_NONE};
    for (uint32_t i = 0; i < lt_min_u32(count, c->candidate_capacity); i++) {
        uint32_t triangle = c->triangle_items[c->candidates[i]];
        if (triangle < o->first_triangle || triangle >= end) continue;
        const uint32_t *t = skin_of(c, o)->triangles + 3 * (size_t)(triangle - o->first_triangle);
        const uint32_t ids[3] = {o->first_point + t[0], o->first_point + t[1], o->first_point + t[2]};
        lt_dvec3 corners[3];
        double parameter;
        corners_of(c, o, t, corners);
        if (!lt_exact_edge_pierces_triangle(edge, edge_ids, corners, ids, &parameter)) continue;
        if (parameter > best.parameter || (parameter == best.parameter && triangle < best.triangle))
            best = (hit){true, parameter, triangle};
    }
    return best;
}

/* A point that is not deep, and whose surface faces the one nearest to it, has come through that. The edges of a face that
 * lies flat on another lead out sideways, if at all: by them a plate on a plate would be as deep as half of its width. */
static bool faces_nearest(const lt_cycle *c, const lt_cycle_body *b, lt_found *found) {
    const lt_cycle_body *o = &c->bodies[found->other];
    near_triangle near = {.other = found->other};
    /* By the surface at rest it is about as deep as was guessed. */
    float edge = (float)c->input.colliders[o->slot].soft->mean_edge;
    float radius = lt_min_f(0.5f * edge, 1.5f * found->depth + 0.15f * edge);
    if (!find_near(c, found->point, radius, &near)) return false;
    const uint32_t *t = skin_of(c, o)->triangles + 3 * (size_t)near.triangle;
    lt_dvec3 normal = normal_at(c, o, t, near.at.weights);
    lt_dvec3 own = point_normal(c, b, found->point - b->first_point);
    if (!(lt_d3_dot(normal, own) <= FACING)) return false;
    lt_dvec3 out = lt_d3_sub(near.at.point, lt_d3_from_v3(c->points[found->point]));
    /* A tet may reach beyond the surface, and hold what is a hair outside. */
    double side = lt_d3_dot(out, normal) < 0 ? -1 : 1;
    bool far = near.at.distance_squared > least_square(c);
    found->depth = (float)(side * sqrt(near.at.distance_squared));
    found->normal = lt_v3_from_d3(far ? lt_d3_normalize_or(lt_d3_scale(out, side), normal) : normal);
    found->status = LT_FOUND_BORDER;
    found->layer = 0;
    return true;
}

/* Whether a neighbour is inside; live: still. */
static bool is_flagged(lt_cycle *c, uint32_t point, uint32_t other) {
    const lt_found *f = found_of(c, point, other);
    return f && (!c->input.live || lt_cycle_retest(c, &c->found[f - c->found]));
}

bool lt_cycle_border(lt_cycle *cycle, lt_found *found) {
    lt_cycle *c = cycle;
    const lt_cycle_body *b = &c->bodies[lt_cycle_body_of_point(c, found->point)],
                        *o = &c->bodies[found->other];
    if (!c->input.smooth_normals && faces_nearest(c, b, found)) return true;
    lt_dvec3 p = lt_d3_from_v3(c->points[found->point]);
    weighted sum = {0};
    neighbours n = neighbours_of(skin_of(c, b), found->point - b->first_point);
    for (uint32_t y = next_neighbour(&n); y != LT_NONE; y = next_neighbour(&n)) {
        if (is_flagged(c, b->first_point + y, found->other)) continue;
        hit h = pierce(c, found->point, b->first_point + y, found->other);
        if (!h.any) continue;
        lt_dvec3 q = lt_d3_from_v3(c->points[b->first_point + y]);
        lt_dvec3 x = lt_d3_mad(p, lt_d3_sub(q, p), h.parameter), corners[3];
        const uint32_t *t = skin_of(c, o)->triangles + 3 * (size_t)(h.triangle - o->first_triangle);
        corners_of(c, o, t, corners);
        lt_closest_point at = lt_closest_on_triangle(x, corners);
        lt_dvec3 normal = normal_at(c, o, t, at.weights), way = lt_d3_sub(x, p);
        add_weighted(&sum, lt_d3_length_squared(way), least_square(c), lt_d3_dot(way, normal), normal);
    }
    if (!(sum.weight > 0)) return false;
    conclude(found, &sum, LT_FOUND_BORDER, 0);
    return true;
}

/* ---- farther in ---- */

bool lt_cycle_spread(const lt_cycle *cycle, lt_found *found, uint32_t layer) {
    const lt_cycle *c = cycle;
    const lt_cycle_body *b = &c->bodies[lt_cycle_body_of_point(c, found->point)];
    lt_dvec3 p = lt_d3_from_v3(c->points[found->point]);
    weighted sum = {0};
    neighbours n = neighbours_of(skin_of(c, b), found->point - b->first_point);
    for (uint32_t y = next_neighbour(&n); y != LT_NONE; y = next_neighbour(&n)) {
        const lt_found *other = found_of(c, b->first_point + y, found->other);
        if (!other || other->layer > layer) continue; /* LT_NONE is more than any */
        lt_dvec3 way = lt_d3_sub(lt_d3_from_v3(c->points[b->first_point + y]), p),
                 r = lt_d3_from_v3(other->normal);
        add_weighted(&sum, lt_d3_length_squared(way), least_square(c),
                     lt_d3_dot(way, r) + (double)other->depth, r);
    }
    if (!(sum.weight > 0)) return false;
    conclude(found, &sum, LT_FOUND_SPREAD, layer + 1);
    return true;
}

/* ---- outside, but near ---- */

/* Weights of the point in a tet of the other that holds the triangle: affine, the point is outside. */
static bool hold_near(const lt_cycle *c, const near_triangle *near, lt_found *f) {
    const lt_cycle_body *o = &c->bodies[near->other];
    const lt_skin *skin = skin_of(c, o);
    const uint32_t *t = skin->triangles + 3 * (size_t)near->triangle;
    const double *w3 = near->at.weights;
    int heaviest = w3[0] >= w3[1] ? (w3[0] >= w3[2] ? 0 : 2) : w3[1] >= w3[2] ? 1 : 2;
    f->tet = skin->tets[t[heaviest]];
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

static void note_near(lt_cycle *c, uint32_t point, const near_triangle *near) {
    const lt_cycle_body *o = &c->bodies[near->other];
    lt_dvec3 p = lt_d3_from_v3(c->points[point]);
    lt_dvec3 normal =
        normal_at(c, o, skin_of(c, o)->triangles + 3 * (size_t)near->triangle, near->at.weights);
    if (near->at.distance_squared > least_square(c))
        normal = lt_d3_normalize_or(lt_d3_sub(p, near->at.point), normal);
    lt_found f = {.point = point,
                  .other = near->other,
                  .normal = lt_v3_from_d3(normal),
                  .depth = -(float)sqrt(near->at.distance_squared),
                  .status = LT_FOUND_NEAR};
    if (!hold_near(c, near, &f)) return;
    if (c->found_count == c->found_capacity) {
        c->dropped_count++;
        return;
    }
    c->found[c->found_count++] = f;
}

void lt_cycle_margin(lt_cycle *cycle, uint32_t point) {
    lt_cycle *c = cycle;
    uint32_t body = c->body;
    for (uint32_t i = c->partner_begin[body]; i < c->partner_begin[body + 1]; i++) {
        near_triangle near = {.other = c->partners[i]};
        if (near.other == body || found_of(c, point, near.other)) continue;
        float own = c->bodies[body].margin, margin = own + c->bodies[near.other].margin;
        if (!lt_box_contains(lt_box_inflate(c->bodies[near.other].box, own), c->points[point])) continue;
        if (find_near(c, point, margin, &near)) note_near(c, point, &near);
    }
}
