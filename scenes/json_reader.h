/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Reading JSON (RFC 8259) into a tree of values that know the line they stand in, so that whoever makes something of them
 * can say where a fault is.
 *
 * Strict: one value and nothing after it, no comments, no commas too many, UTF-8 only, no key twice in an object, at most
 * LT_JSON_DEPTH_MAX levels, no U+0000 in strings. A byte order mark is stepped over. Numbers are the nearest doubles;
 * those beyond the largest are infinite, for the user of the value to refuse by name.
 *
 * Memory: at most LT_JSON_MEMORY_FACTOR times the size of the text and LT_JSON_MEMORY_BASE bytes, in three blocks: a copy
 * of the text, in which strings are decoded where they are; the values, as many as there are commas and opening brackets;
 * a table of keys. Time grows with the size of the text. */

#ifndef LITHE_SCENES_JSON_READER_H
#define LITHE_SCENES_JSON_READER_H

#include "core/memory.h"

#define LT_JSON_MEMORY_FACTOR 64
#define LT_JSON_MEMORY_BASE   4096

typedef enum lt_json_type {
    LT_JSON_NULL,
    LT_JSON_BOOL,
    LT_JSON_NUMBER,
    LT_JSON_STRING,
    LT_JSON_ARRAY,
    LT_JSON_OBJECT
} lt_json_type;

typedef struct lt_json_value {
    lt_json_type type;
    uint32_t line;                    /* where it begins, from 1 */
    const char *key;                  /* of a member of an object; else NULL */
    const struct lt_json_value *next; /* the next item or member; NULL: the last */
    union {
        bool is_true;
        double number;
        const char *text;                  /* ended by 0 */
        const struct lt_json_value *first; /* item or member; NULL: none */
    } of;
} lt_json_value;

typedef struct lt_json_document {
    const lt_json_value *root;
    lt_json_value *values; /* [value_capacity] */
    size_t value_count, value_capacity;
    uint8_t *text; /* [text_size] */
    size_t text_size;
    lt_allocator allocator;
} lt_json_document;

/* `name` stands for the text in messages. *out is empty unless LT_OK is returned. Errors are "name:line: …". */
lt_status lt_json_read(lt_json_document *out, const char *name, const void *bytes, size_t size,
                       const lt_allocator *allocator, lt_error *error);
/* Safe on empty ones. Values and strings end with their document. */
void lt_json_document_free(lt_json_document *document);

/* The member of that key; NULL when there is none. */
const lt_json_value *lt_json_member(const lt_json_value *object, const char *key);
/* "a string", "an object" … for messages. */
const char *lt_json_type_name(lt_json_type type);

#endif
