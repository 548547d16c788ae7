/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Method multiscale: a blow goes through a row of bodies that stand apart from each other in one step; each gets where nothing of its
 * own motion would have taken it, and through none of the others. */

#include "method/multiscale_world.h"

enum { ROW = 4 };

static void blows_go_through_a_row(void) {
    lt_shape *cube = cube_with_boxes(0.2, 2);
    const float speeds[] = {2, 8, 20, 60};
    for (uint32_t i = 0; i < 2 * LT_COUNT_OF(speeds); i++) {
        lt_world_def def = multiscale_world_def();
        def.gravity = (lt_vec3){0, 0, 0};
        def.sleeping = i % 2; /* the others sleep, or do not */
        lt_world *world = make_world(&def);
        lt_body_def bd = lt_body_def_default();
        bd.shape = cube;
        for (int k = 1; k < ROW; k++) {
            bd.position = (lt_vec3){0.22f * (float)k, 0.01f * (float)k, 0.02f * (float)k};
            add_body_def(world, &bd);
        }
        run(world, i % 2 ? 35 : 0);
        bd.position = (lt_vec3){-0.3f, 0, 0};
        bd.velocity.x = speeds[i / 2];
        bd.material.density *= 20;
        add_body_def(world, &bd);
        for (int step = 0; step < 12; step++) {
            lt_report report = run(world, 1);
            CHECK_COUNT(report.tangled + report.pending, 0);
            CHECK(report.momentum_error < 1e-6);
            for (uint32_t a = 0; a < ROW; a++)
                for (uint32_t b = a + 1; b < ROW; b++)
                    CHECK_COUNT(
                        count_crossings(world, lt_world_body_at(world, a), lt_world_body_at(world, b)), 0);
        }
        lt_world_destroy(world);
    }
    lt_shape_release(cube);
}

int main(void) {
    RUN(blows_go_through_a_row);
    return check_finish();
}
