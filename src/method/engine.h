/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the files of the engine share: its state, and what one step makes of it.
 *
 *   engine.c          the two hooks, and the verbs
 *   engine_bodies.c   trees of shapes, boxes and clocks of bodies
 *   engine_pairs.c    clocks of pairs, who is searched and for how long
 *   engine_contacts.c what was found as contacts, and what becomes of those that were there
 *   engine_cut.c      answers of pairs that were cut
 *   engine_state.c    saving, restoring, hashing */

#ifndef LITHE_METHOD_ENGINE_H
#define LITHE_METHOD_ENGINE_H

#include "detect/front_search.h"
#include "method/stages.h"
#include "respond/truncate.h"

/* The tree of a shape, as long as a body of the shape is there. */
typedef struct lt_engine_shape {
    lt_shape_tree tree; /* tree.shape NULL: a free place */
    uint32_t users;
} lt_engine_shape;

/* What the engine keeps of a body. */
typedef struct lt_engine_body {
    lt_engine_shape *shape; /* NULL: there is no body */
    lt_body_boxes boxes;
    uint32_t node_count;
    /* State: the body's clock (pair/clock.h) */
    double base;
    float *from; /* [node_count][4] m, its snapshot: nodes less their mean, 0 */
    /* Of this step */
    lt_vec3 mean; /* of its nodes */
    lt_clock_reading clock;
    bool is_still; /* state: it sleeps, and its clock was read since it does */
    bool is_read;  /* that reading is known: it is not after a snapshot was restored */
} lt_engine_body;

/* Contacts that a pair has when it was cut before anything of it was found: always answered. */
enum { LT_ENGINE_COARSE = 4 };
/* Share of what is left of the budget that contacts may take. */
#define LT_ENGINE_ANSWER_SHARE 0.4

/* What the engine keeps of a pair. */
typedef struct lt_engine_pair {
    uint32_t roots; /* of its front; 0: the pool had no room */
    uint32_t has_snapshot;
    double base;
    lt_vec3 from; /* m, snapshot of where b is seen from a; of an obstacle, from its origin to a */
    float
        level; /* m, state: where supports may be (respond/support.h), while the pair is cut; above 0: not known */
    uint32_t is_cut; /* of this step: something of it is open */
    lt_box open[2];  /* of this step: boxes of that */
    lt_clock_reading clock;
} lt_engine_pair;

/* A sample that was found near in this step. */
typedef struct lt_found_touch {
    uint32_t feature;
    uint32_t order; /* of the sample in the trees of the pair */
    bool is_held;   /* there is a contact of it */
    lt_touch touch;
} lt_found_touch;

typedef struct lt_engine {
    lt_memory memory;       /* first: see memory.h */
    lt_penalty penalty;     /* of one step, between the hooks */
    lt_engine_body *bodies; /* [body_count] by slot */
    uint32_t body_count;
    lt_engine_shape **shapes; /* [shape_capacity] */
    uint32_t shape_count, shape_capacity;
    lt_front_pool pool;
    lt_search_memory search;
    lt_found_touch *found; /* [found_capacity] of one pair */
    uint32_t found_capacity;
    lt_support_node *near; /* of this step: scratch for supports */
    uint32_t *near_list;   /* likewise */
    uint64_t search_units; /* of this step: that pairs have not had yet */
    uint32_t step;         /* state: phase of what is not done in every step */
} lt_engine;

static inline lt_engine_pair *lt_engine_pair_at(const lt_engine *engine, uint32_t place) {
    return lt_pair_method_at(&engine->memory.pairs, place);
}

/* ---- engine_bodies.c ---- */

/* Trees, boxes and clocks for bodies that came; false: memory is out, and what there is serves what there was. */
bool lt_engine_reserve_bodies(lt_engine *engine, lt_collider *colliders, uint32_t collider_count,
                              lt_error *error);
void lt_engine_forget_body(lt_engine *engine, uint32_t body);
void lt_engine_free_bodies(lt_engine *engine);
/* Boxes begin anew, clocks are read; returns the units: fixed cost. */
uint32_t lt_engine_read_bodies(lt_engine *engine, const lt_method_step *step);

/* A search of one pair. */
typedef struct lt_engine_turn {
    lt_engine *engine;
    lt_method_step *step;
    const lt_pair *pair;
    uint32_t place;
    lt_listing *listing;
    uint32_t *room; /* contacts that may still be set aside; UINT32_MAX: any number */
    lt_front_search search;
} lt_engine_turn;

static inline bool lt_is_between_bodies(const lt_pair *pair) {
    return pair->kind == LT_PAIR_BODIES;
}

/* ---- engine_pairs.c ---- */

/* m of motion for which a leaf stands. */
float lt_engine_leaf_motion(const lt_method_step *step, const lt_pair *pair);
/* m, how far the two can come towards each other in the step; of it, what velocities do not say. */
float lt_engine_reach(const lt_method_step *step, const lt_pair *pair);
float lt_engine_margin(const lt_method_step *step, const lt_pair *pair);

/* Clocks of all pairs; returns the units: fixed cost. */
uint32_t lt_engine_read_pairs(lt_engine *engine, const lt_method_step *step);
/* Searches pairs, obstacles first, while the budget lasts; what is found is harvested. Returns how many contacts can be answered. */
uint32_t lt_engine_search_pairs(lt_engine *engine, lt_method_step *step, lt_listing *listing);

/* ---- engine_contacts.c ---- */

/* What a search has found becomes contacts, and those that were there end or stand. False: nothing of what was found can be
 * answered. */
bool lt_engine_harvest(lt_engine_turn *turn, bool is_cut);

/* ---- engine_cut.c ---- */

/* Contacts of a pair that is cut; they are set aside before anything is searched. */
uint32_t lt_engine_coarse_contacts(const lt_pair *pair);
void lt_engine_reserve_coarse(lt_meter *meter, const lt_pair *pair);
void lt_engine_give_back_coarse(lt_meter *meter, const lt_pair *pair);
/* What nobody looks at is open as a whole. */
void lt_engine_open_whole(const lt_method_step *step, const lt_pair *pair, lt_engine_pair *own);
/* Pairs that were cut get their contacts. */
void lt_engine_answer_cut(lt_engine *engine, lt_method_step *step, lt_listing *listing);
/* After the motion: nodes of bodies whose search was cut do not pass obstacles. */
void lt_engine_truncate(lt_engine *engine, lt_method_step *step);

/* ---- engine_state.c ---- */

extern const lt_memory_rules lt_engine_rules;
size_t lt_engine_state_size(const void *state);
void lt_engine_save(const void *state, uint8_t *bytes);
bool lt_engine_restore(void *state, const uint8_t *bytes, size_t size, const lt_method_step *world);
uint64_t lt_engine_hash(const void *state, uint64_t hash);
const char *lt_engine_validate(const void *state);

#endif
