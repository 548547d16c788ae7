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
static uint32_t bucket_of(lt_traverse *t, float key) {
    if (t->order != LT_ORDER_BEST_FIRST) return 0;
    if (t->key_base == 0) t->key_base = bits_of(key) >> 21;
    int32_t place = (int32_t)(bits_of(key) >> 21) - (int32_t)t->key_base + 3 * LT_BUCKETS / 4;
    return place < 0 ? 0 : place >= LT_BUCKETS ? LT_BUCKETS - 1 : (uint32_t)place;
}

static uint32_t take_pair(lt_traverse *t) {
    LT_ASSERT(t->free != LT_NONE || t->used + t->found_count < t->capacity); /* growth was allowed for */
    uint32_t pair = t->free;
    if (pair == LT_NONE) return t->used++;
    t->free = t->pool[pair].next;
    return pair;
}

static void use_node(lt_traverse *t, uint32_t a) {
    if (t->uses && t->uses[a]++ == 0) t->used_nodes++;
}

static inline void enqueue(lt_traverse *t, uint32_t a, uint32_t b, float bound, float key, uint32_t record) {
    lt_front_pair *pool = t->pool;
    uint32_t pair = take_pair(t), bucket = bucket_of(t, key), *link = &t->heads[bucket];
    bool behind = t->order == LT_ORDER_FIFO && t->queued_count > 0;
    if (behind) link = &pool[t->tail].next;
    pool[pair] = (lt_front_pair){a, b, bound, behind ? LT_NONE : *link};
    if (t->memory.cache) t->memory.records[pair] = record;
    *link = pair;
    t->tail = pair;
    t->queued_count++;
    t->filled[bucket / 64] |= (uint64_t)1 << (bucket % 64);
    use_node(t, a);
}

/* Found pairs fill the pool from its end, one behind the other. */
static void keep_found(lt_traverse *t, uint32_t a, uint32_t b, float bound) {
    use_node(t, a);
    LT_ASSERT(t->used + t->found_count < t->capacity);
    t->pool[t->capacity - 1 - t->found_count++] = (lt_front_pair){a, b, bound, LT_NONE};
}

static uint32_t best_bucket(const lt_traverse *t) {
    for (uint32_t word = LT_BUCKETS / 64; word-- > 0;)
        if (t->filled[word]) return 64 * word + 63 - (uint32_t)__builtin_clzll(t->filled[word]);
    return LT_NONE;
}

static void give_back(lt_traverse *t, uint32_t pair) {
    LT_ASSERT(pair < t->used);
    if (t->uses && --t->uses[t->pool[pair].a] == 0) t->used_nodes--;
    t->pool[pair].next = t->free;
    t->free = pair;
}

static lt_front_pair dequeue(lt_traverse *t, uint32_t bucket) {
    LT_ASSERT(bucket < LT_BUCKETS && t->queued_count > 0);
    uint32_t pair = t->heads[bucket];
    lt_front_pair out = t->pool[pair];
    t->heads[bucket] = out.next;
    if (out.next == LT_NONE) t->filled[bucket / 64] &= ~((uint64_t)1 << (bucket % 64));
    t->queued_count--;
    give_back(t, pair);
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
    bool in_a_row;   /* others may be taken with it before it is tested */
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
static inline bool is_last(const lt_traverse *t, const lt_expansion *e) {
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
static void refine(lt_traverse *t, const lt_front_pair *p, const lt_expansion *e, uint32_t record) {
    float keys[LT_LANES], bounds[LT_LANES];
    const lt_tree *x = e->a_side ? &t->a : &t->b, *y = e->a_side ? &t->b : &t->a;
    bool last = is_last(t, e), by_key = t->order == LT_ORDER_BEST_FIRST && !last;
    uint32_t bits = t->test(x, e->block, y, e->node, t->margin, by_key ? keys : NULL, bounds);
    if (record != LT_NONE) record_test(t, record, e, bits);
    for (; bits; bits &= bits - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(bits), a, b;
        lt_expansion_child(e, lane, &a, &b);
        float bound = lt_min_f(p->bound, bounds[lane]), key = by_key ? keys[lane] : 0;
        if (last)
            keep_found(t, a, b, bound);
        else
            add_pair(t, a, b, bound, key, record_lane(t, record, lane, a, b, key));
    }
    t->tested += LT_LANES;
}

/* The same, by what was found before. */
static void replay(lt_traverse *t, const lt_front_pair *p, const lt_expansion *e, uint32_t parent) {
    float bounds[LT_LANES];
    const lt_tree *x = e->a_side ? &t->a : &t->b, *y = e->a_side ? &t->b : &t->a;
    const lt_front_cache *cache = t->memory.cache;
    bool last = is_last(t, e);
    t->memory.bounds(x, e->block, y, e->node, bounds);
    for (uint32_t bits = cache->records[parent].near; bits; bits &= bits - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(bits), a, b;
        lt_expansion_child(e, lane, &a, &b);
        float bound = lt_min_f(p->bound, bounds[lane]);
        uint32_t record = last ? LT_NONE : lt_front_cache_child(cache, parent, lane);
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

static uint32_t record_of(const lt_traverse *t, uint32_t pair) {
    LT_ASSERT(pair < t->used);
    return t->memory.cache ? t->memory.records[pair] : LT_NONE;
}

/* What a record allows: a test, or less. Where nothing came near but that may have changed the test comes first: what is
 * below may be apart as a whole by now, and would be looked at for nothing. */
static piece_kind kind_of(const lt_traverse *t, uint32_t pair) {
    LT_ASSERT(pair < t->used);
    uint32_t record = record_of(t, pair);
    if (record == LT_NONE) return PIECE_TEST;
    const lt_front_record *r = &t->memory.cache->records[record];
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
    next->kind = kind_of(t, t->heads[next->bucket]);
    if (next->kind != PIECE_CLOSE && x->stamps[next->expansion.block] != x->stamp) next->kind = PIECE_REFRESH;
    next->in_a_row = !t->self && !t->memory.cache && next->kind == PIECE_TEST &&
                     (t->order == LT_ORDER_FIFO || is_last(t, &next->expansion));
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
    uint32_t record = record_of(t, t->heads[next->bucket]);
    lt_front_pair p = dequeue(t, next->bucket);
    if (next->kind == PIECE_CLOSE) {
        lt_front_cache_close(t->memory.cache, record);
        t->replayed++;
    } else if (next->kind == PIECE_REPLAY) {
        replay(t, &p, &next->expansion, record);
    } else if (t->self && p.a == p.b) {
        refine_self(t, &p);
    } else {
        refine(t, &p, &next->expansion, record);
    }
    t->high_water = lt_max_u32(t->high_water, t->queued_count + t->found_count);
}

/* ---- many tests at once ----
 *
 * A leaf against a block of leaves queues nothing, and in a plain queue new pairs come last: of any number of such pairs in
 * a row the next is known before the first was tested. They leave the queue together and are tested together; what they
 * make comes in their order, and takes the places it would have taken one by one. */

enum { ROWS_MOST = 32 };

typedef struct row_batch {
    lt_row_test tests[ROWS_MOST];
    uint32_t pairs[ROWS_MOST]; /* in the pool */
    uint32_t count;
    bool last; /* all of them, or none */
} row_batch;

static uint32_t use_row(uint32_t *uses, uint32_t bits) {
    uint32_t fresh = 0;
    for (uint32_t lane = 0; lane < LT_LANES; lane++) {
        uint32_t is_found = bits >> lane & 1;
        fresh += is_found & (uses[lane] == 0);
        uses[lane] += is_found;
    }
    return fresh;
}

/* Of four lanes with these bits: where each belongs, in bytes from the place of the first found, downwards; and how many
 * are found. */
static const int8_t PLACES[16][4] = {
    {0, 0, 0, 0},   {0, -16, -16, -16}, {0, 0, -16, -16}, {0, -16, -32, -32},
    {0, 0, 0, -16}, {0, -16, -16, -32}, {0, 0, -16, -32}, {0, -16, -32, -48},
    {0, 0, 0, 0},   {0, -16, -16, -16}, {0, 0, -16, -16}, {0, -16, -32, -32},
    {0, 0, 0, -16}, {0, -16, -16, -32}, {0, 0, -16, -32}, {0, -16, -32, -48}};
_Static_assert(sizeof(lt_front_pair) == 16, "places of lanes are in bytes");
static const uint8_t COUNTS[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

/* Two fields of a pair that lie behind each other, for one store. */
static inline uint64_t two_fields(uint32_t first, uint32_t second) {
    uint32_t fields[2] = {first, second};
    uint64_t out;
    memcpy(&out, fields, sizeof out);
    return out;
}

/* Lane by lane without a branch, two stores each: how many of eight are found cannot be foretold, and a guess that fails
 * costs more than eight pairs. There is room for all eight; a place that stays unused is written again. Returns the place
 * of the next. */
static lt_front_pair *write_row(lt_front_pair *place, const lt_row_test *row) {
    uint32_t child = row->block * LT_LANES;
    uint64_t nodes = row->side ? two_fields(row->node, child) : two_fields(child, row->node);
    uint64_t next_lane = row->side ? two_fields(0, 1) : two_fields(1, 0);
    for (uint32_t half = 0; half < 2; half++) {
        uint32_t bits = row->bits >> (4 * half) & 15;
        for (uint32_t i = 0; i < 4; i++, nodes += next_lane) {
            char *at = (char *)place + PLACES[bits][i];
            uint64_t rest = two_fields(bits_of(row->bounds[4 * half + i]), LT_NONE);
            memcpy(at + offsetof(lt_front_pair, a), &nodes, sizeof nodes);
            memcpy(at + offsetof(lt_front_pair, bound), &rest, sizeof rest);
        }
        place -= COUNTS[bits];
    }
    return place;
}

static void test_rows(lt_traverse *t, lt_row_test *rows, uint32_t count) {
    if (t->a.test_rows && t->b.test_rows) {
        t->a.test_rows(rows, count, &t->a, &t->b, t->margin);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        lt_row_test *row = &rows[i];
        const lt_tree *x = row->side ? &t->b : &t->a, *y = row->side ? &t->a : &t->b;
        memset(row->bounds, 0, sizeof row->bounds);
        row->bits = t->test(x, row->block, y, row->node, t->margin, NULL, row->bounds);
        for (uint32_t lane = 0; lane < LT_LANES; lane++)
            row->bounds[lane] = lt_min_f(row->bound, row->bounds[lane]);
    }
}

/* Pairs from the head of a bucket, at most `most`; at least one. */
static void take_rows(lt_traverse *t, uint32_t bucket, row_batch *batch, uint32_t most) {
    const lt_front_pair *pool = t->pool;
    bool any = t->order == LT_ORDER_FIFO;
    uint32_t pair = t->heads[bucket], count = 0;
    do {
        lt_front_pair p = pool[pair];
        lt_expansion e = lt_expansion_of(&t->a, &t->b, p.a, p.b);
        const lt_tree *x = e.a_side ? &t->a : &t->b;
        bool last = is_last(t, &e);
        if (x->stamps[e.block] != x->stamp || !(last || any) || (count > 0 && last != batch->last)) break;
        batch->last = last;
        batch->pairs[count] = pair;
        lt_row_test *row = &batch->tests[count++];
        row->side = !e.a_side;
        row->block = e.block;
        row->node = e.node;
        row->bound = p.bound;
        pair = p.next;
    } while (count < most && pair != LT_NONE);
    t->heads[bucket] = pair;
    if (pair == LT_NONE) t->filled[bucket / 64] &= ~((uint64_t)1 << (bucket % 64));
    t->queued_count -= count;
    batch->count = count;
}

static void keep_rows(lt_traverse *t, const row_batch *batch) {
    lt_front_pair *pool = t->pool, *begin = pool + (t->capacity - 1), *end = begin - t->found_count;
    uint32_t unused = t->free, high = t->high_water, queued = t->queued_count + batch->count;
    for (uint32_t i = 0; i < batch->count; i++) {
        pool[batch->pairs[i]].next = unused;
        unused = batch->pairs[i];
        end = write_row(end, &batch->tests[i]);
        high = lt_max_u32(high, --queued + (uint32_t)(begin - end));
    }
    t->found_count = (uint32_t)(begin - end);
    t->free = unused;
    t->high_water = high;
}

static void use_rows(lt_traverse *t, const row_batch *batch) {
    for (uint32_t i = 0; i < batch->count; i++) {
        const lt_row_test *row = &batch->tests[i];
        uint32_t *uses = t->uses + t->pool[batch->pairs[i]].a;
        if (--*uses == 0) t->used_nodes--;
        if (row->side == 0) {
            t->used_nodes += use_row(t->uses + row->block * LT_LANES, row->bits);
        } else {
            t->used_nodes += *uses == 0 && row->bits;
            *uses += COUNTS[row->bits & 15] + COUNTS[row->bits >> 4];
        }
    }
}

static void add_rows(lt_traverse *t, const row_batch *batch) {
    for (uint32_t i = 0, waiting = batch->count; i < batch->count; i++) {
        const lt_row_test *row = &batch->tests[i];
        uint32_t node = row->node;
        give_back(t, batch->pairs[i]);
        for (uint32_t bits = row->bits; bits; bits &= bits - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(bits), child = row->block * LT_LANES + lane;
            add_pair(t, row->side ? node : child, row->side ? child : node, row->bounds[lane], 0, LT_NONE);
        }
        t->high_water = lt_max_u32(t->high_water, t->queued_count + --waiting + t->found_count);
    }
}

/* `next` and those behind it that may be taken with it, as many as fit. Returns the cost. */
static uint32_t do_rows(lt_traverse *t, const next_piece *next, uint32_t grant) {
    row_batch batch;
    uint32_t room = (t->capacity - t->used - t->found_count) / LT_LANES;
    take_rows(t, next->bucket, &batch, lt_min_u32(lt_min_u32(ROWS_MOST, room), grant / LT_LANES));
    test_rows(t, batch.tests, batch.count);
    if (batch.last && t->uses) use_rows(t, &batch);
    if (batch.last)
        keep_rows(t, &batch);
    else
        add_rows(t, &batch);
    t->tested += (uint64_t)LT_LANES * batch.count;
    return LT_LANES * batch.count;
}

uint32_t lt_traverse_step(lt_traverse *traverse, uint32_t grant) {
    lt_traverse *t = traverse;
    next_piece next = {0};
    uint32_t spent = 0;
    bool more = find_next(t, &next), refreshing = more && next.kind == PIECE_REFRESH;
    while (more && (next.kind == PIECE_REFRESH) == refreshing) {
        uint32_t cost = cost_of(t, &next);
        if (spent + cost > grant) break;
        if (next.in_a_row) {
            spent += do_rows(t, &next, grant - spent);
        } else {
            do_piece(t, &next);
            spent += cost;
        }
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

/* Lists end, or they have more links than the pool has pairs. */
static const char *flaw_of_queue(const lt_traverse *t) {
    uint32_t queued = 0, free = 0;
    for (uint32_t bucket = 0; bucket < LT_BUCKETS; bucket++) {
        bool filled = t->filled[bucket / 64] >> (bucket % 64) & 1;
        if (filled != (t->heads[bucket] != LT_NONE)) return "a bucket is empty and is not";
        for (uint32_t pair = t->heads[bucket]; pair != LT_NONE; pair = t->pool[pair].next)
            if (pair >= t->used || ++queued > t->queued_count)
                return "more pairs are queued than were counted";
    }
    if (queued != t->queued_count) return "fewer pairs are queued than were counted";
    for (uint32_t pair = t->free; pair != LT_NONE; pair = t->pool[pair].next)
        if (pair >= t->used || ++free > t->used - queued) return "more pairs are free than there are";
    return queued + free == t->used ? NULL : "a pair is neither queued nor free";
}

const char *lt_validate_traverse(const lt_traverse *traverse) {
    const lt_traverse *t = traverse;
    if (t->used > t->capacity || t->found_count > t->capacity - t->used)
        return "queued and found pairs are more than the pool has";
    if (t->used_nodes > t->node_count && t->uses) return "more nodes are used than there are";
    return flaw_of_queue(t);
}
