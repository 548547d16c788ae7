/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "check.h"
#include "core/random.h"
#include "failing_allocator.h"
#include "scenes/json_reader.h"
#include "scenes/json_writer.h"

static lt_status read(lt_json_document *document, const char *text, lt_error *error) {
    return lt_json_read(document, "x.json", text, strlen(text), NULL, error);
}

static void values_are_read(void) {
    lt_json_document d;
    CHECK_FATAL(
        read(&d, "\xef\xbb\xbf {\"a\": [1, -0.5e1, true,\n false, null, \"\"],\r\n\t\"b\":{}, \"\": []}\n",
             NULL) == LT_OK);
    const lt_json_value *a = lt_json_member(d.root, "a"), *b = lt_json_member(d.root, "b");
    CHECK_FATAL(a && b && lt_json_member(d.root, "") && !lt_json_member(d.root, "c"));
    CHECK(d.root->line == 1 && a->line == 1 && b->line == 3);
    const lt_json_value *item = a->of.first;
    CHECK(item->type == LT_JSON_NUMBER && item->of.number == 1.0);
    CHECK((item = item->next)->of.number == -5.0);
    CHECK((item = item->next)->type == LT_JSON_BOOL && item->of.is_true);
    CHECK((item = item->next)->type == LT_JSON_BOOL && !item->of.is_true && item->line == 2);
    CHECK((item = item->next)->type == LT_JSON_NULL);
    CHECK((item = item->next)->type == LT_JSON_STRING && item->of.text[0] == 0 && !item->next);
    CHECK(b->type == LT_JSON_OBJECT && !b->of.first);
    lt_json_document_free(&d);
}

static void strings_are_decoded(void) {
    lt_json_document d;
    CHECK_FATAL(read(&d,
                     "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\", "
                     "\"\xc3\xa9\xf0\x9f\x98\x80\"]",
                     NULL) == LT_OK);
    const lt_json_value *item = d.root->of.first;
    CHECK(strcmp(item->of.text, "\"\\/\b\f\n\r\t") == 0);
    CHECK(strcmp(item->next->of.text, "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") == 0);
    CHECK(strcmp(item->next->next->of.text, "\xc3\xa9\xf0\x9f\x98\x80") == 0);
    lt_json_document_free(&d);
}

static void numbers_are_the_nearest_doubles(void) {
    const char *texts[] = {"0",
                           "-0",
                           "1e5",
                           "1E+5",
                           "12.50",
                           "1e-400",
                           "1e400",
                           "-1e400",
                           "0.1",
                           "123456789012345678901234567890",
                           "2.2250738585072011e-308"};
    for (size_t i = 0; i < LT_COUNT_OF(texts); i++) {
        lt_json_document d;
        CHECK_FATAL(read(&d, texts[i], NULL) == LT_OK);
        double wanted = strtod(texts[i], NULL);
        CHECK(d.root->of.number == wanted && signbit(d.root->of.number) == signbit(wanted));
        lt_json_document_free(&d);
    }
}

/* What lt_json_float writes comes back, bit for bit. */
static void written_floats_come_back(void) {
    lt_random random = lt_random_seed(5);
    lt_array bytes = LT_ARRAY_OF(NULL, char);
    for (int i = 0; i < 5000; i++) {
        uint32_t bits = i == 0 ? 0x15ae43fd : lt_random_u32(&random);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        lt_json json = lt_json_to_array(&bytes, LT_JSON_ONE_LINE);
        bytes.count = 0;
        lt_json_float(&json, value);
        lt_json_document d;
        CHECK_FATAL(lt_json_read(&d, "x", bytes.items, bytes.count, NULL, NULL) == LT_OK);
        float read_back = (float)d.root->of.number;
        CHECK(memcmp(&read_back, &value, sizeof value) == 0);
        lt_json_document_free(&d);
    }
    lt_array_free(&bytes);
}

static void faults_are_refused_with_their_line(void) {
    const struct {
        const char *text, *message;
    } faults[] = {{"", "x.json:1: expected a value, found the end of the file"},
                  {" \n \n", "x.json:3: expected a value"},
                  {"{", "expected a key in quotes"},
                  {"{\"a\" 1}", "expected a : after the key"},
                  {"{\"a\": 1,}", "expected a key in quotes"},
                  {"{\"a\": 1 \"b\": 2}", "expected a , or }"},
                  {"[1, 2", "expected a , or ]"},
                  {"[1, ]", "expected a value"},
                  {"[1 2]", "expected a , or ]"},
                  {"[1]\n\nx", "x.json:3: expected nothing after the last bracket, found \"x\""},
                  {"{a: 1}", "expected a key in quotes"},
                  {"[1, // no\n2]", "expected a value"},
                  {"{\"a\": 1,\n\"b\": 2,\n\"a\": 3}", "x.json:3: the key \"a\" is there twice"},
                  {"{\"a\": 1, \"\\u0061\": 3}", "the key \"a\" is there twice"},
                  {"\"abc", "a string has no end"},
                  {"\"a\nb\"", "control character"},
                  {"\"\\x41\"", "after a \\ in a string"},
                  {"\"\\u12g4\"", "four hexadecimal digits"},
                  {"\"\\u12", "four hexadecimal digits"},
                  {"\"\\u0000\"", "\\u0000 cannot be in a string"},
                  {"\"\\ud800\"", "half of a surrogate pair"},
                  {"\"\\ud800\\u0041\"", "half of a surrogate pair"},
                  {"\"\\udc00\"", "half of a surrogate pair"},
                  {"\"\xff\"", "a string is not UTF-8"},
                  {"\"\xc0\xaf\"", "a string is not UTF-8"},
                  {"\"\xed\xa0\x80\"", "a string is not UTF-8"},
                  {"\"\xe2\x82", "a string is not UTF-8"},
                  {"01", "expected nothing after"},
                  {"+1", "expected a value"},
                  {".5", "expected a value"},
                  {"1.", "expected a value"},
                  {"1e", "expected a value"},
                  {"-", "expected a value"},
                  {"0x10", "expected nothing after"},
                  {"NaN", "expected a value, found \"NaN\""},
                  {"[Infinity]", "expected a value"},
                  {"True", "expected a value"},
                  {"nul", "expected a value"},
                  {"\x0b[]", "expected a value"}};
    for (size_t i = 0; i < LT_COUNT_OF(faults); i++) {
        lt_json_document d;
        lt_error error = {0};
        CHECK(read(&d, faults[i].text, &error) == LT_STATUS_FORMAT);
        CHECK_CONTAINS(error.message, faults[i].message);
        CHECK(!d.root && !d.values && !d.text);
    }
}

static void depth_is_limited(void) {
    static char text[200];
    for (int depth = 60; depth <= 70; depth++) {
        lt_json_document d;
        lt_error error = {0};
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        text[2 * depth] = 0;
        lt_status status = read(&d, text, &error);
        CHECK(status == (depth <= LT_JSON_DEPTH_MAX ? LT_OK : LT_STATUS_FORMAT));
        if (status != LT_OK) CHECK_CONTAINS(error.message, "deeper than 64 levels");
        lt_json_document_free(&d);
    }
}

/* A quadratic look for twins would take minutes under sanitizers. */
static void many_keys_are_compared_quickly(void) {
    enum { COUNT = 200000 };
    lt_array bytes = LT_ARRAY_OF(NULL, char);
    lt_json json = lt_json_to_array(&bytes, LT_JSON_ONE_LINE);
    lt_json_begin_object(&json);
    for (int i = 0; i < COUNT; i++) {
        char key[16];
        snprintf(key, sizeof key, "%d", i);
        lt_json_key(&json, key);
        lt_json_bool(&json, true);
    }
    lt_json_end_object(&json);
    lt_json_document d;
    CHECK_FATAL(lt_json_read(&d, "x", bytes.items, bytes.count, NULL, NULL) == LT_OK);
    CHECK_COUNT(d.value_count, COUNT + 1);
    lt_json_document_free(&d);
    lt_array_free(&bytes);
}

static size_t most_bytes_out;

static void *watched_allocate(void *context, size_t size, size_t alignment) {
    void *memory = failing_allocate(context, size, alignment);
    size_t out = ((failing *)context)->bytes_out;
    if (out > most_bytes_out) most_bytes_out = out;
    return memory;
}

static void memory_is_bounded_and_given_back(void) {
    const char *units[] = {"[", ",", ":", "{", "\"\":1,", "\"", "1,"};
    static char text[6000];
    for (size_t u = 0; u < LT_COUNT_OF(units); u++) {
        size_t size = 0, length = strlen(units[u]);
        for (text[size++] = u == 4 ? '{' : '['; size + length < sizeof text; size += length)
            memcpy(text + size, units[u], length);
        failing f = failing_after(1000);
        lt_allocator allocator = {watched_allocate, failing_release, &f};
        lt_json_document d;
        most_bytes_out = 0;
        CHECK(lt_json_read(&d, "x", text, size, &allocator, NULL) == LT_STATUS_FORMAT);
        CHECK(most_bytes_out <= LT_JSON_MEMORY_FACTOR * size + LT_JSON_MEMORY_BASE);
        CHECK(f.blocks_out == 0 && f.bytes_out == 0);
    }
    for (int allowed = 0; allowed < 4; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_json_document d;
        lt_status status = lt_json_read(&d, "x", "[{\"a\":1}]", 9, &allocator, NULL);
        CHECK(status == (allowed < 3 ? LT_STATUS_MEMORY : LT_OK));
        lt_json_document_free(&d);
        CHECK(f.blocks_out == 0 && f.bytes_out == 0);
    }
}

int main(void) {
    RUN(values_are_read);
    RUN(strings_are_decoded);
    RUN(numbers_are_the_nearest_doubles);
    RUN(written_floats_come_back);
    RUN(faults_are_refused_with_their_line);
    RUN(depth_is_limited);
    RUN(many_keys_are_compared_quickly);
    RUN(memory_is_bounded_and_given_back);
    return check_finish();
}
