/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The method sphere-tree at its edges: shapes without a tree, the smallest queue, bodies of a micron and of a thousand
 * kilometres, one inside the other, coincident ones, tolerances, the mode of the paper.
 * labels: wasm */

#include "method/couple.h"
#include "method/failing_world.h"
#include "method/sphere_world.h"
#include "world/world.h"

static lt_shape *plain, *cube, *ball, *pebble;

/* ---- refusals ---- */

static void shapes_without_a_tree_are_refused(void) {
    lt_world_def def = sphere_world_def();
    lt_world *world = make_world(&def);
    lt_body_def bd = lt_body_def_default();
    lt_error error = {0};
    bd.shape = plain;
    CHECK(lt_world_add_body(world, &bd, &error).index_plus_one == 0);
    CHECK(error.status != LT_OK);
    CHECK_CONTAINS(error.message, "sphere tree");
    CHECK_COUNT(lt_world_body_count(world), 0);
    bd.shape = cube; /* and the world goes on */
    CHECK(lt_world_add_body(world, &bd, &error).index_plus_one != 0);
    lt_world_step(world, STEP_DT, lt_budget_unlimited());
    lt_world_destroy(world);
    def.method = LT_METHOD_REFERENCE; /* a tree does not disturb who does not need it */
    world = make_world(&def);
    CHECK(lt_world_add_body(world, &bd, &error).index_plus_one != 0);
    lt_world_destroy(world);
}

/* One ball around all of a body has an error as large as itself: bodies would pass through each other. */
static void single_spheres_are_refused(void) {
    lt_world_def def = sphere_world_def();
    lt_world *world = make_world(&def);
    lt_body_def bd = lt_body_def_default();
    lt_error error = {0};
    bd.shape = cube_with_tree(0.2, 1, 0);
    CHECK(lt_world_add_body(world, &bd, &error).index_plus_one == 0);
    CHECK_CONTAINS(error.message, "depth");
    lt_shape_release(bd.shape);
    bd.shape = cube_with_tree(0.2, 1, 1);
    CHECK(lt_world_add_body(world, &bd, &error).index_plus_one != 0);
    lt_shape_release(bd.shape);
    lt_world_destroy(world);
}

static void refuse_def(lt_world_def def) {
    lt_world *world = NULL;
    lt_error error = {0};
    CHECK(lt_world_create(&def, &world, &error) != LT_OK && !world && error.message[0]);
}

static void impossible_options_are_refused(void) {
    lt_world_def def = sphere_world_def();
    def.sphere_tree.queue_capacity = 0;
    refuse_def(def);
    def = sphere_world_def();
    def.sphere_tree.error_tolerance = -1;
    refuse_def(def);
    def.sphere_tree.error_tolerance = NAN;
    refuse_def(def);
    def = sphere_world_def();
    def.sphere_tree.order = LT_ORDER_COUNT;
    refuse_def(def);
    def = sphere_world_def();
    def.mode = LT_MODE_PAPER;
    def.method = LT_METHOD_REFERENCE;
    refuse_def(def);
}

static void memory_may_run_out_anywhere(void) {
    lt_world_def def = sphere_world_def();
    def.contact_capacity = 64;
    def.pair_capacity = 8;
    def.sphere_tree.queue_capacity = 64;
    def.sphere_tree.front_cache_capacity = 32;
    def.sphere_tree.used_sphere_capacity = 16;
    check_memory_may_run_out(def, cube);
}

/* ---- little room ---- */

/* The smallest queue: roots only, and the report says why. */
static void small_queues_leave_bodies_coarse(void) {
    for (uint32_t capacity = 1; capacity < 200; capacity += 1 + capacity) {
        lt_world_def def = sphere_world_def();
        def.sphere_tree.queue_capacity = capacity;
        couple c = make_couple(&def, cube, cube, (lt_vec3){0.15f, 0.02f, 0.01f}, 1);
        for (int i = 0; i < 10; i++) {
            lt_report report = lt_world_step(c.world, STEP_DT, lt_budget_unlimited());
            CHECK(report_is_consistent(c.world, &report) && unsound_contacts_of(c.world, false) == 0);
            CHECK(report.momentum_error <= 1e-6 && world_is_finite(c.world));
            bool full = report.problems & LT_PROBLEM_QUEUE_CAPACITY;
            CHECK(full == (report.pending > 0));
            if (capacity == 1 && i == 0) CHECK(full && report.approximate > 0);
        }
        lt_world_destroy(c.world);
    }
}

static void few_contacts_are_the_deepest(void) {
    lt_world_def def = sphere_world_def();
    def.contact_capacity = 3;
    couple c = make_couple(&def, cube, cube, (lt_vec3){0.15f, 0.02f, 0.01f}, 1);
    lt_report report = lt_world_step(c.world, STEP_DT, lt_budget_unlimited());
    CHECK(report.contacts == 3 && report.dropped > 0 && (report.problems & LT_PROBLEM_CONTACT_CAPACITY));
    CHECK(report_is_consistent(c.world, &report) && unsound_contacts_of(c.world, false) == 0);
    lt_world_destroy(c.world);
}

/* ---- sizes ---- */

static void any_scale_works(void) {
    lt_world_def def = sphere_world_def();
    check_any_scale_works(&def, cube, ball);
}

/* ---- places ---- */

/* One body in the very place of another: no direction is better than any other, and none is NaN. */
static void coincident_bodies_are_parted(void) {
    for (int units = 0; units < 3; units++) {
        lt_world_def def = sphere_world_def();
        couple c = make_couple(&def, cube, cube, (lt_vec3){0, 0, 0}, 1);
        for (int i = 0; i < 60; i++) {
            lt_report report =
                lt_world_step(c.world, STEP_DT,
                              units == 0 ? lt_budget_unlimited()
                                         : lt_budget_collision_units(3000u * (uint64_t)(units - 1)));
            CHECK(report.momentum_error <= 1e-6 && report.blown_up == 0);
            CHECK(report_is_consistent(c.world, &report) && unsound_contacts_of(c.world, false) == 0);
        }
        CHECK(world_is_finite(c.world));
        lt_world_destroy(c.world);
    }
}

/* A pebble in the middle of a block touches no surface: one point of it is enough to know, and it is pushed out. */
static void what_is_inside_is_pushed_out(void) {
    lt_world_def def = sphere_world_def();
    couple c = make_couple(&def, cube, pebble, (lt_vec3){0.04f, 0.01f, 0.005f}, 1);
    lt_report report = lt_world_step(c.world, STEP_DT, lt_budget_unlimited());
    CHECK(report.contacts > 0 && report.depth_max > 0.03);
    uint32_t count, inside = 0;
    const lt_contact *contacts = lt_world_contacts(c.world, &count);
    for (uint32_t i = 0; i < count; i++)
        inside += contacts[i].feature_a != LT_NONE && contacts[i].body_a.index_plus_one == c.b.index_plus_one;
    CHECK(inside > 0);
    for (int i = 0; i < 90; i++)
        report = lt_world_step(c.world, STEP_DT, lt_budget_unlimited());
    lt_vec3 apart = lt_v3_sub(lt_body_center(c.world, c.b), lt_body_center(c.world, c.a));
    CHECK(lt_v3_length(apart) > 0.1f && world_is_finite(c.world));
    lt_world_destroy(c.world);
}

/* Looking for what is inside is charged, and cut like all else: the block's points and tets, then one test of the pebble. */
static void looking_inside_is_charged(void) {
    lt_world_def def = sphere_world_def();
    couple c = make_couple(&def, cube, pebble, (lt_vec3){0.04f, 0.01f, 0.005f}, 1);
    saved s = save_world(c.world);
    lt_report report = lt_world_step(c.world, STEP_DT, lt_budget_unlimited());
    lt_collider outer = *lt_collider_at(c.world, 0);
    lt_refresh refresh = {.collider = &outer, .kernels = lt_embed_kernels_for(LT_LEVEL_SCALAR)};
    uint64_t fresh = 0, one_test = 8 + outer.tet_boxes.group_count * LT_GROUP;
    lt_collider_outdate(&outer);
    for (lt_piece next = lt_refresh_peek(&refresh); next.cost; next = lt_refresh_peek(&refresh)) {
        fresh += next.cost;
        lt_refresh_step(&refresh);
    }
    CHECK_COUNT(report.cuts.units[LT_STAGE_EMBED], fresh + one_test);
    CHECK(report.pending == 0 && report.depth_max > 0.03);
    lt_cuts cuts = report.cuts;
    cuts.units[LT_STAGE_EMBED] = fresh + one_test - 1;
    CHECK(load_world(c.world, &s) == LT_OK);
    report = lt_world_step(c.world, STEP_DT, lt_budget_cuts(&cuts));
    CHECK_COUNT(report.cuts.units[LT_STAGE_EMBED], fresh);
    CHECK(report.pending == 1 && report.depth_max < 0.02);
    drop_saved(&s);
    lt_world_destroy(c.world);
}

/* ---- levels of detail ---- */

/* A tolerance stops refining early: less work, and the report says what that leaves open. */
static void tolerances_save_work(void) {
    uint64_t before = UINT64_MAX;
    double gap = 0;
    for (float tolerance = 0; tolerance < 0.5f; tolerance = 3 * tolerance + 0.03f) {
        lt_world_def def = sphere_world_def();
        def.sphere_tree.error_tolerance = tolerance;
        couple c = make_couple(&def, cube, cube, (lt_vec3){0.17f, 0.02f, 0.01f}, 1);
        lt_report report = lt_world_step(c.world, STEP_DT, lt_budget_unlimited());
        CHECK(report.units <= before && report.interrupted == 0 && report.pending == 0);
        CHECK(report.gap_error >= gap &&
              (tolerance == 0 || report.gap_error <= 2.0 * (double)lt_max_f(tolerance, 0.1f)));
        before = report.units;
        gap = report.gap_error;
        CHECK(report_is_consistent(c.world, &report));
        lt_world_destroy(c.world);
    }
    CHECK(gap > 0.05);
}

static float what_the_context_says(void *context, lt_body_id body, void *user_data) {
    (void)body, (void)user_data;
    return *(float *)context;
}

/* What matters more is looked at more closely. */
static void significance_divides_the_tolerance(void) {
    uint64_t tested[2];
    for (int i = 0; i < 2; i++) {
        float significance = i ? 100.0f : 1.0f;
        lt_world_def def = sphere_world_def();
        def.sphere_tree.error_tolerance = 0.3f;
        def.significance = what_the_context_says;
        def.significance_context = &significance;
        couple c = make_couple(&def, cube, cube, (lt_vec3){0.17f, 0.02f, 0.01f}, 1);
        tested[i] = lt_world_step(c.world, STEP_DT, lt_budget_unlimited()).tested;
        lt_world_destroy(c.world);
    }
    CHECK(tested[1] > tested[0]);
}

/* ---- as printed ---- */

/* The paper's averaging makes momentum from nothing, and the report says how much; mode safe makes none. */
static void the_paper_loses_balance(void) {
    for (int mode = 0; mode < LT_MODE_COUNT; mode++) {
        lt_world_def def = sphere_world_def();
        def.mode = (lt_mode)mode;
        couple c = make_couple(&def, cube, ball, (lt_vec3){0.17f, 0.03f, 0.01f}, 1);
        double worst = 0;
        for (int i = 0; i < 20; i++) {
            lt_report report = lt_world_step(c.world, STEP_DT,
                                             i % 3 ? lt_budget_unlimited() : lt_budget_collision_units(3000));
            worst = lt_max_d(worst, report.imbalance);
            CHECK(report.imbalance >= 0 && report.imbalance <= 1 && world_is_finite(c.world));
            CHECK_COUNT(report.allocations, 0);
        }
        CHECK(mode == LT_MODE_PAPER ? worst > 1e-3 : worst == 0);
        lt_vec3 apart = lt_v3_sub(lt_body_center(c.world, c.b), lt_body_center(c.world, c.a));
        CHECK(lt_v3_length(apart) > 0.17f);
        lt_world_destroy(c.world);
    }
}

/* ---- what was used ---- */

static void used_spheres_are_told(void) {
    for (uint32_t capacity = 0; capacity <= 400; capacity = 20 * capacity + 5) {
        lt_world_def def = sphere_world_def();
        def.sphere_tree.used_sphere_capacity = capacity;
        couple c = make_couple(&def, cube, cube, (lt_vec3){0.17f, 0.02f, 0.01f}, 1);
        lt_world_step(c.world, STEP_DT, lt_budget_unlimited());
        uint32_t count, wrong = 0;
        const lt_used_sphere *used = lt_world_used_spheres(c.world, &count);
        CHECK(count <= capacity && (count > 0) == (capacity > 0));
        for (uint32_t i = 0; i < count; i++)
            wrong += !lt_body_is_valid(c.world, used[i].body) || !(used[i].radius > 0) ||
                     used[i].level != 2 || !(used[i].error >= 0 && used[i].error <= 2 * used[i].radius);
        CHECK_COUNT(wrong, 0);
        lt_world_destroy(c.world);
    }
}

int main(void) {
    plain = cube_shape(0.2, 1);
    cube = cube_with_tree(0.2, 2, 2);
    ball = ball_with_tree(0.12, 1, 2);
    pebble = ball_with_tree(0.02, 1, 1);
    RUN(shapes_without_a_tree_are_refused);
    RUN(single_spheres_are_refused);
    RUN(impossible_options_are_refused);
    RUN(memory_may_run_out_anywhere);
    RUN(small_queues_leave_bodies_coarse);
    RUN(few_contacts_are_the_deepest);
    RUN(any_scale_works);
    RUN(coincident_bodies_are_parted);
    RUN(what_is_inside_is_pushed_out);
    RUN(looking_inside_is_charged);
    RUN(tolerances_save_work);
    RUN(significance_divides_the_tolerance);
    RUN(the_paper_loses_balance);
    RUN(used_spheres_are_told);
    lt_shape_release(plain);
    lt_shape_release(cube);
    lt_shape_release(ball);
    lt_shape_release(pebble);
    return check_finish();
}
