/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The state that penalty methods keep over steps: pairs that are near, each with its turn, its contacts and what the method keeps of it.
 * Its life, what it forgets, saving, restoring and hashing are the same for all of them; what a contact's feature means and what
 * is kept of a pair is not.
 *
 * lt_memory is the first member of a method's state, so that these functions serve as the method's verbs. */

#ifndef LITHE_METHOD_MEMORY_H
#define LITHE_METHOD_MEMORY_H

#include "method/method.h"

struct lt_memory;

/* Where a visit to a pair is. */
typedef struct lt_memory_visit {
    struct lt_memory *memory;
    const lt_method_step *world; /* CHECK and LOAD: what it is restored into; else NULL */
    uint64_t *count;             /* of whatever the method counts from pair to pair; 0 at first */
} lt_memory_visit;

/* The method's own part. */
typedef struct lt_memory_rules {
    /* Whether a contact that was read can have its feature */
    bool (*feature_is_sound)(const lt_method_step *world, const lt_contact_record *contact);
    size_t pair_size; /* bytes that the method keeps of a pair, zero when its slot begins; 0: none */
    /* The turn of a pair and these bytes; NULL: lt_memory_visit_turn alone */
    void (*visit_pair)(lt_stream *stream, const lt_memory_visit *visit, const lt_pair *pair, lt_turn *turn,
                       void *kept);
    /* Hook of the pair table (pair/table.h), whose owner is the memory. NULL: nothing to do */
    void (*begun)(void *memory, uint32_t slot);
    void (*released)(void *memory, uint32_t slot);
} lt_memory_rules;

typedef struct lt_memory {
    lt_allocator allocator;
    size_t state_size; /* of the whole state of the method */
    const lt_memory_rules *rules;
    lt_contact_list contacts;
    lt_pair_table pairs;
    bool has_supports; /* contacts with obstacles may be a place of the body that is inside by some way */
} lt_memory;

/* A zeroed state of `state_size` bytes that begins with a memory. */
lt_status lt_memory_create(void **state, size_t state_size, const lt_memory_rules *rules,
                           const lt_allocator *allocator, lt_error *error);
void lt_memory_destroy(void *state);
lt_status lt_memory_reserve(void *state, const lt_capacities *capacities, lt_collider *colliders,
                            uint32_t collider_count, lt_error *error);
/* Of the stages that all penalty methods have. */
size_t lt_memory_scratch(const void *state, const lt_capacities *capacities, const lt_collider *colliders,
                         uint32_t collider_count);
void lt_memory_forget_body(void *state, uint32_t body);
void lt_memory_forget_obstacle(void *state, uint32_t obstacle);
/* For methods that keep nothing of how far bodies moved. */
void lt_memory_displace_body(void *state, uint32_t body);
void lt_memory_shift_body(void *state, uint32_t body, lt_vec3 by);
const lt_contact_list *lt_memory_contacts(const void *state);
const lt_pair_table *lt_memory_pairs(const void *state);
/* Of methods whose pairs have their turns by a scheduler. */
uint32_t lt_memory_waited(const void *state, uint32_t pair);

/* ---- as state ---- */

/* A turn with what a method keeps beside it, in the order in which hashes have it: two numbers, NULL where there are none, and a
 * measure of urgency that is finite, turn->harm or the method's own. */
void lt_memory_visit_turn(lt_stream *stream, const lt_pair *pair, lt_turn *turn, uint32_t *first,
                          uint32_t *second, float *urgency);

/* Contacts and pairs, for methods that keep more than these: behind what they visit of their own. CHECK and LOAD look at `world`. */
void lt_memory_visit_all(lt_stream *stream, lt_memory *memory, const lt_method_step *world);

/* The pair table is sound, contacts fit and rise by key, and every slot has the range of its own. */
const char *lt_memory_validate(const void *state);
uint64_t lt_memory_hash(const void *state, uint64_t hash);
size_t lt_memory_state_size(const void *state);
void lt_memory_save(const void *state, uint8_t *bytes);
bool lt_memory_restore(void *state, const uint8_t *bytes, size_t size, const lt_method_step *world);

#endif
