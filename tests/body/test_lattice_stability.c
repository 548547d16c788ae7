/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How stiff couplings of lattices may be: the limit of a sub-step in closed form, that plans and contacts are inside it, and
 * bodies at it: held by handles, pulled by them, dropped. */

#include "body/lattice_fixture.h"

static const float YOUNGS[] = {1e4f, 1e5f, 1e6f, 4e6f};
static const float DAMPINGS[] = {0, 0.002f, 0.01f, 0.05f};
static const double RATES[] = {60, 240};
enum {
    YOUNG_COUNT = 4,
    DAMPING_COUNT = 4,
    RATE_COUNT = 2,
    GRID = 2 * YOUNG_COUNT * DAMPING_COUNT * RATE_COUNT
};

/* One of the grid: stiffness, damping, steps a second and both models. */
typedef struct sample {
    lt_soft_def def;
    double rate;
} sample;

static sample sample_of(uint32_t index) {
    sample s = {.def = plain_def(LATTICE_MODELS[index % 2])};
    s.def.material.young = YOUNGS[index / 2 % YOUNG_COUNT];
    s.def.material.stiffness_damping = DAMPINGS[index / (2 * YOUNG_COUNT) % DAMPING_COUNT];
    s.rate = RATES[index / (2 * YOUNG_COUNT * DAMPING_COUNT)];
    return s;
}

/* A small block of it. Springs of stiff and dull material need thousands of sub-steps: false, these are not waited for. */
static bool stage_add_sample(stage *s, const sample *p) {
    lattice l = lattice_block(2, 1, 1, 0.1);
    lt_soft *soft = &s->bodies[stage_add_lattice(s, &l, &p->def)];
    lt_soft_plan(soft, s->dt);
    if (soft->planned_substeps <= 4) return true;
    stage_free(s);
    return false;
}

/* ---- the limit ---- */

/* Largest |λ| of λ² − (2 − a − b) λ + (1 − b): of v' = v − (a x + b v), x' = x + v'. */
static double spectral_radius(double a, double b) {
    double half = 1 - (a + b) / 2, rest = half * half - (1 - b);
    return rest < 0 ? sqrt(1 - b) : fabs(half) + sqrt(rest);
}

static void one_mode_is_stable_inside_the_limit_only(void) {
    for (double a = 0.01; a < 6; a += 0.03)
        for (double b = 0; b < 3; b += 0.03) {
            if (fabs(a + 2 * b - 4) < 1e-6) continue;
            CHECK((spectral_radius(a, b) <= 1 + 1e-12) == (a + 2 * b < 4));
        }
}

enum { SIDE = 6 };

/* A sum of SIDE squares of random functionals. */
static void random_form(double m[SIDE][SIDE], lt_random *random) {
    memset(m, 0, sizeof(double[SIDE][SIDE]));
    for (int term = 0; term < SIDE; term++) {
        double w[SIDE];
        for (int i = 0; i < SIDE; i++)
            w[i] = (double)lt_random_range(random, -1, 1) * (double)lt_random_unit(random);
        for (int i = 0; i < SIDE * SIDE; i++)
            m[i / SIDE][i % SIDE] += w[i / SIDE] * w[i % SIDE];
    }
}

static double product(double out[SIDE], double m[SIDE][SIDE], const double in[SIDE]) {
    double square = 0;
    for (int i = 0; i < SIDE; i++) {
        out[i] = 0;
        for (int j = 0; j < SIDE; j++)
            out[i] += m[i][j] * in[j];
        square += out[i] * out[i];
    }
    return sqrt(square);
}

/* Largest eigenvalue of h²K + 2hC, by powers. */
static double largest_sum(double k[SIDE][SIDE], double c[SIDE][SIDE]) {
    double sum[SIDE][SIDE], v[SIDE] = {1, 0.3, -0.2, 0.1, 0.7, -0.4}, next[SIDE], size = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        sum[i / SIDE][i % SIDE] = k[i / SIDE][i % SIDE] + 2 * c[i / SIDE][i % SIDE];
    for (int round = 0; round < 500; round++) {
        size = product(next, sum, v);
        for (int i = 0; i < SIDE; i++)
            v[i] = next[i] / size;
    }
    return size;
}

/* How much larger than at first v is at most in the last of 2000 sub-steps. */
static double growth(double k[SIDE][SIDE], double c[SIDE][SIDE]) {
    double x[SIDE] = {1, -0.5, 0.2, 0.4, -0.8, 0.6}, v[SIDE] = {0}, pull[SIDE], drag[SIDE], most = 0;
    for (int step = 0; step < 2000; step++) {
        product(pull, k, x);
        product(drag, c, v);
        for (int i = 0; i < SIDE; i++) {
            v[i] -= pull[i] + drag[i];
            x[i] += v[i];
            if (step > 1500) most = fmax(most, fabs(x[i]));
        }
    }
    return most;
}

/* K and C that have nothing in common: what their forms add up to decides. */
static void forms_that_do_not_commute_add_up(void) {
    lt_random random = lt_random_seed(12);
    for (int trial = 0; trial < 20; trial++) {
        double k[SIDE][SIDE], c[SIDE][SIDE];
        random_form(k, &random);
        random_form(c, &random);
        double scale = 3.8 / largest_sum(k, c);
        for (int i = 0; i < SIDE * SIDE; i++) {
            k[i / SIDE][i % SIDE] *= scale;
            c[i / SIDE][i % SIDE] *= scale;
        }
        CHECK(growth(k, c) < 20);
    }
}

/* ---- plans ---- */

/* What the model, its contacts and what beside it takes of a + 2b, whatever the material, the step and the sub-steps. */
static void plans_and_contacts_are_inside_the_limit(void) {
    const uint32_t most[4] = {1, 4, 64, 1000};
    double largest = 0, least = 9;
    for (uint32_t index = 0; index < 4 * GRID; index++) {
        sample p = sample_of(index % GRID);
        p.def.max_substeps = most[index / GRID];
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / p.rate);
        lattice l = lattice_block(2, 1, 1, 0.05);
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &p.def)];
        lt_soft_plan(soft, s.dt);
        lt_contact_scale scale = lt_soft_contact_scale(soft, s.dt);
        double own = (double)(p.def.model == LT_MODEL_LATTICE_SPRINGS ? lt_springs_share(soft, scale.dt)
                                                                      : lt_matching_share(soft, scale.dt));
        double contact = (double)(scale.s * scale.s) + 4 * 0.2 * (double)scale.s;
        CHECK(own > 0 && own < 2 + 1e-3);
        CHECK_NEAR(lt_lattice_room(soft, scale.dt), 3.8 - own, 1e-5);
        CHECK(own + contact < 3.8 + 1e-3);
        /* The worst a and b of those that add up to it */
        for (double b = 0; b <= (own + contact) / 2; b += 0.25)
            CHECK(spectral_radius(own + contact - 2 * b, b) <= 1 + 1e-12);
        largest = fmax(largest, own);
        least = fmin(least, own);
        stage_free(&s);
    }
    printf("lattices take %.2f to %.2f of 4\n", least, largest);
}

/* Energy of a body at rest with one node moved, against that of the node at √rate d. */
static void moving_a_node_costs_no_more_than_its_rate(void) {
    lt_random random = lt_random_seed(3);
    for (int trial = 0; trial < 48; trial++) {
        sample p = sample_of((uint32_t)trial % GRID);
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / p.rate);
        lattice l = lattice_block(2, 2, 1, 0.05);
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &p.def)];
        uint32_t node = lt_random_below(&random, soft->carrier.node_count);
        lt_rvec3 moved = {lt_random_range(&random, -1, 1), lt_random_range(&random, -1, 1), 1};
        lt_node_add(soft->x, node, moved, (lt_real)1e-3);
        double most =
            0.5e-6 * (double)(soft->mass[node] * lt_lattice_rate(soft) * lt_r3_length_squared(moved));
        double energy = lt_soft_elastic_energy(soft);
        CHECK(energy < 1.02 * most && energy > 0.02 * most);
        stage_free(&s);
    }
}

/* ---- bodies at the limit ---- */

/* A handle as stiff and as much damped as anything asks for: what is carried of it is what the limit leaves. */
static lt_coupling handle_at(const lt_soft *soft, const lt_anchor *anchor, lt_rvec3 target) {
    const lt_real stiffness = (lt_real)1e12;
    return (lt_coupling){.kind = LT_COUPLING_TETHER,
                         .body_b = LT_NONE,
                         .a = *anchor,
                         .offset = lt_r3_sub(lt_anchor_gather(anchor, soft->x), target),
                         .stiffness = stiffness,
                         .damping = 2 * lt_sqrt_r(stiffness / lt_anchor_inverse_mass(anchor, soft))};
}

/* Handles on a corner, on an edge beside it twice, and on a whole cell that both are in. */
static void hold(stage *s, const lt_soft *soft, const lt_rvec3 targets[4]) {
    const uint32_t *cell = soft->carrier.cells;
    const lt_real half = (lt_real)0.5, eighth = (lt_real)0.125;
    lt_anchor anchors[4] = {
        {{cell[0]}, {1}, 1}, {{cell[0], cell[1]}, {half, half}, 2}, {{0}, {0}, 8}, {{0}, {0}, 0}};
    anchors[3] = anchors[1];
    for (uint32_t i = 0; i < 8; i++) {
        anchors[2].ids[i] = cell[i];
        anchors[2].weights[i] = eighth;
    }
    s->coupling_count = 4;
    for (uint32_t i = 0; i < 4; i++)
        s->couplings[i] =
            handle_at(soft, &anchors[i], targets ? targets[i] : lt_anchor_gather(&anchors[i], soft->x));
}

/* Shaken a little and held by four handles at one cell: what swings in the second half is no more than in the first. */
static void held_bodies_do_not_gain(void) {
    lt_random random = lt_random_seed(31);
    for (uint32_t index = 0; index < GRID; index++) {
        sample p = sample_of(index);
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / p.rate);
        if (!stage_add_sample(&s, &p)) continue;
        lt_soft *soft = &s.bodies[0];
        lt_rvec3 targets[4];
        hold(&s, soft, NULL);
        for (uint32_t i = 0; i < 4; i++)
            targets[i] = lt_anchor_gather(&s.couplings[i].a, soft->x);
        shake(soft, &random, 1e-4, 0);
        double most[2] = {0, 0};
        for (int step = 0; step < 200; step++) {
            hold(&s, soft, targets);
            CHECK(stage_step(&s) && !soft->blown_up);
            most[step / 100] = fmax(most[step / 100], total_energy(soft));
        }
        if (!(most[1] < 1.2 * most[0]))
            CHECK_FAIL_MESSAGE("%s, %g Pa, damping %g, %g steps a second: %g J, then %g J",
                               model_word(p.def.model), (double)p.def.material.young,
                               (double)p.def.material.stiffness_damping, p.rate, most[0], most[1]);
        stage_free(&s);
    }
}

/* Handles 2 m away: it comes, and stays whole. Without damping nothing ends its swinging. */
static void pulled_bodies_arrive(void) {
    for (uint32_t index = 0; index < GRID; index++) {
        sample p = sample_of(index);
        p.def.material.mass_damping = 2;
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / p.rate);
        if (!stage_add_sample(&s, &p)) continue;
        lt_soft *soft = &s.bodies[0];
        const lt_rvec3 there = {2, 0, 0}, targets[4] = {there, there, there, there};
        double speed = 0;
        for (int step = 0; step < (int)(1.5 * p.rate); step++) {
            hold(&s, soft, targets);
            CHECK(stage_step(&s) && !soft->blown_up);
            if (step > (int)p.rate) speed = fmax(speed, (double)lt_soft_speed(soft));
        }
        CHECK(soft_is_finite(soft));
        if (p.def.material.stiffness_damping > 0)
            CHECK_NEAR(lt_r3_distance(lt_node_get(soft->x, soft->carrier.cells[0]), there), 0, 0.2);
        if (p.def.material.stiffness_damping > 0 && !(speed < 50))
            CHECK_FAIL_MESSAGE("%s, %g Pa, damping %g, %g steps a second: %g m/s", model_word(p.def.model),
                               (double)p.def.material.young, (double)p.def.material.stiffness_damping, p.rate,
                               speed);
        stage_free(&s);
    }
}

static double energy_above_ground(const lt_soft *soft) {
    return total_energy(soft) + 10 * (double)(soft->total_mass * lt_soft_center(soft).z);
}

/* Dropped on an edge: never more energy than at first, over 600 steps. */
static void dropped_bodies_gain_nothing(void) {
    double largest = 0;
    for (uint32_t index = 0; index < GRID; index++) {
        sample p = sample_of(index);
        p.def.position = (lt_dvec3){0, 0, 0.3};
        p.def.rotation = turn_about(1, 0.3, 0.2, 0.5);
        stage s = stage_make((lt_rvec3){0, 0, -10}, 1 / p.rate);
        if (!stage_add_sample(&s, &p)) continue;
        lt_soft *soft = &s.bodies[0];
        double start = energy_above_ground(soft), most = 0;
        for (int step = 0; step < 600; step++) {
            touch_ground(&s, soft, 0.05);
            CHECK(stage_step(&s) && !soft->blown_up);
            most = fmax(most, energy_above_ground(soft) / start);
        }
        largest = fmax(largest, most);
        if (!(most < 1.01))
            CHECK_FAIL_MESSAGE("%s, %g Pa, damping %g, %g steps a second: %g of its energy",
                               model_word(p.def.model), (double)p.def.material.young,
                               (double)p.def.material.stiffness_damping, p.rate, most);
        stage_free(&s);
    }
    printf("at most %.4f of the energy they were dropped with\n", largest);
}

/* ---- damping ---- */

enum { NODES = 64 };

/* What damping does to a body at its velocities, W, over what elastic forces do there at most. */
static double relative_power(lt_soft *soft) {
    lt_real with[4 * NODES] = {0}, without[4 * NODES] = {0};
    for (int damped = 0; damped < 2; damped++) {
        soft->material.stiffness_damping = damped ? 0.01f : 0;
        lt_real *force = damped ? with : without;
        if (soft->model == LT_MODEL_LATTICE_SPRINGS)
            lt_springs_add_forces(soft, force, (lt_real)(1 / 240.0), LT_LEVEL_SCALAR);
        else
            lt_matching_add_forces(soft, force, (lt_real)(1 / 240.0), LT_LEVEL_SCALAR);
    }
    double power = 0, scale = 0;
    for (uint32_t i = 0; i < 4 * soft->carrier.node_count; i++) {
        power += (double)(with[i] - without[i]) * (double)soft->v[i];
        scale += fabs((double)without[i] * (double)soft->v[i]);
    }
    return power / scale;
}

/* Squeezed, stretched, scrambled, turning with or without deforming: what damping does is never to drive. Pinned, so that
 * turning is damped, too. */
static void damping_never_drives(void) {
    lt_random random = lt_random_seed(17);
    double largest = -1;
    for (int trial = 0; trial < 100; trial++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft_def def = plain_def(LATTICE_MODELS[trial % 2]);
        def.material.young = 1e4f;
        lattice l = lattice_block(3, 2, 2, 0.1);
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        CHECK_FATAL(soft->carrier.node_count <= NODES);
        lt_real squeeze = lt_random_range(&random, (lt_real)0.1, (lt_real)1.5);
        lt_rvec3 turn = {lt_random_range(&random, -9, 9), lt_random_range(&random, -9, 9), 5};
        for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
            lt_rvec3 x = lt_r3_scale(lt_node_get(soft->x, node), squeeze);
            lt_node_set(soft->x, node, x);
            lt_node_set(soft->v, node, lt_r3_cross(turn, x));
        }
        shake(soft, &random, trial % 5 ? 0.01 : 0.2, trial % 3 ? 0 : 1);
        pin_node(soft, 0, lt_node_get(soft->x, 0));
        largest = fmax(largest, relative_power(soft));
        stage_free(&s);
    }
    printf("damping drives by at most %.2g of elastic forces\n", largest);
    CHECK(largest < 1e-5);
}

/* Drag of any strength: v / (1 + α h) in every sub-step, and the report of what it took. */
static void drag_is_stable_at_any_strength(void) {
    for (int trial = 0; trial < 4; trial++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 64.0);
        lt_soft_def def = plain_def(LATTICE_MODELS[trial % 2]);
        def.material.young = 1e4f;
        def.material.mass_damping = trial < 2 ? 3 : 1e4f;
        def.velocity = (lt_vec3){1, 0, 0};
        def.angular_velocity = (lt_vec3){0, 0, 2};
        lattice l = lattice_block(2, 2, 2, 0.1);
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        double before = (double)lt_soft_momentum(soft).x, first = before, spin = momenta_of(soft).angular.z;
        for (int step = 1; step <= 8; step++) {
            CHECK(stage_step(&s) && !soft->blown_up);
            double left =
                pow(1 / (1 + (double)def.material.mass_damping / 64 / soft->substeps), soft->substeps);
            double after = (double)lt_soft_momentum(soft).x;
            CHECK_NEAR(after, before * left, 1e-6 * first);
            CHECK_NEAR(soft->drag.x, before - after, 1e-6 * first);
            before = after;
        }
        CHECK(fabs(momenta_of(soft).angular.z) < fabs(spin));
        stage_free(&s);
    }
}

int main(void) {
    RUN(one_mode_is_stable_inside_the_limit_only);
    RUN(forms_that_do_not_commute_add_up);
    RUN(plans_and_contacts_are_inside_the_limit);
    RUN(moving_a_node_costs_no_more_than_its_rate);
    RUN(held_bodies_do_not_gain);
    RUN(pulled_bodies_arrive);
    RUN(dropped_bodies_gain_nothing);
    RUN(damping_never_drives);
    RUN(drag_is_stable_at_any_strength);
    return check_finish();
}
