/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What is to be drawn, as plain data: camera, light, meshes, floor, spheres, markers, caption. Nothing here
 * owns memory; every pointer belongs to the caller and is read only while lt_raster_draw runs.
 * Colours are sRGB; lengths are the scene's, of any size from a grain to a hall. */

#ifndef LITHE_PICTURE_PICTURE_H
#define LITHE_PICTURE_PICTURE_H

#include "picture/camera.h"
#include "picture/color.h"

typedef struct lt_picture_mesh {
    const lt_vec3 *positions;  /* [vertex_count]; triangles with a corner that is not finite are left out */
    const lt_vec3 *normals;    /* [vertex_count] or NULL: averaged from the triangles */
    const lt_color *colors;    /* [vertex_count] or NULL: `color` everywhere */
    const uint32_t *triangles; /* [triangle_count][3], counter-clockwise seen from outside */
    uint32_t vertex_count;
    uint32_t triangle_count;
    lt_color color;
    bool flat;      /* one normal per triangle, for boxes and for showing the triangles */
    bool two_sided; /* open surfaces; closed ones are drawn faster without */
    bool shadowless;
} lt_picture_mesh;

/* A smooth ball, translucent, for bounds around a surface: drawn over meshes and floor, hidden by what is
 * in front of it, blended from near to far in every pixel. It throws and gets no shadow. Not drawn when the
 * eye is inside, and when a number is not finite, not positive, or a length above 1e15. */
typedef struct lt_picture_sphere {
    lt_vec3 center;
    float radius;
    lt_color color;
    float opacity; /* 0 to 1, of the middle; the outline is denser, as a skin seen edge-on */
} lt_picture_sphere;

typedef enum lt_marker_status {
    LT_MARKER_EXACT,
    LT_MARKER_APPROXIMATE,
    LT_MARKER_PREDICTED
} lt_marker_status;

/* A contact: a small ball of constant size on the screen, and an arrow along `vector` unless it is zero.
 * Drawn over everything; paler where a mesh or the floor is in front. */
typedef struct lt_marker {
    lt_vec3 position;
    lt_vec3 vector;
    lt_color color; /* lt_marker_color, lt_marker_age_color, or any other */
} lt_marker;

typedef struct lt_picture {
    lt_camera camera;
    lt_vec3 up;   /* unit; the floor's normal and the sky's direction */
    lt_box focus; /* what the picture is about: scale of floor, shadows, fades. Empty: the meshes' box.
                     For an animation give one box for all frames, or shadows will shimmer */
    const lt_picture_mesh *meshes; /* [mesh_count] */
    uint32_t mesh_count;
    const lt_picture_sphere *spheres; /* [sphere_count] */
    uint32_t sphere_count;
    /* Only so many spheres along a ray count, nearest first; 0: all. With 1 a crowd of spheres is one even
     * skin, however many overlap. */
    uint32_t sphere_layers;
    const lt_marker *markers; /* [marker_count] */
    uint32_t marker_count;
    const char *caption; /* NULL or text for the lower left corner; \n starts a line */

    bool floor_hidden;
    float floor_height; /* along `up` */
    float floor_cell;   /* side of a square of the pattern; 0: chosen for the focus */
    lt_color floor_color;

    lt_vec3 sun_direction; /* towards the sun; need not be a unit vector */
    lt_color sun_color;
    float sun_strength;
    float sun_width; /* tangent of the sun's angular radius: how fast shadows get softer with distance */
    lt_color sky_color;
    float sky_strength;
    lt_color background_top, background_bottom;
} lt_picture;

/* A sunny studio, y up, floor at 0, an empty list of everything. */
lt_picture lt_picture_default(void);

/* Green, orange, violet. */
lt_color lt_marker_color(lt_marker_status status);
/* How old what is known of a contact is: green in the step that measured it, over yellow, to red after
 * LT_MARKER_AGE_MAX steps and more. What was never measured exactly is blue. */
#define LT_MARKER_AGE_MAX 8
lt_color lt_marker_age_color(lt_marker_status status, uint32_t age);

/* The box of all vertices nearer than 1e9 of all meshes (of those that cast shadows only, when asked). */
lt_box lt_picture_box(const lt_picture *picture, bool casters_only);

#endif
