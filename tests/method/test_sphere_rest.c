/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two bodies dropped on a floor and on each other by the method sphere-tree, at budgets from next to nothing to all:
 * they come to rest and stay apart.
 * labels: wasm heavy */

#include "method/sphere_world.h"

static lt_shape *cube, *ball, *brick;

typedef struct drop {
    lt_model model;
    lt_shape *lower, *upper;
    float lower_height, upper_height; /* of the centres when they lie on each other undeformed */
    uint32_t steps;
} drop;

/* One body on the floor, with all the budget it wants: as calm, and as high, as by brute force. */
static void check_lone(lt_shape *shape, lt_model model, float height, float most_speed) {
    lt_world_def def = sphere_world_def();
    def.sleeping = false;
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_def bd = lt_body_def_default();
    bd.model = model;
    bd.shape = shape;
    bd.position = (lt_vec3){0, height + 0.05f, 0};
    lt_body_id body = add_body_def(world, &bd);
    run(world, 70);
    float fastest = 0, lowest = 1, highest = -1;
    for (int i = 0; i < 15; i++) {
        run(world, 1);
        fastest = lt_max_f(fastest, fastest_node(world, body));
        lowest = lt_min_f(lowest, surface_low(world, body).y);
        highest = lt_max_f(highest, surface_low(world, body).y);
    }
    CHECK(fastest >= 0 && fastest < most_speed);
    CHECK(lowest > -0.003f && highest < 0.001f);
    lt_world_destroy(world);
}

static void lone_bodies_lie_still(void) {
    check_lone(cube, LT_MODEL_COROTATIONAL, 0.1f, 0.001f);
    check_lone(cube, LT_MODEL_EXPLICIT_FEM, 0.1f, 0.05f);
    check_lone(brick, LT_MODEL_COROTATIONAL, 0.05f, 0.002f);
    check_lone(brick, LT_MODEL_EXPLICIT_FEM, 0.05f, 0.4f);
}

static lt_budget budget_of(uint64_t units) {
    return units == LT_UNLIMITED ? lt_budget_unlimited() : lt_budget_collision_units(units);
}

/* Contacts between bodies, after a step. */
static uint32_t contacts_of_bodies(const lt_world *world) {
    uint32_t count, between = 0;
    const lt_contact *contacts = lt_world_contacts(world, &count);
    for (uint32_t i = 0; i < count; i++)
        between += contacts[i].body_b.index_plus_one != 0;
    return between;
}

typedef struct landing {
    float nearest, lowest, speed; /* of centres, of the lower surface, at last */
} landing;

/* The upper body lands on the lower one, stays there, and both come to rest; `aside`: m, how much farther from the middle. */
static landing land_once(const drop *d, uint64_t units, float aside) {
    lt_world_def def = sphere_world_def();
    def.sleeping = false;
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_def bd = lt_body_def_default();
    bd.model = d->model;
    bd.shape = d->lower;
    bd.position = (lt_vec3){0, d->lower_height + 0.05f, 0};
    lt_body_id lower = add_body_def(world, &bd);
    bd.shape = d->upper;
    bd.position = (lt_vec3){0.01f + aside, d->upper_height + 0.15f, 0.005f};
    lt_body_id upper = add_body_def(world, &bd);
    float nearest = 1e30f, lowest = 1e30f;
    double worst_error = 0;
    uint64_t allocations = 0;
    uint32_t fallen = 0; /* steps without a contact between them, when they should have come to rest */
    for (uint32_t i = 0; i < d->steps; i++) {
        lt_report report = lt_world_step(world, STEP_DT, budget_of(units));
        worst_error = lt_max_d(worst_error, report.momentum_error);
        allocations += report.allocations;
        nearest = lt_min_f(nearest, lt_body_center(world, upper).y - lt_body_center(world, lower).y);
        lowest = lt_min_f(lowest, surface_low(world, lower).y);
        fallen += i >= 120 && contacts_of_bodies(world) == 0;
    }
    float speed = lt_max_f(lt_v3_length(lt_body_momentum(world, lower)) / lt_body_mass(world, lower),
                           lt_v3_length(lt_body_momentum(world, upper)) / lt_body_mass(world, upper));
    CHECK(world_is_finite(world) && allocations == 0 && worst_error <= 1e-6);
    CHECK_COUNT(fallen, 0);
    lt_world_destroy(world);
    return (landing){nearest, lowest, speed};
}

static float median_of(float a, float b, float c) {
    return lt_max_f(lt_min_f(a, b), lt_min_f(lt_max_f(a, b), c));
}

/* Whether a body that is starved slides off is chance: one run proves nothing. */
static void check_drop(const drop *d, uint64_t units, float most_speed) {
    landing l[3];
    for (int i = 0; i < 3; i++)
        l[i] = land_once(d, units, 0.002f * (float)i);
    float gap = d->upper_height - d->lower_height;
    float nearest = median_of(l[0].nearest, l[1].nearest, l[2].nearest);
    float lowest = median_of(l[0].lowest, l[1].lowest, l[2].lowest);
    float speed = median_of(l[0].speed, l[1].speed, l[2].speed);
    if (!(nearest > 0.6f * gap && lowest > -0.9f * d->lower_height && speed < most_speed))
        CHECK_FAIL_MESSAGE("%s, %lld units: centres as near as %g of %g m, as low as %g m, at last at %g m/s",
                           lt_model_name(d->model), (long long)units, (double)nearest, (double)gap,
                           (double)lowest, (double)speed);
}

/* Below some 10,000 units the trees of two bodies cannot even be refreshed in full; below 2,000 all there is are boxes. */
static void dropped_bodies_come_to_rest(void) {
    const uint64_t budgets[] = {0,    200,   500,   1000,  2000,  3500,  5000,   6000,   7000,
                                8500, 10000, 14000, 20000, 25000, 50000, 100000, 125000, LT_UNLIMITED};
    for (uint32_t i = 0; i < LT_COUNT_OF(budgets); i++) {
        check_drop(&(drop){LT_MODEL_COROTATIONAL, cube, cube, 0.1f, 0.3f, 240}, budgets[i], 0.04f);
        /* A ball rocks for some seconds in a dimple between spheres. */
        check_drop(&(drop){LT_MODEL_COROTATIONAL, brick, ball, 0.05f, 0.22f, 36}, budgets[i], 0.6f);
    }
    check_drop(&(drop){LT_MODEL_EXPLICIT_FEM, brick, ball, 0.05f, 0.22f, 60}, LT_UNLIMITED, 0.5f);
}

int main(void) {
    cube = cube_with_tree(0.2, 2, 2);
    brick = with_tree(block_shape(0.4, 0.1, 0.4, 4, 1, 4), (tree_options){.depth = 2});
    ball = ball_with_tree(0.12, 1, 2);
    RUN(lone_bodies_lie_still);
    RUN(dropped_bodies_come_to_rest);
    lt_shape_release(cube);
    lt_shape_release(brick);
    lt_shape_release(ball);
    return check_finish();
}
