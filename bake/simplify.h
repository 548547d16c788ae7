/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Fewer triangles for display and collision surfaces, through meshoptimizer (edge collapses by quadric error;
 * Garland and Heckbert 1997), with a check that refuses what only looks simplified:
 *
 *   folds    a triangle whose normal is turned by more than 90 degrees against every part of the original
 *            surface near it (within the error that was reached, or twice the distance to the surface); a
 *            piece that came out inside out
 *   pinches  degenerate or duplicate triangles; edges of three triangles or more or pinched vertices that the
 *            original had not; another number of components or of holes or (where no edge has three
 *            triangles) of handles
 *
 * Folded slivers, a few in ten thousand, are mended first where a flip or a collapse of one of their edges
 * does it, and pairs of triangles back to back are dropped (simplify_folds.c). A refused result is tried again
 * with a milder target: half as many triangles more, or half the error, a few times. Vertices are a part of the
 * original's, in its order, not moved.
 *
 * meshoptimizer is optional: a build without it answers LT_STATUS_UNSUPPORTED. It takes its own memory (not
 * through the allocator given), and its result is the same for the same library, not for every version. */

#ifndef LITHE_BAKE_SIMPLIFY_H
#define LITHE_BAKE_SIMPLIFY_H

#include "mesh/mesh.h"

enum { LT_SIMPLIFY_ATTEMPTS = 6 };

/* Either or both; simplifying stops at the one that is reached first. */
typedef struct lt_simplify_params {
    uint32_t triangle_count; /* to be reached; 0: as few as max_error allows */
    double max_error;        /* as a share of the longest side of the surface's box, at most 1; 0: any */
} lt_simplify_params;

typedef enum lt_simplify_refusal {
    LT_SIMPLIFY_REFUSED_NONE,
    LT_SIMPLIFY_REFUSED_FOLD,
    LT_SIMPLIFY_REFUSED_DEGENERATE, /* or duplicate triangles */
    LT_SIMPLIFY_REFUSED_EDGES,      /* of three triangles or more */
    LT_SIMPLIFY_REFUSED_PINCHES,
    LT_SIMPLIFY_REFUSED_COMPONENTS,
    LT_SIMPLIFY_REFUSED_HOLES,
    LT_SIMPLIFY_REFUSED_HANDLES,
    LT_SIMPLIFY_REFUSED_INSIDE_OUT
} lt_simplify_refusal;

typedef struct lt_simplify_attempt {
    uint32_t wanted_count;   /* of triangles */
    uint32_t triangle_count; /* that came out */
    double error;            /* as a share of the longest side */
    lt_simplify_refusal refusal;
    uint32_t element; /* the triangle that folds; how many of the others there are */
} lt_simplify_attempt;

typedef struct lt_simplify_report {
    lt_simplify_attempt attempts[LT_SIMPLIFY_ATTEMPTS]; /* the last one is the one that was taken */
    uint32_t attempt_count;
    bool is_reached; /* the target as given; otherwise fewer collapses were possible or allowed */
} lt_simplify_report;

/* "folds", "changes the number of holes", … */
const char *lt_simplify_refusal_text(lt_simplify_refusal refusal);

/* The surface as lt_repair leaves it. `report` may be NULL. LT_STATUS_INVALID for bad parameters, and when
 * every attempt was refused, with the last reason; LT_STATUS_UNSUPPORTED without meshoptimizer. */
lt_status lt_simplify(const lt_surface *in, const lt_simplify_params *params, lt_surface *out,
                      lt_simplify_report *report, const lt_allocator *allocator, lt_error *error);
/* Whether this build can. */
bool lt_simplify_is_supported(void);

#endif
