/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inside world/: bodies and obstacles by slot, one method, one step.
 *
 *   world.c      life of a world, defs            bodies.c     bodies, pins, handles, forces
 *   obstacles.c  obstacles                        step.c       the step: a table of contents
 *   sleep.c      who rests                        snapshot.c   saving, restoring, hashing
 *   wake.c       who is woken for a step          ray.c        what a ray meets
 *   validate.c   what must hold between steps     capacity.c   memory for steps, as things are added
 *   debug_draw.c what is known, as lines            frames.c     origins of bodies, obstacles as these see them
 *   layouts.c    boxes of lattices and multiscale trees, once a shape    diagnostics.c  energy and momentum */

#ifndef LITHE_WORLD_WORLD_H
#define LITHE_WORLD_WORLD_H

#include "body/rest_factor.h"
#include "core/id.h"
#include "detect/moving_surface.h"
#include "method/method.h"

/* What bodies of one shape have in common: the layout of its cell boxes, or its multiscale tree. */
typedef struct lt_shared_layout {
    lt_cell_layout layout;
    lt_surface_parts surface;
    const lt_shape *shape; /* retained by the bodies */
    uint32_t body_count;
} lt_shared_layout;

/* What a body has beside its lt_soft and lt_collider. Shape and skin are constants; the rest is state. */
typedef struct lt_body {
    lt_shape *shape;
    lt_skin skin;
    lt_sphere_tree sphere_tree; /* where the method wants one */
    lt_shared_layout *layout;   /* of a lattice or a multiscale tree, likewise; NULL: none */
    void *user_data;
    lt_vec3 *view_positions; /* [skin.point_count] for lt_body_surface */
    lt_vec3 *view_normals;   /* [skin.point_count] */
    uint8_t *node_levels;    /* [node_count of the carrier] for lt_body_levels */
    float quiet_time;        /* s it has been slow */
} lt_body;

typedef struct lt_handle {
    uint32_t body; /* index */
    uint32_t vertex;
    lt_vec3 target; /* offset from the origin */
    float stiffness;
    double origin[3];
} lt_handle;

struct lt_world {
    lt_world_def def;
    lt_allocator allocator; /* the caller's, counted */
    uint64_t allocation_count;
    lt_simd_level level;
    lt_tasks *tasks;
    lt_meter meter;
    lt_arena arena;
    /* Bodies: three arrays by slot, split by who reads them */
    lt_slots body_slots;
    lt_rest_factors factors;
    lt_array softs;     /* lt_soft */
    lt_array colliders; /* lt_collider */
    lt_array bodies;    /* lt_body */
    lt_array layouts;   /* lt_shared_layout * */
    lt_slots obstacle_slots;
    lt_array obstacles; /* lt_obstacle */
    lt_slots handle_slots;
    lt_array handles; /* lt_handle */
    const lt_method_verbs *method;
    void *method_state;
    lt_capacities capacities; /* so far; `couplings` are counted anew in every step */
    lt_contact *contacts;     /* [capacities.contacts] of the last step, as the caller sees them */
    uint32_t contact_count;
    bool contacts_are_published; /* `contacts` are those of the last step */
    lt_obstacle
        *seen_obstacles; /* [frame_count][obstacle slots] during a step, as frames of bodies see them */
    size_t seen_capacity;
    uint32_t frame_count;
    lt_sphere_log used_log; /* [def.sphere_tree.used_sphere_capacity], and what the caller sees of it */
    lt_used_sphere *used_spheres;
    uint64_t step_count;
    double time;
    uint64_t logged_problems; /* bits of the last step: what goes on is told once */
    double model_ns;          /* learned: what the models take, for step deadlines */
    double ns_per_row;        /* learned: of a solver iteration, per node */
};

static inline lt_soft *lt_soft_at(const lt_world *world, uint32_t index) {
    LT_ASSERT(index < lt_slots_count(&world->body_slots));
    return (lt_soft *)world->softs.items + index;
}
static inline lt_collider *lt_collider_at(const lt_world *world, uint32_t index) {
    LT_ASSERT(index < lt_slots_count(&world->body_slots));
    return (lt_collider *)world->colliders.items + index;
}
static inline lt_body *lt_body_record(const lt_world *world, uint32_t index) {
    LT_ASSERT(index < lt_slots_count(&world->body_slots));
    return (lt_body *)world->bodies.items + index;
}
static inline lt_obstacle *lt_obstacle_record(const lt_world *world, uint32_t index) {
    LT_ASSERT(index < lt_slots_count(&world->obstacle_slots));
    return (lt_obstacle *)world->obstacles.items + index;
}
static inline uint32_t lt_body_slots(const lt_world *world) {
    return lt_slots_count(&world->body_slots);
}
static inline uint32_t lt_obstacle_slots(const lt_world *world) {
    return lt_slots_count(&world->obstacle_slots);
}

/* A rotation that can be normalised: finite, and not all zero. */
static inline bool lt_quat_is_rotation(lt_quat q) {
    double length = sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w);
    return length > 1e-20 && length < 1e20;
}

/* Checked, built (`allocator` serves the grid of a mesh) and placed; on failure *out is zeroed. */
lt_status lt_obstacle_make(lt_obstacle *out, const lt_obstacle_def *def, const lt_allocator *allocator,
                           lt_error *error);
static inline lt_body_id lt_body_id_of(const lt_world *world, uint32_t index) {
    return (lt_body_id){index + 1, lt_slots_generation(&world->body_slots, index)};
}
/* Around its surface as it is now; a collider's is of the beginning of a step. */
lt_box lt_body_box_now(const lt_world *world, uint32_t index);
lt_obstacle_id lt_obstacle_id_of(const lt_world *world, uint32_t index);

/* What the method wants of a shape, made when its first body comes and freed when its last one goes. */
lt_status lt_world_take_layout(lt_world *world, lt_shared_layout **out, const lt_shape *shape,
                               const lt_carrier *carrier, const lt_skin *skin, lt_error *error);
void lt_world_give_back_layout(lt_world *world, lt_shared_layout *layout);

/* Everything a method's hook may see. */
lt_method_step lt_method_step_of(lt_world *world, float dt, lt_report *report);
/* Reserves what a step of the world as it is now needs at most; called whenever something is added. Where memory is out the world is
 * as good as before. */
lt_status lt_world_reserve_step(lt_world *world, lt_error *error);

/* Gives every body its origin and its view of obstacles; before a step, when obstacles are planned. False: there was too little
 * scratch to find who is near whom, and all bodies have the world's origin. */
bool lt_frames_begin(lt_world *world, float dt);
/* What obstacles got in all views becomes theirs. */
void lt_frames_end(lt_world *world);
size_t lt_frames_scratch(uint32_t body_count);
/* How many obstacles are seen at most. */
size_t lt_frames_views(uint32_t body_count, uint32_t obstacle_count);
/* A body is to be put there, all of its nodes: in a frame that is near. */
void lt_world_rebase_body(lt_world *world, uint32_t index, lt_dvec3 place);

/* Fills `contacts`; done when somebody asks. */
void lt_publish_contacts(lt_world *world);

void lt_world_wake_index(lt_world *world, uint32_t index);
/* All bodies that it touched as the last step ended. */
void lt_world_wake_touching(lt_world *world, uint32_t index);
void lt_world_wake_all(lt_world *world);
/* Wakes what moving obstacles may touch; before a step. */
void lt_wake_near_obstacles(lt_world *world, float dt);
/* Then wakes whom something fast may reach in the step, and all who touch them. */
void lt_wake_struck(lt_world *world, float dt);
/* Bytes of arena it takes at most. */
size_t lt_wake_scratch(uint32_t body_count, uint32_t pair_capacity);
/* m/s below which a body is slow. */
float lt_slow_speed(const lt_world *world, const lt_soft *soft);
/* Islands of bodies that touch as the last step ended: root [body count]. */
void lt_join_touching(const lt_world *world, uint32_t *root);
/* Puts quiet islands to sleep and wakes touched ones; after a step. */
void lt_update_sleep(lt_world *world, float dt);

/* Bytes of arena that lt_world_restore takes at most. */
size_t lt_restore_scratch(const lt_world *world);

/* Sums over all bodies before the motion that the diagnostics compare with afterwards. */
typedef struct lt_balance {
    double momentum[3]; /* of the bodies that are watched, and what must be added to it */
    double scale;       /* Σ |m v| + |impulses| */
} lt_balance;
void lt_balance_begin(lt_balance *balance, const lt_world *world, float dt);
void lt_balance_end(const lt_balance *balance, const lt_world *world, const lt_method_step *step,
                    lt_report *report);
/* A text on what is wrong with a container or a hierarchy of the world between two steps; NULL: nothing is. Linear in the world. */
const char *lt_validate_world(const lt_world *world);
/* A line for every problem that the step before did not have. */
void lt_log_problems(lt_world *world, const lt_report *report);

#endif
