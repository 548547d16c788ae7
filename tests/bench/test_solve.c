/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The oracle of `lithe bench solve`: its derivatives against differences, steps that are known by hand, and that nothing near its
 * solution is lower. The sources are taken in whole because they belong to the program, not to a library. */

#include "bench/bench.c"
#include "bench/solve_oracle.c"
#include "bench/solve_rig.c"
#include "bench/solve_skyline.c"
#include "check.h"
#include "core/random.h"

static lt_allocator memory;

static lt_solve_rig cube_of(double size, double young, uint32_t count) {
    lt_solve_rig rig;
    lt_error error = {0};
    lt_solve_rig_def def = lt_solve_rig_def_of(LT_SOLVE_CUBE, count, size, young);
    memory = lt_allocator_default();
    if (lt_solve_rig_create(&rig, &def, &memory, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    return rig;
}

static void load(lt_solve_rig *rig) {
    lt_oracle_load(&rig->oracle, rig->bodies, rig->couplings, rig->coupling_count,
                   (lt_dvec3){0, -rig->gravity, 0}, rig->dt);
}

static void solve(lt_solve_rig *rig) {
    lt_error error = {0};
    load(rig);
    CHECK(lt_oracle_solve(&rig->oracle, &error) == LT_OK);
    CHECK(rig->oracle.residual <= 1e-8);
}

static lt_dvec3 *vectors_of(const lt_oracle *o, lt_random *random, double size) {
    lt_dvec3 *out = calloc(o->node_count, sizeof *out);
    for (uint32_t i = 0; i < o->node_count && random; i++)
        if (!o->pinned[i])
            out[i] = (lt_dvec3){(double)lt_random_range(random, -1, 1) * size,
                                (double)lt_random_range(random, -1, 1) * size,
                                (double)lt_random_range(random, -1, 1) * size};
    return out;
}

static double dot_of(const lt_oracle *o, const lt_dvec3 *a, const lt_dvec3 *b) {
    double sum = 0;
    for (uint32_t i = 0; i < o->node_count; i++)
        sum += lt_d3_dot(a[i], b[i]);
    return sum;
}

static lt_coupling contact_of(uint32_t node, double depth, double stiffness, double damping,
                              double friction) {
    lt_coupling c = {.kind = LT_COUPLING_CONTACT, .body_b = LT_NONE, .normal = {0, 1, 0}};
    c.a = (lt_anchor){.ids = {node}, .weights = {1}, .count = 1};
    c.depth = (lt_real)depth;
    c.stiffness = (lt_real)stiffness;
    c.damping = (lt_real)damping;
    c.friction = (lt_real)friction;
    return c;
}

/* Two cubes, bent and moving, one held at a side, damped both ways, with contacts that stick, slide and let go, and a tether. */
static lt_solve_rig everything(void) {
    lt_solve_rig rig = cube_of(0.1, 1e5, 2);
    lt_random random = lt_random_seed(7);
    for (uint32_t b = 0; b < 2; b++) {
        lt_soft *soft = &rig.bodies[b];
        soft->material.mass_damping = 0.3f;
        soft->material.stiffness_damping = 0.004f;
        for (uint32_t i = 0; i < rig.carrier.node_count; i++)
            for (uint32_t k = 0; k < 3; k++) {
                soft->x[4 * i + k] +=
                    (lt_real)lt_random_range(&random, -0.004f, 0.004f) + (k == 1 ? (lt_real)(0.1 * b) : 0);
                soft->v[4 * i + k] = (lt_real)lt_random_range(&random, -0.5f, 0.5f);
            }
    }
    for (uint32_t i = 0; i < 25; i++) {
        rig.bodies[1].pinned[5 * i] = 1;
        lt_node_set(rig.bodies[1].pin_target, 5 * i, lt_node_get(rig.bodies[1].x, 5 * i));
    }
    lt_oracle_free(&rig.oracle);
    CHECK(lt_oracle_create(&rig.oracle, rig.bodies, 2, LT_SOLVE_COUPLINGS, &memory, NULL) == LT_OK);
    for (uint32_t i = 0; i < 20; i++) {
        lt_coupling *c = &rig.couplings[rig.coupling_count++];
        *c = contact_of(7 + i, 0.001 * ((double)i - 3), 900, 0.3, i % 3 ? 5 : 0.2);
        c->stick = (lt_rvec3){(lt_real)0.002, 0, (lt_real)0.001};
        if (i % 2) continue;
        c->body_b = 1;
        c->b = (lt_anchor){
            .ids = {i, i + 31, i + 77}, .weights = {(lt_real)0.2, (lt_real)0.5, (lt_real)0.3}, .count = 3};
    }
    lt_coupling *tether = &rig.couplings[rig.coupling_count++];
    *tether = contact_of(60, 0, 500, 2, 0);
    tether->kind = LT_COUPLING_TETHER;
    tether->offset = (lt_rvec3){(lt_real)0.01, (lt_real)-0.02, 0};
    load(&rig);
    return rig;
}

static void gradient_is_that_of_the_sum(void) {
    lt_solve_rig rig = everything();
    lt_oracle *o = &rig.oracle;
    lt_random random = lt_random_seed(3);
    lt_dvec3 *v = vectors_of(o, &random, 0.3), *d = vectors_of(o, &random, 1), *g = vectors_of(o, NULL, 0),
             *at = vectors_of(o, NULL, 0);
    double sums[2], h = 1e-5;
    lt_oracle_set_bounds(o, v);
    lt_oracle_gradient(o, v, g);
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < o->node_count; i++)
            at[i] = lt_d3_mad(v[i], d[i], side ? h : -h);
        sums[side] = lt_oracle_sum(o, at);
    }
    double slope = dot_of(o, g, d);
    CHECK_NEAR((sums[1] - sums[0]) / (2 * h), slope, 1e-6 * fabs(slope));
    free(v);
    free(d);
    free(g);
    free(at);
    lt_solve_rig_free(&rig);
}

static void curve_is_that_of_the_gradient(void) {
    lt_solve_rig rig = everything();
    lt_oracle *o = &rig.oracle;
    lt_random random = lt_random_seed(4);
    lt_dvec3 *v = vectors_of(o, &random, 0.3), *d = vectors_of(o, &random, 1),
             *curve = vectors_of(o, NULL, 0), *at = vectors_of(o, NULL, 0),
             *sides[2] = {vectors_of(o, NULL, 0), vectors_of(o, NULL, 0)};
    double h = 1e-6, off = 0, all = 0;
    lt_oracle_set_bounds(o, v);
    lt_oracle_curve(o, v, d, false, curve);
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < o->node_count; i++)
            at[i] = lt_d3_mad(v[i], d[i], side ? h : -h);
        lt_oracle_gradient(o, at, sides[side]);
    }
    for (uint32_t i = 0; i < o->node_count; i++) {
        lt_dvec3 difference = lt_d3_scale(lt_d3_sub(sides[1][i], sides[0][i]), 1 / (2 * h));
        off += lt_d3_length_squared(lt_d3_sub(difference, curve[i]));
        all += lt_d3_length_squared(curve[i]);
    }
    CHECK(sqrt(off / all) < 1e-5);
    /* Cut at 0 it never curves down, and less than it is it never gets. */
    double exact = dot_of(o, d, curve);
    lt_oracle_curve(o, v, d, true, curve);
    CHECK(dot_of(o, d, curve) >= exact - 1e-9 * fabs(exact));
    free(v);
    free(d);
    free(curve);
    free(at);
    free(sides[0]);
    free(sides[1]);
    lt_solve_rig_free(&rig);
}

static double left_after_factor(bool positive) {
    lt_solve_rig rig = everything();
    lt_oracle *o = &rig.oracle;
    lt_random random = lt_random_seed(5);
    lt_dvec3 *v = vectors_of(o, &random, 0.1), *back = vectors_of(o, NULL, 0);
    double off = 0, all = 0;
    lt_oracle_set_bounds(o, v);
    CHECK(lt_oracle_direction(o, v, NULL) == LT_OK);
    lt_oracle_curve(o, v, o->direction, positive, back);
    for (uint32_t i = 0; i < o->node_count; i++) {
        off += lt_d3_length_squared(lt_d3_add(back[i], o->gradient[i]));
        all += lt_d3_length_squared(o->gradient[i]);
    }
    free(v);
    free(back);
    lt_solve_rig_free(&rig);
    return sqrt(off / all);
}

/* A d = -g, with A applied element by element: as it is where that is positive, else cut at 0. */
static void factor_solves_what_curve_applies(void) {
    double exact = left_after_factor(false), cut = left_after_factor(true);
    CHECK((exact < cut ? exact : cut) < 1e-9);
}

static void nothing_near_the_solution_is_lower(void) {
    lt_solve_rig rig = everything();
    lt_oracle *o = &rig.oracle;
    lt_random random = lt_random_seed(6);
    solve(&rig);
    lt_oracle_set_bounds(o, o->solution);
    double lowest = lt_oracle_sum(o, o->solution);
    CHECK(lowest < lt_oracle_sum(o, o->fall));
    for (int k = 0; k < 20; k++) {
        lt_dvec3 *d = vectors_of(o, &random, 1e-3 * (1 + k));
        for (uint32_t i = 0; i < o->node_count; i++)
            d[i] = lt_d3_add(d[i], o->solution[i]);
        CHECK(lt_oracle_sum(o, d) > lowest);
        free(d);
    }
    lt_solve_rig_free(&rig);
}

/* Rigid motions, gravity and drag need no springs. */
static void free_fall_is_exact(void) {
    lt_solve_rig rig = cube_of(0.1, 1e6, 1);
    rig.bodies[0].material.mass_damping = 0.5f;
    lt_oracle_free(&rig.oracle);
    CHECK(lt_oracle_create(&rig.oracle, rig.bodies, 1, LT_SOLVE_COUPLINGS, &memory, NULL) == LT_OK);
    for (uint32_t i = 0; i < rig.carrier.node_count; i++)
        lt_node_set(rig.bodies[0].v, i, (lt_rvec3){1, 2, 0});
    solve(&rig);
    double drag = 1 / (1 + 0.5 * rig.dt);
    for (uint32_t i = 0; i < rig.oracle.node_count; i++) {
        CHECK_NEAR(rig.oracle.solution[i].x, drag, 1e-6);
        CHECK_NEAR(rig.oracle.solution[i].y, (2 - 9.81 * rig.dt) * drag, 1e-6);
    }
    lt_solve_rig_free(&rig);
}

/* ---- momentum ---- */

static lt_dvec3 place_at_end(const lt_oracle *o, uint32_t body, const lt_anchor *anchor, const lt_dvec3 *v) {
    return lt_d3_mad(gather(o, body, anchor, o->x), gather(o, body, anchor, v), o->dt);
}

static lt_dvec3 mean_velocity(const lt_oracle *o, uint32_t body, const lt_dvec3 *v) {
    lt_dvec3 sum = {0, 0, 0};
    double mass = 0;
    for (uint32_t i = o->node_begin[body]; i < o->node_begin[body + 1]; i++) {
        sum = lt_d3_mad(sum, v[i], o->mass[i]);
        mass += o->mass[i];
    }
    return lt_d3_scale(sum, 1 / mass);
}

/* What all bodies got beyond weight and what came from things of infinite mass, about the origin; and all that they turned by. */
static double momentum_off(const lt_oracle *o, const lt_dvec3 *from, double *scale) {
    lt_dvec3 sum = {0, 0, 0};
    *scale = 0;
    for (uint32_t i = 0; i < o->node_count; i++) {
        lt_dvec3 now = lt_d3_scale(o->solution[i], o->mass[i] * (1 + o->drag[i] * o->dt));
        lt_dvec3 change = lt_d3_sub(lt_d3_mad(now, from[i], -o->mass[i]), lt_d3_scale(o->force[i], o->dt));
        lt_dvec3 moment = lt_d3_cross(o->x[i], change);
        sum = lt_d3_add(sum, moment);
        *scale += lt_d3_length(moment);
    }
    for (uint32_t i = 0; i < o->coupling_count; i++) {
        const lt_coupling *c = &o->couplings[i];
        if (c->body_b != LT_NONE) continue;
        coupling_terms t = terms_of(o, c, o->solution);
        lt_dvec3 arm = lt_d3_mad(place_at_end(o, c->body_a, &c->a, o->solution),
                                 mean_velocity(o, c->body_a, o->solution), -o->dt);
        sum = lt_d3_add(sum, lt_d3_cross(arm, coupling_slope(&t, o->bounds[i])));
    }
    return lt_d3_length(sum);
}

/* Of two damped bodies in contact with each other and a floor, that nothing holds. */
static void angular_momentum_is_kept(void) {
    lt_solve_rig rig = everything();
    lt_oracle *o = &rig.oracle;
    for (uint32_t b = 0; b < 2; b++)
        memset(rig.bodies[b].pinned, 0, rig.carrier.node_count);
    solve(&rig);
    double scale, off = momentum_off(o, o->came, &scale), without = momentum_off(o, o->v, &scale);
    printf("angular momentum: off by %.1e of %.1e, by %.1e without a spin\n", off, scale, without);
    CHECK(off < 1e-5 * scale); /* what a residual of 1e-8 leaves */
    CHECK(without > 1e-3 * scale);
    lt_solve_rig_free(&rig);
}

/* In free flight nothing takes it: implicit Euler by itself takes the square of dt w of it in every step, 0.25 % here. */
static void a_spin_is_kept(void) {
    const double spin = 3;
    lt_solve_rig rig = cube_of(0.1, 1e6, 1);
    for (uint32_t i = 0; i < rig.carrier.node_count; i++) {
        lt_rvec3 x = lt_node_get(rig.bodies[0].x, i);
        lt_node_set(rig.bodies[0].v, i, (lt_rvec3){(lt_real)spin * x.z, 1, (lt_real)-spin * x.x});
    }
    solve(&rig);
    double moment[2] = {0, 0}, inertia = 0;
    const lt_oracle *o = &rig.oracle;
    for (uint32_t i = 0; i < o->node_count; i++) {
        lt_dvec3 x = o->x[i];
        moment[0] += o->mass[i] * lt_d3_cross(x, o->came[i]).y;
        moment[1] += o->mass[i] * lt_d3_cross(x, o->solution[i]).y;
        inertia += o->mass[i] * (x.x * x.x + x.z * x.z);
    }
    CHECK_NEAR(moment[0] / inertia, spin, 1e-2 * spin); /* less by half the square of dt w: a chord */
    CHECK_NEAR(moment[1], moment[0], 1e-7 * moment[0]);
    lt_solve_rig_free(&rig);
}

/* A bar about no axis of its own: its spin changes, its angular momentum does not. Where nodes go has that of the state but for the square of
 * dt w, that of chords; with a chord back by the spin that the bar has now it would have dt w / 2 too little. */
static void a_tumbling_bar_keeps_it(void) {
    lt_error error = {0};
    lt_solve_rig rig;
    lt_solve_rig_def def = lt_solve_rig_def_of(LT_SOLVE_BAR, 1, 0.1, 1e8);
    memory = lt_allocator_default();
    if (lt_solve_rig_create(&rig, &def, &memory, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    const lt_dvec3 spin = {4, 3, 0};
    const lt_oracle *o = &rig.oracle;
    lt_dvec3 before = {0, 0, 0}, after = {0, 0, 0};
    rig.gravity = 0;
    for (uint32_t i = 0; i < o->node_count; i++) {
        lt_dvec3 x = from_real(lt_node_get(rig.bodies[0].x, i)), v = lt_d3_cross(spin, x);
        lt_node_set(rig.bodies[0].v, i, (lt_rvec3){(lt_real)v.x, (lt_real)v.y, (lt_real)v.z});
        before = lt_d3_mad(before, lt_d3_cross(x, v), o->mass[i]);
    }
    solve(&rig);
    for (uint32_t i = 0; i < o->node_count; i++)
        after = lt_d3_mad(after, lt_d3_cross(o->x[i], o->solution[i]), o->mass[i]);
    double off = lt_d3_distance(after, before) / lt_d3_length(before);
    printf("tumbling: off by %.2g, dt w = %.2g\n", off, rig.dt * lt_d3_length(spin));
    CHECK(off < 5e-3);
    lt_solve_rig_free(&rig);
}

/* A contact at every node, as stiff as the node is heavy: the body stays as it is, and every node moves as one alone would.
 * v_y (1 + q) = v - g dt + dt K d with q = dt (dt K + C);  v_x = u - mu (what pushes), or u / (1 + q) where that would hold it. */
static void contact_with_friction(double slip, double friction) {
    const double stiffness = 400, damping = 3, depth = 0.01;
    lt_solve_rig rig = cube_of(0.1, 1e5, 1);
    double dt = rig.dt, q = dt * (dt * stiffness + damping);
    for (uint32_t i = 0; i < rig.carrier.node_count; i++) {
        double m = rig.oracle.mass[i];
        lt_node_set(rig.bodies[0].v, i, (lt_rvec3){(lt_real)slip, (lt_real)-0.3, 0});
        rig.couplings[rig.coupling_count++] = contact_of(i, depth, stiffness * m, damping * m, friction);
    }
    solve(&rig);
    double pulled = -0.3 - 9.81 * dt, vy = (pulled + dt * stiffness * depth) / (1 + q), push = vy - pulled;
    double held = slip / (1 + q), vx = slip - held < friction * push ? held : slip - friction * push;
    for (uint32_t i = 0; i < rig.oracle.node_count; i++) {
        CHECK_NEAR(rig.oracle.solution[i].y, vy, 1e-5);
        CHECK_NEAR(rig.oracle.solution[i].x, vx, 1e-5);
    }
    lt_solve_rig_free(&rig);
}

static void contacts_stick_and_slide(void) {
    contact_with_friction(0.5, 0.3); /* slides */
    contact_with_friction(0.5, 9);   /* sticks */
    contact_with_friction(0.5, 0);
}

/* F = I + g e1 e2': stretches s and 1/s have the sum T = sqrt(4 + g^2). */
static void shear_has_its_energy(void) {
    const double e = 1e5, nu = 0.4, g = 0.25;
    lt_solve_rig rig = cube_of(1, e, 1);
    for (uint32_t i = 0; i < rig.carrier.node_count; i++)
        rig.bodies[0].x[4 * i] += (lt_real)g * rig.bodies[0].x[4 * i + 1];
    load(&rig);
    double lambda = e * nu / ((1 + nu) * (1 - 2 * nu)), mu = e / (2 * (1 + nu)), t = sqrt(4 + g * g);
    double expected = mu * (t * t - 2 * t) + lambda / 2 * (t - 2) * (t - 2);
    CHECK_NEAR(lt_oracle_elastic(&rig.oracle, rig.oracle.x), expected, 1e-5 * expected);
    lt_solve_rig_free(&rig);
}

/* Where nothing turns much the library linearises what the oracle solves: uncut they agree, cut early they do not. */
static void library_comes_near_where_it_is_linear(void) {
    lt_solve_rig rig = cube_of(0.1, 1e5, 1);
    for (uint32_t i = 0; i < rig.carrier.node_count; i++) {
        lt_rvec3 x = lt_node_get(rig.bodies[0].x, i);
        lt_node_set(rig.bodies[0].v, i,
                    (lt_rvec3){x.y * (lt_real)0.01, x.x * (lt_real)0.01, x.z * (lt_real)0.02});
    }
    rig.gravity = 0;
    solve(&rig);
    lt_solve_state state;
    CHECK(lt_solve_keep(&rig, &state));
    double errors[2], scale = lt_oracle_distance(&rig.oracle, rig.oracle.solution, rig.oracle.fall);
    const uint32_t cuts[2] = {LT_CUT_FULL, 1};
    lt_dvec3 *v = vectors_of(&rig.oracle, NULL, 0);
    for (int k = 0; k < 2; k++) {
        lt_solve_return(&rig, &state);
        lt_solve_step(&rig, cuts[k]);
        for (uint32_t i = 0; i < rig.carrier.node_count; i++) {
            lt_rvec3 u = lt_node_get(rig.bodies[0].v, i);
            v[i] = (lt_dvec3){(double)u.x, (double)u.y, (double)u.z};
        }
        errors[k] = lt_oracle_distance(&rig.oracle, v, rig.oracle.solution) / scale;
    }
    CHECK(errors[0] < 2e-3);
    CHECK(errors[1] > 2 * errors[0]);
    free(v);
    lt_solve_state_free(&state);
    lt_solve_rig_free(&rig);
}

int main(void) {
    RUN(gradient_is_that_of_the_sum);
    RUN(curve_is_that_of_the_gradient);
    RUN(factor_solves_what_curve_applies);
    RUN(nothing_near_the_solution_is_lower);
    RUN(free_fall_is_exact);
    RUN(angular_momentum_is_kept);
    RUN(a_spin_is_kept);
    RUN(a_tumbling_bar_keeps_it);
    RUN(contacts_stick_and_slide);
    RUN(shear_has_its_energy);
    RUN(library_comes_near_where_it_is_linear);
    return check_finish();
}
