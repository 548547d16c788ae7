/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A world of a few bodies and its judge. */

#ifndef LITHE_TESTS_JUDGE_FIXTURE_H
#define LITHE_TESTS_JUDGE_FIXTURE_H

#include "judge/judge_internal.h"
#include "world/fixture.h"

enum { JUDGED_BODIES = 4 };

typedef struct judged {
    lt_world *world;
    lt_judge *judge;
    lt_body_id bodies[JUDGED_BODIES];
    uint32_t body_count;
} judged;

/* No gravity, no sleep, no damping: what moves goes on. */
static inline judged judged_begin_with(lt_vec3 gravity, lt_method method) {
    lt_world_def def = test_world_def();
    def.gravity = gravity;
    def.sleeping = false;
    def.method = method;
    judged j = {.world = make_world(&def)};
    CHECK(lt_judge_create(&j.judge, j.world, gravity, NULL, NULL) == LT_OK);
    return j;
}

static inline judged judged_begin(lt_vec3 gravity) {
    return judged_begin_with(gravity, LT_METHOD_REFERENCE);
}

static inline lt_body_def judged_body(lt_shape *shape, lt_vec3 position) {
    lt_body_def def = lt_body_def_default();
    def.shape = shape;
    def.position = position;
    def.material.mass_damping = 0;
    def.material.stiffness_damping = 0;
    return def;
}

/* Takes the shape over. */
static inline lt_body_id judged_add(judged *j, lt_body_def def) {
    lt_error error = {0};
    lt_body_id id = add_body_def(j->world, &def);
    if (lt_judge_add_body(j->judge, id, &def, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    lt_shape_release(def.shape);
    j->bodies[j->body_count++] = id;
    return id;
}

static inline lt_obstacle_id judged_add_obstacle(judged *j, lt_obstacle_def def) {
    lt_error error = {0};
    lt_obstacle_id id = add_obstacle_def(j->world, &def);
    if (lt_judge_add_obstacle(j->judge, id, &def, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    return id;
}

static inline void judged_ready(judged *j) {
    CHECK(lt_judge_begin(j->judge, NULL) == LT_OK);
}

static inline lt_judgement judged_look(judged *j) {
    lt_judgement out = {0};
    CHECK(lt_judge_check(j->judge, &out, NULL) == LT_OK);
    return out;
}

/* Every node through a linear map about the origin, then moved. */
static inline void judged_map(judged *j, uint32_t body, lt_dmat3 map, lt_vec3 by) {
    uint32_t count = lt_body_node_count(j->world, j->bodies[body]);
    lt_vec3 *nodes = calloc(count, sizeof *nodes);
    lt_body_get_nodes(j->world, j->bodies[body], nodes, NULL);
    for (uint32_t i = 0; i < count; i++)
        nodes[i] = lt_v3_add(lt_v3_from_d3(lt_dm3_mul_vec(map, lt_d3_from_v3(nodes[i]))), by);
    CHECK(lt_body_set_nodes(j->world, j->bodies[body], nodes, NULL, NULL) == LT_OK);
    free(nodes);
}

static inline void judged_move(judged *j, uint32_t body, lt_vec3 by) {
    judged_map(j, body, lt_dm3_identity(), by);
}

static inline void judged_end(judged *j) {
    lt_judge_destroy(j->judge);
    lt_world_destroy(j->world);
    *j = (judged){0};
}

#endif
