/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two bodies that fall on a floor and on each other with next to no budget.
 *
 * The start is the energy the world was made with: two bodies at rest in the air, kinetic and elastic 0, and
 * gravitational counted from where they would lie on the floor (the report counts it from y = 0). */

#ifndef LITHE_TESTS_METHOD_STARVING_H
#define LITHE_TESTS_METHOD_STARVING_H

#include "world/fixture.h"

typedef struct starving {
    lt_world *world;
    lt_body_id bodies[2];
} starving;

static inline starving make_starving(const lt_world_def *def, lt_model model, lt_shape *lower,
                                     lt_shape *upper) {
    starving s = {.world = make_world(def)};
    add_floor(s.world);
    lt_body_def bd = lt_body_def_default();
    bd.model = model;
    bd.shape = lower;
    bd.position = (lt_vec3){0, 0.25f, 0};
    s.bodies[0] = add_body_def(s.world, &bd);
    bd.shape = upper;
    bd.position = (lt_vec3){0.05f, 0.55f, 0.01f};
    s.bodies[1] = add_body_def(s.world, &bd);
    return s;
}

static inline double start_energy(const starving *s) {
    double energy = 0;
    for (int i = 0; i < 2; i++)
        energy += 9.81 * (double)lt_body_mass(s->world, s->bodies[i]) *
                  (double)lt_body_center(s->world, s->bodies[i]).y;
    return energy;
}

/* Steps on so many units: never a NaN, energy never above its start, momentum kept, nothing allocated. */
static inline void check_starving(starving *s, uint64_t units, uint32_t steps, bool have_points) {
    double start = start_energy(s), worst_error = 0;
    uint64_t allocations = 0;
    for (uint32_t i = 0; i < steps; i++) {
        lt_report report = lt_world_step(s->world, STEP_DT, lt_budget_collision_units(units));
        worst_error = lt_max_d(worst_error, report.momentum_error);
        allocations += report.allocations;
        if (!(report.energy <= 1.01 * start) || report.blown_up) {
            CHECK_FAIL_MESSAGE("%llu units: energy %g of %g, %llu blown up, step %u",
                               (unsigned long long)units, report.energy, start, report.blown_up, i);
            break;
        }
    }
    CHECK(worst_error <= 1e-6 && world_is_finite(s->world));
    CHECK_COUNT(allocations, 0);
    CHECK_COUNT(unsound_contacts_of(s->world, have_points), 0);
}

/* From riches to rags: contacts that are known go on being answered with no budget at all. */
static inline void check_held_contacts_carry(lt_world_def def, lt_shape *cube, uint32_t least_contacts,
                                             uint32_t most_contacts) {
    for (int model = 0; model <= LT_MODEL_EXPLICIT_FEM; model++) {
        def.sleeping = false;
        lt_world *world = make_world(&def);
        add_floor(world);
        lt_body_def bd = lt_body_def_default();
        bd.shape = cube;
        bd.position = (lt_vec3){0, 0.0995f, 0};
        bd.model = (lt_model)model;
        lt_body_id body = add_body_def(world, &bd);
        lt_report report = run(world, 1); /* and not one more look at them */
        CHECK(report.contacts >= least_contacts && report.contacts <= most_contacts);
        report = step_many(world, 120, lt_budget_collision_units(0));
        CHECK(report.contacts > 0 && report.momentum_error <= 1e-6);
        CHECK_NEAR(surface_low(world, body).y, 0, 0.004);
        lt_world_destroy(world);
    }
}

#endif
