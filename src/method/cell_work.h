/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inside the method cell-box: what its files share. cell_box.c has the hooks and verbs, cell_order.c says who comes when,
 * cell_spare.c who needs no turn, cell_turn.c is the turn of one pair, cell_round.c gives turns while the budget lasts,
 * cell_roots.c answers for those who had none. */

#ifndef LITHE_METHOD_CELL_WORK_H
#define LITHE_METHOD_CELL_WORK_H

#include "bound/oriented.h"
#include "method/pair_words.h"
#include "method/roots.h"
#include "method/stages.h"
#include "respond/impulse.h"

typedef struct lt_cell_method {
    lt_memory memory; /* first: see memory.h */
    lt_method_options options;
    lt_penalty penalty;     /* of one step, between the hooks */
    uint32_t contact_limit; /* of one step */
    /* The pair whose turn was cut: it is the first in the next step, and goes on from its place. Of an obstacle a box. */
    lt_pair cut; /* a is LT_NONE: there is none */
    lt_box_pair place;
    uint32_t cut_age; /* steps since that turn began */
} lt_cell_method;

/* Two boxes that touched, or a corner of one and an obstacle, and how they were answered in this step. */
typedef struct lt_cell_touch {
    uint32_t pair;   /* in the list of pairs */
    uint32_t a, b;   /* boxes; of an obstacle b is the corner, or LT_TOUCH_CENTER */
    uint32_t inner;  /* 1: the point is one of the second body's */
    uint32_t corner; /* of the inner box, LT_TOUCH_CENTER or LT_TOUCH_HULL; of an obstacle it is b */
    uint32_t inside; /* which that is (lt_cell_inside) */
    uint32_t chain;  /* the touch inside of the same box's that was told before it, LT_NONE: none */
    bool answered;   /* by an impulse, when it was found */
    lt_vec3 point;
    lt_vec3 normal;     /* unit, pushes the inner one */
    float depth;        /* when it was found */
    bool carried;       /* it was known before, and pushed while the models moved */
    uint32_t before;    /* that contact, while `carried` */
    float credit;       /* m, depth that is not pushed out at once */
    float places[2][3]; /* of the point in the cells of a and b, then */
    lt_rvec3 impulse;   /* N s, on the inner one */
} lt_cell_touch;

/* What became of a pair in this step. */
typedef struct lt_cell_outcome {
    bool done;
    bool spared;   /* it needs no turn */
    bool waits;    /* has no turn as yet, and need not be held */
    bool may_part; /* by boxes that turn with the two bodies, before anybody has a turn */
    bool whole;    /* its turn was taken in one go */
    float gap;     /* m, between them at least, as that found; 0: they touch */
    float deepest; /* m, what it found in an obstacle */
    float overlap; /* m, of the boxes that turn with two bodies, < 0: apart; not of who is spared */
    float excess;  /* m, by which it is deeper than it may be, of who is held */
    lt_vec3 axis;  /* along which that is, pushes a */
    uint32_t held_begin, held_end; /* its contacts, from before */
    uint32_t touch_begin, touch_count;
    uint32_t dropped;     /* touches that found no place in the list */
    uint32_t corrections; /* in this pass */
    uint64_t tested;      /* boxes and bricks */
    lt_rvec3 impulse;     /* on a, of all answers */
    uint32_t but_younger; /* steps since the turn that ended began */
    float bound;          /* m, how deep they may be, of those without a turn */
} lt_cell_outcome;

/* Everything of one step that turns share. */
typedef struct lt_cell_work {
    lt_cell_method *method;
    lt_method_step *step;
    lt_impulse_params params,
        carried_params; /* of what is found for the first time, and of what was carried */
    uint32_t passes;    /* at most, over what touches */
    /* By body */
    lt_box *bounds;        /* the colliders' */
    float *travels;        /* m, that its nodes are from where they were seen, at most */
    float *displacements;  /* m, from where they were seen before to where in this step, 0: not seen anew */
    float *moves;          /* m, that corrections moved them */
    lt_oriented *oriented; /* while `turned` says so (cell_spare.c) */
    uint8_t *turned;
    lt_cell_motion *motions;
    lt_cell_boxes **boxes;
    uint8_t *progress; /* what was done for it in this step (cell_turn.c) */
    uint64_t *colors;  /* scratch of the order */
    lt_root_push *pushes;
    uint32_t *waiting;  /* pairs with other bodies that have no turn */
    uint32_t **emitted; /* [box count] the touch of that inner box that was told last, wherever it is now */
    /* By pair */
    lt_cell_outcome *outcomes;
    uint32_t *
        features; /* [contact count] of the contacts from before: looked up in a row of numbers, not of records */
    uint32_t *sorted; /* scratch of the order */
    uint8_t *classes; /* pairs of a class in a row share no body; LT_CELL_CLASS_NONE: may share some */
    uint32_t *order;  /* [order_count] those that need a turn */
    uint32_t order_count;
    uint32_t next;          /* place in the order of the pair whose turn it is */
    lt_cell_touch *touches; /* [touch_capacity] */
    uint32_t touch_count, touch_capacity;
    /* Turns at the same time */
    struct lt_cell_turn *batch;   /* [batch_capacity] */
    uint32_t *batch_units;        /* [batch_capacity] */
    lt_cell_touch *batch_touches; /* [batch_capacity][LT_CELL_BATCH_TOUCHES] */
    uint32_t batch_capacity;
} lt_cell_work;

enum {
    LT_CELL_CLASS_NONE = 64,
    LT_CELL_BATCH = 256,        /* most turns at the same time */
    LT_CELL_BATCH_TOUCHES = 32, /* of one of them */
    LT_CELL_ANSWERS = 4,        /* most touches and answers of one box in an obstacle */
    LT_CELL_TEST_UNITS = 4,     /* of a box or brick against an obstacle */
    LT_CELL_LOOK_UNITS = 24,    /* of its corners and centre */
    LT_CELL_DIP_UNITS = 40,     /* of answering one of them */
    LT_CELL_CORNER_UNITS = 8,   /* of a corner beside the deepest one */
    LT_CELL_EMIT_UNITS = 2      /* of a touch, when it becomes a contact */
};

/* Units of the dearest piece of a turn. */
static inline uint32_t lt_cell_piece_most(void) {
    uint32_t obstacle = LT_CELL_BOX_UNITS + LT_CELL_LOOK_UNITS + LT_CELL_ANSWERS * LT_CELL_DIP_UNITS;
    return lt_max_u32(obstacle, LT_IMPULSE_LOOK_UNITS + LT_IMPULSE_UNITS + 16 * LT_CELL_CORNER_UNITS);
}

/* Cosine between normals of one face. */
#define LT_CELL_SAME_FACE 0.9f
/* × cell: what may have changed since it was looked at; less than what is new may be deep before it is corrected (SLACK,
 * cell_box.c). 1,014 letters at rest: 18 ms a step with 0, 9 with 0.01, 6 with 0.03, and as calm. */
#define LT_CELL_STILL 0.03f

/* ---- order ---- */

/* Oldest first; among equals such that turns in a row concern different bodies. */
void lt_cell_order(lt_cell_work *work);
/* The colliders of a pair: one where it is of a body with itself or with an obstacle. */
static inline uint32_t lt_cell_pair_bodies(uint32_t bodies[2], const lt_pair *pair) {
    bodies[0] = pair->a;
    bodies[1] = pair->b;
    return pair->kind == LT_PAIR_BODIES ? 2 : 1;
}

/* m, the smaller cell. */
static inline float lt_cell_of_pair(const lt_cell_work *work, const lt_pair *pair) {
    float cell = work->boxes[pair->a]->cell_size;
    return pair->kind == LT_PAIR_BODIES ? lt_min_f(cell, work->boxes[pair->b]->cell_size) : cell;
}

/* μ, the geometric mean of both sides. */
static inline float lt_cell_friction(const lt_cell_work *work, const lt_pair *pair) {
    bool wall = pair->kind == LT_PAIR_OBSTACLE;
    float other = wall ? work->step->obstacles[pair->b].friction : work->step->colliders[pair->b].friction;
    return sqrtf(work->step->colliders[pair->a].friction * other);
}

/* What is inside the other: a corner by the name of the one that stands for it, so that each place is told once. */
static inline uint32_t lt_cell_inside(const lt_cell_work *work, const lt_pair *pair, const lt_cell_touch *t) {
    const lt_cell_layout *layout =
        work->boxes[pair->kind == LT_PAIR_BODIES && t->inner ? pair->b : pair->a]->layout;
    uint32_t box = t->inner ? t->b : t->a;
    return t->corner < LT_CELL_CORNERS ? layout->names[LT_CELL_CORNERS * (size_t)box + t->corner]
                                       : lt_corner_name(box, t->corner);
}

/* The key of a contact within its pair. As printed, where every touch is told, both boxes. Boxes are numbered below 2^16. */
static inline uint32_t lt_cell_feature(const lt_cell_work *work, const lt_pair *pair,
                                       const lt_cell_touch *t) {
    if (pair->kind == LT_PAIR_OBSTACLE) return t->a << 4 | t->b;
    if (work->params.as_printed) return t->a << 16 | t->b;
    return t->inner << 20 | lt_cell_inside(work, pair, t);
}

/* Deeper than is left to the next motion. */
static inline bool lt_cell_is_deep(const lt_cell_work *work, const lt_cell_touch *touch) {
    uint32_t body = lt_worded_pair_at(&work->method->memory.pairs, touch->pair)->a;
    lt_real slack = touch->carried ? work->carried_params.slack : work->params.slack;
    return touch->depth > (float)slack * work->boxes[body]->cell_size;
}

/* ---- pairs that need no turn ---- */

/* Marks the outcomes of pairs that are apart or still. */
void lt_cell_spare_begin(lt_cell_work *work);
/* A pair without a turn need not be held until it has come nearer, or gone apart, by so much, m. */
void lt_cell_wait(const lt_cell_work *work, uint32_t index, float margin);
/* Finds how far the boxes that turn with two bodies overlap, for its outcome. */
void lt_cell_overlap(lt_cell_work *work, uint32_t index);
/* How near boxes of a pair may come before they are looked for, m. */
float lt_cell_apart_margin(const lt_cell_work *work, const lt_pair *pair);
/* Of a pair that had a turn, when nothing is moved any more in this step. */
void lt_cell_spare_end(const lt_cell_work *work, uint32_t index);

/* ---- turns ---- */

typedef struct lt_cell_turn {
    lt_cell_work *work;
    uint32_t index;
    lt_pair pair;
    lt_cell_outcome *outcome;
    /* Where touches go */
    lt_cell_touch *touches;
    uint32_t touch_count, touch_capacity;
    bool stops_when_full; /* else what finds no place is answered, and not told */
    /* State */
    lt_body_pair bodies;
    bool on_corners; /* contacts of corners are carried */
    bool searching;
    float gap; /* m, between the boxes that were found so far, at least */
    bool has_way;
    lt_vec3 way; /* m, that body a came towards b since the two were looked at */
    lt_box_search search;
    lt_box_pair found; /* to be answered */
    bool has_found;
    uint32_t next_box, brick_end; /* obstacle: boxes before brick_end are of a brick that is near */
} lt_cell_turn;

void lt_cell_turn_begin(lt_cell_turn *turn, lt_cell_work *work, uint32_t index);
/* At least what the next piece costs; 0: done. Its real cost is known afterwards, and not above lt_cell_piece_most. */
uint32_t lt_cell_turn_cost(const lt_cell_turn *turn);
/* Pieces while they may fit into the grant; returns what they cost. */
uint32_t lt_cell_turn_step(lt_cell_turn *turn, uint32_t grant);
/* Where it is to go on. */
lt_box_pair lt_cell_turn_place(const lt_cell_turn *turn);
/* Answers a touch once more; returns units. */
uint32_t lt_cell_answer_again(const lt_cell_work *work, lt_cell_touch *touch);

/* ---- rounds ---- */

/* First looks, in order; then again at what touched. */
void lt_cell_round(lt_cell_work *work);

/* ---- roots ---- */

/* Remembers how deep the boxes around those that had a turn were in each other, and answers for those that had none and
 * are deeper by now. */
void lt_cell_roots(lt_cell_work *work);

#endif
