/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A pile of bodies for tests that cut a method after every unit, and what they ask of it. */

#ifndef LITHE_TESTS_METHOD_PILE_H
#define LITHE_TESTS_METHOD_PILE_H

#include "world/fixture.h"

enum { PILE_BODIES = 5 };

typedef struct pile {
    lt_shape *shapes[PILE_BODIES];
    lt_vec3 places[PILE_BODIES];
    lt_model model;
    bool pinned; /* nothing moves */
} pile;

/* Cubes of 0.2 m and a ball of 0.12 m, so near that their spheres push; one cube is apart. */
static inline pile pile_of(lt_shape *cube, lt_shape *ball) {
    return (pile){.shapes = {cube, cube, ball, cube, cube},
                  .places = {{0, 0.0995f, 0},
                             {0.02f, 0.293f, 0.01f},
                             {0.04f, 0.49f, 0},
                             {0.195f, 0.0995f, 0.03f},
                             {2, 0.0995f, 0}},
                  .model = LT_MODEL_COROTATIONAL};
}

/* Bodies on a floor and against a ball: pairs of all kinds. */
static inline lt_world *make_pile(lt_world_def def, const pile *p) {
    def.sleeping = false;
    if (p->pinned) def.gravity = (lt_vec3){0, 0, 0};
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_obstacle_def od = lt_obstacle_def_default();
    od.kind = LT_OBSTACLE_SPHERE;
    od.radius = 0.1f;
    od.position = (lt_vec3){-0.195f, 0.15f, 0};
    add_obstacle_def(world, &od);
    for (uint32_t i = 0; i < PILE_BODIES; i++) {
        lt_body_def bd = lt_body_def_default();
        bd.shape = p->shapes[i];
        bd.position = p->places[i];
        bd.model = p->model;
        lt_body_id body = add_body_def(world, &bd);
        if (p->pinned) lt_body_pin_box(world, body, (lt_vec3){-9, -9, -9}, (lt_vec3){9, 9, 9});
    }
    return world;
}

/* Units that are spent whatever the budget, but for boxes. */
static inline uint64_t always_done(const lt_report *report) {
    return report->cuts.units[LT_STAGE_BROAD] + report->cuts.units[LT_STAGE_CONTACTS] +
           report->cuts.units[LT_STAGE_RESPOND];
}

/* How many contacts of the list have none now of which the first `words` of the key agree: 3 the same contact, 2 the same
 * pair. */
static inline uint32_t missing_contacts(const lt_contact *all, uint32_t count, const lt_world *world,
                                        size_t words) {
    uint32_t found_count, missing = 0;
    const lt_contact *found = lt_world_contacts(world, &found_count);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t key[3], other[3];
        contact_key(&all[i], key);
        bool there = false;
        for (uint32_t k = 0; k < found_count && !there; k++) {
            contact_key(&found[k], other);
            there = memcmp(key, other, words * sizeof *key) == 0;
        }
        missing += !there;
    }
    return missing;
}

#endif
