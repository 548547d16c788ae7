/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Turns that take several steps, among each other: who waits for the turn of another grows older, and two bodies that are fast are
 * looked at in stages of their way, as far as which they go.
 *
 * labels: heavy */

#include "method/multiscale_work.h"
#include "method/multiscale_world.h"
#include "world/world.h"

static lt_shape *cube, *ball;

static lt_multi_method *method_of(const lt_world *world) {
    return world->method_state;
}

/* ---- who waits ---- */

static lt_world *make_stack(void) {
    lt_world_def def = multiscale_world_def();
    def.sleeping = false;
    lt_world *world = make_world(&def);
    for (uint32_t i = 0; i < 3; i++) {
        lt_body_def bd = lt_body_def_default();
        bd.shape = cube;
        bd.position = (lt_vec3){0.01f * (float)i, 0.1004f + 0.2008f * (float)i, 0.02f * (float)(i % 2)};
        bd.self_collision = false;
        bd.material.young = 1e5f;
        add_body_def(world, &bd);
    }
    add_floor(world);
    run(world, 4);
    return world;
}

/* Whether the long turn of another pair is under way that one of its bodies is in. */
static bool waits(const lt_world *world, const lt_pair *pair) {
    const lt_multi_body *all = method_of(world)->bodies;
    uint32_t bodies[2], count = lt_multi_pair_bodies(bodies, pair);
    if (!lt_multi_is_long(pair) || lt_multi_long_is_of(all[pair->a].others, pair)) return false;
    for (uint32_t i = 0; i < count; i++)
        if (all[bodies[i]].others->is_begun || all[bodies[i]].others->way.lent_to != LT_NONE) return true;
    return false;
}

enum { MOST_PAIRS = 16 };

typedef struct ages {
    uint32_t count, ages[MOST_PAIRS];
    bool waits[MOST_PAIRS];
} ages;

static ages ages_of(const lt_world *world) {
    const lt_pair_table *pairs = &method_of(world)->memory.pairs;
    ages a = {.count = pairs->count};
    CHECK(pairs->count <= MOST_PAIRS);
    for (uint32_t i = 0; i < pairs->count && i < MOST_PAIRS; i++) {
        a.ages[i] = lt_pair_turn_at(pairs, i)->age;
        a.waits[i] = waits(world, lt_worded_pair_at(pairs, i));
    }
    return a;
}

static void who_waits_for_another_grows_older(void) {
    uint32_t seen = 0, younger = 0;
    for (uint64_t units = 150000; units <= 300000; units += 25000) {
        lt_world *world = make_stack();
        for (int i = 0; i < 60; i++) {
            ages before = ages_of(world);
            lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
            ages after = ages_of(world);
            for (uint32_t k = 0; before.count == after.count && k < after.count; k++) {
                if (!before.waits[k] || !after.waits[k]) continue;
                seen++;
                younger += after.ages[k] <= before.ages[k];
            }
        }
        lt_world_destroy(world);
    }
    printf("%u times a pair waited for the turn of another, %u times it did not grow older\n", seen, younger);
    CHECK(seen > 20);
    CHECK_COUNT(younger, 0);
}

/* ---- stages ---- */

static lt_world *make_flying(float speed) {
    lt_world_def def = multiscale_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    def.sleeping = false;
    lt_world *world = make_world(&def);
    for (uint32_t i = 0; i < 2; i++) {
        lt_body_def bd = lt_body_def_default();
        bd.shape = ball;
        bd.position = (lt_vec3){i ? 0.13f : -0.13f, i ? 0.01f : 0, 0};
        bd.velocity = (lt_vec3){i ? -speed : speed, 0, 0};
        bd.self_collision = false;
        bd.material.young = 1e4f;
        add_body_def(world, &bd);
    }
    return world;
}

typedef struct flight {
    uint32_t stages, advanced, ended, crossed, contacts, held;
} flight;

static flight fly(float speed, uint64_t units) {
    lt_world *world = make_flying(speed);
    const lt_multi_long *own = method_of(world)->bodies[0].others;
    flight f = {0};
    for (int i = 0; i < 60; i++) {
        bool was_begun = own->is_begun;
        uint32_t left = own->stages_left;
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
        if (own->is_begun) f.stages = lt_max_u32(f.stages, own->stages);
        f.advanced += was_begun && own->stages_left < left;
        f.ended += was_begun && !own->is_begun && own->stages_left > 0;
        if (f.contacts == 0) /* until they touch */
            f.crossed += count_crossings(world, lt_world_body_at(world, 0), lt_world_body_at(world, 1)) > 0;
        f.contacts = lt_max_u32(f.contacts, (uint32_t)report.contacts);
        f.held = lt_max_u32(f.held, (uint32_t)report.held);
        CHECK(report.momentum_error <= 1e-6);
    }
    lt_world_destroy(world);
    return f;
}

/* Stages in which nothing is met follow each other, over steps; the turn ends with the first in which anything is. */
static void fast_bodies_are_looked_at_in_stages(void) {
    flight all = {0};
    for (uint64_t units = 200000; units <= 320000; units += 20000) {
        flight f = fly(2, units);
        printf("%llu units: %u stages, %u times to the next, %u turns ended before the last, contacts %u, %u "
               "steps crossed\n",
               (unsigned long long)units, f.stages, f.advanced, f.ended, f.contacts, f.crossed);
        CHECK(f.contacts > 0 || f.held > 0); /* what stands in may have stopped them before they touch */
        all.stages = lt_max_u32(all.stages, f.stages);
        all.advanced += f.advanced;
        all.ended += f.ended;
        all.crossed += f.crossed;
    }
    CHECK(all.stages > 4 && all.advanced > 6 && all.ended >= 2);
    CHECK_COUNT(all.crossed, 0);
}

int main(void) {
    cube = cube_with_boxes(0.2, 4);
    ball = ball_with_boxes(0.1, 5);
    RUN(who_waits_for_another_grows_older);
    RUN(fast_bodies_are_looked_at_in_stages);
    lt_shape_release(cube);
    lt_shape_release(ball);
    return check_finish();
}
