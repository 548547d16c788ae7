/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The method multiscale without a budget: what meets in flight, slides, and is pressed into itself. */

#include "method/multiscale_world.h"

/* ---- impact ---- */

/* Two bodies fly at each other: momentum stays, energy does not grow, and nothing passes through. (The answer knows nothing of
 * how stiff explicit bodies are: there energy may grow.) */
static void an_impact_keeps_momentum_and_loses_energy(void) {
    lt_shape *cube = cube_with_boxes(0.2, 2), *ball = ball_with_boxes(0.12, 2);
    for (int model = 0; model <= LT_MODEL_EXPLICIT_FEM; model++) {
        lt_world_def def = multiscale_world_def();
        def.gravity = (lt_vec3){0, 0, 0};
        lt_world *world = make_world(&def);
        lt_body_def bd = lt_body_def_default();
        bd.model = (lt_model)model;
        bd.material.mass_damping = 0;
        bd.shape = cube;
        bd.position = (lt_vec3){-0.17f, 0, 0};
        bd.velocity = (lt_vec3){2, 0, 0};
        lt_body_id a = add_body_def(world, &bd);
        bd.shape = ball;
        bd.position = (lt_vec3){0.2f, 0.03f, 0.02f};
        bd.velocity = (lt_vec3){-1, 0.1f, 0};
        lt_body_id b = add_body_def(world, &bd);
        lt_vec3 before = lt_v3_add(lt_body_momentum(world, a), lt_body_momentum(world, b));
        double energy = 0.5 * 4.0 * (double)lt_body_mass(world, a) + 0.505 * (double)lt_body_mass(world, b);
        uint32_t crossings = 0;
        uint64_t contacts = 0;
        for (int i = 0; i < 24; i++) {
            lt_report report = run(world, 1);
            CHECK(report.momentum_error <= 1e-6);
            CHECK(model == LT_MODEL_EXPLICIT_FEM || report.energy <= 1.001 * energy);
            if (i % 2) crossings += count_crossings(world, a, b);
            contacts += report.contacts;
        }
        lt_vec3 after = lt_v3_add(lt_body_momentum(world, a), lt_body_momentum(world, b));
        CHECK(contacts > 0 && lt_v3_distance(before, after) < 1e-4f * lt_v3_length(before));
        CHECK_COUNT(crossings, 0);
        lt_world_destroy(world);
    }
    lt_shape_release(cube);
    lt_shape_release(ball);
}

/* ---- friction ---- */

/* A flat block on a plane that gravity is tilted against, turned about the normal: how much faster it slides after a second. */
static float sliding_speed(float slope, float turn_degrees) {
    lt_shape *block = with_boxes(block_shape(0.3, 0.06, 0.3, 2, 1, 2));
    lt_world_def def = multiscale_world_def();
    def.sleeping = false;
    float size = sqrtf(1 + slope * slope), half = 0.5f * turn_degrees * 3.14159265f / 180;
    def.gravity = (lt_vec3){9.81f * slope / size, -9.81f / size, 0};
    lt_world *world = make_world(&def);
    lt_obstacle_def floor = lt_obstacle_def_default();
    floor.friction = 0.5f;
    add_obstacle_def(world, &floor);
    lt_body_def bd = lt_body_def_default();
    bd.shape = block;
    bd.material.friction = 0.5f;
    bd.material.young = 1e6f;
    bd.position = (lt_vec3){0, 0.0306f, 0};
    bd.rotation = (lt_quat){0, sinf(half), 0, cosf(half)};
    lt_body_id body = add_body_def(world, &bd);
    run(world, 30); /* until it has settled */
    float before = lt_body_momentum(world, body).x;
    run(world, 60);
    float gain = lt_body_momentum(world, body).x - before;
    lt_world_destroy(world);
    lt_shape_release(block);
    return gain / 5.4f;
}

static void a_block_slips_at_the_angle_of_friction(void) {
    const float turns[] = {0, 30, 45};
    for (uint32_t i = 0; i < LT_COUNT_OF(turns); i++) {
        float held = sliding_speed(0.495f, turns[i]), free = sliding_speed(0.505f, turns[i]);
        CHECK(held < 1e-3f);
        /* g (sin − μ cos) for a second; mass damping and the sag of the block take a part */
        CHECK_NEAR(free, 0.0437, 0.0437 * 0.2);
    }
}

/* ---- a surface with itself ---- */

static uint32_t count_self_crossings(lt_world *world, lt_body_id body) {
    lt_surface_view v = lt_body_surface(world, body);
    uint32_t count = 0;
    for (uint32_t i = 0; i < v.triangle_count; i++)
        for (uint32_t k = i + 1; k < v.triangle_count; k++) {
            const uint32_t *x = v.triangles + 3 * (size_t)i, *y = v.triangles + 3 * (size_t)k;
            bool shares = false;
            lt_dvec3 s[3], t[3];
            for (int c = 0; c < 9; c++)
                shares = shares || x[c / 3] == y[c % 3];
            if (shares) continue;
            for (int c = 0; c < 3; c++) {
                s[c] = lt_d3_from_v3(v.positions[x[c]]);
                t[c] = lt_d3_from_v3(v.positions[y[c]]);
            }
            count += lt_exact_triangle_triangle(s, t);
        }
    return count;
}

/* A ring between two walls that close: its hole closes, and its sides lie on each other. */
static void a_ring_does_not_go_through_itself(void) {
    lt_shape *ring = with_boxes(torus_shape(0.2, 0.06, 12));
    lt_world_def def = multiscale_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    lt_world *world = make_world(&def);
    lt_body_def bd = lt_body_def_default();
    bd.shape = ring;
    bd.material.young = 2e4f;
    lt_body_id body = add_body_def(world, &bd);
    lt_vec3 size = lt_v3_sub(surface_high(world, body), surface_low(world, body));
    lt_obstacle_id walls[2];
    for (int i = 0; i < 2; i++) {
        lt_obstacle_def od = lt_obstacle_def_default();
        od.normal = (lt_vec3){i ? -1.0f : 1.0f, 0, 0};
        od.position = (lt_vec3){i ? 0.27f : -0.27f, 0, 0};
        walls[i] = add_obstacle_def(world, &od);
    }
    uint32_t met = 0, crossings = 0;
    for (int step = 0; step < 60; step++) {
        float at = 0.27f - 0.0034f * (float)(step + 1);
        for (int i = 0; i < 2; i++)
            lt_world_move_obstacle(world, walls[i], (lt_vec3){i ? at : -at, 0, 0}, (lt_quat){0, 0, 0, 1});
        lt_report report = run(world, 1);
        CHECK(report.interrupted == 0 && (report.contacts == 0 || report.momentum_error <= 1e-6));
        uint32_t count;
        const lt_contact *contacts = lt_world_contacts(world, &count);
        for (uint32_t i = 0; i < count; i++)
            met += contacts[i].body_b.index_plus_one == contacts[i].body_a.index_plus_one;
        if (step % 10 == 9) crossings += count_self_crossings(world, body);
    }
    CHECK(met > 0 && size.x > 0.4f);
    CHECK_COUNT(crossings, 0);
    lt_world_destroy(world);
    lt_shape_release(ring);
}

int main(void) {
    RUN(an_impact_keeps_momentum_and_loses_energy);
    RUN(a_block_slips_at_the_angle_of_friction);
    RUN(a_ring_does_not_go_through_itself);
    return check_finish();
}
