/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A built-in scene, changed if need be, built and run, and what is asked of it. In place: a scene must stay where it is
 * while its world is used. */

#ifndef LITHE_TESTS_SCENES_RUNNING_H
#define LITHE_TESTS_SCENES_RUNNING_H

#include "check.h"
#include "core/vec.h"
#include "scenes/scene.h"

typedef struct running {
    lt_scene scene;
    lt_scene_world world;
    lt_report last;
} running;

static inline bool running_make(running *r, const char *name) {
    lt_error error = {0};
    *r = (running){0};
    if (lt_scene_make(&r->scene, name, NULL, &error) == LT_OK) return true;
    CHECK_FAIL_MESSAGE("scene %s: %s", name, error.message);
    return false;
}

static inline bool running_build(running *r) {
    lt_error error = {0};
    if (lt_scene_build(&r->world, &r->scene, NULL, &error) == LT_OK) return true;
    CHECK_FAIL_MESSAGE("scene %s: %s", r->scene.name, error.message);
    return false;
}

static inline bool begin(running *r, const char *name) {
    return running_make(r, name) && running_build(r);
}

static inline void run(running *r, uint64_t steps) {
    uint64_t problems = 0;
    for (uint64_t i = 0; i < steps; i++) {
        lt_scene_advance(&r->world, i);
        r->last = lt_world_step(r->world.world, r->scene.dt, lt_budget_unlimited());
        problems += r->last.blown_up + r->last.dropped;
    }
    CHECK_COUNT(problems, 0);
}

static inline void end(running *r) {
    lt_scene_world_free(&r->world);
    lt_scene_free(&r->scene);
}

static inline lt_box box_of(running *r, uint32_t body) {
    lt_surface_view view = lt_body_surface(r->world.world, r->world.bodies[body]);
    lt_box box = lt_box_empty();
    for (uint32_t i = 0; i < view.vertex_count; i++)
        box = lt_box_add_point(box, view.positions[i]);
    return box;
}

static inline lt_vec3 center_of(const running *r, uint32_t body) {
    return lt_body_center(r->world.world, r->world.bodies[body]);
}

/* Between two bodies, or of one with itself. */
static inline uint32_t count_contacts(const running *r, uint32_t a, uint32_t b) {
    uint32_t count, found = 0;
    const lt_contact *contacts = lt_world_contacts(r->world.world, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = contacts[i].body_a.index_plus_one, second = contacts[i].body_b.index_plus_one;
        uint32_t want_a = r->world.bodies[a].index_plus_one, want_b = r->world.bodies[b].index_plus_one;
        found += (first == want_a && second == want_b) || (first == want_b && second == want_a);
    }
    return found;
}

#endif
