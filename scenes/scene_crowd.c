/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Many bodies at once: 256 balls, cubes and bars fall into a bin and heap up. More pairs touch than any
 * budget below some milliseconds can look at in one step: who is served first, and how long the others wait, shows
 * here and nowhere else. */

#include "core/random.h"
#include "scenes/list.h"

#include <stdio.h>

enum { CROWD_COUNT = 256, CROWD_SIDE = 10, CROWD_SHAPES = 4 };

/* Plump ones, so that the explicit model needs few sub-steps: the crowd is about collisions. */
static void add_shapes(lt_scene *scene) {
    lt_scene_add_shape(scene, lt_sphere_surface(0.09f, 3), lt_ball_carrier(0.115f, 1));
    lt_scene_add_shape(scene, lt_sphere_surface(0.075f, 3), lt_ball_carrier(0.096f, 1));
    lt_scene_add_shape(scene, lt_no_surface(), lt_block_carrier((lt_vec3){0.14f, 0.12f, 0.16f}, 2, 2, 2));
    lt_scene_add_shape(scene, lt_no_surface(), lt_block_carrier((lt_vec3){0.18f, 0.1f, 0.1f}, 3, 2, 2));
    lt_scene_shape *shapes = scene->shapes.items;
    for (size_t i = 0; i < scene->shapes.count; i++)
        shapes[i].sphere_depth = 2; /* 73 spheres are as fine as such carriers bend */
}

static lt_vec3 random_vector(lt_random *random) {
    float x = lt_random_range(random, -1, 1), y = lt_random_range(random, -1, 1);
    return (lt_vec3){x, y, lt_random_range(random, -1, 1)};
}

/* Layers of 10 × 10, `spacing` apart, each body turned and shifted a little at random. */
static void pour(lt_scene *scene, float spacing) {
    lt_random random = lt_random_seed(256);
    for (uint32_t i = 0; i < CROWD_COUNT; i++) {
        uint32_t layer = i / (CROWD_SIDE * CROWD_SIDE), x = i % CROWD_SIDE, z = i / CROWD_SIDE % CROWD_SIDE;
        float middle = 0.5f * (CROWD_SIDE - 1), shift = 0.08f * spacing;
        lt_vec3 turn = random_vector(&random), off = random_vector(&random);
        uint32_t shape = lt_random_below(&random, CROWD_SHAPES);
        lt_vec3 at = {((float)x - middle) * spacing, ((float)layer + 0.7f) * spacing,
                      ((float)z - middle) * spacing};
        lt_scene_body *body = lt_scene_add_body(scene, shape, lt_v3_mad(at, off, shift));
        body->rotation = lt_quat_turn(turn, 360.0 * (double)lt_random_unit(&random));
        body->model = LT_MODEL_EXPLICIT_FEM;
        body->material.young = 3e4f;
        body->material.poisson = 0.3f;
        body->material.stiffness_damping = 0.002f;
        body->material.mass_damping = 0.5f;
    }
}

static void fill(lt_scene *scene, float spacing) {
    snprintf(scene->caption, sizeof scene->caption, "256 bodies in a bin");
    scene->method = LT_METHOD_SPHERE_TREE;
    scene->sleeping = false; /* all of them, all the time */
    scene->contact_capacity = 16384;
    scene->dt = 1.0f / 300;
    scene->steps = 300;
    scene->camera = (lt_scene_camera){true, {1.1f, 3.0f, 3.1f}, {0.0f, 0.1f, 0.0f}, 38.0f};
    add_shapes(scene);
    lt_scene_add_bin(scene, 1.05f, 0.25f, 0.1f); /* low enough to look over */
    pour(scene, spacing);
}

void lt_scene_fill_crowd(lt_scene *scene) {
    fill(scene, 0.205f);
}

void lt_scene_fill_crowd_packed(lt_scene *scene) {
    fill(scene, 0.2f);
}
