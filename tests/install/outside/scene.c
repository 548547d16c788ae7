/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A built-in scene goes through JSON, and both run to the same hash. Its shapes are baked here. C, and C++. */

#include "lithe/scene.h"
#include "lithe/lithe.h"
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *what) {
    puts(what);
    exit(1);
}

static uint64_t simulate(const lt_scene *scene) {
    lt_error error;
    lt_scene_world run;
    if (lt_scene_build(&run, scene, NULL, &error) != LT_OK) fail(error.message);
    lt_scene_info info = lt_scene_describe(scene);
    for (uint64_t step = 0; step < 3; step++) {
        lt_scene_advance(&run, step);
        lt_world_step(run.world, info.dt, lt_budget_collision_units(100000));
    }
    if (lt_world_body_count(run.world) != info.body_count) fail("bodies are missing");
    uint64_t hash = lt_world_hash(run.world);
    lt_scene_world_free(&run);
    return hash;
}

int main(void) {
    lt_error error;
    lt_scene *scene = NULL, *again = NULL;
    if (lt_scene_builtin_count() < 10) fail("scenes are missing");
    if (lt_scene_create("bear", NULL, &scene, &error) != LT_OK) fail(error.message);
    size_t length = lt_scene_to_json(scene, NULL, 0);
    char *text = (char *)malloc(length + 1);
    if (!text || lt_scene_to_json(scene, text, length + 1) != length) fail("no JSON");
    if (lt_scene_create_from_json("bear.json", text, length, NULL, &again, &error) != LT_OK)
        fail(error.message);
    if (simulate(scene) != simulate(again)) fail("the scene from JSON is another one");
    free(text);
    lt_scene_destroy(scene);
    lt_scene_destroy(again);
    return 0;
}
