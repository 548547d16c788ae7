/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* core/simd.h at the level of plain source files, and the names and order of the levels.
 *
 * labels: wasm */

#include "core/simd_lanes.h"

static void levels_have_names_and_the_best_is_one_of_them(void) {
    CHECK(lt_simd_best() < LT_LEVEL_COUNT);
    CHECK(strcmp(lt_simd_name(LT_LEVEL_SCALAR), "scalar") == 0);
    CHECK(strcmp(lt_simd_name(LT_LEVEL_WIDE4), "wide4") == 0);
    CHECK(strcmp(lt_simd_name(LT_LEVEL_AVX2), "avx2") == 0);
    CHECK(strcmp(lt_simd_name(LT_LEVEL_COUNT), "unknown") == 0);
}

int main(void) {
    run_all_lanes();
    RUN(levels_have_names_and_the_best_is_one_of_them);
    return check_finish();
}
