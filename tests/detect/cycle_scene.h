/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies moved by hand and a collision cycle over all pairs of them. Include after check.h. */

#ifndef LITHE_TESTS_DETECT_CYCLE_SCENE_H
#define LITHE_TESTS_DETECT_CYCLE_SCENE_H

#include "detect/penetration.h"
#include "embed/soft_fixture.h"

enum { SCENE_BODIES = 4, SCENE_PAIRS = 32, SCENE_FOUND = 8192 };

typedef struct scene {
    soft_fixture bodies[SCENE_BODIES]; /* colliders point into these: do not copy the scene */
    lt_collider colliders[SCENE_BODIES];
    float reach[SCENE_BODIES];      /* m in a step */
    lt_vec3 velocity[SCENE_BODIES]; /* of the mean node */
    lt_pair pairs[SCENE_PAIRS];
    lt_obstacle obstacles[2];
    uint32_t body_count, pair_count, obstacle_count;
    uint32_t found_capacity; /* 0: SCENE_FOUND */
    bool self;
    lt_cycle_input input;
    lt_cycle cycle;
} scene;

static inline void scene_free(scene *s) {
    for (uint32_t i = 0; i < s->body_count; i++)
        fixture_free(&s->bodies[i]);
    lt_cycle_free(&s->cycle);
    memset(s, 0, sizeof *s);
}

static inline soft_fixture *scene_add(scene *s, double size, uint32_t cells) {
    soft_fixture *f = &s->bodies[s->body_count];
    if (!fixture_block(f, (lt_dvec3){size, size, size}, cells, cells, cells, (fixture_options){0}))
        return NULL;
    s->body_count++;
    return f;
}

static inline void scene_move(scene *s, uint32_t body, double x, double y, double z) {
    affine a = translation(x, y, z);
    fixture_move(&s->bodies[body], move_affine, &a);
}

static inline void add_scene_pair(scene *s, uint32_t a, lt_pair_kind kind, uint32_t b) {
    s->pairs[s->pair_count++] = (lt_pair){.a = a, .kind = kind, .b = b};
}

/* Begins a cycle over everything as it is now; false, with a failed check, without memory. */
static inline bool scene_begin(scene *s) {
    lt_error error = {LT_OK, ""};
    lt_allocator standard = lt_allocator_default();
    s->pair_count = 0;
    for (uint32_t i = 0; i < s->body_count; i++) {
        s->colliders[i] = s->bodies[i].collider;
        s->colliders[i].reach = s->reach[i];
        s->colliders[i].velocity = s->velocity[i];
        if (s->self) add_scene_pair(s, i, LT_PAIR_SELF, i);
        for (uint32_t k = i + 1; k < s->body_count; k++)
            add_scene_pair(s, i, LT_PAIR_BODIES, k);
        for (uint32_t k = 0; k < s->obstacle_count; k++)
            add_scene_pair(s, i, LT_PAIR_OBSTACLE, k);
    }
    uint32_t capacity = s->found_capacity ? s->found_capacity : SCENE_FOUND;
    if (lt_cycle_reserve(&s->cycle, s->colliders, s->body_count, capacity, SCENE_PAIRS, &standard, &error) !=
        LT_OK) {
        CHECK_FAIL_MESSAGE("cycle: %s", error.message);
        return false;
    }
    s->input.colliders = s->colliders;
    s->input.collider_count = s->body_count;
    s->input.obstacles = s->obstacles;
    s->input.pairs = s->pairs;
    s->input.pair_count = s->pair_count;
    s->input.dt = 1.0f / 60;
    s->input.kernels = lt_embed_kernels_for(LT_LEVEL_SCALAR);
    s->input.cloud_kernels = lt_cloud_kernels_for(LT_LEVEL_SCALAR);
    CHECK(lt_cycle_begin(&s->cycle, &s->input) > 0);
    return true;
}

static inline void scene_finish(scene *s) {
    uint32_t calls = 0;
    for (; !lt_cycle_is_done(&s->cycle) && calls < 1000000; calls++)
        if (lt_cycle_step(&s->cycle, 1u << 30) == 0) break;
    CHECK(lt_cycle_is_done(&s->cycle));
    CHECK_COUNT(lt_cycle_peek(&s->cycle, 0).cost, 0);
}

static inline bool scene_run(scene *s) {
    if (!scene_begin(s)) return false;
    scene_finish(s);
    return true;
}

/* ---- reading ---- */

static inline const lt_cycle_body *body_of(const scene *s, const lt_found *f) {
    return &s->cycle.bodies[s->cycle.body_of_point[f->point]];
}

static inline uint32_t slot_of(const scene *s, const lt_found *f) {
    return body_of(s, f)->slot;
}

static inline uint32_t other_slot(const scene *s, const lt_found *f) {
    return f->status == LT_FOUND_OBSTACLE ? f->other : s->cycle.bodies[f->other].slot;
}

static inline uint32_t own_point(const scene *s, const lt_found *f) {
    return f->point - body_of(s, f)->first_point;
}

static inline bool is_inside(const lt_found *f) {
    return f->status != LT_FOUND_NEAR && f->status != LT_FOUND_OBSTACLE;
}

/* The record of a point of one body in or near another, by slots; NULL: none. */
static inline const lt_found *scene_found(const scene *s, uint32_t slot, uint32_t point, uint32_t other) {
    for (uint32_t i = 0; i < s->cycle.found_count; i++) {
        const lt_found *f = &s->cycle.found[i];
        if (f->status != LT_FOUND_OBSTACLE && slot_of(s, f) == slot && own_point(s, f) == point &&
            other_slot(s, f) == other)
            return f;
    }
    return NULL;
}

/* Numbers are numbers, ids are ids, normals are unit, what is inside has a tet that holds it. */
static inline uint32_t unsound_found(const scene *s) {
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < s->cycle.found_count; i++) {
        const lt_found *f = &s->cycle.found[i];
        if (f->status == LT_FOUND_GONE) continue;
        bool sound = f->depth - f->depth == 0 && fabsf(lt_v3_length(f->normal) - 1) < 1e-5f &&
                     f->point < s->cycle.point_count && f->status != LT_FOUND_GUESSED;
        if (f->status != LT_FOUND_OBSTACLE) {
            const lt_collider *other = &s->colliders[other_slot(s, f)];
            float sum = f->weights[0] + f->weights[1] + f->weights[2] + f->weights[3];
            sound = sound && f->tet < other->soft->carrier.tet_count && fabsf(sum - 1) < 1e-3f;
        }
        if (is_inside(f))
            for (int k = 0; k < 4; k++)
                sound = sound && f->weights[k] > -1e-6f;
        wrong += !sound;
    }
    return wrong;
}

#endif
