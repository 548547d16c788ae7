/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "draw.h"

#include "bake/icosahedral.h"
#include "draw_resolution.h"
#include "draw_tree.h"
#include "picture/raster.h"
#include "scenes/generate.h"

#include <stdlib.h>
#include <string.h>

static const lt_color stone = {148, 144, 138};
static const lt_color used_color = {214, 32, 28};
static const lt_color bar_color = {40, 42, 48};
#define USED_OPACITY 0.4f

struct lt_drawer {
    lt_drawer_def def;
    lt_raster *raster;
    lt_image image;
    lt_picture picture;      /* all that stays the same from frame to frame */
    lt_picture_mesh *meshes; /* [mesh_capacity]: bodies, obstacles, then boxes */
    uint32_t mesh_capacity;
    lt_surface *solids;   /* [obstacle count], in the obstacle's own frame; empty for the floor */
    lt_vec3 **placed;     /* [obstacle count], the solid's vertices where the obstacle is now */
    uint32_t floor_index; /* the obstacle that is drawn as the floor, or LT_NONE */
    lt_array markers;     /* of lt_marker */
    lt_array used;        /* of lt_picture_sphere */
    lt_box_bars bars;
    lt_array vertex_colors; /* of lt_color, of the vertices of all bodies, one body after the other */
    lt_allocator allocator;
};

static size_t obstacle_count(const lt_drawer *drawer) {
    return drawer->def.scene_world->scene->obstacles.count;
}

static const lt_scene_obstacle *obstacle_at(const lt_drawer *drawer, size_t index) {
    return (const lt_scene_obstacle *)drawer->def.scene_world->scene->obstacles.items + index;
}

static lt_vec3 rotate(lt_quat q, lt_vec3 v) {
    lt_vec3 axis = {q.x, q.y, q.z};
    lt_vec3 t = lt_v3_scale(lt_v3_cross(axis, v), 2.0f);
    return lt_v3_add(lt_v3_mad(v, t, q.w), lt_v3_cross(axis, t));
}

/* ---- obstacles as meshes ---- */

/* A plane that is not the floor: a slab as wide as the scene, its upper side in the plane. */
static lt_status make_slab(lt_surface *out, lt_vec3 normal, float half_side, const lt_allocator *allocator,
                           lt_error *error) {
    const uint32_t divisions[3] = {1, 1, 1};
    lt_vec3 half = {half_side, 0.01f * half_side, half_side}, side, across;
    lt_status status = lt_generate_box(out, half, divisions, allocator, error);
    if (status != LT_OK) return status;
    lt_perpendicular_pair(lt_v3_normalize_or(normal, (lt_vec3){0, 1, 0}), &across, &side);
    for (uint32_t i = 0; i < out->vertex_count; i++) {
        lt_vec3 p = out->positions[i];
        lt_vec3 level = lt_v3_mad(lt_v3_scale(side, p.x), across, p.z);
        out->positions[i] = lt_v3_mad(level, normal, p.y - half.y);
    }
    return LT_OK;
}

static lt_status copy_surface(lt_surface *out, const lt_surface *from, const lt_allocator *allocator,
                              lt_error *error) {
    lt_status status = lt_surface_allocate(out, from->vertex_count, from->triangle_count, allocator, error);
    if (status != LT_OK) return status;
    for (uint32_t i = 0; i < from->vertex_count; i++)
        out->positions[i] = from->positions[i];
    for (size_t i = 0; i < 3 * (size_t)from->triangle_count; i++)
        out->triangles[i] = from->triangles[i];
    return LT_OK;
}

/* Of any length: one that is not too long to be generated, drawn apart at its middle. */
static lt_status make_capsule(lt_surface *out, float radius, float half_length, const lt_allocator *allocator,
                              lt_error *error) {
    float half = half_length < 1e-6f * radius ? 0.0f : lt_min_f(half_length, 49.0f * radius);
    lt_status status = lt_generate_capsule(out, radius, 2.0 * (double)half, 48, allocator, error);
    for (uint32_t i = 0; status == LT_OK && half > 0.0f && i < out->vertex_count; i++) {
        float *y = &out->positions[i].y;
        *y += *y < 0.0f ? half - half_length : half_length - half;
    }
    return status;
}

static lt_status make_solid(lt_drawer *drawer, size_t index, float scene_size, lt_error *error) {
    const lt_scene_obstacle *obstacle = obstacle_at(drawer, index);
    const uint32_t divisions[3] = {1, 1, 1};
    lt_surface *out = &drawer->solids[index];
    switch (obstacle->kind) {
    case LT_OBSTACLE_PLANE:
        if (index == drawer->floor_index) return LT_OK;
        return make_slab(out, obstacle->normal, scene_size, &drawer->allocator, error);
    case LT_OBSTACLE_SPHERE:
        return lt_generate_icosphere(out, obstacle->radius, 4, &drawer->allocator, error);
    case LT_OBSTACLE_CAPSULE:
        return make_capsule(out, obstacle->radius, obstacle->half_length, &drawer->allocator, error);
    case LT_OBSTACLE_BOX:
        return lt_generate_box(out, obstacle->half_extents, divisions, &drawer->allocator, error);
    case LT_OBSTACLE_MESH:
        return copy_surface(out, &drawer->def.scene_world->obstacle_surfaces[index], &drawer->allocator,
                            error);
    default: return LT_OK;
    }
}

static lt_status make_solids(lt_drawer *drawer, float scene_size, lt_error *error) {
    for (size_t i = 0; i < obstacle_count(drawer); i++) {
        lt_status status = make_solid(drawer, i, scene_size, error);
        if (status != LT_OK) return status;
        drawer->placed[i] = LT_NEW(&drawer->allocator, drawer->solids[i].vertex_count, lt_vec3);
        if (!drawer->placed[i]) return lt_fail(error, LT_STATUS_MEMORY, "pictures: out of memory");
    }
    return LT_OK;
}

static void place_solid(lt_drawer *drawer, size_t index) {
    const lt_scene_world *scene_world = drawer->def.scene_world;
    lt_obstacle_state state = lt_obstacle_get(scene_world->world, scene_world->obstacles[index]);
    const lt_surface *solid = &drawer->solids[index];
    for (uint32_t i = 0; i < solid->vertex_count; i++)
        drawer->placed[index][i] = lt_v3_add(state.position, rotate(state.rotation, solid->positions[i]));
}

/* ---- what stays the same ---- */

static void find_floor(lt_drawer *drawer) {
    drawer->floor_index = LT_NONE;
    for (size_t i = 0; i < obstacle_count(drawer); i++) {
        const lt_scene_obstacle *o = obstacle_at(drawer, i);
        if (o->kind != LT_OBSTACLE_PLANE || o->motion.kind != LT_MOTION_FIXED ||
            o->then.kind != LT_MOTION_FIXED)
            continue;
        lt_vec3 normal = lt_v3_normalize_or(rotate(o->rotation, o->normal), drawer->picture.up);
        if (lt_v3_dot(normal, drawer->picture.up) < 0.9999f) continue;
        drawer->floor_index = (uint32_t)i;
        drawer->picture.floor_height = lt_v3_dot(o->position, drawer->picture.up);
        return;
    }
    drawer->picture.floor_hidden = true;
}

/* Bodies as they begin, dropped to the floor, and solid obstacles; where there are none, a metre around the origin. */
static lt_box scene_box(lt_drawer *drawer) {
    const lt_scene_world *scene_world = drawer->def.scene_world;
    const lt_picture *picture = &drawer->picture;
    lt_box box = lt_box_empty();
    for (size_t b = 0; b < scene_world->scene->bodies.count; b++) {
        lt_surface_view view =
            lt_body_surface_from(scene_world->world, scene_world->bodies[b], scene_world->scene->origin);
        for (uint32_t i = 0; i < view.vertex_count; i++) {
            float height = lt_v3_dot(view.positions[i], picture->up) - picture->floor_height;
            box = lt_box_add_point(box, view.positions[i]);
            if (!picture->floor_hidden)
                box = lt_box_add_point(box, lt_v3_mad(view.positions[i], picture->up, -height));
        }
    }
    for (size_t i = 0; i < obstacle_count(drawer); i++) {
        const lt_scene_obstacle *o = obstacle_at(drawer, i);
        if (o->kind == LT_OBSTACLE_PLANE) continue;
        float reach = o->kind == LT_OBSTACLE_BOX ? lt_v3_length(o->half_extents) : o->radius + o->half_length;
        box = lt_box_union(box, lt_box_inflate((lt_box){o->position, o->position}, reach));
    }
    return box.lo.x <= box.hi.x ? box : (lt_box){{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}};
}

/* A view along `up` needs another one: across it, so that x points right where y is up. */
static lt_vec3 up_for_view(lt_vec3 up, lt_vec3 look) {
    lt_vec3 forward = lt_v3_normalize_or(look, up), side, across;
    if (lt_v3_length(lt_v3_cross(forward, up)) > 1e-3f) return up;
    lt_perpendicular_pair(up, &side, &across);
    return lt_v3_dot(forward, up) < 0.0f ? lt_v3_neg(side) : side;
}

/* A chosen camera says how far the picture reaches: the focus grows to that, so that floor and shadows go on
 * to where bodies will be later. */
static void set_camera(lt_drawer *drawer) {
    const lt_scene_camera *camera = &drawer->def.scene_world->scene->camera;
    lt_picture *picture = &drawer->picture;
    picture->camera = lt_camera_frame(picture->focus, picture->up, drawer->def.width, drawer->def.height);
    if (!camera->chosen) return;
    lt_vec3 up = up_for_view(picture->up, lt_v3_sub(camera->target, camera->eye));
    picture->camera = (lt_camera){camera->eye, camera->target, up, camera->fov_degrees};
    float reach = lt_v3_distance(camera->eye, camera->target) * (float)lt_camera_tangent(camera->fov_degrees);
    picture->focus =
        lt_box_union(picture->focus, lt_box_inflate((lt_box){camera->target, camera->target}, reach));
}

static lt_status prepare(lt_drawer *drawer, lt_error *error) {
    const lt_scene *scene = drawer->def.scene_world->scene;
    drawer->picture = lt_picture_default();
    drawer->picture.up = lt_v3_normalize_or(lt_v3_neg(scene->gravity), (lt_vec3){0, 1, 0});
    drawer->picture.caption = scene->caption[0] ? scene->caption : NULL;
    find_floor(drawer);
    drawer->picture.focus = scene_box(drawer);
    set_camera(drawer);
    drawer->mesh_capacity = (uint32_t)(scene->bodies.count + scene->obstacles.count + 1);
    drawer->meshes = LT_NEW(&drawer->allocator, drawer->mesh_capacity, lt_picture_mesh);
    drawer->solids = LT_NEW(&drawer->allocator, scene->obstacles.count, lt_surface);
    drawer->placed = LT_NEW(&drawer->allocator, scene->obstacles.count, lt_vec3 *);
    if (!drawer->meshes || !drawer->solids || !drawer->placed)
        return lt_fail(error, LT_STATUS_MEMORY, "pictures: out of memory");
    lt_box focus = drawer->picture.focus;
    lt_status status = make_solids(drawer, lt_v3_distance(focus.lo, focus.hi), error);
    if (status == LT_OK)
        status = lt_image_allocate(&drawer->image, drawer->def.width, drawer->def.height, LT_IMAGE_RGB8,
                                   &drawer->allocator, error);
    if (status == LT_OK) status = lt_raster_create(&drawer->raster, &drawer->allocator, error);
    return status;
}

/* ---- a frame ---- */

static uint32_t fill_meshes(lt_drawer *drawer) {
    const lt_scene_world *scene_world = drawer->def.scene_world;
    const lt_scene_body *bodies = scene_world->scene->bodies.items;
    const lt_color *vertex_colors =
        drawer->def.marks || drawer->def.resolution ? drawer->vertex_colors.items : NULL;
    uint32_t count = 0;
    for (size_t b = 0; b < scene_world->scene->bodies.count; b++) {
        lt_surface_view view =
            lt_body_surface_from(scene_world->world, scene_world->bodies[b], scene_world->scene->origin);
        drawer->meshes[count++] = (lt_picture_mesh){.positions = view.positions,
                                                    .normals = view.normals,
                                                    .colors = vertex_colors,
                                                    .triangles = view.triangles,
                                                    .vertex_count = view.vertex_count,
                                                    .triangle_count = view.triangle_count,
                                                    .color = lt_palette(bodies[b].color_index)};
        if (vertex_colors) vertex_colors += view.vertex_count;
    }
    for (size_t i = 0; i < obstacle_count(drawer); i++) {
        const lt_surface *solid = &drawer->solids[i];
        if (solid->triangle_count == 0) continue;
        place_solid(drawer, i);
        lt_obstacle_kind kind = obstacle_at(drawer, i)->kind;
        drawer->meshes[count++] =
            (lt_picture_mesh){.positions = drawer->placed[i],
                              .triangles = solid->triangles,
                              .vertex_count = solid->vertex_count,
                              .triangle_count = solid->triangle_count,
                              .color = stone,
                              .flat = kind == LT_OBSTACLE_BOX || kind == LT_OBSTACLE_PLANE};
    }
    if (drawer->def.boxes)
        drawer->meshes[count++] =
            (lt_picture_mesh){.positions = drawer->bars.positions.items,
                              .triangles = drawer->bars.triangles.items,
                              .vertex_count = (uint32_t)drawer->bars.positions.count,
                              .triangle_count = (uint32_t)drawer->bars.triangles.count / 3,
                              .color = bar_color,
                              .flat = true,
                              .shadowless = true};
    return count;
}

static lt_box box_of_bodies(const lt_drawer *drawer) {
    const lt_scene_world *scene_world = drawer->def.scene_world;
    lt_box box = lt_box_empty();
    for (size_t b = 0; b < scene_world->scene->bodies.count; b++) {
        lt_surface_view view =
            lt_body_surface_from(scene_world->world, scene_world->bodies[b], scene_world->scene->origin);
        for (uint32_t i = 0; i < view.vertex_count; i++)
            box = lt_box_add_point(box, view.positions[i]);
    }
    return box;
}

/* Arrows, unless ages alone are wanted: the strongest contact of the frame is a tenth of the scene long, the
 * others in proportion. */
static bool fill_markers(lt_drawer *drawer) {
    uint32_t count;
    const lt_contact *contacts = lt_world_contacts(drawer->def.scene_world->world, &count);
    float strongest = 1e-20f;
    for (uint32_t i = 0; i < count; i++)
        strongest = lt_max_f(strongest, lt_v3_length(contacts[i].force));
    lt_box focus = drawer->picture.focus;
    float scale = drawer->def.contacts ? 0.1f * lt_v3_distance(focus.lo, focus.hi) / strongest : 0.0f;
    drawer->markers.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        lt_marker_status status = (lt_marker_status)contacts[i].status;
        const lt_scene_world *scene_world = drawer->def.scene_world;
        double frame[3];
        lt_body_frame(scene_world->world, contacts[i].body_a, frame);
        lt_marker marker = {.position = lt_offset_seen(scene_world->scene->origin, frame, contacts[i].offset),
                            .vector = lt_v3_scale(contacts[i].force, scale),
                            .color = drawer->def.ages ? lt_marker_age_color(status, contacts[i].age)
                                                      : lt_marker_color(status)};
        if (!lt_array_push(&drawer->markers, &marker)) return false;
    }
    return true;
}

static int compare_spheres(const void *a, const void *b) {
    return memcmp(a, b, sizeof(lt_vec3) + sizeof(float)); /* any order will do, if equal ones meet */
}

/* The spheres of the last response, each once, however many partners it met. */
static bool fill_used_spheres(lt_drawer *drawer) {
    uint32_t count;
    const lt_scene_world *scene_world = drawer->def.scene_world;
    const lt_used_sphere *used = lt_world_used_spheres(scene_world->world, &count);
    drawer->used.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        lt_vec3 center = lt_offset_from(scene_world->scene->origin, lt_d3_from_v3(used[i].center));
        lt_picture_sphere sphere = {center, used[i].radius, used_color, USED_OPACITY};
        if (!lt_array_push(&drawer->used, &sphere)) return false;
    }
    lt_picture_sphere *spheres = drawer->used.items;
    if (count) qsort(spheres, count, sizeof *spheres, compare_spheres);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || compare_spheres(&spheres[i], &spheres[kept - 1]) != 0) spheres[kept++] = spheres[i];
    lt_drawer_set_spheres(drawer, spheres, kept, 1);
    return true;
}

void lt_drawer_set_spheres(lt_drawer *drawer, const lt_picture_sphere *spheres, uint32_t count,
                           uint32_t layers) {
    drawer->picture.spheres = spheres;
    drawer->picture.sphere_count = count;
    drawer->picture.sphere_layers = layers;
}

void lt_drawer_set_caption(lt_drawer *drawer, const char *caption) {
    drawer->picture.caption = caption;
}

const lt_image *lt_drawer_draw(lt_drawer *drawer, lt_error *error) {
    if (((drawer->def.contacts || drawer->def.ages) && !fill_markers(drawer)) ||
        (drawer->def.spheres && !fill_used_spheres(drawer)) ||
        (drawer->def.marks && !lt_mark_colors_fill(&drawer->vertex_colors, drawer->def.scene_world)) ||
        (drawer->def.resolution &&
         !lt_resolution_colors_fill(&drawer->vertex_colors, drawer->def.scene_world)) ||
        (drawer->def.boxes &&
         !lt_box_bars_fill(&drawer->bars, drawer->def.scene_world, drawer->def.tree_choice))) {
        lt_fail(error, LT_STATUS_MEMORY, "pictures: out of memory");
        return NULL;
    }
    lt_picture picture = drawer->picture;
    if (drawer->def.close && drawer->def.scene_world->scene->bodies.count > 0)
        picture.camera =
            lt_camera_frame(box_of_bodies(drawer), picture.up, drawer->def.width, drawer->def.height);
    picture.meshes = drawer->meshes;
    picture.mesh_count = fill_meshes(drawer);
    picture.markers = drawer->markers.items;
    picture.marker_count = (uint32_t)drawer->markers.count;
    return lt_raster_draw(drawer->raster, &picture, &drawer->image, error) == LT_OK ? &drawer->image : NULL;
}

/* ---- life ---- */

void lt_drawer_destroy(lt_drawer *drawer) {
    if (!drawer) return;
    lt_allocator allocator = drawer->allocator;
    for (size_t i = 0; i < obstacle_count(drawer) && drawer->solids && drawer->placed; i++) {
        LT_DELETE(&allocator, drawer->placed[i], drawer->solids[i].vertex_count, lt_vec3);
        lt_surface_free(&drawer->solids[i]);
    }
    LT_DELETE(&allocator, drawer->solids, obstacle_count(drawer), lt_surface);
    LT_DELETE(&allocator, drawer->placed, obstacle_count(drawer), lt_vec3 *);
    LT_DELETE(&allocator, drawer->meshes, drawer->mesh_capacity, lt_picture_mesh);
    lt_array_free(&drawer->markers);
    lt_array_free(&drawer->used);
    lt_box_bars_free(&drawer->bars);
    lt_array_free(&drawer->vertex_colors);
    lt_image_free(&drawer->image);
    if (drawer->raster) lt_raster_destroy(drawer->raster);
    LT_DELETE(&allocator, drawer, 1, lt_drawer);
}

lt_status lt_drawer_create(lt_drawer **out, const lt_drawer_def *def, const lt_allocator *allocator,
                           lt_error *error) {
    *out = NULL;
    lt_drawer *drawer = LT_NEW(allocator, 1, lt_drawer);
    if (!drawer) return lt_fail(error, LT_STATUS_MEMORY, "pictures: out of memory");
    drawer->def = *def;
    drawer->allocator = allocator ? *allocator : lt_allocator_default();
    drawer->markers = LT_ARRAY_OF(&drawer->allocator, lt_marker);
    drawer->used = LT_ARRAY_OF(&drawer->allocator, lt_picture_sphere);
    drawer->bars = lt_box_bars_begin(&drawer->allocator);
    drawer->vertex_colors = LT_ARRAY_OF(&drawer->allocator, lt_color);
    lt_status status = prepare(drawer, error);
    if (status == LT_OK)
        *out = drawer;
    else
        lt_drawer_destroy(drawer);
    return status;
}
