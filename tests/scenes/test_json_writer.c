/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "check.h"
#include "core/random.h"
#include "failing_allocator.h"
#include "scenes/json_writer.h"

/* The array's text as a string, which stays valid until the next call. */
static const char *text_of(const lt_array *bytes) {
    static char text[4096];
    size_t count = bytes->count < sizeof text - 1 ? bytes->count : sizeof text - 1;
    memcpy(text, bytes->items, count);
    text[count] = 0;
    return text;
}

#define CHECK_TEXT(bytes, expected)                                                                          \
    do {                                                                                                     \
        const char *check_text = text_of(bytes);                                                             \
        check_count++;                                                                                       \
        if (strcmp(check_text, (expected)) != 0)                                                             \
            CHECK_FAIL_MESSAGE("got <%s>, expected <%s>", check_text, (expected));                           \
    } while (0)

static void write_sample(lt_json *json) {
    lt_json_begin_object(json);
    lt_json_key(json, "steps");
    lt_json_u64(json, UINT64_MAX);
    lt_json_key(json, "least");
    lt_json_i64(json, INT64_MIN);
    lt_json_key(json, "list");
    lt_json_begin_array(json);
    lt_json_double(json, 0.1);
    lt_json_float(json, 0.1f);
    lt_json_bool(json, true);
    lt_json_null(json);
    lt_json_end_array(json);
    lt_json_key(json, "empty");
    lt_json_begin_object(json);
    lt_json_end_object(json);
    lt_json_end_object(json);
}

static void layouts_are_exact(void) {
    lt_error error;
    lt_array bytes = LT_ARRAY_OF(NULL, char);
    lt_json json = lt_json_to_array(&bytes, LT_JSON_ONE_LINE);
    write_sample(&json);
    CHECK(lt_json_finish(&json, &error) == LT_OK);
    CHECK_TEXT(&bytes, "{\"steps\": 18446744073709551615, \"least\": -9223372036854775808, "
                       "\"list\": [0.1, 0.1, true, null], \"empty\": {}}\n");
    bytes.count = 0;
    json = lt_json_to_array(&bytes, LT_JSON_INDENTED);
    write_sample(&json);
    CHECK(lt_json_finish(&json, &error) == LT_OK);
    CHECK_TEXT(&bytes, "{\n  \"steps\": 18446744073709551615,\n  \"least\": -9223372036854775808,\n"
                       "  \"list\": [\n    0.1,\n    0.1,\n    true,\n    null\n  ],\n  \"empty\": {}\n}\n");
    lt_array_free(&bytes);
}

static void strings_are_escaped(void) {
    lt_array bytes = LT_ARRAY_OF(NULL, char);
    lt_json json = lt_json_to_array(&bytes, LT_JSON_ONE_LINE);
    lt_json_string(&json, "a\"b\\c/\b\f\n\r\t\x01\x1f\x7f");
    lt_json_string(&json, "\xc2\xb5s \xe2\x82\xac \xf0\x9f\x98\x80"); /* micro, euro, a face: as they are */
    lt_json_string(&json, "x\xff\xc0\xafy\xed\xa0\x80\xe2\x82");      /* lone, overlong, surrogate, cut off */
    lt_json_string(&json, NULL);
    CHECK(lt_json_finish(&json, NULL) == LT_OK);
    CHECK_TEXT(&bytes,
               "\"a\\\"b\\\\c/\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"\n"
               "\"\xc2\xb5s \xe2\x82\xac \xf0\x9f\x98\x80\"\n"
               "\"x\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdy\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
               "\xef\xbf\xbd\"\nnull\n");
    lt_array_free(&bytes);
}

static void numbers_read_back(void) {
    lt_random random = lt_random_seed(3);
    lt_array bytes = LT_ARRAY_OF(NULL, char);
    for (int i = 0; i < 2000; i++) {
        uint64_t bits = (uint64_t)lt_random_u32(&random) << 32 | lt_random_u32(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        float narrow = (float)lt_random_range(&random, -1e6f, 1e6f);
        lt_json json = lt_json_to_array(&bytes, LT_JSON_ONE_LINE);
        bytes.count = 0;
        lt_json_double(&json, value);
        bool finite = value - value == 0.0;
        CHECK(finite ? strtod(text_of(&bytes), NULL) == value : strcmp(text_of(&bytes), "null\n") == 0);
        bytes.count = 0;
        lt_json_float(&json, narrow);
        CHECK(strtof(text_of(&bytes), NULL) == narrow && bytes.count <= 16);
        CHECK((float)strtod(text_of(&bytes), NULL) == narrow);
    }
    bytes.count = 0;
    lt_json json = lt_json_to_array(&bytes, LT_JSON_ONE_LINE);
    lt_json_double(&json, NAN);
    lt_json_float(&json, -INFINITY);
    lt_json_double(&json, 1e300);
    lt_json_double(&json, -0.0);
    CHECK_TEXT(&bytes, "null\nnull\n1e+300\n-0\n");
    lt_array_free(&bytes);
}

/* 7.038531e-26 reads as this float, but is so near to the middle to the next that a double falls on it. */
static void floats_read_back_through_doubles(void) {
    const uint32_t bits = 0x15ae43fd;
    lt_array bytes = LT_ARRAY_OF(NULL, char);
    float value;
    memcpy(&value, &bits, sizeof value);
    lt_json json = lt_json_to_array(&bytes, LT_JSON_ONE_LINE);
    lt_json_float(&json, value);
    CHECK((float)strtod(text_of(&bytes), NULL) == value);
    lt_array_free(&bytes);
}

static void misplaced_calls_are_reported_once(void) {
    lt_error error;
    lt_array bytes = LT_ARRAY_OF(NULL, char);
    for (int kind = 0; kind < 6; kind++) {
        lt_json json = lt_json_to_array(&bytes, LT_JSON_ONE_LINE);
        lt_json_begin_object(&json);
        if (kind == 0) lt_json_u64(&json, 1);
        if (kind == 1) lt_json_end_array(&json);
        if (kind == 2) lt_json_key(&json, "a"), lt_json_key(&json, "b");
        if (kind == 3) lt_json_key(&json, "a"), lt_json_end_object(&json);
        if (kind == 4) lt_json_end_object(&json), lt_json_end_object(&json);
        CHECK(lt_json_finish(&json, &error) == LT_STATUS_INVALID); /* kind 5: left open */
    }
    lt_json json = lt_json_to_array(&bytes, LT_JSON_ONE_LINE);
    for (int i = 0; i < 70; i++)
        lt_json_begin_array(&json);
    CHECK(lt_json_finish(&json, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "64 levels");
    lt_array_free(&bytes);
}

static void full_disk_and_memory_are_reported(void) {
    lt_error error;
    failing budget = failing_after(1);
    lt_allocator allocator = failing_allocator(&budget);
    lt_array bytes = LT_ARRAY_OF(&allocator, char);
    lt_json json = lt_json_to_array(&bytes, LT_JSON_ONE_LINE);
    for (int i = 0; i < 1000; i++)
        lt_json_string(&json, "0123456789");
    CHECK(lt_json_finish(&json, &error) == LT_STATUS_MEMORY);
    lt_array_free(&bytes);
    CHECK_COUNT(budget.bytes_out, 0);
    FILE *full = fopen("/dev/full", "w");
    if (!full) return;
    json = lt_json_to_file(full, LT_JSON_INDENTED);
    write_sample(&json);
    CHECK(lt_json_finish(&json, &error) == LT_STATUS_IO);
    CHECK_CONTAINS(error.message, "disk full");
    fclose(full);
}

int main(void) {
    RUN(layouts_are_exact);
    RUN(strings_are_escaped);
    RUN(numbers_read_back);
    RUN(floats_read_back_through_doubles);
    RUN(misplaced_calls_are_reported_once);
    RUN(full_disk_and_memory_are_reported);
    return check_finish();
}
