/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/memory.h"

#include "core/os.h"

#include <string.h>

enum { BLOCK_ALIGNMENT = 64 };

static void *default_allocate(void *context, size_t size, size_t alignment) {
    (void)context;
    return lt_os_allocate(size, alignment);
}

static void default_release(void *context, void *memory, size_t size) {
    (void)context;
    (void)size;
    lt_os_release(memory);
}

lt_allocator lt_allocator_default(void) {
    return (lt_allocator){.allocate = default_allocate, .release = default_release};
}

static lt_allocator allocator_or_default(const lt_allocator *allocator) {
    return allocator && allocator->allocate ? *allocator : lt_allocator_default();
}

/* The size really asked for: never 0, so that every success is a non-NULL pointer. False on overflow. */
static bool block_size(size_t count, size_t size, size_t *bytes) {
    if (size != 0 && count > (SIZE_MAX - BLOCK_ALIGNMENT) / size) return false;
    *bytes = count * size == 0 ? 1 : count * size;
    return true;
}

void *lt_allocate(const lt_allocator *allocator, size_t count, size_t size) {
    lt_allocator a = allocator_or_default(allocator);
    size_t bytes;
    if (!block_size(count, size, &bytes)) return NULL;
    void *memory = a.allocate(a.context, bytes, BLOCK_ALIGNMENT);
    if (memory) memset(memory, 0, bytes);
    return memory;
}

void lt_release(const lt_allocator *allocator, void *memory, size_t count, size_t size) {
    if (!memory) return;
    lt_allocator a = allocator_or_default(allocator);
    size_t bytes = 0;
    block_size(count, size, &bytes);
    a.release(a.context, memory, bytes);
}

void *lt_enlarge(const lt_allocator *allocator, void *memory, size_t count, size_t larger, size_t size) {
    LT_ASSERT(larger >= count);
    void *grown = lt_allocate(allocator, larger, size);
    if (!grown) return NULL;
    if (count) memcpy(grown, memory, count * size);
    lt_release(allocator, memory, count, size);
    return grown;
}

lt_array lt_array_make(const lt_allocator *allocator, size_t item_size) {
    return (lt_array){.item_size = item_size, .allocator = allocator_or_default(allocator)};
}

static bool array_set_capacity(lt_array *array, size_t capacity) {
    LT_ASSERT(capacity >= array->count && array->item_size > 0);
    void *items = lt_allocate(&array->allocator, capacity, array->item_size);
    if (!items) return false;
    if (array->count) memcpy(items, array->items, array->count * array->item_size);
    lt_release(&array->allocator, array->items, array->capacity, array->item_size);
    array->items = items;
    array->capacity = capacity;
    return true;
}

bool lt_array_reserve(lt_array *array, size_t capacity) {
    return capacity <= array->capacity || array_set_capacity(array, capacity);
}

bool lt_array_make_room(lt_array *array, size_t count) {
    LT_ASSERT(array->count <= array->capacity);
    if (count > SIZE_MAX - array->count) return false;
    size_t needed = array->count + count;
    if (needed <= array->capacity && array->items) return true;
    size_t roomy = array->capacity + array->capacity / 2 + 16;
    return array_set_capacity(array, needed > roomy ? needed : roomy);
}

void *lt_array_grow(lt_array *array, size_t count) {
    if (!lt_array_make_room(array, count)) return NULL;
    uint8_t *first = (uint8_t *)array->items + array->count * array->item_size;
    memset(first, 0, count * array->item_size);
    array->count += count;
    LT_ASSERT(array->count <= array->capacity);
    return first;
}

bool lt_array_push(lt_array *array, const void *item) {
    void *slot = lt_array_grow(array, 1);
    if (slot) memcpy(slot, item, array->item_size);
    return slot != NULL;
}

void lt_array_free(lt_array *array) {
    lt_release(&array->allocator, array->items, array->capacity, array->item_size);
    array->items = NULL;
    array->count = array->capacity = 0;
}

void *lt_array_take(lt_array *array, size_t *count) {
    if ((array->count != array->capacity || !array->items) && !array_set_capacity(array, array->count))
        return NULL;
    void *items = array->items;
    *count = array->count;
    array->items = NULL;
    array->count = array->capacity = 0;
    return items;
}

bool lt_arena_reserve(lt_arena *arena, const lt_allocator *allocator, size_t capacity) {
    if (capacity <= arena->capacity) return true;
    LT_ASSERT(arena->used == 0);
    uint8_t *memory = LT_NEW(allocator, capacity, uint8_t);
    if (!memory) return false;
    lt_arena_free(arena);
    arena->allocator = allocator_or_default(allocator);
    arena->memory = memory;
    arena->capacity = capacity;
    return true;
}

void lt_arena_free(lt_arena *arena) {
    if (arena->memory) LT_DELETE(&arena->allocator, arena->memory, arena->capacity, uint8_t);
    arena->memory = NULL;
    arena->capacity = arena->used = 0;
}

void *lt_arena_take(lt_arena *arena, size_t count, size_t size) {
    size_t bytes;
    if (!block_size(count, size, &bytes)) return NULL;
    LT_ASSERT(arena->used <= arena->capacity);
    size_t begin = lt_align_up(arena->used, BLOCK_ALIGNMENT);
    if (bytes > SIZE_MAX - begin) return NULL;
    if (begin + bytes > arena->high_water) arena->high_water = begin + bytes;
    if (begin + bytes > arena->capacity) return NULL;
    arena->used = begin + bytes;
    LT_ASSERT(arena->used <= arena->capacity && begin % BLOCK_ALIGNMENT == 0);
    return arena->memory + begin;
}

const char *lt_validate_array(const lt_array *array) {
    if (array->item_size == 0) return "items of an array have no size";
    if (array->count > array->capacity) return "more items than the array has room for";
    if (array->capacity > 0 && !array->items) return "an array has room and no memory";
    return NULL;
}

const char *lt_validate_arena(const lt_arena *arena) {
    if (arena->used > arena->capacity) return "more of the arena is used than there is";
    if (arena->used > arena->high_water) return "the arena was fuller than it remembers";
    if ((arena->memory == NULL) != (arena->capacity == 0)) return "the arena has room and no memory";
    if ((uintptr_t)arena->memory % BLOCK_ALIGNMENT != 0) return "the arena is not aligned";
    return NULL;
}
