/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies that touch: the floor, each other, a plate, a moving obstacle. */

#include "scenes/list.h"

/* One body for every kind of carrier, each already near the floor. Long enough to come to rest. */
void lt_scene_fill_rest(lt_scene *scene) {
    lt_scene_add_floor(scene, 0.0f);
    lt_scene_shape shapes[] = {
        {.carrier = lt_block_carrier((lt_vec3){0.2f, 0.2f, 0.2f}, 3, 3, 3)},
        {.surface = lt_sphere_surface(0.1f, 3), .carrier = lt_ball_carrier(0.115f, 3)},
        {.surface = lt_torus_surface(0.12f, 0.045f, 40), .carrier = lt_torus_carrier(0.12f, 0.055f, 16)},
        {.carrier = lt_plate_carrier((lt_vec3){0.3f, 0.05f, 0.2f}, 6)},
        {.surface = lt_figure_surface(LT_SURFACE_RECIPE_BEAR, 0.28f, 2400),
         .carrier = lt_enclosed_carrier(400)}};
    const float heights[] = {0.2f, 0.2f, 0.09f, 0.05f, 0.28f};
    for (uint32_t i = 0; i < LT_COUNT_OF(shapes); i++) {
        uint32_t shape = lt_scene_add_shape(scene, shapes[i].surface, shapes[i].carrier);
        lt_vec3 place = {-0.8f + 0.4f * (float)i, 0.5f * heights[i] + 0.01f, 0.0f};
        lt_scene_body *body = lt_scene_add_body(scene, shape, place);
        body->material.young = 3e5f;
        body->material.mass_damping = 1.0f;
    }
    scene->steps = 300;
    scene->camera = (lt_scene_camera){true, {0.25f, 0.6f, 2.3f}, {0.0f, 0.12f, 0.0f}, 30.0f};
}

void lt_scene_fill_two_balls(lt_scene *scene) {
    uint32_t ball = lt_scene_add_shape(scene, lt_sphere_surface(0.15f, 3), lt_ball_carrier(0.16f, 4));
    scene->gravity = (lt_vec3){0, 0, 0};
    for (int side = -1; side <= 1; side += 2) {
        lt_scene_body *body =
            lt_scene_add_body(scene, ball, (lt_vec3){0.35f * (float)side, 0.5f + 0.03f * (float)side, 0});
        body->velocity = (lt_vec3){-1.0f * (float)side, 0, 0};
        body->material.young = 3e4f;
        body->material.mass_damping = 0.0f;
    }
    scene->steps = 90;
    scene->camera = (lt_scene_camera){true, {0.0f, 0.8f, 2.0f}, {0.0f, 0.5f, 0.0f}, 32.0f};
}

void lt_scene_fill_stack(lt_scene *scene) {
    lt_scene_add_floor(scene, 0.0f);
    uint32_t block =
        lt_scene_add_shape(scene, lt_no_surface(), lt_block_carrier((lt_vec3){0.2f, 0.2f, 0.2f}, 4, 4, 4));
    for (int level = 0; level < 3; level++) {
        lt_scene_body *body =
            lt_scene_add_body(scene, block, (lt_vec3){0.01f * (float)level, 0.11f + 0.22f * (float)level, 0});
        body->rotation = lt_quat_turn((lt_vec3){0, 1, 0}, 15.0 * level);
        body->material.young = 5e5f; /* a column of 1e5 this slender buckles under its own weight */
        body->material.friction = 0.6f;
    }
    scene->steps = 300;
}

/* The slope is 20 degrees, tan = 0.364: a pair's friction is the geometric mean, so 0.8 holds and 0.05 does
 * not. */
void lt_scene_fill_incline(lt_scene *scene) {
    lt_quat tilt = lt_quat_turn((lt_vec3){0, 0, 1}, -20.0);
    lt_scene_obstacle *slope = lt_scene_add_obstacle(scene, LT_OBSTACLE_BOX, (lt_vec3){0, 0.35f, 0});
    slope->half_extents = (lt_vec3){0.8f, 0.05f, 0.4f};
    slope->rotation = tilt;
    slope->friction = 0.8f;
    lt_scene_add_floor(scene, 0.0f);
    uint32_t block =
        lt_scene_add_shape(scene, lt_no_surface(), lt_block_carrier((lt_vec3){0.2f, 0.15f, 0.2f}, 4, 3, 4));
    for (int side = -1; side <= 1; side += 2) {
        lt_scene_body *body = lt_scene_add_body(scene, block, (lt_vec3){-0.46f, 0.66f, 0.2f * (float)side});
        body->rotation = tilt;
        body->material.friction = side < 0 ? 0.8f : 0.05f;
    }
    scene->steps = 180;
    scene->camera = (lt_scene_camera){true, {0.9f, 1.2f, 2.6f}, {0.1f, 0.28f, 0.0f}, 36.0f};
}

void lt_scene_fill_pins(lt_scene *scene) {
    uint32_t plate =
        lt_scene_add_shape(scene, lt_no_surface(), lt_plate_carrier((lt_vec3){0.8f, 0.04f, 0.8f}, 16));
    uint32_t ball = lt_scene_add_shape(scene, lt_sphere_surface(0.12f, 3), lt_ball_carrier(0.13f, 3));
    lt_scene_add_body(scene, plate, (lt_vec3){0, 0.5f, 0})->material.young = 2e5f;
    lt_scene_add_body(scene, ball, (lt_vec3){0.05f, 0.9f, 0.02f})->material.young = 5e4f;
    for (int corner = 0; corner < 4; corner++) {
        lt_vec3 at = {corner & 1 ? 0.4f : -0.4f, 0.5f, corner & 2 ? 0.4f : -0.4f};
        lt_vec3 reach = {0.06f, 0.1f, 0.06f};
        lt_scene_add_pin(scene, 0, lt_v3_sub(at, reach), lt_v3_add(at, reach));
    }
    scene->steps = 240;
    scene->camera = (lt_scene_camera){true, {0.9f, 1.2f, 1.7f}, {0.0f, 0.42f, 0.0f}, 36.0f};
}

void lt_scene_fill_moving_obstacle(lt_scene *scene) {
    lt_scene_add_floor(scene, 0.0f);
    lt_scene_obstacle *stone =
        lt_scene_add_obstacle(scene, LT_OBSTACLE_SPHERE, (lt_vec3){-0.7f, 0.16f, 0.02f});
    stone->radius = 0.15f;
    stone->motion = (lt_motion){.kind = LT_MOTION_LINEAR, .vector = {0.6f, 0, 0}, .begin = 0.3f, .end = 2.8f};
    uint32_t block =
        lt_scene_add_shape(scene, lt_no_surface(), lt_block_carrier((lt_vec3){0.14f, 0.28f, 0.14f}, 3, 6, 3));
    for (int i = 0; i < 4; i++) {
        lt_vec3 place = {-0.3f + 0.25f * (float)(i / 2), 0.141f, i % 2 ? 0.1f : -0.1f};
        lt_scene_add_body(scene, block, place)->material.young = 6e4f;
    }
    scene->steps = 240;
    scene->camera = (lt_scene_camera){true, {0.3f, 0.85f, 1.9f}, {0.0f, 0.14f, 0.0f}, 36.0f};
}
