/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Rim edges run as their triangles do; a rim is followed from the lowest unused edge, at every vertex to the
 * lowest unused edge that begins there. */

#include "bake/cap_holes.h"

#include "bake/adjacency.h"

#include <string.h>

typedef struct rims {
    /* Input */
    const lt_surface *surface;
    /* State */
    uint32_t *edges;  /* [edge_count][2] from, to */
    uint32_t *begins; /* [vertex_count + 1] the edges that begin at a vertex are places[begins[v]] … */
    uint32_t *places; /* [edge_count] */
    uint8_t *used;    /* [edge_count] */
    uint32_t edge_count;
    /* Output */
    lt_array loop_edges; /* uint32_t, of all loops one after the other */
    lt_array loop_ends;  /* uint32_t, a loop */
} rims;

static bool collect_edges(rims *r, const lt_surface_adjacency *adjacency, const lt_allocator *allocator) {
    r->edge_count = adjacency->boundary_edge_count;
    r->edges = LT_NEW(allocator, 2 * (size_t)r->edge_count, uint32_t);
    r->begins = LT_NEW(allocator, (size_t)r->surface->vertex_count + 1, uint32_t);
    r->places = LT_NEW(allocator, r->edge_count, uint32_t);
    r->used = LT_NEW(allocator, r->edge_count, uint8_t);
    if (!r->edges || !r->begins || !r->places || !r->used) return false;
    uint32_t count = 0;
    for (uint32_t e = 0; e < adjacency->edge_count; e++) {
        if (lt_rows_count(&adjacency->edge_triangles, e) != 1) continue;
        const uint32_t triangle = lt_rows_at(&adjacency->edge_triangles, e)[0];
        const uint32_t *corners = lt_triangle_at(r->surface, triangle);
        for (int k = 0; k < 3; k++)
            if (adjacency->triangle_edges[3 * (size_t)triangle + (size_t)k] == e) {
                r->edges[2 * (size_t)count] = corners[k];
                r->edges[2 * (size_t)count + 1] = corners[(k + 1) % 3];
            }
        count++;
    }
    LT_ASSERT(count == r->edge_count);
    return true;
}

static void sort_edges(rims *r) {
    for (uint32_t e = 0; e < r->edge_count; e++)
        r->begins[r->edges[2 * (size_t)e] + 1]++;
    for (uint32_t v = 0; v < r->surface->vertex_count; v++)
        r->begins[v + 1] += r->begins[v];
    for (uint32_t e = r->edge_count; e-- > 0;) /* downwards, and begins is moved back at the end */
        r->places[--r->begins[r->edges[2 * (size_t)e] + 1]] = e;
    memmove(r->begins, r->begins + 1, r->surface->vertex_count * sizeof(uint32_t));
    r->begins[r->surface->vertex_count] = r->edge_count;
}

static uint32_t unused_edge_at(const rims *r, uint32_t vertex) {
    for (uint32_t i = r->begins[vertex]; i < r->begins[vertex + 1]; i++)
        if (!r->used[r->places[i]]) return r->places[i];
    return LT_NONE;
}

/* Follows the rim that begins with `edge`; a way that does not come back is forgotten. */
static bool follow_rim(rims *r, uint32_t edge) {
    size_t before = r->loop_edges.count;
    const uint32_t start = r->edges[2 * (size_t)edge];
    while (edge != LT_NONE) {
        r->used[edge] = 1;
        if (!lt_array_push(&r->loop_edges, &edge)) return false;
        uint32_t to = r->edges[2 * (size_t)edge + 1];
        if (to == start) {
            uint32_t end = (uint32_t)r->loop_edges.count;
            return lt_array_push(&r->loop_ends, &end);
        }
        edge = unused_edge_at(r, to);
    }
    r->loop_edges.count = before;
    return true;
}

static bool find_rims(rims *r, const lt_surface *surface, const lt_surface_adjacency *adjacency,
                      const lt_allocator *allocator) {
    r->surface = surface;
    r->loop_edges = LT_ARRAY_OF(allocator, uint32_t);
    r->loop_ends = LT_ARRAY_OF(allocator, uint32_t);
    if (!collect_edges(r, adjacency, allocator)) return false;
    sort_edges(r);
    for (uint32_t e = 0; e < r->edge_count; e++)
        if (!r->used[e] && !follow_rim(r, e)) return false;
    return true;
}

static void free_rims(rims *r, const lt_allocator *allocator) {
    LT_DELETE(allocator, r->edges, 2 * (size_t)r->edge_count, uint32_t);
    LT_DELETE(allocator, r->begins, (size_t)r->surface->vertex_count + 1, uint32_t);
    LT_DELETE(allocator, r->places, r->edge_count, uint32_t);
    LT_DELETE(allocator, r->used, r->edge_count, uint8_t);
    lt_array_free(&r->loop_edges);
    lt_array_free(&r->loop_ends);
}

/* Writes the fan of loop `cap`: its middle, and a triangle against the run of every rim edge. */
static void write_fan(lt_surface *out, const rims *r, uint32_t cap, uint32_t begin, uint32_t end) {
    const uint32_t *edges = r->loop_edges.items;
    uint32_t middle = r->surface->vertex_count + cap;
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t *edge = r->edges + 2 * (size_t)edges[i];
        uint32_t *triangle = out->triangles + 3 * ((size_t)r->surface->triangle_count + i);
        sum = lt_d3_add(sum, lt_d3_from_v3(out->positions[edge[0]]));
        triangle[0] = edge[1];
        triangle[1] = edge[0];
        triangle[2] = middle;
    }
    out->positions[middle] = lt_v3_from_d3(lt_d3_scale(sum, 1.0 / (end - begin)));
}

static lt_status write_capped(lt_surface *out, uint32_t **cap_begins, uint32_t *cap_count, const rims *r,
                              const lt_allocator *allocator, lt_error *error) {
    uint32_t count = (uint32_t)r->loop_ends.count;
    const uint32_t *ends = r->loop_ends.items;
    const lt_surface *given = r->surface;
    uint32_t *begins = LT_NEW(allocator, (size_t)count + 1, uint32_t);
    if (!begins) return lt_fail(error, LT_STATUS_MEMORY, "capping holes: out of memory");
    lt_status status =
        lt_surface_allocate(out, given->vertex_count + count,
                            given->triangle_count + (uint32_t)r->loop_edges.count, allocator, error);
    if (status != LT_OK) {
        LT_DELETE(allocator, begins, (size_t)count + 1, uint32_t);
        return status;
    }
    memcpy(out->positions, given->positions, given->vertex_count * sizeof(lt_vec3));
    memcpy(out->triangles, given->triangles, 3 * (size_t)given->triangle_count * sizeof(uint32_t));
    begins[0] = given->triangle_count;
    for (uint32_t i = 0; i < count; i++) {
        write_fan(out, r, i, i ? ends[i - 1] : 0, ends[i]);
        begins[i + 1] = given->triangle_count + ends[i];
    }
    *cap_begins = begins;
    *cap_count = count;
    return LT_OK;
}

lt_status lt_cap_holes(lt_surface *out, uint32_t **cap_begins, uint32_t *cap_count, const lt_surface *surface,
                       const lt_allocator *allocator, lt_error *error) {
    *out = (lt_surface){0};
    *cap_begins = NULL;
    *cap_count = 0;
    lt_surface_adjacency adjacency;
    lt_status status = lt_surface_adjacency_build(&adjacency, surface, allocator, error);
    if (status != LT_OK) return status;
    rims r = {0};
    if (!find_rims(&r, surface, &adjacency, allocator))
        status = lt_fail(error, LT_STATUS_MEMORY, "capping holes: out of memory");
    else
        status = write_capped(out, cap_begins, cap_count, &r, allocator, error);
    free_rims(&r, allocator);
    lt_surface_adjacency_free(&adjacency);
    return status;
}
