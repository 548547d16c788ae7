/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "scenes/scene_keys.h"

#include <string.h>

/* Ranges are those of the functions that get the numbers, or narrower where those would ask for all the memory there is. */
#define LENGTH_MIN 1e-6
#define LENGTH_MAX 1e6
#define FAR_AWAY   1e9
#define FARTHEST   1e12
#define ANY_COUNT  4294967295.0
#define CAPACITY   524288.0

#define KEY(kind, type, key, field, lo, hi)                                                                  \
    { key, LT_KEY_##kind, false, offsetof(type, field), lo, hi, NULL, NULL }
#define NEEDED(kind, type, key, field, lo, hi)                                                               \
    { key, LT_KEY_##kind, true, offsetof(type, field), lo, hi, NULL, NULL }
#define FLAG(type, key, field) KEY(FLAG, type, key, field, 0, 1)
#define TEXT(type, key, field) KEY(TEXT, type, key, field, 0, sizeof(((type *)0)->field))
#define CHOICE(type, key, field, list)                                                                       \
    { key, LT_KEY_CHOICE, false, offsetof(type, field), 0, 0, &list, NULL }
#define OBJECT(type, key, field, needed, list)                                                               \
    { key, LT_KEY_OBJECT, needed, offsetof(type, field), 0, 0, NULL, &list }
#define OWN(key, needed)                                                                                     \
    { key, LT_KEY_OWN, needed, 0, 0, 0, NULL, NULL }
#define LIST(keys)                                                                                           \
    { keys, (uint32_t)LT_COUNT_OF(keys) }
#define NAMES(what, names)                                                                                   \
    { what, names, (uint32_t)LT_COUNT_OF(names) }

/* ---- names ---- */

#define NAME_ENTRY(NAME, text, about) text,
static const char *const method_names[] = {LT_METHOD_LIST(NAME_ENTRY)};
static const char *const model_names[] = {LT_MODEL_LIST(NAME_ENTRY)};
#undef NAME_ENTRY
#define NAME_ENTRY(NAME, text) text,
static const char *const mode_names[] = {LT_MODE_LIST(NAME_ENTRY)};
static const char *const order_names[] = {LT_ORDER_LIST(NAME_ENTRY)};
static const char *const pending_names[] = {LT_PENDING_LIST(NAME_ENTRY)};
static const char *const surface_names[] = {LT_SURFACE_RECIPE_LIST(NAME_ENTRY)};
static const char *const carrier_names[] = {LT_CARRIER_RECIPE_LIST(NAME_ENTRY)};
static const char *const obstacle_names[] = {LT_OBSTACLE_LIST(NAME_ENTRY)};
static const char *const motion_names[] = {LT_MOTION_LIST(NAME_ENTRY)};
#undef NAME_ENTRY
static const char *const embedding_names[] = {"barycentric", "rigid-links"};
static const char *const sphere_method_names[] = {"medial", "octree"};

static const lt_name_list methods = NAMES("a method", method_names), models = NAMES("a model", model_names),
                          modes = NAMES("a mode", mode_names), orders = NAMES("an order", order_names),
                          pendings = NAMES("a way", pending_names),
                          surfaces = NAMES("a kind of surface", surface_names),
                          carriers = NAMES("a kind of carrier", carrier_names),
                          obstacles = NAMES("a kind of obstacle", obstacle_names),
                          motions = NAMES("a kind of motion", motion_names),
                          embeddings = NAMES("an embedding", embedding_names),
                          sphere_methods = NAMES("a way to choose spheres", sphere_method_names);

/* ---- surfaces ---- */

#define SURFACE(kind, key, field, lo, hi)        KEY(kind, lt_surface_recipe, key, field, lo, hi)
#define SURFACE_NEEDED(kind, key, field, lo, hi) NEEDED(kind, lt_surface_recipe, key, field, lo, hi)
#define SURFACE_LENGTH(key, field)               SURFACE_NEEDED(REAL, key, field, LENGTH_MIN, LENGTH_MAX)
#define SURFACE_HEIGHT                           SURFACE(REAL, "height", size.y, 0, LENGTH_MAX)
#define FIGURE_TRIANGLES(least)                  SURFACE_NEEDED(COUNT, "triangles", triangles, least, 1e6)

static const lt_scene_key sphere_surface[] = {SURFACE_LENGTH("radius", size.x),
                                              SURFACE_NEEDED(COUNT, "subdivisions", cells, 0, 8)};
static const lt_scene_key box_surface[] = {
    SURFACE_NEEDED(VECTOR, "half_extents", size, LENGTH_MIN, LENGTH_MAX),
    SURFACE_NEEDED(COUNT, "cells", cells, 1, 1024)};
static const lt_scene_key plate_surface[] = {SURFACE_NEEDED(VECTOR, "size", size, LENGTH_MIN, LENGTH_MAX),
                                             SURFACE_NEEDED(COUNT, "cells", cells, 1, 1024)};
static const lt_scene_key torus_surface[] = {SURFACE_LENGTH("radius", size.x),
                                             SURFACE_LENGTH("tube_radius", size.y),
                                             SURFACE_NEEDED(COUNT, "segments", cells, 3, 4096)};
static const lt_scene_key capsule_surface[] = {SURFACE_LENGTH("radius", size.x),
                                               SURFACE_NEEDED(REAL, "length", size.y, 0, LENGTH_MAX),
                                               SURFACE_NEEDED(COUNT, "segments", cells, 4, 2048)};
static const lt_scene_key cylinder_surface[] = {SURFACE_LENGTH("radius", size.x),
                                                SURFACE_LENGTH("length", size.y),
                                                SURFACE_NEEDED(COUNT, "segments", cells, 3, 2048)};
static const lt_scene_key knot_surface[] = {SURFACE_HEIGHT, SURFACE(COUNT, "triangles", triangles, 24, 1e7)};
static const lt_scene_key letter_surface[] = {SURFACE_NEEDED(LETTER, "letter", letter, 0, 0), SURFACE_HEIGHT,
                                              FIGURE_TRIANGLES(400)};
static const lt_scene_key bear_surface[] = {SURFACE_HEIGHT, FIGURE_TRIANGLES(600)};
static const lt_scene_key figure_surface[] = {SURFACE_HEIGHT, FIGURE_TRIANGLES(2000)};
static const lt_scene_key shoe_surface[] = {SURFACE(REAL, "length", size.x, 0, LENGTH_MAX),
                                            FIGURE_TRIANGLES(2000)};
static const lt_scene_key file_surface[] = {SURFACE_NEEDED(TEXT, "path", path, 0, LT_SCENE_PATH),
                                            SURFACE_HEIGHT, SURFACE(COUNT, "triangles", triangles, 0, 1e8)};

static const lt_key_list surface_kinds[LT_SURFACE_RECIPE_COUNT] = {
    [LT_SURFACE_RECIPE_SPHERE] = LIST(sphere_surface),
    [LT_SURFACE_RECIPE_BOX] = LIST(box_surface),
    [LT_SURFACE_RECIPE_PLATE] = LIST(plate_surface),
    [LT_SURFACE_RECIPE_TORUS] = LIST(torus_surface),
    [LT_SURFACE_RECIPE_CAPSULE] = LIST(capsule_surface),
    [LT_SURFACE_RECIPE_CYLINDER] = LIST(cylinder_surface),
    [LT_SURFACE_RECIPE_KNOT] = LIST(knot_surface),
    [LT_SURFACE_RECIPE_LETTER] = LIST(letter_surface),
    [LT_SURFACE_RECIPE_BEAR] = LIST(bear_surface),
    [LT_SURFACE_RECIPE_LIZARD] = LIST(figure_surface),
    [LT_SURFACE_RECIPE_SHOE] = LIST(shoe_surface),
    [LT_SURFACE_RECIPE_TEAPOT] = LIST(figure_surface),
    [LT_SURFACE_RECIPE_POT] = LIST(figure_surface),
    [LT_SURFACE_RECIPE_FILE] = LIST(file_surface)};
static const lt_key_table surface_keys = {
    .kinds = &surfaces, .kind_offset = offsetof(lt_surface_recipe, kind), .of_kind = surface_kinds};

/* ---- carriers ---- */

#define CARRIER(kind, key, field, lo, hi)        KEY(kind, lt_carrier_recipe, key, field, lo, hi)
#define CARRIER_NEEDED(kind, key, field, lo, hi) NEEDED(kind, lt_carrier_recipe, key, field, lo, hi)
#define CARRIER_LENGTH(key, field)               CARRIER_NEEDED(REAL, key, field, LENGTH_MIN, LENGTH_MAX)
#define CARRIER_PATH                             CARRIER_NEEDED(TEXT, "path", path, 0, LT_SCENE_PATH)
#define CARRIER_RESOLUTION                       CARRIER(COUNT, "distance_resolution", distance_resolution, 1, 256)
#define PULLING_IN                                                                                           \
    CARRIER(REAL, "min_dihedral", min_dihedral, 1, 45), CARRIER(COUNT, "rounds", rounds, 1, 100),            \
        CARRIER(COUNT, "seed", seed, 0, ANY_COUNT), CARRIER_RESOLUTION

static const lt_scene_key block_carrier[] = {CARRIER_NEEDED(VECTOR, "size", size, LENGTH_MIN, LENGTH_MAX),
                                             CARRIER_NEEDED(COUNTS, "cells", cells, 1, 128)};
static const lt_scene_key plate_carrier[] = {CARRIER_NEEDED(VECTOR, "size", size, LENGTH_MIN, LENGTH_MAX),
                                             CARRIER_NEEDED(COUNT, "cells", cells[0], 1, 512)};
static const lt_scene_key ball_carrier[] = {CARRIER_LENGTH("radius", size.x),
                                            CARRIER_NEEDED(COUNT, "layers", cells[0], 1, 48)};
static const lt_scene_key torus_carrier[] = {CARRIER_LENGTH("radius", size.x),
                                             CARRIER_LENGTH("tube_radius", size.y),
                                             CARRIER_NEEDED(COUNT, "segments", cells[0], 3, 512)};
static const lt_scene_key grass_carrier[] = {CARRIER_LENGTH("side", size.x),
                                             CARRIER_LENGTH("height", size.y),
                                             CARRIER_LENGTH("width", size.z),
                                             CARRIER_NEEDED(COUNT, "blades", cells[0], 1, 65536),
                                             CARRIER_NEEDED(COUNT, "segments", cells[1], 1, 16),
                                             CARRIER(COUNT, "seed", cells[2], 0, ANY_COUNT)};
static const lt_scene_key knot_carrier[] = {CARRIER_NEEDED(COUNT, "segments", cells[0], 3, 100000),
                                            CARRIER_NEEDED(REAL, "reach", size.x, 1, 10)};
static const lt_scene_key enclosed_carrier[] = {CARRIER(COUNT, "tets", cells[0], 8, 2e5), PULLING_IN};
static const lt_scene_key ladder_carrier[] = {CARRIER(COUNT, "tets", cells[0], 8, 2e5),
                                              CARRIER(COUNT, "levels", cells[1], 2, LT_BAKE_LEVELS_MAX),
                                              CARRIER(COUNT, "coarsest_tets", cells[2], 8, 2e5), PULLING_IN};
static const lt_scene_key lattice_carrier[] = {CARRIER(COUNT, "cells", cells[0], 1, 2e5),
                                               CARRIER(REAL, "cell_size", size.x, LENGTH_MIN, LENGTH_MAX),
                                               CARRIER(FLAG, "filled", is_filled, 0, 1), CARRIER_RESOLUTION};
static const lt_scene_key file_carrier[] = {CARRIER_PATH, CARRIER(REAL, "height", size.y, 0, LENGTH_MAX)};
static const lt_scene_key baked_carrier[] = {CARRIER_PATH};

static const lt_key_list carrier_kinds[LT_CARRIER_RECIPE_COUNT] = {
    [LT_CARRIER_RECIPE_BLOCK] = LIST(block_carrier),       [LT_CARRIER_RECIPE_PLATE] = LIST(plate_carrier),
    [LT_CARRIER_RECIPE_BALL] = LIST(ball_carrier),         [LT_CARRIER_RECIPE_TORUS] = LIST(torus_carrier),
    [LT_CARRIER_RECIPE_GRASS] = LIST(grass_carrier),       [LT_CARRIER_RECIPE_KNOT] = LIST(knot_carrier),
    [LT_CARRIER_RECIPE_ENCLOSED] = LIST(enclosed_carrier), [LT_CARRIER_RECIPE_LADDER] = LIST(ladder_carrier),
    [LT_CARRIER_RECIPE_LATTICE] = LIST(lattice_carrier),   [LT_CARRIER_RECIPE_FILE] = LIST(file_carrier),
    [LT_CARRIER_RECIPE_BAKED] = LIST(baked_carrier)};
static const lt_key_table carrier_keys = {
    .kinds = &carriers, .kind_offset = offsetof(lt_carrier_recipe, kind), .of_kind = carrier_kinds};

static const lt_scene_key shape_keys[] = {OBJECT(lt_scene_shape, "surface", surface, false, surface_keys),
                                          OBJECT(lt_scene_shape, "carrier", carrier, true, carrier_keys),
                                          CHOICE(lt_scene_shape, "embedding", embedding, embeddings),
                                          KEY(COUNT, lt_scene_shape, "sphere_depth", sphere_depth, 0, 5),
                                          FLAG(lt_scene_shape, "multiscale_tree", has_tree)};
const lt_key_table lt_keys_shape = {.common = LIST(shape_keys)};

/* ---- motions ---- */

#define MOTION_VECTOR(key) NEEDED(VECTOR, lt_motion, key, vector, -LENGTH_MAX, LENGTH_MAX)
#define MOTION_AXIS        KEY(VECTOR, lt_motion, "axis", axis, -LENGTH_MAX, LENGTH_MAX)
#define MOTION_PERIOD      NEEDED(REAL, lt_motion, "period", period, 1e-3, 1e9)

static const lt_scene_key motion_common[] = {KEY(REAL, lt_motion, "begin", begin, 0, 1e9),
                                             KEY(REAL, lt_motion, "end", end, 0, 1e9)};
static const lt_scene_key linear_motion[] = {MOTION_VECTOR("velocity")};
static const lt_scene_key oscillate_motion[] = {MOTION_VECTOR("amplitude"), MOTION_PERIOD};
static const lt_scene_key circle_motion[] = {MOTION_VECTOR("to_center"), MOTION_AXIS, MOTION_PERIOD};
static const lt_scene_key rotate_motion[] = {MOTION_AXIS, MOTION_PERIOD};
static const lt_key_list motion_kinds[LT_MOTION_COUNT] = {[LT_MOTION_LINEAR] = LIST(linear_motion),
                                                          [LT_MOTION_OSCILLATE] = LIST(oscillate_motion),
                                                          [LT_MOTION_CIRCLE] = LIST(circle_motion),
                                                          [LT_MOTION_ROTATE] = LIST(rotate_motion)};
static const lt_key_table motion_keys = {.common = LIST(motion_common),
                                         .kinds = &motions,
                                         .kind_offset = offsetof(lt_motion, kind),
                                         .of_kind = motion_kinds};

/* ---- bodies ---- */

#define BODY(kind, key, field, lo, hi) KEY(kind, lt_scene_body, key, field, lo, hi)

static const lt_scene_key material_list[] = {
    KEY(REAL, lt_material, "young", young, 1e-3, 1e13),
    KEY(REAL, lt_material, "poisson", poisson, 0, 0.49),
    KEY(REAL, lt_material, "density", density, 1e-3, 1e6),
    KEY(REAL, lt_material, "mass_damping", mass_damping, 0, 1e4),
    KEY(REAL, lt_material, "stiffness_damping", stiffness_damping, 0, 1e2),
    KEY(REAL, lt_material, "friction", friction, 0, 100)};
static const lt_key_table material_keys = {.common = LIST(material_list)};

static const lt_scene_key body_keys[] = {OWN("shape", true),
                                         BODY(VECTOR, "position", position, -FAR_AWAY, FAR_AWAY),
                                         BODY(ROTATION, "rotation", rotation, -1e6, 1e6),
                                         BODY(VECTOR, "velocity", velocity, -1e6, 1e6),
                                         BODY(VECTOR, "angular_velocity", angular_velocity, -1e6, 1e6),
                                         OBJECT(lt_scene_body, "material", material, false, material_keys),
                                         CHOICE(lt_scene_body, "model", model, models),
                                         BODY(REAL, "scale", scale, 1e-6, 1e6),
                                         BODY(THRESHOLD, "refine_threshold", refine_threshold, 0, 1e30),
                                         BODY(COUNT, "max_substeps", max_substeps, 1, 1e4),
                                         BODY(COUNT, "max_iterations", max_iterations, 1, 1e5),
                                         BODY(COUNT, "solve_interval", solve_interval, 1, 1000),
                                         BODY(REAL, "tolerance", tolerance, 1e-12, 1),
                                         BODY(COUNT, "collision_group", collision_group, 0, ANY_COUNT),
                                         BODY(COUNT, "collision_mask", collision_mask, 0, ANY_COUNT),
                                         FLAG(lt_scene_body, "self_collision", self_collision),
                                         BODY(COUNT, "color", color_index, 0, 1e6),
                                         OWN("pins", false),
                                         OWN("handles", false)};
const lt_key_table lt_keys_body = {.common = LIST(body_keys)};

static const lt_scene_key pin_keys[] = {NEEDED(VECTOR, lt_scene_pin, "lo", lo, -FAR_AWAY, FAR_AWAY),
                                        NEEDED(VECTOR, lt_scene_pin, "hi", hi, -FAR_AWAY, FAR_AWAY)};
const lt_key_table lt_keys_pin = {.common = LIST(pin_keys)};

static const lt_scene_key handle_keys[] = {
    NEEDED(VECTOR, lt_scene_handle, "point", point, -FAR_AWAY, FAR_AWAY),
    NEEDED(REAL, lt_scene_handle, "stiffness", stiffness, 0, 1e12),
    OBJECT(lt_scene_handle, "motion", motion, false, motion_keys),
    KEY(REAL, lt_scene_handle, "release", release, 0, 1e9)};
const lt_key_table lt_keys_handle = {.common = LIST(handle_keys)};

/* ---- obstacles ---- */

#define OBSTACLE(kind, key, field, lo, hi) KEY(kind, lt_scene_obstacle, key, field, lo, hi)
#define OBSTACLE_RADIUS                    NEEDED(REAL, lt_scene_obstacle, "radius", radius, LENGTH_MIN, 1e8)

static const lt_scene_key obstacle_common[] = {
    OBSTACLE(VECTOR, "position", position, -FAR_AWAY, FAR_AWAY),
    OBSTACLE(ROTATION, "rotation", rotation, -1e6, 1e6),
    OBSTACLE(REAL, "friction", friction, 0, 100),
    OBSTACLE(COUNT, "collision_group", collision_group, 0, ANY_COUNT),
    OBSTACLE(COUNT, "collision_mask", collision_mask, 0, ANY_COUNT),
    OBJECT(lt_scene_obstacle, "motion", motion, false, motion_keys),
    OBJECT(lt_scene_obstacle, "then", then, false, motion_keys)};
static const lt_scene_key plane_obstacle[] = {OBSTACLE(VECTOR, "normal", normal, -1e6, 1e6)};
static const lt_scene_key sphere_obstacle[] = {OBSTACLE_RADIUS};
static const lt_scene_key capsule_obstacle[] = {
    OBSTACLE_RADIUS, NEEDED(REAL, lt_scene_obstacle, "half_length", half_length, 0, 1e8)};
static const lt_scene_key box_obstacle[] = {
    NEEDED(VECTOR, lt_scene_obstacle, "half_extents", half_extents, LENGTH_MIN, 1e8)};
static const lt_scene_key mesh_obstacle[] = {
    OBJECT(lt_scene_obstacle, "surface", surface, true, surface_keys),
    OBSTACLE(COUNT, "resolution", mesh_resolution, 1, 256)};
static const lt_key_list obstacle_kinds[LT_OBSTACLE_KIND_COUNT] = {
    [LT_OBSTACLE_PLANE] = LIST(plane_obstacle),
    [LT_OBSTACLE_SPHERE] = LIST(sphere_obstacle),
    [LT_OBSTACLE_CAPSULE] = LIST(capsule_obstacle),
    [LT_OBSTACLE_BOX] = LIST(box_obstacle),
    [LT_OBSTACLE_MESH] = LIST(mesh_obstacle)};
const lt_key_table lt_keys_obstacle = {.common = LIST(obstacle_common),
                                       .kinds = &obstacles,
                                       .kind_offset = offsetof(lt_scene_obstacle, kind),
                                       .of_kind = obstacle_kinds};

/* ---- the whole ---- */

#define SCENE(kind, key, field, lo, hi) KEY(kind, lt_scene, key, field, lo, hi)

#define ORDER(type, field)     CHOICE(type, "order", field, orders)
#define TOLERANCE(type, field) KEY(REAL, type, "error_tolerance", field, 0, 1e6)
#define QUEUE(type, field)     KEY(COUNT, type, "queue_capacity", field, 1, CAPACITY)
#define FRONTS(type, field)    KEY(COUNT, type, "front_cache_capacity", field, 0, CAPACITY)
#define PENDING(type, field)   CHOICE(type, "pending", field, pendings)
#define DISTANCE(type, field)  KEY(REAL, type, "separation", field, 0, 1e6)

static const lt_scene_key sphere_tree_list[] = {
    ORDER(lt_sphere_tree_options, order), TOLERANCE(lt_sphere_tree_options, error_tolerance),
    QUEUE(lt_sphere_tree_options, queue_capacity), FRONTS(lt_sphere_tree_options, front_cache_capacity)};
static const lt_key_table sphere_tree_keys = {.common = LIST(sphere_tree_list)};
static const lt_scene_key tet_hash_list[] = {FLAG(lt_tet_hash_options, "fast_first", fast_first)};
static const lt_key_table tet_hash_keys = {.common = LIST(tet_hash_list)};
static const lt_scene_key cell_box_list[] = {FLAG(lt_cell_box_options, "grid_boxes", grid_boxes)};
static const lt_key_table cell_box_keys = {.common = LIST(cell_box_list)};
static const lt_scene_key multiscale_list[] = {PENDING(lt_multiscale_options, pending),
                                               DISTANCE(lt_multiscale_options, separation)};
static const lt_key_table multiscale_keys = {.common = LIST(multiscale_list)};

/* What worlds of both versions of a file have. */
#define WORLD_KEYS                                                                                           \
    SCENE(VECTOR, "gravity", gravity, -1e6, 1e6), CHOICE(lt_scene, "method", method, methods),               \
        CHOICE(lt_scene, "mode", mode, modes),                                                               \
        CHOICE(lt_scene, "sphere_method", sphere_method, sphere_methods),                                    \
        FLAG(lt_scene, "self_collision", self_collision), FLAG(lt_scene, "sleeping", sleeping),              \
        SCENE(COUNT, "contact_capacity", contact_capacity, 1, CAPACITY),                                     \
        SCENE(COUNT, "pair_capacity", pair_capacity, 1, CAPACITY),                                           \
        SCENE(COUNT, "threads", thread_count, 0, 64)

#define MOST_UNITS 1e15 /* beyond nine of these doubles are no whole numbers */

static const lt_scene_key world_list[] = {
    WORLD_KEYS,
    SCENE(PLACE, "origin", origin, -FARTHEST, FARTHEST),
    SCENE(UNITS, "factor_units", factor_units, 0, MOST_UNITS),
    SCENE(UNITS, "model_units", model_units, 0, MOST_UNITS),
    OBJECT(lt_scene, "sphere_tree", sphere_tree, false, sphere_tree_keys),
    OBJECT(lt_scene, "tet_hash", tet_hash, false, tet_hash_keys),
    OBJECT(lt_scene, "cell_box", cell_box, false, cell_box_keys),
    OBJECT(lt_scene, "multiscale", multiscale, false, multiscale_keys)};
static const lt_key_table world_keys = {.common = LIST(world_list)};

/* In files of version 1 everything stood side by side. */
static const lt_scene_key world_1_list[] = {WORLD_KEYS,
                                            ORDER(lt_scene, sphere_tree.order),
                                            TOLERANCE(lt_scene, sphere_tree.error_tolerance),
                                            QUEUE(lt_scene, sphere_tree.queue_capacity),
                                            FRONTS(lt_scene, sphere_tree.front_cache_capacity),
                                            FLAG(lt_scene, "fast_first", tet_hash.fast_first),
                                            FLAG(lt_scene, "grid_boxes", cell_box.grid_boxes),
                                            PENDING(lt_scene, multiscale.pending),
                                            DISTANCE(lt_scene, multiscale.separation)};
static const lt_key_table world_1_keys = {.common = LIST(world_1_list)};

static const lt_scene_key camera_list[] = {
    NEEDED(VECTOR, lt_scene_camera, "eye", eye, -FAR_AWAY, FAR_AWAY),
    NEEDED(VECTOR, lt_scene_camera, "target", target, -FAR_AWAY, FAR_AWAY),
    KEY(REAL, lt_scene_camera, "fov_degrees", fov_degrees, 1, 150)};
const lt_key_table lt_keys_camera = {.common = LIST(camera_list)};

#define SCENE_KEYS(world_table)                                                                              \
    OWN("lithe_scene", true), TEXT(lt_scene, "name", name), TEXT(lt_scene, "caption", caption),              \
        SCENE(REAL, "dt", dt, 1e-6, 1), SCENE(COUNT, "steps", steps, 1, 1e9),                                \
        {"world", LT_KEY_OBJECT, false, 0, 0, 0, NULL, &world_table}, OWN("camera", false),                  \
        OWN("shapes", false), OWN("bodies", false), OWN("obstacles", false)

static const lt_scene_key scene_list[] = {SCENE_KEYS(world_keys)};
const lt_key_table lt_keys_scene = {.common = LIST(scene_list)};
static const lt_scene_key scene_1_list[] = {SCENE_KEYS(world_1_keys)};
const lt_key_table lt_keys_scene_1 = {.common = LIST(scene_1_list)};

size_t lt_key_size(const lt_scene_key *key) {
    switch (key->type) {
    case LT_KEY_REAL:
    case LT_KEY_THRESHOLD: return sizeof(float);
    case LT_KEY_VECTOR: return sizeof(lt_vec3);
    case LT_KEY_PLACE: return 3 * sizeof(double);
    case LT_KEY_ROTATION: return sizeof(lt_quat);
    case LT_KEY_COUNT:
    case LT_KEY_CHOICE: return sizeof(uint32_t);
    case LT_KEY_COUNTS: return 3 * sizeof(uint32_t);
    case LT_KEY_UNITS: return sizeof(uint64_t);
    case LT_KEY_FLAG: return sizeof(bool);
    case LT_KEY_TEXT: return (size_t)key->hi;
    case LT_KEY_LETTER: return 1;
    default: return 0;
    }
}

/* Enums are as large as this with every compiler that is supported. */
_Static_assert(sizeof(lt_model) == sizeof(uint32_t), "an enum of another size");

uint32_t lt_key_kind(const lt_key_table *table, const void *item) {
    uint32_t kind = 0;
    if (table->kinds) memcpy(&kind, (const char *)item + table->kind_offset, sizeof kind);
    return kind;
}
