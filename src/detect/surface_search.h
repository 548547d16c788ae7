/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The exact contacts of one pair (two bodies, a body with itself, a body and an obstacle) over a motion of their nodes, by what
 * bound/multiscale.h, self.h, query.h and query_obstacle.h have, and in the order they want it:
 *
 *   fit a ──► fit b ──► mark (with itself only) ──► meet
 *   ╰─ once a motion, whoever of its pairs comes first ─╯
 *
 *   lt_surface_parts    of a shape: what is found once for all of its bodies
 *   lt_moving_surface   of a body: boxes and marks between two positions of its nodes
 *   lt_surface_search   of a pair: all that is left to do, cut anywhere
 *
 * A body is fitted by the first of its pairs that has its turn, not before: a budget too small for all bodies is enough for the
 * pair that has waited longest. Marks that were cut short are gone on with and not used: what is found never hangs on where
 * the budget ended. */

#ifndef LITHE_DETECT_SURFACE_SEARCH_H
#define LITHE_DETECT_SURFACE_SEARCH_H

#include "detect/query_obstacle.h"

/* ---- of a shape ---- */

typedef struct lt_surface_parts {
    lt_multiscale_tree tree;
    lt_feature_owners owners;
    lt_self_tets tets;
} lt_surface_parts;

/* Carrier and skin are those of the shape. It must stay where it is; shape and carrier must outlive it. A shape without a tree is
 * refused with what to do. On failure *out is zeroed. */
lt_status lt_surface_parts_create(lt_surface_parts *out, const lt_shape *shape, const lt_carrier *carrier,
                                  const lt_skin *skin, const lt_allocator *allocator, lt_error *error);
void lt_surface_parts_free(lt_surface_parts *parts);

/* ---- of a body ---- */

typedef struct lt_moving_surface_def {
    bool with_itself; /* false: it is never searched for contacts with itself, and needs less memory */
    lt_self_def marks;
    lt_multiscale_bound bound;
    lt_simd_level level;
} lt_moving_surface_def;

typedef struct lt_moving_surface {
    const lt_surface_parts *parts;
    lt_multiscale boxes;
    lt_self self; /* self.tets NULL: never with itself */
} lt_moving_surface;

/* Parts and carrier must outlive it. On failure *out is zeroed. */
lt_status lt_moving_surface_create(lt_moving_surface *out, const lt_surface_parts *parts,
                                   const lt_carrier *carrier, const lt_moving_surface_def *def,
                                   const lt_allocator *allocator, lt_error *error);
void lt_moving_surface_free(lt_moving_surface *surface);

/* Nodes are [node_count][4], all within the box, and read as long as anything of this motion is searched; `to` NULL: they stand
 * still. */
static inline void lt_moving_surface_begin(lt_moving_surface *surface, const float *from, const float *to,
                                           lt_box box_of_nodes) {
    lt_multiscale_begin(&surface->boxes, from, to, box_of_nodes);
}
/* Where the surface can be, as far as nodes within a box can tell. */
lt_box lt_surface_parts_box(const lt_surface_parts *parts, lt_box box_of_nodes);

/* ---- of a pair ---- */

typedef enum lt_search_phase {
    LT_SEARCH_FIT_A,
    LT_SEARCH_FIT_B,
    LT_SEARCH_CLEAR, /* old marks */
    LT_SEARCH_MARK,
    LT_SEARCH_FINISH, /* marks of boxes */
    LT_SEARCH_MEET,
    LT_SEARCH_DONE
} lt_search_phase;

typedef struct lt_surface_search {
    /* Input */
    lt_moving_surface *a, *b;    /* after begin; b the same: with itself; NULL: the obstacle */
    const lt_obstacle *obstacle; /* from where it is to its target */
    float separation;            /* m */
    lt_ccd_may_meet *may_meet;
    lt_meeting *meetings;                   /* [capacity] of bodies */
    lt_obstacle_meeting *obstacle_meetings; /* [capacity] of an obstacle */
    uint32_t capacity;
    uint32_t reserve; /* units of response that a contact may cause */
    /* State; what was found is in there */
    lt_search_phase phase;
    bool framed; /* the one piece of CLEAR or FINISH is done */
    lt_query query;
    lt_obstacle_query obstacle_query;
} lt_surface_search;

/* The input is set. Takes no time. */
void lt_surface_search_begin(lt_surface_search *search);
/* Spends on it until it is done (true) or the budget ends: fitting as LT_STAGE_BOUND, marks and contacts as LT_STAGE_DETECT, of an
 * obstacle as LT_STAGE_OBSTACLES. Goes on where it was cut. */
bool lt_surface_search_spend(lt_surface_search *search, lt_meter *meter);

/* Of what was found so far. */
static inline uint32_t lt_surface_search_count(const lt_surface_search *search) {
    return search->b ? search->query.meeting_count : search->obstacle_query.meeting_count;
}
static inline uint32_t lt_surface_search_dropped(const lt_surface_search *search) {
    return search->b ? search->query.dropped_count : search->obstacle_query.dropped_count;
}
static inline uint64_t lt_surface_search_tests(const lt_surface_search *search) {
    return search->b ? search->query.test_total : search->obstacle_query.vertex_tests;
}

#endif
