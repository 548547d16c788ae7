/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Mode paper of tet-hash in a world: forces that are held and extrapolated, at any budget, and what is kept of them. */

#include "method/failing_world.h"
#include "method/pile.h"
#include "respond/respond.h"
#include "world/world.h"

#include <stddef.h>

enum {
    HEADER_BYTES = 3 * sizeof(uint32_t)
}; /* of the method's state: count, step, latency; then histories */

static lt_shape *cube, *ball;

static lt_world_def paper_def(void) {
    lt_world_def def = test_world_def();
    def.method = LT_METHOD_TET_HASH;
    def.mode = LT_MODE_PAPER;
    return def;
}

/* Two cubes without gravity; the second comes down on the first, a little aside. */
typedef struct couple {
    lt_world *world;
    lt_body_id lower, upper;
} couple;

static couple make_couple(float gap, float speed) {
    lt_world_def def = paper_def();
    def.gravity = (lt_vec3){0, 0, 0};
    def.sleeping = false;
    def.diagnostics = true;
    couple c = {.world = make_world(&def)};
    lt_body_def bd = lt_body_def_default();
    bd.shape = cube;
    bd.material.mass_damping = 0;
    c.lower = add_body_def(c.world, &bd);
    bd.position = (lt_vec3){0.03f, 0.2f + gap, 0.04f};
    bd.velocity = (lt_vec3){0.1f, -speed, 0};
    c.upper = add_body_def(c.world, &bd);
    return c;
}

static lt_vec3 distance(const couple *c) {
    return lt_v3_sub(lt_body_center(c->world, c->upper), lt_body_center(c->world, c->lower));
}

/* Held forces are external forces to the models: the report's own error does not see what they lose. */
static lt_vec3 momentum(const couple *c) {
    return lt_v3_add(lt_body_momentum(c->world, c->upper), lt_body_momentum(c->world, c->lower));
}

static float force_sum(const lt_world *world, uint32_t *pushing) {
    uint32_t count;
    const lt_contact *contacts = lt_world_contacts(world, &count);
    float sum = 0;
    *pushing = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += lt_v3_length(contacts[i].force);
        *pushing += lt_v3_length(contacts[i].force) > 0;
    }
    return sum;
}

/* ---- forces ---- */

static void bodies_part_and_nothing_is_lost(void) {
    const uint64_t budgets[] = {0, 12000, 6000}; /* 0: no limit */
    const uint32_t steps[] = {40, 80, 220};      /* until they have parted */
    for (uint32_t i = 0; i < LT_COUNT_OF(budgets); i++) {
        couple c = make_couple(0.001f, 0.3f);
        uint32_t predicted = 0, pushing, most = 0;
        lt_vec3 begin = momentum(&c);
        for (uint32_t step = 0; step < steps[i]; step++) {
            lt_report report = lt_world_step(
                c.world, 0.002f, budgets[i] ? lt_budget_collision_units(budgets[i]) : lt_budget_unlimited());
            force_sum(c.world, &pushing);
            predicted += report.predicted > 0 && pushing > 0;
            most = lt_max_u32(most, pushing);
            CHECK(report.imbalance == 0 && report.momentum_error < 2e-5);
            CHECK(lt_v3_distance(momentum(&c), begin) < 2e-5f * lt_v3_length(begin));
            CHECK(report_is_consistent(c.world, &report) && unsound_contacts(c.world) == 0);
            CHECK_COUNT(report.allocations, 0);
            CHECK(world_is_finite(c.world));
        }
        CHECK(most >= 4);
        CHECK(budgets[i] ? predicted > 5 : predicted == 0);
        lt_vec3 apart = distance(&c);
        lt_world_step(c.world, 0.002f, lt_budget_unlimited());
        CHECK((distance(&c).y - apart.y) / 0.002f > 0.1f && apart.y > 0.18f);
        lt_world_destroy(c.world);
    }
}

/* In the first cycle a contact has no force before its depth is known, however many steps that takes. */
static void contacts_wait_for_their_depth(void) {
    couple c = make_couple(0.001f, 0.3f);
    uint32_t waited = 0, pushing = 0, contacts = 0;
    for (uint32_t step = 0; step < 60 && pushing == 0; step++) {
        lt_report report = lt_world_step(c.world, 0.002f, lt_budget_collision_units(6000));
        float sum = force_sum(c.world, &pushing);
        contacts = (uint32_t)report.contacts;
        waited += contacts > 0 && sum == 0;
        if (pushing) CHECK(report.exact + report.approximate > 0);
    }
    CHECK(waited > 0 && pushing > 0);
    lt_world_destroy(c.world);
}

/* ---- the cycle ---- */

enum { SMALL = 1700, HELD = 800 }; /* units: of a cycle that takes some steps; of the contacts beside it */

/* Points are looked at where they are in the step of their query: who has come out by then was never inside. */
static void cycles_look_at_now(void) {
    const float speeds[] = {0, -2};
    for (int i = 0; i < 2; i++) {
        couple c = make_couple(-0.005f, speeds[i]);
        uint64_t most = 0;
        for (int step = 0; step < 16; step++)
            most =
                lt_max_u64(most, lt_world_step(c.world, 0.002f, lt_budget_collision_units(SMALL)).contacts);
        CHECK(i ? most == 0 : most >= 8);
        lt_world_destroy(c.world);
    }
}

/* Who is not found again goes when all points have been asked, not when all depths are known. */
static void contacts_go_when_points_have_been_asked(void) {
    couple c = make_couple(-0.005f, 0);
    lt_vec3 nodes[64];
    uint32_t gone = 0, ended = 0;
    CHECK_COUNT(lt_world_step(c.world, 0.002f, lt_budget_unlimited()).contacts, 18);
    CHECK_FATAL(lt_body_node_count(c.world, c.upper) <= 64);
    lt_body_get_nodes(c.world, c.upper, nodes, NULL);
    /* Stood on its edge, a little inside the other: most points are out. */
    lt_vec3 center = lt_body_center(c.world, c.upper), still[64] = {{0, 0, 0}};
    for (uint32_t i = 0; i < 64; i++) {
        lt_vec3 p = lt_v3_scale(lt_v3_sub(nodes[i], center), sqrtf(0.5f));
        nodes[i] = (lt_vec3){0.05f + p.x - p.y, 0.22f + p.x + p.y, nodes[i].z};
    }
    CHECK(lt_body_set_nodes(c.world, c.upper, nodes, still, NULL) == LT_OK);
    for (uint32_t step = 1; step < 40 && !ended; step++) {
        lt_report report = lt_world_step(c.world, 0.002f, lt_budget_collision_units(HELD + SMALL));
        if (!gone && report.contacts < 18) gone = step;
        if (report.pending == 0) ended = step;
    }
    CHECK(gone > 1 && ended > gone);
    lt_world_destroy(c.world);
}

/* ---- state ---- */

static lt_world *make_paper_pile(void) {
    pile p = pile_of(cube, ball);
    return make_pile(paper_def(), &p);
}

/* The method's state begins with the size of what all methods keep, age, latency, two counts of units, the step and how many
 * histories there are; these are at its end. */
enum { COUNT_AT = 8 * sizeof(uint32_t) };

static uint32_t history_count(const uint8_t *method) {
    uint32_t count;
    memcpy(&count, method + COUNT_AT, sizeof count);
    return count;
}

/* Cycles that are through: those under way begin anew. */
static void snapshots_repeat_the_future(void) {
    lt_world *world = make_paper_pile(), *twin = make_paper_pile();
    run(world, 8);
    saved s = save_world(world);
    uint64_t now = lt_world_hash(world);
    run(world, 5);
    CHECK(load_world(twin, &s) == LT_OK && lt_world_hash(twin) == now);
    run(twin, 5);
    CHECK(lt_world_hash(twin) == lt_world_hash(world));
    drop_saved(&s);
    lt_world_destroy(world);
    lt_world_destroy(twin);
}

static void histories_are_part_of_the_state(void) {
    lt_world *world = make_paper_pile();
    run(world, 8);
    saved s = save_world(world);
    uint64_t hash = lt_world_hash(world);
    uint8_t *method = s.bytes + s.size - world->method->state_size(world->method_state);
    uint32_t count = history_count(method), known = LT_NONE;
    CHECK_FATAL(count > 20);
    lt_force_history good, bad;
    uint8_t *items = s.bytes + s.size - count * sizeof good;
    for (uint32_t i = 0; i < count && known == LT_NONE; i++) {
        memcpy(&good, items + i * sizeof good, sizeof good);
        if (good.count == 2) known = i;
    }
    CHECK_FATAL(known != LT_NONE);
    uint8_t *place = items + known * sizeof good;
    bad = good;
    bad.forces[1].y += 1;
    memcpy(place, &bad, sizeof bad);
    CHECK(load_world(world, &s) == LT_OK && lt_world_hash(world) != hash);
    memcpy(place, &good, sizeof good);
    CHECK(load_world(world, &s) == LT_OK && lt_world_hash(world) == hash);
    const struct {
        size_t at;
        float value;
    } wrong[] = {{offsetof(lt_force_history, forces[0].x), NAN},
                 {offsetof(lt_force_history, forces[1].z), INFINITY},
                 {offsetof(lt_force_history, forces[1].y), 3e38f},
                 {offsetof(lt_force_history, stamps[0]), 1e30f},
                 {offsetof(lt_force_history, stamps[1]), 1e30f},
                 {offsetof(lt_force_history, count), 1},
                 {offsetof(lt_force_history, a), 1e30f}};
    for (uint32_t i = 0; i < LT_COUNT_OF(wrong); i++) {
        memcpy(place + wrong[i].at, &wrong[i].value, sizeof wrong[i].value);
        if (lt_world_restore(world, s.bytes, s.size, NULL) == LT_OK)
            CHECK_FAIL_MESSAGE("value %u of a history is taken", i);
        memcpy(place, &good, sizeof good);
        CHECK(lt_world_hash(world) == hash);
    }
    count = UINT32_MAX;
    memcpy(method + COUNT_AT, &count, sizeof count);
    CHECK(lt_world_restore(world, s.bytes, s.size, NULL) != LT_OK);
    drop_saved(&s);
    lt_world_destroy(world);
}

/* Most exact forces that are known of a contact of the body in a slot with another. */
static uint32_t most_known(const lt_world *world, uint32_t slot) {
    static uint8_t bytes[1 << 20];
    uint32_t most = 0;
    size_t size = world->method->state_size(world->method_state);
    if (!(size <= sizeof bytes)) return LT_NONE;
    world->method->save(world->method_state, bytes);
    for (uint32_t i = 0; i < history_count(bytes); i++) {
        lt_force_history h;
        memcpy(&h, bytes + size - (i + 1) * sizeof h, sizeof h);
        if (h.kind == LT_PAIR_BODIES && (h.a == slot || h.b == slot)) most = lt_max_u32(most, h.count);
    }
    return most;
}

/* What a body was pushed with is forgotten with it, and when it is put elsewhere. */
static void bodies_come_and_go(void) {
    lt_world *world = make_paper_pile();
    run(world, 8);
    CHECK_COUNT(most_known(world, 1), 2);
    lt_world_remove_body(world, lt_world_body_at(world, 1));
    lt_body_id again = add_body(world, cube, (lt_vec3){0.02f, 0.293f, 0.01f});
    run(world, 1);
    CHECK_COUNT(most_known(world, 1), 1);
    CHECK_COUNT(most_known(world, 0), 2); /* it lies beside another, too */
    run(world, 1);
    CHECK_COUNT(most_known(world, 1), 2);
    lt_vec3 nodes[64];
    CHECK_FATAL(lt_body_node_count(world, again) <= 64);
    lt_body_get_nodes(world, again, nodes, NULL);
    CHECK(lt_body_set_nodes(world, again, nodes, NULL, NULL) == LT_OK);
    CHECK_COUNT(most_known(world, 1), 0);
    for (int i = 0; i < 10; i++) {
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(i % 2 ? 4000 : 20000));
        CHECK(report_is_consistent(world, &report) && unsound_contacts(world) == 0 && world_is_finite(world));
    }
    lt_world_destroy(world);
}

static void memory_may_run_out_anywhere(void) {
    lt_world_def def = paper_def();
    def.contact_capacity = 64;
    def.pair_capacity = 8;
    check_memory_may_run_out(def, cube);
}

int main(void) {
    cube = cube_shape(0.2, 3);
    ball = ball_shape(0.12, 1);
    RUN(bodies_part_and_nothing_is_lost);
    RUN(contacts_wait_for_their_depth);
    RUN(cycles_look_at_now);
    RUN(contacts_go_when_points_have_been_asked);
    RUN(snapshots_repeat_the_future);
    RUN(histories_are_part_of_the_state);
    RUN(bodies_come_and_go);
    RUN(memory_may_run_out_anywhere);
    lt_shape_release(cube);
    lt_shape_release(ball);
    return check_finish();
}
