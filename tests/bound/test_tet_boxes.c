/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bounds hold what they bound, whatever the nodes do; and finding boxes at a point is brute force, only wider. */

#include "check.h"

#include "bake/icosahedral.h"
#include "embed/soft_fixture.h"

/* A ball around the block: every vertex is outside the tets or hangs on a long link. */
static bool ball_around_block(soft_fixture *f, bool links, double scale) {
    lt_surface ball;
    if (lt_generate_icosphere(&ball, 1.1, 2, NULL, NULL) != LT_OK) return false;
    for (uint32_t i = 0; i < ball.vertex_count; i++)
        ball.positions[i] = lt_v3_add(ball.positions[i], (lt_vec3){0.5f, 0.5f, 0.5f});
    bool made = fixture_block(f, (lt_dvec3){1, 1, 1}, 2, 2, 2,
                              (fixture_options){.surface = &ball, .rigid_links = links, .scale = scale});
    lt_surface_free(&ball);
    return made;
}

static lt_box body_box(const lt_skin *skin, const float *nodes, uint32_t node_count) {
    lt_box box = lt_box_empty();
    for (uint32_t i = 0; i < node_count; i++)
        box = lt_box_add_point(box, (lt_vec3){nodes[4 * i], nodes[4 * i + 1], nodes[4 * i + 2]});
    return lt_body_box(skin, box);
}

static uint32_t points_outside(const soft_fixture *f) {
    lt_box box = body_box(&f->skin, f->soft.nodes, f->carrier.node_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->skin.point_count; i++)
        count += !lt_box_contains(box, f->collider.points[i]);
    return count;
}

static void body_boxes_hold_the_surface(void) {
    lt_random random = lt_random_seed(1);
    for (int links = 0; links < 2; links++)
        for (int size = 0; size < 3; size++) {
            soft_fixture f;
            double scale = size == 0 ? 1 : size == 1 ? 0.02 : 50;
            CHECK_FATAL(ball_around_block(&f, links, scale));
            CHECK(f.notes.outside_vertices > 0);
            for (int round = 0; round < 30; round++) {
                affine a = random_rigid(&random, scale * random_d(&random, 0, 100));
                a.m = lt_dm3_scale(a.m,
                                   random_d(&random, 0.2, 2)); /* shrunk nodes on links of constant length */
                fixture_move(&f, move_affine, &a);
                CHECK_COUNT(points_outside(&f), 0);
                fixture_shake(&f, &random, scale * random_d(&random, 0, 2));
                CHECK_COUNT(points_outside(&f), 0);
            }
            fixture_free(&f);
        }
}

/* Faces of a cube of side 1 whose surface hangs 0.25 outside on links along the axes: with the nodes at 0.25 the
 * surface is at 0, where there is no coordinate to be widened by, but the rounding is that of 0.25. */
static void rounding_cannot_let_a_point_out(void) {
    lt_random random = lt_random_seed(2);
    lt_surface box;
    const uint32_t divisions[3] = {5, 5, 5};
    CHECK_FATAL(lt_generate_box(&box, (lt_vec3){0.75f, 0.75f, 0.75f}, divisions, NULL, NULL) == LT_OK);
    soft_fixture f;
    lt_tet_mesh mesh;
    const uint32_t cells[3] = {3, 3, 3};
    CHECK_FATAL(lt_generate_tet_block(&mesh, (lt_dvec3){1, 1, 1}, cells, LT_TET_SPLIT_SIX, NULL, NULL) ==
                LT_OK);
    for (uint32_t i = 0; i < mesh.node_count; i++)
        mesh.positions[i] = lt_d3_sub(mesh.positions[i], (lt_dvec3){0.5, 0.5, 0.5});
    for (int links = 0; links < 2; links++) {
        CHECK_FATAL(fixture_make(&f, &mesh, (fixture_options){.surface = &box, .rigid_links = links}));
        lt_box at_rest = body_box(&f.skin, f.soft.nodes, f.carrier.node_count);
        for (int round = 0; round < 300; round++) {
            /* lower sides near 0; and a thin body, whose diagonal is hardly longer than its longest side */
            double thin = round % 2 ? 1 : 1e-5;
            affine a = {{{1, 0, 0}, {0, thin, 0}, {0, 0, thin}}, {0, 0, 0}};
            a.t.x = -(double)at_rest.lo.x * random_d(&random, 0.999999, 1.000001);
            fixture_move(&f, move_affine, &a);
            lt_box box_now = body_box(&f.skin, f.soft.nodes, f.carrier.node_count);
            a.t.x -= (double)box_now.lo.x;
            fixture_move(&f, move_affine, &a);
            CHECK_COUNT(points_outside(&f), 0);
        }
        fixture_free(&f);
    }
    lt_tet_mesh_free(&mesh);
    lt_surface_free(&box);
}

/* The same, with one link that is the longest and stands on the face of least x: nothing is to spare. */
static void the_longest_link_is_held(void) {
    static const float rest[3] = {0, 0, 0}, areas[1] = {1};
    static const uint32_t ids[4] = {0, 1, 2, 2};
    lt_random random = lt_random_seed(3);
    uint32_t outside = 0;
    for (int round = 0; round < 2000; round++) {
        float link = lt_random_range(&random, 0.1f, 1), offsets[4] = {-link, 0, 0, 0};
        double u = random_d(&random, 0.1, 0.4), v = random_d(&random, 0.1, 0.4);
        const float weights[4] = {(float)u, (float)v, (float)(1 - u - v), 0};
        lt_skin skin = {.rest = (const lt_vec3 *)rest,
                        .areas = areas,
                        .ids = ids,
                        .weights = weights,
                        .offsets = offsets,
                        .point_count = 1,
                        .longest_link = link,
                        .scale = 1};
        float x = link * (1 + lt_random_range(&random, -1e-6f, 1e-6f));
        float nodes[16] = {x, 0, 0, 0, x, 1, 0, 0, x, 0.3f, 1, 0, x + 1, 0, 0, 0};
        lt_vec3 point;
        lt_embed_positions(lt_embed_kernels_for(LT_LEVEL_SCALAR), &point, &skin, nodes, 0, 1);
        outside += !lt_box_contains(body_box(&skin, nodes, 4), point);
    }
    CHECK_COUNT(outside, 0);
}

/* Far from the origin, along a line: weights of -8 and 9 on the two ends make the bound exact and rounding large. */
static void far_extrapolation_is_held(void) {
    static const float rest[3] = {0, 0, 0}, areas[1] = {1};
    static const uint32_t ids[4] = {0, 1, 2, 3};
    lt_random random = lt_random_seed(6);
    uint32_t outside = 0;
    for (int round = 0; round < 2000; round++) {
        double u = random_d(&random, 0.1, 8), v = random_d(&random, 0.1, 8);
        const float weights[4] = {(float)-u, (float)(1 + u + v), (float)-v, 0};
        lt_skin skin = {.rest = (const lt_vec3 *)rest,
                        .areas = areas,
                        .ids = ids,
                        .weights = weights,
                        .point_count = 1,
                        .overhang = -(weights[0] + weights[2]),
                        .scale = 1};
        float x = lt_random_range(&random, 900, 1100);
        float nodes[16] = {x, 0, 0, 0, x + 1, 0, 0, 0, x, 1e-3f, 0, 0, x, 0, 1e-3f, 0};
        lt_vec3 point;
        lt_embed_positions(lt_embed_kernels_for(LT_LEVEL_SCALAR), &point, &skin, nodes, 0, 1);
        outside += !lt_box_contains(body_box(&skin, nodes, 4), point);
    }
    CHECK_COUNT(outside, 0);
}

static lt_box box_at(const lt_tet_boxes *boxes, uint32_t tet) {
    const float *b = boxes->boxes + 6 * (size_t)LT_GROUP * (tet / LT_GROUP) + tet % LT_GROUP;
    return (lt_box){{b[0], b[8], b[16]}, {b[24], b[32], b[40]}};
}

/* Random convex combinations, summed in float as a gather does it. */
static void tet_boxes_hold_their_tets(void) {
    lt_random random = lt_random_seed(4);
    soft_fixture f;
    CHECK_FATAL(fixture_block(&f, (lt_dvec3){1, 1, 1}, 2, 2, 2, (fixture_options){0}));
    lt_tet_boxes *boxes = &f.collider.tet_boxes;
    CHECK_COUNT(boxes->group_count, 6);
    for (int round = 0; round < 60; round++) {
        affine a = random_rigid(&random, random_d(&random, 0, 1000));
        if (round % 4 == 0) a.m = lt_dm3_identity(); /* faces along the sides of their boxes */
        fixture_move(&f, move_affine, &a);
        if (round % 2) fixture_shake(&f, &random, 1);
        lt_tet_boxes_fit(boxes, &f.carrier, f.soft.nodes, 0, 0, boxes->group_count);
        for (uint32_t tet = 0; tet < f.carrier.tet_count; tet++) {
            lt_box box = box_at(boxes, tet);
            float w[4], sum = 0;
            for (int k = 0; k < 4; k++)
                sum += w[k] = lt_random_below(&random, 3) ? lt_random_unit(&random) : 0;
            if (sum == 0) continue;
            lt_vec3 p = {0, 0, 0};
            for (int k = 0; k < 4; k++) {
                const float *n = f.soft.nodes + 4 * (size_t)f.carrier.tets[4 * tet + (uint32_t)k];
                CHECK(lt_box_contains(box, (lt_vec3){n[0], n[1], n[2]}));
                p = lt_v3_mad(p, (lt_vec3){n[0], n[1], n[2]}, w[k] / sum);
            }
            CHECK(lt_box_contains(box, p));
        }
    }
    fixture_free(&f);
}

static void fits_are_tight_and_keep_to_their_range(void) {
    soft_fixture f;
    CHECK_FATAL(fixture_block(&f, (lt_dvec3){1, 1, 1}, 2, 2, 2, (fixture_options){0}));
    lt_tet_boxes *boxes = &f.collider.tet_boxes;
    size_t floats = 6 * (size_t)LT_GROUP * boxes->group_count;
    memset(boxes->boxes, 0xa5, floats * sizeof(float));
    float canary = boxes->boxes[0];
    lt_tet_boxes_fit(boxes, &f.carrier, f.soft.nodes, 0.125f, 2, 4);
    for (size_t i = 0; i < floats; i++) {
        bool written = memcmp(&boxes->boxes[i], &canary, 4) != 0;
        CHECK(written == (i / 48 >= 2 && i / 48 < 4));
    }
    for (uint32_t tet = 16; tet < 32; tet++) { /* every tet of a cell fills its cell of side 1/2 */
        lt_box box = box_at(boxes, tet);
        CHECK_NEAR(box.hi.x - box.lo.x, 0.75, 1e-5);
        CHECK_NEAR(box.hi.y - box.lo.y, 0.75, 1e-5);
        CHECK_NEAR(box.hi.z - box.lo.z, 0.75, 1e-5);
    }
    fixture_free(&f);
}

static uint32_t brute_force(uint32_t *out, const soft_fixture *f, lt_vec3 p, float margin) {
    uint32_t count = 0;
    for (uint32_t tet = 0; tet < f->carrier.tet_count; tet++)
        if (lt_box_overlap(box_at(&f->collider.tet_boxes, tet), lt_box_inflate((lt_box){p, p}, margin)))
            out[count++] = tet;
    return count;
}

static void boxes_at_a_point_are_those_of_brute_force(void) {
    enum { MOST = 135 };
    lt_random random = lt_random_seed(5);
    soft_fixture f;
    lt_tet_mesh mesh;
    const uint32_t cells[3] = {3, 3, 3};
    CHECK_FATAL(lt_generate_tet_block(&mesh, (lt_dvec3){1, 1, 1}, cells, LT_TET_SPLIT_FIVE, NULL, NULL) ==
                LT_OK);
    CHECK_FATAL(fixture_make(&f, &mesh, (fixture_options){0}));
    CHECK_COUNT(f.carrier.tet_count, MOST); /* 16 groups of 8 and one of 7: a lane of padding */
    fixture_shake(&f, &random, 0.2);
    uint32_t found_most = 0;
    for (int round = 0; round < 2000; round++) {
        lt_vec3 p = lt_v3_add(random_v3(&random, 0.7f), (lt_vec3){0.5f, 0.5f, 0.5f});
        if (round % 10 == 0)
            p = box_at(&f.collider.tet_boxes, lt_random_below(&random, MOST)).hi; /* on the rim */
        float margin = round % 2 ? lt_random_range(&random, 0, 0.3f) : 0;
        uint32_t expected[MOST], found[MOST + 1], count = brute_force(expected, &f, p, margin);
        found_most = lt_max_u32(found_most, count);
        for (int level = 0; level <= (int)lt_simd_best(); level++) {
            const lt_bound_kernels *kernels = lt_bound_kernels_for((lt_simd_level)level);
            CHECK_COUNT(kernels->boxes_at_point(found, MOST, &f.collider.tet_boxes, p, margin), count);
            CHECK(memcmp(found, expected, count * sizeof *found) == 0);
            uint32_t room = count / 2;
            memset(found, 0xa5, sizeof found);
            CHECK_COUNT(kernels->boxes_at_point(found, room, &f.collider.tet_boxes, p, margin), count);
            CHECK(memcmp(found, expected, room * sizeof *found) == 0 && found[room] == 0xa5a5a5a5u);
        }
    }
    CHECK(found_most > 20);
    lt_tet_mesh_free(&mesh);
    fixture_free(&f);
}

static void padding_is_never_hit(void) {
    static const float extreme[] = {0, 3e38f, -3e38f, 3.3e38f, INFINITY, -INFINITY, NAN};
    soft_fixture f;
    lt_tet_mesh mesh;
    uint32_t found[8];
    CHECK_FATAL(lt_generate_tet_ball(&mesh, 1, 1, NULL, NULL) == LT_OK); /* 20 tets: four lanes of padding */
    CHECK_FATAL(fixture_make(&f, &mesh, (fixture_options){0}));
    for (uint32_t lane = 20; lane < 24; lane++)
        CHECK(box_at(&f.collider.tet_boxes, lane).lo.x > box_at(&f.collider.tet_boxes, lane).hi.x);
    for (size_t i = 1; i < LT_COUNT_OF(extreme); i++)
        for (size_t j = 0; j < LT_COUNT_OF(extreme); j++)
            for (int level = 0; level <= (int)lt_simd_best(); level++) {
                float margin = i % 2 ? 100 : 0;
                lt_vec3 p = {extreme[i], extreme[j], extreme[(i + j) % LT_COUNT_OF(extreme)]};
                CHECK_COUNT(lt_bound_kernels_for((lt_simd_level)level)
                                ->boxes_at_point(found, 8, &f.collider.tet_boxes, p, margin),
                            0);
            }
    /* and at a point that all tets share, nothing but tets */
    lt_vec3 centre = {0, 0, 0};
    for (int level = 0; level <= (int)lt_simd_best(); level++) {
        uint32_t all[24];
        CHECK_COUNT(lt_bound_kernels_for((lt_simd_level)level)
                        ->boxes_at_point(all, 24, &f.collider.tet_boxes, centre, 0),
                    20);
        CHECK_COUNT(all[19], 19);
    }
    lt_tet_mesh_free(&mesh);
    fixture_free(&f);
}

/* ---- measures ---- */

enum { NODES_MOST = 333 };

static float length_of_difference(const float *v, lt_vec3 from) {
    return lt_v3_length(lt_v3_sub((lt_vec3){v[0], v[1], v[2]}, from));
}

/* By plain loops; the spread is about the mean that is given. */
static lt_node_measure plain_measure(const float *nodes, const float *velocities, uint32_t count,
                                     lt_vec3 mean) {
    lt_node_measure m = {.box = lt_box_empty()};
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        const float *v = velocities + 4 * i, *x = nodes + 4 * i;
        m.box = lt_box_add_point(m.box, (lt_vec3){x[0], x[1], x[2]});
        sum = lt_d3_add(sum, (lt_dvec3){(double)v[0], (double)v[1], (double)v[2]});
        m.fastest = lt_max_f(m.fastest, length_of_difference(v, (lt_vec3){0, 0, 0}));
        m.spread = lt_max_f(m.spread, length_of_difference(v, mean));
    }
    m.velocity = lt_v3_from_d3(lt_d3_scale(sum, 1.0 / count));
    return m;
}

static bool same_measure(const lt_node_measure *a, const lt_node_measure *b) {
    return memcmp(a, b, sizeof *a) == 0; /* floats only */
}

/* Every count up to some blocks, so that the last block is cut in every way; what lies behind is poison. */
static void measures_are_those_of_plain_loops(void) {
    lt_random random = lt_random_seed(8);
    static float nodes[4 * NODES_MOST + 32], velocities[4 * NODES_MOST + 32];
    for (uint32_t count = 1; count <= NODES_MOST; count += count < 40 ? 1 : 29) {
        for (uint32_t i = 0; i < 4 * NODES_MOST + 32; i++)
            nodes[i] = velocities[i] = i < 4 * count ? 0 : 1e30f;
        for (uint32_t i = 0; i < count; i++) {
            lt_vec3 x = random_v3(&random, 3), v = lt_v3_add(random_v3(&random, 1), (lt_vec3){9, -2, 5});
            memcpy(nodes + 4 * i, &x, sizeof x);
            memcpy(velocities + 4 * i, &v, sizeof v);
        }
        lt_node_measure scalar, wide;
        lt_bound_kernels_for(LT_LEVEL_SCALAR)->measure_nodes(&scalar, nodes, velocities, count);
        for (int level = 1; level <= (int)lt_simd_best(); level++) {
            lt_bound_kernels_for((lt_simd_level)level)->measure_nodes(&wide, nodes, velocities, count);
            CHECK(same_measure(&wide, &scalar));
        }
        lt_node_measure plain = plain_measure(nodes, velocities, count, scalar.velocity);
        CHECK(lt_v3_distance(scalar.velocity, plain.velocity) < 1e-5f);
        plain.velocity = scalar.velocity;
        CHECK(same_measure(&scalar, &plain));
    }
}

/* Whichever node is the one that is different, it is seen. */
static void no_node_is_overlooked(void) {
    static float nodes[4 * 29], velocities[4 * 29];
    for (uint32_t count = 1; count <= 29; count++)
        for (uint32_t odd = 0; odd < count; odd++)
            for (int axis = 0; axis < 3; axis++) {
                memset(nodes, 0, sizeof nodes);
                memset(velocities, 0, sizeof velocities);
                nodes[4 * odd + (uint32_t)axis] = -2;
                velocities[4 * odd + (uint32_t)axis] = 3;
                lt_node_measure m;
                lt_bound_kernels_for(lt_simd_best())->measure_nodes(&m, nodes, velocities, count);
                const float lo[3] = {m.box.lo.x, m.box.lo.y, m.box.lo.z};
                const float mean[3] = {m.velocity.x, m.velocity.y, m.velocity.z};
                CHECK(lo[axis] == -2 && m.fastest == 3);
                CHECK_NEAR(mean[axis], 3.0 / count, 1e-6);
                CHECK_NEAR(m.spread, 3.0 - 3.0 / count, 1e-6);
            }
}

int main(void) {
    RUN(body_boxes_hold_the_surface);
    RUN(rounding_cannot_let_a_point_out);
    RUN(the_longest_link_is_held);
    RUN(far_extrapolation_is_held);
    RUN(tet_boxes_hold_their_tets);
    RUN(fits_are_tight_and_keep_to_their_range);
    RUN(boxes_at_a_point_are_those_of_brute_force);
    RUN(padding_is_never_hit);
    RUN(measures_are_those_of_plain_loops);
    RUN(no_node_is_overlooked);
    return check_finish();
}
