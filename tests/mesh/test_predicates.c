/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Signs against 128-bit integer determinants, on integers small (many zeros) and large (the filter fails). */

#include "check.h"
#include "core/random.h"
#include "mesh/predicates.h"

typedef __int128 wide;

static int sign_of_wide(wide x) {
    return (x > 0) - (x < 0);
}

static int orient2d_by_integers(const int64_t p[3][2]) {
    wide bx = p[1][0] - p[0][0], by = p[1][1] - p[0][1], cx = p[2][0] - p[0][0], cy = p[2][1] - p[0][1];
    return sign_of_wide(bx * cy - by * cx);
}

static int orient3d_by_integers(const int64_t p[4][3]) {
    wide m[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            m[i][k] = p[i + 1][k] - p[0][k];
    return sign_of_wide(m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) +
                        m[0][1] * (m[1][2] * m[2][0] - m[1][0] * m[2][2]) +
                        m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]));
}

static int64_t random_integer(lt_random *random, int64_t limit) {
    uint64_t bits = ((uint64_t)lt_random_u32(random) << 32) | lt_random_u32(random);
    return (int64_t)(bits % (uint64_t)(2 * limit + 1)) - limit;
}

static lt_dvec3 point_of(const int64_t p[3]) {
    return lt_d3_make((double)p[0], (double)p[1], (double)p[2]);
}

static int orient3d_of(const int64_t p[4][3]) {
    return lt_orient3d(point_of(p[0]), point_of(p[1]), point_of(p[2]), point_of(p[3]));
}

static void small_integers(void) {
    lt_random random = lt_random_seed(1);
    int wrong = 0, zeros = 0;
    for (int n = 0; n < 50000; n++) {
        int64_t p[4][3], q[3][2];
        for (int i = 0; i < 12; i++)
            p[i / 3][i % 3] = random_integer(&random, 2);
        for (int i = 0; i < 6; i++)
            q[i / 2][i % 2] = random_integer(&random, 2);
        int expected = orient3d_by_integers(p);
        zeros += expected == 0;
        wrong += orient3d_of(p) != expected;
        wrong +=
            lt_orient3d_exact(point_of(p[0]), point_of(p[1]), point_of(p[2]), point_of(p[3])) != expected;
        wrong += lt_orient2d((double)q[0][0], (double)q[0][1], (double)q[1][0], (double)q[1][1],
                             (double)q[2][0], (double)q[2][1]) != orient2d_by_integers(q);
    }
    CHECK_COUNT(wrong, 0);
    CHECK(zeros > 5000);
}

/* d = a + s(b - a) + t(c - a) + a unit step: determinants far below the rounding error of their terms. Up to
 * 2^38 three factors stay within 128 bits. */
static void nearly_flat_large_integers(void) {
    lt_random random = lt_random_seed(2);
    int wrong = 0, zeros = 0, filter_wrong = 0;
    for (int n = 0; n < 50000; n++) {
        int64_t p[4][3];
        for (int i = 0; i < 9; i++)
            p[i / 3][i % 3] = random_integer(&random, (int64_t)1 << 36);
        int64_t s = random_integer(&random, 2), t = random_integer(&random, 2);
        int64_t step[3] = {random_integer(&random, 1), random_integer(&random, 1),
                           random_integer(&random, 1)};
        for (int k = 0; k < 3; k++)
            p[3][k] = p[0][k] + s * (p[1][k] - p[0][k]) + t * (p[2][k] - p[0][k]) + step[k];
        int expected = orient3d_by_integers(p);
        zeros += expected == 0;
        wrong += orient3d_of(p) != expected;
        lt_dvec3 a = point_of(p[0]);
        lt_dvec3 bc = lt_d3_cross(lt_d3_sub(point_of(p[1]), a), lt_d3_sub(point_of(p[2]), a));
        filter_wrong += lt_sign_of(lt_d3_dot(lt_d3_sub(point_of(p[3]), a), bc)) != expected;
    }
    CHECK_COUNT(wrong, 0);
    CHECK(zeros > 500);
    CHECK(filter_wrong > 500); /* or this test would prove nothing */
}

/* Coordinates so different in size that the differences themselves round, by as much as the third point is
 * off the line; with exact differences a rounded 2x2 determinant cannot have the wrong sign. */
static void differences_that_round(void) {
    lt_random random = lt_random_seed(3);
    int wrong = 0, zeros = 0, filter_wrong = 0;
    for (int n = 0; n < 50000; n++) {
        int64_t p[3][2];
        for (int k = 0; k < 2; k++) {
            p[0][k] = n & 1 ? random_integer(&random, 200) : 0;
            p[1][k] = 64 * random_integer(&random, (int64_t)1 << 52);
            p[2][k] = -p[1][k] + 64 * random_integer(&random, 1);
        }
        double q[3][2];
        for (int i = 0; i < 6; i++)
            q[i / 2][i % 2] = (double)p[i / 2][i % 2];
        int expected = orient2d_by_integers(p);
        double det = (q[1][0] - q[0][0]) * (q[2][1] - q[0][1]) - (q[1][1] - q[0][1]) * (q[2][0] - q[0][0]);
        zeros += expected == 0;
        wrong += lt_orient2d(q[0][0], q[0][1], q[1][0], q[1][1], q[2][0], q[2][1]) != expected;
        filter_wrong += lt_sign_of(det) == -expected && expected != 0;
    }
    CHECK_COUNT(wrong, 0);
    CHECK(zeros > 1000);
    CHECK(filter_wrong > 100);
}

/* By hand: three points of the plane x + y + z = 0 and points 2^-30 off it, where an ulp is 16384: only the
 * low parts of the differences can decide. */
static void differences_that_round_in_space(void) {
    lt_dvec3 a = {0.5, 0.25, -0.75}, b = {1e20, -1e20, 0}, c = {0, 1e20, -1e20};
    lt_dvec3 on = {-1e20, 0, 1e20}, above = {-1e20, 0x1p-30, 1e20}, below = {-1e20, -0x1p-30, 1e20};
    CHECK(lt_orient3d(a, b, c, on) == 0);
    CHECK(lt_orient3d(a, b, c, above) == 1);
    CHECK(lt_orient3d(a, b, c, below) == -1);
    lt_dvec3 b_off = {1e20, -1e20, 0x1p-40};
    CHECK(lt_orient3d(a, b_off, c, on) == 1);
}

static void scale_does_not_matter(void) {
    lt_dvec3 a = {0, 0, 0}, b = {1, 2, 3}, c = {4, 5, 6}, d = {7, 8, 9.000000000000002}, e = {7, 8, 9};
    for (int power = -240; power <= 300; power += 60) {
        double s = ldexp(1.0, power);
        lt_dvec3 sb = lt_d3_scale(b, s), sc = lt_d3_scale(c, s);
        CHECK(lt_orient3d(a, sb, sc, lt_d3_scale(d, s)) == -1); /* det = -3 * 2e-15 */
        CHECK(lt_orient3d(a, sb, sc, lt_d3_scale(e, s)) == 0);
        CHECK(lt_determinant_sign(sb, sc, lt_d3_scale(d, s)) == -1);
    }
}

/* What defines a consistent perturbation: never zero, antisymmetric, and the three-term Grassmann-Pluecker
 * relation, which every arrangement in general position satisfies and inconsistent signs break. */
static int perturbed(const lt_dvec3 *p, int a, int b, int c, int d) {
    return lt_orient3d_perturbed(
        (const lt_dvec3[4]){p[a], p[b], p[c], p[d]},
        (const uint32_t[4]){10 * (uint32_t)a, 10 * (uint32_t)b, 10 * (uint32_t)c, 10 * (uint32_t)d});
}

/* With ones columns six points p q | r s t u in space satisfy [pqrs][pqtu] - [pqrt][pqsu] + [pqru][pqst] = 0:
 * the three products can not all have one sign. */
static bool plucker_holds(const lt_dvec3 p[6]) {
    int first = perturbed(p, 0, 1, 2, 3) * perturbed(p, 0, 1, 4, 5);
    int second = -perturbed(p, 0, 1, 2, 4) * perturbed(p, 0, 1, 3, 5);
    int third = perturbed(p, 0, 1, 2, 5) * perturbed(p, 0, 1, 3, 4);
    return !(first == second && second == third);
}

static void perturbed_signs_are_consistent(void) {
    lt_random random = lt_random_seed(4);
    int bad = 0;
    for (int n = 0; n < 20000; n++) {
        lt_dvec3 p[6];
        for (int i = 0; i < 6; i++)
            p[i] = lt_d3_make((double)random_integer(&random, 1), (double)random_integer(&random, 1),
                              (double)random_integer(&random, 1));
        int sign = perturbed(p, 0, 1, 2, 3);
        bad += sign == 0 || sign != -perturbed(p, 1, 0, 2, 3) || sign != perturbed(p, 2, 3, 0, 1) ||
               sign != -perturbed(p, 3, 1, 2, 0);
        bad += !plucker_holds(p);
    }
    CHECK_COUNT(bad, 0);
}

int main(void) {
    RUN(small_integers);
    RUN(nearly_flat_large_integers);
    RUN(differences_that_round);
    RUN(differences_that_round_in_space);
    RUN(scale_does_not_matter);
    RUN(perturbed_signs_are_consistent);
    return check_finish();
}
