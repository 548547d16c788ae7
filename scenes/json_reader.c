/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "scenes/json_reader.h"

#include "core/hash.h"
#include "core/utf8.h"
#include "io/text_scanner.h"
#include "scenes/json_writer.h"

#include <stdio.h>
#include <string.h>

/* Which keys an object has already, for all objects at once: found by a hash of object and key; linear probing, at most
 * half full. */
typedef struct known_key {
    uint32_t object, member; /* numbers of values; member 0: free, since the root is no member */
} known_key;

typedef struct key_table {
    known_key *places; /* [capacity] */
    size_t capacity;   /* a power of two */
} key_table;

typedef struct parser {
    lt_scanner scan;
    lt_json_document *document;
    key_table keys;
    uint32_t depth;
} parser;

static lt_status parse_value(parser *p, lt_json_value *value);

/* ---- small parts ---- */

static lt_status expected(const parser *p, const char *what) {
    return lt_scan_fail_expected(&p->scan, what);
}

static void skip_space(parser *p) {
    for (; p->scan.at < p->scan.end; p->scan.at++) {
        uint8_t c = *p->scan.at;
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return;
        p->scan.line += c == '\n';
    }
}

/* Steps over the character if it is next. */
static bool take(parser *p, char c) {
    if (p->scan.at == p->scan.end || *p->scan.at != (uint8_t)c) return false;
    p->scan.at++;
    return true;
}

static bool take_word(parser *p, const char *word) {
    size_t length = strlen(word);
    if (lt_scan_remaining(&p->scan) < length || memcmp(p->scan.at, word, length) != 0) return false;
    p->scan.at += length;
    return true;
}

static lt_json_value *new_value(parser *p) {
    LT_ASSERT(p->document->value_count < p->document->value_capacity);
    return &p->document->values[p->document->value_count++];
}

/* ---- strings, decoded in place: no escape is shorter than what it stands for ---- */

static lt_status read_hex4(parser *p, uint32_t *code) {
    *code = 0;
    for (int i = 0; i < 4; i++, p->scan.at++) {
        uint8_t c = p->scan.at < p->scan.end ? *p->scan.at : 0;
        uint32_t digit = c >= '0' && c <= '9'   ? c - (uint32_t)'0'
                         : c >= 'a' && c <= 'f' ? c - 'a' + 10u
                         : c >= 'A' && c <= 'F' ? c - 'A' + 10u
                                                : 16;
        if (digit == 16) return expected(p, "four hexadecimal digits after \\u");
        *code = 16 * *code + digit;
    }
    return LT_OK;
}

static uint8_t *put_utf8(uint8_t *to, uint32_t code) {
    if (code < 0x80) {
        *to++ = (uint8_t)code;
        return to;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint8_t leads[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (uint8_t)(leads[more] | code >> (6 * more));
    while (more-- > 0)
        *to++ = (uint8_t)(0x80 | (code >> (6 * more) & 0x3f));
    return to;
}

static lt_status read_unicode_escape(parser *p, uint8_t **to) {
    uint32_t code, low;
    lt_status status = read_hex4(p, &code);
    if (status != LT_OK) return status;
    if (code == 0) return lt_scan_fail(&p->scan, LT_STATUS_FORMAT, "\\u0000 cannot be in a string here");
    if (code >= 0xd800 && code < 0xdc00 && take_word(p, "\\u")) {
        status = read_hex4(p, &low);
        if (status != LT_OK) return status;
        if (low >= 0xdc00 && low < 0xe000) code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    if (code >= 0xd800 && code < 0xe000)
        return lt_scan_fail(&p->scan, LT_STATUS_FORMAT, "half of a surrogate pair in a string");
    *to = put_utf8(*to, code);
    return LT_OK;
}

static lt_status read_escape(parser *p, uint8_t **to) {
    static const char letters[] = "\"\"\\\\//b\bf\fn\nr\rt\t"; /* the letter, then what it stands for */
    for (size_t i = 0; i + 1 < sizeof letters; i += 2)
        if (take(p, letters[i])) return *(*to)++ = (uint8_t)letters[i + 1], LT_OK;
    if (take(p, 'u')) return read_unicode_escape(p, to);
    return expected(p, "\", \\, /, b, f, n, r, t or u after a \\ in a string");
}

/* After the opening quote. The text has a 0 behind its end: no character is read beyond that. */
static lt_status read_string(parser *p, const char **text) {
    uint8_t *to = (uint8_t *)p->scan.at;
    *text = (const char *)to;
    while (!take(p, '"')) {
        const uint8_t *at = p->scan.at;
        if (at == p->scan.end) return lt_scan_fail(&p->scan, LT_STATUS_FORMAT, "a string has no end");
        if (*at < 0x20)
            return lt_scan_fail(&p->scan, LT_STATUS_FORMAT, "a line end or control character in a string");
        if (take(p, '\\')) {
            lt_status status = read_escape(p, &to);
            if (status != LT_OK) return status;
            continue;
        }
        size_t length = lt_utf8_length(at);
        if (length == 0) return lt_scan_fail(&p->scan, LT_STATUS_FORMAT, "a string is not UTF-8");
        memmove(to, at, length);
        to += length;
        p->scan.at += length;
    }
    *to = 0; /* at the closing quote, or before it */
    return LT_OK;
}

/* ---- numbers ---- */

static bool take_digits(parser *p) {
    const uint8_t *first = p->scan.at;
    while (p->scan.at < p->scan.end && (uint8_t)(*p->scan.at - '0') < 10)
        p->scan.at++;
    return p->scan.at > first;
}

/* -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)? */
static bool take_number(parser *p) {
    take(p, '-');
    if (!take(p, '0') && !take_digits(p)) return false;
    if (take(p, '.') && !take_digits(p)) return false;
    if (take(p, 'e') || take(p, 'E')) {
        if (!take(p, '+')) take(p, '-');
        return take_digits(p);
    }
    return true;
}

static lt_status read_number(parser *p, double *number) {
    lt_scanner digits = p->scan;
    if (!take_number(p)) {
        p->scan.at = digits.at;
        return expected(p, "a value");
    }
    digits.end = p->scan.at;
    bool is_read = lt_scan_real(&digits, number);
    LT_ASSERT(is_read);
    (void)is_read;
    return LT_OK;
}

/* ---- arrays and objects ---- */

/* False when the object has the key already. */
static bool remember_key(parser *p, const lt_json_value *object, const lt_json_value *member) {
    const lt_json_value *values = p->document->values;
    known_key key = {(uint32_t)(object - values), (uint32_t)(member - values)};
    uint64_t hash = lt_hash_bytes(lt_hash_u64(LT_HASH_SEED, key.object), member->key, strlen(member->key));
    for (;; hash++) {
        known_key *place = &p->keys.places[hash & (p->keys.capacity - 1)];
        if (place->member == 0) return *place = key, true;
        if (place->object == key.object && strcmp(values[place->member].key, member->key) == 0) return false;
    }
}

/* Messages go to terminals: no control characters. */
static lt_status fail_twice(parser *p, const char *key) {
    char shown[61];
    snprintf(shown, sizeof shown, "%s", key);
    for (char *c = shown; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = '?';
    return lt_scan_fail(&p->scan, LT_STATUS_FORMAT, "the key \"%s\" is there twice", shown);
}

static lt_status read_key(parser *p, const lt_json_value *object, lt_json_value *member) {
    if (!take(p, '"')) return expected(p, "a key in quotes");
    lt_status status = read_string(p, &member->key);
    if (status != LT_OK) return status;
    if (!remember_key(p, object, member)) return fail_twice(p, member->key);
    skip_space(p);
    if (!take(p, ':')) return expected(p, "a : after the key");
    skip_space(p);
    return LT_OK;
}

/* After the opening bracket, up to the closing one. */
static lt_status read_items(parser *p, lt_json_value *list, char end) {
    const lt_json_value **link = &list->of.first;
    skip_space(p);
    if (take(p, end)) return LT_OK;
    do {
        skip_space(p);
        lt_json_value *item = new_value(p);
        lt_status status = list->type == LT_JSON_OBJECT ? read_key(p, list, item) : LT_OK;
        if (status == LT_OK) status = parse_value(p, item);
        if (status != LT_OK) return status;
        *link = item;
        link = &item->next;
        skip_space(p);
    } while (take(p, ','));
    return take(p, end) ? LT_OK : expected(p, end == ']' ? "a , or ]" : "a , or }");
}

static lt_status read_list(parser *p, lt_json_value *list) {
    char end = list->type == LT_JSON_OBJECT ? '}' : ']';
    if (p->depth == LT_JSON_DEPTH_MAX)
        return lt_scan_fail(&p->scan, LT_STATUS_FORMAT, "nested deeper than %d levels", LT_JSON_DEPTH_MAX);
    p->depth++;
    lt_status status = read_items(p, list, end);
    p->depth--;
    return status;
}

/* Recursion ends at LT_JSON_DEPTH_MAX. */
static lt_status parse_value(parser *p, lt_json_value *value) {
    value->line = p->scan.line;
    if (take(p, '{')) return value->type = LT_JSON_OBJECT, read_list(p, value);
    if (take(p, '[')) return value->type = LT_JSON_ARRAY, read_list(p, value);
    if (take(p, '"')) return value->type = LT_JSON_STRING, read_string(p, &value->of.text);
    if (take_word(p, "null")) return value->type = LT_JSON_NULL, LT_OK;
    value->type = LT_JSON_BOOL;
    if (take_word(p, "true")) return value->of.is_true = true, LT_OK;
    if (take_word(p, "false")) return LT_OK;
    value->type = LT_JSON_NUMBER;
    return read_number(p, &value->of.number);
}

/* ---- documents ---- */

static size_t count_bytes(const uint8_t *bytes, size_t size, const char *which) {
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += bytes[i] != 0 && strchr(which, bytes[i]) != NULL;
    return count;
}

/* Every value but the root comes after a comma or an opening bracket, every key before a colon. */
static bool reserve(parser *p, const uint8_t *bytes, size_t size) {
    lt_json_document *d = p->document;
    d->text_size = size + 1;
    d->value_capacity = 1 + count_bytes(bytes, size, ",[{");
    size_t key_count = count_bytes(bytes, size, ":");
    for (p->keys.capacity = 2; p->keys.capacity < 2 * key_count;)
        p->keys.capacity *= 2;
    d->text = LT_NEW(&d->allocator, d->text_size, uint8_t);
    d->values = LT_NEW(&d->allocator, d->value_capacity, lt_json_value);
    p->keys.places = LT_NEW(&d->allocator, p->keys.capacity, known_key);
    return d->text && d->values && p->keys.places;
}

static lt_status read_document(parser *p, const uint8_t *bytes, size_t size) {
    const char *name = p->scan.name;
    lt_error *error = p->scan.error;
    if (!reserve(p, bytes, size))
        return lt_fail(error, LT_STATUS_MEMORY, "%s: no memory for %zu bytes of JSON", name, size);
    if (size) memcpy(p->document->text, bytes, size);
    p->scan = lt_scanner_make(p->document->text, size, name, error);
    lt_json_value *root = new_value(p);
    skip_space(p);
    lt_status status = parse_value(p, root);
    if (status != LT_OK) return status;
    skip_space(p);
    p->document->root = root;
    return p->scan.at == p->scan.end ? LT_OK : expected(p, "nothing after the last bracket");
}

lt_status lt_json_read(lt_json_document *out, const char *name, const void *bytes, size_t size,
                       const lt_allocator *allocator, lt_error *error) {
    *out = (lt_json_document){.allocator = allocator ? *allocator : lt_allocator_default()};
    if (size > UINT32_MAX / 2) return lt_fail(error, LT_STATUS_FORMAT, "%s: more than 2 GiB of JSON", name);
    parser p = {.document = out, .scan = {.name = name, .error = error}};
    lt_status status = read_document(&p, bytes, size);
    LT_DELETE(&out->allocator, p.keys.places, p.keys.capacity, known_key);
    if (status != LT_OK) lt_json_document_free(out);
    return status;
}

void lt_json_document_free(lt_json_document *document) {
    LT_DELETE(&document->allocator, document->text, document->text_size, uint8_t);
    LT_DELETE(&document->allocator, document->values, document->value_capacity, lt_json_value);
    *document = (lt_json_document){.allocator = document->allocator};
}

const lt_json_value *lt_json_member(const lt_json_value *object, const char *key) {
    LT_ASSERT(object->type == LT_JSON_OBJECT);
    for (const lt_json_value *member = object->of.first; member; member = member->next)
        if (strcmp(member->key, key) == 0) return member;
    return NULL;
}

const char *lt_json_type_name(lt_json_type type) {
    static const char *const names[] = {"null",     "true or false", "a number",
                                        "a string", "a list",        "an object"};
    return (size_t)type < LT_COUNT_OF(names) ? names[type] : "nothing";
}
