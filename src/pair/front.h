/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Fronts kept over steps: for each pair, a set of entries that together cover all of its two sides.
 *
 *   entry   a part of one side's skin against a part of the other side's solid (or against an obstacle)
 *
 *            root (skin 0, solid 0)            inner   has two children that cover it: one of its sides is split
 *               /          \                   apart   nothing below can touch before the pair's clock reaches `until`
 *           inner          apart               leaf    skin leaf against solid leaf: its contacts stand until the clock
 *           /    \                                     reaches `active`
 *        leaf    apart                         open    none of these yet: it was not looked at since it expired
 *
 * until and active of an inner entry are the least of those below: what has not expired is not visited.
 *
 * A pair has two roots, points of a in tets of b and points of b in tets of a; with an obstacle the second one is not used. Entries live
 * in one pool, by twos: siblings stand side by side. Which place an entry has decides nothing. Dropping is O(1): what is
 * dropped goes to a list whole, and is taken apart when entries are wanted again. */

#ifndef LITHE_PAIR_FRONT_H
#define LITHE_PAIR_FRONT_H

#include "bound/shape_tree.h"
#include "core/stream.h"
#include "pair/pair.h"

typedef struct lt_entry {
    uint32_t skin;  /* node of the tree of the side whose points are looked at */
    uint32_t solid; /* node of the other side's; LT_NONE: an obstacle */
    uint32_t child; /* first of two entries; 0: none, LT_ENTRY_LEAF: none, and it cannot be split */
    float
        nearness; /* m, minus the least gap over the step in which it was looked at: the greater, the sooner */
    double until;  /* m on the pair's clock */
    double active; /* m on the pair's clock */
} lt_entry;

enum { LT_ENTRY_LEAF = 1 };

/* Of an entry that is no leaf, or not apart. */
#define LT_NEVER  1e30
#define LT_ALWAYS (-1e30)

typedef struct lt_front_pool {
    lt_entry *entries; /* [capacity], an even number; 0 and 1 are never taken */
    uint32_t capacity;
    uint32_t used;      /* entries that were ever taken, the first two included */
    uint32_t free_pair; /* list of what was dropped, linked by `skin` of the first entry; 0: none */
} lt_front_pool;

/* Room for so many; entries stay. False when memory is out, and nothing has changed. */
bool lt_front_pool_reserve(lt_front_pool *pool, uint32_t capacity, const lt_allocator *allocator);
void lt_front_pool_free(lt_front_pool *pool, const lt_allocator *allocator);
/* Two entries without children, both expired; 0: there is no room. */
uint32_t lt_front_take(lt_front_pool *pool);
/* An entry's children are dropped; it stays. */
void lt_front_drop_children(lt_front_pool *pool, uint32_t entry);
/* Two siblings and all below them. */
void lt_front_drop(lt_front_pool *pool, uint32_t first);

/* The two roots of a pair that begins; 0: there is no room. */
uint32_t lt_front_begin(lt_front_pool *pool, const lt_pair *pair);
/* Back to the roots: nothing is known. */
void lt_front_forget(lt_front_pool *pool, uint32_t roots, const lt_pair *pair);

static inline bool lt_entry_is_inner(const lt_entry *entry) {
    return entry->child > LT_ENTRY_LEAF;
}
static inline bool lt_entry_is_tested_leaf(const lt_entry *entry) {
    return !lt_entry_is_inner(entry) && entry->active < LT_NEVER;
}

/* ---- as state ---- */

/* The trees of both sides, [direction]; no solid: an obstacle. */
typedef struct lt_front_trees {
    const lt_shape_tree *skin[2], *solid[2];
} lt_front_trees;

/* Visits a front, parents first. LOAD takes its entries from the pool; `count`: of those of fronts visited so far, so that CHECK
 * finds whether all fit. CHECK looks at the trees. */
void lt_front_visit(lt_stream *stream, lt_front_pool *pool, uint32_t roots, const lt_pair *pair,
                    const lt_front_trees *trees, uint64_t *count);

/* A text on what is wrong with a front; NULL: nothing is. */
const char *lt_validate_front(const lt_front_pool *pool, uint32_t roots);

#endif
