/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The method sphere-tree cut after every unit: whatever the budget, contacts are sound, counts agree, forces balance,
 * linear and angular, nothing is allocated, and the budget is kept but for what the method says is always done: boxes,
 * broad phase, the roots, and the response to what is known.
 * labels: wasm */

#include "method/pile.h"
#include "method/sphere_world.h"
#include "world/world.h"

static lt_shape *cube, *ball;

static lt_world *make_heap(lt_model model, bool pinned) {
    pile p = pile_of(cube, ball);
    p.model = model;
    p.pinned = pinned;
    return make_pile(sphere_world_def(), &p);
}

/* ---- balance of the couplings ---- */

/* |Σ f| / Σ|f| and |Σ x × f| / Σ|x||f| of what contacts between bodies would do to the nodes, each pushed along its
 * normal and dragged across it. */
static void check_balance(lt_world *world, uint64_t units) {
    lt_report report = {0};
    lt_budget budget = lt_budget_collision_units(units);
    lt_arena_reset(&world->arena);
    lt_meter_begin(&world->meter, &budget, LT_UNLIMITED);
    for (uint32_t i = 0; i < lt_body_slots(world); i++)
        lt_soft_plan(lt_soft_at(world, i), STEP_DT);
    lt_method_step step = lt_method_step_of(world, STEP_DT, &report);
    world->method->before_motion(world->method_state, &step);
    lt_dvec3 force = {0, 0, 0}, torque = {0, 0, 0};
    double forces = 1e-30, torques = 1e-30;
    for (uint32_t i = 0; i < step.coupling_count; i++) {
        const lt_coupling *c = &step.couplings[i];
        CHECK(c->stiffness > 0 && c->stiffness < (lt_real)1e30 && c->depth - c->depth == 0);
        if (c->body_b == LT_NONE) continue;
        lt_rvec3 aside =
            c->depth > 0 ? (lt_rvec3){c->normal.y, c->normal.z, c->normal.x} : (lt_rvec3){0, 0, 0};
        lt_rvec3 f = lt_r3_scale(lt_r3_mad(c->normal, aside, (lt_real)0.3), c->stiffness * (lt_real)0.001);
        const lt_anchor *anchors[2] = {&c->a, &c->b};
        for (int side = 0; side < 2; side++) {
            const lt_soft *soft = lt_soft_at(world, side ? c->body_b : c->body_a);
            for (uint32_t k = 0; k < anchors[side]->count; k++) {
                lt_rvec3 x = lt_node_get(soft->x, anchors[side]->ids[k]);
                lt_dvec3 at = {(double)x.x, (double)x.y, (double)x.z};
                double w = (double)anchors[side]->weights[k] * (side ? -1 : 1);
                lt_dvec3 push = {w * (double)f.x, w * (double)f.y, w * (double)f.z};
                force = lt_d3_add(force, push);
                torque = lt_d3_add(torque, lt_d3_cross(at, push));
                forces += lt_d3_length(push);
                torques += lt_d3_length(at) * lt_d3_length(push);
            }
        }
    }
    CHECK(lt_d3_length(force) <= 1e-6 * forces);
    CHECK(lt_d3_length(torque) <= 1e-6 * torques);
}

/* ---- every budget ---- */

static lt_report try_budget(lt_world *world, const saved *s, uint64_t units, uint64_t boxes) {
    CHECK(load_world(world, s) == LT_OK);
    check_balance(world, units);
    CHECK(load_world(world, s) == LT_OK);
    lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
    CHECK_COUNT(unsound_contacts_of(world, false), 0);
    CHECK(report_is_consistent(world, &report));
    CHECK(world_is_finite(world));
    CHECK(report.momentum_error <= 1e-6);
    CHECK_COUNT(report.allocations, 0);
    CHECK(report.imbalance == 0);
    CHECK_COUNT(report.interrupted, report.pending > 0);
    CHECK(report.gap_error >= 0 && report.gap_error < 10);
    CHECK(report.units <= lt_max_u64(units, always_done(&report) + boxes));
    CHECK_COUNT(report.problems & ~(unsigned long long)LT_PROBLEM_ITERATIONS, 0);
    return report;
}

static void sweep(lt_world *world, const char *name, uint32_t tries) {
    saved s = save_world(world);
    lt_report full = lt_world_step(world, STEP_DT, lt_budget_unlimited());
    uint64_t full_hash = lt_world_hash(world);
    CHECK(full.contacts > 10 && full.interrupted == 0 && full.pending == 0 && full.approximate == 0);
    CHECK(load_world(world, &s) == LT_OK);
    lt_report least = lt_world_step(world, STEP_DT, lt_budget_collision_units(0));
    CHECK_COUNT(least.tested, 0);
    CHECK(least.interrupted && least.pending > 0 && least.gap_error >= full.gap_error);
    uint64_t boxes = least.cuts.units[LT_STAGE_BOUND], tested = 0, budgets = 0, falls = 0;
    for (uint64_t units = 0; units <= full.units; budgets++) {
        lt_report report = try_budget(world, &s, units, boxes);
        falls += report.tested < tested;
        tested = report.tested;
        units += units < 10 ? 1 : 1 + full.units / tries;
    }
    /* More budget, more work, but where contacts become finer and more is set aside for them. */
    CHECK(falls <= 6);
    lt_report roomy =
        try_budget(world, &s, 4 * full.units + 1000000, boxes); /* reserves are of the worst case */
    CHECK_COUNT(roomy.tested, full.tested);
    CHECK(lt_world_hash(world) == full_hash);
    printf("%s: %llu units in full, %llu contacts, %llu budgets\n", name, full.units, full.contacts,
           (unsigned long long)budgets);
    drop_saved(&s);
}

static void every_budget_is_sound_from_nothing(void) {
    lt_world *world = make_heap(LT_MODEL_COROTATIONAL, false);
    sweep(world, "fresh", 60);
    lt_world_destroy(world);
}

static void every_budget_is_sound_with_held_contacts(void) {
    lt_world *world = make_heap(LT_MODEL_COROTATIONAL, false);
    step_many(world, 5, lt_budget_collision_units(4000));
    run(world, 2);
    sweep(world, "held", 60);
    lt_world_destroy(world);
}

static void every_budget_is_sound_for_explicit_bodies(void) {
    lt_world *world = make_heap(LT_MODEL_EXPLICIT_FEM, false);
    sweep(world, "explicit", 10);
    lt_world_destroy(world);
}

/* A step that may do everything does everything, whatever was left before. */
static void a_full_budget_after_a_cut_finds_all(void) {
    lt_world *world = make_heap(LT_MODEL_COROTATIONAL, true);
    lt_report full = run(world, 1);
    for (uint64_t units = 0; units < full.units; units += 1 + full.units / 12) {
        lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
        lt_report report = run(world, 1);
        CHECK_COUNT(report.pending, 0);
        CHECK_COUNT(report.predicted, 0);
        CHECK_COUNT(report.approximate, 0);
        CHECK_COUNT(report.exact, full.exact);
        CHECK_COUNT(report.tested, full.tested);
    }
    lt_world_destroy(world);
}

/* Nothing is left for ever: with half of what all takes every pair has had its turn after some steps, and holds what it
 * found, on coarser spheres where the budget cannot answer more. */
static void every_pair_has_its_turn(void) {
    lt_world *world = make_heap(LT_MODEL_COROTATIONAL, true);
    saved s = save_world(world);
    static lt_contact all[2048];
    uint32_t count;
    lt_report full = run(world, 1);
    memcpy(all, lt_world_contacts(world, &count), full.contacts * sizeof *all);
    CHECK(load_world(world, &s) == LT_OK);
    lt_report report = step_many(world, 12, lt_budget_collision_units(full.units / 2));
    CHECK_COUNT(missing_contacts(all, count, world, 2), 0);
    CHECK(report.contacts > 0 && report.age_max < 12);
    drop_saved(&s);
    lt_world_destroy(world);
}

int main(void) {
    cube = cube_with_tree(0.2, 2, 2);
    ball = ball_with_tree(0.12, 1, 2);
    RUN(every_budget_is_sound_from_nothing);
    RUN(every_budget_is_sound_with_held_contacts);
    RUN(every_budget_is_sound_for_explicit_bodies);
    RUN(a_full_budget_after_a_cut_finds_all);
    RUN(every_pair_has_its_turn);
    lt_shape_release(cube);
    lt_shape_release(ball);
    return check_finish();
}
