/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* At the back figures tumble over obstacles and each other; in front the letters of the name land one after
 * the other. Later ones are thrown up first, so that something goes on for two seconds; all is at rest after
 * four. */

#include "scenes/list.h"

#include <stdio.h>

static lt_scene_body *place(lt_scene *scene, uint32_t shape_index, lt_vec3 position, float young) {
    lt_scene_body *body = lt_scene_add_body(scene, shape_index, position);
    body->material.young = young;
    body->material.friction = 0.5f;
    return body;
}

static void add_obstacles(lt_scene *scene) {
    lt_scene_add_floor(scene, 0.0f);
    lt_scene_add_obstacle(scene, LT_OBSTACLE_SPHERE, (lt_vec3){-0.5f, 0.08f, -0.25f})->radius = 0.18f;
    lt_scene_obstacle *ramp = lt_scene_add_obstacle(scene, LT_OBSTACLE_BOX, (lt_vec3){0.52f, 0.12f, -0.25f});
    ramp->half_extents = (lt_vec3){0.24f, 0.03f, 0.2f};
    ramp->rotation = lt_quat_turn((lt_vec3){0, 0, 1}, 20.0);
    lt_scene_obstacle *post = lt_scene_add_obstacle(scene, LT_OBSTACLE_CAPSULE, (lt_vec3){0, 0.13f, -0.25f});
    post->radius = 0.045f;
    post->half_length = 0.16f;
}

static void add_figures(lt_scene *scene) {
    uint32_t bear = lt_scene_add_shape(scene, lt_figure_surface(LT_SURFACE_RECIPE_BEAR, 0.34f, 2400),
                                       lt_enclosed_carrier(400));
    uint32_t ball = lt_scene_add_shape(scene, lt_sphere_surface(0.11f, 3), lt_ball_carrier(0.12f, 3));
    uint32_t ring =
        lt_scene_add_shape(scene, lt_torus_surface(0.13f, 0.045f, 40), lt_torus_carrier(0.13f, 0.055f, 18));
    uint32_t teapot = lt_scene_add_shape(scene, lt_figure_surface(LT_SURFACE_RECIPE_TEAPOT, 0.22f, 2600),
                                         lt_enclosed_carrier(500));
    place(scene, bear, (lt_vec3){-0.47f, 0.6f, -0.24f}, 6e4f)->rotation =
        lt_quat_turn((lt_vec3){0, 1, 0}, 20.0);
    place(scene, ring, (lt_vec3){0.03f, 0.6f, -0.24f}, 8e4f);
    place(scene, teapot, (lt_vec3){0.5f, 0.5f, -0.25f}, 8e4f)->rotation =
        lt_quat_turn((lt_vec3){0, 0, 1}, 15.0);
    lt_scene_body *second_ring = place(scene, ring, (lt_vec3){0.07f, 1.2f, -0.22f}, 8e4f);
    second_ring->rotation = lt_quat_turn((lt_vec3){1, 0, 0.4f}, 30.0);
    second_ring->velocity.y = 1.5f;
    place(scene, ball, (lt_vec3){0.3f, 1.3f, -0.3f}, 2e4f)->velocity.y = 2.0f;
    lt_scene_body *second_bear = place(scene, bear, (lt_vec3){-0.46f, 1.5f, -0.22f}, 6e4f);
    second_bear->rotation = lt_quat_turn((lt_vec3){0.2f, 1, 0}, -35.0);
    second_bear->velocity.y = 3.0f;
}

static void add_letters(lt_scene *scene) {
    const char *word = "LITHE";
    for (uint32_t i = 0; word[i]; i++) {
        uint32_t shape =
            lt_scene_add_shape(scene, lt_letter_surface(word[i], 0.27f, 1200), lt_enclosed_carrier(300));
        lt_scene_body *letter = place(scene, shape, (lt_vec3){-0.56f + 0.28f * (float)i, 1.2f, 0.4f}, 1e5f);
        letter->rotation = lt_quat_turn((lt_vec3){1, 0.05f, 0.05f}, -75.0);
        letter->velocity.y = 0.9f * (float)i;
    }
}

void lt_scene_fill_demo(lt_scene *scene) {
    snprintf(scene->caption, sizeof scene->caption, "lithe run demo");
    scene->camera = (lt_scene_camera){true, {0.1f, 1.3f, 2.3f}, {-0.04f, 0.16f, 0.0f}, 32.0f};
    add_obstacles(scene);
    add_figures(scene);
    add_letters(scene);
}
