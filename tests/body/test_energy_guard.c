/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Passivity of implicit steps (implicit_energy.c): a body that has more energy than it had and work was done on it loses just that, out of
 * its velocity of deformation; it is said in energy_taken. Nothing is taken of others. */

#include "body/soft_fixture.h"

enum { MOST_NODES = 64, ALLOWED = 0 /* soft->energy: what there may be */ };

static const lt_rvec3 NO_GRAVITY = {0, 0, 0};
static const double SHORT = 1 / 480.0; /* s: a step that swinging outlasts */

static lt_soft *add_cube(stage *s, double beta) {
    lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
    def.material.young = 2e4f;
    def.material.stiffness_damping = (lt_real)beta;
    uint32_t body = stage_add_cube(s, 0.2, 2, &def);
    CHECK(s->bodies[body].carrier.node_count <= MOST_NODES);
    return &s->bodies[body];
}

/* Velocities that spread, shear and turn the body, and take it along. */
static void excite(lt_soft *soft, double speed) {
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_rvec3 x = lt_node_get(soft->x, node);
        double a = ((double)x.x - 0.1) * 10 * speed, b = ((double)x.y - 0.1) * 10 * speed;
        lt_node_set(soft->v, node,
                    (lt_rvec3){(lt_real)(a + b), (lt_real)(0.8 * a + 0.05), (lt_real)(-0.5 * b)});
    }
}

/* Kinetic energy of all that is no rigid motion. */
static double deforming_energy(const lt_soft *soft) {
    lt_rvec3 center = lt_soft_center(soft);
    lt_twist momentum = {{0}, {0}};
    lt_real rigid[4 * MOST_NODES] = {0};
    double sum = 0;
    lt_twist_add_momentum(&momentum, soft, soft->v, center);
    lt_twist_give(rigid, soft, center, &momentum);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_rvec3 off = lt_r3_sub(lt_node_get(soft->v, node), lt_node_get(rigid, node));
        sum += (double)soft->mass[node] / 2 * (double)lt_r3_length_squared(off);
    }
    return sum;
}

/* ---- nothing is taken ---- */

/* Gravity, a force, a floor of springs, pins: all that does work is counted. */
static void nothing_is_taken_where_work_was_done(void) {
    for (int what = 0; what < 4; what++) {
        stage s = stage_make(what == 0 ? (lt_rvec3){0, 0, (lt_real)-9.81} : NO_GRAVITY, 1 / 60.0);
        lt_soft *soft = add_cube(&s, 1e-4);
        double taken = 0, most = 0;
        if (what == 2) excite(soft, 0.2);
        if (what == 3) {
            soft->pinned[0] = 1;
            soft->pin_count = 1;
            lt_node_set(soft->pin_target, 0, lt_node_get(soft->x, 0));
            s.gravity = (lt_rvec3){0, 0, (lt_real)-9.81};
        }
        for (int step = 0; step < 90; step++) {
            for (uint32_t node = 0; node < 9 && what == 1; node++)
                lt_node_add(soft->force, node, (lt_rvec3){0, (lt_real)(step % 20), 1}, 1);
            CHECK(stage_step(&s));
            taken += (double)soft->energy_taken;
            most = lt_max_d(most, total_energy(soft));
        }
        CHECK(most > 1e-3);
        CHECK_NEAR(taken, 0, 0);
        stage_free(&s);
    }
}

/* ---- what is too much ---- */

typedef struct outcome {
    double taken, deforming, energy;
    momenta after;
} outcome;

/* A swinging body of which `excess` is not allowed, as a share of what it has beside its rigid motion. */
static outcome step_with_excess(double share, double *excess) {
    stage s = stage_make(NO_GRAVITY, SHORT);
    lt_soft *soft = add_cube(&s, 0);
    outcome out = {0};
    excite(soft, 0.3);
    for (int step = 0; step < 3; step++)
        CHECK(stage_step(&s));
    CHECK(soft->energy[ALLOWED] >= 0 && soft->energy_taken == 0);
    out.deforming = deforming_energy(soft);
    double over = (double)soft->energy[ALLOWED] - total_energy(soft);
    *excess = share * out.deforming;
    soft->energy[ALLOWED] -= (lt_real)(over + *excess);
    CHECK(stage_step(&s));
    out.taken = (double)soft->energy_taken;
    out.energy = total_energy(soft);
    out.after = momenta_of(soft);
    stage_free(&s);
    return out;
}

static void just_the_excess_is_taken(void) {
    static const double shares[] = {0.2, 0.5, 0.9};
    double excess;
    outcome as_it_is = step_with_excess(0, &excess);
    CHECK(as_it_is.taken == 0 && as_it_is.deforming > 0.05 * as_it_is.energy);
    for (size_t i = 0; i < LT_COUNT_OF(shares); i++) {
        outcome o = step_with_excess(shares[i], &excess);
        /* Sums are in float: the thousandth part of all that there is may be no excess. */
        CHECK_NEAR(o.taken, excess, 2e-3 * as_it_is.energy);
        CHECK(o.energy < as_it_is.energy - 0.2 * excess);
        double moved = lt_d3_distance(o.after.linear, as_it_is.after.linear) / o.after.linear_scale;
        double turned = lt_d3_distance(o.after.angular, as_it_is.after.angular) / o.after.angular_scale;
        CHECK(moved < 1e-6 && turned < 1e-5); /* it goes on as it did */
    }
}

/* More than its deformation has: that is taken, and the rest in the steps that follow, until it is paid. Its rigid motion pays nothing. */
static void what_velocity_cannot_pay_stays_owed(void) {
    stage s = stage_make(NO_GRAVITY, SHORT);
    lt_soft *soft = add_cube(&s, 0);
    excite(soft, 0.3);
    for (int step = 0; step < 6; step++)
        CHECK(stage_step(&s));
    double deforming = deforming_energy(soft), elastic = lt_soft_elastic_energy(soft);
    double rigid = lt_soft_kinetic_energy(soft) - deforming, taken = 0;
    CHECK_FATAL(elastic > 0.02 * deforming);
    lt_real allowed = (lt_real)(rigid + elastic / 4);
    soft->energy[ALLOWED] = allowed;
    uint32_t payments = 0;
    for (int step = 0; step < 200; step++) {
        CHECK(stage_step(&s));
        taken += (double)soft->energy_taken;
        payments += soft->energy_taken > 0;
        if (step == 0) CHECK_NEAR(soft->energy_taken / deforming, 1, 1e-3);
        CHECK(soft->energy[ALLOWED] <= allowed * (lt_real)1.001);
    }
    double end = total_energy(soft);
    CHECK(payments > 1 && taken > deforming);
    CHECK(end <= 1.002 * (double)allowed && end > 0.98 * rigid);
    stage_free(&s);
}

/* Places that a caller sets mean another energy, which is not known: nothing is held against it. */
static void what_a_caller_gives_is_not_taken(void) {
    stage s = stage_make(NO_GRAVITY, SHORT);
    lt_soft *soft = add_cube(&s, 0);
    for (int step = 0; step < 3; step++)
        CHECK(stage_step(&s));
    excite(soft, 0.5);
    double given = lt_soft_kinetic_energy(soft);
    CHECK(stage_step(&s));
    CHECK(soft->energy_taken == 0 && total_energy(soft) > 0.3 * given);
    stage_free(&s);
}

/* ---- where tets are inverted ---- */

/* A cube that is turned inside out along an axis, all at once: its forces are no guess at what it does. What it has at the end of a step is
 * taken before anyone sees it. */
static void what_is_inside_out_gains_nothing(void) {
    stage s = stage_make(NO_GRAVITY, 1 / 60.0);
    lt_soft *soft = add_cube(&s, 0);
    for (int step = 0; step < 2; step++)
        CHECK(stage_step(&s));
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_rvec3 x = lt_node_get(soft->x, node);
        x.z = (lt_real)0.1 - (lt_real)0.4 * (x.z - (lt_real)0.1);
        lt_node_set(soft->x, node, x);
    }
    double held = lt_soft_elastic_energy(soft), taken = 0;
    uint32_t inverted_steps = 0;
    for (int step = 0; step < 20; step++) {
        CHECK(stage_step(&s));
        taken += (double)soft->energy_taken;
        inverted_steps += soft->inverted_count > 0;
        double most = (double)soft->energy[ALLOWED], energy = total_energy(soft);
        CHECK(energy <= most + 2e-3 * energy || deforming_energy(soft) <= 1e-5 * held);
    }
    CHECK(inverted_steps > 0 && taken > 0.01 * held);
    stage_free(&s);
}

int main(void) {
    RUN(nothing_is_taken_where_work_was_done);
    RUN(just_the_excess_is_taken);
    RUN(what_velocity_cannot_pay_stays_owed);
    RUN(what_a_caller_gives_is_not_taken);
    RUN(what_is_inside_out_gains_nothing);
    return check_finish();
}
