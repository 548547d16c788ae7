/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A clamped bar of 480 linear tets under its own weight against CalculiX: $LITHE_TRUTH/fem-cantilever
 * (../shared/truth), mesh by Gmsh, nodal displacements of small-strain statics with seven digits. The double build
 * has to show the same digits, the float one to agree to 1e-3 of the largest displacement.
 *
 * labels: data */

#include "bench/cantilever.h"
#include "check.h"

static const bool twice = sizeof(lt_real) == 8;

static void linear_statics_are_those_of_calculix(void) {
    cantilever c;
    cantilever_truth truth;
    if (!cantilever_load(&c, &truth)) {
        check_skip("no fem-cantilever; set LITHE_TRUTH to the folder that holds it");
        return;
    }
    cantilever_linear(&c, cantilever_weight, twice ? 1e-14 : 1e-7, 0);
    cantilever_comparison plain = cantilever_compare(&c, &truth, 1);
    printf("plain solve: %u iterations, residual %.2g, worst value %.2g off\n", c.iterations,
           c.relative_residual, plain.worst);
    cantilever_linear(&c, cantilever_weight, twice ? 1e-14 : 1e-5, 4);
    cantilever_comparison refined = cantilever_compare(&c, &truth, 1);
    uint32_t wrong = twice ? refined.other_digits : refined.worst <= 1e-3 ? 0 : refined.read;
    printf("truth-cantilever linear: %u rows read, %u of %u values wrong, worst %.2g off\n", truth.row_count,
           wrong, refined.read, refined.worst);
    CHECK_COUNT(wrong, 0);
    cantilever_free(&c);
}

/* The mean of the free end is compared as it is. Single values hold the square of the load too (the bar gets shorter
 * as it bends): half the difference of the answers to ± load is free of it. */
static void a_thousandth_of_the_load_bends_the_corotational_bar_alike(void) {
    cantilever down, up;
    cantilever_truth truth;
    if (!cantilever_load(&down, &truth) || !cantilever_load(&up, &truth)) {
        check_skip("no fem-cantilever");
        return;
    }
    const double tolerance = twice ? 3e-6 : 1e-2;
    cantilever_equilibrium(&down, lt_d3_scale(cantilever_weight, 1e-3), 4);
    cantilever_equilibrium(&up, lt_d3_scale(cantilever_weight, -1e-3), 4);
    double mean = cantilever_compare(&down, &truth, 1000).mean;
    for (size_t i = 0; i < 3 * (size_t)down.soft.carrier.node_count; i++)
        down.displacement[i] = (down.displacement[i] - up.displacement[i]) / 2;
    cantilever_comparison result = cantilever_compare(&down, &truth, 1000);
    printf("truth-cantilever corotational: %u rows read, worst value %.2g off, mean of the end %.2g off\n",
           truth.row_count, result.worst, mean);
    CHECK(result.worst <= tolerance);
    CHECK_NEAR(mean, 0, tolerance);
    cantilever_free(&down);
    cantilever_free(&up);
}

int main(void) {
    RUN(linear_statics_are_those_of_calculix);
    RUN(a_thousandth_of_the_load_bends_the_corotational_bar_alike);
    return check_finish();
}
