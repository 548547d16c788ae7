/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Points inside a surface, and how far.
 *
 * Inside is parity: how often does a segment from the point to a place outside go through the surface? Crossings are decided
 * exactly, ties included (mesh/exact.h), so that on a closed surface every direction gives the same answer, also where the
 * surface goes through itself. On an open one three directions vote.
 *
 * Not every vertex needs a segment. The way along an edge of a triangle that does not meet the other surface does not change
 * sides: vertices joined by such triangles are one set, a set with a vertex outside the other's box is outside,
 * and of the rest one vertex decides. Exact again for closed surfaces, and where surfaces do not meet it is one
 * segment for each piece of a body. */

#include "core/union_find.h"
#include "judge/judge_internal.h"

#include <string.h>

/* ---- inside ---- */

static bool count_hit(void *context, uint32_t triangle, double parameter) {
    (void)triangle;
    (void)parameter;
    (*(uint32_t *)context)++;
    return true;
}

/* Beyond the box by its own size: far enough to be outside whatever the box is. */
static lt_dvec3 end_beyond(const lt_judge_surface *surface, lt_dvec3 p, int axis, bool up) {
    double lo = lt_v3_get(surface->box.lo, axis), hi = lt_v3_get(surface->box.hi, axis);
    double end = up ? hi + (hi - lo) + 1e-3 : lo - (hi - lo) - 1e-3;
    return (lt_dvec3){axis == 0 ? end : p.x, axis == 1 ? end : p.y, axis == 2 ? end : p.z};
}

static bool is_odd_along(const lt_judge_surface *surface, lt_dvec3 p, int axis) {
    double lo = lt_v3_get(surface->box.lo, axis), hi = lt_v3_get(surface->box.hi, axis);
    bool up = hi - lt_d3_get(p, axis) < lt_d3_get(p, axis) - lo;
    const lt_dvec3 segment[2] = {p, end_beyond(surface, p, axis, up)};
    uint32_t hits = 0;
    lt_triangle_tree_each_hit(&surface->tree, segment, count_hit, &hits);
    return hits % 2 != 0;
}

static bool is_in_box(lt_box box, lt_dvec3 p) {
    return p.x >= box.lo.x && p.x <= box.hi.x && p.y >= box.lo.y && p.y <= box.hi.y && p.z >= box.lo.z &&
           p.z <= box.hi.z;
}

/* The axis along which the box ends soonest: the shortest walk. */
static int nearest_axis(lt_box box, lt_dvec3 p) {
    double nearest = INFINITY;
    int best = 0;
    for (int axis = 0; axis < 3; axis++) {
        double x = lt_d3_get(p, axis);
        double way = lt_min_d(x - lt_v3_get(box.lo, axis), lt_v3_get(box.hi, axis) - x);
        if (!(way < nearest)) continue;
        nearest = way;
        best = axis;
    }
    return best;
}

bool lt_judge_is_inside(const lt_judge_surface *surface, lt_dvec3 point) {
    if (!is_in_box(surface->box, point)) return false;
    if (surface->is_closed) return is_odd_along(surface, point, nearest_axis(surface->box, point));
    int votes = 0;
    for (int axis = 0; axis < 3; axis++)
        votes += is_odd_along(surface, point, axis);
    return votes >= 2;
}

double lt_judge_distance(const lt_judge_surface *surface, lt_dvec3 point) {
    uint32_t triangle;
    lt_closest_point closest;
    if (!lt_triangle_tree_closest(&surface->tree, point, INFINITY, &triangle, &closest)) return 0;
    return sqrt(closest.distance_squared);
}

/* ---- one body in another ---- */

enum { SIDE_UNKNOWN, SIDE_OUTSIDE, SIDE_INSIDE };

/* Sets of vertices on one side of b. On an open surface nothing can be said of others than itself: every vertex is
 * one. */
static void find_sets(lt_judge_body *a, const lt_judge_body *b, bool meets) {
    const lt_surface *mesh = &a->surface.mesh;
    lt_sets_begin(a->sets, mesh->vertex_count);
    for (uint32_t i = 0; i < mesh->triangle_count && b->surface.is_closed; i++) {
        if (meets && a->met[i]) continue;
        const uint32_t *t = lt_triangle_at(mesh, i);
        lt_sets_join(a->sets, t[0], t[1]);
        lt_sets_join(a->sets, t[0], t[2]);
    }
    memset(a->sides, SIDE_OUTSIDE, mesh->vertex_count); /* of vertices without a triangle, too */
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
        a->sides[mesh->triangles[i]] = SIDE_UNKNOWN;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (!lt_box_contains(b->surface.box, mesh->positions[v]))
            a->sides[lt_sets_find(a->sets, v)] = SIDE_OUTSIDE;
}

static double depth_of_vertices(lt_judge_body *a, const lt_judge_body *b, bool meets) {
    const lt_surface *mesh = &a->surface.mesh;
    double deepest = 0;
    find_sets(a, b, meets);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint8_t *side = &a->sides[lt_sets_find(a->sets, v)];
        lt_dvec3 p = lt_d3_from_v3(mesh->positions[v]);
        if (*side == SIDE_UNKNOWN) *side = lt_judge_is_inside(&b->surface, p) ? SIDE_INSIDE : SIDE_OUTSIDE;
        if (*side == SIDE_INSIDE) deepest = lt_max_d(deepest, lt_judge_distance(&b->surface, p));
    }
    return deepest;
}

/* Surfaces that do not meet have all of a solid on the side of its surface. */
static double depth_of_middles(const lt_judge_body *a, const lt_judge_body *b) {
    double deepest = 0;
    for (uint32_t i = 0; i < a->inner_count; i++) {
        lt_dvec3 p = lt_judge_middle(a, a->inner[i]);
        if (lt_judge_is_inside(&b->surface, p))
            deepest = lt_max_d(deepest, lt_judge_distance(&b->surface, p));
    }
    return deepest;
}

double lt_judge_depth_in(lt_judge_body *a, const lt_judge_body *b, bool meets) {
    double deepest = depth_of_vertices(a, b, meets);
    return meets ? lt_max_d(deepest, depth_of_middles(a, b)) : deepest;
}
