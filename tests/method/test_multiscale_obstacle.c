/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Method multiscale: obstacles that come fast. Starved, a body is held by its box and goes on with what comes after it; stopped by
 * the fail-safe it does, too. What goes through it all the same is told. */

#include "method/multiscale_world.h"
#include "world/world.h"

static lt_shape *cube; /* 0.2 m */

typedef struct stage {
    lt_world *world;
    lt_body_id body;
    lt_obstacle_id comer, wall;
    lt_vec3 place; /* of what comes */
} stage;

static lt_obstacle_def box_obstacle(float half, lt_vec3 position) {
    lt_obstacle_def def = lt_obstacle_def_default();
    def.kind = LT_OBSTACLE_BOX;
    def.half_extents = (lt_vec3){half, 0.5f, 0.5f};
    def.position = position;
    return def;
}

static lt_obstacle_def plate(float x) {
    return box_obstacle(0.01f, (lt_vec3){x, 0.01f, 0.02f});
}

static stage make_stage(const lt_obstacle_def *comer, lt_pending pending) {
    lt_world_def def = multiscale_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    def.multiscale.pending = pending;
    stage s = {.world = make_world(&def), .place = comer->position};
    s.body = add_body(s.world, cube, (lt_vec3){0, 0, 0});
    s.comer = add_obstacle_def(s.world, comer);
    return s;
}

static lt_report come_on(stage *s, float speed, lt_budget budget) {
    s->place.x += speed * STEP_DT;
    lt_world_move_obstacle(s->world, s->comer, s->place, (lt_quat){0, 0, 0, 1});
    return lt_world_step(s->world, STEP_DT, budget);
}

/* How deep the deepest vertex is in the obstacle, negative: outside. */
static float depth_in(const stage *s, lt_obstacle_id id) {
    const lt_obstacle *obstacle = lt_obstacle_record(s->world, id.index_plus_one - 1);
    lt_surface_view view = lt_body_surface(s->world, s->body);
    float deepest = -INFINITY;
    for (uint32_t i = 0; i < view.vertex_count; i++)
        deepest = lt_max_f(deepest, -lt_obstacle_distance(obstacle, view.positions[i]).distance);
    return deepest;
}

static const float SPEEDS[] = {0.5f, 2, 8, 20, 60}; /* m/s: up to a metre a step */

/* ---- starved ---- */

static void the_starved_go_on_with_what_comes(void) {
    lt_obstacle_def comers[3] = {plate(-0.8f), box_obstacle(0.3f, (lt_vec3){-0.8f, 0.01f, 0.02f}),
                                 lt_obstacle_def_default()};
    comers[2].kind = LT_OBSTACLE_SPHERE;
    comers[2].radius = 0.3f;
    comers[2].position = (lt_vec3){-0.8f, 0.01f, 0.02f};
    for (uint32_t i = 0; i < 3 * LT_COUNT_OF(SPEEDS); i++) {
        stage s = make_stage(&comers[i % 3], LT_PENDING_CLAMP);
        uint64_t held = 0, pending = 0;
        while (s.place.x < 1) {
            lt_report report = come_on(&s, SPEEDS[i / 3], lt_budget_collision_units(i % 2 ? 3000 : 0));
            held += report.held;
            pending += report.pending;
            CHECK(depth_in(&s, s.comer) < 0.01f);
            CHECK(lt_body_center(s.world, s.body).x > s.place.x || s.place.x < 0);
        }
        CHECK(held > 0 && pending > 0);
        lt_world_destroy(s.world);
    }
}

/* What comes goes through it rather than pushing it through the wall; and that is told. */
static void the_starved_are_not_pushed_through_a_wall(void) {
    for (uint32_t i = 0; i < LT_COUNT_OF(SPEEDS); i++) {
        lt_obstacle_def comer = plate(-0.3f), wall = box_obstacle(0.1f, (lt_vec3){0.25f, 0, 0});
        stage s = make_stage(&comer, LT_PENDING_CLAMP);
        s.wall = add_obstacle_def(s.world, &wall);
        while (s.place.x < 1) {
            lt_report report = come_on(&s, SPEEDS[i], lt_budget_collision_units(0));
            CHECK(depth_in(&s, s.wall) < 0.004f && lt_body_center(s.world, s.body).x < 0.15f);
            CHECK(report.pending > 0 || s.place.x < -0.1f || s.place.x > 0.2f);
        }
        lt_world_destroy(s.world);
    }
}

/* Nothing is moved by the policy penalty, but what passes takes it along. */
static void penalty_ends_the_approach(void) {
    lt_obstacle_def comer = plate(-0.8f);
    stage s = make_stage(&comer, LT_PENDING_PENALTY);
    while (s.place.x < 1)
        come_on(&s, 20, lt_budget_collision_units(0));
    CHECK(lt_body_momentum(s.world, s.body).x > 0.8f * 20 * lt_body_mass(s.world, s.body));
    lt_world_destroy(s.world);
}

/* ---- with all the budget ---- */

/* Between what comes and a wall there is no room in the end. */
static void who_is_squeezed_is_told_of(void) {
    for (uint32_t i = 0; i < LT_COUNT_OF(SPEEDS); i++) {
        lt_obstacle_def comer = plate(-0.3f), wall = box_obstacle(0.1f, (lt_vec3){0.25f, 0, 0});
        stage s = make_stage(&comer, LT_PENDING_CLAMP);
        s.wall = add_obstacle_def(s.world, &wall);
        bool passed = false;
        for (int step = 0; step < 80 && !passed; step++) {
            lt_report report = come_on(&s, SPEEDS[i], lt_budget_unlimited());
            bool told = report.tangled > 0 || report.pending > 0 || report.inverted > 0;
            passed = s.place.x > lt_body_center(s.world, s.body).x || depth_in(&s, s.comer) > 1e-3f;
            CHECK(depth_in(&s, s.wall) < 1e-3f);
            CHECK(told || !passed);
        }
        CHECK(passed);
        lt_world_destroy(s.world);
    }
}

/* A row of bodies that do not touch, hit so fast that answers end before all of them are apart: the fail-safe stops them, and
 * they go on with what hits them. */
static void who_is_stopped_goes_on_with_what_comes(void) {
    uint64_t stopped = 0;
    for (uint32_t i = 0; i < 6; i++) {
        lt_obstacle_def comer = plate(-0.3f);
        stage s = make_stage(&comer, LT_PENDING_CLAMP);
        for (uint32_t k = 1; k < 2 + i / 2; k++)
            add_body(s.world, cube,
                     (lt_vec3){0.22f * (float)k, 0.02f * (float)(k % 2), 0.03f * (float)(k % 3)});
        while (s.place.x < 0.9f) {
            lt_report report = come_on(&s, i % 2 ? 60 : 20, lt_budget_unlimited());
            stopped += report.fail_safe;
            CHECK_COUNT(report.tangled + report.pending, 0);
            CHECK(depth_in(&s, s.comer) <= 0);
            for (uint32_t k = 0; k < lt_world_body_count(s.world); k++) {
                lt_body_id body = lt_world_body_at(s.world, k);
                CHECK(lt_body_center(s.world, body).x > s.place.x);
                if (k > 0) CHECK_COUNT(count_crossings(s.world, lt_world_body_at(s.world, k - 1), body), 0);
            }
        }
        lt_world_destroy(s.world);
    }
    CHECK(stopped > 0);
}

/* Nobody takes a body that is pinned along. */
static void pins_stay(void) {
    lt_obstacle_def comer = plate(-0.3f);
    stage s = make_stage(&comer, LT_PENDING_CLAMP);
    lt_body_id pinned = add_body(s.world, cube, (lt_vec3){0.22f, 0, 0});
    lt_body_pin_box(s.world, pinned, (lt_vec3){-1, -1, -1}, (lt_vec3){1, 1, 1});
    uint64_t stopped = 0;
    bool passed = false;
    while (s.place.x < 0.5f) {
        lt_report report = come_on(&s, 20, lt_budget_unlimited());
        bool before = passed;
        passed = s.place.x > lt_body_center(s.world, s.body).x;
        stopped += report.fail_safe;
        CHECK_NEAR(lt_body_center(s.world, pinned).x, 0.22, 1e-6);
        CHECK_COUNT(count_crossings(s.world, s.body, pinned), 0);
        CHECK(report.tangled > 0 || passed == before);
    }
    CHECK(stopped > 0 && passed);
    lt_world_destroy(s.world);
}

int main(void) {
    cube = cube_with_boxes(0.2, 2);
    RUN(the_starved_go_on_with_what_comes);
    RUN(the_starved_are_not_pushed_through_a_wall);
    RUN(penalty_ends_the_approach);
    RUN(who_is_squeezed_is_told_of);
    RUN(who_is_stopped_goes_on_with_what_comes);
    RUN(pins_stay);
    lt_shape_release(cube);
    return check_finish();
}
