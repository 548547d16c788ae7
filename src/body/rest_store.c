/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* See rest_store.h. Lists are short, a few materials and steps of a shape: they are searched from end to end. */

#include "body/rest_store.h"
#include "core/os.h"

struct lt_rest_store {
    lt_shape_cache cache; /* first */
    lt_os_monitor *monitor;
    lt_factor_plan plan;
    lt_rest_columns columns;
    bool has_plan;
    lt_array entries; /* of lt_rest_entry *, which stay where they are */
    lt_allocator allocator;
};

/* ---- life ---- */

static size_t value_count(const lt_rest_store *store) {
    return lt_factor_value_count(&store->plan) + lt_rest_columns_reals(&store->columns);
}

static void free_entry(lt_rest_store *store, lt_rest_entry *entry) {
    LT_DELETE(&store->allocator, entry->values, value_count(store), lt_real);
    LT_DELETE(&store->allocator, entry, 1, lt_rest_entry);
}

static void destroy_store(lt_shape_cache *cache) {
    lt_rest_store *store = (lt_rest_store *)cache;
    LT_ASSERT(store->entries.count == 0); /* bodies have their shapes longer than their factors */
    lt_allocator allocator = store->allocator;
    lt_array_free(&store->entries);
    if (store->has_plan) {
        lt_factor_plan_free(&store->plan);
        lt_rest_columns_free(&store->columns);
    }
    lt_os_monitor_destroy(&allocator, store->monitor);
    LT_DELETE(&allocator, store, 1, lt_rest_store);
}

static lt_shape_cache *create_store(const lt_allocator *allocator) {
    lt_rest_store *store = LT_NEW(allocator, 1, lt_rest_store);
    if (!store) return NULL;
    store->cache.destroy = destroy_store;
    store->allocator = *allocator;
    store->entries = LT_ARRAY_OF(allocator, lt_rest_entry *);
    store->monitor = lt_os_monitor_create(allocator);
    if (store->monitor) return &store->cache;
    LT_DELETE(allocator, store, 1, lt_rest_store);
    return NULL;
}

lt_rest_store *lt_rest_store_of(const lt_carrier *carrier) {
    LT_ASSERT(carrier->shape);
    return (lt_rest_store *)lt_shape_cache_of(carrier->shape, create_store);
}

static lt_status make_plan(lt_rest_store *store, const lt_carrier *carrier, lt_error *error) {
    lt_status status =
        lt_factor_plan_make(&store->plan, &carrier->pattern, carrier->order, &store->allocator, error);
    if (status != LT_OK) return status;
    status = lt_rest_columns_make(&store->columns, carrier, &store->plan, &store->allocator, error);
    if (status != LT_OK) lt_factor_plan_free(&store->plan);
    return status;
}

lt_status lt_rest_store_plan(lt_rest_store *store, const lt_carrier *carrier, const lt_factor_plan **out,
                             const lt_rest_columns **columns, lt_error *error) {
    LT_ASSERT(carrier->ladder.level_count == 0); /* the order is that of the finest level */
    lt_status status = LT_OK;
    lt_os_monitor_lock(store->monitor);
    if (!store->has_plan) {
        status = make_plan(store, carrier, error);
        store->has_plan = status == LT_OK;
    }
    lt_os_monitor_unlock(store->monitor);
    if (status != LT_OK) return status;
    LT_ASSERT(store->plan.node_count == carrier->node_count);
    LT_VALIDATE(lt_validate_factor_plan(&store->plan, &carrier->pattern) ? NULL : "a plan of a factor");
    *out = &store->plan;
    *columns = &store->columns;
    return LT_OK;
}

/* ---- entries; with the lock ---- */

static lt_rest_entry **entry_at(const lt_rest_store *store, size_t index) {
    LT_ASSERT(index < store->entries.count);
    return (lt_rest_entry **)store->entries.items + index;
}

static bool add_entry(lt_rest_store *store) {
    lt_rest_entry *entry = LT_NEW(&store->allocator, 1, lt_rest_entry);
    if (entry) entry->values = LT_NEW(&store->allocator, value_count(store), lt_real);
    if (entry && entry->values && lt_array_push(&store->entries, &entry)) return true;
    if (entry) free_entry(store, entry);
    return false;
}

/* Place of one that nobody holds, without numbers where there is such a one. */
static size_t find_free(const lt_rest_store *store) {
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < store->entries.count; i++) {
        const lt_rest_entry *entry = *entry_at(store, i);
        if (entry->user_count == 0 && (found == SIZE_MAX || !entry->ready)) found = i;
    }
    LT_ASSERT(found != SIZE_MAX); /* nobody holds more than was reserved */
    return found;
}

static void remove_free(lt_rest_store *store, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        size_t at = find_free(store);
        free_entry(store, *entry_at(store, at));
        *entry_at(store, at) = *entry_at(store, store->entries.count - 1);
        store->entries.count--;
    }
}

static lt_rest_entry *find_ready(const lt_rest_store *store, const lt_rest_key *key) {
    for (size_t i = 0; i < store->entries.count; i++) {
        lt_rest_entry *entry = *entry_at(store, i);
        if (entry->ready && entry->key.pins == key->pins && entry->key.poisson == key->poisson &&
            entry->key.beta == key->beta)
            return entry;
    }
    return NULL;
}

/* ---- entries ---- */

bool lt_rest_store_reserve(lt_rest_store *store, uint32_t count) {
    lt_os_monitor_lock(store->monitor);
    LT_ASSERT(store->has_plan);
    uint32_t added = 0;
    while (added < count && add_entry(store))
        added++;
    if (added < count) remove_free(store, added);
    lt_os_monitor_unlock(store->monitor);
    return added == count;
}

void lt_rest_store_withdraw(lt_rest_store *store, uint32_t count) {
    lt_os_monitor_lock(store->monitor);
    remove_free(store, count);
    lt_os_monitor_unlock(store->monitor);
}

lt_rest_entry *lt_rest_store_hold(lt_rest_store *store, const lt_rest_key *key) {
    lt_os_monitor_lock(store->monitor);
    lt_rest_entry *entry = find_ready(store, key);
    if (!entry) {
        entry = *entry_at(store, find_free(store));
        entry->key = *key;
        entry->ready = false;
    }
    entry->user_count++;
    lt_os_monitor_unlock(store->monitor);
    return entry;
}

void lt_rest_store_publish(lt_rest_store *store, lt_rest_entry *entry) {
    lt_os_monitor_lock(store->monitor);
    LT_ASSERT(entry->user_count == 1 && !entry->ready);
    entry->ready = true;
    lt_os_monitor_unlock(store->monitor);
}

void lt_rest_store_let_go(lt_rest_store *store, lt_rest_entry *entry) {
    lt_os_monitor_lock(store->monitor);
    LT_ASSERT(entry->user_count > 0);
    entry->user_count--;
    lt_os_monitor_unlock(store->monitor);
}
