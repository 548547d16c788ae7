/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A clamped bar of the project's own: finer meshes go to what beam theory says, and the models at rest agree with the
 * linear answer where loads are small. The outside truth is truth_cantilever. */

#include "bench/cantilever.h"
#include "body/soft_fixture.h"

static const double LENGTH = 1, SIDE = 0.25, YOUNG = 1e6, DENSITY = 1000;

static bool create_bar(cantilever *c, uint32_t cells) {
    lt_tet_mesh mesh;
    lt_status status =
        lt_generate_tet_block(&mesh, (lt_dvec3){LENGTH, SIDE, SIDE},
                              (const uint32_t[3]){4 * cells, cells, cells}, LT_TET_SPLIT_FIVE, NULL, NULL);
    bool ok = status == LT_OK && cantilever_create(c, &mesh, YOUNG, 0, DENSITY);
    lt_tet_mesh_free(&mesh);
    return ok;
}

/* Mean displacement of the free end along an axis. */
static double end_displacement(const cantilever *c, int axis) {
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t node = 0; node < c->soft.carrier.node_count; node++) {
        if (c->soft.carrier.rest[3 * (size_t)node] < LENGTH - 1e-9) continue;
        sum += c->displacement[3 * (size_t)node + (size_t)axis];
        count++;
    }
    return sum / count;
}

/* Poisson's ratio 0, so that the clamp does not matter: bending ρgL⁴·12/(8Ea²) and shear ρgL²/(2·⅚·G), G = E/2. */
static void finer_bars_bend_as_timoshenko_says(void) {
    const double g = 0.1;
    double expected = DENSITY * g * pow(LENGTH, 4) * 12 / (8 * YOUNG * SIDE * SIDE) +
                      DENSITY * g * LENGTH * LENGTH / (2 * 5.0 / 6 * YOUNG / 2);
    double found[3];
    for (int i = 0; i < 3; i++) {
        cantilever c;
        CHECK_FATAL(create_bar(&c, 1u << i));
        cantilever_linear(&c, (lt_dvec3){0, 0, -g}, by_build(1e-5, 1e-12), 3);
        CHECK_NEAR(c.relative_residual, 0, 1e-6);
        found[i] = -end_displacement(&c, 2);
        cantilever_free(&c);
    }
    double limit = found[2] + (found[2] - found[1]) / 3;
    printf("end sinks by %.4g, %.4g, %.4g of what a beam does; extrapolated %.4g\n", found[0] / expected,
           found[1] / expected, found[2] / expected, limit / expected);
    CHECK(found[0] < found[1] && found[1] < found[2] && found[2] < expected);
    CHECK_NEAR(limit / expected, 1, 0.06);
}

/* Pulled along: u(L) = ρ a L² / 2E, which linear tets hold but for the lumping of weight. */
static void a_hanging_bar_gets_longer(void) {
    cantilever c;
    CHECK_FATAL(create_bar(&c, 2));
    cantilever_linear(&c, (lt_dvec3){0.1, 0, 0}, by_build(1e-5, 1e-12), 3);
    double expected = DENSITY * 0.1 * LENGTH * LENGTH / (2 * YOUNG);
    CHECK_NEAR(end_displacement(&c, 0) / expected, 1, 0.01);
    CHECK_NEAR(end_displacement(&c, 2) / expected, 0, 0.01);
    cantilever_free(&c);
}

/* ω² of the shape that a weight along `axis` gives (Rayleigh's quotient): the work of the weight over twice the kinetic energy at rate 1,
 * by the masses that steps have, a quarter of each tet's on its corners. */
static double rate_squared(const cantilever *c, int axis, double g) {
    double work = 0, square = 0;
    for (uint32_t node = 0; node < c->soft.carrier.node_count; node++) {
        const double *u = c->displacement + 3 * (size_t)node;
        double mass = (double)c->soft.mass[node];
        work += mass * g * u[axis];
        square += mass * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    }
    return work / square;
}

/* The same quotient of a beam bent by its weight, shear included: plane sections turn, too. */
static double beam_rate_squared(double g) {
    enum { PARTS = 1000 };
    double bend = DENSITY * g * 12 / (24 * YOUNG * SIDE * SIDE), shear = DENSITY * g / (5.0 / 6 * YOUNG / 2);
    double work = 0, square = 0;
    for (int i = 0; i < PARTS; i++) {
        double x = (i + 0.5) * LENGTH / PARTS, l = LENGTH;
        double u = bend * x * x * (6 * l * l - 4 * l * x + x * x) + shear * (l * x - x * x / 2);
        double turn = bend * 4 * x * (3 * l * l - 3 * l * x + x * x);
        work += g * u;
        square += u * u + turn * turn * SIDE * SIDE / 12;
    }
    return work / square;
}

/* First frequencies, bent and stretched: 2.5 E/(ρL²) of the stretched shape, 1.3 % above π²/4. */
static void bars_swing_as_beams_do(void) {
    const double g = 0.1, stretched = 2.5 * YOUNG / (DENSITY * LENGTH * LENGTH);
    double found[3];
    for (int i = 0; i < 3; i++) {
        cantilever c;
        CHECK_FATAL(create_bar(&c, 1u << i));
        cantilever_linear(&c, (lt_dvec3){0, 0, g}, by_build(1e-5, 1e-12), 3);
        found[i] = sqrt(rate_squared(&c, 2, g) / beam_rate_squared(g));
        cantilever_linear(&c, (lt_dvec3){g, 0, 0}, by_build(1e-5, 1e-12), 3);
        CHECK_NEAR(sqrt(rate_squared(&c, 0, g) / stretched), 1, 0.02);
        cantilever_free(&c);
    }
    double limit = found[2] + (found[2] - found[1]) / 3;
    printf("frequency %.4g, %.4g, %.4g of a beam's; extrapolated %.4g\n", found[0], found[1], found[2],
           limit);
    CHECK(found[0] > found[1] && found[1] > found[2]);
    CHECK_NEAR(limit, 1, 0.03);
}

static void corotational_equilibrium_is_linear_for_small_loads(void) {
    cantilever c;
    CHECK_FATAL(create_bar(&c, 2));
    const double g = 0.1;
    cantilever_linear(&c, (lt_dvec3){0, 0, -g}, by_build(1e-5, 1e-12), 3);
    double linear = end_displacement(&c, 2);
    cantilever_equilibrium(&c, (lt_dvec3){0, 0, -g}, 4);
    CHECK_NEAR(end_displacement(&c, 2) / linear, 1, by_build(1e-3, 1e-5));
    cantilever_free(&c);
}

/* Both models, stepped through a damped second to rest under a load that bends the bar by half a percent. */
static void stepped_bars_come_to_the_linear_answer(void) {
    const double g = 0.1;
    for (int m = 0; m < 2; m++) {
        cantilever c;
        CHECK_FATAL(create_bar(&c, 1));
        cantilever_linear(&c, (lt_dvec3){0, 0, -g}, by_build(1e-5, 1e-12), 3);
        double linear = end_displacement(&c, 2);
        stage s = stage_make((lt_rvec3){0, 0, (lt_real)-g}, 1 / 60.0);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        def.material = (lt_material){.young = (float)YOUNG, .density = (float)DENSITY, .mass_damping = 15};
        lt_soft *soft = &s.bodies[stage_add_block(&s, (lt_dvec3){LENGTH, SIDE, SIDE},
                                                  (const uint32_t[3]){4, 1, 1}, &def)];
        cantilever_clamp(soft);
        CHECK_COUNT(soft->pin_count, 4);
        for (int step = 0; step < 120; step++)
            stage_step(&s);
        for (size_t i = 0; i < 3 * (size_t)soft->carrier.node_count; i++)
            c.displacement[i] = (double)soft->x[4 * (i / 3) + i % 3] - soft->carrier.rest[i];
        printf("%s: end at %.5g of the linear answer\n", model_word(soft->model),
               end_displacement(&c, 2) / linear);
        CHECK_NEAR(end_displacement(&c, 2) / linear, 1, 2e-3);
        stage_free(&s);
        cantilever_free(&c);
    }
}

int main(void) {
    RUN(finer_bars_bend_as_timoshenko_says);
    RUN(a_hanging_bar_gets_longer);
    RUN(bars_swing_as_beams_do);
    RUN(corotational_equilibrium_is_linear_for_small_loads);
    RUN(stepped_bars_come_to_the_linear_answer);
    return check_finish();
}
