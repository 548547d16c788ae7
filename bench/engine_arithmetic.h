/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The arithmetic of `lithe bench engine`: numbers in, numbers out, no world and no clock. tests/bench/test_engine_arithmetic.c has
 * every line of it by hand. */

#ifndef LITHE_BENCH_ENGINE_ARITHMETIC_H
#define LITHE_BENCH_ENGINE_ARITHMETIC_H

#include "core/vec.h"

/* What stands for a number that is none; finite, so that it can be written as JSON. */
#define LT_ENGINE_NEVER 1e9

/* The smallest value that at least `percent` of them do not exceed; sorts them; NaN of none. */
double lt_engine_percentile(double *values, uint32_t count, double percent);
/* Of an even number the mean of the two in the middle; values that are NaN are left out; NaN of none. Sorts them. */
double lt_engine_median(double *values, uint32_t count);

/* What a step costs in any case, counted from outside. */
typedef struct lt_engine_counts {
    uint32_t body_count, node_count; /* nodes of all bodies */
    uint32_t pair_count;             /* body, obstacle and self */
} lt_engine_counts;
/* Units: 300 and a unit a node for each body, 300 a pair. */
uint64_t lt_engine_fixed_bound(lt_engine_counts counts);
/* `percent` of max(full, 2 fixed), rounded. */
uint64_t lt_engine_share_units(double full, double fixed, double percent);
/* How old a contact may be: ceil(full / budget) + 1. */
double lt_engine_age_bound(double full, double budget);

/* Momentum that contacts gave a body in a step: the model divides by 1 + damping dt what gravity and contacts have added. */
lt_dvec3 lt_engine_received(lt_dvec3 before, lt_dvec3 after, double mass, lt_dvec3 gravity, double damping,
                            double dt);
/* Sum |p - exact| over sum |exact|; NaN where that is not above `least`. */
double lt_engine_force_error(const lt_dvec3 *p, const lt_dvec3 *exact, uint32_t count, double least);

/* Share of the way down that a limited run has gone; more than all of it is 1. NaN where the other one hardly moves: not above
 * `least`. Joules. */
double lt_engine_travelled(double fallen, double fallen_unlimited, double least);

/* Centres of two bodies, the second less the first, before and after: whether they have changed sides along `axis` (unit) while
 * they were less than `reach` beside each other. */
bool lt_engine_has_passed(lt_dvec3 before, lt_dvec3 after, lt_dvec3 axis, double reach);

/* Energy made from nothing: above the start at any time, and above the least since `late`, when what contacts store is given back.
 * Times are indices into energies that were taken one after the other. */
typedef struct lt_engine_energy {
    double start, rise, least_late;
    uint32_t taken, late;
} lt_engine_energy;
lt_engine_energy lt_engine_energy_begin(double start, uint32_t late);
void lt_engine_energy_take(lt_engine_energy *energy, double now);

#endif
