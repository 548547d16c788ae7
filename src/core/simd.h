/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Wide arithmetic, written once: the only file that knows about registers.
 *
 *   lt_f4, lt_f8   4 and 8 floats         lt_r4, lt_r8   4 and 8 lt_reals (float or double)
 *   lt_d4          4 doubles, for sums    …m             the mask of comparing two of them
 *
 * The logical width is the same at every level, so that sums have one order everywhere:
 *
 *   level     lt_f4            lt_f8              lt_d4; lt_r4, lt_r8 in the double build
 *   scalar    array            array              array; arrays
 *   wide4     one register     two registers      two; two, four registers      (SSE2, NEON, wasm)
 *   avx2      one register     one register       one; one, two registers
 *
 * Plain source files get wide4 (or scalar where LITHE_SIMD=scalar). Files named *_kernel.c are compiled once
 * per level, with their outside functions named LT_KERNEL(name); a table picks one at run time. Wide types
 * never cross a function call between two source files: their layout differs between levels.
 *
 * Every lane does exactly what one scalar operation does: no fused multiply-add, no approximate reciprocal,
 * min and max are comparisons (a < b ? a : b). Hence the same bits at every level; tests compare them. */

#ifndef LITHE_CORE_SIMD_H
#define LITHE_CORE_SIMD_H

#include "core/base.h"

#include <math.h>
#include <string.h>

#if defined(LT_KERNEL_LEVEL_SCALAR)
#define LT_KERNEL(name) name##_scalar
#define LT_SIMD_SCALAR  1
#elif defined(LT_KERNEL_LEVEL_AVX2)
#define LT_KERNEL(name) name##_avx2
#define LT_SIMD_AVX2    1
#else
#define LT_KERNEL(name) name##_wide4
#define LT_SIMD_WIDE4   1
#endif

/* Levels by number, in rising order; what a world may be told to use at most. */
typedef enum lt_simd_level { LT_LEVEL_SCALAR, LT_LEVEL_WIDE4, LT_LEVEL_AVX2, LT_LEVEL_COUNT } lt_simd_level;

/* A function whose counts are constants where it is called, so that its sums stay in registers. */
#define LT_UNROLLED __attribute__((always_inline)) static inline

/* The best level this build has and this processor runs. */
lt_simd_level lt_simd_best(void);

/* A table of one entry per level; levels that were not built have the entry of the next lower one. */
#ifdef LT_HAVE_LEVEL_WIDE4
#define LT_ENTRY_WIDE4(name) &name##_wide4
#else
#define LT_ENTRY_WIDE4(name) &name##_scalar
#endif
#ifdef LT_HAVE_LEVEL_AVX2
#define LT_ENTRY_AVX2(name) &name##_avx2
#else
#define LT_ENTRY_AVX2(name) LT_ENTRY_WIDE4(name)
#endif
#define LT_LEVEL_TABLE(name)                                                                                 \
    { &name##_scalar, LT_ENTRY_WIDE4(name), LT_ENTRY_AVX2(name) }

#if defined(LT_SIMD_AVX2)
#include <immintrin.h>
#elif defined(LT_SIMD_WIDE4) && defined(__SSE2__)
#include <emmintrin.h>
#endif

/* clang-format off */

/* ---- arrays: the scalar level ---- */
#define LT_SIMD_DEFINE_ARRAY(p, T, S, N, SQRT)                                                             \
    typedef struct T { S v[N]; } T;                                                                        \
    typedef struct T##m { uint8_t v[N]; } T##m;                                                            \
    static inline T p##_load(const S *s) { T r; memcpy(r.v, s, sizeof r.v); return r; }                    \
    static inline void p##_store(S *s, T a) { memcpy(s, a.v, sizeof a.v); }                                \
    static inline T p##_splat(S s) { T r; for (int i = 0; i < N; i++) r.v[i] = s; return r; }              \
    LT_SIMD_ARRAY_BINARY(p##_add, T, N, a.v[i] + b.v[i])                                                   \
    LT_SIMD_ARRAY_BINARY(p##_sub, T, N, a.v[i] - b.v[i])                                                   \
    LT_SIMD_ARRAY_BINARY(p##_mul, T, N, a.v[i] * b.v[i])                                                   \
    LT_SIMD_ARRAY_BINARY(p##_div, T, N, a.v[i] / b.v[i])                                                   \
    LT_SIMD_ARRAY_BINARY(p##_min, T, N, a.v[i] < b.v[i] ? a.v[i] : b.v[i])                                 \
    LT_SIMD_ARRAY_BINARY(p##_max, T, N, a.v[i] > b.v[i] ? a.v[i] : b.v[i])                                 \
    static inline T p##_sqrt(T a) { for (int i = 0; i < N; i++) { a.v[i] = SQRT(a.v[i]); } return a; }     \
    static inline T##m p##_less(T a, T b) {                                                                \
        T##m r; for (int i = 0; i < N; i++) r.v[i] = a.v[i] < b.v[i]; return r; }                          \
    static inline T##m p##_less_equal(T a, T b) {                                                          \
        T##m r; for (int i = 0; i < N; i++) r.v[i] = a.v[i] <= b.v[i]; return r; }                         \
    static inline T##m p##m_and(T##m a, T##m b) {                                                          \
        for (int i = 0; i < N; i++) { a.v[i] &= b.v[i]; } return a; }                                      \
    static inline T##m p##m_or(T##m a, T##m b) {                                                           \
        for (int i = 0; i < N; i++) { a.v[i] |= b.v[i]; } return a; }                                      \
    static inline T p##_select(T##m m, T a, T b) {                                                         \
        for (int i = 0; i < N; i++) { b.v[i] = m.v[i] ? a.v[i] : b.v[i]; } return b; }                     \
    static inline uint32_t p##m_bits(T##m m) {                                                             \
        uint32_t r = 0; for (int i = 0; i < N; i++) r |= (uint32_t)(m.v[i] != 0) << i; return r; }

#define LT_SIMD_ARRAY_BINARY(name, T, N, expression)                                                       \
    static inline T name(T a, T b) { T r; for (int i = 0; i < N; i++) r.v[i] = expression; return r; }

/* ---- one register, through the vector types gcc and clang share ---- */
#define LT_SIMD_DEFINE_VECTOR(p, T, S, I, N, MIN, MAX, SQRT, SELECT, BITS)                                 \
    typedef S T __attribute__((vector_size(N * sizeof(S)), aligned(N * sizeof(S))));                       \
    typedef I T##m __attribute__((vector_size(N * sizeof(I)), aligned(N * sizeof(I))));                    \
    static inline T p##_load(const S *s) { T r; memcpy(&r, s, sizeof r); return r; }                       \
    static inline void p##_store(S *s, T a) { memcpy(s, &a, sizeof a); }                                   \
    static inline T p##_splat(S s) { return s - (T){0}; }                                                  \
    static inline T p##_add(T a, T b) { return a + b; }                                                    \
    static inline T p##_sub(T a, T b) { return a - b; }                                                    \
    static inline T p##_mul(T a, T b) { return a * b; }                                                    \
    static inline T p##_div(T a, T b) { return a / b; }                                                    \
    static inline T##m p##_less(T a, T b) { return a < b; }                                                \
    static inline T##m p##_less_equal(T a, T b) { return a <= b; }                                         \
    static inline T##m p##m_and(T##m a, T##m b) { return a & b; }                                          \
    static inline T##m p##m_or(T##m a, T##m b) { return a | b; }                                           \
    static inline T p##_select(T##m m, T a, T b) { return SELECT(T, m, a, b); }                            \
    static inline T p##_min(T a, T b) { return MIN(T, a, b); }                                             \
    static inline T p##_max(T a, T b) { return MAX(T, a, b); }                                             \
    static inline T p##_sqrt(T a) { return SQRT(a); }                                                      \
    static inline uint32_t p##m_bits(T##m m) { return BITS(m); }

/* ---- two registers of half the width ---- */
#define LT_SIMD_DEFINE_PAIR(p, T, h, H, S, N)                                                              \
    typedef struct T { H lo, hi; } T;                                                                      \
    typedef struct T##m { H##m lo, hi; } T##m;                                                             \
    static inline T p##_load(const S *s) { return (T){h##_load(s), h##_load(s + N / 2)}; }                 \
    static inline void p##_store(S *s, T a) { h##_store(s, a.lo); h##_store(s + N / 2, a.hi); }            \
    static inline T p##_splat(S s) { return (T){h##_splat(s), h##_splat(s)}; }                             \
    static inline T p##_add(T a, T b) { return (T){h##_add(a.lo, b.lo), h##_add(a.hi, b.hi)}; }            \
    static inline T p##_sub(T a, T b) { return (T){h##_sub(a.lo, b.lo), h##_sub(a.hi, b.hi)}; }            \
    static inline T p##_mul(T a, T b) { return (T){h##_mul(a.lo, b.lo), h##_mul(a.hi, b.hi)}; }            \
    static inline T p##_div(T a, T b) { return (T){h##_div(a.lo, b.lo), h##_div(a.hi, b.hi)}; }            \
    static inline T p##_min(T a, T b) { return (T){h##_min(a.lo, b.lo), h##_min(a.hi, b.hi)}; }            \
    static inline T p##_max(T a, T b) { return (T){h##_max(a.lo, b.lo), h##_max(a.hi, b.hi)}; }            \
    static inline T p##_sqrt(T a) { return (T){h##_sqrt(a.lo), h##_sqrt(a.hi)}; }                          \
    static inline T##m p##_less(T a, T b) { return (T##m){h##_less(a.lo, b.lo), h##_less(a.hi, b.hi)}; }   \
    static inline T##m p##_less_equal(T a, T b) {                                                          \
        return (T##m){h##_less_equal(a.lo, b.lo), h##_less_equal(a.hi, b.hi)}; }                           \
    static inline T##m p##m_and(T##m a, T##m b) {                                                          \
        return (T##m){h##m_and(a.lo, b.lo), h##m_and(a.hi, b.hi)}; }                                       \
    static inline T##m p##m_or(T##m a, T##m b) {                                                           \
        return (T##m){h##m_or(a.lo, b.lo), h##m_or(a.hi, b.hi)}; }                                         \
    static inline T p##_select(T##m m, T a, T b) {                                                         \
        return (T){h##_select(m.lo, a.lo, b.lo), h##_select(m.hi, a.hi, b.hi)}; }                          \
    static inline uint32_t p##m_bits(T##m m) { return h##m_bits(m.lo) | h##m_bits(m.hi) << (N / 2); }

/* The portable spellings, good on NEON and wasm; x86 names its instructions. */
#define LT_SIMD_SELECT_BITS(T, m, a, b)  ((T)(((m) & (__typeof__(m))(a)) | (~(m) & (__typeof__(m))(b))))
#define LT_SIMD_MIN_SELECT(T, a, b)      LT_SIMD_SELECT_BITS(T, (a) < (b), a, b)
#define LT_SIMD_MAX_SELECT(T, a, b)      LT_SIMD_SELECT_BITS(T, (a) > (b), a, b)

#if defined(LT_SIMD_SCALAR)

LT_SIMD_DEFINE_ARRAY(lt_f4, lt_f4, float, 4, sqrtf)
LT_SIMD_DEFINE_ARRAY(lt_f8, lt_f8, float, 8, sqrtf)
LT_SIMD_DEFINE_ARRAY(lt_d4, lt_d4, double, 4, sqrt)
#ifdef LITHE_DOUBLE
LT_SIMD_DEFINE_ARRAY(lt_r4, lt_r4, double, 4, sqrt)
LT_SIMD_DEFINE_ARRAY(lt_r8, lt_r8, double, 8, sqrt)
#endif

#else

#if defined(__SSE2__)
/* minps is exactly a < b ? a : b, NaN included. */
#define LT_SIMD_MIN_PS(T, a, b)     ((T)_mm_min_ps((__m128)(a), (__m128)(b)))
#define LT_SIMD_MAX_PS(T, a, b)     ((T)_mm_max_ps((__m128)(a), (__m128)(b)))
#define LT_SIMD_SQRT_PS(a)          ((lt_f4)_mm_sqrt_ps((__m128)(a)))
#define LT_SIMD_BITS_PS(m)          ((uint32_t)_mm_movemask_ps((__m128)(m)))
LT_SIMD_DEFINE_VECTOR(lt_f4, lt_f4, float, int32_t, 4, LT_SIMD_MIN_PS, LT_SIMD_MAX_PS, LT_SIMD_SQRT_PS,
                      LT_SIMD_SELECT_BITS, LT_SIMD_BITS_PS)
#else
#define LT_SIMD_SQRT_LANES4(a) ((lt_f4){sqrtf((a)[0]), sqrtf((a)[1]), sqrtf((a)[2]), sqrtf((a)[3])})
#define LT_SIMD_BITS_LANES4(m) ((uint32_t)(((m)[0] & 1) | ((m)[1] & 2) | ((m)[2] & 4) | ((m)[3] & 8)))
LT_SIMD_DEFINE_VECTOR(lt_f4, lt_f4, float, int32_t, 4, LT_SIMD_MIN_SELECT, LT_SIMD_MAX_SELECT,
                      LT_SIMD_SQRT_LANES4, LT_SIMD_SELECT_BITS, LT_SIMD_BITS_LANES4)
#endif

#if defined(LT_SIMD_AVX2)
#define LT_SIMD_MIN_PS8(T, a, b)      ((T)_mm256_min_ps((__m256)(a), (__m256)(b)))
#define LT_SIMD_MAX_PS8(T, a, b)      ((T)_mm256_max_ps((__m256)(a), (__m256)(b)))
#define LT_SIMD_SQRT_PS8(a)           ((lt_f8)_mm256_sqrt_ps((__m256)(a)))
#define LT_SIMD_SELECT_PS8(T, m, a, b) ((T)_mm256_blendv_ps((__m256)(b), (__m256)(a), (__m256)(m)))
#define LT_SIMD_BITS_PS8(m)           ((uint32_t)_mm256_movemask_ps((__m256)(m)))
LT_SIMD_DEFINE_VECTOR(lt_f8, lt_f8, float, int32_t, 8, LT_SIMD_MIN_PS8, LT_SIMD_MAX_PS8, LT_SIMD_SQRT_PS8,
                      LT_SIMD_SELECT_PS8, LT_SIMD_BITS_PS8)
#else
LT_SIMD_DEFINE_PAIR(lt_f8, lt_f8, lt_f4, lt_f4, float, 8)
#endif

#if defined(LT_SIMD_AVX2)
#define LT_SIMD_MIN_PD4(T, a, b)      ((T)_mm256_min_pd((__m256d)(a), (__m256d)(b)))
#define LT_SIMD_MAX_PD4(T, a, b)      ((T)_mm256_max_pd((__m256d)(a), (__m256d)(b)))
#define LT_SIMD_SQRT_PD4(a)           ((lt_d4)_mm256_sqrt_pd((__m256d)(a)))
#define LT_SIMD_SELECT_PD4(T, m, a, b) ((T)_mm256_blendv_pd((__m256d)(b), (__m256d)(a), (__m256d)(m)))
#define LT_SIMD_BITS_PD4(m)           ((uint32_t)_mm256_movemask_pd((__m256d)(m)))
LT_SIMD_DEFINE_VECTOR(lt_d4, lt_d4, double, int64_t, 4, LT_SIMD_MIN_PD4, LT_SIMD_MAX_PD4, LT_SIMD_SQRT_PD4,
                      LT_SIMD_SELECT_PD4, LT_SIMD_BITS_PD4)
#ifdef LITHE_DOUBLE
LT_SIMD_DEFINE_VECTOR(lt_r4, lt_r4, double, int64_t, 4, LT_SIMD_MIN_PD4, LT_SIMD_MAX_PD4, LT_SIMD_SQRT_PD4,
                      LT_SIMD_SELECT_PD4, LT_SIMD_BITS_PD4)
#endif
#else
#define LT_SIMD_SQRT_LANES2(a) ((lt_d2){sqrt((a)[0]), sqrt((a)[1])})
#define LT_SIMD_BITS_LANES2(m) ((uint32_t)(((m)[0] & 1) | ((m)[1] & 2)))
LT_SIMD_DEFINE_VECTOR(lt_d2, lt_d2, double, int64_t, 2, LT_SIMD_MIN_SELECT, LT_SIMD_MAX_SELECT,
                      LT_SIMD_SQRT_LANES2, LT_SIMD_SELECT_BITS, LT_SIMD_BITS_LANES2)
LT_SIMD_DEFINE_PAIR(lt_d4, lt_d4, lt_d2, lt_d2, double, 4)
#ifdef LITHE_DOUBLE
LT_SIMD_DEFINE_PAIR(lt_r4, lt_r4, lt_d2, lt_d2, double, 4)
#endif
#endif
#ifdef LITHE_DOUBLE
LT_SIMD_DEFINE_PAIR(lt_r8, lt_r8, lt_r4, lt_r4, double, 8)
#endif

#endif /* not scalar */

#ifndef LITHE_DOUBLE
typedef lt_f4 lt_r4;
typedef lt_f8 lt_r8;
typedef lt_f4m lt_r4m;
typedef lt_f8m lt_r8m;
#define lt_r4_load lt_f4_load
#define lt_r4_store lt_f4_store
#define lt_r4_splat lt_f4_splat
#define lt_r4_add lt_f4_add
#define lt_r4_sub lt_f4_sub
#define lt_r4_mul lt_f4_mul
#define lt_r4_div lt_f4_div
#define lt_r4_min lt_f4_min
#define lt_r4_max lt_f4_max
#define lt_r4_sqrt lt_f4_sqrt
#define lt_r4_less lt_f4_less
#define lt_r4_less_equal lt_f4_less_equal
#define lt_r4_select lt_f4_select
#define lt_r4m_and lt_f4m_and
#define lt_r4m_or lt_f4m_or
#define lt_r4m_bits lt_f4m_bits
#define lt_r8_load lt_f8_load
#define lt_r8_store lt_f8_store
#define lt_r8_splat lt_f8_splat
#define lt_r8_add lt_f8_add
#define lt_r8_sub lt_f8_sub
#define lt_r8_mul lt_f8_mul
#define lt_r8_div lt_f8_div
#define lt_r8_min lt_f8_min
#define lt_r8_max lt_f8_max
#define lt_r8_sqrt lt_f8_sqrt
#define lt_r8_less lt_f8_less
#define lt_r8_less_equal lt_f8_less_equal
#define lt_r8_select lt_f8_select
#define lt_r8m_and lt_f8m_and
#define lt_r8m_or lt_f8m_or
#define lt_r8m_bits lt_f8m_bits
#endif

/* a + b * s, two roundings at every level. */
static inline lt_f4 lt_f4_mad(lt_f4 a, lt_f4 b, lt_f4 s) { return lt_f4_add(a, lt_f4_mul(b, s)); }
static inline lt_f8 lt_f8_mad(lt_f8 a, lt_f8 b, lt_f8 s) { return lt_f8_add(a, lt_f8_mul(b, s)); }
static inline lt_d4 lt_d4_mad(lt_d4 a, lt_d4 b, lt_d4 s) { return lt_d4_add(a, lt_d4_mul(b, s)); }
static inline lt_r4 lt_r4_mad(lt_r4 a, lt_r4 b, lt_r4 s) { return lt_r4_add(a, lt_r4_mul(b, s)); }
static inline lt_r8 lt_r8_mad(lt_r8 a, lt_r8 b, lt_r8 s) { return lt_r8_add(a, lt_r8_mul(b, s)); }

/* ---- four doubles: from reals and back, and (y, z, x, w) ---- */
#if defined(LT_SIMD_AVX2)
static inline lt_d4 lt_d4_yzx(lt_d4 a) { return (lt_d4)_mm256_permute4x64_pd((__m256d)a, _MM_SHUFFLE(3, 0, 2, 1)); }
#elif defined(LT_SIMD_WIDE4)
static inline lt_d4 lt_d4_yzx(lt_d4 a) { return (lt_d4){(lt_d2){a.lo[1], a.hi[0]}, (lt_d2){a.lo[0], a.hi[1]}}; }
#else
static inline lt_d4 lt_d4_yzx(lt_d4 a) { return (lt_d4){{a.v[1], a.v[2], a.v[0], a.v[3]}}; }
#endif
#if defined(LT_SIMD_AVX2) && !defined(LITHE_DOUBLE)
static inline lt_d4 lt_d4_of_r4(lt_r4 a) { return (lt_d4)_mm256_cvtps_pd((__m128)a); }
static inline lt_r4 lt_r4_of_d4(lt_d4 a) { return (lt_r4)_mm256_cvtpd_ps((__m256d)a); }
#elif defined(LT_SIMD_WIDE4) && defined(__SSE2__) && !defined(LITHE_DOUBLE)
static inline lt_d4 lt_d4_of_r4(lt_r4 a) {
    __m128 high = _mm_movehl_ps((__m128)a, (__m128)a);
    return (lt_d4){(lt_d2)_mm_cvtps_pd((__m128)a), (lt_d2)_mm_cvtps_pd(high)}; }
static inline lt_r4 lt_r4_of_d4(lt_d4 a) {
    return (lt_r4)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)a.lo), _mm_cvtpd_ps((__m128d)a.hi)); }
#else
static inline lt_d4 lt_d4_of_r4(lt_r4 a) {
    lt_real from[4]; lt_r4_store(from, a);
    const double to[4] = {(double)from[0], (double)from[1], (double)from[2], (double)from[3]};
    return lt_d4_load(to); }
static inline lt_r4 lt_r4_of_d4(lt_d4 a) {
    double from[4]; lt_d4_store(from, a);
    const lt_real to[4] = {(lt_real)from[0], (lt_real)from[1], (lt_real)from[2], (lt_real)from[3]};
    return lt_r4_load(to); }
#endif

/* ---- eight vectors of four numbers, three of which count ----
 * out[k] has component k of the vectors ids[0 … 7]; and added to them, one after the other: a vector may be named twice; and in their
 * place, with a fourth number of zero. */
#if defined(LT_SIMD_AVX2) && !defined(LITHE_DOUBLE)
static inline lt_r8 lt_r8_two_vectors(const lt_real *p, uint32_t low, uint32_t high) {
    return (lt_r8)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + 4 * (size_t)low)),
                                       _mm_loadu_ps(p + 4 * (size_t)high), 1); }
static inline void lt_r8_gather3(lt_r8 out[3], const lt_real *p, const uint32_t *ids) {
    __m256 r0 = (__m256)lt_r8_two_vectors(p, ids[0], ids[4]), r1 = (__m256)lt_r8_two_vectors(p, ids[1], ids[5]);
    __m256 r2 = (__m256)lt_r8_two_vectors(p, ids[2], ids[6]), r3 = (__m256)lt_r8_two_vectors(p, ids[3], ids[7]);
    __m256 xy01 = _mm256_unpacklo_ps(r0, r1), z01 = _mm256_unpackhi_ps(r0, r1);
    __m256 xy23 = _mm256_unpacklo_ps(r2, r3), z23 = _mm256_unpackhi_ps(r2, r3);
    out[0] = (lt_r8)_mm256_shuffle_ps(xy01, xy23, 0x44);
    out[1] = (lt_r8)_mm256_shuffle_ps(xy01, xy23, 0xee);
    out[2] = (lt_r8)_mm256_shuffle_ps(z01, z23, 0x44); }
/* Rows l and l + 4 of the eight vectors in out[l]. */
static inline void lt_r8_to_vectors(__m256 out[4], const lt_r8 in[3]) {
    const __m256 zero = _mm256_setzero_ps();
    __m256 xy_low = _mm256_unpacklo_ps((__m256)in[0], (__m256)in[1]), xy_high = _mm256_unpackhi_ps((__m256)in[0], (__m256)in[1]);
    __m256 z_low = _mm256_unpacklo_ps((__m256)in[2], zero), z_high = _mm256_unpackhi_ps((__m256)in[2], zero);
    out[0] = _mm256_shuffle_ps(xy_low, z_low, 0x44); out[1] = _mm256_shuffle_ps(xy_low, z_low, 0xee);
    out[2] = _mm256_shuffle_ps(xy_high, z_high, 0x44); out[3] = _mm256_shuffle_ps(xy_high, z_high, 0xee); }
static inline void lt_r4_add_to(lt_real *p, __m128 value) { _mm_storeu_ps(p, _mm_add_ps(_mm_loadu_ps(p), value)); }
static inline void lt_r8_scatter_add3(lt_real *p, const uint32_t *ids, const lt_r8 in[3]) {
    __m256 v[4];
    lt_r8_to_vectors(v, in);
    for (int i = 0; i < 4; i++) lt_r4_add_to(p + 4 * (size_t)ids[i], _mm256_castps256_ps128(v[i]));
    for (int i = 0; i < 4; i++) lt_r4_add_to(p + 4 * (size_t)ids[4 + i], _mm256_extractf128_ps(v[i], 1)); }
static inline void lt_r8_scatter3(lt_real *p, const uint32_t *ids, const lt_r8 in[3]) {
    __m256 v[4];
    lt_r8_to_vectors(v, in);
    for (int i = 0; i < 4; i++) _mm_storeu_ps(p + 4 * (size_t)ids[i], _mm256_castps256_ps128(v[i]));
    for (int i = 0; i < 4; i++) _mm_storeu_ps(p + 4 * (size_t)ids[4 + i], _mm256_extractf128_ps(v[i], 1)); }
#else
static inline void lt_r8_gather3(lt_r8 out[3], const lt_real *p, const uint32_t *ids) {
    lt_real lanes[3][8];
    for (int lane = 0; lane < 8; lane++)
        for (int k = 0; k < 3; k++) lanes[k][lane] = p[4 * (size_t)ids[lane] + (size_t)k];
    for (int k = 0; k < 3; k++) out[k] = lt_r8_load(lanes[k]); }
static inline void lt_r8_scatter_add3(lt_real *p, const uint32_t *ids, const lt_r8 in[3]) {
    lt_real lanes[3][8];
    for (int k = 0; k < 3; k++) lt_r8_store(lanes[k], in[k]);
    for (int lane = 0; lane < 8; lane++)
        for (int k = 0; k < 3; k++) p[4 * (size_t)ids[lane] + (size_t)k] += lanes[k][lane]; }
static inline void lt_r8_scatter3(lt_real *p, const uint32_t *ids, const lt_r8 in[3]) {
    lt_real lanes[4][8] = {{0}};
    for (int k = 0; k < 3; k++) lt_r8_store(lanes[k], in[k]);
    for (int lane = 0; lane < 8; lane++)
        for (int k = 0; k < 4; k++) p[4 * (size_t)ids[lane] + (size_t)k] = lanes[k][lane]; }
#endif

/* Lane after lane the four of it: out[4 lane + k] = in[k]'s. */
#if defined(LT_SIMD_AVX2) && !defined(LITHE_DOUBLE)
static inline void lt_r8_store_columns(lt_real out[32], const lt_r8 in[4]) {
    __m256 a = _mm256_unpacklo_ps((__m256)in[0], (__m256)in[1]), b = _mm256_unpackhi_ps((__m256)in[0], (__m256)in[1]);
    __m256 c = _mm256_unpacklo_ps((__m256)in[2], (__m256)in[3]), d = _mm256_unpackhi_ps((__m256)in[2], (__m256)in[3]);
    __m256 v0 = _mm256_shuffle_ps(a, c, 0x44), v1 = _mm256_shuffle_ps(a, c, 0xee);
    __m256 v2 = _mm256_shuffle_ps(b, d, 0x44), v3 = _mm256_shuffle_ps(b, d, 0xee);
    _mm256_storeu_ps(out, _mm256_permute2f128_ps(v0, v1, 0x20));
    _mm256_storeu_ps(out + 8, _mm256_permute2f128_ps(v2, v3, 0x20));
    _mm256_storeu_ps(out + 16, _mm256_permute2f128_ps(v0, v1, 0x31));
    _mm256_storeu_ps(out + 24, _mm256_permute2f128_ps(v2, v3, 0x31)); }
#else
static inline void lt_r8_store_columns(lt_real out[32], const lt_r8 in[4]) {
    lt_real lanes[8];
    for (int k = 0; k < 4; k++) {
        lt_r8_store(lanes, in[k]);
        for (int lane = 0; lane < 8; lane++) out[4 * lane + k] = lanes[lane]; } }
#endif

/* The sums of the lanes of four: each ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)). */
#if defined(LT_SIMD_AVX2) && !defined(LITHE_DOUBLE)
static inline lt_r4 lt_r8_sum4(lt_r8 a, lt_r8 b, lt_r8 c, lt_r8 d) {
    __m256 ab = _mm256_hadd_ps((__m256)a, (__m256)b), cd = _mm256_hadd_ps((__m256)c, (__m256)d);
    __m256 halves = _mm256_hadd_ps(ab, cd);
    return (lt_r4)_mm_add_ps(_mm256_castps256_ps128(halves), _mm256_extractf128_ps(halves, 1)); }
#elif defined(LT_SIMD_WIDE4) && defined(__SSE2__) && !defined(LITHE_DOUBLE)
static inline lt_r4 lt_sum_neighbours(lt_r4 a, lt_r4 b) {
    __m128 even = _mm_shuffle_ps((__m128)a, (__m128)b, _MM_SHUFFLE(2, 0, 2, 0));
    return (lt_r4)_mm_add_ps(even, _mm_shuffle_ps((__m128)a, (__m128)b, _MM_SHUFFLE(3, 1, 3, 1))); }
static inline lt_r4 lt_r8_sum4(lt_r8 a, lt_r8 b, lt_r8 c, lt_r8 d) {
    lt_r4 low = lt_sum_neighbours(lt_sum_neighbours(a.lo, b.lo), lt_sum_neighbours(c.lo, d.lo));
    return lt_r4_add(low, lt_sum_neighbours(lt_sum_neighbours(a.hi, b.hi), lt_sum_neighbours(c.hi, d.hi))); }
#else
static inline lt_r4 lt_r8_sum4(lt_r8 a, lt_r8 b, lt_r8 c, lt_r8 d) {
    lt_real lanes[4][8], sums[4];
    lt_r8_store(lanes[0], a); lt_r8_store(lanes[1], b); lt_r8_store(lanes[2], c); lt_r8_store(lanes[3], d);
    for (int i = 0; i < 4; i++) {
        const lt_real *l = lanes[i];
        sums[i] = ((l[0] + l[1]) + (l[2] + l[3])) + ((l[4] + l[5]) + (l[6] + l[7])); }
    return lt_r4_load(sums); }
#endif

/* ---- sixteen bytes that move about at will; at this level only: elsewhere a byte at a time would be slower than shifts ---- */
#if defined(LT_SIMD_AVX2)
typedef __m128i lt_b16;
static inline lt_b16 lt_b16_load(const void *s) { return _mm_loadu_si128((const __m128i *)s); }
static inline void lt_b16_store(void *s, lt_b16 a) { _mm_storeu_si128((__m128i *)s, a); }
static inline lt_b16 lt_b16_pair(uint64_t low, uint64_t high) { return _mm_set_epi64x((int64_t)high, (int64_t)low); }
/* Of each of four words: how many of these it is above: 0, 0xffff, 0xffffff; two bits each, the first word lowest. */
static inline uint32_t lt_b16_word_codes(lt_b16 a) {
    const __m128i zero = _mm_setzero_si128();
    __m128i below = _mm_add_epi32(_mm_cmpeq_epi32(a, zero), _mm_cmpeq_epi32(_mm_srli_epi32(a, 16), zero));
    below = _mm_add_epi32(below, _mm_cmpeq_epi32(_mm_srli_epi32(a, 24), zero));
    __m128i codes = _mm_add_epi32(below, _mm_set1_epi32(3));
    codes = _mm_shuffle_epi8(codes, _mm_set1_epi32(0x0c080400));
    return (uint32_t)_mm_cvtsi128_si32(codes) * 0x01041040u >> 24; }
static inline uint64_t lt_b16_low(lt_b16 a) { return (uint64_t)_mm_cvtsi128_si64(a); }
static inline uint64_t lt_b16_high(lt_b16 a) { return (uint64_t)_mm_extract_epi64(a, 1); }
static inline lt_b16 lt_b16_xor(lt_b16 a, lt_b16 b) { return _mm_xor_si128(a, b); }
static inline lt_b16 lt_b16_or(lt_b16 a, lt_b16 b) { return _mm_or_si128(a, b); }
/* Byte i becomes the one that from[i] says; 0 where its highest bit is set. */
static inline lt_b16 lt_b16_shuffle(lt_b16 a, lt_b16 from) { return _mm_shuffle_epi8(a, from); }
#endif

/* clang-format on */

/* For a loop that only waits: leaves the processor to its neighbour for some cycles. */
static inline void lt_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
