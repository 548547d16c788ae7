/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What it costs. Prices of units: only where every kind of work takes about the same time a unit do units compare methods. Times: each
 * sampled step is repeated from a snapshot and its least time counts, by the thread's clock, without what the models take; two methods
 * are sampled at the same steps of their own runs, while somebody is awake. Units come from the matrix. */

#include "engine_internal.h"

#include "core/os.h"
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t thread_clock(void *context) {
    (void)context;
    return lt_os_thread_cpu_ns();
}

/* ---- prices ---- */

/* Prices are told for a machine on which a pass of the calibration loop takes as long as where the bars were set. */
static const double NOMINAL_PASS_NS = 1.32;
/* Stages of fewer units a step are left out, since reading the clock takes some 30 ns; and stages that few steps had at all. */
enum { PRICE_STEPS = 150, QUICK_PRICE_STEPS = 60, FEW_UNITS = 500, FEW_STEPS = 10 };

typedef struct prices {
    double least, most; /* ns a unit, of all stages in all scenes */
} prices;

/* Work is charged by stage; a stage is one kind of work or a few alike. What the meter has learned of each kind would be no price: it
 * rises at once and falls slowly, for caution. */
typedef struct stage_prices {
    double ns[LT_STAGE_COUNT][PRICE_STEPS];
    uint32_t counts[LT_STAGE_COUNT];
} stage_prices;

static void take_prices(stage_prices *p, const lt_report *report) {
    for (int s = 0; s < LT_STAGE_COUNT; s++)
        if (s != LT_STAGE_MODELS && report->cuts.units[s] >= FEW_UNITS)
            p->ns[s][p->counts[s]++] = 1e3 * report->stage_us[s] / (double)report->cuts.units[s];
}

static void conclude_prices(lt_engine_bench *e, const char *scene, stage_prices *p, prices *all) {
    static const char *const names[LT_STAGE_COUNT] = {
#define STAGE_TEXT(NAME, name) #name,
        LT_STAGE_LIST(STAGE_TEXT)
#undef STAGE_TEXT
    };
    double scale = NOMINAL_PASS_NS / e->bench->calibration_ns;
    lt_bench_row_begin(e->bench, "ns a unit");
    lt_bench_text(e->bench, "scene", scene);
    for (int s = 0; s < LT_STAGE_COUNT; s++) {
        double price = p->counts[s] < FEW_STEPS ? NAN : scale * lt_engine_median(p->ns[s], p->counts[s]);
        if (s == LT_STAGE_MODELS || s == LT_STAGE_SLEEP) continue;
        lt_bench_number(e->bench, names[s], price);
        if (isnan(price)) continue;
        all->least = isnan(all->least) ? price : lt_min_d(all->least, price);
        all->most = lt_engine_larger(all->most, price);
    }
}

static lt_status measure_prices(lt_engine_bench *e, const char *scene, prices *all, lt_error *error) {
    lt_engine_rig rig;
    const lt_engine_rig_def def = {.scene = scene, .method = e->method, .awake = true};
    stage_prices *p = LT_NEW(&e->bench->allocator, 1, stage_prices);
    if (!p) return lt_fail(error, LT_STATUS_MEMORY, "bench engine: out of memory");
    lt_status status = lt_engine_rig_create(&rig, &def, &e->bench->allocator, error);
    uint64_t begin = lt_os_thread_cpu_ns();
    uint32_t steps = e->bench->quick ? QUICK_PRICE_STEPS : PRICE_STEPS;
    while (status == LT_OK && rig.step < steps && lt_engine_seconds(begin) < e->patience) {
        lt_report report = lt_engine_rig_step(&rig, lt_budget_unlimited());
        take_prices(p, &report);
    }
    if (status == LT_OK) conclude_prices(e, scene, p, all);
    lt_engine_rig_free(&rig);
    LT_DELETE(&e->bench->allocator, p, 1, stage_prices);
    return status;
}

static lt_status judge_prices(lt_engine_bench *e, lt_error *error) {
    prices all = {NAN, NAN};
    lt_status status = LT_OK;
    for (int s = 0; status == LT_OK && e->exists && s < LT_ENGINE_SCENES; s++)
        if (lt_engine_wants_scene(e, &lt_engine_scenes[s]) &&
            lt_bench_is_asked(e->bench, "cost/prices", lt_engine_scenes[s].name))
            status = measure_prices(e, lt_engine_scenes[s].name, &all, error);
    lt_engine_check(e, "unit-prices-least-ns", LT_ENGINE_SOFT, all.least, ">=", 0.6, "not asked for");
    lt_engine_check(e, "unit-prices-most-ns", LT_ENGINE_SOFT, all.most, "<=", 2, "not asked for");
    return status;
}

/* ---- times beside other methods ---- */

enum { COST_STEPS = 180, COST_EVERY = 6, COST_SAMPLES = COST_STEPS / COST_EVERY };
static const double COST_PATIENCE = 200; /* s: tet-hash takes that for a heap */

typedef struct timing {
    double us[COST_SAMPLES]; /* NaN: everybody slept, or the run had ended */
    double median;
} timing;

static double least_time(lt_engine_rig *rig, lt_error *error) {
    double least = INFINITY;
    for (int i = 0; i < LT_REPETITIONS; i++) {
        uint64_t before = lt_os_thread_cpu_ns();
        lt_report report = lt_engine_rig_step(rig, lt_budget_unlimited());
        least = lt_min_d(least, (double)(lt_os_thread_cpu_ns() - before) * 1e-3 - report.model_us);
        if (lt_engine_rig_return(rig, error) != LT_OK) return NAN;
    }
    return least;
}

static lt_status time_method(lt_engine_bench *e, const char *scene, lt_method method, lt_engine_policy policy,
                             timing *t, lt_error *error) {
    lt_engine_rig rig;
    const lt_engine_rig_def def = {
        .scene = scene, .method = method, .policy = policy, .clock_ns = thread_clock};
    for (int i = 0; i < COST_SAMPLES; i++)
        t->us[i] = NAN;
    lt_status status = lt_engine_rig_create(&rig, &def, &e->bench->allocator, error);
    if (status != LT_OK) return status;
    uint64_t begin = lt_os_thread_cpu_ns();
    bool is_awake = true;
    while (status == LT_OK && rig.step < COST_STEPS && is_awake && lt_engine_seconds(begin) < COST_PATIENCE) {
        if (rig.step % COST_EVERY == 0) {
            uint64_t sample = rig.step / COST_EVERY;
            status = lt_engine_rig_keep(&rig, error);
            if (status == LT_OK) t->us[sample] = least_time(&rig, error);
        }
        if (status == LT_OK)
            is_awake = lt_engine_rig_step(&rig, lt_budget_unlimited()).sleeping < rig.body_count;
    }
    lt_engine_rig_free(&rig);
    double sorted[COST_SAMPLES];
    memcpy(sorted, t->us, sizeof sorted);
    t->median = lt_engine_median(sorted, COST_SAMPLES);
    return status;
}

/* Of both only the steps in which both were measured. */
static double ratio_of(const timing *a, const timing *b) {
    double x[COST_SAMPLES], y[COST_SAMPLES];
    for (int i = 0; i < COST_SAMPLES; i++) {
        x[i] = isnan(b->us[i]) ? NAN : a->us[i];
        y[i] = isnan(a->us[i]) ? NAN : b->us[i];
    }
    return lt_engine_median(x, COST_SAMPLES) / lt_engine_median(y, COST_SAMPLES);
}

typedef struct race {
    const char *scene, *name;
    lt_method other;
    double bar;
} race;

static const race races[] = {
    {"drop", "time-drop-of-sphere-tree", LT_METHOD_SPHERE_TREE, 1},
    {"stack", "time-stack-of-sphere-tree", LT_METHOD_SPHERE_TREE, 1},
    {"bunny-on-bunny", "time-bunny-on-bunny-of-sphere-tree", LT_METHOD_SPHERE_TREE, 0.5},
    {"heap", "time-heap-of-tet-hash", LT_METHOD_TET_HASH, 0.1},
    {"heap", "time-heap-of-reference", LT_METHOD_REFERENCE, 1}};

static lt_status run_race(lt_engine_bench *e, const race *r, double *ratio, lt_error *error) {
    timing ours, other;
    lt_status status = time_method(e, r->scene, e->method, LT_ENGINE_SOFT, &ours, error);
    if (status == LT_OK) status = time_method(e, r->scene, r->other, LT_ENGINE_SOFT, &other, error);
    if (status != LT_OK) return status;
    *ratio = ratio_of(&ours, &other);
    lt_bench_row_begin(e->bench, "us a step, without models");
    lt_bench_text(e->bench, "scene", r->scene);
    lt_bench_number(e->bench, "median", ours.median);
    lt_bench_text(e->bench, "beside", lt_method_name(r->other));
    lt_bench_number(e->bench, "its_median", other.median);
    lt_bench_number(e->bench, "ratio", *ratio);
    return LT_OK;
}

static lt_status judge_times(lt_engine_bench *e, lt_error *error) {
    lt_status status = LT_OK;
    for (size_t i = 0; status == LT_OK && i < LT_COUNT_OF(races); i++) {
        double ratio = NAN;
        bool is_asked = !e->bench->quick && lt_bench_is_asked(e->bench, "cost", races[i].name);
        if (e->exists && is_asked) status = run_race(e, &races[i], &ratio, error);
        lt_engine_check(e, races[i].name, LT_ENGINE_SOFT, ratio, "<=", races[i].bar,
                        e->bench->quick ? "needs no --quick" : "not asked for");
    }
    return status;
}

static lt_status judge_strict_times(lt_engine_bench *e, lt_error *error) {
    static const char *const scenes[] = {"stack", "heap"};
    double worst = NAN;
    lt_status status = LT_OK;
    bool is_asked = !e->bench->quick && lt_engine_runs(e, LT_ENGINE_STRICT) &&
                    lt_bench_is_asked(e->bench, "cost", "strict");
    for (size_t i = 0; status == LT_OK && is_asked && i < LT_COUNT_OF(scenes); i++) {
        timing soft, strict;
        status = time_method(e, scenes[i], e->method, LT_ENGINE_SOFT, &soft, error);
        if (status == LT_OK) status = time_method(e, scenes[i], e->method, LT_ENGINE_STRICT, &strict, error);
        if (status == LT_OK) worst = lt_engine_larger(worst, ratio_of(&strict, &soft));
    }
    lt_engine_check(e, "time-of-soft", LT_ENGINE_STRICT, worst, "<=", 3,
                    e->bench->quick ? "needs no --quick" : "not asked for");
    return status;
}

/* ---- units ---- */

static void judge_units(lt_engine_bench *e) {
    static const struct {
        const char *scene, *name;
        double bar;
        bool is_peak;
    } bars[] = {{"drop", "units-drop", 6e3, false},
                {"stack", "units-stack", 9e3, false},
                {"bunny-on-bunny", "units-bunny-on-bunny", 45e3, false},
                {"heap", "units-heap", 400e3, false},
                {"plates", "units-plates", 120e3, false},
                {"bunny-on-bunny", "units-peak-bunny-on-bunny", 120e3, true}};
    for (size_t i = 0; i < LT_COUNT_OF(bars); i++) {
        double value = NAN;
        for (int s = 0; s < LT_ENGINE_SCENES; s++)
            if (strcmp(lt_engine_scenes[s].name, bars[i].scene) == 0 && !e->bench->quick)
                value =
                    lt_engine_median_of(e, &e->matrix->cells[LT_ENGINE_SOFT][s][LT_ENGINE_NONE],
                                        bars[i].is_peak ? LT_ENGINE_FIELD(peak) : LT_ENGINE_FIELD(median));
        lt_engine_check(e, bars[i].name, LT_ENGINE_SOFT, value, "<=", bars[i].bar,
                        e->bench->quick ? "needs no --quick"
                                        : "not run: part of the matrix that was left out");
    }
}

lt_status lt_engine_judge_costs(lt_engine_bench *e, lt_error *error) {
    lt_status status = judge_prices(e, error);
    if (status == LT_OK) status = judge_times(e, error);
    if (status == LT_OK) status = judge_strict_times(e, error);
    judge_units(e);
    return status;
}
