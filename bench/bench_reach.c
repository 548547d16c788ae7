/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench reach`: how what is around the library gets in and out of it, and how fast. */

#include "reach_internal.h"

lt_status lt_experiment_reach(lt_bench *bench, lt_error *error) {
    lt_status (*const parts[])(lt_bench *, lt_error *) = {lt_reach_files, lt_reach_snapshot};
    for (size_t i = 0; i < LT_COUNT_OF(parts); i++) {
        lt_status status = parts[i](bench, error);
        if (status != LT_OK) return status;
    }
    /* The targets are tests, built with sanitizers; a program has none of them. */
    lt_bench_check_absent(bench, "reach.fuzz-executions", ">=", 2e6,
                          "make test-full counts them, prints the sum, and fails when it is below");
    return LT_OK;
}
