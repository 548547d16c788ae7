/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What penalty methods remember over steps: contacts, and pairs with their turns, unfinished work and fronts. Its life, what it
 * forgets, saving, restoring and hashing are the same for all of them; what a contact's feature means is not.
 *
 * lt_memory is the first member of a method's state, so that these functions serve as the method's verbs. */

#ifndef LITHE_METHOD_MEMORY_H
#define LITHE_METHOD_MEMORY_H

#include "detect/front_cache.h"
#include "method/method.h"

/* What only the method can tell of bytes that are to be restored. */
typedef struct lt_memory_rules {
    bool (*feature_is_sound)(const lt_method_step *world, const lt_contact_record *contact);
    bool (*pair_is_sound)(const lt_method_step *world, const lt_pair *pair);
} lt_memory_rules;

typedef struct lt_memory {
    lt_allocator allocator;
    size_t state_size; /* of the whole state of the method */
    const lt_memory_rules *rules;
    lt_contact_list contacts;
    lt_pair_list pairs;
    lt_front_cache cache; /* of a method that keeps fronts, which makes it; else zero */
} lt_memory;

/* A zeroed state of `state_size` bytes that begins with a memory. */
lt_status lt_memory_create(void **state, size_t state_size, const lt_memory_rules *rules,
                           const lt_allocator *allocator, lt_error *error);
void lt_memory_destroy(void *state);
lt_status lt_memory_reserve(void *state, const lt_capacities *capacities, const lt_collider *colliders,
                            uint32_t collider_count, lt_error *error);
/* Of the stages that all penalty methods have. */
size_t lt_memory_scratch(const void *state, const lt_capacities *capacities, const lt_collider *colliders,
                         uint32_t collider_count);
void lt_memory_forget_body(void *state, uint32_t body);
void lt_memory_forget_obstacle(void *state, uint32_t obstacle);
void lt_memory_displace_body(void *state, uint32_t body);
const lt_contact_list *lt_memory_contacts(const void *state);
const lt_pair_list *lt_memory_pairs(const void *state);
/* Of methods whose pairs have their turns by a scheduler. */
uint32_t lt_memory_waited(const void *state, uint32_t pair);
uint64_t lt_memory_hash(const void *state, uint64_t hash);
size_t lt_memory_state_size(const void *state);
void lt_memory_save(const void *state, uint8_t *bytes);
bool lt_memory_restore(void *state, const uint8_t *bytes, size_t size, const lt_method_step *world);

#endif
