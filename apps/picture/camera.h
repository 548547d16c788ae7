/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Where a picture is taken from, and the choice of that place for a box. */

#ifndef LITHE_PICTURE_CAMERA_H
#define LITHE_PICTURE_CAMERA_H

#include "core/vec.h"

typedef struct lt_camera {
    lt_vec3 eye;
    lt_vec3 target;
    lt_vec3 up;        /* need not be a unit vector nor square to the view */
    float fov_degrees; /* vertical, 1 to 150 */
} lt_camera;

/* A camera taken apart for drawing: view space is (right, up, forward), so a point's third coordinate is
 * its depth; the image plane lies at depth 1 and spans +-tangent_x, +-tangent_y. */
typedef struct lt_view {
    lt_vec3 eye;
    lt_vec3 right, up, forward;
    float tangent_x, tangent_y;
    float near_depth; /* a thousandth of the distance to the target: fits scenes of any size */
} lt_view;

/* LT_STATUS_INVALID when eye and target coincide, up is along the view, a number is not finite or the
 * field of view is out of range. */
lt_status lt_view_make(lt_view *out, const lt_camera *camera, uint32_t width, uint32_t height,
                       lt_error *error);

/* A three-quarter view from above that holds the whole box with a small margin. It depends on the box and
 * the picture's shape alone: give the box of the whole animation and the camera stands still. */
lt_camera lt_camera_frame(lt_box box, lt_vec3 up, uint32_t width, uint32_t height);

/* The tangent of half the field of view, by series: the same bits everywhere. */
double lt_camera_tangent(float fov_degrees);

/* Two unit vectors square to the unit vector `axis` and to each other: first x second = axis. */
void lt_perpendicular_pair(lt_vec3 axis, lt_vec3 *first, lt_vec3 *second);

#endif
