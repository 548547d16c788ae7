/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Factors in snapshots and hashes, where work on them is limited: without a limit a step makes what it wants, and materials, pins and
 * Δt say all. Saved are keys and what is paid; numbers are made again, at once, where the cache does not have them. Bodies that share
 * a factor say the same of it.
 *
 * The factor of a body's last material has a key of its own; its pins are those of now (may_serve in rest_factor.c). */

#include "body/rest_factor_internal.h"

/* Numbers that a factor has, or is getting. */
typedef struct saved_values {
    bool ready, spare_ready;
    uint32_t beta, spare_beta; /* as int */
    uint64_t paid;
} saved_values;

static int signed_of(uint32_t step) {
    return (int)(int32_t)step;
}

static bool is_step(uint32_t step) {
    return signed_of(step) >= -4 * LT_REST_STEP_LIMIT && signed_of(step) <= 4 * LT_REST_STEP_LIMIT;
}

/* Steps of numbers that are not there are no state. */
static saved_values values_of(const lt_rest_factors *factors, uint32_t index) {
    const lt_rest_factor *f = lt_rest_factor_at(factors, index);
    saved_values v = {.ready = f->now.ready, .spare_ready = f->spare.ready, .paid = f->paid};
    if (f->now.ready) v.beta = (uint32_t)f->now.beta;
    if (f->spare.ready) v.spare_beta = (uint32_t)f->spare.beta;
    if (f->paid > 0) v.spare_beta = (uint32_t)factors->maker.beta;
    return v;
}

static void visit_values(lt_stream *s, saved_values *v) {
    lt_stream_bool(s, &v->ready);
    lt_stream_bool(s, &v->spare_ready);
    lt_stream_two_u32(s, &v->beta, &v->spare_beta);
    lt_stream_u64(s, &v->paid);
    lt_stream_expect(s, is_step(v->beta) && is_step(v->spare_beta));
}

/* ---- restoring ---- */

static void make_now(lt_rest_factors *factors, const lt_soft *soft, uint32_t index, int beta,
                     lt_simd_level level) {
    lt_rest_begin(factors, index, beta, soft);
    lt_rest_run(factors, LT_UNLIMITED, level);
    lt_rest_finish(factors);
}

static bool has(const lt_rest_factor *factor, int beta) {
    return factor->now.ready && factor->now.beta == beta;
}

/* Numbers of β are used; those that were are spare. */
static void bring(lt_rest_factors *factors, const lt_soft *soft, uint32_t index, int beta,
                  lt_simd_level level) {
    lt_rest_factor *f = lt_rest_factor_at(factors, index);
    if (!has(f, beta) && f->spare.ready && f->spare.beta == beta) lt_rest_swap(f);
    if (!has(f, beta)) make_now(factors, soft, index, beta, level);
}

static void restore_values(lt_rest_factors *factors, const lt_soft *soft, uint32_t index,
                           const saved_values *v, lt_simd_level level) {
    lt_rest_factor *f = lt_rest_factor_at(factors, index);
    if (v->spare_ready) bring(factors, soft, index, signed_of(v->spare_beta), level);
    if (v->ready)
        bring(factors, soft, index, signed_of(v->beta), level);
    else if (v->spare_ready)
        lt_rest_swap(f);
    f->now.ready = f->now.ready && v->ready;
    f->spare.ready = f->spare.ready && v->spare_ready;
    if (v->paid == 0 || factors->restored.soft) return;
    factors->restored = (lt_rest_restored){soft, index, signed_of(v->spare_beta), v->paid};
}

/* The factor of its material and pins is found already, when it is loaded; one of the last material is found here. Without
 * memory for it diagonals serve. */
static uint32_t find_last(lt_rest_factors *factors, lt_soft *soft, lt_rest_factor key) {
    uint32_t index = LT_NONE;
    if (lt_rest_find(factors, soft, key, &index, NULL) != LT_OK) return LT_NONE;
    lt_rest_retain(factors, index);
    return index;
}

static void visit_key(lt_stream *s, lt_rest_factor *key) {
    uint32_t ratio = (uint32_t)key->ratio, poisson = (uint32_t)key->poisson;
    lt_stream_two_u32(s, &ratio, &poisson);
    lt_stream_float(s, &key->mass_damping);
    lt_stream_float(s, &key->stiffness_damping);
    lt_stream_expect(s, is_step(ratio) && is_step(poisson) && key->mass_damping >= 0 &&
                            key->mass_damping <= 1e4f && key->stiffness_damping >= 0 &&
                            key->stiffness_damping <= 1e2f);
    key->ratio = signed_of(ratio);
    key->poisson = signed_of(poisson);
}

static void visit_last(lt_stream *s, lt_rest_factors *factors, lt_soft *soft, lt_simd_level level) {
    bool is_there = soft->last_factor != LT_NONE;
    lt_rest_factor key = lt_rest_key_of(soft);
    saved_values v = {0};
    if (is_there) {
        key = *lt_rest_factor_at(factors, soft->last_factor);
        v = values_of(factors, soft->last_factor);
    }
    lt_stream_bool(s, &is_there);
    if (is_there) {
        visit_key(s, &key);
        visit_values(s, &v);
    }
    if (!lt_stream_loads(s)) return;
    uint32_t before = soft->last_factor;
    key.pins = lt_rest_factor_at(factors, soft->factor)->pins;
    soft->last_factor = is_there ? find_last(factors, soft, key) : LT_NONE;
    if (before != LT_NONE) lt_rest_release(factors, before);
    if (soft->last_factor != LT_NONE) restore_values(factors, soft, soft->last_factor, &v, level);
}

/* ---- the visit ---- */

void lt_rest_factors_visit_begin(lt_stream *s, lt_rest_factors *factors) {
    if (!lt_rest_is_limited(factors) || !lt_stream_loads(s)) return;
    for (uint32_t i = 0; i < factors->factors.count; i++)
        lt_rest_factor_at(factors, i)->paid = 0;
    factors->maker = (lt_rest_maker){.factor = LT_NONE};
    factors->restored = (lt_rest_restored){0};
}

void lt_rest_factors_visit(lt_stream *s, lt_rest_factors *factors, lt_soft *soft, lt_simd_level level) {
    if (!lt_rest_is_limited(factors)) return;
    lt_stream_same(s, soft->factor != LT_NONE);
    if (soft->factor == LT_NONE) return;
    saved_values v = values_of(factors, soft->factor);
    visit_values(s, &v);
    if (lt_stream_loads(s)) {
        (void)lt_rest_factors_add(factors, soft, NULL);
        restore_values(factors, soft, soft->factor, &v, level);
    }
    visit_last(s, factors, soft, level);
}

/* All others are made: nobody else takes the maker's scratch. */
void lt_rest_factors_visit_end(lt_stream *s, lt_rest_factors *factors, lt_simd_level level) {
    const lt_rest_restored *r = &factors->restored;
    if (!lt_rest_is_limited(factors) || !lt_stream_loads(s) || !r->soft) return;
    lt_rest_begin(factors, r->factor, r->beta, r->soft);
    lt_rest_factor *factor = lt_rest_factor_at(factors, r->factor);
    factor->paid = lt_min_u64(r->paid, lt_rest_factor_units(factors, factor) - 1);
    lt_rest_run(factors, factor->paid, level);
}
