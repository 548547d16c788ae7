/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A full list of pairs: who is kept. */

#include "world/fixture.h"

/* Four cubes side by side whose boxes overlap; of a list of four pairs the floor gets all. */
static void a_full_list_of_pairs_keeps_the_floor(void) {
    lt_shape *shape = cube_shape(1, 1);
    lt_world_def def = test_world_def();
    def.pair_capacity = 4;
    lt_world *world = make_world(&def);
    add_floor(world);
    for (int i = 0; i < 4; i++)
        add_body(world, shape, (lt_vec3){(float)i, 0.51f, 0});
    lt_report report = run(world, 1);
    CHECK(report.dropped > 0 && (report.problems & LT_PROBLEM_PAIR_CAPACITY));
    run(world, 60);
    for (uint32_t i = 0; i < 4; i++)
        CHECK(lt_body_center(world, lt_world_body_at(world, i)).y > 0.4f);
    lt_world_destroy(world);
    lt_shape_release(shape);
}

int main(void) {
    RUN(a_full_list_of_pairs_keeps_the_floor);
    return check_finish();
}
