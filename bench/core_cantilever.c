/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The bar of an outside finite-element program, against which the rest-state stiffness and the corotational
 * equilibrium are held. */

#include "core_internal.h"

#include "cantilever.h"

static const char STATIC_CHECK[] = "core.cantilever-static-error";
static const char COROTATIONAL_CHECK[] = "core.cantilever-corotational-error";

static void add_absent(lt_bench *bench, const char *reason) {
    lt_bench_check_absent(bench, STATIC_CHECK, "<", 1e-3, reason);
    lt_bench_check_absent(bench, COROTATIONAL_CHECK, "<", 3e-6, reason);
}

/* Every nodal value: to 1e-3 of the largest in float, to the printed digits in double. */
static void check_static(lt_bench *bench, cantilever *c, const cantilever_truth *truth, bool twice) {
    cantilever_linear(c, cantilever_weight, twice ? 1e-14 : 1e-5, 4);
    cantilever_comparison result = cantilever_compare(c, truth, 1);
    lt_bench_row_begin(bench, "cantilever, static");
    lt_bench_number(bench, "rows", truth->row_count);
    lt_bench_number(bench, "worst_error", result.worst);
    lt_bench_number(bench, "other_digits", result.other_digits);
    if (twice)
        lt_bench_check_value(bench, "core.cantilever-static-other-digits", result.other_digits, "<", 1);
    else
        lt_bench_check_value(bench, STATIC_CHECK, result.worst, "<", 1e-3);
}

static void check_corotational(lt_bench *bench, cantilever *c, const cantilever_truth *truth, bool twice) {
    cantilever_equilibrium(c, lt_d3_scale(cantilever_weight, 1e-3), 4);
    cantilever_comparison result = cantilever_compare(c, truth, 1000);
    lt_bench_row_begin(bench, "cantilever, corotational at 1/1000");
    lt_bench_number(bench, "mean_error", result.mean);
    lt_bench_number(bench, "worst_error", result.worst);
    if (twice)
        lt_bench_check_value(bench, COROTATIONAL_CHECK, fabs(result.mean), "<", 3e-6);
    else
        lt_bench_check_absent(
            bench, COROTATIONAL_CHECK, "<", 3e-6,
            "a figure of the double build: cmake --preset test-double, then bench core of that build");
}

lt_status lt_core_cantilever(lt_bench *bench, lt_error *error) {
    const bool twice = sizeof(lt_real) == 8;
    cantilever c = {0};
    cantilever_truth truth;
    (void)error;
    if (!cantilever_load(&c, &truth)) {
        add_absent(bench, "no fem-cantilever in $LITHE_TRUTH or ../shared/truth");
        cantilever_free(&c);
        return LT_OK;
    }
    check_static(bench, &c, &truth, twice);
    check_corotational(bench, &c, &truth, twice);
    cantilever_free(&c);
    return LT_OK;
}
