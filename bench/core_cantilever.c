/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The bar of an outside finite-element program, against which the rest-state stiffness is held. */

#include "core_parts.h"

lt_status lt_core_cantilever(lt_bench *bench, lt_error *error) {
    (void)error;
    const char *reason = "the static solve is not part of this build";
    lt_bench_check_absent(bench, "core.cantilever-static-error", "<", 1e-3, reason);
    lt_bench_check_absent(bench, "core.cantilever-corotational-error", "<", 3e-6, reason);
    return LT_OK;
}
