/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/ticks.h"

#include <math.h>
#include <stdio.h>

#define INTERVALS     6  /* between labels at most, before the axis is widened */
#define FINE_DECADES  4  /* up to so many decades have fine lines at 2 to 9 */
#define LABEL_DECADES 2  /* up to so many have labels at 2 and 5 too */
#define STEP_DECADES  10 /* more than so many are not all labelled */
#define SLACK         1e-9

/* ---- powers and logarithms of ten ---- */

/* x * 10^exponent; rounded once while 10^|exponent| is a double, that is up to 22. */
static double scale_by_ten(double x, int32_t exponent) {
    double power = 1.0;
    for (int32_t i = exponent < 0 ? -exponent : exponent; i > 0; i--) {
        if (power >= 1e300) {
            x = exponent < 0 ? x / power : x * power;
            power = 1.0;
        }
        power *= 10.0;
    }
    return exponent < 0 ? x / power : x * power;
}

double lt_log10(double x) {
    if (!(x > 0.0) || x - x != 0.0) return 0.0;
    int32_t exponent = 0;
    for (; x >= 1e16; exponent += 16)
        x /= 1e16;
    for (; x < 1e-16; exponent -= 16)
        x *= 1e16;
    for (; x >= 10.0; exponent++)
        x /= 10.0;
    for (; x < 1.0; exponent--)
        x *= 10.0;
    /* 1 <= x < 10; around sqrt(10) the series ln((1 + s) / (1 - s)) = 2 (s + s^3/3 + s^5/5 + ...) has |s| <
     * 0.52. */
    const double root = 3.16227766016837933200, ln10 = 2.30258509299404568402;
    double s = (x - root) / (x + root), square = s * s, power = s, sum = 0.0;
    for (int k = 1; k < 56; k += 2, power *= square)
        sum += power / k;
    return exponent + 0.5 + 2.0 * sum / ln10;
}

/* ---- labels ---- */

/* Digits with a point after the first `whole`; zeros in front or behind as needed. */
static void write_plain(char *out, const char *digits, int32_t digit_count, int32_t whole) {
    if (whole <= 0) {
        *out++ = '0';
        *out++ = '.';
        for (int32_t i = whole; i < 0; i++)
            *out++ = '0';
    }
    for (int32_t i = 0; i < digit_count || i < whole; i++) {
        if (i == whole && i > 0) *out++ = '.';
        *out++ = i < digit_count ? digits[i] : '0';
    }
    *out = 0;
}

/* number * 10^exponent: plain from 0.0001 to 999999, otherwise as 2.5e-7. */
static void write_label(char label[24], int64_t number, int32_t exponent) {
    char digits[24];
    for (; number != 0 && number % 10 == 0; exponent++)
        number /= 10;
    if (number == 0) exponent = 0;
    if (number < 0) *label++ = '-';
    int32_t count = snprintf(digits, sizeof digits, "%lld", (long long)(number < 0 ? -number : number));
    int32_t leading = count - 1 + exponent; /* the power of ten of the first digit */
    if (leading >= -4 && leading < 6) {
        write_plain(label, digits, count, count + exponent);
        return;
    }
    write_plain(label, digits, count, 1);
    while (*label)
        label++;
    snprintf(label, 6, "e%d", leading);
}

/* ---- linear ---- */

typedef struct step {
    int32_t factor, exponent; /* 1, 2 or 5 times a power of ten */
} step;

static double step_value(step s, double times) {
    return scale_by_ten(times * s.factor, s.exponent);
}

/* The least round number not below x. */
static step round_up(double x) {
    static const int32_t factors[] = {1, 2, 5};
    step s = {1, (int32_t)floor(lt_log10(x)) - 1};
    for (;; s.exponent++)
        for (int i = 0; i < 3; i++) {
            s.factor = factors[i];
            if (step_value(s, 1.0) >= x * (1.0 - SLACK)) return s;
        }
}

/* A range with room for ticks: finite, rising, and not so narrow that doubles run out of digits. */
static void mend_range(double *lo, double *hi) {
    const double most = 1e300;
    if (!(*lo >= -most && *lo <= most && *hi >= -most && *hi <= most && *lo <= *hi)) {
        *lo = 0.0;
        *hi = 1.0;
    }
    double size = lt_max_d(fabs(*lo), fabs(*hi));
    if (*hi - *lo > 1e-9 * size && *hi - *lo > 1e-290) return;
    double around = size > 1e-290 ? 0.5 * size : 1.0;
    *lo -= around;
    *hi += around;
}

lt_ticks lt_ticks_linear(double lo, double hi, bool widen) {
    mend_range(&lo, &hi);
    step s = round_up((hi - lo) / INTERVALS);
    double size = step_value(s, 1.0);
    double first = widen ? floor(lo / size + SLACK) : ceil(lo / size - SLACK);
    double last = widen ? ceil(hi / size - SLACK) : floor(hi / size + SLACK);
    lt_ticks ticks = {.lo = widen ? step_value(s, first) : lo, .hi = widen ? step_value(s, last) : hi};
    for (double k = first; k <= last && ticks.count < LT_TICKS_MAX; k += 1.0) {
        lt_tick *tick = &ticks.items[ticks.count++];
        tick->value = step_value(s, k);
        write_label(tick->label, (int64_t)k * s.factor, s.exponent);
    }
    return ticks;
}

/* ---- logarithmic ---- */

static double digit_value(int32_t digit, int32_t exponent) {
    return scale_by_ten(digit, exponent);
}

/* The round numbers next to x, below or above. */
static double round_down_log(double x) {
    int32_t exponent = (int32_t)floor(lt_log10(x) + SLACK);
    double five = digit_value(5, exponent), two = digit_value(2, exponent);
    return five <= x ? five : two <= x ? two : digit_value(1, exponent);
}
static double round_up_log(double x) {
    step s = round_up(x);
    return step_value(s, 1.0);
}

static void add_log_tick(lt_ticks *ticks, int32_t digit, int32_t exponent, bool labelled) {
    double value = digit_value(digit, exponent);
    bool inside = value >= ticks->lo * (1.0 - SLACK) && value <= ticks->hi * (1.0 + SLACK);
    if (!inside || ticks->count == LT_TICKS_MAX) return;
    lt_tick *tick = &ticks->items[ticks->count++];
    tick->value = value;
    if (labelled) write_label(tick->label, digit, exponent);
}

lt_ticks lt_ticks_log(double lo, double hi, bool widen) {
    if (!(lo >= 1e-300 && hi >= lo && hi <= 1e300)) {
        lo = 1.0;
        hi = 10.0;
    }
    lt_ticks ticks = {.lo = widen ? round_down_log(lo) : lo, .hi = widen ? round_up_log(hi) : hi};
    if (!(ticks.hi > ticks.lo * (1.0 + 1e-6))) { /* one value: half a decade to each side */
        ticks.lo = round_down_log(lo / 3.0);
        ticks.hi = round_up_log(lo * 3.0);
    }
    int32_t first = (int32_t)floor(lt_log10(ticks.lo) + SLACK),
            last = (int32_t)floor(lt_log10(ticks.hi) + SLACK);
    double decades = lt_log10(ticks.hi) - lt_log10(ticks.lo);
    int32_t stride = (last - first) / STEP_DECADES + 1;
    for (int32_t exponent = first; exponent <= last; exponent++) {
        if (exponent % stride == 0) add_log_tick(&ticks, 1, exponent, true);
        for (int32_t digit = 2; digit < 10 && decades <= FINE_DECADES; digit++)
            add_log_tick(&ticks, digit, exponent, decades <= LABEL_DECADES && (digit == 2 || digit == 5));
    }
    return ticks;
}
