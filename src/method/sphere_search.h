/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inside the method sphere-tree: what its files share. sphere_tree.c has the hooks and verbs, sphere_rounds.c says who has a turn
 * in a step and how much it may take, sphere_turn.c is the turn of one pair: traversal, answer, what is set aside for it. */

#ifndef LITHE_METHOD_SPHERE_SEARCH_H
#define LITHE_METHOD_SPHERE_SEARCH_H

#include "detect/front_cache.h"
#include "method/stages.h"

enum { LT_LONGEST_WAIT = 32 }; /* steps that are looked ahead at most */

typedef struct lt_sphere_tree_method {
    lt_memory memory; /* first: see memory.h */
    lt_method_options options;
    lt_front_cache cache; /* of capacity 0: no fronts are kept */
    lt_penalty penalty;   /* of one step, between the hooks */
} lt_sphere_tree_method;

/* State of a pair. */
typedef struct lt_sphere_pair {
    uint32_t had_turn; /* 1; 0: never */
    uint32_t wait;     /* steps for which what its last turn found is good */
    lt_kept_front front;
} lt_sphere_pair;

static inline lt_sphere_pair *lt_sphere_pair_at(const lt_sphere_tree_method *method, uint32_t place) {
    return lt_pair_method_at(&method->memory.pairs, place);
}

/* Everything of one step that pairs share. */
typedef struct lt_search {
    lt_sphere_tree_method *method;
    lt_method_step *step;
    lt_listing list;
    uint32_t *heap;
    uint32_t *members[2]; /* indices of pairs with obstacles, and of the others */
    uint32_t member_counts[2];
    lt_front_pair *pool;
    uint32_t *records; /* of queued pairs, where fronts are kept */
    lt_front_scratch scratch;
    lt_averaging averaging;
    uint32_t contact_limit; /* most contacts that the budget lets us answer */
    uint64_t contacts;      /* that there may be, held and found */
    uint64_t reserved;      /* of these, whose response is set aside */
    uint32_t detail;        /* level of the spheres on which contacts are added up */
    uint32_t round;         /* steps until every pair has had a turn */
    uint64_t search_units;  /* for turns of bodies in one step, where rounds are long */
    uint32_t served;        /* pairs that had a turn in this step */
    uint32_t pending;       /* pairs of spheres left unrefined, and pairs of bodies without a turn */
} lt_search;

static inline bool lt_keeps_fronts(const lt_sphere_tree_method *method) {
    return method->cache.capacity > 0;
}

/* ---- turns ---- */

/* Contacts that it has from before. */
static inline uint32_t lt_held_count(const lt_search *search, uint32_t pair) {
    const lt_pair_slot *slot = lt_pair_slot_at(&search->method->memory.pairs, pair);
    return slot->contact_end - slot->contact_begin;
}
/* There may be more contacts than before, or less: no more are answered than the limit says. */
void lt_expect_contacts(lt_search *search, uint64_t more, uint64_t less);
/* Level of the spheres on which contacts of a pair are added up. */
uint32_t lt_detail_of(const lt_search *search, const lt_pair *pair);
/* What keeping all that is held takes; every turn gives its part back. */
void lt_reserve_held(lt_search *search);
/* Traverses as far as the budget and `units` go and answers; false when the budget ended. */
bool lt_serve_pair(lt_search *search, uint32_t index, uint64_t units);
/* A turn for which nothing was left. */
void lt_answer_with_roots(lt_search *search, uint32_t index);

/* ---- rounds ---- */

/* The turns of this step. */
void lt_search_pairs(lt_search *search);

/* The budget answers less than one contact for two pairs: whoever has a turn now has none for long. */
static inline bool lt_is_crowd(const lt_search *s) {
    return s->contact_limit < s->method->memory.pairs.count / 2;
}

#endif
