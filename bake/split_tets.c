/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/split_tets.h"

#include "bake/walk.h"
#include "mesh/closest.h"
#include "mesh/exact.h"

#include <string.h>

enum { PIECES_MAX = 200000000, SEGMENTS = 7, CORNERS_MAX = 13 };

/* Weights below this are what rounding leaves of 0: surface vertices are floats. */
static const double NO_WEIGHT = 2e-6;
/* Pieces cover their triangle to this share of its area, or the cut has failed; besides, weights are floats,
 * and their rounding moves corners by this share of a tet. */
static const double AREA_TOLERANCE = 1e-3, PLACE_TOLERANCE = 1e-6;

/* Where an edge of the surface goes through a face of the carrier. */
typedef struct edge_cut {
    uint32_t face[3]; /* nodes, ascending */
    uint32_t point;
    uint32_t next; /* of the same edge; LT_NONE: the last */
} edge_cut;

/* Where an edge of the carrier goes through the triangle at hand. */
typedef struct triangle_cut {
    uint32_t ends[2]; /* nodes, ascending */
    uint32_t point;
} triangle_cut;

typedef struct splitting {
    /* Input */
    const lt_skin *skin;
    lt_surface surface; /* the skin's, at rest */
    lt_tet_mesh mesh;   /* the carrier's */
    lt_surface_adjacency edges;
    lt_tet_adjacency tets;
    /* State */
    lt_walk walk;
    uint32_t *heads;   /* [edges.edge_count] first cut of an edge */
    lt_array cuts;     /* edge_cut */
    lt_array own_cuts; /* triangle_cut, of one triangle */
    /* Output */
    lt_array points; /* lt_cut_point */
    lt_array pieces; /* lt_cut_piece */
    uint32_t spanning_count;
} splitting;

/* ---- points ---- */

/* LT_NONE: out of memory. */
static uint32_t add_point(splitting *s, const uint32_t *nodes, const double *weights, uint32_t count) {
    lt_cut_point point = {{nodes[0], nodes[0], nodes[0], nodes[0]}, {0, 0, 0, 0}};
    double sum = 0, kept[4] = {0, 0, 0, 0};
    for (uint32_t k = 0; k < count; k++) {
        kept[k] = fabs(weights[k]) < NO_WEIGHT ? 0 : weights[k];
        sum += kept[k];
    }
    for (uint32_t k = 0; k < count; k++) {
        point.ids[k] = nodes[k];
        point.weights[k] = (float)(kept[k] / sum);
    }
    return lt_array_push(&s->points, &point) ? (uint32_t)s->points.count - 1 : LT_NONE;
}

/* How much of weight k of a point in a tet the rounding of its coordinates to float can be: its place over
 * the height of corner k above the opposite face. */
static double rounding_of_weight(const splitting *s, const uint32_t *nodes, int k, lt_vec3 place) {
    const uint8_t *c = lt_tet_face_corners[k];
    lt_dvec3 origin = s->mesh.positions[nodes[c[0]]];
    lt_dvec3 normal = lt_d3_normalize_or(lt_d3_cross(lt_d3_sub(s->mesh.positions[nodes[c[1]]], origin),
                                                     lt_d3_sub(s->mesh.positions[nodes[c[2]]], origin)),
                                         (lt_dvec3){0, 0, 0});
    double height = fabs(lt_d3_dot(lt_d3_sub(s->mesh.positions[nodes[k]], origin), normal));
    return 1.2e-7 * (double)lt_v3_length(place) / lt_max_d(height, 1e-300);
}

/* A vertex on a face, edge or node of its tet hangs on the nodes of that alone. */
static bool add_corners(splitting *s) {
    for (uint32_t v = 0; v < s->skin->point_count; v++) {
        const uint32_t *nodes = s->skin->ids + 4 * (size_t)v;
        double weights[4];
        for (int k = 0; k < 4; k++) {
            weights[k] = (double)s->skin->weights[4 * (size_t)v + (size_t)k];
            if (fabs(weights[k]) < 1e-3 &&
                fabs(weights[k]) < rounding_of_weight(s, nodes, k, s->skin->rest[v]))
                weights[k] = 0;
        }
        if (add_point(s, nodes, weights, 4) == LT_NONE) return false;
    }
    return true;
}

static lt_dvec3 along(const lt_dvec3 segment[2], double parameter) {
    return lt_d3_mad(segment[0], lt_d3_sub(segment[1], segment[0]), parameter);
}

/* Where along a segment it crosses a triangle: `parameter` where that is so, or, where the segment lies in
 * the triangle's plane and rounding has made the parameter meaningless, the middle of what they have in
 * common. */
static double place_crossing(const lt_dvec3 segment[2], const lt_dvec3 triangle[3], double parameter) {
    double size = lt_d3_distance(segment[0], segment[1]) + lt_d3_distance(triangle[0], triangle[1]) +
                  lt_d3_distance(triangle[0], triangle[2]);
    double near = 1e-9 * size, lo = 2, hi = -1, best = 1e300;
    if (lt_closest_on_triangle(along(segment, parameter), triangle).distance_squared <= near * near)
        return parameter;
    for (int k = 0; k < 5; k++) { /* both ends, then the three edges */
        double at = k, squared;
        if (k < 2) {
            squared = lt_closest_on_triangle(segment[k], triangle).distance_squared;
        } else {
            lt_closest_pair pair =
                lt_closest_segments(segment, (const lt_dvec3[2]){triangle[k - 2], triangle[(k - 1) % 3]});
            at = pair.parameters[0];
            squared = pair.distance_squared;
        }
        if (squared > lt_max_d(best, near * near)) continue;
        if (best > near * near) lo = hi = at; /* better than all before */
        best = lt_min_d(best, squared);
        lo = lt_min_d(lo, at);
        hi = lt_max_d(hi, at);
    }
    return 0.5 * (lo + hi);
}

/* ---- who crosses whom ---- */

/* Numbers that break ties: nodes first, then vertices. */
static uint32_t vertex_id(const splitting *s, uint32_t vertex) {
    return s->mesh.node_count + vertex;
}

/* The triangle at hand and a tet that it may pass through. */
typedef struct meeting {
    uint32_t triangle, tet;
    uint32_t vertices[3], vertex_ids[3], nodes[4];
    lt_dvec3 corners[3], places[4];
} meeting;

static meeting make_meeting(const splitting *s, uint32_t triangle, uint32_t tet) {
    meeting m = {.triangle = triangle, .tet = tet};
    lt_triangle_corners(&s->surface, triangle, m.corners);
    for (int k = 0; k < 3; k++) {
        m.vertices[k] = lt_triangle_at(&s->surface, triangle)[k];
        m.vertex_ids[k] = vertex_id(s, m.vertices[k]);
    }
    for (int k = 0; k < 4; k++) {
        m.nodes[k] = lt_tet_at(&s->mesh, tet)[k];
        m.places[k] = s->mesh.positions[m.nodes[k]];
    }
    return m;
}

static void sort_three(uint32_t v[3]) {
    for (int i = 0; i < 3; i++) {
        int k = i % 2;
        if (v[k] <= v[k + 1]) continue;
        uint32_t swap = v[k];
        v[k] = v[k + 1];
        v[k + 1] = swap;
    }
}

/* The point where edge `side` of the triangle goes through face `face` of the tet. *out is LT_NONE where it
 * does not; false: out of memory. */
static bool cut_edge(splitting *s, const meeting *m, uint32_t side, uint32_t face, uint32_t *out) {
    uint32_t edge = s->edges.triangle_edges[3 * (size_t)m->triangle + side];
    const uint32_t *ends = s->edges.edges + 2 * (size_t)edge; /* ascending: the same from both sides */
    lt_dvec3 segment[2], triangle[3];
    uint32_t segment_ids[2], nodes[3];
    double parameter;
    *out = LT_NONE;
    for (int k = 0; k < 2; k++) {
        segment[k] = lt_d3_from_v3(s->surface.positions[ends[k]]);
        segment_ids[k] = vertex_id(s, ends[k]);
    }
    for (int k = 0; k < 3; k++)
        nodes[k] = m->nodes[lt_tet_face_corners[face][k]];
    sort_three(nodes);
    for (int k = 0; k < 3; k++)
        triangle[k] = s->mesh.positions[nodes[k]];
    if (!lt_exact_edge_pierces_triangle(segment, segment_ids, triangle, nodes, &parameter)) return true;
    for (uint32_t i = s->heads[edge]; i != LT_NONE;) {
        const edge_cut *cut = (const edge_cut *)s->cuts.items + i;
        if (memcmp(cut->face, nodes, sizeof nodes) == 0) {
            *out = cut->point;
            return true;
        }
        i = cut->next;
    }
    lt_dvec3 place = along(segment, place_crossing(segment, triangle, parameter));
    edge_cut cut = {.face = {nodes[0], nodes[1], nodes[2]}, .next = s->heads[edge]};
    cut.point = *out = add_point(s, nodes, lt_closest_on_triangle(place, triangle).weights, 3);
    s->heads[edge] = (uint32_t)s->cuts.count;
    return *out != LT_NONE && lt_array_push(&s->cuts, &cut);
}

/* The same where edge `side` of the tet goes through the triangle. */
static bool cut_triangle(splitting *s, const meeting *m, uint32_t side, uint32_t *out) {
    uint32_t a = m->nodes[lt_tet_edge_corners[side][0]], b = m->nodes[lt_tet_edge_corners[side][1]];
    triangle_cut cut = {.ends = {lt_min_u32(a, b), lt_max_u32(a, b)}};
    const lt_dvec3 segment[2] = {s->mesh.positions[cut.ends[0]], s->mesh.positions[cut.ends[1]]};
    double parameter;
    *out = LT_NONE;
    if (!lt_exact_edge_pierces_triangle(segment, cut.ends, m->corners, m->vertex_ids, &parameter))
        return true;
    const triangle_cut *known = s->own_cuts.items;
    for (size_t i = 0; i < s->own_cuts.count; i++)
        if (known[i].ends[0] == cut.ends[0] && known[i].ends[1] == cut.ends[1]) {
            *out = known[i].point;
            return true;
        }
    double at = place_crossing(segment, m->corners, parameter);
    const double weights[2] = {1 - at, at};
    cut.point = *out = add_point(s, cut.ends, weights, 2);
    return *out != LT_NONE && lt_array_push(&s->own_cuts, &cut);
}

/* ---- polygons ---- */

/* A corner of a polygon, and the two of its sides that meet there: 0 … 3 faces of the tet, 4 … 6 edges of the
 * triangle. */
typedef struct polygon_corner {
    uint32_t point;
    uint32_t sides[2];
} polygon_corner;

typedef struct polygon {
    polygon_corner corners
        [CORNERS_MAX]; /* 3 of the triangle, 3 × 2 where its edges go in and out, 4 of edges of the tet */
    uint32_t count;
} polygon;

static void add_corner(polygon *p, uint32_t point, uint32_t first_side, uint32_t second_side) {
    if (point == LT_NONE || p->count == CORNERS_MAX) return;
    p->corners[p->count++] = (polygon_corner){point, {first_side, second_side}};
}

/* All corners, in no order. False: out of memory. */
static bool find_corners(splitting *s, const meeting *m, polygon *p) {
    uint32_t point;
    p->count = 0;
    for (uint32_t k = 0; k < 3; k++) {
        if (lt_exact_point_inside_tet(m->corners[k], m->vertex_ids[k], m->places, m->nodes))
            add_corner(p, m->vertices[k], 4 + k, 4 + (k + 2) % 3);
        for (uint32_t face = 0; face < 4; face++) {
            if (!cut_edge(s, m, k, face, &point)) return false;
            add_corner(p, point, 4 + k, face);
        }
    }
    for (uint32_t side = 0; side < 6; side++) {
        uint32_t faces[2], count = 0;
        for (uint32_t face = 0; face < 4; face++)
            if (face != lt_tet_edge_corners[side][0] && face != lt_tet_edge_corners[side][1])
                faces[count++] = face;
        if (!cut_triangle(s, m, side, &point)) return false;
        add_corner(p, point, faces[0], faces[1]);
    }
    return true;
}

/* Puts the corners in order round the polygon. False when they do not close: what is exact cannot come to
 * this, but a walk that began in the wrong tet can. */
static bool close_polygon(polygon *p) {
    uint32_t ends[SEGMENTS] = {0};
    for (uint32_t i = 0; i < p->count; i++)
        for (int k = 0; k < 2; k++)
            ends[p->corners[i].sides[k]]++;
    for (uint32_t side = 0; side < SEGMENTS; side++)
        if (ends[side] != 0 && ends[side] != 2) return false;
    if (p->count < 3) return p->count == 0;
    for (uint32_t i = 1; i < p->count; i++) {
        uint32_t side = p->corners[i - 1].sides[1], next = i;
        while (next < p->count && p->corners[next].sides[0] != side && p->corners[next].sides[1] != side)
            next++;
        if (next == p->count) return false; /* it closed before all corners were met */
        polygon_corner found = p->corners[next];
        p->corners[next] = p->corners[i];
        if (found.sides[0] != side) found = (polygon_corner){found.point, {side, found.sides[0]}};
        p->corners[i] = found;
    }
    return true;
}

static lt_dvec3 place_of(const splitting *s, uint32_t point) {
    const lt_cut_point *p = (const lt_cut_point *)s->points.items + point;
    lt_dvec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; k++)
        sum = lt_d3_mad(sum, s->mesh.positions[p->ids[k]], (double)p->weights[k]);
    return sum;
}

/* Twice the area with its direction. */
static lt_dvec3 area_of(const splitting *s, uint32_t a, uint32_t b, uint32_t c) {
    lt_dvec3 origin = place_of(s, a);
    return lt_d3_cross(lt_d3_sub(place_of(s, b), origin), lt_d3_sub(place_of(s, c), origin));
}

/* A fan of pieces, turned as the triangle is; adds to *area. False: out of memory. */
static bool write_polygon(splitting *s, const meeting *m, const polygon *p, double *area) {
    lt_dvec3 normal = area_of(s, m->vertices[0], m->vertices[1], m->vertices[2]), sum = {0, 0, 0};
    const polygon_corner *c = p->corners;
    for (uint32_t i = 1; i + 1 < p->count; i++) {
        lt_dvec3 part = area_of(s, c[0].point, c[i].point, c[i + 1].point);
        *area += lt_d3_length(part);
        sum = lt_d3_add(sum, part);
    }
    bool is_turned = lt_d3_dot(sum, normal) < 0;
    for (uint32_t i = 1; i + 1 < p->count; i++) {
        lt_cut_piece piece = {.tet = m->tet, .parent = m->triangle};
        piece.corners[0] = c[0].point;
        piece.corners[1] = c[is_turned ? i + 1 : i].point;
        piece.corners[2] = c[is_turned ? i : i + 1].point;
        if (!lt_array_push(&s->pieces, &piece)) return false;
    }
    return true;
}

/* ---- triangles ---- */

/* Whether a tet holds a point: all nodes that it hangs on are corners of the tet, and no weight is below 0. */
static bool holds_point(const splitting *s, uint32_t point, uint32_t tet) {
    const lt_cut_point *p = (const lt_cut_point *)s->points.items + point;
    const uint32_t *nodes = lt_tet_at(&s->mesh, tet);
    for (int k = 0; k < 4; k++) {
        bool is_corner =
            p->ids[k] == nodes[0] || p->ids[k] == nodes[1] || p->ids[k] == nodes[2] || p->ids[k] == nodes[3];
        if (p->weights[k] < 0 || (p->weights[k] > 0 && !is_corner)) return false;
    }
    return true;
}

static bool holds_triangle(const splitting *s, uint32_t triangle, uint32_t tet) {
    const uint32_t *t = lt_triangle_at(&s->surface, triangle);
    return holds_point(s, t[0], tet) && holds_point(s, t[1], tet) && holds_point(s, t[2], tet);
}

/* A tet that holds all three corners, and thus the triangle: one of theirs, or, where the first corner lies
 * on the boundary of its own, one of those around its heaviest node. LT_NONE: there is none. */
static uint32_t find_holder(const splitting *s, uint32_t triangle) {
    const uint32_t *t = lt_triangle_at(&s->surface, triangle);
    for (int k = 0; k < 3; k++)
        if (holds_triangle(s, triangle, s->skin->tets[t[k]])) return s->skin->tets[t[k]];
    const lt_cut_point *first = (const lt_cut_point *)s->points.items + t[0];
    uint32_t heaviest = 0;
    bool is_inside = true;
    for (uint32_t k = 0; k < 4; k++) {
        if (first->weights[k] > first->weights[heaviest]) heaviest = k;
        is_inside &= first->weights[k] != 0;
    }
    uint32_t node = first->ids[heaviest], count = is_inside ? 0 : lt_rows_count(&s->tets.node_tets, node);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t tet = lt_rows_at(&s->tets.node_tets, node)[i];
        if (holds_triangle(s, triangle, tet)) return tet;
    }
    return LT_NONE;
}

static bool keep_whole(splitting *s, uint32_t triangle, uint32_t tet) {
    const uint32_t *t = lt_triangle_at(&s->surface, triangle);
    lt_cut_piece piece = {.corners = {t[0], t[1], t[2]}, .tet = tet, .parent = triangle};
    s->spanning_count += tet == LT_NONE;
    return lt_array_push(&s->pieces, &piece);
}

/* How far the areas of pieces may be from that of their triangle. */
static double area_tolerance(const splitting *s, uint32_t triangle, uint32_t tet, double area) {
    const uint32_t *nodes = lt_tet_at(&s->mesh, tet);
    double around = 0, size = 0;
    lt_dvec3 corners[3];
    lt_triangle_corners(&s->surface, triangle, corners);
    for (int k = 0; k < 3; k++) {
        around += lt_d3_distance(corners[k], corners[(k + 1) % 3]);
        size += lt_d3_distance(s->mesh.positions[nodes[k]], s->mesh.positions[nodes[3]]);
    }
    return AREA_TOLERANCE * area + PLACE_TOLERANCE * size * around;
}

/* Pieces of a triangle in the tets that it was walked through; *is_cut tells whether they make up the
 * triangle. */
static bool cut_along_walk(splitting *s, uint32_t triangle, bool *is_cut) {
    const uint32_t *visited = s->walk.visited.items, *t = lt_triangle_at(&s->surface, triangle);
    double area = 0, whole = lt_d3_length(area_of(s, t[0], t[1], t[2]));
    s->own_cuts.count = 0;
    *is_cut = true;
    for (size_t i = 0; i < s->walk.visited.count && *is_cut; i++) {
        meeting m = make_meeting(s, triangle, visited[i]);
        polygon p;
        if (!find_corners(s, &m, &p)) return false;
        *is_cut = close_polygon(&p);
        if (*is_cut && !write_polygon(s, &m, &p, &area)) return false;
    }
    *is_cut &= fabs(area - whole) <= area_tolerance(s, triangle, visited[0], whole);
    return true;
}

static bool split_triangle(splitting *s, uint32_t triangle) {
    uint32_t holder = find_holder(s, triangle);
    if (holder != LT_NONE) return keep_whole(s, triangle, holder);
    const uint32_t *t = lt_triangle_at(&s->surface, triangle);
    lt_walk_end end = lt_walk_triangle(&s->walk, triangle, s->skin->tets[t[0]]);
    if (end == LT_WALK_MEMORY) return false;
    size_t before = s->pieces.count;
    bool is_cut = false;
    if (end == LT_WALK_INSIDE && !cut_along_walk(s, triangle, &is_cut)) return false;
    if (is_cut) return true;
    s->pieces.count = before;
    return keep_whole(s, triangle, LT_NONE);
}

/* ---- all of it ---- */

static lt_status no_memory(lt_error *error) {
    return lt_fail(error, LT_STATUS_MEMORY, "out of memory while cutting the surface at its tets");
}

static lt_status split_all(splitting *s, lt_error *error) {
    if (!s->heads || !add_corners(s)) return no_memory(error);
    memset(s->heads, 0xff, s->edges.edge_count * sizeof *s->heads); /* LT_NONE */
    for (uint32_t triangle = 0; triangle < s->surface.triangle_count; triangle++) {
        if (!split_triangle(s, triangle)) return no_memory(error);
        if (s->pieces.count > PIECES_MAX)
            return lt_fail(error, LT_STATUS_INVALID,
                           "the surface would be cut into more than %d pieces: take fewer tets", PIECES_MAX);
    }
    return LT_OK;
}

static lt_status take_result(splitting *s, lt_cut_surface *out, lt_error *error) {
    size_t points, pieces;
    out->points = lt_array_take(&s->points, &points);
    if (out->points) out->point_count = (uint32_t)points;
    out->pieces = lt_array_take(&s->pieces, &pieces);
    if (out->pieces) out->piece_count = (uint32_t)pieces;
    out->spanning_count = s->spanning_count;
    return out->points && out->pieces ? LT_OK : no_memory(error);
}

lt_status lt_cut_surface_build(lt_cut_surface *out, const lt_carrier *carrier, const lt_skin *skin,
                               const lt_allocator *allocator, lt_error *error) {
    LT_ASSERT(skin->corner_count == 4 && !skin->offsets);
    *out = (lt_cut_surface){.allocator = allocator ? *allocator : lt_allocator_default()};
    const lt_allocator *a = &out->allocator;
    splitting s = {.skin = skin, .surface = lt_skin_surface(skin), .mesh = lt_carrier_mesh(carrier)};
    s.cuts = LT_ARRAY_OF(a, edge_cut);
    s.own_cuts = LT_ARRAY_OF(a, triangle_cut);
    s.points = LT_ARRAY_OF(a, lt_cut_point);
    s.pieces = LT_ARRAY_OF(a, lt_cut_piece);
    lt_status status = lt_surface_adjacency_build(&s.edges, &s.surface, a, error);
    if (status == LT_OK) status = lt_tet_adjacency_build(&s.tets, &s.mesh, a, error);
    if (status == LT_OK && !lt_walk_begin(&s.walk, &s.surface, &s.mesh, &s.tets, a))
        status = no_memory(error);
    if (status == LT_OK) s.heads = LT_NEW(a, s.edges.edge_count, uint32_t);
    if (status == LT_OK) status = split_all(&s, error);
    if (status == LT_OK) status = take_result(&s, out, error);
    LT_DELETE(a, s.heads, s.edges.edge_count, uint32_t);
    lt_array_free(&s.cuts);
    lt_array_free(&s.own_cuts);
    lt_array_free(&s.points);
    lt_array_free(&s.pieces);
    lt_walk_free(&s.walk);
    lt_tet_adjacency_free(&s.tets);
    lt_surface_adjacency_free(&s.edges);
    if (status != LT_OK) lt_cut_surface_free(out);
    return status;
}

void lt_cut_surface_free(lt_cut_surface *split) {
    LT_DELETE(&split->allocator, split->points, split->point_count, lt_cut_point);
    LT_DELETE(&split->allocator, split->pieces, split->piece_count, lt_cut_piece);
    *split = (lt_cut_surface){0};
}
