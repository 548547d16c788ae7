/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What rests is not looked at: as long as what moved since the last look cannot have brought anything near. It stays where it is, is apart,
 * and is looked at as soon as somebody moves, falls on it or puts it elsewhere; also on budgets, and after it was saved.
 *
 * labels: heavy */

#include "method/multiscale_work.h"
#include "method/multiscale_world.h"
#include "world/world.h"

enum { SETTLED = 240 };

static lt_shape *cube;

typedef struct stack {
    lt_world *world;
    lt_body_id bodies[3];
} stack;

static lt_body_id add_cube(lt_world *world, lt_vec3 position) {
    lt_body_def bd = lt_body_def_default();
    bd.shape = cube;
    bd.position = position;
    bd.material.young = 1e5f;
    bd.self_collision = false;
    return add_body_def(world, &bd);
}

/* Two cubes one on the other on the floor, a third beside them. Nobody sleeps, or rest would cost nothing anyway. */
static stack make_stack(uint32_t threads) {
    lt_world_def def = multiscale_world_def();
    def.sleeping = false;
    def.thread_count = threads;
    stack s = {.world = make_world(&def)};
    add_floor(s.world);
    s.bodies[0] = add_cube(s.world, (lt_vec3){0, 0.101f, 0});
    s.bodies[1] = add_cube(s.world, (lt_vec3){0.02f, 0.303f, 0.01f});
    s.bodies[2] = add_cube(s.world, (lt_vec3){0.5f, 0.101f, 0});
    return s;
}

static lt_report step_stack(const stack *s, lt_budget budget) {
    lt_report report = lt_world_step(s->world, STEP_DT, budget);
    CHECK_COUNT(count_crossings(s->world, s->bodies[0], s->bodies[1]), 0);
    return report;
}

static stack make_settled(uint32_t threads) {
    stack s = make_stack(threads);
    for (int i = 0; i < SETTLED; i++)
        lt_world_step(s.world, STEP_DT, lt_budget_unlimited());
    return s;
}

static float height_of(const stack *s, uint32_t body) {
    return lt_body_center(s->world, s->bodies[body]).y;
}

static uint32_t sight_count(const lt_world *world) {
    const lt_multi_method *m = world->method_state;
    return m->entries[m->entries_now].count;
}

static void what_rests_is_not_looked_at(void) {
    stack s = make_settled(1);
    float before = height_of(&s, 1);
    uint32_t looked = 0;
    for (int i = 0; i < 60; i++) {
        lt_report report = step_stack(&s, lt_budget_unlimited());
        looked += report.tested > 0;
        CHECK(report.pending == 0 && report.interrupted == 0 && report.contacts >= 8);
    }
    printf("looked at in %u of 60 steps, sank by %.1e m\n", looked, (double)(before - height_of(&s, 1)));
    CHECK(looked < 20 && sight_count(s.world) >= 3);
    CHECK(fabsf(before - height_of(&s, 1)) < 1e-4f);
    lt_world_destroy(s.world);
}

/* A cube that moved is looked at, and one that is under it carries it. */
static void who_moves_is_looked_at(void) {
    stack s = make_settled(1);
    for (int i = 0; i < 4; i++)
        step_stack(&s, lt_budget_unlimited());
    float push = 6 * lt_body_mass(s.world, s.bodies[1]); /* m/s² */
    lt_body_add_force(s.world, s.bodies[1], (lt_vec3){push, 0, 0});
    CHECK(step_stack(&s, lt_budget_unlimited()).tested > 0);
    lt_body_id last = add_cube(s.world, (lt_vec3){0.01f, 0.65f, 0});
    for (int i = 0; i < 90; i++) {
        step_stack(&s, lt_budget_unlimited());
        CHECK_COUNT(count_crossings(s.world, s.bodies[1], last), 0);
    }
    CHECK(lt_body_center(s.world, last).y > 0.3f);
    lt_world_destroy(s.world);
}

/* Put elsewhere between two steps: what was known of it is forgotten. */
static void who_is_put_elsewhere_is_looked_at(void) {
    stack s = make_settled(1);
    uint32_t before = sight_count(s.world);
    uint32_t count = lt_body_node_count(s.world, s.bodies[1]);
    lt_vec3 *nodes = malloc(count * sizeof *nodes);
    lt_body_get_nodes(s.world, s.bodies[1], nodes, NULL);
    for (uint32_t i = 0; i < count; i++)
        nodes[i].y -= 0.05f;
    lt_error error;
    CHECK(lt_body_set_nodes(s.world, s.bodies[1], nodes, NULL, &error) == LT_OK);
    CHECK(before >= 3 && sight_count(s.world) < before);
    lt_report report = lt_world_step(s.world, STEP_DT, lt_budget_unlimited());
    CHECK(report.tested > 0 && report.tangled > 0);
    free(nodes);
    lt_world_destroy(s.world);
}

/* With enough for a look in every third step only nothing sinks in or comes near. */
static void budgets_do_not_disturb_it(void) {
    stack s = make_settled(1);
    float before = height_of(&s, 1);
    for (int i = 0; i < 120; i++)
        step_stack(&s, lt_budget_collision_units(i % 3 ? 200000 : 2000000));
    printf("on budgets it moved by %.1e m\n", (double)(height_of(&s, 1) - before));
    CHECK(fabsf(before - height_of(&s, 1)) < 0.02f); /* answers that are cut bounce */
    lt_world_destroy(s.world);
}

/* What is known is saved, and threads do not matter. */
static void it_is_saved(void) {
    stack s = make_settled(1), twin = make_settled(3);
    CHECK(lt_world_hash(s.world) == lt_world_hash(twin.world));
    for (int i = 0; i < 10; i++) {
        step_stack(&s, lt_budget_unlimited());
        saved state = save_world(s.world);
        CHECK(load_world(twin.world, &state) == LT_OK);
        drop_saved(&state);
        CHECK(sight_count(s.world) == sight_count(twin.world));
        for (int k = 0; k < 3; k++) {
            lt_report a = step_stack(&s, lt_budget_collision_units(300000)),
                      b = step_stack(&twin, lt_budget_collision_units(300000));
            CHECK(a.tested == b.tested && lt_world_hash(s.world) == lt_world_hash(twin.world));
        }
    }
    lt_world_destroy(s.world);
    lt_world_destroy(twin.world);
}

int main(void) {
    cube = cube_with_boxes(0.2, 4);
    RUN(what_rests_is_not_looked_at);
    RUN(who_moves_is_looked_at);
    RUN(who_is_put_elsewhere_is_looked_at);
    RUN(budgets_do_not_disturb_it);
    RUN(it_is_saved);
    lt_shape_release(cube);
    return check_finish();
}
