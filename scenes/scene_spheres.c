/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies that meet each other more than the ground, for the method sphere-tree (papers/000): where the scan is not
 * to be had, bears stand in. */

#include "scenes/list.h"

static uint32_t add_bunny(lt_scene *scene, float height, uint32_t tets) {
    lt_surface_recipe stand_in = lt_figure_surface(LT_SURFACE_RECIPE_BEAR, height, 4000);
    return lt_scene_add_shape(scene, lt_scan_or("bunny_closed_35000.ply", height, stand_in),
                              lt_enclosed_carrier(tets));
}

static lt_scene_body *place(lt_scene *scene, uint32_t shape, lt_vec3 position, lt_vec3 axis, double degrees) {
    lt_scene_body *body = lt_scene_add_body(scene, shape, position);
    body->rotation = lt_quat_turn(axis, degrees);
    body->material.young = 6e4f;
    body->material.friction = 0.5f;
    body->material.mass_damping = 0.5f;
    body->material.stiffness_damping = 0.01f; /* flesh, not rubber */
    return body;
}

/* Two stand side by side, one leans on both, two fall on top. */
void lt_scene_fill_bunnies(lt_scene *scene) {
    lt_scene_add_floor(scene, 0.0f);
    uint32_t bunny = add_bunny(scene, 0.3f, 500);
    const lt_vec3 up = {0, 1, 0};
    place(scene, bunny, (lt_vec3){-0.17f, 0.17f, 0.02f}, up, 25.0);
    place(scene, bunny, (lt_vec3){0.18f, 0.17f, -0.02f}, up, -20.0);
    place(scene, bunny, (lt_vec3){0.0f, 0.5f, 0.0f}, (lt_vec3){0.2f, 1, 0.1f}, 100.0);
    place(scene, bunny, (lt_vec3){-0.08f, 0.85f, 0.03f}, (lt_vec3){1, 0.3f, 0.2f}, 50.0);
    place(scene, bunny, (lt_vec3){0.1f, 1.2f, -0.03f}, (lt_vec3){0.3f, 0.5f, 1}, -40.0);
    scene->method = LT_METHOD_SPHERE_TREE;
    scene->steps = 600;
    scene->camera = (lt_scene_camera){true, {0.3f, 0.75f, 1.8f}, {0.0f, 0.26f, 0.0f}, 33.0f};
}

/* A tower of sixteen comes down; nothing of it is a scan. */
void lt_scene_fill_heap(lt_scene *scene) {
    const uint32_t shapes[] = {
        lt_scene_add_shape(scene, lt_figure_surface(LT_SURFACE_RECIPE_BEAR, 0.26f, 2400),
                           lt_enclosed_carrier(300)),
        lt_scene_add_shape(scene, lt_torus_surface(0.1f, 0.04f, 40), lt_torus_carrier(0.1f, 0.05f, 18)),
        lt_scene_add_shape(scene, lt_figure_surface(LT_SURFACE_RECIPE_TEAPOT, 0.17f, 2600),
                           lt_enclosed_carrier(300)),
        lt_scene_add_shape(scene, lt_sphere_surface(0.09f, 3), lt_ball_carrier(0.1f, 3))};
    for (size_t i = 0; i < scene->shapes.count; i++)
        ((lt_scene_shape *)scene->shapes.items)[i].sphere_depth = 2; /* baked in seconds */
    lt_scene_add_floor(scene, 0.0f);
    for (uint32_t i = 0; i < 16; i++) {
        float layer = (float)(i / 4), side = i % 2 ? 0.14f : -0.14f, depth = i % 4 < 2 ? 0.13f : -0.13f;
        lt_vec3 position = {side + 0.03f * (layer - 1.5f), 0.16f + 0.3f * layer, depth};
        place(scene, shapes[(i + i / 4) % 4], position, (lt_vec3){0.3f, 1, 0.2f * (float)(i % 3)}, 50.0 * i);
    }
    scene->method = LT_METHOD_SPHERE_TREE;
    scene->steps = 240;
    scene->camera = (lt_scene_camera){true, {0.3f, 0.7f, 1.6f}, {0.0f, 0.2f, 0.0f}, 35.0f};
}

/* They begin a little way into each other and moving on, so that the first step has contacts at every budget in the
 * same pose; they are pressed, and part. */
void lt_scene_fill_pair(lt_scene *scene) {
    uint32_t bunny = add_bunny(scene, 0.3f, 500);
    place(scene, bunny, (lt_vec3){-0.125f, 0.0f, 0.02f}, (lt_vec3){0, 1, 0}, 160.0)->velocity.x = 0.3f;
    place(scene, bunny, (lt_vec3){0.125f, 0.02f, 0.0f}, (lt_vec3){0, 1, 0}, 10.0)->velocity.x = -0.3f;
    scene->gravity = (lt_vec3){0, 0, 0};
    scene->self_collision = false; /* the spheres that are shown are of the two against each other */
    scene->method = LT_METHOD_SPHERE_TREE;
    scene->steps = 60;
    scene->camera = (lt_scene_camera){true, {0.1f, 0.22f, 0.95f}, {0.0f, 0.0f, 0.0f}, 32.0f};
}
