/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Multigrid bodies on little: the collision handling of one and the same step cut anywhere, and a thousand steps on almost
 * nothing. Momentum is kept, nothing explodes, fronts stay sound. */

#include "method/ladder_world.h"
#include "method/starving.h"

static lt_shape *shape, *brick;

/* ---- every budget ---- */

static void check_budget(lt_world *world, const saved *s, uint64_t units) {
    CHECK(load_world(world, s) == LT_OK);
    lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
    CHECK(world_is_finite(world) && fronts_are_sound(world));
    CHECK(report.momentum_error <= 1e-6 && report.blown_up == 0);
    CHECK(report_is_consistent(world, &report));
    CHECK_COUNT(unsound_contacts_of(world, false), 0);
    CHECK_COUNT(report.allocations, 0);
}

/* Of a step in which fronts change and bodies are in contact with each other and the floor: powers of ten, and every 37th unit
 * of some hundred at places all over the step. */
static void every_budget_is_sound(void) {
    lt_world_def def = multiscale_world_def();
    lt_world *world = make_tumbling(&def, shape);
    run(world, 5);
    saved s = save_world(world);
    uint32_t front = front_size(world, 1);
    lt_report full = run(world, 1);
    CHECK(full.contacts > 50 && full.pending == 0 && front_size(world, 1) != front);
    check_budget(world, &s, 0);
    for (uint64_t units = 1; units <= 10 * full.units; units *= 10)
        check_budget(world, &s, units);
    for (uint64_t place = 1; place < 6; place++)
        for (uint64_t i = 0; i < 3; i++)
            check_budget(world, &s, place * full.units / 6 + 37 * i);
    CHECK(load_world(world, &s) == LT_OK);
    uint64_t least = lt_world_step(world, STEP_DT, lt_budget_collision_units(0)).units;
    CHECK(least < full.units / 4);
    printf("%llu units in full, %llu in any case\n", full.units, (unsigned long long)least);
    drop_saved(&s);
    lt_world_destroy(world);
}

/* ---- a heap that nobody has time for ---- */

static float pile_height(lt_budget budget, lt_report *last) {
    lt_world_def def = multiscale_world_def();
    lt_world *world = make_world(&def);
    lt_body_id top = {0, 0};
    add_floor(world);
    for (int i = 0; i < 2; i++) {
        lt_body_def bd = multigrid_def(brick, (lt_vec3){0, 0.15f + 0.28f * (float)i, 0});
        top = add_body_def(world, &bd);
    }
    for (int i = 0; i < 150; i++) {
        *last = lt_world_step(world, STEP_DT, budget);
        CHECK(last->momentum_error <= 1e-6 && last->blown_up == 0 && fronts_are_sound(world));
    }
    float height = lt_body_center(world, top).y;
    lt_world_destroy(world);
    return height;
}

/* On nothing at all not one pair is ever decided: what stands in for contacts lets them fall, land on each other, and stay. */
static void who_waits_comes_down(void) {
    lt_report none;
    float height = pile_height(lt_budget_collision_units(0), &none);
    printf("the upper of two bricks of 0.2 m ends at %.4f m on nothing\n", height);
    CHECK(none.contacts == 0 && none.pending > 0 && none.held > 0 && none.sleeping == 0);
    CHECK_NEAR(height, 0.295, 0.01); /* the two sag */
}

/* ---- starvation ---- */

static starving make_starving_bricks(float threshold) {
    lt_world_def def = multiscale_world_def();
    starving s = {.world = make_world(&def)};
    add_floor(s.world);
    for (int i = 0; i < 2; i++) {
        lt_body_def bd = multigrid_def(brick, (lt_vec3){0.05f * (float)i, 0.25f + 0.3f * (float)i, 0.01f});
        bd.refine_threshold = threshold;
        s.bodies[i] = add_body_def(s.world, &bd);
    }
    return s;
}

/* Below 32,000 units there is only what is done in any case. */
static void starved_worlds_stay_calm(void) {
    const uint64_t budgets[] = {0, 1, 10, 100, 40000, 100000};
    const uint32_t steps[] = {1000, 60, 60, 60, 300, 300};
    for (uint32_t i = 0; i < LT_COUNT_OF(budgets); i++) {
        starving s = make_starving_bricks(0.01f);
        check_starving(&s, budgets[i], steps[i], false);
        CHECK(fronts_are_sound(s.world));
        lt_world_destroy(s.world);
    }
}

/* On and off, so that fronts change under contacts that are only held. */
static void feast_and_famine(void) {
    starving s = make_starving_bricks(0.05f);
    double start = start_energy(&s);
    uint32_t changes = 0, sizes[2] = {front_size(s.world, 0), front_size(s.world, 1)};
    for (uint32_t i = 0; i < 80; i++) {
        lt_report report = lt_world_step(s.world, STEP_DT,
                                         i % 10 < 7 ? lt_budget_unlimited() : lt_budget_collision_units(i));
        CHECK(report.energy <= 1.01 * start && report.blown_up == 0 && report.momentum_error <= 1e-6);
        for (uint32_t k = 0; k < 2; k++) {
            changes += front_size(s.world, k) != sizes[k];
            sizes[k] = front_size(s.world, k);
        }
    }
    printf("fronts changed %u times\n", changes);
    CHECK(changes > 5 && world_is_finite(s.world) && fronts_are_sound(s.world));
    lt_world_destroy(s.world);
}

int main(void) {
    static const uint32_t cells[3] = {3, 2, 1};
    shape = small_ladder();
    brick = ladder_cube(cells, 3);
    RUN(every_budget_is_sound);
    RUN(who_waits_comes_down);
    RUN(starved_worlds_stay_calm);
    RUN(feast_and_famine);
    lt_shape_release(shape);
    lt_shape_release(brick);
    return check_finish();
}
