/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The method tet-hash: a cycle finds the same whatever budgets it is spread over; at any budget contacts are sound, momentum is
 * kept and nothing is allocated; what comes fast is seen in time; starved worlds stay calm. Mode paper is held to the same where
 * it can be; test_tet_hash_paper.c has the rest. */

#include "method/pile.h"
#include "method/starving.h"
#include "world/scenes.h"
#include "world/world.h"

static busy_shapes shapes;
static lt_mode mode;

static lt_world_def hash_world_def(void) {
    lt_world_def def = test_world_def();
    def.method = LT_METHOD_TET_HASH;
    def.mode = mode;
    return def;
}

static lt_world *make_heap(bool pinned) {
    pile p = pile_of(shapes.cube, shapes.ball);
    p.places[1].y -= 0.02f; /* deeper than a hair */
    p.pinned = pinned;
    return make_pile(hash_world_def(), &p);
}

static const lt_contact_list *contacts_of(const lt_world *world) {
    return world->method->contacts(world->method_state);
}

/* ---- one cycle, any number of steps ---- */

static bool same_touch(const lt_contact_record *x, const lt_contact_record *y) {
    const lt_touch *s = &x->touch, *t = &y->touch;
    return lt_contact_compare(x, y) == 0 && s->body == t->body && s->point == t->point &&
           s->other.tet == t->other.tet &&
           memcmp(s->other.weights, t->other.weights, sizeof s->other.weights) == 0 &&
           memcmp(&s->normal, &t->normal, sizeof s->normal) == 0 && s->depth == t->depth &&
           s->area == t->area && s->approximate == t->approximate;
}

static uint32_t different_touches(const lt_world *x, const lt_world *y) {
    const lt_contact_list *a = contacts_of(x), *b = contacts_of(y);
    uint32_t wrong = a->count != b->count;
    for (uint32_t i = 0; i < lt_min_u32(a->count, b->count); i++)
        wrong += !same_touch(&a->records[i], &b->records[i]);
    return wrong;
}

/* Nothing moves: what a cycle found when it was cut often is what it finds at once. */
static void budgets_change_no_depth(void) {
    lt_world *whole = make_heap(true);
    lt_report full = run(whole, 1);
    CHECK(full.contacts > 20 && full.interrupted == 0 && full.depth_max > 0.01);
    uint64_t cycle = full.cuts.units[LT_STAGE_DETECT], rest = full.units - cycle;
    uint32_t longest = 0;
    for (uint32_t parts = 1; parts <= 40; parts += 1 + parts / 2) {
        lt_world *world = make_heap(true);
        uint32_t steps = 0;
        lt_report report;
        do {
            report = lt_world_step(world, STEP_DT,
                                   lt_budget_collision_units(rest + cycle / parts + 100 * (steps % 3)));
            CHECK_COUNT(unsound_contacts_of(world, false), 0);
            CHECK(report_is_consistent(world, &report));
        } while (++steps < 300 && report.interrupted);
        CHECK_COUNT(report.interrupted + report.pending, 0);
        CHECK_COUNT(report.latency, steps);
        CHECK_COUNT(different_touches(whole, world), 0);
        longest = lt_max_u32(longest, steps);
        lt_world_destroy(world);
    }
    CHECK(longest >= 12);
    lt_world_destroy(whole);
}

/* ---- every budget ---- */

static void try_budget(lt_world *world, const saved *s, uint64_t units) {
    CHECK(load_world(world, s) == LT_OK);
    for (int i = 0; i < 3; i++) { /* a cycle goes on where it was cut */
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
        CHECK_COUNT(unsound_contacts_of(world, false), 0);
        CHECK(report_is_consistent(world, &report) && world_is_finite(world));
        CHECK(report.momentum_error <= 1e-6);
        CHECK_COUNT(report.allocations + report.blown_up, 0);
        CHECK_COUNT(report.interrupted, report.pending > 0);
        CHECK(report.cuts.units[LT_STAGE_DETECT] == 0 || report.units <= units);
        CHECK_COUNT(report.problems & ~(unsigned long long)LT_PROBLEM_ITERATIONS, 0);
    }
}

static void sweep(lt_world *world, uint32_t tries) {
    saved s = save_world(world);
    lt_report full = lt_world_step(world, STEP_DT, lt_budget_unlimited());
    CHECK(full.contacts > 10 && full.interrupted == 0 && full.pending == 0);
    CHECK(load_world(world, &s) == LT_OK);
    lt_report none = lt_world_step(world, STEP_DT, lt_budget_collision_units(0));
    CHECK(none.interrupted && none.pending > 0);
    for (uint64_t units = 0; units <= full.units; units += units < 6 ? 1 : 1 + full.units / tries)
        try_budget(world, &s, units);
    drop_saved(&s);
}

static void every_budget_is_sound(void) {
    lt_world *world = make_heap(false);
    sweep(world, 16);
    step_many(world, 7, lt_budget_collision_units(5000)); /* in the midst of a cycle */
    sweep(world, 16);
    lt_world_destroy(world);
}

/* What hashes and asks everything once in a step is enough for everybody to stay above the floor. */
static void smallest_useful_budget_holds_the_floor(void) {
    for (int model = 0; model <= LT_MODEL_EXPLICIT_FEM; model++)
        for (uint32_t factor = 1; factor <= 3; factor += 2) {
            lt_world_def def = hash_world_def();
            def.sleeping = false;
            starving s = make_starving(&def, (lt_model)model, shapes.cube, shapes.ball);
            lt_report report = run(s.world, 1);
            CHECK(report.useful_units > 100);
            for (uint32_t i = 0; i < 80; i++) {
                uint64_t rest = report.units - report.cuts.units[LT_STAGE_DETECT];
                report = lt_world_step(s.world, STEP_DT,
                                       lt_budget_collision_units(rest + factor * report.useful_units));
                CHECK(report.momentum_error <= 1e-6 && report.allocations == 0);
                for (int body = 0; body < 2; body++)
                    CHECK(lt_body_center(s.world, s.bodies[body]).y > 0.02f);
            }
            for (int body = 0; body < 2; body++)
                CHECK(surface_low(s.world, s.bodies[body]).y > -0.02f);
            CHECK(world_is_finite(s.world));
            lt_world_destroy(s.world);
        }
}

static lt_world *make_wall_and_cube(lt_shape *wall, float x, lt_body_id *cube) {
    lt_world_def def = hash_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    lt_world *world = make_world(&def);
    lt_body_def bd = lt_body_def_default();
    bd.shape = wall;
    lt_body_pin_box(world, add_body_def(world, &bd), (lt_vec3){-9, -9, -9}, (lt_vec3){9, 9, 9});
    bd.shape = shapes.cube;
    bd.position.x = x;
    bd.velocity.x = -3;
    *cube = add_body_def(world, &bd);
    return world;
}

/* A cube at 3 m/s, a quarter of its side in a step, against a wall that is a body, on a quarter of its longest cycle a step:
 * wherever it is when a cycle begins, it is seen in time. */
static void what_comes_fast_is_met(void) {
    lt_shape *wall = block_shape(0.2, 0.8, 0.8, 1, 4, 4);
    lt_body_id cube;
    for (uint32_t start = 0; start < 8; start += 2) {
        float x = 1.3f + 0.05f * (float)start, deepest = 1;
        lt_world *world = make_wall_and_cube(wall, x, &cube);
        uint64_t longest = 0;
        for (uint32_t i = 0; i < 50; i++)
            longest = lt_max_u64(longest, run(world, 1).cuts.units[LT_STAGE_DETECT]);
        lt_world_destroy(world);
        world = make_wall_and_cube(wall, x, &cube);
        lt_report report = {0};
        for (uint32_t i = 0; i < 50; i++) {
            uint64_t rest = report.units - report.cuts.units[LT_STAGE_DETECT];
            report = lt_world_step(world, STEP_DT, lt_budget_collision_units(rest + longest / 4));
            deepest = lt_min_f(deepest, lt_body_center(world, cube).x);
        }
        CHECK(deepest > 0.17f && lt_body_momentum(world, cube).x > 0);
        CHECK_COUNT(report.contacts, 0); /* it is away again */
        lt_world_destroy(world);
    }
    lt_shape_release(wall);
}

/* ---- starvation ---- */

static void starved_worlds_stay_calm(void) {
    const uint64_t budgets[] = {0, 1, 100, 1000, 3000};
    for (uint32_t i = 0; i < LT_COUNT_OF(budgets); i++) {
        lt_world_def def = hash_world_def();
        starving s = make_starving(&def, LT_MODEL_COROTATIONAL, shapes.cube, shapes.ball);
        check_starving(&s, budgets[i], i == 0 ? 300 : 100, false);
        if (i == 0) {
            lt_report report = lt_world_step(s.world, STEP_DT, lt_budget_collision_units(0));
            CHECK(report.pending > 0 && report.interrupted && report.contacts == 0);
        }
        lt_world_destroy(s.world);
    }
}

static void held_contacts_carry(void) {
    check_held_contacts_carry(hash_world_def(), shapes.cube, 9, 26);
}

/* A tenth of what a cycle takes, in every step: cycles end, all of them, and no contact gets older than two of them. */
static void a_tenth_of_a_cycle_ends_it(void) {
    lt_world *world = make_heap(true);
    lt_report full = run(world, 1), report = {0};
    uint64_t cycle = full.cuts.units[LT_STAGE_DETECT], oldest = 0, ended = 0;
    for (uint32_t i = 0; i < 120; i++) {
        report = lt_world_step(world, STEP_DT, lt_budget_collision_units(full.units - cycle + cycle / 10));
        oldest = lt_max_u64(oldest, report.age_max);
        ended += !report.interrupted;
    }
    CHECK(report.latency >= 9 && report.latency <= 14);
    CHECK(oldest >= report.latency - 1 && oldest <= 2 * report.latency);
    CHECK(ended >= 120 / 14 && ended <= 120 / 9 + 1);
    CHECK_COUNT(report.contacts, full.contacts);
    lt_world_destroy(world);
}

/* ---- what ends ---- */

/* Put aside, but not so far that their boxes part: contacts stay until the cycle that no longer finds them is through. */
static void contacts_go_when_a_cycle_ends(void) {
    lt_world_def def = hash_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    def.sleeping = false;
    lt_world *world = make_world(&def);
    lt_body_def bd = lt_body_def_default();
    bd.shape = shapes.cube;
    add_body_def(world, &bd);
    bd.rotation = (lt_quat){0, 0, 0.3826834f, 0.9238795f}; /* its face before the other's edge */
    bd.position = (lt_vec3){0.16f, 0.16f, 0};
    lt_body_id body = add_body_def(world, &bd);
    lt_report report = run(world, 1);
    CHECK(report.contacts > 0);
    uint64_t cycle = report.cuts.units[LT_STAGE_DETECT], rest = report.units - cycle;
    lt_vec3 nodes[64];
    uint32_t count = lt_body_node_count(world, body), steps = 0;
    CHECK_FATAL(count <= 64);
    lt_body_get_nodes(world, body, nodes, NULL);
    for (uint32_t i = 0; i < count; i++)
        nodes[i] = lt_v3_add(nodes[i], (lt_vec3){0.05f, 0.05f, 0});
    CHECK(lt_body_set_nodes(world, body, nodes, NULL, NULL) == LT_OK);
    do {
        CHECK(steps == 0 || report.contacts > 0);
        report = lt_world_step(world, STEP_DT, lt_budget_collision_units(rest + cycle / 12));
    } while (report.interrupted && ++steps < 20);
    CHECK(steps >= 2 && steps < 20);
    CHECK_COUNT(report.contacts, 0);
    lt_world_destroy(world);
}

int main(void) {
    shapes = make_busy_shapes();
    for (int i = 0; i < LT_MODE_COUNT; i++) { /* what holds as printed, too */
        mode = (lt_mode)i;
        RUN(budgets_change_no_depth);
        RUN(every_budget_is_sound);
        RUN(starved_worlds_stay_calm);
    }
    mode = LT_MODE_SAFE;
    RUN(smallest_useful_budget_holds_the_floor);
    RUN(what_comes_fast_is_met);
    RUN(held_contacts_carry);
    RUN(a_tenth_of_a_cycle_ends_it);
    RUN(contacts_go_when_a_cycle_ends);
    drop_busy_shapes(&shapes);
    return check_finish();
}
