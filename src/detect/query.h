/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Where two surfaces meet in a step, or one meets itself: two multiscale trees (bound/multiscale.h) walked
 * through in pairs of boxes, down to triangles, down to contacts of vertices with faces and edges with edges
 * (papers/003 §5.3.2).
 *
 *   pair of boxes ──► children that overlap, fitted when ──► pairs of triangles whose boxes overlap
 *     ▲               first looked at                             │ 64 at a time
 *     masks of tets (self.h) where a surface meets itself         ▼
 *              contacts ◄── up to 15 continuous tests (ccd.h) ◄── what no direction separates
 *
 * Each vertex and each edge belongs to the first of the triangles that have it, and is tested only for that
 * one: every pair of features is tested once, in one order, whatever the order in which boxes are met.
 * Uninterrupted, the contacts are those of all pairs of features of the two surfaces: none is missed. Where
 * nothing moves the result is pairs of triangles that intersect.
 *
 * A cursor: cut after any pair of boxes or any test, what is left is there to be looked at (`pairs`,
 * `candidates`, `tests`, and with a front what is left of that): all that may still meet is in it.
 *
 * This is another cursor than that of sphere trees (traverse.h): there the front is the answer, so it is
 * kept, ordered by what refining it is worth, and every node has eight children which are tested at once.
 * Here a pair of leaves is used up where it is found, so that a stack of constant size is enough, and nodes
 * have two children.
 *
 * With itself: features that share a vertex do not meet, nor do those that touch at rest (where a surface is
 * cut at tets there are slivers whose far sides are the same but for rounding). A separation is kept between
 * triangles whose tets share no node: others are nearer than any separation at rest.
 *
 * Workload: 90,000 to 135,000 pieces of which some hundred meet. A knot that lies on itself: 15,000 tests of
 * boxes, 3,800 pairs of triangles, 920 continuous tests, 0.7 ms; two bunnies with 255 contacts 0.3 ms, with
 * 930 1.4 ms, of which continuous tests (270 ns each where boxes overlap) take nine tenths. */

#ifndef LITHE_DETECT_QUERY_H
#define LITHE_DETECT_QUERY_H

#include "core/budget.h"
#include "detect/ccd.h"
#include "detect/self.h"

/* ---- which triangle a vertex or edge belongs to ---- */

typedef struct lt_feature_owners {
    /* [triangle_count] bit k: corner k is its own; bit 3 + k: so is the edge from corner k to the next */
    uint8_t *bits;
    uint32_t triangle_count;
    lt_allocator allocator;
} lt_feature_owners;

/* Triangles are [triangle_count][3] of points below `point_count`. On failure *out is zeroed. */
lt_status lt_feature_owners_create(lt_feature_owners *out, const uint32_t *triangles, uint32_t triangle_count,
                                   uint32_t point_count, const lt_allocator *allocator, lt_error *error);
void lt_feature_owners_free(lt_feature_owners *owners);

/* ---- contacts ---- */

typedef enum lt_meeting_kind {
    LT_MEET_VERTEX_FACE, /* a vertex of a and a face of b */
    LT_MEET_FACE_VERTEX, /* a face of a and a vertex of b */
    LT_MEET_EDGES,
    LT_MEET_CROSSING /* two triangles that stand still: no points */
} lt_meeting_kind;

typedef struct lt_meeting {
    lt_meeting_kind kind;
    lt_ccd_outcome outcome;
    uint32_t a, b; /* triangles of the trees */
    /* Of the trees: the vertex and the three of the face, or the two of a's edge and the two of b's */
    uint32_t points[4];
    float time;       /* in [0, 1]: before it they are farther apart than the separation */
    float distance;   /* m, at that time */
    lt_vec3 normal;   /* unit, from b to a */
    float weights[4]; /* of the points; each side's sum to 1 */
} lt_meeting;

/* One side of it: the point Σ weights × points. */
typedef struct lt_meeting_side {
    uint32_t triangle, count; /* points: one of a vertex, two of an edge, three of a face */
    const uint32_t *points;
    const float *weights;
} lt_meeting_side;

/* Side 0 is a, 1 is b. Not of crossings, which have no points. */
static inline lt_meeting_side lt_meeting_side_of(const lt_meeting *meeting, uint32_t side) {
    LT_ASSERT(side < 2);
    uint32_t of_first = meeting->kind == LT_MEET_EDGES ? 2 : 1;
    bool first = (meeting->kind == LT_MEET_FACE_VERTEX) == (side == 1);
    uint32_t begin = first ? 0 : of_first;
    return (lt_meeting_side){side ? meeting->b : meeting->a, first ? of_first : 4 - of_first,
                             meeting->points + begin, meeting->weights + begin};
}

/* When and how its features meet; its points are set. */
void lt_meeting_set(lt_meeting *meeting, const lt_ccd_result *result);

/* ---- the cursor ---- */

/* Two nodes; of one tree the same: all that is under it with itself. */
typedef struct lt_node_pair {
    uint32_t a, b;
} lt_node_pair;

/* Where a query ended, for the next one of the same two bodies to begin at: pairs of boxes that are apart, and pairs of leaves.
 * Whatever has moved, all pairs of triangles are under one of them each, so that the contacts are the same; only their order is
 * another. A query that was cut leaves none. It goes down as things come near and never up, so some queries later one begins at
 * the roots again.
 *
 * An option that nobody takes by default: 39 of 100 tests of boxes are above the front, but tests of boxes are few. Of the query
 * of the bench's knot in contact it spares 10 % (5 % of the step), of that of bunnies in contact 5 %; what is free is one test. If
 * nothing moved at all it would be 22 and 6 %. (The front cache of sphere trees, front_cache.h, keeps distances between blocks of
 * eight, which boxes that are fitted anew every step do not have.) A world that used it would have to save it, 80 KB for the knot,
 * or find contacts in another order after it was restored. */
typedef struct lt_query_front {
    lt_node_pair *pairs[2]; /* [capacity] where the last query ended, and where this one does */
    uint32_t capacity;
    uint32_t count, next; /* of the last; those before `next` were looked at */
    uint32_t kept_count;  /* of this one */
    uint32_t age;         /* queries since one began at the roots */
    bool is_lost;         /* there was no room */
    bool is_whole;        /* the query has ended */
    lt_allocator allocator;
} lt_query_front;

enum { LT_QUERY_FRONT_AGE = 7 }; /* half as long spares a tenth less, without end half as much */

/* On failure *out is zeroed. Where the capacity does not do, queries begin at the roots. */
lt_status lt_query_front_create(lt_query_front *out, uint32_t capacity, const lt_allocator *allocator,
                                lt_error *error);
void lt_query_front_free(lt_query_front *front);
/* The next query begins at the roots: of other bodies, say. */
static inline void lt_query_front_forget(lt_query_front *front) {
    front->is_whole = false;
}

/* Units of work. */
enum {
    LT_QUERY_BOX_UNITS = 24,    /* a pair of boxes refined: two to four tests, and what is not in the cache */
    LT_QUERY_FRONT_UNITS = 12,  /* a pair of the last front tested */
    LT_QUERY_LEAF_UNITS = 100,  /* the triangles of two leaves */
    LT_QUERY_FILTER_UNITS = 16, /* a pair of triangles filtered */
    LT_QUERY_TEST_UNITS = 120,  /* a continuous test, more than half of which are over with boxes */
    LT_QUERY_CROSSING_UNITS = 200 /* two triangles that stand still */
};

enum {
    LT_QUERY_STACK = 512,    /* pairs of boxes that wait: trees are less than 64 deep */
    LT_QUERY_BATCH = 64,     /* pairs of triangles filtered at once */
    LT_QUERY_CANDIDATES = 80 /* room: a pair of leaves is not parted */
};

/* How the pair of boxes on top is refined. */
typedef struct lt_query_split {
    uint32_t a, b;
    bool a_side, b_side; /* which is parted; neither: leaves */
    bool is_open;        /* it can be at once */
} lt_query_split;

/* What comes next is found once, when the last piece is done: of many that wait to be allowed it is asked again and again. */
typedef struct lt_query_next {
    uint32_t kind; /* of query.c */
    lt_piece piece;
    lt_query_split split; /* of boxes from the stack */
} lt_query_next;

typedef struct lt_query {
    /* Input */
    lt_multiscale *a, *b; /* after their cursors have ended; the same: with itself */
    const lt_feature_owners *owners_a, *owners_b;
    const lt_self *self; /* of a body with itself: finished; NULL: none, everything is tested */
    float separation;    /* m */
    bool
        at_start; /* triangles that cross where the step begins, whatever they do in it: as if nothing moved */
    bool
        skips_neighbours; /* with itself: triangles whose tets share a node are left out. Tets inside out lie on their neighbours, and
                            * all that these hold would have to be tested */
    lt_ccd_may_meet *may_meet;
    lt_meeting *meetings; /* [capacity] */
    uint32_t capacity;
    uint32_t reserve;      /* units of response that a contact may cause */
    lt_query_front *front; /* NULL: it begins at the roots */
    /* State */
    lt_node_pair pairs[LT_QUERY_STACK];
    uint32_t pair_count;
    lt_ccd_pair candidates[LT_QUERY_CANDIDATES]; /* pairs of triangles */
    uint32_t candidate_count;
    uint32_t filtered_count; /* of them, those before were filtered */
    uint64_t kept;           /* bits of those that are still to be tested */
    uint32_t tests;          /* bits of the tests that are left of the first of those; 0: it was not begun */
    lt_query_next next;
    /* Output */
    uint32_t meeting_count;
    uint32_t dropped_count; /* contacts beyond the capacity */
    uint32_t resting_count; /* left out: they touch at rest */
    uint64_t box_tests, candidate_total, kept_total, test_total;
} lt_query;

/* The input is set. Roots are tested here. */
void lt_query_begin(lt_query *query);
static inline bool lt_query_has_front(const lt_query *query) {
    return query->front && query->front->next < query->front->count;
}
static inline bool lt_query_is_done(const lt_query *query) {
    return query->pair_count == 0 && query->candidate_count == 0 && !lt_query_has_front(query);
}
/* The next piece: boxes fitted (LT_WORK_REFRESH), boxes (LT_WORK_TRAVERSE) or triangles (LT_WORK_PIERCE);
 * cost 0: done. */
static inline lt_piece lt_query_peek(const lt_query *query) {
    return query->next.piece;
}
/* Pieces of the kind peek names while they fit; at least one. Returns their cost. */
uint32_t lt_query_step(lt_query *query, uint32_t grant);
lt_cursor lt_query_cursor(lt_query *query);

/* Whether the features of a contact of a surface with itself touch at rest. */
bool lt_meets_at_rest(const lt_self_tets *tets, const lt_meeting *meeting);

/* Tests that a pair of triangles needs, a bit each: of those that move up to fifteen pairs of features, of those that stand
 * still (bit 0) whether they cross. */
uint32_t lt_query_tests_of(const lt_query *query, lt_ccd_pair pair);
/* One of them. */
void lt_query_test(lt_query *query, lt_ccd_pair pair, uint32_t test);

#endif
