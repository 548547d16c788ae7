/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Rays against deformed surfaces of every embedding: as brute force finds, through edges and corners too, and without a trace in
 * the world.
 * labels: golden */

#include "bake/icosahedral.h"
#include "core/hash.h"
#include "core/random.h"
#include "method/lattice_world.h"
#include "method/multiscale_world.h"
#include "method/sphere_world.h"
#include "world/scenes.h"
#include "world/world.h"

enum { RAYS = 300 };

/* Ray against triangle in the plain way, weights of the corners not checked. */
static bool meet_plane(const lt_ray *ray, const lt_dvec3 t[3], double weights[3], double *distance) {
    lt_dvec3 d = lt_d3_from_v3(ray->direction), o = lt_d3_from_v3(ray->origin);
    lt_dvec3 e1 = lt_d3_sub(t[1], t[0]), e2 = lt_d3_sub(t[2], t[0]), p = lt_d3_cross(d, e2);
    double determinant = lt_d3_dot(e1, p);
    if (fabs(determinant) < 1e-14) return false;
    lt_dvec3 s = lt_d3_sub(o, t[0]), q = lt_d3_cross(s, e1);
    weights[1] = lt_d3_dot(s, p) / determinant;
    weights[2] = lt_d3_dot(d, q) / determinant;
    weights[0] = 1 - weights[1] - weights[2];
    *distance = lt_d3_dot(e2, q) / determinant * lt_d3_length(d);
    return *distance >= 0;
}

typedef struct brute {
    double sure; /* distance of the nearest triangle that is met well within, INFINITY: none */
    double any;  /* of the nearest that is met at all, or nearly */
} brute;

static brute brute_force(lt_world *world, const lt_ray *ray) {
    brute best = {INFINITY, INFINITY};
    for (uint32_t b = 0; b < lt_world_body_count(world); b++) {
        lt_surface_view view = lt_body_surface(world, lt_world_body_at(world, b));
        for (uint32_t i = 0; i < view.triangle_count; i++) {
            lt_dvec3 t[3];
            double weights[3], distance;
            for (int k = 0; k < 3; k++)
                t[k] = lt_d3_from_v3(view.positions[view.triangles[3 * i + (uint32_t)k]]);
            if (!meet_plane(ray, t, weights, &distance)) continue;
            double least = lt_min_d(weights[0], lt_min_d(weights[1], weights[2]));
            if (least > 1e-7) best.sure = lt_min_d(best.sure, distance);
            if (least > -1e-7) best.any = lt_min_d(best.any, distance);
        }
    }
    return best;
}

static lt_vec3 random_vector(lt_random *random, float size) {
    return (lt_vec3){lt_random_range(random, -size, size), lt_random_range(random, -size, size),
                     lt_random_range(random, -size, size)};
}

/* What a hit says of itself agrees with the surface. */
static void check_hit(lt_world *world, const lt_ray *ray, const lt_ray_hit *hit) {
    lt_surface_view view = lt_body_surface(world, hit->body);
    CHECK_FATAL(hit->triangle < view.triangle_count);
    const uint32_t *t = view.triangles + 3 * (size_t)hit->triangle;
    lt_vec3 point = {0, 0, 0}, a = view.positions[t[0]];
    for (int k = 0; k < 3; k++) {
        CHECK(hit->weights[k] >= 0);
        point = lt_v3_mad(point, view.positions[t[k]], hit->weights[k]);
    }
    CHECK_NEAR(hit->weights[0] + hit->weights[1] + hit->weights[2], 1, 1e-6);
    CHECK_NEAR(lt_v3_distance(point, hit->point), 0, 1e-5);
    lt_vec3 along = lt_v3_normalize_or(ray->direction, (lt_vec3){0, 0, 0});
    CHECK_NEAR(lt_v3_distance(lt_v3_mad(ray->origin, along, hit->distance), hit->point), 0, 1e-5);
    CHECK_NEAR(lt_v3_length(hit->normal), 1, 1e-5);
    CHECK_NEAR(lt_v3_dot(hit->normal, lt_v3_sub(hit->point, a)), 0, 1e-5);
}

static uint64_t compare_with_brute_force(lt_world *world, uint64_t seed, uint32_t least_hits) {
    lt_random random = lt_random_seed(seed);
    uint64_t hash = LT_HASH_SEED;
    uint32_t hits = 0;
    for (uint32_t i = 0; i < RAYS; i++) {
        lt_body_id body = lt_world_body_at(world, lt_random_below(&random, lt_world_body_count(world)));
        lt_vec3 near_it = lt_v3_add(lt_body_center(world, body), random_vector(&random, 0.12f));
        lt_vec3 origin = lt_v3_add(lt_body_center(world, body), random_vector(&random, 1.5f));
        lt_ray ray = lt_ray_along(origin, lt_v3_scale(lt_v3_sub(near_it, origin), i % 3 ? 1 : 1e-3f));
        ray.skip_obstacles = true;
        lt_ray_hit hit;
        bool met = lt_world_ray_cast(world, &ray, &hit);
        brute best = brute_force(world, &ray);
        CHECK(met || best.sure == INFINITY);
        CHECK(!met || ((double)hit.distance > best.any - 1e-5 && (double)hit.distance < best.sure + 1e-5));
        if (!met) continue;
        hits++;
        check_hit(world, &ray, &hit);
        hash = lt_hash_u64(lt_hash_bytes(hash, &hit.distance, sizeof hit.distance), hit.triangle);
        ray.max_distance = hit.distance;
        CHECK(lt_world_ray_cast(world, &ray, NULL)); /* the end belongs to it */
        ray.max_distance = 0.999f * hit.distance;
        CHECK(!lt_world_ray_cast(world, &ray, &hit) && hit.body.index_plus_one == 0 && hit.distance == 0);
    }
    CHECK(hits >= least_hits);
    return hash;
}

/* ---- embeddings ---- */

static lt_shape *linked_block(void) {
    lt_tet_mesh mesh;
    lt_surface ball;
    lt_shape *shape = NULL;
    lt_error error = {0};
    const uint32_t cells[3] = {2, 2, 2};
    CHECK(lt_generate_tet_block(&mesh, (lt_dvec3){0.2, 0.2, 0.2}, cells, LT_TET_SPLIT_FIVE, NULL, NULL) ==
          LT_OK);
    CHECK(lt_generate_icosphere(&ball, 0.12, 2, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < ball.vertex_count; i++)
        ball.positions[i] = lt_v3_add(ball.positions[i], (lt_vec3){0.1f, 0.1f, 0.1f});
    lt_bake_tets_def def = lt_bake_tets_def_default();
    def.node_positions = &mesh.positions[0].x;
    def.tets = mesh.tets;
    def.node_count = mesh.node_count;
    def.tet_count = mesh.tet_count;
    def.surface_positions = &ball.positions[0].x;
    def.surface_triangles = ball.triangles;
    def.surface_vertex_count = ball.vertex_count;
    def.surface_triangle_count = ball.triangle_count;
    def.embedding = LT_EMBEDDING_RIGID_LINKS;
    def.distance_resolution = 8;
    if (lt_bake_tets(&def, &shape, NULL, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    lt_tet_mesh_free(&mesh);
    lt_surface_free(&ball);
    return shape;
}

static void tets_and_links(void) {
    lt_world *world = make_world(NULL);
    lt_shape *cube = cube_shape(0.2, 2), *ball = ball_shape(0.12, 2), *linked = linked_block();
    add_floor(world);
    add_body(world, cube, (lt_vec3){0, 0.12f, 0});
    lt_body_def def = lt_body_def_default();
    def.shape = ball;
    def.position = (lt_vec3){0.03f, 0.4f, 0};
    def.velocity = (lt_vec3){0, -3, 0};
    def.material.young = 2e4f;
    add_body_def(world, &def);
    def.shape = linked;
    def.position = (lt_vec3){0.3f, 0.1f, 0};
    def.scale = 1.2f;
    add_body_def(world, &def);
    compare_with_brute_force(world, 1, RAYS / 2);
    run(world, 12);
    uint64_t hash = compare_with_brute_force(world, 2, RAYS / 2);
    check_golden("ray-tets", hash);
    lt_world_destroy(world);
    lt_shape_release(cube);
    lt_shape_release(ball);
    lt_shape_release(linked);
}

static void lattices(void) {
    lt_world_def def = lattice_world_def();
    lt_world *world = make_world(&def);
    lt_shape *ball = lattice_ball(0.12f, 5);
    add_floor(world);
    lt_body_def bd = lattice_body_def(ball, (lt_vec3){0, 0.13f, 0});
    bd.velocity = (lt_vec3){0, -4, 0};
    add_body_def(world, &bd);
    run(world, 6);
    uint64_t hash = compare_with_brute_force(world, 3, RAYS / 2);
    check_golden("ray-lattice", hash);
    lt_world_destroy(world);
    lt_shape_release(ball);
}

/* ---- obstacles ---- */

static const uint32_t GROUP_OF_MESH = 16;

static void add_one_of_each(lt_world *world) {
    lt_surface ring;
    lt_obstacle_def def = lt_obstacle_def_default();
    def.position = (lt_vec3){0, -1, 0};
    lt_world_add_obstacle(world, &def, NULL);
    def.rotation = (lt_quat){0.3f, -0.2f, 0.5f, 0.8f};
    for (int i = 0; i < 3; i++) {
        def.kind = (lt_obstacle_kind)(LT_OBSTACLE_SPHERE + i);
        def.position = (lt_vec3){(float)i - 1, 0.2f, 0.3f};
        def.radius = 0.3f;
        def.half_length = 0.4f;
        def.half_extents = (lt_vec3){0.2f, 0.3f, 0.4f};
        lt_world_add_obstacle(world, &def, NULL);
    }
    CHECK(lt_generate_torus(&ring, 0.3, 0.1, 24, NULL, NULL) == LT_OK);
    def.kind = LT_OBSTACLE_MESH;
    def.position = (lt_vec3){0, 1.2f, 0};
    def.mesh_positions = ring.positions;
    def.mesh_triangles = ring.triangles;
    def.mesh_vertex_count = ring.vertex_count;
    def.mesh_triangle_count = ring.triangle_count;
    def.mesh_resolution = 32;
    def.collision_group = GROUP_OF_MESH;
    lt_world_add_obstacle(world, &def, NULL);
    lt_surface_free(&ring);
}

/* Whether the ray changes sides of an obstacle before `way`, by small steps. */
static bool walks_through(const lt_obstacle *o, const lt_ray *ray, float way) {
    lt_vec3 along = lt_v3_normalize_or(ray->direction, (lt_vec3){0, 0, 0});
    bool outside = lt_obstacle_distance(o, ray->origin).distance > 0;
    for (float at = 0.002f; at < way - 1e-3f; at += 0.002f) {
        float distance = lt_obstacle_distance(o, lt_v3_mad(ray->origin, along, at)).distance;
        if ((distance > 0) != outside && fabsf(distance) > 1e-4f) return true;
    }
    return false;
}

/* A hit is where the distance is zero and the side changes; nothing is passed before it. */
static void check_obstacle_ray(lt_world *world, const lt_ray *ray, uint32_t *hits) {
    lt_ray_hit hit;
    bool met = lt_world_ray_cast(world, ray, &hit);
    uint32_t met_index = met ? hit.obstacle.index_plus_one - 1 : LT_NONE;
    for (uint32_t i = 0; i < lt_world_obstacle_count(world); i++)
        CHECK(!walks_through(lt_obstacle_record(world, i), ray, met ? hit.distance : 6));
    if (!met) return;
    hits[met_index]++;
    lt_obstacle_hit there = lt_obstacle_distance(lt_obstacle_record(world, met_index), hit.point);
    CHECK_NEAR(there.distance, 0, 2e-6);
    CHECK_NEAR(lt_v3_length(hit.normal), 1, 1e-6);
    CHECK(hit.body.index_plus_one == 0 && hit.triangle == 0 && hit.weights[0] == 0);
    lt_obstacle_hit out =
        lt_obstacle_distance(lt_obstacle_record(world, met_index), lt_v3_mad(hit.point, hit.normal, 1e-3f));
    CHECK_NEAR(out.distance, 1e-3, 3e-4);
}

static void obstacles_of_every_kind(void) {
    lt_world *world = make_world(NULL);
    lt_random random = lt_random_seed(5);
    uint32_t hits[LT_OBSTACLE_KIND_COUNT] = {0};
    add_one_of_each(world);
    for (uint32_t i = 0; i < RAYS; i++) { /* some begin inside of something */
        lt_vec3 aim = lt_v3_add(lt_obstacle_record(world, i % LT_OBSTACLE_KIND_COUNT)->position,
                                random_vector(&random, 0.35f));
        lt_vec3 origin = random_vector(&random, 1.2f);
        lt_ray ray = lt_ray_along(origin, lt_v3_sub(aim, origin));
        check_obstacle_ray(world, &ray, hits);
    }
    for (int kind = 0; kind < LT_OBSTACLE_KIND_COUNT; kind++)
        CHECK(hits[kind] >= RAYS / 20);
    lt_world_destroy(world);
}

/* Numbers that are exact, and what is in front. */
static void obstacles_in_place(void) {
    lt_world *world = make_world(NULL);
    lt_shape *shape = cube_shape(0.5, 1);
    add_one_of_each(world);
    lt_ray ray = lt_ray_along((lt_vec3){-1, 0.2f, -5}, (lt_vec3){0, 0, 1});
    lt_ray_hit hit;
    CHECK(lt_world_ray_cast(world, &ray, &hit) && hit.obstacle.index_plus_one == 2);
    CHECK_NEAR(hit.distance, 5.0, 1e-6);
    CHECK_NEAR(hit.normal.z, -1, 1e-6);
    lt_body_id body = add_body(world, shape, (lt_vec3){-1, 0.2f, -2});
    CHECK(lt_world_ray_cast(world, &ray, &hit) && hit.body.index_plus_one == body.index_plus_one);
    CHECK(hit.obstacle.index_plus_one == 0);
    ray.origin.z = -1; /* behind the body */
    CHECK(lt_world_ray_cast(world, &ray, &hit) && hit.obstacle.index_plus_one == 2);
    ray.max_distance = 0.9f;
    CHECK(!lt_world_ray_cast(world, &ray, &hit) && hit.distance == 0);
    ray.max_distance = 10;
    ray.skip_obstacles = true;
    CHECK(!lt_world_ray_cast(world, &ray, &hit));
    ray.skip_obstacles = false;
    ray.mask = GROUP_OF_MESH;
    CHECK(!lt_world_ray_cast(world, &ray, &hit));
    ray.mask = UINT32_MAX;
    ray.body = body;
    CHECK(!lt_world_ray_cast(world, &ray, &hit));
    ray = lt_ray_along((lt_vec3){8, -1, 8}, (lt_vec3){1, 0, 1}); /* in the plane itself, and beside it */
    CHECK(lt_world_ray_cast(world, &ray, &hit) && hit.obstacle.index_plus_one == 1 && hit.distance == 0);
    ray.origin.y = -0.5f;
    CHECK(!lt_world_ray_cast(world, &ray, &hit));
    ray = lt_ray_along((lt_vec3){0, 3e38f, 0},
                       (lt_vec3){1e-20f, -1, 0}); /* far away: met or not, in finite time */
    CHECK(lt_world_ray_cast(world, &ray, &hit) && isfinite(hit.distance));
    lt_world_destroy(world);
    lt_shape_release(shape);
}

/* ---- watertight ---- */

/* From inside a closed surface everything is met: through its very corners, and the middles of its edges, too. */
static void nothing_slips_through(void) {
    lt_world *world = make_world(NULL);
    lt_shape *shape = ball_shape(0.2, 3);
    lt_body_def def = lt_body_def_default();
    def.shape = shape;
    def.velocity = (lt_vec3){1, 2, 3};
    def.angular_velocity = (lt_vec3){7, 5, 3};
    def.material.young = 1e4f;
    lt_body_id body = add_body_def(world, &def);
    run(world, 7);
    lt_surface_view view = lt_body_surface(world, body);
    lt_vec3 center = lt_body_center(world, body);
    uint32_t slipped = 0;
    for (uint32_t i = 0; i < view.triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            lt_vec3 a = view.positions[view.triangles[3 * i + (uint32_t)k]];
            lt_vec3 b = view.positions[view.triangles[3 * i + (uint32_t)(k + 1) % 3]];
            for (int part = 0; part < 5; part++) {
                lt_vec3 at = lt_v3_mad(a, lt_v3_sub(b, a), 0.25f * (float)part);
                lt_ray ray = lt_ray_along(center, lt_v3_sub(at, center));
                slipped += !lt_world_ray_cast(world, &ray, NULL);
            }
        }
    CHECK_COUNT(slipped, 0);
    lt_world_destroy(world);
    lt_shape_release(shape);
}

/* A cube at rest has edges and corners at numbers that are exact: along the axes, and along its faces. */
static void axes_and_faces(void) {
    lt_world *world = make_world(NULL);
    lt_shape *shape = cube_shape(0.5, 2);
    lt_body_id body = add_body(world, shape, (lt_vec3){0, 0, 0});
    lt_ray_hit hit;
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++) { /* edges of triangles, edges and corners of the cube */
            lt_ray ray = lt_ray_along((lt_vec3){0.25f * (float)x, 0.25f * (float)y, 3}, (lt_vec3){0, 0, -2});
            CHECK(lt_world_ray_cast(world, &ray, &hit) && hit.distance == 2.75f);
            CHECK(hit.point.z == 0.25f && hit.body.index_plus_one == body.index_plus_one);
        }
    lt_ray ray =
        lt_ray_along((lt_vec3){0.1f, 0.05f, 0}, (lt_vec3){0, 0, 1}); /* from inside: the back of a face */
    CHECK(lt_world_ray_cast(world, &ray, &hit) && hit.distance == 0.25f && hit.normal.z == 1);
    ray.origin.z = 0.25f; /* from the face itself */
    CHECK(lt_world_ray_cast(world, &ray, &hit) && hit.distance == 0);
    ray = lt_ray_along((lt_vec3){0.2501f, 0, 3}, (lt_vec3){0, 0, -1});
    CHECK(!lt_world_ray_cast(world, &ray, &hit));
    lt_world_destroy(world);
    lt_shape_release(shape);
}

/* ---- who is met ---- */

static void filters_and_ties(void) {
    lt_world *world = make_world(NULL);
    lt_shape *shape = cube_shape(0.2, 1);
    lt_body_def def = lt_body_def_default();
    def.shape = shape;
    lt_body_id bodies[3];
    for (int i = 0; i < 3; i++) { /* the first two in the same place */
        def.position = (lt_vec3){0, 0, i == 2 ? 1.0f : 0};
        def.collision_group = 1u << i;
        bodies[i] = add_body_def(world, &def);
    }
    lt_ray ray = lt_ray_along((lt_vec3){0.02f, 0.01f, -5}, (lt_vec3){0, 0, 1});
    lt_ray_hit hit;
    CHECK(lt_world_ray_cast(world, &ray, &hit) && hit.body.index_plus_one == bodies[0].index_plus_one);
    uint32_t triangle = hit.triangle;
    ray.mask = 2;
    CHECK(lt_world_ray_cast(world, &ray, &hit) && hit.body.index_plus_one == bodies[1].index_plus_one);
    CHECK_COUNT(hit.triangle, triangle);
    ray.mask = 8;
    CHECK(!lt_world_ray_cast(world, &ray, &hit));
    ray.mask = UINT32_MAX;
    ray.body = bodies[2];
    CHECK(lt_world_ray_cast(world, &ray, &hit) && hit.body.index_plus_one == bodies[2].index_plus_one);
    ray = lt_ray_along((lt_vec3){0.02f, 0.01f, 5}, (lt_vec3){0, 0, -1}); /* now it is in front */
    CHECK(lt_world_ray_cast(world, &ray, &hit) && hit.body.index_plus_one == bodies[2].index_plus_one);
    lt_world_remove_body(world, bodies[0]);
    ray.mask = 3;
    CHECK(lt_world_ray_cast(world, &ray, &hit) && hit.body.index_plus_one == bodies[1].index_plus_one);
    lt_world_destroy(world);
    lt_shape_release(shape);
}

static void sleeping_bodies_are_met(void) {
    lt_world *world = make_world(NULL);
    lt_shape *shape = cube_shape(0.2, 1);
    add_floor(world);
    lt_body_id body = add_body(world, shape, (lt_vec3){0, 0.1f, 0});
    run(world, 120);
    CHECK(lt_body_is_asleep(world, body));
    uint64_t hash = lt_world_hash(world);
    compare_with_brute_force(world, 4, RAYS / 4);
    CHECK(lt_body_is_asleep(world, body) && lt_world_hash(world) == hash);
    lt_world_destroy(world);
    lt_shape_release(shape);
}

/* ---- input ---- */

static void is_a_bug(lt_world *world, lt_ray ray) {
    lt_ray_hit hit = {.distance = 1};
    bool met = true;
    CHECK_CALLER_BUG(met = lt_world_ray_cast(world, &ray, &hit));
    CHECK(!met && hit.body.index_plus_one == 0 && hit.distance == 0);
}

static void callers_bugs(void) {
    lt_world *world = make_world(NULL);
    lt_shape *shape = cube_shape(0.2, 1);
    lt_body_id body = add_body(world, shape, (lt_vec3){0, 0, 0});
    lt_ray good = lt_ray_along((lt_vec3){0, 0, -1}, (lt_vec3){0, 0, 1}), ray = good;
    const float bad[] = {0, NAN, INFINITY};
    for (uint32_t i = 0; i < LT_COUNT_OF(bad); i++) {
        ray.direction.z = bad[i];
        is_a_bug(world, ray);
    }
    ray = good;
    ray.origin.x = NAN;
    is_a_bug(world, ray);
    ray = good;
    ray.max_distance = NAN;
    is_a_bug(world, ray);
    ray.max_distance = -1;
    is_a_bug(world, ray);
    ray = good;
    ray.body = (lt_body_id){body.index_plus_one, body.generation + 1};
    is_a_bug(world, ray);
    CHECK_CALLER_BUG(lt_world_ray_cast(NULL, &good, NULL));
    CHECK_CALLER_BUG(lt_world_ray_cast(world, NULL, NULL));
    /* Strange, and allowed: directions of any length, no way at all, origins far away. */
    const float lengths[] = {1e-45f, 1e-30f, 1, 3e38f};
    for (uint32_t i = 0; i < LT_COUNT_OF(lengths); i++) {
        ray = lt_ray_along(good.origin, (lt_vec3){0, 0, lengths[i]});
        lt_ray_hit hit;
        CHECK(lt_world_ray_cast(world, &ray, &hit) && fabsf(hit.distance - 0.9f) < 1e-6f);
    }
    good.max_distance = 0;
    CHECK(!lt_world_ray_cast(world, &good, NULL));
    ray = lt_ray_along((lt_vec3){0, 0, -1e15f}, (lt_vec3){0, 0, 1});
    CHECK(lt_world_ray_cast(world, &ray, NULL));
    lt_world_remove_body(world, body);
    CHECK(!lt_world_ray_cast(world, &ray, NULL)); /* an empty world */
    lt_world_destroy(world);
    lt_shape_release(shape);
}

/* ---- without a trace ---- */

static uint64_t cast_many(lt_world *world, lt_random *random, uint32_t count) {
    uint64_t hits = 0;
    for (uint32_t i = 0; i < count; i++) {
        lt_ray ray = lt_ray_along(random_vector(random, 2), random_vector(random, 1));
        hits += lt_world_ray_cast(world, &ray, NULL);
    }
    return hits;
}

static void leaves_no_trace(lt_method method, busy_shapes shapes) {
    lt_world_def def = test_world_def();
    def.method = method;
    busy b = make_busy(&def, &shapes), twin = make_busy(&def, &shapes);
    lt_random random = lt_random_seed(9);
    uint64_t hits = 0;
    for (uint64_t i = 0; i < 20; i++) {
        step_busy(&b, i, lt_budget_collision_units(3000));
        step_busy(&twin, i, lt_budget_collision_units(3000));
        hits += cast_many(b.world, &random, 20);
        CHECK(lt_world_hash(b.world) == lt_world_hash(twin.world));
    }
    CHECK(hits > 0);
    lt_world_destroy(b.world);
    lt_world_destroy(twin.world);
    drop_busy_shapes(&shapes);
}

static void no_method_notices(void) {
    leaves_no_trace(LT_METHOD_REFERENCE, make_busy_shapes());
    leaves_no_trace(LT_METHOD_TET_HASH, make_busy_shapes());
    leaves_no_trace(LT_METHOD_SPHERE_TREE,
                    (busy_shapes){cube_with_tree(0.2, 2, 2), ball_with_tree(0.12, 1, 2), false});
    leaves_no_trace(LT_METHOD_CELL_BOX,
                    (busy_shapes){lattice_box(0.2f, 0.2f, 0.2f, 3), lattice_ball(0.12f, 3), true});
    leaves_no_trace(LT_METHOD_MULTISCALE,
                    (busy_shapes){cube_with_boxes(0.2, 2), ball_with_boxes(0.12, 1), false});
}

int main(void) {
    RUN(tets_and_links);
    RUN(lattices);
    RUN(obstacles_of_every_kind);
    RUN(obstacles_in_place);
    RUN(nothing_slips_through);
    RUN(axes_and_faces);
    RUN(filters_and_ties);
    RUN(sleeping_bodies_are_met);
    RUN(callers_bugs);
    RUN(no_method_notices);
    return check_finish();
}
