/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What is run, and how long; and scenes that no other method than the engine can be asked to come through, which are therefore not
 * built in: what is thin, what is fast, what begins in one place. All of generated shapes. */

#include "engine_internal.h"

#include "scenes/list.h"

#include <string.h>

/* Six seconds are what a pile is given to fall asleep. Surfaces of 75,000 triangles are judged less often. */
const lt_engine_scene lt_engine_scenes[LT_ENGINE_SCENES] = {
    {"drop", 360, 10, LT_ENGINE_PILES | LT_ENGINE_LOADS | LT_ENGINE_QUICK},
    {"stack", 360, 10, LT_ENGINE_PILES | LT_ENGINE_LOADS | LT_ENGINE_QUICK | LT_ENGINE_LONG},
    {"tower", 240, 20, LT_ENGINE_LOADS},
    {"two-balls", 90, 10, LT_ENGINE_QUICK},
    {"spots", 360, 20, LT_ENGINE_PILES | LT_ENGINE_LOADS | LT_ENGINE_QUICK | LT_ENGINE_LONG},
    {"heap", 360, 20, LT_ENGINE_PILES | LT_ENGINE_LOADS | LT_ENGINE_QUICK | LT_ENGINE_LONG},
    {"bin", 360, 40, LT_ENGINE_PILES | LT_ENGINE_LOADS},
    {"plates", 360, 40, LT_ENGINE_PILES},
    {"lift", 240, 20, LT_ENGINE_MOVED},
    {"bunny-on-bunny", 360, 60, LT_ENGINE_PILES | LT_ENGINE_LOADS},
    {"knot", 360, 60, LT_ENGINE_PILES | LT_ENGINE_LOADS},
    {"poke", 240, 60, LT_ENGINE_MOVED},
};

/* ---- sheets, one tet thick ---- */

static const lt_vec3 SHEET = {0.4f, 0.01f, 0.4f};
enum { SHEET_CELLS = 8, SHEET_COUNT = 6 };
static const float SIZES_A_STEP = 0.8f; /* of the longest side */

static uint32_t add_sheet_shape(lt_scene *scene) {
    return lt_scene_add_shape(scene, lt_no_surface(), lt_plate_carrier(SHEET, SHEET_CELLS));
}

static float speed_of(const lt_scene *scene, float size) {
    return SIZES_A_STEP * size / scene->dt;
}

static lt_scene_body *add_sheet(lt_scene *scene, uint32_t shape, lt_vec3 at) {
    lt_scene_body *body = lt_scene_add_body(scene, shape, at);
    body->material.young = 1e7f; /* stiff: a sheet that folds could be gone around */
    body->material.friction = 0.5f;
    body->material.stiffness_damping = 0.01f;
    return body;
}

/* Five sheets fall on one another; the last comes down on all of them at 0.8 sizes a step, and one beside them on the bare floor. */
static void fill_sheets(lt_scene *scene) {
    lt_scene_add_floor(scene, 0.0f);
    uint32_t sheet = add_sheet_shape(scene);
    for (uint32_t i = 0; i < SHEET_COUNT; i++) {
        lt_vec3 at = {0.01f * (float)(i % 3), 0.1f + 0.15f * (float)i, 0.01f * (float)(i % 2)};
        lt_scene_body *body = add_sheet(scene, sheet, at);
        body->rotation = lt_quat_turn((lt_vec3){0, 1, 0}, 20.0 * i);
        if (i + 1 == SHEET_COUNT) body->velocity.y = -speed_of(scene, SHEET.x);
    }
    add_sheet(scene, sheet, (lt_vec3){1, 0.7f, 0})->velocity.y = -speed_of(scene, SHEET.x);
    scene->steps = 180;
}

/* ---- shots, without gravity, so that sides stay sides ---- */

/* Two sheets face to face; a sheet and a ball; a sheet and a cube at rest that a plate of 2 cm is moved through, as far as it goes in
 * eight steps. Three places, 3 m apart. */
static void fill_shots(lt_scene *scene) {
    const float thickness = 0.01f;
    scene->gravity = (lt_vec3){0, 0, 0};
    uint32_t sheet = add_sheet_shape(scene);
    uint32_t ball = lt_scene_add_shape(scene, lt_sphere_surface(0.2f, 3), lt_ball_carrier(0.22f, 4));
    uint32_t cube =
        lt_scene_add_shape(scene, lt_no_surface(), lt_block_carrier((lt_vec3){0.3f, 0.3f, 0.3f}, 3, 3, 3));
    for (int side = -1; side <= 1; side += 2)
        add_sheet(scene, sheet, (lt_vec3){0, 0.5f * (float)side, 0})->velocity.y =
            -(float)side * speed_of(scene, SHEET.x);
    add_sheet(scene, sheet, (lt_vec3){3, 0.9f, 0})->velocity.y = -speed_of(scene, SHEET.x);
    lt_scene_add_body(scene, ball, (lt_vec3){3, 0, 0})->material.young = 1e5f;
    add_sheet(scene, sheet, (lt_vec3){6, 0.3f, 0});
    lt_scene_add_body(scene, cube, (lt_vec3){6, 0.8f, 0})->material.young = 1e5f;
    lt_scene_obstacle *plate = lt_scene_add_obstacle(scene, LT_OBSTACLE_BOX, (lt_vec3){6, -0.2f, 0});
    plate->half_extents = (lt_vec3){0.5f, thickness, 0.5f};
    plate->motion = (lt_motion){.kind = LT_MOTION_LINEAR,
                                .vector = {0, speed_of(scene, SHEET.x), 0},
                                .begin = 2 * scene->dt,
                                .end = 10 * scene->dt};
    scene->steps = 30;
}

/* ---- bodies that begin in one place ---- */

static void fill_coincident(lt_scene *scene, uint32_t count) {
    lt_scene_add_floor(scene, 0.0f);
    uint32_t ball = lt_scene_add_shape(scene, lt_sphere_surface(0.1f, 2), lt_ball_carrier(0.115f, 3));
    for (uint32_t i = 0; i < count; i++) {
        lt_scene_body *body = lt_scene_add_body(scene, ball, (lt_vec3){0, 0.5f, 0});
        body->material.young = 1e5f;
        body->material.friction = 0.5f;
    }
    scene->steps = 120;
}

static bool is_named(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

lt_status lt_engine_scene_make(lt_scene *out, const char *name, const lt_allocator *allocator,
                               lt_error *error) {
    bool is_sheets = is_named(name, "sheets"), is_shots = is_named(name, "shots"),
         is_twenty = is_named(name, "coincident-20");
    if (!is_sheets && !is_shots && !is_twenty && !is_named(name, "coincident"))
        return lt_scene_make(out, name, allocator, error);
    *out = lt_scene_empty(name, allocator);
    if (is_sheets)
        fill_sheets(out);
    else if (is_shots)
        fill_shots(out);
    else
        fill_coincident(out, is_twenty ? 20 : 2);
    return LT_OK;
}
