/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "scenes/scene.h"

#include "bound/multiscale.h"
#include "bound/sphere_tree.h"
#include "core/os.h"
#include "core/random.h"
#include "embed/embed.h"
#include "scenes/shape_cache.h"
#include "scenes/trigonometry.h"

#include <stdio.h>
#include <string.h>

/* ---- paths ---- */

/* From the folder of the scene, unless it is only a name, which may be known elsewhere. */
static lt_status join_path(char path[LT_SCENE_PATH], const lt_scene *scene, lt_error *error) {
    char joined[LT_SCENE_FOLDER + LT_SCENE_PATH];
    if (path[0] == 0 || path[0] == '/' || scene->folder[0] == 0) return LT_OK;
    int length = snprintf(joined, sizeof joined, "%s%s", scene->folder, path);
    bool fits = length > 0 && length < LT_SCENE_PATH;
    if (!strchr(path, '/') && !(fits && lt_os_file_exists(joined))) return LT_OK;
    if (!fits)
        return lt_fail(error, LT_STATUS_INVALID, "%.80s: too long a path with the folder of the scene", path);
    memcpy(path, joined, (size_t)length + 1);
    return LT_OK;
}

/* ---- shapes and bodies ---- */

static void release_shapes(lt_shape **shapes, size_t count, const lt_allocator *allocator) {
    for (size_t i = 0; i < count; i++)
        lt_shape_release(shapes[i]);
    LT_DELETE(allocator, shapes, count, lt_shape *);
}

static void replace_shape(lt_shape **shape, lt_shape *with) {
    lt_shape_release(*shape);
    *shape = with;
}

/* The method needs a tree: a shape without one gets the usual one. */
static lt_status add_spheres(lt_shape **shape, lt_sphere_method method, uint32_t depth, lt_bake_watch watch,
                             const lt_allocator *allocator, lt_error *error) {
    lt_bake_spheres_def def = lt_bake_spheres_def_default();
    def.method = method;
    def.allocator = *allocator;
    def.effort = LT_EFFORT_QUICK; /* scenes are built at start-up */
    def.progress = watch.progress;
    def.progress_context = watch.context;
    if (depth) def.depth = depth;
    lt_shape *with = NULL;
    lt_status status = lt_shape_cache_spheres(&with, *shape, &def, error);
    if (status == LT_OK) replace_shape(shape, with);
    return status;
}

static lt_status add_tree(lt_shape **shape, lt_bake_watch watch, const lt_allocator *allocator,
                          lt_error *error) {
    lt_bake_tree_def def = lt_bake_tree_def_default();
    def.allocator = *allocator;
    def.progress = watch.progress;
    def.progress_context = watch.context;
    lt_shape *with = NULL;
    lt_status status = lt_shape_cache_tree(&with, *shape, &def, error);
    if (status == LT_OK) replace_shape(shape, with);
    return status;
}

/* "scene heap: body 3: …": what the library says of a part of the scene, with the part. */
static lt_status fail_part(const lt_scene *scene, const char *part, size_t index, const char *name,
                           lt_error *error) {
    char plain[sizeof error->message];
    memcpy(plain, error->message, sizeof plain);
    return lt_fail(error, error->status, "scene %s: %s %zu%s%s: %.200s", scene->name, part, index,
                   name[0] ? ", " : "", name, plain);
}

static lt_status make_shape(lt_shape **shape, const lt_scene *scene, const lt_scene_shape *recipe,
                            lt_bake_watch watch, const lt_allocator *allocator, lt_error *error) {
    lt_scene_shape here = *recipe;
    lt_status status = join_path(here.surface.path, scene, error);
    if (status == LT_OK) status = join_path(here.carrier.path, scene, error);
    if (status == LT_OK) status = lt_recipe_shape_watched(shape, &here, watch, allocator, error);
    if (status == LT_OK && scene->method == LT_METHOD_SPHERE_TREE && !lt_sphere_tree_exists(*shape))
        status = add_spheres(shape, scene->sphere_method, recipe->sphere_depth, watch, allocator, error);
    bool wants_tree = recipe->has_tree || scene->method == LT_METHOD_MULTISCALE;
    if (status == LT_OK && wants_tree && !lt_multiscale_tree_exists(*shape))
        status = add_tree(shape, watch, allocator, error);
    return status;
}

/* Not all that is baked says how far it is: asked before each, too. */
static lt_status ask(lt_bake_watch watch, float share, lt_error *error) {
    if (!watch.progress || watch.progress(watch.context, "shapes", share)) return LT_OK;
    return lt_fail(error, LT_STATUS_CANCELLED, "cancelled");
}

static lt_status make_shapes(lt_scene_world *out, lt_bake_watch watch, lt_error *error) {
    const lt_scene *scene = out->scene;
    const lt_scene_shape *recipes = scene->shapes.items;
    for (size_t i = 0; i < scene->shapes.count; i++) {
        lt_status status = ask(watch, (float)i / (float)scene->shapes.count, error);
        if (status == LT_OK)
            status = make_shape(&out->shapes[i], scene, &recipes[i], watch, &out->allocator, error);
        if (status != LT_OK) return fail_part(scene, "shape", i, recipes[i].name, error);
    }
    return LT_OK;
}

/* The longest side of the surface at rest. */
static float size_of(const lt_shape *shape) {
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, 3);
    const float *rest = lt_shape_f32(shape, LT_CHUNK_SURFACE_REST, &dims, NULL);
    lt_box box = lt_box_empty();
    for (uint64_t i = 0; rest && i < dims.size[0]; i++)
        box = lt_box_add_point(box, (lt_vec3){rest[3 * i], rest[3 * i + 1], rest[3 * i + 2]});
    lt_vec3 sides = lt_v3_sub(box.hi, box.lo);
    return rest ? lt_max_f(sides.x, lt_max_f(sides.y, sides.z)) : 0.0f;
}

static bool is_pinned(const lt_scene *scene, size_t body) {
    const lt_scene_pin *pins = scene->pins.items;
    for (size_t i = 0; i < scene->pins.count; i++)
        if (pins[i].body_index == body) return true;
    return false;
}

/* Up to a hundredth of the size along each axis, but not along gravity: what lies on something stays on it. Bodies
 * with pins stay where the boxes of their pins are. */
static lt_vec3 jitter_of(const lt_scene_world *scene_world, size_t index, lt_body_def def) {
    const lt_scene *scene = scene_world->scene;
    lt_vec3 none = {0, 0, 0};
    if (scene->seed == 0 || is_pinned(scene, index)) return none;
    lt_random random = lt_random_seed(((uint64_t)scene->seed << 32) + index);
    float most = 0.01f * size_of(def.shape) * def.scale;
    lt_vec3 by = {lt_random_range(&random, -most, most), lt_random_range(&random, -most, most), 0};
    by.z = lt_random_range(&random, -most, most);
    lt_vec3 down = lt_v3_normalize_or(scene->gravity, none);
    return lt_v3_mad(by, down, -lt_v3_dot(by, down));
}

lt_body_def lt_scene_body_def(const lt_scene_world *scene_world, size_t index) {
    const lt_scene_body *body = (const lt_scene_body *)scene_world->scene->bodies.items + index;
    lt_body_def def = lt_body_def_default();
    def.shape = scene_world->shapes[body->shape_index];
    def.rotation = body->rotation;
    def.velocity = body->velocity;
    def.angular_velocity = body->angular_velocity;
    def.material = body->material;
    def.model = body->model;
    def.scale = body->scale;
    def.position = lt_v3_add(body->position, jitter_of(scene_world, index, def));
    memcpy(def.origin, scene_world->scene->origin, sizeof def.origin);
    def.refine_threshold = body->refine_threshold;
    def.max_substeps = body->max_substeps;
    def.max_iterations = body->max_iterations;
    def.solve_interval = body->solve_interval;
    def.tolerance = body->tolerance;
    def.collision_group = body->collision_group;
    def.collision_mask = body->collision_mask;
    def.self_collision = body->self_collision;
    def.user_data = (void *)body;
    return def;
}

static lt_status add_bodies(lt_scene_world *out, lt_error *error) {
    const lt_scene_body *bodies = out->scene->bodies.items;
    for (size_t i = 0; i < out->scene->bodies.count; i++) {
        if (bodies[i].shape_index >= out->scene->shapes.count)
            return lt_fail(error, LT_STATUS_INVALID, "scene %s: body %zu: there is no shape %u",
                           out->scene->name, i, bodies[i].shape_index);
        lt_body_def def = lt_scene_body_def(out, i);
        out->bodies[i] = lt_world_add_body(out->world, &def, error);
        if (out->bodies[i].index_plus_one == 0) return fail_part(out->scene, "body", i, "", error);
    }
    return LT_OK;
}

/* ---- obstacles, pins, handles ---- */

lt_obstacle_def lt_scene_obstacle_def(const lt_scene_world *scene_world, size_t index) {
    const lt_scene_obstacle *obstacle =
        (const lt_scene_obstacle *)scene_world->scene->obstacles.items + index;
    const lt_surface *surface = &scene_world->obstacle_surfaces[index];
    lt_obstacle_def def = lt_obstacle_def_default();
    def.kind = obstacle->kind;
    def.position = obstacle->position;
    memcpy(def.origin, scene_world->scene->origin, sizeof def.origin);
    def.rotation = obstacle->rotation;
    def.normal = obstacle->normal;
    def.radius = obstacle->radius;
    def.half_length = obstacle->half_length;
    def.half_extents = obstacle->half_extents;
    def.friction = obstacle->friction;
    def.mesh_resolution = obstacle->mesh_resolution;
    def.collision_group = obstacle->collision_group;
    def.collision_mask = obstacle->collision_mask;
    def.user_data = (void *)obstacle;
    if (obstacle->kind != LT_OBSTACLE_MESH) return def;
    def.mesh_positions = surface->positions;
    def.mesh_triangles = surface->triangles;
    def.mesh_vertex_count = surface->vertex_count;
    def.mesh_triangle_count = surface->triangle_count;
    return def;
}

static lt_status add_obstacle(lt_scene_world *out, size_t index, lt_error *error) {
    const lt_scene_obstacle *obstacle = (const lt_scene_obstacle *)out->scene->obstacles.items + index;
    if (obstacle->kind == LT_OBSTACLE_MESH) {
        lt_surface_recipe here = obstacle->surface;
        lt_status status = join_path(here.path, out->scene, error);
        if (status == LT_OK)
            status = lt_recipe_surface(&out->obstacle_surfaces[index], &here, &out->allocator, error);
        if (status != LT_OK) return status;
    }
    lt_obstacle_def def = lt_scene_obstacle_def(out, index);
    out->obstacles[index] = lt_world_add_obstacle(out->world, &def, error);
    return out->obstacles[index].index_plus_one ? LT_OK : error->status;
}

static lt_status check_body_index(const lt_scene *scene, uint32_t body_index, const char *what,
                                  lt_error *error) {
    if (body_index < scene->bodies.count) return LT_OK;
    return lt_fail(error, LT_STATUS_INVALID, "scene %s: a %s names body %u; there are %zu", scene->name, what,
                   body_index, scene->bodies.count);
}

static lt_status add_pins(lt_scene_world *out, lt_error *error) {
    const lt_scene_pin *pins = out->scene->pins.items;
    for (size_t i = 0; i < out->scene->pins.count; i++) {
        lt_status status = check_body_index(out->scene, pins[i].body_index, "pin", error);
        if (status != LT_OK) return status;
        if (lt_body_pin_box_from(out->world, out->bodies[pins[i].body_index], out->scene->origin, pins[i].lo,
                                 pins[i].hi) == 0)
            return lt_fail(error, LT_STATUS_INVALID, "scene %s: pin box %zu holds no node of body %u",
                           out->scene->name, i, pins[i].body_index);
    }
    return LT_OK;
}

static uint32_t nearest_vertex(lt_surface_view view, lt_vec3 point) {
    uint32_t nearest = 0;
    for (uint32_t v = 1; v < view.vertex_count; v++)
        if (lt_v3_distance(view.positions[v], point) < lt_v3_distance(view.positions[nearest], point))
            nearest = v;
    return nearest;
}

static lt_status add_handles(lt_scene_world *out, lt_error *error) {
    const lt_scene_handle *handles = out->scene->handles.items;
    for (size_t i = 0; i < out->scene->handles.count; i++) {
        lt_status status = check_body_index(out->scene, handles[i].body_index, "handle", error);
        if (status != LT_OK) return status;
        lt_body_id body = out->bodies[handles[i].body_index];
        lt_surface_view view = lt_body_surface_from(out->world, body, out->scene->origin);
        uint32_t vertex = nearest_vertex(view, handles[i].point);
        out->handle_starts[i] = view.positions[vertex];
        out->handles[i] =
            lt_world_add_handle(out->world, body, vertex, out->handle_starts[i], handles[i].stiffness, error);
        if (out->handles[i].index_plus_one == 0) return error ? error->status : LT_STATUS_INVALID;
        lt_world_move_handle_from(out->world, out->handles[i], out->scene->origin, out->handle_starts[i]);
    }
    return LT_OK;
}

/* ---- motion ---- */

typedef struct lt_displacement {
    lt_vec3 offset;
    lt_quat turn;
} lt_displacement;

static lt_displacement displacement_at(const lt_motion *motion, double time) {
    lt_displacement d = {.turn = {0, 0, 0, 1}};
    if (motion->end > 0.0f && time > (double)motion->end) time = motion->end;
    double since = time - (double)motion->begin, sine, cosine;
    if (motion->kind == LT_MOTION_FIXED || since <= 0.0) return d;
    double turns = motion->period > 0.0f ? since / (double)motion->period : 0.0;
    lt_sin_cos(2.0 * LT_PI * (turns - floor(turns)), &sine, &cosine);
    switch (motion->kind) {
    case LT_MOTION_LINEAR: d.offset = lt_v3_scale(motion->vector, (float)since); break;
    case LT_MOTION_OSCILLATE: d.offset = lt_v3_scale(motion->vector, (float)sine); break;
    case LT_MOTION_CIRCLE: {
        lt_vec3 axis = lt_v3_normalize_or(motion->axis, (lt_vec3){0, 1, 0});
        d.offset = lt_v3_mad(lt_v3_scale(motion->vector, (float)(1.0 - cosine)),
                             lt_v3_cross(axis, motion->vector), -(float)sine);
        break;
    }
    case LT_MOTION_ROTATE: d.turn = lt_quat_turn(motion->axis, 360.0 * (turns - floor(turns))); break;
    default: break;
    }
    return d;
}

static lt_quat quat_product(lt_quat a, lt_quat b) {
    return (lt_quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static bool is_moved(const lt_scene_obstacle *obstacle) {
    return obstacle->motion.kind != LT_MOTION_FIXED || obstacle->then.kind != LT_MOTION_FIXED;
}

void lt_scene_advance(const lt_scene_world *scene_world, uint64_t step) {
    const lt_scene *scene = scene_world->scene;
    const lt_scene_obstacle *obstacles = scene->obstacles.items;
    const lt_scene_handle *handles = scene->handles.items;
    double time = (double)(step + 1) * (double)scene->dt;
    for (size_t i = 0; i < scene->obstacles.count; i++) {
        if (!is_moved(&obstacles[i])) continue;
        lt_displacement d = displacement_at(&obstacles[i].motion, time),
                        then = displacement_at(&obstacles[i].then, time);
        lt_vec3 offset = lt_v3_add(d.offset, then.offset);
        lt_world_move_obstacle(scene_world->world, scene_world->obstacles[i],
                               lt_v3_add(obstacles[i].position, offset),
                               quat_product(then.turn, quat_product(d.turn, obstacles[i].rotation)));
    }
    for (size_t i = 0; i < scene->handles.count; i++) {
        double release = handles[i].release;
        if (release > 0.0 && time > release) {
            /* Once only: the id dies with the handle. */
            if (time - (double)scene->dt <= release)
                lt_world_remove_handle(scene_world->world, scene_world->handles[i]);
            continue;
        }
        lt_displacement d = displacement_at(&handles[i].motion, time);
        lt_world_move_handle_from(scene_world->world, scene_world->handles[i], scene->origin,
                                  lt_v3_add(scene_world->handle_starts[i], d.offset));
    }
}

/* ---- the whole ---- */

static bool allocate_ids(lt_scene_world *out) {
    const lt_scene *scene = out->scene;
    out->shapes = LT_NEW(&out->allocator, scene->shapes.count, lt_shape *);
    out->bodies = LT_NEW(&out->allocator, scene->bodies.count, lt_body_id);
    out->obstacles = LT_NEW(&out->allocator, scene->obstacles.count, lt_obstacle_id);
    out->obstacle_surfaces = LT_NEW(&out->allocator, scene->obstacles.count, lt_surface);
    out->handles = LT_NEW(&out->allocator, scene->handles.count, lt_handle_id);
    out->handle_starts = LT_NEW(&out->allocator, scene->handles.count, lt_vec3);
    return out->shapes && out->bodies && out->obstacles && out->obstacle_surfaces && out->handles &&
           out->handle_starts;
}

lt_world_def lt_scene_world_def(const lt_scene *scene) {
    lt_world_def def = lt_world_def_default();
    def.mode = scene->mode;
    def.sphere_tree = scene->sphere_tree;
    def.tet_hash = scene->tet_hash;
    def.cell_box = scene->cell_box;
    def.multiscale = scene->multiscale;
    def.thread_count = scene->thread_count;
    def.factor_units = scene->factor_units;
    def.model_units = scene->model_units;
    return def;
}

static lt_status create_world(lt_scene_world *out, lt_world_def def, lt_error *error) {
    const lt_scene *scene = out->scene;
    def.gravity = scene->gravity;
    def.method = scene->method;
    def.self_collision = scene->self_collision;
    def.sleeping = scene->sleeping;
    def.contact_capacity = scene->contact_capacity;
    def.pair_capacity = scene->pair_capacity;
    return lt_world_create(&def, &out->world, error);
}

static lt_status populate(lt_scene_world *out, lt_bake_watch watch, lt_error *error) {
    const lt_scene *scene = out->scene;
    lt_status status = make_shapes(out, watch, error);
    if (status == LT_OK) status = add_bodies(out, error);
    for (size_t i = 0; i < scene->obstacles.count && status == LT_OK; i++) {
        status = add_obstacle(out, i, error);
        if (status != LT_OK) status = fail_part(scene, "obstacle", i, "", error);
    }
    if (status == LT_OK) status = add_pins(out, error);
    if (status == LT_OK) status = add_handles(out, error);
    return status;
}

void lt_scene_world_free(lt_scene_world *scene_world) {
    const lt_scene *scene = scene_world->scene;
    if (!scene) return;
    if (scene_world->world) lt_world_destroy(scene_world->world);
    for (size_t i = 0; i < scene->obstacles.count && scene_world->obstacle_surfaces; i++)
        lt_surface_free(&scene_world->obstacle_surfaces[i]);
    if (scene_world->shapes)
        release_shapes(scene_world->shapes, scene->shapes.count, &scene_world->allocator);
    LT_DELETE(&scene_world->allocator, scene_world->bodies, scene->bodies.count, lt_body_id);
    LT_DELETE(&scene_world->allocator, scene_world->obstacles, scene->obstacles.count, lt_obstacle_id);
    LT_DELETE(&scene_world->allocator, scene_world->obstacle_surfaces, scene->obstacles.count, lt_surface);
    LT_DELETE(&scene_world->allocator, scene_world->handles, scene->handles.count, lt_handle_id);
    LT_DELETE(&scene_world->allocator, scene_world->handle_starts, scene->handles.count, lt_vec3);
    *scene_world = (lt_scene_world){0};
}

lt_status lt_scene_build_watched(lt_scene_world *out, const lt_scene *scene, const lt_world_def *def,
                                 lt_bake_progress *progress, void *progress_context, lt_error *error) {
    lt_world_def world_def = def ? *def : lt_scene_world_def(scene);
    lt_error own_error; /* the add functions report through the error alone */
    if (!error) error = &own_error;
    *out = (lt_scene_world){.scene = scene, .allocator = world_def.allocator};
    lt_status status = LT_OK;
    if (scene->out_of_memory || !allocate_ids(out))
        status = lt_fail(error, LT_STATUS_MEMORY, "scene %s: out of memory", scene->name);
    if (status == LT_OK) status = create_world(out, world_def, error);
    if (status == LT_OK) status = populate(out, (lt_bake_watch){progress, progress_context}, error);
    if (status != LT_OK) lt_scene_world_free(out);
    return status;
}

lt_status lt_scene_build(lt_scene_world *out, const lt_scene *scene, const lt_world_def *def,
                         lt_error *error) {
    return lt_scene_build_watched(out, scene, def, NULL, NULL, error);
}
