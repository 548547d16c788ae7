/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Free flight of a block that spins and vibrates: momentum, energy, falling. Nothing damps it. */

#include "body/soft_fixture.h"

/* A block with three different sides, spinning about no axis of symmetry and stretched by a tenth along one side. */
static lt_soft *add_spinner(stage *s, lt_model model, double away) {
    lt_soft_def def = plain_def(model);
    def.velocity = (lt_vec3){0.5f, -0.2f, 0.3f};
    def.angular_velocity = (lt_vec3){2, 1, -3};
    def.position = (lt_dvec3){away, 0, -away};
    uint32_t body = stage_add_block(s, (lt_dvec3){0.6, 0.3, 0.2}, (const uint32_t[3]){4, 2, 2}, &def);
    lt_soft *soft = &s->bodies[body];
    lt_real left = (lt_real)away;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        soft->x[4 * (size_t)node] = left + (soft->x[4 * (size_t)node] - left) * (lt_real)1.1;
    return soft;
}

/* Angular momentum about the origin far away is dominated by that of the centre: compare about the centre. */
static lt_dvec3 spin_of(const lt_soft *soft) {
    momenta m = momenta_of(soft);
    lt_dvec3 center = {0, 0, 0};
    double mass = 0;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        center = lt_d3_mad(center, d3_of_node(soft->x, node), (double)soft->mass[node]);
        mass += (double)soft->mass[node];
    }
    return lt_d3_sub(m.angular, lt_d3_scale(lt_d3_cross(center, m.linear), 1 / mass));
}

static void momentum_is_conserved(void) {
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft *soft = add_spinner(&s, BOTH_MODELS[m], 0);
        momenta before = momenta_of(soft);
        double worst_linear = 0, worst_angular = 0;
        for (int i = 0; i < 200; i++) {
            stage_step(&s);
            momenta now = momenta_of(soft);
            worst_linear = lt_max_d(worst_linear, lt_d3_distance(now.linear, before.linear));
            worst_angular = lt_max_d(worst_angular, lt_d3_distance(now.angular, before.angular));
        }
        printf("%s: momentum off by %.2g, angular by %.2g\n", model_word(soft->model),
               worst_linear / before.linear_scale, worst_angular / before.angular_scale);
        CHECK_NEAR(worst_linear / before.linear_scale, 0, by_build(1e-6, 1e-12));
        CHECK_NEAR(worst_angular / before.angular_scale, 0, by_build(1e-6, 1e-11));
        CHECK(soft->substeps > 1 || soft->model == LT_MODEL_COROTATIONAL);
        stage_free(&s);
    }
}

static void spin_is_conserved_far_from_the_origin(void) {
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft *soft = add_spinner(&s, BOTH_MODELS[m], 100);
        lt_dvec3 before = spin_of(soft);
        for (int i = 0; i < 30; i++)
            stage_step(&s);
        /* Positions have steps of 8e-6 m here: 3e-5 of the short side, each sub-step anew. */
        CHECK_NEAR(lt_d3_distance(spin_of(soft), before) / lt_d3_length(before), 0, by_build(1e-3, 1e-10));
        CHECK(shape_error(soft) < 0.2);
        stage_free(&s);
    }
}

static void falling_gains_m_g_t(void) {
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){1, -2, (lt_real)-9.81}, 1 / 60.0);
        lt_soft *soft = add_spinner(&s, BOTH_MODELS[m], 0);
        lt_dvec3 before = momenta_of(soft).linear, spin = spin_of(soft);
        lt_rvec3 from = lt_soft_center(soft);
        for (int i = 0; i < 60; i++)
            stage_step(&s);
        double time = 60 * (double)s.dt, mass = (double)soft->total_mass;
        lt_dvec3 gravity = {(double)s.gravity.x, (double)s.gravity.y, (double)s.gravity.z};
        lt_dvec3 expected = lt_d3_mad(before, gravity, mass * time);
        CHECK_NEAR(lt_d3_distance(momenta_of(soft).linear, expected) / lt_d3_length(expected), 0,
                   by_build(3e-6, 1e-7)); /* mass and gravity are known to float */
        CHECK_NEAR(lt_d3_distance(spin_of(soft), spin) / lt_d3_length(spin), 0, by_build(1e-4, 1e-10));
        /* implicit Euler falls half a step further: z = v t + g (t² + t dt) / 2 */
        double late = soft->model == LT_MODEL_COROTATIONAL ? (double)s.dt : 0;
        double fall = before.z / mass * time + gravity.z * time * (time + late) / 2;
        CHECK_NEAR((double)lt_soft_center(soft).z - (double)from.z, fall, fabs(fall) * by_build(1e-5, 1e-7));
        stage_free(&s);
    }
}

/* A cold body at rest in no gravity does not move at all; in gravity it falls without deforming. */
static void a_body_at_rest_stays(void) {
    for (int m = 0; m < 2; m++) {
        for (int g = 0; g < 2; g++) {
            stage s = stage_make((lt_rvec3){0, 0, g ? -10 : 0}, 1 / 60.0);
            lt_soft_def def = plain_def(BOTH_MODELS[m]);
            lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.5, 2, &def)];
            for (int i = 0; i < 60; i++)
                stage_step(&s);
            CHECK_NEAR(shape_error(soft), 0, by_build(2e-5, 1e-13));
            if (!g) CHECK_NEAR(lt_soft_speed(soft), 0, by_build(1e-4, 1e-12)); /* 1e-5 of the wave speed */
            stage_free(&s);
        }
    }
}

/* Waves that the mesh resolves: lengthwise, two nodal planes, strain 0.03 at most. */
static void explicit_energy_drifts_little(void) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    lt_soft *soft = add_spinner(&s, LT_MODEL_EXPLICIT_FEM, 0);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        const double *r = soft->carrier.rest + 3 * (size_t)node;
        double moved = r[0] - 0.03 * 0.6 / 3.14159265 * cos(3.14159265 * r[0] / 0.6);
        lt_node_set(soft->x, node, (lt_rvec3){(lt_real)moved, (lt_real)r[1], (lt_real)r[2]});
    }
    double before = total_energy(soft), elastic = lt_soft_elastic_energy(soft), lowest = before,
           highest = before;
    uint32_t substeps = 0;
    while (substeps < 1000) {
        stage_step(&s);
        substeps += soft->substeps;
        lowest = lt_min_d(lowest, total_energy(soft));
        highest = lt_max_d(highest, total_energy(soft));
    }
    printf("explicit-fem: energy %+.2g and %+.2g in %u sub-steps, share of vibration %.2g\n",
           (lowest - before) / before, (highest - before) / before, substeps, elastic / before);
    CHECK(elastic > 0.03 * before);
    CHECK_NEAR(lowest / before, 1, 0.01);
    CHECK_NEAR(highest / before, 1, 0.001);
    stage_free(&s);
}

/* A shock (every node let go at once) holds waves as short as the mesh, which Runge and Kutta damp: energy is lost,
 * and never gained. */
static void a_shock_gains_no_energy(void) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    lt_soft *soft = add_spinner(&s, LT_MODEL_EXPLICIT_FEM, 0);
    double before = total_energy(soft), last = before, rise = 0;
    for (int i = 0; i < 40; i++) {
        stage_step(&s);
        rise = lt_max_d(rise, total_energy(soft) - last);
        last = total_energy(soft);
    }
    printf("explicit-fem: a shock leaves %.3g of the energy, worst rise in a step %.2g\n", last / before,
           rise / before);
    CHECK(rise < 0.001 * before);
    CHECK(last > 0.8 * before);
    stage_free(&s);
}

/* Implicit Euler loses energy in every step. Spinning, it moves nodes along tangents and keeps angular momentum: the
 * body is stretched by ½(ωΔt)², which costs kinetic energy again in the next steps; so the sum may swing by that
 * share, but it does not grow. */
static void implicit_energy_never_rises(void) {
    const float spins[3] = {0, 2, 10};
    for (int i = 0; i < 3; i++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft *soft = add_spinner(&s, LT_MODEL_COROTATIONAL, 0);
        lt_rvec3 center = lt_soft_center(soft), axis = {spins[i], -spins[i], spins[i] / 2};
        for (uint32_t node = 0; node < soft->carrier.node_count; node++)
            lt_node_set(soft->v, node, lt_r3_cross(axis, lt_r3_sub(lt_node_get(soft->x, node), center)));
        double first = total_energy(soft), last = first, rise = 0, early = 0, late = 0;
        for (int step = 0; step < 200; step++) {
            stage_step(&s);
            double now = total_energy(soft);
            rise = lt_max_d(rise, (now - last) / first);
            double *half = step < 100 ? &early : &late;
            *half = lt_max_d(*half, now);
            last = now;
        }
        double angle = (double)(lt_r3_length(axis) * s.dt);
        printf("corotational, %.2g rad a step: energy %.3g -> %.3g, worst rise in a step %.2g\n", angle,
               first, last, rise);
        CHECK(rise <= by_build(1e-6, 1e-12) + angle * angle);
        CHECK(early <= first * (1 + angle * angle));
        CHECK(late <= early && last < first);
        stage_free(&s);
    }
}

/* Drag: m v' = −α m v for all nodes alike, with either model. */
static void mass_damping_slows_everything(void) {
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 0.01);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        def.material.mass_damping = 0.5f;
        def.velocity = (lt_vec3){1, 2, 3};
        lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.5, 2, &def)];
        for (int i = 0; i < 100; i++)
            stage_step(&s);
        double expected =
            soft->model == LT_MODEL_COROTATIONAL ? pow(1 + 0.5 * (double)s.dt, -100) : exp(-0.5);
        CHECK_NEAR(lt_soft_momentum(soft).y / soft->total_mass, 2 * expected, by_build(1e-5, 1e-6));
        stage_free(&s);
    }
}

/* Viscous stress slows deformation, not motion: spin and speed stay, the vibration dies. */
static void stiffness_damping_slows_deformation_only(void) {
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft *soft = add_spinner(&s, BOTH_MODELS[m], 0);
        soft->material.stiffness_damping = 0.01f;
        momenta before = momenta_of(soft);
        double stretched = lt_soft_elastic_energy(soft);
        for (int i = 0; i < 60; i++)
            stage_step(&s);
        momenta now = momenta_of(soft);
        CHECK_NEAR(lt_d3_distance(now.linear, before.linear) / before.linear_scale, 0, by_build(1e-6, 1e-12));
        CHECK_NEAR(lt_d3_distance(now.angular, before.angular) / before.angular_scale, 0,
                   by_build(2e-6, 1e-11));
        CHECK(lt_soft_elastic_energy(soft) < 0.1 * stretched);
        stage_free(&s);
    }
}

/* Steps so short that implicit Euler's own damping (as much as a stiffness damping of Δt) is small beside the
 * material's. */
static void stiffness_damping_is_the_materials(void) {
    double left[2], with_damping[2];
    for (int m = 0; m < 2; m++) {
        for (int damped = 0; damped < 2; damped++) {
            stage s = stage_make((lt_rvec3){0, 0, 0}, 5e-4);
            lt_soft_def def = plain_def(BOTH_MODELS[m]);
            def.material.stiffness_damping = damped ? 0.005f : 0;
            lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.3, 1, &def)];
            for (uint32_t node = 0; node < soft->carrier.node_count; node++)
                soft->x[4 * (size_t)node] *= (lt_real)1.05;
            double before = total_energy(soft);
            for (int i = 0; i < 60; i++)
                stage_step(&s);
            left[damped] = total_energy(soft) / before;
            stage_free(&s);
        }
        printf("%s: %.3g of the energy left without damping, %.3g with\n", model_word(BOTH_MODELS[m]),
               left[0], left[1]);
        CHECK(left[0] > 0.8);
        CHECK(left[1] < 0.4 * left[0]);
        with_damping[m] = left[1];
    }
    CHECK_NEAR(with_damping[0], with_damping[1], 0.05);
}

/* The sums a world reports, by hand. */
static void sums_over_nodes_are_right(void) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 0.01);
    lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
    def.velocity = (lt_vec3){1, 2, 2};
    def.position = (lt_dvec3){5, 6, 7};
    def.scale = 2;
    lt_soft *soft = &s.bodies[stage_add_block(&s, (lt_dvec3){1, 2, 0.5}, (const uint32_t[3]){2, 4, 1}, &def)];
    CHECK_NEAR(soft->total_mass, 8000, 1e-3); /* 1 m³ × 2³ × 1000 kg/m³ */
    CHECK_NEAR(lt_soft_momentum(soft).y, 16000, 1e-2);
    CHECK_NEAR(lt_soft_kinetic_energy(soft), 36000, 36000 * 1e-6);
    CHECK_NEAR(lt_soft_speed(soft), 3, 1e-6);
    CHECK_NEAR(lt_soft_elastic_energy(soft), 0, by_build(1e-4, 1e-18));
    CHECK_NEAR(lt_soft_center(soft).x, 6, 1e-5);
    CHECK_NEAR(lt_soft_center(soft).y, 8, 1e-5);
    CHECK_NEAR(lt_soft_center(soft).z, 7.5, 1e-5);
    CHECK_NEAR(soft->size, sqrt(4 + 16 + 1.0), 1e-5);
    stage_free(&s);
}

int main(void) {
    RUN(momentum_is_conserved);
    RUN(spin_is_conserved_far_from_the_origin);
    RUN(falling_gains_m_g_t);
    RUN(a_body_at_rest_stays);
    RUN(explicit_energy_drifts_little);
    RUN(a_shock_gains_no_energy);
    RUN(implicit_energy_never_rises);
    RUN(mass_damping_slows_everything);
    RUN(stiffness_damping_slows_deformation_only);
    RUN(stiffness_damping_is_the_materials);
    RUN(sums_over_nodes_are_right);
    return check_finish();
}
