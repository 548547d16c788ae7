/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The method multiscale without a budget: what rests, what is refused, what starts badly. */

#include "method/failing_world.h"
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

/* Steps; surfaces must not cross each other or the floor, momentum must be kept, nothing allocated. */
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
        for (uint32_t k = 1; k < p->count && i % 3 == 0; k++)
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
        run_pile(&p, 120);
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
    run(world, 110);
    CHECK(lt_body_is_asleep(world, lower) && lt_body_is_asleep(world, upper));
    CHECK(surface_low(world, upper).y > 0.17f);
    CHECK_COUNT(count_crossings(world, lower, upper), 0);
    lt_world_destroy(world);
    lt_shape_release(cube);
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

static void memory_may_run_out(void) {
    lt_shape *cube = cube_with_boxes(0.2, 1);
    lt_world_def def = multiscale_world_def();
    def.contact_capacity = 64;
    check_memory_may_run_out(def, cube);
    lt_shape_release(cube);
}

int main(void) {
    RUN(a_cube_rests_on_a_plane);
    RUN(stacks_of_two_and_three_rest);
    RUN(a_few_triangles_are_enough);
    RUN(sleeping_bodies_are_woken);
    RUN(bodies_that_start_in_each_other_are_parted);
    RUN(shapes_without_a_tree_are_refused);
    RUN(memory_may_run_out);
    return check_finish();
}
