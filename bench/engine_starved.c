/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What becomes of bodies when there is not enough: depth, lost bodies, energy, how far they came; never worse than reference at the same
 * units, and never worse for more of them. Long runs at the end: what is not lost in six seconds may be lost in thirty. */

#include "engine_internal.h"

#include <math.h>
#include <stdio.h>

static const char *const UNMEASURED = "not run: part of the matrix that was left out";
static const double TOLERANCE = 0.005; /* of size, that one run may be worse than another */

/* ---- energy ---- */

/* Over all budgets, none included; what the scene releases is that of the unlimited run of the same seed. */
static double worst_rise(const lt_engine_bench *e, lt_engine_policy policy) {
    double worst = NAN;
    for (int s = 0; s < LT_ENGINE_SCENES; s++)
        for (uint32_t seed = 0; seed < e->seed_count; seed++) {
            const lt_engine_cell *cells = e->matrix->cells[policy][s];
            double released = cells[LT_ENGINE_NONE].seeds[seed].released;
            for (int b = 0; b < LT_ENGINE_BUDGETS; b++)
                worst = lt_engine_larger(worst, cells[b].seeds[seed].rise / lt_max_d(released, 1e-9));
        }
    return 100 * worst;
}

/* Runs of the matrix that ended early for want of patience: what they would have come to is in no row. */
static double count_unfinished(const lt_engine_bench *e) {
    double count = NAN;
    for (int p = 0; p < LT_ENGINE_POLICIES; p++)
        for (int s = 0; s < LT_ENGINE_SCENES; s++)
            for (int b = 0; b < LT_ENGINE_BUDGETS; b++)
                for (uint32_t seed = 0; seed < e->seed_count; seed++) {
                    const lt_engine_outcome *o = &e->matrix->cells[p][s][b].seeds[seed];
                    if (o->steps > 0) count = (isnan(count) ? 0 : count) + !o->is_whole;
                }
    return count;
}

/* ---- against reference, and against itself with more ---- */

typedef struct comparison {
    double depth, lost; /* by how much worse, the worst of all; depth of size */
} comparison;

static void compare(comparison *c, const lt_engine_bench *e, const lt_engine_cell *cell,
                    const lt_engine_cell *other) {
    double depth = lt_engine_median_of(e, cell, LT_ENGINE_FIELD(depth_end)) -
                   lt_engine_median_of(e, other, LT_ENGINE_FIELD(depth_end));
    double lost = lt_engine_median_of(e, cell, LT_ENGINE_FIELD(lost)) -
                  lt_engine_median_of(e, other, LT_ENGINE_FIELD(lost));
    c->depth = lt_engine_larger(c->depth, depth);
    c->lost = lt_engine_larger(c->lost, lost);
}

static comparison against_reference(const lt_engine_bench *e) {
    comparison c = {NAN, NAN};
    for (int s = 0; s < LT_ENGINE_SCENES; s++)
        for (int b = LT_ENGINE_NONE + 1; b < LT_ENGINE_BUDGETS; b++)
            compare(&c, e, &e->matrix->cells[LT_ENGINE_SOFT][s][b], &e->matrix->reference[s][b]);
    return c;
}

/* Every budget with every larger one of the same scene, by the units of the scene as it is. */
static comparison against_less(const lt_engine_bench *e, lt_engine_policy policy) {
    comparison c = {NAN, NAN};
    for (int s = 0; s < LT_ENGINE_SCENES; s++) {
        const lt_engine_cell *cells = e->matrix->cells[policy][s];
        for (int more = 0; more < LT_ENGINE_BUDGETS; more++)
            for (int less = 0; less < LT_ENGINE_BUDGETS; less++)
                if (cells[more].units[0] > cells[less].units[0]) compare(&c, e, &cells[more], &cells[less]);
    }
    return c;
}

/* ---- depth and way at parts of full ---- */

static double worst_depth(const lt_engine_bench *e, int budget) {
    double worst = NAN;
    for (int s = 0; s < LT_ENGINE_SCENES; s++)
        worst = lt_engine_larger(worst, lt_engine_median_of(e, &e->matrix->cells[LT_ENGINE_SOFT][s][budget],
                                                            LT_ENGINE_FIELD(depth_end)));
    return 100 * worst;
}

/* Median of the seeds at each time, the least of scenes and times. Ways under a thousandth of what the scene releases in all are
 * none. */
static double least_travelled(const lt_engine_bench *e, lt_engine_policy policy, int budget) {
    double least = NAN;
    for (int s = 0; s < LT_ENGINE_SCENES; s++)
        for (int t = 0; t < LT_ENGINE_TIMES; t++) {
            const lt_engine_cell *cells = e->matrix->cells[policy][s];
            double shares[LT_ENGINE_SEEDS];
            for (uint32_t i = 0; i < e->seed_count; i++) {
                const lt_engine_outcome *full = &cells[LT_ENGINE_NONE].seeds[i];
                bool piles = lt_engine_scenes[s].traits & LT_ENGINE_PILES;
                shares[i] = piles ? lt_engine_travelled(cells[budget].seeds[i].fallen[t], full->fallen[t],
                                                        0.05 * full->released)
                                  : NAN;
            }
            double share = lt_engine_median(shares, e->seed_count);
            if (!isnan(share)) least = isnan(least) ? share : lt_min_d(least, share);
        }
    return 100 * least;
}

static void judge_parts_of_full(lt_engine_bench *e) {
    static const struct {
        int budget;
        const char *text;
        double depth, soft, strict; /* percent; 0: no bar */
    } parts[] = {{LT_ENGINE_50, "50%", 1, 0, 0},
                 {LT_ENGINE_25, "25%", 2, 95, 70},
                 {LT_ENGINE_10, "10%", 4, 90, 40},
                 {LT_ENGINE_5, "5%", 6, 0, 0}};
    char name[48];
    for (size_t i = 0; i < LT_COUNT_OF(parts); i++) {
        snprintf(name, sizeof name, "depth-end-percent-%s", parts[i].text);
        lt_engine_check(e, name, LT_ENGINE_SOFT, worst_depth(e, parts[i].budget), "<=", parts[i].depth,
                        UNMEASURED);
        if (parts[i].soft <= 0) continue;
        snprintf(name, sizeof name, "travelled-percent-%s", parts[i].text);
        lt_engine_check(e, name, LT_ENGINE_SOFT, least_travelled(e, LT_ENGINE_SOFT, parts[i].budget),
                        ">=", parts[i].soft, UNMEASURED);
        lt_engine_check(e, name, LT_ENGINE_STRICT, least_travelled(e, LT_ENGINE_STRICT, parts[i].budget),
                        ">=", parts[i].strict, UNMEASURED);
    }
}

/* ---- long runs ---- */

enum { LONG_STEPS = 2000, QUICK_LONG_STEPS = 300, LONG_EVERY = 25, LATE = 180 };

/* 1k is mostly under the fixed cost, as 0 is. */
static bool starves_most(uint32_t budget) {
    const lt_engine_budget *b = &lt_engine_budgets[budget];
    return budget == LT_ENGINE_1 || (isnan(b->percent) && b->units == 0);
}

/* Budgets that starve most run with every seed, the others with one each. */
static bool is_long_run(const lt_engine_bench *e, uint32_t budget, uint32_t seed) {
    if (budget == LT_ENGINE_NONE || !lt_engine_wants_budget(e, budget)) return false;
    if (starves_most(budget)) return true;
    return !e->bench->quick && seed == budget % e->seed_count;
}

typedef struct long_runs {
    double lost, below, rise; /* worst; of size; of what the scene releases */
} long_runs;

static lt_status run_long(lt_engine_bench *e, lt_engine_policy policy, uint32_t scene, uint32_t budget,
                          uint32_t seed, long_runs *worst, lt_error *error) {
    const lt_engine_cell *cells = e->matrix->cells[policy][scene];
    const lt_engine_outcome *unlimited = &cells[LT_ENGINE_NONE].seeds[seed];
    lt_engine_run_def def = lt_engine_def_of(e, &lt_engine_scenes[scene], policy, seed);
    lt_engine_outcome out;
    def.steps = e->bench->quick ? QUICK_LONG_STEPS : LONG_STEPS;
    def.every = LONG_EVERY;
    def.late = LATE;
    lt_status status = lt_engine_need_full(e, policy, scene, seed, error);
    def.units = lt_engine_budget_units(e, policy, scene, seed, budget);
    if (status == LT_OK) status = lt_engine_run(&out, &def, &e->bench->allocator, error);
    if (status != LT_OK) return status;
    worst->lost = lt_engine_larger(worst->lost, out.lost);
    worst->below = lt_engine_larger(worst->below, out.below_worst);
    worst->rise = lt_engine_larger(worst->rise, out.rise / lt_max_d(unlimited->released, 1e-9));
    lt_bench_row_begin(e->bench, "long run");
    lt_bench_text(e->bench, "scene", lt_engine_scenes[scene].name);
    lt_bench_text(e->bench, "budget", lt_engine_budgets[budget].name);
    lt_bench_number(e->bench, "seed", seed);
    lt_bench_number(e->bench, "steps", out.steps);
    lt_bench_number(e->bench, "lost", out.lost);
    lt_bench_number(e->bench, "below_%", 100 * out.below_worst);
    lt_bench_number(e->bench, "depth_end_%", 100 * out.depth_end);
    lt_bench_number(e->bench, "rise_J", out.rise);
    lt_bench_number(e->bench, "awake", out.awake_end);
    return LT_OK;
}

static lt_status judge_long_runs(lt_engine_bench *e, lt_engine_policy policy, lt_error *error) {
    long_runs worst = {NAN, NAN, NAN};
    lt_status status = LT_OK;
    bool is_asked = lt_engine_runs(e, policy) && lt_bench_is_asked(e->bench, "starved", "long");
    for (uint32_t s = 0; is_asked && s < LT_ENGINE_SCENES; s++)
        for (uint32_t b = 0; b < LT_ENGINE_BUDGETS; b++)
            for (uint32_t seed = 0; status == LT_OK && seed < e->seed_count; seed++)
                if (lt_engine_scenes[s].traits & LT_ENGINE_LONG && is_long_run(e, b, seed))
                    status = run_long(e, policy, s, b, seed, &worst, error);
    lt_engine_check(e, "long-lost", policy, worst.lost, "==", 0, UNMEASURED);
    lt_engine_check(e, "long-below-percent", policy, 100 * worst.below, "<=", 2, UNMEASURED);
    lt_engine_check(e, "long-energy-rise-percent", policy, 100 * worst.rise, "<=", 1, UNMEASURED);
    return status;
}

/* ---- all ---- */

lt_status lt_engine_judge_starved(lt_engine_bench *e, lt_error *error) {
    lt_status status = LT_OK;
    comparison reference = against_reference(e);
    lt_engine_check(e, "runs-that-took-too-long", LT_ENGINE_SOFT, count_unfinished(e), "==", 0, UNMEASURED);
    lt_engine_check(e, "depth-worse-than-reference", LT_ENGINE_SOFT, reference.depth, "<=", TOLERANCE,
                    UNMEASURED);
    lt_engine_check(e, "lost-more-than-reference", LT_ENGINE_SOFT, reference.lost, "<=", 0, UNMEASURED);
    for (int p = 0; status == LT_OK && p < LT_ENGINE_POLICIES; p++) {
        lt_engine_policy policy = (lt_engine_policy)p;
        comparison less = against_less(e, policy);
        lt_engine_check(e, "depth-worse-for-more", policy, less.depth, "<=", TOLERANCE, UNMEASURED);
        lt_engine_check(e, "lost-more-for-more", policy, less.lost, "<=", 0, UNMEASURED);
        lt_engine_check(e, "energy-rise-percent", policy, worst_rise(e, policy), "<=", 1, UNMEASURED);
        status = judge_long_runs(e, policy, error);
    }
    judge_parts_of_full(e);
    return status;
}
