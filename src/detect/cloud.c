/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/cloud.h"

extern const lt_cloud_kernels lt_cloud_kernels_scalar, lt_cloud_kernels_wide4, lt_cloud_kernels_avx2;

const lt_cloud_kernels *lt_cloud_kernels_for(lt_simd_level level) {
    LT_ASSERT((unsigned)level < LT_LEVEL_COUNT);
    static const lt_cloud_kernels *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_cloud_kernels);
    return table[level];
}

/* ---- memory ---- */

static size_t block_floats(uint32_t capacity) {
    return LT_CLOUD_BLOCK * ((size_t)capacity / 8 + 1);
}

static void free_arrays(lt_cloud *c) {
    const lt_allocator *a = &c->allocator;
    LT_DELETE(a, c->positions, c->capacity, lt_vec3);
    LT_DELETE(a, c->reaches, c->capacity, float);
    LT_DELETE(a, c->kinds, c->capacity, float);
    LT_DELETE(a, c->items, c->capacity, uint32_t);
    LT_DELETE(a, c->owners, c->capacity, uint32_t);
    LT_DELETE(a, c->blocks, block_floats(c->capacity), float);
    lt_spatial_hash_free(&c->hash);
}

void lt_cloud_free(lt_cloud *cloud) {
    free_arrays(cloud);
    *cloud = (lt_cloud){0};
}

lt_status lt_cloud_reserve(lt_cloud *cloud, uint32_t capacity, const lt_allocator *allocator,
                           lt_error *error) {
    lt_cloud made = {.capacity = capacity, .allocator = *allocator};
    made.positions = LT_NEW(allocator, capacity, lt_vec3);
    made.reaches = LT_NEW(allocator, capacity, float);
    made.kinds = LT_NEW(allocator, capacity, float);
    made.items = LT_NEW(allocator, capacity, uint32_t);
    made.owners = LT_NEW(allocator, capacity, uint32_t);
    made.blocks = LT_NEW(allocator, block_floats(capacity), float);
    lt_status status = LT_OK;
    if (!made.blocks || !made.positions || !made.reaches || !made.kinds || !made.items || !made.owners)
        status = lt_fail(error, LT_STATUS_MEMORY, "no memory for a cloud of %u points", capacity);
    if (status == LT_OK) status = lt_spatial_hash_reserve(&made.hash, capacity, capacity, allocator, error);
    free_arrays(status == LT_OK ? cloud : &made);
    if (status == LT_OK) *cloud = made;
    return status;
}

/* ---- building ---- */

void lt_cloud_clear(lt_cloud *cloud) {
    cloud->count = cloud->sorted = 0;
    cloud->longest_reach = 0;
}

bool lt_cloud_add(lt_cloud *cloud, uint32_t item, uint32_t kind, lt_vec3 position, float reach) {
    if (cloud->count == cloud->capacity) return false;
    cloud->positions[cloud->count] = position;
    cloud->reaches[cloud->count] = reach;
    cloud->kinds[cloud->count] = (float)kind;
    cloud->items[cloud->count++] = item;
    cloud->longest_reach = lt_max_f(cloud->longest_reach, reach);
    return true;
}

void lt_cloud_begin(lt_cloud *cloud, float cell_size, lt_spatial_function function) {
    lt_spatial_input input = {.points = cloud->positions,
                              .item_count = cloud->count,
                              .cell_size = cell_size > 1e-20f && cell_size < 1e20f ? cell_size : 1,
                              .function = function};
    cloud->sorted = 0;
    lt_spatial_hash_begin(&cloud->hash, &input);
}

static void sort_entry(lt_cloud *c, uint32_t at) {
    LT_ASSERT(at < c->capacity);
    uint32_t id = lt_spatial_entry_id(&c->hash.entries[at]);
    *lt_cloud_value(c, at, 0) = c->positions[id].x;
    *lt_cloud_value(c, at, 1) = c->positions[id].y;
    *lt_cloud_value(c, at, 2) = c->positions[id].z;
    *lt_cloud_value(c, at, 3) = c->reaches[id];
    *lt_cloud_value(c, at, 4) = c->kinds[id];
    c->owners[at] = c->items[id];
}

void lt_cloud_step(lt_cloud *cloud, uint32_t grant) {
    if (!lt_spatial_hash_is_done(&cloud->hash)) {
        lt_spatial_hash_step(&cloud->hash, grant);
        return;
    }
    uint32_t end = cloud->sorted + lt_min_u32(grant, cloud->hash.entry_count - cloud->sorted);
    while (cloud->sorted < end)
        sort_entry(cloud, cloud->sorted++);
    if (lt_cloud_is_done(cloud)) LT_VALIDATE(lt_validate_cloud(cloud));
}

/* ---- at once ---- */

/* With so many of the points in cells: measured, buckets cleared, counted, buckets summed, filled, sorted. */
static uint32_t count_steps(const lt_cloud *c, uint32_t entry_count, uint32_t bucket_count, uint32_t grant) {
    uint32_t wipes = lt_chunk_count(bucket_count, LT_SPATIAL_BUCKETS_A_WIPE);
    return 3 * lt_chunk_count(c->count, grant) + lt_chunk_count(wipes, grant) +
           lt_chunk_count(bucket_count, grant) + lt_chunk_count(entry_count, grant);
}

uint32_t lt_cloud_step_count(const lt_cloud *cloud, uint32_t grant) {
    return count_steps(cloud, cloud->count, cloud->count, grant);
}

static void sort_entries(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    (void)chunk;
    for (uint32_t i = begin; i < end; i++)
        sort_entry(context, i);
}

uint32_t lt_cloud_build(lt_cloud *cloud, uint32_t grant, lt_tasks *tasks) {
    enum { ENTRIES_A_CHUNK = 1024 }; /* whole blocks of eight */
    const lt_spatial_hash *hash = &cloud->hash;
    LT_ASSERT(cloud->count > 0 && cloud->sorted == 0);
    lt_spatial_hash_build(&cloud->hash, tasks);
    lt_tasks_for(tasks, hash->entry_count, ENTRIES_A_CHUNK, sort_entries, cloud);
    cloud->sorted = hash->entry_count;
    LT_VALIDATE(lt_validate_cloud(cloud));
    return count_steps(cloud, hash->entry_count, hash->bucket_count, grant);
}

const char *lt_validate_cloud(const lt_cloud *cloud) {
    if (cloud->count > cloud->capacity) return "more points than the cloud has room for";
    if (cloud->sorted > cloud->hash.entry_count) return "more entries are sorted than there are";
    if (!lt_validate_spatial_hash(&cloud->hash)) return "points are not in the cells where they are";
    for (uint32_t i = 0; i < cloud->count; i++)
        if (cloud->reaches[i] > cloud->longest_reach) return "a reach is longer than the longest";
    for (uint32_t at = 0; at < cloud->sorted; at++) {
        uint32_t item = lt_spatial_entry_id(&cloud->hash.entries[at]);
        if (item >= cloud->count) return "an entry is of no point";
        if (cloud->owners[at] != cloud->items[item]) return "an entry is of another point";
    }
    return NULL;
}
