/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies of every model that are cut before anything of them deforms: they carry their shape along, fall at g, turn with the energy
 * and momentum that they have, lie where they would lie, and say how much time their shape has lost. Explicit ones that are cut between
 * sub-steps go on likewise.
 *
 * labels: heavy */

#define STAGE_COUPLING_LIMIT 512
#include "body/contact_fixture.h"

static const double GRAVITY = 9.81;
enum { MOST_NODES = 1024 };

static lt_soft_def def_of(lt_model model) {
    lt_soft_def def = plain_def(model);
    def.tolerance = 1e-4f;
    return def;
}

static lt_rvec3 down(void) {
    return (lt_rvec3){0, 0, (lt_real)-GRAVITY};
}

/* Of the nodes: what a ladder's coarse ones share out by weights in float is some 1e-9 off the body's. */
static double exact_mass(const lt_soft *soft) {
    double mass = 0;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        mass += (double)soft->mass[node];
    return mass;
}

static lt_dvec3 exact_center(const lt_soft *soft) {
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        sum = lt_d3_mad(sum, d3_of_node(soft->x, node), (double)soft->mass[node]);
    return lt_d3_scale(sum, 1 / exact_mass(soft));
}

/* Deformed, and it swings: by a field that is smooth, such that ladders can follow. */
static void deform(lt_soft *soft, double reach, double speed) {
    lt_dvec3 center = exact_center(soft);
    lt_soft_free_nodes(soft);
    for (uint32_t node = 0; node < lt_soft_own_count(soft); node++) {
        lt_dvec3 p = lt_d3_sub(d3_of_node(soft->x, node), center);
        double wave = sin(9 * p.x + 4 * p.z) - 0.3 * p.y / BLOCK_SIDE;
        lt_node_add(soft->x, node, (lt_rvec3){0, (lt_real)wave, (lt_real)(0.5 * wave)}, (lt_real)reach);
        lt_node_add(soft->v, node, (lt_rvec3){(lt_real)wave, 0, (lt_real)wave}, (lt_real)speed);
    }
    lt_soft_follow(soft);
}

/* Largest change of a distance between two nodes, of some of them. */
static double shape_change(const lt_soft *soft, const lt_real *from) {
    double worst = 0;
    uint32_t count = lt_soft_own_count(soft);
    for (uint32_t i = 0; i < count; i += 3)
        for (uint32_t j = 0; j < i; j += 5) {
            double now = lt_d3_distance(d3_of_node(soft->x, i), d3_of_node(soft->x, j));
            double before = lt_d3_distance(d3_of_node(from, i), d3_of_node(from, j));
            worst = lt_max_d(worst, fabs(now - before));
        }
    return worst;
}

static lt_real places[4 * MOST_NODES];

static void keep_places(const lt_soft *soft) {
    if (soft->carrier.node_count > MOST_NODES) exit(1);
    memcpy(places, soft->x, 4 * (size_t)soft->carrier.node_count * sizeof *places);
}

static void check_lost_time(const lt_soft *soft, double dt) {
    CHECK(!soft->blown_up);
    if (lt_soft_is_explicit(soft)) CHECK_NEAR(soft->time_lost, dt, 1e-9);
}

/* ---- free ---- */

static void cut_bodies_fall_at_g(void) {
    for (int i = 0; i < ALL_MODEL_COUNT; i++) {
        const double dt = 1 / 60.0;
        stage s = stage_make(down(), dt);
        lt_soft_def def = def_of(ALL_MODELS[i]);
        lt_soft *soft = &s.bodies[contact_add_block(&s, &def, (lt_dvec3){0, 0, 0})];
        deform(soft, 0.01, 0.3);
        momenta begin = momenta_of(soft);
        lt_dvec3 from = exact_center(soft);
        double mass = exact_mass(soft), speed = begin.linear.z / mass, elastic = lt_soft_elastic_energy(soft);
        keep_places(soft);
        s.rigid_alone = true;
        for (int step = 1; step <= 60; step++) {
            contact_step(&s);
            check_lost_time(soft, dt);
            CHECK_NEAR(momenta_of(soft).linear.z / mass, speed - GRAVITY * dt * step, by_build(2e-5, 1e-9));
            CHECK_NEAR(mass / (double)soft->total_mass, 1, 1e-6);
        }
        double fallen = from.z - exact_center(soft).z,
               expected = GRAVITY * dt * dt * 60 * 61 / 2 - speed * 60 * dt;
        printf("%s falls %.6f m of %.6f, distances change by %.1g m, elastic energy %.6g of %.6g J\n",
               model_word(def.model), fallen, expected, shape_change(soft, places),
               lt_soft_elastic_energy(soft), elastic);
        CHECK_NEAR(fallen, expected, by_build(1e-4, 1e-8));
        CHECK_NEAR(shape_change(soft, places), 0, by_build(2e-5, 1e-9));
        CHECK(elastic > 0);
        CHECK_NEAR(lt_soft_elastic_energy(soft), elastic, 0.01 * elastic);
        stage_free(&s);
    }
}

/* A body that tumbles about no axis of its own, deformed: nothing is gained and nothing is lost in ten seconds. The mean of two spins is
 * of second order in the angle of a step, 0.09, where inertia differs by axis: for the slab, not for cubes. */
static void cut_bodies_spin_for_ever(void) {
    for (int i = 0; i < ALL_MODEL_COUNT; i++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft_def def = def_of(ALL_MODELS[i]);
        def.angular_velocity = (lt_vec3){5, 2, 1};
        def.velocity = (lt_vec3){0.02f, 0, 0};
        lt_soft *soft = &s.bodies[contact_add_block(&s, &def, (lt_dvec3){-0.1, -0.1, -0.1})];
        deform(soft, 0.02, 0);
        keep_places(soft);
        s.rigid_alone = true;
        contact_step(&s);
        momenta begin = momenta_of(soft);
        double energy = lt_soft_kinetic_energy(soft), elastic = lt_soft_elastic_energy(soft), worst = 0;
        for (int step = 0; step < 600; step++) {
            contact_step(&s);
            worst = lt_max_d(worst, fabs(lt_soft_kinetic_energy(soft) / energy - 1));
        }
        momenta end = momenta_of(soft);
        double angular = lt_d3_distance(begin.angular, end.angular) / begin.angular_scale;
        double linear = lt_d3_distance(begin.linear, end.linear) / begin.linear_scale;
        printf("%s spins: energy %.1g off, momenta %.1g and %.1g, distances %.1g m, elastic %.4g of %.4g J\n",
               model_word(def.model), worst, linear, angular, shape_change(soft, places),
               lt_soft_elastic_energy(soft), elastic);
        CHECK_NEAR(worst, 0, by_build(1e-3, def.model == LT_MODEL_MULTIGRID ? 1e-3 : 1e-5));
        CHECK_NEAR(linear, 0, by_build(2e-5, 1e-12));
        CHECK_NEAR(angular, 0, by_build(2e-5, 1e-5));
        CHECK_NEAR(shape_change(soft, places), 0, by_build(1e-4, 1e-8));
        CHECK_NEAR(lt_soft_elastic_energy(soft), elastic, 0.01 * elastic);
        stage_free(&s);
    }
}

/* A ladder most of whose nodes hang on others, in half a second; what these are off from there fades. Returns the largest change of
 * a distance as a share of the largest offset. */
static double turn_ladder(bool spins) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    lt_soft_def def = def_of(LT_MODEL_MULTIGRID);
    def.refine_threshold = 0.4f;
    def.angular_velocity = (lt_vec3){3, 1, 0.5f};
    lt_soft *soft = &s.bodies[contact_add_block(&s, &def, (lt_dvec3){0, 0, 0})];
    deform(soft, 0.03, 0);
    for (int step = 0; step < 60; step++)
        contact_step(&s);
    CHECK(lt_soft_row_count(soft) < lt_soft_own_count(soft));
    double offsets = 0;
    for (size_t i = 0; i < 4 * (size_t)lt_soft_own_count(soft); i++)
        offsets = lt_max_d(offsets, fabs((double)soft->offset[i]));
    s.rigid_alone = true;
    keep_places(soft);
    if (!spins) memset(soft->v, 0, 4 * (size_t)soft->carrier.node_count * sizeof *soft->v);
    for (int step = 0; step < 30; step++)
        contact_step(&s);
    double change = shape_change(soft, places);
    printf("ladder of %u rows of %u nodes, up to %.2g m off: distances change by %.2g m\n",
           lt_soft_row_count(soft), lt_soft_own_count(soft), offsets, change);
    CHECK(offsets > 1e-4);
    stage_free(&s);
    return change / offsets;
}

static void ladders_turn_as_they_are(void) {
    CHECK_NEAR(turn_ladder(true), turn_ladder(false), 0.05);
}

/* ---- on a floor ---- */

typedef enum cutting { NEVER, ALWAYS, BY_TURNS, OFTEN } cutting;
static const char *const CUTTING[] = {"uncut", "always cut", "cut by turns", "solved one step in four"};

static void apply_cut(stage *s, cutting how, int step) {
    s->rigid_alone = how == ALWAYS || (how == BY_TURNS && step / 3 % 2) || (how == OFTEN && step % 4);
}

typedef struct landing {
    double height, deepest, rise, released, speed;
} landing;

static landing land(lt_model model, double young, cutting how) {
    stage s = stage_make(down(), 1 / 60.0);
    lt_soft_def def = def_of(model);
    def.material.young = (float)young;
    def.material.stiffness_damping = 0.002f;
    uint32_t body = contact_add_block(&s, &def, (lt_dvec3){0, 0, 0.1});
    lt_soft *soft = &s.bodies[body];
    contact_floor(&s, body);
    landing l = {0};
    double begin = stage_energy(&s), least = begin, lowest = height_energy(&s), top = lowest;
    for (int step = 0; step < 600; step++) {
        apply_cut(&s, how, step);
        contact_step(&s);
        double now = stage_energy(&s);
        least = lt_min_d(least, now);
        l.rise = lt_max_d(l.rise, now - least);
        l.deepest = lt_max_d(l.deepest, -contact_lowest(soft));
        lowest = lt_min_d(lowest, height_energy(&s));
        CHECK(soft_is_finite(soft) && !soft->blown_up);
    }
    l.released = top - lowest;
    l.height = exact_center(soft).z;
    l.speed = (double)lt_soft_speed(soft);
    stage_free(&s);
    return l;
}

static void cut_bodies_land_and_rest(void) {
    for (int i = 0; i < ALL_MODEL_COUNT; i++) {
        landing full = land(ALL_MODELS[i], 1e6, NEVER);
        for (cutting how = ALWAYS; how <= OFTEN; how++) {
            landing l = land(ALL_MODELS[i], 1e6, how);
            printf("%s, %s: rests at %.5f of %.5f m, %.4f deep, energy rises by %.2g (uncut %.2g) of what is "
                   "released, "
                   "%.1g m/s\n",
                   model_word(ALL_MODELS[i]), CUTTING[how], l.height, full.height, l.deepest,
                   l.rise / l.released, full.rise / full.released, l.speed);
            CHECK_NEAR(l.height, full.height, 0.02 * full.height);
            CHECK(l.deepest < 0.2 * BLOCK_SIDE);
            CHECK(l.rise < lt_max_d(0.01, 1.1 * full.rise / full.released) * l.released);
            CHECK_NEAR(l.speed, 0, 1e-3);
        }
    }
}

/* ---- momentum ---- */

/* Returns the most energy at any time as a share of that at the beginning. */
static double collide(lt_model left, lt_model right, cutting how) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    lt_soft_def def = def_of(left);
    def.velocity = (lt_vec3){0.1f, 0, 1};
    uint32_t lower = contact_add_block(&s, &def, (lt_dvec3){0, 0, 0});
    def = def_of(right);
    def.velocity = (lt_vec3){-0.1f, 0.05f, -1};
    double top = contact_highest(&s.bodies[lower]);
    uint32_t upper = contact_add_block(&s, &def, (lt_dvec3){0.02, -0.01, top + 0.03});
    contact_bodies(&s, upper, lower);
    momenta begin = stage_momenta(&s);
    double energy = stage_energy(&s), most = 0, pushed = 0;
    for (int step = 0; step < 40; step++) {
        apply_cut(&s, how, step);
        contact_step(&s);
        most = lt_max_d(most, stage_energy(&s));
        for (uint32_t k = 0; k < s.coupling_count; k++)
            pushed += (double)lt_r3_length(s.couplings[k].impulse);
    }
    momenta end = stage_momenta(&s);
    double linear = lt_d3_distance(begin.linear, end.linear) / begin.linear_scale;
    double angular = lt_d3_distance(begin.angular, end.angular) / begin.angular_scale;
    printf("%s under %s, %s: momenta %.1g, %.1g off, energy at most %.3g of the beginning's\n",
           model_word(left), model_word(right), CUTTING[how], linear, angular, most / energy);
    CHECK(pushed > 1);
    CHECK_NEAR(linear, 0, by_build(1e-6, 1e-12));
    CHECK_NEAR(angular, 0, by_build(1e-5, 1e-5));
    stage_free(&s);
    return most / energy;
}

static void every_cut_keeps_momentum(void) {
    for (int i = 0; i < ALL_MODEL_COUNT; i++)
        for (int j = 0; j < ALL_MODEL_COUNT; j++) {
            double uncut = collide(ALL_MODELS[i], ALL_MODELS[j], NEVER);
            for (cutting how = ALWAYS; how <= BY_TURNS; how++)
                CHECK(collide(ALL_MODELS[i], ALL_MODELS[j], how) <= 1.01 * lt_max_d(uncut, 1));
        }
}

/* ---- pins ---- */

static void pinned_bodies_stay(void) {
    for (int i = 0; i < ALL_MODEL_COUNT; i++) {
        stage s = stage_make(down(), 1 / 60.0);
        lt_soft_def def = def_of(ALL_MODELS[i]);
        lt_soft *soft = &s.bodies[contact_add_block(&s, &def, (lt_dvec3){0, 0, 0})];
        for (uint32_t node = 0; node < lt_soft_own_count(soft); node++)
            if ((double)soft->x[4 * (size_t)node] < 1e-4) pin_node(soft, node, lt_node_get(soft->x, node));
        lt_soft_pins_changed(soft);
        CHECK(soft->pin_count >= 4);
        keep_places(soft);
        s.rigid_alone = true;
        double worst = 0;
        for (int step = 0; step < 300; step++) {
            contact_step(&s);
            for (uint32_t node = 0; node < lt_soft_own_count(soft); node++)
                worst = lt_max_d(worst, lt_d3_distance(d3_of_node(soft->x, node), d3_of_node(places, node)));
        }
        printf("%s, pinned: a node moves by %.1g m\n", model_word(def.model), worst);
        CHECK_NEAR(worst, 0, 1e-4);
        CHECK_NEAR(lt_soft_speed(soft), 0, 1e-4);
        stage_free(&s);
    }
}

/* ---- between sub-steps ---- */

/* A third of the sub-steps that it needs. */
static lt_soft *add_starved(stage *s, lt_model model, double height, uint32_t *body) {
    lt_soft_def def = def_of(model);
    def.material.young = 1e6f;
    def.material.stiffness_damping = 0.0005f;
    *body = contact_add_block(s, &def, (lt_dvec3){0, 0, height});
    lt_soft *soft = &s->bodies[*body];
    lt_soft_plan(soft, s->dt);
    soft->max_substeps = (soft->planned_substeps + 2) / 3;
    return soft;
}

/* Models whose sub-steps are counted. */
static const lt_model COUNTED[2] = {LT_MODEL_EXPLICIT_FEM, LT_MODEL_LATTICE_SPRINGS};

static void starved_bodies_fall_and_turn_in_time(void) {
    for (int i = 0; i < 2; i++) {
        const double dt = 1 / 60.0;
        stage s = stage_make(down(), dt);
        uint32_t body;
        lt_soft *soft = add_starved(&s, COUNTED[i], 0, &body);
        deform(soft, 0, 0.2);
        lt_dvec3 from = exact_center(soft);
        momenta begin = momenta_of(soft);
        double mass = (double)soft->total_mass, speed = begin.linear.z / mass, energy = total_energy(soft),
               most = 0;
        for (int step = 1; step <= 60; step++) {
            contact_step(&s);
            CHECK_COUNT(soft->substeps, soft->max_substeps);
            CHECK_NEAR(soft->time_lost, dt * (1 - (double)soft->substeps / soft->planned_substeps), 1e-7);
            CHECK_NEAR(momenta_of(soft).linear.z / mass, speed - GRAVITY * dt * step, by_build(3e-5, 1e-9));
            double flight = momenta_of(soft).linear.z / mass;
            most = lt_max_d(most, total_energy(soft) - mass * (flight * flight - speed * speed) / 2);
        }
        double fallen = from.z - exact_center(soft).z, least = (GRAVITY / 2 - speed) * 1;
        printf("%s with a third of its sub-steps falls %.4f m in a second (%.4f to %.4f); inner energy at "
               "most %.4g of %.4g J\n",
               model_word(COUNTED[i]), fallen, least, least + GRAVITY * dt / 2, most, energy);
        CHECK(fallen > least - 1e-3 && fallen < least + GRAVITY * dt / 2 + 1e-3);
        CHECK(most < 1.02 * energy);
        stage_free(&s);
    }
}

/* Onto a body of the model, which lies on a floor. Returns how high above where the other's top was it ends. */
static double pile(lt_model above, lt_model below, bool starved) {
    stage s = stage_make(down(), 1 / 60.0);
    lt_soft_def def = def_of(below);
    def.material.young = 1e6f;
    def.material.stiffness_damping = 0.0005f;
    uint32_t lower = contact_add_block(&s, &def, (lt_dvec3){0, 0, 0}), upper;
    double top = contact_highest(&s.bodies[lower]);
    lt_soft *soft = add_starved(&s, above, top + 0.02, &upper);
    if (!starved) soft->max_substeps = 1000;
    contact_floor(&s, lower);
    contact_bodies(&s, upper, lower);
    double least = stage_energy(&s), begin = least, rise = 0;
    for (int step = 0; step < 300; step++) {
        contact_step(&s);
        least = lt_min_d(least, stage_energy(&s));
        rise = lt_max_d(rise, stage_energy(&s) - least);
        CHECK(!soft->blown_up && !s.bodies[lower].blown_up);
    }
    double rests = contact_lowest(soft) - top;
    printf("%s on %s%s: rests %.4f m above it, energy rises by %.2g J of %.3g J, %.1g m/s\n",
           model_word(above), model_word(below), starved ? ", starved" : "", rests, rise, begin - least,
           (double)lt_soft_speed(soft));
    CHECK(rise < 0.01 * (begin - least));
    CHECK_NEAR(lt_soft_speed(soft), 0, 0.02);
    stage_free(&s);
    return rests;
}

/* (On an implicit body the contacts of sub-steps are so soft that it sinks in by centimetres, starved or not: there nothing is said of
 * how deep.) */
static void starved_bodies_rest_on_others(void) {
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < ALL_MODEL_COUNT; j++) {
            double starved = pile(COUNTED[i], ALL_MODELS[j], true);
            if (j < FIRST_EXPLICIT) continue;
            double full = pile(COUNTED[i], ALL_MODELS[j], false);
            CHECK_NEAR(starved, full, 0.002 * BLOCK_SIDE);
        }
}

int main(void) {
    RUN(cut_bodies_fall_at_g);
    RUN(cut_bodies_spin_for_ever);
    RUN(ladders_turn_as_they_are);
    RUN(cut_bodies_land_and_rest);
    RUN(every_cut_keeps_momentum);
    RUN(pinned_bodies_stay);
    RUN(starved_bodies_fall_and_turn_in_time);
    RUN(starved_bodies_rest_on_others);
    return check_finish();
}
