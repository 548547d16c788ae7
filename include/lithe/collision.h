/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Collision only: for those who move their bodies themselves. The caller's nodes at the start and at the end of an interval go
 * in; out come the exact contacts of the surfaces that hang on them, with their times and with weights on the nodes, under a
 * budget, and a report of what is left.
 *
 *     every interval:   lt_collision_set_nodes, of each body that moves ─► lt_collision_find ─► lt_collision_contacts
 *                                                                             ╰── again: goes on where the budget ended
 *
 * Nodes go straight from where they are at time 0 to where they are at time 1. Uninterrupted, the contacts are all pairs of a
 * vertex and a face or of two edges that come as near as `separation` in that time: none is missed. What stands still is tested
 * for triangles that cross.
 *
 * An interval ends with the next call that sets, adds, moves or removes something: what was found and what was left is gone
 * then, and pairs that were not finished come first in the next one. Until then every lt_collision_find goes on.
 *
 * Units are metres, or whatever the caller's are. An lt_collision belongs to one thread at a time. Setting, adding and removing
 * are outside the budget; adding and removing may allocate, nothing else does. Same calls and same work units: same bits.
 * Pointers into it are valid until the next call that is not const. */

#ifndef LITHE_COLLISION_H
#define LITHE_COLLISION_H

#include "lithe/world.h"

LT_EXTERN_C_BEGIN

typedef struct lt_collision lt_collision;

typedef struct lt_collision_def {
    float separation;    /* m, 0 or more: surfaces this near are in contact; default 0: where they touch */
    bool self_collision; /* default true */
    bool profile;        /* fill used_us and stage_us under unlimited and unit budgets too; default true */
    uint32_t contact_capacity; /* most contacts of an interval, about 400 bytes each; default 16384 */
    uint32_t pair_capacity;    /* most pairs of bodies whose boxes overlap; default 4096 */
    uint32_t simd_level;       /* 0 scalar, 1 128-bit, 2 AVX2, at most; default: the best there is */
    lt_allocator allocator;    /* default: the C library's */
    /* Default NULL: the monotonic clock of the system. Must not run backwards. */
    uint64_t (*clock_ns)(void *context);
    void *clock_context;
    uint64_t cookie; /* set by lt_collision_def_default; anything else is a caller's bug */
} lt_collision_def;

LT_API lt_collision_def lt_collision_def_default(void);
LT_API lt_status lt_collision_create(const lt_collision_def *def, lt_collision **out, lt_error *error);
/* NULL is allowed. */
LT_API void lt_collision_destroy(lt_collision *collision);

/* ---- bodies ---- */

typedef struct lt_collision_body_def {
    lt_shape *shape; /* on tets, with a multiscale tree (`lithe bake --tree`, lt_bake_tree); retained */
    uint32_t collision_group; /* bit mask of what it is; default 1 */
    uint32_t collision_mask;  /* bit mask of what it meets; default all */
    bool self_collision;      /* default true; that of the lt_collision must be on too */
    /* Harm of leaving it out, as intervals of waiting: a pair has the larger of its two, and comes first where that and its
     * waiting add up to most; default 1 */
    float significance;
    void *user_data;
    uint64_t cookie;
} lt_collision_body_def;

LT_API lt_collision_body_def lt_collision_body_def_default(void);
/* It stands still as the shape was baked until its nodes are set. The null id on failure, with the reason in *error. */
LT_API lt_body_id lt_collision_add_body(lt_collision *collision, const lt_collision_body_def *def,
                                        lt_error *error);
LT_API void lt_collision_remove_body(lt_collision *collision, lt_body_id body);
LT_API void *lt_collision_body_data(const lt_collision *collision, lt_body_id body);
/* Nodes of the carrier: those of the tet mesh that was baked, in its order. */
LT_API uint32_t lt_collision_node_count(const lt_collision *collision, lt_body_id body);

typedef struct lt_collision_nodes {
    const float *start;  /* [node_count][stride] x, y, z and what the caller has beside them, at time 0 */
    const float *end;    /* the same at time 1; NULL: they stand still. May be `start` */
    uint32_t node_count; /* must be lt_collision_node_count */
    uint32_t stride;     /* floats from a node to the next, 3 or more; 0: 3 */
} lt_collision_nodes;

/* Copies the nodes. A count that is not the body's and coordinates that are not finite or beyond 1e15 are refused, with the node
 * in the message; the body is then as it was. A body that is not set again keeps its two positions. */
LT_API lt_status lt_collision_set_nodes(lt_collision *collision, lt_body_id body,
                                        const lt_collision_nodes *nodes, lt_error *error);

/* The same for those who keep doubles: rounded to the nearest floats, in which everything is found. Far from the origin subtract
 * one of your own from all bodies and obstacles first. */
typedef struct lt_collision_nodes_double {
    const double *start, *end;
    uint32_t node_count, stride; /* in doubles */
} lt_collision_nodes_double;
LT_API lt_status lt_collision_set_nodes_double(lt_collision *collision, lt_body_id body,
                                               const lt_collision_nodes_double *nodes, lt_error *error);

/* ---- obstacles: as in a world; friction has no meaning here ---- */

LT_API lt_obstacle_id lt_collision_add_obstacle(lt_collision *collision, const lt_obstacle_def *def,
                                                lt_error *error);
LT_API void lt_collision_remove_obstacle(lt_collision *collision, lt_obstacle_id obstacle);
LT_API void *lt_collision_obstacle_data(const lt_collision *collision, lt_obstacle_id obstacle);

typedef struct lt_collision_motion {
    lt_vec3 start_position, end_position;
    lt_quat start_rotation, end_rotation;
} lt_collision_motion;

/* Where it is at both ends; refused as nodes are. */
LT_API lt_status lt_collision_set_obstacle(lt_collision *collision, lt_obstacle_id obstacle,
                                           const lt_collision_motion *motion, lt_error *error);

/* ---- the search ---- */

/* Looks for contacts while the budget lasts. Pairs have turns: first those that have waited longest (and matter most), and nobody
 * twice before all others were served. A pair that is cut is gone on with in the next call, or, when that is of another interval,
 * begun again before others; but one that a whole interval was not enough for lets the others come first. Which boxes overlap is
 * found in any case, as in a step. Work comes in pieces of some hundred units, and of up to 17,000 for bodies of thousands of tets:
 * a call that has less than the next one does nothing, and its budget is there for the calls behind it in the same interval. So
 * any budget above 0 gets to the end.
 *
 * Of the report (all of this call but for those marked *, which are of the interval so far):
 *   step         number of the interval, from 1        units, tested  spent; continuous tests made
 *   pending *    pairs that are not finished           interrupted *  1: there are such
 *   contacts *, exact *, approximate *                 of these, those whose test could not decide and was called a hit
 *   dropped *    contacts and pairs beyond the capacities (problems says which)
 *   latency *    intervals that the pair which waits longest has waited
 *   depth_max *  deepest vertex in an obstacle         and budget_us, used_us, overshoot_us, stage_us, allocations, cuts
 * The contacts are all there are when interrupted and dropped are both 0. */
LT_API lt_report lt_collision_find(lt_collision *collision, lt_budget budget);

typedef enum lt_collision_kind {
    LT_COLLISION_VERTEX_FACE, /* a vertex of a and a face of b */
    LT_COLLISION_FACE_VERTEX, /* a face of a and a vertex of b */
    LT_COLLISION_EDGES,
    LT_COLLISION_CROSSING, /* both stand still, and two triangles cross: no normal, points are the middles of the two */
    LT_COLLISION_OBSTACLE /* a vertex of a and an obstacle */
} lt_collision_kind;

/* Nodes that a point hangs on: of the one tet that holds it, or, on a triangle that no one tet holds (`lithe info` counts them),
 * of those of its three corners. */
#define LT_COLLISION_NODES 12

/* One of the two points: at any time Σ weights × nodes. */
typedef struct lt_collision_point {
    uint32_t node_count; /* 1 to 4, seldom more; 0: of an obstacle */
    uint32_t nodes[LT_COLLISION_NODES];
    float weights[LT_COLLISION_NODES]; /* sum 1; 0 beyond node_count */
    uint32_t
        triangle; /* of the shape's surface; UINT32_MAX: of an obstacle, and of the vertex that meets one */
} lt_collision_point;

typedef struct lt_collision_contact {
    lt_body_id body_a;
    lt_body_id body_b; /* null: against `obstacle`; equal to body_a: self-collision */
    lt_obstacle_id obstacle;
    lt_collision_kind kind;
    lt_contact_status status; /* exact, or approximate: it could not be proved that the two stay apart */
    float time;               /* in [0, 1]: before it the two are farther apart than the separation */
    float distance;   /* m between the points at `time`; of an obstacle negative: inside at the start */
    lt_vec3 normal;   /* unit, from b to a: point of a − point of b = distance × normal at `time` */
    lt_vec3 position; /* the point of a at `time` */
    lt_collision_point a, b;
} lt_collision_contact;

/* Of the interval so far, in the order they were found. */
LT_API const lt_collision_contact *lt_collision_contacts(const lt_collision *collision, uint32_t *count);

/* A pair that is not finished: contacts of it may be missing. */
typedef struct lt_collision_pair {
    lt_body_id body_a;
    lt_body_id body_b; /* null: with `obstacle`; equal to body_a: with itself */
    lt_obstacle_id obstacle;
    uint32_t waited; /* intervals before this one in which it was not finished */
} lt_collision_pair;

/* Before the first search of an interval: none. */
LT_API const lt_collision_pair *lt_collision_pending(const lt_collision *collision, uint32_t *count);

/* ---- snapshots ---- */

/* What contacts there are is a matter of the interval alone; but which of them a budget suffices for depends on earlier ones: on who
 * has waited. That, the nodes and the poses of obstacles, as bytes: size first, then save into a buffer of at least that size
 * (returns the size; 0: too small). Saving ends the interval, as setting something does. From then on this one and one that
 * is restored give the same bits for the same calls and work units. Restores only into the one it came from, or one built by the
 * same calls; what is damaged is refused, and nothing changed. */
LT_API size_t lt_collision_snapshot_size(const lt_collision *collision);
LT_API size_t lt_collision_snapshot(lt_collision *collision, void *buffer, size_t capacity);
LT_API lt_status lt_collision_restore(lt_collision *collision, const void *buffer, size_t size,
                                      lt_error *error);

LT_EXTERN_C_END

#endif
