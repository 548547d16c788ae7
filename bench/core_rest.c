/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Does the surface touch the floor, or does the body stand on its carrier? The scene `rest` has one body per
 * carrier kind; after it has come to rest the lowest surface point is compared with the floor. Above or below
 * counts alike. */

#include "core_internal.h"

#include "scenes/scene.h"

#include <math.h>
#include <stdio.h>

static const char *carrier_name(const lt_scene *scene, size_t body_index) {
#define CARRIER_NAME(NAME, text) text,
    static const char *const names[] = {LT_CARRIER_RECIPE_LIST(CARRIER_NAME)};
#undef CARRIER_NAME
    const lt_scene_body *bodies = scene->bodies.items;
    const lt_scene_shape *shapes = scene->shapes.items;
    return names[shapes[bodies[body_index].shape_index].carrier.kind];
}

static void measure_body(lt_bench *bench, const lt_scene_world *scene_world, size_t body_index) {
    lt_surface_view view = lt_body_surface(scene_world->world, scene_world->bodies[body_index]);
    float lowest = INFINITY, highest = -INFINITY;
    for (uint32_t i = 0; i < view.vertex_count; i++) {
        lowest = lt_min_f(lowest, view.positions[i].y);
        highest = lt_max_f(highest, view.positions[i].y);
    }
    const char *carrier = carrier_name(scene_world->scene, body_index);
    double height = (double)highest - (double)lowest, share = fabs((double)lowest) / height;
    char name[80];
    snprintf(name, sizeof name, "core.resting-gap-%s", carrier);
    lt_bench_row_begin(bench, "resting on a floor");
    lt_bench_text(bench, "carrier", carrier);
    lt_bench_number(bench, "height_m", height);
    lt_bench_number(bench, "gap_m", (double)lowest);
    lt_bench_number(bench, "gap_of_height", share);
    lt_bench_text(bench, "asleep",
                  lt_body_is_asleep(scene_world->world, scene_world->bodies[body_index]) ? "yes" : "no");
    lt_bench_check_value(bench, name, share, "<", 0.01);
}

lt_status lt_core_rest(lt_bench *bench, lt_error *error) {
    lt_scene scene;
    lt_scene_world scene_world;
    lt_status status = lt_scene_make(&scene, "rest", &bench->allocator, error);
    if (status != LT_OK) return status;
    status = lt_scene_build(&scene_world, &scene, NULL, error);
    if (status == LT_OK) {
        for (uint64_t step = 0; step < scene.steps; step++) {
            lt_scene_advance(&scene_world, step);
            lt_world_step(scene_world.world, scene.dt, lt_budget_unlimited());
        }
        for (size_t i = 0; i < scene.bodies.count; i++)
            measure_body(bench, &scene_world, i);
        lt_scene_world_free(&scene_world);
    }
    lt_scene_free(&scene);
    return status;
}
