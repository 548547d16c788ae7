/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Any triangles to a surface that the rest of the bake can trust, and a list of what was found on the way.
 *
 *   repair.c          weld, drop degenerate and duplicate triangles, drop unused vertices
 *   repair_orient.c   one orientation per piece, outwards where there is an outside
 *   repair_inspect.c  holes, edges and vertices that are not manifold, self-intersections
 *
 * Mended, without moving a point: vertices in exactly one place become one (-0 equals 0); triangles that name
 * a vertex twice or have exactly no area go; of triangles with the same three vertices the first in the input
 * stays, whatever the orientation of the others; vertices without triangles go. What remains keeps its order.
 *
 * Orientation. A piece is what hangs together through edges of exactly two triangles. In each piece the
 * smaller part of the triangles is flipped (on a tie the part without the lowest triangle); a piece that
 * cannot be oriented (a Moebius strip) is left as it is. Then a piece whose signed volume is negative is
 * turned, unless it is a cavity: a closed piece around which the other closed pieces, as they are oriented in
 * the end, have a positive winding number. A closed piece is one whose own triangles run along every edge as
 * often one way as the other; where it stands is told from one point of it, by the parity of exact crossings
 * of a ray, so a piece that passes through another may be judged either way (and after some hundred thousand
 * crossings, which only shells nested by the thousand have, the rest are taken for solids). An open piece is
 * turned only when its volume is negative seen from every point of its box: a scan with holes is, a sheet
 * never. Pieces that meet at an edge of three triangles or more are oriented each on its own.
 *
 * Only reported: holes stay open, edges of three triangles or more and pinched vertices stay, crossings stay.
 * Repairing a repaired surface changes nothing. */

#ifndef LITHE_BAKE_REPAIR_H
#define LITHE_BAKE_REPAIR_H

#include "mesh/mesh.h"

/* X(name, text, what `first` names): "input" elements have the numbers of the surface given, the others those
 * of the result. */
#define LT_REPAIR_FINDINGS(X)                                                                                \
    X(WELDED, "welded vertices", "input vertex")                                                             \
    X(UNUSED, "unused vertices", "input vertex")                                                             \
    X(DEGENERATE, "degenerate triangles", "input triangle")                                                  \
    X(DUPLICATE, "duplicate triangles", "input triangle")                                                    \
    X(OPPOSITE, "duplicates of the other orientation", "input triangle")                                     \
    X(FLIPPED, "flipped triangles", "input triangle")                                                        \
    X(TURNED, "pieces that were inside out", "input triangle")                                               \
    X(CAVITY, "cavities", "triangle")                                                                        \
    X(UNORIENTABLE, "pieces without orientation", "triangle")                                                \
    X(HOLE, "holes", "edge")                                                                                 \
    X(BOUNDARY, "boundary edges", "edge")                                                                    \
    X(OVERFULL, "edges of three triangles or more", "edge")                                                  \
    X(PINCH, "pinched vertices", "vertex")                                                                   \
    X(COMPONENT, "components", "triangle")                                                                   \
    X(CROSSING, "pairs of triangles that cross", "triangles")

typedef enum lt_repair_kind {
#define LT_REPAIR_KIND(name, text, element) LT_REPAIR_##name,
    LT_REPAIR_FINDINGS(LT_REPAIR_KIND)
#undef LT_REPAIR_KIND
        LT_REPAIR_KIND_COUNT
} lt_repair_kind;

/* "welded vertices", and "input vertex" for what a finding names first. */
const char *lt_repair_kind_text(lt_repair_kind kind);
const char *lt_repair_kind_element(lt_repair_kind kind);

typedef struct lt_repair_finding {
    uint32_t count;
    uint32_t first[2]; /* the lowest element; an edge by its two vertices, a crossing by its two triangles;
                        * LT_NONE where there is none */
} lt_repair_finding;

/* A boundary loop, followed from triangle to triangle: holes that touch in a vertex are one loop, and the
 * vertex is a pinch. Where an edge of three triangles ends a loop, it is a path. */
typedef struct lt_repair_hole {
    uint32_t edge[2]; /* the lowest of its edges, in vertices of the result */
    uint32_t edge_count;
} lt_repair_hole;

typedef struct lt_repair_report {
    lt_repair_finding findings[LT_REPAIR_KIND_COUNT];
    bool crossings_cut_short;   /* the search for crossings was ended: there are at least as many */
    bool is_closed;             /* every edge of the result has an even number of triangles … */
    bool is_oriented;           /* … which run along it one way and the other by turns */
    uint32_t *source_triangles; /* [triangle_count] of the result: its triangle of the input, ascending */
    uint32_t *source_vertices;  /* [vertex_count] of the result: its (first) vertex of the input, ascending */
    uint32_t triangle_count;
    uint32_t vertex_count;
    lt_repair_hole *holes; /* [hole_count] ascending by their edge */
    uint32_t hole_count;
    lt_allocator allocator;
} lt_repair_report;

/* `report` may be NULL. LT_STATUS_INVALID when coordinates or indices are bad or no triangle is left, with the
 * reason. O(n log n); crossings are searched for with a cap on the work: a few seconds at most. */
lt_status lt_repair(const lt_surface *in, lt_surface *out, lt_repair_report *report,
                    const lt_allocator *allocator, lt_error *error);
/* Safe on zeroed and already freed reports. */
void lt_repair_report_free(lt_repair_report *report);

#endif
