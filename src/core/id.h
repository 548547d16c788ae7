/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Slots with generations: an id is index + generation, so that a removed one is recognised. The free list is
 * last in, first out, and part of the state: the same calls give the same ids. */

#ifndef LITHE_CORE_ID_H
#define LITHE_CORE_ID_H

#include "core/memory.h"

typedef struct lt_slot {
    uint32_t generation; /* odd: in use */
    uint32_t next_free;  /* index + 1, 0 at the end; meaningful while free */
} lt_slot;

typedef struct lt_slots {
    lt_array slots;      /* of lt_slot */
    uint32_t first_free; /* index + 1, 0: none */
    uint32_t used_count;
} lt_slots;

void lt_slots_init(lt_slots *slots, const lt_allocator *allocator);
void lt_slots_free(lt_slots *slots);
/* The index of a new slot, LT_NONE when memory is out. */
uint32_t lt_slots_take(lt_slots *slots);
void lt_slots_give_back(lt_slots *slots, uint32_t index);

static inline uint32_t lt_slots_count(const lt_slots *slots) {
    return (uint32_t)slots->slots.count;
}
static inline uint32_t lt_slots_generation(const lt_slots *slots, uint32_t index) {
    LT_ASSERT(index < slots->slots.count);
    return ((const lt_slot *)slots->slots.items)[index].generation;
}
static inline bool lt_slots_in_use(const lt_slots *slots, uint32_t index) {
    return index < slots->slots.count && lt_slots_generation(slots, index) % 2 == 1;
}
/* The index of a valid id, LT_NONE of a null, removed or foreign one. */
uint32_t lt_slots_find(const lt_slots *slots, uint32_t index_plus_one, uint32_t generation);

/* A text on what is wrong with them; NULL: nothing is. Every slot is in use or in the free list, once. */
const char *lt_validate_slots(const lt_slots *slots);

#endif
