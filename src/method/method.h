/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Seam of method/: one whole way of handling collisions, composed of the folders above.
 *
 * A method is an instance (its state: contacts, pairs, unfinished work) and verbs. The step calls two hooks, both
 * within the same budget:
 *
 *   before_motion   contacts at the present state, couplings for the models           (penalty methods)
 *   after_motion    contacts over the motion, velocities and positions corrected     (constraint methods)
 *
 * The world keeps instances in an array and every body pair an index into it; today that index is always 0. */

#ifndef LITHE_METHOD_METHOD_H
#define LITHE_METHOD_METHOD_H

#include "lithe/debug_draw.h"
#include "method/rest.h"
#include "respond/respond.h"

/* What a body got from another one, or (body_b LT_NONE) from something of infinite mass, after the motion. */
typedef struct lt_exchange {
    uint32_t body_a, body_b;
    lt_rvec3 impulse; /* N s, on a; b got the opposite */
} lt_exchange;

/* How much there is memory for: it comes with bodies and obstacles (world/capacity.c), up to the ceilings of the world's def. */
typedef struct lt_capacities {
    uint32_t contacts;
    uint32_t pairs;
    uint32_t sphere_pairs; /* under way in the search of a pair: sphere-tree */
    uint32_t couplings;    /* that the world may append to a method's */
} lt_capacities;

/* Everything a hook may see and change. */
typedef struct lt_method_step {
    /* Input */
    lt_collider *colliders; /* [collider_count] by body slot */
    uint32_t collider_count;
    lt_soft *softs;         /* [collider_count] */
    lt_obstacle *obstacles; /* [obstacle_count] by slot */
    uint32_t obstacle_count;
    lt_obstacle
        *seen_obstacles; /* [seen_obstacle_count] the same as other frames see them, see lt_step_obstacle */
    uint32_t seen_obstacle_count;
    float dt;
    lt_vec3 gravity; /* m/s² */
    bool self_collision;
    lt_simd_level level;
    lt_tasks *tasks;
    lt_arena *arena;
    lt_meter *meter;
    /* Output of before_motion: couplings for the models. As many more as `capacities` say may be appended by the world. */
    lt_capacities capacities;
    lt_coupling *couplings;
    uint32_t coupling_count;
    /* Output of before_motion: the models are to leave their matrices. Then input of after_motion: who moved, and these */
    bool wants_systems;
    const uint32_t *awake; /* [awake_count] */
    uint32_t awake_count;
    const lt_system *systems; /* [awake_count]; NULL: there are none */
    /* Output: spheres that contacts were made of, where somebody wants to see them */
    lt_sphere_log *used;
    /* Output of after_motion: impulses that it gave, for whoever watches momentum; NULL: none */
    lt_exchange *exchanges;
    uint32_t exchange_count;
    /* Output: counts for the report */
    lt_report *report;
} lt_method_step;

/* The obstacle of a pair as the frame of the pair's body sees it. */
static inline lt_obstacle *lt_step_obstacle(const lt_method_step *step, const lt_pair *pair) {
    LT_ASSERT(pair->kind == LT_PAIR_OBSTACLE && pair->b < step->obstacle_count);
    return lt_obstacle_at(&step->colliders[pair->a], step->obstacles, pair->b);
}

/* Options of the world's def that a method may read. */
typedef struct lt_method_options {
    uint32_t pair_capacity; /* ceiling */
    lt_mode mode;
    lt_sphere_tree_options sphere_tree;
    lt_tet_hash_options tet_hash;
    lt_cell_box_options cell_box;
    lt_multiscale_options multiscale;
} lt_method_options;

/* Bounds that a method looks at beside the points and tet boxes that every body of tets has: the world makes them of bodies whose
 * shape has what they take. */
typedef enum lt_method_bounds {
    LT_BOUNDS_NONE,
    LT_BOUNDS_SPHERES, /* lt_collider.spheres */
    LT_BOUNDS_CELLS,   /* lt_collider.cells */
    LT_BOUNDS_SURFACE  /* lt_collider.surface */
} lt_method_bounds;

typedef struct lt_method_verbs {
    lt_method method;
    bool has_paper; /* a mode as its paper prints it */
    lt_method_bounds bounds;
    const lt_rest *rest; /* how slow a body is */
    /* What the method looks at of a body on draw->level, 1 or deeper; NULL: nothing. */
    void (*draw)(const void *state, const lt_collider *collider, const lt_debug_draw *draw);
    lt_status (*create)(void **state, const lt_method_options *options, const lt_allocator *allocator,
                        lt_error *error);
    void (*destroy)(void *state);
    /* Memory for these bodies and capacities, of which none is less than before; colliders get their parts, if the method has some. Where it is out, the state is as good as before. */
    lt_status (*reserve)(void *state, const lt_capacities *capacities, lt_collider *colliders,
                         uint32_t collider_count, lt_error *error);
    /* Why this method cannot handle the body, NULL when it can. */
    const char *(*refuse)(const lt_collider *collider);
    /* Bytes that a step takes at most once there is memory for so much. */
    size_t (*scratch)(const void *state, const lt_capacities *capacities, const lt_collider *colliders,
                      uint32_t collider_count);
    void (*before_motion)(void *state, lt_method_step *step);
    void (*after_motion)(void *state, lt_method_step *step);
    /* A body or obstacle is gone: forget what was about it. */
    void (*forget_body)(void *state, uint32_t body);
    void (*forget_obstacle)(void *state, uint32_t obstacle);
    /* A body was put elsewhere between steps: what is known of it by how far it moved is void. */
    void (*displace_body)(void *state, uint32_t body);
    /* The frame of a body became another one: its offsets are larger by so much. What is known by how far it moved is void, too:
     * displace_body is called as well. */
    void (*shift_body)(void *state, uint32_t body, lt_vec3 by);
    const lt_contact_list *(*contacts)(const void *state);
    /* Pairs that it has to look at, and how many steps ago it did so in full, 0: in the last one; by place. */
    const lt_pair_table *(*pairs)(const void *state);
    uint32_t (*waited)(const void *state, uint32_t pair);
    /* A text on what is wrong with the state between two steps; NULL: nothing is. */
    const char *(*validate)(const void *state);
    /* Mixes what decides the future into a hash: contacts and unfinished work. */
    uint64_t (*hash)(const void *state, uint64_t hash);
    size_t (*state_size)(const void *state);
    void (*save)(const void *state, uint8_t *bytes);
    /* False, and nothing changed, when the bytes do not fit this world or are damaged. */
    bool (*restore)(void *state, const uint8_t *bytes, size_t size, const lt_method_step *world);
} lt_method_verbs;

/* Why a method that needs tets refuses the body; NULL when it has some. */
static inline const char *lt_refuse_cells(const lt_collider *collider) {
    return lt_collider_is_of_cells(collider)
               ? "its shape is a lattice, which is for the method cell-box; bake it with tets (lithe bake "
                 "--carrier tet)"
               : NULL;
}

/* Why a method that pushes nodes refuses the body; NULL when all of its nodes move by themselves. */
static inline const char *lt_refuse_ladders(const lt_collider *collider) {
    return collider->soft->grid
               ? "its model is multigrid, which is for the method multiscale; take corotational, which "
                 "moves the finest mesh of its ladder"
               : NULL;
}

const lt_method_verbs *lt_method_verbs_of(lt_method method);

#endif
