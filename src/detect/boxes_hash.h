/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The pairs of lt_box_search by the spatial hash, as papers/002 §5 finds them: for comparison, in tests. The same
 * verbs and the same set of pairs; the order is that of the buckets, so that it changes with where bodies are.
 *
 *   gather   AABBs of all bodies of the pairs, one after the other
 *   hash     sorted into buckets (mesh/spatial_hash.h)
 *   pairs    of every bucket, each at one cell only; neighbours in a lattice and bodies that are no pair are left out
 *
 * It is a ring too: a search goes on in the bucket, and at the entries of it, where the last one was cut.
 *
 * Units: an AABB that is gathered 2; the rest as in the hash. */

#ifndef LITHE_DETECT_BOXES_HASH_H
#define LITHE_DETECT_BOXES_HASH_H

#include "detect/boxes.h"
#include "mesh/spatial_hash.h"

enum { LT_HASH_GATHER_UNITS = 2 };

/* A place of the ring: entries are counted from the beginning of their bucket. */
typedef struct lt_box_hash_place {
    bool
        large; /* among boxes that cover too many cells: first is one of those, second an entry or one of those */
    uint32_t bucket, first, second;
} lt_box_hash_place;

typedef struct lt_box_hash_item {
    uint32_t body, box;
} lt_box_hash_item;

typedef enum lt_box_hash_phase {
    LT_BOX_HASH_GATHER,
    LT_BOX_HASH_BUILD,
    LT_BOX_HASH_PAIRS,
    LT_BOX_HASH_DONE
} lt_box_hash_phase;

typedef struct lt_box_hash {
    /* Memory, fixed by reserve */
    lt_spatial_hash hash;
    lt_box *boxes;           /* [item_capacity] */
    lt_box_hash_item *items; /* [item_capacity] */
    uint32_t item_capacity;
    lt_allocator allocator;
    /* Input */
    lt_box_search_input input;
    float cell_size;
    lt_box_hash_place from;
    uint32_t body_count;
    /* State */
    lt_box_hash_phase phase;
    uint32_t next_body, next_box, item_count; /* gathering */
    uint32_t lap;                             /* 0: from there to the end, 1: from the beginning to there */
    lt_spatial_pairs pairs, from_pairs;
    /* Result */
    uint32_t dropped_count; /* boxes that did not fit, with all their pairs */
} lt_box_hash;

/* Room for that many boxes and entries; a box of the size of the hash's cells has up to 8. In place of what was reserved
 * before. */
lt_status lt_box_hash_reserve(lt_box_hash *hash, uint32_t item_capacity, uint32_t entry_capacity,
                              const lt_allocator *allocator, lt_error *error);
/* Safe on zeroed and already freed ones. */
void lt_box_hash_free(lt_box_hash *hash);

/* Of the bodies [body_count] those that are not NULL; `cell_size` of the hash, m: 1.5 cells of the lattices is good. `from` is
 * a place that an earlier search came to, or NULL. */
void lt_box_hash_begin(lt_box_hash *hash, const lt_box_search_input *input, uint32_t body_count,
                       float cell_size, const lt_box_hash_place *from);
/* The most that the next piece costs; 0: done. */
uint32_t lt_box_hash_cost(const lt_box_hash *hash);
/* Does pieces while they fit into `grant` and until `out` [capacity] is full; *count pairs were written. Returns the
 * units. */
uint32_t lt_box_hash_step(lt_box_hash *hash, uint32_t grant, lt_box_pair *out, uint32_t capacity,
                          uint32_t *count);
/* Where the next search has to begin to go on from here; when done, where this one began. */
lt_box_hash_place lt_box_hash_place_now(const lt_box_hash *hash);

#endif
