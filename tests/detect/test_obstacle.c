/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Signed distances of obstacles against closed forms written otherwise, and what is promised of them. */

#include "check.h"

#include "bake/icosahedral.h"
#include "core/polar.h"
#include "embed/soft_fixture.h"

/* Distance in the obstacle's own axes, in double. */
static double segment_distance(lt_dvec3 p, double half) {
    lt_dvec3 q = {0, p.y < -half ? -half : p.y > half ? half : p.y, 0};
    return lt_d3_distance(p, q);
}

static double box_distance(lt_dvec3 p, lt_dvec3 h) {
    lt_dvec3 q = lt_d3_max(lt_d3_scale(h, -1), lt_d3_min(h, p)); /* nearest point of the solid */
    double outside = lt_d3_distance(p, q);
    double inside = lt_min_d(lt_min_d(h.x - fabs(p.x), h.y - fabs(p.y)), h.z - fabs(p.z));
    return outside > 0 ? outside : -inside;
}

static double expected_distance(const lt_obstacle *o, lt_dvec3 p) {
    switch (o->kind) {
    case LT_OBSTACLE_PLANE: return lt_d3_dot(lt_d3_from_v3(o->local_normal), p);
    case LT_OBSTACLE_SPHERE: return lt_d3_length(p) - (double)o->radius;
    case LT_OBSTACLE_CAPSULE: return segment_distance(p, (double)o->half_length) - (double)o->radius;
    default: return box_distance(p, lt_d3_from_v3(o->half_extents));
    }
}

static const lt_obstacle_kind CLOSED_FORMS[] = {LT_OBSTACLE_PLANE, LT_OBSTACLE_SPHERE, LT_OBSTACLE_CAPSULE,
                                                LT_OBSTACLE_BOX};

static lt_obstacle make_obstacle(lt_obstacle_kind kind) {
    return (lt_obstacle){.in_use = true,
                         .kind = kind,
                         .radius = 0.5f,
                         .half_length = 0.75f,
                         .half_extents = {0.5f, 0.8f, 1.1f},
                         .local_normal = {0.6f, 0, 0.8f},
                         .group = 1,
                         .mask = 1};
}

static lt_vec3 place_at_random(lt_obstacle *o, lt_random *random, float reach) {
    lt_vec3 position = random_v3(random, reach);
    lt_obstacle_place(o, position, random_quat(random));
    return position;
}

static void distances_are_those_of_closed_forms(void) {
    lt_random random = lt_random_seed(1);
    for (size_t kind = 0; kind < LT_COUNT_OF(CLOSED_FORMS); kind++) {
        lt_obstacle o = make_obstacle(CLOSED_FORMS[kind]);
        uint32_t inside = 0;
        for (int round = 0; round < 3000; round++) {
            if (round % 30 == 0) place_at_random(&o, &random, 3);
            lt_dmat3 m = lt_matrix_from_quat(o.rotation);
            lt_dvec3 local = random_d3(&random, round % 3 ? 1.5 : 0.6);
            lt_dvec3 world = lt_d3_add(lt_dm3_mul_vec(m, local), lt_d3_from_v3(o.position));
            lt_obstacle_hit hit = lt_obstacle_distance(&o, lt_v3_from_d3(world));
            CHECK_NEAR(hit.distance, expected_distance(&o, local), 2e-6);
            CHECK_NEAR(lt_v3_length(hit.normal), 1, 1e-5);
            inside += hit.distance < 0;
        }
        CHECK(inside > 300 && inside < 2700);
    }
}

typedef struct known {
    lt_vec3 point;
    float distance;
    lt_vec3 normal;
} known;

static void check_known(const lt_obstacle *o, const known *k) {
    lt_obstacle_hit hit = lt_obstacle_distance(o, k->point);
    CHECK_NEAR(hit.distance, k->distance, 1e-6);
    CHECK_NEAR(lt_v3_distance(hit.normal, k->normal), 0, 1e-6);
}

static void corners_edges_and_centres(void) {
    const float r = 0.70710678f, c = 0.57735027f;
    const known of_box[] = {{{1, 0, 0}, 0.5f, {1, 0, 0}},
                            {{-0.4f, 0, 0}, -0.1f, {-1, 0, 0}},
                            {{0, -0.79f, 0}, -0.01f, {0, -1, 0}},
                            {{0.1f, 0, 1.0f}, -0.1f, {0, 0, 1}},
                            {{0.6f, 0.9f, 0}, 0.14142136f, {r, r, 0}},
                            {{-0.6f, 0, -1.2f}, 0.14142136f, {-r, 0, -r}},
                            {{0.6f, -0.9f, 1.2f}, 0.17320508f, {c, -c, c}},
                            {{0, 0, 0}, -0.5f, {1, 0, 0}},
                            {{0.5f, 0.2f, 0.3f}, 0, {1, 0, 0}}};
    const known of_capsule[] = {
        {{1, 0.5f, 0}, 0.5f, {1, 0, 0}},       {{0, 1.5f, 0}, 0.25f, {0, 1, 0}},
        {{0, -1.5f, 0}, 0.25f, {0, -1, 0}},    {{0, 1.0f, 0}, -0.25f, {0, 1, 0}},
        {{0, 0.3f, -0.1f}, -0.4f, {0, 0, -1}}, {{0.6f, 0.75f + 0.8f, 0}, 0.5f, {0.6f, 0.8f, 0}}};
    const known of_sphere[] = {{{0, 0, 2}, 1.5f, {0, 0, 1}}, {{0.3f, 0.4f, 0}, 0, {0.6f, 0.8f, 0}}};
    lt_obstacle o = make_obstacle(LT_OBSTACLE_BOX);
    lt_obstacle_place(&o, (lt_vec3){0, 0, 0}, (lt_quat){0, 0, 0, 1});
    for (size_t i = 0; i < LT_COUNT_OF(of_box); i++)
        check_known(&o, &of_box[i]);
    o.kind = LT_OBSTACLE_CAPSULE;
    for (size_t i = 0; i < LT_COUNT_OF(of_capsule); i++)
        check_known(&o, &of_capsule[i]);
    o.kind = LT_OBSTACLE_SPHERE;
    for (size_t i = 0; i < LT_COUNT_OF(of_sphere); i++)
        check_known(&o, &of_sphere[i]);
    /* on the axis and in the centre some unit normal is given */
    CHECK_NEAR(lt_obstacle_distance(&o, (lt_vec3){0, 0, 0}).distance, -0.5, 0);
    CHECK_NEAR(lt_v3_length(lt_obstacle_distance(&o, (lt_vec3){0, 0, 0}).normal), 1, 0);
    o.kind = LT_OBSTACLE_CAPSULE;
    CHECK_NEAR(lt_v3_length(lt_obstacle_distance(&o, (lt_vec3){0, 0.2f, 0}).normal), 1, 0);
}

/* A turned and moved box, by hand: a quarter turn about z takes local x to world y. */
static void a_quarter_turn(void) {
    lt_obstacle o = make_obstacle(LT_OBSTACLE_BOX);
    lt_obstacle_place(&o, (lt_vec3){10, 0, 0}, (lt_quat){0, 0, 2, 2}); /* need not be normalised */
    check_known(&o, &(known){{10, 0.6f, 0}, 0.1f, {0, 1, 0}});
    check_known(&o, &(known){{9.1f, 0, 0}, 0.1f, {-1, 0, 0}});
}

static void normals_are_gradients(void) {
    lt_random random = lt_random_seed(2);
    const float h = 1e-3f;
    for (size_t kind = 0; kind < LT_COUNT_OF(CLOSED_FORMS); kind++) {
        lt_obstacle o = make_obstacle(CLOSED_FORMS[kind]);
        uint32_t checked = 0;
        for (int round = 0; round < 500; round++) {
            if (round % 20 == 0) place_at_random(&o, &random, 1);
            lt_vec3 p = lt_v3_add(o.position, random_v3(&random, 1.5f));
            lt_obstacle_hit hit = lt_obstacle_distance(&o, p);
            float gradient[3], spread = 0;
            for (int axis = 0; axis < 3; axis++) {
                lt_vec3 step = {axis == 0 ? h : 0, axis == 1 ? h : 0, axis == 2 ? h : 0};
                lt_obstacle_hit up = lt_obstacle_distance(&o, lt_v3_add(p, step));
                lt_obstacle_hit down = lt_obstacle_distance(&o, lt_v3_sub(p, step));
                gradient[axis] = (up.distance - down.distance) / (2 * h);
                spread = lt_max_f(spread, lt_v3_distance(up.normal, down.normal));
            }
            if (spread > 0.1f) continue; /* a ridge in between */
            checked++;
            lt_vec3 g = {gradient[0], gradient[1], gradient[2]};
            CHECK_NEAR(lt_v3_distance(g, hit.normal), 0, 2e-3);
        }
        CHECK(checked > 400);
    }
}

static void distances_are_lipschitz(void) {
    lt_random random = lt_random_seed(3);
    for (size_t kind = 0; kind < LT_COUNT_OF(CLOSED_FORMS); kind++) {
        lt_obstacle o = make_obstacle(CLOSED_FORMS[kind]);
        for (int round = 0; round < 3000; round++) {
            if (round % 50 == 0) place_at_random(&o, &random, 1);
            lt_vec3 p = lt_v3_add(o.position, random_v3(&random, 1.5f));
            lt_vec3 q = lt_v3_add(p, random_v3(&random, round % 2 ? 1.0f : 0.05f));
            double change = fabs((double)lt_obstacle_distance(&o, p).distance -
                                 (double)lt_obstacle_distance(&o, q).distance);
            CHECK(change <= (double)lt_v3_distance(p, q) + 2e-6);
        }
    }
}

static bool make_mesh_obstacle(lt_obstacle *o, uint32_t cells) {
    lt_surface ball;
    *o = make_obstacle(LT_OBSTACLE_MESH);
    if (lt_generate_icosphere(&ball, 0.5, 4, NULL, NULL) != LT_OK) return false;
    lt_distance_grid_options options = {.cells = cells};
    lt_status status = lt_distance_grid_build(&ball, &options, NULL, &o->grid, NULL);
    lt_surface_free(&ball);
    return status == LT_OK;
}

/* A ball as a mesh is a ball, within the grid's promise and the facets of the mesh. */
static void a_mesh_is_the_shape_it_samples(void) {
    lt_random random = lt_random_seed(4);
    lt_obstacle mesh, ball = make_obstacle(LT_OBSTACLE_SPHERE);
    CHECK_FATAL(make_mesh_obstacle(&mesh, 20));
    for (int round = 0; round < 2000; round++) {
        if (round % 50 == 0) place_at_random(&mesh, &random, 2);
        lt_obstacle_place(&ball, mesh.position, mesh.rotation);
        lt_vec3 p = lt_v3_add(mesh.position, random_v3(&random, 0.6f));
        lt_obstacle_hit expected = lt_obstacle_distance(&ball, p), hit = lt_obstacle_distance(&mesh, p);
        if (expected.distance > 0.09f) /* may be beyond the grid: an upper bound, not a wild one */
            CHECK(hit.distance > expected.distance - 0.003f && hit.distance < 1.3f * expected.distance);
        else /* trilinear: h²/r */
            CHECK_NEAR(hit.distance, expected.distance,
                       0.05 * 0.05 / fmax(0.1, 0.5 + (double)expected.distance));
        CHECK_NEAR(lt_v3_length(hit.normal), 1, 1e-5);
        if (fabsf(expected.distance) < 0.1f) CHECK(lt_v3_dot(hit.normal, expected.normal) > 0.98f);
    }
    lt_distance_grid_free(&mesh.grid);
}

/* Straight above a face the distance is exact, however far: a fast body is not stopped in the air. */
static void a_mesh_is_not_nearer_than_it_is(void) {
    lt_obstacle o = make_obstacle(LT_OBSTACLE_MESH);
    lt_surface box;
    const uint32_t divisions[3] = {4, 4, 4};
    CHECK_FATAL(lt_generate_box(&box, (lt_vec3){1, 0.5f, 1}, divisions, NULL, NULL) == LT_OK);
    lt_distance_grid_options options = {.cells = 16};
    CHECK_FATAL(lt_distance_grid_build(&box, &options, NULL, &o.grid, NULL) == LT_OK);
    lt_obstacle_place(&o, (lt_vec3){0, 0, 0}, (lt_quat){0, 0, 0, 1});
    for (int k = 0; k < 20; k++) {
        lt_obstacle_hit hit = lt_obstacle_distance(&o, (lt_vec3){0.3f, 0.5f + 0.1f * (float)k, -0.2f});
        CHECK_NEAR(hit.distance, 0.1 * k, 1e-5);
        CHECK_NEAR(hit.normal.y, 1, 1e-5);
    }
    lt_distance_grid_free(&o.grid);
    lt_surface_free(&box);
}

/* Whatever of a box is within the margin of the obstacle, the box is not dismissed. */
static uint32_t check_conservative(lt_obstacle *o, lt_random *random, float slack) {
    uint32_t dismissed = 0;
    for (int round = 0; round < 4000; round++) {
        if (round % 50 == 0) place_at_random(o, random, 1);
        lt_vec3 centre = lt_v3_add(o->position, random_v3(random, 3)), half = random_v3(random, 1);
        half = lt_v3_max(half, lt_v3_neg(half));
        if (round % 5 == 0) half = (lt_vec3){half.x, 0, 0};
        lt_box box = {lt_v3_sub(centre, half), lt_v3_add(centre, half)};
        float margin = lt_random_range(random, 0, 0.3f);
        if (lt_obstacle_may_touch(o, box, margin)) continue;
        dismissed++;
        for (int i = 0; i < 30; i++) {
            /* corners first: they are what a plane meets */
            lt_vec3 at = {i < 8 ? (i & 1 ? 1 : -1) : lt_random_range(random, -1, 1),
                          i < 8 ? (i & 2 ? 1 : -1) : lt_random_range(random, -1, 1),
                          i < 8 ? (i & 4 ? 1 : -1) : lt_random_range(random, -1, 1)};
            lt_vec3 p = lt_v3_add(centre, lt_v3_mul(half, at));
            bool mesh = o->kind == LT_OBSTACLE_MESH; /* a ball */
            float distance =
                mesh ? lt_v3_distance(p, o->position) - 0.5f : lt_obstacle_distance(o, p).distance;
            CHECK(distance > margin - slack);
        }
    }
    return dismissed;
}

static void what_may_touch_is_never_dismissed(void) {
    lt_random random = lt_random_seed(5);
    for (size_t kind = 0; kind < LT_COUNT_OF(CLOSED_FORMS); kind++) {
        lt_obstacle o = make_obstacle(CLOSED_FORMS[kind]);
        CHECK(check_conservative(&o, &random, 2e-6f) > 500); /* and it does dismiss */
    }
    lt_obstacle mesh;
    CHECK_FATAL(make_mesh_obstacle(&mesh, 16));
    CHECK(check_conservative(&mesh, &random, 0.1f / 16) > 1000);
    lt_distance_grid_free(&mesh.grid);
}

/* ---- motion ---- */

static lt_quat quat_about(lt_dvec3 axis, double angle) {
    lt_dvec3 k = lt_d3_scale(lt_d3_normalize_or(axis, (lt_dvec3){0, 0, 1}), sin(angle / 2));
    return (lt_quat){(float)k.x, (float)k.y, (float)k.z, (float)cos(angle / 2)};
}

static lt_quat quat_mul(lt_quat a, lt_quat b) {
    return (lt_quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/* Material points move from pose to pose; over a small turn the velocity field takes them there. */
static void velocities_are_finite_differences(void) {
    lt_random random = lt_random_seed(6);
    const float dt = 0.01f;
    for (int round = 0; round < 300; round++) {
        lt_obstacle o = make_obstacle(LT_OBSTACLE_BOX);
        lt_vec3 from = place_at_random(&o, &random, 2);
        double angle = random_d(&random, -0.02, 0.02);
        lt_dvec3 axis = random_d3(&random, 1);
        lt_quat turned = quat_mul(quat_about(axis, angle), o.rotation);
        if (round % 2)
            turned = (lt_quat){-3 * turned.x, -3 * turned.y, -3 * turned.z, -3 * turned.w}; /* the same */
        o.target_position = lt_v3_add(from, random_v3(&random, 0.02f));
        o.target_rotation = turned;
        o.moving = true;
        lt_obstacle_plan(&o, dt);
        lt_vec3 arm = random_v3(&random, 1), before = lt_v3_add(from, arm);
        lt_vec3 velocity = lt_obstacle_velocity(&o, before);
        lt_dvec3 arm_after = lt_dm3_mul_vec(rotation_about(axis, angle), lt_d3_from_v3(arm));
        lt_vec3 after = lt_v3_add(o.target_position, lt_v3_from_d3(arm_after));
        /* θ²/2 of the arm in dt, and float */
        CHECK_NEAR(lt_v3_distance(lt_v3_mad(before, velocity, dt), after), 0, 0.5 * 0.02 * 0.02 * 1.8 + 2e-6);
        CHECK_NEAR((double)lt_v3_length(o.angular_velocity) * (double)dt, fabs(angle),
                   1e-4 * fabs(angle) + 1e-6);
        lt_obstacle_arrive(&o);
        CHECK(!o.moving && lt_v3_distance(o.position, o.target_position) == 0);
        lt_obstacle reached = make_obstacle(LT_OBSTACLE_BOX);
        lt_obstacle_place(&reached, o.target_position, turned);
        CHECK(memcmp(o.axes, reached.axes, sizeof o.axes) == 0);
        lt_obstacle_plan(&o, dt);
        CHECK_NEAR(lt_v3_length(o.velocity) + lt_v3_length(o.angular_velocity), 0, 0);
    }
}

/* The rate is 2 sin(θ/2) / dt: one per cent short at half a radian, as promised, and never NaN. */
static void large_turns_are_a_little_short(void) {
    lt_obstacle o = make_obstacle(LT_OBSTACLE_BOX);
    lt_obstacle_place(&o, (lt_vec3){0, 0, 0}, (lt_quat){0, 0, 0, 1});
    o.moving = true;
    o.target_rotation = quat_about((lt_dvec3){0, 1, 0}, 0.5);
    lt_obstacle_plan(&o, 1);
    CHECK_NEAR(o.angular_velocity.y, 2 * sin(0.25), 1e-6);
    CHECK(o.angular_velocity.y > 0.5f * 0.989f && o.angular_velocity.y < 0.5f);
    o.target_rotation = (lt_quat){0, 0, 0, 0};
    lt_obstacle_plan(&o, 1);
    CHECK(lt_v3_is_finite(o.angular_velocity));
}

static void points_are_tested_against_obstacles(void) {
    soft_fixture f;
    CHECK_FATAL(fixture_block(&f, (lt_dvec3){1, 1, 1}, 1, 1, 1, (fixture_options){0}));
    lt_obstacle o = make_obstacle(LT_OBSTACLE_PLANE);
    o.local_normal = (lt_vec3){0, 1, 0};
    lt_obstacle_place(&o, (lt_vec3){0, 0.125f, 0}, (lt_quat){0, 0, 0, 1});
    for (uint32_t i = 0; i < f.skin.point_count; i++) {
        lt_touch touch = {0};
        bool low = f.skin.rest[i].y == 0;
        CHECK(lt_obstacle_test(&f.collider, 7, i, &o, 0, &touch) == low);
        if (low) {
            CHECK(touch.body == 7 && touch.point == i && touch.other.tet == LT_NONE);
            CHECK_NEAR(touch.depth, 0.125, 1e-6);
            CHECK_NEAR(touch.normal.y, 1, 1e-6);
        }
        CHECK(lt_obstacle_test(&f.collider, 7, i, &o, 0.8f, &touch) == low);
        CHECK(lt_obstacle_test(&f.collider, 7, i, &o, 0.9f, &touch));
        CHECK_NEAR(touch.depth, low ? 0.125 : -0.875, 1e-6);
    }
    fixture_free(&f);
}

int main(void) {
    RUN(distances_are_those_of_closed_forms);
    RUN(corners_edges_and_centres);
    RUN(a_quarter_turn);
    RUN(normals_are_gradients);
    RUN(distances_are_lipschitz);
    RUN(a_mesh_is_the_shape_it_samples);
    RUN(a_mesh_is_not_nearer_than_it_is);
    RUN(what_may_touch_is_never_dismissed);
    RUN(velocities_are_finite_differences);
    RUN(large_turns_are_a_little_short);
    RUN(points_are_tested_against_obstacles);
    return check_finish();
}
