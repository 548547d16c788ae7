/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The ground every source file stands on: asserts, the working real type, small integer helpers and the
 * one way to fill an lt_error.
 *
 * lt_real is the type of body dynamics and response: float, or double when LITHE_DOUBLE is defined.
 * Surfaces, bounds and detection are float in both builds; bake, CCD and predicates are double in both. */

#ifndef LITHE_CORE_BASE_H
#define LITHE_CORE_BASE_H

#include "lithe/base.h"

#ifdef LITHE_DOUBLE
typedef double lt_real;
#define LT_REAL_EPSILON 2.220446049250313e-16
#else
typedef float lt_real;
#define LT_REAL_EPSILON 1.1920929e-7f
#endif

/* The marker "no element" of every index array. */
#define LT_NONE UINT32_MAX

/* Reports a caller's bug to the handler and yields whether the condition held:
 *     if (!LT_REQUIRE(world != NULL)) return LT_STATUS_INVALID; */
bool lt_require_failed(const char *condition, const char *file, int line);
#define LT_REQUIRE(condition) ((condition) || lt_require_failed(#condition, __FILE__, __LINE__))

/* Internal invariants. On in test builds (LITHE_ASSERTS); a failure goes to the handler, then traps. */
_Noreturn void lt_assert_failed(const char *condition, const char *file, int line);
#ifdef LITHE_ASSERTS
#define LT_ASSERT(condition) ((condition) ? (void)0 : lt_assert_failed(#condition, __FILE__, __LINE__))
#else
#define LT_ASSERT(condition) ((void)sizeof(condition))
#endif

/* Whole containers and hierarchies, looked at after every step of a test build (LITHE_VALIDATE). `flaw` is an expression: a
 * text that says what is wrong, NULL when nothing is; it fails as an assert does. */
#ifdef LITHE_VALIDATE
#define LT_VALIDATE(flaw)                                                                                    \
    do {                                                                                                     \
        const char *lt_flaw = (flaw);                                                                        \
        if (lt_flaw) lt_assert_failed(lt_flaw, __FILE__, __LINE__);                                          \
    } while (0)
#else
#define LT_VALIDATE(flaw) ((void)sizeof(flaw))
#endif

/* Fills *error (NULL allowed) and returns `status`, so that a failure is one line:
 *     return lt_fail(error, LT_STATUS_FORMAT, "%s:%u: a face needs three corners", path, line); */
lt_status lt_fail(lt_error *error, lt_status status, const char *format, ...) LT_PRINTF_FORMAT(3, 4);

#define LT_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static inline uint32_t lt_min_u32(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}
static inline uint32_t lt_max_u32(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}
static inline uint64_t lt_min_u64(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}
static inline uint64_t lt_max_u64(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Comparisons, not fminf/fmaxf: those are library calls unless NaN rules are relaxed. */
static inline float lt_min_f(float a, float b) {
    return a < b ? a : b;
}
static inline float lt_max_f(float a, float b) {
    return a > b ? a : b;
}
static inline float lt_clamp_f(float x, float lo, float hi) {
    return x < lo ? lo : x > hi ? hi : x;
}
static inline double lt_min_d(double a, double b) {
    return a < b ? a : b;
}
static inline double lt_max_d(double a, double b) {
    return a > b ? a : b;
}
static inline lt_real lt_min_r(lt_real a, lt_real b) {
    return a < b ? a : b;
}
static inline lt_real lt_abs_r(lt_real a) {
    return a < 0 ? -a : a;
}
static inline lt_real lt_max_r(lt_real a, lt_real b) {
    return a > b ? a : b;
}

/* The least multiple of `alignment` (a power of two) that is not below `size`. */
static inline size_t lt_align_up(size_t size, size_t alignment) {
    return (size + alignment - 1) & ~(alignment - 1);
}

#endif
