/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "io/write_internal.h"

#include "core/os.h"
#include "io/text_scanner.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- numbers ---- */

/* A number as digits * 10^exponent, digits without trailing zeros. */
typedef struct short_decimal {
    uint64_t digits;
    int32_t exponent;
} short_decimal;

/* x * 10^exponent to about 15 digits; far enough for nine. */
static double scale_by_ten(double x, int32_t exponent) {
    for (; exponent > 22; exponent -= 22)
        x *= 1e22;
    for (; exponent < -22; exponent += 22)
        x /= 1e22;
    double power = lt_decimal_to_double(1, exponent < 0 ? -exponent : exponent);
    return exponent < 0 ? x / power : x * power;
}

/* The power of ten of the first digit of x > 0. */
static int32_t leading_exponent(double x) {
    int32_t exponent = 0;
    while (scale_by_ten(x, -exponent) >= 10)
        exponent++;
    while (scale_by_ten(x, -exponent) < 1)
        exponent--;
    return exponent;
}

static short_decimal without_zeros(short_decimal decimal) {
    while (decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.exponent++;
    }
    return decimal;
}

/* The first of 6, 7, 8, 9 digits that reads back as the same float: nine always do, and zeros at the end
 * of six go away. The reader's own conversion is the judge. */
static short_decimal shorten(float x) {
    int32_t leading = leading_exponent(x);
    short_decimal decimal = {0, 0};
    for (int32_t digit_count = 6; digit_count <= 9; digit_count++) {
        decimal.exponent = leading - (digit_count - 1);
        decimal.digits = (uint64_t)(scale_by_ten(x, -decimal.exponent) + 0.5);
        if ((float)lt_decimal_to_double(decimal.digits, decimal.exponent) == x) break;
    }
    LT_ASSERT((float)lt_decimal_to_double(decimal.digits, decimal.exponent) == x);
    return without_zeros(decimal);
}

static int put_decimal(char *text, const char *sign, short_decimal decimal) {
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)decimal.digits);
    int point = count + decimal.exponent; /* digits before the decimal point */
    if (decimal.exponent >= 0 && point <= 9)
        return snprintf(text, LT_NUMBER_ROOM, "%s%s%.*s", sign, digits, (int)decimal.exponent, "000000000");
    if (point > 0 && point < count)
        return snprintf(text, LT_NUMBER_ROOM, "%s%.*s.%s", sign, point, digits, digits + point);
    if (point <= 0 && point > -5)
        return snprintf(text, LT_NUMBER_ROOM, "%s0.%.*s%s", sign, -point, "00000", digits);
    return snprintf(text, LT_NUMBER_ROOM, "%s%se%d", sign, digits, (int)decimal.exponent);
}

int lt_format_float(char *text, float x) {
    const char *sign = x < 0 || (x == 0 && 1 / x < 0) ? "-" : "";
    if (x == 0) return snprintf(text, LT_NUMBER_ROOM, "%s0", sign);
    return put_decimal(text, sign, shorten(x < 0 ? -x : x));
}

/* Seventeen digits always read back as the same double; fewer are tried first. The digits are taken from between
 * whatever the locale has for a decimal point and the exponent. */
static short_decimal shorten_double(double x) {
    short_decimal decimal = {0, 0};
    for (int digit_count = 15; digit_count <= 17; digit_count++) {
        char text[64], digits[24];
        snprintf(text, sizeof text, "%.*e", digit_count - 1, x);
        const char *mark = strchr(text, 'e');
        digits[0] = text[0];
        memcpy(digits + 1, mark - (digit_count - 1), (size_t)digit_count - 1);
        digits[digit_count] = 0;
        decimal.digits = strtoull(digits, NULL, 10);
        decimal.exponent = (int32_t)strtol(mark + 1, NULL, 10) - (digit_count - 1);
        if (lt_decimal_to_double(decimal.digits, decimal.exponent) == x) break;
    }
    LT_ASSERT(lt_decimal_to_double(decimal.digits, decimal.exponent) == x);
    return without_zeros(decimal);
}

int lt_format_double(char *text, double x) {
    const char *sign = x < 0 || (x == 0 && 1 / x < 0) ? "-" : "";
    if (x == 0) return snprintf(text, LT_NUMBER_ROOM, "%s0", sign);
    return put_decimal(text, sign, shorten_double(x < 0 ? -x : x));
}

/* ---- text ---- */

bool lt_append_bytes(lt_array *text, const void *bytes, size_t size) {
    char *to = lt_array_grow(text, size);
    if (to) memcpy(to, bytes, size);
    return to != NULL;
}

bool lt_append_text(lt_array *text, const char *format, ...) {
    char line[LT_APPEND_ROOM];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    LT_ASSERT(length >= 0 && (size_t)length < sizeof line);
    return lt_append_bytes(text, line, (size_t)length);
}

bool lt_append_point(lt_array *text, const char *word, lt_vec3 p) {
    char line[16 + 4 * LT_NUMBER_ROOM];
    int length = snprintf(line, 16, "%s", word);
    LT_ASSERT(length < 16);
    for (int k = 0; k < 3; k++) {
        line[length++] = ' ';
        length += lt_format_float(line + length, lt_v3_get(p, k));
    }
    line[length++] = '\n';
    return lt_append_bytes(text, line, (size_t)length);
}

/* ---- the end ---- */

lt_status lt_write_no_memory(const char *path, lt_error *error) {
    return lt_fail(error, LT_STATUS_MEMORY, "%s: out of memory while writing", path);
}

lt_status lt_write_array(const char *path, lt_array *bytes, bool complete, lt_error *error) {
    lt_status status = complete ? lt_os_write_file(path, bytes->items, bytes->count, error)
                                : lt_write_no_memory(path, error);
    lt_array_free(bytes);
    return status;
}
