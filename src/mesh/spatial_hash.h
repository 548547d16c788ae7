/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The one spatial hash: points or boxes sorted into the buckets of a table by the grid cells they cover.
 *
 * A cell is floor(x / h) per axis, clamped to int32. Its bucket is (i + 73 j + 5767 k) mod N, so that
 * neighbours in space are neighbours in memory (15-50 % faster than a scattering hash); paper mode uses
 * the hash of Teschner et al. 2003, "Optimized spatial hashing for collision detection of deformable
 * objects". N is the largest power of two that is not above the number of entries.
 *
 *     items    the caller's boxes or points; an id is an index into that array
 *     entries  (cell, id), one for every cell an item covers, sorted by bucket, then by id:
 *
 *       bucket_ends   2        3   3         5            a bucket begins where the one before it ends
 *       entries      |A7  A9  |B7 |         |C2  D2 …     buckets may hold several cells (C and D here):
 *                                                         readers compare the cell each entry carries
 *     large    ids of items that cover more than cell_limit cells; they have no entries and every query
 *              visits them
 *
 * An entry carries three more bits: "this is the lowest cell of the item along x / y / z". Two items that
 * share a cell own their pair there iff the bits of both together cover all axes: that is exactly the cell
 * of the lowest corner of their intersection, so that every pair is met once, without float work.
 *
 * Building is a cursor: begin, then step until done, or build at once on many threads; both give the same
 * bits. Memory is reserved before; stepping never allocates. What does not fit is dropped from the end of the
 * items and counted. Items with a NaN and boxes with lo > hi are left out and counted; infinities clamp.
 *
 * Units: an item measured 1, 64 buckets cleared 1, an entry counted 1, a bucket summed 1, an entry filled 2:
 * never more than 6 an entry in all (plus 1), where an item without entries counts as one.
 * In the pair cursor: an entry or bucket passed 1, a pair tested 3. */

#ifndef LITHE_MESH_SPATIAL_HASH_H
#define LITHE_MESH_SPATIAL_HASH_H

#include "core/memory.h"
#include "core/tasks.h"
#include "core/vec.h"

/* The most units one element of a grant can cost. */
#define LT_SPATIAL_HASH_ELEMENT_UNITS  2
#define LT_SPATIAL_PAIRS_ELEMENT_UNITS 3

/* Ids share their 32 bits with the three lowest-cell bits. */
#define LT_SPATIAL_ID_BITS        29
#define LT_SPATIAL_ITEM_MAX       ((1u << LT_SPATIAL_ID_BITS) - 1)
#define LT_SPATIAL_ENTRY_MAX      (UINT32_MAX / 2)
#define LT_SPATIAL_CELL_LIMIT     512
#define LT_SPATIAL_LOWEST_ALL     7u
#define LT_SPATIAL_LOWEST_X       1u
#define LT_SPATIAL_LOWEST_Y       2u
#define LT_SPATIAL_LOWEST_Z       4u
#define LT_SPATIAL_BUCKETS_A_WIPE 64

typedef struct lt_spatial_cell {
    int32_t x, y, z;
} lt_spatial_cell;

typedef struct lt_spatial_entry {
    lt_spatial_cell cell;
    uint32_t tag; /* id in the low 29 bits, lowest-cell bits above */
} lt_spatial_entry;

typedef enum lt_spatial_function { LT_SPATIAL_LINEAR, LT_SPATIAL_TESCHNER } lt_spatial_function;

/* What is hashed. The arrays must stay alive and unchanged while the hash is built and asked. */
typedef struct lt_spatial_input {
    const lt_box *boxes;   /* [item_count], or NULL */
    const lt_vec3 *points; /* [item_count], read when boxes is NULL */
    uint32_t item_count;   /* items beyond the reserved count are dropped */
    float cell_size;       /* h, metres, positive */
    uint32_t cell_limit;   /* an item that covers more cells is large; 0 means LT_SPATIAL_CELL_LIMIT */
    lt_spatial_function function;
} lt_spatial_input;

typedef enum lt_spatial_phase {
    LT_SPATIAL_MEASURE, /* over items: how many entries, which are large */
    LT_SPATIAL_CLEAR,   /* over buckets, 64 at once */
    LT_SPATIAL_COUNT,   /* over entries: the size of every bucket */
    LT_SPATIAL_SCAN,    /* over buckets: where every bucket begins */
    LT_SPATIAL_FILL,    /* over entries: into place */
    LT_SPATIAL_DONE
} lt_spatial_phase;

/* Where a pass over entries stands: the item whose cells are being passed, and the next of them. */
typedef struct lt_spatial_walk {
    uint32_t item; /* the next item to enter */
    uint32_t left; /* cells still to pass of the item before it */
    lt_spatial_cell lo, hi, cell;
} lt_spatial_walk;

typedef struct lt_spatial_hash {
    /* Memory, fixed by reserve. */
    lt_spatial_entry *entries;  /* [entry_capacity] */
    lt_spatial_entry *unsorted; /* [entry_capacity], between the two passes of a threaded build */
    uint32_t *bucket_ends;      /* [bucket_capacity] */
    uint32_t *large;            /* [item_capacity] */
    uint32_t *chunk_counts;     /* [chunk_capacity][…], per chunk of items of a threaded build */
    uint32_t item_capacity, entry_capacity, bucket_capacity, chunk_capacity;
    lt_allocator allocator;
    /* Input. */
    lt_spatial_input input;
    uint32_t carry; /* of the hash function: all ones adds the three products, zero xors them */
    lt_spatial_cell factors;
    /* State. */
    lt_spatial_phase phase;
    uint32_t bucket; /* next, of CLEAR and SCAN */
    uint32_t sum;    /* of SCAN */
    lt_spatial_walk walk;
    /* Output. */
    uint32_t admitted_count; /* items [0, admitted_count) fitted */
    uint32_t entry_count;
    uint32_t bucket_count; /* a power of two */
    uint32_t large_count;
    uint32_t invalid_count;       /* admitted items left out: a NaN, or lo > hi */
    uint32_t dropped_count;       /* items that did not fit */
    uint64_t dropped_entry_count; /* and the entries they would have had */
} lt_spatial_hash;

/* Memory for that many items and entries (a box of size h has up to 8), in place of what was reserved before.
 * On failure *hash is empty. */
lt_status lt_spatial_hash_reserve(lt_spatial_hash *hash, uint32_t item_capacity, uint32_t entry_capacity,
                                  const lt_allocator *allocator, lt_error *error);
/* Safe on zeroed and already freed hashes. */
void lt_spatial_hash_free(lt_spatial_hash *hash);

void lt_spatial_hash_begin(lt_spatial_hash *hash, const lt_spatial_input *input);
/* Does at most `grant` elements, returns their cost in units: at most LT_SPATIAL_HASH_ELEMENT_UNITS each, and
 * 0 only when grant is 0 or the hash is done. */
uint32_t lt_spatial_hash_step(lt_spatial_hash *hash, uint32_t grant);
static inline bool lt_spatial_hash_is_done(const lt_spatial_hash *hash) {
    return hash->phase == LT_SPATIAL_DONE;
}
/* All steps after begin at once, on the threads of `tasks` (NULL: here). Returns what the steps would
 * cost. */
uint64_t lt_spatial_hash_build(lt_spatial_hash *hash, lt_tasks *tasks);

/* floor(x / h), clamped; NaN gives the lowest cell. */
static inline int32_t lt_spatial_coordinate(float x, float h) {
    float q = x / h;
    if (!(q > -2147483648.0f)) return INT32_MIN; /* NaN too */
    if (q >= 2147483648.0f) return INT32_MAX;
    int32_t truncated = (int32_t)q;
    return truncated - ((float)truncated > q);
}
static inline lt_spatial_cell lt_spatial_cell_of(const lt_spatial_hash *hash, lt_vec3 point) {
    float h = hash->input.cell_size;
    return (lt_spatial_cell){lt_spatial_coordinate(point.x, h), lt_spatial_coordinate(point.y, h),
                             lt_spatial_coordinate(point.z, h)};
}

/* a + b = (a ^ b) + 2 (a & b): with the carry masked away the same line is the xor of Teschner's hash, and
 * no loop asks which function it is. */
static inline uint32_t lt_spatial_combine(uint32_t a, uint32_t b, uint32_t carry) {
    return (a ^ b) + (((a & b) << 1) & carry);
}
static inline uint32_t lt_spatial_bucket_of(const lt_spatial_hash *hash, lt_spatial_cell cell) {
    uint32_t x = (uint32_t)cell.x * (uint32_t)hash->factors.x;
    uint32_t y = (uint32_t)cell.y * (uint32_t)hash->factors.y;
    uint32_t z = (uint32_t)cell.z * (uint32_t)hash->factors.z;
    uint32_t sum = lt_spatial_combine(lt_spatial_combine(x, y, hash->carry), z, hash->carry);
    return sum & (hash->bucket_count - 1);
}

static inline uint32_t lt_spatial_entry_id(const lt_spatial_entry *entry) {
    return entry->tag & LT_SPATIAL_ITEM_MAX;
}
static inline uint32_t lt_spatial_entry_lowest(const lt_spatial_entry *entry) {
    return entry->tag >> LT_SPATIAL_ID_BITS;
}
static inline bool lt_spatial_cell_equal(lt_spatial_cell a, lt_spatial_cell b) {
    return ((a.x ^ b.x) | (a.y ^ b.y) | (a.z ^ b.z)) == 0;
}

/* For loops of the caller's own, without a copy of the ids: the entries of a bucket, other cells included. */
typedef struct lt_spatial_range {
    const lt_spatial_entry *begin, *end;
} lt_spatial_range;
static inline lt_spatial_range lt_spatial_bucket(const lt_spatial_hash *hash, uint32_t bucket) {
    LT_ASSERT(bucket < hash->bucket_capacity);
    uint32_t begin = bucket ? hash->bucket_ends[bucket - 1] : 0;
    return (lt_spatial_range){hash->entries + begin, hash->entries + hash->bucket_ends[bucket]};
}

/* Ids of the items with an entry in the point's cell, then all large items; at most `capacity` are
 * written, the number found is returned. The hash must be done, here and below. */
uint32_t lt_spatial_hash_at_point(const lt_spatial_hash *hash, lt_vec3 point, uint32_t *ids,
                                  uint32_t capacity);
typedef struct lt_spatial_pair {
    uint32_t a, b; /* a < b unless one of them is large: then a is, and if both are, a < b */
} lt_spatial_pair;

/* All unordered pairs of items whose boxes overlap or touch, each exactly once, in bucket order, then those
 * of the large items. A cursor: all its state is here. */
typedef struct lt_spatial_pairs {
    uint32_t first;   /* entry, then large item */
    uint32_t second;  /* partner to be tested next; in the large phase: entries, then large items */
    uint32_t bucket;  /* of first */
    bool large_phase; /* entries among themselves are finished */
    bool done;
} lt_spatial_pairs;

void lt_spatial_pairs_begin(lt_spatial_pairs *pairs, const lt_spatial_hash *hash);
/* Does at most `grant` elements and stops early when `out` [capacity] is full; *count pairs were written.
 * Returns the cost in units, 0 only when grant or capacity is 0 or the cursor is done. */
uint32_t lt_spatial_pairs_step(lt_spatial_pairs *pairs, const lt_spatial_hash *hash, uint32_t grant,
                               lt_spatial_pair *out, uint32_t capacity, uint32_t *count);

/* For tests: at any moment of a build the state is in range; when done, every admitted item is in every
 * cell it covers and nowhere else, sorted. Costs as much as a build. */
bool lt_validate_spatial_hash(const lt_spatial_hash *hash);

#endif
