/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Seam of respond/: from touches to contacts, and from contacts to what the models need.
 *
 *   contact record   a touch with a memory: friction spring, credit of depth, age. Kept over steps, sorted by key
 *                    (pair, then point), so that the same contact finds itself again
 *   penalty          every contact becomes one coupling: f_n = k d − c u_n, Coulomb friction that sticks
 *
 * A contact that was not tested again this step is not forgotten: its depth follows from where its two sides have
 * moved since (depth − n·(x_p − Σ w x)), its status is predicted, its age counts. */

#ifndef LITHE_RESPOND_RESPOND_H
#define LITHE_RESPOND_RESPOND_H

#include "detect/detect.h"

/* Units of responding to one contact. */
enum { LT_RESPOND_UNITS = 8 };

typedef struct lt_contact_record {
    /* Key: the pair, and the point's place in the pair's cyclic range */
    uint32_t a;
    lt_pair_kind kind;
    uint32_t b;
    uint32_t feature;
    /* As detected */
    lt_touch touch;
    /* Carried over steps */
    lt_vec3 stick; /* tangential spring of friction, m */
    float credit;  /* depth that is not pushed out yet: bounded depenetration, m */
    uint32_t age;  /* steps since it was detected */
    bool is_new;   /* found this step for the first time */
    /* Output of the last step */
    lt_vec3 position; /* of the point */
    lt_vec3 normal;
    float depth;   /* now */
    lt_vec3 force; /* mean, on the point's body */
} lt_contact_record;

typedef struct lt_contact_list {
    lt_contact_record *records; /* [capacity], sorted by key */
    uint32_t count;
    uint32_t capacity;
} lt_contact_list;

/* A contact between things that all sleep rests as they do: no coupling, the same force. */
static inline bool lt_contact_sleeps(const lt_contact_record *record, const lt_collider *colliders) {
    return colliders[record->a].asleep && (record->kind != LT_PAIR_BODIES || colliders[record->b].asleep);
}

int lt_contact_compare(const lt_contact_record *x, const lt_contact_record *y);

/* Whether the list has a contact of that point of the pair. */
bool lt_contacts_hold(const lt_contact_list *list, const lt_pair *pair, uint32_t feature);

/* Touches found in a step; full, it keeps the deepest. */
typedef struct lt_contact_harvest {
    lt_contact_record *records; /* [capacity] scratch */
    uint32_t count;
    uint32_t capacity;
    uint32_t dropped;
} lt_contact_harvest;

void lt_harvest_add(lt_contact_harvest *harvest, const lt_pair *pair, uint32_t feature,
                    const lt_touch *touch);

/* What of a pair was tested this step, as a cyclic range of its features. */
typedef struct lt_tested {
    uint32_t begin, count;
} lt_tested;

/* Makes the new list: harvested contacts, with the memory of the old ones of the same key, and old contacts that
 * were not tested again (older by one) or that sleep; bodies that lost one are marked bereft. `tested` has one
 * entry per pair. `scratch` [capacity]. Beyond the capacity the deepest are kept; returns how many did not fit. */
uint32_t lt_contacts_update(lt_contact_list *list, lt_contact_harvest *harvest, const lt_pair_list *pairs,
                            const lt_tested *tested, lt_collider *colliders, lt_contact_record *scratch);

/* ---- penalty ---- */

typedef struct lt_penalty {
    /* Input */
    lt_contact_list *contacts;
    lt_collider *colliders;
    uint32_t collider_count;
    const lt_obstacle *obstacles;
    float dt;
    /* Output */
    lt_coupling *couplings; /* [capacity] */
    uint32_t *contact_of;   /* [capacity] the record a coupling came from */
    uint32_t coupling_count;
    uint32_t capacity;
    /* Scratch */
    float *node_loads;    /* Σ |weight| of all contacts per node, all bodies in a row */
    uint32_t *node_begin; /* [collider_count] where a body's nodes begin in node_loads */
    uint32_t next;
    uint32_t phase;
} lt_penalty;

bool lt_penalty_begin(lt_penalty *penalty, lt_arena *arena);
size_t lt_penalty_scratch(const lt_collider *colliders, uint32_t collider_count, uint32_t contact_capacity);
/* A cursor over the contacts; every one costs LT_RESPOND_UNITS. */
lt_cursor lt_penalty_cursor(lt_penalty *penalty);
/* After the motion: forces and friction springs back into the records, loads onto the obstacles. */
void lt_penalty_collect(lt_penalty *penalty, lt_obstacle *obstacles);

#endif
