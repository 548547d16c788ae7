/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/os.h"
#include "mesh/text_scanner.h"
#include "mesh/write.h"

#include <stdio.h>

/* A float as digits * 10^exponent, digits without trailing zeros. */
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
    while (decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.exponent++;
    }
    return decimal;
}

/* Writes x into `text`, of FLOAT_ROOM bytes, and returns the length. The longest is -0.0000123456789. */
enum { FLOAT_ROOM = 24 };
static int format_float(char *text, float x) {
    const char *sign = x < 0 || (x == 0 && 1 / x < 0) ? "-" : "";
    if (x == 0) return snprintf(text, FLOAT_ROOM, "%s0", sign);
    short_decimal decimal = shorten(x < 0 ? -x : x);
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)decimal.digits);
    int point = count + decimal.exponent; /* digits before the decimal point */
    if (decimal.exponent >= 0 && point <= 9)
        return snprintf(text, FLOAT_ROOM, "%s%s%.*s", sign, digits, (int)decimal.exponent, "000000000");
    if (point > 0 && point < count)
        return snprintf(text, FLOAT_ROOM, "%s%.*s.%s", sign, point, digits, digits + point);
    if (point <= 0 && point > -5)
        return snprintf(text, FLOAT_ROOM, "%s0.%.*s%s", sign, -point, "00000", digits);
    return snprintf(text, FLOAT_ROOM, "%s%se%d", sign, digits, (int)decimal.exponent);
}

static bool append_vertex(lt_array *text, lt_vec3 p) {
    char line[4 * FLOAT_ROOM];
    int length = 0;
    line[length++] = 'v';
    for (int k = 0; k < 3; k++) {
        line[length++] = ' ';
        length += format_float(line + length, lt_v3_get(p, k));
    }
    line[length++] = '\n';
    char *to = lt_array_grow(text, (size_t)length);
    if (to) memcpy(to, line, (size_t)length);
    return to != NULL;
}

static bool append_triangle(lt_array *text, const uint32_t *t) {
    char line[64];
    int length = snprintf(line, sizeof line, "f %llu %llu %llu\n", t[0] + 1ull, t[1] + 1ull, t[2] + 1ull);
    char *to = lt_array_grow(text, (size_t)length);
    if (to) memcpy(to, line, (size_t)length);
    return to != NULL;
}

lt_status lt_write_obj(const char *path, const lt_surface *surface, lt_error *error) {
    lt_status status = lt_surface_check(surface, path, error);
    if (status != LT_OK) return status;
    lt_array text = LT_ARRAY_OF(&surface->allocator, char);
    bool ok = true;
    for (uint32_t i = 0; ok && i < surface->vertex_count; i++)
        ok = append_vertex(&text, surface->positions[i]);
    for (uint32_t i = 0; ok && i < surface->triangle_count; i++)
        ok = append_triangle(&text, lt_triangle_at(surface, i));
    status = ok ? lt_os_write_file(path, text.items, text.count, error)
                : lt_fail(error, LT_STATUS_MEMORY, "%s: out of memory while writing", path);
    lt_array_free(&text);
    return status;
}
