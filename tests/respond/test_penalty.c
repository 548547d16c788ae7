/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* From contacts to couplings: where they act, how deep they are now, how stiff they may be, and what comes back. */

#include "check.h"

#include "core/hash.h"
#include "embed/soft_fixture.h"
#include "respond/run_penalty.h"

enum { MOST = 400 };

/* A cube on another, 0.05 deep and a little aside; a floor under both, unless said otherwise. */
typedef struct scene {
    soft_fixture bodies[2];
    lt_collider colliders[2];
    lt_obstacle floor;
    lt_pair pair_items[3];
    lt_pair_table pairs;
    lt_tested tested[3];
    lt_contact_record records[MOST], harvested[MOST], fresh[MOST];
    lt_contact_key keys[MOST], spare_keys[MOST];
    lt_contact_list contacts;
    lt_contact_harvest harvest;
    lt_arena arena;
    lt_coupling couplings[MOST];
    uint32_t contact_of[MOST];
    lt_penalty penalty;
} scene;

static scene s;
static const float DT = 0.01f;

static bool make_scene(fixture_options options) {
    memset(&s, 0, sizeof s);
    for (int i = 0; i < 2; i++) {
        if (!fixture_block(&s.bodies[i], (lt_dvec3){1, 1, 1}, 2, 2, 2, options)) return false;
        lt_soft_plan(&s.bodies[i].soft, (lt_real)DT);
    }
    double scale = options.scale ? options.scale : 1;
    affine above = translation(0.1 * scale, 0.95 * scale, 0.15 * scale);
    fixture_move(&s.bodies[1], move_affine, &above);
    for (int i = 0; i < 2; i++)
        s.colliders[i] = s.bodies[i].collider;
    s.colliders[0].friction = 0.25f;
    s.colliders[1].friction = 0.64f;
    s.floor = (lt_obstacle){
        .in_use = true, .kind = LT_OBSTACLE_PLANE, .local_normal = {0, 1, 0}, .friction = 0.01f};
    lt_obstacle_place(&s.floor, (lt_vec3){0, 0.02f, 0}, (lt_quat){0, 0, 0, 1});
    s.pair_items[0] = (lt_pair){.a = 0, .kind = LT_PAIR_BODIES, .b = 1};
    s.pair_items[1] = (lt_pair){.a = 0, .kind = LT_PAIR_OBSTACLE, .b = 0};
    s.pairs = lt_pair_table_make(0);
    if (!lt_pair_table_reserve(&s.pairs, 3, NULL)) return false;
    for (uint32_t i = 0; i < 2; i++)
        lt_pair_table_append(&s.pairs, &s.pair_items[i]);
    s.contacts = (lt_contact_list){.records = s.records, .capacity = MOST};
    s.harvest = (lt_contact_harvest){s.harvested, 0, MOST, 0};
    return lt_arena_reserve(&s.arena, NULL, lt_penalty_scratch(s.colliders, 2, MOST));
}

static void free_scene(void) {
    for (int i = 0; i < 2; i++)
        fixture_free(&s.bodies[i]);
    lt_pair_table_free(&s.pairs, NULL);
    lt_arena_free(&s.arena);
}

/* Detects and remembers, as the reference method does in full. */
static void detect(bool floor) {
    for (uint32_t side = 0; side < 2; side++) {
        lt_point_query q = {&s.colliders[side], &s.colliders[1 - side], side,
                            lt_bound_kernels_for(LT_LEVEL_SCALAR)};
        for (uint32_t i = 0; i < s.bodies[side].skin.point_count; i++) {
            lt_touch touch;
            uint32_t feature = side ? s.bodies[0].skin.point_count + i : i;
            if (lt_point_query_test(&q, i, &touch))
                lt_harvest_add(&s.harvest, &s.pair_items[0], feature, &touch);
            if (floor && side == 0 && lt_obstacle_test(&s.colliders[0], 0, i, &s.floor, 0, &touch))
                lt_harvest_add(&s.harvest, &s.pair_items[1], i, &touch);
        }
    }
    for (uint32_t i = 0; i < 2; i++)
        s.tested[i] = (lt_tested){.count = lt_pair_point_count(&s.pair_items[i], s.colliders)};
    lt_contacts_update(&s.contacts, &s.harvest, &s.pairs, s.tested, s.colliders, UINT32_MAX,
                       &(lt_contact_scratch){s.fresh, s.keys, s.spare_keys});
    s.harvest.count = 0;
}

/* A step in which nothing was tested. */
static void hold(void) {
    s.tested[0] = s.tested[1] = (lt_tested){.count = 0};
    lt_contacts_update(&s.contacts, &s.harvest, &s.pairs, s.tested, s.colliders, UINT32_MAX,
                       &(lt_contact_scratch){s.fresh, s.keys, s.spare_keys});
}

static uint64_t respond(uint32_t grant) {
    s.penalty = (lt_penalty){.contacts = &s.contacts,
                             .colliders = s.colliders,
                             .collider_count = 2,
                             .obstacles = &s.floor,
                             .dt = DT,
                             .couplings = s.couplings,
                             .contact_of = s.contact_of,
                             .capacity = MOST};
    return run_penalty(&s.penalty, &s.arena, grant);
}

static lt_dvec3 gathered(const lt_anchor *anchor, uint32_t body) {
    lt_rvec3 at = lt_anchor_gather(anchor, s.bodies[body].soft.x);
    return (lt_dvec3){at.x, at.y, at.z};
}

/* ---- where ---- */

static void both_sides_act_on_one_line(void) {
    lt_random random = lt_random_seed(1);
    uint32_t apart_count = 0;
    CHECK_FATAL(make_scene((fixture_options){0}));
    for (int round = 0; round < 10; round++) {
        affine below = translation(0, 0, 0), above = translation(0.1, 0.95, 0.15);
        fixture_move(&s.bodies[0], move_affine, &below);
        fixture_move(&s.bodies[1], move_affine, &above);
        s.contacts.count = 0;
        lt_contacts_range(&s.contacts, &s.pairs);
        detect(round % 2);
        if (round >= 5) { /* the bodies have moved since */
            fixture_shake(&s.bodies[0], &random, 0.03);
            fixture_shake(&s.bodies[1], &random, 0.03);
            for (uint32_t n = 0; n < s.bodies[1].carrier.node_count; n++)
                lt_node_add(s.bodies[1].soft.x, n, (lt_rvec3){0, (lt_real)0.02 * (lt_real)(round - 5), 0}, 1);
            fixture_refresh(&s.bodies[1]);
            hold();
        }
        respond(1);
        CHECK(s.penalty.coupling_count >= 8);
        for (uint32_t i = 0; i < s.penalty.coupling_count; i++) {
            const lt_coupling *c = &s.couplings[i];
            const lt_contact_record *r = &s.records[s.contact_of[i]];
            lt_dvec3 a = gathered(&c->a, c->body_a);
            CHECK_NEAR(lt_d3_distance(a, lt_d3_from_v3(r->position)), 0, 2e-6);
            if (r->kind == LT_PAIR_OBSTACLE) continue;
            lt_dvec3 apart = lt_d3_sub(gathered(&c->b, c->body_b), a);
            lt_dvec3 n = lt_d3_from_v3(r->normal);
            apart_count += r->depth < -0.01f;
            /* at the point itself when it is inside; else where it will meet the surface */
            CHECK_NEAR(lt_d3_dot(apart, n), lt_min_d(0, (double)r->depth), 3e-6);
            CHECK_NEAR(lt_d3_length(lt_d3_mad(apart, n, -lt_d3_dot(apart, n))), 0, 3e-6);
            double sum = 0;
            for (uint32_t k = 0; k < c->b.count; k++)
                sum += (double)c->b.weights[k];
            CHECK_NEAR(sum, 1, 1e-6);
        }
    }
    CHECK(apart_count > 4);
    free_scene();
}

/* ---- how deep ---- */

static void depth_follows_both_bodies(void) {
    for (int kind = 0; kind < 3; kind++) {
        CHECK_FATAL(make_scene((fixture_options){.rigid_links = kind == 1, .scale = kind == 2 ? 4 : 0}));
        detect(false);
        CHECK_FATAL(s.contacts.count > 0);
        respond(1);
        for (uint32_t i = 0; i < s.contacts.count; i++) {
            CHECK_NEAR(s.records[i].depth, s.records[i].touch.depth, 2e-6);
            CHECK_NEAR(fabs((double)s.records[i].normal.y), 1, 1e-2);
            CHECK_NEAR(s.records[i].depth, kind == 2 ? 0.2 : 0.05, kind == 2 ? 0.02 : 0.005);
        }
        /* the lower one rises by 0.02, the upper one falls by 0.03 and slides; nothing is tested or refreshed */
        static const lt_rvec3 by[2] = {{0, (lt_real)0.02, 0}, {(lt_real)0.05, (lt_real)-0.03, 0}};
        for (int body = 0; body < 2; body++) {
            for (uint32_t n = 0; n < s.bodies[body].carrier.node_count; n++)
                lt_node_add(s.bodies[body].soft.x, n, by[body], 1);
            lt_soft_publish(&s.bodies[body].soft);
            lt_collider_outdate(&s.colliders[body]);
        }
        hold();
        respond(1);
        for (uint32_t i = 0; i < s.contacts.count; i++) {
            const lt_contact_record *r = &s.records[i];
            double slid = 0.05 * fabs((double)r->normal.x);
            CHECK_NEAR(r->depth, (double)r->touch.depth + 0.05 * fabs((double)r->normal.y), slid + 5e-6);
            CHECK_COUNT(r->age, 1);
        }
        free_scene();
    }
}

/* The upper body goes up by so much; nothing is tested. */
static void lift_upper(double by) {
    for (uint32_t n = 0; n < s.bodies[1].carrier.node_count; n++)
        lt_node_add(s.bodies[1].soft.x, n, (lt_rvec3){0, (lt_real)by, 0}, 1);
    lt_soft_publish(&s.bodies[1].soft);
    lt_collider_outdate(&s.colliders[1]);
    hold();
    respond(1);
}

/* Points that just touch go away by 5 and come back: they are 5 outside, and then they touch again. Had any step set their
 * depth to 0 while they were outside, it would be 5 in the end. */
static void what_leaves_and_returns_is_as_deep_as_before(void) {
    CHECK_FATAL(make_scene((fixture_options){0}));
    detect(false);
    CHECK(s.contacts.count >= 8);
    for (uint32_t i = 0; i < s.contacts.count; i++)
        s.records[i].touch.depth = 0;
    const double moves[] = {1, 2.5, 1.5, -3, -0.5, -1.5};
    double away = 0;
    for (uint32_t k = 0; k < LT_COUNT_OF(moves); k++) {
        lift_upper(moves[k]);
        away += moves[k];
        for (uint32_t i = 0; i < s.contacts.count; i++) {
            CHECK_COUNT(s.records[i].age, k + 1);
            CHECK_NEAR(s.records[i].depth, -away * fabs((double)s.records[i].normal.y), 5e-6);
        }
        CHECK(k != 2 || away == 5);
    }
    CHECK(away == 0);
    free_scene();
}

/* Against an obstacle the depth is what it is now, at any age. */
static void depth_in_obstacles_is_live(void) {
    CHECK_FATAL(make_scene((fixture_options){0}));
    const uint64_t floor = lt_pair_key(&s.pair_items[1]);
    lt_pair_table_renew(&s.pairs, &floor, 1); /* alone */
    for (uint32_t i = 0; i < s.bodies[0].skin.point_count; i++) {
        lt_touch touch;
        if (lt_obstacle_test(&s.colliders[0], 0, i, &s.floor, 0, &touch))
            lt_harvest_add(&s.harvest, &s.pair_items[1], i, &touch);
    }
    lt_contacts_update(&s.contacts, &s.harvest, &s.pairs, s.tested, s.colliders, UINT32_MAX,
                       &(lt_contact_scratch){s.fresh, s.keys, s.spare_keys});
    CHECK_COUNT(s.contacts.count, 9);
    for (int step = 0; step < 3; step++) {
        lt_obstacle_place(&s.floor, (lt_vec3){0, 0.02f * (float)(step + 1), 0}, (lt_quat){0, 0, 0, 1});
        s.floor.velocity = (lt_vec3){0, 2, 0};
        respond(1);
        CHECK_COUNT(s.penalty.coupling_count, 9);
        for (uint32_t i = 0; i < 9; i++) {
            CHECK_NEAR(s.records[i].depth, 0.02 * (step + 1), 1e-6);
            CHECK_NEAR(s.couplings[i].partner_velocity.y, 2, 0);
            CHECK(s.couplings[i].body_b == LT_NONE && s.couplings[i].body_a == 0);
            CHECK_NEAR(s.couplings[i].friction, 0.05, 1e-6); /* the mean of 0.25 and 0.01 */
        }
    }
    free_scene();
}

/* ---- how stiff ---- */

static float stiffness_of_copies(uint32_t copies, float *damping) {
    s.contacts.count = 0;
    lt_contacts_range(&s.contacts, &s.pairs);
    s.harvest.count = 0;
    detect(false);
    lt_contact_record one = s.records[0];
    for (uint32_t i = 0; i < copies; i++) {
        s.records[i] = one;
        s.records[i].feature = i;
    }
    s.contacts.count = copies;
    lt_contacts_range(&s.contacts, &s.pairs);
    respond(1);
    CHECK_COUNT(s.penalty.coupling_count, copies);
    *damping = (float)s.couplings[0].damping;
    return (float)s.couplings[0].stiffness;
}

/* Sixteen contacts in one tet share what one may do; k = s² / (Δt² W) with the row sum W. */
static void contacts_share_the_stiffness(void) {
    CHECK_FATAL(make_scene((fixture_options){.model = LT_MODEL_COROTATIONAL}));
    float damping, first_damping;
    float one = stiffness_of_copies(1, &first_damping);
    const lt_coupling *c = &s.couplings[0];
    double w = (double)lt_anchor_inverse_mass(&c->a, &s.bodies[c->body_a].soft) +
               (double)lt_anchor_inverse_mass(&c->b, &s.bodies[c->body_b].soft);
    lt_contact_scale scale = lt_soft_contact_scale(&s.bodies[0].soft, (lt_real)DT);
    double expected = (double)(scale.s * scale.s / (scale.dt * scale.dt)) / w;
    CHECK_NEAR(one, expected, 1e-4 * expected); /* of one contact alone the row sum is Σ w²/m */
    CHECK_NEAR(first_damping, 2 * 0.2 * sqrt(expected / w), 1e-4 * first_damping);
    for (uint32_t copies = 2; copies <= 64; copies *= 2) {
        float k = stiffness_of_copies(copies, &damping);
        CHECK_NEAR(k, one / (float)copies, 1e-3 * one / copies);
        CHECK_NEAR(damping, first_damping / (float)copies, 1e-3 * first_damping / copies);
    }
    free_scene();
}

/* Nodes of an implicit body count for at least half of the mean. */
static double felt_mass(const lt_soft *soft, uint32_t node) {
    double mass = (double)soft->mass[node], mean = (double)soft->total_mass / soft->carrier.node_count;
    return soft->model == LT_MODEL_EXPLICIT_FEM ? mass : fmax(mass, mean / 2);
}

static void add_share(double *shares, const lt_anchor *anchor) {
    for (uint32_t k = 0; k < anchor->count; k++)
        shares[anchor->ids[k]] += fabs((double)anchor->weights[k]);
}

static double row_sum(const double *shares, const lt_anchor *anchor, const lt_soft *soft) {
    double sum = 0;
    for (uint32_t k = 0; k < anchor->count; k++)
        sum += fabs((double)anchor->weights[k]) * shares[anchor->ids[k]] / felt_mass(soft, anchor->ids[k]);
    return sum;
}

/* All contacts of the scene, floor included, against the row sums by the book: one table for each body. */
static void stiffness_is_that_of_the_row_sum(void) {
    double shares[2][27] = {{0}, {0}};
    CHECK_FATAL(make_scene((fixture_options){.model = LT_MODEL_COROTATIONAL}));
    detect(true);
    respond(1);
    CHECK_COUNT(s.penalty.coupling_count, s.contacts.count);
    for (uint32_t i = 0; i < s.penalty.coupling_count; i++) {
        add_share(shares[s.couplings[i].body_a], &s.couplings[i].a);
        if (s.couplings[i].body_b != LT_NONE) add_share(shares[s.couplings[i].body_b], &s.couplings[i].b);
    }
    lt_contact_scale scale = lt_soft_contact_scale(&s.bodies[0].soft, (lt_real)DT);
    for (uint32_t i = 0; i < s.penalty.coupling_count; i++) {
        const lt_coupling *c = &s.couplings[i];
        double w = row_sum(shares[c->body_a], &c->a, &s.bodies[c->body_a].soft);
        if (c->body_b != LT_NONE) w += row_sum(shares[c->body_b], &c->b, &s.bodies[c->body_b].soft);
        double expected = (double)(scale.s * scale.s / (scale.dt * scale.dt)) / w;
        CHECK_NEAR(c->stiffness, expected, 1e-4 * expected);
    }
    free_scene();
}

/* Explicit bodies: not stiffer than their material, 20 A E / h. */
static void the_material_limits_explicit_contacts(void) {
    CHECK_FATAL(make_scene((fixture_options){.model = LT_MODEL_EXPLICIT_FEM}));
    s.bodies[0].soft.material.young = s.bodies[1].soft.material.young = 10;
    detect(false);
    respond(1);
    for (uint32_t i = 0; i < s.penalty.coupling_count; i++) {
        const lt_contact_record *r = &s.records[s.contact_of[i]];
        float area = s.colliders[r->touch.body].skin->areas[r->touch.point];
        CHECK_NEAR(s.couplings[i].stiffness, 20 * area * 10 / (float)s.bodies[0].soft.mean_edge, 1e-3);
        CHECK_NEAR(s.couplings[i].friction, 0.4, 1e-6); /* the geometric mean of 0.25 and 0.64 */
    }
    free_scene();
}

static void pin_all(uint32_t body) {
    memset(s.bodies[body].soft.pinned, 1, s.bodies[body].carrier.node_count);
}

static void contacts_between_pinned_nodes_are_skipped(void) {
    CHECK_FATAL(make_scene((fixture_options){0}));
    detect(false);
    uint32_t count = s.contacts.count;
    pin_all(0);
    respond(1);
    CHECK_COUNT(s.penalty.coupling_count, count);
    for (uint32_t i = 0; i < count; i++)
        CHECK(s.couplings[i].stiffness > 0 && s.couplings[i].stiffness < 1e30f);
    pin_all(1);
    respond(1);
    CHECK_COUNT(s.penalty.coupling_count, 0);
    free_scene();
}

/* ---- sleep ---- */

static void sleepers_are_of_infinite_mass(void) {
    CHECK_FATAL(make_scene((fixture_options){0}));
    detect(false);
    uint32_t count = s.contacts.count;
    for (uint32_t i = 0; i < count; i++)
        s.records[i].stick = (lt_vec3){0.1f, 0, 0};
    for (uint32_t sleeper = 0; sleeper < 2; sleeper++) {
        s.colliders[sleeper].asleep = true;
        respond(1);
        CHECK_COUNT(s.penalty.coupling_count, count);
        for (uint32_t i = 0; i < count; i++) {
            lt_coupling *c = &s.couplings[i];
            const lt_contact_record *r = &s.records[s.contact_of[i]];
            double sign = r->touch.body == sleeper ? -1 : 1;
            CHECK(c->body_a == 1 - sleeper && c->body_b == LT_NONE);
            CHECK_NEAR(c->normal.y, sign * (double)r->normal.y, 1e-6);
            CHECK_NEAR(c->stick.x, sign * 0.1, 1e-6);
            CHECK_NEAR(lt_d3_distance(gathered(&c->a, c->body_a), lt_d3_from_v3(r->position)), 0, 2e-6);
            c->impulse = lt_r3_scale(c->normal, (lt_real)0.03); /* what a model might answer */
        }
        lt_penalty_collect(&s.penalty, &s.floor);
        for (uint32_t i = 0; i < count; i++) { /* the force on the point's body is along its normal */
            CHECK_NEAR(lt_v3_dot(s.records[i].force, s.records[i].normal), 3, 1e-4);
            CHECK_NEAR(s.records[i].stick.x, 0.1, 1e-6);
        }
        s.colliders[sleeper].asleep = false;
    }
    s.colliders[0].asleep = s.colliders[1].asleep = true;
    s.records[0].credit = 0.02f;
    respond(1);
    CHECK_COUNT(s.penalty.coupling_count, 0);
    CHECK_NEAR(lt_v3_length(s.records[0].force), 3, 1e-4); /* as it was when they fell asleep */
    CHECK_NEAR(s.records[0].credit, 0.02, 1e-9);
    free_scene();
}

/* ---- credit ---- */

/* First seen 0.3 deep: what pushes grows by 1 cm in a step of 10 ms, whether the contact is found again or held. */
static void deep_contacts_are_released_at_one_metre_per_second(void) {
    for (int found_again = 0; found_again < 2; found_again++) {
        CHECK_FATAL(make_scene((fixture_options){0}));
        affine deep = translation(0.1, 0.7, 0.15);
        fixture_move(&s.bodies[1], move_affine, &deep);
        detect(false);
        float free_depth = 0.1f * (float)s.bodies[0].soft.mean_edge;
        uint32_t deep_count = 0;
        for (int step = 0; step < 40; step++) {
            respond(1);
            for (uint32_t i = 0; i < s.penalty.coupling_count; i++) {
                const lt_contact_record *r = &s.records[s.contact_of[i]];
                double released = (double)free_depth + (double)DT * step;
                deep_count += r->depth > 0.15f;
                CHECK_NEAR(s.couplings[i].depth, lt_min_d((double)r->depth, released), 1e-5);
            }
            if (found_again)
                detect(false);
            else
                hold();
        }
        CHECK(deep_count > 40);
        free_scene();
    }
}

static void shallow_contacts_need_no_credit(void) {
    CHECK_FATAL(make_scene((fixture_options){0}));
    detect(false);
    respond(1);
    for (uint32_t i = 0; i < s.penalty.coupling_count; i++)
        CHECK_NEAR(s.couplings[i].depth, s.records[s.contact_of[i]].depth, 0);
    free_scene();
}

/* ---- what comes back ---- */

static void obstacles_get_the_opposite(void) {
    CHECK_FATAL(make_scene((fixture_options){0}));
    detect(true);
    respond(1);
    s.floor.force = s.floor.torque = (lt_vec3){0, 0, 0};
    lt_vec3 force = {0, 0, 0}, torque = {0, 0, 0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < s.penalty.coupling_count; i++) {
        lt_coupling *c = &s.couplings[i];
        c->impulse = (lt_rvec3){(lt_real)0.01, (lt_real)0.02 * (lt_real)i, 0};
        c->stick = (lt_rvec3){0, 0, (lt_real)0.5};
        const lt_contact_record *r = &s.records[s.contact_of[i]];
        if (r->kind != LT_PAIR_OBSTACLE) continue;
        count++;
        lt_vec3 f = lt_v3_scale(lt_v3_from_r3(c->impulse), -1 / DT);
        force = lt_v3_add(force, f);
        torque = lt_v3_add(torque, lt_v3_cross(lt_v3_sub(r->position, s.floor.position), f));
    }
    lt_penalty_collect(&s.penalty, &s.floor);
    CHECK_COUNT(count, 9);
    CHECK_NEAR(lt_v3_distance(s.floor.force, force), 0, 1e-4);
    CHECK_NEAR(lt_v3_distance(s.floor.torque, torque), 0, 1e-3);
    for (uint32_t i = 0; i < s.penalty.coupling_count; i++) {
        const lt_contact_record *r = &s.records[s.contact_of[i]];
        CHECK_NEAR(r->force.y, 2.0 * i, 1e-3);
        CHECK_NEAR(r->stick.z, 0.5, 0);
    }
    free_scene();
}

/* ---- units ---- */

static void a_cut_changes_nothing(void) {
    CHECK_FATAL(make_scene((fixture_options){0}));
    detect(true);
    CHECK_COUNT(respond(1), (uint64_t)LT_RESPOND_UNITS * s.contacts.count);
    uint64_t expected = 0, hash;
    for (uint32_t grant = 1; grant < 1000; grant += 13) {
        for (uint32_t i = 0; i < s.contacts.count; i++)
            s.records[i].is_new = true;
        memset(s.couplings, 0, sizeof s.couplings);
        CHECK_COUNT(respond(grant), (uint64_t)LT_RESPOND_UNITS * s.contacts.count);
        hash = LT_HASH_SEED;
        for (uint32_t i = 0; i < s.penalty.coupling_count; i++) {
            const lt_coupling *c = &s.couplings[i];
            hash = lt_hash_bytes(hash, &c->a, sizeof c->a);
            hash = lt_hash_bytes(hash, &c->stiffness, sizeof c->stiffness);
            hash = lt_hash_bytes(hash, &c->depth, sizeof c->depth);
        }
        if (grant == 1) expected = hash;
        CHECK(hash == expected);
    }
    s.contacts.count = 0;
    lt_contacts_range(&s.contacts, &s.pairs);
    CHECK_COUNT(respond(1), 0);
    free_scene();
}

static void too_little_scratch_is_refused(void) {
    CHECK_FATAL(make_scene((fixture_options){0}));
    detect(true);
    lt_arena small = {0};
    lt_penalty p = {.contacts = &s.contacts, .colliders = s.colliders, .collider_count = 2};
    CHECK(!lt_penalty_begin(&p, &small));
    CHECK(lt_arena_reserve(&small, NULL, 64));
    CHECK(!lt_penalty_begin(&p, &small));
    lt_arena_free(&small);
    free_scene();
}

/* Two places that must not come nearer: as deep as they have, along the line between them wherever it has turned to, without
 * friction. Of an obstacle the distance counts, and there is friction. */
static void places_apart_must_not_come_nearer(void) {
    CHECK_FATAL(make_scene((fixture_options){0}));
    lt_touch touch = {.body = 0,
                      .point = LT_NONE,
                      .own = {0, {0.25f, 0.25f, 0.25f, 0.25f}},
                      .other = {3, {0.25f, 0.25f, 0.25f, 0.25f}},
                      .normal = {0, -1, 0},
                      .area = 0.01f,
                      .approximate = 1};
    const uint32_t *own = s.bodies[0].carrier.tets, *other = s.bodies[1].carrier.tets + 12;
    lt_anchor a = {.count = 4, .weights = {0.25f, 0.25f, 0.25f, 0.25f}}, b = a;
    memcpy(a.ids, own, 4 * sizeof *own);
    memcpy(b.ids, other, 4 * sizeof *other);
    touch.apart = (float)lt_d3_distance(gathered(&a, 0), gathered(&b, 1));
    lt_harvest_add(&s.harvest, &s.pair_items[0], 0, &touch);
    touch.other.tet = LT_NONE;
    touch.normal = (lt_vec3){0, 1, 0};
    touch.apart = lt_obstacle_distance(&s.floor, lt_v3_from_d3(gathered(&a, 0))).distance;
    lt_harvest_add(&s.harvest, &s.pair_items[1], 0, &touch);
    hold();
    s.harvest.count = 0;
    respond(1);
    CHECK_COUNT(s.penalty.coupling_count, 2);
    CHECK_NEAR((double)s.records[0].depth, 0, 2e-6);
    CHECK_NEAR((double)s.records[1].depth, 0, 2e-6);
    /* The first body rises by 2 cm and goes aside by 3. */
    for (uint32_t n = 0; n < s.bodies[0].carrier.node_count; n++)
        lt_node_add(s.bodies[0].soft.x, n, (lt_rvec3){(lt_real)0.03, (lt_real)0.02, 0}, 1);
    hold();
    respond(1);
    lt_dvec3 between = lt_d3_sub(gathered(&a, 0), gathered(&b, 1));
    CHECK_NEAR((double)s.records[0].depth, (double)s.records[0].touch.apart - lt_d3_length(between), 2e-6);
    CHECK_NEAR(lt_d3_dot(lt_d3_from_v3(s.records[0].normal), between), lt_d3_length(between), 2e-6);
    CHECK_NEAR((double)s.records[1].depth, -0.02, 2e-6);
    CHECK(s.couplings[0].friction == 0 && s.couplings[1].friction > 0);
    free_scene();
}

int main(void) {
    RUN(both_sides_act_on_one_line);
    RUN(depth_follows_both_bodies);
    RUN(what_leaves_and_returns_is_as_deep_as_before);
    RUN(depth_in_obstacles_is_live);
    RUN(contacts_share_the_stiffness);
    RUN(stiffness_is_that_of_the_row_sum);
    RUN(the_material_limits_explicit_contacts);
    RUN(contacts_between_pinned_nodes_are_skipped);
    RUN(sleepers_are_of_infinite_mass);
    RUN(deep_contacts_are_released_at_one_metre_per_second);
    RUN(shallow_contacts_need_no_credit);
    RUN(places_apart_must_not_come_nearer);
    RUN(obstacles_get_the_opposite);
    RUN(a_cut_changes_nothing);
    RUN(too_little_scratch_is_refused);
    return check_finish();
}
