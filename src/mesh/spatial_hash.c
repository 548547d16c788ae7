/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two ways to the same sorted entries. Stepping is a plain counting sort: count, sum, fill, each pass
 * recomputing cells from the input, so that nothing but indices needs to be kept between steps. The
 * threaded build first spreads entries over up to 64 groups of neighbouring buckets (a small histogram per
 * chunk of items keeps the order), then every group sorts itself; per-chunk histograms of all buckets
 * would cost more to add up than the sort. Both are stable, so both give the order "bucket, then id". */

#include "mesh/spatial_hash.h"

#include <string.h>

enum {
    CHUNK_ITEMS = 2048,
    GROUP_MAX = 64,
    /* Words of a chunk: the entries of each group, then entries, large items and invalid items in all. */
    WORD_ENTRIES = GROUP_MAX,
    WORD_LARGE,
    WORD_INVALID,
    CHUNK_WORDS
};

/* ---- cells ---- */

static lt_box item_box(const lt_spatial_input *input, uint32_t item) {
    LT_ASSERT(item < input->item_count);
    if (input->boxes) return input->boxes[item];
    return (lt_box){input->points[item], input->points[item]};
}

/* Also false for NaN. */
static bool box_is_ordered(lt_box box) {
    return box.lo.x <= box.hi.x && box.lo.y <= box.hi.y && box.lo.z <= box.hi.z;
}

/* How many cells lie in [lo, hi], or `limit` + 1 when there are more than `limit`. */
static uint64_t count_cells(lt_spatial_cell lo, lt_spatial_cell hi, uint64_t limit) {
    uint64_t nx = (uint64_t)((int64_t)hi.x - lo.x + 1);
    uint64_t ny = (uint64_t)((int64_t)hi.y - lo.y + 1);
    uint64_t nz = (uint64_t)((int64_t)hi.z - lo.z + 1);
    if (nx > limit || ny > limit || nz > limit || nx * ny > limit) return limit + 1;
    return lt_min_u64(nx * ny * nz, limit + 1);
}

typedef enum item_kind { ITEM_SMALL, ITEM_LARGE, ITEM_INVALID } item_kind;

/* Enters `item`: its cells and how many are to be passed (0 unless it is small). */
static item_kind enter_item(const lt_spatial_hash *hash, uint32_t item, lt_spatial_walk *walk) {
    LT_ASSERT(item < hash->input.item_count);
    const lt_spatial_input *input = &hash->input;
    lt_box box = item_box(input, item);
    walk->item = item + 1;
    walk->left = 0;
    if (!box_is_ordered(box)) return ITEM_INVALID;
    walk->lo = walk->cell = lt_spatial_cell_of(hash, box.lo);
    walk->hi = lt_spatial_cell_of(hash, box.hi);
    uint64_t cells = count_cells(walk->lo, walk->hi, input->cell_limit);
    if (cells > input->cell_limit) return ITEM_LARGE;
    walk->left = (uint32_t)cells;
    return ITEM_SMALL;
}

/* Along which axes `cell` is the lowest of a range that begins at `lo`. */
static uint32_t lowest_bits(lt_spatial_cell cell, lt_spatial_cell lo) {
    return (cell.x == lo.x ? LT_SPATIAL_LOWEST_X : 0u) | (cell.y == lo.y ? LT_SPATIAL_LOWEST_Y : 0u) |
           (cell.z == lo.z ? LT_SPATIAL_LOWEST_Z : 0u);
}

/* The next entry of a walk that has some left, x fastest. */
static lt_spatial_entry next_entry(lt_spatial_walk *walk) {
    lt_spatial_cell cell = walk->cell;
    lt_spatial_entry entry = {cell, (walk->item - 1) | lowest_bits(cell, walk->lo) << LT_SPATIAL_ID_BITS};
    walk->left--;
    if (walk->left == 0) return entry;
    if (cell.x < walk->hi.x) {
        walk->cell.x++;
    } else {
        walk->cell.x = walk->lo.x;
        if (cell.y < walk->hi.y) {
            walk->cell.y++;
        } else {
            walk->cell.y = walk->lo.y;
            walk->cell.z++;
        }
    }
    return entry;
}

/* ---- memory ---- */

static uint32_t power_of_two_not_above(uint32_t count) {
    uint32_t power = 1;
    while (power <= count / 2)
        power *= 2;
    return power;
}

lt_status lt_spatial_hash_reserve(lt_spatial_hash *hash, uint32_t item_capacity, uint32_t entry_capacity,
                                  const lt_allocator *allocator, lt_error *error) {
    lt_spatial_hash_free(hash);
    if (item_capacity > LT_SPATIAL_ITEM_MAX || entry_capacity > LT_SPATIAL_ENTRY_MAX)
        return lt_fail(error, LT_STATUS_INVALID,
                       "spatial hash: %u items and %u entries asked for, at most %u and %u are possible",
                       item_capacity, entry_capacity, LT_SPATIAL_ITEM_MAX, LT_SPATIAL_ENTRY_MAX);
    hash->allocator = allocator ? *allocator : lt_allocator_default();
    hash->item_capacity = item_capacity;
    hash->entry_capacity = entry_capacity;
    hash->bucket_capacity = power_of_two_not_above(entry_capacity);
    hash->chunk_capacity = lt_chunk_count(item_capacity, CHUNK_ITEMS);
    hash->entries = LT_NEW(&hash->allocator, entry_capacity, lt_spatial_entry);
    hash->unsorted = LT_NEW(&hash->allocator, entry_capacity, lt_spatial_entry);
    hash->bucket_ends = LT_NEW(&hash->allocator, hash->bucket_capacity, uint32_t);
    hash->large = LT_NEW(&hash->allocator, item_capacity, uint32_t);
    hash->chunk_counts = LT_NEW(&hash->allocator, (size_t)hash->chunk_capacity * CHUNK_WORDS, uint32_t);
    hash->bucket_count = 1;
    hash->phase = LT_SPATIAL_DONE;
    if (hash->entries && hash->unsorted && hash->bucket_ends && hash->large && hash->chunk_counts)
        return LT_OK;
    lt_spatial_hash_free(hash);
    return lt_fail(error, LT_STATUS_MEMORY, "spatial hash: no memory for %u items and %u entries",
                   item_capacity, entry_capacity);
}

void lt_spatial_hash_free(lt_spatial_hash *hash) {
    LT_DELETE(&hash->allocator, hash->entries, hash->entry_capacity, lt_spatial_entry);
    LT_DELETE(&hash->allocator, hash->unsorted, hash->entry_capacity, lt_spatial_entry);
    LT_DELETE(&hash->allocator, hash->bucket_ends, hash->bucket_capacity, uint32_t);
    LT_DELETE(&hash->allocator, hash->large, hash->item_capacity, uint32_t);
    LT_DELETE(&hash->allocator, hash->chunk_counts, (size_t)hash->chunk_capacity * CHUNK_WORDS, uint32_t);
    *hash = (lt_spatial_hash){0};
}

/* ---- the cursor ---- */

void lt_spatial_hash_begin(lt_spatial_hash *hash, const lt_spatial_input *input) {
    LT_ASSERT(input->boxes || input->points || input->item_count == 0);
    LT_ASSERT(input->cell_size > 0);
    hash->input = *input;
    if (hash->input.cell_limit == 0) hash->input.cell_limit = LT_SPATIAL_CELL_LIMIT;
    bool teschner = input->function == LT_SPATIAL_TESCHNER;
    hash->carry = teschner ? 0 : UINT32_MAX;
    hash->factors =
        teschner ? (lt_spatial_cell){73856093, 19349663, 83492791} : (lt_spatial_cell){1, 73, 5767};
    hash->phase = LT_SPATIAL_MEASURE;
    hash->bucket = hash->sum = 0;
    hash->walk = (lt_spatial_walk){0};
    hash->bucket_count = 1;
    hash->admitted_count = hash->entry_count = hash->large_count = 0;
    hash->invalid_count = hash->dropped_count = 0;
    hash->dropped_entry_count = 0;
}

/* Items are admitted from the first until one does not fit; it and all after it are dropped. (Filling the
 * gaps with later, smaller ones would make the choice depend on the order in which chunks are measured.) */
static void admit_item(lt_spatial_hash *hash, uint32_t item, item_kind kind, uint32_t cells) {
    LT_ASSERT(item < hash->input.item_count);
    bool closed = hash->admitted_count < item || item >= hash->item_capacity;
    if (closed || cells > hash->entry_capacity - hash->entry_count) {
        hash->dropped_count++;
        hash->dropped_entry_count += cells;
        return;
    }
    hash->admitted_count = item + 1;
    hash->entry_count += cells;
    if (kind == ITEM_LARGE) hash->large[hash->large_count++] = item;
    if (kind == ITEM_INVALID) hash->invalid_count++;
}

static void enter_phase(lt_spatial_hash *hash, lt_spatial_phase phase) {
    hash->phase = phase;
    hash->bucket = hash->sum = 0;
    hash->walk = (lt_spatial_walk){0};
}

static uint32_t step_measure(lt_spatial_hash *hash, uint32_t grant) {
    uint32_t begin = hash->walk.item;
    uint32_t end = begin + lt_min_u32(grant, hash->input.item_count - begin);
    for (uint32_t item = begin; item < end; item++) {
        item_kind kind = enter_item(hash, item, &hash->walk);
        admit_item(hash, item, kind, hash->walk.left);
    }
    if (end == hash->input.item_count) {
        hash->bucket_count = power_of_two_not_above(hash->entry_count);
        enter_phase(hash, LT_SPATIAL_CLEAR);
    }
    return end - begin;
}

static uint32_t step_clear(lt_spatial_hash *hash, uint32_t grant) {
    uint32_t done = 0;
    while (done < grant && hash->bucket < hash->bucket_count) {
        uint32_t count = lt_min_u32(LT_SPATIAL_BUCKETS_A_WIPE, hash->bucket_count - hash->bucket);
        memset(hash->bucket_ends + hash->bucket, 0, count * sizeof(uint32_t));
        hash->bucket += count;
        done++;
    }
    if (hash->bucket == hash->bucket_count) enter_phase(hash, LT_SPATIAL_COUNT);
    return done;
}

/* Leaves in bucket_ends where each bucket begins; FILL moves that to where it ends. */
static uint32_t step_scan(lt_spatial_hash *hash, uint32_t grant) {
    uint32_t begin = hash->bucket;
    uint32_t end = begin + lt_min_u32(grant, hash->bucket_count - begin);
    uint32_t sum = hash->sum;
    for (uint32_t bucket = begin; bucket < end; bucket++) {
        uint32_t count = hash->bucket_ends[bucket];
        hash->bucket_ends[bucket] = sum;
        sum += count;
    }
    hash->bucket = end;
    hash->sum = sum;
    if (end == hash->bucket_count) enter_phase(hash, LT_SPATIAL_FILL);
    return end - begin;
}

/* COUNT and FILL: an element is an entry, or an item that has none. */
static uint32_t step_entries(lt_spatial_hash *hash, uint32_t grant, bool fill) {
    lt_spatial_walk walk = hash->walk;
    uint32_t done = 0;
    for (;;) {
        while (walk.left == 0 && walk.item < hash->admitted_count && done < grant)
            done += enter_item(hash, walk.item, &walk) != ITEM_SMALL;
        if (walk.left == 0 || done == grant) break;
        lt_spatial_entry entry = next_entry(&walk);
        uint32_t bucket = lt_spatial_bucket_of(hash, entry.cell);
        uint32_t position = hash->bucket_ends[bucket]++;
        if (fill) hash->entries[position] = entry;
        done++;
    }
    hash->walk = walk;
    if (walk.left == 0 && walk.item == hash->admitted_count)
        enter_phase(hash, fill ? LT_SPATIAL_DONE : LT_SPATIAL_SCAN);
    return fill ? 2 * done : done;
}

uint32_t lt_spatial_hash_step(lt_spatial_hash *hash, uint32_t grant) {
    LT_ASSERT(grant <= UINT32_MAX / LT_SPATIAL_HASH_ELEMENT_UNITS);
    if (grant == 0) return 0;
    /* A phase without elements costs nothing; the loop passes it by, so that a cost of 0 means done. */
    uint32_t cost = 0;
    while (cost == 0 && hash->phase != LT_SPATIAL_DONE) {
        switch (hash->phase) {
        case LT_SPATIAL_MEASURE: cost = step_measure(hash, grant); break;
        case LT_SPATIAL_CLEAR: cost = step_clear(hash, grant); break;
        case LT_SPATIAL_COUNT: cost = step_entries(hash, grant, false); break;
        case LT_SPATIAL_SCAN: cost = step_scan(hash, grant); break;
        case LT_SPATIAL_FILL: cost = step_entries(hash, grant, true); break;
        case LT_SPATIAL_DONE: break;
        }
    }
    return cost;
}

/* ---- the threaded build ---- */

static uint32_t *chunk_words(const lt_spatial_hash *hash, uint32_t chunk) {
    return hash->chunk_counts + (size_t)chunk * CHUNK_WORDS;
}

/* Groups are runs of buckets of equal length; both counts are powers of two. */
static uint32_t group_count(const lt_spatial_hash *hash) {
    return lt_min_u32(GROUP_MAX, hash->bucket_count);
}
static uint32_t buckets_a_group(const lt_spatial_hash *hash) {
    return hash->bucket_count / group_count(hash);
}

static void measure_chunk(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    lt_spatial_hash *hash = context;
    uint32_t *words = chunk_words(hash, chunk);
    memset(words, 0, CHUNK_WORDS * sizeof(uint32_t));
    for (uint32_t item = begin; item < end; item++) {
        lt_spatial_walk walk;
        item_kind kind = enter_item(hash, item, &walk);
        words[WORD_ENTRIES] += walk.left;
        words[WORD_LARGE] += kind == ITEM_LARGE;
        words[WORD_INVALID] += kind == ITEM_INVALID;
    }
}

/* Admits whole chunks while they fit; from the first that does not, item by item. Afterwards WORD_LARGE is
 * where the chunk's large items go. */
static void admit_chunks(lt_spatial_hash *hash) {
    uint32_t measured = lt_min_u32(hash->input.item_count, hash->item_capacity);
    uint32_t item = 0;
    for (uint32_t chunk = 0; item < measured; chunk++) {
        uint32_t *words = chunk_words(hash, chunk);
        if (words[WORD_ENTRIES] > hash->entry_capacity - hash->entry_count) break;
        hash->entry_count += words[WORD_ENTRIES];
        hash->invalid_count += words[WORD_INVALID];
        uint32_t large_begin = hash->large_count;
        hash->large_count += words[WORD_LARGE];
        words[WORD_LARGE] = large_begin;
        item += lt_min_u32(CHUNK_ITEMS, measured - item);
    }
    hash->admitted_count = item;
    if (item < measured) chunk_words(hash, item / CHUNK_ITEMS)[WORD_LARGE] = hash->large_count;
    for (; item < hash->input.item_count; item++) {
        lt_spatial_walk walk;
        item_kind kind = enter_item(hash, item, &walk);
        admit_item(hash, item, kind, walk.left);
    }
    hash->bucket_count = power_of_two_not_above(hash->entry_count);
}

/* How many entries the chunk has in every group; its large items into the list. */
static void count_groups_of_chunk(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    lt_spatial_hash *hash = context;
    uint32_t *words = chunk_words(hash, chunk);
    uint32_t group_size = buckets_a_group(hash);
    memset(words, 0, GROUP_MAX * sizeof(uint32_t));
    for (uint32_t item = begin; item < end; item++) {
        lt_spatial_walk walk;
        if (enter_item(hash, item, &walk) == ITEM_LARGE) hash->large[words[WORD_LARGE]++] = item;
        while (walk.left)
            words[lt_spatial_bucket_of(hash, next_entry(&walk).cell) / group_size]++;
    }
}

/* Turns counts into positions, group by group and chunk by chunk within: this order is what keeps the sort
 * stable. Afterwards a chunk's word of a group is where its entries go. */
static void sum_groups(lt_spatial_hash *hash) {
    uint32_t chunk_count = lt_chunk_count(hash->admitted_count, CHUNK_ITEMS);
    uint32_t sum = 0;
    for (uint32_t group = 0; group < group_count(hash); group++) {
        for (uint32_t chunk = 0; chunk < chunk_count; chunk++) {
            uint32_t *word = chunk_words(hash, chunk) + group;
            uint32_t count = *word;
            *word = sum;
            sum += count;
        }
    }
    LT_ASSERT(sum == hash->entry_count);
}

static void spread_chunk(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    lt_spatial_hash *hash = context;
    uint32_t *positions = chunk_words(hash, chunk);
    uint32_t group_size = buckets_a_group(hash);
    for (uint32_t item = begin; item < end; item++) {
        lt_spatial_walk walk;
        enter_item(hash, item, &walk);
        while (walk.left) {
            lt_spatial_entry entry = next_entry(&walk);
            hash->unsorted[positions[lt_spatial_bucket_of(hash, entry.cell) / group_size]++] = entry;
        }
    }
}

/* After spreading, the word of the last chunk is the end of its group. */
static uint32_t group_end(const lt_spatial_hash *hash, uint32_t group) {
    uint32_t chunk_count = lt_chunk_count(hash->admitted_count, CHUNK_ITEMS);
    return chunk_count ? chunk_words(hash, chunk_count - 1)[group] : 0;
}

static void sort_group(lt_spatial_hash *hash, uint32_t group) {
    uint32_t begin = group ? group_end(hash, group - 1) : 0, end = group_end(hash, group);
    uint32_t group_size = buckets_a_group(hash);
    uint32_t *ends = hash->bucket_ends;
    memset(ends + group * group_size, 0, group_size * sizeof(uint32_t));
    for (uint32_t i = begin; i < end; i++)
        ends[lt_spatial_bucket_of(hash, hash->unsorted[i].cell)]++;
    uint32_t sum = begin;
    for (uint32_t bucket = group * group_size; bucket < (group + 1) * group_size; bucket++) {
        uint32_t count = ends[bucket];
        ends[bucket] = sum;
        sum += count;
    }
    for (uint32_t i = begin; i < end; i++)
        hash->entries[ends[lt_spatial_bucket_of(hash, hash->unsorted[i].cell)]++] = hash->unsorted[i];
}

static void sort_groups(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    (void)chunk;
    for (uint32_t group = begin; group < end; group++)
        sort_group(context, group);
}

static uint64_t build_cost(const lt_spatial_hash *hash) {
    uint64_t passed_items = (uint64_t)hash->large_count + hash->invalid_count;
    return hash->input.item_count + lt_chunk_count(hash->bucket_count, LT_SPATIAL_BUCKETS_A_WIPE) +
           hash->bucket_count + 3 * (hash->entry_count + passed_items);
}

uint64_t lt_spatial_hash_build(lt_spatial_hash *hash, lt_tasks *tasks) {
    LT_ASSERT(hash->phase == LT_SPATIAL_MEASURE && hash->walk.item == 0);
    uint32_t measured = lt_min_u32(hash->input.item_count, hash->item_capacity);
    lt_tasks_for(tasks, measured, CHUNK_ITEMS, measure_chunk, hash);
    admit_chunks(hash);
    lt_tasks_for(tasks, hash->admitted_count, CHUNK_ITEMS, count_groups_of_chunk, hash);
    sum_groups(hash);
    lt_tasks_for(tasks, hash->admitted_count, CHUNK_ITEMS, spread_chunk, hash);
    lt_tasks_for(tasks, group_count(hash), 1, sort_groups, hash);
    enter_phase(hash, LT_SPATIAL_DONE);
    return build_cost(hash);
}

/* ---- queries ---- */

typedef struct id_list {
    uint32_t *ids; /* [capacity] */
    uint32_t capacity;
    uint32_t found;
} id_list;

static void append_id(id_list *list, uint32_t id) {
    if (list->found < list->capacity) list->ids[list->found] = id;
    list->found++;
}

uint32_t lt_spatial_hash_at_point(const lt_spatial_hash *hash, lt_vec3 point, uint32_t *ids,
                                  uint32_t capacity) {
    LT_ASSERT(lt_spatial_hash_is_done(hash));
    id_list list = {ids, capacity, 0};
    if (!box_is_ordered((lt_box){point, point})) return 0;
    lt_spatial_cell cell = lt_spatial_cell_of(hash, point);
    if (hash->entry_count) {
        lt_spatial_range range = lt_spatial_bucket(hash, lt_spatial_bucket_of(hash, cell));
        for (const lt_spatial_entry *entry = range.begin; entry < range.end; entry++)
            if (lt_spatial_cell_equal(entry->cell, cell)) append_id(&list, lt_spatial_entry_id(entry));
    }
    for (uint32_t i = 0; i < hash->large_count; i++)
        append_id(&list, hash->large[i]);
    return list.found;
}

/* ---- pairs ---- */

void lt_spatial_pairs_begin(lt_spatial_pairs *pairs, const lt_spatial_hash *hash) {
    LT_ASSERT(lt_spatial_hash_is_done(hash));
    *pairs = (lt_spatial_pairs){.second = 1, .large_phase = hash->entry_count == 0};
    if (pairs->large_phase) pairs->second = 0;
    pairs->done = pairs->large_phase && hash->large_count == 0;
}

/* What is left of one call: elements, and room for pairs. */
typedef struct pair_sink {
    lt_spatial_pair *out;
    uint32_t capacity, count;
    uint32_t grant, cost;
} pair_sink;

static bool sink_is_open(const pair_sink *sink) {
    return sink->grant > 0 && sink->count < sink->capacity;
}

static void spend(pair_sink *sink, uint32_t units) {
    sink->grant--;
    sink->cost += units;
}

static void emit_if_overlapping(const lt_spatial_hash *hash, uint32_t a, uint32_t b, pair_sink *sink) {
    if (lt_box_overlap(item_box(&hash->input, a), item_box(&hash->input, b)))
        sink->out[sink->count++] = (lt_spatial_pair){a, b};
}

static bool entries_own_pair(const lt_spatial_entry *a, const lt_spatial_entry *b) {
    uint32_t lowest = (a->tag | b->tag) >> LT_SPATIAL_ID_BITS;
    return lowest == LT_SPATIAL_LOWEST_ALL && lt_spatial_cell_equal(a->cell, b->cell);
}

/* The partners of entry `first` that follow it in its bucket. */
static void step_partners(lt_spatial_pairs *pairs, const lt_spatial_hash *hash, pair_sink *sink) {
    const lt_spatial_entry *first = hash->entries + pairs->first;
    uint32_t end = hash->bucket_ends[pairs->bucket];
    while (pairs->second < end && sink_is_open(sink)) {
        const lt_spatial_entry *second = hash->entries + pairs->second++;
        if (entries_own_pair(first, second))
            emit_if_overlapping(hash, lt_spatial_entry_id(first), lt_spatial_entry_id(second), sink);
        spend(sink, 3);
    }
}

static void step_buckets(lt_spatial_pairs *pairs, const lt_spatial_hash *hash, pair_sink *sink) {
    while (pairs->first < hash->entry_count && sink_is_open(sink)) {
        if (pairs->first >= hash->bucket_ends[pairs->bucket]) {
            pairs->bucket++;
            spend(sink, 1);
            continue;
        }
        step_partners(pairs, hash, sink);
        if (pairs->second < hash->bucket_ends[pairs->bucket] || !sink_is_open(sink)) continue;
        pairs->first++;
        pairs->second = pairs->first + 1;
        spend(sink, 1);
    }
    if (pairs->first == hash->entry_count) {
        pairs->large_phase = true;
        pairs->first = pairs->second = 0;
        pairs->done = hash->large_count == 0;
    }
}

/* Large item `first` against the lowest entry of every other item, then against the large items after it. */
static void step_large(lt_spatial_pairs *pairs, const lt_spatial_hash *hash, pair_sink *sink) {
    uint32_t end = hash->entry_count + hash->large_count;
    while (pairs->first < hash->large_count && sink_is_open(sink)) {
        if (pairs->second >= end) {
            pairs->first++;
            pairs->second = 0;
            spend(sink, 1);
            continue;
        }
        if (pairs->second == hash->entry_count) pairs->second += pairs->first + 1;
        uint32_t second = pairs->second++;
        if (second >= end) continue;
        bool is_entry = second < hash->entry_count;
        if (is_entry && lt_spatial_entry_lowest(&hash->entries[second]) != LT_SPATIAL_LOWEST_ALL) {
            spend(sink, 1);
            continue;
        }
        uint32_t id =
            is_entry ? lt_spatial_entry_id(&hash->entries[second]) : hash->large[second - hash->entry_count];
        emit_if_overlapping(hash, hash->large[pairs->first], id, sink);
        spend(sink, 3);
    }
    pairs->done = pairs->first == hash->large_count;
}

uint32_t lt_spatial_pairs_step(lt_spatial_pairs *pairs, const lt_spatial_hash *hash, uint32_t grant,
                               lt_spatial_pair *out, uint32_t capacity, uint32_t *count) {
    LT_ASSERT(grant <= UINT32_MAX / LT_SPATIAL_PAIRS_ELEMENT_UNITS);
    pair_sink sink = {.out = out, .capacity = capacity, .grant = grant};
    if (!pairs->done && !pairs->large_phase) step_buckets(pairs, hash, &sink);
    if (!pairs->done && pairs->large_phase) step_large(pairs, hash, &sink);
    *count = sink.count;
    return sink.cost;
}

/* ---- validation ---- */

static bool counts_are_in_range(const lt_spatial_hash *hash) {
    return hash->phase <= LT_SPATIAL_DONE && hash->entry_count <= hash->entry_capacity &&
           hash->admitted_count <= hash->item_capacity && hash->large_count <= hash->admitted_count &&
           hash->bucket_count >= 1 && hash->bucket_count <= hash->bucket_capacity &&
           hash->bucket <= hash->bucket_count && hash->sum <= hash->entry_count;
}

static bool buckets_are_sorted(const lt_spatial_hash *hash) {
    uint32_t begin = 0;
    for (uint32_t bucket = 0; bucket < hash->bucket_count; bucket++) {
        uint32_t end = hash->bucket_ends[bucket];
        if (end < begin || end > hash->entry_count) return false;
        for (uint32_t i = begin; i < end; i++) {
            const lt_spatial_entry *entry = &hash->entries[i];
            if (lt_spatial_bucket_of(hash, entry->cell) != bucket) return false;
            if (i > begin && lt_spatial_entry_id(entry) < lt_spatial_entry_id(entry - 1)) return false;
        }
        begin = end;
    }
    return begin == hash->entry_count;
}

static bool has_entry(const lt_spatial_hash *hash, lt_spatial_entry wanted) {
    lt_spatial_range range = lt_spatial_bucket(hash, lt_spatial_bucket_of(hash, wanted.cell));
    for (const lt_spatial_entry *entry = range.begin; entry < range.end; entry++)
        if (entry->tag == wanted.tag && lt_spatial_cell_equal(entry->cell, wanted.cell)) return true;
    return false;
}

bool lt_validate_spatial_hash(const lt_spatial_hash *hash) {
    if (!counts_are_in_range(hash)) return false;
    if (!lt_spatial_hash_is_done(hash)) return true;
    if (!buckets_are_sorted(hash)) return false;
    uint32_t entry_count = 0, large_count = 0;
    for (uint32_t item = 0; item < hash->admitted_count; item++) {
        lt_spatial_walk walk;
        if (enter_item(hash, item, &walk) == ITEM_LARGE)
            if (large_count >= hash->large_count || hash->large[large_count++] != item) return false;
        entry_count += walk.left;
        while (walk.left)
            if (!has_entry(hash, next_entry(&walk))) return false;
    }
    return entry_count == hash->entry_count && large_count == hash->large_count;
}
