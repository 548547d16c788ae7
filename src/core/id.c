/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/id.h"

void lt_slots_init(lt_slots *slots, const lt_allocator *allocator) {
    *slots = (lt_slots){.slots = LT_ARRAY_OF(allocator, lt_slot)};
}

void lt_slots_free(lt_slots *slots) {
    lt_array_free(&slots->slots);
    slots->first_free = slots->used_count = 0;
}

uint32_t lt_slots_take(lt_slots *slots) {
    uint32_t index;
    if (slots->first_free) {
        index = slots->first_free - 1;
        LT_ASSERT(index < lt_slots_count(slots) && !lt_slots_in_use(slots, index));
        slots->first_free = ((lt_slot *)slots->slots.items)[index].next_free;
    } else {
        index = lt_slots_count(slots);
        if (!lt_array_grow(&slots->slots, 1)) return LT_NONE;
    }
    ((lt_slot *)slots->slots.items)[index].generation++;
    slots->used_count++;
    LT_ASSERT(lt_slots_in_use(slots, index) && slots->used_count <= lt_slots_count(slots));
    return index;
}

void lt_slots_give_back(lt_slots *slots, uint32_t index) {
    LT_ASSERT(lt_slots_in_use(slots, index)); /* given back twice */
    LT_ASSERT(slots->used_count > 0);
    lt_slot *slot = (lt_slot *)slots->slots.items + index;
    slot->generation++;
    slot->next_free = slots->first_free;
    slots->first_free = index + 1;
    slots->used_count--;
}

uint32_t lt_slots_find(const lt_slots *slots, uint32_t index_plus_one, uint32_t generation) {
    if (index_plus_one == 0 || !lt_slots_in_use(slots, index_plus_one - 1)) return LT_NONE;
    return lt_slots_generation(slots, index_plus_one - 1) == generation ? index_plus_one - 1 : LT_NONE;
}

const char *lt_validate_slots(const lt_slots *slots) {
    uint32_t count = lt_slots_count(slots), used = 0, free = 0;
    const lt_slot *items = slots->slots.items;
    const char *flaw = lt_validate_array(&slots->slots);
    if (flaw) return flaw;
    for (uint32_t i = 0; i < count; i++)
        used += lt_slots_in_use(slots, i);
    if (used != slots->used_count) return "other slots are in use than were taken";
    for (uint32_t at = slots->first_free; at != 0; at = items[at - 1].next_free) {
        if (at > count) return "a free slot beyond the last";
        if (lt_slots_in_use(slots, at - 1)) return "a slot is free and in use";
        if (++free > count - used) return "the free slots are a ring";
    }
    return used + free == count ? NULL : "a slot is neither free nor in use";
}
