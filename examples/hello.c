/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "lithe/bake.h"
#include "lithe/lithe.h"
#include <stdio.h>

int main(void) {
    const double nodes[8][3] = {{0, 0, 0},  {.2, 0, 0},  {0, .2, 0},  {.2, .2, 0}, /* a cube of 20 cm ... */
                                {0, 0, .2}, {.2, 0, .2}, {0, .2, .2}, {.2, .2, .2}};
    const uint32_t tets[5][4] = {{0, 5, 3, 6}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 5, 0, 6}, {7, 3, 5, 6}};
    lt_bake_tets_def mesh = lt_bake_tets_def_default(); /* ... of five tets, its boundary as surface */
    mesh.node_positions = nodes[0];
    mesh.node_count = 8;
    mesh.tets = tets[0];
    mesh.tet_count = 5;
    lt_world_def world_def = lt_world_def_default();
    lt_obstacle_def ground = lt_obstacle_def_default(); /* the plane y = 0 */
    lt_body_def cube = lt_body_def_default();
    cube.position.y = 0.5f;
    lt_world *world;
    lt_error error;
    if (lt_bake_tets(&mesh, &cube.shape, NULL, &error) != LT_OK ||
        lt_world_create(&world_def, &world, &error) != LT_OK)
        return puts(error.message), 1;
    lt_world_add_obstacle(world, &ground, &error);
    lt_body_id body = lt_world_add_body(world, &cube, &error);
    for (int i = 0; i < 120; i++) {
        lt_report r = lt_world_step(world, 1 / 60.0f, lt_budget_collision_us(500));
        if (r.step % 20 == 0)
            printf("step %llu: height %.3f m, %llu contacts, %llu pairs left, %.1f of %.0f us\n", r.step,
                   lt_body_center(world, body).y, r.contacts, r.pending, r.used_us, r.budget_us);
    }
    lt_world_destroy(world);
    lt_shape_release(cube.shape);
    return 0;
}
