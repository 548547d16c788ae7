/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* 70,000 surface points in a carrier of 1,000 nodes, against a bare loop of 128-bit loads over the same
 * arrays: ids, weights, four nodes a point. The points are in random places, sorted by tet, as a surface's are. */

#include "core_internal.h"

#include "core/random.h"
#include "embed/embed.h"
#include "measure.h"
#include "scenes/generate.h"

enum { POINTS = 70000, CELLS = 9, ROUNDS = 200 };

typedef struct embedding_run {
    lt_tet_mesh mesh;
    uint32_t *ids;  /* [POINTS][4] */
    float *weights; /* [POINTS][4] */
    float *nodes;   /* [node_count][4] */
    lt_vec3 *out;   /* [POINTS] */
} embedding_run;

static bool fill_run(embedding_run *run, const lt_allocator *allocator) {
    uint32_t nodes = run->mesh.node_count, tets = run->mesh.tet_count;
    run->ids = LT_NEW(allocator, 4 * POINTS, uint32_t);
    run->weights = LT_NEW(allocator, 4 * POINTS, float);
    run->nodes = LT_NEW(allocator, 4 * (size_t)nodes, float);
    run->out = LT_NEW(allocator, POINTS, lt_vec3);
    if (!run->ids || !run->weights || !run->nodes || !run->out) return false;
    lt_random random = lt_random_seed(1);
    for (uint32_t i = 0; i < POINTS; i++) {
        uint32_t tet = (uint32_t)((uint64_t)i * tets / POINTS);
        float sum = 0;
        for (uint32_t k = 0; k < 4; k++) {
            run->ids[4 * i + k] = lt_tet_at(&run->mesh, tet)[k];
            sum += run->weights[4 * i + k] = lt_random_range(&random, 0.1f, 1);
        }
        for (uint32_t k = 0; k < 4; k++)
            run->weights[4 * i + k] /= sum;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        lt_vec3 p = lt_v3_from_d3(run->mesh.positions[i]);
        run->nodes[4 * i] = p.x;
        run->nodes[4 * i + 1] = p.y;
        run->nodes[4 * i + 2] = p.z;
    }
    return true;
}

static void free_run(embedding_run *run, const lt_allocator *allocator) {
    LT_DELETE(allocator, run->ids, 4 * POINTS, uint32_t);
    LT_DELETE(allocator, run->weights, 4 * POINTS, float);
    LT_DELETE(allocator, run->nodes, 4 * (size_t)run->mesh.node_count, float);
    LT_DELETE(allocator, run->out, POINTS, lt_vec3);
    lt_tet_mesh_free(&run->mesh);
}

/* Every load that the embedding cannot do without, and one store a point; next to no arithmetic. */
static void bare_loads(const embedding_run *run) {
    for (uint32_t i = 0; i < POINTS; i++) {
        const uint32_t *ids = run->ids + 4 * (size_t)i;
        lt_f4 sum = lt_f4_load(run->weights + 4 * (size_t)i);
        for (int k = 0; k < 4; k++)
            sum = lt_f4_add(sum, lt_f4_load(run->nodes + 4 * (size_t)ids[k]));
        float lanes[4];
        lt_f4_store(lanes, sum);
        run->out[i] = (lt_vec3){lanes[0], lanes[1], lanes[2]};
    }
}

static void embed(const embedding_run *run) {
    lt_skin skin = {.ids = run->ids, .weights = run->weights, .point_count = POINTS};
    lt_embed_positions(lt_embed_kernels_for(lt_simd_best()), run->out, &skin, run->nodes, 0, POINTS);
}

static double fastest(const embedding_run *run, void (*work)(const embedding_run *run)) {
    double best = 1e30;
    for (int round = 0; round < ROUNDS; round++) {
        lt_stopwatch watch = lt_stopwatch_start();
        work(run);
        double us = lt_stopwatch_stop(watch).us;
        best = us < best ? us : best;
    }
    return best;
}

lt_status lt_core_embedding(lt_bench *bench, lt_error *error) {
    embedding_run run = {0};
    const uint32_t cells[3] = {CELLS, CELLS, CELLS};
    lt_status status = lt_generate_tet_block(&run.mesh, (lt_dvec3){1, 1, 1}, cells, LT_TET_SPLIT_SIX,
                                             &bench->allocator, error);
    if (status == LT_OK && !fill_run(&run, &bench->allocator))
        status = lt_fail(error, LT_STATUS_MEMORY, "no memory for %d points", POINTS);
    if (status == LT_OK) {
        double bare = fastest(&run, bare_loads), embedded = fastest(&run, embed);
        lt_bench_row_begin(bench, "embedding");
        lt_bench_number(bench, "points", POINTS);
        lt_bench_number(bench, "nodes", run.mesh.node_count);
        lt_bench_number(bench, "embedding_us", embedded);
        lt_bench_number(bench, "bare_loads_us", bare);
        lt_bench_check_value(bench, "core.embedding-times-bare-loads", embedded / bare, "<", 1.5);
    }
    free_run(&run, &bench->allocator);
    return status;
}
