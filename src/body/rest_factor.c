/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* See rest_factor.h. Keys are found without libm: steps of a power of √2 are counted by halving. */

#include "body/models.h"
#include "body/rest_factor_internal.h"
#include "core/hash.h"

#include <string.h>

/* ---- keys ---- */

/* 2 log₂ x, rounded. */
int lt_rest_steps(double x) {
    int steps = 0;
    while (x >= 1.4142135623730951 * 0.8408964152537145 && steps < LT_REST_STEP_LIMIT) { /* 2^¼ */
        x *= 0.7071067811865476;
        steps++;
    }
    while (x < 0.8408964152537145 && steps > -LT_REST_STEP_LIMIT) {
        x *= 1.4142135623730951;
        steps--;
    }
    return steps;
}

double lt_rest_power(int steps) {
    double x = steps & 1 ? 1.4142135623730951 : 1;
    int halves = (steps - (steps & 1)) / 2;
    for (; halves > 0; halves--)
        x *= 2;
    for (; halves < 0; halves++)
        x *= 0.5;
    return x;
}

/* Steps of 1 / (1 − 2ν): what grows without bound as a material gets incompressible. */
static int poisson_step(double poisson) {
    return lt_rest_steps(1 / (1 - 2 * poisson));
}

double lt_rest_poisson(int step) {
    return (1 - 1 / lt_rest_power(step)) / 2;
}

static int ratio_step(const lt_soft *soft) {
    double density = soft->material.density, scale = (double)soft->scale;
    return lt_rest_steps(soft->material.young / (density * scale * scale));
}

static uint64_t hash_pins(const lt_soft *soft) {
    if (soft->pin_count == 0) return 0;
    return lt_hash_bytes(LT_HASH_SEED, soft->pinned, soft->carrier.node_count) | 1;
}

lt_rest_factor lt_rest_key_of(const lt_soft *soft) {
    return (lt_rest_factor){.plan = LT_NONE,
                            .ratio = ratio_step(soft),
                            .poisson = poisson_step(soft->material.poisson),
                            .mass_damping = soft->material.mass_damping,
                            .stiffness_damping = soft->material.stiffness_damping,
                            .pins = hash_pins(soft)};
}

/* ---- the cache ---- */

lt_rest_factors lt_rest_factors_make(const lt_allocator *allocator) {
    lt_rest_factors factors = {.plans = LT_ARRAY_OF(allocator, lt_rest_plan),
                               .factors = LT_ARRAY_OF(allocator, lt_rest_factor),
                               .matrix = LT_ARRAY_OF(allocator, lt_real),
                               .work = LT_ARRAY_OF(allocator, lt_real),
                               .pins = LT_ARRAY_OF(allocator, uint8_t),
                               .units_a_step = LT_UNLIMITED,
                               .maker = {.factor = LT_NONE},
                               .allocator = allocator ? *allocator : lt_allocator_default()};
    return factors;
}

static void release_plan(lt_rest_factors *factors, uint32_t index) {
    lt_rest_plan *plan = lt_rest_plan_at(factors, index);
    if (--plan->user_count == 0) *plan = (lt_rest_plan){0};
}

void lt_rest_retain(lt_rest_factors *factors, uint32_t index) {
    lt_rest_factor_at(factors, index)->user_count++;
}

void lt_rest_release(lt_rest_factors *factors, uint32_t index) {
    lt_rest_factor *factor = lt_rest_factor_at(factors, index);
    LT_ASSERT(factor->user_count > 0);
    if (--factor->user_count > 0) return;
    if (factors->maker.factor == index) factors->maker.factor = LT_NONE;
    lt_rest_store *store = lt_rest_plan_at(factors, factor->plan)->store;
    lt_rest_drop(store, &factor->now);
    lt_rest_drop(store, &factor->spare);
    lt_rest_store_withdraw(store, lt_rest_entry_count(factors));
    release_plan(factors, factor->plan);
    *factor = (lt_rest_factor){.plan = LT_NONE};
}

void lt_rest_factors_free(lt_rest_factors *factors) {
    for (uint32_t i = 0; i < factors->factors.count; i++) {
        lt_rest_factor *factor = lt_rest_factor_at(factors, i);
        if (factor->plan == LT_NONE) continue;
        factor->user_count = 1;
        lt_rest_release(factors, i);
    }
    lt_array_free(&factors->plans);
    lt_array_free(&factors->factors);
    lt_array_free(&factors->matrix);
    lt_array_free(&factors->work);
    lt_array_free(&factors->pins);
    *factors = (lt_rest_factors){0};
}

/* What is in it stays. */
static bool grow_to(lt_array *array, size_t count) {
    return array->count >= count ||
           (lt_array_reserve(array, count) && lt_array_grow(array, count - array->count));
}

/* Room that numbers are made in. */
static bool reserve_scratch(lt_rest_factors *factors, const lt_carrier *carrier, const lt_factor_plan *plan,
                            const lt_rest_columns *columns) {
    size_t entries = carrier->pattern.row_begin[carrier->node_count];
    return grow_to(&factors->matrix, LT_BLOCK_STRIDE * entries) &&
           grow_to(&factors->work,
                   lt_max_u64(lt_factor_work_count(plan), lt_rest_columns_scratch(columns, plan))) &&
           grow_to(&factors->pins, carrier->node_count);
}

static double square_of(const lt_carrier *carrier) {
    lt_dvec3 lo = {1e300, 1e300, 1e300}, hi = {-1e300, -1e300, -1e300};
    for (uint32_t node = 0; node < carrier->node_count; node++) {
        lt_dvec3 rest = lt_carrier_rest(carrier, node, 1);
        lo = lt_d3_min(lo, rest);
        hi = lt_d3_max(hi, rest);
    }
    return lt_d3_length_squared(lt_d3_sub(hi, lo)) / 3;
}

static lt_status find_plan(lt_rest_factors *factors, const lt_carrier *carrier, uint32_t *out,
                           lt_error *error) {
    *out = LT_NONE;
    for (uint32_t i = 0; i < factors->plans.count; i++) {
        const lt_rest_plan *plan = lt_rest_plan_at(factors, i);
        if (!plan->carrier.rest) *out = i;
        if (plan->carrier.rest != carrier->rest || plan->carrier.tet_count != carrier->tet_count) continue;
        *out = i;
        return LT_OK;
    }
    if (*out == LT_NONE) {
        if (!lt_array_grow(&factors->plans, 1))
            return lt_fail(error, LT_STATUS_MEMORY, "no memory for a plan");
        *out = (uint32_t)factors->plans.count - 1;
    }
    lt_rest_plan plan = {
        .carrier = *carrier, .square = square_of(carrier), .store = lt_rest_store_of(carrier)};
    if (!plan.store) return lt_fail(error, LT_STATUS_MEMORY, "no memory for factors of a shape");
    lt_status status = lt_rest_store_plan(plan.store, carrier, &plan.plan, &plan.columns, error);
    if (status != LT_OK) return status;
    if (!reserve_scratch(factors, carrier, plan.plan, plan.columns))
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for the factor of a body of %u tets",
                       carrier->tet_count);
    *lt_rest_plan_at(factors, *out) = plan;
    return LT_OK;
}

static bool is_same_key(const lt_rest_factor *a, const lt_rest_factor *b) {
    return a->plan == b->plan && a->ratio == b->ratio && a->poisson == b->poisson &&
           a->mass_damping == b->mass_damping && a->stiffness_damping == b->stiffness_damping &&
           a->pins == b->pins;
}

/* Of the key alone: it may be a copy of another factor's, which holds numbers. */
static lt_rest_factor empty_factor(const lt_rest_factors *factors, const lt_rest_factor *key) {
    return (lt_rest_factor){.plan = key->plan,
                            .ratio = key->ratio,
                            .poisson = key->poisson,
                            .mass_damping = key->mass_damping,
                            .stiffness_damping = key->stiffness_damping,
                            .pins = key->pins,
                            .value_count = lt_factor_value_count(lt_rest_plan_at(factors, key->plan)->plan)};
}

lt_status lt_rest_find(lt_rest_factors *factors, const lt_soft *soft, lt_rest_factor key, uint32_t *out,
                       lt_error *error) {
    lt_status status = find_plan(factors, &soft->carrier, &key.plan, error);
    if (status != LT_OK) return status;
    uint32_t slot = LT_NONE;
    for (uint32_t i = 0; i < factors->factors.count; i++) {
        const lt_rest_factor *f = lt_rest_factor_at(factors, i);
        if (f->plan == LT_NONE) slot = i;
        if (!is_same_key(f, &key)) continue;
        *out = i;
        return LT_OK;
    }
    lt_rest_plan_at(factors, key.plan)->user_count++;
    if (slot == LT_NONE && lt_array_grow(&factors->factors, 1)) {
        slot = (uint32_t)factors->factors.count - 1;
        lt_rest_factor_at(factors, slot)->plan = LT_NONE;
    }
    if (slot != LT_NONE &&
        lt_rest_store_reserve(lt_rest_plan_at(factors, key.plan)->store, lt_rest_entry_count(factors))) {
        *lt_rest_factor_at(factors, slot) = empty_factor(factors, &key);
        *out = slot;
        return LT_OK;
    }
    release_plan(factors, key.plan);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for a factor");
}

/* ---- bodies ---- */

/* Whether the body is better served by it, until its own is ready, than by diagonals: not with walls where it has none. */
static bool may_serve(const lt_rest_factors *factors, uint32_t index, uint32_t wanted) {
    if (index == LT_NONE || wanted == LT_NONE || index == wanted || !lt_rest_is_limited(factors))
        return false;
    const lt_rest_factor *factor = lt_rest_factor_at(factors, index);
    return factor->now.ready && factor->pins == lt_rest_factor_at(factors, wanted)->pins;
}

/* The body has a reference to the new one. */
static void take_over(lt_rest_factors *factors, lt_soft *soft, uint32_t index) {
    uint32_t before = soft->factor, last = soft->last_factor;
    soft->factor = index;
    if (before != index && may_serve(factors, before, index)) {
        soft->last_factor = before;
        if (last != LT_NONE) lt_rest_release(factors, last);
        return;
    }
    if (before != LT_NONE) lt_rest_release(factors, before);
    if (last == LT_NONE || may_serve(factors, last, index)) return;
    soft->last_factor = LT_NONE;
    lt_rest_release(factors, last);
}

lt_status lt_rest_factors_add(lt_rest_factors *factors, lt_soft *soft, lt_error *error) {
    uint32_t index = LT_NONE;
    bool wanted = !lt_soft_is_explicit(soft) && !soft->grid && soft->carrier.tet_count <= LT_REST_FACTOR_TETS;
    if (wanted) {
        lt_status status = lt_rest_find(factors, soft, lt_rest_key_of(soft), &index, error);
        if (status != LT_OK) return status;
        lt_rest_retain(factors, index);
    }
    take_over(factors, soft, index);
    return LT_OK;
}

void lt_rest_factors_remove(lt_rest_factors *factors, lt_soft *soft) {
    if (soft->factor != LT_NONE) lt_rest_release(factors, soft->factor);
    if (soft->last_factor != LT_NONE) lt_rest_release(factors, soft->last_factor);
    soft->factor = soft->last_factor = LT_NONE;
}

const lt_rest_factor *lt_rest_factor_of(const lt_rest_factors *factors, const lt_soft *soft) {
    if (!factors || soft->factor == LT_NONE) return NULL;
    const lt_rest_factor *factor = lt_rest_factor_at(factors, soft->factor);
    if (!factor->now.ready && soft->last_factor != LT_NONE)
        factor = lt_rest_factor_at(factors, soft->last_factor);
    return factor->now.ready ? factor : NULL;
}

size_t lt_rest_factor_scratch(const lt_rest_factors *factors, uint32_t factor, uint32_t sides) {
    return lt_factor_solve_count(lt_rest_factor_plan(factors, lt_rest_factor_at(factors, factor)), sides);
}
