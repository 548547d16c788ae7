/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Hulls of eight corners each, where no corner of one is in the other: edge against edge, or crossing like a plus.
 *
 * Whether they meet is decided by the distance of the origin from the hull of all differences of corners (Gilbert, Johnson
 * and Keerthi 1988), whose last simplex also names a point of both. The way out is not asked of it: it must be one that the
 * faces that look out allow, so it is the best of their normals and of all edges of one across those of the other. For
 * parallelepipeds that set is complete; for others the depth is what it takes along that axis, never too little. (With the
 * mean edges of a box instead of all twelve it was five times too much as soon as corrections had bent the cells.) */

#include "detect/boxes.h"
#include "mesh/closest.h"

/* ---- axes ---- */

typedef struct interval {
    float lo, hi;
} interval;

static interval project(const lt_cell_box *box, lt_vec3 axis) {
    interval r = {INFINITY, -INFINITY};
    for (uint32_t corner = 0; corner < LT_CELL_CORNERS; corner++) {
        float at = lt_v3_dot(axis, lt_cell_box_corner(box, corner));
        r = (interval){lt_min_f(r.lo, at), lt_max_f(r.hi, at)};
    }
    return r;
}

/* The best way out of box `outer` so far. */
typedef struct way_out {
    lt_vec3 normal;
    float depth;
    uint32_t outer;
} way_out;

static void try_faces(way_out *best, const lt_cell_box *outer, const lt_cell_box *inner, uint32_t side) {
    for (uint32_t plane = 0; plane < outer->plane_count; plane++) {
        if (!(outer->push >> plane & 1)) continue;
        lt_vec3 n = lt_cell_box_normal(outer, plane);
        float depth = project(outer, n).hi - project(inner, n).lo;
        if (depth < best->depth) *best = (way_out){n, depth, side};
    }
}

/* Whether a face that pushes looks about along the axis, or is the one that does so the most. */
static bool looks_along(const lt_cell_box *box, lt_vec3 axis) {
    float most = -1, most_of_pushing = -1;
    for (uint32_t plane = 0; plane < box->plane_count; plane++) {
        float along = lt_v3_dot(lt_cell_box_normal(box, plane), axis);
        most = lt_max_f(most, along);
        if (box->push >> plane & 1) most_of_pushing = lt_max_f(most_of_pushing, along);
    }
    return most_of_pushing > 0.5f || most_of_pushing >= most;
}

/* A little dearer than faces, so that two flat faces do not part sideways. */
static const float DEARER = 1.05f;

static void try_edge_axis(way_out *best, const lt_cell_box *a, const lt_cell_box *b, lt_vec3 axis,
                          float depth) {
    if (DEARER * depth < best->depth && looks_along(a, axis) && looks_along(b, lt_v3_neg(axis)))
        *best = (way_out){axis, depth, 0};
}

/* All edges across all, in both directions. False: an axis parts the two. */
static bool try_edges(way_out *best, const lt_cell_box *a, const lt_cell_box *b,
                      const lt_box_kernels *kernels) {
    lt_edge_axes groups[LT_EDGE_GROUPS];
    if (!kernels->cross_edges(groups, a, b, best->depth / DEARER)) return false;
    for (uint32_t i = 0; i < LT_EDGE_GROUPS; i++)
        for (uint32_t bits = groups[i].candidates; bits; bits &= bits - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(bits);
            lt_vec3 axis = {groups[i].axes[0][lane], groups[i].axes[1][lane], groups[i].axes[2][lane]};
            try_edge_axis(best, a, b, axis, groups[i].forth[lane]);
            try_edge_axis(best, a, b, lt_v3_neg(axis), groups[i].back[lane]);
        }
    return true;
}

/* ---- a point of both hulls ---- */

/* Differences of a corner of a and one of b, and how much of each is in the point nearest to the origin. */
typedef struct simplex {
    lt_dvec3 points[4];
    uint32_t corners[4][2];
    double weights[4];
    uint32_t count;
} simplex;

static lt_dvec3 corner_of(const lt_cell_box *box, uint32_t corner) {
    LT_ASSERT(corner < LT_CELL_CORNERS);
    return lt_d3_from_v3(lt_cell_box_corner(box, corner));
}

/* The corner that is farthest along `direction`. */
static uint32_t farthest(const lt_cell_box *box, lt_dvec3 direction) {
    uint32_t best = 0;
    double reach = -INFINITY;
    for (uint32_t corner = 0; corner < LT_CELL_CORNERS; corner++) {
        double at = lt_d3_dot(direction, corner_of(box, corner));
        if (at > reach) {
            reach = at;
            best = corner;
        }
    }
    return best;
}

static bool holds_corners(const simplex *s, const uint32_t corners[2]) {
    for (uint32_t i = 0; i < s->count; i++)
        if (s->corners[i][0] == corners[0] && s->corners[i][1] == corners[1]) return true;
    return false;
}

static void add_point(simplex *s, const lt_cell_box *a, const lt_cell_box *b, const uint32_t corners[2]) {
    memcpy(s->corners[s->count], corners, 2 * sizeof(uint32_t));
    s->points[s->count++] = lt_d3_sub(corner_of(a, corners[0]), corner_of(b, corners[1]));
}

/* Weights of the origin in a tetrahedron that holds it. False: it is outside, or the tetrahedron is flat. */
static bool weigh_inside(simplex *s) {
    const lt_dvec3 *p = s->points;
    lt_dmat3 edges = {lt_d3_sub(p[1], p[0]), lt_d3_sub(p[2], p[0]), lt_d3_sub(p[3], p[0])};
    double volume = lt_dm3_determinant(edges);
    double size = lt_d3_length(edges.c0) * lt_d3_length(edges.c1) * lt_d3_length(edges.c2);
    if (!(fabs(volume) > 1e-10 * size)) return false;
    lt_dvec3 inner =
        lt_d3_scale(lt_dm3_mul_vec_transposed(lt_dm3_cofactor(edges), lt_d3_neg(p[0])), 1 / volume);
    const double weights[4] = {1 - inner.x - inner.y - inner.z, inner.x, inner.y, inner.z};
    for (int i = 0; i < 4; i++)
        if (!(weights[i] >= 0)) return false;
    memcpy(s->weights, weights, sizeof weights);
    return true;
}

/* The nearest of the three triangles with the newest point, which is nearer than all there was. */
static void weigh_triangles(simplex *s) {
    double nearest = INFINITY;
    for (uint32_t left_out = 0; left_out < 3; left_out++) {
        lt_dvec3 corners[3];
        for (uint32_t i = 0; i < 3; i++)
            corners[i] = s->points[i + (i >= left_out)];
        lt_closest_point closest = lt_closest_on_triangle((lt_dvec3){0, 0, 0}, corners);
        if (!(closest.distance_squared < nearest)) continue;
        nearest = closest.distance_squared;
        s->weights[left_out] = 0;
        for (uint32_t i = 0; i < 3; i++)
            s->weights[i + (i >= left_out)] = closest.weights[i];
    }
}

/* Weights of the point nearest to the origin; those without weight are dropped. Returns the point. */
static lt_dvec3 reduce(simplex *s) {
    const lt_dvec3 origin = {0, 0, 0};
    lt_closest_point closest = {.weights = {1, 0, 0}};
    if (s->count == 2) closest = lt_closest_on_segment(origin, s->points);
    if (s->count == 3) closest = lt_closest_on_triangle(origin, s->points);
    if (s->count < 4)
        memcpy(s->weights, closest.weights, sizeof closest.weights);
    else if (!weigh_inside(s))
        weigh_triangles(s);
    uint32_t kept = 0;
    lt_dvec3 nearest = origin;
    for (uint32_t i = 0; i < s->count; i++) {
        if (!(s->weights[i] > 0)) continue;
        nearest = lt_d3_mad(nearest, s->points[i], s->weights[i]);
        s->points[kept] = s->points[i];
        s->weights[kept] = s->weights[i];
        memcpy(s->corners[kept++], s->corners[i], sizeof s->corners[i]);
    }
    s->count = kept;
    return nearest;
}

/* True: the simplex holds the origin, as nearly as numbers can tell; it has at most four points. */
static bool find_common_point(simplex *s, const lt_cell_box *a, const lt_cell_box *b, double size) {
    enum { ROUNDS = 40 };
    lt_dvec3 across = lt_d3_sub(lt_d3_from_v3(b->center), lt_d3_from_v3(a->center));
    s->count = 0;
    add_point(s, a, b, (const uint32_t[2]){farthest(a, across), farthest(b, lt_d3_neg(across))});
    for (int round = 0; round < ROUNDS && s->count > 0; round++) {
        lt_dvec3 nearest = reduce(s);
        double distance_squared = lt_d3_dot(nearest, nearest);
        if (distance_squared <= 1e-14 * size * size) return s->count > 0;
        lt_dvec3 towards = lt_d3_neg(nearest);
        const uint32_t corners[2] = {farthest(a, towards), farthest(b, nearest)};
        lt_dvec3 reached = lt_d3_sub(corner_of(a, corners[0]), corner_of(b, corners[1]));
        /* Nothing is farther on the side of the origin: the nearest point is that of the hull. */
        if (lt_d3_dot(nearest, reached) > 0 || holds_corners(s, corners) || s->count == 4) return false;
        add_point(s, a, b, corners);
    }
    return false;
}

static void describe(lt_box_touch *touch, const way_out *best, const simplex *s, const lt_cell_box *a,
                     const lt_cell_box *b) {
    lt_dvec3 sum = {0, 0, 0};
    *touch = (lt_box_touch){
        .normal = best->normal, .depth = best->depth, .outer = best->outer, .corner = LT_TOUCH_HULL};
    for (uint32_t i = 0; i < s->count; i++) {
        touch->shares[0][s->corners[i][0]] += (float)s->weights[i];
        touch->shares[1][s->corners[i][1]] += (float)s->weights[i];
        sum = lt_d3_mad(sum, corner_of(a, s->corners[i][0]), 0.5 * s->weights[i]);
        sum = lt_d3_mad(sum, corner_of(b, s->corners[i][1]), 0.5 * s->weights[i]);
    }
    touch->point = lt_v3_from_d3(sum);
}

bool lt_box_touch_hulls(lt_box_touch *touch, const lt_cell_box *a, const lt_cell_box *b,
                        const lt_box_kernels *kernels) {
    way_out best = {.depth = 1e30f};
    double size =
        lt_d3_distance(corner_of(a, 0), corner_of(a, 7)) + lt_d3_distance(corner_of(b, 0), corner_of(b, 7));
    simplex s;
    if (!find_common_point(&s, a, b, size)) return false; /* most that come here do not meet */
    try_faces(&best, a, b, 0);
    try_faces(&best, b, a, 1);
    if (!(best.depth > 0 && best.depth < 1e30f) || !try_edges(&best, a, b, kernels)) return false;
    describe(touch, &best, &s, a, b);
    return true;
}
