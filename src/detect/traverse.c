/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/traverse.h"

#include <string.h>

/* ---- the queue: lists of pairs by bucket ---- */

static uint32_t bits_of(float key) {
    uint32_t bits;
    memcpy(&bits, &key, sizeof bits);
    return bits;
}

/* Four buckets for every factor of two, the first key in the middle of the upper half. Keys are not negative. */
static uint32_t bucket_of(const lt_traverse *t, float key) {
    if (t->order != LT_ORDER_BEST_FIRST) return 0;
    int32_t place = (int32_t)(bits_of(key) >> 21) - (int32_t)t->key_base + 3 * LT_BUCKETS / 4;
    return place < 0 ? 0 : place >= LT_BUCKETS ? LT_BUCKETS - 1 : (uint32_t)place;
}

static uint32_t take_pair(lt_traverse *t) {
    uint32_t pair = t->free;
    if (pair == LT_NONE) return t->used++;
    t->free = t->pool[pair].next;
    return pair;
}

static void use_node(lt_traverse *t, uint32_t a) {
    if (t->uses && t->uses[a]++ == 0) t->used_nodes++;
}

static void enqueue(lt_traverse *t, uint32_t a, uint32_t b, float bound, float key) {
    if (t->key_base == 0) t->key_base = bits_of(key) >> 21;
    uint32_t pair = take_pair(t), bucket = bucket_of(t, key);
    use_node(t, a);
    t->pool[pair] = (lt_front_pair){a, b, bound, t->heads[bucket]};
    t->queued_count++;
    if (t->order == LT_ORDER_FIFO && t->queued_count > 1) {
        t->pool[pair].next = LT_NONE;
        t->pool[t->tail].next = pair;
    } else {
        t->heads[bucket] = pair;
    }
    t->tail = pair;
    t->filled[bucket / 64] |= (uint64_t)1 << (bucket % 64);
}

/* Found pairs fill the pool from its end, one behind the other. */
static void keep_found(lt_traverse *t, uint32_t a, uint32_t b, float bound) {
    use_node(t, a);
    t->pool[t->capacity - 1 - t->found_count++] = (lt_front_pair){a, b, bound, LT_NONE};
}

static uint32_t best_bucket(const lt_traverse *t) {
    for (uint32_t word = LT_BUCKETS / 64; word-- > 0;)
        if (t->filled[word]) return 64 * word + 63 - (uint32_t)__builtin_clzll(t->filled[word]);
    return LT_NONE;
}

static lt_front_pair dequeue(lt_traverse *t, uint32_t bucket) {
    uint32_t pair = t->heads[bucket];
    lt_front_pair out = t->pool[pair];
    t->heads[bucket] = out.next;
    if (out.next == LT_NONE) t->filled[bucket / 64] &= ~((uint64_t)1 << (bucket % 64));
    t->pool[pair].next = t->free;
    t->free = pair;
    t->queued_count--;
    if (t->uses && --t->uses[out.a] == 0) t->used_nodes--;
    return out;
}

/* ---- one expansion ---- */

/* What comes next: the first pair of the best bucket, the block that is to replace one of its sides. */
typedef struct next_piece {
    uint32_t bucket;
    uint32_t block;
    uint32_t growth; /* most pairs that come for the one */
    bool a_side;     /* whose block it is */
    bool stale;      /* it must be refreshed first */
} next_piece;

static float error_of(const lt_tree *tree, uint32_t node) {
    return tree->scale * tree->errors[(size_t)tree->error_stride * (node / LT_LANES) + node % LT_LANES];
}

/* The side to refine: the one that is not a leaf, else the coarser one. By errors at rest, so that the tree of pairs is
 * the same in every step. */
static bool refines_a(const lt_traverse *t, const lt_front_pair *p) {
    if (lt_tree_is_leaf(&t->a, p->a)) return false;
    if (lt_tree_is_leaf(&t->b, p->b)) return true;
    return error_of(&t->a, p->a) >= error_of(&t->b, p->b);
}

static void add_pair(lt_traverse *t, uint32_t a, uint32_t b, float bound, float key) {
    bool leaves = lt_tree_is_leaf(&t->a, a) && lt_tree_is_leaf(&t->b, b);
    if (t->self && ((a == b && leaves) || !t->may_collide(t->a.state, a, b))) return;
    if (leaves || bound <= t->tolerance)
        keep_found(t, a, b, bound);
    else
        enqueue(t, a, b, bound, key);
}

/* Children of one side against the other side's node. Most tests are of the last level: what they find is done with, and
 * needs no key. */
static void refine(lt_traverse *t, const lt_front_pair *p, const next_piece *next) {
    float keys[LT_LANES], bounds[LT_LANES];
    bool a_side = next->a_side;
    const lt_tree *x = a_side ? &t->a : &t->b, *y = a_side ? &t->b : &t->a;
    uint32_t block = next->block, node = a_side ? p->b : p->a;
    bool last = x->levels[block] == x->deepest_level && lt_tree_is_leaf(y, node) && !t->self;
    bool by_key = t->order == LT_ORDER_BEST_FIRST && !last;
    uint32_t bits = t->test(x, block, y, node, t->margin, by_key ? keys : NULL, bounds);
    for (; bits; bits &= bits - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(bits), child = block * LT_LANES + lane;
        uint32_t a = a_side ? child : node, b = a_side ? node : child;
        float bound = lt_min_f(p->bound, bounds[lane]);
        if (last)
            keep_found(t, a, b, bound);
        else
            add_pair(t, a, b, bound, by_key ? keys[lane] : 0);
    }
    t->tested += LT_LANES;
}

/* A node with itself: its children with themselves and with each other. */
static void refine_self(lt_traverse *t, const lt_front_pair *p) {
    float keys[LT_LANES] = {0}, bounds[LT_LANES];
    bool by_key = t->order == LT_ORDER_BEST_FIRST;
    uint32_t block = t->a.children[p->a];
    for (uint32_t lane = 0; lane < LT_LANES; lane++) {
        uint32_t child = block * LT_LANES + lane;
        uint32_t bits = t->test(&t->a, block, &t->a, child, t->margin, by_key ? keys : NULL, bounds) >> lane;
        if (!(bits & 1)) continue; /* an empty lane does not even touch itself */
        add_pair(t, child, child, p->bound, by_key ? keys[lane] : 0);
        for (bits &= ~1u; bits; bits &= bits - 1) {
            uint32_t other = lane + (uint32_t)__builtin_ctz(bits);
            add_pair(t, child, block * LT_LANES + other, lt_min_f(p->bound, bounds[other]),
                     by_key ? keys[other] : 0);
        }
    }
    t->tested += LT_LANES * LT_LANES;
}

/* ---- the cursor ---- */

/* Most pairs that replacing one may add. */
static uint32_t growth_of(const lt_traverse *t, const lt_front_pair *p) {
    enum { PAIRS_OF_A_BLOCK = LT_LANES * (LT_LANES + 1) / 2 };
    return t->self && p->a == p->b ? PAIRS_OF_A_BLOCK : LT_LANES;
}

static bool find_next(const lt_traverse *t, next_piece *next) {
    next->bucket = best_bucket(t);
    if (next->bucket == LT_NONE) return false;
    const lt_front_pair *p = &t->pool[t->heads[next->bucket]];
    next->growth = growth_of(t, p);
    if (t->capacity < t->used + t->found_count + next->growth) return false; /* no room */
    next->a_side = (t->self && p->a == p->b) || refines_a(t, p);
    const lt_tree *x = next->a_side ? &t->a : &t->b;
    next->block = x->children[next->a_side ? p->a : p->b];
    next->stale = x->stamps[next->block] != x->stamp;
    return true;
}

void lt_traverse_begin(lt_traverse *traverse, float bound) {
    lt_traverse *t = traverse;
    for (int i = 0; i < LT_BUCKETS; i++)
        t->heads[i] = LT_NONE;
    memset(t->filled, 0, sizeof t->filled);
    t->free = t->tail = LT_NONE;
    t->used = t->queued_count = t->found_count = t->high_water = t->used_nodes = 0;
    if (t->uses) memset(t->uses, 0, t->node_count * sizeof *t->uses);
    t->tested = 0;
    t->full = false;
    t->key_base = 0;
    if (t->self ? lt_tree_is_leaf(&t->a, 0) : lt_tree_is_leaf(&t->a, 0) && lt_tree_is_leaf(&t->b, 0)) {
        if (!t->self) keep_found(t, 0, 0, bound);
        return;
    }
    enqueue(t, 0, 0, bound, 0);
    next_piece next;
    t->full = !find_next(t, &next); /* nobody steps what cannot begin */
}

static uint32_t cost_of(const lt_traverse *t, const next_piece *next) {
    const lt_tree *x = next->a_side ? &t->a : &t->b;
    if (next->stale) return x->refresh_cost(x->state, next->block);
    return next->growth > LT_LANES ? LT_LANES * LT_LANES : LT_LANES;
}

lt_piece lt_traverse_peek(const lt_traverse *traverse, uint32_t reserve) {
    next_piece next;
    if (!find_next(traverse, &next)) return (lt_piece){LT_WORK_TRAVERSE, 0, 0};
    uint32_t cost = cost_of(traverse, &next);
    if (next.stale) return (lt_piece){LT_WORK_REFRESH, cost, 0};
    return (lt_piece){LT_WORK_TRAVERSE, cost, (next.growth - 1) * reserve};
}

static void do_piece(lt_traverse *t, const next_piece *next) {
    const lt_tree *x = next->a_side ? &t->a : &t->b;
    if (next->stale) {
        x->refresh(x->state, next->block);
        return;
    }
    lt_front_pair p = dequeue(t, next->bucket);
    if (t->self && p.a == p.b)
        refine_self(t, &p);
    else
        refine(t, &p, next);
    t->high_water = lt_max_u32(t->high_water, t->queued_count + t->found_count);
}

uint32_t lt_traverse_step(lt_traverse *traverse, uint32_t grant) {
    lt_traverse *t = traverse;
    next_piece next;
    uint32_t spent = 0;
    bool more = find_next(t, &next), refreshing = more && next.stale;
    while (more && next.stale == refreshing) {
        uint32_t cost = cost_of(t, &next);
        if (spent + cost > grant) break;
        do_piece(t, &next);
        spent += cost;
        more = find_next(t, &next);
    }
    t->full = !more && t->queued_count > 0;
    return spent;
}

uint32_t lt_front_next(const lt_traverse *traverse, uint32_t pair, uint32_t *bucket) {
    const lt_traverse *t = traverse;
    uint32_t first_found = t->capacity - t->found_count; /* the last that was found */
    if (pair == LT_NONE) {
        *bucket = LT_BUCKETS;
        if (t->found_count) return t->capacity - 1;
    } else if (*bucket == LT_BUCKETS) {
        if (pair > first_found) return pair - 1;
        pair = LT_NONE;
    } else {
        pair = t->pool[pair].next;
    }
    while (pair == LT_NONE && *bucket > 0)
        pair = t->heads[--*bucket];
    return pair;
}
