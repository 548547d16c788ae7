/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Sparse matrices of 3×3 blocks against dense ones in double, conjugate gradients against elimination, and
 * every SIMD level against the scalar one, bit for bit.
 *
 * labels: golden wasm */

#include "check.h"
#include "core/hash.h"
#include "core/random.h"
#include "core/sparse.h"

enum { ROW_MAX = 24, ENTRY_MAX = ROW_MAX * ROW_MAX, SIZE_MAX_DENSE = 3 * ROW_MAX };

/* A random pattern, symmetric, with the diagonal; values symmetric and positive definite. */
typedef struct system_of_blocks {
    uint32_t row_begin[ROW_MAX + 1], columns[ENTRY_MAX], diagonal[ROW_MAX];
    lt_sparse_pattern pattern;
    lt_real blocks[ENTRY_MAX * LT_BLOCK_STRIDE];
    lt_real inverse[ROW_MAX * LT_BLOCK_STRIDE]; /* of the diagonal */
    double dense[SIZE_MAX_DENSE][SIZE_MAX_DENSE];
    const lt_sparse_kernels *kernels;
    uint32_t apply_count;
} system_of_blocks;

static void fill_pattern(system_of_blocks *s, lt_random *random, uint32_t row_count) {
    bool linked[ROW_MAX][ROW_MAX] = {{false}};
    for (uint32_t i = 0; i < row_count; i++)
        for (uint32_t j = 0; j <= i; j++)
            linked[i][j] = linked[j][i] = i == j || lt_random_below(random, 4) == 0;
    uint32_t entry = 0;
    for (uint32_t i = 0; i < row_count; i++) {
        s->row_begin[i] = entry;
        for (uint32_t j = 0; j < row_count; j++) {
            if (!linked[i][j]) continue;
            if (i == j) s->diagonal[i] = entry;
            s->columns[entry++] = j;
        }
    }
    s->row_begin[row_count] = entry;
    s->pattern = (lt_sparse_pattern){s->row_begin, s->columns, s->diagonal, row_count};
}

static uint32_t entry_of(const system_of_blocks *s, uint32_t row, uint32_t column) {
    for (uint32_t entry = s->row_begin[row]; entry < s->row_begin[row + 1]; entry++)
        if (s->columns[entry] == column) return entry;
    return LT_NONE;
}

static void set_both(system_of_blocks *s, uint32_t i, uint32_t j, lt_real value) {
    uint32_t upper = entry_of(s, i / 3, j / 3), lower = entry_of(s, j / 3, i / 3);
    s->blocks[upper * LT_BLOCK_STRIDE + 4 * (j % 3) + i % 3] = value;
    s->blocks[lower * LT_BLOCK_STRIDE + 4 * (i % 3) + j % 3] = value;
    s->dense[i][j] = s->dense[j][i] = (double)value;
}

/* Diagonal dominance by `excess` makes it definite; a small excess makes it hard. */
static void fill_values(system_of_blocks *s, lt_random *random, float excess) {
    uint32_t size = 3 * s->pattern.row_count;
    memset(s->dense, 0, sizeof s->dense);
    memset(s->blocks, 0, sizeof s->blocks);
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t j = 0; j < i; j++)
            if (entry_of(s, i / 3, j / 3) != LT_NONE)
                set_both(s, i, j, (lt_real)lt_random_range(random, -1, 1));
    for (uint32_t i = 0; i < size; i++) {
        double sum = excess;
        for (uint32_t j = 0; j < size; j++)
            if (j != i) sum += fabs(s->dense[i][j]);
        set_both(s, i, i, (lt_real)(sum * (1 + i % 5)));
    }
    for (uint32_t row = 0; row < s->pattern.row_count; row++)
        lt_block_invert(s->inverse + row * LT_BLOCK_STRIDE, s->blocks + s->diagonal[row] * LT_BLOCK_STRIDE);
}

static system_of_blocks *make_system(uint64_t seed, uint32_t row_count, float excess) {
    static system_of_blocks s;
    lt_random random = lt_random_seed(seed);
    s = (system_of_blocks){.kernels = lt_sparse_kernels_for(lt_simd_best())};
    fill_pattern(&s, &random, row_count);
    fill_values(&s, &random, excess);
    return &s;
}

static void fill_vector(lt_real *x, uint32_t row_count, lt_random *random) {
    for (uint32_t i = 0; i < 4 * row_count; i++)
        x[i] = i % 4 == 3 ? 0 : (lt_real)lt_random_range(random, -2, 2) / 3;
}

static double dense_row(const system_of_blocks *s, uint32_t i, const lt_real *x) {
    double sum = 0;
    for (uint32_t j = 0; j < 3 * s->pattern.row_count; j++)
        sum += s->dense[i][j] * (double)x[j / 3 * 4 + j % 3];
    return sum;
}

/* ---- kernels ---- */

static const double ROUNDING = 200 * (double)LT_REAL_EPSILON;

static void a_product_is_the_dense_product(void) {
    for (uint64_t seed = 1; seed <= 30; seed++) {
        uint32_t row_count = (uint32_t)seed % ROW_MAX + 1;
        system_of_blocks *s = make_system(seed, row_count, 1);
        lt_random random = lt_random_seed(seed);
        lt_real x[4 * ROW_MAX], y[4 * ROW_MAX];
        fill_vector(x, row_count, &random);
        memset(y, 0x55, sizeof y);
        lt_real untouched = y[0];
        uint32_t begin = row_count / 3, end = row_count - row_count / 4;
        s->kernels->multiply(y, &s->pattern, s->blocks, x, begin, end);
        for (uint32_t i = 0; i < 3 * ROW_MAX; i++) {
            bool inside = i / 3 >= begin && i / 3 < end;
            lt_real got = y[i / 3 * 4 + i % 3];
            if (inside)
                CHECK_NEAR(got, dense_row(s, i, x), ROUNDING * s->dense[i][i]);
            else
                CHECK(memcmp(&got, &untouched, sizeof got) == 0);
        }
        for (uint32_t row = begin; row < end; row++)
            CHECK(y[4 * row + 3] == 0);
    }
}

static void small_kernels_do_what_they_say(void) {
    for (uint32_t row_count = 0; row_count <= 9; row_count++) {
        system_of_blocks *s = make_system(row_count + 1, row_count ? row_count : 1, 1);
        lt_random random = lt_random_seed(row_count);
        lt_real a[4 * ROW_MAX], b[4 * ROW_MAX], c[4 * ROW_MAX], d[4 * ROW_MAX], out[4 * ROW_MAX];
        fill_vector(a, row_count, &random);
        fill_vector(b, row_count, &random);
        fill_vector(c, row_count, &random);
        fill_vector(d, row_count, &random);
        double dot = 0;
        for (uint32_t i = 0; i < 4 * row_count; i++)
            dot += (double)a[i] * (double)b[i];
        CHECK_NEAR(s->kernels->dot(a, b, row_count), dot, ROUNDING);

        s->kernels->multiply_diagonal(out, s->inverse, a, row_count);
        for (uint32_t i = 0; i < 4 * row_count; i++) {
            double sum = 0;
            for (uint32_t j = 0; j < 3; j++)
                sum += (double)s->inverse[i / 4 * LT_BLOCK_STRIDE + 4 * j + i % 4] * (double)a[i / 4 * 4 + j];
            CHECK_NEAR(out[i], sum, ROUNDING);
        }

        lt_real x[4 * ROW_MAX], r[4 * ROW_MAX];
        memcpy(x, a, sizeof x);
        memcpy(r, b, sizeof r);
        s->kernels->advance(x, r, c, d, (lt_real)0.75, row_count);
        for (uint32_t i = 0; i < 4 * row_count; i++) {
            CHECK_NEAR(x[i], (double)a[i] + 0.75 * (double)c[i], ROUNDING);
            CHECK_NEAR(r[i], (double)b[i] - 0.75 * (double)d[i], ROUNDING);
        }
        lt_real c_before[4 * ROW_MAX];
        memcpy(c_before, c, sizeof c);
        s->kernels->redirect(c, d, (lt_real)-0.5, row_count);
        for (uint32_t i = 0; i < 4 * row_count; i++)
            CHECK_NEAR(c[i], (double)d[i] + 0.5 * ((double)a[i] - (double)x[i]) / 0.75, ROUNDING);
        s->kernels->scale(x, (lt_real)-0.25, row_count); /* and nothing behind the last row */
        for (uint32_t i = 0; i < 4 * row_count; i++)
            CHECK_NEAR(x[i], -0.25 * ((double)a[i] + 0.75 * (double)c_before[i]), ROUNDING);
        CHECK(row_count == ROW_MAX || memcmp(x + 4 * row_count, a + 4 * row_count, sizeof *x) == 0);
    }
}

/* A sweep forth knows what is behind the diagonals from the one back before it, and so on: what sweeps over whole rows do, and the
 * defect after one back is what has changed before the diagonals since. */
static void sweeps_forth_and_back_save_half_of_the_products(void) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint32_t row_count = (uint32_t)seed % ROW_MAX + 1, rows[ROW_MAX];
        system_of_blocks *s = make_system(seed, row_count, 1);
        lt_random random = lt_random_seed(seed);
        lt_real b[4 * ROW_MAX], x[4 * ROW_MAX], usual[4 * ROW_MAX];
        lt_real before[4 * ROW_MAX] = {0}, behind[4 * ROW_MAX] = {0}, now[4 * ROW_MAX];
        fill_vector(b, row_count, &random);
        fill_vector(x, row_count, &random);
        memcpy(usual, x, sizeof usual);
        for (uint32_t row = 0; row < row_count; row++)
            rows[row] = row;
        s->kernels->sum_half_rows(behind, &s->pattern, s->blocks, x, rows, row_count, true);
        for (int sweep = 0; sweep < 4; sweep++) {
            bool back = sweep % 2;
            s->kernels->relax_half_rows(x, &s->pattern, s->blocks, s->inverse, b, back ? behind : before,
                                        back ? before : behind, rows, row_count, back);
            s->kernels->relax_rows(usual, &s->pattern, s->blocks, s->inverse, b, rows, row_count, back);
        }
        s->kernels->sum_half_rows(now, &s->pattern, s->blocks, x, rows, row_count, false);
        for (uint32_t i = 0; i < 3 * row_count; i++) {
            uint32_t at = i / 3 * 4 + i % 3;
            CHECK_NEAR(x[at], usual[at], 10 * ROUNDING);
            CHECK_NEAR((double)before[at] - (double)now[at], (double)b[at] - dense_row(s, i, x),
                       10 * ROUNDING * s->dense[i][i]);
        }
    }
}

static void every_level_gives_the_same_bits(void) {
    uint64_t first[8] = {0};
    for (int level = LT_LEVEL_SCALAR; level <= (int)lt_simd_best(); level++) {
        const lt_sparse_kernels *kernels = lt_sparse_kernels_for((lt_simd_level)level);
        for (uint32_t k = 0; k < 8; k++) {
            uint32_t row_count = ROW_MAX - k;
            system_of_blocks *s = make_system(k, row_count, 1);
            lt_random random = lt_random_seed(k);
            lt_real a[4 * ROW_MAX], b[4 * ROW_MAX], y[4 * ROW_MAX], z[4 * ROW_MAX];
            fill_vector(a, row_count, &random);
            fill_vector(b, row_count, &random);
            kernels->multiply(y, &s->pattern, s->blocks, a, 0, row_count);
            kernels->multiply_diagonal(z, s->inverse, b, row_count);
            kernels->advance(a, b, y, z, kernels->dot(y, z, row_count), row_count);
            kernels->redirect(z, a, kernels->dot(a, b, row_count), row_count);
            uint64_t hash = lt_hash_bytes(LT_HASH_SEED, a, 4 * row_count * sizeof a[0]);
            hash = lt_hash_bytes(hash, b, 4 * row_count * sizeof b[0]);
            hash = lt_hash_bytes(hash, z, 4 * row_count * sizeof z[0]);
            if (level == LT_LEVEL_SCALAR) first[k] = hash;
            CHECK(hash == first[k]);
        }
    }
#ifndef LITHE_DOUBLE
    check_golden("sparse-kernels", lt_hash_bytes(LT_HASH_SEED, first, sizeof first));
#endif
}

/* ---- one block ---- */

static void check_inverse(const lt_real block[LT_BLOCK_STRIDE], double tolerance) {
    lt_real out[LT_BLOCK_STRIDE];
    lt_block_invert(out, block);
    for (int i = 0; i < 3; i++) {
        CHECK(out[4 * i + 3] == 0);
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += (double)out[4 * k + i] * (double)block[4 * j + k];
            CHECK_NEAR(sum, i == j, tolerance);
        }
    }
}

static void a_block_times_its_inverse_is_the_identity(void) {
    const double sizes[] = {1, 1e-6, 1e6, 1e-12, 1e12, 1e-16, 1e16, 1e-20, 1e20};
    for (size_t i = 0; i < LT_COUNT_OF(sizes); i++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            system_of_blocks *s = make_system(seed, 1, 0.5f);
            lt_real block[LT_BLOCK_STRIDE];
            for (int k = 0; k < LT_BLOCK_STRIDE; k++)
                block[k] = (lt_real)((double)s->blocks[k] * sizes[i]);
            check_inverse(block, 1000 * (double)LT_REAL_EPSILON);
            lt_block_invert(s->inverse, block);
            lt_block_invert(block, block); /* in place */
            CHECK(memcmp(s->inverse, block, sizeof block) == 0);
        }
}

static void a_singular_block_has_the_identity(void) {
    const lt_real blocks[][LT_BLOCK_STRIDE] = {{0},
                                               {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0},
                                               {1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0},
                                               {NAN, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    for (size_t i = 0; i < LT_COUNT_OF(blocks); i++) {
        lt_real out[LT_BLOCK_STRIDE];
        lt_block_invert(out, blocks[i]);
        for (int k = 0; k < LT_BLOCK_STRIDE; k++)
            CHECK(out[k] == (k % 5 == 0 && k < 11));
    }
}

/* ---- conjugate gradients ---- */

typedef struct solve {
    lt_real x[4 * ROW_MAX], b[4 * ROW_MAX], r[4 * ROW_MAX], z[4 * ROW_MAX], p[4 * ROW_MAX], q[4 * ROW_MAX];
    double exact[SIZE_MAX_DENSE];
    lt_cg cg;
} solve;

static void apply_system(void *context, lt_real *y, const lt_real *x) {
    system_of_blocks *s = context;
    s->apply_count++;
    s->kernels->multiply(y, &s->pattern, s->blocks, x, 0, s->pattern.row_count);
}

/* Elimination without pivots: the matrix is definite. */
static void solve_dense(const system_of_blocks *s, solve *v) {
    static double m[SIZE_MAX_DENSE][SIZE_MAX_DENSE + 1];
    uint32_t size = 3 * s->pattern.row_count;
    for (uint32_t i = 0; i < size; i++) {
        memcpy(m[i], s->dense[i], size * sizeof m[i][0]);
        m[i][size] = (double)v->b[i / 3 * 4 + i % 3];
    }
    for (uint32_t k = 0; k < size; k++)
        for (uint32_t i = k + 1; i < size; i++) {
            double factor = m[i][k] / m[k][k];
            for (uint32_t j = k; j <= size; j++)
                m[i][j] -= factor * m[k][j];
        }
    for (uint32_t i = size; i-- > 0;) {
        double sum = m[i][size];
        for (uint32_t j = i + 1; j < size; j++)
            sum -= m[i][j] * v->exact[j];
        v->exact[i] = sum / m[i][i];
    }
}

/* √((x − exact)ᵀ A (x − exact)): what conjugate gradients lessen in every step. */
static double error_norm(const system_of_blocks *s, const solve *v) {
    uint32_t size = 3 * s->pattern.row_count;
    double sum = 0;
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t j = 0; j < size; j++)
            sum += ((double)v->x[i / 3 * 4 + i % 3] - v->exact[i]) * s->dense[i][j] *
                   ((double)v->x[j / 3 * 4 + j % 3] - v->exact[j]);
    return sqrt(sum > 0 ? sum : 0);
}

static void start_solve(solve *v, system_of_blocks *s, uint64_t seed, bool warm, lt_real tolerance,
                        uint32_t most) {
    memset(v, 0, sizeof *v);
    lt_random random = lt_random_seed(seed);
    uint32_t row_count = s->pattern.row_count;
    fill_vector(v->b, row_count, &random);
    if (warm) fill_vector(v->x, row_count, &random);
    memcpy(v->r, v->b, sizeof v->r);
    solve_dense(s, v);
    v->cg = (lt_cg){.row_count = row_count,
                    .kernels = s->kernels,
                    .apply = apply_system,
                    .context = s,
                    .inverse_diagonal = s->inverse,
                    .x = v->x,
                    .tolerance = tolerance,
                    .max_iterations = most,
                    .r = v->r,
                    .z = v->z,
                    .p = v->p,
                    .q = v->q};
}

static const lt_real TIGHT = 8 * (lt_real)LT_REAL_EPSILON;

static void systems_are_solved_and_every_step_helps(void) {
    static solve v;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        system_of_blocks *s = make_system(seed, (uint32_t)seed % ROW_MAX + 1, seed % 2 ? 0.01f : 1);
        start_solve(&v, s, seed, seed % 3 == 0, TIGHT, 500);
        lt_cg_begin(&v.cg, 0);
        double before = error_norm(s, &v), first = before;
        bool more = true;
        while (more) {
            more = lt_cg_step(&v.cg);
            double now = error_norm(s, &v);
            CHECK(now <= before + ROUNDING * (first + 1));
            before = now;
        }
        CHECK(v.cg.iterations < 500);
        CHECK(lt_cg_residual(&v.cg) <= TIGHT);
        for (uint32_t i = 0; i < 3 * s->pattern.row_count; i++)
            CHECK_NEAR(v.x[i / 3 * 4 + i % 3], v.exact[i], ROUNDING);
        for (uint32_t row = 0; row < s->pattern.row_count; row++)
            CHECK(v.x[4 * row + 3] == 0);
        CHECK(!lt_cg_step(&v.cg)); /* and stays done */
    }
}

/* A chain of springs, ends held: as many different eigenvalues as rows, from 0.02 to 4, three times each. Conjugate
 * directions need one step for each; steepest descent needs hundreds. */
static system_of_blocks *make_chain(void) {
    system_of_blocks *s = make_system(1, 1, 1);
    uint32_t entry = 0;
    for (uint32_t row = 0; row < ROW_MAX; row++) {
        s->row_begin[row] = entry;
        for (uint32_t column = row ? row - 1 : 0; column <= row + 1 && column < ROW_MAX; column++) {
            if (column == row) s->diagonal[row] = entry;
            s->columns[entry++] = column;
        }
    }
    s->row_begin[ROW_MAX] = entry;
    s->pattern.row_count = ROW_MAX;
    memset(s->blocks, 0, sizeof s->blocks);
    memset(s->dense, 0, sizeof s->dense);
    for (uint32_t i = 0; i < 3 * ROW_MAX; i++) {
        set_both(s, i, i, 2);
        if (i >= 3) set_both(s, i, i - 3, -1);
    }
    for (uint32_t row = 0; row < ROW_MAX; row++)
        lt_block_invert(s->inverse + row * LT_BLOCK_STRIDE, s->blocks + s->diagonal[row] * LT_BLOCK_STRIDE);
    return s;
}

static void a_chain_takes_one_step_for_each_row(void) {
    static solve v;
    system_of_blocks *s = make_chain();
    start_solve(&v, s, 5, false, (lt_real)1e-4, 1000);
    lt_cg_begin(&v.cg, 0);
    while (lt_cg_step(&v.cg)) {
    }
    CHECK(v.cg.iterations >= ROW_MAX / 2 && v.cg.iterations <= ROW_MAX + 4);
    CHECK(lt_cg_residual(&v.cg) <= (lt_real)1e-4);
    for (uint32_t i = 0; i < 3 * ROW_MAX; i++)
        CHECK_NEAR(v.x[i / 3 * 4 + i % 3], v.exact[i], 0.02);
}

/* With one block per row the preconditioner is the inverse: one step. */
static void a_block_diagonal_system_takes_one_step(void) {
    static solve v;
    system_of_blocks *s = make_system(3, 1, 1);
    start_solve(&v, s, 3, false, (lt_real)1e-5, 50);
    lt_cg_begin(&v.cg, 0);
    CHECK(!lt_cg_step(&v.cg));
    CHECK_COUNT(v.cg.iterations, 1);
    CHECK_COUNT(s->apply_count, 2);
}

static void iterations_are_limited_and_counted(void) {
    static solve v;
    system_of_blocks *s = make_system(7, ROW_MAX, 0.01f);
    for (uint32_t most = 0; most < 6; most++) {
        start_solve(&v, s, 7, false, TIGHT, most);
        s->apply_count = 0;
        lt_cg_begin(&v.cg, 0);
        uint32_t calls = 1;
        while (lt_cg_step(&v.cg))
            calls++;
        CHECK_COUNT(v.cg.iterations, most);
        CHECK_COUNT(calls, most ? most : 1);
        CHECK_COUNT(s->apply_count, most + 1);
        CHECK(!lt_cg_step(&v.cg));
        CHECK_COUNT(s->apply_count, most + 1);
    }
}

/* The residual is that of the x at hand, not only of the recurrence; tolerance means what it says. */
static void the_tolerance_is_relative_to_the_reference(void) {
    static solve v;
    const lt_real tolerances[] = {(lt_real)0.5, (lt_real)0.1, (lt_real)0.01, (lt_real)1e-4};
    for (size_t i = 0; i < LT_COUNT_OF(tolerances); i++)
        for (int given = 0; given < 2; given++) {
            system_of_blocks *s = make_system(11, ROW_MAX, 0.01f);
            start_solve(&v, s, 11, false, tolerances[i], 500);
            lt_real reference = 0;
            s->kernels->multiply_diagonal(v.z, s->inverse, v.b, ROW_MAX);
            lt_real own = s->kernels->dot(v.b, v.z, ROW_MAX);
            if (given) reference = own / 100;
            lt_cg_begin(&v.cg, reference);
            CHECK_NEAR(lt_cg_residual(&v.cg), given ? 10 : 1, 1e-4);
            uint32_t steps = 0;
            while (lt_cg_residual(&v.cg) > tolerances[i]) {
                lt_cg_step(&v.cg);
                steps++;
                CHECK_FATAL(steps < 500);
            }
            CHECK_COUNT(v.cg.iterations, steps);
            apply_system(s, v.q, v.x);
            for (uint32_t k = 0; k < 4 * ROW_MAX; k++)
                v.r[k] = v.b[k] - v.q[k];
            s->kernels->multiply_diagonal(v.z, s->inverse, v.r, ROW_MAX);
            double size = sqrt((double)(s->kernels->dot(v.r, v.z, ROW_MAX) / (given ? reference : own)));
            CHECK_NEAR(size, lt_cg_residual(&v.cg), 1e-2 * (double)tolerances[i]);
        }
}

static void nothing_to_do_is_done_at_once(void) {
    static solve v;
    system_of_blocks *s = make_system(13, 9, 1);
    start_solve(&v, s, 13, false, (lt_real)1e-3, 50);
    memset(v.b, 0, sizeof v.b);
    memset(v.r, 0, sizeof v.r);
    lt_cg_begin(&v.cg, 0);
    CHECK(!lt_cg_step(&v.cg));
    CHECK_COUNT(v.cg.iterations, 0);
    CHECK(lt_cg_residual(&v.cg) == 0);
    for (uint32_t i = 0; i < 4 * 9; i++)
        CHECK(v.x[i] == 0);

    /* From elsewhere, towards zero. */
    start_solve(&v, s, 13, true, (lt_real)1e-3, 50);
    memset(v.r, 0, sizeof v.r);
    lt_cg_begin(&v.cg, 1);
    while (lt_cg_step(&v.cg)) {
    }
    for (uint32_t i = 0; i < 4 * 9; i++)
        CHECK_NEAR(v.x[i], 0, 1e-3);
}

/* Rows whose inverse diagonal is zero are pinned: their x stays, bit for bit, and the others solve the rest. */
static void rows_without_an_inverse_stay_where_they_are(void) {
    static solve v;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint32_t row_count = 4 + (uint32_t)seed;
        system_of_blocks *s = make_system(seed, row_count > ROW_MAX ? ROW_MAX : row_count, 0.1f);
        row_count = s->pattern.row_count;
        start_solve(&v, s, seed, true, TIGHT, 500);
        lt_real pinned[4 * ROW_MAX];
        memcpy(pinned, v.x, sizeof pinned);
        for (uint32_t row = 0; row < row_count; row += 3)
            memset(s->inverse + row * LT_BLOCK_STRIDE, 0, LT_BLOCK_STRIDE * sizeof(lt_real));
        lt_cg_begin(&v.cg, 0);
        while (lt_cg_step(&v.cg)) {
        }
        for (uint32_t row = 0; row < row_count; row++) {
            if (row % 3 == 0) CHECK(memcmp(v.x + 4 * row, pinned + 4 * row, 4 * sizeof(lt_real)) == 0);
            for (uint32_t k = 0; k < 3 && row % 3; k++) {
                uint32_t i = 3 * row + k;
                CHECK_NEAR(dense_row(s, i, v.x), v.b[4 * row + k], ROUNDING * s->dense[i][i]);
            }
        }
    }
}

static void solutions_have_the_same_bits_at_every_level(void) {
    static solve v;
    lt_real first[4 * ROW_MAX] = {0};
    for (int level = LT_LEVEL_SCALAR; level <= (int)lt_simd_best(); level++) {
        system_of_blocks *s = make_system(17, ROW_MAX - 1, 0.01f);
        s->kernels = lt_sparse_kernels_for((lt_simd_level)level);
        start_solve(&v, s, 17, true, (lt_real)1e-5, 500);
        lt_cg_begin(&v.cg, 0);
        while (lt_cg_step(&v.cg)) {
        }
        CHECK(v.cg.iterations > 3);
        if (level == LT_LEVEL_SCALAR) memcpy(first, v.x, sizeof first);
        CHECK(memcmp(first, v.x, sizeof first) == 0);
    }
}

/* The entry of a level that was not built is a lower one, never nothing. */
static void every_level_has_kernels(void) {
    for (int level = 0; level < LT_LEVEL_COUNT; level++)
        CHECK(lt_sparse_kernels_for((lt_simd_level)level) != NULL);
}

int main(void) {
    RUN(a_product_is_the_dense_product);
    RUN(small_kernels_do_what_they_say);
    RUN(sweeps_forth_and_back_save_half_of_the_products);
    RUN(every_level_gives_the_same_bits);
    RUN(a_block_times_its_inverse_is_the_identity);
    RUN(a_singular_block_has_the_identity);
    RUN(systems_are_solved_and_every_step_helps);
    RUN(a_chain_takes_one_step_for_each_row);
    RUN(a_block_diagonal_system_takes_one_step);
    RUN(iterations_are_limited_and_counted);
    RUN(the_tolerance_is_relative_to_the_reference);
    RUN(nothing_to_do_is_done_at_once);
    RUN(rows_without_an_inverse_stay_where_they_are);
    RUN(solutions_have_the_same_bits_at_every_level);
    RUN(every_level_has_kernels);
    return check_finish();
}
