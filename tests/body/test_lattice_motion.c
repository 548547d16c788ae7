/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What every model of lattices has to keep: rest, rigid motion, momentum, energy, state; thin, flat, forked and pinned
 * lattices; couplings with bodies of every model. */

#include "body/lattice_fixture.h"

static lattice lattice_of_kind(int kind) {
    if (kind == 0) return lattice_block(1, 1, 1, 0.2);
    if (kind == 1) return lattice_block(4, 5, 1, 0.1); /* flat */
    if (kind == 2) return lattice_block(6, 1, 1, 0.1); /* a rod */
    if (kind == 3) return lattice_strands(0);
    if (kind == 4) return lattice_strands(3);
    return lattice_block(2, 3, 2, 0.1);
}
enum { KIND_COUNT = 6 };

static void rest_stays_at_rest(void) {
    for (int trial = 0; trial < LATTICE_MODEL_COUNT * KIND_COUNT; trial++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft_def def = plain_def(LATTICE_MODELS[trial / KIND_COUNT]);
        def.rotation = turn_about(1, 2, -1, 1.1);
        def.position = (lt_dvec3){3, -2, 1};
        lattice l = lattice_of_kind(trial % KIND_COUNT);
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        for (int step = 0; step < 50; step++)
            CHECK(stage_step(&s));
        /* Roundings at 3 m are 2e-7 m, and swing undamped at 600 1/s. */
        CHECK(shape_error(soft) < by_build(1e-5, 2e-14));
        CHECK((double)lt_soft_speed(soft) < by_build(2e-3, 5e-12));
        CHECK_COUNT(soft->inverted_count, 0);
        stage_free(&s);
    }
}

/* Half a turn and five metres in two seconds. The pull of the turning stretches it by ρω²r²/E at most. */
static void rigid_motion_is_kept(void) {
    for (int trial = 0; trial < LATTICE_MODEL_COUNT * KIND_COUNT; trial++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft_def def = plain_def(LATTICE_MODELS[trial / KIND_COUNT]);
        def.velocity = (lt_vec3){2.5f, 0, 0};
        def.angular_velocity = (lt_vec3){0, 0, 1.5707963f};
        lattice l = lattice_of_kind(trial % KIND_COUNT);
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        lt_dvec3 first = d3_of_node(soft->x, 0);
        lt_rvec3 center = lt_soft_center(soft);
        for (int step = 0; step < 120; step++)
            CHECK(stage_step(&s));
        double reach = (double)soft->size, give = 1000 * 2.5 * reach * reach / 1e5 * reach;
        CHECK(shape_error(soft) < give + by_build(1e-5, 1e-12));
        double radius = hypot(first.x - (double)center.x, first.y - (double)center.y);
        CHECK_NEAR(soft->x[0], 2 * (double)center.x - first.x + 5, 0.02 * radius + 4 * give);
        CHECK_NEAR(soft->x[1], 2 * (double)center.y - first.y, 0.02 * radius + 4 * give);
        stage_free(&s);
    }
}

static void momentum_is_kept(void) {
    lt_random random = lt_random_seed(11);
    for (int trial = 0; trial < LATTICE_MODEL_COUNT * KIND_COUNT; trial++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft_def def = plain_def(LATTICE_MODELS[trial / KIND_COUNT]);
        def.material.stiffness_damping = trial % 2 ? 0.002f : 0;
        def.velocity = (lt_vec3){1, -2, 0.5f};
        def.angular_velocity = (lt_vec3){3, -1, 2};
        lattice l = lattice_of_kind(trial % KIND_COUNT);
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        shake(soft, &random, 0.03, 1);
        momenta before = momenta_of(soft);
        for (int step = 0; step < 60; step++)
            CHECK(stage_step(&s) && !soft->blown_up);
        momenta after = momenta_of(soft);
        CHECK(lt_d3_distance(after.linear, before.linear) < by_build(1e-5, 1e-13) * before.linear_scale);
        double moving =
            before.linear_scale * lt_d3_length(d3_of_node(soft->x, 0)); /* it is metres away now */
        CHECK(lt_d3_distance(after.angular, before.angular) <
              by_build(1e-5, 1e-13) * (before.angular_scale + moving));
        stage_free(&s);
    }
}

/* A thousand undamped steps: the second half knows no more energy than the first, whatever swings. */
static void energy_does_not_grow(void) {
    lt_random random = lt_random_seed(3);
    for (int m = 0; m < LATTICE_MODEL_COUNT; m++)
        for (int kind = 2; kind < 5; kind += 2) {
            stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
            lt_soft_def def = plain_def(LATTICE_MODELS[m]);
            def.material.young = 2e4f;
            lattice l = lattice_of_kind(kind);
            lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
            shake(soft, &random, 0.01, 0.5);
            double most[2] = {0, 0};
            for (int step = 0; step < 1000; step++) {
                CHECK(stage_step(&s));
                if (step % 3 == 0) most[step / 500] = lt_max_d(most[step / 500], total_energy(soft));
            }
            printf("%s: %.4g J at most, then %.4g J\n", lt_model_name(def.model), most[0], most[1]);
            CHECK(most[1] < 1.05 * most[0]);
            stage_free(&s);
        }
}

/* Damping slows deformation, not the way or the turning. */
static void damping_takes_swinging_only(void) {
    lt_random random = lt_random_seed(8);
    for (int m = 0; m < LATTICE_MODEL_COUNT; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft_def def = plain_def(LATTICE_MODELS[m]);
        def.material.stiffness_damping = 0.005f;
        def.velocity = (lt_vec3){0, 1, 0};
        def.angular_velocity = (lt_vec3){0, 0, 0.5f};
        lattice l = lattice_of_kind(5);
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        double rigid = lt_soft_kinetic_energy(soft);
        shake(soft, &random, 0.01, 0);
        CHECK(total_energy(soft) > 1.01 * rigid);
        for (int step = 0; step < 240; step++)
            CHECK(stage_step(&s));
        CHECK_NEAR(total_energy(soft), rigid, 0.002 * rigid);
        stage_free(&s);
    }
}

/* A tether of stiffness k carries the weight where it hangs k⁻¹ m g below its target. */
static void a_tether_carries_the_weight(void) {
    for (int m = 0; m < LATTICE_MODEL_COUNT; m++) {
        stage s = stage_make((lt_rvec3){0, 0, -10}, 1 / 60.0);
        lt_soft_def def = plain_def(LATTICE_MODELS[m]);
        def.material.stiffness_damping = 0.005f;
        def.material.mass_damping = 2;
        lattice l = lattice_of_kind(5);
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        s.coupling_count = 1;
        s.couplings[0] =
            (lt_coupling){.kind = LT_COUPLING_TETHER, .body_b = LT_NONE, .stiffness = 4000, .damping = 20};
        lt_anchor *anchor = &s.couplings[0].a;
        anchor->count = 8;
        for (uint32_t i = 0; i < 8; i++) {
            anchor->ids[i] = soft->carrier.cells[8 * 11 + i];
            anchor->weights[i] = (lt_real)0.125;
        }
        lt_rvec3 target = lt_anchor_gather(anchor, soft->x);
        for (int step = 0; step < 300; step++) {
            s.couplings[0].offset = lt_r3_sub(lt_anchor_gather(anchor, soft->x), target);
            CHECK(stage_step(&s));
        }
        double weight = 10 * (double)soft->total_mass;
        CHECK_NEAR((double)s.couplings[0].offset.z, -weight / 4000, 0.03 * weight / 4000);
        CHECK_NEAR((double)s.couplings[0].impulse.z * 60, weight, 0.03 * weight);
        stage_free(&s);
    }
}

/* Dropped from 5 cm it comes to rest on the ground and bears its weight there. */
static void a_block_rests_on_the_ground(void) {
    for (int m = 0; m < LATTICE_MODEL_COUNT; m++) {
        stage s = stage_make((lt_rvec3){0, 0, -10}, 1 / 60.0);
        lt_soft_def def = plain_def(LATTICE_MODELS[m]);
        def.position = (lt_dvec3){0, 0, 0.05};
        def.material.stiffness_damping = 0.002f;
        lattice l = lattice_block(2, 2, 3, 0.05);
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        for (int step = 0; step < 200; step++) {
            touch_ground(&s, soft, 0.01);
            CHECK(stage_step(&s));
        }
        double lift = 0;
        for (uint32_t i = 0; i < s.coupling_count; i++)
            lift += (double)s.couplings[i].impulse.z * 60;
        CHECK_COUNT(s.coupling_count, 9);
        CHECK_NEAR(lift, 10 * (double)soft->total_mass, 0.01 * lift);
        CHECK((double)lt_soft_speed(soft) < 1e-3);
        CHECK_NEAR(lt_soft_center(soft).z, 0.075, 0.01);
        stage_free(&s);
    }
}

/* A lattice against a body of any model, in one island of mixed integrators: what one gains the other loses. */
static void couplings_keep_momentum_between_models(void) {
    for (int trial = 0; trial < LATTICE_MODEL_COUNT * LT_MODEL_COUNT; trial++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_model other = (lt_model)(trial % LT_MODEL_COUNT);
        if (other == LT_MODEL_MULTIGRID)
            continue; /* a corotational one to others; test_multigrid has it among themselves */
        lt_soft_def def = plain_def(LATTICE_MODELS[trial / LT_MODEL_COUNT]);
        lattice l = lattice_block(2, 2, 2, 0.1);
        def.velocity = (lt_vec3){0, 0, -1};
        def.position = (lt_dvec3){0.02, 0.01, 0.21};
        uint32_t a = stage_add_lattice(&s, &l, &def), b;
        def = plain_def(other);
        if (lt_model_is_of_cells(other))
            b = stage_add_lattice(&s, &l, &def);
        else
            b = stage_add_cube(&s, 0.2, 2, &def);
        s.coupling_count = 2;
        for (uint32_t i = 0; i < 2; i++)
            s.couplings[i] = (lt_coupling){.kind = i ? LT_COUPLING_TETHER : LT_COUPLING_CONTACT,
                                           .body_a = a,
                                           .body_b = b,
                                           .a = {{i, 2}, {(lt_real)0.5, (lt_real)0.5}, 2},
                                           .b = {{25, 26}, {(lt_real)0.5, (lt_real)0.5}, 2},
                                           .normal = {0, 0, 1},
                                           .depth = (lt_real)0.01,
                                           .offset = {0, 0, (lt_real)0.01},
                                           .stiffness = 300,
                                           .damping = 3,
                                           .friction = (lt_real)0.3};
        momenta before = stage_momenta(&s);
        for (int step = 0; step < 20; step++)
            CHECK(stage_step(&s));
        momenta after = stage_momenta(&s);
        double tolerance = by_build(2e-5, 1e-11);
        CHECK(lt_r3_length(s.couplings[1].impulse) > (lt_real)1e-4);
        CHECK(lt_d3_distance(after.linear, before.linear) < tolerance * before.linear_scale);
        CHECK(lt_d3_distance(after.angular, before.angular) < tolerance * after.angular_scale);
        stage_free(&s);
    }
}

/* Some nodes held while the rest falls; then all, drawn along. */
static void pins_hold(void) {
    for (int trial = 0; trial < LATTICE_MODEL_COUNT * KIND_COUNT; trial++) {
        stage s = stage_make((lt_rvec3){0, 0, -10}, 1 / 60.0);
        lt_soft_def def = plain_def(LATTICE_MODELS[trial / KIND_COUNT]);
        def.material.stiffness_damping = 0.002f;
        lattice l = lattice_of_kind(trial % KIND_COUNT);
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        lt_rvec3 held = lt_node_get(soft->x, 3);
        pin_node(soft, 3, held);
        pin_node(soft, 1, lt_node_get(soft->x, 1));
        for (int step = 0; step < 60; step++)
            CHECK(stage_step(&s));
        CHECK(soft_is_finite(soft) && !soft->blown_up);
        CHECK(lt_r3_distance(lt_node_get(soft->x, 3), held) == 0);
        CHECK(lt_soft_center(soft).z < (lt_real)0.2);
        for (int step = 0; step < 30; step++) {
            for (uint32_t node = 0; node < soft->carrier.node_count; node++)
                pin_node(soft, node, lt_r3_add(lt_node_get(soft->x, node), (lt_rvec3){0, (lt_real)0.01, 0}));
            lt_rvec3 before = lt_node_get(soft->x, 2);
            CHECK(stage_step(&s));
            CHECK_NEAR(lt_node_get(soft->x, 2).y, before.y + (lt_real)0.01, 1e-6);
            CHECK_NEAR(lt_node_get(soft->v, 2).y, 0.6, 1e-3);
        }
        stage_free(&s);
    }
}

static void a_restored_body_goes_on_with_the_same_bits(void) {
    lt_random random = lt_random_seed(2);
    for (int m = 0; m < LATTICE_MODEL_COUNT; m++) {
        stage s = stage_make((lt_rvec3){0, 0, -10}, 1 / 60.0);
        lt_soft_def def = plain_def(LATTICE_MODELS[m]);
        lattice l = lattice_of_kind(4);
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        shake(soft, &random, 0.02, 1);
        pin_node(soft, 2, lt_node_get(soft->x, 2));
        for (int step = 0; step < 10; step++)
            stage_step(&s);
        size_t size = room_for_state(soft);
        uint8_t *bytes = LT_NEW(NULL, size, uint8_t);
        save_state(soft, bytes);
        for (int step = 0; step < 10; step++)
            stage_step(&s);
        uint64_t later = hash_of_state(soft);
        double energy = total_energy(soft);
        CHECK(restore_state(soft, bytes));
        for (int step = 0; step < 10; step++)
            stage_step(&s);
        CHECK(hash_of_state(soft) == later);
        CHECK(total_energy(soft) == energy);
        CHECK(hash_of_state(soft) == later); /* asking for the energy changes nothing */
        LT_DELETE(NULL, bytes, size, uint8_t);
        stage_free(&s);
    }
}

/* Mass goes to the corners by filling; half the filling is half the mass and half the force. */
static void fill_scales_mass_and_stiffness(void) {
    for (int m = 0; m < LATTICE_MODEL_COUNT; m++) {
        lattice l = lattice_block(2, 2, 1, 0.1);
        lt_cell_mesh mesh = lattice_mesh(&l);
        stage s = stage_make((lt_rvec3){0, 0, -10}, 1 / 60.0);
        lt_soft_def def = plain_def(LATTICE_MODELS[m]);
        lt_soft *full = &s.bodies[stage_add_shape(&s, bake_lattice(&mesh), &def)];
        CHECK_NEAR(full->total_mass, 4, 1e-5);
        CHECK_NEAR(full->mass[0], 0.125, 1e-6);
        CHECK_NEAR(full->mass[lt_cell_at(&mesh, 0)[3]], 0.5, 1e-6);
        CHECK_NEAR(full->mean_edge, 0.1, 1e-7);
        for (uint32_t cell = 0; cell < 4; cell++)
            mesh.fill[cell] = 0.5f;
        lt_soft *half = &s.bodies[stage_add_shape(&s, bake_lattice(&mesh), &def)];
        full->x[0] += (lt_real)0.02;
        half->x[0] += (lt_real)0.02;
        CHECK_NEAR(lt_soft_elastic_energy(half), lt_soft_elastic_energy(full) / 2,
                   1e-5 * lt_soft_elastic_energy(full));
        for (int step = 0; step < 20; step++)
            CHECK(stage_step(&s));
        CHECK_NEAR(lt_r3_distance(lt_node_get(full->x, 0), lt_node_get(half->x, 0)), 0, 1e-5);
        lattice_mesh_free(&mesh);
        stage_free(&s);
    }
}

int main(void) {
    RUN(rest_stays_at_rest);
    RUN(rigid_motion_is_kept);
    RUN(momentum_is_kept);
    RUN(energy_does_not_grow);
    RUN(damping_takes_swinging_only);
    RUN(a_tether_carries_the_weight);
    RUN(a_block_rests_on_the_ground);
    RUN(couplings_keep_momentum_between_models);
    RUN(pins_hold);
    RUN(a_restored_body_goes_on_with_the_same_bits);
    RUN(fill_scales_mass_and_stiffness);
    return check_finish();
}
