/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Ladders of blocks for the tests of body/, 0.3 × 0.3 × 0.6 m, every level with its own number of cells, the finest first. */

#ifndef LITHE_TESTS_LADDER_FIXTURE_H
#define LITHE_TESTS_LADDER_FIXTURE_H

#include "body/multigrid.h"
#include "lithe/bake.h"
#include "soft_fixture.h"

enum { BLOCK_LEVELS_MOST = 4 };

typedef struct ladder_fixture {
    lt_shape *shape;
    lt_carrier carrier;
} ladder_fixture;

static const lt_dvec3 BLOCK_SIZE = {0.3, 0.3, 0.6};

/* A test cannot go on without it. */
static inline void ladder_bake(ladder_fixture *f, const uint32_t *cells, uint32_t level_count) {
    lt_tet_mesh meshes[BLOCK_LEVELS_MOST];
    lt_bake_level levels[BLOCK_LEVELS_MOST];
    lt_bake_ladder_def def = lt_bake_ladder_def_default();
    lt_error error = {0};
    for (uint32_t i = 0; i < level_count; i++) {
        const uint32_t c[3] = {cells[i], cells[i], 2 * cells[i]};
        if (lt_generate_tet_block(&meshes[i], BLOCK_SIZE, c, LT_TET_SPLIT_SIX, NULL, NULL) != LT_OK) exit(1);
        levels[i] = (lt_bake_level){.node_positions = &meshes[i].positions->x,
                                    .tets = meshes[i].tets,
                                    .node_count = meshes[i].node_count,
                                    .tet_count = meshes[i].tet_count};
    }
    def.levels = levels;
    def.level_count = level_count;
    def.distance_resolution = 4;
    *f = (ladder_fixture){0};
    if (lt_bake_ladder(&def, &f->shape, NULL, &error) != LT_OK ||
        lt_carrier_read(&f->carrier, f->shape, &error) != LT_OK) {
        fprintf(stderr, "in %s: no ladder: %s\n", check_current, error.message);
        exit(1);
    }
    for (uint32_t i = 0; i < level_count; i++)
        lt_tet_mesh_free(&meshes[i]);
}

/* x of a x = b by elimination in double, b given in x; a is [n][n] and used up. */
static inline void eliminate(double *a, double *x, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t row = i + 1; row < n; row++) {
            double factor = a[(size_t)row * n + i] / a[(size_t)i * n + i];
            for (uint32_t k = i; k < n && factor != 0; k++)
                a[(size_t)row * n + k] -= factor * a[(size_t)i * n + k];
            x[row] -= factor * x[i];
        }
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t k = i + 1; k < n; k++)
            x[i] -= a[(size_t)i * n + k] * x[k];
        x[i] /= a[(size_t)i * n + i];
    }
}

/* Baking takes longer than most of what is tested with it: each ladder is baked once. */
typedef struct ladder_cache {
    ladder_fixture made[8];
    uint32_t cells[8][BLOCK_LEVELS_MOST], level_counts[8], count;
} ladder_cache;
static ladder_cache ladders_baked;

static inline void ladder_forget_all(void) {
    for (uint32_t i = 0; i < ladders_baked.count; i++)
        lt_shape_release(ladders_baked.made[i].shape);
}

static inline void ladder_make(ladder_fixture *f, const uint32_t *cells, uint32_t level_count) {
    ladder_cache *c = &ladders_baked;
    uint32_t i = 0;
    while (i < c->count && (c->level_counts[i] != level_count ||
                            memcmp(c->cells[i], cells, level_count * sizeof *cells) != 0))
        i++;
    CHECK_FATAL(i < 8);
    if (i == c->count) {
        if (c->count++ == 0) atexit(ladder_forget_all);
        ladder_bake(&c->made[i], cells, level_count);
        c->level_counts[i] = level_count;
        memcpy(c->cells[i], cells, level_count * sizeof *cells);
    }
    *f = c->made[i];
    lt_shape_retain(f->shape);
}

static inline void ladder_free(ladder_fixture *f) {
    lt_shape_release(f->shape);
}

#endif
