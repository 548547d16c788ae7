/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What constrained response leaves when it is cut. Two soft balls run into each other; their contacts are those of the step,
 * found by the query. The same step is answered over and over: with every number of sweeps, where momentum must be what it was
 * before, and with more and more units, where residuals and what still overlaps are told. */

#include "multiscale_internal.h"

#include "bake/icosahedral.h"
#include "chart.h"
#include "respond/lcp.h"
#include "scenes/generate.h"

#include <stdio.h>
#include <string.h>

enum { LAYERS = 4, SUBDIVISIONS = 4, SWEEPS = 60, LCP_MEMORY = 1 << 25, ADVANCE_MEMORY = 1 << 25 };
static const double RADIUS = 0.15, SPEED = 0.3, DT = 1 / 60.0, SEPARATION = 1e-3;

typedef struct clash {
    lt_fine_shape dense;
    lt_fine_body bodies[2];
    lt_fine_pair pair;
    lt_soft softs[2];
    lt_system systems[2];
    lt_lcp_body views[2];
    lt_real *aside[2]; /* [2][node_count][4] positions and velocities of the free motion */
    lt_array contacts; /* of lt_lcp_contact */
    lt_arena moving, solving;
    lt_allocator allocator;
} clash;

/* ---- two balls ---- */

static lt_status make_ball(lt_fine_shape *out, lt_bench *bench, lt_error *error) {
    lt_tet_mesh tets = {0};
    lt_surface surface = {0};
    *out = (lt_fine_shape){0};
    lt_status status = lt_generate_tet_ball(&tets, RADIUS, LAYERS, &bench->allocator, error);
    if (status == LT_OK) /* within the flat faces of the tets */
        status = lt_generate_icosphere(&surface, 0.94 * RADIUS, SUBDIVISIONS, &bench->allocator, error);
    if (status == LT_OK) status = lt_fine_shape_of(out, bench, &tets, &surface, error);
    lt_tet_mesh_free(&tets);
    lt_surface_free(&surface);
    return status;
}

/* The second behind the first, a little aside, both spinning. */
static lt_status add_soft(clash *c, int i, lt_error *error) {
    double side = i ? 1 : -1;
    lt_soft_def def = {.model = LT_MODEL_COROTATIONAL,
                       .material = {.young = 1e5f, .poisson = 0.3f, .density = 1000},
                       .rotation = lt_dm3_identity(),
                       .position = {side * 0.95 * RADIUS, i * 0.2 * RADIUS, 0},
                       .scale = 1,
                       .velocity = {(float)(-side * SPEED), 0, 0},
                       .angular_velocity = {1, (float)side, 2},
                       .max_substeps = 1000,
                       .max_iterations = 1000,
                       .tolerance = 1e-6f};
    return lt_soft_create(&c->softs[i], &c->dense.carrier, &def, &c->allocator, error);
}

static lt_status create_clash(clash *c, lt_bench *bench, lt_error *error) {
    *c = (clash){.allocator = bench->allocator, .contacts = LT_ARRAY_OF(&bench->allocator, lt_lcp_contact)};
    lt_status status = make_ball(&c->dense, bench, error);
    for (int i = 0; i < 2 && status == LT_OK; i++) {
        status = lt_fine_body_create(&c->bodies[i], &c->dense, NULL, LT_BOUND_DUAL, NULL, error);
        if (status == LT_OK) status = add_soft(c, i, error);
        c->aside[i] = LT_NEW(&c->allocator, 8 * (size_t)c->dense.carrier.node_count, lt_real);
        if (status == LT_OK && !c->aside[i]) status = lt_fail(error, LT_STATUS_MEMORY, "no memory for nodes");
    }
    if (status == LT_OK) status = lt_fine_pair_create(&c->pair, &c->bodies[0], &c->bodies[1], error);
    if (status == LT_OK && (!lt_arena_reserve(&c->moving, &c->allocator, ADVANCE_MEMORY) ||
                            !lt_arena_reserve(&c->solving, &c->allocator, LCP_MEMORY)))
        status = lt_fail(error, LT_STATUS_MEMORY, "no memory for the response");
    return status;
}

static void free_clash(clash *c) {
    lt_arena_free(&c->moving);
    lt_arena_free(&c->solving);
    lt_fine_pair_free(&c->pair);
    for (int i = 0; i < 2; i++) {
        LT_DELETE(&c->allocator, c->aside[i], 8 * (size_t)c->dense.carrier.node_count, lt_real);
        if (c->softs[i].memory) lt_soft_free(&c->softs[i]);
        lt_fine_body_free(&c->bodies[i]);
    }
    lt_array_free(&c->contacts);
    lt_fine_shape_free(&c->dense);
}

/* ---- the free motion, and its contacts ---- */

static void copy_nodes(float *out, const lt_real *x, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        lt_rvec3 p = lt_node_get(x, i);
        lt_fine_put(out, i, (lt_dvec3){(double)p.x, (double)p.y, (double)p.z});
    }
}

/* Puts the end of the free motion aside, or takes it back. */
static void copy_state(clash *c, bool back) {
    size_t count = 4 * (size_t)c->dense.carrier.node_count;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            lt_real *own = k ? c->softs[i].v : c->softs[i].x, *aside = c->aside[i] + (size_t)k * count;
            memcpy(back ? own : aside, back ? aside : own, count * sizeof(lt_real));
        }
}

static lt_status move_freely(clash *c, lt_error *error) {
    const uint32_t awake[2] = {0, 1};
    uint32_t count = c->dense.carrier.node_count;
    for (int i = 0; i < 2; i++) {
        copy_nodes(c->bodies[i].from, c->softs[i].x, count);
        lt_soft_plan(&c->softs[i], (lt_real)DT);
    }
    lt_advance advance = {.bodies = c->softs,
                          .awake = awake,
                          .awake_count = 2,
                          .dt = (lt_real)DT,
                          .level = lt_simd_best(),
                          .arena = &c->moving,
                          .systems = c->systems};
    if (!lt_advance_run(&advance)) return lt_fail(error, LT_STATUS_MEMORY, "no memory to move two balls");
    for (int i = 0; i < 2; i++) {
        copy_nodes(c->bodies[i].to, c->softs[i].x, count);
        lt_fine_body_measure(&c->bodies[i]);
    }
    copy_state(c, false);
    return LT_OK;
}

/* Adds a point to an anchor; false where it has no room for more nodes. */
static bool add_point(lt_anchor *anchor, const lt_multiscale_tree *tree, uint32_t point, float weight) {
    lt_anchor own = lt_multiscale_anchor(tree, point);
    for (uint32_t i = 0; i < own.count; i++) {
        uint32_t k = 0;
        if (own.weights[i] == 0) continue;
        while (k < anchor->count && anchor->ids[k] != own.ids[i])
            k++;
        if (k == LT_COUNT_OF(anchor->ids)) return false;
        if (k == anchor->count) {
            anchor->ids[anchor->count] = own.ids[i];
            anchor->weights[anchor->count++] = 0;
        }
        anchor->weights[k] += own.weights[i] * (lt_real)weight;
    }
    return true;
}

static bool add_side(lt_anchor *anchor, const lt_multiscale_tree *tree, const lt_meeting *m, uint32_t side) {
    lt_meeting_side s = lt_meeting_side_of(m, side);
    bool fits = true;
    for (uint32_t i = 0; fits && i < s.count; i++)
        fits = add_point(anchor, tree, s.points[i], s.weights[i]);
    return fits;
}

static lt_rvec3 place_before(const lt_fine_body *body, const lt_anchor *anchor) {
    lt_rvec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < anchor->count; i++) {
        const float *x = body->from + 4 * (size_t)anchor->ids[i];
        sum = lt_r3_mad(sum, (lt_rvec3){(lt_real)x[0], (lt_real)x[1], (lt_real)x[2]}, anchor->weights[i]);
    }
    return sum;
}

static bool add_contact(clash *c, const lt_meeting *m) {
    lt_lcp_contact contact = {.body_a = 0,
                              .body_b = 1,
                              .normal = {(lt_real)m->normal.x, (lt_real)m->normal.y, (lt_real)m->normal.z},
                              .friction = (lt_real)0.3};
    if (!add_side(&contact.a, &c->dense.tree, m, 0) || !add_side(&contact.b, &c->dense.tree, m, 1))
        return true; /* a triangle that spans many tets: left out */
    lt_rvec3 apart =
        lt_r3_sub(place_before(&c->bodies[0], &contact.a), place_before(&c->bodies[1], &contact.b));
    contact.gap = lt_r3_dot(apart, contact.normal) - (lt_real)SEPARATION;
    return lt_array_push(&c->contacts, &contact);
}

static lt_status find_contacts(clash *c, lt_error *error) {
    c->pair.query.separation = (float)SEPARATION;
    lt_fine_step(&c->pair, LT_FINE_MULTISCALE);
    for (uint32_t i = 0; i < c->pair.query.meeting_count; i++)
        if (!add_contact(c, &c->pair.query.meetings[i]))
            return lt_fail(error, LT_STATUS_MEMORY, "no memory for contacts");
    return LT_OK;
}

/* ---- answers ---- */

typedef struct momenta {
    lt_dvec3 linear, angular;
    double linear_scale, angular_scale; /* of the absolute values */
} momenta;

static momenta measure(const clash *c) {
    momenta sum = {{0, 0, 0}, {0, 0, 0}, 0, 0};
    for (int i = 0; i < 2; i++)
        for (uint32_t node = 0; node < c->dense.carrier.node_count; node++) {
            const lt_soft *soft = &c->softs[i];
            lt_rvec3 x = lt_node_get(soft->x, node), v = lt_node_get(soft->v, node);
            lt_dvec3 p =
                lt_d3_scale((lt_dvec3){(double)v.x, (double)v.y, (double)v.z}, (double)soft->mass[node]);
            lt_dvec3 moment = lt_d3_cross((lt_dvec3){(double)x.x, (double)x.y, (double)x.z}, p);
            sum.linear = lt_d3_add(sum.linear, p);
            sum.angular = lt_d3_add(sum.angular, moment);
            sum.linear_scale += lt_d3_length(p);
            sum.angular_scale += lt_d3_length(moment);
        }
    return sum;
}

static double momentum_error(const momenta *before, const momenta *after) {
    return lt_max_d(lt_d3_distance(after->linear, before->linear) / before->linear_scale,
                    lt_d3_distance(after->angular, before->angular) / before->angular_scale);
}

typedef struct answer {
    lt_lcp lcp;
    double us, momentum_error;
    double overlap;    /* m, of the contact that is deepest in the other body */
    uint32_t crossing; /* pairs of triangles */
    uint64_t units;
} answer;

/* Sweeps while they fit into `units`, at most `max_sweeps`; then the exit, which is not counted. */
static uint64_t run_sweeps(lt_lcp *lcp, uint64_t units) {
    lt_cursor cursor = lt_lcp_cursor(lcp);
    uint64_t used = 0;
    for (uint32_t cost = cursor.peek(lcp).cost; cost && used + cost <= units; cost = cursor.peek(lcp).cost)
        used += cursor.step(lcp, cost);
    cursor = lt_lcp_exit_cursor(lcp);
    while (cursor.peek(lcp).cost)
        cursor.step(lcp, UINT32_MAX);
    return used;
}

static double deepest(const clash *c) {
    const lt_lcp_contact *contacts = c->contacts.items;
    double worst = 0;
    for (size_t i = 0; i < c->contacts.count; i++) {
        const lt_lcp_contact *k = &contacts[i];
        lt_rvec3 apart =
            lt_r3_sub(lt_anchor_gather(&k->a, c->softs[0].x), lt_anchor_gather(&k->b, c->softs[1].x));
        worst = lt_max_d(worst, -(double)lt_r3_dot(apart, k->normal));
    }
    return worst;
}

/* Triangles of the one that pass through one of the other where the answer has put them. */
static uint32_t count_crossing(clash *c) {
    for (int i = 0; i < 2; i++) {
        lt_fine_body *body = &c->bodies[i];
        copy_nodes(body->to, c->softs[i].x, c->dense.carrier.node_count);
        lt_fine_body_measure(body);
        lt_multiscale_begin(&body->boxes, body->to, NULL, body->box);
        lt_multiscale_fit(&body->boxes);
    }
    c->pair.query.separation = 0;
    lt_query_begin(&c->pair.query);
    lt_query_run(&c->pair.query);
    return c->pair.query.meeting_count + c->pair.query.dropped_count;
}

static answer respond(clash *c, uint64_t units, uint32_t max_sweeps) {
    lt_lcp_contact *contacts = c->contacts.items;
    copy_state(c, true);
    momenta before = measure(c);
    for (int i = 0; i < 2; i++) {
        lt_real sigma = c->views[i].sigma; /* found once */
        c->views[i] = lt_lcp_body_of(&c->softs[i], &c->systems[i], (lt_real)DT, false);
        c->views[i].sigma = sigma;
    }
    for (size_t i = 0; i < c->contacts.count; i++)
        contacts[i].impulse = (lt_rvec3){0, 0, 0};
    answer a = {.lcp = {.bodies = c->views,
                        .body_count = 2,
                        .contacts = contacts,
                        .contact_count = (uint32_t)c->contacts.count,
                        .dt = (lt_real)DT,
                        .params = lt_lcp_params_default(lt_simd_best())}};
    a.lcp.params.max_sweeps = max_sweeps;
    if (units == UINT64_MAX && max_sweeps <= SWEEPS) a.lcp.params.tolerance = 0;
    lt_arena_reset(&c->solving);
    lt_stopwatch watch = lt_stopwatch_start();
    if (lt_lcp_begin(&a.lcp, &c->solving)) a.units = run_sweeps(&a.lcp, units);
    a.us = lt_stopwatch_stop(watch).us;
    momenta after = measure(c);
    a.momentum_error = momentum_error(&before, &after);
    a.overlap = deepest(c);
    return a;
}

static double worst_momentum(lt_bench *bench, clash *c) {
    double worst = 0;
    for (uint32_t sweeps = 0; sweeps <= (bench->quick ? 8 : SWEEPS); sweeps++)
        worst = lt_max_d(worst, respond(c, UINT64_MAX, sweeps).momentum_error);
    return worst;
}

static void add_answer(lt_bench *bench, uint64_t units, const answer *a) {
    char label[64];
    if (units == UINT64_MAX)
        snprintf(label, sizeof label, "response, no limit");
    else
        snprintf(label, sizeof label, "response, %llu units of sweeps", (unsigned long long)units);
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "ms", 1e-3 * a->us);
    lt_bench_number(bench, "units", (double)a->units);
    lt_bench_number(bench, "sweeps", a->lcp.sweeps);
    lt_bench_number(bench, "residual", (double)a->lcp.residual);
    lt_bench_number(bench, "complementarity", (double)a->lcp.complementarity);
    lt_bench_number(bench, "single_impulses", a->lcp.clamped);
    lt_bench_number(bench, "approach_m/s", (double)a->lcp.approach);
    lt_bench_number(bench, "overlap_mm", 1e3 * a->overlap);
    lt_bench_number(bench, "crossing", a->crossing);
    lt_bench_number(bench, "momentum_error", a->momentum_error);
}

/* What there would be without. */
static void add_free_motion(lt_bench *bench, clash *c) {
    copy_state(c, true);
    lt_bench_row_begin(bench, "response, none");
    lt_bench_number(bench, "contacts", (double)c->contacts.count);
    lt_bench_number(bench, "nodes", 2.0 * c->dense.carrier.node_count);
    lt_bench_number(bench, "overlap_mm", 1e3 * deepest(c));
    lt_bench_number(bench, "crossing", count_crossing(c));
}

/* Returns the last, without a limit. */
static answer add_answers(lt_bench *bench, clash *c) {
    static const uint64_t budgets[] = {0, 100000, 300000, 1000000, 3000000, 10000000, UINT64_MAX};
    answer a = respond(c, 0, 0); /* finds σ */
    for (size_t i = 0; i < LT_COUNT_OF(budgets); i++) {
        a = respond(c, budgets[i], 1000);
        a.crossing = count_crossing(c);
        add_answer(bench, budgets[i], &a);
    }
    return a;
}

static lt_status draw_answers(lt_bench *bench, size_t first_row, lt_error *error) {
    static const lt_bench_curve curves[] = {{"residual", "response, ", "units", "residual"},
                                            {"complementarity", "response, ", "units", "complementarity"}};
    const lt_chart chart = {.title = "Response of multiscale: what is left against work units",
                            .x = {.label = "work units of sweeps", .log = true},
                            .y = {.label = "share of what there was", .log = true},
                            .width = 760,
                            .height = 340};
    return lt_bench_curves(bench, first_row, curves, LT_COUNT_OF(curves), chart, "multiscale-response",
                           error);
}

lt_status lt_fine_response(lt_bench *bench, lt_error *error) {
    clash c;
    size_t first_row = bench->rows.count;
    lt_status status = create_clash(&c, bench, error);
    if (status == LT_OK) status = move_freely(&c, error);
    if (status == LT_OK) status = find_contacts(&c, error);
    if (status == LT_OK) {
        add_free_motion(bench, &c);
        answer last = add_answers(bench, &c);
        lt_bench_check_value(bench, "multiscale.response-contacts", (double)c.contacts.count, ">", 0);
        lt_bench_check_value(bench, "multiscale.response-crossing", last.crossing, "==", 0);
        lt_bench_check_value(bench, "multiscale.momentum-error-any-sweep", worst_momentum(bench, &c),
                             "<=", 1e-6);
        status = draw_answers(bench, first_row, error);
    }
    free_clash(&c);
    return status;
}
