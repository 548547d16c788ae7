/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Capacities of one, and scratch that is too small: bits and counts in the report, no crash, nothing wild. */

#include "world/fixture.h"

static lt_shape *cube;

static lt_world *make_pile(uint32_t contacts, uint32_t pairs, size_t scratch) {
    lt_world_def def = test_world_def();
    def.contact_capacity = contacts;
    def.pair_capacity = pairs;
    def.scratch_capacity = scratch;
    lt_world *world = make_world(&def);
    add_floor(world);
    for (uint32_t i = 0; i < 3; i++)
        add_body(world, cube, (lt_vec3){0.03f * (float)i, 0.099f + 0.199f * (float)i, 0});
    return world;
}

static void stays_calm(lt_world *world, uint32_t steps, float fastest) {
    for (uint32_t i = 0; i < steps; i++) {
        lt_report report = run(world, 1);
        CHECK_COUNT(unsound_contacts(world), 0);
        CHECK(report_is_consistent(world, &report) && report.allocations == 0);
        for (uint32_t k = 0; k < 3; k++) {
            float speed = fastest_node(world, lt_world_body_at(world, k));
            CHECK(speed >= 0 && speed < fastest);
        }
    }
}

static void one_contact(void) {
    lt_world *world = make_pile(1, 128, 0);
    lt_report report = run(world, 1);
    CHECK_COUNT(report.contacts, 1);
    CHECK(report.dropped > 10 && (report.problems & LT_PROBLEM_CONTACT_CAPACITY));
    CHECK(!(report.problems & (LT_PROBLEM_PAIR_CAPACITY | LT_PROBLEM_SCRATCH)));
    stays_calm(world, 30, 9.81f * 0.55f); /* they fall past what was dropped, no faster */
    lt_world_destroy(world);
}

static void one_pair(void) {
    lt_world *world = make_pile(2048, 1, 0);
    lt_report report = run(world, 1);
    CHECK(report.dropped > 0 && (report.problems & LT_PROBLEM_PAIR_CAPACITY));
    CHECK(!(report.problems & LT_PROBLEM_SCRATCH));
    stays_calm(world, 30, 9.81f * 0.55f);
    lt_world_destroy(world);
}

/* At the ceiling the deepest are kept. */
static void the_deepest_contacts_are_kept(void) {
    float depths[2];
    for (int i = 0; i < 2; i++) {
        lt_world *world = make_pile(i ? 2048 : 3, 128, 0);
        uint32_t count;
        lt_world_step(world, STEP_DT, lt_budget_unlimited());
        const lt_contact *contacts = lt_world_contacts(world, &count);
        depths[i] = -1;
        for (uint32_t k = 0; k < count; k++)
            depths[i] = lt_max_f(depths[i], contacts[k].depth);
        lt_world_destroy(world);
    }
    CHECK_NEAR(depths[0], depths[1], 1e-6);
}

/* Every size of scratch from nothing to enough. */
static void too_little_scratch(void) {
    lt_world *roomy = make_pile(64, 16, 0);
    lt_report enough = run(roomy, 1);
    CHECK_COUNT(enough.problems & LT_PROBLEM_SCRATCH, 0);
    lt_world_destroy(roomy);
    uint32_t short_of = 0;
    for (size_t scratch = 1; scratch < 400000; scratch += 1 + scratch / 3) {
        lt_world *world = make_pile(64, 16, scratch);
        lt_report report = run(world, 1);
        short_of += (report.problems & LT_PROBLEM_SCRATCH) != 0;
        for (int i = 0; i < 10; i++) {
            report = run(world, 1);
            CHECK_COUNT(unsound_contacts(world), 0);
            CHECK(world_is_finite(world));
            for (uint32_t k = 0; k < 3; k++) {
                lt_vec3 center = lt_body_center(world, lt_world_body_at(world, k));
                CHECK_NEAR(center.x, 0.03 * k, 0.05);
                CHECK(center.y > -0.2f && center.y < 0.52f);
            }
        }
        CHECK_COUNT(report.allocations, 0);
        lt_world_destroy(world);
    }
    CHECK(short_of > 5);
}

int main(void) {
    cube = cube_shape(0.2, 2);
    RUN(one_contact);
    RUN(one_pair);
    RUN(the_deepest_contacts_are_kept);
    RUN(too_little_scratch);
    lt_shape_release(cube);
    return check_finish();
}
