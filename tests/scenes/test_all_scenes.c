/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Every built-in scene: built, run for a second, and checked for numbers that are not finite, bodies that had
 * to be reset, and surfaces below the floor.
 *
 * labels: slow */

#include "bake/simplify.h"
#include "check.h"
#include "core/vec.h"
#include "scenes/scene.h"

static bool has_level_floor(const lt_scene *scene) {
    const lt_scene_obstacle *obstacles = scene->obstacles.items;
    for (size_t i = 0; i < scene->obstacles.count; i++)
        if (obstacles[i].kind == LT_OBSTACLE_PLANE) return true;
    return false;
}

/* The lowest surface point; NAN when a coordinate is not finite. */
static float lowest_point(const lt_scene_world *scene_world) {
    float lowest = INFINITY;
    for (size_t b = 0; b < scene_world->scene->bodies.count; b++) {
        lt_surface_view view = lt_body_surface(scene_world->world, scene_world->bodies[b]);
        for (uint32_t i = 0; i < view.vertex_count; i++) {
            if (!lt_v3_is_finite(view.positions[i])) return NAN;
            lowest = lt_min_f(lowest, view.positions[i].y);
        }
    }
    return lowest;
}

/* Fewer and coarser ones where there would be too many for a test. */
static void shrink(lt_scene *scene) {
    lt_scene_shape *shapes = scene->shapes.items;
    lt_scene_body *bodies = scene->bodies.items;
    if (scene->bodies.count > 300) scene->bodies.count = 98;
    if (scene->shapes.count > 8) scene->shapes.count = 4;
    for (size_t i = 0; i < scene->bodies.count; i++)
        bodies[i].shape_index %= (uint32_t)scene->shapes.count;
    for (size_t i = 0; i < scene->shapes.count; i++)
        if (shapes[i].surface.triangles > 20000) shapes[i].surface.triangles = 20000;
}

static void run_scene(const char *name) {
    lt_error error = {0};
    lt_scene scene;
    lt_scene_world scene_world;
    CHECK_FATAL(lt_scene_make(&scene, name, NULL, &error) == LT_OK);
    shrink(&scene);
    if (lt_scene_build(&scene_world, &scene, NULL, &error) == LT_OK) {
        uint64_t blown_up = 0, stale = 0;
        for (uint64_t step = 0; step < 60; step++) {
            lt_scene_advance(&scene_world, step);
            lt_report report = lt_world_step(scene_world.world, scene.dt, lt_budget_unlimited());
            blown_up += report.blown_up;
            stale += report.predicted + report.pending;
        }
        CHECK_COUNT(blown_up, 0);
        CHECK_COUNT(stale, 0); /* with all the time there is, every pair is looked at in every step */
        float lowest = lowest_point(&scene_world);
        /* Corners of the softest bodies go in by some centimetres when they fall on them. */
        bool is_well = has_level_floor(&scene) ? lowest > -0.06f : lowest > -10.0f;
        if (!is_well) CHECK_FAIL_MESSAGE("scene %s: lowest point %g", name, (double)lowest);
        lt_scene_world_free(&scene_world);
    } else if (error.status == LT_STATUS_UNSUPPORTED && !lt_simplify_is_supported()) {
        check_skip(error.message);
    } else {
        CHECK_FAIL_MESSAGE("scene %s: %s", name, error.message);
    }
    lt_scene_free(&scene);
}

static void every_scene_runs(void) {
    uint32_t count;
    const lt_scene_entry *entries = lt_scene_list(&count);
    for (uint32_t i = 0; i < count; i++)
        run_scene(entries[i].name);
}

int main(void) {
    RUN(every_scene_runs);
    return check_finish();
}
