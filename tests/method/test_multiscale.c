/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The method multiscale without a budget: what rests, what meets, what must stay apart. */

#include "method/multiscale_world.h"

enum { MOST = 3 };

typedef struct pile {
    lt_world *world;
    lt_body_id bodies[MOST];
    uint32_t count;
} pile;

/* Cubes of 0.2 m on a floor, one above the other with gaps, each a little beside. */
static pile make_pile(lt_world_def def, lt_shape *shape, uint32_t count, float gap) {
    def.sleeping = false;
    pile p = {.world = make_world(&def), .count = count};
    add_floor(p.world);
    for (uint32_t i = 0; i < count; i++)
        p.bodies[i] = add_body(
            p.world, shape,
            (lt_vec3){0.02f * (float)(i % 2), 0.1f + gap + (0.2f + gap) * (float)i, 0.015f * (float)(i % 2)});
    return p;
}

/* Steps; surfaces must never cross each other or the floor, momentum must be kept, nothing allocated. */
static lt_report run_pile(pile *p, uint32_t steps) {
    lt_report report = {0};
    uint32_t crossings = 0;
    uint64_t allocations = 0, stopped = 0;
    double worst = 0;
    float lowest = 1;
    for (uint32_t i = 0; i < steps; i++) {
        report = run(p->world, 1);
        worst = lt_max_d(worst, report.momentum_error);
        allocations += report.allocations;
        stopped += report.fail_safe;
        CHECK(report_is_consistent(p->world, &report) && report.interrupted == 0);
        for (uint32_t k = 1; k < p->count; k++)
            crossings += count_crossings(p->world, p->bodies[k - 1], p->bodies[k]);
        lowest = lt_min_f(lowest, surface_low(p->world, p->bodies[0]).y);
    }
    CHECK_COUNT(crossings, 0);
    CHECK_COUNT(allocations, 0);
    CHECK(lowest > 0 && worst <= 1e-6);
    CHECK(stopped <= steps / 50); /* under 2 % of the steps */
    CHECK_COUNT(unsound_contacts_of(p->world, false), 0);
    return report;
}

/* The floor carries what lies on it, and everybody rests. */
static void check_rest(pile *p, float speed) {
    float weight = 0;
    lt_vec3 force, torque;
    for (uint32_t i = 0; i < p->count; i++) {
        CHECK(fastest_node(p->world, p->bodies[i]) < speed);
        weight += 9.81f * lt_body_mass(p->world, p->bodies[i]);
    }
    lt_obstacle_load(p->world, lt_world_obstacle_at(p->world, 0), &force, &torque);
    CHECK_NEAR(force.y, -weight, 0.02 * (double)weight);
}

static void a_cube_rests_on_a_plane(void) {
    lt_shape *cube = cube_with_boxes(0.2, 3);
    pile p = make_pile(multiscale_world_def(), cube, 1, 0.05f);
    run_pile(&p, 100);
    check_rest(&p, 1e-3f);
    /* The separation is a thousandth of the diagonal. */
    CHECK_NEAR(surface_low(p.world, p.bodies[0]).y, 3.46e-4, 2e-5);
    lt_world_destroy(p.world);
    lt_shape_release(cube);
}

static void stacks_of_two_and_three_rest(void) {
    lt_shape *cube = cube_with_boxes(0.2, 2);
    for (uint32_t count = 2; count <= 3; count++) {
        pile p = make_pile(multiscale_world_def(), cube, count, 0.01f);
        run_pile(&p, 170);
        check_rest(&p, 0.02f);
        for (uint32_t i = 1; i < count; i++)
            CHECK(surface_low(p.world, p.bodies[i]).y > 0.15f * (float)i);
        lt_world_destroy(p.world);
    }
    lt_shape_release(cube);
}

/* Trees so small that their leaves lie on the cut. */
static void a_few_triangles_are_enough(void) {
    lt_shape *cube = cube_with_boxes(0.2, 1);
    pile p = make_pile(multiscale_world_def(), cube, 2, 0.02f);
    run_pile(&p, 100);
    check_rest(&p, 0.02f);
    lt_world_destroy(p.world);
    lt_shape_release(cube);
}

static void sleeping_bodies_are_woken(void) {
    lt_shape *cube = cube_with_boxes(0.2, 2);
    lt_world_def def = multiscale_world_def();
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_id lower = add_body(world, cube, (lt_vec3){0, 0.101f, 0});
    lt_report report = run(world, 80);
    CHECK(lt_body_is_asleep(world, lower) && report.contacts > 3);
    lt_body_id upper = add_body(world, cube, (lt_vec3){0.01f, 0.36f, 0});
    report = run(world, 14);
    CHECK(!lt_body_is_asleep(world, lower));
    run(world, 150);
    CHECK(lt_body_is_asleep(world, lower) && lt_body_is_asleep(world, upper));
    CHECK(surface_low(world, upper).y > 0.17f);
    CHECK_COUNT(count_crossings(world, lower, upper), 0);
    lt_world_destroy(world);
    lt_shape_release(cube);
}

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
        for (int i = 0; i < 40; i++) {
            lt_report report = run(world, 1);
            CHECK(report.momentum_error <= 1e-6);
            CHECK(model == LT_MODEL_EXPLICIT_FEM || report.energy <= 1.001 * energy);
            crossings += count_crossings(world, a, b);
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
    lt_shape *block = with_boxes(block_shape(0.3, 0.06, 0.3, 3, 1, 3));
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
    lt_shape *ring = with_boxes(torus_shape(0.2, 0.06, 16));
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
        if (step % 4 == 3) crossings += count_self_crossings(world, body);
    }
    CHECK(met > 0 && size.x > 0.4f);
    CHECK_COUNT(crossings, 0);
    lt_world_destroy(world);
    lt_shape_release(ring);
}

/* ---- bad starts ---- */

/* In each other at the start: told, parted without haste, and then as if nothing had been. */
static void bodies_that_start_in_each_other_are_parted(void) {
    lt_shape *cube = cube_with_boxes(0.2, 2);
    lt_world_def def = multiscale_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    lt_world *world = make_world(&def);
    lt_body_id a = add_body(world, cube, (lt_vec3){0, 0, 0});
    lt_body_id b = add_body(world, cube, (lt_vec3){0.03f, 0.16f, 0.02f});
    lt_report report = run(world, 1);
    CHECK(report.tangled == 1 && report.contacts > 0 && report.depth_max > 0.01);
    float fastest = 0;
    for (int i = 0; i < 120; i++) {
        report = run(world, 1);
        CHECK(report.momentum_error <= 1e-6);
        fastest = lt_max_f(fastest, lt_max_f(fastest_node(world, a), fastest_node(world, b)));
    }
    CHECK(fastest < 1.5f);
    CHECK(report.tangled == 0);
    CHECK_COUNT(count_crossings(world, a, b), 0);
    lt_world_destroy(world);
    lt_shape_release(cube);
}

static void shapes_without_a_tree_are_refused(void) {
    lt_shape *cube = cube_shape(0.2, 2);
    lt_world_def def = multiscale_world_def();
    lt_world *world = make_world(&def);
    lt_body_def bd = lt_body_def_default();
    lt_error error = {0};
    bd.shape = cube;
    CHECK(lt_world_add_body(world, &bd, &error).index_plus_one == 0);
    CHECK_CONTAINS(error.message, "lithe bake --tree");
    CHECK_COUNT(lt_world_body_count(world), 0);
    lt_world_destroy(world);
    lt_shape_release(cube);
}

int main(void) {
    RUN(a_cube_rests_on_a_plane);
    RUN(stacks_of_two_and_three_rest);
    RUN(a_few_triangles_are_enough);
    RUN(sleeping_bodies_are_woken);
    RUN(an_impact_keeps_momentum_and_loses_energy);
    RUN(a_block_slips_at_the_angle_of_friction);
    RUN(a_ring_does_not_go_through_itself);
    RUN(bodies_that_start_in_each_other_are_parted);
    RUN(shapes_without_a_tree_are_refused);
    return check_finish();
}
