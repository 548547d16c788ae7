/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What a surface has that a solid's boundary does not: holes, edges with more than two triangles, vertices
 * where it only touches itself, triangles that cross. Everything but the crossings is O(n), by disjoint sets
 * of edges and of corners. */

#include "bake/repair_internal.h"
#include "core/union_find.h"
#include "mesh/exact.h"

typedef struct inspection {
    const lt_surface *surface;
    const lt_surface_adjacency *adjacency;
    lt_repair_report *report;
} inspection;

static const uint32_t *edge_at(const inspection *in, uint32_t edge) {
    return in->adjacency->edges + 2 * (size_t)edge;
}

static void fill_own_sets(uint32_t *parents, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        parents[i] = i;
}

/* ---- holes ---- */

/* The other edge of a triangle at one end of one of its edges. */
static uint32_t other_edge_at(const inspection *in, uint32_t triangle, uint32_t edge, uint32_t vertex) {
    const uint32_t *edges = in->adjacency->triangle_edges + 3 * (size_t)triangle;
    for (int k = 0; k < 3; k++) {
        const uint32_t *ends = edge_at(in, edges[k]);
        if (edges[k] != edge && (ends[0] == vertex || ends[1] == vertex)) return edges[k];
    }
    return edge;
}

/* From a boundary edge round one of its ends to the edge where the fan of triangles there stops. */
static uint32_t fan_end(const inspection *in, uint32_t edge, uint32_t vertex) {
    const lt_rows *rows = &in->adjacency->edge_triangles;
    uint32_t triangle = lt_rows_at(rows, edge)[0];
    for (;;) {
        edge = other_edge_at(in, triangle, edge, vertex);
        if (lt_rows_count(rows, edge) != 2) return edge;
        const uint32_t *both = lt_rows_at(rows, edge);
        triangle = both[0] == triangle ? both[1] : both[0];
    }
}

static bool is_boundary(const inspection *in, uint32_t edge) {
    return lt_rows_count(&in->adjacency->edge_triangles, edge) == 1;
}

/* Joins each boundary edge with those that follow it at its two ends. */
static void join_boundary(const inspection *in, uint32_t *parents) {
    fill_own_sets(parents, in->adjacency->edge_count);
    for (uint32_t edge = 0; edge < in->adjacency->edge_count; edge++) {
        if (!is_boundary(in, edge)) continue;
        for (int k = 0; k < 2; k++) {
            uint32_t next = fan_end(in, edge, edge_at(in, edge)[k]);
            if (is_boundary(in, next)) lt_sets_join(parents, edge, next);
        }
    }
}

/* A root is the lowest edge of its set, so holes come out ascending, and before their other edges. */
static bool list_holes(const inspection *in, uint32_t *parents, lt_array *holes) {
    uint32_t *hole_of = parents; /* below the edge at hand, roots have become numbers of holes */
    for (uint32_t edge = 0; edge < in->adjacency->edge_count; edge++) {
        if (!is_boundary(in, edge)) continue;
        uint32_t root = parents[edge];
        if (root != edge) {
            hole_of[edge] = hole_of[root];
            ((lt_repair_hole *)holes->items)[hole_of[edge]].edge_count++;
            continue;
        }
        lt_repair_hole hole = {{edge_at(in, edge)[0], edge_at(in, edge)[1]}, 1};
        hole_of[edge] = (uint32_t)holes->count;
        if (!lt_array_push(holes, &hole)) return false;
        lt_repair_count(in->report, LT_REPAIR_HOLE, hole.edge[0], hole.edge[1]);
    }
    return true;
}

static bool find_holes(const inspection *in) {
    const lt_allocator *a = &in->report->allocator;
    uint32_t edge_count = in->adjacency->edge_count;
    uint32_t *parents = LT_NEW(a, edge_count, uint32_t);
    lt_array holes = LT_ARRAY_OF(a, lt_repair_hole);
    bool complete = parents != NULL;
    if (complete) {
        join_boundary(in, parents);
        for (uint32_t edge = 0; edge < edge_count; edge++)
            parents[edge] = lt_sets_find(parents, edge);
        complete = list_holes(in, parents, &holes);
    }
    LT_DELETE(a, parents, edge_count, uint32_t);
    size_t count = 0;
    if (complete) in->report->holes = lt_array_take(&holes, &count);
    in->report->hole_count = (uint32_t)count;
    lt_array_free(&holes);
    return complete && in->report->holes;
}

/* ---- edges and pinches ---- */

static void count_edges(const inspection *in) {
    for (uint32_t edge = 0; edge < in->adjacency->edge_count; edge++) {
        uint32_t count = lt_rows_count(&in->adjacency->edge_triangles, edge);
        if (count == 2) continue;
        lt_repair_count(in->report, count == 1 ? LT_REPAIR_BOUNDARY : LT_REPAIR_OVERFULL,
                        edge_at(in, edge)[0], edge_at(in, edge)[1]);
    }
}

/* 3 * triangle + k for the corner k of a triangle at a vertex. */
static uint32_t corner_at(const inspection *in, uint32_t triangle, uint32_t vertex) {
    const uint32_t *t = lt_triangle_at(in->surface, triangle);
    return 3 * triangle + (t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2);
}

/* Joins the corners of all triangles at an edge, at both of its ends. */
static void join_corners(const inspection *in, uint32_t *parents) {
    const lt_rows *rows = &in->adjacency->edge_triangles;
    fill_own_sets(parents, 3 * in->surface->triangle_count);
    for (uint32_t edge = 0; edge < in->adjacency->edge_count; edge++) {
        const uint32_t *triangles = lt_rows_at(rows, edge);
        for (uint32_t i = 1; i < lt_rows_count(rows, edge); i++)
            for (int k = 0; k < 2; k++)
                lt_sets_join(parents, corner_at(in, triangles[0], edge_at(in, edge)[k]),
                             corner_at(in, triangles[i], edge_at(in, edge)[k]));
    }
}

/* Vertices with corners in more than one set: the surface touches itself there in nothing but a point. */
static bool find_pinches(const inspection *in) {
    const lt_allocator *a = &in->report->allocator;
    size_t corner_count = 3 * (size_t)in->surface->triangle_count;
    uint32_t *parents = LT_NEW(a, corner_count, uint32_t);
    if (!parents) return false;
    join_corners(in, parents);
    for (uint32_t vertex = 0; vertex < in->surface->vertex_count; vertex++) {
        const uint32_t *triangles = lt_rows_at(&in->adjacency->vertex_triangles, vertex);
        uint32_t count = lt_rows_count(&in->adjacency->vertex_triangles, vertex);
        uint32_t root = count > 0 ? lt_sets_find(parents, corner_at(in, triangles[0], vertex)) : 0;
        for (uint32_t i = 1; i < count; i++) {
            if (lt_sets_find(parents, corner_at(in, triangles[i], vertex)) == root) continue;
            lt_repair_count(in->report, LT_REPAIR_PINCH, vertex, LT_NONE);
            break;
        }
    }
    LT_DELETE(a, parents, corner_count, uint32_t);
    return true;
}

lt_status lt_repair_inspect(const lt_surface *surface, const lt_surface_adjacency *adjacency,
                            lt_repair_report *report, lt_error *error) {
    inspection in = {surface, adjacency, report};
    report->is_closed = adjacency->is_closed;
    report->is_oriented = adjacency->is_oriented;
    report->findings[LT_REPAIR_COMPONENT] = (lt_repair_finding){adjacency->component_count, {0, LT_NONE}};
    count_edges(&in);
    if (find_holes(&in) && find_pinches(&in)) return LT_OK;
    return lt_fail(error, LT_STATUS_MEMORY, "no memory to inspect %u triangles", surface->triangle_count);
}

/* ---- crossings ---- */

/* Work in candidate pairs, of which one that must be tested exactly counts for more. Scans take some tens a
 * triangle; the cap is some seconds for a million. */
enum { TEST_COST = 16, WORK_PER_TRIANGLE = 500, WORK_AT_LEAST = 10000000 };

typedef struct crossing_search {
    const lt_surface *surface;
    lt_repair_report *report;
    lt_dvec3 corners[3];
    uint32_t triangle;
    uint32_t lowest_partner;
    uint64_t work, work_limit;
} crossing_search;

static bool share_vertex(const uint32_t *a, const uint32_t *b) {
    for (int i = 0; i < 3; i++)
        if (a[i] == b[0] || a[i] == b[1] || a[i] == b[2]) return true;
    return false;
}

static bool test_pair(void *context, uint32_t other) {
    crossing_search *search = context;
    if (++search->work >= search->work_limit) return false;
    if (other <= search->triangle || share_vertex(lt_triangle_at(search->surface, search->triangle),
                                                  lt_triangle_at(search->surface, other)))
        return true;
    search->work += TEST_COST;
    lt_dvec3 corners[3];
    lt_triangle_corners(search->surface, other, corners);
    if (!lt_exact_triangle_triangle(search->corners, corners)) return true;
    search->report->findings[LT_REPAIR_CROSSING].count++;
    search->lowest_partner = lt_min_u32(search->lowest_partner, other);
    return true;
}

void lt_repair_find_crossings(const lt_triangle_tree *tree, lt_repair_report *report) {
    crossing_search search = {.surface = tree->surface, .report = report};
    search.work_limit = WORK_AT_LEAST + (uint64_t)WORK_PER_TRIANGLE * tree->surface->triangle_count;
    lt_repair_finding *finding = &report->findings[LT_REPAIR_CROSSING];
    for (uint32_t i = 0; i < tree->surface->triangle_count && search.work < search.work_limit; i++) {
        lt_box box = lt_box_empty();
        for (int k = 0; k < 3; k++)
            box = lt_box_add_point(box, tree->surface->positions[lt_triangle_at(tree->surface, i)[k]]);
        lt_triangle_corners(tree->surface, i, search.corners);
        search.triangle = i;
        search.lowest_partner = LT_NONE;
        lt_triangle_tree_each_overlap(tree, box, test_pair, &search);
        if (finding->first[0] != LT_NONE || search.lowest_partner == LT_NONE) continue;
        finding->first[0] = i;
        finding->first[1] = search.lowest_partner;
    }
    report->crossings_cut_short = search.work >= search.work_limit;
}
