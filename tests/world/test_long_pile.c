/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A million steps of a pile that is woken again and again: three cubes in a pit, one of them thrown up by turns. Nobody is lost or in another one,
 * nothing creeps in while they sleep, all come to rest again, and the last thousand throws are like the first.
 *
 * labels: slow heavy */

#include "world/fixture.h"

enum { CUBES = 3, A_THROW = 250, THROWS = 4000, A_TENTH = THROWS / 10 };

static const float SIDE = 0.2f;

/* Four walls about a square on which two cubes have room beside each other, and not three in a row. In a pit for one, all three were found at its
 * bottom, each inside the others: walls had pushed them there. */
static void add_pit(lt_world *world) {
    add_floor(world);
    for (int i = 0; i < 4; i++) {
        lt_obstacle_def def = lt_obstacle_def_default();
        float side = i & 1 ? 1 : -1;
        def.kind = LT_OBSTACLE_BOX;
        def.half_extents = i < 2 ? (lt_vec3){0.2f, 1, 0.6f} : (lt_vec3){0.6f, 1, 0.2f};
        def.position = i < 2 ? (lt_vec3){0.47f * side, 1, 0} : (lt_vec3){0, 1, 0.47f * side};
        add_obstacle_def(world, &def);
    }
}

typedef struct tally {
    uint32_t asleep; /* of bodies at the end of throws */
    uint64_t awake;  /* steps in which somebody was */
    double highest;  /* m, of a centre */
} tally;

static void count_step(tally *t, lt_world *world, const lt_body_id bodies[CUBES]) {
    bool awake = false;
    for (uint32_t i = 0; i < CUBES; i++) {
        awake = awake || !lt_body_is_asleep(world, bodies[i]);
        t->highest = fmax(t->highest, (double)lt_body_center(world, bodies[i]).y);
    }
    t->awake += awake;
}

static tally run_throws(lt_world *world, const lt_body_id bodies[CUBES], uint32_t from) {
    tally t = {0};
    for (uint32_t k = from; k < from + A_TENTH; k++) {
        lt_body_id body = bodies[k % CUBES];
        float weight = 9.81f * lt_body_mass(world, body);
        lt_body_wake(world, body);
        for (uint32_t step = 0; step < A_THROW; step++) {
            /* to 2 m/s and aside, in four steps */
            if (step < 4)
                lt_body_add_force(world, body,
                                  (lt_vec3){weight * (k & 1 ? 1 : -1), 4 * weight, 0.5f * weight});
            lt_report report = lt_world_step(world, STEP_DT, lt_budget_unlimited());
            if (report.blown_up || report.dropped) CHECK_FAIL_MESSAGE("throw %u, step %u: blown up", k, step);
            count_step(&t, world, bodies);
        }
        for (uint32_t i = 0; i < CUBES; i++) {
            lt_vec3 c = lt_body_center(world, bodies[i]);
            t.asleep += lt_body_is_asleep(world, bodies[i]);
            bool inside = c.y > 0.35f * SIDE && c.y < 4 * SIDE && fabsf(c.x) < 0.27f && fabsf(c.z) < 0.27f;
            check_count += 2;
            for (uint32_t j = 0; j < i; j++)
                if (lt_v3_distance(c, lt_body_center(world, bodies[j])) < 0.75f * SIDE)
                    CHECK_FAIL_MESSAGE("throw %u: cubes %u and %u are inside each other", k, j, i);
            if (!inside)
                CHECK_FAIL_MESSAGE("throw %u: cube %u is at %g, %g, %g", k, i, (double)c.x, (double)c.y,
                                   (double)c.z);
        }
    }
    CHECK(world_is_finite(world));
    return t;
}

static void a_pile_is_woken_for_a_million_steps(void) {
    lt_world_def def = test_world_def();
    def.diagnostics = false;
    lt_world *world = make_world(&def);
    lt_shape *shape = cube_shape((double)SIDE, 2);
    lt_body_id bodies[CUBES];
    lt_error error = {0};
    add_pit(world);
    for (uint32_t i = 0; i < CUBES; i++) {
        lt_body_def bd = lt_body_def_default();
        bd.shape = shape;
        bd.position = (lt_vec3){0, 0.11f + 0.22f * (float)i, 0.01f * (float)i};
        bodies[i] = lt_world_add_body(world, &bd, &error);
        CHECK_FATAL(bodies[i].index_plus_one != 0);
    }
    tally first = {0};
    for (uint32_t tenth = 0; tenth < 10; tenth++) {
        tally t = run_throws(world, bodies, tenth * A_TENTH);
        if (tenth == 0) first = t;
        printf("tenth %u: %.3f of steps awake, %.3f of bodies asleep behind throws, up to %.2f m\n",
               tenth + 1, (double)t.awake / (A_TENTH * A_THROW), (double)t.asleep / (A_TENTH * CUBES),
               t.highest);
        CHECK(t.asleep >= A_TENTH * CUBES * 9 / 10);
        CHECK_NEAR((double)t.awake, (double)first.awake, 0.2 * (double)first.awake);
        CHECK(t.highest < 1.2);
    }
    lt_shape_release(shape);
    lt_world_destroy(world);
}

int main(void) {
    RUN(a_pile_is_woken_for_a_million_steps);
    return check_finish();
}
