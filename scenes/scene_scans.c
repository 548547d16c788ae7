/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Surfaces as users have them, baked around: each falls over an obstacle, bends, and comes to rest on the floor.
 * Where the scan is not to be had, a generated figure stands in. */

#include "scenes/list.h"

#include <stdio.h>

lt_surface_recipe lt_scan_or(const char *name, float height, lt_surface_recipe stand_in) {
    char path[LT_SCENE_PATH];
    if (!lt_find_mesh(name, path)) return stand_in;
    lt_surface_recipe scan = {.kind = LT_SURFACE_RECIPE_FILE, .size = {0, height, 0}};
    snprintf(scan.path, sizeof scan.path, "%s", name);
    return scan;
}

/* The body above the floor, and where the camera looks. */
static lt_scene_body *drop_scan(lt_scene *scene, lt_surface_recipe surface, uint32_t tets, lt_vec3 position) {
    lt_scene_add_floor(scene, 0.0f);
    uint32_t shape = lt_scene_add_shape(scene, surface, lt_enclosed_carrier(tets));
    lt_scene_body *body = lt_scene_add_body(scene, shape, position);
    body->material.young = 8e4f;
    body->material.friction = 0.6f;
    body->material.mass_damping = 1.0f;
    body->material.stiffness_damping = 0.01f; /* flesh, not rubber: it does not jump */
    scene->steps = 240;
    scene->camera = (lt_scene_camera){true, {0.45f, 0.7f, 1.8f}, {0.0f, 0.3f, 0.0f}, 38.0f};
    return body;
}

void lt_scene_fill_bunny(lt_scene *scene) {
    drop_scan(scene, lt_scan_or("bunny_closed_35000.ply", 0.34f, lt_sphere_surface(0.17f, 4)), 800,
              (lt_vec3){0, 0.65f, 0});
    lt_scene_add_obstacle(scene, LT_OBSTACLE_SPHERE, (lt_vec3){-0.12f, 0.03f, 0.02f})->radius = 0.12f;
}

void lt_scene_fill_armadillo(lt_scene *scene) {
    lt_surface_recipe stand_in = lt_figure_surface(LT_SURFACE_RECIPE_BEAR, 0.42f, 4000);
    drop_scan(scene, lt_scan_or("armadillo_52000.ply", 0.42f, stand_in), 1000, (lt_vec3){0, 0.5f, 0})
        ->rotation = lt_quat_turn((lt_vec3){0, 1, 0}, 180.0);
    lt_scene_obstacle *step = lt_scene_add_obstacle(scene, LT_OBSTACLE_BOX, (lt_vec3){0.12f, 0.05f, 0});
    step->half_extents = (lt_vec3){0.1f, 0.05f, 0.2f};
    scene->contact_capacity = 32768; /* folded up, a surface this fine has twenty thousand */
}

void lt_scene_fill_bear(lt_scene *scene) {
    lt_surface_recipe stand_in = lt_figure_surface(LT_SURFACE_RECIPE_BEAR, 0.36f, 4000);
    drop_scan(scene, lt_scan_or("bear_27648.ply", 0.36f, stand_in), 800, (lt_vec3){0, 0.65f, 0});
    lt_scene_obstacle *bar = lt_scene_add_obstacle(scene, LT_OBSTACLE_CAPSULE, (lt_vec3){0, 0.05f, -0.06f});
    bar->radius = 0.05f;
    bar->half_length = 0.25f;
    bar->rotation = lt_quat_turn((lt_vec3){0, 0, 1}, 90.0);
}

void lt_scene_fill_knot_on_stone(lt_scene *scene) {
    lt_surface_recipe stand_in = lt_figure_surface(LT_SURFACE_RECIPE_KNOT, 0.36f, 6400);
    drop_scan(scene, lt_scan_or("knot_6400.off", 0.36f, stand_in), 1000, (lt_vec3){0, 0.65f, 0})->rotation =
        lt_quat_turn((lt_vec3){1, 0, 0.3f}, 35.0);
    lt_scene_add_obstacle(scene, LT_OBSTACLE_SPHERE, (lt_vec3){0.1f, 0.02f, 0})->radius = 0.12f;
}
