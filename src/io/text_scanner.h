/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the readers share to walk over the bytes of a file: blanks, lines, words, numbers, binary values.
 *
 * Private to the readers. Nothing here depends on the locale, allocates, or reads past `end`. Numbers are
 * correctly rounded: up to 2^53 times a power of ten that is exact in double is one multiplication or
 * division (Clinger 1990); the rest goes through exact integers. */

#ifndef LITHE_IO_TEXT_SCANNER_H
#define LITHE_IO_TEXT_SCANNER_H

#include "core/base.h"

#include <string.h>

typedef struct lt_scanner {
    const uint8_t *at;
    const uint8_t *end;
    const uint8_t *begin;
    const char *name;   /* for messages */
    const char *suffix; /* appended to `name` in messages: "" or ".node" */
    uint32_t line;      /* from 1; 0 while the data is binary, where messages name the byte instead */
    uint8_t comment;    /* the character that makes the rest of a line a comment; 0: none */
    bool joins_lines;   /* a backslash before the end of a line joins it with the next */
    bool big_endian;    /* of binary values */
    lt_error *error;    /* may be NULL */
} lt_scanner;

/* Steps over a UTF-8 byte order mark. */
lt_scanner lt_scanner_make(const uint8_t *bytes, size_t size, const char *name, lt_error *error);

/* Fills the error with "name:line: …" and returns `status`. */
lt_status lt_scan_fail(const lt_scanner *scanner, lt_status status, const char *format, ...)
    LT_PRINTF_FORMAT(3, 4);
/* "expected `wanted`, found …" with what stands here, made printable. */
lt_status lt_scan_fail_expected(const lt_scanner *scanner, const char *wanted);

static inline size_t lt_scan_remaining(const lt_scanner *scanner) {
    return (size_t)(scanner->end - scanner->at);
}

/* Steps over blanks inside a line. */
void lt_scan_blanks(lt_scanner *scanner);
/* Steps over blanks, line ends and comments. */
void lt_scan_space(lt_scanner *scanner);
/* True at a line end, at the end of the data and at a comment; call after lt_scan_blanks. */
bool lt_scan_at_line_end(const lt_scanner *scanner);
/* Steps to the first byte of the next line. */
void lt_scan_next_line(lt_scanner *scanner);

/* The word (non-blank bytes) here, empty at the end of the line; blanks before it are stepped over. */
typedef struct lt_word {
    const uint8_t *bytes;
    size_t size;
} lt_word;
lt_word lt_scan_word(lt_scanner *scanner);
bool lt_word_is(lt_word word, const char *text);
/* The same, with A to Z as a to z. */
bool lt_word_is_ignoring_case(lt_word word, const char *text);

/* A number in this line, blanks before it stepped over; it must end at a blank, line end or comment. False,
 * with the scanner at its first byte, when there is none. "nan", "inf" and overflow give non-finite values
 * with true, so that the caller can say so. */
bool lt_scan_real(lt_scanner *scanner, double *value);
/* The same for a whole number of at most 18 digits. */
bool lt_scan_integer(lt_scanner *scanner, int64_t *value);
/* The next number, in this line or a later one. */
static inline bool lt_scan_next_real(lt_scanner *scanner, double *value) {
    lt_scan_space(scanner);
    return lt_scan_real(scanner, value);
}
static inline bool lt_scan_next_integer(lt_scanner *scanner, int64_t *value) {
    lt_scan_space(scanner);
    return lt_scan_integer(scanner, value);
}
/* A whole number that may be followed by anything: the vertex number of "12/3/4". */
bool lt_scan_leading_integer(lt_scanner *scanner, int64_t *value);

/* The double nearest to mantissa * 10^exponent, ties to even. */
double lt_decimal_to_double(uint64_t mantissa, int64_t exponent);

/* The next `size` bytes, or NULL when fewer remain. */
static inline const uint8_t *lt_scan_bytes(lt_scanner *scanner, size_t size) {
    if (lt_scan_remaining(scanner) < size) return NULL;
    const uint8_t *bytes = scanner->at;
    scanner->at += size;
    return bytes;
}

static inline uint16_t lt_load_u16(const uint8_t *b, bool big) {
    return (uint16_t)(big ? b[0] << 8 | b[1] : b[1] << 8 | b[0]);
}
static inline uint32_t lt_load_u32(const uint8_t *b, bool big) {
    return big ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
               : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}
static inline uint64_t lt_load_u64(const uint8_t *b, bool big) {
    uint64_t first = lt_load_u32(b, big), second = lt_load_u32(b + 4, big);
    return big ? first << 32 | second : second << 32 | first;
}
static inline float lt_load_f32(const uint8_t *b, bool big) {
    uint32_t bits = lt_load_u32(b, big);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline double lt_load_f64(const uint8_t *b, bool big) {
    uint64_t bits = lt_load_u64(b, big);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
