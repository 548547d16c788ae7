/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What asking the budget costs, and how well a deadline is kept by a cursor of mixed work. */

#include "core_parts.h"

lt_status lt_core_admission(lt_bench *bench, lt_error *error) {
    (void)error;
    lt_bench_check_absent(bench, "core.admission-ns", "<", 5.0, "budget admission is not part of this build");
    return LT_OK;
}

lt_status lt_core_overshoot(lt_bench *bench, lt_error *error) {
    (void)error;
    lt_bench_check_absent(bench, "core.overshoot-p99-percent", "<", 1.0,
                          "the synthetic cursor is not part of this build");
    return LT_OK;
}
