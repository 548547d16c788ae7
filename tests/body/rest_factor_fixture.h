/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies of one shape or two, for the tests of factors of mass and stiffness at rest. */

#ifndef LITHE_TESTS_REST_FACTOR_FIXTURE_H
#define LITHE_TESTS_REST_FACTOR_FIXTURE_H

#include "body/soft_fixture.h"

enum { MOST_NODES = 128, BODIES = 8 };

/* A step whose square is a power of √2, in the middle of what one factor serves. */
static const double STEP = 1 / 64.0;

typedef struct crowd {
    lt_shape *shapes[2];
    lt_soft bodies[BODIES];
    uint32_t count;
} crowd;

static inline lt_shape *bar_shape(uint32_t cells) {
    lt_tet_mesh mesh;
    const uint32_t counts[3] = {cells, 2, 2};
    if (lt_generate_tet_block(&mesh, (lt_dvec3){0.25 * cells, 0.5, 0.5}, counts, LT_TET_SPLIT_FIVE, NULL,
                              NULL) != LT_OK)
        exit(1);
    lt_shape *shape = bake_carrier(&mesh, NULL);
    lt_tet_mesh_free(&mesh);
    return shape;
}

/* The shape of a bar with another order, NULL: none. */
static inline lt_shape *with_order(const lt_shape *shape, const uint32_t *order,
                                   const lt_allocator *allocator) {
    lt_shape_builder builder = lt_shape_builder_begin(allocator);
    for (uint32_t i = 0; i < lt_shape_chunk_count(shape); i++) {
        lt_shape_chunk chunk = lt_shape_chunk_at(shape, i);
        lt_shape_dims dims = {chunk.dim_count, {0}};
        memcpy(dims.size, chunk.dims, sizeof chunk.dims);
        bool is_order = strcmp(chunk.name, LT_CHUNK_ORDER) == 0;
        if (!is_order || order)
            lt_shape_builder_add(&builder, chunk.name, chunk.type, dims, is_order ? order : chunk.data);
    }
    lt_shape *out = NULL;
    if (lt_shape_builder_finish(&builder, "reordered", &out, NULL) != LT_OK) exit(1);
    return out;
}

/* Shapes whose caches take their memory from there. */
static inline crowd crowd_make_with(const lt_allocator *allocator) {
    crowd c = {.count = 0};
    for (int i = 0; i < 2; i++) {
        lt_shape *shape = bar_shape(i ? 3 : 4);
        lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY);
        c.shapes[i] = with_order(shape, lt_shape_u32(shape, LT_CHUNK_ORDER, &dims, NULL), allocator);
        lt_shape_release(shape);
    }
    return c;
}

static inline crowd crowd_make(void) {
    return (crowd){.shapes = {bar_shape(4), bar_shape(3)}};
}

static inline lt_soft *crowd_add(crowd *c, int shape, const lt_soft_def *def) {
    lt_soft *soft = &c->bodies[c->count++];
    lt_carrier carrier;
    if (lt_carrier_read(&carrier, c->shapes[shape], NULL) != LT_OK ||
        lt_soft_create(soft, &carrier, def, NULL, NULL) != LT_OK)
        exit(1);
    return soft;
}

static inline void crowd_free(crowd *c) {
    for (uint32_t i = 0; i < c->count; i++)
        lt_soft_free(&c->bodies[i]);
    for (int i = 0; i < 2; i++)
        lt_shape_release(c->shapes[i]);
}

static inline void pin_first(lt_soft *soft, uint32_t count) {
    for (uint32_t node = 0; node < count; node++)
        soft->pinned[node] = 1;
    soft->pin_count = count;
}

/* In the middle of all steps: E / (ρ s²) = 2^10, 1 / (1 − 2ν) = 2. */
static inline lt_soft_def middle_def(void) {
    lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
    def.material = (lt_material){.young = 1048576, .poisson = 0.25f, .density = 1024};
    return def;
}

static inline void add(lt_rest_factors *factors, lt_soft *soft) {
    CHECK(lt_rest_factors_add(factors, soft, NULL) == LT_OK);
}

static inline uint64_t update(lt_rest_factors *factors, const lt_soft *bodies, uint32_t count, double dt) {
    static const uint32_t all[BODIES] = {0, 1, 2, 3, 4, 5, 6, 7};
    return lt_rest_factors_update(factors, bodies, all, count, (lt_real)dt, lt_simd_best());
}

static inline uint32_t used_count(const lt_rest_factors *factors) {
    const lt_rest_factor *items = factors->factors.items;
    uint32_t count = 0;
    for (size_t i = 0; i < factors->factors.count; i++)
        count += items[i].plan != LT_NONE;
    return count;
}

static inline uint32_t plan_count(const lt_rest_factors *factors) {
    const lt_rest_plan *items = factors->plans.items;
    uint32_t count = 0;
    for (size_t i = 0; i < factors->plans.count; i++)
        count += items[i].carrier.rest != NULL;
    return count;
}

static inline uint64_t hash_of(const lt_rest_factor *factor) {
    return factor ? lt_hash_bytes(LT_HASH_SEED, factor->values, factor->value_count * sizeof(lt_real)) : 0;
}

/* Values of one key at STEP: who asks first, what else was there, which steps came before, and how a body is bent. */
#endif
