/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* HTML text in memory. Markup is written as it is, everything that comes from elsewhere through lt_html_text. Writers do
 * not check for memory: it is remembered, and asked for once at the end. */

#ifndef LITHE_APPS_HTML_H
#define LITHE_APPS_HTML_H

#include "core/memory.h"

typedef struct lt_html {
    lt_array bytes; /* of char */
    bool out_of_memory;
} lt_html;

lt_html lt_html_begin(const lt_allocator *allocator);
void lt_html_free(lt_html *html);

void lt_html_markup(lt_html *html, const char *markup);
/* As it is. */
void lt_html_bytes(lt_html *html, const char *bytes, size_t size);
/* What stands between tags or in an attribute: markup in it is escaped, control characters become U+FFFD. */
void lt_html_text(lt_html *html, const char *text);
/* The same of what printf would print, up to 400 bytes. */
void lt_html_format(lt_html *html, const char *format, ...) LT_PRINTF_FORMAT(2, 3);
/* To so many digits, and whole ones without a power of ten. */
void lt_html_number(lt_html *html, double value, int digits);
/* <tag>text</tag>. */
void lt_html_element(lt_html *html, const char *tag, const char *text);
/* A key such as p99_us: may be broken after underscores. */
void lt_html_key(lt_html *html, const char *key);
/* data:image/png;base64,… */
void lt_html_png(lt_html *html, const uint8_t *png, size_t size);

#endif
