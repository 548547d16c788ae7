/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Table 1 of the paper, twice: what is known after so many work units, cut anywhere, and after so much time, of a whole
 * step. Beside it what must hold at every cut: the proved bound never rises, leaf contacts never get fewer, action
 * equals reaction, nothing is allocated. */

#include "sphere_internal.h"

#include "chart.h"
#include "count_heap.h"
#include "measure.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>

enum { CUTS = 6 }; /* 10 to 10⁶ units; 1 µs to 1 s has one more */

typedef struct table_case {
    lt_rig_shape a, b;
} table_case;

static const table_case CASES[] = {
    {LT_RIG_BUNNY, LT_RIG_BUNNY}, {LT_RIG_ARMADILLO, LT_RIG_ARMADILLO}, {LT_RIG_BUNNY, LT_RIG_ARMADILLO}};

enum { CASE_COUNT = LT_COUNT_OF(CASES) };

/* For the picture. */
typedef struct table_curves {
    double budget_us[CUTS + 1], gap_mm[CASE_COUNT][CUTS + 1];
} table_curves;

typedef struct table_worst {
    uint32_t bound_rises, leaves_fall; /* over all pieces of all cases */
    double force, torque;              /* shares that have no reaction */
    uint64_t allocations;
} table_worst;

static void row_begin(lt_bench *bench, const table_case *c, const char *what) {
    char label[64];
    snprintf(label, sizeof label, "%s-%s, %s", lt_rig_shape_name(c->a), lt_rig_shape_name(c->b), what);
    lt_bench_row_begin(bench, label);
}

/* ---- by units, piece by piece ---- */

static double force_error(const lt_front *front, lt_vec3 final) {
    return (double)(lt_v3_length(lt_v3_sub(front->push, final)) / lt_max_f(lt_v3_length(final), 1e-30f));
}

static void add_cut(lt_bench *bench, const lt_rig *rig, const table_case *c, double cut,
                    const lt_front *front, lt_vec3 final) {
    char what[32];
    snprintf(what, sizeof what, "%g units", cut);
    row_begin(bench, c, what);
    lt_bench_number(bench, "pending", rig->traverse.queued_count);
    lt_bench_number(bench, "leaf_pairs", rig->traverse.found_count);
    lt_bench_number(bench, "contacts", front->contacts);
    lt_bench_number(bench, "gap_error_mm", 1e3 * (double)front->gap_error);
    lt_bench_number(bench, "force_error", force_error(front, final));
}

static void cut_everywhere(lt_bench *bench, lt_rig *rig, const table_case *c, lt_vec3 final,
                           table_worst *worst) {
    double units = 0, cut = 10;
    lt_rig_begin(rig, LT_ORDER_BEST_FIRST, true);
    lt_front before = lt_rig_answer(rig);
    uint32_t leaves = 0;
    for (uint32_t cost = 0;; units += cost) {
        lt_front front = lt_rig_answer(rig);
        worst->bound_rises += front.gap_error > before.gap_error;
        worst->leaves_fall += rig->traverse.found_count < leaves;
        leaves = rig->traverse.found_count;
        uint32_t next = lt_traverse_peek(&rig->traverse, 0).cost;
        for (; cut <= 1.5e6 && (next == 0 || units + next > cut); cut *= 10)
            add_cut(bench, rig, c, cut, &front, final);
        before = front;
        cost = lt_rig_step(rig, 0);
        if (cost == 0) return;
    }
}

/* ---- by time, a whole step ---- */

/* The fastest of several times the same step. */
typedef struct timed_step {
    double frame_us;  /* of the whole call */
    double used_us;   /* of the call without the models */
    lt_report report; /* of the step that was fastest without them */
} timed_step;

static lt_status step_at(lt_rig *rig, lt_budget budget, void *snapshot, size_t size, timed_step *out,
                         lt_error *error) {
    *out = (timed_step){.frame_us = 1e30, .used_us = 1e30};
    for (int round = 0; round < 2 * LT_REPETITIONS; round++) {
        lt_status status = lt_world_restore(rig->world, snapshot, size, error);
        if (status != LT_OK) return status;
        lt_stopwatch watch = lt_stopwatch_start();
        lt_report report = lt_world_step(rig->world, 1e-3f, budget);
        double us = lt_stopwatch_stop(watch).us;
        out->frame_us = lt_min_d(out->frame_us, us);
        if (us - report.model_us > out->used_us && round > 0) continue;
        out->used_us = us - report.model_us;
        out->report = report;
    }
    return LT_OK;
}

static lt_status budgets(lt_bench *bench, lt_rig *rig, const table_case *c, void *snapshot, size_t size,
                         table_curves *curves, lt_error *error) {
    double budget = 1;
    for (int i = 0; i <= CUTS; i++, budget *= 10) {
        char what[32];
        timed_step step;
        lt_status status = step_at(rig, lt_budget_collision_us(budget), snapshot, size, &step, error);
        if (status != LT_OK) return status;
        curves->budget_us[i] = budget;
        curves->gap_mm[c - CASES][i] = 1e3 * step.report.gap_error;
        snprintf(what, sizeof what, "%g us", budget);
        row_begin(bench, c, what);
        lt_bench_number(bench, "pending", (double)step.report.pending);
        lt_bench_number(bench, "exact", (double)step.report.exact);
        lt_bench_number(bench, "contacts", (double)step.report.contacts);
        lt_bench_number(bench, "gap_error_mm", 1e3 * step.report.gap_error);
        lt_bench_number(bench, "used_us", step.used_us);
        lt_bench_number(bench, "frame_us", step.frame_us);
    }
    return LT_OK;
}

/* ---- action and reaction ---- */

/* Momentum of both bodies after one step from rest, against what the contacts gave each of them. */
static void measure_balance(const lt_rig *rig, float dt, table_worst *worst) {
    lt_dvec3 linear = {0, 0, 0}, angular = {0, 0, 0};
    double forces = 0, torques = 0;
    for (uint32_t b = 0; b < 2; b++) {
        const lt_soft *soft = lt_soft_at(rig->world, b);
        for (uint32_t n = 0; n < soft->carrier.node_count; n++) {
            lt_rvec3 x = lt_node_get(soft->x, n), v = lt_node_get(soft->v, n);
            lt_dvec3 at = {(double)x.x, (double)x.y, (double)x.z};
            lt_dvec3 p =
                lt_d3_scale((lt_dvec3){(double)v.x, (double)v.y, (double)v.z}, (double)soft->mass[n]);
            linear = lt_d3_add(linear, p);
            angular = lt_d3_add(angular, lt_d3_cross(at, p));
        }
    }
    uint32_t count;
    const lt_contact *contacts = lt_world_contacts(rig->world, &count);
    for (uint32_t i = 0; i < count; i++) {
        double force = 2 * (double)lt_v3_length(contacts[i].force);
        forces += force * (double)dt;
        torques += force * (double)lt_v3_length(contacts[i].point) * (double)dt;
    }
    if (!(forces > 0)) return;
    worst->force = lt_max_d(worst->force, lt_d3_length(linear) / forces);
    worst->torque = lt_max_d(worst->torque, lt_d3_length(angular) / torques);
}

static lt_status balance_at_every_budget(lt_rig *rig, void *snapshot, size_t size, table_worst *worst,
                                         lt_error *error) {
    for (uint64_t units = 1; units <= 1000000; units = units * 3 / 2 + 1) {
        lt_status status = lt_world_restore(rig->world, snapshot, size, error);
        if (status != LT_OK) return status;
        uint64_t before = lt_heap_count();
        lt_world_step(rig->world, 1e-3f, lt_budget_collision_units(units));
        worst->allocations += lt_heap_count() - before;
        measure_balance(rig, 1e-3f, worst);
    }
    return LT_OK;
}

/* ---- all ---- */

static lt_status run_case(lt_bench *bench, const table_case *c, table_worst *worst, table_curves *curves,
                          lt_error *error) {
    lt_rig rig;
    lt_status status = lt_rig_create(&rig, c->a, c->b, bench->quick, error);
    if (status != LT_OK) return status;
    lt_random random = lt_random_seed(5);
    lt_rig_pose pose = lt_rig_slight_pose(&rig, &random); /* leaves the front complete */
    cut_everywhere(bench, &rig, c, lt_rig_answer(&rig).push, worst);
    lt_rig_place(&rig, &pose);
    size_t size = lt_world_snapshot_size(rig.world);
    void *snapshot = LT_NEW(&bench->allocator, size, uint8_t);
    if (snapshot) {
        lt_world_snapshot(rig.world, snapshot, size);
        status = budgets(bench, &rig, c, snapshot, size, curves, error);
        if (status == LT_OK) status = balance_at_every_budget(&rig, snapshot, size, worst, error);
    } else {
        status = lt_fail(error, LT_STATUS_MEMORY, "out of memory for a snapshot");
    }
    LT_DELETE(&bench->allocator, snapshot, size, uint8_t);
    lt_rig_free(&rig);
    return status;
}

static lt_status draw(lt_bench *bench, const table_curves *curves, lt_error *error) {
    char names[CASE_COUNT][40];
    lt_chart_series lines[CASE_COUNT];
    for (int i = 0; i < CASE_COUNT; i++) {
        snprintf(names[i], sizeof names[i], "%s-%s", lt_rig_shape_name(CASES[i].a),
                 lt_rig_shape_name(CASES[i].b));
        lines[i] = (lt_chart_series){.name = names[i],
                                     .x = curves->budget_us,
                                     .y = curves->gap_mm[i],
                                     .point_count = CUTS + 1,
                                     .mark = LT_CHART_LINE_AND_POINTS};
    }
    const lt_chart chart = {.title = "Table 1: proved gap error against budget",
                            .x = {.label = "budget, us", .log = true},
                            .y = {.label = "gap error, mm", .log = true},
                            .series = lines,
                            .series_count = CASE_COUNT,
                            .width = 860};
    return lt_bench_chart(bench, &chart, "sphere-tree-budgets", error);
}

lt_status lt_sphere_table(lt_bench *bench, lt_error *error) {
    table_worst worst = {0};
    table_curves curves = {0};
    for (size_t i = 0; i < CASE_COUNT; i++) {
        lt_status status = run_case(bench, &CASES[i], &worst, &curves, error);
        if (status != LT_OK) return status;
    }
    lt_bench_check_value(bench, "sphere-tree.gap-bound-rises", worst.bound_rises, "==", 0);
    lt_bench_check_value(bench, "sphere-tree.leaf-contacts-fall", worst.leaves_fall, "==", 0);
    lt_bench_check_value(bench, "sphere-tree.force-without-reaction", worst.force, "<=", 1e-6);
    lt_bench_check_value(bench, "sphere-tree.torque-without-reaction", worst.torque, "<=", 1e-6);
    if (lt_heap_is_counted())
        lt_bench_check_value(bench, "sphere-tree.allocations", (double)worst.allocations, "==", 0);
    return draw(bench, &curves, error);
}
