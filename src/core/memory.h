/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Memory through the caller's allocator, and the arena that serves one step's scratch.
 *
 * The only raw malloc of the library is in memory.c. Everything that lives longer than a call takes an
 * lt_allocator; a step takes from an arena that was reserved before, so that stepping never allocates.
 *
 *   lt_array  a growable array of anything; growth can fail, and then the array is as it was
 *   lt_arena  one block, bump-allocated, reset at once; remembers how full it ever was */

#ifndef LITHE_CORE_MEMORY_H
#define LITHE_CORE_MEMORY_H

#include "core/base.h"

/* Zeroed memory aligned to 64 bytes; NULL when count * size overflows or the allocator refuses.
 * A count of 0 gives a valid, releasable block. `allocator` NULL means the default. */
void *lt_allocate(const lt_allocator *allocator, size_t count, size_t size);
void lt_release(const lt_allocator *allocator, void *memory, size_t count, size_t size);

#define LT_NEW(allocator, count, type)            ((type *)lt_allocate(allocator, count, sizeof(type)))
#define LT_DELETE(allocator, memory, count, type) lt_release(allocator, memory, count, sizeof(type))

/* A block of `larger` items that begins with the `count` of the old one, which is released; zeroed behind them. NULL: memory is
 * out, and the old one stays. */
void *lt_enlarge(const lt_allocator *allocator, void *memory, size_t count, size_t larger, size_t size);
#define LT_ENLARGE(allocator, memory, count, larger, type)                                                   \
    ((type *)lt_enlarge(allocator, memory, count, larger, sizeof(type)))

/* Growable array. Read items through the typed pointer: `lt_vec3 *p = array.items`.
 * Begin with LT_ARRAY_OF(allocator, type); end with lt_array_free. */
typedef struct lt_array {
    void *items; /* [capacity] of item_size bytes */
    size_t count;
    size_t capacity;
    size_t item_size;
    lt_allocator allocator;
} lt_array;

lt_array lt_array_make(const lt_allocator *allocator, size_t item_size);
#define LT_ARRAY_OF(allocator, type) lt_array_make(allocator, sizeof(type))
bool lt_array_reserve(lt_array *array, size_t capacity);
/* Room for `count` more, and for as many again as keep appending one by one cheap. */
bool lt_array_make_room(lt_array *array, size_t count);
/* Appends `count` zeroed items and returns the first, or NULL when memory is out (array unchanged). */
void *lt_array_grow(lt_array *array, size_t count);
/* Appends a copy of *item; false when memory is out. */
bool lt_array_push(lt_array *array, const void *item);
void lt_array_free(lt_array *array);
/* Gives the items, shrunk to exactly `count`, to the caller, who releases them with
 * lt_release(allocator, items, *count, item_size); the array is empty afterwards. NULL: out of memory. */
void *lt_array_take(lt_array *array, size_t *count);

/* A text on what is wrong with it; NULL: nothing is. */
const char *lt_validate_array(const lt_array *array);

/* Scratch for one step. Take never fails over into the heap: NULL means the reserve was too small. */
typedef struct lt_arena {
    uint8_t *memory; /* [capacity] */
    size_t capacity;
    size_t used;
    size_t high_water; /* largest `used` ever seen, refused takes included */
    lt_allocator allocator;
} lt_arena;

bool lt_arena_reserve(lt_arena *arena, const lt_allocator *allocator, size_t capacity);
void lt_arena_free(lt_arena *arena);
/* Memory aligned to 64 bytes, not zeroed. */
void *lt_arena_take(lt_arena *arena, size_t count, size_t size);
#define LT_TAKE(arena, count, type) ((type *)lt_arena_take(arena, count, sizeof(type)))
static inline size_t lt_arena_mark(const lt_arena *arena) {
    return arena->used;
}
static inline void lt_arena_rewind(lt_arena *arena, size_t mark) {
    LT_ASSERT(mark <= arena->used); /* a mark of memory that was given back already */
    arena->used = mark;
}
static inline void lt_arena_reset(lt_arena *arena) {
    arena->used = 0;
}

/* A text on what is wrong with it; NULL: nothing is. */
const char *lt_validate_arena(const lt_arena *arena);

/* ---- arrays in one block ---- */

/* Cuts arrays from a block, each at a multiple of 64 bytes; with memory NULL it only measures. */
typedef struct lt_carver {
    uint8_t *memory;
    size_t used;
} lt_carver;

static inline void *lt_carve(lt_carver *carver, size_t count, size_t size) {
    LT_ASSERT(size > 0 && carver->used % 64 == 0);
    LT_ASSERT(count <= (SIZE_MAX - 64 - carver->used) / size);
    size_t at = carver->used;
    carver->used = lt_align_up(at + count * size, 64);
    return carver->memory ? carver->memory + at : NULL;
}

#endif
