/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The search of one pair: its front is brought up to date, the nearest entries first, until all is decided or the budget ends.
 *
 *   roots ──► what has expired ──► queue, least gap over the step first ──► pop ──► inner: both children are examined
 *                                         ▲                                  │      leaf:  its points are tested (front_leaf.c)
 *                                         └──────── gap over the step ≤ 0 ◄──┘
 *
 *   examine    boxes of both sides where they are now, and of what they can do in the step, by their velocities: a gap that stays
 *              open makes the entry `apart` and drops what is below
 *   leaf       its points get the tet that holds them best; its contacts stand until the pair's clock is at the next mark of a grid of
 *              LEAF_MOTION mean edges, the same for all leaves of a pair, so that they expire together
 *   cut        what is in the queue is open: it was not decided in this step, and comes again in the next
 *
 * Speculation is capped at SPECULATION edges: a point that gets there in the step is a contact before it touches, but what flies past
 * at many edges a step is not a contact with all that it passes.
 *
 * A front shrinks where two siblings are apart: every COLLAPSE_STEPS-th step, by a phase of their own, they are folded into their parent.
 * To test inner entries themselves for that, with boxes of whole bodies, took a third of a pile's units.
 *
 * Workload: some hundred entries for two bodies that lie on each other, some tens when they are apart; at impact thousands in a
 * step. A unit is about a nanosecond. */

#ifndef LITHE_DETECT_FRONT_SEARCH_H
#define LITHE_DETECT_FRONT_SEARCH_H

#include "bound/body_boxes.h"
#include "detect/detect.h"
#include "pair/clock.h"
#include "pair/front.h"

/* One side of a pair. */
typedef struct lt_front_side {
    const lt_collider *collider;
    lt_body_boxes *boxes;
    uint32_t body;
} lt_front_side;

/* An entry that was not decided yet. */
typedef struct lt_open_entry {
    uint32_t entry;
    uint32_t direction; /* 0: points of a in tets of b, or against the obstacle */
    uint32_t next;      /* of its bucket, or of the free ones: + 1; 0: none */
} lt_open_entry;

/* What is open, by nearness: buckets of half an octave, in each of them the last one comes first. */
enum { LT_OPEN_BUCKETS = 64 };
typedef struct lt_open_queue {
    uint32_t first[LT_OPEN_BUCKETS]; /* of a bucket: + 1; 0: none */
    uint64_t filled;                 /* bits of buckets that have some */
    uint32_t count, used, free;      /* items that were ever in use in this search; first free one + 1 */
} lt_open_queue;

/* A leaf that was tested in this step. */
typedef struct lt_tested_leaf {
    uint32_t skin, solid;
    uint32_t direction;
    uint32_t next; /* with the same skin leaf: + 1; 0: none */
} lt_tested_leaf;

/* What is known of a skin leaf in a search. */
typedef struct lt_skin_look {
    uint32_t turn;
    float reach;    /* m, how far it and what it was tested against can come towards each other in the step */
    uint32_t first; /* in `leaves` + 1 */
} lt_skin_look;

/* Memory of searches, one after the other; nothing in it outlasts one. */
typedef struct lt_search_memory {
    lt_open_entry *open; /* [open_capacity] */
    lt_open_queue queue;
    uint32_t *visited;      /* [open_capacity] inner entries, parents before children */
    lt_tested_leaf *leaves; /* [open_capacity] */
    uint32_t *tets
        [2]; /* [lane_capacity] by direction and lane: the tet that holds a sample best; LT_NONE: none so far */
    float *least[2];        /* [lane_capacity] its least weight there */
    lt_skin_look *skins[2]; /* [skin_capacity] by direction and node of the tree */
    uint32_t open_capacity, lane_capacity, skin_capacity;
    uint32_t turn; /* of the search; 0: none */
} lt_search_memory;

bool lt_search_memory_reserve(lt_search_memory *memory, uint32_t entries, uint32_t lanes, uint32_t skins,
                              const lt_allocator *allocator);
void lt_search_memory_free(lt_search_memory *memory, const lt_allocator *allocator);

typedef struct lt_leaf_kernels {
    /* Eight samples, whose box grown by how far they can come is `near`, in eight tets: where one holds a sample better than `least` says, that
     * and `tet_of` are renewed. Returns how many tets were near. */
    uint32_t (*hold_samples)(uint32_t *tet_of, float *least, const lt_skin_block *samples, const lt_box *near,
                             const lt_solid_block *tets, const uint32_t *tet_ids);
} lt_leaf_kernels;
const lt_leaf_kernels *lt_leaf_kernels_for(lt_simd_level level);

typedef struct lt_front_search {
    /* Input */
    const lt_leaf_kernels *kernels;
    lt_front_pool *pool;
    lt_search_memory *memory;
    lt_front_side sides[2];      /* a, b; of an obstacle's pair the second one is empty */
    const lt_obstacle *obstacle; /* as a's frame sees it; NULL: two bodies */
    uint32_t roots;
    lt_clock_reading clock;
    float dt;
    float reach;       /* m, how far the two can come towards each other in the step, at most */
    float margin;      /* m, likewise, what velocities do not say: gravity, rounding, an obstacle's motion */
    float quantum;     /* m of motion for which a leaf stands */
    float speculation; /* m, cap of what velocities say */
    uint32_t phase;    /* of the step, for what is not done in each */
    bool
        repeats; /* a step that was recorded: its stages ended with a piece, whatever that said it takes at most */
    uint64_t allowed;       /* units for this search; LT_UNLIMITED: the meter alone decides */
    uint32_t contact_units; /* set aside for what a leaf may find */
    /* State */
    uint32_t visited_count, leaf_count;
    uint32_t any_worst; /* units of a piece, whichever is next, at most */
    uint64_t used;
    /* Output */
    uint64_t tested;  /* entries and samples */
    bool out_of_room; /* an entry could not be split */
} lt_front_search;

/* Whether something of the pair is open. */
static inline bool lt_front_is_open(const lt_front_search *search) {
    return search->memory->queue.count > 0;
}
/* Queues the roots that have expired. */
void lt_front_search_begin(lt_front_search *search);
lt_cursor lt_front_search_cursor(lt_front_search *search);
/* What inner entries say is made true again; charged while they were visited. */
void lt_front_search_end(lt_front_search *search);

/* Boxes of what is still open on the sides of a and b; call it before the search ends. False: nothing is. Adds to *units what it took. */
bool lt_front_open_boxes(lt_front_search *search, lt_box boxes[2], uint32_t *units);

static inline const lt_front_side *lt_skin_side(const lt_front_search *search, uint32_t direction) {
    LT_ASSERT(direction < 2);
    return &search->sides[direction];
}
static inline const lt_front_side *lt_solid_side(const lt_front_search *search, uint32_t direction) {
    LT_ASSERT(direction < 2 && !search->obstacle);
    return &search->sides[1 - direction];
}

/* ---- leaves (front_leaf.c) ---- */

uint32_t lt_front_leaf_worst(const lt_front_search *search, const lt_entry *entry, uint32_t direction);
/* Of any leaf. */
uint32_t lt_front_any_leaf_worst(void);
/* Samples of the leaf get the tets that hold them best; returns its units. */
uint32_t lt_front_leaf_test(lt_front_search *search, const lt_entry *entry, uint32_t direction, float reach);
/* The touch of a sample of a skin leaf that was looked at; false: it is too far away. Paid with its leaf. */
bool lt_front_touch(const lt_front_search *search, uint32_t direction, uint32_t skin, uint32_t place,
                    lt_touch *touch);

/* The least weight of a sample in a tet of the other body. */
float lt_front_weight(const lt_front_search *search, uint32_t direction, uint32_t lane, uint32_t tet);
/* Whether a skin leaf was tested in this search; with a solid leaf. */
static inline bool lt_front_was_tested(const lt_front_search *search, uint32_t direction, uint32_t skin) {
    return search->memory->skins[direction][skin].turn == search->memory->turn;
}
bool lt_front_was_tested_with(const lt_front_search *search, uint32_t direction, uint32_t skin,
                              uint32_t solid);

#endif
