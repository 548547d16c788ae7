/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Tets that are inverted, flat, thin as a thread or gone to a point, through every stage of an implicit step and every cut of it: numbers
 * stay numbers, energy and momentum come from nowhere, and what is left alone afterwards finds a shape.
 *
 * labels: heavy */

#include "body/implicit_fixture.h"

enum { CUT_STEPS = 30, MOST_PIECES = 60 };

/* ---- messes ---- */

typedef enum mess { SCRAMBLED, INSIDE_OUT, FLAT, THREAD, POINT, MESSES } mess;

static const char *const NAMES[MESSES] = {"scrambled", "inside out", "flat", "a thread", "a point"};

static void put(lt_soft *soft, mess what) {
    lt_random random = lt_random_seed(7);
    lt_rvec3 c = lt_soft_center(soft);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_rvec3 x = lt_r3_sub(lt_node_get(soft->x, node), c);
        lt_rvec3 any = {(lt_real)lt_random_range(&random, -0.3f, 0.3f),
                        (lt_real)lt_random_range(&random, -0.3f, 0.3f),
                        (lt_real)lt_random_range(&random, -0.3f, 0.3f)};
        if (what == SCRAMBLED) x = any;
        if (what == INSIDE_OUT) x.z = -x.z;
        if (what >= FLAT) x.z = 0;
        if (what >= THREAD) x.y = 0;
        if (what == POINT) x.x = 0;
        lt_node_set(soft->x, node, lt_r3_add(c, x));
    }
}

/* In the air, or on the floor and a second one on it. */
static stage make_mess(mess what, bool in_contact) {
    stage s = stage_make((lt_rvec3){0, 0, (lt_real)(in_contact ? -GRAVITY : 0)}, 1 / 60.0);
    for (uint32_t i = 0; i < (in_contact ? 2u : 1u); i++) {
        lt_soft_def def = soft_def(2e4);
        def.position = (lt_dvec3){0, 0, 0.31 * i};
        put(&s.bodies[stage_add_cube(&s, 0.3, 2, &def)], what);
    }
    if (in_contact) {
        touch_floor(&s, 0);
        touch(&s, 1, 0, 2);
    }
    return s;
}

/* ---- outcomes ---- */

static double energy_of(const stage *s) {
    double sum = body_energy(s) + contact_energy(s);
    for (uint32_t i = 0; i < s->body_count; i++)
        for (uint32_t node = 0; node < s->bodies[i].carrier.node_count; node++)
            sum -= (double)s->bodies[i].mass[node] * (double)s->gravity.z *
                   (double)s->bodies[i].x[4 * (size_t)node + 2];
    return sum;
}

static void check_whole(const stage *s, const char *name, uint64_t cut) {
    for (uint32_t i = 0; i < s->body_count; i++) {
        bool whole = soft_is_finite(&s->bodies[i]) && !s->bodies[i].blown_up &&
                     lt_validate_soft(&s->bodies[i]) == NULL;
        check_count++;
        if (!whole) CHECK_FAIL_MESSAGE("%s, cut at %llu: body %u is lost", name, (unsigned long long)cut, i);
    }
}

/* The largest rise of energy above its least so far, over what there was. */
static double run_mess(mess what, bool in_contact, uint64_t pieces, uint32_t iterations, double *momentum) {
    stage s = make_mess(what, in_contact);
    momenta before = stage_momenta(&s);
    double first = energy_of(&s), least = first, rise = 0;
    s.units_allowed = pieces == 0 && iterations == 0;
    s.pieces_allowed = pieces;
    for (uint32_t i = 0; i < s.body_count && iterations > 0; i++)
        s.bodies[i].max_iterations = iterations;
    for (int step = 0; step < CUT_STEPS; step++) {
        run_step(&s);
        check_whole(&s, NAMES[what], pieces + iterations);
        double now = energy_of(&s);
        least = lt_min_d(least, now);
        rise = lt_max_d(rise, now - least);
    }
    momenta after = stage_momenta(&s);
    double speed = sqrt(2 * first / (double)s.bodies[0].total_mass);
    if (momentum)
        *momentum = lt_max_d(*momentum, lt_d3_distance(after.linear, before.linear) /
                                            ((double)s.bodies[0].total_mass * speed));
    stage_free(&s);
    return rise / first;
}

static void every_mess_survives_every_cut(void) {
    for (int what = 0; what < MESSES; what++)
        for (int in_contact = 0; in_contact < 2; in_contact++) {
            double worst = 0, momentum = 0, capped = 0;
            for (uint64_t pieces = 0; pieces < MOST_PIECES; pieces++)
                worst = lt_max_d(worst,
                                 run_mess((mess)what, in_contact, pieces, 0, in_contact ? NULL : &momentum));
            for (uint32_t iterations = 1; iterations <= 16; iterations++)
                capped = lt_max_d(capped, run_mess((mess)what, in_contact, 0, iterations, NULL));
            printf("%s%s: energy rises by %.2g cut, %.2g capped; momentum %.2g\n", NAMES[what],
                   in_contact ? ", in contact" : "", worst, capped, momentum);
            /* Rigid bodies of such shapes turn by a third in a step, and contacts are linear in it. */
            CHECK(worst <= (in_contact ? 0.1 : 0.01));
            CHECK(capped <= 0.01);
            CHECK_NEAR(momentum, 0, 1e-6);
        }
}

int main(void) {
    RUN(every_mess_survives_every_cut);
    return check_finish();
}
