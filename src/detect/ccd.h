/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Continuous collision of the parts of triangles: a vertex and a face, or two edges, whose points go straight from where
 * they are at time 0 to where they are at time 1. Do the two come as near as `separation` (m, 0: do they touch), and when?
 *
 * Both kinds are one: the differences of the points of one side and those of the other are the corners of a polygon, a
 * triangle or a parallelogram, each of which goes straight too; the two sides touch when it holds the origin.
 *
 *   ccd.c            conservative advancement, the test to use: from a time, as far as a direction separates
 *   ccd_inclusion.c  subdivision of (time, place on the polygon): slow, simple; the oracle of the tests, and what
 *                    decides where advancement does not get on
 *   ccd_coplanar.c   until when the polygon's plane keeps clear of the origin: where the polygon turns
 *   ccd_kernel.c     eight pairs of triangles at once, in float: directions that separate them throughout
 *
 * `hit` false is a proof: neither rounding nor a bound on the work makes any of them miss a contact. The other way, what
 * stays farther than the separation by less than 1e-8 of the polygon's size may be called a hit.
 *
 * Workload: pairs of triangles of a deforming surface whose boxes overlap. On a tube that closes in on itself a query costs
 * 70 to 125 ns in the mean: 30 where an axis separates, 230 to 400 where none does, 450 to 700 for a hit. The filter takes
 * 20 ns for the fifteen queries of a pair; of what it keeps where the tube is in contact more than half meets.
 *
 * Two triangles at rest are a matter of mesh/exact.h (lt_exact_triangle_triangle). */

#ifndef LITHE_DETECT_CCD_H
#define LITHE_DETECT_CCD_H

#include "core/simd.h"
#include "core/vec.h"

typedef enum lt_ccd_kind {
    LT_CCD_VERTEX_FACE, /* points: the vertex, the three of the face */
    LT_CCD_EDGE_EDGE    /* points: the two of one edge, the two of the other */
} lt_ccd_kind;

typedef struct lt_ccd_query {
    lt_ccd_kind kind;
    lt_dvec3 start[4], end[4];
} lt_ccd_query;

typedef enum lt_ccd_outcome {
    LT_CCD_APART,     /* proven: at every time farther apart than the separation */
    LT_CCD_MEET,      /* as near as the separation, up to rounding */
    LT_CCD_UNDECIDED, /* the bound on the work was reached: a hit to be safe */
    LT_CCD_INVALID /* a coordinate is not finite or beyond 1e70: a hit at time 0 to be safe, normal and weights mean
                         nothing */
} lt_ccd_outcome;

typedef struct lt_ccd_result {
    bool hit; /* the outcome is not LT_CCD_APART */
    lt_ccd_outcome outcome;
    double
        time; /* in [0, 1]: before it they are proven to be farther apart than the separation; 1 without a hit */
    double distance; /* between the two, at `time`; INFINITY without a hit */
    double weights
        [4]; /* of the points that are nearest at `time`; each side's sum to 1: {1, face's three}, {2, 2} */
    lt_dvec3 normal; /* unit; out of the face, or of the second edge, towards the side the other came from */
    uint32_t advance_count; /* steps of advancement */
    uint32_t box_count;     /* boxes of subdivision */
} lt_ccd_result;

/* Sets point k of the query. */
static inline void lt_ccd_set_point(lt_ccd_query *query, int k, lt_vec3 start, lt_vec3 end) {
    query->start[k] = lt_d3_from_v3(start);
    query->end[k] = lt_d3_from_v3(end);
}

/* Returns out->hit. A separation that is negative or not a number counts as 0. Any motion and any degenerate face or edge
 * is allowed. Without a hit weights and normal are zero. */
bool lt_ccd_test(const lt_ccd_query *query, double separation, lt_ccd_result *out);

/* ---- pairs of triangles ---- */

/* A surface that moves. */
typedef struct lt_ccd_surface {
    const lt_vec3 *start, *end; /* [vertex_count] */
    const uint32_t *triangles;  /* [triangle_count][3] */
    uint32_t stride;            /* floats from a vertex to the next; 0: they lie as lt_vec3 do */
} lt_ccd_surface;

typedef struct lt_ccd_pair {
    uint32_t a, b; /* triangles of the two surfaces */
} lt_ccd_pair;

/* Which pairs may come as near as `separation`: bit i % 64 of word i / 64, as many words as it takes. A bit not set is a
 * proof as above, for all fifteen queries of the pair. Boxes are not compared: the search that found the pair did.
 * Positions that are not finite leave the bit set. The surfaces may be the same. */
typedef void lt_ccd_may_meet(uint64_t *out, const lt_ccd_surface *a, const lt_ccd_surface *b,
                             const lt_ccd_pair *pairs, uint32_t pair_count, float separation);
lt_ccd_may_meet *lt_ccd_may_meet_for(lt_simd_level level);

/* ---- subdivision ---- */

/* How much subdivision may do. */
typedef struct lt_ccd_effort {
    double from;      /* time, in [0, 1]: what is before is not looked at */
    double tolerance; /* m: what comes nearer than this, beyond the separation, may be called a hit */
    double
        time_tolerance; /* how much earlier than the contact the time may be: many places that touch at nearly one time
                              cost a box each for every such part of the step */
    uint32_t box_limit; /* then LT_CCD_UNDECIDED */
} lt_ccd_effort;

/* As lt_ccd_test, by subdivision alone. */
bool lt_ccd_inclusion(const lt_ccd_query *query, double separation, const lt_ccd_effort *effort,
                      lt_ccd_result *out);

#endif
