/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/traverse.h"

#include "detect/front_cache.h"

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

static void enqueue(lt_traverse *t, uint32_t a, uint32_t b, float bound, float key, uint32_t record) {
    if (t->key_base == 0) t->key_base = bits_of(key) >> 21;
    uint32_t pair = take_pair(t), bucket = bucket_of(t, key);
    use_node(t, a);
    t->pool[pair] = (lt_front_pair){a, b, bound, t->heads[bucket], record};
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
    t->pool[t->capacity - 1 - t->found_count++] = (lt_front_pair){a, b, bound, LT_NONE, LT_NONE};
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

typedef enum piece_kind {
    PIECE_REFRESH, /* the block is stale */
    PIECE_TEST,
    PIECE_REPLAY, /* a record says what the test would */
    PIECE_CLOSE   /* a record says that nothing below comes near */
} piece_kind;

/* What comes next: the first pair of the best bucket, and how it is refined. */
typedef struct next_piece {
    piece_kind kind;
    uint32_t bucket;
    uint32_t growth; /* most pairs that come for the one */
    lt_expansion expansion;
} next_piece;

static void add_pair(lt_traverse *t, uint32_t a, uint32_t b, float bound, float key, uint32_t record) {
    bool leaves = lt_tree_is_leaf(&t->a, a) && lt_tree_is_leaf(&t->b, b);
    if (t->self && ((a == b && leaves) || !t->may_collide(t->a.state, a, b))) return;
    if (leaves || bound <= t->tolerance)
        keep_found(t, a, b, bound);
    else
        enqueue(t, a, b, bound, key, record);
}

/* Whether all that an expansion leads to is leaf against leaf. Most tests are of this last level: what they find is done
 * with, and needs no key. */
static bool is_last(const lt_traverse *t, const lt_expansion *e) {
    const lt_tree *x = e->a_side ? &t->a : &t->b, *y = e->a_side ? &t->b : &t->a;
    return x->levels[e->block] == x->deepest_level && lt_tree_is_leaf(y, e->node) && !t->self;
}

/* The record of a lane that came near, made if there is none; LT_NONE: leaf against leaf, or no room. */
static uint32_t record_lane(lt_traverse *t, uint32_t parent, uint32_t lane, uint32_t a, uint32_t b,
                            float key) {
    lt_front_cache *cache = t->memory.cache;
    if (parent == LT_NONE || (lt_tree_is_leaf(&t->a, a) && lt_tree_is_leaf(&t->b, b))) return LT_NONE;
    uint32_t record = lt_front_cache_child(cache, parent, lane);
    if (record == LT_NONE) record = lt_front_cache_take(cache, parent, lane);
    if (record == LT_NONE)
        cache->records[parent].whole = false;
    else
        cache->records[record].key = key >= 0 && key < 3e38f ? key : 0;
    return record;
}

/* Notes the outcome of a test. */
static void record_test(lt_traverse *t, uint32_t record, const lt_expansion *e, uint32_t lanes) {
    const lt_tree *x = e->a_side ? &t->a : &t->b, *y = e->a_side ? &t->b : &t->a;
    lt_front_cache *cache = t->memory.cache;
    lt_front_record *r = &cache->records[record];
    lt_front_cache_keep_lanes(cache, record, lanes);
    lt_tree_gap gap = t->memory.measure(x, e->block, y, e->node, lanes);
    r->until = t->memory.front->moved + (double)lt_min_f(gap.apart, gap.overlap + t->margin);
    r->empty_until = lanes ? LT_NOT_EMPTY : r->until;
    r->near = (uint8_t)lanes;
    r->tested = r->whole = true;
    if (!lanes) lt_front_cache_close(cache, record);
}

/* Children of one side against the other side's node. */
static void refine(lt_traverse *t, const lt_front_pair *p, const lt_expansion *e) {
    float keys[LT_LANES], bounds[LT_LANES];
    const lt_tree *x = e->a_side ? &t->a : &t->b, *y = e->a_side ? &t->b : &t->a;
    bool last = is_last(t, e), by_key = t->order == LT_ORDER_BEST_FIRST && !last;
    uint32_t bits = t->test(x, e->block, y, e->node, t->margin, by_key ? keys : NULL, bounds);
    if (p->record != LT_NONE) record_test(t, p->record, e, bits);
    for (; bits; bits &= bits - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(bits), a, b;
        lt_expansion_child(e, lane, &a, &b);
        float bound = lt_min_f(p->bound, bounds[lane]), key = by_key ? keys[lane] : 0;
        if (last)
            keep_found(t, a, b, bound);
        else
            add_pair(t, a, b, bound, key, record_lane(t, p->record, lane, a, b, key));
    }
    t->tested += LT_LANES;
}

/* The same, by what was found before. */
static void replay(lt_traverse *t, const lt_front_pair *p, const lt_expansion *e) {
    float bounds[LT_LANES];
    const lt_tree *x = e->a_side ? &t->a : &t->b, *y = e->a_side ? &t->b : &t->a;
    const lt_front_cache *cache = t->memory.cache;
    bool last = is_last(t, e);
    t->memory.bounds(x, e->block, y, e->node, bounds);
    for (uint32_t bits = cache->records[p->record].near; bits; bits &= bits - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(bits), a, b;
        lt_expansion_child(e, lane, &a, &b);
        float bound = lt_min_f(p->bound, bounds[lane]);
        uint32_t record = last ? LT_NONE : lt_front_cache_child(cache, p->record, lane);
        if (record == LT_NONE)
            keep_found(t, a, b, bound);
        else
            add_pair(t, a, b, bound, cache->records[record].key, record);
    }
    t->replayed++;
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
        add_pair(t, child, child, p->bound, by_key ? keys[lane] : 0, LT_NONE);
        for (bits &= ~1u; bits; bits &= bits - 1) {
            uint32_t other = lane + (uint32_t)__builtin_ctz(bits);
            add_pair(t, child, block * LT_LANES + other, lt_min_f(p->bound, bounds[other]),
                     by_key ? keys[other] : 0, LT_NONE);
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

/* What a record allows: a test, or less. Where nothing came near but that may have changed the test comes first: what is
 * below may be apart as a whole by now, and would be looked at for nothing. */
static piece_kind kind_of(const lt_traverse *t, const lt_front_pair *p) {
    if (p->record == LT_NONE) return PIECE_TEST;
    const lt_front_record *r = &t->memory.cache->records[p->record];
    double needed = t->memory.front->moved + (double)t->margin;
    if (r->empty_until > needed) return PIECE_CLOSE;
    return r->empty_until < 0 && r->tested && r->whole && r->until > needed ? PIECE_REPLAY : PIECE_TEST;
}

static bool find_next(const lt_traverse *t, next_piece *next) {
    next->bucket = best_bucket(t);
    if (next->bucket == LT_NONE) return false;
    const lt_front_pair *p = &t->pool[t->heads[next->bucket]];
    next->growth = growth_of(t, p);
    if (t->capacity < t->used + t->found_count + next->growth) return false; /* no room */
    next->expansion = lt_expansion_of(&t->a, &t->b, p->a, p->b);
    const lt_tree *x = next->expansion.a_side ? &t->a : &t->b;
    next->kind = kind_of(t, p);
    if (next->kind != PIECE_CLOSE && x->stamps[next->expansion.block] != x->stamp) next->kind = PIECE_REFRESH;
    return true;
}

/* Without room for a root nothing of this pair is recorded. */
static uint32_t root_record(lt_front_memory *m) {
    if (!m->cache) return LT_NONE;
    if (m->front->root == LT_NONE) m->front->root = lt_front_cache_take(m->cache, LT_NONE, 0);
    if (m->front->root == LT_NONE) m->cache = NULL;
    return m->front->root;
}

void lt_traverse_begin(lt_traverse *traverse, float bound) {
    lt_traverse *t = traverse;
    for (int i = 0; i < LT_BUCKETS; i++)
        t->heads[i] = LT_NONE;
    memset(t->filled, 0, sizeof t->filled);
    t->free = t->tail = LT_NONE;
    t->used = t->queued_count = t->found_count = t->high_water = t->used_nodes = 0;
    if (t->uses) memset(t->uses, 0, t->node_count * sizeof *t->uses);
    t->tested = t->replayed = 0;
    t->full = false;
    t->key_base = 0;
    if (t->self ? lt_tree_is_leaf(&t->a, 0) : lt_tree_is_leaf(&t->a, 0) && lt_tree_is_leaf(&t->b, 0)) {
        if (!t->self) keep_found(t, 0, 0, bound);
        return;
    }
    enqueue(t, 0, 0, bound, 0, root_record(&t->memory));
    next_piece next;
    t->full = !find_next(t, &next); /* nobody steps what cannot begin */
}

static uint32_t cost_of(const lt_traverse *t, const next_piece *next) {
    const lt_tree *x = next->expansion.a_side ? &t->a : &t->b;
    if (next->kind == PIECE_REFRESH) return x->refresh_cost(x->state, next->expansion.block);
    if (next->growth > LT_LANES) return LT_LANES * LT_LANES;
    return LT_LANES + (t->memory.cache ? LT_RECORD_UNITS : 0);
}

lt_piece lt_traverse_peek(const lt_traverse *traverse, uint32_t reserve) {
    next_piece next;
    if (!find_next(traverse, &next)) return (lt_piece){LT_WORK_TRAVERSE, 0, 0};
    uint32_t cost = cost_of(traverse, &next);
    if (next.kind == PIECE_REFRESH) return (lt_piece){LT_WORK_REFRESH, cost, 0};
    return (lt_piece){LT_WORK_TRAVERSE, cost, (next.growth - 1) * reserve};
}

static void do_piece(lt_traverse *t, const next_piece *next) {
    const lt_tree *x = next->expansion.a_side ? &t->a : &t->b;
    if (next->kind == PIECE_REFRESH) {
        x->refresh(x->state, next->expansion.block);
        return;
    }
    lt_front_pair p = dequeue(t, next->bucket);
    if (next->kind == PIECE_CLOSE) {
        lt_front_cache_close(t->memory.cache, p.record);
        t->replayed++;
    } else if (next->kind == PIECE_REPLAY) {
        replay(t, &p, &next->expansion);
    } else if (t->self && p.a == p.b) {
        refine_self(t, &p);
    } else {
        refine(t, &p, &next->expansion);
    }
    t->high_water = lt_max_u32(t->high_water, t->queued_count + t->found_count);
}

uint32_t lt_traverse_step(lt_traverse *traverse, uint32_t grant) {
    lt_traverse *t = traverse;
    next_piece next = {0};
    uint32_t spent = 0;
    bool more = find_next(t, &next), refreshing = more && next.kind == PIECE_REFRESH;
    while (more && (next.kind == PIECE_REFRESH) == refreshing) {
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
