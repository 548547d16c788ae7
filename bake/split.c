/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/split.h"

#include "bake/adjacency.h"

#include <string.h>

enum { TRIANGLES_MAX = 200000000 };

/* All cuts along one axis. */
typedef struct pass {
    /* Input */
    const lt_cell_grid *grid;
    int axis;
    const lt_surface *in;
    const uint32_t *parents; /* [in->triangle_count]; NULL: every triangle is its own */
    /* State */
    lt_surface_adjacency adjacency;
    uint32_t *levels;     /* [in->vertex_count] */
    uint32_t *cut_begins; /* [edge_count + 1] first cut of each edge, counted from 0 */
    /* Output */
    lt_array triangles; /* uint32_t[3] */
    lt_array out_parents;
} pass;

/* ---- edges ---- */

/* Planes strictly between two levels. */
static uint32_t first_plane(uint32_t lower) {
    return lower / 2 + 1;
}
static uint32_t plane_count(uint32_t lower, uint32_t higher) {
    return higher > lower + 1 ? (higher - 1) / 2 - lower / 2 : 0;
}

static bool count_cuts(pass *p) {
    uint64_t count = 0;
    for (uint32_t v = 0; v < p->in->vertex_count; v++)
        p->levels[v] = lt_cell_grid_level(p->grid, p->axis, lt_v3_get(p->in->positions[v], p->axis));
    for (uint32_t e = 0; e < p->adjacency.edge_count; e++) {
        uint32_t a = p->levels[p->adjacency.edges[2 * (size_t)e]];
        uint32_t b = p->levels[p->adjacency.edges[2 * (size_t)e + 1]];
        p->cut_begins[e] = (uint32_t)count;
        count += plane_count(lt_min_u32(a, b), lt_max_u32(a, b));
        if (count + p->in->vertex_count > TRIANGLES_MAX) return false;
    }
    p->cut_begins[p->adjacency.edge_count] = (uint32_t)count;
    return true;
}

static float between(float a, float b, double share) {
    double at = (double)a + share * ((double)b - (double)a);
    double lo = (double)lt_min_f(a, b), hi = (double)lt_max_f(a, b);
    return (float)lt_max_d(lo, lt_min_d(at, hi));
}

static lt_vec3 cut_at(const pass *p, lt_vec3 a, lt_vec3 b, uint32_t plane) {
    double from = (double)lt_v3_get(a, p->axis), to = (double)lt_v3_get(b, p->axis);
    double at = lt_cell_grid_plane(p->grid, p->axis, plane), share = (at - from) / (to - from);
    float cut[3];
    for (int axis = 0; axis < 3; axis++)
        cut[axis] = axis == p->axis ? (float)at : between(lt_v3_get(a, axis), lt_v3_get(b, axis), share);
    return (lt_vec3){cut[0], cut[1], cut[2]};
}

static void write_cuts(const pass *p, lt_vec3 *cuts) {
    for (uint32_t e = 0; e < p->adjacency.edge_count; e++) {
        const uint32_t *ends = p->adjacency.edges + 2 * (size_t)e;
        uint32_t lower = lt_min_u32(p->levels[ends[0]], p->levels[ends[1]]);
        for (uint32_t i = p->cut_begins[e]; i < p->cut_begins[e + 1]; i++)
            cuts[i] = cut_at(p, p->in->positions[ends[0]], p->in->positions[ends[1]],
                             first_plane(lower) + i - p->cut_begins[e]);
    }
}

/* ---- triangles ---- */

/* A triangle with its corners in the order of their levels. */
typedef struct sorted_triangle {
    uint32_t corners[3], levels[3];
    uint32_t long_edge, low_edge, high_edge; /* 0-2, 0-1, 1-2 */
    bool is_turned;                          /* the order of the corners is not that of the triangle */
} sorted_triangle;

static sorted_triangle sort_triangle(const pass *p, uint32_t triangle) {
    const uint32_t *t = lt_triangle_at(p->in, triangle);
    const uint32_t *edges = p->adjacency.triangle_edges + 3 * (size_t)triangle;
    uint32_t order[3] = {0, 1, 2};
    bool is_turned = false;
    for (int i = 0; i < 3; i++) { /* three exchanges of neighbours sort three */
        int k = i % 2;
        if (p->levels[t[order[k]]] <= p->levels[t[order[k + 1]]]) continue;
        uint32_t swap = order[k];
        order[k] = order[k + 1];
        order[k + 1] = swap;
        is_turned = !is_turned;
    }
    sorted_triangle s = {.is_turned = is_turned};
    for (int i = 0; i < 3; i++) {
        s.corners[i] = t[order[i]];
        s.levels[i] = p->levels[s.corners[i]];
    }
    /* Edge k joins corners k and k + 1: it is named by the corner it does not have. */
    s.long_edge = edges[(order[1] + 1) % 3];
    s.low_edge = edges[(order[2] + 1) % 3];
    s.high_edge = edges[(order[0] + 1) % 3];
    return s;
}

/* The vertex on an edge, whose lower end is at `lower`, at a plane. */
static uint32_t cut_vertex(const pass *p, uint32_t edge, uint32_t lower, uint32_t plane) {
    return p->in->vertex_count + p->cut_begins[edge] + plane - first_plane(lower);
}

/* The vertex at a plane on the way over the middle corner. */
static uint32_t side_vertex(const pass *p, const sorted_triangle *s, uint32_t plane) {
    if (2 * plane < s->levels[1]) return cut_vertex(p, s->low_edge, s->levels[0], plane);
    if (2 * plane > s->levels[1]) return cut_vertex(p, s->high_edge, s->levels[1], plane);
    return s->corners[1];
}

static bool write_fan(pass *p, const uint32_t *polygon, uint32_t count, bool is_turned, uint32_t parent) {
    uint32_t *t = lt_array_grow(&p->triangles, count - 2);
    if (!t) return false;
    for (uint32_t i = 1; i + 1 < count; i++, t += 3) {
        t[0] = polygon[0];
        t[1] = polygon[is_turned ? i + 1 : i];
        t[2] = polygon[is_turned ? i : i + 1];
        if (!lt_array_push(&p->out_parents, &parent)) return false;
    }
    return p->triangles.count <= TRIANGLES_MAX;
}

/* Band after band from the lowest corner up. `straight` runs along the long edge, `around` over the middle corner. */
static bool cut_triangle(pass *p, uint32_t triangle) {
    sorted_triangle s = sort_triangle(p, triangle);
    uint32_t parent = p->parents ? p->parents[triangle] : triangle;
    uint32_t bands = plane_count(s.levels[0], s.levels[2]) + 1, first = first_plane(s.levels[0]);
    uint32_t straight = s.corners[0], around = s.corners[s.levels[1] == s.levels[0] ? 1 : 0];
    bool middle_is_passed = around == s.corners[1];
    if (bands == 1) return write_fan(p, lt_triangle_at(p->in, triangle), 3, false, parent);
    for (uint32_t i = 0; i < bands; i++) {
        bool is_last = i + 1 == bands;
        uint32_t plane = first + i, polygon[5], count = 0;
        uint32_t next_straight = is_last ? s.corners[2] : cut_vertex(p, s.long_edge, s.levels[0], plane);
        uint32_t next_around = !is_last                     ? side_vertex(p, &s, plane)
                               : s.levels[1] == s.levels[2] ? s.corners[1]
                                                            : s.corners[2];
        polygon[count++] = straight;
        if (around != straight) polygon[count++] = around;
        if (!middle_is_passed && (is_last || s.levels[1] <= 2 * plane)) {
            if (next_around != s.corners[1]) polygon[count++] = s.corners[1];
            middle_is_passed = true;
        }
        polygon[count++] = next_around;
        if (next_straight != next_around) polygon[count++] = next_straight;
        /* A triangle that names a vertex twice has no bands. */
        if (count >= 3 && !write_fan(p, polygon, count, s.is_turned, parent)) return false;
        straight = next_straight;
        around = next_around;
    }
    return true;
}

static bool cut_triangles(pass *p) {
    for (uint32_t t = 0; t < p->in->triangle_count; t++)
        if (!cut_triangle(p, t)) return false;
    return true;
}

/* ---- a pass ---- */

static lt_status no_memory(lt_error *error) {
    return lt_fail(error, LT_STATUS_MEMORY, "out of memory while cutting the surface at its cells");
}

static lt_status cut_all(pass *p, lt_error *error) {
    if (!count_cuts(p))
        return lt_fail(error, LT_STATUS_INVALID,
                       "the surface would be cut into more than %d vertices: take larger cells",
                       TRIANGLES_MAX);
    if (!lt_array_reserve(&p->triangles, p->in->triangle_count) ||
        !lt_array_reserve(&p->out_parents, p->in->triangle_count))
        return no_memory(error);
    if (cut_triangles(p)) return LT_OK;
    if (p->triangles.count <= TRIANGLES_MAX) return no_memory(error);
    return lt_fail(error, LT_STATUS_INVALID,
                   "the surface would be cut into more than %d triangles: take larger cells", TRIANGLES_MAX);
}

static lt_status take_pass(pass *p, lt_split *out, lt_error *error) {
    uint32_t cuts = p->cut_begins[p->adjacency.edge_count], triangles = (uint32_t)p->triangles.count;
    lt_status status =
        lt_surface_allocate(&out->surface, p->in->vertex_count + cuts, triangles, &out->allocator, error);
    if (status != LT_OK) return status;
    out->parents = LT_NEW(&out->allocator, triangles, uint32_t);
    if (!out->parents) return no_memory(error);
    memcpy(out->surface.positions, p->in->positions, p->in->vertex_count * sizeof(lt_vec3));
    write_cuts(p, out->surface.positions + p->in->vertex_count);
    memcpy(out->surface.triangles, p->triangles.items, 3 * (size_t)triangles * sizeof(uint32_t));
    memcpy(out->parents, p->out_parents.items, triangles * sizeof(uint32_t));
    return LT_OK;
}

/* *out gets the surface of `from` cut along one axis; `from` may be what an earlier pass gave. */
static lt_status run_pass(lt_split *out, const lt_surface *from, const uint32_t *parents,
                          const lt_cell_grid *grid, int axis, const lt_allocator *allocator,
                          lt_error *error) {
    pass p = {.grid = grid, .axis = axis, .in = from, .parents = parents};
    *out = (lt_split){.allocator = *allocator};
    lt_status status = lt_surface_adjacency_build(&p.adjacency, from, allocator, error);
    if (status != LT_OK) return status;
    size_t edges = (size_t)p.adjacency.edge_count + 1;
    p.triangles = lt_array_make(allocator, 3 * sizeof(uint32_t));
    p.out_parents = LT_ARRAY_OF(allocator, uint32_t);
    p.levels = LT_NEW(allocator, from->vertex_count, uint32_t);
    p.cut_begins = LT_NEW(allocator, edges, uint32_t);
    status = p.levels && p.cut_begins ? cut_all(&p, error) : no_memory(error);
    if (status == LT_OK) status = take_pass(&p, out, error);
    LT_DELETE(allocator, p.levels, from->vertex_count, uint32_t);
    LT_DELETE(allocator, p.cut_begins, edges, uint32_t);
    lt_array_free(&p.triangles);
    lt_array_free(&p.out_parents);
    lt_surface_adjacency_free(&p.adjacency);
    if (status != LT_OK) lt_split_free(out);
    return status;
}

/* ---- places ---- */

/* Twice the area of the triangle seen along an axis, positive when it faces up the axis. */
static double facing(const lt_surface *surface, uint32_t triangle, int axis) {
    lt_dvec3 p[3];
    lt_triangle_corners(surface, triangle, p);
    return lt_d3_get(lt_d3_cross(lt_d3_sub(p[1], p[0]), lt_d3_sub(p[2], p[0])), axis);
}

static uint32_t place_along(const lt_surface *surface, const lt_cell_grid *grid, uint32_t triangle,
                            int axis) {
    const uint32_t *t = lt_triangle_at(surface, triangle);
    uint32_t lower = UINT32_MAX, higher = 0;
    for (int k = 0; k < 3; k++) {
        uint32_t level = lt_cell_grid_level(grid, axis, lt_v3_get(surface->positions[t[k]], axis));
        lower = lt_min_u32(lower, level);
        higher = lt_max_u32(higher, level);
    }
    uint32_t cell = lower / 2;
    LT_ASSERT(higher <= 2 * cell + 2);
    bool is_in_plane = lower == higher && lower % 2 == 0;
    if (is_in_plane && cell > 0 && (cell == grid->counts[axis] || facing(surface, triangle, axis) > 0))
        cell--;
    return cell;
}

static lt_status find_places(lt_split *out, const lt_cell_grid *grid, lt_error *error) {
    uint32_t count = out->surface.triangle_count;
    out->places = LT_NEW(&out->allocator, count, uint32_t);
    if (!out->places) return no_memory(error);
    for (uint32_t t = 0; t < count; t++)
        out->places[t] =
            lt_cell_place(place_along(&out->surface, grid, t, 0), place_along(&out->surface, grid, t, 1),
                          place_along(&out->surface, grid, t, 2));
    return LT_OK;
}

static lt_status check_within(const lt_surface *surface, const lt_cell_grid *grid, lt_error *error) {
    lt_box box = lt_surface_box(surface);
    for (int axis = 0; axis < 3; axis++)
        if ((double)lt_v3_get(box.lo, axis) < lt_cell_grid_plane(grid, axis, 0) ||
            (double)lt_v3_get(box.hi, axis) > lt_cell_grid_plane(grid, axis, grid->counts[axis]))
            return lt_fail(error, LT_STATUS_INVALID,
                           "the surface reaches out of the grid it is to be cut at");
    return LT_OK;
}

lt_status lt_split_build(lt_split *out, const lt_surface *surface, const lt_cell_grid *grid,
                         const lt_allocator *allocator, lt_error *error) {
    lt_allocator used = allocator ? *allocator : lt_allocator_default();
    lt_split now = {0};
    *out = (lt_split){0};
    lt_status status = check_within(surface, grid, error);
    for (int axis = 0; axis < 3 && status == LT_OK; axis++) {
        lt_split next;
        status = run_pass(&next, axis ? &now.surface : surface, now.parents, grid, axis, &used, error);
        lt_split_free(&now);
        now = next;
    }
    if (status == LT_OK) status = find_places(&now, grid, error);
    if (status == LT_OK)
        *out = now;
    else
        lt_split_free(&now);
    return status;
}

void lt_split_free(lt_split *split) {
    uint32_t count = split->surface.triangle_count;
    LT_DELETE(&split->allocator, split->parents, count, uint32_t);
    LT_DELETE(&split->allocator, split->places, count, uint32_t);
    lt_surface_free(&split->surface);
    *split = (lt_split){0};
}
