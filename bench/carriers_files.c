/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Every surface among the test meshes, closed, open and dirty: each is baked once. A bake proves containment
 * before it hands out a shape, so what is not a failure is contained. */

#include "carriers_internal.h"

#include "io/mesh_file.h"
#include "scenes/scene.h"

/* Quick runs stop at the gap. */
static const char *const FILES[] = {"hand_2390.off",
                                    "knot_6400.off",
                                    "grass_400blades_3600.obj",
                                    "teapot_6320.obj",
                                    "letter_B_232.off",
                                    NULL,
                                    "letter_A_44.off",
                                    "letter_C_196.off",
                                    "letter_G_212.off",
                                    "letter_O_192.off",
                                    "letter_S_300.off",
                                    "torus_4096.obj",
                                    "mushroom_open_4608.off",
                                    "elephant_5558.off",
                                    "spot_5856.obj",
                                    "torus_knot_8000.obj",
                                    "fertility_9000.off",
                                    "knots2_11520.off",
                                    "cheburashka_13334.off",
                                    "cheese_17786.off",
                                    "camel_19536.off",
                                    "chinese_dragon_19994.off",
                                    "buddha_20000.ply",
                                    "bear_27648.ply",
                                    "bunny_closed_35000.ply",
                                    "buddha_51414.ply",
                                    "armadillo_52000.ply",
                                    "bunny_69451.ply",
                                    "bunny_closed_75408.ply",
                                    "armadillo_86482.ply",
                                    "horse_96966.ply",
                                    "dragon_100000.ply",
                                    "buddha_100000_dirty.ply",
                                    "dragon_202520_dirty.ply",
                                    "dragon_293228_dirty.ply"};

typedef struct worst {
    uint32_t baked, failed;
    double seconds, peak_bytes;
} worst;

static void add_failure(lt_bench *bench, const char *name, const lt_error *error, worst *w) {
    lt_bench_row_begin(bench, name);
    lt_bench_text(bench, "failure", error->message);
    w->failed++;
}

static lt_status bake_file(lt_bench *bench, const char *name, const char *path, worst *w, lt_error *error) {
    lt_mesh_file file;
    lt_measured_bake bake = {0};
    lt_status status = lt_mesh_file_load(path, &bench->allocator, &file, error);
    const lt_surface surface = lt_mesh_file_surface(&file);
    if (status == LT_OK)
        status = lt_measure_bake(&bake, &surface, name, LT_CARRIERS_TARGET, &bench->allocator, error);
    lt_mesh_file_free(&file);
    w->baked++;
    w->seconds = lt_max_d(w->seconds, bake.seconds);
    w->peak_bytes = lt_max_d(w->peak_bytes, (double)bake.meter.peak);
    if (status == LT_OK) lt_bench_bake_row(bench, name, &bake);
    lt_shape_release(bake.shape);
    if (status == LT_STATUS_MEMORY) return status;
    if (status != LT_OK) add_failure(bench, name, error, w);
    return LT_OK;
}

static const char FAILURES[] = "carriers.files-failed-or-not-contained";
static const char SECONDS[] = "carriers.files-worst-seconds";
static const char MEMORY[] = "carriers.files-worst-gib";

lt_status lt_carriers_files(lt_bench *bench, lt_error *error) {
    worst w = {0};
    char path[LT_SCENE_PATH];
    for (size_t i = 0; i < LT_COUNT_OF(FILES); i++) {
        if (!FILES[i] && bench->quick) break;
        if (!FILES[i] || !lt_find_mesh(FILES[i], path)) continue;
        lt_status status = bake_file(bench, FILES[i], path, &w, error);
        if (status != LT_OK) return status;
    }
    if (w.baked == 0) {
        const char *reason = "no test meshes in $LITHE_MESHES or ../shared/meshes";
        lt_bench_check_absent(bench, FAILURES, "==", 0.0, reason);
        lt_bench_check_absent(bench, SECONDS, "<", 15.0, reason);
        lt_bench_check_absent(bench, MEMORY, "<", 1.0, reason);
        return LT_OK;
    }
    lt_bench_check_value(bench, FAILURES, w.failed, "==", 0.0);
    lt_bench_check_value(bench, SECONDS, w.seconds, "<", 15.0);
    lt_bench_check_value(bench, MEMORY, w.peak_bytes / (double)(1u << 30), "<", 1.0);
    return LT_OK;
}
