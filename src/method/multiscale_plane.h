/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two bodies of the method multiscale, and how deep they are in each other along a direction, by their nodes. */

#ifndef LITHE_METHOD_MULTISCALE_PLANE_H
#define LITHE_METHOD_MULTISCALE_PLANE_H

#include "method/multiscale_work.h"

/* Two bodies on their ways through the step, of which a share of either has passed. */
typedef struct lt_couple {
    const float *from[2], *to[2]; /* [count][4] */
    uint32_t count[2];
    float shares[2];
    float overhang; /* m, of both surfaces beyond their nodes */
} lt_couple;

/* Along it two bodies are least deep in each other; below 0: apart. */
typedef struct lt_plane {
    lt_vec3 normal; /* unit, pushes a */
    float depth;    /* m */
} lt_plane;

/* When those shares of the step have passed. */
lt_couple lt_couple_of(const lt_multi_work *work, const lt_pair *pair, float share_a, float share_b);
/* How deep they are along a direction, and the way between the nodes that are deepest. */
float lt_couple_depth(const lt_couple *couple, lt_vec3 direction, lt_vec3 *way);
/* Looks for one along which they are apart, or least deep; `best` is what is known, and what is found if that is better. */
void lt_couple_part(const lt_couple *couple, lt_vec3 direction, lt_plane *best);
/* The same of those that overlap. */
void lt_couple_mirror(const lt_couple *couple, lt_vec3 direction, lt_plane *best);
/* Whether a plane stays between them all the way from the beginning, which may turn from one to the other. */
bool lt_couple_stays_apart(const lt_couple *couple, lt_vec3 begin, lt_vec3 end);
/* As the step begins. */
lt_plane lt_multi_find_plane(const lt_multi_work *work, const lt_pair *pair);

#endif
