/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The file of a baked shape: how long loading it takes, every check included, and whether a damaged byte can
 * go unnoticed. */

#include "carriers_internal.h"

#include "core/os.h"
#include "measure.h"
#include "scenes/scene.h"

#include <stdio.h>

static const char FILE_NAME[] = "lithe-bench-carriers.lithe"; /* in the present folder; removed */
static const char LOAD[] = "carriers.bunny-loads-ms";

/* ---- loading ---- */

static lt_status fastest_load(double *ms, lt_error *error) {
    *ms = 1e30;
    for (int i = 0; i < LT_REPETITIONS; i++) {
        lt_shape *shape;
        lt_stopwatch watch = lt_stopwatch_start();
        lt_status status = lt_shape_load(FILE_NAME, NULL, &shape, error);
        double spent = lt_stopwatch_stop(watch).us * 1e-3;
        if (status != LT_OK) return status;
        lt_shape_release(shape);
        *ms = lt_min_d(*ms, spent);
    }
    return LT_OK;
}

static lt_status measure_load(lt_bench *bench, const lt_surface_recipe *recipe, const char *label,
                              bool is_checked, lt_error *error) {
    lt_surface surface;
    lt_measured_bake bake = {0};
    double ms = 0.0;
    lt_status status = lt_recipe_surface(&surface, recipe, &bench->allocator, error);
    if (status != LT_OK) return status;
    status = lt_measure_bake(&bake, &surface, label, LT_CARRIERS_TARGET, &bench->allocator, error);
    if (status == LT_OK) status = lt_shape_save(bake.shape, FILE_NAME, error);
    if (status == LT_OK) {
        status = fastest_load(&ms, error);
        remove(FILE_NAME);
    }
    if (status == LT_OK) {
        lt_bench_row_begin(bench, "loading a shape");
        lt_bench_text(bench, "of", label);
        lt_bench_number(bench, "mib", (double)lt_shape_size(bake.shape) / (1 << 20));
        lt_bench_number(bench, "load_ms", ms);
        if (is_checked) lt_bench_check_value(bench, LOAD, ms, "<", 5.0);
    }
    lt_shape_release(bake.shape);
    lt_surface_free(&surface);
    return status;
}

static lt_status measure_loads(lt_bench *bench, lt_error *error) {
    const char *bunny = bench->quick ? "bunny_closed_35000.ply" : "bunny_closed_75408.ply";
    lt_surface_recipe bear = {.kind = LT_SURFACE_RECIPE_BEAR, .size = {0, 1, 0}, .triangles = 8000};
    lt_surface_recipe scan = {.kind = LT_SURFACE_RECIPE_FILE};
    char path[LT_SCENE_PATH];
    lt_status status = measure_load(bench, &bear, "bear, generated", false, error);
    if (status != LT_OK) return status;
    if (lt_find_mesh(bunny, path)) {
        snprintf(scan.path, sizeof scan.path, "%s", bunny);
        return measure_load(bench, &scan, "bunny", true, error);
    }
    lt_bench_check_absent(bench, LOAD, "<", 5.0, "no bunny in $LITHE_MESHES or ../shared/meshes");
    return LT_OK;
}

/* ---- damage ---- */

/* Every byte in turn, one of its bits, and all of them. */
static uint64_t count_undetected(uint8_t *bytes, size_t size) {
    uint64_t undetected = 0;
    for (size_t i = 0; i < 2 * size; i++) {
        uint8_t damage = i & 1 ? 0xff : (uint8_t)(1u << (i / 2 % 8));
        lt_shape *shape;
        bytes[i / 2] ^= damage;
        if (lt_shape_from_memory(bytes, size, NULL, &shape, NULL) == LT_OK) {
            undetected++;
            lt_shape_release(shape);
        }
        bytes[i / 2] ^= damage;
    }
    return undetected;
}

/* A ball of 20 triangles in a few tets, with a coarse distance grid: all chunks, few bytes. */
static lt_status bake_small(lt_shape **out, const lt_allocator *allocator, lt_error *error) {
    lt_surface surface;
    lt_surface_recipe recipe = {.kind = LT_SURFACE_RECIPE_SPHERE, .size = {1, 0, 0}};
    *out = NULL;
    lt_status status = lt_recipe_surface(&surface, &recipe, allocator, error);
    if (status != LT_OK) return status;
    lt_bake_surface_def def = lt_bake_surface_def_of(&surface);
    def.target_tets = 24;
    def.distance_resolution = 4;
    status = lt_bake_surface(&def, out, NULL, error);
    lt_surface_free(&surface);
    return status;
}

static lt_status measure_damage(lt_bench *bench, lt_error *error) {
    lt_shape *shape;
    uint8_t *bytes;
    size_t size;
    lt_status status = bake_small(&shape, &bench->allocator, error);
    if (status == LT_OK) status = lt_shape_save(shape, FILE_NAME, error);
    lt_shape_release(shape);
    if (status != LT_OK) return status;
    status = lt_os_read_file(FILE_NAME, &bench->allocator, &bytes, &size, error);
    remove(FILE_NAME);
    if (status != LT_OK) return status;
    uint64_t undetected = count_undetected(bytes, size);
    lt_shape *whole;
    status = lt_shape_from_memory(bytes, size, &bench->allocator, &whole, error);
    lt_shape_release(whole);
    lt_release(&bench->allocator, bytes, size, 1);
    if (status != LT_OK) return status; /* refusing everything would be no detection */
    lt_bench_row_begin(bench, "damaged bytes");
    lt_bench_number(bench, "bytes", (double)size);
    lt_bench_number(bench, "tried", 2.0 * (double)size);
    lt_bench_number(bench, "undetected", (double)undetected);
    lt_bench_check_value(bench, "carriers.damaged-bytes-undetected", (double)undetected, "==", 0.0);
    return LT_OK;
}

lt_status lt_carriers_store(lt_bench *bench, lt_error *error) {
    lt_status status = measure_loads(bench, error);
    return status == LT_OK ? measure_damage(bench, error) : status;
}
