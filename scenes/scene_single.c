/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One body at a time: bending, falling, being dragged. */

#include "scenes/list.h"

#include <stdio.h>

/* Beam theory has the tip come down by 3/2 density g length^4 / (Young height^2) = 0.37 m: well beyond small
 * strain. Damped so that it has settled after ten seconds. */
void lt_scene_fill_cantilever(lt_scene *scene) {
    uint32_t bar =
        lt_scene_add_shape(scene, lt_no_surface(), lt_block_carrier((lt_vec3){1.0f, 0.1f, 0.1f}, 20, 2, 2));
    lt_scene_body *body = lt_scene_add_body(scene, bar, (lt_vec3){0.5f, 0.6f, 0.0f});
    body->material.young = 4e6f;
    body->material.poisson = 0.3f;
    body->material.mass_damping = 1.0f;
    lt_scene_add_pin(scene, 0, (lt_vec3){-0.01f, 0.5f, -0.1f}, (lt_vec3){0.01f, 0.7f, 0.1f});
    scene->steps = 600;
    scene->camera = (lt_scene_camera){true, {0.8f, 0.9f, 2.2f}, {0.5f, 0.45f, 0.0f}, 30.0f};
}

void lt_scene_fill_drop(lt_scene *scene) {
    lt_scene_add_floor(scene, 0.0f);
    uint32_t ball = lt_scene_add_shape(scene, lt_sphere_surface(0.2f, 3), lt_ball_carrier(0.22f, 4));
    lt_scene_body *body = lt_scene_add_body(scene, ball, (lt_vec3){0, 0.9f, 0});
    body->material.young = 3e4f;
    scene->camera = (lt_scene_camera){true, {0.7f, 0.9f, 2.6f}, {0.0f, 0.5f, 0.0f}, 32.0f};
}

/* Falls on an edge with a spin, so that the reduced model bends and rolls. */
void lt_scene_fill_explicit(lt_scene *scene) {
    lt_scene_add_floor(scene, 0.0f);
    uint32_t block =
        lt_scene_add_shape(scene, lt_no_surface(), lt_block_carrier((lt_vec3){0.4f, 0.2f, 0.2f}, 6, 3, 3));
    lt_scene_body *body = lt_scene_add_body(scene, block, (lt_vec3){0, 0.45f, 0});
    body->rotation = lt_quat_turn((lt_vec3){0.2f, 0.3f, 1.0f}, 25.0);
    body->model = LT_MODEL_EXPLICIT_FEM;
    body->material.young = 1.5e5f;
    body->material.poisson = 0.3f;
    body->material.mass_damping = 0.5f;
    scene->camera = (lt_scene_camera){true, {0.6f, 0.8f, 2.0f}, {0.1f, 0.2f, 0.0f}, 32.0f};
}

/* Up, around once, and let go. */
void lt_scene_fill_handle(lt_scene *scene) {
    lt_scene_add_floor(scene, 0.0f);
    uint32_t bear = lt_scene_add_shape(scene, lt_figure_surface(LT_SURFACE_RECIPE_BEAR, 0.4f, 2400),
                                       lt_enclosed_carrier(600));
    lt_scene_body *body = lt_scene_add_body(scene, bear, (lt_vec3){0, 0.2f, 0});
    body->material.young = 4e4f;
    lt_scene_handle *handle = lt_scene_add_handle(scene, 0, (lt_vec3){0, 0.4f, 0}, 600.0f);
    handle->motion = (lt_motion){.kind = LT_MOTION_CIRCLE,
                                 .vector = {0.15f, 0.3f, 0},
                                 .axis = {0, 0, 1},
                                 .period = 3.0f,
                                 .begin = 0.3f};
    handle->release = 4.0f;
    scene->steps = 360;
    scene->camera = (lt_scene_camera){true, {0.7f, 1.0f, 2.4f}, {0.15f, 0.42f, 0.0f}, 32.0f};
}

/* What `bench core` times: 3,717 tets of a scan where it is to be had, else a block of 3,840. No contacts. */
void lt_scene_fill_core_step(lt_scene *scene) {
    char path[LT_SCENE_PATH];
    lt_carrier_recipe carrier = lt_block_carrier((lt_vec3){0.6f, 0.4f, 0.4f}, 12, 8, 8);
    if (lt_find_mesh("armadillo_4k.node", path)) {
        carrier = (lt_carrier_recipe){.kind = LT_CARRIER_RECIPE_FILE, .size = {0, 0.4f, 0}};
        snprintf(carrier.path, sizeof carrier.path, "armadillo_4k.node");
    }
    uint32_t shape = lt_scene_add_shape(scene, lt_no_surface(), carrier);
    lt_scene_add_body(scene, shape, (lt_vec3){0, 0.5f, 0})->material.young = 1e5f;
    lt_scene_add_pin(scene, 0, (lt_vec3){-1.0f, 0.66f, -1.0f}, (lt_vec3){1.0f, 0.72f, 1.0f});
    scene->self_collision = false;
    scene->sleeping = false; /* a step that is skipped must not be timed */
    scene->steps = 120;
}
