/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/front_cache.h"

#include "core/hash.h"

#include <string.h>

/* ---- life ---- */

lt_status lt_front_cache_create(lt_front_cache *out, uint32_t capacity, const lt_allocator *allocator,
                                lt_error *error) {
    *out = (lt_front_cache){.dropped = LT_NONE};
    if (capacity == 0) return LT_OK;
    out->records = LT_NEW(allocator, capacity, lt_front_record);
    out->capacity = capacity;
    if (out->records) return LT_OK;
    lt_front_cache_free(out, allocator);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for a front cache of %u records", capacity);
}

void lt_front_cache_free(lt_front_cache *cache, const lt_allocator *allocator) {
    LT_DELETE(allocator, cache->records, cache->capacity, lt_front_record);
    *cache = (lt_front_cache){0};
}

/* ---- records ---- */

static void drop(lt_front_cache *c, uint32_t record) {
    c->records[record].next = c->dropped;
    c->dropped = record;
}

/* The first that was dropped, whose children are then dropped instead. */
static uint32_t take_dropped(lt_front_cache *c) {
    uint32_t record = c->dropped;
    c->dropped = c->records[record].next;
    for (uint32_t child = c->records[record].first_child; child != LT_NONE;) {
        uint32_t next = c->records[child].next;
        drop(c, child);
        child = next;
    }
    return record;
}

uint32_t lt_front_cache_take(lt_front_cache *cache, uint32_t parent, uint32_t lane) {
    uint32_t depth = parent == LT_NONE ? 0 : cache->records[parent].depth + 1u;
    if (depth >= LT_RECORD_DEPTH_MAX) return LT_NONE;
    if (cache->dropped == LT_NONE && cache->used == cache->capacity) return LT_NONE;
    uint32_t record = cache->dropped != LT_NONE ? take_dropped(cache) : cache->used++;
    cache->records[record] = (lt_front_record){.empty_until = LT_NOT_EMPTY,
                                               .parent = parent,
                                               .first_child = LT_NONE,
                                               .next = LT_NONE,
                                               .lane = (uint8_t)lane,
                                               .depth = (uint8_t)depth};
    if (parent != LT_NONE) {
        cache->records[record].next = cache->records[parent].first_child;
        cache->records[parent].first_child = record;
    }
    return record;
}

uint32_t lt_front_cache_child(const lt_front_cache *cache, uint32_t record, uint32_t lane) {
    uint32_t child = cache->records[record].first_child;
    while (child != LT_NONE && cache->records[child].lane != lane)
        child = cache->records[child].next;
    return child;
}

void lt_front_cache_keep_lanes(lt_front_cache *cache, uint32_t record, uint32_t lanes) {
    uint32_t *link = &cache->records[record].first_child;
    while (*link != LT_NONE) {
        uint32_t child = *link;
        if (lanes >> cache->records[child].lane & 1) {
            link = &cache->records[child].next;
        } else {
            *link = cache->records[child].next;
            drop(cache, child);
        }
    }
}

/* Whether every lane that came near has a record below which nothing did; then until when. */
static bool is_empty_below(const lt_front_cache *c, const lt_front_record *r, double *until) {
    uint32_t lanes = 0;
    *until = r->until;
    for (uint32_t child = r->first_child; child != LT_NONE; child = c->records[child].next) {
        const lt_front_record *below = &c->records[child];
        if (below->empty_until < 0) return false;
        *until = lt_min_d(*until, below->empty_until);
        lanes |= 1u << below->lane;
    }
    return lanes == r->near;
}

void lt_front_cache_close(lt_front_cache *cache, uint32_t record) {
    double until;
    for (uint32_t at = cache->records[record].parent; at != LT_NONE; at = cache->records[at].parent) {
        if (!is_empty_below(cache, &cache->records[at], &until)) return;
        cache->records[at].empty_until = until;
    }
}

/* ---- fronts ---- */

lt_body_motion lt_body_motion_of(const lt_collider *collider) {
    const float WEIGHTS_SUM = 1e-5f; /* how far a skin's weights may be from 1, in their own size */
    const lt_soft *soft = collider->soft;
    uint32_t count = soft->carrier.node_count;
    lt_rvec3 sum = {0, 0, 0};
    lt_real squared = 0;
    if (collider->asleep) return (lt_body_motion){{0, 0, 0}, 0, 0};
    for (uint32_t i = 0; i < count; i++)
        sum = lt_r3_add(sum, lt_r3_sub(lt_node_get(soft->x, i), lt_node_get(soft->x_before, i)));
    /* Any number will do, if only it is the same for all nodes. */
    lt_vec3 mean = lt_v3_from_r3(lt_r3_scale(sum, (lt_real)1 / (lt_real)count));
    lt_rvec3 same = lt_r3_from_v3(mean);
    for (uint32_t i = 0; i < count; i++) {
        lt_rvec3 d = lt_r3_sub(lt_r3_sub(lt_node_get(soft->x, i), lt_node_get(soft->x_before, i)), same);
        squared = lt_max_r(squared, lt_r3_dot(d, d));
    }
    float hull = 1 + 2 * collider->skin->overhang; /* Σ|w| */
    return (lt_body_motion){mean, hull * (float)lt_sqrt_r(squared),
                            2 * WEIGHTS_SUM * hull * lt_v3_length(mean)};
}

void lt_front_cache_forget(lt_front_cache *cache, lt_kept_front *front) {
    if (front->root != LT_NONE) drop(cache, front->root);
    front->root = LT_NONE;
    front->moved = 0;
}

bool lt_front_cache_opens(lt_kept_front *front) {
    if (front->idle == 0) return true;
    front->idle--;
    return false;
}

enum { IDLE_TURNS = 15, LEAST_REPLAYED = 2 };

void lt_front_cache_judge(lt_front_cache *cache, lt_kept_front *front, const lt_traverse *traverse) {
    if (traverse->replayed >= LEAST_REPLAYED * (traverse->tested / LT_LANES)) return;
    lt_front_cache_forget(cache, front);
    front->idle = IDLE_TURNS;
}

/* What rounding may make of a sum of lengths. */
static const double ROUNDED_UP = 1 + 1e-6;
/* m; beyond, a front is forgotten: bodies that explode. */
static const double FARTHEST = 1e18;

void lt_front_cache_move(lt_front_cache *cache, lt_kept_front *front, const lt_body_motion *a,
                         const lt_body_motion *b) {
    if (front->root == LT_NONE) return;
    double nearer = (double)lt_v3_distance(a->mean, b->mean) + (double)(a->reach + b->reach) +
                    (double)(a->slip + b->slip);
    front->moved += ROUNDED_UP * nearer;
    if (!(front->moved < FARTHEST)) lt_front_cache_forget(cache, front);
}

/* ---- saving ---- */

typedef struct saved_record {
    double until, empty_until;
    float key;
    uint8_t near, kept; /* bits: lanes with a record, which follow in this order */
    uint8_t tested, reserved;
} saved_record;

static uint32_t lanes_kept(const lt_front_cache *c, uint32_t record) {
    uint32_t lanes = 0;
    for (uint32_t child = c->records[record].first_child; child != LT_NONE; child = c->records[child].next)
        lanes |= 1u << c->records[child].lane;
    return lanes;
}

/* The child of the lowest lane that is not below `lane`. */
static uint32_t child_from(const lt_front_cache *c, uint32_t record, uint32_t lane) {
    uint32_t lanes = lanes_kept(c, record) >> lane;
    return lanes ? lt_front_cache_child(c, record, lane + (uint32_t)__builtin_ctz(lanes)) : LT_NONE;
}

/* The next record of a front, parents first and by lane; LT_NONE at the end. */
static uint32_t next_record(const lt_front_cache *c, uint32_t record) {
    uint32_t next = child_from(c, record, 0);
    while (next == LT_NONE && c->records[record].parent != LT_NONE) {
        next = child_from(c, c->records[record].parent, c->records[record].lane + 1u);
        record = c->records[record].parent;
    }
    return next;
}

static uint32_t count_records(const lt_front_cache *c, uint32_t root) {
    uint32_t count = 0;
    for (uint32_t at = root; at != LT_NONE; at = next_record(c, at))
        count++;
    return count;
}

static void save_records(lt_stream *s, const lt_front_cache *c, uint32_t root) {
    for (uint32_t at = root; at != LT_NONE; at = next_record(c, at)) {
        const lt_front_record *r = &c->records[at];
        saved_record saved = {
            r->until, r->empty_until, r->key, r->near, (uint8_t)lanes_kept(c, at), r->tested, 0};
        lt_stream_raw(s, &saved, sizeof saved);
    }
}

uint64_t lt_front_cache_hash(const lt_front_cache *cache, const lt_kept_front *front, uint64_t hash) {
    hash = lt_hash_bytes(hash, &front->moved, sizeof(double));
    hash = lt_hash_u64(hash, front->idle);
    for (uint32_t at = front->root; at != LT_NONE; at = next_record(cache, at)) {
        const lt_front_record *r = &cache->records[at];
        hash = lt_hash_bytes(hash, &r->until, sizeof r->until);
        hash = lt_hash_bytes(hash, &r->empty_until, sizeof r->empty_until);
        hash = lt_hash_bytes(hash, &r->key, sizeof r->key);
        hash = lt_hash_u64(hash, ((uint64_t)r->near << 32) | ((uint64_t)r->lane << 16) | r->tested);
    }
    return hash;
}

/* ---- restoring ---- */

/* One expansion on the way from the root to the record that is read. */
typedef struct open_record {
    lt_expansion expansion;
    uint32_t lanes;  /* with records that are still to come */
    uint32_t record; /* its own, where they are made */
} open_record;

typedef struct front_reader {
    lt_tree a, b;
    const lt_sphere_tree *trees[2];
    open_record open[LT_RECORD_DEPTH_MAX];
    uint32_t depth;
    lt_stream *stream;
    lt_front_cache *cache; /* NULL: nothing is made, only judged */
} front_reader;

/* Lanes that came near, without those whose pair is leaf against leaf. */
static uint32_t inner_lanes(const front_reader *f, const lt_expansion *e, uint32_t near) {
    uint32_t lanes = 0;
    for (uint32_t bits = near; bits; bits &= bits - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(bits), a, b;
        lt_expansion_child(e, lane, &a, &b);
        if (!lt_tree_is_leaf(&f->a, a) || !lt_tree_is_leaf(&f->b, b)) lanes |= 1u << lane;
    }
    return lanes;
}

static bool lanes_exist(const front_reader *f, const lt_expansion *e, uint32_t near) {
    const lt_sphere_tree *tree = f->trees[e->a_side ? 0 : 1];
    for (uint32_t bits = near; bits; bits &= bits - 1)
        if (lt_ball(tree, LT_BALL_RADIUS, LT_LANES * e->block + (uint32_t)__builtin_ctz(bits)) < 0)
            return false;
    return true;
}

static bool record_is_sound(const front_reader *f, const lt_expansion *e, const saved_record *s) {
    if (!(fabs(s->until) < 1e30 && s->empty_until < 1e30 && s->empty_until >= LT_NOT_EMPTY)) return false;
    if (!(s->key >= 0 && s->key < 3e38f) || s->tested > 1 || s->reserved != 0) return false;
    if (!s->tested && (s->near || s->until != 0 || s->empty_until != LT_NOT_EMPTY)) return false;
    return lanes_exist(f, e, s->near) && (s->kept & ~inner_lanes(f, e, s->near)) == 0;
}

static uint32_t make_record(front_reader *f, const lt_expansion *e, const saved_record *s, uint32_t lane) {
    uint32_t parent = f->depth ? f->open[f->depth - 1].record : LT_NONE;
    uint32_t record = lt_front_cache_take(f->cache, parent, lane);
    lt_front_record *r = &f->cache->records[record];
    r->until = s->until;
    r->empty_until = s->empty_until;
    r->key = s->key;
    r->near = s->near;
    r->tested = s->tested;
    r->whole = s->tested && s->kept == inner_lanes(f, e, s->near);
    return record;
}

/* Reads the record of the pair (a, b), which is in `lane` of the one before; false when it cannot be. */
static bool read_record(front_reader *f, uint32_t a, uint32_t b, uint32_t lane) {
    saved_record s;
    lt_stream_raw(f->stream, &s, sizeof s);
    if (f->depth == LT_RECORD_DEPTH_MAX) return false;
    open_record *now = &f->open[f->depth];
    now->expansion = lt_expansion_of(&f->a, &f->b, a, b);
    if (!f->cache && !record_is_sound(f, &now->expansion, &s)) return false;
    now->lanes = s.kept;
    now->record = f->cache ? make_record(f, &now->expansion, &s, lane) : LT_NONE;
    f->depth++;
    return true;
}

/* All records of a front; false when they do not fit the trees. */
static bool read_front(front_reader *f, uint32_t count) {
    if (lt_tree_is_leaf(&f->a, 0) && lt_tree_is_leaf(&f->b, 0)) return false;
    f->depth = 0;
    if (!read_record(f, 0, 0, 0)) return false;
    for (uint32_t i = 1; i < count; i++) {
        while (f->depth && !f->open[f->depth - 1].lanes)
            f->depth--;
        if (!f->depth) return false;
        open_record *above = &f->open[f->depth - 1];
        uint32_t lane = (uint32_t)__builtin_ctz(above->lanes), a, b;
        above->lanes &= above->lanes - 1;
        lt_expansion_child(&above->expansion, lane, &a, &b);
        if (!read_record(f, a, b, lane)) return false;
    }
    for (uint32_t i = 0; i < f->depth; i++)
        if (f->open[i].lanes) return false;
    return true;
}

static front_reader reader_of(lt_stream *s, const lt_pair *pair, const lt_collider *colliders,
                              lt_front_cache *cache) {
    const lt_spheres *a = &colliders[pair->a].spheres, *b = &colliders[pair->b].spheres;
    return (front_reader){.a = lt_spheres_tree(a),
                          .b = lt_spheres_tree(b),
                          .trees = {a->tree, b->tree},
                          .stream = s,
                          .cache = lt_stream_loads(s) ? cache : NULL};
}

/* Whether it is idle, or has records and has moved, or neither; and of two bodies. */
static bool front_is_sound(const lt_kept_front *front, uint32_t record_count, const lt_pair *pair) {
    if (!(front->moved >= 0 && front->moved < FARTHEST) || front->idle > IDLE_TURNS) return false;
    if (record_count ? front->idle > 0 : front->moved > 0) return false;
    return pair->kind == LT_PAIR_BODIES || (record_count == 0 && front->idle == 0);
}

void lt_front_cache_visit(lt_stream *stream, lt_front_cache *cache, lt_kept_front *front, const lt_pair *pair,
                          const lt_collider *colliders, uint64_t *record_count) {
    lt_stream *s = stream;
    uint32_t count = lt_stream_reads(s) ? 0 : count_records(cache, front->root);
    lt_stream_double(s, &front->moved);
    lt_stream_u32(s, &front->idle);
    lt_stream_count(s, &count, cache->capacity - (uint32_t)*record_count);
    *record_count += count;
    if (!lt_stream_reads(s)) save_records(s, cache, front->root);
    lt_stream_expect(s, front_is_sound(front, count, pair));
    if (!lt_stream_reads(s) || s->failed || count == 0) return;
    front_reader reader = reader_of(s, pair, colliders, cache);
    lt_stream_expect(s, read_front(&reader, count));
    if (lt_stream_loads(s)) front->root = reader.open[0].record;
}
