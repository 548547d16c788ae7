/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The kernels over groups of elements (element_kernel.c), by level. */

#include "body/models.h"

extern const lt_element_kernels lt_element_kernels_scalar, lt_element_kernels_wide4, lt_element_kernels_avx2;

const lt_element_kernels *lt_element_kernels_for(lt_simd_level level) {
    LT_ASSERT((unsigned)level < LT_LEVEL_COUNT);
    static const lt_element_kernels *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_element_kernels);
    return table[level];
}
