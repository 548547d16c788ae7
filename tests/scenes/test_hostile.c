/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A small scene and a small record of a run, cut everywhere and with every value in every byte: an error that names the file, or
 * something whole; never a crash, a leak, or more memory than is stated. And scenes that ask for too much. */

#include "check.h"
#include "failing_allocator.h"
#include "lithe/lithe.h"
#include "scenes/replay.h"
#include "scenes/scene_json.h"
#include "scenes/scene_size.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef lt_status try_function(const uint8_t *bytes, size_t size, failing *counted, lt_error *error);

static lt_status try_scene(const uint8_t *bytes, size_t size, failing *counted, lt_error *error) {
    lt_allocator allocator = failing_allocator(counted);
    lt_scene scene;
    lt_status status = lt_scene_from_json(&scene, "small.json", bytes, size, &allocator, error);
    if (status == LT_OK) {
        const lt_scene_body *bodies = scene.bodies.items;
        for (size_t i = 0; i < scene.bodies.count; i++)
            CHECK(bodies[i].shape_index < scene.shapes.count);
    }
    lt_scene_free(&scene);
    CHECK(counted->bytes_most <= LT_SCENE_MEMORY_FACTOR * size + LT_SCENE_MEMORY_BASE);
    return status;
}

static lt_status try_record(const uint8_t *bytes, size_t size, failing *counted, lt_error *error) {
    lt_allocator allocator = failing_allocator(counted);
    lt_replay replay;
    lt_status status = lt_replay_read(&replay, bytes, size, "small.txt", &allocator, error);
    if (status == LT_OK) {
        CHECK(replay.words.count > 0);
        lt_replay_free(&replay);
    }
    CHECK(counted->bytes_most <= LT_REPLAY_MEMORY_FACTOR * size + LT_REPLAY_MEMORY_BASE);
    return status;
}

/* On a copy of exactly so many bytes. */
static bool try_copy(try_function *try, const char *name, const uint8_t *bytes, size_t size) {
    failing counted = failing_after(INT_MAX);
    lt_error error = {0};
    uint8_t *copy = malloc(size ? size : 1);
    if (size) memcpy(copy, bytes, size);
    lt_status status = try(copy, size, &counted, &error);
    free(copy);
    CHECK(counted.blocks_out == 0);
    if (status != LT_OK) CHECK(error.status == status && strncmp(error.message, name, strlen(name)) == 0);
    return status == LT_OK;
}

static void try_all(try_function *try, const char *name, const char *text) {
    size_t size = strlen(text), accepted = 0;
    uint8_t *bytes = malloc(size);
    memcpy(bytes, text, size);
    CHECK(try_copy(try, name, bytes, size));
    for (size_t cut = 0; cut < size; cut++)
        accepted += try_copy(try, name, bytes, cut);
    CHECK(accepted <= 1); /* without the last line end it may be whole */
    for (size_t at = 0; at < size; at++) {
        for (int value = 0; value < 256; value++) {
            bytes[at] = (uint8_t)value;
            accepted += try_copy(try, name, bytes, size);
        }
        bytes[at] = (uint8_t)text[at];
    }
    CHECK(accepted > size && accepted < 128 * size); /* more than the bytes as they were, and not all */
    free(bytes);
}

static void scenes_of_any_bytes(void) {
    try_all(
        try_scene, "small.json",
        "{\"lithe_scene\":1,\"shapes\":{\"a\":{\"carrier\":{\"kind\":\"ball\",\"radius\":0.2,\"layers\":4}}},"
        "\"bodies\":[{\"shape\":\"a\",\"position\":[0,1,0]}],\"obstacles\":[{\"kind\":\"plane\"}]}");
}

static void records_of_any_bytes(void) {
    char text[400], *at = text;
    at += snprintf(at, 200, "lithe-replay 1\nlibrary %s %s\nword drop\nstart 8c16b8dd0d10ab2f\nstep 1",
                   lt_version(), sizeof(lt_real) == sizeof(double) ? "double" : "float");
    for (int stage = 0; stage < LT_STAGE_COUNT; stage++)
        at += snprintf(at, 10, " %d", stage);
    snprintf(at, 100, " limit 0 hash 02e1f7a94cb8d35e\nend 1\n");
    try_all(try_record, "small.txt", text);
}

/* ---- scenes that ask for more than there is ---- */

static void check_refused(const char *shapes, const char *rest, const char *expected) {
    char text[2000];
    lt_scene scene;
    lt_error error = {0};
    snprintf(text, sizeof text, "{\"lithe_scene\": 1,\n\"shapes\": {%s}%s}", shapes, rest);
    CHECK(lt_scene_from_json(&scene, "evil.json", text, strlen(text), NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, expected);
}

static void too_much_is_refused(void) {
    check_refused(
        "\"a\": {\"carrier\": {\"kind\": \"block\", \"size\": [1, 1, 1], \"cells\": [128, 128, 128]}}", "",
        "evil.json:2: shapes.a: that makes 10485760 tets: give less, at most 500000");
    check_refused("\"a\": {\"carrier\": {\"kind\": \"ball\", \"radius\": 1, \"layers\": 30}}", "",
                  "that makes 540000 tets");
    check_refused("\"a\": {\"carrier\": {\"kind\": \"torus\", \"radius\": 1, \"tube_radius\": 0.99, "
                  "\"segments\": 512}}",
                  "", "tets: give less");
    check_refused("\"a\": {\"surface\": {\"kind\": \"box\", \"half_extents\": [1, 1, 1], \"cells\": 1024}, "
                  "\"carrier\": {\"kind\": \"ball\", \"radius\": 2, \"layers\": 2}}",
                  "", "that makes 12582912 triangles");
    check_refused("\"a\": {\"surface\": {\"kind\": \"capsule\", \"radius\": 1e-6, \"length\": 1e6, "
                  "\"segments\": 2048}, \"carrier\": {\"kind\": \"ball\", \"radius\": 2, \"layers\": 2}}",
                  "", "triangles: give less");
    check_refused("", ", \"world\": {\"contact_capacity\": 16777216}",
                  "world.contact_capacity: 16777216 is out");
    check_refused("",
                  ", \"obstacles\": [{\"kind\": \"mesh\", \"surface\": {\"kind\": \"sphere\", \"radius\": 1, "
                  "\"subdivisions\": 2}, \"resolution\": 257}]",
                  "obstacles[0].resolution: 257 is out of range");
}

/* Each is small enough, and all together are not. */
static void too_many_are_refused(void) {
    static const char ball[] = "\"a\": {\"carrier\": {\"kind\": \"ball\", \"radius\": 1, \"layers\": 29}}";
    check_refused(ball,
                  ",\n\"bodies\": [{\"shape\": \"a\"}, {\"shape\": \"a\"}, {\"shape\": \"a\"},\n"
                  "{\"shape\": \"a\"}, {\"shape\": \"a\"}]",
                  "evil.json:4: bodies[4].shape: that makes 2438900 tets in all bodies so far");
    char shapes[1000] = "", *at = shapes;
    for (int i = 0; i < 3; i++)
        at += snprintf(at, 200, "%s\"s%d\": %s", i ? "," : "", i, ball + 5);
    check_refused(shapes, "", "shapes.s2: that makes 1463340 tets with those before it");
    char rest[1500] = ", \"obstacles\": [", *put = rest + strlen(rest);
    for (int i = 0; i < 3; i++)
        put += snprintf(put, 300,
                        "%s{\"kind\": \"mesh\", \"surface\": {\"kind\": \"sphere\", \"radius\": 1, "
                        "\"subdivisions\": 2}, \"resolution\": 256}",
                        i ? "," : "");
    snprintf(put, 10, "]");
    check_refused("", rest, "obstacles[2]: that makes 50331648 cells of distance grids");
}

int main(void) {
    RUN(scenes_of_any_bytes);
    RUN(records_of_any_bytes);
    RUN(too_much_is_refused);
    RUN(too_many_are_refused);
    return check_finish();
}
