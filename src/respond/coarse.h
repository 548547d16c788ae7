/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Coarse contacts: what answers for parts of a pair that nobody had time to look into.
 *
 * Of each side a box is known that holds what may still meet. Boxes that are apart may come nearer until they touch; boxes that
 * overlap may not come nearer than they are, and nothing is pushed out: what is in them may be far from each other.
 *
 *   two bodies     places spread over where the boxes face each other, so that one can stand on the other, with friction. The frames
 *                  of both bodies hold them (detect/attachment.c): both sides act at one place, so that no torque comes from nothing
 *   an obstacle    the parts of the body nearest to it, each carried by itself, may come nearer by as much as the box may: held at its
 *                  corners, what is soft would fall through between them
 *
 * Places stay or go together: a body does not stand on half of them. They stay while the boxes meet and move slowly: held while bodies fly past each
 * other, they say where these met, and two dozen of them let a heap of cows through each other. */

#ifndef LITHE_RESPOND_COARSE_H
#define LITHE_RESPOND_COARSE_H

#include "respond/respond.h"

typedef struct lt_coarse {
    /* Input */
    lt_pair pair; /* of two bodies, or of a body and an obstacle */
    const lt_collider *colliders;
    const lt_obstacle *obstacle; /* as the body's frame sees it; NULL: two bodies */
    lt_box boxes[2];             /* of a, and of b; of an obstacle's pair only the first */
    float
        fast; /* m/s, at which places are found anew instead of held, and where frames do not reach, nearer to the bodies.
                                    INFINITY: they are held, or left out */
    float gap;      /* m, to the obstacle: how much nearer the box may come; 0: it meets it */
    float margin;   /* m, what is farther apart needs no contact */
    float area;     /* m², of all contacts together */
    uint32_t count; /* contacts at most: 1, 3 or LT_FRAME_COUNT; beside an obstacle to LT_PART_COUNT */
    uint32_t first_feature; /* features of these contacts begin here */
    const lt_contact_record
        *held; /* [held_count] of this pair, from before; those of other features are passed over */
    uint32_t held_count;
    lt_contact_harvest *harvest;
    /* Result */
    uint32_t contacts; /* harvested */
} lt_coarse;

void lt_coarse_answer(lt_coarse *coarse);

#endif
