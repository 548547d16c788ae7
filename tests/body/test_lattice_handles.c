/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Lattices in a world: pulled by handles, and dropped on the floor. */

#include "method/lattice_world.h"

static lt_shape *cube;

static lt_body_id add_sample(lt_world *world, int model, float young, float damping, float height) {
    lt_body_def def = lattice_body_def(cube, (lt_vec3){0, height, 0});
    def.model = model ? LT_MODEL_LATTICE_MATCHING : LT_MODEL_LATTICE_SPRINGS;
    def.material.young = young;
    def.material.stiffness_damping = damping;
    return add_body_def(world, &def);
}

/* Targets 2 m away, one handle or three beside each other, from soft to as stiff as can be. Momentum is what they gave. */
static void handles_pull_and_nothing_blows_up(void) {
    const float youngs[2] = {1e4f, 1e5f}, dampings[3] = {0, 0.01f, 0.05f}, stiffnesses[2] = {300, 1e12f};
    for (int trial = 0; trial < 48; trial++) {
        float damping = dampings[trial / 2 % 3], stiffness = stiffnesses[trial / 6 % 2];
        float young = youngs[trial / 12 % 2];
        if (trial % 2 == 0 && young * damping > 200) continue; /* springs: hundreds of sub-steps */
        lt_world_def def = lattice_world_def();
        lt_world *world = make_world(&def);
        lt_body_id body = add_sample(world, trial % 2, young, damping, 0);
        for (uint32_t i = 0; i < (trial < 24 ? 1u : 3u); i++)
            lt_world_add_handle(world, body, i, (lt_vec3){2, 0, 0}, stiffness, NULL);
        double worst = 0;
        uint64_t blown = 0;
        for (int step = 0; step < 90; step++) {
            lt_report report = lt_world_step(world, STEP_DT, lt_budget_unlimited());
            worst = lt_max_d(worst, report.momentum_error);
            blown += report.blown_up;
        }
        CHECK_COUNT(blown, 0);
        CHECK(worst < 1e-5);
        CHECK(fastest_node(world, body) >= 0);
        if (damping > 0) CHECK(lt_v3_distance(lt_body_center(world, body), (lt_vec3){2, 0, 0}) < 1.5f);
        lt_world_destroy(world);
    }
}

/* Without corrections beyond what a soft body bears: never more energy than it was dropped with. */
static void soft_lattices_dropped_gain_nothing(void) {
    for (int trial = 0; trial < 8; trial++) {
        lt_world_def def = lattice_world_def();
        def.sleeping = false;
        lt_world *world = make_world(&def);
        add_floor(world);
        lt_body_id body = add_sample(world, trial % 2, trial & 2 ? 1e5f : 1e4f, trial & 4 ? 0.01f : 0, 0.3f);
        double start = 9.81 * (double)lt_body_mass(world, body) * 0.3, most = 0;
        for (int step = 0; step < 300; step++)
            most = lt_max_d(most, lt_world_step(world, 1.0f / 240, lt_budget_unlimited()).energy);
        CHECK(most < 1.01 * start);
        lt_world_destroy(world);
    }
}

int main(void) {
    cube = lattice_box(0.2f, 0.2f, 0.2f, 8);
    RUN(handles_pull_and_nothing_blows_up);
    RUN(soft_lattices_dropped_gain_nothing);
    lt_shape_release(cube);
    return check_finish();
}
