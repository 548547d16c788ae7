/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Points spread over a surface by area, from a seed; independent of each other. */

#ifndef LITHE_BAKE_SPHERE_SAMPLER_H
#define LITHE_BAKE_SPHERE_SAMPLER_H

#include "core/random.h"
#include "mesh/mesh.h"

typedef struct lt_surface_sampler {
    const lt_surface *surface; /* must outlive this */
    double *area_ends;         /* [triangle_count] sum of areas up to and with each triangle */
    uint32_t triangle_count;
    lt_random random;
    lt_allocator allocator;
} lt_surface_sampler;

typedef struct lt_surface_sample {
    lt_dvec3 point;
    lt_dvec3 normal; /* of its triangle, unit; (0, 0, 1) where that has no area */
    uint32_t triangle;
} lt_surface_sample;

lt_status lt_surface_sampler_build(lt_surface_sampler *out, const lt_surface *surface, uint32_t seed,
                                   const lt_allocator *allocator, lt_error *error);
void lt_surface_sampler_free(lt_surface_sampler *sampler);
lt_surface_sample lt_surface_sampler_next(lt_surface_sampler *sampler);

#endif
