/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two bodies in zero gravity of which nothing is ever decided: linear and angular momentum stay, no energy is made, and where they are
 * held (lt_world_def.multiscale.pending) they do not get into each other. */

#include "method/multiscale_world.h"
#include "world/world.h"

static lt_shape *cube, *brick;

typedef struct balance {
    lt_dvec3 linear, angular; /* about the origin */
    double kinetic;
    double scale; /* Σ m |x| |v| */
} balance;

static balance measure(const lt_world *world) {
    balance sum = {{0, 0, 0}, {0, 0, 0}, 0, 0};
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        const lt_soft *soft = lt_soft_at(world, i);
        for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
            lt_rvec3 x = lt_node_get(soft->x, node), v = lt_node_get(soft->v, node);
            lt_dvec3 place = {x.x, x.y, x.z}, velocity = {v.x, v.y, v.z};
            double mass = (double)soft->mass[node];
            sum.linear = lt_d3_mad(sum.linear, velocity, mass);
            sum.angular = lt_d3_mad(sum.angular, lt_d3_cross(place, velocity), mass);
            sum.kinetic += 0.5 * mass * lt_d3_dot(velocity, velocity);
            sum.scale += mass * lt_d3_length(place) * lt_d3_length(velocity);
        }
    }
    return sum;
}

/* The second body comes from the right, beside the middle of the first. */
static lt_world *make_couple_of(lt_shape *second, lt_pending pending, lt_vec3 aside, float density) {
    lt_world_def def = multiscale_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    def.multiscale.pending = pending;
    def.sleeping = def.self_collision = false;
    lt_world *world = make_world(&def);
    lt_body_def bd = lt_body_def_default();
    bd.shape = cube;
    bd.material.mass_damping = 0;
    bd.angular_velocity = (lt_vec3){0.3f, -0.2f, 0.5f};
    add_body_def(world, &bd);
    bd.shape = second;
    bd.position = lt_v3_add((lt_vec3){0.25f, 0, 0}, aside);
    bd.velocity = (lt_vec3){-1.5f, 0.4f, -0.2f};
    bd.angular_velocity = (lt_vec3){0, 0, 0};
    bd.material.density *= density;
    add_body_def(world, &bd);
    return world;
}

static void angular_momentum_is_kept(void) {
    const lt_vec3 asides[] = {{0, 0, 0}, {0, 0.08f, 0.03f}, {0, -0.05f, 0.12f}, {0.02f, 0.15f, -0.1f}};
    const lt_pending pendings[] = {LT_PENDING_CLAMP, LT_PENDING_PENALTY};
    double worst = 0;
    for (uint32_t i = 0; i < 4 * LT_COUNT_OF(asides); i++) {
        lt_world *world =
            make_couple_of(i & 1 ? cube : brick, pendings[i >> 1 & 1], asides[i >> 2], i % 3 == 0 ? 8 : 1);
        bool clamps = pendings[i >> 1 & 1] == LT_PENDING_CLAMP;
        lt_body_id second = lt_world_body_at(world, 1);
        uint64_t held = 0, crossings = 0;
        for (int step = 0; step < 40; step++) {
            balance before = measure(world);
            lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(0));
            balance after = measure(world);
            held += report.held;
            double off = lt_d3_length(lt_d3_sub(after.angular, before.angular)) / before.scale;
            worst = lt_max_d(worst, off);
            CHECK_NEAR(off, 0, 1e-5);
            CHECK_NEAR(lt_d3_length(lt_d3_sub(after.linear, before.linear)) / lt_d3_length(before.linear), 0,
                       1e-5);
            /* What they are moved apart by hand makes a little. */
            CHECK(after.kinetic <= (report.held ? 1.02 : 1.001) * before.kinetic);
            if (clamps) crossings += count_crossings(world, lt_world_body_at(world, 0), second);
        }
        CHECK(held > 0);
        /* Who is met beside its middle may turn and go past the other, but not through it. */
        CHECK_COUNT(crossings, 0);
        lt_vec3 first = lt_body_center(world, lt_world_body_at(world, 0));
        if (i >> 2 != 1 && i >> 2 < 3 && clamps) CHECK(lt_body_center(world, second).x > first.x);
        lt_world_destroy(world);
    }
    printf("angular momentum kept to %g\n", worst);
}

int main(void) {
    cube = cube_with_boxes(0.2, 2);
    brick = with_boxes(block_shape(0.1, 0.3, 0.2, 1, 2, 2));
    RUN(angular_momentum_is_kept);
    lt_shape_release(cube);
    lt_shape_release(brick);
    return check_finish();
}
