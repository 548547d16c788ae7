/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A scene: everything needed to set up a world and to run it, as plain data. The built-in scenes fill this
 * struct from C (one builder of at most 60 lines each); a file reader fills the same struct, so whatever a
 * built-in scene can do a file can do.
 *
 *   scene.c      the struct, its lists, the table of built-in scenes
 *   scene_json   scene to JSON text and back (scene_json.h)
 *   recipes.c    shapes by recipe: surface, carrier, bake
 *   shape_cache  enclosed shapes that were baked before, in this process or by an earlier one (shape_store)
 *   lattices.c   bodies on tets put on lattices, for the method cell-box
 *   build.c      scene -> world, and the obstacle and handle motion before each step
 *   scene_handle.c  what lithe/scene.h hands out
 *   scene_*.c    the built-in scenes
 *
 * Shapes are recipes ("an icosphere of radius 0.1", "cells around that surface"), not meshes: a scene is
 * small, and building it twice gives the same bits. Cross-references are indices into the scene's own lists.
 *
 * Builders do not check for memory: when a list cannot grow, the add functions hand out a spare item, the
 * scene remembers, and lt_scene_make or lt_scene_build reports it once. A pointer from an add function is
 * valid until the next add to the same list. */

#ifndef LITHE_SCENES_SCENE_H
#define LITHE_SCENES_SCENE_H

#include "core/memory.h"
#include "lithe/bake.h"
#include "lithe/scene.h"
#include "mesh/mesh.h"

/* ---- recipes ---- */

/* X(NAME, text): generated surfaces (see mesh/generate.h) and how the fields below are read. `size` is in
 * metres; figures are scaled so that their height (the shoe: its length) is size.y (the shoe: size.x).
 *   sphere  size.x radius, cells: subdivisions        box     size: half extents, cells along the longest
 *   plate   size: full size, cells along the longest  torus   size.x, size.y: radii, cells around the ring
 *   capsule size.x radius, size.y straight length     cylinder the same
 *   knot    size.y height, triangles                  letter, bear, lizard, shoe, teapot, pot: size, triangles
 *   file    path: a mesh; size.y > 0 scales it to that height; triangles > 0: simplified to about as many where a
 *           carrier is made around it */
#define LT_SURFACE_RECIPE_LIST(X)                                                                            \
    X(NONE, "none")                                                                                          \
    X(SPHERE, "sphere")                                                                                      \
    X(BOX, "box")                                                                                            \
    X(PLATE, "plate")                                                                                        \
    X(TORUS, "torus")                                                                                        \
    X(CAPSULE, "capsule")                                                                                    \
    X(CYLINDER, "cylinder")                                                                                  \
    X(KNOT, "knot")                                                                                          \
    X(LETTER, "letter")                                                                                      \
    X(BEAR, "bear")                                                                                          \
    X(LIZARD, "lizard")                                                                                      \
    X(SHOE, "shoe")                                                                                          \
    X(TEAPOT, "teapot")                                                                                      \
    X(POT, "pot")                                                                                            \
    X(FILE, "file")

/* Tet carriers, all centred on the origin but grass, which stands on y = 0.
 *   block  size: full size, cells along each axis     plate  size: full size, cells[0] along the longest
 *   ball   size.x radius, cells[0] layers             torus  size.x, size.y: radii, cells[0] around the ring
 *   grass  size: side of the square, height and width of a blade; cells: blades, segments of each, seed
 *   knot   follows the tube of the surface, which must be a knot: cells[0] segments of 18 tets between hexagons, whose
 *          corners are size.x radii of the tube away from its middle
 *   enclosed  cells[0] tets, about, made around the surface, which must be there
 *   ladder    cells[0] tets, about, in the finest of cells[1] meshes made around the surface, cells[2] in the coarsest. For
 *             the multigrid model
 *   lattice   cubes around the surface, which must be there: cells[0] of them, about, or of side size.x when that is
 *             above 0; is_filled: inside, too. For the method cell-box
 *   file   path: a tet mesh; size.y > 0 scales it to that height
 *   baked  path: a .lithe shape, whole: its surface, its carrier, its trees, where its origin is */
#define LT_CARRIER_RECIPE_LIST(X)                                                                            \
    X(BLOCK, "block")                                                                                        \
    X(PLATE, "plate")                                                                                        \
    X(BALL, "ball")                                                                                          \
    X(TORUS, "torus")                                                                                        \
    X(GRASS, "grass")                                                                                        \
    X(KNOT, "knot")                                                                                          \
    X(ENCLOSED, "enclosed")                                                                                  \
    X(LADDER, "ladder")                                                                                      \
    X(LATTICE, "lattice")                                                                                    \
    X(FILE, "file")                                                                                          \
    X(BAKED, "baked")

typedef enum lt_surface_recipe_kind {
#define LT_SURFACE_RECIPE_ENUM(NAME, text) LT_SURFACE_RECIPE_##NAME,
    LT_SURFACE_RECIPE_LIST(LT_SURFACE_RECIPE_ENUM)
#undef LT_SURFACE_RECIPE_ENUM
        LT_SURFACE_RECIPE_COUNT
} lt_surface_recipe_kind;

typedef enum lt_carrier_recipe_kind {
#define LT_CARRIER_RECIPE_ENUM(NAME, text) LT_CARRIER_RECIPE_##NAME,
    LT_CARRIER_RECIPE_LIST(LT_CARRIER_RECIPE_ENUM)
#undef LT_CARRIER_RECIPE_ENUM
        LT_CARRIER_RECIPE_COUNT
} lt_carrier_recipe_kind;

#define LT_SCENE_PATH   256
#define LT_SCENE_FOLDER 4096

typedef struct lt_surface_recipe {
    lt_surface_recipe_kind kind; /* NONE: the boundary of the carrier */
    lt_vec3 size;
    uint32_t cells;
    uint32_t triangles;
    char letter;
    char path[LT_SCENE_PATH]; /* a name without a folder is also looked for in the mesh folders */
} lt_surface_recipe;

typedef struct lt_carrier_recipe {
    lt_carrier_recipe_kind kind;
    lt_vec3 size;
    uint32_t cells[3];
    bool is_filled; /* lattice */
    /* Of carriers made around a surface, as in lt_bake_surface_def; 0: its defaults. */
    float min_dihedral;
    uint32_t rounds, seed, distance_resolution;
    char path[LT_SCENE_PATH];
} lt_carrier_recipe;

typedef struct lt_scene_shape {
    char name[32]; /* in files and messages; may be empty */
    lt_surface_recipe surface;
    lt_carrier_recipe carrier;
    lt_embedding_kind embedding;
    uint32_t
        sphere_depth; /* levels of the sphere tree below its root; 0: what lt_bake_spheres_def_default says */
    bool has_tree;    /* a multiscale tree, whatever the method */
} lt_scene_shape;

/* ---- motion as data ---- */

/* An offset and a turn as functions of time, from `begin` to `end` seconds (still before and after).
 *   linear     offset = vector * t                      vector in m/s
 *   oscillate  offset = vector * sin(2 pi t / period)   vector in m
 *   circle     offset = circle through 0 of radius |vector|, centre at `vector`, about `axis`, once a period
 *   rotate     turn about `axis`, once a period */
#define LT_MOTION_LIST(X)                                                                                    \
    X(FIXED, "fixed") X(LINEAR, "linear") X(OSCILLATE, "oscillate") X(CIRCLE, "circle") X(ROTATE, "rotate")
typedef enum lt_motion_kind {
#define LT_MOTION_ENUM(NAME, text) LT_MOTION_##NAME,
    LT_MOTION_LIST(LT_MOTION_ENUM)
#undef LT_MOTION_ENUM
        LT_MOTION_COUNT
} lt_motion_kind;

typedef struct lt_motion {
    lt_motion_kind kind;
    lt_vec3 vector;
    lt_vec3 axis;
    float period;
    float begin, end; /* s; end 0: for ever */
} lt_motion;

/* ---- what stands in the world ---- */

typedef struct lt_scene_body {
    uint32_t shape_index;
    lt_vec3 position;
    lt_quat rotation;
    lt_vec3 velocity;
    lt_vec3 angular_velocity;
    lt_material material;
    lt_model model;
    float scale;
    float refine_threshold; /* multigrid only */
    /* As in lt_body_def, but for more sub-steps: */
    uint32_t max_substeps, max_iterations, solve_interval;
    float tolerance;
    uint32_t collision_group, collision_mask;
    bool self_collision;
    uint32_t color_index;
} lt_scene_body;

typedef struct lt_scene_obstacle {
    lt_obstacle_kind kind;
    lt_vec3 position;
    lt_quat rotation;
    lt_vec3 normal;
    float radius, half_length;
    lt_vec3 half_extents;
    lt_surface_recipe surface; /* mesh */
    uint32_t mesh_resolution;  /* mesh */
    float friction;
    uint32_t collision_group, collision_mask;
    lt_motion motion, then; /* both at once: offsets are added, `then` turns what `motion` has turned */
} lt_scene_obstacle;

/* Pins every node of a body inside a box, in the world, as the scene begins. */
typedef struct lt_scene_pin {
    uint32_t body_index;
    lt_vec3 lo, hi;
} lt_scene_pin;

/* A drag handle at the surface vertex that begins nearest to `point`; its target starts there. */
typedef struct lt_scene_handle {
    uint32_t body_index;
    lt_vec3 point;
    float stiffness; /* N/m */
    lt_motion motion;
    float release; /* s; 0: never */
} lt_scene_handle;

typedef struct lt_scene_camera {
    bool chosen; /* false: framed around the bodies */
    lt_vec3 eye, target;
    float fov_degrees;
} lt_scene_camera;

typedef struct lt_scene {
    char name[32];
    char caption[160];
    /* Of the file that it was read from, with a slash at the end; empty: the current one. Paths are relative to it and
     * stay as they were written: they are joined when the scene is built. */
    char folder[LT_SCENE_FOLDER];
    double origin[3]; /* m: all places of the scene are offsets from it */
    lt_vec3 gravity;
    lt_method method;
    lt_sphere_method sphere_method; /* of trees that the method needs */
    bool self_collision;
    bool sleeping;
    uint32_t contact_capacity, pair_capacity;
    /* As in lt_world_def; lt_scene_world_def passes them on: */
    lt_mode mode;
    lt_sphere_tree_options
        sphere_tree; /* in files without used_sphere_capacity: that is of who looks at it */
    lt_tet_hash_options tet_hash;
    lt_cell_box_options cell_box;
    lt_multiscale_options multiscale;
    uint32_t thread_count;
    uint64_t factor_units, model_units;
    /* Above 0: every body without pins is moved by up to 1 % of its size, another way for every seed, but not along gravity. Of a
     * run, not of a scene: files do not have it. */
    uint32_t seed;
    float dt;
    uint32_t steps; /* default length of a run */
    lt_scene_camera camera;
    lt_array shapes;    /* of lt_scene_shape */
    lt_array bodies;    /* of lt_scene_body */
    lt_array obstacles; /* of lt_scene_obstacle */
    lt_array pins;      /* of lt_scene_pin */
    lt_array handles;   /* of lt_scene_handle */
    bool out_of_memory; /* a list could not grow; the scene must not be built */
    union {
        lt_scene_shape shape;
        lt_scene_body body;
        lt_scene_obstacle obstacle;
        lt_scene_pin pin;
        lt_scene_handle handle;
    } spare;
} lt_scene;

/* An empty scene with the defaults of lt_world_def_default, dt 1/60, 240 steps. */
lt_scene lt_scene_empty(const char *name, const lt_allocator *allocator);
void lt_scene_free(lt_scene *scene);

/* Each appends one item with its defaults. The first returns its index, which bodies name. */
uint32_t lt_scene_add_shape(lt_scene *scene, lt_surface_recipe surface, lt_carrier_recipe carrier);
lt_scene_body *lt_scene_add_body(lt_scene *scene, uint32_t shape_index, lt_vec3 position);
lt_scene_obstacle *lt_scene_add_obstacle(lt_scene *scene, lt_obstacle_kind kind, lt_vec3 position);
/* A level plane at the given height. */
lt_scene_obstacle *lt_scene_add_floor(lt_scene *scene, float height);
/* A floor at height 0 and four walls around the origin, whose inner sides are `half` away from it. */
void lt_scene_add_bin(lt_scene *scene, float half, float half_height, float half_thickness);
lt_scene_pin *lt_scene_add_pin(lt_scene *scene, uint32_t body_index, lt_vec3 lo, lt_vec3 hi);
lt_scene_handle *lt_scene_add_handle(lt_scene *scene, uint32_t body_index, lt_vec3 point, float stiffness);
/* Tets become lattices around the same surfaces, models lattice-springs (lattices.c); refused where a shape has no surface
 * but the boundary of tets from a file, or of grass. */
lt_status lt_scene_put_on_lattices(lt_scene *scene, lt_error *error);

/* The rotation by an angle about an axis, which need not be a unit vector. */
lt_quat lt_quat_turn(lt_vec3 axis, double degrees);

/* ---- the built-in scenes ---- */

typedef struct lt_scene_entry {
    const char *name;
    const char *about; /* one line */
    void (*fill)(lt_scene *scene);
} lt_scene_entry;

const lt_scene_entry *lt_scene_list(uint32_t *count);
/* The names that are nearest to one that does not exist, "a, b or c"; all of them when none is near. */
void lt_scene_suggest(const char *name, char *text, size_t capacity);
/* Fills *out; free it with lt_scene_free. An unknown name is LT_STATUS_NOT_FOUND with near names. */
lt_status lt_scene_make(lt_scene *out, const char *name, const lt_allocator *allocator, lt_error *error);

/* ---- recipes; worlds are in lithe/scene.h ---- */

lt_status lt_recipe_surface(lt_surface *out, const lt_surface_recipe *recipe, const lt_allocator *allocator,
                            lt_error *error);
/* A listener to baking, which may end it. */
typedef struct lt_bake_watch {
    lt_bake_progress *progress; /* NULL: there is none */
    void *context;
} lt_bake_watch;

/* Enclosed shapes that were baked before come from memory or a file (see shape_cache.h). */
lt_status lt_recipe_shape_watched(lt_shape **out, const lt_scene_shape *recipe, lt_bake_watch watch,
                                  const lt_allocator *allocator, lt_error *error);
lt_status lt_recipe_shape(lt_shape **out, const lt_scene_shape *recipe, const lt_allocator *allocator,
                          lt_error *error);
/* What to bake from meshes in memory; an empty surface means the carrier's boundary. */
lt_bake_tets_def lt_bake_def_of(const lt_tet_mesh *carrier, const lt_surface *surface);
/* The same for a surface around which a carrier is to be made. */
lt_bake_surface_def lt_bake_surface_def_of(const lt_surface *surface);
/* Where a mesh file is: as given, then in $LITHE_MESHES, then in ../shared/meshes. False when nowhere. */
bool lt_find_mesh(const char *name, char path[LT_SCENE_PATH]);

/* As bodies and obstacles of a scene that was built are added, jitter included: for whoever judges or repeats it. */
lt_body_def lt_scene_body_def(const lt_scene_world *scene_world, size_t index);
lt_obstacle_def lt_scene_obstacle_def(const lt_scene_world *scene_world, size_t index);

#endif
