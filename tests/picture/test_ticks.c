/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Ticks of charts: choices worked out by hand, and what must hold for any range. */

#define _POSIX_C_SOURCE 200809L

#include "check.h"
#include "core/random.h"
#include "picture/ticks.h"

/* All labels with a space between them; fine lines as dots. */
static const char *labels_of(const lt_ticks *ticks) {
    static char text[LT_TICKS_MAX * 24];
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < ticks->count; i++) {
        const char *label = ticks->items[i].label;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? " " : "",
                                 label[0] ? label : ".");
    }
    return text;
}

static void check_ticks(lt_ticks ticks, double lo, double hi, const char *labels) {
    CHECK_NEAR(ticks.lo, lo, 1e-12 * fabs(lo));
    CHECK_NEAR(ticks.hi, hi, 1e-12 * fabs(hi));
    if (strcmp(labels_of(&ticks), labels) != 0)
        CHECK_FAIL_MESSAGE("\"%s\" instead of \"%s\"", labels_of(&ticks), labels);
}

static void linear_ticks_are_the_known_ones(void) {
    check_ticks(lt_ticks_linear(0, 10, true), 0, 10, "0 2 4 6 8 10");
    check_ticks(lt_ticks_linear(0, 1, true), 0, 1, "0 0.2 0.4 0.6 0.8 1");
    check_ticks(lt_ticks_linear(0, 0.6, true), 0, 0.6, "0 0.1 0.2 0.3 0.4 0.5 0.6");
    check_ticks(lt_ticks_linear(-3.2, 7.9, true), -4, 8, "-4 -2 0 2 4 6 8");
    check_ticks(lt_ticks_linear(150, 270, true), 140, 280, "140 160 180 200 220 240 260 280");
    check_ticks(lt_ticks_linear(0.3, 9.7, false), 0.3, 9.7, "2 4 6 8");
    check_ticks(lt_ticks_linear(0, 1.2e-3, true), 0, 1.2e-3, "0 0.0002 0.0004 0.0006 0.0008 0.001 0.0012");
    check_ticks(lt_ticks_linear(1e-5, 6e-5, true), 1e-5, 6e-5, "1e-5 2e-5 3e-5 4e-5 5e-5 6e-5");
    check_ticks(lt_ticks_linear(0, 2.5e6, true), 0, 2.5e6, "0 500000 1e6 1.5e6 2e6 2.5e6");
    check_ticks(lt_ticks_linear(100000, 100003, true), 100000, 100003,
                "100000 100000.5 100001 100001.5 100002 100002.5 100003");
}

static void ranges_without_extent_get_one(void) {
    check_ticks(lt_ticks_linear(3, 3, true), 1.5, 4.5, "1.5 2 2.5 3 3.5 4 4.5");
    check_ticks(lt_ticks_linear(0, 0, true), -1, 1, "-1 -0.5 0 0.5 1");
    check_ticks(lt_ticks_linear(NAN, 1, true), 0, 1, "0 0.2 0.4 0.6 0.8 1");
    check_ticks(lt_ticks_linear(INFINITY, -INFINITY, true), 0, 1, "0 0.2 0.4 0.6 0.8 1");
    check_ticks(lt_ticks_log(100, 100, true), 20, 500, "20 . . 50 . . . . 100 200 . . 500");
    check_ticks(lt_ticks_log(-1, 5, true), 1, 10, "1 2 . . 5 . . . . 10");
}

static void log_ticks_are_the_known_ones(void) {
    check_ticks(lt_ticks_log(25, 2000, true), 20, 2000,
                "20 . . 50 . . . . 100 200 . . 500 . . . . 1000 2000");
    check_ticks(lt_ticks_log(0.001, 1000, true), 0.001, 1000, "0.001 0.01 0.1 1 10 100 1000");
    check_ticks(lt_ticks_log(0.003, 40, true), 0.002, 50, "0.01 0.1 1 10");
    check_ticks(lt_ticks_log(3, 4000, false), 3, 4000,
                ". . . . . . . 10 . . . . . . . . 100 . . . . . . . . 1000 . . .");
    check_ticks(lt_ticks_log(1e-12, 1e12, true), 1e-12, 1e12, "1e-12 1e-9 1e-6 0.001 1 1000 1e6 1e9 1e12");
}

static void check_any(const lt_ticks *ticks, double lo, double hi, bool widened) {
    double room = 1e-8 * (hi - lo) + 1e-8 * fabs(lo);
    CHECK(widened ? ticks->lo <= lo + room : ticks->lo == lo);
    CHECK(widened ? ticks->hi >= hi - room : ticks->hi == hi);
    uint32_t labels = 0;
    for (uint32_t i = 0; i < ticks->count; i++) {
        const lt_tick *tick = &ticks->items[i];
        double slack = 1e-8 * (ticks->hi - ticks->lo) + 1e-8 * fabs(tick->value);
        CHECK(tick->value >= ticks->lo - slack && tick->value <= ticks->hi + slack);
        CHECK(i == 0 || tick->value > ticks->items[i - 1].value);
        labels += tick->label[0] != 0;
        if (tick->label[0]) CHECK_NEAR(strtod(tick->label, NULL), tick->value, 1e-15 * fabs(tick->value));
    }
    CHECK(labels <= 14 && (labels >= 2 || !widened));
}

/* Over twelve decades of size and offset: rising, inside, and every label reads as its value. */
static void ticks_of_any_range_are_sound(void) {
    lt_random random = lt_random_seed(9);
    for (int round = 0; round < 2000; round++) {
        double size = pow(10.0, (double)lt_random_range(&random, -6, 6));
        double lo = (double)lt_random_range(&random, -50, 50) * size;
        double hi = lo + (double)lt_random_range(&random, 0.01f, 9) * size;
        lt_ticks wide = lt_ticks_linear(lo, hi, true), exact = lt_ticks_linear(lo, hi, false);
        check_any(&wide, lo, hi, true);
        check_any(&exact, lo, hi, false);
        double least = size, most = size * pow(10.0, (double)lt_random_range(&random, 0.01f, 12));
        lt_ticks wide_log = lt_ticks_log(least, most, true), exact_log = lt_ticks_log(least, most, false);
        check_any(&wide_log, least, most, true);
        check_any(&exact_log, least, most, false);
    }
}

static void extreme_ranges_end(void) {
    const double extremes[] = {0.0, 5e-324, 1e-310, 1e-300, 1.0, 1e15, 1e300, 1.7e308};
    for (size_t i = 0; i < LT_COUNT_OF(extremes); i++)
        for (size_t j = 0; j < LT_COUNT_OF(extremes); j++)
            for (int widen = 0; widen < 2; widen++) {
                lt_ticks a = lt_ticks_linear(-extremes[i], extremes[j], widen);
                lt_ticks b = lt_ticks_log(extremes[i], extremes[j], widen);
                CHECK(a.count <= LT_TICKS_MAX && b.count <= LT_TICKS_MAX);
                CHECK(a.lo < a.hi && b.lo < b.hi);
            }
}

static void logarithm_agrees_with_libm(void) {
    lt_random random = lt_random_seed(2);
    for (int round = 0; round < 5000; round++) {
        double exponent = (double)lt_random_range(&random, -300, 300), x = pow(10.0, exponent);
        CHECK_NEAR(lt_log10(x), log10(x), 1e-14 * (1.0 + fabs(exponent)));
    }
    for (int k = 0; k <= 15; k++)
        CHECK_NEAR(lt_log10(pow(10.0, k)), k, 1e-14);
    CHECK(lt_log10(0.0) == 0.0 && lt_log10(-1.0) == 0.0 && lt_log10(INFINITY) == 0.0);
}

int main(void) {
    RUN(linear_ticks_are_the_known_ones);
    RUN(ranges_without_extent_get_one);
    RUN(log_ticks_are_the_known_ones);
    RUN(ticks_of_any_range_are_sound);
    RUN(extreme_ranges_end);
    RUN(logarithm_agrees_with_libm);
    return check_finish();
}
