/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What a step of a heap costs before anything is tested: boxes, broad phase, the queue of pairs. 256 soft balls on a
 * jittered grid, a floor and four walls; no body moves between repetitions. Times are the least of many, once with
 * everything in the cache and once after as much other memory was read as models would. */

#include "core_internal.h"

#include "bake/icosahedral.h"
#include "core/random.h"
#include "detect/detect.h"
#include "lithe/bake.h"
#include "measure.h"
#include "scenes/generate.h"

enum { BODIES = 256, WALLS = 5, PAIR_CAPACITY = 8192, SERVED = 100, OTHER_BYTES = 16 << 20 };
static const float DT = 1.0f / 60;
static const double RADIUS = 0.1, SPACING = 0.197;

typedef struct heap {
    lt_shape *shape;
    lt_carrier carrier;
    lt_skin skin;
    lt_soft softs[BODIES];
    lt_collider colliders[BODIES];
    lt_obstacle obstacles[WALLS];
    lt_pair_table pairs;
    lt_arena arena;
    uint8_t *other;  /* [OTHER_BYTES] */
    uint32_t *queue; /* [PAIR_CAPACITY] */
    uint32_t made;
} heap;

static lt_status bake_ball(heap *h, uint32_t layers, const lt_allocator *allocator, lt_error *error) {
    lt_tet_mesh mesh;
    lt_status status = lt_generate_tet_ball(&mesh, RADIUS, layers, allocator, error);
    if (status != LT_OK) return status;
    lt_bake_tets_def def = lt_bake_tets_def_default();
    def.node_positions = &mesh.positions[0].x;
    def.node_count = mesh.node_count;
    def.tets = mesh.tets;
    def.tet_count = mesh.tet_count;
    def.distance_resolution = 12;
    lt_bake_notes notes;
    status = lt_bake_tets(&def, &h->shape, &notes, error);
    lt_tet_mesh_free(&mesh);
    if (status == LT_OK) status = lt_carrier_read_finest(&h->carrier, h->shape, error);
    if (status == LT_OK) status = lt_skin_read(&h->skin, h->shape, &h->carrier, error);
    h->skin.scale = 1;
    return status;
}

/* 8 × 8 × 4, in an order of slots that has nothing to do with place. */
static lt_status place_balls(heap *h, const lt_allocator *allocator, lt_error *error) {
    lt_random random = lt_random_seed(1);
    for (uint32_t i = 0; i < BODIES; i++) {
        uint32_t at = i * 77 % BODIES;
        double jitter[3];
        for (int k = 0; k < 3; k++)
            jitter[k] = 0.02 * (double)lt_random_unit(&random);
        lt_soft_def def = {.model = LT_MODEL_COROTATIONAL,
                           .material = {1e5f, 0.4f, 1000, 0, 0, 0.3f},
                           .rotation = lt_dm3_identity(),
                           .scale = 1,
                           .max_substeps = 64,
                           .max_iterations = 100,
                           .tolerance = 1e-4f};
        def.position = (lt_dvec3){(at % 8) * SPACING + jitter[0], (at / 64) * SPACING + jitter[1],
                                  (at / 8 % 8) * SPACING + jitter[2]};
        def.velocity = (lt_vec3){0, -0.01f * lt_random_unit(&random), 0};
        lt_status status = lt_soft_create(&h->softs[i], &h->carrier, &def, allocator, error);
        if (status != LT_OK) return status;
        h->made = i + 1;
        h->colliders[i] = (lt_collider){.in_use = true,
                                        .group = 1,
                                        .mask = UINT32_MAX,
                                        .significance = 1,
                                        .soft = &h->softs[i],
                                        .skin = &h->skin};
    }
    return LT_OK;
}

static void place_walls(heap *h) {
    const lt_vec3 normals[WALLS] = {{0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    float far = (float)(7 * SPACING + RADIUS) + 0.02f, near = -(float)RADIUS;
    for (int i = 0; i < WALLS; i++) {
        lt_obstacle *o = &h->obstacles[i];
        *o = (lt_obstacle){.in_use = true,
                           .kind = LT_OBSTACLE_PLANE,
                           .local_normal = normals[i],
                           .group = 1,
                           .mask = UINT32_MAX};
        float at = normals[i].x + normals[i].z < 0 ? far : near;
        lt_obstacle_place(o, (lt_vec3){at, near, at}, (lt_quat){0, 0, 0, 1});
    }
}

static lt_status make_heap(heap *h, uint32_t layers, const lt_allocator *allocator, lt_error *error) {
    lt_status status = bake_ball(h, layers, allocator, error);
    if (status == LT_OK) status = place_balls(h, allocator, error);
    if (status != LT_OK) return status;
    place_walls(h);
    h->pairs = lt_pair_table_make(0);
    h->queue = LT_NEW(allocator, PAIR_CAPACITY, uint32_t);
    h->other = LT_NEW(allocator, OTHER_BYTES, uint8_t);
    bool ok = lt_arena_reserve(&h->arena, allocator, lt_broad_scratch(BODIES, PAIR_CAPACITY)) &&
              lt_pair_table_reserve(&h->pairs, PAIR_CAPACITY, allocator);
    if (ok && h->queue && h->other) return LT_OK;
    return lt_fail(error, LT_STATUS_MEMORY, "out of memory for a heap of %d balls", BODIES);
}

static void free_heap(heap *h, const lt_allocator *allocator) {
    for (uint32_t i = 0; i < h->made; i++)
        lt_soft_free(&h->softs[i]);
    lt_pair_table_free(&h->pairs, allocator);
    LT_DELETE(allocator, h->queue, PAIR_CAPACITY, uint32_t);
    LT_DELETE(allocator, h->other, OTHER_BYTES, uint8_t);
    lt_arena_free(&h->arena);
    lt_shape_release(h->shape);
}

static void spend_on(lt_cursor cursor) {
    while (cursor.peek(cursor.state).cost)
        cursor.step(cursor.state, UINT32_MAX);
}

static void fit_boxes(heap *h) {
    lt_measuring measuring = {.colliders = h->colliders,
                              .collider_count = BODIES,
                              .dt = DT,
                              .kernels = lt_bound_kernels_for(lt_simd_best())};
    spend_on(lt_measuring_cursor(&measuring));
}

static void find_pairs(heap *h) {
    lt_broad_input input = {.colliders = h->colliders,
                            .collider_count = BODIES,
                            .obstacles = h->obstacles,
                            .obstacle_count = WALLS,
                            .dt = DT,
                            .level = lt_simd_best()};
    lt_broad broad;
    lt_arena_reset(&h->arena);
    if (!LT_REQUIRE(lt_broad_begin(&broad, &input, &h->pairs, &h->arena))) return;
    spend_on(lt_broad_cursor(&broad));
}

static void serve_some(heap *h) {
    lt_scheduler scheduler;
    lt_scheduler_begin(&scheduler, lt_pair_turns(&h->pairs), h->queue);
    for (uint32_t i = 0; i < SERVED && lt_scheduler_next(&scheduler) != LT_NONE; i++)
        lt_scheduler_done(&scheduler);
    lt_scheduler_end(lt_pair_turns(&h->pairs));
}

static void shuffle_turns(heap *h) {
    lt_random random = lt_random_seed(2);
    for (uint32_t i = 0; i < h->pairs.count; i++)
        *lt_pair_turn_at(&h->pairs, i) =
            (lt_turn){.harm = lt_random_unit(&random), .age = lt_random_below(&random, 10)};
}

/* Reads a line of each, so that the heap has left the near caches. */
static void read_other_memory(heap *h) {
    volatile uint8_t sum = 0;
    for (size_t i = 0; i < OTHER_BYTES; i += 64)
        sum = (uint8_t)(sum + h->other[i]);
}

static double least_us(heap *h, void (*work)(heap *), bool far, int repetitions) {
    double best = 1e30;
    for (int i = 0; i < repetitions; i++) {
        shuffle_turns(h);
        if (far) read_other_memory(h);
        lt_stopwatch watch = lt_stopwatch_start();
        work(h);
        double us = lt_stopwatch_stop(watch).us;
        best = us < best ? us : best;
    }
    return best;
}

static void measure_heap(lt_bench *bench, heap *h) {
    int repetitions = bench->quick ? 10 : 200;
    fit_boxes(h);
    find_pairs(h);
    lt_bench_row_begin(bench, "fixed costs of a step");
    lt_bench_number(bench, "bodies", BODIES);
    lt_bench_number(bench, "nodes", h->carrier.node_count);
    lt_bench_number(bench, "tets", h->carrier.tet_count);
    lt_bench_number(bench, "pairs", h->pairs.count);
    lt_bench_number(bench, "boxes_us", least_us(h, fit_boxes, false, repetitions));
    lt_bench_number(bench, "broad_us", least_us(h, find_pairs, false, repetitions));
    lt_bench_number(bench, "queue_us", least_us(h, serve_some, false, repetitions));
    lt_bench_number(bench, "boxes_far_us", least_us(h, fit_boxes, true, repetitions));
    lt_bench_number(bench, "broad_far_us", least_us(h, find_pairs, true, repetitions));
    lt_bench_number(bench, "queue_far_us", least_us(h, serve_some, true, repetitions));
}

lt_status lt_core_fixed(lt_bench *bench, lt_error *error) {
    lt_status status = LT_OK;
    for (uint32_t layers = 2; layers <= 3 && status == LT_OK; layers++) {
        heap *h = LT_NEW(&bench->allocator, 1, heap);
        if (!h) return lt_fail(error, LT_STATUS_MEMORY, "out of memory for a heap of %d balls", BODIES);
        status = make_heap(h, layers, &bench->allocator, error);
        if (status == LT_OK) measure_heap(bench, h);
        free_heap(h, &bench->allocator);
        LT_DELETE(&bench->allocator, h, 1, heap);
    }
    return status;
}
