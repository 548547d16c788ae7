/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* core/simd.h at the scalar level. */

#define LT_KERNEL_LEVEL_SCALAR 1
#include "core/simd_lanes.h"

int main(void) {
    run_all_lanes();
    return check_finish();
}
