/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* See rest_factor.h. Keys are found without libm: steps of a power of √2 are counted by halving. */

#include "body/rest_factor.h"
#include "core/hash.h"

#include <string.h>

/* Pivots that rounding took away are raised, as lt_factor says: every stiffness has a factor then. */
enum { STEP_LIMIT = 240 /* of √2: 2^±120 */ };

/* ---- keys ---- */

/* 2 log₂ x, rounded. */
static int steps_of(double x) {
    int steps = 0;
    while (x >= 1.4142135623730951 * 0.8408964152537145 && steps < STEP_LIMIT) { /* 2^¼ */
        x *= 0.7071067811865476;
        steps++;
    }
    while (x < 0.8408964152537145 && steps > -STEP_LIMIT) {
        x *= 1.4142135623730951;
        steps--;
    }
    return steps;
}

static double power_of(int steps) {
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
    return steps_of(1 / (1 - 2 * poisson));
}

static double poisson_of(int step) {
    return (1 - 1 / power_of(step)) / 2;
}

static int ratio_step(const lt_soft *soft) {
    double density = soft->material.density, scale = (double)soft->scale;
    return steps_of(soft->material.young / (density * scale * scale));
}

static uint64_t hash_pins(const lt_soft *soft) {
    if (soft->pin_count == 0) return 0;
    return lt_hash_bytes(LT_HASH_SEED, soft->pinned, soft->carrier.node_count) | 1;
}

/* β without E / (ρ s²), which has its own step: bodies of one factor have one β whatever they are made of. */
static int beta_step(const lt_rest_factor *factor, double dt) {
    double square = dt * dt + factor->stiffness_damping * dt;
    return factor->ratio + steps_of(square / (1 + factor->mass_damping * dt));
}

/* ---- the cache ---- */

lt_rest_factors lt_rest_factors_make(const lt_allocator *allocator) {
    lt_rest_factors factors = {.plans = LT_ARRAY_OF(allocator, lt_rest_plan),
                               .factors = LT_ARRAY_OF(allocator, lt_rest_factor),
                               .matrix = LT_ARRAY_OF(allocator, lt_real),
                               .work = LT_ARRAY_OF(allocator, lt_real),
                               .allocator = allocator ? *allocator : lt_allocator_default()};
    return factors;
}

static lt_rest_factor *factor_at(const lt_rest_factors *factors, uint32_t index) {
    LT_ASSERT(index < factors->factors.count);
    return (lt_rest_factor *)factors->factors.items + index;
}

static lt_rest_plan *plan_at(const lt_rest_factors *factors, uint32_t index) {
    LT_ASSERT(index < factors->plans.count);
    return (lt_rest_plan *)factors->plans.items + index;
}

static void release_plan(lt_rest_factors *factors, uint32_t index) {
    lt_rest_plan *plan = plan_at(factors, index);
    if (--plan->user_count > 0) return;
    lt_factor_plan_free(&plan->plan);
    *plan = (lt_rest_plan){0};
}

static void release_factor(lt_rest_factors *factors, uint32_t index) {
    lt_rest_factor *factor = factor_at(factors, index);
    if (--factor->user_count > 0) return;
    LT_DELETE(&factors->allocator, factor->values, factor->value_count, lt_real);
    release_plan(factors, factor->plan);
    *factor = (lt_rest_factor){.plan = LT_NONE};
}

void lt_rest_factors_free(lt_rest_factors *factors) {
    for (uint32_t i = 0; i < factors->factors.count; i++) {
        lt_rest_factor *factor = factor_at(factors, i);
        if (factor->plan == LT_NONE) continue;
        factor->user_count = 1;
        release_factor(factors, i);
    }
    lt_array_free(&factors->plans);
    lt_array_free(&factors->factors);
    lt_array_free(&factors->matrix);
    lt_array_free(&factors->work);
    *factors = (lt_rest_factors){0};
}

/* Room that numbers are made in. */
static bool reserve_scratch(lt_rest_factors *factors, const lt_carrier *carrier, const lt_factor_plan *plan) {
    size_t entries = carrier->pattern.row_begin[carrier->node_count];
    return lt_array_reserve(&factors->matrix, LT_BLOCK_STRIDE * entries + carrier->node_count) &&
           lt_array_reserve(&factors->work, lt_factor_work_count(plan));
}

static lt_status find_plan(lt_rest_factors *factors, const lt_carrier *carrier, uint32_t *out,
                           lt_error *error) {
    *out = LT_NONE;
    for (uint32_t i = 0; i < factors->plans.count; i++) {
        const lt_rest_plan *plan = plan_at(factors, i);
        if (!plan->rest) *out = i;
        if (plan->rest != carrier->rest || plan->tet_count != carrier->tet_count) continue;
        *out = i;
        return LT_OK;
    }
    if (*out == LT_NONE) {
        if (!lt_array_grow(&factors->plans, 1))
            return lt_fail(error, LT_STATUS_MEMORY, "no memory for a plan");
        *out = (uint32_t)factors->plans.count - 1;
    }
    lt_rest_plan plan = {.rest = carrier->rest, .tet_count = carrier->tet_count};
    LT_ASSERT(carrier->ladder.level_count == 0); /* the order is that of the finest level */
    lt_status status =
        lt_factor_plan_make(&plan.plan, &carrier->pattern, carrier->order, &factors->allocator, error);
    if (status != LT_OK) return status;
    if (!reserve_scratch(factors, carrier, &plan.plan)) {
        lt_factor_plan_free(&plan.plan);
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for the factor of a body of %u tets",
                       carrier->tet_count);
    }
    LT_VALIDATE(lt_validate_factor_plan(&plan.plan, &carrier->pattern) ? NULL : "a plan of a factor");
    *plan_at(factors, *out) = plan;
    return LT_OK;
}

/* A plan that nobody uses is let go. */
static lt_status make_factor(lt_rest_factors *factors, const lt_rest_factor *key, uint32_t slot,
                             lt_error *error) {
    lt_rest_factor factor = *key;
    factor.value_count = lt_factor_value_count(&plan_at(factors, key->plan)->plan);
    factor.values = LT_NEW(&factors->allocator, factor.value_count, lt_real);
    if (!factor.values) return lt_fail(error, LT_STATUS_MEMORY, "no memory for a factor");
    *factor_at(factors, slot) = factor;
    return LT_OK;
}

static bool is_same_key(const lt_rest_factor *a, const lt_rest_factor *b) {
    return a->plan == b->plan && a->ratio == b->ratio && a->poisson == b->poisson &&
           a->mass_damping == b->mass_damping && a->stiffness_damping == b->stiffness_damping &&
           a->pins == b->pins;
}

static lt_status find_factor(lt_rest_factors *factors, const lt_soft *soft, uint32_t *out, lt_error *error) {
    lt_rest_factor key = {.ratio = ratio_step(soft),
                          .poisson = poisson_step(soft->material.poisson),
                          .mass_damping = soft->material.mass_damping,
                          .stiffness_damping = soft->material.stiffness_damping,
                          .pins = hash_pins(soft)};
    lt_status status = find_plan(factors, &soft->carrier, &key.plan, error);
    if (status != LT_OK) return status;
    uint32_t slot = LT_NONE;
    for (uint32_t i = 0; i < factors->factors.count; i++) {
        const lt_rest_factor *f = factor_at(factors, i);
        if (f->plan == LT_NONE) slot = i;
        if (!is_same_key(f, &key)) continue;
        *out = i;
        return LT_OK;
    }
    plan_at(factors, key.plan)->user_count++;
    if (slot == LT_NONE && lt_array_grow(&factors->factors, 1)) {
        slot = (uint32_t)factors->factors.count - 1;
        factor_at(factors, slot)->plan = LT_NONE;
    }
    status = slot == LT_NONE ? lt_fail(error, LT_STATUS_MEMORY, "no memory for a factor")
                             : make_factor(factors, &key, slot, error);
    if (status != LT_OK) release_plan(factors, key.plan);
    *out = slot;
    return status;
}

lt_status lt_rest_factors_add(lt_rest_factors *factors, lt_soft *soft, lt_error *error) {
    uint32_t index = LT_NONE;
    bool wanted = !lt_soft_is_explicit(soft) && !soft->grid && soft->carrier.tet_count <= LT_REST_FACTOR_TETS;
    if (wanted) {
        lt_status status = find_factor(factors, soft, &index, error);
        if (status != LT_OK) return status;
        factor_at(factors, index)->user_count++;
    }
    lt_rest_factors_remove(factors, soft);
    soft->factor = index;
    return LT_OK;
}

void lt_rest_factors_remove(lt_rest_factors *factors, lt_soft *soft) {
    if (soft->factor != LT_NONE) release_factor(factors, soft->factor);
    soft->factor = LT_NONE;
}

const lt_rest_factor *lt_rest_factor_of(const lt_rest_factors *factors, const lt_soft *soft) {
    if (!factors || soft->factor == LT_NONE) return NULL;
    const lt_rest_factor *factor = factor_at(factors, soft->factor);
    return factor->ready ? factor : NULL;
}

size_t lt_rest_factor_scratch(const lt_rest_factors *factors, uint32_t factor) {
    return lt_factor_solve_count(lt_rest_factor_plan(factors, factor_at(factors, factor)));
}

/* ---- numbers ---- */

typedef struct rest_material {
    double lambda, mu; /* β times those of Young's modulus 1 */
} rest_material;

/* Gradients of the corners at rest, by 6 × volume of a double. */
static double rest_gradients(lt_dvec3 h[4], const lt_carrier *carrier, const uint32_t *corners) {
    lt_dvec3 p[4];
    for (int k = 0; k < 4; k++)
        p[k] = (lt_dvec3){carrier->rest[3 * (size_t)corners[k]], carrier->rest[3 * (size_t)corners[k] + 1],
                          carrier->rest[3 * (size_t)corners[k] + 2]};
    lt_dmat3 edges = {lt_d3_sub(p[1], p[0]), lt_d3_sub(p[2], p[0]), lt_d3_sub(p[3], p[0])};
    lt_dmat3 rows = lt_dm3_transpose(lt_dm3_inverse(edges));
    h[1] = rows.c0, h[2] = rows.c1, h[3] = rows.c2;
    h[0] = lt_d3_neg(lt_d3_add(lt_d3_add(h[1], h[2]), h[3]));
    return lt_dm3_determinant(edges) / 6;
}

/* β V (λ h_i h_jᵀ + μ h_j h_iᵀ + μ (h_i·h_j) I) */
static void add_rest_block(lt_real *block, lt_dvec3 hi, lt_dvec3 hj, double vl, double vm) {
    const double a[3] = {hi.x, hi.y, hi.z}, b[3] = {hj.x, hj.y, hj.z};
    double dot = vm * lt_d3_dot(hi, hj);
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            block[4 * column + row] +=
                (lt_real)(vl * a[row] * b[column] + vm * b[row] * a[column] + (row == column ? dot : 0));
}

/* M̂ + β K̂ of the shape. */
static void fill_matrix(lt_real *blocks, const lt_carrier *carrier, rest_material material) {
    size_t entries = carrier->pattern.row_begin[carrier->node_count];
    memset(blocks, 0, LT_BLOCK_STRIDE * entries * sizeof *blocks);
    for (uint32_t tet = 0; tet < carrier->tet_count; tet++) {
        const uint32_t *corners = carrier->tets + 4 * (size_t)tet,
                       *entry = carrier->entries + 16 * (size_t)tet;
        lt_dvec3 h[4];
        double volume = rest_gradients(h, carrier, corners) * (double)carrier->fill[tet];
        for (int i = 0; i < 4; i++) {
            lt_real *diagonal = blocks + (size_t)LT_BLOCK_STRIDE * carrier->pattern.diagonal[corners[i]];
            for (int k = 0; k < 3; k++)
                diagonal[5 * k] += (lt_real)(volume / 4);
            for (int j = 0; j < 4; j++)
                add_rest_block(blocks + (size_t)LT_BLOCK_STRIDE * entry[4 * i + j], h[i], h[j],
                               volume * material.lambda, volume * material.mu);
        }
    }
}

static rest_material material_of(const lt_rest_factor *factor) {
    double beta = power_of(factor->beta), poisson = poisson_of(factor->poisson);
    return (rest_material){beta * poisson / ((1 + poisson) * (1 - 2 * poisson)), beta / (2 * (1 + poisson))};
}

/* Rows and columns of pinned nodes become those of the identity. */
static void pin_matrix(lt_real *blocks, const lt_sparse_pattern *pattern, const uint8_t *pinned) {
    for (uint32_t row = 0; row < pattern->row_count; row++)
        for (uint32_t entry = pattern->row_begin[row]; entry < pattern->row_begin[row + 1]; entry++) {
            lt_real *block = blocks + (size_t)LT_BLOCK_STRIDE * entry;
            if (!pinned[row] && !pinned[pattern->columns[entry]]) continue;
            memset(block, 0, LT_BLOCK_STRIDE * sizeof *block);
            if (pattern->columns[entry] == row) block[0] = block[5] = block[10] = 1;
        }
}

/* Nodes of no tet have some mass, as lt_soft has it. */
static void weigh_lonely_nodes(lt_real *blocks, const lt_carrier *carrier) {
    double sum = 0;
    for (uint32_t node = 0; node < carrier->node_count; node++)
        sum += (double)blocks[(size_t)LT_BLOCK_STRIDE * carrier->pattern.diagonal[node]];
    for (uint32_t node = 0; node < carrier->node_count; node++) {
        lt_real *diagonal = blocks + (size_t)LT_BLOCK_STRIDE * carrier->pattern.diagonal[node];
        for (int k = 0; k < 3; k++)
            if (!(diagonal[5 * k] > 0)) diagonal[5 * k] = (lt_real)(sum / carrier->node_count * 1e-3);
    }
}

static uint64_t fill_factor(lt_rest_factors *factors, lt_rest_factor *factor, const lt_soft *soft,
                            lt_simd_level level) {
    const lt_carrier *carrier = &soft->carrier;
    const lt_factor_plan *plan = lt_rest_factor_plan(factors, factor);
    lt_real *blocks = factors->matrix.items;
    uint64_t units = 16 * (uint64_t)carrier->tet_count + lt_factor_numeric_units(plan);
    fill_matrix(blocks, carrier, material_of(factor));
    weigh_lonely_nodes(blocks, carrier);
    if (soft->pin_count > 0) pin_matrix(blocks, &carrier->pattern, soft->pinned);
    lt_factor_work work;
    lt_factor_begin(&work, plan, blocks, factor->values, factors->work.items);
    work.pivot_floor = LT_FACTOR_PIVOT_FLOOR;
    while (lt_factor_step(&work, NULL, level))
        continue;
    factor->ready = lt_factor_is_done(&work);
    return units;
}

uint64_t lt_rest_factors_update(lt_rest_factors *factors, const lt_soft *bodies, const uint32_t *awake,
                                uint32_t awake_count, lt_real dt, lt_simd_level level) {
    uint64_t units = 0;
    for (uint32_t i = 0; i < awake_count; i++) {
        const lt_soft *soft = &bodies[awake[i]];
        if (soft->factor == LT_NONE) continue;
        lt_rest_factor *factor = factor_at(factors, soft->factor);
        int beta = beta_step(factor, (double)dt);
        if (factor->ready && factor->beta == beta) continue;
        factor->beta = beta;
        units += fill_factor(factors, factor, soft, level);
    }
    return units;
}
