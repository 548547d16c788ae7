/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One box around a body that turns with it. Boxes along the axes of the world around long things that lie about hold mostly air:
 * of the pairs of a heap of letters whose boxes overlap, those that turn with them part 45 in a hundred. (With the nine axes
 * across two edges each it would be 50.) */

#ifndef LITHE_BOUND_ORIENTED_H
#define LITHE_BOUND_ORIENTED_H

#include "core/vec.h"

/* Units of comparing two, and how many nodes are held for one. */
enum { LT_ORIENTED_UNITS = 5, LT_ORIENTED_NODES_A_UNIT = 4 };

typedef struct lt_oriented {
    float rows[3][4]; /* x, y, z of the three axes, which are orthonormal; 0 */
    float half[4];    /* along them; all there is */
    lt_vec3 center;
} lt_oriented;

/* Holds all nodes, [count][4], whatever the frame: its first axis is along `x`, its second near `y`. Directions that say nothing
 * give those of the world. Nodes are finite. */
lt_oriented lt_oriented_around(const float *nodes, uint32_t count, lt_vec3 x, lt_vec3 y);

/* How far two are apart, at least, along the axis of either that parts them most; < 0: they overlap by so much along the axis that
 * they do least. The axis is unit and pushes a. */
float lt_oriented_gap(const lt_oriented *a, const lt_oriented *b, lt_vec3 *axis);

#endif
