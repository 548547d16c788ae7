/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "html.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

lt_html lt_html_begin(const lt_allocator *allocator) {
    return (lt_html){.bytes = LT_ARRAY_OF(allocator, char)};
}

void lt_html_free(lt_html *html) {
    lt_array_free(&html->bytes);
}

void lt_html_bytes(lt_html *html, const char *bytes, size_t size) {
    char *at = lt_array_grow(&html->bytes, size);
    if (at)
        memcpy(at, bytes, size);
    else
        html->out_of_memory = html->out_of_memory || size > 0;
}

void lt_html_markup(lt_html *html, const char *markup) {
    lt_html_bytes(html, markup, strlen(markup));
}

static const char *escape_of(char c) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\n':
    case '\t': return NULL;
    default: return (unsigned char)c < 0x20 || c == 0x7f ? "\xEF\xBF\xBD" : NULL;
    }
}

void lt_html_text(lt_html *html, const char *text) {
    const char *begin = text;
    for (; *text; text++) {
        const char *escape = escape_of(*text);
        if (!escape) continue;
        lt_html_bytes(html, begin, (size_t)(text - begin));
        lt_html_markup(html, escape);
        begin = text + 1;
    }
    lt_html_bytes(html, begin, (size_t)(text - begin));
}

void lt_html_format(lt_html *html, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lt_html_text(html, text);
}

void lt_html_number(lt_html *html, double value, int digits) {
    bool is_whole = fabs(value) >= pow(10, digits - 1) && fabs(value) < 1e9;
    if (is_whole)
        lt_html_format(html, "%.0f", value);
    else
        lt_html_format(html, "%.*g", digits, value);
}

void lt_html_element(lt_html *html, const char *tag, const char *text) {
    lt_html_markup(html, "<");
    lt_html_markup(html, tag);
    lt_html_markup(html, ">");
    lt_html_text(html, text);
    lt_html_markup(html, "</");
    lt_html_markup(html, tag);
    lt_html_markup(html, ">");
}

void lt_html_key(lt_html *html, const char *key) {
    for (; *key; key++) {
        lt_html_text(html, (const char[]){*key, 0});
        if (*key == '_') lt_html_markup(html, "<wbr>");
    }
}

/* Base64 (RFC 4648): three bytes become four letters; = where there are none. */
void lt_html_png(lt_html *html, const uint8_t *png, size_t size) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    lt_html_markup(html, "data:image/png;base64,");
    char *at = lt_array_grow(&html->bytes, (size + 2) / 3 * 4);
    if (!at) {
        html->out_of_memory = html->out_of_memory || size > 0;
        return;
    }
    for (size_t i = 0; i < size; i += 3, at += 4) {
        size_t left = size - i;
        uint32_t bits = (uint32_t)png[i] << 16 | (uint32_t)(left > 1 ? png[i + 1] : 0) << 8 |
                        (uint32_t)(left > 2 ? png[i + 2] : 0);
        at[0] = letters[bits >> 18];
        at[1] = letters[bits >> 12 & 63];
        at[2] = '=';
        at[3] = '=';
        if (left > 1) at[2] = letters[bits >> 6 & 63];
        if (left > 2) at[3] = letters[bits & 63];
    }
}
