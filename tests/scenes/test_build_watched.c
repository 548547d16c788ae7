/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Building a scene may be ended by whoever watches it, at any word, and leaves nothing. */

#include "check.h"
#include "core/memory.h"
#include "failing_allocator.h"
#include "scenes/scene.h"

#include <limits.h>

typedef struct watcher {
    uint32_t words, last; /* it says no at word `last` */
} watcher;

static bool listen(void *context, const char *stage, float share) {
    watcher *w = context;
    CHECK(stage && stage[0] && share >= 0 && share <= 1);
    return ++w->words < w->last;
}

/* Two shapes, one of which is made around its surface and gets a tree. */
static lt_scene make_scene(lt_method method) {
    lt_scene scene = lt_scene_empty("watched", NULL);
    scene.method = method;
    scene.sphere_method = LT_SPHERES_OCTREE;
    lt_surface_recipe ball = {.kind = LT_SURFACE_RECIPE_SPHERE, .size = {0.1f, 0, 0}, .cells = 1};
    lt_carrier_recipe enclosed = {
        .kind = LT_CARRIER_RECIPE_ENCLOSED, .cells = {60, 0, 0}, .distance_resolution = 8};
    lt_carrier_recipe block = {
        .kind = LT_CARRIER_RECIPE_BLOCK, .size = {0.1f, 0.1f, 0.1f}, .cells = {1, 1, 1}};
    uint32_t first = lt_scene_add_shape(&scene, (lt_surface_recipe){0}, block);
    uint32_t second = lt_scene_add_shape(&scene, ball, enclosed);
    lt_scene_add_body(&scene, first, (lt_vec3){0, 1, 0});
    lt_scene_add_body(&scene, second, (lt_vec3){1, 1, 0});
    return scene;
}

/* With an allocator of its own, of which nothing is kept. */
static lt_status build(const lt_scene *scene, watcher *w) {
    failing counted = failing_after(INT_MAX);
    lt_world_def def = lt_scene_world_def(scene);
    lt_scene_world run;
    lt_error error = {0};
    def.allocator = failing_allocator(&counted);
    lt_status status = lt_scene_build_watched(&run, scene, &def, listen, w, &error);
    if (status == LT_OK)
        lt_scene_world_free(&run);
    else
        CHECK_CONTAINS(error.message, "cancelled");
    CHECK_COUNT(counted.blocks_out, 0);
    return status;
}

static void ended_anywhere(lt_method method) {
    lt_scene scene = make_scene(method);
    watcher all = {0, UINT32_MAX};
    CHECK(build(&scene, &all) == LT_OK);
    CHECK(all.words > 5);
    uint32_t stride = all.words / 12 + 1;
    for (uint32_t last = 1; last <= all.words; last += last < 6 ? 1 : stride) {
        watcher w = {0, last};
        CHECK(build(&scene, &w) == LT_STATUS_CANCELLED);
        CHECK_COUNT(w.words, last); /* it is not asked again */
    }
    lt_scene_free(&scene);
}

static void carriers(void) {
    ended_anywhere(LT_METHOD_REFERENCE);
}

static void sphere_trees(void) {
    ended_anywhere(LT_METHOD_SPHERE_TREE);
}

static void trees_of_boxes(void) {
    ended_anywhere(LT_METHOD_MULTISCALE);
}

int main(void) {
    RUN(carriers);
    RUN(sphere_trees);
    RUN(trees_of_boxes);
    return check_finish();
}
