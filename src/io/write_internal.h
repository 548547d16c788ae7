/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the writers share: numbers as text that read back bit for bit in every locale, numbers as little-endian bytes
 * on every machine, growing text. Private to write_*.c. */

#ifndef LITHE_IO_WRITE_INTERNAL_H
#define LITHE_IO_WRITE_INTERNAL_H

#include "io/write.h"

#include <string.h>

/* ---- text ---- */

enum { LT_NUMBER_ROOM = 32, LT_APPEND_ROOM = 512 };

/* Writes a finite number into `text`, of LT_NUMBER_ROOM bytes, with few digits, and returns the length. */
int lt_format_float(char *text, float x);
int lt_format_double(char *text, double x);

/* Both are false, and the text is as it was, when memory is out. What is appended by format is shorter than
 * LT_APPEND_ROOM, and has no numbers with a decimal point, which the locale would choose. */
bool lt_append_bytes(lt_array *text, const void *bytes, size_t size);
bool lt_append_text(lt_array *text, const char *format, ...) LT_PRINTF_FORMAT(2, 3);
/* "word x y z", a line. The word is at most 15 bytes long. */
bool lt_append_point(lt_array *text, const char *word, lt_vec3 p);

/* ---- bytes: each returns where the next ones go ---- */

static inline uint8_t *lt_put_u32(uint8_t *to, uint32_t value) {
    for (int k = 0; k < 4; k++)
        *to++ = (uint8_t)(value >> (8 * k));
    return to;
}
static inline uint8_t *lt_put_u64(uint8_t *to, uint64_t value) {
    return lt_put_u32(lt_put_u32(to, (uint32_t)value), (uint32_t)(value >> 32));
}
static inline uint8_t *lt_put_float(uint8_t *to, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return lt_put_u32(to, bits);
}
static inline uint8_t *lt_put_double(uint8_t *to, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return lt_put_u64(to, bits);
}
static inline uint8_t *lt_put_point(uint8_t *to, lt_vec3 p) {
    return lt_put_float(lt_put_float(lt_put_float(to, p.x), p.y), p.z);
}
static inline uint8_t *lt_put_points(uint8_t *to, const lt_vec3 *points, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        to = lt_put_point(to, points[i]);
    return to;
}

/* ---- the end ---- */

lt_status lt_write_no_memory(const char *path, lt_error *error);
/* Writes what was gathered, unless it is not complete because memory was out, and frees it. */
lt_status lt_write_array(const char *path, lt_array *bytes, bool complete, lt_error *error);

#endif
