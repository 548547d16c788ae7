/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* From "which triangle is seen at each sample" to light: internal to the rasteriser. */

#ifndef LITHE_PICTURE_SHADE_H
#define LITHE_PICTURE_SHADE_H

#include "picture/fill.h"
#include "picture/image.h"
#include "picture/light_map.h"

/* Owners of samples are triangle numbers, counted through all meshes; these two are besides. */
#define LT_OWNER_NOTHING  LT_NONE
#define LT_OWNER_FLOOR    (LT_NONE - 1)
#define LT_NEEDS_CLIPPING INT32_MIN

typedef struct lt_seen_vertex {
    lt_vec3 view;          /* right, up, forward */
    lt_fill_corner screen; /* x = LT_NEEDS_CLIPPING: behind the near plane or far beside the picture */
} lt_seen_vertex;

typedef struct lt_seen_mesh {
    const lt_picture_mesh *mesh;
    const lt_seen_vertex *vertices; /* [vertex_count] */
    const lt_vec3 *normals;         /* [vertex_count], NULL only when flat */
    uint32_t first_triangle;        /* the owner number of triangle 0 */
} lt_seen_mesh;

/* One frame's working state. */
typedef struct lt_scene_view {
    uint32_t width, height;
    lt_view view;
    lt_vec3 center; /* the ball the picture is about */
    float radius;
    lt_vec3 lit_center; /* the ball that gets shadows */
    float lit_radius;
    lt_fill_target target;
    lt_seen_mesh *meshes; /* [mesh_count] */
    uint32_t mesh_count;
    lt_shadow shadow;
    lt_contact_map contact;
} lt_scene_view;

/* 1/w of the floor along the ray through a pixel position, negative above the horizon and when the camera
 * is below the floor. Linear over the screen: value = at_corner + x per_x + y per_y. */
typedef struct lt_floor_depth {
    float at_corner, per_x, per_y;
} lt_floor_depth;
lt_floor_depth lt_floor_depth_make(const lt_scene_view *scene, const lt_picture *picture);

/* The ray through a pixel position: forward part 1, so that eye + ray * w is the point of depth w.
 * Linear over the screen like the floor's 1/w. */
typedef struct lt_view_rays {
    lt_vec3 at_corner, per_x, per_y;
} lt_view_rays;
lt_view_rays lt_view_rays_make(const lt_scene_view *scene);

static inline lt_vec3 lt_view_ray(const lt_view_rays *rays, float x, float y) {
    return lt_v3_mad(lt_v3_mad(rays->at_corner, rays->per_x, x), rays->per_y, y);
}

static inline float lt_floor_depth_at(const lt_floor_depth *floor, float x, float y) {
    return floor->at_corner + x * floor->per_x + y * floor->per_y;
}

/* The picture's light in linear units, the same for everything that is lit. */
typedef struct lt_lights {
    lt_vec3 up, to_sun;
    lt_vec3 sun, sky;
    lt_vec3 ground; /* what the floor throws back upwards */
} lt_lights;
lt_lights lt_lights_make(const lt_picture *picture, const lt_color_tables *tables);

/* A piece of surface as light sees it. */
typedef struct lt_lit {
    lt_vec3 albedo;
    lt_vec3 normal, to_eye; /* unit */
    float sun_seen;         /* 0 in shadow, 1 in full sun */
    float near_floor;       /* 0 away from the floor, 1 at it */
} lt_lit;
lt_vec3 lt_light_surface(const lt_lights *lights, const lt_lit *lit);

/* Bends bright tones to below 1. To be done before samples are averaged, or edges against a bright ground
 * lose their steps. */
lt_vec3 lt_tone(lt_vec3 color);

void lt_shade(const lt_scene_view *scene, const lt_picture *picture, const lt_color_tables *tables,
              lt_image *linear);

#endif
