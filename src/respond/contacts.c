/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The memory of contacts: harvest, order, merge with what was there. Cost follows what is new and what goes: contacts that
 * are found again stay where they are. */

#include "respond/respond.h"

#include "core/heap.h"

int lt_contact_compare(const lt_contact_record *x, const lt_contact_record *y) {
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->b != y->b) return x->b < y->b ? -1 : 1;
    return x->feature < y->feature ? -1 : x->feature > y->feature;
}

bool lt_contacts_hold(const lt_contact_list *list, const lt_pair *pair, uint32_t feature) {
    lt_contact_record key = {.a = pair->a, .kind = pair->kind, .b = pair->b, .feature = feature};
    uint32_t lo = 0, hi = list->count;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (lt_contact_compare(&list->records[middle], &key) < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < list->count && lt_contact_compare(&list->records[lo], &key) == 0;
}

/* What goes first where there is not room for all. Obstacles go last: a body that falls through the floor is lost. */
static bool shallower(const lt_contact_record *x, const lt_contact_record *y) {
    if ((x->kind == LT_PAIR_OBSTACLE) != (y->kind == LT_PAIR_OBSTACLE)) return y->kind == LT_PAIR_OBSTACLE;
    if (x->touch.depth != y->touch.depth) return x->touch.depth < y->touch.depth;
    return lt_contact_compare(x, y) > 0;
}

static bool later(const lt_contact_record *x, const lt_contact_record *y) {
    return lt_contact_compare(x, y) > 0;
}

/* The shallowest contact on top while harvesting beyond the capacity; by key for sorting. */
LT_HEAP(shallow, lt_contact_record, shallower)
LT_HEAP(keyed, lt_contact_record, later)

static void harvest_record(lt_contact_harvest *harvest, lt_contact_record record) {
    if (harvest->count < harvest->capacity) {
        harvest->records[harvest->count++] = record;
        if (harvest->count == harvest->capacity) shallow_make(harvest->records, harvest->count);
        return;
    }
    harvest->dropped++;
    if (harvest->capacity == 0 || shallower(&record, &harvest->records[0])) return;
    harvest->records[0] = record;
    shallow_settle(harvest->records, 0, harvest->count);
}

void lt_harvest_add(lt_contact_harvest *harvest, const lt_pair *pair, uint32_t feature,
                    const lt_touch *touch) {
    harvest_record(harvest, (lt_contact_record){.a = pair->a,
                                                .kind = pair->kind,
                                                .b = pair->b,
                                                .feature = feature,
                                                .touch = *touch,
                                                .is_new = true});
}

void lt_harvest_keep(lt_contact_harvest *harvest, const lt_contact_record *record) {
    lt_contact_record kept = *record;
    kept.age++;
    harvest_record(harvest, kept);
}

/* ---- order ---- */

static lt_contact_record pair_key(const lt_pair *p) {
    return (lt_contact_record){.a = p->a, .kind = p->kind, .b = p->b};
}

static bool is_of_pair(const lt_contact_record *r, const lt_pair *p) {
    return r->a == p->a && r->kind == p->kind && r->b == p->b;
}

/* The first pair that does not come before the record. */
static uint32_t find_pair(const lt_pair_list *pairs, const lt_contact_record *r) {
    lt_contact_record wanted = *r;
    wanted.feature = 0;
    uint32_t lo = 0, hi = pairs->count;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        lt_contact_record key = pair_key(&pairs->pairs[middle]);
        if (lt_contact_compare(&key, &wanted) < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* Merges two runs of keys. */
static void merge_runs(lt_contact_key *out, const lt_contact_key *keys, uint32_t begin, uint32_t middle,
                       uint32_t end) {
    uint32_t left = begin, right = middle;
    for (uint32_t i = begin; i < end; i++) {
        bool from_left = left < middle && (right == end || keys[left].key <= keys[right].key);
        out[i] = from_left ? keys[left++] : keys[right++];
    }
}

/* The harvest's records in order, as keys: place of the pair, then feature. Returns the array that they are in. */
static lt_contact_key *order_harvest(const lt_contact_harvest *harvest, const lt_pair_list *pairs,
                                     const lt_contact_scratch *scratch) {
    lt_contact_key *keys = scratch->keys, *spare = scratch->spare_keys;
    uint32_t pair = 0, count = harvest->count;
    for (uint32_t i = 0; i < count; i++) {
        const lt_contact_record *r = &harvest->records[i];
        if (i == 0 || r->a != r[-1].a || r->kind != r[-1].kind || r->b != r[-1].b) pair = find_pair(pairs, r);
        keys[i] = (lt_contact_key){(uint64_t)pair << 32 | r->feature, i};
    }
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

/* ---- what lives on ---- */

/* Whether an old contact lives on without having been found again. `pair` is the first that does not come before it. */
static bool is_kept(const lt_contact_record *r, const lt_pair_list *pairs, uint32_t pair,
                    const lt_tested *tested, const lt_collider *colliders) {
    if (lt_contact_sleeps(r, colliders)) return true;
    if (pair == pairs->count || !is_of_pair(r, &pairs->pairs[pair])) return false;
    uint32_t total = lt_pair_point_count(&pairs->pairs[pair], colliders);
    uint32_t behind = r->feature >= tested[pair].begin ? r->feature - tested[pair].begin
                                                       : r->feature + total - tested[pair].begin;
    return behind >= tested[pair].count;
}

/* A contact of a front that was cut may stand for something else than the one of the same sphere before: what it is deeper
 * all at once is not pushed out all at once. */
static lt_contact_record remembered(const lt_contact_record *found, const lt_contact_record *before) {
    lt_contact_record now = *found;
    bool approximate = found->touch.approximate || before->touch.approximate;
    now.stick = before->stick;
    now.credit = before->credit;
    if (approximate) now.credit += lt_max_f(0, found->touch.depth - lt_max_f(0, before->depth));
    now.force = before->force;
    now.is_new = false;
    return now;
}

/* Old contacts found again become the new ones, with their memory, where they are; those that do not live on go. What of
 * the harvest is left is new: its keys, in order; returns how many. */
static uint32_t renew(lt_contact_list *list, const lt_contact_harvest *harvest, lt_contact_key *keys,
                      const lt_pair_list *pairs, const lt_tested *tested, lt_collider *colliders) {
    uint32_t kept = 0, next = 0, fresh = 0, pair = 0;
    for (uint32_t old = 0; old < list->count; old++) {
        lt_contact_record *r = &list->records[old];
        for (; pair < pairs->count; pair++) {
            lt_contact_record key = pair_key(&pairs->pairs[pair]);
            if (lt_contact_compare(&key, r) >= 0 || is_of_pair(r, &pairs->pairs[pair])) break;
        }
        while (next < harvest->count && lt_contact_compare(&harvest->records[keys[next].record], r) < 0)
            keys[fresh++] = keys[next++];
        if (next < harvest->count && lt_contact_compare(&harvest->records[keys[next].record], r) == 0) {
            list->records[kept++] = remembered(&harvest->records[keys[next++].record], r);
        } else if (is_kept(r, pairs, pair, tested, colliders)) {
            r->is_new = false;
            if (!lt_contact_sleeps(r, colliders)) r->age++;
            if (kept != old) list->records[kept] = *r;
            kept++;
        } else if (r->kind == LT_PAIR_BODIES) {
            colliders[r->a].bereft = colliders[r->b].bereft = true;
        }
    }
    while (next < harvest->count)
        keys[fresh++] = keys[next++];
    list->count = kept;
    return fresh;
}

/* ---- room ---- */

/* Lets the shallowest go, held or found, until all fit. What is new is in `fresh` [*fresh_count], in order. */
static uint32_t make_fit(lt_contact_list *list, lt_contact_record *fresh, uint32_t *fresh_count,
                         uint32_t limit) {
    uint32_t dropped = 0;
    shallow_make(list->records, list->count);
    shallow_make(fresh, *fresh_count);
    for (; list->count + *fresh_count > limit; dropped++) {
        if (*fresh_count == 0 || (list->count && shallower(&list->records[0], &fresh[0])))
            shallow_drop(list->records, &list->count);
        else
            shallow_drop(fresh, fresh_count);
    }
    keyed_sort(list->records, list->count);
    keyed_sort(fresh, *fresh_count);
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

uint32_t lt_contacts_update(lt_contact_list *list, const lt_contact_harvest *harvest,
                            const lt_pair_list *pairs, const lt_tested *tested, lt_collider *colliders,
                            uint32_t limit, const lt_contact_scratch *scratch) {
    lt_contact_key *keys = order_harvest(harvest, pairs, scratch);
    uint32_t fresh_count = renew(list, harvest, keys, pairs, tested, colliders), dropped = 0;
    for (uint32_t i = 0; i < fresh_count; i++)
        scratch->fresh[i] = harvest->records[keys[i].record];
    limit = lt_min_u32(limit, list->capacity);
    if (list->count + fresh_count > limit) dropped = make_fit(list, scratch->fresh, &fresh_count, limit);
    insert(list, scratch->fresh, fresh_count);
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
