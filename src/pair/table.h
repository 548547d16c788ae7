/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What is known of every two things that are near each other, for as long as they are.
 *
 *   broad phase ──► keys in order ──► lt_pair_table_renew ──► slots that stay, slots that begin, slots that are released
 *
 *   slot     stays where it is while the pair is listed: others may refer to it by its number. Which number it has decides
 *            nothing: whoever visits pairs does it by place
 *   place    rank of the pair among those that are listed, by key; of a slot and back in O(1)
 *   find     by key in O(1): open addressing, at most half full, linear probing. What is taken out leaves no mark: entries
 *            behind it move up, so that a table that is renewed in every step for days stays as quick as a new one
 *
 *        place   0 1 2 3 4 5 │ 6 7
 *        order   3 0 7 2 5 1 │ 4 6        slots by key, then the free ones: together a permutation of all
 *
 * Beside its turn each slot has as many bytes as the method asks for when the table is made: zero when the slot begins.
 *
 * Workload: up to some ten thousand slots, of which in a step nearly all stay. Nothing is allocated but by lt_pair_table_reserve.
 *
 * Rejected: pairs kept in order themselves and moved when one comes. Whatever belongs to a pair has to be moved with it, and
 * every part of the code that kept something of a pair had its own merge of the old list and the new one. */

#ifndef LITHE_PAIR_TABLE_H
#define LITHE_PAIR_TABLE_H

#include "core/scheduler.h"
#include "core/stream.h"
#include "pair/pair.h"

enum { LT_PAIR_METHOD_BYTES = 128 /* most that a method keeps of a pair */ };

typedef struct lt_pair_slot {
    lt_pair pair;
    uint32_t place;                      /* LT_NONE: the slot is free */
    uint32_t contact_begin, contact_end; /* its contacts in the list of contacts (lt_contacts_range) */
} lt_pair_slot;

typedef struct lt_pair_table {
    lt_pair_slot *slots;   /* [capacity] */
    lt_turn *turns;        /* [capacity] by slot */
    uint8_t *method;       /* [capacity][method_size] by slot, aligned to 8 bytes */
    uint32_t *order;       /* [capacity] slots: [count] by key, then free ones */
    uint32_t *spare;       /* [capacity] scratch of renewals: the next order */
    uint32_t *buckets;     /* [bucket_count] slot + 1; 0: empty */
    uint32_t bucket_count; /* a power of two, at least twice the capacity */
    uint32_t count, capacity;
    uint32_t method_size;
    uint32_t dropped;     /* by the last search: pairs beyond the capacity */
    uint32_t begun_count; /* slots that the last renewal began */
    /* Called with a slot that has begun, its bytes zero, and with one that is released, while its pair, turn and bytes are still
     * there; NULL: nobody */
    void (*begun)(void *owner, uint32_t slot);
    void (*released)(void *owner, uint32_t slot);
    void *owner;
} lt_pair_table;

/* An empty table without room. */
lt_pair_table lt_pair_table_make(size_t method_size);
/* Room for so many pairs; slots stay. False when memory is out, and nothing has changed. */
bool lt_pair_table_reserve(lt_pair_table *table, uint32_t capacity, const lt_allocator *allocator);
/* Safe on zeroed ones. No slot is released. */
void lt_pair_table_free(lt_pair_table *table, const lt_allocator *allocator);

/* ---- reading ---- */

static inline lt_pair_slot *lt_pair_slot_at(const lt_pair_table *table, uint32_t place) {
    LT_ASSERT(place < table->count);
    return &table->slots[table->order[place]];
}
static inline const lt_pair *lt_pair_at(const lt_pair_table *table, uint32_t place) {
    return &lt_pair_slot_at(table, place)->pair;
}
static inline lt_turn *lt_pair_turn_at(const lt_pair_table *table, uint32_t place) {
    LT_ASSERT(place < table->count);
    return &table->turns[table->order[place]];
}
/* All turns, by place: of a table that is not renewed while they are used. */
static inline lt_turns lt_pair_turns(const lt_pair_table *table) {
    return (lt_turns){table->turns, table->order, table->count};
}
static inline void *lt_pair_method_of(const lt_pair_table *table, uint32_t slot) {
    LT_ASSERT(slot < table->capacity && table->method_size > 0);
    return table->method + (size_t)table->method_size * slot;
}
static inline void *lt_pair_method_at(const lt_pair_table *table, uint32_t place) {
    LT_ASSERT(place < table->count);
    return lt_pair_method_of(table, table->order[place]);
}
/* The slot; LT_NONE: the pair is not listed. */
uint32_t lt_pair_table_find(const lt_pair_table *table, const lt_pair *pair);
/* Its place; LT_NONE likewise. */
uint32_t lt_pair_table_place(const lt_pair_table *table, const lt_pair *pair);

/* ---- changing ---- */

/* The pairs that are listed now: [count] keys that rise, at most the capacity. Those that were there before keep their slot. */
void lt_pair_table_renew(lt_pair_table *table, const uint64_t *keys, uint32_t count);
/* One that comes behind all others; its slot. */
uint32_t lt_pair_table_append(lt_pair_table *table, const lt_pair *pair);
/* Releases slots: of pairs with somebody who is gone, or all. */
void lt_pair_table_forget_body(lt_pair_table *table, uint32_t body);
void lt_pair_table_forget_obstacle(lt_pair_table *table, uint32_t obstacle);
void lt_pair_table_clear(lt_pair_table *table);

/* ---- as state ---- */

typedef struct lt_pair_visitor {
    /* CHECK: whether there can be such a pair */
    bool (*exists)(const void *context, const lt_pair *pair);
    /* What is to be visited of a pair beside its key: its turn and what the method keeps, NULL without bytes */
    void (*visit)(lt_stream *stream, const void *context, const lt_pair *pair, lt_turn *turn, void *method);
    const void *context;
} lt_pair_visitor;

void lt_pair_table_visit(lt_stream *stream, lt_pair_table *table, const lt_pair_visitor *visitor);

/* Whether the order rises and has every slot once, and all that is listed, and nothing else, is found. */
bool lt_validate_pair_table(const lt_pair_table *table);

#endif
