/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How far trees stand off their surface, as it is measured in print: the longest side is 2000 units, 642 directions. */

#include "sphere_internal.h"

#include "bake/rest_tree.h"
#include "bake/sphere_tree.h"
#include "core/os.h"
#include "measure.h"

#include <stdio.h>

enum { SAMPLES = 100000, LEVELS = 3 };

typedef struct quality_case {
    lt_rig_shape shape;
    lt_sphere_method method;
    double mean_bars[LEVELS], worst_bars[LEVELS]; /* levels 1 to 3; 0: none */
    double seconds_bar;
} quality_case;

static const quality_case CASES[] = {
    {LT_RIG_BUNNY, LT_SPHERES_MEDIAL, {240, 70, 14}, {325, 180, 95}, 20},
    {LT_RIG_BUNNY, LT_SPHERES_OCTREE, {0, 0, 0}, {0, 0, 0}, 0},
    {LT_RIG_ARMADILLO, LT_SPHERES_MEDIAL, {260, 70, 14}, {0, 0, 0}, 0},
};

static void case_name(char name[80], const quality_case *c, const char *what, int level) {
    if (level)
        snprintf(name, 80, "sphere-tree.%s-%s-level-%d", lt_rig_shape_name(c->shape), what, level);
    else
        snprintf(name, 80, "sphere-tree.%s-%s", lt_rig_shape_name(c->shape), what);
}

static void check_or_absent(lt_bench *bench, const char *name, double value, double bar, bool absent) {
    if (absent)
        lt_bench_check_absent(bench, name, "<=", bar, "needs the scan, and no --quick");
    else
        lt_bench_check_value(bench, name, value, "<=", bar);
}

static void add_levels(lt_bench *bench, const quality_case *c, const lt_sphere_measure *m, double unit,
                       double seconds, bool stand_in) {
    char name[80];
    double uncovered = 0;
    for (int level = 1; level <= LEVELS; level++) {
        double mean = m[level].mean_error * unit, worst = m[level].worst_error * unit;
        snprintf(name, sizeof name, "%s%s, %s, level %d", lt_rig_shape_name(c->shape),
                 stand_in ? "'s stand-in" : "", c->method == LT_SPHERES_MEDIAL ? "medial" : "octree", level);
        lt_bench_row_begin(bench, name);
        lt_bench_number(bench, "spheres", m[level].sphere_count);
        lt_bench_number(bench, "mean", mean);
        lt_bench_number(bench, "worst", worst);
        lt_bench_number(bench, "uncovered", m[level].uncovered_count);
        lt_bench_number(bench, "seconds", seconds);
        uncovered += m[level].uncovered_count;
        case_name(name, c, "mean-error", level);
        if (c->mean_bars[level - 1] > 0)
            check_or_absent(bench, name, mean, c->mean_bars[level - 1], stand_in);
        case_name(name, c, "worst-error", level);
        if (c->worst_bars[level - 1] > 0)
            check_or_absent(bench, name, worst, c->worst_bars[level - 1], stand_in);
    }
    case_name(name, c, c->method == LT_SPHERES_MEDIAL ? "uncovered" : "octree-uncovered", 0);
    lt_bench_check_value(bench, name, uncovered, "==", 0);
    case_name(name, c, "seconds", 0);
    if (c->seconds_bar > 0) check_or_absent(bench, name, seconds, c->seconds_bar, stand_in);
}

static lt_status measure_case(lt_bench *bench, const quality_case *c, lt_error *error) {
    lt_surface_recipe recipe = lt_rig_surface(c->shape, bench->quick);
    lt_surface surface;
    lt_rest_tree tree = {0};
    lt_sphere_measure measured[LT_SPHERE_LEVELS_MAX] = {0};
    lt_status status = lt_recipe_surface(&surface, &recipe, &bench->allocator, error);
    if (status != LT_OK) return status;
    lt_vec3 size = lt_v3_sub(lt_surface_box(&surface).hi, lt_surface_box(&surface).lo);
    double unit = 2000.0 / (double)lt_max_f(size.x, lt_max_f(size.y, size.z));
    lt_sphere_options options = lt_sphere_options_default();
    options.method = c->method;
    if (bench->quick) {
        options.samples = 2000;
        options.trials = 2;
    }
    uint64_t before = lt_os_thread_cpu_ns();
    status = lt_sphere_tree_make(&tree, &surface, &options, error);
    double seconds = (double)(lt_os_thread_cpu_ns() - before) * 1e-9;
    if (status == LT_OK)
        status = lt_sphere_tree_measure(measured, &tree, &surface, bench->quick ? SAMPLES / 10 : SAMPLES, 1,
                                        error);
    if (status == LT_OK) add_levels(bench, c, measured, unit, seconds, recipe.kind != LT_SURFACE_RECIPE_FILE);
    lt_rest_tree_free(&tree);
    lt_surface_free(&surface);
    return status;
}

lt_status lt_sphere_quality(lt_bench *bench, lt_error *error) {
    for (size_t i = 0; i < (bench->quick ? 2 : LT_COUNT_OF(CASES)); i++) {
        lt_status status = measure_case(bench, &CASES[i], error);
        if (status != LT_OK) return status;
    }
    return LT_OK;
}
