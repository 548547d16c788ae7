/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A body baked coarsely rests like the same body meshed finely: dropped on the floor, its centre of mass ends at
 * the same height, for the fill fraction carries mass and stiffness of the solid and the surface collides. Few
 * linear tets are stiffer than many: of soft rubber, 500 hold a ball 2 % higher than 2,500 do.
 *
 * labels: slow */

#include "check.h"
#include "core/vec.h"
#include "scenes/scene.h"

#define RADIUS 0.15f
enum { LAYERS = 5, STEPS = 40 };

static lt_scene drop_scene(lt_surface_recipe surface, lt_carrier_recipe carrier) {
    lt_scene scene = lt_scene_empty("drop", NULL);
    lt_scene_add_floor(&scene, 0.0f);
    lt_scene_body *body =
        lt_scene_add_body(&scene, lt_scene_add_shape(&scene, surface, carrier), (lt_vec3){0, 0.18f, 0});
    body->material.mass_damping = 4.0f;
    body->material.friction = 0.8f;
    scene.self_collision = false;
    return scene;
}

typedef struct resting {
    double center;  /* m above the floor */
    double squeeze; /* m: how far the centre came below where it is when the body stands undeformed */
    double mass;
} resting;

static resting rest_of(lt_surface_recipe surface, lt_carrier_recipe carrier) {
    lt_scene scene = drop_scene(surface, carrier);
    lt_scene_world scene_world;
    lt_error error = {0};
    resting r = {0};
    if (lt_scene_build(&scene_world, &scene, NULL, &error) != LT_OK) {
        CHECK_FAIL_MESSAGE("%s", error.message);
        lt_scene_free(&scene);
        return r;
    }
    lt_world *world = scene_world.world;
    lt_surface_view view = lt_body_surface(world, scene_world.bodies[0]);
    float lowest = INFINITY;
    for (uint32_t i = 0; i < view.vertex_count; i++)
        lowest = lt_min_f(lowest, view.positions[i].y);
    double standing = (double)(lt_body_center(world, scene_world.bodies[0]).y - lowest);
    for (uint64_t step = 0; step < STEPS; step++)
        lt_world_step(world, scene.dt, lt_budget_unlimited());
    r.center = (double)lt_body_center(world, scene_world.bodies[0]).y;
    r.squeeze = standing - r.center;
    r.mass = (double)lt_body_mass(world, scene_world.bodies[0]);
    lt_scene_world_free(&scene_world);
    lt_scene_free(&scene);
    return r;
}

/* The fine one is no carrier around a surface, but the ball itself, cut into tets. */
static void a_ball_rests_alike(void) {
    lt_surface_recipe surface = {.kind = LT_SURFACE_RECIPE_SPHERE, .size = {RADIUS, 0, 0}, .cells = 2};
    lt_carrier_recipe few = {.kind = LT_CARRIER_RECIPE_ENCLOSED, .cells = {500, 0, 0}};
    lt_carrier_recipe many = {
        .kind = LT_CARRIER_RECIPE_BALL, .size = {RADIUS, 0, 0}, .cells = {LAYERS, 0, 0}};
    resting coarse = rest_of(surface, few), fine = rest_of((lt_surface_recipe){0}, many);
    CHECK_FATAL(coarse.mass > 0 && fine.mass > 0);
    CHECK_NEAR(coarse.center / fine.center, 1.0, 0.03);
    CHECK_NEAR(coarse.mass / fine.mass, 1.0, 0.02); /* many flat faces on either, but not the same ones */
    CHECK(fine.squeeze > 0.05 * fine.center);       /* soft enough that stiffness matters */
}

int main(void) {
    RUN(a_ball_rests_alike);
    return check_finish();
}
