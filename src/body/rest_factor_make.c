/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Numbers of factors at rest, piece by piece: the matrix M̂ + β K̂ of the shape, row by row and tet by tet, its Cholesky factor, then
 * columns of its inverse.
 *
 * Payment is arithmetic: a step pays what is granted, as far as it is owed, and pieces run until they are ahead of it. So what a step
 * uses is a function of grants and steps alone, and no step works longer than its grant and a piece. One factor is made at a time, to
 * its end: half of each of two would serve nobody. */

#include "body/rest_factor_internal.h"

#include <string.h>

enum {
    CLEARED_ENTRIES = 16000, /* at a time, 4,000 units */
    FILLED_TETS = 250,       /* likewise */
    ENTRIES_A_UNIT = 4,
    TET_UNITS = 16
};

typedef struct rest_material {
    double lambda, mu; /* β times those of Young's modulus 1 */
} rest_material;

static const lt_carrier *carrier_of(const lt_rest_factors *factors, const lt_rest_factor *factor) {
    return &lt_rest_plan_at(factors, factor->plan)->carrier;
}

/* ---- units ---- */

/* Telescopes: pieces sum to the whole, however it is cut. */
static uint64_t entry_units(const lt_sparse_pattern *pattern, uint32_t begin, uint32_t end) {
    return pattern->row_begin[end] / ENTRIES_A_UNIT - pattern->row_begin[begin] / ENTRIES_A_UNIT;
}

static uint64_t columns_pieces(const lt_rest_factors *factors, const lt_rest_factor *factor) {
    return lt_rest_columns_pieces(lt_rest_plan_at(factors, factor->plan)->columns);
}

uint64_t lt_rest_factor_units(const lt_rest_factors *factors, const lt_rest_factor *factor) {
    const lt_carrier *carrier = carrier_of(factors, factor);
    uint64_t entries = entry_units(&carrier->pattern, 0, carrier->node_count);
    return entries * (factor->pins ? 2 : 1) + TET_UNITS * (uint64_t)carrier->tet_count + carrier->node_count +
           lt_factor_numeric_units(lt_rest_factor_plan(factors, factor)) +
           lt_rest_plan_at(factors, factor->plan)->columns->units;
}

/* ---- the matrix ---- */

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

/* Adds the tet's share of M̂ + β K̂. */
static void add_tet(lt_real *blocks, const lt_carrier *carrier, uint32_t tet, rest_material material) {
    const uint32_t *corners = carrier->tets + 4 * (size_t)tet, *entry = carrier->entries + 16 * (size_t)tet;
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

static rest_material material_of(const lt_rest_factor *factor, int beta_step) {
    double beta = lt_rest_power(beta_step), poisson = lt_rest_poisson(factor->poisson);
    return (rest_material){beta * poisson / ((1 + poisson) * (1 - 2 * poisson)), beta / (2 * (1 + poisson))};
}

/* Rows and columns of pinned nodes become those of the identity. */
static void pin_row(lt_real *blocks, const lt_sparse_pattern *pattern, const uint8_t *pinned, uint32_t row) {
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

/* ---- pieces ---- */

static void enter(lt_rest_maker *maker, lt_rest_phase phase) {
    maker->phase = phase;
    maker->at = 0;
}

/* The row behind those that have so many entries together, one at least. */
static uint32_t rows_end(const lt_sparse_pattern *pattern, uint32_t begin) {
    uint32_t end = begin + 1;
    while (end < pattern->row_count &&
           pattern->row_begin[end + 1] - pattern->row_begin[begin] <= CLEARED_ENTRIES)
        end++;
    return end;
}

static uint64_t step_clear(lt_rest_maker *maker, lt_real *blocks, const lt_carrier *carrier) {
    const lt_sparse_pattern *pattern = &carrier->pattern;
    uint32_t begin = maker->at, end = rows_end(pattern, begin);
    size_t entries = pattern->row_begin[end] - pattern->row_begin[begin];
    memset(blocks + (size_t)LT_BLOCK_STRIDE * pattern->row_begin[begin], 0,
           LT_BLOCK_STRIDE * entries * sizeof *blocks);
    maker->at = end;
    if (end == carrier->node_count) enter(maker, LT_REST_TETS);
    return entry_units(pattern, begin, end);
}

static uint64_t step_tets(lt_rest_maker *maker, lt_real *blocks, const lt_carrier *carrier,
                          rest_material material) {
    uint32_t end = maker->at + lt_min_u32(FILLED_TETS, carrier->tet_count - maker->at);
    uint64_t units = TET_UNITS * (uint64_t)(end - maker->at);
    for (; maker->at < end; maker->at++)
        add_tet(blocks, carrier, maker->at, material);
    if (end == carrier->tet_count) enter(maker, LT_REST_NODES);
    return units;
}

/* What is made: the spare ones where there are two. */
static lt_rest_values *target_of(const lt_rest_factors *factors, lt_rest_factor *factor) {
    return lt_rest_is_limited(factors) ? &factor->spare : &factor->now;
}

static void enter_numbers(lt_rest_factors *factors, lt_rest_factor *factor) {
    lt_rest_maker *maker = &factors->maker;
    lt_factor_begin(&maker->work, lt_rest_factor_plan(factors, factor), factors->matrix.items,
                    target_of(factors, factor)->entry->values, factors->work.items);
    maker->work.pivot_floor = LT_FACTOR_PIVOT_FLOOR;
    enter(maker, LT_REST_NUMBERS);
}

static uint64_t step_pins(lt_rest_factors *factors, lt_rest_factor *factor, const lt_carrier *carrier) {
    lt_rest_maker *maker = &factors->maker;
    uint32_t begin = maker->at, end = rows_end(&carrier->pattern, begin);
    for (; maker->at < end; maker->at++)
        pin_row(factors->matrix.items, &carrier->pattern, factors->pins.items, maker->at);
    if (end == carrier->node_count) enter_numbers(factors, factor);
    return entry_units(&carrier->pattern, begin, end);
}

/* Arrays may have moved since the last piece, when bodies were added. */
static uint64_t step_numbers(lt_rest_factors *factors, const lt_rest_factor *factor, lt_simd_level level) {
    lt_factor_work *work = &factors->maker.work;
    uint64_t units = 0;
    work->blocks = factors->matrix.items;
    work->scratch = factors->work.items;
    lt_factor_step(work, &units, level);
    if (lt_factor_is_done(work) && columns_pieces(factors, factor) > 0)
        enter(&factors->maker, LT_REST_COLUMNS);
    return units;
}

static uint64_t step_columns(lt_rest_factors *factors, lt_rest_factor *factor, lt_simd_level level) {
    const lt_rest_plan *plan = lt_rest_plan_at(factors, factor->plan);
    lt_real *values = target_of(factors, factor)->entry->values;
    uint32_t piece = factors->maker.at++;
    lt_rest_columns_step(plan->columns, plan->plan, values, piece, values + factor->value_count,
                         factors->work.items, level);
    return lt_rest_columns_units(plan->columns, plan->plan, piece);
}

static uint64_t step_piece(lt_rest_factors *factors, lt_simd_level level) {
    lt_rest_maker *maker = &factors->maker;
    lt_rest_factor *factor = lt_rest_factor_at(factors, maker->factor);
    const lt_carrier *carrier = carrier_of(factors, factor);
    lt_real *blocks = factors->matrix.items;
    switch (maker->phase) {
    case LT_REST_CLEAR: return step_clear(maker, blocks, carrier);
    case LT_REST_TETS: return step_tets(maker, blocks, carrier, material_of(factor, maker->beta));
    case LT_REST_NODES:
        weigh_lonely_nodes(blocks, carrier);
        if (factor->pins)
            enter(maker, LT_REST_PINS);
        else
            enter_numbers(factors, factor);
        return carrier->node_count;
    case LT_REST_PINS: return step_pins(factors, factor, carrier);
    case LT_REST_NUMBERS: return step_numbers(factors, factor, level);
    case LT_REST_COLUMNS: break;
    }
    return step_columns(factors, factor, level);
}

/* ---- the maker ---- */

void lt_rest_drop(lt_rest_store *store, lt_rest_values *values) {
    if (values->entry) lt_rest_store_let_go(store, values->entry);
    *values = (lt_rest_values){0};
}

/* Numbers that the store has are found, not made; they are paid all the same. */
void lt_rest_begin(lt_rest_factors *factors, uint32_t index, int beta, const lt_soft *soft) {
    lt_rest_factor *factor = lt_rest_factor_at(factors, index);
    lt_rest_store *store = lt_rest_plan_at(factors, factor->plan)->store;
    lt_rest_values *target = target_of(factors, factor);
    const lt_rest_key key = {.pins = factor->pins, .poisson = factor->poisson, .beta = beta};
    LT_ASSERT(soft->carrier.node_count <= factors->pins.count && soft->carrier.tet_count > 0);
    lt_rest_drop(store, target);
    target->entry = lt_rest_store_hold(store, &key);
    factor->paid = 0;
    factors->maker = (lt_rest_maker){.factor = index, .beta = beta, .phase = LT_REST_CLEAR};
    factors->maker.found = target->entry->ready;
    if (factors->maker.found)
        factors->maker.spent = lt_rest_factor_units(factors, factor);
    else
        memcpy(factors->pins.items, soft->pinned, soft->carrier.node_count);
}

static bool is_over(const lt_rest_factors *factors) {
    const lt_rest_maker *maker = &factors->maker;
    if (maker->found) return true;
    if (maker->phase == LT_REST_COLUMNS)
        return maker->at == columns_pieces(factors, lt_rest_factor_at(factors, maker->factor));
    return maker->phase == LT_REST_NUMBERS && maker->work.phase >= LT_FACTOR_DONE;
}

bool lt_rest_run(lt_rest_factors *factors, uint64_t until, lt_simd_level level) {
    lt_rest_maker *maker = &factors->maker;
    const lt_rest_plan *plan = lt_rest_plan_at(factors, lt_rest_factor_at(factors, maker->factor)->plan);
    while (!is_over(factors) && maker->spent < until) {
        uint64_t units = step_piece(factors, level);
        LT_ASSERT(units <= lt_rest_piece_units(plan));
        maker->spent += units;
    }
    return is_over(factors);
}

void lt_rest_swap(lt_rest_factor *factor) {
    lt_rest_values before = factor->now;
    factor->now = factor->spare;
    factor->spare = before;
    factor->values = factor->now.entry ? factor->now.entry->values : NULL;
}

void lt_rest_finish(lt_rest_factors *factors) {
    lt_rest_maker *maker = &factors->maker;
    lt_rest_factor *factor = lt_rest_factor_at(factors, maker->factor);
    lt_rest_values *target = target_of(factors, factor);
    LT_ASSERT(is_over(factors));
    if (!maker->found && lt_factor_is_done(&maker->work))
        lt_rest_store_publish(lt_rest_plan_at(factors, factor->plan)->store, target->entry);
    target->beta = maker->beta;
    target->ready = target->entry->ready;
    factor->paid = 0;
    if (target == &factor->now)
        factor->values = target->entry->values;
    else if (target->ready)
        lt_rest_swap(factor);
    maker->factor = LT_NONE;
}

/* Pays for what is under way and works for it; returns the units. */
static uint64_t pay(lt_rest_factors *factors, uint64_t granted, lt_simd_level level) {
    lt_rest_maker *maker = &factors->maker;
    lt_rest_factor *factor = lt_rest_factor_at(factors, maker->factor);
    uint64_t owed = lt_rest_factor_units(factors, factor) - factor->paid, units = lt_min_u64(granted, owed);
    factor->paid += units;
    if (units < owed) {
        lt_rest_run(factors, factor->paid, level);
    } else {
        lt_rest_run(factors, LT_UNLIMITED, level);
        lt_rest_finish(factors);
    }
    return units;
}

/* β without E / (ρ s²), which has its own step: bodies of one factor have one β whatever they are made of. E as lt_soft_soften has it. */
static int beta_step(const lt_rest_factors *factors, const lt_rest_factor *factor, double dt) {
    double square = dt * dt + factor->stiffness_damping * dt;
    double stiffest = LT_STIFFEST * lt_rest_plan_at(factors, factor->plan)->square / (dt * dt);
    int most = lt_rest_steps(stiffest);
    return (factor->ratio < most ? factor->ratio : most) +
           lt_rest_steps(square / (1 + factor->mass_damping * dt));
}

uint64_t lt_rest_factors_update(lt_rest_factors *factors, const lt_soft *bodies, const uint32_t *awake,
                                uint32_t awake_count, lt_real dt, lt_simd_level level) {
    uint64_t granted = factors->units_a_step, units = 0;
    if (factors->maker.factor != LT_NONE) units += pay(factors, granted, level);
    for (uint32_t i = 0; i < awake_count; i++) {
        const lt_soft *soft = &bodies[awake[i]];
        if (soft->factor == LT_NONE) continue;
        lt_rest_factor *factor = lt_rest_factor_at(factors, soft->factor);
        int beta = beta_step(factors, factor, (double)dt);
        if (factor->now.ready && factor->now.beta == beta) continue;
        if (factor->spare.ready && factor->spare.beta == beta)
            lt_rest_swap(factor);
        else if (units < granted) {
            lt_rest_begin(factors, soft->factor, beta, soft);
            units += pay(factors, granted - units, level);
        }
    }
    return units;
}
