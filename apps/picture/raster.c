/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/raster.h"

#include "picture/fill.h"
#include "picture/light_map.h"
#include "picture/overlay.h"
#include "picture/shade.h"
#include "picture/spheres.h"

struct lt_raster {
    lt_allocator allocator;
    lt_color_tables tables;
    lt_arena arena; /* reset every frame */
};

/* ---- checks and memory ---- */

static lt_status check_mesh(const lt_picture_mesh *mesh, uint32_t index, lt_error *error) {
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->triangles + 3 * (size_t)t;
        uint32_t highest = lt_max_u32(corner[0], lt_max_u32(corner[1], corner[2]));
        if (highest >= mesh->vertex_count)
            return lt_fail(error, LT_STATUS_INVALID, "mesh %u: triangle %u: vertex %u, but there are only %u",
                           index, t, highest, mesh->vertex_count);
    }
    return LT_OK;
}

static lt_status check_picture(const lt_picture *picture, lt_error *error) {
    uint64_t triangle_count = 0;
    for (uint32_t m = 0; m < picture->mesh_count; m++) {
        lt_status status = check_mesh(&picture->meshes[m], m, error);
        if (status != LT_OK) return status;
        triangle_count += picture->meshes[m].triangle_count;
    }
    if (triangle_count >= LT_OWNER_FLOOR)
        return lt_fail(error, LT_STATUS_INVALID, "%llu triangles are too many for one picture",
                       (unsigned long long)triangle_count);
    return LT_OK;
}

static bool reserve_memory(lt_raster *raster, const lt_picture *picture, size_t pixel_count) {
    size_t vertex_count = 0, largest = 0;
    for (uint32_t m = 0; m < picture->mesh_count; m++) {
        size_t count = picture->meshes[m].vertex_count;
        vertex_count += count;
        if (count > largest) largest = count;
    }
    size_t bytes =
        pixel_count * (LT_FILL_SAMPLE_COUNT * (sizeof(float) + sizeof(uint32_t)) + 3 * sizeof(float));
    bytes += vertex_count * (sizeof(lt_seen_vertex) + sizeof(lt_vec3)) + largest * sizeof(lt_fill_corner);
    bytes += picture->mesh_count * sizeof(lt_seen_mesh) + lt_light_map_memory() + 16 * 64;
    bytes += lt_spheres_memory(picture);
    lt_arena_reset(&raster->arena);
    return lt_arena_reserve(&raster->arena, &raster->allocator, bytes);
}

/* ---- vertices ---- */

static void project_vertices(const lt_scene_view *scene, const lt_picture_mesh *mesh, lt_seen_vertex *out) {
    const lt_view *view = &scene->view;
    const float limit = (float)(LT_FILL_LIMIT / LT_FILL_UNIT);
    float half_width = 0.5f * (float)scene->width, half_height = 0.5f * (float)scene->height;
    float scale_x = half_width / view->tangent_x, scale_y = half_height / view->tangent_y;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        lt_vec3 d = lt_v3_sub(mesh->positions[i], view->eye);
        lt_vec3 p = {lt_v3_dot(d, view->right), lt_v3_dot(d, view->up), lt_v3_dot(d, view->forward)};
        out[i].view = p;
        out[i].screen.x = LT_NEEDS_CLIPPING;
        if (!(p.z >= view->near_depth)) continue;
        float inverse = 1.0f / p.z;
        float x = half_width + scale_x * p.x * inverse, y = half_height - scale_y * p.y * inverse;
        if (!(fabsf(x) < limit && fabsf(y) < limit)) continue;
        out[i].screen = (lt_fill_corner){lt_fill_snap(x), lt_fill_snap(y), inverse};
    }
}

/* Sums of triangle normals weighted by area; lengths are made 1 when shading. */
static void average_normals(const lt_picture_mesh *mesh, lt_vec3 *normals) {
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        normals[i] = (lt_vec3){0, 0, 0};
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->triangles + 3 * (size_t)t;
        lt_vec3 a = mesh->positions[corner[0]];
        lt_vec3 normal =
            lt_v3_cross(lt_v3_sub(mesh->positions[corner[1]], a), lt_v3_sub(mesh->positions[corner[2]], a));
        for (int k = 0; k < 3; k++)
            normals[corner[k]] = lt_v3_add(normals[corner[k]], normal);
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        normals[i] = lt_v3_normalize_or(normals[i], (lt_vec3){0, 0, 0});
}

static bool prepare_meshes(lt_scene_view *scene, const lt_picture *picture, lt_arena *arena) {
    scene->meshes = LT_TAKE(arena, picture->mesh_count, lt_seen_mesh);
    if (!scene->meshes) return false;
    uint32_t first = 0;
    for (uint32_t m = 0; m < picture->mesh_count; m++) {
        const lt_picture_mesh *mesh = &picture->meshes[m];
        lt_seen_vertex *vertices = LT_TAKE(arena, mesh->vertex_count, lt_seen_vertex);
        if (!vertices) return false;
        project_vertices(scene, mesh, vertices);
        const lt_vec3 *normals = mesh->normals;
        if (!normals && !mesh->flat) {
            lt_vec3 *averaged = LT_TAKE(arena, mesh->vertex_count, lt_vec3);
            if (!averaged) return false;
            average_normals(mesh, averaged);
            normals = averaged;
        }
        scene->meshes[m] = (lt_seen_mesh){mesh, vertices, normals, first};
        first += mesh->triangle_count;
    }
    return true;
}

/* ---- clipping ---- */

#define CLIP_MAX 9 /* a triangle cut by five planes has at most eight corners */

/* Cuts a polygon by plane . p >= 0. New corners are computed from the inner end of an edge to the outer
 * one, so that both triangles at an edge get the same bits. */
static int clip_by_plane(lt_vec3 *out, const lt_vec3 *in, int count, lt_vec3 plane, float offset) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        lt_vec3 a = in[i], b = in[(i + 1) % count];
        float da = lt_v3_dot(plane, a) - offset, db = lt_v3_dot(plane, b) - offset;
        if (da >= 0.0f) out[kept++] = a;
        if (da >= 0.0f && db < 0.0f) out[kept++] = lt_v3_mad(a, lt_v3_sub(b, a), da / (da - db));
        if (da < 0.0f && db >= 0.0f) out[kept++] = lt_v3_mad(b, lt_v3_sub(a, b), db / (db - da));
    }
    return kept;
}

/* The part of a view-space triangle in front of the near plane and within reach of fixed point. */
static int clip_triangle(const lt_scene_view *scene, lt_vec3 *polygon, const lt_seen_vertex *corners[3]) {
    float reach = 0.9f * (float)(LT_FILL_LIMIT / LT_FILL_UNIT) /
                  (0.5f * (float)lt_max_u32(scene->width, scene->height));
    float x = 1.0f / (reach * scene->view.tangent_x), y = 1.0f / (reach * scene->view.tangent_y);
    const lt_vec3 planes[5] = {{0, 0, 1}, {x, 0, 1}, {-x, 0, 1}, {0, y, 1}, {0, -y, 1}};
    lt_vec3 other[CLIP_MAX];
    for (int k = 0; k < 3; k++) {
        if (!lt_v3_is_finite(corners[k]->view)) return 0;
        other[k] = corners[k]->view;
    }
    int count = 3;
    lt_vec3 *from = other, *to = polygon;
    for (int k = 0; k < 5 && count > 0; k++) {
        count = clip_by_plane(to, from, count, planes[k], k == 0 ? scene->view.near_depth : 0.0f);
        lt_vec3 *swap = from;
        from = to;
        to = swap;
    }
    return count; /* five cuts: the last one went into `polygon` */
}

static void fill_clipped(const lt_scene_view *scene, const lt_seen_vertex *corners[3], bool two_sided,
                         uint32_t owner) {
    lt_vec3 polygon[CLIP_MAX] = {{0, 0, 0}};
    int count = clip_triangle(scene, polygon, corners);
    float half_width = 0.5f * (float)scene->width, half_height = 0.5f * (float)scene->height;
    lt_fill_corner screen[CLIP_MAX];
    for (int i = 0; i < count; i++) {
        float inverse = 1.0f / polygon[i].z;
        float x = half_width + half_width / scene->view.tangent_x * polygon[i].x * inverse;
        float y = half_height - half_height / scene->view.tangent_y * polygon[i].y * inverse;
        screen[i] = (lt_fill_corner){lt_fill_snap(x), lt_fill_snap(y), inverse};
    }
    for (int i = 2; i < count; i++)
        if (two_sided || lt_fill_area(screen[0], screen[i - 1], screen[i]) < 0)
            lt_fill_triangle(&scene->target, screen[0], screen[i - 1], screen[i], owner);
}

static void fill_mesh(const lt_scene_view *scene, const lt_seen_mesh *seen) {
    const lt_picture_mesh *mesh = seen->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *triangle = mesh->triangles + 3 * (size_t)t;
        const lt_seen_vertex *corners[3] = {&seen->vertices[triangle[0]], &seen->vertices[triangle[1]],
                                            &seen->vertices[triangle[2]]};
        lt_fill_corner a = corners[0]->screen, b = corners[1]->screen, c = corners[2]->screen;
        if (a.x == LT_NEEDS_CLIPPING || b.x == LT_NEEDS_CLIPPING || c.x == LT_NEEDS_CLIPPING)
            fill_clipped(scene, corners, mesh->two_sided, seen->first_triangle + t);
        else if (mesh->two_sided || lt_fill_area(a, b, c) < 0) /* counter-clockwise, y pointing down */
            lt_fill_triangle(&scene->target, a, b, c, seen->first_triangle + t);
    }
}

/* ---- the frame ---- */

static bool is_empty(lt_box box) {
    return !(box.lo.x <= box.hi.x && box.lo.y <= box.hi.y && box.lo.z <= box.hi.z);
}

/* The focus ball gives every length that is not in the picture's description; the lit ball holds the
 * casters too, as long as they are not so far off that shadows would become blocks. */
static void find_scale(lt_scene_view *scene, const lt_picture *picture) {
    lt_box casters = lt_picture_box(picture, true);
    lt_box focus = is_empty(picture->focus) ? casters : picture->focus;
    if (is_empty(focus) || !(lt_v3_distance(focus.lo, focus.hi) < 1e10f))
        focus = (lt_box){{-1, -1, -1}, {1, 1, 1}};
    scene->center = lt_v3_scale(lt_v3_add(focus.lo, focus.hi), 0.5f);
    scene->radius = lt_max_f(0.5f * lt_v3_distance(focus.lo, focus.hi), 1e-6f);
    scene->lit_center = scene->center;
    scene->lit_radius = scene->radius;
    if (is_empty(casters)) return;
    lt_box lit = lt_box_union(focus, casters);
    float radius = 0.5f * lt_v3_distance(lit.lo, lit.hi);
    if (radius <= scene->radius * 1.001f || !(radius < 4.0f * scene->radius)) return;
    scene->lit_center = lt_v3_scale(lt_v3_add(lit.lo, lit.hi), 0.5f);
    scene->lit_radius = radius;
}

static bool take_target(lt_scene_view *scene, lt_arena *arena) {
    size_t sample_count = (size_t)scene->width * scene->height * LT_FILL_SAMPLE_COUNT;
    scene->target =
        (lt_fill_target){(int32_t)scene->width, (int32_t)scene->height, LT_TAKE(arena, sample_count, float),
                         LT_TAKE(arena, sample_count, uint32_t)};
    if (!scene->target.depths || !scene->target.owners) return false;
    lt_fill_clear(&scene->target);
    return true;
}

static void encode(const lt_color_tables *tables, const lt_image *linear, lt_image *image) {
    size_t count = lt_image_value_count(image);
    for (size_t i = 0; i < count; i++)
        image->bytes[i] = lt_color_code(tables, linear->linear[i]);
}

static lt_status draw_frame(lt_raster *raster, lt_scene_view *scene, const lt_picture *picture,
                            lt_image *image, lt_error *error) {
    lt_arena *arena = &raster->arena;
    lt_image linear = {.width = image->width, .height = image->height, .kind = LT_IMAGE_LINEAR};
    bool ok = reserve_memory(raster, picture, (size_t)image->width * image->height);
    ok = ok && (linear.linear = LT_TAKE(arena, lt_image_value_count(image), float)) != NULL;
    ok = ok && take_target(scene, arena) && prepare_meshes(scene, picture, arena);
    ok = ok && lt_shadow_fill(&scene->shadow, picture, scene->lit_center, scene->lit_radius, arena);
    ok = ok && lt_contact_fill(&scene->contact, picture, scene->lit_center, scene->lit_radius, arena);
    if (ok) {
        for (uint32_t m = 0; m < picture->mesh_count; m++)
            fill_mesh(scene, &scene->meshes[m]);
        lt_shade(scene, picture, &raster->tables, &linear);
        ok = lt_spheres_draw(scene, picture, &raster->tables, arena, &linear);
    }
    if (ok) {
        lt_overlay_draw(scene, picture, &raster->tables, &linear);
        encode(&raster->tables, &linear, image);
    }
    lt_arena_reset(arena);
    return ok ? LT_OK
              : lt_fail(error, LT_STATUS_MEMORY, "no memory to draw %u x %u", image->width, image->height);
}

lt_status lt_raster_create(lt_raster **out, const lt_allocator *allocator, lt_error *error) {
    *out = LT_NEW(allocator, 1, lt_raster);
    if (!*out) return lt_fail(error, LT_STATUS_MEMORY, "no memory for the rasteriser");
    (*out)->allocator = allocator ? *allocator : lt_allocator_default();
    lt_color_tables_fill(&(*out)->tables);
    return LT_OK;
}

void lt_raster_destroy(lt_raster *raster) {
    if (!raster) return;
    lt_allocator allocator = raster->allocator;
    lt_arena_free(&raster->arena);
    LT_DELETE(&allocator, raster, 1, lt_raster);
}

lt_status lt_raster_draw(lt_raster *raster, const lt_picture *picture, lt_image *image, lt_error *error) {
    if (!LT_REQUIRE(raster && picture && image && image->kind == LT_IMAGE_RGB8 && image->bytes))
        return lt_fail(error, LT_STATUS_INVALID, "lt_raster_draw needs a picture and an 8-bit image");
    lt_scene_view scene = {.width = image->width, .height = image->height};
    lt_status status = check_picture(picture, error);
    if (status == LT_OK)
        status = lt_view_make(&scene.view, &picture->camera, image->width, image->height, error);
    if (status != LT_OK) return status;
    find_scale(&scene, picture);
    scene.mesh_count = picture->mesh_count;
    return draw_frame(raster, &scene, picture, image, error);
}
