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
        slots->first_free = ((lt_slot *)slots->slots.items)[index].next_free;
    } else {
        index = lt_slots_count(slots);
        if (!lt_array_grow(&slots->slots, 1)) return LT_NONE;
    }
    ((lt_slot *)slots->slots.items)[index].generation++;
    slots->used_count++;
    return index;
}

void lt_slots_give_back(lt_slots *slots, uint32_t index) {
    LT_ASSERT(lt_slots_in_use(slots, index));
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
