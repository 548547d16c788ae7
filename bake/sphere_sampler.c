/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/sphere_sampler.h"

#include "mesh/closest.h"

static lt_dvec3 area_vector(const lt_dvec3 t[3]) {
    return lt_d3_scale(lt_d3_cross(lt_d3_sub(t[1], t[0]), lt_d3_sub(t[2], t[0])), 0.5);
}

lt_status lt_surface_sampler_build(lt_surface_sampler *out, const lt_surface *surface, uint32_t seed,
                                   const lt_allocator *allocator, lt_error *error) {
    *out = (lt_surface_sampler){.surface = surface,
                                .triangle_count = surface->triangle_count,
                                .random = lt_random_seed(seed),
                                .allocator = *allocator};
    out->area_ends = LT_NEW(allocator, surface->triangle_count, double);
    if (!out->area_ends)
        return lt_fail(error, LT_STATUS_MEMORY, "no memory to sample %u triangles", surface->triangle_count);
    double sum = 0;
    for (uint32_t i = 0; i < surface->triangle_count; i++) {
        lt_dvec3 t[3];
        lt_triangle_corners(surface, i, t);
        sum += lt_d3_length(area_vector(t));
        out->area_ends[i] = sum;
    }
    return LT_OK;
}

void lt_surface_sampler_free(lt_surface_sampler *sampler) {
    LT_DELETE(&sampler->allocator, sampler->area_ends, sampler->triangle_count, double);
    *sampler = (lt_surface_sampler){0};
}

/* The first triangle whose end is above `area`. */
static uint32_t find_triangle(const lt_surface_sampler *sampler, double area) {
    uint32_t lo = 0, hi = sampler->triangle_count - 1;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (sampler->area_ends[middle] > area)
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

/* 48 random bits, so that a surface of a million triangles gives each its share. */
static double unit_of(lt_random *random) {
    double high = lt_random_unit(random);
    return high + (double)lt_random_unit(random) * (1.0 / 16777216.0);
}

lt_surface_sample lt_surface_sampler_next(lt_surface_sampler *sampler) {
    double total = sampler->area_ends[sampler->triangle_count - 1];
    lt_surface_sample sample = {.triangle = find_triangle(sampler, unit_of(&sampler->random) * total)};
    double a = unit_of(&sampler->random), b = unit_of(&sampler->random);
    if (a + b > 1) a = 1 - a, b = 1 - b;
    lt_dvec3 t[3];
    lt_triangle_corners(sampler->surface, sample.triangle, t);
    sample.point = lt_d3_mad(lt_d3_mad(lt_d3_scale(t[0], 1 - a - b), t[1], a), t[2], b);
    sample.normal = lt_d3_normalize_or(area_vector(t), (lt_dvec3){0, 0, 1});
    return sample;
}
