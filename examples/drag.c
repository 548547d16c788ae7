/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Picking and dragging, as a mouse does it: a ray finds the point under it, a handle on the nearest vertex pulls that point
 * along, and letting go lets it fall. */

#include "lithe/bake.h"
#include "lithe/lithe.h"
#include <stdio.h>

static lt_shape *bake_cube(lt_error *error) {
    const double nodes[8][3] = {{0, 0, 0},  {.2, 0, 0},  {0, .2, 0},  {.2, .2, 0},
                                {0, 0, .2}, {.2, 0, .2}, {0, .2, .2}, {.2, .2, .2}};
    const uint32_t tets[5][4] = {{0, 5, 3, 6}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 5, 0, 6}, {7, 3, 5, 6}};
    lt_bake_tets_def mesh = lt_bake_tets_def_default();
    mesh.node_positions = nodes[0];
    mesh.node_count = 8;
    mesh.tets = tets[0];
    mesh.tet_count = 5;
    lt_shape *shape = NULL;
    return lt_bake_tets(&mesh, &shape, NULL, error) == LT_OK ? shape : NULL;
}

/* The corner of the triangle that was met that is nearest to the point: a handle pulls a vertex. */
static uint32_t nearest_vertex(lt_world *world, const lt_ray_hit *hit) {
    lt_surface_view view = lt_body_surface(world, hit->body);
    int nearest = hit->weights[1] > hit->weights[0];
    if (hit->weights[2] > hit->weights[nearest]) nearest = 2;
    return view.triangles[3 * hit->triangle + (uint32_t)nearest];
}

static void drag(lt_world *world, lt_body_id body, lt_handle_id handle, lt_vec3 from, lt_vec3 to) {
    for (int i = 1; i <= 60; i++) {
        float way = (float)i / 60;
        lt_world_move_handle(world, handle,
                             (lt_vec3){from.x + way * (to.x - from.x), from.y + way * (to.y - from.y),
                                       from.z + way * (to.z - from.z)});
        lt_world_step(world, 1 / 60.0f, lt_budget_collision_us(500));
        if (i % 20 == 0) printf("dragged %.2f s: height %.3f m\n", i / 60.0, lt_body_center(world, body).y);
    }
}

int main(void) {
    lt_error error;
    lt_world *world;
    lt_world_def world_def = lt_world_def_default();
    lt_obstacle_def ground = lt_obstacle_def_default();
    lt_body_def cube = lt_body_def_default();
    cube.shape = bake_cube(&error);
    if (!cube.shape || lt_world_create(&world_def, &world, &error) != LT_OK) return puts(error.message), 1;
    lt_world_add_obstacle(world, &ground, &error);
    lt_body_id body = lt_world_add_body(world, &cube, &error);
    for (int i = 0; i < 60; i++)
        lt_world_step(world, 1 / 60.0f, lt_budget_collision_us(500));

    lt_ray ray =
        lt_ray_along((lt_vec3){0.15f, 1, 0.16f}, (lt_vec3){0, -1, 0}); /* from the eye through the pixel */
    lt_ray_hit hit;
    if (!lt_world_ray_cast(world, &ray, &hit)) return puts("nothing under the mouse"), 1;
    uint32_t vertex = nearest_vertex(world, &hit);
    printf("picked triangle %u at %.3f m, vertex %u\n", hit.triangle, hit.distance, vertex);
    lt_vec3 high = {hit.point.x, hit.point.y + 0.5f, hit.point.z};
    lt_handle_id handle = lt_world_add_handle(world, hit.body, vertex, hit.point, 5000, &error);
    drag(world, body, handle, hit.point, high);
    lt_world_remove_handle(world, handle);
    for (int i = 0; i < 120; i++)
        lt_world_step(world, 1 / 60.0f, lt_budget_collision_us(500));
    printf("let go: height %.3f m\n", lt_body_center(world, body).y);
    lt_world_destroy(world);
    lt_shape_release(cube.shape);
    return 0;
}
