/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The matrix of an implicit step as products and diagonal blocks make it, against the same matrix assembled: bodies that are bent,
 * turned, squashed flat and inside out, and the same bits at every SIMD level.
 *
 * labels: golden */

#include "bench/assembled.h"
#include "body/soft_fixture.h"

enum { MOST_NODES = 64, MOST_TETS = 512 };

typedef enum bend { AT_REST, BENT, FLAT, INSIDE_OUT, BEND_COUNT } bend;

typedef struct bench_body {
    stage stage;
    lt_soft *soft;
    lt_system system;
    lt_arena arena;
} bench_body;

static void bend_nodes(lt_soft *soft, bend how, lt_random *random) {
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        for (uint32_t k = 0; k < 3; k++) {
            lt_real *x = soft->x + 4 * (size_t)node + k;
            if (how != AT_REST) *x += (lt_real)lt_random_range(random, -0.03f, 0.03f);
            if (how == FLAT && k == 2) *x = 0;
            if (how == INSIDE_OUT && k == 0) *x = -*x;
        }
}

/* A turned bar of 4 × 3 × 2 cells, of 120 tets. No libm: hashes are those of every system. */
static void body_make(bench_body *b, bend how, double young, bool pinned) {
    static const double turn[4] = {0.1, 0.7, -0.1, 0.7};
    b->stage = stage_make((lt_rvec3){0, 0, 0}, 1 / 64.0);
    lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
    def.material = (lt_material){.young = (float)young,
                                 .poisson = 0.4f,
                                 .density = 900,
                                 .mass_damping = 0.5f,
                                 .stiffness_damping = 0.01f};
    def.rotation = lt_matrix_from_quaternion(turn);
    uint32_t body = stage_add_block(&b->stage, (lt_dvec3){0.4, 0.3, 0.2}, (const uint32_t[3]){4, 3, 2}, &def);
    b->soft = &b->stage.bodies[body];
    lt_random random = lt_random_seed(3);
    bend_nodes(b->soft, how, &random);
    for (uint32_t node = 0; pinned && node < 5; node++)
        b->soft->pinned[7 * node] = 1;
    b->soft->pin_count = pinned ? 5 : 0;
    size_t bytes = 9 * (size_t)LT_GROUP * b->soft->elements.group_count * sizeof(lt_real) + 64;
    b->arena = (lt_arena){0};
    if (!lt_arena_reserve(&b->arena, NULL, bytes)) exit(1);
    if (!lt_system_take(&b->system, b->soft, b->stage.dt, &b->arena)) exit(1);
}

static void body_free(bench_body *b) {
    lt_arena_free(&b->arena);
    stage_free(&b->stage);
}

static void random_vectors(lt_real *x, uint32_t count, uint64_t seed) {
    lt_random random = lt_random_seed(seed);
    for (uint32_t i = 0; i < 4 * count; i++)
        x[i] = i % 4 == 3 ? 0 : (lt_real)lt_random_range(&random, -1, 1);
}

static double dot(const lt_real *a, const lt_real *b, uint32_t node_count) {
    double sum = 0;
    for (uint32_t i = 0; i < 4 * node_count; i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
}

/* y = A x of the assembled blocks, in double; *sizes: Σ |a||x| of every row, what roundings are relative to. */
static void multiply_assembled(const lt_soft *soft, const lt_real *blocks, const lt_real *x, double *y,
                               double *sizes) {
    const lt_sparse_pattern *pattern = &soft->carrier.pattern;
    for (uint32_t row = 0; row < pattern->row_count; row++)
        for (uint32_t k = 0; k < 3; k++) {
            double sum = 0, size = 0;
            for (uint32_t e = pattern->row_begin[row]; e < pattern->row_begin[row + 1]; e++)
                for (uint32_t l = 0; l < 3; l++) {
                    double a = (double)blocks[(size_t)LT_BLOCK_STRIDE * e + 4 * l + k];
                    double value = (double)x[4 * (size_t)pattern->columns[e] + l];
                    sum += a * value;
                    size += fabs(a * value);
                }
            y[4 * (size_t)row + k] = sum;
            sizes[4 * (size_t)row + k] = size;
        }
}

typedef struct assembled {
    lt_real blocks[LT_BLOCK_STRIDE * 16 * MOST_NODES], rotated[9 * MOST_TETS], force[4 * MOST_NODES];
} assembled;

/* Both matrices at where the body is, from one rotation of its tets. */
static void fill_both(bench_body *b, assembled *a, lt_simd_level level) {
    const lt_soft *soft = b->soft;
    lt_real force[4 * MOST_NODES];
    if (soft->carrier.node_count > MOST_NODES || soft->elements.group_count * LT_GROUP > MOST_TETS ||
        soft->carrier.pattern.row_begin[soft->carrier.node_count] > 16 * MOST_NODES)
        exit(1);
    assembled_fill(b->soft, b->system.mass_factor, b->system.stiffness_factor, a->blocks, a->rotated,
                   a->force, level);
    lt_system_fill(b->soft, &b->system, b->soft->x, NULL, force, level);
}

/* ---- tests ---- */

static void products_are_those_of_the_assembled_matrix(void) {
    for (int how = 0; how < BEND_COUNT; how++)
        for (int i = 0; i < 3; i++) {
            const double young[3] = {1e3, 1e6, 1e9};
            bench_body b;
            assembled a;
            lt_real x[4 * MOST_NODES], y[4 * MOST_NODES];
            double expected[4 * MOST_NODES], sizes[4 * MOST_NODES], worst = 0;
            body_make(&b, (bend)how, young[i], false);
            fill_both(&b, &a, lt_simd_best());
            random_vectors(x, b.soft->carrier.node_count, 11 + (uint64_t)how);
            lt_soft_multiply(b.soft, &b.system, y, x, lt_simd_best());
            multiply_assembled(b.soft, a.blocks, x, expected, sizes);
            for (uint32_t k = 0; k < 4 * b.soft->carrier.node_count; k++)
                if (k % 4 == 3)
                    CHECK(y[k] == 0);
                else
                    worst = lt_max_d(worst, fabs((double)y[k] - expected[k]) / sizes[k]);
            CHECK_NEAR(worst, 0, by_build(1e-5, 1e-6)); /* double: rotations are within 1e-6 rad */
            body_free(&b);
        }
}

static void diagonals_are_those_of_the_assembled_matrix(void) {
    for (int how = 0; how < BEND_COUNT; how++) {
        bench_body b;
        assembled a;
        lt_real blocks[LT_BLOCK_STRIDE * MOST_NODES];
        body_make(&b, (bend)how, 1e6, false);
        fill_both(&b, &a, lt_simd_best());
        lt_soft_diagonal(b.soft, &b.system, blocks, lt_simd_best());
        for (uint32_t node = 0; node < b.soft->carrier.node_count; node++) {
            const lt_real *got = blocks + (size_t)LT_BLOCK_STRIDE * node;
            const lt_real *expected =
                a.blocks + (size_t)LT_BLOCK_STRIDE * b.soft->carrier.pattern.diagonal[node];
            double size = (double)(expected[0] + expected[5] + expected[10]);
            for (int column = 0; column < 3; column++)
                for (int row = 0; row < 3; row++) {
                    CHECK_NEAR(got[4 * column + row], expected[4 * column + row], 1e-5 * size);
                    CHECK(got[4 * column + row] == got[4 * row + column]);
                }
        }
        body_free(&b);
    }
}

/* Mass alone where nothing is strained: a body that goes on as it is has no stiffness. */
static void what_is_moved_alike_has_its_mass_alone(void) {
    bench_body b;
    assembled a;
    lt_real x[4 * MOST_NODES], y[4 * MOST_NODES], k[4 * MOST_NODES];
    body_make(&b, BENT, 1e6, false);
    fill_both(&b, &a, lt_simd_best());
    uint32_t node_count = b.soft->carrier.node_count;
    for (uint32_t i = 0; i < 4 * node_count; i++)
        x[i] = i % 4 == 3 ? 0 : (lt_real)(1 + (int)(i % 4));
    lt_soft_multiply(b.soft, &b.system, y, x, lt_simd_best());
    lt_soft_multiply_stiffness(b.soft, &b.system, k, x, lt_simd_best());
    for (uint32_t i = 0; i < 4 * node_count; i++) {
        double size = (double)a.blocks[(size_t)LT_BLOCK_STRIDE * b.soft->carrier.pattern.diagonal[i / 4]];
        double mass = (double)(b.system.mass_factor * b.soft->mass[i / 4]);
        CHECK_NEAR(y[i], mass * (double)x[i], 1e-5 * size);
        CHECK_NEAR(k[i] * b.system.stiffness_factor, 0, 1e-5 * size);
    }
    body_free(&b);
}

static void the_matrix_is_symmetric_and_positive(void) {
    for (int how = 0; how < BEND_COUNT; how++) {
        bench_body b;
        lt_real x[4 * MOST_NODES], y[4 * MOST_NODES], ax[4 * MOST_NODES], ay[4 * MOST_NODES];
        body_make(&b, (bend)how, 1e7, false);
        lt_system_fill(b.soft, &b.system, b.soft->x, NULL, NULL, lt_simd_best());
        uint32_t node_count = b.soft->carrier.node_count;
        random_vectors(x, node_count, 5);
        random_vectors(y, node_count, 6);
        lt_soft_multiply(b.soft, &b.system, ax, x, lt_simd_best());
        lt_soft_multiply(b.soft, &b.system, ay, y, lt_simd_best());
        double size = sqrt(dot(x, ax, node_count) * dot(y, ay, node_count));
        CHECK(dot(x, ax, node_count) > 0 && dot(y, ay, node_count) > 0);
        CHECK_NEAR(dot(x, ay, node_count), dot(y, ax, node_count), size * by_build(1e-6, 1e-14));
        body_free(&b);
    }
}

/* ---- bits ---- */

static uint64_t hash_of_products(lt_simd_level level, bool pinned) {
    uint64_t hash = LT_HASH_SEED;
    for (int how = 0; how < BEND_COUNT; how++) {
        bench_body b;
        lt_real x[4 * MOST_NODES], y[4 * MOST_NODES], blocks[LT_BLOCK_STRIDE * MOST_NODES];
        body_make(&b, (bend)how, 1e6, pinned);
        uint32_t node_count = b.soft->carrier.node_count;
        lt_system_fill(b.soft, &b.system, b.soft->x, NULL, NULL, level);
        random_vectors(x, node_count, 2);
        lt_soft_multiply(b.soft, &b.system, y, x, level);
        hash = lt_hash_bytes(hash, y, 4 * (size_t)node_count * sizeof *y);
        lt_soft_multiply_stiffness(b.soft, &b.system, y, x, level);
        hash = lt_hash_bytes(hash, y, 4 * (size_t)node_count * sizeof *y);
        lt_soft_diagonal(b.soft, &b.system, blocks, level);
        hash = lt_hash_bytes(hash, blocks, LT_BLOCK_STRIDE * (size_t)node_count * sizeof *blocks);
        body_free(&b);
    }
    return hash;
}

/* Pins are left out by solvers: the matrix is that of all nodes. */
static void every_level_has_the_same_bits_pinned_or_not(void) {
    uint64_t hash = hash_of_products(LT_LEVEL_SCALAR, false);
    check_golden("products", hash);
    for (int level = 0; level <= (int)lt_simd_best(); level++) {
        CHECK(hash_of_products((lt_simd_level)level, false) == hash);
        CHECK(hash_of_products((lt_simd_level)level, true) == hash);
    }
}

int main(void) {
    RUN(products_are_those_of_the_assembled_matrix);
    RUN(diagonals_are_those_of_the_assembled_matrix);
    RUN(what_is_moved_alike_has_its_mass_alone);
    RUN(the_matrix_is_symmetric_and_positive);
    RUN(every_level_has_the_same_bits_pinned_or_not);
    return check_finish();
}
