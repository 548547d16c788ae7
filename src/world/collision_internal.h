/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inside of collision only:
 *
 *   collision.c           life, bodies, obstacles: all that begins a new interval
 *   collision_find.c      the search: pairs, turns, the budget, the report
 *   collision_contacts.c  what was found, as the caller sees it
 *   collision_snapshot.c  saving and restoring, between intervals */

#ifndef LITHE_WORLD_COLLISION_INTERNAL_H
#define LITHE_WORLD_COLLISION_INTERNAL_H

#include "core/id.h"
#include "detect/surface_search.h"
#include "lithe/collision.h"

/* Constants of a shape: one for all of its bodies. */
typedef struct lt_collision_shape {
    lt_shape *shape; /* retained */
    lt_carrier carrier;
    lt_skin skin;
    lt_surface_parts parts;
    uint32_t body_count;
} lt_collision_shape;

typedef struct lt_collision_body {
    lt_collision_shape *shared;
    lt_moving_surface surface;
    float *from, *to; /* [node_count][4] */
    bool moves;       /* false: `to` is not looked at */
    bool is_set;      /* since the last interval began: boxes are stale */
    lt_box box;       /* of the nodes at both ends */
    float significance;
    void *user_data;
} lt_collision_body;

/* What was found of one pair: a range of meetings, in the array of its kind. */
typedef struct lt_collision_run {
    uint32_t pair;
    uint32_t first, count;
} lt_collision_run;

/* State of a pair. */
typedef struct lt_collision_wait {
    uint32_t intervals; /* that it was not finished in */
} lt_collision_wait;

struct lt_collision {
    lt_collision_def def;
    lt_allocator allocator; /* the caller's, counted */
    uint64_t allocation_count;
    lt_simd_level level;
    lt_meter meter;
    lt_arena arena;  /* of the broad phase */
    lt_soft no_soft; /* bodies have no model; the broad phase asks for a size */
    /* By slot */
    lt_slots body_slots;
    lt_array bodies;    /* lt_collision_body * */
    lt_array colliders; /* lt_collider, what the broad phase sees */
    lt_array shapes;    /* lt_collision_shape *, not by slot */
    lt_slots obstacle_slots;
    lt_array obstacles; /* lt_obstacle */
    /* The interval */
    bool is_over; /* something was set: the next search begins a new one */
    uint64_t interval_count;
    lt_pair_table pairs; /* with a lt_collision_wait each; turn.now: it is finished in this interval */
    uint32_t *heap;      /* [pair_capacity] */
    lt_scheduler turns;  /* begun with the interval */
    lt_surface_search search;
    bool is_searching;              /* `search` is of the pair of the last run, and not finished */
    uint64_t spent_on_first;        /* units of the pair that was begun first */
    uint64_t saved_units, saved_ns; /* of calls that no piece of work fitted into */
    uint64_t test_count;            /* of pairs that are finished */
    uint64_t dropped_count;         /* likewise */
    lt_collision_run *runs;         /* [pair_capacity] */
    uint32_t run_count;
    lt_meeting *meetings;                   /* [contact_capacity] */
    lt_obstacle_meeting *obstacle_meetings; /* [contact_capacity] */
    uint32_t meeting_count, obstacle_meeting_count;
    /* As the caller sees it */
    lt_collision_contact *contacts; /* [contact_capacity] */
    uint32_t published_count;       /* meetings of the first runs that are in there */
    lt_collision_pair *pending;     /* [pair_capacity] */
};

static inline lt_collision_body *lt_collision_body_at(const lt_collision *c, uint32_t index) {
    return ((lt_collision_body **)c->bodies.items)[index];
}
static inline lt_collider *lt_collision_collider_at(const lt_collision *c, uint32_t index) {
    return (lt_collider *)c->colliders.items + index;
}
static inline lt_obstacle *lt_collision_obstacle_at(const lt_collision *c, uint32_t index) {
    return (lt_obstacle *)c->obstacles.items + index;
}
static inline lt_body_id lt_collision_body_id(const lt_collision *c, uint32_t index) {
    return (lt_body_id){index + 1, lt_slots_generation(&c->body_slots, index)};
}
static inline lt_obstacle_id lt_collision_obstacle_id(const lt_collision *c, uint32_t index) {
    return (lt_obstacle_id){index + 1, lt_slots_generation(&c->obstacle_slots, index)};
}
static inline uint32_t *lt_collision_waited(const lt_collision *c, uint32_t pair) {
    return &((lt_collision_wait *)lt_pair_method_at(&c->pairs, pair))->intervals;
}
static inline uint32_t lt_collision_found(const lt_collision *c) {
    return c->meeting_count + c->obstacle_meeting_count;
}

/* Nothing of the interval is of use any more. */
void lt_collision_end_interval(lt_collision *collision);

/* The nodes of a body, `from` and `to`, are others than before. */
void lt_collision_settle(lt_collision *collision, uint32_t index);
/* Finite, and not too far. */
bool lt_collision_is_near(lt_vec3 v);
bool lt_collision_motion_is_sound(const lt_collision_motion *motion);
void lt_collision_plan(lt_obstacle *obstacle, const lt_collision_motion *motion);

#endif
