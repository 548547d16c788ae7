/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The traversal of two trees as a cursor: interruptible at every test (papers/000 §4.2; M6–M8).
 *
 * A tree is nodes in blocks of eight siblings, refreshed block by block. The front is a cut of all pairs of nodes: every
 * pair of leaves that may touch lies under exactly one pair of the front. It begins as the two roots; one piece of work
 * replaces a pair by those of its children that come near: tested when found, so that nothing in the front is untested.
 *
 *   queued   may be refined further: in the order that was asked for
 *   found    leaf against leaf, or fine enough for the tolerance: done with
 *
 * Cut anywhere, queued and found together are the answer. A pair's `bound` is what its overlap proves: the solids come
 * that near to each other. It is never more than its parent pair's.
 *
 * With a cache (front_cache.h), what an earlier turn tested is not tested again while nothing can have changed: a pair is
 * replaced by the lanes that came near then, or done with where none did. It is a front all the way, cut anywhere.
 *
 * Best first: 256 buckets, four to every factor of two of the key, so that order costs as little as a plain queue. */

#ifndef LITHE_DETECT_TRAVERSE_H
#define LITHE_DETECT_TRAVERSE_H

#include "bound/bound.h"
#include "core/budget.h"

typedef struct lt_tree lt_tree;
struct lt_tree {
    void *state;              /* of the bound */
    const uint32_t *children; /* [node] block of a node's children; LT_NONE: leaf */
    const uint32_t *levels;   /* [block]; NULL: the root alone */
    uint32_t deepest_level;   /* whose nodes are all leaves */
    const uint32_t *stamps;   /* [block] fresh when it is `stamp` */
    uint32_t stamp;
    const float *
        errors; /* at rest: of a node, errors[error_stride × block + lane]; the coarser side is refined first */
    uint32_t error_stride;
    float scale; /* of errors */
    uint32_t (*refresh_cost)(const void *state, uint32_t block);
    void (*refresh)(void *state, uint32_t block);
    /* NULL, or many tests of blocks of a tree with nodes of another, side 0 and 1, where both have it. */
    void (*test_rows)(lt_row_test *rows, uint32_t count, const lt_tree *a, const lt_tree *b, float margin);
};

static inline bool lt_tree_is_leaf(const lt_tree *tree, uint32_t node) {
    return tree->children[node] == LT_NONE;
}

/* Bits of the lanes of a block of x that come within `margin` of a node of y. `keys` [8] is NULL or gets what refining
 * the pair is worth; `bounds` [8] what the overlap proves, m. */
typedef uint32_t lt_tree_test(const lt_tree *x, uint32_t block, const lt_tree *y, uint32_t node, float margin,
                              float *keys, float *bounds);

/* How sure a test is: what has to move for it to come out otherwise. */
typedef struct lt_tree_gap {
    float
        apart; /* m, least distance of the pieces under lanes that did not come near from those under the node; less
                    * what rounding, and what hangs on links, may take off in any motion. Not negative */
    float overlap; /* m, the largest of the lanes that came near; 1e18 when none did */
} lt_tree_gap;
/* Of a block of x and a node of y, whose `lanes` came near. */
typedef lt_tree_gap lt_tree_measure(const lt_tree *x, uint32_t block, const lt_tree *y, uint32_t node,
                                    uint32_t lanes);
/* `bounds` [8] of a test, for all lanes. */
typedef void lt_tree_bounds(const lt_tree *x, uint32_t block, const lt_tree *y, uint32_t node, float *bounds);

/* How a pair is refined: the children of one side against the node of the other. */
typedef struct lt_expansion {
    uint32_t block, node;
    bool a_side; /* whose block it is */
} lt_expansion;

static inline float lt_tree_error(const lt_tree *tree, uint32_t node) {
    return tree->scale * tree->errors[(size_t)tree->error_stride * (node / LT_LANES) + node % LT_LANES];
}

/* Of two nodes that are not both leaves. The side to refine is the one that is not a leaf, else the coarser one. By errors
 * at rest, so that the tree of pairs is the same in every step. */
static inline lt_expansion lt_expansion_of(const lt_tree *tree_a, const lt_tree *tree_b, uint32_t a,
                                           uint32_t b) {
    bool a_side = lt_tree_is_leaf(tree_b, b) ||
                  (!lt_tree_is_leaf(tree_a, a) && lt_tree_error(tree_a, a) >= lt_tree_error(tree_b, b));
    return a_side ? (lt_expansion){tree_a->children[a], b, true}
                  : (lt_expansion){tree_b->children[b], a, false};
}

static inline void lt_expansion_child(const lt_expansion *e, uint32_t lane, uint32_t *a, uint32_t *b) {
    uint32_t child = e->block * LT_LANES + lane;
    *a = e->a_side ? child : e->node;
    *b = e->a_side ? e->node : child;
}

typedef struct lt_front_pair {
    uint32_t a, b; /* nodes; the same in a tree with itself: all that is under it against itself */
    float bound;
    uint32_t next;
} lt_front_pair;

/* Where a traversal finds what was tested before, and leaves what it tests. */
typedef struct lt_front_memory {
    struct lt_front_cache *cache; /* NULL: none */
    struct lt_kept_front *front;  /* of these two bodies */
    lt_tree_measure *measure;
    lt_tree_bounds *bounds;
    uint32_t *records; /* [capacity of the pool] scratch: of pairs that are queued */
} lt_front_memory;

/* With a cache, what an expansion costs more: taken from a record it takes as long as a test, tested and recorded about
 * twice that. One price for both, or a grant for tests could be spent on what leads to more. */
enum { LT_RECORD_UNITS = 4 };

enum { LT_BUCKETS = 256 };

typedef struct lt_traverse {
    /* Input */
    lt_tree a, b;
    bool self; /* a with itself; b is a copy of a */
    lt_tree_test *test;
    /* Of a tree with itself: whether two nodes may collide, by what else is known */
    bool (*may_collide)(const void *state, uint32_t x, uint32_t y);
    lt_order order;
    float margin;
    float tolerance;     /* m: pairs whose bound is no larger are not refined; 0: down to the leaves */
    lt_front_pair *pool; /* [capacity] */
    uint32_t capacity;
    uint32_t *uses; /* [node_count of a], or NULL: pairs of the front by their first node */
    uint32_t node_count;
    lt_front_memory memory;
    /* State */
    uint32_t free; /* first pair given back */
    uint32_t used; /* pairs of the pool that were ever in use */
    uint32_t heads[LT_BUCKETS], tail;
    uint64_t filled[LT_BUCKETS / 64]; /* bits of buckets that are not empty */
    uint32_t key_base;                /* of the first key */
    /* Result */
    uint32_t queued_count, found_count;
    uint32_t used_nodes; /* of the first tree, in the front; with `uses` only */
    uint32_t high_water; /* most pairs in the pool at a time */
    uint64_t tested;     /* pairs of nodes */
    uint32_t replayed;   /* expansions that a record stood for */
    bool full;           /* the pool was: refined no further */
} lt_traverse;

/* The front is the two roots (node 0 and node 0), whose overlap proves `bound`. The pool has room for one pair at least. */
void lt_traverse_begin(lt_traverse *traverse, float bound);
/* Whether it still is. */
static inline bool lt_traverse_is_new(const lt_traverse *traverse) {
    return traverse->tested == 0 && traverse->replayed == 0;
}
/* Next piece: a refresh (LT_WORK_REFRESH) or a block of tests (LT_WORK_TRAVERSE), cost 0 when done or full. `reserve` is
 * that of one pair, times how many more a piece may make. */
lt_piece lt_traverse_peek(const lt_traverse *traverse, uint32_t reserve);
/* Pieces of the kind peek names while they fit; at least one. Returns their cost. */
uint32_t lt_traverse_step(lt_traverse *traverse, uint32_t grant);

/* The front, pair by pair: first what was found, in the order of finding, then what is queued. Begin with LT_NONE;
 * LT_NONE at the end. */
uint32_t lt_front_next(const lt_traverse *traverse, uint32_t pair, uint32_t *bucket);

/* A text on what is wrong with the front; NULL: nothing is. Every pair of the pool is queued, found or free. */
const char *lt_validate_traverse(const lt_traverse *traverse);

#endif
