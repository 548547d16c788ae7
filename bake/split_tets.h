/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The surface of a shape cut at the faces of its tets, so that every piece lies in one tet (spec.md erratum
 * O8c: a triangle whose corners hang on several tets leaves them all when they move).
 *
 * Where a triangle passes through a tet, the piece is a polygon whose corners are of three kinds, each named
 * by what makes it, made once and shared by all pieces that meet there:
 *
 *     corner of the triangle                in a tet        weights on its four nodes
 *     edge of the surface through a face    (edge, face)    weights on the three nodes of the face, none beside
 *     edge of a tet through the triangle    (triangle, edge of the carrier)   weights on its two nodes
 *
 * So a point on a face follows the nodes of that face only, whichever tet it is asked from: pieces never come
 * apart, and what was closed stays closed. Who crosses whom is decided exactly, ties by number (exact.h), so
 * that polygons close whatever coincides; only where the crossings are is rounded.
 *
 * A triangle that cannot be cut (it leaves the carrier, or touches its boundary) stays whole and is said to
 * span: it hangs on the tets of its corners.
 *
 * Workload: 75,408 triangles in 1,082 tets: 1.8 pieces each, 0.12 s. */

#ifndef LITHE_BAKE_SPLIT_TETS_H
#define LITHE_BAKE_SPLIT_TETS_H

#include "embed/embed.h"

typedef struct lt_cut_point {
    uint32_t ids[4];  /* nodes of one tet */
    float weights[4]; /* sum 1; exactly 0 for nodes that the point does not hang on */
} lt_cut_point;

typedef struct lt_cut_piece {
    uint32_t corners[3]; /* points, turned as the triangle is */
    uint32_t tet;        /* LT_NONE: it spans */
    uint32_t parent;     /* triangle of the surface */
} lt_cut_piece;

typedef struct lt_cut_surface {
    lt_cut_point *points; /* [point_count] those of the surface first, then the cuts */
    lt_cut_piece *pieces; /* [piece_count] by parent */
    uint32_t point_count, piece_count;
    uint32_t spanning_count; /* triangles that stayed whole though no tet holds them */
    lt_allocator allocator;
} lt_cut_surface;

/* The skin must be barycentric on the carrier's tets. On failure *out is zeroed. */
lt_status lt_cut_surface_build(lt_cut_surface *out, const lt_carrier *carrier, const lt_skin *skin,
                               const lt_allocator *allocator, lt_error *error);
void lt_cut_surface_free(lt_cut_surface *split);

static inline lt_dvec3 lt_cut_position(const lt_carrier *carrier, const lt_cut_point *point) {
    lt_dvec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        const double *x = carrier->rest + 3 * (size_t)point->ids[k];
        sum = lt_d3_mad(sum, (lt_dvec3){x[0], x[1], x[2]}, (double)point->weights[k]);
    }
    return sum;
}

#endif
