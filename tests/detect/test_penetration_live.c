/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The collision cycle as the paper has it: every element looks at where things are in its step. A cube on another moves while
 * a cycle is under way. */

#include "check.h"

#include "detect/penetration.h"
#include "embed/soft_fixture.h"

typedef struct scene {
    soft_fixture bodies[2];
    lt_collider colliders[2];
    lt_pair pair;
    lt_cycle cycle;
} scene;

static scene s;

/* Above the lower one by `gap`, aside by `aside`. */
static void move_upper(double gap, double aside) {
    affine to = translation(0.13 + aside, 1 + gap, 0.17);
    fixture_move(&s.bodies[1], move_affine, &to);
}

static bool make_scene(void) {
    memset(&s, 0, sizeof s);
    for (int i = 0; i < 2; i++) {
        if (!fixture_block(&s.bodies[i], (lt_dvec3){1, 1, 1}, 3, 3, 3, (fixture_options){0})) return false;
        if (i == 1) move_upper(-0.05, 0);
        s.colliders[i] = s.bodies[i].collider;
    }
    s.pair = (lt_pair){.a = 0, .kind = LT_PAIR_BODIES, .b = 1};
    lt_allocator allocator = lt_allocator_default();
    return lt_cycle_reserve(&s.cycle, s.colliders, 2, 400, 4, &allocator, NULL) == LT_OK;
}

static void free_scene(void) {
    lt_cycle_free(&s.cycle);
    for (int i = 0; i < 2; i++)
        fixture_free(&s.bodies[i]);
}

/* `reach` as in a world where both move that far in a step. */
static void begin(bool live, float reach) {
    for (int i = 0; i < 2; i++) {
        lt_collider_measure(&s.colliders[i], 0.01f, lt_bound_kernels_for(LT_LEVEL_SCALAR));
        s.colliders[i].reach = reach;
    }
    lt_cycle_input input = {.colliders = s.colliders,
                            .collider_count = 2,
                            .pairs = &s.pair,
                            .pair_count = 1,
                            .dt = 0.01f,
                            .latency = 2,
                            .live = live,
                            .smooth_normals = true,
                            .function = LT_SPATIAL_TESCHNER,
                            .kernels = lt_embed_kernels_for(LT_LEVEL_SCALAR),
                            .cloud_kernels = lt_cloud_kernels_for(LT_LEVEL_SCALAR)};
    lt_cycle_begin(&s.cycle, &input);
}

/* Until a phase begins. */
static void advance_to(lt_cycle_phase phase) {
    while (s.cycle.phase < phase)
        lt_cycle_step(&s.cycle, lt_cycle_peek(&s.cycle, 0).cost);
}

static uint32_t count_of(lt_found_status status) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s.cycle.found_count; i++)
        count += s.cycle.found[i].status == status;
    return count;
}

static void cycles_look_at_now(void) {
    static lt_found expected[400];
    CHECK_FATAL(make_scene());
    begin(true, 0.05f);
    advance_to(LT_CYCLE_TRIANGLES);
    CHECK(s.cycle.inside_count >= 8);
    CHECK_COUNT(count_of(LT_FOUND_GUESSED), s.cycle.found_count);
    /* All sink by 0.02 and slide into other tets, before their depths are asked for. */
    move_upper(-0.07, 0.04);
    lt_cycle_refresh(&s.cycle);
    advance_to(LT_CYCLE_DONE);
    uint32_t count = s.cycle.found_count;
    CHECK_FATAL(count <= 400);
    memcpy(expected, s.cycle.found, count * sizeof *expected);
    /* That is what a cycle finds that begins there. */
    begin(true, 0.05f);
    advance_to(LT_CYCLE_DONE);
    CHECK_COUNT(s.cycle.found_count, count);
    for (uint32_t i = 0; i < count; i++) {
        const lt_found *x = &expected[i], *y = &s.cycle.found[i];
        CHECK(x->point == y->point && x->other == y->other && x->status == y->status);
        CHECK_NEAR(x->depth, y->depth, 1e-6);
        CHECK_NEAR(lt_v3_distance(x->normal, y->normal), 0, 1e-5);
        for (int k = 0; k < 4 && x->tet == y->tet; k++)
            CHECK_NEAR(x->weights[k], y->weights[k], 1e-6);
    }
    CHECK_COUNT(count_of(LT_FOUND_GUESSED) + count_of(LT_FOUND_NEAR), 0); /* and nothing is made ahead */
    free_scene();
}

/* Copied, a cycle is about when it began; live, who has come out is gone. */
static void points_that_come_out_are_gone(void) {
    for (int live = 0; live < 2; live++) {
        CHECK_FATAL(make_scene());
        begin(live, 0.05f);
        advance_to(LT_CYCLE_TRIANGLES);
        uint32_t inside = s.cycle.inside_count;
        CHECK(inside >= 8);
        move_upper(0.01, 0);
        if (live) lt_cycle_refresh(&s.cycle);
        advance_to(LT_CYCLE_DONE);
        CHECK_COUNT(count_of(LT_FOUND_GONE), live ? inside : 0);
        CHECK_COUNT(count_of(LT_FOUND_BORDER) + count_of(LT_FOUND_SPREAD) + count_of(LT_FOUND_LEFT),
                    live ? 0 : inside);
        free_scene();
    }
}

/* Some are out when depths spread: who is left still gets one, and the cycle ends. */
static void points_may_come_out_while_depths_spread(void) {
    CHECK_FATAL(make_scene());
    begin(true, 0.05f);
    advance_to(LT_CYCLE_SPREAD);
    uint32_t open = s.cycle.open_count;
    CHECK(open > 0);
    move_upper(0.01, 0);
    lt_cycle_refresh(&s.cycle);
    advance_to(LT_CYCLE_DONE);
    CHECK_COUNT(count_of(LT_FOUND_GONE), open);
    CHECK_COUNT(count_of(LT_FOUND_GUESSED) + count_of(LT_FOUND_LEFT), 0);
    free_scene();
}

/* Tets are hashed where they were; grown by how far they get, they are found where points meet them. */
static void boxes_grow_by_how_far_bodies_get(void) {
    for (int grown = 0; grown < 2; grown++) {
        CHECK_FATAL(make_scene());
        move_upper(0.3, 0);
        begin(true, grown ? 0.15f : 1e-6f);
        advance_to(LT_CYCLE_TETS);
        move_upper(-0.05, 0);
        lt_cycle_refresh(&s.cycle);
        advance_to(LT_CYCLE_DONE);
        CHECK(grown ? s.cycle.inside_count >= 8 : s.cycle.inside_count == 0);
        uint32_t upper = 0; /* points in tets that were hashed elsewhere */
        for (uint32_t i = 0; i < s.cycle.found_count; i++)
            upper += s.cycle.found[i].other == 1;
        CHECK_COUNT(upper, grown ? 9 : 0);
        if (grown) CHECK_COUNT(count_of(LT_FOUND_LEFT) + count_of(LT_FOUND_GONE), 0);
        free_scene();
    }
}

/* Edges of points that come out while edges are listed belong to nobody. */
static void points_may_come_out_while_edges_are_listed(void) {
    for (uint32_t at = 0; at < 20; at++) {
        CHECK_FATAL(make_scene());
        begin(true, 0.05f);
        advance_to(LT_CYCLE_EDGES);
        for (uint32_t i = 0; i < at && s.cycle.phase == LT_CYCLE_EDGES; i++)
            lt_cycle_step(&s.cycle, lt_cycle_peek(&s.cycle, 0).cost);
        move_upper(0.01, 0);
        lt_cycle_refresh(&s.cycle);
        advance_to(LT_CYCLE_DONE);
        CHECK_COUNT(count_of(LT_FOUND_GUESSED), 0);
        free_scene();
    }
}

int main(void) {
    RUN(cycles_look_at_now);
    RUN(points_that_come_out_are_gone);
    RUN(points_may_come_out_while_edges_are_listed);
    RUN(points_may_come_out_while_depths_spread);
    RUN(boxes_grow_by_how_far_bodies_get);
    return check_finish();
}
