/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The scenes of the model multigrid (papers/003 §6): gummy bears on ladders of six meshes, a knot on one of
 * seven. What bears are made of and how they fall is the same at every size, by their height: they come down at the speed of a fall
 * from it. */

#include "scenes/list.h"

static const float HEIGHT = 0.3f;

static void place_bear(lt_scene *scene, uint32_t shape, lt_vec3 position, lt_quat rotation, uint32_t color) {
    lt_scene_body *body = lt_scene_add_body(scene, shape, position);
    body->rotation = rotation;
    body->model = LT_MODEL_MULTIGRID;
    body->material.young = 1e5f;
    body->material.friction = 0.5f;
    body->material.stiffness_damping = 0.01f;
    body->color_index = color;
}

/* One falls on its feet and tips over; of eight four fall on four others, each turned another way. */
void lt_scene_drop_bears(lt_scene *scene, uint32_t count, float height) {
    uint32_t bear = lt_scene_add_shape(scene, lt_figure_surface(LT_SURFACE_RECIPE_BEAR, height, 27648),
                                       lt_ladder_carrier(6, 85, 6418));
    if (!scene->out_of_memory) ((lt_scene_shape *)scene->shapes.items)[bear].has_tree = true;
    lt_scene_add_floor(scene, 0.0f);
    for (uint32_t i = 0; i < count; i++) {
        float x = count == 1 ? 0 : 0.45f * (i & 1 ? height : -height);
        float z = count == 1 ? 0 : 0.4f * (i & 2 ? height : -height);
        float y = (0.9f + 1.15f * (float)(i / 4)) * height;
        lt_vec3 axis = {1, 0.3f * (float)(i % 3), i % 2 ? 1.0f : -0.6f};
        lt_quat turn = lt_quat_turn(axis, count == 1 ? 15.0 : 20.0 + 35.0 * i);
        place_bear(scene, bear, (lt_vec3){x + 0.1f * height * (float)(i / 4), y, z}, turn, i % 6);
    }
    scene->method = LT_METHOD_MULTISCALE;
    scene->self_collision = false; /* as in the paper: limbs of gummy bears do not reach each other */
    scene->contact_capacity = 65536;
    scene->steps = 600;
    scene->camera = count == 1
                        ? (lt_scene_camera){true,
                                            {1.2f * height, 1.3f * height, 3.4f * height},
                                            {0, 0.5f * height, 0},
                                            33}
                        : (lt_scene_camera){
                              true, {2.2f * height, 3.0f * height, 5.6f * height}, {0, 0.7f * height, 0}, 33};
}

/* Dropped on its edge, so that strands come down on strands. The paper's finest mesh has 119,399 tets; the method tests what may meet
 * itself by the finest mesh, however coarse the front is, and 10,000 tets take 1.6 times the units in the air. So 6,000, and seven meshes that
 * shrink by 1.65 each: tubes have no much coarser ones that do not hold two strands at once. */
void lt_scene_fill_gummy_knot(lt_scene *scene) {
    uint32_t knot = lt_scene_add_shape(scene, lt_figure_surface(LT_SURFACE_RECIPE_KNOT, 0.26f, 42254),
                                       lt_ladder_carrier(7, 300, 6000));
    if (!scene->out_of_memory) ((lt_scene_shape *)scene->shapes.items)[knot].has_tree = true;
    lt_scene_add_floor(scene, 0.0f);
    lt_scene_body *body = lt_scene_add_body(scene, knot, (lt_vec3){0, 0.62f, 0});
    body->rotation = lt_quat_turn((lt_vec3){1, 0, 0.2f}, 70.0);
    body->model = LT_MODEL_MULTIGRID;
    body->material.young = 1e5f;
    body->material.friction = 0.5f;
    body->material.stiffness_damping = 0.01f;
    scene->method = LT_METHOD_MULTISCALE;
    scene->contact_capacity = 65536;
    scene->steps = 600;
    scene->camera = (lt_scene_camera){true, {0.4f, 0.8f, 1.6f}, {0.0f, 0.25f, 0.0f}, 36.0f};
}

void lt_scene_fill_gummy_bear(lt_scene *scene) {
    lt_scene_drop_bears(scene, 1, HEIGHT);
}

void lt_scene_fill_bears(lt_scene *scene) {
    lt_scene_drop_bears(scene, 8, HEIGHT);
}
