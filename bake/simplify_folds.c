/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A few triangles in ten thousand fold when edges are collapsed by error alone: slivers in creases, where each
 * collapse turned them a little. Each is flat and small, so that a flip of its longest edge, or the collapse of
 * its shortest, is rid of it.
 *
 * A round builds the adjacency, walks over the folded triangles and changes what it can; vertices of changed
 * triangles are not looked at again until the next round, so that the adjacency stays true for the others. */

#include "bake/simplify_internal.h"

#include "bake/repair_internal.h"
#include "mesh/weld.h"

#include <string.h>

enum { ROUNDS = 12, VALENCE_MAX = 48 };

/* ---- what a fold is ---- */

static lt_dvec3 normal_of(const lt_dvec3 t[3]) {
    return lt_d3_cross(lt_d3_sub(t[1], t[0]), lt_d3_sub(t[2], t[0]));
}

typedef struct side_search {
    const lt_surface *surface;
    lt_dvec3 normal;
    bool found;
} side_search;

static bool stop_at_same_side(void *context, uint32_t triangle) {
    side_search *search = context;
    lt_dvec3 t[3];
    lt_triangle_corners(search->surface, triangle, t);
    search->found = lt_d3_dot(search->normal, normal_of(t)) > 0;
    return !search->found;
}

/* Nearly always the nearest triangle faces the same way; if not, it may be the far side of something thin. */
bool lt_is_folded(const lt_fold_test *test, const lt_dvec3 corners[3]) {
    lt_dvec3 middle = lt_d3_scale(lt_d3_add(lt_d3_add(corners[0], corners[1]), corners[2]), 1.0 / 3);
    uint32_t nearest;
    lt_closest_point closest;
    side_search search = {.surface = test->tree->surface, .normal = normal_of(corners)};
    if (!lt_triangle_tree_closest(test->tree, middle, INFINITY, &nearest, &closest)) return true;
    if (!stop_at_same_side(&search, nearest)) return false;
    double radius = lt_max_d(2 * sqrt(closest.distance_squared), test->radius);
    lt_box box = lt_box_inflate(lt_box_add_point(lt_box_empty(), lt_v3_from_d3(middle)), (float)radius);
    lt_triangle_tree_each_overlap(test->tree, box, stop_at_same_side, &search);
    return !search.found;
}

/* ---- a round ---- */

typedef struct unfolding {
    const lt_fold_test *test;
    lt_surface *surface;
    lt_surface_adjacency adjacency; /* as the round began */
    uint8_t *touched;               /* [vertex_count] corners of triangles that were changed */
    uint8_t *removed;               /* [triangle_count] */
} unfolding;

static bool has_corner(const uint32_t *t, uint32_t vertex) {
    return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

static bool is_folded(const unfolding *u, const uint32_t t[3]) {
    lt_dvec3 corners[3];
    for (int k = 0; k < 3; k++)
        corners[k] = lt_d3_from_v3(u->surface->positions[t[k]]);
    return lt_is_folded(u->test, corners);
}

static void change_triangle(unfolding *u, uint32_t triangle, const uint32_t to[3]) {
    uint32_t *t = u->surface->triangles + 3 * (size_t)triangle;
    for (int k = 0; k < 3; k++)
        u->touched[t[k]] = u->touched[to[k]] = 1;
    memcpy(t, to, 3 * sizeof *t);
}

/* Whether some triangle at `vertex`, which is not touched, has both others. */
static bool is_triangle_with(const unfolding *u, uint32_t vertex, uint32_t other, uint32_t third) {
    const lt_rows *rows = &u->adjacency.vertex_triangles;
    for (uint32_t i = 0; i < lt_rows_count(rows, vertex); i++) {
        const uint32_t *t = lt_triangle_at(u->surface, lt_rows_at(rows, vertex)[i]);
        if (has_corner(t, other) && has_corner(t, third)) return true;
    }
    return false;
}

/* Edge k of triangle (a b c), k = 0: a b, has (b a d) on its other side; they become (a d c) and (d b c). */
static bool try_flip(unfolding *u, uint32_t triangle, uint32_t k) {
    uint32_t other = u->adjacency.triangle_neighbours[3 * (size_t)triangle + k];
    if (other == LT_NONE) return false;
    const uint32_t *t = lt_triangle_at(u->surface, triangle), *n = lt_triangle_at(u->surface, other);
    uint32_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3], j = 0;
    while (j < 3 && n[j] != b)
        j++;
    if (j == 3 || n[(j + 1) % 3] != a) return false;
    uint32_t d = n[(j + 2) % 3];
    if (u->touched[a] || u->touched[b] || u->touched[c] || u->touched[d]) return false;
    const uint32_t first[3] = {a, d, c}, second[3] = {d, b, c};
    if (is_triangle_with(u, c, d, d)) return false;
    if (is_folded(u, first) + is_folded(u, second) >= is_folded(u, t) + is_folded(u, n)) return false;
    change_triangle(u, triangle, first);
    change_triangle(u, other, second);
    return true;
}

/* Whether `gone` may be drawn into `kept`: every edge at it has one triangle or two, it is not on the boundary
 * unless the edge is, and the two have no neighbours in common but across the edge (the link condition). */
static bool may_collapse(const unfolding *u, uint32_t gone, uint32_t kept) {
    const lt_rows *rows = &u->adjacency.vertex_triangles, *edge_rows = &u->adjacency.edge_triangles;
    uint32_t neighbours[2 * VALENCE_MAX], neighbour_count = 0, shared = 0, common = 0;
    bool on_boundary = false;
    for (uint32_t i = 0; i < lt_rows_count(rows, gone); i++) {
        uint32_t triangle = lt_rows_at(rows, gone)[i];
        const uint32_t *t = lt_triangle_at(u->surface, triangle);
        shared += has_corner(t, kept);
        for (uint32_t k = 0; k < 3; k++) {
            if (t[k] != gone && t[k] != kept) neighbours[neighbour_count++] = t[k];
            if (t[k] != gone && t[(k + 1) % 3] != gone) continue;
            uint32_t edge = u->adjacency.triangle_edges[3 * (size_t)triangle + k];
            if (lt_rows_count(edge_rows, edge) > 2) return false;
            on_boundary = on_boundary || lt_rows_count(edge_rows, edge) == 1;
        }
    }
    if (on_boundary && shared != 1) return false;
    for (uint32_t i = 0; i < neighbour_count; i++) {
        bool repeated = false;
        for (uint32_t j = 0; j < i; j++)
            repeated = repeated || neighbours[j] == neighbours[i];
        common += !repeated && is_triangle_with(u, kept, neighbours[i], neighbours[i]);
    }
    return common == shared;
}

/* The triangle with `gone` replaced. */
static void replace_corner(const uint32_t *t, uint32_t gone, uint32_t kept, uint32_t to[3]) {
    for (int k = 0; k < 3; k++)
        to[k] = t[k] == gone ? kept : t[k];
}

/* Whether there are fewer folds after drawing `gone` into `kept`, and no triangle twice. */
static bool collapse_helps(const unfolding *u, uint32_t gone, uint32_t kept) {
    const lt_rows *rows = &u->adjacency.vertex_triangles;
    uint32_t before = 0, after = 0;
    for (uint32_t i = 0; i < lt_rows_count(rows, gone); i++) {
        const uint32_t *t = lt_triangle_at(u->surface, lt_rows_at(rows, gone)[i]);
        uint32_t to[3], at = t[0] == gone ? 0 : t[1] == gone ? 1 : 2;
        before += is_folded(u, t);
        if (has_corner(t, kept)) continue;
        if (is_triangle_with(u, kept, t[(at + 1) % 3], t[(at + 2) % 3])) return false;
        replace_corner(t, gone, kept, to);
        after += is_folded(u, to);
    }
    return after < before;
}

static bool try_collapse(unfolding *u, uint32_t gone, uint32_t kept) {
    const lt_rows *rows = &u->adjacency.vertex_triangles;
    uint32_t count = lt_rows_count(rows, gone);
    if (u->touched[gone] || u->touched[kept] || count > VALENCE_MAX ||
        lt_rows_count(rows, kept) > VALENCE_MAX || !may_collapse(u, gone, kept) ||
        !collapse_helps(u, gone, kept))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t triangle = lt_rows_at(rows, gone)[i], to[3];
        const uint32_t *t = lt_triangle_at(u->surface, triangle);
        u->removed[triangle] = has_corner(t, kept);
        replace_corner(t, u->removed[triangle] ? kept : gone, kept, to); /* one that goes stays itself */
        change_triangle(u, triangle, to);
    }
    return true;
}

/* The edges of a triangle, longest first. */
static void sort_edges(const unfolding *u, const uint32_t *t, uint32_t order[3]) {
    double lengths[3];
    for (uint32_t k = 0; k < 3; k++) {
        const lt_vec3 *p = u->surface->positions;
        lengths[k] = lt_d3_distance(lt_d3_from_v3(p[t[k]]), lt_d3_from_v3(p[t[(k + 1) % 3]]));
        uint32_t at = k;
        for (; at > 0 && lengths[order[at - 1]] < lengths[k]; at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}

static bool unfold_triangle(unfolding *u, uint32_t triangle) {
    const uint32_t *t = lt_triangle_at(u->surface, triangle);
    uint32_t order[3];
    sort_edges(u, t, order);
    for (int i = 0; i < 3; i++)
        if (try_flip(u, triangle, order[i])) return true;
    for (int i = 2; i >= 0; i--) {
        uint32_t a = t[order[i]], b = t[(order[i] + 1) % 3];
        if (try_collapse(u, a, b) || try_collapse(u, b, a)) return true;
    }
    return false;
}

static void drop_removed(unfolding *u) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < u->surface->triangle_count; i++)
        if (!u->removed[i])
            memmove(u->surface->triangles + 3 * (size_t)count++, lt_triangle_at(u->surface, i),
                    3 * sizeof(uint32_t));
    u->surface->triangle_count = count;
}

/* ---- fins ---- */

/* Two triangles back to back are the last of something that was collapsed flat: both go, which leaves every
 * edge with as many triangles each way as before. */
static bool drop_fins(unfolding *u, const lt_allocator *allocator, uint32_t *dropped) {
    uint32_t count = u->surface->triangle_count;
    uint32_t(*keys)[3] = lt_allocate(allocator, count, sizeof *keys);
    uint32_t *first_of = LT_NEW(allocator, count, uint32_t);
    bool complete = keys && first_of;
    for (uint32_t i = 0; complete && i < count; i++)
        lt_sort_corners(lt_triangle_at(u->surface, i), keys[i]);
    complete = complete && lt_first_of_equal(first_of, (const uint32_t(*)[3])keys, count, allocator);
    memset(u->removed, 0, count);
    for (uint32_t i = 0; complete && i < count; i++) {
        uint32_t first = first_of[i], key[3];
        if (first == i || u->removed[first] ||
            lt_sort_corners(lt_triangle_at(u->surface, i), key) ==
                lt_sort_corners(lt_triangle_at(u->surface, first), key))
            continue;
        u->removed[first] = u->removed[i] = 1;
        *dropped += 1;
    }
    if (complete) drop_removed(u);
    lt_release(allocator, keys, count, sizeof *keys);
    LT_DELETE(allocator, first_of, count, uint32_t);
    return complete;
}

/* ---- rounds ---- */

/* Returns how many triangles were mended. */
static uint32_t unfold_triangles(unfolding *u) {
    uint32_t mended = 0;
    memset(u->touched, 0, u->surface->vertex_count);
    memset(u->removed, 0, u->surface->triangle_count);
    for (uint32_t i = 0; i < u->surface->triangle_count; i++)
        if (!u->removed[i] && is_folded(u, lt_triangle_at(u->surface, i))) mended += unfold_triangle(u, i);
    drop_removed(u);
    return mended;
}

static lt_status unfold_round(unfolding *u, const lt_allocator *allocator, uint32_t *mended,
                              lt_error *error) {
    *mended = 0;
    if (!drop_fins(u, allocator, mended))
        return lt_fail(error, LT_STATUS_MEMORY, "no memory to unfold %u triangles",
                       u->surface->triangle_count);
    lt_status status = lt_surface_adjacency_build(&u->adjacency, u->surface, allocator, error);
    if (status == LT_OK) *mended += unfold_triangles(u);
    lt_surface_adjacency_free(&u->adjacency);
    return status;
}

lt_status lt_unfold(const lt_fold_test *test, lt_surface *surface, const lt_allocator *allocator,
                    lt_error *error) {
    unfolding u = {.test = test, .surface = surface};
    uint32_t triangle_count = surface->triangle_count;
    u.touched = LT_NEW(allocator, surface->vertex_count, uint8_t);
    u.removed = LT_NEW(allocator, triangle_count, uint8_t);
    lt_status status = LT_OK;
    if (!u.touched || !u.removed)
        status = lt_fail(error, LT_STATUS_MEMORY, "no memory to unfold %u triangles", triangle_count);
    uint32_t mended = 1;
    for (int round = 0; status == LT_OK && mended > 0 && round < ROUNDS; round++)
        status = unfold_round(&u, allocator, &mended, error);
    LT_DELETE(allocator, u.touched, surface->vertex_count, uint8_t);
    LT_DELETE(allocator, u.removed, triangle_count, uint8_t);
    return status;
}
