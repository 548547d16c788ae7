/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The scanner's numbers against the C library's strtod (correctly rounded in the C locale, in which this
 * program runs), and its blanks, lines and words. */

#include "check.h"
#include "core/random.h"
#include "io/text_scanner.h"

static bool scan_text(const char *text, double *value) {
    lt_scanner scanner = lt_scanner_make((const uint8_t *)text, strlen(text), "text", NULL);
    return lt_scan_real(&scanner, value) && scanner.at == scanner.end;
}

static void check_against_library(const char *text) {
    double expected = strtod(text, NULL), value = -1;
    bool ok = scan_text(text, &value) && memcmp(&expected, &value, sizeof value) == 0;
    CHECK(ok);
    if (!ok) fprintf(stderr, "%.60s: %.17g, expected %.17g\n", text, value, expected);
}

static void hard_numbers_are_correctly_rounded(void) {
    static const char *const texts[] = {
        "0", "-0", "0.", ".5", "+1", "1.", "1e0", "1E+05", "-1.5e-3", "00012.500", "123456789012345678",
        /* around the exact range of the quick path */
        "9007199254740992e22", "9007199254740993", "9007199254740993e-22", "9007199254740991e23", "1e23",
        "1e22", "8.5e-23", "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308",
        "1e309", "1e-400",
        /* least normal and denormal numbers, and halves of them */
        "2.2250738585072014e-308", "2.2250738585072011e-308", "4.9406564584124654e-324",
        "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-323", "5e-324", "3e-324",
        /* ties: 1 + 2^-53 exactly, then a hair more, then with more digits than 64 bits hold */
        "1.00000000000000011102230246251565404", "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203126",
        "1.00000000000000011102230246251565404236316680908203124",
        "9007199254740993.000000000000000000000000001", "18446744073709551615", "18446744073709551616",
        "99999999999999999999", "0.000000000000000000000000000001",
        "1000000000000000000000000000000000000000000000000000000000000", "1e+0000000000000000000001",
        "0e999999999999"};
    for (size_t i = 0; i < LT_COUNT_OF(texts); i++)
        check_against_library(texts[i]);
}

static void random_doubles_read_back(void) {
    lt_random random = lt_random_seed(1);
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = (uint64_t)lt_random_u32(&random) << 32 | lt_random_u32(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!(fabs(value) <= 1.7e308)) continue;
        char text[64];
        snprintf(text, sizeof text, i % 3 == 0 ? "%.17g" : i % 3 == 1 ? "%.15e" : "%.25g", value);
        check_against_library(text);
    }
}

static void random_digits_agree_with_the_library(void) {
    lt_random random = lt_random_seed(2);
    for (int i = 0; i < 20000; i++) {
        char text[120];
        int length = 0, count = 1 + (int)lt_random_below(&random, 40);
        int dot = (int)lt_random_below(&random, 45);
        for (int k = 0; k < count; k++) {
            if (k == dot) text[length++] = '.';
            text[length++] = (char)('0' + lt_random_below(&random, 10));
        }
        text[length] = 0;
        if (i % 2) sprintf(text + length, "e%d", (int)lt_random_below(&random, 80) - 40);
        check_against_library(text);
    }
}

/* Odd multiples of 2^-53 between 1 and 2 lie halfway between doubles; 53 decimals write them in full. */
static void exact_ties_go_to_even(void) {
    lt_random random = lt_random_seed(3);
    for (int i = 0; i < 300; i++) {
        uint64_t half_count =
            ((uint64_t)lt_random_u32(&random) << 20 | lt_random_u32(&random) >> 12) << 1 | 1;
        char text[64] = "1.";
        uint64_t fraction = half_count; /* in units of 2^-53 */
        for (int k = 0; k < 53; k++) {
            fraction *= 10;
            text[2 + k] = (char)('0' + (fraction >> 53));
            fraction &= ((uint64_t)1 << 53) - 1;
        }
        uint64_t down = half_count >> 1, even = down + (down & 1);
        double value = -1;
        CHECK(scan_text(text, &value) && value == 1 + ldexp((double)even, -52));
        check_against_library(text);
        text[55] = '1'; /* a hair above the tie */
        CHECK(scan_text(text, &value) && value == 1 + ldexp((double)(down + 1), -52));
    }
}

static void many_digits_are_no_trouble(void) {
    static char text[6000];
    memset(text, '0', sizeof text);
    text[1] = '.';
    text[5000] = '7';
    strcpy(text + 5001, "e4999");
    double value = -1;
    CHECK(scan_text(text, &value) && value == 7);
    memset(text, '3', sizeof text);
    strcpy(text + 5001, "e-5000");
    CHECK(scan_text(text, &value) && value == 3.3333333333333335);
    /* A tie for 4000 digits, decided by the last. */
    memset(text, '0', sizeof text);
    memcpy(text, "9007199254740993.", 17);
    strcpy(text + 4000, "1");
    CHECK(scan_text(text, &value) && value == 9007199254740994.0);
    strcpy(text + 4000, "0");
    CHECK(scan_text(text, &value) && value == 9007199254740992.0);
}

static void what_is_no_number_is_refused(void) {
    static const char *const texts[] = {"",      "-",      ".",    "e5",  "1e",  "1e+",
                                        "1.2.3", "0x10",   "1,5",  "--1", "1-2", "3.1+e2",
                                        "nanx",  "1.#INF", "+.e1", "i",   "1f"};
    for (size_t i = 0; i < LT_COUNT_OF(texts); i++) {
        double value;
        CHECK(!scan_text(texts[i], &value));
    }
    double value = 0;
    CHECK(scan_text("nan", &value) && value != value);
    CHECK(scan_text("-Infinity", &value) && value < -1e308);
    CHECK(scan_text("INF", &value) && value > 1e308);
}

static void whole_numbers_are_bounded(void) {
    static const struct {
        const char *text;
        bool ok;
        int64_t value;
    } rows[] = {{"0", true, 0},
                {"-12", true, -12},
                {"+7", true, 7},
                {"000000000000000000000000000012", true, 12},
                {"999999999999999999", true, 999999999999999999},
                {"1000000000000000000", false, 0},
                {"18446744073709551617", false, 0},
                {"1.0", false, 0},
                {"1/2", false, 0},
                {"", false, 0}};
    for (size_t i = 0; i < LT_COUNT_OF(rows); i++) {
        lt_scanner scanner =
            lt_scanner_make((const uint8_t *)rows[i].text, strlen(rows[i].text), "text", NULL);
        int64_t value = 0;
        CHECK(lt_scan_integer(&scanner, &value) == rows[i].ok);
        if (rows[i].ok) CHECK(value == rows[i].value);
        if (!rows[i].ok) CHECK(scanner.at == scanner.begin);
    }
}

static void lines_are_counted_and_messages_are_printable(void) {
    const char *text = "one # two\r\n\n  \t three\x01\xFF four";
    lt_error error;
    lt_scanner scanner = lt_scanner_make((const uint8_t *)text, strlen(text), "dir/file", &error);
    scanner.comment = '#';
    CHECK(lt_word_is(lt_scan_word(&scanner), "one"));
    lt_scan_blanks(&scanner);
    CHECK(lt_scan_at_line_end(&scanner));
    lt_scan_space(&scanner);
    CHECK_COUNT(scanner.line, 3);
    CHECK(lt_scan_fail_expected(&scanner, "a number") == LT_STATUS_FORMAT);
    CHECK(strcmp(error.message, "dir/file:3: expected a number, found \"three??\"") == 0);
    lt_scan_word(&scanner);
    CHECK(lt_word_is(lt_scan_word(&scanner), "four"));
    lt_scan_fail_expected(&scanner, "more");
    CHECK_CONTAINS(error.message, "found the end of the file");
}

int main(void) {
    RUN(hard_numbers_are_correctly_rounded);
    RUN(random_doubles_read_back);
    RUN(random_digits_agree_with_the_library);
    RUN(exact_ties_go_to_even);
    RUN(many_digits_are_no_trouble);
    RUN(what_is_no_number_is_refused);
    RUN(whole_numbers_are_bounded);
    RUN(lines_are_counted_and_messages_are_printable);
    return check_finish();
}
