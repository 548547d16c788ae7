/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/boxes_hash.h"

/* ---- memory ---- */

lt_status lt_box_hash_reserve(lt_box_hash *hash, uint32_t item_capacity, uint32_t entry_capacity,
                              const lt_allocator *allocator, lt_error *error) {
    lt_box_hash_free(hash);
    hash->allocator = allocator ? *allocator : lt_allocator_default();
    lt_status status = lt_spatial_hash_reserve(&hash->hash, item_capacity, entry_capacity, allocator, error);
    if (status != LT_OK) return status;
    hash->item_capacity = item_capacity;
    hash->boxes = LT_NEW(allocator, item_capacity, lt_box);
    hash->items = LT_NEW(allocator, item_capacity, lt_box_hash_item);
    if (hash->boxes && hash->items) return LT_OK;
    lt_box_hash_free(hash);
    return lt_fail(error, LT_STATUS_MEMORY, "cell boxes: no memory for a hash of %u boxes", item_capacity);
}

void lt_box_hash_free(lt_box_hash *hash) {
    lt_spatial_hash_free(&hash->hash);
    LT_DELETE(&hash->allocator, hash->boxes, hash->item_capacity, lt_box);
    LT_DELETE(&hash->allocator, hash->items, hash->item_capacity, lt_box_hash_item);
    *hash = (lt_box_hash){0};
}

/* ---- gathering ---- */

/* Bodies whose boxes have all been gathered, and those that are none, are passed by. */
static bool find_body(lt_box_hash *h) {
    while (h->next_body < h->body_count) {
        const lt_cell_boxes *boxes = h->input.bodies[h->next_body];
        if (boxes && h->next_box < boxes->layout->box_count) return true;
        h->next_body++;
        h->next_box = 0;
    }
    return false;
}

static void begin_build(lt_box_hash *h) {
    lt_spatial_input input = {.boxes = h->boxes, .item_count = h->item_count, .cell_size = h->cell_size};
    lt_spatial_hash_begin(&h->hash, &input);
    h->phase = LT_BOX_HASH_BUILD;
}

static uint32_t gather(lt_box_hash *h, uint32_t most) {
    uint32_t done = 0;
    for (; done < most && find_body(h); done++, h->next_box++) {
        if (h->item_count == h->item_capacity) {
            h->dropped_count++;
            continue;
        }
        h->boxes[h->item_count] = lt_cell_boxes_aabb(h->input.bodies[h->next_body], h->next_box);
        h->items[h->item_count++] = (lt_box_hash_item){h->next_body, h->next_box};
    }
    if (!find_body(h)) begin_build(h);
    return LT_HASH_GATHER_UNITS * done;
}

/* ---- the ring ---- */

static uint32_t bucket_begin(const lt_spatial_hash *hash, uint32_t bucket) {
    return bucket ? hash->bucket_ends[bucket - 1] : 0;
}

/* A place of an earlier hash in this one: as far into its bucket, or to the end of that. */
static void set_pairs(lt_spatial_pairs *pairs, const lt_spatial_hash *hash, const lt_box_hash_place *place) {
    lt_spatial_pairs_begin(pairs, hash);
    if (pairs->done) return;
    if (place->large) {
        uint32_t first = lt_min_u32(place->first, hash->large_count);
        *pairs = (lt_spatial_pairs){.first = first, .second = place->second, .large_phase = true};
        pairs->done = first == hash->large_count;
    } else if (!pairs->large_phase && place->bucket < hash->bucket_count) {
        uint32_t begin = bucket_begin(hash, place->bucket), end = hash->bucket_ends[place->bucket];
        pairs->bucket = place->bucket;
        pairs->first = lt_min_u32(begin + place->first, end);
        pairs->second = lt_max_u32(pairs->first + 1, lt_min_u32(begin + place->second, end));
    }
}

static void begin_second_lap(lt_box_hash *h) {
    h->lap = 1;
    lt_spatial_pairs_begin(&h->pairs, &h->hash);
}

static void begin_pairs(lt_box_hash *h) {
    h->dropped_count += h->hash.dropped_count;
    set_pairs(&h->pairs, &h->hash, &h->from);
    h->from_pairs = h->pairs;
    h->phase = LT_BOX_HASH_PAIRS;
    if (h->pairs.done) begin_second_lap(h);
}

/* Elements that can be done without going beyond where the ring began. One moves on by one entry; among large boxes it leaps
 * over those that come before the first of the pair. */
static uint32_t elements_to_go(const lt_box_hash *h) {
    const lt_spatial_pairs *at = &h->pairs, *end = &h->from_pairs;
    if (h->lap == 0 || end->done) return UINT32_MAX;
    if (at->large_phase != end->large_phase) return at->large_phase ? 0 : h->hash.entry_count - at->first;
    if (at->first != end->first) return at->first < end->first ? end->first - at->first : 0;
    if (at->second >= end->second) return 0;
    if (at->large_phase && at->second >= h->hash.entry_count) return 1;
    return (at->large_phase ? lt_min_u32(end->second, h->hash.entry_count) : end->second) - at->second;
}

static void settle(lt_box_hash *h) {
    if (h->pairs.done && h->lap == 0) begin_second_lap(h);
    if (h->pairs.done || elements_to_go(h) == 0) h->phase = LT_BOX_HASH_DONE;
}

/* ---- pairs ---- */

static bool bodies_are_a_pair(const lt_box_search_input *input, uint32_t a, uint32_t b) {
    uint32_t lo = 0, hi = input->pair_count;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        lt_body_pair p = input->pairs[middle];
        if (p.a == a && p.b == b) return true;
        if (p.a != a ? p.a < a : p.b < b)
            lo = middle + 1;
        else
            hi = middle;
    }
    return false;
}

/* Items are in the order of bodies and boxes. */
static bool make_pair(const lt_box_hash *h, lt_spatial_pair found, lt_box_pair *out) {
    lt_box_hash_item a = h->items[lt_min_u32(found.a, found.b)], b = h->items[lt_max_u32(found.a, found.b)];
    *out = (lt_box_pair){a.body, b.body, a.box, b.box};
    if (!bodies_are_a_pair(&h->input, a.body, b.body)) return false;
    if (a.body != b.body) return true;
    const lt_cell_layout *layout = h->input.bodies[a.body]->layout;
    uint32_t brick = layout->bricks[b.box], bit = b.box - layout->brick_begin[brick];
    return !(lt_cell_skips(layout, a.box, brick) >> bit & 1);
}

/* A few at a time, since most are left out. */
static uint32_t search(lt_box_hash *h, uint32_t most, lt_box_pair *out, uint32_t capacity, uint32_t *count) {
    enum { BATCH = 64 };
    lt_spatial_pair found[BATCH];
    uint32_t found_count, room = lt_min_u32(capacity - *count, BATCH);
    uint32_t spent = lt_spatial_pairs_step(&h->pairs, &h->hash, lt_min_u32(most, elements_to_go(h)), found,
                                           room, &found_count);
    for (uint32_t i = 0; i < found_count; i++)
        *count += make_pair(h, found[i], &out[*count]);
    settle(h);
    return spent;
}

/* ---- the cursor ---- */

void lt_box_hash_begin(lt_box_hash *hash, const lt_box_search_input *input, uint32_t body_count,
                       float cell_size, const lt_box_hash_place *from) {
    hash->input = *input;
    hash->body_count = body_count;
    hash->cell_size = cell_size;
    hash->from = from ? *from : (lt_box_hash_place){0};
    hash->phase = LT_BOX_HASH_GATHER;
    hash->next_body = hash->next_box = hash->item_count = hash->lap = hash->dropped_count = 0;
    if (!find_body(hash)) begin_build(hash);
}

uint32_t lt_box_hash_cost(const lt_box_hash *hash) {
    switch (hash->phase) {
    case LT_BOX_HASH_GATHER: return LT_HASH_GATHER_UNITS;
    case LT_BOX_HASH_BUILD: return LT_SPATIAL_HASH_ELEMENT_UNITS;
    case LT_BOX_HASH_PAIRS: return LT_SPATIAL_PAIRS_ELEMENT_UNITS;
    default: return 0;
    }
}

static uint32_t build(lt_box_hash *h, uint32_t most) {
    uint32_t spent = lt_spatial_hash_step(&h->hash, most);
    if (lt_spatial_hash_is_done(&h->hash)) begin_pairs(h);
    return spent;
}

uint32_t lt_box_hash_step(lt_box_hash *hash, uint32_t grant, lt_box_pair *out, uint32_t capacity,
                          uint32_t *count) {
    uint32_t spent = 0, cost;
    *count = 0;
    while ((cost = lt_box_hash_cost(hash)) > 0 && cost <= grant - spent && *count < capacity) {
        uint32_t most = (grant - spent) / cost;
        if (hash->phase == LT_BOX_HASH_GATHER)
            spent += gather(hash, most);
        else if (hash->phase == LT_BOX_HASH_BUILD)
            spent += build(hash, most);
        else
            spent += search(hash, most, out, capacity, count);
    }
    return spent;
}

lt_box_hash_place lt_box_hash_place_now(const lt_box_hash *hash) {
    const lt_spatial_pairs *at = &hash->pairs;
    if (hash->phase != LT_BOX_HASH_PAIRS) return hash->from;
    if (at->large_phase) return (lt_box_hash_place){true, 0, at->first, at->second};
    uint32_t begin = bucket_begin(&hash->hash, at->bucket);
    return (lt_box_hash_place){false, at->bucket, at->first - begin, at->second - begin};
}
