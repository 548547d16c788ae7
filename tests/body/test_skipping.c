/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies that are solved in one step of 2, 4 or 10 and move as rigid things between: they rest where those rest that are solved in every
 * step, resume without a jump, get no energy, and stand on others, solved or not. Whose turn it is depends on the step and on the body
 * alone.
 *
 * labels: heavy */

#define STAGE_COUPLING_LIMIT 512
#include "body/contact_fixture.h"

static const double GRAVITY = 9.81;
static const uint32_t INTERVALS[3] = {2, 4, 10};
/* Of the height at which it rests. */
static const double ALLOWED[3] = {0.001, 0.001, 0.01};

static lt_soft_def def_of(lt_model model, uint32_t interval) {
    lt_soft_def def = plain_def(model);
    def.tolerance = 1e-4f;
    def.material.young = 1e6f;
    def.material.stiffness_damping = 0.002f;
    def.solve_interval = interval;
    return def;
}

static lt_rvec3 down(void) {
    return (lt_rvec3){0, 0, (lt_real)-GRAVITY};
}

/* ---- one body ---- */

typedef struct fall {
    double height, rise, released;
    double
        jolt; /* largest change of a node's velocity in a step, that was worked out from places, after it has landed */
    double speed;
} fall;

enum { MOST_NODES = 256, LANDED = 120, STEPS = 600, STAND_STEPS = 400 };

static lt_real before[4 * MOST_NODES];
static lt_dvec3 moved[MOST_NODES];

/* From places alone: what an onlooker sees. */
static double find_jolt(const lt_soft *soft, double dt) {
    double worst = 0;
    for (uint32_t node = 0; node < lt_soft_own_count(soft); node++) {
        lt_dvec3 way = lt_d3_sub(d3_of_node(soft->x, node), d3_of_node(before, node));
        worst = lt_max_d(worst, lt_d3_distance(way, moved[node]) / dt);
        moved[node] = way;
    }
    memcpy(before, soft->x, 4 * (size_t)soft->carrier.node_count * sizeof *before);
    return worst;
}

static fall drop(lt_model model, uint32_t interval) {
    stage s = stage_make(down(), 1 / 60.0);
    lt_soft_def def = def_of(model, interval);
    uint32_t body = contact_add_block(&s, &def, (lt_dvec3){0, 0, 0.1});
    lt_soft *soft = &s.bodies[body];
    if (soft->carrier.node_count > MOST_NODES) exit(1);
    contact_floor(&s, body);
    fall f = {0};
    double least = stage_energy(&s), top = height_energy(&s);
    memcpy(before, soft->x, 4 * (size_t)soft->carrier.node_count * sizeof *before);
    memset(moved, 0, sizeof moved);
    for (int step = 0; step < STEPS; step++) {
        contact_step(&s);
        CHECK(soft->skipped == (step % (int)interval != 0));
        double now = stage_energy(&s), jolt = find_jolt(soft, (double)s.dt);
        least = lt_min_d(least, now);
        f.rise = lt_max_d(f.rise, now - least);
        if (step > LANDED) f.jolt = lt_max_d(f.jolt, jolt);
        CHECK(!soft->blown_up);
    }
    f.released = top - height_energy(&s);
    f.height = (double)lt_soft_center(soft).z;
    f.speed = (double)lt_soft_speed(soft);
    stage_free(&s);
    return f;
}

static void skipped_bodies_rest_where_others_do(void) {
    for (int i = 0; i < ALL_MODEL_COUNT; i++) {
        fall full = drop(ALL_MODELS[i], 1);
        for (int k = 0; k < 3; k++) {
            fall f = drop(ALL_MODELS[i], INTERVALS[k]);
            printf("%s, one step in %u: rests at %.6f of %.6f m, energy rises by %.2g of what is released "
                   "(%.2g), "
                   "velocities change by %.2g m/s in a step (%.2g), %.1g m/s\n",
                   model_word(ALL_MODELS[i]), INTERVALS[k], f.height, full.height, f.rise / f.released,
                   full.rise / full.released, f.jolt, full.jolt, f.speed);
            CHECK_NEAR(f.height, full.height, ALLOWED[k] * full.height);
            CHECK(f.rise <= lt_max_d(1e-3, 1.1 * full.rise / full.released) * f.released);
            CHECK(f.jolt <= lt_max_d(1.2 * full.jolt, 1e-3));
            CHECK_NEAR(f.speed, 0, 1e-3);
        }
    }
}

/* A bar of jelly that is held at its end: solved or not, it does not leave its pins, and comes to hang where it hangs. */
static void held_bodies_hang_where_others_do(void) {
    double tips[2] = {0, 0};
    for (uint32_t k = 0; k < 2; k++) {
        stage s = stage_make(down(), 1 / 60.0);
        lt_soft_def def = def_of(LT_MODEL_COROTATIONAL, k ? 4 : 1);
        lt_soft *soft =
            &s.bodies[stage_add_block(&s, (lt_dvec3){1, 0.2, 0.2}, (const uint32_t[3]){8, 2, 2}, &def)];
        for (uint32_t node = 0; node < soft->carrier.node_count; node++)
            if ((double)soft->x[4 * (size_t)node] < 1e-4) pin_node(soft, node, lt_node_get(soft->x, node));
        for (int step = 0; step < 2400; step++)
            contact_step(&s);
        tips[k] = contact_lowest(soft);
        stage_free(&s);
    }
    printf("tip of a bar: %.5f m, solved one step in four %.5f m\n", tips[0], tips[1]);
    CHECK(tips[0] < -0.01);
    CHECK_NEAR(tips[1], tips[0], 1e-3);
}

/* ---- on others ---- */

/* Two bodies, one on the other. Returns where the lower ends of both are at the end; lasts until they have come to rest. */
static void stand(lt_model below, uint32_t interval_below, lt_model above, uint32_t interval_above,
                  double heights[2]) {
    stage s = stage_make(down(), 1 / 60.0);
    lt_soft_def def = def_of(below, interval_below);
    uint32_t lower = contact_add_block(&s, &def, (lt_dvec3){0, 0, 0.01});
    def = def_of(above, interval_above);
    uint32_t upper = contact_add_block(&s, &def, (lt_dvec3){0, 0, contact_highest(&s.bodies[lower]) + 0.01});
    contact_floor(&s, lower);
    contact_bodies(&s, upper, lower);
    double least = stage_energy(&s), begin = least, rise = 0;
    for (int step = 0; step < STAND_STEPS; step++) {
        contact_step(&s);
        least = lt_min_d(least, stage_energy(&s));
        rise = lt_max_d(rise, stage_energy(&s) - least);
        CHECK(!s.bodies[0].blown_up && !s.bodies[1].blown_up);
    }
    for (int i = 0; i < 2; i++) {
        heights[i] = (double)lt_soft_center(&s.bodies[i]).z;
        if (below == above) CHECK_NEAR(lt_soft_speed(&s.bodies[i]), 0, 0.005);
    }
    printf("%s (%u) under %s (%u): at %.5f and %.5f m, energy rises by %.2g of what is released\n",
           model_word(below), interval_below, model_word(above), interval_above, heights[0], heights[1],
           rise / (begin - least));
    CHECK(rise < 0.01 * (begin - least));
    stage_free(&s);
}

static const uint32_t MIXED[4][2] = {{1, 10}, {10, 1}, {4, 4}, {2, 10}};

static void skipped_bodies_stand_on_solved_ones(void) {
    for (int i = 0; i < ALL_MODEL_COUNT; i++) {
        double full[2], found[2];
        stand(ALL_MODELS[i], 1, ALL_MODELS[i], 1, full);
        for (int k = 0; k < 4; k++) {
            stand(ALL_MODELS[i], MIXED[k][0], ALL_MODELS[i], MIXED[k][1], found);
            CHECK_NEAR(found[0], full[0], 0.01 * BLOCK_SIDE);
            CHECK_NEAR(found[1], full[1], 0.01 * BLOCK_SIDE);
        }
    }
}

/* Explicit on implicit: contacts are as soft as they are, but not softer where one of the two is skipped. */
static void skipped_bodies_stand_on_other_models(void) {
    double full[2], found[2];
    stand(LT_MODEL_LATTICE_MATCHING, 1, LT_MODEL_COROTATIONAL, 1, full);
    for (int k = 0; k < 4; k++) {
        stand(LT_MODEL_LATTICE_MATCHING, MIXED[k][0], LT_MODEL_COROTATIONAL, MIXED[k][1], found);
        CHECK_NEAR(found[0], full[0], 0.02 * BLOCK_SIDE);
        CHECK_NEAR(found[1], full[1], 0.02 * BLOCK_SIDE);
    }
}

/* ---- turns ---- */

static void turns_are_spread_by_body(void) {
    stage s = stage_make(down(), 1 / 60.0);
    uint32_t solved[8] = {0};
    for (uint32_t i = 0; i < 8; i++) {
        lt_soft_def def = def_of(LT_MODEL_LATTICE_MATCHING, 4);
        contact_add_block(&s, &def, (lt_dvec3){0.3 * i, 0, 0});
    }
    for (int step = 0; step < 12; step++) {
        uint32_t now = 0;
        contact_step(&s);
        for (uint32_t i = 0; i < 8; i++) {
            now += !s.bodies[i].skipped;
            solved[i] += !s.bodies[i].skipped;
            CHECK((s.bodies[i].time_lost > 0) == s.bodies[i].skipped);
        }
        CHECK_COUNT(now, 2);
    }
    for (uint32_t i = 0; i < 8; i++)
        CHECK_COUNT(solved[i], 3);
    stage_free(&s);
}

/* A state that was saved between two turns goes on to the bit. */
static void turns_are_saved(void) {
    for (int i = 0; i < ALL_MODEL_COUNT; i++) {
        stage s = stage_make(down(), 1 / 60.0);
        lt_soft_def def = def_of(ALL_MODELS[i], 5);
        uint32_t body = contact_add_block(&s, &def, (lt_dvec3){0, 0, 0.05});
        lt_soft *soft = &s.bodies[body];
        uint8_t *bytes = malloc(room_for_state(soft));
        for (int step = 0; step < 7; step++)
            contact_step(&s);
        save_state(soft, bytes);
        uint64_t step_then = s.step, hashes[2];
        soft->solve_interval = 1;
        for (int run = 0; run < 2; run++) {
            CHECK(restore_state(soft, bytes));
            CHECK_COUNT(soft->solve_interval, 5);
            s.step = step_then;
            for (int step = 0; step < 13; step++)
                contact_step(&s);
            hashes[run] = hash_of_state(soft);
        }
        CHECK(hashes[0] == hashes[1]);
        free(bytes);
        stage_free(&s);
    }
}

int main(void) {
    RUN(skipped_bodies_rest_where_others_do);
    RUN(held_bodies_hang_where_others_do);
    RUN(skipped_bodies_stand_on_solved_ones);
    RUN(skipped_bodies_stand_on_other_models);
    RUN(turns_are_spread_by_body);
    RUN(turns_are_saved);
    return check_finish();
}
