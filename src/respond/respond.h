/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Seam of respond/: from touches to contacts, and from contacts to what the models need.
 *
 *   contact record   a touch with a memory: friction spring, credit of depth, age. Kept over steps, sorted by key
 *                    (pair, then point), so that the same contact finds itself again
 *   penalty          every contact becomes one coupling: f_n = k d − c u_n, Coulomb friction that sticks
 *   predicted        in mode paper of tet-hash: forces held over the step, between cycles by a line through the last two
 *
 * A contact that was not tested again this step is not forgotten: its depth follows from where its two sides have
 * moved since (depth − n·(x_p − Σ w x)), its status is predicted, its age counts. */

#ifndef LITHE_RESPOND_RESPOND_H
#define LITHE_RESPOND_RESPOND_H

#include "detect/detect.h"

/* Units of responding to one contact, of its record, once as it is held and once as it is found, and of taking its forces
 * back after the motion. */
enum {
    LT_RESPOND_UNITS = 64,
    LT_LISTING_UNITS = 4,
    LT_COLLECT_UNITS = 12,
    LT_CONTACT_UNITS = LT_RESPOND_UNITS + 2 * LT_LISTING_UNITS + LT_COLLECT_UNITS
};

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
    float
        store; /* J that bodies have put into its spring, which gives back no more; below 0: not looked at */
    uint32_t age;  /* steps since it was detected */
    bool is_new;   /* found this step for the first time */
    bool is_first; /* found with all others of its pair, none of which is older */
    bool ended;    /* within a step: its places have slipped by each other, it goes unless it is found anew */
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
    uint32_t
        standing; /* of a pair, the deepest, that stay before others where there is little room; 0: one */
} lt_contact_list;

/* A contact between things that all sleep rests as they do: no coupling, the same force. */
static inline bool lt_contact_sleeps(const lt_contact_record *record, const lt_collider *colliders) {
    return colliders[record->a].asleep && (record->kind != LT_PAIR_BODIES || colliders[record->b].asleep);
}

/* Contacts are in the order of the keys of their pairs. */
static inline uint64_t lt_contact_pair_key(const lt_contact_record *record) {
    return lt_pair_make_key(record->a, record->kind, record->b);
}
static inline bool lt_contact_is_of_pair(const lt_contact_record *record, const lt_pair *pair) {
    return record->a == pair->a && record->kind == pair->kind && record->b == pair->b;
}

int lt_contact_compare(const lt_contact_record *x, const lt_contact_record *y);

/* Notes in every slot which contacts are of its pair; to be called when the list has changed, or a slot has begun. Contacts of
 * pairs that are not listed, which sleep or go, are in no range; ranges without contacts are where these would be. */
void lt_contacts_range(const lt_contact_list *list, lt_pair_table *pairs);
/* Whether all ranges are so. */
bool lt_validate_contact_ranges(const lt_contact_list *list, const lt_pair_table *pairs);
/* The first contact that does not come before that point of the pair. */
uint32_t lt_contacts_find(const lt_contact_list *list, const lt_pair *pair, uint32_t feature);
/* Whether the list has it: looked for in the range of its pair, where that is listed. */
bool lt_contacts_hold(const lt_contact_list *list, const lt_pair_table *pairs, const lt_pair *pair,
                      uint32_t feature);

/* Touches found in a step; full, it keeps the deepest. */
typedef struct lt_contact_harvest {
    lt_contact_record *records; /* [capacity] scratch */
    uint32_t count;
    uint32_t capacity;
    uint32_t dropped;
} lt_contact_harvest;

void lt_harvest_add(lt_contact_harvest *harvest, const lt_pair *pair, uint32_t feature,
                    const lt_touch *touch);
/* A contact that was answered when it was found: position, normal, depth and force are known. */
void lt_harvest_answered(lt_contact_harvest *harvest, const lt_contact_record *record);
/* A touch of that many steps ago. */
void lt_harvest_add_old(lt_contact_harvest *harvest, const lt_pair *pair, uint32_t feature,
                        const lt_touch *touch, uint32_t age);

/* An old contact that lives on although its pair was looked at: older by one. */
void lt_harvest_keep(lt_contact_harvest *harvest, const lt_contact_record *record);

/* What of a pair was tested, as a cyclic range of its features: those that were not found again go, but if they are younger
 * than `but_younger` steps: a test that took some steps has told them in one of these. `spared`: it was known that nothing has changed, they count as
 * found again. */
typedef struct lt_tested {
    uint32_t begin, count, but_younger;
    bool spared;
} lt_tested;

/* Scratch of an update: [capacity] each, the harvest's. */
typedef struct lt_contact_key {
    uint64_t key;
    uint32_t record;
} lt_contact_key;
/* Ascending, equals as they were; returns the array that they are in then. */
lt_contact_key *lt_contact_keys_sort(lt_contact_key *keys, lt_contact_key *spare, uint32_t count);

typedef struct lt_contact_scratch {
    lt_contact_record *fresh;
    lt_contact_key *keys, *spare_keys;
} lt_contact_scratch;

bool lt_contact_scratch_take(lt_contact_scratch *scratch, uint32_t capacity, lt_arena *arena);
size_t lt_contact_scratch_size(uint32_t capacity);

/* Makes the new list: harvested contacts, with the memory of the old ones of the same key, and old contacts that
 * were not tested again (older by one) or that sleep; bodies that lost one are marked lost_contact. `tested` has one
 * entry per place of a pair; all that was harvested is of pairs that are listed. Ranges are those of the old list, then of the
 * new one. Beyond `limit` or the capacity the deepest are kept; returns how many did not fit. */
uint32_t lt_contacts_update(lt_contact_list *list, const lt_contact_harvest *harvest, lt_pair_table *pairs,
                            const lt_tested *tested, lt_collider *colliders, uint32_t limit,
                            const lt_contact_scratch *scratch);

/* ---- the front of two sphere trees ---- */

/* Units of looking at one pair of the front, at a surface point of a leaf, and of making a contact of them. */
enum { LT_FRONT_UNITS = 8, LT_FRONT_POINT_UNITS = 8, LT_FRONT_CONTACT_UNITS = 48 };

/* Most contacts of two roots, which answer as boxes: parts of a body beside an obstacle, or places between two bodies, one for
 * each frame. */
static inline uint32_t lt_box_contacts(const lt_pair *pair, uint32_t detail) {
    if (detail == 0) return 1;
    return pair->kind == LT_PAIR_OBSTACLE ? LT_PART_COUNT : LT_FRAME_COUNT;
}

/* What the pairs of a front say of one sphere of the first tree, added up. */
typedef struct lt_front_sum {
    lt_vec3 push;  /* Σ area × depth × direction: what pairs that overlap for certain push like */
    lt_vec3 place; /* Σ area × depth × point */
    float weight;  /* Σ area × depth */
    float squares; /* Σ area × depth² */
    float area;
    float best; /* largest area × depth of a pair, and its spheres */
    uint32_t own, other;
    lt_vec3 near_push,
        near_place; /* of the pair that is nearest to touching, or of undecided ones: Σ area × … */
    float near_depth, near_area;
    uint32_t near_own, near_other;
    uint32_t kind; /* LT_FRONT_… bits */
} lt_front_sum;
enum { LT_FRONT_SEEN = 1, LT_FRONT_CUT = 2, LT_FRONT_UNDECIDED = 4, LT_FRONT_COMING = 8, LT_FRONT_HELD = 16 };

/* One pair of the front, looked at. */
typedef struct lt_front_look {
    uint32_t a, b;
    lt_vec3 direction; /* unit, from b's centre to a's */
    float depth;       /* beyond the errors; ≤ 0: undecided, or still coming */
    float overlap;
    uint32_t kind;
} lt_front_look;

/* Spheres that contacts were made of, for whoever wants to look. */
typedef struct lt_logged_sphere {
    uint32_t body, node;
} lt_logged_sphere;
typedef struct lt_sphere_log {
    lt_logged_sphere *spheres; /* [capacity] */
    uint32_t count;
    uint32_t capacity;
} lt_sphere_log;

/* Scratch that serves all pairs of a step; counts are zero between them. */
typedef struct lt_front_scratch {
    lt_front_look *looks; /* [look_capacity] */
    uint32_t look_capacity;
    uint32_t *counts[2]; /* [node_capacity] contacts of a sphere of either tree */
    float *shares[2];    /* [node_capacity] of its area that each of them gets, m² */
    lt_front_sum *sums;  /* [node_capacity] */
    uint32_t *seen;      /* [node_capacity] */
    uint32_t *uses;      /* [node_capacity] for the traversal */
    uint32_t node_capacity;
} lt_front_scratch;

bool lt_front_scratch_take(lt_front_scratch *scratch, const lt_collider *colliders, uint32_t collider_count,
                           uint32_t look_capacity, lt_arena *arena);
size_t lt_front_scratch_size(const lt_collider *colliders, uint32_t collider_count, uint32_t look_capacity);

/* The front of a pair of bodies, of a body with itself or with an obstacle, wherever it was cut, as contacts. */
typedef struct lt_front {
    /* Input */
    const lt_traverse *traverse;
    lt_pair pair;
    const lt_collider *colliders;
    const lt_obstacle *obstacles;
    float margin;
    uint32_t
        detail; /* level of the first tree on whose spheres contacts are added up, where the front is finer */
    const lt_contact_record
        *held; /* [held_count] of this pair, from before: kept where the front is undecided */
    uint32_t held_count;
    lt_front_scratch *scratch;
    lt_contact_harvest *harvest;
    lt_sphere_log *log; /* may be NULL */
    /* Result */
    lt_vec3 push;         /* Σ area × depth × direction on a, m³: forces per unit of stiffness */
    double push_size;     /* Σ area × depth */
    uint32_t contacts;    /* harvested */
    uint32_t overlapping; /* pairs of the front that overlap: 0 proves that the surfaces do not meet */
    uint32_t undecided;   /* of those, that errors leave open */
    uint32_t deepest_level;
    float gap_error; /* m: every overlap of the front proves that the solids are at least this near */
} lt_front;

/* Every front pair costs LT_FRONT_UNITS, every contact that is made LT_FRONT_CONTACT_UNITS; against obstacles every point of
 * a leaf LT_FRONT_POINT_UNITS. Returns the cost. */
uint32_t lt_front_respond(lt_front *front);

/* ---- forces averaged per node, as the sphere-tree paper prints it ---- */

typedef struct lt_averaging {
    lt_vec3 *forces;  /* sums per node, all bodies in a row */
    uint32_t *counts; /* how many were added */
    uint32_t *begins; /* [collider_count] where a body's nodes begin */
    uint32_t collider_count;
    float dt;
} lt_averaging;

bool lt_averaging_take(lt_averaging *averaging, const lt_collider *colliders, uint32_t collider_count,
                       float dt, lt_arena *arena);
size_t lt_averaging_scratch(const lt_collider *colliders, uint32_t collider_count);
/* Adds what the front of a pair of bodies pushes. */
void lt_averaging_add(lt_averaging *averaging, const lt_traverse *traverse, const lt_pair *pair,
                      const lt_collider *colliders);
/* Adds the means to the external forces of the bodies; returns |Σ f| / Σ |f|: the share of momentum made from nothing. */
double lt_averaging_hand_over(const lt_averaging *averaging, lt_soft *softs, const lt_collider *colliders);

/* ---- penalty ---- */

/* What contacts need of a body, once a step. */
typedef struct lt_penalty_body {
    uint32_t node_begin; /* where its nodes begin */
    float rate; /* (s / Δt)², 1/s²: as stiff as its model carries contacts, times mass; 0: it sleeps */
    float young, edge; /* Pa, m; 0: it sleeps */
    bool substeps;     /* of an explicit model */
    bool weighed;      /* its nodes' inverse masses are known */
} lt_penalty_body;

typedef struct lt_penalty {
    /* Input */
    lt_contact_list *contacts;
    lt_collider *colliders;
    uint32_t collider_count;
    const lt_obstacle *obstacles;
    lt_tasks *tasks; /* NULL: none */
    float dt;
    bool obstacles_only;       /* contacts between bodies are answered in another way */
    float depenetration_speed; /* m/s, at which depth is pushed out that was there at first; 0: 1 m/s */
    float rest_depth;          /* × mean edge: what is no deeper stays */
    float held_dt;             /* s, > 0: forces between bodies are held this long: as stiff as that allows */
    /* Output */
    lt_coupling *couplings; /* [capacity] */
    uint32_t *contact_of;   /* [capacity] the record a coupling came from */
    uint32_t coupling_count;
    uint32_t capacity;
    /* Scratch */
    float *node_loads;       /* Σ |weight| of all contacts per node, all bodies in a row */
    float *node_masses;      /* 1/kg, the inverse, as contacts feel it; of bodies that are weighed */
    lt_penalty_body *bodies; /* [collider_count] */
    uint32_t next;
    uint32_t phase;
    uint32_t finished_count; /* couplings with their stiffness */
    uint32_t pair_end;       /* of the pair whose contacts are chosen, in the list */
    bool pair_touched;       /* it did in the step before */
} lt_penalty;

bool lt_penalty_begin(lt_penalty *penalty, lt_arena *arena);
size_t lt_penalty_scratch(const lt_collider *colliders, uint32_t collider_count, uint32_t contact_capacity);
/* A cursor over the contacts; every one costs LT_RESPOND_UNITS. */
lt_cursor lt_penalty_cursor(lt_penalty *penalty);
/* After the motion: forces and friction springs back into the records, loads onto the obstacles. */
void lt_penalty_collect(lt_penalty *penalty, lt_obstacle *obstacles);

/* ---- forces held over the step and predicted between cycles, as the tet-hash paper prints it ---- */

/* Exact forces on the point of a contact in the last cycles. Predicted ones never enter. */
typedef struct lt_force_history {
    /* Key: that of the contact */
    uint32_t a;
    lt_pair_kind kind;
    uint32_t b;
    uint32_t feature;
    lt_vec3 forces[2];  /* N, the last one and the one before */
    uint32_t stamps[2]; /* steps in which they became known */
    uint32_t count;     /* of these that there are */
} lt_force_history;

void lt_force_history_add(lt_force_history *history, lt_vec3 force, uint32_t step);
/* The force in a step not before the last one: none known, 0; one, the same; two, linear. */
lt_vec3 lt_force_history_at(const lt_force_history *history, uint32_t step);

typedef struct lt_force_histories {
    lt_force_history *items; /* [capacity], one per contact, in the same order */
    uint32_t count;
    uint32_t capacity;
} lt_force_histories;

/* The contacts are others now: who is still there keeps its history, who is new has none. */
void lt_force_histories_follow(lt_force_histories *histories, const lt_contact_list *contacts);
/* Of items that are to be restored: in order, and nothing that a step could not have left. */
bool lt_force_histories_are_sound(const uint8_t *bytes, uint32_t count, uint32_t step);

typedef struct lt_predicted {
    lt_penalty *penalty; /* through, with held_dt; couplings between bodies are taken out of it */
    lt_force_histories *histories;
    lt_soft *softs;
    float dt;
    uint32_t step;
} lt_predicted;

/* Forces between bodies become external forces of the models: of contacts of age 0 by their depth now, of others by their
 * history, whose age they then have. */
void lt_predicted_hand_over(lt_predicted *predicted);

#endif
