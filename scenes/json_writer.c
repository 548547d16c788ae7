/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "scenes/json_writer.h"

#include "core/utf8.h"

#include <stdlib.h>
#include <string.h>

static void fail(lt_json *json, lt_status status, const char *problem) {
    if (json->status != LT_OK) return;
    json->status = status;
    json->problem = problem;
}

static void put(lt_json *json, const char *text, size_t size) {
    if (json->status != LT_OK || size == 0) return;
    if (json->file) {
        if (fwrite(text, 1, size, json->file) != size)
            fail(json, LT_STATUS_IO, "cannot write JSON: disk full?");
        return;
    }
    char *at = lt_array_grow(json->bytes, size);
    if (!at) {
        fail(json, LT_STATUS_MEMORY, "no memory for JSON");
        return;
    }
    memcpy(at, text, size);
}

static void put_text(lt_json *json, const char *text) {
    put(json, text, strlen(text));
}

static uint64_t level_bit(const lt_json *json) {
    return (uint64_t)1 << (json->depth - 1);
}

static void break_line(lt_json *json) {
    if (json->layout == LT_JSON_ONE_LINE) return;
    put_text(json, "\n");
    for (uint32_t i = 0; i < json->depth; i++)
        put_text(json, "  ");
}

/* What stands before a value or a key: the comma and the line break. */
static void separate(lt_json *json) {
    if (json->has_values & level_bit(json)) put_text(json, json->layout == LT_JSON_ONE_LINE ? ", " : ",");
    json->has_values |= level_bit(json);
    break_line(json);
}

static void before_value(lt_json *json) {
    if (json->depth == 0) return;
    bool in_object = json->is_object & level_bit(json);
    if (in_object && !json->after_key) fail(json, LT_STATUS_INVALID, "a JSON value in an object needs a key");
    if (!in_object) separate(json);
    json->after_key = false;
}

static void after_value(lt_json *json) {
    if (json->depth == 0) put_text(json, "\n");
}

static void put_value(lt_json *json, const char *text) {
    before_value(json);
    put_text(json, text);
    after_value(json);
}

/* ---- strings ---- */

static void put_escaped(lt_json *json, uint8_t c) {
    static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt"; /* the character, then its letter */
    for (size_t i = 0; i + 1 < sizeof letters; i += 2)
        if ((uint8_t)letters[i] == c) {
            char pair[2] = {'\\', letters[i + 1]};
            put(json, pair, 2);
            return;
        }
    char code[8];
    snprintf(code, sizeof code, "\\u%04x", c);
    put_text(json, code);
}

static void put_quoted(lt_json *json, const char *text) {
    const uint8_t *at = (const uint8_t *)text;
    put_text(json, "\"");
    while (*at) {
        size_t length = lt_utf8_length(at);
        if (length == 0) {
            put_text(json, LT_UTF8_REPLACEMENT);
            at++;
        } else if (length > 1 || (*at >= 0x20 && *at != '"' && *at != '\\' && *at != 0x7f)) {
            put(json, (const char *)at, length);
            at += length;
        } else {
            put_escaped(json, *at++);
        }
    }
    put_text(json, "\"");
}

/* ---- structure ---- */

static void begin(lt_json *json, bool is_object) {
    before_value(json);
    if (json->depth == LT_JSON_DEPTH_MAX) {
        fail(json, LT_STATUS_INVALID, "JSON nested deeper than 64 levels");
        return;
    }
    put_text(json, is_object ? "{" : "[");
    json->depth++;
    json->has_values &= ~level_bit(json);
    json->is_object = is_object ? json->is_object | level_bit(json) : json->is_object & ~level_bit(json);
}

static void end(lt_json *json, bool is_object) {
    bool matches =
        json->depth > 0 && is_object == ((json->is_object & level_bit(json)) != 0) && !json->after_key;
    if (!matches) {
        fail(json, LT_STATUS_INVALID, "a JSON object or array ended that was not open, or after a key");
        return;
    }
    bool had_values = json->has_values & level_bit(json);
    json->depth--;
    if (had_values) break_line(json);
    put_text(json, is_object ? "}" : "]");
    after_value(json);
}

lt_json lt_json_to_file(FILE *file, lt_json_layout layout) {
    return (lt_json){.file = file, .layout = layout};
}
lt_json lt_json_to_array(lt_array *bytes, lt_json_layout layout) {
    LT_ASSERT(bytes->item_size == 1);
    return (lt_json){.bytes = bytes, .layout = layout};
}

void lt_json_begin_object(lt_json *json) {
    begin(json, true);
}
void lt_json_end_object(lt_json *json) {
    end(json, true);
}
void lt_json_begin_array(lt_json *json) {
    begin(json, false);
}
void lt_json_end_array(lt_json *json) {
    end(json, false);
}

void lt_json_key(lt_json *json, const char *name) {
    if (json->depth == 0 || !(json->is_object & level_bit(json)) || json->after_key) {
        fail(json, LT_STATUS_INVALID, "a JSON key outside an object or after another key");
        return;
    }
    separate(json);
    put_quoted(json, name);
    put_text(json, ": ");
    json->after_key = true;
}

/* ---- values ---- */

void lt_json_string(lt_json *json, const char *text) {
    if (!text) {
        lt_json_null(json);
        return;
    }
    before_value(json);
    put_quoted(json, text);
    after_value(json);
}
void lt_json_bool(lt_json *json, bool value) {
    put_value(json, value ? "true" : "false");
}
void lt_json_null(lt_json *json) {
    put_value(json, "null");
}
void lt_json_u64(lt_json *json, uint64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    put_value(json, text);
}
void lt_json_i64(lt_json *json, int64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    put_value(json, text);
}

/* As readers do: most know doubles only, from which a float may be rounded a second time. */
static bool reads_back(const char *text, double value, bool is_float) {
    double read = strtod(text, NULL);
    return is_float ? (float)read == (float)value && strtof(text, NULL) == (float)value : read == value;
}

/* `digits` first, one more each time it does not read back. A locale may have written a decimal comma. */
static void put_number(lt_json *json, double value, int digits, int digits_max, bool is_float) {
    if (value - value != 0.0) {
        lt_json_null(json);
        return;
    }
    char text[40];
    for (; digits <= digits_max; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (reads_back(text, value, is_float)) break;
    }
    char *comma = strchr(text, ',');
    if (comma) *comma = '.';
    put_value(json, text);
}

void lt_json_double(lt_json *json, double value) {
    put_number(json, value, 15, 17, false);
}
void lt_json_float(lt_json *json, float value) {
    put_number(json, value, 6, 9, true);
}

lt_status lt_json_finish(lt_json *json, lt_error *error) {
    if (json->depth > 0) fail(json, LT_STATUS_INVALID, "a JSON object or array was left open");
    if (json->file && json->status == LT_OK && (fflush(json->file) != 0 || ferror(json->file)))
        fail(json, LT_STATUS_IO, "cannot write JSON: disk full?");
    return json->status == LT_OK ? LT_OK : lt_fail(error, json->status, "%s", json->problem);
}
