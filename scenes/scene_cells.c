/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The scenes of the method cell-box (papers/002): surfaces of many triangles in few cells, about as many of both as the
 * paper has. Bodies are shells of cells that hold surface and move by the model lattice-matching. */

#include "core/random.h"
#include "scenes/list.h"

#include <stdio.h>

static lt_scene_body *add_lattice_body(lt_scene *scene, uint32_t shape, lt_vec3 position, float young) {
    lt_scene_body *body = lt_scene_add_body(scene, shape, position);
    body->model = LT_MODEL_LATTICE_MATCHING;
    body->material.young = young;
    body->material.friction = 0.5f;
    body->material.stiffness_damping = 0.002f;
    return body;
}

/* ---- teapots ---- */

/* A teapot would roll off the lid of another one: the lower one has none, and is flat where the upper one stands. Both
 * begin a hair above what they will rest on, one axis above the other. The cells, 682 and 520, do not end where the
 * surfaces do: boxes as large as cells are a third of a cell too low and too high. */
void lt_scene_fill_teapots(lt_scene *scene) {
    const float unit = 0.1f, gap = 5e-4f; /* Newell's teapot is 3.15 high, up to the rim 2.515 */
    const float aside = 0.134f * unit;    /* from the axis to the middle of the box, which the spout widens */
    lt_scene_add_floor(scene, 0.0f);
    uint32_t lower = lt_scene_add_shape(scene, lt_figure_surface(LT_SURFACE_RECIPE_POT, 2.67f * unit, 6320),
                                        lt_lattice_carrier_of(0.325f * unit));
    uint32_t upper =
        lt_scene_add_shape(scene, lt_figure_surface(LT_SURFACE_RECIPE_TEAPOT, 3.15f * unit, 6320),
                           lt_lattice_carrier_of(0.375f * unit));
    add_lattice_body(scene, lower, (lt_vec3){aside, 1.335f * unit + gap, 0}, 4e5f)->color_index = 3;
    lt_scene_body *top =
        add_lattice_body(scene, upper, (lt_vec3){-aside, (2.518f + 1.575f) * unit + 2 * gap, 0}, 4e5f);
    top->rotation = lt_quat_turn((lt_vec3){0, 1, 0}, 180.0);
    scene->method = LT_METHOD_CELL_BOX;
    scene->dt = 1.0f / 240;
    scene->steps = 600;
    scene->camera = (lt_scene_camera){true, {0.5f, 0.75f, 1.6f}, {0.0f, 0.27f, 0.0f}, 32.0f};
}

/* ---- letters ---- */

enum { LETTER_KINDS = 26, LETTERS_A_KIND = 39, LETTERS_SIDE = 9 };

/* Layers of 9 × 9 above each other, so that they arrive over some seconds. The air slows them down, or those from above
 * would be too fast for letters as thin as these; foam, which takes up what they bring with them. */
static void pour_letters(lt_scene *scene, float spacing) {
    const float middle = 0.5f * (LETTERS_SIDE - 1), shift = 0.05f * spacing;
    lt_random random = lt_random_seed(1014);
    for (uint32_t i = 0; i < LETTER_KINDS * LETTERS_A_KIND; i++) {
        uint32_t layer = i / (LETTERS_SIDE * LETTERS_SIDE), x = i % LETTERS_SIDE,
                 z = i / LETTERS_SIDE % LETTERS_SIDE;
        float off_x = lt_random_range(&random, -shift, shift),
              off_z = lt_random_range(&random, -shift, shift);
        float turn_x = lt_random_range(&random, -1, 1), turn_y = lt_random_range(&random, -1, 1);
        lt_vec3 at = {((float)x - middle) * spacing + off_x, (0.6f + (float)layer) * spacing,
                      ((float)z - middle) * spacing + off_z};
        lt_scene_body *body = add_lattice_body(scene, i % LETTER_KINDS, at, 4e5f);
        body->rotation = lt_quat_turn((lt_vec3){turn_x, turn_y, lt_random_range(&random, -1, 1)},
                                      360.0 * (double)lt_random_unit(&random));
        body->material.density = 100.0f;
        body->material.stiffness_damping = 0.02f;
        body->material.mass_damping = 2.0f;
    }
}

void lt_scene_fill_letters(lt_scene *scene) {
    const float height = 1.0f, cell = 0.3f, spacing = 1.35f;
    snprintf(scene->caption, sizeof scene->caption, "1,014 letters, 2.3 million triangles, 11,544 cells");
    for (char letter = 'A'; letter <= 'Z'; letter++)
        lt_scene_add_shape(scene, lt_letter_surface(letter, height, 2234), lt_lattice_carrier_of(cell));
    lt_scene_add_bin(scene, 6.2f, 1.25f, 0.5f);
    pour_letters(scene, spacing);
    scene->method = LT_METHOD_CELL_BOX;
    scene->contact_capacity = 65536;
    scene->pair_capacity = 65536;
    scene->dt = 1.0f / 200;
    scene->steps = 3000;
    scene->camera = (lt_scene_camera){true, {8.0f, 15.0f, 18.5f}, {0.0f, 0.5f, 0.0f}, 40.0f};
}

/* ---- fold ---- */

/* The feet are held; a bar behind the neck goes over in an arc around the hips and stays there: the chest comes to lie on
 * the thighs, the snout between the shins. */
void lt_scene_fill_fold(lt_scene *scene) {
    const float height = 0.6f, foot = -0.5f * height;
    uint32_t lizard = lt_scene_add_shape(scene, lt_figure_surface(LT_SURFACE_RECIPE_LIZARD, height, 293000),
                                         lt_lattice_carrier(988));
    lt_scene_body *body = add_lattice_body(scene, lizard, (lt_vec3){0, 0, 0}, 6e4f);
    body->color_index = 2;
    body->material.density = 300.0f;
    lt_scene_add_pin(scene, 0, (lt_vec3){-1, foot - 0.05f, -1}, (lt_vec3){1, foot + 0.035f, 1});
    lt_scene_obstacle *bar = lt_scene_add_obstacle(scene, LT_OBSTACLE_CAPSULE, (lt_vec3){0, 0.15f, -0.08f});
    bar->radius = 0.085f;
    bar->half_length = 0.14f;
    bar->rotation = lt_quat_turn((lt_vec3){0, 0, 1}, 90.0);
    bar->motion = (lt_motion){.kind = LT_MOTION_CIRCLE,
                              .vector = {0, -0.27f, 0.1f},
                              .axis = {1, 0, 0},
                              .period = 4.0f,
                              .end = 1.15f};
    scene->method = LT_METHOD_CELL_BOX;
    scene->dt = 1.0f / 300;
    scene->steps = 600;
    scene->camera = (lt_scene_camera){true, {1.3f, 0.25f, 0.9f}, {0.0f, -0.05f, 0.1f}, 32.0f};
}

/* ---- five bunnies ---- */

/* Soft ones and hard ones by turns: the lowest two are soft, and show it. */
void lt_scene_fill_five_bunnies(lt_scene *scene) {
    scene->contact_capacity = 16384; /* 4,000 while they crash, and those of the step before */
    const struct {
        lt_vec3 at, axis;
        double degrees;
        bool is_soft;
    } places[] = {{{-0.17f, 0.17f, 0.02f}, {0, 1, 0}, 25.0, true},
                  {{0.18f, 0.17f, -0.02f}, {0, 1, 0}, -20.0, true},
                  {{0.0f, 0.5f, 0.0f}, {0.2f, 1, 0.1f}, 100.0, false},
                  {{-0.08f, 0.85f, 0.03f}, {1, 0.3f, 0.2f}, 50.0, true},
                  {{0.1f, 1.2f, -0.03f}, {0.3f, 0.5f, 1}, -40.0, false}};
    lt_surface_recipe stand_in = lt_figure_surface(LT_SURFACE_RECIPE_BEAR, 0.3f, 69450),
                      surface = lt_scan_or("bunny_closed_75408.ply", 0.3f, stand_in);
    surface.triangles = 69450;
    uint32_t bunny = lt_scene_add_shape(scene, surface, lt_lattice_carrier(1380));
    lt_scene_add_floor(scene, 0.0f);
    for (size_t i = 0; i < LT_COUNT_OF(places); i++) {
        lt_scene_body *body = add_lattice_body(scene, bunny, places[i].at, places[i].is_soft ? 3e4f : 3e5f);
        body->rotation = lt_quat_turn(places[i].axis, places[i].degrees);
        body->material.density = 300.0f; /* or the soft ones are crushed */
        body->material.mass_damping = 0.5f;
        body->material.stiffness_damping = 0.01f;
    }
    scene->method = LT_METHOD_CELL_BOX;
    scene->dt = 1.0f / 300;
    scene->steps = 1200;
    scene->camera = (lt_scene_camera){true, {0.3f, 0.75f, 1.8f}, {0.0f, 0.26f, 0.0f}, 33.0f};
}
