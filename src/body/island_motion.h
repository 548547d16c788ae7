/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inside body/: the motion of one island from its begin to its end, and of all of them in rounds. */

#ifndef LITHE_BODY_ISLAND_MOTION_H
#define LITHE_BODY_ISLAND_MOTION_H

#include "body/implicit.h"

typedef struct lt_island_motion {
    lt_implicit solve;
    bool is_implicit;
    uint64_t explicit_units;
    uint64_t grant; /* of this round */
} lt_island_motion;

/* What is paid in any case: explicit bodies, and stage 0 of the others. */
void lt_island_begin(lt_island_motion *motion, const lt_advance *advance, lt_island *island);
/* From wherever the solve is. Looks whether numbers are sane. */
void lt_island_end(lt_island_motion *motion, const lt_advance *advance, const lt_island *island);

/* Lets all islands move, and says in `advance` what that took. */
void lt_rounds_run(lt_advance *advance, lt_island *islands, lt_island_motion *motions, uint32_t count);

#endif
