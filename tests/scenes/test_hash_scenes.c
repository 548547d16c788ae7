/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The generated scenes of tet-hash are what they are said to be, before the first step and some steps later,
 * whatever the method: counts, sizes, masses, who is held, who touches whom.
 *
 * labels: slow */

#include "running.h"

static float sideways(lt_vec3 from, lt_vec3 to) {
    return lt_max_f(fabsf(to.x - from.x), fabsf(to.z - from.z));
}

static void plates_rest_on_each_other_from_the_start(void) {
    running r;
    CHECK_FATAL(begin(&r, "plates"));
    CHECK_COUNT(r.scene.bodies.count, 20);
    CHECK(r.scene.dt == 1.0f / 60);
    lt_vec3 begun[20];
    float widest = 0.0f;
    for (uint32_t i = 0; i < 20; i++) {
        lt_box box = box_of(&r, i);
        begun[i] = lt_body_center(r.world.world, r.world.bodies[i]);
        widest = lt_max_f(widest, sideways((lt_vec3){0, 0, 0}, begun[i]));
        CHECK_COUNT(lt_body_node_count(r.world.world, r.world.bodies[i]), 6 * 6 * 2);
        CHECK_NEAR(box.hi.x - box.lo.x, 0.5, 1e-5);
        CHECK_NEAR(box.hi.y - box.lo.y, 0.05, 1e-5);
        CHECK_NEAR(lt_body_mass(r.world.world, r.world.bodies[i]), 6.25, 1e-3);
        if (i > 0) CHECK_NEAR(box.lo.y - box_of(&r, i - 1).hi.y, 0.0, 2e-4);
    }
    CHECK(widest > 0.015f && widest <= 0.03f); /* 0.3 of a cell of 0.1 m */
    run(&r, 60);
    lt_vec3 lowest = lt_body_center(r.world.world, r.world.bodies[0]);
    CHECK(lt_v3_distance(lowest, begun[0]) == 0.0f); /* held */
    for (uint32_t i = 1; i < 20; i++) {
        lt_vec3 now = lt_body_center(r.world.world, r.world.bodies[i]);
        CHECK(sideways(begun[i], now) < 0.01f); /* friction holds */
        CHECK(begun[i].y - now.y >= 0.0f && begun[i].y - now.y < 0.08f * begun[i].y);
        CHECK(now.y - lt_body_center(r.world.world, r.world.bodies[i - 1]).y > 0.04f);
    }
    CHECK(r.last.contacts >= 19 * 4);
    end(&r);
}

/* Blades of three segments: nodes 0, 1 and 2 of every ten are the root. */
static void shoe_bends_grass_and_stays_above_ground(void) {
    enum { BLADES = 400, NODES = 10 };
    static lt_vec3 before[BLADES * NODES], after[BLADES * NODES];
    running r;
    CHECK_FATAL(begin(&r, "grass"));
    CHECK_FATAL(lt_body_node_count(r.world.world, r.world.bodies[0]) == BLADES * NODES);
    lt_body_get_nodes(r.world.world, r.world.bodies[0], before, NULL);
    lt_box shoe = box_of(&r, 1);
    CHECK_NEAR(shoe.hi.x - shoe.lo.x, 0.3, 0.03); /* 0.3 m long, tilted a little */
    CHECK(shoe.lo.y > box_of(&r, 0).hi.y - 0.02f);
    run(&r, 40);
    lt_body_get_nodes(r.world.world, r.world.bodies[0], after, NULL);
    uint32_t moved_roots = 0, bent = 0;
    for (uint32_t i = 0; i < BLADES * NODES; i++) {
        float moved = lt_v3_distance(before[i], after[i]);
        moved_roots += i % NODES < 3 && moved > 0.0f;
        bent += i % NODES == NODES - 1 && moved > 0.01f;
    }
    CHECK_COUNT(moved_roots, 0);
    CHECK(bent > 20 && bent < BLADES); /* those under the shoe, not those around it */
    CHECK(count_contacts(&r, 0, 1) > 50);
    CHECK(box_of(&r, 1).lo.y > -0.02f);
    CHECK(box_of(&r, 1).lo.y < shoe.lo.y - 0.02f);
    end(&r);
}

static lt_vec3 total_momentum(const running *r) {
    lt_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < r->scene.bodies.count; i++)
        sum = lt_v3_add(sum, lt_body_momentum(r->world.world, r->world.bodies[i]));
    return sum;
}

static void heavy_ball_scatters_tori(void) {
    enum { BALL = 25 };
    running r;
    CHECK_FATAL(begin(&r, "tori"));
    CHECK_COUNT(r.scene.bodies.count, 26);
    CHECK(r.scene.dt == 0.01f);
    float torus = lt_body_mass(r.world.world, r.world.bodies[0]);
    float ball = lt_body_mass(r.world.world, r.world.bodies[BALL]);
    CHECK_NEAR(ball / torus, 10.0, 0.05);
    lt_vec3 momentum = total_momentum(&r);
    CHECK_NEAR(lt_v3_length(momentum) / ball, 10.0, 1e-3);
    for (uint32_t i = 0; i < BALL; i++) /* 0.6 m across, however it is turned */
        for (uint32_t k = 0; k < i; k++)
            CHECK(lt_v3_distance(lt_body_center(r.world.world, r.world.bodies[i]),
                                 lt_body_center(r.world.world, r.world.bodies[k])) > 0.6f);
    run(&r, 1);
    CHECK_COUNT(r.last.contacts, 0);
    run(&r, 49);
    uint32_t moving = 0;
    for (uint32_t i = 0; i < BALL; i++)
        moving += lt_v3_length(lt_body_momentum(r.world.world, r.world.bodies[i])) > 0.5f * torus;
    CHECK(moving >= 10);
    /* The mass damping of 0.1 / s takes 5 % in half a second; the rest is still there. */
    CHECK_NEAR(lt_v3_distance(total_momentum(&r), momentum) / lt_v3_length(momentum), 0.049, 0.003);
    end(&r);
}

int main(void) {
    RUN(plates_rest_on_each_other_from_the_start);
    RUN(shoe_bends_grass_and_stays_above_ground);
    RUN(heavy_ball_scatters_tori);
    return check_finish();
}
