/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Every scene of the matrix without a budget and with nine, for five seeds and both policies; and the method reference at the same
 * units. Percentages are of what the same seed took without a budget. */

#include "engine_internal.h"

#include <math.h>
#include <stdio.h>

const lt_engine_budget lt_engine_budgets[LT_ENGINE_BUDGETS] = {{"none", NAN, LT_UNLIMITED, true},
                                                               {"50%", 50, 0, false},
                                                               {"25%", 25, 0, true},
                                                               {"10%", 10, 0, true},
                                                               {"5%", 5, 0, false},
                                                               {"1%", 1, 0, true},
                                                               {"300k", NAN, 300000, false},
                                                               {"40k", NAN, 40000, true},
                                                               {"1k", NAN, 1000, true},
                                                               {"0", NAN, 0, true}};

enum { QUICK_STEPS = 90, LATE = 180 };

/* ---- what is asked for ---- */

bool lt_engine_runs(const lt_engine_bench *e, lt_engine_policy policy) {
    return e->exists && lt_engine_has_policy(e->method, policy);
}

bool lt_engine_wants_scene(const lt_engine_bench *e, const lt_engine_scene *scene) {
    return !e->bench->quick || scene->traits & LT_ENGINE_QUICK;
}

bool lt_engine_wants_budget(const lt_engine_bench *e, uint32_t budget) {
    return !e->bench->quick || lt_engine_budgets[budget].quick;
}

lt_engine_run_def lt_engine_def_of(const lt_engine_bench *e, const lt_engine_scene *scene,
                                   lt_engine_policy policy, uint32_t seed) {
    uint32_t steps = e->bench->quick ? lt_min_u32(scene->steps, QUICK_STEPS) : scene->steps;
    bool is_moved = scene->traits & LT_ENGINE_MOVED;
    return (lt_engine_run_def){
        .rig = {.scene = scene->name, .method = e->method, .policy = policy, .seed = seed},
        .steps = steps,
        .every = lt_min_u32(scene->every, steps),
        .units = LT_UNLIMITED,
        .patience = e->patience,
        .late = is_moved ? UINT32_MAX : LATE};
}

/* ---- over seeds ---- */

static double field_of(const lt_engine_outcome *outcome, size_t field) {
    return *(const double *)((const char *)outcome + field);
}

double lt_engine_median_of(const lt_engine_bench *e, const lt_engine_cell *cell, size_t field) {
    double values[LT_ENGINE_SEEDS];
    for (uint32_t s = 0; s < e->seed_count; s++)
        values[s] = field_of(&cell->seeds[s], field);
    return lt_engine_median(values, e->seed_count);
}

double lt_engine_larger(double a, double b) {
    return isnan(a) || b > a ? b : a;
}

double lt_engine_worst_of(const lt_engine_bench *e, const lt_engine_cell *cell, size_t field) {
    double worst = NAN;
    for (uint32_t s = 0; s < e->seed_count; s++)
        worst = lt_engine_larger(worst, field_of(&cell->seeds[s], field));
    return worst;
}

/* ---- the runs ---- */

lt_status lt_engine_need_full(lt_engine_bench *e, lt_engine_policy policy, uint32_t scene, uint32_t seed,
                              lt_error *error) {
    lt_engine_cell *cell = &e->matrix->cells[policy][scene][LT_ENGINE_NONE];
    lt_engine_run_def def = lt_engine_def_of(e, &lt_engine_scenes[scene], policy, seed);
    cell->units[seed] = LT_UNLIMITED;
    return isnan(cell->seeds[seed].full)
               ? lt_engine_run(&cell->seeds[seed], &def, &e->bench->allocator, error)
               : LT_OK;
}

uint64_t lt_engine_budget_units(const lt_engine_bench *e, lt_engine_policy policy, uint32_t scene,
                                uint32_t seed, uint32_t budget) {
    const lt_engine_outcome *full = &e->matrix->cells[policy][scene][LT_ENGINE_NONE].seeds[seed];
    const lt_engine_budget *b = &lt_engine_budgets[budget];
    return isnan(b->percent) ? b->units : lt_engine_share_units(full->full, full->fixed, b->percent);
}

static lt_status run_seed(lt_engine_bench *e, lt_engine_policy policy, uint32_t scene, uint32_t seed,
                          lt_error *error) {
    lt_engine_cell *cells = e->matrix->cells[policy][scene];
    lt_engine_run_def def = lt_engine_def_of(e, &lt_engine_scenes[scene], policy, seed);
    lt_status status = LT_OK;
    for (uint32_t b = 0; status == LT_OK && b < LT_ENGINE_BUDGETS; b++) {
        if (!lt_engine_wants_budget(e, b)) continue;
        def.units = cells[b].units[seed] = lt_engine_budget_units(e, policy, scene, seed, b);
        status = lt_engine_run(&cells[b].seeds[seed], &def, &e->bench->allocator, error);
    }
    return status;
}

static lt_status run_reference(lt_engine_bench *e, uint32_t scene, uint32_t seed, lt_error *error) {
    lt_engine_cell *cells = e->matrix->reference[scene];
    const lt_engine_cell *soft = e->matrix->cells[LT_ENGINE_SOFT][scene];
    lt_engine_run_def def = lt_engine_def_of(e, &lt_engine_scenes[scene], LT_ENGINE_SOFT, seed);
    def.rig.method = LT_METHOD_REFERENCE;
    lt_status status = LT_OK;
    for (uint32_t b = LT_ENGINE_NONE + 1; status == LT_OK && b < LT_ENGINE_BUDGETS; b++) {
        if (!lt_engine_wants_budget(e, b)) continue;
        def.units = cells[b].units[seed] = soft[b].units[seed];
        if (e->method == LT_METHOD_REFERENCE)
            cells[b].seeds[seed] = soft[b].seeds[seed];
        else
            status = lt_engine_run(&cells[b].seeds[seed], &def, &e->bench->allocator, error);
    }
    return status;
}

static void add_row(lt_engine_bench *e, lt_engine_policy policy, uint32_t scene, uint32_t budget) {
    const lt_engine_cell *cell = &e->matrix->cells[policy][scene][budget];
    char label[64];
    snprintf(label, sizeof label, "%s, %s%s", lt_engine_scenes[scene].name, lt_engine_budgets[budget].name,
             policy == LT_ENGINE_STRICT ? ", strict" : "");
    lt_bench *bench = e->bench;
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "steps", cell->seeds[0].steps);
    lt_bench_number(bench, "budget", cell->units[0] == LT_UNLIMITED ? -1 : (double)cell->units[0]);
    lt_bench_number(bench, "median", lt_engine_median_of(e, cell, LT_ENGINE_FIELD(median)));
    lt_bench_number(bench, "p99", lt_engine_median_of(e, cell, LT_ENGINE_FIELD(full)));
    lt_bench_number(bench, "bound", lt_engine_median_of(e, cell, LT_ENGINE_FIELD(fixed)));
    lt_bench_number(bench, "over", lt_engine_worst_of(e, cell, LT_ENGINE_FIELD(over)));
    lt_bench_number(bench, "depth_%", 100 * lt_engine_median_of(e, cell, LT_ENGINE_FIELD(depth_end)));
    lt_bench_number(bench, "worst_%", 100 * lt_engine_worst_of(e, cell, LT_ENGINE_FIELD(depth_worst)));
    lt_bench_number(bench, "lost", lt_engine_worst_of(e, cell, LT_ENGINE_FIELD(lost)));
    lt_bench_number(bench, "rise_J", lt_engine_worst_of(e, cell, LT_ENGINE_FIELD(rise)));
    lt_bench_number(bench, "age_max", lt_engine_worst_of(e, cell, LT_ENGINE_FIELD(age_max)));
    lt_bench_number(bench, "awake", lt_engine_worst_of(e, cell, LT_ENGINE_FIELD(awake_end)));
}

static void forget_all(lt_engine_matrix *matrix) {
    for (int s = 0; s < LT_ENGINE_SCENES; s++)
        for (int b = 0; b < LT_ENGINE_BUDGETS; b++)
            for (int seed = 0; seed < LT_ENGINE_SEEDS; seed++) {
                for (int p = 0; p < LT_ENGINE_POLICIES; p++)
                    matrix->cells[p][s][b].seeds[seed] = lt_engine_nothing();
                matrix->reference[s][b].seeds[seed] = lt_engine_nothing();
            }
}

static lt_status fill_scene(lt_engine_bench *e, uint32_t scene, lt_error *error) {
    lt_status status = LT_OK;
    for (int p = 0; p < LT_ENGINE_POLICIES; p++) {
        if (!lt_engine_runs(e, (lt_engine_policy)p)) continue;
        for (uint32_t seed = 0; status == LT_OK && seed < e->seed_count; seed++)
            status = run_seed(e, (lt_engine_policy)p, scene, seed, error);
        for (uint32_t b = 0; status == LT_OK && b < LT_ENGINE_BUDGETS; b++)
            if (lt_engine_wants_budget(e, b)) add_row(e, (lt_engine_policy)p, scene, b);
    }
    for (uint32_t seed = 0; status == LT_OK && e->exists && seed < e->seed_count; seed++)
        status = run_reference(e, scene, seed, error);
    return status;
}

lt_status lt_engine_matrix_fill(lt_engine_bench *e, lt_error *error) {
    lt_status status = LT_OK;
    forget_all(e->matrix);
    for (uint32_t s = 0; status == LT_OK && s < LT_ENGINE_SCENES; s++)
        if (lt_engine_wants_scene(e, &lt_engine_scenes[s]) &&
            lt_bench_is_asked(e->bench, "matrix", lt_engine_scenes[s].name))
            status = fill_scene(e, s, error);
    return status;
}
