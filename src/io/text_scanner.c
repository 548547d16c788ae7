/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "io/text_scanner.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

lt_scanner lt_scanner_make(const uint8_t *bytes, size_t size, const char *name, lt_error *error) {
    static const uint8_t nothing[1] = {0};
    if (size == 0) bytes = nothing;
    lt_scanner scanner = {.at = bytes,
                          .end = bytes + size,
                          .begin = bytes,
                          .name = name,
                          .suffix = "",
                          .line = 1,
                          .error = error};
    if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) scanner.at += 3;
    return scanner;
}

lt_status lt_scan_fail(const lt_scanner *scanner, lt_status status, const char *format, ...) {
    char message[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (scanner->line == 0)
        return lt_fail(scanner->error, status, "%s%s: byte %zu: %s", scanner->name, scanner->suffix,
                       (size_t)(scanner->at - scanner->begin), message);
    return lt_fail(scanner->error, status, "%s%s:%u: %s", scanner->name, scanner->suffix, scanner->line,
                   message);
}

static bool is_blank(uint8_t c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* A word ends at a blank, a line end, the end of the data or a comment. */
static bool ends_word(const lt_scanner *scanner, const uint8_t *at) {
    return at == scanner->end || is_blank(*at) || *at == '\n' ||
           (scanner->comment && *at == scanner->comment);
}

lt_status lt_scan_fail_expected(const lt_scanner *scanner, const char *wanted) {
    char found[25];
    size_t length = 0;
    for (const uint8_t *at = scanner->at; !ends_word(scanner, at) && length < sizeof found - 1; at++)
        found[length++] = *at > ' ' && *at < 127 ? (char)*at : '?';
    found[length] = 0;
    if (length > 0)
        return lt_scan_fail(scanner, LT_STATUS_FORMAT, "expected %s, found \"%s\"", wanted, found);
    return lt_scan_fail(scanner, LT_STATUS_FORMAT, "expected %s, found the end of the %s", wanted,
                        scanner->at == scanner->end ? "file" : "line");
}

/* The length of a backslash with its line end, 0 when there is none here. */
static size_t joined_line_end(const lt_scanner *scanner) {
    size_t remaining = lt_scan_remaining(scanner);
    if (remaining >= 2 && scanner->at[1] == '\n') return 2;
    if (remaining >= 3 && scanner->at[1] == '\r' && scanner->at[2] == '\n') return 3;
    return 0;
}

void lt_scan_blanks(lt_scanner *scanner) {
    for (;;) {
        while (scanner->at < scanner->end && is_blank(*scanner->at))
            scanner->at++;
        if (!scanner->joins_lines || scanner->at == scanner->end || *scanner->at != '\\') return;
        size_t length = joined_line_end(scanner);
        if (length == 0) return;
        scanner->at += length;
        scanner->line++;
    }
}

bool lt_scan_at_line_end(const lt_scanner *scanner) {
    return scanner->at == scanner->end || *scanner->at == '\n' ||
           (scanner->comment && *scanner->at == scanner->comment);
}

void lt_scan_next_line(lt_scanner *scanner) {
    if (scanner->at == scanner->end) return;
    const uint8_t *line_end = memchr(scanner->at, '\n', lt_scan_remaining(scanner));
    scanner->at = line_end ? line_end + 1 : scanner->end;
    scanner->line += line_end && scanner->line;
}

void lt_scan_space(lt_scanner *scanner) {
    lt_scan_blanks(scanner);
    while (scanner->at < scanner->end && lt_scan_at_line_end(scanner)) {
        lt_scan_next_line(scanner);
        lt_scan_blanks(scanner);
    }
}

lt_word lt_scan_word(lt_scanner *scanner) {
    lt_scan_blanks(scanner);
    lt_word word = {scanner->at, 0};
    while (!ends_word(scanner, scanner->at))
        scanner->at++;
    word.size = (size_t)(scanner->at - word.bytes);
    return word;
}

bool lt_word_is(lt_word word, const char *text) {
    return word.size == strlen(text) && memcmp(word.bytes, text, word.size) == 0;
}

static uint8_t lower_case(uint8_t c) {
    return c >= 'A' && c <= 'Z' ? (uint8_t)(c - 'A' + 'a') : c;
}

bool lt_word_is_ignoring_case(lt_word word, const char *text) {
    if (word.size != strlen(text)) return false;
    for (size_t i = 0; i < word.size; i++)
        if (lower_case(word.bytes[i]) != lower_case((uint8_t)text[i])) return false;
    return true;
}

/* ---- from decimal to binary ----
 *
 * The exact path holds D * 10^E as an integer of 32-bit limbs times a power of two: 10^E = 5^E 2^E, and 5^E
 * is multiplied in, or divided out after the integer was shifted up so far that 64 bits of the quotient
 * remain. Whatever is cut off below is remembered as one sticky bit, which is all that rounding needs.
 * After KEPT_DIGITS digits a decimal can no longer be a tie of doubles (767 are enough), so the rest of
 * them is sticky too. The limbs: 800 digits take 84; with the smallest exponent, 5^1130 has 2624 bits. */
enum { KEPT_DIGITS = 800, LIMB_COUNT = 192, FIVES_AT_ONCE = 13 };

typedef struct exact {
    uint32_t limbs[LIMB_COUNT]; /* least significant first */
    uint32_t count;             /* limbs in use; the top one is not 0 unless the value is 0 */
    int64_t power_of_two;
    bool sticky;
} exact;

static void exact_multiply_add(exact *x, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (uint32_t i = 0; i < x->count; i++) {
        carry += (uint64_t)x->limbs[i] * factor;
        x->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    LT_ASSERT(carry == 0 || x->count < LIMB_COUNT);
    if (carry) x->limbs[x->count++] = (uint32_t)carry;
}

static void exact_divide(exact *x, uint32_t divisor) {
    uint64_t remainder = 0;
    for (uint32_t i = x->count; i-- > 0;) {
        uint64_t part = remainder << 32 | x->limbs[i];
        x->limbs[i] = (uint32_t)(part / divisor);
        remainder = part % divisor;
    }
    while (x->count > 0 && x->limbs[x->count - 1] == 0)
        x->count--;
    x->sticky |= remainder != 0;
}

static void exact_shift_up(exact *x, uint32_t limb_count) {
    LT_ASSERT(x->count + limb_count <= LIMB_COUNT);
    memmove(x->limbs + limb_count, x->limbs, x->count * sizeof(uint32_t));
    memset(x->limbs, 0, limb_count * sizeof(uint32_t));
    x->count += limb_count;
    x->power_of_two -= 32 * (int64_t)limb_count;
}

static uint32_t power_of_five(uint32_t exponent) {
    uint32_t power = 1;
    while (exponent-- > 0)
        power *= 5;
    return power;
}

static void exact_scale_by_ten(exact *x, int64_t exponent) {
    x->power_of_two += exponent;
    uint32_t fives = (uint32_t)(exponent < 0 ? -exponent : exponent);
    if (exponent < 0) {
        uint32_t wanted = (66 + fives * 7 / 3 + 31) / 32 + 1; /* log2(5) < 7/3 */
        exact_shift_up(x, wanted > x->count ? wanted - x->count + 1 : 1);
    }
    while (fives > 0) {
        uint32_t now = lt_min_u32(fives, FIVES_AT_ONCE);
        if (exponent < 0)
            exact_divide(x, power_of_five(now));
        else
            exact_multiply_add(x, power_of_five(now), 0);
        fives -= now;
    }
}

/* The top 64 bits, the highest of them set, and in *power the exponent of that bit. */
static uint64_t exact_top_bits(exact *x, int64_t *power) {
    uint32_t top_bits = 0;
    while (x->limbs[x->count - 1] >> top_bits > 1)
        top_bits++;
    uint64_t top = 0;
    for (uint32_t i = 0; i < 2; i++)
        top = top << 32 | (x->count > i ? x->limbs[x->count - 1 - i] : 0);
    uint32_t third = x->count > 2 ? x->limbs[x->count - 3] : 0;
    uint32_t up = 31 - top_bits;
    if (up > 0) {
        top = top << up | third >> (32 - up);
        third <<= up;
    }
    x->sticky |= third != 0;
    for (uint32_t i = 3; i < x->count; i++)
        x->sticky |= x->limbs[x->count - 1 - i] != 0;
    *power = x->power_of_two + 32 * (int64_t)(x->count - 1) + top_bits;
    return top;
}

static double double_from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Rounds to nearest, ties to even; below 2^-1022 the last place stays at 2^-1074. */
static double exact_round(exact *x) {
    if (x->count == 0) return 0;
    int64_t power;
    uint64_t top = exact_top_bits(x, &power);
    if (power > 1023) return HUGE_VAL;
    if (power < -1075) return 0;
    uint32_t dropped = power >= -1022 ? 11 : (uint32_t)(11 + (-1022 - power)); /* 11 … 64 */
    uint64_t kept = dropped == 64 ? 0 : top >> dropped;
    uint64_t half = (uint64_t)1 << (dropped - 1);
    uint64_t rest = top & (half | (half - 1));
    bool up = rest > half || (rest == half && (x->sticky || (kept & 1)));
    kept += up;
    /* The hidden bit adds one to the exponent, and so does a carry out of the significand. */
    if (power >= -1022) return double_from_bits(((uint64_t)(power + 1022) << 52) + kept);
    return double_from_bits(kept);
}

static double exact_from_decimal(uint64_t mantissa, int64_t exponent) {
    if (mantissa == 0 || exponent < -400) return 0;
    if (exponent > 400) return HUGE_VAL;
    exact x;
    x.limbs[0] = (uint32_t)mantissa;
    x.limbs[1] = (uint32_t)(mantissa >> 32);
    x.count = x.limbs[1] ? 2 : 1;
    x.power_of_two = 0;
    x.sticky = false;
    exact_scale_by_ten(&x, exponent);
    return exact_round(&x);
}

double lt_decimal_to_double(uint64_t mantissa, int64_t exponent) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (mantissa <= (uint64_t)1 << 53) {
        if (exponent >= 0 && exponent <= 22) return (double)mantissa * powers[exponent];
        if (exponent < 0 && exponent >= -22) return (double)mantissa / powers[-exponent];
    }
    return exact_from_decimal(mantissa, exponent);
}

/* For more digits than fit 64 bits: the digits again, from the text. `exponent` is that of the last one. */
static double exact_from_text(const uint8_t *at, const uint8_t *end, int64_t exponent) {
    exact x;
    x.count = 0;
    x.power_of_two = 0;
    x.sticky = false;
    uint32_t kept = 0;
    for (; at < end; at++) {
        if (*at == '.') continue;
        uint32_t digit = (uint32_t)(*at - '0');
        if (kept == KEPT_DIGITS) {
            x.sticky |= digit != 0;
            exponent++;
        } else if (digit != 0 || kept > 0) {
            exact_multiply_add(&x, 10, digit);
            kept++;
        }
    }
    if (x.count == 0 || kept + exponent < -330) return 0;
    if (kept + exponent > 310) return HUGE_VAL;
    exact_scale_by_ten(&x, exponent);
    return exact_round(&x);
}

/* The digits and dot of a number while they are walked over. */
typedef struct digits {
    const uint8_t *begin;
    const uint8_t *end;
    uint64_t mantissa; /* right only while significant_count <= 19 */
    uint64_t significant_count;
    int64_t fraction_count;
    bool any;
} digits;

static const uint8_t *walk_digits(digits *d, const uint8_t *at, const uint8_t *end) {
    uint64_t mantissa = d->mantissa, significant = d->significant_count;
    const uint8_t *begin = at;
    while (at < end && (uint8_t)(*at - '0') < 10) {
        mantissa = 10 * mantissa + (uint8_t)(*at - '0');
        significant += significant > 0 || *at != '0';
        at++;
    }
    d->mantissa = mantissa;
    d->significant_count = significant;
    d->any |= at > begin;
    return at;
}

static const uint8_t *walk_mantissa(digits *d, const uint8_t *at, const uint8_t *end) {
    *d = (digits){.begin = at};
    at = walk_digits(d, at, end);
    if (at < end && *at == '.') {
        const uint8_t *fraction = at + 1;
        at = walk_digits(d, fraction, end);
        d->fraction_count = at - fraction;
    }
    d->end = at;
    return at;
}

/* NULL when the letter is not followed by a whole number. D as in Fortran's output. */
static const uint8_t *walk_exponent(int64_t *exponent, const uint8_t *at, const uint8_t *end) {
    *exponent = 0;
    if (at == end || !strchr("eEdD", *at) || *at == 0) return at;
    at++;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    const uint8_t *first = at;
    for (; at < end && (uint8_t)(*at - '0') < 10; at++)
        if (*exponent < (int64_t)1 << 40) *exponent = 10 * *exponent + (*at - '0');
    if (at == first) return NULL;
    if (negative) *exponent = -*exponent;
    return at;
}

/* nan, inf and infinity in any case; printf's "nan(…)" and MSVC's "1.#INF" are not numbers to us. */
static const uint8_t *walk_special(double *value, const lt_scanner *scanner, const uint8_t *at) {
    static const char *const words[] = {"nan", "infinity", "inf"};
    for (size_t w = 0; w < LT_COUNT_OF(words); w++) {
        size_t length = strlen(words[w]), same = 0;
        while (same < length && at + same < scanner->end && (at[same] | 32) == words[w][same])
            same++;
        if (same < length || !ends_word(scanner, at + same)) continue;
        *value = w == 0 ? (double)NAN : HUGE_VAL;
        return at + same;
    }
    return NULL;
}

bool lt_scan_real(lt_scanner *scanner, double *value) {
    lt_scan_blanks(scanner);
    const uint8_t *at = scanner->at, *end = scanner->end;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    digits d;
    int64_t exponent;
    const uint8_t *after = walk_mantissa(&d, at, end);
    if (d.any) {
        after = walk_exponent(&exponent, after, end);
        if (!after || !ends_word(scanner, after)) return false;
        exponent -= d.fraction_count;
        *value = d.significant_count <= 19 ? lt_decimal_to_double(d.mantissa, exponent)
                                           : exact_from_text(d.begin, d.end, exponent);
    } else {
        after = walk_special(value, scanner, at);
        if (!after) return false;
    }
    if (negative) *value = -*value;
    scanner->at = after;
    return true;
}

bool lt_scan_leading_integer(lt_scanner *scanner, int64_t *value) {
    lt_scan_blanks(scanner);
    const uint8_t *at = scanner->at, *end = scanner->end;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    digits d = {0};
    at = walk_digits(&d, at, end);
    if (!d.any || d.significant_count > 18) return false;
    *value = negative ? -(int64_t)d.mantissa : (int64_t)d.mantissa;
    scanner->at = at;
    return true;
}

bool lt_scan_integer(lt_scanner *scanner, int64_t *value) {
    lt_scan_blanks(scanner);
    const uint8_t *first = scanner->at;
    if (lt_scan_leading_integer(scanner, value) && ends_word(scanner, scanner->at)) return true;
    scanner->at = first;
    return false;
}
