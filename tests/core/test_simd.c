/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* core/simd.h at the level of plain source files.
 *
 * labels: wasm */

#include "core/simd_lanes.h"

static void the_best_level_is_one_of_them(void) {
    CHECK(lt_simd_best() < LT_LEVEL_COUNT);
}

int main(void) {
    run_all_lanes();
    RUN(the_best_level_is_one_of_them);
    return check_finish();
}
