/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Charts of the bench: bars of overshoots hold every sample once, curves are what rows say, and what goes to out/ is what is kept
 * for the page. The sources are taken in whole because they belong to the program, not to a library. */

#define _POSIX_C_SOURCE 200809L

#include "bench/bench.c"
#include "bench/chart.c"
#include "bench/measure.c"
#include "picture_test.h"

#include <unistd.h>

static void bars_are_a_quarter_of_a_decade(void) {
    double edges[BARS + 1];
    make_edges(edges);
    CHECK_NEAR(edges[1], 0.1, 1e-12);
    CHECK_NEAR(edges[BARS], 1e4, 1e-8);
    for (int i = 0; i < BARS; i++)
        CHECK_NEAR(edges[i + 1] / edges[i], 1.7782794100389228, 1e-9);
}

static void every_sample_is_in_one_bar(void) {
    static const lt_sample samples[] = {{0, false}, {0.05, true}, {0.1, false},
                                        {1, false}, {1, true},    {1e9, true}};
    double edges[BARS + 1], all[BARS] = {0}, quiet[BARS] = {0}, sums[2] = {0};
    lt_samples list = lt_samples_begin(NULL);
    for (size_t i = 0; i < LT_COUNT_OF(samples); i++)
        CHECK(lt_samples_add(&list, samples[i]));
    make_edges(edges);
    CHECK_COUNT(count_shares(&list, edges, all, quiet), 6);
    CHECK_NEAR(all[0], 200.0 / 6, 1e-9); /* none, and what the axis has no place for */
    CHECK_NEAR(quiet[0], 100.0 / 6, 1e-9);
    CHECK_NEAR(all[1], 100.0 / 6, 1e-9);
    CHECK_NEAR(all[5], 200.0 / 6, 1e-9);
    CHECK_NEAR(all[BARS - 1], 100.0 / 6, 1e-9);
    for (int i = 0; i < BARS; i++) {
        sums[0] += all[i];
        sums[1] += quiet[i];
    }
    CHECK_NEAR(sums[0], 100, 1e-9);
    CHECK_NEAR(sums[1], 50, 1e-9);
    lt_samples_free(&list);
}

static void add_row(lt_bench *bench, const char *label, double budget, double error) {
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "budget", budget);
    lt_bench_number(bench, "error", error);
}

static void curves_are_what_rows_say(void) {
    static const lt_bench_curve curve = {"bears", "bears, ", "budget", "error"};
    lt_bench bench = lt_bench_begin(true, NULL);
    lt_array numbers = LT_ARRAY_OF(NULL, double);
    uint32_t count = 0;
    add_row(&bench, "bears, before", 7, 7);
    add_row(&bench, "bears, 10 us", 10, 0.5);
    add_row(&bench, "balls, 10 us", 8, 8);
    add_row(&bench, "bears, 20 us", 20, 0.25);
    lt_bench_row_begin(&bench, "bears, without an error");
    lt_bench_number(&bench, "budget", 9);
    CHECK(collect_points(&numbers, &bench, 1, &curve, &count));
    const double expected[] = {10, 20, 0.5, 0.25}, *values = numbers.items;
    CHECK_COUNT(count, 2);
    CHECK_COUNT(numbers.count, 4);
    for (size_t i = 0; i < numbers.count; i++)
        CHECK_NEAR(values[i], expected[i], 0.0);
    lt_array_free(&numbers);
    lt_bench_free(&bench);
}

static void the_file_is_what_is_kept(void) {
    static const lt_bench_curve curve = {"bears", "bears, ", "budget", "error"};
    lt_bench bench = lt_bench_begin(true, NULL);
    lt_error error = {0};
    char bytes[1 << 14], before[4096];
    CHECK_FATAL(getcwd(before, sizeof before) && chdir(scratch_folder()) == 0);
    add_row(&bench, "bears, 10 us", 10, 0.5);
    CHECK(lt_bench_curves(&bench, 0, &curve, 1, (lt_chart){.title = "A & B"}, "curves", &error) == LT_OK);
    CHECK(lt_bench_curves(&bench, 1, &curve, 1, (lt_chart){0}, "no-rows", &error) == LT_OK);
    CHECK_COUNT(bench.charts.count, 1);
    const lt_bench_svg *svg = bench.charts.items;
    FILE *file = fopen("out/curves.svg", "rb");
    CHECK_FATAL(file && svg);
    size_t size = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    bytes[size] = 0;
    CHECK(strcmp(svg->name, "curves") == 0);
    CHECK(size == svg->bytes.count && memcmp(bytes, svg->bytes.items, size) == 0);
    CHECK_CONTAINS(bytes, "A &amp; B");
    CHECK(remove("out/curves.svg") == 0 && rmdir("out") == 0);
    CHECK(chdir(before) == 0);
    lt_bench_free(&bench);
}

int main(void) {
    RUN(bars_are_a_quarter_of_a_decade);
    RUN(every_sample_is_in_one_bar);
    RUN(curves_are_what_rows_say);
    RUN(the_file_is_what_is_kept);
    remove_scratch();
    return check_finish();
}
