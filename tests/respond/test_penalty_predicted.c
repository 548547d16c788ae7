/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Forces that are held and extrapolated, as the tet-hash paper has them: what a history says, what a bounce gains by it, and
 * that nothing is lost between two bodies. */

#include "check.h"

#include "embed/soft_fixture.h"
#include "respond/run_penalty.h"

/* ---- one history ---- */

static void known_forces_are_held_and_then_continued(void) {
    lt_force_history h = {0};
    CHECK(lt_v3_length(lt_force_history_at(&h, 7)) == 0); /* first cycle: none until it is exact */
    lt_force_history_add(&h, (lt_vec3){0, 10, 2}, 8);
    for (uint32_t step = 8; step < 12; step++) { /* second cycle: held */
        lt_vec3 f = lt_force_history_at(&h, step);
        CHECK(f.x == 0 && f.y == 10 && f.z == 2);
    }
    lt_force_history_add(&h, (lt_vec3){0, 14, 1}, 12);
    for (uint32_t k = 0; k < 4; k++) { /* 4 and -1 in 4 steps */
        lt_vec3 f = lt_force_history_at(&h, 12 + k);
        CHECK_NEAR(f.y, 14.0 + k, 1e-5);
        CHECK_NEAR(f.z, 1 - 0.25 * k, 1e-5);
    }
    /* What was predicted is not in it: the next slope is between exact forces. */
    lt_force_history_add(&h, (lt_vec3){0, 12, 1}, 14);
    CHECK_NEAR(lt_force_history_at(&h, 15).y, 11, 1e-5);
}

static void forces_that_would_turn_round_are_none(void) {
    lt_force_history h = {0};
    lt_force_history_add(&h, (lt_vec3){0, 8, 0}, 0);
    lt_force_history_add(&h, (lt_vec3){0, 4, 0}, 4); /* 1 less a step: 0 in step 8 */
    CHECK_NEAR(lt_force_history_at(&h, 7).y, 1, 1e-5);
    CHECK(lt_v3_length(lt_force_history_at(&h, 8)) == 0);
    CHECK(lt_v3_length(lt_force_history_at(&h, 9)) == 0);
    CHECK(lt_v3_length(lt_force_history_at(&h, 1000)) == 0);
    h = (lt_force_history){0};
    lt_force_history_add(&h, (lt_vec3){0, 0, 3}, 0);
    lt_force_history_add(&h, (lt_vec3){0, 2, 1}, 1); /* then (0, 4, -1): 7 along the last; (0, 6, -3): 9 */
    CHECK_NEAR(lt_force_history_at(&h, 2).z, -1, 1e-5);
    h = (lt_force_history){0};
    lt_force_history_add(&h, (lt_vec3){3, 1, 0}, 0);
    lt_force_history_add(&h, (lt_vec3){1, 1, 0}, 1); /* then (-1, 1, 0): across the last */
    CHECK(lt_v3_length(lt_force_history_at(&h, 2)) == 0);
}

static void forces_grow_to_twice_the_larger_at_most(void) {
    lt_force_history h = {0};
    lt_force_history_add(&h, (lt_vec3){0, 1, 0}, 0);
    lt_force_history_add(&h, (lt_vec3){0, 3, 4}, 2);
    lt_vec3 f = lt_force_history_at(&h, 3); /* (0, 4, 6): shorter than 10 */
    CHECK_NEAR(f.y, 4, 1e-5);
    CHECK_NEAR(f.z, 6, 1e-5);
    f = lt_force_history_at(&h, 100); /* (0, 101, 200), cut */
    CHECK_NEAR(lt_v3_length(f), 10, 1e-4);
    CHECK_NEAR(f.y / f.z, 101.0 / 200, 1e-4);
    h = (lt_force_history){0};
    lt_force_history_add(&h, (lt_vec3){0, 1, 0}, 5);
    lt_force_history_add(&h, (lt_vec3){0, 2, 0}, 5); /* twice in one step: as if there was one between */
    CHECK_NEAR(lt_force_history_at(&h, 6).y, 3, 1e-5);
}

static void a_missed_cycle_erases_the_history(void) {
    lt_contact_record records[4];
    lt_force_history items[4];
    memset(records, 0, sizeof records);
    lt_contact_list contacts = {.records = records, .count = 3, .capacity = 4};
    lt_force_histories histories = {items, 0, 4};
    for (uint32_t i = 0; i < 3; i++)
        records[i] = (lt_contact_record){.a = 0, .kind = LT_PAIR_BODIES, .b = 1, .feature = 10 * i};
    lt_force_histories_follow(&histories, &contacts);
    CHECK_COUNT(histories.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_COUNT(items[i].count, 0);
        lt_force_history_add(&items[i], (lt_vec3){(float)i, 0, 0}, 1);
    }
    /* 20 is not found again, 5 and 30 are new */
    const uint32_t now[4] = {0, 5, 10, 30}, known[4] = {1, 0, 1, 0};
    contacts.count = 4;
    for (uint32_t i = 0; i < 4; i++)
        records[i] = (lt_contact_record){.a = 0, .kind = LT_PAIR_BODIES, .b = 1, .feature = now[i]};
    lt_force_histories_follow(&histories, &contacts);
    CHECK_COUNT(histories.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_COUNT(items[i].feature, now[i]);
        CHECK_COUNT(items[i].count, known[i]);
        if (known[i]) CHECK(items[i].forces[0].x == (float)(now[i] / 10));
    }
    CHECK(lt_force_histories_are_sound((const uint8_t *)items, 4, 1));
    CHECK(!lt_force_histories_are_sound((const uint8_t *)items, 4, 0)); /* known before it was */
    records[3].feature = 20;
    lt_force_histories_follow(&histories, &contacts); /* it is back: of what was before nothing is left */
    CHECK_COUNT(items[3].feature, 20);
    CHECK_COUNT(items[3].count, 0);
    CHECK_COUNT(items[2].count, 1);
    items[2].forces[0].z = NAN;
    CHECK(!lt_force_histories_are_sound((const uint8_t *)items, 4, 1));
    items[2].forces[0].z = 0;
    items[3].feature = 10;
    CHECK(!lt_force_histories_are_sound((const uint8_t *)items, 4, 1));
    contacts.count = 0;
    lt_force_histories_follow(&histories, &contacts);
    CHECK_COUNT(histories.count, 0);
}

/* ---- two cubes ---- */

enum { MOST = 64 };

/* One on the other, 0.05 deep and a little aside. */
typedef struct scene {
    soft_fixture bodies[2];
    lt_soft softs[2]; /* in a row, as in a world */
    lt_collider colliders[2];
    lt_contact_record records[MOST];
    lt_contact_list contacts;
    lt_force_history items[MOST];
    lt_force_histories histories;
    lt_obstacle floor;
    lt_coupling couplings[MOST];
    uint32_t contact_of[MOST];
    lt_penalty penalty;
    lt_arena arena;
} scene;

static scene s;
static const float DT = 0.01f;

static bool make_scene(void) {
    memset(&s, 0, sizeof s);
    affine above = translation(0.1, 0.95, 0.15);
    for (int i = 0; i < 2; i++) {
        if (!fixture_block(&s.bodies[i], (lt_dvec3){1, 1, 1}, 2, 2, 2, (fixture_options){0})) return false;
        if (i == 1) fixture_move(&s.bodies[i], move_affine, &above);
        lt_soft_plan(&s.bodies[i].soft, (lt_real)DT);
        s.softs[i] = s.bodies[i].soft;
        s.colliders[i] = s.bodies[i].collider;
    }
    s.contacts = (lt_contact_list){.records = s.records, .capacity = MOST};
    s.histories = (lt_force_histories){s.items, 0, MOST};
    s.floor = (lt_obstacle){.in_use = true, .kind = LT_OBSTACLE_PLANE, .local_normal = {0, 1, 0}};
    lt_obstacle_place(&s.floor, (lt_vec3){0, 0.02f, 0}, (lt_quat){0, 0, 0, 1});
    return lt_arena_reserve(&s.arena, NULL, lt_penalty_scratch(s.colliders, 2, MOST));
}

static void free_scene(void) {
    for (int i = 0; i < 2; i++)
        fixture_free(&s.bodies[i]);
    lt_arena_free(&s.arena);
}

/* All points of either in the other, up to `most`. */
static void find_contacts(uint32_t most) {
    uint32_t points = s.bodies[0].skin.point_count;
    s.contacts.count = 0;
    for (uint32_t side = 0; side < 2; side++) {
        lt_point_query q = {&s.colliders[side], &s.colliders[1 - side], side,
                            lt_bound_kernels_for(LT_LEVEL_SCALAR)};
        for (uint32_t i = 0; i < s.bodies[side].skin.point_count; i++) {
            lt_contact_record r = {.kind = LT_PAIR_BODIES, .b = 1, .feature = side * points + i};
            if (s.contacts.count < most && lt_point_query_test(&q, i, &r.touch) && r.touch.depth > 0)
                s.records[s.contacts.count++] = r;
        }
    }
}

static void place_contacts(float held_dt) {
    s.penalty = (lt_penalty){.contacts = &s.contacts,
                             .colliders = s.colliders,
                             .collider_count = 2,
                             .obstacles = &s.floor,
                             .dt = DT,
                             .held_dt = held_dt,
                             .couplings = s.couplings,
                             .contact_of = s.contact_of,
                             .capacity = MOST};
    run_penalty(&s.penalty, &s.arena, 1);
}

/* One step: forces on the nodes of both. */
static void respond(uint32_t step, float held_dt) {
    for (int i = 0; i < 2; i++)
        memset(s.softs[i].force, 0, 4 * (size_t)s.softs[i].carrier.node_count * sizeof(lt_real));
    lt_force_histories_follow(&s.histories, &s.contacts);
    place_contacts(held_dt);
    lt_predicted predicted = {&s.penalty, &s.histories, s.softs, DT, step};
    lt_predicted_hand_over(&predicted);
}

static void set_velocity(uint32_t body, lt_rvec3 v) {
    for (uint32_t i = 0; i < s.softs[body].carrier.node_count; i++)
        lt_node_set(s.softs[body].v, i, v);
}

/* Σ f, Σ x × f and Σ |f| over the nodes of both. */
static void check_balance(double least) {
    lt_dvec3 sum = {0, 0, 0}, turn = {0, 0, 0};
    double size = 0;
    for (int body = 0; body < 2; body++)
        for (uint32_t i = 0; i < s.softs[body].carrier.node_count; i++) {
            lt_rvec3 f = lt_node_get(s.softs[body].force, i), x = lt_node_get(s.softs[body].x, i);
            lt_dvec3 force = {(double)f.x, (double)f.y, (double)f.z};
            sum = lt_d3_add(sum, force);
            turn = lt_d3_add(turn, lt_d3_cross((lt_dvec3){(double)x.x, (double)x.y, (double)x.z}, force));
            size += lt_d3_length(force);
        }
    double tolerance = sizeof(lt_real) == sizeof(float) ? 2e-5 : 1e-6; /* weights of the surface are float */
    CHECK(size > least);
    CHECK(lt_d3_length(sum) <= tolerance * size);
    CHECK(lt_d3_length(turn) <= tolerance * size);
}

static void nothing_is_lost_between_bodies_at_any_age(void) {
    lt_random random = lt_random_seed(5);
    CHECK_FATAL(make_scene());
    find_contacts(MOST);
    CHECK_FATAL(s.contacts.count >= 8);
    for (uint32_t step = 0; step < 40; step++) {
        bool exact = step % 4 == 0;
        affine above =
            translation(0.1, 0.95 + 0.03 * (step % 4), 0.15); /* parted, before they are said to be */
        fixture_move(&s.bodies[1], move_affine, &above);
        fixture_shake(&s.bodies[1], &random, 0.002);
        if (exact) {
            set_velocity(1, lt_r3_from_v3(random_v3(&random, 0.4f)));
            find_contacts(MOST);
        }
        for (uint32_t i = 0; i < s.contacts.count; i++)
            s.records[i].age = exact ? 0 : 1;
        respond(step, 4 * DT);
        CHECK_COUNT(s.penalty.coupling_count, 0); /* all of it is handed over */
        for (uint32_t i = 0; i < s.contacts.count; i++)
            CHECK_COUNT(s.records[i].age, step % 4);
        check_balance(1);
        fixture_shake(&s.bodies[0], &random, 0.0005);
    }
    free_scene();
}

static void exact_forces_follow_the_law_of_the_penalty(void) {
    CHECK_FATAL(make_scene());
    find_contacts(1);
    CHECK_FATAL(s.contacts.count == 1);
    respond(0, 3 * DT);
    double inverse = 0; /* of the only contact: Σ w² / m over both sides */
    for (int side = 0; side < 2; side++) {
        const lt_anchor *anchor = side ? &s.couplings[0].b : &s.couplings[0].a;
        for (uint32_t i = 0; i < anchor->count; i++)
            inverse += (double)(anchor->weights[i] * anchor->weights[i]) *
                       (double)lt_soft_inverse_mass(
                           &s.softs[side ? s.couplings[0].body_b : s.couplings[0].body_a], anchor->ids[i]);
    }
    double k = 0.09 / (9e-4 * inverse), c = 2 * 0.2 * sqrt(k / inverse),
           depth = (double)s.records[0].touch.depth;
    const lt_vec3 r = s.records[0].touch.normal;
    CHECK_NEAR(lt_v3_dot(s.records[0].force, r) / (k * depth), 1, 1e-4);
    CHECK_NEAR(lt_v3_length(s.records[0].force) / (k * depth), 1, 1e-4); /* at rest: along the normal */
    /* The point's body comes nearer: more by c u. And it slides: no more across than friction allows. */
    uint32_t body = s.records[0].touch.body;
    lt_vec3 side = {1, 0, 0}, v = lt_v3_add(lt_v3_scale(r, -0.1f), lt_v3_scale(side, 30));
    set_velocity(body, lt_r3_from_v3(v));
    s.histories.count = 0;
    respond(0, 3 * DT);
    CHECK(lt_v3_dot(side, r) == 0);
    double push = k * depth + 0.1 * c;
    CHECK_NEAR(lt_v3_dot(s.records[0].force, r) / push, 1, 1e-4);
    CHECK_NEAR(lt_v3_dot(s.records[0].force, side) / (-0.3 * push), 1, 1e-4);
    /* It parts so fast that it would be held back. */
    set_velocity(body, lt_r3_from_v3(lt_v3_scale(r, 1000)));
    s.histories.count = 0;
    respond(0, 3 * DT);
    CHECK(lt_v3_length(s.records[0].force) == 0);
    free_scene();
}

/* Slow sliding is met by a spring: drawn by u for each step between exact forces. */
static void friction_sticks_from_cycle_to_cycle(void) {
    CHECK_FATAL(make_scene());
    find_contacts(1);
    CHECK_FATAL(s.contacts.count == 1);
    uint32_t body = s.records[0].touch.body;
    set_velocity(body, (lt_rvec3){(lt_real)1e-4, 0, 0});
    respond(0, 4 * DT);
    double first = (double)s.records[0].force.x, k = (double)s.couplings[0].stiffness;
    CHECK(first < 0); /* damping alone */
    respond(4, 4 * DT);
    CHECK_NEAR((double)s.records[0].force.x - first, -k * 4e-4 * (double)DT, 1e-3 * fabs(first));
    CHECK_NEAR(s.records[0].stick.x, 4e-4 * (double)DT, 1e-9);
    free_scene();
}

static void obstacles_keep_their_couplings_and_sleepers_their_force(void) {
    CHECK_FATAL(make_scene());
    find_contacts(4);
    CHECK_FATAL(s.contacts.count == 4);
    lt_contact_record *floor = &s.records[s.contacts.count++];
    *floor = (lt_contact_record){.kind = LT_PAIR_OBSTACLE};
    CHECK_FATAL(lt_obstacle_test(&s.colliders[0], 0, 0, &s.floor, 0.1f, &floor->touch));
    respond(0, DT);
    respond(4, DT); /* two exact forces, of age 0 */
    CHECK_COUNT(s.penalty.coupling_count, 1);
    CHECK_COUNT(s.contact_of[0], 4);
    CHECK(s.couplings[0].body_b == LT_NONE && s.couplings[0].stiffness > 0);
    CHECK_COUNT(s.histories.items[0].count, 2);
    CHECK_COUNT(s.histories.items[4].count, 0);
    lt_vec3 force = s.records[0].force;
    s.colliders[0].asleep = s.colliders[1].asleep = true;
    respond(5, DT);
    CHECK_COUNT(s.penalty.coupling_count, 0);
    CHECK_COUNT(s.histories.items[0].count, 1); /* no slope over a sleep */
    CHECK(lt_v3_length(lt_v3_sub(s.records[0].force, force)) == 0);
    free_scene();
}

/* ---- the bounce ---- */

typedef enum between { HOLD, LINEAR, ADVECTED } between;

/* Depth as mode safe follows it: of a contact that was `depth` deep when body 1 was at `then`, now that it is at `x`. */
static float advected_depth(double depth, double then, double x) {
    const double unit = 0.01; /* m: the cubes are small for what the particle does */
    lt_contact_record *r = &s.records[0];
    r->touch.depth = (float)(unit * depth);
    affine now = translation(0, unit * (x - then), 0);
    fixture_move(&s.bodies[1], move_affine, &now);
    place_contacts(0);
    return r->depth / (float)unit;
}

static void begin_advected(void) {
    affine start = translation(0, 0, 0);
    lt_anchor anchor;
    fixture_move(&s.bodies[1], move_affine, &start);
    s.contacts.count = 1;
    lt_contact_record *r = &s.records[0];
    *r = (lt_contact_record){.kind = LT_PAIR_BODIES, .b = 1};
    r->touch = (lt_touch){.body = 1, .point = 0, .own = {.tet = LT_NONE}, .normal = {0, 1, 0}};
    lt_vec3 p = s.colliders[1].points[0];
    CHECK(lt_anchor_at(&anchor, &s.colliders[0], 0, lt_d3_from_v3(p)));
    for (int k = 0; k < 4; k++)
        r->touch.other.weights[k] = (float)anchor.weights[k];
}

/* A unit mass at speed -1 against a wall of stiffness omega² at 0, symplectic Euler with steps of 1, exact in every n-th step:
 * its speed afterwards. */
static double bounce(double omega, uint32_t n, double begin, between way) {
    double x = begin, v = -1, depth = 0, then = 0;
    lt_force_history h = {0};
    for (uint32_t step = 0; step < 1000 && !(v > 0 && x > 2 * n * v); step++) {
        double force = 0;
        if (step % n == 0) {
            if (way == HOLD || x >= 0) h.count = 0; /* without the one before it is held */
            depth = x < 0 ? -x : 0;
            then = x;
            if (x < 0) lt_force_history_add(&h, (lt_vec3){0, (float)(-omega * omega * x), 0}, step);
        }
        if (way != ADVECTED)
            force = (double)lt_force_history_at(&h, step).y;
        else if (depth > 0)
            force = omega * omega * fmax(0, (double)advected_depth(depth, then, x));
        v += force;
        x += v;
    }
    return v;
}

/* Rows: n Δt ω. The worst of 50 phases. */
static void bounces_gain_what_the_table_says(void) {
    static const struct row {
        double size;
        uint32_t n;
        double gains[3];
    } table[4] = {{0.2, 2, {1.09, 1.02, 1.01}},
                  {0.4, 4, {1.27, 1.14, 1.06}},
                  {0.632, 2, {1.28, 1.22, 1.10}},
                  {1.265, 4, {2.19, 2.21, 1.49}}};
    CHECK_FATAL(make_scene());
    for (int i = 0; i < 4; i++) {
        for (int way = HOLD; way <= ADVECTED; way++) {
            double worst = 0;
            if (way == ADVECTED) begin_advected();
            for (int phase = 0; phase < 50; phase++)
                worst = fmax(worst, bounce(table[i].size / table[i].n, table[i].n,
                                           table[i].n * (phase + 0.5) / 50, (between)way));
            CHECK_NEAR(worst / table[i].gains[way], 1, 0.015);
        }
    }
    free_scene();
}

int main(void) {
    RUN(known_forces_are_held_and_then_continued);
    RUN(forces_that_would_turn_round_are_none);
    RUN(forces_grow_to_twice_the_larger_at_most);
    RUN(a_missed_cycle_erases_the_history);
    RUN(nothing_is_lost_between_bodies_at_any_age);
    RUN(exact_forces_follow_the_law_of_the_penalty);
    RUN(friction_sticks_from_cycle_to_cycle);
    RUN(obstacles_keep_their_couplings_and_sleepers_their_force);
    RUN(bounces_gain_what_the_table_says);
    return check_finish();
}
