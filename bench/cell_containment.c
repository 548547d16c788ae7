/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Is what is embedded in a cell in its box, however the cell is deformed? A million cells, each with its own nodes, moved at
 * random by up to one cell; of every one forty points of its tight box. By the maximum rule none may be outside; as the
 * paper prints the planes, many are (errata J3 and J4), and how many is told. */

#include "cell_internal.h"

#include "bench/whole/whole.h"
#include "bound/cell_boxes.h"
#include "core/random.h"

#include <stdio.h>

enum { BATCH = 4096, POINTS = 32 };
static const float CELL_SIZE = 0.1f;
static const float noises[] = {0.2f, 0.3f, 0.5f, 1.0f}; /* of a cell, along every axis */

/* As many cells as one batch has, apart from each other. */
typedef struct crowd {
    uint32_t *cells;  /* [BATCH][8] */
    uint32_t *places; /* [BATCH] */
    float *tight;     /* [BATCH][6] */
    float *nodes;     /* [BATCH × 8][4] */
    lt_cell_layout layout;
    lt_cell_boxes boxes[2]; /* by the maximum rule, as printed */
    lt_allocator allocator;
} crowd;

typedef struct outside {
    uint64_t boxes, points;
} outside;

/* ---- cells ---- */

static void fill_cells(crowd *c, lt_random *random) {
    for (uint32_t i = 0; i < BATCH; i++) {
        c->places[i] = lt_cell_place(2 * (i % 16), 2 * (i / 16 % 16), 2 * (i / 256));
        for (uint32_t j = 0; j < LT_CELL_CORNERS; j++)
            c->cells[8 * i + j] = 8 * i + j;
        for (int axis = 0; axis < 3; axis++) {
            float a = lt_random_unit(random), b = lt_random_unit(random);
            c->tight[6 * i + axis] = lt_min_f(a, b);
            c->tight[6 * i + axis + 3] = lt_min_f(1.0f, lt_max_f(a, b) + 1e-3f);
        }
    }
}

static lt_status create_crowd(crowd *c, lt_bench *bench, lt_random *random, lt_error *error) {
    *c = (crowd){.allocator = bench->allocator};
    c->cells = LT_NEW(&c->allocator, 8 * BATCH, uint32_t);
    c->places = LT_NEW(&c->allocator, BATCH, uint32_t);
    c->tight = LT_NEW(&c->allocator, 6 * BATCH, float);
    c->nodes = LT_NEW(&c->allocator, 32 * BATCH, float);
    if (!c->cells || !c->places || !c->tight || !c->nodes)
        return lt_fail(error, LT_STATUS_MEMORY, "out of memory for cells");
    fill_cells(c, random);
    const lt_cell_layout_def def = {.cells = c->cells,
                                    .places = c->places,
                                    .tight = c->tight,
                                    .cell_count = BATCH,
                                    .node_count = 8 * BATCH};
    lt_status status = lt_cell_layout_create(&c->layout, &def, &c->allocator, error);
    for (int i = 0; i < 2 && status == LT_OK; i++)
        status = lt_cell_boxes_create(&c->boxes[i], &c->layout, CELL_SIZE, i == 1, lt_simd_best(),
                                      &c->allocator, error);
    return status;
}

static void free_crowd(crowd *c) {
    for (int i = 0; i < 2; i++)
        lt_cell_boxes_free(&c->boxes[i]);
    lt_cell_layout_free(&c->layout);
    LT_DELETE(&c->allocator, c->cells, 8 * BATCH, uint32_t);
    LT_DELETE(&c->allocator, c->places, BATCH, uint32_t);
    LT_DELETE(&c->allocator, c->tight, 6 * BATCH, float);
    LT_DELETE(&c->allocator, c->nodes, 32 * BATCH, float);
}

/* Cubes anywhere within some metres, every corner moved on its own. */
static void deform(crowd *c, lt_random *random, float noise) {
    lt_box around = lt_box_empty();
    for (uint32_t i = 0; i < BATCH; i++) {
        float at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = lt_random_range(random, -3, 3);
        for (uint32_t j = 0; j < LT_CELL_CORNERS; j++) {
            float *node = c->nodes + 4 * (8 * i + j);
            for (int axis = 0; axis < 3; axis++)
                node[axis] =
                    at[axis] + CELL_SIZE * ((float)(j >> axis & 1) + lt_random_range(random, -noise, noise));
            around = lt_box_add_point(around, (lt_vec3){node[0], node[1], node[2]});
        }
    }
    for (int i = 0; i < 2; i++) {
        lt_cell_boxes_begin(&c->boxes[i], c->nodes, around);
        lt_cell_boxes_fit(&c->boxes[i]);
    }
}

/* ---- points ---- */

/* The first eight are the corners of the tight box, the others anywhere in it. */
static lt_dvec3 embedded_point(const crowd *c, uint32_t box, uint32_t index, lt_random *random) {
    const uint32_t *nodes = c->layout.nodes + 8 * (size_t)box;
    double place[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        double lo = lt_cell_tight(&c->layout, box, axis), hi = lt_cell_tight(&c->layout, box, axis + 3);
        double share = index < 8 ? (double)(index >> axis & 1) : (double)lt_random_unit(random);
        place[axis] = lo + share * (hi - lo);
    }
    lt_dvec3 point = {0, 0, 0};
    for (uint32_t j = 0; j < LT_CELL_CORNERS; j++) {
        const float *x = c->nodes + 4 * (size_t)nodes[j];
        double weight = 1;
        for (uint32_t axis = 0; axis < 3; axis++)
            weight *= j >> axis & 1 ? place[axis] : 1 - place[axis];
        point = lt_d3_mad(point, (lt_dvec3){x[0], x[1], x[2]}, weight);
    }
    return point;
}

static bool is_behind_planes(const lt_cell_box *box, lt_dvec3 p) {
    for (uint32_t i = 0; i < box->plane_count; i++) {
        double along = (double)box->planes[0][i] * p.x + (double)box->planes[1][i] * p.y +
                       (double)box->planes[2][i] * p.z;
        if (along > (double)box->planes[3][i]) return false;
    }
    return true;
}

static bool is_in_aabb(const lt_cell_boxes *boxes, uint32_t box, lt_dvec3 p) {
    lt_box aabb = lt_cell_boxes_aabb(boxes, box);
    for (int axis = 0; axis < 3; axis++)
        if (lt_d3_get(p, axis) < (double)lt_v3_get(aabb.lo, axis) ||
            lt_d3_get(p, axis) > (double)lt_v3_get(aabb.hi, axis))
            return false;
    return true;
}

static void count_outside(crowd *c, lt_random *random, outside counts[2]) {
    for (uint32_t box = 0; box < c->layout.box_count; box++) {
        const lt_cell_box *full[2] = {lt_cell_box_get(&c->boxes[0], box), lt_cell_box_get(&c->boxes[1], box)};
        uint32_t out[2] = {0, 0};
        for (uint32_t i = 0; i < LT_CELL_CORNERS + POINTS; i++) {
            lt_dvec3 p = embedded_point(c, box, i, random);
            for (int k = 0; k < 2; k++)
                out[k] += !is_behind_planes(full[k], p) || !is_in_aabb(&c->boxes[k], box, p);
        }
        for (int k = 0; k < 2; k++) {
            counts[k].boxes += out[k] > 0;
            counts[k].points += out[k];
        }
    }
}

/* ---- all ---- */

static uint64_t run_noise(lt_bench *bench, crowd *c, lt_random *random, float noise) {
    outside counts[2] = {{0, 0}, {0, 0}};
    uint32_t batches = bench->quick ? 2 : 1 + 1000000 / (BATCH * (uint32_t)LT_COUNT_OF(noises));
    for (uint32_t i = 0; i < batches; i++) {
        deform(c, random, noise);
        count_outside(c, random, counts);
    }
    double boxes = (double)batches * BATCH, points = boxes * (LT_CELL_CORNERS + POINTS);
    char label[64];
    snprintf(label, sizeof label, "containment, corners moved by %.1f cells", (double)noise);
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "cells", boxes);
    lt_bench_number(bench, "safe_out", (double)counts[0].boxes);
    lt_bench_number(bench, "paper_out", (double)counts[1].boxes);
    lt_bench_number(bench, "paper_out_%", 100 * (double)counts[1].boxes / boxes);
    lt_bench_number(bench, "paper_points_%", 100 * (double)counts[1].points / points);
    return counts[0].boxes;
}

lt_status lt_cell_containment(lt_bench *bench, lt_error *error) {
    crowd c;
    lt_random random = lt_random_seed(6);
    lt_status status = create_crowd(&c, bench, &random, error);
    uint64_t safe = 0;
    for (size_t i = 0; i < LT_COUNT_OF(noises) && status == LT_OK; i++)
        safe += run_noise(bench, &c, &random, noises[i]);
    if (status == LT_OK)
        lt_bench_check_value(bench, "cell-box.containment-violations", (double)safe, "==", 0);
    free_crowd(&c);
    return status;
}
