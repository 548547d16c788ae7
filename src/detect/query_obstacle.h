/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Where the vertices of a surface in a multiscale tree meet an obstacle in a step: the tree walked down as
 * far as its boxes may touch the obstacle, then each vertex along its way.
 *
 * The obstacle goes from where it is to its target. Seen from it, a vertex goes straight from its place at
 * the start to where the end of the step, carried back with the obstacle, would be. (An obstacle that turns
 * bends that way; within a step the bend is of second order, and left out.) Distances change no faster than a
 * vertex moves, so a distance is how far it may go on: conservative advancement.
 *
 * Vertices only: a corner of an obstacle that goes through the middle of a face is not found. A surface is
 * finer than what it meets. */

#ifndef LITHE_DETECT_QUERY_OBSTACLE_H
#define LITHE_DETECT_QUERY_OBSTACLE_H

#include "detect/detect.h"
#include "detect/query.h"

typedef struct lt_obstacle_meeting {
    uint32_t point; /* of the tree */
    float time;     /* in [0, 1]: before it the vertex is farther away than the separation */
    float distance; /* m, at that time; negative: it is inside at the start */
    lt_vec3 normal; /* unit, out of the obstacle */
} lt_obstacle_meeting;

/* Units of work. */
enum {
    LT_OBSTACLE_BOX_UNITS = 16,    /* two boxes against the obstacle */
    LT_OBSTACLE_VERTEX_UNITS = 30, /* a vertex along its way */
    LT_OBSTACLE_STACK = 128        /* boxes that wait */
};

typedef struct lt_obstacle_query {
    /* Input */
    lt_multiscale *body; /* after its cursor has ended */
    const lt_feature_owners *owners;
    const lt_obstacle *obstacle;
    float separation;              /* m */
    lt_obstacle_meeting *meetings; /* [capacity] */
    uint32_t capacity;
    uint32_t reserve; /* units of response that a contact may cause */
    /* State */
    lt_vec3 back_axes[3],
        back_origin; /* x at the end of the step is, carried back, back_origin + Σ back_axes[i] x_i */
    float margin;    /* m, that boxes may be away */
    uint32_t nodes[LT_OBSTACLE_STACK];
    uint32_t node_count;
    lt_piece next; /* found once, when the last piece is done */
    /* Output */
    uint32_t meeting_count, dropped_count;
    uint64_t box_tests, vertex_tests;
} lt_obstacle_query;

void lt_obstacle_query_begin(lt_obstacle_query *query);
/* The next piece: boxes fitted (LT_WORK_REFRESH), boxes or the vertices of a leaf (LT_WORK_OBSTACLE); cost 0:
 * done. */
static inline lt_piece lt_obstacle_query_peek(const lt_obstacle_query *query) {
    return query->next;
}
uint32_t lt_obstacle_query_step(lt_obstacle_query *query, uint32_t grant);
lt_cursor lt_obstacle_query_cursor(lt_obstacle_query *query);

/* Any place that goes straight from `from` to `to` while the obstacle goes to its target; of the query only the obstacle and the
 * separation count, and it was aimed. `slack`: m, that places may be off. */
void lt_obstacle_query_aim(lt_obstacle_query *query);
bool lt_obstacle_query_way(const lt_obstacle_query *query, lt_vec3 from, lt_vec3 to, float slack,
                           lt_obstacle_meeting *out);
/* One vertex, that must be evaluated. */
bool lt_obstacle_query_test(const lt_obstacle_query *query, uint32_t point, lt_obstacle_meeting *out);

#endif
