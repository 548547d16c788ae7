/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "scenes/shape_cache.h"

#include "core/hash.h"

#include <stdatomic.h>
#include <string.h>

typedef struct cache_entry {
    uint64_t key;
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

static uint64_t key_of(const lt_bake_surface_def *def) {
    uint32_t dihedral_bits, size_bits;
    memcpy(&dihedral_bits, &def->min_dihedral, sizeof dihedral_bits);
    memcpy(&size_bits, &def->cell_size, sizeof size_bits);
    const uint64_t numbers[] = {def->vertex_count,
                                def->triangle_count,
                                def->target_triangles,
                                def->target_tets,
                                dihedral_bits,
                                def->rounds,
                                def->seed,
                                def->embedding,
                                def->carrier,
                                def->target_cells,
                                size_bits,
                                def->fill,
                                def->distance_resolution,
                                def->ladder_levels,
                                def->coarsest_tets};
    uint64_t key = lt_hash_bytes(LT_HASH_SEED, numbers, sizeof numbers);
    if (def->level_tets)
        key = lt_hash_bytes(key, def->level_tets, def->ladder_levels * sizeof *def->level_tets);
    key = lt_hash_bytes(key, def->positions, 3 * (size_t)def->vertex_count * sizeof *def->positions);
    return lt_hash_bytes(key, def->triangles, 3 * (size_t)def->triangle_count * sizeof *def->triangles);
}

static lt_shape *find(uint64_t key) {
    lt_shape *found = NULL;
    take_lock();
    for (uint32_t i = 0; i < LT_SHAPE_CACHE_CAPACITY && !found; i++)
        if (entries[i].shape && entries[i].key == key) found = lt_shape_retain(entries[i].shape);
    give_lock();
    return found;
}

static void keep(uint64_t key, lt_shape *shape) {
    take_lock();
    cache_entry *entry = &entries[next_place++ % LT_SHAPE_CACHE_CAPACITY];
    lt_shape *oldest = entry->shape;
    *entry = (cache_entry){key, lt_shape_retain(shape)};
    give_lock();
    lt_shape_release(oldest);
}

static bool lives_on(const lt_allocator *allocator) {
    lt_allocator usual = lt_allocator_default();
    return allocator->allocate == usual.allocate && allocator->release == usual.release &&
           allocator->context == usual.context;
}

lt_status lt_shape_cache_bake(lt_shape **out, const lt_bake_surface_def *def, lt_error *error) {
    bool is_kept = lives_on(&def->allocator) && def->positions && def->triangles;
    uint64_t key = is_kept ? key_of(def) : 0;
    *out = is_kept ? find(key) : NULL;
    if (*out) return LT_OK;
    lt_status status = lt_bake_surface(def, out, NULL, error);
    if (status == LT_OK && is_kept) keep(key, *out);
    return status;
}

/* The rest of what shapes are baked into is found by the shape and the options. */
static bool recall(lt_shape **out, const lt_allocator *allocator, uint64_t key) {
    *out = lives_on(allocator) ? find(key) : NULL;
    return *out != NULL;
}

static lt_status remember(lt_status status, lt_shape *baked, const lt_allocator *allocator, uint64_t key) {
    if (status == LT_OK && lives_on(allocator)) keep(key, baked);
    return status;
}

lt_status lt_shape_cache_spheres(lt_shape **out, const lt_shape *shape, const lt_bake_spheres_def *def,
                                 lt_error *error) {
    const uint64_t numbers[] = {lt_shape_hash(shape), def->method, def->branching, def->depth,
                                def->layered,         def->seed,   def->effort};
    uint64_t key = lt_hash_bytes(LT_HASH_SEED, numbers, sizeof numbers);
    if (recall(out, &def->allocator, key)) return LT_OK;
    lt_status status = lt_bake_spheres(shape, def, out, error);
    return remember(status, *out, &def->allocator, key);
}

lt_status lt_shape_cache_tree(lt_shape **out, const lt_shape *shape, const lt_bake_tree_def *def,
                              lt_error *error) {
    const uint64_t numbers[] = {lt_shape_hash(shape), def->max_governors};
    uint64_t key = lt_hash_bytes(LT_HASH_SEED, numbers, sizeof numbers);
    if (recall(out, &def->allocator, key)) return LT_OK;
    lt_status status = lt_bake_tree(shape, def, out, error);
    return remember(status, *out, &def->allocator, key);
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
