/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "scenes/shape_cache.h"

#include "baker_digest.h"
#include "core/hash.h"
#include "scenes/shape_store.h"
#include "shape/shape.h"

#include <stdatomic.h>
#include <string.h>

typedef struct cache_entry {
    lt_shape_key key;
    lt_shape *shape; /* NULL: empty */
} cache_entry;

/* The lock is held for a few loads and stores, never while baking: spinning will do. */
static atomic_flag lock = ATOMIC_FLAG_INIT;
static cache_entry entries[LT_SHAPE_CACHE_CAPACITY];
static uint32_t next_place;

static void take_lock(void) {
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
    }
}

static void give_lock(void) {
    atomic_flag_clear_explicit(&lock, memory_order_release);
}

/* ---- keys ---- */

static void add(lt_shape_key *key, const void *bytes, size_t size) {
    key->high = lt_hash_bytes(key->high, bytes, size);
    key->low = lt_hash_bytes(key->low, bytes, size);
}

/* Begins with who bakes, and what kind of thing. */
static lt_shape_key key_of(uint64_t kind, const uint64_t *numbers, size_t count) {
    const uint64_t baker[] = {LT_BAKER_DIGEST, LT_SHAPE_VERSION, kind, count};
    lt_shape_key key = {LT_HASH_SEED, ~LT_HASH_SEED};
    add(&key, baker, sizeof baker);
    add(&key, numbers, count * sizeof *numbers);
    return key;
}

static uint64_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

enum { KIND_SURFACE, KIND_SPHERES, KIND_TREE };

static lt_shape_key key_of_surface(const lt_bake_surface_def *def) {
    const uint64_t numbers[] = {def->vertex_count,
                                def->triangle_count,
                                def->target_triangles,
                                def->target_tets,
                                bits_of(def->min_dihedral),
                                def->rounds,
                                def->seed,
                                def->embedding,
                                def->carrier,
                                def->target_cells,
                                bits_of(def->cell_size),
                                def->fill,
                                def->distance_resolution,
                                def->ladder_levels,
                                def->coarsest_tets,
                                def->level_tets != NULL};
    lt_shape_key key = key_of(KIND_SURFACE, numbers, LT_COUNT_OF(numbers));
    if (def->level_tets) add(&key, def->level_tets, def->ladder_levels * sizeof *def->level_tets);
    add(&key, def->positions, 3 * (size_t)def->vertex_count * sizeof *def->positions);
    add(&key, def->triangles, 3 * (size_t)def->triangle_count * sizeof *def->triangles);
    return key;
}

/* ---- in memory ---- */

static bool is_key(lt_shape_key a, lt_shape_key b) {
    return a.high == b.high && a.low == b.low;
}

static lt_shape *find(lt_shape_key key) {
    lt_shape *found = NULL;
    take_lock();
    for (uint32_t i = 0; i < LT_SHAPE_CACHE_CAPACITY && !found; i++)
        if (entries[i].shape && is_key(entries[i].key, key)) found = lt_shape_retain(entries[i].shape);
    give_lock();
    return found;
}

static void keep(lt_shape_key key, lt_shape *shape) {
    take_lock();
    cache_entry *entry = &entries[next_place++ % LT_SHAPE_CACHE_CAPACITY];
    lt_shape *oldest = entry->shape;
    *entry = (cache_entry){key, lt_shape_retain(shape)};
    give_lock();
    lt_shape_release(oldest);
}

/* ---- in memory, else in a file, else baked ---- */

static bool lives_on(const lt_allocator *allocator) {
    lt_allocator usual = lt_allocator_default();
    return allocator->allocate == usual.allocate && allocator->release == usual.release &&
           allocator->context == usual.context;
}

static bool recall(lt_shape **out, lt_shape_key key, const char *name) {
    *out = find(key);
    if (*out) return true;
    *out = lt_shape_store_find(key, name);
    if (*out) keep(key, *out);
    return *out != NULL;
}

static lt_status remember(lt_shape *const *baked, lt_shape_key key, lt_status status) {
    if (status != LT_OK) return status;
    keep(key, *baked);
    lt_shape_store_keep(key, *baked);
    return LT_OK;
}

lt_status lt_shape_cache_bake(lt_shape **out, const lt_bake_surface_def *def, lt_error *error) {
    if (!lives_on(&def->allocator) || !def->positions || !def->triangles)
        return lt_bake_surface(def, out, NULL, error);
    lt_shape_key key = key_of_surface(def);
    if (recall(out, key, def->name)) return LT_OK;
    return remember(out, key, lt_bake_surface(def, out, NULL, error));
}

/* The rest of what shapes are baked into is found by the shape and the options. */
lt_status lt_shape_cache_spheres(lt_shape **out, const lt_shape *shape, const lt_bake_spheres_def *def,
                                 lt_error *error) {
    const uint64_t numbers[] = {lt_shape_hash(shape), lt_shape_size(shape), def->method, def->branching,
                                def->depth,           def->layered,         def->seed,   def->effort};
    if (!lives_on(&def->allocator) || def->sphere_file) return lt_bake_spheres(shape, def, out, error);
    lt_shape_key key = key_of(KIND_SPHERES, numbers, LT_COUNT_OF(numbers));
    if (recall(out, key, lt_shape_name(shape))) return LT_OK;
    return remember(out, key, lt_bake_spheres(shape, def, out, error));
}

lt_status lt_shape_cache_tree(lt_shape **out, const lt_shape *shape, const lt_bake_tree_def *def,
                              lt_error *error) {
    const uint64_t numbers[] = {lt_shape_hash(shape), lt_shape_size(shape), def->max_governors};
    if (!lives_on(&def->allocator)) return lt_bake_tree(shape, def, out, error);
    lt_shape_key key = key_of(KIND_TREE, numbers, LT_COUNT_OF(numbers));
    if (recall(out, key, lt_shape_name(shape))) return LT_OK;
    return remember(out, key, lt_bake_tree(shape, def, out, error));
}

void lt_shape_cache_clear(void) {
    for (uint32_t i = 0; i < LT_SHAPE_CACHE_CAPACITY; i++) {
        take_lock();
        lt_shape *shape = entries[i].shape;
        entries[i].shape = NULL;
        give_lock();
        lt_shape_release(shape);
    }
}
