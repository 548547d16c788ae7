/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Factors and solves against a dense Cholesky factor in double; every SIMD level and every way to cut against each other, bit for
 * bit; matrices that have no factor.
 *
 * labels: golden */

#include "core/factor_fixture.h"
#include "core/hash.h"

static const double EPSILON = (double)LT_REAL_EPSILON;

/* ---- answers ---- */

/* z beside the dense answer, relative to the largest of it. */
static double error_of(const matrix *m, const lt_real *z, const lt_real *r) {
    static double exact[SIZE_MAX_FACTOR];
    uint32_t size = 3 * m->pattern.row_count;
    double worst = 0;
    for (uint32_t i = 0; i < size; i++)
        exact[i] = (double)r[i / 3 * 4 + i % 3];
    solve_dense(m, exact);
    for (uint32_t i = 0; i < size; i++) {
        double difference = fabs((double)z[i / 3 * 4 + i % 3] - exact[i]);
        worst = difference > worst ? difference : worst;
    }
    return size ? worst / largest_of(exact, size) : 0;
}

static void solves_are_those_of_a_dense_factor(void) {
    for (int kind = EMPTY; kind < SHAPE_COUNT; kind++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            matrix *m = make_matrix((shape)kind);
            fill_random(m, seed);
            CHECK(factor_dense(m));
            factor f = plan_factor(m, NULL);
            CHECK(run_factor(&f, m, 0, lt_simd_best()));
            lt_real r[4 * NODE_MAX], z[4 * NODE_MAX];
            fill_vector(r, NODE_MAX, seed);
            memset(z, 0x55, sizeof z);
            solve_alone(&f.plan, f.values, z, r, NULL, NULL, f.scratch, lt_simd_best());
            double error = error_of(m, z, r);
            CHECK_NEAR(error, 0, 3000 * EPSILON);
            for (uint32_t i = 0; i < m->pattern.row_count; i++)
                CHECK(z[4 * i + 3] == 0);
            free_factor(&f);
        }
}

static void eight_at_once_are_eight_solves(void) {
    static lt_real x[SIZE_MAX_FACTOR][8];
    for (int kind = EMPTY; kind < SHAPE_COUNT; kind++) {
        matrix *m = make_matrix((shape)kind);
        fill_random(m, 5);
        CHECK(factor_dense(m));
        factor f = plan_factor(m, NULL);
        CHECK(run_factor(&f, m, 0, lt_simd_best()));
        lt_real r[8][4 * NODE_MAX], z[4 * NODE_MAX];
        for (uint32_t lane = 0; lane < 8; lane++) {
            fill_vector(r[lane], NODE_MAX, lane);
            for (uint32_t i = 0; i < 3 * f.plan.node_count; i++)
                x[i][lane] = r[lane][4 * f.plan.order[i / 3] + i % 3];
        }
        lt_factor_solve8(&f.plan, f.values, &x[0][0], 0, f.scratch8, lt_simd_best());
        for (uint32_t lane = 0; lane < 8; lane++) {
            for (uint32_t i = 0; i < 3 * f.plan.node_count; i++)
                z[4 * f.plan.order[i / 3] + i % 3] = x[i][lane];
            CHECK_NEAR(error_of(m, z, r[lane]), 0, 3000 * EPSILON);
        }
        free_factor(&f);
    }
}

/* A quarter turn about (0.6, 0, 0.8), by columns. */
static const lt_real TURN[9] = {(lt_real)0.36, (lt_real)0.8,  (lt_real)0.48, (lt_real)-0.8, 0,
                                (lt_real)0.6,  (lt_real)0.48, (lt_real)-0.6, (lt_real)0.64};

static void multiply3(lt_real out[3], const lt_real m[9], const lt_real *v, bool transposed) {
    for (int i = 0; i < 3; i++)
        out[i] = transposed ? m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2]
                            : m[i] * v[0] + m[3 + i] * v[1] + m[6 + i] * v[2];
}

static void turns_and_pins_are_around_the_solve(void) {
    matrix *m = make_matrix(TET_BLOCK);
    fill_random(m, 9);
    factor f = plan_factor(m, NULL);
    CHECK(run_factor(&f, m, 0, lt_simd_best()));
    uint32_t n = m->pattern.row_count;
    uint8_t pinned[NODE_MAX] = {[3] = 1, [17] = 1, [60] = 1};
    lt_real r[4 * NODE_MAX], turned[4 * NODE_MAX] = {0}, expected[4 * NODE_MAX], z[4 * NODE_MAX];
    fill_vector(r, n, 2);
    for (uint32_t i = 0; i < n; i++)
        if (!pinned[i]) multiply3(turned + 4 * i, TURN, r + 4 * i, true);
    solve_alone(&f.plan, f.values, expected, turned, NULL, NULL, f.scratch, lt_simd_best());
    solve_alone(&f.plan, f.values, z, r, TURN, pinned, f.scratch, lt_simd_best());
    double largest = 0;
    for (uint32_t i = 0; i < 4 * n; i++)
        largest = fmax(largest, fabs((double)z[i]));
    for (uint32_t i = 0; i < n; i++) {
        lt_real back[3] = {0, 0, 0};
        if (!pinned[i]) multiply3(back, TURN, expected + 4 * i, false);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(z[4 * i + (uint32_t)k], back[k], 100 * EPSILON * largest);
        CHECK(z[4 * i + 3] == 0);
        if (pinned[i]) CHECK(z[4 * i] == 0 && z[4 * i + 1] == 0 && z[4 * i + 2] == 0);
    }
    solve_alone(&f.plan, f.values, r, r, TURN, pinned, f.scratch, lt_simd_best()); /* in place */
    CHECK(memcmp(r, z, 4 * n * sizeof z[0]) == 0);
    free_factor(&f);
}

static double dot(const lt_real *a, const lt_real *b, uint32_t node_count) {
    double sum = 0;
    for (uint32_t i = 0; i < 4 * node_count; i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
}

/* What conjugate gradients take for granted of a preconditioner. */
static void a_solve_is_symmetric_and_positive(void) {
    matrix *m = make_matrix(TET_BLOCK);
    fill_elastic(m, 100);
    round_blocks(m);
    factor f = plan_factor(m, NULL);
    CHECK(run_factor(&f, m, 0, lt_simd_best()));
    uint32_t n = m->pattern.row_count;
    uint8_t pinned[NODE_MAX] = {[0] = 1, [31] = 1};
    for (uint64_t seed = 0; seed < 10; seed++) {
        lt_real a[4 * NODE_MAX], b[4 * NODE_MAX], pa[4 * NODE_MAX], pb[4 * NODE_MAX];
        fill_vector(a, n, 2 * seed);
        fill_vector(b, n, 2 * seed + 1);
        solve_alone(&f.plan, f.values, pa, a, TURN, pinned, f.scratch, lt_simd_best());
        solve_alone(&f.plan, f.values, pb, b, TURN, pinned, f.scratch, lt_simd_best());
        double size = sqrt(dot(a, pa, n) * dot(b, pb, n));
        CHECK(dot(a, pa, n) > 0);
        CHECK_NEAR(dot(a, pb, n), dot(b, pa, n), 1e4 * EPSILON * size);
    }
    free_factor(&f);
}

/* ---- stiff matrices ---- */

/* |r − A z| over |A| |z| + |r|, in the largest norm: what a backward stable solve makes small, whatever the condition. */
static double residual_of(const matrix *m, const lt_real *z, const lt_real *r) {
    double worst = 0, scale = 0;
    for (uint32_t i = 0; i < 3 * m->pattern.row_count; i++) {
        double sum = (double)r[i / 3 * 4 + i % 3], sizes = fabs(sum);
        for (uint32_t j = 0; j < 3 * m->pattern.row_count; j++) {
            double term = m->dense[i][j] * (double)z[j / 3 * 4 + j % 3];
            sum -= term;
            sizes += fabs(term);
        }
        worst = fabs(sum) > worst ? fabs(sum) : worst;
        scale = sizes > scale ? sizes : scale;
    }
    return worst / scale;
}

static void residuals_are_small_at_any_stiffness(void) {
    for (double s = 1e-4; s < 2e8; s *= 10) {
        matrix *m = make_matrix(TET_BLOCK);
        fill_elastic(m, s);
        round_blocks(m);
        factor f = plan_factor(m, NULL);
        bool done = run_factor(&f, m, 0, lt_simd_best());
        /* Masses are lost in the rounding of the stiffness from 1 / (20 epsilon) or so on: there may be no factor, and that is
         * said. Before, there must be one. */
        CHECK(done || 20 * s * EPSILON > 1);
        uint32_t n = m->pattern.row_count;
        lt_real r[4 * NODE_MAX], z[4 * NODE_MAX];
        fill_vector(r, n, 3);
        if (done) {
            solve_alone(&f.plan, f.values, z, r, NULL, NULL, f.scratch, lt_simd_best());
            double residual = residual_of(m, z, r);
            CHECK(residual < 5 * EPSILON);
            if (s * EPSILON < 1e-3) { /* condition: some ten times s and one */
                CHECK(factor_dense(m));
                CHECK(error_of(m, z, r) < 100 * EPSILON * (1 + s));
            }
        }
        free_factor(&f);
    }
}

/* √((z − x)ᵀ A (z − x) / xᵀ A x) */
static double energy_error(const matrix *m, const lt_real *z, const lt_real *x) {
    uint32_t size = 3 * m->pattern.row_count;
    double error = 0, whole = 0;
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t j = 0; j < size; j++) {
            uint32_t a = i / 3 * 4 + i % 3, b = j / 3 * 4 + j % 3;
            error += ((double)z[a] - (double)x[a]) * m->dense[i][j] * ((double)z[b] - (double)x[b]);
            whole += (double)x[a] * m->dense[i][j] * (double)x[b];
        }
    return sqrt(fabs(error) / whole); /* rounding may make it negative */
}

/* With a floor for pivots there is always a factor, and what it answers is right but for motions without energy. */
static void a_floor_keeps_stiff_matrices(void) {
    uint32_t raised = 0;
    for (double s = 1e-4; s < 2e20; s *= 10) {
        matrix *m = make_matrix(TET_BLOCK);
        fill_elastic(m, s);
        round_blocks(m);
        fill_elastic(m, s); /* what is compared with is not rounded */
        factor f = plan_factor(m, NULL);
        CHECK(run_factor(&f, m, LT_FACTOR_PIVOT_FLOOR, lt_simd_best()));
        if (s * EPSILON < 1e-3) CHECK_COUNT(f.work.raised_count, 0);
        raised += f.work.raised_count;
        uint32_t n = m->pattern.row_count;
        lt_real x[4 * NODE_MAX], r[4 * NODE_MAX] = {0}, z[4 * NODE_MAX];
        fill_vector(x, n, 4);
        for (uint32_t i = 0; i < 3 * n; i++) {
            double sum = 0;
            for (uint32_t j = 0; j < 3 * n; j++)
                sum += m->dense[i][j] * (double)x[j / 3 * 4 + j % 3];
            r[i / 3 * 4 + i % 3] = (lt_real)sum;
        }
        solve_alone(&f.plan, f.values, z, r, NULL, NULL, f.scratch, lt_simd_best());
        double error = energy_error(m, z, x);
        CHECK(error < 2.5e-3);
        CHECK(f.work.raised_count <= 6); /* rigid motions */
        free_factor(&f);
    }
    CHECK(raised > 0);
}

/* ---- what has no factor ---- */

static bool has_factor(matrix *m, lt_real pivot_floor) {
    factor f = plan_factor(m, NULL);
    bool done = run_factor(&f, m, pivot_floor, lt_simd_best());
    uint64_t units = 7;
    lt_real first = f.plan.value_count ? f.values[0] : 0;
    CHECK(!lt_factor_step(&f.work, &units, lt_simd_best())); /* nothing more comes of it */
    CHECK(units == 0 && lt_factor_is_done(&f.work) == done);
    CHECK(f.plan.value_count == 0 || memcmp(&first, &f.values[0], sizeof first) == 0);
    free_factor(&f);
    return done;
}

static void set_both(matrix *m, uint32_t i, uint32_t j, double value) {
    uint32_t upper = entry_of(m, i / 3, j / 3), lower = entry_of(m, j / 3, i / 3);
    m->blocks[(size_t)LT_BLOCK_STRIDE * upper + 4 * (j % 3) + i % 3] = (lt_real)value;
    m->blocks[(size_t)LT_BLOCK_STRIDE * lower + 4 * (i % 3) + j % 3] = (lt_real)value;
}

static void what_is_not_positive_definite_is_refused(void) {
    const double values[] = {0, -1, NAN, INFINITY, -INFINITY};
    for (int kind = ONE_NODE; kind < SHAPE_COUNT; kind++) {
        matrix *m = make_matrix((shape)kind);
        fill_random(m, 1);
        CHECK(has_factor(m, 0));
        for (size_t k = 0; k < LT_COUNT_OF(values); k++)
            for (uint32_t place = 0; place < 3; place++) {
                fill_random(m, 1);
                uint32_t i = (3 * m->pattern.row_count - 1) * place / 2;
                set_both(m, i, i, values[k]);
                CHECK(!has_factor(m, 0));
                if (!isfinite(values[k])) CHECK(!has_factor(m, (lt_real)1e-6));
            }
        if (m->pattern.row_count < 2) continue;
        fill_random(m, 1);
        set_both(m, 0, 1, NAN);
        CHECK(!has_factor(m, 0));
        set_both(m, 0, 1, 1e4); /* indefinite, with a good diagonal */
        CHECK(!has_factor(m, 0));
    }
}

/* The very small beside the very large: each pivot is positive, and L21 L11⁻¹ is beyond what a real holds. */
static void what_overflows_is_refused(void) {
#ifdef LITHE_DOUBLE
    const double small = 1e-310, large = 1e308, between = 0.06;
#else
    const double small = 1e-40, large = 3e38, between = 0.1;
#endif
    matrix *m = make_matrix(COMPLETE);
    uint32_t order[NODE_MAX], last = 3 * m->pattern.row_count - 1;
    for (uint32_t i = 0; i < m->pattern.row_count; i++)
        order[i] = i;
    for (uint32_t i = 0; i <= last; i++)
        set_both(m, i, i, 1);
    set_both(m, 0, 0, small);
    set_both(m, last, last, large);
    for (int k = 0; k < 2; k++) {
        set_both(m, 0, last, k ? between : 0);
        factor f = plan_factor(m, order);
        CHECK(run_factor(&f, m, 0, lt_simd_best()) == (k == 0));
        free_factor(&f);
    }
}

/* ---- cuts and levels ---- */

static void cuts_change_nothing(void) {
    for (int kind = EMPTY; kind < SHAPE_COUNT; kind++) {
        matrix *m = make_matrix((shape)kind);
        fill_random(m, 3);
        factor whole = plan_factor(m, NULL), cut = plan_factor(m, NULL);
        CHECK(run_factor(&whole, m, 0, lt_simd_best()));
        size_t values = lt_factor_value_count(&cut.plan), scratch = lt_factor_work_count(&cut.plan);
        lt_real *other_values = new_reals(values), *other_scratch = new_reals(scratch);
        lt_factor_begin(&cut.work, &cut.plan, m->blocks, cut.values, cut.work_scratch);
        uint64_t units, sum = 0;
        for (bool more = m->pattern.row_count > 0; more; sum += units) { /* moves elsewhere after each step */
            more = lt_factor_step(&cut.work, &units, lt_simd_best());
            bool back = cut.work.values == other_values;
            lt_real *to = back ? cut.values : other_values,
                    *scratch_to = back ? cut.work_scratch : other_scratch;
            memcpy(to, cut.work.values, values * sizeof *to);
            memcpy(scratch_to, cut.work.scratch, scratch * sizeof *to);
            memset(cut.work.values, 0x7f, values * sizeof *to);
            memset(cut.work.scratch, 0x7f, scratch * sizeof *to);
            cut.work.values = to;
            cut.work.scratch = scratch_to;
        }
        CHECK(lt_factor_is_done(&cut.work));
        CHECK(memcmp(cut.work.values, whole.values, values * sizeof whole.values[0]) == 0);
        CHECK_COUNT(sum, lt_factor_numeric_units(&cut.plan));
        free(other_values);
        free(other_scratch);
        free_factor(&whole);
        free_factor(&cut);
    }
}

/* A piece is little more than it may be; what it costs is what it says; large supernodes take several. */
static void pieces_are_bounded(void) {
    large_pattern p = make_large_pattern();
    factor f = plan_pattern(&p.pattern, NULL);
    lt_real *blocks = make_springs(&p.pattern);
    uint32_t n = p.pattern.row_count, steps = 0;
    lt_factor_begin(&f.work, &f.plan, blocks, f.values, f.work_scratch);
    uint64_t units, most = 0, sum = 0;
    for (bool more = true; more; steps++) {
        more = lt_factor_step(&f.work, &units, lt_simd_best());
        most = lt_max_u64(most, units);
        sum += units;
    }
    CHECK(lt_factor_is_done(&f.work));
    CHECK(most <= LT_FACTOR_PIECE_UNITS + 6 * (uint64_t)f.plan.tallest + 1000);
    CHECK_COUNT(sum, lt_factor_numeric_units(&f.plan));
    CHECK(steps > f.plan.supernode_count);
    lt_real *x = new_reals(4 * n), *r = new_reals(4 * n);
    fill_vector(x, n, 1);
    lt_sparse_kernels_for(lt_simd_best())->multiply(r, &p.pattern, blocks, x, 0, n);
    solve_alone(&f.plan, f.values, r, r, NULL, NULL, f.scratch, lt_simd_best());
    for (uint32_t i = 0; i < 4 * n; i++)
        CHECK_NEAR(r[i], x[i], 3000 * EPSILON);
    free(x);
    free(r);
    free(blocks);
    free_factor(&f);
    free_large_pattern(&p);
}

static uint64_t hash_of_all(matrix *m, lt_simd_level level) {
    static lt_real x[SIZE_MAX_FACTOR * 8];
    factor f = plan_factor(m, NULL);
    uint32_t n = m->pattern.row_count;
    lt_real r[4 * NODE_MAX], z[4 * NODE_MAX];
    uint8_t pinned[NODE_MAX] = {[1] = 1};
    fill_vector(r, NODE_MAX, 1);
    for (uint32_t i = 0; i < 24 * n; i++)
        x[i] = r[i % NODE_MAX];
    CHECK(run_factor(&f, m, (lt_real)1e-6, level));
    solve_alone(&f.plan, f.values, z, r, TURN, pinned, f.scratch, level);
    lt_factor_solve8(&f.plan, f.values, x, 0, f.scratch8, level);
    uint64_t hash = lt_hash_bytes(LT_HASH_SEED, f.values, lt_factor_value_count(&f.plan) * sizeof r[0]);
    hash = lt_hash_bytes(hash, z, 4 * n * sizeof z[0]);
    hash = lt_hash_bytes(hash, x, 24 * n * sizeof x[0]);
    free_factor(&f);
    return hash;
}

static void every_level_gives_the_same_bits(void) {
    uint64_t first[SHAPE_COUNT + 1] = {0};
    for (int kind = EMPTY; kind <= SHAPE_COUNT; kind++)
        for (int level = LT_LEVEL_SCALAR; level <= (int)lt_simd_best(); level++) {
            matrix *m = make_matrix(kind < SHAPE_COUNT ? (shape)kind : TET_BLOCK);
            if (kind < SHAPE_COUNT)
                fill_random(m, 11);
            else
                fill_elastic(m, 1e6);
            round_blocks(m);
            uint64_t hash = hash_of_all(m, (lt_simd_level)level);
            if (level == LT_LEVEL_SCALAR) first[kind] = hash;
            CHECK(hash == first[kind]);
        }
#ifndef LITHE_DOUBLE
    check_golden("factors", lt_hash_bytes(LT_HASH_SEED, first, sizeof first));
#endif
}

int main(void) {
    RUN(solves_are_those_of_a_dense_factor);
    RUN(eight_at_once_are_eight_solves);
    RUN(turns_and_pins_are_around_the_solve);
    RUN(a_solve_is_symmetric_and_positive);
    RUN(residuals_are_small_at_any_stiffness);
    RUN(a_floor_keeps_stiff_matrices);
    RUN(what_is_not_positive_definite_is_refused);
    RUN(what_overflows_is_refused);
    RUN(cuts_change_nothing);
    RUN(pieces_are_bounded);
    RUN(every_level_gives_the_same_bits);
    return check_finish();
}
