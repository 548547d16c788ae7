/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pairs that had no turn in a step, held by the boxes around their bodies: one answer a pair, all nodes of a body alike, each
 * body by its share of the mass. So momentum is kept, and nothing turns or deforms. Against an obstacle the deepest of the
 * corners and the middle of the box counts. A body with pins cannot be moved.
 *
 * Impulses at two centres keep no angular momentum. Two bodies that have only each other get theirs on one line along the normal,
 * between their centres, and turn as rigid things do. Among others bodies do not turn: whole stacks, which stand on faces, would
 * tip over what is one point here. */

#ifndef LITHE_METHOD_ROOTS_H
#define LITHE_METHOD_ROOTS_H

#include "method/method.h"

enum { LT_ROOT_UNITS = 4 }; /* of the boxes around two bodies */

typedef struct lt_root {
    float depth;
    lt_vec3 normal; /* pushes a */
    lt_vec3 point;
} lt_root;

/* The least way along an axis that parts two boxes. */
lt_root lt_root_of_boxes(lt_box a, lt_box b);
lt_root lt_root_of_obstacle(lt_box box, const lt_obstacle *obstacle);
/* The same of a box as a step begins, and as it ends, when the obstacle has got to its target; the middles of the faces count, too. */
lt_root lt_root_before_step(lt_box box, const lt_obstacle *obstacle);
lt_root lt_root_after_step(lt_box box, const lt_obstacle *obstacle);
/* Over a step in which the box goes from one place to another and the obstacle to its target: as deep as the deepest of the same
 * places is at the end behind the surface that it met first, wherever the obstacle has taken that. So what is passed through counts,
 * too. */
lt_root lt_root_over_step(lt_box from, lt_box to, const lt_obstacle *obstacle, float dt);
/* m: how far the two came nearer in that step, along the normal; 0: they did not. */
lt_real lt_root_pursuit(const lt_root *root, lt_box from, lt_box to, const lt_obstacle *obstacle, float dt);

/* Depths that are known from an earlier step are kept in a number of the pair as the bits of a float, one more than it is;
 * 0: not known. */
bool lt_root_is_known(uint32_t bits);
float lt_root_known_depth(uint32_t bits);
uint32_t lt_root_know(float depth);
/* Whether bits that are restored can be such a depth. */
bool lt_root_is_sound(uint32_t bits);

/* What holding a body adds up to: its nodes are moved once, when all pairs are answered. A body in a heap has many. */
typedef struct lt_root_push {
    lt_rvec3 velocity;    /* of its mass on the whole, now; while `known` */
    lt_rvec3 change, way; /* of all nodes, to be made */
    /* Of who has one other body only */
    lt_dvec3 spin;        /* rad/s, of the whole, now; while `turning_known` */
    lt_dvec3 spin_change; /* to be made */
    lt_dmat3 inverse_inertia;
    lt_rvec3 center;
    lt_real pursuit; /* m, of the way: what it and an obstacle came nearer in the step */
    uint32_t
        pair_count; /* of other bodies and obstacles that its box meets; the caller's, 0: not known, many */
    bool known, turning_known, moves;
} lt_root_push;

/* m/s, at which the two approach along the normal, with all answers so far; negative: they part. */
lt_real lt_root_approach(const lt_method_step *step, lt_root_push *pushes, const lt_pair *pair,
                         const lt_root *root);
/* Ends a share of the approach of the two along the normal, 1: all of it, where it acts, and moves them apart by `reach`. Returns
 * the impulse on a. */
lt_rvec3 lt_root_answer(const lt_method_step *step, lt_root_push *pushes, const lt_pair *pair,
                        const lt_root *root, lt_real share, lt_real reach);
/* 1/kg: how easily the two part; 0: neither can be moved. */
lt_real lt_root_ease(const lt_method_step *step, const lt_pair *pair);
/* An impulse along the normal on a, N s, against it on b; and they are moved apart by `reach`. */
void lt_root_part(const lt_method_step *step, lt_root_push *pushes, const lt_pair *pair, const lt_root *root,
                  lt_real impulse, lt_real reach);
/* Ends their motion across the normal, by an impulse of `most` N s. Returns it, on a. */
lt_rvec3 lt_root_rub(const lt_method_step *step, lt_root_push *pushes, const lt_pair *pair,
                     const lt_root *root, lt_real most);
/* Ends a share of all motion between two bodies. Returns the impulse on a. */
lt_rvec3 lt_root_drag(const lt_method_step *step, lt_root_push *pushes, const lt_pair *pair, lt_real share);
void lt_root_move(const lt_root_push *push, lt_soft *soft);

#endif
