/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Does best first pay? 60 poses of two bodies that touch slightly, each refined in both orders to the end: the error of
 * the total push, relative to the final one, after every piece. The area under that curve, over tests and over time,
 * best first divided by first in first out. */

#include "sphere_internal.h"

#include "chart.h"
#include "core/os.h"
#include "measure.h"

#include <math.h>
#include <stdio.h>

enum { POSES = 60, POINTS_MAX = 65536, GRID = 26 };

typedef struct curve_point {
    double tests, units, us;
    double force_error, gap_error; /* from here to the next point */
} curve_point;

typedef struct curve {
    curve_point *points; /* [POINTS_MAX] */
    uint32_t count;
} curve;

/* Sums over poses at fixed units, for the picture. */
typedef struct pictured {
    double units[GRID], gap_mm[2][GRID], force[2][GRID];
} pictured;

/* ---- one curve ---- */

/* The errors first, then the same again for the time without looking. */
static void draw_curve(curve *out, lt_rig *rig, lt_order order, lt_vec3 final) {
    double size = (double)lt_v3_length(final), units = 0;
    out->count = 0;
    lt_rig_begin(rig, order, true);
    for (uint32_t cost = 1; cost && out->count < POINTS_MAX; units += cost) {
        lt_front front = lt_rig_answer(rig);
        out->points[out->count++] =
            (curve_point){.tests = (double)rig->traverse.tested,
                          .units = units,
                          .force_error = (double)lt_v3_length(lt_v3_sub(front.push, final)) / size,
                          .gap_error = (double)front.gap_error};
        cost = lt_rig_step(rig, 0);
    }
    for (int repetition = 0; repetition < LT_REPETITIONS; repetition++) {
        lt_rig_begin(rig, order, true);
        lt_stopwatch watch = lt_stopwatch_start();
        for (uint32_t i = 0; i < out->count; i++) {
            double us = lt_stopwatch_seconds(watch) * 1e6;
            out->points[i].us = repetition == 0 ? us : lt_min_d(us, out->points[i].us);
            lt_rig_step(rig, 0);
        }
    }
}

static double area_over_tests(const curve *c, double end) {
    double area = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        double next = i + 1 < c->count ? c->points[i + 1].tests : end;
        area += c->points[i].force_error * (next - c->points[i].tests);
    }
    return area;
}

static double area_over_time(const curve *c) {
    double area = 0;
    for (uint32_t i = 0; i + 1 < c->count; i++)
        area += c->points[i].force_error * (c->points[i + 1].us - c->points[i].us);
    return area;
}

static void add_to_picture(pictured *p, const curve *c, int which, double share) {
    uint32_t at = 0;
    for (int g = 0; g < GRID; g++) {
        while (at + 1 < c->count && c->points[at + 1].units <= p->units[g])
            at++;
        p->gap_mm[which][g] += 1e3 * share * c->points[at].gap_error;
        p->force[which][g] += share * c->points[at].force_error;
    }
}

/* ---- all poses ---- */

/* The final push of a pose; zero when pushes nearly cancel: then the share of it says nothing. */
static lt_vec3 final_push(lt_rig *rig) {
    lt_rig_begin(rig, LT_ORDER_BEST_FIRST, true);
    while (lt_rig_step(rig, 1u << 20)) {
    }
    lt_front front = lt_rig_answer(rig);
    bool cancels = (double)lt_v3_length(front.push) < 0.05 * front.push_size;
    return cancels ? (lt_vec3){0, 0, 0} : front.push;
}

static bool compare_orders(lt_rig *rig, curve curves[2], lt_samples ratios[2], pictured *p, int pose_count) {
    lt_random random = lt_random_seed(60);
    for (int done = 0; done < pose_count;) {
        lt_rig_pose pose = lt_rig_slight_pose(rig, &random);
        lt_rig_place(rig, &pose);
        lt_vec3 final = final_push(rig);
        if (!(lt_v3_length(final) > 0)) continue;
        draw_curve(&curves[0], rig, LT_ORDER_BEST_FIRST, final);
        draw_curve(&curves[1], rig, LT_ORDER_FIFO, final);
        double end = 0;
        for (int i = 0; i < 2; i++) {
            end = lt_max_d(end, curves[i].points[curves[i].count - 1].tests);
            add_to_picture(p, &curves[i], i, 1.0 / pose_count);
        }
        lt_sample tests = {.us = area_over_tests(&curves[0], end) / area_over_tests(&curves[1], end)};
        lt_sample time = {.us = area_over_time(&curves[0]) / area_over_time(&curves[1])};
        if (!lt_samples_add(&ratios[0], tests) || !lt_samples_add(&ratios[1], time)) return false;
        done++;
    }
    return true;
}

static void add_ratios(lt_bench *bench, lt_samples *ratios, const char *label, lt_distribution *d) {
    lt_sample *items = ratios->items.items;
    *d = lt_samples_distribution(ratios, true);                /* sorts them */
    d->p95 = items[(ratios->items.count * 9 + 9) / 10 - 1].us; /* p90 is wanted */
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "poses", d->count);
    lt_bench_number(bench, "median", d->median);
    lt_bench_number(bench, "p90", d->p95);
    lt_bench_number(bench, "worst", d->worst);
}

static lt_status write_picture(lt_bench *bench, const pictured *p, lt_error *error) {
    const lt_chart_series series[] = {
        {.name = "gap error, mm, best first", .x = p->units, .y = p->gap_mm[0], .point_count = GRID},
        {.name = "gap error, mm, fifo",
         .x = p->units,
         .y = p->gap_mm[1],
         .point_count = GRID,
         .dashed = true},
        {.name = "force error, best first", .x = p->units, .y = p->force[0], .point_count = GRID},
        {.name = "force error, fifo", .x = p->units, .y = p->force[1], .point_count = GRID, .dashed = true}};
    const lt_chart chart = {.title = "Two bodies in slight contact: error against work",
                            .x = {.label = "work units", .log = true},
                            .y = {.label = "mean over the poses", .log = true, .lo = 1e-3, .hi = 2e3},
                            .series = series,
                            .series_count = LT_COUNT_OF(series),
                            .width = 860};
    return lt_bench_chart(bench, &chart, "sphere-tree-error", error);
}

lt_status lt_sphere_order(lt_bench *bench, lt_error *error) {
    lt_rig rig;
    lt_status status = lt_rig_create(&rig, LT_RIG_BUNNY, LT_RIG_BUNNY, bench->quick, error);
    if (status != LT_OK) return status;
    curve curves[2];
    lt_samples ratios[2];
    pictured p = {0};
    for (int g = 0; g < GRID; g++)
        p.units[g] = 10 * pow(10, g * 0.2);
    for (int i = 0; i < 2; i++) {
        curves[i] = (curve){.points = LT_NEW(&bench->allocator, POINTS_MAX, curve_point)};
        ratios[i] = lt_samples_begin(&bench->allocator);
    }
    bool room = curves[0].points && curves[1].points &&
                compare_orders(&rig, curves, ratios, &p, bench->quick ? POSES / 10 : POSES);
    if (room) {
        lt_distribution tests, time;
        add_ratios(bench, &ratios[0], "best first / fifo, over tests", &tests);
        add_ratios(bench, &ratios[1], "best first / fifo, over time", &time);
        lt_bench_check_value(bench, "sphere-tree.best-first-area-median", tests.median, "<=", 0.6);
        lt_bench_check_value(bench, "sphere-tree.best-first-area-p90", tests.p95, "<=", 1.0);
        status = write_picture(bench, &p, error);
    } else {
        status = lt_fail(error, LT_STATUS_MEMORY, "out of memory for curves");
    }
    for (int i = 0; i < 2; i++) {
        LT_DELETE(&bench->allocator, curves[i].points, POINTS_MAX, curve_point);
        lt_samples_free(&ratios[i]);
    }
    lt_rig_free(&rig);
    return status;
}
