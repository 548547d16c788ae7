/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* From nodes to points and back: gathers at every level, links, anchors, normals, areas.
 *
 * labels: golden wasm */

#include "check.h"

#include "bake/icosahedral.h"
#include "core/hash.h"
#include "embed/soft_fixture.h"

static const affine STRETCH = {{{1.5, 0.2, -0.1}, {-0.3, 0.8, 0.4}, {0.1, -0.2, 1.2}}, {3, -2, 1}};

/* Reaches out of the block by `out` on every side: vertices outside every tet. */
static lt_surface surface_around(double out, uint32_t divisions) {
    lt_surface s;
    const uint32_t d[3] = {divisions, divisions, divisions};
    float half = (float)(0.5 + out);
    if (lt_generate_box(&s, (lt_vec3){half, half, half}, d, NULL, NULL) != LT_OK) return s;
    for (uint32_t i = 0; i < s.vertex_count; i++)
        s.positions[i] = lt_v3_add(s.positions[i], (lt_vec3){0.5f, 0.5f, 0.5f});
    return s;
}

static bool unit_block(soft_fixture *f, const lt_surface *surface, bool links, double scale) {
    return fixture_block(f, (lt_dvec3){1, 1, 1}, 3, 2, 2,
                         (fixture_options){.surface = surface, .rigid_links = links, .scale = scale});
}

static lt_dvec3 weighted_sum(const soft_fixture *f, uint32_t point) {
    lt_dvec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        const float *n = f->soft.nodes + 4 * (size_t)f->skin.ids[4 * (size_t)point + (size_t)k];
        sum = lt_d3_mad(sum, (lt_dvec3){n[0], n[1], n[2]},
                        (double)f->skin.weights[4 * (size_t)point + (size_t)k]);
    }
    return sum;
}

static void check_point(lt_vec3 point, lt_dvec3 expected, double tolerance) {
    CHECK_NEAR(point.x, expected.x, tolerance);
    CHECK_NEAR(point.y, expected.y, tolerance);
    CHECK_NEAR(point.z, expected.z, tolerance);
}

static void points_are_weighted_sums(void) {
    soft_fixture f;
    lt_surface around = surface_around(0.1, 3);
    lt_random random = lt_random_seed(1);
    CHECK_FATAL(unit_block(&f, &around, false, 1));
    fixture_shake(&f, &random, 0.3);
    for (uint32_t i = 0; i < f.skin.point_count; i++)
        check_point(f.collider.points[i], weighted_sum(&f, i), 1e-6);
    fixture_free(&f);
    lt_surface_free(&around);
}

/* Writes [begin, end) into a field of canaries and compares with `expected`. */
static void check_range(const soft_fixture *f, lt_simd_level level, const lt_vec3 *expected, uint32_t begin,
                        uint32_t end) {
    enum { GUARD = 2 };
    uint32_t count = f->skin.point_count;
    size_t size = (size_t)count + 2 * GUARD;
    lt_vec3 *field = LT_NEW(NULL, size, lt_vec3), *untouched = LT_NEW(NULL, size, lt_vec3);
    memset(field, 0xa5, size * sizeof *field);
    memset(untouched, 0xa5, size * sizeof *field);
    lt_embed_positions(lt_embed_kernels_for(level), field + GUARD, &f->skin, f->soft.nodes, begin, end);
    CHECK(memcmp(field, untouched, (begin + GUARD) * sizeof *field) == 0);
    CHECK(memcmp(field + GUARD + end, untouched, (count - end + GUARD) * sizeof *field) == 0);
    CHECK(memcmp(field + GUARD + begin, expected + begin, (end - begin) * sizeof *field) == 0);
    LT_DELETE(NULL, field, size, lt_vec3);
    LT_DELETE(NULL, untouched, size, lt_vec3);
}

static void all_levels_and_ranges_agree(void) {
    lt_surface around = surface_around(0.1, 2);
    lt_random random = lt_random_seed(2);
    for (int links = 0; links < 2; links++) {
        soft_fixture f;
        CHECK_FATAL(unit_block(&f, &around, links, 1));
        fixture_shake(&f, &random, 0.1);
        uint32_t count = f.skin.point_count;
        for (int level = 0; level <= (int)lt_simd_best(); level++) {
            check_range(&f, (lt_simd_level)level, f.collider.points, 0, count);
            check_range(&f, (lt_simd_level)level, f.collider.points, 5, 5);
            check_range(&f, (lt_simd_level)level, f.collider.points, count, count);
            for (uint32_t begin = 0; begin < count; begin += 7)
                check_range(&f, (lt_simd_level)level, f.collider.points, begin, lt_min_u32(begin + 7, count));
        }
        uint64_t hash = lt_hash_bytes(LT_HASH_SEED, f.collider.points, count * sizeof(lt_vec3));
#ifndef LITHE_DOUBLE
        check_golden(links ? "links" : "barycentric", hash);
#else
        (void)hash; /* the nodes were moved in double */
#endif
        fixture_free(&f);
    }
    lt_surface_free(&around);
}

static void affine_motions_are_reproduced(void) {
    soft_fixture f;
    lt_surface around = surface_around(0.3, 2);
    CHECK_FATAL(unit_block(&f, &around, false, 1));
    CHECK_COUNT(f.notes.outside_vertices, around.vertex_count);
    CHECK_NEAR(f.notes.farthest_outside, 0.3 / 1.6, 1e-6); /* its corners */
    CHECK(f.skin.overhang > 0.3f);
    fixture_move(&f, move_affine, &STRETCH);
    for (uint32_t i = 0; i < f.skin.point_count; i++)
        check_point(f.collider.points[i], move_affine(&STRETCH, lt_d3_from_v3(f.skin.rest[i])), 5e-6);
    fixture_free(&f);
    lt_surface_free(&around);
}

static void points_inside_are_not_counted_as_outside(void) {
    soft_fixture f;
    lt_surface inner = surface_around(-0.2, 4);
    CHECK_FATAL(unit_block(&f, &inner, false, 1));
    CHECK_COUNT(f.notes.outside_vertices, 0);
    CHECK_NEAR(f.notes.farthest_outside, 0, 0);
    CHECK_NEAR(f.skin.overhang, 0, 1e-6);
    for (uint32_t i = 0; i < f.skin.point_count; i++)
        check_point(f.collider.points[i], lt_d3_from_v3(f.skin.rest[i]), 1e-6);
    fixture_free(&f);
    lt_surface_free(&inner);
}

/* Barycentric weights against a solved system, and a flat tet. */
static void weights_in_a_tet_are_exact(void) {
    lt_random random = lt_random_seed(3);
    for (int round = 0; round < 200; round++) {
        lt_dvec3 corners[4], p = random_d3(&random, 2), sum = {0, 0, 0};
        double w[4];
        for (int k = 0; k < 4; k++)
            corners[k] = random_d3(&random, 1);
        if (fabs(lt_tet_volume(corners[0], corners[1], corners[2], corners[3])) < 0.01) continue;
        CHECK(lt_barycentric_weights(w, corners, p));
        for (int k = 0; k < 4; k++)
            sum = lt_d3_mad(sum, corners[k], w[k]);
        CHECK_NEAR(w[0] + w[1] + w[2] + w[3], 1, 1e-12);
        CHECK_NEAR(lt_d3_distance(sum, p), 0, 1e-11);
        corners[3] = lt_d3_scale(lt_d3_add(corners[0], corners[1]), 0.5);
        CHECK(!lt_barycentric_weights(w, corners, p));
    }
}

/* ---- rigid links ---- */

static void check_links_follow(soft_fixture *f, lt_random *random) {
    for (int round = 0; round < 10; round++) {
        affine rigid = random_rigid(random, 1);
        fixture_move(f, move_affine, &rigid);
        for (uint32_t i = 0; i < f->skin.point_count; i++) {
            lt_dvec3 rest = lt_d3_scale(lt_d3_from_v3(f->skin.rest[i]), (double)f->soft.scale);
            check_point(f->collider.points[i], move_affine(&rigid, rest), 1e-6 * (1 + (double)f->soft.scale));
        }
    }
}

/* Erratum M1, M2, M4 of the links: sum 1, signed offsets, unit axes. */
static void links_are_rigid(void) {
    lt_random random = lt_random_seed(4);
    lt_surface around = surface_around(0.15, 3);
    soft_fixture f;
    CHECK_FATAL(unit_block(&f, &around, true, 1));
    CHECK_FATAL(f.skin.offsets != NULL);
    for (uint32_t i = 0; i < f.skin.point_count; i++) {
        const float *w = f.skin.weights + 4 * (size_t)i;
        CHECK_NEAR((double)w[0] + (double)w[1] + (double)w[2], 1, 2e-7);
        CHECK_NEAR(w[3], 0, 0);
        for (int k = 0; k < 3; k++)
            CHECK(w[k] >= 0 && w[k] <= 0.5f);
    }
    check_links_follow(&f, &random);
    fixture_free(&f);
    lt_surface_free(&around);
}

static void links_scale_with_the_body(void) {
    lt_random random = lt_random_seed(5);
    lt_surface around = surface_around(0.15, 2);
    for (int round = 0; round < 2; round++) {
        soft_fixture f;
        CHECK_FATAL(unit_block(&f, &around, true, round ? 0.1 : 3));
        check_links_follow(&f, &random);
        fixture_free(&f);
    }
    lt_surface_free(&around);
}

/* Erratum M3: the carrier's own boundary lies in the planes of its nodes. */
static void links_in_the_plane_of_their_nodes(void) {
    lt_random random = lt_random_seed(6);
    soft_fixture f;
    CHECK_FATAL(unit_block(&f, NULL, true, 1));
    check_links_follow(&f, &random);
    fixture_free(&f);
}

/* Erratum M5: the two nearest nodes and the third lie on the edge of a long thin block, and on purpose on one line. */
static void collinear_nodes_are_passed_over(void) {
    lt_random random = lt_random_seed(7);
    lt_surface probe;
    const uint32_t one[3] = {1, 1, 1};
    CHECK_FATAL(lt_generate_box(&probe, (lt_vec3){0.04f, 0.04f, 0.04f}, one, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < probe.vertex_count; i++)
        probe.positions[i] = lt_v3_add(probe.positions[i], (lt_vec3){1.02f, -0.05f, -0.06f});
    soft_fixture f;
    CHECK_FATAL(fixture_block(&f, (lt_dvec3){2, 1, 1}, 20, 1, 1,
                              (fixture_options){.surface = &probe, .rigid_links = true}));
    for (uint32_t i = 0; i < f.skin.point_count; i++) {
        const uint32_t *ids = f.skin.ids + 4 * (size_t)i;
        lt_dvec3 q[3];
        for (int k = 0; k < 3; k++)
            q[k] = *(const lt_dvec3 *)(f.carrier.rest + 3 * (size_t)ids[k]);
        lt_dvec3 n = lt_d3_cross(lt_d3_sub(q[1], q[0]), lt_d3_sub(q[2], q[0]));
        CHECK(lt_d3_length(n) > 1e-3);
        /* the first two are still the nearest: on the edge y = z = 0 */
        CHECK_NEAR(q[0].y + q[0].z + q[1].y + q[1].z, 0, 0);
    }
    check_links_follow(&f, &random);
    fixture_free(&f);
    lt_surface_free(&probe);
}

/* Two tets that meet only in place, not in indices: the two nearest nodes coincide, and no triple exists. */
static void points_at_doubled_nodes_stay_barycentric(void) {
    static const double nodes[8][3] = {{0, 0, 0}, {1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                                       {0, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    static const uint32_t tets[2][4] = {{0, 1, 2, 3}, {4, 5, 7, 6}};
    lt_tet_mesh mesh;
    lt_surface probe;
    const uint32_t one[3] = {1, 1, 1};
    CHECK_FATAL(lt_tet_mesh_allocate(&mesh, 8, 2, NULL, NULL) == LT_OK);
    memcpy(mesh.positions, nodes, sizeof nodes);
    memcpy(mesh.tets, tets, sizeof tets);
    CHECK_FATAL(lt_generate_box(&probe, (lt_vec3){0.1f, 0.1f, 0.1f}, one, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < probe.vertex_count; i++)
        probe.positions[i] = lt_v3_add(probe.positions[i], (lt_vec3){0.12f, 0.12f, 0.12f});
    soft_fixture f;
    CHECK_FATAL(fixture_make(&f, &mesh, (fixture_options){.surface = &probe, .rigid_links = true}));
    for (uint32_t i = 0; i < f.skin.point_count; i++) {
        lt_anchor anchor = lt_embed_anchor(&f.skin, i);
        double sum = 0;
        for (uint32_t k = 0; k < anchor.count; k++)
            sum += (double)anchor.weights[k];
        CHECK_NEAR(sum, 1, 1e-6);
        check_point(f.collider.points[i], lt_d3_from_v3(f.skin.rest[i]), 1e-6);
    }
    fixture_free(&f);
    lt_tet_mesh_free(&mesh);
    lt_surface_free(&probe);
}

/* ---- anchors ---- */

static void anchors_gather_the_point(void) {
    lt_random random = lt_random_seed(8);
    lt_surface around = surface_around(0.1, 2);
    soft_fixture f;
    CHECK_FATAL(unit_block(&f, &around, false, 1));
    fixture_shake(&f, &random, 0.2);
    for (uint32_t i = 0; i < f.skin.point_count; i++) {
        lt_anchor anchor = lt_embed_anchor(&f.skin, i);
        lt_rvec3 at = lt_anchor_gather(&anchor, f.soft.x);
        check_point(f.collider.points[i], (lt_dvec3){at.x, at.y, at.z}, 1e-6);
    }
    fixture_free(&f);
    lt_surface_free(&around);
}

/* Power is the same on both sides: f · (W v) = (Wᵀ f) · v; so are force and (barycentric) torque. */
static void scatter_is_the_transpose_of_gather(void) {
    lt_random random = lt_random_seed(9);
    lt_surface around = surface_around(0.1, 2);
    for (int links = 0; links < 2; links++) {
        soft_fixture f;
        CHECK_FATAL(unit_block(&f, &around, links, 1));
        uint32_t nodes = f.carrier.node_count;
        for (uint32_t i = 0; i < f.skin.point_count; i++) {
            lt_anchor anchor = lt_embed_anchor(&f.skin, i);
            lt_rvec3 force = lt_r3_from_v3(random_v3(&random, 1));
            for (size_t k = 0; k < 4 * (size_t)nodes; k++) {
                f.soft.v[k] = k % 4 == 3 ? 0 : (lt_real)lt_random_range(&random, -1, 1);
                f.soft.force[k] = 0;
            }
            lt_anchor_scatter(&anchor, f.soft.force, force);
            double power = 0;
            lt_rvec3 total = {0, 0, 0}, torque = {0, 0, 0};
            for (uint32_t n = 0; n < nodes; n++) {
                lt_rvec3 at_node = lt_node_get(f.soft.force, n);
                power += (double)lt_r3_dot(at_node, lt_node_get(f.soft.v, n));
                total = lt_r3_add(total, at_node);
                torque = lt_r3_add(torque, lt_r3_cross(lt_node_get(f.soft.x, n), at_node));
            }
            CHECK_NEAR(power, lt_r3_dot(force, lt_anchor_gather(&anchor, f.soft.v)), 3e-6);
            CHECK_NEAR(lt_r3_distance(total, force), 0, 2e-6);
            lt_rvec3 at = lt_anchor_gather(&anchor, f.soft.x);
            CHECK_NEAR(lt_r3_distance(torque, lt_r3_cross(at, force)), 0, 4e-6);
        }
        fixture_free(&f);
    }
    lt_surface_free(&around);
}

/* ---- normals and areas ---- */

static void normals_of_a_sphere_point_outward(void) {
    lt_surface ball;
    CHECK_FATAL(lt_generate_icosphere(&ball, 2, 3, NULL, NULL) == LT_OK);
    lt_vec3 *normals = LT_NEW(NULL, ball.vertex_count, lt_vec3);
    lt_surface_normals(normals, ball.positions, ball.vertex_count, ball.triangles, ball.triangle_count);
    for (uint32_t i = 0; i < ball.vertex_count; i++) {
        CHECK_NEAR(lt_v3_length(normals[i]), 1, 1e-6);
        CHECK(lt_v3_dot(normals[i], ball.positions[i]) > 2 * 0.999f);
    }
    LT_DELETE(NULL, normals, ball.vertex_count, lt_vec3);
    lt_surface_free(&ball);
}

static void normals_of_a_box_are_those_of_its_faces(void) {
    lt_surface box;
    const uint32_t divisions[3] = {4, 4, 4};
    CHECK_FATAL(lt_generate_box(&box, (lt_vec3){1, 2, 3}, divisions, NULL, NULL) == LT_OK);
    lt_vec3 *normals = LT_NEW(NULL, box.vertex_count, lt_vec3);
    lt_surface_normals(normals, box.positions, box.vertex_count, box.triangles, box.triangle_count);
    uint32_t faces = 0;
    for (uint32_t i = 0; i < box.vertex_count; i++) {
        lt_vec3 p = box.positions[i];
        lt_vec3 on = {fabsf(p.x) == 1, fabsf(p.y) == 2, fabsf(p.z) == 3};
        CHECK_NEAR(lt_v3_length(normals[i]), 1, 1e-6);
        if (on.x + on.y + on.z > 1.5f) continue;
        faces++;
        CHECK_NEAR(normals[i].x, on.x * (p.x > 0 ? 1 : -1), 1e-6);
        CHECK_NEAR(normals[i].y, on.y * (p.y > 0 ? 1 : -1), 1e-6);
        CHECK_NEAR(normals[i].z, on.z * (p.z > 0 ? 1 : -1), 1e-6);
    }
    CHECK_COUNT(faces, 6 * 9);
    LT_DELETE(NULL, normals, box.vertex_count, lt_vec3);
    lt_surface_free(&box);
}

static void a_point_of_no_triangle_has_a_normal(void) {
    const lt_vec3 positions[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 5}};
    const uint32_t triangles[3] = {0, 2, 1};
    lt_vec3 normals[4];
    lt_surface_normals(normals, positions, 4, triangles, 1);
    CHECK_NEAR(normals[0].z, -1, 1e-6);
    CHECK_NEAR(normals[3].z, 1, 0);
}

static void areas_sum_to_the_surface(void) {
    lt_surface around = surface_around(0.25, 3);
    soft_fixture f;
    CHECK_FATAL(unit_block(&f, &around, false, 1));
    double sum = 0;
    for (uint32_t i = 0; i < f.skin.point_count; i++)
        sum += (double)f.skin.areas[i];
    CHECK_NEAR(sum, 6 * 1.5 * 1.5, 1e-5);
    fixture_free(&f);
    lt_surface_free(&around);
}

int main(void) {
    RUN(points_are_weighted_sums);
    RUN(all_levels_and_ranges_agree);
    RUN(affine_motions_are_reproduced);
    RUN(points_inside_are_not_counted_as_outside);
    RUN(weights_in_a_tet_are_exact);
    RUN(links_are_rigid);
    RUN(links_scale_with_the_body);
    RUN(links_in_the_plane_of_their_nodes);
    RUN(collinear_nodes_are_passed_over);
    RUN(points_at_doubled_nodes_stay_barycentric);
    RUN(anchors_gather_the_point);
    RUN(scatter_is_the_transpose_of_gather);
    RUN(normals_of_a_sphere_point_outward);
    RUN(normals_of_a_box_are_those_of_its_faces);
    RUN(a_point_of_no_triangle_has_a_normal);
    RUN(areas_sum_to_the_surface);
    return check_finish();
}
