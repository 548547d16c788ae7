/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Fronts kept over steps: what two bodies' traversal tested, and for how long that is still true.
 *
 * A record is one expansion: a block of eight siblings against a node of the other tree. It keeps which lanes came near,
 * and how far apart the others were. Pieces of surface that were a distance apart stay so, less what the two bodies
 * have moved since:
 *
 *   moved   sum over the steps of how far any point of one surface can have come nearer to any of the other:
 *           |mean motion of a − mean motion of b| + Σ|w| (largest motion of a node beyond the mean), of both
 *   until   moved when it was tested + least distance of the lanes that did not come near
 *
 * and while until > moved + margin no lane that was apart can be within the margin: the traversal takes the lanes from
 * the record (a finer cut than needed is still a cut), and tests nothing. Where nothing below came near, empty_until
 * says the same for all that is below, and the pair is done with: neither tested, nor its block refreshed. Both are
 * facts about surfaces: they hold whatever margin they are asked with, and whatever the spheres have become since.
 *
 *   body pair ─► root record ─► child records, one for each lane that came near and is not leaf against leaf
 *
 * A pair of spheres is not stored: it follows from the path. Records are in a pool; what is dropped goes to a list whole,
 * and is taken apart when records are wanted again, so that dropping costs nothing. Which record is where decides
 * nothing; how many are free does.
 *
 * Taking lanes from a record costs about what the test does, eight at once; recording costs twice that. What is saved are
 * refreshes of blocks that nobody looks at, so it pays only for what hardly moves. Where most of a turn was tested anew
 * the front is forgotten, and some turns are taken without one.
 *
 * Rejected: a list of the last front's pairs. Blocks are tested eight at a time, and nearly every one has a lane that
 * ended there: all would be tested again. */

#ifndef LITHE_DETECT_FRONT_CACHE_H
#define LITHE_DETECT_FRONT_CACHE_H

#include "detect/detect.h"

/* Of empty_until: something below came near, or was not looked at. */
#define LT_NOT_EMPTY (-1.0)

enum { LT_RECORD_DEPTH_MAX = 16 }; /* deeper expansions are not recorded; trees of bake/ have 10 at most */

typedef struct lt_front_record {
    double until, empty_until;
    float key; /* what refining the pair was worth when it was found */
    uint32_t parent;
    uint32_t first_child; /* in no order */
    uint32_t next;        /* sibling */
    uint8_t near;         /* bits of lanes; 0 until it is tested */
    uint8_t lane;         /* of the parent */
    uint8_t depth;
    bool tested;
    bool whole; /* every lane that came near and is not leaf against leaf has a record */
} lt_front_record;

/* The kept front of one pair, in the bytes that its method keeps of it. */
typedef struct lt_kept_front {
    double moved;  /* m, since the root record was made */
    uint32_t root; /* LT_NONE: nothing is kept */
    uint32_t idle; /* turns that are still to be taken without: it did not pay */
} lt_kept_front;
#define LT_NO_FRONT ((lt_kept_front){.root = LT_NONE})

typedef struct lt_front_cache {
    lt_front_record *records; /* [capacity] */
    uint32_t capacity;        /* 0: there is no cache */
    uint32_t used;            /* records that were ever in use */
    uint32_t dropped;         /* first of a list of subtrees that nobody needs */
} lt_front_cache;

lt_status lt_front_cache_create(lt_front_cache *out, uint32_t capacity, const lt_allocator *allocator,
                                lt_error *error);
/* Safe on zeroed ones. */
void lt_front_cache_free(lt_front_cache *cache, const lt_allocator *allocator);

/* ---- records, for the traversal ---- */

/* A record that is not tested yet, child of `parent` (LT_NONE: a root); LT_NONE when there is no room. */
uint32_t lt_front_cache_take(lt_front_cache *cache, uint32_t parent, uint32_t lane);
uint32_t lt_front_cache_child(const lt_front_cache *cache, uint32_t record, uint32_t lane);
/* Gives back the children of all lanes but these. */
void lt_front_cache_keep_lanes(lt_front_cache *cache, uint32_t record, uint32_t lanes);
/* Nothing below the record came near: so it may be for those above it. */
void lt_front_cache_close(lt_front_cache *cache, uint32_t record);

/* ---- fronts, for the method ---- */

/* How the nodes of a body moved in the last step of its model. */
typedef struct lt_body_motion {
    lt_vec3 mean;
    float reach; /* m, how far any surface point got beyond the mean */
    float slip;  /* m, at most: what rounding of the skin's weights makes of the mean */
} lt_body_motion;
lt_body_motion lt_body_motion_of(const lt_collider *collider);

/* The bodies of its pair have moved. */
void lt_front_cache_move(lt_front_cache *cache, lt_kept_front *front, const lt_body_motion *a,
                         const lt_body_motion *b);
/* Whether a turn of the pair is to be taken with what is kept. Counts the turns that are not. */
bool lt_front_cache_opens(lt_kept_front *front);
/* After a turn that was, and to which a front had been kept. */
void lt_front_cache_judge(lt_front_cache *cache, lt_kept_front *front, const lt_traverse *traverse);
/* The root record of a front and all below it. */
void lt_front_cache_forget(lt_front_cache *cache, lt_kept_front *front);

/* ---- as state: how far it moved and how many records it has; the records, parents first ---- */

/* Visits a front of that pair, but for its hash. `record_count` is of the fronts so far, which fit together; CHECK and LOAD look at
 * colliders. */
void lt_front_cache_visit(lt_stream *stream, lt_front_cache *cache, lt_kept_front *front, const lt_pair *pair,
                          const lt_collider *colliders, uint64_t *record_count);
uint64_t lt_front_cache_hash(const lt_front_cache *cache, const lt_kept_front *front, uint64_t hash);

#endif
