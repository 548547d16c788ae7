/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Four lattices of both models, two of them touching, one on a handle, all pinned somewhere, for 30 steps: the same bits
 * with 1, 2 and 4 threads, at every SIMD level, in every build.
 *
 * labels: golden threaded wasm */

#include "body/lattice_fixture.h"

static void build_bodies(stage *s) {
    const lattice lattices[4] = {lattice_block(2, 3, 2, 0.1), lattice_strands(3), lattice_strands(0),
                                 lattice_block(4, 4, 1, 0.1)};
    lt_random random = lt_random_seed(1);
    for (int i = 0; i < 4; i++) {
        lt_soft_def def = plain_def(LATTICE_MODELS[i % 2]);
        def.material.young = i < 2 ? 1e5f : 1e4f;
        def.material.stiffness_damping = i == 3 ? 0 : 0.002f;
        lt_soft *soft = &s->bodies[stage_add_lattice(s, &lattices[i], &def)];
        shake(soft, &random, 0.02, 1);
        pin_node(soft, 0, lt_node_get(soft->x, 0));
    }
}

static void build_couplings(stage *s) {
    const lt_anchor a = {
        .ids = {3, 4, 5}, .weights = {(lt_real)0.5, (lt_real)0.25, (lt_real)0.25}, .count = 3};
    const lt_anchor b = {.ids = {6, 7}, .weights = {(lt_real)0.75, (lt_real)0.25}, .count = 2};
    s->coupling_count = 2;
    s->couplings[0] = (lt_coupling){.kind = LT_COUPLING_CONTACT,
                                    .body_b = 1,
                                    .a = a,
                                    .b = b,
                                    .normal = {0, 0, 1},
                                    .stiffness = 500,
                                    .damping = 5,
                                    .friction = (lt_real)0.4};
    s->couplings[1] = (lt_coupling){
        .kind = LT_COUPLING_TETHER, .body_a = 2, .body_b = LT_NONE, .a = a, .stiffness = 300, .damping = 3};
}

static uint64_t run_lattices(uint32_t thread_count, lt_simd_level level) {
    stage s = stage_make((lt_rvec3){0, 0, -10}, 1 / 64.0);
    s.level = level;
    s.tasks = thread_count > 1 ? lt_tasks_create(thread_count, NULL, NULL) : NULL;
    build_bodies(&s);
    build_couplings(&s);
    uint64_t hash = LT_HASH_SEED;
    double exchanged[2] = {0, 0};
    for (int step = 0; step < 30; step++) {
        s.couplings[0].depth = (lt_real)0.01;
        s.couplings[1].offset = lt_node_get(s.bodies[2].x, 3);
        CHECK(stage_step(&s));
        for (uint32_t i = 0; i < 2; i++) {
            hash = lt_hash_bytes(hash, &s.couplings[i].impulse, sizeof s.couplings[i].impulse);
            exchanged[i] += (double)lt_r3_length(s.couplings[i].impulse);
        }
    }
    for (uint32_t i = 0; i < s.body_count; i++) {
        hash = hash * 31 + hash_of_state(&s.bodies[i]);
        CHECK(soft_is_finite(&s.bodies[i]) && !s.bodies[i].blown_up);
    }
    CHECK(exchanged[0] > 0.1 && exchanged[1] > 0.1);
    lt_tasks_destroy(s.tasks);
    stage_free(&s);
    return hash;
}

static void threads_and_levels_give_the_same_bits(void) {
    check_bits("body-lattices", DOUBLE_BUILD ? 0xc3ce7a31078cdff6u : 0x26aedbd59ab70c2cu, run_lattices);
}

int main(void) {
    RUN(threads_and_levels_give_the_same_bits);
    return check_finish();
}
