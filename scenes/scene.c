/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "scenes/scene.h"

#include "scenes/list.h"
#include "scenes/near_names.h"
#include "scenes/trigonometry.h"

#include <stdio.h>
#include <string.h>

/* Enough for the flattest tets that baking leaves: a scene shows what a method does, not what a cap does. */
enum { SUBSTEPS_MAX = 128 };

/* ---- filling a scene ---- */

lt_scene lt_scene_empty(const char *name, const lt_allocator *allocator) {
    lt_world_def def = lt_world_def_default();
    lt_scene scene = {.gravity = def.gravity,
                      .method = def.method,
                      .sphere_method = lt_bake_spheres_def_default().method,
                      .self_collision = def.self_collision,
                      .sleeping = def.sleeping,
                      .contact_capacity = def.contact_capacity,
                      .pair_capacity = def.pair_capacity,
                      .mode = def.mode,
                      .sphere_tree = def.sphere_tree,
                      .tet_hash = def.tet_hash,
                      .cell_box = def.cell_box,
                      .multiscale = def.multiscale,
                      .thread_count = def.thread_count,
                      .factor_units = def.factor_units,
                      .model_units = def.model_units,
                      .dt = 1.0f / 60.0f,
                      .steps = 240,
                      .shapes = LT_ARRAY_OF(allocator, lt_scene_shape),
                      .bodies = LT_ARRAY_OF(allocator, lt_scene_body),
                      .obstacles = LT_ARRAY_OF(allocator, lt_scene_obstacle),
                      .pins = LT_ARRAY_OF(allocator, lt_scene_pin),
                      .handles = LT_ARRAY_OF(allocator, lt_scene_handle)};
    snprintf(scene.name, sizeof scene.name, "%s", name);
    return scene;
}

void lt_scene_free(lt_scene *scene) {
    lt_array_free(&scene->shapes);
    lt_array_free(&scene->bodies);
    lt_array_free(&scene->obstacles);
    lt_array_free(&scene->pins);
    lt_array_free(&scene->handles);
}

/* A new item of the list, or the spare one when memory is out. */
static void *add_item(lt_scene *scene, lt_array *list) {
    void *item = lt_array_grow(list, 1);
    if (item) return item;
    scene->out_of_memory = true;
    return &scene->spare;
}

uint32_t lt_scene_add_shape(lt_scene *scene, lt_surface_recipe surface, lt_carrier_recipe carrier) {
    lt_scene_shape *shape = add_item(scene, &scene->shapes);
    *shape = (lt_scene_shape){.surface = surface, .carrier = carrier};
    return scene->shapes.count ? (uint32_t)scene->shapes.count - 1 : 0;
}

lt_scene_body *lt_scene_add_body(lt_scene *scene, uint32_t shape_index, lt_vec3 position) {
    lt_body_def def = lt_body_def_default();
    uint32_t color_index = (uint32_t)scene->bodies.count;
    lt_scene_body *body = add_item(scene, &scene->bodies);
    *body = (lt_scene_body){.shape_index = shape_index,
                            .position = position,
                            .rotation = def.rotation,
                            .material = def.material,
                            .model = def.model,
                            .scale = def.scale,
                            .refine_threshold = def.refine_threshold,
                            .max_substeps = SUBSTEPS_MAX,
                            .max_iterations = def.max_iterations,
                            .solve_interval = def.solve_interval,
                            .tolerance = def.tolerance,
                            .collision_group = def.collision_group,
                            .collision_mask = def.collision_mask,
                            .self_collision = def.self_collision,
                            .color_index = color_index};
    return body;
}

lt_scene_obstacle *lt_scene_add_obstacle(lt_scene *scene, lt_obstacle_kind kind, lt_vec3 position) {
    lt_obstacle_def def = lt_obstacle_def_default();
    lt_scene_obstacle *obstacle = add_item(scene, &scene->obstacles);
    *obstacle = (lt_scene_obstacle){.kind = kind,
                                    .position = position,
                                    .rotation = def.rotation,
                                    .normal = def.normal,
                                    .mesh_resolution = def.mesh_resolution,
                                    .friction = def.friction,
                                    .collision_group = def.collision_group,
                                    .collision_mask = def.collision_mask};
    return obstacle;
}

lt_scene_obstacle *lt_scene_add_floor(lt_scene *scene, float height) {
    return lt_scene_add_obstacle(scene, LT_OBSTACLE_PLANE, (lt_vec3){0, height, 0});
}

void lt_scene_add_bin(lt_scene *scene, float half, float half_height, float half_thickness) {
    const lt_vec3 sides[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    lt_scene_add_floor(scene, 0.0f);
    for (int i = 0; i < 4; i++) {
        lt_vec3 at = lt_v3_scale(sides[i], half + half_thickness);
        lt_scene_obstacle *wall =
            lt_scene_add_obstacle(scene, LT_OBSTACLE_BOX, (lt_vec3){at.x, half_height, at.z});
        wall->half_extents = i < 2 ? (lt_vec3){half_thickness, half_height, half + 2 * half_thickness}
                                   : (lt_vec3){half, half_height, half_thickness};
    }
}

lt_scene_pin *lt_scene_add_pin(lt_scene *scene, uint32_t body_index, lt_vec3 lo, lt_vec3 hi) {
    lt_scene_pin *pin = add_item(scene, &scene->pins);
    *pin = (lt_scene_pin){.body_index = body_index, .lo = lo, .hi = hi};
    return pin;
}

lt_scene_handle *lt_scene_add_handle(lt_scene *scene, uint32_t body_index, lt_vec3 point, float stiffness) {
    lt_scene_handle *handle = add_item(scene, &scene->handles);
    *handle = (lt_scene_handle){.body_index = body_index, .point = point, .stiffness = stiffness};
    return handle;
}

lt_quat lt_quat_turn(lt_vec3 axis, double degrees) {
    double sine, cosine;
    lt_sin_cos(degrees * (LT_PI / 360.0), &sine, &cosine);
    lt_vec3 part = lt_v3_scale(lt_v3_normalize_or(axis, (lt_vec3){0, 1, 0}), (float)sine);
    return (lt_quat){part.x, part.y, part.z, (float)cosine};
}

/* ---- the table ---- */

const lt_scene_entry *lt_scene_list(uint32_t *count) {
    static const lt_scene_entry entries[] = {
#define LT_SCENE_ENTRY(function, name, about) {name, about, lt_scene_fill_##function},
        LT_SCENE_LIST(LT_SCENE_ENTRY)
#undef LT_SCENE_ENTRY
    };
    if (count) *count = (uint32_t)LT_COUNT_OF(entries);
    return entries;
}

void lt_scene_suggest(const char *name, char *text, size_t capacity) {
    const char *names[64];
    uint32_t count;
    const lt_scene_entry *entries = lt_scene_list(&count);
    for (uint32_t i = 0; i < count && i < LT_COUNT_OF(names); i++)
        names[i] = entries[i].name;
    lt_near_names(name, names, lt_min_u32(count, LT_COUNT_OF(names)), text, capacity);
}

lt_status lt_scene_make(lt_scene *out, const char *name, const lt_allocator *allocator, lt_error *error) {
    *out = (lt_scene){0};
    uint32_t count;
    const lt_scene_entry *entries = lt_scene_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(entries[i].name, name) != 0) continue;
        *out = lt_scene_empty(name, allocator);
        entries[i].fill(out);
        if (!out->out_of_memory) return LT_OK;
        lt_scene_free(out);
        return lt_fail(error, LT_STATUS_MEMORY, "scene %s: out of memory", name);
    }
    char near_names[200];
    lt_scene_suggest(name, near_names, sizeof near_names);
    return lt_fail(error, LT_STATUS_NOT_FOUND, "there is no scene \"%s\"; did you mean %s?", name,
                   near_names);
}
