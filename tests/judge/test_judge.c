/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The judge against what can be said by hand: depths, crossings, what is below, lost and folded. Each of its verdicts is seen
 * on bodies that deserve it and on bodies that do not. */

#include "judge/judge_fixture.h"

static const lt_vec3 NO_GRAVITY = {0, 0, 0};

/* Two cubes of 1 m side; the second one is moved by `by`. */
static lt_judgement two_cubes(lt_vec3 by) {
    judged j = judged_begin(NO_GRAVITY);
    judged_add(&j, judged_body(cube_shape(1, 1), (lt_vec3){0, 0, 0}));
    judged_add(&j, judged_body(cube_shape(1, 1), by));
    judged_ready(&j);
    lt_judgement out = judged_look(&j);
    judged_end(&j);
    return out;
}

static void cubes_apart_are_apart(void) {
    lt_judgement out = two_cubes((lt_vec3){1.001f, 0.2f, 0.1f});
    CHECK_COUNT(out.overlapping + out.intersecting + out.crossings + out.self_crossings + out.folded, 0);
    CHECK(out.depth == 0 && out.depth_share == 0);
    CHECK_COUNT(out.lost, 0);
}

/* The nearest corner of each is 0.1 below one face of the other, and farther from all other faces. */
static void depth_of_overlapping_cubes_is_known(void) {
    lt_judgement out = two_cubes((lt_vec3){0.9f, 0.3f, 0.3f});
    CHECK_NEAR(out.depth, 0.1, 1e-6);
    CHECK_NEAR(out.depth_share, 0.1, 1e-6);
    CHECK_COUNT(out.overlapping, 1);
    CHECK_COUNT(out.intersecting, 1);
    CHECK(out.crossings > 4);
    CHECK(out.depth_a == 0 && out.depth_b == 1);
}

/* Edges cross, no vertex and no middle of a tet is inside: surfaces meet, and only that. */
static void crossed_bars_meet_without_depth(void) {
    judged j = judged_begin(NO_GRAVITY);
    judged_add(&j, judged_body(block_shape(1, 0.1, 0.1, 1, 1, 1), (lt_vec3){0, 0, 0}));
    judged_add(&j, judged_body(block_shape(0.1, 1, 0.1, 1, 1, 1), (lt_vec3){0.1f, 0.13f, 0.05f}));
    judged_ready(&j);
    lt_judgement out = judged_look(&j);
    CHECK_COUNT(out.intersecting, 1);
    CHECK(out.depth == 0);
    judged_end(&j);
}

/* All vertices lie on the other's surface: the middles tell, and the middle of a cube of five tets is half a side deep. */
static void coincident_bodies_are_half_a_side_deep(void) {
    lt_judgement out = two_cubes((lt_vec3){0, 0, 0});
    CHECK_NEAR(out.depth, 0.5, 1e-6);
    CHECK_COUNT(out.intersecting, 1);
    out = two_cubes((lt_vec3){1e-3f, 0, 0});
    CHECK_NEAR(out.depth, 0.5, 2e-3);
}

/* No triangles meet, and the small one is inside all the same: its far side is 0.3 from the surface, its near one 0.1. */
static void swallowed_body_is_found(void) {
    for (int order = 0; order < 2; order++) {
        judged j = judged_begin(NO_GRAVITY);
        for (int i = 0; i < 2; i++)
            judged_add(&j, i == order ? judged_body(cube_shape(1, 1), (lt_vec3){0, 0, 0})
                                      : judged_body(cube_shape(0.2, 1), (lt_vec3){0.3f, 0, 0}));
        judged_ready(&j);
        lt_judgement out = judged_look(&j);
        CHECK_COUNT(out.crossings, 0);
        CHECK_COUNT(out.overlapping, 1);
        CHECK_NEAR(out.depth, 0.3, 1e-6);
        CHECK_NEAR(out.depth_share, 1.5, 1e-5); /* of the smaller */
        judged_end(&j);
    }
}

/* In the hole of a ring there is nothing of the ring, though boxes say so. */
static void ball_in_a_ring_is_outside(void) {
    judged j = judged_begin(NO_GRAVITY);
    judged_add(&j, judged_body(torus_shape(0.5, 0.1, 24), (lt_vec3){0, 0, 0}));
    judged_add(&j, judged_body(ball_shape(0.2, 3), (lt_vec3){0.1f, 0, 0}));
    judged_ready(&j);
    lt_judgement out = judged_look(&j);
    CHECK_COUNT(out.overlapping + out.intersecting, 0);
    judged_move(&j, 1, (lt_vec3){0.3f, 0, 0}); /* into the tube */
    out = judged_look(&j);
    CHECK_COUNT(out.overlapping, 1);
    judged_end(&j);
}

static void groups_that_do_not_meet_are_left_out(void) {
    judged j = judged_begin(NO_GRAVITY);
    for (int i = 0; i < 2; i++) {
        lt_body_def def = judged_body(cube_shape(1, 1), (lt_vec3){0.9f * (float)i, 0.3f, 0});
        def.collision_group = 1u << i;
        def.collision_mask = 1u << i;
        judged_add(&j, def);
    }
    judged_ready(&j);
    CHECK_COUNT(judged_look(&j).intersecting, 0);
    judged_end(&j);
}

/* ---- one body with itself ---- */

/* A strip whose ends are bent onto each other, far from each other in the carrier; and a tet turned inside out in place. */
static void crossing_oneself_and_folding_differ(void) {
    judged j = judged_begin(NO_GRAVITY);
    judged_add(&j, judged_body(block_shape(1, 0.05, 0.1, 12, 1, 1), (lt_vec3){0, 0, 0}));
    judged_ready(&j);
    lt_judgement out = judged_look(&j);
    CHECK_COUNT(out.self_crossings + out.folded, 0);
    uint32_t count = lt_body_node_count(j.world, j.bodies[0]);
    lt_vec3 *nodes = calloc(count, sizeof *nodes);
    lt_body_get_nodes(j.world, j.bodies[0], nodes, NULL);
    for (uint32_t i = 0; i < count;
         i++) /* folded over at x = 0: the right half lies in the left one, turned over */
        if (nodes[i].x > 0.01f)
            nodes[i] = (lt_vec3){-nodes[i].x + 0.03f, nodes[i].y + 0.02f, nodes[i].z + 0.01f};
    CHECK(lt_body_set_nodes(j.world, j.bodies[0], nodes, NULL, NULL) == LT_OK);
    out = judged_look(&j);
    CHECK(out.self_crossings > 0);
    CHECK(out.folded > 0); /* beside the crease */
    CHECK_COUNT(out.intersecting, 0);
    free(nodes);
    judged_end(&j);
}

/* ---- obstacles ---- */

static void below_the_floor_by_that_much(void) {
    judged j = judged_begin(NO_GRAVITY);
    judged_add_obstacle(&j, lt_obstacle_def_default());
    judged_add(&j, judged_body(cube_shape(0.2, 2), (lt_vec3){0, 0.11f, 0}));
    judged_ready(&j);
    CHECK(judged_look(&j).below == 0);
    judged_move(&j, 0, (lt_vec3){0, -0.03f, 0});
    lt_judgement out = judged_look(&j);
    CHECK_NEAR(out.below, 0.02, 1e-6);
    CHECK_NEAR(out.below_share, 0.1, 1e-5);
    CHECK_COUNT(out.lost, 0);
    judged_move(&j, 0, (lt_vec3){0, -0.1f, 0}); /* now more is below than above */
    out = judged_look(&j);
    CHECK_COUNT(out.sunken, 1);
    CHECK_COUNT(out.lost, 1);
    judged_end(&j);
}

/* The depth of one corner, or of the only vertex below, in obstacles of all kinds; the mesh is the box. */
static void depth_in_obstacles_of_every_kind(void) {
    lt_vec3 corners[8];
    lt_box_corners(corners, (lt_box){{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}});
    const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    for (int kind = LT_OBSTACLE_SPHERE; kind < LT_OBSTACLE_KIND_COUNT; kind++) {
        judged j = judged_begin(NO_GRAVITY);
        lt_obstacle_def def = lt_obstacle_def_default();
        def.kind = (lt_obstacle_kind)kind;
        def.position = (lt_vec3){0, -0.5f, 0};
        def.radius = 0.5f;
        def.half_length = 0.3f;
        def.half_extents = (lt_vec3){0.5f, 0.5f, 0.5f};
        def.mesh_positions = corners;
        def.mesh_triangles = faces[0];
        def.mesh_vertex_count = 8;
        def.mesh_triangle_count = 12;
        def.mesh_resolution = 4; /* the grid is as coarse as that, the judge does not look at it */
        if (kind == LT_OBSTACLE_CAPSULE) def.rotation = (lt_quat){0, 0, 0.70710678f, 0.70710678f};
        judged_add_obstacle(&j, def);
        judged_add(&j, judged_body(block_shape(0.2, 0.2, 0.2, 2, 1, 2), (lt_vec3){0, 0.1f - 0.03f, 0}));
        judged_ready(&j);
        CHECK_NEAR(judged_look(&j).below, 0.03, 1e-6);
        judged_end(&j);
    }
}

/* The corner of a box goes into the face of a cube, between its vertices. */
static void sharp_obstacles_are_found_from_their_side(void) {
    judged j = judged_begin(NO_GRAVITY);
    lt_obstacle_def def = lt_obstacle_def_default();
    def.kind = LT_OBSTACLE_BOX;
    def.half_extents = (lt_vec3){0.1f, 0.1f, 0.1f};
    def.position = (lt_vec3){0.05f, -0.55f, 0.05f}; /* its top at -0.45, the bottom of the cube at -0.5 */
    judged_add_obstacle(&j, def);
    judged_add(&j, judged_body(cube_shape(1, 1), (lt_vec3){0, 0, 0}));
    judged_ready(&j);
    CHECK_NEAR(judged_look(&j).below, 0.05, 1e-6);
    judged_end(&j);
}

/* ---- lost ---- */

static judged cube_beside_wall(void) {
    judged j = judged_begin(NO_GRAVITY);
    lt_obstacle_def wall = lt_obstacle_def_default();
    wall.kind = LT_OBSTACLE_BOX;
    wall.half_extents = (lt_vec3){0.02f, 1, 1};
    judged_add_obstacle(&j, wall);
    judged_add(&j, judged_body(cube_shape(0.2, 2), (lt_vec3){0.5f, 0, 0}));
    judged_ready(&j);
    return j;
}

static lt_judgement move_in_parts(judged *j, lt_vec3 by, int parts) {
    lt_judgement out = {0};
    for (int i = 0; i < parts; i++) {
        judged_move(j, 0, lt_v3_scale(by, 1.0f / (float)parts));
        out = judged_look(j);
    }
    return out;
}

static void through_a_wall_is_lost_however_fast(void) {
    for (int parts = 1; parts <= 101; parts += 50) {
        judged j = cube_beside_wall();
        lt_judgement out = move_in_parts(&j, (lt_vec3){-1, 0, 0}, parts);
        CHECK_COUNT(out.passed, 1);
        CHECK_COUNT(out.lost, 1);
        out = move_in_parts(&j, (lt_vec3){1, 0, 0}, parts);
        CHECK_COUNT(out.passed, 0); /* and back again */
        judged_end(&j);
    }
}

static void around_a_wall_is_not_lost(void) {
    judged j = cube_beside_wall();
    move_in_parts(&j, (lt_vec3){0, 1.5f, 0}, 3);
    move_in_parts(&j, (lt_vec3){-1, 0, 0}, 1);
    lt_judgement out = move_in_parts(&j, (lt_vec3){0, -1.5f, 0}, 3);
    CHECK_COUNT(out.lost, 0);
    /* Into it and out on the same side neither. */
    move_in_parts(&j, (lt_vec3){0.4f, 0, 0}, 20);
    CHECK_COUNT(move_in_parts(&j, (lt_vec3){-0.4f, 0, 0}, 20).lost, 0);
    judged_end(&j);
}

static void far_away_is_lost(void) {
    judged j = cube_beside_wall();
    CHECK_COUNT(move_in_parts(&j, (lt_vec3){0, -15, 0}, 1).lost, 0);
    lt_judgement out = move_in_parts(&j, (lt_vec3){0, -15, 0}, 1);
    CHECK_COUNT(out.away, 1);
    CHECK_COUNT(out.lost, 1);
    judged_end(&j);
}

/* No world has such nodes today; the judge is to say so on the day that one does. */
static void not_finite_is_lost_and_nothing_else(void) {
    judged j = judged_begin(NO_GRAVITY);
    judged_add_obstacle(&j, lt_obstacle_def_default());
    judged_add(&j, judged_body(cube_shape(1, 1), (lt_vec3){0, 1, 0}));
    judged_add(&j, judged_body(cube_shape(1, 1), (lt_vec3){0.5f, 1, 0}));
    judged_ready(&j);
    lt_judgement out;
    lt_judge_read(j.judge);
    lt_judge_body *body = lt_judge_body_at(j.judge, 1);
    body->nodes[3].y = NAN;
    lt_judge_check_finite(body);
    CHECK(lt_judge_look(j.judge, &out, NULL) == LT_OK);
    CHECK_COUNT(out.not_finite, 1);
    CHECK_COUNT(out.lost, 1);
    CHECK_COUNT(out.intersecting, 0);
    CHECK(out.energy == out.energy);
    CHECK_NEAR(out.height_mean, 1, 1e-12);
    body->nodes[3].y = 1;
    body->velocities[0].z = INFINITY;
    lt_judge_check_finite(body);
    CHECK(!body->is_finite);
    judged_end(&j);
}

int main(void) {
    RUN(cubes_apart_are_apart);
    RUN(depth_of_overlapping_cubes_is_known);
    RUN(crossed_bars_meet_without_depth);
    RUN(coincident_bodies_are_half_a_side_deep);
    RUN(swallowed_body_is_found);
    RUN(ball_in_a_ring_is_outside);
    RUN(groups_that_do_not_meet_are_left_out);
    RUN(crossing_oneself_and_folding_differ);
    RUN(below_the_floor_by_that_much);
    RUN(depth_in_obstacles_of_every_kind);
    RUN(sharp_obstacles_are_found_from_their_side);
    RUN(through_a_wall_is_lost_however_fast);
    RUN(around_a_wall_is_not_lost);
    RUN(far_away_is_lost);
    RUN(not_finite_is_lost_and_nothing_else);
    return check_finish();
}
