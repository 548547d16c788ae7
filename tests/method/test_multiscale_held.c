/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Who is held because it had no turn, or because there was no time to look again: surfaces that start apart stay apart on any budget,
 * bodies get on all the same, cuts make no energy, and who hangs in the air does not fall asleep there.
 *
 * labels: heavy */

#include "method/multiscale_world.h"
#include "world/world.h"

static lt_shape *cube, *knot;

/* Three soft cubes, each a little above the other, the last one more or less beside the middle of those below. */
static lt_world *make_stack(float aside, float above) {
    lt_world_def def = multiscale_world_def();
    lt_world *world = make_world(&def);
    for (uint32_t i = 0; i < 3; i++) {
        lt_body_def bd = lt_body_def_default();
        bd.shape = cube;
        bd.position = (lt_vec3){0.01f * (float)i, 0.101f + 0.202f * (float)i, 0.02f * (float)(i % 2)};
        if (i == 2) bd.position = (lt_vec3){aside, bd.position.y + above, 0};
        bd.self_collision = false;
        bd.material.young = 1e5f;
        bd.material.mass_damping = 0;
        add_body_def(world, &bd);
    }
    add_floor(world);
    return world;
}

typedef struct tally {
    uint32_t crossed, held, cut; /* steps */
    double momentum, rise;       /* J above the least so far */
    float top;                   /* m, the last cube's height in the end */
} tally;

static tally run_stack(lt_world *world, uint64_t units, uint32_t steps) {
    tally t = {0};
    double least = INFINITY;
    for (uint32_t i = 0; i < steps; i++) {
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
        uint32_t crossings = 0;
        for (uint32_t k = 0; k < 2; k++)
            crossings += count_crossings(world, lt_world_body_at(world, k), lt_world_body_at(world, k + 1));
        t.crossed += crossings > 0;
        t.held += report.held > 0;
        t.cut += report.interrupted > 0;
        t.momentum = lt_max_d(t.momentum, report.momentum_error);
        least = lt_min_d(least, report.energy);
        t.rise = lt_max_d(t.rise, report.energy - least);
        CHECK(report.allocations == 0 && report_is_consistent(world, &report));
    }
    t.top = lt_body_center(world, lt_world_body_at(world, 2)).y;
    lt_world_destroy(world);
    return t;
}

/* On what is a twentieth to a half of a step, which may take 3 million units. */
static void what_is_apart_stays_apart(void) {
    const uint64_t budgets[] = {0, 100000, 170000, 240000, 330000, 450000, 550000, 700000, 1200000};
    for (uint32_t i = 0; i < LT_COUNT_OF(budgets); i++) {
        tally t = run_stack(make_stack(0.02f, 0), budgets[i], 50);
        printf(
            "stack on %7llu units: %u steps crossed, %u held, %u cut, momentum %.1e, energy rises %.3f J\n",
            (unsigned long long)budgets[i], t.crossed, t.held, t.cut, t.momentum, t.rise);
        CHECK_COUNT(t.crossed, 0);
        CHECK(t.held > 5 && t.cut > 40);
        CHECK(t.momentum <= 1e-6);
        CHECK(t.rise < 0.7); /* a hundredth of what there is */
    }
}

/* The last one falls down from 5 cm above, beyond the edge of the others: as without a limit it topples. Where its edge is pressed into
 * the face below there is no plane between the two, and turns that took several steps are about other ways: a few steps may cross. (450
 * of the 960 did when boxes held them.) */
static void who_is_held_gets_on(void) {
    const uint64_t budgets[] = {170000, 280000, 450000, 700000};
    uint32_t crossed = 0;
    for (uint32_t i = 0; i < LT_COUNT_OF(budgets); i++) {
        tally t = run_stack(make_stack(0.13f, 0.05f), budgets[i], 240);
        printf("beside on %7llu units: %u steps crossed, %u held, it ends at %.3f m\n",
               (unsigned long long)budgets[i], t.crossed, t.held, (double)t.top);
        CHECK(t.top < 0.13f);
        crossed += t.crossed;
    }
    CHECK(crossed <= 4);
}

/* ---- energy ---- */

static double rise_of_knot(uint64_t units) {
    lt_world_def def = multiscale_world_def();
    lt_world *world = make_world(&def);
    lt_body_def bd = lt_body_def_default();
    bd.shape = knot;
    bd.position = (lt_vec3){0, 0.35f, 0};
    bd.rotation = (lt_quat){0.38f, 0, 0, 0.925f};
    add_body_def(world, &bd);
    add_floor(world);
    double least = INFINITY, rise = 0;
    for (int i = 0; i < 120; i++) {
        double energy = lt_world_step(world, STEP_DT, lt_budget_collision_units(units)).energy;
        least = lt_min_d(least, energy);
        rise = lt_max_d(rise, energy - least);
    }
    lt_world_destroy(world);
    return rise;
}

static void cuts_make_no_energy(void) {
    for (uint64_t units = 40000; units <= 200000; units += 20000) {
        double rise = rise_of_knot(units);
        printf("knot on %7llu units: energy rises %.4f J\n", (unsigned long long)units, rise);
        CHECK(rise < 1);
    }
}

/* ---- in each other ---- */

/* Whole turns are cut, and long ones do not look for crossings: they come by them, and the two are parted. */
static void who_is_in_another_is_found_out(void) {
    lt_world_def def = multiscale_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    lt_world *world = make_world(&def);
    lt_body_id a = add_body(world, cube, (lt_vec3){0, 0.5f, 0});
    lt_body_id b = add_body(world, cube, (lt_vec3){0.03f, 0.685f, 0.02f});
    uint32_t tangled = 0, cut = 0;
    CHECK(count_crossings(world, a, b) > 0);
    for (int i = 0; i < 240; i++) {
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(105000));
        tangled += report.tangled > 0;
        cut += report.interrupted > 0;
    }
    printf("cubes in each other: %u steps known to be, %u cut, %u crossings left\n", tangled, cut,
           count_crossings(world, a, b));
    CHECK(cut > 20 && tangled > 0);
    CHECK_COUNT(count_crossings(world, a, b), 0);
    lt_world_destroy(world);
}

/* ---- sleep ---- */

/* Nothing is ever decided: it stands on what stands in for its contacts with the floor, and sleeps only when these are known. */
static void who_is_held_does_not_sleep(void) {
    lt_world_def def = multiscale_world_def();
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_id body = add_body(world, cube, (lt_vec3){0, 0.13f, 0});
    lt_report report = step_many(world, 120, lt_budget_collision_units(0));
    CHECK(report.held > 0 && report.sleeping == 0 && report.contacts == 0);
    CHECK_NEAR(surface_low(world, body).y, 0, 0.002);
    report = run(world, 120);
    CHECK_NEAR(surface_low(world, body).y, 0, 0.002);
    CHECK(report.pending == 0 && report.sleeping == 1);
    lt_world_destroy(world);
}

int main(void) {
    cube = cube_with_boxes(0.2, 4);
    knot = make_knot(0.2, 1200);
    RUN(what_is_apart_stays_apart);
    RUN(who_is_held_gets_on);
    RUN(cuts_make_no_energy);
    RUN(who_is_in_another_is_found_out);
    RUN(who_is_held_does_not_sleep);
    lt_shape_release(cube);
    lt_shape_release(knot);
    return check_finish();
}
