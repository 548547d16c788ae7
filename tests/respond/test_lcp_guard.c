/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Constrained response makes no energy, whatever its contacts say: sides metres apart, overlap, obstacles, huge numbers. */

#include "respond/lcp_fixture.h"

static const lt_rvec3 NO_GRAVITY = {0, 0, 0};
static const double DT = 1 / 60.0;

static lt_rvec3 random_in(lt_random *random, float reach) {
    lt_rvec3 v;
    v.x = (lt_real)lt_random_range(random, -reach, reach);
    v.y = (lt_real)lt_random_range(random, -reach, reach);
    v.z = (lt_real)lt_random_range(random, -reach, reach);
    return v;
}

/* Two cubes that have met and spin, the upper one then `reach` away at most; either model on either side. */
static rig *cubes_apart(lt_random *random, uint32_t trial, float reach, bool damped) {
    rig *r = rig_make(NO_GRAVITY, DT);
    cubes_def d = plain_cubes();
    if (trial % 4 < 2) d.model[trial % 2] = LT_MODEL_EXPLICIT_FEM;
    if (trial % 4 == 2) d.model[0] = d.model[1] = LT_MODEL_EXPLICIT_FEM;
    d.spin = lt_random_range(random, -20, 20);
    d.mass_damping = damped ? 3 : 0;
    rig_add_cubes(r, &d);
    lt_rvec3 away = random_in(random, reach);
    for (uint32_t node = 0; node < r->bodies[1].node_count; node++)
        lt_node_add(r->bodies[1].x, node, away, 1);
    return r;
}

/* ½ v·Av of all bodies: what their free motion has to give. */
static double stored_energy(const rig *r) {
    static lt_real y[RIG_REALS];
    double sum = 0;
    for (uint32_t b = 0; b < r->stage.body_count; b++) {
        const lt_lcp_body *body = &r->bodies[b];
        if (body->system) lt_soft_multiply(body->soft, body->system, y, body->v, lt_simd_best());
        for (uint32_t node = 0; node < body->node_count; node++) {
            lt_rvec3 v = lt_node_get(body->v, node);
            lt_rvec3 p = body->system ? lt_node_get(y, node) : lt_r3_scale(v, body->drag * body->mass[node]);
            sum += 0.5 * (double)lt_r3_dot(v, p);
        }
    }
    return sum;
}

/* What drag took, in all. */
static lt_dvec3 taken_of(const rig *r, bool angular) {
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < r->stage.body_count; i++) {
        const double *t = angular ? r->bodies[i].taken.angular : r->bodies[i].taken.linear;
        sum = lt_d3_add(sum, (lt_dvec3){t[0], t[1], t[2]});
    }
    return sum;
}

/* Momentum, law, and numbers that are. */
static void check_sound(const rig *r, const momenta *before, uint32_t trial) {
    momenta m = stage_momenta(&r->stage);
    double tolerance = by_build(3e-6, 1e-11);
    lt_dvec3 linear = lt_d3_add(m.linear, taken_of(r, false)),
             angular = lt_d3_add(m.angular, taken_of(r, true));
    double lost = lt_d3_distance(linear, before->linear) / before->linear_scale;
    double turned = lt_d3_distance(angular, before->angular) / before->angular_scale;
    bool ok = rig_is_finite(r) && rig_obeys_law(r) && lost < tolerance && turned < tolerance &&
              r->lcp.least_share >= 0 && r->lcp.least_share <= 1;
    CHECK(ok);
    if (!ok)
        fprintf(stderr, "trial %u: momentum %.2e, angular %.2e, law %d, share %.3f\n", trial, lost, turned,
                rig_obeys_law(r), (double)r->lcp.least_share);
}

/* What is fast is far from where it met at the end of its step: both sides then act at a place between them. */
static void places_far_apart_make_no_energy(void) {
    lt_random random = lt_random_seed(5);
    const uint32_t sweeps[4] = {0, 0, 1, 6};
    const float reaches[3] = {0.5f, 1, 4};
    double worst = 0;
    uint32_t scaled = 0;
    for (uint32_t trial = 0; trial < 480; trial++) {
        rig *r = cubes_apart(&random, trial, reaches[trial % 3], trial % 5 == 0);
        momenta before = stage_momenta(&r->stage);
        double most = stored_energy(r);
        rig_solve(r, sweeps[trial / 4 % 4]);
        check_sound(r, &before, trial);
        worst = lt_max_d(worst, rig_kinetic(r) / most);
        scaled += r->lcp.least_share < 1;
        CHECK((rig_approach(r) < 1e-5) == (r->lcp.unresolved == 0));
        rig_free(r);
    }
    printf("sides metres apart: %.7f of the energy at most, %u of 480 scaled\n", worst, scaled);
    CHECK(worst <= 1 + 3e-6);
    CHECK(scaled > 20);
}

/* Below the lower cube, under four of its nodes. */
static void add_obstacle(rig *r, lt_rvec3 velocity) {
    for (uint32_t i = 0; i < 4; i++) {
        lt_lcp_contact c = {.body_a = 0,
                            .body_b = LT_NONE,
                            .normal = {0, 0, 1},
                            .partner_velocity = velocity,
                            .friction = 0.5f};
        c.a = (lt_anchor){.ids = {i}, .weights = {1}, .count = 1};
        rig_add(r, &c);
    }
}

/* Contacts far from their sides are left alone and told; others of the same island are answered all the same. */
static void sound_contacts_are_answered_beside_others(void) {
    lt_random random = lt_random_seed(8);
    for (uint32_t trial = 0; trial < 40; trial++) {
        rig *r = cubes_apart(&random, trial, 0, false);
        lt_rvec3 away = {trial % 2 ? 4 : -4, (lt_real)(0.1 * trial), 0};
        for (uint32_t node = 0; node < r->bodies[1].node_count; node++)
            lt_node_add(r->bodies[1].x, node, away, 1);
        uint32_t far_count = r->contact_count;
        add_obstacle(r, (lt_rvec3){0, 0, 1});
        rig_solve(r, 0);
        CHECK(r->lcp.least_share == 1 && r->lcp.unresolved <= far_count);
        for (uint32_t node = 0; node < 4; node++)
            CHECK(lt_node_get(r->bodies[0].v, node).z > (lt_real)0.9999);
        rig_free(r);
    }
}

/* Overlap is undone at 1 m/s, and brings in no more than both bodies at three times that; so does a partner that moves. */
static void what_comes_from_outside_is_bounded(void) {
    lt_random random = lt_random_seed(6);
    for (uint32_t trial = 0; trial < 240; trial++) {
        rig *r = cubes_apart(&random, trial, trial % 4 ? 1 : 4, false);
        double asked = trial % 3 ? 1 : 0, mass = 0;
        for (uint32_t i = 0; i < r->contact_count; i++)
            r->contacts[i].gap = (lt_real)(trial % 3 ? -0.1 : 0.1);
        if (trial % 3 == 2) {
            add_obstacle(r, (lt_rvec3){0, (lt_real)1.8, (lt_real)2.4});
            asked = 3;
        }
        for (uint32_t b = 0; b < 2; b++)
            for (uint32_t node = 0; node < r->bodies[b].node_count; node++)
                mass += (double)r->bodies[b].mass[node];
        double most = stored_energy(r) * (1 + 3e-6) + 0.5 * mass * (3 * asked) * (3 * asked) * (1 + 1e-5);
        rig_solve(r, trial % 2 ? 0 : 3);
        CHECK(rig_is_finite(r) && rig_obeys_law(r));
        CHECK(rig_kinetic(r) <= most);
        rig_free(r);
    }
}

/* Two soft cubes that stand still, with contacts side by side that push opposite ways: cut anywhere, what that bends does not take more
 * energy than moving all at the speed that is asked for. */
static void cut_answers_bend_nothing_for_free(void) {
    lt_random random = lt_random_seed(8);
    for (uint32_t trial = 0; trial < 48; trial++) {
        rig *r = cubes_apart(&random, 3, 0, false);
        double mass = 0;
        for (uint32_t b = 0; b < 2; b++)
            for (uint32_t node = 0; node < r->bodies[b].node_count; node++) {
                mass += (double)r->bodies[b].mass[node];
                lt_node_set(r->bodies[b].v, node, (lt_rvec3){0, 0, 0});
            }
        for (uint32_t i = 0; i < r->contact_count; i++) {
            r->contacts[i].gap = (lt_real)-0.1; /* undone at 1 m/s */
            if (i % 2) r->contacts[i].normal = lt_r3_neg(r->contacts[i].normal);
        }
        double most = stored_energy(r) * (1 + 3e-6) + 0.5 * mass * (1 + 1e-5);
        rig_begin(r);
        lt_cursor sweeps = lt_lcp_cursor(&r->lcp);
        for (uint32_t piece = 0; piece < 12 * trial && sweeps.peek(sweeps.state).cost; piece++)
            sweeps.step(sweeps.state, 1);
        run_to_end(lt_lcp_exit_cursor(&r->lcp));
        CHECK(rig_is_finite(r) && rig_obeys_law(r));
        CHECK(stored_energy(r) <= most);
        rig_free(r);
    }
}

/* Velocities whose squares are beyond numbers leave none behind that is not one. */
static void numbers_stay_numbers(void) {
    lt_random random = lt_random_seed(7);
    for (uint32_t trial = 0; trial < 60; trial++) {
        rig *r = cubes_apart(&random, trial, 1e6f, false);
        double scale = by_build(1e18, 1e150);
        for (uint32_t b = 0; b < 2; b++)
            for (uint32_t node = 0; node < r->bodies[b].node_count; node++)
                lt_node_set(r->bodies[b].v, node,
                            lt_r3_scale(lt_node_get(r->bodies[b].v, node), (lt_real)scale));
        rig_solve(r, trial % 3);
        for (uint32_t i = 0; i < r->contact_count; i++)
            CHECK(lt_r3_is_finite(r->contacts[i].impulse));
        for (uint32_t b = 0; b < 2; b++)
            for (uint32_t node = 0; node < r->bodies[b].node_count; node++)
                CHECK(lt_r3_is_finite(lt_node_get(r->bodies[b].v, node)));
        rig_free(r);
    }
}

/* An impact where it belongs is answered in full, cut or not: nothing is scaled after one that has not begun. */
static void an_ordinary_impact_is_left_alone(void) {
    for (uint32_t trial = 0; trial < 24; trial++) {
        lt_random random = lt_random_seed(trial);
        rig *r = cubes_apart(&random, trial, 0, trial % 5 == 0);
        rig_solve(r, 0); /* no sweep, no other share */
        CHECK(r->lcp.least_share == 1 && r->lcp.unresolved == 0 && rig_approach(r) < 1e-5);
        rig_free(r);
    }
}

int main(void) {
    RUN(places_far_apart_make_no_energy);
    RUN(sound_contacts_are_answered_beside_others);
    RUN(what_comes_from_outside_is_bounded);
    RUN(cut_answers_bend_nothing_for_free);
    RUN(numbers_stay_numbers);
    RUN(an_ordinary_impact_is_left_alone);
    return check_finish();
}
