/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Scenes whose outcome anybody can say before they are run: what is poured lies on the ground, a tower stands, what is held
 * does not fall. The judge (docs/judge.md) says what became of them, for every method (docs/debt.md). */

#include "core/random.h"
#include "scenes/list.h"

/* ---- spots ---- */

enum { SPOT_COUNT = 20, SPOT_TETS = 300 };

/* Soft flesh: it comes to rest in seconds. */
static lt_scene_body *add_flesh(lt_scene *scene, uint32_t shape, lt_vec3 position, float young) {
    lt_scene_body *body = lt_scene_add_body(scene, shape, position);
    body->material.young = young;
    body->material.friction = 0.5f;
    body->material.mass_damping = 0.5f;
    body->material.stiffness_damping = 0.01f;
    return body;
}

/* Five layers of four, which do not touch as they begin however they are turned: 0.36 m apart, and no point of the cow is
 * farther than 0.18 m from its middle. */
void lt_scene_fill_spots(lt_scene *scene) {
    const float height = 0.28f, spacing = 0.36f;
    lt_surface_recipe stand_in = lt_figure_surface(LT_SURFACE_RECIPE_BEAR, height, 5856);
    uint32_t spot = lt_scene_add_shape(scene, lt_scan_or("spot_5856.obj", height, stand_in),
                                       lt_enclosed_carrier(SPOT_TETS));
    if (!scene->out_of_memory) ((lt_scene_shape *)scene->shapes.items)[spot].sphere_depth = 2;
    lt_scene_add_floor(scene, 0.0f);
    lt_random random = lt_random_seed(5856);
    for (uint32_t i = 0; i < SPOT_COUNT; i++) {
        float x = i % 2 ? 0.5f : -0.5f, z = i % 4 < 2 ? 0.5f : -0.5f, layer = (float)(i / 4);
        float axis_x = lt_random_range(&random, -1, 1), axis_y = lt_random_range(&random, -1, 1);
        lt_vec3 axis = {axis_x, axis_y, lt_random_range(&random, -1, 1)};
        lt_vec3 at = {x * spacing, (0.6f + layer) * spacing, z * spacing};
        add_flesh(scene, spot, at, 1e5f)->rotation =
            lt_quat_turn(axis, 360.0 * (double)lt_random_unit(&random));
    }
    scene->contact_capacity = 65536; /* surfaces this fine have many */
    scene->steps = 300;
    scene->camera = (lt_scene_camera){true, {0.4f, 1.0f, 2.1f}, {0.0f, 0.2f, 0.0f}, 38.0f};
}

/* ---- tower ---- */

/* A hair above each other: nothing has to fall. The middle of each is well above the one below. */
void lt_scene_fill_tower(lt_scene *scene) {
    const float side = 0.2f, offset = 0.005f, gap = 5e-4f;
    uint32_t cube =
        lt_scene_add_shape(scene, lt_no_surface(), lt_block_carrier((lt_vec3){side, side, side}, 3, 3, 3));
    lt_scene_add_floor(scene, 0.0f);
    for (uint32_t i = 0; i < 3; i++) {
        lt_vec3 at = {offset * (float)i, gap + 0.5f * side + (float)i * (side + gap), 0};
        add_flesh(scene, cube, at, 2e5f);
    }
    scene->sleeping = false; /* contacts carry it, all the time */
    scene->steps = 600;
    scene->camera = (lt_scene_camera){true, {0.5f, 0.6f, 1.7f}, {0.0f, 0.3f, 0.0f}, 32.0f};
}

/* ---- bin ---- */

enum { BIN_COUNT = 64, BIN_SIDE = 4, BIN_SHAPES = 4 };

static void add_bin_shapes(lt_scene *scene) {
    lt_scene_add_shape(scene, lt_sphere_surface(0.08f, 2), lt_ball_carrier(0.1f, 2));
    lt_scene_add_shape(scene, lt_no_surface(), lt_block_carrier((lt_vec3){0.13f, 0.13f, 0.13f}, 2, 2, 2));
    lt_scene_add_shape(scene, lt_torus_surface(0.07f, 0.03f, 24), lt_torus_carrier(0.07f, 0.038f, 12));
    lt_scene_add_shape(scene, lt_no_surface(), lt_block_carrier((lt_vec3){0.18f, 0.09f, 0.09f}, 4, 2, 2));
    lt_scene_shape *shapes = scene->shapes.items;
    for (size_t i = 0; i < scene->shapes.count; i++)
        shapes[i].sphere_depth = 2;
}

/* Four layers of 4 × 4, 0.23 m apart, as large as the largest of them: nothing touches as they begin. */
void lt_scene_fill_bin(lt_scene *scene) {
    const float spacing = 0.23f, middle = 0.5f * (BIN_SIDE - 1);
    add_bin_shapes(scene);
    lt_scene_add_bin(scene, 0.5f, 0.3f, 0.1f);
    lt_random random = lt_random_seed(64);
    for (uint32_t i = 0; i < BIN_COUNT; i++) {
        uint32_t layer = i / (BIN_SIDE * BIN_SIDE), x = i % BIN_SIDE, z = i / BIN_SIDE % BIN_SIDE;
        float axis_x = lt_random_range(&random, -1, 1), axis_y = lt_random_range(&random, -1, 1);
        lt_vec3 axis = {axis_x, axis_y, lt_random_range(&random, -1, 1)};
        lt_vec3 at = {((float)x - middle) * spacing, (0.6f + (float)layer) * spacing,
                      ((float)z - middle) * spacing};
        add_flesh(scene, (i + layer) % BIN_SHAPES, at, 1e5f)->rotation =
            lt_quat_turn(axis, 360.0 * (double)lt_random_unit(&random));
    }
    scene->contact_capacity = 16384;
    scene->steps = 300;
    scene->camera = (lt_scene_camera){true, {0.6f, 2.1f, 1.3f}, {0.0f, 0.2f, 0.0f}, 36.0f};
}

/* ---- lift ---- */

/* From either side by 1 cm, 2 cm with the way there, in half a second; then up by 0.2 m in one second; then ten seconds. A side is
 * pressed with about Young × strain × area = 5e4 × 0.1 × 0.04 N = 200 N, so friction can carry 2 × 0.8 × 200 N, where the cube weighs
 * 78 N. */
void lt_scene_fill_lift(lt_scene *scene) {
    const float side = 0.2f, way = 0.02f, press = 0.01f, thickness = 0.03f;
    uint32_t cube =
        lt_scene_add_shape(scene, lt_no_surface(), lt_block_carrier((lt_vec3){side, side, side}, 4, 4, 4));
    lt_scene_add_floor(scene, 0.0f);
    add_flesh(scene, cube, (lt_vec3){0, 0.5f * side + 5e-4f, 0}, 5e4f)->material.friction = 0.8f;
    for (int i = 0; i < 2; i++) {
        float out = i ? 1.0f : -1.0f;
        lt_vec3 at = {out * (0.5f * side - press + way + thickness), 0.12f, 0};
        lt_scene_obstacle *jaw = lt_scene_add_obstacle(scene, LT_OBSTACLE_BOX, at);
        jaw->half_extents = (lt_vec3){thickness, 0.11f, 0.13f};
        jaw->friction = 0.8f;
        jaw->motion = (lt_motion){
            .kind = LT_MOTION_LINEAR, .vector = {-out * 2 * way, 0, 0}, .begin = 0.3f, .end = 0.8f};
        jaw->then = (lt_motion){.kind = LT_MOTION_LINEAR, .vector = {0, 0.2f, 0}, .begin = 1.0f, .end = 2.0f};
    }
    scene->sleeping = false; /* friction holds it, all the time */
    scene->steps = 720;
    scene->camera = (lt_scene_camera){true, {0.5f, 0.55f, 1.7f}, {0.0f, 0.22f, 0.0f}, 32.0f};
}
