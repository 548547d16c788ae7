/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "scenes/list.h"

#include <stdio.h>

static lt_material rubber(float young) {
    lt_material material = lt_body_def_default().material;
    material.young = young;
    material.friction = 0.5f;
    return material;
}

static void place(lt_scene *scene, uint32_t shape_index, lt_vec3 position, lt_quat rotation, float young) {
    lt_scene_body *body = lt_scene_add_body(scene, shape_index, position);
    body->rotation = rotation;
    body->material = rubber(young);
}

static void add_obstacles(lt_scene *scene) {
    lt_scene_add_floor(scene, 0.0f);
    lt_scene_add_obstacle(scene, LT_OBSTACLE_SPHERE, (lt_vec3){-0.45f, 0.12f, 0.05f})->radius = 0.2f;
    lt_scene_obstacle *ramp = lt_scene_add_obstacle(scene, LT_OBSTACLE_BOX, (lt_vec3){0.5f, 0.16f, -0.05f});
    ramp->half_extents = (lt_vec3){0.26f, 0.03f, 0.2f};
    ramp->rotation = lt_quat_turn((lt_vec3){0, 0, 1}, 24.0);
    lt_scene_obstacle *log = lt_scene_add_obstacle(scene, LT_OBSTACLE_CAPSULE, (lt_vec3){0.02f, 0.07f, 0.1f});
    log->radius = 0.07f;
    log->half_length = 0.16f;
    log->rotation = lt_quat_turn((lt_vec3){1, 0, 0}, 90.0);
}

static void add_letters(lt_scene *scene) {
    const char *word = "LITHE";
    for (uint32_t i = 0; word[i]; i++) {
        uint32_t shape =
            lt_scene_add_shape(scene, lt_letter_surface(word[i], 0.3f, 1200), lt_cage_carrier(8));
        float x = -0.62f + 0.31f * (float)i;
        place(scene, shape, (lt_vec3){x, 1.3f + 0.07f * (float)i, -0.12f},
              lt_quat_turn((lt_vec3){0.3f, 0.2f, 1.0f}, 14.0 * ((double)i - 2.0)), 1.5e5f);
    }
}

void lt_scene_fill_demo(lt_scene *scene) {
    lt_quat straight = {0, 0, 0, 1};
    snprintf(scene->caption, sizeof scene->caption, "Lithe");
    scene->steps = 300;
    scene->camera = (lt_scene_camera){true, {0.35f, 0.95f, 2.55f}, {0.0f, 0.3f, 0.0f}, 36.0f};
    add_obstacles(scene);
    uint32_t bear =
        lt_scene_add_shape(scene, lt_figure_surface(LT_SURFACE_RECIPE_BEAR, 0.34f, 2400), lt_cage_carrier(8));
    uint32_t ball = lt_scene_add_shape(scene, lt_sphere_surface(0.12f, 3), lt_ball_carrier(0.13f, 3));
    uint32_t ring =
        lt_scene_add_shape(scene, lt_torus_surface(0.13f, 0.045f, 40), lt_torus_carrier(0.13f, 0.055f, 18));
    uint32_t teapot = lt_scene_add_shape(scene, lt_figure_surface(LT_SURFACE_RECIPE_TEAPOT, 0.24f, 2600),
                                         lt_cage_carrier(9));
    place(scene, bear, (lt_vec3){-0.42f, 0.62f, 0.06f}, lt_quat_turn((lt_vec3){0, 1, 0}, 20.0), 6e4f);
    place(scene, ball, (lt_vec3){0.05f, 0.5f, 0.1f}, straight, 3e4f);
    place(scene, teapot, (lt_vec3){0.52f, 0.66f, -0.04f}, lt_quat_turn((lt_vec3){0, 0, 1}, -12.0), 8e4f);
    place(scene, ring, (lt_vec3){0.1f, 0.95f, 0.12f}, lt_quat_turn((lt_vec3){1, 0, 0.4f}, 40.0), 8e4f);
    add_letters(scene);
}
