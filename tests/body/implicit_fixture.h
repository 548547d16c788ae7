/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Blocks in contact, as a method would have it, and the energies of all there is: for tests of the implicit solve. */

#ifndef LITHE_TESTS_IMPLICIT_FIXTURE_H
#define LITHE_TESTS_IMPLICIT_FIXTURE_H

#include "body/soft_fixture.h"

static const double GRAVITY = 9.81;

/* ---- contacts, as a method makes them: depth at the beginning of a step, friction's spring carried over ---- */

static inline lt_anchor anchor_at(uint32_t node) {
    return (lt_anchor){.ids = {node}, .weights = {1}, .count = 1};
}

/* k = s² / (Δt² W): as stiff as the lighter side of `sharers` contacts may be. */
static inline lt_coupling *add_contact(stage *s, uint32_t a, uint32_t node_a, uint32_t b, uint32_t node_b,
                                       lt_rvec3 normal, double sharers) {
    lt_coupling *c = &s->couplings[s->coupling_count++];
    if (s->coupling_count > STAGE_COUPLINGS) exit(1);
    *c = (lt_coupling){.kind = LT_COUPLING_CONTACT,
                       .body_a = a,
                       .body_b = b,
                       .a = anchor_at(node_a),
                       .normal = normal,
                       .friction = (lt_real)0.4};
    double w = sharers / (double)s->bodies[a].total_mass;
    if (b != LT_NONE) {
        c->b = anchor_at(node_b);
        w += sharers / (double)s->bodies[b].total_mass;
    }
    double stiffness = (double)(LT_FIRMNESS * LT_FIRMNESS) / ((double)s->dt * (double)s->dt * w);
    c->stiffness = (lt_real)stiffness;
    c->damping = (lt_real)(0.4 * sqrt(stiffness / w));
    return c;
}

/* Whether a node lies on the face of its block that is least or largest along an axis, at rest. */
static inline bool is_on_face(const lt_soft *soft, uint32_t node, int axis, bool largest) {
    double most = -1e30, least = 1e30;
    for (uint32_t i = 0; i < lt_soft_own_count(soft); i++) {
        most = lt_max_d(most, soft->carrier.rest[3 * (size_t)i + (size_t)axis]);
        least = lt_min_d(least, soft->carrier.rest[3 * (size_t)i + (size_t)axis]);
    }
    double at = soft->carrier.rest[3 * (size_t)node + (size_t)axis];
    return fabs(at - (largest ? most : least)) < 1e-9;
}

static inline uint32_t face_nodes(const lt_soft *soft, int axis, bool largest, uint32_t *out) {
    uint32_t count = 0;
    for (uint32_t node = 0; node < lt_soft_own_count(soft); node++)
        if (is_on_face(soft, node, axis, largest)) out[count++] = node;
    return count;
}

enum { MOST_FACE = 64 };

/* The bottom of a block, on a floor at height 0. */
static inline void touch_floor(stage *s, uint32_t body) {
    uint32_t nodes[MOST_FACE], count = face_nodes(&s->bodies[body], 2, false, nodes);
    for (uint32_t i = 0; i < count; i++)
        add_contact(s, body, nodes[i], LT_NONE, 0, (lt_rvec3){0, 0, 1}, count);
}

/* Node against node of blocks of the same cells; a lies on the side of b where `axis` is largest. */
static inline void touch(stage *s, uint32_t a, uint32_t b, int axis) {
    uint32_t low[MOST_FACE], high[MOST_FACE];
    uint32_t count = face_nodes(&s->bodies[a], axis, false, low);
    if (face_nodes(&s->bodies[b], axis, true, high) != count) exit(1);
    lt_rvec3 normal = {axis == 0, axis == 1, axis == 2};
    for (uint32_t i = 0; i < count; i++)
        add_contact(s, a, low[i], b, high[i], normal, count);
}

static inline lt_real depth_of(const stage *s, const lt_coupling *c) {
    lt_rvec3 apart = lt_anchor_gather(&c->a, s->bodies[c->body_a].x);
    if (c->body_b != LT_NONE) apart = lt_r3_sub(apart, lt_anchor_gather(&c->b, s->bodies[c->body_b].x));
    return -lt_r3_dot(apart, c->normal);
}

static inline void run_step(stage *s) {
    for (uint32_t i = 0; i < s->coupling_count; i++)
        s->couplings[i].depth = depth_of(s, &s->couplings[i]);
    CHECK(stage_step(s));
}

static inline void cut_at(stage *s, uint32_t cut) {
    s->rigid_alone = cut == 0;
    s->max_iterations = cut;
}

/* ---- energies ---- */

static inline double contact_energy(const stage *s) {
    double sum = 0;
    for (uint32_t i = 0; i < s->coupling_count; i++) {
        const lt_coupling *c = &s->couplings[i];
        double depth = lt_max_d(0, (double)depth_of(s, c));
        sum += 0.5 * (double)c->stiffness * (depth * depth + (double)lt_r3_length_squared(c->stick));
    }
    return sum;
}

static inline double body_energy(const stage *s) {
    double sum = 0;
    for (uint32_t i = 0; i < s->body_count; i++)
        sum += total_energy(&s->bodies[i]);
    return sum;
}

/* ---- scenes ---- */

typedef void scene_maker(stage *s);

static inline lt_soft_def soft_def(double young) {
    lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
    def.material.young = (float)young;
    def.tolerance = 1e-4f;
    return def;
}

static inline void make_dropped_cube(stage *s) {
    lt_soft_def def = soft_def(2e4);
    def.position = (lt_dvec3){0, 0, 0.35};
    def.rotation = turn_about(1, 0.3, 0, 0.2);
    s->gravity = (lt_rvec3){0, 0, (lt_real)-GRAVITY};
    touch_floor(s, stage_add_cube(s, 0.3, 3, &def));
}

static inline void pin_face(lt_soft *soft, int axis) {
    uint32_t nodes[MOST_FACE], count = face_nodes(soft, axis, false, nodes);
    for (uint32_t i = 0; i < count; i++) {
        soft->pinned[nodes[i]] = 1;
        lt_node_set(soft->pin_target, nodes[i], lt_node_get(soft->x, nodes[i]));
    }
    soft->pin_count = count;
}

static inline void make_pinned_bar(stage *s) {
    lt_soft_def def = soft_def(5e4);
    s->gravity = (lt_rvec3){0, 0, (lt_real)-GRAVITY};
    pin_face(&s->bodies[stage_add_block(s, (lt_dvec3){1, 0.2, 0.2}, (const uint32_t[3]){8, 2, 2}, &def)], 0);
}

static inline void make_twisted_bar(stage *s) {
    lt_soft_def def = soft_def(1e5);
    lt_soft *soft =
        &s->bodies[stage_add_block(s, (lt_dvec3){1, 0.2, 0.2}, (const uint32_t[3]){8, 2, 2}, &def)];
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_rvec3 x = lt_node_get(soft->x, node);
        lt_dvec3 p = {(double)x.x, (double)x.y - 0.1, (double)x.z - 0.1};
        p = lt_dm3_mul_vec(turn_about(1, 0, 0, 1.5 * p.x), p);
        lt_node_set(soft->x, node, (lt_rvec3){(lt_real)p.x, (lt_real)p.y, (lt_real)p.z});
    }
}

static inline void make_collision(stage *s) {
    lt_soft_def def = soft_def(3e4);
    def.velocity = (lt_vec3){2, 0.3f, 0};
    uint32_t left = stage_add_cube(s, 0.3, 3, &def);
    def.velocity = (lt_vec3){-1, 0, 0.2f};
    def.position = (lt_dvec3){0.33, 0.04, -0.03};
    def.material.density = 2000;
    uint32_t right = stage_add_cube(s, 0.3, 3, &def);
    touch(s, right, left, 0);
}

#endif
