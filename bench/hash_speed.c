/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How long one collision cycle takes with 100,000 tets and 30,000 surface points: twenty tori, turned at random, that just
 * touch, and the same so near to each other that most points are inside. The cycle is the library's, from the copy of the
 * nodes to the last depth, on one thread. Its time is wall time; phases are told apart by the thread's processor time,
 * read between pieces. */

#include "hash_parts.h"

#include "core/os.h"
#include "core/random.h"
#include "detect/penetration.h"
#include "measure.h"
#include "sphere_parts.h"
#include "world/world.h"

#include <stdio.h>

enum { SIDE = 3, TORI = 20, SEGMENTS = 32, SURFACE_SEGMENTS = 57, FOUND_CAPACITY = 1 << 17, GRANT = 4096 };

typedef struct heap {
    lt_scene scene;
    lt_scene_world built;
    lt_cycle cycle;
    lt_pair *pairs; /* [pair_capacity] */
    uint32_t pair_count, pair_capacity;
    lt_allocator allocator;
} heap;

typedef struct timed {
    double wall_us;                         /* the least */
    double cpu_us, phase_us[LT_CYCLE_DONE]; /* of the repetition with the least */
    double units;
} timed;

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
    if (!h->pairs) return lt_fail(error, LT_STATUS_MEMORY, "out of memory for pairs");
    lt_collider *colliders = lt_collider_at(h->built.world, 0);
    for (uint32_t i = 0; i < TORI; i++)
        lt_collider_measure(&colliders[i], h->scene.dt, lt_bound_kernels_for(lt_simd_best()));
    return lt_cycle_reserve(&h->cycle, colliders, TORI, FOUND_CAPACITY, h->pair_capacity, &h->allocator,
                            error);
}

static void free_heap(heap *h) {
    if (h->cycle.nodes) lt_cycle_free(&h->cycle);
    LT_DELETE(&h->allocator, h->pairs, h->pair_capacity, lt_pair);
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
static timed run_cycle(heap *h) {
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
                            .cloud_kernels = lt_cloud_kernels_for(lt_simd_best())};
    lt_stopwatch watch = lt_stopwatch_start();
    t.units += lt_cycle_begin(c, &input);
    for (lt_cycle_phase phase = LT_CYCLE_EMBED; phase != LT_CYCLE_DONE; phase = c->phase) {
        while (c->phase == phase)
            t.units += lt_cycle_step(c, GRANT);
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
    timed best = run_cycle(h);
    for (int i = 1; i < (quick ? 2 : 2 * LT_REPETITIONS); i++) {
        timed now = run_cycle(h);
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
            lt_bench_number(bench, names[i], 1e-3 * t->phase_us[i]); /* there are none */
}

static lt_status time_heap(lt_bench *bench, const char *what, const char *check, float spacing, double bar,
                           lt_error *error) {
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
        list_pairs(&h, true);
        t = quickest_cycle(&h, bench->quick);
        snprintf(label, sizeof label, "%s, self-collision too", what);
        add_rows(bench, &h, label, &t);
    }
    free_heap(&h);
    return status;
}

lt_status lt_hash_speed(lt_bench *bench, lt_error *error) {
    lt_status status = time_heap(bench, "in contact", "tet-hash.cycle-100k-contact-ms", 0.45f, 20, error);
    if (status == LT_OK)
        status = time_heap(bench, "in deep overlap", "tet-hash.cycle-100k-overlap-ms", 0.24f, 30, error);
    lt_bench_check_absent(bench, "tet-hash.cycle-100k-two-threads", ">=", 1.6,
                          "a collision cycle runs on one thread");
    lt_bench_check_absent(bench, "tet-hash.cycle-100k-two-threads-differing", "==", 0,
                          "a collision cycle runs on one thread");
    return status;
}
