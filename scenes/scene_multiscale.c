/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The scenes of the method multiscale (papers/003): dense surfaces that move by few tets, as many of both as the paper has.
 * All shapes have a multiscale tree, whatever the method. */

#include "scenes/list.h"

static uint32_t add_tree_shape(lt_scene *scene, lt_surface_recipe surface, lt_carrier_recipe carrier) {
    uint32_t index = lt_scene_add_shape(scene, surface, carrier);
    if (!scene->out_of_memory) ((lt_scene_shape *)scene->shapes.items)[index].has_tree = true;
    return index;
}

/* ---- knot ---- */

/* 31 segments are 558 tets; with corners 1.45 radii away the carrier would cut into the tube where it bends most. Dropped on
 * its edge, its lowest point at 1 m, so that the tube comes down on itself. */
void lt_scene_fill_knot(lt_scene *scene) {
    uint32_t knot = add_tree_shape(scene, lt_figure_surface(LT_SURFACE_RECIPE_KNOT, 0.26f, 42254),
                                   lt_knot_carrier(31, 1.5f));
    lt_scene_add_floor(scene, 0.0f);
    lt_scene_body *body = lt_scene_add_body(scene, knot, (lt_vec3){0, 1.324f, 0});
    body->rotation = lt_quat_turn((lt_vec3){1, 0, 0.2f}, 70.0);
    body->material.young = 1e5f;
    body->material.friction = 0.5f;
    body->material.stiffness_damping = 0.01f; /* flesh, not rubber: it lands at 4.4 m/s */
    scene->method = LT_METHOD_MULTISCALE;
    scene->contact_capacity = 65536;
    scene->steps = 1000;
    scene->camera = (lt_scene_camera){true, {0.5f, 1.2f, 2.2f}, {0.0f, 0.7f, 0.0f}, 48.0f};
}

/* ---- bunny on bunny ---- */

/* It lands astride, tips over and comes to lean on the lower one. 1,000 tets asked for are 1,082 of the scan. */
void lt_scene_fill_bunny_on_bunny(lt_scene *scene) {
    const float height = 0.3f;
    lt_surface_recipe stand_in = lt_figure_surface(LT_SURFACE_RECIPE_BEAR, height, 75408);
    uint32_t bunny = add_tree_shape(scene, lt_scan_or("bunny_closed_75408.ply", height, stand_in),
                                    lt_enclosed_carrier(1000));
    lt_scene_add_floor(scene, 0.0f);
    for (uint32_t i = 0; i < 2; i++) {
        lt_scene_body *body = lt_scene_add_body(scene, bunny, (lt_vec3){0, 0.16f + 0.45f * (float)i, 0});
        body->material.young = 1e5f;
        body->material.friction = 0.5f;
        body->material.stiffness_damping = 0.01f;
    }
    scene->method = LT_METHOD_MULTISCALE;
    scene->contact_capacity = 65536; /* surfaces this fine have many */
    scene->steps = 300;
    scene->camera = (lt_scene_camera){true, {0.3f, 0.75f, 1.8f}, {0.0f, 0.26f, 0.0f}, 33.0f};
}

/* ---- poke ---- */

/* The feet are held. The bear, of stone, swings in to the chest and out again. 2,650 tets asked for are 2,555 of the scan. */
void lt_scene_fill_poke(lt_scene *scene) {
    const float height = 0.42f, bear_height = 0.3f;
    lt_surface_recipe stand_in = lt_figure_surface(LT_SURFACE_RECIPE_LIZARD, height, 13480),
                      surface = lt_scan_or("armadillo_52000.ply", height, stand_in);
    surface.triangles = 13480;
    uint32_t armadillo = add_tree_shape(scene, surface, lt_enclosed_carrier(2650));
    lt_scene_add_floor(scene, 0.0f);
    lt_scene_body *body = lt_scene_add_body(scene, armadillo, (lt_vec3){0, 0.5f * height + 0.002f, 0});
    if (surface.kind == LT_SURFACE_RECIPE_FILE) /* the scan looks the other way */
        body->rotation = lt_quat_turn((lt_vec3){0, 1, 0}, 180.0);
    body->material.young = 3e5f;
    body->material.density = 150.0f; /* foam: it stands on its own feet */
    body->color_index = 2;
    lt_scene_add_pin(scene, 0, (lt_vec3){-1, -0.1f, -1}, (lt_vec3){1, 0.03f, 1});
    lt_scene_obstacle *bear = lt_scene_add_obstacle(scene, LT_OBSTACLE_MESH, (lt_vec3){0, 0.25f, 0.36f});
    bear->surface = lt_scan_or("bear_27648.ply", bear_height,
                               lt_figure_surface(LT_SURFACE_RECIPE_BEAR, bear_height, 4000));
    bear->motion =
        (lt_motion){.kind = LT_MOTION_OSCILLATE, .vector = {0, 0, -0.24f}, .period = 3.0f, .begin = 0.2f};
    scene->method = LT_METHOD_MULTISCALE;
    scene->steps = 480;
    scene->camera = (lt_scene_camera){true, {1.5f, 0.5f, 0.9f}, {0.0f, 0.2f, 0.1f}, 32.0f};
}
