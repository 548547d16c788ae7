/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The method cell-box with too little: nothing passes through, whatever the budget; nobody waits longer than a round takes;
 * energy stays, momentum is kept, nothing is allocated.
 *
 * labels: heavy */

#include "method/lattice_world.h"
#include "method/starving.h"

static lt_shape *cube, *ball;

/* ---- nothing passes through ---- */

/* Cubes are 0.2 m wide: centres a good deal nearer to each other, or to the floor, are in each other. */
static void check_apart(lt_world *world, uint64_t units) {
    float nearest = INFINITY, lowest = INFINITY;
    uint32_t count = lt_world_body_count(world);
    for (uint32_t i = 0; i < count; i++) {
        lt_vec3 a = lt_body_center(world, lt_world_body_at(world, i));
        lowest = lt_min_f(lowest, a.y);
        for (uint32_t k = 0; k < i; k++)
            nearest = lt_min_f(nearest, lt_v3_distance(a, lt_body_center(world, lt_world_body_at(world, k))));
    }
    check_count++;
    if (nearest < 0.12f || lowest < 0.04f)
        CHECK_FAIL_MESSAGE("%llu units: centres %g m apart, %g m above the floor", (unsigned long long)units,
                           (double)nearest, (double)lowest);
}

static void stack_on(uint64_t units, lt_model model) {
    lt_world_def def = lattice_world_def();
    lt_world *world = make_world(&def);
    add_floor(world);
    for (int i = 0; i < 2; i++) {
        lt_body_def bd = lattice_body_def(cube, (lt_vec3){0.02f * (float)i, 0.15f + 0.3f * (float)i, 0});
        bd.model = model;
        bd.velocity = (lt_vec3){0, -1, 0};
        add_body_def(world, &bd);
    }
    for (int i = 0; i < 90; i++) {
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
        CHECK(report.momentum_error < 1e-6);
        check_apart(world, units);
    }
    CHECK(world_is_finite(world) && unsound_contacts_of(world, false) == 0);
    lt_world_destroy(world);
}

static void stacks_stand_at_any_budget(void) {
    const uint64_t budgets[] = {0, 300, 1500, 2000, 2500, 3000, 3500, 4500, 7000, 12000, 40000};
    for (uint32_t i = 0; i < LT_COUNT_OF(budgets); i++)
        stack_on(budgets[i], i % 2 ? LT_MODEL_LATTICE_SPRINGS : LT_MODEL_LATTICE_MATCHING);
}

/* 96 cubes in six layers. */
enum { HEAP = 96 };

static lt_world *heap_world(lt_shape *brick) {
    lt_world_def def = lattice_world_def();
    def.contact_capacity = 8192;
    def.pair_capacity = 4096;
    lt_world *world = make_world(&def);
    add_floor(world);
    for (uint32_t i = 0; i < HEAP; i++) {
        float aside = 0.01f * (float)(i * 7 % 5);
        add_lattice(world, brick,
                    (lt_vec3){0.19f * (float)(i % 4) + aside, 0.12f + 0.25f * (float)(i / 16),
                              0.19f * (float)(i / 4 % 4) - aside});
    }
    return world;
}

/* Of all centres. */
static lt_box heap_extent(lt_world *world) {
    lt_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t body = 0; body < HEAP; body++) {
        lt_vec3 at = lt_body_center(world, lt_world_body_at(world, body));
        box = (lt_box){lt_v3_min(box.lo, at), lt_v3_max(box.hi, at)};
    }
    return box;
}

/* Under many others that wait for their turns: an obstacle has the last word. */
static void nobody_is_pushed_through_the_floor(void) {
    const uint64_t budgets[] = {20000, 40000, 80000};
    lt_shape *brick = lattice_box(0.2f, 0.2f, 0.2f, 8);
    for (uint32_t k = 0; k < LT_COUNT_OF(budgets); k++) {
        lt_world *world = heap_world(brick);
        float lowest = INFINITY;
        for (int i = 0; i < 220; i++) {
            CHECK(lt_world_step(world, STEP_DT, lt_budget_collision_units(budgets[k])).momentum_error < 1e-6);
            lowest = lt_min_f(lowest, heap_extent(world).lo.y);
        }
        CHECK(lowest > 0.04f);
        lt_world_destroy(world);
    }
    lt_shape_release(brick);
}

/* What becomes of it in 300 steps. */
typedef struct heap_end {
    lt_box extent;
    double speed;
} heap_end;

static heap_end run_heap(uint64_t units) {
    lt_shape *brick = lattice_box(0.2f, 0.2f, 0.2f, 8);
    lt_world *world = heap_world(brick);
    for (int i = 0; i < 300; i++)
        CHECK(lt_world_step(world, STEP_DT, lt_budget_collision_units(units)).momentum_error < 1e-6);
    heap_end end = {heap_extent(world), rms_speed(world)};
    printf("six layers on %u units: %.2f m high, %.2f m wide, %.3f m/s\n", (unsigned)units,
           (double)end.extent.hi.y, (double)(end.extent.hi.x - end.extent.lo.x), end.speed);
    lt_world_destroy(world);
    lt_shape_release(brick);
    return end;
}

/* Nobody ever has a turn: boxes hold all of it, each what is above it, and nobody slides off. */
static void a_heap_stands_on_boxes(void) {
    heap_end end = run_heap(5000);
    CHECK(end.extent.hi.y > 0.95f && end.extent.lo.y > 0.06f);
    CHECK(end.extent.hi.x - end.extent.lo.x < 0.8f);
    CHECK(end.speed < 0.02);
}

/* On a ninth of what a step takes without a limit some have turns, and most wait for hundreds of steps. */
static void a_heap_beyond_its_budget_stays_together(void) {
    heap_end end = run_heap(20000);
    CHECK(end.extent.hi.y > 0.9f);
    CHECK(end.extent.hi.x - end.extent.lo.x < 1.4f);
}

/* ---- starving ---- */

static void starved_worlds_stay_calm(void) {
    const uint64_t budgets[] = {0, 1, 10, 100, 1000, 20000};
    for (int model = LT_MODEL_LATTICE_SPRINGS; model <= LT_MODEL_LATTICE_MATCHING; model++)
        for (uint32_t i = 0; i < LT_COUNT_OF(budgets); i++) {
            lt_world_def def = lattice_world_def();
            starving s = make_starving(&def, (lt_model)model, cube, ball);
            check_starving(&s, budgets[i], i == 0 ? 1000 : 80, false);
            CHECK(lt_body_center(s.world, s.bodies[0]).y > 0.05f);
            CHECK(lt_body_center(s.world, s.bodies[1]).y > 0.05f);
            lt_world_destroy(s.world);
        }
}

/* ---- waiting ---- */

/* Cubes side by side that touch, so that no pair can be left out. */
static lt_world *make_row_by(lt_world_def def, uint32_t count) {
    def.sleeping = false;
    def.contact_capacity = 16; /* or carrying them takes all */
    lt_world *world = make_world(&def);
    add_floor(world);
    for (uint32_t i = 0; i < count; i++)
        add_lattice(world, cube, (lt_vec3){0.198f * (float)i, 0.1f, 0});
    return world;
}

static lt_world *make_row(uint32_t count) {
    return make_row_by(lattice_world_def(), count);
}

/* Puts all bodies where they are: nothing that is known of their pairs spares a turn. */
static void spare_nobody(lt_world *world) {
    static lt_vec3 nodes[512], velocities[512];
    for (uint32_t i = 0; i < lt_world_body_count(world); i++) {
        lt_body_id body = lt_world_body_at(world, i);
        CHECK(lt_body_node_count(world, body) <= LT_COUNT_OF(nodes));
        lt_body_get_nodes(world, body, nodes, velocities);
        CHECK(lt_body_set_nodes(world, body, nodes, velocities, NULL) == LT_OK);
    }
}

/* What the step at hand would cost without a limit, with a turn for everybody: contacts that a limit has let go are answered
 * anew, and cost more. */
static lt_cuts cost_in_full(lt_world *world) {
    saved now = save_world(world);
    spare_nobody(world);
    lt_cuts cuts = lt_world_step(world, STEP_DT, lt_budget_unlimited()).cuts;
    CHECK(load_world(world, &now) == LT_OK);
    drop_saved(&now);
    return cuts;
}

static uint64_t sum_of(const lt_cuts *cuts) {
    uint64_t sum = 0;
    for (int stage = 0; stage < LT_STAGE_COUNT; stage++)
        sum += cuts->units[stage];
    return sum;
}

/* ⌈full cost / budget⌉ + 1 steps. Where what is done in every step takes most of the budget, as many as the turns take with
 * what is left for them. */
static void nobody_waits_longer_than_a_round(void) {
    lt_world *world = make_row(24);
    lt_report report = run(world, 20);
    saved s = save_world(world);
    lt_cuts at_rest = cost_in_full(world);
    CHECK_COUNT(report.pending, 0);
    for (uint64_t part = 2; part <= 8; part *= 2) {
        CHECK(load_world(world, &s) == LT_OK);
        uint64_t budget = sum_of(&at_rest) / part, longest = 0, full = 0, turns = 0, least = UINT64_MAX;
        for (int i = 0; i < 40; i++) {
            lt_cuts all = cost_in_full(world);
            full = lt_max_u64(full, sum_of(&all));
            turns = lt_max_u64(turns, all.units[LT_STAGE_DETECT]);
            report = lt_world_step(world, STEP_DT, lt_budget_collision_units(budget));
            if (i > 0) least = lt_min_u64(least, report.cuts.units[LT_STAGE_DETECT]);
            longest = lt_max_u64(longest, report.latency);
            CHECK(i == 0 || report.units <= budget + budget / 10); /* what was held must be answered */
        }
        printf("full cost %llu units, a budget of %llu: longest wait %llu steps\n", (unsigned long long)full,
               (unsigned long long)budget, (unsigned long long)longest);
        CHECK(longest <= (part <= 4 ? (full + budget - 1) / budget : (turns + least - 1) / least) + 1);
    }
    drop_saved(&s);
    lt_world_destroy(world);
}

/* Whenever it is read it is too late. */
static uint64_t read_late_clock(void *context) {
    uint64_t *now = context;
    return *now += 100000000;
}

/* Where all of the time is gone before anybody has a turn, some are taken all the same when somebody has waited for long; a step that
 * is repeated takes the same. */
static void nobody_waits_for_ever(void) {
    uint64_t now = 0, longest = 0;
    lt_world_def def = lattice_world_def();
    def.clock_ns = read_late_clock;
    def.clock_context = &now;
    lt_world *world = make_row_by(def, 12), *twin = make_row(12);
    for (int i = 0; i < 240; i++) {
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_us(1000));
        lt_world_step(twin, STEP_DT, lt_budget_cuts(&report.cuts));
        CHECK(lt_world_hash(world) == lt_world_hash(twin));
        longest = lt_max_u64(longest, report.latency);
    }
    CHECK(longest > 60 && longest < 120);
    lt_world_destroy(world);
    lt_world_destroy(twin);
}

/* Two blocks, face to face, whose turn alone is dearer than the budget: it goes on from step to step, and ends. */
static void a_turn_goes_on(void) {
    lt_shape *block = lattice_box(0.2f, 0.2f, 0.2f, 98);
    lt_world_def def = lattice_world_def();
    def.sleeping = def.self_collision = false;
    def.gravity = (lt_vec3){0, 0, 0};
    def.contact_capacity = 16; /* or carrying them takes all */
    lt_world *world = make_world(&def);
    add_lattice(world, block, (lt_vec3){0, 0, 0});
    add_lattice(world, block, (lt_vec3){0.197f, 0, 0});
    saved s = save_world(world);
    uint64_t full = run(world, 1).units;
    CHECK(load_world(world, &s) == LT_OK);
    uint32_t done = 0, longest = 0;
    for (int i = 0; i < 30; i++) {
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(full / 3));
        done += report.pending == 0;
        longest = lt_max_u32(longest, (uint32_t)report.latency);
    }
    printf("a turn of %llu units, a third of that a step: done %u times in 30 steps, longest wait %u\n",
           (unsigned long long)full, done, longest);
    CHECK(done >= 5 && done < 30 && longest <= 8); /* boxes are fitted anew in every step */
    drop_saved(&s);
    lt_world_destroy(world);
    lt_shape_release(block);
}

/* From riches to rags: what is known goes on being answered. */
static void held_contacts_carry(void) {
    lt_world_def def = lattice_world_def();
    def.sleeping = false;
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_id body = add_lattice(world, cube, (lt_vec3){0, 0.0995f, 0});
    run(world, 60);
    lt_report report = step_many(world, 60, lt_budget_collision_units(0));
    CHECK(report.contacts > 0 && report.momentum_error <= 1e-6);
    CHECK_NEAR(surface_low(world, body).y, 0, 0.015);
    lt_world_destroy(world);
}

int main(void) {
    cube = lattice_box(0.2f, 0.2f, 0.2f, 8);
    ball = lattice_ball(0.12f, 26);
    RUN(stacks_stand_at_any_budget);
    RUN(nobody_is_pushed_through_the_floor);
    RUN(a_heap_stands_on_boxes);
    RUN(a_heap_beyond_its_budget_stays_together);
    RUN(starved_worlds_stay_calm);
    RUN(nobody_waits_longer_than_a_round);
    RUN(nobody_waits_for_ever);
    RUN(a_turn_goes_on);
    RUN(held_contacts_carry);
    lt_shape_release(cube);
    lt_shape_release(ball);
    return check_finish();
}
