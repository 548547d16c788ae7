/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/simd.h"

lt_simd_level lt_simd_best(void) {
#if defined(LT_HAVE_LEVEL_AVX2)
    if (__builtin_cpu_supports("avx2")) return LT_LEVEL_AVX2;
#endif
#if defined(LT_HAVE_LEVEL_WIDE4)
    return LT_LEVEL_WIDE4;
#else
    return LT_LEVEL_SCALAR;
#endif
}
