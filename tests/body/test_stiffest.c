/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies that are stiffer than a step can tell from rigid, Δt² E / (ρ L²) above 1e6: computed with what a step can tell, they keep their
 * shape, get no energy from nothing, rest where those rest that are just within, and nothing jumps where Δt leads across the border.
 * At the border and below nothing is changed. */

#include "body/contact_fixture.h"

static const double GRAVITY = 9.81, TOP = 1e6, LAST_BIT = 0x1p-23; /* of float, in every build */

static lt_soft_def cube_def(double young, double density) {
    lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
    def.material.young = (float)young;
    def.material.density = (float)density;
    def.tolerance = 1e-4f;
    return def;
}

/* Of a cube of this side: the number is 1e6. */
static double young_at_top(double side, double density, double dt) {
    return TOP * density * side * side / (dt * dt);
}

static void spin(lt_soft *soft, double rate) {
    lt_rvec3 center = lt_soft_center(soft);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_rvec3 arm = lt_r3_sub(lt_node_get(soft->x, node), center);
        lt_node_set(soft->v, node, lt_r3_cross((lt_rvec3){(lt_real)(0.3 * rate), 0, (lt_real)rate}, arm));
    }
    lt_soft_publish(soft);
}

/* ---- its shape ---- */

typedef struct flight {
    double density, side, dt, young;
} flight;

/* The lightest and the stiffest that there are. Places are within two sizes of the origin: an edge is off by some last bits of them. */
static void the_shape_is_kept(void) {
    const flight flights[] = {{1e-3, 1e-3, 1 / 30.0, 1e12}, {1, 0.01, 1e-3, 1e12}, {1e-3, 1, 1e-4, 1e12}};
    for (size_t i = 0; i < LT_COUNT_OF(flights); i++) {
        const flight *f = &flights[i];
        stage s = stage_make((lt_rvec3){0, 0, 0}, f->dt);
        lt_soft_def def = cube_def(f->young, f->density);
        lt_soft *soft = &s.bodies[stage_add_cube(&s, f->side, 3, &def)];
        spin(soft, 0.02 / f->dt);
        double bit = LAST_BIT * f->side, worst = 0, sum = 0;
        for (int step = 0; step < 2000; step++) {
            CHECK(stage_step(&s));
            if (step % 10) continue; /* all pairs of nodes are looked at */
            double off = shape_error(soft);
            worst = lt_max_d(worst, off);
            if (step >= 1900) sum += off / 10;
        }
        printf("%g m, number %.1g: shape off by %.1f bits at most, %.1f in the end\n", f->side,
               f->young * f->dt * f->dt / (f->density * f->side * f->side), worst / bit, sum / bit);
        CHECK(worst <= 24 * bit);
        stage_free(&s);
    }
}

/* ---- the border ---- */

static const double SIDES[] = {1e-3, 0.1, 100}, DENSITIES[] = {1e-3, 1e5},
                    TIME_STEPS[] = {1e-4, 1 / 240.0, 1 / 60.0, 1 / 30.0};

/* Of times the stiffness at the top of the range, cut to what a material may have. */
static void check_young(double side, double density, double dt, double times) {
    double top = young_at_top(side, density, dt), young = lt_max_d(1e-3, lt_min_d(1e13, times * top));
    stage s = stage_make((lt_rvec3){0, 0, (lt_real)-GRAVITY}, dt);
    lt_soft_def def = cube_def(young, density);
    lt_soft *soft = &s.bodies[stage_add_cube(&s, side, 2, &def)];
    CHECK(stage_step(&s));
    if (young <= top)
        CHECK(soft->young == def.material.young);
    else
        CHECK_NEAR(soft->young, top, 1e-4 * top);
    double mu = (double)soft->young / (2 * (1 + (double)def.material.poisson));
    CHECK_NEAR(soft->mu, mu, 1e-6 * mu);
    stage_free(&s);
}

static void nothing_is_changed_up_to_the_border(void) {
    for (size_t i = 0; i < LT_COUNT_OF(SIDES); i++)
        for (size_t k = 0; k < LT_COUNT_OF(DENSITIES); k++)
            for (size_t t = 0; t < LT_COUNT_OF(TIME_STEPS); t++) {
                check_young(SIDES[i], DENSITIES[k], TIME_STEPS[t], 1e-3);
                check_young(SIDES[i], DENSITIES[k], TIME_STEPS[t], 1);
                check_young(SIDES[i], DENSITIES[k], TIME_STEPS[t], 1.01);
                check_young(SIDES[i], DENSITIES[k], TIME_STEPS[t], 1e5);
            }
}

/* Explicit bodies lose time instead. */
static void explicit_bodies_are_what_they_are(void) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    lt_soft_def def = cube_def(1e12, 1);
    def.model = LT_MODEL_EXPLICIT_FEM;
    def.max_substeps = 4;
    lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.1, 2, &def)];
    CHECK(stage_step(&s));
    CHECK(soft->young == def.material.young && soft->time_lost > 0);
    stage_free(&s);
}

/* What a block of 0.2 m rests at, by every implicit model. */
static double height_at_rest(lt_model model, double times) {
    double dt = 1 / 60.0;
    stage s = stage_make((lt_rvec3){0, 0, (lt_real)-GRAVITY}, dt);
    lt_soft_def def = cube_def(times * young_at_top(BLOCK_SIDE, 100, dt), 100);
    def.model = model;
    uint32_t body = contact_add_block(&s, &def, (lt_dvec3){0, 0, 1e-3});
    contact_floor(&s, body);
    for (int step = 0; step < 200; step++)
        contact_step(&s);
    double height = (double)lt_soft_center(&s.bodies[body]).z, speed = (double)lt_soft_speed(&s.bodies[body]);
    printf("%s, %g times the top: rests at %.6f m, %.1g m/s\n", model_word(model), times, height, speed);
    CHECK_NEAR(speed, 0, 2e-3);
    stage_free(&s);
    return height;
}

static void rest_is_the_same_on_either_side(void) {
    for (int i = 0; i < FIRST_EXPLICIT; i++) {
        double within = height_at_rest(ALL_MODELS[i], 0.9);
        CHECK_NEAR(height_at_rest(ALL_MODELS[i], 1.1), within, 1e-4 * BLOCK_SIDE);
        CHECK_NEAR(height_at_rest(ALL_MODELS[i], 1e4), within, 1e-4 * BLOCK_SIDE);
    }
}

/* ---- steps that lead across it ---- */

/* Elastic energy is that of the stiffness in force, so that it leaps with the step: by what last bits of places have. */
static void spins_on_across_the_border(void) {
    const double steps[] = {1 / 30.0, 1e-3, 1 / 60.0, 1 / 240.0, 1e-4};
    double side = 0.1, density = 1000;
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    lt_soft_def def = cube_def(young_at_top(side, density, 1 / 240.0), density);
    lt_soft *soft = &s.bodies[stage_add_cube(&s, side, 3, &def)];
    spin(soft, 3);
    double start = lt_soft_kinetic_energy(soft), worst = 0, least = start, bit = LAST_BIT * side;
    uint32_t beyond = 0;
    for (int step = 0; step < 1000; step++) {
        s.dt = (lt_real)steps[step % LT_COUNT_OF(steps)];
        CHECK(stage_step(&s));
        beyond += soft->young < def.material.young;
        double now = total_energy(soft);
        worst = lt_max_d(worst, now - start);
        least = lt_min_d(least, now);
        if (step % 20 < 5) CHECK(shape_error(soft) <= 24 * bit);
    }
    printf("spin of %.3g J: rises by %.1e, falls by %.1e of it; %u of 1000 steps beyond\n", start,
           worst / start, (start - least) / start, beyond);
    CHECK_COUNT(beyond, 400);
    CHECK(worst <= 1e-2 * start && least >= 0.99 * start);
    stage_free(&s);
}

/* On a floor whose springs are as firm as a step allows: of steps that change those store other energies, so that there are two alone. */
static void lies_still_across_the_border(void) {
    double side = 0.1, density = 1000, lowest = 1e30, highest = -1e30;
    stage s = stage_make((lt_rvec3){0, 0, (lt_real)-GRAVITY}, 1 / 60.0);
    lt_soft_def def = cube_def(young_at_top(side, density, 1 / 75.0), density);
    def.position.z = 1e-4;
    uint32_t body = stage_add_cube(&s, side, 3, &def);
    contact_floor(&s, body);
    for (int step = 0; step < 600; step++) {
        s.dt = (lt_real)(step / 3 % 2 ? 1 / 70.0 : 1 / 80.0);
        contact_step(&s);
        CHECK((s.bodies[body].young < def.material.young) == (step / 3 % 2 == 1));
        if (step < 200) continue;
        double at = (double)lt_soft_center(&s.bodies[body]).z;
        lowest = lt_min_d(lowest, at);
        highest = lt_max_d(highest, at);
    }
    printf("lies at %.6f to %.6f m\n", lowest, highest);
    CHECK(highest - lowest <= 1e-3 * side);
    stage_free(&s);
}

/* ---- state ---- */

static void what_is_in_force_is_state(void) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    lt_soft_def def = cube_def(1e12, 1);
    lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.1, 2, &def)];
    spin(soft, 3);
    CHECK(stage_step(&s));
    float young = soft->young;
    double elastic = lt_soft_elastic_energy(soft);
    uint64_t hash = hash_of_state(soft);
    uint8_t *saved = malloc(room_for_state(soft));
    CHECK(young < def.material.young && elastic > 0);
    save_state(soft, saved);
    s.dt = (lt_real)1e-4;
    CHECK(stage_step(&s));
    CHECK(soft->young > young && hash_of_state(soft) != hash);
    CHECK(restore_state(soft, saved));
    CHECK(soft->young == young && lt_soft_elastic_energy(soft) == elastic && hash_of_state(soft) == hash);
    free(saved);
    stage_free(&s);
}

int main(void) {
    RUN(the_shape_is_kept);
    RUN(nothing_is_changed_up_to_the_border);
    RUN(explicit_bodies_are_what_they_are);
    RUN(rest_is_the_same_on_either_side);
    RUN(spins_on_across_the_border);
    RUN(lies_still_across_the_border);
    RUN(what_is_in_force_is_state);
    return check_finish();
}
