/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The stages that every penalty method has, around its own search for contacts:
 *
 *   boxes ──► pairs ──► (the method's search, pair by pair) ──► response ──► counts
 *
 * Boxes and pairs are always done and charged; the response was reserved. */

#ifndef LITHE_METHOD_STAGES_H
#define LITHE_METHOD_STAGES_H

#include "method/memory.h"

/* One box per body that moves: the root test. */
void lt_stage_boxes(lt_method_step *step);
/* The broad phase: pairs of the memory are those whose boxes overlap now. */
void lt_stage_pairs(lt_memory *memory, lt_method_step *step);

/* Sets the response to all contacts that are held and awake aside; returns how many these are. */
uint32_t lt_stage_reserve(const lt_memory *memory, lt_method_step *step);

/* Sets the response to contacts aside, and gives it back; not what keeping their records takes. */
void lt_reserve_contacts(lt_meter *meter, uint64_t count);
void lt_give_back_contacts(lt_meter *meter, uint64_t count);

/* Harm if left: how much the boxes overlap, times how fast, times what the caller thinks of it. */
float lt_pair_harm(const lt_method_step *step, const lt_pair *pair);
/* How deep the sides of a pair can be in each other at most, from their boxes alone. */
float lt_pair_depth_bound(const lt_method_step *step, const lt_pair *pair);

/* A force on a body at a point: the obstacle gets the opposite. */
static inline void lt_load_obstacle(lt_obstacle *obstacle, lt_vec3 point, lt_vec3 force) {
    lt_vec3 arm = lt_v3_sub(point, obstacle->position);
    obstacle->force = lt_v3_sub(obstacle->force, force);
    obstacle->torque = lt_v3_sub(obstacle->torque, lt_v3_cross(arm, force));
}

/* What a pair exchanged, for whoever watches momentum: step->exchanges has room for all pairs, or is NULL. */
static inline void lt_note_exchange(lt_method_step *step, const lt_pair *pair, lt_rvec3 impulse) {
    if (pair->kind == LT_PAIR_SELF || !step->exchanges) return;
    step->exchanges[step->exchange_count++] =
        (lt_exchange){pair->a, pair->kind == LT_PAIR_BODIES ? pair->b : LT_NONE, impulse};
}

/* What a step makes its list of contacts from. */
typedef struct lt_listing {
    lt_contact_harvest harvest;
    lt_tested *tested; /* by pair */
    lt_contact_scratch merging;
} lt_listing;
/* From the arena; false: too little scratch. */
bool lt_listing_take(lt_listing *listing, const lt_memory *memory, lt_arena *arena);
/* What bringing contacts in order takes: a look at every pair, and the records of those held and found. */
uint32_t lt_stage_contacts_units(uint32_t pairs, uint32_t records);
/* What was harvested and what is held become the list of contacts, at most `limit` of them. */
void lt_stage_contacts(lt_memory *memory, const lt_listing *listing, uint32_t limit, lt_method_step *step);
/* Contacts to couplings; penalty->couplings and contact_of are taken from the arena before. */
void lt_stage_respond(lt_memory *memory, lt_penalty *penalty, lt_method_step *step);
/* After the motion: forces back into the contacts; counts, ages and depths for the report. */
void lt_stage_collect(lt_memory *memory, lt_penalty *penalty, lt_method_step *step);
/* The same where contacts were answered after the motion: counts alone, in the stage CONTACTS. */
void lt_stage_count(lt_memory *memory, lt_method_step *step);

#endif
