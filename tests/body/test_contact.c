/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Couplings: contacts and tethers between two bodies of any models, and against things of infinite mass. The tests
 * make the contacts as a method would: depth and normal at the beginning of the step, friction's spring carried over. */

#include "body/soft_fixture.h"

static const double GRAVITY = 9.81;

static lt_anchor anchor_at_node(uint32_t node) {
    return (lt_anchor){.ids = {node}, .weights = {1}, .count = 1};
}

/* Stiffness and damping for a contact of the spec's law, from the scale its bodies allow; `sharers` points share a
 * body's mass about equally. */
static void give_stiffness(const stage *s, lt_coupling *c, double sharers) {
    const lt_soft *a = &s->bodies[c->body_a];
    lt_contact_scale scale = lt_soft_contact_scale(a, s->dt);
    lt_real w = lt_anchor_inverse_mass(&c->a, a);
    if (c->body_b != LT_NONE) {
        lt_contact_scale other = lt_soft_contact_scale(&s->bodies[c->body_b], s->dt);
        if (other.s < scale.s) scale = other;
        if (other.s <= scale.s && other.dt < scale.dt) scale.dt = other.dt;
        w += lt_anchor_inverse_mass(&c->b, &s->bodies[c->body_b]);
    }
    w *= (lt_real)sharers;
    c->stiffness = scale.s * scale.s / (scale.dt * scale.dt * w);
    c->damping = 2 * (lt_real)0.2 * lt_sqrt_r(c->stiffness / w);
}

/* ---- a pair in space ---- */

/* The corner tets of two cubes hang together: a point inside each, at the same place, pressed and rubbed. */
typedef struct pair_worst {
    double linear, angular, pull, cone;
    double impulse; /* all that was exchanged, N s */
} pair_worst;

/* The origin of the lower one: what relates the two goes by the difference of their origins. */
static pair_worst run_pair_in_frames(lt_model first, lt_model second, lt_coupling_kind kind, double friction,
                                     const double origin[3]) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    lt_soft_def def = plain_def(first);
    def.angular_velocity = (lt_vec3){0.5f, 1, -1};
    def.velocity = (lt_vec3){0, 0, -1};
    def.position = (lt_dvec3){0, 0, 0.3};
    uint32_t top = stage_add_cube(&s, 0.3, 2, &def);
    def.model = second;
    def.velocity = (lt_vec3){0.5f, 0.2f, 0};
    def.angular_velocity = (lt_vec3){0, 0, 2};
    def.position = (lt_dvec3){0, 0, 0};
    uint32_t bottom = stage_add_cube(&s, 0.3, 2, &def);
    lt_soft_rebase(&s.bodies[bottom], origin);
    for (int k = 0; k < 9; k++) /* the 9 nodes of the bottom face of one, the top face of the other */
        s.couplings[s.coupling_count++] = (lt_coupling){.kind = kind,
                                                        .body_a = top,
                                                        .body_b = bottom,
                                                        .a = anchor_at_node((uint32_t)k),
                                                        .b = anchor_at_node((uint32_t)(18 + k)),
                                                        .normal = {0, 0, 1},
                                                        .friction = (lt_real)friction};
    momenta before = stage_momenta(&s);
    pair_worst worst = {0};
    for (int step = 0; step < 60; step++) {
        for (int i = 0; i < 2; i++)
            lt_soft_plan(&s.bodies[i], s.dt);
        for (uint32_t i = 0; i < s.coupling_count; i++) {
            lt_coupling *c = &s.couplings[i];
            give_stiffness(&s, c, 4);
            lt_rvec3 place = lt_anchor_gather(&c->b, s.bodies[bottom].x);
            lt_rvec3 apart = lt_r3_sub(lt_anchor_gather(&c->a, s.bodies[top].x),
                                       lt_soft_seen_from(&s.bodies[top], &s.bodies[bottom], place));
            c->depth = -apart.z;
            c->offset = apart;
        }
        stage_step(&s);
        for (uint32_t i = 0; i < s.coupling_count; i++) {
            const lt_coupling *c = &s.couplings[i];
            double push = (double)lt_r3_dot(c->impulse, c->normal);
            lt_rvec3 across = lt_r3_mad(c->impulse, c->normal, -(lt_real)push);
            worst.impulse += (double)lt_r3_length(c->impulse);
            worst.pull = lt_max_d(worst.pull, -push);
            worst.cone = lt_max_d(worst.cone, (double)lt_r3_length(across) - friction * push);
        }
        momenta now = stage_momenta(&s);
        double linear = lt_d3_distance(now.linear, before.linear) / before.linear_scale;
        double angular = lt_d3_distance(now.angular, before.angular) / before.angular_scale;
        worst.linear = lt_max_d(worst.linear, linear);
        worst.angular = lt_max_d(worst.angular, angular);
    }
    CHECK(soft_is_finite(&s.bodies[0]) && soft_is_finite(&s.bodies[1]));
    CHECK(!s.bodies[0].blown_up && !s.bodies[1].blown_up);
    stage_free(&s);
    return worst;
}

static pair_worst run_pair(lt_model first, lt_model second, lt_coupling_kind kind, double friction) {
    const double origin[3] = {0, 0, 0};
    return run_pair_in_frames(first, second, kind, friction, origin);
}

/* Arms and moments would be metres off. */
static void action_is_reaction_between_frames(void) {
    const double origin[3] = {-1.25, 0.5, 2};
    for (int i = 0; i < 8; i++) {
        lt_model first = BOTH_MODELS[i % 2], second = BOTH_MODELS[i / 2 % 2];
        lt_coupling_kind kind = i < 4 ? LT_COUPLING_CONTACT : LT_COUPLING_TETHER;
        pair_worst one = run_pair(first, second, kind, 0.5),
                   two = run_pair_in_frames(first, second, kind, 0.5, origin);
        CHECK_NEAR(two.linear, 0, by_build(1e-6, 1e-12));
        CHECK_NEAR(two.angular, 0, by_build(2e-6, 1e-12));
        /* Solves end at a tolerance, by a last bit an iteration earlier or later. */
        CHECK_NEAR(two.impulse / one.impulse, 1, by_build(0.02, 0.002));
    }
}

static void action_is_reaction(void) {
    for (int i = 0; i < 8; i++) {
        lt_model first = BOTH_MODELS[i % 2], second = BOTH_MODELS[i / 2 % 2];
        lt_coupling_kind kind = i < 4 ? LT_COUPLING_CONTACT : LT_COUPLING_TETHER;
        pair_worst worst = run_pair(first, second, kind, 0.5);
        printf("%s on %s, %s: momentum off by %.2g, angular by %.2g, %.3g N s exchanged\n", model_word(first),
               model_word(second), kind == LT_COUPLING_CONTACT ? "contact" : "tether", worst.linear,
               worst.angular, worst.impulse);
        CHECK(worst.impulse > 1);
        CHECK_NEAR(worst.linear, 0, by_build(1e-6, 1e-12));
        CHECK_NEAR(worst.angular, 0, by_build(1e-6, 1e-12));
        if (kind == LT_COUPLING_TETHER) continue;
        CHECK_NEAR(worst.pull, 0, 1e-9);
        CHECK_NEAR(worst.cone, 0, by_build(1e-6, 1e-12));
    }
}

/* One cube on another whose foot is pinned, contacts as stiff as both allow. A spring between the models is the hard
 * one: its implicit side answers a step late. */
static void a_cube_rests_on_a_cube_of_any_model(void) {
    for (int i = 0; i < 4; i++) {
        stage s = stage_make((lt_rvec3){0, 0, (lt_real)-GRAVITY}, 1 / 60.0);
        lt_soft_def def = plain_def(BOTH_MODELS[i % 2]);
        def.material =
            (lt_material){.young = 4e6f, .poisson = 0.3f, .density = 1000, .stiffness_damping = 0.002f};
        uint32_t bottom = stage_add_cube(&s, 0.3, 1, &def);
        def.model = BOTH_MODELS[i / 2];
        def.position.z = 0.3;
        uint32_t top = stage_add_cube(&s, 0.3, 1, &def);
        for (uint32_t node = 0; node < 4; node++) {
            lt_soft *soft = &s.bodies[bottom];
            soft->pinned[node] = 1;
            soft->pin_count++;
            lt_node_set(soft->pin_target, node, lt_node_get(soft->x, node));
            s.couplings[s.coupling_count++] = (lt_coupling){.kind = LT_COUPLING_CONTACT,
                                                            .body_a = top,
                                                            .body_b = bottom,
                                                            .a = anchor_at_node(node),
                                                            .b = anchor_at_node(4 + node),
                                                            .normal = {0, 0, 1},
                                                            .friction = (lt_real)0.3};
        }
        double most = 0, least = INFINITY, speed = 0;
        for (int step = 0; step < 120; step++) {
            for (int k = 0; k < 2; k++)
                lt_soft_plan(&s.bodies[k], s.dt);
            double push = 0;
            for (uint32_t k = 0; k < s.coupling_count; k++) {
                lt_coupling *c = &s.couplings[k];
                give_stiffness(&s, c, 1);
                c->depth = lt_anchor_gather(&c->b, s.bodies[bottom].x).z -
                           lt_anchor_gather(&c->a, s.bodies[top].x).z;
            }
            stage_step(&s);
            for (uint32_t k = 0; k < s.coupling_count; k++)
                push += (double)(s.couplings[k].impulse.z / s.dt);
            if (step < 90) continue;
            most = lt_max_d(most, push);
            least = lt_min_d(least, push);
            speed = lt_max_d(speed, (double)lt_soft_speed(&s.bodies[top]));
        }
        double weight = 27 * GRAVITY;
        printf("%s on %s: pushed with %.4g to %.4g N of %.4g, %.2g m/s\n", model_word(s.bodies[top].model),
               model_word(s.bodies[bottom].model), least, most, weight, speed);
        CHECK_NEAR(least / weight, 1, 0.05);
        CHECK_NEAR(most / weight, 1, 0.05);
        CHECK(speed < 0.02);
        stage_free(&s);
    }
}

/* ---- resting and sliding on a plane ---- */

typedef struct slope_result {
    double force_along, force_normal; /* on the body at the end, N, mean over the last steps */
    double speed, creep;              /* m/s along the slope; m moved in the last second */
    double acceleration;              /* along the slope over the whole time */
    double depth;                     /* deepest node */
} slope_result;

static uint32_t touch_plane(stage *s, double friction, uint32_t body) {
    const lt_soft *soft = &s->bodies[body];
    uint32_t touching = 0;
    for (uint32_t i = 0; i < s->coupling_count; i++) {
        lt_coupling *c = &s->couplings[i];
        c->depth = -lt_anchor_gather(&c->a, soft->x).z;
        c->friction = (lt_real)friction;
        give_stiffness(s, c, 1);
        touching += c->depth > 0;
    }
    return touching;
}

/* A flat block on a plane z = 0 in tilted gravity, held by contacts at its lower nodes. */
static slope_result run_slope(lt_model model, double angle, double friction, int steps) {
    lt_rvec3 g = {(lt_real)(GRAVITY * sin(angle)), 0, (lt_real)(-GRAVITY * cos(angle))};
    stage s = stage_make(g, 1 / 60.0);
    lt_soft_def def = plain_def(model);
    def.material.young = 3e5f;
    def.material.stiffness_damping = 0.001f;
    uint32_t body = stage_add_block(&s, (lt_dvec3){0.4, 0.4, 0.1}, (const uint32_t[3]){2, 2, 1}, &def);
    lt_soft *soft = &s.bodies[body];
    for (uint32_t node = 0; node < 9; node++)
        s.couplings[s.coupling_count++] = (lt_coupling){.kind = LT_COUPLING_CONTACT,
                                                        .body_a = body,
                                                        .body_b = LT_NONE,
                                                        .a = anchor_at_node(node),
                                                        .normal = {0, 0, 1}};
    slope_result result = {0};
    double from = (double)lt_soft_center(soft).x, late = 0;
    for (int step = 0; step < steps; step++) {
        lt_soft_plan(soft, s.dt);
        touch_plane(&s, friction, body);
        stage_step(&s);
        if (step == steps - 61) late = (double)lt_soft_center(soft).x;
        for (uint32_t i = 0; i < s.coupling_count && step >= steps - 60; i++) {
            result.force_along += (double)(s.couplings[i].impulse.x / s.dt) / 60;
            result.force_normal += (double)(s.couplings[i].impulse.z / s.dt) / 60;
        }
    }
    for (uint32_t i = 0; i < s.coupling_count; i++)
        result.depth = lt_max_d(result.depth, -(double)lt_anchor_gather(&s.couplings[i].a, soft->x).z);
    double time = steps * (double)s.dt, to = (double)lt_soft_center(soft).x;
    result.speed = (double)lt_soft_momentum(soft).x / (double)soft->total_mass;
    result.creep = to - late;
    result.acceleration = 2 * (to - from) / (time * time);
    CHECK(!soft->blown_up);
    stage_free(&s);
    return result;
}

static void a_block_rests_with_its_weight(void) {
    const double weight = 0.4 * 0.4 * 0.1 * 1000 * GRAVITY;
    for (int m = 0; m < 2; m++) {
        slope_result r = run_slope(BOTH_MODELS[m], 0, 0.3, 180);
        printf("%s at rest: %.6g N of %.6g, depth %.2g m, speed %.2g\n", model_word(BOTH_MODELS[m]),
               r.force_normal, weight, r.depth, r.speed);
        CHECK_NEAR(r.force_normal, weight, 1e-3 * weight);
        CHECK_NEAR(r.force_along, 0, 1e-4 * weight);
        CHECK_NEAR(r.creep, 0, 1e-6);
        CHECK(r.depth > 0 && r.depth < 0.01);
    }
}

static void below_the_cone_nothing_creeps(void) {
    const double angle = 0.2, friction = 0.3; /* tan 0.2 = 0.203 */
    const double weight = 0.4 * 0.4 * 0.1 * 1000 * GRAVITY;
    for (int m = 0; m < 2; m++) {
        slope_result r = run_slope(BOTH_MODELS[m], angle, friction, 180);
        printf("%s on a slope: creeps %.2g m in a second, %.2g m/s\n", model_word(BOTH_MODELS[m]), r.creep,
               r.speed);
        CHECK_NEAR(r.creep, 0, 1e-5);
        CHECK_NEAR(r.force_along, -weight * sin(angle), 2e-3 * weight);
    }
}

static void above_the_cone_it_slides_as_coulomb_says(void) {
    const double angle = 0.5, friction = 0.3; /* tan 0.5 = 0.546 */
    for (int m = 0; m < 2; m++) {
        slope_result r = run_slope(BOTH_MODELS[m], angle, friction, 60);
        double expected = GRAVITY * (sin(angle) - friction * cos(angle));
        printf("%s sliding: %.4g m/s2, %.4g expected\n", model_word(BOTH_MODELS[m]), r.acceleration,
               expected);
        CHECK_NEAR(r.acceleration, expected, 0.02 * expected);
        CHECK_NEAR(r.speed, expected, 0.02 * expected);
    }
}

static void without_friction_it_slides_freely(void) {
    for (int m = 0; m < 2; m++) {
        slope_result r = run_slope(BOTH_MODELS[m], 0.3, 0, 60);
        CHECK_NEAR(r.speed, GRAVITY * sin(0.3), 1e-3);
        CHECK_NEAR(r.force_along, 0, 1e-9);
    }
}

/* A conveyor: the partner of infinite mass moves, and friction takes the block along. */
static void a_moving_partner_takes_the_body_along(void) {
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, (lt_real)-GRAVITY}, 1 / 60.0);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        def.material.young = 3e5f;
        def.material.stiffness_damping = 0.001f;
        uint32_t body = stage_add_block(&s, (lt_dvec3){0.4, 0.4, 0.1}, (const uint32_t[3]){2, 2, 1}, &def);
        for (uint32_t node = 0; node < 9; node++)
            s.couplings[s.coupling_count++] = (lt_coupling){.kind = LT_COUPLING_CONTACT,
                                                            .body_a = body,
                                                            .body_b = LT_NONE,
                                                            .a = anchor_at_node(node),
                                                            .normal = {0, 0, 1},
                                                            .partner_velocity = {0, (lt_real)0.5, 0}};
        for (int step = 0; step < 90; step++) {
            lt_soft_plan(&s.bodies[body], s.dt);
            touch_plane(&s, 0.3, body);
            stage_step(&s);
        }
        lt_rvec3 p = lt_soft_momentum(&s.bodies[body]);
        CHECK_NEAR(p.y / s.bodies[body].total_mass, 0.5, 2e-3);
        CHECK_NEAR(p.x / s.bodies[body].total_mass, 0, 1e-3);
        stage_free(&s);
    }
}

/* Flying off a plane that some nodes still touch: no node is held back, so nothing is deformed. */
static void a_contact_that_is_left_does_not_pull(void) {
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        def.velocity = (lt_vec3){0.5f, 0, 1};
        def.position = (lt_dvec3){0, 0, -1e-6};
        uint32_t body = stage_add_cube(&s, 0.3, 2, &def);
        for (uint32_t node = 0; node < 9; node += 2)
            s.couplings[s.coupling_count++] = (lt_coupling){.kind = LT_COUPLING_CONTACT,
                                                            .body_a = body,
                                                            .body_b = LT_NONE,
                                                            .a = anchor_at_node(node),
                                                            .normal = {0, 0, 1}};
        touch_plane(&s, 0.3, body);
        stage_step(&s);
        for (uint32_t node = 0; node < s.bodies[body].carrier.node_count; node++)
            CHECK_NEAR(lt_node_get(s.bodies[body].v, node).z, 1, 2e-3);
        stage_free(&s);
    }
}

/* ---- tethers ---- */

/* A handle at the middle of the top of a block in gravity, targets fixed: it hangs F/k below. */
static void a_handle_gives_way_by_force_over_stiffness(void) {
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, (lt_real)-GRAVITY}, 1 / 60.0);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        def.material.young = 1e5f;
        def.material.mass_damping = 3;
        def.material.stiffness_damping = 0.002f;
        uint32_t body = stage_add_cube(&s, 0.2, 2, &def);
        lt_soft *soft = &s.bodies[body];
        lt_coupling *c = &s.couplings[s.coupling_count++];
        *c = (lt_coupling){.kind = LT_COUPLING_TETHER, .body_a = body, .body_b = LT_NONE, .stiffness = 500};
        c->a = (lt_anchor){
            .ids = {22, 18, 26}, .weights = {(lt_real)0.5, (lt_real)0.25, (lt_real)0.25}, .count = 3};
        c->damping = 5;
        lt_rvec3 target = lt_anchor_gather(&c->a, soft->x);
        for (int step = 0; step < 300; step++) {
            c->offset = lt_r3_sub(lt_anchor_gather(&c->a, soft->x), target);
            stage_step(&s);
        }
        lt_rvec3 offset = lt_r3_sub(lt_anchor_gather(&c->a, soft->x), target);
        double weight = 8 * GRAVITY;
        CHECK_NEAR(offset.z, -weight / 500, 1e-3 * weight / 500);
        CHECK_NEAR(offset.x, 0, 1e-4);
        CHECK_NEAR(c->impulse.z / s.dt, weight, 1e-3 * weight);
        stage_free(&s);
    }
}

/* A handle drawn along at constant speed: the body follows, no force remains. */
static void a_drawn_handle_is_followed(void) {
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        uint32_t body = stage_add_cube(&s, 0.2, 2, &def);
        lt_soft *soft = &s.bodies[body];
        lt_coupling *c = &s.couplings[s.coupling_count++];
        *c = (lt_coupling){.kind = LT_COUPLING_TETHER, .body_a = body, .body_b = LT_NONE, .stiffness = 200};
        c->a = (lt_anchor){.ids = {13}, .weights = {1}, .count = 1}; /* the centre: no torque */
        c->damping = 60;
        c->partner_velocity = (lt_rvec3){(lt_real)0.3, 0, 0};
        lt_rvec3 target = lt_anchor_gather(&c->a, soft->x);
        for (int step = 0; step < 200; step++) {
            c->offset = lt_r3_sub(lt_anchor_gather(&c->a, soft->x), target);
            stage_step(&s);
            target = lt_r3_mad(target, c->partner_velocity, s.dt);
        }
        CHECK_NEAR(lt_soft_momentum(soft).x / soft->total_mass, 0.3, 1e-3);
        CHECK_NEAR(lt_anchor_gather(&c->a, soft->x).x - target.x, 0, 1e-3);
        stage_free(&s);
    }
}

/* ---- verbs ---- */

static void pinned_nodes_have_no_inverse_mass(void) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 0.01);
    lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
    lt_soft *soft = &s.bodies[stage_add_cube(&s, 1, 1, &def)];
    soft->pinned[3] = 1;
    lt_anchor anchor = {.ids = {1, 3}, .weights = {(lt_real)0.75, (lt_real)0.25}, .count = 2};
    double m1 = (double)soft->mass[1];
    CHECK_NEAR(lt_anchor_inverse_mass(&anchor, soft), 0.5625 / m1, 1e-6 / m1);
    stage_free(&s);
}

int main(void) {
    RUN(action_is_reaction);
    RUN(action_is_reaction_between_frames);
    RUN(a_cube_rests_on_a_cube_of_any_model);
    RUN(a_block_rests_with_its_weight);
    RUN(below_the_cone_nothing_creeps);
    RUN(above_the_cone_it_slides_as_coulomb_says);
    RUN(without_friction_it_slides_freely);
    RUN(a_moving_partner_takes_the_body_along);
    RUN(a_contact_that_is_left_does_not_pull);
    RUN(a_handle_gives_way_by_force_over_stiffness);
    RUN(a_drawn_handle_is_followed);
    RUN(pinned_nodes_have_no_inverse_mass);
    return check_finish();
}
