/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One collision cycle (papers/001): which points of whose surfaces are inside which other bodies, and how deep, found by
 * spatial hashing and by what edges pierce, as one cursor that may be spread over any number of steps.
 *
 *   COPY ──► EMBED ──► OBSTACLES ──► TETS ──► HASH_TETS ──► QUERY ──► TRIANGLES ──► HASH_TRIANGLES
 *              ──► MARGIN ──► BORDER ──► SPREAD ──► DONE
 *
 *   QUERY    a point in a tet of another body is inside that body, if its surface says so, too; its depth is guessed from
 *            the body at rest, to be better than nothing until it is known
 *   MARGIN   points that are outside, but near, get a contact with a depth below zero: it is there before they meet
 *   BORDER   of points inside that have a neighbour outside: where the edges between them pierce the surface says how deep
 *            they are, and which way is out
 *   SPREAD   from those to the points farther in, layer by layer; a layer sees the layers before it only, so that the
 *            result does not depend on the order. What no layer reaches (a body swallowed whole) keeps its guess
 *
 * All of it is about the moment of COPY: nodes are copied in one piece, so that a cycle that takes ten steps has the same
 * depths, bit for bit, as one that takes one. What has happened since is the response's business (it follows both sides).
 *
 * As the paper has it (`live`) there is no copy: whatever is looked at is where it is in that step. Boxes are hashed grown by
 * how far their bodies get while a cycle lasts, whether points are still inside is asked again before their depth is, and
 * MARGIN is left out (erratum G2).
 *
 * Bodies that no box of another comes near take no part; of the others only tets and triangles in such a box are hashed. */

#ifndef LITHE_DETECT_PENETRATION_H
#define LITHE_DETECT_PENETRATION_H

#include "detect/detect.h"
#include "mesh/spatial_hash.h"

typedef enum lt_cycle_phase {
    LT_CYCLE_EMBED,
    LT_CYCLE_OBSTACLES,
    LT_CYCLE_TETS,
    LT_CYCLE_HASH_TETS,
    LT_CYCLE_QUERY,
    LT_CYCLE_TRIANGLES,
    LT_CYCLE_HASH_TRIANGLES,
    LT_CYCLE_MARGIN,
    LT_CYCLE_BORDER,
    LT_CYCLE_SPREAD,
    LT_CYCLE_DONE
} lt_cycle_phase;

/* A body that takes part, as it was. Its nodes, points, tets and triangles have numbers in the cycle. */
typedef struct lt_cycle_body {
    uint32_t slot;
    uint32_t first_node, first_point, first_tet, first_triangle;
    uint32_t first_triangle_item, end_triangle_item; /* of those that are hashed */
    lt_box box;                                      /* of the surface, grown by the margin */
    float margin;
    float speed; /* m/s */
} lt_cycle_body;

typedef enum lt_found_status {
    LT_FOUND_GUESSED, /* inside; depth not known yet */
    LT_FOUND_BORDER,  /* depth from edges that pierce the surface */
    LT_FOUND_SPREAD,  /* depth from neighbours */
    LT_FOUND_LEFT,    /* nothing reached it: the guess stays */
    LT_FOUND_NEAR,    /* outside, within the margin */
    LT_FOUND_OBSTACLE,
    LT_FOUND_GONE /* live: has come out since */
} lt_found_status;

/* A point and the body (or obstacle) that it is in or near to. */
typedef struct lt_found {
    uint32_t point;   /* of the cycle */
    uint32_t other;   /* body of the cycle, or obstacle */
    uint32_t tet;     /* of the other's carrier */
    float weights[4]; /* of the point in it */
    lt_vec3 normal;   /* out of the other */
    float depth;      /* < 0: outside */
    uint32_t layer;   /* of BORDER 0, of SPREAD 1 and more; LT_NONE: not known yet */
    uint32_t status;  /* lt_found_status */
    uint32_t told;    /* 1 + the status last told to the response; 0: none yet */
} lt_found;

typedef struct lt_cycle_input {
    const lt_collider
        *colliders; /* alive while the cycle runs; only what belongs to the shape is read after begin */
    uint32_t collider_count;
    const lt_obstacle *obstacles;
    const lt_pair *pairs; /* of the broad phase: who may meet whom */
    uint32_t pair_count;
    float dt;
    uint32_t latency;    /* steps that this cycle may take: how far ahead margins look */
    bool fast_first;     /* points of fast bodies come first */
    bool live;           /* positions as they are in every step: lt_cycle_refresh */
    bool smooth_normals; /* depths as the paper prints them: by edges only, normals interpolated */
    lt_spatial_function function;
    const lt_embed_kernels *kernels;
} lt_cycle_input;

typedef struct lt_cycle {
    /* Memory, fixed by reserve */
    float *nodes;             /* [node_capacity][4] the copy */
    lt_vec3 *points;          /* [point_capacity] */
    lt_box *tet_boxes;        /* [tet_capacity] of hashed tets */
    uint32_t *tet_items;      /* [tet_capacity] which tets these are */
    lt_box *triangle_boxes;   /* [triangle_capacity] */
    uint32_t *triangle_items; /* [triangle_capacity] */
    uint32_t *first_found;    /* [point_capacity + 1] found by QUERY, by point */
    lt_found *found;          /* [found_capacity] */
    uint32_t *open;           /* [found_capacity] of SPREAD: without a depth yet */
    uint32_t *candidates;     /* [candidate_capacity] of one query */
    lt_cycle_body *bodies;    /* [body_capacity] */
    lt_pair *pairs;           /* [pair_capacity] */
    uint32_t *body_of_slot;   /* [body_capacity] */
    uint32_t *partner_begin;  /* [body_capacity + 1] */
    uint32_t *partners;       /* [2 × pair_capacity] whom a body may meet, by body */
    lt_spatial_hash tets, triangles;
    uint32_t node_capacity, point_capacity, tet_capacity, triangle_capacity, found_capacity, body_capacity,
        pair_capacity, candidate_capacity;
    lt_allocator allocator;
    /* Input */
    lt_cycle_input input;
    /* State */
    lt_cycle_phase phase;
    uint32_t next, sub; /* element of the phase; of OBSTACLES pair and point */
    uint32_t body;      /* whose element that is */
    uint32_t layer;     /* of SPREAD */
    uint32_t open_count, reached;
    uint64_t element_count;  /* done so far: enough to do it all again */
    uint64_t later_elements; /* since OBSTACLES */
    /* Output */
    uint32_t body_count, pair_count;
    uint32_t node_count, point_count, tet_count, triangle_count; /* of bodies that take part */
    uint32_t tet_item_count, triangle_item_count;
    uint32_t inside_count; /* found by QUERY: found [obstacle_count, inside_end) */
    uint32_t obstacle_count, inside_end;
    uint32_t found_count;
    uint32_t dropped_count; /* did not fit */
} lt_cycle;

lt_status lt_cycle_reserve(lt_cycle *cycle, const lt_collider *colliders, uint32_t collider_count,
                           uint32_t found_capacity, uint32_t pair_capacity, const lt_allocator *allocator,
                           lt_error *error);
void lt_cycle_free(lt_cycle *cycle);

/* Copies the nodes of all bodies that take part. Returns its cost. */
uint32_t lt_cycle_begin(lt_cycle *cycle, const lt_cycle_input *input);
/* Live: positions of now, in every step but the one in which it began. Returns its cost. */
uint32_t lt_cycle_refresh(lt_cycle *cycle);
/* Cost 0 when done. `reserve` is what answering one contact takes. */
lt_piece lt_cycle_peek(const lt_cycle *cycle, uint32_t reserve);
uint32_t lt_cycle_step(lt_cycle *cycle, uint32_t grant);

static inline bool lt_cycle_is_done(const lt_cycle *cycle) {
    return cycle->phase == LT_CYCLE_DONE;
}
/* Of a point of the cycle: its body there, and its number in the body's surface. */
uint32_t lt_cycle_body_of_point(const lt_cycle *cycle, uint32_t point);

/* ---- in snapshots ---- */

size_t lt_cycle_state_size(const lt_cycle *cycle);
void lt_cycle_save(const lt_cycle *cycle, uint8_t *bytes);
uint64_t lt_cycle_hash(const lt_cycle *cycle, uint64_t hash);
/* Whether the bytes are of a cycle that can have been in this world: of `world` colliders, obstacles and kernels are read. */
bool lt_cycle_is_sound(lt_cycle *cycle, const uint8_t *bytes, size_t size, const lt_cycle_input *world,
                       uint32_t obstacle_count);
/* Of bytes that are sound. */
void lt_cycle_restore(lt_cycle *cycle, const uint8_t *bytes, const lt_cycle_input *world);

/* ---- inside: doing it again ---- */

/* First elements of the bodies in their order, and the counts; whom each may meet. */
void lt_cycle_number(lt_cycle *cycle);
void lt_cycle_partner(lt_cycle *cycle);
/* From a cycle that has just begun to where it was. */
void lt_cycle_redo(lt_cycle *cycle, lt_cycle_phase phase, uint64_t element_count, uint64_t later_elements,
                   uint32_t obstacle_found, uint32_t next, uint32_t sub);

/* ---- inside: depths ---- */

/* Live: whether a point is still inside the other, in whichever of its tets; else it is gone. */
bool lt_cycle_retest(lt_cycle *cycle, lt_found *found);

lt_dvec3 lt_cycle_node(const lt_cycle *cycle, const lt_cycle_body *body, uint32_t node);
/* Depth of a point inside by the edges that pierce the other's surface; false: none does. */
bool lt_cycle_border(lt_cycle *cycle, lt_found *found);
/* Depth from neighbours up to a layer; false: none has one. */
bool lt_cycle_spread(const lt_cycle *cycle, lt_found *found, uint32_t layer);
/* A contact with the nearest triangle of each body within the margin of a point outside. */
void lt_cycle_margin(lt_cycle *cycle, uint32_t point);

#endif
