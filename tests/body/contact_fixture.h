/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One block of about 0.2 m by every model, and contacts of nodes as a method makes them anew in every step: depth as it is,
 * stiffness as the sub-steps that are planned allow, friction's spring carried over.
 *
 *     uint32_t body = contact_add_block(&s, model, young, at);
 *     contact_floor(&s, body);
 *     contact_step(&s); */

#ifndef LITHE_TESTS_CONTACT_FIXTURE_H
#define LITHE_TESTS_CONTACT_FIXTURE_H

#include "body/ladder_fixture.h"
#include "body/lattice_fixture.h"

static const lt_model ALL_MODELS[] = {LT_MODEL_COROTATIONAL, LT_MODEL_MULTIGRID, LT_MODEL_EXPLICIT_FEM,
                                      LT_MODEL_LATTICE_SPRINGS, LT_MODEL_LATTICE_MATCHING};
enum { ALL_MODEL_COUNT = LT_COUNT_OF(ALL_MODELS), FIRST_EXPLICIT = 2 };
static const double BLOCK_SIDE = 0.2;

/* Its lower corner is at `at`. */
static inline uint32_t contact_add_block(stage *s, const lt_soft_def *wanted, lt_dvec3 at) {
    lt_soft_def def = *wanted;
    def.position = at;
    if (lt_model_is_of_cells(def.model)) {
        lattice l = lattice_block(4, 4, 4, BLOCK_SIDE / 4);
        return stage_add_lattice(s, &l, &def);
    }
    if (def.model != LT_MODEL_MULTIGRID) return stage_add_cube(s, BLOCK_SIDE, 3, &def);
    static const uint32_t cells[3] = {3, 2, 1};
    ladder_fixture f = {0};
    def.scale = BLOCK_SIDE / BLOCK_SIZE.x;
    ladder_make(&f, cells, 3);
    return stage_add_shape(s, f.shape, &def);
}

static inline double contact_lowest(const lt_soft *soft) {
    double lowest = 1e30;
    for (uint32_t node = 0; node < lt_soft_own_count(soft); node++)
        lowest = lt_min_d(lowest, (double)soft->x[4 * (size_t)node + 2]);
    return lowest;
}

static inline double contact_highest(const lt_soft *soft) {
    double highest = -1e30;
    for (uint32_t node = 0; node < lt_soft_own_count(soft); node++)
        highest = lt_max_d(highest, (double)soft->x[4 * (size_t)node + 2]);
    return highest;
}

/* The nodes of each contact: a step puts those into its anchors that these follow. One stage has contacts at a time. */
static uint32_t contact_nodes[STAGE_COUPLINGS][2];

static inline void contact_add(stage *s, uint32_t a, uint32_t node_a, uint32_t b, uint32_t node_b) {
    if (s->coupling_count == STAGE_COUPLINGS) exit(1);
    contact_nodes[s->coupling_count][0] = node_a;
    contact_nodes[s->coupling_count][1] = node_b;
    s->couplings[s->coupling_count++] = (lt_coupling){.kind = LT_COUPLING_CONTACT,
                                                      .body_a = a,
                                                      .body_b = b,
                                                      .a = {.ids = {node_a}, .weights = {1}, .count = 1},
                                                      .b = {.ids = {node_b}, .weights = {1}, .count = 1},
                                                      .normal = {0, 0, 1},
                                                      .friction = (lt_real)0.4};
}

/* The nodes at the lowest place of a body, on a floor at height 0. */
static inline void contact_floor(stage *s, uint32_t body) {
    const lt_soft *soft = &s->bodies[body];
    double lowest = contact_lowest(soft);
    for (uint32_t node = 0; node < lt_soft_own_count(soft); node++)
        if ((double)soft->x[4 * (size_t)node + 2] < lowest + 1e-4) contact_add(s, body, node, LT_NONE, 0);
}

/* The lowest nodes of one body, each on the nearest of the highest of the other. */
static inline void contact_bodies(stage *s, uint32_t upper, uint32_t lower) {
    const lt_soft *up = &s->bodies[upper], *low = &s->bodies[lower];
    double bottom = contact_lowest(up), top = contact_highest(low);
    for (uint32_t node = 0; node < lt_soft_own_count(up); node++) {
        if ((double)up->x[4 * (size_t)node + 2] > bottom + 1e-4) continue;
        uint32_t nearest = LT_NONE;
        double least = 1e30;
        for (uint32_t other = 0; other < lt_soft_own_count(low); other++) {
            double away = lt_d3_distance(d3_of_node(up->x, node), d3_of_node(low->x, other));
            if ((double)low->x[4 * (size_t)other + 2] < top - 1e-4 || away >= least) continue;
            least = away;
            nearest = other;
        }
        contact_add(s, upper, node, lower, nearest);
    }
}

static inline lt_real contact_depth(const stage *s, const lt_coupling *c) {
    lt_rvec3 apart = lt_anchor_gather(&c->a, s->bodies[c->body_a].x);
    if (c->body_b != LT_NONE) apart = lt_r3_sub(apart, lt_anchor_gather(&c->b, s->bodies[c->body_b].x));
    return -lt_r3_dot(apart, c->normal);
}

/* k = min over the sides of s² / (Δt² W), W of both; an implicit side as a share of its mass. */
static inline void contact_measure(stage *s, uint32_t index, double sharers) {
    lt_coupling *c = &s->couplings[index];
    const uint32_t bodies[2] = {c->body_a, c->body_b};
    double w = 0, rate = 1e30;
    for (int i = 0; i < 2 && bodies[i] != LT_NONE; i++) {
        const lt_soft *soft = &s->bodies[bodies[i]];
        *(i ? &c->b : &c->a) = (lt_anchor){.ids = {contact_nodes[index][i]}, .weights = {1}, .count = 1};
        lt_contact_scale scale = lt_soft_contact_scale(soft, s->dt);
        rate = lt_min_d(rate, (double)(scale.s / scale.dt) * (double)(scale.s / scale.dt));
        w += lt_soft_is_explicit(soft) ? 1 / (double)soft->mass[contact_nodes[index][i]]
                                       : sharers / (double)soft->total_mass;
    }
    c->depth = contact_depth(s, c);
    c->stiffness = (lt_real)(rate / w);
    c->damping = (lt_real)(0.4 * sqrt(rate) / w);
}

static inline void contact_step(stage *s) {
    for (uint32_t i = 0; i < s->body_count; i++)
        lt_soft_plan(&s->bodies[i], s->dt);
    for (uint32_t i = 0; i < s->coupling_count; i++)
        contact_measure(s, i, 16);
    CHECK(stage_step(s));
}

/* ---- energies ---- */

static inline double contact_energy(const stage *s) {
    double sum = 0;
    for (uint32_t i = 0; i < s->coupling_count; i++) {
        const lt_coupling *c = &s->couplings[i];
        double depth = lt_max_d(0, (double)contact_depth(s, c));
        sum += 0.5 * (double)c->stiffness_used * (depth * depth + (double)lt_r3_length_squared(c->stick));
    }
    return sum;
}

static inline double stage_energy(const stage *s) {
    double sum = height_energy(s) + contact_energy(s);
    for (uint32_t i = 0; i < s->body_count; i++)
        sum += total_energy(&s->bodies[i]);
    return sum;
}

#endif
