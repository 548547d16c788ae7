/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Truncation at an obstacle: motion that nobody had time to look at ends where the obstacle begins.
 *
 * After the models have moved a body, a node that ended below `level`, and deeper than it was before the step, is put back along the
 * obstacle's normal: to the level, or to the depth that it had. Nothing is lifted. What it had of velocity into the obstacle goes to that.
 *
 * Contacts carry the body; this is for nodes between them, of which soft bodies have many: on eight contacts a ball that falls from 1 m
 * is impaled. A node is stopped like a mass without a spring, so nothing is given back. */

#ifndef LITHE_RESPOND_TRUNCATE_H
#define LITHE_RESPOND_TRUNCATE_H

#include "respond/support.h"

typedef struct lt_truncation {
    /* Input */
    lt_soft *soft;
    const lt_obstacle *obstacle; /* as the body's frame sees it, as the step began */
    const uint32_t *nodes;       /* [node_count] that are looked at; NULL: all of them */
    uint32_t node_count;
    float level; /* m, at most 0 */
    float dt;
    /* Result */
    lt_rvec3 impulse; /* N s, on the body */
    lt_rvec3 moment;  /* N m s, about the body's frame */
    float withheld;   /* m, the farthest that a node was put back */
} lt_truncation;

void lt_truncate(lt_truncation *truncation);

#endif
