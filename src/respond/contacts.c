/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The memory of contacts: harvest, order, merge with what was there. Cost follows what is new and what goes: contacts that
 * are found again stay where they are. */

#include "respond/respond.h"

#include "core/heap.h"

#include <string.h>

int lt_contact_compare(const lt_contact_record *x, const lt_contact_record *y) {
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->b != y->b) return x->b < y->b ? -1 : 1;
    return x->feature < y->feature ? -1 : x->feature > y->feature;
}

/* The first of [lo, hi) that does not come before that point of the pair. */
static uint32_t find_between(const lt_contact_list *list, uint32_t lo, uint32_t hi, const lt_pair *pair,
                             uint32_t feature) {
    lt_contact_record key = {.a = pair->a, .kind = pair->kind, .b = pair->b, .feature = feature};
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (lt_contact_compare(&list->records[middle], &key) < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

uint32_t lt_contacts_find(const lt_contact_list *list, const lt_pair *pair, uint32_t feature) {
    return find_between(list, 0, list->count, pair, feature);
}

bool lt_contacts_hold(const lt_contact_list *list, const lt_pair_table *pairs, const lt_pair *pair,
                      uint32_t feature) {
    uint32_t slot = lt_pair_table_find(pairs, pair), begin = 0, end = list->count;
    if (slot != LT_NONE) {
        begin = pairs->slots[slot].contact_begin;
        end = pairs->slots[slot].contact_end;
    }
    uint32_t at = find_between(list, begin, end, pair, feature);
    if (at == end) return false;
    return lt_contact_is_of_pair(&list->records[at], pair) && list->records[at].feature == feature;
}

/* ---- ranges ---- */

/* The first from `at` on that is of the pair or behind it; of those of a pair, behind the last if `key` is one more. */
static uint32_t skip_to(const lt_contact_list *list, uint32_t at, uint64_t key) {
    while (at < list->count && lt_contact_pair_key(&list->records[at]) < key)
        at++;
    return at;
}

void lt_contacts_range(const lt_contact_list *list, lt_pair_table *pairs) {
    uint32_t at = 0;
    for (uint32_t place = 0; place < pairs->count; place++) {
        lt_pair_slot *slot = lt_pair_slot_at(pairs, place);
        uint64_t key = lt_pair_key(&slot->pair);
        slot->contact_begin = skip_to(list, at, key);
        slot->contact_end = at = skip_to(list, slot->contact_begin, key + 1);
    }
}

bool lt_validate_contact_ranges(const lt_contact_list *list, const lt_pair_table *pairs) {
    uint32_t at = 0;
    for (uint32_t place = 0; place < pairs->count; place++) {
        const lt_pair_slot *slot = lt_pair_slot_at(pairs, place);
        uint64_t key = lt_pair_key(&slot->pair);
        if (slot->contact_begin != skip_to(list, at, key)) return false;
        at = slot->contact_end;
        if (at != skip_to(list, slot->contact_begin, key + 1)) return false;
    }
    return true;
}

/* Of those that were not found again it is known how deep they were at the end of the last step. */
static float depth_of(const lt_contact_record *r) {
    return r->age > 0 ? r->depth : r->touch.depth;
}

/* What goes first where there is not room for all. Obstacles go last: a body that falls through the floor is lost. */
static bool shallower(const lt_contact_record *x, const lt_contact_record *y) {
    if ((x->kind == LT_PAIR_OBSTACLE) != (y->kind == LT_PAIR_OBSTACLE)) return y->kind == LT_PAIR_OBSTACLE;
    if (depth_of(x) != depth_of(y)) return depth_of(x) < depth_of(y);
    return lt_contact_compare(x, y) > 0;
}

/* The shallowest contact on top, while harvesting beyond the capacity. */
LT_HEAP(shallow, lt_contact_record, shallower)

/* Where a record goes: the next place, or that of the shallowest. NULL: nowhere. */
static lt_contact_record *place_in(lt_contact_harvest *harvest, const lt_contact_record *record) {
    if (harvest->count < harvest->capacity) return &harvest->records[harvest->count++];
    LT_ASSERT(harvest->count == harvest->capacity);
    harvest->dropped++;
    return harvest->capacity == 0 || shallower(record, &harvest->records[0]) ? NULL : &harvest->records[0];
}

static void harvest_record(lt_contact_harvest *harvest, const lt_contact_record *record) {
    LT_ASSERT(lt_is_finite(record->depth) && lt_v3_is_finite(record->normal));
    bool was_full = harvest->count == harvest->capacity;
    lt_contact_record *place = place_in(harvest, record);
    if (!place) return;
    *place = *record;
    if (was_full)
        shallow_settle(harvest->records, 0, harvest->count);
    else if (harvest->count == harvest->capacity)
        shallow_make(harvest->records, harvest->count);
}

void lt_harvest_add(lt_contact_harvest *harvest, const lt_pair *pair, uint32_t feature,
                    const lt_touch *touch) {
    lt_harvest_add_old(harvest, pair, feature, touch, 0);
}

void lt_harvest_add_old(lt_contact_harvest *harvest, const lt_pair *pair, uint32_t feature,
                        const lt_touch *touch, uint32_t age) {
    LT_ASSERT(lt_v3_is_finite(touch->normal) &&
              lt_is_finite(touch->depth)); /* from here on they are forces */
    LT_ASSERT(harvest->count <= harvest->capacity);
    lt_contact_record found = {.a = pair->a,
                               .kind = pair->kind,
                               .b = pair->b,
                               .feature = feature,
                               .touch = *touch,
                               .normal = touch->normal, /* until it is answered */
                               .age = age,
                               .is_new = true};
    harvest_record(harvest, &found);
}

void lt_harvest_answered(lt_contact_harvest *harvest, const lt_contact_record *record) {
    LT_ASSERT(!record->is_new);
    harvest_record(harvest, record);
}

void lt_harvest_keep(lt_contact_harvest *harvest, const lt_contact_record *record) {
    lt_contact_record kept = *record;
    kept.age++;
    kept.force = (lt_vec3){0, 0, 0}; /* what it did is remembered */
    harvest_record(harvest, &kept);
}

/* ---- order ---- */

/* Merges two runs of keys. */
static void merge_runs(lt_contact_key *out, const lt_contact_key *keys, uint32_t begin, uint32_t middle,
                       uint32_t end) {
    LT_ASSERT(begin <= end);
    uint32_t left = begin, right = middle;
    for (uint32_t i = begin; i < end; i++) {
        bool from_left = left < middle && (right == end || keys[left].key <= keys[right].key);
        out[i] = from_left ? keys[left++] : keys[right++];
    }
}

lt_contact_key *lt_contact_keys_sort(lt_contact_key *keys, lt_contact_key *spare, uint32_t count) {
    bool in_order = true;
    for (uint32_t i = 1; i < count; i++)
        in_order = in_order && keys[i - 1].key <= keys[i].key;
    for (uint32_t width = 1; width < count && !in_order; width *= 2) {
        for (uint32_t begin = 0; begin < count; begin += 2 * width)
            merge_runs(spare, keys, begin, lt_min_u32(begin + width, count),
                       lt_min_u32(begin + 2 * width, count));
        lt_contact_key *swap = keys;
        keys = spare;
        spare = swap;
    }
    return keys;
}

/* Keeps each of the keys, which are in order, once; returns how many are left. */
static uint32_t drop_doubles(lt_contact_key *keys, uint32_t count) {
    uint32_t kept = count > 0;
    for (uint32_t i = 1; i < count; i++)
        if (keys[i].key != keys[i - 1].key) keys[kept++] = keys[i];
    return kept;
}

/* The harvest's records in order, as [*key_count] keys: place of the pair, then feature. Returns the array that they are in. A
 * contact that was found twice, as by a search of cell-box that a damaged snapshot has go on from nowhere, is there once. */
static lt_contact_key *order_harvest(const lt_contact_harvest *harvest, const lt_pair_table *pairs,
                                     const lt_contact_scratch *scratch, uint32_t *key_count) {
    lt_contact_key *keys = scratch->keys;
    uint32_t place = 0, count = harvest->count;
    for (uint32_t i = 0; i < count; i++) {
        const lt_contact_record *r = &harvest->records[i];
        const lt_pair pair = {.a = r->a, .kind = r->kind, .b = r->b};
        if (i == 0 || !lt_contact_is_of_pair(r - 1, &pair)) place = lt_pair_table_place(pairs, &pair);
        LT_ASSERT(place != LT_NONE);
        keys[i] = (lt_contact_key){(uint64_t)place << 32 | r->feature, i};
    }
    keys = lt_contact_keys_sort(keys, scratch->spare_keys, count);
    *key_count = drop_doubles(keys, count);
    return keys;
}

/* ---- what lives on ---- */

/* The place of an old contact's pair, LT_NONE: it is not listed. `place` goes on from the contact before. */
static uint32_t pair_of(const lt_pair_table *pairs, uint32_t contact, uint32_t *place) {
    while (*place < pairs->count && lt_pair_slot_at(pairs, *place)->contact_end <= contact)
        ++*place;
    bool is_listed = *place < pairs->count && lt_pair_slot_at(pairs, *place)->contact_begin <= contact;
    return is_listed ? *place : LT_NONE;
}

/* Whether an old contact lives on without having been found again. */
static bool is_kept(const lt_contact_record *r, const lt_pair_table *pairs, uint32_t pair,
                    const lt_tested *tested, const lt_collider *colliders) {
    if (lt_contact_sleeps(r, colliders)) return true;
    if (pair == LT_NONE) return false;
    if (tested[pair].count == 0) return !r->ended;
    uint32_t total = lt_pair_point_count(lt_pair_at(pairs, pair), colliders);
    uint32_t behind = r->feature >= tested[pair].begin ? r->feature - tested[pair].begin
                                                       : r->feature + total - tested[pair].begin;
    return behind >= tested[pair].count || r->age < tested[pair].but_younger;
}

/* A contact of a front that was cut may stand for something else than the one of the same sphere before, and what was found some
 * steps ago may say more than what was foreseen: what it is deeper all at once is not pushed out all at once. */
static void remember(lt_contact_record *out, const lt_contact_record *found,
                     const lt_contact_record *before) {
    bool surprising = found->touch.approximate || before->touch.approximate || found->age > 0;
    bool turned = found->touch.body != before->touch.body; /* the point is the other body's now */
    float credit = found->is_new ? before->credit : found->credit;
    float store = found->is_new ? before->store : found->store;
    if (surprising) credit += lt_max_f(0, found->touch.depth - lt_max_f(0, before->depth));
    lt_vec3 stick = turned ? lt_v3_neg(before->stick) : before->stick;
    lt_vec3 force = turned ? lt_v3_neg(before->force) : before->force;
    /* One that was answered when it was found adds to what it did before. */
    if (!found->is_new) force = lt_v3_add(found->force, force);
    *out = *found;
    out->stick = stick;
    out->credit = credit;
    out->store = store;
    out->force = force;
    out->is_new = false;
}

/* What a contact that goes has stored stays with its pair: `kept` are done, `old` goes. */
static void leave_store(lt_contact_list *list, uint32_t kept, uint32_t old) {
    lt_contact_record *gone = &list->records[old], *heir = NULL;
    uint64_t key = lt_contact_pair_key(gone);
    if (old + 1 < list->count && lt_contact_pair_key(gone + 1) == key) heir = gone + 1;
    if (kept > 0 && lt_contact_pair_key(&list->records[kept - 1]) == key) heir = &list->records[kept - 1];
    if (heir && heir->store >= 0 && gone->store >= 0) heir->store += gone->store;
}

/* Old contacts found again become the new ones, with their memory, where they are; those that do not live on go. What of
 * the harvest is left is new: its keys, in order; returns how many. */
static uint32_t renew(lt_contact_list *list, const lt_contact_harvest *harvest, lt_contact_key *keys,
                      uint32_t key_count, const lt_pair_table *pairs, const lt_tested *tested,
                      lt_collider *colliders) {
    uint32_t kept = 0, next = 0, fresh = 0, place = 0;
    for (uint32_t old = 0; old < list->count; old++) {
        lt_contact_record *r = &list->records[old];
        uint32_t pair = pair_of(pairs, old, &place);
        while (next < key_count && lt_contact_compare(&harvest->records[keys[next].record], r) < 0)
            keys[fresh++] = keys[next++];
        if (next < key_count && lt_contact_compare(&harvest->records[keys[next].record], r) == 0) {
            remember(&list->records[kept++], &harvest->records[keys[next++].record], r);
        } else if (is_kept(r, pairs, pair, tested, colliders)) {
            r->is_new = r->ended = false;
            if (!lt_contact_sleeps(r, colliders))
                r->age = pair != LT_NONE && tested[pair].spared ? 0 : r->age + 1;
            if (kept != old) list->records[kept] = *r;
            kept++;
        } else {
            leave_store(list, kept, old);
            if (r->kind == LT_PAIR_BODIES) colliders[r->a].lost_contact = colliders[r->b].lost_contact = true;
        }
    }
    while (next < key_count)
        keys[fresh++] = keys[next++];
    list->count = kept;
    return fresh;
}

/* ---- room ---- */

/* A number that grows as contacts matter more: the deepest of every pair, then those that it may stand on, before the
 * others; obstacles before bodies, then depth. A body on many contacts of the floor must not take those of its neighbours away. */
enum { WORTH_BITS = 35, DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };
#define WORTH_DEEPEST  ((uint64_t)1 << 34)
#define WORTH_STANDING ((uint64_t)1 << 33)
#define WORTH_OBSTACLE ((uint64_t)1 << 32)

/* Depth, and what a body that falls onto an obstacle adds to it in some steps: one that was let go must come back before it
 * is deeper than those at rest are. */
static float coming_depth(const lt_contact_record *r, const lt_collider *colliders) {
    const float steps = 8;
    if (r->kind != LT_PAIR_OBSTACLE) return depth_of(r);
    const lt_collider *c = &colliders[r->a];
    float speed = lt_v3_length(c->velocity);
    return depth_of(r) - (speed > 0 ? steps * c->reach * lt_v3_dot(c->velocity, r->touch.normal) / speed : 0);
}

static uint64_t worth_of(const lt_contact_record *r, const lt_collider *colliders) {
    float depth = coming_depth(r, colliders) + 0.0f; /* no negative zero */
    uint32_t bits;
    memcpy(&bits, &depth, sizeof bits);
    bits = bits >> 31 ? ~bits : bits | 1u << 31; /* in the order of the numbers */
    return (r->kind == LT_PAIR_OBSTACLE ? WORTH_OBSTACLE : 0) | bits;
}

static bool are_of_one_pair(const lt_contact_record *x, const lt_contact_record *y) {
    return x->a == y->a && x->kind == y->kind && x->b == y->b;
}

/* Of the contacts of one pair. */
static void mark_deepest(lt_contact_key *keys, uint32_t begin, uint32_t end, uint32_t standing) {
    LT_ASSERT(begin <= end);
    for (uint32_t rank = 0; rank < lt_max_u32(1, standing) && rank < end - begin; rank++) {
        uint32_t deepest = LT_NONE;
        for (uint32_t i = begin; i < end; i++)
            if (keys[i].key < WORTH_STANDING && (deepest == LT_NONE || keys[i].key > keys[deepest].key))
                deepest = i;
        keys[deepest].key |= rank ? WORTH_STANDING : WORTH_DEEPEST;
    }
}

static void weigh(lt_contact_key *out, const lt_contact_record *records, uint32_t count,
                  const lt_collider *colliders, uint32_t standing) {
    for (uint32_t i = 0, begin = 0; i < count; i++) {
        out[i] = (lt_contact_key){worth_of(&records[i], colliders), i};
        if (i + 1 < count && are_of_one_pair(&records[i], &records[i + 1])) continue;
        mark_deepest(out, begin, i + 1, standing);
        begin = i + 1;
    }
}

static void count_digits(uint32_t *counts, const lt_contact_key *keys, uint32_t count, uint64_t found,
                         int shift) {
    for (uint32_t i = 0; i < count; i++)
        if (keys[i].key >> (shift + DIGIT_BITS) == found) counts[keys[i].key >> shift & (DIGITS - 1)]++;
}

/* The worth of which there are at most *least below, digit by digit from the highest; *least becomes how many of just that
 * worth belong to the *least. */
static uint64_t find_worth(const lt_contact_key *held, uint32_t held_count, const lt_contact_key *fresh,
                           uint32_t fresh_count, uint32_t *least) {
    uint64_t found = 0;
    for (int shift = WORTH_BITS / DIGIT_BITS * DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
        uint32_t counts[DIGITS] = {0}, digit = 0;
        count_digits(counts, held, held_count, found, shift);
        count_digits(counts, fresh, fresh_count, found, shift);
        for (; *least >= counts[digit] && digit < DIGITS - 1; digit++)
            *least -= counts[digit];
        found = found << DIGIT_BITS | digit;
    }
    return found;
}

static void let_go(lt_contact_key *key, uint64_t worth, uint32_t *equals) {
    bool equal = key->key == worth && *equals > 0;
    *equals -= equal;
    if (equal || key->key < worth) key->record = LT_NONE;
}

/* Who stays carries for those of the same pair that go. */
static void close_gaps(lt_contact_record *records, const lt_contact_key *keys, uint32_t *count) {
    uint32_t kept = 0, begin = 0; /* of the pair */
    float area = 0;
    for (uint32_t i = 0; i < *count; i++) {
        bool last = i + 1 == *count || !are_of_one_pair(&records[i], &records[i + 1]);
        if (keys[i].record == LT_NONE) {
            area += records[i].touch.area;
        } else {
            if (kept != i) records[kept] = records[i];
            kept++;
        }
        if (!last) continue;
        for (uint32_t k = begin; k < kept; k++)
            records[k].touch.area += area / (float)(kept - begin);
        begin = kept;
        area = 0;
    }
    *count = kept;
}

/* Lets the shallowest go, held or found, until all fit: of equals the last. What is new is in scratch->fresh
 * [*fresh_count], in order; orders stay. */
static uint32_t make_fit(lt_contact_list *list, uint32_t *fresh_count, uint32_t limit,
                         const lt_collider *colliders, const lt_contact_scratch *scratch) {
    uint32_t dropped = list->count + *fresh_count - limit, equals = dropped;
    lt_contact_key *held = scratch->keys, *fresh = scratch->spare_keys;
    weigh(held, list->records, list->count, colliders, list->standing);
    weigh(fresh, scratch->fresh, *fresh_count, colliders, list->standing);
    uint64_t worth = find_worth(held, list->count, fresh, *fresh_count, &equals);
    for (uint32_t i = list->count, j = *fresh_count; i > 0 || j > 0;) {
        bool is_held =
            j == 0 || (i > 0 && lt_contact_compare(&list->records[i - 1], &scratch->fresh[j - 1]) > 0);
        let_go(is_held ? &held[--i] : &fresh[--j], worth, &equals);
    }
    close_gaps(list->records, held, &list->count);
    close_gaps(scratch->fresh, fresh, fresh_count);
    return dropped;
}

/* Merges what is new into the list from behind: only what lies behind something new is moved. */
static void insert(lt_contact_list *list, const lt_contact_record *fresh, uint32_t fresh_count) {
    uint32_t old = list->count, at = list->count + fresh_count;
    list->count = at;
    while (fresh_count > 0) {
        bool old_is_next =
            old > 0 && lt_contact_compare(&list->records[old - 1], &fresh[fresh_count - 1]) > 0;
        list->records[--at] = old_is_next ? list->records[--old] : fresh[--fresh_count];
    }
}

uint32_t lt_contacts_update(lt_contact_list *list, const lt_contact_harvest *harvest, lt_pair_table *pairs,
                            const lt_tested *tested, lt_collider *colliders, uint32_t limit,
                            const lt_contact_scratch *scratch) {
    uint32_t key_count, dropped = 0;
    LT_VALIDATE(lt_validate_contact_ranges(list, pairs) ? NULL : "a slot has contacts of another pair");
    lt_contact_key *keys = order_harvest(harvest, pairs, scratch, &key_count);
    uint32_t fresh_count = renew(list, harvest, keys, key_count, pairs, tested, colliders);
    for (uint32_t i = 0; i < fresh_count; i++)
        scratch->fresh[i] = harvest->records[keys[i].record];
    limit = lt_min_u32(limit, list->capacity);
    if (list->count + fresh_count > limit) dropped = make_fit(list, &fresh_count, limit, colliders, scratch);
    insert(list, scratch->fresh, fresh_count);
    lt_contacts_range(list, pairs);
    return dropped;
}

size_t lt_contact_scratch_size(uint32_t capacity) {
    return capacity * (sizeof(lt_contact_record) + 2 * sizeof(lt_contact_key)) + 3 * (size_t)64;
}

bool lt_contact_scratch_take(lt_contact_scratch *scratch, uint32_t capacity, lt_arena *arena) {
    *scratch = (lt_contact_scratch){.fresh = LT_TAKE(arena, capacity, lt_contact_record),
                                    .keys = LT_TAKE(arena, capacity, lt_contact_key),
                                    .spare_keys = LT_TAKE(arena, capacity, lt_contact_key)};
    return scratch->fresh && scratch->keys && scratch->spare_keys;
}
