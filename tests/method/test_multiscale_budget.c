/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The method multiscale on little: cut anywhere momentum is kept and nothing explodes, who waits is held as lt_world_def.multiscale.pending
 * says, and nobody waits for ever. */

#include "method/multiscale_work.h"
#include "method/multiscale_world.h"
#include "method/starving.h"
#include "world/world.h"

static lt_shape *cube, *brick, *ball;

static void starve(uint64_t units, lt_pending pending, lt_shape *lower, uint32_t steps) {
    lt_world_def def = multiscale_world_def();
    def.multiscale.pending = pending;
    starving s = make_starving(&def, LT_MODEL_COROTATIONAL, lower, ball);
    check_starving(&s, units, steps, false);
    if (units >= 500000) {
        CHECK(surface_low(s.world, s.bodies[0]).y > 0);
        CHECK(lt_body_center(s.world, s.bodies[1]).y > 0.05f);
        CHECK_COUNT(count_crossings(s.world, s.bodies[0], s.bodies[1]), 0);
    }
    lt_world_destroy(s.world);
}

static void starved_worlds_stay_calm(void) {
    const uint64_t budgets[] = {0, 1, 100, 3000, 10000, 30000, 60000, 120000, 250000, 1000000};
    for (uint32_t i = 0; i < LT_COUNT_OF(budgets); i++)
        for (int pending = 0; pending < LT_PENDING_COUNT; pending++)
            starve(budgets[i], (lt_pending)pending, brick, 60);
    starve(20000, LT_PENDING_CLAMP, cube, 100);
}

/* Nothing is ever decided: boxes hold what falls on the floor, unless that is not wanted. */
static void who_waits_is_held_as_it_is_said(void) {
    float low[LT_PENDING_COUNT];
    uint64_t held[LT_PENDING_COUNT] = {0};
    for (int pending = 0; pending < LT_PENDING_COUNT; pending++) {
        lt_world_def def = multiscale_world_def();
        def.multiscale.pending = (lt_pending)pending;
        lt_world *world = make_world(&def);
        add_floor(world);
        lt_body_id body = add_body(world, brick, (lt_vec3){0, 0.13f, 0});
        for (int i = 0; i < 40; i++) {
            lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(0));
            held[pending] += report.held;
            CHECK(report.pending > 0 || report.contacts == 0);
            CHECK(report.momentum_error <= 1e-6);
        }
        low[pending] = surface_low(world, body).y;
        lt_world_destroy(world);
    }
    CHECK(low[LT_PENDING_CLAMP] > -0.03f && held[LT_PENDING_CLAMP] > 10);
    CHECK(low[LT_PENDING_PENALTY] > low[LT_PENDING_IGNORE] + 0.5f && held[LT_PENDING_PENALTY] > 10);
    CHECK(low[LT_PENDING_IGNORE] < -1 && held[LT_PENDING_IGNORE] == 0);
}

/* Contacts that are known go on with no budget at all. */
static void held_contacts_carry(void) {
    lt_world_def def = multiscale_world_def();
    def.sleeping = false;
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_id lower = add_body(world, cube, (lt_vec3){0, 0.1004f, 0});
    lt_body_id upper = add_body(world, cube, (lt_vec3){0.01f, 0.3009f, 0});
    lt_report report = run(world, 40);
    CHECK(report.contacts > 8 && report.exact == report.contacts);
    float before = surface_low(world, upper).y;
    report = step_many(world, 60, lt_budget_collision_units(0));
    CHECK(report.predicted == report.contacts && report.contacts > 5 && report.age_max == 60);
    CHECK(surface_low(world, lower).y > -0.005f);
    CHECK_NEAR(surface_low(world, upper).y, before, 0.01);
    report = run(world, 60);
    CHECK(report.exact == report.contacts && report.pending == 0);
    CHECK_COUNT(count_crossings(world, lower, upper), 0);
    lt_world_destroy(world);
}

/* Two cubes and a ball at rest on each other. */
static lt_world *make_stack_in(lt_world_def def) {
    def.sleeping = false;
    lt_world *world = make_world(&def);
    add_floor(world);
    add_body(world, cube, (lt_vec3){0, 0.1004f, 0});
    add_body(world, cube, (lt_vec3){0.01f, 0.3009f, 0});
    add_body(world, ball, (lt_vec3){0, 0.525f, 0});
    run(world, 40);
    return world;
}

static lt_world *make_stack(void) {
    return make_stack_in(multiscale_world_def());
}

static bool are_at_one_place(const lt_contact_record *x, const lt_contact_record *y) {
    float apart = 0;
    for (int k = 0; k < 4; k++)
        apart += fabsf(x->touch.own.weights[k] - y->touch.own.weights[k]) +
                 fabsf(x->touch.other.weights[k] - y->touch.other.weights[k]);
    return x->touch.own.tet == y->touch.own.tet && x->touch.other.tet == y->touch.other.tet && apart < 1e-3f;
}

/* Contacts of one pair whose features follow each other: the later gave way to one that it is the same as. */
static uint32_t count_twins(const lt_world *world) {
    const lt_contact_list *list = world->method->contacts(world->method_state);
    uint32_t twins = 0;
    for (uint32_t i = 1; i < list->count; i++) {
        const lt_contact_record *x = &list->records[i - 1], *y = &list->records[i];
        bool of_one_pair = x->a == y->a && x->kind == y->kind && x->b == y->b;
        twins += of_one_pair && y->feature - x->feature == 1 && are_at_one_place(x, y);
    }
    return twins;
}

/* What a turn finds before it is cut goes on as well: as one contact, not as two. */
static void what_a_cut_turn_finds_again_is_one_contact(void) {
    lt_world *world = make_stack();
    saved s = save_world(world);
    uint32_t twins = 0, cut = 0;
    for (uint64_t units = 200000; units < 900000; units += 10000) {
        CHECK(load_world(world, &s) == LT_OK);
        for (int i = 0; i < 3; i++) {
            lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
            cut += report.pending > 0 && report.approximate > 0;
            twins += count_twins(world);
        }
    }
    CHECK(cut > 5);
    CHECK_COUNT(twins, 0);
    drop_saved(&s);
    lt_world_destroy(world);
}

/* But for what is done in any case: looking ahead is not. */
static void a_step_takes_no_more_than_its_units(void) {
    lt_world *world = make_stack();
    saved s = save_world(world);
    uint64_t least = lt_world_step(world, STEP_DT, lt_budget_collision_units(0)).units, most = 0;
    for (uint64_t units = least; units < 2 * least; units += 1 + least / 50) {
        CHECK(load_world(world, &s) == LT_OK);
        uint64_t used = lt_world_step(world, STEP_DT, lt_budget_collision_units(units)).units;
        most = lt_max_u64(most, used > units ? used - units : 0);
    }
    if (!(most <= least / 200))
        CHECK_FAIL_MESSAGE("%llu units beyond the budget, of %llu in any case", (unsigned long long)most,
                           (unsigned long long)least);
    drop_saved(&s);
    lt_world_destroy(world);
}

/* Sweeps are priced with caution, and come in pieces of any size: where ends of answers had their price, a heap of bears set aside up to
 * three times what they took, and used a third of its time. By this clock a piece takes a tick, whatever it does, and an end is one. */
static void ends_of_answers_have_a_price_of_their_own(void) {
    fake_clock clock = {.tick_ns = 1000};
    lt_world_def def = multiscale_world_def();
    def.clock_ns = fake_clock_now;
    def.clock_context = &clock;
    lt_world *world = make_stack_in(def);
    const double *prices = world->meter.ns_per_unit;
    uint64_t nodes = 0;
    for (uint32_t i = 0; i < 3; i++)
        nodes += lt_multi_exit_nodes_units(lt_soft_at(world, i));
    step_many(world, 400, lt_budget_collision_us(3000));
    printf("a unit of an end %.3f ns, of a sweep %.3f\n", prices[LT_WORK_EXIT], prices[LT_WORK_RESPOND]);
    CHECK(prices[LT_WORK_EXIT] <= 1.1 * 1000 / (double)nodes && prices[LT_WORK_EXIT] > 0);
    CHECK(prices[LT_WORK_RESPOND] > 2 * prices[LT_WORK_EXIT]);
    lt_world_destroy(world);
}

/* Momentum at every cut of one and the same step. */
static void momentum_is_kept_wherever_a_step_is_cut(void) {
    lt_world_def def = multiscale_world_def();
    lt_world *world = make_world(&def);
    lt_body_def bd = lt_body_def_default();
    bd.shape = cube;
    bd.velocity = (lt_vec3){1, 0, 0};
    bd.position = (lt_vec3){-0.11f, 1, 0};
    add_body_def(world, &bd);
    bd.shape = ball;
    bd.velocity = (lt_vec3){-2, 0.3f, 0};
    bd.position = (lt_vec3){0.14f, 1.01f, 0.01f};
    add_body_def(world, &bd);
    saved s = save_world(world);
    uint64_t whole = run(world, 1).units;
    uint32_t cut = 0;
    for (uint64_t units = 0; units < whole + whole / 50; units += 1 + whole / 80) {
        CHECK(load_world(world, &s) == LT_OK);
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
        cut += report.interrupted != 0;
        CHECK(report.momentum_error <= 1e-6 && world_is_finite(world));
        CHECK(report_is_consistent(world, &report));
    }
    CHECK(cut > 50);
    drop_saved(&s);
    lt_world_destroy(world);
}

/* Who never comes to the end of a turn has waited all the time: a turn that was cut is none. */
static void latency_counts_what_is_not_decided(void) {
    lt_world_def def = multiscale_world_def();
    def.sleeping = false;
    lt_world *world = make_world(&def);
    add_floor(world);
    add_body(world, cube, (lt_vec3){0, 0.101f, 0});
    for (uint64_t i = 0; i < 12; i++) {
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(0));
        CHECK(report.pending > 0);
        CHECK_COUNT(report.latency, i + 1);
    }
    CHECK_COUNT(lt_world_step(world, STEP_DT, lt_budget_unlimited()).latency, 0);
    lt_world_destroy(world);
}

/* Nine cubes on a floor, and what one turn takes a step: from turn to turn nobody waits longer than there are pairs. */
static void nobody_waits_for_ever(void) {
    lt_world_def def = multiscale_world_def();
    def.sleeping = false;
    lt_world *world = make_world(&def);
    add_floor(world);
    for (int i = 0; i < 9; i++)
        add_body(world, brick, (lt_vec3){0.21f * (float)(i % 3), 0.101f, 0.21f * (float)(i / 3)});
    lt_report report = run(world, 2);
    uint64_t base = lt_world_step(world, STEP_DT, lt_budget_collision_units(0)).units, longest = 0,
             pending = 0;
    CHECK(report.pending == 0);
    for (int i = 0; i < 60; i++) {
        report = lt_world_step(world, STEP_DT, lt_budget_collision_units(base + 12000));
        pending = lt_max_u64(pending, report.pending);
        longest = lt_max_u64(longest, report.latency);
    }
    printf("%llu pairs wait at most, %llu steps\n", (unsigned long long)pending, (unsigned long long)longest);
    CHECK(pending > 5 && longest <= 40);
    lt_world_destroy(world);
}

int main(void) {
    cube = cube_with_boxes(0.2, 2);
    brick = cube_with_boxes(0.2, 1);
    ball = ball_with_boxes(0.12, 1);
    RUN(starved_worlds_stay_calm);
    RUN(who_waits_is_held_as_it_is_said);
    RUN(held_contacts_carry);
    RUN(what_a_cut_turn_finds_again_is_one_contact);
    RUN(a_step_takes_no_more_than_its_units);
    RUN(ends_of_answers_have_a_price_of_their_own);
    RUN(momentum_is_kept_wherever_a_step_is_cut);
    RUN(latency_counts_what_is_not_decided);
    RUN(nobody_waits_for_ever);
    lt_shape_release(cube);
    lt_shape_release(brick);
    lt_shape_release(ball);
    return check_finish();
}
