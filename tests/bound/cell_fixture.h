/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Lattices by hand: a block of cells with holes, some places taken twice by cells that share no node, tight boxes and
 * masks at random; its nodes anywhere. */

#ifndef LITHE_TESTS_CELL_FIXTURE_H
#define LITHE_TESTS_CELL_FIXTURE_H

#include "check.h"

#include "bench/whole/whole.h"
#include "bound/cell_boxes.h"
#include "core/random.h"

enum { CELLS_MOST = 1400, CELL_NODES_MOST = 5000 };

typedef struct cell_fixture {
    uint32_t cells[8 * CELLS_MOST], places[CELLS_MOST];
    float tight[6 * CELLS_MOST];
    uint8_t masks[CELLS_MOST];
    float rest[4 * CELL_NODES_MOST], nodes[4 * CELL_NODES_MOST];
    uint32_t cell_count, node_count;
    float h;
    lt_cell_layout layout;
    lt_cell_boxes boxes;
} cell_fixture;

typedef struct cell_options {
    uint32_t size[3];
    uint32_t hole_percent; /* of the places */
    uint32_t twin_percent; /* of the cells: a second one in the same place, with nodes of its own */
    bool shell;            /* no cells inside */
    bool tight;            /* random tight boxes, else grid boxes */
    bool masks;            /* random, else all faces */
    bool as_printed;
    lt_simd_level level;
    uint64_t seed;
} cell_options;

static inline void add_cell(cell_fixture *f, uint32_t x, uint32_t y, uint32_t z, const cell_options *o,
                            lt_random *random, const uint32_t nodes[8]) {
    uint32_t cell = f->cell_count++;
    memcpy(f->cells + 8 * (size_t)cell, nodes, 8 * sizeof *nodes);
    f->places[cell] = x | y << 10 | z << 20;
    f->masks[cell] = (uint8_t)(o->masks ? lt_random_below(random, 64) : 63);
    for (uint32_t axis = 0; axis < 3; axis++) {
        float lo = lt_random_range(random, 0, 0.6f), thick = lt_random_range(random, 0.001f, 0.4f);
        f->tight[6 * cell + axis] = o->tight ? lo : 0;
        f->tight[6 * cell + axis + 3] = o->tight ? lo + thick : 1;
    }
}

static inline uint32_t add_node(cell_fixture *f, uint32_t x, uint32_t y, uint32_t z) {
    const float at[4] = {(float)x * f->h, (float)y * f->h, (float)z * f->h, 0};
    memcpy(f->rest + 4 * (size_t)f->node_count, at, sizeof at);
    return f->node_count++;
}

/* `grid` is [z][y][x] of nodes, LT_NONE where there is none yet; NULL: nodes of its own. */
static inline void add_cell_at(cell_fixture *f, uint32_t x, uint32_t y, uint32_t z, const cell_options *o,
                               lt_random *random, uint32_t *grid) {
    uint32_t nodes[8];
    for (uint32_t j = 0; j < 8; j++) {
        uint32_t nx = x + (j & 1), ny = y + (j >> 1 & 1), nz = z + (j >> 2);
        uint32_t own = LT_NONE;
        uint32_t *place = grid ? &grid[(nz * (o->size[1] + 1) + ny) * (o->size[0] + 1) + nx] : &own;
        if (*place == LT_NONE) *place = add_node(f, nx, ny, nz);
        nodes[j] = *place;
    }
    add_cell(f, x, y, z, o, random, nodes);
}

static inline lt_box cells_node_box(const cell_fixture *f) {
    lt_box box = lt_box_empty();
    for (uint32_t i = 0; i < f->node_count; i++)
        box = lt_box_add_point(box, (lt_vec3){f->nodes[4 * i], f->nodes[4 * i + 1], f->nodes[4 * i + 2]});
    return box;
}

static inline void cells_begin(cell_fixture *f) {
    lt_cell_boxes_begin(&f->boxes, f->nodes, cells_node_box(f));
}

/* At rest, moved by `shift`, every node by up to `noise` cells along every axis; boxes fitted. */
static inline void cells_place(cell_fixture *f, lt_random *random, lt_vec3 shift, float noise) {
    const float by[3] = {shift.x, shift.y, shift.z};
    for (uint32_t i = 0; i < f->node_count; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            f->nodes[4 * i + axis] =
                f->rest[4 * i + axis] + by[axis] + f->h * noise * lt_random_range(random, -1, 1);
    cells_begin(f);
    lt_cell_boxes_fit(&f->boxes);
}

static inline lt_cell_layout_def cells_def(const cell_fixture *f) {
    return (lt_cell_layout_def){.cells = f->cells,
                                .places = f->places,
                                .tight = f->tight,
                                .masks = f->masks,
                                .cell_count = f->cell_count,
                                .node_count = f->node_count};
}

static inline bool cells_is_inside(const cell_options *o, uint32_t x, uint32_t y, uint32_t z) {
    return x > 0 && y > 0 && z > 0 && x + 1 < o->size[0] && y + 1 < o->size[1] && z + 1 < o->size[2];
}

/* NULL: no memory. Freed by cells_free. */
static inline cell_fixture *cells_make(cell_options o) {
    cell_fixture *f = calloc(1, sizeof *f);
    static uint32_t grid[CELL_NODES_MOST];
    lt_random random = lt_random_seed(o.seed);
    f->h = 0.125f;
    for (size_t i = 0; i < LT_COUNT_OF(grid); i++)
        grid[i] = LT_NONE;
    for (uint32_t z = 0; z < o.size[2]; z++)
        for (uint32_t y = 0; y < o.size[1]; y++)
            for (uint32_t x = 0; x < o.size[0]; x++) {
                if ((o.shell && cells_is_inside(&o, x, y, z)) ||
                    lt_random_below(&random, 100) < o.hole_percent)
                    continue;
                add_cell_at(f, x, y, z, &o, &random, grid);
                if (lt_random_below(&random, 100) < o.twin_percent)
                    add_cell_at(f, x, y, z, &o, &random, NULL);
            }
    lt_cell_layout_def def = cells_def(f);
    CHECK(lt_cell_layout_create(&f->layout, &def, NULL, NULL) == LT_OK);
    CHECK(lt_cell_boxes_create(&f->boxes, &f->layout, f->h, o.as_printed, o.level, NULL, NULL) == LT_OK);
    cells_place(f, &random, (lt_vec3){0, 0, 0}, 0);
    return f;
}

static inline void cells_free(cell_fixture *f) {
    lt_cell_boxes_free(&f->boxes);
    lt_cell_layout_free(&f->layout);
    free(f);
}

/* A place in the tight box of a box, as the embedding has it: weights and sums in float. */
static inline lt_vec3 cells_embed(const cell_fixture *f, uint32_t box, const float share[3]) {
    float at[3], sum[3] = {0, 0, 0};
    for (uint32_t axis = 0; axis < 3; axis++) {
        float lo = lt_cell_tight(&f->layout, box, axis), hi = lt_cell_tight(&f->layout, box, axis + 3);
        at[axis] = share[axis] >= 1 ? hi : lt_min_f(lo + (hi - lo) * share[axis], hi);
    }
    for (uint32_t j = 0; j < 8; j++) {
        float w = (j & 1 ? at[0] : 1 - at[0]) * (j & 2 ? at[1] : 1 - at[1]) * (j & 4 ? at[2] : 1 - at[2]);
        for (uint32_t axis = 0; axis < 3; axis++)
            sum[axis] += w * f->nodes[4 * f->layout.nodes[8 * box + j] + axis];
    }
    return (lt_vec3){sum[0], sum[1], sum[2]};
}

#endif
