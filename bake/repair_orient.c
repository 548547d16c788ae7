/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One orientation for every piece; the rules are in repair.h.
 *
 * Flips are marks until the end, so that adjacency and corners stay as they were. The volume of a piece is
 * taken from the middle of its box: V = sum of a . (b x c) / 6. From a point d away it is V - d . A / 3 with A
 * the sum of area times normal, which is 0 for a closed piece; so within its box it changes by no more than
 * |A| |diagonal| / 6 either way. */

#include "bake/repair_internal.h"

#include <stdlib.h>

/* Shells in shells by the thousand, all inside out, would take a time that grows with their square. */
enum { CROSSINGS_AT_LEAST = 100000, CROSSINGS_PER_TRIANGLE = 10 };

typedef struct piece {
    lt_box box;
    lt_dvec3 vector_area;
    double volume, area;
    uint32_t first_triangle, triangle_count;
    uint32_t odd_count;  /* triangles that run against the first one */
    uint32_t edge_stamp; /* the edge that `balance` is about */
    int32_t balance;     /* of its triangles at that edge, one way less the other way */
    bool unorientable;
    bool is_open;
    bool turns;       /* all of it is flipped once more */
    int sign;         /* of its volume when all is done */
    uint32_t crossed; /* by the ray at hand */
} piece;

typedef struct orient {
    lt_surface *surface;
    const lt_surface_adjacency *adjacency;
    const lt_triangle_tree *tree;
    lt_repair_report *report;
    uint32_t *piece_of; /* [triangle_count] */
    uint8_t *flip;      /* [triangle_count] */
    uint32_t *stack;    /* [triangle_count] triangles to be visited; later pieces a ray has crossed */
    uint32_t stack_count;
    uint64_t crossings_left; /* of rays, before the search for cavities is given up */
    lt_array pieces;         /* piece */
} orient;

static piece *piece_at(const orient *o, uint32_t index) {
    return (piece *)o->pieces.items + index;
}

/* ---- pieces ---- */

/* Whether a triangle, as it came, runs along its edge k from the lower to the higher vertex. */
static bool runs_up(const orient *o, uint32_t triangle, uint32_t k) {
    const uint32_t *t = lt_triangle_at(o->surface, triangle);
    return t[k] < t[(k + 1) % 3];
}

static uint32_t corner_of_edge(const orient *o, uint32_t triangle, uint32_t edge) {
    const uint32_t *edges = o->adjacency->triangle_edges + 3 * (size_t)triangle;
    return edges[0] == edge ? 0 : edges[1] == edge ? 1 : 2;
}

/* Marks a neighbour so that it agrees with the triangle it was reached from. */
static void visit_neighbour(orient *o, uint32_t from, uint32_t k) {
    uint32_t to = o->adjacency->triangle_neighbours[3 * (size_t)from + k];
    if (to == LT_NONE) return;
    uint32_t edge = o->adjacency->triangle_edges[3 * (size_t)from + k];
    uint8_t disagrees = runs_up(o, from, k) == runs_up(o, to, corner_of_edge(o, to, edge));
    uint8_t flip = o->flip[from] ^ disagrees;
    piece *p = piece_at(o, o->piece_of[from]);
    if (o->piece_of[to] != LT_NONE) {
        if (o->flip[to] != flip) p->unorientable = true;
        return;
    }
    o->piece_of[to] = o->piece_of[from];
    o->flip[to] = flip;
    p->triangle_count++;
    p->odd_count += flip;
    o->stack[o->stack_count++] = to;
}

static bool find_pieces(orient *o) {
    for (uint32_t i = 0; i < o->surface->triangle_count; i++)
        o->piece_of[i] = LT_NONE;
    for (uint32_t i = 0; i < o->surface->triangle_count; i++) {
        if (o->piece_of[i] != LT_NONE) continue;
        piece p = {.box = lt_box_empty(),
                   .first_triangle = i,
                   .triangle_count = 1,
                   .edge_stamp = LT_NONE,
                   .sign = 1};
        o->piece_of[i] = (uint32_t)o->pieces.count;
        if (!lt_array_push(&o->pieces, &p)) return false;
        o->stack[o->stack_count++] = i;
        while (o->stack_count > 0) {
            uint32_t triangle = o->stack[--o->stack_count];
            for (uint32_t k = 0; k < 3; k++)
                visit_neighbour(o, triangle, k);
        }
    }
    return true;
}

/* Flips the smaller part, and nothing where the parts contradict each other. */
static void settle_parts(orient *o) {
    for (uint32_t i = 0; i < o->surface->triangle_count; i++) {
        const piece *p = piece_at(o, o->piece_of[i]);
        bool odd_stays = 2 * (uint64_t)p->odd_count > p->triangle_count;
        o->flip[i] = p->unorientable ? 0 : o->flip[i] ^ odd_stays;
    }
    for (uint32_t i = 0; i < o->pieces.count; i++)
        if (piece_at(o, i)->unorientable)
            lt_repair_count(o->report, LT_REPAIR_UNORIENTABLE, piece_at(o, i)->first_triangle, LT_NONE);
}

/* ---- closed pieces and volumes ---- */

static void balance_edge(orient *o, uint32_t edge) {
    const uint32_t *triangles = lt_rows_at(&o->adjacency->edge_triangles, edge);
    uint32_t count = lt_rows_count(&o->adjacency->edge_triangles, edge);
    for (uint32_t i = 0; i < count; i++) {
        piece *p = piece_at(o, o->piece_of[triangles[i]]);
        if (p->edge_stamp != edge) p->balance = 0;
        p->edge_stamp = edge;
        bool up = runs_up(o, triangles[i], corner_of_edge(o, triangles[i], edge)) != o->flip[triangles[i]];
        p->balance += up ? 1 : -1;
    }
    for (uint32_t i = 0; i < count; i++) {
        piece *p = piece_at(o, o->piece_of[triangles[i]]);
        if (p->balance != 0) p->is_open = true;
    }
}

static void add_volume(orient *o, uint32_t triangle) {
    piece *p = piece_at(o, o->piece_of[triangle]);
    lt_dvec3 t[3], middle = lt_d3_add(lt_d3_from_v3(p->box.lo), lt_d3_from_v3(p->box.hi));
    lt_triangle_corners(o->surface, triangle, t);
    for (int k = 0; k < 3; k++)
        t[k] = lt_d3_mad(t[k], middle, -0.5);
    double sign = o->flip[triangle] ? -1 : 1;
    lt_dvec3 normal = lt_d3_scale(lt_d3_cross(lt_d3_sub(t[1], t[0]), lt_d3_sub(t[2], t[0])), sign / 2);
    p->volume += sign * lt_d3_dot(t[0], lt_d3_cross(t[1], t[2])) / 6;
    p->vector_area = lt_d3_add(p->vector_area, normal);
    p->area += lt_d3_length(normal);
}

static void measure_pieces(orient *o) {
    for (uint32_t edge = 0; edge < o->adjacency->edge_count; edge++)
        balance_edge(o, edge);
    for (uint32_t i = 0; i < o->surface->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            piece *p = piece_at(o, o->piece_of[i]);
            p->box = lt_box_add_point(p->box, o->surface->positions[lt_triangle_at(o->surface, i)[k]]);
        }
    for (uint32_t i = 0; i < o->surface->triangle_count; i++)
        add_volume(o, i);
}

/* The volume is negative by more than its place in the box, and rounding, can explain. */
static bool is_inside_out(const piece *p) {
    double diagonal = lt_d3_length(lt_d3_sub(lt_d3_from_v3(p->box.hi), lt_d3_from_v3(p->box.lo)));
    double slack = 1e-12 * p->area * diagonal;
    if (p->is_open) slack += lt_d3_length(p->vector_area) * diagonal / 6;
    return !p->unorientable && p->volume < -slack;
}

/* ---- cavities ---- */

static bool count_crossing(void *context, uint32_t triangle, double parameter) {
    orient *o = context;
    (void)parameter;
    piece *p = piece_at(o, o->piece_of[triangle]);
    if (p->crossed++ == 0) o->stack[o->stack_count++] = o->piece_of[triangle];
    return --o->crossings_left > 0;
}

/* From a point of the piece out of the whole box: how often the other closed pieces, of which those that
 * are larger and crossed an odd number of times hold it, go round it. */
static int winding_around(orient *o, uint32_t index) {
    const lt_box box = o->tree->nodes[0].box;
    lt_dvec3 t[3];
    lt_triangle_corners(o->surface, piece_at(o, index)->first_triangle, t);
    lt_dvec3 lo = lt_d3_from_v3(box.lo), size = lt_d3_sub(lt_d3_from_v3(box.hi), lo);
    lt_dvec3 start = lt_d3_scale(lt_d3_add(lt_d3_add(t[0], t[1]), t[2]), 1.0 / 3);
    lt_dvec3 end = {lo.x + 2 * size.x + 1, lo.y + 0.61 * size.y, lo.z + 0.37 * size.z};
    o->stack_count = 0;
    lt_triangle_tree_each_hit(o->tree, (const lt_dvec3[2]){start, end}, count_crossing, o);
    int winding = 0;
    while (o->stack_count > 0) {
        uint32_t other = o->stack[--o->stack_count];
        piece *p = piece_at(o, other);
        if (other != index && !p->is_open && !p->unorientable && p->crossed % 2 == 1 &&
            fabs(p->volume) > fabs(piece_at(o, index)->volume))
            winding += p->sign;
        p->crossed = 0;
    }
    return winding;
}

typedef struct ranked_piece {
    double size;
    uint32_t index;
} ranked_piece;

/* The larger first: what goes round a piece is larger than it. */
static int compare_sizes(const void *a, const void *b) {
    const ranked_piece *p = a, *q = b;
    if (p->size != q->size) return p->size > q->size ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

static bool settle_cavities(orient *o) {
    lt_array suspects = LT_ARRAY_OF(&o->report->allocator, ranked_piece);
    bool complete = true;
    for (uint32_t i = 0; complete && i < o->pieces.count; i++) {
        piece *p = piece_at(o, i);
        if (!is_inside_out(p)) continue;
        p->sign = -1;
        p->turns = p->is_open;
        if (!p->is_open) complete = lt_array_push(&suspects, &(ranked_piece){-p->volume, i});
    }
    ranked_piece *ranked = suspects.items;
    if (suspects.count > 1) qsort(ranked, suspects.count, sizeof *ranked, compare_sizes);
    for (size_t i = 0; complete && i < suspects.count; i++) {
        piece *p = piece_at(o, ranked[i].index);
        bool is_cavity = o->crossings_left > 0 && winding_around(o, ranked[i].index) > 0;
        p->turns = !is_cavity || o->crossings_left == 0;
        if (p->turns) p->sign = 1;
    }
    lt_array_free(&suspects);
    return complete;
}

/* ---- flipping ---- */

static void report_pieces(orient *o) {
    const uint32_t *source = o->report->source_triangles;
    for (uint32_t i = 0; i < o->pieces.count; i++) {
        const piece *p = piece_at(o, i);
        if (p->turns)
            lt_repair_count(o->report, LT_REPAIR_TURNED, source[p->first_triangle], LT_NONE);
        else if (p->sign < 0)
            lt_repair_count(o->report, LT_REPAIR_CAVITY, p->first_triangle, LT_NONE);
    }
}

static void flip_triangles(orient *o) {
    for (uint32_t i = 0; i < o->surface->triangle_count; i++) {
        if (o->flip[i] == piece_at(o, o->piece_of[i])->turns) continue;
        uint32_t *t = o->surface->triangles + 3 * (size_t)i, swap = t[1];
        t[1] = t[2];
        t[2] = swap;
        lt_repair_count(o->report, LT_REPAIR_FLIPPED, o->report->source_triangles[i], LT_NONE);
    }
}

lt_status lt_repair_orient(lt_surface *surface, const lt_surface_adjacency *adjacency,
                           const lt_triangle_tree *tree, lt_repair_report *report, lt_error *error) {
    const lt_allocator *a = &report->allocator;
    uint32_t count = surface->triangle_count;
    orient o = {.surface = surface, .adjacency = adjacency, .tree = tree, .report = report};
    o.crossings_left = CROSSINGS_AT_LEAST + (uint64_t)CROSSINGS_PER_TRIANGLE * count;
    o.pieces = LT_ARRAY_OF(a, piece);
    o.piece_of = LT_NEW(a, count, uint32_t);
    o.flip = LT_NEW(a, count, uint8_t);
    o.stack = LT_NEW(a, count, uint32_t);
    bool complete = o.piece_of && o.flip && o.stack && find_pieces(&o);
    if (complete) {
        settle_parts(&o);
        measure_pieces(&o);
        complete = settle_cavities(&o);
    }
    if (complete) {
        report_pieces(&o);
        flip_triangles(&o);
    }
    LT_DELETE(a, o.piece_of, count, uint32_t);
    LT_DELETE(a, o.flip, count, uint8_t);
    LT_DELETE(a, o.stack, count, uint32_t);
    lt_array_free(&o.pieces);
    if (complete) return LT_OK;
    return lt_fail(error, LT_STATUS_MEMORY, "no memory to orient %u triangles", count);
}
