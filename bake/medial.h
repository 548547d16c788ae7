/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Points of a surface that spheres have to cover, and centres that suit them: the largest balls inside the solid that
 * touch the surface there. Their centres lie on the medial axis, by the shrinking ball of Ma, Bae and Choi 2012, "3D
 * medial axis point approximation using nearest neighbors and the normal field", here against triangles.
 *
 * Float and apart by coordinate: everything that follows goes over these arrays many times. */

#ifndef LITHE_BAKE_MEDIAL_H
#define LITHE_BAKE_MEDIAL_H

#include "bake/sphere_internal.h"

typedef struct lt_medial {
    float *x, *y, *z; /* [point_count] samples by area, then vertices */
    lt_vec3 *centers; /* [ball_count] of the balls that touch at the first points */
    uint32_t point_count, ball_count;
    lt_allocator allocator;
} lt_medial;

lt_status lt_medial_build(lt_medial *out, const lt_sphere_field *field, const lt_sphere_options *options,
                          lt_error *error);
void lt_medial_free(lt_medial *medial);

#endif
