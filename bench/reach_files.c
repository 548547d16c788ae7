/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Mesh files: how fast OBJ and binary PLY are read from memory, and how long a large PLY takes from file to file with
 * everything that is mended on the way. The readers get a thin ring of as many triangles as the dragon has; so does
 * the way from file to file where the dragon is not at hand. */

#include "reach_internal.h"

#include "bake/repair.h"
#include "core/os.h"
#include "io/mesh_file.h"
#include "io/write.h"
#include "measure.h"
#include "scenes/generate.h"
#include "scenes/scene.h"

#include <stdio.h>

/* 2 * 5639 * 26 = 293228 triangles. */
enum { SEGMENTS = 5639, TUBE_SEGMENTS = 26, QUICK_SEGMENTS = 300 };
enum { READS = 15, TRIPS = 3 };

static const char DRAGON[] = "dragon_293228_dirty.ply";
/* In the present folder; removed. */
static const char OBJ_NAME[] = "lithe-bench-reach.obj";
static const char PLY_NAME[] = "lithe-bench-reach.ply";
static const char BACK_NAME[] = "lithe-bench-reach-back.ply";

static lt_status make_ring(lt_surface *out, bool quick, const lt_allocator *allocator, lt_error *error) {
    uint32_t segments = quick ? QUICK_SEGMENTS : SEGMENTS;
    return lt_generate_torus(out, 1.0, (double)TUBE_SEGMENTS / segments, segments, allocator, error);
}

/* ---- reading ---- */

/* Processor time of the thread: one core, whatever else runs. */
static lt_status time_reads(lt_bench *bench, lt_samples *samples, const uint8_t *bytes, size_t size,
                            const char *name, lt_error *error) {
    lt_status status = LT_OK;
    for (int i = 0; status == LT_OK && i < (bench->quick ? 2 : READS); i++) {
        lt_mesh_file file;
        uint64_t begin = lt_os_thread_cpu_ns();
        status = lt_mesh_file_from_memory(bytes, size, name, &bench->allocator, &file, error);
        lt_sample sample = {.us = (double)(lt_os_thread_cpu_ns() - begin) * 1e-3};
        lt_mesh_file_free(&file);
        if (status == LT_OK && !lt_samples_add(samples, sample))
            status = lt_fail(error, LT_STATUS_MEMORY, "bench reach: out of memory");
    }
    return status;
}

static lt_status measure_reader(lt_bench *bench, const char *label, const char *check, double bar,
                                const char *path, lt_error *error) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    lt_status status = lt_os_read_file(path, &bench->allocator, &bytes, &size, error);
    if (status != LT_OK) return status;
    lt_samples samples = lt_samples_begin(&bench->allocator);
    status = time_reads(bench, &samples, bytes, size, path, error);
    lt_release(&bench->allocator, bytes, size, 1);
    lt_distribution us = lt_samples_distribution(&samples, true);
    lt_samples_free(&samples);
    if (status != LT_OK) return status;
    double speed = (double)size / lt_max_d(us.median, 1e-9); /* bytes per µs: MB/s */
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "MB", (double)size * 1e-6);
    lt_bench_number(bench, "median ms", us.median * 1e-3);
    lt_bench_number(bench, "worst ms", us.worst * 1e-3);
    lt_bench_number(bench, "MB/s", speed);
    if (bench->quick)
        lt_bench_check_absent(bench, check, ">=", bar, "needs the large mesh: no --quick");
    else
        lt_bench_check_value(bench, check, speed, ">=", bar);
    return LT_OK;
}

static lt_status measure_readers(lt_bench *bench, lt_error *error) {
    lt_surface ring = {0};
    lt_status status = make_ring(&ring, bench->quick, &bench->allocator, error);
    if (status == LT_OK) status = lt_write_obj(OBJ_NAME, &ring, NULL, error);
    if (status == LT_OK) status = lt_write_ply(PLY_NAME, &ring, error);
    lt_surface_free(&ring);
    if (status == LT_OK)
        status = measure_reader(bench, "OBJ, from memory", "reach.obj-read-mb-per-s", 100.0, OBJ_NAME, error);
    if (status == LT_OK)
        status = measure_reader(bench, "binary PLY, from memory", "reach.ply-read-mb-per-s", 300.0, PLY_NAME,
                                error);
    remove(OBJ_NAME);
    remove(PLY_NAME);
    return status;
}

/* ---- from file to file ---- */

typedef struct trip {
    uint32_t triangles_in, triangles_out;
    double read_s, repair_s, write_s;
} trip;

static double trip_seconds(const trip *t) {
    return t->read_s + t->repair_s + t->write_s;
}

static lt_status make_trip(lt_bench *bench, const char *path, trip *t, lt_error *error) {
    lt_mesh_file file;
    lt_surface whole = {0};
    lt_stopwatch watch = lt_stopwatch_start();
    lt_status status = lt_mesh_file_load(path, &bench->allocator, &file, error);
    t->read_s = lt_stopwatch_seconds(watch);
    watch = lt_stopwatch_start();
    const lt_surface surface = lt_mesh_file_surface(&file);
    if (status == LT_OK) status = lt_repair(&surface, &whole, NULL, &bench->allocator, error);
    t->repair_s = lt_stopwatch_seconds(watch);
    watch = lt_stopwatch_start();
    if (status == LT_OK) status = lt_write_ply(BACK_NAME, &whole, error);
    t->write_s = lt_stopwatch_seconds(watch);
    t->triangles_in = surface.triangle_count;
    t->triangles_out = whole.triangle_count;
    lt_surface_free(&whole);
    lt_mesh_file_free(&file);
    remove(BACK_NAME);
    return status;
}

/* The quickest of some: disks have moods. */
static lt_status measure_trip(lt_bench *bench, const char *path, const char *mesh, lt_error *error) {
    static const char check[] = "reach.ply-read-repaired-written-s";
    trip best = {0};
    for (int i = 0; i < (bench->quick ? 1 : TRIPS); i++) {
        trip t = {0};
        lt_status status = make_trip(bench, path, &t, error);
        if (status != LT_OK) return status;
        if (i == 0 || trip_seconds(&t) < trip_seconds(&best)) best = t;
    }
    lt_bench_row_begin(bench, "PLY, read, repaired, written");
    lt_bench_text(bench, "mesh", mesh);
    lt_bench_number(bench, "triangles", best.triangles_in);
    lt_bench_number(bench, "left", best.triangles_out);
    lt_bench_number(bench, "read s", best.read_s);
    lt_bench_number(bench, "repair s", best.repair_s);
    lt_bench_number(bench, "write s", best.write_s);
    if (bench->quick)
        lt_bench_check_absent(bench, check, "<", 1.5, "needs the large mesh: no --quick");
    else
        lt_bench_check_value(bench, check, trip_seconds(&best), "<", 1.5);
    return LT_OK;
}

static lt_status measure_trips(lt_bench *bench, lt_error *error) {
    char path[LT_SCENE_PATH];
    if (!bench->quick && lt_find_mesh(DRAGON, path)) return measure_trip(bench, path, DRAGON, error);
    lt_surface ring = {0};
    lt_status status = make_ring(&ring, bench->quick, &bench->allocator, error);
    if (status == LT_OK) status = lt_write_ply(PLY_NAME, &ring, error);
    lt_surface_free(&ring);
    if (status == LT_OK) status = measure_trip(bench, PLY_NAME, "a ring, made", error);
    remove(PLY_NAME);
    return status;
}

lt_status lt_reach_files(lt_bench *bench, lt_error *error) {
    lt_status status = measure_readers(bench, error);
    return status == LT_OK ? measure_trips(bench, error) : status;
}
