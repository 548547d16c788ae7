/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Clocks that count motion, not time: how far two parts can have come nearer to each other since they were looked at.
 *
 * A body's clock counts how far any of its nodes is, beyond the motion of their mean, from where it was in the body's snapshot; a
 * pair's clock how far the means are from each other, beyond where they were in the pair's snapshot. Both are displacements, not paths:
 * what trembles around a place uses nothing up.
 *
 *   now    = base + d(t)        d: distance from the snapshot
 *   look   = base − d(t)        what a fact that is found at t counts from
 *
 * From d(t₁, t₂) ≤ d(t₁) + d(t₂) follows that a gap g found at t₁ is still open at t₂ if now(t₂) < look(t₁) + g. Beyond `reach` a new
 * snapshot is taken: base grows by d, now goes on where it was. Clocks add up: a pair's own, and those of its bodies. */

#ifndef LITHE_PAIR_CLOCK_H
#define LITHE_PAIR_CLOCK_H

#include "core/vec.h"

typedef struct lt_clock_reading {
    double now, look; /* m */
} lt_clock_reading;

static inline lt_clock_reading lt_clock_add(lt_clock_reading a, lt_clock_reading b) {
    return (lt_clock_reading){a.now + b.now, a.look + b.look};
}

/* Of what is `distance` from its snapshot. True: the caller takes a new snapshot. */
static inline bool lt_clock_read(lt_clock_reading *out, double *base, float distance, float reach) {
    LT_ASSERT(distance >= 0 && reach >= 0);
    bool renew = distance > reach;
    if (renew) {
        *base += (double)distance;
        *out = (lt_clock_reading){*base, *base};
    } else {
        *out = (lt_clock_reading){*base + (double)distance, *base - (double)distance};
    }
    return renew;
}

#endif
