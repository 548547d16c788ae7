/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Where the lines of a chart's axis stand and what is written beside them: round numbers, 1, 2 or 5 times a
 * power of ten. A tick is a whole number times such a step, so that its label is written from integers: no
 * digits of rounding, no locale, no libm. */

#ifndef LITHE_PICTURE_TICKS_H
#define LITHE_PICTURE_TICKS_H

#include "core/base.h"

#define LT_TICKS_MAX 64

typedef struct lt_tick {
    double value;
    char label[24]; /* empty: a fine line between those with labels */
} lt_tick;

typedef struct lt_ticks {
    double lo, hi; /* the axis: what was asked for, or more, up to the next round numbers */
    uint32_t count;
    lt_tick items[LT_TICKS_MAX]; /* rising, all within lo and hi */
} lt_ticks;

/* For the values lo to hi, three to eight labels. `widen`: the axis may reach beyond them to round numbers.
 * Values that coincide or are not numbers get a range around them, or 0 to 1. */
lt_ticks lt_ticks_linear(double lo, double hi, bool widen);
/* The same on a log10 axis; lo and hi must be positive, otherwise they become 1 and 10. */
lt_ticks lt_ticks_log(double lo, double hi, bool widen);

/* For positive numbers, right to about 15 digits, the same bits everywhere. */
double lt_log10(double x);

#endif
