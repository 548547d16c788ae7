/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The generated scenes of the method tet-hash (papers/001): what rests on what, what is slim and many, what is
 * fast. Bodies collide as the tets that they move by, but for the shoe. */

#include "core/random.h"
#include "scenes/list.h"

/* ---- plates ---- */

enum { PLATE_COUNT = 20, PLATE_CELLS = 5 };

/* A hair above each other: nothing has to fall, nothing begins inside. */
void lt_scene_fill_plates(lt_scene *scene) {
    const lt_vec3 size = {0.5f, 0.05f, 0.5f};
    const float gap = 1e-4f, shift = 0.3f * size.x / PLATE_CELLS, lowest = 0.01f;
    lt_random random = lt_random_seed(20);
    lt_scene_add_floor(scene, 0.0f);
    uint32_t plate = lt_scene_add_shape(scene, lt_no_surface(), lt_plate_carrier(size, PLATE_CELLS));
    for (uint32_t i = 0; i < PLATE_COUNT; i++) {
        float x = lt_random_range(&random, -shift, shift), z = lt_random_range(&random, -shift, shift);
        lt_vec3 at = {x, lowest + 0.5f * size.y + (float)i * (size.y + gap), z};
        lt_scene_body *body = lt_scene_add_body(scene, plate, at);
        body->material.young = 3e5f;
        body->material.density = 500.0f;
        body->material.friction = 0.6f;
    }
    lt_scene_add_pin(scene, 0, (lt_vec3){-1, 0, -1}, (lt_vec3){1, lowest + 1.1f * size.y, 1});
    scene->steps = 600;
    scene->camera = (lt_scene_camera){true, {1.3f, 1.1f, 2.6f}, {0.0f, 0.5f, 0.0f}, 30.0f};
}

/* ---- grass ---- */

/* Half the usual step: a tip enters the sole by no more than a centimetre before it is seen. Roots are held a
 * little above the floor. */
void lt_scene_fill_grass(lt_scene *scene) {
    lt_scene_add_floor(scene, 0.0f);
    uint32_t blades = lt_scene_add_shape(scene, lt_no_surface(),
                                         lt_grass_carrier((lt_vec3){0.44f, 0.07f, 0.008f}, 400, 3, 5));
    uint32_t shoe = lt_scene_add_shape(scene, lt_figure_surface(LT_SURFACE_RECIPE_SHOE, 0.3f, 3000),
                                       lt_enclosed_carrier(400));
    lt_scene_body *grass = lt_scene_add_body(scene, blades, (lt_vec3){0, 0.002f, 0});
    grass->material.young = 1.5e5f;
    grass->material.density = 1000.0f;
    grass->material.mass_damping = 1.0f;
    grass->color_index = 2;
    lt_scene_body *falling = lt_scene_add_body(scene, shoe, (lt_vec3){0, 0.2f, 0});
    falling->rotation = lt_quat_turn((lt_vec3){0.1f, 0.3f, 1.0f}, 12.0);
    falling->material.young = 2e5f;
    falling->material.density = 500.0f;
    lt_scene_add_pin(scene, 0, (lt_vec3){-1, 0.001f, -1}, (lt_vec3){1, 0.003f, 1});
    scene->dt = 1.0f / 120;
    scene->steps = 240;
    scene->camera = (lt_scene_camera){true, {0.25f, 0.4f, 0.85f}, {0.0f, 0.06f, 0.0f}, 34.0f};
}

/* ---- tori ---- */

enum { TORI_SIDE = 5 };

/* Floating in a level grid, each turned at random: 0.64 m apart no two can touch, however they are turned. */
static void add_tori(lt_scene *scene, uint32_t torus) {
    const float spacing = 0.64f, middle = 0.5f * (TORI_SIDE - 1);
    lt_random random = lt_random_seed(25);
    for (uint32_t i = 0; i < TORI_SIDE * TORI_SIDE; i++) {
        float x = (float)(i % TORI_SIDE) - middle, z = (float)(i / TORI_SIDE) - middle;
        float axis_x = lt_random_range(&random, -1, 1), axis_z = lt_random_range(&random, -1, 1);
        double degrees = 90.0 * (double)lt_random_unit(&random);
        lt_scene_body *body = lt_scene_add_body(scene, torus, (lt_vec3){x * spacing, 1.0f, z * spacing});
        body->rotation = lt_quat_turn((lt_vec3){axis_x, 0.2f, axis_z}, degrees);
        body->material.young = 1e6f;
    }
}

void lt_scene_fill_tori(lt_scene *scene) {
    const float major = 0.2f, minor = 0.1f, radius = 0.3f;
    uint32_t torus = lt_scene_add_shape(scene, lt_no_surface(), lt_torus_carrier(major, minor, 18));
    uint32_t ball = lt_scene_add_shape(scene, lt_no_surface(), lt_ball_carrier(radius, 4));
    add_tori(scene, torus);
    lt_scene_body *heavy = lt_scene_add_body(scene, ball, (lt_vec3){-2.0f, 1.0f, -0.55f});
    heavy->velocity = (lt_vec3){9.6f, 0.0f, 2.8f}; /* 10 m/s, across the rows */
    heavy->material.young = 1e6f;
    heavy->material.density = 2928.0f; /* ten times the mass of a torus of 18 × 6 sides */
    scene->gravity = (lt_vec3){0, 0, 0};
    scene->dt = 0.01f;
    scene->steps = 120;
    scene->camera = (lt_scene_camera){true, {1.2f, 4.4f, 5.2f}, {0.4f, 0.9f, 0.1f}, 40.0f};
}
