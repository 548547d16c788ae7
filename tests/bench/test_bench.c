/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The arithmetic of measuring, on made-up samples: no clock is read here. The sources are taken in whole
 * because they belong to the program, not to a library. */

#include "bench/bench.c"
#include "bench/measure.c"
#include "check.h"

static lt_samples samples_of(const double *values, const bool *preempted, size_t count) {
    lt_samples samples = lt_samples_begin(NULL);
    for (size_t i = 0; i < count; i++)
        CHECK(lt_samples_add(&samples, (lt_sample){values[i], preempted && preempted[i]}));
    return samples;
}

/* 1 … 100 in another order: the p-th percentile is p. */
static void percentiles_of_a_hundred(void) {
    double values[100];
    for (int i = 0; i < 100; i++)
        values[i] = (i * 37) % 100 + 1;
    lt_samples samples = samples_of(values, NULL, 100);
    lt_distribution d = lt_samples_distribution(&samples, true);
    CHECK_COUNT(d.count, 100);
    CHECK_NEAR(d.mean, 50.5, 1e-12);
    CHECK_NEAR(d.median, 50.0, 0.0);
    CHECK_NEAR(d.p95, 95.0, 0.0);
    CHECK_NEAR(d.p99, 99.0, 0.0);
    CHECK_NEAR(d.worst, 100.0, 0.0);
    lt_samples_free(&samples);
}

static void preempted_samples_are_taken_out(void) {
    const double values[] = {3, 900, 1, 2, 700};
    const bool preempted[] = {false, true, false, false, true};
    lt_samples samples = samples_of(values, preempted, 5);
    CHECK_NEAR(lt_samples_preempted_share(&samples), 0.4, 1e-12);
    lt_distribution without = lt_samples_distribution(&samples, false);
    CHECK_COUNT(without.count, 3);
    CHECK_NEAR(without.mean, 2.0, 1e-12);
    CHECK_NEAR(without.median, 2.0, 0.0);
    CHECK_NEAR(without.worst, 3.0, 0.0);
    CHECK_NEAR(lt_samples_distribution(&samples, true).worst, 900.0, 0.0);
    lt_samples_free(&samples);
}

static void nothing_measured_is_zero(void) {
    const double value = 5.0;
    const bool preempted = true;
    lt_samples none = samples_of(NULL, NULL, 0), one = samples_of(&value, &preempted, 1);
    CHECK_COUNT(lt_samples_distribution(&none, true).count, 0);
    CHECK_NEAR(lt_samples_preempted_share(&none), 0.0, 0.0);
    CHECK_NEAR(lt_samples_distribution(&one, false).p99, 0.0, 0.0);
    CHECK_NEAR(lt_samples_distribution(&one, true).p99, 5.0, 0.0);
    lt_samples_free(&none);
    lt_samples_free(&one);
}

static void checks_compare_and_count(void) {
    lt_bench bench = lt_bench_begin(true, NULL);
    lt_bench_check_value(&bench, "t.below", 3.9, "<", 4.0);
    lt_bench_check_value(&bench, "t.equal-is-not-below", 4.0, "<", 4.0);
    lt_bench_check_value(&bench, "t.at-most", 4.0, "<=", 4.0);
    lt_bench_check_value(&bench, "t.above", 5.0, ">", 4.0);
    lt_bench_check_value(&bench, "t.not-above", 4.0, ">", 4.0);
    lt_bench_check_value(&bench, "t.at-least", 4.0, ">=", 4.0);
    lt_bench_check_value(&bench, "t.none", 0.0, "==", 0.0);
    lt_bench_check_value(&bench, "t.nan", NAN, "<", 4.0);
    lt_bench_check_absent(&bench, "t.absent", "<", 4.0, "no data");
    const bool expected[] = {true, false, true, true, false, true, true, false, false};
    const lt_bench_check *checks = bench.checks.items;
    CHECK_FATAL(bench.checks.count == 9);
    for (int i = 0; i < 9; i++)
        if (checks[i].pass != expected[i]) CHECK_FAIL_MESSAGE("%s", checks[i].name);
    CHECK(!checks[8].measured);
    CHECK_CONTAINS(checks[8].reason, "no data");
    CHECK_COUNT(lt_bench_failed_count(&bench), 3); /* the absent one is not a failure */
    lt_bench_free(&bench);
}

static void rows_keep_their_cells(void) {
    lt_bench bench = lt_bench_begin(true, NULL);
    lt_bench_row_begin(&bench, "first");
    lt_bench_number(&bench, "us", 1.5);
    lt_bench_row_begin(&bench, "second");
    lt_bench_text(&bench, "scene", "demo");
    lt_bench_number(&bench, "us", 2.5);
    const lt_bench_row *rows = bench.rows.items;
    CHECK_COUNT(rows[0].cell_count, 1);
    CHECK_COUNT(rows[1].cell_count, 2);
    CHECK_NEAR(rows[0].cells[0].number, 1.5, 0.0);
    CHECK(strcmp(rows[1].cells[0].text, "demo") == 0);
    CHECK_NEAR(rows[1].cells[1].number, 2.5, 0.0);
    lt_bench_free(&bench);
}

static lt_status measure_one(lt_bench *bench, lt_error *error) {
    (void)error;
    lt_bench_row_begin(bench, "one");
    lt_bench_check_value(bench, "one.check", 1, "==", 1);
    return LT_OK;
}

static lt_status measure_two_and_fail(lt_bench *bench, lt_error *error) {
    lt_bench_row_begin(bench, "two");
    lt_bench_row_begin(bench, "and a half");
    return lt_fail(error, LT_STATUS_IO, "no disk");
}

static void sections_hold_what_experiments_left(void) {
    static const lt_experiment one = {"one", "runs", measure_one},
                               two = {"two", "fails", measure_two_and_fail};
    lt_bench bench = lt_bench_begin(true, NULL);
    lt_error error = {0};
    CHECK(lt_bench_run(&bench, &one, NULL) == LT_OK);
    CHECK(lt_bench_run(&bench, &two, &error) == LT_STATUS_IO);
    CHECK_CONTAINS(error.message, "no disk");
    CHECK(lt_bench_run(&bench, &one, &error) == LT_OK);
    const size_t expected[3][4] = {{0, 1, 0, 1}, {1, 3, 1, 1}, {3, 4, 1, 2}};
    const lt_bench_section *sections = bench.sections.items;
    CHECK_FATAL(bench.sections.count == 3);
    for (int i = 0; i < 3; i++) {
        CHECK_COUNT(sections[i].begin[LT_BENCH_ROWS], expected[i][0]);
        CHECK_COUNT(sections[i].end[LT_BENCH_ROWS], expected[i][1]);
        CHECK_COUNT(sections[i].begin[LT_BENCH_CHECKS], expected[i][2]);
        CHECK_COUNT(sections[i].end[LT_BENCH_CHECKS], expected[i][3]);
        CHECK((sections[i].failure.status == LT_OK) == (i != 1));
    }
    CHECK_CONTAINS(sections[1].failure.message, "no disk");
    lt_bench_free(&bench);
}

int main(void) {
    RUN(percentiles_of_a_hundred);
    RUN(preempted_samples_are_taken_out);
    RUN(nothing_measured_is_zero);
    RUN(checks_compare_and_count);
    RUN(rows_keep_their_cells);
    RUN(sections_hold_what_experiments_left);
    return check_finish();
}
