/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How long one collision cycle takes with 100,000 tets and 30,000 surface points: twenty tori, turned at random, that just
 * touch, and the same so near to each other that most points are inside. The cycle is the library's, from the copy of the
 * nodes to the last depth, on one thread, and then on two. Its time is wall time; phases on one thread are told apart by the
 * thread's processor time, read between pieces. */

#include "hash_internal.h"

#include "core/os.h"
#include "core/random.h"
#include "detect/penetration.h"
#include "measure.h"
#include "sphere_internal.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

enum {
    SIDE = 3,
    TORI = 20,
    SEGMENTS = 32,
    SURFACE_SEGMENTS = 57,
    FOUND_CAPACITY = 1 << 17,
    GRANT = 4096,
    LARGE_GRANT = 1 << 20
};

typedef struct heap {
    lt_scene scene;
    lt_scene_world built;
    lt_cycle cycle;
    lt_pair *pairs; /* [pair_capacity] */
    uint32_t pair_count, pair_capacity;
    lt_tasks *two;   /* threads */
    lt_found *found; /* [FOUND_CAPACITY] of a cycle on one thread */
    lt_allocator allocator;
} heap;

typedef struct timed {
    double wall_us;                         /* the least */
    double cpu_us, phase_us[LT_CYCLE_DONE]; /* of the repetition with the least */
    double units;
} timed;

/* Over all heaps. */
typedef struct two_threads {
    double least_speedup;
    double differing;
} two_threads;

/* ---- tori ---- */

static void fill_scene(lt_scene *scene, float spacing, bool quick) {
    const float major = 0.2f, minor = 0.1f;
    lt_surface_recipe surface = {.kind = LT_SURFACE_RECIPE_TORUS,
                                 .size = {major, 0.94f * minor, 0}, /* within the facets of the carrier */
                                 .cells = quick ? SURFACE_SEGMENTS / 3 : SURFACE_SEGMENTS};
    lt_carrier_recipe carrier = {.kind = LT_CARRIER_RECIPE_TORUS,
                                 .size = {major, minor, 0},
                                 .cells = {quick ? SEGMENTS / 2 : SEGMENTS, 0, 0}};
    lt_random random = lt_random_seed(100);
    uint32_t torus = lt_scene_add_shape(scene, surface, carrier);
    for (uint32_t i = 0; i < TORI; i++) {
        lt_vec3 at = {(float)(i % SIDE), (float)(i / SIDE % SIDE), (float)(i / (SIDE * SIDE))};
        lt_scene_add_body(scene, torus, lt_v3_scale(at, spacing))->rotation = lt_random_turn(&random);
    }
    scene->method = LT_METHOD_TET_HASH;
    scene->gravity = (lt_vec3){0, 0, 0};
    scene->sleeping = false;
    scene->contact_capacity = FOUND_CAPACITY;
}

static lt_status create_heap(heap *h, lt_bench *bench, float spacing, lt_error *error) {
    *h = (heap){.allocator = bench->allocator, .pair_capacity = TORI * (TORI + 1) / 2};
    h->scene = lt_scene_empty("tori-heap", &bench->allocator);
    fill_scene(&h->scene, spacing, bench->quick);
    lt_status status = lt_scene_build(&h->built, &h->scene, NULL, error);
    if (status != LT_OK) return status;
    h->pairs = LT_NEW(&h->allocator, h->pair_capacity, lt_pair);
    h->found = LT_NEW(&h->allocator, FOUND_CAPACITY, lt_found);
    h->two = lt_tasks_create(2, NULL, &h->allocator);
    if (!h->pairs || !h->found || !h->two)
        return lt_fail(error, LT_STATUS_MEMORY, "out of memory for pairs, contacts or threads");
    lt_collider *colliders = lt_collider_at(h->built.world, 0);
    for (uint32_t i = 0; i < TORI; i++)
        lt_collider_measure(&colliders[i], h->scene.dt, lt_bound_kernels_for(lt_simd_best()));
    return lt_cycle_reserve(&h->cycle, colliders, TORI, FOUND_CAPACITY, h->pair_capacity, &h->allocator,
                            error);
}

static void free_heap(heap *h) {
    if (h->cycle.nodes) lt_cycle_free(&h->cycle);
    LT_DELETE(&h->allocator, h->pairs, h->pair_capacity, lt_pair);
    LT_DELETE(&h->allocator, h->found, FOUND_CAPACITY, lt_found);
    lt_tasks_destroy(h->two);
    lt_scene_world_free(&h->built);
    lt_scene_free(&h->scene);
}

static void list_pairs(heap *h, bool with_self) {
    const lt_collider *colliders = lt_collider_at(h->built.world, 0);
    h->pair_count = 0;
    for (uint32_t a = 0; a < TORI; a++) {
        if (with_self) h->pairs[h->pair_count++] = (lt_pair){.a = a, .kind = LT_PAIR_SELF, .b = a};
        for (uint32_t b = a + 1; b < TORI; b++)
            if (lt_box_overlap(colliders[a].box, colliders[b].box))
                h->pairs[h->pair_count++] = (lt_pair){.a = a, .kind = LT_PAIR_BODIES, .b = b};
    }
}

/* ---- one cycle ---- */

/* What begins counts as the first phase. */
static timed run_cycle(heap *h, lt_tasks *tasks) {
    timed t = {0};
    lt_cycle *c = &h->cycle;
    lt_cycle_input input = {.colliders = lt_collider_at(h->built.world, 0),
                            .collider_count = TORI,
                            .pairs = h->pairs,
                            .pair_count = h->pair_count,
                            .dt = h->scene.dt,
                            .latency = 1,
                            .function = LT_SPATIAL_LINEAR,
                            .kernels = lt_embed_kernels_for(lt_simd_best()),
                            .cloud_kernels = lt_cloud_kernels_for(lt_simd_best()),
                            .tasks = tasks};
    lt_stopwatch watch = lt_stopwatch_start();
    t.units += lt_cycle_begin(c, &input);
    for (lt_cycle_phase phase = LT_CYCLE_EMBED; phase != LT_CYCLE_DONE; phase = c->phase) {
        while (c->phase == phase)
            t.units += lt_cycle_step(c, tasks ? LARGE_GRANT : GRANT); /* small ones part phases */
        double us = (double)(lt_os_thread_cpu_ns() - watch.cpu_ns) * 1e-3;
        t.phase_us[phase] = us - t.cpu_us;
        t.cpu_us = us;
    }
    t.wall_us = lt_stopwatch_seconds(watch) * 1e6;
    return t;
}

static double share_inside(const lt_cycle *c) {
    uint32_t inside = 0;
    for (uint32_t i = 0; i < c->point_count; i++)
        for (uint32_t k = c->first_found[i]; k != LT_NONE; k = c->found[k].next)
            if (k < c->inside_end) {
                inside++;
                break;
            }
    return (double)inside / c->point_count;
}

static timed quickest_cycle(heap *h, bool quick) {
    timed best = run_cycle(h, NULL);
    for (int i = 1; i < (quick ? 2 : 2 * LT_REPETITIONS); i++) {
        timed now = run_cycle(h, NULL);
        double wall_us = lt_min_d(now.wall_us, best.wall_us);
        if (now.cpu_us < best.cpu_us) best = now;
        best.wall_us = wall_us;
    }
    return best;
}

static void add_rows(lt_bench *bench, const heap *h, const char *what, const timed *t) {
    static const char *const names[LT_CYCLE_DONE] = {
        "copy_embed", "obstacles", "points",     "hash_points", "tets",   "paths", "hash_paths",
        "triangles",  "edges",     "hash_edges", "pierce",      "border", "spread"};
    const lt_cycle *c = &h->cycle;
    char label[64];
    snprintf(label, sizeof label, "cycle, %s", what);
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "ms", 1e-3 * t->wall_us);
    lt_bench_number(bench, "cpu_ms", 1e-3 * t->cpu_us);
    lt_bench_number(bench, "tets", c->tet_count);
    lt_bench_number(bench, "points", c->point_count);
    lt_bench_number(bench, "pairs", h->pair_count);
    lt_bench_number(bench, "hashed", c->near_points.count);
    lt_bench_number(bench, "edges", c->edge_count);
    lt_bench_number(bench, "inside_%", 100 * share_inside(c));
    lt_bench_number(bench, "inside", c->inside_count);
    lt_bench_number(bench, "found", c->found_count);
    lt_bench_number(bench, "dropped", c->dropped_count);
    lt_bench_number(bench, "units", t->units);
    snprintf(label, sizeof label, "  phases in ms, %s", what);
    lt_bench_row_begin(bench, label);
    for (int i = 0; i < LT_CYCLE_DONE; i++)
        if (i != LT_CYCLE_OBSTACLES)
            lt_bench_number(bench, names[i], 1e-3 * t->phase_us[i]); /* no obstacles */
}

/* What was found on two threads that is not the same as on one, bit for bit; other costs count as one more. */
static double count_differing(const heap *h, uint32_t count, double units, const timed *two) {
    const lt_cycle *c = &h->cycle;
    double differing = two->units != units;
    for (uint32_t i = 0; i < lt_max_u32(count, c->found_count); i++)
        differing += i >= lt_min_u32(count, c->found_count) ||
                     memcmp(&h->found[i], &c->found[i], sizeof *h->found) != 0;
    return differing;
}

/* By turns, so that whatever else runs on the machine is in the way of both; the least of many of each. */
static void time_threads(lt_bench *bench, heap *h, const char *what, two_threads *sum) {
    double one_us = 1e30, two_us = 1e30, differing = 0;
    char label[64];
    for (int i = 0; i < (bench->quick ? 2 : 6 * LT_REPETITIONS); i++) {
        timed one = run_cycle(h, NULL);
        uint32_t count = h->cycle.found_count;
        memcpy(h->found, h->cycle.found, count * sizeof *h->found);
        timed two = run_cycle(h, h->two);
        differing += count_differing(h, count, one.units, &two);
        one_us = lt_min_d(one_us, one.wall_us);
        two_us = lt_min_d(two_us, two.wall_us);
    }
    sum->differing += differing;
    sum->least_speedup = lt_min_d(sum->least_speedup, one_us / two_us);
    snprintf(label, sizeof label, "  on two threads, %s", what);
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "ms_one", 1e-3 * one_us);
    lt_bench_number(bench, "ms_two", 1e-3 * two_us);
    lt_bench_number(bench, "speedup", one_us / two_us);
    lt_bench_number(bench, "differing", differing);
}

static lt_status time_heap(lt_bench *bench, const char *what, const char *check, float spacing, double bar,
                           two_threads *threads, lt_error *error) {
    heap h;
    char label[48];
    lt_status status = create_heap(&h, bench, spacing, error);
    if (status == LT_OK) {
        list_pairs(&h, false);
        timed t = quickest_cycle(&h, bench->quick);
        add_rows(bench, &h, what, &t);
        if (bench->quick)
            lt_bench_check_absent(bench, check, "<=", bar, "needs all tets: no --quick");
        else
            lt_bench_check_value(bench, check, 1e-3 * t.wall_us, "<=", bar);
        time_threads(bench, &h, what, threads);
        list_pairs(&h, true);
        t = quickest_cycle(&h, bench->quick);
        snprintf(label, sizeof label, "%s, self-collision too", what);
        add_rows(bench, &h, label, &t);
    }
    free_heap(&h);
    return status;
}

lt_status lt_hash_speed(lt_bench *bench, lt_error *error) {
    static const char SPEEDUP_CHECK[] = "tet-hash.cycle-100k-two-threads";
    two_threads threads = {.least_speedup = 1e30};
    lt_status status =
        time_heap(bench, "in contact", "tet-hash.cycle-100k-contact-ms", 0.45f, 20, &threads, error);
    if (status == LT_OK)
        status =
            time_heap(bench, "in deep overlap", "tet-hash.cycle-100k-overlap-ms", 0.24f, 30, &threads, error);
    if (status != LT_OK) return status;
    if (bench->quick)
        lt_bench_check_absent(bench, SPEEDUP_CHECK, ">=", 1.6, "needs all tets: no --quick");
    else if (lt_os_processor_count() < 2)
        lt_bench_check_absent(bench, SPEEDUP_CHECK, ">=", 1.6, "needs two processors");
    else
        lt_bench_check_value(bench, SPEEDUP_CHECK, threads.least_speedup, ">=", 1.6);
    lt_bench_check_value(bench, "tet-hash.cycle-100k-two-threads-differing", threads.differing, "==", 0);
    return LT_OK;
}
