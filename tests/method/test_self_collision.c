/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A ring pinched until its two sides meet: they must not pass through each other; and at rest nobody touches
 * himself. */

#include "world/fixture.h"

static lt_shape *ring;

static const float MAJOR = 0.3f, MINOR = 0.08f;

/* The two inner sides, where they will meet: vertices near (0, 0, ±(major − minor)). */
static bool is_inner_side(lt_vec3 rest, float sign) {
    return fabsf(rest.x) < 0.1f && fabsf(rest.y) < 0.06f && sign * rest.z > 0 &&
           sign * rest.z < MAJOR - 0.02f;
}

typedef struct pinch {
    float gap;         /* between the mean of the sides, along z; negative: they have passed through */
    uint64_t contacts; /* of the body with itself in the last step */
    float fastest;
    double momentum_error;
} pinch;

static pinch run_pinch(bool self_collision) {
    lt_world_def def = test_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    def.self_collision = self_collision;
    def.sleeping = false;
    lt_world *world = make_world(&def);
    lt_body_def bd = lt_body_def_default();
    bd.shape = ring;
    bd.material.young = 1e4f;
    lt_body_id body = add_body_def(world, &bd);
    lt_surface_view view = lt_body_surface(world, body);
    static lt_vec3 rest[4096];
    const uint32_t vertex_count = view.vertex_count <= 4096 ? view.vertex_count : 0;
    CHECK(vertex_count > 0);
    for (uint32_t i = 0; i < vertex_count; i++)
        rest[i] = view.positions[i];
    uint32_t pulled = 0;
    for (uint32_t i = 0; i < view.vertex_count; i++) {
        float sign = rest[i].z > 0 ? 1.0f : -1.0f;
        if (!(fabsf(rest[i].x) < 0.1f && sign * rest[i].z > MAJOR)) continue; /* pushed from outside */
        lt_vec3 target = {rest[i].x, rest[i].y, rest[i].z - sign * 0.38f};
        pulled += lt_world_add_handle(world, body, i, target, 400, NULL).index_plus_one != 0;
    }
    CHECK(pulled >= 6);
    pinch result = {0};
    for (int i = 0; i < 120; i++) {
        lt_report report = run(world, 1);
        result.contacts = report.contacts;
        result.momentum_error = lt_max_d(result.momentum_error, report.momentum_error);
        CHECK(unsound_contacts(world) == 0 && report.blown_up == 0);
    }
    view = lt_body_surface(world, body);
    double sums[2] = {0, 0}, counts[2] = {0, 0};
    for (uint32_t i = 0; i < view.vertex_count; i++)
        for (int side = 0; side < 2; side++)
            if (is_inner_side(rest[i], side ? 1.0f : -1.0f)) {
                sums[side] += (double)view.positions[i].z;
                counts[side]++;
            }
    CHECK(counts[0] > 0 && counts[1] > 0);
    result.gap = (float)(sums[1] / counts[1] - sums[0] / counts[0]);
    result.fastest = fastest_node(world, body);
    lt_world_destroy(world);
    return result;
}

static void a_pinched_ring_does_not_pass_through_itself(void) {
    pinch with = run_pinch(true), without = run_pinch(false);
    printf("gap %.4f m with self-collision, %.4f m without; %llu contacts\n", (double)with.gap,
           (double)without.gap, (unsigned long long)with.contacts);
    CHECK(without.gap < -0.01f); /* the scene is one where it matters */
    CHECK(without.contacts == 0);
    CHECK(with.gap > -0.02f && with.gap > without.gap + 0.02f);
    CHECK(with.contacts > 0 && with.fastest >= 0 && with.fastest < 1);
    CHECK(with.momentum_error <= 1e-6);
}

/* Rigid motion and free flight, too. */
static void nobody_touches_himself_at_rest(void) {
    lt_shape *shapes[3] = {ring, cube_shape(0.2, 3), ball_shape(0.12, 3)};
    for (int i = 0; i < 3; i++) {
        lt_world_def def = test_world_def();
        lt_world *world = make_world(&def);
        lt_body_def bd = lt_body_def_default();
        bd.shape = shapes[i];
        bd.rotation = (lt_quat){0.3f, 0.2f, 0.1f, 1};
        bd.velocity = (lt_vec3){1, 2, 0};
        bd.angular_velocity = (lt_vec3){0, 2, 1};
        add_body_def(world, &bd);
        for (int step = 0; step < 5; step++)
            CHECK_COUNT(run(world, 1).contacts, 0);
        lt_world_destroy(world);
        if (i > 0) lt_shape_release(shapes[i]);
    }
}

int main(void) {
    ring = torus_shape((double)MAJOR, (double)MINOR, 16);
    RUN(nobody_touches_himself_at_rest);
    RUN(a_pinched_ring_does_not_pass_through_itself);
    lt_shape_release(ring);
    return check_finish();
}
