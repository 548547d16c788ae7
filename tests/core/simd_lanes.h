/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Every operation of core/simd.h, lane by lane, against the scalar operation it stands for, bit for bit.
 * The level is chosen by what is defined before: test_simd*.c include this once per level.
 *
 * Inputs are drawn from random bit patterns (every exponent, denormals, infinities and NaN among them) and from
 * a list of corner values. Which NaN an arithmetic operation makes is the processor's affair, so results that
 * are NaN on both sides count as equal there; min, max and select only move bits and are compared in full. */

#ifndef LITHE_TESTS_SIMD_LANES_H
#define LITHE_TESTS_SIMD_LANES_H

#include "check.h"
#include "core/random.h"
#include "core/simd.h"

#include <float.h>

enum { SIMD_ROUNDS = 4000 };

static float random_float(lt_random *random) {
    static const float corners[] = {0.0f,     -0.0f,       1.0f,    -1.0f,       FLT_MIN,
                                    -FLT_MIN, 1e-45f,      -1e-45f, FLT_MAX,     -FLT_MAX,
                                    INFINITY, -INFINITY,   NAN,     16777216.0f, FLT_EPSILON,
                                    3.0f,     1.0f / 3.0f, -1e-40f, 2.0f};
    uint32_t kind = lt_random_below(random, 4);
    if (kind == 0) return corners[lt_random_below(random, (uint32_t)LT_COUNT_OF(corners))];
    if (kind == 1) return lt_random_range(random, -4, 4);
    uint32_t bits = lt_random_u32(random);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value == value ? value : NAN; /* no signalling NaN: moving one may quieten it */
}

static double random_double(lt_random *random) {
    static const double corners[] = {0.0,    -0.0,        1.0,     -1.0,     DBL_MIN,  -DBL_MIN,
                                     5e-324, -5e-324,     DBL_MAX, -DBL_MAX, INFINITY, -INFINITY,
                                     NAN,    DBL_EPSILON, 3.0,     -1e-310};
    uint32_t kind = lt_random_below(random, 4);
    if (kind == 0) return corners[lt_random_below(random, (uint32_t)LT_COUNT_OF(corners))];
    if (kind == 1) return (double)lt_random_range(random, -4, 4) / 3;
    uint64_t high = lt_random_u32(random), bits = high << 32 | lt_random_u32(random);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value == value ? value : NAN;
}
#ifdef LITHE_DOUBLE
#define random_real random_double
#define SQRT_REAL   sqrt
#else
#define random_real random_float
#define SQRT_REAL   sqrtf
#endif

static bool same_bits(const void *a, const void *b, size_t size) {
    return memcmp(a, b, size) == 0;
}

/* The widest array of inputs and outputs: operands may lie at any address, hence the odd offsets. */
enum { WIDEST = 8, PADDED = WIDEST + 4 };

/* clang-format off */
#define CHECK_LANES(expression, N, S, compare)                                                              \
    do {                                                                                                    \
        for (int lane = 0; lane < N; lane++) {                                                              \
            S expected = (expression), got = out[lane];                                                     \
            check_count++;                                                                                  \
            if (!(compare)) CHECK_FAIL_MESSAGE("lane %d: a = %.17g, b = %.17g, c = %.17g: %s is %.17g, not %.17g", \
                lane, (double)a[lane], (double)b[lane], (double)c[lane], #expression, (double)got, (double)expected); \
        }                                                                                                   \
    } while (0)
#define SAME        same_bits(&expected, &got, sizeof got)
#define SAME_OR_NAN (SAME || (expected != expected && got != got))

#define DEFINE_LANE_TEST(p, T, N, S, RANDOM, SQRT)                                                          \
    static void p##_arithmetic_round(const S *a, const S *b, const S *c) {                                  \
        S buffer[PADDED], *out = buffer + 1;                                                                \
        T wa = p##_load(a), wb = p##_load(b), wc = p##_load(c);                                             \
        p##_store(out, wa);                    CHECK_LANES(a[lane], N, S, SAME);                            \
        p##_store(out, p##_splat(a[0]));       CHECK_LANES(a[0], N, S, SAME);                               \
        p##_store(out, p##_add(wa, wb));       CHECK_LANES(a[lane] + b[lane], N, S, SAME_OR_NAN);           \
        p##_store(out, p##_sub(wa, wb));       CHECK_LANES(a[lane] - b[lane], N, S, SAME_OR_NAN);           \
        p##_store(out, p##_mul(wa, wb));       CHECK_LANES(a[lane] * b[lane], N, S, SAME_OR_NAN);           \
        p##_store(out, p##_div(wa, wb));       CHECK_LANES(a[lane] / b[lane], N, S, SAME_OR_NAN);           \
        p##_store(out, p##_sqrt(wa));          CHECK_LANES(SQRT(a[lane]), N, S, SAME_OR_NAN);               \
        p##_store(out, p##_min(wa, wb));       CHECK_LANES(a[lane] < b[lane] ? a[lane] : b[lane], N, S, SAME); \
        p##_store(out, p##_max(wa, wb));       CHECK_LANES(a[lane] > b[lane] ? a[lane] : b[lane], N, S, SAME); \
        p##_store(out, p##_mad(wa, wb, wc));                                                                \
        CHECK_LANES(p##_two_roundings(a[lane], b[lane], c[lane]), N, S, SAME_OR_NAN);                       \
    }                                                                                                       \
    static void p##_mask_round(const S *a, const S *b, const S *c) {                                        \
        S buffer[PADDED], *out = buffer + 1;                                                                \
        T wa = p##_load(a), wb = p##_load(b), wc = p##_load(c);                                             \
        T##m less = p##_less(wa, wb), at_most = p##_less_equal(wa, wc);                                     \
        uint32_t less_bits = 0, at_most_bits = 0;                                                           \
        for (int lane = 0; lane < N; lane++) {                                                              \
            less_bits |= (uint32_t)(a[lane] < b[lane]) << lane;                                             \
            at_most_bits |= (uint32_t)(a[lane] <= c[lane]) << lane;                                         \
        }                                                                                                   \
        CHECK_COUNT(p##m_bits(less), less_bits);                                                            \
        CHECK_COUNT(p##m_bits(at_most), at_most_bits);                                                      \
        CHECK_COUNT(p##m_bits(p##m_and(less, at_most)), less_bits & at_most_bits);                          \
        CHECK_COUNT(p##m_bits(p##m_or(less, at_most)), less_bits | at_most_bits);                           \
        p##_store(out, p##_select(less, wa, wc));                                                           \
        CHECK_LANES(a[lane] < b[lane] ? a[lane] : c[lane], N, S, SAME);                                     \
        p##_store(out, p##_select(p##m_or(less, at_most), wb, wa));                                         \
        CHECK_LANES(((less_bits | at_most_bits) >> lane & 1) ? b[lane] : a[lane], N, S, SAME);              \
    }                                                                                                       \
    static void p##_lanes_are_scalars(void) {                                                               \
        lt_random random = lt_random_seed(N * sizeof(S));                                                   \
        S a[PADDED], b[PADDED], c[PADDED];                                                                  \
        for (int round = 0; round < SIMD_ROUNDS && check_failures < 20; round++) {                          \
            for (int i = 0; i < PADDED; i++) {                                                              \
                a[i] = RANDOM(&random);                                                                     \
                b[i] = lt_random_below(&random, 8) ? RANDOM(&random) : a[i];                                \
                c[i] = lt_random_below(&random, 4) ? RANDOM(&random) : a[i];                                \
            }                                                                                               \
            int offset = round % 4;                                                                         \
            p##_arithmetic_round(a + offset, b + offset, c + offset);                                       \
            p##_mask_round(a + offset, b + offset, c + offset);                                             \
        }                                                                                                   \
    }                                                                                                       \
    static void p##_store_writes_its_lanes_only(void) {                                                     \
        S out[PADDED];                                                                                      \
        for (int i = 0; i < PADDED; i++) out[i] = (S)-7;                                                    \
        p##_store(out + 1, p##_splat((S)3));                                                                \
        for (int i = 0; i < PADDED; i++) CHECK(out[i] == (i >= 1 && i <= N ? (S)3 : (S)-7));                \
    }

/* The product is stored before it is added: whatever the compiler's options, two roundings. */
#define DEFINE_TWO_ROUNDINGS(p, S)                                                                          \
    static S p##_two_roundings(S a, S b, S s) { volatile S product = b * s; return a + product; }

DEFINE_TWO_ROUNDINGS(lt_f4, float)
DEFINE_TWO_ROUNDINGS(lt_f8, float)
DEFINE_TWO_ROUNDINGS(lt_r4, lt_real)
DEFINE_TWO_ROUNDINGS(lt_r8, lt_real)
DEFINE_TWO_ROUNDINGS(lt_d4, double)
DEFINE_LANE_TEST(lt_f4, lt_f4, 4, float, random_float, sqrtf)
DEFINE_LANE_TEST(lt_f8, lt_f8, 8, float, random_float, sqrtf)
DEFINE_LANE_TEST(lt_r4, lt_r4, 4, lt_real, random_real, SQRT_REAL)
DEFINE_LANE_TEST(lt_r8, lt_r8, 8, lt_real, random_real, SQRT_REAL)
DEFINE_LANE_TEST(lt_d4, lt_d4, 4, double, random_double, sqrt)
/* clang-format on */

static void sums_of_lanes_have_one_order(void) {
    lt_random random = lt_random_seed(4);
    for (int round = 0; round < SIMD_ROUNDS && check_failures < 20; round++) {
        lt_real in[4][8], out[4];
        for (int i = 0; i < 32; i++)
            in[i / 8][i % 8] = round % 2 ? random_real(&random) : (lt_real)lt_random_range(&random, -1, 1);
        lt_r4_store(out,
                    lt_r8_sum4(lt_r8_load(in[0]), lt_r8_load(in[1]), lt_r8_load(in[2]), lt_r8_load(in[3])));
        for (int i = 0; i < 4; i++) {
            const lt_real *a = in[i];
            lt_real expected = ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7])),
                    got = out[i];
            CHECK(SAME_OR_NAN);
        }
    }
}

static void columns_are_stored_lane_after_lane(void) {
    lt_random random = lt_random_seed(6);
    lt_real in[4][8], out[33];
    for (int i = 0; i < 32; i++)
        in[i / 8][i % 8] = random_real(&random);
    const lt_r8 columns[4] = {lt_r8_load(in[0]), lt_r8_load(in[1]), lt_r8_load(in[2]), lt_r8_load(in[3])};
    lt_r8_store_columns(out + 1, columns);
    for (int i = 0; i < 32; i++)
        CHECK(same_bits(&out[1 + i], &in[i % 4][i / 4], sizeof out[0]));
}

/* Eight vectors of a few: some are named twice, or all eight times, and get the sum in the order of the lanes. Fourth numbers stay
 * zero. */
static void vectors_are_gathered_and_added_to(void) {
    enum { VECTORS = 12, REALS = 4 * VECTORS + 1 };
    lt_random random = lt_random_seed(5);
    for (int round = 0; round < SIMD_ROUNDS && check_failures < 20; round++) {
        lt_real buffer[REALS] = {0}, in[3][8], out[3][8], sums[REALS], *p = buffer + round % 2;
        uint32_t ids[8], most = 1 + lt_random_below(&random, VECTORS);
        for (int i = 0; i < 4 * VECTORS; i++)
            p[i] = i % 4 == 3  ? 0
                   : round % 3 ? (lt_real)lt_random_range(&random, -1, 1)
                               : random_real(&random);
        for (int i = 0; i < 8; i++) {
            ids[i] = lt_random_below(&random, most);
            for (int k = 0; k < 3; k++)
                in[k][i] = round % 3 ? (lt_real)lt_random_range(&random, -1, 1) : random_real(&random);
        }
        lt_r8 gathered[3], added[3] = {lt_r8_load(in[0]), lt_r8_load(in[1]), lt_r8_load(in[2])};
        lt_r8_gather3(gathered, p, ids);
        memcpy(sums, p, 4 * VECTORS * sizeof *p);
        for (int k = 0; k < 3; k++) {
            lt_r8_store(out[k], gathered[k]);
            for (int lane = 0; lane < 8; lane++) {
                CHECK(same_bits(&out[k][lane], &p[4 * ids[lane] + (uint32_t)k], sizeof *p));
                volatile lt_real sum = sums[4 * ids[lane] + (uint32_t)k] + in[k][lane];
                sums[4 * ids[lane] + (uint32_t)k] = sum;
            }
        }
        lt_r8_scatter_add3(p, ids, added);
        for (int i = 0; i < 4 * VECTORS; i++) {
            lt_real expected = sums[i], got = p[i];
            CHECK(SAME_OR_NAN);
        }
        for (int lane = 0; lane < 8; lane++) {
            ids[lane] = (uint32_t)(lane + round % (VECTORS - 7)); /* each once */
            p[4 * ids[lane] + 3] = 7;
        }
        lt_r8_scatter3(p, ids, added);
        for (int lane = 0; lane < 8; lane++)
            for (uint32_t k = 0; k < 4; k++) {
                lt_real expected = k < 3 ? in[k][lane] : 0, got = p[4 * ids[lane] + k];
                CHECK(SAME_OR_NAN);
            }
    }
}

static void doubles_are_reals_and_turn_about(void) {
    lt_random random = lt_random_seed(6);
    for (int round = 0; round < SIMD_ROUNDS && check_failures < 20; round++) {
        lt_real in[4], back[4];
        double wide[4], turned[4], a[4];
        for (int i = 0; i < 4; i++) {
            in[i] = random_real(&random);
            a[i] = random_double(&random);
        }
        lt_d4_store(wide, lt_d4_of_r4(lt_r4_load(in)));
        lt_d4_store(turned, lt_d4_yzx(lt_d4_load(a)));
        lt_r4_store(back, lt_r4_of_d4(lt_d4_load(a)));
        for (int i = 0; i < 4; i++) {
            double expected = (double)in[i], got = wide[i];
            CHECK(SAME_OR_NAN);
            expected = a[i < 3 ? (i + 1) % 3 : 3], got = turned[i];
            CHECK(SAME_OR_NAN);
            if (fabs(a[i]) < 1e38) CHECK(same_bits(&back[i], &(lt_real){(lt_real)a[i]}, sizeof *back));
        }
    }
}

static void run_all_lanes(void) {
    RUN(lt_f4_lanes_are_scalars);
    RUN(lt_f8_lanes_are_scalars);
    RUN(lt_r4_lanes_are_scalars);
    RUN(lt_r8_lanes_are_scalars);
    RUN(lt_f4_store_writes_its_lanes_only);
    RUN(lt_f8_store_writes_its_lanes_only);
    RUN(lt_r4_store_writes_its_lanes_only);
    RUN(lt_r8_store_writes_its_lanes_only);
    RUN(lt_d4_lanes_are_scalars);
    RUN(lt_d4_store_writes_its_lanes_only);
    RUN(doubles_are_reals_and_turn_about);
    RUN(sums_of_lanes_have_one_order);
    RUN(columns_are_stored_lane_after_lane);
    RUN(vectors_are_gathered_and_added_to);
}

#endif
