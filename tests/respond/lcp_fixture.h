/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies, their matrices and contacts for the tests of constrained response: a stage as in the tests of body/, whose step is a
 * free motion with the matrices left behind, and contacts between surfaces that are given by points. */

#ifndef LITHE_TESTS_LCP_FIXTURE_H
#define LITHE_TESTS_LCP_FIXTURE_H

#include "bench/whole/whole.h"
#include "body/soft_fixture.h"
#include "respond/lcp.h"

enum { RIG_CONTACTS = 256, RIG_MEMORY = 1 << 21 };

typedef struct rig {
    stage stage;
    lt_system systems[STAGE_BODIES];
    lt_lcp_body bodies[STAGE_BODIES];
    lt_lcp_contact contacts[RIG_CONTACTS];
    uint32_t contact_count;
    lt_lcp lcp;
    lt_arena arena;
} rig;

static rig shared_rig; /* too large for the stack */

static inline rig *rig_make(lt_rvec3 gravity, double dt) {
    rig *r = &shared_rig;
    r->stage = stage_make(gravity, dt);
    r->contact_count = 0;
    r->lcp = (lt_lcp){.params = lt_lcp_params_default(lt_simd_best())};
    memset(r->bodies, 0, sizeof r->bodies);
    r->arena = (lt_arena){0};
    if (!lt_arena_reserve(&r->stage.arena, NULL, RIG_MEMORY) ||
        !lt_arena_reserve(&r->arena, NULL, RIG_MEMORY))
        exit(1);
    return r;
}

static inline void rig_free(rig *r) {
    stage_free(&r->stage);
    lt_arena_free(&r->arena);
}

/* Views of all bodies, with matrices at the present positions; velocities are taken as those of the free motion, positions as
 * where it began. */
static inline void rig_views(rig *r) {
    stage *s = &r->stage;
    lt_arena_reset(&s->arena);
    for (uint32_t i = 0; i < s->body_count; i++) {
        lt_soft *soft = &s->bodies[i];
        if (!lt_soft_build_system(soft, &r->systems[i], s->dt, s->level, &s->arena)) exit(1);
        lt_real sigma = r->bodies[i].sigma;
        r->bodies[i] = lt_lcp_body_of(soft, &r->systems[i], s->dt, false);
        r->bodies[i].sigma = sigma;
        for (uint32_t node = 0; node < soft->carrier.node_count; node++)
            lt_node_add(soft->x, node, lt_node_get(soft->v, node), s->dt);
    }
}

/* The free motion of a step. */
static inline void rig_move(rig *r) {
    stage *s = &r->stage;
    lt_arena_reset(&s->arena);
    for (uint32_t i = 0; i < s->body_count; i++)
        lt_soft_plan(&s->bodies[i], s->dt);
    lt_advance advance = {.bodies = s->bodies,
                          .awake = s->awake,
                          .awake_count = s->body_count,
                          .gravity = s->gravity,
                          .dt = s->dt,
                          .level = s->level,
                          .arena = &s->arena,
                          .systems = r->systems};
    if (!lt_advance_run(&advance)) exit(1);
    for (uint32_t i = 0; i < s->body_count; i++) {
        lt_real sigma = r->bodies[i].sigma;
        r->bodies[i] = lt_lcp_body_of(&s->bodies[i], &r->systems[i], s->dt, false);
        r->bodies[i].sigma = sigma;
    }
}

/* Units of the cursor, cut after `grant`. */
static inline void rig_begin(rig *r) {
    r->lcp.bodies = r->bodies;
    r->lcp.body_count = r->stage.body_count;
    r->lcp.contacts = r->contacts;
    r->lcp.contact_count = r->contact_count;
    r->lcp.dt = r->stage.dt;
    lt_arena_reset(&r->arena);
    CHECK(lt_lcp_begin(&r->lcp, &r->arena));
}

static inline void run_to_end(lt_cursor cursor) {
    while (cursor.peek(cursor.state).cost)
        cursor.step(cursor.state, UINT32_MAX);
}

/* Whole sweeps, then the exit. */
static inline void rig_solve(rig *r, uint32_t sweeps) {
    r->lcp.params.max_sweeps = sweeps;
    rig_begin(r);
    run_to_end(lt_lcp_cursor(&r->lcp));
    run_to_end(lt_lcp_exit_cursor(&r->lcp));
    for (uint32_t i = 0; i < r->stage.body_count; i++)
        lt_soft_publish(&r->stage.bodies[i]);
}

/* Weights of a point in a tet. */
static inline lt_dvec3 barycentric(const lt_soft *soft, const lt_real *x, uint32_t tet, lt_dvec3 p) {
    const uint32_t *ids = soft->carrier.tets + 4 * (size_t)tet;
    lt_dvec3 o = d3_of_node(x, ids[0]);
    lt_dmat3 edges = {lt_d3_sub(d3_of_node(x, ids[1]), o), lt_d3_sub(d3_of_node(x, ids[2]), o),
                      lt_d3_sub(d3_of_node(x, ids[3]), o)};
    return lt_dm3_mul_vec(lt_dm3_inverse(edges), lt_d3_sub(p, o));
}

/* The tet that holds the point best, extrapolated where none does. */
static inline lt_anchor anchor_at(const lt_soft *soft, const lt_real *x, lt_dvec3 p) {
    lt_anchor best = {.count = 4};
    double least = -1e30;
    for (uint32_t tet = 0; tet < soft->carrier.tet_count; tet++) {
        lt_dvec3 w = barycentric(soft, x, tet, p);
        double w0 = 1 - w.x - w.y - w.z, worst = lt_min_d(lt_min_d(w0, w.x), lt_min_d(w.y, w.z));
        if (!(worst > least)) continue;
        least = worst;
        for (int k = 0; k < 4; k++)
            best.ids[k] = soft->carrier.tets[4 * (size_t)tet + k];
        best.weights[0] = (lt_real)w0;
        best.weights[1] = (lt_real)w.x;
        best.weights[2] = (lt_real)w.y;
        best.weights[3] = (lt_real)w.z;
    }
    return best;
}

static inline lt_lcp_contact *rig_add(rig *r, const lt_lcp_contact *contact) {
    r->contacts[r->contact_count] = *contact;
    return &r->contacts[r->contact_count++];
}

/* ---- positions and velocities put aside, to start from again ---- */

enum { RIG_REALS = 1 << 12 };
static lt_real rig_aside[RIG_REALS];

/* Copies x and v of all bodies, out or back in. */
static inline void rig_copy(rig *r, bool back) {
    size_t at = 0;
    for (uint32_t i = 0; i < r->stage.body_count; i++)
        for (int k = 0; k < 2; k++) {
            lt_real *own = k ? r->stage.bodies[i].v : r->stage.bodies[i].x;
            size_t count = 4 * (size_t)r->stage.bodies[i].carrier.node_count;
            if (at + count > RIG_REALS) exit(1);
            memcpy(back ? own : rig_aside + at, back ? rig_aside + at : own, count * sizeof(lt_real));
            at += count;
        }
}

/* Forgets impulses, too. */
static inline void rig_recall(rig *r) {
    rig_copy(r, true);
    for (uint32_t i = 0; i < r->contact_count; i++)
        r->contacts[i].impulse = (lt_rvec3){0, 0, 0};
}

/* ---- what is measured ---- */

/* What approaches most at the end, m/s: J v + g/Δt below 0. */
static inline double rig_approach(const rig *r) {
    double worst = 0;
    for (uint32_t i = 0; i < r->contact_count; i++) {
        const lt_lcp_contact *c = &r->contacts[i];
        lt_rvec3 u = lt_anchor_gather(&c->a, r->stage.bodies[c->body_a].v);
        u = lt_r3_sub(u, c->body_b == LT_NONE ? c->partner_velocity
                                              : lt_anchor_gather(&c->b, r->stage.bodies[c->body_b].v));
        worst = lt_max_d(worst, -(double)(lt_r3_dot(u, c->normal) + c->gap / r->stage.dt));
    }
    return worst;
}

static inline double rig_kinetic(const rig *r) {
    double sum = 0;
    for (uint32_t i = 0; i < r->stage.body_count; i++)
        sum += lt_soft_kinetic_energy(&r->stage.bodies[i]);
    return sum;
}

/* Impulses push, and their friction is in its cone. */
static inline bool rig_obeys_law(const rig *r) {
    for (uint32_t i = 0; i < r->contact_count; i++) {
        const lt_lcp_contact *c = &r->contacts[i];
        double push = (double)lt_r3_dot(c->impulse, c->normal);
        double hold = (double)lt_r3_length(lt_r3_mad(c->impulse, c->normal, (lt_real)-push));
        if (!(push >= 0 && hold <= (double)c->friction * push * (1 + 1e-4) + 1e-6 * push)) return false;
    }
    return true;
}

static inline bool rig_is_finite(const rig *r) {
    bool finite = true;
    for (uint32_t i = 0; i < r->stage.body_count; i++)
        finite = finite && soft_is_finite(&r->stage.bodies[i]);
    return finite;
}

/* ---- two cubes ---- */

typedef struct cubes_def {
    double side, young[2], gap, slip;
    uint32_t cells, points;
    lt_model model[2];
    lt_dmat3 turn;
    lt_dvec3 velocity; /* of everything */
    float friction, spin, mass_damping;
} cubes_def;

static inline cubes_def plain_cubes(void) {
    return (cubes_def){.side = 0.3,
                       .young = {1e5, 1e5},
                       .cells = 2,
                       .points = 4,
                       .model = {LT_MODEL_COROTATIONAL, LT_MODEL_COROTATIONAL},
                       .turn = lt_dm3_identity(),
                       .friction = 0.3f};
}

static inline lt_rvec3 r3_of_d3(lt_dvec3 v) {
    return (lt_rvec3){(lt_real)v.x, (lt_real)v.y, (lt_real)v.z};
}

/* One above the other, a little aside; they meet at 2 m/s and slide past each other at 0.3. Contacts between points of the lower
 * face of the second, and what is below them by `gap` and beside them by `slip`. */
static inline void rig_add_cubes(rig *r, const cubes_def *d) {
    stage *s = &r->stage;
    double side = d->side;
    for (int b = 0; b < 2; b++) {
        lt_soft_def def = plain_def(d->model[b]);
        def.material.young = (float)d->young[b];
        def.material.mass_damping = d->mass_damping;
        def.rotation = d->turn;
        def.position = lt_dm3_mul_vec(d->turn, (lt_dvec3){b * 0.13 * side, 0, b * (side + d->gap)});
        lt_dvec3 v = lt_d3_add(d->velocity, lt_dm3_mul_vec(d->turn, (lt_dvec3){b * 0.3, 0, b ? -1 : 1}));
        lt_dvec3 spin = lt_dm3_mul_vec(
            d->turn, (lt_dvec3){(double)d->spin, (double)d->spin * (b ? 0.7 : -1), 0.3 * (double)d->spin});
        def.velocity = lt_v3_from_d3(v);
        def.angular_velocity = lt_v3_from_d3(spin);
        stage_add_cube(s, side, d->cells, &def);
    }
    for (uint32_t i = 0; i < d->points * d->points; i++) {
        double x = side * (0.15 + 0.8 * (i % d->points + 0.5) / d->points);
        double y = side * (0.05 + 0.9 * (i / d->points + 0.5) / d->points);
        lt_dvec3 above = lt_dm3_mul_vec(d->turn, (lt_dvec3){x, y, side + d->gap});
        lt_dvec3 below = lt_dm3_mul_vec(d->turn, (lt_dvec3){x + d->slip, y, side});
        lt_lcp_contact c = {.body_a = 1,
                            .body_b = 0,
                            .normal = r3_of_d3(d->turn.c2),
                            .gap = (lt_real)d->gap,
                            .friction = (lt_real)d->friction};
        c.a = anchor_at(&s->bodies[1], s->bodies[1].x, above);
        c.b = anchor_at(&s->bodies[0], s->bodies[0].x, below);
        rig_add(r, &c);
    }
    rig_views(r);
    rig_copy(r, false);
}

#endif
