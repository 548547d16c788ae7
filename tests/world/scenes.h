/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One busy world for the tests of state: contacts of all kinds, friction, a sleeping body, a moving obstacle,
 * handles and pins. Everything that happens is a function of the number of the step. */

#ifndef LITHE_TESTS_WORLD_SCENES_H
#define LITHE_TESTS_WORLD_SCENES_H

#include "world/fixture.h"

typedef struct busy {
    lt_world *world;
    lt_body_id bodies[5];
    lt_obstacle_id floor, paddle;
    lt_handle_id handle;
} busy;

typedef struct busy_shapes {
    lt_shape *cube, *ball;
    bool lattices; /* models of lattices move them */
} busy_shapes;

static inline lt_model busy_cube_model(const busy_shapes *shapes) {
    return shapes->lattices ? LT_MODEL_LATTICE_MATCHING : LT_MODEL_COROTATIONAL;
}

static inline busy_shapes make_busy_shapes(void) {
    return (busy_shapes){cube_shape(0.2, 2), ball_shape(0.12, 1), false};
}

static inline void drop_busy_shapes(busy_shapes *shapes) {
    lt_shape_release(shapes->cube);
    lt_shape_release(shapes->ball);
}

/* Slot by slot: 0 a cube that falls asleep alone, 1 and 2 a leaning stack, 3 an explicit ball rolling in, 4 a
 * pinned cube that a handle pulls at. */
static inline busy make_busy(const lt_world_def *def, const busy_shapes *shapes) {
    busy b = {.world = make_world(def)};
    lt_body_def bd = lt_body_def_default();
    lt_obstacle_def od = lt_obstacle_def_default();
    b.floor = add_obstacle_def(b.world, &od);
    od.kind = LT_OBSTACLE_BOX;
    od.half_extents = (lt_vec3){0.05f, 0.3f, 0.3f};
    od.position = (lt_vec3){-0.4f, 0.3f, 0};
    b.paddle = add_obstacle_def(b.world, &od);
    bd.shape = shapes->cube;
    bd.model = busy_cube_model(shapes);
    bd.position = (lt_vec3){2, 0.1f, 0};
    b.bodies[0] = add_body_def(b.world, &bd);
    bd.position = (lt_vec3){0, 0.1f, 0};
    b.bodies[1] = add_body_def(b.world, &bd);
    bd.position = (lt_vec3){0.05f, 0.305f, 0.01f};
    bd.rotation = (lt_quat){0, 0.2f, 0, 1};
    b.bodies[2] = add_body_def(b.world, &bd);
    bd.shape = shapes->ball;
    bd.position = (lt_vec3){0.6f, 0.13f, 0.02f};
    bd.velocity = (lt_vec3){-1.5f, 0, 0};
    bd.model = shapes->lattices ? LT_MODEL_LATTICE_SPRINGS : LT_MODEL_EXPLICIT_FEM;
    bd.material.young = 2e4f;
    b.bodies[3] = add_body_def(b.world, &bd);
    bd = lt_body_def_default();
    bd.shape = shapes->cube;
    bd.model = busy_cube_model(shapes);
    bd.position = (lt_vec3){0, 0.3f, 0.6f};
    b.bodies[4] = add_body_def(b.world, &bd);
    lt_body_pin_box(b.world, b.bodies[4], (lt_vec3){-1, 0.39f, 0}, (lt_vec3){1, 1, 1});
    b.handle = lt_world_add_handle(b.world, b.bodies[4], 0, (lt_vec3){0, 0, 0.6f}, 30, NULL);
    return b;
}

/* The paddle swings, the handle circles, a force pushes now and then; then one step. */
static inline lt_report step_busy(busy *b, uint64_t step, lt_budget budget) {
    float phase = (float)(step % 60) / 60, swing = phase < 0.5f ? phase : 1 - phase;
    if (step % 120 < 60)
        lt_world_move_obstacle(b->world, b->paddle, (lt_vec3){-0.4f + 0.5f * swing, 0.3f, 0},
                               (lt_quat){0, 0, 0.1f * swing, 1});
    lt_world_move_handle(b->world, b->handle, (lt_vec3){0.2f * swing, 0.05f, 0.6f});
    if (step % 50 == 10) lt_body_add_force_at(b->world, b->bodies[2], 1, (lt_vec3){3, 5, 0});
    return lt_world_step(b->world, STEP_DT, budget);
}

#endif
