/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Worlds, bodies, obstacles, the step, and what can be read from them.
 *
 * Units are SI: metres, kilograms, seconds, pascals. Any axis may be up. A world belongs to one thread at a
 * time; worlds are independent of each other and may share shapes. Ids are index + generation; the zero id is
 * null, and using a removed id is a caller's bug (assert handler, harmless result).
 * Places are offsets: floats are 0.06 mm apart at 1 km. Defs have an `origin` in double, to which their position is added, and functions
 * ..._from take one, `from`: places that go in and out are offsets from it. NULL, and functions without it: from the world's
 * origin. lt_body_frame is one from which the offsets of a body are exact. Simulation is as fine 1,000 km away as at the origin.
 * Adding and removing may allocate; lt_world_step never does. Pointers into a world are valid until its next
 * non-const call. */

#ifndef LITHE_WORLD_H
#define LITHE_WORLD_H

#include "lithe/budget.h"
#include "lithe/report.h"
#include "lithe/shape.h"
#include "lithe/tasks.h"

LT_EXTERN_C_BEGIN

typedef struct lt_world lt_world;

typedef struct lt_body_id {
    uint32_t index_plus_one, generation;
} lt_body_id;
typedef struct lt_obstacle_id {
    uint32_t index_plus_one, generation;
} lt_obstacle_id;
typedef struct lt_handle_id {
    uint32_t index_plus_one, generation;
} lt_handle_id;

/* One whole way of handling collisions. */
#define LT_METHOD_LIST(X)                                                                                    \
    X(REFERENCE, "reference",                                                                                \
      "brute force: every surface point against every tet; for tests and small scenes")                      \
    X(SPHERE_TREE, "sphere-tree",                                                                            \
      "trees of spheres, traversed as far as the budget goes; needs shapes baked with a tree")               \
    X(TET_HASH, "tet-hash",                                                                                  \
      "hashed tets and depths from what edges pierce, spread over as many steps as the budget asks")         \
    X(CELL_BOX, "cell-box",                                                                                  \
      "boxes around the surface in each cell of a lattice, parted as they are found; any number of "         \
      "triangles")                                                                                           \
    X(MULTISCALE, "multiscale",                                                                              \
      "trees of boxes governed by few tets, continuous contacts of the surface as constraints; exact when "  \
      "uninterrupted; needs shapes baked with a tree of boxes")                                              \
    X(ENGINE, "engine",                                                                                      \
      "fronts kept over steps, for bodies of tets; under construction: no self-collision yet")

typedef enum lt_method {
#define LT_METHOD_ENUM(NAME, text, about) LT_METHOD_##NAME,
    LT_METHOD_LIST(LT_METHOD_ENUM)
#undef LT_METHOD_ENUM
        LT_METHOD_COUNT
} lt_method;

/* As the papers print their methods, or as they should be. Every method says what differs. */
#define LT_MODE_LIST(X) X(SAFE, "safe") X(PAPER, "paper")
typedef enum lt_mode {
#define LT_MODE_ENUM(NAME, text) LT_MODE_##NAME,
    LT_MODE_LIST(LT_MODE_ENUM)
#undef LT_MODE_ENUM
        LT_MODE_COUNT
} lt_mode;

/* In which order pairs of a hierarchy are refined while the budget lasts. */
#define LT_ORDER_LIST(X) X(BEST_FIRST, "best-first") X(FIFO, "fifo") X(DEPTH_FIRST, "depth-first")
typedef enum lt_order {
#define LT_ORDER_ENUM(NAME, text) LT_ORDER_##NAME,
    LT_ORDER_LIST(LT_ORDER_ENUM)
#undef LT_ORDER_ENUM
        LT_ORDER_COUNT
} lt_order;

/* What becomes of pairs that had no turn in a step, or whose turn was cut (multiscale): contacts that are known go on in any
 * case; and the two are kept from getting deeper in each other by the boxes around them, slowed down the more the deeper they are,
 * or left alone. */
#define LT_PENDING_LIST(X) X(CLAMP, "clamp") X(PENALTY, "penalty") X(IGNORE, "ignore")
typedef enum lt_pending {
#define LT_PENDING_ENUM(NAME, text) LT_PENDING_##NAME,
    LT_PENDING_LIST(LT_PENDING_ENUM)
#undef LT_PENDING_ENUM
        LT_PENDING_COUNT
} lt_pending;

/* The law by which a carrier moves: the first two move tets, the next two the cells of a lattice, the last a ladder. */
#define LT_MODEL_LIST(X)                                                                                     \
    X(COROTATIONAL, "corotational", "linear elasticity in turning frames, implicit; stable at 1/60 s")       \
    X(EXPLICIT_FEM, "explicit-fem",                                                                          \
      "Green strain, Runge-Kutta sub-steps; the reduced model of the sphere-tree paper")                     \
    X(LATTICE_SPRINGS, "lattice-springs", "springs along edges and diagonals of cells, explicit sub-steps")  \
    X(LATTICE_MATCHING, "lattice-matching", "cells drawn to their shape by regions; stable at any step")     \
    X(MULTIGRID, "multigrid",                                                                                \
      "as corotational, on a ladder of meshes: fine where it deforms, coarse elsewhere")

typedef enum lt_model {
#define LT_MODEL_ENUM(NAME, text, about) LT_MODEL_##NAME,
    LT_MODEL_LIST(LT_MODEL_ENUM)
#undef LT_MODEL_ENUM
        LT_MODEL_COUNT
} lt_model;

LT_API const char *lt_method_name(lt_method method);
LT_API const char *lt_mode_name(lt_mode mode);
LT_API const char *lt_order_name(lt_order order);
LT_API const char *lt_model_name(lt_model model);
LT_API const char *lt_pending_name(lt_pending pending);

/* ---- world ---- */

/* What belongs to one method is in a struct of its name; the other methods do not look at it. */

typedef struct lt_sphere_tree_options {
    lt_order order; /* in mode safe: default LT_ORDER_BEST_FIRST */
    /* Collisions are refined until their error, in metres, is below this over the larger significance of the two bodies;
     * default 0: as far as the budget goes */
    float error_tolerance;
    /* Most pairs of spheres under way; default 65536. Memory for them comes with bodies */
    uint32_t queue_capacity;
    /* In mode safe: how many expansions of body pairs are remembered over steps, 40 bytes each, so that what hardly moves is
     * not tested again; default 0: none. docs/sphere-tree.md says when it pays */
    uint32_t front_cache_capacity;
    uint32_t used_sphere_capacity; /* how many lt_world_used_spheres remembers; default 0: none */
} lt_sphere_tree_options;

typedef struct lt_tet_hash_options {
    bool fast_first; /* fast bodies come first in every cycle; default false */
} lt_tet_hash_options;

typedef struct lt_cell_box_options {
    bool grid_boxes; /* boxes are whole cells, not tight ones: to compare; default false */
} lt_cell_box_options;

typedef struct lt_multiscale_options {
    lt_pending pending; /* default LT_PENDING_CLAMP */
    /* m, that surfaces keep between each other; default 0: a thousandth of the size of the smallest body */
    float separation;
} lt_multiscale_options;

typedef struct lt_world_def {
    lt_vec3 gravity;  /* m/s²; default {0, -9.81, 0} */
    lt_method method; /* default LT_METHOD_REFERENCE */
    lt_mode mode;     /* default LT_MODE_SAFE; methods without a paper mode refuse the other */
    lt_sphere_tree_options sphere_tree;
    lt_tet_hash_options tet_hash;
    lt_cell_box_options cell_box;
    lt_multiscale_options multiscale;
    bool self_collision;   /* default true; the method engine does not search bodies against themselves yet */
    bool diagnostics;      /* fill energy and momentum_error; default false */
    bool profile;          /* fill stage_us under unlimited and unit budgets too; default true */
    bool sleeping;         /* bodies at rest fall asleep; default true */
    uint32_t thread_count; /* 1: the caller's thread only (default); 0: one per processor */
    /* Work units (1 to 2 ns) of a step, at most, for factors of corotational bodies (docs/step.md): made when bodies are added, when
     * dt, materials or pins change. Default LT_UNLIMITED: whole, before the step that wants them. Less: some in each step, one after
     * the other; until then bodies are solved by what they had, or by diagonals, in more iterations. Steps repeat all the
     * same: how far they are is state. 1,280 tets take 2.7 million */
    uint64_t factor_units;
    /* Most work units of the models in a step, as units of a budget are; 0 (default): no limit. Beyond it bodies move as rigid things do,
     * with their contacts, and iterations are cut (lt_report.models_cut). What is done in any case, the rigid motion of every body
     * with its contacts and all of explicit models, may be more. One budget of the whole call is to take its place */
    uint64_t model_units;
    /* Ceilings. Memory grows up to them when bodies and obstacles are added: for all pairs there can be, and for 64 contacts a body
     * and 4 for each vertex of its surface, of lattices at most 16 for each cell. lt_world_reserve makes more in advance */
    uint32_t contact_capacity; /* most contacts kept in a step; default 16384 */
    uint32_t pair_capacity;    /* most overlapping body pairs; default 4096 */
    size_t scratch_capacity;   /* bytes of scratch; 0 (default): grows when bodies are added */
    uint32_t simd_level;       /* 0 scalar, 1 128-bit, 2 AVX2, at most; default: the best there is */
    lt_allocator allocator;    /* default: the C library's */
    /* Default: silent. Called at the end of a step, on the stepping thread, with a line for every bit of lt_report.problems that
     * the step before did not have, and what to do about it. */
    lt_logger logger;
    lt_task_runner tasks; /* default: own threads */
    /* Default NULL: the monotonic clock of the system. Must not run backwards; called from the stepping thread only. */
    uint64_t (*clock_ns)(void *context);
    void *clock_context;
    /* Harm of leaving this body unhandled, as a factor (camera, gameplay…); default NULL: 1 for all. Called once
     * per body and step; must be a pure function of its arguments for steps to repeat. What it says is taken as 0 to 1e30, a NaN
     * as 1. Bodies of the model multigrid divide their refine_threshold by it, taken as 1/1000 to 1000: 4 refines at a quarter
     * of it, 0 hardly anywhere; 0 and infinite thresholds stay what they are. */
    float (*significance)(void *context, lt_body_id body, void *body_user_data);
    void *significance_context;
    uint64_t cookie; /* set by lt_world_def_default; anything else is a caller's bug */
} lt_world_def;

LT_API lt_world_def lt_world_def_default(void);
LT_API lt_status lt_world_create(const lt_world_def *def, lt_world **out, lt_error *error);
LT_API void lt_world_destroy(lt_world *world);

/* Advances the world by dt seconds (0 < dt ≤ 1) and reports. The one call of a frame. */
LT_API lt_report lt_world_step(lt_world *world, float dt, lt_budget budget);
LT_API void lt_world_set_gravity(lt_world *world, lt_vec3 gravity);
/* Reserves memory in advance: for more contacts and pairs than what was added brings, so that adding bodies later allocates little, or
 * for contacts that are dropped. More than the ceilings of the def is refused with LT_STATUS_CAPACITY; what is there already stays. */
LT_API lt_status lt_world_reserve(lt_world *world, uint32_t contact_capacity, uint32_t pair_capacity,
                                  size_t scratch_capacity, lt_error *error);

/* ---- bodies ---- */

typedef struct lt_material {
    float young;             /* Pa; default 1e5 (soft rubber) */
    float poisson;           /* 0 … 0.49; default 0.4; lattices have their own: springs 1/4, matching 0 */
    float density;           /* kg/m³; default 1000 */
    float mass_damping;      /* 1/s, slows everything, falling too; default 0.1 */
    float stiffness_damping; /* s, slows deformation only (viscous stress); default 0.002 */
    float friction;          /* Coulomb; a pair uses the geometric mean; default 0.3 */
} lt_material;

typedef struct lt_body_def {
    lt_shape *shape;          /* retained by the body */
    lt_vec3 position;         /* where the shape's origin goes: an offset from `origin` */
    lt_quat rotation;         /* default identity */
    float scale;              /* default 1 */
    lt_vec3 velocity;         /* m/s */
    lt_vec3 angular_velocity; /* rad/s, about the centre of mass */
    lt_material material;
    lt_model model;        /* default LT_MODEL_COROTATIONAL */
    uint32_t max_substeps; /* explicit-fem and lattices: most sub-steps a call; default 64 */
    /* corotational, multigrid: most solver iterations a call; default 500. A body that is cut takes its shape more slowly */
    uint32_t max_iterations;
    /* In one step of so many, 1 to 1000, the body deforms; in the others it moves as a rigid thing, with its contacts; default 1. Bodies
     * have their turns by their ids, so that a crowd is spread over steps; explicit ones and lattices that touch have them together */
    uint32_t solve_interval;
    /* corotational, multigrid: iterations end when they gain less than the square of this, relative to what a step of free fall is
     * worth (docs/step.md); default 5e-3; above 20,000 tets 5e-4 is better */
    float tolerance;
    /* multigrid: nodes are refined where what coarser ones cannot follow has changed by more than this share of an edge, over the
     * body's significance (lt_world_def), and where something hits; 0: everywhere, HUGE_VALF: nowhere; default 0.4 */
    float refine_threshold;
    uint32_t collision_group; /* bit mask of what it is; default 1 */
    uint32_t collision_mask;  /* bit mask of what it meets; default all */
    bool self_collision;      /* default true; the world's switch must be on too */
    double origin[3];         /* m; default 0, the world's; -1e15 to 1e15 */
    void *user_data;
    uint64_t cookie;
} lt_body_def;

LT_API lt_body_def lt_body_def_default(void);
/* The null id on failure, with the reason in *error. */
LT_API lt_body_id lt_world_add_body(lt_world *world, const lt_body_def *def, lt_error *error);
LT_API void lt_world_remove_body(lt_world *world, lt_body_id body);
LT_API uint32_t lt_world_body_count(const lt_world *world);
/* The index-th body in order of slots, 0 ≤ index < lt_world_body_count. */
LT_API lt_body_id lt_world_body_at(const lt_world *world, uint32_t index);
LT_API bool lt_body_is_valid(const lt_world *world, lt_body_id body);
LT_API void *lt_body_user_data(const lt_world *world, lt_body_id body);

/* The carrier: nodes that move. Positions and velocities as [count][3]. */
LT_API uint32_t lt_body_node_count(const lt_world *world, lt_body_id body);
LT_API void lt_body_get_nodes(const lt_world *world, lt_body_id body, lt_vec3 *positions,
                              lt_vec3 *velocities);
/* Sets the state (either may be NULL); every number must be finite and at most 1e15, as a body's must that is added. A step that takes
 * a body beyond that puts it back, at rest (LT_PROBLEM_BLOWN_UP). Wakes the body. */
LT_API lt_status lt_body_set_nodes(lt_world *world, lt_body_id body, const lt_vec3 *positions,
                                   const lt_vec3 *velocities, lt_error *error);
/* The body is of this material from the next step on, and awake. Where it is and how fast it moves stay; mass, stiffness, damping,
 * friction and the sub-steps of explicit models follow. Every model can; lattice-matching keeps the width of the regions that it was made
 * with. LT_STATUS_INVALID: a number that lt_world_add_body would refuse; LT_STATUS_MEMORY: none for another factor (corotational).
 * Nothing has changed then. The material is state: snapshots and hash have it (docs/materials.md). */
LT_API lt_status lt_body_set_material(lt_world *world, lt_body_id body, const lt_material *material,
                                      lt_error *error);
LT_API lt_material lt_body_material(const lt_world *world, lt_body_id body);
/* Pa, that the last step computed with: the material's `young`, or the most that a step of its dt can tell from rigid (lt_report.stiff_bodies;
 * docs/materials.md). */
LT_API float lt_body_young(const lt_world *world, lt_body_id body);
/* What the body's numbers are offsets from: 0 while it is within some 100 sizes of the world's origin, else a place on a grid, near the
 * body and the same for all that are near each other. Changes in steps, and where nodes are set far away; what a step does with a
 * body depends on its offsets alone. */
LT_API void lt_body_frame(const lt_world *world, lt_body_id body, double origin[3]);
LT_API void lt_body_get_nodes_from(const lt_world *world, lt_body_id body, const double from[3],
                                   lt_vec3 *positions, lt_vec3 *velocities);
LT_API lt_status lt_body_set_nodes_from(lt_world *world, lt_body_id body, const double from[3],
                                        const lt_vec3 *positions, const lt_vec3 *velocities, lt_error *error);
LT_API lt_vec3 lt_body_center(const lt_world *world, lt_body_id body);
LT_API lt_vec3 lt_body_center_from(const lt_world *world, lt_body_id body, const double from[3]);
LT_API lt_vec3 lt_body_momentum(const lt_world *world, lt_body_id body);
LT_API float lt_body_mass(const lt_world *world, lt_body_id body);

/* The surface: computed when asked, so that a step's cost does not depend on triangles. */
typedef struct lt_surface_view {
    const lt_vec3 *positions;  /* [vertex_count] */
    const lt_vec3 *normals;    /* [vertex_count], unit, area-weighted */
    const uint32_t *triangles; /* [triangle_count][3] */
    uint32_t vertex_count;
    uint32_t triangle_count;
} lt_surface_view;
LT_API lt_surface_view lt_body_surface(lt_world *world, lt_body_id body);
/* From the camera, say. Both have one memory: the later call overwrites what the earlier one gave. */
LT_API lt_surface_view lt_body_surface_from(lt_world *world, lt_body_id body, const double from[3]);
/* Which mesh of its ladder moves each vertex (multigrid): of the nodes that move by themselves and that it hangs on, the level of the
 * finest; 0 is the finest mesh, and the coarsest, which is for the solver, moves none. `levels` is [vertex_count] of lt_body_surface, or NULL. Returns how many meshes there are; other models
 * have one, and 0 everywhere. Computed when asked. */
LT_API uint32_t lt_body_levels(lt_world *world, lt_body_id body, uint8_t *levels);

/* Pins hold nodes where they are now (or at a position, its coordinates at most 1e15); pinned nodes have infinite mass. */
LT_API void lt_body_pin_node(lt_world *world, lt_body_id body, uint32_t node);
LT_API void lt_body_move_pin(lt_world *world, lt_body_id body, uint32_t node, lt_vec3 position);
LT_API void lt_body_move_pin_from(lt_world *world, lt_body_id body, uint32_t node, const double from[3],
                                  lt_vec3 position);
LT_API void lt_body_unpin_node(lt_world *world, lt_body_id body, uint32_t node);
/* Pins every node inside the box; returns how many. */
LT_API uint32_t lt_body_pin_box(lt_world *world, lt_body_id body, lt_vec3 lo, lt_vec3 hi);
LT_API uint32_t lt_body_pin_box_from(lt_world *world, lt_body_id body, const double from[3], lt_vec3 lo,
                                     lt_vec3 hi);

/* A drag handle pulls a surface point towards a target by a damped spring that any model carries stably. */
LT_API lt_handle_id lt_world_add_handle(lt_world *world, lt_body_id body, uint32_t surface_vertex,
                                        lt_vec3 target, float stiffness, lt_error *error);
LT_API void lt_world_move_handle(lt_world *world, lt_handle_id handle, lt_vec3 target);
LT_API void lt_world_move_handle_from(lt_world *world, lt_handle_id handle, const double from[3],
                                      lt_vec3 target);
LT_API void lt_world_remove_handle(lt_world *world, lt_handle_id handle);

/* Forces of the next step only, in newtons; they add up, to 1e30 at most at a node. */
LT_API void lt_body_add_force(lt_world *world, lt_body_id body, lt_vec3 force); /* spread by mass */
LT_API void lt_body_add_force_at(lt_world *world, lt_body_id body, uint32_t surface_vertex, lt_vec3 force);

/* As lt_body_def.solve_interval, from the next step on. */
LT_API void lt_body_set_solve_interval(lt_world *world, lt_body_id body, uint32_t steps);

LT_API void lt_body_wake(lt_world *world, lt_body_id body);
LT_API bool lt_body_is_asleep(const lt_world *world, lt_body_id body);

/* ---- obstacles: solid, of infinite mass, fixed or moved by the caller ---- */

#define LT_OBSTACLE_LIST(X)                                                                                  \
    X(PLANE, "plane") X(SPHERE, "sphere") X(CAPSULE, "capsule") X(BOX, "box") X(MESH, "mesh")
typedef enum lt_obstacle_kind {
#define LT_OBSTACLE_ENUM(NAME, text) LT_OBSTACLE_##NAME,
    LT_OBSTACLE_LIST(LT_OBSTACLE_ENUM)
#undef LT_OBSTACLE_ENUM
        LT_OBSTACLE_KIND_COUNT
} lt_obstacle_kind;

typedef struct lt_obstacle_def {
    lt_obstacle_kind kind; /* default LT_OBSTACLE_PLANE */
    lt_vec3 position;      /* a point of the plane; the centre of the others; the mesh's origin */
    lt_quat rotation;
    lt_vec3 normal;                 /* plane: outward; default {0, 1, 0}; turned by rotation */
    float radius;                   /* sphere, capsule */
    float half_length;              /* capsule: from the centre to the centre of each end, along local y */
    lt_vec3 half_extents;           /* box */
    const lt_vec3 *mesh_positions;  /* mesh: closed; copied into a distance grid */
    const uint32_t *mesh_triangles; /* [mesh_triangle_count][3] */
    uint32_t mesh_vertex_count;
    uint32_t mesh_triangle_count;
    uint32_t mesh_resolution; /* grid cells along the longest side; default 64 */
    double
        origin[3]; /* m; default 0, the world's; its positions are offsets from it, for as long as it lives */
    float friction; /* default 0.5 */
    uint32_t collision_group;
    uint32_t collision_mask;
    void *user_data;
    uint64_t cookie;
} lt_obstacle_def;

LT_API lt_obstacle_def lt_obstacle_def_default(void);
LT_API lt_obstacle_id lt_world_add_obstacle(lt_world *world, const lt_obstacle_def *def, lt_error *error);
LT_API void lt_world_remove_obstacle(lt_world *world, lt_obstacle_id obstacle);
/* Where it will be at the end of the next step, from its def's origin; its velocity follows from the way there. */
LT_API void lt_world_move_obstacle(lt_world *world, lt_obstacle_id obstacle, lt_vec3 position,
                                   lt_quat rotation);
/* Total contact force and torque (about its position) of the last step on the obstacle, in N and N m. */
LT_API void lt_obstacle_load(const lt_world *world, lt_obstacle_id obstacle, lt_vec3 *force, lt_vec3 *torque);
LT_API uint32_t lt_world_obstacle_count(const lt_world *world);
LT_API lt_obstacle_id lt_world_obstacle_at(const lt_world *world, uint32_t index);
typedef struct lt_obstacle_state {
    lt_obstacle_kind kind;
    lt_vec3 position, normal, half_extents; /* position: from the origin */
    lt_quat rotation;
    float radius, half_length;
    void *user_data;
    double origin[3];
} lt_obstacle_state;
LT_API lt_obstacle_state lt_obstacle_get(const lt_world *world, lt_obstacle_id obstacle);

/* ---- contacts of the last step ---- */

typedef enum lt_contact_status {
    LT_CONTACT_EXACT, /* measured in this step; engine: or before it, and nothing has moved enough since */
    LT_CONTACT_APPROXIMATE, /* answered by what was known of it; engine: for parts that were not looked into */
    LT_CONTACT_PREDICTED    /* not looked at again in time: it follows its two sides, and has an age */
} lt_contact_status;

typedef struct lt_contact {
    lt_body_id body_a;
    lt_body_id body_b; /* null: against `obstacle`; equal to body_a: self-collision */
    lt_obstacle_id obstacle;
    uint32_t feature_a; /* surface vertex of body_a, for methods that test points; UINT32_MAX: of no vertex */
    lt_vec3 point;      /* where the force acts on both, at the beginning of the step */
    lt_vec3 normal;     /* unit, pushes body_a */
    float depth;        /* m, > 0 penetrating */
    lt_vec3 force;      /* mean force on body_a over the step, N; body_b gets the opposite */
    uint32_t age;       /* steps since the depth was measured; 0 = this step */
    lt_contact_status status;
    lt_vec3 offset; /* point, from lt_body_frame of body_a as it was in the step */
} lt_contact;

LT_API const lt_contact *lt_world_contacts(const lt_world *world, uint32_t *count);

/* A sphere that the response of the last step was computed from (sphere-tree; lt_world_def.sphere_tree.used_sphere_capacity), as it
 * was at the beginning of that step. One that met several partners is listed several times. */
typedef struct lt_used_sphere {
    lt_body_id body;
    lt_vec3 center;
    float radius;
    float error;    /* m */
    uint32_t level; /* of its tree; the root's is 0 */
} lt_used_sphere;

LT_API const lt_used_sphere *lt_world_used_spheres(const lt_world *world, uint32_t *count);

/* ---- state ---- */

/* A 64-bit hash of everything that decides the future: equal hashes, equal futures of worlds built by the same calls, but for the
 * exception that snapshots have. */
LT_API uint64_t lt_world_hash(const lt_world *world);
/* The whole state, the unfinished work included, as bytes: a world that is restored has the same future, with one exception. In mode
 * paper of tet-hash a cycle that is under way (lt_report.pending is not 0) is left out of snapshot and hash, since it has seen moments
 * that are gone: restored, the next one begins, and the future is another than that of the world that goes on.
 * Size first, then save into a buffer of at least that size: it is packed, and another one after every step. Saving returns the
 * size; 0, and a caller's bug, where there is too little room. Restores only into the world it came from, or one built by the same calls; allocates
 * nothing but a factor where a body (corotational) has other pins or another material than it had when it was saved. */
LT_API size_t lt_world_snapshot_size(const lt_world *world);
LT_API size_t lt_world_snapshot(const lt_world *world, void *buffer, size_t capacity);
LT_API lt_status lt_world_restore(lt_world *world, const void *buffer, size_t size, lt_error *error);

LT_EXTERN_C_END

#endif
