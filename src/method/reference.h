/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inside the reference method: its state, and the verbs that only keep it (reference_state.c). What it does is in
 * reference.c. */

#ifndef LITHE_METHOD_REFERENCE_H
#define LITHE_METHOD_REFERENCE_H

#include "method/method.h"

typedef struct reference {
    lt_allocator allocator;
    lt_contact_list contacts;
    lt_pair_list pairs;
    lt_spatial_hash hash;
    uint32_t hash_capacity;
    /* Of one step, between the hooks */
    lt_penalty penalty;
} reference;

lt_status lt_reference_create(void **state, const lt_method_limits *limits, const lt_allocator *allocator,
                              lt_error *error);
void lt_reference_destroy(void *state);
lt_status lt_reference_reserve(void *state, uint32_t collider_count, lt_error *error);
const char *lt_reference_refuse(const lt_collider *collider);
size_t lt_reference_scratch(const void *state, const lt_collider *colliders, uint32_t collider_count,
                            uint32_t extra_capacity);
void lt_reference_forget_body(void *state, uint32_t body);
void lt_reference_forget_obstacle(void *state, uint32_t obstacle);
const lt_contact_list *lt_reference_contacts(const void *state);
uint64_t lt_reference_hash_state(const void *state, uint64_t hash);
size_t lt_reference_state_size(const void *state);
void lt_reference_save(const void *state, uint8_t *bytes);
bool lt_reference_restore(void *state, const uint8_t *bytes, size_t size, const lt_method_step *world);

#endif
