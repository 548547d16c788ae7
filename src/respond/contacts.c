/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The memory of contacts: harvest, sort, merge with what was there. */

#include "respond/respond.h"

#include <string.h>

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

static bool shallower(const lt_contact_record *x, const lt_contact_record *y) {
    if (x->touch.depth != y->touch.depth) return x->touch.depth < y->touch.depth;
    return lt_contact_compare(x, y) > 0;
}

static bool later(const lt_contact_record *x, const lt_contact_record *y) {
    return lt_contact_compare(x, y) > 0;
}

/* One heap for two orders: the shallowest contact on top while harvesting beyond the capacity, the last key on top
 * while sorting. */
typedef bool before_fn(const lt_contact_record *x, const lt_contact_record *y);

static void sift_down(lt_contact_record *r, uint32_t at, uint32_t count, before_fn *before) {
    for (uint32_t child = 2 * at + 1; child < count; at = child, child = 2 * at + 1) {
        if (child + 1 < count && before(&r[child + 1], &r[child])) child++;
        if (!before(&r[child], &r[at])) return;
        lt_contact_record swap = r[at];
        r[at] = r[child];
        r[child] = swap;
    }
}

static void make_heap(lt_contact_record *r, uint32_t count, before_fn *before) {
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(r, i, count, before);
}

static void sort_by_key(lt_contact_record *r, uint32_t count) {
    make_heap(r, count, later);
    for (uint32_t end = count; end-- > 1;) {
        lt_contact_record swap = r[0];
        r[0] = r[end];
        r[end] = swap;
        sift_down(r, 0, end, later);
    }
}

static void harvest_record(lt_contact_harvest *harvest, lt_contact_record record) {
    if (harvest->count < harvest->capacity) {
        harvest->records[harvest->count++] = record;
        if (harvest->count == harvest->capacity) make_heap(harvest->records, harvest->count, shallower);
        return;
    }
    harvest->dropped++;
    if (harvest->capacity == 0 || shallower(&record, &harvest->records[0])) return;
    harvest->records[0] = record;
    sift_down(harvest->records, 0, harvest->count, shallower);
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

static uint32_t find_pair(const lt_pair_list *pairs, const lt_contact_record *r) {
    uint32_t lo = 0, hi = pairs->count;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        const lt_pair *p = &pairs->pairs[middle];
        lt_contact_record key = {.a = p->a, .kind = p->kind, .b = p->b, .feature = r->feature};
        int order = lt_contact_compare(&key, r);
        if (order == 0) return middle;
        if (order < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    return LT_NONE;
}

/* Whether an old contact lives on without having been found again. */
static bool is_kept(const lt_contact_record *r, const lt_pair_list *pairs, const lt_tested *tested,
                    const lt_collider *colliders) {
    if (lt_contact_sleeps(r, colliders)) return true;
    uint32_t pair = find_pair(pairs, r);
    if (pair == LT_NONE) return false;
    uint32_t total = lt_pair_point_count(&pairs->pairs[pair], colliders);
    uint32_t behind = r->feature >= tested[pair].begin ? r->feature - tested[pair].begin
                                                       : r->feature + total - tested[pair].begin;
    return behind >= tested[pair].count;
}

static void remember(lt_contact_record *now, const lt_contact_record *before) {
    now->stick = before->stick;
    now->credit = before->credit;
    now->force = before->force;
    now->is_new = false;
}

/* Old contacts found again hand their memory to the new record; what is left of the old ones is what lives on. Both
 * stay sorted. */
static void part_old_from_found(lt_contact_list *list, lt_contact_harvest *harvest, const lt_pair_list *pairs,
                                const lt_tested *tested, lt_collider *colliders) {
    uint32_t kept = 0, found = 0;
    for (uint32_t old = 0; old < list->count; old++) {
        lt_contact_record *r = &list->records[old];
        while (found < harvest->count && lt_contact_compare(&harvest->records[found], r) < 0)
            found++;
        if (found < harvest->count && lt_contact_compare(&harvest->records[found], r) == 0) {
            remember(&harvest->records[found], r);
            continue;
        }
        if (!is_kept(r, pairs, tested, colliders)) {
            if (r->kind == LT_PAIR_BODIES) colliders[r->a].bereft = colliders[r->b].bereft = true;
            continue;
        }
        r->is_new = false;
        if (!lt_contact_sleeps(r, colliders)) r->age++;
        list->records[kept++] = *r;
    }
    list->count = kept;
}

static void pop_heap(lt_contact_record *r, uint32_t *count) {
    r[0] = r[--*count];
    sift_down(r, 0, *count, shallower);
}

/* Lets the shallowest go, held or found, until all fit. */
static uint32_t make_fit(lt_contact_list *list, lt_contact_harvest *harvest) {
    uint32_t dropped = 0;
    if (list->count + harvest->count <= list->capacity) return 0;
    make_heap(list->records, list->count, shallower);
    make_heap(harvest->records, harvest->count, shallower);
    for (; list->count + harvest->count > list->capacity; dropped++) {
        if (harvest->count == 0 || (list->count && shallower(&list->records[0], &harvest->records[0])))
            pop_heap(list->records, &list->count);
        else
            pop_heap(harvest->records, &harvest->count);
    }
    sort_by_key(list->records, list->count);
    sort_by_key(harvest->records, harvest->count);
    return dropped;
}

uint32_t lt_contacts_update(lt_contact_list *list, lt_contact_harvest *harvest, const lt_pair_list *pairs,
                            const lt_tested *tested, lt_collider *colliders, lt_contact_record *scratch) {
    sort_by_key(harvest->records, harvest->count);
    part_old_from_found(list, harvest, pairs, tested, colliders);
    uint32_t dropped = make_fit(list, harvest);
    uint32_t count = list->count + harvest->count, old = 0, found = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool old_is_next =
            found == harvest->count ||
            (old < list->count && lt_contact_compare(&list->records[old], &harvest->records[found]) < 0);
        scratch[i] = old_is_next ? list->records[old++] : harvest->records[found++];
    }
    memcpy(list->records, scratch, count * sizeof *scratch);
    list->count = count;
    return dropped;
}
