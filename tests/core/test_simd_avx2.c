/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* core/simd.h at the AVX2 level, compiled for it by a pragma instead of an option; skipped where the compiler or
 * the processor has none. */

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define LT_KERNEL_LEVEL_AVX2 1
#include "core/simd_lanes.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

int main(void) {
    check_current = "avx2";
    if (__builtin_cpu_supports("avx2"))
        run_all_lanes();
    else
        check_skip("this processor has no AVX2");
    return check_finish();
}

#else
#include "check.h"

int main(void) {
    check_current = "avx2";
    check_skip("not an x86 processor");
    return check_finish();
}
#endif
