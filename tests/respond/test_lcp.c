/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Constrained response: the splitting, the law of contacts, and what holds wherever the sweeps are cut.
 * labels: golden */

#include "respond/lcp_fixture.h"

static const lt_rvec3 NO_GRAVITY = {0, 0, 0};
static const double DT = 1 / 60.0;

/* ---- the splitting ---- */

enum { DENSE = 3 * 27 };

/* Whether s D − A is positive definite, by Cholesky's factors; D the diagonal blocks of A. */
static bool is_definite(const lt_lcp_body *body, double s) {
    static double m[DENSE][DENSE];
    memset(m, 0, sizeof m);
    static lt_real x[RIG_REALS], y[RIG_REALS];
    for (uint32_t column = 0; column < 3 * body->node_count; column++) {
        memset(x, 0, sizeof x);
        x[4 * (size_t)(column / 3) + column % 3] = 1;
        lt_soft_multiply(body->soft, body->system, y, x, lt_simd_best());
        for (uint32_t row = 0; row < 3 * body->node_count; row++)
            m[row][column] =
                (row / 3 == column / 3 ? s - 1 : -1) * (double)y[4 * (size_t)(row / 3) + row % 3];
    }
    for (uint32_t j = 0; j < 3 * body->node_count; j++)
        for (uint32_t i = j; i < 3 * body->node_count; i++) {
            double sum = (m[i][j] + m[j][i]) / 2;
            for (uint32_t k = 0; k < j; k++)
                sum -= m[i][k] * m[j][k];
            if (i == j && !(sum > 0)) return false;
            m[i][j] = i == j ? sqrt(sum) : sum / m[j][j];
            if (i != j) m[j][i] = m[i][j];
        }
    return true;
}

/* 2D̂ − A is positive definite, for bodies soft and stiff, bent and whole; with D̂ = blockdiag(A) it is not. */
static void the_splitting_converges(void) {
    const double youngs[] = {1e3, 1e5, 1e7};
    for (int i = 0; i < 6; i++) {
        rig *r = rig_make(NO_GRAVITY, DT);
        cubes_def d = plain_cubes();
        d.young[0] = d.young[1] = youngs[i / 2];
        rig_add_cubes(r, &d);
        lt_random random = lt_random_seed((uint64_t)i);
        for (uint32_t node = 0; i % 2 && node < r->bodies[0].node_count; node++)
            for (int k = 0; k < 3; k++)
                r->stage.bodies[0].x[4 * (size_t)node + (size_t)k] +=
                    (lt_real)lt_random_range(&random, -0.03f, 0.03f);
        rig_views(r);
        rig_solve(r, 1);
        const lt_lcp_body *body = &r->bodies[0];
        CHECK(body->sigma >= 1 && body->sigma <= (lt_real)2.1);
        CHECK(is_definite(body, 2 * (double)body->sigma));
        if (youngs[i / 2] > 1e4) CHECK(!is_definite(body, 2));
        rig_free(r);
    }
}

/* ---- the solution ---- */

/* |A Δv − Jᵀλ| / |Jᵀλ| of what came out, from the change of velocities. */
static double residual_of(rig *r) {
    double squared = 0, loads = 0;
    size_t at = 0;
    static lt_real y[RIG_REALS], f[RIG_REALS], dv[RIG_REALS];
    memset(f, 0, sizeof f);
    for (uint32_t b = 0; b < r->stage.body_count; b++) {
        const lt_lcp_body *body = &r->bodies[b];
        size_t count = 4 * (size_t)body->node_count;
        for (uint32_t i = 0; i < r->contact_count; i++) {
            const lt_lcp_contact *c = &r->contacts[i];
            if (c->body_a == b) lt_anchor_scatter(&c->a, f + at, c->impulse);
            if (c->body_b == b) lt_anchor_scatter(&c->b, f + at, lt_r3_neg(c->impulse));
        }
        const lt_real *before = rig_aside + 2 * at + count;
        for (size_t k = 0; k < count; k++)
            dv[k] = body->v[k] - before[k];
        lt_soft_multiply(body->soft, body->system, y, dv, lt_simd_best());
        for (size_t k = 0; k < count; k++) {
            squared += (double)((y[k] - f[at + k]) * (y[k] - f[at + k]));
            loads += (double)(f[at + k] * f[at + k]);
        }
        at += count;
    }
    return sqrt(squared / loads);
}

/* The worst contact: pushes where it parts, or slides within the cone, over the largest impulse and the speed. */
static double slack_of(const rig *r) {
    double worst = 0, largest = 0;
    for (uint32_t i = 0; i < r->contact_count; i++)
        largest = lt_max_d(largest, (double)lt_r3_length(r->contacts[i].impulse));
    for (uint32_t i = 0; i < r->contact_count; i++) {
        const lt_lcp_contact *c = &r->contacts[i];
        lt_rvec3 u =
            lt_r3_sub(lt_anchor_gather(&c->a, r->bodies[1].v), lt_anchor_gather(&c->b, r->bodies[0].v));
        double push = (double)lt_r3_dot(c->impulse, c->normal), part = (double)lt_r3_dot(u, c->normal);
        part += (double)(c->gap / r->stage.dt);
        lt_rvec3 slide = lt_r3_mad(u, c->normal, -lt_r3_dot(u, c->normal));
        lt_rvec3 hold = lt_r3_mad(c->impulse, c->normal, (lt_real)-push);
        double room = (double)c->friction * push - (double)lt_r3_length(hold),
               sliding = (double)lt_r3_length(slide);
        worst = lt_max_d(worst, lt_min_d(push / largest, part));
        worst = lt_max_d(worst, lt_min_d(room / largest, sliding));
        if (push > 1e-2 * largest && sliding > 1e-2) /* friction against the way it slides */
            worst = lt_max_d(worst,
                             (double)lt_r3_dot(hold, slide) / (push * sliding) + 0.9 * (double)c->friction);
    }
    return worst;
}

/* Run to the end it is the solution: equations and law hold; both come nearer with every ten sweeps, whatever the stiffness. */
static void sweeps_come_nearer_to_the_solution(void) {
    for (int i = 0; i < 4; i++) {
        rig *r = rig_make(NO_GRAVITY, DT);
        cubes_def d = plain_cubes();
        d.young[1] = i % 2 ? 4e5 : 1e5;
        d.cells = 3;
        rig_add_cubes(r, &d);
        r->lcp.params.plain = i >= 2;
        r->lcp.params.tolerance = 0;
        double residual[3], slack[3], complementarity[3];
        const uint32_t sweeps[2][3] = {{10, 50, 200}, {20, 120, 900}};
        for (int k = 0; k < 3; k++) {
            rig_recall(r);
            rig_solve(r, sweeps[i / 2][k]);
            residual[k] = residual_of(r);
            slack[k] = slack_of(r);
            complementarity[k] = (double)r->lcp.complementarity;
        }
        printf("%s, 1:%d: residual %.1e %.1e %.1e, slack %.1e %.1e %.1e\n",
               i >= 2 ? "plain" : "with momentum", i % 2 ? 4 : 1, residual[0], residual[1], residual[2],
               slack[0], slack[1], slack[2]);
        const double exact =
            by_build(5e-5, 1e-13); /* it gets no better than products of eight tets at a time */
        CHECK(residual[1] < 0.5 * residual[0] && residual[2] < lt_max_d(exact, 0.3 * residual[1]));
        CHECK(complementarity[1] < complementarity[0] &&
              complementarity[2] < lt_max_d(exact, complementarity[1]));
        CHECK(residual[2] < 5e-5 && slack[2] < 2e-5);
        rig_free(r);
    }
}

/* The default ends by itself, at its tolerance; begun with its own answer, at once. */
static void it_ends_when_it_has_converged(void) {
    rig *r = rig_make(NO_GRAVITY, DT);
    cubes_def d = plain_cubes();
    rig_add_cubes(r, &d);
    static lt_real warm[2][4 * 27];
    memset(warm, 0, sizeof warm);
    for (int i = 0; i < 2; i++)
        r->bodies[i].warm = warm[i];
    rig_solve(r, 1000);
    uint32_t cold = r->lcp.sweeps;
    CHECK(cold > 5 && cold < 60);
    CHECK(r->lcp.residual <= (lt_real)1e-3 && r->lcp.complementarity <= (lt_real)1e-3);
    CHECK(r->lcp.unresolved == 0 && r->lcp.least_share > (lt_real)0.99);
    rig_copy(r, true);
    rig_solve(r, 1000);
    printf("sweeps cold %u, warm %u\n", cold, r->lcp.sweeps);
    CHECK(r->lcp.sweeps <= 3 && rig_approach(r) < 1e-5);
    rig_free(r);
}

/* Thirty contacts to a face of a cell, most of which say the same, and bodies that are held converge as well. */
static void many_contacts_converge(void) {
    for (int held = 0; held < 2; held++) {
        rig *r = rig_make(NO_GRAVITY, DT);
        cubes_def d = plain_cubes();
        d.points = 16;
        d.cells = 3;
        rig_add_cubes(r, &d);
        lt_soft *lower = &r->stage.bodies[0];
        for (uint32_t node = 0; held && node < lower->carrier.node_count; node++)
            lower->pinned[node] = lt_node_get(lower->x, node).z < (lt_real)0.1;
        r->bodies[0].pinned = lower->pinned;
        rig_solve(r, 1000);
        printf("%u contacts%s: %u sweeps\n", r->contact_count, held ? ", held" : "", r->lcp.sweeps);
        CHECK(r->lcp.sweeps < 150 && r->lcp.unresolved == 0);
        rig_free(r);
    }
}

/* ---- anytime ---- */

typedef struct before {
    momenta momenta;
    double kinetic;
} before;

static before measure(const rig *r) {
    return (before){stage_momenta(&r->stage), rig_kinetic(r)};
}

/* What must hold wherever it was cut. `speed` is what the energy may rise for: where overlap is undone. */
static void check_exit(const rig *r, const before *b, const char *what, uint32_t at) {
    momenta m = stage_momenta(&r->stage);
    double tolerance = by_build(1e-6, 1e-12);
    double linear = lt_d3_distance(m.linear, b->momenta.linear) / b->momenta.linear_scale;
    double angular = lt_d3_distance(m.angular, b->momenta.angular) / b->momenta.angular_scale;
    bool ok = linear < tolerance && angular < tolerance && rig_obeys_law(r) && rig_approach(r) < 1e-5 &&
              rig_kinetic(r) <= b->kinetic * (1 + by_build(1e-6, 1e-12)) && rig_is_finite(r);
    CHECK(ok);
    if (!ok)
        fprintf(stderr, "%s, cut at %u: momentum %.2e, angular %.2e, law %d, approach %.2e, energy %.4f\n",
                what, at, linear, angular, rig_obeys_law(r), rig_approach(r), rig_kinetic(r) / b->kinetic);
}

/* After every sweep from 0 to 100. Stiffness 1:1 and 1:4, spinning, with a gap; sides that have slipped past each other;
 * explicit and implicit; small and stiff. */
static void any_sweep_may_be_the_last(void) {
    cubes_def defs[6];
    for (int i = 0; i < 6; i++)
        defs[i] = plain_cubes();
    defs[1].young[1] = 4e5, defs[1].spin = 2;
    defs[2].gap = 0.005, defs[2].slip = 0.01, defs[2].spin = 1;
    defs[3].model[0] = LT_MODEL_EXPLICIT_FEM;
    defs[4].side = 0.1, defs[4].young[1] = 1e6;
    defs[5].turn = turn_about(1, 2, 3, 0.7), defs[5].friction = 0;
    const char *names[6] = {"1:1", "1:4", "slipped", "explicit", "stiff", "turned"};
    for (int i = 0; i < 6; i++) {
        rig *r = rig_make(NO_GRAVITY, DT);
        rig_add_cubes(r, &defs[i]);
        before b = measure(r);
        double sums[101], least = 1e30, most = 0;
        for (uint32_t sweeps = 0; sweeps <= 100; sweeps += i < 2 || sweeps < 12 ? 1 : 11) {
            rig_recall(r);
            r->lcp.params.tolerance = 0;
            rig_solve(r, sweeps);
            check_exit(r, &b, names[i], sweeps);
            double sum = 0;
            for (uint32_t k = 0; k < r->contact_count; k++)
                sum += (double)lt_r3_dot(r->contacts[k].impulse, r->contacts[k].normal);
            sums[sweeps] = sum;
            least = lt_min_d(least, sum);
            most = lt_max_d(most, sum);
        }
        printf(
            "%s: impulse over that at sweep 100: %.2f without a sweep, %.2f after one, %.2f to %.2f in all\n",
            names[i], sums[0] / sums[100], sums[1] / sums[100], least / sums[100], most / sums[100]);
        CHECK(least / sums[100] > 0.9 && most / sums[100] < 1.5);
        rig_free(r);
    }
}

/* Anywhere in between as well: cut after any number of units; and the pieces make no difference. */
static void it_may_be_cut_anywhere(void) {
    rig *r = rig_make(NO_GRAVITY, DT);
    cubes_def d = plain_cubes();
    d.young[1] = 4e5;
    d.spin = 1;
    rig_add_cubes(r, &d);
    before b = measure(r);
    lt_random random = lt_random_seed(7);
    uint64_t hashes[2] = {0, 0};
    for (int i = 0; i < 120; i++) {
        rig_recall(r);
        r->bodies[0].sigma = r->bodies[1].sigma = 0;
        r->lcp.params.max_sweeps = 8;
        rig_begin(r);
        lt_cursor cursor = lt_lcp_cursor(&r->lcp);
        uint64_t limit = i < 100 ? lt_random_below(&random, 70000) : UINT64_MAX, used = 0;
        for (lt_piece piece = cursor.peek(&r->lcp); piece.cost && used + piece.cost <= limit;
             piece = cursor.peek(&r->lcp)) {
            CHECK(piece.work == LT_WORK_RESPOND && piece.reserve == 0);
            uint32_t grant = (uint32_t)lt_min_u64(limit - used, piece.cost + lt_random_below(&random, 5000));
            uint32_t cost = cursor.step(&r->lcp, grant);
            CHECK(cost >= piece.cost && cost <= grant);
            used += cost;
        }
        uint64_t promised = lt_lcp_exit_units(&r->lcp);
        lt_cursor exit_cursor = lt_lcp_exit_cursor(&r->lcp);
        CHECK(exit_cursor.step(&r->lcp, UINT32_MAX) <= promised);
        CHECK(exit_cursor.peek(&r->lcp).cost == 0 && cursor.peek(&r->lcp).cost == 0);
        check_exit(r, &b, "units", (uint32_t)lt_min_u64(limit, 1000000));
        if (i < 100) continue;
        const lt_soft *soft = &r->stage.bodies[0];
        uint64_t hash = lt_hash_bytes(0, soft->v, 4 * (size_t)soft->carrier.node_count * sizeof(lt_real));
        CHECK(i == 100 || hash == hashes[0]);
        hashes[0] = hash;
    }
    check_golden("lcp", hashes[0]);
    rig_free(r);
}

/* Under a budget: the exit is set aside first, sweeps have the rest, all together stay within it; more units, more sweeps. */
static void it_keeps_to_a_budget(void) {
    rig *r = rig_make(NO_GRAVITY, DT);
    cubes_def d = plain_cubes();
    rig_add_cubes(r, &d);
    before b = measure(r);
    uint32_t sweeps = 0;
    for (uint64_t units = 40000; units <= 160000; units += 20000) {
        rig_recall(r);
        r->lcp.params.max_sweeps = 1000;
        rig_begin(r);
        lt_meter meter;
        lt_budget budget = lt_budget_collision_units(units);
        lt_meter_init(&meter, (lt_clock){0});
        lt_meter_begin(&meter, &budget, LT_UNLIMITED);
        lt_reserve(&meter, lt_lcp_exit_units(&r->lcp));
        bool done = lt_spend(&meter, LT_STAGE_CONTACTS, lt_lcp_cursor(&r->lcp));
        CHECK(done == (lt_lcp_cursor(&r->lcp).peek(&r->lcp).cost == 0));
        lt_spend_reserve(&meter, LT_STAGE_RESPOND, lt_lcp_exit_cursor(&r->lcp));
        CHECK(meter.used_units <= units && r->lcp.sweeps >= sweeps);
        sweeps = r->lcp.sweeps;
        check_exit(r, &b, "budget", (uint32_t)units);
    }
    CHECK(sweeps > 10);
    rig_free(r);
}

/* What mass damping takes is told. */
static void drag_is_accounted_for(void) {
    rig *r = rig_make(NO_GRAVITY, DT);
    cubes_def d = plain_cubes();
    d.mass_damping = 3;
    rig_add_cubes(r, &d);
    momenta b = stage_momenta(&r->stage), own = momenta_of(&r->stage.bodies[0]);
    rig_solve(r, 3);
    momenta m = stage_momenta(&r->stage);
    lt_dvec3 gained = lt_d3_sub(momenta_of(&r->stage.bodies[0]).linear, own.linear);
    const lt_twist *t0 = &r->bodies[0].taken, *t1 = &r->bodies[1].taken;
    lt_dvec3 taken = {t0->linear[0] + t1->linear[0], t0->linear[1] + t1->linear[1],
                      t0->linear[2] + t1->linear[2]};
    lt_dvec3 turned = {t0->angular[0] + t1->angular[0], t0->angular[1] + t1->angular[1],
                       t0->angular[2] + t1->angular[2]};
    double tolerance = by_build(1e-6, 1e-12);
    CHECK_NEAR(lt_d3_distance(lt_d3_add(m.linear, taken), b.linear), 0, tolerance * b.linear_scale);
    CHECK_NEAR(lt_d3_distance(lt_d3_add(m.angular, turned), b.angular), 0, tolerance * b.angular_scale);
    CHECK_NEAR(t0->linear[2], 3 * DT * gained.z, 1e-5 * fabs(gained.z)); /* α Δt of what it got */
    CHECK(fabs(t0->linear[2]) > 0.01 * b.linear_scale);
    rig_free(r);
}

/* ---- invariance ---- */

/* The change of velocity of node 5 of the upper cube, in the frame of the cubes, and the impulse of contact 3. */
static void solve_turned(lt_dvec3 *gain, lt_dvec3 *impulse, const cubes_def *d, uint32_t sweeps) {
    rig *r = rig_make(NO_GRAVITY, DT);
    rig_add_cubes(r, d);
    r->bodies[0].sigma = r->bodies[1].sigma =
        (lt_real)1.4; /* power iterations begin at random, in the world's frame */
    lt_dvec3 v = d3_of_node(r->bodies[1].v, 5);
    rig_solve(r, sweeps);
    *gain = lt_dm3_mul_vec_transposed(d->turn, lt_d3_sub(d3_of_node(r->bodies[1].v, 5), v));
    lt_rvec3 j = r->contacts[3].impulse;
    *impulse = lt_dm3_mul_vec_transposed(d->turn, (lt_dvec3){(double)j.x, (double)j.y, (double)j.z});
    rig_free(r);
}

/* A moving observer and a turned one see the same answer, whole or cut. */
static void it_is_invariant(void) {
    for (uint32_t sweeps = 0; sweeps < 12; sweeps += 3) {
        cubes_def d = plain_cubes();
        lt_dvec3 gain[3], impulse[3];
        d.spin = 1;
        solve_turned(&gain[0], &impulse[0], &d, sweeps);
        d.velocity = (lt_dvec3){3, -2, 1};
        solve_turned(&gain[1], &impulse[1], &d, sweeps);
        d.velocity = (lt_dvec3){0, 0, 0};
        d.turn = turn_about(1, -2, 0.5, 1.1);
        solve_turned(&gain[2], &impulse[2], &d, sweeps);
        CHECK(lt_d3_length(gain[0]) > 0.02 && lt_d3_length(impulse[0]) > 1e-3);
        for (int k = 1; k < 3; k++) {
            CHECK_NEAR(lt_d3_distance(gain[k], gain[0]), 0, by_build(1e-3, 1e-6));
            CHECK_NEAR(lt_d3_distance(impulse[k], impulse[0]), 0,
                       by_build(1e-3, 1e-6) * lt_d3_length(impulse[0]));
        }
    }
}

/* ---- other partners ---- */

/* Against an obstacle a body's momentum changes by the impulses, at their points; the obstacle's motion counts. */
static void an_obstacle_gives_what_it_says(void) {
    rig *r = rig_make(NO_GRAVITY, DT);
    lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
    stage_add_cube(&r->stage, 0.3, 2, &def);
    const lt_soft *soft = &r->stage.bodies[0];
    lt_rvec3 at[4];
    for (uint32_t i = 0; i < 4; i++) {
        lt_dvec3 p = {0.1 + 0.1 * (i % 2), 0.05 + 0.1 * (i / 2), 0};
        at[i] = r3_of_d3(p);
        lt_lcp_contact c = {.body_a = 0,
                            .body_b = LT_NONE,
                            .normal = {0, 0, 1},
                            .partner_velocity = {0.5f, 0, 1},
                            .friction = 0.4f};
        c.a = anchor_at(soft, soft->x, p);
        rig_add(r, &c);
    }
    rig_views(r);
    for (uint32_t sweeps = 0; sweeps < 30; sweeps += 5) {
        momenta b = stage_momenta(&r->stage);
        rig_copy(r, false);
        rig_solve(r, sweeps);
        momenta m = stage_momenta(&r->stage);
        lt_dvec3 sum = {0}, moment = {0};
        for (uint32_t i = 0; i < 4; i++) {
            lt_rvec3 j = r->contacts[i].impulse, t = lt_r3_cross(at[i], j);
            sum = lt_d3_add(sum, (lt_dvec3){(double)j.x, (double)j.y, (double)j.z});
            moment = lt_d3_add(moment, (lt_dvec3){(double)t.x, (double)t.y, (double)t.z});
        }
        CHECK(sum.z > 1 && sum.x > 0.1);
        CHECK_NEAR(lt_d3_distance(lt_d3_sub(m.linear, b.linear), sum), 0,
                   by_build(1e-6, 1e-12) * lt_d3_length(sum));
        CHECK_NEAR(lt_d3_distance(lt_d3_sub(m.angular, b.angular), moment), 0,
                   by_build(1e-5, 1e-12) * lt_d3_length(sum));
        CHECK(rig_approach(r) < 1e-5 && rig_obeys_law(r));
        rig_recall(r);
    }
    rig_free(r);
}

/* A body that touches itself, at one node as well, keeps its momentum. */
static void a_body_may_touch_itself(void) {
    rig *r = rig_make(NO_GRAVITY, DT);
    lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
    stage_add_cube(&r->stage, 0.3, 2, &def);
    lt_soft *soft = &r->stage.bodies[0];
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        lt_node_set(soft->v, node, (lt_rvec3){0, 0, -4 * (lt_node_get(soft->x, node).z - (lt_real)0.15)});
    const double heights[3][2] = {{0.3, 0}, {0.29, 0.16}, {0.25, 0.2}};
    for (int i = 0; i < 3; i++) {
        lt_lcp_contact c = {.body_a = 0, .body_b = 0, .normal = {0, 0, 1}, .friction = 0.5f};
        c.a = anchor_at(soft, soft->x, (lt_dvec3){0.11, 0.12, heights[i][0]});
        c.b = anchor_at(soft, soft->x, (lt_dvec3){0.11, 0.12, heights[i][1]});
        rig_add(r, &c);
    }
    rig_views(r);
    rig_copy(r, false);
    before b = measure(r);
    for (uint32_t sweeps = 0; sweeps < 60; sweeps += 4) {
        rig_recall(r);
        rig_solve(r, sweeps);
        check_exit(r, &b, "self", sweeps);
    }
    /* One contact alone, both sides in one tet, is answered at once: how it answers is known exactly. */
    rig_recall(r);
    r->contacts[0] = r->contacts[2];
    r->contacts[0].friction = 0;
    r->contact_count = 1;
    rig_solve(r, 0);
    CHECK_COUNT(r->lcp.clamped, 1);
    rig_free(r);
}

/* Pinned nodes and sleeping bodies do not move, whatever comes. */
static void what_is_held_stays(void) {
    for (int held = 0; held < 3; held++) {
        rig *r = rig_make(NO_GRAVITY, DT);
        cubes_def d = plain_cubes();
        rig_add_cubes(r, &d);
        lt_soft *lower = &r->stage.bodies[0];
        for (uint32_t node = 0; held < 2 && node < lower->carrier.node_count; node++)
            lower->pinned[node] = held == 1 || lt_node_get(lower->x, node).z < (lt_real)0.1;
        lower->pin_count = 9;
        r->bodies[0].pinned = lower->pinned;
        r->bodies[0].immovable = held == 2;
        lt_rvec3 v = lt_node_get(lower->v, 0);
        rig_solve(r, 10);
        for (uint32_t node = 0; node < lower->carrier.node_count; node++)
            if (held == 2 || lower->pinned[node]) CHECK(lt_r3_distance(lt_node_get(lower->v, node), v) == 0);
        CHECK(rig_approach(r) < 1e-5 && rig_is_finite(r) && r->lcp.unresolved == 0 && rig_obeys_law(r));
        rig_free(r);
    }
}

/* ---- bad input ---- */

static void check_untouched(rig *r, uint32_t ignored) {
    rig_copy(r, false);
    rig_solve(r, 10);
    CHECK_COUNT(r->lcp.ignored, ignored);
    CHECK(r->lcp.unresolved == 0);
    size_t at = 0;
    for (uint32_t i = 0; i < r->stage.body_count; i++) {
        size_t count = 4 * (size_t)r->bodies[i].node_count;
        CHECK(memcmp(rig_aside + at, r->bodies[i].x, count * sizeof(lt_real)) == 0);
        CHECK(memcmp(rig_aside + at + count, r->bodies[i].v, count * sizeof(lt_real)) == 0);
        at += 2 * count;
    }
}

static void nothing_to_do_changes_nothing(void) {
    rig *r = rig_make(NO_GRAVITY, DT);
    cubes_def d = plain_cubes();
    rig_add_cubes(r, &d);
    uint32_t count = r->contact_count;
    r->contact_count = 0;
    check_untouched(r, 0);
    r->contact_count = count;
    r->bodies[0].immovable = r->bodies[1].immovable = true;
    check_untouched(r, count);
    rig_free(r);
    r = rig_make(NO_GRAVITY, DT);
    check_untouched(r, 0); /* no bodies */
    rig_free(r);
}

static void contacts_that_mean_nothing_are_ignored(void) {
    rig *r = rig_make(NO_GRAVITY, DT);
    cubes_def d = plain_cubes();
    rig_add_cubes(r, &d);
    r->contact_count = 8;
    lt_lcp_contact *c = r->contacts;
    c[0].gap = (lt_real)NAN;
    c[1].normal.x = (lt_real)INFINITY;
    c[2].body_a = 9;
    c[3].a.ids[1] = 1000;
    c[4].friction = -1;
    c[5].a.weights[2] = (lt_real)NAN;
    c[6].body_b = 2;
    c[7].impulse.y = (lt_real)NAN;
    check_untouched(r, 8);
    /* Nodes without mass are not moved; others are. */
    rig_copy(r, true);
    r->contact_count = 0;
    lt_lcp_contact plain = {.body_a = 1, .body_b = 0, .normal = {0, 0, 1}, .friction = (lt_real)0.3};
    for (uint32_t i = 0; i < 2; i++) {
        lt_soft *upper = &r->stage.bodies[1];
        plain.a = (lt_anchor){.ids = {i}, .weights = {1}, .count = 1};
        plain.b = (lt_anchor){.ids = {26 - i}, .weights = {1}, .count = 1};
        upper->mass[0] = 0;
        r->stage.bodies[0].mass[26] = 0;
        rig_add(r, &plain);
    }
    lt_rvec3 v = lt_node_get(r->bodies[1].v, 0);
    rig_solve(r, 20);
    CHECK_COUNT(r->lcp.ignored, 1);
    CHECK(rig_is_finite(r) && lt_r3_length(r->contacts[1].impulse) > 0);
    CHECK(lt_r3_distance(lt_node_get(r->bodies[1].v, 0), v) < (lt_real)3);
    rig_free(r);
}

/* A body with a number that is not one keeps that to itself; so does a step of no time. */
static void poison_does_not_spread(void) {
    rig *r = rig_make(NO_GRAVITY, DT);
    cubes_def d = plain_cubes();
    rig_add_cubes(r, &d);
    r->bodies[0].v[1] = (lt_real)NAN; /* a corner at the bottom: no contact's */
    rig_solve(r, 7);
    CHECK(soft_is_finite(&r->stage.bodies[1]) && rig_approach(r) < 1e-5);
    rig_recall(r);
    for (uint32_t node = 0; node < 27; node++)
        r->bodies[0].x[4 * node] = (lt_real)NAN;
    rig_solve(r, 7);
    CHECK(soft_is_finite(&r->stage.bodies[1]));
    rig_recall(r);
    r->stage.dt = 0;
    check_untouched(r, r->contact_count);
    rig_free(r);
}

/* Squeezed between two planes that come nearer: there is no answer; what comes out is finite, and says so. */
static void contradictions_end(void) {
    rig *r = rig_make(NO_GRAVITY, DT);
    lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
    stage_add_cube(&r->stage, 0.3, 2, &def);
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t node = i / 2;
        lt_lcp_contact c = {.body_a = 0, .body_b = LT_NONE, .normal = {0, 0, i % 2 ? -1 : 1}, .friction = 1};
        c.a = (lt_anchor){.ids = {node}, .weights = {1}, .count = 1};
        c.partner_velocity.z = i % 2 ? -1 : 1;
        rig_add(r, &c);
    }
    rig_views(r);
    rig_copy(r, false);
    for (uint32_t sweeps = 0; sweeps < 40; sweeps += 13) {
        rig_recall(r);
        rig_solve(r, sweeps);
        CHECK(rig_is_finite(r) && rig_obeys_law(r));
        CHECK(r->lcp.unresolved > 0 && r->lcp.approach > (lt_real)0.5);
        CHECK(lt_soft_speed(&r->stage.bodies[0]) < 10);
    }
    rig_free(r);
}

/* Overlap is undone at a bounded speed. */
static void overlap_is_undone_slowly(void) {
    rig *r = rig_make(NO_GRAVITY, DT);
    cubes_def d = plain_cubes();
    rig_add_cubes(r, &d);
    for (uint32_t i = 0; i < r->contact_count; i++)
        r->contacts[i].gap = (lt_real)-0.1;
    for (uint32_t sweeps = 0; sweeps < 60; sweeps += 12) {
        rig_recall(r);
        rig_solve(r, sweeps);
        for (uint32_t i = 0; i < r->contact_count; i++) {
            const lt_lcp_contact *c = &r->contacts[i];
            lt_rvec3 u =
                lt_r3_sub(lt_anchor_gather(&c->a, r->bodies[1].v), lt_anchor_gather(&c->b, r->bodies[0].v));
            CHECK(u.z > (lt_real)0.9999 && (sweeps < 40 || u.z < (lt_real)3));
        }
        CHECK(rig_kinetic(r) < 4 * 27); /* 27 kg each: at most some metres a second */
    }
    rig_free(r);
}

/* The promised scratch is enough, and with less nothing is begun. */
static void scratch_is_enough(void) {
    rig *r = rig_make(NO_GRAVITY, DT);
    cubes_def d = plain_cubes();
    rig_add_cubes(r, &d);
    size_t enough = lt_lcp_scratch(2 * 27, 2, r->contact_count);
    const size_t sizes[] = {enough, enough / 2, 4096, 64, 1};
    for (int i = 0; i < 5; i++) {
        rig_recall(r);
        lt_arena arena = {0};
        CHECK(lt_arena_reserve(&arena, NULL, sizes[i]));
        r->lcp.bodies = r->bodies;
        r->lcp.body_count = 2;
        r->lcp.contacts = r->contacts;
        r->lcp.contact_count = r->contact_count;
        r->lcp.dt = r->stage.dt;
        CHECK(lt_lcp_begin(&r->lcp, &arena) == (i == 0));
        run_to_end(lt_lcp_cursor(&r->lcp));
        run_to_end(lt_lcp_exit_cursor(&r->lcp));
        CHECK((memcmp(rig_aside, r->bodies[0].x, 27 * 4 * sizeof(lt_real)) == 0) == (i > 0));
        lt_arena_free(&arena);
    }
    rig_free(r);
}

/* ---- the fail-safe ---- */

static void the_step_is_scaled(void) {
    const lt_real from[8] = {1, 2, 3, 0, -1, 0, 5, 0};
    const double times[] = {2, 1, 0.5, 0, -1, NAN}, shares[] = {1, 0.9, 0.45, 0, 0, 0};
    for (int i = 0; i < 6; i++) {
        lt_real x[8] = {2, 2, 1, 0, -1, 4, 5, 0};
        CHECK_NEAR(lt_lcp_scale_step(x, from, 2, (lt_real)times[i]), shares[i], 1e-6);
        CHECK_NEAR(x[0], 1 + shares[i], 1e-6);
        CHECK_NEAR(x[2], 3 - 2 * shares[i], 1e-6);
        CHECK_NEAR(x[5], 4 * shares[i], 1e-6);
    }
}

int main(void) {
    RUN(the_splitting_converges);
    RUN(sweeps_come_nearer_to_the_solution);
    RUN(it_ends_when_it_has_converged);
    RUN(many_contacts_converge);
    RUN(any_sweep_may_be_the_last);
    RUN(it_may_be_cut_anywhere);
    RUN(it_keeps_to_a_budget);
    RUN(drag_is_accounted_for);
    RUN(it_is_invariant);
    RUN(an_obstacle_gives_what_it_says);
    RUN(a_body_may_touch_itself);
    RUN(what_is_held_stays);
    RUN(nothing_to_do_changes_nothing);
    RUN(contacts_that_mean_nothing_are_ignored);
    RUN(poison_does_not_spread);
    RUN(contradictions_end);
    RUN(overlap_is_undone_slowly);
    RUN(scratch_is_enough);
    RUN(the_step_is_scaled);
    return check_finish();
}
