/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Nearest rotations. The oracle knows nothing of singular values: with R(q) the rotation of a unit quaternion,
 * tr(RᵀA) = qᵀKq for a symmetric 4×4 K (Davenport), so the best value any rotation reaches is the greatest
 * eigenvalue of K, found by squaring K + cI again and again.
 *
 * labels: golden wasm */

#include "check.h"
#include "core/hash.h"
#include "core/polar.h"
#include "core/polar_wide.h"
#include "core/random.h"

static const lt_dmat3 ZERO = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};

static lt_dmat3 random_rotation(lt_random *random) {
    for (;;) {
        double q[4], squared = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = lt_random_range(random, -1, 1);
            squared += q[i] * q[i];
        }
        if (squared < 0.01 || squared > 1) continue;
        for (int i = 0; i < 4; i++)
            q[i] /= sqrt(squared);
        return lt_matrix_from_quaternion(q);
    }
}

static lt_dvec3 random_axis(lt_random *random) {
    return random_rotation(random).c0;
}

/* The quaternion (axis tan ½angle, 1), normalised. */
static lt_dmat3 turn_about(lt_dvec3 axis, double tangent_of_half) {
    double length = sqrt(1 + tangent_of_half * tangent_of_half), s = tangent_of_half / length;
    return lt_matrix_from_quaternion((double[4]){axis.x * s, axis.y * s, axis.z * s, 1 / length});
}

static lt_dmat3 half_turn(lt_dvec3 axis) {
    return lt_matrix_from_quaternion((double[4]){axis.x, axis.y, axis.z, 0});
}

static lt_dmat3 random_matrix(lt_random *random) {
    double m[9];
    for (int i = 0; i < 9; i++)
        m[i] = lt_random_range(random, -1, 1);
    return (lt_dmat3){{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}};
}

/* U diag(a, b, c) Vᵀ */
static lt_dmat3 with_singular_values(lt_dmat3 u, double a, double b, double c, lt_dmat3 v) {
    lt_dmat3 stretched = {lt_d3_scale(u.c0, a), lt_d3_scale(u.c1, b), lt_d3_scale(u.c2, c)};
    return lt_dm3_mul(stretched, lt_dm3_transpose(v));
}

static double distance(lt_dmat3 a, lt_dmat3 b) {
    return sqrt(lt_dm3_norm_squared(lt_dm3_sub(a, b)));
}

static void check_is_rotation(lt_dmat3 r, double tolerance) {
    CHECK_NEAR(distance(lt_dm3_mul(lt_dm3_transpose(r), r), lt_dm3_identity()), 0, tolerance);
    CHECK_NEAR(lt_dm3_determinant(r), 1, tolerance);
}

static double reached(lt_dmat3 r, lt_dmat3 a) {
    return lt_dm3_trace(lt_dm3_mul(lt_dm3_transpose(r), a));
}

static void fill_davenport(double k[4][4], lt_dmat3 a) {
    double m[3][3] = {{a.c0.x, a.c1.x, a.c2.x}, {a.c0.y, a.c1.y, a.c2.y}, {a.c0.z, a.c1.z, a.c2.z}};
    double trace = m[0][0] + m[1][1] + m[2][2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            k[i][j] = m[i][j] + m[j][i] - (i == j ? trace : 0);
        int next = (i + 1) % 3, last = (i + 2) % 3;
        k[i][3] = k[3][i] = m[last][next] - m[next][last];
    }
    k[3][3] = trace;
}

/* max over all rotations of tr(RᵀA) */
static double best_reachable(lt_dmat3 a) {
    double k[4][4], power[4][4], next[4][4];
    fill_davenport(k, a);
    double shift = 2 * sqrt(lt_dm3_norm_squared(a)); /* tr(RᵀA) ≥ −√3 |A| */
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            power[i][j] = k[i][j] + (i == j ? shift : 0);
    for (int round = 0; round < 45; round++) {
        double trace = power[0][0] + power[1][1] + power[2][2] + power[3][3];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                next[i][j] = 0;
                for (int l = 0; l < 4; l++)
                    next[i][j] += power[i][l] / trace * (power[l][j] / trace);
            }
        memcpy(power, next, sizeof power);
    }
    double product = 0, trace = 0;
    for (int i = 0; i < 4; i++) {
        trace += power[i][i];
        for (int j = 0; j < 4; j++)
            product += power[i][j] * k[j][i];
    }
    return product / trace;
}

static void check_is_nearest(lt_dmat3 r, lt_dmat3 a, double tolerance) {
    double best = best_reachable(a), size = sqrt(lt_dm3_norm_squared(a));
    CHECK_NEAR(reached(r, a), best, tolerance * size);
}

/* ---- one matrix, by singular values ---- */

static void oracle_agrees_with_a_search(void) {
    lt_random random = lt_random_seed(1);
    for (int sample = 0; sample < 5; sample++) {
        lt_dmat3 a = random_matrix(&random);
        double best = best_reachable(a), found = -10;
        for (int i = 0; i < 20000; i++) {
            double value = reached(random_rotation(&random), a);
            if (value > found) found = value;
        }
        CHECK(found <= best + 1e-12);
        CHECK(found > best - 0.05);
    }
}

static void svd_gives_the_nearest_rotation_of_anything(void) {
    lt_random random = lt_random_seed(2);
    int inverted = 0;
    for (int sample = 0; sample < 1000; sample++) {
        lt_dmat3 a = random_matrix(&random);
        lt_dmat3 r = lt_polar_by_svd(a);
        check_is_rotation(r, 1e-13);
        check_is_nearest(r, a, 1e-12);
        inverted += lt_dm3_determinant(a) < 0;
    }
    CHECK(inverted > 300 && inverted < 700);
}

static void svd_finds_the_rotation_of_a_product(void) {
    lt_random random = lt_random_seed(3);
    for (int sample = 0; sample < 300; sample++) {
        lt_dmat3 r = random_rotation(&random), v = random_rotation(&random);
        double least = lt_random_range(&random, 0.01f, 1);
        lt_dmat3 s = with_singular_values(v, 2, lt_random_range(&random, 0.5f, 2), least, v);
        CHECK_NEAR(distance(lt_polar_by_svd(lt_dm3_mul(r, s)), r), 0, 1e-10);
    }
}

static void svd_gives_the_sign_to_the_least_singular_value(void) {
    lt_random random = lt_random_seed(4);
    for (int sample = 0; sample < 300; sample++) {
        lt_dmat3 u = random_rotation(&random), v = random_rotation(&random);
        lt_dmat3 a = with_singular_values(u, 3, 2, -1, v);
        CHECK_NEAR(distance(lt_polar_by_svd(a), lt_dm3_mul(u, lt_dm3_transpose(v))), 0, 1e-12);
    }
    lt_dmat3 mirror = with_singular_values(lt_dm3_identity(), 1, -2, 3, lt_dm3_identity());
    CHECK_NEAR(reached(lt_polar_by_svd(mirror), mirror), 3 + 2 - 1, 1e-14);
}

/* AᵀA keeps the squares of singular values: two that are both below √ε of the greatest are not told apart, and
 * what is reached lacks about as much. */
static void svd_gives_a_rotation_of_flat_matrices(void) {
    lt_random random = lt_random_seed(5);
    const double least[] = {0, 1e-20, 1e-14, 1e-12, 1e-11, 1e-9, 1e-8, 1e-6, 1e-3};
    for (int sample = 0; sample < 40; sample++)
        for (size_t i = 0; i < LT_COUNT_OF(least); i++)
            for (size_t j = i; j < LT_COUNT_OF(least); j++) {
                lt_dmat3 u = random_rotation(&random), v = random_rotation(&random);
                lt_dmat3 a = with_singular_values(u, 1, least[j], sample % 2 ? -least[i] : least[i], v);
                lt_dmat3 r = lt_polar_by_svd(a);
                check_is_rotation(r, 1e-12);
                check_is_nearest(r, a, least[j] < 1e-7 ? 4e-8 : 1e-12);
            }
    lt_dmat3 column = {{0, 0, 0}, {0, 0, 0}, {0, 2, 0}};
    CHECK_NEAR(reached(lt_polar_by_svd(column), column), 2, 1e-14);
}

static void svd_gives_the_identity_of_nothing(void) {
    CHECK(distance(lt_polar_by_svd(ZERO), lt_dm3_identity()) == 0);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < LT_COUNT_OF(bad); i++)
        for (int at = 0; at < 9; at++) {
            double m[9] = {1, 2, 3, -1, 0, 1, 2, 2, 5};
            m[at] = bad[i];
            lt_dmat3 a = {{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}};
            CHECK(distance(lt_polar_by_svd(a), lt_dm3_identity()) == 0);
        }
}

static void svd_does_not_depend_on_the_size(void) {
    lt_random random = lt_random_seed(6);
    const double sizes[] = {1e-320, 1e-300, 1e-200, 1e-160, 1e-150, 1e-30, 1e30, 1e149, 1e151, 1e200, 1e300};
    for (size_t i = 0; i < LT_COUNT_OF(sizes); i++) {
        lt_dmat3 u = random_rotation(&random), v = random_rotation(&random);
        lt_dmat3 a = with_singular_values(u, 3, 2, 1, v);
        double tolerance = sizes[i] < 1e-310 ? 2e-3 : 1e-12; /* denormals hold few digits */
        CHECK_NEAR(distance(lt_polar_by_svd(lt_dm3_scale(a, sizes[i])), lt_polar_by_svd(a)), 0, tolerance);
    }
}

/* ---- quaternions ---- */

static void check_round_trip(lt_dmat3 r) {
    double q[4];
    lt_quaternion_from_matrix(q, r);
    CHECK_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-14);
    CHECK_NEAR(distance(lt_matrix_from_quaternion(q), r), 0, 1e-14);
}

static void quaternions_make_round_trips(void) {
    lt_random random = lt_random_seed(7);
    for (int sample = 0; sample < 1000; sample++) {
        check_round_trip(random_rotation(&random));
        check_round_trip(half_turn(random_axis(&random)));
        check_round_trip(turn_about(random_axis(&random), 1e-9));
        check_round_trip(turn_about(random_axis(&random), 1e9));
    }
    check_round_trip(lt_dm3_identity());
    check_round_trip(half_turn((lt_dvec3){1, 0, 0}));
    check_round_trip(half_turn((lt_dvec3){0, 1, 0}));
    check_round_trip(half_turn((lt_dvec3){0, 0, 1}));
}

/* A quarter turn about z takes x to y: fixes the handedness, which round trips do not. */
static void quaternions_turn_the_right_way(void) {
    lt_dmat3 quarter = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
    CHECK_NEAR(distance(lt_matrix_from_quat((lt_quat){0, 0, 1, 1}), quarter), 0, 1e-15);
    double q[4];
    lt_quaternion_from_matrix(q, quarter);
    CHECK(fabs(q[0]) < 1e-15 && fabs(q[1]) < 1e-15 && fabs(q[2] - sqrt(0.5)) < 1e-15 &&
          fabs(q[3] - q[2]) < 1e-15);
}

static void callers_quaternions_need_not_be_normalised(void) {
    lt_dmat3 half = half_turn((lt_dvec3){0, 1, 0});
    CHECK_NEAR(distance(lt_matrix_from_quat((lt_quat){0, 1e-15f, 0, 0}), half), 0, 1e-14);
    CHECK_NEAR(distance(lt_matrix_from_quat((lt_quat){0, -3e15f, 0, 0}), half), 0, 1e-14);
    CHECK(distance(lt_matrix_from_quat((lt_quat){0, 0, 0, 0}), lt_dm3_identity()) == 0);
    CHECK(distance(lt_matrix_from_quat((lt_quat){NAN, 0, 0, 1}), lt_dm3_identity()) == 0);
    CHECK(distance(lt_matrix_from_quat((lt_quat){0, INFINITY, 0, 1}), lt_dm3_identity()) == 0);
}

/* ---- eight at once, by Newton ---- */

typedef struct lanes {
    lt_dmat3 a[8];     /* what lt_real keeps of it */
    lt_dmat3 start[8]; /* rotations */
    lt_dmat3 r[8];
    double q[8][4];
    uint32_t reported;
} lanes;

static void set_lane(lanes *l, int lane, lt_dmat3 a, lt_dmat3 start) {
    double m[9];
    memcpy(m, &a, sizeof m);
    for (int i = 0; i < 9; i++)
        m[i] = (lt_real)m[i];
    memcpy(&l->a[lane], m, sizeof m);
    l->start[lane] = start;
}

static void run_newton(lanes *l) {
    lt_real a[9][8], start[4][8], out[9][8];
    for (int lane = 0; lane < 8; lane++) {
        double m[9], q[4];
        memcpy(m, &l->a[lane], sizeof m);
        lt_quaternion_from_matrix(q, l->start[lane]);
        for (int i = 0; i < 9; i++)
            a[i][lane] = (lt_real)m[i];
        for (int i = 0; i < 4; i++)
            start[i][lane] = (lt_real)q[i];
    }
    lt_r8 wide_a[9], wide_q[4], wide_r[9];
    for (int i = 0; i < 9; i++)
        wide_a[i] = lt_r8_load(a[i]);
    for (int i = 0; i < 4; i++)
        wide_q[i] = lt_r8_load(start[i]);
    l->reported = lt_polar_newton(wide_r, wide_q, wide_a);
    for (int i = 0; i < 9; i++)
        lt_r8_store(out[i], wide_r[i]);
    for (int i = 0; i < 4; i++)
        lt_r8_store(start[i], wide_q[i]);
    for (int lane = 0; lane < 8; lane++) {
        double m[9];
        for (int i = 0; i < 9; i++)
            m[i] = out[i][lane];
        memcpy(&l->r[lane], m, sizeof m);
        for (int i = 0; i < 4; i++)
            l->q[lane][i] = start[i][lane];
    }
}

static const double ROUNDING = 64 * (double)LT_REAL_EPSILON;

/* A rotation in every lane, kept as the quaternion says; the nearest one where it was not reported. */
static void check_lanes(const lanes *l) {
    CHECK((l->reported & ~0xffu) == 0);
    for (int lane = 0; lane < 8; lane++) {
        check_is_rotation(l->r[lane], ROUNDING);
        CHECK_NEAR(distance(lt_matrix_from_quaternion(l->q[lane]), l->r[lane]), 0, ROUNDING);
        if (!(l->reported >> lane & 1)) check_is_nearest(l->r[lane], l->a[lane], ROUNDING);
    }
}

/* Well-conditioned stretches: here the rotation itself can be compared, not only what it reaches. */
static lt_dmat3 random_stretch(lt_random *random) {
    lt_dmat3 v = random_rotation(random);
    double size[3];
    for (int i = 0; i < 3; i++)
        size[i] = lt_random_range(random, 0.5f, 2);
    return with_singular_values(v, size[0], size[1], size[2], v);
}

static void newton_settles_from_warm_starts(void) {
    lt_random random = lt_random_seed(8);
    for (int sample = 0; sample < 200; sample++) {
        lanes l;
        for (int lane = 0; lane < 8; lane++) {
            lt_dmat3 r = random_rotation(&random);
            lt_dmat3 turned =
                lt_dm3_mul(r, turn_about(random_axis(&random), lt_random_range(&random, 0, 0.2f)));
            set_lane(&l, lane, lt_dm3_mul(r, random_stretch(&random)), turned);
        }
        run_newton(&l);
        CHECK_COUNT(l.reported, 0);
        check_lanes(&l);
        for (int lane = 0; lane < 8; lane++)
            CHECK_NEAR(distance(l.r[lane], lt_polar_by_svd(l.a[lane])), 0, ROUNDING);
    }
}

static void newton_from_the_identity_is_right_or_says_so(void) {
    lt_random random = lt_random_seed(9);
    uint32_t reported_count = 0;
    for (int sample = 0; sample < 300; sample++) {
        lanes l;
        for (int lane = 0; lane < 8; lane++) {
            lt_dmat3 r = random_rotation(&random);
            set_lane(&l, lane, lt_dm3_mul(r, random_stretch(&random)), lt_dm3_identity());
        }
        run_newton(&l);
        check_lanes(&l);
        for (int lane = 0; lane < 8; lane++)
            reported_count += l.reported >> lane & 1;
    }
    CHECK(reported_count < 300 * 8 / 10);
}

/* The start is a saddle: there is no slope, and the rotation is as wrong as it can be. */
static void newton_is_not_content_half_a_turn_away(void) {
    lt_random random = lt_random_seed(10);
    for (int sample = 0; sample < 100; sample++) {
        lanes l;
        for (int lane = 0; lane < 8; lane++) {
            lt_dvec3 axis = random_axis(&random);
            if (lane < 3) axis = (lt_dvec3){lane == 0, lane == 1, lane == 2};
            lt_dmat3 start = sample == 0 ? lt_dm3_identity() : random_rotation(&random);
            lt_dmat3 stretch = lane % 2 ? random_stretch(&random) : lt_dm3_identity();
            lt_dmat3 goal = lt_dm3_mul(start, lane == 6 ? turn_about(axis, 500) : half_turn(axis));
            set_lane(&l, lane, lt_dm3_mul(goal, stretch), start);
        }
        run_newton(&l);
        check_lanes(&l);
        if (sample == 0) CHECK((l.reported & 5) == 5);
    }
}

/* A third of a turn about the diagonal has trace 0, by which the careful step would divide. */
static void newton_survives_a_trace_of_zero(void) {
    lanes l;
    for (int lane = 0; lane < 8; lane++) {
        double s = lane < 4 ? 1 : 1e-3;
        lt_dmat3 cycle = {{0, s, 0}, {0, 0, s}, {s, 0, 0}};
        set_lane(&l, lane, lane % 2 ? lt_dm3_transpose(cycle) : cycle, lt_dm3_identity());
    }
    run_newton(&l);
    check_lanes(&l);
}

static void newton_reports_what_is_inverted_or_flat_and_nothing_else(void) {
    lt_random random = lt_random_seed(11);
    for (int sample = 0; sample < 256; sample++) {
        lanes l;
        for (int lane = 0; lane < 8; lane++) {
            lt_dmat3 r = random_rotation(&random), v = random_rotation(&random);
            double least = sample >> lane & 1 ? (lane % 2 ? -0.5 : 0) : 0.5;
            lt_dmat3 a = lt_dm3_mul(r, with_singular_values(v, 1.5, 1, least, v));
            if (least == 0) a.c0 = (lt_dvec3){0, 0, 0}; /* flat to the last bit */
            set_lane(&l, lane, a, lt_dm3_mul(r, turn_about(random_axis(&random), 0.05)));
        }
        run_newton(&l);
        CHECK_COUNT(l.reported, sample);
        check_lanes(&l);
    }
    lanes nothing;
    for (int lane = 0; lane < 8; lane++)
        set_lane(&nothing, lane, ZERO, random_rotation(&random));
    run_newton(&nothing);
    CHECK_COUNT(nothing.reported, 0xff);
    check_lanes(&nothing);
}

/* Needles: turning about the long axis changes tr(RᵀA) by next to nothing, so small steps prove nothing. */
static void newton_is_right_about_needles_or_says_so(void) {
    lt_random random = lt_random_seed(12);
    const double thin[] = {1e-2, 1e-3, 3e-4, 1e-4, 4e-5, 3.3e-5, 1e-5};
    for (size_t i = 0; i < LT_COUNT_OF(thin); i++)
        for (int sample = 0; sample < 20; sample++) {
            lanes l;
            for (int lane = 0; lane < 8; lane++) {
                lt_dmat3 r = random_rotation(&random), v = random_rotation(&random);
                lt_dmat3 a = with_singular_values(v, 1, thin[i], thin[i], v);
                set_lane(&l, lane, lt_dm3_mul(r, a), lt_dm3_mul(r, turn_about(v.c0, 0.5)));
            }
            run_newton(&l);
            check_lanes(&l);
            for (int lane = 0; lane < 8; lane++)
                if (!(l.reported >> lane & 1))
                    CHECK_NEAR(distance(l.r[lane], lt_polar_by_svd(l.a[lane])), 0, ROUNDING / thin[i]);
        }
}

static void newton_keeps_bad_lanes_to_themselves(void) {
    lt_random random = lt_random_seed(13);
    lanes l;
    for (int lane = 0; lane < 8; lane++)
        set_lane(&l, lane, random_stretch(&random), lt_dm3_identity());
    l.a[2].c1.y = NAN;
    l.a[5].c0.z = INFINITY;
    run_newton(&l);
    CHECK_COUNT(l.reported, 1 << 2 | 1 << 5);
    for (int lane = 0; lane < 8; lane++)
        if (lane != 2 && lane != 5) check_is_nearest(l.r[lane], l.a[lane], ROUNDING);
}

/* Both ways use + - * / and sqrt alone. Compared between builds; Newton only where lt_real is float. */
static void rotations_have_the_same_bits_everywhere(void) {
    lt_random random = lt_random_seed(14);
    uint64_t by_svd = LT_HASH_SEED, by_newton = LT_HASH_SEED;
    for (int sample = 0; sample < 500; sample++) {
        lanes l;
        for (int lane = 0; lane < 8; lane++) {
            set_lane(&l, lane, random_matrix(&random), lt_dm3_identity());
            lt_dmat3 r = lt_polar_by_svd(random_matrix(&random));
            by_svd = lt_hash_bytes(by_svd, &r, sizeof r);
        }
        run_newton(&l);
        by_newton = lt_hash_u64(lt_hash_bytes(by_newton, l.r, sizeof l.r), l.reported);
    }
    check_golden("polar-svd", by_svd);
#ifndef LITHE_DOUBLE
    check_golden("polar-newton", by_newton);
#endif
    CHECK(by_svd != by_newton);
}

int main(void) {
    RUN(oracle_agrees_with_a_search);
    RUN(svd_gives_the_nearest_rotation_of_anything);
    RUN(svd_finds_the_rotation_of_a_product);
    RUN(svd_gives_the_sign_to_the_least_singular_value);
    RUN(svd_gives_a_rotation_of_flat_matrices);
    RUN(svd_gives_the_identity_of_nothing);
    RUN(svd_does_not_depend_on_the_size);
    RUN(quaternions_make_round_trips);
    RUN(quaternions_turn_the_right_way);
    RUN(callers_quaternions_need_not_be_normalised);
    RUN(newton_settles_from_warm_starts);
    RUN(newton_from_the_identity_is_right_or_says_so);
    RUN(newton_is_not_content_half_a_turn_away);
    RUN(newton_survives_a_trace_of_zero);
    RUN(newton_reports_what_is_inverted_or_flat_and_nothing_else);
    RUN(newton_is_right_about_needles_or_says_so);
    RUN(newton_keeps_bad_lanes_to_themselves);
    RUN(rotations_have_the_same_bits_everywhere);
    return check_finish();
}
