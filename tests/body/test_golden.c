/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Three islands of both models, with contacts, friction, a handle and pins, for 50 steps: the same bits with 1, 2 and
 * 4 threads, at every SIMD level, in every build.
 *
 * labels: golden threaded wasm */

#include "body/soft_fixture.h"

enum { STEP_COUNT = 50 };

static lt_anchor anchor_of(uint32_t a, uint32_t b) {
    return (lt_anchor){.ids = {a, b}, .weights = {(lt_real)0.75, (lt_real)0.25}, .count = 2};
}

static void add_contact(stage *s, uint32_t a, uint32_t b, uint32_t node_a, uint32_t node_b) {
    s->couplings[s->coupling_count++] = (lt_coupling){.kind = LT_COUPLING_CONTACT,
                                                      .body_a = a,
                                                      .body_b = b,
                                                      .a = anchor_of(node_a, node_a + 1),
                                                      .b = anchor_of(node_b, node_b + 1),
                                                      .normal = {0, 0, 1},
                                                      .friction = (lt_real)0.4};
}

/* Island 1: a soft explicit cube on an implicit one, pinned at its feet. Island 2: two implicit cubes, one on the
 * other on the ground. Island 3: an explicit cube on a handle. */
static void build_islands(stage *s) {
    static const lt_model models[5] = {LT_MODEL_EXPLICIT_FEM, LT_MODEL_COROTATIONAL, LT_MODEL_COROTATIONAL,
                                       LT_MODEL_COROTATIONAL, LT_MODEL_EXPLICIT_FEM};
    static const double heights[5] = {0.5, 0, 0.5, 0, 2};
    for (int i = 0; i < 5; i++) {
        lt_soft_def def = plain_def(models[i]);
        def.tolerance = 1e-4f;
        def.material.mass_damping = 0.1f;
        def.material.stiffness_damping = 0.002f;
        def.position = (lt_dvec3){i / 2, 0.01 * i, heights[i]};
        def.angular_velocity = (lt_vec3){0, 0, (float)i - 2};
        def.velocity = (lt_vec3){0.1f, 0, -0.5f};
        stage_add_cube(s, 0.5, 2 + (uint32_t)(i == 3), &def);
    }
    for (uint32_t node = 0; node < 9; node++) {
        lt_soft *feet = &s->bodies[1];
        feet->pinned[node] = 1;
        feet->pin_count++;
        lt_node_set(feet->pin_target, node, lt_node_get(feet->x, node));
        add_contact(s, 0, 1, node, 17 + node);
        add_contact(s, 2, 3, node, 47 + node);
        add_contact(s, 3, LT_NONE, node, 0);
    }
    lt_coupling *handle = &s->couplings[s->coupling_count++];
    *handle = (lt_coupling){.kind = LT_COUPLING_TETHER, .body_a = 4, .body_b = LT_NONE, .a = anchor_of(4, 5)};
    handle->stiffness = 400;
    handle->damping = 4;
}

static void aim_couplings(stage *s) {
    for (uint32_t i = 0; i < s->coupling_count; i++) {
        lt_coupling *c = &s->couplings[i];
        lt_rvec3 apart = lt_anchor_gather(&c->a, s->bodies[c->body_a].x);
        if (c->body_b != LT_NONE) apart = lt_r3_sub(apart, lt_anchor_gather(&c->b, s->bodies[c->body_b].x));
        if (c->kind == LT_COUPLING_TETHER) {
            c->offset = lt_r3_sub(apart, (lt_rvec3){2, 0, 2});
            continue;
        }
        c->depth = -apart.z;
        c->stiffness = 5000;
        c->damping = 20;
    }
}

static uint64_t run_islands(uint32_t thread_count, lt_simd_level level) {
    stage s = stage_make((lt_rvec3){0, 0, -10}, 1 / 64.0);
    s.level = level;
    s.tasks = thread_count > 1 ? lt_tasks_create(thread_count, NULL, NULL) : NULL;
    build_islands(&s);
    uint64_t hash = LT_HASH_SEED;
    double exchanged = 0;
    for (int step = 0; step < STEP_COUNT; step++) {
        aim_couplings(&s);
        CHECK(stage_step(&s));
        for (uint32_t i = 0; i < s.coupling_count; i++) {
            hash = lt_hash_bytes(hash, &s.couplings[i].impulse, sizeof s.couplings[i].impulse);
            exchanged += (double)lt_r3_length(s.couplings[i].impulse);
        }
    }
    for (uint32_t i = 0; i < s.body_count; i++) {
        size_t size = 4 * (size_t)s.bodies[i].carrier.node_count * sizeof(lt_real);
        hash = lt_hash_bytes(hash, s.bodies[i].x, size);
        hash = lt_hash_bytes(hash, s.bodies[i].v, size);
        CHECK(soft_is_finite(&s.bodies[i]) && !s.bodies[i].blown_up);
    }
    CHECK(exchanged > 100);
    stage_free(&s);
    lt_tasks_destroy(s.tasks);
    return hash;
}

static void threads_and_levels_give_the_same_bits(void) {
    check_bits("body-islands", DOUBLE_BUILD ? 0x32bcb04c1df854bfu : 0x859fa817599cf546u, run_islands);
}

int main(void) {
    RUN(threads_and_levels_give_the_same_bits);
    return check_finish();
}
