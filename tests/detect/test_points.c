/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Points against bodies: how deep, which way, and what is not a contact. The oracle is the embedded surface as it is
 * now, searched triangle by triangle.
 *
 * labels: golden */

#include "check.h"

#include "bake/icosahedral.h"
#include "bake/winding.h"
#include "core/hash.h"
#include "embed/soft_fixture.h"
#include "mesh/closest.h"

/* A body of one point, put wherever it is asked about. */
static soft_fixture probe;

static bool query(const soft_fixture *f, lt_vec3 p, lt_touch *touch) {
    probe.collider.points[0] = p;
    lt_point_query q = {&probe.collider, &f->collider, 3, lt_bound_kernels_for(lt_simd_best())};
    bool touches = lt_point_query_test(&q, 0, touch);
    if (touches) CHECK(touch->body == 3 && touch->point == 0 && touch->other.tet < f->carrier.tet_count);
    return touches;
}

static lt_surface surface_now(const soft_fixture *f) {
    return (lt_surface){.positions = f->collider.points,
                        .triangles = (uint32_t *)f->skin.triangles,
                        .vertex_count = f->skin.point_count,
                        .triangle_count = f->skin.triangle_count};
}

typedef struct nearest {
    double depth;    /* > 0 inside */
    lt_dvec3 normal; /* outward there */
} nearest;

static nearest nearest_on_surface(const soft_fixture *f, lt_vec3 at) {
    lt_surface s = surface_now(f);
    lt_dvec3 p = lt_d3_from_v3(at);
    lt_closest_point best = {.distance_squared = 1e300};
    for (uint32_t i = 0; i < s.triangle_count; i++) {
        lt_dvec3 corners[3];
        lt_triangle_corners(&s, i, corners);
        lt_closest_point c = lt_closest_on_triangle(p, corners);
        if (c.distance_squared < best.distance_squared) best = c;
    }
    double sign = lt_winding_number(&s, p) > 0.5 ? 1 : -1;
    lt_dvec3 out = lt_d3_scale(lt_d3_sub(best.point, p), sign);
    return (nearest){sign * sqrt(best.distance_squared), lt_d3_normalize_or(out, (lt_dvec3){0, 0, 0})};
}

static bool cube(soft_fixture *f, uint32_t cells, double scale) {
    return fixture_block(f, (lt_dvec3){1, 1, 1}, cells, cells, cells,
                         (fixture_options){.resolution = 20, .scale = scale});
}

/* ---- known depths ---- */

static void check_touch(const soft_fixture *f, lt_dvec3 at, double depth, lt_dvec3 normal, double tolerance) {
    lt_touch touch = {0};
    lt_vec3 p = lt_v3_from_d3(at);
    CHECK(query(f, p, &touch));
    CHECK_NEAR(touch.depth, depth, tolerance);
    CHECK(lt_d3_dot(lt_d3_from_v3(touch.normal), normal) > 0.999);
    CHECK_NEAR(lt_v3_length(touch.normal), 1, 1e-5);
    lt_dvec3 held = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        lt_rvec3 x = lt_node_get(f->soft.x, f->carrier.tets[4 * (size_t)touch.other.tet + (size_t)k]);
        held = lt_d3_mad(held, (lt_dvec3){x.x, x.y, x.z}, (double)touch.other.weights[k]);
    }
    CHECK_NEAR(lt_d3_distance(held, at), 0, 2e-6 * (1 + lt_d3_length(at)));
}

/* A depth d below the middle of the top face, in a cube that is turned, moved, stretched and scaled. Stretching
 * along the normal stretches the depth, across it does not; a sheared face has the depth along its own normal. */
static void depths_of_affine_cubes(void) {
    lt_random random = lt_random_seed(1);
    for (int round = 0; round < 12; round++) {
        soft_fixture f;
        double scale = round % 3 == 0 ? 1 : round % 3 == 1 ? 0.1 : 10;
        CHECK_FATAL(cube(&f, 3, scale));
        affine a = random_rigid(&random, 3 * scale);
        double along = random_d(&random, 0.6, 1.6), across = random_d(&random, 0.6, 1.6);
        lt_dmat3 stretch = {{across, 0, 0}, {round >= 6 ? 0.4 : 0, along, 0}, {0, 0, across}};
        a.m = lt_dm3_mul(a.m, stretch);
        fixture_move(&f, move_affine, &a);
        /* the top face is spanned by the images of x and z */
        lt_dvec3 normal = lt_d3_normalize_or(lt_d3_cross(a.m.c2, a.m.c0), (lt_dvec3){0, 0, 0});
        lt_dvec3 middle = move_affine(&a, (lt_dvec3){0.5 * scale, scale, 0.5 * scale});
        for (int k = 1; k <= 4; k++) {
            double depth = 0.05 * k * scale;
            check_touch(&f, lt_d3_mad(middle, normal, -depth), depth, normal, 0.002 * scale);
        }
        fixture_free(&f);
    }
}

static void a_ball_is_as_deep_as_its_radius(void) {
    lt_tet_mesh mesh;
    soft_fixture f;
    lt_random random = lt_random_seed(2);
    CHECK_FATAL(lt_generate_tet_ball(&mesh, 1, 4, NULL, NULL) == LT_OK);
    CHECK_FATAL(fixture_make(&f, &mesh, (fixture_options){.resolution = 24}));
    for (int round = 0; round < 300; round++) {
        lt_dvec3 direction = lt_d3_normalize_or(random_d3(&random, 1), (lt_dvec3){1, 0, 0});
        double r = random_d(&random, 0, 0.95);
        lt_touch touch;
        CHECK(query(&f, lt_v3_from_d3(lt_d3_scale(direction, r)), &touch));
        CHECK_NEAR(touch.depth, 1 - r, r < 0.1 ? 0.09 : 0.05); /* facets of the ball: 0.03 */
        if (r > 0.25) CHECK(lt_d3_dot(lt_d3_from_v3(touch.normal), direction) > 0.97);
    }
    fixture_free(&f);
    lt_tet_mesh_free(&mesh);
}

/* ---- against the surface ---- */

/* A gentle bend about z with a twist: lengths change by up to 15 per cent. */
static lt_dvec3 bend(const void *context, lt_dvec3 rest) {
    (void)context;
    double angle = 0.15 * (rest.x - 0.5), radius = 1 / 0.15 - rest.y;
    lt_dmat3 twist = rotation_about((lt_dvec3){0, 1, 0}, 0.15 * rest.y);
    return lt_dm3_mul_vec(twist, (lt_dvec3){radius * sin(angle), 1 / 0.15 - radius * cos(angle), rest.z});
}

/* Everywhere inside, edges and middle planes included, where two faces are equally near: the depth is never far from
 * the distance, and where one face is nearest it is the distance. */
static void depth_is_the_distance_to_the_surface(void) {
    lt_random random = lt_random_seed(3);
    soft_fixture f;
    CHECK_FATAL(cube(&f, 4, 1));
    uint64_t hash = LT_HASH_SEED;
    for (int bent = 0; bent < 2; bent++) {
        if (bent) fixture_move(&f, bend, NULL);
        uint32_t inside = 0;
        for (int round = 0; round < 400; round++) {
            lt_dvec3 rest = {random_d(&random, -0.1, 1.1), random_d(&random, -0.1, 1.1),
                             random_d(&random, -0.1, 1.1)};
            if (round % 5 == 0) rest.x = rest.y; /* a ridge */
            lt_vec3 p = lt_v3_from_d3(bent ? bend(NULL, rest) : rest);
            nearest n = nearest_on_surface(&f, p);
            if (fabs(n.depth) < 0.01) continue;
            lt_touch touch;
            CHECK(query(&f, p, &touch) == (n.depth > 0));
            if (n.depth < 0) continue;
            inside++;
            CHECK_NEAR(touch.depth, n.depth, 0.05 * n.depth + (bent ? 0.04 : 0.03));
            hash = lt_hash_bytes(hash, &touch.depth, sizeof touch.depth);
            /* one face is clearly nearest when all others are farther by two cells */
            lt_dvec3 q = lt_d3_min(rest, lt_d3_sub((lt_dvec3){1, 1, 1}, rest));
            double least = lt_min_d(q.x, lt_min_d(q.y, q.z));
            uint32_t near = (q.x < least + 0.1) + (q.y < least + 0.1) + (q.z < least + 0.1);
            if (near > 1) continue;
            CHECK_NEAR(touch.depth, n.depth, 0.05 * n.depth + 0.005);
            CHECK(lt_d3_dot(lt_d3_from_v3(touch.normal), n.normal) > 0.98);
        }
        CHECK(inside > 150);
    }
#ifndef LITHE_DOUBLE
    check_golden("depths", hash);
#else
    (void)hash;
#endif
    fixture_free(&f);
}

/* Between a ball and the block that carries it there is nothing to touch. */
static void the_surface_collides_not_the_cage(void) {
    lt_random random = lt_random_seed(4);
    lt_surface ball;
    soft_fixture f;
    CHECK_FATAL(lt_generate_icosphere(&ball, 0.5, 3, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < ball.vertex_count; i++)
        ball.positions[i] = lt_v3_add(ball.positions[i], (lt_vec3){1, 1, 1});
    CHECK_FATAL(fixture_block(&f, (lt_dvec3){2, 2, 2}, 3, 3, 3,
                              (fixture_options){.surface = &ball, .resolution = 24}));
    affine a = random_rigid(&random, 1);
    fixture_move(&f, move_affine, &a);
    uint32_t touching = 0, between = 0;
    for (int round = 0; round < 1000; round++) {
        lt_dvec3 rest = lt_d3_add(random_d3(&random, round % 2 ? 1 : 0.4), (lt_dvec3){1, 1, 1});
        double depth = 0.5 - lt_d3_distance(rest, (lt_dvec3){1, 1, 1});
        if (fabs(depth) < 0.01) continue;
        lt_touch touch;
        bool touches = query(&f, lt_v3_from_d3(move_affine(&a, rest)), &touch);
        CHECK(touches == (depth > 0));
        if (touches) CHECK_NEAR(touch.depth, depth, 0.02);
        touching += touches;
        between += !touches;
    }
    CHECK(touching > 200 && between > 200);
    fixture_free(&f);
    lt_surface_free(&ball);
}

/* ---- about to touch ---- */

static void points_are_seen_as_far_as_they_reach(void) {
    soft_fixture f;
    CHECK_FATAL(cube(&f, 4, 1));
    for (int side = 0; side < 2; side++) {
        float *reach = side ? &probe.collider.reach : &f.collider.reach;
        for (int k = 1; k < 8; k++) {
            float gap = 0.03f * (float)k;
            lt_touch touch;
            lt_vec3 p = {0.4f, 1 + gap, 0.6f};
            *reach = 0;
            CHECK(!query(&f, p, &touch));
            *reach = gap - 0.005f;
            CHECK(!query(&f, p, &touch));
            *reach = gap + 0.005f;
            CHECK(query(&f, p, &touch));
            CHECK_NEAR(touch.depth, -gap, 0.004);
            CHECK(touch.normal.y > 0.99f);
        }
        *reach = 0;
    }
    fixture_free(&f);
}

/* However many tets are near a fast point, the one that holds it is found. */
static void many_candidates_lose_nothing(void) {
    lt_random random = lt_random_seed(5);
    soft_fixture f;
    CHECK_FATAL(cube(&f, 7, 1));
    probe.collider.reach = 1; /* more than two edges */
    for (int round = 0; round < 60; round++) {
        lt_vec3 p = lt_v3_add(random_v3(&random, 0.45f), (lt_vec3){0.5f, 0.5f, 0.5f});
        lt_touch touch;
        CHECK(query(&f, p, &touch));
        for (int k = 0; k < 4; k++)
            CHECK(touch.other.weights[k] > -1e-4f);
    }
    probe.collider.reach = 0;
    fixture_free(&f);
}

/* The same mesh, finer and finer towards its last corner: boxes are grown by a tenth of the mean edge, which is many
 * of the small ones. */
static lt_dvec3 crowd_corner(const void *context, lt_dvec3 r) {
    (void)context;
    double x = 1 - r.x, y = 1 - r.y, z = 1 - r.z;
    return (lt_dvec3){1 - x * x * x, 1 - y * y * y, 1 - z * z * z};
}

static void graded_meshes_lose_nothing(void) {
    lt_random random = lt_random_seed(6);
    lt_tet_mesh mesh;
    soft_fixture f;
    const uint32_t cells[3] = {12, 12, 12};
    CHECK_FATAL(lt_generate_tet_block(&mesh, (lt_dvec3){1, 1, 1}, cells, LT_TET_SPLIT_FIVE, NULL, NULL) ==
                LT_OK);
    for (uint32_t i = 0; i < mesh.node_count; i++)
        mesh.positions[i] = crowd_corner(NULL, mesh.positions[i]);
    CHECK_FATAL(fixture_make(&f, &mesh, (fixture_options){.resolution = 8}));
    for (int round = 0; round < 60; round++) {
        lt_vec3 p = lt_v3_add(random_v3(&random, 0.01f), (lt_vec3){0.985f, 0.985f, 0.985f});
        lt_touch touch;
        CHECK(query(&f, p, &touch));
        for (int k = 0; k < 4; k++)
            CHECK(touch.other.weights[k] > -1e-3f);
    }
    fixture_free(&f);
    lt_tet_mesh_free(&mesh);
}

/* Crushed, turned inside out, blown up: every answer is a number and a unit normal. */
static void ruined_bodies_give_sane_answers(void) {
    lt_random random = lt_random_seed(7);
    soft_fixture f;
    CHECK_FATAL(cube(&f, 3, 1));
    uint32_t touching = 0;
    for (int round = 0; round < 20; round++) {
        affine a = {{{1, 0, 0},
                     {0,
                      round % 4 == 1   ? 0
                      : round % 4 == 2 ? -1
                                       : 1,
                      0},
                     {0, 0, round % 4 == 3 ? 9 : 1}},
                    {0, 0, 0}};
        fixture_move(&f, move_affine, &a);
        if (round >= 4) fixture_shake(&f, &random, 1);
        for (int i = 0; i < 100; i++) {
            lt_touch touch = {0};
            lt_vec3 p = {lt_random_unit(&random), lt_random_unit(&random), lt_random_unit(&random)};
            if (round % 4 == 3) p.z *= 9;
            if (!query(&f, p, &touch)) continue;
            touching++;
            CHECK(touch.depth > 0 &&
                  touch.depth < 2.1f); /* half the cube's side, at four times the stretch */
            CHECK_NEAR(lt_v3_length(touch.normal), 1, 1e-5);
        }
    }
    CHECK(touching > 300);
    fixture_free(&f);
}

/* ---- self ---- */

static uint32_t self_touches(const soft_fixture *f, double from, double to, double *deepest) {
    lt_point_query q = {&f->collider, &f->collider, 0, lt_bound_kernels_for(LT_LEVEL_SCALAR)};
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->skin.point_count; i++) {
        lt_touch touch = {0};
        if ((double)f->skin.rest[i].x < from || (double)f->skin.rest[i].x > to) continue;
        if (!lt_point_query_test(&q, i, &touch)) continue;
        count++;
        CHECK(touch.point == i);
        *deepest = lt_max_d(*deepest, (double)touch.depth);
    }
    return count;
}

/* Wound up on a circle of which the second lap begins 0.25 inside the first's end. */
static lt_dvec3 wind_up(const void *context, lt_dvec3 rest) {
    double circumference = *(const double *)context, angle = 6.283185307179586 * rest.x / circumference;
    double radius = circumference / 6.283185307179586 + rest.y;
    return (lt_dvec3){radius * sin(angle), radius * cos(angle), rest.z};
}

static void a_body_meets_itself_only_when_folded(void) {
    lt_random random = lt_random_seed(8);
    soft_fixture f;
    double deepest = 0;
    CHECK_FATAL(fixture_block(&f, (lt_dvec3){8, 0.5, 0.5}, 32, 2, 2, (fixture_options){.resolution = 64}));
    CHECK_COUNT(self_touches(&f, 0, 8, &deepest), 0);
    affine a = random_rigid(&random, 2);
    fixture_move(&f, move_affine, &a);
    CHECK_COUNT(self_touches(&f, 0, 8, &deepest), 0);
    f.collider.reach = 0.3f; /* fast: its own surface is still no contact */
    CHECK_COUNT(self_touches(&f, 0, 8, &deepest), 0);
    f.collider.reach = 0;
    fixture_shake(&f, &random, 0.02);
    CHECK_COUNT(self_touches(&f, 0, 8, &deepest), 0);
    double wide = 9, narrow = 7.4;
    fixture_move(&f, wind_up, &wide);
    CHECK_COUNT(self_touches(&f, 0, 8, &deepest), 0);
    CHECK_NEAR(deepest, 0, 0);
    /* 0.6 of the length lie twice: the rings of points inside the other end are found, those on its faces may be */
    fixture_move(&f, wind_up, &narrow);
    CHECK(self_touches(&f, 7.45, 8, &deepest) >= 2 * 1);
    CHECK(deepest > 0.1 && deepest < 0.3);
    CHECK(self_touches(&f, 0, 0.55, &deepest) >= 1);
    CHECK_COUNT(self_touches(&f, 0.7, 7.3, &deepest), 0);
    fixture_free(&f);
}

/* Layers ten times as thick each: a point in a thin one is nearly held by a thick one next but one, and is no contact. */
static void layers_of_a_body_do_not_meet(void) {
    static const double layers[5] = {0, 0.001, 0.01, 0.1, 1};
    lt_tet_mesh mesh;
    soft_fixture f;
    const uint32_t cells[3] = {4, 1, 1};
    double deepest = 0;
    CHECK_FATAL(lt_generate_tet_block(&mesh, (lt_dvec3){4, 1, 1}, cells, LT_TET_SPLIT_SIX, NULL, NULL) ==
                LT_OK);
    for (uint32_t i = 0; i < mesh.node_count; i++)
        mesh.positions[i].x = layers[i % 5];
    CHECK_FATAL(fixture_make(&f, &mesh, (fixture_options){.resolution = 20}));
    f.collider.reach = 0.3f;
    CHECK_COUNT(self_touches(&f, 0, 1, &deepest), 0);
    fixture_free(&f);
    lt_tet_mesh_free(&mesh);
}

/* ---- units ---- */

static void costs_are_as_documented(void) {
    soft_fixture f;
    CHECK_FATAL(cube(&f, 2, 1));
    lt_point_query q = {&probe.collider, &f.collider, 3, lt_bound_kernels_for(LT_LEVEL_SCALAR)};
    probe.collider.points[0] = (lt_vec3){3, 0, 0};
    CHECK_COUNT(lt_point_query_cost(&q, 0), 1);
    probe.collider.points[0] = (lt_vec3){0.5f, 0.5f, 0.5f};
    CHECK_COUNT(lt_point_query_cost(&q, 0), 8 + 48);
    probe.collider.points[0] = (lt_vec3){1.1f, 0.5f, 0.5f};
    CHECK_COUNT(lt_point_query_cost(&q, 0), 1);
    f.collider.reach = 0.2f;
    CHECK_COUNT(lt_point_query_cost(&q, 0), 8 + 48);
    fixture_free(&f);
}

/* A refresh cut into pieces is the refresh at once; its cost is what was said before. */
static void refreshes_can_be_cut(void) {
    lt_random random = lt_random_seed(9);
    soft_fixture f;
    CHECK_FATAL(cube(&f, 4, 1));
    fixture_shake(&f, &random, 0.1);
    size_t box_bytes = 48 * sizeof(float) * f.collider.tet_boxes.group_count;
    size_t point_bytes = f.skin.point_count * sizeof(lt_vec3);
    uint64_t expected = lt_hash_bytes(lt_hash_bytes(LT_HASH_SEED, f.collider.points, point_bytes),
                                      f.collider.tet_boxes.boxes, box_bytes);
    memset(f.collider.points, 0, point_bytes);
    memset(f.collider.tet_boxes.boxes, 0, box_bytes);
    lt_refresh refresh = {.collider = &f.collider, .kernels = lt_embed_kernels_for(lt_simd_best())};
    CHECK(f.collider.fresh);
    CHECK_COUNT(lt_refresh_peek(&refresh).cost, 0);
    lt_collider_outdate(&f.collider);
    uint64_t units[LT_WORK_COUNT] = {0};
    for (lt_piece piece = lt_refresh_peek(&refresh); piece.cost; piece = lt_refresh_peek(&refresh)) {
        CHECK(!f.collider.fresh);
        units[piece.work] += piece.cost;
        lt_refresh_step(&refresh);
    }
    CHECK(f.collider.fresh);
    CHECK_COUNT(units[LT_WORK_EMBED], 3 * f.skin.point_count);
    CHECK_COUNT(units[LT_WORK_BOUND], 64 * f.collider.tet_boxes.group_count);
    CHECK(expected == lt_hash_bytes(lt_hash_bytes(LT_HASH_SEED, f.collider.points, point_bytes),
                                    f.collider.tet_boxes.boxes, box_bytes));
    fixture_free(&f);
}

static void measures_follow_the_nodes(void) {
    soft_fixture f;
    CHECK_FATAL(cube(&f, 1, 1));
    for (uint32_t i = 0; i < 8; i++)
        lt_node_set(f.soft.v, i, (lt_rvec3){1, i == 5 ? 4 : 0, 0});
    lt_soft_publish(&f.soft);
    lt_collider_measure(&f.collider, 0.5f, lt_bound_kernels_for(lt_simd_best()));
    CHECK_NEAR(f.collider.reach, sqrt(17) / 2, 1e-6);
    CHECK_NEAR(f.collider.spread, 3.5 / 2, 1e-6);
    CHECK_NEAR(f.collider.velocity.x, 1, 1e-6);
    CHECK_NEAR(f.collider.velocity.y, 0.5, 1e-6);
    CHECK_NEAR(f.collider.box.hi.y, 1, 1e-5);
    fixture_free(&f);
}

/* Bodies that move are measured, as at once; those that sleep or are not there stay as they are. Whatever the grant, no
 * more is spent, and in all the same. */
static void bodies_are_measured_one_by_one(void) {
    enum { COUNT = 7 };
    soft_fixture f;
    CHECK_FATAL(cube(&f, 3, 1));
    for (uint32_t i = 0; i < f.carrier.node_count; i++)
        lt_node_set(f.soft.v, i, (lt_rvec3){1, (lt_real)i, 0});
    lt_soft_publish(&f.soft);
    const lt_bound_kernels *kernels = lt_bound_kernels_for(lt_simd_best());
    lt_collider expected = f.collider;
    lt_collider_measure(&expected, 0.25f, kernels);
    for (uint32_t grant = 1; grant < 200; grant += 13) {
        lt_collider colliders[COUNT];
        for (uint32_t i = 0; i < COUNT; i++) {
            colliders[i] = f.collider;
            colliders[i].reach = 77;
            colliders[i].asleep = i == 2;
            colliders[i].in_use = i != 4;
        }
        lt_measuring measuring = {
            .colliders = colliders, .collider_count = COUNT, .dt = 0.25f, .kernels = kernels};
        lt_cursor cursor = lt_measuring_cursor(&measuring);
        uint32_t units = 0;
        for (lt_piece piece = cursor.peek(cursor.state); piece.cost; piece = cursor.peek(cursor.state)) {
            uint32_t granted = lt_max_u32(grant, piece.cost), used = cursor.step(cursor.state, granted);
            CHECK(piece.work == LT_WORK_BOUND && used >= piece.cost && used <= granted);
            units += used;
        }
        CHECK_COUNT(units, 2 + 5 * (1 + f.carrier.node_count / 2));
        for (uint32_t i = 0; i < COUNT; i++) {
            bool moved = i != 2 && i != 4;
            CHECK(colliders[i].fresh == !moved && colliders[i].points_fresh == !moved);
            CHECK(colliders[i].reach == (moved ? expected.reach : 77));
            CHECK(!moved || memcmp(&colliders[i].box, &expected.box, sizeof expected.box) == 0);
        }
    }
    fixture_free(&f);
}

int main(void) {
    if (!fixture_block(&probe, (lt_dvec3){0.1, 0.1, 0.1}, 1, 1, 1, (fixture_options){.resolution = 2}))
        return 1;
    RUN(depths_of_affine_cubes);
    RUN(a_ball_is_as_deep_as_its_radius);
    RUN(depth_is_the_distance_to_the_surface);
    RUN(the_surface_collides_not_the_cage);
    RUN(points_are_seen_as_far_as_they_reach);
    RUN(many_candidates_lose_nothing);
    RUN(graded_meshes_lose_nothing);
    RUN(ruined_bodies_give_sane_answers);
    RUN(a_body_meets_itself_only_when_folded);
    RUN(layers_of_a_body_do_not_meet);
    RUN(costs_are_as_documented);
    RUN(refreshes_can_be_cut);
    RUN(measures_follow_the_nodes);
    RUN(bodies_are_measured_one_by_one);
    fixture_free(&probe);
    return check_finish();
}
