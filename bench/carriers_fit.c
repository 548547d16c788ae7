/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How tightly carriers of about 2,000 tets sit, how good their tets are, and what they weigh: on four scans
 * where they are to be had, and on generated shapes always. */

#include "carriers_internal.h"

#include "scenes/scene.h"

#include <math.h>
#include <stdio.h>

typedef struct fit_case {
    const char *label;
    const char *file; /* NULL: generated */
    lt_surface_recipe_kind generated;
    double bar; /* of the ratio; 0: only a row */
} fit_case;

static const fit_case CASES[] = {
    {"bunny", "bunny_closed_35000.ply", LT_SURFACE_RECIPE_FILE, 1.15},
    {"armadillo", "armadillo_52000.ply", LT_SURFACE_RECIPE_FILE, 1.25},
    {"bear", "bear_27648.ply", LT_SURFACE_RECIPE_FILE, 1.12},
    {"knot", "knot_6400.off", LT_SURFACE_RECIPE_FILE, 1.2},
    {"bear, generated", NULL, LT_SURFACE_RECIPE_BEAR, 0},
    {"knot, generated", NULL, LT_SURFACE_RECIPE_KNOT, 0},
    {"torus, generated", NULL, LT_SURFACE_RECIPE_TORUS, 0},
};

typedef struct fit_worst {
    uint32_t measured;
    double dihedral, mass_error;
} fit_worst;

static void ratio_name(char name[80], const fit_case *c) {
    snprintf(name, 80, "carriers.ratio-%s", c->label);
}

static void add_case(lt_bench *bench, const fit_case *c, const lt_measured_bake *bake, double volume,
                     fit_worst *w) {
    double mass_error = fabs(bake->filled_volume / volume - 1.0);
    char label[64], name[80];
    snprintf(label, sizeof label, "fit: %s", c->label);
    lt_bench_bake_row(bench, label, bake);
    lt_bench_number(bench, "mass_error", mass_error);
    if (c->bar == 0.0) return;
    ratio_name(name, c);
    lt_bench_check_value(bench, name, bake->notes.carrier_volume / volume, "<=", c->bar);
    w->dihedral = w->measured ? lt_min_d(w->dihedral, bake->least_dihedral) : bake->least_dihedral;
    w->mass_error = lt_max_d(w->mass_error, mass_error);
    w->measured++;
}

static lt_status fit_one(lt_bench *bench, const fit_case *c, fit_worst *w, lt_error *error) {
    lt_surface_recipe recipe = {.kind = c->generated, .size = {1, 1, 0}, .cells = 96, .triangles = 8000};
    char path[LT_SCENE_PATH], name[80];
    if (c->generated == LT_SURFACE_RECIPE_TORUS) recipe.size.y = 0.35f;
    if (c->file && !lt_find_mesh(c->file, path)) {
        ratio_name(name, c);
        lt_bench_check_absent(bench, name, "<=", c->bar, "no such mesh in $LITHE_MESHES or ../shared/meshes");
        return LT_OK;
    }
    if (c->file) snprintf(recipe.path, sizeof recipe.path, "%s", c->file);
    lt_surface surface;
    lt_measured_bake bake = {0};
    lt_status status = lt_recipe_surface(&surface, &recipe, &bench->allocator, error);
    if (status != LT_OK) return status;
    status = lt_measure_bake(&bake, &surface, c->label, LT_CARRIERS_TARGET, &bench->allocator, error);
    if (status == LT_OK) add_case(bench, c, &bake, lt_surface_volume(&surface), w);
    lt_shape_release(bake.shape);
    lt_surface_free(&surface);
    return status;
}

static const char DIHEDRAL[] = "carriers.least-dihedral-degrees";
static const char MASS[] = "carriers.mass-error";

lt_status lt_carriers_fit(lt_bench *bench, lt_error *error) {
    fit_worst w = {0};
    for (size_t i = 0; i < LT_COUNT_OF(CASES); i++) {
        lt_status status = fit_one(bench, &CASES[i], &w, error);
        if (status != LT_OK) return status;
    }
    if (w.measured == 0) {
        const char *reason = "none of the four scans is in $LITHE_MESHES or ../shared/meshes";
        lt_bench_check_absent(bench, DIHEDRAL, ">=", 15.0, reason);
        lt_bench_check_absent(bench, MASS, "<", 0.01, reason);
        return LT_OK;
    }
    lt_bench_check_value(bench, DIHEDRAL, w.dihedral, ">=", 15.0);
    lt_bench_check_value(bench, MASS, w.mass_error, "<", 0.01);
    return LT_OK;
}
