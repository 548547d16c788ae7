/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the files of rest_factor.h share. */

#ifndef LITHE_BODY_REST_FACTOR_INTERNAL_H
#define LITHE_BODY_REST_FACTOR_INTERNAL_H

#include "body/rest_factor.h"

enum { LT_REST_STEP_LIMIT = 240 /* of √2: 2^±120 */ };

static inline lt_rest_factor *lt_rest_factor_at(const lt_rest_factors *factors, uint32_t index) {
    LT_ASSERT(index < factors->factors.count);
    return (lt_rest_factor *)factors->factors.items + index;
}
static inline lt_rest_plan *lt_rest_plan_at(const lt_rest_factors *factors, uint32_t index) {
    LT_ASSERT(index < factors->plans.count);
    return (lt_rest_plan *)factors->plans.items + index;
}
static inline bool lt_rest_is_limited(const lt_rest_factors *factors) {
    return factors->units_a_step != LT_UNLIMITED;
}

/* Entries of the store that a factor reserves. */
static inline uint32_t lt_rest_entry_count(const lt_rest_factors *factors) {
    return lt_rest_is_limited(factors) ? 2 : 1;
}

/* ---- keys ---- */

/* 2 log₂ x, rounded; and back. */
int lt_rest_steps(double x);
double lt_rest_power(int steps);
double lt_rest_poisson(int step);
/* Of the body's material and pins; the plan is not said. */
lt_rest_factor lt_rest_key_of(const lt_soft *soft);
/* The body's factor of that key, made where there is none. */
lt_status lt_rest_find(lt_rest_factors *factors, const lt_soft *soft, lt_rest_factor key, uint32_t *out,
                       lt_error *error);
/* One user more, and less: the last one lets it go. */
void lt_rest_retain(lt_rest_factors *factors, uint32_t index);
void lt_rest_release(lt_rest_factors *factors, uint32_t index);

/* ---- making ---- */

/* Lets go of numbers. */
void lt_rest_drop(lt_rest_store *store, lt_rest_values *values);
/* Begins numbers of β into what serves next; pins are those of the body. */
void lt_rest_begin(lt_rest_factors *factors, uint32_t index, int beta, const lt_soft *soft);
/* Pieces until so many units are spent, or all are. True: it is over. */
bool lt_rest_run(lt_rest_factors *factors, uint64_t until, lt_simd_level level);
/* What is over, and whole, is used from now on. */
void lt_rest_finish(lt_rest_factors *factors);
/* The spare ones are used, and those in use are spare. */
void lt_rest_swap(lt_rest_factor *factor);

#endif
