/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The reader of JSON scenes on mutated files: refused with a message, or a scene that is written and read again with the same
 * text; never more memory than scene_json.h promises. */

#include "failing_allocator.h"
#include "fuzz/mutate.h"
#include "scenes/scene_json.h"

#include <limits.h>

static void give_up(const char *wrong) {
    fprintf(stderr, "the reader gave %s\n", wrong);
    abort();
}

static lt_array written(const lt_scene *scene) {
    lt_array bytes = LT_ARRAY_OF(NULL, char);
    lt_json json = lt_json_to_array(&bytes, LT_JSON_ONE_LINE);
    if (lt_scene_write_json(&json, scene, NULL) != LT_OK || lt_json_finish(&json, NULL) != LT_OK)
        give_up("a scene that cannot be written");
    return bytes;
}

static void check_again(const lt_scene *scene) {
    lt_scene again;
    lt_array first = written(scene);
    if (lt_scene_from_json(&again, "again.json", first.items, first.count, NULL, NULL) != LT_OK)
        give_up("a scene that is refused when it is written");
    lt_array second = written(&again);
    if (first.count != second.count || memcmp(first.items, second.items, first.count) != 0)
        give_up("a scene that is another one when it is written");
    lt_array_free(&first);
    lt_array_free(&second);
    lt_scene_free(&again);
}

static lt_status try(const uint8_t *data, size_t size) {
    failing counted = failing_after(INT_MAX);
    lt_allocator allocator = failing_allocator(&counted);
    lt_error error = {0};
    lt_scene scene;
    lt_status status = lt_scene_from_json(&scene, "fuzz.json", data, size, &allocator, &error);
    if (status != LT_OK && strlen(error.message) < 15) give_up("no message");
    if (counted.bytes_most > LT_SCENE_MEMORY_FACTOR * size + LT_SCENE_MEMORY_BASE) give_up("too much memory");
    if (status == LT_OK) {
        check_again(&scene);
        lt_scene_free(&scene);
    }
    if (counted.blocks_out != 0) give_up("a leak");
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try(data, size);
    return 0;
}

#ifndef LITHE_LIBFUZZER

enum { ROUNDS = 40000 };

static const char *const seeds[] = {
    "{\"lithe_scene\": 1, \"name\": \"pile\", \"dt\": 0.01, \"steps\": 30, \"world\": {\"gravity\": [0, "
    "-9.81, 0], "
    "\"method\": \"sphere-tree\", \"mode\": \"safe\", \"sleeping\": true, \"threads\": 2}, \"camera\": "
    "{\"eye\": [0, "
    "1, 3], \"target\": [0, 0, 0]}, \"shapes\": {\"ball\": {\"surface\": {\"kind\": \"sphere\", \"radius\": "
    "0.2, "
    "\"subdivisions\": 3}, \"carrier\": {\"kind\": \"ball\", \"radius\": 0.2, \"layers\": 4}, "
    "\"sphere_depth\": 3}, "
    "\"b\\u00e4r\": {\"surface\": {\"kind\": \"file\", \"path\": \"a/b.obj\"}, \"carrier\": {\"kind\": "
    "\"enclosed\", "
    "\"tets\": 500}}}, \"bodies\": [{\"shape\": \"ball\", \"position\": [0, 1, 0], \"material\": {\"young\": "
    "2e4, "
    "\"poisson\": 0.3}, \"model\": \"corotational\", \"refine_threshold\": \"nowhere\"}, {\"shape\": "
    "\"b\\u00e4r\", \"rotation\": {\"axis\": [0, 1, 0], \"degrees\": 30}}], \"obstacles\": [{\"kind\": "
    "\"plane\"}]}",
    "{\"lithe_scene\": 2,\n \"world\": {\"sphere_tree\": {\"order\": \"fifo\", \"queue_capacity\": 9}, "
    "\"multiscale\": "
    "{\"pending\": \"ignore\", \"separation\": 0.01}},\n \"shapes\": {\"a\": {\"carrier\": {\"kind\": "
    "\"block\", \"size\": [1, 1, 1], "
    "\"cells\": [2, 2, "
    "2]}}},\n \"bodies\": [{\"shape\": \"a\", \"pins\": [{\"lo\": [0, 0, 0], \"hi\": [1, 0.1, 1]}], "
    "\"handles\": "
    "[{\"point\": [0, 1, 0], \"stiffness\": 100, \"motion\": {\"kind\": \"circle\", \"to_center\": [1, 0, "
    "0], "
    "\"period\": 2}}]}],\n \"obstacles\": [{\"kind\": \"box\", \"half_extents\": [1, 1, 1], \"motion\": "
    "{\"kind\": "
    "\"linear\", \"velocity\": [0, 0, 1]}}, {\"kind\": \"mesh\", \"surface\": {\"kind\": \"torus\", "
    "\"radius\": 1, "
    "\"tube_radius\": 0.2, \"segments\": 16}}]}"};

static void put_seed(sample *s, const char *text) {
    s->size = 0;
    put_bytes(s, text, strlen(text));
}

int main(int argument_count, char **arguments) {
    uint64_t first = argument_count > 1 ? strtoull(arguments[1], NULL, 10) : 0;
    uint64_t end = argument_count > 2 ? strtoull(arguments[2], NULL, 10) : first + fuzz_rounds(ROUNDS);
    uint64_t valid = 0;
    static sample samples[LT_COUNT_OF(seeds)];
    for (size_t i = 0; i < LT_COUNT_OF(seeds); i++) {
        put_seed(&samples[i], seeds[i]);
        if (try(samples[i].bytes, samples[i].size) != LT_OK) give_up("nothing for a good file");
    }
    for (uint64_t round = first; round < end; round++) {
        static fuzz_input input;
        lt_random random = lt_random_seed(round);
        const sample *seed = &samples[lt_random_below(&random, LT_COUNT_OF(seeds))];
        memcpy(input.bytes, seed->bytes, seed->size);
        input.size = seed->size;
        for (uint32_t left = 1 + lt_random_below(&random, 4); left > 0; left--)
            fuzz_mutate(&random, &input, &samples[lt_random_below(&random, LT_COUNT_OF(seeds))]);
        valid += try(input.bytes, input.size) == LT_OK;
    }
    fuzz_report_executions(end - first);
    printf("%llu mutated scenes, %llu still valid, 0 wrong\n", (unsigned long long)(end - first),
           (unsigned long long)valid);
    return end - first < 1000 || (valid > 0 && valid < end - first) ? 0 : 1;
}

#endif
