/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Reading UTF-8 (RFC 3629), for writers whose output must be valid whatever text they are given, and for readers. */

#ifndef LITHE_CORE_UTF8_H
#define LITHE_CORE_UTF8_H

#include "core/base.h"

#define LT_UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD, for bytes that are not UTF-8 */

/* The length of the UTF-8 character at `text` (ended by 0), or 0 when it is not one: overlong forms,
 * surrogates and numbers above U+10FFFF are refused by the range of the second byte. */
static inline size_t lt_utf8_length(const uint8_t *text) {
    uint8_t a = text[0], b_lo = 0x80, b_hi = 0xbf;
    if (a < 0x80) return 1;
    if (a < 0xc2 || a > 0xf4) return 0;
    size_t length = a < 0xe0 ? 2 : a < 0xf0 ? 3 : 4;
    if (a == 0xe0) b_lo = 0xa0;
    if (a == 0xed) b_hi = 0x9f;
    if (a == 0xf0) b_lo = 0x90;
    if (a == 0xf4) b_hi = 0x8f;
    if (text[1] < b_lo || text[1] > b_hi) return 0;
    for (size_t i = 2; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    return length;
}

#endif
